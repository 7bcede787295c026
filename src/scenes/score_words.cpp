// Score in words: narration and the question. Every number comes from the trace.
#include <algorithm>
#include <cmath>

#include "io/numbers.h"
#include "scenes/score.h"
#include "scenes/score_parts.h"

namespace limelight::scenes::score {
namespace {

std::string bold(std::string_view text) { return "**" + std::string(text) + "**"; }
std::string percent(double share) { return io::format_percent(share); }
std::string brief(double value) { return io::format_short(value); }
std::string degrees(double value) { return io::format_fixed(value, 0) + "°"; }

struct Told {
  const State& state;
  const Trace& trace;
  std::vector<std::string> keys;
  std::string query;

  [[nodiscard]] double at(std::string_view tensor, int i, int j) const {
    return static_cast<double>(trace.at(tensor).values(i, j));
  }
  [[nodiscard]] std::string key(int j) const { return bold(keys[static_cast<std::size_t>(j)]); }
  [[nodiscard]] int winner_of(std::string_view tensor, int row) const { return winner(trace.at(tensor).values, row); }
};

// To single precision, all keys as long as each other.
bool equal_lengths(const Told& t) {
  const Matrix& lengths = t.trace.at("lengths").values;
  return lengths.maxCoeff() - lengths.minCoeff() < 1e-5F * lengths.maxCoeff();
}

std::string tell_arrows(const Told& t) {
  if (!has_angle(t.trace, t.state.key))
    return "A vector of **length 0** points nowhere: it has no angle, its dot product with anything is 0, and its "
           "cosine "
           "is set to 0. Drag its tip away from the origin.";
  const int j = t.state.key;
  std::string text = bold(t.query) + " and " + t.key(j) + " are " + degrees(t.at("angles", 0, j)) +
                     " apart; their dot product is " + bold(io::format_fixed(t.at("scores", 0, j), 2)) + ". ";
  const int dot = t.winner_of("scores", 0), cosine = t.winner_of("scores", 2);
  if (equal_lengths(t))
    return text + "All keys are **equally long**, so here the dot product ranks them exactly as their angles do.";
  if (dot != cosine)
    return text + "It is the largest for " + t.key(dot) + ", though " + t.key(cosine) +
           " points closer to it: the dot product is **not only the angle**, length counts too.";
  return text + "The same key wins by angle and by dot product, but lengths differ: make another key longer and see.";
}

std::string tell_scores(const Told& t) {
  int count[kKeys] = {};
  for (int row = 0; row < 5; ++row) ++count[t.winner_of("scores", row)];
  const int most = static_cast<int>(std::max_element(count, count + kKeys) - count);
  std::string text = "Five scores of the same vectors: ";
  if (count[most] == 5)
    text += "all prefer " + t.key(most) + ". ";
  else
    text += t.key(t.winner_of("scores", 0)) + " wins by dot product, " + t.key(t.winner_of("scores", 2)) +
            " by cosine, " + t.key(t.winner_of("scores", 3)) + " by general and " + t.key(t.winner_of("scores", 4)) +
            " by additive. ";
  return text + "General and additive have **learned parameters**: training decides what “similar” means.";
}

std::string tell_weights(const Told& t) {
  const int best = t.winner_of("weights", 0);
  const Matrix& sparse = t.trace.at("weights").values;
  const auto zeros = (sparse.row(static_cast<int>(Weigher::sparsemax)).array() == 0).count();
  std::string text = "From the same scores, softmax gives " + t.key(best) + " " +
                     bold(percent(t.at("weights", 0, best))) + " and nobody exactly 0; sparsemax gives it " +
                     bold(percent(t.at("weights", 2, best)));
  text += zeros == 0   ? " and drops nobody at this temperature."
          : zeros == 1 ? " and one key exactly 0."
                       : " and " + std::to_string(zeros) + " keys exactly 0.";
  return text;
}

std::string tell_triangle(const Told& t) {
  return "A corner is one key alone, the middle all three alike. Along each line two scores keep their gap: softmax "
         "bends "
         "the plane of scores into the **inside**, 1.5-entmax and sparsemax also reach the edges, hard only the "
         "corners. "
         "Pink: where these scores land, and the way there as the temperature falls, now " +
         brief(t.state.temperature) + ".";
}

std::string tell_module(const Told& t) {
  const Matrix& scores = t.trace.at("tanh").values;
  return "An article’s module adds the projected hidden state to each encoder output and takes tanh; its heatmap "
         "titled "
         "“Attention Weights” shows **these scores**, from " +
         brief(static_cast<double>(scores.minCoeff())) + " to " + brief(static_cast<double>(scores.maxCoeff())) +
         ". The weights are their softmax over the positions, below: none exceeds " +
         bold(percent(static_cast<double>(t.trace.at("unit_weights").values.maxCoeff()))) + ".";
}

std::string tell_sums(const Told& t) {
  const Matrix& sums = t.trace.at("sums").values;
  return "Each hidden unit spreads a weight of 1 over the 10 positions. The article’s bars add up all 128 units, so "
         "they "
         "sum to " +
         bold(brief(t.at("total", 0, 0))) + ", not 1. From " + brief(static_cast<double>(sums.minCoeff())) + " to " +
         brief(static_cast<double>(sums.maxCoeff())) + ", all are close to 128 ÷ 10 = 12.8: nothing stands out.";
}

std::string tell_context(const Told& t) {
  const Matrix difference = t.trace.at("context").values - t.trace.at("average").values;
  const auto above = (difference.array() > 0).count();
  return "The article’s module stops at the weights. Attention would go on: multiply the encoder outputs by them and "
         "add up "
         "over the positions, the **context**. It lies above the plain average in " +
         bold(std::to_string(above)) + " of 128 units, by " + brief(static_cast<double>(difference.mean())) +
         " in the mean: a larger output gets a larger weight, whatever the hidden state.";
}

std::string tell_glance(const Told& t) {
  const int scorer = static_cast<int>(t.state.scorer);
  const int best = t.winner_of("weights", 0);
  return bold(t.query) + " meets three keys: " + t.key(t.winner_of("scores", 0)) + " has the largest dot product, " +
         t.key(t.winner_of("scores", 2)) + " the smallest angle. With the " +
         t.trace.at("scores").row_labels[static_cast<std::size_t>(scorer)] + " score, softmax gives " + t.key(best) +
         " " + percent(t.at("weights", 0, best)) + ".";
}

}  // namespace

std::string narrate(const State& state, const Trace& trace, const View& view) {
  using Tell = std::string (*)(const Told&);
  static constexpr Tell tells[] = {tell_arrows, tell_scores, tell_weights, tell_triangle,
                                   tell_module, tell_sums,   tell_context, tell_glance};
  return tells[view.place.step - 1]({state, trace, key_names(state), std::string(query_name(state))});
}

std::optional<Question> ask(const State& state, const Trace& trace) {
  State before = state;
  before.doubled = false;
  const Trace was = state.doubled ? compute(before, {}) : trace;
  const int key = asked_key(was);
  if (key < 0) return std::nullopt;
  const std::string name = key_names(state)[static_cast<std::size_t>(key)];
  const auto at = [&](int row) { return static_cast<double>(was.at("scores").values(row, key)); };
  Question question{
      .text = "Make " + name + " twice as long in the same direction. What happens to its dot product with " +
              std::string(query_name(state)) + ", " + io::format_fixed(at(0), 2) + ", and to their cosine, " +
              io::format_fixed(at(2), 2) + "?",
      .options = {"both double", "only the dot product", "neither changes"},
      .correct = 1,
      .answer = "The dot product becomes **" + io::format_fixed(2 * at(0), 2) + "**, the cosine stays **" +
                io::format_fixed(at(2), 2) + "**: a dot product is the angle only as long as all lengths are equal."};
  question.reveal = {{"doubled", "on"}};
  if (state.doubled) {
    question.back = {"doubled", "off"};
    question.back_label = "Back to its length";
  }
  return question;
}

}  // namespace limelight::scenes::score
