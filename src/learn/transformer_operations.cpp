// What transformers are made of.

#include <cassert>
#include <cmath>
#include <numbers>

#include "core/activation.h"
#include "core/attention.h"
#include "learn/operations.h"

namespace limelight::learn {
namespace {

constexpr double kSmallestVariance = 1e-5;
constexpr double kCubic = 0.044715;

template <class Scalar>
using Kept = Eigen::Map<MatrixOf<Scalar>>;

// What is kept: each row's (a − mean) / deviation and, in a last column, 1 / deviation. [N, D + 1]
template <class Scalar>
void layer_norm_backward(Tape<Scalar>& tape, const Node<Scalar>& node) {
  const auto [a, gain, bias, none] = node.inputs;
  const ViewOf<Scalar> grad = tape.gradient_of(node);
  const Kept<Scalar> kept(node.kept, node.rows, node.columns + 1);
  const auto normal = kept.leftCols(node.columns);
  if (tape.learns(gain)) gradient_of(tape, gain) += grad.cwiseProduct(normal).colwise().sum();
  if (tape.learns(bias)) gradient_of(tape, bias) += grad.colwise().sum();
  if (!tape.learns(a)) return;
  const auto weight = value_of(tape, gain).row(0);
  ViewOf<Scalar> to = gradient_of(tape, a);
  const auto count = static_cast<Scalar>(node.columns);
  for (int i = 0; i < node.rows; ++i) {
    const auto weighted = grad.row(i).cwiseProduct(weight);
    const Scalar mean = weighted.sum() / count, along = weighted.dot(normal.row(i)) / count;
    to.row(i) += kept(i, node.columns) * (weighted.array() - mean - normal.row(i).array() * along).matrix();
  }
}

// What is kept: the tanh.
template <class Scalar>
void gelu_backward(Tape<Scalar>& tape, const Node<Scalar>& node) {
  if (!tape.learns(node.inputs[0])) return;
  const auto x = value_of(tape, node.inputs[0]).array();
  const auto t = Kept<Scalar>(node.kept, node.rows, node.columns).array();
  const auto slope = static_cast<Scalar>(std::sqrt(2 / std::numbers::pi));
  const auto cubic = static_cast<Scalar>(3 * kCubic);
  gradient_of(tape, node.inputs[0]).array() +=
      tape.gradient_of(node).array() * ((1 + t) / 2 + x / 2 * (1 - t.square()) * slope * (1 + cubic * x.square()));
}

AttentionOptions options_for(Eigen::Index size) { return {.scale = 1 / std::sqrt(static_cast<double>(size))}; }

// What is kept: the weights of each sequence, [T, T], one after the other.
template <class Scalar>
void attend_backward_node(Tape<Scalar>& tape, const Node<Scalar>& node) {
  const auto [query, key, value, none] = node.inputs;
  const ViewOf<Scalar> grad = tape.gradient_of(node), q = value_of(tape, query), k = value_of(tape, key),
                       v = value_of(tape, value);
  int first = 0;
  const Scalar* weights = node.kept;
  AttentionSteps<Scalar> steps;
  for (const int length : node.ids) {
    steps.weights = Eigen::Map<const MatrixOf<Scalar>>(weights, length, length);
    const AttentionGradients<Scalar> gradients = limelight::attend_backward<Scalar>(
        q.middleRows(first, length), k.middleRows(first, length), v.middleRows(first, length), options_for(q.cols()),
        {}, steps, grad.middleRows(first, length));
    gradient_of(tape, query).middleRows(first, length) += gradients.query;
    gradient_of(tape, key).middleRows(first, length) += gradients.key;
    gradient_of(tape, value).middleRows(first, length) += gradients.value;
    first += length;
    weights += static_cast<std::ptrdiff_t>(length) * length;
  }
}

}  // namespace

template <class Scalar>
Value layer_norm(Tape<Scalar>& tape, Value a, Value gain, Value bias) {
  Node<Scalar> node = tape.make(tape.node(a).rows, tape.node(a).columns);
  node.kept = tape.allocate(static_cast<std::size_t>(node.rows) * static_cast<std::size_t>(node.columns + 1));
  Kept<Scalar> kept(node.kept, node.rows, node.columns + 1);
  const ViewOf<Scalar> x = value_of(tape, a);
  for (int i = 0; i < node.rows; ++i) {
    auto normal = kept.row(i).head(node.columns);
    normal = x.row(i).array() - x.row(i).mean();
    const Scalar variance = normal.squaredNorm() / static_cast<Scalar>(node.columns);
    const Scalar scale = 1 / std::sqrt(variance + static_cast<Scalar>(kSmallestVariance));
    normal *= scale;
    kept(i, node.columns) = scale;
  }
  tape.value_of(node) =
      (kept.leftCols(node.columns).array().rowwise() * value_of(tape, gain).row(0).array()).rowwise() +
      value_of(tape, bias).row(0).array();
  node.inputs[0] = a;
  node.inputs[1] = gain;
  node.inputs[2] = bias;
  node.backward = layer_norm_backward<Scalar>;
  return tape.add(node);
}

template <class Scalar>
Value gelu(Tape<Scalar>& tape, Value a) {
  Node<Scalar> node = tape.make(tape.node(a).rows, tape.node(a).columns);
  const auto x = value_of(tape, a).array();
  node.kept = tape.allocate(static_cast<std::size_t>(x.size()));
  Kept<Scalar> kept(node.kept, node.rows, node.columns);
  const auto slope = static_cast<Scalar>(std::sqrt(2 / std::numbers::pi));
  kept = (slope * (x + static_cast<Scalar>(kCubic) * x.cube())).matrix();
  tanh_in_place(node.kept, kept.size());
  tape.value_of(node) = (x / 2 * (1 + kept.array())).matrix();
  node.inputs[0] = a;
  node.backward = gelu_backward<Scalar>;
  return tape.add(node);
}

template <class Scalar>
Value attend(Tape<Scalar>& tape, Value query, Value key, Value value, std::span<const int> lengths, Value out) {
  Node<Scalar> node = tape.into(out);
  std::size_t size = 0;
  for (const int length : lengths) size += static_cast<std::size_t>(length) * static_cast<std::size_t>(length);
  node.kept = tape.allocate(size);
  const ViewOf<Scalar> q = value_of(tape, query), k = value_of(tape, key), v = value_of(tape, value);
  int first = 0;
  Scalar* weights = node.kept;
  for (const int length : lengths) {
    const AttentionSteps<Scalar> steps = attend_traced<Scalar>(q.middleRows(first, length), k.middleRows(first, length),
                                                               v.middleRows(first, length), options_for(q.cols()));
    Kept<Scalar>(weights, length, length) = steps.weights;
    tape.value_of(node).middleRows(first, length) = steps.output;
    first += length;
    weights += static_cast<std::ptrdiff_t>(length) * length;
  }
  assert(first == node.rows);
  node.inputs[0] = query;
  node.inputs[1] = key;
  node.inputs[2] = value;
  node.ids = lengths;
  node.backward = attend_backward_node<Scalar>;
  return tape.add(node);
}

template <class Scalar>
MatrixOf<Scalar> attention_weights(const Tape<Scalar>& tape, Value attended, int sequence) {
  const Node<Scalar>& node = tape.node(attended);
  const Scalar* weights = node.kept;
  for (const int length : node.ids.first(static_cast<std::size_t>(sequence)))
    weights += static_cast<std::ptrdiff_t>(length) * length;
  const int length = node.ids[static_cast<std::size_t>(sequence)];
  return Eigen::Map<const MatrixOf<Scalar>>(weights, length, length);
}

#define LIMELIGHT_INSTANTIATE(Scalar)                                                             \
  template Value layer_norm<Scalar>(Tape<Scalar>&, Value, Value, Value);                          \
  template Value gelu<Scalar>(Tape<Scalar>&, Value);                                              \
  template Value attend<Scalar>(Tape<Scalar>&, Value, Value, Value, std::span<const int>, Value); \
  template MatrixOf<Scalar> attention_weights<Scalar>(const Tape<Scalar>&, Value, int);
LIMELIGHT_INSTANTIATE(float)
LIMELIGHT_INSTANTIATE(double)
#undef LIMELIGHT_INSTANTIATE

}  // namespace limelight::learn
