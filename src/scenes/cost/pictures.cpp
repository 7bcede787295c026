// Cost's pictures that are no cost curves: the growing square, the other functions, and instructions.
#include <algorithm>

#include "figure/panels.h"
#include "scenes/cost/parts.h"

namespace limelight::scenes::cost {

using namespace figure;

namespace {

// The sizes that the table of growth tells of, n among them.
struct Columns {
  int first, count;
  [[nodiscard]] bool has(int size) const { return size >= first && size < first + count; }
};
Columns growth_columns(const Drawing& d) {
  const int count = d.narrow() ? 2 : 4;
  return {std::clamp(d.state.at() - (count - 2), 0, kSizes - count), count};
}

}  // namespace

void add_squares(Drawing& d, Point at, float side) {
  const auto side_of = [&](int size) { return side * static_cast<float>(size_at(size)) / kLongest; };
  const int own = d.state.at();
  for (int size = kSizes - 1; size >= own; --size) {
    const float w = side_of(size);
    const bool here = size == own;
    const std::string id = "square" + std::to_string(size), name = grouped(size_at(size));
    d.figure.add({.id = id,
                  .rect = {at.x, at.y, w, w},
                  .label = name + " tokens: " + many(d.told().at("growth", Growth::pairs, size)) + " weights",
                  .shape = Rectangle{.fill = here ? d.colours.amber.faded(0.35F) : d.colours.sunken.faded(0.5F),
                                     .stroke = here ? d.colours.accent : d.colours.faint,
                                     .stroke_width = here ? 1.5F : 1,
                                     .radius = 0}});
    const float width = text::measure(text::Face::mono, 11, name);
    // Where it does not reach into the next smaller square.
    if (width + 12 > w / 2 && !(here && width + 10 <= w)) continue;
    add_words(d, id + ".n", {at.x + w - width - 5, at.y + w - 19}, width + 1, name,
              {here ? d.colours.ink : d.colours.muted, type::small_number});
  }
}

float add_growth_table(Drawing& d, Point at, float width) {
  struct Quantity {
    const char* name;
    std::string (*write)(double);
  };
  static constexpr Quantity rows[Growth::count] = {
      {"weights n²", many}, {"products 2n²d", many}, {"their bytes 4n²", bytes}};
  const Columns columns = growth_columns(d);
  constexpr float kName = 96, kLeast = 92;  // "2.15 billion" fits
  const auto count = static_cast<float>(columns.count);
  const float times = width - kName - 60 >= kLeast * count ? 60 : 0;  // where there is room
  const float value = std::min(150.F, (width - times - kName) / count);
  const float right = at.x + kName + value * count;
  const TextStyle head{.colour = d.colours.muted, .align = Align::right};
  const auto column = [&](int size) { return at.x + kName + value * static_cast<float>(size - columns.first); };
  add_words(d, "growth.tokens", at, kName, "tokens n", {d.colours.muted});
  for (int size = columns.first; columns.has(size); ++size)
    add_words(d, "growth.n" + std::to_string(size), {column(size), at.y}, value, grouped(size_at(size)),
              size == d.state.at() ? TextStyle{.colour = d.colours.accent, .align = Align::right} : head);
  if (times > 0) add_words(d, "growth.times", {right, at.y}, times, "each × 2", head);
  float y = at.y + kRowHeight - 2;
  for (int row = 0; row < Growth::count; ++row, y += kRowHeight - 2) {
    const std::string id = "growth.row" + std::to_string(row);
    add_words(d, id, {at.x, y}, kName, rows[row].name, {d.colours.ink});
    for (int size = columns.first; columns.has(size); ++size)
      add_number_before(d, {"growth", row, size}, {column(size), y}, value,
                        rows[row].write(d.told().at("growth", row, size)),
                        size == d.state.at() ? d.colours.accent : d.colours.muted);
    if (times > 0)
      add_words(d, id + ".times", {right, y}, times, "each × 4", {.colour = d.colours.warning, .align = Align::right});
  }
  return y;
}

void add_growth_curve(Drawing& d, Rect area) {
  constexpr int points = 96;
  std::vector<double> x, y;
  for (int i = 0; i <= points; ++i) {
    x.push_back(static_cast<double>(kLongest) * i / points);
    y.push_back(2 * x.back() * x.back() * d.state.d / 1e9);
  }
  add_heading(d, "growth.title", {area.x, area.y}, area.w, "2·n²·d, a parabola", d.colours.ink);
  Axis across{.low = 0, .high = kLongest, .label = "tokens n"};
  for (int n = 0; n <= kLongest; n += kLongest / 4)
    if (area.w >= 300 || n % (kLongest / 2) == 0) across.ticks.emplace_back(n, grouped(n));
  const Plot plot = add_plot(d.figure, "growth", {area.x, area.y + kTitleHeight, area.w, area.h - kTitleHeight}, across,
                             {.low = 0, .high = 1.05 * y.back(), .label = "billion products"}, d.view.theme);
  add_curve(d.figure, plot, "growth.curve", x, y, {.colour = d.colours.accent}, "2 n² d");
  const Columns columns = growth_columns(d);
  for (int size = 0; size < kSizes; ++size) {
    const double value = d.told().at("growth", Growth::work, size);
    const Point p = plot.at(size_at(size), value / 1e9);
    const Source source{"growth", Growth::work, size};
    if (columns.has(size))  // these stand in the table
      add_mark(d, "here." + cell_id(source), Way::fused, p, size == d.state.at() ? 5.F : 3.5F);
    else if (size_at(size) >= 1024)  // the others lie on top of each other
      add_dot(d.figure, plot, source, size_at(size), value / 1e9, d.colours.accent,
              "n = " + grouped(size_at(size)) + ": " + many(value), 3.5F);
  }
}

void add_near(Drawing& d, bool share, Rect area) {
  const std::string tensor = share ? "near_share" : "near_window", linear = share ? "near_linear_share" : "near_linear";
  const Matrix& values = d.trace.at(tensor).values;
  const std::vector<int> windows = near_windows(d.state);
  const std::vector<double> x(windows.begin(), windows.end());
  std::vector<double> y;
  for (const float value : values.row(0)) y.push_back(static_cast<double>(value));
  const double other = d.told().at(linear, 0, 0);
  add_heading(d, tensor + ".title", {area.x, area.y}, area.w,
              share ? "Products, as a share of full attention’s" : "Output difference from full attention",
              d.colours.ink);
  Axis across{.low = 1, .high = kNearTokens - 1, .logarithmic = true, .label = "window: keys to each side, w"};
  for (int window = 1; window < kNearTokens; window *= 4) across.ticks.emplace_back(window, std::to_string(window));
  Axis up{.low = 0, .high = 1.1, .label = share ? "share of the products" : "relative difference"};
  if (share)
    for (const double tick : {0., 0.25, 0.5, 0.75, 1.}) up.ticks.emplace_back(tick, io::format_percent(tick));
  else
    up.high = 1.1 * std::max({other, *std::ranges::max_element(y), 1e-3});
  const Plot plot = add_plot(d.figure, tensor, {area.x, area.y + kTitleHeight, area.w, area.h - kTitleHeight}, across,
                             up, d.view.theme);
  const int own = own_window(d.state);
  add_rule_x(d.figure, plot, tensor + ".cursor", windows[static_cast<std::size_t>(own)],
             {.colour = d.colours.muted, .width = 1, .dashed = true}, "");
  add_rule_y(d.figure, plot, linear + ".rule", other, {.colour = d.colours.ink, .width = 1.5F}, "linear");
  add_curve(d.figure, plot, tensor + ".curve", x, y, {.colour = way_colour(d.colours, Way::windowed)}, "windowed");
  for (int i = 0; i < static_cast<int>(y.size()); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const Source source{tensor, 0, i};
    const Point p = plot.at(x[at], y[at]);
    if (i == own) {
      add_mark(d, "here." + cell_id(source), Way::windowed, p, 5);
      continue;
    }
    add_mark(d, cell_id(source), Way::windowed, p, 3.5F);
    Element& dot = d.figure.elements.back();
    dot.role = Role::cell;
    dot.source = source;
    dot.label = "window ±" + std::to_string(windows[at]) + ": " + brief(y[at]);
  }
}

float add_near_table(Drawing& d, Point at, float width) {
  const Told r = d.told();
  const int last = std::min(r.last_measured(Way::windowed), d.state.at()), own = own_window(d.state);
  const bool measured = last >= 0;
  const int columns = measured ? 3 : 2;
  const float value = std::min(150.F, (width - 130) / static_cast<float>(columns));
  const auto column = [&](int i) { return at.x + width - value * static_cast<float>(columns - i); };
  const TextStyle head{.colour = d.colours.muted, .align = Align::right};
  const bool brief_heads = value < 130;
  add_words(d, "near.difference", {column(0), at.y}, value,
            brief_heads ? "differs" : "differs, n = " + std::to_string(kNearTokens), head);
  add_words(d, "near.products", {column(1), at.y}, value,
            brief_heads ? "products" : "products, n = " + std::to_string(kNearTokens), head);
  if (measured)
    add_words(d, "near.measured", {column(2), at.y}, value,
              (brief_heads ? "n = " : "differs, n = ") + grouped(size_at(last)), head);
  float y = at.y + kRowHeight - 4;
  const auto name = [&](int way, const std::string& words) {
    add_mark(d, "near.mark" + std::to_string(way), way, {at.x + 5, y + 9}, 4.5F);
    add_words(d, "near.name" + std::to_string(way), {at.x + 18, y}, column(0) - at.x - 10, words,
              {d.colours.ink, type::body});
    if (measured && r.at("time", way, last) > 0)
      add_number_before(d, {"apart", way, last}, {column(2), y}, value, brief(r.at("apart", way, last), 2),
                        way_colour(d.colours, way));
  };
  const auto numbers = [&](int way, const Source& apart, const Source& share) {
    const Colour colour = way_colour(d.colours, way);
    add_number_before(d, apart, {column(0), y}, value, brief(r.at(apart.tensor, apart.row, apart.column), 2), colour);
    add_number_before(d, share, {column(1), y}, value, io::format_percent(r.at(share.tensor, share.row, share.column)),
                      colour);
    y += kRowHeight - 2;
  };
  name(Way::windowed, "window " + window_name(d.state));
  numbers(Way::windowed, {"near_window", 0, own}, {"near_share", 0, own});
  name(Way::linear, "linear");
  numbers(Way::linear, {"near_linear", 0, 0}, {"near_linear_share", 0, 0});
  return y;
}

float add_lanes(Drawing& d, Point at, float width) {
  const bool simd = d.state.kernel == Kernel::simd;
  const int lanes = static_cast<int>(d.told().at("lanes", 0, 0));
  const int together = simd ? lanes : 1;
  const int count = width < 420 ? 8 : 16;
  const int instructions = count / together;
  add_heading(d, "lanes.title", at, width,
              std::to_string(count) + " products, " + std::to_string(instructions) +
                  (instructions == 1 ? " instruction" : " instructions"),
              d.colours.ink);
  constexpr float kGroupGap = 10, kCell = 26;
  const float gaps = kGroupGap * static_cast<float>(count / lanes - 1);
  const float cell = std::min(34.F, (width - gaps - 12) / static_cast<float>(count));
  const float top = at.y + kTitleHeight + 4;
  const Colour colour = way_colour(d.colours, simd ? Way::fused : Way::scalar);
  for (int i = 0; i < count; ++i) {
    const float x = at.x + 6 + cell * static_cast<float>(i) + kGroupGap * static_cast<float>(i / lanes);
    const std::string id = "lanes." + std::to_string(i);
    if (i % together == 0)
      d.figure.add({.id = id + ".instruction",
                    .rect = simd ? Rect{x - 3, top - 3, cell * static_cast<float>(lanes) + 4, kCell + 6}
                                 : Rect{x + 0.5F, top - 3, cell - 3, kCell + 6},
                    .shape = Rectangle{.fill = colour.faded(0.12F), .stroke = colour, .radius = 6}});
    add_words(d, id, {x - 1, top + 4}, cell, "q·k", {d.colours.ink, type::small_number, Align::centre});
  }
  return top + kCell + 8;
}

}  // namespace limelight::scenes::cost
