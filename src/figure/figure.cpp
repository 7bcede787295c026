#include "figure/figure.h"

#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <tuple>

#include "figure/light.h"

namespace limelight::figure {
namespace {

// ---- cells ---------------------------------------------------------------------------------------------------------

// Where the cells of an element stand: `across` from left to right and `down` from top to bottom.
struct CellGrid {
  const CellRange* range = nullptr;  // null: the element has no cells
  int across = 0;
  int down = 0;
  bool transposed = false;
  int wrap = 0;
  float gap_x = 0;
  float gap_y = 0;
  float cell_w = 0;
  float cell_h = 0;
};

struct Lay {
  int across, down;
  bool transposed = false;
  int wrap = 0;
};

CellGrid grid_of(const CellRange& range, const Rect& rect, float gap, Lay lay) {
  if (range.rows <= 0 || range.columns <= 0) return {};
  CellGrid grid{
      .range = &range, .across = lay.across, .down = lay.down, .transposed = lay.transposed, .wrap = lay.wrap};
  const auto across = static_cast<float>(grid.across);
  const auto down = static_cast<float>(grid.down);
  // Cells this small would be more gap than cell.
  grid.gap_x = std::clamp(gap, 0.0F, std::max(0.0F, rect.w / across / 4));
  grid.gap_y = std::clamp(gap, 0.0F, std::max(0.0F, rect.h / down / 4));
  grid.cell_w = (rect.w - grid.gap_x * (across - 1)) / across;
  grid.cell_h = (rect.h - grid.gap_y * (down - 1)) / down;
  return grid;
}

CellGrid grid_of(const Element& element) {
  if (const auto* matrix = std::get_if<MatrixCells>(&element.shape)) {
    const CellRange& range = matrix->range;
    return grid_of(range, element.rect, matrix->gap,
                   {.across = matrix->transposed ? range.rows : range.columns,
                    .down = matrix->transposed ? range.columns : range.rows,
                    .transposed = matrix->transposed});
  }
  if (const auto* heatmap = std::get_if<Heatmap>(&element.shape)) {
    const bool whole = heatmap->range.rows * heatmap->range.columns > kWholeHeatmap;
    return grid_of(heatmap->range, element.rect, whole ? 0 : heatmap->gap,
                   {.across = heatmap->across(),
                    .down = heatmap->down(),
                    .transposed = heatmap->transposed,
                    .wrap = heatmap->wrap});
  }
  return {};
}

// The cell at a point of the element's rect; a gap belongs to the cell before it, so that a moving mouse is always on
// one.
std::optional<Source> cell_at(const Element& element, Point point) {
  const CellGrid grid = grid_of(element);
  if (grid.range == nullptr) return std::nullopt;
  const auto index = [](float offset, float pitch, int count) {
    return pitch > 0 ? std::clamp(static_cast<int>(offset / pitch), 0, count - 1) : 0;
  };
  const int x = index(point.x - element.rect.x, grid.cell_w + grid.gap_x, grid.across);
  const int y = index(point.y - element.rect.y, grid.cell_h + grid.gap_y, grid.down);
  if (grid.wrap > 0)
    return Source{.tensor = grid.range->tensor,
                  .row = grid.range->row,
                  .column = grid.range->column + std::min(y * grid.wrap + x, grid.range->columns - 1)};
  return Source{.tensor = grid.range->tensor,
                .row = grid.range->row + (grid.transposed ? x : y),
                .column = grid.range->column + (grid.transposed ? y : x)};
}

}  // namespace

float least_drawn(const Arcs& arcs, const Tensor& tensor, int row) {
  if (arcs.share >= 1 || row >= tensor.rows()) return arcs.threshold;
  std::vector<float> weights;
  for (const float weight : tensor.values.row(row)) weights.push_back(weight);
  std::ranges::sort(weights, std::greater<>());
  float sum = 0;
  for (const float weight : weights)
    if ((sum += weight) >= arcs.share) return std::max(arcs.threshold, weight);
  return arcs.threshold;
}

namespace {

// The arc that runs no further than a finger's slip from the point; of several, the chosen row's, then the heaviest.
std::optional<Source> arc_at(const Element& element, const Trace& trace, Point point) {
  constexpr float kReach = 4;
  const auto* arcs = std::get_if<Arcs>(&element.shape);
  const Tensor* tensor = arcs == nullptr ? nullptr : trace.find(arcs->range.tensor);
  if (tensor == nullptr || element.rect.w <= 0) return std::nullopt;
  // All arcs have the same form: at this x, each has come the same share of its way down.
  const float u = (point.x - element.rect.x) / element.rect.w;
  float low = 0, high = 1;
  for (int i = 0; i < 20; ++i) {
    const float t = (low + high) / 2;
    (1.5F * t * (1 - t) + t * t * t < u ? low : high) = t;
  }
  const float share = low * low * (3 - 2 * low);
  const CellRange& range = arcs->range;
  const auto middle = [&](int index, int count) {
    return element.rect.y + (static_cast<float>(index) + 0.5F) * element.rect.h / static_cast<float>(count);
  };
  std::optional<Source> best;
  std::tuple<bool, float> best_rank;
  for (int i = 0; i < range.rows; ++i) {
    if (arcs->alone && range.row + i != arcs->row) continue;
    const float least = least_drawn(*arcs, *tensor, range.row + i);
    for (int j = 0; j < range.columns; ++j) {
      const float* weight = trace.cell(range.tensor, range.row + i, range.column + j);
      if (weight == nullptr || !(*weight > 0) || *weight < least) continue;
      const float from = middle(i, range.rows), to = middle(j, range.columns);
      if (std::abs(from + (to - from) * share - point.y) > kReach + arcs->max_width * *weight / 2) continue;
      const std::tuple rank(range.row + i == arcs->row, *weight);
      if (best && rank <= best_rank) continue;
      best = Source{.tensor = range.tensor, .row = range.row + i, .column = range.column + j};
      best_rank = rank;
    }
  }
  return best;
}

// ---- tweening ------------------------------------------------------------------------------------------------------

// What cannot be between two values changes half-way.
template <class T>
const T& switched(const T& from, const T& to, float t) {
  return t < 0.5F ? from : to;
}

std::vector<Point> blend_points(const std::vector<Point>& from, const std::vector<Point>& to, float t) {
  if (from.size() != to.size()) return switched(from, to, t);
  std::vector<Point> points(to.size());
  for (std::size_t i = 0; i < to.size(); ++i) points[i] = mix(from[i], to[i], t);
  return points;
}

// Each starts from `to`, so that what is not named here is the new drawing's: ranges, maps, themes belong to its trace.
std::monostate blend_shape(std::monostate, std::monostate, float) { return {}; }

Rectangle blend_shape(const Rectangle& from, Rectangle to, float t) {
  to.fill = mix(from.fill, to.fill, t);
  to.stroke = mix(from.stroke, to.stroke, t);
  to.stroke_width = mix(from.stroke_width, to.stroke_width, t);
  to.radius = mix(from.radius, to.radius, t);
  return to;
}

Text blend_shape(const Text& from, const Text& to, float t) {
  Text text = switched(from, to, t);
  text.size = mix(from.size, to.size, t);
  text.drawn_at = from.size != to.size && to.drawn_at == 0 ? to.size : to.drawn_at;
  text.colour = mix(from.colour, to.colour, t);
  if (from.size != to.size) text.drawn_at = to.size;
  return text;
}

FormulaBox blend_shape(const FormulaBox& from, FormulaBox to, float t) {
  to.formula = switched(from.formula, to.formula, t);
  to.size = mix(from.size, to.size, t);
  to.colour = mix(from.colour, to.colour, t);
  return to;
}

Line blend_shape(const Line& from, Line to, float t) {
  to.points = blend_points(from.points, to.points, t);
  to.colour = mix(from.colour, to.colour, t);
  to.width = mix(from.width, to.width, t);
  return to;
}

Curve blend_shape(const Curve& from, const Curve& to, float t) {
  return {.from = mix(from.from, to.from, t),
          .control_from = mix(from.control_from, to.control_from, t),
          .control_to = mix(from.control_to, to.control_to, t),
          .to = mix(from.to, to.to, t),
          .colour = mix(from.colour, to.colour, t),
          .width = mix(from.width, to.width, t)};
}

Arrow blend_shape(const Arrow& from, const Arrow& to, float t) {
  return {.from = mix(from.from, to.from, t),
          .to = mix(from.to, to.to, t),
          .colour = mix(from.colour, to.colour, t),
          .width = mix(from.width, to.width, t)};
}

Area blend_shape(const Area& from, const Area& to, float t) {
  return {.points = blend_points(from.points, to.points, t),
          .fill = mix(from.fill, to.fill, t),
          .fill_to = mix(from.fill_to, to.fill_to, t)};
}

MatrixCells blend_shape(const MatrixCells& from, MatrixCells to, float t) {
  to.gap = mix(from.gap, to.gap, t);
  to.radius = mix(from.radius, to.radius, t);
  to.text_size = mix(from.text_size, to.text_size, t);
  to.tint = mix(from.tint, to.tint, t);
  return to;
}

Heatmap blend_shape(const Heatmap& from, Heatmap to, float t) {
  to.low = mix(from.low, to.low, t);
  to.high = mix(from.high, to.high, t);
  to.gap = mix(from.gap, to.gap, t);
  to.text_size = mix(from.text_size, to.text_size, t);
  return to;
}

Arcs blend_shape(const Arcs& from, Arcs to, float t) {
  to.colour = mix(from.colour, to.colour, t);
  to.threshold = mix(from.threshold, to.threshold, t);
  to.max_width = mix(from.max_width, to.max_width, t);
  return to;
}

Bars blend_shape(const Bars& from, Bars to, float t) {
  to.high = mix(from.high, to.high, t);
  to.bar_h = mix(from.bar_h, to.bar_h, t);
  to.pitch = mix(from.pitch, to.pitch, t);
  return to;
}

ColourBar blend_shape(const ColourBar& from, ColourBar to, float t) {
  to.low = mix(from.low, to.low, t);
  to.high = mix(from.high, to.high, t);
  to.ink = mix(from.ink, to.ink, t);
  return to;
}

Pixels blend_shape(const Pixels&, const Pixels& to, float) { return to; }

Ribbon blend_shape(const Ribbon& from, Ribbon to, float t) {
  if (from.stops.size() == to.stops.size())
    for (std::size_t i = 0; i < to.stops.size(); ++i)
      to.stops[i] = {.at = mix(from.stops[i].at, to.stops[i].at, t),
                     .colour = mix(from.stops[i].colour, to.stops[i].colour, t)};
  to.one = blend_points(from.one, to.one, t);
  to.other = blend_points(from.other, to.other, t);
  return to;
}

// Where there are more beams than before, the new ones appear where they will be.
Light blend_shape(const Light& from, Light to, float t) {
  for (std::size_t i = 0; i < to.beams.size(); ++i) {
    Light::Beam& beam = to.beams[i];
    if (i >= from.beams.size()) {
      beam.intensity *= t;
      continue;
    }
    const Light::Beam& before = from.beams[i];
    beam.from = mix(before.from, beam.from, t);
    beam.control_from = mix(before.control_from, beam.control_from, t);
    beam.control_to = mix(before.control_to, beam.control_to, t);
    beam.to = mix(before.to, beam.to, t);
    beam.half_from = mix(before.half_from, beam.half_from, t);
    beam.half_to = mix(before.half_to, beam.half_to, t);
    beam.intensity = mix(before.intensity, beam.intensity, t);
  }
  for (std::size_t i = 0; i < to.spots.size(); ++i) {
    Light::Spot& spot = to.spots[i];
    if (i >= from.spots.size() || from.spots[i].glow != spot.glow) {
      spot.intensity *= t;
      continue;
    }
    const Light::Spot& before = from.spots[i];
    spot.centre = mix(before.centre, spot.centre, t);
    spot.radius_x = mix(before.radius_x, spot.radius_x, t);
    spot.radius_y = mix(before.radius_y, spot.radius_y, t);
    spot.intensity = mix(before.intensity, spot.intensity, t);
  }
  return to;
}

Element blend_elements(const Element& from, const Element& to, float t) {
  Element element = to;
  element.rect = mix(from.rect, to.rect, t);
  element.opacity = mix(from.opacity, to.opacity, t);
  element.clip = from.clip && to.clip ? std::optional(mix(*from.clip, *to.clip, t)) : switched(from.clip, to.clip, t);
  element.shape = std::visit(
      [&](const auto& shape) -> Shape {
        return blend_shape(*std::get_if<std::decay_t<decltype(shape)>>(&from.shape), shape, t);
      },
      to.shape);
  return element;
}

// What an element is recognised by in another drawing: its kind and id; when it has none, its place and words, so that
// decoration that stays does not flicker.
std::string identity(const Element& element) {
  std::string key = std::to_string(element.shape.index()) + ':' + element.id;
  if (!element.id.empty()) return key;
  for (const float side : {element.rect.x, element.rect.y, element.rect.w, element.rect.h}) {
    key += std::to_string(std::lround(side * 4)) + ',';
  }
  if (const auto* text = std::get_if<Text>(&element.shape)) key += text->text;
  return key;
}

// ---- moving
// ----------------------------------------------------------------------------------------------------------

struct Mover {
  float dx;
  float dy;

  void point(Point& p) const { p = {p.x + dx, p.y + dy}; }
  void points(std::vector<Point>& all) const {
    for (Point& p : all) point(p);
  }

  // Every other kind lies in its element's rect.
  void operator()(auto& /*shape*/) const {}
  void operator()(Line& line) const { points(line.points); }
  void operator()(Area& area) const { points(area.points); }
  void operator()(Arrow& arrow) const {
    point(arrow.from);
    point(arrow.to);
  }
  void operator()(Ribbon& ribbon) const {
    points(ribbon.one);
    points(ribbon.other);
  }
  void operator()(Light& light) const {
    for (Light::Beam& beam : light.beams)
      for (Point* p : {&beam.from, &beam.control_from, &beam.control_to, &beam.to}) point(*p);
    for (Light::Spot& spot : light.spots) point(spot.centre);
  }
  void operator()(Curve& curve) const {
    for (Point* p : {&curve.from, &curve.control_from, &curve.control_to, &curve.to}) point(*p);
  }
};

Rect intersection(const Rect& a, const Rect& b) {
  const float x = std::max(a.x, b.x);
  const float y = std::max(a.y, b.y);
  return {x, y, std::max(0.0F, std::min(a.right(), b.right()) - x),
          std::max(0.0F, std::min(a.bottom(), b.bottom()) - y)};
}

}  // namespace

std::string_view name_of(Role role) {
  static constexpr std::array<std::string_view, 10> names = {"none", "button", "toggle", "slider", "text_input",
                                                             "cell", "token",  "handle", "link",   "image"};
  return names[static_cast<std::size_t>(role)];
}

std::string_view name_of(const Shape& shape) {
  static constexpr std::array<std::string_view, 16> names = {
      "none",   "rectangle", "text", "formula", "line",       "curve",  "arrow",  "area",
      "matrix", "heatmap",   "arcs", "bars",    "colour_bar", "pixels", "ribbon", "light"};
  static_assert(std::variant_size_v<Shape> == names.size());
  return names[shape.index()];
}

bool is_named_after(std::string_view id, std::string_view panel) {
  return id.starts_with(panel) && (id.size() == panel.size() || id[panel.size()] == '.' || id[panel.size()] == '[');
}

std::string title_of(const Figure& figure, const Element& element) {
  const auto* text = std::get_if<Text>(&element.shape);
  const auto* box = std::get_if<FormulaBox>(&element.shape);
  if ((text == nullptr && box == nullptr) || !element.id.ends_with(kTitleEnding)) return {};
  std::string title = text != nullptr ? text->text : plain(box->formula);
  const std::string panel = element.id.substr(0, element.id.size() - kTitleEnding.size());
  for (const char* below : {".subscript", ".title.below"})
    if (const Element* part = figure.find(panel + below)) title += "_" + std::get<Text>(part->shape).text;
  return title;
}

const Element* Figure::find(std::string_view id) const {
  for (const Element& element : elements) {
    if (element.id == id) return &element;
  }
  return nullptr;
}

void mark_furniture(Figure& figure, std::size_t from) {
  for (std::size_t i = from; i < figure.elements.size(); ++i) figure.elements[i].furniture = true;
}

Hit hit(const Figure& figure, Point point, const Trace* trace) {
  for (auto element = figure.elements.rbegin(); element != figure.elements.rend(); ++element) {
    if (!element->rect.contains(point) || (element->clip && !element->clip->contains(point))) continue;
    std::optional<Source> cell = element->id.empty() ? std::nullopt : cell_at(*element, point);
    if (!cell && trace != nullptr) cell = arc_at(*element, *trace, point);
    if (const auto* light = std::get_if<Light>(&element->shape); light != nullptr && !cell)
      cell = beam_at(*light, point);
    if (cell) return {.element = &*element, .id = cell_id(*cell), .source = std::move(cell)};
    if (element->role != Role::none) return {.element = &*element, .id = element->id, .source = element->source};
  }
  return {};
}

std::string cell_id(const Source& source) {
  return source.tensor + '[' + std::to_string(source.row) + ',' + std::to_string(source.column) + ']';
}

std::optional<Source> parse_cell_id(std::string_view id) {
  const std::size_t open = id.rfind('[');
  if (open == std::string_view::npos || open == 0 || !id.ends_with(']')) return std::nullopt;
  Source source{.tensor = std::string(id.substr(0, open))};
  const char* const end = id.data() + id.size() - 1;
  const auto index = [end](const char* from, int& to) {
    const auto [stop, error] = std::from_chars(from, end, to);
    return error == std::errc() && to >= 0 ? stop : nullptr;
  };
  const char* const comma = index(id.data() + open + 1, source.row);
  if (comma == nullptr || *comma != ',' || index(comma + 1, source.column) != end) return std::nullopt;
  return source;
}

std::optional<Rect> cell_rect(const Element& element, int row, int column) {
  const CellGrid grid = grid_of(element);
  if (grid.range == nullptr) return std::nullopt;
  const int i = row - grid.range->row;
  const int j = column - grid.range->column;
  if (i < 0 || j < 0 || i >= grid.range->rows || j >= grid.range->columns) return std::nullopt;
  const int x = grid.wrap > 0 ? j % grid.wrap : grid.transposed ? i : j;
  const int y = grid.wrap > 0 ? j / grid.wrap : grid.transposed ? j : i;
  return Rect{element.rect.x + static_cast<float>(x) * (grid.cell_w + grid.gap_x),
              element.rect.y + static_cast<float>(y) * (grid.cell_h + grid.gap_y), grid.cell_w, grid.cell_h};
}

const Element* showing(const Figure& figure, const Source& cell) {
  const auto found = std::ranges::find_if(figure.elements, [&](const Element& element) {
    const CellGrid grid = grid_of(element);
    return grid.range != nullptr && grid.range->tensor == cell.tensor && cell_rect(element, cell.row, cell.column);
  });
  return found == figure.elements.end() ? nullptr : &*found;
}

// What leaves is gone before what comes is there, or their numbers would stand over each other.
constexpr float kEarly = 0.4F;
constexpr float kLate = 0.4F;

Figure blend(const Figure& from, const Figure& to, float t) {
  if (!(t > 0)) return from;
  if (t >= 1) return to;
  std::multimap<std::string, std::size_t> before;  // from's elements that no element of `to` has taken yet
  for (std::size_t i = 0; i < from.elements.size(); ++i) before.emplace(identity(from.elements[i]), i);

  std::vector<Element> staying;
  staying.reserve(to.elements.size());
  for (const Element& element : to.elements) {
    const std::string key = identity(element);
    const auto match = before.lower_bound(key);
    if (match == before.end() || match->first != key) {
      staying.push_back(element);
      staying.back().opacity *= std::clamp((t - kLate) / (1 - kLate), 0.0F, 1.0F);
    } else {
      staying.push_back(blend_elements(from.elements[match->second], element, t));
      before.erase(match);
    }
  }

  Figure figure{.width = mix(from.width, to.width, t),
                .height = mix(from.height, to.height, t),
                .background = mix(from.background, to.background, t),
                .elements = {}};
  std::vector<std::size_t> leaving;
  for (const auto& [key, index] : before) leaving.push_back(index);
  std::ranges::sort(leaving);
  for (const std::size_t index : leaving) {
    Element& element = figure.add(from.elements[index]);
    element.opacity *= std::clamp(1 - t / kEarly, 0.0F, 1.0F);
    element.role = Role::none;  // what is on its way out is not clicked
  }
  for (Element& element : staying) figure.add(std::move(element));
  return figure;
}

void append(Figure& page, const Figure& part, float dx, float dy, std::optional<Rect> clip) {
  for (const Element& original : part.elements) {
    Element& element = page.add(original);
    element.rect = element.rect.moved(dx, dy);
    if (element.clip) element.clip = element.clip->moved(dx, dy);
    if (element.edit && element.edit->plane) element.edit->plane->frame = element.edit->plane->frame.moved(dx, dy);
    if (clip) element.clip = element.clip ? intersection(*element.clip, *clip) : *clip;
    std::visit(Mover{dx, dy}, element.shape);
  }
}

}  // namespace limelight::figure
