// Training of a captioner, as learn/train_step.h has it.
//
// Soft attention learns from the words alone: the mean cross-entropy of the true words, and the penalty
// λ Σ_i (T/L² − Σ_t α_ti)² (Xu et al. 2015, section 4.2.1). That makes maps even; most cells of these pictures are of
// no object, and a model that takes the mean of all cells does nearly as well as one that looks. λ_s H[α_t], which is
// not theirs, makes maps sharp instead. And a share of the pictures in a batch is described with contexts of 0: then
// s_0 has to say what is there, as it must where a word sees one cell only. At rates of 0.002 and more s_0 learns
// nothing at all: its layers' units die in the first steps.
//
// Hard attention cannot: the place that was drawn has no derivative. The gradient of the expected log-likelihood is
// estimated from one draw per word (Xu et al. 2015, eq. 11 and 12; Williams 1992):
//   ∂ ln p(y | s, a) + λ_r (R_t − b_t) ∂ ln p(s_t | a) + λ_e ∂ H[s_t]
// R_t: what a choice at word t can still change, Σ_u≥t ln p(y_u), which has the same mean as the whole caption's
// likelihood there and a smaller variance. b_t: a moving mean of R_t, b ← 0.9 b + 0.1 R, of each t for itself.
#pragma once

#include "learn/adam.h"
#include "learn/captioner.h"
#include "learn/settings.h"

namespace limelight::learn::captions {

inline constexpr int kMostWords = 24;  // of a caption, kStop included
inline constexpr io::Choice kGlimpses[] = {{"soft", "Soft"}, {"hard", "Hard"}};

inline constexpr std::string_view kTask = "caption";

struct Settings {
  std::string task{kTask};
  std::string from = "";  // the file that the weights began as; empty: drawn from the seed
  int seed = 1;
  int steps = 6000;  // batches in all
  int batch = 32;
  double rate = 6e-4;
  bool decay = true;  // the rate falls evenly, to 0 after the last step
  double clip = 1;
  Glimpse attention = Glimpse::soft;
  int grid = 8;
  int features = 96, embedding = 32, hidden = 112, attention_size = 64;
  double blind = 0.3;       // soft: the share of the pictures that are described without contexts
  double penalty = 0;       // λ
  double sharpness = 0.08;  // λ_s, soft: in nats per word for each nat
  double reward = 1;        // λ_r, hard
  double entropy = 0.01;    // λ_e, hard: in nats per word for each nat

  void fields(io::FieldVisitor& field) {
    field({.name = "task", .label = "The task"}, task);
    field({.name = "from", .label = "The file that it began as"}, from);
    field({.name = "seed", .label = "The seed", .range = {0, 2147483647}}, seed);
    field({.name = "steps", .label = "The number of steps", .range = {0, 10000000}}, steps);
    field({.name = "batch", .label = "The number of pictures in a batch", .range = {1, 256}}, batch);
    field({.name = "rate", .label = "The rate", .range = {1e-7, 1000}, .logarithmic = true}, rate);
    field({.name = "decay", .label = "A rate that falls to 0"}, decay);
    field({.name = "clip", .label = "The longest gradient", .range = {1e-3, 1000}, .logarithmic = true}, clip);
    field({.name = "attention", .label = "Attention", .choices = kGlimpses}, attention);
    field({.name = "grid", .label = "The cells along a side", .range = {3, 8}}, grid);
    field({.name = "features", .label = "The feature size", .range = {1, 512}}, features);
    field({.name = "embedding", .label = "The embedding size", .range = {1, 512}}, embedding);
    field({.name = "hidden", .label = "The hidden size", .range = {1, 512}}, hidden);
    field({.name = "attention_size", .label = "The size of attention's hidden layer", .range = {1, 512}},
          attention_size);
    field({.name = "blind", .label = "The share of pictures without contexts", .range = {0, 1}}, blind);
    field({.name = "penalty", .label = "The weight of even coverage", .range = {0, 1000}}, penalty);
    field({.name = "sharpness", .label = "The weight of sharp maps", .range = {0, 1000}}, sharpness);
    field({.name = "reward", .label = "The weight of the reward", .range = {0, 1000}}, reward);
    field({.name = "entropy", .label = "The weight of the entropy", .range = {0, 1000}}, entropy);
  }
};

// Errors: a grid of neither 8 nor 3.
Result<Config> make_config(const Settings& settings);

// All that a checkpoint holds.
struct Training {
  Settings settings;
  Config config;
  Weights weights;
  AdamOf<Weights> adam;
  Matrix baseline;  // [1, kMostWords] b_t, of the reward from each word on
  Record record;
};

// Errors: as of make_config.
Result<Training> start_training(const Settings& settings);
// The same, with the weights of another model; settings.from says its name. Errors: it has other sizes.
Result<Training> start_training(const Settings& settings, const Training& from);

// R_t = Σ_u≥t of the same picture: likelihoods are ln p(y_u), [T·B] by step, 0 where there is no word.
std::vector<double> rewards_to_go(std::vector<double> likelihoods, int pictures);

// What a step needs and the next one uses again, of one training.
struct Scratch {
  Tape<float> tape;
  Weights gradients;
  Batch batch;
  std::vector<std::vector<int>> rows;  // of the features, by step: what was chosen
  std::vector<int> places;             // [T·B]
  std::vector<double> advantages;      // [T·B]
};

// The gradients of a batch of these scenes, into scratch.gradients; the baseline moves when attention is hard. `random`
// draws the places. Returns the mean cross-entropy in nats per word.
double differentiate(Training& training, std::span<const pictures::Scene> scenes, Random& random, Scratch& scratch);

// One batch. Errors: the loss is not finite, or has stayed above what guessing would give.
Result<void> train_step(Training& training, Scratch& scratch);

// ---- as files, by learn/checkpoint.h ----

inline constexpr std::string_view kFormat = "limelight captioner 1";  // in the metadata

// With the optimiser's state and the baseline, in single precision: training goes on from it. Without: for reading
// only.
std::vector<std::byte> write_checkpoint(const Training& training);
std::vector<std::byte> write_model(const Training& training, bool half);

// What write_checkpoint or write_model wrote; adam is empty (steps 0) in a model. Errors: those of .safetensors,
// another format, another vocabulary, a tensor that is missing, foreign or wrongly shaped.
Result<Training> read_training(std::span<const std::byte> bytes, std::string_view name);

}  // namespace limelight::learn::captions
