// Training of an encoder and decoder, step by step or a part of one at a time, as learn/train_step.h has it.
#pragma once

#include "learn/settings.h"

namespace limelight::learn {

// Of the held-out pairs with a source of this length, those that came out right in every word.
struct LengthScore {
  int length = 0;  // in words
  int count = 0;
  int exact = 0;

  bool operator==(const LengthScore&) const = default;
};

// All that a checkpoint holds.
struct Training {
  Settings settings;
  Task task;
  Config config;
  Weights weights;
  Adam adam;
  Record record;
  std::vector<LengthScore> by_length = {};  // of an evaluation that was recorded; empty: there was none
};

// Errors: settings that do not go together, lengths of which the task has no pairs.
Result<Training> start_training(const Settings& settings);

// What a step needs and the next one uses again.
struct TrainingScratch {  // of one training
  Tape<float> tape;
  Weights gradients;
  std::vector<Pair> pairs;  // of the batch
  std::size_t done = 0;     // of them
  double tokens = 0;        // of their targets, kStop included
  double loss = 0;          // of those that are done
};

// One batch. Errors: the loss is not finite, or has stayed above what guessing would give: the weights are of no use
// any more, and the sentence says which rate to try.
Result<void> train_step(Training& training, TrainingScratch& scratch);
// A part of one: whole pairs, with about so many tokens in their targets. True after the last part, which makes the
// step.
Result<bool> train_part(Training& training, TrainingScratch& scratch, int tokens);

// ---- as files, by learn/checkpoint.h ----

inline constexpr std::string_view kFormat = "limelight encoder-decoder 1";  // in the metadata

// With the optimiser's state, in single precision: training goes on from it. Without: for reading only.
std::vector<std::byte> write_checkpoint(const Training& training);
std::vector<std::byte> write_model(const Training& training, bool half);

// What write_checkpoint or write_model wrote; adam is empty (steps 0) in a model. Errors: those of .safetensors,
// another format, another vocabulary, a tensor that is missing, foreign or wrongly shaped.
Result<Training> read_training(std::span<const std::byte> bytes, std::string_view name);

}  // namespace limelight::learn
