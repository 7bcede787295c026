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

}  // namespace

const MatrixRole& role_of(std::string_view tensor) {
  return *std::ranges::find(kRoles, tensor, &recipes::Symbol::tensor);
}

bool is_editable(const State& state, std::string_view tensor) {
  if (tensor == kWeights) return true;
  if (state.given()) return tensor == kQ || tensor == kK || tensor == kV;
  return tensor == kX || tensor.starts_with("W_");
}

void add_matrix_title(Drawing& d, std::string_view tensor, Point at, float width, const std::string& said, Lies lies) {
  const MatrixRole& role = role_of(tensor);
  const Tensor& values = d.trace.at(tensor);
  const bool turned = lies == Lies::on_its_side;
  const std::string id(tensor),
      shape = turned ? std::to_string(values.columns()) + "×" + std::to_string(values.rows()) : extent(values);
  const float k = label_scale(d), size = 21 * k;
  const Formula letter = role.letter.size() > 1 ? word(role.letter) : symbol(role.letter);
  const Formula name = coloured(turned               ? script(letter, nullptr, word("T"))
                                : role.index.empty() ? letter
                                                     : script(letter, word(role.index)),
                                d.colours.*role.ink);
  const float letter_w = set_formula(name, size).width, shape_w = text::measure(text::Face::mono, 11 * k, shape);
  d.figure.add({.id = id + ".title",
                .rect = {at.x, at.y - 11 * k, letter_w + 1, 22 * k},
                .label = std::string(role.name),
                .shape = FormulaBox{.formula = name, .size = size, .colour = d.colours.*role.ink}});
  float x = at.x + letter_w + 9 * k;
  if (width == 0) return;
  add_words(d, id + ".shape", {x, at.y - 8 * k, shape_w + 1, 18 * k}, shape,
            {d.colours.faint, {text::Face::mono, 11 * k}});
  x += shape_w + 10 * k;
  if (!said.empty() && x < at.x + width)
    add_words(d, id + ".said", {x, at.y - 8 * k, at.x + width - x, 18 * k}, said,
              {d.colours.muted, {text::Face::regular, 12.5F * k}});
}

float number_size(const Drawing& d, const Matrix& numbers, int decimals, float cell_w, float cell_h) {
  const float around = numbers.cols() > 1 ? 6 : 4;  // px: 2 on both sides of a number, and the gap between two cells
  const float most = numbers.size() == 0 ? 0 : numbers.cwiseAbs().maxCoeff();
  const bool signs = numbers.size() > 0 && numbers.minCoeff() < 0;
  const float letters =
      (most >= 10 ? 2.F : 1.F) + (signs ? 1.F : 0.F) + (decimals > 0 ? static_cast<float>(decimals) + 1 : 0.F);
  const float width = text::measure(text::Face::mono, 1, "0") * letters;
  return std::min({15 * label_scale(d), 0.72F * cell_h, (cell_w - around) / width});
}

namespace {

Element matrix_element(const Drawing& d, std::string_view tensor, Rect cells, Lies lies) {
  const Tensor& values = d.trace.at(tensor);
  const MatrixRole& role = role_of(tensor);
  const bool turned = lies == Lies::on_its_side;
  const float row_h = cells.h / static_cast<float>(std::max<int>(turned ? values.columns() : values.rows(), 1));
  const float cell_w = cells.w / static_cast<float>(std::max<int>(turned ? values.rows() : values.columns(), 1));
  // A score in full, since its products are added up beside it.
  int decimals = decimals_for(values.values, tensor == kScores ? 3 : 2);
  // Where cells are narrow one decimal is enough, unless a number would be 0 with it; scores are told in full beside
  // it.
  bool one = tensor == kScaled || tensor == kShifted;
  for (const float value : values.values.reshaped())
    if (value != 0 && std::abs(value) < 0.05F) one = false;
  one = one || tensor == kScores;
  const int least = one ? 1 : 2;
  while (decimals > least && number_size(d, values.values, decimals, cell_w, row_h) < kLeastDigits) --decimals;
  const float size = number_size(d, values.values, decimals, cell_w, row_h);
  const bool by_letter = tensor == role.letter || tensor == kScores || tensor == kOutput;
  const std::string name(by_letter ? role.letter : tensor);
  Element element{.id = std::string(tensor),
                  .role = Role::cell,
                  .rect = cells,
                  .label = name + (turned ? "ᵀ " : " ") + extent(values),
                  .shape = MatrixCells{.range = {std::string(tensor), 0, 0, values.rows(), values.columns()},
                                       .gap = row_h >= 12  ? 2.F
                                              : row_h >= 5 ? 1.F
                                                           : 0.F,
                                       .radius = std::min({3.F, 0.2F * row_h, 0.2F * cell_w}),
                                       .text_size = size < kLeastDigits ? 0 : size,
                                       .decimals = decimals,
                                       .tint = d.colours.*role.fill,
                                       .theme = d.view.theme,
                                       .transposed = turned,
                                       .sparse = true}};
  if (is_editable(d.state, tensor)) element.edit = Edit{std::string(tensor), {}};
  return element;
}

}  // namespace

void add_matrix(Drawing& d, std::string_view tensor, Rect cells, Lies lies) {
  d.figure.add(matrix_element(d, tensor, cells, lies));
}

Rect cell_of(const Rect& cells, int rows, int columns, int row, int column) {
  const float w = cells.w / static_cast<float>(columns), h = cells.h / static_cast<float>(rows);
  return {cells.x + w * static_cast<float>(column), cells.y + h * static_cast<float>(row), w, h};
}

void add_arriving(Drawing& d, std::string_view tensor, Rect cells, float others, const CellRange& first,
                  std::optional<Rect> at) {
  if (others >= 1) return add_matrix(d, tensor, cells);
  const float rows = static_cast<float>(d.trace.at(tensor).rows()), come = std::floor(others * rows);
  if (come > 0) {
    add_matrix(d, tensor, cells);
    d.figure.elements.back().clip = Rect{cells.x - 2, cells.y - 2, cells.w + 4, cells.h * come / rows + 2};
  }
  if (!at || static_cast<float>(first.row) < come) return;
  // Nothing is seen through it, and it has one edge.
  d.figure.add({.id = std::string(tensor) + ".flying.ground",
                .rect = at->inset(-2),
                .shape = Rectangle{.fill = d.colours.surface, .stroke = d.colours.muted, .radius = 4}});
  add_matrix(d, first.tensor, cells);
  Element& flying = d.figure.elements.back();
  flying.id = std::string(tensor) + ".flying";
  flying.role = Role::none;
  flying.edit.reset();
  flying.rect = *at;
  std::get<MatrixCells>(flying.shape).range = first;
}

void add_matrix_rows(Drawing& d, std::string_view tensor, Rect cells) {
  const Element whole = matrix_element(d, tensor, cells, Lies::upright);
  const int rows = d.trace.at(tensor).rows();
  // As high as in a matrix that is one element, with the same gaps between them.
  const float pitch = cells.h / static_cast<float>(rows);
  const float gap = std::min(std::get<MatrixCells>(whole.shape).gap, pitch / 4);
  const float row_h = (cells.h - gap * static_cast<float>(rows - 1)) / static_cast<float>(rows);
  for (int row = 0; row < rows; ++row) {
    Element& element = d.figure.add(whole);
    element.id += "." + std::to_string(row);
    element.rect = {cells.x, cells.y + (row_h + gap) * static_cast<float>(row), cells.w, row_h};
    CellRange& range = std::get<MatrixCells>(element.shape).range;
    range.row = row;
    range.rows = 1;
  }
}

namespace {

constexpr float kUprightName = 10.5F,
                kFeatureLeast = 9;  // px of a column's name: where it stands upright; side by side

float feature_size(const Drawing& d, float column_w) { return std::min(11.5F * label_scale(d), 0.205F * column_w); }

}  // namespace

float feature_names_height(const Drawing& d, std::string_view tensor, float column_w) {
  if (!d.state.named()) return 0;
  const float k = label_scale(d);
  if (feature_size(d, column_w) >= kFeatureLeast) return 16 * k;
  return widest(d.trace.at(tensor).column_labels, text::Face::regular, kUprightName * k, 90 * k) + 6;
}

void add_feature_names(Drawing& d, std::string_view tensor, Rect cells) {
  const std::vector<std::string>& names = d.trace.at(tensor).column_labels;
  const float width = cells.w / static_cast<float>(std::max<std::size_t>(names.size(), 1)), k = label_scale(d);
  const float size = feature_size(d, width), height = feature_names_height(d, tensor, width);
  const bool level = size >= kFeatureLeast;
  for (std::size_t j = 0; d.state.named() && j < names.size(); ++j)
    d.figure.add(
        {.id = std::string(tensor) + ".column." + std::to_string(j) + (level ? "" : ".upright"),
         .rect = {cells.x + width * static_cast<float>(j), cells.bottom() + (level ? 1 : 4), width, height - 5},
         .shape = Text{.text = names[j],
                       .size = level ? size : kUprightName * k,
                       .colour = d.colours.muted,
                       .align = level ? Align::centre : Align::right,
                       .vertical = !level}});
}

float widest(const std::vector<std::string>& words, text::Face face, float size, float most) {
  float width = 0;
  for (const std::string& word : words) width = std::max(width, text::measure(face, size, word));
  return std::min(width + 2, most);
}

void add_row_names(Drawing& d, const RowNames& names) {
  constexpr float kLeast = 12;  // px of the query's name and of the row that is looked at, between fainter ones
  constexpr float kDense = 16;  // px of rows whose names would push those beside them out

  const int end = names.first + names.count;
  const float row_h = names.rect.h / static_cast<float>(names.count),
              large = row_h < kDense ? names.type.size : std::max(names.type.size, kLeast);
  const auto rows_of = [row_h](float size) { return std::max(static_cast<int>(std::ceil((size + 1) / row_h)), 1); };
  const int every = rows_of(names.type.size), room = rows_of((names.type.size + large) / 2);
  const std::optional<Source> cell = parse_cell_id(d.view.focus());
  const int looked_at = cell && cell->tensor == names.tensor ? cell->row : names.of_keys ? -1 : d.row;
  const text::Face bold = names.type.face == text::Face::display ? text::Face::display_bold : text::Face::semibold;
  const std::vector<std::string>& words = names.of_keys ? d.keys : d.queries;
  for (int i = names.first; i < end; ++i) {
    const bool asks = i == d.row && !names.of_keys,
               chosen = asks || (i == looked_at && (names.of_keys || std::abs(i - d.row) >= rows_of(large)));
    const bool apart =
        (names.of_keys || std::abs(i - d.row) >= room) && (looked_at < 0 || std::abs(i - looked_at) >= room);
    const bool named = chosen || ((i - names.first) % every == 0 && apart);
    const text::Face face = chosen ? bold : names.type.face;
    const float size = chosen ? large : names.type.size;
    const std::string& word = words[static_cast<std::size_t>(i)];
    const Rect rect{names.rect.x, names.rect.y + row_h * static_cast<float>(i - names.first), names.rect.w, row_h};
    const Text letters{.text = named ? text::fit(face, size, word, names.rect.w) : "",
                       .face = face,
                       .size = size,
                       .colour = asks     ? d.colours.query
                                 : chosen ? d.colours.ink
                                          : d.colours.muted,
                       .align = names.align};
    Element element{.id = std::string(names.beside.empty() ? names.tensor : names.beside) + ".row." + std::to_string(i),
                    .rect = rect,
                    .label = word};
    if (!names.of_keys) {
      element.role = Role::token;
      element.edit = Edit{"query", std::to_string(i)};
    }
    if (!names.of_sentence) {
      element.shape = letters;
      d.figure.add(std::move(element));
      continue;
    }
    d.figure.add(std::move(element));
    const float width = text::measure(face, size, letters.text);  // as they come from the sentence
    d.figure.add({.id = word_id(i) + ".text", .rect = {rect.right() - width, rect.y, width, rect.h}, .shape = letters});
  }
}

}  // namespace limelight::scenes::spotlight
