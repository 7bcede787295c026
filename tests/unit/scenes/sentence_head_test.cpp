// Sentence, the steps One head and All heads: how they come out of the steps before them.
#include <doctest/doctest.h>

#include <cmath>
#include <utility>

#include "unit/scenes/sentence_drawn.h"

using namespace limelight;
using namespace limelight::scenes;
using namespace limelight::scenes::sentence;
using namespace limelight::test::reading;

TEST_CASE(
    "sentence: from the swap to one head the light never leaves the word that it falls on, nor the one it is from") {
  const Trained model;
  for (const char* preset : {"preset=animal", "preset=pronoun", "preset=cat"}) {
    const State state = state_of(preset);
    const Trace trace = compute(state, model.inputs());
    for (float t = 0.02F; t < 1; t += 0.02F) {
      CAPTURE(preset);
      CAPTURE(t);
      const figure::Figure figure =
          draw_moment(*find("sentence"), state, trace, {.width = 1208, .height = 568, .place = at("head"), .t = t});
      const figure::Element* light = figure.find("flows");
      if (light == nullptr) light = figure.find("stage.light");
      REQUIRE(light != nullptr);
      CHECK(light->opacity == 1);
      const auto& beams = std::get<figure::Light>(light->shape).beams;
      const auto& beam = *std::ranges::max_element(beams, {}, &figure::Light::Beam::intensity);
      CHECK(beam.intensity > 0.5F);
      if (light->id == "stage.light") continue;  // the word turns back, as in the step before
      const figure::Element* word = figure.find("keys.word." + std::to_string(beam.column) + ".text");
      if (word == nullptr) word = figure.find("keys.word." + std::to_string(beam.column) + ".hidden");
      REQUIRE(word != nullptr);
      CHECK(std::abs(beam.to.x - word->rect.centre().x) < 30);
      CHECK(std::abs(beam.to.y - word->rect.centre().y) < 60);
      // The words that ask are soon above the light.
      if (t > 0.62F) CHECK(beam.from.y > figure.find("stage.word.1.text")->rect.bottom() - 2);
      for (const figure::Element& element : figure.elements)
        if (element.id.starts_with("ghost.") || element.id.starts_with("turn."))
          CHECK_MESSAGE((element.opacity < 0.05F || t < 0.45F), element.id);
    }
  }
}

TEST_CASE("sentence: what stood beside the heads is gone before their pictures grow") {
  const Trained model;
  const State state = state_of("preset=animal");
  const Trace trace = compute(state, model.inputs());
  const auto moment = [&](float t) {
    return draw_moment(*find("sentence"), state, trace, {.width = 1208, .height = 568, .place = at("heads"), .t = t});
  };
  const float width = moment(0).find("small.1.1")->rect.w;
  for (float t = 0.04F; t < 1; t += 0.04F) {
    const figure::Figure figure = moment(t);
    const bool grows = figure.find("small.1.1")->rect.w > width + 0.5F;
    for (const figure::Element& element : figure.elements)
      if (grows && element.id.ends_with(".old") && !element.id.starts_with("A_"))  // a map is wiped, not faded
        CHECK_MESSAGE(element.opacity < 0.05F, element.id << " at " << t);
  }
}

TEST_CASE("sentence: the word that gets the light is light in the dark and dark on paper") {
  const Trained model;
  const State state = state_of("preset=animal");
  const JobSnapshot made = run(state, model.inputs());
  const Trace trace = compute(state, model.inputs(&made));
  constexpr int kAnimal = 2;
  for (const auto& [step, row] : {std::pair("words", "stage.word."), {"head", "keys.word."}})
    for (const auto& [width, height] : {std::pair{1208.F, 572.F}, {1700.F, 850.F}, {390.F, 535.F}})
      for (const figure::Theme theme : {figure::Theme::light, figure::Theme::dark}) {
        CAPTURE(step);
        CAPTURE(width);
        CAPTURE(figure::is_dark(theme));
        const figure::Figure figure =
            draw(state, trace, View{.width = width, .height = height, .place = at(step), .theme = theme});
        const figure::Element* word = figure.find(row + std::to_string(kAnimal) + ".text");
        REQUIRE(word != nullptr);
        const float ink = figure::luminance(std::get<figure::Text>(word->shape).colour);
        CHECK((figure::is_dark(theme) ? ink > 0.5F : ink < 0.2F));
      }
}
