// The lamp that stands with the word that asks through all of Spotlight's steps, and what its light does to the values.
#include <doctest/doctest.h>

#include <string>

#include "figure/lamp.h"
#include "scenes/common/sentence.h"
#include "scenes/spotlight/spotlight.h"
#include "unit/scenes/spotlight_flow.h"

using namespace limelight;
using namespace limelight::scenes;
using namespace limelight::test;

TEST_CASE("lamp: in every step it is with the word that asks, dark until its weights are known") {
  figure::Figure lit;
  figure::add_lamp(lit, "lamp", {}, figure::Theme::light);
  const auto fill = [](const figure::Element& bulb) { return std::get<figure::Area>(bulb.shape).fill; };
  for (const int step : {kX, kW, kQkv, kScores, kScale, kSoftmax, kOutput})
    each_flow(step, [&](const spotlight::State&, const Trace&, const figure::Figure& figure, const View&) {
      CAPTURE(step);
      const figure::Element* bulb = figure.find(std::string(kLampId) + ".bulb");
      REQUIRE(bulb != nullptr);
      CHECK((fill(*bulb) == fill(*lit.find("lamp.bulb"))) == (step >= kSoftmax));
    });
}

TEST_CASE("output: values are whole before the light presses them down, each to its weight") {
  each_flow(kOutput,
            [](const spotlight::State& state, const Trace& trace, const figure::Figure& drawn, const View& view) {
              const figure::Figure still = as_row(drawn, view);
              View here = view;
              const auto weights = trace.at("weights").values.row(spotlight::query_row(state));
              for (const float t : {0.F, 0.1F, 0.2F}) {
                here.t = t;
                const figure::Figure figure = as_row(spotlight::draw(state, trace, here), here);
                for (int word = 0; word < static_cast<int>(weights.size()); ++word) {
                  const std::string id = "V." + std::to_string(word);
                  if (weights(word) == 0) continue;
                  const Rect value = rect_of(figure, id), glass = rect_of(figure, "V.glass." + std::to_string(word));
                  if (t == 0) CHECK(value.h == doctest::Approx(glass.h));
                  CHECK(value.h >= rect_of(still, id).h - 0.01F);
                  CHECK(figure.find(id)->opacity == 1);
                  const figure::Element* light = figure.find("weights.part." + std::to_string(word));
                  REQUIRE(light != nullptr);
                  CHECK(light->rect.bottom() == doctest::Approx(value.y));
                }
              }
            });
}

TEST_CASE("glance: the output of the word that asks stands there, clear of lamp, words and map") {
  constexpr int kGlance = kOutput + 1;
  each_flow(kGlance, [](const spotlight::State&, const Trace&, const figure::Figure& figure, const View& view) {
    const figure::Element* output = figure.find("output.box");
    REQUIRE((output != nullptr || view.height < 500));
    if (output == nullptr) return;
    for (const figure::Element& element : figure.elements)
      if (const std::string_view id = element.id; id == kLampId || id == "weights" || id.ends_with(".text")) {
        CAPTURE(id);
        CHECK_FALSE(overlap(output->rect, element.rect));
      }
  });
}
