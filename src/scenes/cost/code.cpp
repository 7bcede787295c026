// How Cost's tensors are computed, as code: what is counted. What is measured cannot be.
#include "core/fused.h"
#include "core/linear.h"
#include "scenes/cost/steps.h"

namespace limelight::scenes::cost {
namespace {

// Bytes that the fused kernel holds: so many for each token, for its buffers, and for each tile of weights.
struct Held {
  std::size_t token, buffers, tile;
};
Held held_by(int d) {
  const auto bytes = [d](int n, bool weights) { return FusedAttention::bytes_for(n, d, d, weights); };
  const std::size_t token = (bytes(2 * kLongest, false) - bytes(kLongest, false)) / kLongest;
  const std::size_t tiles = kLongest / FusedAttention::kTileKeys;
  const std::size_t tile = (bytes(kLongest, true) - bytes(kLongest, false)) / (tiles - 1);
  return {token, bytes(kLongest, false) - token * kLongest - tile, tile};
}

}  // namespace

code::Equations equations(const State& state, const Trace& /*trace*/, Place place) {
  const Row& step = row_at(place);
  code::Equations made{.result = std::string(step.computes), .remark = std::string(step.remark)};
  const std::string d = std::to_string(state.d);
  made.add("n", std::to_string(size_at(0)) + " * 2.0 ** np.arange(" + std::to_string(kSizes) + ")", "tokens");
  made.add("growth", "np.stack([{n}**2, 2 * {n}**2 * " + d + ", 4 * {n}**2])",
           "weights, products of scores and outputs, bytes of the weights");
  const std::string window = std::to_string(state.window);
  made.add("w", "np.clip({n} - 1, None, " + window + ")", "keys to each side that a window sees");
  made.add("pairs", "{n} * (2 * {w} + 1) - {w} * ({w} + 1)", "of a query and a key in the window");
  made.add("products",
           "np.stack([2 * {n}**2 * " + d + ", 2 * {n}**2 * " + d + ", 2 * " + d + " * {pairs}, 2 * {n} * " + d +
               " * (" + d + " + 1)])",
           "traced, fused, windowed, linear");
  const Held held = held_by(state.d);
  made.add("held", std::to_string(held.buffers) + " + " + std::to_string(held.token) + " * {n}",
           "bytes: packed keys and values, and buffers");
  made.add("tiles", "np.ceil({n} / " + std::to_string(FusedAttention::kTileKeys) + ")", "of keys");
  made.add("memory",
           "np.stack([4 * {n}**2 + {held} + " + std::to_string(held.tile) + " * {tiles}, {held} + " +
               std::to_string(held.tile) + ", {held} + " + std::to_string(held.tile) + ",\n    0 * {n} + " +
               std::to_string(LinearAttention::bytes_for(state.d, state.d)) + "])",
           "bytes that this program's kernels hold: traced, fused, windowed, linear");
  made.add("lanes", "", "numbers that one instruction multiplies here");
  made.add("instructions", "np.stack([{products}[1] / {lanes}[0, 0], {products}[1]])", "SIMD, scalar");
  const std::string tokens = std::to_string(kNearTokens);
  made.add("windows", "np.array([" + code::list_of(near_windows(state)) + "])", "keys to each side");
  made.add("near_share", "(" + tokens + " * (2 * {windows} + 1) - {windows} * ({windows} + 1)) / " + tokens + "**2",
           "of all pairs of " + tokens + " tokens");
  return made;
}

}  // namespace limelight::scenes::cost
