// How Scale's tensors are computed, as code.
#include "scenes/scale/steps.h"

namespace limelight::scenes::scale {
code::Equations equations(const State& state, const Trace& trace, Place place) {
  const Row& step = row_at(place);
  code::Equations made{.result = std::string(step.computes), .remark = std::string(step.remark)};
  made.precise = true;
  if (step.computes == "measures") made.columns = Measure::gradient_query;
  made.add("entries", "", "a query, a key, and their products, number by number; drawn at random from the seed");
  made.add("products", "{entries}[0:1] * {entries}[1:2]", "number by number");
  made.add("running", "np.cumsum({products}, axis=1)", "the sum so far; the last one is the score");
  const int points = trace.at("density").columns();
  made.add("places", "np.linspace(-1, 1, " + std::to_string(points) + ") * " + code::number(half_width(state)), "");
  made.add("density",
           "np.stack([{places},\n"
           "    np.array([dot_density(float(x) / " +
               code::number(state.spread()) + ", " + std::to_string(state.d) + ") / " + code::number(state.spread()) +
               " for x in {places}]),\n"
               "    np.exp(-({places} / " +
               code::number(state.deviation()) + ") ** 2 / 2) / (" + code::number(state.deviation()) +
               " * math.sqrt(2 * math.pi))], axis=0)",
           "q . k, its exact density, and that of a normal number with the same deviation");
  made.add("scores", "", "q . k of a query and its keys, drawn at random from the seed");
  std::string divisors;
  for (const double divisor : scale::divisors(state.power, state.d))
    divisors += (divisors.empty() ? "[" : ", [") + code::number(divisor) + "]";
  made.add("divisors", "np.array([" + divisors + "])", "1, the root of d, d, and d to the power that was chosen");
  made.add("weights", "softmax({scores} / {divisors} / " + code::number(state.temperature) + ")",
           "of the scores divided in each way");
  made.add("jacobian", "{weights}[:, :, None] * (np.eye(" + std::to_string(state.keys) + ") - {weights}[:, None, :])",
           "how each weight follows each score");
  made.add("measures",
           "np.concatenate([np.amax({weights}, axis=1, keepdims=True), entropy({weights}), "
           "np.exp(entropy({weights})),\n    np.sqrt(np.sum({jacobian} ** 2, axis=(1, 2)))[:, None] / " +
               code::number(state.temperature) + "], axis=1)",
           "largest weight, entropy, effective keys, size of the gradient by the scores");
  made.add("M", "", "drawn at random from the seed");
  made.add("class_scores", "{M}[:" + std::to_string(kCorner) + "] @ {M}.T / (math.sqrt(512) * 512**2)",
           "divided by d squared once more than by the root of d");
  made.add("class_weights", "softmax({class_scores})[:, :" + std::to_string(kCorner) + "]", "of all 512, the first");
  return made;
}

}  // namespace limelight::scenes::scale
