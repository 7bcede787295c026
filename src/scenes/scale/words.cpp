// Scale in words: narration and the question. Every number comes from the trace.
#include <cmath>

#include "io/numbers.h"
#include "scenes/scale/steps.h"

namespace limelight::scenes::scale {
namespace {

std::string root_of(int d) { return "√" + std::to_string(d); }
// "√64 = 8", with what the entries' own spread does to it.
std::string expected_spread(const State& state) {
  const std::string factor = state.spread() == 1 ? "" : brief(state.spread()) + " · ";
  return factor + root_of(state.d) + " = " + brief(state.deviation());
}

// What √d does not know of.
std::string besides(const State& state) {
  std::string text;
  if (state.spread() != 1)
    text = " √d takes entries of spread 1: these leave " + brief(state.spread()) + ", not 1, of the scores’ spread.";
  if (state.temperature != 1) text += " The temperature divides all of them by " + brief(state.temperature) + " more.";
  return text;
}

// How far the weights follow, by a raw score and by a divided one.
std::string compared(double raw, double root) {
  return std::string(raw < root / 2 ? "only " : "") + bold(brief(raw, 2)) + " undivided and " + bold(brief(root, 2)) +
         " divided by √d";
}

// Why the query's gradient falls behind later than the scores' does: it is theirs times the keys, which dividing by √d
// makes short.
std::string query_reason(const Told& t) {
  const double raw = t.median("gradient_query", kRaw), root = t.median("gradient_query", kRoot);
  const std::string length =
      "undivided, the keys’ length, about " + brief(t.state.sigma_k * std::sqrt(t.state.d), 2) + ", multiplies ";
  if (raw < root) return ", though " + length + "the change.";
  const int behind = falls_behind(t.state, t.trace);
  return ": " + length +
         (behind > 0 && raw > root ? "the change, which falls behind only from d = " + std::to_string(behind) + " on."
                                   : "the change.");
}

}  // namespace

std::string tell_product(const Told& t) {
  const std::string dot = "**q·k = " + io::format_fixed(t.at("scores", 0, 0), 2) + "**";
  const std::string typically = "typically to ±" + expected_spread(t.state) + ".";
  if (t.state.d == 1)
    return "With one entry each, one product is all of " + dot + "; over many pairs it comes " + typically;
  return std::to_string(t.state.d) + " products, some above and some below 0, sum to " + dot +
         ". Chance cancels out much of it but not all: the sum wanders off, " + typically;
}

std::string tell_spread(const Told& t) {
  const double measured = t.at("spread", 0, Spread::measured), error = t.at("spread", 0, Spread::sampling_error);
  const bool close = std::abs(measured - t.state.deviation()) <= 3 * error;
  std::string text = "Over " + brief(t.at("spread", 0, Spread::pairs), 6) +
                     " random pairs the standard deviation of q·k is " + bold(io::format_fixed(measured, 2)) +
                     (close ? ", close to " : ", by a rare chance off ") + expected_spread(t.state) +
                     " (give or take " + brief(error, 2) + ").";
  if (t.state.d <= 16) text += " With so few entries it is not normal: more often near 0, and more often far out.";
  const double beyond = t.at("spread", 0, Spread::beyond);
  if (beyond > 0.005) text += " " + percent(beyond) + " lie beyond the axis.";
  return text;
}

std::string tell_softmax(const Told& t) {
  const auto counted = [&](int way) { return brief(t.measure(way, Measure::effective), 2); };
  return "Not divided, one key takes " + bold(percent(t.measure(kRaw, Measure::largest))) + ", as if " + counted(kRaw) +
         " of " + std::to_string(t.state.keys) + " keys counted. Divided by " + root_of(t.state.d) +
         " the same scores give it " + bold(percent(t.measure(kRoot, Measure::largest))) + ", as if " +
         bold(counted(kRoot)) + " did, and divided by " + std::to_string(t.state.d) + " as if " + counted(kWhole) +
         " did." + besides(t.state);
}

std::string tell_gradient(const Told& t) {
  const std::string at = "At d = " + bold(std::to_string(t.state.d));
  if (t.state.curves == Curves::weights)
    return at + " the largest raw weight is typically " + bold(percent(t.median("largest", kRaw))) +
           "; divided by √d it is " + bold(percent(t.median("largest", kRoot))) +
           ", at this size and nearly at any other.";
  const double raw = t.median("gradient_score", kRaw), root = t.median("gradient_score", kRoot);
  if (root < 1e-3)
    return at + " the weights hardly follow the scores any more, divided by √d or not (" + bold(brief(root, 2)) +
           "): √d takes entries of spread 1 and the temperature 1. Here the scores still spread by " +
           bold(brief(t.state.spread() / t.state.temperature)) + " after it.";
  return at + ", if a **score** changes, the weights follow by " + compared(raw, root) +
         ". If the **query** changes, by " +
         compared(t.median("gradient_query", kRaw), t.median("gradient_query", kRoot)) + query_reason(t);
}

std::string tell_class(const Told& t) {
  return "As written, 512 features are compared instead of 6 tokens, and their scores are divided by 512² once more: "
         "all "
         "weights are **" +
         io::format_fixed(t.at("class", 0, ClassColumn::largest), 6) +
         " ≈ 1/512**. With its tokens as rows and 1/√512 alone, weights run from " +
         bold(percent(t.at("class", 1, ClassColumn::smallest))) + " to " +
         bold(percent(t.at("class", 1, ClassColumn::largest))) + ".";
}

std::string tell_glance(const Told& t) {
  return "At d = " + std::to_string(t.state.d) + " a raw score is typically " + bold("±" + brief(t.state.deviation())) +
         ", and one key takes " + bold(percent(t.measure(kRaw, Measure::largest))) + ". Divided by " +
         root_of(t.state.d) + " it is typically ±" + brief(t.state.spread()) + ", and the weights are spread as if " +
         brief(t.measure(kRoot, Measure::effective), 2) + " of " + std::to_string(t.state.keys) + " keys counted." +
         besides(t.state);
}

int falls_behind(const State& state, const Trace& trace) {
  const Matrix& medians = trace.at("gradient_query").values;
  const std::vector<int> sizes = curve_sizes(state);
  int from = 0;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    const auto at = [&](int way) { return medians(way * Band::count + Band::median, static_cast<Eigen::Index>(i)); };
    if (at(kRaw) >= at(kRoot)) break;
    from = sizes[i];
  }
  return from;
}

std::string narrate(const State& state, const Trace& trace, const View& view) {
  return row_at(view.place).tell({state, trace});
}

std::optional<Question> ask(const State& state, const Trace& trace) {
  const bool revealed = state.asked > 0;
  const int from = revealed ? state.asked : state.d, to = other_size(from);
  const bool longer = to > from;
  const double before = state.spread() * std::sqrt(from), after = state.spread() * std::sqrt(to);
  const std::string share = percent(static_cast<double>(trace.at("measures").values(kRaw, Measure::largest)));
  Question question{"At d = " + std::to_string(from) + " a raw score is typically ±" + brief(before) + ". With " +
                        (longer ? "four times" : "a quarter") +
                        " as many numbers in q and k, d = " + std::to_string(to) + ", what will it be?",
                    {"the same", longer ? "twice that" : "half that", longer ? "four times that" : "a quarter of that"},
                    1,
                    "Typically **±" + brief(after) + "**: the variance grows as d, so the deviation as √d" +
                        (revealed ? ". The figure shows it now, and one key’s raw weight is " + share : std::string()) +
                        ". Divided by √d it stays at ±" + brief(state.spread()) + "."};
  question.reveal = {{"d", std::to_string(to)}, {"asked", std::to_string(from)}};
  if (revealed) {
    question.back = {"d", std::to_string(from)};
    question.back_label = "Back to " + std::to_string(from);
  }
  return question;
}

}  // namespace limelight::scenes::scale
