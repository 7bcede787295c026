// Decoding word by word, with what a reader sets on the way: the same loop for the constructed example and the trained
// model.
#pragma once

#include <optional>
#include <vector>

#include "scenes/translate/translate.h"

namespace limelight::scenes::translate {

// What is not left to the decoder.
struct Steering {
  std::vector<int> forced{};     // what it reads, [STOP] at the end; empty: what it wrote
  std::optional<Matrix> s_0{};   // [1, H]
  std::optional<Matrix> only{};  // [1, D] the context of every word, where there is no attention
  Gaze gaze = Gaze::soft;
  const io::CellEdits* weights = nullptr;
  const io::CellEdits* scores = nullptr;
  const io::CellEdits* context = nullptr;
  const io::CellEdits* s = nullptr;
};
Steering steering_of(const State& state, int hidden);
// Of the same words, where nothing else was set.
Steering unsteered(const State& state);
Steering from_zeros(const State& state, int hidden);

// S source words, T output words; H, D, A, V as in translate.h.
struct Encoding {
  Matrix h;        // [S, D]
  Matrix W, U, v;  // [H, A], [D, A], [A, 1]
  Matrix keys;     // [S, A] h U
};
struct Decoding {
  std::vector<int> tokens;       // T, what was written or forced, [STOP] included where it came
  Matrix s;                      // [T + 1, H]
  Matrix query;                  // [T, A]; empty without attention, as the next two
  Matrix scores, weights;        // [T, S]
  Matrix context;                // [T, D]
  Matrix logits, probabilities;  // [T, V]
  Matrix reset, update, fresh;   // [T, H] the gates; empty in the constructed example
};

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
