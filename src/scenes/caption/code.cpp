// How Caption's tensors are computed, as code: additive attention, from the features and states on.
#include <algorithm>

#include "scenes/caption/steps.h"

namespace limelight::scenes::caption {
namespace {

constexpr std::string_view kFromModel = "from the trained model";

}  // namespace

code::Equations equations(const State& state, const Trace& trace, Place place) {
  const Row& step = row_at(place);
  code::Equations made{.remark = std::string(step.remark)};
  if (!is_captioned(trace)) return made;
  made.result = std::string(step.computes);
  const bool is_hard = state.attention == Gaze::hard;
  for (const std::string_view name : {"features", "shown", "s", "logits"})
    made.add(std::string(name), "", std::string(kFromModel));
  made.add("keys", "{shown} @ {U}", "what each cell offers");
  made.add("query", "{s}[:-1] @ {W}", "what each state asks");
  made.add("scores", "additive({query}, {keys}, {v_a}) / " + code::number(state.temperature),
           "v . tanh(s W + g U) over the temperature");
  made.add("weights", "softmax({scores})", "each row sums to 1");
  made.add("context", is_hard ? "{features}[np.argmax({weights}, axis=1)]" : "{weights} @ {features}",
           is_hard ? "the features of the cell with the largest weight" : "the features, mixed by the weights");
  made.add("probabilities", "softmax({logits})", "");
  std::vector<int> words;
  const std::vector<std::string>& vocabulary = trace.at("probabilities").column_labels;
  for (const std::string& word : trace.at("chosen").column_labels)
    words.push_back(static_cast<int>(std::ranges::find(vocabulary, word) - vocabulary.begin()));
  made.add("chosen",
           "{probabilities}[np.arange(" + std::to_string(words.size()) + "), " + code::list_of(words) + "][None, :]",
           "of the words that were written");
  if (is_hard) {
    made.add("weights_hard", "{weights}", "of hard attention, which takes the cell with the largest");
    made.add("chosen_soft", "", std::string(kFromModel));
  } else {
    made.add("weights_hard", "", std::string(kFromModel) + " with hard attention");
    made.add("chosen_soft", "{chosen}", "of soft attention");
  }
  made.add("entropy_hard", "entropy({weights_hard}).T", "how far the weights are spread, in nats");
  return made;
}

}  // namespace limelight::scenes::caption
