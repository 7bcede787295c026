// Sentence, the step Query and key: products, scores and weights, and the formulas of them.
#include <doctest/doctest.h>

#include <cmath>

#include "io/numbers.h"
#include "unit/scenes/sentence_drawn.h"

using namespace limelight;
using namespace limelight::scenes;
using namespace limelight::scenes::sentence;
using namespace limelight::test::reading;

TEST_CASE("sentence: scores, products and weights of the pinned pair belong together") {
  const Trained model;
  const Trace trace = compute(state_of("preset=fox&query=4&key=2"), model.inputs());
  const Matrix &S = trace.at("S_1.5").values, &P = trace.at("P_1.5").values, &A = trace.at("A_1.5").values;
  CHECK(P.row(2).sum() / std::sqrt(12.F) == doctest::Approx(S(4, 2)).epsilon(1e-4));
  const Matrix e = S.row(4).array().exp();
  CHECK(largest_difference(e / e.sum(), A.row(4)) < 1e-5F);
}

TEST_CASE("sentence: what recipes say of the head that is looked at is what the model made") {
  const Trained model;
  for (const char* patch : {"preset=animal", "preset=fox&query=4&head=2.1", "preset=own&text=Who+saw+the+dog?"}) {
    const State state = state_of(patch);
    const Trace trace = compute(state, model.inputs());
    int computed = 0;
    for (const recipes::Recipe& recipe : recipes_of(state, trace).list) {
      if (recipe.operation == recipes::Operation::given) continue;
      CAPTURE(std::string(recipe.tensor));
      CHECK(largest_difference(recipes::evaluate(recipe, trace), trace.at(recipe.tensor).values) < 1e-4F);
      ++computed;
    }
    CHECK(computed == 3);
  }
}

TEST_CASE("sentence: the formulas of query and key, and of a head that is off, have the numbers of the trace") {
  const Trained model;
  const State state = state_of("preset=pronoun&query=6&key=4");
  const JobSnapshot made = run(state, model.inputs());
  const Trace trace = compute(state, model.inputs(&made));
  const auto formula = [&](std::string_view step, std::size_t line) {
    return figure::plain(inspect(state, trace, {.place = at(step)}, "")->lines.at(line));
  };
  const auto ends = [](const std::string& text, float value) {
    CHECK_MESSAGE(text.ends_with(io::format_fixed(static_cast<double>(value), 3)), text);
  };
  const HeadPlace head = chosen_head(state, 3, 8);
  ends(formula("pair", 0), trace.at(of_head("S", head.layer, head.head)).values(6, 4));
  ends(formula("pair", 1), trace.at(of_head("A", head.layer, head.head)).values(6, 4));
  ends(formula("off", 1), trace.at("importance").values.minCoeff());
}

TEST_CASE("sentence: of query and key q stands over K, number over number, in the colours of their roles") {
  const Trained model;
  const State state = state_of("preset=animal");
  const Trace trace = compute(state, model.inputs());
  for (const float width : {1208.F, 700.F, 390.F, 320.F}) {
    CAPTURE(width);
    const figure::Figure figure = draw(state, trace, View{.width = width, .height = 568, .place = at("pair")});
    const figure::Element *q = figure.find("q_3.2"), *K = figure.find("K_3.2"), *P = figure.find("P_3.2");
    REQUIRE((q != nullptr && K != nullptr && P != nullptr));
    CHECK(q->rect.x == doctest::Approx(K->rect.x));
    CHECK(q->rect.w == doctest::Approx(K->rect.w));
    CHECK(q->rect.bottom() <= K->rect.y);
    CHECK(P->rect.x >= K->rect.right());
    CHECK(P->rect.y == K->rect.y);
    const figure::Palette& colours = figure::palette(figure::Theme::light);
    CHECK(std::get<figure::MatrixCells>(q->shape).tint == colours.query_fill);
    CHECK(std::get<figure::MatrixCells>(K->shape).tint == colours.key_fill);
    for (int row = 0; row < trace.at("K_3.2").rows(); ++row) {
      const figure::Element* share = figure.find(figure::cell_id({"a_3.2", row, 0}));
      REQUIRE(share != nullptr);
      CHECK(share->rect.right() <= width);
      CHECK(share->rect.centre().y > K->rect.y);
      CHECK(share->rect.centre().y < K->rect.bottom());
    }
  }
}

TEST_CASE("sentence: a query meets a key, then come the products one by one, then their sum, and last the light") {
  const Trained model;
  const State state = state_of("preset=animal");
  const Trace trace = compute(state, model.inputs());
  const int key = state.key, size = trace.at("K_3.2").columns();
  const auto at_t = [&](float t) {
    return draw(state, trace, View{.width = 1208, .height = 568, .place = at("pair"), .t = t});
  };
  const figure::Figure rest = at_t(1);
  const figure::Rect products = rest.find("P_3.2.row")->rect;
  const figure::Element* whole_sum = rest.find(figure::cell_id({"s_3.2", key, 0}));
  for (float t = 0; t < 1; t += 0.02F) {
    CAPTURE(t);
    const figure::Figure figure = at_t(t);
    const figure::Rect q = figure.find("q_3.2.meets")->rect;
    int there = 0;
    for (int i = 0; i < size; ++i) {
      const figure::Element* number = figure.find("P_3.2.number." + std::to_string(i));
      if (number == nullptr) continue;
      CHECK(q.y == doctest::Approx(products.y));  // it is where they will be
      if (number->rect.x < products.x + products.w / static_cast<float>(size) * static_cast<float>(i) - 0.5F) continue;
      CHECK(there++ == i);
    }
    const figure::Element* sum = figure.find(figure::cell_id({"s_3.2", key, 0}));
    if (sum->rect.w > 1) CHECK(there == size);
    const auto& light = std::get<figure::Light>(figure.find("pair.light")->shape);
    if (light.beams[static_cast<std::size_t>(key)].intensity > 0) {
      CHECK(sum->rect.w == doctest::Approx(whole_sum->rect.w));
      CHECK(figure.find("P_3.2")->clip.value_or(rest.find("P_3.2")->rect).h ==
            doctest::Approx(rest.find("P_3.2")->rect.h));
    }
  }
}
