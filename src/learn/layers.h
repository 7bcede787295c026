// Layers: their weights by name, and how they are applied on a tape. T is what a weight is: a matrix, or a Value on a
// tape.
#pragma once

#include <string>
#include <string_view>

#include "learn/operations.h"

namespace limelight::learn {

// Calls visit(name, weight, weight …) for the same weight of each of the layers. Every layer names its weights once, in
// its own `each`.
template <class T>
struct LinearOf {
  T weight;  // [in, out]
  T bias;    // [1, out]

  template <class F, class... Layers>
  static void each(const std::string& prefix, F&& visit, Layers&... layers) {
    visit(prefix + "weight", layers.weight...);
    visit(prefix + "bias", layers.bias...);
  }
};

// The gates as PyTorch has them, [reset | update | new], with two biases; its weights are these transposed.
template <class T>
struct GruOf {
  T input_weight;   // [in, 3H]
  T hidden_weight;  // [H, 3H]
  T input_bias;     // [1, 3H]
  T hidden_bias;    // [1, 3H]

  template <class F, class... Layers>
  static void each(const std::string& prefix, F&& visit, Layers&... layers) {
    visit(prefix + "input_weight", layers.input_weight...);
    visit(prefix + "hidden_weight", layers.hidden_weight...);
    visit(prefix + "input_bias", layers.input_bias...);
    visit(prefix + "hidden_bias", layers.hidden_bias...);
  }
};

// e = v · tanh(s W + h U) (Bahdanau et al. 2015, appendix A.1.2).
template <class T>
struct AdditiveOf {
  T query_weight;  // [H, A]
  T key_weight;    // [2H, A]
  T v;             // [A, 1]

  template <class F, class... Layers>
  static void each(const std::string& prefix, F&& visit, Layers&... layers) {
    visit(prefix + "query_weight", layers.query_weight...);
    visit(prefix + "key_weight", layers.key_weight...);
    visit(prefix + "v", layers.v...);
  }
};

// Sequences that are stepped through together, by time: row t·B + b is step t of sequence b.
struct Steps {
  int sequences = 0;                           // B
  int count = 0;                               // T
  std::span<const std::uint8_t> present = {};  // [T·B]; empty: all are
};

// The rows of step t.
template <class Scalar>
Value step_of(Tape<Scalar>& tape, Value all, int t, int sequences) {
  return tape.rows(all, t * sequences, sequences);
}

enum class Direction { forward, backward };

// Runs a GRU over x [T·B, D] from a state of 0 and writes its states into `states` [T·B, H], which may be columns of a
// larger matrix. Where a sequence has not begun or has ended, its state is what it was before.
template <class Scalar>
void run_gru(Tape<Scalar>& tape, const GruOf<Value>& gru, Value x, const Steps& steps, Direction direction,
             Value states);

// Both directions over x, side by side: [T·B, 2H], the forward one first (Schuster & Paliwal 1997).
template <class Scalar>
Value run_bidirectional(Tape<Scalar>& tape, const GruOf<Value>& forward, const GruOf<Value>& backward, Value x,
                        const Steps& steps);

}  // namespace limelight::learn
