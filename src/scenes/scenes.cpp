#include <algorithm>
#include <array>
#include <ranges>

#include "scenes/scale.h"
#include "scenes/scene.h"
#include "scenes/spotlight.h"

namespace limelight::scenes {
namespace {

struct Spotlight {
  using State = spotlight::State;
  static constexpr auto room = spotlight::room;
  static constexpr auto compute = spotlight::compute;
  static constexpr auto draw = spotlight::draw;
  static constexpr auto steps = spotlight::steps;
  static constexpr auto narrate = spotlight::narrate;
  static constexpr auto first_step = spotlight::first_step;
  static constexpr auto follow = spotlight::follow;
  static constexpr auto inspect = spotlight::inspect;
  static constexpr auto ask = spotlight::ask;
  static constexpr auto provenance = spotlight::provenance;
  static constexpr auto principal = spotlight::principal;
  static constexpr auto job_label = spotlight::job_label;
  static constexpr auto job = spotlight::job;
};

struct Scale {
  using State = scale::State;
  static constexpr auto room = scale::room;
  static constexpr auto compute = scale::compute;
  static constexpr auto draw = scale::draw;
  static constexpr auto steps = scale::steps;
  static constexpr auto narrate = scale::narrate;
  static constexpr auto first_step = scale::first_step;
  static constexpr auto follow = scale::follow;
  static constexpr auto inspect = scale::inspect;
  static constexpr auto ask = scale::ask;
  static constexpr auto provenance = scale::provenance;
  static constexpr auto principal = scale::principal;
  static constexpr auto job_label = scale::job_label;
  static constexpr auto job = scale::job;
};

constexpr SceneDef spotlight_scene =
    make_scene<Spotlight>("spotlight", "Spotlight", "How does a word see the others?", "Basics");
constexpr SceneDef scale_scene = make_scene<Scale>("scale", "Scale", "Why divide by √d?", "Basics");

constexpr std::array table = {
    &spotlight_scene,
    &scale_scene,
};

}  // namespace

std::span<const SceneDef* const> all() { return table; }

const SceneDef* find(std::string_view id) {
  const auto found = std::ranges::find(table, id, [](const SceneDef* scene) { return scene->id; });
  return found == table.end() ? nullptr : *found;
}

Result<const SceneDef*> named(std::string_view id) {
  if (const SceneDef* scene = find(id)) return scene;
  return fail("There is no scene called " + io::quote(id) + "; it can be " +
              io::one_of(all() | std::views::transform(&SceneDef::id)) + ".");
}

std::string without_marks(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 2) == "**")
      ++i;
    else
      plain += text[i];
  }
  return plain;
}

}  // namespace limelight::scenes
