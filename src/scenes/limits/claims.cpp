// The claims: an experiment for each, and what it says for and against it.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/analysis.h"
#include "core/attention.h"
#include "core/random.h"
#include "core/score.h"
#include "io/numbers.h"
#include "scenes/common/explain.h"
#include "scenes/common/words.h"
#include "scenes/limits/limits.h"

namespace limelight::scenes::limits {
namespace {

using Doubles = MatrixOf<double>;
using Labels = std::vector<std::string>;

// ---- weights = importance: leave one key out, share its weight among the others, and see what the output loses ----

void add_importance(Trace& trace, const State& state) {
  const Doubles V = trace.at("V").values.cast<double>();
  const Doubles z = trace.at("E").values.row(state.query).cast<double>() / state.temperature;
  const Doubles a = softmax(z), y = a * V;
  Doubles removal(1, a.cols());
  for (Eigen::Index j = 0; j < a.cols(); ++j) {
    Doubles masked = z;
    masked(0, j) = -std::numeric_limits<double>::infinity();
    removal(0, j) = (softmax(masked) * V - y).norm();
  }
  const Labels keys = trace.at("a").column_labels;
  trace.add("removal", removal.cast<float>(), {"change"}, keys);
  const double tau = ranked_pairs(trace.at("a").values, trace.at("removal").values).agreement();
  trace.add("agreement", Matrix::Constant(1, 1, static_cast<float>(tau)), {"rankings"}, {"Kendall"});
}

// ---- high for all: when every weight is 1 ----

void add_high(Trace& trace, const State& state) {
  const Tensor& V = trace.at("V");
  const int n = V.rows();
  const Doubles alone = trace.at("E").values.row(state.query).cast<double>().transpose();
  const Doubles one = softmax(alone).transpose();  // over the one query that there is
  const Doubles even = softmax(Doubles::Zero(1, n));
  trace.add("even", even.cast<float>(), {"equal scores"}, V.row_labels);
  trace.add("one_query", one.cast<float>(), {"one query"}, V.row_labels);
  trace.add("one_output", (one * V.values.cast<double>()).cast<float>(), {"one query"}, V.column_labels);
}

// ---- dot product = angle ----

void add_angle(Trace& trace, const State& state) {
  constexpr double sixty = std::numbers::pi / 3;
  const double along = std::atan2(0.6, 0.8);
  Doubles arrows(3, 2);
  arrows << 1.6, 1.2, 0.8, 0.6, state.length * std::cos(along + sixty), state.length * std::sin(along + sixty);
  const Doubles q = arrows.topRows(1), keys = arrows.bottomRows(2);
  const Doubles dot = score<double>(Score::dot, q, keys), cosine = score<double>(Score::cosine, q, keys);
  Doubles measures(2, 4);
  for (int i = 0; i < 2; ++i)
    measures.row(i) << keys.row(i).norm(), std::acos(std::clamp(cosine(0, i), -1.0, 1.0)) * 180 / std::numbers::pi,
        cosine(0, i), dot(0, i);
  trace.add("arrows", arrows.cast<float>(), {"jumped", "fox", "lazy"}, {"x", "y"});
  trace.add("angle_measures", measures.cast<float>(), {"fox", "lazy"}, {"length", "angle", "cosine", "q·k"});
}

// ---- 95 % sure ----

constexpr double kSure = 0.95;

void add_certain(Trace& trace, const State& state) {
  const Labels words{"The", "quick", "brown", "fox", "jumped", "over", "the", "lazy", "dog"};
  const auto count = static_cast<Eigen::Index>(words.size());
  Doubles scores = Doubles::Zero(1, count);
  scores(0, 3) = state.ahead;
  trace.add("ahead_weights", softmax(scores).cast<float>(), {"jumped"}, words);
  const double needed = std::log(kSure / (1 - kSure) * static_cast<double>(count - 1));
  trace.add("needed", Matrix::Constant(1, 1, static_cast<float>(needed)), {"ahead"}, {"needed"});
  const Given own = day1();
  const AttentionSteps<double> steps =
      attend_traced<double>(own.Q.cast<double>(), own.K.cast<double>(), own.V.cast<double>(), {.scale = own.scale});
  trace.add("example", steps.weights.cast<float>(), {"query 1", "query 2"}, {"key 1", "key 2", "key 3"});
}

// ---- ÷ d² as well ----

void add_square(Trace& trace, const State& state) {
  Random random(static_cast<std::uint64_t>(state.seed));
  Matrix M(kTokens, state.d);
  for (float& entry : M.reshaped<Eigen::RowMajor>()) entry = static_cast<float>(random.uniform());
  Labels tokens;
  for (int i = 1; i <= kTokens; ++i) tokens.push_back(std::to_string(i));
  const double d = state.d;
  const Doubles X = M.cast<double>();
  const Doubles scores = score<double>(Score::dot, X.topRows(1), X);
  Doubles weights(2, kTokens);
  weights.row(0) = softmax(scores / std::sqrt(d));
  weights.row(1) = softmax(scores / (std::sqrt(d) * d * d));
  Doubles output(1, 3);
  output << (weights.row(0) * X)(0, 0), (weights.row(1) * X)(0, 0), d * d * (weights.row(1) * X)(0, 0);
  const Matrix shown = weights.cast<float>();
  Matrix spread(2, 1);
  spread << effective_keys(shown);
  trace.add("M", M, tokens);
  trace.add("square_scores", scores.cast<float>(), {"token 1"}, tokens);
  trace.add("square_weights", shown, {"÷ √d", "÷ d²√d"}, tokens);
  trace.add("square_effective", spread, {"÷ √d", "÷ d²√d"}, {"effective keys"});
  trace.add("square_output", output.cast<float>(), {"first number"}, {"÷ √d", "÷ d²√d", "times d²"});
}

// ---- Q = K = V ----

void add_identical(Trace& trace, const State& state) {
  const Matrix X = coffee_X();
  const Labels words{"she", "likes", "coffee"};
  const Matrix W_q = random_weights(4, state.seed, "W_q"), W_k = random_weights(4, state.seed, "W_k");
  const Doubles x = X.cast<double>();
  const auto scores = [&](const Doubles& Q, const Doubles& K) { return Doubles(score<double>(Score::dot, Q, K) / 2); };
  const Doubles same = scores(x, x), own = scores(x * W_q.cast<double>(), x * W_k.cast<double>());
  const auto asymmetry = [](const Doubles& S) { return static_cast<float>((S - S.transpose()).cwiseAbs().maxCoeff()); };
  Matrix apart(1, 2);
  apart << asymmetry(same), asymmetry(own);
  trace.add("X", X, words);
  trace.add("W_q", W_q);
  trace.add("W_k", W_k);
  trace.add("S_same", same.cast<float>(), words, words);
  trace.add("S_own", own.cast<float>(), words, words);
  trace.add("asymmetry", apart, {"asymmetry"}, {"Q = K", "own W"});
}

// ---- verdicts ----

struct Court {
  const State& state;
  const Trace& trace;
  [[nodiscard]] double at(std::string_view tensor, int i, int j) const {
    return static_cast<double>(trace.at(tensor).values(i, j));
  }
};

Verdict judge_importance(const Court& c) {
  const Matrix &a = c.trace.at("a").values, &removal = c.trace.at("removal").values;
  const int heaviest = best_of(a), dearest = best_of(removal);
  const double tau = c.at("agreement", 0, 0);
  // The pair whose order weight and change disagree on most clearly.
  int more = -1, less = -1;
  float widest = 0;
  for (int i = 0; i < a.cols(); ++i)
    for (int j = 0; j < a.cols(); ++j) {
      const float lead = std::min(a(0, i) / a(0, j), removal(0, j) / std::max(removal(0, i), 1e-6F));
      if (a(0, i) > a(0, j) && removal(0, j) > removal(0, i) && lead > widest) {
        widest = lead;
        more = i;
        less = j;
      }
    }
  std::string right = heaviest == dearest
                          ? "Here the key with the largest weight, " + said_key(c.state, heaviest) +
                                ", is also the one that the output misses most."
                          : "The largest part of the mix, " + percent(static_cast<double>(a(0, heaviest))) +
                                ", is the value of " + said_key(c.state, heaviest) + ".";
  right += " A weight says how much of a value goes into the mix.";
  std::string simplified = more >= 0
                               ? said_key(c.state, more) + " has more weight than " + said_key(c.state, less) +
                                     ", yet without it the output changes less: by " + brief(removal(0, more)) +
                                     ", not " + brief(removal(0, less)) + "."
                               : "Here no pair ranks clearly apart; that is not so for every query and every value.";
  simplified += " Kendall’s τ of the two rankings, from 1, alike, to −1, opposite, is **" + io::format_fixed(tau, 2) +
                "**. And a value may hold what came from other words (Jain & Wallace 2019; but see Wiegreffe & Pinter "
                "2019).";
  return {"Introductions say, in our words:", "Attention weights show how important each word is.", std::move(right),
          std::move(simplified)};
}

Verdict judge_high(const Court& c) {
  const int n = c.trace.at("a").columns();
  std::string output;
  const Matrix& values = c.trace.at("one_output").values;
  for (int j = 0; j < std::min<int>(static_cast<int>(values.cols()), 3); ++j)
    output += (j > 0 ? ", " : "") + brief(values(0, j));
  if (values.cols() > 3) output += " and so on";
  return {
      "An article’s list of challenges, in our words:", "Attention saturates when it gives high weights to all inputs.",
      "Attention can fail to choose: with equal scores every key gets the same, **1/" + std::to_string(n) + " = " +
          brief(c.at("even", 0, 0)) + "**. That is diffuse attention, and it is a real failure.",
      "But " + std::to_string(n) +
          " weights that sum to 1 cannot all be high. A map that shows **1 for all** shows "
          "a softmax over the wrong axis, here over the one query that there is: the output is the sum of all "
          "values, (" +
          output +
          "), not a mean. “Saturated” usually means the opposite: collapsed on one key, "
          "with no gradient left."};
}

Verdict judge_angle(const Court& c) {
  const double fox = c.at("angle_measures", 0, 3), lazy = c.at("angle_measures", 1, 3);
  return {"An article called “day 1”, in our words:", "The dot product of query and key gives the angle between them.",
          "Sign and zero do come from the angle: q·k is 0 at a right angle. Among keys of **one length** it ranks as "
          "the angle does.",
          "q·k = |q| |k| cos θ: lengths count as well. " +
              std::string(lazy > fox + kRounding
                              ? "**lazy**, 60° away but " + brief(c.at("angle_measures", 1, 0)) + " long, scores " +
                                    brief(lazy) + " and beats **fox**, straight ahead, with " + brief(fox) + "."
                          : lazy < fox - kRounding
                              ? "At length " + brief(c.at("angle_measures", 1, 0)) + " **lazy** scores " + brief(lazy) +
                                    ", less than **fox**’s " + brief(fox) + "; longer than 2 it wins."
                              : "At length 2 both score " + brief(fox) + ", at angles of 0° and 60°.") +
              " The cosine alone is the angle."};
}

Verdict judge_certain(const Court& c) {
  const double fox = c.at("ahead_weights", 0, 3);
  return {"An article called “day 1”, in our words:", "A key that fits gets 95 % of the attention.",
          "It can: softmax grows exponentially. Among nine words the best score must be **" +
              brief(c.at("needed", 0, 0)) + "** ahead of the others for that.",
          "It depends on how far ahead it is, and on how many keys there are. Ahead by " + brief(c.state.ahead) +
              ", **fox** gets **" + percent(fox) + "**. In the article’s own three-key example the best gets " +
              percent(c.trace.at("example").values.maxCoeff()) + "."};
}

Verdict judge_square(const Court& c) {
  return {"An article’s class in NumPy, in our words:",
          "Scores are divided by d² too, and the output is multiplied back by d².",
          "Dividing by **√d** is right: for independent entries around 0 it keeps the spread of the scores from "
          "growing with d. Here token 1 gives itself " +
              percent(c.at("square_weights", 0, 0)) +
              ". (The class attends over features, not tokens; Scale shows that.)",
          "After a further d² = " + brief(static_cast<double>(c.state.d) * c.state.d) + " all weights are " +
              io::format_fixed(c.at("square_weights", 1, 0), 4) + ": " +
              io::format_fixed(c.at("square_effective", 1, 0), 3) +
              " effective keys of 6. Multiplying the **output** by d² undoes nothing, softmax lies between; it only "
              "turns " +
              brief(c.at("square_output", 0, 1)) + " into " + brief(c.at("square_output", 0, 2)) + "."};
}

Verdict judge_identical(const Court& c) {
  return {
      "An article on kinds of attention, in our words:", "In self-attention Q, K and V are one and the same matrix.",
      "All three come from **the same inputs** X: that is what makes it self-attention.",
      "Each has its own matrix W. With Q = K the scores are symmetric, across the diagonal they differ by **" +
          brief(c.at("asymmetry", 0, 0)) +
          "**: whatever **she** scores for **coffee**, coffee scores for her. With "
          "matrices of their own, here random, they differ by up to **" +
          brief(c.at("asymmetry", 0, 1)) + "**."};
}

}  // namespace

RankedPairs ranked_pairs(const Matrix& first, const Matrix& second) {
  // What differs by a rounding does not differ.
  const auto order = [](const Matrix& x, Eigen::Index i, Eigen::Index j) {
    const float apart = x(0, i) - x(0, j);
    return std::abs(apart) <= 1e-6F * std::max(1.F, std::abs(x(0, i))) ? 0 : apart > 0 ? 1 : -1;
  };
  RankedPairs pairs;
  for (Eigen::Index i = 0; i < first.cols(); ++i)
    for (Eigen::Index j = 0; j < i; ++j) {
      const int up_first = order(first, i, j), up_second = order(second, i, j);
      pairs.alike += up_first * up_second;
      pairs.first += up_first * up_first;
      pairs.second += up_second * up_second;
    }
  return pairs;
}

double RankedPairs::agreement() const { return first > 0 && second > 0 ? alike / std::sqrt(1. * first * second) : 0; }

void add_claims(Trace& trace, const State& state) {
  add_importance(trace, state);
  add_high(trace, state);
  add_angle(trace, state);
  add_certain(trace, state);
  add_square(trace, state);
  add_identical(trace, state);
}

Verdict judge(const State& state, const Trace& trace) {
  using Judge = Verdict (*)(const Court&);
  static constexpr Judge judges[] = {judge_importance, judge_high,   judge_angle,
                                     judge_certain,    judge_square, judge_identical};
  return judges[static_cast<int>(state.claim)]({state, trace});
}

}  // namespace limelight::scenes::limits
