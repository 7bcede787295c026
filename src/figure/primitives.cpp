// Elements broken up into what every painter paints.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "figure/cell_numbers.h"
#include "figure/cells.h"
#include "figure/figure.h"
#include "figure/order.h"
#include "figure/paint.h"
#include "figure/small_cells.h"
#include "io/numbers.h"

namespace limelight::figure {
namespace {

// Collects primitives that share an element's opacity and clip.
struct Sink {
  const Element& element;
  const Trace& trace;
  std::vector<Primitive> out{};

  void add(PrimitiveShape shape) {
    out.push_back({.shape = std::move(shape), .opacity = element.opacity, .clip = element.clip});
  }
  void fill(const Rect& rect, Colour colour, float radius = 0) {
    if (colour.a == 0 || rect.w <= 0 || rect.h <= 0) return;
    add(RectanglePrimitive{.rect = rect, .style = {.fill = colour, .radius = radius}});
  }
  void line(std::vector<Point> points, Colour colour, float width, bool dashed = false) {
    if (points.size() < 2 || colour.a == 0) return;
    add(PolylinePrimitive{.points = std::move(points), .colour = colour, .width = width, .dashed = dashed});
  }
  // Capitals stand in the middle of the rect.
  void text(const Rect& rect, const Text& text) {
    if (text.text.empty() || text.colour.a == 0 || text.size <= 0) return;
    const float width = text::measure(text.face, text.size, text.text);
    const float cap = text::metrics(text.face, text.size).cap_height;
    const float along = text.vertical ? rect.h : rect.w;
    const float slack = along - width;
    const float start = text.align == Align::left ? 0 : text.align == Align::right ? slack : slack / 2;
    const Point middle = rect.centre();
    // Upright text runs to the right; vertical text upwards, its capitals to the left of the baseline.
    const Point baseline =
        text.vertical ? Point{middle.x + cap / 2, rect.bottom() - start} : Point{rect.x + start, middle.y + cap / 2};
    add(TextPrimitive{.text = text.text,
                      .face = text.face,
                      .size = text.size,
                      .colour = text.colour,
                      .baseline = baseline,
                      .width = width,
                      .vertical = text.vertical,
                      .drawn_at = text.drawn_at});
  }
  // `dotted`: a dotted line says that it can be changed, where it can.
  void number(const Rect& rect, std::string text, float size, Colour colour, Align align = Align::centre,
              bool dotted = true) {
    const Text number{.text = std::move(text), .face = kNumberFace, .size = size, .colour = colour, .align = align};
    this->text(rect, number);
    if (dotted && element.edit && rect.h > 0) dots(rect, number);
  }
  // Below a number that can be changed, where there is room for them in its cell.
  void dots(const Rect& cell, const Text& number) {
    constexpr float kPitch = 3, kFaint = 0.7F;
    const float width = text::measure(number.face, number.size, number.text);
    const float slack = cell.w - width;
    const float x = cell.x + (number.align == Align::left ? 0 : number.align == Align::right ? slack : slack / 2);
    const float cap = text::metrics(number.face, number.size).cap_height;
    constexpr float kUnder = 2, kDot = 1, kRounding = 0.5F;  // so that all cells of a height have them, or none
    if (cap / 2 + kUnder + kDot + kRounding > cell.h / 2) return;
    const float y = std::round(cell.centre().y + cap / 2 + kUnder);
    for (float dot = x; dot + 1 <= x + width; dot += kPitch) fill({dot, y, 1, 1}, number.colour.faded(kFaint));
  }
  [[nodiscard]] bool shows(const Rect& rect) const {
    const std::optional<Rect>& clip = element.clip;
    return !clip ||
           (rect.x < clip->right() && rect.right() > clip->x && rect.y < clip->bottom() && rect.bottom() > clip->y);
  }
};

// ---- each kind
// ---------------------------------------------------------------------------------------------------------

void break_up(Sink& /*sink*/, std::monostate) {}

void break_up(Sink& sink, const Rectangle& rectangle) {
  sink.add(RectanglePrimitive{.rect = sink.element.rect, .style = rectangle});
}

void break_up(Sink& sink, const Text& text) {
  sink.text(sink.element.rect, text);
  if (sink.element.edit && sink.element.role == Role::cell) sink.dots(sink.element.rect, text);
}

void break_up(Sink& sink, const FormulaBox& box) {
  constexpr float kSlack = 0.5F;  // CSS pixels; a rect as wide as the formula was measured must not break it
  const Rect& rect = sink.element.rect;
  const float width = rect.w > 0 ? rect.w + kSlack : std::numeric_limits<float>::max();
  const std::vector<SetFormula> lines = set_lines(box.formula, box.size, width);
  float top = rect.centre().y - lines_height(lines, box.size) / 2;
  for (const SetFormula& line : lines) {
    const float x = rect.x;
    const float y = top + line.ascent;
    for (const SetText& run : line.texts) {
      sink.add(TextPrimitive{.text = run.text,
                             .face = run.face,
                             .size = run.size,
                             .colour = run.colour.value_or(box.colour),
                             .baseline = {x + run.baseline.x, y + run.baseline.y},
                             .width = text::measure(run.face, run.size, run.text)});
    }
    for (const SetRule& rule : line.rules) sink.fill(rule.rect.moved(x, y), rule.colour.value_or(box.colour));
    for (const SetStroke& stroke : line.strokes) {
      std::vector<Point> points = stroke.points;
      for (Point& p : points) p = {p.x + x, p.y + y};
      sink.line(std::move(points), stroke.colour.value_or(box.colour), stroke.width);
    }
    top = y + line.descent + kLineGap * box.size;
  }
}

void break_up(Sink& sink, const Line& line) { sink.line(line.points, line.colour, line.width, line.dashed); }

void break_up(Sink& sink, const Curve& curve) { sink.add(CurvePrimitive{.curve = curve}); }

void break_up(Sink& sink, const Arrow& arrow) {
  constexpr float kHead = 7;  // CSS pixels long and wide
  const float dx = arrow.to.x - arrow.from.x;
  const float dy = arrow.to.y - arrow.from.y;
  const float length = std::hypot(dx, dy);
  if (length <= 0) return;
  const float head = std::min(kHead, length);
  const Point along{dx / length, dy / length};
  const Point base{arrow.to.x - along.x * head, arrow.to.y - along.y * head};
  const Point side{-along.y * head / 2, along.x * head / 2};
  if (length > head) {
    // The shaft ends inside the head, so that no seam shows.
    sink.line({arrow.from, mix(base, arrow.to, 0.2F)}, arrow.colour, arrow.width);
  }
  sink.add(AreaPrimitive{
      .area = {.points = {arrow.to, {base.x + side.x, base.y + side.y}, {base.x - side.x, base.y - side.y}},
               .fill = arrow.colour,
               .fill_to = arrow.colour}});
}

void break_up(Sink& sink, const Area& area) { sink.add(AreaPrimitive{.area = area}); }

// Diagonal lines over a rect, from lower left to upper right.
void hatch(Sink& sink, const Rect& rect, Colour colour) {
  constexpr float kStep = 6;  // CSS pixels along the top edge
  for (float d = kStep; d < rect.w + rect.h; d += kStep) {
    // The line x + y = d, in the rect's own coordinates.
    const float x0 = std::max(0.0F, d - rect.h);
    const float x1 = std::min(d, rect.w);
    sink.line({{rect.x + x0, rect.y + d - x0}, {rect.x + x1, rect.y + d - x1}}, colour, 1);
  }
}

// The largest size of numbers that are any; 0 when all are 0.
float largest_of(const Matrix& values) {
  float largest = 0;
  for (const float value : values.reshaped<Eigen::RowMajor>())
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  return largest;
}

// The size of number whose cell is the fullest, of each of the range's columns.
std::vector<float> scales_of(const MatrixCells& matrix, const Tensor* tensor) {
  std::vector<float> scales(static_cast<std::size_t>(std::max(matrix.range.columns, 0)), matrix.largest);
  if (tensor == nullptr || matrix.largest > 0) return scales;
  const bool each = matrix.largest == kEachColumn;
  const float whole = each ? 0 : largest_of(tensor->values);
  for (int i = 0; i < matrix.range.columns; ++i) {
    const int column = matrix.range.column + i;
    const bool own = each && column >= 0 && column < tensor->columns();
    scales[static_cast<std::size_t>(i)] = own ? largest_of(tensor->values.col(column)) : whole;
  }
  return scales;
}

// The mark of a negative number, in a cell's lower right corner.
void notch(Sink& sink, const Rect& cell, Colour colour) {
  const float side = 0.3F * std::min(cell.w, cell.h);
  const float right = cell.right(), bottom = cell.bottom();
  sink.add(AreaPrimitive{.area = {.points = {{right, bottom - side}, {right, bottom}, {right - side, bottom}},
                                  .fill = colour,
                                  .fill_to = colour}});
}

// CSS pixels; lower or narrower cells have neither edges nor round corners, which would be most of them.
constexpr float kPlain = 8;

void break_up(Sink& sink, const MatrixCells& matrix) {
  constexpr float kStripe = 4;    // CSS pixels; narrower cells are stripes
  constexpr float kEdge = 0.35F;  // of the tint, around cells on a light ground, where those of small numbers are pale
  const std::optional<Rect> first = cell_rect(sink.element, matrix.range.row, matrix.range.column);
  if (!first) return;
  const Tensor* tensor = sink.trace.find(matrix.range.tensor);
  const CellNumbers numbers(matrix.range, tensor, *first, matrix.text_size, matrix.decimals);
  const Palette& colours = palette(matrix.theme);
  const std::vector<float> scales = scales_of(matrix, tensor);
  const Colour edge = is_dark(matrix.theme) ? Colour{0, 0, 0, 0} : matrix.tint.faded(kEdge);
  each_cell(matrix.range, [&](int row, int column) {
    const Rect cell = *cell_rect(sink.element, row, column);
    if (!sink.shows(cell)) return;
    const std::optional<float> value = value_at(tensor, row, column);
    const float largest = scales[static_cast<std::size_t>(column - matrix.range.column)];
    const bool counts = value && *value != kMasked && largest > 0;
    const bool dims = counts && *value < 0 && matrix.tint == colours.score_fill;  // a score below 0 is no light
    const Colour tint = dims ? unlit_score(colours) : matrix.tint;
    const Colour fill = cell_fill(colours, tint, counts ? std::abs(*value) / largest : 0.0F);

    if (std::min(cell.w, cell.h) < kPlain)
      sink.add(RectanglePrimitive{.rect = cell, .style = {.fill = fill}});
    else
      sink.add(RectanglePrimitive{.rect = cell, .style = {.fill = fill, .stroke = edge, .radius = matrix.radius}});
    if (cell.w < kStripe) return;
    if (counts && *value < 0) notch(sink, cell, colours.surface);
    if (value == kMasked) hatch(sink, cell, colours.ink.faded(0.16F));
    if (!value || numbers.none()) return;
    const bool zero = *value == 0, dot = zero && matrix.sparse;  // what is there stands out
    sink.number(cell, dot ? "·" : numbers.format(*value), matrix.text_size,
                dot    ? colours.muted
                : zero ? colours.faint
                       : ink_on(fill),
                Align::centre, !dot);
  });
}

void break_up(Sink& sink, const Heatmap& heatmap) {
  const std::optional<Rect> first = cell_rect(sink.element, heatmap.range.row, heatmap.range.column);
  if (!first) return;
  const Tensor* tensor = sink.trace.find(heatmap.range.tensor);
  const Palette& colours = palette(heatmap.theme);
  const bool whole = heatmap.range.rows * heatmap.range.columns > kWholeHeatmap;
  if (whole) sink.add(HeatmapPrimitive{.rect = sink.element.rect, .heatmap = heatmap});
  const bool bare = heatmap.told_row >= 0;  // beside a lamp's row: ".38"
  const CellNumbers numbers(heatmap.range, tensor, *first, heatmap.text_size, heatmap.decimals, bare);
  if (whole && numbers.none()) return;
  const float side = std::min(first->w, first->h), radius = side < kPlain ? 0 : std::min(4.0F, 0.12F * side);
  const HeatmapReader reader(heatmap, sink.trace);
  each_cell(heatmap.range, [&](int row, int column) {
    const Rect cell = *cell_rect(sink.element, row, column);
    const std::optional<float> value = value_at(tensor, row, column);
    if (!value || !sink.shows(cell)) return;
    const std::optional<Colour> colour = reader.colour(row, column);
    if (!whole) sink.fill(cell, colour.value_or(colours.sunken), radius);
    if (!whole && !colour) hatch(sink, cell, colours.faint.faded(kHatchOpacity));
    if (numbers.none() || (std::abs(*value) < heatmap.told_from && row != heatmap.told_row)) return;
    const bool zero = *value == 0;  // masked, or too small for a computer: exactly that
    std::string text = zero ? "0" : numbers.format(*value);
    if (bare) text = without_zero(std::move(text));
    const Colour ink = colour ? ink_on(*colour) : colours.ink;
    // Below a lamp's sentence the dotted lines of its row say it for all.
    sink.number(cell, text, heatmap.text_size, ink, Align::centre, !bare || row == heatmap.told_row);
  });
}

void break_up(Sink& sink, const Arcs& arcs) {
  constexpr float kFaint = 0.3F;  // the other queries' arcs beside the chosen one's
  struct Drawn {
    int row;
    int column;
    float weight;
  };
  const CellRange& range = arcs.range;
  const Tensor* tensor = sink.trace.find(range.tensor);
  std::vector<Drawn> drawn;
  if (tensor == nullptr) return;
  std::vector<float> least;
  for (int row = range.row; row < range.row + range.rows; ++row) least.push_back(least_drawn(arcs, *tensor, row));
  each_cell(range, [&](int row, int column) {
    const float weight = std::clamp(value_at(tensor, row, column).value_or(0), 0.0F, 1.0F);
    if (arcs.alone && row != arcs.row) return;
    if (weight > 0 && weight >= least[static_cast<std::size_t>(row - range.row)])
      drawn.push_back({row, column, weight});
  });
  // The strongest on top, the chosen row's above all others.
  std::vector<float> keys;
  for (const Drawn& arc : drawn) keys.push_back(arc.weight + (arc.row == arcs.row ? 2.F : 0.F));
  const Rect& rect = sink.element.rect;
  const auto middle = [&rect](int index, int count) {
    return rect.y + (static_cast<float>(index) + 0.5F) * rect.h / static_cast<float>(count);
  };
  for (const int place : smallest_first(std::move(keys))) {
    const Drawn& arc = drawn[static_cast<std::size_t>(place)];
    const Point from{rect.x, middle(arc.row - range.row, range.rows)};
    const Point to{rect.right(), middle(arc.column - range.column, range.columns)};
    const float strength = 0.25F + 0.75F * arc.weight;
    const bool faint = arcs.row >= 0 && arc.row != arcs.row;
    sink.add(CurvePrimitive{.curve = {.from = from,
                                      .control_from = {rect.centre().x, from.y},
                                      .control_to = {rect.centre().x, to.y},
                                      .to = to,
                                      .colour = arcs.colour.faded(faint ? kFaint * strength : strength),
                                      .width = arcs.max_width * arc.weight}});
  }
}

void break_up(Sink& sink, const Bars& bars) {
  const Rect& rect = sink.element.rect;
  const Tensor* tensor = sink.trace.find(bars.range.tensor);
  for (int i = 0; i < bars.range.columns; ++i) {
    const std::optional<float> value = value_at(tensor, bars.range.row, bars.range.column + i);
    if (!value) continue;
    const float share = bars.high > 0 && *value > 0 ? std::min(*value / bars.high, 1.0F) : 0.0F;
    const float y = rect.y + static_cast<float>(i) * bars.pitch + (bars.pitch - bars.bar_h) / 2;
    const Rect bar{rect.x, y, std::max(1.0F, share * rect.w), bars.bar_h};
    sink.fill(bar, sample(bars.map, share, bars.theme), std::min({3.0F, bar.w / 2, bar.h / 2}));
  }
}

void break_up(Sink& sink, const ColourBar& bar) {
  constexpr float kOverlap = 0.5F;  // CSS pixels, so that no seam shows between stripes
  constexpr float kTick = 3;
  constexpr float kTextSize = kColourBarText;
  constexpr float kForMiddle = 72;  // length from which the middle has its number
  const Rect& rect = sink.element.rect;
  const bool upright = rect.w <= rect.h;
  const float length = upright ? rect.h : rect.w;
  const float thickness = std::min(kColourBarSize, upright ? rect.w : rect.h);
  const int stripes = std::clamp(static_cast<int>(length / 2), 24, 128);
  // A piece of the bar from `from` to `to`, as shares of its length counted from its low end.
  const auto piece = [&](float from, float to) {
    return upright ? Rect{rect.x, rect.bottom() - to * length, thickness, (to - from) * length}
                   : Rect{rect.x + from * length, rect.y, (to - from) * length, thickness};
  };
  for (int i = 0; i < stripes; ++i) {
    const float of = static_cast<float>(stripes), from = static_cast<float>(i) / of;
    const float to = std::min(1.0F, static_cast<float>(i + 1) / of + kOverlap / std::max(length, 1.0F));
    sink.fill(piece(from, to), sample(bar.map, static_cast<float>(i) / (of - 1), bar.theme));
  }

  const float cap = text::metrics(kNumberFace, kTextSize).cap_height;
  for (std::size_t i = 0; i < bar.words.size(); ++i) {
    const float t = static_cast<float>(i) / 2;
    if (t == 0.5F && length < kForMiddle) continue;
    const Rect at = piece(t, t);
    const float tick_x = std::clamp(at.x, rect.x + 0.5F, rect.right() - 0.5F);
    const float tick_y = std::clamp(at.y, rect.y + 0.5F, rect.bottom() - 0.5F);
    const float value = mix(bar.low, bar.high, t);
    std::string label = !bar.words[i].empty() ? std::string(bar.words[i])
                        : bar.decimals < 0    ? io::format_short(value)
                                              : without_zero(io::format_fixed(value, bar.decimals));
    if (upright) {
      sink.line({{rect.x + thickness, tick_y}, {rect.x + thickness + kTick, tick_y}}, bar.ink, 1);
      // The numbers at the ends stay between the ends.
      const float y = std::clamp(at.y, rect.y + cap / 2, std::max(rect.y + cap / 2, rect.bottom() - cap / 2));
      sink.number({rect.x + thickness + 2 * kTick, y, 0, 0}, label, kTextSize, bar.ink, Align::left);
    } else {
      sink.line({{tick_x, rect.y + thickness}, {tick_x, rect.y + thickness + kTick}}, bar.ink, 1);
      const Align align = t == 0 ? Align::left : t == 1 ? Align::right : Align::centre;
      sink.number({at.x, rect.y + thickness + 2 * kTick + cap / 2, 0, 0}, label, kTextSize, bar.ink, align);
    }
  }
}

void break_up(Sink& sink, const Pixels& pixels) {
  const Tensor* tensor = sink.trace.find(pixels.tensor);
  if (tensor == nullptr || pixels.width <= 0 || tensor->columns() != 3) return;
  sink.add(PixelsPrimitive{.rect = sink.element.rect, .pixels = pixels});
}

void break_up(Sink& sink, const Ribbon& ribbon) {
  if (ribbon.one.size() < 2 || ribbon.one.size() != ribbon.other.size() || ribbon.stops.size() < 2) return;
  sink.add(RibbonPrimitive{.ribbon = ribbon});
}

// Light that fades is less light, not light behind a veil.
void break_up(Sink& sink, const Light& light) {
  LightPrimitive dimmed{.light = light};
  for (Light::Beam& beam : dimmed.light.beams) beam.intensity *= sink.element.opacity;
  for (Light::Spot& spot : dimmed.light.spots) spot.intensity *= sink.element.opacity;
  sink.out.push_back({.shape = std::move(dimmed), .opacity = 1, .clip = sink.element.clip});
}

}  // namespace

std::vector<Primitive> primitives(const Element& element, const Trace& trace) {
  if (!(element.opacity > 0)) return {};
  Sink sink{.element = element, .trace = trace};
  std::visit([&sink](const auto& shape) { break_up(sink, shape); }, element.shape);
  return std::move(sink.out);
}

}  // namespace limelight::figure
