#include "core/product.h"

namespace limelight {

template <class Scalar>
MatrixOf<Scalar> product(const ConstMatrixRefOf<Scalar>& a, const ConstMatrixRefOf<Scalar>& b, ProductOptions options) {
  MatrixOf<Scalar> out;
  if (options.transpose_a && options.transpose_b)
    out.noalias() = a.transpose() * b.transpose();
  else if (options.transpose_a)
    out.noalias() = a.transpose() * b;
  else if (options.transpose_b)
    out.noalias() = a * b.transpose();
  else
    out.noalias() = a * b;
  return out;
}

template <class Scalar>
MatrixOf<Scalar> product_naive(const ConstMatrixRefOf<Scalar>& a, const ConstMatrixRefOf<Scalar>& b,
                               ProductOptions options) {
  const auto left = [&](Eigen::Index i, Eigen::Index k) { return options.transpose_a ? a(k, i) : a(i, k); };
  const auto right = [&](Eigen::Index k, Eigen::Index j) { return options.transpose_b ? b(j, k) : b(k, j); };
  const Eigen::Index depth = options.transpose_a ? a.rows() : a.cols();
  MatrixOf<Scalar> out(options.transpose_a ? a.cols() : a.rows(), options.transpose_b ? b.rows() : b.cols());
  for (Eigen::Index i = 0; i < out.rows(); ++i)
    for (Eigen::Index j = 0; j < out.cols(); ++j) {
      Scalar sum = 0;
      for (Eigen::Index k = 0; k < depth; ++k) sum += left(i, k) * right(k, j);
      out(i, j) = sum;
    }
  return out;
}

template MatrixOf<float> product<float>(const ConstMatrixRefOf<float>&, const ConstMatrixRefOf<float>&, ProductOptions);
template MatrixOf<double> product<double>(const ConstMatrixRefOf<double>&, const ConstMatrixRefOf<double>&,
                                          ProductOptions);
template MatrixOf<float> product_naive<float>(const ConstMatrixRefOf<float>&, const ConstMatrixRefOf<float>&,
                                              ProductOptions);
template MatrixOf<double> product_naive<double>(const ConstMatrixRefOf<double>&, const ConstMatrixRefOf<double>&,
                                                ProductOptions);

}  // namespace limelight
