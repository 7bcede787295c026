// Rows of weights of which some are set by hand: the others that a mask shows share what is left of 1.
#pragma once

#include <string>
#include <vector>

#include "core/mask.h"
#include "core/matrix.h"
#include "io/error.h"
#include "io/fields.h"

namespace limelight::scenes::by_hand {

// seen: [T, S], as the weights are
void set(Matrix& weights, const io::CellEdits& edits, const BoolMatrix& seen);
// Errors: a cell outside, a hidden weight, a row that sums to more than 1, or as a whole to less. name: of the tensor.
Result<void> check(const io::CellEdits& edits, const std::string& name, const BoolMatrix& seen,
                   const std::vector<std::string>& queries, const std::vector<std::string>& keys);
// Weights that the mask hides, and rows that nothing is left to share in, are no longer set.
void drop_hidden(io::CellEdits& edits, const BoolMatrix& seen);
// What the others of its row that are set leave to one of them.
io::Range room(const io::CellEdits& edits, const BoolMatrix& seen, int row, int column);

}  // namespace limelight::scenes::by_hand
