#include "scenes/job.h"

#include <chrono>

namespace limelight::scenes {

bool Job::advance(double budget_ms) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  double spent = 0;
  while (!snapshot.finished() && spent * 1000 < budget_ms) {
    step(snapshot);
    spent = std::chrono::duration<double>(Clock::now() - start).count();
  }
  snapshot.seconds += spent;
  return !snapshot.finished();
}

}  // namespace limelight::scenes
