// A seeded generator of our own: the standard distributions differ between libraries, and a link must reproduce what
// its author saw.
#pragma once

#include <cstdint>
#include <string_view>

namespace limelight {

// xoshiro256** (Blackman & Vigna 2018), its state filled by splitmix64 from the seed.
class Random {
 public:
  explicit Random(std::uint64_t seed);
  std::uint64_t bits();
  double uniform();  // in [0, 1), 53 bits
  double normal();   // mean 0, variance 1 (Box & Muller 1958, the cosine half)

 private:
  std::uint64_t state_[4];
};

// FNV-1a, 64 bits: a stable number for a text.
std::uint64_t hash_text(std::string_view text, std::uint64_t seed = 0);

}  // namespace limelight
