#include "scenes/place.h"

#include <algorithm>
#include <cassert>

#include "io/utf8.h"
#include "scenes/version_1.h"

namespace limelight::scenes {
namespace {

// A step that is gone, and the one that links to it lead to.
struct Former {
  std::string_view scene, step, now;
};
constexpr Former kFormer[] = {{"train", "task", "train"}};

std::string_view step_now(std::string_view scene, std::string_view step) {
  for (const Former& one : kFormer)
    if (one.scene == scene && one.step == step) return one.now;
  return step;
}

Result<Place> no_step(const SceneDef& scene, std::string_view text) {
  const std::span<const Step> steps = scene.steps();
  std::string known;
  for (const Step& step : steps) known += (known.empty() ? "" : ", ") + std::string(step.id);
  const auto whole = std::ranges::find_if(steps, [](const Step& step) { return !step.parts.empty(); });
  if (whole != steps.end())
    known += "; or a part of one, as in " + std::string(whole->id) + "." + std::string(whole->parts.back().id);
  return fail("The step is " + io::quote(text) + "; " + std::string(scene.title) + " has " + known + ".");
}

}  // namespace

const Step& step_at(const SceneDef& scene, Place place) {
  return scene.steps()[static_cast<std::size_t>(place.step - 1)];
}

Result<Place> read_place(const SceneDef& scene, std::string_view text) {
  const std::optional<std::string> id = id_of_number(scene.id, text);
  const std::string_view named = id ? std::string_view(*id) : text;
  const std::size_t dot = named.find('.');
  const std::span<const Step> steps = scene.steps();
  const auto step = std::ranges::find(steps, step_now(scene.id, named.substr(0, dot)), &Step::id);
  if (step == steps.end()) return no_step(scene, text);
  const int number = static_cast<int>(step - steps.begin()) + 1;
  if (dot == std::string_view::npos) return Place{number, 0};
  const auto part = std::ranges::find(step->parts, named.substr(dot + 1), &Part::id);
  if (part != step->parts.end()) return Place{number, static_cast<int>(part - step->parts.begin()) + 1};
  std::string known;
  for (const Part& one : step->parts) known += (known.empty() ? "" : ", ") + std::string(one.id);
  return fail("The step " + std::string(step->id) +
              (known.empty() ? std::string(" has no parts") : " has the parts " + known) + ", not " +
              io::quote(named.substr(dot + 1)) + ".");
}

std::string write_place(const SceneDef& scene, Place place) {
  const Step& step = step_at(scene, place);
  std::string text(step.id);
  if (place.part > 0) text += "." + std::string(step.parts[static_cast<std::size_t>(place.part - 1)].id);
  return text;
}

int number_of(std::span<const Step> steps, std::string_view id) {
  const auto found = std::ranges::find(steps, id, &Step::id);
  assert(found != steps.end());
  return static_cast<int>(found - steps.begin()) + 1;
}

std::string number_of(Place place) {
  return std::to_string(place.step) + (place.part > 0 ? "." + std::to_string(place.part) : "");
}

std::string title_of(const SceneDef& scene, Place place) {
  const Step& step = step_at(scene, place);
  std::string text = std::string(scene.title) + ", step " + std::to_string(place.step) + " of " +
                     std::to_string(scene.steps().size()) + ": " + std::string(step.name);
  if (place.part > 0) text += " (" + std::string(step.parts[static_cast<std::size_t>(place.part - 1)].name) + ")";
  return text;
}

code::Subject subject_of(const SceneDef& scene, const std::any& state, const Trace& trace, Place place,
                         code::Language language) {
  io::Patch link{{"scene", std::string(scene.id)}, {"step", write_place(scene, place)}};
  for (auto& entry : scene.encode(state)) link.push_back(std::move(entry));
  return {.title = title_of(scene, place),
          .link = io::write_patch(link),
          .trace = trace,
          .principal = scene.principal(state, trace, place),
          .language = language};
}

io::Patch play_words(std::span<const Step> steps, Place place, std::string_view step, PlayedWords words) {
  const int written = number_of(steps, step);
  const auto come_to = [&](int at, int word) {
    return io::Patch{{"step", std::string(steps[static_cast<std::size_t>(at - 1)].id)}, {"word", std::to_string(word)}};
  };
  if (place == Place{written - 1, 0}) return come_to(written, 0);
  if (place.step != written) return {};
  return words.at + 1 < words.count ? come_to(written, words.at + 1) : come_to(written + 1, words.own);
}

}  // namespace limelight::scenes
