// A transformer whose weights come from elsewhere, of the two families that most checkpoints are of:
//   GPT-2 (Radford et al. 2019): causal, the norm before each part, a last norm, the embeddings as the output's weights
//   BERT (Devlin et al. 2019): bidirectional, the norm after each sum, a norm of the embeddings, a head for masked
//   words
// T tokens, D model size, H heads, F inner size of the feed-forward part, V vocabulary, P positions.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/matrix.h"

namespace limelight {

// A matrix in memory of someone else's, such as a file's.
struct MatrixView {
  const float* data = nullptr;
  Eigen::Index rows = 0, cols = 0;
  Eigen::Index stride = 0;  // numbers from one row to the next

  using Map = Eigen::Map<const Matrix, Eigen::Unaligned, Eigen::OuterStride<>>;
  [[nodiscard]] Map map() const { return {data, rows, cols, Eigen::OuterStride<>(stride)}; }
  [[nodiscard]] bool empty() const { return data == nullptr; }
};

// Gaussian error linear units, x Φ(x) (Hendrycks & Gimpel 2016).
enum class Gelu {
  exact,    // x/2 (1 + erf(x / √2))
  tangent,  // x/2 (1 + tanh(√(2/π) (x + 0.044715 x³))), their approximation
};
void gelu_in_place(float* x, std::ptrdiff_t count, Gelu gelu);

// Each row of x: [T, D] less its mean, over √(its variance + ε), times `gain` plus `bias`: [1, D] (Ba et al. 2016, eq.
// 4; the variance is the mean of the squares).
Matrix layer_norm(const ConstMatrixRef& x, const ConstMatrixRef& gain, const ConstMatrixRef& bias, double epsilon);

struct LinearView {
  MatrixView weight;  // [in, out], or [out, in] where it is transposed, as PyTorch's Linear has it
  MatrixView bias;    // [1, out]
  bool transposed = false;
};
struct NormView {
  MatrixView gain, bias;  // [1, D]
};

struct TransformerBlock {
  LinearView query, key, value;  // D → D, the heads side by side
  LinearView output;             // D → D, W_o
  NormView attention_norm;       // before attention, or after its sum
  LinearView inner, outer;       // D → F → D with GELU between
  NormView inner_norm;           // before the feed-forward part, or after its sum
};

// What a family does not have is empty.
struct TransformerWeights {
  MatrixView tokens;        // [V, D]
  MatrixView positions;     // [P, D]
  MatrixView segments;      // [S, D]: BERT's token types; all tokens are of the first
  NormView embedding_norm;  // BERT
  std::vector<TransformerBlock> blocks;
  NormView final_norm;      // GPT-2
  LinearView transform;     // BERT's head for masked words: D → D, GELU
  NormView transform_norm;  // after it
  MatrixView decoder;       // [V, D]; often `tokens` again; empty: there are no logits
  MatrixView decoder_bias;  // [1, V]
};

// Both from 0.
struct HeadPlace {
  int layer = 0, head = 0;
  bool operator==(const HeadPlace&) const = default;
};

struct TransformerOptions {
  int heads = 1;  // divides D
  bool causal = false;
  bool norm_first = false;  // before each part (GPT-2), or after each sum (Vaswani et al. 2017, §3.1; BERT)
  Gelu gelu = Gelu::exact;
  double epsilon = 1e-5;         // of all norms
  std::vector<HeadPlace> off{};  // heads whose output is 0 (Michel et al. 2019, eq. 2)
};

// Of one block, where it is asked for.
struct BlockSteps {
  Matrix query, key, value;     // [T, D], the heads side by side
  std::vector<Matrix> weights;  // of each head [T, T]
};

struct TransformerSteps {
  std::vector<BlockSteps> blocks;  // empty where they are not kept
  Matrix hidden;                   // [T, D], what logits are computed from
  bool finite = true;              // false: the numbers left single precision on the way, and mean nothing
};

// The same, block by block, for where a whole run takes too long. What the weights look into outlives it.
class TransformerRun {
 public:
  TransformerRun(std::span<const int> tokens, TransformerWeights weights, TransformerOptions options, bool keep);
  // The next block. False when there is nothing left to be done.
  bool step();
  [[nodiscard]] bool finished() const { return !steps_.finite || layer_ == static_cast<int>(weights_.blocks.size()); }
  [[nodiscard]] TransformerSteps& steps() { return steps_; }

 private:
  TransformerWeights weights_;
  TransformerOptions options_;
  bool keep_;
  int layer_ = 0;  // that is next
  TransformerSteps steps_;
};

// tokens: T from 1 to P numbers from 0 to below V.
TransformerSteps run_transformer(std::span<const int> tokens, const TransformerWeights& weights,
                                 const TransformerOptions& options, bool keep);

// Rows of `hidden` → [rows, V]. The weights have a decoder.
Matrix transformer_logits(const ConstMatrixRef& hidden, const TransformerWeights& weights,
                          const TransformerOptions& options);

}  // namespace limelight
