// A link that its scene cannot take opens that scene with its example, and says what was wrong.
#include <doctest/doctest.h>

#include <string>

#include "app/app.h"
#include "app/commands.h"
#include "unit/scenes/scene_support.h"
#include "unit/swept.h"

using namespace limelight;
using namespace limelight::app;

namespace {

constexpr const char* kBad[] = {"step=99",        "step=1.9",   "nonsense=1",
                                "preset=nowhere", "guess=9",    "pin=bogus%5B0%2C0%5D",
                                "v=999",          "theme=pink", "against=nonsense%3D1"};

std::string begun(const scenes::SceneDef* scene) {
  App app = make_app();
  REQUIRE(open_link(app, "v=2&scene=" + std::string(scene->id)));
  return link(app);
}

}  // namespace

TEST_CASE("refused links: each opens its own scene with its example, and its sentence is shown") {
  for (const scenes::SceneDef* scene : test::swept())
    for (const char* bad : kBad)
      for (const bool scene_first : {true, false}) {
        const std::string named = "scene=" + std::string(scene->id);
        const std::string text = scene_first ? named + "&" + bad : std::string(bad) + "&" + named;
        CAPTURE(text);
        App app = make_app();
        const std::string reply = call(app, "open", text);
        // Which cells and answers there are is known when a model has come.
        const bool refused = reply.find("\"ok\":false") != std::string::npos;
        CHECK((refused || !scene->needs(scene->initial(), {}).empty()));
        if (!refused) continue;
        CHECK(app.scene == scene);
        CHECK(link(app) == begun(scene));
        CHECK(app.notice.text.ends_with(" So the link was left out, and this is the example."));
        CHECK_FALSE(app.notice.good);
        CHECK(app.keep_address);
        REQUIRE(change(app, "step", scene->steps().back().id));
        CHECK_FALSE(app.keep_address);
      }
}

TEST_CASE("refused links: a text that the scene refuses opens the scene with its own") {
  for (const char* text : {"scene=translate&preset=own&text=", "scene=sentence&text=", "scene=scale&d=-4",
                           "scene=spotlight&temperature=99"}) {
    CAPTURE(text);
    App app = make_app();
    REQUIRE_FALSE(open_link(app, text));
    CHECK(link(app) == begun(app.scene));
    CHECK(std::string(text).starts_with("scene=" + std::string(app.scene->id)));
  }
}

TEST_CASE("refused links: what is good of how they want to be shown is heeded") {
  App app = make_app();
  REQUIRE_FALSE(open_link(app, "embed=1&scene=score&step=99&theme=dark&projector=1"));
  CHECK(app.scene->id == "score");
  CHECK(app.settings.embed);
  CHECK(app.settings.projector);
  CHECK(app.theme() == figure::Theme::dark);
  App half = make_app();
  REQUIRE_FALSE(open_link(half, "scene=score&theme=pink&embed=1"));
  CHECK(half.scene->id == "score");
  CHECK(half.settings.embed);
}

TEST_CASE("refused links: on an open page nothing of the reader's is lost") {
  for (const char* bad : {"scene=score&step=99", "scene=spotlight&step=99"}) {
    CAPTURE(bad);
    App app = make_app();
    app.frames = 1;
    REQUIRE(change(app, io::Patch{{"text", "dogs chase cats"}, {"step", "5"}, {"pin", "weights[0,1]"}}));
    const std::string before = link(app);
    REQUIRE_FALSE(open_link(app, bad));
    CHECK(link(app) == begun(app.scene));
    CHECK(std::string(bad).starts_with("scene=" + std::string(app.scene->id)));
    if (app.scene->id == "score") {
      App back = app;
      REQUIRE(change(back, "scene", "spotlight"));
      CHECK(link(back) == before);
      undo(app);
      CHECK(link(app) == before);
    } else {
      undo(app);
      CHECK(link(app).find("dogs") != std::string::npos);
    }
  }
}

TEST_CASE("refused links: a scene that does not exist, or none, leaves what was open") {
  for (const char* bad : {"scene=nowhere&step=2", "step=99", "step=99&scene=nowhere&embed=1"}) {
    CAPTURE(bad);
    App app = make_app();
    app.frames = 1;
    REQUIRE(change(app, io::Patch{{"scene", "score"}, {"step", "3"}}));
    const std::string before = link(app);
    REQUIRE_FALSE(open_link(app, bad));
    app.settings.embed = false;
    CHECK(link(app) == before);
    CHECK(app.undo_stack.size() == 1);
  }
}

TEST_CASE("refused links: so it is when the scene has to come first, and for what the page kept") {
  App app = make_app();
  app.all_scenes = false;
  REQUIRE(open_link(app, "scene=score&step=99&embed=1"));
  REQUIRE(app.waiting);
  CHECK_FALSE(scenes_came(app));
  CHECK(app.scene->id == "score");
  CHECK(app.place == scenes::Place{});
  CHECK(app.settings.embed);
  CHECK(app.keep_address);
  CHECK(app.notice.text.find("step") != std::string::npos);
  App again = make_app();
  REQUIRE_FALSE(open_kept(again, "scene=score&step=99&K=" + std::string(40'000, '0')));
  CHECK(link(again) == begun(scenes::find("score")));
  CHECK(again.keep_address);
}

TEST_CASE("refused links: a state file with such a link leaves what is shown, as it says") {
  App app = make_app();
  const std::string before = link(app);
  const std::string reply = call(app, "open_state", "limelight-state 1\nv=1&scene=score&step=99\nend\n");
  CHECK(reply.find("step") != std::string::npos);
  CHECK(link(app) == before);
  CHECK_FALSE(app.keep_address);
  REQUIRE_FALSE(open_link(app, "scene=score&step=99"));
  REQUIRE(call(app, "open_state", "limelight-state 1\nv=1&scene=score&step=3\nend\n").find("\"ok\":true") < 2);
  CHECK_FALSE(app.keep_address);  // it is what the reader wants to see
}

TEST_CASE("refused links: an empty one is none, and is not refused") {
  App app = make_app();
  REQUIRE(open_link(app, ""));
  CHECK(link(app) == link(make_app()));
  CHECK_FALSE(app.keep_address);
}
