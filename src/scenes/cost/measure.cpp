#include "scenes/cost/measure.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "core/fused.h"
#include "core/linear.h"
#include "core/tile.h"
#include "scenes/cost/scalar.h"

namespace limelight::scenes::cost {
namespace {

constexpr int kSliceNumbers = 1 << 16;  // that are drawn in a slice
constexpr int kRounds = 5;              // of what takes no longer than a slice; the shortest time is shown
constexpr int kFirstWarmUps = 8;        // runs that are not timed: engines begin with slow code
constexpr int kFewRounds = 3;           // of what takes up to kFewSlices
constexpr int kFewSlices = 40;
// A short computation is run until so much time has passed, in each of its parts: in both, 40 ticks of a browser's
// clock, whose steps are 0.1 ms.
constexpr double kLeastSeconds = 2e-3;
constexpr int kMostBatches = 1000;  // should the clock stand still
constexpr int kScalarSlower = 4;
constexpr int kBatchesInSlice = 15;

// Fused comes first at each size: the others are compared with its output.
constexpr int kOrder[] = {Way::fused, Way::traced, Way::windowed, Way::linear, Way::scalar};

// The rows of a long computation, or the keys and then the rows.
void plan_rows(std::vector<Slice>& list, Slice slice, int n, double rows_in_slice) {
  const int tile = slice.way == Way::scalar ? ScalarAttention::kRows : kTileRows;
  const int count = std::min(n, std::max(1, static_cast<int>(rows_in_slice) / tile) * tile);
  for (slice.begin = 0; slice.begin < n; slice.begin = slice.end) {
    slice.end = std::min(n, slice.begin + count);
    list.push_back(slice);
  }
}

double work_of(int way, const Shape& shape) { return products(way, shape) * (way == Way::scalar ? kScalarSlower : 1); }

int rounds_of(double work) {
  if (work <= kSliceProducts) return kRounds;
  return work <= kFewSlices * kSliceProducts ? kFewRounds : 1;
}

// One repetition.
void plan_way(std::vector<Slice>& list, int way, int size, const Shape& shape) {
  const double work = work_of(way, shape);
  Slice slice{.way = way, .size = size, .end = shape.n};
  if (work <= kSliceProducts) {
    slice.work = Work::whole;
    slice.calls = std::max(1, static_cast<int>(kSliceProducts / kBatchesInSlice / work));
    for (int part = 1; part <= kParts; ++part) {
      slice.last = part == kParts;
      list.push_back(slice);
    }
  } else {
    const double rows = kSliceProducts / work * shape.n;
    slice.last = false;
    slice.work = Work::start;
    list.push_back(slice);
    if (way == Way::linear) {
      slice.work = Work::keys;
      plan_rows(list, slice, shape.n, 2 * rows);  // each half is half of the work
    }
    slice.work = Work::rows;
    plan_rows(list, slice, shape.n, way == Way::linear ? 2 * rows : rows);
    list.back().last = true;
  }
}

// All ways in each round, so that what else the machine does meanwhile falls on all of them.
void plan_size(std::vector<Slice>& list, const State& state, int size) {
  const Shape shape = state.shape(size);
  for (const int way : kOrder) {
    if (!is_measured(state, way, size) || work_of(way, shape) > kSliceProducts) continue;
    const std::size_t before = list.size();
    for (int i = 0; i < (size == 0 ? kFirstWarmUps : 1); ++i) plan_way(list, way, size, shape);
    for (std::size_t i = before; i < list.size(); ++i) list[i].counts = false;
  }
  for (int round = kRounds; round > 0; --round)
    for (const int way : kOrder) {
      if (!is_measured(state, way, size) || round > rounds_of(work_of(way, shape))) continue;
      plan_way(list, way, size, shape);
      if (round == 1) list.push_back({.work = Work::finish, .way = way, .size = size});
    }
}

// What a computation holds; only what its way needs is there.
struct Attending {
  std::optional<FusedAttention> fused;
  std::optional<LinearAttention> linear;
  std::optional<ScalarAttention> scalar;
  Matrix weights;
};

class Measurement {
 public:
  Measurement(const State& state, Clock clock)
      : state_(state),
        clock_(std::move(clock)),
        slices_(plan(state)),
        tokens_(state.longest(), state.d, state.data, state.seed),
        time_(Matrix::Zero(Way::count, kSizes)),
        apart_(Matrix::Zero(Way::count, kSizes)) {}

  [[nodiscard]] int count() const { return static_cast<int>(slices_.size()); }

  void step(JobSnapshot& snapshot) {
    const Slice& slice = slices_[static_cast<std::size_t>(snapshot.done)];
    if (slice.work == Work::draw) return draw_rows(tokens_, slice.end);
    if (slice.work == Work::finish) {
      finish(slice);
      ++snapshot.revision;
      snapshot.results = {};
      snapshot.results.add("time", time_);
      snapshot.results.add("apart", apart_);
      return;
    }
    if (output_.rows() != size_at(slice.size)) output_.resize(size_at(slice.size), state_.d);
    pieces_[static_cast<int>(slice.work)].push_back(seconds_of(slice));
    if (!slice.last) return;
    double seconds = 0;
    for (std::vector<double>& equal : pieces_) {
      seconds += time_of_slices(equal);
      equal.clear();
    }
    if (slice.counts) samples_[slice.way].push_back(seconds);
  }

 private:
  // What it adds to its repetition's time.
  double seconds_of(const Slice& slice) {
    const double before = clock_();
    const bool whole = slice.work == Work::whole;
    const int most = whole ? kMostBatches : 1;
    double seconds = 0;
    int batches = 0;
    while (batches < most && seconds < kLeastSeconds) {
      for (int call = 0; call < slice.calls; ++call) work(slice);
      ++batches;
      seconds = clock_() - before;
    }
    return seconds / batches / slice.calls / (whole ? kParts : 1);
  }

  void work(const Slice& slice) {
    const bool whole = slice.work == Work::whole;
    if (whole || slice.work == Work::start) start(slice);
    if ((whole && slice.way == Way::linear) || slice.work == Work::keys)
      attending_.linear->add(tokens_.key.middleRows(slice.begin, slice.end - slice.begin),
                             tokens_.value.middleRows(slice.begin, slice.end - slice.begin));
    if (whole || slice.work == Work::rows) rows(slice);
  }

  void start(const Slice& slice) {
    const Shape shape = state_.shape(slice.size);
    const auto key = tokens_.key.topRows(shape.n), value = tokens_.value.topRows(shape.n);
    const AttentionOptions options = options_for(slice.way, shape);
    attending_ = {};
    if (slice.way == Way::linear)
      attending_.linear.emplace(shape.d, shape.d);
    else if (slice.way == Way::scalar)
      attending_.scalar.emplace(key, value, options);
    else
      attending_.fused.emplace(key, value, options);
    if (slice.way == Way::traced) attending_.weights.resize(shape.n, shape.n);
  }

  void rows(const Slice& slice) {
    const auto query = tokens_.query.topRows(size_at(slice.size));
    if (slice.way == Way::linear)
      attending_.linear->rows(query, slice.begin, slice.end, output_);
    else if (slice.way == Way::scalar)
      attending_.scalar->rows(query, slice.begin, slice.end, output_);
    else if (slice.way == Way::traced)
      attending_.fused->rows(query, slice.begin, slice.end, output_, attending_.weights);
    else
      attending_.fused->rows(query, slice.begin, slice.end, output_);
  }

  void finish(const Slice& slice) {
    std::vector<double>& samples = samples_[slice.way];
    time_(slice.way, slice.size) = static_cast<float>(1e3 * std::ranges::min(samples));
    if (slice.way == Way::fused)
      reference_ = output_;
    else
      apart_(slice.way, slice.size) = static_cast<float>(relative_difference(output_, reference_));
    samples.clear();
    attending_ = {};
  }

  State state_;
  Clock clock_;
  std::vector<Slice> slices_;
  Tokens tokens_;
  Attending attending_;
  Matrix output_, reference_;                                               // [n, d]
  std::array<std::vector<double>, static_cast<int>(Work::finish)> pieces_;  // seconds of this repetition's slices
  std::array<std::vector<double>, Way::count> samples_;                     // seconds of each way's repetitions
  Matrix time_, apart_;
};

}  // namespace

bool is_measured(const State& state, int way, int size) {
  const Shape shape = state.shape(size);
  if (shape.n > state.longest()) return false;
  if (way == Way::traced) return memory(way, shape) <= kBudget;
  return way != Way::scalar || shape.n <= kLongestScalar;
}

std::vector<Slice> plan(const State& state) {
  std::vector<Slice> list;
  int drawn = 0;
  for (int size = 0; size < kSizes && size_at(size) <= state.longest(); ++size) {
    const int pitch = std::max(1, kSliceNumbers / (3 * state.d));
    while (drawn < size_at(size)) {
      const int end = std::min(size_at(size), drawn + pitch);
      list.push_back({.work = Work::draw, .size = size, .begin = drawn, .end = end});
      drawn = end;
    }
    plan_size(list, state, size);
  }
  return list;
}

std::unique_ptr<Job> measure(const State& state, Clock clock) {
  auto made = std::make_unique<Job>();
  auto measurement = std::make_shared<Measurement>(state, std::move(clock));
  made->lasts = true;
  made->snapshot.total = measurement->count();
  made->snapshot.unit = "measurements";
  made->snapshot.outcome = "The curves of time are made of them.";
  made->step = [measurement](JobSnapshot& snapshot) {
    measurement->step(snapshot);
    ++snapshot.done;
  };
  return made;
}

std::string_view job_label(const State& state) {
  static constexpr std::string_view labels[] = {"Measure here, up to 1,024", "Measure here, up to 4,096",
                                                "Measure here, up to 8,192", "Measure here, up to 16,384"};
  for (int choice = 0; choice < 4; ++choice)
    if (std::to_string(state.longest()) == kUpTo[choice].value) return labels[choice];
  return labels[0];
}

std::unique_ptr<Job> job(const State& state, const Inputs& inputs) { return measure(state, inputs.clock); }

}  // namespace limelight::scenes::cost
