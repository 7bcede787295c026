#include "app/along.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "app/commands.h"
#include "app/compare.h"
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

}  // namespace limelight::app
