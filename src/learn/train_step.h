// What all trainings have in common, whatever they train: they are seeded, so that a step depends on the settings and
// its number only, and go on from a checkpoint as if they had never stopped.
//
// A Training has settings (seed, steps, batch, rate, decay, clip), a config that the weights' sizes follow from, the
// weights, adam and a record.
#pragma once

#include <cmath>
#include <vector>

#include "learn/adam.h"
#include "learn/settings.h"
#include "learn/weights.h"

namespace limelight::learn {

// Weights that are drawn from the seed, and a record of nothing.
template <class Training, class Settings, class Config>
Training begin_training(const Settings& settings, const Config& config) {
  Random random(hash_text("weights", static_cast<std::uint64_t>(settings.seed)));
  Training training;
  training.settings = settings;
  training.config = config;
  training.weights = draw_weights(config, random);
  training.adam = make_adam(config);
  return training;
}

// What the batch of the present step is drawn with.
template <class Training>
Random random_of_batch(const Training& training) {
  return Random(
      hash_text("batch " + std::to_string(training.record.step), static_cast<std::uint64_t>(training.settings.seed)));
}

// Makes them 0; they get their sizes when they have none.
template <class Weights, class Config>
void clear_gradients(Weights& gradients, const Config& config) {
  if (count_each(gradients) == 0) gradients = make_weights<float>(config);
  clear_each(gradients);
}

struct Schedule {
  double rate = 0;
  bool decay = false;  // evenly, to 0 after the last step
  int steps = 0;       // in all
  int warm_up = 0;     // steps in which the rate rises evenly
};
// Of step number `step`, from 0.
double rate_at(const Schedule& schedule, int step);

// What a batch came to.
struct BatchLoss {
  double loss = 0;    // in nats per token
  double tokens = 0;  // how many were to be said
};

// Counts a step. Errors: the loss is not finite, or has stayed above what guessing among so many words would give; the
// weights are of no use any more, and the sentence says which rate to try.
Result<void> note_step(Record& record, const BatchLoss& batch, int words, double rate);

// Changes the weights by the gradients of a whole batch, clipped, and counts the step. Errors: as of note_step.
template <class Training, class Weights>
Result<void> finish_step(Training& training, const Weights& gradients, BatchLoss batch, int words, int warm_up = 0) {
  const auto& settings = training.settings;
  const double rate =
      rate_at({.rate = settings.rate, .decay = settings.decay, .steps = settings.steps, .warm_up = warm_up},
              training.record.step);
  const double norm = adam_step(training.adam, {.rate = rate, .clip = settings.clip}, gradients, training.weights);
  if (!std::isfinite(norm)) batch.loss = norm;
  return note_step(training.record, batch, words, settings.rate);
}

// Examples that draw(random) gives one by one.
template <class Training, class Draw>
auto draw_batch(const Training& training, Random& random, Draw&& draw) {
  std::vector<decltype(draw(random))> examples;
  for (int i = 0; i < training.settings.batch; ++i) examples.push_back(draw(random));
  return examples;
}

}  // namespace limelight::learn
