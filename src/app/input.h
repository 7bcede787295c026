// The pointer, the wheel and the keyboard, as what they mean.
#pragma once

#include <optional>
#include <string>

#include "app/app.h"
#include "app/page.h"

namespace limelight::app {

enum class Key { left, right, up, down, space, enter, escape, undo, redo, home, end, zoom_in, zoom_out, inspect };

// Two fingers on a matrix, from when the second came.
struct Pinch {
  std::string tensor{};  // empty: they are on nothing that zooms
  scenes::Zoom start{};  // what was shown of it
  figure::Point at{};    // in the middle of the fingers
  float u = 0, v = 0;    // where that is, as shares of the columns and rows shown
  bool turned = false;   // the matrix's rows run to the right
  float row_pitch = 1, column_pitch = 1;
};

// What is under way between a press and its release.
struct Pointer {
  figure::Point at{-1, -1};  // outside until it is heard of
  figure::Point pressed_at;
  bool down = false;
  bool moved = false;      // further than a click may
  std::string pressed_id;  // of the element or cell
  std::optional<figure::Edit> edit, twice;
  figure::Role role = figure::Role::none;
  figure::Rect rect;  // of the pressed element
  std::optional<figure::Source> cell;
  double start_value = 0;      // of a dragged cell
  figure::Point start_scroll;  // of the stage and the inspector
  float start_rail = 0;        // and of the rail
  scenes::Zoom start_zoom;
  bool transposed = false;  // the matrix that is dragged has its rows run to the right
  std::optional<Pinch> pinch;
  double last_click_at = -1;
  std::string last_click_id;
};

enum class Cursor { normal, pointing, text, horizontal, vertical, grab };

void pointer_moved(App& app, const Page& page, Pointer& pointer, figure::Point at);
void pointer_pressed(App& app, const Page& page, Pointer& pointer, figure::Point at);
void pointer_released(App& app, const Page& page, Pointer& pointer, figure::Point at);
// The release was not heard: what is under way ends, and it was no click.
void pointer_cancelled(App& app, const Page& page, Pointer& pointer);
void pointer_left(App& app, Pointer& pointer);
// Two fingers, which are `factor` times as far apart as they first were, have their middle here: a matrix is zoomed
// into and moved along with it. They end what one finger had begun.
void pinched(App& app, const Page& page, Pointer& pointer, figure::Point at, float factor);
void pinch_ended(Pointer& pointer);
// In lines, positive is up.
void wheel_turned(App& app, const Page& page, Pointer& pointer, float lines);
// False when the key means nothing here and may go on to the page.
bool key_pressed(App& app, const Page& page, Key key);
// A digit, a sign or a point typed over a pinned cell starts an input there.
bool character_typed(App& app, const Page& page, char32_t character);
Cursor cursor(const App& app, const Page& page, const Pointer& pointer);

}  // namespace limelight::app
