// What lies under the pointer, and what that means.
#pragma once

#include <string>
#include <string_view>

#include "app/app.h"
#include "app/page.h"

namespace limelight::app {

// The topmost that can be pointed at; of a finger that hits nothing, the nearest that it can mean.
figure::Hit touched(const App& app, const Page& page, figure::Point at);
// What is hovered there: a number wherever a number is shown, and of a word that points, what it means.
std::string hover_id(const figure::Hit& hit);

// The cells of a matrix or a heatmap; null of all else.
const figure::CellRange* range_of(const figure::Element& element);
// Whether its rows run to the right.
bool is_transposed(const figure::Element& element);
// The matrix that zooming means there, if its numbers do not fit; null where there is none.
const figure::Element* zoomable(const App& app, const Page& page, figure::Point at);
bool is_zoomed(const App& app, std::string_view tensor);
// What is seen of a matrix, as what zooming goes on from.
scenes::Zoom zoom_of(const figure::CellRange& seen);

}  // namespace limelight::app
