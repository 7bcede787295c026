// limelight train sentence.
#include "cli/files.h"
#include "cli/learn.h"
#include "cli/sentence.h"
#include "learn/checkpoint.h"
#include "learn/encoder_evaluation.h"
#include "learn/weights.h"

namespace limelight::cli {
namespace {

namespace sentences = learn::sentences;

std::expected<sentences::Training, Failure> begin(const Arguments& arguments) {
  sentences::Settings settings;
  if (const Result<void> checked = check_options(arguments, kSentence, io::walk(settings)); !checked)
    return bad_usage(checked.error());
  if (const Result<void> read = read_settings(arguments, io::walk(settings)); !read) return bad_usage(read.error());
  Result<sentences::Training> training = sentences::start_training(settings);
  if (!training) return bad_usage(training.error());
  return std::move(*training);
}

std::expected<sentences::Training, Failure> resume(const Arguments& arguments, std::string_view path) {
  Result<sentences::Training> training = read_encoder(path);
  if (!training) return bad_data(training.error());
  if (!learn::can_resume(*training))
    return bad_data(std::string(path) + " has weights only; training goes on from what --out wrote.");
  if (const Result<void> read = read_settings(arguments, io::walk(training->settings)); !read)
    return bad_usage(read.error());
  return std::move(*training);
}

}  // namespace

Result<sentences::Training> read_encoder(std::string_view path) {
  const Result<std::vector<std::byte>> bytes = read_file(path, kLargestModel);
  if (!bytes) return std::unexpected(bytes.error());
  return sentences::read_training(*bytes, path);
}

Outcome train_encoder(const Arguments& arguments, const TrainFiles& files) {
  std::expected<sentences::Training, Failure> started =
      files.resume.empty() ? begin(arguments) : resume(arguments, files.resume);
  if (!started) return std::unexpected(started.error());
  sentences::Training& training = *started;
  sentences::Scratch scratch;
  return run_training(files, {.task = training.settings.task,
                              .record = training.record,
                              .steps = training.settings.steps,
                              .weights = learn::count_each(training.weights),
                              .step = [&] { return sentences::train_step(training, scratch); },
                              // Few sentences on the way, all of evaluate's at the end.
                              .look = [&]() -> Result<double> {
                                const bool last = training.record.step >= training.settings.steps;
                                return sentences::evaluate(training, 1, last ? 1000 : 100).words.share();
                              },
                              .checkpoint = [&] { return sentences::write_checkpoint(training); },
                              .half = [&] { return sentences::write_model(training, true); }});
}

}  // namespace limelight::cli
