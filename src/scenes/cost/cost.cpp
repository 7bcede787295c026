#include "scenes/cost/cost.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/fused.h"
#include "core/linear.h"
#include "core/simd.h"
#include "io/numbers.h"
#include "scenes/cost/measure.h"

namespace limelight::scenes::cost {
namespace {

using Labels = std::vector<std::string>;

Labels ways(int count) {
  Labels names;
  for (int way = 0; way < count; ++way) names.emplace_back(way_name(way));
  return names;
}

Labels sizes() {
  Labels names;
  for (int size = 0; size < kSizes; ++size) names.push_back("n = " + std::to_string(size_at(size)));
  return names;
}

// One number for each of the first `count` ways at each size.
template <class F>
Matrix over_sizes(int count, const F& f) {
  Matrix values(count, kSizes);
  for (int way = 0; way < count; ++way)
    for (int size = 0; size < kSizes; ++size) values(way, size) = static_cast<float>(f(way, size));
  return values;
}

double at(const Trace& trace, std::string_view tensor, int row, int column) {
  return static_cast<double>(trace.at(tensor).values(row, column));
}

void add_growth(Trace& trace, const State& state) {
  Matrix growth = over_sizes(Growth::count, [&](int row, int size) {
    const double n = size_at(size);
    if (row == Growth::work) return products(Way::traced, state.shape(size));
    return row == Growth::space ? sizeof(float) * n * n : n * n;
  });
  trace.add("growth", std::move(growth), {"weights", "products", "bytes of weights"}, sizes());
}

// A law for each way's row, and what it says at each size.
void add_fit(Trace& trace, const Measured& quantity) {
  const Tensor& tensor = trace.at(quantity.tensor);
  std::vector<double> x, y(kSizes);
  for (int size = 0; size < kSizes; ++size) x.push_back(size_at(size));
  Matrix fits(tensor.rows(), Fit::count), lines(tensor.rows(), kSizes);
  for (int way = 0; way < tensor.rows(); ++way) {
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = at(trace, quantity.tensor, way, static_cast<int>(i));
    const PowerLaw law = fit_power(x, y, quantity.from);
    fits.row(way) << static_cast<float>(law.exponent), static_cast<float>(law.fitted() ? std::exp2(law.exponent) : 0),
        static_cast<float>(law.at(kFitAt)), static_cast<float>(law.from), static_cast<float>(law.to),
        static_cast<float>(law.spread);
    for (int size = 0; size < kSizes; ++size) lines(way, size) = static_cast<float>(law.at(size_at(size)));
  }
  trace.add(std::string(quantity.fit), std::move(fits), tensor.row_labels,
            {"slope", "times for n × 2", "at n = " + std::to_string(kFitAt), "from n", "to n", "spread"});
  trace.add(std::string(quantity.line), std::move(lines), tensor.row_labels, sizes());
}

// What follows from the times: products per second, in billions, and how many times as fast SIMD is.
void add_rates(Trace& trace) {
  Matrix rates = over_sizes(Way::count, [&](int way, int size) {
    const double milliseconds = at(trace, "time", way, size);
    const int counted = way == Way::scalar ? Way::fused : way;
    return milliseconds > 0 ? at(trace, "products", counted, size) / milliseconds / 1e6 : 0;
  });
  Matrix ratios = over_sizes(1, [&](int, int size) {
    const double simd = at(trace, "time", Way::fused, size);
    return simd > 0 ? at(trace, "time", Way::scalar, size) / simd : 0;
  });
  Matrix instructions = over_sizes(
      2, [&](int row, int size) { return at(trace, "products", Way::fused, size) / (row == 0 ? simd::kLanes : 1); });
  trace.add("rate", std::move(rates), ways(Way::count), sizes());
  trace.add("ratio", std::move(ratios), {"scalar / SIMD"}, sizes());
  trace.add("instructions", std::move(instructions), {"SIMD", "scalar"}, sizes());
  trace.add("lanes", Matrix::Constant(1, 1, simd::kLanes), {"SIMD"}, {"numbers at once"});
}

// How far windowed and linear attention are from softmax attention over all, on a few tokens.
void add_near(Trace& trace, const State& state) {
  Tokens tokens(kNearTokens, state.d, state.data, state.seed);
  draw_rows(tokens, kNearTokens);
  Shape shape{.n = kNearTokens, .d = state.d};
  const Matrix full = attend_fused(tokens.query, tokens.key, tokens.value, options_for(Way::fused, shape));
  const double all = products(Way::fused, shape);
  const std::vector<int> windows = near_windows(state);
  const auto count = static_cast<Eigen::Index>(windows.size());
  Matrix apart(1, count), share(1, count);
  Labels names;
  for (Eigen::Index i = 0; i < count; ++i) {
    shape.window = windows[static_cast<std::size_t>(i)];
    names.push_back("±" + std::to_string(shape.window));
    share(0, i) = static_cast<float>(products(Way::windowed, shape) / all);
    apart(0, i) = static_cast<float>(relative_difference(
        attend_fused(tokens.query, tokens.key, tokens.value, options_for(Way::windowed, shape)), full));
  }
  const double linear = relative_difference(attend_linear<float>(tokens.query, tokens.key, tokens.value), full);
  trace.add("near_window", std::move(apart), {"windowed"}, names);
  trace.add("near_share", std::move(share), {"windowed"}, names);
  trace.add("near_linear", Matrix::Constant(1, 1, static_cast<float>(linear)), {"linear"}, {"difference"});
  trace.add("near_linear_share", Matrix::Constant(1, 1, static_cast<float>(products(Way::linear, shape) / all)),
            {"linear"}, {"products"});
}

}  // namespace

State State::example() const {
  State state;
  state.preset = preset;
  if (preset == Preset::wide) state.d = 128;
  if (preset == Preset::alike) state.data = Data::alike;
  if (preset == Preset::longest) {
    state.length = Length::n16384;
    state.up_to = UpTo::n16384;
  }
  return state;
}

void State::changed(std::string_view field) {
  if (field != "asked") asked = 0;  // an answer belongs to the question as it stood
  if (field != "preset") return;
  const State fresh = example();
  length = fresh.length;
  d = fresh.d;
  up_to = fresh.up_to;
  data = fresh.data;
}

Result<void> State::check() const {
  if (asked > 0 && n() != other_size(asked))
    return fail("The question was asked at n = " + std::to_string(asked) + ", so its answer is seen at n = " +
                std::to_string(other_size(asked)) + "; n is " + std::to_string(n()) + ".");
  return {};
}

int State::longest() const {
  static constexpr int most[] = {1024, 4096, 8192, 16384};
  const int room = static_cast<int>(std::bit_floor(static_cast<unsigned>(kMostNumbers / d)));
  return std::min(most[static_cast<int>(up_to)], room);
}

std::string_view way_name(int way) {
  static constexpr std::string_view names[] = {"traced", "fused", "windowed", "linear", "scalar"};
  return names[way];
}

int other_size(int n) { return 2 * n <= kLongest ? 2 * n : n / 2; }

std::vector<int> near_windows(const State& state) {
  std::vector<int> windows;
  for (int window = 1; window < kNearTokens; window *= 2) windows.push_back(window);
  windows.push_back(kNearTokens - 1);
  const int own = std::min(state.window, kNearTokens - 1);
  const auto place = std::ranges::lower_bound(windows, own);
  if (*place != own) windows.insert(place, own);
  return windows;
}

int own_window(const State& state) {
  const std::vector<int> windows = near_windows(state);
  return static_cast<int>(std::ranges::find(windows, std::min(state.window, kNearTokens - 1)) - windows.begin());
}

Trace compute(const State& state, const Inputs& inputs) {
  Trace trace;
  add_growth(trace, state);
  trace.add("products", over_sizes(kComputed, [&](int way, int size) { return products(way, state.shape(size)); }),
            ways(kComputed), sizes());
  trace.add("memory", over_sizes(kComputed, [&](int way, int size) { return memory(way, state.shape(size)); }),
            ways(kComputed), sizes());
  const bool measured = inputs.job != nullptr && !inputs.job->results.tensors.empty();
  for (const char* name : {"time", "apart"})
    trace.add(name, measured ? inputs.job->results.at(name).values : Matrix(Matrix::Zero(Way::count, kSizes)),
              ways(Way::count), sizes());
  for (const Measured& quantity : kQuantities) add_fit(trace, quantity);
  add_rates(trace);
  add_near(trace, state);
  return trace;
}

std::string provenance(const State& state) {
  return "An article names the quadratic cost a challenge, as do Vaswani et al. 2017, table 1. Products and memory are "
         "counted, times measured on this device; q, k, v are " +
         std::string(state.data == Data::random ? "drawn at random." : "constructed: neighbours are alike.");
}

}  // namespace limelight::scenes::cost
