#include "scenes/place.h"

#include <algorithm>

#include "io/numbers.h"
#include "io/utf8.h"

namespace limelight::scenes {
namespace {

// ", or a part of a step, as in 7.2", when there is a step that has one.
std::string example_of_a_part(std::span<const Step> steps) {
  const auto found = std::ranges::find_if(steps, [](const Step& step) { return !step.parts.empty(); });
  if (found == steps.end()) return {};
  return ", or a part of a step, as in " + std::to_string(found - steps.begin() + 1) + "." +
         std::to_string(found->parts.size());
}

}  // namespace

Result<Place> read_place(std::span<const Step> steps, std::string_view text) {
  const std::size_t dot = text.find('.');
  const int count = static_cast<int>(steps.size());
  const Result<int> step = io::parse_integer(text.substr(0, dot));
  if (!step || *step < 1 || *step > count)
    return fail("The step is " + io::quote(text) + "; it can be 1 to " + std::to_string(count) +
                example_of_a_part(steps) + ".");
  if (dot == std::string_view::npos) return Place{*step, 0};
  const int parts = static_cast<int>(steps[static_cast<std::size_t>(*step - 1)].parts.size());
  const Result<int> part = io::parse_integer(text.substr(dot + 1));
  if (!part || *part < 1 || *part > parts)
    return fail("Step " + std::to_string(*step) +
                (parts > 0 ? " has the parts 1 to " + std::to_string(parts) : std::string(" has no parts")) + ", not " +
                io::quote(text.substr(dot + 1)) + ".");
  return Place{*step, *part};
}

std::string write_place(Place place) {
  return std::to_string(place.step) + (place.part > 0 ? "." + std::to_string(place.part) : "");
}

std::string title_of(const SceneDef& scene, Place place) {
  const std::span<const Step> steps = scene.steps();
  const Step& step = steps[static_cast<std::size_t>(place.step - 1)];
  std::string text = std::string(scene.title) + ", step " + std::to_string(place.step) + " of " +
                     std::to_string(steps.size()) + ": " + std::string(step.name);
  if (place.part > 0) text += " (" + std::string(step.parts[static_cast<std::size_t>(place.part - 1)].name) + ")";
  return text;
}

code::Subject subject_of(const SceneDef& scene, const std::any& state, const Trace& trace, Place place,
                         code::Language language) {
  io::Patch link{{"scene", std::string(scene.id)}, {"step", write_place(place)}};
  for (auto& entry : scene.encode(state)) link.push_back(std::move(entry));
  return {.title = title_of(scene, place),
          .link = io::write_patch(link),
          .trace = trace,
          .principal = scene.principal(state, trace, place),
          .language = language};
}

io::Patch play_words(Place place, int step, Words words) {
  const auto come_to = [&](int at, int word) {
    return io::Patch{{"step", std::to_string(at)}, {"word", std::to_string(word)}};
  };
  if (place == Place{step - 1, 0}) return come_to(step, 0);
  if (place.step != step) return {};
  return words.at + 1 < words.count ? come_to(step, words.at + 1) : come_to(step + 1, words.own);
}

}  // namespace limelight::scenes
