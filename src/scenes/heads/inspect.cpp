// What the inspector says of Heads' numbers: each as the expression that made it, with the numbers in it.
#include <algorithm>
#include <cmath>

#include "io/numbers.h"
#include "scenes/common/explain.h"
#include "scenes/heads/steps.h"
#include "scenes/place.h"

namespace limelight::scenes::heads {
namespace {

using namespace figure;

struct Asked {
  const State& state;
  const Trace& trace;
  const Source& at;
  const Palette& colours;
  HeadTensor name;
  Inspection& made;

  [[nodiscard]] const Tensor& tensor() const { return trace.at(at.tensor); }
  [[nodiscard]] double value() const { return static_cast<double>(tensor().values(at.row, at.column)); }
  [[nodiscard]] Formula cell() const { return cell_of(at.tensor, at.row, at.column); }
};

Colour colour_of(std::string_view name, const Palette& colours) {
  static constexpr std::pair<std::string_view, Colour Palette::*> kColours[] = {
      {"W_Q", &Palette::query}, {"W_K", &Palette::key},  {"W_V", &Palette::value}, {"W_O", &Palette::output},
      {"X", &Palette::input},   {"Z", &Palette::input},  {"Q", &Palette::query},   {"K", &Palette::key},
      {"V", &Palette::value},   {"Y", &Palette::output}, {"C", &Palette::output},  {"O", &Palette::output}};
  for (const auto& [prefix, colour] : kColours)
    if (name.starts_with(prefix)) return colours.*colour;
  return colours.ink;
}

void explain(Asked& a, std::string_view left, std::string_view right) {
  explain_product(a.made, a.trace, a.at, {left, right, colour_of(left, a.colours), colour_of(right, a.colours)});
}

constexpr const char* kTyped = " Double-click to type another number, or drag it up and down.";

struct Said {
  std::string_view tensor, text;
};
constexpr Said kTrained[] = {
    {"X",
     "Of what enters this layer of the encoder for the word, after its LayerNorm; the last number is 1 and adds the "
     "biases."},
    {"W_Q", "How much a number of a word counts in a query, trained; the last row is the bias."},
    {"W_K", "How much a number of a word counts in a key, trained; the last row is the bias."},
    {"W_V", "How much a number of a word counts in a value, trained; the last row is the bias."},
    {"W_O", "How much a number of a head’s output counts in the layer’s output, trained."},
};
constexpr Said kGiven[] = {
    {"X", "Of the word’s embedding, made from its spelling."},
    {"Z", "Of the embedding of a word of the second sentence, made from its spelling."},
    {"W_Q", "How much a number of an embedding counts in a query; drawn from the seed, not trained."},
    {"W_K", "How much a number of an embedding counts in a key; drawn from the seed, not trained."},
    {"W_V", "How much a number of an embedding counts in a value; drawn from the seed, not trained."},
    {"W_O", "How much a number of a head’s output counts in the layer’s output."},
};

void explain_given(Asked& a, std::string_view text) {
  a.made.lines = {row({a.cell(), operation("="), number(whole(a.value()))})};
  a.made.note = std::string(text) + kTyped;
}

// Of all heads together, or of one: the same product, its column counted through.
void explain_projection(Asked& a) {
  const std::string letter(a.name.one);
  const std::string from = letter == "Q" || !a.state.crossed() ? "X" : "Z", weights = "W_" + letter;
  const int size = sizes(a.state).head;
  const int column = std::max(a.name.head, 0) * size + a.at.column;
  const std::vector<Term> terms = terms_of(a.trace.at(from), a.at.row, a.trace.at(weights), column, false);
  const Colour left = colour_of(from, a.colours), right = colour_of(weights, a.colours);
  a.made.lines = {row({a.cell(), operation("="), coloured(symbol(from), left), operation("·"),
                       coloured(name_of_tensor(weights), right)}),
                  row({operation("="), sum_of_products(terms, 2, left, right)})};
  result_line(a.made, a.value(), are_exact(terms));
  add_origin(a.made, a.trace, from, a.at.row, false, left);
  add_origin(a.made, a.trace, weights, column, true, right);
  const int head = column / size;
  a.made.note = "Number " + std::to_string(column % size + 1) + " of head " + std::to_string(head + 1) + ": column " +
                std::to_string(column + 1) + " of all " + std::to_string(sizes(a.state).model) + ".";
}

// What stands side by side, times W_O, and the bias where there is one.
void explain_output(Asked& a, std::string_view left) {
  const Tensor* bias = a.trace.find("b_O");
  if (bias == nullptr) return explain(a, left, "W_O");
  const Colour colour = colour_of("W_O", a.colours);
  const std::vector<Term> terms = terms_of(a.trace.at(left), a.at.row, a.trace.at("W_O"), a.at.column, false);
  const double b = static_cast<double>(bias->values(0, a.at.column));
  a.made.lines = {
      row({a.cell(), operation("="), coloured(name_of_tensor(left), colour_of(left, a.colours)), operation("·"),
           coloured(name_of_tensor("W_O"), colour), operation("+"), coloured(name_of_tensor("b_O"), colour)}),
      row({operation("="), sum_of_products(terms, 2, colour_of(left, a.colours), colour), operation("+"),
           factor_of(b)})};
  result_line(a.made, a.value(), are_exact(terms) && is_exact(b, 3));
  add_origin(a.made, a.trace, left, a.at.row, false, colour_of(left, a.colours));
  add_origin(a.made, a.trace, "W_O", a.at.column, true, colour);
}

std::string said_of_pattern(Pattern pattern) {
  static constexpr std::string_view list[] = {"",
                                              "4 for the word before (the first word: itself), 0 for the others.",
                                              "4 where both are the same word, capitals apart, 0 elsewhere.",
                                              "4 for the first word, 0 for the others.",
                                              "4 for the same place and its neighbours, 0 elsewhere.",
                                              "a normal number of standard deviation 2, drawn from the seed.",
                                              "0 for all, so that all weights are equal until one is set by hand."};
  return "Constructed, not computed from Q and K: " + std::string(list[static_cast<int>(pattern)]);
}

void explain_score(Asked& a) {
  const int source = a.state.alike ? 0 : a.name.head;
  if (!std::isfinite(a.value())) {
    a.made.lines = {row({a.cell(), operation("="), number("−∞")})};
    a.made.note = "Hidden by the mask, so its weight is 0.";
    return;
  }
  if (pattern_of(a.state, a.name.head) != Pattern::computed) {
    a.made.lines = {row({a.cell(), operation("="), number(whole(a.value()))})};
    a.made.note = said_of_pattern(pattern_of(a.state, a.name.head));
    return;
  }
  const std::string Q = of_head("Q", source), K = of_head("K", source);
  const int size = sizes(a.state).head;
  const std::vector<Term> terms = terms_of(a.trace.at(Q), a.at.row, a.trace.at(K), a.at.column, true);
  const Formula product =
      row({coloured(symbol("q"), a.colours.query), operation("·"), coloured(symbol("k"), a.colours.key)});
  a.made.lines = {row({a.cell(), operation("="), fraction(product, root(script(symbol("d"), word("head"))))}),
                  row({product, operation("="), sum_of_products(terms, 2, a.colours.query, a.colours.key)}),
                  row({a.cell(), operation("="), fraction(sum_of_terms(terms), root(number(std::to_string(size))))})};
  result_line(a.made, a.value(), are_exact(terms) && has_whole_root(size));
  add_origin(a.made, a.trace, Q, a.at.row, false, a.colours.query);
  add_origin(a.made, a.trace, K, a.at.column, false, a.colours.key);
}

void explain_weight(Asked& a) {
  const std::string S = of_head("S", a.name.head);
  const Matrix& scores = a.trace.at(S).values;
  const double own = static_cast<double>(scores(a.at.row, a.at.column));
  const std::string query = label_of(a.tensor().row_labels, a.at.row);
  const double most = static_cast<double>(scores.row(a.at.row).maxCoeff());
  if (!std::isfinite(most)) {
    a.made.lines = {row({a.cell(), operation("="), number("0")})};
    a.made.note =
        "The mask hides every key from " + query + ": the sum below the line would be 0, so the whole row is set to 0.";
    return;
  }
  if (is_set_by_hand(a.state, a.name.head, a.at.row)) {
    const auto& cells = a.state.weights[static_cast<std::size_t>(a.state.alike ? 0 : a.name.head)].cells;
    a.made.lines = {row({a.cell(), operation("="), number(whole(a.value()))})};
    a.made.note = cells.contains({a.at.row, a.at.column})
                      ? "Set by hand; the others of its row were rescaled so that they sum to 1."
                      : "Rescaled, because another weight of this row was set by hand.";
    return;
  }
  double sum = 0;
  for (const float score : scores.row(a.at.row)) sum += std::exp(static_cast<double>(score) - most);
  const Formula s = symbol("s");
  a.made.lines = {row({a.cell(), operation("="),
                       fraction(row({word("exp"), parenthesised(script(s, symbol("i j")))}),
                                row({large("∑", symbol("k")), word("exp"), parenthesised(script(s, symbol("i k")))}))}),
                  row({operation("="), fraction(value_of(std::exp(own - most)), value_of(sum))})};
  result_line(a.made, a.value());
  a.made.note =
      !std::isfinite(own) ? "Hidden by the mask, so its weight is exactly 0."
      : pattern_of(a.state, a.name.head) != Pattern::computed
          ? "Softmax of constructed scores, this one " + io::format_short(own) + "; not computed from Q and K."
          : "Its score is " + fixed(own) + "; the largest of the row, " + fixed(most) +
                ", was subtracted first, which changes no weight.";
  add_origin(a.made, a.trace, S, a.at.row, false, a.colours.muted);
}

void explain_concatenated(Asked& a) {
  const int size = sizes(a.state).head, head = a.at.column / size;
  const bool off = a.at.tensor == "C_now" && a.state.off[static_cast<std::size_t>(head)];
  if (off)
    a.made.lines = {row({a.cell(), operation("="), number("0")})};
  else
    a.made.lines = {row({a.cell(), operation("="),
                         coloured(cell_of(of_head("O", head), a.at.row, a.at.column % size), a.colours.output),
                         operation("="), number(whole(a.value()))})};
  a.made.note = off ? "Head " + std::to_string(head + 1) + " is switched off: zeros stand in its place."
                    : "Concatenating changes no number: this is number " + std::to_string(a.at.column % size + 1) +
                          " of head " + std::to_string(head + 1) + "’s output.";
}

void explain_mean(Asked& a) {
  const std::string heads = std::to_string(a.state.heads);
  std::vector<Formula> sum{word("sum"), operation("=")};
  double total = 0;
  for (int h = 0; h < a.state.heads; ++h) {
    const double weight = static_cast<double>(a.trace.at(of_head("A", h)).values(a.at.row, a.at.column));
    if (h > 0) sum.push_back(operation("+"));
    sum.push_back(value_of(weight));
    total += weight;
  }
  a.made.lines = {row({a.cell(), operation("="), fraction(number("1"), number(heads)), large("∑", symbol("h")),
                       script(symbol("A"), symbol("h"))}),
                  row(sum), row({a.cell(), operation("="), fraction(value_of(total), number(heads))})};
  result_line(a.made, a.value());
  a.made.note = "What one head can do that wants all that the heads of step " +
                std::to_string(number_of(steps(), "weights")) +
                " want: share out a single row. A construction, to compare with; no model computes this mean.";
}

void explain_mask(Asked& a) {
  a.made.lines = {row({a.cell(), operation("="), number(whole(a.value()))})};
  const std::string query = label_of(a.tensor().row_labels, a.at.row),
                    key = label_of(a.tensor().column_labels, a.at.column);
  a.made.note =
      (a.value() != 0 ? query + " sees " + key + "." : query + " does not see " + key + ": its score is −∞.") +
      (a.state.M.cells.contains({a.at.row, a.at.column}) ? " Painted by hand." : "");
}

void explain_difference(Asked& a) {
  const double now = static_cast<double>(a.trace.at("Y_now").values(a.at.row, a.at.column));
  const double full = static_cast<double>(a.trace.at("Y").values(a.at.row, a.at.column));
  a.made.lines = {row({a.cell(), operation("="), cell_of("Y_now", a.at.row, a.at.column), operation("−"),
                       cell_of("Y", a.at.row, a.at.column)}),
                  row({operation("="), value_of(now), operation("−"), factor_of(full)})};
  result_line(a.made, a.value());
  a.made.note = "What the heads that are off would have added, with its sign turned.";
}

Formula norm(Formula inside) { return script(row({word("‖"), std::move(inside), word("‖")}), word("F")); }

// Lengths of matrices: the root of the sum of all their entries' squares.
void explain_length(Asked& a) {
  const std::string head = std::to_string(a.at.column + 1);
  const Formula Y = coloured(symbol("Y"), a.colours.output);
  std::string what;
  Formula of;
  if (a.at.tensor == "part") {
    of = row(
        {coloured(script(symbol("O"), word(head)), a.colours.output), script(symbol("W"), word("O, head " + head))});
    what = "Y is a sum over the heads, so without head " + head +
           " it lacks just this term: its output times its rows of W_O.";
  } else if (a.at.tensor == "change") {
    of = row({script(Y, word("now")), operation("−"), Y});
    what = "How far all that is switched off has moved the output.";
  } else if (a.at.tensor == "apart") {
    of = row({Y, operation("−"), script(Y, word("mean"))});
    what =
        "The layer’s output beside that of one head with the mean of all heads’ weights, the same V and the same "
        "W_O. When all heads look alike the two are the same.";
  } else {
    of = Y;
    what = "The length of the whole output, all heads on.";
  }
  a.made.lines = {row(
      {norm(of), operation("="),
       root(row({large("∑", symbol("i j")), script(row({word("("), of, word(")")}), symbol("i j"), number("2"))}))})};
  result_line(a.made, a.value());
  a.made.note = what + " Over all " + std::to_string(a.trace.at("Y").rows()) + " words and their " +
                std::to_string(sizes(a.state).model) + " numbers.";
}

void explain_tensor(Asked& a) {
  const std::string& name = a.at.tensor;
  if (a.state.trained) {
    const auto* given = std::ranges::find(kTrained, name, &Said::tensor);
    if (given != std::end(kTrained)) return explain_given(a, given->text);
  }
  const auto* given = std::ranges::find(kGiven, name, &Said::tensor);
  if (given != std::end(kGiven)) return explain_given(a, given->text);
  if (a.name.one == "Q" || a.name.one == "K" || a.name.one == "V") return explain_projection(a);
  if (a.name.head >= 0 && a.name.one == "S") return explain_score(a);
  if (a.name.head >= 0 && a.name.one == "A") return explain_weight(a);
  if (a.name.head >= 0 && a.name.one == "O") return explain(a, of_head("A", a.name.head), of_head("V", a.name.head));
  if (name == "C" || name == "C_now") return explain_concatenated(a);
  if (name == "A_mean") return explain_mean(a);
  if (name == "M") return explain_mask(a);
  if (name == "D") return explain_difference(a);
  if (name == "O_mean") return explain(a, "A_mean", "V");
  if (name == "b_O") {
    a.made.lines = {row({a.cell(), operation("="), number(whole(a.value()))})};
    a.made.note = "The bias of W_O, trained: added to every word’s output.";
    return;
  }
  static constexpr std::array<std::string_view, 2> outputs[] = {{"Y", "C"}, {"Y_mean", "O_mean"}, {"Y_now", "C_now"}};
  for (const auto& [result, left] : outputs)
    if (name == result) return explain_output(a, left);
  explain_length(a);
}

// "1 and 3", "2"
std::string listed(const std::vector<int>& heads) {
  std::string text;
  for (std::size_t i = 0; i < heads.size(); ++i)
    text += (i == 0 ? "" : i + 1 == heads.size() ? " and " : ", ") + std::to_string(heads[i]);
  return text;
}

// Where the weights come from: of the heads that compute their scores, and of those whose scores are constructed.
void tell_weights_of_heads(Inspection& made, const State& state, const Trace& trace, const Formula& A,
                           const Formula& product) {
  std::vector<int> computed, constructed;
  for (int h = 0; h < state.heads; ++h)
    (pattern_of(state, h) == Pattern::computed ? computed : constructed).push_back(h + 1);
  const bool masked = !trace.at("M").values.isOnes();
  const auto softmax = [&](Formula of) {
    return row({A, operation("="), word("softmax"), parenthesised(std::move(of))});
  };
  if (constructed.empty() && !masked) {
    made.lines.push_back(softmax(product));
    return;
  }
  const Formula S = script(symbol("S"), symbol("h")), M = symbol("M");
  made.lines.push_back(softmax(S));
  std::vector<Formula> scores{S, operation("="), computed.empty() ? word("constructed") : product};
  if (masked) {
    scores.insert(scores.end(), {word(" where "), M, operation("="), number("1"), word(", else "), number("−∞")});
  }
  made.lines.push_back(row(std::move(scores)));
  if (constructed.empty()) return;
  made.note = (constructed.size() == 1 ? "The scores of head " : "The scores of heads ") + listed(constructed) +
              " are constructed, not computed from Q and K. " + made.note;
}

constexpr const char* kHint = "Point at any number to see where it comes from; click or tap to keep it.";

// The letters of the formulas in their colours, and what several steps have.
struct Letters {
  const Palette& colours;
  Formula X = coloured(symbol("X"), colours.input), Y = coloured(symbol("Y"), colours.output),
          A = script(symbol("A"), symbol("h")), O = of("O", colours.output);

  [[nodiscard]] static Formula of(std::string_view letter, Colour colour) {
    return coloured(script(symbol(letter), symbol("h")), colour);
  }
  [[nodiscard]] static Formula W(std::string_view which, Colour colour) {
    return coloured(script(symbol("W"), word(std::string(which))), colour);
  }
  [[nodiscard]] Formula product() const {
    return fraction(row({of("Q", colours.query), script(of("K", colours.key), nullptr, word("T"))}),
                    root(script(symbol("d"), word("head"))));
  }
  // = ∑ O W_O over the heads, behind what stands before the sign.
  [[nodiscard]] Formula sum(std::vector<Formula> before = {}) const {
    before.insert(before.end(),
                  {operation("="), large("∑", symbol("h")), O, script(W("O", colours.output), nullptr, symbol("h"))});
    return row(std::move(before));
  }
  [[nodiscard]] Formula with_bias(const State& state, Formula sum) const {
    if (!state.trained) return sum;
    return row({std::move(sum), operation("+"), coloured(script(symbol("b"), word("O")), colours.output)});
  }
};

}  // namespace

Inspection formula_one(const State& /*state*/, const Trace& /*trace*/, const Palette& colours) {
  return {.title = "one head",
          .lines = {row({coloured(symbol("Y"), colours.output), operation("="), symbol("A"),
                         coloured(symbol("V"), colours.value)})},
          .note = kHint};
}

Inspection formula_split(const State& state, const Trace& /*trace*/, const Palette& colours) {
  const Letters l{colours};
  const Formula other = coloured(symbol(state.crossed() ? "Z" : "X"), colours.input);
  return {.title = "split into heads",
          .lines = {row({coloured(symbol("Q"), colours.query), operation("="), l.X, l.W("Q", colours.query)}),
                    row({coloured(symbol("K"), colours.key), operation("="), other, l.W("K", colours.key)}),
                    row({coloured(symbol("V"), colours.value), operation("="), other, l.W("V", colours.value)}),
                    row({script(symbol("d"), word("head")), operation("="),
                         fraction(script(symbol("d"), word("model")), symbol("h")), operation("="),
                         fraction(number(std::to_string(sizes(state).model)), number(std::to_string(state.heads))),
                         operation("="), number(std::to_string(sizes(state).head))})},
          .note =
              "As in Vaswani et al. 2017, §3.2.2, the heads share the model’s size; a head of its own matrices is the "
              "same as a few columns of one large matrix."};
}

Inspection formula_weights(const State& state, const Trace& trace, const Palette& colours) {
  const Letters l{colours};
  Inspection made{.title = "each head’s weights", .note = kHint};
  tell_weights_of_heads(made, state, trace, l.A, l.product());
  return made;
}

Inspection formula_outputs(const State& state, const Trace& trace, const Palette& colours) {
  const Letters l{colours};
  Inspection made{.title = "each head’s output", .note = kHint};
  tell_weights_of_heads(made, state, trace, l.A, l.product());
  made.lines.push_back(row({l.O, operation("="), l.A, l.of("V", colours.value)}));
  return made;
}

Inspection formula_join(const State& state, const Trace& /*trace*/, const Palette& colours) {
  const Letters l{colours};
  const Formula concatenated =
      row({l.Y, operation("="), word("["), coloured(script(symbol("O"), word("1")), colours.output), word("…"),
           coloured(script(symbol("O"), word(std::to_string(state.heads))), colours.output), word("]"),
           l.W("O", colours.output)});
  return {.title = "multi-head attention",
          .lines = {l.with_bias(state, concatenated), l.with_bias(state, l.sum())},
          .note = kHint};
}

Inspection formula_without(const State& state, const Trace& /*trace*/, const Palette& colours) {
  const Letters l{colours};
  return {.title = "without a head", .lines = {l.with_bias(state, l.sum({l.Y}))}, .note = kHint};
}

std::optional<Inspection> inspect(const State& state, const Trace& trace, const View& view, const std::string& id) {
  if (trace.find("Q") == nullptr) return std::nullopt;
  const std::optional<Source> source = parse_cell_id(id);
  if (!source || trace.cell(source->tensor, source->row, source->column) == nullptr)
    return row_at(view.place).formula(state, trace, palette(view.theme));
  const Tensor& tensor = trace.at(source->tensor);
  Inspection made;
  made.title = source->tensor + "[" + label_of(tensor.row_labels, source->row) + ", " +
               label_of(tensor.column_labels, source->column) + "]";
  if (tensor.values.size() == 1) made.title = source->tensor;
  Asked asked{state, trace, *source, palette(view.theme), read_name(source->tensor), made};
  explain_tensor(asked);
  return made;
}

}  // namespace limelight::scenes::heads
