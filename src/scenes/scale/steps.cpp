#include "scenes/scale/steps.h"

#include "scenes/common/rows.h"

namespace limelight::scenes::scale {
namespace {

constexpr Row kRows[] = {
    {.step = {.id = "product",
              .name = "Dot product",
              .caption = "A score is a sum of d products, and each may push it up or down.",
              .shows_job = false},
     .draw = draw_product,
     .tell = tell_product,
     .formula = formula_product,
     .result = "entries",
     .computes = "running"},
    {.step = {.id = "spread",
              .name = "Its spread",
              .caption = "Over many random pairs the score has the standard deviation √d."},
     .draw = draw_spread,
     .tell = tell_spread,
     .formula = formula_spread,
     .result = "histogram",
     .computes = "density",
     .remark = "The histogram counts random pairs, which are not drawn again here; this is the exact density that it "
               "is drawn beside."},
    {.step = {.id = "softmax",
              .name = "Softmax",
              .caption = "Softmax of large scores gives one key nearly all; divided by √d, it shares.",
              .shows_job = false},
     .draw = draw_softmax,
     .tell = tell_softmax,
     .formula = formula_softmax,
     .result = "weights"},
    {.step = {.id = "gradient",
              .name = "Gradient",
              .caption = "Where one key has it all, the weights no longer follow the scores."},
     .draw = draw_gradient,
     .tell = tell_gradient,
     .formula = formula_gradient,
     .result = "gradient_score",
     .computes = "measures",
     .remark = "The curves are quantiles over random draws, which are not made again here; these are the same measures "
               "of the query and keys of the step “Softmax”. The last one, of the gradient by the query, needs all "
               "numbers of the keys and is left out."},
    {.step = {.id = "class",
              .name = "A class",
              .caption = "Scaling that goes wrong: too many rows compared, and divided once too often.",
              .shows_job = false},
     .draw = draw_class,
     .tell = tell_class,
     .formula = formula_class,
     .result = "class_weights",
     .remark = "The class compares 512 features; the figure keeps the first 48 of them."},
    {.step = {.id = "glance", .name = "Glance", .caption = "The spread, the weights and the size, all at once."},
     .draw = draw_glance,
     .tell = tell_glance,
     .formula = formula_glance,
     .result = "measures",
     .remark = "The measure of the gradient by the query needs all numbers of the keys and is left out."},
};
constexpr auto kSteps = steps_of(kRows);

}  // namespace

const Row& row_at(Place place) { return kRows[place.step - 1]; }

std::span<const Step> steps() { return kSteps; }

std::string_view principal(const State& state, Place place) {
  const std::string_view result = row_at(place).result;
  return result == "gradient_score" && state.curves == Curves::weights ? "largest" : result;
}

}  // namespace limelight::scenes::scale
