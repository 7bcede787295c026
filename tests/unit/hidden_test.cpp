// The laws of what a frame leaves out.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "app/commands.h"
#include "app/hidden.h"
#include "app/page.h"
#include "unit/app_support.h"
#include "unit/fonts.h"

using namespace limelight;
using namespace limelight::app;
using test::page_of;

namespace {

bool shows(const Page& page, std::string_view prefix) {
  return std::ranges::any_of(page.figure.elements,
                             [prefix](const figure::Element& element) { return element.id.starts_with(prefix); });
}

}  // namespace

TEST_CASE("hide: what is left out is gone at every size, and the figure has its room") {
  REQUIRE(test::load_fonts());
  const std::pair<const char*, const char*> panels[] = {{"title", "shell.top"},
                                                        {"scenes", "shell.scene."},
                                                        {"scenes", "shell.menu"},
                                                        {"inspector", "shell.provenance"},
                                                        {"inspector", "shell.sheet"},
                                                        {"narration", "shell.narration"},
                                                        {"timeline", "shell.play"},
                                                        {"timeline", "shell.step."},
                                                        {"question", "shell.quiz"},
                                                        {"preset", "field.preset"},
                                                        {"temperature", "field.temperature"},
                                                        {"text", "field.text"}};
  for (const auto& [width, height] : {std::pair{360.F, 740.F}, {720.F, 480.F}, {820.F, 700.F}, {1280.F, 800.F}})
    for (const char* embed : {"0", "1"})
      for (const auto& [name, element] : panels) {
        CAPTURE(width);
        CAPTURE(std::string(element));
        CAPTURE(embed);
        App app = make_app();
        app.width = width;
        app.height = height;
        REQUIRE(open_link(app, "scene=spotlight&step=9&embed=" + std::string(embed)));
        const Page before = page_of(app);
        REQUIRE(change(app, "hide", name));
        const Page page = page_of(app);
        CHECK_FALSE(shows(page, element));
        CHECK(page.regions.stage.w * page.regions.stage.h >= before.regions.stage.w * before.regions.stage.h);
        for (const figure::Element& e : page.figure.elements) {
          if (e.role == figure::Role::none || e.role == figure::Role::image) continue;
          CAPTURE(e.id);
          CHECK(e.rect.right() <= width + 0.5F);
        }
      }
}

TEST_CASE("hide: nothing but the figure and the way out is left when every panel of a frame is hidden") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  REQUIRE(open_link(app, "scene=spotlight&embed=1&hide=narration,timeline"));
  const Page page = page_of(app);
  CHECK(page.figure.find("shell.home") != nullptr);
  for (const figure::Element& element : page.figure.elements)
    if (element.id.starts_with("shell.") && !element.id.starts_with("shell.zoom") && element.id != "shell.ground")
      CHECK(element.id.starts_with("shell.home"));
}

TEST_CASE("hide: an unknown name is refused with what there is, and nothing changes") {
  App app = make_app();
  const std::string before = link(app);
  const Result<void> result = change(app, io::Patch{{"step", "3"}, {"hide", "timeline,legend"}});
  REQUIRE_FALSE(result);
  CHECK(result.error().message.find("legend") != std::string::npos);
  CHECK(result.error().message.find("timeline") != std::string::npos);
  CHECK(result.error().message.find("temperature") != std::string::npos);
  CHECK(link(app) == before);
  CHECK_FALSE(change(app, "hide", "timeline,,title"));
}

TEST_CASE("hide: a link brings it along, another scene keeps the panels, and the whole page shows all") {
  App app = make_app();
  REQUIRE(open_link(app, "scene=spotlight&embed=1&hide=timeline,threshold"));
  CHECK(link(app).find("hide=timeline,threshold") != std::string::npos);
  REQUIRE(change(app, "scene", "score"));
  App again = make_app();
  REQUIRE(open_link(again, link(app)));
  CHECK(hides(again, "timeline"));
  CHECK_FALSE(hides(again, "threshold"));
  activate(app, {"do", "home"});
  REQUIRE(app.wish_open.has_value());
  CHECK(app.wish_open->find("hide") == std::string::npos);
  REQUIRE(change(app, "hide", ""));
  CHECK(link(app).find("hide") == std::string::npos);
}
