#include "scenes/train/steps.h"

#include "scenes/common/rows.h"

namespace limelight::scenes::train {
namespace {

constexpr Row kRows[] = {
    {.step = {.id = "task",
              .name = "Task",
              .caption = "Letters go in, letters come out; in between stand numbers that begin at random.",
              .shows_job = false},
     .draw = draw_task,
     .tell = tell_task,
     .formula = formula_task,
     .result = "parts",
     .remark = "What is read and written is the work of all of the model; these are its sizes."},
    {.step = {.id = "train",
              .name = "Train",
              .caption = "Batch by batch the loss falls, and the model finds by itself where to look."},
     .draw = draw_train,
     .tell = tell_train,
     .formula = formula_train,
     .result = "weights"},
    {.step = {.id = "inside",
              .name = "Look inside",
              .caption = "For each letter that it writes: the scores, the weights, and what it takes for likely."},
     .draw = draw_inside,
     .tell = tell_inside,
     .formula = formula_inside,
     .result = "weights"},
    {.step = {.id = "without",
              .name = "Without attention",
              .caption = "One fixed vector for the whole source is too little for long ones."},
     .draw = draw_without,
     .tell = tell_without,
     .formula = formula_without,
     .result = "run",
     .remark = "These numbers were measured while the models were trained."},
};
constexpr auto kSteps = steps_of(kRows);

}  // namespace

const Row& row_at(Place place) { return kRows[place.step - 1]; }

std::span<const Step> steps() { return kSteps; }

std::string_view principal(const State& state, Place place) {
  const std::string_view result = row_at(place).result;
  return result == "weights" && !state.attention ? "probabilities" : result;
}

}  // namespace limelight::scenes::train
