// Sentence, the step Switch off: what heads cost alone and together, and how that is seen.
#include <doctest/doctest.h>

#include <cmath>
#include <utility>

#include "unit/scenes/sentence_drawn.h"

using namespace limelight;
using namespace limelight::scenes;
using namespace limelight::scenes::sentence;
using namespace limelight::test::reading;

TEST_CASE("sentence: what heads cost together is told beside what each costs alone, and only then what follows") {
  const Trained model;
  for (const auto& [patch, in_for] : {std::pair("preset=animal", true), std::pair("preset=agreement", false),
                                      std::pair("preset=pronoun", false), std::pair("preset=fox", false)}) {
    CAPTURE(patch);
    const State state = state_of(patch);
    const JobSnapshot made = run(state, model.inputs());
    const Trace trace = compute(state, model.inputs(&made));
    const Matrix &alone = trace.at("importance").values, &left = trace.at("needed").values;
    const std::vector<HeadPlace> needed = needed_in(alone);
    REQUIRE(left.cols() == std::ssize(needed));
    const std::string told = narrate(state, trace, {.place = at("off"), .t = 1});
    const float whole = trace.at(of_place("truth", hidden_in(trace).front())).values(0, 0);
    float sum = 0;
    std::string off = std::string(patch) + "&off=";
    for (std::size_t i = 0; i < needed.size(); ++i) {
      const auto [layer, head] = needed[i];
      sum -= alone(layer, head);
      off += (i > 0 ? "," : "") + std::to_string(layer) + "." + std::to_string(head) + ":1";
      // Each step of the stair is what the model says with those heads off.
      const Trace without = compute(state_of(off.c_str()), model.inputs());
      const Matrix& truth = without.at(of_place("truth_without", hidden_in(trace).front())).values;
      CHECK(truth(0, 0) == doctest::Approx(left(0, static_cast<int>(i))).epsilon(1e-4));
      CHECK(told.contains(name_of(needed[i])));
    }
    CHECK(told.contains(share_of(left(0, static_cast<int>(needed.size()) - 1))));
    const bool more = whole - left(0, static_cast<int>(needed.size()) - 1) > 1.25F * sum;
    CHECK(more == in_for);
    CHECK(told.contains("stands in for the others") == more);
    CHECK(told.size() < 330);  // two lines
  }
}

TEST_CASE("sentence: to be switched off heads come from their places in All heads") {
  const Trained model;
  const State state = state_of("preset=animal");
  const JobSnapshot made = run(state, model.inputs());
  const Trace trace = compute(state, model.inputs(&made));
  for (const auto& [width, height] : {std::pair(1208.F, 568.F), std::pair(390.F, 500.F)}) {
    const auto drawn = [&](const char* step, float t) {
      return draw(state, trace, View{.width = width, .height = height, .place = at(step), .t = t});
    };
    const figure::Figure heads = drawn("heads", 1), first = drawn("off", 0), half = drawn("off", 0.1F),
                         rest = drawn("off", 1);
    for (const char* id : {"small.1.1", "small.2.5", "small.3.8"}) {
      CAPTURE(id);
      CHECK(first.find(id)->rect.x == doctest::Approx(heads.find(id)->rect.x));
      CHECK(first.find(id)->rect.y == doctest::Approx(heads.find(id)->rect.y));
      CHECK(half.find(id)->rect.w < heads.find(id)->rect.w);
      CHECK(half.find(id)->rect.w > rest.find(id)->rect.w);
    }
    for (const figure::Element& element : half.elements)  // nothing stands where they still are
      if (element.id.starts_with("stair.") || element.id.starts_with("guess")) CHECK(element.opacity < 0.05F);
  }
}

TEST_CASE("sentence: what switching a head off does is what the experiment says of it") {
  const Trained model;
  const State state = state_of("preset=pronoun");
  const JobSnapshot made = run(state, model.inputs());
  const Matrix importance = made.results.at("importance").values;
  CHECK(importance.rows() == 3);
  CHECK(importance.cols() == 8);
  const float with = compute(state, model.inputs()).at("truth_7").values(0, 0);
  Eigen::Index layer = 0, head = 0;
  importance.minCoeff(&layer, &head);
  const std::string off = "preset=pronoun&off=" + std::to_string(layer) + "." + std::to_string(head) + ":1";
  const Trace without = compute(state_of(off.c_str()), model.inputs());
  CHECK(without.at("truth_without_7").values(0, 0) - with == doctest::Approx(importance(layer, head)).epsilon(1e-4));
  CHECK(without.at("truth_7").values(0, 0) == with);  // the other views keep all heads

  const Trace whole = compute(state, model.inputs(&made));
  CHECK(whole.at("erasure").values(0, 6) == 0);  // it is hidden already
  const State both = state_of("preset=pronoun&hidden=0.6:1,0.8:1");
  CHECK(compute(both, model.inputs()).at("truth_7").values(0, 0) - with ==
        doctest::Approx(whole.at("erasure").values(0, 8)).epsilon(1e-4));
  // Until one is off those that it needs most go dark, one after the other, each with its step of the stair; the
  // answers follow, and what the model said before stays as an outline.
  const auto drawn = [&](float t) {
    return draw(state, whole, View{.width = 1208, .height = 568, .place = at("off"), .t = t});
  };
  const std::vector<HeadPlace> needed = needed_in(importance);
  const std::string says = "guess_needed_7[0,0]";
  const figure::Figure first = drawn(0.29F), rest = drawn(1);
  for (std::size_t i = 0; i < needed.size(); ++i) {
    const std::string ring = "off.ghost." + name_of(needed[i]), stair = "stair." + std::to_string(i + 1);
    const figure::Figure then = drawn(0.32F + 0.15F * static_cast<float>(i));
    CHECK(first.find(ring) == nullptr);
    CHECK(then.find(ring) != nullptr);
    CHECK(then.find(stair) != nullptr);
    CHECK(then.find("stair." + std::to_string(i + 2)) == nullptr);
    CHECK(rest.find(stair)->rect.h / rest.find("stair.0")->rect.h ==
          doctest::Approx(whole.at("needed").values(0, static_cast<int>(i)) / with).epsilon(0.01));
  }
  CHECK(std::abs(rest.find(says)->rect.w - first.find(says)->rect.w) > 1);
  CHECK(rest.find("guess_needed_7.before.0")->rect.w == doctest::Approx(first.find(says)->rect.w));
}

TEST_CASE("sentence: all heads' losses are on one scale, each that is seen in a track of its own, others are a dot") {
  const Trained model;
  for (const char* patch : {"preset=animal", "preset=agreement", "preset=pronoun", "preset=animal&off=2.1:1"}) {
    const State state = state_of(patch);
    const JobSnapshot made = run(state, model.inputs());
    const Trace trace = compute(state, model.inputs(&made));
    const Matrix& importance = trace.at("importance").values;
    const HeadPlace most = needed_in(importance).front();
    for (const auto& [width, height] : {std::pair(1208.F, 568.F), std::pair(1680.F, 800.F), std::pair(390.F, 500.F)}) {
      CAPTURE(patch);
      CAPTURE(width);
      const figure::Figure figure = draw(state, trace, View{.width = width, .height = height, .place = at("off")});
      if (width > 640) CHECK(figure.height <= height);
      const float unit = figure.find(figure::cell_id({"importance", most.layer, most.head}))->rect.h /
                         std::abs(importance(most.layer, most.head));
      for (int layer = 0; layer < 3; ++layer)
        for (int head = 0; head < 8; ++head) {
          const std::string name = name_of({layer, head});
          const figure::Element *track = figure.find("importance.track." + name),
                                *zero = figure.find("importance.zero." + name),
                                *bar = figure.find(figure::cell_id({"importance", layer, head}));
          const float value = importance(layer, head);
          REQUIRE(bar != nullptr);
          CHECK((track != nullptr) == (std::abs(value) * unit >= 1.5F));
          CHECK((track == nullptr) == (figure.find("importance.none." + name) != nullptr));
          if (track == nullptr) continue;
          const float line = std::get<figure::Line>(zero->shape).points[0].y;
          CHECK(bar->rect.y >= track->rect.y - 0.5F);
          CHECK(bar->rect.bottom() <= track->rect.bottom() + 1);
          CHECK(bar->rect.h / unit == doctest::Approx(std::abs(value)).epsilon(0.01));
          CHECK((value < 0 ? bar->rect.y : bar->rect.bottom()) == doctest::Approx(line));
        }
    }
  }
}
