#include "scenes/patches/steps.h"

#include "scenes/common/rows.h"

namespace limelight::scenes::patches {
namespace {

constexpr Row kRows[] = {
    {.step = {.id = "cut",
              .name = "Patches",
              .caption = "A picture is cut into square patches, which look at each other as words do."},
     .draw = draw_cut,
     .tell = tell_cut,
     .formula = formula_cut,
     .result = "picture",
     .weighs = false},
    {.step = {.id = "features",
              .name = "Features",
              .caption = "Each patch is described by its colour, its edges and, if you like, its place."},
     .draw = draw_features,
     .tell = tell_features,
     .formula = formula_features,
     .result = "features",
     .weighs = false},
    {.step = {.id = "scores",
              .name = "Scores",
              .caption = "The query’s numbers times those of every patch say how well each fits."},
     .draw = draw_scores,
     .tell = tell_scores,
     .formula = formula_scores,
     .result = "s",
     .weighs = false},
    {.step = {.id = "weights",
              .name = "Weights",
              .caption = "Softmax turns the scores into weights, which say where the patch looks."},
     .draw = draw_weights,
     .tell = tell_weights,
     .formula = formula_weights,
     .result = "weights"},
    {.step = {.id = "looks",
              .name = "Soft, hard, top-k",
              .caption = "Look at all patches, at the best one alone, or at the k best."},
     .draw = draw_looks,
     .tell = tell_looks,
     .formula = formula_weights,
     .result = "effective"},
    {.step = {.id = "output",
              .name = "Output",
              .caption = "Every patch is replaced by the weighted mean of all patches."},
     .draw = draw_output,
     .tell = tell_output,
     .formula = formula_output,
     .result = "rebuilt"},
    {.step = {.id = "own", .name = "Your own", .caption = "Any picture will do, since nothing is trained."},
     .draw = draw_own,
     .tell = tell_own,
     .formula = formula_weights,
     .result = "a"},
};
constexpr auto kSteps = steps_of(kRows);

}  // namespace

const Row& row_at(Place place) { return kRows[place.step - 1]; }

std::span<const Step> steps() { return kSteps; }

std::string_view principal(const State& /*state*/, const Trace& trace, Place place) {
  return has_picture(trace) ? row_at(place).result : "sizes";
}

}  // namespace limelight::scenes::patches
