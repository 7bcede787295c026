#include "scenes/limits/parts.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "figure/panels.h"
#include "io/numbers.h"
#include "scenes/common/strips.h"

namespace limelight::scenes::limits {
namespace {

// What stands above a column. Room for all decimals, or for two, or for none.
std::string column_number(double value, bool weight, float pitch) {
  if (weight && value == 0) return "0";
  if (weight) return io::format_fixed(value, pitch >= 44 ? 3 : 2);
  return io::format_fixed(value, std::abs(value) >= 100 ? 0 : 2);
}

float widest(const std::vector<std::string>& names, float size) {
  float width = 0;
  for (const std::string& name : names) width = std::max(width, text::measure(text::Face::semibold, size, name));
  return width;
}

// The keys' names below a frame, upright where they are too wide, which may be there to be pressed.
void add_names(Drawing& d, const std::string& id, const std::vector<std::string>& names, const Plot& plot, bool upright,
               bool pick) {
  const float pitch = plot.frame.w / static_cast<float>(names.size());
  const float size = upright || widest(names, 12) > pitch - 4 ? 11 : 12;
  const float height = upright ? widest(names, 11) + 4 : !pick ? 20 : d.view.compact() ? 44 : 22;
  for (std::size_t j = 0; j < names.size(); ++j) {
    const bool on = pick && static_cast<int>(j) == d.key;
    const Rect rect{plot.frame.x + pitch * static_cast<float>(j), plot.frame.bottom() + 3, pitch, height};
    if (pick)
      d.figure.add({.id = id + ".pick" + std::to_string(j),
                    .role = Role::token,
                    .rect = {rect.x + 1, rect.y, rect.w - 2, rect.h},
                    .label = "Change " + names[j],
                    .edit = Edit{.field = "key", .value = std::to_string(j)},
                    .shape = Rectangle{.fill = d.colours.accent.faded(on ? 0.16F : 0),
                                       .stroke = d.colours.accent.faded(on ? 1 : 0.3F),
                                       .radius = 6},
                    .furniture = true});
    add_words(d, id + ".name" + std::to_string(j), rect, names[j],
              {on ? d.colours.ink : d.colours.muted,
               {on ? text::Face::semibold : text::Face::regular, size},
               upright ? Align::right : Align::centre,
               upright});
  }
}

// ---- of sums along and down ----

constexpr float kSumWidth = 52, kSumGap = 8, kOutputGap = 28;
constexpr float kNumbered = 22;  // a cell's least width for ".23"

float names_width(const Drawing& d) {
  float width = 0;
  for (const std::string& name : query_names(d.state))
    width = std::max(width, text::measure(text::Face::regular, 12, name));
  return width + 8;
}

struct Grid {
  std::string id, tensor;
  Rect rect;
  Colour tint{};  // of numbers that are no weights
  bool weights = false;
  int decimals = 2;
  bool narrow = false;  // ".23" where there is no room for more
};

// A number in a cell too narrow for "0.234": ".23", "1.4". What is more than nothing never reads as nothing.
std::string narrow_number(double value, float room) {
  const bool wide = room >= text::measure(text::Face::mono, 11, "0.23");
  if (value == 0) return "0";
  if (value > 0 && value < 0.005) return room >= text::measure(text::Face::mono, 11, "<.01") ? "<.01" : "≈0";
  std::string written = io::format_fixed(value, wide || value < 0.995 ? 2 : 1);
  if (!wide && written.starts_with("0.")) written.erase(0, 1);
  return written;
}

// The numbers of narrow cells, which their grid itself leaves out.
void add_narrow_numbers(Drawing& d, const Grid& grid, float gap) {
  const Matrix& values = d.values(grid.tensor);
  const float w = grid.rect.w / static_cast<float>(values.cols()), h = grid.rect.h / static_cast<float>(values.rows());
  if (w < kNumbered) return;
  const float largest = limit_of(d.trace.at(grid.tensor));
  const auto fill = [&](float value) {
    return grid.weights ? sample(ColourMap::viridis, value, d.view.theme)
                        : cell_fill(d.colours, grid.tint, std::abs(value) / largest);
  };
  for (int i = 0; i < values.rows(); ++i)
    for (int j = 0; j < values.cols(); ++j) {
      const float x = grid.rect.x + w * static_cast<float>(j), y = grid.rect.y + h * static_cast<float>(i);
      add_words(d, grid.id + ".number" + std::to_string(i) + "." + std::to_string(j), {x, y, w, h},
                narrow_number(static_cast<double>(values(i, j)), w - gap - 2),
                {ink_on(fill(values(i, j))), type::small_number, Align::centre});
    }
}

void add_grid(Drawing& d, const Grid& grid) {
  const Tensor& tensor = d.trace.at(grid.tensor);
  const CellRange range{grid.tensor, 0, 0, tensor.rows(), tensor.columns()};
  const float cell_w = grid.rect.w / static_cast<float>(tensor.columns());
  const bool narrow = cell_w < 44 && (grid.weights || grid.narrow);
  const float gap = cell_w < 32 ? 1 : 2, size = narrow ? 0.F : cell_w < 44 ? 11.F : 12.F;
  Element cells{.id = grid.id,
                .role = Role::cell,
                .rect = grid.rect,
                .label = words_of_name(grid.tensor) + " " + std::to_string(tensor.rows()) + "×" +
                         std::to_string(tensor.columns()),
                .shape = MatrixCells{.range = range,
                                     .gap = gap,
                                     .text_size = size,
                                     .decimals = grid.decimals,
                                     .tint = grid.tint,
                                     .theme = d.view.theme}};
  if (grid.weights)
    cells.shape = Heatmap{.range = range, .gap = gap, .text_size = size, .decimals = 3, .theme = d.view.theme};
  d.figure.add(std::move(cells));
  if (narrow) add_narrow_numbers(d, grid, gap);
}

// Instead of numbers in columns that are too narrow for them: what the colours mean, and the sums in words.
void add_narrow_sums(Drawing& d, const std::string& end, Rect line) {
  d.figure.add({.id = "A" + end + ".bar",
                .rect = {line.x, line.y, line.w * 0.4F, kColourBarSize},
                .shape = ColourBar{.ink = d.colours.muted, .theme = d.view.theme}});
  const Matrix& sums = d.values("column_sum" + end);
  const auto low = static_cast<double>(sums.minCoeff()), high = static_cast<double>(sums.maxCoeff());
  add_words(d, "A" + end + ".sums", {line.x + line.w * 0.4F + 14, line.y - 2, line.w * 0.6F - 14, 16},
            low == high ? "sums " + io::format_fixed(low, 2)
                        : "sums " + io::format_fixed(low, 2) + " to " + io::format_fixed(high, 2),
            {d.colours.muted, type::caption});
}

}  // namespace

float add_facts(Drawing& d, const std::vector<Fact>& facts, Point at, float width) {
  constexpr float line = 20, gap = 14;
  float x = 0, y = at.y;
  for (const Fact& fact : facts) {
    const float needed = text::measure(text::Face::semibold, 13, fact.words);
    if (x > 0 && x + needed > width) {
      x = 0;
      y += line;
    }
    d.figure.add({.id = cell_id(fact.source),
                  .role = Role::cell,
                  .rect = {at.x + x, y, needed, line},
                  .label = fact.words,
                  .source = fact.source,
                  .shape = Text{.text = fact.words, .face = text::Face::semibold, .size = 13, .colour = fact.colour}});
    x += needed + gap;
  }
  return y + line;
}

float add_choices(Drawing& d, ChipGroup group, float y) {
  for (Chip& chip : group.chips) chip.label = std::string(group.name) + ": " + chip.text;
  if (d.shallow() && chips_width(group, d.press_height()) > d.inner()) group.name = "";
  return add_chips(d, {group}, y, d.press_height());
}

float add_queries(Drawing& d, float y) {
  ChipGroup group{"query", "query", {}};
  const std::vector<std::string> names = query_names(d.state);
  for (std::size_t i = 0; i < names.size(); ++i)
    group.chips.push_back({names[i], std::to_string(i), static_cast<int>(i) == d.state.query});
  return add_choices(d, std::move(group), y) + 8;
}

float add_slider(Drawing& d, std::string_view field, Rect line, std::string_view low, std::string_view high) {
  const auto [name, value, range, logarithmic] = setting_of(d.state, field);
  const double share = logarithmic ? std::log(value / range.low) / std::log(range.high / range.low)
                                   : (value - range.low) / (range.high - range.low);
  const float low_w = text::measure(text::Face::regular, 12, low),
              high_w = text::measure(text::Face::regular, 12, high);
  const float height = d.press_height();
  const Rect track{line.x + low_w + 16, line.y, line.w - low_w - high_w - 32, height};
  const std::string id = "slide." + std::string(field);
  const std::size_t from = d.figure.elements.size();
  const float middle = track.y + height / 2, knob = track.x + track.w * std::clamp(static_cast<float>(share), 0.F, 1.F);
  add_words(d, id + ".low", {line.x, line.y, low_w + 1, height}, std::string(low), {d.colours.muted});
  add_words(d, id + ".high", {line.x + line.w - high_w - 1, line.y, high_w + 1, height}, std::string(high),
            {.colour = d.colours.muted, .align = Align::right});
  d.figure.add({.id = id + ".track",
                .rect = {track.x, middle - 2, track.w, 4},
                .shape = Rectangle{.fill = d.colours.track, .radius = 2}});
  // Where nothing is changed.
  const double rest = field == "move" || field == "raise" ? 0 : field == "temperature" || field == "factor" ? 1 : -1;
  if (rest >= 0) {
    const double at = logarithmic ? std::log(rest / range.low) / std::log(range.high / range.low)
                                  : (rest - range.low) / (range.high - range.low);
    d.figure.add({.id = id + ".rest",
                  .rect = {track.x + track.w * static_cast<float>(at) - 1, middle - 6, 2, 12},
                  .shape = Rectangle{.fill = d.colours.faint, .radius = 1}});
  }
  const float radius = d.view.hovered == id ? 9 : 8;
  d.figure.add(
      {.id = id + ".knob",
       .rect = {knob - radius, middle - radius, 2 * radius, 2 * radius},
       .shape = Rectangle{.fill = d.colours.lamp, .stroke = d.colours.accent, .stroke_width = 2, .radius = radius}});
  d.figure.add({.id = id,
                .role = Role::slider,
                .rect = track,
                .label = std::string(name) + ": " + io::format_short(value) + ", from " + std::string(low) + " to " +
                         std::string(high),
                .edit = Edit{.field = std::string(field)}});
  mark_furniture(d.figure, from);
  return line.y + height;
}

float add_controls(Drawing& d, std::string_view field, float y, std::string_view low, std::string_view high) {
  const float below = add_queries(d, y);
  if (!d.low()) return add_slider(d, field, {d.margin(), below, std::min(d.inner(), 520.F), 0}, low, high);
  const float x = d.figure.elements.back().rect.right() + kGap;  // the last query's
  return add_slider(d, field, {x, y, std::min(d.margin() + d.inner() - x, 520.F), 0}, low, high);
}

// ---- columns ----

Plot add_columns_of(Drawing& d, const std::string& id, std::string_view tensor, int row, Rect area,
                    const ColumnsLook& how) {
  const Matrix& values = d.values(tensor);
  const int n = static_cast<int>(values.cols());
  add_subtitle(d, id + ".title", {area.x, area.y}, area.w, how.title);
  if (how.pick) append_hint(d.figure, ": choose a key");
  Axis across{.low = 0, .high = static_cast<double>(n), .label = how.keys, .ticks = {{0, ""}}};  // names stand below
  const double largest = static_cast<double>(values.row(row).maxCoeff());
  Axis up{.low = 0, .high = how.high > 0 ? how.high : std::max(largest * 1.02, 1e-3), .label = how.quantity};
  if (how.weights) up = {.low = 0, .high = 1, .label = how.quantity, .ticks = {{0, "0"}, {0.5, "0.5"}, {1, "1"}}};
  const std::vector<std::string>& names = d.trace.at(tensor).column_labels;
  const bool upright = widest(names, 11) > (area.w - 56) / static_cast<float>(n) - 3;
  const float top = 34;
  const float below = upright ? widest(names, 11) - 14 : !how.pick ? 0 : d.view.compact() ? 28 : 4;
  const Plot plot =
      add_plot(d.figure, id, {area.x, area.y + top, area.w, area.h - top - below}, across, up, d.view.theme);
  std::erase_if(d.figure.elements, [&](const Element& element) { return element.id.starts_with(id + ".x0"); });
  std::vector<double> edges;
  for (int j = 0; j <= n; ++j) edges.push_back(j);
  const std::size_t first = d.figure.elements.size();
  add_columns(d.figure, plot, d.trace, tensor, row, edges, how.fill);
  const float pitch = plot.frame.w / static_cast<float>(n), gap = std::min(pitch * 0.14F, 14.F);
  // A bar, then what takes the pointer, for each key.
  for (std::size_t i = first; i < d.figure.elements.size(); i += 2) {
    Element& element = d.figure.elements[i];
    element.rect = {element.rect.x + gap, element.rect.y, element.rect.w - 2 * gap, element.rect.h};
    if (!how.weights) continue;
    auto& bar = std::get<Rectangle>(element.shape);
    bar.fill = sample(ColourMap::viridis, values(row, static_cast<Eigen::Index>(i - first) / 2), d.view.theme);
    bar.stroke = d.colours.muted.faded(0.6F);
  }
  for (int j = 0; pitch >= 27 && j < n; ++j) {
    const auto number = static_cast<double>(values(row, j));
    const Point at = plot.at(j + 0.5, std::clamp(number, up.low, up.high));
    add_words(d, id + ".value" + std::to_string(j), {at.x - pitch / 2, at.y - 16, pitch, 14},
              column_number(number, how.weights, pitch), {d.colours.ink, type::small_number, Align::centre});
  }
  add_names(d, id, names, plot, upright, how.pick);
  return plot;
}

float add_row_of(Drawing& d, std::string_view tensor, int row, Rect area, const std::string& title, bool typed) {
  const Matrix& values = d.values(tensor);
  const int n = static_cast<int>(values.cols());
  add_subtitle(d, std::string(tensor) + ".title", {area.x, area.y}, area.w, title);
  const float cell_w = std::min(area.w / static_cast<float>(n), 84.F), cell_h = 26, y = area.y + 40;
  for (int j = 0; j < n; ++j)
    add_words(d, std::string(tensor) + ".name" + std::to_string(j),
              {area.x + cell_w * static_cast<float>(j), area.y + 21, cell_w, 18}, d.keys[static_cast<std::size_t>(j)],
              {.colour = d.colours.muted, .align = Align::centre});
  const std::string name(tensor);
  Element cells{.id = name,
                .role = Role::cell,
                .rect = {area.x, y, cell_w * static_cast<float>(n), cell_h},
                .label = title + " 1×" + std::to_string(n),
                .shape = MatrixCells{.range = {name, row, 0, 1, n},
                                     .text_size = cell_w < 44 ? 11.F : 12.F,
                                     .decimals = cell_w < 44 ? 1 : 2,
                                     .tint = d.colours.score_fill,
                                     .theme = d.view.theme}};
  if (typed) cells.edit = Edit{.field = name};
  d.figure.add(std::move(cells));
  return y + cell_h;
}

// ---- sums along and down ----

bool sums_beside(const Drawing& d) {
  const float half = (d.inner() - 28) / 2 - names_width(d) - kSumWidth - kSumGap;
  return !d.narrow() && half / static_cast<float>(d.keys.size()) >= 34;
}

float add_sums(Drawing& d, const std::string& end, Rect area, float cell_h) {
  const bool wrong = !end.empty();
  const std::string id = "A" + end;
  const Tensor &A = d.trace.at(id), &Y = d.trace.at("Y" + end);
  const auto rows = static_cast<float>(A.rows()), columns = static_cast<float>(A.columns());
  const float names = names_width(d);
  // The output stands beside where there is room, else below.
  const float y_w = std::min(56.F * static_cast<float>(Y.columns()), area.w - names);
  const float room = area.w - names - kSumWidth - kSumGap;
  const bool beside = (room - y_w - kOutputGap) / columns >= 34;
  const float cell_w = std::min((beside ? room - y_w - kOutputGap : room) / columns, 62.F);
  const bool upright = widest(d.keys, 11) > cell_w - 2;
  const float names_h = upright ? widest(d.keys, 11) + 8 : 20;
  const std::string shape = std::to_string(A.rows()) + "×" + std::to_string(A.columns());
  const Colour verdict = wrong ? d.colours.warning : d.colours.good;
  add_heading(d, id + ".title", {area.x, area.y}, area.w, wrong ? "Softmax down the queries" : "Softmax along the keys",
              verdict, "A  " + shape);
  const Rect cells{area.x + names, area.y + 24 + names_h, cell_w * columns, cell_h * rows};
  for (int j = 0; j < A.columns(); ++j)
    add_words(
        d, id + ".key" + std::to_string(j),
        {cells.x + cell_w * static_cast<float>(j), cells.y - names_h, cell_w, names_h - 2},
        d.keys[static_cast<std::size_t>(j)],
        {d.colours.muted, cell_w < 44 ? type::caption : type::label, upright ? Align::left : Align::centre, upright});
  const auto name_rows = [&](const char* which, float y) {
    for (int i = 0; i < A.rows(); ++i)
      add_words(d, id + which + std::to_string(i), {area.x, y + cell_h * static_cast<float>(i), names - 6, cell_h},
                A.row_labels[static_cast<std::size_t>(i)], {.colour = d.colours.query, .align = Align::right});
  };
  name_rows(".row", cells.y);
  add_grid(d, {.id = id, .tensor = id, .rect = cells, .weights = true});
  const Rect sums{cells.right() + kSumGap, cells.y, kSumWidth, cells.h};
  add_words(d, id + ".row_sum.name", {sums.x - 4, sums.y - 20, sums.w + 8, 18}, "row sum",
            {d.colours.muted, type::caption, Align::centre});
  add_grid(
      d, {.id = id + ".row_sum", .tensor = "row_sum" + end, .rect = sums, .tint = d.colours.score_fill, .decimals = 3});
  const Rect down{cells.x, cells.bottom() + 4, cells.w, cell_h};
  if (cell_w >= kNumbered) {
    add_words(d, id + ".column_sum.name", {area.x, down.y, names - 6, cell_h}, "sum",
              {d.colours.muted, type::caption, Align::right});
    add_grid(d, {.id = id + ".column_sum",
                 .tensor = "column_sum" + end,
                 .rect = down,
                 .tint = d.colours.score_fill,
                 .decimals = 3,
                 .narrow = true});
    // What the colours mean, where the heading leaves room for it.
    const float right = beside ? sums.right() : area.x + area.w;
    const float heading =
        text::measure(text::Face::semibold, 14, wrong ? "Softmax down the queries" : "Softmax along the keys") + 24 +
        text::measure(text::Face::regular, 12, "A  " + shape);
    const float bar = std::min(right - area.x - heading, 96.F);
    if (bar >= 48)
      d.figure.add({.id = id + ".bar",
                    .rect = {right - bar, area.y - 4, bar, kColourBarSize},
                    .shape = ColourBar{.ink = d.colours.muted, .theme = d.view.theme}});
  } else {
    add_narrow_sums(d, end, {cells.x, down.y + 2, area.x + area.w - cells.x, cell_h});
  }
  add_outline(d.figure, wrong ? "column_sum" + end : "row_sum" + end, -1, -1, verdict);
  const Rect out{beside ? sums.right() + kOutputGap : cells.x, beside ? cells.y : down.bottom() + 44, y_w,
                 cell_h * rows};
  add_heading(d, id + ".Y.name", {out.x, beside ? area.y : out.y - 38}, beside ? y_w : area.w - names, "Y",
              d.colours.output, beside && y_w < 130 ? "" : "the output A V");
  for (int j = 0; j < Y.columns(); ++j)
    add_words(d, id + ".Y.feature" + std::to_string(j),
              {out.x + y_w / static_cast<float>(Y.columns()) * static_cast<float>(j), out.y - 20,
               y_w / static_cast<float>(Y.columns()), 18},
              Y.column_labels[static_cast<std::size_t>(j)], {.colour = d.colours.muted, .align = Align::centre});
  if (!beside) name_rows(".Y.row", out.y);
  add_grid(d, {.id = id + ".Y", .tensor = "Y" + end, .rect = out, .tint = d.colours.output_fill});
  if (wrong)
    for (int i = 0; i < Y.rows(); ++i)
      for (int j = 0; j < Y.columns(); ++j)
        if (d.value("outside", i, j) > 0) add_outline(d.figure, "Y_wrong", i, j, d.colours.warning, 1.5F);
  const float bottom = std::max(down.bottom(), out.bottom());
  if (d.low()) return bottom;
  return bottom + 10 +
         add_paragraph(
             d.figure, id + ".note",
             !wrong ? "Each **row** sums to 1: a query shares out its attention, and its output is a mean of "
                      "the values."
             : (d.values("outside").array() > 0).any()
                 ? "Each **column** sums to 1: the queries share out every key. Outlined outputs lie outside "
                   "of what the values span."
                 : "Each **column** sums to 1: the queries share out every key. An output is too large or too "
                   "small by its row’s sum.",
             {area.x, bottom + 10}, area.w, 13, d.colours.ink, verdict, 1.4F);
}

}  // namespace limelight::scenes::limits
