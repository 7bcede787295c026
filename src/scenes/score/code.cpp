// How Score's tensors are computed, as code.
#include "scenes/score/score.h"

namespace limelight::scenes::score {

code::Equations equations(const State& state, const Trace& /*trace*/, Place /*place*/) {
  code::Equations made{.precise = true};
  made.add("dot", "{q} @ {K}.T", "q . k");
  made.add("length", "np.linalg.norm({q}, axis=1, keepdims=True)", "of the query");
  made.add("lengths", "np.linalg.norm({K}, axis=1)[None, :]", "of the keys");
  made.add("cross", "({q}[0, 0] * {K}[:, 1] - {q}[0, 1] * {K}[:, 0])[None, :]", "|q| |k| sin of the angle");
  made.add("angles",
           "np.where(({length} > 0) & ({lengths} > 0), np.rad2deg(np.arctan2(np.abs({cross}), {dot})), np.nan)",
           "in degrees");
  made.add("scores",
           "np.concatenate([{dot}, {dot} / math.sqrt(2), cosine({q}, {K}), {q} @ {W} @ {K}.T, "
           "additive({q} @ {W_q}, {K} @ {W_k}, {v_a})], axis=0)",
           "dot, scaled dot, cosine, general, additive");
  const int row = static_cast<int>(state.scorer);
  made.add("z",
           "{scores}[" + std::to_string(row) + ":" + std::to_string(row + 1) + "] / " + code::number(state.temperature),
           "the chosen score over the temperature");
  made.add("weights", "np.concatenate([softmax({z}), entmax15({z}), sparsemax({z}), hard({z})], axis=0)",
           "softmax, 1.5-entmax, sparsemax, hard");
  made.add("projected", "", "hidden @ linear + bias; linear has 128 x 128 random weights, which are left out");
  made.add("encoder", "", "drawn at random from the seed");
  made.add("tanh", "np.tanh({encoder} + {projected})", "the module's scores");
  made.add("unit_weights", "np.exp({tanh}) / np.sum(np.exp({tanh}), axis=0, keepdims=True)",
           "softmax of each hidden unit over the positions");
  made.add("sums", "np.sum({unit_weights}, axis=1)[None, :]", "of all units' weights, for each position");
  made.add("context", "np.sum({unit_weights} * {encoder}, axis=0, keepdims=True)",
           "encoder outputs, mixed by the weights");
  return made;
}

}  // namespace limelight::scenes::score
