// Spotlight's narration. Every number comes from the trace.
#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "figure/choreography.h"
#include "figure/panels.h"
#include "io/numbers.h"
#include "io/utf8.h"
#include "scenes/common/explain.h"
#include "scenes/common/missing.h"
#include "scenes/common/row_words.h"
#include "scenes/common/sentence.h"
#include "scenes/common/words.h"
#include "scenes/moment.h"
#include "scenes/place.h"
#include "scenes/spotlight/examples.h"
#include "scenes/spotlight/steps.h"

namespace limelight::scenes::spotlight {
namespace {

RowInWords row_of(const Told& told, int row) {
  return {told.trace.at(kWeights).values, row, told.keys, !told.state.given()};
}

// Where each row would need colours of its own.
std::string small_weights(const Told& told) {
  const bool small = told.trace.at(kWeights).values.maxCoeff() < 0.15F;
  if (!small || normalise_of(told.state, told.view.compact()) != figure::Normalise::zero_one) return "";
  return " All weights are small: choose colours **row** to tell them apart.";
}

// "**she** gives 36 % of its attention to **coffee**, 34 % to itself and 30 % to **likes**."
std::string who_looks_at_whom(const Told& told) {
  const RowInWords looks = row_of(told, told.row);
  const std::size_t count = looks.order.size();
  std::vector<std::string> given{percent(looks.number(0)) + " of its attention to " + looks.name(0)};
  // The next two, when they are more than what each would get if all got the same.
  const std::size_t shown = std::clamp<std::size_t>(looks.count_from(0.9F / static_cast<float>(count)), 1, kNamed);
  for (std::size_t i = 1; i < shown; ++i) given.push_back(percent(looks.number(i)) + " to " + looks.name(i));
  return bold(told.query()) + " gives " + io::all_of(given) + (count == 1 ? ": there is no other word." : ".") +
         small_weights(told);
}

std::string masked_sentence(const State& state) {
  return state.mask == Masking::causal ? " The causal mask hides every word that comes later." : "";
}

}  // namespace

std::string fox_words(const Matrix& values, int row, Strengths strengths) {
  std::vector<int> order = largest_first(values, row);
  // What is fainter is beside the point, but where strengths are told.
  const float least = std::max(0.51F, strengths == Strengths::told ? 0 : 0.55F * values.row(row).maxCoeff());
  std::erase_if(order, [&](int j) { return values(row, j) < least; });
  std::vector<std::string> said;
  for (const int j : order) {
    said.emplace_back(fox_features()[static_cast<std::size_t>(j)].phrase);
    if (strengths == Strengths::told) said.back() += " (" + io::format_short(values(row, j)) + ")";
  }
  return said.empty() ? "nothing" : io::all_of(said);
}

std::string extent(const Tensor& tensor) {
  return std::to_string(tensor.rows()) + "×" + std::to_string(tensor.columns());
}

int best_key(const Trace& trace, std::string_view tensor, int row) {
  Eigen::Index best = 0;
  trace.at(tensor).values.row(row).maxCoeff(&best);
  return static_cast<int>(best);
}

namespace {

// A query by its name, which points to its word.
std::string lamp_of(const Told& told, int row) {
  const std::string& name = told.queries[static_cast<std::size_t>(row)];
  return told.state.given() ? bold(name) : pointing(name, word_id(row), MeansA::query);
}

// Whether the brightest word is not the only one that is as bright.
bool lights_some_alike(const Told& told) {
  const RowInWords lit = row_of(told, told.row);
  return lit.order.size() > 1 && lit.number(0) - lit.number(1) < 0.005F;
}

// Whether the features have names and keys and values are the embeddings themselves.
bool named_alike(const Told& told) {
  return told.state.named() && told.trace.at("W_k").values.isIdentity() && told.trace.at("W_v").values.isIdentity();
}

// Where numbers have names, what most of a score comes from.
std::string why_of(const Told& told, int row, int key) {
  if (!told.state.named()) return "";
  int most = 0;
  told.trace.at(kQ).values.row(row).cwiseProduct(told.trace.at(kK).values.row(key)).maxCoeff(&most);
  return " It looks for " + std::string(fox_features()[static_cast<std::size_t>(most)].phrase) + ", and " +
         told.keys[static_cast<std::size_t>(key)] + " is one.";
}

// What softmax makes of the two largest scores of a row: how much one leads by says how many times the light it gets.
std::string lead_of(const Told& told) {
  const Trace& trace = told.trace;
  const int row = told.row;
  const Matrix& scaled = trace.at("scaled").values;
  const RowInWords scored{scaled, row, told.keys, !told.state.given()};
  const auto score = [&](std::size_t i) { return static_cast<double>(scored.number(i)); };
  const std::string shares = "**Softmax** shares one lamp’s light among the words. ";
  if (!told.shows_result()) return shares;
  const std::string asks = lamp_of(told, row);
  if (scored.order.size() < 2 || std::isinf(score(1)))
    return shares + asks + " sees one word only, " + scored.name(0) + ", which gets all of it.";
  const double lead = score(0) - score(1);
  std::size_t alike = 1;
  while (alike < scored.order.size() && score(0) - score(alike) < 0.005) ++alike;
  if (alike > 1)
    return shares + "For " + asks + ", " + scored.names(0, alike, 2) + " score the same, " + fixed(score(0), 2) +
           ", and get the same: " + percent(trace.at("weights").values(row, scored.order[0])) + " each.";
  // Of the scores as they are seen, so that they subtract to it.
  const int decimals = lead < 0.1 ? 3 : 2;
  const double step = std::pow(10, -decimals), seen = io::round_to(score(0), step) - io::round_to(score(1), step);
  return shares + "For " + asks + ", the score of " + scored.name(0) + " is " + fixed(score(0), decimals) +
         " and that of " + scored.name(1) + " " + fixed(score(1), decimals) + ": a lead of " + fixed(seen, decimals) +
         " gives " + bold(io::format_short(std::exp(lead), lead < 0.1 ? 3 : 2) + " times") +
         " the light, e ≈ 2.72 to the power " + fixed(seen, decimals) + ".";
}

// Where a head looks: as far ahead or back as most of its words do, else as the one that asks does.
std::string learned_way(const Told& told) {
  const int words = static_cast<int>(told.keys.size()) - 1;  // without [START]
  const auto away = [&](int row) { return best_key(told.trace, kWeights, row) - row; };
  const auto way = [](int off) {
    return off == 0 ? std::string("at the word itself")
                    : io::count_of(std::abs(off), "word") + (off > 0 ? " ahead" : " back");
  };
  const std::string head =
      "Its head " + std::to_string(told.state.head) + " in layer " + std::to_string(told.state.layer);
  for (int row = 1; row <= words; ++row) {
    int alike = 0;
    for (int other = 1; other <= words; ++other) alike += away(other) == away(row) ? 1 : 0;
    if (alike > 1 && 2 * alike > words)
      return head + " **learned** to look " + way(away(row)) + ": " + std::to_string(alike) + " of " +
             io::count_of(words, "word") + " and signs do. ";
  }
  if (best_key(told.trace, kWeights, told.row) == 0)
    return head + " **learned** where to look, and rests on [START] where nothing else fits. ";
  return head + " **learned** where to look: here " + way(away(told.row)) + ". ";
}

}  // namespace

std::string tell_words(const Told& told) {
  const State& state = told.state;
  if (!told.shows_result()) return lamp_of(told, told.row) + " asks, and its lamp comes on.";
  std::string text = told.keys.size() == 1 ? bold(told.query()) + " is alone, so all its light falls on itself"
                                           : row_of(told, told.row).where_light_falls(lamp_of(told, told.row));
  if (state.named())
    text += ": it looks for " + fox_words(told.trace.at("Q").values, told.row) +
            (lights_some_alike(told) ? ", wherever that stands" : "");
  text += ". ";
  if (state.trained)
    text += "A network trained on made-up English reads this, from [START] on. " + learned_way(told);
  else if (!state.named())
    text += "Each word is a list of " + std::to_string(told.trace.at("X").columns()) + " numbers, its **embedding**, " +
            (state.by_rule() ? "here made from its letters. " : "here chosen by hand. ");
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

std::string tell_w(const Told& told) {
  const State& state = told.state;
  return "Three matrices translate " + std::string(state.trained ? "its numbers" : "an embedding") +
         " into what a word **looks for** (its query), what it **can be found by** (its key) and what it **passes "
         "on** (its value). " +
         (state.trained ? "These were **learned**, by head " + std::to_string(state.head) + " of layer " +
                              std::to_string(state.layer) + "; their last row is the bias."
                        : std::string("Here they are ") +
                              (named_alike(told) ? "set by hand: " + bold(told.query()) + " is " +
                                                       fox_words(told.trace.at(kX).values, told.row) +
                                                       "; outlined in W_Q is what it looks for, " +
                                                       fox_words(told.trace.at(kQ).values, told.row, Strengths::told)
                               : !state.by_rule()             ? "set by hand"
                               : state.rule == Rule::identity ? "close to the identity"
                                                              : "drawn at random") +
                              "; in a real model they are learned.");
}

std::string tell_qkv(const Told& told) {
  const std::string row = std::to_string(told.row);
  if (told.state.given())
    return "Every word has a **query**, a **key** and a **value**: for " + bold(told.query()) +
           " they are rows of Q, K and V.";
  if (const float t = computing(row_at(told.view.place).step.motion, told.view.t); t < 1) {
    static constexpr std::array<const char*, 3> kComes{"W_Q makes of it its **query**, what it looks for.",
                                                       "W_K makes of it its **key**, what it is found by.",
                                                       "W_V makes of it its **value**, what it passes on."};
    const auto on = [&](int matrix) { return fly(figure::in_turn(t, matrix, 3)).there > 0; };
    if (!on(0)) return "The three matrices become lenses, through which the row of each word goes.";
    return "The row of " + bold(told.query()) + " goes through a lens: " + kComes[on(2) ? 2 : on(1) ? 1 : 0];
  }
  const auto row_of = [&](const char* tensor) { return std::string(tensor) + ".row." + row; };
  return "The three matrices make of " + pointing(told.query(), row_of("X"), MeansA::query) + " a **query** (" +
         pointing("what it looks for", row_of("Q"), MeansA::query) + "), a **key** (" +
         pointing("what it is found by", row_of("K"), MeansA::key) + ") and a **value** (" +
         pointing("what it passes on", row_of("V"), MeansA::value) + ")." +
         " Each number is a row of X times a column of W." +
         (named_alike(told) ? " K and V are alike only since W_K and W_V are both the identity here." : "");
}

std::string tell_scores(const Told& told) {
  const auto [tensor, row, key] = told_score(told.trace, told.view, told.row);
  const int best = best_key(told.trace, "scores", told.row);
  const Matrix& scores = told.trace.at("scores").values;
  const std::string score = bold(io::format_fixed(scores(row, key), decimals_for(scores, 3)));  // as the figure has it
  const std::string computed = ", number times number and added up, is " + score + ".";
  const std::string meets = "Each query meets each key. ";
  const std::string &asks = told.queries[static_cast<std::size_t>(row)],
                    &found = told.keys[static_cast<std::size_t>(key)];
  const RowTimesColumn seen = figure::row_times_column(computing(row_at(told.view.place).step.motion, told.view.t));
  if (seen.lift == 0) return meets + "K is laid on its side: each key becomes a column.";
  if (seen.multiply == 0)
    return meets + "The query of " + bold(asks) + " turns to stand beside the key of " + bold(found) + ".";
  if (seen.add == 0) return meets + "Number times number: large where the query looks for what the key has.";
  if (seen.drop == 0) return meets + "The products " + (seen.add < 1 ? "are added up." : "add up to " + score + ".");
  if (seen.others == 0)
    return meets + score + " drops into the cell where " + bold(asks) + " meets " + bold(found) + ".";
  if (row != told.row || key != best)
    return meets + bold(asks) + " meets " + bold(found) + ": their dot product" + computed;
  const RowInWords scored{scores, row, told.keys, false, kScores, MeansA::key};
  const std::size_t alike = scored.count_from(scored.number(0) - 0.0005F);  // score the same
  return meets + pointing(told.query(), "scores.row." + std::to_string(row), MeansA::query) + " scores highest with " +
         scored.names(0, alike, alike == 2 ? 2 : 1) + ": " +
         (alike == 1 ? "their dot product" : "the dot product with each") + computed + why_of(told, row, key);
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
  if (!told.shows_result()) return "Every score is " + how + "." + masked_sentence(state);
  const std::string said = "Every score is " + how + ": " + from + " becomes " + to + ".";
  const bool few = !told.view.compact() || told.keys.size() <= kCompared;
  if (state.scale != Scale::root || state.temperature != 1 || !few || recipes::set_in_row(state.weights, row))
    return said + masked_sentence(state);
  return said + " If softmax shared out light now, " + bold(told.keys[static_cast<std::size_t>(best)]) + " would get " +
         share_text(undivided_weights(trace, row), best) + " before and " +
         share_text(trace.at(kWeights).values(row, best)) + " after: dividing evens them out." + masked_sentence(state);
}

namespace {

// "1.000 + 0.665 + 7 × 0.038", the largest first; of many kinds the last are told together.
std::string sum_of_powers(const Trace& trace, int row) {
  constexpr std::size_t kMost = 3;  // that are told
  const Matrix& powers = trace.at(kExponentials).values;
  const std::vector<int> order = largest_first(powers, row);
  const auto power = [&](std::size_t i) { return fixed(powers(row, order[i]), 3); };
  std::string said;
  for (std::size_t i = 0, next = 0, told = 0; i < order.size(); i = next, ++told) {
    while (next < order.size() && power(next) == power(i)) ++next;
    if (told == kMost) return said + " + " + std::to_string(order.size() - i) + " more";
    said += (i > 0 ? " + " : "") + (next - i > 1 ? std::to_string(next - i) + " × " : "") + power(i);
  }
  return said;
}

}  // namespace

std::string tell_softmax(const Told& told) {
  const State& state = told.state;
  const Trace& trace = told.trace;
  const int row = told.row;
  const std::string word = bold(told.query());
  const float sum = trace.at("sum").values(row, 0);
  const int best = best_key(trace, "weights", row);
  switch (told.view.place.part) {
    case 1:
      return "Scores become shares of one lamp’s light, in four steps. First the largest of each row, " +
             bold(fixed(trace.at("maximum").values(row, 0), 2)) + " in the row of " + word +
             ", is taken off all its scores: the shares stay the same, and no power of e grows too large.";
    case 2: {
      const std::string powers =
          "Then e ≈ 2.718 to the power of each, exp: nothing is below 0, and what was 1 less becomes 2.718 times less.";
      if (!told.shows_result()) return powers;
      return powers + " In the row of " + word + " the largest becomes exp(0) = 1" +
             (std::isinf(trace.at("shifted").values.row(row).minCoeff()) ? ", and what is masked becomes "
                                                                         : " and the smallest ") +
             bold(fixed(trace.at("exponentials").values.row(row).minCoeff())) + ".";
    }
    case 3:
      return "Each row is summed." +
             (told.shows_result()
                  ? " In the row of " + word + ", " + sum_of_powers(trace, row) + " = " + bold(fixed(sum, 2)) + "."
                  : "");
    case 4: {
      if (recipes::set_in_row(state.weights, row))
        return "Last, each number would be divided by its row’s sum; but a weight of " + word +
               " was set by hand, and the rest of its row was rescaled to sum to 1.";
      if (!told.shows_result()) return "Last, each number is divided by its row’s sum.";
      const float top = trace.at("exponentials").values(row, best);
      return "Last, each number is divided by its row’s sum, " + fixed(top, 3) + " ÷ " + fixed(sum, 2) + " = " +
             bold(fixed(trace.at("weights").values(row, best), 2)) + ": one lamp is shared out.";
    }
  }
  if (recipes::set_in_row(state.weights, row))
    return who_looks_at_whom(told) + " Weights were set by hand: the rest of their row was rescaled to sum to 1.";
  return lead_of(told);
}

namespace {

// "a thing, a doer and a direction": what a row has at least half as much of as of what it has most.
std::string largest_features(const Tensor& tensor, int row) {
  const auto values = tensor.values.row(row);
  return fox_words((values.array() >= std::max(values.maxCoeff(), 1e-6F) / 2).cast<float>(), 0);
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
  if (told.state.named())
    return pours + pointing(largest_features(trace.at("output"), row), largest("output", row), MeansA::output) +
           ", from " + row_of(told, row).lit(2) + ". A whole model adds this to what the word was.";
  return pours + pointing("a mixture", largest("output", row), MeansA::output) + ", " + percent(weights(row, best)) +
         " of it from " +
         pointing(told.keys[static_cast<std::size_t>(best)], figure::cell_id({"weights", row, best}), MeansA::weight) +
         ".";
}

namespace {

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
  const bool brief = told.view.compact(), arcs = !many && !state.given() && !brief;
  const bool opens = computing(row_at(told.view.place).step.motion, told.view.t) > 0.15F;  // the map, with its arcs
  std::string text = opens ? "New: all lamps at once, one a row of the map, framed the one above" : "";
  if (opens) text += arcs ? "; arcs lead to what is lit. " : ". ";
  const std::string lit = row_of(told, told.row).lit(many ? kNamed - 1 : kNamed);
  text += lamp_of(told, told.row) + (told.keys.size() == 1 ? " is alone, so all its light falls on itself"
                                     : lit.empty()         ? " lights all words about alike"
                                                           : " lights " + lit);
  if (!opens) return text + ".";
  // On a phone the map has to be seen as well.
  const std::optional<int> other = brief && state.by_rule() ? std::nullopt : other_row(told);
  if (const std::string shone = other ? row_of(told, *other).lit(many ? 1 : kNamed) : ""; !shone.empty())
    text += "; " +
            pointing(told.queries[static_cast<std::size_t>(*other)],
                     figure::cell_id({"weights", *other, best_key(told.trace, "weights", *other)}), MeansA::word) +
            " shines on " + shone;
  text += "." + small_weights(told) + masked_sentence(state);
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
  const Told told{
      {state, trace}, view, queries, state.given() ? told_apart(key_words(state)) : queries, looked_at(state, view)};
  const Row& step = row_at(view.place);
  if (!state.given() || !step.given) return step.tell(told);
  const std::string shown = std::to_string(number_of(steps(), "qkv"));
  return "In this example Q, K and V are **given**: " + io::count_of(std::ssize(told.queries), "query") + ", " +
         io::count_of(std::ssize(told.keys), "key") + " and their values, with no words or W before them" +
         (step.step.id == "qkv" ? "." : ", so this step shows what step " + shown + " shows.");
}

}  // namespace limelight::scenes::spotlight
