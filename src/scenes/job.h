// Work that takes longer than a frame: done in slices, seeded, stoppable, its latest results there to be drawn.
#pragma once

#include <functional>
#include <string>

#include "core/trace.h"

namespace limelight::scenes {

struct JobSnapshot {
  int done = 0;
  int total = 0;
  double seconds = 0;   // spent so far, measured
  std::string unit;     // of what is counted: "draws"
  std::string outcome;  // a sentence that says where its results are to be seen
  std::string again{};  // the button that does it all again; empty where that would give the same, as drawn by a seed
  int revision = 0;     // goes up whenever there are new results to be shown before the end
  Trace results;

  [[nodiscard]] bool finished() const { return done >= total; }
};

struct Job {
  JobSnapshot snapshot;
  std::function<void(JobSnapshot&)> step;  // one more of `total`; short against a frame

  // Works for about `budget_ms` milliseconds, one step at least. False when all is done.
  bool advance(double budget_ms);
};

}  // namespace limelight::scenes
