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

bool is_loss(const Trace& trace, int word) {
  const std::string right = label_of(trace.at("X").row_labels, word);
  const auto says = [&](int guess) { return label_of(trace.at(kGuesses[guess]).column_labels, word); };
  return says(0) == right && says(1) != right;
}

int lost_word(const Trace& trace) {
  if (trace.find(kGuesses[0]) == nullptr) return -1;
  const std::vector<std::string>&was = trace.at(kGuesses[0]).column_labels, &is = trace.at(kGuesses[1]).column_labels;
  int first = -1;
  for (int j = static_cast<int>(was.size()) - 1; j > 0; --j)
    if (is_loss(trace, j)) first = j;
  for (std::size_t j = 1; j < was.size() && first < 0; ++j)
    if (was[j] != is[j]) first = static_cast<int>(j);
  return first;
}

}  // namespace limelight::scenes::heads
