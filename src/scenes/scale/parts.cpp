#include "scenes/scale/parts.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "figure/panels.h"
#include "io/numbers.h"

namespace limelight::scenes::scale {

using namespace figure;

namespace {

std::vector<double> row_of(const Trace& trace, std::string_view tensor, int row) {
  const Matrix& values = trace.at(tensor).values;
  std::vector<double> list;
  for (Eigen::Index i = 0; i < values.cols(); ++i) list.push_back(static_cast<double>(values(row, i)));
  return list;
}

double largest_of(const std::vector<double>& values) {
  double most = 0;
  for (const double value : values)
    if (std::isfinite(value)) most = std::max(most, std::abs(value));
  return most;
}

std::string product_name(const State& state) { return state.spread() == 1 ? "" : "σ·"; }

// Places of a curve that can be pointed at, as strips of the frame.
void add_strips(Drawing& d, const Plot& plot, std::string_view tensor, int row, const std::vector<double>& x,
                int most) {
  const int count = static_cast<int>(x.size());
  const int pitch = (count + most - 1) / most;
  for (int i = pitch - 1; i < count; i += pitch) {
    if (i + pitch >= count) i = count - 1;  // the end itself
    const Source source{std::string(tensor), row, i};
    const float left = plot.across(x[static_cast<std::size_t>(std::max(0, i - pitch))]);
    const float right = plot.across(x[static_cast<std::size_t>(i)]);
    d.figure.add({.id = cell_id(source),
                  .role = Role::cell,
                  .rect = {std::min(left, right - 1), plot.frame.y, std::max(right - left, 1.F), plot.frame.h},
                  .label = d.trace.at(tensor).row_labels[static_cast<std::size_t>(row)] + ", " + std::to_string(i + 1) +
                           ": " + io::format_short(static_cast<double>(d.value(tensor, row, i))),
                  .source = source,
                  .shape = Rectangle{}});
  }
}

// "token 3", or its number alone where these are too wide.
std::string column_label(const std::string& label, bool whole) {
  return whole ? label : label.substr(label.find_last_of(' ') + 1);
}

// The size at the right of a heading's line. Returns the width that it leaves.
float add_size(Drawing& d, const std::string& id, Rect area) {
  const std::string size = "d = " + std::to_string(d.state.d);
  const float width = text::measure(text::Face::mono, 13, size);
  add_words(d, id + ".size", {area.right() - width, area.y}, width + 1, size,
            {d.colours.accent, {text::Face::mono, 13}});
  return area.w - width - 12;
}

// What can be said of one way's weights, in lines no wider than `width`.
struct Said {
  int measure;
  std::string words;
  Point at{};
};
constexpr float kSaidLine = 19;

std::vector<Said> say_of(const Drawing& d, int way, float width) {
  const auto value = [&](int measure) { return static_cast<double>(d.value("measures", way, measure)); };
  const auto number = [&](int measure) { return io::format_short(value(measure), 2); };
  std::vector<Said> said{
      {Measure::largest, "largest " + io::format_percent(value(Measure::largest))},
      {Measure::effective, "effective keys " + number(Measure::effective) + " of " + std::to_string(d.state.keys)},
      {Measure::entropy, "entropy " + number(Measure::entropy)},
      {Measure::gradient_score, "|∂a/∂s| " + number(Measure::gradient_score)},
      {Measure::gradient_query, "|∂a/∂q| " + number(Measure::gradient_query)}};
  Point at{};
  for (Said& line : said) {
    const float needed = text::measure(text::Face::mono, 12, line.words);
    if (at.x > 0 && at.x + needed > width) at = {0, at.y + kSaidLine};
    line.at = at;
    at.x += needed + 10;
  }
  return said;
}

}  // namespace

Colour way_colour(const Palette& colours, int way) {
  const Colour list[kWays] = {colours.warning, colours.good, colours.muted, colours.accent};
  return list[way];
}

float add_window(Drawing& d, const Window& window, Point at) {
  const CellRange& range = window.range;
  const std::string& id = window.id.empty() ? range.tensor : window.id;
  const Tensor& tensor = d.trace.at(range.tensor);
  const float left = window.row_labels ? kRowLabel : 0;
  const float top = window.column_labels ? kColumnLabel : 0;
  const Rect cells{at.x + left, at.y + top, window.cell_w * static_cast<float>(range.columns),
                   window.cell_h * static_cast<float>(range.rows)};
  const auto label = [&](const std::string& of, Rect rect, const std::string& words, Align align) {
    d.figure.add({.id = of,
                  .rect = rect,
                  .shape = Text{.text = text::fit(text::Face::regular, 12, words, rect.w),
                                .size = 12,
                                .colour = d.colours.muted,
                                .align = align}});
  };
  for (int i = 0; window.row_labels && i < range.rows; ++i)
    label(id + ".row" + std::to_string(i),
          {at.x, cells.y + window.cell_h * static_cast<float>(i), kRowLabel - 8, window.cell_h},
          tensor.row_labels[static_cast<std::size_t>(range.row + i)], Align::right);
  bool whole = true;
  for (int j = 0; window.column_labels && j < range.columns; ++j)
    whole = whole &&
            text::measure(text::Face::regular, 12, tensor.column_labels[static_cast<std::size_t>(range.column + j)]) <=
                window.cell_w - 6;
  for (int j = 0; window.column_labels && j < range.columns; ++j)
    label(id + ".column" + std::to_string(j),
          {cells.x + window.cell_w * static_cast<float>(j), at.y, window.cell_w, kColumnLabel},
          column_label(tensor.column_labels[static_cast<std::size_t>(range.column + j)], whole), Align::centre);
  d.figure.add({.id = id,
                .role = Role::cell,
                .rect = cells,
                .label = words_of_name(range.tensor) + " " + std::to_string(tensor.rows()) + "×" +
                         std::to_string(tensor.columns()),
                .shape = MatrixCells{.range = range,
                                     .text_size = window.cell_w < 50 ? 11.F : 12.F,
                                     .decimals = window.decimals,
                                     .tint = window.tint,
                                     .largest = window.largest,
                                     .theme = d.view.theme}});
  return cells.bottom();
}

void add_sum(Drawing& d, Rect area) {
  const int size = d.state.d;
  std::vector<double> sums = row_of(d.trace, "running", 0), count{0};
  for (int i = 1; i <= size; ++i) count.push_back(i);
  const double half = 1.1 * std::max(largest_of(sums), 1.4 * d.state.deviation());
  const std::vector<double> ends = count;
  sums.insert(sums.begin(), 0.);
  const std::string result = "q·k = " + io::format_fixed(d.value("scores", 0, 0), 2);
  const float result_width = text::measure(text::Face::mono, 12, result);
  add_heading(d, "sum.title", {area.x, area.y}, area.w - result_width - 12, "q · k, summed entry by entry",
              d.colours.ink);
  add_number(d, {"scores", 0, 0}, {area.right() - result_width, area.y + 2}, result, d.colours.accent);
  const Stroke typical{.colour = d.colours.output, .width = 1.5F, .dashed = true};
  const LegendEntry entries[] = {{"this pair", {.colour = d.colours.accent}},
                                 {"±" + product_name(d.state) + "√i, the spread after i entries", typical}};
  const float legend =
      add_legend(d.figure, "sum.legend", entries, {area.x, area.y + kTitleHeight}, area.w, d.view.theme);
  const float top = kTitleHeight + legend + 6;
  Axis summed{.low = 0, .high = static_cast<double>(size), .label = "entries summed, i"};
  if (size <= 10)  // there are no halves of an entry
    for (int i = 0; i <= size; ++i) summed.ticks.emplace_back(i, std::to_string(i));
  const Plot plot = add_plot(d.figure, "sum", {area.x, area.y + top, area.w, area.h - top}, summed,
                             {.low = -half, .high = half, .label = "sum so far"}, d.view.theme);
  constexpr int points = 96;
  std::vector<double> places, above, below;
  for (int i = 0; i <= points; ++i) {
    places.push_back(size * static_cast<double>(i) / points);
    above.push_back(d.state.spread() * std::sqrt(places.back()));
    below.push_back(-above.back());
  }
  add_band(d.figure, plot, "sum.band", places, below, above, d.colours.output.faded(0.08F), "the spread");
  add_curve(d.figure, plot, "sum.above", places, above, typical, "the spread");
  add_curve(d.figure, plot, "sum.below", places, below, typical, "the spread");
  add_curve(d.figure, plot, "sum.walk", count, sums, {.colour = d.colours.accent}, "the sum so far");
  add_strips(d, plot, "running", 0, {ends.begin() + 1, ends.end()}, 64);
  const Point end = plot.at(size, sums.back());
  d.figure.add({.id = "sum.end",
                .rect = {end.x - 4, end.y - 4, 8, 8},
                .shape = Rectangle{.fill = d.colours.accent, .radius = 4}});
}

void add_histogram(Drawing& d, Rect area) {
  const bool numbers_inside = area.w >= 640;
  const double half = half_width(d.state);
  std::vector<double> edges;
  for (int i = 0; i <= kBins; ++i) edges.push_back(half * (2. * i / kBins - 1));
  const std::vector<double> x = row_of(d.trace, "density", 0), exact = row_of(d.trace, "density", 1),
                            normal = row_of(d.trace, "density", 2);
  // For d = 1 the exact density has no highest point: what was drawn decides.
  double highest = std::max(largest_of(row_of(d.trace, "histogram", 0)), largest_of(normal));
  if (d.state.d > 1) highest = std::max(highest, largest_of(exact));
  const std::string pairs = io::format_short(static_cast<double>(d.value("spread", 0, Spread::pairs)), 6);
  add_heading(d, "spread.title", {area.x, area.y}, add_size(d, "spread", area), "q · k of " + pairs + " random pairs",
              d.colours.ink);
  float top = kTitleHeight;
  const std::string measured = "measured σ " + io::format_fixed(d.value("spread", 0, Spread::measured), 2);
  const std::string expected =
      "expected " + (d.state.spread() == 1 ? std::string() : io::format_short(d.state.spread()) + "·") + "√" +
      std::to_string(d.state.d) + " = " + io::format_fixed(d.value("spread", 0, Spread::expected), 2);
  if (!numbers_inside) {
    const float used = add_number(d, {"spread", 0, Spread::measured}, {area.x, area.y + top}, measured, d.colours.ink);
    const bool fits = used + 20 + text::measure(text::Face::mono, 12, expected) <= area.w;
    if (!fits) top += 20;
    add_number(d, {"spread", 0, Spread::expected}, {fits ? area.x + used + 20 : area.x, area.y + top}, expected,
               d.colours.output);
    top += 22;
  }
  const Stroke curve{.colour = d.colours.output}, limit{.colour = d.colours.muted, .width = 1.5F, .dashed = true};
  const LegendEntry entries[] = {
      {"drawn", {.colour = d.colours.score_fill, .width = 8}}, {"exact density", curve}, {"normal, its limit", limit}};
  top += add_legend(d.figure, "spread.legend", entries, {area.x, area.y + top}, area.w, d.view.theme) + 6;
  const Plot plot = add_plot(d.figure, "spread", {area.x, area.y + top, area.w, area.h - top},
                             {.low = -half, .high = half, .label = "q · k"},
                             {.low = 0, .high = 1.12 * highest, .label = area.h >= 200 ? "density" : ""}, d.view.theme);
  add_columns(d.figure, plot, d.trace, "histogram", 0, edges, d.colours.score_fill.faded(0.75F));
  // Where there is room for their names.
  for (const bool above : {false, true})
    if (numbers_inside)
      add_rule_x(d.figure, plot, above ? "spread.above" : "spread.below", (above ? 1 : -1) * d.state.deviation(),
                 {.colour = d.colours.output, .width = 1, .dashed = true}, above ? "σ" : "−σ");
  add_curve(d.figure, plot, "spread.normal", x, normal, limit, "the normal density N(0, d)");
  add_curve(d.figure, plot, "spread.exact", x, exact, curve, "the exact density");
  if (!numbers_inside) return;
  const float width =
      std::max(text::measure(text::Face::mono, 12, measured), text::measure(text::Face::mono, 12, expected));
  const Point at{plot.frame.right() - width - 8, plot.frame.y + 8};
  add_number(d, {"spread", 0, Spread::measured}, at, measured, d.colours.ink);
  add_number(d, {"spread", 0, Spread::expected}, {at.x, at.y + 22}, expected, d.colours.output);
}

void add_weights(Drawing& d, int way, Rect area) {
  const std::string prefix = "way" + std::to_string(way);
  const double divisor = divisors(d.state.power, d.state.d)[static_cast<std::size_t>(way)];
  std::string name =
      "softmax(q·k" + (way == 0 ? std::string() : " " + way_names(d.state)[static_cast<std::size_t>(way)]);
  if (d.state.temperature != 1) name += " ÷ " + io::format_short(d.state.temperature);
  name += ")";
  const std::string divided = way == 0 ? "" : "÷ " + io::format_short(divisor);
  const float divided_width = text::measure(text::Face::mono, 12, divided);
  const Colour colour = way_colour(d.colours, way);
  d.figure.add(
      {.id = prefix + ".mark", .rect = {area.x, area.y + 4, 10, 10}, .shape = Rectangle{.fill = colour, .radius = 3}});
  add_heading(d, prefix + ".title", {area.x + 16, area.y}, area.w - 28 - divided_width, name, d.colours.ink);
  if (!divided.empty())
    add_words(d, prefix + ".divisor", {area.right() - divided_width, area.y + 1}, divided_width + 1, divided,
              {d.colours.muted, type::number});
  const std::vector<Said> said = say_of(d, way, area.w);
  float below = 0;  // the same for every way, so that their plots are as high
  for (int other = 0; other < kWays; ++other) below = std::max(below, say_of(d, other, area.w).back().at.y + kSaidLine);
  const int count = d.state.keys;
  std::vector<double> edges;
  for (int i = 0; i <= count; ++i) edges.push_back(i + 0.5);
  Axis keys{.low = 0.5, .high = count + 0.5, .label = area.h >= 200 ? "key" : ""};
  const int pitch = std::max(1, static_cast<int>(std::ceil(count * 26 / (area.w - 40))));
  for (int i = 1; i <= count; i += pitch) keys.ticks.emplace_back(i, std::to_string(i));
  const Plot plot =
      add_plot(d.figure, prefix, {area.x, area.y + kTitleHeight, area.w, area.h - kTitleHeight - below - 6}, keys,
               {.low = 0, .high = 1, .label = "weight", .ticks = {{0, "0"}, {0.5, "0.5"}, {1, "1"}}}, d.view.theme);
  const std::size_t first = d.figure.elements.size();
  add_columns(d.figure, plot, d.trace, "weights", way, edges, d.colours.ink);
  // Weights wear the colours of weights.
  for (std::size_t i = first; i < d.figure.elements.size(); i += 2) {
    const auto key = static_cast<int>(i - first) / 2;
    auto& bar = std::get<Rectangle>(d.figure.elements[i].shape);
    bar.fill = sample(ColourMap::viridis, d.value("weights", way, key), d.view.theme);
    bar.stroke = d.colours.muted.faded(0.6F);
  }
  for (const Said& line : said)
    add_number(d, {"measures", way, line.measure}, {area.x + line.at.x, area.bottom() - below + line.at.y}, line.words,
               line.measure == Measure::largest ? colour : d.colours.muted);
}

float add_ways_legend(Drawing& d, Point at, float width) {
  const auto names = way_names(d.state);
  std::vector<LegendEntry> entries;
  for (int way = 0; way < kWays; ++way)
    entries.push_back(
        {names[static_cast<std::size_t>(way)], {.colour = way_colour(d.colours, way), .dashed = way == 3}});
  return add_legend(d.figure, "ways", entries, at, width, d.view.theme);
}

void add_curves(Drawing& d, int curve, Rect area, bool logarithmic, bool legend) {
  struct Look {
    const char* title;
    const char* quantity;
  };
  static constexpr Look looks[] = {{"If a score changes", "change of the weights, |∂a/∂s|"},
                                   {"If the query changes", "change of the weights, |∂a/∂q|"},
                                   {"The largest weight", "largest weight"},
                                   {"How many keys are left", "effective keys"}};
  const Look& look = looks[curve];
  const std::string tensor(kCurveTensors[curve].tensor);
  const Matrix& values = d.trace.at(tensor).values;
  const std::vector<int> sizes = curve_sizes(d.state);
  const std::vector<double> x(sizes.begin(), sizes.end());
  add_heading(d, tensor + ".title", {area.x, area.y}, add_size(d, tensor, area), look.title, d.colours.ink);
  add_words(d, tensor + ".how", {area.x, area.y + 20}, area.w,
            "median and 10–90 % of " + io::format_short(static_cast<double>(d.value("trials", 0, 0))) + " draws each",
            {d.colours.muted});
  Axis y{.low = 0, .high = 1, .logarithmic = logarithmic, .label = look.quantity};
  if (logarithmic) {
    // Down to the lowest median, but no further than ten decades.
    double lowest = 1, highest = 0;
    for (int way = 0; way < kWays; ++way)
      for (Eigen::Index i = 0; i < values.cols(); ++i) {
        const auto median = static_cast<double>(values(way * Band::count + Band::median, i));
        if (median > 0) lowest = std::min(lowest, median);
        highest = std::max(highest, static_cast<double>(values(way * Band::count + Band::high, i)));
      }
    y.high = std::pow(10, std::ceil(std::log10(std::max(highest, 1e-9)) - 0.05));
    y.low = std::max(std::pow(10, std::floor(std::log10(lowest))), y.high * 1e-10);
    if (y.low >= y.high) y.low = y.high / 10;
  } else if (curve == 3) {
    y.high = d.state.keys;
  }
  Axis across{.low = 1, .high = kMostSize, .logarithmic = true, .label = "size d"};
  for (int size = 1; size <= kMostSize; size *= area.w < 420 ? 16 : 4)
    across.ticks.emplace_back(size, std::to_string(size));
  const float top = 44 + (legend ? add_ways_legend(d, {area.x, area.y + 40}, area.w) + 4 : 0);
  const Plot plot = add_plot(d.figure, tensor, {area.x, area.y + top, area.w, area.h - top}, across, y, d.view.theme);
  const auto band = [&](int way, int which) {
    std::vector<double> list = row_of(d.trace, tensor, way * Band::count + which);
    // What underflowed leaves through the bottom.
    if (logarithmic)
      for (double& value : list) value = std::max(value, y.low * 1e-3);
    return list;
  };
  add_rule_x(d.figure, plot, tensor + ".cursor", d.state.d, {.colour = d.colours.muted, .width = 1, .dashed = true},
             "");
  const auto names = way_names(d.state);
  for (int way = 0; way < kWays; ++way)
    add_band(d.figure, plot, tensor + ".band" + std::to_string(way), x, band(way, Band::low), band(way, Band::high),
             way_colour(d.colours, way).faded(way < 2 ? 0.16F : 0.08F), names[static_cast<std::size_t>(way)]);
  for (int way = kWays; way-- > 0;)
    add_curve(d.figure, plot, tensor + ".way" + std::to_string(way), x, band(way, Band::median),
              {.colour = way_colour(d.colours, way), .width = way < 2 ? 2.F : 1.5F, .dashed = way == 3},
              names[static_cast<std::size_t>(way)]);
  const int own = own_size(d.state);
  for (int way = kWays; way-- > 0;)
    for (int i = 0; i < static_cast<int>(sizes.size()); ++i) {
      const int row = way * Band::count + Band::median;
      add_dot(d.figure, plot, {tensor, row, i}, sizes[static_cast<std::size_t>(i)], static_cast<double>(values(row, i)),
              way_colour(d.colours, way),
              names[static_cast<std::size_t>(way)] + ", d = " + std::to_string(sizes[static_cast<std::size_t>(i)]) +
                  ": " + io::format_short(static_cast<double>(values(row, i))),
              i == own ? 4.5F : 2.5F);
    }
}

}  // namespace limelight::scenes::scale
