#include "learn/tape.h"

#include <algorithm>
#include <cassert>

namespace limelight::learn {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 16U;  // numbers in an arena's smallest block
constexpr std::size_t kAlignment = 16;                 // numbers; a cache line of floats

std::size_t aligned(std::size_t count) { return (count + kAlignment - 1) / kAlignment * kAlignment; }

}  // namespace

template <class Scalar>
void Tape<Scalar>::clear(bool gradients) {
  gradients_ = gradients;
  nodes_.clear();
  block_ = used_ = 0;
}

template <class Scalar>
void Tape<Scalar>::go_back(const Mark& mark) {
  assert(mark.nodes <= nodes_.size());
  nodes_.resize(mark.nodes);
  block_ = mark.block;
  used_ = mark.used;
}

template <class Scalar>
Scalar* Tape<Scalar>::allocate(std::size_t count) {
  count = aligned(count);
  while (block_ < blocks_.size() && used_ + count > blocks_[block_].size) {
    ++block_;
    used_ = 0;
  }
  if (block_ == blocks_.size()) {
    const std::size_t size = std::max({count, kBlock, blocks_.empty() ? 0 : 2 * blocks_.back().size});
    blocks_.push_back({std::make_unique<Scalar[]>(size), size});
  }
  Scalar* const numbers = blocks_[block_].numbers.get() + used_;
  used_ += count;
  return numbers;
}

template <class Scalar>
std::size_t Tape<Scalar>::capacity() const {
  std::size_t size = 0;
  for (const Block& block : blocks_) size += block.size;
  return size;
}

template <class Scalar>
Node<Scalar> Tape<Scalar>::make(int rows, int columns) {
  const std::size_t size = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  Node<Scalar> node{.value = allocate(size), .rows = rows, .columns = columns, .stride = columns};
  if (gradients_) {
    node.gradient = allocate(size);
    std::fill_n(node.gradient, size, Scalar(0));
  }
  return node;
}

template <class Scalar>
Node<Scalar> Tape<Scalar>::into(Value out) const {
  const Node<Scalar>& target = node(out);
  return {.value = target.value,
          .gradient = target.gradient,
          .rows = target.rows,
          .columns = target.columns,
          .stride = target.stride};
}

template <class Scalar>
Value Tape<Scalar>::add(const Node<Scalar>& node) {
  nodes_.push_back(node);
  return {static_cast<int>(nodes_.size()) - 1};
}

template <class Scalar>
Value Tape<Scalar>::parameter(const MatrixOf<Scalar>& value, MatrixOf<Scalar>& gradient) {
  assert(!gradients_ || (gradient.rows() == value.rows() && gradient.cols() == value.cols()));
  const int columns = static_cast<int>(value.cols());
  return add({.value = const_cast<Scalar*>(value.data()),  // no operation writes into a parameter
              .gradient = gradients_ ? gradient.data() : nullptr,
              .rows = static_cast<int>(value.rows()),
              .columns = columns,
              .stride = columns});
}

template <class Scalar>
Value Tape<Scalar>::constant(const ConstMatrixRefOf<Scalar>& value) {
  Node<Scalar> node = make(static_cast<int>(value.rows()), static_cast<int>(value.cols()));
  node.gradient = nullptr;
  value_of(node) = value;
  return add(node);
}

template <class Scalar>
Value Tape<Scalar>::zeros(int rows, int columns) {
  const Node<Scalar> node = make(rows, columns);
  value_of(node).setZero();
  return add(node);
}

template <class Scalar>
Value Tape<Scalar>::rows(Value of, int first, int count) {
  Node<Scalar> part = into(of);
  assert(first >= 0 && count >= 0 && first + count <= part.rows);
  const std::ptrdiff_t offset = static_cast<std::ptrdiff_t>(first) * part.stride;
  part.value += offset;
  if (part.gradient != nullptr) part.gradient += offset;
  part.rows = count;
  return add(part);
}

template <class Scalar>
Value Tape<Scalar>::columns(Value of, int first, int count) {
  Node<Scalar> part = into(of);
  assert(first >= 0 && count >= 0 && first + count <= part.columns);
  part.value += first;
  if (part.gradient != nullptr) part.gradient += first;
  part.columns = count;
  return add(part);
}

template <class Scalar>
ConstViewOf<Scalar> Tape<Scalar>::value(Value v) const {
  const Node<Scalar>& of = node(v);
  return {of.value, of.rows, of.columns, Eigen::OuterStride<>(of.stride)};
}

template <class Scalar>
ConstViewOf<Scalar> Tape<Scalar>::gradient(Value v) const {
  const Node<Scalar>& of = node(v);
  assert(of.gradient != nullptr);
  return {of.gradient, of.rows, of.columns, Eigen::OuterStride<>(of.stride)};
}

template <class Scalar>
ViewOf<Scalar> Tape<Scalar>::value_of(const Node<Scalar>& node) const {
  return {node.value, node.rows, node.columns, Eigen::OuterStride<>(node.stride)};
}

template <class Scalar>
ViewOf<Scalar> Tape<Scalar>::gradient_of(const Node<Scalar>& node) const {
  assert(node.gradient != nullptr);
  return {node.gradient, node.rows, node.columns, Eigen::OuterStride<>(node.stride)};
}

template <class Scalar>
void Tape<Scalar>::backward(Value loss, Scalar weight) {
  assert(gradients_ && node(loss).rows == 1 && node(loss).columns == 1);
  *node(loss).gradient = weight;
  for (std::size_t i = nodes_.size(); i-- > 0;)
    if (nodes_[i].backward != nullptr && nodes_[i].gradient != nullptr) nodes_[i].backward(*this, nodes_[i]);
}

template class Tape<float>;
template class Tape<double>;

}  // namespace limelight::learn
