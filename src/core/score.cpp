#include "core/score.h"

#include <cassert>
#include <cmath>

#include "core/product.h"

namespace limelight {
namespace {

using Eigen::Index;

template <class Scalar>
using Row = Eigen::Matrix<Scalar, 1, Eigen::Dynamic, Eigen::RowMajor>;

template <class Scalar>
void check_shapes([[maybe_unused]] Score kind, [[maybe_unused]] const ConstMatrixRefOf<Scalar>& query,
                  [[maybe_unused]] const ConstMatrixRefOf<Scalar>& key,
                  [[maybe_unused]] const ScoreParameters<Scalar>& parameters) {
  assert(query.size() > 0 && key.size() > 0);
  assert((kind != Score::dot && kind != Score::cosine) || query.cols() == key.cols());
  assert(kind != Score::general ||
         (parameters.w_general.rows() == query.cols() && parameters.w_general.cols() == key.cols()));
  assert(kind != Score::additive ||
         (parameters.v.cols() == 1 && parameters.w_query.rows() == query.cols() &&
          parameters.w_query.cols() == parameters.v.rows() && parameters.w_key.rows() == key.cols() &&
          parameters.w_key.cols() == parameters.v.rows() &&
          (parameters.bias.size() == 0 ||
           (parameters.bias.rows() == 1 && parameters.bias.cols() == parameters.v.rows()))));
}

// Rows of length 1, and how long they were; a zero row stays 0. The length is magnitude · length: the product of both
// may be beyond the range of a Scalar, or lose its digits at the lower end of it.
template <class Scalar>
struct UnitRows {
  MatrixOf<Scalar> rows;        // [n, D]
  MatrixOf<Scalar> magnitudes;  // [n, 1] of the row's largest entry
  MatrixOf<Scalar> lengths;     // [n, 1] of the row divided by that, from 1 to √D
};

template <class Scalar>
UnitRows<Scalar> unit_rows(const ConstMatrixRefOf<Scalar>& x) {
  UnitRows<Scalar> unit{MatrixOf<Scalar>::Zero(x.rows(), x.cols()), x.cwiseAbs().rowwise().maxCoeff(),
                        MatrixOf<Scalar>::Zero(x.rows(), 1)};
  for (Index i = 0; i < x.rows(); ++i) {
    if (unit.magnitudes(i, 0) == 0) continue;
    unit.rows.row(i) = x.row(i) / unit.magnitudes(i, 0);
    unit.lengths(i, 0) = unit.rows.row(i).norm();
    unit.rows.row(i) /= unit.lengths(i, 0);
  }
  return unit;
}

// The gradient with respect to x from that with respect to its unit rows: what points along a row changes nothing.
template <class Scalar>
MatrixOf<Scalar> unit_rows_backward(const UnitRows<Scalar>& unit, MatrixOf<Scalar> grad) {
  for (Index i = 0; i < grad.rows(); ++i) {
    if (unit.magnitudes(i, 0) > 0)
      grad.row(i) = (grad.row(i) - grad.row(i).dot(unit.rows.row(i)) * unit.rows.row(i)).eval() / unit.lengths(i, 0) /
                    unit.magnitudes(i, 0);
    else
      grad.row(i).setZero();
  }
  return grad;
}

// The two halves of additive's hidden layer, which is tanh of their sum for every pair of a query and a key. The keys'
// half is transposed, so that the loop over keys is the inner one, along memory.
template <class Scalar>
struct Halves {
  MatrixOf<Scalar> query;  // [T, H] with the bias
  MatrixOf<Scalar> key;    // [H, S]
};

template <class Scalar>
Halves<Scalar> additive_halves(const ConstMatrixRefOf<Scalar>& query, const ConstMatrixRefOf<Scalar>& key,
                               const ScoreParameters<Scalar>& parameters) {
  Halves<Scalar> halves{product<Scalar>(query, parameters.w_query),
                        product<Scalar>(parameters.w_key, key, {.transpose_a = true, .transpose_b = true})};
  if (parameters.bias.size() > 0) halves.query.rowwise() += parameters.bias.row(0);
  return halves;
}

template <class Scalar>
MatrixOf<Scalar> additive(const ConstMatrixRefOf<Scalar>& query, const ConstMatrixRefOf<Scalar>& key,
                          const ScoreParameters<Scalar>& parameters) {
  const Halves<Scalar> halves = additive_halves<Scalar>(query, key, parameters);
  MatrixOf<Scalar> scores = MatrixOf<Scalar>::Zero(query.rows(), key.rows());
  for (Index i = 0; i < scores.rows(); ++i)
    for (Index h = 0; h < halves.key.rows(); ++h)
      scores.row(i).array() += parameters.v(h, 0) * (halves.key.row(h).array() + halves.query(i, h)).tanh();
  return scores;
}

template <class Scalar>
ScoreGradients<Scalar> additive_backward(const ConstMatrixRefOf<Scalar>& query, const ConstMatrixRefOf<Scalar>& key,
                                         const ScoreParameters<Scalar>& parameters,
                                         const ConstMatrixRefOf<Scalar>& grad_scores) {
  const Halves<Scalar> halves = additive_halves<Scalar>(query, key, parameters);
  const Index hidden_size = halves.key.rows();
  ScoreGradients<Scalar> grad;
  grad.parameters.v = MatrixOf<Scalar>::Zero(hidden_size, 1);
  Halves<Scalar> grad_halves{MatrixOf<Scalar>(query.rows(), hidden_size),
                             MatrixOf<Scalar>::Zero(hidden_size, key.rows())};
  Row<Scalar> hidden(key.rows()), grad_sum(key.rows());
  for (Index i = 0; i < query.rows(); ++i) {
    for (Index h = 0; h < hidden_size; ++h) {
      hidden = (halves.key.row(h).array() + halves.query(i, h)).tanh();
      grad.parameters.v(h, 0) += grad_scores.row(i).dot(hidden);
      grad_sum = parameters.v(h, 0) * grad_scores.row(i).array() * (1 - hidden.array().square());
      grad_halves.query(i, h) = grad_sum.sum();
      grad_halves.key.row(h) += grad_sum;
    }
  }
  grad.query = product<Scalar>(grad_halves.query, parameters.w_query, {.transpose_b = true});
  grad.key = product<Scalar>(grad_halves.key, parameters.w_key, {.transpose_a = true, .transpose_b = true});
  grad.parameters.w_query = product<Scalar>(query, grad_halves.query, {.transpose_a = true});
  grad.parameters.w_key = product<Scalar>(key, grad_halves.key, {.transpose_a = true, .transpose_b = true});
  if (parameters.bias.size() > 0) grad.parameters.bias = grad_halves.query.colwise().sum();
  return grad;
}

}  // namespace

template <class Scalar>
MatrixOf<Scalar> score(Score kind, const ConstMatrixRefOf<Scalar>& query, const ConstMatrixRefOf<Scalar>& key,
                       const ScoreParameters<Scalar>& parameters) {
  check_shapes<Scalar>(kind, query, key, parameters);
  switch (kind) {
    case Score::dot:
      return product<Scalar>(query, key, {.transpose_b = true});
    case Score::cosine:
      return product<Scalar>(unit_rows<Scalar>(query).rows, unit_rows<Scalar>(key).rows, {.transpose_b = true});
    case Score::general:
      return product<Scalar>(product<Scalar>(query, parameters.w_general), key, {.transpose_b = true});
    case Score::additive:
      return additive<Scalar>(query, key, parameters);
  }
  return {};
}

template <class Scalar>
MatrixOf<Scalar> score_naive(Score kind, const ConstMatrixRefOf<Scalar>& query, const ConstMatrixRefOf<Scalar>& key,
                             const ScoreParameters<Scalar>& parameters) {
  check_shapes<Scalar>(kind, query, key, parameters);
  const auto dot = [](const auto& a, const auto& b) {
    Scalar sum = 0;
    for (Index d = 0; d < a.cols(); ++d) sum += a(0, d) * b(0, d);
    return sum;
  };
  const auto of_pair = [&](const auto& q, const auto& k) {
    Scalar sum = 0;
    switch (kind) {
      case Score::dot:
        return dot(q, k);
      case Score::cosine: {
        const Scalar lengths = std::sqrt(dot(q, q)) * std::sqrt(dot(k, k));
        return lengths > 0 ? dot(q, k) / lengths : Scalar(0);
      }
      case Score::general:
        for (Index d = 0; d < q.cols(); ++d)
          for (Index e = 0; e < k.cols(); ++e) sum += q(0, d) * parameters.w_general(d, e) * k(0, e);
        return sum;
      case Score::additive:
        for (Index h = 0; h < parameters.v.rows(); ++h) {
          Scalar hidden = parameters.bias.size() > 0 ? parameters.bias(0, h) : Scalar(0);
          for (Index d = 0; d < q.cols(); ++d) hidden += q(0, d) * parameters.w_query(d, h);
          for (Index e = 0; e < k.cols(); ++e) hidden += k(0, e) * parameters.w_key(e, h);
          sum += parameters.v(h, 0) * std::tanh(hidden);
        }
        return sum;
    }
    return sum;
  };
  MatrixOf<Scalar> scores(query.rows(), key.rows());
  for (Index i = 0; i < scores.rows(); ++i)
    for (Index j = 0; j < scores.cols(); ++j) scores(i, j) = of_pair(query.row(i), key.row(j));
  return scores;
}

template <class Scalar>
ScoreGradients<Scalar> score_backward(Score kind, const ConstMatrixRefOf<Scalar>& query,
                                      const ConstMatrixRefOf<Scalar>& key, const ScoreParameters<Scalar>& parameters,
                                      const ConstMatrixRefOf<Scalar>& grad_scores) {
  check_shapes<Scalar>(kind, query, key, parameters);
  assert(grad_scores.rows() == query.rows() && grad_scores.cols() == key.rows());
  ScoreGradients<Scalar> grad;
  switch (kind) {
    case Score::dot:
      grad.query = product<Scalar>(grad_scores, key);
      grad.key = product<Scalar>(grad_scores, query, {.transpose_a = true});
      break;
    case Score::cosine: {
      const UnitRows<Scalar> unit_query = unit_rows<Scalar>(query);
      const UnitRows<Scalar> unit_key = unit_rows<Scalar>(key);
      grad.query = unit_rows_backward<Scalar>(unit_query, product<Scalar>(grad_scores, unit_key.rows));
      grad.key =
          unit_rows_backward<Scalar>(unit_key, product<Scalar>(grad_scores, unit_query.rows, {.transpose_a = true}));
      break;
    }
    case Score::general: {
      const MatrixOf<Scalar> grad_projected = product<Scalar>(grad_scores, key);  // of query · W: [T, D_k]
      grad.query = product<Scalar>(grad_projected, parameters.w_general, {.transpose_b = true});
      grad.key = product<Scalar>(grad_scores, product<Scalar>(query, parameters.w_general), {.transpose_a = true});
      grad.parameters.w_general = product<Scalar>(query, grad_projected, {.transpose_a = true});
      break;
    }
    case Score::additive:
      return additive_backward<Scalar>(query, key, parameters, grad_scores);
  }
  return grad;
}

#define LIMELIGHT_INSTANTIATE(Scalar)                                                                              \
  template MatrixOf<Scalar> score<Scalar>(Score, const ConstMatrixRefOf<Scalar>&, const ConstMatrixRefOf<Scalar>&, \
                                          const ScoreParameters<Scalar>&);                                         \
  template MatrixOf<Scalar> score_naive<Scalar>(Score, const ConstMatrixRefOf<Scalar>&,                            \
                                                const ConstMatrixRefOf<Scalar>&, const ScoreParameters<Scalar>&);  \
  template ScoreGradients<Scalar> score_backward<Scalar>(                                                          \
      Score, const ConstMatrixRefOf<Scalar>&, const ConstMatrixRefOf<Scalar>&, const ScoreParameters<Scalar>&,     \
      const ConstMatrixRefOf<Scalar>&);
LIMELIGHT_INSTANTIATE(float)
LIMELIGHT_INSTANTIATE(double)
#undef LIMELIGHT_INSTANTIATE

}  // namespace limelight
