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

// The output letter where the light lies clearest on the same letter of the input.
int clearest(const Tensor& weights) {
  int best = 0;
  float share = 0;
  for (int row = 0; row < weights.rows(); ++row) {
    Eigen::Index at = 0;
    const float most = weights.values.row(row).maxCoeff(&at);
    if (most > share && label_of(weights.row_labels, row) == label_of(weights.column_labels, static_cast<int>(at)))
      best = row, share = most;
  }
  return best;
}

// The one whose light is seen: in all tasks the one that is pointed at.
int lit_letter(const Drawing& d, const Tensor& weights) {
  const std::optional<Source> at = parse_cell_id(d.view.focus());
  return at && at->tensor.starts_with("right_") ? std::min(at->column, weights.rows() - 1) : clearest(weights);
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
                  .writes = "",
                  .query = lit_letter(d, weights)});
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
  const std::string so_far = "Four models, built alike, learned a task each, for " +
                             bold(batches(kMoments[t.state.moment])) + ": " +
                             bold(std::to_string(right) + " of " + std::to_string(tasks.size())) + " are right";
  if (right < std::ssize(tasks) && t.state.moment < kLastMoment)
    return so_far + " so far. " + hint("Drag the film on, to the end.");
  std::string text = so_far + ". Look at **one letter** that each writes: ";
  std::vector<std::string> looks;
  for (const Subject task : tasks) {
    const std::string name(name_of(task)), tensor = "task_" + name;
    const Tensor& weights = t.trace.at(tensor);
    const int row = clearest(weights);
    Eigen::Index most = 0;
    const float share = weights.values.row(row).maxCoeff(&most);
    looks.push_back(name + (looks.empty() ? " looks at " : " at ") +
                    pointing(quoted(label_of(weights.column_labels, static_cast<int>(most))),
                             cell_id({"right_" + name, 0, row}), MeansA::weight) +
                    " (" + percent(static_cast<double>(share)) + ")");
  }
  return text + io::all_of(looks) + ". **The task makes the pattern.**";
}

}  // namespace limelight::scenes::train
