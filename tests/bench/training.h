// One step of training as tools/bench measures it, natively and in Chromium: a bidirectional GRU of 64 and additive
// attention of 64 between 10 and 10 words, 32 pairs, 64 words in each vocabulary, embeddings of 32.
#pragma once

#include <vector>

#include "learn/adam.h"

namespace limelight::learn {

class TrainingBench {
 public:
  static constexpr int kPairs = 32, kWords = 10;  // with the one that stops

  TrainingBench() : random_(1), weights_(draw_weights(config(), random_)) {
    for (int i = 0; i < kPairs; ++i) {
      sequences_.emplace_back();
      for (int j = 0; j + 1 < kWords; ++j)
        sequences_.back().push_back(kFirstWord +
                                    static_cast<int>(random_.uniform() * (config().source_words - kFirstWord)));
    }
    for (const std::vector<int>& sequence : sequences_) pointers_.push_back(&sequence);
  }
  TrainingBench(const TrainingBench&) = delete;
  TrainingBench& operator=(const TrainingBench&) = delete;

  static Config config() { return {.source_words = 64, .target_words = 64}; }

  // The loss: copying is learned meanwhile.
  float step() {
    const Batch batch = make_batch(pointers_, pointers_);
    Weights::each([](const std::string&, Matrix& gradient) { gradient.setZero(); }, gradients_);
    tape_.clear();
    const Value loss = batch_loss(tape_, place(tape_, weights_, &gradients_), config(), batch);
    tape_.backward(loss);
    adam_step(adam_, {.rate = 1e-3}, gradients_, weights_);
    return tape_.value(loss)(0, 0);
  }

 private:
  Random random_;
  Weights weights_, gradients_ = make_weights<float>(config());
  Adam adam_ = make_adam(config());
  Tape<float> tape_;
  std::vector<std::vector<int>> sequences_;
  std::vector<const std::vector<int>*> pointers_;
};

}  // namespace limelight::learn
