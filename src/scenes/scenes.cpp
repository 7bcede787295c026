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

// What each scene's namespace offers, under the names of SceneDef. They stand inside it because tools/split.mjs tells
// by the names of functions which scene they belong to.
namespace spotlight {
struct Scene {
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
  static constexpr auto equations = spotlight::equations;
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
  using State = score::State;
  static constexpr auto compute = score::compute;
  static constexpr auto draw = score::draw;
  static constexpr auto steps = score::steps;
  static constexpr auto narrate = score::narrate;
  static constexpr auto follow = score::follow;
  static constexpr auto inspect = score::inspect;
  static constexpr auto ask = score::ask;
  static constexpr auto provenance = score::provenance;
  static constexpr auto principal = score::principal;
  static constexpr auto equations = score::equations;
};
}  // namespace score

namespace cost {
struct Scene {
  using State = cost::State;
  static constexpr auto compute = cost::compute;
  static constexpr auto draw = cost::draw;
  static constexpr auto steps = cost::steps;
  static constexpr auto narrate = cost::narrate;
  static constexpr auto inspect = cost::inspect;
  static constexpr auto ask = cost::ask;
  static constexpr auto provenance = cost::provenance;
  static constexpr auto principal = cost::principal;
  static constexpr auto equations = cost::equations;
  static constexpr auto job_label = cost::job_label;
  static constexpr auto job = cost::job;
};
}  // namespace cost

namespace layer {
struct Scene {
  using State = layer::State;
  static constexpr auto compute = layer::compute;
  static constexpr auto draw = layer::draw;
  static constexpr auto steps = layer::steps;
  static constexpr auto narrate = layer::narrate;
  static constexpr auto follow = layer::follow;
  static constexpr auto inspect = layer::inspect;
  static constexpr auto ask = layer::ask;
  static constexpr auto provenance = layer::provenance;
  static constexpr auto principal = layer::principal;
  static constexpr auto equations = layer::equations;
};
}  // namespace layer

namespace heads {
struct Scene {
  using State = heads::State;
  static constexpr auto room = heads::room;
  static constexpr auto compute = heads::compute;
  static constexpr auto draw = heads::draw;
  static constexpr auto steps = heads::steps;
  static constexpr auto narrate = heads::narrate;
  static constexpr auto follow = heads::follow;
  static constexpr auto inspect = heads::inspect;
  static constexpr auto ask = heads::ask;
  static constexpr auto provenance = heads::provenance;
  static constexpr auto principal = heads::principal;
  static constexpr auto equations = heads::equations;
  static constexpr auto needs = heads::needs;
};
}  // namespace heads

namespace sentence {
struct Scene {
  using State = sentence::State;
  static constexpr auto compute = sentence::compute;
  static constexpr auto draw = sentence::draw;
  static constexpr auto steps = sentence::steps;
  static constexpr auto narrate = sentence::narrate;
  static constexpr auto follow = sentence::follow;
  static constexpr auto inspect = sentence::inspect;
  static constexpr auto ask = sentence::ask;
  static constexpr auto provenance = sentence::provenance;
  static constexpr auto principal = sentence::principal;
  static constexpr auto equations = sentence::equations;
  static constexpr auto job = sentence::job;
  static constexpr auto starts_job = sentence::starts_job;
  static constexpr auto needs = sentence::needs;
  static constexpr auto own = sentence::kOwn;
};
}  // namespace sentence

namespace limits {
struct Scene {
  using State = limits::State;
  static constexpr auto compute = limits::compute;
  static constexpr auto draw = limits::draw;
  static constexpr auto steps = limits::steps;
  static constexpr auto narrate = limits::narrate;
  static constexpr auto follow = limits::follow;
  static constexpr auto inspect = limits::inspect;
  static constexpr auto ask = limits::ask;
  static constexpr auto provenance = limits::provenance;
  static constexpr auto principal = limits::principal;
  static constexpr auto equations = limits::equations;
};
}  // namespace limits

namespace scale {
struct Scene {
  using State = scale::State;
  static constexpr auto compute = scale::compute;
  static constexpr auto draw = scale::draw;
  static constexpr auto steps = scale::steps;
  static constexpr auto narrate = scale::narrate;
  static constexpr auto inspect = scale::inspect;
  static constexpr auto ask = scale::ask;
  static constexpr auto provenance = scale::provenance;
  static constexpr auto principal = scale::principal;
  static constexpr auto equations = scale::equations;
  static constexpr auto job_label = scale::job_label;
  static constexpr auto job = scale::job;
};
}  // namespace scale

namespace translate {
struct Scene {
  using State = translate::State;
  static constexpr auto room = translate::room;
  static constexpr auto compute = translate::compute;
  static constexpr auto draw = translate::draw;
  static constexpr auto steps = translate::steps;
  static constexpr auto narrate = translate::narrate;
  static constexpr auto follow = translate::follow;
  static constexpr auto play = translate::play;
  static constexpr auto inspect = translate::inspect;
  static constexpr auto ask = translate::ask;
  static constexpr auto provenance = translate::provenance;
  static constexpr auto principal = translate::principal;
  static constexpr auto equations = translate::equations;
  static constexpr auto needs = translate::needs;
};
}  // namespace translate

namespace train {
struct Scene {
  using State = train::State;
  static constexpr auto compute = train::compute;
  static constexpr auto draw = train::draw;
  static constexpr auto steps = train::steps;
  static constexpr auto narrate = train::narrate;
  static constexpr auto inspect = train::inspect;
  static constexpr auto ask = train::ask;
  static constexpr auto provenance = train::provenance;
  static constexpr auto principal = train::principal;
  static constexpr auto equations = train::equations;
  static constexpr auto job_label = train::job_label;
  static constexpr auto job = train::job;
  static constexpr auto needs = train::needs;
};
}  // namespace train

namespace caption {
struct Scene {
  using State = caption::State;
  static constexpr auto compute = caption::compute;
  static constexpr auto draw = caption::draw;
  static constexpr auto steps = caption::steps;
  static constexpr auto narrate = caption::narrate;
  static constexpr auto follow = caption::follow;
  static constexpr auto play = caption::play;
  static constexpr auto inspect = caption::inspect;
  static constexpr auto ask = caption::ask;
  static constexpr auto provenance = caption::provenance;
  static constexpr auto principal = caption::principal;
  static constexpr auto equations = caption::equations;
  static constexpr auto job_label = caption::job_label;
  static constexpr auto job = caption::job;
  static constexpr auto needs = caption::needs;
  static constexpr PictureField picture{.name = "own", .side = learn::pictures::kSide};
};
}  // namespace caption

namespace patches {
struct Scene {
  using State = patches::State;
  static constexpr auto compute = patches::compute;
  static constexpr auto draw = patches::draw;
  static constexpr auto steps = patches::steps;
  static constexpr auto narrate = patches::narrate;
  static constexpr auto follow = patches::follow;
  static constexpr auto inspect = patches::inspect;
  static constexpr auto ask = patches::ask;
  static constexpr auto provenance = patches::provenance;
  static constexpr auto principal = patches::principal;
  static constexpr auto equations = patches::equations;
  static constexpr auto picture = patches::kPicture;
};
}  // namespace patches

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
