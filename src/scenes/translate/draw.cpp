#include <cmath>
#include <utility>

#include "figure/panels.h"
#include "io/numbers.h"
#include "io/utf8.h"
#include "scenes/common/chips.h"
#include "scenes/common/explain.h"
#include "scenes/common/missing.h"
#include "scenes/translate/steps.h"

namespace limelight::scenes::translate {
namespace {

using Kind = Column::Kind;

// The numbers of the example by hand have room.
float number_width(const Drawing& d) { return d.state.trained() ? 64 : d.narrow() ? 62 : 100.F; }

bool small(const Drawing& d) { return d.trace.at("h").columns() == 1; }

Column scores_column(const Drawing& d) {
  return {.tensor = "scores",
          .title = "e",
          .colour = d.colours.amber_text,
          .kind = Kind::numbers,
          .width = number_width(d),
          .by_word = true,
          .editable = !d.state.trained()};
}
Column weights_column(const Drawing& d) {
  return {.tensor = "weights",
          .title = "a",
          .colour = d.colours.ink,
          .kind = Kind::weights,
          .width = number_width(d),
          .by_word = true,
          .editable = true};
}
// All of [S, N]: numbers where there is room, else colours.
Column wide_column(const Drawing& d, const std::string& tensor, const std::string& title, Colour colour,
                   const std::string& note = {}) {
  const int columns = d.trace.at(tensor).columns();
  const bool few = columns <= 4;
  return {.tensor = tensor,
          .title = title,
          .colour = colour,
          .kind = few ? Kind::numbers : Kind::heat,
          .width = few ? number_width(d) * static_cast<float>(columns) : 0,
          .note = note};
}
Column bars_column(const std::string& tensor, Colour colour, const std::string& title) {
  return {.tensor = tensor, .title = title, .colour = colour, .kind = Kind::bars, .width = 0};
}

float room_below(const Drawing& d, float y, float reserved) {
  return std::max(d.view.height - 12 - y - reserved, 120.F);
}

float add_rows(Drawing& d, float y, float reserved, const std::vector<Column>& columns,
               std::vector<Rect>* rects = nullptr) {
  const float height = ledger_height(d, room_below(d, y, reserved));
  std::vector<Rect> made = add_ledger(d, {d.margin(), y, d.inner(), height}, columns);
  if (rects != nullptr) *rects = std::move(made);
  return y + height;
}

// Rows of one tensor; where they are colours, with their scale.
float add_scaled_rows(Drawing& d, float y, const Column& column) {
  const bool scale = column.kind == Kind::heat;
  y = add_rows(d, y, scale ? 40 : 0, {column});
  if (!scale) return y;
  return add_scale(d, limit_of(d.trace.at(column.tensor)), y + 10);
}

float add_query(Drawing& d, float y) {
  const float indent = small(d) ? std::floor(d.inner() * 0.3F) : 0;  // few numbers stand in the middle
  const Rect line{d.margin() + indent, y, d.inner() - indent, 0};
  const std::string before = subscript("s", d.row);
  y = add_strip(d, "s", {"s", d.row, 0}, line, before, d.colours.query, "the decoder’s state before this word",
                !d.state.trained()) +
      18;
  const Tensor& W = d.trace.at("W");
  const bool few = W.rows() == 1;
  if (few) {
    y = add_strip(d, "W", {"W", 0, 0}, {line.x, y, line.w, 0}, "W", d.colours.ink, "learned in a trained model", true);
  } else {
    add_heading(d, "W.title", {line.x, y}, line.w, "W", d.colours.ink,
                std::to_string(W.rows()) + "×" + std::to_string(W.columns()) + "  learned");
    const float height = std::clamp(room_below(d, y, 110), 80.F, 220.F);
    d.figure.add({.id = "W",
                  .role = Role::cell,
                  .rect = {line.x, y + 22, line.w * 0.66F, height},
                  .label = "W " + std::to_string(W.rows()) + "×" + std::to_string(W.columns()),
                  .shape = Heatmap{.range = {"W", 0, 0, W.rows(), W.columns()},
                                   .map = ColourMap::diverging,
                                   .low = -limit_of(W),
                                   .high = limit_of(W),
                                   .gap = 0,
                                   .theme = d.view.theme}});
    y += 22 + height;
  }
  return add_strip(d, "query", {"query", d.row, 0}, {line.x, y + 18, few ? line.w : line.w * 0.66F, 0}, before + " W",
                   d.colours.query, "what the state asks");
}

// v, lying below the terms that it makes.
float add_v(Drawing& d, Rect terms, float y) {
  const Tensor& v = d.trace.at("v_a");
  const float height = small(d) ? 38 : 24;
  add_heading(d, "v.title", {terms.x, y}, terms.w, "v", d.colours.ink, small(d) ? "" : "learned");
  const CellRange range{"v_a", 0, 0, v.rows(), 1};
  Element cells{.id = "v_a", .role = Role::cell, .rect = {terms.x, y + 22, terms.w, height}, .label = "v"};
  if (small(d)) {
    cells.edit = Edit{"v_a", {}};
    cells.shape = MatrixCells{.range = range,
                              .gap = 2,
                              .radius = 3,
                              .text_size = 14,
                              .decimals = 2,
                              .tint = d.colours.neutral_fill,
                              .theme = d.view.theme,
                              .transposed = true};
  } else {
    cells.shape = Heatmap{.range = range,
                          .map = ColourMap::diverging,
                          .low = -limit_of(v),
                          .high = limit_of(v),
                          .gap = 0,
                          .theme = d.view.theme,
                          .transposed = true};
  }
  d.figure.add(std::move(cells));
  return y + 22 + height;
}

// What goes into the next state: of the example by hand three numbers side by side, else strips below each other.
float add_ingredients(Drawing& d, float y) {
  const float x = d.margin(), width = d.inner();
  const std::string before = d.row == 0 ? "[START]" : label_of(written(d.trace), d.row - 1);
  const std::string names[] = {subscript("y", d.row), subscript("s", d.row), subscript("c", d.row + 1)};
  if (!small(d)) {
    add_heading(d, "previous.title", {x, y}, width, names[0], d.colours.input, "the word before: " + before);
    y = add_strip(d, "s", {"s", d.row, 0}, {x, y + 28, width, 0}, names[1], d.colours.query, "the state before") + 10;
    return add_strip(d, "context", {"context", d.row, 0}, {x, y, width, 0}, names[2], d.colours.output, "the context");
  }
  const float pitch = width / 3;
  add_heading(d, "previous.title", {x, y}, pitch - 8, names[0], d.colours.input, before);
  d.figure.add({.id = "y",
                .role = Role::cell,
                .rect = {x, y + 22, std::min(96.F, pitch - 8), 38},
                .label = "What the word before adds",
                .edit = Edit{"y", {}},
                .shape = MatrixCells{.range = {"y", 0, d.row, 1, 1},
                                     .gap = 2,
                                     .radius = 3,
                                     .text_size = 14,
                                     .decimals = 3,
                                     .tint = d.colours.input_fill,
                                     .theme = d.view.theme}});
  add_strip(d, "s", {"s", d.row, 0}, {x + pitch, y, pitch - 8, 0}, names[1], d.colours.query, "state", true);
  return add_strip(d, "context", {"context", d.row, 0}, {x + 2 * pitch, y, pitch - 8, 0}, names[2], d.colours.output,
                   "context", true);
}

// Of the example by hand: what makes scores of the next state, a number for each word.
float add_output_layer(Drawing& d, float y) {
  const std::string words = io::all_of(d.trace.at("O").column_labels);
  const bool beside = d.inner() >= 800;
  const float width = beside ? d.inner() / 2 - 10 : d.inner();
  const float bottom = add_strip(d, "O", {"O", 0, 0}, {d.margin(), y, width, 0}, "O", d.colours.ink,
                                 (d.narrow() ? "times it, for " : "times the next state, for ") + words, true);
  return add_strip(d, "b", {"b", 0, 0}, {d.margin() + (beside ? d.inner() / 2 : 0), beside ? y : bottom + 10, width, 0},
                   "b", d.colours.ink, "added to it", true);
}

float add_waiting(Drawing& d, float y) {
  if (d.view.missing) return add_missing(d, *d.view.missing, y);
  return y + add_paragraph(d.figure, "waiting", "The trained model is not here.", {d.margin(), y}, d.inner(), 13,
                           d.colours.muted, d.colours.ink);
}

void outline_focus(Drawing& d) {
  const std::optional<Source> focus = parse_cell_id(d.view.focus());
  if (!focus || d.trace.find(focus->tensor) == nullptr) return;
  const auto& [tensor, row, column] = *focus;
  const auto outline = [&](const char* name, int i, int j, Colour colour) {
    add_outline(d.figure, name, i, j, colour);
  };
  if (tensor == "weights" || tensor == "scores") {
    outline("scores", row, column, d.colours.muted);
    for (const char* name : {"h", "keys", "terms", "tanh", "weighted"}) outline(name, column, -1, d.colours.value);
  } else if (tensor == "context" && row == d.row) {
    outline("weighted", -1, column, d.colours.output);
  } else if (tensor == "keys" || tensor == "sum" || tensor == "tanh" || tensor == "terms" || tensor == "weighted") {
    outline("h", row, -1, d.colours.value);
  } else if (tensor == "query") {
    outline("W", -1, column, d.colours.ink);
  }
  add_outline(d.figure, tensor, row, column, d.colours.ink);
}

// A button that composes the next sentence.
float add_another(Drawing& d, float y) {
  constexpr int most = 9999;
  const std::string next = std::to_string(d.state.draw % most + 1);
  const std::string name = "composed, " + std::to_string(d.state.words) + " words";
  const ChipGroup group{"draw", name, {{"another sentence", next, false, "Compose another sentence"}}};
  return add_chips(d, {group}, y, d.chip_height());
}

float add_body(Drawing& d, float y) {
  const Row& step = row_at(d.view.place);
  if (waits(step, d.trace, d.view)) {
    y = add_waiting(d, y);
    if (!step.drawn_early) return y;
    y += 14;
  }
  return step.draw(d, y);
}

}  // namespace

float draw_encode(Drawing& d, float y) {
  Column h = wide_column(
      d, "h", "h", d.colours.value,
      small(d) || d.narrow() ? "a state for each word" : "a state for each word: read forwards, and backwards");
  h.editable = !d.state.trained();
  std::vector<Rect> rects;
  y = add_rows(d, y, 80, {h}, &rects) + 16;
  const float x = small(d) ? rects.back().x : d.margin();
  const float width = small(d) ? d.margin() + d.inner() - x : d.inner() / 2;
  if (!small(d) && !d.narrow()) add_scale(d, limit_of(d.trace.at("h")), y + 22);
  return add_strip(d, "s", {"s", 0, 0}, {x, y, width, 0}, "s_0", d.colours.query,
                   d.state.s.cells.contains({0, 0})  ? "set by hand"
                   : d.state.first == First::encoder ? "from the encoder"
                   : d.state.first == First::random  ? "drawn at random"
                                                     : "zeros",
                   !d.state.trained());
}

float draw_scores(Drawing& d, float y) {
  switch (d.view.place.part) {
    case 1:
      return add_query(d, y);
    case 2: {
      std::vector<Column> columns;
      if (small(d)) {
        Column h = wide_column(d, "h", "h", d.colours.value);
        h.editable = true;
        columns.push_back(h);
      }
      columns.push_back(wide_column(d, "keys", "h U", d.colours.key, small(d) ? "" : "the same for every output word"));
      if (!small(d)) return add_scaled_rows(d, y, columns.back());
      std::vector<Rect> rects;
      y = add_rows(d, y, 80, columns, &rects);
      const float x = rects.back().x;
      return add_strip(d, "U", {"U", 0, 0}, {x, y + 16, d.margin() + d.inner() - x, 0}, "U", d.colours.ink,
                       "learned in a trained model", true);
    }
    case 3:
      return add_scaled_rows(
          d, y, wide_column(d, "sum", "s W + h U", d.colours.ink, small(d) ? "" : "the query, added to each key"));
    case 4:
      return add_scaled_rows(
          d, y, wide_column(d, "tanh", "tanh", d.colours.ink, small(d) ? "" : "squashed to between −1 and 1"));
    case 5: {
      Column e = scores_column(d);
      Column terms = wide_column(d, "terms", "v · tanh", d.colours.ink,
                                 small(d) ? "" : "each times its number of v; they sum to e");
      std::vector<Column> columns{terms, e};
      if (small(d) && !d.narrow()) columns.insert(columns.begin(), wide_column(d, "tanh", "tanh", d.colours.ink));
      std::vector<Rect> rects;
      y = add_rows(d, y, small(d) ? 80 : 66, columns, &rects);
      return add_v(d, rects[columns.size() - 2], y + 14);
    }
    default:
      return add_rows(d, y, 0, {scores_column(d), bars_column("scores", d.colours.amber_text, "how well each fits")});
  }
}

float draw_weights(Drawing& d, float y) {
  return add_rows(d, y, 0,
                  {scores_column(d), weights_column(d),
                   bars_column("weights", d.colours.amber_text, d.narrow() ? "sum to 1" : "they sum to 1")});
}

float draw_context(Drawing& d, float y) {
  std::vector<Rect> rects;
  if (small(d)) {
    Column h = wide_column(d, "h", "h", d.colours.value);
    h.editable = true;
    y = add_rows(d, y, 80, {weights_column(d), h, wide_column(d, "weighted", "a h", d.colours.output)}, &rects) + 12;
  } else {
    y = add_rows(d, y, 66,
                 {weights_column(d),
                  wide_column(d, "weighted", "a h", d.colours.output,
                              d.narrow() ? "each state, weighted" : "each state, as bright as its weight")},
                 &rects) +
        12;
  }
  return add_strip(d, "context", {"context", d.row, 0}, {rects.back().x, y, d.margin() + d.inner() - rects.back().x, 0},
                   subscript("c", d.row + 1), d.colours.output, "their sum", !d.state.trained());
}

float draw_next(Drawing& d, float y) {
  const float x = d.margin(), width = d.inner();
  y = add_ingredients(d, y + 2) + 12;
  d.figure.add({.id = "next.arrow",
                .shape = Arrow{.from = {x + 14, y}, .to = {x + 14, y + 22}, .colour = d.colours.muted, .width = 2}});
  add_words(d, "next.g", {x + 28, y, width - 28, 22},
            small(d) ? "g: tanh of their sum, weighted by w" : "g: a gated recurrent unit",
            {d.colours.muted, type::body});
  const float third = width / 3;
  y += 30;
  if (small(d))
    add_strip(d, "w", {"w", 0, 0}, {x + third, y, 2 * third, 0}, "w", d.colours.ink, "of state and context", true);
  y = add_strip(d, "s#2", {"s", d.row + 1, 0}, {x, y, small(d) ? third - 8 : width, 0}, subscript("s", d.row + 1),
                d.colours.query, small(d) ? "next state" : "the next state", small(d)) +
      18;
  if (small(d)) y = add_output_layer(d, y) + 18;
  y = add_likeliest(d, y, width, x) + 8;
  return add_translation_input(d, y);
}

Figure draw(const State& state, const Trace& trace, const View& view) {
  Drawing d{frame_for(trace, view), state, word_row(state, trace)};
  float y = view.compact() ? 10 : 14;
  if (state.preset == Preset::composed) y = add_another(d, y) + 10;
  if (row_at(view.place).of_word && is_translated(trace)) y = add_output_words(d, y) + 14;
  // What has room stands a little down.
  Figure top = std::exchange(d.figure, {.width = view.width,
                                        .height = 0,
                                        .background = d.colours.stage_top,
                                        .background_to = d.colours.stage_bottom,
                                        .elements = {}});
  y = add_body(d, y);
  outline_focus(d);
  for (const Element& element : d.figure.elements) y = std::max(y, element.rect.bottom());
  const float sink = std::floor(std::clamp((view.height - 12 - y) * 0.3F, 0.F, 70.F));
  append(top, d.figure, 0, sink, std::nullopt);
  top.height = y + sink + 12;
  return top;
}

}  // namespace limelight::scenes::translate
