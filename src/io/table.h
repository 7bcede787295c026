// One tensor as a file for other programs: with its labels where the format has room for them.
#pragma once

#include <string>

#include "core/trace.h"

// tools/split.mjs tells by the namespace that these come to a page with the other scenes.
namespace limelight::io::table {

// RFC 4180: a row of column labels, then a label and a row of numbers for each row; numbers read back to the same
// float, and are "-inf" where masked. What has no labels is numbered from 1.
std::string csv(const Tensor& tensor);

// A tabular of the LaTeX package booktabs, for eyes: at most four significant digits.
std::string latex(const Tensor& tensor);

// {"name", "rows", "columns": the labels, "shape", "data"}; a number that is not finite is a text, "-Infinity".
std::string json(const Tensor& tensor);

}  // namespace limelight::io::table
