#include "learn/grid.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace limelight::learn {
namespace {

// visit(row of the picture's pixels, row of the windows, first number in that, how many pixels) for each run of pixels
// that a window has of a line of the picture.
template <class Visit>
void each_run(const Window& window, int pictures, Layout layout, Visit&& visit) {
  const int out = window.out();
  for (int b = 0; b < pictures; ++b)
    for (int y = 0; y < out; ++y)
      for (int x = 0; x < out; ++x) {
        const int cell = y * out + x;
        const int to = layout == Layout::by_cell ? cell * pictures + b : b * out * out + cell;
        const int left = x * window.stride - window.padding, top = y * window.stride - window.padding;
        const int first = std::max(left, 0), last = std::min(left + window.kernel, window.side);
        for (int line = std::max(top, 0); line < std::min(top + window.kernel, window.side); ++line)
          visit((b * window.side + line) * window.side + first, to, (line - top) * window.kernel + first - left,
                last - first);
      }
}

// What is kept of unfolding: the window, the pictures and the layout, as numbers.
constexpr int kWindowNumbers = 6;

template <class Scalar>
void unfold_backward(Tape<Scalar>& tape, const Node<Scalar>& node) {
  if (!tape.learns(node.inputs[0])) return;
  const auto kept = [&](int i) { return static_cast<int>(node.kept[i]); };
  const Window window{.side = kept(0), .kernel = kept(1), .stride = kept(2), .padding = kept(3)};
  const Node<Scalar>& picture = tape.node(node.inputs[0]);
  const int channels = picture.columns;
  each_run(window, kept(4), static_cast<Layout>(kept(5)), [&](int from, int to, int place, int pixels) {
    const Scalar* const __restrict grad = row(node.gradient, node.stride, to) + place * channels;
    Scalar* const __restrict sum = row(picture.gradient, picture.stride, from);
    for (int i = 0; i < pixels * channels; ++i) sum[i] += grad[i];
  });
}

bool counts(std::span<const int> lengths, int step, int picture) {
  return step < lengths[static_cast<std::size_t>(picture)];
}

}  // namespace

template <class Scalar>
Value relu(Tape<Scalar>& tape, Value a) {
  Node<Scalar> node = tape.make(tape.node(a).rows, tape.node(a).columns);
  tape.value_of(node) = tape.value(a).cwiseMax(Scalar(0));
  node.inputs[0] = a;
  node.backward = [](Tape<Scalar>& on, const Node<Scalar>& of) {
    if (on.learns(of.inputs[0]))
      on.gradient_of(on.node(of.inputs[0])).array() +=
          (on.value_of(of).array() > 0).select(on.gradient_of(of).array(), Scalar(0));
  };
  return tape.add(node);
}

template <class Scalar>
Value scale(Tape<Scalar>& tape, Value a, Scalar factor) {
  Node<Scalar> node = tape.make(tape.node(a).rows, tape.node(a).columns);
  tape.value_of(node) = factor * tape.value(a);
  node.inputs[0] = a;
  node.kept = tape.allocate(1);
  *node.kept = factor;
  node.backward = [](Tape<Scalar>& on, const Node<Scalar>& of) {
    if (on.learns(of.inputs[0])) on.gradient_of(on.node(of.inputs[0])) += *of.kept * on.gradient_of(of);
  };
  return tape.add(node);
}

template <class Scalar>
Value unfold(Tape<Scalar>& tape, Value x, const Window& window, Layout layout) {
  const int channels = tape.node(x).columns, out = window.out();
  const int pictures = tape.node(x).rows / (window.side * window.side);
  assert(tape.node(x).rows == pictures * window.side * window.side && tape.node(x).stride == channels && out > 0);
  Node<Scalar> node = tape.make(pictures * out * out, window.kernel * window.kernel * channels);
  if (!tape.learns(x)) node.gradient = nullptr;
  if (window.padding > 0) tape.value_of(node).setZero();
  const Node<Scalar>& picture = tape.node(x);
  each_run(window, pictures, layout, [&](int from, int to, int place, int pixels) {
    std::copy_n(row(picture.value, picture.stride, from), pixels * channels,
                row(node.value, node.stride, to) + place * channels);
  });
  node.inputs[0] = x;
  node.kept = tape.allocate(kWindowNumbers);
  const int numbers[kWindowNumbers] = {window.side,    window.kernel, window.stride,
                                       window.padding, pictures,      static_cast<int>(layout)};
  std::copy_n(numbers, kWindowNumbers, node.kept);
  node.backward = unfold_backward<Scalar>;
  return tape.add(node);
}

template <class Scalar>
Value coverage_penalty(Tape<Scalar>& tape, Value weights, std::span<const int> lengths) {
  const Node<Scalar> from = tape.node(weights);
  const auto pictures = static_cast<int>(lengths.size());
  const int cells = from.columns, steps = from.rows / pictures;
  assert(from.rows == steps * pictures);
  Node<Scalar> node = tape.make(1, 1);
  node.kept = tape.allocate(lengths.size() * static_cast<std::size_t>(cells));  // T/L − Σ_t a_ti
  double sum = 0;
  for (int b = 0; b < pictures; ++b) {
    Scalar* const missing = row(node.kept, cells, b);
    std::fill_n(missing, cells, static_cast<Scalar>(lengths[static_cast<std::size_t>(b)]) / static_cast<Scalar>(cells));
    for (int t = 0; t < steps; ++t)
      if (counts(lengths, t, b))
        for (int i = 0; i < cells; ++i) missing[i] -= row(from.value, from.stride, t * pictures + b)[i];
    for (int i = 0; i < cells; ++i) sum += static_cast<double>(missing[i] * missing[i]);
  }
  *node.value = static_cast<Scalar>(sum / pictures);
  node.inputs[0] = weights;
  node.ids = lengths;
  node.backward = [](Tape<Scalar>& on, const Node<Scalar>& of) {
    if (!on.learns(of.inputs[0])) return;
    const Node<Scalar>& to = on.node(of.inputs[0]);
    const auto count = static_cast<int>(of.ids.size());
    const Scalar factor = -2 * *of.gradient / static_cast<Scalar>(count);
    for (int i = 0; i < to.rows; ++i)
      if (counts(of.ids, i / count, i % count))
        for (int j = 0; j < to.columns; ++j)
          row(to.gradient, to.stride, i)[j] += factor * row(of.kept, to.columns, i % count)[j];
  };
  return tape.add(node);
}

template <class Scalar>
Value choice_loss(Tape<Scalar>& tape, Value weights, const Choices& choices, double reward_weight,
                  double entropy_weight) {
  const Node<Scalar> from = tape.node(weights);
  assert(choices.places.size() == static_cast<std::size_t>(from.rows));
  assert(choices.advantages.size() == choices.places.size());
  Node<Scalar> node = tape.make(1, 1);
  node.kept = tape.allocate(choices.places.size() * static_cast<std::size_t>(from.columns));  // ∂ loss / ∂ weights
  const auto words = std::ranges::count_if(choices.places, [](int place) { return place >= 0; });
  const double each = 1.0 / static_cast<double>(std::max<std::ptrdiff_t>(words, 1));
  constexpr double kLeast = 1e-12;  // of a weight, where its logarithm is taken
  double sum = 0;
  for (int i = 0; i < from.rows; ++i) {
    Scalar* const grad = row(node.kept, from.columns, i);
    std::fill_n(grad, from.columns, Scalar(0));
    const int place = choices.places[static_cast<std::size_t>(i)];
    if (place < 0) continue;
    const Scalar* const a = row(from.value, from.stride, i);
    for (int j = 0; j < from.columns; ++j) {
      const double p = std::max(static_cast<double>(a[j]), kLeast);
      sum += each * entropy_weight * p * std::log(p);
      grad[j] = static_cast<Scalar>(each * entropy_weight * (std::log(p) + 1));
    }
    const double p = std::max(static_cast<double>(a[place]), kLeast);
    const double advantage = reward_weight * choices.advantages[static_cast<std::size_t>(i)];
    sum -= each * advantage * std::log(p);
    grad[place] -= static_cast<Scalar>(each * advantage / p);
  }
  *node.value = static_cast<Scalar>(sum);
  node.inputs[0] = weights;
  node.backward = [](Tape<Scalar>& on, const Node<Scalar>& of) {
    if (!on.learns(of.inputs[0])) return;
    const Node<Scalar>& to = on.node(of.inputs[0]);
    for (int i = 0; i < to.rows; ++i)
      for (int j = 0; j < to.columns; ++j)
        row(to.gradient, to.stride, i)[j] += *of.gradient * row(of.kept, to.columns, i)[j];
  };
  return tape.add(node);
}

#define LIMELIGHT_INSTANTIATE(Scalar)                                                  \
  template Value relu<Scalar>(Tape<Scalar>&, Value);                                   \
  template Value scale<Scalar>(Tape<Scalar>&, Value, Scalar);                          \
  template Value unfold<Scalar>(Tape<Scalar>&, Value, const Window&, Layout);          \
  template Value coverage_penalty<Scalar>(Tape<Scalar>&, Value, std::span<const int>); \
  template Value choice_loss<Scalar>(Tape<Scalar>&, Value, const Choices&, double, double);
LIMELIGHT_INSTANTIATE(float)
LIMELIGHT_INSTANTIATE(double)
#undef LIMELIGHT_INSTANTIATE

}  // namespace limelight::learn
