// How good a captioner is, on pictures whose captions it was never trained on, and where it looks.
#pragma once

#include "learn/caption_training.h"

namespace limelight::learn::captions {

// What a model does by itself: soft attention sees all cells, hard attention the likeliest.
Look look_of(const Training& model);

struct EvaluationOptions {
  int seed = 1;
  int count = 200;
  Look look = Look::soft;
};

// Attention where a word of colour, size or shape was written that is right, and all before it: the share of the weight
// (soft) or of the choices (hard) that is on the cells of the object that the word speaks of, or of the objects.
struct Evaluation {
  int count = 0;
  int exact = 0;                 // whole captions
  int tokens = 0, right = 0;     // of the captions, kStop included, at their place
  int seen = 0;                  // the words of colour, size and shape that count
  double on_object = 0;          // a share, the mean over those words
  double uniform_on_object = 0;  // the same for a map that has the same weight everywhere: chance
  double entropy = 0;            // of the maps of all words written, kStop included, in nats
  double penalty = 0;            // Σ_i (T/L² − Σ_t α_ti)², the mean over the captions as they were written
  struct Score {
    int count = 0, exact = 0;
  };
  std::array<Score, pictures::kMostObjects> by_objects;  // of pictures with one object, with two …
};
Evaluation evaluate(const Training& model, const EvaluationOptions& options);

// The held-out pictures of a seed.
std::vector<pictures::Scene> held_out(int seed, int count);

}  // namespace limelight::learn::captions
