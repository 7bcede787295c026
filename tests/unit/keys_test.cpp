// The laws of keys that come faster than frames: all of them are heard, though the page is still the one of the last
// frame.
#include <doctest/doctest.h>

#include <string_view>

#include "app/app.h"
#include "app/input.h"
#include "app/page.h"
#include "unit/fonts.h"

using namespace limelight;
using namespace limelight::app;

namespace {

struct Pinned {
  App app = make_app();
  Page page;

  Pinned() {
    REQUIRE(test::load_fonts());
    REQUIRE(open_link(app, "step=3&pin=W_q[0,1]"));
    page = build_page(app, draw_stage(app));
  }
  void type(std::string_view characters) {
    for (const char c : characters) CHECK(character_typed(app, page, static_cast<char32_t>(c)));
  }
  [[nodiscard]] float number() const { return *app.trace.cell("W_q", 0, 1); }
};

}  // namespace

TEST_CASE("keys: all characters of a number that are typed within a frame stand in its input") {
  Pinned p;
  p.type("-1.25e0");
  REQUIRE(p.app.typing);
  CHECK(p.app.typing->begun == "-1.25e0");
}

TEST_CASE("keys: a number and Enter within a frame set the cell; with Escape it stays as it was") {
  Pinned p;
  const float before = p.number();
  p.type("0.75");
  CHECK(key_pressed(p.app, p.page, Key::escape));
  CHECK_FALSE(p.app.typing);
  CHECK(p.number() == before);
  CHECK(p.app.pinned == "W_q[0,1]");
  p.type("0.75");
  CHECK(key_pressed(p.app, p.page, Key::enter));
  CHECK_FALSE(p.app.typing);
  CHECK(p.number() == 0.75F);
}

TEST_CASE("keys: a number that is refused within a frame stays in its input, with the sentence") {
  Pinned p;
  const float before = p.number();
  p.type("1.2.3");
  CHECK(key_pressed(p.app, p.page, Key::enter));
  REQUIRE(p.app.typing);
  CHECK(p.app.typing->begun == "1.2.3");
  CHECK(p.app.notice.text.find("1.2.3") != std::string_view::npos);
  CHECK(p.number() == before);
}

TEST_CASE("keys: what is typed over a number goes to no input that was there before, as the one of a double click") {
  Pinned p;
  p.app.typing = Typing{"W_q", "0.1", "W_q[0,1]", {}};
  CHECK_FALSE(character_typed(p.app, p.page, U'7'));
  CHECK(p.app.typing->begun.empty());
}
