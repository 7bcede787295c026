#include "core/mask.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <utility>

namespace limelight {
namespace {

// One function object for each kind of term.
template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

}  // namespace

Mask::Mask(Term term) { terms_.push_back(std::move(term)); }

Mask Mask::causal() { return Mask(Causal{}); }
Mask Mask::window(int width) {
  assert(width >= 0);
  return Mask(Window{width});
}
Mask Mask::block(int size) {
  assert(size >= 1);
  return Mask(Block{size});
}
Mask Mask::length(int keys) {
  assert(keys >= 0);
  return Mask(Length{keys});
}
Mask Mask::allowed(BoolMatrix allowed) { return Mask(std::move(allowed)); }

Mask operator&(Mask a, const Mask& b) {
  assert(!a.shape() || !b.shape() || a.shape() == b.shape());
  a.terms_.insert(a.terms_.end(), b.terms_.begin(), b.terms_.end());
  return a;
}

KeyRange Mask::range(int query, int keys) const {
  KeyRange range{0, keys};
  // 64 bits: i + width and the end of a block may pass what an int holds.
  const auto cut = [&](std::int64_t begin, std::int64_t end) {
    range.begin = static_cast<int>(std::max<std::int64_t>(range.begin, begin));
    range.end = static_cast<int>(std::min<std::int64_t>(range.end, end));
  };
  const std::int64_t i = query;
  for (const Term& term : terms_)
    std::visit(
        Overloaded{[&](const Causal&) { cut(0, i + 1); },
                   [&](const Window& window) { cut(i - window.width, i + window.width + 1); },
                   [&](const Block& block) { cut(i / block.size * block.size, (i / block.size + 1) * block.size); },
                   [&](const Length& length) { cut(0, length.keys); }, [](const BoolMatrix&) {}},
        term);
  return range;
}

bool Mask::allows(int query, int key) const {
  const KeyRange keys = range(query, key + 1);
  if (key < keys.begin || key >= keys.end) return false;
  return std::ranges::all_of(terms_, [&](const Term& term) {
    const auto* allowed = std::get_if<BoolMatrix>(&term);
    return allowed == nullptr || (*allowed)(query, key);
  });
}

bool Mask::is_ranges() const {
  return std::ranges::none_of(terms_, [](const Term& term) { return std::holds_alternative<BoolMatrix>(term); });
}

std::vector<int> Mask::blind(int queries, int keys) const {
  std::vector<int> blind;
  for (int i = 0; i < queries; ++i) {
    const KeyRange range = this->range(i, keys);
    int j = range.begin;
    while (j < range.end && !allows(i, j)) ++j;
    if (j >= range.end) blind.push_back(i);
  }
  return blind;
}

std::optional<std::pair<int, int>> Mask::shape() const {
  for (const Term& term : terms_)
    if (const auto* allowed = std::get_if<BoolMatrix>(&term))
      return std::pair(static_cast<int>(allowed->rows()), static_cast<int>(allowed->cols()));
  return std::nullopt;
}

BoolMatrix Mask::matrix(int queries, int keys) const {
  BoolMatrix matrix(queries, keys);
  for (int i = 0; i < queries; ++i)
    for (int j = 0; j < keys; ++j) matrix(i, j) = allows(i, j);
  return matrix;
}

}  // namespace limelight
