// The operations of recurrent layers that attend, each one node with its gradient by hand: a tape of their parts would
// spend more on nodes than on numbers.
#include <algorithm>
#include <cassert>

#include "core/activation.h"
#include "learn/operations.h"

namespace limelight::learn {
namespace {

bool is_present(std::span<const std::uint8_t> present, int i) {
  return present.empty() || present[static_cast<std::size_t>(i)] != 0;
}

// Of one sequence; a function of its own because no two of its pointers reach the same numbers, without which no
// compiler vectorises a loop over so many. gate: r, z and n; the others with 3H numbers are laid out alike.
template <class Scalar>
void gru_row_backward(int hidden, const Scalar* __restrict grad, const Scalar* __restrict gate,
                      const Scalar* __restrict before, const Scalar* __restrict from_state,
                      Scalar* __restrict grad_input, Scalar* __restrict grad_state, Scalar* __restrict grad_before) {
  for (int h = 0; h < hidden; ++h) {
    const Scalar r = gate[h], z = gate[hidden + h], n = gate[2 * hidden + h];
    const Scalar grad_n = grad[h] * (1 - z) * (1 - n * n);
    const Scalar grad_z = grad[h] * (before[h] - n) * z * (1 - z);
    const Scalar grad_r = grad_n * from_state[2 * hidden + h] * r * (1 - r);
    grad_input[h] += grad_r;
    grad_input[hidden + h] += grad_z;
    grad_input[2 * hidden + h] += grad_n;
    grad_state[h] += grad_r;
    grad_state[hidden + h] += grad_z;
    grad_state[2 * hidden + h] += grad_n * r;
    grad_before[h] += grad[h] * z;
  }
}

// What is kept of a step: r, z and n, [B, 3H].
template <class Scalar>
void gru_backward(Tape<Scalar>& tape, const Node<Scalar>& node) {
  const Node<Scalar>&input = tape.node(node.inputs[0]), &state = tape.node(node.inputs[1]),
        &before = tape.node(node.inputs[2]);
  const int hidden = node.columns;
  for (int b = 0; b < node.rows; ++b) {
    const Scalar* const grad = row(node.gradient, node.stride, b);
    Scalar* const grad_before = row(before.gradient, before.stride, b);
    if (is_present(node.present, b))
      gru_row_backward(hidden, grad, row(node.kept, 3 * hidden, b), row(before.value, before.stride, b),
                       row(state.value, state.stride, b), row(input.gradient, input.stride, b),
                       row(state.gradient, state.stride, b), grad_before);
    else
      for (int h = 0; h < hidden; ++h) grad_before[h] += grad[h];
  }
}

// What is kept of the scores: tanh of the hidden layer, [B, S, A].
template <class Scalar>
void additive_backward(Tape<Scalar>& tape, const Node<Scalar>& node) {
  const Node<Scalar>&query = tape.node(node.inputs[0]), &keys = tape.node(node.inputs[1]),
        &v = tape.node(node.inputs[2]);
  const int width = query.columns, sequences = node.rows, steps = node.columns;
  for (int b = 0; b < sequences; ++b) {
    Scalar* const grad_query = row(query.gradient, query.stride, b);
    for (int j = 0; j < steps; ++j) {
      if (!is_present(node.present, j * sequences + b)) continue;
      const Scalar grad = row(node.gradient, node.stride, b)[j];
      const Scalar* const hidden = row(node.kept, width, b * steps + j);
      Scalar* const grad_key = row(keys.gradient, keys.stride, j * sequences + b);
      for (int a = 0; a < width; ++a) {
        const Scalar grad_sum = grad * v.value[a] * (1 - hidden[a] * hidden[a]);
        grad_query[a] += grad_sum;
        grad_key[a] += grad_sum;
        v.gradient[a] += grad * hidden[a];
      }
    }
  }
}

}  // namespace

template <class Scalar>
Value gru_step(Tape<Scalar>& tape, Value from_input, Value from_state, Value before, Value out,
               std::span<const std::uint8_t> present) {
  Node<Scalar> node = tape.into(out);
  const Node<Scalar>&input = tape.node(from_input), &state = tape.node(from_state), &old = tape.node(before);
  const int hidden = node.columns;
  assert(!tape.records() || (tape.learns(from_input) && tape.learns(from_state) && tape.learns(before)));
  assert(input.columns == 3 * hidden && state.columns == 3 * hidden && old.columns == hidden);
  node.kept = tape.allocate(static_cast<std::size_t>(node.rows) * static_cast<std::size_t>(3 * hidden));
  for (int b = 0; b < node.rows; ++b) {
    const Scalar* const previous = row(old.value, old.stride, b);
    Scalar* const after = row(node.value, node.stride, b);
    if (!is_present(present, b)) {
      std::copy_n(previous, hidden, after);
      continue;
    }
    const Scalar* const x = row(input.value, input.stride, b);
    const Scalar* const s = row(state.value, state.stride, b);
    Scalar* const gate = row(node.kept, 3 * hidden, b);
    for (int h = 0; h < 2 * hidden; ++h) gate[h] = x[h] + s[h];
    sigmoid_in_place(gate, 2 * hidden);
    for (int h = 0; h < hidden; ++h) gate[2 * hidden + h] = x[2 * hidden + h] + gate[h] * s[2 * hidden + h];
    tanh_in_place(gate + 2 * hidden, hidden);
    for (int h = 0; h < hidden; ++h) {
      const Scalar z = gate[hidden + h];
      after[h] = (1 - z) * gate[2 * hidden + h] + z * previous[h];
    }
  }
  node.inputs[0] = from_input;
  node.inputs[1] = from_state;
  node.inputs[2] = before;
  node.present = present;
  node.backward = gru_backward<Scalar>;
  return tape.add(node);
}

template <class Scalar>
Value additive_scores(Tape<Scalar>& tape, Value query, Value keys, Value v, std::span<const std::uint8_t> present) {
  const int sequences = tape.node(query).rows, width = tape.node(query).columns;
  const int steps = tape.node(keys).rows / sequences;
  Node<Scalar> node = tape.make(sequences, steps);
  assert(tape.node(keys).rows == sequences * steps && tape.node(keys).columns == width);
  assert(!tape.records() || (tape.learns(query) && tape.learns(keys) && tape.learns(v)));
  assert(tape.node(v).rows == width && tape.node(v).columns == 1);
  assert(present.size() == static_cast<std::size_t>(sequences * steps));
  node.kept = tape.allocate(static_cast<std::size_t>(sequences * steps) * static_cast<std::size_t>(width));
  const Node<Scalar>&from = tape.node(query), &to = tape.node(keys);
  const Eigen::Map<const Eigen::Array<Scalar, 1, Eigen::Dynamic>> direction(tape.node(v).value, width);
  for (int b = 0; b < sequences; ++b) {
    const Scalar* const q = row(from.value, from.stride, b);
    Scalar* const first = row(node.kept, width, b * steps);
    for (int j = 0; j < steps; ++j) {
      const Scalar* const k = row(to.value, to.stride, j * sequences + b);
      Scalar* const hidden = first + static_cast<std::ptrdiff_t>(j) * width;
      for (int a = 0; a < width; ++a) hidden[a] = q[a] + k[a];
    }
    tanh_in_place(first, static_cast<std::ptrdiff_t>(steps) * width);
    Scalar* const scores = row(node.value, node.stride, b);
    for (int j = 0; j < steps; ++j) {
      const Eigen::Map<const Eigen::Array<Scalar, 1, Eigen::Dynamic>> hidden(
          first + static_cast<std::ptrdiff_t>(j) * width, width);
      scores[j] = is_present(present, j * sequences + b) ? (hidden * direction).sum() : Scalar(0);
    }
  }
  node.inputs[0] = query;
  node.inputs[1] = keys;
  node.inputs[2] = v;
  node.present = present;
  node.backward = additive_backward<Scalar>;
  return tape.add(node);
}

template <class Scalar>
Value dot_scores(Tape<Scalar>& tape, Value query, Value keys, std::span<const std::uint8_t> present) {
  const int sequences = tape.node(query).rows, steps = tape.node(keys).rows / sequences;
  Node<Scalar> node = tape.make(sequences, steps);
  assert(tape.node(keys).rows == sequences * steps && tape.node(keys).columns == tape.node(query).columns);
  assert(!tape.records() || (tape.learns(query) && tape.learns(keys)));
  assert(present.size() == static_cast<std::size_t>(sequences * steps));
  const auto q = tape.value(query), k = tape.value(keys);
  for (int b = 0; b < sequences; ++b)
    for (int j = 0; j < steps; ++j) {
      const int i = j * sequences + b;
      row(node.value, node.stride, b)[j] = is_present(present, i) ? q.row(b).dot(k.row(i)) : Scalar(0);
    }
  node.inputs[0] = query;
  node.inputs[1] = keys;
  node.present = present;
  node.backward = [](Tape<Scalar>& on, const Node<Scalar>& of) {
    const Node<Scalar>&from = on.node(of.inputs[0]), &to = on.node(of.inputs[1]);
    const auto from_value = on.value_of(from), to_value = on.value_of(to);
    auto from_gradient = on.gradient_of(from), to_gradient = on.gradient_of(to);
    for (int b = 0; b < of.rows; ++b)
      for (int j = 0; j < of.columns; ++j) {
        const int i = j * of.rows + b;
        if (!is_present(of.present, i)) continue;
        const Scalar grad = row(of.gradient, of.stride, b)[j];
        from_gradient.row(b) += grad * to_value.row(i);
        to_gradient.row(i) += grad * from_value.row(b);
      }
  };
  return tape.add(node);
}

template <class Scalar>
Value weighted_sum(Tape<Scalar>& tape, Value weights, Value values, Value out) {
  Node<Scalar> node = tape.into(out);
  const Node<Scalar>&weight = tape.node(weights), &value = tape.node(values);
  assert(value.rows == weight.rows * weight.columns && value.columns == node.columns && weight.rows == node.rows);
  for (int b = 0; b < node.rows; ++b) {
    Scalar* const sum = row(node.value, node.stride, b);
    std::fill_n(sum, node.columns, Scalar(0));
    for (int j = 0; j < weight.columns; ++j) {
      const Scalar w = row(weight.value, weight.stride, b)[j];
      const Scalar* const x = row(value.value, value.stride, j * node.rows + b);
      for (int d = 0; d < node.columns; ++d) sum[d] += w * x[d];
    }
  }
  node.inputs[0] = weights;
  node.inputs[1] = values;
  node.backward = [](Tape<Scalar>& on, const Node<Scalar>& of) {
    using Row = Eigen::Map<const Eigen::Array<Scalar, 1, Eigen::Dynamic>>;
    const Node<Scalar>&share = on.node(of.inputs[0]), &summand = on.node(of.inputs[1]);
    for (int b = 0; b < of.rows; ++b) {
      const Scalar* const grad = row(of.gradient, of.stride, b);
      for (int j = 0; j < share.columns; ++j) {
        const int i = j * of.rows + b;
        if (share.gradient != nullptr)
          row(share.gradient, share.stride, b)[j] +=
              (Row(grad, of.columns) * Row(row(summand.value, summand.stride, i), of.columns)).sum();
        if (summand.gradient == nullptr) continue;
        const Scalar w = row(share.value, share.stride, b)[j];
        Scalar* const grad_summand = row(summand.gradient, summand.stride, i);
        for (int d = 0; d < of.columns; ++d) grad_summand[d] += w * grad[d];
      }
    }
  };
  return tape.add(node);
}

#define LIMELIGHT_INSTANTIATE(Scalar)                                                                        \
  template Value gru_step<Scalar>(Tape<Scalar>&, Value, Value, Value, Value, std::span<const std::uint8_t>); \
  template Value additive_scores<Scalar>(Tape<Scalar>&, Value, Value, Value, std::span<const std::uint8_t>); \
  template Value dot_scores<Scalar>(Tape<Scalar>&, Value, Value, std::span<const std::uint8_t>);             \
  template Value weighted_sum<Scalar>(Tape<Scalar>&, Value, Value, Value);
LIMELIGHT_INSTANTIATE(float)
LIMELIGHT_INSTANTIATE(double)
#undef LIMELIGHT_INSTANTIATE

}  // namespace limelight::learn
