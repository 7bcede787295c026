// Work that takes longer than a frame: done in slices, seeded, stoppable, its latest results there to be drawn.
#pragma once

#include <any>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "core/trace.h"
#include "io/fields.h"

namespace limelight::scenes {

// Seconds of a clock that only goes forward.
using Clock = std::function<double()>;
double steady_seconds();

struct JobSnapshot {
  int done = 0;
  int total = 0;
  double seconds = 0;   // spent so far, measured
  std::string unit;     // of what is counted: "draws"
  std::string outcome;  // a sentence that says where its results are to be seen
  int revision = 0;     // goes up whenever there are new results to be shown before the end
  Trace results;
  std::any product{};  // what else its scene computes from; of the scene's own kind, and not changed any more
  bool ended = false;  // there is no use in going on, although it is not all done

  [[nodiscard]] bool finished() const { return ended || done >= total; }
};

struct Job {
  JobSnapshot snapshot;
  std::function<void(JobSnapshot&)> step;  // some work, short against a frame; it counts in `done` what it has done

  // What it makes is worth keeping: it stays with a scene that is left, comes back by undo, and rests while nobody
  // looks. What others make comes out the same again.
  bool lasts = false;
  bool running = true;
  io::Patch seen_by{};  // what is to be set for what it does to be seen, whenever it is made to go on
  // The state has changed in fields that the job goes on through.
  std::function<void(JobSnapshot&, const std::any& state)> heed{};
  // Brings the snapshot up to what is done, which is not after every step.
  std::function<void(JobSnapshot&)> refresh{};
  // Another one, as this one last was well, and what is to be set for it to fare better.
  std::function<std::pair<std::unique_ptr<Job>, io::Patch>(const JobSnapshot&)> go_back{};

  int shown = 0;  // the revision of what is shown
  // Whether there is something new to be shown.
  [[nodiscard]] bool news() const { return snapshot.finished() || snapshot.revision != shown; }

  // One step at least, and more while one as long as the longest of these still fits into `budget_ms` milliseconds.
  // False when all is done. Ends once there is something new to be shown.
  bool advance(double budget_ms);
  // Stops working, and shows all that is done.
  void rest();
};

}  // namespace limelight::scenes
