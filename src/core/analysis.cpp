#include "core/analysis.h"

#include <cassert>
#include <cmath>

namespace limelight {
namespace {

// The sums over a row are kept in double.
using Row = Eigen::RowVectorXd;

template <class F>
Matrix of_each_row(ConstMatrixRef weights, F&& f) {
  Matrix out(weights.rows(), 1);
  for (Eigen::Index i = 0; i < weights.rows(); ++i)
    out(i, 0) = static_cast<float>(f(Row(weights.row(i).cast<double>())));
  return out;
}

double entropy_of(const Row& weights) {
  double sum = 0;
  for (const double a : weights)
    if (a > 0) sum -= a * std::log(a);
  return sum;
}

bool sees_nothing(const Row& weights) { return (weights.array() == 0).all(); }

}  // namespace

Matrix entropy(ConstMatrixRef weights) { return of_each_row(weights, entropy_of); }

Matrix effective_keys(ConstMatrixRef weights) {
  return of_each_row(weights, [](const Row& a) { return sees_nothing(a) ? 0 : std::exp(entropy_of(a)); });
}

Matrix largest_weight(ConstMatrixRef weights) { return weights.rowwise().maxCoeff(); }

std::vector<int> fully_masked_rows(ConstMatrixRef weights) {
  std::vector<int> rows;
  for (int i = 0; i < weights.rows(); ++i)
    if (sees_nothing(weights.row(i).cast<double>())) rows.push_back(i);
  return rows;
}

Matrix softmax_jacobian_norm(ConstMatrixRef weights, double temperature) {
  assert(temperature > 0);
  return of_each_row(weights, [&](const Row& a) {
    // Only positive terms: the closed form in the sums of squares and cubes loses all digits where one weight is
    // near 1.
    double diagonal = 0, pairs = 0, squares_before = 0;
    for (const double weight : a) {
      const double square = weight * weight;
      diagonal += square * (1 - weight) * (1 - weight);
      pairs += square * squares_before;
      squares_before += square;
    }
    return std::sqrt(diagonal + 2 * pairs) / temperature;
  });
}

Matrix query_jacobian_norm(ConstMatrixRef weights, ConstMatrixRef key, double scale, double temperature) {
  assert(weights.cols() == key.rows() && temperature > 0);
  const MatrixOf<double> keys = key.cast<double>();
  return of_each_row(weights, [&](const Row& a) {
    const Row mean = a * keys;  // row j of (diag a − a aᵀ) K is a_j (k_j − mean)
    double squares = 0;
    for (Eigen::Index j = 0; j < a.size(); ++j) squares += a[j] * a[j] * (keys.row(j) - mean).squaredNorm();
    return std::sqrt(squares) * std::abs(scale) / temperature;
  });
}

Matrix rollout(std::span<const Matrix> layers) {
  assert(!layers.empty());
  const Eigen::Index n = layers.front().rows();
  MatrixOf<double> flow = MatrixOf<double>::Identity(n, n);
  for (const Matrix& layer : layers) {
    assert(layer.rows() == n && layer.cols() == n);
    MatrixOf<double> step = (layer.cast<double>() + MatrixOf<double>::Identity(n, n)) / 2;
    for (auto row : step.rowwise()) row /= row.sum();
    flow = step * flow;
  }
  return flow.cast<float>();
}

Matrix rollout(std::span<const Matrix> layers, int query) {
  Matrix result(std::ssize(layers), layers.front().cols());
  for (std::size_t top = 0; top < layers.size(); ++top) {
    Matrix row = Matrix::Zero(1, layers.front().rows());
    row(0, query) = 1;
    for (std::size_t layer = top + 1; layer-- > 0;) row = (0.5F * (row + row * layers[layer])).eval();
    result.row(static_cast<Eigen::Index>(top)) = row;
  }
  return result;
}

double equivariance_error(const std::function<Matrix(const Matrix&)>& layer, const Matrix& x,
                          std::span<const int> order) {
  assert(static_cast<Eigen::Index>(order.size()) == x.rows());
  const auto permuted = [&](const Matrix& rows) -> Matrix { return rows(order, Eigen::all); };
  return static_cast<double>((layer(permuted(x)) - permuted(layer(x))).cwiseAbs().maxCoeff<Eigen::PropagateNaN>());
}

}  // namespace limelight
