// One sentence, read by an encoder: what is missing in it, and where each head looks.
#pragma once

#include "core/transformer.h"
#include "io/npy.h"
#include "learn/encoder_training.h"

namespace limelight::learn::sentences {

// What could stand in place of a [MASK], likeliest first.
struct Guess {
  int place = 0;  // of the [MASK], as Reading::words counts
  std::vector<std::string> words;
  std::vector<float> probabilities;
};

struct Reading {
  std::vector<std::string> words;    // T, the first is [START]
  std::vector<std::string> unknown;  // those that it reads by their letters
  std::vector<Guess> guesses;        // of each [MASK]
  io::Array weights;                 // [layers, heads, T, T]
};

inline constexpr int kGuesses = 5;

// words: as english::read gives them, up to english::kMostWords.
Reading read(const Training& model, std::span<const std::string> words, int guesses = kGuesses);

// The same model for core/transformer.h, which reads it block by block; it holds no numbers of its own.
MatrixView view_of(const Matrix& matrix);
TransformerWeights as_transformer(const Training& model);

}  // namespace limelight::learn::sentences
