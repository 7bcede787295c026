// A few operations on kLanes floats at once, over the compilers' vector extension: 4 in WebAssembly and SSE, 8 in AVX2.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>

namespace limelight::simd {

#if defined(__AVX2__)
inline constexpr int kLanes = 8;
#else
inline constexpr int kLanes = 4;
#endif

// Whether multiply_add is one instruction. It then rounds once (relaxed WebAssembly: once or twice, as the machine
// does).
#if defined(__FMA__) || defined(__wasm_relaxed_simd__)
inline constexpr bool kFusedMultiplyAdd = true;
#else
inline constexpr bool kFusedMultiplyAdd = false;
#endif

typedef float Floats __attribute__((vector_size(kLanes * sizeof(float))));
typedef std::uint32_t Bits __attribute__((vector_size(kLanes * sizeof(std::uint32_t))));

// No alignment is asked for.
inline Floats load(const float* from) {
  Floats x;
  std::memcpy(&x, from, sizeof x);
  return x;
}
inline void store(float* to, Floats x) { std::memcpy(to, &x, sizeof x); }

inline Floats splat(float x) { return x - Floats{}; }  // x − 0 is x, and no other form fits any number of lanes

// a · b + c
inline Floats multiply_add(Floats a, Floats b, Floats c) {
#if defined(__wasm_relaxed_simd__)
  return __builtin_wasm_relaxed_madd_f32x4(a, b, c);
#else
  return a * b + c;  // both compilers fuse it where the machine can
#endif
}

// Neither may be a NaN: these are the forms that cost one instruction on x86, also out of WebAssembly.
inline Floats maximum(Floats a, Floats b) {
#if defined(__wasm_simd128__)
  return __builtin_wasm_pmax_f32x4(a, b);
#else
  return a < b ? b : a;
#endif
}

// x where `where` has all bits, 0 where it has none, as comparisons make them.
inline Floats keep(Bits x, Bits where) {
#if defined(__wasm_relaxed_simd__)
  // LLVM makes a v128.bitselect of x & where, for which engines need three instructions; this is one.
  typedef std::int32_t Signed __attribute__((vector_size(kLanes * sizeof(std::int32_t))));
  return std::bit_cast<Floats>(
      __builtin_wasm_relaxed_laneselect_i32x4(std::bit_cast<Signed>(x), Signed{}, std::bit_cast<Signed>(where)));
#else
  return std::bit_cast<Floats>(x & where);
#endif
}

inline float sum(Floats x) {
  float total = x[0];
  for (int lane = 1; lane < kLanes; ++lane) total += x[lane];
  return total;
}
inline float largest(Floats x) {
  float found = x[0];
  for (int lane = 1; lane < kLanes; ++lane) found = x[lane] > found ? x[lane] : found;
  return found;
}

// Below the first, eˣ is smaller than the smallest normal number; above the second, larger than the largest.
inline constexpr float kExpLowest = -87.33654F;
inline constexpr float kExpHighest = 88.72283F;

// eˣ for x ≤ kExpHighest, −∞ included; not for NaN. At most 2 ulp from the exact value (measured over every
// float: 0.9 where multiply_add is one instruction, 1.2 where it is two); below kExpLowest exactly 0, so that no
// denormal number slows down what follows. x = n ln 2 + r with |r| ≤ ln 2 / 2 (Cody & Waite 1980: ln 2 in two parts, of
// which n · the first is exact), and eʳ = 1 + r + r² q(r), where q has degree 4 and makes the largest relative error
// minimal (4e−9 before rounding).
class BoundedExp {
 public:
  Floats operator()(Floats x) const {
    const Floats shifted = multiply_add(x, inverse_ln2_, round_);
    const Floats n = shifted - round_;
    const Floats r = multiply_add(n, minus_ln2_low_, multiply_add(n, minus_ln2_high_, x));
    Floats p = multiply_add(q4_, r, q3_);
    p = multiply_add(p, r, q2_);
    p = multiply_add(p, r, q1_);
    p = multiply_add(p, r, q0_);
    p = multiply_add(p, r, one_);
    p = multiply_add(p, r, one_);
    // · 2ⁿ: n is added to the exponent.
    const Bits scaled = std::bit_cast<Bits>(p) + (std::bit_cast<Bits>(shifted) << 23);
    return keep(scaled, std::bit_cast<Bits>(x >= lowest_));
  }

 private:
  // Volatile: V8 composes a constant vector anew wherever it is used, several instructions each time. What comes out of
  // memory it keeps, so that a loop over many x is to make one BoundedExp beforehand.
  static Floats kept(float x) {
    const volatile float in_memory = x;
    return splat(in_memory);
  }

  Floats inverse_ln2_ = kept(1.44269504F);
  Floats round_ = kept(12582912);  // 1.5 · 2²³: what is added to it is rounded to an integer, in its low bits
  Floats minus_ln2_high_ = kept(-0.693359375F), minus_ln2_low_ = kept(2.12194440e-4F);
  Floats q0_ = kept(0.49999994F), q1_ = kept(0.166665211F), q2_ = kept(0.041668389F), q3_ = kept(0.00836871658F),
         q4_ = kept(0.00138145988F);
  Floats one_ = kept(1), lowest_ = kept(kExpLowest);
};

inline Floats exp_bounded(Floats x) { return BoundedExp()(x); }

// The same for every x but NaN: above kExpHighest, +∞.
inline Floats exp(Floats x) {
  return x > splat(kExpHighest) ? splat(std::numeric_limits<float>::infinity()) : exp_bounded(x);
}

}  // namespace limelight::simd
