// How Limits' tensors are computed, as code.

#include "scenes/limits/limits.h"

namespace limelight::scenes::limits {
namespace {

void add_other_weights(code::Equations& made, const State& state, const Trace& trace) {
  const std::string key = std::to_string(chosen_key(state, trace)), keys = std::to_string(trace.at("V").rows());
  if (trace.at("direction").values.isZero()) {
    made.add("a_other", "{a} + 0", "the output leaves this key's weight no room: nothing moves");
    return;
  }
  made.add("known", "np.concatenate([{V}, np.ones((" + keys + ", 1))], axis=1)", "the output and the sum are to stay");
  made.add("unit", "np.eye(" + keys + ")[[" + key + "]]", "the key that gives weight away");
  made.add("rest", "{unit} - {unit} @ {known} @ np.linalg.pinv({known}, 1e-6)", "what of it changes neither");
  made.add("direction",
           "-{rest} / {rest}[0, " + key + "]\n{direction} = np.where(np.abs({direction}) < 1e-12, 0.0, {direction})",
           "one weight goes down by 1, the others so that the output stays");
  const bool away = state.move >= 0;
  made.add("far",
           away ? "({a}[{direction} < 0] / -{direction}[{direction} < 0]).min()"
                : "({a}[{direction} > 0] / {direction}[{direction} > 0]).min()",
           "until some weight would fall below 0");
  made.add("a_other", "np.clip({a} + " + code::number(state.move) + " * {far} * {direction}, 0, None)",
           "other weights with the same output");
}

void add_claims(code::Equations& made, const State& state, const std::string& row) {
  made.add("removal",
           "0 * {a}\n"
           "for key in range({a}.shape[1]):\n"
           "    masked = {z}.copy()\n"
           "    masked[0, key] = -np.inf\n"
           "    {removal}[0, key] = np.linalg.norm(softmax(masked) @ {V} - {a} @ {V})",
           "how far the output moves without each key, the rest rescaled to 1");
  made.add("one_query", "softmax({E}[" + row + "].T).T", "softmax over the one query that there is");
  made.add("angle_cosine", "cosine({arrows}[:1], {arrows}[1:])", "of the angle between the query and each key");
  made.add("angle_measures",
           "np.stack([np.linalg.norm({arrows}[1:], axis=1), np.rad2deg(np.arccos(np.clip({angle_cosine}[0], -1, 1))), "
           "{angle_cosine}[0],\n    ({arrows}[:1] @ {arrows}[1:].T)[0]], axis=1)",
           "length, angle, cosine, q . k");
  made.add("ahead_scores", "np.zeros((1, 9))\n{ahead_scores}[0, 3] = " + code::number(state.ahead),
           "one word is ahead of eight others");
  made.add("ahead_weights", "softmax({ahead_scores})", "");
  const std::string d = std::to_string(state.d);
  made.add("M", "", "drawn at random from the seed");
  made.add("square_scores", "{M}[:1] @ {M}.T", "token 1 and all tokens");
  made.add("square_weights",
           "np.concatenate([softmax({square_scores} / math.sqrt(" + d + ")), softmax({square_scores} / (math.sqrt(" +
               d + ") * " + d + "**2))], axis=0)",
           "divided by the root of d, and by d squared as well");
  made.add("S_same", "{X} @ {X}.T / 2", "scores with Q = K = X");
}

}  // namespace

code::Equations equations(const State& state, const Trace& trace, Place /*place*/) {
  code::Equations made{.precise = true};
  const std::string row = std::to_string(state.query) + ":" + std::to_string(state.query + 1);
  const Tensor& E = trace.at("E");
  made.add("E",
           "{Q} @ {K}.T * " + code::number(given(state).scale) + code::set_cells("E", state.E, E.rows(), E.columns()),
           state.E.cells.empty() ? "scores" : "scores, some set by hand");
  made.add("z", "{E}[" + row + "] / " + code::number(state.temperature), "one query's, over the temperature");
  made.add("a", "softmax({z})", "its weights");
  made.add("raised", "{z} + " + code::number(state.raise), "every score raised alike");
  made.add("softmax_raised", "softmax({raised})", "the weights do not change");
  add_other_weights(made, state, trace);
  const std::string key = std::to_string(chosen_key(state, trace));
  made.add("V_other", "{V}.copy()\n{V_other}[" + key + "] *= " + code::number(state.factor), "one value changed");
  made.add("outputs_changed", "np.concatenate([{a} @ {V}, {a} @ {V_other}], axis=0)",
           "the same weights with the values before and after");
  made.add("A_wrong", "softmax(({E} / " + code::number(state.temperature) + ").T).T",
           "each column sums to 1: the wrong axis");
  add_claims(made, state, row);
  return made;
}

}  // namespace limelight::scenes::limits
