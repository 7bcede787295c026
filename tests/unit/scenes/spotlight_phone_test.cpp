// Spotlight on a phone: its words stand below each other from Scale to Output, and what comes of them to their right.
#include <doctest/doctest.h>

#include <string>

#include "scenes/common/sentence.h"
#include "scenes/spotlight/spotlight.h"
#include "unit/scenes/spotlight_flow.h"

using namespace limelight;
using namespace limelight::scenes;
using namespace limelight::test;

namespace {

constexpr Place kFromScale[] = {{kScale, 0},   {kSoftmax, 0}, {kSoftmax, 1}, {kSoftmax, 2},
                                {kSoftmax, 3}, {kSoftmax, 4}, {kOutput, 0}};
constexpr float kScreen = 535;  // px of the stage on a phone of 390 × 844

}  // namespace

TEST_CASE("w: how a row is read stands below its own matrix, and its outline comes with it") {
  REQUIRE(test::load_fonts());
  const spotlight::State state;
  const Trace trace = spotlight::compute(state, {});
  const auto at = [&](float t) {
    return draw_moment(*find("spotlight"), state, trace, {.width = 390, .height = 472, .place = {3, 0}, .t = t});
  };
  const figure::Figure rest = at(1), moves = at(0.65F);
  int lines = 0, outlines = 0;
  for (const figure::Element& element : rest.elements) {
    if (element.id.find(".read.") == std::string::npos) continue;
    CAPTURE(element.id);
    const figure::Rect glass = rest.find(element.id.substr(0, 3) + ".glass")->rect;
    const auto& said = std::get<figure::Text>(element.shape);
    CHECK(std::abs(element.rect.centre().x - glass.centre().x) < 1);
    CHECK(text::measure(said.face, said.size, said.text) <= glass.w);
    CHECK(element.rect.y > glass.bottom());
    ++lines;
  }
  for (const figure::Element& element : moves.elements)
    if (element.id.starts_with("outline.W_q")) outlines += element.opacity == 1 ? 1 : 0;
  CHECK(lines >= 3);
  CHECK(outlines >= 1);
}

TEST_CASE("phone: from Scale to Output no word stands on end, each is below the one before, and all is seen at once") {
  REQUIRE(load_fonts());
  const spotlight::State state = with("preset", "fox");
  const Trace trace = spotlight::compute(state, {});
  for (const Place place : kFromScale) {
    const figure::Figure figure = spotlight::draw(state, trace, {.width = 390, .height = kScreen, .place = place});
    CHECK(figure.height <= kScreen + 0.5F);
    for (int word = 0; word < trace.at("K").rows(); ++word) {
      const std::string id = word_id(word) + ".text";
      const figure::Element& letters = *figure.find(id);
      CAPTURE(id);
      CHECK_FALSE(std::get<figure::Text>(letters.shape).vertical);
      CHECK(std::get<figure::Text>(letters.shape).size >= 15);
      if (word > 0) CHECK(rect_of(figure, word_id(word - 1) + ".text").bottom() < letters.rect.y);
      // A finger on a bar does not press the word instead.
      if (const figure::Element* bar = figure.find("scaled.bar." + std::to_string(word)); bar != nullptr)
        CHECK(rect_of(figure, word_id(word)).right() <= bar->rect.x + 0.5F);
    }
  }
}

TEST_CASE("phone: words and the map keep their places from one step to the next") {
  REQUIRE(load_fonts());
  const spotlight::State state = with("preset", "fox");
  const Trace trace = spotlight::compute(state, {});
  const auto drawn = [&](Place place) {
    return spotlight::draw(state, trace, {.width = 390, .height = kScreen, .place = place});
  };
  const figure::Figure first = drawn(kFromScale[0]);
  for (const Place place : kFromScale) {
    const figure::Figure figure = drawn(place);
    for (int word = 0; word < trace.at("K").rows(); ++word) {
      const std::string id = word_id(word) + ".text";
      CHECK(rect_of(figure, id).x == rect_of(first, id).x);
      CHECK(rect_of(figure, id).centre().y == doctest::Approx(rect_of(first, id).centre().y));
    }
  }
}

TEST_CASE("q k v: while a row goes through a lens the sentence tells of that one alone") {
  REQUIRE(load_fonts());
  const spotlight::State state = with("preset", "fox");
  const Trace trace = spotlight::compute(state, {});
  const auto told = [&](float t) {
    return spotlight::narrate(state, trace, {.width = 1216, .height = 576, .place = {kQkv, 0}, .t = t});
  };
  int seen = 0;
  for (float t = 0.3F; t < 0.99F; t += 0.02F) {
    const std::string said = told(t);
    const auto has = [&](const char* what) { return said.find(what) != std::string::npos ? 1 : 0; };
    CHECK(has("**query**") + has("**key**") + has("**value**") == 1);
    seen |= has("**query**") + 2 * has("**key**") + 4 * has("**value**");
  }
  CHECK(seen == 7);
  CHECK(told(1).find("**value**") != std::string::npos);
  CHECK(told(1).find("**query**") != std::string::npos);
}
