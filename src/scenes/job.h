// Work that takes longer than a frame: done in slices, seeded, stoppable, its latest results there to be drawn.
#pragma once

#include <any>
#include <functional>
#include <string>

#include "core/trace.h"
#include "io/fields.h"

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
  std::any product{};  // what else its scene computes from; of the scene's own kind, and not changed any more
  bool ended = false;  // there is no use in going on, although it is not all done

  [[nodiscard]] bool finished() const { return ended || done >= total; }
};

struct Job {
  JobSnapshot snapshot;
  std::function<void(JobSnapshot&)> step;  // some work, short against a frame; it counts in `done` what it has done

  // A job that lasts is kept where it stops, and can go on. Others are given up, or leave their snapshot.
  bool lasts = false;
  bool running = true;
  // Of one that lasts: the state has changed in fields that the job goes on through.
  std::function<void(JobSnapshot&, const std::any& state)> heed{};
  // Of one that lasts: brings the snapshot up to what is done, which is not after every step.
  std::function<void(JobSnapshot&)> refresh{};
  // Of one that lasts: gives up what it did since it last was well. What it gives is to be set for it to fare better.
  std::function<io::Patch(JobSnapshot&)> go_back{};

  int shown = 0;  // the revision of what is shown
  // Whether there is something new to be shown.
  [[nodiscard]] bool news() const { return snapshot.finished() || snapshot.revision != shown; }

  // One step at least, and more while one as long as the longest of these still fits into `budget_ms` milliseconds.
  // False when all is done. Ends once there is something new to be shown.
  bool advance(double budget_ms);
};

}  // namespace limelight::scenes
