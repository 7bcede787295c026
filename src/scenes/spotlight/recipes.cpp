// What Spotlight's tensors are: each once, for all that tells where its numbers come from.
#include "scenes/common/recipe.h"

#include "scenes/spotlight/matrices.h"

namespace limelight::scenes::spotlight {

recipes::Recipes recipes(const State& state, const Trace& trace) {
  using namespace recipes;
  Recipes r{.symbol_of = [](std::string_view tensor) -> Symbol { return role_of(tensor); }};
  if (state.given()) {
    for (const std::string_view tensor : {kQ, kK, kV}) r.add(tensor, given());
  } else {
    r.add(kX,
          given().noted(state.trained ? "what enters the layer of the trained encoder, and a 1 that meets the biases"
                        : state.by_rule() ? "embeddings by a rule from the spelling"
                                          : ""));
    for (const std::string_view tensor : {kW_q, kW_k, kW_v}) r.add(tensor, given());
    r.add(kQ, product(kX, kW_q).noted("what each word looks for"));
    r.add(kK, product(kX, kW_k).noted("what each word is"));
    r.add(kV, product(kX, kW_v).noted("what each word passes on"));
  }
  r.add(kScores, product(kQ, transposed(kK))
                     .noted("each query times each key")
                     .says("The dot product of the query of {row} and the key of {column}: number times number, added "
                           "up."));
  Recipe scaled = same(kScores);
  if (state.scale == Scale::root) scaled.over_root("d_k", trace.at(kK).columns());
  if (state.scale == Scale::own) scaled.times(state.factor);
  r.add(kScaled,
        scaled.over(state.temperature).masked(state.mask == Masking::causal).noted("what the softmax is taken of"));
  r.add(kMaximum, row_maximum(kScaled).noted("of each row").says("The largest scaled score of the row of {row}."));
  r.add(kShifted, minus_column(kScaled, kMaximum).noted("so that no exponential is too large"));
  r.add(kExponentials,
        exp_of(kShifted).says("exp(x) is e ≈ 2.718 raised to the power x: always positive, and 1 at 0."));
  r.add(kSum, total(kExponentials).noted("of each row"));
  r.add(kWeights,
        over_column(kExponentials, kSum).softmax_of(kScaled).by_hand(state.weights).noted("each row sums to 1"));
  r.add(kOutput, product(kWeights, kV).noted("the values, mixed by the weights"));
  for (const std::string_view tensor : {kLow, kHigh}) r.add(tensor, given());
  return r;
}

code::Equations equations(const State& state, const Trace& trace, Place /*place*/) {
  return trace.tensors.empty() ? code::Equations{} : recipes::equations(recipes(state, trace), trace);
}

}  // namespace limelight::scenes::spotlight
