// The measurement: every way to attend at every size, in slices that are short against a frame.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "scenes/cost/cost.h"

namespace limelight::scenes::cost {

enum class Work {
  draw,    // rows of the inputs
  whole,   // a computation, `calls` times; kParts such slices are a repetition
  start,   // of one that takes several slices: what comes before its rows
  keys,    // linear attention's first half
  rows,    // of the output
  finish,  // its time is the shortest of the repetitions; its output is compared
};
struct Slice {
  Work work = Work::draw;
  int way = 0;
  int size = 0;  // index
  int begin = 0, end = 0;
  int calls = 1;       // between two looks at the clock; of a whole computation as often as makes two milliseconds
  bool counts = true;  // a first repetition warms up
  bool last = true;    // of its repetition
};

// Multiplications of a slice; one or two milliseconds. A row, or one tile of them, may take a few more.
inline constexpr double kSliceProducts = 1.5e7;
inline constexpr int kParts = 2;             // slices that a whole computation's time is the mean of
inline constexpr int kLongestScalar = 2048;  // tokens: it is several times slower
// Tokens · size that no measurement exceeds, so that one tile of rows stays a slice.
inline constexpr int kMostNumbers = 1 << 20;

// Whether the job measures this way at this size.
bool is_measured(const State& state, int way, int size);
std::vector<Slice> plan(const State& state);

std::unique_ptr<Job> measure(const State& state, Clock clock);

}  // namespace limelight::scenes::cost
