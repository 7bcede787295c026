// What can be read off attention weights. weights: [T, S], rows that sum to 1 or are all 0 (fully masked).
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/matrix.h"

namespace limelight {

// [T, 1], in nats: −Σ a ln a, with 0 ln 0 = 0; from 0 (one key has it all) to ln S (all the same).
Matrix entropy(ConstMatrixRef weights);
// [T, 1]: exp(entropy), the number of equally weighted keys that would be as spread out; 0 for a fully masked row.
Matrix effective_keys(ConstMatrixRef weights);
// [T, 1]
Matrix largest_weight(ConstMatrixRef weights);
// The rows that see nothing.
std::vector<int> fully_masked_rows(ConstMatrixRef weights);

// [T, 1]: ‖∂a/∂s‖_F with ∂a/∂s = (diag a − a aᵀ) / temperature, softmax's Jacobian with respect to the scaled scores.
Matrix softmax_jacobian_norm(ConstMatrixRef weights, double temperature = 1);
// [T, 1]: ‖∂a/∂q‖_F = ‖(diag a − a aᵀ) K‖_F · scale / temperature, for dot scores. key: [S, D]
Matrix query_jacobian_norm(ConstMatrixRef weights, ConstMatrixRef key, double scale, double temperature = 1);

// Attention rollout (Abnar & Zuidema 2020, §3): the product over layers of (weights + 1)/2, last layer leftmost, each
// row normalised. Each layer: [n, n], its heads averaged. At least one layer.
Matrix rollout(std::span<const Matrix> layers);
// One row of it, of rows that sum to 1, after each layer: row l is from layer l + 1 down to the tokens. [layers, n]
Matrix rollout(std::span<const Matrix> layers, int query);

// max |layer(x P) − layer(x) P| over the entries, with P permuting rows: order[i] is the row that comes to place i.
// About 0 for a layer that treats its tokens as a set, not a number when an entry is none. x: [n, d]; layer keeps n.
double equivariance_error(const std::function<Matrix(const Matrix&)>& layer, const Matrix& x,
                          std::span<const int> order);

}  // namespace limelight
