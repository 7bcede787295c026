#include "scenes/score_parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/normalize.h"
#include "figure/panels.h"
#include "io/numbers.h"

namespace limelight::scenes::score {

void add_words(Drawing& d, const std::string& id, Rect rect, std::string text, Words how) {
  d.figure.add({.id = id,
                .rect = rect,
                .shape = Text{.text = text::fit(how.face, how.size, text, rect.w),
                              .face = how.face,
                              .size = how.size,
                              .colour = how.colour,
                              .align = how.align}});
}

namespace {

std::string name_in_figure(const Trace& trace, const Source& source) {
  const Tensor& tensor = trace.at(source.tensor);
  const auto label = [](const std::vector<std::string>& labels, int index) {
    return labels.empty() ? std::to_string(index + 1) : labels[static_cast<std::size_t>(index)];
  };
  return source.tensor + " of " + label(tensor.row_labels, source.row) + ", " +
         label(tensor.column_labels, source.column);
}

}  // namespace

void add_number(Drawing& d, const Source& source, Rect rect, const NumberLook& how) {
  const double value = static_cast<double>(*d.trace.cell(source.tensor, source.row, source.column));
  std::string text = how.weight && value == 0 ? "0" : io::format_fixed(value, how.decimals) + how.unit;
  d.figure.add({.id = cell_id(source) + how.again,
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

// ---- the plane ----

namespace {

struct Vec {
  float x = 0;
  float y = 0;
  [[nodiscard]] float length() const { return std::hypot(x, y); }
};
Vec row_of(const Matrix& values, int row) { return {values(row, 0), values(row, 1)}; }
Point tip_of(const Plot& plot, Vec v) { return plot.at(static_cast<double>(v.x), static_cast<double>(v.y)); }

// Pixels from the origin that stand for one, to the right as well as upwards.
float per_unit(const Plot& plot) { return plot.frame.h / static_cast<float>(plot.y.high - plot.y.low); }

// The frame as the area gives it; its shorter side spans the reach, either way.
Plot add_plane(Drawing& d, Rect area, double reach) {
  Axis across{.low = -reach, .high = reach, .label = "first number, x"};
  Axis up{.low = -reach, .high = reach, .label = "second number, y"};
  // Its ticks are as wide as those that come, with a sign and a digit.
  up.ticks = {{0, io::format_short(-1)}};
  Figure trial;
  const Rect frame = add_plot(trial, "plane", area, across, up, d.view.theme).frame;
  Axis& longer = frame.w > frame.h ? across : up;
  longer.high = reach * static_cast<double>(std::max(frame.w, frame.h) / std::min(frame.w, frame.h));
  longer.low = -longer.high;
  up.ticks.clear();
  for (Axis* axis : {&across, &up})
    for (int tick = -static_cast<int>(axis->high); tick <= static_cast<int>(axis->high); ++tick)
      if (reach <= kReach || tick % 2 == 0) axis->ticks.emplace_back(tick, io::format_short(tick));
  return add_plot(d.figure, "plane", area, across, up, d.view.theme);
}

// The tip of an arrow, to be dragged within its field's range.
void add_handle(Drawing& d, const Plot& plot, const char* field, int row, const std::string& name, Point tip,
                Colour colour) {
  const Point low = plot.at(-kReach, -kReach), high = plot.at(kReach, kReach);
  const std::string id = std::string("handle.") + field + std::to_string(row);
  d.figure.add({.id = id + ".dot",
                .rect = {tip.x - 6, tip.y - 6, 12, 12},
                .shape = Rectangle{.fill = colour.faded(0.3F), .stroke = colour, .stroke_width = 1.5F, .radius = 6}});
  Edit edit{.field = field};
  edit.plane = Edit::Plane{.frame = {low.x, high.y, high.x - low.x, low.y - high.y},
                           .x_low = -kReach,
                           .x_high = kReach,
                           .y_low = -kReach,
                           .y_high = kReach,
                           .row = row};
  const float reach = d.view.compact() ? 22.F : 14.F;  // of a finger, or of a mouse
  d.figure.add({.id = id,
                .role = Role::handle,
                .rect = {tip.x - reach, tip.y - reach, 2 * reach, 2 * reach},
                .label = "Drag the tip of " + name,
                .edit = std::move(edit)});
}

void add_arc(Drawing& d, const Plot& plot, Vec q, Vec k) {
  if (q.length() == 0 || k.length() == 0) return;
  const float from = std::atan2(q.y, q.x);
  float turn = std::atan2(k.y, k.x) - from;
  if (turn > std::numbers::pi_v<float>) turn -= 2 * std::numbers::pi_v<float>;
  if (turn < -std::numbers::pi_v<float>) turn += 2 * std::numbers::pi_v<float>;
  const float radius = std::min(0.8F * std::min(q.length(), k.length()) * per_unit(plot), 44.F);
  const Point origin = plot.at(0, 0);
  std::vector<Point> arc;
  constexpr int pieces = 24;
  for (int i = 0; i <= pieces; ++i) {
    const float at = from + turn * static_cast<float>(i) / pieces;
    arc.push_back({origin.x + radius * std::cos(at), origin.y - radius * std::sin(at)});
  }
  d.figure.add({.id = "arc", .shape = Line{.points = std::move(arc), .colour = d.colours.ink, .width = 1.5F}});
  // Between arrows that nearly meet there is no room for a number; the table has it.
  if (std::abs(turn) < 0.25F) return;
  const float middle = from + turn / 2;
  const float out = radius + 18;
  const Point at{origin.x + out * std::cos(middle), origin.y - out * std::sin(middle)};
  add_words(d, "arc.degrees", {at.x - 24, at.y - 8, 48, 16},
            io::format_fixed(static_cast<double>(d.values("angles")(0, d.key)), 0) + "°",
            {.face = text::Face::mono_bold, .size = 12, .colour = d.colours.ink, .align = Align::centre});
}

// The key's shadow on the query's line: times the query's length, it is the dot product.
void add_shadow(Drawing& d, const Plot& plot, Vec q, Vec k) {
  if (q.length() == 0) return;
  const float along = d.values("shadows")(0, d.key) / q.length();
  const Point foot = plot.at(static_cast<double>(q.x * along), static_cast<double>(q.y * along));
  const Point tip = tip_of(plot, k);
  d.figure.add({.id = "shadow",
                .shape = Line{.points = {plot.at(0, 0), foot}, .colour = d.colours.key.faded(0.45F), .width = 7}});
  d.figure.add(
      {.id = "shadow.drop", .shape = Line{.points = {tip, foot}, .colour = d.colours.key, .width = 1, .dashed = true}});
}

struct Named {
  const char* field;
  int row;
  std::string name;
  Vec vector;
  Colour colour;
  bool strong;
  [[nodiscard]] std::string id() const { return std::string("arrow.") + field + std::to_string(row); }
};

// Beyond the tip; beside it where another arrow ends or runs there.
enum class Beside { none, left, right };  // of the arrow, as it points

void add_name(Drawing& d, const Plot& plot, const Named& arrow, Beside beside) {
  const Point tip = tip_of(plot, arrow.vector);
  const float length = std::max(arrow.vector.length(), 1e-3F);
  const Vec along{arrow.vector.x / length, -arrow.vector.y / length};
  const float side = beside == Beside::none ? 0.F : beside == Beside::left ? -1.F : 1.F;
  const float width = text::measure(text::Face::semibold, 13, arrow.name);
  const float out = 14 + std::abs(along.x) * width / 2 * (beside == Beside::none ? 1.F : 0.4F);
  const float off = side * (12 + std::abs(along.y) * width / 3);
  Point at{tip.x + along.x * out - along.y * off, tip.y + along.y * out + along.x * off};
  const float wanted = at.x;
  at.x = std::clamp(at.x, plot.frame.x + width / 2 + 2, plot.frame.right() - width / 2 - 2);
  if (at.x != wanted && side != 0) at.y += along.x * side * 12;  // pushed back from the edge, it would lie on the tip
  at.y = std::clamp(at.y, plot.frame.y + 9, plot.frame.bottom() - 9);
  add_words(d, arrow.id() + ".name", {at.x - width / 2 - 1, at.y - 9, width + 2, 18}, arrow.name,
            {.face = text::Face::semibold, .size = 13, .colour = arrow.colour, .align = Align::centre});
}

// Keys keep off the query's side of them, and the query off a key that goes on where it ends.
Beside side_of(const Named& arrow, const std::vector<Named>& arrows) {
  const Vec q = arrows.back().vector;
  const auto turn = [](Vec from, Vec to) { return from.x * to.y - from.y * to.x; };
  const auto aligned = [&](Vec v) {
    return v.x * q.x + v.y * q.y > 0 && std::abs(turn(q, v)) < 0.15F * q.length() * v.length();
  };
  const bool query = &arrow == &arrows.back();
  if (!query && aligned(arrow.vector)) return Beside::right;
  if (query)
    for (const Named& other : arrows)
      if (&other != &arrow && aligned(other.vector) && other.vector.length() >= q.length()) return Beside::left;
  return Beside::none;
}

}  // namespace

void add_arrows(Drawing& d, Rect area) {
  const Matrix& K = d.values("K");
  const double largest = static_cast<double>(std::max(K.cwiseAbs().maxCoeff(), d.values("q").cwiseAbs().maxCoeff()));
  const Plot plot = add_plane(d, area, largest > kReach ? 2 * kReach : kReach);
  const Vec q = row_of(d.values("q"), 0);
  for (const bool upright : {false, true}) {
    const Point from = upright ? plot.at(0, plot.y.low) : plot.at(plot.x.low, 0);
    const Point to = upright ? plot.at(0, plot.y.high) : plot.at(plot.x.high, 0);
    d.figure.add({.id = upright ? "plane.zero.x" : "plane.zero.y",
                  .shape = Line{.points = {from, to}, .colour = d.colours.faint, .width = 1}});
  }
  add_shadow(d, plot, q, row_of(K, d.key));
  add_arc(d, plot, q, row_of(K, d.key));
  std::vector<Named> arrows;
  for (int j = 0; j < kKeys; ++j)
    arrows.push_back({"K", j, d.keys[static_cast<std::size_t>(j)], row_of(K, j), d.colours.key, j == d.key});
  arrows.push_back({"q", 0, d.query, q, d.colours.query, true});
  for (const Named& arrow : arrows)
    if (arrow.vector.length() > 0)
      d.figure.add({.id = arrow.id(),
                    .shape = Arrow{.from = plot.at(0, 0),
                                   .to = tip_of(plot, arrow.vector),
                                   .colour = arrow.colour,
                                   .width = arrow.strong ? 2.5F : 1.5F}});
  for (const Named& arrow : arrows) {
    add_name(d, plot, arrow, side_of(arrow, arrows));
    add_handle(d, plot, arrow.field, arrow.row, arrow.name, tip_of(plot, arrow.vector), arrow.colour);
  }
}

// ---- the table ----

namespace {

constexpr float kTableHead = 30;
// A finger needs more room than a mouse.
float row_height(const Drawing& d) { return d.view.compact() ? 44 : 34; }

}  // namespace

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
              {.size = 12, .colour = d.colours.muted, .align = head.rect.x < numbers_x ? Align::centre : Align::right});
  float y = area.y + kTableHead;
  const auto add_cells_of = [&](const char* tensor, Rect rect, int rows) {
    d.figure.add({.id = tensor,
                  .role = Role::cell,
                  .rect = rect,
                  .label = std::string(tensor) + " " + std::to_string(rows) + "×2",
                  .edit = Edit{.field = tensor},
                  .shape = MatrixCells{.range = {tensor, 0, 0, rows, 2},
                                       .text_size = 12,
                                       .decimals = decimals_for(d.values(tensor), 2),
                                       .fill = d.colours.sunken,
                                       .ink = d.colours.ink}});
  };
  add_words(d, "table.q", {area.x, y, name_w - 4, pitch}, d.query,
            {.face = text::Face::semibold, .size = 13, .colour = d.colours.query});
  add_cells_of("q", {cells_x, y + 3, 2 * cell_w, pitch - 6}, 1);
  add_number(d, {"length", 0, 0}, {numbers_x, y, column - 4, pitch}, {});
  y += pitch;
  add_cells_of("K", {cells_x, y + 3, 2 * cell_w, pitch * kKeys - 6}, kKeys);
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
              {.face = text::Face::semibold, .size = 13, .colour = d.colours.key});
    const struct {
      Source source;
      NumberLook how;
    } numbers[] = {{{"lengths", 0, j}, {}},
                   {{"angles", 0, j}, {.decimals = 0, .unit = "°"}},
                   {{"scores", 0, j}, {.bold = winner(scores, 0) == j}},
                   {{"scores", 2, j}, {.bold = winner(scores, 2) == j}}};
    for (int i = 0; i < 4; ++i) {
      const Rect rect{at(i).x, line.y, at(i).w, line.h};
      if (numbers[i].how.bold)
        d.figure.add({.id = id + ".wins" + std::to_string(i),
                      .rect = {rect.x + 2, rect.y + 4, rect.w + 2, rect.h - 8},
                      .shape = Rectangle{.fill = d.colours.accent.faded(0.18F), .radius = 6}});
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
              {.size = 12, .colour = d.colours.ink, .align = Align::right});
    d.figure.add({.id = name + ".track",
                  .rect = {bars.x, y + 3, bars.w, how.pitch - 6},
                  .shape = Rectangle{.fill = d.colours.sunken, .radius = 3}});
    const float end = zero + values(row, j) * unit;
    d.figure.add({.id = name + ".bar",
                  .rect = {std::min(zero, end), y + 3, std::max(std::abs(end - zero), 1.F), how.pitch - 6},
                  .shape = Rectangle{.fill = how.fill.faded(j == best ? 1.F : 0.55F), .radius = 3}});
    add_number(d, source, {bars.right() + 4, y, number_w - 4, how.pitch},
               {.size = 12, .bold = j == best, .again = how.again});
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
  const float name_w = text::measure(text::Face::semibold, 12, how.title);
  const float shape_w = text::measure(text::Face::mono, 11, shape);
  add_words(d, name + ".title", {cells.x, top_left.y, name_w + 1, 16}, how.title,
            {.face = text::Face::semibold, .size = 12, .colour = how.colour});
  add_words(d, name + ".shape", {cells.x + name_w + 6, top_left.y, shape_w + 1, 16}, shape,
            {.face = text::Face::mono, .size = 11, .colour = d.colours.muted});
  Element element{.id = name,
                  .role = Role::cell,
                  .rect = cells,
                  .label = how.title + " " + shape,
                  .shape = MatrixCells{.range = {name, 0, 0, values.rows(), values.columns()},
                                       .text_size = 11,
                                       .decimals = decimals_for(values.values, 2),
                                       .fill = d.colours.sunken,
                                       .ink = d.colours.ink}};
  if (how.typed) element.edit = Edit{.field = name};
  d.figure.add(std::move(element));
  return {top_left.x, top_left.y, std::max(cells.w, name_w + 6 + shape_w), cells.bottom() - top_left.y};
}

}  // namespace limelight::scenes::score
