// Score in words: narration and the question. Every number comes from the trace.

#include "io/numbers.h"
#include "io/utf8.h"
#include "scenes/score/steps.h"

namespace limelight::scenes::score {
namespace {

std::string degrees(double value) { return io::format_fixed(value, 0) + "°"; }

// To single precision, all keys as long as each other.
bool equal_lengths(const Told& t) {
  const Matrix& lengths = t.trace.at("lengths").values;
  return lengths.maxCoeff() - lengths.minCoeff() < 1e-5F * lengths.maxCoeff();
}

}  // namespace

std::string tell_arrows(const Told& t) {
  for (int j = 0; j < kKeys; ++j)
    if (!has_angle(t.trace, j))
      return (t.at("length", 0, 0) > 0 ? t.key(j) : bold(t.query)) +
             " points nowhere: a vector of **length 0** has no angle and no cosine, and its dot products are 0. Drag "
             "its "
             "tip away from the origin.";
  const int dot = t.winner_of("scores", 0), cosine = t.winner_of("scores", 2);
  const auto away = [&](int j) { return degrees(t.at("angles", 0, j)) + " from " + bold(t.query); };
  if (equal_lengths(t))
    return "All keys are **equally long**, so the dot product ranks them as their angles do: " + t.key(cosine) +
           " first, " + away(cosine) + ". Make another one longer and see.";
  if (dot != cosine)
    return "The dot product is largest for " + t.key(dot) + ", " + away(dot) + ", though " + t.key(cosine) +
           " is only " + degrees(t.at("angles", 0, cosine)) + " away: it is **not only the angle**, length counts too.";
  return t.key(dot) + " wins by angle and by dot product, but the lengths differ: make another key longer and see.";
}

std::string tell_scores(const Told& t) {
  constexpr std::pair<Scorer, const char*> scores[] = {{Scorer::dot, "dot product"},
                                                       {Scorer::scaled, "scaled dot"},
                                                       {Scorer::cosine, "cosine"},
                                                       {Scorer::general, "general"},
                                                       {Scorer::additive, "additive"}};
  std::vector<std::string> won;
  for (int j = 0; j < kKeys; ++j) {
    std::vector<std::string> by;
    for (const auto& [scorer, name] : scores)
      if (t.winner_of("scores", static_cast<int>(scorer)) == j) by.emplace_back(name);
    if (!by.empty()) won.push_back(t.key(j) + (won.empty() ? " wins by " : " by ") + io::all_of(by));
  }
  std::string text;
  for (std::size_t i = 0; i < won.size(); ++i) text += (i == 0 ? "" : "; ") + won[i];
  return text + ". General and additive have **learned parameters**: training says what is similar.";
}

std::string tell_weights(const Told& t) {
  const int best = t.winner_of("weights", 0);
  const Matrix& weights = t.trace.at("weights").values;
  const auto zeros = [&](Weigher weigher) { return (weights.row(static_cast<int>(weigher)).array() == 0).count(); };
  const auto underflown = zeros(Weigher::softmax), dropped = zeros(Weigher::sparsemax);
  return "From the same scores, softmax gives the key " + t.key(best) + " a weight of " +
         bold(percent(t.at("weights", 0, best))) +
         (underflown == 0   ? " and nobody exactly 0"
          : underflown == 1 ? " and one key less than the computer can hold"
                            : " and both others less than the computer can hold") +
         "; sparsemax gives this key " + bold(percent(t.at("weights", 2, best))) +
         (dropped == 0   ? " and drops nobody at this temperature."
          : dropped == 1 ? " and one key exactly 0."
                         : " and both others exactly 0.");
}

std::string tell_triangle(const Told& t) {
  return "A corner is one key alone, the middle all alike. Softmax stays **inside**, 1.5-entmax and sparsemax also "
         "reach the **edges**, hard only corners. Change the temperature, now " +
         brief(t.state.temperature) + ", and follow the dot.";
}

std::string tell_module(const Told& t) {
  return "A **hidden unit** is one of the 128 numbers that stand for a position. A small published module scores each "
         "unit on its own; softmax over the 10 positions makes weights of that, none above " +
         bold(percent(static_cast<double>(t.trace.at("unit_weights").values.maxCoeff()))) + ".";
}

std::string tell_sums(const Told& t) {
  const Matrix& sums = t.trace.at("sums").values;
  return "Each of the 128 hidden units spreads a weight of 1 over the positions. Added up as the published example "
         "plots "
         "them, they make " +
         bold(brief(t.at("total", 0, 0))) + ", not 1, and no position stands out: all have " +
         brief(static_cast<double>(sums.minCoeff())) + " to " + brief(static_cast<double>(sums.maxCoeff())) + ".";
}

std::string tell_context(const Told& t) {
  // A unit's score grows with the unit's own value at a position, so its context is never below its average.
  const Matrix more = t.trace.at("context").values - t.trace.at("average").values;
  return "Attention usually ends in a **context**: the encoder outputs, a vector for each position, mixed by the "
         "weights. "
         "This module stops before; its context would lie above their plain average in every unit, by **" +
         brief(static_cast<double>(more.mean()), 2) +
         "** in the mean: a unit gives most weight where it is largest itself.";
}

std::string tell_glance(const Told& t) {
  const int dot = t.winner_of("scores", 0), cosine = t.winner_of("scores", 2), best = t.winner_of("weights", 0);
  return t.key(dot) + " has the largest dot product" +
         (dot == cosine ? " and the smallest angle" : ", " + t.key(cosine) + " the smallest angle") + ". By the " +
         t.trace.at("scores").row_labels[static_cast<std::size_t>(t.state.scorer)] + " score, softmax gives the key " +
         t.key(best) + " a weight of " + percent(t.at("weights", 0, best)) + ".";
}

std::string narrate(const State& state, const Trace& trace, const View& view) {
  return row_at(view.place).tell({{state, trace}, key_names(state), std::string(query_name(state))});
}

std::optional<Question> ask(const State& state, const Trace& trace) {
  State before = state;
  before.doubled = false;
  const Trace was = state.doubled ? compute(before, {}) : trace;
  const int key = asked_key(was);
  if (key < 0) return std::nullopt;
  const std::string name = key_names(state)[static_cast<std::size_t>(key)];
  const auto at = [&](int row) { return static_cast<double>(was.at("scores").values(row, key)); };
  Question question{.text = "Make " + name +
                            " twice as long in the same direction. What happens to its dot product with " +
                            std::string(query_name(state)) + ", " + io::format_fixed(at(0), 2) +
                            ", and to their cosine, " + io::format_fixed(at(2), 2) + "?",
                    .options = {"both double", "only the dot product", "neither changes"},
                    .correct = 1,
                    .answer = "The dot product becomes **" + io::format_fixed(2 * at(0), 2) +
                              "**, the cosine stays **" + io::format_fixed(at(2), 2) +
                              "**: a dot product ranks keys by their angles only while all are equally long."};
  question.reveal = {{"doubled", "on"}};
  if (state.doubled) {
    question.back = {"doubled", "off"};
    question.back_label = "Back to its length";
  }
  return question;
}

}  // namespace limelight::scenes::score
