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

std::vector<Subject> tasks_in(const Trace& trace) {
  std::vector<Subject> tasks;
  for (const RecordedRun& run : kRuns)
    if (trace.find("task_" + std::string(run.name)) != nullptr) tasks.push_back(run.task);
  return tasks;
}

// Whose light alone is seen: the letter's that is pointed at, or while they are written one after the other's; −1: all.
int lit_letter(const Drawing& d, const Tensor& weights) {
  if (const int row = pointed_letter(d).row; row >= 0) return std::min(row, weights.rows() - 1);
  return d.view.t < 1 ? static_cast<int>(d.view.t * static_cast<float>(weights.rows())) : -1;
}

}  // namespace

float draw_tasks(Drawing& d, float y, float bottom) {
  const std::vector<Subject> tasks = tasks_in(d.trace);
  if (tasks.empty()) {
    const Missing nothing{.label = "The record of a training"};
    return add_missing(d, d.view.missing.value_or(nothing), y);
  }
  const float m = d.margin(), gap = d.narrow() ? 8 : 14, strip = d.narrow() ? kPhoneFilm : d.low() ? 0 : 104;
  constexpr int across = 2;
  const int down = (static_cast<int>(tasks.size()) + across - 1) / across;
  if (d.narrow()) y = add_film(d, {m, y, d.inner(), strip}) + 10;
  const float room = d.narrow() ? 0 : bottom - y - strip - gap;
  const float wide = (d.inner() - gap * static_cast<float>(across - 1)) / static_cast<float>(across),
              high = d.narrow() ? 156.F : std::max(room / static_cast<float>(down) - gap, 150.F);
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const auto column = static_cast<float>(static_cast<int>(i) % across),
               line = static_cast<float>(static_cast<int>(i) / across);
    const std::string name(name_of(tasks[i])), tensor = "task_" + name;
    const Tensor& weights = d.trace.at(tensor);
    const Rect area{m + (wide + gap) * column, y + (high + gap) * line, wide, high};
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
  y += (high + gap) * static_cast<float>(down);
  return d.narrow() || strip == 0 ? y : add_film(d, {m, y, d.inner(), strip});
}

std::string tell_tasks(const Told& t) {
  const std::vector<Subject> tasks = tasks_in(t.trace);
  if (tasks.empty()) return "The record of the trainings is not here; each task can be trained all the same.";
  const auto right = std::ranges::count_if(
      tasks, [&](Subject task) { return t.trace.at("right_" + std::string(name_of(task))).values.minCoeff() > 0; });
  const std::string so_far = "Four models, built alike, learned a task each, for " +
                             bold(batches(kMoments[t.state.moment])) + ": " +
                             bold(std::to_string(right) + " of " + std::to_string(tasks.size())) + " are right";
  if (right < std::ssize(tasks) && t.state.moment < kLastMoment)
    return so_far + " so far. " + hint("Drag the film on, to the end.");
  std::vector<std::string> looks;
  for (const Subject task : tasks) {
    const std::string name(name_of(task));
    const Tensor& weights = t.trace.at("task_" + name);
    Eigen::Index most = 0;
    const float share = weights.values.row(0).maxCoeff(&most);
    looks.push_back(name + (looks.empty() ? " looks at " : " at ") +
                    pointing(quoted(label_of(weights.column_labels, static_cast<int>(most))),
                             cell_id({"right_" + name, 0, 0}), MeansA::weight) +
                    " (" + percent(static_cast<double>(share)) + ")");
  }
  return so_far + ". Lines lead to where each letter looks most. For its **first letter** " + io::all_of(looks) +
         ". **The task makes the pattern.**";
}

}  // namespace limelight::scenes::train
