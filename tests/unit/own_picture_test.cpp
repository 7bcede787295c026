// The laws of pictures that a reader gives: kept by the app, named by the state.
#include <doctest/doctest.h>

#include "app/app.h"
#include "app/commands.h"
#include "app/page.h"
#include "unit/fonts.h"

using namespace limelight;
using namespace limelight::app;

namespace {

constexpr int kSide = 128;

// Other bytes for another seed.
std::vector<std::byte> bytes(int seed, int side = kSide) {
  std::vector<std::byte> made;
  for (int i = 0; i < 3 * side * side; ++i) made.push_back(static_cast<std::byte>((i * 31 + seed * 101) % 251));
  return made;
}

App patches_app() {
  REQUIRE(test::load_fonts());
  App app = make_app();
  REQUIRE(open_link(app, "scene=patches&step=4"));
  return app;
}

bool shows(const App& app, int seed) {
  const Tensor* picture = app.trace.find("picture");
  return picture != nullptr && picture->values == scenes::pixels_of(*scenes::read_picture(bytes(seed)));
}

std::string give(App& app, int seed) {
  const Result<std::string> name = picture_came(app, bytes(seed), "It came.");
  REQUIRE(name);
  return *name;
}

}  // namespace

TEST_CASE("own picture: only three bytes for each pixel of a small square are one") {
  for (const int side : {1, 2, 64, 128}) {
    const auto picture = scenes::read_picture(bytes(1, side));
    REQUIRE(picture);
    CHECK(picture->side == side);
  }
  CHECK_FALSE(scenes::read_picture({}));
  CHECK_FALSE(scenes::read_picture(bytes(1, 129)));
  const std::vector<std::byte> all = bytes(1, 64);
  CHECK_FALSE(scenes::read_picture(std::span(all).first(all.size() - 1)));
}

TEST_CASE("own picture: its name is made of its pixels, and no other text is a name") {
  const auto a = scenes::read_picture(bytes(1)), b = scenes::read_picture(bytes(2));
  CHECK(scenes::name_of(*a) == scenes::name_of(*scenes::read_picture(bytes(1))));
  CHECK(scenes::name_of(*a) != scenes::name_of(*b));
  CHECK(scenes::check_picture_name("own", scenes::name_of(*a)));
  CHECK(scenes::check_picture_name("own", ""));
  for (const char* wrong : {"12", "0123456789abcdeg", "0123456789ABCDEF", "0123456789abcdef0"})
    CHECK_FALSE(scenes::check_picture_name("own", wrong));
}

TEST_CASE("own picture: one that is given is shown, said, and can be undone and redone") {
  App app = patches_app();
  const Matrix before = app.trace.at("picture").values;
  give(app, 1);
  CHECK(shows(app, 1));
  CHECK(app.notice.text == "It came.");
  CHECK(app.notice.good);
  give(app, 2);
  CHECK(shows(app, 2));
  undo(app);
  CHECK(shows(app, 1));
  undo(app);
  CHECK(app.trace.at("picture").values == before);
  redo(app);
  CHECK(shows(app, 1));
}

TEST_CASE("own picture: what is none is refused in a sentence, and what was shown stays") {
  App app = patches_app();
  give(app, 1);
  const auto undone = app.undo_stack.size();
  const std::vector<std::byte> whole = bytes(2);
  const Result<std::string> refused = picture_came(app, std::span(whole).first(10), "It came.");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.find("10 bytes") != std::string::npos);
  CHECK(shows(app, 1));
  CHECK(app.undo_stack.size() == undone);
  call(app, "picture_refused", "notes.txt is not a picture.");
  CHECK(app.notice.text == "notes.txt is not a picture.");
  CHECK_FALSE(app.notice.good);
  CHECK(shows(app, 1));
}

TEST_CASE("own picture: one that comes after the reader has opened another scene is not put there, and that is said") {
  App app = patches_app();
  REQUIRE(change(app, "scene", "caption"));
  const std::string before = link(app);
  const Result<std::string> refused = picture_came(app, bytes(1), "It came.");  // as large as Patches wants it
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.find("not open any more") != std::string::npos);
  CHECK(link(app) == before);
  CHECK(app.pictures.empty());
  REQUIRE(picture_came(app, bytes(1, 64), "It came."));
  CHECK(app.trace.at("picture").values == scenes::pixels_of(*scenes::read_picture(bytes(1, 64))));
}

TEST_CASE("own picture: a scene that takes none says where one can be given") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  const Result<std::string> refused = picture_came(app, bytes(1), "It came.");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.find("Patches") != std::string::npos);
  activate(app, {"do", "picture_file"});
  CHECK_FALSE(app.wish_file);
  CHECK(app.notice.text.find("Patches") != std::string::npos);
}

TEST_CASE("own picture: the page is told how large a scene wants one, and nothing where it takes none") {
  App app = patches_app();
  const auto told = [](const App& of) { return describe_page(of, build_page(of, draw_stage(of)), false, false); };
  CHECK(told(app).find("\"pictureSide\":128") != std::string::npos);
  REQUIRE(change(app, "scene", "spotlight"));
  CHECK(told(app).find("pictureSide") == std::string::npos);
}

TEST_CASE("own picture: the button lets the reader choose a file") {
  App app = patches_app();
  activate(app, {"do", "picture_file"});
  CHECK(app.wish_file);
}

TEST_CASE("own picture: a link names it and holds none of it; where it is not, the scene says so and asks for it") {
  App app = patches_app();
  const std::string name = give(app, 1);
  const std::string made = link(app);
  CHECK(made.size() < 200);
  CHECK(made.find(name) != std::string::npos);
  App other = make_app();
  REQUIRE(open_link(other, made));
  CHECK(other.wish_kept_picture == name);
  CHECK(other.trace.find("picture") == nullptr);
  CHECK(draw_stage(other).find("own.missing.0") != nullptr);
  CHECK(other.scene->narrate(other.state, other.trace, view_of(other, 700, 500)).find("not here") != std::string::npos);
}

TEST_CASE("own picture: one that the page had kept comes back, and no other in its place") {
  App app = patches_app();
  const std::string name = give(app, 1);
  pin(app, "a[1,2]");
  const std::string made = link(app);
  App fresh = make_app();
  REQUIRE(open_link(fresh, made));
  CHECK_FALSE(kept_picture_came(fresh, name, bytes(2)));
  CHECK(fresh.trace.find("picture") == nullptr);
  REQUIRE(kept_picture_came(fresh, name, bytes(1)));
  CHECK(shows(fresh, 1));
  CHECK(fresh.pinned == "a[1,2]");
  CHECK(link(fresh) == made);
}
