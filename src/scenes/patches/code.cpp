// How Patches' tensors are computed, as code.
#include <cmath>

#include "scenes/patches/steps.h"
#include "scenes/place.h"

namespace limelight::scenes::patches {
namespace {

// The scores of rows as they become weights in one way to look; own: where a patch meets itself.
std::string weights_of(const State& state, Look look, const std::string& scores, const std::string& own) {
  std::string text = scores;
  if (look != Look::hard && state.temperature != 1) text += " / " + code::number(state.temperature);
  if (!state.itself) text = "np.where(" + own + " > 0, -np.inf, " + text + ")";
  if (look == Look::hard) return "hard(" + text + ")";
  return look == Look::top ? "softmax(top(" + text + ", " + std::to_string(state.k) + "))" : "softmax(" + text + ")";
}

void add_features(code::Equations& made, const State& state, const Row& step) {
  const std::string grid = std::to_string(state.patches());
  if (step.result == "features") {
    made.tolerance = 1e-4;  // an edge is the root of a mean, which makes 1e-4 of a rounding of 1e-8
    made.add("features", "describe({picture}, " + grid + ")", "of each patch: colour, edges, place");
  } else {
    made.add("features", "",
             "of each patch: colour, edges, place; step " + std::to_string(number_of(steps(), "features")) +
                 " computes them from the picture");
  }
  std::string shares;
  for (int f = 0; f < kFeatures; ++f) shares += (f > 0 ? ", " : "") + code::number(std::sqrt(state.shares().of(f)));
  // Given, since a mean in single precision has its own rounding, which a small deviation makes large.
  made.add("standard", "", "the mean of each feature, the deviation of each group of features; over all patches");
  made.add("root_shares", "np.array([[" + shares + "]])", "the root of how much each feature counts");
  made.add("X",
           "({features} - {standard}[:1]) * np.where({standard}[1:] > 0, {root_shares} / "
           "np.where({standard}[1:] > 0, {standard}[1:], 1.0), 0.0)",
           "features of equal weight");
}

}  // namespace

code::Equations equations(const State& state, const Trace& trace, Place place) {
  code::Equations made;
  if (!has_picture(trace)) return made;
  const std::string grid = std::to_string(state.patches()), patches = std::to_string(state.patches() * state.patches());
  const std::string q = std::to_string(query_of(state)), square = ".reshape(" + grid + ", " + grid + ")";
  const Row& step = row_at(place);
  add_features(made, state, step);
  const std::string root = "math.sqrt(" + std::to_string(kFeatures) + ")";
  // Which of several patches that are alike is taken hangs on the last digit of their scores.
  if (state.look == Look::soft || !step.weighs)
    made.add("scores",
             state.compare == Compare::dot
                 ? "{X} @ {X}.T / " + root
                 : "-np.sum(({X}[:, None, :] - {X}[None, :, :]) ** 2, axis=2) / (2 * " + root + ")",
             "each patch with each patch");
  else
    made.add("scores", "", "each patch with each patch; given, since ties hang on their last digits");
  made.add("own", "np.eye(" + patches + ")", "where a patch meets itself");
  made.add("weights", weights_of(state, state.look, "{scores}", "{own}"), "each row sums to 1");
  made.add("s", "{scores}[" + q + "]" + square, "the scores of the patch that looks, as a map");
  made.add("a", "{weights}[" + q + "]" + square, "its weights, as a map");
  std::string counted;
  for (const Look look : {Look::soft, Look::hard, Look::top})
    counted += (counted.empty() ? "" : ",\n    ") +
               ("np.exp(entropy(" + weights_of(state, look, "{scores}[[" + q + "]]", "{own}[[" + q + "]]") + "))");
  made.add("effective", "np.concatenate([" + counted + "], axis=1)",
           "how many patches each way of looking counts: soft, hard, top-k");
  made.add("rebuilt", "join({weights} @ cut({picture}, " + grid + "), " + grid + ")",
           "the picture, each patch mixed by its weights");
  return made;
}

}  // namespace limelight::scenes::patches
