#include "core/mask.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "core/random.h"

using namespace limelight;

namespace {

constexpr int kHuge = std::numeric_limits<int>::max();

// As many queries as keys, more of them, fewer, one.
constexpr std::pair<int, int> kSizes[] = {{7, 7}, {9, 4}, {4, 9}, {1, 6}, {6, 1}};

BoolMatrix random_allowed(int queries, int keys, Random& random) {
  BoolMatrix allowed(queries, keys);
  for (int i = 0; i < queries; ++i)
    for (int j = 0; j < keys; ++j) allowed(i, j) = random.uniform() < 0.5;
  return allowed;
}

using Definition = std::function<bool(int i, int j)>;
struct Kind {
  const char* name;
  Mask mask;
  Definition allows;
};
std::vector<Kind> kinds() {
  return {{"none", Mask::none(), [](int, int) { return true; }},
          {"causal", Mask::causal(), [](int i, int j) { return j <= i; }},
          {"window 0", Mask::window(0), [](int i, int j) { return i == j; }},
          {"window 2", Mask::window(2), [](int i, int j) { return std::abs(i - j) <= 2; }},
          {"block 1", Mask::block(1), [](int i, int j) { return i == j; }},
          {"block 3", Mask::block(3), [](int i, int j) { return i / 3 == j / 3; }},
          {"length 0", Mask::length(0), [](int, int) { return false; }},
          {"length 3", Mask::length(3), [](int, int j) { return j < 3; }},
          {"length 20", Mask::length(20), [](int, int) { return true; }}};
}

void check(const Mask& mask, const Definition& definition, int queries, int keys) {
  const BoolMatrix matrix = mask.matrix(queries, keys);
  REQUIRE(matrix.rows() == queries);
  REQUIRE(matrix.cols() == keys);
  for (int i = 0; i < queries; ++i) {
    const KeyRange range = mask.range(i, keys);
    for (int j = 0; j < keys; ++j) {
      CAPTURE(i);
      CAPTURE(j);
      CHECK(mask.allows(i, j) == definition(i, j));
      CHECK(matrix(i, j) == definition(i, j));
      const bool inside = range.begin <= j && j < range.end;
      if (mask.is_ranges())
        CHECK(inside == definition(i, j));
      else
        CHECK((inside || !definition(i, j)));  // the range leaves out nothing that is allowed
    }
    // Ready to be looped over, whatever the counts are.
    CHECK(range.begin >= 0);
    CHECK(range.end <= keys);
  }
}

}  // namespace

TEST_CASE("mask: each kind allows what its definition says, one by one, as a range and written out") {
  for (const auto& [queries, keys] : kSizes)
    for (const Kind& kind : kinds()) {
      CAPTURE(kind.name);
      CHECK(kind.mask.is_ranges());
      CHECK(!kind.mask.shape());
      check(kind.mask, kind.allows, queries, keys);
    }
}

TEST_CASE("mask: an intersection allows what both of its parts allow") {
  for (const auto& [queries, keys] : kSizes)
    for (const Kind& a : kinds())
      for (const Kind& b : kinds()) {
        CAPTURE(a.name);
        CAPTURE(b.name);
        check(a.mask & b.mask, [&](int i, int j) { return a.allows(i, j) && b.allows(i, j); }, queries, keys);
      }
}

TEST_CASE("mask: an allowed matrix is itself, and forbids more inside the range of the others") {
  Random random(1);
  for (const auto& [queries, keys] : kSizes) {
    const BoolMatrix allowed = random_allowed(queries, keys, random);
    const BoolMatrix other = random_allowed(queries, keys, random);
    const Mask mask = Mask::allowed(allowed);
    CHECK(!mask.is_ranges());
    REQUIRE(mask.shape());
    CHECK(*mask.shape() == std::pair(queries, keys));
    check(mask, [&](int i, int j) { return allowed(i, j); }, queries, keys);
    check(mask & Mask::allowed(other), [&](int i, int j) { return allowed(i, j) && other(i, j); }, queries, keys);
    for (const Kind& kind : kinds()) {
      CAPTURE(kind.name);
      const Mask both = kind.mask & mask;
      CHECK(!both.is_ranges());
      CHECK(both.shape() == mask.shape());
      check(both, [&](int i, int j) { return allowed(i, j) && kind.allows(i, j); }, queries, keys);
      const KeyRange range = both.range(0, keys);
      CHECK(range.begin == kind.mask.range(0, keys).begin);
      CHECK(range.end == kind.mask.range(0, keys).end);
    }
  }
}

TEST_CASE("mask: intersecting changes neither part") {
  const Mask causal = Mask::causal();
  const Mask window = Mask::window(1);
  const Mask both = causal & window;
  CHECK(causal.allows(5, 0));
  CHECK(window.allows(5, 6));
  CHECK(!both.allows(5, 0));
  CHECK(!both.allows(5, 6));
}

TEST_CASE("mask: a window, a block or a length as large as an int allows everything") {
  for (const Mask& mask : {Mask::window(kHuge), Mask::block(kHuge), Mask::length(kHuge)}) {
    CHECK(mask.matrix(5, 8).all());
    for (const int query : {0, 5, kHuge - 1}) {
      const KeyRange range = mask.range(query, 8);
      CHECK(range.begin == 0);
      CHECK(range.end == 8);
    }
  }
}

TEST_CASE("mask: the blind queries are those whose row of the written-out mask is empty") {
  BoolMatrix some = BoolMatrix::Constant(9, 5, true);
  some.row(2).setConstant(false);
  some.row(4).head(4).setConstant(false);
  const Mask masks[] = {Mask::none(),    Mask::causal(),      Mask::window(1),
                        Mask::length(0), Mask::allowed(some), Mask::allowed(some) & Mask::causal() & Mask::window(3)};
  for (const Mask& mask : masks) {
    const BoolMatrix matrix = mask.matrix(9, 5);
    std::vector<int> empty;
    for (int i = 0; i < 9; ++i)
      if (!matrix.row(i).any()) empty.push_back(i);
    CHECK(mask.blind(9, 5) == empty);
  }
  CHECK(masks[2].blind(9, 5) == std::vector{6, 7, 8});
}

TEST_CASE("mask: the last of as many tokens as an int counts") {
  const int last = kHuge - 1;
  const auto range_of = [&](const Mask& mask) {
    const KeyRange range = mask.range(last, kHuge);
    return std::pair(range.begin, range.end);
  };
  CHECK(range_of(Mask::causal()) == std::pair(0, kHuge));
  CHECK(range_of(Mask::window(3)) == std::pair(last - 3, kHuge));
  CHECK(range_of(Mask::block(1 << 30)) == std::pair(1 << 30, kHuge));
  CHECK(Mask::causal().allows(last, last));
}
