// What of Train's tensors is computed from others that are there, and how code computes them.
#include "scenes/train/steps.h"

namespace limelight::scenes::train {

using namespace recipes;

Recipes recipes_of(const State& state) {
  static constexpr auto symbol = [](std::string_view tensor) -> Symbol {
    if (tensor == "weights")
      return {.tensor = tensor, .letter = "A", .index = "", .cell = "a", .title = "{row} → {column}"};
    return {.tensor = tensor, .letter = "E", .index = "", .cell = "e", .title = "{row} · {column}"};
  };
  Recipes made{.symbol_of = symbol};
  if (!state.attention) return made;
  made.add("scores", given()
                         .noted("of the model as it is now: the decoder's state and each of the encoder's, compared")
                         .says("How well {column} of the source fits what is written at this place."));
  made.add("weights", softmax("scores")
                          .noted("each row sums to 1")
                          .says("Output {row} looks at {column} of the source with this share."));
  return made;
}

code::Equations equations(const State& state, const Trace& trace, Place place) {
  code::Equations made = recipes::equations(recipes_of(state), trace);
  made.remark = std::string(row_at(place).remark);
  const int parts = trace.at("parts").rows() - 1;
  std::string rows;
  for (int i = 0; i < parts; ++i)
    rows += (i > 0 ? ", [" : "[") + code::number(static_cast<double>(trace.at("parts").values(i, 0))) + "]";
  made.add(
      "parts",
      "np.array([" + rows + "])\n{parts} = np.concatenate([{parts}, np.sum({parts}, axis=0, keepdims=True)], axis=0)",
      "how many numbers each part learns, and all of them");
  if (!state.attention) made.add("probabilities", "", "what all of the model makes of its one fixed vector");
  return made;
}

}  // namespace limelight::scenes::train
