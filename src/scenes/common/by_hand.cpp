#include "scenes/common/by_hand.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/attention.h"
#include "io/numbers.h"
#include "scenes/common/explain.h"

namespace limelight::scenes::by_hand {
namespace {

constexpr double kOne = 1e-5;  // how far from 1 a row's hand-made weights may sum: rounding

std::string word_at(const std::vector<std::string>& words, int index) {
  return in_sentence(words[static_cast<std::size_t>(index)]);
}

}  // namespace

void set(Matrix& weights, const io::CellEdits& edits, const BoolMatrix& seen) {
  for (int i = 0; i < weights.rows(); ++i) {
    std::vector<int> places;  // of the row's keys that are seen
    std::map<int, float> values;
    for (int j = 0; j < weights.cols(); ++j) {
      if (!seen(i, j)) continue;
      if (const auto edit = edits.cells.find({i, j}); edit != edits.cells.end())
        values[static_cast<int>(places.size())] = edit->second;
      places.push_back(j);
    }
    if (values.empty()) continue;
    Matrix row = weights(std::vector<int>{i}, places);
    set_weights(row, 0, values, static_cast<int>(places.size()));
    weights(std::vector<int>{i}, places) = row;
  }
}

Result<void> check(const io::CellEdits& edits, const std::string& name, const BoolMatrix& seen,
                   const std::vector<std::string>& queries, const std::vector<std::string>& keys) {
  const int rows = static_cast<int>(seen.rows()), columns = static_cast<int>(seen.cols());
  if (Result<void> inside = edits.check(name, rows, columns); !inside) return inside;
  for (int row = 0; row < rows; ++row) {
    double sum = 0;
    int count = 0;
    for (const auto& [cell, weight] : edits.cells) {
      if (cell.first != row) continue;
      if (!seen(row, cell.second) && weight > 0)
        return fail("The mask hides " + word_at(keys, cell.second) + " from " + word_at(queries, row) +
                    ", so that weight stays 0; show the cell in the mask first.");
      sum += static_cast<double>(weight);
      count += seen(row, cell.second) ? 1 : 0;
    }
    const std::string of_row = "The weights set by hand in the row of " + word_at(queries, row) + " of " + name +
                               " sum to " + io::format_short(sum, 6);
    if (sum > 1 + kOne) return fail(of_row + "; together they can be 1 at most, so make one of them smaller.");
    if (count > 0 && count == static_cast<int>(seen.row(row).count()) && sum < 1 - kOne)
      return fail(of_row + "; they are the whole row, which has to sum to 1.");
  }
  return {};
}

void drop_hidden(io::CellEdits& edits, const BoolMatrix& seen) {
  std::erase_if(edits.cells, [&](const auto& edit) {
    const auto& [row, column] = edit.first;
    return row >= seen.rows() || column >= seen.cols() || !seen(row, column);
  });
  for (int row = 0; row < static_cast<int>(seen.rows()); ++row) {
    const auto in_row = [row](const auto& edit) { return edit.first.first == row; };
    double sum = 0;
    for (const auto& [cell, weight] : edits.cells) sum += cell.first == row ? static_cast<double>(weight) : 0;
    const bool whole_row = std::ranges::count_if(edits.cells, in_row) >= seen.row(row).count();
    if (whole_row && std::abs(sum - 1) > kOne) std::erase_if(edits.cells, in_row);
  }
}

io::Range room(const io::CellEdits& edits, const BoolMatrix& seen, int row, int column) {
  if (!seen(row, column)) return {0, 0};
  double rest = 1;
  auto free = static_cast<int>(seen.row(row).count());
  for (const auto& [cell, weight] : edits.cells) {
    if (cell.first != row || cell.second == column) continue;
    rest -= static_cast<double>(weight);
    --free;
  }
  rest = std::max(io::round_to(rest, 1e-6), 0.0);
  return {free == 1 ? rest : 0, rest};
}

}  // namespace limelight::scenes::by_hand
