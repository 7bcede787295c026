// Trainings that were recorded (limelight record): after so many batches how far the trainer was, and what the model
// wrote. Without weights: who goes on from one of its moments trains up to there once more, from the same seed.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "learn/run.h"
#include "learn/written.h"
#include "scenes/train/train.h"

namespace limelight::scenes::train {

struct RecordedRun {
  std::string_view name;  // in the file
  Subject task;
  bool attention;
  int shown = 0;  // the reading that Other tasks shows
};
inline constexpr RecordedRun kRuns[] = {
    {"reverse", Subject::reverse, true},    {"reverse.without", Subject::reverse, false},
    {"sort", Subject::sort, true},          {"copy", Subject::copy, true, 1},
    {"copy.without", Subject::copy, false}, {"dates", Subject::dates, true, 2}};
State state_of(const RecordedRun& run);

// What the model read at each moment: the scene's first word, held out of each task of letters, and held-out pairs.
inline constexpr int kReadings = 3;
// The state with this input.
State reading_of(State state, int reading);

using learn::Run, learn::Written;

struct Recorded {
  std::vector<Run> runs;                      // one for each of kMoments; without weights
  std::vector<std::vector<Written>> written;  // of each reading, at each of kMoments
};
using Record = std::shared_ptr<const std::vector<Recorded>>;  // as kRuns has them

// To which scores and contexts are rounded in the file, and probabilities.
inline constexpr float kSeenStep = 1.F / 48, kProbabilityStep = 1.F / 512;

// Facts of a moment, in the file.
struct RecordedFact {
  enum : int { loss, first_loss, held_out, look_step, seconds, count };
};

// Its value is a Record.
extern const Resource kRecord;

// Null where the file has not come, or has none with these settings, of which the rate is not one.
std::shared_ptr<const Recorded> recorded_of(const State& state, bool attention, const Inputs& inputs);
// Which of the readings this is; −1: none of them.
int reading_in(const State& state);

// What a model with these weights makes of the state's input.
Written written_by(const learn::Weights& weights, const State& state);

// What the scene computes from; null where that model was not trained.
struct Product {
  std::array<std::shared_ptr<const Run>, 2> runs;
};
const Product* product_of(const Inputs& inputs);

}  // namespace limelight::scenes::train
