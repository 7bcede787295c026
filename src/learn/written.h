// What a model does with one source: every weight of attention, and how likely it takes each word to be.
#pragma once

#include <vector>

#include "learn/training.h"

namespace limelight::learn {

struct Written {
  std::vector<int> words;  // kStop included, where it came
  Matrix probabilities;    // [T, words of the target]
  Matrix scores, weights;  // [T, S], the source's kStop included; empty without attention
  Matrix context;          // [1, 2H] what the decoder gets without attention; empty with it

  [[nodiscard]] bool stopped() const { return !words.empty() && words.back() == learn::kStop; }
  [[nodiscard]] int letters() const { return static_cast<int>(words.size()) - (stopped() ? 1 : 0); }
};

// The model writes by itself, always the likeliest word, at most `most` of them.
Written write(const learn::Weights& weights, const learn::Config& config, const std::vector<int>& source, int most);

}  // namespace limelight::learn
