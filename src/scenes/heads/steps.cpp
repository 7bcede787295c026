#include "scenes/heads/steps.h"

#include "scenes/common/rows.h"

namespace limelight::scenes::heads {
namespace {

constexpr Row kRows[] = {
    {.step = {.id = "one",
              .name = "One head",
              .caption = "One head has one row of weights for each word: a single mixture."},
     .draw = draw_one,
     .tell = tell_one,
     .formula = formula_one,
     .outline = outline_one,
     .result = "A_mean"},
    {.step = {.id = "split",
              .name = "Split",
              .caption = "Queries, keys and values are cut into heads, a few columns each."},
     .draw = draw_split,
     .tell = tell_split,
     .formula = formula_split,
     .outline = outline_split,
     .result = "Q"},
    {.step = {.id = "weights",
              .name = "Weights",
              .caption = "Each head has its own scores, its own softmax, its own weights."},
     .draw = draw_weights,
     .tell = tell_weights,
     .formula = formula_weights,
     .outline = outline_weights,
     .result = "A"},
    {.step = {.id = "outputs", .name = "Outputs", .caption = "Each head mixes its own values by its own weights."},
     .draw = draw_outputs,
     .tell = tell_outputs,
     .formula = formula_outputs,
     .outline = outline_outputs,
     .result = "C"},
    {.step = {.id = "join", .name = "Join", .caption = "The heads’ outputs stand side by side and go through W_O."},
     .draw = draw_join,
     .tell = tell_join,
     .formula = formula_join,
     .outline = outline_join,
     .result = "Y"},
    {.step = {.id = "mask", .name = "Mask", .caption = "A mask hides keys from queries, in all heads alike."},
     .draw = draw_mask,
     .tell = tell_mask,
     .formula = formula_weights,
     .outline = outline_weights,
     .result = "M"},
    {.step = {.id = "without", .name = "Without", .caption = "Switch heads off and see how far the output moves."},
     .draw = draw_without,
     .tell = tell_without,
     .formula = formula_without,
     .outline = nullptr,
     .result = "part"},
};
constexpr auto kSteps = steps_of(kRows);

}  // namespace

const Row& row_at(Place place) { return kRows[place.step - 1]; }

std::span<const Step> steps() { return kSteps; }

std::string_view principal(const State& state, Place place) {
  static constexpr std::string_view weights[] = {"A_1", "A_2", "A_3", "A_4", "A_5", "A_6", "A_7", "A_8"};
  const std::string_view result = row_at(place).result;
  return result == "A" ? weights[chosen_head(state)] : result;
}

}  // namespace limelight::scenes::heads
