#include "scenes/limits/steps.h"

#include "scenes/common/rows.h"

namespace limelight::scenes::limits {
namespace {

constexpr Row kRows[] = {
    {.step = {.id = "spread", .name = "Spread", .caption = "The same scores give diffuse or collapsed weights."},
     .draw = draw_spread,
     .tell = tell_spread,
     .formula = formula_spread,
     .result = "a"},
    {.step = {.id = "sum", .name = "Sum to 1", .caption = "Weights sum to 1, so they cannot all be high."},
     .draw = draw_sum,
     .tell = tell_sum,
     .formula = formula_sum,
     .result = "softmax_raised"},
    {.step = {.id = "weights", .name = "Other weights", .caption = "Other weights can give the very same output."},
     .draw = draw_weights,
     .tell = tell_weights,
     .formula = formula_weights,
     .result = "a_other"},
    {.step = {.id = "values", .name = "Other values", .caption = "The same weights can give another output."},
     .draw = draw_values,
     .tell = tell_values,
     .formula = formula_values,
     .result = "outputs_changed"},
    {.step = {.id = "axis",
              .name = "Wrong axis",
              .caption = "Normalised over the queries, weights no longer share anything out."},
     .draw = draw_axis,
     .tell = tell_axis,
     .formula = formula_axis,
     .result = "A_wrong"},
    {.step = {.id = "claims", .name = "Claims", .caption = "What articles say of attention, put to the test."},
     .draw = draw_claims,
     .tell = tell_claims,
     .formula = formula_claims,
     .result = {}},
};
constexpr auto kSteps = steps_of(kRows);

}  // namespace

const Row& row_at(Place place) { return kRows[place.step - 1]; }

std::span<const Step> steps() { return kSteps; }

std::string_view principal(const State& state, Place place) {
  static constexpr std::string_view of_claims[] = {"removal",       "one_query",      "angle_measures",
                                                   "ahead_weights", "square_weights", "S_same"};
  const std::string_view result = row_at(place).result;
  return result.empty() ? of_claims[static_cast<int>(state.claim)] : result;
}

}  // namespace limelight::scenes::limits
