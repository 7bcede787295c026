// What the trained encoder takes a word for that is covered, one after the other: with all heads, and without those
// that are switched off.
#include "learn/encoder_reading.h"
#include "scenes/common/explain.h"
#include "scenes/heads/steps.h"
#include "scenes/sentence/model.h"

namespace limelight::scenes::heads {

namespace english = learn::english;

void add_guesses(Trace& trace, const State& state, const Inputs& inputs) {
  const auto* const encoder = inputs.resource<trained::Encoder>(trained::kReader.file->name);
  // Of what is masked or set by hand in this layer the others know nothing.
  if (encoder == nullptr || !state.trained || state.edited() || state.alike || state.mask != Masking::none) return;
  const std::vector<std::string> words = query_words(state);
  const auto count = static_cast<Eigen::Index>(words.size());
  const int cut = only_off(state);
  Matrix looked = Matrix::Zero(count, count);
  for (const std::string_view name : kGuesses) {
    learn::sentences::Training model{};
    model.config = (*encoder)->config;
    model.weights = (*encoder)->weights;
    Matrix& mixing = model.weights.layers[state.layer - 1].output.weight;
    for (int h = 0; h < state.heads && name == kGuesses[1]; ++h)
      if (state.off[static_cast<std::size_t>(h)])
        mixing.middleRows(h * trained::kHeadSize, trained::kHeadSize).setZero();
    Matrix likely = Matrix::Ones(1, count);
    std::vector<std::string> guesses = words;  // [START] is given
    for (std::size_t i = 1; i < words.size(); ++i) {
      std::vector<std::string> covered(words.begin() + 1, words.end());
      covered[i - 1] = english::vocabulary().words[english::kMask];
      const learn::sentences::Reading reading = learn::sentences::read(model, covered, 1);
      const auto place = static_cast<Eigen::Index>(i);
      guesses[i] = reading.guesses.front().words.front();
      likely(0, place) = reading.guesses.front().probabilities.front();
      if (name == kGuesses[0] && cut >= 0)
        looked.row(place) = Eigen::Map<const Matrix>(
            &reading.weights
                 .data[static_cast<std::size_t>((((state.layer - 1) * state.heads + cut) * count + place) * count)],
            1, count);
    }
    trace.add(name, std::move(likely), {"guessed"}, std::move(guesses));
  }
  if (cut >= 0) trace.add(kLooked, std::move(looked), words, words);
}

Turn turn_of(const Trace& trace, int word) {
  const auto guess = [&](std::string_view name) {
    return trace.at(name).column_labels[static_cast<std::size_t>(word)];
  };
  const std::string was = guess(kGuesses[0]);
  if (was == guess(kGuesses[1])) return Turn::same;
  return was == label_of(trace.at("X").row_labels, word) ? Turn::loss : Turn::word;
}

int lost_word(const Trace& trace) {
  const Tensor* guesses = trace.find(kGuesses[0]);
  for (const Turn turn : {Turn::loss, Turn::word})
    for (int j = 1; guesses != nullptr && j < guesses->columns(); ++j)
      if (turn_of(trace, j) == turn) return j;
  return -1;
}

}  // namespace limelight::scenes::heads
