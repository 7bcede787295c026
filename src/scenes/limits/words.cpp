// Limits in words: narration, the question, where it comes from. Every number comes from the trace.
#include <algorithm>
#include <cmath>

#include "io/numbers.h"
#include "scenes/common/explain.h"
#include "scenes/limits/steps.h"
#include "scenes/place.h"

namespace limelight::scenes::limits {
namespace {

std::string fixed(double value, int decimals = 2) { return io::format_fixed(value, decimals); }

std::string tell_importance(const Told& t) {
  return "Leave out one key after another, its weight shared among the others. Kendall’s τ of the keys by weight and "
         "by "
         "what the output loses is **" +
         fixed(t.at("agreement")) + "**: 1 is the same order, −1 the opposite one.";
}

std::string tell_high(const Told& t) {
  return "Equal scores give each of " + std::to_string(t.keys()) + " keys " + bold(fixed(t.at("even"), 3)) +
         ". The wrong axis gives each " + bold(brief(t.at("one_query"))) + ", in all " + std::to_string(t.keys()) +
         ": the same weight everywhere, twice, and only one of them is attention.";
}

std::string tell_angle(const Told& t) {
  return "**fox** points exactly where the query does and scores " + bold(brief(t.at("angle_measures", 0, 3))) +
         "; **lazy**, 60° away and " + brief(t.at("angle_measures", 1, 0)) + " long, scores " +
         bold(brief(t.at("angle_measures", 1, 3))) + ". Change its length.";
}

std::string tell_certain(const Told& t) {
  return "Ahead of eight other words by " + brief(t.state.ahead) + ", **fox** gets " +
         bold(percent(t.at("ahead_weights", 0, 3))) + " of the attention; for 95 % it takes " + fixed(t.at("needed")) +
         ". Change by how much it is ahead.";
}

std::string tell_square(const Told& t) {
  return "Divided by √" + std::to_string(t.state.d) + ", the six tokens count as **" +
         fixed(t.at("square_effective", 0, 0)) + "** with equal weights; divided by " + std::to_string(t.state.d) +
         "² as well, as **" + fixed(t.at("square_effective", 1, 0), 4) + "**: every choice is gone. Change d.";
}

std::string tell_identical(const Told& t) {
  return "When query and key change places, a score with Q = K changes by **" + brief(t.at("asymmetry", 0, 0)) +
         "**, one with a matrix for each by up to **" + brief(t.at("asymmetry", 0, 1)) + "**.";
}

}  // namespace

std::string tell_spread(const Told& t) {
  const double effective = t.at("spread", 0, Spread::effective), largest = t.at("spread", 0, Spread::largest);
  const std::string count = fixed(effective, effective < 10 ? 1 : 0) + " of " + std::to_string(t.keys()) + " keys";
  std::string text;
  if (effective > 0.97 * t.keys())
    text = bold("Diffuse") + ": nearly all keys get the same, about " + percent(1.0 / t.keys()) +
           ", as if there were no scores";
  else if (effective < 1.15)
    text = bold("Collapsed") + ": " + t.key(best_of(t.trace.at("a").values)) + " gets " + percent(largest) +
           ", and the others can hardly change anything";
  else
    text = "Between the ends: " + t.key(best_of(t.trace.at("a").values)) + " gets " + bold(percent(largest)) +
           ", and the weights are as spread out as " + bold(count) + " with equal weights";
  return text + ". “Saturated” is said of both ends; the entropy, " + fixed(t.at("spread", 0, Spread::entropy)) +
         ", tells which.";
}

std::string tell_sum(const Told& t) {
  return std::string(t.state.raise > 0   ? "All scores raised by " + brief(t.state.raise)
                     : t.state.raise < 0 ? "All scores lowered by " + brief(-t.state.raise)
                                         : "Nothing is raised yet") +
         ": softmax does not notice. Its weights sum to **1**, " + brief(t.at("raised_sums", 0, 1)) +
         " on average, so **high for all** cannot be. A sigmoid for each key shares nothing: its sum is now " +
         bold(fixed(t.at("raised_sums", 1, 0))) + " of " + std::to_string(t.keys()) + ".";
}

std::string tell_weights(const Told& t) {
  const int key = chosen_key(t.state, t.trace), free = static_cast<int>(std::lround(t.at("freedom")));
  if (free == 0)
    return "No other weights give this output: with " + std::to_string(t.keys()) + " keys and values of " +
           std::to_string(t.trace.at("V").columns()) +
           " numbers no direction is free. Here the weights **can** be read off the output. Try another example.";
  if (t.trace.at("direction").values.isZero())
    return "The weight of " + t.key(key) +
           " is **fixed by the output**: no mix of the other values can stand in for its "
           "own. Choose another key.";
  const double moved = t.at("moved");
  if (t.state.move == 0)
    return "Nothing has moved yet. Drag the slider: weight goes from " + t.key(key) +
           " to others or back, and the "
           "output will stay **the same**.";
  if (moved < 0.005)
    return "Some weight is 0 already, and none can fall below: in this direction nothing can move. Drag the slider the "
           "other way, or raise the temperature.";
  return "The weights a give " + t.key(key) + " **" + percent(t.at("a", 0, key)) + "**, the weights a′ **" +
         percent(t.at("a_other", 0, key)) + "**. " + percent(moved) +
         " of the weight has moved, and the output is **the same**: it does not tell which weights made it.";
}

std::string tell_values(const Told& t) {
  const int key = chosen_key(t.state, t.trace);
  const double factor = t.state.factor;
  const Matrix& outputs = t.trace.at("outputs_changed").values;
  const double apart = static_cast<double>((outputs.row(1) - outputs.row(0)).cwiseAbs().maxCoeff());
  if (apart < kRounding)
    return "Nothing is changed: the value of " + t.key(key) +
           " is as it was. Multiply it, and the output changes while "
           "every weight stays.";
  std::string text = "The value of " + t.key(key) + " times " + brief(factor) + ": its weight is still " +
                     bold(percent(t.at("a", 0, key))) + ", but what it adds went from " +
                     fixed(t.at("contribution", 0, key)) + " to " + bold(fixed(t.at("contribution", 1, key)));
  return text + ". A map of weights looks **the same** for both.";
}

std::string tell_axis(const Told& t) {
  const Matrix& sums = t.trace.at("row_sum_wrong").values;
  const Matrix& outside = t.trace.at("outside").values;
  const auto beyond = (outside.array() > 0).count();
  const std::string low = fixed(static_cast<double>(sums.minCoeff())),
                    high = fixed(static_cast<double>(sums.maxCoeff()));
  const std::string text = "Softmax **down** the queries: each column sums to 1, each row to " +
                           (low == high ? bold(low) : "between " + bold(low) + " and " + bold(high)) +
                           ", and no error is raised. ";
  if (beyond > 0)
    return text + io::count_of(beyond, "number") + " of the output " + (beyond == 1 ? "lies" : "lie") +
           " outside of what the values span, as no mean can.";
  return text + "No output lies outside of what the values span, so only the sums tell that these are no means.";
}

std::string tell_claims(const Told& t) {
  static constexpr Tell* tells[] = {tell_importance, tell_high, tell_angle, tell_certain, tell_square, tell_identical};
  return tells[static_cast<int>(t.state.claim)](t);
}

std::string narrate(const State& state, const Trace& trace, const View& view) {
  return row_at(view.place).tell({state, trace});
}

std::optional<Question> ask(const State& state, const Trace& trace) {
  const int keys = trace.at("a").columns();
  const Matrix& output = trace.at("one_output").values;
  const std::string each = io::format_fixed(1.0 / keys, 3);
  std::string sum;
  for (Eigen::Index j = 0; j < std::min<Eigen::Index>(output.cols(), 2); ++j)
    sum += (j > 0 ? ", " : "") + brief(static_cast<double>(output(0, j)));
  if (output.cols() > 2) sum += " and so on";
  Question question{
      .text = "A heatmap of one query over " + std::to_string(keys) + " keys shows 1.000 for each. What happened?",
      .options = {"all scores are equal", "the softmax ran over the queries", "it attends to all, fully"},
      .correct = 1,
      .answer = "Over the queries there is only **one** to share with, so every weight is **1**, they sum to " +
                std::to_string(keys) + ", and the output is the plain sum of the values, (" + sum +
                "). Equal scores give **" + each + "** each; more than a sum of 1 there is not.",
      .reveal = {{"claim", "high"}}};
  if (state.claim == Claim::high) {
    question.back = {"claim", std::string(kClaims[0].value)};
    question.back_label = "Back to " + std::string(kClaims[0].label);
  }
  return question;
}

std::string provenance(const State& state) {
  static constexpr std::string_view of_preset[] = {
      "Numbers made up for an article’s idea of a review whose words praise and blame.",
      "An article’s sequence of 10 positions, hidden size 128, drawn at random from the seed.",
      "Queries, keys and values of the article “day 1”, set by hand.",
      "Embeddings and matrices of the article “she likes coffee”, set by hand."};
  // What a claim has of its own, whatever the example.
  static constexpr std::string_view of_claim[] = {
      "",
      "",
      "arrows set by hand",
      "scores set by hand",
      "vectors drawn from the seed",
      "embeddings of the article “she likes coffee”, matrices drawn from the seed"};
  std::string text;
  if (const std::string_view own = of_claim[static_cast<int>(state.claim)]; !own.empty())
    text = "Step " + std::to_string(number_of(steps(), "claims")) + ": " + std::string(own) + ". The other steps: ";
  text += of_preset[static_cast<int>(state.preset)];
  text +=
      " Nothing is trained. After an article’s list of challenges; Jain & Wallace, Wiegreffe & Pinter 2019; Kobayashi "
      "et al., Brunner et al. 2020.";
  return state.edited() ? text + " **Edited by you.**" : text;
}

}  // namespace limelight::scenes::limits
