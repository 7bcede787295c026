// What the files of a captioner have of their own: the vocabulary and, for going on, the baseline.
#include "learn/caption_training.h"
#include "learn/checkpoint.h"

namespace limelight::learn::captions {
namespace {

const std::string kWords = "words", kBaseline = "baseline";

struct CaptionForm {
  static constexpr std::string_view format = kFormat, called = "a captioner";

  static void describe(const Training& /*training*/, Metadata& metadata) {
    metadata[kWords] = join_words(pictures::vocabulary());
  }

  static Result<void> prepare(const Metadata& metadata, const std::string& name, Training& training) {
    if (!has_words(metadata, kWords, pictures::vocabulary())) return std::unexpected(other_vocabulary(name, kTask));
    const Result<Config> config = make_config(training.settings);
    if (!config) return fail(name + " has unusable metadata. " + config.error().message);
    training.config = *config;
    training.baseline = Matrix::Zero(1, kMostWords);
    return {};
  }

  static void each_kept(auto&& visit, auto& training) { visit(kBaseline, training.baseline); }
};

}  // namespace

std::vector<std::byte> write_model(const Training& training, bool half) {
  return write_weights<CaptionForm>(training, half);
}
std::vector<std::byte> write_checkpoint(const Training& training) { return write_whole<CaptionForm>(training); }
Result<Training> read_training(std::span<const std::byte> bytes, std::string_view name) {
  return read_as<CaptionForm, Training>(bytes, name);
}

}  // namespace limelight::learn::captions
