#include "scenes/cost/cost.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/fused.h"
#include "core/linear.h"
#include "core/product.h"
#include "core/tile.h"
#include "scenes/cost/measure.h"
#include "scenes/cost/scalar.h"
#include "scenes/cost/words.h"
#include "unit/fonts.h"

using namespace limelight;
using namespace limelight::scenes;
using namespace limelight::scenes::cost;

namespace {

double at(const Trace& trace, std::string_view tensor, int row, int column) {
  return static_cast<double>(trace.at(tensor).values(row, column));
}

bool close(double value, double expected, double tolerance = 1e-6) {
  return std::abs(value - expected) <= tolerance * std::max(1., std::abs(expected));
}

State small() {
  State state;
  state.d = 16;
  state.window = 5;
  state.up_to = UpTo::n1024;
  return state;
}

// Goes on by a millisecond whenever it is read.
Clock ticking() {
  return [ticks = 0.]() mutable { return 1e-3 * ticks++; };
}

JobSnapshot finished(const State& state) {
  const std::unique_ptr<Job> work = measure(state, ticking());
  while (work->advance(1e9)) {
  }
  return work->snapshot;
}

// As if these times had been measured.
JobSnapshot with_times(const Matrix& times) {
  JobSnapshot snapshot;
  snapshot.results.add("time", times);
  snapshot.results.add("apart", Matrix::Zero(Way::count, kSizes));
  return snapshot;
}

// Softmax attention as n², linear as n, in milliseconds; traced up to 4,096 and scalar up to 2,048 tokens.
Matrix ideal_times() {
  Matrix times = Matrix::Zero(Way::count, kSizes);
  for (int size = 0; size < kSizes; ++size) {
    const auto n = static_cast<float>(size_at(size));
    if (n > 8192) continue;
    times(Way::fused, size) = n * n * 1e-5F;
    times(Way::traced, size) = n <= 4096 ? n * n * 1.25e-5F : 0;
    times(Way::windowed, size) = n * 4e-3F;
    times(Way::linear, size) = n * 2e-3F;
    times(Way::scalar, size) = n <= 2048 ? n * n * 4e-5F : 0;
  }
  return times;
}

Tokens tokens_of(const State& state, int rows) {
  Tokens tokens(rows, state.d, state.data, state.seed);
  draw_rows(tokens, rows);
  return tokens;
}

}  // namespace

TEST_CASE("cost: the fit gives a power law its exponent and factor, whatever lies below its range or is missing") {
  std::vector<double> x, y;
  for (int i = 0; i < 9; ++i) {
    x.push_back(size_at(i));
    y.push_back(3.5e-4 * std::pow(x.back(), 1.75));
  }
  for (const double spoiled : {0., 1e9}) {
    y[0] = y[1] = spoiled;
    y[5] = 0;  // not measured
    const PowerLaw law = fit_power(x, y, 256);
    CHECK(close(law.exponent, 1.75, 1e-12));
    CHECK(close(law.factor / 3.5e-4, 1, 1e-10));
    CHECK(law.from == 256);
    CHECK(law.to == 16384);
    CHECK(close(law.at(100) / (3.5e-4 * std::pow(100, 1.75)), 1, 1e-10));
  }
}

TEST_CASE("cost: the fit is the least-squares line through the logarithms") {
  const std::vector<double> x = {1, 2, 4}, y = {1, std::exp2(2.5), 16};  // logarithms to base 2: (0, 0) (1, 2.5) (2, 4)
  const PowerLaw law = fit_power(x, y, 1);
  CHECK(close(law.exponent, 2, 1e-12));
  CHECK(close(law.factor, std::exp2(1 / 6.), 1e-12));
}

TEST_CASE("cost: fewer than three points, or points around no line, make no slope, and no number that is none") {
  const std::vector<double> x = {1, 2, 4};
  for (const std::vector<double>& y : {std::vector<double>{0, 0, 0}, {0, 5, 0}, {1, 5, 0}, {1, 500, 16}}) {
    const PowerLaw law = fit_power(x, y, 1);
    CHECK_FALSE(law.fitted());
    CHECK(law.at(3) == 0);
    CHECK(law.exponent == 0);
    CHECK((law.spread > kNoise) == (y[1] == 500));
  }
}

TEST_CASE("cost: slices add up, and one during which something else ran counts as the middle one") {
  CHECK(time_of_slices({}) == 0);
  CHECK(close(time_of_slices(std::vector{2., 3., 1., 2.5}), 8.5, 1e-12));
  CHECK(close(time_of_slices(std::vector{2., 2., 377., 2., 1.}), 9, 1e-12));
  CHECK(close(time_of_slices(std::vector{0., 0., 1., 0.}), 1, 1e-12));  // a clock that is too coarse
}

TEST_CASE("cost: the window's pairs are those that its mask allows") {
  for (const int n : {1, 2, 7, 64, 65})
    for (const int window : {1, 3, 6, 64, 4096}) {
      CAPTURE(n);
      CAPTURE(window);
      CHECK(pairs_in_window(n, window) == Mask::window(window).matrix(n, n).cast<int>().sum());
    }
  const Shape shape{.n = 100, .d = 24, .window = 3};
  CHECK(products(Way::traced, shape) == 2. * 100 * 100 * 24);
  CHECK(products(Way::fused, shape) == products(Way::traced, shape));
  CHECK(products(Way::windowed, shape) == 48 * pairs_in_window(100, 3));
  CHECK(products(Way::linear, shape) == 2. * 100 * 24 * 25);
}

TEST_CASE("cost: the memory is what the core holds after it has computed") {
  for (const int n : {64, 256, 1024})
    for (const int d : {8, 50, 64, 128}) {
      const Shape shape{.n = n, .d = d, .window = 9};
      const Matrix x = Matrix::Constant(n, d, 0.5F);
      Matrix output(n, d), weights(n, n);
      for (const int way : {Way::fused, Way::windowed}) {
        FusedAttention attention(x, x, options_for(way, shape));
        attention.rows(x, 0, n, output);
        CHECK(memory(way, shape) == static_cast<double>(attention.bytes()));
      }
      FusedAttention traced(x, x, options_for(Way::traced, shape));
      traced.rows(x, 0, n, output, weights);
      CHECK(memory(Way::traced, shape) ==
            static_cast<double>(traced.bytes() + static_cast<std::size_t>(weights.size()) * sizeof(float)));
      LinearAttention linear(d, d);
      linear.add(x, x);
      linear.rows(x, 0, n, output);
      CHECK(memory(Way::linear, shape) == static_cast<double>(linear.bytes()));
      // Sums over the keys, a block of 256 tokens' features and extended values, and what a product of these packs.
      const auto packed =
          std::max(packed_by_product(d, 256, d + 1, {.transpose_a = true}), packed_by_product(256, d, d + 1));
      CHECK(memory(Way::linear, shape) / sizeof(float) ==
            d * (d + 1) + 256 * (2 * d + 1) + static_cast<double>(packed));
    }
}

TEST_CASE("cost: the scalar kernel is the same function, on odd sizes and in any ranges of rows") {
  struct Sizes {
    int n, d;
  };
  for (const Sizes size : {Sizes{1, 1}, {3, 2}, {5, 7}, {64, 16}, {257, 9}, {300, 33}, {513, 64}}) {
    CAPTURE(size.n);
    State state;
    state.d = size.d;
    const Tokens tokens = tokens_of(state, size.n);
    const AttentionOptions options{.scale = 1.5};
    const MatrixOf<double> expected = attend_naive<double>(tokens.query.cast<double>(), tokens.key.cast<double>(),
                                                           tokens.value.cast<double>(), options);
    ScalarAttention attention(tokens.key, tokens.value, options);
    Matrix output = Matrix::Constant(size.n, size.d, 99);
    const int half = size.n / 2;
    attention.rows(tokens.query, half, size.n, output);
    CHECK((output.topRows(half).array() == 99).all());
    attention.rows(tokens.query, 0, half, output);
    // Weights are off by the rounding of scores of up to 30, and sums of up to 513 terms.
    CHECK((output.cast<double>() - expected).cwiseAbs().maxCoeff() < 2e-5);
  }
}

TEST_CASE("cost: fewer tokens are the first of more, and the same seed draws the same") {
  for (const Data data : {Data::random, Data::alike}) {
    State state = small();
    state.data = data;
    Tokens pieces(300, state.d, data, state.seed);
    draw_rows(pieces, 7);
    draw_rows(pieces, 300);
    const Tokens whole = tokens_of(state, 300);
    CHECK(pieces.query == whole.query);
    CHECK(pieces.value == whole.value);
    CHECK(tokens_of(state, 40).key == whole.key.topRows(40));
    // Mean 0 and variance 1: of 4,800 entries, and where neighbours are alike of about 250 independent ones per column.
    CHECK(std::abs(whole.value.mean()) < 0.08F);
    CHECK(std::abs(whole.value.array().square().mean() - 1) < 0.08F);
    CHECK(std::abs(whole.query.array().square().mean() - 1) < (data == Data::random ? 0.08F : 0.35F));
  }
}

TEST_CASE("cost: the plan computes every row once in each repetition, in short slices, and nothing beyond the budget") {
  for (const int d : {8, 64, 100, 128})
    for (const UpTo up_to : {UpTo::n1024, UpTo::n16384}) {
      State state;
      state.d = d;
      state.up_to = up_to;
      CAPTURE(d);
      const std::vector<Slice> slices = plan(state);
      int drawn = 0;
      std::map<std::pair<int, int>, int> rows, parts, keys, ends, finishes, timed;
      for (const Slice& slice : slices) {
        const Shape shape = state.shape(slice.size);
        const std::pair key{slice.way, slice.size};
        CHECK(shape.n * d <= kMostNumbers);
        if (slice.work == Work::draw) {
          CHECK(slice.begin == drawn);
          drawn = slice.end;
          continue;
        }
        CHECK(drawn >= shape.n);
        CHECK(is_measured(state, slice.way, slice.size));
        if (slice.work == Work::finish) {
          ++finishes[key];
          continue;
        }
        if (slice.work == Work::whole) {
          CHECK((slice.counts || !timed[key]));  // the first warm up
          if (slice.counts) CHECK(parts[key] > 0);
          timed[key] |= slice.counts;
        }
        if (slice.work == Work::whole) {
          CHECK((slice.begin == 0 && slice.end == shape.n));
          CHECK(slice.last == (++parts[key] % kParts == 0));
        }
        if (slice.work == Work::rows) rows[key] += slice.end - slice.begin;
        if (slice.work == Work::keys) keys[key] += slice.end - slice.begin;
        ends[key] += slice.last;
        if (slice.work == Work::start) continue;
        const double share = static_cast<double>(slice.end - slice.begin) / shape.n;
        const bool half = slice.way == Way::linear && slice.work != Work::whole;  // its keys, or its rows
        const double work = products(slice.way, shape) * share * slice.calls / (half ? 2 : 1);
        CHECK((work <= kSliceProducts * 1.01 || slice.end - slice.begin <= kTileRows));
        // One tile of rows: tokens · size is bounded for its sake.
        CHECK(work <= std::max(kSliceProducts * 1.01, 2. * kTileRows * kMostNumbers));
      }
      for (int way = 0; way < Way::count; ++way)
        for (int size = 0; size < kSizes; ++size) {
          const std::pair key{way, size};
          CHECK(finishes[key] == (is_measured(state, way, size) ? 1 : 0));
          CHECK((ends[key] > 0) == (finishes[key] != 0));
          CHECK((parts[key] == 0 || rows[key] == 0));
          CHECK(rows[key] + size_at(size) * parts[key] / kParts == ends[key] * size_at(size));
          if (keys[key] > 0) CHECK(keys[key] == rows[key]);
          if (finishes[key] != 0 && way == Way::traced) CHECK(memory(way, state.shape(size)) <= kBudget);
        }
      CHECK_FALSE(is_measured(state, Way::traced, 7));  // 8,192 tokens: 268 MB of weights alone
    }
}

TEST_CASE("cost: a time is the sum of its slices' times, or the shortest of its repetitions over its calls") {
  const State state = small();
  const JobSnapshot snapshot = finished(state);
  CHECK(snapshot.finished());
  CHECK(snapshot.revision > 20);
  const Matrix& times = snapshot.results.at("time").values;
  const std::vector<Slice> slices = plan(state);
  for (int way = 0; way < Way::count; ++way)
    for (int size = 0; size < kSizes; ++size) {
      CAPTURE(way);
      CAPTURE(size);
      if (!is_measured(state, way, size)) {
        CHECK(times(way, size) == 0);
        continue;
      }
      double ticks = 0;  // of one repetition: a millisecond for each slice, or for each call where a slice has several
      for (const Slice& slice : slices)
        if (slice.way == way && slice.size == size && slice.counts && slice.work != Work::draw &&
            slice.work != Work::finish) {
          ticks += 1. / slice.calls / (slice.work == Work::whole ? kParts : 1);
          if (slice.last) break;
        }
      CHECK(close(static_cast<double>(times(way, size)), ticks));
    }
}

TEST_CASE("cost: a short computation is timed over 40 ticks of a browser's clock, in parts, in turn with the others") {
  constexpr double tick = 1e-4,
                   leap = 15;  // ticks from one look at the clock to the next: the fewer looks, the less work
  double ticks = 0;
  const std::unique_ptr<Job> work = measure(small(), [&ticks] { return tick * (ticks += leap); });
  const std::vector<Slice> slices = plan(small());
  std::map<std::pair<int, int>, int> last;  // of a way at a size, the place of its latest slice that counts
  for (std::size_t i = 0; i < slices.size(); ++i) {
    const double before = ticks + leap;  // the first look
    work->step(work->snapshot);
    if (slices[i].work != Work::whole) continue;
    CHECK(ticks - before >= 40. / kParts);
    CHECK(ticks - before < 40. / kParts + 2 * leap);  // and no longer than until it is seen
    if (!slices[i].counts || !slices[i].last) continue;
    int& previous = last[{slices[i].way, slices[i].size}];
    if (previous > 0) CHECK(static_cast<int>(i) - previous > kParts);
    previous = static_cast<int>(i);
  }
}

TEST_CASE("cost: the figure's own button starts the measurement and pauses it, as large as a finger needs") {
  REQUIRE(test::load_fonts());
  const State state;
  const Trace trace = compute(state, {});
  for (const int step : {2, 5})
    for (const float working : {-1.F, 0.F, 0.43F}) {
      const figure::Figure figure =
          draw(state, trace, {.width = 390, .height = 500, .place = {step, 0}, .touch = true, .working = working});
      const auto button = std::ranges::find(figure.elements, figure::Role::button, &figure::Element::role);
      REQUIRE(button != figure.elements.end());
      CHECK(button->edit->field == "do");
      CHECK(button->edit->value == "job");
      CHECK(button->rect.h >= 44);
      CHECK(button->rect.bottom() < 100);
      CHECK(button->label.starts_with(working < 0 ? "Measure here" : "Pause"));
    }
}

TEST_CASE("cost: the job shows what it has on the way, one way at one size after the other, and ends") {
  const std::unique_ptr<Job> work = measure(small(), ticking());
  int points = 0, steps = 0;
  while (work->advance(1e-9)) {
    REQUIRE(++steps < work->snapshot.total);
    if (work->snapshot.revision == points) continue;
    CHECK(work->snapshot.revision == ++points);
    CHECK((work->snapshot.results.at("time").values.array() > 0).count() == points);
  }
  CHECK(work->snapshot.done == work->snapshot.total);
}

TEST_CASE("cost: what the job has computed in slices is what is computed at once") {
  for (const Data data : {Data::random, Data::alike}) {
    State state = small();
    state.d = 80;  // 1,024 tokens are too many for a slice, of linear attention too
    state.data = data;
    const JobSnapshot snapshot = finished(state);
    const Matrix& apart = snapshot.results.at("apart").values;
    for (const int size : {0, 2, 4}) {
      const Shape shape = state.shape(size);
      const Tokens tokens = tokens_of(state, shape.n);
      const AttentionOptions options = options_for(Way::fused, shape);
      const Matrix full = attend_fused(tokens.query, tokens.key, tokens.value, options);
      const Matrix windowed = attend_windowed(tokens.query, tokens.key, tokens.value, shape.window, options);
      const Matrix linear = attend_linear<float>(tokens.query, tokens.key, tokens.value);
      CHECK(close(static_cast<double>(apart(Way::windowed, size)), relative_difference(windowed, full)));
      CHECK(close(static_cast<double>(apart(Way::linear, size)), relative_difference(linear, full), 1e-5));
      // The same function: 1,024 terms rounded in single precision.
      CHECK(apart(Way::traced, size) < 1e-5F);
      CHECK(apart(Way::scalar, size) < 1e-5F);
      CHECK(apart(Way::scalar, size) > 0);
      CHECK(apart(Way::linear, size) > 0.05F);
    }
  }
}

TEST_CASE("cost: the difference shown at once is that of the definitions, and a window over all has none") {
  for (const Data data : {Data::random, Data::alike}) {
    State state;
    state.d = 16;
    state.data = data;
    state.window = 11;
    const Trace trace = compute(state, {});
    const Tokens tokens = tokens_of(state, kNearTokens);
    const MatrixOf<double> query = tokens.query.cast<double>(), key = tokens.key.cast<double>(),
                           value = tokens.value.cast<double>();
    AttentionOptions options{.scale = 1 / std::sqrt(16.)};
    const MatrixOf<double> full = attend_naive<double>(query, key, value, options);
    const MatrixOf<double> linear = attend_linear_naive<double>(query, key, value);
    CHECK(close(at(trace, "near_linear", 0, 0), (linear - full).norm() / full.norm(), 1e-5));
    const std::vector<int> windows = near_windows(state);
    CHECK(windows[static_cast<std::size_t>(own_window(state))] == 11);
    for (const std::size_t i : {std::size_t{0}, static_cast<std::size_t>(own_window(state)), windows.size() - 1}) {
      options.mask = Mask::window(windows[i]);
      const MatrixOf<double> windowed = attend_naive<double>(query, key, value, options);
      CHECK(close(at(trace, "near_window", 0, static_cast<int>(i)), (windowed - full).norm() / full.norm(), 1e-5));
    }
    CHECK(at(trace, "near_window", 0, static_cast<int>(windows.size()) - 1) == 0);
    CHECK(at(trace, "near_share", 0, static_cast<int>(windows.size()) - 1) == 1);
  }
}

TEST_CASE("cost: where neighbours are alike, a narrow window is nearer than on random inputs") {
  State random, alike;
  alike.data = Data::alike;
  const Trace far = compute(random, {}), near = compute(alike, {});
  CHECK(at(near, "near_window", 0, own_window(alike)) < at(far, "near_window", 0, own_window(random)) / 2);
}

TEST_CASE(
    "cost: counted slopes are 2 for softmax attention and 1 for linear, and twice the tokens four times the work") {
  const Trace trace = compute({}, {});
  CHECK(close(at(trace, "products_fit", Way::traced, Fit::exponent), 2));
  CHECK(close(at(trace, "products_fit", Way::fused, Fit::exponent), 2));
  CHECK(close(at(trace, "products_fit", Way::linear, Fit::exponent), 1));
  CHECK(std::abs(at(trace, "products_fit", Way::windowed, Fit::exponent) - 1) < 0.02);  // the first and last see less
  CHECK(std::abs(at(trace, "memory_fit", Way::traced, Fit::exponent) - 2) < 0.1);
  CHECK(std::abs(at(trace, "memory_fit", Way::fused, Fit::exponent) - 1) < 0.1);
  CHECK(close(at(trace, "memory_fit", Way::linear, Fit::exponent), 0));
  for (int row = 0; row < Growth::count; ++row)
    for (int size = 1; size < kSizes; ++size)
      CHECK(at(trace, "growth", row, size) == 4 * at(trace, "growth", row, size - 1));
}

TEST_CASE("cost: measured times make slopes, rates and a ratio; what is not measured is extrapolated by its slope") {
  const JobSnapshot snapshot = with_times(ideal_times());
  const Trace trace = compute({}, {.job = &snapshot});
  CHECK(close(at(trace, "time_fit", Way::fused, Fit::exponent), 2));
  CHECK(close(at(trace, "time_fit", Way::linear, Fit::exponent), 1));
  CHECK(close(at(trace, "time_fit", Way::fused, Fit::doubling), 4, 1e-5));
  CHECK(at(trace, "time_fit", Way::scalar, Fit::to) == 2048);
  CHECK(at(trace, "time_fit", Way::fused, Fit::from) == 256);
  CHECK(at(trace, "time_fit", Way::fused, Fit::to) == 8192);
  CHECK(at(trace, "time_fit", Way::traced, Fit::to) == 4096);
  CHECK(close(at(trace, "time_line", Way::traced, 8) / (1.25e-5 * 16384. * 16384.), 1, 1e-5));
  CHECK(close(at(trace, "ratio", 0, 5), 4));
  CHECK(at(trace, "ratio", 0, 7) == 0);
  // 2 · 64 products of 1e-5 ms each.
  CHECK(close(at(trace, "rate", Way::fused, 4), 128 / 1e-5 / 1e6, 1e-5));
}

TEST_CASE("cost: the sentences say what the numbers prove") {
  const JobSnapshot snapshot = with_times(ideal_times());
  const State state;
  const Trace counted = compute(state, {}), measured = compute(state, {.job = &snapshot});
  const auto told = [&](const Trace& trace, int step) { return narrate(state, trace, {.place = {step, 0}}); };
  CHECK(told(counted, 1).find("**16.8 million** weights, 67.1 MB, and **2.15 billion**") != std::string::npos);
  CHECK(told(counted, 2).starts_with("Counted, not yet timed"));
  CHECK(told(measured, 2)
            .starts_with("Measured here: doubling n multiplies the time of fused attention by **4** (slope "
                         "2.00, n = 256 to 8,192) and of linear attention by **2** (slope 1.00). "));
  CHECK(told(measured, 2).ends_with("At n = 8,192 fused takes 671 ms, linear 16.4 ms: **41 times** less."));
  CHECK(told(measured, 5).find("**4 times** as fast: ") != std::string::npos);
  // The last step asks for what softmax attention takes, and does not say it before it is answered.
  CHECK(told(measured, 6).starts_with("Measured here, twice as many tokens take **4 times** the time in softmax"));
  const std::string asking = narrate(state, measured, {.place = {6, 0}, .asks = true});
  CHECK(asking.find("Measured here, **linear** attention") != std::string::npos);
  CHECK(asking.find("the time in softmax") == std::string::npos);
  // A slope is told of three sizes on one line, not of two, nor of times that jump.
  Matrix two = ideal_times(), jumping = ideal_times();
  two.rightCols(kSizes - 4).setZero();
  jumping(Way::linear, 4) *= 13;
  for (const Matrix& times : {two, jumping}) {
    const JobSnapshot some = with_times(times);
    const Trace trace = compute(state, {.job = &some});
    CHECK(at(trace, "time_line", Way::linear, 8) == 0);
    for (const int step : {2, 6}) CHECK(told(trace, step).find("time of") == std::string::npos);
    CHECK((told(trace, 2).find("Too noisy to tell") != std::string::npos) == (times(Way::linear, 4) > 0));
    CHECK(told(trace, 6).starts_with("Counted"));
  }
  // One size alone proves nothing yet.
  Matrix first = Matrix::Zero(Way::count, kSizes);
  first(Way::fused, 0) = 1;
  const JobSnapshot begun = with_times(first);
  CHECK(told(compute(state, {.job = &begun}), 2).starts_with("Measured so far up to n = 64"));
}

TEST_CASE("cost: nothing is NaN and every figure stands, at each stage of a measurement and for extreme settings") {
  REQUIRE(test::load_fonts());
  Matrix begun = Matrix::Zero(Way::count, kSizes);
  begun(Way::fused, 0) = 0.01F;
  Matrix halfway = ideal_times();
  halfway.rightCols(4).setZero();
  halfway.row(Way::scalar).setZero();
  const JobSnapshot snapshots[] = {{}, with_times(begun), with_times(halfway), with_times(ideal_times())};
  for (const char* patch :
       {"", "d=8&window=4096&n=128", "d=128&n=16384&window=1&kernel=scalar", "data=alike&kernel=scalar"})
    for (const JobSnapshot& snapshot : snapshots) {
      CAPTURE(patch);
      const SceneDef* scene = find("cost");
      std::any any = scene->initial();
      REQUIRE(scene->change(any, *io::parse_patch(patch)));
      const State& state = state_in<State>(any);
      const Trace trace = compute(state, {.job = &snapshot});
      for (const Tensor& tensor : trace.tensors) CHECK(tensor.values.allFinite());
      for (int step = 1; step <= static_cast<int>(steps().size()); ++step)
        for (const float width : {320.F, 390.F, 720.F, 756.F, 1200.F}) {
          CAPTURE(step);
          CAPTURE(width);
          const View view{.width = width, .height = 500, .place = {step, 0}};
          CHECK(narrate(state, trace, view).find("nan") == std::string::npos);
          std::set<std::string> ids;
          const figure::Figure figure = draw(state, trace, view);
          for (const figure::Element& element : figure.elements) {
            CAPTURE(element.id);
            CHECK(std::isfinite(element.rect.x + element.rect.y + element.rect.w + element.rect.h));
            CHECK(element.rect.x >= -0.5F);
            CHECK(element.rect.right() <= width + 0.5F);
            if (element.role != figure::Role::cell) continue;
            CHECK(ids.insert(element.id).second);
            CHECK(inspect(state, trace, view, element.id)->title.starts_with(element.source->tensor));
          }
        }
    }
}

TEST_CASE("cost: what cannot be is refused with a sentence, and the state stays") {
  const SceneDef* scene = find("cost");
  std::any state = scene->initial();
  struct Bad {
    const char* field;
    const char* value;
    const char* says;
  };
  for (const Bad& bad : {Bad{"n", "1000", "16384"},
                         {"d", "4096", "128"},
                         {"d", "nan", "d"},
                         {"window", "0", "4096"},
                         {"asked", "4096", "8192"}}) {
    const Result<void> result = scene->change(state, {{bad.field, bad.value}});
    CAPTURE(bad.field);
    REQUIRE_FALSE(result);
    CAPTURE(result.error().message);
    CHECK(result.error().message.find(bad.says) != std::string::npos);
    CHECK(scene->encode(state) == scene->encode(scene->initial()));
  }
}

TEST_CASE("cost: the answer is seen at twice as many tokens, or half of them at the end, and can be taken back") {
  const SceneDef* scene = find("cost");
  for (const char* n : {"1024", "16384"}) {
    std::any state = scene->initial();
    REQUIRE(scene->change(state, {{"n", n}}));
    const std::optional<Question> open = scene->ask(state, scene->compute(state, {}));
    REQUIRE(scene->change(state, open->reveal));
    const Trace trace = scene->compute(state, {});
    const std::optional<Question> revealed = scene->ask(state, trace);
    CHECK(revealed->text == open->text);
    CHECK(revealed->answer == open->answer);
    REQUIRE(scene->change(state, {{revealed->back.field, revealed->back.value}}));
    CHECK(state_in<State>(state).n() == std::stoi(n));
    CHECK(state_in<State>(state).asked == 0);
  }
}

TEST_CASE("cost: a longer text is measured no further than its size allows, and the button says how far") {
  State state;
  state.up_to = UpTo::n16384;
  state.d = 64;
  CHECK(state.longest() == 16384);
  CHECK(job_label(state) == "Measure here, up to 16,384");
  state.d = 65;
  CHECK(state.longest() == 8192);
  CHECK(job_label(state) == "Measure here, up to 8,192");
}

TEST_CASE("cost: numbers are written in words that fit them") {
  CHECK(grouped(64) == "64");
  CHECK(grouped(1024) == "1,024");
  CHECK(grouped(1048576) == "1,048,576");
  CHECK(many(16384) == "16,384");
  CHECK(many(16777216) == "16.8 million");
  CHECK(many(34359738368) == "34.4 billion");
  CHECK(bytes(640) == "640 B");
  CHECK(bytes(999.9e3) == "1 MB");
  CHECK(bytes(268435456) == "268 MB");
  CHECK(duration(0.0451) == "45.1 µs");
  CHECK(duration(3.2) == "3.2 ms");
  CHECK(duration(1432) == "1.43 s");
}
