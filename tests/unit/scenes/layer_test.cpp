// What holds for Layer's numbers: each form is what its formula says, and order means nothing until something makes it.
#include <doctest/doctest.h>

#include <any>
#include <cmath>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "core/layer.h"
#include "figure/formula.h"
#include "io/numbers.h"
#include "scenes/layer/layer.h"
#include "unit/fonts.h"
#include "unit/scenes/sentences.h"

using namespace limelight;
using namespace limelight::scenes;
using layer::Preset;
using layer::Similarity;
using layer::State;
using test::check_refused;

namespace {

constexpr Preset kPresetsOfAll[] = {Preset::video, Preset::phrase, Preset::translate, Preset::own};

State preset(Preset which) {
  State state;
  state.preset = which;
  return state.example();
}

// As the page changes it.
Result<void> change(State& state, const io::Patch& patch) {
  std::any any = state;
  Result<void> changed = find("layer")->change(any, patch);
  state = state_in<State>(any);
  return changed;
}

State with(Preset which, const io::Patch& patch) {
  State state = preset(which);
  REQUIRE(change(state, patch));
  return state;
}

const Matrix& values(const Trace& trace, std::string_view name) { return trace.at(name).values; }
double only(const Trace& trace, std::string_view name) { return static_cast<double>(values(trace, name)(0, 0)); }

// Softmax of each row, by the definition.
Matrix softmax(const Matrix& scores) {
  Matrix weights = scores.unaryExpr([](float x) { return std::exp(x); });
  for (auto row : weights.rowwise()) row /= row.sum();
  return weights;
}

double apart(const Matrix& a, const Matrix& b) { return static_cast<double>((a - b).cwiseAbs().maxCoeff()); }

// Single precision through a softmax and a product of entries below 16.
constexpr double kTight = 1e-5;

}  // namespace

TEST_CASE("layer: one query's similarities, weights and output are those of the seed's formulas, e = q·X / √D") {
  for (const Preset which : kPresetsOfAll) {
    const Trace trace = layer::compute(preset(which), {});
    const Matrix &q = values(trace, "q"), &X = values(trace, "X");
    const Matrix e = q * X.transpose() / std::sqrt(static_cast<float>(X.cols()));
    CHECK(apart(values(trace, "e"), e) < kTight);
    CHECK(apart(values(trace, "a"), softmax(e)) < kTight);
    CHECK(apart(values(trace, "y"), softmax(e) * X) < kTight);
  }
}

TEST_CASE("layer: the numbers of the many are those of the one, row by row, with every similarity") {
  for (const Preset which : kPresetsOfAll)
    for (const io::Choice& similarity : layer::kSimilarities)
      for (int row = 0; row < 3; ++row) {
        const State state =
            with(which, {{"similarity", std::string(similarity.value)}, {"query", std::to_string(row)}});
        const Trace trace = layer::compute(state, {});
        CAPTURE(similarity.value);
        const int at = layer::query_row(state);
        CHECK(apart(values(trace, "E").row(at), values(trace, "e")) < kTight);
        CHECK(apart(values(trace, "A").row(at), values(trace, "a")) < kTight);
        CHECK(apart(values(trace, "Y").row(at), values(trace, "y")) < kTight);
      }
}

TEST_CASE("layer: each similarity is its definition, and general and additive take a query of another size") {
  for (const char* similarity : {"dot", "cosine", "general", "additive"}) {
    CAPTURE(similarity);
    const State state = with(Preset::own, {{"d_x", "5"}, {"d_q", "3"}, {"similarity", similarity}});
    const Trace trace = layer::compute(state, {});
    const Matrix &Q = values(trace, "Q"), &X = values(trace, "X"), &E = values(trace, "E");
    const bool any_size = state.similarity == Similarity::general || state.similarity == Similarity::additive;
    CHECK(Q.cols() == (any_size ? 3 : 5));
    for (Eigen::Index i = 0; i < E.rows(); ++i)
      for (Eigen::Index j = 0; j < E.cols(); ++j) {
        float expected = 0;
        if (state.similarity == Similarity::dot) expected = Q.row(i).dot(X.row(j));
        if (state.similarity == Similarity::cosine)
          expected = Q.row(i).dot(X.row(j)) / (Q.row(i).norm() * X.row(j).norm());
        if (state.similarity == Similarity::general) expected = (Q.row(i) * values(trace, "W_f")).row(0).dot(X.row(j));
        if (state.similarity == Similarity::additive)
          for (Eigen::Index h = 0; h < values(trace, "v_f").rows(); ++h)
            expected += values(trace, "v_f")(h, 0) * std::tanh(Q.row(i).dot(values(trace, "W_1").col(h)) +
                                                               X.row(j).dot(values(trace, "W_2").col(h)));
        CHECK(E(i, j) == doctest::Approx(expected).epsilon(1e-4));
      }
  }
}

TEST_CASE("layer: along the inputs the rows sum to 1; along the wrong axis the columns do, and the rows do not") {
  for (const Preset which : kPresetsOfAll) {
    const Trace right = layer::compute(preset(which), {});
    const Trace wrong = layer::compute(with(which, {{"wrong_axis", "on"}}), {});
    CHECK(values(right, "row_sum").isOnes());
    CHECK(values(wrong, "column_sum").isOnes());
    // Where each query has an input of its own, as in the phrase, hardly.
    CHECK((values(wrong, "row_sum").array() - 1).abs().maxCoeff() > (which == Preset::phrase ? 0.01F : 0.05F));
    CHECK(values(wrong, "row_sum").sum() == doctest::Approx(values(wrong, "X").rows()));
    // The scores are the same; the output is that of the weights that are shown.
    CHECK(values(wrong, "E") == values(right, "E"));
    CHECK(apart(values(wrong, "Y"), values(wrong, "A") * values(wrong, "X")) < kTight);
  }
}

TEST_CASE("layer: keys, values, self- and cross-attention are their formulas, at unequal sizes") {
  for (const auto& [d_x, d_q, d_v] : {std::tuple{6, 4, 3}, std::tuple{5, 7, 1}, std::tuple{2, 2, 9}}) {
    const State state = with(Preset::own, {{"d_x", std::to_string(d_x)},
                                           {"d_q", std::to_string(d_q)},
                                           {"d_v", std::to_string(d_v)},
                                           {"matrices", "random"}});
    const Trace trace = layer::compute(state, {});
    const Matrix &X = values(trace, "X"), &Z = values(trace, "Z");
    const Matrix K = X * values(trace, "W_K"), V = X * values(trace, "W_V");
    CHECK(apart(values(trace, "K"), K) < kTight);
    CHECK(apart(values(trace, "V"), V) < kTight);
    const auto attended = [&](const Matrix& Q) -> Matrix {
      return softmax(Q * K.transpose() / std::sqrt(static_cast<float>(d_q))) * V;
    };
    CHECK(apart(values(trace, "Y_kv"), attended(values(trace, "Q_given"))) < kTight);
    CHECK(apart(values(trace, "Y_self"), attended(X * values(trace, "W_Q"))) < kTight);
    CHECK(apart(values(trace, "Y_cross"), attended(Z * values(trace, "W_Q"))) < kTight);
    CHECK(values(trace, "Y_self").rows() == X.rows());
    CHECK(values(trace, "Y_cross").rows() == Z.rows());
    CHECK(values(trace, "Y_cross").cols() == d_v);
  }
}

TEST_CASE("layer: in the video search each query finds its video, and gets minutes and laughs between all videos'") {
  const Trace trace = layer::compute(State{}, {});
  const Matrix &A = values(trace, "A_kv"), &V = values(trace, "V"), &Y = values(trace, "Y_kv");
  for (int i = 0; i < 3; ++i) {
    Eigen::Index best = 0;
    A.row(i).maxCoeff(&best);
    CHECK(best == i);
    for (int j = 0; j < 2; ++j) {
      CHECK(Y(i, j) > V.col(j).minCoeff());
      CHECK(Y(i, j) < V.col(j).maxCoeff());
    }
  }
}

TEST_CASE("layer: shuffled inputs give shuffled outputs, to rounding, whatever the order") {
  for (const Preset which : kPresetsOfAll) {
    State state = preset(which);
    const int n = layer::sizes(state).inputs;
    for (int round = 0; round < 12; ++round) {
      state.order = layer::shuffled(state.order, n);
      const Trace trace = layer::compute(state, {});
      CHECK(only(trace, "error") < 1e-5);
      CHECK(apart(values(trace, "Y_new"), values(trace, "Y_moved")) < 1e-5);
      const std::vector<int> to = state.order.of(n);
      for (int i = 0; i < n; ++i)
        CHECK(values(trace, "X_new").row(i) == values(trace, "X").row(to[static_cast<std::size_t>(i)]));
    }
  }
}

TEST_CASE("layer: every encoding and the causal mask notice that two inputs change places") {
  for (const Preset which : kPresetsOfAll) {
    const Trace trace = layer::compute(preset(which), {});
    const Matrix& errors = values(trace, "errors");
    CHECK(errors(0, 0) < 1e-5F);
    for (int i = 1; i < errors.cols(); ++i) {
      CAPTURE(layer::kBreakers[i]);
      CHECK(errors(0, i) > 1e-2F);
    }
    for (int i = 0; i < 4; ++i) {
      const State state = with(which, {{"positions", std::string(layer::kEncodings[i].value)}});
      const Trace shown = layer::compute(state, {});
      CHECK(apart(values(shown, "Y_pos"), values(shown, "Y_moved_pos")) == doctest::Approx(only(shown, "error_pos")));
      // Of all numbers of an output the one that changes most, in whichever way, is compared.
      const auto gaps = (values(shown, "Y_pos") - values(shown, "Y_moved_pos")).cwiseAbs().colwise().maxCoeff().eval();
      CHECK(only(shown, "error_pos") >= errors(0, i) - 1e-5F);
      CHECK((gaps.array() - errors(0, i)).abs().minCoeff() < 1e-4F);
    }
    const Trace causal = layer::compute(with(which, {{"positions", "none"}, {"causal", "on"}}), {});
    CHECK(only(causal, "error_pos") >= errors(0, 4) - 1e-5F);
    CHECK(values(causal, "A_pos")(0, 0) == 1);
  }
}

TEST_CASE("layer: read backwards, the linear bias alone notices nothing, and the question says so") {
  for (const Preset which : kPresetsOfAll) {
    const State state = preset(which);
    const Trace trace = layer::compute(state, {});
    const std::optional<Question> question = layer::ask(state, trace);
    REQUIRE(question);
    CHECK(question->options[static_cast<std::size_t>(question->correct)] == "linear");
    State revealed = state;
    REQUIRE(change(revealed, question->reveal));
    const Matrix errors = layer::compute(revealed, {}).at("errors").values;
    for (int i = 1; i < errors.cols(); ++i) CHECK((errors(0, i) < 1e-5F) == (layer::kBreakers[i] == "linear bias"));
    const std::optional<Question> after = layer::ask(revealed, {});
    REQUIRE(after);
    CHECK(after->correct == question->correct);
    REQUIRE(change(revealed, {{after->back.field, after->back.value}}));
    CHECK(io::write_value(revealed.order) == io::write_value(layer::swapped(layer::sizes(state).inputs)));
  }
}

TEST_CASE("layer: dot products of positions depend on their distance alone") {
  for (const char* encoding : {"sinusoidal", "rotary"}) {
    const Trace trace = layer::compute(with(Preset::video, {{"positions", encoding}}), {});
    const Matrix& P = values(trace, "P");
    const Matrix& dots = values(trace, "P_dot");
    for (Eigen::Index i = 0; i < P.rows(); ++i)
      for (Eigen::Index j = 0; j < P.rows(); ++j)
        CHECK(P.row(i).dot(P.row(j)) == doctest::Approx(dots(0, std::abs(i - j))).epsilon(1e-3));
    CHECK(dots(0, 0) == doctest::Approx(16));  // d / 2 pairs, each of length 1
  }
  const Trace biased = layer::compute(with(Preset::video, {{"positions", "linear_bias"}, {"slope", "0.25"}}), {});
  for (int i = 0; i < layer::kPositions; ++i) CHECK(values(biased, "P_dot")(0, i) == -0.25F * static_cast<float>(i));
}

TEST_CASE("layer: rotary with an odd number of features turns all pairs and leaves the scores of place 0 as they are") {
  const State state = with(Preset::own, {{"d_q", "5"}, {"positions", "rotary"}});
  const Trace trace = layer::compute(state, {});
  CHECK(values(trace, "Q_pos").cols() == 6);
  CHECK(values(trace, "E_pos")(0, 0) == doctest::Approx(values(trace, "E_new")(0, 0)));
  CHECK(only(trace, "error_pos") > 1e-2);
}

TEST_CASE("layer: orders to choose from are permutations, and a shuffle never leaves what was there") {
  for (int n = 1; n <= 24; ++n) {
    io::Order order;
    for (int round = 0; round < 20; ++round) {
      const io::Order next = layer::shuffled(order, n);
      const std::vector<int> places = next.of(n);
      CHECK(std::set<int>(places.begin(), places.end()).size() == static_cast<std::size_t>(n));
      if (n > 2) CHECK(!(next == order));
      order = next;
    }
    for (const io::Order& to : {layer::swapped(n), layer::reversed(n)}) {
      const std::vector<int> places = to.of(n);
      CHECK(std::set<int>(places.begin(), places.end()).size() == static_cast<std::size_t>(n));
    }
  }
}

TEST_CASE("layer: a token is dragged to another place, and a link brings the order back") {
  State state;
  REQUIRE(change(state, {{"order", "0>3"}}));  // the piano class stood first
  CHECK(state.order.places == std::vector<int>{0, 2, 3, 1});
  State again;
  REQUIRE(change(again, find("layer")->encode(state)));
  CHECK(again.order == state.order);
  REQUIRE(test::load_fonts());
  const figure::Figure figure = layer::draw(state, layer::compute(state, {}), {.place = {6, 0}});
  for (int i = 0; i < 4; ++i) {
    const figure::Element* token = figure.find("place." + std::to_string(i));
    REQUIRE(token != nullptr);
    CHECK(token->role == figure::Role::token);
    CHECK(token->edit->field == "order");
    CHECK(token->edit->place == i);
  }
}

TEST_CASE("layer: typing makes the sequences one's own, and the one that was not typed stays") {
  State state = preset(Preset::translate);
  REQUIRE(change(state, {{"text", "one two three"}}));
  CHECK(state.preset == Preset::own);
  CHECK(state.other == "la zone économique européenne");
  CHECK(layer::compute(state, {}).at("A_cross").rows() == 4);
  CHECK(state.order == layer::swapped(3));
  REQUIRE(change(state, {{"other", "who"}}));
  CHECK(state.text == "one two three");
  CHECK(layer::compute(state, {}).at("A_cross").rows() == 1);
  State single;
  REQUIRE(change(single, {{"text", "alone"}}));
  const Trace trace = layer::compute(single, {});
  CHECK(values(trace, "A_self")(0, 0) == 1);
  CHECK(!layer::ask(single, trace));
}

TEST_CASE("layer: what cannot be is refused in a sentence, and the state stays") {
  std::string many;
  for (int i = 0; i <= layer::kMostWords; ++i) many += "word ";
  for (const io::Patch& patch :
       {io::Patch{{"text", " "}}, io::Patch{{"other", ""}}, io::Patch{{"text", many}}, io::Patch{{"other", many}},
        io::Patch{{"text", std::string(3000, 'a')}}, io::Patch{{"d_x", "0"}}, io::Patch{{"d_x", "nan"}},
        io::Patch{{"slope", "inf"}}, io::Patch{{"slope", "-1"}}, io::Patch{{"order", "0,0,1,2"}},
        io::Patch{{"order", "0>99"}}, io::Patch{{"X", "99.0:1"}}, io::Patch{{"W_V", "0.0:inf"}},
        io::Patch{{"positions", "learned"}}, io::Patch{{"similarity", ""}}}) {
    State state = preset(Preset::own);
    const std::string before = io::write_patch(find("layer")->encode(state));
    CAPTURE(patch.front().first);
    CAPTURE(patch.front().second);
    check_refused(change(state, patch));
    CHECK(io::write_patch(find("layer")->encode(state)) == before);
  }
  State video;
  check_refused(change(video, {{"d_x", "7"}}));
}

TEST_CASE("layer: a cell that is set changes its number, in the queries of every step") {
  State state;
  REQUIRE(change(state, {{"Z", "0.1:2.5"}}));
  const Trace trace = layer::compute(state, {});
  for (const char* name : {"q", "Q", "Q_given", "Z"}) CHECK(values(trace, name)(0, 1) == 2.5F);
  CHECK(layer::provenance(state).find("Edited by you") != std::string::npos);
  REQUIRE(test::load_fonts());
  for (const int step : {2, 3, 5})
    for (const figure::Element& element : layer::draw(state, trace, {.place = {step, 0}}).elements)
      if (element.id == "Q" || element.id == "Q_given" || element.id == "Z") {
        REQUIRE(element.edit);
        CHECK(element.edit->field == "Z");
      }
}

TEST_CASE("layer: under every choice each number is explained to its last digit, and each step is told") {
  REQUIRE(test::load_fonts());
  for (const Preset which : kPresetsOfAll)
    for (const char* patch :
         {"similarity=additive&positions=rotary&d_q=5", "similarity=general&positions=linear_bias",
          "similarity=cosine&positions=none&causal=on", "similarity=dot&wrong_axis=on&order=0,1,2,3"}) {
      State state = preset(which);
      Result<io::Patch> parsed = io::parse_patch(patch);
      REQUIRE(parsed);
      if (which == Preset::video) std::erase_if(*parsed, [](const auto& entry) { return entry.first == "d_q"; });
      if (which == Preset::own) std::erase_if(*parsed, [](const auto& entry) { return entry.first == "order"; });
      REQUIRE(change(state, *parsed));
      const Trace trace = layer::compute(state, {});
      CAPTURE(patch);
      for (const Tensor& tensor : trace.tensors)
        for (int i = 0; i < tensor.rows(); ++i)
          for (int j = 0; j < tensor.columns(); ++j) {
            CAPTURE(tensor.name);
            const std::optional<Inspection> made =
                layer::inspect(state, trace, {}, figure::cell_id({tensor.name, i, j}));
            REQUIRE(made);
            const std::size_t mark = made->title.find('_');  // but for W_Q and the like no name of the program
            CHECK((mark == std::string::npos || mark == 1 || made->title.find('[') < mark));
            CHECK(!made->lines.empty());
          }
      for (int step = 1; step <= 8; ++step) {
        const std::string told = layer::narrate(state, trace, {.place = {step, 0}});
        CHECK(told.ends_with('.'));
        CHECK(told.find("nan") == std::string::npos);
        CHECK(layer::draw(state, trace, {.width = 390, .height = 500, .place = {step, 0}}).height > 0);
      }
    }
}

TEST_CASE("layer's phrase: each French word finds the English one that means the same, in every step") {
  const std::vector<std::string> english{"the", "Area", "Economic", "European"};  // by the French ones
  for (const int step : {1, 2, 3, 5}) {
    for (int query = 0; query < 4; ++query) {
      const Trace trace = layer::compute(with(Preset::phrase, {{"query", std::to_string(query)}}), {});
      const Tensor& A = trace.at(step == 1 ? "a" : step == 2 ? "A" : step == 3 ? "A_kv" : "A_cross");
      Eigen::Index best = 0;
      A.values.row(step == 1 ? 0 : query).maxCoeff(&best);
      CHECK(A.column_labels[static_cast<std::size_t>(best)] == english[static_cast<std::size_t>(query)]);
    }
  }
}

TEST_CASE("layer: the words say what a query holds, why one lights itself, and when cross-attention changes nothing") {
  const State state;
  const Trace trace = layer::compute(state, {});
  const auto told = [&](const State& of, int step) {
    return layer::narrate(of, layer::compute(of, {}), {.place = {step, 0}});
  };
  CHECK(told(state, 1).contains("which videos light up?"));
  CHECK(told(state, 1).contains(io::format_fixed(static_cast<double>(values(trace, "y")(0, 5)), 1) + " laughs"));
  Eigen::Index most = 0;
  values(trace, "A_self").row(0).maxCoeff(&most);
  CHECK(most == 0);
  CHECK(told(state, 4).contains("whose key is most like its query"));
  CHECK(told(state, 5).contains("the same answer as before"));
  CHECK_FALSE(told(with(Preset::video, {{"W_Q", "0.0:2"}}), 5).contains("as in Keys"));
  CHECK(told(state, 7).contains("now asks from place 2, not 1"));
  CHECK_FALSE(told(with(Preset::video, {{"order", "0,1,3,2"}}), 7).contains("now asks"));
}
