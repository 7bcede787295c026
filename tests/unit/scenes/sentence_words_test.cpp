// Sentence, the step Hide a word, and where words stand.
#include <doctest/doctest.h>

#include <utility>

#include "unit/scenes/sentence_drawn.h"

using namespace limelight;
using namespace limelight::scenes;
using namespace limelight::scenes::sentence;
using namespace limelight::test::reading;

TEST_CASE("sentence: a word is seen before it is hidden, and only then there are light and an answer") {
  const Trained model;
  const State state = state_of("preset=animal");
  const Trace trace = compute(state, model.inputs());
  for (float t = 0; t <= 1; t += 0.04F) {
    CAPTURE(t);
    const figure::Figure figure = draw(state, trace, View{.width = 1208, .height = 568, .place = at("words"), .t = t});
    const figure::Element *typed = figure.find("typed.9"), *card = figure.find(word_id(kPronoun) + ".hidden");
    const bool seen = typed != nullptr && typed->opacity > 0.5F, lies = card->opacity > 0.95F;
    CHECK((seen || lies));
    if (seen) CHECK(std::get<figure::Text>(typed->shape).text == "it");
    const auto& light = std::get<figure::Light>(figure.find("stage.light")->shape);
    const bool told = figure.find("guess_10.word.0")->opacity > 0.1F;
    for (const figure::Light::Beam& beam : light.beams)
      if (beam.intensity > 1e-3F) CHECK(lies);
    if (told) CHECK(lies);
    CHECK(narrate(state, trace, {.place = at("words"), .t = t}).contains("99.5") == (t >= 0.75F));
  }
}

TEST_CASE("sentence: what the opening step shows lies where the swap begins") {
  const Trained model;
  for (const char* patch : {"preset=animal", "preset=pronoun", "preset=cat", "preset=own"}) {
    const State state = state_of(patch);
    const Trace trace = compute(state, model.inputs());
    for (const auto& [width, height] : {std::pair(1208.F, 568.F), std::pair(390.F, 500.F), std::pair(800.F, 430.F)}) {
      const figure::Figure opening = draw(state, trace, View{.width = width, .height = height, .place = at("words")});
      const figure::Figure swap =
          draw(state, trace, View{.width = width, .height = height, .place = at("swap"), .t = 0});
      int shared = 0;
      for (const figure::Element& element : opening.elements) {
        if (!element.id.starts_with("stage.") && !element.id.starts_with("turn.")) continue;
        const figure::Element* there = swap.find(element.id);
        CAPTURE(element.id);
        REQUIRE(there);
        ++shared;
        CHECK(there->rect.x == doctest::Approx(element.rect.x));
        CHECK(there->rect.y == doctest::Approx(element.rect.y));
      }
      CHECK(shared > 10);
    }
  }
}

TEST_CASE("sentence: the opening step shows every head as a small lamp, and a press on one makes it the lamp") {
  const Trained model;
  const State state = state_of("preset=animal");
  const Trace trace = compute(state, model.inputs());
  for (const auto& [width, height] : {std::pair(1208.F, 568.F), std::pair(1680.F, 835.F), std::pair(1000.F, 600.F)}) {
    CAPTURE(width);
    const figure::Figure figure = draw(state, trace, View{.width = width, .height = height, .place = at("words")});
    CHECK(figure.height <= height);
    const figure::Rect says = figure.find("guess_10.word.0")->rect;
    for (int i = 0; i < 24; ++i) {
      const figure::Element* small = figure.find("small." + name_of({i / 8, i % 8}));
      REQUIRE(small != nullptr);
      CHECK(small->edit->field == "head");
      CHECK_FALSE(figure::overlap(small->rect, says));
    }
    // They are dark before the word is hidden, as the lamp is.
    const figure::Figure dark =
        draw(state, trace, View{.width = width, .height = height, .place = at("words"), .t = 0.2F});
    for (const figure::Light::Beam& beam : std::get<figure::Light>(dark.find("small.light")->shape).beams)
      CHECK(beam.intensity < 1e-3F);
  }
}

TEST_CASE("sentence: a hidden word is not told, neither on its card nor where it can be replaced") {
  const Trained model;
  const State state = state_of("preset=cat");  // whose hidden word is the one that is replaced
  const figure::Figure figure =
      draw(state, compute(state, model.inputs()), View{.width = 1208, .height = 568, .place = at("words")});
  CHECK(has(figure, word_id(6) + ".hidden"));
  CHECK_FALSE(has(figure, "turn.word"));
}

TEST_CASE("sentence: of one word to sixty-four, in any width, all stand within the figure and none over the next") {
  for (const int count : {1, 2, 9, 24, 64}) {
    auto own = std::make_shared<OwnWeights>();
    own->label = "mine";
    own->layers = 2;
    own->heads = 2;
    for (int i = 0; i < count; ++i)
      own->queries.push_back(i % 3 == 0 ? "a" : i % 3 == 1 ? "counterrevolutionary" : "שלום");
    own->keys = own->queries;
    const float even = 1 / static_cast<float>(count);
    for (int i = 0; i < 4; ++i) own->weights.push_back(Matrix::Constant(count, count, even));
    const std::map<std::string, Own, std::less<>> all{{"mine", std::shared_ptr<const OwnWeights>(own)}};
    State state;
    state.preset = Preset::own;
    state.own = "mine";
    const JobSnapshot made = run(state, {.own = &all});
    const Trace trace = compute(state, {.job = &made, .own = &all});
    for (const float width : {360.F, 800.F, 1208.F, 1700.F})
      for (const char* step : {"head", "heads", "layers"}) {
        CAPTURE(count);
        CAPTURE(width);
        CAPTURE(step);
        const figure::Figure figure = draw(state, trace, View{.width = width, .height = 560, .place = at(step)});
        const figure::Rect* before = nullptr;
        for (const figure::Element& element : figure.elements) {
          if (!element.id.starts_with("stage.word.") || !element.id.ends_with(".text")) continue;
          CHECK(element.rect.x >= -1);
          CHECK(element.rect.right() <= width + 1);
          if (before != nullptr) CHECK_FALSE(figure::overlap(before->inset(0.5F), element.rect.inset(0.5F)));
          before = &element.rect;
        }
        CHECK(before != nullptr);
      }
  }
}
