// limelight train: a model from a seed, or on from a checkpoint.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <optional>

#include "cli/files.h"
#include "cli/learn.h"
#include "io/json.h"
#include "io/numbers.h"
#include "learn/evaluation.h"

namespace limelight::cli {
namespace {

constexpr Option kOptions[] = {
    {"--out", "FILE", "Where the checkpoint goes, a .safetensors file. Default with --resume: that file."},
    {"--resume", "FILE", "Goes on from a checkpoint as if it had never stopped."},
    {"--half", "FILE", "Where the weights alone go at the end, in half precision, for reading."},
    {"--steps", "N", "Batches in all, with those before --resume. Default: 3000."},
    {"--seed", "N", "Of the first weights and of all batches. Default: 1."},
    {"--batch", "N", "Pairs in a batch. Default: 32."},
    {"--rate", "X", "Of Adam. Default: 0.003."},
    {"--decay", "on|off", "On: the rate falls evenly, to 0 after the last step. Default: off."},
    {"--clip", "X", "The longest that all gradients together may be. Default: 1."},
    {"--embedding", "N", "Numbers for a word. Default: 32."},
    {"--hidden", "N", "Numbers in each recurrent state. Default: 64."},
    {"--attention-size", "N", "Numbers in attention's hidden layer. Default: 64."},
    {"--attention", "on|off", "Off: the decoder gets one fixed vector of the source. Default: on."},
    {"--score", "NAME", "additive, general or dot. Default: additive."},
    {"--symbols", "N", "Different letters of copy, reverse and sort. Default: 26."},
    {"--min-words", "N", "Of the shortest source. Default: the task's."},
    {"--max-words", "N", "Of the longest source. Default: the task's."},
};

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

// One line on stderr: over itself on a terminal, else a new one now and then.
class Progress {
 public:
  Progress(int first_step, double first_tokens) : first_step_(first_step), first_tokens_(first_tokens) {}

  void show(const learn::Training& training, bool last) {
    const double wait = terminal_ ? 0.2 : 10;
    if (!last && seconds_since(shown_) < wait) return;
    shown_ = Clock::now();
    const learn::Record& record = training.record;
    const double spent = seconds_since(start_);
    const double left = spent / std::max(record.step - first_step_, 1) * (training.settings.steps - record.step);
    const std::string text =
        "step " + std::to_string(record.step) + " of " + std::to_string(training.settings.steps) + " · " +
        io::format_fixed(rate(record), 0) + " words/s · loss " + io::format_fixed(record.loss, 4) + " · held out " +
        (record.held_out < 0 ? "?" : io::format_percent(record.held_out)) + " right · " + minutes(left) + " left";
    std::fprintf(stderr, terminal_ ? "\r\033[K%s%s" : "%s%s", text.c_str(), terminal_ && !last ? "" : "\n");
  }
  [[nodiscard]] double rate(const learn::Record& record) const {  // target words in a second
    return (record.tokens - first_tokens_) / std::max(seconds_since(start_), 1e-9);
  }

 private:
  int first_step_;
  double first_tokens_;
  Clock::time_point start_ = Clock::now(), shown_ = start_;
  bool terminal_ = isatty(STDERR_FILENO) != 0;
};

Result<learn::Training> begin(const Arguments& arguments) {
  learn::Settings settings;
  settings.task = arguments.subjects.front();
  const Result<const learn::TaskDef*> task = read_task(arguments);
  if (!task) return std::unexpected(task.error());
  settings.min_words = (*task)->lengths.least;
  settings.max_words = (*task)->lengths.most;
  if (const Result<void> read = read_settings(arguments, settings); !read) return std::unexpected(read.error());
  return learn::start_training(settings);
}

Result<learn::Training> resume(const Arguments& arguments, std::string_view path) {
  Result<learn::Training> training = read_model(path);
  if (!training) return training;
  const std::string_view task = arguments.subjects.front();
  if (training->settings.task != task)
    return fail(std::string(path) + " was trained on " + training->settings.task + "; the task is " + io::quote(task) +
                ".");
  if (!learn::can_resume(*training))
    return fail(std::string(path) + " has weights only; training goes on from what --out wrote.");
  if (const Result<void> read = read_settings(arguments, training->settings); !read)
    return std::unexpected(read.error());
  return training;
}

Result<void> save(const learn::Training& training, std::string_view out, std::string_view half, bool last) {
  std::vector<Output> outputs = {{std::string(out), learn::write_checkpoint(training)}};
  if (last && !half.empty()) outputs.push_back({std::string(half), learn::write_model(training, true)});
  return write_files(outputs);
}

Result<void> look(learn::Training& training) {
  const Result<learn::Evaluation> seen = learn::evaluate(training, {});
  if (!seen) return std::unexpected(seen.error());
  training.record.held_out = static_cast<double>(seen->exact) / seen->count;
  return {};
}

std::string report(const learn::Training& training, std::string_view out, double rate) {
  io::JsonWriter json;
  json.begin_object()
      .member("task", training.settings.task)
      .member("step", training.record.step)
      .member("steps", training.settings.steps)
      .member("target_words", training.record.tokens)
      .member("loss", training.record.loss)
      .member("held_out", training.record.held_out)
      .member("weights", static_cast<double>(learn::count_weights(training.weights)))
      .member("words_per_second", std::round(rate))
      .member("file", out)
      .end_object();
  return json.take() + "\n";
}

Outcome run(const Arguments& arguments) {
  const auto from = arguments.find("--resume");
  const std::string_view out = arguments.find("--out").value_or(from.value_or(std::string_view()));
  const std::string_view half = arguments.find("--half").value_or(std::string_view());
  if (out.empty()) return bad_usage("--out is missing; it says where the checkpoint goes: --out FILE.safetensors.");
  if (!half.empty() && same_file(half, out))
    return bad_usage("--half and " + std::string(arguments.find("--out") ? "--out" : "--resume") +
                     " name the same file; give each its own.");
  if (from)
    for (const auto& [option, values] : arguments.values)
      if (std::ranges::find(kFree, option) == std::end(kFree))
        return bad_usage(std::string(option) + " cannot change when a training goes on; leave it out.");
  Result<learn::Training> started = from ? resume(arguments, *from) : begin(arguments);
  if (!started) return from ? bad_data(started.error()) : bad_usage(started.error());
  for (const std::string_view path : {out, half})
    if (!path.empty())
      if (const Result<void> writable = check_writable(path); !writable) return bad_data(writable.error());
  learn::Training& training = *started;

  const Interruption interruption;
  learn::TrainingScratch scratch;
  Progress progress(training.record.step, training.record.tokens);
  while (training.record.step < training.settings.steps && interrupted == 0) {
    if (const Result<void> stepped = learn::train_step(training, scratch); !stepped)
      return bad_data(stepped.error().message + " " + std::string(out) + " is as it was last saved, if it was.");
    if (training.record.step % kLook == 0)
      if (const Result<void> looked = look(training); !looked) return bad_data(looked.error());
    if (training.record.step % kSave == 0)
      if (const Result<void> saved = save(training, out, half, false); !saved) return bad_data(saved.error());
    progress.show(training, false);
  }
  const double rate = progress.rate(training.record);
  // A look that is no multiple of kLook would not be made by a training that goes on past it.
  const bool finished = training.record.step >= training.settings.steps;
  if (finished)
    if (const Result<void> looked = look(training); !looked) return bad_data(looked.error());
  progress.show(training, true);
  if (const Result<void> saved = save(training, out, half, true); !saved) return bad_data(saved.error());
  if (!finished)
    std::fprintf(stderr, "Stopped and saved; \"limelight train %s --resume %s\" goes on.\n",
                 training.settings.task.c_str(), std::string(out).c_str());
  const std::string text = report(training, out, rate);
  std::fwrite(text.data(), 1, text.size(), stdout);
  return {};
}

}  // namespace

const Command train_command{
    .name = "train",
    .summary = "Trains a recurrent encoder and decoder with additive attention, or without.",
    .synopsis = "TASK --out FILE [OPTION …]",
    .details =
        "TASK is copy, reverse, sort (letters), dates (to 1998-03-12) or french (English sentences). A tenth of all\n"
        "sources is held out; of french, a tenth of all sentence patterns.\n"
        "A bidirectional GRU reads the source; e = v · tanh(s W + h U), softmax, Σ a h (Bahdanau et al. 2015); other\n"
        "scores are those of Luong et al. 2015.\n"
        "Adam (Kingma & Ba 2015). Progress goes to stderr; every 250 steps 200 held-out pairs are tried.\n"
        "Ctrl-C saves, and --resume goes on to the same digits. A checkpoint is written every 1000 steps, too.\n"
        "Prints {task, step, steps, target_words, loss, held_out, weights, words_per_second, file}; loss is the "
        "running\n"
        "mean of the cross-entropy in nats per word, held_out the share of pairs that were right in every word.\n",
    .subject = "TASK",
    .options = kOptions,
    .run = run,
};

}  // namespace limelight::cli
