// limelight train caption.
#include "cli/caption.h"
#include "cli/files.h"
#include "cli/learn.h"
#include "io/utf8.h"
#include "learn/caption_evaluation.h"
#include "learn/checkpoint.h"
#include "learn/weights.h"

namespace limelight::cli {
namespace {

namespace captions = learn::captions;

constexpr int kEvaluated = 1000;

// Of a model that is begun with: its name goes into the metadata, without its folders.
std::string_view file_name(std::string_view path) { return path.substr(path.find_last_of('/') + 1); }

std::expected<captions::Training, Failure> begin(const Arguments& arguments) {
  captions::Settings settings;
  if (const Result<void> checked = check_options(arguments, kCaption, io::walk(settings)); !checked)
    return bad_usage(checked.error());
  const auto from = arguments.find("--from");
  std::optional<captions::Training> model;
  if (from) {
    Result<captions::Training> read = read_captioner(*from);
    if (!read) return bad_data(read.error());
    model = std::move(*read);
    settings.grid = model->settings.grid;
    settings.features = model->settings.features;
    settings.embedding = model->settings.embedding;
    settings.hidden = model->settings.hidden;
    settings.attention_size = model->settings.attention_size;
  }
  if (const Result<void> read = read_settings(arguments, io::walk(settings)); !read) return bad_usage(read.error());
  settings.from = from ? file_name(*from) : "";
  Result<captions::Training> training =
      model ? captions::start_training(settings, *model) : captions::start_training(settings);
  if (!training) return bad_usage(training.error());
  return std::move(*training);
}

std::expected<captions::Training, Failure> resume(const Arguments& arguments, std::string_view path) {
  Result<captions::Training> training = read_captioner(path);
  if (!training) return bad_data(training.error());
  if (!learn::can_resume(*training))
    return bad_data(std::string(path) + " has weights only; training goes on from what --out wrote.");
  if (const Result<void> read = read_settings(arguments, io::walk(training->settings)); !read)
    return bad_usage(read.error());
  return std::move(*training);
}

}  // namespace

Result<captions::Training> read_captioner(std::string_view path) {
  const Result<std::vector<std::byte>> bytes = read_file(path, kLargestModel);
  if (!bytes) return std::unexpected(bytes.error());
  return captions::read_training(*bytes, path);
}

Outcome train_captioner(const Arguments& arguments, const TrainFiles& files) {
  std::expected<captions::Training, Failure> started =
      files.resume.empty() ? begin(arguments) : resume(arguments, files.resume);
  if (!started) return std::unexpected(started.error());
  captions::Training& training = *started;
  captions::Scratch scratch;
  // Few pictures on the way, all of evaluate's at the end: that is what a page says of the model.
  const auto tried = [&] { return training.record.step < training.settings.steps ? 200 : kEvaluated; };
  return run_training(files, {.task = training.settings.task,
                              .record = training.record,
                              .steps = training.settings.steps,
                              .weights = learn::count_each(training.weights),
                              .step = [&] { return captions::train_step(training, scratch); },
                              .look = [&]() -> Result<double> {
                                const captions::Evaluation seen = captions::evaluate(
                                    training, {.count = tried(), .look = captions::look_of(training)});
                                return static_cast<double>(seen.exact) / seen.count;
                              },
                              .checkpoint = [&] { return captions::write_checkpoint(training); },
                              .half = [&] { return captions::write_model(training, true); }});
}

}  // namespace limelight::cli
