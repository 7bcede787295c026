// What can be done with the matrices on a tape. Where a value is `out`, the result is written there, and into its
// gradient's place.
//
// A batch of B sequences that are stepped through together lies by time: row t·B + b is step t of sequence b.
// additive_scores, dot_scores and gru_step are of what is learned: their inputs are no constants.
#pragma once

#include "learn/tape.h"

namespace limelight::learn {

// op(a): [M, K]  op(b): [K, N]  → [M, N]
template <class Scalar>
Value product(Tape<Scalar>& tape, Value a, Value b, ProductOptions options = {});

// [N, D] each; row is [1, D] and is added to every row of a.
template <class Scalar>
Value add(Tape<Scalar>& tape, Value a, Value b);
template <class Scalar>
Value add_row(Tape<Scalar>& tape, Value a, Value row);
template <class Scalar>
Value multiply_entries(Tape<Scalar>& tape, Value a, Value b);
template <class Scalar>
Value tanh(Tape<Scalar>& tape, Value a);
template <class Scalar>
Value sigmoid(Tape<Scalar>& tape, Value a);

// Into another place, [N, D] both.
template <class Scalar>
Value copy(Tape<Scalar>& tape, Value a, Value out);

// a: [N, A]  b: [N, B]  → [N, A + B]
template <class Scalar>
Value concatenate(Tape<Scalar>& tape, Value a, Value b);

// table: [V, D]  ids: N of them, from 0 to V − 1; they outlive the step  → [N, D]
template <class Scalar>
Value gather(Tape<Scalar>& tape, Value table, std::span<const int> ids);

// A linear layer that is applied step by step; its weights get their gradient from all steps in one product.
// x: [T·B, D], which steps may still write into  w: [D, N]  → y: [T·B, N]
struct Unrolled {
  Value x, w, y;
};
// The bias [1, N] may be none. Comes before the first step.
template <class Scalar>
Unrolled unroll(Tape<Scalar>& tape, Value x, Value w, Value bias);
// The same, added to what `onto` [T·B, N] has. That comes from an operation whose gradient does not need its result (a
// sum or a product).
template <class Scalar>
Unrolled unroll_onto(Tape<Scalar>& tape, Value x, Value w, Value onto);
// Computes these rows of y from those of x.
template <class Scalar>
Value apply(Tape<Scalar>& tape, const Unrolled& layer, int first_row, int rows);

// x w + bias for all rows at once; the bias may be none.
template <class Scalar>
Value linear(Tape<Scalar>& tape, Value x, Value w, Value bias);

// Rows become non-negative and sum to 1. present: [S·B] by time, for scores [B, S]: what is absent gets weight 0, and a
// row without any becomes 0. It outlives the step.
template <class Scalar>
Value masked_softmax(Tape<Scalar>& tape, Value scores, std::span<const std::uint8_t> present);

// e_bj = v · tanh(query_b + key_bj) (Bahdanau et al. 2015, appendix A.1.2, as core/score.h has it) where both halves of
// the hidden layer are multiplied with their weights already, those of the keys once for all steps.
// query: [B, A]  keys: [S·B, A]  v: [A, 1]  present: [S·B]  → [B, S], 0 where absent
template <class Scalar>
Value additive_scores(Tape<Scalar>& tape, Value query, Value keys, Value v, std::span<const std::uint8_t> present);

// e_bj = query_b · key_bj (Luong et al. 2015, "dot").
// query: [B, D]  keys: [S·B, D]  present: [S·B]  → [B, S], 0 where absent
template <class Scalar>
Value dot_scores(Tape<Scalar>& tape, Value query, Value keys, std::span<const std::uint8_t> present);

// Σ_j weights_bj values_bj.  weights: [B, S]  values: [S·B, D]  out: [B, D]
template <class Scalar>
Value weighted_sum(Tape<Scalar>& tape, Value weights, Value values, Value out);

// A gated recurrent unit (Cho et al. 2014) with the gates as PyTorch has them, [reset | update | new], H columns each:
//   r = σ(x_r + h_r)  z = σ(x_z + h_z)  n = tanh(x_n + r ⊙ h_n)  after = (1 − z) ⊙ n + z ⊙ before
// from_input: x W + b [B, 3H]  from_state: before U + b' [B, 3H]  before, out: [B, H]
// Where a sequence is not present [B] any more its state stays; none: all are.
template <class Scalar>
Value gru_step(Tape<Scalar>& tape, Value from_input, Value from_state, Value before, Value out,
               std::span<const std::uint8_t> present = {});

// The mean of −ln softmax(logits)[target] over the targets that are not negative. logits: [N, V]  targets: N, which
// outlive the step  → [1, 1]
template <class Scalar>
Value cross_entropy(Tape<Scalar>& tape, Value logits, std::span<const int> targets);

// ---- of transformers ----

// gain ⊙ (a − mean) / √(variance + 10⁻⁵) + bias, over each row (Ba et al. 2016). a: [N, D]  gain, bias: [1, D]
template <class Scalar>
Value layer_norm(Tape<Scalar>& tape, Value a, Value gain, Value bias);

// a Φ(a), with Φ by its tanh (Hendrycks & Gimpel 2016): a/2 · (1 + tanh(√(2/π) (a + 0.044715 a³)))
template <class Scalar>
Value gelu(Tape<Scalar>& tape, Value a);

// softmax(query · keyᵀ / √D) value within each sequence, all of its tokens present (Vaswani et al. 2017, eq. 1), by
// core/attention.h. query, key: [N, D]  value, out: [N, V]  lengths: those of the sequences, which sum to N; they
// outlive the step. What it is made of is learned, no constants.
template <class Scalar>
Value attend(Tape<Scalar>& tape, Value query, Value key, Value value, std::span<const int> lengths, Value out);
// The weights of one of its sequences, [T, T]; `attended` is what attend returned.
template <class Scalar>
MatrixOf<Scalar> attention_weights(const Tape<Scalar>& tape, Value attended, int sequence);

}  // namespace limelight::learn
