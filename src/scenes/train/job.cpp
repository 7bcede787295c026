// The training as a job that lasts: batch by batch, with looks at what is held out in between. The models with and
// without attention are both kept; the state says which of them goes on.
#include <algorithm>
#include <optional>

#include "io/numbers.h"
#include "scenes/train/record.h"

namespace limelight::scenes::train {
namespace {

using learn::kHeldOut;
using learn::Learner;

std::string outcome_of(const Run& run) {
  const std::string after = " after " + std::to_string(run.record.step) + " batches";
  if (run.diverged)
    return "**Diverged**" + after + ": the rate " + io::format_short(run.rate) +
           " is too high; going back lowers it to " + io::format_short(run.back_rate) + ".";
  return (run.converged ? "**Converged**" : "**Done**") + after + ": in the latest look " +
         io::format_percent(run.record.held_out) + " of " + std::to_string(kHeldOut) + " unseen words were right.";
}

class Trainer {
 public:
  Trainer(const State& state, const Inputs& inputs) : state_(state), clock_(inputs.clock) {
    for (const int model : {kWith, kWithout})  // at the record's end there is nothing more to learn: it begins anew
      if (const std::shared_ptr<const Recorded> record = recorded_of(state, model == kWith, inputs);
          record != nullptr && state.moment < kLastMoment)
        from_[static_cast<std::size_t>(model)] = {record, &record->runs[static_cast<std::size_t>(state.moment)]};
    heed(state);
  }

  // Which model goes on, and how fast.
  void heed(const State& state) {
    state_ = state;
    const auto model = static_cast<std::size_t>(model_of(state));
    std::optional<Learner>& one = learners_[model];
    if (!one) one.emplace(settings_of(state), clock_, from_[model], kMoments);
    one->set_rate(state.rate);
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

  void tell(JobSnapshot& snapshot) {
    // The last batch is followed by a look.
    snapshot.done = std::min(learner().steps(), learner().looks() ? kMostSteps - 1 : kMostSteps);
    snapshot.ended = learner().ended();
    if (snapshot.finished()) snapshot.outcome = outcome_of(learner().run());
  }

 private:
  [[nodiscard]] Learner& learner() { return *learners_[static_cast<std::size_t>(model_of(state_))]; }

  State state_;
  Clock clock_;
  std::array<std::shared_ptr<const Run>, 2> from_;  // recorded moments that the models go on from
  std::array<std::optional<Learner>, 2> learners_;
};

std::unique_ptr<Job> job_of(std::shared_ptr<Trainer> trainer, JobSnapshot begun) {
  auto made = std::make_unique<Job>();
  made->lasts = true, made->seen_by = {{"live", "on"}}, made->snapshot = std::move(begun);
  made->step = [trainer](JobSnapshot& snapshot) { trainer->step(snapshot); };
  made->heed = [trainer](JobSnapshot& snapshot, const std::any& now) {
    trainer->heed(state_in<State>(now)), trainer->tell(snapshot);
  };
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

const Product* product_of(const Inputs& inputs) {
  return inputs.job == nullptr ? nullptr : std::any_cast<Product>(&inputs.job->product);
}

std::string_view job_label(const State&) { return "Train"; }

std::unique_ptr<Job> job(const State& state, const Inputs& inputs) {
  JobSnapshot snapshot;
  snapshot.total = kMostSteps, snapshot.unit = "batches";
  return job_of(std::make_shared<Trainer>(state, inputs), std::move(snapshot));
}

}  // namespace limelight::scenes::train
