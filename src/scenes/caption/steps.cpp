#include "scenes/caption/steps.h"

#include "scenes/common/rows.h"

namespace limelight::scenes::caption {
namespace {

constexpr Row kRows[] = {
    {.step = {.id = "picture",
              .name = "Picture",
              .caption = "Two models say what they see: soft attention looks at all cells, hard at one.",
              .shows_job = false},
     .draw = draw_picture,
     .tell = tell_picture,
     .formula = formula_picture,
     .result = "chosen_soft",
     .without_model = true},
    {.step = {.id = "grid",
              .name = "Grid",
              .caption = "A convolutional network makes a vector of features of each cell of a grid.",
              .shows_job = false},
     .draw = draw_grid,
     .tell = tell_grid,
     .formula = formula_grid,
     .result = "features",
     .remark = "The features are the work of a convolutional network, whose weights are in the trained model."},
    {.step = {.id = "scores",
              .name = "Scores",
              .caption = "The decoder’s state is compared with each cell: one alignment score each.",
              .shows_job = false},
     .draw = draw_scores,
     .tell = tell_scores,
     .formula = formula_scores,
     .result = "scores",
     .of_one_word = true},
    {.step = {.id = "weights",
              .name = "Weights",
              .caption = "Softmax makes shares of the scores: white is more.",
              .shows_job = false},
     .draw = draw_weights,
     .tell = tell_weights,
     .formula = formula_weights,
     .result = "weights",
     .of_one_word = true},
    {.step = {.id = "context",
              .name = "Context",
              .caption = "Each cell’s features times its weight, and their sum.",
              .shows_job = false},
     .draw = draw_context,
     .tell = tell_context,
     .formula = formula_context,
     .result = "context",
     .of_one_word = true},
    {.step = {.id = "word",
              .name = "Word",
              .caption = "The word before, the state and the context make the next state, and it says a word.",
              .shows_job = false},
     .draw = draw_word,
     .tell = tell_word,
     .formula = formula_word,
     .result = "probabilities",
     .of_one_word = true},
    {.step = {.id = "words",
              .name = "All words",
              .caption = "Word after word another look, until [STOP].",
              .shows_job = false},
     .draw = draw_words,
     .tell = tell_words,
     .formula = formula_word,
     .result = "weights",
     .of_one_word = true},
    {.step = {.id = "compare",
              .name = "Soft | hard",
              .caption = "The same picture, a mixture of all cells or one cell for each word.",
              .shows_job = false},
     .draw = draw_compare,
     .tell = tell_compare,
     .formula = formula_picture,
     .result = "weights_hard",
     .computes = "entropy_hard"},
    {.step = {.id = "draws",
              .name = "Draws",
              .caption = "Hard attention is drawn; its gradient is estimated from draws, and scatters."},
     .draw = draw_draws,
     .tell = tell_draws,
     .formula = formula_draws,
     .result = "captions",
     .computes = "weights",
     .remark = "Captions and gradients are made of random draws, which are not made again here; these are the weights "
               "that the cells are drawn from."},
    {.step = {.id = "force",
              .name = "Force",
              .caption = "What it says when it must look where you point.",
              .shows_job = false},
     .draw = draw_force,
     .tell = tell_force,
     .formula = formula_force,
     .result = "chosen_forced",
     .remark = "What it says when it must look elsewhere is the work of all of the model."},
};
constexpr auto kSteps = steps_of(kRows);

}  // namespace

const Row& row_at(Place place) { return kRows[place.step - 1]; }

std::span<const Step> steps() { return kSteps; }

std::string_view principal(const State&, const Trace& trace, Place place) {
  const std::string_view wanted = row_at(place).result;
  return trace.find(wanted) != nullptr ? wanted : "picture";
}

}  // namespace limelight::scenes::caption
