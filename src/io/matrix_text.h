// A matrix as people paste it: NumPy's "[[1, 2], [3, 4]]", "array(…)" and what it prints, JSON, CSV, a spreadsheet's
// cells. Nothing of it is run.
#pragma once

#include <cstddef>
#include <string_view>

#include "core/matrix.h"
#include "io/error.h"

namespace limelight::io {

inline constexpr std::size_t kLongestMatrixText = 1'000'000;  // bytes

// Columns are separated by tabs, else semicolons, else commas, else spaces; with tabs and semicolons a number may have
// a decimal comma. A first row and a first column of labels are left out. Errors: a sentence that names the row and the
// column, from 1: not a number, none at all, rows of different lengths, brackets that do not match.
Result<Matrix> parse_matrix(std::string_view text);

}  // namespace limelight::io
