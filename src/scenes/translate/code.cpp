// How Translate's tensors are computed, as code: additive attention, from the states of encoder and decoder on.
#include <algorithm>

#include "scenes/translate/steps.h"

namespace limelight::scenes::translate {
namespace {

// A cell of the constructed decoder: the next state, and what it says.
void add_constructed_decoder(code::Equations& made, const State& state, int words) {
  std::string by_hand;
  for (const auto& [cell, value] : state.s.cells)
    if (cell.first > 0 && cell.first <= words)
      by_hand += "\n{next_s}[" + std::to_string(cell.first - 1) + ", " + std::to_string(cell.second) +
                 "] = " + code::number(static_cast<double>(value));
  made.add("next_s", "np.tanh({w}[0, 0] * {s}[:-1] + {w}[0, 1] * {context} + {y}.T)" + by_hand,
           "from state, context and last word the next state");
  made.add("logits", "{next_s} @ {O} + {b}", "a number for each word that could come");
}

}  // namespace

code::Equations equations(const State& state, const Trace& trace, Place place) {
  code::Equations made;
  made.remark = std::string(row_at(place).remark);
  if (state.trained()) {
    made.add("fixed_h", "", "the encoder's states, from the trained model");
    made.add("bottleneck", "", "the one vector, from the trained model");
  } else {
    made.add("bottleneck", "{fixed_h}[-1:]", "the encoder's last state is all that the decoder gets");
  }
  const Tensor* const weights = trace.find("weights");
  if (weights == nullptr) return made;
  const int words = weights->rows(), sources = weights->columns();
  made.add("h", "", state.trained() ? "the encoder's states, from the trained model" : "the encoder's states");
  made.add("s", "", state.trained() ? "the decoder's states, from the trained model" : "the decoder's states");
  made.add("keys", "{h} @ {U}", "what each source word offers");
  made.add("query", "{s}[:-1] @ {W}", "what each state asks");
  made.add("scores", "additive({query}, {keys}, {v_a})" + code::set_cells("scores", state.scores, words, sources),
           "v . tanh(s W + h U)");
  made.add("weights",
           std::string(state.gaze == Gaze::hard ? "hard({scores})" : "softmax({scores})") +
               code::set_all_by_hand("weights", state.weights, words, sources),
           state.weights.cells.empty() ? "each row sums to 1" : "each row sums to 1; some are set by hand");
  made.add("context",
           "{weights} @ {h}" + code::set_cells("context", state.context, words, trace.at("context").columns()),
           "the states, mixed by the weights");
  made.add("sum", "{keys} + {query}[[" + std::to_string(word_row(state, trace)) + "]]",
           "of the word that is looked at");
  made.add("tanh", "np.tanh({sum})", "");
  if (state.trained())
    made.add("logits", "", "a number for each word that could come, from the trained model");
  else
    add_constructed_decoder(made, state, words);
  made.add("probabilities", "softmax({logits})", "");
  std::vector<int> chosen;
  const std::vector<std::string>& vocabulary = trace.at("probabilities").column_labels;
  for (const std::string& word : trace.at("chosen").column_labels)
    chosen.push_back(static_cast<int>(std::ranges::find(vocabulary, word) - vocabulary.begin()));
  made.add("chosen",
           "{probabilities}[np.arange(" + std::to_string(words) + "), " + code::list_of(chosen) + "][None, :]",
           "of the words that were written");
  return made;
}

}  // namespace limelight::scenes::translate
