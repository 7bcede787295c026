// Spotlight's stage with sentences too long to stand side by side, as a text under the lamp.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "figure/light.h"
#include "scenes/common/sentence.h"
#include "scenes/spotlight/spotlight.h"
#include "unit/fonts.h"
#include "unit/scenes/spotlight_support.h"

using namespace limelight;
using namespace limelight::scenes;
using figure::Rect;
using namespace limelight::test;

namespace {

// The light that a word's letters stand in.
float light_on(const figure::Brightness& light, const Rect& letters) {
  std::vector<figure::Point> points;
  for (int i = 0; i <= 8; ++i)
    for (const float y : {0.1F, 0.5F, 0.9F})
      points.push_back({letters.x + letters.w * static_cast<float>(i) / 8, letters.y + letters.h * y});
  std::vector<float> sums(points.size());
  light.add(points, sums);
  return std::accumulate(sums.begin(), sums.end(), 0.F) / static_cast<float>(sums.size());
}

}  // namespace

TEST_CASE("stage: of a text all weights of 1 % or more are told, each below its word, or the heavier ones and a note") {
  REQUIRE(test::load_fonts());
  for (const std::string& text : {k20, k40, k64, repeated(64, "a")}) {
    spotlight::State state = of_text(text);
    const Trace trace = spotlight::compute(state, {});
    const Matrix& weights = trace.at("weights").values;
    for (const int query : {0, 11, static_cast<int>(weights.cols()) - 1})
      for (const float width : {390.F, 600.F, 1188.F, 1700.F}) {
        CAPTURE(text);
        CAPTURE(query);
        CAPTURE(width);
        state.query = query;
        const figure::Figure figure = spotlight::draw(state, trace, {.width = width, .height = 576, .place = {1, 0}});
        float told = 1, untold = 0;
        for (int word = 0; word < static_cast<int>(weights.cols()); ++word) {
          const figure::Element* share = figure.find("stage.share." + std::to_string(word));
          const Rect letters = figure.find(word_id(word) + ".text")->rect;
          if (share == nullptr) {
            untold = std::max(untold, weights(query, word));
            continue;
          }
          told = std::min(told, weights(query, word));
          CHECK(share->rect.centre().y > letters.bottom());
          CHECK(share->rect.centre().y < letters.bottom() + 2 * letters.h);
        }
        CHECK(untold < told);
        // Beside the lamp on a phone, in a free corner elsewhere.
        const figure::Element* note = figure.find("stage.lamp.note.right");
        for (const std::string side : {"left", "right"})
          if (const figure::Element* legend = figure.find("stage.legend." + side)) note = legend;
        REQUIRE(note != nullptr);
        CHECK((width < 600) == note->id.starts_with("stage.lamp"));
        CHECK(note->rect.bottom() < figure.find("stage.word.0.text")->rect.y);
        CHECK((untold == 0 || std::get<figure::Text>(note->shape).text.find("numbers from") != std::string::npos));
      }
  }
}

TEST_CASE("stage: in a text the card of a word's numbers lies over no word") {
  REQUIRE(test::load_fonts());
  int cards = 0;
  for (const std::string& text : {k20, k40, k64}) {
    spotlight::State state = of_text(text);
    const Trace trace = spotlight::compute(state, {});
    for (const auto& [width, height] : {std::pair{1188.F, 576.F}, {960.F, 416.F}, {700.F, 500.F}, {1850.F, 850.F}})
      for (const int query : {0, 3, 11, 19})
        for (const std::string hovered : {"", "X[3,0]"}) {
          CAPTURE(text);
          CAPTURE(width);
          CAPTURE(query);
          CAPTURE(hovered);
          state.query = query;
          const figure::Figure figure =
              spotlight::draw(state, trace, {.width = width, .height = height, .place = {1, 0}, .hovered = hovered});
          for (const figure::Element& card : figure.elements) {
            if (!card.id.starts_with("callout.") || !card.id.ends_with(".box")) continue;
            ++cards;
            for (const figure::Element& word : figure.elements)
              if (word.id.starts_with("stage.word.") && word.id.ends_with(".text"))
                CHECK(!figure::overlap(card.rect, word.rect));
          }
        }
  }
  CHECK(cards > 40);
}

TEST_CASE("stage: in a text a beam is as bright and as wide as its weight says, whichever line it ends on") {
  REQUIRE(test::load_fonts());
  for (const std::string& text : {k20, k40, k64})
    for (const auto& [width, height] : {std::pair{1188.F, 576.F}, {390.F, 535.F}}) {
      const spotlight::State state = of_text(text);
      const figure::Figure figure =
          spotlight::draw(state, spotlight::compute(state, {}), {.width = width, .height = height, .place = {1, 0}});
      const Matrix weights = spotlight::compute(state, {}).at("weights").values;
      std::vector<figure::Light::Beam> beams = std::get<figure::Light>(figure.find(kLightId)->shape).beams;
      REQUIRE(static_cast<int>(beams.size()) == static_cast<int>(weights.cols()));
      const auto weight = [&](const figure::Light::Beam& beam) { return weights(beam.row, beam.column); };
      std::ranges::sort(beams, {}, weight);
      for (std::size_t i = 1; i < beams.size(); ++i) {
        CHECK(beams[i].intensity >= beams[i - 1].intensity);
        CHECK(beams[i].half_from >= beams[i - 1].half_from);
      }
    }
}

TEST_CASE("stage: in a text a word is lit by its own weight, not by the beams to others") {
  REQUIRE(test::load_fonts());
  for (const std::string& text : {k20, k40, k64}) {
    spotlight::State state = of_text(text);
    state.temperature = 0.12;  // so that few words get most of the light
    const Trace trace = spotlight::compute(state, {});
    const Matrix& weights = trace.at("weights").values;
    const int words = static_cast<int>(weights.cols());
    for (int query = 0; query < words; query += 3)
      for (const auto& [width, height] : {std::pair{1188.F, 576.F}, {1700.F, 900.F}, {390.F, 535.F}})
        for (const int step : {1, 9}) {
          CAPTURE(words);
          CAPTURE(query);
          CAPTURE(width);
          CAPTURE(step);
          state.query = query;
          const figure::Figure figure =
              spotlight::draw(state, trace, {.width = width, .height = height, .place = {step, 0}});
          const figure::Brightness light(std::get<figure::Light>(figure.find(kLightId)->shape));
          float dark = 0, lit = 1000;
          for (int word = 0; word < words; ++word) {
            const float seen = light_on(light, figure.find(word_id(word) + ".text")->rect);
            if (weights(query, word) < 0.01F) dark = std::max(dark, seen);
            if (weights(query, word) >= 0.1F) lit = std::min(lit, seen);
          }
          CHECK(dark < (step == 1 ? 0.5F : 0.67F) * lit);  // the map's lamp hangs lower
        }
  }
}
