#include <algorithm>
#include <array>
#include <ranges>
#include <utility>

#include "scenes/caption/caption.h"
#include "scenes/cost/cost.h"
#include "scenes/heads/heads.h"
#include "scenes/layer/layer.h"
#include "scenes/limits/limits.h"
#include "scenes/patches/patches.h"
#include "scenes/scale/scale.h"
#include "scenes/scene.h"
#include "scenes/score/score.h"
#include "scenes/sentence/sentence.h"
#include "scenes/spotlight/spotlight.h"
#include "scenes/train/train.h"
#include "scenes/translate/translate.h"

namespace limelight::scenes {

// What every scene's namespace offers, under the names of SceneDef; what only some do is named one by one.
#define LIMELIGHT_SCENE(name)                          \
  using State = name::State;                           \
  static constexpr auto compute = name::compute;       \
  static constexpr auto draw = name::draw;             \
  static constexpr auto steps = name::steps;           \
  static constexpr auto narrate = name::narrate;       \
  static constexpr auto inspect = name::inspect;       \
  static constexpr auto ask = name::ask;               \
  static constexpr auto provenance = name::provenance; \
  static constexpr auto principal = name::principal;   \
  static constexpr auto equations = name::equations;

// They stand inside the scenes' namespaces because tools/split.mjs tells by the names of functions which scene they
// belong to.
namespace spotlight {
struct Scene {
  LIMELIGHT_SCENE(spotlight)
  static constexpr auto room = spotlight::room;
  static constexpr auto first_step = spotlight::first_step;
  static constexpr auto follow = spotlight::follow;
  static constexpr auto job_label = spotlight::job_label;
  static constexpr auto job = spotlight::job;
  static constexpr auto needs = spotlight::needs;
  static constexpr auto borrows = spotlight::kBorrows;
  static constexpr auto begins = spotlight::begins;
  static constexpr auto suited = spotlight::suited;
  static constexpr auto opening = spotlight::opening;
};
}  // namespace spotlight

namespace score {
struct Scene {
  LIMELIGHT_SCENE(score)
  static constexpr auto follow = score::follow;
};
}  // namespace score

namespace cost {
struct Scene {
  LIMELIGHT_SCENE(cost)
  static constexpr auto job_label = cost::job_label;
  static constexpr auto job = cost::job;
};
}  // namespace cost

namespace layer {
struct Scene {
  LIMELIGHT_SCENE(layer)
  static constexpr auto follow = layer::follow;
};
}  // namespace layer

namespace heads {
struct Scene {
  LIMELIGHT_SCENE(heads)
  static constexpr auto room = heads::room;
  static constexpr auto follow = heads::follow;
  static constexpr auto needs = heads::needs;
};
}  // namespace heads

namespace sentence {
struct Scene {
  LIMELIGHT_SCENE(sentence)
  static constexpr auto follow = sentence::follow;
  static constexpr auto job = sentence::job;
  static constexpr auto starts_job = sentence::starts_job;
  static constexpr auto needs = sentence::needs;
  static constexpr auto own = sentence::kOwn;
};
}  // namespace sentence

namespace limits {
struct Scene {
  LIMELIGHT_SCENE(limits)
  static constexpr auto follow = limits::follow;
};
}  // namespace limits

namespace scale {
struct Scene {
  LIMELIGHT_SCENE(scale)
  static constexpr auto job_label = scale::job_label;
  static constexpr auto job = scale::job;
};
}  // namespace scale

namespace translate {
struct Scene {
  LIMELIGHT_SCENE(translate)
  static constexpr auto room = translate::room;
  static constexpr auto follow = translate::follow;
  static constexpr auto play = translate::play;
  static constexpr auto needs = translate::needs;
};
}  // namespace translate

namespace train {
struct Scene {
  LIMELIGHT_SCENE(train)
  static constexpr auto job_label = train::job_label;
  static constexpr auto job = train::job;
  static constexpr auto needs = train::needs;
};
}  // namespace train

namespace caption {
struct Scene {
  LIMELIGHT_SCENE(caption)
  static constexpr auto follow = caption::follow;
  static constexpr auto play = caption::play;
  static constexpr auto job_label = caption::job_label;
  static constexpr auto job = caption::job;
  static constexpr auto needs = caption::needs;
  static constexpr PictureField picture{.name = "own", .side = learn::pictures::kSide};
};
}  // namespace caption

namespace patches {
struct Scene {
  LIMELIGHT_SCENE(patches)
  static constexpr auto follow = patches::follow;
  static constexpr auto picture = patches::kPicture;
};
}  // namespace patches
#undef LIMELIGHT_SCENE

namespace {

constexpr SceneDef spotlight_scene =
    make_scene<spotlight::Scene>("spotlight", "Spotlight", "How does a word see the others?", "Basics");
constexpr SceneDef score_scene = make_scene<score::Scene>("score", "Score", "How do two vectors compare?", "Basics");
constexpr SceneDef scale_scene = make_scene<scale::Scene>("scale", "Scale", "Why divide by √d?", "Basics");
constexpr SceneDef layer_scene = make_scene<layer::Scene>("layer", "Layer", "What makes it self-attention?", "Layer");
constexpr SceneDef heads_scene = make_scene<heads::Scene>("heads", "Heads", "Why more than one?", "Layer");
constexpr SceneDef sentence_scene =
    make_scene<sentence::Scene>("sentence", "Sentence", "Which word looks at which?", "Layer");
constexpr SceneDef translate_scene =
    make_scene<translate::Scene>("translate", "Translate", "Where does a translator look?", "Learned");
constexpr SceneDef train_scene =
    make_scene<train::Scene>("train", "Train", "How does it learn where to look?", "Learned");
constexpr SceneDef caption_scene =
    make_scene<caption::Scene>("caption", "Caption", "Soft or hard: where to look?", "Learned");
constexpr SceneDef patches_scene =
    make_scene<patches::Scene>("patches", "Patches", "Where does a patch look?", "Learned");
constexpr SceneDef cost_scene = make_scene<cost::Scene>("cost", "Cost", "What does attention cost?", "Limits");
constexpr SceneDef limits_scene =
    make_scene<limits::Scene>("limits", "Limits", "What does attention not tell?", "Limits");

constexpr std::array kScenes = {
    &spotlight_scene, &score_scene, &scale_scene,   &layer_scene,   &heads_scene, &sentence_scene,
    &translate_scene, &train_scene, &caption_scene, &patches_scene, &cost_scene,  &limits_scene,
};

}  // namespace

std::span<const SceneDef* const> all() { return kScenes; }

const SceneDef* find(std::string_view id) {
  const auto found = std::ranges::find(kScenes, id, [](const SceneDef* scene) { return scene->id; });
  return found == kScenes.end() ? nullptr : *found;
}

Result<const SceneDef*> named(std::string_view id) {
  if (const SceneDef* scene = find(id)) return scene;
  return fail("There is no scene called " + io::quote(id) + "; it can be " +
              io::one_of(all() | std::views::transform(&SceneDef::id)) + ".");
}

const SceneDef* after(const SceneDef* scene) {
  const SceneDef* before = nullptr;
  for (const SceneDef* one : kScenes)
    if (std::exchange(before, one) == scene) return one;
  return nullptr;
}

io::Patch encode(const io::Walk& state, const io::Walk& example, const io::Walk& initial) {
  io::Patch patch;
  for (const io::FieldInfo& info : io::describe(example, initial))
    if (info.field.name == "preset") patch.emplace_back("preset", info.value);
  for (auto& entry : io::difference(state, example)) patch.push_back(std::move(entry));
  return patch;
}

std::string without_marks(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == kHints) continue;
    if (text[i] == kPoints) i = std::min(text.find("**", i), text.size());
    if (text.substr(std::min(i, text.size()), 2) == "**")
      ++i;
    else if (i < text.size())
      plain += text[i];
  }
  return plain;
}

}  // namespace limelight::scenes
