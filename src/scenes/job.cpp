#include "scenes/job.h"

#include <algorithm>
#include <chrono>

namespace limelight::scenes {

bool Job::advance(double budget_ms) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  double spent = 0, longest = 0;
  const int revision = snapshot.revision;
  while (!snapshot.finished() && snapshot.revision == revision) {
    const double before = spent;
    step(snapshot);
    spent = std::chrono::duration<double>(Clock::now() - start).count();
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
