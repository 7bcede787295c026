// Spotlight's narration. Every number comes from the trace.
#include <algorithm>
#include <cmath>
#include <string_view>

#include "figure/panels.h"
#include "io/numbers.h"
#include "io/utf8.h"
#include "scenes/common/explain.h"
#include "scenes/common/missing.h"
#include "scenes/common/sentence.h"
#include "scenes/common/words.h"
#include "scenes/place.h"
#include "scenes/spotlight/examples.h"
#include "scenes/spotlight/steps.h"

namespace limelight::scenes::spotlight {
namespace {

// A word in a sentence of ours: its beginning, where it is very long.
std::string in_sentence(std::string_view word) {
  constexpr int longest = 24;
  return io::ellipsize(io::without_directions(word), longest);
}

// "**she** gives 36 % of its attention to **coffee**, 34 % to itself and 30 % to **likes**."
std::string who_looks_at_whom(const Told& told) {
  const State& state = told.state;
  const std::vector<std::string>&queries = told.queries, &keys = told.keys;
  const Matrix& weights = told.trace.at("weights").values;
  const int row = told.row;
  const std::vector<int> order = largest_first(weights, row);
  const auto name = [&](int j) {
    return !state.given() && j == row
               ? std::string("itself")
               : pointing(keys[static_cast<std::size_t>(j)], figure::cell_id({"weights", row, j}), MeansA::weight);
  };
  std::string text = bold(queries[static_cast<std::size_t>(row)]) + " gives " + percent(weights(row, order[0])) +
                     " of its attention to " + name(order[0]);
  if (order.size() == 1) return text + ": there is no other word.";
  // The next two, when they are more than what each would get if all got the same.
  std::size_t shown = 1;
  while (shown < std::min<std::size_t>(order.size(), 3) &&
         weights(row, order[shown]) >= 0.9F / static_cast<float>(order.size()))
    ++shown;
  for (std::size_t i = 1; i < shown; ++i)
    text += (i + 1 == shown ? " and " : ", ") + percent(weights(row, order[i])) + " to " + name(order[i]);
  if (weights.maxCoeff() < 0.15F && normalise_of(state, told.view.compact()) == figure::Normalise::zero_one)
    return text + ". All weights are small: choose colours **row** to tell them apart.";
  return text + ".";
}

// ", its embedding, here made from its letters. "
std::string where_numbers_come_from(const State& state) {
  return std::string(", its **embedding**, ") +
         (state.by_rule() ? "here made from its letters. " : "here chosen by hand. ");
}

std::string masked_sentence(const State& state) {
  return state.mask == Masking::causal ? " The causal mask hides every word that comes later." : "";
}

}  // namespace

std::string fox_words(const Matrix& values, int row, Strengths strengths) {
  std::string text;
  std::vector<int> order = largest_first(values, row);
  // What is fainter is beside the point, but where strengths are told.
  const float least = std::max(0.51F, strengths == Strengths::told ? 0 : 0.55F * values.row(row).maxCoeff());
  std::erase_if(order, [&](int j) { return values(row, j) < least; });
  for (std::size_t i = 0; i < order.size(); ++i) {
    text += i == 0 ? "" : i + 1 == order.size() ? " and " : ", ";
    text += fox_features()[static_cast<std::size_t>(order[i])].phrase;
    if (strengths == Strengths::told) text += " (" + io::format_short(values(row, order[i])) + ")";
  }
  return text.empty() ? "nothing" : text;
}

std::string extent(const Tensor& tensor) {
  return std::to_string(tensor.rows()) + "×" + std::to_string(tensor.columns());
}

bool weights_set_in(const State& state, int row) { return recipes::set_in_row(state.weights, row); }

int best_key(const Trace& trace, std::string_view tensor, int row) {
  Eigen::Index best = 0;
  trace.at(tensor).values.row(row).maxCoeff(&best);
  return static_cast<int>(best);
}

std::vector<std::string> told_apart(const std::vector<std::string>& words) {
  std::vector<int> before(words.size()), after(words.size());  // how often each stands there
  for (std::size_t i = 0; i < words.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (words[i] == words[j]) ++before[i], ++after[j];
  std::vector<std::string> told;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string name = io::decode_utf8(words[i]).size() < 2 ? "“" + words[i] + "”" : in_sentence(words[i]);
    if (before[i] + after[i] > 0) name += " (" + std::to_string(before[i] + 1) + ")";
    told.push_back(std::move(name));
  }
  return told;
}

namespace {

// A query by its name, which points to its word.
std::string lamp_of(const Told& told, int row) {
  const std::string& name = told.queries[static_cast<std::size_t>(row)];
  return told.state.given() ? bold(name) : pointing(name, word_id(row), MeansA::query);
}

constexpr std::size_t kNamed = 3;  // words in one sentence

// Of `count` words that could be named: `most`; or one more, where only that would be left out of three.
std::size_t named_of(std::size_t count, std::size_t most) {
  return most == kNamed && count == kNamed + 1 ? count : std::min(count, most);
}

std::string and_more(std::size_t count) { return count == 0 ? "" : " and " + std::to_string(count) + " more"; }

// "**jumped** looks most at **fox**, 52 % of its light, and at **over**, 34 %", as far as they get more than all would
// get if all got the same.
std::string where_light_falls(const Told& told) {
  const Matrix& weights = told.trace.at("weights").values;
  const std::vector<int> order = largest_first(weights, told.row);
  const auto name = [&](int key) {
    return !told.state.given() && key == told.row
               ? std::string("itself")
               : pointing(told.keys[static_cast<std::size_t>(key)], figure::cell_id({"weights", told.row, key}),
                          MeansA::weight);
  };
  const auto share = [&](std::size_t i) { return percent(weights(told.row, order[i])); };
  const float even = 1 / static_cast<float>(order.size());
  if (weights(told.row, order[0]) < 1.05F * even)
    return lamp_of(told, told.row) + " looks at all words alike, " + share(0) + " of its light on each";
  // The words that get as much as the one at `from`.
  const auto group = [&](std::size_t from) {
    std::size_t to = from;
    while (to < order.size() && share(to) == share(from)) ++to;
    return to;
  };
  const auto names = [&](std::size_t from, std::size_t to, std::size_t most) {
    const std::size_t shown = named_of(to - from, most);
    std::string text;
    for (std::size_t i = 0; i < shown; ++i)
      text += (i == 0 ? "" : i + 1 == shown && from + shown == to ? " and " : ", ") + name(order[from + i]);
    return text + and_more(to - from - shown);
  };
  const std::size_t first = group(0);
  std::string text = lamp_of(told, told.row) + " looks most at " + names(0, first, kNamed) + ", " + share(0) +
                     " of its light" + (first > 1 ? " each" : "");
  if (first >= kNamed || first == order.size() || weights(told.row, order[first]) <= even) return text;
  const std::size_t next = group(first);
  return text + ", and at " + names(first, next, kNamed - first) + ", " + share(first) +
         (next > first + 1 ? " each" : "");
}

// Whether the brightest word is not the only one that is as bright.
bool lights_some_alike(const Told& told) {
  const Matrix& weights = told.trace.at("weights").values;
  const std::vector<int> order = largest_first(weights, told.row);
  return order.size() > 1 && weights(told.row, order[0]) - weights(told.row, order[1]) < 0.005F;
}

}  // namespace

std::string tell_words(const Told& told) {
  const State& state = told.state;
  std::string text = told.keys.size() == 1 ? bold(told.query()) + " is alone, so all its light falls on itself"
                                           : where_light_falls(told);
  if (state.named())
    text += ": it looks for " + fox_words(told.trace.at("Q").values, told.row) +
            (lights_some_alike(told) ? ", wherever that stands" : "");
  text += ". ";
  if (state.trained)
    text += "A network trained on made-up English reads this, from [START] on. Nobody told its head " +
            std::to_string(state.head) + " in layer " + std::to_string(state.layer) +
            " where to look: it learned to, and " +
            (best_key(told.trace, "weights", told.row) == 0 ? "rests on [START] where nothing else fits. "
                                                            : "may look where no reader would. ");
  else if (!state.named())
    text += "Each word is a list of " + std::to_string(told.trace.at("X").columns()) + " numbers" +
            where_numbers_come_from(state);
  if (told.keys.size() == 1) return text;
  return text + hint(told.view.compact() || told.view.touch ? "Tap another word." : "Move along the sentence.");
}

std::string tell_x(const Told& told) {
  const State& state = told.state;
  const Trace& trace = told.trace;
  return "Each word’s numbers" + std::string(state.trained ? " become" : ", its embedding, become") +
         " a row of one table, the input matrix **X**, " + extent(trace.at("X")) + "." +
         (state.trained
              ? " They hold its place in the sentence, too, and come through LayerNorm. The last column is 1 for "
                "every word: what meets it in W is added to all, the **bias**."
              : "");
}

namespace {

// Whether the features have names and keys and values are the embeddings themselves.
bool named_alike(const Told& told) {
  return told.state.named() && told.trace.at("W_k").values.isIdentity() && told.trace.at("W_v").values.isIdentity();
}

}  // namespace

std::string tell_w(const Told& told) {
  const State& state = told.state;
  return "Three matrices translate " + std::string(state.trained ? "its numbers" : "an embedding") +
         " into what a word **looks for** (its query), what it **can be found by** (its key) and what it **passes "
         "on** (its value). " +
         (state.trained ? "These were **learned**, by head " + std::to_string(state.head) + " of layer " +
                              std::to_string(state.layer) + "; their last row is the bias."
                        : std::string("Here they are ") +
                              (named_alike(told)  ? "set by hand: a word is found by what it is, and passes that on"
                               : !state.by_rule() ? "set by hand"
                               : state.rule == Rule::identity ? "close to the identity"
                                                              : "drawn at random") +
                              "; in a real model they are learned.");
}

std::string tell_qkv(const Told& told) {
  const std::string row = std::to_string(told.row);
  if (told.state.given())
    return "Every word has a **query**, a **key** and a **value**: for " + bold(told.query()) +
           " they are rows of Q, K and V.";
  const auto row_of = [&](const char* tensor) { return std::string(tensor) + ".row." + row; };
  return "The three matrices make of " + pointing(told.query(), row_of("X"), MeansA::query) + " a **query** (" +
         pointing("what it looks for", row_of("Q"), MeansA::query) + "), a **key** (" +
         pointing("what it is found by", row_of("K"), MeansA::key) + ") and a **value** (" +
         pointing("what it passes on", row_of("V"), MeansA::value) + ").";
}

std::string tell_scores(const Told& told) {
  const auto [tensor, row, key] = told_score(told.trace, told.view, told.row);
  const int best = best_key(told.trace, "scores", told.row);
  const Matrix& scores = told.trace.at("scores").values;
  const std::string score = bold(io::format_fixed(scores(row, key), decimals_for(scores, 3)));  // as the figure has it
  const auto name = [&](int j) {
    return pointing(told.keys[static_cast<std::size_t>(j)], figure::cell_id({"scores", row, j}), MeansA::key);
  };
  const std::string computed = ", number times number and added up, is " + score + ".";
  if (!told.shows_result()) return "Each query meets each key.";
  const std::string meets = "Each query meets each key. ";
  if (row != told.row || key != best)
    return meets + bold(told.queries[static_cast<std::size_t>(row)]) + " meets " +
           bold(told.keys[static_cast<std::size_t>(key)]) + ": their dot product" + computed;
  std::vector<int> alike;  // score the same
  for (int j = 0; j < static_cast<int>(scores.cols()); ++j)
    if (j != best && scores(row, best) - scores(row, j) < 0.0005F) alike.push_back(j);
  return meets + pointing(told.query(), "Q.row." + std::to_string(row), MeansA::query) + " scores highest with " +
         name(best) + (alike.size() == 1 ? " and " + name(alike[0]) : and_more(alike.size())) + ": " +
         (alike.empty() ? "their dot product" : "the dot product with each") + computed;
}

std::string tell_scale(const Told& told) {
  const State& state = told.state;
  const Trace& trace = told.trace;
  const int row = told.row;
  const int best = best_key(trace, "scores", row);
  const std::string from = fixed(trace.at("scores").values(row, best), 2);
  const std::string to = bold(fixed(trace.at("scaled").values(row, best), 2));
  const int size = trace.at("K").columns();
  if (state.scale == Scale::off && state.temperature == 1)
    return "Here the scores are **not scaled**. With " + std::to_string(size) +
           " numbers in a key that does little harm; with hundreds softmax would saturate: one weight near 1, the "
           "others near 0." +
           masked_sentence(state);
  if (state.mask == Masking::causal && best > row)
    return "The scores are scaled, and the causal mask hides every word that comes later: **−∞** becomes weight 0.";
  const std::string temperature = "divided by the temperature " + io::format_short(state.temperature);
  std::string how;
  if (state.scale == Scale::root)
    how = "divided by √" + std::to_string(size) + " = " + io::format_short(std::sqrt(size)) + ", since a key has " +
          io::count_of(size, "number");
  if (state.scale == Scale::own) how = "multiplied by " + io::format_short(state.factor);
  if (state.temperature != 1) how += (how.empty() ? "" : " and ") + temperature;
  return "Every score is " + how + ": " + from + " becomes " + to +
         (state.scale == Scale::root && state.temperature == 1
              ? ". Keys of many numbers make scores that lie far apart, and one word would get all the light: the "
                "division "
                "undoes that."
              : ".") +
         masked_sentence(state);
}

namespace {

// What softmax makes of the two largest scores of a row: how much one leads by says how many times the light it gets.
std::string lead_of(const Told& told) {
  const Trace& trace = told.trace;
  const int row = told.row;
  const Matrix& scaled = trace.at("scaled").values;
  const std::vector<int> order = largest_first(scaled, row);
  const auto name = [&](std::size_t i) {
    return !told.state.given() && order[i] == row
               ? std::string("itself")
               : pointing(told.keys[static_cast<std::size_t>(order[i])], figure::cell_id({"weights", row, order[i]}),
                          MeansA::weight);
  };
  const auto score = [&](std::size_t i) { return static_cast<double>(scaled(row, order[i])); };
  const std::string shares = "**Softmax** shares one lamp's light among the words. ";
  if (!told.shows_result()) return shares;
  const std::string asks = lamp_of(told, row);
  if (order.size() < 2 || std::isinf(score(1)))
    return shares + asks + " sees one word only, " + name(0) + ", which gets all of it.";
  const double lead = score(0) - score(1);
  const auto alike = static_cast<std::size_t>(
      std::ranges::count_if(order, [&](int j) { return score(0) - static_cast<double>(scaled(row, j)) < 0.005; }));
  if (alike > 1)
    return shares + "For " + asks + ", " + name(0) + (alike > 2 ? ", " : " and ") + name(1) + and_more(alike - 2) +
           " score the same, " + fixed(score(0), 2) +
           ", and get the same: " + percent(trace.at("weights").values(row, order[0])) + " each.";
  // So many digits that what is seen subtracts to what is seen.
  const auto rounded = [](double value, int decimals) {
    return std::round(value * std::pow(10, decimals)) / std::pow(10, decimals);
  };
  int decimals = 2;
  while (decimals < 4 && std::abs(rounded(score(0), decimals) - rounded(score(1), decimals) - rounded(lead, decimals)) >
                             0.5 * std::pow(10, -decimals))
    ++decimals;
  return shares + "For " + asks + ", " + name(0) + " scores " + fixed(score(0), decimals) + ", " + name(1) + " " +
         fixed(score(1), decimals) + ": a lead of " + fixed(lead, decimals) + " gives " +
         bold(io::format_short(std::exp(lead), lead < 0.1 ? 3 : 2) + " times") + " the light, e ≈ 2.72 to the power " +
         fixed(lead, decimals) + ".";
}

}  // namespace

std::string tell_softmax(const Told& told) {
  const State& state = told.state;
  const Trace& trace = told.trace;
  const int row = told.row;
  const std::string word = bold(told.query());
  const float maximum = trace.at("maximum").values(row, 0);
  const float sum = trace.at("sum").values(row, 0);
  const int best = best_key(trace, "weights", row);
  switch (told.view.place.part) {
    case 1:
      return "**Softmax** makes of scores shares of one lamp’s light, in four steps. First 0 is moved to the largest "
             "of each row, " +
             bold(fixed(maximum, 2)) + " in the row of " + word +
             ": the differences stay, which alone count, and the next numbers are small.";
    case 2:
      return "Then e ≈ 2.718 to the power of each, exp: nothing is below 0, and what was 1 less becomes 2.718 times "
             "less. "
             "In the row of " +
             word + " the largest becomes exp(0) = 1" +
             (std::isinf(trace.at("shifted").values.row(row).minCoeff()) ? ", and what is masked becomes "
                                                                         : " and the smallest ") +
             bold(fixed(trace.at("exponentials").values.row(row).minCoeff())) + ".";
    case 3:
      if (!told.shows_result()) return "Each row is summed.";
      return "Each row is summed. The row of " + word + " sums to " + bold(fixed(sum, 2)) + ".";
    case 4: {
      if (weights_set_in(state, row))
        return "Last, each number would be divided by its row's sum; but a weight of " + word +
               " was set by hand, and the rest of its row was rescaled to sum to 1.";
      const float top = trace.at("exponentials").values(row, best);
      return "Last, each number is divided by its row's sum, " + fixed(top, 2) + " ÷ " + fixed(sum, 2) + " = " +
             bold(fixed(trace.at("weights").values(row, best), 2)) + ": one lamp is shared out.";
    }
    default:
      break;
  }
  if (weights_set_in(state, row))
    return who_looks_at_whom(told) + " Weights were set by hand: the rest of their row was rescaled to sum to 1.";
  return lead_of(told);
}

namespace {

// "a thing, a doer and a direction": what a row has at least half as much of as of what it has most.
std::string largest_features(const Tensor& tensor, int row) {
  Matrix kept = Matrix::Zero(1, tensor.columns());
  const float most = tensor.values.row(row).maxCoeff();
  for (int j = 0; j < tensor.columns(); ++j)
    if (most > 0 && tensor.values(row, j) >= most / 2) kept(0, j) = 1;
  return fox_words(kept, 0);
}

}  // namespace

std::string tell_output(const Told& told) {
  const Trace& trace = told.trace;
  const int row = told.row;
  const Matrix& weights = trace.at("weights").values;
  const int best = largest_first(weights, row)[0];
  // Where the largest number of a row is.
  const auto largest = [&](const char* tensor, int i) {
    return figure::cell_id({tensor, i, largest_first(trace.at(tensor).values, i)[0]});
  };
  const std::string poured = "The words’ " + pointing("values", largest("V", best), MeansA::value) +
                             " are added up, each as much as its word is lit.";
  if (!told.shows_result()) return poured;
  const std::string pours = poured + " " + lamp_of(told, row) + " ends up with ";
  const std::string then = told.state.given() ? "." : ". A model adds this to the word, through one more matrix.";
  if (told.state.named())
    return pours + pointing(largest_features(trace.at("output"), row), largest("output", row), MeansA::output) + then;
  return pours + pointing("a mixture", largest("output", row), MeansA::output) + ", " + percent(weights(row, best)) +
         " of it from " +
         pointing(told.keys[static_cast<std::size_t>(best)], figure::cell_id({"weights", row, best}), MeansA::weight) +
         then;
}

namespace {

// "**fox** and **over**": what a row's light falls on, as far as it gets clearly more than if all got the same; about
// `most`, and how many others get as much where equals are too many; empty where none does.
std::string lit_by(const Told& told, int row, std::size_t most) {
  constexpr float kClearly = 1.2F;
  const Matrix& weights = told.trace.at("weights").values;
  const std::vector<int> order = largest_first(weights, row);
  std::size_t lit = 0;
  while (lit < order.size() && weights(row, order[lit]) >= kClearly / static_cast<float>(order.size())) ++lit;
  const auto as_much = [&](std::size_t i) {  // as far as the figure says
    const float weight = weights(row, order[i]);
    return std::abs(weight - weights(row, order[most - 1])) < (weight < 0.1F ? 0.0005F : 0.005F);
  };
  std::size_t alike = std::min(lit, most);
  while (alike < lit && as_much(alike)) ++alike;
  std::size_t count = named_of(alike, most);
  if (count < alike) {  // of equals all are named or, after others, none
    std::size_t others = count;
    while (others > 0 && as_much(others - 1)) --others;
    if (others > 0) alike = others;
    if (alike <= kNamed) count = alike;
  }
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    const int key = order[i];
    const bool itself = !told.state.given() && key == row;
    text += i == 0 ? "" : i + 1 == count && count == alike ? " and " : ", ";
    text += itself ? "itself"
                   : pointing(told.keys[static_cast<std::size_t>(key)], figure::cell_id({"weights", row, key}),
                              MeansA::weight);
  }
  return text + and_more(alike - count);
}

// Another row, whose lamp is an example: the one with the largest weight; of equals the last.
std::optional<int> other_row(const Told& told) {
  const Matrix& weights = told.trace.at("weights").values;
  std::optional<int> best;
  for (int row = 0; row < static_cast<int>(weights.rows()); ++row)
    if (row != told.row && (!best || weights.row(row).maxCoeff() >= weights.row(*best).maxCoeff() - 1e-4F)) best = row;
  return best;
}

}  // namespace

std::string tell_glance(const Told& told) {
  const State& state = told.state;
  // Of a long sentence three words are named in all, so that there is no third line.
  const bool many = static_cast<int>(told.keys.size()) > kMostOnStage;
  const bool arcs = !many && !state.given() && !told.view.compact();
  std::string text = std::string("Every row of the map is one lamp") +
                     (told.view.compact() ? "" : ", every column a word in its light") +
                     (arcs ? ", every arc a weight. " : ". ");

  const std::string lit = lit_by(told, told.row, many ? kNamed - 1 : kNamed);
  text += lamp_of(told, told.row) + (told.keys.size() == 1 ? " is alone, so all its light falls on itself"
                                     : lit.empty()         ? " lights all words about alike"
                                                           : " lights " + lit);
  // On a phone the map has to be seen as well.
  const bool brief = told.view.compact();
  const std::optional<int> other = brief && state.by_rule() ? std::nullopt : other_row(told);
  if (const std::string shone = other ? lit_by(told, *other, many ? 1 : kNamed) : ""; !shone.empty())
    text += "; " +
            pointing(told.queries[static_cast<std::size_t>(*other)],
                     figure::cell_id({"weights", *other, best_key(told.trace, "weights", *other)}), MeansA::word) +
            " shines on " + shone;
  text += ".";
  if (told.trace.at("weights").values.maxCoeff() < 0.15F &&
      normalise_of(state, told.view.compact()) == figure::Normalise::zero_one)
    text += " All weights are small: choose colours **row** to tell them apart.";
  text += masked_sentence(state);
  if (brief) return text + (state.by_rule() ? " Its numbers know letters, not meanings." : "");
  return text +
         (state.trained
              ? " The matrices are **learned**, not random: what a head has learned to look for, it looks for in "
                "every sentence."
          : state.by_rule()
              ? " The numbers come from the letters alone, so these weights know nothing of what words mean."
              : "");
}

std::string narrate(const State& state, const Trace& trace, const View& view) {
  if (trace.find("Q") == nullptr) return words_of(view.missing.value_or(Missing{.label = std::string(kAwaited)}));
  const std::vector<std::string> queries = told_apart(query_words(state));
  const Told told{.state = state,
                  .trace = trace,
                  .view = view,
                  .queries = queries,
                  .keys = state.given() ? told_apart(key_words(state)) : queries,
                  .row = looked_at(state, view)};
  const Row& step = row_at(view.place);
  if (!state.given() || !step.given) return step.tell(told);
  const std::string shown = std::to_string(number_of(steps(), "qkv"));
  return "In this example Q, K and V are **given**: " + io::count_of(std::ssize(told.queries), "query") + ", " +
         io::count_of(std::ssize(told.keys), "key") + " and their values, with no words or W before them" +
         (step.step.id == "qkv" ? "." : ", so this step shows what step " + shown + " shows.");
}

}  // namespace limelight::scenes::spotlight
