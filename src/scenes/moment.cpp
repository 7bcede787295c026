#include "scenes/moment.h"

#include <algorithm>

#include "io/numbers.h"
#include "io/utf8.h"
#include "scenes/place.h"

namespace limelight::scenes {

std::optional<Place> before(const SceneDef& scene, const std::any& state, Place place) {
  if (place.part > 1) return Place{place.step, place.part - 1};
  if (place.step <= scene.first_step(state)) return std::nullopt;
  const int parts = static_cast<int>(step_at(scene, {place.step - 1}).parts.size());
  return Place{place.step - 1, parts};
}

Result<float> read_t(std::string_view text) {
  const Result<double> t = io::parse_number(text);
  if (!t)
    return fail("The moment t is " + io::quote(text) + "; it is a number from 0, the step before, to 1, this step.");
  return static_cast<float>(std::clamp(*t, 0.0, 1.0));
}

std::string write_t(float t) { return io::format_short(static_cast<double>(t), 3); }

const Motion& motion_at(const SceneDef& scene, Place place) {
  const Step& step = step_at(scene, place);
  const bool detail = place.part > 0 && place.part < std::ssize(step.parts);
  return detail ? step.parts[static_cast<std::size_t>(place.part - 1)].motion : step.motion;
}

float computing(const Motion& motion, float t) {
  const float begins = motion.computes_from;
  return begins < 1 ? std::max((t - begins) / (1 - begins), 0.F) : 1;
}

figure::Figure draw_moment(const SceneDef& scene, const std::any& state, const Trace& trace, const View& view) {
  const auto at = [&](Place place, float t) {
    View still = view;
    still.place = place;
    still.t = t;
    return scene.draw(state, trace, still);
  };
  const std::optional<Place> from = view.t < 1 ? before(scene, state, view.place) : std::nullopt;
  const Motion& motion = motion_at(scene, view.place);
  if (!from) return at(view.place, motion.begins_alone() ? view.t : 1);
  if (view.t <= 0) return at(*from, 1);
  const float begins = motion.computes_from;
  const figure::Figure here = at(view.place, computing(motion, view.t));
  if (begins < 1 && view.t >= begins) return here;
  figure::Figure there = at(*from, 1);
  if (motion.becomes != nullptr)
    for (figure::Element& element : there.elements) element.id = motion.becomes(state, element.id);
  return figure::blend(there, here, view.t / begins, motion.timing);
}

}  // namespace limelight::scenes
