// What the module exports to limelight-core.js: one call is begun, filled, run, read and ended.
#include <emscripten/emscripten.h>
#include <malloc.h>

#include "api/call.h"

namespace limelight {
namespace {

// The tensors of a call by number: SLOTS in limelight-core.js has the same order. `gradients` leaves each gradient in
// the slot of what it belongs to.
Matrix& slot(Call& call, int number) {
  Matrix* const slots[] = {
      &call.inputs.query,
      &call.inputs.key,
      &call.inputs.value,
      &call.weights.w_q,
      &call.weights.w_k,
      &call.weights.w_v,
      &call.weights.w_o,
      &call.weights.attention.score.w_general,
      &call.weights.attention.score.w_query,
      &call.weights.attention.score.w_key,
      &call.weights.attention.score.v,
      &call.weights.attention.score.bias,
      &call.weights.attention.positions,
      &call.allowed,
      &call.grad_output,
      &call.output,
      &call.attention_weights,
      &call.fully_masked,
  };
  return *slots[number];
}

}  // namespace
}  // namespace limelight

extern "C" {

using limelight::Call;
using limelight::Mask;

EMSCRIPTEN_KEEPALIVE Call* limelight_begin() { return new Call; }
EMSCRIPTEN_KEEPALIVE void limelight_end(Call* call) { delete call; }

// Where the numbers of a slot are to be written, row by row.
EMSCRIPTEN_KEEPALIVE float* limelight_fill(Call* call, int slot, int rows, int columns) {
  limelight::Matrix& matrix = limelight::slot(*call, slot);
  matrix.resize(rows, columns);
  return matrix.data();
}
// Where they are to be read.
EMSCRIPTEN_KEEPALIVE const float* limelight_data(Call* call, int slot) { return limelight::slot(*call, slot).data(); }
EMSCRIPTEN_KEEPALIVE int limelight_rows(Call* call, int slot) {
  return static_cast<int>(limelight::slot(*call, slot).rows());
}
EMSCRIPTEN_KEEPALIVE int limelight_columns(Call* call, int slot) {
  return static_cast<int>(limelight::slot(*call, slot).cols());
}

EMSCRIPTEN_KEEPALIVE void limelight_mask_causal(Call* call) {
  call->options.mask = call->options.mask & Mask::causal();
}
EMSCRIPTEN_KEEPALIVE void limelight_mask_window(Call* call, int width) {
  call->options.mask = call->options.mask & Mask::window(width);
}
EMSCRIPTEN_KEEPALIVE void limelight_mask_block(Call* call, int size) {
  call->options.mask = call->options.mask & Mask::block(size);
}
EMSCRIPTEN_KEEPALIVE void limelight_mask_lengths(Call* call, int keys) {
  call->options.mask = call->options.mask & Mask::length(keys);
}

// score, normalizer and positions count as their enumerations do: SCORES, NORMALIZERS and POSITIONS in
// limelight-core.js.
EMSCRIPTEN_KEEPALIVE void limelight_options(Call* call, int score, int normalizer, int positions, int heads,
                                            int key_heads, double scale, double temperature, std::uint64_t seed) {
  call->options.score = static_cast<limelight::Score>(score);
  call->options.normalizer = static_cast<limelight::Normalizer>(normalizer);
  call->options.positions = static_cast<limelight::Positions>(positions);
  call->options.scale = scale;
  call->options.temperature = temperature;
  call->options.seed = seed;
  call->weights.heads = heads;
  call->weights.key_heads = key_heads;
}

// Both return a TooLarge.
EMSCRIPTEN_KEEPALIVE int limelight_attend(Call* call, bool keep_weights) {
  return static_cast<int>(limelight::attend(*call, keep_weights));
}
EMSCRIPTEN_KEEPALIVE int limelight_gradients(Call* call) { return static_cast<int>(limelight::gradients(*call)); }

// Bytes that calls hold now.
EMSCRIPTEN_KEEPALIVE std::size_t limelight_used() { return static_cast<std::size_t>(mallinfo().uordblks); }

EMSCRIPTEN_KEEPALIVE bool limelight_relaxed() {
#ifdef __wasm_relaxed_simd__
  return true;
#else
  return false;
#endif
}
}
