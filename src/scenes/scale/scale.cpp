#include "scenes/scale/scale.h"

#include <algorithm>
#include <cmath>

#include "core/analysis.h"
#include "core/sort.h"
#include "io/numbers.h"

namespace limelight::scenes::scale {
namespace {

// Drawn at once, and by the job.
constexpr int kPairs = 2000;
constexpr int kFewestTrials = 6, kMostTrials = 12;
constexpr int kJobPairs = 20000;
constexpr int kJobTrials = 400;
constexpr int kRefreshes = 20;  // how often the job shows what it has
constexpr int kDensityPoints = 192;

Random stream(std::string_view name, int seed) { return Random(hash_text(name, static_cast<std::uint64_t>(seed))); }

Factors factors(double power, int d) {
  Factors made = divisors(power, d);
  for (double& factor : made) factor = 1 / factor;
  return made;
}

std::vector<std::string> numbered(std::string_view name, int count) {
  std::vector<std::string> labels;
  for (int i = 1; i <= count; ++i) labels.push_back(std::string(name) + std::to_string(i));
  return labels;
}

// ---- one pair, and one query with its keys ----

struct Vectors {
  Matrix query;  // [1, d]
  Matrix key;    // [n, d]
};

Vectors draw_vectors(const State& state) {
  Vectors drawn{.query = Matrix(1, state.d), .key = Matrix(state.keys, state.d)};
  Random queries = stream("query", state.seed), keys = stream("keys", state.seed);
  for (float& x : drawn.query.reshaped<Eigen::RowMajor>()) x = static_cast<float>(state.sigma_q * queries.normal());
  for (float& x : drawn.key.reshaped<Eigen::RowMajor>()) x = static_cast<float>(state.sigma_k * keys.normal());
  return drawn;
}

void add_pair(Trace& trace, const State& state, const Vectors& vectors) {
  Matrix entries(3, state.d), running(1, state.d);
  entries.row(0) = vectors.query.row(0);
  entries.row(1) = vectors.key.row(0);
  entries.row(2) = vectors.query.row(0).cwiseProduct(vectors.key.row(0));
  double sum = 0;
  for (int i = 0; i < state.d; ++i) running(0, i) = static_cast<float>(sum += static_cast<double>(entries(2, i)));
  trace.add("entries", std::move(entries), {"q", "k", "q × k"}, numbered("", state.d));
  trace.add("running", std::move(running), {"sum so far"}, numbered("", state.d));
}

void add_softmax(Trace& trace, const State& state, const Vectors& vectors) {
  Matrix scores = vectors.query * vectors.key.transpose();
  Weighted weighted = weigh(scores, vectors.key, factors(state.power, state.d), state.temperature);
  const auto names = way_names(state);
  const std::vector<std::string> ways(names.begin(), names.end()), keys = numbered("key ", state.keys);
  trace.add("scores", std::move(scores), {"q"}, keys);
  trace.add("weights", std::move(weighted.weights), ways, keys);
  trace.add("measures", std::move(weighted.measures), ways,
            {"largest weight", "entropy", "effective keys", "‖∂a/∂score‖", "‖∂a/∂q‖"});
}

// ---- the spread of q·k ----

void add_histogram(Trace& trace, const State& state, const Histogram& drawn) {
  Matrix heights(1, kBins), spread(1, Spread::count);
  std::vector<std::string> intervals;
  for (int i = 0; i < kBins; ++i) {
    heights(0, i) = static_cast<float>(drawn.counts[static_cast<std::size_t>(i)] / (drawn.total * drawn.width()));
    const double from = -drawn.half + i * drawn.width();
    intervals.push_back(io::format_short(from) + " to " + io::format_short(from + drawn.width()));
  }
  const double share = drawn.beyond / static_cast<double>(drawn.total);
  // Of a deviation measured over N draws: σ √((κ − 1) / 4N); q·k has the kurtosis κ = 3 + 6/d.
  const double error = state.deviation() * std::sqrt((2 + 6. / state.d) / (4. * drawn.total));
  spread << static_cast<float>(drawn.deviation()), static_cast<float>(state.deviation()), static_cast<float>(error),
      static_cast<float>(drawn.mean()), static_cast<float>(share), static_cast<float>(drawn.total);
  trace.add("spread", std::move(spread), {"q·k"},
            {"measured σ", "expected σ", "sampling error", "mean", "beyond the axis", "pairs"});
  trace.add("histogram", std::move(heights), {"density"}, std::move(intervals));
}

Histogram draw_histogram(const State& state) {
  Histogram drawn(half_width(state), kBins);
  Random random = stream("pairs", state.seed);
  for (int i = 0; i < kPairs; ++i) drawn.take(state.spread() * draw_dot(random, state.d));
  return drawn;
}

// At places that leave 0 out, where the density for d = 1 is infinite.
void add_density(Trace& trace, const State& state) {
  Matrix density(3, kDensityPoints);
  const double half = half_width(state), deviation = state.deviation(), spread = state.spread();
  for (int i = kDensityPoints / 2; i < kDensityPoints; ++i) {
    const int mirrored = kDensityPoints - 1 - i;
    const double x = half * (2. * i / (kDensityPoints - 1) - 1);
    density(0, i) = static_cast<float>(x);
    density(0, mirrored) = -density(0, i);
    density(1, i) = density(1, mirrored) = static_cast<float>(dot_density(state.d, x / spread) / spread);
    density(2, i) = density(2, mirrored) = static_cast<float>(normal_density(x, deviation));
  }
  trace.add("density", std::move(density), {"q·k", "exact", "normal"}, numbered("point ", kDensityPoints));
}

// ---- the curves over d ----

// What was measured at each size in each way, trial by trial.
class CurveDraws {
 public:
  explicit CurveDraws(const State& state)
      : state_(state),
        sizes_(curve_sizes(state)),
        random_(stream("curves", state.seed)),
        values_(std::size(kCurveTensors) * kWays * sizes_.size()) {}

  // The same random numbers at every size, so that the curves show what the size does.
  void trial() {
    const std::uint64_t seed = random_.bits();
    for (std::size_t size = 0; size < sizes_.size(); ++size) {
      Random random(seed);
      Turned drawn = draw_turned(random, sizes_[size], state_.keys);
      drawn.key *= static_cast<float>(state_.sigma_k);
      const Matrix scores = static_cast<float>(drawn.length * state_.sigma_q) * drawn.key.col(0).transpose();
      const Weighted weighted = weigh(scores, drawn.key, factors(state_.power, sizes_[size]), state_.temperature);
      for (std::size_t curve = 0; curve < std::size(kCurveTensors); ++curve)
        for (int way = 0; way < kWays; ++way)
          values(curve, way, size).push_back(weighted.measures(way, kCurveTensors[curve].measure));
    }
    ++trials_;
  }

  void add(Trace& trace) {
    const auto names = way_names(state_);
    std::vector<std::string> rows, columns;
    for (const std::string& name : names)
      for (const char* band : {", 10 %", ", median", ", 90 %"}) rows.push_back(name + band);
    for (const int size : sizes_) columns.push_back("d = " + std::to_string(size));
    for (std::size_t curve = 0; curve < std::size(kCurveTensors); ++curve) {
      Matrix bands(kWays * Band::count, static_cast<Eigen::Index>(sizes_.size()));
      for (int way = 0; way < kWays; ++way)
        for (std::size_t size = 0; size < sizes_.size(); ++size) {
          std::vector<float> sorted = values(curve, way, size);
          heap_sort(sorted);
          constexpr double shares[] = {0.1, 0.5, 0.9};
          for (int band = 0; band < Band::count; ++band)
            bands(way * Band::count + band, static_cast<Eigen::Index>(size)) =
                static_cast<float>(quantile(sorted, shares[band]));
        }
      trace.add(std::string(kCurveTensors[curve].tensor), std::move(bands), rows, columns);
    }
    trace.add("trials", Matrix::Constant(1, 1, static_cast<float>(trials_)), {"curves"}, {"draws"});
  }

 private:
  std::vector<float>& values(std::size_t curve, int way, std::size_t size) {
    return values_[(curve * kWays + static_cast<std::size_t>(way)) * sizes_.size() + size];
  }

  State state_;
  std::vector<int> sizes_;
  Random random_;
  std::vector<std::vector<float>> values_;
  int trials_ = 0;
};

CurveDraws draw_curves(const State& state) {
  CurveDraws draws(state);
  // A draw costs as the square of the number of keys.
  const int trials = std::clamp(kMostTrials * 16 / state.keys, kFewestTrials, kMostTrials);
  for (int i = 0; i < trials; ++i) draws.trial();
  return draws;
}

// ---- the class ----

void add_class(Trace& trace, const State& state) {
  Random random = stream("class", state.seed);
  const ClassRun run = run_class(random);
  Matrix summary(2, ClassColumn::count);
  const auto summarise = [&](int row, int count, float smallest, float largest, const Matrix& output) {
    summary(row, ClassColumn::compared) = static_cast<float>(count);
    summary(row, ClassColumn::smallest) = smallest;
    summary(row, ClassColumn::largest) = largest;
    summary(row, ClassColumn::equal) = 1 / static_cast<float>(count);
    summary(row, ClassColumn::output) = static_cast<float>(output.cast<double>().mean());
  };
  summarise(0, kClassSize, run.smallest, run.largest, run.output);
  summarise(1, kClassTokens, run.token_weights.minCoeff(), run.token_weights.maxCoeff(), run.token_output);
  // One row stands for the others: all are as flat.
  Matrix corner = run.weights.topLeftCorner(kCorner, kCorner);
  summary(0, ClassColumn::effective) = effective_keys(run.weights.row(0))(0, 0);
  summary(1, ClassColumn::effective) = effective_keys(run.token_weights).mean();
  const std::vector<std::string> tokens = numbered("token ", kClassTokens), features = numbered("feature ", kClassSize);
  const std::vector<std::string> corner_features(features.begin(), features.begin() + kCorner);
  Matrix X = run.M.transpose();
  trace.add("M", run.M, features, tokens);
  trace.add("class_weights", std::move(corner), corner_features, corner_features);
  trace.add("class_output", run.output, features, tokens);
  trace.add("tokens", std::move(X), tokens, features);
  trace.add("token_weights", run.token_weights, tokens, tokens);
  trace.add("token_output", run.token_output, tokens, features);
  trace.add("class", std::move(summary), {"as written", "tokens as rows"},
            {"compared", "smallest weight", "largest weight", "equal share", "effective keys", "mean output"});
}

}  // namespace

State State::example() const {
  struct Sizes {
    int d, keys;
    double sigma;
  };
  static constexpr Sizes sizes[] = {{64, 10, 1}, {4, 3, 1}, {512, 6, 1}, {64, 10, 2}, {4096, 10, 1}};
  const Sizes& own = sizes[static_cast<std::size_t>(preset)];
  State state;
  state.preset = preset;
  state.d = own.d;
  state.keys = own.keys;
  state.sigma_q = state.sigma_k = own.sigma;
  return state;
}

void State::changed(std::string_view field) {
  if (field != "asked") asked = 0;  // an answer belongs to the question as it stood
  if (field != "preset") return;
  const State fresh = example();
  d = fresh.d;
  keys = fresh.keys;
  sigma_q = fresh.sigma_q;
  sigma_k = fresh.sigma_k;
}

Result<void> State::check() const {
  if (asked > 0 && d != other_size(asked))
    return fail("The question was asked at d = " + std::to_string(asked) + ", so its answer is seen at d = " +
                std::to_string(other_size(asked)) + "; d is " + std::to_string(d) + ".");
  return {};
}

double State::deviation() const { return spread() * std::sqrt(static_cast<double>(d)); }

std::array<double, kWays> divisors(double power, int d) {
  const double size = d;
  return {1, std::sqrt(size), size, std::pow(size, power)};
}

std::array<std::string, kWays> way_names(const State& state) {
  return {"not divided", "÷ √d", "÷ d", "÷ d^" + io::format_short(state.power)};
}

int other_size(int d) { return d * 4 <= kMostSize ? d * 4 : d / 4; }

std::vector<int> curve_sizes(const State& state) {
  std::vector<int> sizes;
  for (int size = 1; size <= kMostSize; size *= 2) sizes.push_back(size);
  const auto place = std::ranges::lower_bound(sizes, state.d);
  if (place == sizes.end() || *place != state.d) sizes.insert(place, state.d);
  return sizes;
}

int own_size(const State& state) {
  const std::vector<int> sizes = curve_sizes(state);
  return static_cast<int>(std::ranges::find(sizes, state.d) - sizes.begin());
}

double half_width(const State& state) { return round_up(3.5 * state.deviation()); }

Trace compute(const State& state, const Inputs& inputs) {
  Trace trace;
  const Vectors vectors = draw_vectors(state);
  add_pair(trace, state, vectors);
  add_density(trace, state);
  add_softmax(trace, state, vectors);
  // What the job has drawn takes the place of the fewer draws that are made at once.
  if (inputs.job != nullptr && !inputs.job->results.tensors.empty()) {
    for (const Tensor& tensor : inputs.job->results.tensors)
      trace.add(tensor.name, tensor.values, tensor.row_labels, tensor.column_labels);
  } else {
    add_histogram(trace, state, draw_histogram(state));
    draw_curves(state).add(trace);
  }
  add_class(trace, state);
  return trace;
}

std::string provenance(const State& state) {
  std::string text =
      "Drawn at random from the seed, not trained. Vaswani et al. 2017, footnote 4, give this reason for 1/√d";
  if (state.preset == Preset::coffee) return text + "; the sizes are those of an article’s three words.";
  if (state.preset == Preset::features) return text + "; the sizes are those of an article’s class.";
  return text + ", and the articles the vanishing gradient.";
}

std::string_view job_label(const State&) { return "Draw 20,000 pairs"; }

std::unique_ptr<Job> job(const State& state) {
  auto made = std::make_unique<Job>();
  made->snapshot.total = kJobPairs;
  made->snapshot.unit = "pairs";
  made->snapshot.outcome = "The histogram and the curves are made of them.";
  made->step = [state, drawn = Histogram(half_width(state), kBins), curves = CurveDraws(state),
                random = stream("whole pairs", state.seed)](JobSnapshot& snapshot) mutable {
    double dot = 0;
    for (int i = 0; i < state.d; ++i) {
      const double q = state.sigma_q * random.normal();
      dot += q * state.sigma_k * random.normal();
    }
    drawn.take(dot);
    const int done = ++snapshot.done;
    if (done % (kJobPairs / kJobTrials) == 0) curves.trial();
    if (done % (kJobPairs / kRefreshes) != 0) return;
    ++snapshot.revision;
    snapshot.results = {};
    add_histogram(snapshot.results, state, drawn);
    curves.add(snapshot.results);
  };
  return made;
}

}  // namespace limelight::scenes::scale
