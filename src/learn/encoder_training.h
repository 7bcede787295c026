// Training of an encoder to say which words are missing, as learn/train_step.h has it.
//
// A share of the words of each sentence is to be said (Devlin et al. 2019, section 3.1). Of these most are [MASK], some
// are another word of their kind, half of the finite verbs among them the one of the other number, so that a word that
// is there has to fit, too; and some are as they were. The loss is the mean cross-entropy of the true words. Of the
// words that are seen some are read by their letters, which is how those are learned, and some of these have other
// letters but at their end: "blons" in place of "dogs", for words that no one knows.
#pragma once

#include "learn/adam.h"
#include "learn/encoder.h"
#include "learn/settings.h"

namespace limelight::learn::sentences {

inline constexpr std::string_view kTask = "sentence";

struct Settings {
  std::string task{kTask};
  int seed = 1;
  int steps = 20000;  // batches in all
  int batch = 64;
  double rate = 2e-3;
  int warm_up = 500;  // the batches in which the rate rises evenly to that
  bool decay = true;  // and falls evenly, to 0 after the last step
  double clip = 1;
  int layers = 3, heads = 6, size = 96, hidden = 192, letters = 384;
  double masked = 0.2;    // of the words; at least one of a sentence
  double replaced = 0.2;  // of those: another word of the same kind
  double kept = 0.1;      // of those: as it was
  double spelled = 0.1;   // of the words that are seen: by their letters
  double invented = 0.3;  // of those that are nouns, verbs or adjectives: with other letters

  void fields(io::FieldVisitor& field) {
    field({.name = "task", .label = "The task"}, task);
    field({.name = "seed", .label = "The seed", .range = {0, 2147483647}}, seed);
    field({.name = "steps", .label = "The number of steps", .range = {0, 10000000}}, steps);
    field({.name = "batch", .label = "The number of sentences in a batch", .range = {1, 1024}}, batch);
    field({.name = "rate", .label = "The rate", .range = {1e-7, 1000}, .logarithmic = true}, rate);
    field({.name = "warm_up", .label = "The number of steps in which the rate rises", .range = {0, 10000000}}, warm_up);
    field({.name = "decay", .label = "A rate that falls to 0"}, decay);
    field({.name = "clip", .label = "The longest gradient", .range = {1e-3, 1000}, .logarithmic = true}, clip);
    field({.name = "layers", .label = "The number of layers", .range = {1, kMostLayers}}, layers);
    field({.name = "heads", .label = "The number of heads of a layer", .range = {1, 16}}, heads);
    field({.name = "size", .label = "The numbers of a word", .range = {1, 512}}, size);
    field({.name = "hidden", .label = "The hidden size", .range = {1, 2048}}, hidden);
    field({.name = "letters", .label = "The rows of letters", .range = {1, 4096}}, letters);
    field({.name = "masked", .label = "The share of words that are to be said", .range = {0, 1}}, masked);
    field({.name = "replaced", .label = "The share of these that are replaced", .range = {0, 1}}, replaced);
    field({.name = "kept", .label = "The share of these that are kept", .range = {0, 1}}, kept);
    field({.name = "spelled", .label = "The share of words that are read by letters", .range = {0, 1}}, spelled);
    field({.name = "invented", .label = "The share of these that are invented", .range = {0, 1}}, invented);
  }
};

// Errors: heads that do not divide the size, shares that sum to more than 1.
Result<Config> make_config(const Settings& settings);

// All that a checkpoint holds.
struct Training {
  Settings settings;
  Config config;
  Weights weights;
  AdamOf<Weights> adam;
  Record record;
};

// Errors: as of make_config.
Result<Training> start_training(const Settings& settings);

// What a step needs and the next one uses again, of one training.
struct Scratch {
  Tape<float> tape;
  Weights gradients;
  Batch batch;
  std::vector<int> rows, targets;  // of the words that are to be said
};

// The gradients of a batch of these sentences, into scratch.gradients; `random` draws what is masked. Returns the mean
// cross-entropy in nats per word.
double differentiate(const Training& training, std::span<const english::Sentence> some, Random& random,
                     Scratch& scratch);

// One batch. Errors: the loss is not finite, or has stayed above what guessing would give.
Result<void> train_step(Training& training, Scratch& scratch);

// ---- as files, by learn/checkpoint.h ----

inline constexpr std::string_view kFormat = "limelight sentence encoder 1";  // in the metadata

// With the optimiser's state, in single precision: training goes on from it. Without: for reading only.
std::vector<std::byte> write_checkpoint(const Training& training);
std::vector<std::byte> write_model(const Training& training, bool half);

// What write_checkpoint or write_model wrote; adam is empty (steps 0) in a model. Errors: those of .safetensors,
// another format, another vocabulary, a tensor that is missing, foreign or wrongly shaped.
Result<Training> read_training(std::span<const std::byte> bytes, std::string_view name);

}  // namespace limelight::learn::sentences
