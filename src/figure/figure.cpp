#include "figure/figure.h"
#include "figure/choreography.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <tuple>

#include "figure/light.h"
#include "figure/order.h"
#include "figure/ribbon.h"

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

// The other way: of a matrix that turns, as it stood before.
CellGrid grid_of(const MatrixCells& matrix, const Rect& rect, bool transposed) {
  const CellRange& range = matrix.range;
  return grid_of(range, rect, matrix.gap,
                 {.across = transposed ? range.rows : range.columns,
                  .down = transposed ? range.columns : range.rows,
                  .transposed = transposed});
}

CellGrid grid_of(const Element& element) {
  if (const auto* matrix = std::get_if<MatrixCells>(&element.shape))
    return grid_of(*matrix, element.rect, matrix->transposed);
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
  float sum = 0;
  for (const int place : largest_first(weights)) {
    const float weight = weights[static_cast<std::size_t>(place)];
    if ((sum += weight) >= arcs.share) return std::max(arcs.threshold, weight);
  }
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
  void operator()(MatrixCells& cells) const { cells.turned_from = cells.turned_from.moved(dx, dy); }
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
  if (box != nullptr && !element.label.empty()) return element.label;
  std::string title = text != nullptr ? text->text : plain(box->formula);
  if (title.ends_with("^T")) title.replace(title.size() - 2, 2, "ᵀ");
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
    if (const auto* ribbon = std::get_if<Ribbon>(&element->shape); ribbon != nullptr && !is_on(*ribbon, point))
      continue;
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
  const auto in = [&](const CellGrid& grid, const Rect& rect) -> std::optional<Rect> {
    if (grid.range == nullptr) return std::nullopt;
    const int i = row - grid.range->row;
    const int j = column - grid.range->column;
    if (i < 0 || j < 0 || i >= grid.range->rows || j >= grid.range->columns) return std::nullopt;
    const int x = grid.wrap > 0 ? j % grid.wrap : grid.transposed ? i : j;
    const int y = grid.wrap > 0 ? j / grid.wrap : grid.transposed ? j : i;
    return Rect{rect.x + static_cast<float>(x) * (grid.cell_w + grid.gap_x),
                rect.y + static_cast<float>(y) * (grid.cell_h + grid.gap_y), grid.cell_w, grid.cell_h};
  };
  const std::optional<Rect> there = in(grid_of(element), element.rect);
  const auto* matrix = std::get_if<MatrixCells>(&element.shape);
  if (!there || matrix == nullptr || matrix->turned == 1) return there;
  // One row after the other.
  return mix(*in(grid_of(*matrix, matrix->turned_from, !matrix->transposed), matrix->turned_from), *there,
             in_turn(matrix->turned, row - matrix->range.row, matrix->range.rows));
}

const Element* showing(const Figure& figure, const Source& cell) {
  const auto found = std::ranges::find_if(figure.elements, [&](const Element& element) {
    const CellGrid grid = grid_of(element);
    if (grid.range == nullptr || grid.range->tensor != cell.tensor) return false;
    constexpr float kSeen = 2;  // px of a cell
    return grid.cell_w >= kSeen && grid.cell_h >= kSeen && cell_rect(element, cell.row, cell.column);
  });
  if (found != figure.elements.end()) return &*found;
  const auto alone = std::ranges::find_if(figure.elements, [&](const Element& element) {
    return element.source == cell && element.edit && element.edit->value.empty();
  });
  return alone == figure.elements.end() ? nullptr : &*alone;
}

void append(Figure& page, const Figure& part, float dx, float dy, std::optional<Rect> clip) {
  const std::size_t needed = page.elements.size() + part.elements.size();
  if (needed > page.elements.capacity()) page.elements.reserve(std::max(needed, 2 * page.elements.capacity()));
  for (const Element& original : part.elements) {
    Element& element = page.elements.emplace_back(original);
    element.rect = element.rect.moved(dx, dy);
    if (element.clip) element.clip = element.clip->moved(dx, dy);
    if (element.edit && element.edit->plane) element.edit->plane->frame = element.edit->plane->frame.moved(dx, dy);
    if (clip) element.clip = element.clip ? intersection(*element.clip, *clip) : *clip;
    std::visit(Mover{dx, dy}, element.shape);
  }
}

}  // namespace limelight::figure
