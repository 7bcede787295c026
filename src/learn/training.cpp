#include "learn/training.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "io/numbers.h"
#include "learn/weights.h"

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

double tokens_of(const Pair& pair) { return static_cast<double>(pair.target.size() + 1); }  // with kStop

void begin_batch(const Training& training, TrainingScratch& scratch) {
  if (scratch.gradients.output.weight.size() == 0) scratch.gradients = make_weights<float>(training.config);
  clear_each(scratch.gradients);
  Random random(
      hash_text("batch " + std::to_string(training.record.step), static_cast<std::uint64_t>(training.settings.seed)));
  scratch.pairs.clear();
  scratch.done = 0;
  scratch.tokens = scratch.loss = 0;
  for (int i = 0; i < training.settings.batch; ++i)
    if (std::optional<Pair> pair = training.task.draw(random, Part::training, training.task.lengths)) {
      scratch.tokens += tokens_of(*pair);
      scratch.pairs.push_back(std::move(*pair));
    }
  assert(!scratch.pairs.empty());  // start_training has drawn one
}

Batch batch_of(std::span<const Pair> pairs) {
  std::vector<const std::vector<int>*> sources, targets;
  for (const Pair& pair : pairs) {
    sources.push_back(&pair.source);
    targets.push_back(&pair.target);
  }
  return make_batch(sources, targets);
}

}  // namespace

Result<Task> make_task(const Settings& settings) {
  const Result<const TaskDef*> found = find_task(settings.task);
  if (!found) return std::unexpected(found.error());
  if (settings.max_words < settings.min_words)
    return fail("The greatest number of words, " + std::to_string(settings.max_words) + ", is below the least, " +
                std::to_string(settings.min_words) + "; it must not be.");
  return (*found)->make((*found)->name,
                        {.symbols = settings.symbols, .lengths = {settings.min_words, settings.max_words}});
}

Config make_config(const Settings& settings, const Task& task) {
  return {.source_words = task.source.size(),
          .target_words = task.target.size(),
          .embedding = settings.embedding,
          .hidden = settings.hidden,
          .attention_size = settings.attention_size,
          .attention = settings.attention,
          .score = settings.score};
}

Result<Training> start_training(const Settings& settings) {
  Result<Task> task = make_task(settings);
  if (!task) return std::unexpected(task.error());
  Random look(static_cast<std::uint64_t>(settings.seed));
  for (const Part part : {Part::training, Part::held_out})
    if (!task->draw(look, part, task->lengths))
      return std::unexpected(no_pairs(settings.task, part == Part::held_out ? "held-out" : "", task->lengths));
  const Config config = make_config(settings, *task);
  Random random(hash_text("weights", static_cast<std::uint64_t>(settings.seed)));
  return Training{.settings = settings,
                  .task = std::move(*task),
                  .config = config,
                  .weights = draw_weights(config, random),
                  .adam = make_adam(config),
                  .record = {}};
}

Result<bool> train_part(Training& training, TrainingScratch& scratch, int tokens) {
  if (scratch.done == scratch.pairs.size()) begin_batch(training, scratch);
  const std::span<const Pair> left = std::span<const Pair>(scratch.pairs).subspan(scratch.done);
  std::size_t count = 1;
  double counted = tokens_of(left[0]);
  for (; count < left.size() && counted + tokens_of(left[count]) <= tokens; ++count) counted += tokens_of(left[count]);
  const Batch batch = batch_of(left.first(count));
  const double share = counted / scratch.tokens;
  Tape<float>& tape = scratch.tape;
  tape.clear();
  const Value loss = batch_loss(tape, place(tape, training.weights, &scratch.gradients), training.config, batch);
  tape.backward(loss, static_cast<float>(share));
  scratch.loss += share * static_cast<double>(tape.value(loss)(0, 0));
  scratch.done += count;
  if (scratch.done < scratch.pairs.size()) return false;

  const Settings& settings = training.settings;
  const double rate = rate_at(settings.rate, settings.decay, training.record.step, settings.steps);
  const double norm =
      adam_step(training.adam, {.rate = rate, .clip = settings.clip}, scratch.gradients, training.weights);
  const Result<void> noted = note_step(training.record, std::isfinite(norm) ? scratch.loss : norm, scratch.tokens,
                                       training.config.target_words, settings.rate);
  if (!noted) return std::unexpected(noted.error());
  return true;
}

Result<void> train_step(Training& training, TrainingScratch& scratch) {
  const Result<bool> done = train_part(training, scratch, std::numeric_limits<int>::max());
  if (!done) return std::unexpected(done.error());
  return {};
}

double rate_at(double rate, bool decay, int step, int steps) {
  const double left = 1 - static_cast<double>(step) / std::max(steps, 1);
  return decay ? rate * std::max(left, 0.0) : rate;
}

Result<void> note_step(Record& record, double loss, double tokens, int words, double rate) {
  const double guess = std::log(static_cast<double>(words));
  if (!std::isfinite(loss)) return std::unexpected(diverged(record, loss, guess, rate));
  if (record.step == 0) record.first_loss = record.loss = loss;
  record.loss += kMeanShare * (loss - record.loss);
  record.tokens += tokens;
  ++record.step;
  if (record.step >= kFirstSteps && record.loss > kDivergence * std::max(guess, record.first_loss))
    return std::unexpected(diverged(record, record.loss, guess, rate));
  return {};
}

}  // namespace limelight::learn
