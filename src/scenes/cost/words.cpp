// Cost in words: narration and the question. Every number comes from the trace.
#include <algorithm>
#include <cmath>

#include "core/simd.h"
#include "scenes/cost/steps.h"

namespace limelight::scenes::cost {
namespace {

std::string slope_of(const Told& t, const Measured& quantity, int way) {
  return io::format_fixed(t.at(quantity.fit, way, Fit::exponent), 2);
}
std::string doubling(const Told& t, const Measured& quantity, int way) {
  return brief(t.at(quantity.fit, way, Fit::doubling), 2);
}
std::string range_of(const Told& t, const Measured& quantity, int way) {
  return "n = " + grouped(static_cast<int>(t.at(quantity.fit, way, Fit::from))) + " to " +
         grouped(static_cast<int>(t.at(quantity.fit, way, Fit::to)));
}

bool is_near_two(const Told& t, int way) { return std::abs(t.at("time_fit", way, Fit::exponent) - 2) < 0.25; }

}  // namespace

std::string tell_count(const Told& t) {
  return "Each of " + bold(grouped(t.state.n())) +
         " tokens weighs all of them: " + bold(many(t.here("growth", Growth::pairs))) + " weights, " +
         bytes(t.here("growth", Growth::space)) + ", and " + bold(many(t.here("growth", Growth::work))) +
         " products for scores and outputs. Twice as many tokens make four times as many of each.";
}

std::string tell_time(const Told& t) {
  const Measured& time = kQuantities[2];
  const int last = t.last_measured(Way::fused);
  if (last < 0)
    return "Counted, not yet timed: " + std::string("at n = ") + grouped(t.state.n()) + " softmax attention takes " +
           bold(many(t.here("products", Way::fused))) + " products, a window of " + window_name(t.state) + " keys " +
           many(t.here("products", Way::windowed)) + ", linear attention " +
           bold(many(t.here("products", Way::linear))) + ".";
  if (t.noisy(time, Way::fused) || t.noisy(time, Way::linear))
    return "These times lie around no line: something else ran meanwhile, or the clock is too coarse. **Too noisy to "
           "tell** how they grow; measure again.";
  if (!t.fitted(time, Way::fused) || !t.fitted(time, Way::linear))
    return "Measured so far up to n = " + grouped(size_at(last)) + ", where fused attention takes " +
           bold(duration(t.at("time", Way::fused, last))) + "; three sizes from " +
           grouped(static_cast<int>(time.from)) + " on make a slope.";
  const int both = std::min(last, t.last_measured(Way::linear));
  const double fused = t.at("time", Way::fused, both), linear = t.at("time", Way::linear, both);
  std::string text = "Measured here: doubling n multiplies the time of fused attention by " +
                     bold(doubling(t, time, Way::fused)) + " (slope " + slope_of(t, time, Way::fused) + ", " +
                     range_of(t, time, Way::fused) + ") and of linear attention by " +
                     bold(doubling(t, time, Way::linear)) + " (slope " + slope_of(t, time, Way::linear) + "). ";
  const bool slower = linear > fused;
  text += "At n = " + grouped(size_at(both)) + " fused takes " + duration(fused) + ", linear " + duration(linear) +
          ": " + bold(brief(slower ? linear / fused : fused / linear, 2) + " times") +
          (slower ? " as much." : " less.");
  return text;
}

std::string tell_memory(const Told& t) {
  const double traced = t.here("memory", Way::traced), fused = t.here("memory", Way::fused);
  std::string text = "At n = " + grouped(t.state.n()) + " all weights and what goes with them are " +
                     bold(bytes(traced)) + "; the same outputs without keeping weights need " + bold(bytes(fused)) +
                     ". Slopes " + slope_of(t, kQuantities[1], Way::traced) + " and " +
                     slope_of(t, kQuantities[1], Way::fused) + ": memory need not grow as n².";
  if (traced > kBudget) text += " This is beyond the budget of 256 MB.";
  return text;
}

std::string tell_others(const Told& t) {
  const int own = own_window(t.state);
  const double apart = t.at("near_window", 0, own);
  std::string text = "Over " + std::to_string(kNearTokens) + " tokens a window of " + window_name(t.state) + " takes " +
                     bold(io::format_percent(t.at("near_share", 0, own))) +
                     " of the products, and its output is off by " + bold(brief(apart, 2)) +
                     " times the full one’s size" + (apart > 1 ? ", further than answering 0 would be" : "") +
                     "; linear attention " + bold(io::format_percent(t.at("near_linear_share", 0, 0))) + ", and " +
                     bold(brief(t.at("near_linear", 0, 0), 2)) + ".";
  const int last = t.last_measured(Way::traced);
  if (t.at("near_linear_share", 0, 0) >= 1)
    text += " It is cheaper only beyond n = d + 1 = " + std::to_string(t.state.d + 1) + " tokens.";
  else if (last >= 0)
    text += " Traced is the same function as fused: they differ by " + brief(t.at("apart", Way::traced, last), 1) +
            ", rounding.";
  else
    text += " Cheaper, but other functions: a model must be trained with them.";
  return text;
}

std::string tell_simd(const Told& t) {
  const Measured& time = kQuantities[2];
  const std::string lanes = brief(t.at("lanes", 0, 0));
  const int last = t.last_measured(Way::scalar);
  if (last < 0)
    return "One SIMD instruction multiplies **" + lanes +
           "** pairs of numbers at once: at n = " + grouped(t.state.n()) + " **" + many(t.here("instructions", 0)) +
           "** instructions instead of " + many(t.here("instructions", 1)) + ". The line moves down; its slope stays.";
  const int at = std::min(last, t.state.at());
  std::string text = "Measured at n = " + grouped(size_at(at)) + ": " + duration(t.at("time", Way::scalar, at)) +
                     " without SIMD, " + duration(t.at("time", Way::fused, at)) + " with it, **" +
                     brief(t.at("ratio", 0, at), 2) + " times** as fast: " + lanes +
                     " numbers at once, more sums in registers" +
                     (simd::kFusedMultiplyAdd ? ", multiply and add fused." : ".");
  if (t.fitted(time, Way::scalar) && t.fitted(time, Way::fused))
    text += " Slopes " + slope_of(t, time, Way::scalar) + " and " + slope_of(t, time, Way::fused) +
            (is_near_two(t, Way::scalar) && is_near_two(t, Way::fused)
                 ? ": better code does not change how cost grows."
                 : "; near 2 each was to be expected: measure again.");
  return text;
}

std::string tell_glance(const Told& t) {
  const bool timed = t.fitted(kQuantities[2], Way::fused) && t.fitted(kQuantities[2], Way::linear);
  const Measured& cost = kQuantities[timed ? 2 : 0];
  const auto factor = [&](const Measured& of, int way) { return bold(doubling(t, of, way) + " times"); };
  const std::string what = timed ? " the time" : " the products";
  const std::string memory = factor(kQuantities[1], Way::traced) + " with all weights kept, " +
                             factor(kQuantities[1], Way::fused) + " without. ";
  // What softmax attention takes is asked.
  if (t.asks)
    return "With twice as many tokens memory grows by " + memory + (timed ? "Measured here, " : "Counted, ") +
           bold("linear") + " attention, which is another function, takes " + factor(cost, Way::linear) + what +
           ". And softmax attention? That is the question.";
  return std::string(timed ? "Measured here, twice as many tokens take " : "Counted, twice as many tokens take ") +
         factor(cost, Way::fused) + what + " in softmax attention. Its memory grows by " + memory +
         "To do better in time as well means another function: " + bold("linear") + " takes " +
         factor(cost, Way::linear) + ".";
}

std::string grouped(int value) {
  std::string text = std::to_string(value);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

std::string many(double value) {
  struct Unit {
    double size;
    const char* name;
  };
  static constexpr Unit units[] = {{1e12, " trillion"}, {1e9, " billion"}, {1e6, " million"}};
  for (const Unit& unit : units)
    if (value >= unit.size * 0.9995) return brief(value / unit.size) + unit.name;
  return grouped(static_cast<int>(std::lround(value)));
}

std::string bytes(double value) {
  static constexpr const char* units[] = {" B", " kB", " MB", " GB", " TB"};
  int unit = 0;
  for (; unit < 4 && value >= 999.5; ++unit) value /= 1000;
  return brief(value) + units[unit];
}

std::string duration(double milliseconds) {
  if (milliseconds < 0.9995) return brief(milliseconds * 1000) + " µs";
  if (milliseconds < 999.5) return brief(milliseconds) + " ms";
  return brief(milliseconds / 1000) + " s";
}

std::string window_name(const State& state) { return "±" + grouped(state.window); }

int Told::last_measured(int way) const {
  for (int size = kSizes - 1; size >= 0; --size)
    if (at("time", way, size) > 0) return size;
  return -1;
}

std::string narrate(const State& state, const Trace& trace, const View& view) {
  return row_at(view.place).tell({{state, trace}, view.asks});
}

std::optional<Question> ask(const State& state, const Trace& trace) {
  const Told t{{state, trace}};
  const bool revealed = state.asked > 0;
  const int from = revealed ? state.asked : state.n(), to = other_size(from);
  const bool more = to > from;
  const auto index = [](int n) {
    int size = 0;
    while (size_at(size) < n) ++size;
    return size;
  };
  const int before = index(from), after = index(to);
  Question question{.text = "Of n = " + grouped(from) + " tokens, softmax attention takes " +
                            many(t.at("products", Way::fused, before)) + " products. A text " +
                            (more ? "twice as long" : "half as long") + ", n = " + grouped(to) + ", takes …",
                    .options = {more ? "twice that" : "half that", more ? "four times that" : "a quarter of that",
                                more ? "eight times that" : "an eighth of that"},
                    .correct = 1,
                    .answer = {}};
  question.answer = "**" + many(t.at("products", Way::fused, after)) + "**: " +
                    (more ? "twice as many queries each meet twice as many keys."
                          : "half as many queries each meet half as many keys.");
  const double slow = t.at("time", Way::fused, std::max(before, after)),
               fast = t.at("time", Way::fused, std::min(before, after));
  if (slow > 0 && fast > 0)
    question.answer += " Of this pair, measured here, the longer takes **" + brief(slow / fast, 2) +
                       " times** as long; a slope is over all sizes.";
  question.answer +=
      " Linear attention would take " + std::string(more ? "twice" : "half") + ", but it is another function.";
  question.reveal = {{"n", std::to_string(to)}, {"asked", std::to_string(from)}};
  if (revealed) {
    question.back = {"n", std::to_string(from)};
    question.back_label = "Back to " + grouped(from);
  }
  return question;
}

}  // namespace limelight::scenes::cost
