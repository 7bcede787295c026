// How Train's tensors are computed, as code: the weights, from the scores on.
#include "scenes/train/steps.h"

namespace limelight::scenes::train {

code::Equations equations(const State& state, const Trace& trace, Place place) {
  code::Equations made;
  made.remark = std::string(row_at(place).remark);
  const int parts = trace.at("parts").rows() - 1;
  std::string rows;
  for (int i = 0; i < parts; ++i)
    rows += (i > 0 ? ", [" : "[") + code::number(static_cast<double>(trace.at("parts").values(i, 0))) + "]";
  made.add(
      "parts",
      "np.array([" + rows + "])\n{parts} = np.concatenate([{parts}, np.sum({parts}, axis=0, keepdims=True)], axis=0)",
      "how many numbers each part learns, and all of them");
  if (state.attention) {
    made.add("scores", "", "of the model as it is now: the decoder's state and each of the encoder's, compared");
    made.add("weights", "softmax({scores})", "each row sums to 1");
  } else {
    made.add("probabilities", "", "what all of the model makes of its one fixed vector");
  }
  return made;
}

}  // namespace limelight::scenes::train
