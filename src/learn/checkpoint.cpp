#include "learn/checkpoint.h"

#include "io/utf8.h"

namespace limelight::learn {

std::string join_words(const Vocabulary& vocabulary) {
  std::string text;
  for (const std::string& word : vocabulary.words) text += (text.empty() ? "" : "\n") + word;
  return text;
}

bool has_words(const Metadata& metadata, const std::string& key, const Vocabulary& vocabulary) {
  const auto found = metadata.find(key);
  return found != metadata.end() && found->second == join_words(vocabulary);
}

Error other_vocabulary(const std::string& name, std::string_view task) {
  return {name + " was trained with another vocabulary than that of the task " + std::string(task) +
          "; train it again."};
}

bool has_format(const io::Safetensors& file, std::string_view format) {
  const auto found = file.metadata.find("format");
  return found != file.metadata.end() && found->second == format;
}

Result<io::Safetensors> open_checkpoint(std::span<const std::byte> bytes, const std::string& name,
                                        std::string_view format, std::string_view called) {
  Result<io::Safetensors> file = io::read_safetensors(bytes, name);
  if (!file) return file;
  if (!has_format(*file, format))
    return fail(name + " is not " + std::string(called) + " of Limelight; its metadata must have the format " +
                io::quote(format) + ".");
  return file;
}

Result<int> read_adam_steps(const Metadata& metadata, const std::string& name, int recorded) {
  const Result<int> steps = io::parse_integer(metadata.at(std::string(kAdamSteps)));
  if (steps && *steps == recorded) return steps;
  return fail(name + " has unusable metadata: " + std::string(kAdamSteps) + " must be the step, " +
              std::to_string(recorded) + ".");
}

Result<void> check_all_taken(const io::Safetensors& file, const std::string& name) {
  if (file.tensors.empty()) return {};
  return fail(name + " has a tensor " + io::quote(file.tensors.begin()->first) +
              ", which no part of the model is called.");
}

}  // namespace limelight::learn
