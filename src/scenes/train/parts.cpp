#include "scenes/train/parts.h"

#include <algorithm>

#include "scenes/common/chips.h"
#include "scenes/common/strips.h"

namespace limelight::scenes::train {

using namespace figure;

namespace {

struct Button {
  Press press;
  bool apart = false;  // from those before it: it gives something up
};

std::vector<Button> buttons(const Drawing& d) {
  const Told r = d.told();
  const bool works = d.view.working >= 0 && !d.view.rests, there = d.view.working >= 0,
             done = !r.recorded() && (r.diverged() || r.converged() || r.batch() >= kMostSteps);
  const std::string words = done ? "Ended" : works ? "Pause" : there ? "Go on" : "Train it yourself";
  const auto command = [](const char* name, std::string text, bool can = true, bool strong = false) {
    return Press{.id = std::string("press.do.") + name,
                 .text = std::move(text),
                 .edit = can ? std::optional(Edit{"do", name}) : std::nullopt,
                 .strong = strong};
  };
  std::vector<Button> list{{command("job", words, !done, there && !done && !works)}};
  if (!there && (!r.begun() || r.recorded()) && r.count(Column::own) < 0) return list;
  list.push_back({command("job_step", "One batch", !done)});
  list.push_back({command("job_drop", "Start over"), true});
  list.push_back({{"press.seed", "Other random start", Edit{"seed", std::to_string(d.state.seed % 9999 + 1)}}});
  if (r.diverged()) list.push_back({command("job_back", r.way_back(), true, true), true});
  return list;
}

}  // namespace

// Each has its own place, whatever the training has come to: however late one is pressed, it gives nothing else up.
float add_buttons(Drawing& d, Rect line) {
  constexpr float gap = 8;
  const float height = d.press_height();
  const std::vector<Button> list = buttons(d);
  float x = line.x, y = line.y;
  for (const Button& button : list) {
    // The first is as wide as its longest word.
    const float width = press_width(&button == &list.front() ? "Train it yourself" : button.press.text);
    const bool in_next = button.apart && d.narrow();
    if (button.apart && !in_next) x += 3 * gap;
    if (in_next || x + width > line.right()) {
      x = line.x;
      y += height + gap;
    }
    add_press(d, button.press, {x, y, width, height});
    x += width + gap;
  }
  return y + height;
}

float add_input(Drawing& d, Rect line) {
  return add_text_input(d,
                        {.field = "input",
                         .name = "it reads",
                         .label = "Your own input",
                         .text = d.state.input,
                         .hint = "an unseen " + unit_of(d.state.task) + "; type your own",
                         .ink = d.colours.input},
                        line);
}

Night night_of(const Drawing& d, Rect area) {
  const Told t = d.told();
  return {.id = "night",
          .area = area,
          .source = t.source(),
          .written = t.written(),
          .weights = d.state.attention ? "weights" : "",
          .vector = t.vector(),
          .right = t.known() ? "right" : "",
          .cells = "source",
          .reads = "it reads; ■ is the end"};
}

Source pointed_letter(const Drawing& d) {
  const Source at = parse_cell_id(d.view.focus()).value_or(Source{"", -1, -1});
  return {"",
          at.tensor.starts_with("right") ? at.column
          : at.tensor == "weights"       ? at.row
                                         : -1,
          at.tensor == "source" ? at.column : -1};
}

void add_night_told(Drawing& d, const Night& night) {
  add_night(d, night);
  const int row = night.query, column = row < 0 ? pointed_letter(d).column : -1;
  if (night.weights.empty() || (row < 0 && column < 0)) return;
  const Tensor& weights = d.trace.at(night.weights);
  Eigen::Index most = 0;
  const float share = row < 0 ? weights.values.col(column).maxCoeff(&most)
                              : weights.values.row(std::min(row, weights.rows() - 1)).maxCoeff(&most);
  const std::string& letter = label_of(row < 0 ? weights.row_labels : weights.column_labels, static_cast<int>(most));
  const Rect line{night.area.x, night.area.y + 6, night.area.w - (d.narrow() ? 10.F : 18.F), 16};
  add_words(
      d, night.id + ".looks", line,
      (row < 0 ? "most looked at by " : "looks at ") + told_letter(letter) + ", " + percent(static_cast<double>(share)),
      {palette(night_theme(d.view)).amber_text, {text::Face::regular, 12 * night_letters(d)}, Align::right});
}

}  // namespace limelight::scenes::train
