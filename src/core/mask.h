// Which query may attend to which key.
#pragma once

#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "core/matrix.h"

namespace limelight {

// [T, S], true where attending is allowed.
using BoolMatrix = MatrixOf<bool>;

// Keys begin ≤ j < end; empty when begin ≥ end.
struct KeyRange {
  int begin = 0;
  int end = 0;
};

// An intersection of terms: query i may attend to key j when every term allows it. Without terms everything is allowed.
// Queries and keys are aligned at the top left, also when their counts differ.
class Mask {
 public:
  Mask() = default;
  static Mask none() { return {}; }
  static Mask causal();                     // j ≤ i
  static Mask window(int width);            // |i − j| ≤ width, width ≥ 0 (Beltagy et al. 2020, sliding window)
  static Mask block(int size);              // ⌊i / size⌋ = ⌊j / size⌋, size ≥ 1
  static Mask length(int keys);             // j < keys: what follows is padding; keys ≥ 0
  static Mask allowed(BoolMatrix allowed);  // allowed(i, j); as large as the scores

  // Both have to allow it.
  friend Mask operator&(Mask a, const Mask& b);

  [[nodiscard]] bool allows(int query, int key) const;
  // Of `keys` keys, those that this query may attend to as far as causal, window, block and length say. Inside it
  // only `allowed` terms forbid more; without them (is_ranges) the range says it all.
  [[nodiscard]] KeyRange range(int query, int keys) const;
  [[nodiscard]] bool is_ranges() const;
  // Of the first `queries` queries those that may attend to none of `keys` keys, in ascending order.
  [[nodiscard]] std::vector<int> blind(int queries, int keys) const;
  // The size of its `allowed` terms; nothing when it fits any size.
  [[nodiscard]] std::optional<std::pair<int, int>> shape() const;
  // [T, S], the same mask written out.
  [[nodiscard]] BoolMatrix matrix(int queries, int keys) const;

 private:
  struct Causal {};
  struct Window {
    int width;
  };
  struct Block {
    int size;
  };
  struct Length {
    int keys;
  };
  using Term = std::variant<Causal, Window, Block, Length, BoolMatrix>;
  explicit Mask(Term term);
  std::vector<Term> terms_;
};

}  // namespace limelight
