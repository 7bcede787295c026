#include "app/along.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "app/commands.h"
#include "app/compare.h"
#include "io/numbers.h"
#include "scenes/common/sentence.h"

namespace limelight::app {

using namespace figure;

namespace {

// Null where the page has no word that can ask.
const Element* nearest_word(const Page& page, Point at) {
  const Element* nearest = nullptr;
  float least = 0;
  for (const Element& element : page.figure.elements) {
    if (!scenes::word_at(of_both(element.id)) || !element.edit) continue;
    const Rect& r = element.rect;
    const float away =
        std::hypot(std::max({r.x - at.x, 0.F, at.x - r.right()}), std::max({r.y - at.y, 0.F, at.y - r.bottom()}));
    if (nearest != nullptr && away >= least) continue;
    nearest = &element;
    least = away;
  }
  return nearest;
}

}  // namespace

bool moves_lamp(const App& app, const Pointer& pointer) {
  if (!pointer.edit) return false;
  const std::string_view pressed = of_both(pointer.pressed_id);
  return pressed == scenes::kLampId || ((!app.touch || app.opening) && scenes::word_at(pressed));
}

void move_lamp(App& app, const Page& page, Point at) {
  if (const Element* word = nearest_word(page, at)) hover(app, word->id);
}

void let_go_of_lamp(App& app, const Page& page) {
  const Element* word = scenes::word_at(of_both(app.hovered)) ? page.figure.find(app.hovered) : nullptr;
  if (word != nullptr && word->edit) activate(app, Edit(*word->edit));
}

bool turn_lamp(App& app, const Page& page, Pointer& pointer, float lines) {
  const Element* word = nearest_word(page, pointer.at);
  const bool window = page.figure.find("stage.before") != nullptr || page.figure.find("stage.behind") != nullptr;
  if (word == nullptr || !window || !word->rect.contains(pointer.at)) return false;
  pointer.turned += lines;
  const double words = std::trunc(static_cast<double>(pointer.turned));
  pointer.turned -= static_cast<float>(words);
  for (const io::FieldInfo& info : app.scene->fields(app.state)) {
    if (info.field.name != word->edit->field || words == 0) continue;
    const double asks = io::parse_number(info.value).value_or(0) - words;
    const double next = std::clamp(asks, info.field.range.low, info.field.range.high);
    report(app, drag(app, info.field.name, io::format_exact(next)));
    app.in_gesture = false;  // the light follows each line as it follows a click
    hover(app, {});          // under the pointer is another word now
  }
  return true;
}

}  // namespace limelight::app
