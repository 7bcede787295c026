// How Heads' tensors are computed, as code.
#include "scenes/heads/heads.h"

namespace limelight::scenes::heads {
namespace {

std::string value(std::string_view one, int head) { return "{" + of_head(one, head) + "}"; }

// Weights of a head that were set by hand.
std::string set_by_hand(const State& state, int head, int source) {
  const BoolMatrix seen = allowed(state);
  std::string lines;
  for (int i = 0; i < seen.rows(); ++i) {
    std::vector<std::pair<int, float>> given;
    std::vector<int> columns;
    for (int j = 0; j < seen.cols(); ++j) {
      if (!seen(i, j)) continue;
      columns.push_back(j);
      const io::CellEdits& edits = state.weights[static_cast<std::size_t>(source)];
      if (const auto edit = edits.cells.find({i, j}); edit != edits.cells.end()) given.emplace_back(j, edit->second);
    }
    if (!given.empty()) lines += code::set_by_hand(of_head("A", head), i, given, columns);
  }
  return lines;
}

// The scores of a head, and its weights.
void add_weights(code::Equations& made, const State& state, int head) {
  const int source = state.alike ? 0 : head;
  const bool is_computed = state.patterns[static_cast<std::size_t>(source)] == Pattern::computed;
  if (source != head) {
    made.add(of_head("S", head), value("S", 0), "all heads are alike");
    made.add(of_head("A", head), value("A", 0), "all heads are alike");
    return;
  }
  if (is_computed)
    made.add(of_head("S", head),
             "np.where({M} > 0, " + value("Q", head) + " @ " + value("K", head) + ".T / math.sqrt(" +
                 std::to_string(sizes(state).head) + "), -np.inf)",
             "scaled scores; -inf where the mask hides a key");
  else
    made.add(of_head("S", head), "", "scores that are constructed from the head's pattern, not computed");
  const std::string lines = set_by_hand(state, head, source);
  made.add(of_head("A", head), "softmax(" + value("S", head) + ")" + lines,
           lines.empty() ? "weights" : "weights, some of them set by hand");
}

}  // namespace

code::Equations equations(const State& state, const Trace& trace, Place /*place*/) {
  code::Equations made;
  if (state.trained)
    made.add("X", "", "what enters the layer of the trained encoder, and a 1 that meets the biases");
  else
    made.add("X", "", "embeddings by a rule from the spelling");
  const std::string keys = state.crossed() ? "{Z}" : "{X}";
  made.add("Q", "{X} @ {W_Q}", "the queries of all heads side by side");
  made.add("K", keys + " @ {W_K}", "the keys");
  made.add("V", keys + " @ {W_V}", "the values");
  made.add("M", "", "1 where a query may look at a key");
  const std::string bias = trace.find("b_O") != nullptr ? " + {b_O}" : "";
  std::string outputs, weights, norms;
  for (int h = 0; h < state.heads; ++h) {
    const int size = sizes(state).head;
    const std::string rows = std::to_string(h * size) + ":" + std::to_string((h + 1) * size);
    for (const std::string_view one : {"Q", "K", "V"})
      made.add(of_head(one, h), "{" + std::string(one) + "}[:, " + rows + "]", "of head " + std::to_string(h + 1));
    add_weights(made, state, h);
    made.add(of_head("O", h), value("A", h) + " @ " + value("V", h), "its output");
    outputs += (h > 0 ? ", " : "") + value("O", h);
    weights += (h > 0 ? " + " : "") + value("A", h);
    norms += (h > 0 ? ", " : "") + ("np.linalg.norm({C}[:, " + rows + "] @ {W_O}[" + rows + "])");
  }
  made.add("C", "np.concatenate([" + outputs + "], axis=1)", "the heads' outputs side by side");
  made.add("Y", "{C} @ {W_O}" + bias, "mixed by W_O");
  made.add("A_mean", "(" + weights + ") / " + std::to_string(state.heads), "the one row of weights that one head has");
  made.add("part", "np.stack([" + norms + "])[None, :]", "how far the output moves without each head");
  return made;
}

}  // namespace limelight::scenes::heads
