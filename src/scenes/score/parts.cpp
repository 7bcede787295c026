#include "scenes/score/parts.h"

#include <algorithm>
#include <cmath>

#include "figure/panels.h"
#include "io/numbers.h"
#include "scenes/common/explain.h"

namespace limelight::scenes::score {

namespace {

std::string name_in_figure(const Trace& trace, const Source& source) {
  const Tensor& tensor = trace.at(source.tensor);
  return source.tensor + " of " + label_of(tensor.row_labels, source.row) + ", " +
         label_of(tensor.column_labels, source.column);
}

// The cosine of a vector of length 0 counts as 0 among the scores, but there is none.
bool is_defined(const Trace& trace, const Source& source) {
  const bool angle =
      source.tensor == "angles" || (source.tensor == "scores" && source.row == static_cast<int>(Scorer::cosine));
  return !angle || has_angle(trace, source.column);
}

constexpr float kTableHead = 30;
// Of a row of the table: a finger needs more room than a mouse.
float row_height(const Drawing& d) { return d.view.compact() ? 44 : 34; }

}  // namespace

void add_number(Drawing& d, const Source& source, Rect rect, const NumberLook& how) {
  const double value = static_cast<double>(*d.trace.cell(source.tensor, source.row, source.column));
  std::string text = !is_defined(d.trace, source) ? "–"
                     : how.weight && value == 0   ? "0"
                                                  : io::format_fixed(value, how.decimals) + how.unit;
  d.figure.add({.id = how.again.empty() ? cell_id(source) : how.again,
                .role = Role::cell,
                .rect = rect,
                .label = name_in_figure(d.trace, source) + ": " + text,
                .source = source,
                .shape = Text{.text = std::move(text),
                              .face = how.bold ? text::Face::mono_bold : text::Face::mono,
                              .size = how.size,
                              .colour = d.colours.ink,
                              .align = how.align}});
}

// ---- the table ----

float table_height(const Drawing& d) { return kTableHead + (kKeys + 1) * row_height(d); }

void add_table(Drawing& d, Rect area) {
  const float pitch = row_height(d);
  constexpr float name_w = 60, cell_w = 40;
  const float cells_x = area.x + name_w, numbers_x = cells_x + 2 * cell_w + 4;
  const float column = (area.right() - numbers_x) / 4;
  struct Head {
    const char* id;
    const char* name;
    Rect rect;
  };
  const auto at = [&](int i) {
    return Rect{numbers_x + column * static_cast<float>(i), area.y, column - 4, kTableHead};
  };
  const Head heads[] = {{"x", "x", {cells_x, area.y, cell_w, kTableHead}},
                        {"y", "y", {cells_x + cell_w, area.y, cell_w, kTableHead}},
                        {"length", "length", at(0)},
                        {"angle", "angle", at(1)},
                        {"dot", "q·k", at(2)},
                        {"cosine", "cosine", at(3)}};
  for (const Head& head : heads)
    add_words(d, std::string("table.") + head.id, head.rect, head.name,
              {.colour = d.colours.muted, .align = head.rect.x < numbers_x ? Align::centre : Align::right});
  float y = area.y + kTableHead;
  const int decimals = std::max(decimals_for(d.values("q"), 2), decimals_for(d.values("K"), 2));
  const auto add_cells_of = [&](const char* tensor, Rect rect, int rows, Colour tint) {
    d.figure.add({.id = tensor,
                  .role = Role::cell,
                  .rect = rect,
                  .label = std::string(tensor) + " " + std::to_string(rows) + "×2",
                  .edit = Edit{.field = tensor},
                  .shape = MatrixCells{.range = {tensor, 0, 0, rows, 2},
                                       .text_size = 12,
                                       .decimals = decimals,
                                       .tint = tint,
                                       .theme = d.view.theme}});
  };
  add_words(d, "table.q", {area.x, y, name_w - 4, pitch}, d.query, {d.colours.query, type::subtitle});
  add_cells_of("q", {cells_x, y + 1, 2 * cell_w, pitch - 2}, 1, d.colours.query_fill);
  add_number(d, {"length", 0, 0}, {numbers_x, y, column - 4, pitch}, {});
  y += pitch;
  add_cells_of("K", {cells_x, y + 1, 2 * cell_w, pitch * kKeys - 2}, kKeys, d.colours.key_fill);
  const Matrix& scores = d.values("scores");
  for (int j = 0; j < kKeys; ++j) {
    const std::string id = "table.k" + std::to_string(j);
    const Rect line{area.x, y, area.w, pitch};
    d.figure.add(
        {.id = id,
         .role = Role::token,
         .rect = {area.x - 6, y + 1, name_w + 2, pitch - 2},
         .label = "Look at " + d.keys[static_cast<std::size_t>(j)],
         .edit = Edit{"key", std::to_string(j)},
         .shape = Rectangle{.fill = j == d.key ? d.colours.key.faded(0.16F) : Colour{0, 0, 0, 0}, .radius = 6}});
    add_words(d, id + ".name", {area.x, y, name_w - 4, pitch}, d.keys[static_cast<std::size_t>(j)],
              {j == d.key ? on_tint(d.colours, d.colours.key) : d.colours.key, type::subtitle});
    const struct {
      Source source;
      NumberLook how;
    } numbers[] = {{{"lengths", 0, j}, {}},
                   {{"angles", 0, j}, {.decimals = 0, .unit = "°"}},
                   {{"scores", 0, j}, {.bold = winner(scores, 0) == j}},
                   {{"scores", 2, j}, {.bold = winner(scores, 2) == j && has_angle(d.trace, j)}}};
    for (int i = 0; i < 4; ++i) {
      const Rect rect{at(i).x, line.y, at(i).w, line.h};
      if (numbers[i].how.bold)
        d.figure.add({.id = id + ".wins" + std::to_string(i),
                      .rect = {rect.x + 2, rect.y + 4, rect.w + 2, rect.h - 8},
                      .shape = Rectangle{.fill = d.colours.lamp.faded(0.3F), .radius = 6}});
      add_number(d, numbers[i].source, rect, numbers[i].how);
    }
    y += pitch;
  }
}

// ---- bars ----

void add_key_bars(Drawing& d, const std::string& id, std::string_view tensor, int row, Rect area, const BarsLook& how) {
  const Matrix& values = d.values(tensor);
  float name_w = 0;
  for (const std::string& name : d.keys) name_w = std::max(name_w, text::measure(text::Face::regular, 12, name));
  name_w = std::min(name_w, 70.F) + 8;
  constexpr float number_w = 52;
  const float low = how.low < 0 || how.high > 0 ? how.low : std::min(values.row(row).minCoeff(), 0.F);
  const float high = how.low < 0 || how.high > 0 ? how.high : std::max(values.row(row).maxCoeff(), 0.F);
  const Rect bars{area.x + name_w, area.y, area.w - name_w - number_w, how.pitch * kKeys};
  const float unit = bars.w / std::max(high - low, 1e-6F);
  const float zero = bars.x - low * unit;
  const int best = winner(values, row);
  for (int j = 0; j < kKeys; ++j) {
    const float y = area.y + how.pitch * static_cast<float>(j);
    const std::string name = id + "." + std::to_string(j);
    const Source source{std::string(tensor), row, j};
    add_words(d, name + ".label", {area.x, y, name_w - 8, how.pitch}, d.keys[static_cast<std::size_t>(j)],
              {.colour = d.colours.ink, .align = Align::right});
    d.figure.add({.id = name + ".track",
                  .rect = {bars.x, y + 3, bars.w, how.pitch - 6},
                  .shape = Rectangle{.fill = d.colours.sunken, .radius = 3}});
    const float end = zero + values(row, j) * unit;
    d.figure.add({.id = name + ".bar",
                  .rect = {std::min(zero, end), y + 3, std::max(std::abs(end - zero), 1.F), how.pitch - 6},
                  .shape = Rectangle{.fill = how.fill.faded(j == best ? 1.F : 0.55F), .radius = 3}});
    add_number(d, source, {bars.right() + 4, y, number_w - 4, how.pitch},
               {.size = 12, .bold = j == best, .again = how.again.empty() ? std::string() : name + how.again});
  }
  d.figure.add(
      {.id = id + ".zero",
       .shape = Line{.points = {{zero, area.y}, {zero, bars.bottom()}}, .colour = d.colours.muted, .width = 1}});
}

Rect add_cells(Drawing& d, std::string_view tensor, Point top_left, const CellsLook& how) {
  const Tensor& values = d.trace.at(tensor);
  const std::string name(tensor);
  const std::string shape = std::to_string(values.rows()) + "×" + std::to_string(values.columns());
  const Rect cells{top_left.x, top_left.y + 18, how.cell_w * static_cast<float>(values.columns()),
                   how.cell_h * static_cast<float>(values.rows())};
  const float name_w = set_formula(how.title, 14).width;
  const float shape_w = text::measure(text::Face::mono, 11, shape);
  d.figure.add({.id = name + ".title",
                .rect = {cells.x, top_left.y, name_w, 16},
                .shape = FormulaBox{.formula = how.title, .size = 14, .colour = how.colour}});
  add_words(d, name + ".shape", {cells.x + name_w + 6, top_left.y, shape_w + 1, 16}, shape,
            {d.colours.muted, type::small_number});
  Element element{.id = name,
                  .role = Role::cell,
                  .rect = cells,
                  .label = plain(how.title) + " " + shape,
                  .shape = MatrixCells{.range = {name, 0, 0, values.rows(), values.columns()},
                                       .text_size = 11,
                                       .decimals = decimals_for(values.values, 2),
                                       .tint = fill_of(d.colours, how.colour),
                                       .theme = d.view.theme}};
  if (how.typed) element.edit = Edit{.field = name};
  d.figure.add(std::move(element));
  return {top_left.x, top_left.y, std::max(cells.w, name_w + 6 + shape_w), cells.bottom() - top_left.y};
}

}  // namespace limelight::scenes::score
