// Every option of attention, and parameters to go with them.
#pragma once

#include <algorithm>
#include <vector>

#include "core/attention.h"
#include "unit/core_support.h"

namespace limelight {

constexpr Score kScores[] = {Score::dot, Score::cosine, Score::general, Score::additive};
constexpr Normalizer kNormalizers[] = {Normalizer::softmax, Normalizer::hard, Normalizer::gumbel, Normalizer::sparsemax,
                                       Normalizer::entmax15};
constexpr Positions kPositions[] = {Positions::none, Positions::sinusoidal, Positions::learned, Positions::rotary,
                                    Positions::linear_bias};

// Of each kind of mask one, a mask with a row that sees nothing, and an intersection.
inline std::vector<Mask> masks(int queries, int keys) {
  const auto allowed = [&](int blind_row) {
    Random random(97);
    BoolMatrix matrix(queries, keys);
    for (int i = 0; i < queries; ++i)
      for (int j = 0; j < keys; ++j) matrix(i, j) = random.uniform() < 0.6 && i != blind_row;
    return matrix;
  };
  return {Mask::none(),
          Mask::causal(),
          Mask::window(1),
          Mask::block(2),
          Mask::length(keys / 2),
          Mask::allowed(allowed(-1)),
          Mask::allowed(allowed(queries / 2)),
          Mask::causal() & Mask::window(2) & Mask::allowed(allowed(-1))};
}

// H hidden features of an additive score.
template <class Scalar>
ScoreParameters<Scalar> score_parameters(Score kind, int D_q, int D_k, int H, Random& random) {
  if (kind == Score::general) return {.w_general = random_matrix<Scalar>(D_q, D_k, random)};
  if (kind == Score::additive)
    return {.w_query = random_matrix<Scalar>(D_q, H, random),
            .w_key = random_matrix<Scalar>(D_k, H, random),
            .v = random_matrix<Scalar>(H, 1, random),
            .bias = random_matrix<Scalar>(1, H, random)};
  return {};
}

// One call of attention.
template <class Scalar>
struct AttentionCase {
  MatrixOf<Scalar> query, key, value;
  AttentionOptions options;
  AttentionParameters<Scalar> parameters;

  [[nodiscard]] AttentionSteps<Scalar> traced() const {
    return attend_traced<Scalar>(query, key, value, options, parameters);
  }
  [[nodiscard]] MatrixOf<Scalar> naive() const { return attend_naive<Scalar>(query, key, value, options, parameters); }
  [[nodiscard]] AttentionGradients<Scalar> backward(const MatrixOf<Scalar>& grad_output) const {
    return attend_backward<Scalar>(query, key, value, options, parameters, traced(), grad_output);
  }
};

// T queries, S keys, D key size (even for rotary positions), V value size. Where the options allow it, the queries have
// two features more.
template <class Scalar>
AttentionCase<Scalar> attention_case(int T, int S, int D, int V, const AttentionOptions& options, std::uint64_t seed) {
  Random random(seed);
  const bool unequal =
      (options.score == Score::general || options.score == Score::additive) && options.positions != Positions::learned;
  const int D_q = unequal ? D + 2 : D;
  return {random_matrix<Scalar>(T, D_q, random),
          random_matrix<Scalar>(S, D, random),
          random_matrix<Scalar>(S, V, random),
          options,
          {.score = score_parameters<Scalar>(options.score, D_q, D, 3, random),
           .positions = options.positions == Positions::learned ? random_matrix<Scalar>(std::max(T, S) + 1, D, random)
                                                                : MatrixOf<Scalar>()}};
}

}  // namespace limelight
