// The loop around every training.
#include "cli/train_loop.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <optional>

#include "cli/files.h"
#include "io/json.h"
#include "io/numbers.h"

namespace limelight::cli {
namespace {

// What a training that goes on may be told anew.
constexpr std::string_view kFree[] = {"--out", "--resume", "--half", "--steps", "--rate", "--decay", "--clip"};

constexpr int kLook = 250;   // batches between looks at what is held out
constexpr int kSave = 1000;  // batches between checkpoints

volatile std::sig_atomic_t interrupted = 0;

// Ctrl-C ends the training after its present batch, and saves; once more ends it at once.
class Interruption {
 public:
  Interruption() {
    interrupted = 0;
    for (std::size_t i = 0; i < std::size(kSignals); ++i) before_[i] = std::signal(kSignals[i], note);
  }
  ~Interruption() {
    for (std::size_t i = 0; i < std::size(kSignals); ++i) std::signal(kSignals[i], before_[i]);
  }
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

 private:
  static constexpr int kSignals[] = {SIGINT, SIGTERM};
  static void note(int signal) {
    interrupted = 1;
    std::signal(signal, SIG_DFL);
  }
  void (*before_[std::size(kSignals)])(int) = {};
};

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::string minutes(double seconds) {
  const auto whole = static_cast<long>(std::lround(seconds));
  return std::to_string(whole / 60) + ":" + (whole % 60 < 10 ? "0" : "") + std::to_string(whole % 60);
}

// One line on stderr, from the first batch on: over itself on a terminal, else a new one now and then.
class Progress {
 public:
  Progress(const learn::Record& record, int steps)
      : steps_(steps), first_step_(record.step), first_tokens_(record.tokens) {}

  void show(const learn::Record& record, bool last) {
    const double wait = terminal_ ? 0.2 : 10;
    if (!last && shown_ && seconds_since(*shown_) < wait) return;
    shown_ = Clock::now();
    const double spent = seconds_since(start_);
    const double left = spent / std::max(record.step - first_step_, 1) * (steps_ - record.step);
    const std::string text = "step " + std::to_string(record.step) + " of " + std::to_string(steps_) + " · " +
                             io::format_fixed(rate(record), 0) + " words/s · loss " + io::format_fixed(record.loss, 4) +
                             " · held out " + (record.held_out < 0 ? "?" : io::format_percent(record.held_out)) +
                             " right · " + minutes(left) + " left";
    std::fprintf(stderr, terminal_ ? "\r\033[K%s%s" : "%s%s", text.c_str(), terminal_ && !last ? "" : "\n");
  }
  [[nodiscard]] double rate(const learn::Record& record) const {  // target words in a second
    return (record.tokens - first_tokens_) / std::max(seconds_since(start_), 1e-9);
  }

 private:
  int steps_, first_step_;
  double first_tokens_;
  Clock::time_point start_ = Clock::now();
  std::optional<Clock::time_point> shown_;
  bool terminal_ = isatty(STDERR_FILENO) != 0;
};

Result<void> save(const Trainee& trainee, const TrainFiles& files, bool last) {
  std::vector<Output> outputs = {{std::string(files.out), trainee.checkpoint()}};
  if (last && !files.half.empty()) outputs.push_back({std::string(files.half), trainee.half()});
  return write_files(outputs);
}

Result<void> look(const Trainee& trainee) {
  const Result<double> right = trainee.look();
  if (!right) return std::unexpected(right.error());
  trainee.record.held_out = *right;
  return {};
}

std::string report(const Trainee& trainee, std::string_view out, double rate) {
  io::JsonWriter json;
  json.begin_object()
      .member("task", trainee.task)
      .member("step", trainee.record.step)
      .member("steps", trainee.steps)
      .member("target_words", trainee.record.tokens)
      .member("loss", trainee.record.loss)
      .member("held_out", trainee.record.held_out)
      .member("weights", static_cast<double>(trainee.weights))
      .member("words_per_second", std::round(rate))
      .member("file", out)
      .end_object();
  return json.take() + "\n";
}

}  // namespace

std::expected<TrainFiles, Failure> read_train_files(const Arguments& arguments) {
  const auto from = arguments.find("--resume");
  const TrainFiles files{.resume = from.value_or(std::string_view()),
                         .out = arguments.find("--out").value_or(from.value_or(std::string_view())),
                         .half = arguments.find("--half").value_or(std::string_view())};
  if (files.out.empty())
    return bad_usage("--out is missing; it says where the checkpoint goes: --out FILE.safetensors.");
  if (!files.half.empty() && same_file(files.half, files.out))
    return bad_usage("--half and " + std::string(arguments.find("--out") ? "--out" : "--resume") +
                     " name the same file; give each its own.");
  if (from)
    for (const auto& [option, values] : arguments.values)
      if (std::ranges::find(kFree, option) == std::end(kFree))
        return bad_usage(std::string(option) + " cannot change when a training goes on; leave it out.");
  return files;
}

Outcome run_training(const TrainFiles& files, const Trainee& trainee) {
  for (const std::string_view path : {files.out, files.half})
    if (!path.empty())
      if (const Result<void> writable = check_writable(path); !writable) return bad_data(writable.error());
  const std::string out(files.out);
  const learn::Record& record = trainee.record;
  const Interruption interruption;
  Progress progress(record, trainee.steps);
  while (record.step < trainee.steps && interrupted == 0) {
    if (const Result<void> stepped = trainee.step(); !stepped)
      return bad_data(stepped.error().message + " " + out + " is as it was last saved, if it was.");
    if (record.step % kLook == 0)
      if (const Result<void> looked = look(trainee); !looked) return bad_data(looked.error());
    if (record.step % kSave == 0)
      if (const Result<void> saved = save(trainee, files, false); !saved) return bad_data(saved.error());
    progress.show(record, false);
  }
  const double rate = progress.rate(record);
  // A look that is no multiple of kLook would not be made by a training that goes on past it.
  const bool finished = record.step >= trainee.steps;
  if (finished)
    if (const Result<void> looked = look(trainee); !looked) return bad_data(looked.error());
  progress.show(record, true);
  if (const Result<void> saved = save(trainee, files, true); !saved) return bad_data(saved.error());
  if (!finished)
    std::fprintf(stderr, "Stopped and saved; \"limelight train %s --resume %s\" goes on.\n", trainee.task.c_str(),
                 out.c_str());
  const std::string text = report(trainee, files.out, rate);
  std::fwrite(text.data(), 1, text.size(), stdout);
  return {};
}

}  // namespace limelight::cli
