// A published feature-wise module as it stands, what its plots show, and what it leaves out.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "figure/grid.h"
#include "figure/panels.h"
#include "io/numbers.h"
#include "scenes/score/parts.h"

namespace limelight::scenes::score {
namespace {

constexpr float kLeft = 40;     // for the positions and their label
constexpr float kMark = 6;      // of the triangles that point at a unit
constexpr float kBelow = 40;    // for the units and theirs
constexpr float kBarRoom = 62;  // for the colour bar and its numbers
constexpr float kTitle = 22;

struct Map {
  const char* tensor;
  std::string title;
  std::string caption;
  ColourMap map = ColourMap::viridis;
  float low = 0;
  float high = 1;
};

void add_ticks(Drawing& d, const std::string& id, Rect cells) {
  const float cell_w = cells.w / kUnits, cell_h = cells.h / kPositions;
  const auto tick = [&](const std::string& name, Rect rect, int value, Align align) {
    add_words(d, name, rect, std::to_string(value), {d.colours.muted, type::small_number, align});
  };
  for (const int unit : {0, 32, 64, 96, 127}) {
    const float x = cells.x + (static_cast<float>(unit) + 0.5F) * cell_w;
    tick(id + ".unit" + std::to_string(unit), {x - 14, cells.bottom() + kMark + 2, 28, 14}, unit, Align::centre);
  }
  const int pitch = cell_h < 12 ? 3 : 1;
  for (int p = 0; p < kPositions; p += pitch)
    tick(id + ".position" + std::to_string(p),
         {cells.x - 20, cells.y + static_cast<float>(p) * cell_h + cell_h / 2 - 7, 16, 14}, p, Align::right);
  add_words(d, id + ".units", {cells.x, cells.bottom() + kMark + 15, cells.w, 16}, "hidden unit",
            {.colour = d.colours.muted, .align = Align::centre});
  d.figure.add(
      {.id = id + ".positions",
       .rect = {cells.x - kLeft, cells.y, 14, cells.h},
       .shape =
           Text{.text = "position", .size = 12, .colour = d.colours.muted, .align = Align::centre, .vertical = true}});
}

// Points at the chosen unit's column from above and below: a frame around a few pixels would hide them.
void add_unit_mark(Drawing& d, const std::string& id, Rect cells) {
  const float x = cells.x + (static_cast<float>(d.state.unit) + 0.5F) * cells.w / kUnits;
  for (const bool above : {true, false}) {
    const float tip = above ? cells.y - 1 : cells.bottom() + 1, base = tip + (above ? -kMark : kMark);
    d.figure.add({.id = id + (above ? ".mark.above" : ".mark.below"),
                  .shape = Area{.points = {{x, tip}, {x - kMark, base}, {x + kMark, base}},
                                .fill = d.colours.accent,
                                .fill_to = d.colours.accent}});
  }
}

// A title with the shape, a caption, the cells with their axes, and a colour bar. area: of all of it.
void add_map(Drawing& d, Rect area, const Map& map) {
  const std::string id = std::string("map.") + map.tensor;
  const float title_w = text::measure(text::Face::semibold, 13, map.title);
  add_words(d, id + ".title", {area.x, area.y, title_w + 1, 18}, map.title, {d.colours.ink, type::subtitle});
  add_words(d, id + ".shape", {area.x + title_w + 8, area.y, 60, 18}, "10×128", {d.colours.muted, type::small_number});
  const float caption = add_paragraph(d.figure, id + ".caption", map.caption, {area.x, area.y + kTitle - 2}, area.w, 12,
                                      d.colours.muted, d.colours.ink, 1.35F);
  const float top = area.y + kTitle + caption + kMark + 2;
  const Rect cells{area.x + kLeft, top, area.w - kLeft - kBarRoom, area.bottom() - top - kBelow};
  d.figure.add({.id = map.tensor,
                .role = Role::cell,
                .rect = cells,
                .label = map.title + " 10×128",
                .shape = Heatmap{.range = {map.tensor, 0, 0, kPositions, kUnits},
                                 .map = map.map,
                                 .low = map.low,
                                 .high = map.high,
                                 .gap = 0,
                                 .theme = d.view.theme}});
  add_ticks(d, id, cells);
  d.figure.add({.id = id + ".bar",
                .rect = {cells.right() + 12, cells.y, kColourBarSize, cells.h},
                .label = "Colours from " + io::format_short(static_cast<double>(map.low)) + " to " +
                         io::format_short(static_cast<double>(map.high)),
                .shape = ColourBar{
                    .map = map.map, .low = map.low, .high = map.high, .ink = d.colours.muted, .theme = d.view.theme}});
  add_unit_mark(d, id, cells);
}

// A tenth above the largest, in round numbers.
float round_limit(float largest) { return std::ceil(largest * 20) / 20; }

Map tanh_map() {
  return {.tensor = "tanh",
          .title = "tanh scores",
          .caption = "Scores, from −1 to 1. The published example plots them as “Attention Weights”.",
          .map = ColourMap::diverging,
          .low = -1,
          .high = 1};
}
Map weights_map(const Drawing& d) {
  return {.tensor = "unit_weights",
          .title = "weights",
          .caption = "Softmax of each column over the 10 positions: every column sums to 1.",
          .low = 0,
          .high = round_limit(d.values("unit_weights").maxCoeff())};
}
Map encoder_map(const Drawing& d) {
  const float limit = std::ceil(d.values("encoder").cwiseAbs().maxCoeff());
  return {.tensor = "encoder",
          .title = "encoder outputs",
          .caption = "What would be mixed: 128 numbers for each position.",
          .map = ColourMap::diverging,
          .low = -limit,
          .high = limit};
}

std::vector<double> edges_of(int count) {
  std::vector<double> edges;
  for (int i = 0; i <= count; ++i) edges.push_back(i);
  return edges;
}
std::vector<std::pair<double, std::string>> position_ticks() {
  std::vector<std::pair<double, std::string>> ticks;
  for (int p = 0; p < kPositions; ++p) ticks.emplace_back(p + 0.5, std::to_string(p));
  return ticks;
}

struct Bars10 {
  const char* tensor;
  std::string title, caption;
  const char* y_label;
  double high, even;
  float limit;  // the number that wears the brightest colour
};

void add_position_bars(Drawing& d, Rect area, const Bars10& bars) {
  const std::string id = std::string("plot.") + bars.tensor;
  add_words(d, id + ".title", {area.x, area.y, area.w, 18}, bars.title, {d.colours.ink, type::title});
  const float caption = add_paragraph(d.figure, id + ".caption", bars.caption, {area.x, area.y + kTitle}, area.w, 12,
                                      d.colours.muted, d.colours.ink, 1.35F);
  const float top = area.y + kTitle + caption + 8;
  const Plot plot = add_plot(d.figure, id, {area.x, top, area.w, area.bottom() - top},
                             {.low = 0, .high = kPositions, .label = "sequence position", .ticks = position_ticks()},
                             {.low = 0, .high = bars.high, .label = bars.y_label}, d.view.theme);
  add_columns(d.figure, plot, d.trace, bars.tensor, 0, edges_of(kPositions), d.colours.amber);
  colour_columns(d, bars.tensor, 0, bars.limit, 3);
  add_rule_y(d.figure, plot, id + ".even", bars.even, {.colour = d.colours.ink, .width = 1.5F, .dashed = true}, "");
}

// The weighted sums beside the plain averages, a title and a legend above them.
void add_context_plot(Drawing& d, Rect place) {
  const std::string title = "context";
  const float title_w = text::measure(text::Face::semibold, 13, title);
  add_words(d, "context.title", {place.x, place.y, title_w + 1, 18}, title, {d.colours.output, type::subtitle});
  add_words(d, "context.shape", {place.x + title_w + 8, place.y, 50, 18}, "1×128",
            {d.colours.muted, type::small_number});
  const LegendEntry entries[] = {{"weighted sum of the outputs", {d.colours.output.faded(0.7F), 6, false}},
                                 {"plain average", {d.colours.ink, 1.5F, false}}};
  const float legend = add_legend(d.figure, "context.legend", entries, {place.x, place.y + 20}, place.w, d.view.theme);
  const Matrix& context = d.values("context");
  const double limit =
      std::ceil(
          static_cast<double>(std::max(context.cwiseAbs().maxCoeff(), d.values("average").cwiseAbs().maxCoeff())) * 2) /
      2;
  const Axis units{.low = 0, .high = kUnits, .label = "hidden unit"};
  const Axis up{.low = -limit, .high = limit, .label = d.view.compact() ? "" : "context"};
  Rect area{place.x, place.y + 24 + legend, place.w - kBarRoom + 6, place.h - legend - 24};
  // Its frame stands below the maps' cells.
  Figure trial;
  const float shift = place.x + kLeft - add_plot(trial, "trial", area, units, up, d.view.theme).frame.x;
  area.x += shift;
  area.w -= shift;
  const Plot plot = add_plot(d.figure, "context.plot", area, units, up, d.view.theme);
  add_columns(d.figure, plot, d.trace, "context", 0, edges_of(kUnits), d.colours.output.faded(0.7F));
  std::vector<double> x, average;
  for (int h = 0; h < kUnits; ++h) {
    x.push_back(h + 0.5);
    average.push_back(static_cast<double>(d.values("average")(0, h)));
  }
  add_curve(d.figure, plot, "context.average", x, average, {.colour = d.colours.ink, .width = 1}, "plain average");
}

}  // namespace

float draw_module(Drawing& d) {
  const float y = 12;
  const float height = d.view.compact() ? 250 : std::max((d.view.height - y - 28) / 2, 150.F);
  const std::vector<Rect> areas = grid({d.margin(), y, d.inner(), 2 * height + 14}, 1, 2, {.down = 14});
  add_map(d, areas[0], tanh_map());
  add_map(d, areas[1], weights_map(d));
  return areas[1].bottom();
}

float draw_sums(Drawing& d) {
  const float y = 12;
  const Matrix& unit = d.values("unit");
  const Matrix& sums = d.values("sums");
  const float limit = round_limit(d.values("unit_weights").maxCoeff());
  const Bars10 one{.tensor = "unit",
                   .title = "unit " + std::to_string(d.state.unit) + " alone",
                   .caption = "One column of the weights: bars that sum to **" +
                              io::format_short(static_cast<double>(unit.sum())) + "**. Dashed: all alike, 0.1.",
                   .y_label = "weight",
                   .high = static_cast<double>(limit),
                   .even = 0.1,
                   .limit = limit};
  const Bars10 all{.tensor = "sums",
                   .title = "all 128 units added up",
                   .caption = "As the published example plots it: bars that sum to **" +
                              io::format_short(static_cast<double>(d.values("total")(0, 0))) +
                              "**. Dashed: all alike, 12.8.",
                   .y_label = "sum of 128 weights",
                   .high = std::ceil(static_cast<double>(sums.maxCoeff()) / 5) * 5,
                   .even = 12.8,
                   .limit = limit * kUnits};
  const float height = d.view.compact() ? 280 : std::clamp(d.view.height - y - 28, 300.F, 560.F);
  const std::vector<Rect> areas =
      beside({d.margin(), y, d.inner(), height}, 2, {.across = 32, .down = 20}, d.view.compact());
  add_position_bars(d, areas[0], one);
  add_position_bars(d, areas[1], all);
  return areas[1].bottom();
}

float draw_context(Drawing& d) {
  const float y = 12;
  const float gap = 12;
  const float height = d.view.compact() ? 220 : std::max((d.view.height - y - 28 - 2 * gap) / 3, 150.F);
  // Where all three have no room the result comes first, then what it is made of.
  const float first = d.view.compact() ? y + height + gap : y;
  const float second = first + height + gap;
  add_context_plot(d, {d.margin(), d.view.compact() ? y : second + height + gap, d.inner(), height});
  add_map(d, {d.margin(), first, d.inner(), height}, encoder_map(d));
  add_map(d, {d.margin(), second, d.inner(), height}, weights_map(d));
  return y + 3 * height + 2 * gap;
}

}  // namespace limelight::scenes::score
