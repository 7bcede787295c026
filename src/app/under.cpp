#include "app/under.h"

#include <algorithm>
#include <variant>

#include "app/compare.h"
#include "app/terms.h"

namespace limelight::app {

using namespace figure;

namespace {

// What a finger means that hits nothing: the nearest that can be pressed within its reach.
Hit nearest(const Figure& figure, Point at) {
  Hit best;
  float least = kFinger / 2;
  for (const Element& element : figure.elements) {
    if (!(element.edit || is_marked_term(element.id)) || range_of(element) != nullptr ||
        (element.clip && !element.clip->contains(at)))
      continue;
    const Rect& r = element.rect;
    const float dx = std::max({r.x - at.x, 0.F, at.x - r.right()}), dy = std::max({r.y - at.y, 0.F, at.y - r.bottom()});
    const float distance = std::max(dx, dy);
    // Of a small one half a finger from its middle; a large one needs no help.
    if (dx > std::max(0.F, (kFinger - r.w) / 2) || dy > std::max(0.F, (kFinger - r.h) / 2) || distance >= least)
      continue;
    least = distance;
    best = {.element = &element, .id = element.id, .source = element.source};
  }
  return best;
}

}  // namespace

Hit touched(const App& app, const Page& page, Point at) {
  const Hit exact = hit(page.figure, at, &app.trace);
  return exact.element == nullptr && app.touch ? nearest(page.figure, at) : exact;
}

const CellRange* range_of(const Element& element) {
  if (const auto* matrix = std::get_if<MatrixCells>(&element.shape)) return &matrix->range;
  if (const auto* heatmap = std::get_if<Heatmap>(&element.shape)) return &heatmap->range;
  return nullptr;
}

bool is_transposed(const Element& element) {
  if (const auto* matrix = std::get_if<MatrixCells>(&element.shape)) return matrix->transposed;
  if (const auto* heatmap = std::get_if<Heatmap>(&element.shape)) return heatmap->transposed;
  return false;
}

std::string hover_id(const Hit& hit) {
  if (hit.element == nullptr) return {};
  // A word that points hovers what it means.
  if (hit.element->edit && hit.element->edit->field == "point") return hit.element->edit->value;
  // A token of the stage shows a weight: looking at it is looking at that weight.
  return hit.source ? cell_id(of_present(*hit.source)) : hit.id;
}

const Element* zoomable(const App& app, const Page& page, Point at) {
  const Hit under = touched(app, page, at);
  const auto* touched_map = under.element == nullptr ? nullptr : std::get_if<Heatmap>(&under.element->shape);
  if (touched_map == nullptr) return nullptr;
  // Over a map may lie what shows a part of it.
  const auto found = std::ranges::find_if(page.figure.elements, [&](const Element& element) {
    const auto* heatmap = std::get_if<Heatmap>(&element.shape);
    return heatmap != nullptr && heatmap->zooms && heatmap->range.tensor == touched_map->range.tensor &&
           element.rect.contains(at);
  });
  if (found == page.figure.elements.end()) return nullptr;
  return is_zoomed(app, touched_map->range.tensor) || std::get<Heatmap>(found->shape).text_size == 0 ? &*found
                                                                                                     : nullptr;
}

bool is_zoomed(const App& app, std::string_view tensor) { return app.zoom.rows > 0 && app.zoom.tensor == tensor; }

scenes::Zoom zoom_of(const CellRange& seen) { return {seen.tensor, seen.row, seen.column, seen.rows, seen.columns}; }

}  // namespace limelight::app
