// Where a query and a key meet: the column whose two numbers add most to their similarity.
#include <algorithm>

#include "scenes/layer/machine.h"

namespace limelight::scenes::layer {
namespace {

int met(const Machine& m) {
  if (m.pointed >= 0) return m.pointed;
  return static_cast<int>(std::ranges::max_element(m.weights) - m.weights.begin());
}

// A column of a card's cells; nothing where they are too small for a ring.
std::optional<Rect> cell_of(const Drawing& d, const std::string& card, int column) {
  constexpr float kLeast = 5;  // px
  const Element* cells = d.figure.find(card + ".cells");
  if (cells == nullptr) return std::nullopt;
  const std::optional<Rect> cell = cell_rect(*cells, std::get<MatrixCells>(cells->shape).range.row, column);
  return cell && std::min(cell->w, cell->h) >= kLeast ? cell : std::nullopt;
}

}  // namespace

int meeting_column(const Drawing& d, const Machine& m) {
  // A matrix or a network between the two compares every number with every other one.
  const Similarity similarity = d.state.similarity;
  if (!m.form.lenses && (similarity == Similarity::general || similarity == Similarity::additive)) return -1;
  const Matrix &Q = tensor_of(d, m.form.names.query).values, &K = tensor_of(d, m.form.names.key).values;
  if (Q.cols() != K.cols()) return -1;
  Eigen::Index column = 0;
  const float most = Q.row(m.row).cwiseProduct(K.row(met(m))).maxCoeff(&column);
  return most > 0 ? static_cast<int>(column) : -1;
}

void add_meeting(Drawing& d, const Machine& m) {
  const int column = meeting_column(d, m);
  const auto asks = cell_of(d, "query." + std::to_string(m.asking), column),
             answers = cell_of(d, "key." + std::to_string(met(m)), column);
  if (column < 0 || !asks || !answers) return;
  for (const auto& [id, cell] : {std::pair{"meeting.query", *asks}, {"meeting.key", *answers}}) {
    add_box(d, id, cell.inset(-2), {.stroke = d.colours.ink, .stroke_width = 1.8F, .radius = 4});
    d.figure.elements.back().opacity = m.shown.light;
  }
}

}  // namespace limelight::scenes::layer
