#include "learn/french_task.h"

#include <algorithm>

#include "io/utf8.h"

namespace limelight::learn::french {
namespace {

std::vector<int> tokens_of(const Vocabulary& vocabulary, std::span<const std::string> words) {
  std::vector<int> tokens;
  for (const std::string& word : words) tokens.push_back(kFirstWord + vocabulary.ids.find(word)->second);
  return tokens;
}

std::optional<Pair> draw_pair(Random& random, Part part, Lengths lengths) {
  if (lengths.least < kFewestWords || lengths.most > kMostWords) return std::nullopt;
  const Options options{.min_words = lengths.least,
                        .max_words = lengths.most,
                        .split = part == Part::training ? Split::training : Split::held_out};
  const Sentence sentence = generate(random, options);
  Pair pair{tokens_of(english_vocabulary(), sentence.source), tokens_of(french_vocabulary(), sentence.target), {}};
  for (const Link& link : sentence.alignment) pair.alignment.emplace_back(link.target, link.source);
  return pair;
}

}  // namespace

Task make_task(std::string_view name, const TaskOptions& options) {
  Task task;
  task.name = name;
  task.source = learn::Vocabulary::of(english_vocabulary().words);
  task.target = learn::Vocabulary::of(french_vocabulary().words);
  task.lengths = options.lengths;
  task.count = [words = task.source.words](std::span<const int> source) {
    return static_cast<int>(std::ranges::count_if(
        source, [&](int token) { return count_words({&words[static_cast<std::size_t>(token)], 1}) == 1; }));
  };
  task.draw = draw_pair;
  task.read = [](std::string_view text) -> Result<std::vector<int>> {
    const Result<Reading> reading = read_english(text);
    if (!reading) return std::unexpected(reading.error());
    if (!reading->unknown.empty())
      return fail(sentence_of(reading->unknown, english_vocabulary().words.size(), "the task french"));
    return tokens_of(english_vocabulary(), reading->tokens);
  };
  task.write = [](std::span<const std::string> words) { return detokenise(words); };
  return task;
}

}  // namespace limelight::learn::french
