#include "learn/run.h"

#include <algorithm>
#include <cassert>
#include <limits>

#include "learn/evaluation.h"

namespace limelight::learn {
namespace {

constexpr std::size_t kMostPoints = 400;
constexpr int kShowEvery = 5;     // batches
constexpr int kLookEvery = 50;    // batches
constexpr int kGroups = 8;        // of lengths
constexpr int kSliceWords = 120;  // that one slice of a look writes, or of a batch has, about, with a hidden size of 64
// A loss that is this much above the lowest is no good state to go back to.
constexpr double kWorse = 1.1;
constexpr int kTrial = 10;  // batches after a state that show whether it is good

std::vector<LengthGroup> groups_of(const std::map<int, LengthScore>& by_length, const Lengths& lengths) {
  const int width = std::max(1, (lengths.most - lengths.least + kGroups) / kGroups);
  std::vector<LengthGroup> groups;
  for (const auto& [length, score] : by_length) {
    const int from = lengths.least + (length - lengths.least) / width * width;
    if (groups.empty() || groups.back().from != from)
      groups.push_back({from, std::min(from + width - 1, lengths.most), 0, 0});
    groups.back().pairs += score.count;
    groups.back().exact += score.exact;
  }
  return groups;
}

}  // namespace

void Progress::take(int step, double value) {
  if (!points.empty() && step - points.back().first < every) return;
  points.emplace_back(step, value);
  if (points.size() < kMostPoints) return;
  every = std::max(2 * every, points[2].first - points[0].first);
  std::vector<std::pair<int, double>> half;
  for (std::size_t i = 0; i < points.size(); i += 2) half.push_back(points[i]);
  points = std::move(half);
}

Learner::Learner(const Settings& settings, std::function<double()> clock, std::shared_ptr<const Run> recorded,
                 std::span<const int> moments)
    : training_(*start_training(settings)),
      clock_(std::move(clock)),
      recorded_(std::move(recorded)),
      moments_(moments),
      rate_(settings.rate) {
  if (recorded_) run_.from = recorded_->record.step;
  good_ = now();
}

Learner::Learner(const Learner& other)
    : training_(other.training_),
      clock_(other.clock_),
      run_(other.run_),
      good_(other.good_),
      candidate_(other.candidate_),
      lowest_(other.lowest_),
      recorded_(other.recorded_),
      moments_(other.moments_),
      rate_(other.rate_),
      looking_(other.looking_) {}

bool Learner::step() {
  const double start = clock_();
  const bool news = looking_ ? look() : learn();
  run_.seconds += clock_() - start;
  return news;
}

double Learner::go_back() {
  const double rate = slower(), seconds = run_.seconds;
  run_ = good_.run;
  training_.weights = std::move(run_.weights);
  training_.adam = good_.adam;
  training_.record = run_.record;
  run_.weights = {};
  run_.seconds = seconds;
  run_.good_step = run_.record.step;
  looking_.reset();
  candidate_.reset();
  return rate;
}

Learner::Good Learner::now() const {
  Good made{training_.adam, run_};
  made.run.weights = training_.weights;
  return made;
}

bool Learner::learn() {
  const int before = steps();
  training_.settings.rate = before < run_.from ? recorded_->rate : rate_;
  const Result<bool> stepped = train_part(training_, scratch_, kSliceWords * 64 / training_.settings.hidden);
  if (stepped && !*stepped) return false;
  run_.record = training_.record;
  run_.rate = training_.settings.rate;
  const int step = steps();
  if (!stepped) {
    run_.diverged = true;
    run_.rose_to = step > before ? run_.record.loss : std::numeric_limits<double>::infinity();
    run_.back_rate = slower();
    return true;
  }
  confirm();
  run_.loss.take(step, run_.record.loss);
  if (step == run_.from) arrive();
  if (step > run_.from && (step % kLookEvery == 0 || std::ranges::find(moments_, step) != moments_.end()))
    looking_.emplace();
  return step == run_.from || step % kShowEvery == 0;
}

// It is where the record was: what that found out by looks holds here, too.
void Learner::arrive() {
  run_.exact = recorded_->exact;
  run_.groups = recorded_->groups;
  run_.look_step = recorded_->look_step;
  training_.record.held_out = run_.record.held_out = recorded_->record.held_out;
  lowest_ = run_.record.loss;
  run_.good_step = steps();
  good_ = now();
}

bool Learner::look() {
  const Lengths& lengths = training_.task.lengths;
  const int pairs = std::clamp(kSliceWords / lengths.most, 2, 25), left = kHeldOut - looking_->count;
  const Result<Evaluation> seen = evaluate(training_, {.seed = ++looking_->slice, .count = std::min(pairs, left)});
  assert(seen);  // start_training has drawn such a pair
  looking_->count += seen->count;
  looking_->exact += seen->exact;
  for (const LengthScore& score : seen->by_length) {
    LengthScore& sum = looking_->by_length[score.length];
    sum.count += score.count;
    sum.exact += score.exact;
  }
  if (looking_->count < kHeldOut) return false;
  const double share = static_cast<double>(looking_->exact) / looking_->count, before = run_.record.held_out;
  training_.record.held_out = run_.record.held_out = share;
  run_.exact.take(steps(), share);
  run_.look_step = steps();
  run_.groups = groups_of(looking_->by_length, lengths);
  run_.converged = share >= kConverged && before >= kConverged;
  looking_.reset();
  lowest_ = std::min(lowest_, run_.record.loss);
  if (run_.record.loss <= kWorse * lowest_) candidate_ = now();
  return true;
}

// The rate that served up to the good state, where the one that did not is higher; else the usual one, or a tenth.
double Learner::slower() const {
  const double served = good_.run.rate;
  if (served > 0 && served < run_.rate) return served;
  return std::max(std::min(Settings{}.rate, run_.rate / 10), kLowestRate);
}

// A state is good if the batches after it are: one batch at too high a rate ruins the weights, and its own loss, which
// was taken before, does not show it.
void Learner::confirm() {
  if (!candidate_ || steps() < candidate_->run.record.step + kTrial) return;
  if (run_.record.loss <= kWorse * lowest_) {
    good_ = std::move(*candidate_);
    run_.good_step = good_.run.record.step;
  }
  candidate_.reset();
}

}  // namespace limelight::learn
