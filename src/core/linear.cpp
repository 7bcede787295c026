#include "core/linear.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "core/product.h"
#include "core/simd.h"

namespace limelight {
namespace {

constexpr int kBlockRows = 256;  // whose features are formed at a time

template <class Scalar>
MatrixOf<Scalar> features(const ConstMatrixRefOf<Scalar>& x) {
  return x.unaryExpr([](Scalar entry) { return entry > 0 ? entry + 1 : std::exp(entry); });
}
// The gradient with respect to x from that with respect to φ(x): φ' is 1 above 0 and φ itself below.
template <class Scalar>
MatrixOf<Scalar> features_backward(const MatrixOf<Scalar>& phi, const MatrixOf<Scalar>& grad_phi) {
  return grad_phi.cwiseProduct(phi.cwiseMin(1));
}

// [S, V + 1]: with a column of ones, the sum of the φ(k) becomes one more column of φ(K)ᵀ V.
template <class Scalar>
MatrixOf<Scalar> with_ones(const ConstMatrixRefOf<Scalar>& value) {
  MatrixOf<Scalar> extended(value.rows(), value.cols() + 1);
  extended << value, MatrixOf<Scalar>::Ones(value.rows(), 1);
  return extended;
}

enum class Which { all, up_to, from };

// Row i is Σ (a_i · b_j) c_j over all j, over j ≤ i or over j ≥ i, as running sums of the b_jᵀ c_j.
// a: [n, p]  b: [m, p]  c: [m, r]  → [n, r]
template <class Scalar>
MatrixOf<Scalar> sums(const ConstMatrixRefOf<Scalar>& a, const ConstMatrixRefOf<Scalar>& b,
                      const ConstMatrixRefOf<Scalar>& c, Which which) {
  MatrixOf<Scalar> state = MatrixOf<Scalar>::Zero(b.cols(), c.cols());
  MatrixOf<Scalar> out(a.rows(), c.cols());
  if (which == Which::all) {
    state.noalias() = b.transpose() * c;
    out.noalias() = a * state;
    return out;
  }
  const Eigen::Index n = std::max(a.rows(), b.rows());
  for (Eigen::Index step = 0; step < n; ++step) {
    const Eigen::Index i = which == Which::up_to ? step : n - 1 - step;
    if (i < b.rows()) state.noalias() += b.row(i).transpose() * c.row(i);
    if (i < a.rows()) out.row(i).noalias() = a.row(i) * state;
  }
  return out;
}

// Where nothing is left of the products of a query's features and its keys', the output is 0 and not 0/0.
template <class Scalar>
Scalar reciprocal(Scalar sum) {
  return sum >= std::numeric_limits<Scalar>::min() ? 1 / sum : Scalar(0);
}

// φ(x) = max(x, 0) + exp(min(x, 0)), n of any size.
void features_into(const float* x, Eigen::Index n, float* out) {
  const simd::BoundedExp exp;
  Eigen::Index i = 0;
  for (; i + simd::kLanes <= n; i += simd::kLanes) {
    const simd::Floats entries = simd::load(x + i), above = simd::maximum(entries, simd::Floats{});
    simd::store(out + i, above + exp(entries - above));
  }
  for (; i < n; ++i) out[i] = x[i] > 0 ? x[i] + 1 : std::exp(x[i]);
}

// Floats that the larger of its two products packs: of the keys' features and values, and of a query's and the sums.
std::size_t packed(int size, int columns) {
  return std::max(packed_by_product(size, kBlockRows, columns, {.transpose_a = true}),
                  packed_by_product(kBlockRows, size, columns));
}

}  // namespace

LinearAttention::LinearAttention(int size, int value_size)
    : state_(Matrix::Zero(size, value_size + 1)),
      features_(kBlockRows, size),
      extended_(Matrix::Ones(kBlockRows, value_size + 1)) {}

void LinearAttention::add(const ConstMatrixRef& key, const ConstMatrixRef& value) {
  const Eigen::Index value_size = state_.cols() - 1;
  assert(key.cols() == state_.rows() && value.cols() == value_size && key.rows() == value.rows());
  extended_.col(value_size).setOnes();  // rows() writes there too
  for (Eigen::Index begin = 0; begin < key.rows(); begin += kBlockRows) {
    const Eigen::Index count = std::min<Eigen::Index>(kBlockRows, key.rows() - begin);
    for (Eigen::Index i = 0; i < count; ++i)
      features_into(key.data() + (begin + i) * key.outerStride(), key.cols(), &features_(i, 0));
    extended_.topLeftCorner(count, value_size) = value.middleRows(begin, count);
    multiply_add(features_.topRows(count), extended_.topRows(count), state_, {.transpose_a = true});
  }
}

void LinearAttention::rows(const ConstMatrixRef& query, int begin, int end, Eigen::Ref<Matrix> output) {
  const Eigen::Index value_size = state_.cols() - 1;
  assert(query.cols() == state_.rows() && output.cols() == value_size && output.rows() == query.rows());
  assert(0 <= begin && begin <= end && end <= query.rows());
  for (Eigen::Index row = begin; row < end; row += kBlockRows) {
    const Eigen::Index count = std::min<Eigen::Index>(kBlockRows, end - row);
    for (Eigen::Index i = 0; i < count; ++i)
      features_into(query.data() + (row + i) * query.outerStride(), query.cols(), &features_(i, 0));
    multiply(features_.topRows(count), state_, extended_.topRows(count));
    for (Eigen::Index i = 0; i < count; ++i)
      output.row(row + i) = extended_.row(i).head(value_size) * reciprocal(extended_(i, value_size));
  }
}

std::size_t LinearAttention::bytes() const {
  return sizeof(float) * (static_cast<std::size_t>(state_.size() + features_.size() + extended_.size()) +
                          packed(static_cast<int>(state_.rows()), static_cast<int>(state_.cols())));
}

std::size_t LinearAttention::bytes_for(int size, int value_size) {
  const auto in = static_cast<std::size_t>(size), out = static_cast<std::size_t>(value_size) + 1;
  return sizeof(float) * (in * out + kBlockRows * (in + out) + packed(size, value_size + 1));
}

template <class Scalar>
MatrixOf<Scalar> attend_linear(const ConstMatrixRefOf<Scalar>& query, const ConstMatrixRefOf<Scalar>& key,
                               const ConstMatrixRefOf<Scalar>& value, bool causal) {
  assert(query.cols() == key.cols() && key.rows() == value.rows());
  MatrixOf<Scalar> out = sums<Scalar>(features<Scalar>(query), features<Scalar>(key), with_ones<Scalar>(value),
                                      causal ? Which::up_to : Which::all);
  for (auto row : out.rowwise()) row *= reciprocal(row[value.cols()]);
  return out.leftCols(value.cols());
}

template <class Scalar>
MatrixOf<Scalar> attend_linear_naive(const ConstMatrixRefOf<Scalar>& query, const ConstMatrixRefOf<Scalar>& key,
                                     const ConstMatrixRefOf<Scalar>& value, bool causal) {
  const auto phi = [](Scalar x) { return (x > 0 ? x : std::expm1(x)) + 1; };
  MatrixOf<Scalar> output = MatrixOf<Scalar>::Zero(query.rows(), value.cols());
  for (Eigen::Index i = 0; i < query.rows(); ++i) {
    const Eigen::Index visible = causal ? std::min(i + 1, key.rows()) : key.rows();
    std::vector<Scalar> weights(static_cast<std::size_t>(visible));
    Scalar sum = 0;
    for (Eigen::Index j = 0; j < visible; ++j) {
      Scalar dot = 0;
      for (Eigen::Index d = 0; d < query.cols(); ++d) dot += phi(query(i, d)) * phi(key(j, d));
      weights[static_cast<std::size_t>(j)] = dot;
      sum += dot;
    }
    if (sum < std::numeric_limits<Scalar>::min()) continue;
    for (Eigen::Index j = 0; j < visible; ++j)
      for (Eigen::Index v = 0; v < value.cols(); ++v)
        output(i, v) += weights[static_cast<std::size_t>(j)] / sum * value(j, v);
  }
  return output;
}

template <class Scalar>
LinearGradients<Scalar> attend_linear_backward(const ConstMatrixRefOf<Scalar>& query,
                                               const ConstMatrixRefOf<Scalar>& key,
                                               const ConstMatrixRefOf<Scalar>& value,
                                               const ConstMatrixRefOf<Scalar>& grad_output, bool causal) {
  assert(grad_output.rows() == query.rows() && grad_output.cols() == value.cols());
  const Which forward = causal ? Which::up_to : Which::all;
  const Which backward = causal ? Which::from : Which::all;
  const MatrixOf<Scalar> phi_query = features<Scalar>(query);
  const MatrixOf<Scalar> phi_key = features<Scalar>(key);
  const MatrixOf<Scalar> extended = with_ones<Scalar>(value);
  // The output is numerator / sum; of both at once: [T, V + 1].
  MatrixOf<Scalar> grad = sums<Scalar>(phi_query, phi_key, extended, forward);
  for (Eigen::Index i = 0; i < grad.rows(); ++i) {
    const Scalar scale = reciprocal(grad(i, value.cols()));
    const Scalar along = grad_output.row(i).dot(grad.row(i).head(value.cols()) * scale);
    grad.row(i) << grad_output.row(i) * scale, -along * scale;
  }
  return {.query = features_backward<Scalar>(phi_query, sums<Scalar>(grad, extended, phi_key, forward)),
          .key = features_backward<Scalar>(phi_key, sums<Scalar>(extended, grad, phi_query, backward)),
          .value = sums<Scalar>(phi_key, phi_query, grad, backward).leftCols(value.cols())};
}

template MatrixOf<float> attend_linear<float>(const ConstMatrixRefOf<float>&, const ConstMatrixRefOf<float>&,
                                              const ConstMatrixRefOf<float>&, bool);
template MatrixOf<float> attend_linear_naive<float>(const ConstMatrixRefOf<float>&, const ConstMatrixRefOf<float>&,
                                                    const ConstMatrixRefOf<float>&, bool);
template LinearGradients<float> attend_linear_backward<float>(const ConstMatrixRefOf<float>&,
                                                              const ConstMatrixRefOf<float>&,
                                                              const ConstMatrixRefOf<float>&,
                                                              const ConstMatrixRefOf<float>&, bool);
template MatrixOf<double> attend_linear<double>(const ConstMatrixRefOf<double>&, const ConstMatrixRefOf<double>&,
                                                const ConstMatrixRefOf<double>&, bool);
template MatrixOf<double> attend_linear_naive<double>(const ConstMatrixRefOf<double>&, const ConstMatrixRefOf<double>&,
                                                      const ConstMatrixRefOf<double>&, bool);
template LinearGradients<double> attend_linear_backward<double>(const ConstMatrixRefOf<double>&,
                                                                const ConstMatrixRefOf<double>&,
                                                                const ConstMatrixRefOf<double>&,
                                                                const ConstMatrixRefOf<double>&, bool);

}  // namespace limelight
