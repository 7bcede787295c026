// Sentence, the step Through the layers: what is passed on, and the light that shows it.
#include <doctest/doctest.h>

#include <cmath>
#include <utility>

#include "unit/scenes/sentence_drawn.h"

using namespace limelight;
using namespace limelight::scenes;
using namespace limelight::scenes::sentence;
using namespace limelight::test::reading;

TEST_CASE("sentence: what flows down through the layers is all of the light, and arrives as rollout says") {
  const Trained model;
  for (const char* patch : {"preset=animal", "preset=fox&query=3"}) {
    const State state = state_of(patch);
    const Trace trace = compute(state, model.inputs());
    const Matrix& rollout = trace.at("rollout").values;
    CHECK(rollout.bottomRows(1).sum() == doctest::Approx(1).epsilon(1e-5));
    const figure::Figure figure = draw(state, trace, View{.width = 1208, .height = 568, .place = at("layers")});
    float sum = 0;
    for (int i = 0; i < rollout.cols(); ++i) {
      const int last = static_cast<int>(rollout.rows()) - 1;
      const auto bar = [&](int word) { return figure.find(figure::cell_id({"rollout", last, word}))->rect.h; };
      CHECK(bar(i) / bar(state.query) == doctest::Approx(rollout(last, i) / rollout(last, state.query)).epsilon(1e-3));
      sum += bar(i) * rollout(last, state.query) / bar(state.query);
    }
    CHECK(sum == doctest::Approx(1).epsilon(1e-3));
  }
}

TEST_CASE("sentence: through the layers any word of any layer asks while it is pointed at, and none moves") {
  const Trained model;
  const State state = state_of("preset=animal");
  const Trace trace = compute(state, model.inputs());
  const auto drawn = [&](const char* hovered) {
    return draw(state, trace, View{.width = 1208, .height = 568, .place = at("layers"), .hovered = hovered});
  };
  const figure::Figure rest = drawn("");
  for (const char* hovered : {"stage.word.7", "level.1.word.7", "level.3.word.7"}) {
    const figure::Figure figure = drawn(hovered);
    State asked = state;
    asked.query = 7;
    const Trace other = compute(asked, model.inputs());
    const Matrix& rollout = other.at("rollout").values;
    for (int i = 0; i < rollout.cols(); ++i) {
      const figure::Element *bar = figure.find(figure::cell_id({"rollout", 2, i})),
                            *own = figure.find(figure::cell_id({"rollout", 2, 7}));
      REQUIRE(bar != nullptr);
      if (rollout(2, i) > 0.03F)
        CHECK(bar->rect.h / own->rect.h == doctest::Approx(rollout(2, i) / rollout(2, 7)).epsilon(1e-3));
      CHECK_FALSE(bar->source);  // the trace has another query's
      const std::string id = "level.3.word." + std::to_string(i);
      CHECK(figure.find(id)->rect.centre().x == doctest::Approx(rest.find(id)->rect.centre().x));
    }
    CHECK(narrate(state, trace, {.place = at("layers"), .hovered = hovered}).contains("street"));
  }
}

TEST_CASE("sentence: through the layers no head's light lies over words, and words that get much are bold") {
  const Trained model;
  for (const char* patch : {"preset=animal", "preset=pronoun"}) {
    const State state = state_of(patch);
    const Trace trace = compute(state, model.inputs());
    const auto moment = [&](float t) {
      return draw_moment(*find("sentence"), state, trace,
                         {.width = 1208, .height = 568, .place = at("layers"), .t = t});
    };
    for (float t = 0.02F; t < 0.41F; t += 0.02F) {
      CAPTURE(t);
      const figure::Figure figure = moment(t);
      const figure::Element *fans = figure.find("fans"), *word = figure.find("level.1.word.1.text");
      if (fans == nullptr || word == nullptr || word->opacity < 0.5F) continue;
      for (const figure::Light::Beam& beam : std::get<figure::Light>(fans->shape).beams)
        CHECK(std::max(beam.from.y, beam.to.y) < word->rect.centre().y);
    }
    const figure::Figure rest = moment(1);
    const Matrix& rollout = trace.at("rollout").values;
    for (int i = 0; i < rollout.cols(); ++i)
      if (const figure::Element* word = rest.find("level.3.word." + std::to_string(i) + ".text")) {
        CAPTURE(i);
        const bool bold = std::get<figure::Text>(word->shape).face == text::Face::display_bold;
        CHECK(bold == (rollout(2, i) > 0.16F / 1.7F));
        CHECK(rest.find("level.3.word." + std::to_string(i))->label.ends_with(share_of(rollout(2, i))));
      }
  }
}

TEST_CASE(
    "sentence: a layer's heads bring their light from their pictures, and side by side it is as wide as their mean") {
  const Trained model;
  for (const char* patch : {"preset=animal", "preset=fox&query=3", "preset=agreement&sorting=alike"})
    for (const auto& [width, height] : {std::pair(1208.F, 568.F), std::pair(390.F, 500.F)}) {
      CAPTURE(patch);
      CAPTURE(width);
      const State state = state_of(patch);
      const Trace trace = compute(state, model.inputs());
      const auto moment = [&](float t) {
        return draw_moment(*find("sentence"), state, trace,
                           {.width = width, .height = height, .place = at("layers"), .t = t});
      };
      const figure::Figure heads = moment(0), leave = moment(0.02F), beside = moment(0.33F), rest = moment(1);
      const auto beam = [](const figure::Figure& figure, int head, int word) -> const figure::Light::Beam* {
        const figure::Element* fans = figure.find("fans");
        if (fans == nullptr) return nullptr;
        const auto& beams = std::get<figure::Light>(fans->shape).beams;
        const auto found =
            std::ranges::find_if(beams, [&](const auto& one) { return one.row == head && one.column == word; });
        return found == beams.end() ? nullptr : &*found;
      };
      const Matrix& mean = trace.at("mean_3").values;
      for (int word = 0; word < mean.cols(); ++word) {
        float wide = 0, seen = 0;
        for (int head = 0; head < 8; ++head) {
          CHECK(beam(rest, head, word) == nullptr);
          const figure::Light::Beam* const is = beam(beside, head, word);
          if (is == nullptr) continue;
          wide += 2 * is->half_from, seen += trace.at(of_head("G", 2, head)).values(state.query, word) / 8;
          const figure::Rect tile = heads.find("small." + name_of({2, head}))->rect;
          for (const figure::Point end : {beam(leave, head, word)->from, beam(leave, head, word)->to})
            CHECK(tile.contains(end));
          // Between the layer's words and those of the layer below.
          CHECK(is->from.y >= beside.find(word_id(word))->rect.y);
          if (const figure::Element* text = beside.find("level.1.word." + std::to_string(word) + ".text"))
            CHECK(std::abs(is->to.x - text->rect.centre().x) < 12);
        }
        CHECK(wide <= doctest::Approx(44 * (width < 640 ? 0.62F : 1) * mean(state.query, word)).epsilon(0.02));
        if (seen > 0.05F) CHECK(wide / seen == doctest::Approx(44 * (width < 640 ? 0.62F : 1)).epsilon(0.02));
      }
      for (int layer = 1; layer <= 3; ++layer) {  // each layer's words come out of those above it
        const std::string level = "level." + std::to_string(layer), below = level + ".word.1.text",
                          above =
                              layer == 1 ? "stage.word.1.text" : "level." + std::to_string(layer - 1) + ".word.1.text";
        for (float t = 0.02F; t < 1; t += 0.02F) {
          const figure::Figure figure = moment(t);
          const figure::Element* const frame = figure.find(level + ".band");  // a place is there for them, unlit
          REQUIRE(frame != nullptr);
          CHECK(frame->rect.y == doctest::Approx(rest.find(level + ".band")->rect.y));
          if (t > 0.25F) CHECK(frame->opacity > 0.95F);
          const figure::Element* const comes = figure.find(below);
          if (comes == nullptr || comes->opacity < 0.05F) continue;
          CHECK(comes->rect.y - figure.find(above)->rect.y < 90);
          break;
        }
      }
      for (float t = 0.06F; t < 0.13F; t += 0.02F) {  // light leaves a dark ground
        const figure::Element* const tile = moment(t).find("small.3.2.lit");
        REQUIRE(tile != nullptr);
        CHECK(tile->opacity > 0.95F);
      }
    }
}
