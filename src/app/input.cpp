#include "app/input.h"

#include <algorithm>
#include <cmath>

#include "app/along.h"
#include "app/commands.h"
#include "app/ghost.h"
#include "app/opened.h"
#include "app/opening.h"
#include "app/rail.h"
#include "app/terms.h"
#include "app/timeline.h"
#include "app/under.h"
#include "app/widgets.h"
#include "io/numbers.h"
#include "scenes/place.h"

namespace limelight::app {

using namespace figure;

namespace {

constexpr float kClickSlop = 5;  // CSS pixels that a click may move
constexpr double kDoubleClick = 0.4;
constexpr float kPixelsPerStep = 3;

std::optional<io::FieldInfo> field_of(const App& app, std::string_view name) {
  for (const io::FieldInfo& info : app.scene->fields(app.state))
    if (info.field.name == name) return info;
  return std::nullopt;
}

std::string cell_key(const Source& cell) { return std::to_string(cell.row) + "." + std::to_string(cell.column); }

// What a hand can set: hundredths of ordinary numbers, more coarsely for large ones.
double cell_step(double value) {
  return std::max(0.01, std::pow(10, std::floor(std::log10(std::max(std::abs(value), 1.0))) - 2));
}

// `field`: what the matrix is edited by, often its tensor's own.
void drag_cell(App& app, const std::string& field, const Source& cell, double value) {
  const std::optional<io::FieldInfo> info = field_of(app, field);
  if (info) value = std::clamp(value, info->field.range.low, info->field.range.high);
  if (const auto room = app.scene->room(app.state, field, cell.row, cell.column))
    value = std::clamp(value, room->low, room->high);
  const float* now = app.trace.cell(cell.tensor, cell.row, cell.column);
  if (now == nullptr || std::abs(value - *now) < 1e-6) return;  // a hand moves in hundredths
  report(app, drag(app, field, cell_key(cell) + ":" + io::format_exact(value)));
}

// A number that was clicked is pinned, and opens the inspector only when it is too late for a second click, which would
// meet another number once the figure has moved aside.
void pin_by_click(App& app, const std::string& id) {
  if (!inspector_open(app)) app.explains_from = app.now + kDoubleClick;
  pin(app, id);
}

void drag_slider(App& app, const Pointer& pointer, float x) {
  const std::optional<io::FieldInfo> info = field_of(app, pointer.edit->field);
  if (!info) return;
  report(app, drag(app, pointer.edit->field, io::format_exact(slider_value(*info, pointer.rect, x))));
}

// To a hundredth of what the frame shows, near enough for a hand.
void drag_point(App& app, const std::string& field, const Edit::Plane& plane, Point at) {
  const auto value = [](double share, double low, double high) {
    const double step = std::pow(10, std::floor(std::log10(std::abs(high - low) / 100)));
    return io::format_exact(io::round_to(low + std::clamp(share, 0.0, 1.0) * (high - low), step));
  };
  const Rect& frame = plane.frame;
  const std::string x = value(static_cast<double>((at.x - frame.x) / frame.w), plane.x_low, plane.x_high);
  const std::string y = value(static_cast<double>((frame.bottom() - at.y) / frame.h), plane.y_low, plane.y_high);
  const std::string row = std::to_string(plane.row);
  report(app, drag(app, field, row + ".0:" + x + "," + row + ".1:" + y));
}

bool is_brush(const Pointer& pointer) { return pointer.edit && pointer.edit->plane && pointer.edit->plane->at_once; }

bool is_only_dragged(const Pointer& pointer) {
  return pointer.edit->plane || pointer.edit->place || pointer.role == Role::handle;
}

// Where what is dragged along to another step would go, there or near by; null where it goes back.
const Element* step_under(const Page& page, const Edit& dragged, Point at) {
  constexpr float kNear = 16;  // px
  for (const Element& element : page.figure.elements)
    if (element.edit && element.role != Role::token && element.edit->field == "step" && element.edit->place &&
        *element.edit->place != *dragged.place && element.rect.inset(-kNear).contains(at) &&
        (!element.clip || element.clip->contains(at)))
      return &element;
  return nullptr;
}

// Whether it can be dragged along to another step, as a tap can.
bool leads_on(Role role, const std::optional<Edit>& edit) {
  return role == Role::token && edit && edit->field == "step" && edit->place;
}

void hold(App& app, const Page& page, const Edit& dragged, Point at) {
  const Rect& stage = page.regions.stage;
  const float scroll = std::clamp(app.stage_scroll, 0.F, std::max(page.stage_height - stage.h, 0.F));
  app.held = {at.x - stage.x, at.y - stage.y + scroll};
  const Element* target = step_under(page, dragged, at);
  hover(app, target != nullptr ? target->id : std::string());
  app.changed = true;
}

// It goes back to where it was, or on to where it is dropped.
void give_back(App& app) {
  if (!app.held) return;
  app.held.reset();
  ++app.view_revision;
  app.changed = true;
}

void let_go(App& app, const Page& page, const Edit& dragged, Point at) {
  if (!app.held) return;  // another step has come meanwhile
  give_back(app);
  if (const Element* target = step_under(page, dragged, at)) activate(app, Edit(*target->edit));
}

// What is dragged goes to the place that it is dropped on.
void drop(App& app, const Page& page, const Edit& dragged, Point at) {
  const Hit under = touched(app, page, at);
  if (under.element == nullptr || !under.element->edit) return;
  const Edit& target = *under.element->edit;
  if (target.field != dragged.field || !target.place || *target.place == *dragged.place) return;

  report(app, change(app, dragged.field, std::to_string(*dragged.place) + ">" + std::to_string(*target.place)));
}

// Up and down from the pinned number: to the tensor's next row, or where a row is broken into lines, to its next line.
bool move_pin_down(App& app, const Page& page, int lines) {
  const std::optional<Source> cell = parse_cell_id(app.pinned);
  const Element* cells = cell ? showing(page.figure, *cell) : nullptr;
  const auto* heatmap = cells != nullptr ? std::get_if<Heatmap>(&cells->shape) : nullptr;
  if (heatmap == nullptr || heatmap->wrap == 0) return move_pin(app, lines, 0);
  const int column = cell->column + lines * heatmap->wrap - heatmap->range.column;
  if (column >= 0 && column < heatmap->range.columns) move_pin(app, 0, lines * heatmap->wrap);
  return true;
}

// Into a cell of a matrix that can be edited; false when it is of none.
bool start_typing(App& app, const Page& page, const Source& cell, std::string begun = {}) {
  const Element* cells = showing(page.figure, cell);
  if (cells == nullptr || !cells->edit) return false;
  app.typing = Typing{cells->edit->field, cell_key(cell), cell_id(cell), std::move(begun)};
  app.changed = true;
  return true;
}

// A number was begun, and the input that takes what else is typed comes with the next frame: until then the keys are
// ours.
bool is_begun(const std::optional<Typing>& typing) { return typing && !typing->begun.empty(); }

// True: the key was heard. A number that is refused stays, to be mended.
bool end_typing(App& app) {
  const Typing typed = *app.typing;
  if (report(app, change_cell(app, typed.field, typed.key, typed.begun))) app.typing.reset();
  app.changed = true;
  return true;
}

void drag_zoomed(App& app, const Pointer& pointer, Point at) {
  const Tensor* tensor = app.trace.find(app.zoom.tensor);
  if (tensor == nullptr) return;
  const scenes::Zoom& start = pointer.start_zoom;
  if (start.rows == 0) return;                                        // zoomed while it was pressed
  float along_rows = (at.y - pointer.pressed_at.y) / pointer.rect.h,  // as shares of what is shown
      along_columns = (at.x - pointer.pressed_at.x) / pointer.rect.w;
  if (pointer.transposed) {
    along_rows = (at.x - pointer.pressed_at.x) / pointer.rect.w;
    along_columns = (at.y - pointer.pressed_at.y) / pointer.rect.h;
  }
  const auto cells = [](float share, int shown) {
    return static_cast<int>(std::lround(share * static_cast<float>(shown)));
  };
  app.zoom.row = std::clamp(start.row - cells(along_rows, start.rows), 0, tensor->rows() - app.zoom.rows);
  app.zoom.column =
      std::clamp(start.column - cells(along_columns, start.columns), 0, tensor->columns() - app.zoom.columns);
  app.changed = true;
}

// Whether a press means the number there, as of a matrix or by itself, and not what it stands beside.
bool is_cell_of(const Element& element) {
  return range_of(element) != nullptr || (element.source && element.edit && element.edit->value.empty());
}

bool over_inspector(const App& app, const Page& page, Point at) {
  return page.regions.inspector.contains(at) && (!app.compact() || app.sheet_open);
}

void scroll_to(float& scroll, float target, float content, float shown, App& app) {
  const float clamped = std::clamp(target, 0.F, std::max(0.F, content - shown));
  if (clamped == scroll) return;
  scroll = clamped;
  app.changed = true;
}

void scroll_stage(App& app, const Page& page, float target) {
  scroll_to(app.stage_scroll, target, page.stage_height, page.regions.stage.h, app);
}
void scroll_inspector(App& app, const Page& page, float target) {
  scroll_to(app.inspector_scroll, target, page.inspector_height,
            page.regions.inspector.h - (app.compact() ? kSheetHead : 0), app);
}

void scroll_rail(App& app, const Page& page, float target) {
  scroll_to(app.rail_scroll, target, page.rail_height, rail_window(app, page.regions.rail).h, app);
}

}  // namespace

void pointer_moved(App& app, const Page& page, Pointer& pointer, Point at) {
  const bool moved = pointer.at != Point{-1, -1};  // else it lay there when the page came
  pointer.at = at;
  if (!pointer.down) {
    const Hit under = touched(app, page, at);
    app.by_link = under.element != nullptr && under.element->edit && under.element->edit->field == "point";
    hover(app, hover_id(under));
    // What is said stays where it is, until the mouse comes to it along a beam or a stream.
    const Element* card = app.tooltip ? page.figure.find("shell.tooltip") : nullptr;
    const bool under_card = card != nullptr && card->rect.contains(at);
    if (!app.tooltip || under_card) app.hovered_at = at;
    app.changed = app.changed || under_card;
    if (moved || !app.hovered.empty()) end_ghost(app);
    return;
  }
  const float dx = at.x - pointer.pressed_at.x, dy = at.y - pointer.pressed_at.y;
  if (!pointer.moved && std::hypot(dx, dy) < kClickSlop) return;
  pointer.moved = true;
  if (pointer.role == Role::slider) {
    drag_slider(app, pointer, at.x);
  } else if (pointer.edit && pointer.edit->plane) {
    // A handle is in the middle of what it moves; it keeps its distance from the hand.
    const Point middle = pointer.rect.centre();
    const Point off =
        is_brush(pointer) ? Point{} : Point{pointer.pressed_at.x - middle.x, pointer.pressed_at.y - middle.y};
    drag_point(app, pointer.edit->field, *pointer.edit->plane, {at.x - off.x, at.y - off.y});
  } else if (moves_lamp(app, pointer)) {
    move_lamp(app, page, at);
  } else if (pointer.edit && pointer.edit->field == "step" && page.regions.timeline.contains(pointer.pressed_at)) {
    drag_playhead(app, page.figure, at.x);
  } else if (leads_on(pointer.role, pointer.edit)) {
    hold(app, page, *pointer.edit, at);
  } else if (pointer.edit && pointer.edit->place) {
    hover(app, hover_id(touched(app, page, at)));  // where it would be dropped
  } else if (pointer.cell && app.zoom.rows > 0 && app.zoom.tensor == pointer.cell->tensor &&
             zoomable(app, page, pointer.pressed_at) != nullptr) {
    drag_zoomed(app, pointer, at);
  } else if (pointer.cell && pointer.edit && (!app.touch || app.pinned == pointer.pressed_id)) {
    // Dragging up makes the number larger. A finger drags only what it has selected before, so that it can scroll.
    app.in_gesture = true;
    pin_by_click(app, pointer.pressed_id);
    const double step = cell_step(pointer.start_value);
    const double steps = std::round(-static_cast<double>(dy) / kPixelsPerStep);
    drag_cell(app, pointer.edit->field, *pointer.cell, io::round_to(pointer.start_value + steps * step, step));
  } else if (over_inspector(app, page, pointer.pressed_at)) {
    scroll_inspector(app, page, pointer.start_scroll.y - dy);
  } else if (page.regions.rail.contains(pointer.pressed_at)) {
    scroll_rail(app, page, pointer.start_rail - dy);
  } else if (page.regions.stage.contains(pointer.pressed_at)) {
    scroll_stage(app, page, pointer.start_scroll.x - dy);
  }
}

void pointer_pressed(App& app, const Page& page, Pointer& pointer, Point at) {
  const Hit under = touched(app, page, at);
  end_ghost(app);
  if (app.typing) {
    app.typing.reset();
    app.changed = true;
  }
  pointer.at = pointer.pressed_at = at;
  pointer.down = true;
  pointer.moved = false;
  end_drag(app);  // its release may have gone elsewhere
  give_back(app);
  hide_tooltip(app);
  pointer.pressed_id = hover_id(under);
  pointer.edit = under.element != nullptr ? under.element->edit : std::nullopt;
  pointer.twice = under.element != nullptr ? under.element->twice : std::nullopt;
  pointer.role = under.element != nullptr ? under.element->role : Role::none;
  pointer.rect = under.element != nullptr ? under.element->rect : Rect{};
  pointer.cell = under.element != nullptr && is_cell_of(*under.element) ? under.source : std::nullopt;
  pointer.start_scroll = {app.stage_scroll, app.inspector_scroll};
  pointer.start_rail = app.rail_scroll;
  pointer.start_zoom = app.zoom;
  pointer.transposed = under.element != nullptr && is_transposed(*under.element);
  if (pointer.cell) {
    // The page is of the last frame: a script may have changed the trace since.
    if (const float* value = app.trace.cell(pointer.cell->tensor, pointer.cell->row, pointer.cell->column))
      pointer.start_value = *value;
    else
      pointer.cell.reset();
  }
  if (pointer.role == Role::slider) drag_slider(app, pointer, at.x);
  if (is_brush(pointer)) drag_point(app, pointer.edit->field, *pointer.edit->plane, at);
}

void pointer_released(App& app, const Page& page, Pointer& pointer, Point at) {
  app.hovered_at = at;
  const bool click = pointer.down && !pointer.moved;
  pointer.down = false;
  end_drag(app);
  if (pointer.moved && leads_on(pointer.role, pointer.edit))
    let_go(app, page, *pointer.edit, at);
  else if (pointer.moved && pointer.edit && pointer.edit->place)
    drop(app, page, *pointer.edit, at);
  if (!click && moves_lamp(app, pointer)) let_go_of_lamp(app, page);
  if (!click || pointer.role == Role::slider || is_brush(pointer)) {
    hover(app, app.touch ? std::string() : hover_id(touched(app, page, at)));
    hide_tooltip(app);  // it would cover what has just come
    return;
  }
  const bool twice = pointer.pressed_id == pointer.last_click_id && app.now - pointer.last_click_at < kDoubleClick;
  pointer.last_click_id = pointer.pressed_id;
  pointer.last_click_at = app.now;
  if (app.touch) hover(app, {});
  if (only_explains(pointer.pressed_id)) {
    explain(app, pointer.pressed_id);
  } else if (pointer.cell) {
    if (!twice || !start_typing(app, page, *pointer.cell))
      pin_by_click(app, pointer.pressed_id);
    else if (!inspector_open(app))
      app.inspector = InspectorChoice::folded;  // what is typed into stays where it is
  } else if (pointer.role == Role::text_input && pointer.edit) {
    app.typing = Typing{pointer.edit->field, {}, pointer.pressed_id, {}};
    app.changed = true;
  } else if (twice && pointer.twice) {
    activate(app, *pointer.twice);
  } else if (pointer.edit && !(is_only_dragged(pointer) && pointer.edit->value.empty())) {
    activate(app, *pointer.edit);
    if (pointer.role == Role::token) hover(app, {});  // under the pointer is another number now
  } else if (parse_cell_id(pointer.pressed_id)) {     // an arc or a bar, which stands for a number
    pin_by_click(app, pointer.pressed_id);
  } else if (pointer.role == Role::none && page.regions.stage.contains(at)) {
    pin(app, {});
  }
}

void pointer_cancelled(App& app, const Page& page, Pointer& pointer) {
  pointer.moved = true;
  pointer.edit.reset();
  give_back(app);
  pointer_released(app, page, pointer, pointer.at);
}

void pointer_left(App& app, Pointer& pointer) {
  if (!pointer.down) hover(app, {});
}

void wheel_turned(App& app, const Page& page, Pointer& pointer, float lines) {
  end_ghost(app);
  if (over_inspector(app, page, pointer.at)) {
    scroll_inspector(app, page, app.inspector_scroll - lines * 40);
  } else if (page.regions.rail.contains(pointer.at)) {
    scroll_rail(app, page, app.rail_scroll - lines * 40);
  } else if (const Element* element = zoomable(app, page, pointer.at);
             element != nullptr && (lines > 0 || is_zoomed(app, range_of(*element)->tensor))) {
    const Rect& cells = element->rect;
    float u = (pointer.at.x - cells.x) / cells.w, v = (pointer.at.y - cells.y) / cells.h;
    if (is_transposed(*element)) std::swap(u, v);
    app.zoom = zoom_of(*range_of(*element));
    zoom_by(app, app.zoom.tensor, lines > 0 ? 0.8F : 1.25F, u, v);
  } else {
    scroll_stage(app, page, app.stage_scroll - lines * 40);
  }
}

bool key_pressed(App& app, const Page& page, Key key) {
  if (app.opening) return key_in_opening(app, key), true;
  const std::optional<Source> cell = parse_cell_id(app.pinned);
  switch (key) {
    case Key::left:
      if (!move_pin(app, 0, -1)) activate(app, {"do", "previous"});
      return true;
    case Key::right:
      if (!move_pin(app, 0, 1)) activate(app, {"do", "next"});
      return true;
    case Key::up:
      if (!move_pin_down(app, page, -1)) scroll_stage(app, page, app.stage_scroll - 40);
      return true;
    case Key::down:
      if (!move_pin_down(app, page, 1)) scroll_stage(app, page, app.stage_scroll + 40);
      return true;
    case Key::home:
      activate(app, {"step", scenes::write_place(*app.scene, {})});
      return true;
    case Key::end:
      activate(app, {"step", std::string(app.scene->steps().back().id)});
      return true;
    case Key::space:
      activate(app, {"do", "play"});
      return true;
    case Key::undo:
      undo(app);
      return true;
    case Key::redo:
      redo(app);
      return true;
    case Key::enter:
      if (is_begun(app.typing)) return end_typing(app);
      if (!cell) return false;
      start_typing(app, page, *cell);
      return true;
    case Key::inspect:
      activate(app, {"do", app.compact() ? "sheet" : "inspector"});
      return true;
    case Key::zoom_in:
    case Key::zoom_out:
      for (const Element& element : page.figure.elements)
        if (zoomable(app, page, element.rect.centre()) == &element) {
          if (key == Key::zoom_in || is_zoomed(app, range_of(element)->tensor)) {
            app.zoom = zoom_of(*range_of(element));
            zoom_by(app, app.zoom.tensor, key == Key::zoom_in ? 0.8F : 1.25F);
          }
          return true;
        }
      return false;
    case Key::escape:
      dismiss_error(app);
      if (is_begun(app.typing)) {
        app.typing.reset();
        app.changed = true;
      } else if (app.overlay != Overlay::none) {
        app.overlay = Overlay::none;
        app.changed = true;
      } else if (!app.pinned.empty()) {
        pin(app, {});
      } else if (!app.compact() && app.inspector == InspectorChoice::open) {
        toggle_inspector(app);
      } else if (app.sheet_open) {
        activate(app, {"do", "sheet"});
      } else {
        app.wish_leave = true;
      }
      return true;
  }
  return false;
}

bool character_typed(App& app, const Page& page, char32_t character) {
  if (app.opening) return act_in_opening(app, "skip"), true;
  const bool starts_number = (character >= U'0' && character <= U'9') || character == U'-' || character == U'.';
  const std::optional<Source> cell = parse_cell_id(app.pinned);
  if (is_begun(app.typing)) {
    app.typing->begun += static_cast<char>(character);
    app.changed = true;
    return true;
  }
  if (!starts_number || !cell || app.typing) return false;
  return start_typing(app, page, *cell, std::string(1, static_cast<char>(character)));
}

Cursor cursor(const App& app, const Page& page, const Pointer& pointer) {
  const Hit under = touched(app, page, pointer.at);
  if (app.held) return Cursor::grab;
  if (under.element == nullptr) return Cursor::normal;
  if (leads_on(under.element->role, under.element->edit)) return Cursor::grab;
  if (zoomable(app, page, pointer.at) != nullptr && app.zoom.rows > 0) return Cursor::grab;
  if (std::holds_alternative<Arcs>(under.element->shape)) return Cursor::pointing;
  switch (under.element->role) {
    case Role::slider:
      return Cursor::horizontal;
    case Role::text_input:
      return Cursor::text;
    case Role::cell:
      return under.element->edit ? Cursor::vertical : Cursor::pointing;
    case Role::handle:
      return Cursor::grab;
    case Role::button:
    case Role::toggle:
    case Role::token:
    case Role::link:
      return under.element->edit ? Cursor::pointing : Cursor::normal;
    default:
      return Cursor::normal;
  }
}

}  // namespace limelight::app
