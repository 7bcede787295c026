#include "learn/training.h"

#include <cassert>
#include <limits>

#include "learn/train_step.h"

namespace limelight::learn {
namespace {

double tokens_of(const Pair& pair) { return static_cast<double>(pair.target.size() + 1); }  // with kStop

void begin_batch(const Training& training, TrainingScratch& scratch) {
  clear_gradients(scratch.gradients, training.config);
  Random random = random_of_batch(training);
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
  auto training = begin_training<Training>(settings, make_config(settings, *task));
  training.task = std::move(*task);
  return training;
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

  const Result<void> finished = finish_step(
      training, scratch.gradients, {.loss = scratch.loss, .tokens = scratch.tokens}, training.config.target_words);
  if (!finished) return std::unexpected(finished.error());
  return true;
}

Result<void> train_step(Training& training, TrainingScratch& scratch) {
  const Result<bool> done = train_part(training, scratch, std::numeric_limits<int>::max());
  if (!done) return std::unexpected(done.error());
  return {};
}

}  // namespace limelight::learn
