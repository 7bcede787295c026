// What a reader keeps in view of a scene, a pinned number and a part that is zoomed into, belongs to that scene.
#include <doctest/doctest.h>

#include <string>

#include "app/app.h"
#include "app/commands.h"

using namespace limelight;
using namespace limelight::app;

namespace {

struct Kept {
  std::string pinned, zoom;
  bool operator==(const Kept&) const = default;
};

Kept kept_in(const App& app) {
  Kept kept;
  for (const auto& [name, value] : state_of(app)) {
    if (name == "pin") kept.pinned = value;
    if (name == "zoom") kept.zoom = value;
  }
  return kept;
}

App opened(const scenes::SceneDef* scene) {
  App app = make_app();
  REQUIRE(change(app, "scene", scene->id));
  return app;
}

// A tensor that both show, where there is one: its cells bear the same names in both.
std::string tensor_of(const App& app, const App& other) {
  for (const Tensor& tensor : app.trace.tensors)
    if (tensor.values.size() > 0 && other.trace.cell(tensor.name, 0, 0) != nullptr) return tensor.name;
  return app.trace.tensors.front().name;
}

// Pins, zooms and points at a number of a tensor.
Kept keep(App& app, const std::string& tensor) {
  REQUIRE(change(app, io::Patch{{"pin", tensor + "[0,0]"}, {"zoom", tensor + ":0.0:1.1"}}));
  hover(app, tensor + "[0,0]");
  return kept_in(app);
}

}  // namespace

TEST_CASE("pins: what is pinned, zoomed into and pointed at in a scene is so in no other, and again on the way back") {
  int shared = 0;
  for (const scenes::SceneDef* from : scenes::all()) {
    App app = opened(from);
    for (const scenes::SceneDef* to : scenes::all()) {
      if (to == from) continue;
      CAPTURE(from->id);
      CAPTURE(to->id);
      const App other = opened(to);
      const std::string tensor = tensor_of(app, other);
      shared += other.trace.find(tensor) != nullptr ? 1 : 0;
      const Kept kept = keep(app, tensor);
      CHECK_FALSE(kept.pinned.empty());
      for (const bool undone : {true, false}) {
        REQUIRE(change(app, "scene", to->id));
        CHECK(kept_in(app) == Kept{});
        CHECK(app.hovered.empty());
        if (undone)
          undo(app);
        else
          REQUIRE(change(app, "scene", from->id));
        CHECK(app.scene == from);
        CHECK(kept_in(app) == kept);
      }
      app.left.erase(to);  // the next scene is left for it with something kept
    }
  }
  CHECK(shared > 40);
}

TEST_CASE("pins: a link shows what it names, whatever is kept in the scene that was open and in its own") {
  App app = opened(scenes::find("score"));
  app.frames = 1;
  keep(app, "K");
  REQUIRE(open_link(app, "v=1&scene=layer"));
  CHECK(kept_in(app) == Kept{});
  REQUIRE(open_link(app, "v=1&scene=score"));
  CHECK(kept_in(app) == Kept{});
  undo(app);
  undo(app);
  CHECK(app.scene->id == "score");
  REQUIRE(open_link(app, "v=1&scene=layer&pin=Q%5B1%2C0%5D"));
  CHECK(kept_in(app) == Kept{"Q[1,0]", ""});
}

TEST_CASE("pins: redo leads to a scene as it was left, with its own step and pin") {
  App app = opened(scenes::find("score"));
  const Kept kept = keep(app, "K");
  REQUIRE(change(app, "step", "4"));
  REQUIRE(change(app, io::Patch{{"scene", "layer"}, {"step", "3"}}));
  const Kept there = keep(app, "Q");
  undo(app);
  CHECK(kept_in(app) == kept);
  CHECK(app.place.step == 4);
  redo(app);
  CHECK(app.scene->id == "layer");
  CHECK(kept_in(app) == there);
  CHECK(app.place.step == 3);
}

TEST_CASE("pins: undo that leads to another scene takes no comparison along") {
  App app = opened(scenes::find("layer"));
  call(app, "do", "compare");
  REQUIRE(app.compared);
  undo(app);
  CHECK(app.scene->id == "spotlight");
  CHECK_FALSE(app.compared);
}

TEST_CASE("pins: a change that names a scene and a pin means a number of that scene, in whichever order") {
  for (const bool scene_first : {true, false}) {
    App app = opened(scenes::find("score"));
    const Kept kept = keep(app, "K");
    io::Patch patch{{"scene", "layer"}, {"pin", "Q[1,0]"}};
    if (!scene_first) std::swap(patch[0], patch[1]);
    REQUIRE(change(app, patch));
    CHECK(kept_in(app) == Kept{"Q[1,0]", ""});
    REQUIRE(change(app, "scene", "score"));
    CHECK(kept_in(app) == kept);
    REQUIRE(change(app, "scene", "layer"));
    CHECK(kept_in(app) == Kept{"Q[1,0]", ""});
    REQUIRE(change(app, io::Patch{{"scene", "score"}, {"pin", ""}}));
    CHECK(app.pinned.empty());
  }
}

TEST_CASE("pins: what is pinned while a scene is waited for is not pinned in it") {
  App app = make_app();
  app.all_scenes = false;
  REQUIRE(change(app, "scene", "layer"));
  const Kept kept = keep(app, "Q");
  REQUIRE(scenes_came(app));
  CHECK(app.scene->id == "layer");
  CHECK(kept_in(app) == Kept{});
  REQUIRE(change(app, "scene", "spotlight"));
  CHECK(kept_in(app) == kept);
}

TEST_CASE("pins: the number that is typed into is let go with its scene") {
  App app = opened(scenes::find("score"));
  call(app, "edit", "K 0.0");
  REQUIRE(app.typing);
  REQUIRE(change(app, "scene", "layer"));
  CHECK_FALSE(app.typing);
}
