// Sentence, the step As evidence: light beside what each word costs.
#include <doctest/doctest.h>

#include <cmath>

#include "unit/scenes/sentence_drawn.h"

using namespace limelight;
using namespace limelight::scenes;
using namespace limelight::scenes::sentence;
using namespace limelight::test::reading;

TEST_CASE("sentence: on a word falls light as it is looked at, and below it hangs what it costs, on one scale") {
  const Trained model;
  for (const char* patch : {"preset=animal", "preset=cat", "preset=pronoun&instead=counterrevolutionaries"}) {
    const State state = state_of(patch);
    const JobSnapshot made = run(state, model.inputs());
    const Trace trace = compute(state, model.inputs(&made));
    const Matrix &looks = trace.at("attended").values, &costs = trace.at("erasure").values;
    for (const float width : {320.F, 390.F, 740.F, 1208.F, 1680.F}) {
      CAPTURE(patch);
      CAPTURE(width);
      const figure::Figure figure = draw(state, trace, View{.width = width, .height = 590, .place = at("evidence")});
      const auto bar = [&](int word) {
        const figure::Element* found = figure.find(figure::cell_id({"erasure", 0, word}));
        REQUIRE(found);
        return found->rect;
      };
      const auto& beams = std::get<figure::Light>(figure.find("stage.light")->shape).beams;
      Eigen::Index most = 0, largest = 0;
      const float unit = costs.row(0).cwiseAbs().maxCoeff(&largest) / bar(static_cast<int>(largest)).h;
      looks.row(0).maxCoeff(&most);
      CHECK(std::ranges::max_element(beams, {}, &figure::Light::Beam::intensity)->column == most);
      for (const figure::Light::Beam& beam : beams) {
        CHECK(beam.to.x == doctest::Approx(bar(beam.column).centre().x).epsilon(0.01));
        CHECK(beam.to.y < bar(beam.column).y);
      }
      for (int word = 0; word < looks.cols(); ++word) {
        CAPTURE(word);
        if (bar(word).h > 1) CHECK(bar(word).h * unit == doctest::Approx(std::abs(costs(0, word))).epsilon(0.01));
        if (word > 0) CHECK(bar(word).centre().x > bar(word - 1).centre().x + 6);
      }
    }
  }
}

TEST_CASE("sentence: a word that is hidden in its turn, or pointed at, takes from the answer what the trial took") {
  const Trained model;
  for (const char* patch : {"preset=animal", "preset=pronoun"}) {
    const State state = state_of(patch);
    const JobSnapshot made = run(state, model.inputs());
    const Trace trace = compute(state, model.inputs(&made));
    const Matrix& costs = trace.at("erasure").values;
    const int hidden = hidden_in(trace).front();
    const float whole = trace.at(of_place("truth", hidden)).values(0, 0);
    View view{.width = 1208, .height = 590, .place = at("evidence")};
    const auto left = [&] {
      const figure::Figure figure = draw(state, trace, view);
      return figure.find("answer")->rect.w / figure.find("answer.track")->rect.w;
    };
    CHECK(left() == doctest::Approx(whole));
    for (int word = 0; word < costs.cols(); ++word) {
      CAPTURE(word);
      const bool tried = word >= kFirst && word != hidden;
      for (const std::string& id : {word_id(word), figure::cell_id({"erasure", 0, word})}) {
        view.hovered = id;
        CHECK((draw(state, trace, view).find("erasure.card.hidden") != nullptr) == tried);
        CHECK(left() == doctest::Approx(whole + (tried ? costs(0, word) : 0)).epsilon(1e-3));
      }
    }
    view.hovered.clear();
    Eigen::Index most = 0;
    costs.row(0).minCoeff(&most);
    float least = 1;
    for (view.t = 0; view.t < 1; view.t += 0.01F) {
      const figure::Figure figure = draw(state, trace, view);
      least = std::min(least, left());
      const figure::Element* card = figure.find("erasure.card.hidden");
      if (card == nullptr || card->opacity < 1) continue;
      for (int word = 0; word < costs.cols(); ++word)  // bars of words to the right wait
        if (figure.find(figure::cell_id({"erasure", 0, word}))->rect.x > card->rect.right())
          CHECK(figure.find(figure::cell_id({"erasure", 0, word}))->rect.h <= 1);
    }
    CHECK(least == doctest::Approx(whole + costs(0, most)).epsilon(1e-3));
  }
}
