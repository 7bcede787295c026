// Two fingers on a matrix zoom into it and move it along.
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/input.h"
#include "app/under.h"

namespace limelight::app {

using namespace figure;

namespace {

Pinch begin_pinch(const App& app, const Page& page, Point at) {
  Pinch pinch{.at = at};
  const Element* element = zoomable(app, page, at);
  if (element == nullptr) return pinch;
  const CellRange& range = *range_of(*element);
  pinch.tensor = range.tensor;
  pinch.start = zoom_of(range);
  const Rect& cells = element->rect;
  pinch.u = (at.x - cells.x) / cells.w;
  pinch.v = (at.y - cells.y) / cells.h;
  pinch.turned = is_transposed(*element);
  if (pinch.turned) std::swap(pinch.u, pinch.v);
  pinch.row_pitch = (pinch.turned ? cells.w : cells.h) / static_cast<float>(range.rows);
  pinch.column_pitch = (pinch.turned ? cells.h : cells.w) / static_cast<float>(range.columns);
  return pinch;
}

}  // namespace

void pinched(App& app, const Page& page, Pointer& pointer, Point at, float factor) {
  if (!pointer.pinch) {
    if (pointer.down) pointer_cancelled(app, page, pointer);
    pointer.pinch = begin_pinch(app, page, at);
  }
  const Pinch& pinch = *pointer.pinch;
  const Tensor* tensor = app.trace.find(pinch.tensor);
  if (tensor == nullptr || !(factor > 0)) return;
  app.zoom = pinch.start;
  zoom_by(app, pinch.tensor, 1 / factor, pinch.u, pinch.v);
  if (app.zoom.rows == 0) return;
  const auto moved = [](float by, float cell, int shown_then, int shown_now) {
    return static_cast<int>(std::lround(by / cell * static_cast<float>(shown_now) / static_cast<float>(shown_then)));
  };
  const float dx = at.x - pinch.at.x, dy = at.y - pinch.at.y;
  const float by_rows = pinch.turned ? dx : dy, by_columns = pinch.turned ? dy : dx;
  app.zoom.row = std::clamp(app.zoom.row - moved(by_rows, pinch.row_pitch, pinch.start.rows, app.zoom.rows), 0,
                            tensor->rows() - app.zoom.rows);
  app.zoom.column =
      std::clamp(app.zoom.column - moved(by_columns, pinch.column_pitch, pinch.start.columns, app.zoom.columns), 0,
                 tensor->columns() - app.zoom.columns);
}

void pinch_ended(Pointer& pointer) { pointer.pinch.reset(); }

}  // namespace limelight::app
