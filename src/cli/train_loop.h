// What training is on the command line, whatever is trained: its files, its progress, Ctrl-C, and what is printed.
#pragma once

#include <functional>

#include "cli/command.h"
#include "io/fields.h"
#include "learn/settings.h"

namespace limelight::cli {

struct TrainFiles {
  std::string_view resume;  // --resume; empty: from the start
  std::string_view out;     // where checkpoints go
  std::string_view half;    // --half; empty: nowhere
};
// Errors: nowhere to write to, the same file twice, an option that a training that goes on cannot be told anew.
std::expected<TrainFiles, Failure> read_train_files(const Arguments& arguments);

// Errors: an option of another task.
Result<void> check_options(const Arguments& arguments, std::string_view task, const io::Walk& settings);

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

}  // namespace limelight::cli
