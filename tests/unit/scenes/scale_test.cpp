#include "scenes/scale/scale.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "embedded/golden_scale.h"
#include "figure/paint.h"
#include "unit/fonts.h"
#include "unit/json_reader.h"

using namespace limelight;
using namespace limelight::scenes;
using namespace limelight::scenes::scale;

namespace {

State sized(int d, int keys = 10) {
  State state;
  state.d = d;
  state.keys = keys;
  return state;
}

double at(const Trace& trace, std::string_view tensor, int row, int column) {
  return static_cast<double>(trace.at(tensor).values(row, column));
}

// ∫ f(x) x^power dx over all x, for an even density: by the trapezoidal rule over ln x.
double moment(int d, int power) {
  constexpr int points = 4000;
  const double first = std::log(1e-14), last = std::log(80 * std::sqrt(d));
  const double pitch = (last - first) / points;
  double sum = 0;
  for (int i = 0; i <= points; ++i) {
    const double x = std::exp(first + i * pitch);
    sum += 2 * dot_density(d, x) * std::pow(x, power) * x * pitch;
  }
  return sum;
}

// K of order n + ½ in closed form: √(π / 2x) e⁻ˣ Σ (n + k)! / (k! (n − k)! (2x)ᵏ) (DLMF 10.49.12).
double log_half_integer_k(int n, double x) {
  double largest = 0;
  std::vector<double> terms;
  for (int k = 0; k <= n; ++k)
    terms.push_back(std::lgamma(n + k + 1.) - std::lgamma(k + 1.) - std::lgamma(n - k + 1.) - k * std::log(2 * x));
  largest = *std::ranges::max_element(terms);
  double sum = 0;
  for (const double term : terms) sum += std::exp(term - largest);
  return std::log(std::numbers::pi / (2 * x)) / 2 - x + largest + std::log(sum);
}

bool close(double value, double expected, double tolerance = 1e-6) {
  return std::abs(value - expected) <= tolerance * std::max(1., std::abs(expected));
}

std::vector<float> sorted(std::vector<float> values) {
  std::ranges::sort(values);
  return values;
}

JobSnapshot finished(const State& state) {
  const std::unique_ptr<Job> work = job(state);
  while (work->advance(1e9)) {
  }
  return work->snapshot;
}

}  // namespace

TEST_CASE("scale: the Bessel function is the closed form at half-integer orders, up to the largest size") {
  for (const int n : {0, 1, 2, 7, 31, 255, 1023, 2047})
    for (const double x : {0.01, 0.5, 3., 40., 700., 9000.}) {
      CAPTURE(n);
      CAPTURE(x);
      CHECK(close(log_bessel_k(n + 0.5, x), log_half_integer_k(n, x), 1e-12));
    }
}

TEST_CASE("scale: the density matches NumPy's quadrature without Bessel functions") {
  const test::Json file = test::JsonReader(embedded::golden_scale).read();
  const std::vector<double> rows = file.at("densities").numbers();
  REQUIRE(rows.size() == 150);
  for (std::size_t i = 0; i < rows.size(); i += 3) {
    CAPTURE(rows[i]);
    CAPTURE(rows[i + 1]);
    CHECK(std::abs(dot_density(static_cast<int>(rows[i]), rows[i + 1]) / rows[i + 2] - 1) < 1e-9);
  }
}

TEST_CASE("scale: the density integrates to 1 and has the variance d, for every size") {
  for (const int d : {1, 2, 3, 4, 5, 8, 63, 64, 512, 1001, 4096}) {
    CAPTURE(d);
    CHECK(std::abs(moment(d, 0) - 1) < 1e-8);
    CHECK(std::abs(moment(d, 2) / d - 1) < 1e-8);
  }
}

TEST_CASE("scale: the density is finite but for one entry at 0, and nearly normal where d is large") {
  CHECK(std::isinf(dot_density(1, 0)));
  CHECK(dot_density(2, 0) == doctest::Approx(0.5));  // Laplace: exp(−|x|) / 2
  CHECK(dot_density(2, -3) == doctest::Approx(std::exp(-3.) / 2));
  for (int d = 2; d <= kMostSize; ++d) REQUIRE(std::isfinite(dot_density(d, 0)));
  for (const double z : {0., 0.7, 1.9, 3.})  // to the first order in 1/d
    CHECK(std::abs(dot_density(4096, 64 * z) - normal_density(64 * z, 64)) < 1.5 / 4096 * normal_density(0, 64));
}

TEST_CASE("scale: gamma draws have their mean and variance") {
  Random random(3);
  constexpr int draws = 40000;
  for (const double shape : {0.5, 1., 2.5, 40.}) {
    double sum = 0, squares = 0;
    for (int i = 0; i < draws; ++i) {
      const double x = draw_gamma(random, shape);
      sum += x;
      squares += x * x;
    }
    const double mean = sum / draws;
    CAPTURE(shape);
    CHECK(std::abs(mean - shape) < 5 * std::sqrt(shape / draws));
    // The variance of a measured variance, with the kurtosis 3 + 6 / shape.
    CHECK(std::abs(squares / draws - mean * mean - shape) < 5 * shape * std::sqrt((2 + 6 / shape) / draws));
  }
}

TEST_CASE("scale: a turned query and its keys are distributed as whole ones") {
  constexpr int keys = 5, draws = 4000;
  const scale::Factors factors{1, 0.5, 0.25, 0.125};
  for (const int d : {1, 2, 4, 5, 6, 24}) {
    Random random(11);
    std::vector<float> whole, turned;
    double whole_apart = 0, turned_apart = 0;
    for (int i = 0; i < draws; ++i) {
      Matrix query(1, d), key(keys, d);
      for (float& x : query.reshaped<Eigen::RowMajor>()) x = static_cast<float>(random.normal());
      for (float& x : key.reshaped<Eigen::RowMajor>()) x = static_cast<float>(random.normal());
      const Turned drawn = draw_turned(random, d, keys);
      whole.push_back(weigh(query * key.transpose(), key, factors, 1).measures(1, Measure::gradient_query));
      turned.push_back(weigh(static_cast<float>(drawn.length) * drawn.key.col(0).transpose(), drawn.key, factors, 1)
                           .measures(1, Measure::gradient_query));
      whole_apart += static_cast<double>((key.row(3) - key.row(4)).squaredNorm()) / draws;
      turned_apart += static_cast<double>((drawn.key.row(3) - drawn.key.row(4)).squaredNorm()) / draws;
    }
    CAPTURE(d);
    // Variance 8 d each; five standard errors.
    CHECK(std::abs(whole_apart - 2 * d) < 5 * std::sqrt(8. * d / draws));
    CHECK(std::abs(turned_apart - 2 * d) < 5 * std::sqrt(8. * d / draws));
    whole = sorted(whole);
    turned = sorted(turned);
    // Shares of 4,000 draws are good to about 0.02 (two samples, more than three standard errors).
    for (const double share : {0.1, 0.5, 0.9}) {
      const double here = quantile(turned, share);
      const auto below = std::ranges::lower_bound(whole, static_cast<float>(here)) - whole.begin();
      CHECK(std::abs(static_cast<double>(below) / draws - share) < 0.035);
    }
  }
}

TEST_CASE("scale: the measured deviation is within sampling error of √d, for any size and spread of the entries") {
  for (const int d : {1, 2, 4, 17, 64, 512, 4096})
    for (const double sigma : {0.5, 1., 3.}) {
      State state = sized(d);
      state.sigma_q = sigma;
      const Trace trace = compute(state, {});
      CAPTURE(d);
      CHECK(close(at(trace, "spread", 0, Spread::expected), sigma * std::sqrt(d)));
      CHECK(std::abs(at(trace, "spread", 0, Spread::measured) - sigma * std::sqrt(d)) <
            4 * at(trace, "spread", 0, Spread::sampling_error));
      // All columns and what lies beyond are all draws.
      const double area = 2 * half_width(state) / kBins * trace.at("histogram").values.cast<double>().sum();
      CHECK(close(area + at(trace, "spread", 0, Spread::beyond), 1));
    }
}

TEST_CASE("scale: pairs drawn whole fill the histogram as the exact density says, column by column") {
  for (const int d : {1, 3, 64}) {
    const State state = sized(d);
    const JobSnapshot snapshot = finished(state);
    const Trace trace = compute(state, {.job = &snapshot});
    const double pairs = at(trace, "spread", 0, Spread::pairs);
    CHECK(pairs == 20000);
    const double width = 2 * half_width(state) / kBins;
    double chi = 0;
    int columns = 0;
    for (int i = 0; i < kBins; ++i) {
      constexpr int parts = 400;  // the midpoint rule, which does not see the singularity at 0 for d = 1
      double share = 0;
      for (int k = 0; k < parts; ++k)
        share += dot_density(d, -half_width(state) + width * (i + (k + 0.5) / parts)) * width / parts;
      const double expected = share * pairs;
      if (expected < 10) continue;
      const double drawn = at(trace, "histogram", 0, i) * pairs * width;
      chi += (drawn - expected) * (drawn - expected) / expected;
      ++columns;
    }
    CAPTURE(d);
    CAPTURE(chi);
    REQUIRE(columns > 10);
    CHECK(chi < columns + 5 * std::sqrt(2. * columns));  // χ² with that many degrees of freedom
  }
}

TEST_CASE("scale: the sum of the products is the score, and its softmax the weights") {
  const State state = sized(64);
  const Trace trace = compute(state, {});
  CHECK(close(at(trace, "running", 0, 63), at(trace, "scores", 0, 0), 1e-5));
  const Matrix& scores = trace.at("scores").values;
  const auto ways = divisors(state.power, state.d);
  for (int way = 0; way < kWays; ++way) {
    double sum = 0;
    for (int j = 0; j < state.keys; ++j)
      sum += std::exp(static_cast<double>(scores(0, j)) / ways[static_cast<std::size_t>(way)]);
    for (int j = 0; j < state.keys; ++j)
      CHECK(close(at(trace, "weights", way, j),
                  std::exp(static_cast<double>(scores(0, j)) / ways[static_cast<std::size_t>(way)]) / sum));
  }
}

TEST_CASE("scale: the more scores are divided, the larger the entropy and the smaller the largest weight") {
  for (const int seed : {1, 2, 3, 4, 5})
    for (const int d : {2, 64, 4096}) {
      State state = sized(d);
      state.seed = seed;
      const Trace trace = compute(state, {});
      constexpr int order[] = {0, 3, 1, 2};  // by their divisors: 1, d^0.25, √d, d
      for (int i = 1; i < kWays; ++i) {
        CHECK(at(trace, "measures", order[i], Measure::entropy) >=
              at(trace, "measures", order[i - 1], Measure::entropy));
        CHECK(at(trace, "measures", order[i], Measure::largest) <=
              at(trace, "measures", order[i - 1], Measure::largest));
      }
      for (int way = 0; way < kWays; ++way)
        CHECK(close(at(trace, "measures", way, Measure::effective),
                    std::exp(at(trace, "measures", way, Measure::entropy)), 1e-5));
    }
}

TEST_CASE("scale: one's own power ½ divides as √d, 0 not at all and 1 by d") {
  State state = sized(100);
  for (const auto& [power, way] : {std::pair{0., 0}, {0.5, 1}, {1., 2}}) {
    state.power = power;
    const Trace trace = compute(state, {});
    CHECK((trace.at("weights").values.row(3) - trace.at("weights").values.row(way)).cwiseAbs().maxCoeff() < 1e-6F);
  }
}

TEST_CASE("scale: without dividing the gradient vanishes as d grows; divided by √d it stays") {
  const JobSnapshot snapshot = finished(sized(64));
  const Trace trace = compute(sized(64), {.job = &snapshot});
  CHECK(at(trace, "trials", 0, 0) == 400);
  const int last = static_cast<int>(curve_sizes(sized(64)).size()) - 1;
  for (const char* curve : {"gradient_score", "gradient_query"}) {
    const double raw = at(trace, curve, Band::median, last), root = at(trace, curve, Band::count + Band::median, last);
    CAPTURE(curve);
    CHECK(raw < 1e-3 * root);
    for (int size = 0; size <= last; ++size) {
      const double there = at(trace, curve, Band::count + Band::median, size);
      CHECK(there > 0.6 * root);
      CHECK(there < 1.6 * root);
      for (int way = 0; way < kWays; ++way) {
        CHECK(at(trace, curve, way * Band::count + Band::low, size) <=
              at(trace, curve, way * Band::count + Band::median, size));
        CHECK(at(trace, curve, way * Band::count + Band::median, size) <=
              at(trace, curve, way * Band::count + Band::high, size));
      }
    }
  }
}

TEST_CASE("scale: the class as written gives every one of 512 features the same weight, to a millionth") {
  for (const int seed : {1, 7, 9999}) {
    State state;
    state.seed = seed;
    const Trace trace = compute(state, {});
    CHECK(std::abs(at(trace, "class", 0, ClassColumn::smallest) - 1 / 512.) < 1e-6);
    CHECK(std::abs(at(trace, "class", 0, ClassColumn::largest) - 1 / 512.) < 1e-6);
    CHECK(close(at(trace, "class", 0, ClassColumn::effective), 512, 1e-5));
    // Divided by √512 alone, each token finds itself.
    const Matrix& weights = trace.at("token_weights").values;
    for (int i = 0; i < kClassTokens; ++i) {
      Eigen::Index best = 0;
      weights.row(i).maxCoeff(&best);
      CHECK(best == i);
      CHECK(weights(i, i) > 2.F / 6);
    }
  }
}

TEST_CASE("scale: the class and its tokens as rows match NumPy") {
  const test::Json file = test::JsonReader(embedded::golden_scale).read();
  const test::Json& golden = file.at("class");
  const Trace trace = compute(State{}, {});
  CHECK(std::abs(at(trace, "class", 0, ClassColumn::smallest) - golden.at("smallest").number) < 1e-9);
  CHECK(std::abs(at(trace, "class", 0, ClassColumn::largest) - golden.at("largest").number) < 1e-9);
  for (const auto& [ours, theirs] : {std::pair{"M", "M"},
                                     {"class_weights", "weights"},
                                     {"class_output", "output"},
                                     {"token_weights", "token_weights"},
                                     {"token_output", "token_output"}}) {
    CAPTURE(ours);
    const Matrix& values = trace.at(ours).values;
    const std::vector<test::Json>& rows = golden.at(theirs).items;
    REQUIRE(!rows.empty());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::vector<double> row = rows[i].numbers();
      for (std::size_t j = 0; j < row.size(); ++j) {
        const double value = values(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
        CHECK(close(value, row[j]));
      }
    }
  }
}

TEST_CASE("scale: the job is seeded, shows what it has on the way, and its slices are short") {
  const State state = sized(32);
  const std::unique_ptr<Job> one = job(state), other = job(state);
  bool early = false;
  while (one->advance(2)) {
    const Trace& results = one->snapshot.results;
    if (results.tensors.empty()) continue;
    early = true;
    CHECK(at(results, "spread", 0, Spread::pairs) <= one->snapshot.done);
    const Trace trace = compute(state, {.job = &one->snapshot});
    CHECK(at(trace, "spread", 0, Spread::pairs) == at(results, "spread", 0, Spread::pairs));
  }
  CHECK(early);
  while (other->advance(1e9)) {
  }
  REQUIRE(one->snapshot.results.tensors.size() == other->snapshot.results.tensors.size());
  for (std::size_t i = 0; i < one->snapshot.results.tensors.size(); ++i)
    CHECK(one->snapshot.results.tensors[i].values == other->snapshot.results.tensors[i].values);
}

TEST_CASE("scale: what cannot be is refused with a sentence, and the state stays") {
  const SceneDef& scene = *find("scale");
  for (const auto& [field, value] : {std::pair{"d", "0"},
                                     {"d", "4097"},
                                     {"d", "many"},
                                     {"keys", "1"},
                                     {"sigma_q", "nan"},
                                     {"temperature", "0"},
                                     {"temperature", "inf"},
                                     {"power", "-1"},
                                     {"seed", "0"},
                                     {"asked", "7"}}) {
    std::any state = scene.initial();
    const Result<void> result = scene.change(state, {{field, value}});
    CAPTURE(field);
    REQUIRE(!result);
    CHECK(result.error().message.ends_with('.'));
    CHECK(scene.encode(state) == scene.encode(scene.initial()));
  }
}

TEST_CASE("scale: extreme settings compute, draw and are told without a number that is none") {
  REQUIRE(test::load_fonts());
  for (const int d : {1, 3, kMostSize})
    for (const double sigma : {0.1, 10.})
      for (const double temperature : {0.05, 20.}) {
        State state = sized(d, d == 3 ? kMostKeys : 2);
        state.sigma_q = state.sigma_k = sigma;
        state.temperature = temperature;
        const Trace trace = compute(state, {});
        for (const Tensor& tensor : trace.tensors) CHECK(!tensor.values.hasNaN());
        for (int step = 1; step <= 6; ++step) {
          const View view{.width = 390, .height = 500, .place = {step, 0}};
          CHECK(draw(state, trace, view).height > 0);
          CHECK(narrate(state, trace, view).find("nan") == std::string::npos);
        }
      }
}

TEST_CASE("scale: the question's answer is what its reveal then shows, and it can be taken back") {
  const SceneDef& scene = *find("scale");
  for (const int d : {1, 64, 2048}) {
    std::any state = scene.initial();
    REQUIRE(scene.change(state, {{"d", std::to_string(d)}}));
    const Trace before = scene.compute(state, {});
    const std::optional<Question> open = scene.ask(state, before);
    REQUIRE(open);
    REQUIRE(scene.change(state, open->reveal));
    const Trace after = scene.compute(state, {});
    const std::optional<Question> answered = scene.ask(state, after);
    REQUIRE(answered);
    CHECK(answered->text == open->text);
    CHECK(answered->correct == open->correct);
    const double ratio = at(after, "spread", 0, Spread::measured) / at(before, "spread", 0, Spread::measured);
    CHECK(std::abs(ratio - (d > 1024 ? 0.5 : 2)) < 0.25);
    REQUIRE(scene.change(state, {{answered->back.field, answered->back.value}}));
    CHECK(state_in<State>(state).d == d);
    CHECK(state_in<State>(state).asked == 0);
  }
}

TEST_CASE("scale: the job is offered where what it draws is seen, and only there") {
  REQUIRE(test::load_fonts());
  const State state;
  const JobSnapshot snapshot = finished(state);
  const Trace before = compute(state, {}), after = compute(state, {.job = &snapshot});
  for (int step = 1; step <= 6; ++step) {
    CAPTURE(step);
    const View view{.place = {step, 0}};
    const auto seen = [&](const Trace& trace) {
      return figure::svg(draw(state, trace, view), trace, "", narrate(state, trace, view));
    };
    CHECK(steps()[static_cast<std::size_t>(step - 1)].shows_job == (seen(before) != seen(after)));
  }
}

TEST_CASE("scale: of the gradients what is said is what both plots show, and from where the query's falls behind") {
  for (const int d : {1, 4, 16, 64, 100, 512, 1024}) {
    const State state = sized(d);
    const Trace trace = compute(state, {});
    const std::string said = narrate(state, trace, {.place = {4, 0}});
    CAPTURE(said);
    const int own = own_size(state);
    for (const char* curve : {"gradient_score", "gradient_query"})
      for (const int way : {0, 1})
        CHECK(
            said.contains("**" + io::format_short(at(trace, curve, way * Band::count + Band::median, own), 2) + "**"));
    const std::vector<int> sizes = curve_sizes(state);
    const auto ahead = [&](int i) {
      return at(trace, "gradient_query", Band::median, i) > at(trace, "gradient_query", Band::count + Band::median, i);
    };
    const std::size_t named = said.find("from d = ");
    CHECK((named != std::string::npos) == ahead(own));
    if (named == std::string::npos) continue;
    const int from = std::stoi(said.substr(named + 9));
    CHECK(from > d);
    for (std::size_t i = 0; i < sizes.size(); ++i)
      if (sizes[i] >= from) CHECK(!ahead(static_cast<int>(i)));
  }
}

TEST_CASE("scale: the score that wins is among those that are shown, also on a phone") {
  REQUIRE(test::load_fonts());
  for (const int keys : {3, 10, 64})
    for (const int seed : {1, 2, 3, 4}) {
      State state = sized(64, keys);
      state.seed = seed;
      const Trace trace = compute(state, {});
      Eigen::Index best = 0;
      trace.at("scores").values.row(0).maxCoeff(&best);
      for (const float width : {390.F, 756.F}) {
        int windows = 0;
        for (const figure::Element& element : draw(state, trace, {.width = width, .place = {3, 0}}).elements)
          if (const auto* cells = std::get_if<figure::MatrixCells>(&element.shape)) {
            ++windows;
            CHECK(cells->range.column <= best);
            CHECK(best < cells->range.column + cells->range.columns);
            CHECK(cells->range.column + cells->range.columns <= keys);
          }
        CHECK(windows == 1);
      }
    }
}

TEST_CASE("scale: the formula divides by the temperature where the numbers do") {
  for (const int step : {3, 4, 6})
    for (const double temperature : {1., 2.}) {
      State state;
      state.temperature = temperature;
      const Trace trace = scale::compute(state, {});
      const std::optional<Inspection> made = scale::inspect(state, trace, {.place = {step, 0}}, "");
      REQUIRE(made);
      CAPTURE(step);
      CHECK((figure::plain(made->lines.front()).find(step == 4 ? "/ T" : "T√") != std::string::npos) ==
            (temperature != 1));
    }
}
