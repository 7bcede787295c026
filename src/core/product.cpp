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

template MatrixOf<float> product<float>(const ConstMatrixRefOf<float>&, const ConstMatrixRefOf<float>&, ProductOptions);
template MatrixOf<double> product<double>(const ConstMatrixRefOf<double>&, const ConstMatrixRefOf<double>&,
                                          ProductOptions);

}  // namespace limelight
