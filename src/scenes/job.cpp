#include "scenes/job.h"

#include <algorithm>
#include <chrono>

namespace limelight::scenes {

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

bool Job::advance(double budget_ms) {
  const double start = steady_seconds();
  double spent = 0, longest = 0;
  const int revision = snapshot.revision;
  while (!snapshot.finished() && snapshot.revision == revision) {
    const double before = spent;
    step(snapshot);
    spent = steady_seconds() - start;
    longest = std::max(longest, spent - before);
    if ((spent + longest) * 1000 > budget_ms) break;
  }
  snapshot.seconds += spent;
  return !snapshot.finished();
}

void Job::rest() {
  running = false;
  if (refresh) refresh(snapshot);
}

}  // namespace limelight::scenes
