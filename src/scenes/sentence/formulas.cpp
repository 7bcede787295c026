// The formula of each of Sentence's steps, as the inspector has it while no number is looked at.
#include <algorithm>
#include <cmath>

#include "io/numbers.h"
#include "scenes/common/explain.h"
#include "scenes/sentence/steps.h"

namespace limelight::scenes::sentence {
namespace {

Formula indexed(std::string_view letter, std::string_view below) { return script(symbol(letter), symbol(below)); }
Formula probability(Formula of) { return row({symbol("p"), parenthesised(std::move(of))}); }
// p(w without that) − p(w)
Formula change_without(Formula what) {
  return row(
      {probability(row({symbol("w"), word(" without "), std::move(what)})), operation("−"), probability(symbol("w"))});
}

}  // namespace

void formula_words(Stepped& s) {
  if (!s.predicts) return formula_head(s);
  // A causal model says of each place what follows it.
  const Formula place = s.causal ? row({symbol("i"), number("−1")}) : symbol("i");
  const Formula y = coloured(script(symbol("y"), place), s.colours.output), e = indexed("e", "w");
  s.made.title = "what could stand there";
  s.made.lines = {row({probability(symbol("w")), operation("="), script(word("softmax"), symbol("w")),
                       parenthesised(s.causal ? row({y, operation("·"), e})
                                              : row({y, operation("·"), e, operation("+"), indexed("b", "w")}))})};
  s.made.note = s.causal ? "What the model makes of the token before place i, times the embedding e of each token w."
                         : "What the model makes of place i, times the embedding e of each word w, and its bias b.";
}

void formula_head(Stepped& s) {
  s.made.title = s.is_read ? "the weights of a head" : "weights of your own";
  s.made.lines = {row({large("∑", symbol("j")), indexed("A", "ij"), operation("="), number("1")})};
  s.made.note = "Row i: the word that looks. Column j: the word that is looked at. Each head h has its own.";
  if (!s.is_read) return;
  const Formula scores = fraction(row({coloured(indexed("Q", "h"), s.colours.query),
                                       coloured(script(symbol("K"), symbol("h"), word("T")), s.colours.key)}),
                                  s.root_of_size());
  s.made.lines.insert(s.made.lines.begin(),
                      row({indexed("A", "h"), operation("="), word("softmax"),
                           parenthesised(s.causal ? row({scores, operation("+"), symbol("M")}) : scores)}));
  if (s.causal) s.made.note += " M is −∞ for what comes later, else 0.";
}

void formula_pair(Stepped& s) {
  if (!s.is_read) return formula_head(s);
  const int query = std::min(s.state.query, s.of("S").rows() - 1), key = std::min(s.state.key, s.of("S").columns() - 1);
  const auto score = static_cast<double>(s.of("S").values(query, key));
  const double products = static_cast<double>(s.of("P").values.row(key).sum());
  const Formula q = coloured(indexed("q", "i"), s.colours.query), k = coloured(indexed("k", "j"), s.colours.key);
  const Formula exponential = row({word("exp"), parenthesised(indexed("s", "ij"))});
  const Formula others = row({large("∑", symbol("j′")), word("exp"), parenthesised(indexed("s", "ij′"))});
  const bool hidden = !std::isfinite(score);
  std::vector<Formula> sum{indexed("s", "ij"), operation("=")};
  if (hidden)
    sum.push_back(value_of(score));
  else
    for (const Formula& part : {fraction(row({q, operation("·"), k}), s.root_of_size()), operation("="),
                                fraction(number(fixed(products)), s.root_of_size()), operation("="), value_of(score)})
      sum.push_back(part);
  s.made.title = "a score, and the weight that it makes";
  s.made.lines = {row(std::move(sum)),
                  row({indexed("A", "ij"), operation("="), fraction(exponential, others), operation(hidden ? "=" : "≈"),
                       value_of(static_cast<double>(s.of("A").values(query, key)))})};
  s.made.note = "i: " + quoted(label_of(s.of("A").row_labels, query)) +
                ", the query. j: " + quoted(label_of(s.of("A").column_labels, key)) + ", the key" +
                (hidden ? ", which comes later and is hidden: a causal model does not look ahead." : ".");
}

void formula_layers(Stepped& s) {
  if (s.trace.find("rollout") == nullptr) return formula_head(s);
  const Formula mean = script(symbol("Â"), symbol("l"));
  s.made.title = "through the layers";
  s.made.lines = {
      row({mean, operation("="), fraction(number("1"), number("2")),
           parenthesised(row({symbol("I"), operation("+"), fraction(number("1"), number(std::to_string(s.heads))),
                              large("∑", symbol("h")), indexed("A", "lh")}))}),
      row({indexed("R", "l"), operation("="), mean, script(symbol("Â"), row({symbol("l"), number("−1")})), word(" … "),
           script(symbol("Â"), number("1"))})};
  s.made.note = "Attention rollout (Abnar & Zuidema 2020): half of each layer is what a word keeps of its own.";
}

void formula_swap(Stepped& s) {
  if (!s.is_read) return formula_head(s);
  s.made.title = "how far a head’s row moves";
  s.made.lines = {row({indexed("Δ", "h"), operation("="), fraction(number("1"), number("2")), large("∑", symbol("j")),
                       word("|"), coloured(script(symbol("A"), symbol("ij"), word("new")), s.colours.key),
                       operation("−"), indexed("A", "ij"), word("|")})};
  s.made.note = "0: the word looks where it looked before. 1: nothing of that is left.";
}

void formula_off(Stepped& s) {
  if (!s.predicts) return formula_head(s);
  s.made.title = "without a head";
  s.made.lines = {row({indexed("Δ", "h"), operation("="), change_without(symbol("h"))})};
  s.made.note = "w is the word that was hidden, p the model’s probability of it. A head that is off gives zeros.";
  const Tensor* importance = s.trace.find("importance");
  const std::vector<int> hidden = hidden_in(s.trace);
  if (importance == nullptr || hidden.empty()) return;
  Eigen::Index layer = 0, head = 0;
  const auto least = static_cast<double>(importance->values.minCoeff(&layer, &head));
  const auto whole = static_cast<double>(s.trace.at(of_place("truth", hidden.front())).values(0, 0));
  const std::string name = name_of({static_cast<int>(layer), static_cast<int>(head)});
  s.made.lines.push_back(row({script(symbol("Δ"), number(name)), operation("="), value_of(whole + least),
                              operation("−"), value_of(whole), operation("≈"), value_of(least)}));
}

void formula_evidence(Stepped& s) {
  if (!s.predicts) return formula_head(s);
  s.made.title = "without a word";
  s.made.lines = {row({indexed("Δ", "j"), operation("="), change_without(symbol("j"))}),
                  row({symbol("ρ"), operation("="), word("correlation"),
                       parenthesised(row({word("rank "), indexed("Ā", "ij"), word(", "), word("rank |"),
                                          indexed("Δ", "j"), word("|")}))})};
  s.made.note = std::string("w is the word that was hidden at place i; word j is ") +
                (s.causal ? "left out" : "hidden as well") +
                ". Ā is the mean over heads, of one layer or all, or the rollout. ρ is Spearman’s.";
}

Inspection formula_of(const State& state, const Trace& trace, const View& view) {
  Inspection made{.title = {}, .lines = {}, .note = {}, .origins = {}};
  const int layers = trace.at("raw").rows(), heads = trace.at("kinds").rows() / layers;
  const Tensor* model = trace.find("model");
  const auto is = [model](int fact) { return model != nullptr && model->values(0, fact) != 0; };
  Stepped s{.state = state,
            .trace = trace,
            .colours = palette(view.theme),
            .heads = heads,
            .head = chosen_head(state, layers, heads),
            .is_read = model != nullptr,
            .causal = is(0),
            .predicts = is(1),
            .made = made};
  row_at(view.place).formula(s);
  made.note += view.touch ? " Tap a number to see where it comes from."
                          : " Point at a number to see where it comes from; click to keep it.";
  return made;
}

}  // namespace limelight::scenes::sentence
