// What is shown of each claim.
#include <algorithm>
#include <array>

#include "figure/formula.h"
#include "figure/grid.h"
#include "figure/panels.h"
#include "io/numbers.h"
#include "scenes/common/explain.h"
#include "scenes/limits/parts.h"

namespace limelight::scenes::limits {
namespace {

// Two halves of an area, side by side or below each other.
std::array<Rect, 2> halves(const Drawing& d, Rect area) {
  if (d.narrow()) area.h = d.shallow() ? 130 : 200;
  const std::vector<Rect> cut = beside(area, 2, {.across = kGap, .down = 16}, d.narrow());
  return {cut[0], cut[1]};
}

float show_importance(Drawing& d, Rect area) {
  const float y = d.low() || d.shallow() ? area.y : add_queries(d, area.y) + 2;
  const auto [first, second] = halves(d, {area.x, y, area.w, area.h - (y - area.y) - 24});
  add_columns_of(d, "plot.a", "a", 0, first, {.title = "weight of each key"});
  add_columns_of(d, "plot.removal", "removal", 0, second,
                 {.title = "change without it, the rest rescaled to 1",
                  .fill = d.colours.output,
                  .weights = false,
                  .high = static_cast<double>(d.values("removal").maxCoeff()) * 1.15,
                  .quantity = "change"});
  return add_facts(d,
                   {{{"agreement", 0, 0},
                     "Kendall’s τ of the two rankings " + io::format_fixed(d.value("agreement"), 2),
                     d.colours.accent}},
                   {area.x, second.bottom() + 4}, area.w);
}

float show_high(Drawing& d, Rect area) {
  const auto [first, second] = halves(d, {area.x, area.y, area.w, area.h});
  add_columns_of(d, "plot.even", "even", 0, first, {.title = "equal scores, along the keys: diffuse"});
  add_columns_of(d, "plot.one_query", "one_query", 0, second,
                 {.title = "one query, along the queries: the wrong axis"});
  return second.bottom();
}

Point tip(const Plot& plot, const Matrix& arrows, int row) {
  return plot.at(static_cast<double>(arrows(row, 0)), static_cast<double>(arrows(row, 1)));
}

// q·k = |q| |k| cos θ, and the same with the numbers of the longer key. Returns its bottom.
float add_law(Drawing& d, Rect line) {
  const Formula q = coloured(symbol("q"), d.colours.query), k = coloured(symbol("k"), d.colours.key);
  const auto measure = [&](int column, Colour colour) {
    return coloured(number(io::format_short(d.value("angle_measures", 1, column))), colour);
  };
  const float query = d.values("arrows").row(0).norm();
  const Formula laws[] = {row({q, operation("·"), k, operation("="), word("|"), q, word("|"), operation("·"), word("|"),
                               k, word("|"), operation("·"), word("cos"), symbol("θ")}),
                          row({measure(3, d.colours.ink), operation("="),
                               coloured(number(io::format_short(static_cast<double>(query))), d.colours.query),
                               operation("·"), measure(0, d.colours.key), operation("·"), measure(2, d.colours.ink)})};
  float y = line.y;
  for (const Formula& law : laws) {
    d.figure.add({.id = y == line.y ? "law" : "law.numbers",
                  .rect = {line.x, y, line.w, 26},
                  .label = plain(law),
                  .shape = FormulaBox{.formula = law, .size = y == line.y ? 16.F : 14.F, .colour = d.colours.ink}});
    y += 28;
  }
  return y;
}

float show_angle(Drawing& d, Rect area) {
  const bool narrow = d.narrow();
  const float side = narrow ? area.w : std::min(area.w * 0.46F, 340.F);
  const Matrix& arrows = d.values("arrows");
  const Rect frame{area.x, area.y, side, !narrow ? area.h : d.shallow() ? 130 : 240};
  // The same for both axes; the longest key reaches 5.
  const double unit = static_cast<double>((frame.w - 52) / (frame.h - 52));
  const double up = 5.4, across = (up + 0.6) * unit;
  const Plot plot = add_plot(d.figure, "plane", frame, {.low = -across / 2, .high = across / 2, .label = "x"},
                             {.low = -0.6, .high = up, .label = "y"}, d.view.theme);
  const Colour colours[] = {d.colours.query, d.colours.key, d.colours.key};
  const char* names[] = {"jumped", "fox", "lazy"};
  for (const int i : {2, 0, 1}) {
    const Point from = plot.at(0, 0), to = tip(plot, arrows, i);
    d.figure.add({.id = std::string("arrow.") + names[i],
                  .shape = Arrow{.from = from, .to = to, .colour = colours[i], .width = i == 0 ? 2.5F : 2}});
  }
  for (const int i : {0, 1, 2}) {
    const Point to = tip(plot, arrows, i);
    const float width = text::measure(text::Face::semibold, 12, names[i]) + 2;
    const float x = i == 2 ? to.x - width - 6 : to.x + 8;
    add_words(d, std::string("arrow.") + names[i] + ".name",
              {std::clamp(x, plot.frame.x, plot.frame.right() - width), i == 1 ? to.y + 2 : to.y - 14, width, 16},
              names[i], {colours[i], type::name});
  }
  const float x = narrow ? area.x : area.x + side + kGap, w = area.x + area.w - x;
  float y = narrow ? frame.bottom() + 12 : area.y;
  y = add_slider(d, "length", {x, y, w, 0}, "lazy short", "long") + 10;
  Panel table{.tensor = "angle_measures", .title = "two keys", .colour = d.colours.key, .caption = "angle in degrees"};
  table.column_labels = true;
  table.emphasis = Emphasis::medium;
  const int winner = d.value("angle_measures", 0, 3) >= d.value("angle_measures", 1, 3) ? 0 : 1;
  const float bottom =
      add_panels(d.figure, d.trace, {{table}}, {x, y, w, std::max(area.bottom() - y, d.shallow() ? 160.F : 110.F)},
                 {.theme = d.view.theme, .narrow = narrow, .sink = 0.2F});
  add_outline(d.figure, "angle_measures", winner, 3, d.colours.accent);
  if (d.low()) return std::max(bottom, frame.bottom());
  return std::max(add_law(d, {x, bottom + 12, w, 0}), frame.bottom());
}

float show_certain(Drawing& d, Rect area) {
  const float y = add_slider(d, "ahead", {area.x, area.y, std::min(area.w, 480.F), 0}, "level", "8 ahead") + 8;
  const float h = !d.narrow() ? std::max(area.h - (y - area.y) - 24, 108.F) : d.shallow() ? 130 : 210;
  add_columns_of(d, "plot.ahead", "ahead_weights", 0, {area.x, y, area.w, h},
                 {.title = "nine words; fox scores " + brief(d.state.ahead) + ", the others 0"});
  return add_facts(
      d,
      {{{"needed", 0, 0}, "for 0.95 it must be ahead by " + io::format_fixed(d.value("needed"), 2), d.colours.accent}},
      {area.x, y + h + 4}, area.w);
}

float show_square(Drawing& d, Rect area) {
  const float y = add_slider(d, "d", {area.x, area.y, std::min(area.w, 480.F), 0}, "d = 2", "d = 512") + 8;
  const auto [first, second] = halves(d, {area.x, y, area.w, std::max(area.h - (y - area.y) - 24, 108.F)});
  const Rect areas[] = {first, second};
  const std::string d_text = std::to_string(d.state.d);
  const std::string titles[] = {"scores ÷ √" + d_text, "scores ÷ " + d_text + "²√" + d_text};
  std::vector<Fact> facts;
  for (int i = 0; i < 2; ++i) {
    add_columns_of(d, "plot.square" + std::to_string(i), "square_weights", i, areas[i],
                   {.title = "weights of token 1, " + titles[i], .keys = d.low() ? "" : "token"});
    facts.push_back({{"square_effective", i, 0},
                     "effective keys " + io::format_fixed(d.value("square_effective", i, 0), 3),
                     i == 0 ? d.colours.good : d.colours.warning});
  }
  if (d.narrow()) return add_facts(d, facts, {area.x, second.bottom() + 4}, area.w);
  add_facts(d, {facts[0]}, {first.x, first.bottom() + 4}, first.w);
  return add_facts(d, {facts[1]}, {second.x, second.bottom() + 4}, second.w);
}

float show_identical(Drawing& d, Rect area) {
  const auto panel = [&](const char* tensor, const char* title, const char* caption) {
    Panel made{
        .tensor = tensor, .title = title, .colour = d.colours.ink, .tint = d.colours.score_fill, .caption = caption};
    made.column_labels = true;
    made.emphasis = Emphasis::large;
    return made;
  };
  const Panel same = panel("S_same", "scores, Q = K = X", "symmetric");
  const Panel own = panel("S_own", "scores, own W for each", "not symmetric");
  std::vector<PanelRow> rows{{same, own}};
  if (d.narrow()) rows = {{same}, {own}};
  if (d.low())
    for (PanelItem& item : rows[0]) std::get<Panel>(item).caption.clear();
  const float bottom =
      add_panels(d.figure, d.trace, rows, {area.x, area.y, area.w, std::max(area.h - (d.low() ? 0 : 28), 150.F)},
                 {.theme = d.view.theme, .narrow = d.narrow(), .sink = 0.3F});
  for (const char* tensor : {"S_same", "S_own"}) {
    add_outline(d.figure, tensor, 0, 2, d.colours.accent);
    add_outline(d.figure, tensor, 2, 0, d.colours.accent);
  }
  if (d.low()) return bottom;  // the verdict says it
  const float x = d.narrow() ? area.x : d.figure.find("S_same")->rect.x;
  return add_facts(d,
                   {{{"asymmetry", 0, 0}, "Q = K: differ by " + brief(d.value("asymmetry", 0, 0)), d.colours.muted},
                    {{"asymmetry", 0, 1}, "own W: differ by " + brief(d.value("asymmetry", 0, 1)), d.colours.muted}},
                   {x, bottom + 10}, area.x + area.w - x);
}

}  // namespace

float add_experiment(Drawing& d, Rect area) {
  using Show = float (*)(Drawing&, Rect);
  static constexpr Show shows[] = {show_importance, show_high, show_angle, show_certain, show_square, show_identical};
  return shows[static_cast<int>(d.state.claim)](d, area);
}

}  // namespace limelight::scenes::limits
