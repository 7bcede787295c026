// A training of an encoder and decoder that is watched: in slices that are short against a frame, with looks at what is
// held out, curves of what has come of it, and a way back where it diverges.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>

#include "learn/training.h"

namespace limelight::learn {

inline constexpr int kHeldOut = 200;        // pairs of a look
inline constexpr double kConverged = 0.99;  // of them right, in two looks in succession
inline constexpr double kLowestRate = 1e-4;

// A value over the steps, thinned out where there are very many.
struct Progress {
  std::vector<std::pair<int, double>> points;
  int every = 1;  // steps between two points at least

  void take(int step, double value);
};

struct LengthGroup {
  int from = 0, to = 0;  // lengths
  int pairs = 0, exact = 0;
};

// A training as its latest look and batch left it.
struct Run {
  Weights weights;
  Record record;
  Progress loss, exact;
  std::vector<LengthGroup> groups;  // of the latest look
  double rate = 0;                  // of the latest batch
  double seconds = 0;               // measured
  int good_step = -1;               // what can be gone back to; below 0: nothing
  int look_step = -1;               // of the latest look; below 0: there was none
  bool converged = false;
  bool diverged = false;
  double rose_to = 0;    // the mean loss at which it diverged, not finite where it was none
  double back_rate = 0;  // with which going back goes on
  int from = 0;          // the recorded batch that it is first trained up to once more
};

// A look at what is held out, in slices.
struct Look {
  int slice = 0;
  int count = 0, exact = 0;
  std::map<int, LengthScore> by_length;
};

class Learner {
 public:
  // recorded: a moment up to which it trains once more, as it was recorded; null: from the start. moments: batches that
  // are looked at, beside each fiftieth; they must outlive it.
  Learner(const Settings& settings, std::function<double()> clock, std::shared_ptr<const Run> recorded,
          std::span<const int> moments);
  // What is done of a batch does not count.
  Learner(const Learner& other);
  Learner& operator=(const Learner&) = delete;

  void set_rate(double rate) { rate_ = rate; }
  [[nodiscard]] int steps() const { return run_.record.step; }
  [[nodiscard]] bool ended() const { return run_.converged || run_.diverged; }
  [[nodiscard]] bool looks() const { return looking_.has_value(); }
  [[nodiscard]] const Run& run() const { return run_; }

  // A slice of a batch or of a look. True when there is something new to be shown.
  bool step();
  // Gives the rate with which it is to go on.
  double go_back();
  // The run, with its weights.
  [[nodiscard]] std::shared_ptr<const Run> publish() const { return std::make_shared<Run>(now().run); }

 private:
  // With the weights in it.
  struct Good {
    Adam adam;
    Run run;
  };

  [[nodiscard]] Good now() const;
  bool learn();
  bool look();
  void arrive();
  void confirm();
  [[nodiscard]] double slower() const;

  Training training_;
  std::function<double()> clock_;
  TrainingScratch scratch_;
  Run run_;
  Good good_;                      // the start, at first
  std::optional<Good> candidate_;  // for it, of the last look
  double lowest_ = 1e30;           // of the losses at looks
  std::shared_ptr<const Run> recorded_;
  std::span<const int> moments_;
  double rate_ = 0;  // with which it goes on where the record ends
  std::optional<Look> looking_;
};

}  // namespace limelight::learn
