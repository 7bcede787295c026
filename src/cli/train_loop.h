// What training is on the command line, whatever is trained: its files, its progress, Ctrl-C, and what is printed.
#pragma once

#include <functional>

#include "cli/command.h"
#include "cli/learn.h"
#include "io/fields.h"
#include "learn/checkpoint.h"
#include "learn/settings.h"
#include "learn/weights.h"

namespace limelight::cli {

struct TrainFiles {
  std::string_view resume;  // --resume; empty: from the start
  std::string_view out;     // where checkpoints go
  std::string_view half;    // --half; empty: nowhere
};
// Errors: nowhere to write to, the same file twice, an option that a training that goes on cannot be told anew.
std::expected<TrainFiles, Failure> read_train_files(const Arguments& arguments);

// A training, as it is run. The functions refer to it.
struct Trainee {
  std::string task;
  learn::Record& record;
  int steps = 0;            // in all
  std::size_t weights = 0;  // how many
  std::function<Result<void>()> step;
  std::function<Result<double>()> look;  // the share of what is held out that is right
  std::function<std::vector<std::byte>()> checkpoint, half;
};
Outcome run_training(const TrainFiles& files, const Trainee& trainee);

// What a kind of model trains with, beside train_step, write_checkpoint and write_model.
template <class Training>
struct TrainOf {
  std::expected<Training, Failure> (*begin)(const Arguments&);  // what the options say, from the start
  Result<Training> (*read)(std::span<const std::byte>, std::string_view);
  Result<double> (*look)(const Training&);  // as of Trainee
};

// From what --resume names. Errors: a model of another task, one that cannot go on, an option's value that is none.
template <class Training>
std::expected<Training, Failure> resume(const Arguments& arguments, std::string_view path,
                                        const TrainOf<Training>& of) {
  Result<Training> training = read_model(path, of.read);
  if (!training) return bad_data(training.error());
  const std::string_view task = arguments.subjects.front();
  if (training->settings.task != task)
    return bad_data(std::string(path) + " was trained on " + training->settings.task + "; the task is " +
                    io::quote(task) + ".");
  if (!learn::can_resume(*training))
    return bad_data(std::string(path) + " has weights only; training goes on from what --out wrote.");
  if (const Result<void> read = read_settings(arguments, io::walk(training->settings)); !read)
    return bad_usage(read.error());
  return std::move(*training);
}

// The train command of a kind of model.
template <class Scratch, class Training>
Outcome train(const Arguments& arguments, const TrainOf<Training>& of) {
  const std::expected<TrainFiles, Failure> files = read_train_files(arguments);
  if (!files) return std::unexpected(files.error());
  std::expected<Training, Failure> started =
      files->resume.empty() ? of.begin(arguments) : resume(arguments, files->resume, of);
  if (!started) return std::unexpected(started.error());
  Training& training = *started;
  Scratch scratch;
  return run_training(*files, {.task = training.settings.task,
                               .record = training.record,
                               .steps = training.settings.steps,
                               .weights = learn::count_each(training.weights),
                               .step = [&] { return train_step(training, scratch); },
                               .look = [&] { return of.look(training); },
                               .checkpoint = [&] { return write_checkpoint(training); },
                               .half = [&] { return write_model(training, true); }});
}

}  // namespace limelight::cli
