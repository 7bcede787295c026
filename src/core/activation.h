// Functions of many numbers at once, each replaced by its result: vectorised in single precision, the standard
// library's in double, so that finite differences have something exact to differ.
#pragma once

#include <cstddef>

namespace limelight {

// tanh x to within 2e-7 in single precision: the error is absolute, what a sum of many such terms needs. A NaN gives
// any number from −1 to 1: whoever may have one asks for it where it arises.
void tanh_in_place(float* x, std::ptrdiff_t count);
void tanh_in_place(double* x, std::ptrdiff_t count);

// 1 / (1 + e⁻ˣ), to within 2e-7; a NaN gives any number from 0 to 1.
void sigmoid_in_place(float* x, std::ptrdiff_t count);
void sigmoid_in_place(double* x, std::ptrdiff_t count);

// eˣ for x ≤ 0, −∞ included: what a softmax takes after its maximum is subtracted.
void exp_in_place(float* x, std::ptrdiff_t count);
void exp_in_place(double* x, std::ptrdiff_t count);

}  // namespace limelight
