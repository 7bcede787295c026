#include "scenes/moment.h"

#include <algorithm>

#include "io/numbers.h"
#include "io/utf8.h"
#include "scenes/place.h"

namespace limelight::scenes {

std::optional<Place> before(const SceneDef& scene, const std::any& state, Place place) {
  const int parts = static_cast<int>(step_at(scene, place).parts.size());
  // All of a step stands at the tick of its last part.
  const int part = place.part == 0 ? parts : place.part;
  if (part > 1) return Place{place.step, part - 1};
  if (place.step > scene.first_step(state)) return Place{place.step - 1, 0};
  return std::nullopt;
}

Result<float> read_t(std::string_view text) {
  const Result<double> t = io::parse_number(text);
  if (!t)
    return fail("The moment t is " + io::quote(text) + "; it is a number from 0, the step before, to 1, this step.");
  return static_cast<float>(std::clamp(*t, 0.0, 1.0));
}

std::string write_t(float t) { return io::format_short(static_cast<double>(t), 3); }

figure::Figure draw_moment(const SceneDef& scene, const std::any& state, const Trace& trace, const View& view) {
  const std::optional<Place> from = view.t < 1 ? before(scene, state, view.place) : std::nullopt;
  const figure::Figure here = scene.draw(state, trace, view);
  if (!from) return here;
  View there = view;
  there.place = *from;
  figure::Figure before = scene.draw(state, trace, there);
  if (view.t <= 0) return before;
  const Step& step = step_at(scene, view.place);
  if (step.becomes != nullptr)
    for (figure::Element& element : before.elements) element.id = step.becomes(state, element.id);
  return figure::blend(before, here, view.t, step.timing);
}

}  // namespace limelight::scenes
