// The training as a job that lasts: batch by batch, with looks at what is held out in between. The models with and
// without attention are both kept; the state says which of them goes on.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "learn/evaluation.h"
#include "scenes/train/train.h"

namespace limelight::scenes::train {

// A value over the steps, thinned out where there are very many.
struct Progress {
  std::vector<std::pair<int, double>> points;
  int every = 1;  // steps between two points at least

  void take(int step, double value);
};

struct Group {
  int from = 0, to = 0;  // lengths
  int pairs = 0, exact = 0;
};

// A training as its latest look and batch left it.
struct Run {
  learn::Weights weights;
  learn::Record record;
  Progress loss, exact;
  std::vector<Group> groups;  // of the latest look
  double rate = 0;            // of the latest batch
  double seconds = 0;         // measured
  int good_step = -1;         // what can be gone back to; below 0: nothing
  int look_step = -1;         // of the latest look; below 0: there was none
  bool converged = false;
  bool diverged = false;
  double rose_to = 0;    // the mean loss at which it diverged, not finite where it was none
  double back_rate = 0;  // with which going back goes on
};

// What the scene computes from; null where that model was not trained.
struct Product {
  std::array<std::shared_ptr<const Run>, 2> runs;
};
const Product* product_of(const Inputs& inputs);

inline constexpr int kLookEvery = 50;       // batches
inline constexpr int kHeldOut = 200;        // pairs of a look
inline constexpr double kConverged = 0.99;  // of them right, in two looks in succession

}  // namespace limelight::scenes::train
