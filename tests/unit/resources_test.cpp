// The laws of files that scenes compute from: wished for when they are needed, kept once they are there.
#include <doctest/doctest.h>

#include "app/app.h"
#include "app/commands.h"
#include "app/page.h"
#include "unit/fonts.h"
#include "unit/scenes/translate_support.h"

using namespace limelight;
using namespace limelight::app;

namespace {

const std::string kName(scenes::translate::kAttention);

App waiting_app() {
  REQUIRE(test::load_fonts());
  App app = make_app();
  REQUIRE(open_link(app, "scene=translate&preset=visit&step=4"));
  return app;
}

std::vector<std::byte> model() { return learn::write_model(test::untrained(true), true); }

bool is_translated(const App& app) { return app.trace.find("weights") != nullptr; }

}  // namespace

TEST_CASE("resources: nothing is wished for where nothing is needed") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  REQUIRE(open_link(app, "scene=translate&preset=constructed&step=context"));
  CHECK(app.wish_resources.empty());
  CHECK_FALSE(missing(app, app.state));
}

TEST_CASE("resources: a step that needs one wishes for it once, and is drawn without it") {
  App app = waiting_app();
  CHECK(app.wish_resources == std::vector<std::string>{kName});
  REQUIRE(missing(app, app.state));
  CHECK(missing(app, app.state)->refused.empty());
  CHECK_FALSE(is_translated(app));
  const figure::Figure figure = draw_stage(app);
  CHECK(figure.find("missing.box") != nullptr);
  REQUIRE(change(app, "step", "5"));
  CHECK(app.wish_resources.size() == 1);
}

TEST_CASE("resources: how much has come is said") {
  App app = waiting_app();
  call(app, "progress", kName + " 400000 900000");
  const scenes::View view = view_of(app, 700, 500);
  REQUIRE(view.missing);
  CHECK(app.scene->narrate(app.state, app.trace, view).find("0.4 of 0.9 MB") != std::string::npos);
}

TEST_CASE("resources: a script is told whether one is on its way") {
  REQUIRE(test::load_fonts());
  App app = waiting_app();
  const auto fetching = [&] {
    const std::string told = describe_page(app, build_page(app, draw_stage(app)), false, false);
    return told.find("\"fetching\":true") != std::string::npos;
  };
  CHECK(fetching());
  call(app, "refused", kName + " The network gave no answer.");
  CHECK_FALSE(fetching());
  activate(app, {"do", "fetch"});
  CHECK(fetching());
  REQUIRE(resource_came(app, kName, model()));
  CHECK_FALSE(fetching());
}

TEST_CASE("resources: once it has come it is computed with, and never wished for again") {
  App app = waiting_app();
  REQUIRE(resource_came(app, kName, model()));
  CHECK(is_translated(app));
  CHECK_FALSE(missing(app, app.state));
  app.wish_resources.clear();
  REQUIRE(change(app, "scene", "spotlight"));
  REQUIRE(change(app, "scene", "translate"));
  CHECK(app.wish_resources.empty());
  CHECK(is_translated(app));
}

TEST_CASE("resources: one that is refused leaves what there was, says why, and can be fetched again") {
  App app = waiting_app();
  const std::vector<std::byte> foreign(1000, std::byte{'x'});
  CHECK_FALSE(resource_came(app, kName, foreign));
  REQUIRE(missing(app, app.state));
  CHECK(missing(app, app.state)->refused.find(kName) != std::string::npos);
  CHECK(draw_stage(app).find("missing.again") != nullptr);
  app.wish_resources.clear();
  activate(app, {"do", "fetch"});
  CHECK(app.wish_resources == std::vector<std::string>{kName});
  CHECK(missing(app, app.state)->refused.empty());
  REQUIRE(resource_came(app, kName, model()));
  CHECK(is_translated(app));
  CHECK(resource_came(app, kName, foreign));  // nobody asked for it
  CHECK(is_translated(app));
}

TEST_CASE("resources: choosing again what needs it fetches it again") {
  App app = waiting_app();
  call(app, "refused", kName + " The network gave no answer.");
  app.wish_resources.clear();
  REQUIRE(change(app, "step", "5"));
  CHECK(app.wish_resources.empty());
  REQUIRE(change(app, "preset", "constructed"));
  REQUIRE(change(app, "preset", "visit"));
  CHECK(app.wish_resources == std::vector<std::string>{kName});
}

TEST_CASE("resources: what a link pins waits for the file with it") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  REQUIRE(open_link(app, "scene=translate&preset=visit&step=4&pin=weights[1,2]"));
  CHECK(app.pinned == "weights[1,2]");
  build_page(app, draw_stage(app));
  REQUIRE(resource_came(app, kName, model()));
  CHECK(app.pinned == "weights[1,2]");
  REQUIRE(open_link(app, "scene=translate&preset=visit&step=4"));
  CHECK_FALSE(change(app, "pin", "weights[1,99]"));
}

TEST_CASE("resources: one that comes while another step is looked at is computed with, too") {
  App app = waiting_app();
  const std::string fixed(scenes::translate::kFixed);
  REQUIRE(resource_came(app, kName, model()));
  REQUIRE(change(app, "step", "8"));
  REQUIRE(change(app, "step", "3"));
  REQUIRE(resource_came(app, fixed, learn::write_model(test::untrained(false), true)));
  REQUIRE(change(app, "step", "8"));
  CHECK_FALSE(missing(app, app.state));
  CHECK(app.trace.find("fixed") != nullptr);
}

TEST_CASE("resources: a pin brings its word, and every number of that word") {
  App app = waiting_app();
  REQUIRE(change(app, "preset", "constructed"));
  pin(app, "weights[2,1]");
  REQUIRE(app.pinned == "weights[2,1]");
  App fresh = make_app();
  REQUIRE(open_link(fresh, "scene=translate&word=2"));
  for (const char* name : {"sum", "tanh", "terms"}) CHECK(app.trace.at(name).values == fresh.trace.at(name).values);
  App first = make_app();
  REQUIRE(open_link(first, "scene=translate&word=0"));
  CHECK(app.trace.at("sum").values != first.trace.at("sum").values);
}
