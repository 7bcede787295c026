#include "learn/train_step.h"

#include <algorithm>

#include "io/numbers.h"

namespace limelight::learn {
namespace {

// Of the running mean of the losses: about the last fifty batches count.
constexpr double kMeanShare = 0.02;
// A guess among all words costs the logarithm of how many there are; a mean loss of this many times that is no
// learning.
constexpr double kDivergence = 2;
constexpr int kFirstSteps = 20;  // too few for a verdict

Error diverged(const Record& record, double loss, double guess, double rate) {
  const std::string value = std::isfinite(loss) ? io::format_short(loss) : "not a finite number";
  return {"The training diverged at step " + std::to_string(record.step) + ": the loss is " + value +
          ", where guessing has " + io::format_short(guess) + ". The rate " + io::format_short(rate) +
          " is too high; try " + io::format_short(rate / 10) + "."};
}

}  // namespace

double rate_at(const Schedule& schedule, int step) {
  const double rising = std::min(1.0, (step + 1.0) / std::max(schedule.warm_up, 1));
  const double left = 1 - static_cast<double>(step) / std::max(schedule.steps, 1);
  return rising * (schedule.decay ? schedule.rate * std::max(left, 0.0) : schedule.rate);
}

Result<void> note_step(Record& record, const BatchLoss& batch, int words, double rate) {
  const double guess = std::log(static_cast<double>(words));
  if (!std::isfinite(batch.loss)) return std::unexpected(diverged(record, batch.loss, guess, rate));
  if (record.step == 0) record.first_loss = record.loss = batch.loss;
  record.loss += kMeanShare * (batch.loss - record.loss);
  record.tokens += batch.tokens;
  ++record.step;
  if (record.step >= kFirstSteps && record.loss > kDivergence * std::max(guess, record.first_loss))
    return std::unexpected(diverged(record, record.loss, guess, rate));
  return {};
}

}  // namespace limelight::learn
