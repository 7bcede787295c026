// The step Other tasks: the recorded trainings side by side, all at one moment.
#include <algorithm>

#include "figure/panels.h"
#include "scenes/common/missing.h"
#include "scenes/common/parts.h"
#include "scenes/common/words.h"
#include "scenes/train/record.h"
#include "scenes/train/steps.h"

namespace limelight::scenes::train {

using namespace figure;

namespace {

const Tensor& weights_of(const Trace& trace, Subject task) { return trace.at("task_" + std::string(name_of(task))); }

std::vector<Subject> tasks_in(const Trace& trace) {
  std::vector<Subject> tasks;
  for (const RecordedRun& run : kRuns)
    if (trace.find("task_" + std::string(run.name)) != nullptr) tasks.push_back(run.task);
  return tasks;
}

// The letter that looks most at its like in what is read, and is told; −1: there is none.
int surest(const Tensor& weights) {
  float best = 0;
  int surest = -1;
  for (int i = 0; i < weights.rows(); ++i) {
    const int most = largest_in(weights.values, i);
    const std::string& letter = label_of(weights.row_labels, i);
    if (weights.values(i, most) > best && !is_control(letter) && label_of(weights.column_labels, most) == letter)
      best = weights.values(i, most), surest = i;
  }
  return surest;
}

// How much of a letter's light its brightest beam has, on average.
float gathered(const Trace& trace, Subject task) { return weights_of(trace, task).values.rowwise().maxCoeff().mean(); }

// Whose light alone is seen: the letter's that is pointed at, or while they are written one after the other's, at last
// the one that is told; −1: all.
int lit_letter(const Drawing& d, const Tensor& weights) {
  constexpr float kAll = 0.8F;  // of the time
  if (const int row = pointed_letter(d).row; row >= 0) return std::min(row, weights.rows() - 1);
  if (d.view.t == 1) return -1;
  return d.view.t < kAll ? static_cast<int>(d.view.t / kAll * static_cast<float>(weights.rows())) : surest(weights);
}

}  // namespace

float draw_tasks(Drawing& d, float y, float bottom) {
  const std::vector<Subject> tasks = tasks_in(d.trace);
  if (tasks.empty()) return add_missing(d, d.view.missing.value_or(Missing{.label = "The record of a training"}), y);
  const float m = d.margin(), gap = d.narrow() ? 8 : 14;
  constexpr int across = 2;
  const int down = (static_cast<int>(tasks.size()) + across - 1) / across;
  const float room = d.narrow() ? 0 : bottom - y;
  const float wide = (d.inner() - gap * static_cast<float>(across - 1)) / static_cast<float>(across),
              high = d.narrow() ? 190.F : std::max(room / static_cast<float>(down) - gap, 150.F);
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const auto column = static_cast<float>(static_cast<int>(i) % across),
               line = static_cast<float>(static_cast<int>(i) / across);
    const std::string name(name_of(tasks[i])), tensor = "task_" + name;
    const Tensor& weights = weights_of(d.trace, tasks[i]);
    // In a narrow view the two of a line share it by their letters, so that all have room.
    const auto letters = [&](std::size_t task) {
      return static_cast<float>(weights_of(d.trace, tasks[task]).columns());
    };
    const float share = letters(i) / (letters(i) + letters(std::min(i ^ 1, tasks.size() - 1))),
                own = d.narrow() ? 2 * wide * share : wide;
    const Rect area{column > 0 ? m + d.inner() - own : m, y + (high + gap) * line, own, high};
    const Night night{.id = tasks[i] == d.state.task ? "night" : tensor,
                      .area = area,
                      .source = weights.column_labels,
                      .written = weights.row_labels,
                      .weights = weights.name,
                      .right = d.trace.at("right_" + name).name,
                      .reads = kSubjects[static_cast<int>(tasks[i])].label,
                      .writes = "",
                      .query = lit_letter(d, weights),
                      .share = kDrawn};
    d.narrow() ? add_night(d, night) : add_night_told(d, night);
    if (tasks[i] == d.state.task)
      add_box(d, "chosen", area, {.stroke = palette(night_theme(d.view)).lamp, .stroke_width = 2, .radius = 12});
  }
  return y + (high + gap) * static_cast<float>(down);
}

std::string tell_tasks(const Told& t) {
  const std::vector<Subject> tasks = tasks_in(t.trace);
  if (tasks.empty()) return "The record of the trainings is not here; each task can be trained all the same.";
  const auto right = std::ranges::count_if(
      tasks, [&](Subject task) { return t.trace.at("right_" + std::string(name_of(task))).values.minCoeff() > 0; });
  const std::string so_far = "Four models, a task each, after " + bold(batches(kMoments[t.state.moment])) + ": " +
                             bold(std::to_string(right) + " of " + std::to_string(tasks.size())) + " are right";
  if (right < std::ssize(tasks) && t.state.moment < kLastMoment)
    return so_far + " so far. " + hint("One step back the film leads on, to the end.");
  std::vector<std::string> looks;
  for (const Subject task : tasks) {
    const std::string name(name_of(task));
    const Tensor& weights = weights_of(t.trace, task);
    if (const int row = surest(weights); row >= 0)
      looks.push_back(
          name + " its " +
          pointing(quoted(label_of(weights.row_labels, row)), cell_id({"right_" + name, 0, row}), MeansA::weight));
  }
  const auto share = [&](Subject task) { return bold(percent(static_cast<double>(gathered(t.trace, task)))); };
  return so_far + ". A letter looks for where **it is read**, as in " + io::all_of(looks) +
         ". **The task makes the pattern:** sort must compare, so its brightest beam has " + share(Subject::sort) +
         " on average, that of reverse " + share(Subject::reverse) + ".";
}

}  // namespace limelight::scenes::train
