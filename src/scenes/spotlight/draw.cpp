#include <algorithm>
#include <cmath>
#include <optional>

#include "figure/panels.h"
#include "io/numbers.h"
#include "scenes/common/missing.h"
#include "scenes/spotlight/matrices.h"
#include "scenes/spotlight/steps.h"

namespace limelight::scenes::spotlight {
namespace {

using namespace figure;

Panel panel(const Drawing& d, std::string_view name) {
  static constexpr std::pair<std::string_view, std::string_view> kTitles[] = {{"scores", "scores"},
                                                                              {"scaled", "scaled scores"},
                                                                              {"maximum", "row maximum"},
                                                                              {"shifted", "minus the maximum"},
                                                                              {"exponentials", "exponentials"},
                                                                              {"sum", "row sum"},
                                                                              {"weights", "weights"}};
  const auto* title = std::ranges::find(kTitles, name, &std::pair<std::string_view, std::string_view>::first);
  const bool own = title == std::end(kTitles);  // a letter, in the colour of its role
  Panel made{.tensor = std::string(name),
             .title = std::string(own ? name : title->second),
             .colour = own ? d.colours.*role_of(name).ink : d.colours.ink};
  if (!own) made.tint = d.colours.score_fill;
  made.editable = is_editable(d.state, name);
  made.stretched = d.state.trained;
  made.tokens = !own || name == "Q" || (name == "X" && !d.state.given());
  // What is subtracted, summed and divided before the reader's eyes: rounded to two digits it would not add up.
  if (!own) made.decimals = 3;
  if (d.view.zoom.tensor == name && d.view.zoom.rows > 0)
    made.window = CellRange{made.tensor, d.view.zoom.row, d.view.zoom.column, d.view.zoom.rows, d.view.zoom.columns};
  // A feature has its name where it is introduced; the words have theirs everywhere.
  const Tensor* tensor = d.trace.find(name);
  made.column_labels =
      tensor != nullptr && !tensor->column_labels.empty() && (!own || row_at(d.view.place).names_features);
  return made;
}

Panel small(const Drawing& d, std::string_view name) {
  Panel made = panel(d, name);
  made.emphasis = Emphasis::small;
  return made;
}

Panel medium(const Drawing& d, std::string_view name) {
  Panel made = panel(d, name);
  made.emphasis = Emphasis::medium;
  return made;
}

Panel weights_panel(const Drawing& d, Emphasis emphasis) {
  Panel made = panel(d, "weights");
  made.style = PanelStyle::weights;
  made.emphasis = emphasis;
  made.colour_bar = true;
  made.map = d.state.map;
  made.normalise = d.state.normalise;
  made.mask = "scaled";
  if (d.state.normalise == Normalise::row) made.caption = "colours: each row has its own scale";
  made.editable = true;
  return made;
}

// "÷ √4 = 2", or whatever the scores are multiplied by.
Joint scale_joint(const Drawing& d) {
  const int size = d.trace.at("K").columns();
  Joint joint{.sign = "→"};
  switch (d.state.scale) {
    case Scale::off:
      joint.above = "not scaled";
      break;
    case Scale::root:
      joint.above = "÷ √" + std::to_string(size);
      break;
    case Scale::own:
      joint.above = "× " + io::format_short(d.state.factor);
      break;
  }
  if (d.state.temperature != 1) joint.below = "÷ T = " + io::format_short(d.state.temperature);
  return joint;
}

// A matrix with a column of one number for each row beside it, on a phone as well.
Panel beside(const Drawing& d, std::string_view name) { return d.view.compact() ? small(d, name) : medium(d, name); }
Panel column(const Drawing& d, std::string_view name, const char* short_title) {
  Panel made = beside(d, name);
  made.row_labels = false;
  made.column_labels = false;
  if (d.view.compact()) made.title = short_title;
  return made;
}

// Q, K and V that stand at the beginning of an example without embeddings.
std::vector<PanelRow> given_panels(const Drawing& d) { return {{medium(d, "Q"), medium(d, "K"), medium(d, "V")}}; }

std::vector<PanelRow> input_panels(const Drawing& d, std::string caption) {
  Panel X = medium(d, "X");
  X.caption = std::move(caption);
  X.emphasis = Emphasis::large;
  return {{std::move(X)}};
}

// ---- what a number comes from, outlined ----

void add_origins(Drawing& d) {
  const std::optional<Source> focus = [&]() -> std::optional<Source> {
    if (const Element* element = d.figure.find(d.view.focus()); element != nullptr && element->source)
      return element->source;
    return parse_cell_id(d.view.focus());
  }();
  if (!focus) {
    if (const Row& step = row_at(d.view.place); step.mark != nullptr) step.mark(d);
    return;
  }
  const auto [tensor, row, column] = *focus;
  const Tensor* known = d.trace.find(tensor);
  if (known == nullptr || row >= known->rows() || column >= known->columns()) return;
  const auto outline = [&](std::string_view name, int r, int c, Colour colour) {
    if (d.trace.find(name) != nullptr) add_outline(d.figure, name, r, c, colour);
  };
  struct Product {
    std::string_view result, left, right;
    Colour Palette::* left_colour;
    Colour Palette::* right_colour;
  };
  static constexpr Product products[] = {{"Q", "X", "W_q", &Palette::input, &Palette::query},
                                         {"K", "X", "W_k", &Palette::input, &Palette::key},
                                         {"V", "X", "W_v", &Palette::input, &Palette::value},
                                         {"output", "weights", "V", &Palette::ink, &Palette::value}};
  for (const Product& product : products)
    if (tensor == product.result) {
      outline(product.left, row, -1, d.colours.*product.left_colour);
      outline(product.right, -1, column, d.colours.*product.right_colour);
    }
  if (tensor == "scores" || tensor == "scaled" || tensor == "weights") {
    outline("Q", row, -1, d.colours.query);
    outline("K", column, -1, d.colours.key);
  }
  if (tensor == "scaled") outline("scores", row, column, d.colours.muted);
  if (tensor == "shifted" || tensor == "maximum")
    outline("scaled", row, tensor == "shifted" ? column : -1, d.colours.muted);
  if (tensor == "shifted") outline("maximum", row, 0, d.colours.muted);
  if (tensor == "exponentials") outline("shifted", row, column, d.colours.muted);
  if (tensor == "sum") outline("exponentials", row, -1, d.colours.muted);
  if (tensor == "weights") {
    outline("scaled", row, -1, d.colours.muted);
    outline("exponentials", row, column, d.colours.muted);
    outline("sum", row, 0, d.colours.muted);
  }
  outline(tensor, row, column, d.colours.ink);
}

// Panels of this drawing. sink: how far down they stand where there is room.
float add_rows(Drawing& d, const std::vector<PanelRow>& rows, Rect area, float sink) {
  return add_panels(d.figure, d.trace, rows, area,
                    {.theme = d.view.theme,
                     .token_field = "query",
                     .chosen_row = d.row,
                     .narrow = d.view.compact() || d.scrolls(),
                     .sink = sink});
}

// A step that is made of panels.
float draw_panels(Drawing& d) {
  constexpr float y = 8;
  const Rect area{d.margin(), y, d.inner(), std::max(d.low() ? 120.F : 180.F, d.height() - y - 16)};
  return add_rows(d, row_at(d.view.place).panels(d), area, 0.35F);
}

}  // namespace

std::vector<PanelRow> panels_given(const Drawing& d) { return given_panels(d); }

std::vector<PanelRow> panels_x(const Drawing& d) {
  if (d.state.given()) return given_panels(d);
  const Tensor& X = d.trace.at("X");
  return input_panels(d, std::to_string(X.rows()) + " words, " + std::to_string(X.columns()) + " numbers each");
}

std::vector<PanelRow> panels_w(const Drawing& d) {
  if (d.state.given()) return given_panels(d);
  Panel W_q = medium(d, "W_q"), W_k = medium(d, "W_k"), W_v = medium(d, "W_v");
  W_q.row_labels = W_k.row_labels = W_v.row_labels = d.state.named();
  W_q.caption = "what a word looks for";
  W_k.caption = "what it offers to be found by";
  W_v.caption = "what it passes on";
  if (d.state.named() && !d.view.compact()) return {{small(d, "X"), W_q}, {W_k, W_v}};
  return {{small(d, "X")}, {W_q, W_k, W_v}};
}

std::vector<PanelRow> panels_scale(const Drawing& d) {
  Panel scaled = medium(d, "scaled");
  scaled.caption = d.state.mask == Masking::causal ? "causal mask: later words are −∞" : "no mask: all words are seen";
  const PanelRow scaling{medium(d, "scores"), scale_joint(d), scaled};
  if (d.view.compact()) return {scaling};
  return {{small(d, "Q"), small(d, "K")}, scaling};
}

std::vector<PanelRow> panels_softmax(const Drawing& d) {
  switch (d.view.place.part) {
    case 1:
      return {{beside(d, "scaled"), Joint{.sign = "−"}, column(d, "maximum", "max")},
              {Joint{.sign = "="}, medium(d, "shifted")}};
    case 2:
      return {{medium(d, "shifted"), Joint{.sign = "→", .above = "exp"}, medium(d, "exponentials")}};
    case 3:
      return {{beside(d, "exponentials"), Joint{.sign = "→", .above = "Σ row"}, column(d, "sum", "sum")}};
    case 4:
      return {{beside(d, "exponentials"), Joint{.sign = "÷"}, column(d, "sum", "sum")},
              {Joint{.sign = "="}, weights_panel(d, Emphasis::medium)}};
    default:  // draws itself
      return {};
  }
}

Figure draw(const State& state, const Trace& trace, const View& view) {
  Drawing d{frame_for(trace, view), state, query_words(state), key_words(state), looked_at(state, view)};
  // One word must not be wider than the stage.
  for (std::vector<std::string>* list : {&d.queries, &d.keys})
    for (std::string& word : *list) word = text::fit(text::Face::semibold, 14, word, d.inner() - 60);
  if (trace.find("Q") == nullptr) {
    d.figure.height = add_missing(d, view.missing.value_or(Missing{.label = std::string(kAwaited)}), 24) + kBelow;
    return std::move(d.figure);
  }
  const Row& step = row_at(view.place);
  const bool draws_itself = step.draw != nullptr && view.place.part == 0 && !(state.given() && step.given);
  const float bottom = draws_itself ? step.draw(d) : draw_panels(d);
  add_origins(d);
  d.figure.height = bottom + kBelow;
  return std::move(d.figure);
}

}  // namespace limelight::scenes::spotlight
