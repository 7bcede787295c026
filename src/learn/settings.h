// What a training is told and what it has reached: the one list of both, for the command, the weights' metadata and the
// page.
#pragma once

#include <string>

#include "io/fields.h"
#include "learn/adam.h"
#include "learn/tasks.h"

namespace limelight::learn {

inline constexpr io::Choice kAttentionScores[] = {
    {"additive", "additive"}, {"general", "general"}, {"dot", "dot product"}};

struct Settings {
  std::string task = "reverse";
  int seed = 1;
  int steps = 3000;  // batches in all
  int batch = 32;
  double rate = 3e-3;
  bool decay = false;  // the rate falls evenly, to 0 after the last step
  double clip = 1;
  int embedding = 32, hidden = 64, attention_size = 64;
  bool attention = true;
  AttentionScore score = AttentionScore::additive;
  int symbols = 26;
  int min_words = 1, max_words = 10;  // of sources; letters and signs are words where a task is about characters

  bool operator==(const Settings&) const = default;

  void fields(io::FieldVisitor& field) {
    field({.name = "task", .label = "The task"}, task);
    field({.name = "seed", .label = "The seed", .range = {0, 2147483647}}, seed);
    field({.name = "steps", .label = "The number of steps", .range = {0, 10000000}}, steps);
    field({.name = "batch", .label = "The number of pairs in a batch", .range = {1, 1024}}, batch);
    field({.name = "rate", .label = "The rate", .range = {1e-7, 1000}, .logarithmic = true}, rate);
    field({.name = "decay", .label = "A rate that falls to 0"}, decay);
    field({.name = "clip", .label = "The longest gradient", .range = {1e-3, 1000}, .logarithmic = true}, clip);
    field({.name = "embedding", .label = "The embedding size", .range = {1, 512}}, embedding);
    field({.name = "hidden", .label = "The hidden size", .range = {1, 512}}, hidden);
    field({.name = "attention_size", .label = "The size of attention's hidden layer", .range = {1, 512}},
          attention_size);
    field({.name = "attention", .label = "Attention"}, attention);
    field({.name = "score", .label = "The score of attention", .choices = kAttentionScores}, score);
    field({.name = "symbols", .label = "The number of letters", .range = {2, 26}}, symbols);
    field({.name = "min_words", .label = "The least number of words", .range = {1, kMostWords}}, min_words);
    field({.name = "max_words", .label = "The greatest number of words", .range = {1, kMostWords}}, max_words);
  }
};

struct Record {
  int step = 0;           // batches so far
  double tokens = 0;      // of targets, kStop included
  double loss = 0;        // running mean, in nats per token
  double first_loss = 0;  // of the first batch
  double held_out = -1;   // share of held-out pairs that were right at the last look; below 0: never looked

  void fields(io::FieldVisitor& field) {
    field({.name = "step", .label = "The step", .range = {0, 10000000}}, step);
    field({.name = "tokens", .label = "The number of target tokens", .range = {0, 1e15}}, tokens);
    field({.name = "loss", .label = "The loss", .range = {0, 1e30}}, loss);
    field({.name = "first_loss", .label = "The first loss", .range = {0, 1e30}}, first_loss);
    field({.name = "held_out", .label = "The held-out exact match", .range = {-1, 1}}, held_out);
  }
};

// Errors: no such task; a greatest length below the least.
Result<Task> make_task(const Settings& settings);
Config make_config(const Settings& settings, const Task& task);

}  // namespace limelight::learn
