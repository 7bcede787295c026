#include <algorithm>

#include "figure/grid.h"
#include "figure/panels.h"
#include "scenes/cost/measure.h"
#include "scenes/cost/steps.h"

namespace limelight::scenes::cost {
namespace {

using namespace figure;

constexpr float kGap = 28;
constexpr float kTableWidth = 272;
constexpr int kWays[] = {Way::traced, Way::fused, Way::windowed, Way::linear};
constexpr int kKernelWays[] = {Way::scalar, Way::fused};

// Curves, and their table beside or below them, a note, and more.
struct Cost {
  Curves curves{};
  std::string note{};
  float (*more)(Drawing&, Point at, float width) = nullptr;
};
float add_cost(Drawing& d, const Cost& cost, float y, float bottom) {
  const float m = d.margin();
  const float width = d.narrow() ? d.inner() : d.inner() - kTableWidth - kGap;
  const float height = d.narrow() ? 300 : std::clamp(bottom - y, 300.F, 620.F);
  add_curves(d, cost.curves, {m, y, width, height});
  const float beside = d.narrow() ? d.inner() : kTableWidth;
  Point at{m + d.inner() - beside, d.narrow() ? y + height + 12 : y + 4};
  at.y = add_table(d, cost.curves, at, beside) + 10;
  at.y = add_note(d, "note", cost.note, at, beside, kSmallNote);
  if (cost.more != nullptr) at.y = cost.more(d, {at.x, at.y + 12}, beside);
  return std::max(y + height, at.y);
}

// Instructions, until there are times.
void add_instructions(Drawing& d, Rect area) {
  add_heading(d, "instructions.title", {area.x, area.y}, area.w, "Multiply instructions, counted", d.colours.ink);
  Axis across{.low = size_at(0), .high = kLongest, .logarithmic = true, .label = "tokens n"};
  for (int size = 0; size < kSizes; size += area.w < 300 ? 4 : 2)
    across.ticks.emplace_back(size_at(size), grouped(size_at(size)));
  const Matrix& values = d.trace.at("instructions").values;
  Axis up{.low = 1e5, .high = 1e5, .logarithmic = true, .label = "instructions"};
  while (up.low > static_cast<double>(values.minCoeff())) up.low /= 10;
  while (up.high < static_cast<double>(values.maxCoeff())) up.high *= 10;
  for (double tick = up.low; tick <= up.high * 1.001; tick *= area.h < 240 ? 100 : 10)
    up.ticks.emplace_back(tick, many(tick));
  const Plot plot = add_plot(d.figure, "instructions", {area.x, area.y + kTitleHeight, area.w, area.h - kTitleHeight},
                             across, up, d.view.theme);
  for (const int row : {1, 0}) {
    const int way = row == 0 ? Way::fused : Way::scalar;
    const Colour colour = way_colour(d.colours, way);
    const bool strong = (row == 1) == (d.state.kernel == Kernel::scalar);
    std::vector<double> x, y;
    for (int size = 0; size < kSizes; ++size) {
      x.push_back(size_at(size));
      y.push_back(static_cast<double>(values(row, size)));
    }
    const std::string name = row == 0 ? "SIMD" : "scalar";
    add_curve(d.figure, plot, "instructions." + name, x, y, {.colour = colour, .width = strong ? 3.F : 1.5F}, name);
    for (int size = 0; size < kSizes; ++size)
      add_dot(d.figure, plot, {"instructions", row, size}, size_at(size), y[static_cast<std::size_t>(size)], colour,
              name + ", n = " + grouped(size_at(size)) + ": " + many(y[static_cast<std::size_t>(size)]),
              strong ? 4.F : 3.F);
  }
}

// How many times as fast SIMD is, and how much each kernel does in a second.
float add_speeds(Drawing& d, Point corner, float width) {
  const Told r = d.told();
  const auto line = [&](const std::string& name, const Source& source, const std::string& words, Colour colour) {
    constexpr float kValue = 60;
    add_words(d, "speed." + cell_id(source), corner, width - kValue, name, {d.colours.ink});
    add_number_before(d, source, {corner.x + width - kValue, corner.y}, kValue, words, colour);
    corner.y += kRowHeight - 4;
  };
  const int at = std::min(r.last_measured(Way::scalar), d.state.at());
  const std::string size = ", n = " + grouped(size_at(at));
  line("SIMD is faster" + size, {"ratio", 0, at}, "× " + brief(r.at("ratio", 0, at), 2), d.colours.ink);
  for (const int way : kKernelWays)
    line("billion products/s, " + std::string(way == Way::fused ? "SIMD" : "scalar"), {"rate", way, at},
         brief(r.at("rate", way, at)), way_colour(d.colours, way));
  return corner.y;
}

}  // namespace

float draw_count(Drawing& d, float y, float bottom) {
  const float m = d.margin();
  constexpr float kTable = (Growth::count + 1) * kRowHeight;
  const std::string title = "weights n×n, n = " + grouped(d.state.n());
  if (d.narrow()) {
    add_heading(d, "squares.title", {m, y}, d.inner(), title, d.colours.ink);
    const float side = std::min(d.inner(), 300.F);
    add_squares(d, {m, y + kTitleHeight}, side);
    y = add_growth_table(d, {m, y + kTitleHeight + side + 18}, d.inner()) + 10;
    add_growth_curve(d, {m, y, d.inner(), 240});
    return y + 240;
  }
  const float side = std::clamp(bottom - y - kTitleHeight - kTable - 16, 220.F, d.inner() * 0.56F);
  add_heading(d, "squares.title", {m, y}, side, title, d.colours.ink);
  add_squares(d, {m, y + kTitleHeight}, side);
  const float x = m + side + kGap;
  add_growth_curve(d, {x, y, d.inner() - side - kGap, side + kTitleHeight});
  return add_growth_table(d, {m, y + kTitleHeight + side + 16}, d.inner());
}

float draw_time(Drawing& d, float y, float bottom) {
  const Look& look = cost_look(d);
  const bool measured = look.quantity == &kQuantities[2];
  const std::string note = std::string(measured ? "" : "Counted; nothing is timed yet. ") +
                           "**Traced** (keeps all weights) and **fused** (in tiles, keeps none) are the same function, "
                           "**windowed** (near keys only, " +
                           window_name(d.state) + ") and **linear** (no softmax) others.";
  y = add_measure(d, {d.margin(), y}, d.inner()) + 12;
  return add_cost(d, {.curves = {.look = &look, .ways = kWays}, .note = note}, y, bottom);
}

float draw_memory(Drawing& d, float y, float bottom) {
  return add_cost(
      d,
      {.curves = {.look = &memory_look(), .ways = kWays, .budget = true},
       .note =
           "**Traced** keeps all weights, **fused** none. Counted is what is held beside q, k, v and the output, which "
           "all need. Beyond the budget, dashed, traced is not run."},
      y, bottom);
}

float draw_others(Drawing& d, float y, float bottom) {
  const float m = d.margin();
  constexpr float kTable = 3 * kRowHeight;
  const std::string note =
      "0: the same output; 1: as far off as answering 0. " +
      std::string(d.state.data == Data::random
                      ? "Inputs drawn at random: far tokens matter as much as near ones, the worst case for a window."
                      : "Inputs constructed: neighbours are alike, which is what a window is for.");
  if (d.narrow()) {
    add_near(d, false, {m, y, d.inner(), 260});
    add_near(d, true, {m, y + 276, d.inner(), 240});
    y = add_near_table(d, {m, y + 532}, d.inner());
    return add_note(d, "note", note, {m, y + 4}, d.inner(), kSmallNote);
  }
  const float width = (d.inner() - kGap) / 2, height = std::clamp(bottom - y - kTable - 60, 220.F, 480.F);
  add_near(d, false, {m, y, width, height});
  add_near(d, true, {m + width + kGap, y, width, height});
  const float end = add_near_table(d, {m, y + height + 12}, std::min(d.inner(), 560.F));
  return add_note(d, "note", note, {m, end + 4}, d.inner(), kSmallNote);
}

float draw_simd(Drawing& d, float y, float bottom) {
  const float m = d.margin();
  y = add_measure(d, {m, y}, d.inner()) + 12;
  y = add_lanes(d, {m, y}, d.inner()) + 14;
  const int last = d.told().last_measured(Way::scalar);
  const Curves curves{
      .look = &time_look(), .ways = kKernelWays, .strong = d.state.kernel == Kernel::simd ? Way::fused : Way::scalar};
  if (last < 0) {
    const float height = d.narrow() ? 300 : std::clamp(bottom - y - 60, 220.F, 520.F);
    add_instructions(d, {m, y, d.inner(), height});
    y += height + 10;
    y += add_legend_of(d, curves, {m, y}, d.inner());
    return add_note(d, "note", "How much of it arrives, a measurement shows.", {m, y}, d.inner(), kSmallNote);
  }
  return add_cost(
      d,
      {.curves = curves,
       .note = "Scalar: in tiles as well, compiled without vectors, timed up to " + grouped(kLongestScalar) +
               " tokens. SIMD here also packs keys and values, keeps more sums in registers and, where the "
               "machine can, fuses multiply and add: × is not of vectors alone.",
       .more = add_speeds},
      y, bottom);
}

float draw_glance(Drawing& d, float y, float bottom) {
  const float m = d.margin();
  const Curves time{.look = &cost_look(d), .ways = kWays, .has_table = false};
  const Curves memory{.look = &memory_look(), .ways = kWays, .budget = true, .has_table = false};
  y += add_legend_of(d, memory, {m, y}, d.inner()) + 8;
  const float height = d.narrow() ? 270 : std::clamp(bottom - y, 260.F, 560.F);
  const std::vector<Rect> areas = beside({m, y, d.inner(), height}, 2, {.across = kGap, .down = 20}, d.narrow());
  add_curves(d, time, areas[0]);
  add_curves(d, memory, areas[1]);
  return areas[1].bottom();
}

Figure draw(const State& state, const Trace& trace, const View& view) {
  Drawing d{frame_for(trace, view), state};
  const float top = view.compact() ? 12 : 16;
  d.figure.height = row_at(view.place).draw(d, top, view.height - 12) + 12;
  return std::move(d.figure);
}

}  // namespace limelight::scenes::cost
