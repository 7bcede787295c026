// Links that are out in the world: golden/links.json has some of every version that was ever written, frozen, with a
// few numbers of what they showed then. A link that shows others now is broken; a new version gets a list of its own,
// and the older ones stay.
#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "app/app.h"
#include "app/commands.h"
#include "embedded/golden_links.h"
#include "embedded/golden_old_links.h"
#include "io/numbers.h"
#include "scenes/place.h"
#include "unit/json_reader.h"
#include "unit/models.h"

namespace limelight::app {
namespace {

// As a reader sees it, once what is needed has come and what begins by itself is through.
App opened(std::string_view link) {
  App app = make_app();
  const Result<void> read = open_link(app, link);
  if (!read) FAIL_CHECK(read.error().message);
  for (const std::string& name : std::exchange(app.wish_resources, {}))
    REQUIRE(resource_came(app, name, test::model_bytes(name)));
  for (double now = 0; now < 1000 && advance(app, now, 50) && app.works(); ++now) {
  }
  return app;
}

}  // namespace

TEST_CASE("links: those of every version show the numbers that they showed when they were written") {
  const test::Json golden = test::JsonReader(embedded::golden_links).read();
  CHECK(golden.names.size() == static_cast<std::size_t>(io::kLinkVersion));
  for (std::size_t version = 0; version < golden.items.size(); ++version) {
    CHECK(golden.names[version] == "version " + std::to_string(version + 1));
    std::set<std::string_view> seen;
    for (const test::Json& entry : golden.items[version].items) {
      const std::string& link = entry.at("link").text;
      CAPTURE(link);
      CHECK(link.starts_with("v=" + std::to_string(version + 1) + "&"));
      const App app = opened(link);
      seen.insert(app.scene->id);
      for (const test::Json& number : entry.at("numbers").items) {
        const std::string& cell = number.at("cell").text;
        CAPTURE(cell);
        const auto source = figure::parse_cell_id(cell);
        REQUIRE(source);
        const float* value = app.trace.cell(source->tensor, source->row, source->column);
        REQUIRE(value != nullptr);
        const double expected = number.at("value").number;
        // Another machine rounds a few hundred sums otherwise.
        CHECK(std::abs(static_cast<double>(*value) - expected) <= 1e-4 * std::max(1.0, std::abs(expected)));
      }
    }
    // Scenes that came later have no older links.
    if (version + 1 < golden.items.size()) continue;
    for (const scenes::SceneDef* scene : scenes::all())
      CHECK_MESSAGE(seen.contains(scene->id), "Put a link to ", scene->id,
                    " into golden/links.json, with some of its numbers.");
  }
}

// Links of version 1, attributes of figures in articles (which have no version), and messages, as they were written
// when steps had numbers.
TEST_CASE("links: old numbers of steps, and links without a preset, mean what they meant") {
  const test::Json golden = test::JsonReader(embedded::golden_old_links).read();
  CHECK(golden.items.size() >= 100);
  std::set<std::string> kinds;
  for (const test::Json& entry : golden.items) {
    kinds.insert(entry.names.front());
    App app = make_app();
    if (entry.find("link") != nullptr) {
      CAPTURE(entry.at("link").text);
      CHECK(open_link(app, entry.at("link").text));
    } else if (entry.find("attributes") != nullptr) {
      const test::Json& attributes = entry.at("attributes");
      std::string link = "scene=" + attributes.at("scene").text + "&step=" + attributes.at("step").text;
      if (attributes.find("state") != nullptr) link += "&" + attributes.at("state").text;
      CAPTURE(link);
      CHECK(open_link(app, link + "&embed=1"));
    } else {
      CHECK(open_link(app, "v=1&scene=" + entry.at("scene").text));
      const test::Json& step = entry.at("message").at("step");
      const std::string number = step.text.empty() ? io::format_short(step.number) : step.text;
      CAPTURE(number);
      CHECK(call(app, "set", "step=" + number).starts_with("{\"ok\":true"));
    }
    CHECK(scenes::write_place(*app.scene, app.place) == entry.at("step").text);
    CHECK(app.scene->encode(app.state).front().second == entry.at("preset").text);
    const std::string written = link(app);
    CHECK(written.starts_with("v=2&scene=" + std::string(app.scene->id) + "&step=" + entry.at("step").text +
                              "&preset=" + entry.at("preset").text));
  }
  CHECK(kinds == std::set<std::string>{"link", "attributes", "message"});
}

TEST_CASE("links: what was chosen once and is no longer is left out, and nothing else with it") {
  App app = make_app(), plain = make_app();
  CHECK(open_link(app, "v=2&scene=sentence&step=head&preset=agreement&beside=8,16"));
  CHECK(open_link(plain, "v=2&scene=sentence&step=head&preset=agreement"));
  CHECK(link(app) == link(plain));
  CHECK_FALSE(open_link(app, "v=2&scene=caption&beside=8"));
}

}  // namespace limelight::app
