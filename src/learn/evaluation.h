// How good a model is, on pairs that it was not trained on.
#pragma once

#include "learn/training.h"

namespace limelight::learn {

struct EvaluationOptions {
  int seed = 1;
  int count = 200;
  std::optional<Lengths> lengths = {};  // of sources; none: those it trained on
};

// Alignments against gold links, all of them sure: 1 − 2 |A ∩ G| / (|A| + |G|) (Och & Ney 2003), where A has the source
// with the largest weight for each word of the target.
struct Evaluation {
  int count = 0;
  int exact = 0;              // whole targets
  int tokens = 0, right = 0;  // of the targets, kStop included, at their place
  double loss = 0;            // mean cross-entropy per token, with the true words before each
  std::vector<LengthScore> by_length;
  // −1 without attention or gold links. Of targets that were written right only: others have no links.
  double alignment_error = -1;
  double uniform_alignment_error = -1;  // expected, where every source has the same chance
};

// The model writes by itself. Errors: no held-out pair has these lengths.
Result<Evaluation> evaluate(const Training& model, const EvaluationOptions& options);

// One source, with the weights of attention.
Decoded infer(const Training& model, const std::vector<int>& source);

}  // namespace limelight::learn
