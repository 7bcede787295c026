// An encoder as .safetensors: the settings, the record and the vocabulary as metadata, the weights by name; for going
// on, Adam's two means beside them.
#include "io/utf8.h"
#include "learn/encoder_training.h"
#include "learn/tensors.h"

namespace limelight::learn::sentences {
namespace {

constexpr std::string_view kFormat = "limelight sentence encoder 1";
constexpr std::string_view kMean = "adam.mean.", kSquare = "adam.square.";

std::string join_words() {
  std::string text;
  for (const std::string& word : english::vocabulary().words) text += (text.empty() ? "" : "\n") + word;
  return text;
}

io::Safetensors describe(const Training& training) {
  io::Safetensors file;
  file.metadata["format"] = kFormat;
  put_fields(io::walk(training.settings), file.metadata);
  put_fields(io::walk(training.record), file.metadata);
  file.metadata["words"] = join_words();
  put_weights(training.weights, {}, file);
  return file;
}

Result<void> take_optimiser(io::Safetensors& file, const std::string& name, Training& training) {
  if (Result<void> read = take_weights(file, kMean, name, training.adam.mean); !read) return read;
  if (Result<void> read = take_weights(file, kSquare, name, training.adam.square); !read) return read;
  const Result<int> count = io::parse_integer(file.metadata["adam_steps"]);
  if (!count || *count != training.record.step)
    return fail(name + " has unusable metadata: adam_steps must be the step, " + std::to_string(training.record.step) +
                ".");
  training.adam.steps = *count;
  return {};
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

bool is_encoder(const io::Safetensors& file) {
  const auto format = file.metadata.find("format");
  return format != file.metadata.end() && format->second == kFormat;
}

bool can_resume(const Training& training) { return training.adam.steps == training.record.step; }

Result<Training> read_training(std::span<const std::byte> bytes, std::string_view file_name) {
  const std::string name(file_name);
  Result<io::Safetensors> file = io::read_safetensors(bytes, name);
  if (!file) return std::unexpected(file.error());
  if (!is_encoder(*file))
    return fail(name + " is not an encoder of Limelight; its metadata must have the format " + io::quote(kFormat) +
                ".");
  Training training;
  if (const Result<void> read = take_fields(io::walk(training.settings), file->metadata, name); !read)
    return std::unexpected(read.error());
  if (const Result<void> read = take_fields(io::walk(training.record), file->metadata, name); !read)
    return std::unexpected(read.error());
  if (file->metadata["words"] != join_words())
    return fail(name + " was trained with another vocabulary than that of the task sentence; train it again.");
  const Result<Config> config = make_config(training.settings);
  if (!config) return fail(name + " has unusable metadata. " + config.error().message);
  training.config = *config;
  training.weights = make_weights<float>(training.config);
  training.adam = make_adam(training.config);
  if (const Result<void> read = take_weights(*file, {}, name, training.weights); !read)
    return std::unexpected(read.error());
  if (file->metadata.contains("adam_steps"))
    if (const Result<void> read = take_optimiser(*file, name, training); !read) return std::unexpected(read.error());
  if (!file->tensors.empty())
    return fail(name + " has a tensor " + io::quote(file->tensors.begin()->first) +
                ", which no part of the model is called.");
  return training;
}

}  // namespace limelight::learn::sentences
