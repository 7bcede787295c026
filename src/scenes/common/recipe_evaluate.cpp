// What a recipe's tensor is, by the definition: one number at a time, in double precision, without the kernels.
#include <algorithm>
#include <cmath>
#include <limits>

#include "scenes/common/recipe.h"

namespace limelight::scenes::recipes {
namespace {

using Wide = MatrixOf<double>;

Wide wide(const Trace& trace, std::string_view tensor) { return trace.at(tensor).values.cast<double>(); }

// Of a row, its largest number; 0 where all are −∞, so that nothing becomes no number.
double shift_of(const Wide& row) { return std::isfinite(row.maxCoeff()) ? row.maxCoeff() : 0; }

Wide softmax_of(const Wide& scores) {
  Wide made = scores;
  for (int i = 0; i < made.rows(); ++i) {
    const double shift = shift_of(made.row(i));
    double sum = 0;
    for (int j = 0; j < made.cols(); ++j) sum += made(i, j) = std::exp(scores(i, j) - shift);
    if (sum > 0) made.row(i) /= sum;
  }
  return made;
}

// Beside an odd last column stands a 0.
Wide rotated(const Wide& rows) {
  Wide even = Wide::Zero(rows.rows(), rows.cols() + rows.cols() % 2);
  even.leftCols(rows.cols()) = rows;
  Wide made = even;
  for (int p = 0; p < made.rows(); ++p)
    for (int c = 0; c < made.cols(); ++c) {
      const double turn = angle_of(p, c, static_cast<int>(made.cols()));
      made(p, c) = c % 2 == 0 ? even(p, c) * std::cos(turn) - even(p, c + 1) * std::sin(turn)
                              : even(p, c - 1) * std::sin(turn) + even(p, c) * std::cos(turn);
    }
  return made;
}

Wide with_sines(Wide rows) {
  for (int p = 0; p < rows.rows(); ++p)
    for (int c = 0; c < rows.cols(); ++c)
      rows(p, c) += c % 2 == 0 ? std::sin(angle_of(p, c, static_cast<int>(rows.cols())))
                               : std::cos(angle_of(p, c, static_cast<int>(rows.cols())));
  return rows;
}

Wide product_of(const Wide& left, const Wide& right) {
  Wide made = Wide::Zero(left.rows(), right.cols());
  for (int i = 0; i < made.rows(); ++i)
    for (int j = 0; j < made.cols(); ++j)
      for (int k = 0; k < left.cols(); ++k) made(i, j) += left(i, k) * right(k, j);
  return made;
}

Wide cosine_of(const Wide& queries, const Wide& keys) {
  Wide made = product_of(queries, keys.transpose());
  for (int i = 0; i < made.rows(); ++i)
    for (int j = 0; j < made.cols(); ++j) {
      const double lengths = queries.row(i).norm() * keys.row(j).norm();
      made(i, j) = lengths > 0 ? made(i, j) / lengths : 0;
    }
  return made;
}

Wide additive_of(const Wide& queries, const Wide& keys, const Wide& v) {
  Wide made = Wide::Zero(queries.rows(), keys.rows());
  for (int i = 0; i < made.rows(); ++i)
    for (int j = 0; j < made.cols(); ++j)
      for (int h = 0; h < v.rows(); ++h) made(i, j) += v(h, 0) * std::tanh(queries(i, h) + keys(j, h));
  return made;
}

Wide operated(const Recipe& recipe, const Trace& trace) {
  const Wide left = recipe.left().empty() ? Wide() : wide(trace, recipe.left());
  const Wide right = recipe.right().empty() ? Wide() : wide(trace, recipe.right());
  const auto learned = [&](std::size_t operand) { return wide(trace, recipe.operands[operand]); };
  switch (recipe.operation) {
    case Operation::given:
      return wide(trace, recipe.tensor);
    case Operation::product:
      return product_of(recipe.rows > 0 ? Wide(left.topRows(recipe.rows)) : left,
                        recipe.turned ? Wide(right.transpose()) : Wide(right.middleRows(recipe.first, left.cols())));
    case Operation::same:
      return left;
    case Operation::maximum:
      return left.rowwise().maxCoeff();
    case Operation::difference:
      return left - right.replicate(1, recipe.turned ? 1 : left.cols());
    case Operation::exponential:
      return left.unaryExpr([](double x) { return std::exp(x); });
    case Operation::total:
      return recipe.turned ? Wide(left.colwise().sum()) : Wide(left.rowwise().sum());
    case Operation::quotient:
      return left.array() / right.replicate(1, left.cols()).array();
    case Operation::softmax:
      return recipe.turned ? Wide(softmax_of(left.transpose()).transpose()) : softmax_of(left);
    case Operation::reordered: {
      Wide made = left;
      for (int i = 0; i < made.rows(); ++i) made.row(i) = left.row(recipe.old_place(i));
      return made;
    }
    case Operation::one_row:
      return left.row(recipe.row);
    case Operation::columns:
      return left.middleCols(recipe.first, recipe.size_of_part);
    case Operation::beside:
    case Operation::sum_of: {
      Wide made = wide(trace, recipe.many.front());
      for (std::size_t i = 1; i < recipe.many.size(); ++i) {
        const Wide next = wide(trace, recipe.many[i]);
        if (recipe.operation == Operation::sum_of) {
          made += next;
        } else {
          made.conservativeResize(Eigen::NoChange, made.cols() + next.cols());
          made.rightCols(next.cols()) = next;
        }
      }
      return made;
    }
    case Operation::largest_gap:
      return Wide::Constant(1, 1, (left - right).cwiseAbs().maxCoeff());
    case Operation::cosine:
      return cosine_of(left, right);
    case Operation::general:
      return product_of(product_of(left, learned(2)), right.transpose());
    case Operation::additive:
      if (recipe.operands[2].empty()) return additive_of(left, right, learned(4));
      return additive_of(product_of(left, learned(2)), product_of(right, learned(3)), learned(4));
    case Operation::sinusoidal:
      return with_sines(left);
    case Operation::rotary:
      return rotated(left);
  }
  return {};
}

// In each row where some are set, the others that are not hidden share what is left.
void set_by_hand(Wide& weights, const Recipe& recipe, const Trace& trace) {
  for (int i = 0; i < weights.rows(); ++i) {
    if (!set_in_row(recipe, i)) continue;
    const auto is_set = [&](int j) { return recipe.set->cells.contains({i, j}); };
    const std::string_view scores = recipe.exponent.empty() ? recipe.left() : recipe.exponent;
    const auto is_seen = [&](int j) { return std::isfinite(trace.at(scores).values(i, j)); };
    double rest = 1, others = 0;
    int count = 0;
    for (int j = 0; j < weights.cols(); ++j) {
      if (is_set(j)) {
        weights(i, j) = static_cast<double>(recipe.set->cells.at({i, j}));
        rest -= weights(i, j);
      } else if (is_seen(j)) {
        others += weights(i, j);
        ++count;
      }
    }
    for (int j = 0; j < weights.cols(); ++j)
      if (!is_set(j) && is_seen(j))
        weights(i, j) = std::max(rest, 0.0) * (others > 0 ? weights(i, j) / others : 1.0 / count);
  }
}

}  // namespace

Matrix evaluate(const Recipe& recipe, const Trace& trace) {
  Wide made = operated(recipe, trace);
  made *= recipe.factor / std::sqrt(recipe.size) / recipe.temperature;
  for (int i = 0; i < made.rows(); ++i)
    for (int j = 0; j < made.cols(); ++j) {
      if (recipe.slope != 0) made(i, j) -= recipe.slope * std::abs(i - j);
      if (recipe.causal && j > i) made(i, j) = -std::numeric_limits<double>::infinity();
    }
  if (!recipe.bias.empty()) made.rowwise() += wide(trace, recipe.bias).row(0);
  if (!recipe.mask.empty())
    made = (trace.at(recipe.mask).values.array() > 0).select(made, -std::numeric_limits<double>::infinity());
  if (recipe.set != nullptr) set_by_hand(made, recipe, trace);
  return made.cast<float>();
}

}  // namespace limelight::scenes::recipes
