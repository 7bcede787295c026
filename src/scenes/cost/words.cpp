// Cost in words: narration and the question. Every number comes from the trace.
#include "scenes/cost/words.h"

#include <algorithm>
#include <cmath>

#include "core/simd.h"

namespace limelight::scenes::cost {
namespace {

std::string slope_of(const Reader& r, const Measured& quantity, int way) {
  return io::format_fixed(r.at(quantity.fit, way, Fit::exponent), 2);
}
std::string doubling(const Reader& r, const Measured& quantity, int way) {
  return brief(r.at(quantity.fit, way, Fit::doubling), 2);
}
std::string range_of(const Reader& r, const Measured& quantity, int way) {
  return "n = " + grouped(static_cast<int>(r.at(quantity.fit, way, Fit::from))) + " to " +
         grouped(static_cast<int>(r.at(quantity.fit, way, Fit::to)));
}

std::string narrate_count(const Reader& r) {
  return "Each of " + bold(grouped(r.state.n())) +
         " tokens weighs all of them: " + bold(many(r.here("growth", Growth::pairs))) + " weights, " +
         bytes(r.here("growth", Growth::space)) + ", and " + bold(many(r.here("growth", Growth::work))) +
         " products for scores and outputs. Twice as many tokens make four times as many of each.";
}

std::string narrate_time(const Reader& r) {
  const Measured& time = kQuantities[2];
  const int last = r.last_measured(Way::fused);
  if (last < 0)
    return "Counted, not yet timed: " + std::string("at n = ") + grouped(r.state.n()) + " softmax attention takes " +
           bold(many(r.here("products", Way::fused))) + " products, a window of " + window_name(r.state) + " keys " +
           many(r.here("products", Way::windowed)) + ", linear attention " +
           bold(many(r.here("products", Way::linear))) + ".";
  if (r.noisy(time, Way::fused) || r.noisy(time, Way::linear))
    return "These times lie around no line: something else ran meanwhile, or the clock is too coarse. **Too noisy to "
           "tell** how they grow; measure again.";
  if (!r.fitted(time, Way::fused) || !r.fitted(time, Way::linear))
    return "Measured so far up to n = " + grouped(size_at(last)) + ", where fused attention takes " +
           bold(duration(r.at("time", Way::fused, last))) + "; three sizes from " +
           grouped(static_cast<int>(time.from)) + " on make a slope.";
  const int both = std::min(last, r.last_measured(Way::linear));
  const double fused = r.at("time", Way::fused, both), linear = r.at("time", Way::linear, both);
  std::string text = "Measured here: doubling n multiplies the time of fused attention by " +
                     bold(doubling(r, time, Way::fused)) + " (slope " + slope_of(r, time, Way::fused) + ", " +
                     range_of(r, time, Way::fused) + ") and of linear attention by " +
                     bold(doubling(r, time, Way::linear)) + " (slope " + slope_of(r, time, Way::linear) + "). ";
  const bool slower = linear > fused;
  text += "At n = " + grouped(size_at(both)) + " fused takes " + duration(fused) + ", linear " + duration(linear) +
          ": " + bold(brief(slower ? linear / fused : fused / linear, 2) + " times") +
          (slower ? " as much." : " less.");
  return text;
}

std::string narrate_memory(const Reader& r) {
  const double traced = r.here("memory", Way::traced), fused = r.here("memory", Way::fused);
  std::string text = "At n = " + grouped(r.state.n()) + " all weights and what goes with them are " +
                     bold(bytes(traced)) + "; the same outputs without keeping weights need " + bold(bytes(fused)) +
                     ". Slopes " + slope_of(r, kQuantities[1], Way::traced) + " and " +
                     slope_of(r, kQuantities[1], Way::fused) + ": memory need not grow as n².";
  if (traced > kBudget) text += " This is beyond the budget of 256 MB.";
  return text;
}

std::string narrate_others(const Reader& r) {
  const int own = own_window(r.state);
  const double apart = r.at("near_window", 0, own);
  std::string text = "Over " + std::to_string(kNearTokens) + " tokens a window of " + window_name(r.state) + " takes " +
                     bold(io::format_percent(r.at("near_share", 0, own))) +
                     " of the products, and its output is off by " + bold(brief(apart, 2)) +
                     " times the full one’s size" + (apart > 1 ? ", further than answering 0 would be" : "") +
                     "; linear attention " + bold(io::format_percent(r.at("near_linear_share", 0, 0))) + ", and " +
                     bold(brief(r.at("near_linear", 0, 0), 2)) + ".";
  const int last = r.last_measured(Way::traced);
  if (r.at("near_linear_share", 0, 0) >= 1)
    text += " It is cheaper only beyond n = d + 1 = " + std::to_string(r.state.d + 1) + " tokens.";
  else if (last >= 0)
    text += " Traced is the same function as fused: they differ by " + brief(r.at("apart", Way::traced, last), 1) +
            ", rounding.";
  else
    text += " Cheaper, but other functions: a model must be trained with them.";
  return text;
}

bool is_near_two(const Reader& r, int way) { return std::abs(r.at("time_fit", way, Fit::exponent) - 2) < 0.25; }

std::string narrate_simd(const Reader& r) {
  const Measured& time = kQuantities[2];
  const std::string lanes = brief(r.at("lanes", 0, 0));
  const int last = r.last_measured(Way::scalar);
  if (last < 0)
    return "One SIMD instruction multiplies **" + lanes +
           "** pairs of numbers at once: at n = " + grouped(r.state.n()) + " **" + many(r.here("instructions", 0)) +
           "** instructions instead of " + many(r.here("instructions", 1)) + ". The line moves down; its slope stays.";
  const int at = std::min(last, r.state.at());
  std::string text = "Measured at n = " + grouped(size_at(at)) + ": " + duration(r.at("time", Way::scalar, at)) +
                     " without SIMD, " + duration(r.at("time", Way::fused, at)) + " with it, **" +
                     brief(r.at("ratio", 0, at), 2) + " times** as fast: " + lanes +
                     " numbers at once, more sums in registers" +
                     (simd::kFusedMultiplyAdd ? ", multiply and add fused." : ".");
  if (r.fitted(time, Way::scalar) && r.fitted(time, Way::fused))
    text += " Slopes " + slope_of(r, time, Way::scalar) + " and " + slope_of(r, time, Way::fused) +
            (is_near_two(r, Way::scalar) && is_near_two(r, Way::fused)
                 ? ": better code does not change how cost grows."
                 : "; near 2 each was to be expected: measure again.");
  return text;
}

std::string narrate_glance(const Reader& r) {
  const bool timed = r.fitted(kQuantities[2], Way::fused) && r.fitted(kQuantities[2], Way::linear);
  const Measured& cost = kQuantities[timed ? 2 : 0];
  const auto factor = [&](const Measured& of, int way) { return bold(doubling(r, of, way) + " times"); };
  const std::string what = timed ? " the time" : " the products";
  const std::string memory = factor(kQuantities[1], Way::traced) + " with all weights kept, " +
                             factor(kQuantities[1], Way::fused) + " without. ";
  // What softmax attention takes is asked.
  if (r.asks)
    return "With twice as many tokens memory grows by " + memory + (timed ? "Measured here, " : "Counted, ") +
           bold("linear") + " attention, which is another function, takes " + factor(cost, Way::linear) + what +
           ". And softmax attention? That is the question.";
  return std::string(timed ? "Measured here, twice as many tokens take " : "Counted, twice as many tokens take ") +
         factor(cost, Way::fused) + what + " in softmax attention. Its memory grows by " + memory +
         "To do better in time as well means another function: " + bold("linear") + " takes " +
         factor(cost, Way::linear) + ".";
}

}  // namespace

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

int Reader::last_measured(int way) const {
  for (int size = kSizes - 1; size >= 0; --size)
    if (at("time", way, size) > 0) return size;
  return -1;
}

std::string narrate(const State& state, const Trace& trace, const View& view) {
  using Tell = std::string (*)(const Reader&);
  static constexpr Tell tell[] = {narrate_count,  narrate_time, narrate_memory,
                                  narrate_others, narrate_simd, narrate_glance};
  return tell[view.place.step - 1]({state, trace, view.asks});
}

std::optional<Question> ask(const State& state, const Trace& trace) {
  const Reader r{state, trace};
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
                            many(r.at("products", Way::fused, before)) + " products. A text " +
                            (more ? "twice as long" : "half as long") + ", n = " + grouped(to) + ", takes …",
                    .options = {more ? "twice that" : "half that", more ? "four times that" : "a quarter of that",
                                more ? "eight times that" : "an eighth of that"},
                    .correct = 1,
                    .answer = {}};
  question.answer = "**" + many(r.at("products", Way::fused, after)) + "**: " +
                    (more ? "twice as many queries each meet twice as many keys."
                          : "half as many queries each meet half as many keys.");
  const double slow = r.at("time", Way::fused, std::max(before, after)),
               fast = r.at("time", Way::fused, std::min(before, after));
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
