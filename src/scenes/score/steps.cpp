#include "scenes/score/steps.h"

#include "scenes/common/rows.h"

namespace limelight::scenes::score {
namespace {

constexpr Row kRows[] = {
    {.step = {.id = "arrows",
              .name = "Arrows",
              .caption = "A dot product is two lengths times the cosine of an angle."},
     .draw = draw_arrows,
     .tell = tell_arrows,
     .formula = formula_arrows,
     .result = "angles"},
    {.step = {.id = "scores", .name = "Scores", .caption = "Five ways to score the same pair of vectors."},
     .draw = draw_scores,
     .tell = tell_scores,
     .formula = formula_scores,
     .result = "scores"},
    {.step = {.id = "weights",
              .name = "Weights",
              .caption = "Four ways to turn the same scores into weights that sum to 1."},
     .draw = draw_weights,
     .tell = tell_weights,
     .formula = formula_weights,
     .result = "weights"},
    {.step = {.id = "triangle",
              .name = "Triangle",
              .caption = "Where on the triangle of three keys each of them can land."},
     .draw = draw_triangle,
     .tell = tell_triangle,
     .formula = formula_weights,
     .result = "weights"},
    {.step = {.id = "module",
              .name = "Module",
              .caption = "A published module gives each of 128 hidden units its own weights over 10 positions."},
     .draw = draw_module,
     .tell = tell_module,
     .formula = formula_module,
     .result = "tanh"},
    {.step = {.id = "sums",
              .name = "Sum to 128",
              .caption = "The module’s bar plot adds up the weights of all 128 hidden units."},
     .draw = draw_sums,
     .tell = tell_sums,
     .formula = formula_sums,
     .result = "sums"},
    {.step = {.id = "context",
              .name = "Context",
              .caption = "What the module leaves out: the encoder outputs, mixed by their weights."},
     .draw = draw_context,
     .tell = tell_context,
     .formula = formula_context,
     .result = "context"},
    {.step = {.id = "glance", .name = "Glance", .caption = "Arrows, scores and weights at once."},
     .draw = draw_glance,
     .tell = tell_glance,
     .formula = formula_arrows,
     .result = "scores"},
};
constexpr auto kSteps = steps_of(kRows);

}  // namespace

const Row& row_at(Place place) { return kRows[place.step - 1]; }

std::span<const Step> steps() { return kSteps; }

std::string_view principal(const State& /*state*/, Place place) { return row_at(place).result; }

}  // namespace limelight::scenes::score
