// What follows a reader's sentence until the reader sets it otherwise: who asks in it, and the colours of its map.
#include <algorithm>
#include <cmath>

#include "scenes/common/sentence.h"
#include "scenes/spotlight/parts.h"

namespace limelight::scenes::spotlight {
namespace {

// The row of the largest weight on a word that is neither its own nor beside it, signs aside.
int telling_row(const Matrix& weights, const std::vector<std::string>& words) {
  const auto is_sign = [&](int i) { return words[static_cast<std::size_t>(i)].find_first_of(".,;:!?") == 0; };
  int best = static_cast<int>(words.size()) / 2;
  float most = 0;
  for (int i = 0; i < static_cast<int>(weights.rows()); ++i)
    for (int j = 0; j < static_cast<int>(weights.cols()); ++j)
      if (std::abs(i - j) > 1 && weights(i, j) > most && !is_sign(i) && !is_sign(j)) best = i, most = weights(i, j);
  return best;
}

// “it”, else another pronoun, with words before it, since it has to look for what it stands for; else the word whose
// row is the most telling, of trained weights in the head that a sentence begins with, whatever was set since, so that
// the reader first meets what was learned.
int suited_query(const State& state, const Inputs& inputs) {
  static constexpr std::string_view kPronouns[] = {"it", "he", "she", "they", "him", "them"};
  if (state.preset != Preset::own || !state.check()) return state.example().query;
  const std::vector<std::string> words = query_words(state), all = as_read(words);
  for (const std::string_view pronoun : kPronouns)
    if (const auto found = std::ranges::find(all, pronoun);
        found - all.begin() > (state.trained ? 1 : 0) && found != all.end())
      return static_cast<int>(found - all.begin());
  if (!state.trained) return telling_row(compute(state, inputs).at(kWeights).values, words);
  return trained::kReader.most_telling(inputs, words, kOwnLayer, kOwnHead).value_or(static_cast<int>(all.size()) / 2);
}

}  // namespace

figure::Normalise normalise_of(const State& state, bool compact) {
  using enum figure::Normalise;
  if (state.colours == Colours::zero_one) return zero_one;
  if (state.colours == Colours::row) return row;
  if (state.colours == Colours::min_max) return min_max;
  // Among many words each gets so little that no colour of a scale up to 1 would tell them apart.
  constexpr int kOnPhone = 9;  // words, from whom on its map has no numbers
  return static_cast<int>(key_words(state).size()) > (compact ? kOnPhone : kMostOnStage) ? row : zero_one;
}

io::Patch suited(const State& before, const State& now, const Inputs& inputs) {
  io::Patch patch;
  const auto word_asking = [](const State& state) {
    const std::vector<std::string> all = as_read(query_words(state));
    return all.empty() ? std::string() : all[static_cast<std::size_t>(query_row(state))];
  };
  if (word_asking(before) != word_asking(now) || before.query == suited_query(before, inputs))
    patch.emplace_back("query", std::to_string(suited_query(now, inputs)));
  return patch;
}

}  // namespace limelight::scenes::spotlight
