#include "scenes/cost/parts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "figure/panels.h"
#include "scenes/common/chips.h"

namespace limelight::scenes::cost {

using namespace figure;

namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();  // a curve is broken there

std::vector<double> all_sizes() {
  std::vector<double> list;
  for (int size = 0; size < kSizes; ++size) list.push_back(size_at(size));
  return list;
}

Axis tokens_axis(float width) {
  Axis axis{.low = size_at(0), .high = kLongest, .logarithmic = true, .label = "tokens n"};
  for (int size = 0; size < kSizes; size += width < 300 ? 4 : 2)
    axis.ticks.emplace_back(size_at(size), grouped(size_at(size)));
  return axis;
}

// Some ways are equal to fused in time or in memory: their curves lie under it, and are seen beside it.
bool is_wide(int way) { return way == Way::traced || way == Way::windowed; }

// The name of a way among these curves.
std::string name_of(const Curves& curves, int way) {
  return curves.strong >= 0 && way == Way::fused ? "SIMD" : std::string(way_name(way));
}

// The decades around what is drawn.
Axis decades(const Drawing& d, const Curves& curves, float height) {
  double low = std::numeric_limits<double>::max(), high = 0;
  const Told r = d.told();
  const auto take = [&](double value) {
    if (value <= 0) return;
    low = std::min(low, value);
    high = std::max(high, value);
  };
  for (const int way : curves.ways)
    for (int size = 0; size < kSizes; ++size) {
      const double value = r.at(curves.look->quantity->tensor, way, size);
      take(value > 0 ? value : r.at(curves.look->quantity->line, way, size));
    }
  if (high == 0) low = high = 1;
  const double first = std::floor(std::log10(low) + 1e-9), last = std::ceil(std::log10(high) - 1e-9);
  Axis axis{.low = std::pow(10, first),
            .high = std::pow(10, std::max(last, first + 1)),
            .logarithmic = true,
            .label = curves.look->axis};
  const int count = static_cast<int>(std::max(last, first + 1) - first) + 1;
  const int pitch = std::max(1, static_cast<int>(std::ceil(static_cast<float>(count) * 26 / height)));
  for (int i = 0; i < count; i += pitch) {
    const double value = std::pow(10, first + i);
    axis.ticks.emplace_back(value, curves.look->write(value));
  }
  return axis;
}

// Whether a number is one to rely on, and not beyond what was or would be run.
bool is_solid(const Curves& curves, int way, double value) {
  return value > 0 && !(curves.budget && way == Way::traced && value > kBudget);
}

void add_curve_of(Drawing& d, const Plot& plot, const Curves& curves, int way) {
  const Measured& quantity = *curves.look->quantity;
  const Told r = d.told();
  const std::vector<double> x = all_sizes();
  std::vector<double> solid(x.size(), kNothing), dashed(x.size(), kNothing);
  int last = -1;
  for (int size = 0; size < kSizes; ++size) {
    const auto i = static_cast<std::size_t>(size);
    const double value = r.at(quantity.tensor, way, size);
    if (is_solid(curves, way, value)) {
      solid[i] = value;
      last = size;
      continue;
    }
    const double expected = value > 0 ? value : r.at(quantity.line, way, size);
    if (last < 0 || expected <= 0) continue;
    dashed[i] = expected;
    if (last == size - 1) dashed[i - 1] = solid[i - 1];
  }
  const Colour colour = way_colour(d.colours, way);
  const bool weak = curves.strong >= 0 && way != curves.strong;
  const std::string id = std::string(quantity.tensor) + ".way" + std::to_string(way), name = name_of(curves, way);
  const float width = is_wide(way) ? 7.F : curves.strong == way ? 3.F : 2.F;
  const Colour line = weak ? colour.faded(0.5F) : colour;
  add_curve(d.figure, plot, id, x, solid, {.colour = line, .width = width}, name);
  add_curve(d.figure, plot, id + ".beyond", x, dashed, {.colour = colour, .width = 1.5F, .dashed = true},
            name + ", extrapolated");
}

// The mark just added is of a number that was not measured.
void pale(Drawing& d, int way) {
  auto& mark = std::get<Rectangle>(d.figure.elements.back().shape);
  mark.fill = {0, 0, 0, 0};
  mark.stroke = way_colour(d.colours, way).faded(0.6F);
}

void add_dots_of(Drawing& d, const Plot& plot, const Curves& curves, int way) {
  const Measured& quantity = *curves.look->quantity;
  const Told r = d.told();
  for (int size = 0; size < kSizes; ++size) {
    const double value = r.at(quantity.tensor, way, size);
    const double shown = value > 0 ? value : r.at(quantity.line, way, size);
    if (shown <= 0) continue;
    const Point p = plot.at(size_at(size), shown);
    if (!plot.frame.inset(-6).contains(p)) continue;
    const bool here = size == d.state.at();
    const Source source{std::string(value > 0 ? quantity.tensor : quantity.line), way, size};
    const float radius = value <= 0 ? 2.5F : here ? 5.F : 3.5F;
    if (here && curves.has_table) {
      add_mark(d, "here." + cell_id(source), way, p, radius);
      if (value <= 0) pale(d, way);
      continue;
    }
    add_mark(d, cell_id(source), way, p, radius);
    if (value <= 0) pale(d, way);
    Element& dot = d.figure.elements.back();
    dot.role = Role::cell;
    dot.source = source;
    dot.label = name_of(curves, way) + ", n = " + grouped(size_at(size)) + ": " + curves.look->write(shown);
  }
}

// Over which n the slopes were fitted.
std::string fit_note(const Drawing& d, const Curves& curves) {
  const Told r = d.told();
  const std::string_view fit = curves.look->quantity->fit;
  double most = 0;
  for (const int way : curves.ways) most = std::max(most, r.at(fit, way, Fit::to));
  const std::string first = grouped(static_cast<int>(curves.look->quantity->from));
  if (most == 0) return "Three sizes from n = " + first + " on, near one line, make a slope.";
  std::string text =
      "Slopes: least squares on both logarithms, n = " + first + " to " + grouped(static_cast<int>(most));
  for (const int way : curves.ways) {
    const double to = r.at(fit, way, Fit::to);
    if (to > 0 && to < most) text += "; " + name_of(curves, way) + " to " + grouped(static_cast<int>(to));
  }
  return text + ".";
}

}  // namespace

Colour way_colour(const Palette& colours, int way) {
  const Colour list[Way::count] = {colours.warning, colours.ink, colours.good, colours.amber_text, colours.muted};
  return list[way];
}

void add_mark(Drawing& d, const std::string& id, int way, Point at, float radius) {
  // Around those that they may lie on.
  const bool hollow = is_wide(way);
  const bool square = way == Way::traced || way == Way::linear;
  const Colour colour = way_colour(d.colours, way);
  if (hollow) radius += 1.5F;
  d.figure.add({.id = id,
                .rect = {at.x - radius, at.y - radius, 2 * radius, 2 * radius},
                .shape = Rectangle{.fill = hollow ? Colour{0, 0, 0, 0} : colour,
                                   .stroke = colour,
                                   .stroke_width = 1.5F,
                                   .radius = square ? 0.5F : radius}});
}

float add_measure(Drawing& d, Point at, float width) {
  const bool begun = d.view.working >= 0, works = begun && !d.view.rests,
             measured = !begun && d.told().last_measured(Way::fused) >= 0;
  const std::string label(job_label(d.state));
  const std::string share =
      ": " + io::format_percent(std::floor(100 * std::max(d.view.working, 0.F)) / 100) + " measured";
  const std::string words = works ? "Pause" + share : begun ? "Go on" + share : measured ? "Measured" : label;
  const float height = d.view.touch || d.view.compact() ? 44 : 32;
  // As wide as its longest words, so that it stays under the pointer.
  const Rect rect{at.x, at.y, std::min(width, press_width("Measure here, up to 16,384")), height};
  const auto command = [](const char* name) { return Edit{"do", name}; };
  add_press(d,
            {.id = "measure",
             .text = words,
             .edit = measured ? std::nullopt : std::optional(command("job")),
             .strong = !works && !measured},
            rect);
  if (!measured) return rect.bottom();
  // Elsewhere: who meant to pause it and came too late has not begun it anew.
  const std::string again = "Measure again";
  Rect beside{rect.right() + 8, at.y, press_width(again), height};
  if (beside.right() > at.x + width) beside = {at.x, rect.bottom() + 8, beside.w, height};
  add_press(d, {.id = "measure.again", .text = again, .edit = command("job_again"), .strong = true}, beside);
  return beside.bottom();
}

float add_legend_of(Drawing& d, const Curves& curves, Point at, float width) {
  float x = at.x, y = at.y;
  for (const int way : curves.ways) {
    const std::string name = name_of(curves, way);
    const float needed = 16 + text::measure(text::Face::regular, 12, name);
    if (x > at.x && x + needed > at.x + width) {
      x = at.x;
      y += 20;
    }
    add_mark(d, "legend.mark" + std::to_string(way), way, {x + 5, y + 9}, 4);
    add_words(d, "legend.name" + std::to_string(way), {x + 16, y}, width - 16, name, {d.colours.ink});
    x += needed + 18;
  }
  if (!curves.budget) return y + 20 - at.y;
  const std::string beyond = "not run";
  if (x + 24 + text::measure(text::Face::regular, 12, beyond) > at.x + width) {
    x = at.x;
    y += 20;
  }
  d.figure.add(
      {.id = "legend.beyond",
       .shape =
           Line{.points = {{x, y + 10}, {x + 18, y + 10}}, .colour = d.colours.muted, .width = 1.5F, .dashed = true}});
  add_words(d, "legend.beyond.name", {x + 24, y}, width - 24, beyond, {d.colours.ink});
  return y + 20 - at.y;
}

const Look& products_look() {
  static constexpr Look look{&kQuantities[0], "Products, counted", "multiplications", many};
  return look;
}
const Look& memory_look() {
  static constexpr Look look{&kQuantities[1], "Memory held, computed", "bytes", bytes};
  return look;
}
const Look& time_look() {
  static constexpr Look look{&kQuantities[2], "Time, measured on this device", "time", duration};
  return look;
}
const Look& cost_look(const Drawing& d) {
  return d.told().last_measured(Way::fused) < 0 ? products_look() : time_look();
}

void add_curves(Drawing& d, const Curves& curves, Rect area) {
  const std::string id(curves.look->quantity->tensor);
  add_heading(d, id + ".title", {area.x, area.y}, area.w, curves.look->title, d.colours.ink);
  const float height = area.h - kTitleHeight;
  const Plot plot = add_plot(d.figure, id, {area.x, area.y + kTitleHeight, area.w, height}, tokens_axis(area.w),
                             decades(d, curves, height - 48), d.view.theme);
  add_rule_x(d.figure, plot, id + ".cursor", d.state.n(), {.colour = d.colours.muted, .width = 1, .dashed = true}, "");
  if (curves.budget)
    add_rule_y(d.figure, plot, id + ".budget", kBudget, {.colour = d.colours.warning, .width = 1, .dashed = true}, "");
  if (curves.budget)  // at the left, where no curve comes so high
    add_words(d, id + ".budget.name", {plot.frame.x + 6, plot.down(kBudget) - 18}, plot.frame.w - 12, "budget 256 MB",
              {d.colours.warning, type::caption});
  for (const bool wide : {true, false}) {
    for (const int way : curves.ways)
      if (is_wide(way) == wide) add_curve_of(d, plot, curves, way);
    for (const int way : curves.ways)
      if (is_wide(way) == wide) add_dots_of(d, plot, curves, way);
  }
}

float add_table(Drawing& d, const Curves& curves, Point at, float width) {
  const Measured& quantity = *curves.look->quantity;
  const Told r = d.told();
  const std::string id = std::string(quantity.tensor) + ".table";
  constexpr float kValue = 90, kSlope = 40, kTimes = 46;
  const float times = at.x + width - kTimes, slope = times - kSlope, value = slope - kValue;
  const TextStyle head{.colour = d.colours.muted, .align = Align::right};
  add_words(d, id + ".at", {value, at.y}, kValue, "n = " + grouped(d.state.n()), head);
  add_words(d, id + ".slope", {slope, at.y}, kSlope, "slope", head);
  add_words(d, id + ".times", {times, at.y}, kTimes, "n × 2", head);
  float y = at.y + kRowHeight;
  bool extrapolated = false;
  for (const int way : curves.ways) {
    const std::string row = id + "." + std::to_string(way);
    const Colour colour = way_colour(d.colours, way);
    add_mark(d, row + ".mark", way, {at.x + 5, y + 9}, 4.5F);
    add_words(d, row + ".name", {at.x + 18, y}, value - at.x - 22, name_of(curves, way), {d.colours.ink, type::body});
    const double here = r.here(quantity.tensor, way), line = r.here(quantity.line, way);
    if (here > 0)
      add_number_before(d, {std::string(quantity.tensor), way, d.state.at()}, {value, y}, kValue,
                        curves.look->write(here), colour);
    else if (line > 0)
      add_number_before(d, {std::string(quantity.line), way, d.state.at()}, {value, y}, kValue,
                        "≈ " + curves.look->write(line), colour);
    else
      add_words(d, row + ".none", {value, y}, kValue, "not yet", head);
    extrapolated = extrapolated || (r.fitted(quantity, way) && r.at(quantity.tensor, way, kSizes - 1) == 0);
    if (r.fitted(quantity, way)) {
      const std::string fit(quantity.fit);
      add_number_before(d, {fit, way, Fit::exponent}, {slope, y}, kSlope,
                        io::format_fixed(r.at(fit, way, Fit::exponent), 2), colour);
      add_number_before(d, {fit, way, Fit::doubling}, {times, y}, kTimes,
                        "× " + brief(r.at(fit, way, Fit::doubling), 2), colour);
    } else {
      add_words(d, row + ".flat", {slope, y}, kSlope + (r.noisy(quantity, way) ? kTimes : 0),
                r.noisy(quantity, way) ? "too noisy" : "–", head);
    }
    y += kRowHeight;
  }
  std::string note = fit_note(d, curves);
  if (extrapolated) note += " Dashed and ≈: extrapolated by the slope.";
  return add_note(d, id + ".note", note, {at.x, y + 4}, width, kSmallNote);
}

}  // namespace limelight::scenes::cost
