#include "scenes/limits/limits.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "core/analysis.h"
#include "core/attention.h"
#include "io/numbers.h"
#include "scenes/common/words.h"

namespace limelight::scenes::limits {
namespace {

using Doubles = MatrixOf<double>;
using Labels = std::vector<std::string>;

// To six digits, so that a rounding of the weights does not make 0.999999 of 1.
Matrix rounded(const Doubles& sums) {
  return sums.unaryExpr([](double sum) { return io::round_to(sum, 1e-6); }).cast<float>();
}

// An orthonormal basis of the columns of [V, 1], by Gram and Schmidt, twice over for the last digits. [rank, S]
Doubles basis(const Doubles& V) {
  const Eigen::Index n = V.rows();
  Doubles found(0, n);
  for (Eigen::Index c = 0; c <= V.cols(); ++c) {
    const Doubles column = c < V.cols() ? Doubles(V.col(c).transpose()) : Doubles::Ones(1, n);
    Doubles rest = column;
    for (int pass = 0; pass < 2; ++pass)
      for (Eigen::Index i = 0; i < found.rows(); ++i) rest -= found.row(i).dot(rest.row(0)) * found.row(i);
    if (rest.norm() <= 1e-6 * column.norm()) continue;  // values are single precision
    found.conservativeResize(found.rows() + 1, n);
    found.row(found.rows() - 1) = rest / rest.norm();
  }
  return found;
}

// ---- the trace, step by step ----

void add_spread(Trace& trace, const State& state, const Labels& query) {
  const Matrix& a = trace.at("a").values;
  Matrix spread(1, Spread::count);
  spread << entropy(a), effective_keys(a), largest_weight(a);
  const Labels measures{"entropy", "effective keys", "largest weight"};
  trace.add("spread", spread, query, measures);
  const Doubles scores = trace.at("E").values.row(state.query).cast<double>();
  Matrix course(Spread::count, kCourse);
  Labels temperatures;
  for (int i = 0; i < kCourse; ++i) {
    const double t =
        kTemperatures.low * std::pow(kTemperatures.high / kTemperatures.low, static_cast<double>(i) / (kCourse - 1));
    const Matrix weights = softmax(scores / t).cast<float>();
    course.col(i) << entropy(weights), effective_keys(weights), largest_weight(weights);
    temperatures.push_back("T = " + io::format_short(t));
  }
  trace.add("course", course, measures, temperatures);
}

void add_raised(Trace& trace, const State& state, const Doubles& z, const Labels& query, const Labels& keys) {
  const Doubles raised = z.array() + state.raise;
  const Doubles weights = softmax(raised);
  const Doubles sigmoid = raised.unaryExpr([](double s) { return 1 / (1 + std::exp(-s)); });
  Matrix sums(2, 2);
  sums << rounded(weights.rowwise().sum()), static_cast<float>(weights.mean()), rounded(sigmoid.rowwise().sum()),
      static_cast<float>(sigmoid.mean());
  trace.add("raised", raised.cast<float>(), query, keys);
  trace.add("softmax_raised", weights.cast<float>(), query, keys);
  trace.add("sigmoid", sigmoid.cast<float>(), query, keys);
  trace.add("raised_sums", sums, {"softmax", "sigmoid"}, {"sum", "mean"});
}

void add_other_weights(Trace& trace, const State& state, const Doubles& a, const Labels& query, const Labels& keys,
                       const Labels& features) {
  const Doubles V = trace.at("V").values.cast<double>();
  const int key = chosen_key(state, trace);
  const Doubles direction = free_direction(V, key);
  // How far it goes, either way, until some weight would fall below 0.
  double away = std::numeric_limits<double>::infinity(), towards = away;
  for (Eigen::Index j = 0; j < a.cols(); ++j) {
    if (direction(0, j) < 0) away = std::min(away, a(0, j) / -direction(0, j));
    if (direction(0, j) > 0) towards = std::min(towards, a(0, j) / direction(0, j));
  }
  const double taken = direction.isZero() ? 0 : state.move >= 0 ? state.move * away : state.move * towards;
  const Doubles other = (a + taken * direction).cwiseMax(0);
  const Doubles y = a * V, y_other = other * V;
  trace.add("direction", direction.cast<float>(), query, keys);
  trace.add("a_other", other.cast<float>(), query, keys);
  trace.add("y", y.cast<float>(), query, features);
  Doubles outputs(2, V.cols());
  outputs << y, y_other;
  trace.add("outputs", outputs.cast<float>(), {"a V", "a′ V"}, features);
  trace.add("moved", single((other - a).cwiseAbs().sum() / 2), query, {"moved"});
  trace.add("apart", single((y_other - y).cwiseAbs().maxCoeff()), query, {"apart"});
  trace.add("freedom", single(freedom(V)), {}, {"directions"});
}

void add_other_values(Trace& trace, const State& state, const Doubles& a, const Labels& keys, const Labels& features) {
  const Doubles V = trace.at("V").values.cast<double>();
  Doubles other = V;
  other.row(chosen_key(state, trace)) *= state.factor;
  Doubles contribution(2, V.rows());
  contribution.row(0) = a.row(0).cwiseProduct(V.rowwise().norm().transpose());
  contribution.row(1) = a.row(0).cwiseProduct(other.rowwise().norm().transpose());
  trace.add("V_other", other.cast<float>(), keys, features);
  Doubles outputs(2, V.cols());
  outputs << a * V, a * other;
  trace.add("outputs_changed", outputs.cast<float>(), {"a V", "a V′"}, features);
  trace.add("contribution", contribution.cast<float>(), {"before", "after"}, keys);
}

// How far each output lies outside what the values span. [T, D_V]
Doubles outside(const Doubles& Y, const Doubles& V) {
  Doubles beyond = Doubles::Zero(Y.rows(), Y.cols());
  for (Eigen::Index i = 0; i < Y.rows(); ++i)
    for (Eigen::Index j = 0; j < Y.cols(); ++j) {
      const double low = V.col(j).minCoeff(), high = V.col(j).maxCoeff();
      const double far = std::max({Y(i, j) - high, low - Y(i, j), 0.0});
      beyond(i, j) = far > 1e-9 * std::max(1.0, std::abs(high)) ? far : 0;
    }
  return beyond;
}

void add_axes(Trace& trace, const State& state, const Labels& queries, const Labels& keys, const Labels& features) {
  const Doubles V = trace.at("V").values.cast<double>();
  const Doubles scores = trace.at("E").values.cast<double>() / state.temperature;
  const Doubles turned = scores.transpose();
  const Doubles right = softmax(scores), wrong = softmax(turned).transpose();
  const auto add = [&](const std::string& end, const Doubles& A) {
    trace.add("A" + end, A.cast<float>(), queries, keys);
    trace.add("row_sum" + end, rounded(A.rowwise().sum()), queries, {"sum"});
    trace.add("column_sum" + end, rounded(A.colwise().sum()), {"sum"}, keys);
    trace.add("Y" + end, (A * V).cast<float>(), queries, features);
  };
  add("", right);
  add("_wrong", wrong);
  trace.add("outside", outside(wrong * V, V).cast<float>(), queries, features);
}

}  // namespace

Doubles softmax(const Doubles& scores) { return normalize<double>(Normalizer::softmax, scores); }

MatrixOf<double> free_direction(const MatrixOf<double>& V, int key) {
  const Doubles known = basis(V);
  Doubles rest = Doubles::Zero(1, V.rows());
  rest(0, key) = 1;
  for (int pass = 0; pass < 2; ++pass)
    for (Eigen::Index i = 0; i < known.rows(); ++i) rest -= known.row(i).dot(rest.row(0)) * known.row(i);
  if (rest.norm() < 1e-5) return Doubles::Zero(1, V.rows());
  const Doubles direction = rest / -rest(0, key);
  return direction.unaryExpr([](double x) { return std::abs(x) < 1e-12 ? 0 : x; });
}

int freedom(const MatrixOf<double>& V) { return static_cast<int>(V.rows() - basis(V).rows()); }

int best_of(const Matrix& row) {
  Eigen::Index best = 0;
  row.row(0).maxCoeff(&best);
  return static_cast<int>(best);
}

Trace compute(const State& state, const Inputs& /*inputs*/) {
  const Given from = given(state);
  const Labels queries = query_names(state), keys = key_names(state), features = value_names(state);
  const Labels query{queries[static_cast<std::size_t>(state.query)]};
  Matrix V = from.V;
  state.V.apply(V);
  const AttentionSteps<double> steps = attend_traced<double>(from.Q.cast<double>(), from.K.cast<double>(),
                                                             V.cast<double>(), AttentionOptions{.scale = from.scale});
  Matrix E = steps.scaled.cast<float>();
  state.E.apply(E);
  Trace trace;
  trace.add("Q", from.Q, queries);
  trace.add("K", from.K, keys);
  trace.add("V", V, keys, features);
  trace.add("E", E, queries, keys);
  const Doubles z = E.row(state.query).cast<double>() / state.temperature;
  const Doubles a = softmax(z);
  trace.add("a", a.cast<float>(), query, keys);
  add_spread(trace, state, query);
  add_raised(trace, state, z, query, keys);
  add_other_weights(trace, state, a, query, keys, features);
  add_other_values(trace, state, a, keys, features);
  add_axes(trace, state, queries, keys, features);
  add_claims(trace, state);
  return trace;
}

io::Patch follow(const State& state, const figure::Source& pinned) {
  static constexpr std::string_view by_query[] = {"E", "A", "A_wrong", "Y", "Y_wrong", "row_sum", "row_sum_wrong"};
  if (std::ranges::find(by_query, pinned.tensor) == std::end(by_query) || pinned.row == state.query) return {};
  return {{"query", std::to_string(pinned.row)}};
}

}  // namespace limelight::scenes::limits
