// The world of pictures: pixels, cells, captions and scenes as text.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "learn/pictures.h"

using namespace limelight;
using namespace limelight::learn;
using namespace limelight::learn::pictures;
using limelight::learn::pictures::Shape;

namespace {

std::vector<Scene> some_scenes(int count) {
  Random random(3);
  std::vector<Scene> scenes;
  for (int i = 0; i < count; ++i) scenes.push_back(draw(random));
  return scenes;
}

std::string said(std::string_view text) {
  const Result<Scene> scene = read(text);
  REQUIRE(scene);
  return text_of(caption(*scene).words);
}

int count_of(const Object& object) {
  int count = 0;
  for (int y = 0; y < kSide; ++y)
    for (int x = 0; x < kSide; ++x) count += covers(object, x, y) ? 1 : 0;
  return count;
}

}  // namespace

TEST_CASE("pictures: a pixel shows the last of the objects that cover it, or the background") {
  for (const Scene& scene : some_scenes(100)) {
    const auto owner = owners(scene);
    for (int y = 0; y < kSide; ++y)
      for (int x = 0; x < kSide; ++x) {
        int last = -1;
        for (int i = 0; i < static_cast<int>(scene.objects.size()); ++i)
          if (covers(scene.objects[static_cast<std::size_t>(i)], x, y)) last = i;
        REQUIRE(owner[static_cast<std::size_t>(y * kSide + x)] == last);
      }
  }
}

TEST_CASE("pictures: all shapes of a size have about the same number of pixels, and keep within their reach") {
  constexpr int kAreas[] = {90, 170, 290};
  for (int shape = 0; shape < kShapes; ++shape)
    for (int size = 0; size < kSizes; ++size) {
      CAPTURE(shape);
      CAPTURE(size);
      const Object object{.shape = static_cast<Shape>(shape), .size = static_cast<Size>(size), .x = 32, .y = 32};
      // Of an outline of some 50 pixels half fall to either side: all of them to one for a square around whole numbers.
      CHECK(std::abs(count_of(object) - kAreas[size]) <= kAreas[size] / 6);
      const int far = reach(object.shape, object.size);
      for (int y = 0; y < kSide; ++y)
        for (int x = 0; x < kSide; ++x)
          if (covers(object, x, y)) {
            REQUIRE(std::max(object.x - x, x + 1 - object.x) <= far);
            REQUIRE(std::max(object.y - y, y + 1 - object.y) <= far);
          }
    }
}

TEST_CASE("pictures: shapes are the same left and right, and a triangle and a star point upwards") {
  for (int shape = 0; shape < kShapes; ++shape) {
    const Object object{.shape = static_cast<Shape>(shape), .size = Size::big, .x = 32, .y = 32};
    for (int y = 0; y < kSide; ++y)
      for (int x = 0; x < kSide; ++x) CHECK(covers(object, x, y) == covers(object, kSide - 1 - x, y));
  }
  for (const Shape shape : {Shape::triangle, Shape::star}) {
    const Object object{.shape = shape, .size = Size::big, .x = 32, .y = 32};
    CHECK(covers(object, 32, 32 - 12));
    CHECK_FALSE(covers(object, 32, 32 + 12));
  }
}

TEST_CASE("pictures: a cell belongs to what covers a quarter of it or has most of its pixels there") {
  // 16 of the 64 pixels of a cell are a quarter.
  int barely = 0;
  for (int at = 16; at < 32; ++at) {
    const Scene scene{.objects = {{.shape = Shape::circle, .size = Size::big, .x = at, .y = 20}}};
    const auto owner = owners(scene);
    const std::vector<std::uint8_t> cells = cells_of(scene, 8)[0];
    for (int row = 0; row < 8; ++row)
      for (int column = 0; column < 8; ++column) {
        int count = 0;
        for (int y = 8 * row; y < 8 * row + 8; ++y)
          for (int x = 8 * column; x < 8 * column + 8; ++x)
            count += owner[static_cast<std::size_t>(y * kSide + x)] == 0 ? 1 : 0;
        CHECK((cells[static_cast<std::size_t>(row * 8 + column)] != 0) == (count >= 16));
        barely += count >= 16 && count < 20 ? 1 : 0;
      }
  }
  CHECK(barely > 0);
  // Of a ninth of the picture, 454 pixels on average, a small object is less than a quarter, and lies in it whole.
  const Result<Scene> small = read("small blue star 32 32");
  REQUIRE(small);
  const std::vector<std::uint8_t> ninths = cells_of(*small, 3)[0];
  CHECK(ninths == std::vector<std::uint8_t>{0, 0, 0, 0, 1, 0, 0, 0, 0});
  // What is covered wholly has no cells.
  const Result<Scene> covered = read("small blue circle 32 32; big red square 32 32");
  REQUIRE(covered);
  CHECK(std::ranges::count(cells_of(*covered, 8)[0], 1) == 0);
}

TEST_CASE("pictures: almost every object of a drawn scene has cells of its own") {
  int objects = 0, without = 0;
  for (const Scene& scene : some_scenes(300))
    for (const auto& cells : cells_of(scene, 8)) {
      ++objects;
      without += std::ranges::count(cells, 1) == 0 ? 1 : 0;
    }
  CHECK(without * 50 < objects);
}

TEST_CASE("pictures: captions count what is alike and say left and above as it is") {
  CHECK(said("") == "");
  CHECK(said("red circle 20 30") == "a red circle");
  CHECK(said("orange circle 20 30") == "an orange circle");
  CHECK(said("small orange circle 20 30") == "a small orange circle");
  CHECK(said("small blue square 40 30; red circle 20 25") == "a red circle left of a small blue square");
  CHECK(said("yellow star 30 50; green triangle 20 20; green triangle 40 22") ==
        "two green triangles above a yellow star");
  CHECK(said("big red cross 10 10; big red cross 50 50; big red cross 10 50") == "three big red crosses");
  CHECK(said("red cross 10 10; red cross 50 50; blue star 30 30") == "two red crosses and a blue star");
  CHECK(said("red cross 40 10; big red cross 20 50; orange star 54 30") ==
        "a big red cross, a red cross and an orange star");
}

TEST_CASE("pictures: what is said to be left or above is so for all that it speaks of") {
  const int left = *vocabulary().find("left"), above = *vocabulary().find("above");
  int relations = 0;
  for (const Scene& scene : some_scenes(500)) {
    const Caption of = caption(scene);
    for (std::size_t t = 0; t < of.words.size(); ++t) {
      if (of.words[t] != left && of.words[t] != above) continue;
      ++relations;
      for (const int a : of.objects[t - 1])
        for (const int b : of.objects.back()) {
          const Object &first = scene.objects[static_cast<std::size_t>(a)],
                       &second = scene.objects[static_cast<std::size_t>(b)];
          CHECK((of.words[t] == left ? first.x < second.x : first.y < second.y));
        }
    }
  }
  CHECK(relations > 100);
}

TEST_CASE("pictures: the caption does not depend on the order of the objects, nor on a small move") {
  for (const Scene& scene : some_scenes(300)) {
    Scene turned = scene;
    std::ranges::reverse(turned.objects);
    CHECK(caption(turned).words == caption(scene).words);
    for (std::size_t i = 0; i < scene.objects.size(); ++i)
      for (const auto& [dx, dy] : {std::pair(1, 0), std::pair(-1, 0), std::pair(0, 1), std::pair(0, -1)}) {
        Scene moved = scene;
        moved.objects[i].x += dx;
        moved.objects[i].y += dy;
        CHECK(caption(moved).words == caption(scene).words);
      }
  }
}

TEST_CASE("pictures: every word speaks of the objects that it names") {
  for (const Scene& scene : some_scenes(300)) {
    const Caption of = caption(scene);
    REQUIRE(of.words.size() == of.objects.size());
    std::set<int> spoken;
    for (std::size_t t = 0; t < of.words.size(); ++t) {
      REQUIRE(of.words[t] >= kFirstWord);
      REQUIRE(of.words[t] < vocabulary().size());
      const std::string& word = vocabulary().words[static_cast<std::size_t>(of.words[t])];
      CHECK((!is_visual(of.words[t]) || !of.objects[t].empty()));
      for (const int i : of.objects[t]) {
        spoken.insert(i);
        const Object& object = scene.objects[static_cast<std::size_t>(i)];
        if (is_visual(of.words[t]))
          CHECK((word == name(object.size) || word == name(object.colour) || word.starts_with(name(object.shape))));
      }
    }
    CHECK(spoken.size() == scene.objects.size());
  }
}

TEST_CASE("pictures: drawn scenes are clear, lie whole inside, show most of each object, and depend on the seed only") {
  int covered = 0, of_three = 0;
  for (const Scene& scene : some_scenes(300)) {
    CHECK(is_clear(scene));
    of_three += scene.objects.size() == 3 ? 1 : 0;
    const auto owner = owners(scene);
    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
      const Object& object = scene.objects[i];
      const int far = reach(object.shape, object.size);
      CHECK(std::min(object.x, object.y) >= far);
      CHECK(std::max(object.x, object.y) <= kSide - far);
      const auto visible = std::ranges::count(owner, static_cast<std::int8_t>(i));
      const int whole = count_of(object);
      CHECK(2 * visible > whole);
      covered += visible < whole ? 1 : 0;
    }
  }
  CHECK(covered > 0);
  CHECK(of_three > 60);
  CHECK(some_scenes(20) == some_scenes(20));
}

TEST_CASE("pictures: a tenth of the captions is held out, and no part draws those of the other") {
  Random random(9);
  std::set<std::string> all, held_out;
  for (int i = 0; i < 3000; ++i) {
    const Caption of = caption(draw(random));
    all.insert(text_of(of.words));
    if (part_of(of) == Part::held_out) held_out.insert(text_of(of.words));
  }
  const double share = static_cast<double>(held_out.size()) / static_cast<double>(all.size());
  CHECK(share > 0.07);
  CHECK(share < 0.13);
  for (int i = 0; i < 50; ++i) {
    CHECK(part_of(caption(draw(random, Part::held_out))) == Part::held_out);
    CHECK(part_of(caption(draw(random, Part::training))) == Part::training);
  }
}

TEST_CASE("pictures: a scene is read back as it was written") {
  for (const Scene& scene : some_scenes(100)) CHECK(read(write(scene)).value() == scene);
  CHECK(read(" small   red circle 1 2 ;; ").value() ==
        Scene{.objects = {{.shape = Shape::circle, .colour = Colour::red, .size = Size::small, .x = 1, .y = 2}}});
  CHECK(read("checks 20").value().background == Background{.texture = Texture::checks, .shade = 20});
}

TEST_CASE("pictures: what is no scene is said to be none") {
  const auto says = [](std::string_view text, std::string_view words) {
    const Result<Scene> scene = read(text);
    REQUIRE_FALSE(scene);
    CAPTURE(scene.error().message);
    CHECK(scene.error().message.find(words) != std::string::npos);
  };
  says("red blob 1 2", "\"red blob 1 2\" is neither");
  says("red circle", "neither");
  says("red circle 1 65", "from 0 to 64");
  says("red circle 1 2.5", "whole");
  says("plain 101", "from 0 to 100");
  says("red circle 1 1; red circle 9 9; red circle 20 20; red circle 30 30", "more than 3 objects");
}
