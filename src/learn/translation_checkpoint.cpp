// What the files of an encoder and decoder have of their own: both vocabularies, and an evaluation by length.
#include <algorithm>
#include <ranges>

#include "io/utf8.h"
#include "learn/checkpoint.h"
#include "learn/training.h"

namespace limelight::learn {
namespace {

const std::string kByLength = "by_length", kSourceWords = "source_words", kTargetWords = "target_words";

// A line of three numbers for each length.
std::string join_scores(const std::vector<LengthScore>& scores) {
  std::string text;
  for (const LengthScore& score : scores)
    text += (text.empty() ? "" : "\n") + std::to_string(score.length) + " " + std::to_string(score.count) + " " +
            std::to_string(score.exact);
  return text;
}

Result<std::vector<LengthScore>> split_scores(std::string_view text) {
  std::vector<LengthScore> scores;
  for (const auto line : std::views::split(text, '\n')) {
    std::vector<int> numbers;
    for (const auto word : std::views::split(std::string_view(line), ' '))
      if (const Result<int> number = io::parse_integer(std::string_view(word))) numbers.push_back(*number);
    if (numbers.size() != 3 || numbers[0] < 1 || numbers[0] > kMostWords || numbers[1] < 1 || numbers[2] < 0 ||
        numbers[2] > numbers[1])
      return fail("by_length has the line " + io::quote(std::string_view(line)) +
                  "; it must be a length, a count and how many of them were right.");
    scores.push_back({numbers[0], numbers[1], numbers[2]});
  }
  return scores;
}

struct TranslationForm {
  static constexpr std::string_view format = kFormat, called = "a model";

  static void describe(const Training& training, Metadata& metadata) {
    if (!training.by_length.empty()) metadata[kByLength] = join_scores(training.by_length);
    metadata[kSourceWords] = join_words(training.task.source);
    metadata[kTargetWords] = join_words(training.task.target);
  }

  static Result<void> prepare(const Metadata& metadata, const std::string& name, Training& training) {
    if (const auto scores = metadata.find(kByLength); scores != metadata.end()) {
      Result<std::vector<LengthScore>> read = split_scores(scores->second);
      if (!read) return fail(name + " has unusable metadata: " + read.error().message);
      training.by_length = std::move(*read);
    }
    Result<Task> task = make_task(training.settings);
    if (!task) return fail(name + " has unusable metadata. " + task.error().message);
    training.task = std::move(*task);
    if (!has_words(metadata, kSourceWords, training.task.source) ||
        !has_words(metadata, kTargetWords, training.task.target))
      return std::unexpected(other_vocabulary(name, training.settings.task));
    training.config = make_config(training.settings, training.task);
    return {};
  }

  static void each_kept(auto&& /*visit*/, auto& /*training*/) {}
};

}  // namespace

std::vector<std::byte> write_model(const Training& training, bool half) {
  return write_weights<TranslationForm>(training, half);
}
std::vector<std::byte> write_checkpoint(const Training& training) { return write_whole<TranslationForm>(training); }
Result<Training> read_training(std::span<const std::byte> bytes, std::string_view name) {
  return read_as<TranslationForm, Training>(bytes, name);
}

}  // namespace limelight::learn
