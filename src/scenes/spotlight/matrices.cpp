#include "scenes/spotlight/matrices.h"

#include <algorithm>
#include <cmath>

#include "figure/formula.h"
#include "figure/panels.h"
#include "scenes/spotlight/lit.h"
#include "scenes/spotlight/steps.h"

namespace limelight::scenes::spotlight {
namespace {

constexpr MatrixRole kRoles[] = {
    {{kX, "X", "", "x", &Palette::input, false, "embedding of {row}: {column}"}, &Palette::input_fill, "embeddings"},
    {{kW_q, "W", "Q", "w", &Palette::query, false, "from {row} to {column}, in W_Q"},
     &Palette::query_fill,
     "query matrix"},
    {{kW_k, "W", "K", "w", &Palette::key, false, "from {row} to {column}, in W_K"}, &Palette::key_fill, "key matrix"},
    {{kW_v, "W", "V", "w", &Palette::value, false, "from {row} to {column}, in W_V"},
     &Palette::value_fill,
     "value matrix"},
    {{kQ, "Q", "", "q", &Palette::query, false, "query of {row}: {column}"}, &Palette::query_fill, "queries"},
    {{kK, "K", "", "k", &Palette::key, false, "key of {row}: {column}"}, &Palette::key_fill, "keys"},
    {{kV, "V", "", "v", &Palette::value, false, "value of {row}: {column}"}, &Palette::value_fill, "values"},
    {{kScores, "S", "", "s", &Palette::ink, true, "{row} asks {column}: score"}, &Palette::score_fill, "scores"},
    {{kScaled, "Z", "", "z", &Palette::ink, false, "{row} asks {column}: scaled score"},
     &Palette::score_fill,
     "scaled scores"},
    {{kMaximum, "max", "", "m", &Palette::ink, false, "largest score of {row}"}, &Palette::score_fill, "row maxima"},
    {{kShifted, "Z − max", "", "", &Palette::ink, false, "{row} asks {column}: less the largest score"},
     &Palette::score_fill,
     "lowered scores"},
    {{kExponentials, "exp", "", "", &Palette::ink, false, "{row} asks {column}: exponential"},
     &Palette::score_fill,
     "exponentials"},
    {{kSum, "Σ", "", "", &Palette::ink, false, "sum of the exponentials of {row}"}, &Palette::cell, "row sums"},
    {{kWeights, "A", "", "a", &Palette::ink, true, "how much {row} looks at {column}"}, &Palette::lamp, "weights"},
    {{kLow, "A", "low", "a", &Palette::ink, false, "{row} looks at {column}: low"}, &Palette::lamp, "weights, low"},
    {{kHigh, "A", "high", "a", &Palette::ink, false, "{row} looks at {column}: high"}, &Palette::lamp, "weights, high"},
    {{kOutput, "Y", "", "y", &Palette::output, false, "output of {row}: {column}"}, &Palette::output_fill, "output"},
};

MatrixLook look_of(const Drawing& d, std::string_view tensor, Lies lies = Lies::upright) {
  const MatrixRole& role = role_of(tensor);
  // A score in full, since its products are added up beside it, and exponentials, since they are.
  const bool score = tensor == kScores;
  // Where cells are narrow one decimal is enough, unless a number would be 0 with it.
  const auto vanishes = [](float value) { return value != 0 && std::abs(value) < 0.05F; };
  const bool one =
      (tensor == kScaled || tensor == kShifted) && std::ranges::none_of(d.trace.at(tensor).values.reshaped(), vanishes);
  const bool by_letter = tensor == role.letter || score || tensor == kOutput;
  return {.tensor = std::string(tensor),
          .name = std::string(by_letter ? role.letter : tensor),
          .tint = d.colours.*role.fill,
          .digits = most_digits(d),
          .most_decimals = score || tensor == kExponentials ? 3 : 2,
          .least = score || one ? 1 : 2,
          .turned = lies == Lies::on_its_side,
          .editable = is_editable(d.state, tensor)};
}

std::span<const std::string> features_of(const Drawing& d, std::string_view tensor) {
  return d.state.named() ? std::span(d.trace.at(tensor).column_labels) : std::span<const std::string>();
}

}  // namespace

const MatrixRole& role_of(std::string_view tensor) {
  return *std::ranges::find(kRoles, tensor, &recipes::Symbol::tensor);
}

bool is_editable(const State& state, std::string_view tensor) {
  if (tensor == kWeights) return true;
  if (state.given()) return tensor == kQ || tensor == kK || tensor == kV;
  return tensor == kX || tensor.starts_with("W_");
}

float most_digits(const Drawing& d) { return 15 * label_scale(d); }

void add_matrix_title(Drawing& d, std::string_view tensor, Point at, float width, const std::string& said, Lies lies) {
  const MatrixRole& role = role_of(tensor);
  const Tensor& values = d.trace.at(tensor);
  const Colour ink = d.colours.*role.ink;
  const bool turned = lies == Lies::on_its_side;
  const Formula letter = role.letter.size() > 1 ? word(role.letter) : symbol(role.letter);
  const Formula name = turned               ? script(letter, nullptr, word("T"))
                       : role.index.empty() ? letter
                                            : script(letter, word(role.index));
  add_matrix_title(
      d,
      {.id = std::string(tensor),
       .label = std::string(role.name),
       .name = coloured(name, ink),
       .ink = ink,
       .shape = turned ? std::to_string(values.columns()) + "×" + std::to_string(values.rows()) : extent(values),
       .said = said,
       .letters = label_scale(d)},
      at, width);
}

void add_matrix(Drawing& d, std::string_view tensor, Rect cells, Lies lies) {
  d.figure.add(matrix_element(d, look_of(d, tensor, lies), cells));
}

void add_matrix_rows(Drawing& d, std::string_view tensor, Rect cells) { add_matrix_rows(d, look_of(d, tensor), cells); }

void add_arriving(Drawing& d, std::string_view tensor, Rect cells, const Arriving& now) {
  add_arriving(d, look_of(d, tensor), look_of(d, now.first.tensor), cells, now);
}

float feature_names_height(const Drawing& d, std::string_view tensor, float column_w) {
  return names_below_height(features_of(d, tensor), column_w, label_scale(d));
}

void add_feature_names(Drawing& d, std::string_view tensor, Rect cells) {
  add_names_below(d, std::string(tensor) + ".column.", features_of(d, tensor), cells, label_scale(d));
}

void add_row_names(Drawing& d, std::string_view tensor, RowNames names, std::string_view beside) {
  const std::optional<Source> cell = parse_cell_id(d.view.focus());
  const bool of_keys = d.state.given() && (tensor == kK || tensor == kV);  // keys that are not the queries' words
  names.id = std::string(beside.empty() ? tensor : beside) + ".row.";
  names.words = of_keys ? d.keys : d.queries;
  if (names.count == 0) names.count = static_cast<int>(names.words.size());
  names.asks = of_keys ? -1 : d.row;
  names.looked_at = cell && cell->tensor == tensor ? cell->row : names.asks;
  names.field = of_keys ? "" : "query";
  add_row_names(d, names);
  if (tensor == kX || tensor == kScores || (d.state.given() && !of_keys))
    add_row_lamp(d, *d.figure.find(names.of_sentence ? word_id(d.row) + ".text" : names.id + std::to_string(d.row)));
}

}  // namespace limelight::scenes::spotlight
