// The laws of a page that has the first scene's functions only: others are waited for.
#include <doctest/doctest.h>

#include "app/app.h"
#include "app/commands.h"
#include "unit/fonts.h"

using namespace limelight;
using namespace limelight::app;

namespace {

App first_scene_only() {
  REQUIRE(test::load_fonts());
  App app = make_app();
  app.all_scenes = false;
  app.frames = 1;
  return app;
}

bool says_that_it_waits(const std::string& reply) { return reply.find("\"waits\":true") != std::string::npos; }

}  // namespace

TEST_CASE("waiting: another scene changes nothing until it has come, then all of what was asked for") {
  App app = first_scene_only();
  const io::Patch before = state_of(app);
  CHECK(says_that_it_waits(call(app, "set", "scene=scale&step=2&d=256")));
  CHECK(state_of(app) == before);
  CHECK(app.undo_stack.empty());
  CHECK(call(app, "scenes", "") == "{\"ok\":true}");
  CHECK(app.scene->id == "scale");
  CHECK(app.place.step == 2);
  CHECK(link(app).find("d=256") != std::string::npos);
  CHECK_FALSE(app.waiting);
  undo(app);
  CHECK(app.scene->id == "spotlight");
}

TEST_CASE("waiting: a link replaces everything once its scene has come") {
  App app = first_scene_only();
  REQUIRE(change(app, "temperature", "3"));
  REQUIRE(open_link(app, "v=1&scene=score&step=3&theme=dark"));
  CHECK(app.scene->id == "spotlight");
  CHECK(scenes_came(app));
  CHECK(app.scene->id == "score");
  CHECK(app.place.step == 3);
  CHECK(app.theme() == figure::Theme::dark);
}

TEST_CASE("waiting: what the scene refuses is refused when it has come, and the first scene stays") {
  App app = first_scene_only();
  CHECK(says_that_it_waits(call(app, "set", "scene=scale&d=-4")));
  const std::string reply = call(app, "scenes", "");
  CHECK(reply.find("\"ok\":false") != std::string::npos);
  CHECK(app.scene->id == "spotlight");
  CHECK_FALSE(app.notice.text.empty());
  CHECK_FALSE(app.notice.good);
}

TEST_CASE("waiting: when the scenes cannot come, the reader gets the reason, and may ask again") {
  App app = first_scene_only();
  REQUIRE(change(app, "scene", "layer"));
  call(app, "scenes", "The network gave no answer.");
  CHECK(app.notice.text == "The network gave no answer.");
  CHECK_FALSE(app.waiting);
  CHECK(app.scene->id == "spotlight");
  REQUIRE(change(app, "scene", "layer"));
  REQUIRE(app.waiting);
  CHECK(scenes_came(app));
  CHECK(app.scene->id == "layer");
}

TEST_CASE("waiting: who turns back to the first scene waits for nothing") {
  App app = first_scene_only();
  REQUIRE(change(app, "scene", "layer"));
  REQUIRE(change(app, "step", "4"));
  CHECK(app.waiting);  // the step is the first scene's, and the other one is still wanted
  REQUIRE(change(app, "scene", "spotlight"));
  CHECK_FALSE(app.waiting);
  CHECK(scenes_came(app));
  CHECK(app.scene->id == "spotlight");
  CHECK(app.place.step == 4);
}

TEST_CASE("waiting: a scene that does not exist is refused at once") {
  App app = first_scene_only();
  CHECK_FALSE(change(app, "scene", "nowhere"));
  CHECK_FALSE(app.waiting);
}

TEST_CASE("waiting: a program that has all scenes waits for none") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  REQUIRE(change(app, "scene", "layer"));
  CHECK_FALSE(app.waiting);
  CHECK(app.scene->id == "layer");
}

TEST_CASE("waiting: only the call that asks for the scene says that it waits") {
  App app = first_scene_only();
  CHECK(says_that_it_waits(call(app, "set", "scene=scale")));
  CHECK_FALSE(says_that_it_waits(call(app, "set", "step=4")));
  CHECK(says_that_it_waits(call(app, "set", "scene=layer")));
}

TEST_CASE("waiting: the address of a link stays as it is until its scene has come") {
  App app = first_scene_only();
  REQUIRE(open_link(app, "scene=score&step=3"));
  CHECK(app.keep_address);
  scenes_failed(app, "The network gave no answer.");
  CHECK(app.keep_address);  // loading the page again asks for it again
  REQUIRE(open_link(app, "scene=score&step=3"));
  CHECK(scenes_came(app));
  CHECK_FALSE(app.keep_address);
}

TEST_CASE("waiting: what the first scene borrows from others is waited for as they are") {
  for (const char* asked : {"trained=on", "trained=on&scene=spotlight", "scene=spotlight&layer=2&trained=on"}) {
    App app = first_scene_only();
    const io::Patch before = state_of(app);
    CAPTURE(asked);
    CHECK(says_that_it_waits(call(app, "set", asked)));
    CHECK(state_of(app) == before);
    CHECK(call(app, "scenes", "") == "{\"ok\":true}");
    CHECK(link(app).find("trained=on") != std::string::npos);
    CHECK_FALSE(app.wish_resources.empty());
  }
  App app = first_scene_only();
  REQUIRE(change(app, "trained", "on"));
  CHECK(app.waiting);
  REQUIRE(change(app, "trained", "off"));
  CHECK_FALSE(app.waiting);
}
