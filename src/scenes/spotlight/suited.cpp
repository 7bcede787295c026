// What follows a reader's sentence until the reader sets it otherwise: who asks in it, and the colours of its map.
#include <algorithm>

#include "io/utf8.h"
#include "scenes/common/sentence.h"
#include "scenes/spotlight/parts.h"

namespace limelight::scenes::spotlight {
namespace {

constexpr std::size_t kShort = 3;  // letters, as articles and most prepositions have

// “it”, else another pronoun, with words before it, since it has to look for what it stands for; else of trained
// weights the word with the most telling one on another word, so that the reader first meets what was learned; else the
// first word from the middle on that is no short one such as “the” or “a”.
int suited_query(const State& state, const Inputs& inputs) {
  static constexpr std::string_view kPronouns[] = {"it", "he", "she", "they", "him", "them"};
  if (state.preset != Preset::own) return state.example().query;
  const std::vector<std::string> words = query_words(state), all = as_read(words);
  // Between [START] and the full stop that the encoder reads, too.
  const int first = state.trained ? 1 : 0;
  for (const std::string_view pronoun : kPronouns)
    if (const auto found = std::ranges::find(all, pronoun); found - all.begin() > first && found != all.end())
      return static_cast<int>(found - all.begin());
  const int last = static_cast<int>(all.size()) - (!all.empty() && all.back() == "." ? 2 : 1);
  // In the head that a sentence begins with, whatever was set since.
  const std::optional<int> telling =
      state.trained ? trained::kReader.most_telling(inputs, words, kOwnLayer, kOwnHead) : std::nullopt;
  if (telling) return *telling;
  const int middle = std::max((first + last + 1) / 2, 0);
  for (int word = middle; word <= last; ++word)
    if (io::decode_utf8(all[static_cast<std::size_t>(word)]).size() > kShort) return word;
  return middle;
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
