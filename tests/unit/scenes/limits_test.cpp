// What holds for Limits' numbers: weights that the output does not tell, sums that only the right axis makes 1, and
// every claim's numbers from another computation.
#include <doctest/doctest.h>

#include <any>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "app/app.h"
#include "app/input.h"
#include "app/page.h"
#include "core/attention.h"
#include "embedded/golden_limits.h"
#include "figure/figure.h"
#include "io/numbers.h"
#include "scenes/common/explain.h"
#include "scenes/limits/limits.h"
#include "unit/fonts.h"
#include "unit/json_reader.h"
#include "unit/scenes/sentences.h"

using namespace limelight;
using namespace limelight::scenes;
using limits::Claim;
using limits::Preset;
using limits::State;
using test::check_refused;

namespace {

constexpr Preset kAll[] = {Preset::review, Preset::sequence, Preset::day1, Preset::coffee};
using Doubles = MatrixOf<double>;

const SceneDef& scene() { return *find("limits"); }

State preset(Preset which) {
  State state;
  state.preset = which;
  return state.example();
}

State with(State state, const io::Patch& patch) {
  std::any any = std::move(state);
  REQUIRE(scene().change(any, patch));
  return state_in<State>(any);
}

Trace trace_of(const State& state) { return limits::compute(state, {}); }

Doubles exact(const Trace& trace, std::string_view name) { return trace.at(name).values.cast<double>(); }
double at(const Trace& trace, std::string_view name, int i = 0, int j = 0) {
  return static_cast<double>(trace.at(name).values(i, j));
}

// What single precision keeps of a number of this size, times the few operations that it went through.
void check_near(double value, double expected) {
  CHECK(std::abs(value - expected) <= 1e-6 * std::max(1., std::abs(expected)));
}

double apart(const Doubles& a, const Doubles& b) { return (a - b).cwiseAbs().maxCoeff(); }

// By the definition, one exponential at a time.
Doubles softmax(const Doubles& scores) {
  Doubles weights = scores.unaryExpr([](double s) { return std::exp(s); });
  for (auto row : weights.rowwise()) row /= row.sum();
  return weights;
}

const View kViews[] = {{.width = 756, .height = 592}, {.width = 390, .height = 500}, {.width = 720, .height = 420},
                       {.width = 320, .height = 460}, {.width = 844, .height = 150}, {.width = 320, .height = 230},
                       {.width = 1200, .height = 800}};

}  // namespace

TEST_CASE("limits: every number of the four examples is NumPy's") {
  const test::Json file = test::JsonReader(embedded::golden_limits).read();
  REQUIRE(file.names.size() == 4);
  constexpr std::pair<const char*, Preset> presets[] = {
      {"review", Preset::review}, {"sequence", Preset::sequence}, {"day1", Preset::day1}, {"coffee", Preset::coffee}};
  for (const auto& [part, which] : presets) {
    const Trace trace = trace_of(preset(which));
    for (const std::string& name : file.at(part).names) {
      CAPTURE(part);
      CAPTURE(name);
      const std::vector<double> expected = file.at(part).at(name).at("data").numbers();
      const Matrix& values = trace.at(name).values;
      REQUIRE(expected.size() == static_cast<std::size_t>(values.size()));
      for (std::size_t i = 0; i < expected.size(); ++i) check_near(static_cast<double>(values.data()[i]), expected[i]);
    }
  }
}

TEST_CASE("limits: from low to high temperature the entropy rises from one key's to that of all") {
  for (const Preset which : kAll) {
    const Trace trace = trace_of(preset(which));
    const Matrix& course = trace.at("course").values;
    const double n = trace.at("a").columns();
    for (int i = 1; i < limits::kCourse; ++i) {
      CHECK(course(limits::Spread::entropy, i) >= course(limits::Spread::entropy, i - 1));
      CHECK(course(limits::Spread::largest, i) <= course(limits::Spread::largest, i - 1) + 1e-6F);
    }
    CHECK(at(trace, "course", limits::Spread::effective, limits::kCourse - 1) > 0.99 * n);
    CHECK(course.row(limits::Spread::effective).maxCoeff() <= static_cast<float>(n) * 1.000001F);
    double before = -1;
    for (const char* temperature : {"0.05", "0.2", "1", "3", "20"}) {
      const Trace there = trace_of(with(preset(which), {{"temperature", temperature}}));
      CHECK(at(there, "spread", 0, limits::Spread::entropy) > before);
      before = at(there, "spread", 0, limits::Spread::entropy);
      check_near(at(there, "spread", 0, limits::Spread::effective), std::exp(before));
    }
  }
  const Trace cold = trace_of(with(preset(Preset::review), {{"temperature", "0.05"}}));
  CHECK(at(cold, "spread", 0, limits::Spread::effective) < 1.001);
}

TEST_CASE("limits: raising all scores alike changes no weight; sigmoids go from none to all") {
  for (const Preset which : kAll) {
    const Trace plain = trace_of(preset(which));
    const double n = plain.at("a").columns();
    double before = 0;
    for (const char* added : {"-8", "-2", "0", "4", "8"}) {
      const Trace trace = trace_of(with(preset(which), {{"raise", added}}));
      CHECK(apart(exact(trace, "softmax_raised"), exact(plain, "a")) < 1e-6);
      check_near(at(trace, "raised_sums", 0, 0), 1);
      check_near(at(trace, "raised_sums", 0, 1), 1 / n);
      check_near(at(trace, "raised_sums", 1, 0), exact(trace, "sigmoid").sum());
      CHECK(at(trace, "raised_sums", 1, 0) > before);
      before = at(trace, "raised_sums", 1, 0);
    }
    CHECK(before > 0.9 * n);
  }
}

TEST_CASE("limits: along the slider every row is one of weights, and its output is the same") {
  for (const Preset which : kAll)
    for (int query = 0; query <= static_cast<int>(preset(which).last_query()); ++query)
      for (int key = 0; key <= static_cast<int>(preset(which).last_key()); ++key)
        for (const char* move : {"-1", "-0.4", "0", "0.3", "1"}) {
          const State state =
              with(preset(which), {{"query", std::to_string(query)}, {"key", std::to_string(key)}, {"move", move}});
          const Trace trace = trace_of(state);
          const Doubles a = exact(trace, "a"), other = exact(trace, "a_other"), V = exact(trace, "V");
          CAPTURE(query);
          CAPTURE(key);
          CAPTURE(move);
          CHECK(other.minCoeff() >= 0);
          check_near(other.sum(), 1);
          const Doubles y = a * V, y_other = other * V;
          for (Eigen::Index j = 0; j < y.cols(); ++j) check_near(y_other(0, j), y(0, j));
          CHECK(at(trace, "apart") < 1e-12);
          if (std::string(move) == "0") CHECK(apart(a, other) == 0);
          // As far as it goes: some weight is 0.
          if (std::abs(state.move) == 1 && at(trace, "moved") > 0) CHECK(other.minCoeff() < 1e-7);
        }
}

TEST_CASE("limits: with the same output, the key that had most can have nothing") {
  const Trace review = trace_of(preset(Preset::review)), day1 = trace_of(preset(Preset::day1));
  CHECK(at(review, "a", 0, 4) > 0.5);
  CHECK(at(review, "a_other", 0, 4) < 1e-6);
  CHECK(at(day1, "a", 0, 2) > 0.5);
  CHECK(at(day1, "a_other", 0, 2) < 1e-6);
  CHECK(at(day1, "y", 0, 0) == doctest::Approx(5));
  for (const Preset which : {Preset::review, Preset::sequence, Preset::day1}) {
    const Trace trace = trace_of(preset(which));
    CHECK(apart(exact(trace, "a"), exact(trace, "a_other")) > 0.1);
    CHECK(at(trace, "moved") > 0.1);
  }
}

TEST_CASE("limits: directions are free in the null space alone, and none is left once values have enough numbers") {
  for (const Preset which : kAll) {
    const Trace trace = trace_of(preset(which));
    const Doubles V = exact(trace, "V");
    for (int key = 0; key < static_cast<int>(V.rows()); ++key) {
      const Doubles direction = limits::free_direction(V, key);
      CHECK((direction * V).cwiseAbs().maxCoeff() < 1e-9 * std::max(1., V.cwiseAbs().maxCoeff()));
      CHECK(std::abs(direction.sum()) < 1e-9);
      if (!direction.isZero()) CHECK(direction(0, key) == doctest::Approx(-1));
    }
  }
  CHECK(limits::freedom(exact(trace_of(preset(Preset::review)), "V")) == 3);
  CHECK(limits::freedom(exact(trace_of(preset(Preset::day1)), "V")) == 1);
  CHECK(limits::freedom(exact(trace_of(preset(Preset::coffee)), "V")) == 0);
  for (int size = 1; size <= 16; ++size) {
    const Trace trace = trace_of(with(preset(Preset::sequence), {{"size", std::to_string(size)}}));
    CHECK(at(trace, "freedom") == std::max(0, limits::kPositions - 1 - size));
    CHECK((at(trace, "moved") > 0) == (size < limits::kPositions - 1));
  }
}

TEST_CASE("limits: a changed value changes the output by its weight's share, and no weight") {
  for (const Preset which : kAll)
    for (const char* factor : {"-2", "0", "1", "3"}) {
      const State state = with(preset(which), {{"factor", factor}});
      const Trace trace = trace_of(state), plain = trace_of(preset(which));
      CHECK(trace.at("a").values == plain.at("a").values);
      const int key = limits::chosen_key(state, trace);
      const Doubles expected =
          exact(trace, "y") + (state.factor - 1) * at(trace, "a", 0, key) * exact(trace, "V").row(key);
      for (Eigen::Index j = 0; j < expected.cols(); ++j)
        check_near(at(trace, "outputs_changed", 1, static_cast<int>(j)), expected(0, j));
      check_near(at(trace, "contribution", 1, key), std::abs(state.factor) * at(trace, "contribution", 0, key));
    }
}

TEST_CASE("limits: along the keys the rows sum to 1 and outputs are means; along the queries the columns do") {
  for (const Preset which : kAll) {
    const Trace trace = trace_of(preset(which));
    const Doubles E = exact(trace, "E"), turned = E.transpose(), V = exact(trace, "V");
    const Doubles right = softmax(E), wrong = softmax(turned).transpose();
    CHECK(apart(exact(trace, "A"), right) < 1e-6);
    CHECK(apart(exact(trace, "A_wrong"), wrong) < 1e-6);
    CHECK(trace.at("row_sum").values.isOnes());
    CHECK(trace.at("column_sum_wrong").values.isOnes());
    CHECK((trace.at("row_sum_wrong").values.array() - 1).abs().maxCoeff() > 0.05F);
    // Each key gives 1 in all, whoever asks.
    CHECK(at(trace, "row_sum_wrong") > 0);
    CHECK(trace.at("row_sum_wrong").values.sum() == doctest::Approx(trace.at("A").columns()));
    for (Eigen::Index i = 0; i < E.rows(); ++i)
      for (Eigen::Index j = 0; j < V.cols(); ++j) {
        const double mean = (right * V)(i, j), other = (wrong * V)(i, j);
        CHECK(mean >= V.col(j).minCoeff() - 1e-9);
        CHECK(mean <= V.col(j).maxCoeff() + 1e-9);
        const double beyond = std::max({other - V.col(j).maxCoeff(), V.col(j).minCoeff() - other, 0.});
        check_near(at(trace, "outside", static_cast<int>(i), static_cast<int>(j)), beyond);
      }
  }
}

TEST_CASE("limits, importance: without a key the output is that of attention over the other keys") {
  for (const Preset which : kAll)
    for (int query = 0; query <= static_cast<int>(preset(which).last_query()); ++query) {
      const State state = with(preset(which), {{"query", std::to_string(query)}});
      const Trace trace = trace_of(state);
      const limits::Given from = limits::given(state);
      const Doubles q = from.Q.row(query).cast<double>(), K = from.K.cast<double>(), V = from.V.cast<double>();
      const AttentionOptions options{.scale = from.scale};
      const Doubles y = attend_naive<double>(q, K, V, options);
      for (int j = 0; j < trace.at("a").columns(); ++j) {
        std::vector<int> rest;
        for (int k = 0; k < trace.at("a").columns(); ++k)
          if (k != j) rest.push_back(k);
        const Doubles without = attend_naive<double>(q, K(rest, Eigen::all), V(rest, Eigen::all), options);
        check_near(at(trace, "removal", 0, j), (without - y).norm());
      }
      CHECK(std::abs(at(trace, "agreement")) <= 1);
    }
  // The article's own numbers: the key with the most weight is the one that is not missed at all.
  const Trace day1 = trace_of(preset(Preset::day1));
  CHECK(at(day1, "removal", 0, 2) < 1e-6);
  CHECK(at(day1, "agreement") == doctest::Approx(-1));
}

TEST_CASE("limits, high for all: one query over the wrong axis gives every key 1, and the output is the values' sum") {
  for (const Preset which : kAll) {
    const Trace trace = trace_of(preset(which));
    const int n = trace.at("a").columns();
    for (int j = 0; j < n; ++j) {
      CHECK(at(trace, "one_query", 0, j) == 1);
      check_near(at(trace, "even", 0, j), 1. / n);
    }
    const Doubles sum = exact(trace, "V").colwise().sum();
    for (int j = 0; j < static_cast<int>(sum.cols()); ++j) check_near(at(trace, "one_output", 0, j), sum(0, j));
    // No more than k weights exceed 1/k.
    for (int k = 1; k <= n; ++k) CHECK((trace.at("a").values.array() > 1.000001F / static_cast<float>(k)).count() < k);
  }
}

TEST_CASE("limits, angle: from a length of 2 on the key at 60 degrees wins by dot product, never by cosine") {
  for (const double length : {0.2, 1., 1.9, 2.1, 3., 5.}) {
    State state;
    state.length = length;
    const Trace trace = trace_of(state);
    const Doubles arrows = exact(trace, "arrows");
    check_near(at(trace, "angle_measures", 0, 1), 0);
    CHECK(at(trace, "angle_measures", 1, 1) == doctest::Approx(60).epsilon(1e-5));
    check_near(at(trace, "angle_measures", 1, 0), length);
    for (int i = 0; i < 2; ++i) check_near(at(trace, "angle_measures", i, 3), arrows.row(0).dot(arrows.row(i + 1)));
    CHECK((at(trace, "angle_measures", 1, 3) > at(trace, "angle_measures", 0, 3)) == (length > 2));
    CHECK(at(trace, "angle_measures", 0, 2) > at(trace, "angle_measures", 1, 2));
  }
}

TEST_CASE("limits, 95 %: it takes ln 152 with nine keys, and the article's own example is at 57.6 %") {
  State state;
  const Trace trace = trace_of(state);
  check_near(at(trace, "needed"), std::log(152));
  state.ahead = std::log(152);
  check_near(at(trace_of(state), "ahead_weights", 0, 3), 0.95);
  state.ahead = 2;
  check_near(at(trace_of(state), "ahead_weights", 0, 3), std::exp(2) / (std::exp(2) + 8));
  check_near(at(trace, "example", 0, 0), std::exp(2) / (std::exp(2) + 2 * std::exp(1)));
  CHECK(apart(exact(trace_of(preset(Preset::day1)), "A"), exact(trace, "example")) < 1e-6);
}

TEST_CASE("limits, d squared: all weights are 1/6 to six digits at d = 512, and the output is multiplied for nothing") {
  const Trace trace = trace_of({});
  const Doubles M = exact(trace, "M");
  REQUIRE(M.cols() == 512);
  const Doubles scores = M.row(0) * M.transpose();
  const Doubles right = softmax(Doubles(scores / std::sqrt(512.)));
  for (int j = 0; j < limits::kTokens; ++j) {
    check_near(at(trace, "square_weights", 0, j), right(0, j));
    CHECK(std::abs(at(trace, "square_weights", 1, j) - 1. / 6) < 1e-5);
  }
  CHECK(at(trace, "square_effective", 1, 0) > 5.99999);
  CHECK(at(trace, "square_effective", 0, 0) < 5);
  CHECK(at(trace, "square_output", 0, 2) == doctest::Approx(512. * 512 * at(trace, "square_output", 0, 1)));
  const Trace small = trace_of(with({}, {{"claim", "square"}, {"d", "2"}}));
  CHECK(small.at("M").columns() == 2);
}

TEST_CASE("limits, Q = K: scores are symmetric, and with matrices of their own they are not") {
  const Trace trace = trace_of({});
  const Doubles X = exact(trace, "X");
  const Doubles same = X * X.transpose() / 2;
  const Doubles own = X * exact(trace, "W_q") * (X * exact(trace, "W_k")).transpose() / 2;
  CHECK(apart(exact(trace, "S_same"), same) < 1e-6);
  CHECK(apart(exact(trace, "S_own"), own) < 1e-6);
  CHECK(at(trace, "asymmetry", 0, 0) < 1e-9);
  check_near(at(trace, "asymmetry", 0, 1), apart(own, own.transpose()));
  CHECK(at(trace, "asymmetry", 0, 1) > 0.01);
}

TEST_CASE("limits: the question is answered by the claim that it reveals") {
  for (const Preset which : kAll) {
    const State state = preset(which);
    const std::optional<Question> question = limits::ask(state, trace_of(state));
    REQUIRE(question);
    const State revealed = with(state, question->reveal);
    CHECK(revealed.claim == Claim::high);
    CHECK(limits::ask(revealed, trace_of(revealed))->text == question->text);
  }
}

TEST_CASE("limits: a new query has a key of its own, a new example its own numbers, and edits say so") {
  State state = with({}, {{"key", "2"}});
  CHECK(limits::chosen_key(state, trace_of(state)) == 2);
  state = with(state, {{"query", "0"}});
  CHECK(limits::chosen_key(state, trace_of(state)) == 0);  // "slow", about the staff
  state = with(state, {{"V", "0.1:7"}, {"E", "0.3:2.5"}});
  const Trace trace = trace_of(state);
  CHECK(at(trace, "V", 0, 1) == 7);
  CHECK(at(trace, "E", 0, 3) == 2.5);
  CHECK(limits::provenance(state).find("Edited by you") != std::string::npos);
  state = with(state, {{"preset", "day1"}});
  CHECK(scene().encode(state) == io::Patch{{"preset", "day1"}});
}

TEST_CASE("limits: what cannot be is refused in a sentence, and the state stays") {
  for (const io::Patch& patch :
       {io::Patch{{"temperature", "0"}}, io::Patch{{"temperature", "nan"}}, io::Patch{{"move", "1.5"}},
        io::Patch{{"raise", "inf"}}, io::Patch{{"factor", "-inf"}}, io::Patch{{"query", "3"}}, io::Patch{{"key", "6"}},
        io::Patch{{"key", "-2"}}, io::Patch{{"V", "6.0:1"}}, io::Patch{{"V", "0.2:1"}}, io::Patch{{"E", "0.0:1e9"}},
        io::Patch{{"E", "0.6:1"}}, io::Patch{{"claim", "all"}}, io::Patch{{"d", "1"}}, io::Patch{{"size", "0"}},
        io::Patch{{"length", ""}}}) {
    CAPTURE(patch.front().first);
    CAPTURE(patch.front().second);
    std::any state = scene().initial();
    check_refused(scene().change(state, patch));
    CHECK(scene().encode(state) == scene().encode(scene().initial()));
  }
}

TEST_CASE("limits: at extremes every number is explained to its last digit, and every step is told") {
  REQUIRE(test::load_fonts());
  for (const Preset which : kAll)
    for (const char* patch : {"temperature=0.05&move=-1&factor=-2&raise=8&claim=square&d=2",
                              "temperature=20&move=0.5&factor=3&raise=-8&claim=certain&ahead=8",
                              "V=0.0:0,0.1:0,1.0:0,1.1:0,2.0:0,2.1:0&E=0.0:100,0.1:-100&query=0&claim=importance",
                              "V=0.0:1000,1.0:-1000&claim=angle&length=0.2&key=1", "E=1.0:5,1.1:5,1.2:5&query=1"}) {
      const Result<io::Patch> parsed = io::parse_patch(patch);
      REQUIRE(parsed);
      const State state = with(preset(which), *parsed);
      const Trace trace = trace_of(state);
      CAPTURE(patch);
      for (const Tensor& tensor : trace.tensors) {
        CAPTURE(tensor.name);
        CHECK(tensor.values.allFinite());
        for (int i = 0; i < tensor.rows(); ++i)
          for (int j = 0; j < tensor.columns(); ++j) {
            const std::optional<Inspection> made =
                limits::inspect(state, trace, {}, figure::cell_id({tensor.name, i, j}));
            REQUIRE(made);
            CHECK(made->title.starts_with(tensor.name));
            CHECK(figure::plain(made->lines.back()).ends_with(whole(static_cast<double>(tensor.values(i, j)))));
          }
      }
      for (int step = 1; step <= 6; ++step) {
        const std::string told = limits::narrate(state, trace, {.place = {step, 0}});
        CHECK(told.ends_with('.'));
        CHECK(told.find("nan") == std::string::npos);
      }
      for (const std::string_view name : {"a", "a_other", "softmax_raised", "even"}) {
        CHECK(trace.at(name).values.minCoeff() >= 0);
        CHECK(trace.at(name).values.sum() == doctest::Approx(1));
      }
    }
}

namespace {

struct Box {
  std::string id;
  float left, top, right, bottom;
};

// All words of a figure, but those that stand where arrows do and those in matrices and formulas.
std::vector<Box> boxes_of(const figure::Figure& figure, const Trace& trace) {
  std::vector<Box> boxes;
  for (const figure::Element& element : figure.elements)
    for (const figure::Primitive& primitive : figure::primitives(element, trace)) {
      const auto* text = std::get_if<figure::TextPrimitive>(&primitive.shape);
      if (text == nullptr) continue;
      CAPTURE(element.id);
      CAPTURE(text->text);
      CHECK(text->size >= 9.9F);
      CHECK(text->text.find("…") == std::string::npos);
      if (std::holds_alternative<figure::Text>(element.shape) && !element.id.ends_with(".subscript"))
        CHECK(text->size >= 11);
      if (text->vertical || element.id.starts_with("arrow.")) continue;
      boxes.push_back({element.id + " " + text->text, text->baseline.x, text->baseline.y - 0.7F * text->size,
                       text->baseline.x + text->width, text->baseline.y});
    }
  return boxes;
}

}  // namespace

TEST_CASE("limits: at every size no text is smaller than 11, cut off, or lies on another") {
  REQUIRE(test::load_fonts());
  for (const Preset which : kAll)
    for (const View& size : kViews)
      for (int step = 1; step <= 6; ++step)
        for (int claim = 0; claim < (step == 6 ? 6 : 1); ++claim) {
          View view = size;
          view.place = {step, 0};
          State state = preset(which);
          state.claim = static_cast<Claim>(claim);
          const Trace trace = trace_of(state);
          const std::vector<Box> boxes = boxes_of(limits::draw(state, trace, view), trace);
          for (std::size_t i = 0; i < boxes.size(); ++i)
            for (std::size_t j = i + 1; j < boxes.size(); ++j) {
              const float across = std::min(boxes[i].right, boxes[j].right) - std::max(boxes[i].left, boxes[j].left);
              const float down = std::min(boxes[i].bottom, boxes[j].bottom) - std::max(boxes[i].top, boxes[j].top);
              if (across <= 0.5F || down <= 0.5F) continue;
              CAPTURE(view.width);
              CAPTURE(static_cast<int>(which));
              CAPTURE(step);
              CAPTURE(claim);
              CAPTURE(boxes[i].id);
              CAPTURE(boxes[j].id);
              CHECK(false);
            }
        }
}

TEST_CASE("limits: in a low window the slider and the columns that it changes are seen without scrolling") {
  REQUIRE(test::load_fonts());
  constexpr std::pair<const char*, const char*> of_step[] = {
      {"temperature", "a"}, {"raise", "sigmoid"}, {"move", "a_other"}, {"factor", "contribution"}};
  for (const Preset which : kAll)
    for (const View& size : {View{.width = 844, .height = 150}, View{.width = 320, .height = 230}})
      for (int step = 1; step <= 6; step += step == 4 ? 2 : 1) {
        View view = size;
        view.place = {step, 0};
        const State state = preset(which);
        const figure::Figure drawn = limits::draw(state, trace_of(state), view);
        CAPTURE(static_cast<int>(which));
        CAPTURE(view.width);
        CAPTURE(step);
        // A phone shows the softmax of step 2 first, and the weights of step 6.
        const auto [field, tensor] = step == 6 ? std::pair("", "a") : of_step[step - 1];
        const bool first = view.width > 640 || step != 2;
        const figure::Element* column =
            drawn.find(figure::cell_id({first ? tensor : "softmax_raised", step == 4 ? 1 : 0, 0}));
        REQUIRE(column != nullptr);
        CHECK(column->rect.bottom() <= view.height);
        if (step == 6) continue;
        const figure::Element* slider = drawn.find(std::string("slide.") + field);
        REQUIRE(slider != nullptr);
        CHECK(slider->rect.bottom() <= column->rect.y);
        CHECK(slider->rect.w >= 80);
      }
}

TEST_CASE("limits: in narrow cells no positive weight reads as nothing, and the shown numbers sum to 1") {
  REQUIRE(test::load_fonts());
  for (const Preset which : kAll)
    for (const double temperature : {0.05, 1., 20.}) {
      State state = preset(which);
      state.temperature = temperature;
      const Trace trace = trace_of(state);
      const View view{.width = 390, .height = 500, .place = {5, 0}};
      const figure::Figure drawn = limits::draw(state, trace, view);
      // Three keys, numbered to three digits, leave it no room.
      if (which == Preset::review || which == Preset::sequence) CHECK(drawn.find("A.bar") != nullptr);
      for (const std::string tensor : {"A", "A_wrong"}) {
        const Matrix& A = trace.at(tensor).values;
        for (int i = 0; i < A.rows(); ++i) {
          double sum = 0;
          bool all = true;
          for (int j = 0; j < A.cols(); ++j) {
            const figure::Element* number =
                drawn.find(tensor + ".number" + std::to_string(i) + "." + std::to_string(j));
            all = all && number != nullptr;
            if (number == nullptr) continue;  // wide cells write their own
            const std::string& text = std::get<figure::Text>(number->shape).text;
            CAPTURE(text);
            if (A(i, j) > 0) CHECK(text.find_first_of("123456789≈") != std::string::npos);
            if (text.starts_with('<') || text.starts_with("≈")) continue;
            sum += std::stod(text.starts_with('.') ? "0" + text : text);
          }
          if (all && tensor == "A") CHECK(std::abs(sum - 1) < 0.06);
        }
      }
    }
}

TEST_CASE("limits: the agreement of the rankings is explained by the pairs that make it") {
  const State state = with(preset(Preset::day1), {{"query", "0"}});
  const Trace trace = trace_of(state);
  // Two of the three weights are equal, so that only two pairs are ranked by weight.
  const limits::RankedPairs pairs = limits::ranked_pairs(trace.at("a").values, trace.at("removal").values);
  CHECK(pairs.alike == 2);
  CHECK(pairs.first == 2);
  CHECK(pairs.second == 3);
  CHECK(at(trace, "agreement") == doctest::Approx(2 / std::sqrt(6.)));
  const std::optional<Inspection> made = limits::inspect(state, trace, {}, "agreement[0,0]");
  REQUIRE(made);
  CHECK(figure::plain(made->lines[1]).find("2") != std::string::npos);
  CHECK(figure::plain(made->lines[1]).find("3") != std::string::npos);
}

TEST_CASE("limits: where a claim has numbers of its own, the provenance says so, and what the example is for") {
  for (const Preset which : kAll)
    for (int claim = 0; claim < 6; ++claim) {
      State state = preset(which);
      state.claim = static_cast<Claim>(claim);
      const bool own = claim > 1;
      CHECK(limits::provenance(state).starts_with("Step 6: ") == own);
      CHECK((limits::provenance(state).find(". The other steps: ") != std::string::npos) == own);
    }
}

TEST_CASE("limits: on a desktop every step fits the stage without scrolling") {
  REQUIRE(test::load_fonts());
  for (const Preset which : kAll)
    for (int step = 1; step <= 6; ++step)
      for (int claim = 0; claim < (step == 6 ? 6 : 1); ++claim) {
        State state = preset(which);
        state.claim = static_cast<Claim>(claim);
        CAPTURE(static_cast<int>(which));
        CAPTURE(step);
        CAPTURE(claim);
        CHECK(limits::draw(state, trace_of(state), {.width = 756, .height = 592, .place = {step, 0}}).height <= 592);
      }
}

TEST_CASE("limits: in the page every sentence, control and formula has its place at every size") {
  REQUIRE(test::load_fonts());
  struct Size {
    float width, height;
  };
  for (const Size size : {Size{320, 568}, {390, 844}, {820, 700}, {1280, 800}, {720, 480}})
    for (const char* preset : {"review", "sequence", "day1", "coffee"}) {
      app::App app = app::make_app();
      app.width = size.width;
      app.height = size.height;
      REQUIRE(app::open_link(app, std::string("scene=limits&preset=") + preset));
      for (int step = 1; step <= 6; ++step)
        for (const io::Choice& claim : limits::kClaims) {
          if (step < 6 && claim.value != limits::kClaims[0].value) continue;
          REQUIRE(app::change(app, "step", std::to_string(step)));
          REQUIRE(app::change(app, "claim", std::string(claim.value)));
          CAPTURE(size.width);
          CAPTURE(preset);
          CAPTURE(step);
          CAPTURE(claim.value);
          const app::Page page = app::build_page(app, app::draw_stage(app));
          for (const figure::Element& element : page.figure.elements) {
            CAPTURE(element.id);
            if (element.id.starts_with("shell.narration") && size.height >= 700) {
              CHECK(element.rect.bottom() <= page.regions.narration.bottom() + 0.5F);
              CHECK(std::get<figure::Text>(element.shape).text.find("…") == std::string::npos);
            }
            if (element.role == figure::Role::none || element.role == figure::Role::image) continue;
            CHECK(element.rect.x >= -0.5F);
            CHECK(element.rect.right() <= size.width + 0.5F);
          }
          if (size.width < 1280) continue;
          for (const char* id : {"", "E[0,2]", "a[0,2]", "a_other[0,1]", "direction[0,0]", "outputs[1,0]",
                                 "removal[0,1]", "Y_wrong[1,1]", "square_scores[0,3]", "freedom[0,0]"}) {
            app.pinned = id;
            CAPTURE(id);
            const app::Page pinned = app::build_page(app, app::draw_stage(app));
            CHECK(pinned.inspector_height <= pinned.regions.inspector.h);
          }
          app.pinned = {};
        }
    }
}

TEST_CASE("limits: the slider in the figure sets its field, and a key below the plot is chosen by a click") {
  REQUIRE(test::load_fonts());
  app::App app = app::make_app();
  app.width = 1280;
  app.height = 800;
  REQUIRE(app::open_link(app, "scene=limits&step=3"));
  const auto page = [&] { return app::build_page(app, app::draw_stage(app)); };
  app::Pointer pointer;
  const app::Page before = page();
  const figure::Element* slider = before.figure.find("slide.move");
  REQUIRE(slider != nullptr);
  const figure::Rect track = slider->rect;
  pointer_pressed(app, before, pointer, {track.x + track.w / 2, track.centre().y});
  pointer_moved(app, page(), pointer, {track.x + track.w * 0.75F, track.centre().y});
  pointer_released(app, page(), pointer, {track.x + track.w * 0.75F, track.centre().y});
  CHECK(state_in<State>(app.state).move == doctest::Approx(0.5).epsilon(0.02));
  const app::Page after = page();
  const figure::Element* pick = after.figure.find("plot.a_other.pick0");
  REQUIRE(pick != nullptr);
  const figure::Point middle = pick->rect.centre();
  pointer_pressed(app, after, pointer, middle);
  pointer_released(app, page(), pointer, middle);
  CHECK(state_in<State>(app.state).key == 0);
}
