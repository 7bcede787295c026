// The sixth step, and the details of the seventh: what each makes of a query's scores.
#include <cmath>

#include "core/attention.h"
#include "io/numbers.h"
#include "scenes/spotlight/score_bars.h"
#include "scenes/spotlight/steps.h"

namespace limelight::scenes::spotlight {
namespace {

// "÷ √6 = 2.45", "× 0.5", and by what the temperature divides.
std::string scaling_said(const Drawing& d) {
  std::string said = scaling(d);
  if (said.empty()) said = "not scaled";
  if (d.state.scale == Scale::root) said += " = " + io::format_short(std::sqrt(d.trace.at(kK).columns()));
  if (d.state.temperature != 1) said += ", ÷ " + io::format_short(d.state.temperature);
  return said;
}

}  // namespace

std::vector<float> undivided_weights(const Trace& trace, int row) {
  AttentionSteps<float> steps;
  steps.scaled = trace.at(kScaled).values.row(row) * std::sqrt(static_cast<float>(trace.at(kK).columns()));
  softmax_steps(steps);
  const auto weights = steps.weights.row(0);
  return {weights.begin(), weights.end()};
}

std::string scaling(const Drawing& d) {
  return d.state.scale == Scale::root  ? "÷ √" + std::to_string(d.trace.at(kK).columns())
         : d.state.scale == Scale::own ? "× " + io::format_short(d.state.factor)
                                       : "";
}

float draw_scale(Drawing& d) {
  // Where nothing else is done to the scores.
  const bool compared = d.state.scale == Scale::root && d.state.temperature == 1 && d.state.mask == Masking::none &&
                        !recipes::set_in_row(d.state.weights, d.row) &&
                        (!d.view.compact() || d.keys.size() <= kCompared);
  return draw_bar_change(
      d, kScaled,
      {scaling_said(d),
       d.state.mask == Masking::causal ? "scaled scores; −∞: a later word, which the causal mask hides"
       : d.state.scale == Scale::off && d.state.temperature == 1 ? "scores of all queries"
                                                                 : "scaled scores of all queries",
       d.state.temperature == 1 ? scaling(d) : "",
       compared ? undivided_weights(d.trace, d.row) : std::vector<float>()});
}

float draw_softmax_part(Drawing& d) {
  const auto number_of = [&](std::string_view tensor) {
    return static_cast<double>(d.trace.at(tensor).values(d.row, 0));
  };
  switch (d.view.place.part) {
    case 1: {
      const double maximum = number_of(kMaximum);
      const std::string each = (maximum < 0 ? "+ " : "− ") + io::format_fixed(std::abs(maximum), 2);
      return draw_bar_change(d, kShifted,
                             {each + (d.view.compact() || d.keys.size() < 2 ? "" : ", the row’s largest"),
                              "less the largest of each row, which stands on the right"});
    }
    case 2:
      return draw_bar_change(d, kExponentials, {"e to the power of each", "exponentials of all queries"});
    default:
      return draw_bar_change(
          d, kSum, {"Σ = " + io::format_fixed(number_of(kSum), 2), "exponentials; on the right the sum of each row"});
  }
}

}  // namespace limelight::scenes::spotlight
