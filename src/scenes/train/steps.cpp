#include "scenes/train/steps.h"

#include "scenes/common/rows.h"

namespace limelight::scenes::train {
namespace {

// The first three tell the story; what comes after them is there for who wants to know more.
constexpr Row kRows[] = {
    {.step = {.id = "train",
              .name = "Train",
              .caption = "Batch by batch it makes fewer mistakes, and finds by itself where to look."},
     .draw = draw_train,
     .tell = tell_train,
     .formula = formula_train,
     .result = "weights"},
    {.step = {.id = "tasks",
              .name = "Other tasks",
              .caption = "The same model with another task looks elsewhere: the task makes the pattern.",
              .shows_job = false},
     .draw = draw_tasks,
     .tell = tell_tasks,
     .formula = formula_train,
     .result = "weights"},
    {.step = {.id = "without",
              .name = "Without attention",
              .caption = "One fixed list of numbers for the whole source is too little for long ones."},
     .draw = draw_without,
     .tell = tell_without,
     .formula = formula_inside,
     .result = "run",
     .remark = "These numbers were measured while the models were trained."},
    {.step = {.id = "inside",
              .name = "Look inside",
              .caption = "For each letter that it writes: the scores, the weights, and what it takes for likely.",
              .detail = true},
     .draw = draw_inside,
     .tell = tell_inside,
     .formula = formula_inside,
     .result = "weights"},
    {.step = {.id = "task",
              .name = "What is learned",
              .caption = "Letters go in, letters come out; in between stand numbers that begin at random.",
              .detail = true,
              .shows_job = false},
     .draw = draw_task,
     .tell = tell_task,
     .formula = formula_task,
     .result = "parts",
     .remark = "What is read and written is the work of all of the model; these are its sizes."},
};
constexpr auto kSteps = steps_of(kRows);

}  // namespace

const Row& row_at(Place place) { return kRows[place.step - 1]; }

std::span<const Step> steps() { return kSteps; }

std::string_view principal(const State& state, Place place) {
  const std::string_view result = row_at(place).result;
  return result == "weights" && !state.attention ? "probabilities" : result;
}

figure::Figure draw(const State& state, const Trace& trace, const View& view) {
  Drawing d{frame_for(trace, view), state};
  d.figure.height = row_at(view.place).draw(d, 12, view.height - 12) + 12;
  return std::move(d.figure);
}

}  // namespace limelight::scenes::train
