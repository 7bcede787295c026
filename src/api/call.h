// One call of the core for JavaScript: what goes in, what comes out. All that comes from outside was checked before, in
// limelight-core.js.
#pragma once

#include "core/layer.h"

namespace limelight {

// T queries, S keys.
struct Call {
  LayerInputs<float> inputs;
  LayerWeights<float> weights;  // without projections the heads split the columns of the inputs
  AttentionOptions options;
  Matrix allowed;  // [T, S], other than 0 where attending is allowed; empty: everywhere

  Matrix output;             // [T, D_out]
  Matrix attention_weights;  // [heads · T, S], head by head, when they are kept
  Matrix fully_masked;       // [1, number of queries that see no key]: which
  Matrix grad_output;        // [T, D_out]
};

// What of a call does not fit into single precision; TOO_LARGE in limelight-core.js has the same order.
enum class TooLarge { nothing, scores, output, gradients };

// Fills output and fully_masked, and attention_weights when they are kept. Softmax over dot scores runs in the kernels
// that keep nothing else; all other choices take the traced path. What is filled
// counts for nothing when something was too large.
[[nodiscard]] TooLarge attend(Call& call, bool keep_weights);

// Puts the gradients with respect to inputs and weights in the place of these.
[[nodiscard]] TooLarge gradients(Call& call);

}  // namespace limelight
