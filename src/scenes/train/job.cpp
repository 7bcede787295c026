#include "scenes/train/job.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <optional>

#include "io/numbers.h"

namespace limelight::scenes::train {
namespace {

constexpr std::size_t kMostPoints = 400;
constexpr int kShowEvery = 5;     // batches
constexpr int kGroups = 8;        // of lengths
constexpr int kSliceWords = 300;  // that one slice of a look writes, or of a batch has, about, with a hidden size of 64
// A loss that is this much above the lowest is no good state to go back to.
constexpr double kWorse = 1.1;
constexpr int kTrial = 10;  // batches after a state that show whether it is good

// A look at what is held out, in slices that are short against a frame.
struct Look {
  int slice = 0;
  int count = 0, exact = 0;
  std::map<int, learn::LengthScore> by_length;
};

std::vector<Group> groups_of(const std::map<int, learn::LengthScore>& by_length, const learn::Lengths& lengths) {
  const int width = std::max(1, (lengths.most - lengths.least + kGroups) / kGroups);
  std::vector<Group> groups;
  for (const auto& [length, score] : by_length) {
    const int from = lengths.least + (length - lengths.least) / width * width;
    if (groups.empty() || groups.back().from != from)
      groups.push_back({from, std::min(from + width - 1, lengths.most), 0, 0});
    groups.back().pairs += score.count;
    groups.back().exact += score.exact;
  }
  return groups;
}

// One model's training.
class Learner {
 public:
  Learner(const learn::Settings& settings, Clock clock)
      : training_(*learn::start_training(settings)), clock_(std::move(clock)) {
    good_ = {training_.weights, training_.adam, run_};
  }
  // What is done of a batch does not count.
  Learner(const Learner& other)
      : training_(other.training_),
        clock_(other.clock_),
        run_(other.run_),
        good_(other.good_),
        candidate_(other.candidate_),
        lowest_(other.lowest_),
        looking_(other.looking_) {}
  Learner& operator=(const Learner&) = delete;

  void set_rate(double rate) { training_.settings.rate = rate; }
  [[nodiscard]] int steps() const { return run_.record.step; }
  [[nodiscard]] bool ended() const { return run_.converged || run_.diverged; }
  [[nodiscard]] bool looks() const { return looking_.has_value(); }
  [[nodiscard]] const Run& run() const { return run_; }
  [[nodiscard]] double held_out() const { return run_.record.held_out; }

  // A slice of a batch or of a look. True when there is something new to be shown.
  bool step() {
    const double start = clock_();
    const bool news = looking_ ? look() : learn();
    run_.seconds += clock_() - start;
    return news;
  }

  // Gives the rate with which it is to go on.
  double go_back() {
    const double rate = slower();
    training_.weights = good_.weights;
    training_.adam = good_.adam;
    training_.record = good_.run.record;
    const double seconds = run_.seconds;
    run_ = good_.run;
    run_.seconds = seconds;
    run_.good_step = run_.record.step;
    looking_.reset();
    candidate_.reset();
    return rate;
  }

  // The run, with its weights.
  [[nodiscard]] std::shared_ptr<const Run> publish() const {
    auto made = std::make_shared<Run>(run_);
    made->weights = training_.weights;
    return made;
  }

 private:
  bool learn() {
    const int before = steps();
    const Result<bool> stepped = learn::train_part(training_, scratch_, kSliceWords * 64 / training_.settings.hidden);
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
    if (step % kLookEvery == 0) looking_.emplace();
    return step % kShowEvery == 0;
  }

  bool look() {
    const learn::Lengths& lengths = training_.task.lengths;
    const int pairs = std::clamp(kSliceWords / lengths.most, 2, 25), left = kHeldOut - looking_->count;
    const Result<learn::Evaluation> seen =
        learn::evaluate(training_, {.seed = ++looking_->slice, .count = std::min(pairs, left)});
    assert(seen);  // start_training has drawn such a pair
    looking_->count += seen->count;
    looking_->exact += seen->exact;
    for (const learn::LengthScore& score : seen->by_length) {
      learn::LengthScore& sum = looking_->by_length[score.length];
      sum.count += score.count;
      sum.exact += score.exact;
    }
    if (looking_->count < kHeldOut) return false;
    const double share = static_cast<double>(looking_->exact) / looking_->count, before = held_out();
    training_.record.held_out = run_.record.held_out = share;
    run_.exact.take(steps(), share);
    run_.look_step = steps();
    run_.groups = groups_of(looking_->by_length, lengths);
    run_.converged = share >= kConverged && before >= kConverged;
    looking_.reset();
    lowest_ = std::min(lowest_, run_.record.loss);
    if (run_.record.loss <= kWorse * lowest_) candidate_ = Good{training_.weights, training_.adam, run_};
    return true;
  }

  // The rate that served up to the good state, where the one that did not is higher; else the usual one, or a tenth.
  [[nodiscard]] double slower() const {
    const double served = good_.run.rate;
    if (served > 0 && served < run_.rate) return served;
    return std::max(std::min(State{}.rate, run_.rate / 10), kLowestRate);
  }

  struct Good {
    learn::Weights weights;
    learn::Adam adam;
    Run run;
  };

  // A state is good if the batches after it are: one batch at too high a rate ruins the weights, and its own loss,
  // which was taken before, does not show it.
  void confirm() {
    if (!candidate_ || steps() < candidate_->run.record.step + kTrial) return;
    if (run_.record.loss <= kWorse * lowest_) {
      good_ = std::move(*candidate_);
      run_.good_step = good_.run.record.step;
    }
    candidate_.reset();
  }
  learn::Training training_;
  Clock clock_;
  learn::TrainingScratch scratch_;
  Run run_;
  Good good_;                      // the start, at first
  std::optional<Good> candidate_;  // for it, of the last look
  double lowest_ = 1e30;           // of the losses at looks
  std::optional<Look> looking_;
};

std::string outcome_of(const Run& run) {
  const std::string step = std::to_string(run.record.step);
  if (run.diverged)
    return "**Stopped:** the training diverged at batch " + step + ". The rate " + io::format_short(run.rate) +
           " is too high; going back lowers it to " + io::format_short(run.back_rate) + ".";
  const std::string held_out = " of " + std::to_string(kHeldOut) + " held-out pairs were right",
                    latest = io::format_percent(run.record.held_out);
  if (run.converged)
    return "**Converged** after " + step + " batches: in two looks in succession at least " +
           io::format_percent(kConverged) + held_out + ", in the latest " + latest + ".";
  return "**All " + std::to_string(kMostSteps) + " batches are done:** " + latest + held_out + " in the latest look.";
}

class Trainer {
 public:
  Trainer(const State& state, Clock clock) : state_(state), clock_(std::move(clock)) { heed(state); }

  // Which model goes on, and how fast.
  void heed(const State& state) {
    state_ = state;
    std::optional<Learner>& one = learners_[static_cast<std::size_t>(model_of(state))];
    if (!one) one.emplace(settings_of(state), clock_);
    one->set_rate(state.rate);
  }
  void heed(const State& state, JobSnapshot& snapshot) {
    heed(state);
    tell(snapshot);
  }

  void step(JobSnapshot& snapshot) {
    if (learner().step() || learner().ended()) publish(snapshot);
    tell(snapshot);
  }

  io::Patch go_back(JobSnapshot& snapshot) {
    const double rate = learner().go_back();
    publish(snapshot);
    tell(snapshot);
    return {{"rate", io::format_short(rate)}};
  }

  void publish(JobSnapshot& snapshot) {
    const Product* const before = std::any_cast<Product>(&snapshot.product);
    Product now = before != nullptr ? *before : Product{};
    now.runs[static_cast<std::size_t>(model_of(state_))] = learner().publish();
    snapshot.product = std::move(now);
    ++snapshot.revision;
  }

 private:
  [[nodiscard]] Learner& learner() { return *learners_[static_cast<std::size_t>(model_of(state_))]; }

  void tell(JobSnapshot& snapshot) {
    // The last batch is followed by a look.
    snapshot.done = std::min(learner().steps(), learner().looks() ? kMostSteps - 1 : kMostSteps);
    snapshot.ended = learner().ended();
    if (snapshot.finished()) snapshot.outcome = outcome_of(learner().run());
  }

  State state_;
  Clock clock_;
  std::array<std::optional<Learner>, 2> learners_;
};

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

const Product* product_of(const Inputs& inputs) {
  return inputs.job == nullptr ? nullptr : std::any_cast<Product>(&inputs.job->product);
}

std::string_view job_label(const State&) { return "Train"; }

namespace {

std::unique_ptr<Job> job_of(std::shared_ptr<Trainer> trainer, JobSnapshot begun) {
  auto made = std::make_unique<Job>();
  made->lasts = true;
  made->snapshot = std::move(begun);
  made->step = [trainer](JobSnapshot& snapshot) { trainer->step(snapshot); };
  made->heed = [trainer](JobSnapshot& snapshot, const std::any& now) { trainer->heed(state_in<State>(now), snapshot); };
  made->refresh = [trainer](JobSnapshot& snapshot) { trainer->publish(snapshot); };
  made->go_back = [trainer](const JobSnapshot& snapshot) {
    auto other = std::make_shared<Trainer>(*trainer);
    JobSnapshot well = snapshot;
    io::Patch better = other->go_back(well);
    return std::pair(job_of(std::move(other), std::move(well)), std::move(better));
  };
  return made;
}

}  // namespace

std::unique_ptr<Job> job(const State& state, const Inputs& inputs) {
  JobSnapshot snapshot;
  snapshot.total = kMostSteps;
  snapshot.unit = "batches";
  return job_of(std::make_shared<Trainer>(state, inputs.clock), std::move(snapshot));
}

}  // namespace limelight::scenes::train
