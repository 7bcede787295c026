// Sentence: a trained transformer read in the scene, and what is made of its weights.
#include <doctest/doctest.h>

#include <cmath>
#include <iterator>

#include "app/app.h"
#include "core/analysis.h"
#include "core/likeness.h"
#include "io/numbers.h"
#include "learn/encoder_reading.h"
#include "scenes/moment.h"
#include "scenes/place.h"
#include "scenes/sentence/parts.h"
#include "scenes/sentence/read.h"
#include "scenes/sentence/runs.h"
#include "scenes/sentence/sentence.h"
#include "unit/models.h"

using namespace limelight;
using namespace limelight::scenes;
using namespace limelight::scenes::sentence;

namespace {

const trained::Encoder& encoder() {
  static const trained::Encoder made = [] {
    Result<std::any> read = trained::kEncoder.read(test::model_bytes("sentence.safetensors"), "sentence.safetensors");
    REQUIRE(read);
    return *std::any_cast<trained::Encoder>(&*read);
  }();
  return made;
}

struct Trained {
  std::map<std::string, std::any, std::less<>> resources{{std::string(trained::kEncoder.name), encoder()}};
  [[nodiscard]] Inputs inputs(const JobSnapshot* job = nullptr) const { return {.job = job, .resources = &resources}; }
};

State state_of(const char* patch) {
  State state;
  const SceneDef& scene = *find("sentence");
  std::any held = state;
  const Result<io::Patch> parsed = io::parse_patch(patch);
  REQUIRE(parsed);
  const Result<void> changed = scene.change(held, *parsed);
  REQUIRE_MESSAGE(changed, changed.error().message);
  return state_in<State>(held);
}

std::string refusal_of(const char* patch) {
  std::any held = State{};
  const Result<void> changed = find("sentence")->change(held, *io::parse_patch(patch));
  REQUIRE_FALSE(changed);
  return changed.error().message;
}

JobSnapshot run(const State& state, const Inputs& inputs) {
  const std::unique_ptr<Job> made = job(state, inputs);
  REQUIRE(made);
  while (!made->snapshot.finished()) made->step(made->snapshot);
  return made->snapshot;
}

float largest_difference(const Matrix& a, const Matrix& b) { return (a - b).cwiseAbs().maxCoeff(); }

Place at(std::string_view step) { return {number_of(steps(), step), 0}; }

// Whether it has such a text.
bool has(const figure::Figure& figure, std::string_view id) {
  return std::ranges::any_of(figure.elements, [&](const auto& element) { return element.id.starts_with(id); });
}

}  // namespace

TEST_CASE("sentence: the scene reads as the encoder that was trained does, unknown words and hidden ones, too") {
  Reader reader(encoder());
  for (const char* text : {"The animal did not cross the street because [MASK] was too tired.", "A blick sat.",
                           "Anna fed the dogs because they were [MASK]."}) {
    const auto words = learn::english::read(text);
    REQUIRE(words);
    const learn::sentences::Reading expected = learn::sentences::read(*encoder(), *words, kGuesses);
    Result<std::vector<Token>> tokens = reader.tokens(text);
    REQUIRE(tokens);
    Task task{.tokens = *tokens, .hidden = {}, .off = {}};
    for (int i = 0; i < std::ssize(*tokens); ++i)
      if ((*tokens)[static_cast<std::size_t>(i)].text == "[MASK]") task.hidden.push_back(i);
    const Reading reading = reader.read(task);
    std::size_t at = 0;
    float apart = 0;
    for (const BlockSteps& block : reading.blocks)
      for (const Matrix& weights : block.weights)
        for (Eigen::Index i = 0; i < weights.size(); ++i)
          apart = std::max(apart, std::abs(weights.data()[i] - expected.weights.data[at++]));
    CHECK(at == expected.weights.data.size());
    CHECK(apart < 1e-5F);
    REQUIRE(reading.guesses.size() == expected.guesses.size());
    for (std::size_t i = 0; i < expected.guesses.size(); ++i) {
      CHECK(reading.guesses[i].words == expected.guesses[i].words);
      CHECK(reading.guesses[i].probabilities[0] == doctest::Approx(expected.guesses[i].probabilities[0]).epsilon(1e-4));
    }
    CHECK(std::ranges::count_if(*tokens, [](const Token& token) { return !token.known; }) ==
          std::ssize(expected.unknown));
  }
}

TEST_CASE("sentence: rollout is the product of the layers, each half itself, and its rows sum to 1") {
  Random random(3);
  std::vector<Matrix> means;
  for (int layer = 0; layer < 3; ++layer) {
    Matrix weights(5, 5);
    for (Eigen::Index i = 0; i < weights.size(); ++i) weights.data()[i] = static_cast<float>(random.uniform()) + 0.01F;
    for (int i = 0; i < 5; ++i) weights.row(i) /= weights.row(i).sum();
    means.push_back(weights);
  }
  Matrix all = Matrix::Identity(5, 5);
  for (int top = 0; top < 3; ++top) {
    all = (0.5F * (means[static_cast<std::size_t>(top)] + Matrix::Identity(5, 5)) * all).eval();
    for (int query = 0; query < 5; ++query) {
      const Matrix rows = rollout(means, query);
      CHECK(largest_difference(rows.row(top), all.row(query)) < 1e-6F);
      CHECK(rows.row(top).sum() == doctest::Approx(1));
    }
  }
}

TEST_CASE("sentence: what a head does is told from where its weight goes") {
  const std::vector<std::string> words{"the", "cat", "saw", "The"};
  const auto only = [&](auto to) {
    Matrix weights = Matrix::Zero(4, 4);
    for (int i = 0; i < 4; ++i) weights(i, to(i)) = 1;
    return kinds_of(weights, words, words);
  };
  CHECK(only([](int i) { return i; })[itself] == 1);
  CHECK(only([](int) { return 0; })[first] == 1);
  CHECK(only([](int i) { return std::max(i - 1, 0); })[previous] == doctest::Approx(0.75));
  CHECK(only([](int i) { return std::min(i + 1, 3); })[next] == doctest::Approx(0.75));
  CHECK(only([](int i) { return i == 3 ? 0 : i == 0 ? 3 : i; })[same] == doctest::Approx(0.5));
  CHECK(only([](int i) { return i; })[kinds] == 0);
  CHECK(kinds_of(Matrix::Constant(4, 4, 0.25F), words, words)[kinds] == doctest::Approx(1));
}

TEST_CASE("sentence: clustering puts those next to each other that are alike") {
  // 0, 2 and 4 are alike, 1 and 3 are, and the two groups are not.
  Matrix distances(5, 5);
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 5; ++j) distances(i, j) = i == j ? 0 : i % 2 == j % 2 ? 0.1F : 0.9F;
  const std::vector<int> order = cluster(distances);
  REQUIRE(order.size() == 5);
  int changes = 0;
  for (std::size_t i = 1; i < order.size(); ++i) changes += order[i] % 2 != order[i - 1] % 2 ? 1 : 0;
  CHECK(changes == 1);
}

TEST_CASE("sentence: a large map keeps the largest weight of each square") {
  Matrix weights = Matrix::Zero(100, 100);
  weights(99, 0) = 0.5F;
  weights(50, 73) = 0.7F;
  const Matrix small = pooled(weights, 10);
  CHECK(small.rows() == 10);
  CHECK(small(9, 0) == 0.5F);
  CHECK(small(5, 7) == 0.7F);
  CHECK(small.sum() == doctest::Approx(1.2));
  CHECK(pooled(weights, 100) == weights);
}

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

namespace {

// The place where most of a light falls.
figure::Point brightest_end(const figure::Figure& figure) {
  const figure::Element* element = figure.find(kLightId);
  REQUIRE(element);
  const auto& beams = std::get<figure::Light>(element->shape).beams;
  REQUIRE_FALSE(beams.empty());
  return std::ranges::max_element(beams, {}, &figure::Light::Beam::half_to)->to;
}

figure::Point middle_of(const figure::Figure& figure, std::string_view id) {
  const figure::Element* element = figure.find(id);
  REQUIRE_MESSAGE(element, id);
  return element->rect.centre();
}

}  // namespace

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

TEST_CASE("sentence: no moment between two steps is empty, and the words stay all the way") {
  const Trained model;
  const State state = state_of("preset=animal");
  const JobSnapshot made = run(state, model.inputs());
  const Trace trace = compute(state, model.inputs(&made));
  const auto seen = [](const figure::Figure& figure) {
    float sum = 0;
    for (const figure::Element& element : figure.elements)
      if (!std::holds_alternative<std::monostate>(element.shape)) sum += element.opacity;
    return sum;
  };
  for (std::size_t step = 2; step <= steps().size(); ++step)
    for (const auto& [width, height] : {std::pair(1208.F, 568.F), std::pair(390.F, 500.F)}) {
      const auto at_t = [&](float t) {
        return draw_moment(*find("sentence"), state, trace,
                           {.width = width, .height = height, .place = {static_cast<int>(step), 0}, .t = t});
      };
      const float least = 0.3F * std::min(seen(at_t(0)), seen(at_t(1)));
      for (float t = 0.05F; t < 1; t += 0.05F) {
        CAPTURE(step);
        CAPTURE(width);
        CAPTURE(t);
        const figure::Figure figure = at_t(t);
        CHECK(seen(figure) > least);
        if (width < 640) continue;  // there words turn upright
        for (const int word : {1, kAnimal, kStreet}) {
          const figure::Element* text = figure.find(word_id(word) + ".text");
          REQUIRE(text != nullptr);
          CHECK(text->opacity > 0.9F);
        }
      }
    }
}

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

TEST_CASE("sentence: what the figure's chips set is accepted") {
  const Trained model;
  const State plain = state_of("preset=pronoun&instead=kind");
  const Trace trace = compute(plain, model.inputs());
  State state = plain;
  state.own = "mine";  // whose experiments wait for a press
  for (int step = 1; step <= static_cast<int>(steps().size()); ++step)
    for (const figure::Element& element : draw(state, trace, View{.place = {step, 0}}).elements) {
      // The lamp sets what it is dragged to.
      if (!element.edit || element.edit->field == "do" || element.edit->field == "step" || element.id == kLampId)
        continue;
      std::any held = plain;
      const Result<void> set = find("sentence")->change(held, {{element.edit->field, element.edit->value}});
      CHECK_MESSAGE(set, element.id);
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

TEST_CASE("sentence: before a step's motion has shown it, no narration tells what comes out") {
  const Trained model;
  for (const char* patch : {"preset=animal", "preset=agreement", "preset=pronoun"}) {
    const State state = state_of(patch);
    const JobSnapshot made = run(state, model.inputs());
    const Trace trace = compute(state, model.inputs(&made));
    for (const char* step : {"words", "swap", "head", "heads", "pair", "evidence"}) {
      CAPTURE(step);
      const std::string asks = narrate(state, trace, {.place = at(step), .t = 0.5F}),
                        told = narrate(state, trace, {.place = at(step), .t = 1});
      CHECK(asks.contains("…"));
      CHECK_FALSE(asks.contains("%"));
      CHECK(told.size() > asks.size());
      CHECK(told.size() < 420);
    }
  }
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

TEST_CASE("sentence: every step of every example says and shows something, also while the model is not there") {
  const Trained model;
  for (const io::Choice& preset : kPresets) {
    const std::string patch =
        "preset=" + std::string(preset.value) + (preset.value == "own" ? "&text=The+dog+that+I+saw+is+kind." : "");
    const State state = state_of(patch.c_str());
    const std::unique_ptr<Job> tries = job(state, model.inputs());
    std::optional<JobSnapshot> made;
    if (tries) made = run(state, model.inputs());
    for (const Inputs& inputs : {model.inputs(), model.inputs(made ? &*made : nullptr), Inputs{}}) {
      const Trace trace = compute(state, inputs);
      for (int step = 1; step <= static_cast<int>(steps().size()); ++step)
        for (const float width : {360.F, 900.F}) {
          const View view{.width = width, .height = 640, .place = {step, 0}};
          const figure::Figure figure = draw(state, trace, view);
          CHECK(figure.elements.size() > 0);
          CHECK_FALSE(narrate(state, trace, view).empty());
          const std::optional<Inspection> formula = inspect(state, trace, view, "");
          REQUIRE(formula.has_value() == (trace.find("kinds") != nullptr));
          if (formula) CHECK_FALSE((formula->title.empty() || formula->lines.empty() || formula->note.empty()));
          for (const figure::Element& element : figure.elements)
            if (element.source && trace.cell(element.source->tensor, element.source->row, element.source->column))
              CHECK_MESSAGE(inspect(state, trace, view, figure::cell_id(*element.source)), element.id);
        }
    }
  }
}

TEST_CASE("sentence: what cannot be read is refused in a sentence") {
  CHECK(refusal_of("text=") == "The sentence has no words; type at least one.");
  CHECK(refusal_of("head=3").find("\"3.2\"") != std::string::npos);
  CHECK(refusal_of("head=0.1").find("from 1") != std::string::npos);
  CHECK(refusal_of("hidden=1.3:1").find("hidden") != std::string::npos);
  std::string many = "text=";
  for (int i = 0; i < 30; ++i) many += "cat+";
  CHECK(refusal_of(many.c_str()).find("24") != std::string::npos);
  const Trained model;
  const Trace two = compute(state_of("instead=two+words"), model.inputs());
  CHECK(two.find("moved") == nullptr);
  CHECK(two.at("swap_refused").row_labels[0].find("one word") != std::string::npos);
}

TEST_CASE("sentence: weights alone have their views, and say what they lack") {
  auto own = std::make_shared<OwnWeights>();
  own->label = "mine";
  own->layers = 2;
  own->heads = 3;
  own->queries = own->keys = {"a", "b", "c"};
  for (int i = 0; i < 6; ++i) own->weights.push_back(Matrix::Constant(3, 3, 1.F / 3));
  const std::map<std::string, Own, std::less<>> all{{"mine", std::shared_ptr<const OwnWeights>(own)}};
  State state;
  state.preset = Preset::own;
  state.own = "mine";
  const JobSnapshot made = run(state, {.own = &all});
  const Trace trace = compute(state, {.job = &made, .own = &all});
  CHECK(trace.at("rollout").rows() == 2);
  CHECK(trace.at("kinds").values(0, kinds) == doctest::Approx(1));
  for (int step = 1; step <= static_cast<int>(steps().size()); ++step) {
    const View view{.width = 800, .height = 640, .place = {step, 0}};
    const figure::Figure figure = draw(state, trace, view);
    CHECK(has(figure, "without") == (step <= 2 || step >= 6));
    // Given at a step that lacks the model, they are shown in another one.
    const io::Patch given = shown_own(std::shared_ptr<const OwnWeights>(own), step);
    CHECK(has(figure, "without") == io::names(given, "step"));
    CHECK_FALSE(inspect(state, trace, view, "")->lines.empty());
  }
  state.own = "another";
  CHECK(has(draw(state, compute(state, {.own = &all}), View{}), "away"));
}

TEST_CASE("sentence: the text view has the numbers that stand behind switches, and no pictures of the heads") {
  const Trained model;
  const State state = state_of("preset=pronoun");
  const JobSnapshot made = run(state, model.inputs());
  const Trace trace = compute(state, model.inputs(&made));
  const auto labelled = [&](int step, std::string_view tensor) {
    const figure::Figure figure = draw(state, trace, View{.width = 900, .height = 640, .place = {step, 0}});
    return std::ranges::any_of(figure.elements, [&](const figure::Element& element) {
      const auto* map = std::get_if<figure::Heatmap>(&element.shape);
      const bool shows = map != nullptr
                             ? map->range.tensor == tensor
                             : element.role == figure::Role::cell && element.source && element.source->tensor == tensor;
      return shows && !element.label.empty();
    });
  };
  CHECK(labelled(7, "importance"));
  CHECK(labelled(number_of(steps(), "head"), "A_3.6"));
  CHECK_FALSE(labelled(number_of(steps(), "heads"), "G_1.1"));
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
