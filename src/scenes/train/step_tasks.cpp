// The step Other tasks: the recorded trainings side by side, all at one moment.
#include <algorithm>

#include "figure/panels.h"
#include "scenes/common/missing.h"
#include "scenes/common/words.h"
#include "scenes/train/record.h"
#include "scenes/train/steps.h"

namespace limelight::scenes::train {

using namespace figure;

namespace {

std::vector<Subject> tasks_in(const Trace& trace) {
  std::vector<Subject> tasks;
  for (const RecordedRun& run : kRuns)
    if (trace.find("task_" + std::string(run.name)) != nullptr) tasks.push_back(run.task);
  return tasks;
}

}  // namespace

float draw_tasks(Drawing& d, float y, float bottom) {
  const std::vector<Subject> tasks = tasks_in(d.trace);
  if (tasks.empty()) {
    const Missing nothing{.label = "The record of a training"};
    return add_missing(d, d.view.missing.value_or(nothing), y);
  }
  const float m = d.margin(), gap = 14, strip = d.narrow() ? 46 : d.low() ? 0 : 104;
  const int across = d.narrow() ? 1 : 2, down = (static_cast<int>(tasks.size()) + across - 1) / across;
  if (d.narrow()) y = add_film(d, {m, y, d.inner(), strip}) + 10;
  const float room = d.narrow() ? 0 : bottom - y - strip - gap;
  const float wide = (d.inner() - gap * static_cast<float>(across - 1)) / static_cast<float>(across),
              high = d.narrow() ? 196.F : std::max(room / static_cast<float>(down) - gap, 150.F);
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const auto column = static_cast<float>(static_cast<int>(i) % across),
               line = static_cast<float>(static_cast<int>(i) / across);
    const std::string name(name_of(tasks[i])), tensor = "task_" + name;
    const Tensor& weights = d.trace.at(tensor);
    const Rect area{m + (wide + gap) * column, y + (high + gap) * line, wide, high};
    add_night(d, {.id = tensor,
                  .area = area,
                  .source = weights.column_labels,
                  .written = weights.row_labels,
                  .weights = weights.name,
                  .right = d.trace.at("right_" + name).name,
                  .reads = kSubjects[static_cast<int>(tasks[i])].label,
                  .writes = ""});
    if (tasks[i] == d.state.task)
      d.figure.add({.id = "chosen",
                    .rect = area,
                    .shape = Rectangle{.stroke = palette(night_theme(d.view)).lamp, .stroke_width = 2, .radius = 12}});
    d.figure.add({.id = "choose." + name,
                  .role = Role::button,
                  .rect = {area.x, area.y, area.w, 30},
                  .label = "The task " + name + ", in all steps",
                  .edit = Edit{.field = "task", .value = name},
                  .shape = Rectangle{}});
    mark_furniture(d.figure, d.figure.elements.size() - 1);
  }
  y += (high + gap) * static_cast<float>(down);
  return d.narrow() || strip == 0 ? y : add_film(d, {m, y, d.inner(), strip});
}

std::string tell_tasks(const Told& t) {
  const std::vector<Subject> tasks = tasks_in(t.trace);
  if (tasks.empty()) return "The record of the trainings is not here; each task can be trained all the same.";
  const auto right = std::ranges::count_if(
      tasks, [&](Subject task) { return t.trace.at("right_" + std::string(name_of(task))).values.minCoeff() > 0; });
  const bool all = right == std::ssize(tasks);
  const std::string so_far =
      "Four models, built alike, were trained on a task each, for " + bold(batches(kMoments[t.state.moment])) + ": " +
      (all ? "**all** come" : bold(std::to_string(right)) + " of them " + (right == 1 ? "comes" : "come")) +
      " out right";
  if (!all && t.state.moment < kLastMoment) return so_far + " so far. " + hint("Drag the film on, to the end.");
  return so_far +
         ". To reverse, the light crosses; to copy, it falls straight down; to sort, it looks for the next "
         "letter of the alphabet. **The task makes the pattern**, and nobody draws it.";
}

}  // namespace limelight::scenes::train
