// The sixth step, and the details of the seventh: what each makes of a query's scores.
#include <cmath>

#include "io/numbers.h"
#include "scenes/spotlight/score_bars.h"
#include "scenes/spotlight/steps.h"

namespace limelight::scenes::spotlight {
namespace {

// "÷ √6 = 2.45", "× 0.5", and by what the temperature divides.
std::string scaling_said(const Drawing& d) {
  const int size = d.trace.at("K").columns();
  std::string said = d.state.scale == Scale::root
                         ? "÷ √" + std::to_string(size) + " = " + io::format_short(std::sqrt(size))
                     : d.state.scale == Scale::own ? "× " + io::format_short(d.state.factor)
                                                   : "not scaled";
  if (d.state.temperature != 1) said += ", ÷ " + io::format_short(d.state.temperature);
  return said;
}

}  // namespace

float draw_scale(Drawing& d) {
  return draw_bar_change(
      d, {.before = "scores",
          .after = "scaled",
          .how = scaling_said(d),
          .said = d.state.mask == Masking::causal ? "of all queries; −∞: a later word, which the causal mask hides"
                                                  : "of all queries"});
}

float draw_softmax_part(Drawing& d) {
  const auto number_of = [&](std::string_view tensor) {
    return io::format_fixed(static_cast<double>(d.trace.at(tensor).values(d.row, 0)), 2);
  };
  switch (d.view.place.part) {
    case 1: {
      const float maximum = d.trace.at("maximum").values(d.row, 0);
      return draw_bar_change(d, {.before = "scaled",
                                 .after = "shifted",
                                 .how = (maximum < 0 ? "+ " : "− ") + io::format_fixed(std::abs(maximum), 2),
                                 .said = "of all queries; on the right the largest score of each",
                                 .beside = "maximum"});
    }
    case 2:
      return draw_bar_change(
          d, {.before = "shifted", .after = "exponentials", .how = "e to the power of each", .said = "of all queries"});
    case 3:
      return draw_bar_change(d, {.after = "exponentials",
                                 .how = "together " + number_of("sum"),
                                 .said = "of all queries; on the right the sum of each",
                                 .beside = "sum",
                                 .adds_up = true});
    default:
      return draw_bar_change(d, {.before = "exponentials",
                                 .after = "weights",
                                 .how = weights_set_in(d.state, d.row) ? "set by hand" : "÷ " + number_of("sum"),
                                 .said = "of all queries: each row sums to 1",
                                 .adds_up = true});
  }
}

}  // namespace limelight::scenes::spotlight
