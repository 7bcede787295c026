// How Spotlight's tensors are computed, as code.
#include "scenes/spotlight/spotlight.h"

namespace limelight::scenes::spotlight {

code::Equations equations(const State& state, const Trace& trace, Place /*place*/) {
  code::Equations made;
  if (trace.tensors.empty()) return made;
  const int queries = trace.at("Q").rows(), keys = trace.at("K").rows(), size = trace.at("K").columns();
  if (state.trained)
    made.add("X", "", "what enters the layer of the trained encoder, and a 1 that meets the biases");
  else if (state.by_rule())
    made.add("X", "", "embeddings by a rule from the spelling");
  if (!state.given()) {
    made.add("Q", "{X} @ {W_q}", "what each word looks for");
    made.add("K", "{X} @ {W_k}", "what each word is");
    made.add("V", "{X} @ {W_v}", "what each word passes on");
  }
  made.add("scores", "{Q} @ {K}.T", "each query times each key");
  std::string scaled = "{scores}";
  if (state.scale == Scale::root) scaled += " / math.sqrt(" + std::to_string(size) + ")";
  if (state.scale == Scale::own) scaled += " * " + code::number(state.factor);
  if (state.temperature != 1) scaled += " / " + code::number(state.temperature);
  if (state.mask == Masking::causal) {
    const std::string shape = std::to_string(queries) + ", " + std::to_string(keys);
    made.add("mask", "np.tril(np.ones((" + shape + "))) > 0", "where a word may look: itself and those before it");
    scaled = "np.where({mask}, " + scaled + ", -np.inf)";
  }
  made.add("scaled", scaled, "what the softmax is taken of");
  made.add("maximum", "np.amax({scaled}, axis=1, keepdims=True)", "of each row");
  made.add("shifted", "{scaled} - {maximum}", "so that no exponential is too large");
  made.add("exponentials", "np.exp({shifted})", "");
  made.add("sum", "np.sum({exponentials}, axis=1, keepdims=True)", "of each row");
  std::string by_hand;
  for (int row = 0; row < queries; ++row) {
    std::vector<std::pair<int, float>> given;
    for (const auto& [cell, weight] : state.weights.cells)
      if (cell.first == row) given.emplace_back(cell.second, weight);
    std::vector<int> seen;
    for (int key = 0; key < (state.mask == Masking::causal ? row + 1 : keys); ++key) seen.push_back(key);
    if (!given.empty()) by_hand += code::set_by_hand("weights", row, given, seen);
  }
  made.add("weights", "{exponentials} / {sum}" + by_hand,
           by_hand.empty() ? "each row sums to 1" : "each row sums to 1; some are set by hand");
  made.add("output", "{weights} @ {V}", "the values, mixed by the weights");
  return made;
}

}  // namespace limelight::scenes::spotlight
