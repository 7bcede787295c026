// Training as .safetensors: the settings, the record and both vocabularies as metadata, the weights by name; for going
// on, Adam's two means beside them.
#include <algorithm>
#include <ranges>

#include "io/utf8.h"
#include "learn/tensors.h"
#include "learn/training.h"

namespace limelight::learn {
namespace {

constexpr std::string_view kFormat = "limelight encoder-decoder 1";
constexpr std::string_view kMean = "adam.mean.", kSquare = "adam.square.";

std::string join_lines(const Vocabulary& vocabulary) {
  std::string text;
  for (const std::string& word : vocabulary.words) text += (text.empty() ? "" : "\n") + word;
  return text;
}

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

io::Safetensors describe(const Training& training) {
  io::Safetensors file;
  file.metadata["format"] = kFormat;
  put_fields(io::walk(training.settings), file.metadata);
  put_fields(io::walk(training.record), file.metadata);
  if (!training.by_length.empty()) file.metadata["by_length"] = join_scores(training.by_length);
  file.metadata["source_words"] = join_lines(training.task.source);
  file.metadata["target_words"] = join_lines(training.task.target);
  put_weights(training.weights, {}, file);
  return file;
}

}  // namespace

std::vector<std::byte> write_model(const Training& training, bool half) {
  return io::write_safetensors(describe(training), half ? io::Precision::short_half : io::Precision::single);
}

std::vector<std::byte> write_checkpoint(const Training& training) {
  io::Safetensors file = describe(training);
  file.metadata["adam_steps"] = std::to_string(training.adam.steps);
  put_weights(training.adam.mean, kMean, file);
  put_weights(training.adam.square, kSquare, file);
  return io::write_safetensors(file);
}

bool can_resume(const Training& training) { return training.adam.steps == training.record.step; }

Result<Training> read_training(std::span<const std::byte> bytes, std::string_view name) {
  const std::string file_name(name);
  Result<io::Safetensors> file = io::read_safetensors(bytes, name);
  if (!file) return std::unexpected(file.error());
  if (const auto format = file->metadata.find("format"); format == file->metadata.end() || format->second != kFormat)
    return fail(file_name + " is not a model of Limelight; its metadata must have the format " + io::quote(kFormat) +
                ".");
  Training training;
  if (const Result<void> read = take_fields(io::walk(training.settings), file->metadata, file_name); !read)
    return std::unexpected(read.error());
  if (const Result<void> read = take_fields(io::walk(training.record), file->metadata, file_name); !read)
    return std::unexpected(read.error());
  if (const auto scores = file->metadata.find("by_length"); scores != file->metadata.end()) {
    Result<std::vector<LengthScore>> read = split_scores(scores->second);
    if (!read) return fail(file_name + " has unusable metadata: " + read.error().message);
    training.by_length = std::move(*read);
  }
  Result<Task> task = make_task(training.settings);
  if (!task) return fail(file_name + " has unusable metadata. " + task.error().message);
  training.task = std::move(*task);
  if (file->metadata["source_words"] != join_lines(training.task.source) ||
      file->metadata["target_words"] != join_lines(training.task.target))
    return fail(file_name + " was trained with another vocabulary than that of the task " + training.settings.task +
                "; train it again.");
  training.config = make_config(training.settings, training.task);
  training.weights = make_weights<float>(training.config);
  if (const Result<void> read = take_weights(*file, {}, file_name, training.weights); !read)
    return std::unexpected(read.error());
  training.adam = make_adam(training.config);
  if (const auto steps = file->metadata.find("adam_steps"); steps != file->metadata.end()) {
    for (const auto& [prefix, weights] :
         {std::pair(kMean, &training.adam.mean), std::pair(kSquare, &training.adam.square)})
      if (const Result<void> read = take_weights(*file, prefix, file_name, *weights); !read)
        return std::unexpected(read.error());
    const Result<int> count = io::parse_integer(steps->second);
    if (!count || *count != training.record.step)
      return fail(file_name + " has unusable metadata: adam_steps must be the step, " +
                  std::to_string(training.record.step) + ".");
    training.adam.steps = *count;
  }
  if (!file->tensors.empty())
    return fail(file_name + " has a tensor " + io::quote(file->tensors.begin()->first) +
                ", which no part of the model is called.");
  return training;
}

}  // namespace limelight::learn
