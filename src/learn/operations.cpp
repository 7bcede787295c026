#include "learn/operations.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <type_traits>

#include "core/activation.h"

namespace limelight::learn {
namespace {

// out += op(a) op(b)
template <class Scalar>
void accumulate(const ViewOf<Scalar>& a, const ViewOf<Scalar>& b, ViewOf<Scalar> out, ProductOptions options) {
  if constexpr (std::is_same_v<Scalar, float>)
    multiply_add(a, b, out, options);
  else
    out += limelight::product<Scalar>(a, b, options);
}

template <class Scalar>
void write_product(const ViewOf<Scalar>& a, const ViewOf<Scalar>& b, ViewOf<Scalar> out, ProductOptions options) {
  if constexpr (std::is_same_v<Scalar, float>)
    multiply(a, b, out, options);
  else
    out = limelight::product<Scalar>(a, b, options);
}

// Of C = op(a) op(b) + bias.
template <class Scalar>
void product_backward(Tape<Scalar>& tape, const Node<Scalar>& node) {
  const auto [a, b, bias, onto] = node.inputs;
  const auto [transpose_a, transpose_b] = node.options;
  const ViewOf<Scalar> grad = tape.gradient_of(node);
  if (tape.learns(a)) {
    if (transpose_a)
      accumulate<Scalar>(value_of(tape, b), grad, gradient_of(tape, a),
                         {.transpose_a = transpose_b, .transpose_b = true});
    else
      accumulate<Scalar>(grad, value_of(tape, b), gradient_of(tape, a), {.transpose_b = !transpose_b});
  }
  if (tape.learns(b)) {
    if (transpose_b)
      accumulate<Scalar>(grad, value_of(tape, a), gradient_of(tape, b),
                         {.transpose_a = true, .transpose_b = transpose_a});
    else
      accumulate<Scalar>(value_of(tape, a), grad, gradient_of(tape, b), {.transpose_a = !transpose_a});
  }
  if (tape.learns(bias)) gradient_of(tape, bias) += grad.colwise().sum();
}

// Of an unrolled layer: what all its steps have in common.
template <class Scalar>
void unrolled_backward(Tape<Scalar>& tape, const Node<Scalar>& node) {
  const auto [x, w, bias, onto] = node.inputs;
  const ViewOf<Scalar> grad = tape.gradient_of(node);
  if (tape.learns(w)) accumulate<Scalar>(value_of(tape, x), grad, gradient_of(tape, w), {.transpose_a = true});
  if (tape.learns(bias)) gradient_of(tape, bias) += grad.colwise().sum();
}

// Of one of its steps.
template <class Scalar>
void apply_backward(Tape<Scalar>& tape, const Node<Scalar>& node) {
  const auto [x, w, bias, onto] = node.inputs;
  if (tape.learns(x))
    accumulate<Scalar>(tape.gradient_of(node), value_of(tape, w), gradient_of(tape, x), {.transpose_b = true});
}

template <class Scalar>
Scalar dot(const Scalar* a, const Scalar* b, int count) {
  using Vector = Eigen::Map<const Eigen::Array<Scalar, 1, Eigen::Dynamic>>;
  return (Vector(a, count) * Vector(b, count)).sum();
}

// In place; −∞ is what is absent, and not all of it.
template <class Scalar>
void softmax_row(Scalar* x, int count) {
  const Scalar largest = *std::max_element(x, x + count);
  for (int j = 0; j < count; ++j) x[j] -= largest;
  exp_in_place(x, count);
  Scalar sum = 0;
  for (int j = 0; j < count; ++j) sum += x[j];
  for (int j = 0; j < count; ++j) x[j] /= sum;
}

}  // namespace

template <class Scalar>
Value product(Tape<Scalar>& tape, Value a, Value b, ProductOptions options) {
  const Node<Scalar>&left = tape.node(a), &right = tape.node(b);
  Node<Scalar> node =
      tape.make(options.transpose_a ? left.columns : left.rows, options.transpose_b ? right.rows : right.columns);
  write_product<Scalar>(value_of(tape, a), value_of(tape, b), tape.value_of(node), options);
  node.inputs[0] = a;
  node.inputs[1] = b;
  node.options = options;
  node.backward = product_backward<Scalar>;
  return tape.add(node);
}

template <class Scalar>
Value linear(Tape<Scalar>& tape, Value x, Value w, Value bias) {
  Node<Scalar> node = tape.make(tape.node(x).rows, tape.node(w).columns);
  ViewOf<Scalar> out = tape.value_of(node);
  if (bias) {
    out.rowwise() = value_of(tape, bias).row(0);
    accumulate<Scalar>(value_of(tape, x), value_of(tape, w), out, {});
  } else {
    write_product<Scalar>(value_of(tape, x), value_of(tape, w), out, {});
  }
  node.inputs[0] = x;
  node.inputs[1] = w;
  node.inputs[2] = bias;
  node.backward = product_backward<Scalar>;
  return tape.add(node);
}

template <class Scalar>
Unrolled unroll(Tape<Scalar>& tape, Value x, Value w, Value bias) {
  Node<Scalar> node = tape.make(tape.node(x).rows, tape.node(w).columns);
  if (bias)
    tape.value_of(node).rowwise() = value_of(tape, bias).row(0);
  else
    tape.value_of(node).setZero();
  node.inputs[0] = x;
  node.inputs[1] = w;
  node.inputs[2] = bias;
  node.backward = unrolled_backward<Scalar>;
  return {x, w, tape.add(node)};
}

template <class Scalar>
Unrolled unroll_onto(Tape<Scalar>& tape, Value x, Value w, Value onto) {
  assert(tape.node(onto).rows == tape.node(x).rows && tape.node(onto).columns == tape.node(w).columns);
  Node<Scalar> node = tape.into(onto);
  node.inputs[0] = x;
  node.inputs[1] = w;
  node.backward = unrolled_backward<Scalar>;
  return {x, w, tape.add(node)};
}

template <class Scalar>
Value apply(Tape<Scalar>& tape, const Unrolled& layer, int first_row, int rows) {
  const Value x = tape.rows(layer.x, first_row, rows);
  Node<Scalar> node = tape.into(tape.rows(layer.y, first_row, rows));
  accumulate<Scalar>(value_of(tape, x), value_of(tape, layer.w), tape.value_of(node), {});
  node.inputs[0] = x;
  node.inputs[1] = layer.w;
  node.backward = apply_backward<Scalar>;
  return tape.add(node);
}

template <class Scalar>
Value add(Tape<Scalar>& tape, Value a, Value b) {
  Node<Scalar> node = tape.make(tape.node(a).rows, tape.node(a).columns);
  tape.value_of(node) = value_of(tape, a) + value_of(tape, b);
  node.inputs[0] = a;
  node.inputs[1] = b;
  node.backward = [](Tape<Scalar>& on, const Node<Scalar>& of) {
    for (const Value input : {of.inputs[0], of.inputs[1]})
      if (on.learns(input)) gradient_of(on, input) += on.gradient_of(of);
  };
  return tape.add(node);
}

template <class Scalar>
Value add_row(Tape<Scalar>& tape, Value a, Value row) {
  Node<Scalar> node = tape.make(tape.node(a).rows, tape.node(a).columns);
  tape.value_of(node) = value_of(tape, a).rowwise() + value_of(tape, row).row(0);
  node.inputs[0] = a;
  node.inputs[1] = row;
  node.backward = [](Tape<Scalar>& on, const Node<Scalar>& of) {
    if (on.learns(of.inputs[0])) gradient_of(on, of.inputs[0]) += on.gradient_of(of);
    if (on.learns(of.inputs[1])) gradient_of(on, of.inputs[1]) += on.gradient_of(of).colwise().sum();
  };
  return tape.add(node);
}

template <class Scalar>
Value multiply_entries(Tape<Scalar>& tape, Value a, Value b) {
  Node<Scalar> node = tape.make(tape.node(a).rows, tape.node(a).columns);
  tape.value_of(node) = value_of(tape, a).cwiseProduct(value_of(tape, b));
  node.inputs[0] = a;
  node.inputs[1] = b;
  node.backward = [](Tape<Scalar>& on, const Node<Scalar>& of) {
    const auto [left, right, third, fourth] = of.inputs;
    if (on.learns(left)) gradient_of(on, left) += on.gradient_of(of).cwiseProduct(value_of(on, right));
    if (on.learns(right)) gradient_of(on, right) += on.gradient_of(of).cwiseProduct(value_of(on, left));
  };
  return tape.add(node);
}

template <class Scalar>
Value tanh(Tape<Scalar>& tape, Value a) {
  Node<Scalar> node = tape.make(tape.node(a).rows, tape.node(a).columns);
  tape.value_of(node) = value_of(tape, a);
  tanh_in_place(node.value, tape.value_of(node).size());
  node.inputs[0] = a;
  node.backward = [](Tape<Scalar>& on, const Node<Scalar>& of) {
    if (on.learns(of.inputs[0]))
      gradient_of(on, of.inputs[0]).array() += on.gradient_of(of).array() * (1 - on.value_of(of).array().square());
  };
  return tape.add(node);
}

template <class Scalar>
Value sigmoid(Tape<Scalar>& tape, Value a) {
  Node<Scalar> node = tape.make(tape.node(a).rows, tape.node(a).columns);
  tape.value_of(node) = value_of(tape, a);
  sigmoid_in_place(node.value, tape.value_of(node).size());
  node.inputs[0] = a;
  node.backward = [](Tape<Scalar>& on, const Node<Scalar>& of) {
    const auto result = on.value_of(of).array();
    if (on.learns(of.inputs[0]))
      gradient_of(on, of.inputs[0]).array() += on.gradient_of(of).array() * result * (1 - result);
  };
  return tape.add(node);
}

template <class Scalar>
Value copy(Tape<Scalar>& tape, Value a, Value out) {
  Node<Scalar> node = tape.into(out);
  tape.value_of(node) = value_of(tape, a);
  node.inputs[0] = a;
  node.backward = [](Tape<Scalar>& on, const Node<Scalar>& of) {
    if (on.learns(of.inputs[0])) gradient_of(on, of.inputs[0]) += on.gradient_of(of);
  };
  return tape.add(node);
}

template <class Scalar>
Value concatenate(Tape<Scalar>& tape, Value a, Value b) {
  const int left = tape.node(a).columns;
  Node<Scalar> node = tape.make(tape.node(a).rows, left + tape.node(b).columns);
  tape.value_of(node) << value_of(tape, a), value_of(tape, b);
  node.inputs[0] = a;
  node.inputs[1] = b;
  node.backward = [](Tape<Scalar>& on, const Node<Scalar>& of) {
    const auto grad = on.gradient_of(of);
    if (on.learns(of.inputs[0])) gradient_of(on, of.inputs[0]) += grad.leftCols(on.node(of.inputs[0]).columns);
    if (on.learns(of.inputs[1])) gradient_of(on, of.inputs[1]) += grad.rightCols(on.node(of.inputs[1]).columns);
  };
  return tape.add(node);
}

template <class Scalar>
Value gather(Tape<Scalar>& tape, Value table, std::span<const int> ids) {
  Node<Scalar> node = tape.make(static_cast<int>(ids.size()), tape.node(table).columns);
  ViewOf<Scalar> out = tape.value_of(node);
  const ViewOf<Scalar> from = value_of(tape, table);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    assert(ids[i] >= 0 && ids[i] < from.rows());
    out.row(static_cast<Eigen::Index>(i)) = from.row(ids[i]);
  }
  node.inputs[0] = table;
  node.ids = ids;
  node.backward = [](Tape<Scalar>& on, const Node<Scalar>& of) {
    if (!on.learns(of.inputs[0])) return;
    ViewOf<Scalar> to = gradient_of(on, of.inputs[0]);
    const ViewOf<Scalar> grad = on.gradient_of(of);
    for (std::size_t i = 0; i < of.ids.size(); ++i) to.row(of.ids[i]) += grad.row(static_cast<Eigen::Index>(i));
  };
  return tape.add(node);
}

template <class Scalar>
Value masked_softmax(Tape<Scalar>& tape, Value scores, std::span<const std::uint8_t> present) {
  const Node<Scalar> from = tape.node(scores);
  Node<Scalar> node = tape.make(from.rows, from.columns);
  const auto sequences = static_cast<std::size_t>(from.rows);
  assert(present.size() == sequences * static_cast<std::size_t>(from.columns));
  for (int b = 0; b < node.rows; ++b) {
    Scalar* const out = row(node.value, node.stride, b);
    const Scalar* const in = row(from.value, from.stride, b);
    bool some = false;
    for (int j = 0; j < node.columns; ++j) {
      const bool seen = present[static_cast<std::size_t>(j) * sequences + static_cast<std::size_t>(b)] != 0;
      out[j] = seen ? in[j] : -std::numeric_limits<Scalar>::infinity();
      some = some || seen;
    }
    if (some)
      softmax_row(out, node.columns);
    else
      std::fill_n(out, node.columns, Scalar(0));
  }
  node.inputs[0] = scores;
  node.backward = [](Tape<Scalar>& on, const Node<Scalar>& of) {
    if (!on.learns(of.inputs[0])) return;
    const Node<Scalar>& to = on.node(of.inputs[0]);
    for (int b = 0; b < of.rows; ++b) {
      const Scalar* const weight = row(of.value, of.stride, b);
      const Scalar* const grad = row(of.gradient, of.stride, b);
      Scalar* const grad_score = row(to.gradient, to.stride, b);
      const Scalar mean = dot(weight, grad, of.columns);
      for (int j = 0; j < of.columns; ++j) grad_score[j] += weight[j] * (grad[j] - mean);
    }
  };
  return tape.add(node);
}

template <class Scalar>
Value cross_entropy(Tape<Scalar>& tape, Value logits, std::span<const int> targets) {
  const Node<Scalar> from = tape.node(logits);
  assert(targets.size() == static_cast<std::size_t>(from.rows));
  Node<Scalar> node = tape.make(1, 1);
  node.kept = tape.allocate(static_cast<std::size_t>(from.rows) * static_cast<std::size_t>(from.columns));
  double sum = 0;
  int count = 0;
  for (int i = 0; i < from.rows; ++i) {
    const int target = targets[static_cast<std::size_t>(i)];
    if (target < 0) continue;
    assert(target < from.columns);
    const Scalar* const in = row(from.value, from.stride, i);
    Scalar* const probability = row(node.kept, from.columns, i);
    const Scalar largest = *std::max_element(in, in + from.columns);
    for (int j = 0; j < from.columns; ++j) probability[j] = in[j] - largest;
    const Scalar chosen = probability[target];
    exp_in_place(probability, from.columns);
    Scalar total = 0;
    for (int j = 0; j < from.columns; ++j) total += probability[j];
    for (int j = 0; j < from.columns; ++j) probability[j] /= total;
    sum += std::log(static_cast<double>(total)) - static_cast<double>(chosen);
    ++count;
  }
  *node.value = static_cast<Scalar>(sum / std::max(count, 1));
  node.inputs[0] = logits;
  node.ids = targets;
  node.backward = [](Tape<Scalar>& on, const Node<Scalar>& of) {
    if (!on.learns(of.inputs[0])) return;
    const Node<Scalar>& to = on.node(of.inputs[0]);
    const auto counted = std::ranges::count_if(of.ids, [](int id) { return id >= 0; });
    const Scalar scale = *of.gradient / static_cast<Scalar>(std::max<std::ptrdiff_t>(counted, 1));
    for (int i = 0; i < to.rows; ++i) {
      const int target = of.ids[static_cast<std::size_t>(i)];
      if (target < 0) continue;
      const Scalar* const probability = row(of.kept, to.columns, i);
      Scalar* const grad = row(to.gradient, to.stride, i);
      for (int j = 0; j < to.columns; ++j) grad[j] += scale * probability[j];
      grad[target] -= scale;
    }
  };
  return tape.add(node);
}

#define LIMELIGHT_INSTANTIATE(Scalar)                                                         \
  template Value product<Scalar>(Tape<Scalar>&, Value, Value, ProductOptions);                \
  template Value add<Scalar>(Tape<Scalar>&, Value, Value);                                    \
  template Value add_row<Scalar>(Tape<Scalar>&, Value, Value);                                \
  template Value multiply_entries<Scalar>(Tape<Scalar>&, Value, Value);                       \
  template Value tanh<Scalar>(Tape<Scalar>&, Value);                                          \
  template Value sigmoid<Scalar>(Tape<Scalar>&, Value);                                       \
  template Value copy<Scalar>(Tape<Scalar>&, Value, Value);                                   \
  template Value concatenate<Scalar>(Tape<Scalar>&, Value, Value);                            \
  template Value gather<Scalar>(Tape<Scalar>&, Value, std::span<const int>);                  \
  template Unrolled unroll<Scalar>(Tape<Scalar>&, Value, Value, Value);                       \
  template Unrolled unroll_onto<Scalar>(Tape<Scalar>&, Value, Value, Value);                  \
  template Value apply<Scalar>(Tape<Scalar>&, const Unrolled&, int, int);                     \
  template Value linear<Scalar>(Tape<Scalar>&, Value, Value, Value);                          \
  template Value masked_softmax<Scalar>(Tape<Scalar>&, Value, std::span<const std::uint8_t>); \
  template Value cross_entropy<Scalar>(Tape<Scalar>&, Value, std::span<const int>);
LIMELIGHT_INSTANTIATE(float)
LIMELIGHT_INSTANTIATE(double)
#undef LIMELIGHT_INSTANTIATE

}  // namespace limelight::learn
