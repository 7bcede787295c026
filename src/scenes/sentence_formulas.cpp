// The formula of each of Sentence's steps, as the inspector has it while no number is looked at.
#include "io/numbers.h"
#include "scenes/explain.h"
#include "scenes/sentence_parts.h"

namespace limelight::scenes::sentence {
namespace {

struct Stepped {
  const State& state;
  const Trace& trace;
  const Palette& colours;
  int layers, heads;
  HeadPlace head;
  bool is_read;  // with the model that made the weights
  Inspection& made;

  [[nodiscard]] const Tensor& of(std::string_view one) const { return trace.at(of_head(one, head.layer, head.head)); }
  [[nodiscard]] Formula root_of_size() const { return root(number(std::to_string(of("Q").columns()))); }
};

Formula indexed(std::string_view letter, std::string_view below) { return script(symbol(letter), symbol(below)); }
Formula probability(Formula of) { return row({symbol("p"), parenthesised(std::move(of))}); }
// p(w without that) − p(w)
Formula change_without(Formula what) {
  return row(
      {probability(row({symbol("w"), word(" without "), std::move(what)})), operation("−"), probability(symbol("w"))});
}

void tell_guess(Stepped& s) {
  const Formula y = coloured(indexed("y", "i"), s.colours.output);
  s.made.title = "what could stand there";
  s.made.lines = {row({probability(symbol("w")), operation("="), script(word("softmax"), symbol("w")),
                       parenthesised(row({y, operation("·"), indexed("e", "w"), operation("+"), indexed("b", "w")}))})};
  s.made.note = "What the last layer gives at place i, times the embedding e of each word w, and the word’s bias.";
}

void tell_weights(Stepped& s) {
  s.made.title = s.is_read ? "the weights of a head" : "weights of your own";
  s.made.lines = {row({large("∑", symbol("j")), indexed("A", "ij"), operation("="), number("1")})};
  if (s.is_read)
    s.made.lines.insert(
        s.made.lines.begin(),
        row({indexed("A", "h"), operation("="), word("softmax"),
             parenthesised(fraction(row({coloured(indexed("Q", "h"), s.colours.query),
                                         coloured(script(symbol("K"), symbol("h"), word("T")), s.colours.key)}),
                                    s.root_of_size()))}));
  s.made.note = "Row i: the word that looks. Column j: the word that is looked at. Each head h has its own.";
}

void tell_pair(Stepped& s) {
  const int query = std::min(s.state.query, s.of("S").rows() - 1), key = std::min(s.state.key, s.of("S").columns() - 1);
  const auto score = static_cast<double>(s.of("S").values(query, key));
  const double products = static_cast<double>(s.of("P").values.row(key).sum());
  const Formula dot =
      row({coloured(indexed("q", "i"), s.colours.query), operation("·"), coloured(indexed("k", "j"), s.colours.key)});
  s.made.title = "a score, and the weight that it makes";
  s.made.lines = {row({indexed("s", "ij"), operation("="), fraction(dot, s.root_of_size()), operation("="),
                       fraction(number(fixed(products)), s.root_of_size()), operation("="), value_of(score)}),
                  row({indexed("A", "ij"), operation("="),
                       fraction(row({word("exp"), parenthesised(indexed("s", "ij"))}),
                                row({large("∑", symbol("j′")), word("exp"), parenthesised(indexed("s", "ij′"))})),
                       operation("≈"), value_of(static_cast<double>(s.of("A").values(query, key)))})};
  s.made.note = "i: " + quoted(label_of(s.of("A").row_labels, query)) +
                ", the query. j: " + quoted(label_of(s.of("A").column_labels, key)) + ", the key.";
}

void tell_layers(Stepped& s) {
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

void tell_swap(Stepped& s) {
  s.made.title = "how far a head’s row moves";
  s.made.lines = {row({indexed("Δ", "h"), operation("="), fraction(number("1"), number("2")), large("∑", symbol("j")),
                       word("|"), coloured(script(symbol("A"), symbol("ij"), word("new")), s.colours.key),
                       operation("−"), indexed("A", "ij"), word("|")})};
  s.made.note = "0: the word looks where it looked before. 1: nothing of that is left.";
}

void tell_off(Stepped& s) {
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

void tell_evidence(Stepped& s) {
  s.made.title = "without a word";
  s.made.lines = {row({indexed("Δ", "j"), operation("="), change_without(symbol("j"))}),
                  row({symbol("ρ"), operation("="), word("correlation"),
                       parenthesised(row({word("rank "), indexed("A", "ij"), word(", "), word("rank |"),
                                          indexed("Δ", "j"), word("|")}))})};
  s.made.note = "w is the word that was hidden at place i; word j is hidden as well. ρ is Spearman’s.";
}

}  // namespace

Inspection formula_of(const State& state, const Trace& trace, const View& view) {
  Inspection made{.title = {}, .lines = {}, .note = {}, .origins = {}};
  const int layers = trace.at("raw").rows(), heads = trace.at("kinds").rows() / layers;
  Stepped s{state,
            trace,
            palette(view.theme),
            layers,
            heads,
            chosen_head(state, layers, heads),
            trace.find("model") != nullptr,
            made};
  using Tell = void (*)(Stepped&);
  static constexpr Tell tells[] = {tell_guess,  tell_weights, tell_weights, tell_pair,
                                   tell_layers, tell_swap,    tell_off,     tell_evidence};
  const int step = view.place.step;
  // Weights alone have no more than the steps that show them.
  const bool shown = s.is_read || step == 2 || step == 3 || (step == 5 && trace.find("rollout") != nullptr);
  (shown ? tells[step - 1] : tell_weights)(s);
  made.note += view.touch ? " Tap a number to see where it comes from."
                          : " Point at a number to see where it comes from; click to keep it.";
  return made;
}

}  // namespace limelight::scenes::sentence
