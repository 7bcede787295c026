// Reverse-mode differentiation over matrices (Linnainmaa 1970): every operation writes its result and how to undo it
// on a tape; backward() walks the tape from its end, and each operation adds to the gradients of what it was made of.
//
// All numbers of a step lie in one arena. clear() forgets them and keeps the memory, so that a step that is no larger
// than one before allocates nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/matrix.h"
#include "core/product.h"

namespace limelight::learn {

// A matrix on a tape; none by default.
struct Value {
  int index = -1;
  explicit operator bool() const { return index >= 0; }
};

// A matrix, or a block of one: rows may be farther apart than they are long.
template <class Scalar>
using ViewOf = Eigen::Map<MatrixOf<Scalar>, 0, Eigen::OuterStride<>>;
template <class Scalar>
using ConstViewOf = Eigen::Map<const MatrixOf<Scalar>, 0, Eigen::OuterStride<>>;

template <class Scalar>
class Tape;

// What an operation made, and how to undo it.
template <class Scalar>
struct Node {
  Scalar* value = nullptr;
  Scalar* gradient = nullptr;  // none where nothing is to be learned
  int rows = 0, columns = 0, stride = 0;
  Value inputs[4] = {};
  Scalar* kept = nullptr;                   // what the way back needs, as the operation lays it out
  std::span<const int> ids = {};            // tokens
  std::span<const std::uint8_t> present{};  // 0 where there is only padding
  ProductOptions options = {};
  // Adds to the gradients of the inputs, given that of the result.
  void (*backward)(Tape<Scalar>& tape, const Node& node) = nullptr;
};

template <class Scalar>
class Tape {
 public:
  // `gradients` false: forward only; parameters and results then have none.
  void clear(bool gradients = true);

  // How far the tape is written. go_back forgets what came after and keeps the memory, so that many computations go on
  // from one beginning.
  struct Mark {
    std::size_t nodes = 0, block = 0, used = 0;
  };
  [[nodiscard]] Mark mark() const { return {nodes_.size(), block_, used_}; }
  void go_back(const Mark& mark);

  // Both stay where they are and outlive the step; the gradient, as large, is added to.
  Value parameter(const MatrixOf<Scalar>& value, MatrixOf<Scalar>& gradient);
  // Copied; nothing is learned about it.
  Value constant(const ConstMatrixRefOf<Scalar>& value);
  // A matrix that operations write into part by part, 0 at first. What reads it whole must come after all that write.
  Value zeros(int rows, int columns);

  // Parts of a matrix, which share its numbers and its gradient.
  Value rows(Value of, int first, int count);
  Value columns(Value of, int first, int count);

  [[nodiscard]] ConstViewOf<Scalar> value(Value v) const;
  [[nodiscard]] ConstViewOf<Scalar> gradient(Value v) const;
  [[nodiscard]] bool learns(Value v) const { return v && nodes_[index(v)].gradient != nullptr; }

  // Numbers that the arena holds, used or not.
  [[nodiscard]] std::size_t capacity() const;

  // From a single number, times `weight`; gradients of results count from 0, those of parameters are added to.
  void backward(Value loss, Scalar weight = 1);

  // ---- for operations ----
  // A node with a value of that size, not set yet, and a gradient of 0 where one is wanted.
  Node<Scalar> make(int rows, int columns);
  // A node that writes into `out` and takes its gradient from there.
  [[nodiscard]] Node<Scalar> into(Value out) const;
  Value add(const Node<Scalar>& node);
  // Not set; it lasts until clear().
  Scalar* allocate(std::size_t count);
  [[nodiscard]] ViewOf<Scalar> value_of(const Node<Scalar>& node) const;
  [[nodiscard]] ViewOf<Scalar> gradient_of(const Node<Scalar>& node) const;
  [[nodiscard]] const Node<Scalar>& node(Value v) const { return nodes_[index(v)]; }
  [[nodiscard]] bool records() const { return gradients_; }

 private:
  static std::size_t index(Value v) { return static_cast<std::size_t>(v.index); }

  struct Block {
    std::unique_ptr<Scalar[]> numbers;
    std::size_t size = 0;
  };
  std::vector<Block> blocks_;
  std::size_t block_ = 0, used_ = 0;  // where the next number goes
  std::vector<Node<Scalar>> nodes_;
  bool gradients_ = true;
};

// What operations read of what they are made of, and add to.
template <class Scalar>
ViewOf<Scalar> value_of(const Tape<Scalar>& tape, Value v) {
  return tape.value_of(tape.node(v));
}
template <class Scalar>
ViewOf<Scalar> gradient_of(const Tape<Scalar>& tape, Value v) {
  return tape.gradient_of(tape.node(v));
}

// Row i of a row-major matrix whose rows begin `stride` values apart.
template <class Scalar>
Scalar* row(Scalar* matrix, int stride, int i) {
  return matrix + static_cast<std::ptrdiff_t>(i) * stride;
}

}  // namespace limelight::learn
