// What the files of an encoder have of their own: the vocabulary.
#include "learn/checkpoint.h"
#include "learn/encoder_training.h"

namespace limelight::learn::sentences {
namespace {

const std::string kWords = "words";

struct EncoderForm {
  static constexpr std::string_view format = kFormat, called = "an encoder";

  static void describe(const Training& /*training*/, Metadata& metadata) {
    metadata[kWords] = join_words(english::vocabulary());
  }

  static Result<void> prepare(const Metadata& metadata, const std::string& name, Training& training) {
    if (!has_words(metadata, kWords, english::vocabulary())) return std::unexpected(other_vocabulary(name, kTask));
    const Result<Config> config = make_config(training.settings);
    if (!config) return fail(name + " has unusable metadata. " + config.error().message);
    training.config = *config;
    return {};
  }

  static void each_kept(auto&& /*visit*/, auto& /*training*/) {}
};

}  // namespace

std::vector<std::byte> write_model(const Training& training, bool half) {
  return write_weights<EncoderForm>(training, half);
}
std::vector<std::byte> write_checkpoint(const Training& training) { return write_whole<EncoderForm>(training); }
Result<Training> read_training(std::span<const std::byte> bytes, std::string_view name) {
  return read_as<EncoderForm, Training>(bytes, name);
}

}  // namespace limelight::learn::sentences
