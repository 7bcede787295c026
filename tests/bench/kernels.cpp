// What tools/bench measures, as functions on plain arrays: one WebAssembly module for each kind of SIMD.
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "core/fused.h"
#include "core/product.h"
#include "core/simd.h"
#include "gpt2.h"
#include "training.h"

using namespace limelight;

namespace {

using Array = Eigen::Map<const Matrix>;
using Output = Eigen::Map<Matrix>;

// The most that the machine can do: 12 accumulators, enough to hide the latency, and nothing read or written.
constexpr int kAccumulators = 12;
[[gnu::noinline]] float multiply_add_in_registers(int steps, float factor, float summand) {
  simd::Floats sums[kAccumulators];
  for (int i = 0; i < kAccumulators; ++i) sums[i] = simd::splat(static_cast<float>(i));
  const simd::Floats a = simd::splat(factor), b = simd::splat(summand);
  for (int step = 0; step < steps; ++step)
    for (simd::Floats& sum : sums) sum = simd::multiply_add(sum, a, b);
  simd::Floats total{};
  for (const simd::Floats& sum : sums) total += sum;
  return simd::sum(total);
}

AttentionOptions scaled_by_size(int size) { return {.scale = 1 / std::sqrt(static_cast<double>(size))}; }

}  // namespace

extern "C" {

float* bench_allocate(int floats) {
  return static_cast<float*>(std::malloc(static_cast<std::size_t>(floats) * sizeof(float)));
}
void bench_free(float* floats) { std::free(floats); }

// Where the heap ends; it never shrinks, so that two readings tell how much was needed in between.
double bench_heap_end() { return static_cast<double>(reinterpret_cast<std::uintptr_t>(sbrk(0))); }

// Floating-point operations of one call.
double bench_ceiling(int steps, float factor, float summand) {
  volatile const float result = multiply_add_in_registers(steps, factor, summand);
  (void)result;
  return 2.0 * simd::kLanes * kAccumulators * steps;
}

// query, key, value, output: [n, d]
void bench_fused(const float* query, const float* key, const float* value, float* output, int n, int d) {
  FusedAttention(Array(key, n, d), Array(value, n, d), scaled_by_size(d))
      .rows(Array(query, n, d), 0, n, Output(output, n, d));
}

// The same, and weights: [n, n]
void bench_traced(const float* query, const float* key, const float* value, float* output, float* weights, int n,
                  int d) {
  FusedAttention(Array(key, n, d), Array(value, n, d), scaled_by_size(d))
      .rows(Array(query, n, d), 0, n, Output(output, n, d), Output(weights, n, n));
}

// The first `tokens` tokens of the vocabulary. weights: as gpt2.h has them  hidden: [T, D]  attention: [L, H, T, T]
void bench_gpt2(const float* weights, int layers, int heads, int size, int inner, int tokens, float* hidden,
                float* attention) {
  const Gpt2Shape shape{layers, heads, size, inner, tokens};
  std::vector<int> ids(static_cast<std::size_t>(tokens));
  std::iota(ids.begin(), ids.end(), 0);
  const TransformerSteps steps =
      run_transformer(ids, gpt2_weights(shape, weights),
                      {.heads = heads, .causal = true, .norm_first = true, .gelu = Gelu::tangent}, true);
  Output(hidden, tokens, size) = steps.hidden;
  for (const BlockSteps& block : steps.blocks)
    for (const Matrix& head : block.weights) {
      Output(attention, tokens, tokens) = head;
      attention += head.size();
    }
}

// a: [m, k] or transposed, b: [k, n] or transposed, out: [m, n]
void bench_product(const float* a, const float* b, float* out, int m, int k, int n, bool transpose_a,
                   bool transpose_b) {
  multiply(Array(a, transpose_a ? k : m, transpose_a ? m : k), Array(b, transpose_b ? n : k, transpose_b ? k : n),
           Output(out, m, n), {transpose_a, transpose_b});
}

void bench_eigen_product(const float* a, const float* b, float* out, int m, int k, int n, bool transpose_a,
                         bool transpose_b) {
  const Array left(a, transpose_a ? k : m, transpose_a ? m : k), right(b, transpose_b ? n : k, transpose_b ? k : n);
  Output result(out, m, n);
  if (transpose_a && transpose_b)
    result.noalias() = left.transpose() * right.transpose();
  else if (transpose_a)
    result.noalias() = left.transpose() * right;
  else if (transpose_b)
    result.noalias() = left * right.transpose();
  else
    result.noalias() = left * right;
}

// A step of training; the loss.
float bench_training() {
  static learn::TrainingBench training;
  return training.step();
}

}  // extern "C"
