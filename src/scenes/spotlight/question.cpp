// What Spotlight asks at its end; the answer is computed.
#include "core/attention.h"
#include "figure/order.h"
#include "io/numbers.h"
#include "scenes/common/explain.h"
#include "scenes/common/row_words.h"
#include "scenes/spotlight/steps.h"

namespace limelight::scenes::spotlight {

std::optional<Question> ask(const State& state, const Trace& trace) {
  if (trace.find("Q") == nullptr) return std::nullopt;
  const std::vector<std::string> queries = told_apart(query_words(state));
  const std::vector<std::string> keys = state.given() ? told_apart(key_words(state)) : queries;
  const int n = static_cast<int>(keys.size());
  const int row = query_row(state);
  // A weight that was set by hand follows no temperature.
  if (n < 2 || recipes::set_in_row(state.weights, row)) return std::nullopt;
  // What the heaviest weight of the chosen row becomes when the temperature is halved: computed by doing it.
  const bool revealed = state.asked > 0;
  State before = state, after = state;
  if (revealed) before.temperature = state.asked;
  after.temperature = half_temperature(before.temperature);
  const Matrix &Q = trace.at("Q").values, &K = trace.at("K").values, &V = trace.at("V").values;
  const auto weights_of = [&](const State& of) {
    return attend_traced<float>(Q, K, V, options_of(of, static_cast<int>(K.cols()))).weights;
  };
  const Matrix& shown = trace.at("weights").values;
  const Matrix was = revealed ? weights_of(before) : shown, becomes = revealed ? shown : weights_of(after);
  const int best = largest_first(was, row)[0];
  const double now = was(row, best), then = becomes(row, best);
  const int correct = then > now + 0.0005 ? 0 : then < now - 0.0005 ? 2 : 1;
  const std::string old_temperature = io::format_exact(before.temperature);
  Question question{"**" + queries[static_cast<std::size_t>(row)] + "** gives **" +
                        keys[static_cast<std::size_t>(best)] + "** " + percent(now) +
                        ". If the temperature is halved, to " + io::format_short(after.temperature) +
                        ", it will give …",
                    {"more", "the same", "less"},
                    correct,
                    "It becomes **" + percent(then) + (revealed ? "**, as the figure shows now" : "**") +
                        ": a lower temperature stretches the gaps between scores, and "
                        "softmax turns gaps into ratios."};
  question.reveal = {{"temperature", io::format_exact(after.temperature)}, {"asked", old_temperature}};
  if (revealed) {
    question.back = {"temperature", old_temperature};
    question.back_label = "Back to " + io::format_short(before.temperature);
  }
  return question;
}

}  // namespace limelight::scenes::spotlight
