// What Translate translates with: the constructed example and the trained models, decoded by the same loop.
#pragma once

#include <optional>
#include <vector>

#include "learn/translation_steps.h"
#include "scenes/translate/translate.h"

namespace limelight::scenes::translate {

using learn::Decoding, learn::Encoding;

// y and w of the constructed example: s_t = tanh(w_s s + w_c c + y), logits = s O + b.
struct Constructed {
  Matrix h;              // [S, 1]
  Matrix W, U, v;        // [1, A], [1, A], [A, 1]
  Matrix s_0;            // [1, 1]
  Matrix words;          // [1 + V, 1] what [START] and each word add to the state
  io::CellEdits y;       // [1, T] what is added instead
  Matrix state_weights;  // [1, 2] of s and c
  Matrix O, b;           // [1, V]

  // What the word before adds to the state of output word t; −1 is [START].
  [[nodiscard]] float added(int t, int previous) const;
};
Constructed constructed(const State& state);

struct Translation {
  Encoding encoding;
  Decoding decoding;
  // What was written where something was set: without it. Else: from zeros as s_0.
  std::optional<Decoding> before, from_zeros;
};
Translation translate_constructed(const Constructed& example, const State& state);
Translation translate_trained(const learn::Training& training, const State& state);

// What a decoder without attention makes of the same sentence, nothing steered.
struct Bottleneck {
  Matrix h;  // [S, D]
  Matrix c;  // [1, D] all that it gets of them
  Decoding decoding;
};
Bottleneck squeeze_constructed(const Constructed& example);
Bottleneck squeeze_trained(const learn::Training& training, const State& state);

}  // namespace limelight::scenes::translate
