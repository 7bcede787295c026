// Sentence, the step Swap a word: the light that swings, and how far each head's does.
#include <doctest/doctest.h>

#include <cmath>
#include <tuple>
#include <utility>

#include "unit/scenes/sentence_drawn.h"

using namespace limelight;
using namespace limelight::scenes;
using namespace limelight::scenes::sentence;
using namespace limelight::test::reading;

TEST_CASE("sentence: swapping tired and wide moves the pronoun's head from the animal to the street") {
  const Trained model;
  for (const char* patch : {"preset=animal", "hidden="}) {
    const State state = state_of(patch);
    const Trace trace = compute(state, model.inputs());
    const Matrix &A = trace.at("A_3.2").values, &B = trace.at("B_3.2").values, &D = trace.at("D_3.2").values;
    CHECK(A(9, 2) > 0.8F);
    CHECK(B(9, 7) > 0.8F);
    CHECK(largest_difference(A + D, B) < 1e-6F);
    CHECK(trace.at("moved").values(2, 1) > 0.8F);
    CHECK(trace.at("order").columns() == 24);
  }
}

TEST_CASE(
    "sentence: as the card turns, the light swings from the animal to the street, and the dots run as far as it "
    "moves") {
  const Trained model;
  const State state = state_of("preset=animal");
  const Trace trace = compute(state, model.inputs());
  for (const auto& [width, height] : {std::pair(1208.F, 568.F), std::pair(1680.F, 800.F), std::pair(390.F, 500.F)}) {
    CAPTURE(width);
    const bool column = width < 640;
    const auto drawn = [&](float t) {
      return draw(state, trace, View{.width = width, .height = height, .place = at("swap"), .t = t});
    };
    const figure::Figure before = drawn(0), middle = drawn(0.5F), after = drawn(1);
    const auto along = [&](figure::Point p) { return column ? p.y : p.x; };
    const auto word = [&](int i) { return along(middle_of(after, word_id(i) + ".text")); };
    CHECK(along(brightest_end(before)) == doctest::Approx(word(kAnimal)).epsilon(0.01));
    CHECK(along(brightest_end(after)) == doctest::Approx(word(kStreet)).epsilon(0.01));
    CHECK(along(brightest_end(middle)) > word(kAnimal) + 20);
    CHECK(along(brightest_end(middle)) < word(kStreet) - 20);
    // The words keep their places whichever stands on the card.
    for (int i = 0; i < trace.at("tokens").columns(); ++i)
      if (before.find(word_id(i)) != nullptr)
        CHECK(along(middle_of(before, word_id(i))) == doctest::Approx(along(middle_of(after, word_id(i)))));
    const Matrix& moved = trace.at("moved").values;
    const auto x = [&](const figure::Figure& figure, const char* id) { return middle_of(figure, id).x; };
    const float zero = x(before, "dot.1.1"), far = x(after, "dot.3.2") - zero;
    CHECK(x(before, "dot.3.2") == doctest::Approx(zero));
    for (const auto& [id, share] : {std::pair("dot.2.1", moved(1, 0)), std::pair("dot.1.8", moved(0, 7))})
      CHECK((x(after, id) - zero) / far == doctest::Approx(share / moved(2, 1)).epsilon(0.01));
  }
}

TEST_CASE(
    "sentence: on its way the light is one beam whose foot slides with its pool, and tells no share before it is "
    "there") {
  const Trained model;
  const State state = state_of("preset=animal");
  const Trace trace = compute(state, model.inputs());
  for (const auto& [width, height] : {std::pair(1208.F, 568.F), std::pair(390.F, 500.F)}) {
    const bool column = width < 640;
    const auto along = [&](figure::Point p) { return column ? p.y : p.x; };
    const auto figure_at = [&](float t) {
      return draw(state, trace, View{.width = width, .height = height, .place = at("swap"), .t = t});
    };
    for (float t = 0.02F; t < 1; t += 0.02F) {
      CAPTURE(width);
      CAPTURE(t);
      const figure::Figure figure = figure_at(t);
      const float end = along(brightest_end(figure));
      for (int i = 0; i < trace.at("tokens").columns(); ++i) {
        const figure::Element *word = figure.find(word_id(i) + ".text"),
                              *share = figure.find("stage.share." + std::to_string(i));
        if (word == nullptr) continue;
        const auto& text = std::get<figure::Text>(word->shape);
        const bool is_lit = text.face == text::Face::display_bold, told = share != nullptr && share->opacity > 0.1F;
        if (is_lit || told) CHECK(std::abs(along(word->rect.centre()) - end) < 45);
        if (i != kAnimal && i != kStreet) CHECK_FALSE(is_lit);
      }
      // It stands where it stood before, on the floor or before the words, and its pool and its glow with it.
      const figure::Point foot = brightest_end(figure), stood = brightest_end(figure_at(0));
      CHECK(std::abs((column ? foot.x - stood.x : foot.y - stood.y)) < 0.5F);
      if (column) continue;
      const auto& light = std::get<figure::Light>(figure.find("stage.light")->shape);
      const auto pool = std::ranges::max_element(light.spots, {}, &figure::Light::Spot::intensity);
      CHECK(std::abs(along(pool->centre) - end) < 8);
    }
  }
}

TEST_CASE(
    "sentence: the first swap says why the light moves, any other only what moves, and where it was a beam stays") {
  const Trained model;
  for (const auto& [patch, reason, moves] :
       {std::tuple("preset=animal", true, true), std::tuple("preset=animal&instead=deep", false, true),
        std::tuple("preset=animal&instead=hungry", false, false), std::tuple("preset=agreement", false, false)}) {
    CAPTURE(patch);
    const State state = state_of(patch);
    const Trace trace = compute(state, model.inputs());
    const std::string told = narrate(state, trace, {.place = at("swap"), .t = 1});
    CHECK(told.contains("only a street can be wide") == reason);
    CHECK(told.contains("what it stands for is another") == reason);
    CHECK(told.contains("no longer at") == moves);
    const figure::Figure figure = draw(state, trace, View{.width = 1208, .height = 568, .place = at("swap")});
    CHECK((figure.find("ghost.beam") != nullptr) == moves);
    if (!moves) continue;
    const auto& beam = std::get<figure::Ribbon>(figure.find("ghost.beam")->shape);
    const figure::Rect word = figure.find(word_id(kAnimal) + ".text")->rect;
    CHECK(beam.one.back().x < word.x);
    CHECK(beam.other.back().x > word.right());
  }
}

TEST_CASE("sentence: what the word on the card gets is told below it, over the button and before and after the turn") {
  const Trained model;
  const State state = state_of("preset=agreement");
  const Trace trace = compute(state, model.inputs());
  const std::string share = "stage.share." + std::to_string(state.place);
  for (const char* step : {"words", "swap"})
    for (const auto& [width, height] : {std::pair(1208.F, 568.F), std::pair(1704.F, 848.F)}) {
      const figure::Figure figure = draw(state, trace, View{.width = width, .height = height, .place = at(step)});
      const figure::Element *told = figure.find(share), *press = figure.find("turn.press");
      REQUIRE((told != nullptr && press != nullptr));
      const auto& text = std::get<figure::Text>(told->shape);
      CHECK(text.text.ends_with("%"));
      CHECK(told->rect.centre().y + text.size / 2 < press->rect.y + 1);
      const figure::Element* before = figure.find("ghost.said");
      REQUIRE((before != nullptr) == (std::string_view(step) == "swap"));
      if (before != nullptr) CHECK(std::get<figure::Text>(before->shape).text.starts_with("before: 46"));
    }
  const std::string words = narrate(state, trace, {.place = at("swap"), .t = 1});
  REQUIRE(words.contains("still looks at"));
  CHECK(!words.substr(words.find("still looks at")).contains("dogs"));
}

TEST_CASE("sentence: how far heads' light moves is told where no head's dot is") {
  const Trained model;
  for (const char* patch : {"preset=animal", "preset=agreement", "preset=cat"})
    for (const auto& [width, height] : {std::pair(1208.F, 568.F), std::pair(390.F, 500.F)}) {
      const State state = state_of(patch);
      const figure::Figure figure =
          draw(state, compute(state, model.inputs()), View{.width = width, .height = height, .place = at("swap")});
      for (const figure::Element& name : figure.elements) {
        if (!name.id.starts_with("dot.name.")) continue;
        for (const figure::Element& dot : figure.elements)
          if (dot.id.starts_with("dot.") && dot.role == figure::Role::button)
            CHECK_MESSAGE(!figure::overlap(name.rect.inset(1), dot.rect), name.id << " over " << dot.id);
      }
    }
}

TEST_CASE("sentence: heads' names go with their dots, and the number beside one is how far that has come") {
  const Trained model;
  for (const char* patch : {"preset=animal", "preset=agreement", "preset=fox"})
    for (const auto& [width, height] : {std::pair(1208.F, 568.F), std::pair(390.F, 500.F)}) {
      const State state = state_of(patch);
      const Trace trace = compute(state, model.inputs());
      const auto at_t = [&](float t) {
        return draw(state, trace, View{.width = width, .height = height, .place = at("swap"), .t = t});
      };
      const HeadPlace head = chosen_head(state, 3, 8);
      const std::string told = name_of(head);
      const float zero = middle_of(at_t(0), "dot." + told).x, whole = middle_of(at_t(1), "dot." + told).x - zero,
                  share = trace.at("moved").values(head.layer, head.head);
      for (float t = 0.02F; t <= 1; t += 0.07F) {
        CAPTURE(t);
        const figure::Figure figure = at_t(t);
        for (const figure::Element& name : figure.elements) {
          if (!name.id.starts_with("dot.name.")) continue;
          const figure::Rect dot = figure.find("dot." + name.id.substr(9))->rect;
          CHECK(std::max(name.rect.x - dot.right(), dot.x - name.rect.right()) < 80);
          CHECK(name.rect.centre().y == doctest::Approx(dot.centre().y));
        }
        const float come = whole > 1 ? (middle_of(figure, "dot." + told).x - zero) / whole : 1;
        const auto& said = std::get<figure::Text>(figure.find("dot.name." + told)->shape).text;
        if (come > 0.1F && share > 0.1F)
          CHECK(std::stof(said.substr(said.find(' '))) / 100 == doctest::Approx(come * share).epsilon(0.1));
      }
    }
}

TEST_CASE("sentence: an example opens on a head whose light moves between words, not from or to the first token") {
  const Trained model;
  for (const char* preset : {"preset=animal", "preset=agreement", "preset=pronoun"}) {
    CAPTURE(preset);
    const State state = state_of(preset);
    const Trace trace = compute(state, model.inputs());
    const HeadPlace head = chosen_head(state, 3, 8);
    const std::vector<float> before = row_of(trace, of_head("A", head.layer, head.head), state.query),
                             after = row_of(trace, of_head("B", head.layer, head.head), state.query);
    CHECK(brightest(before) != 0);
    CHECK(brightest(after) != 0);
    CHECK(trace.at("moved").values(head.layer, head.head) > 0.25F);
  }
}

TEST_CASE("sentence: the examples of pronouns open on words that swing the light, and no text stands in another") {
  const Trained model;
  for (const char* preset : {"preset=animal", "preset=pronoun"}) {
    CAPTURE(preset);
    const State state = state_of(preset);
    const Trace trace = compute(state, model.inputs());
    const HeadPlace head = chosen_head(state, 3, 8);
    const std::vector<float> before = row_of(trace, of_head("A", head.layer, head.head), state.query),
                             after = row_of(trace, of_head("B", head.layer, head.head), state.query);
    const int was = brightest(before), is = brightest(after);
    CHECK(was != is);
    CHECK(before[static_cast<std::size_t>(was)] > 0.8F);
    CHECK(after[static_cast<std::size_t>(is)] > 0.8F);
    const figure::Figure figure = draw(state, trace, View{.width = 1208, .height = 568, .place = at("swap")});
    const figure::Element *said = figure.find("said.before"), *ghost = figure.find("ghost.said");
    if (said != nullptr) CHECK_FALSE(figure::overlap(said->rect, ghost->rect));
  }
}

TEST_CASE("sentence: a swap that changes nothing leaves the light where it was") {
  const Trained model;
  const State state = state_of("preset=animal&instead=tired");
  const Trace trace = compute(state, model.inputs());
  const View view{.width = 1208, .height = 568, .place = at("swap")};
  const figure::Figure figure = draw(state, trace, view);
  CHECK_FALSE(has(figure, "ghost."));
  CHECK(brightest_end(figure).x == doctest::Approx(middle_of(figure, word_id(kAnimal)).x).epsilon(0.01));
}
