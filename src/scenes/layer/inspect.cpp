// What the inspector says of Layer's numbers: each as the expression that made it, with the numbers in it.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "io/numbers.h"
#include "scenes/common/explain.h"
#include "scenes/layer/steps.h"

namespace limelight::scenes::layer {
namespace {

using namespace figure;

Colour colour_of(std::string_view name, const Palette& colours) {
  static constexpr std::pair<std::string_view, Colour Palette::*> kColours[] = {
      {"W_Q", &Palette::query}, {"W_K", &Palette::key},  {"W_V", &Palette::value}, {"X", &Palette::input},
      {"Q", &Palette::query},   {"q", &Palette::query},  {"Z", &Palette::query},   {"K", &Palette::key},
      {"V", &Palette::value},   {"Y", &Palette::output}, {"y", &Palette::output}};
  for (const auto& [prefix, colour] : kColours)
    if (name.starts_with(prefix)) return colours.*colour;
  return colours.ink;
}

Formula sum_of(const std::vector<Term>& terms, Colour left, Colour right) {
  return sum_of_products(terms, 2, left, right);
}

void explain_product(Inspection& made, const Trace& trace, const Source& at, std::string_view left,
                     std::string_view right, const Palette& colours) {
  scenes::explain_product(made, trace, at, {left, right, colour_of(left, colours), colour_of(right, colours)});
}

// How f_att made a score of the first two steps. True when the numbers that are shown give it exactly.
bool explain_similarity(Inspection& made, const State& state, const Trace& trace, const Attention& a, const Source& at,
                        const Palette& colours) {
  const Tensor& query = trace.at(a.query);
  const Tensor& input = trace.at(a.key);
  const Formula q = coloured(symbol("q"), colours.query), x = coloured(symbol("x"), colours.input);
  const auto direct = [&] { return terms_of(query, at.row, input, at.column, true); };
  const Formula left = cell_of(at.tensor, at.row, at.column);
  switch (state.similarity) {
    case Similarity::dot:
    case Similarity::scaled:
      break;
    case Similarity::cosine:
      made.lines = {
          row({left, operation("="),
               fraction(row({q, operation("·"), x}), row({word("|"), q, word("| |"), x, word("|")}))}),
          row({q, operation("·"), x, operation("="), sum_of(direct(), colours.query, colours.input)}),
          row({left, operation("="),
               fraction(sum_of_terms(direct()), row({value_of(query.values.row(at.row).norm()), operation("·"),
                                                     value_of(input.values.row(at.column).norm())}))})};
      made.note = "Only the angle counts, not the lengths: between −1 and 1.";
      return false;
    case Similarity::general: {
      const Matrix turned = query.values.row(at.row) * trace.at("W_f").values;
      std::vector<Term> terms;
      for (Eigen::Index k = 0; k < turned.cols(); ++k) terms.push_back({turned(0, k), input.values(at.column, k)});
      made.lines = {row({left, operation("="), parenthesised(row({q, name_of_tensor("W_f")})), operation("·"), x}),
                    row({operation("="), sum_of(terms, colours.query, colours.input)})};
      made.note = "Luong et al. 2015, “general”: W turns the query into the space of the inputs, so sizes may differ.";
      return false;
    }
    case Similarity::additive: {
      const Matrix hidden =
          query.values.row(at.row) * trace.at("W_1").values + input.values.row(at.column) * trace.at("W_2").values;
      std::vector<Term> terms;
      for (Eigen::Index k = 0; k < hidden.cols(); ++k)
        terms.push_back({trace.at("v_f").values(k, 0), std::tanh(hidden(0, k))});
      made.lines = {row({left, operation("="), symbol("v"), operation("·"), word("tanh"),
                         parenthesised(row({q, name_of_tensor("W_1"), operation("+"), x, name_of_tensor("W_2")}))}),
                    row({operation("="), sum_of(terms, colours.ink, colours.ink)})};
      made.note = "Bahdanau et al. 2015, the first f_att: a small network, here not trained but drawn from the seed.";
      return false;
    }
  }
  const bool scaled = state.similarity == Similarity::scaled;
  const Formula product = row({q, operation("·"), x}), sum = sum_of(direct(), colours.query, colours.input);
  made.lines = {row({left, operation("="), scaled ? fraction(product, root(symbol("D"))) : product}),
                row({product, operation("="), sum})};
  if (scaled)
    made.lines.push_back(
        row({left, operation("="), fraction(sum_of_terms(direct()), root(number(std::to_string(query.columns()))))}));
  return are_exact(direct()) && (!scaled || has_whole_root(query.columns()));
}

void explain_scores(Inspection& made, const State& state, const Trace& trace, const Attention& a, const Source& at,
                    const Palette& colours) {
  const bool positioned = a.scores == "E_pos";
  const double value = trace.at(a.scores).values(at.row, at.column);
  bool exact = false;
  if (a.key == "X") {
    exact = explain_similarity(made, state, trace, a, at, colours);
  } else if (!std::isfinite(value)) {
    made.lines = {row({cell_of(at.tensor, at.row, at.column), operation("="), number("−∞")})};
    made.note = "Masked: this input comes later, so its weight will be 0.";
    return;
  } else {
    const std::vector<Term> terms = terms_of(trace.at(a.query), at.row, trace.at(a.key), at.column, true);
    exact = are_exact(terms) && has_whole_root(sizes(state).key);
    const Formula product =
        row({coloured(symbol("q"), colours.query), operation("·"), coloured(symbol("k"), colours.key)});
    Formula scaled = fraction(sum_of_terms(terms), root(number(std::to_string(sizes(state).key))));
    if (positioned && state.positions == Encoding::linear_bias) {
      scaled = row({scaled, operation("−"), number(io::format_short(state.slope)), operation("·"),
                    number(std::to_string(std::abs(at.row - at.column)))});
      made.note = "The linear bias takes the slope times the distance of the two places off the score.";
    }
    const Formula left = cell_of(at.tensor, at.row, at.column);
    made.lines = {row({left, operation("="), fraction(product, root(script(symbol("D"), word("Q"))))}),
                  row({product, operation("="), sum_of(terms, colours.query, colours.key)}),
                  row({left, operation("="), scaled})};
  }
  result_line(made, value, exact);
  add_origin(made, trace, a.query, at.row, false, colours.query);
  add_origin(made, trace, a.key, at.column, false, colour_of(a.key, colours));
}

void explain_weight(Inspection& made, const State& state, const Trace& trace, const Attention& a, const Source& at,
                    const Palette& colours) {
  const bool wrong = a.weights == "A" && state.wrong_axis;
  const Matrix& scores = trace.at(a.scores).values;
  const Matrix along = wrong ? Matrix(scores.col(at.column).transpose()) : Matrix(scores.row(at.row));
  const double own = scores(at.row, at.column);
  const double value = trace.at(a.weights).values(at.row, at.column);
  double sum = 0;
  const double most = static_cast<double>(along.maxCoeff());
  for (const float score : along.reshaped()) sum += std::exp(static_cast<double>(score) - most);
  const Formula e = symbol("e");
  made.lines = {row({cell_of(at.tensor, at.row, at.column), operation("="),
                     fraction(row({word("exp"), parenthesised(script(e, symbol("i j")))}),
                              row({large("∑", symbol("k")), word("exp"),
                                   parenthesised(script(e, symbol(wrong ? "k j" : "i k")))}))}),
                row({operation("="), fraction(value_of(std::exp(own - most)), value_of(sum))})};
  result_line(made, value);
  made.note = !std::isfinite(own) ? "Masked, so its weight is exactly 0."
              : wrong             ? "The wrong axis: the sum runs over the queries, down the column."
                                  : "The sum runs over the inputs, along the row; the largest score, " + fixed(most) +
                            ", was subtracted first, which changes no weight.";
  add_origin(made, trace, a.scores, wrong ? at.column : at.row, wrong, colours.muted);
}

struct Said {
  std::string_view tensor, text;
};
constexpr Said kGiven[] = {
    {"X", "Of an input."},
    {"Q_given", "Of a query, given from outside."},
    {"Q", "Of a query, given from outside."},
    {"q", "Of the query, given from outside."},
    {"Z", "Of the second sequence."},
    {"W_Q", "How much a feature of an input counts in its query; in a real model it is learned."},
    {"W_K", "How much a feature of an input counts in its key; in a real model it is learned."},
    {"W_V", "How much a feature of an input counts in its value; in a real model it is learned."},
    {"W_f", "The matrix of the general similarity; in a real model it is learned."},
    {"W_1", "Of the additive similarity, for the query; drawn from the seed, not trained."},
    {"W_2", "Of the additive similarity, for the input; drawn from the seed, not trained."},
    {"v_f", "Of the additive similarity: how much each hidden unit counts; drawn from the seed, not trained."},
    {"X_new", "The inputs in their new order."},
    {"Y_moved", "f first, then s: the outputs of the inputs as written, moved to the new order."},
    {"order_last", "The first number of an output when the layer comes first and the shuffle last."},
    {"order_first", "The first number of an output when the shuffle comes first and the layer last."},
    {"order_gap", "How far the two outputs are apart, in whichever of their numbers that is most."},
    {"Y_moved_pos", "f first, then s: with the positions of the order as written, then moved."},
};

// The encodings of positions, and what they make of queries and keys.
void explain_position(Inspection& made, const State& state, const Trace& trace, const Source& at) {
  const int i = at.row, j = at.column;
  const double value = trace.at(at.tensor).values(i, j);
  const Formula left = cell_of(at.tensor, i, j);
  const int features =
      at.tensor == "P" || at.tensor == "P_dot" ? state.features + state.features % 2 : trace.at(at.tensor).columns();
  const double angle = i / std::pow(10000, 2.0 * (j / 2) / features);  // NOLINT(bugprone-integer-division): pairs
  if (at.tensor == "P_dot") {
    const bool bias = state.positions == Encoding::linear_bias;
    made.lines = {
        bias
            ? row({left, operation("="), operation("−"), number(io::format_short(state.slope)), operation("·"),
                   number(std::to_string(j))})
            : row({left, operation("="), large("∑", symbol("c")), word("cos"),
                   parenthesised(row({number(std::to_string(j)), operation("·"), script(symbol("ω"), symbol("c"))}))})};
    made.note = bias ? "Slope times distance, the same wherever the two stand."
                     : "It depends on the distance alone, wherever the two positions stand; ω is 10000 to the power "
                       "−2c/d.";
  } else if (state.positions == Encoding::linear_bias && at.tensor == "P") {
    made.lines = {row({left, operation("="), operation("−"), number(io::format_short(state.slope)), operation("·"),
                       number(std::to_string(std::abs(i - j)))})};
    made.note = "Added to the score of the query in place " + std::to_string(i) + " and the key in place " +
                std::to_string(j) + ", counted from 0.";
  } else if (at.tensor == "P") {
    const bool sine = (j % 2 == 0) == (state.positions == Encoding::sinusoidal);
    made.lines = {
        row({left, operation("="), word(sine ? "sin" : "cos"),
             parenthesised(row({number(std::to_string(i)), operation("·"), script(symbol("ω"), symbol("c"))}))}),
        row({operation("="), word(sine ? "sin" : "cos"), parenthesised(value_of(angle))})};
    made.note = "Position " + std::to_string(i) +
                ", counted from 0; ω is 10000 to the power −2c/d, c = " + std::to_string(j / 2) + ".";
  } else {
    const std::string_view plain = at.tensor == "Q_pos" ? "Q_new" : "K_new";
    const Matrix& from = trace.at(plain).values;
    const auto entry = [&](int column) { return column < from.cols() ? static_cast<double>(from(i, column)) : 0; };
    if (state.positions == Encoding::sinusoidal)
      made.lines = {row({left, operation("="), cell_of(plain, i, j), operation("+"), symbol("p")}),
                    row({operation("="), value_of(entry(j)), operation("+"), factor_of(value - entry(j))})};
    else if (state.positions == Encoding::rotary)
      made.lines = {
          row({left, operation("="), word("cos"), parenthesised(value_of(angle)), operation("·"), factor_of(entry(j)),
               operation(j % 2 == 0 ? "−" : "+"), word("sin"), parenthesised(value_of(angle)), operation("·"),
               factor_of(entry(j % 2 == 0 ? j + 1 : j - 1))})};
    else
      made.lines = {row({left, operation("="), cell_of(plain, i, j)})};
    made.note = "With the position of its new place, " + std::to_string(i) + ", counted from 0.";
  }
  result_line(made, value);
}

// Sums of weights, and the largest difference of two outputs.
void explain_measure(Inspection& made, const Trace& trace, const Source& at) {
  const double value = trace.at(at.tensor).values(at.row, at.column);
  const Formula a = symbol("a");
  const Formula s = symbol("s"), f = symbol("f"), X = symbol("X");
  if (at.tensor == "row_sum" || at.tensor == "column_sum") {
    const bool rows = at.tensor == "row_sum";
    made.lines = {row({large("∑", symbol(rows ? "k" : "i")), script(a, symbol(rows ? "i k" : "i k"))})};
    const Matrix& A = trace.at("A").values;
    const Matrix terms = rows ? Matrix(A.row(at.row)) : Matrix(A.col(at.column).transpose());
    std::vector<Formula> sum{operation("=")};
    constexpr Eigen::Index most = 6;
    for (Eigen::Index k = 0; k < std::min(terms.cols(), most); ++k) {
      if (k > 0) sum.push_back(operation("+"));
      sum.push_back(value_of(terms(0, k)));
    }
    if (terms.cols() > most) sum.push_back(word("+ " + std::to_string(terms.cols() - most) + " more"));
    made.lines.push_back(row(sum));
    made.note = rows ? "What this query gives in all." : "What this input gets in all.";
  } else if (at.tensor == "error_keys") {
    made.lines = {row({word("max |"), symbol("Y"), operation("−"), script(symbol("Y"), word("cross")), word("|")})};
    made.note = "A sum does not depend on the order of its terms: " + difference(value) + ".";
  } else {
    made.lines = {row({word("max |"), f, parenthesised(row({s, parenthesised(X)})), operation("−"), s,
                       parenthesised(row({f, parenthesised(X)})), word("|")})};
    made.note = "Over all outputs and all their numbers: " + difference(value) + ".";
    if (at.tensor != "errors") {  // where it is
      const bool positioned = at.tensor == "error_pos";
      const Matrix& first = trace.at(positioned ? "Y_pos" : "Y_new").values;
      const Matrix& then = trace.at(positioned ? "Y_moved_pos" : "Y_moved").values;
      Eigen::Index i = 0, j = 0;
      (first - then).cwiseAbs().maxCoeff(&i, &j);
      made.lines.push_back(
          row({operation("="), word("|"), value_of(first(i, j)), operation("−"), factor_of(then(i, j)), word("|")}));
    }
  }
  result_line(made, value);
}

bool is_measure(std::string_view name) { return name.starts_with("error") || name.ends_with("_sum"); }
bool is_position(std::string_view name) { return name == "P" || name == "P_dot" || name == "Q_pos" || name == "K_pos"; }

// Where each encoding comes from, and what is simplified here.
constexpr std::string_view kEncodingNotes[] = {
    "Nothing says where a row stands, unless a mask does.",
    "Vaswani et al. 2017, §3.5, add the encoding to the embeddings, before W; here it is added to queries and keys.",
    "Su et al. 2021: each pair of numbers in queries and keys turns by an angle that grows with its place.",
    "Press et al. 2022: the farther a key, the lower its score; they look back only, here it goes both ways."};

constexpr const char* kHint = "Point at any number to see where it comes from; click or tap to keep it.";

// The letters of the formulas in their colours, and the products that several steps have.
struct Letters {
  const Palette& colours;
  Formula X = coloured(symbol("X"), colours.input), Q = coloured(symbol("Q"), colours.query),
          K = coloured(symbol("K"), colours.key), V = coloured(symbol("V"), colours.value),
          Y = coloured(symbol("Y"), colours.output), Z = coloured(symbol("Z"), colours.query);

  [[nodiscard]] Formula W(std::string_view which, Colour colour) const {
    return coloured(script(symbol("W"), word(which)), colour);
  }
  [[nodiscard]] Formula queries(const Formula& from) const {
    return row({Q, operation("="), from, W("Q", colours.query)});
  }
  [[nodiscard]] Formula keys() const { return row({K, operation("="), X, W("K", colours.key)}); }
  [[nodiscard]] Formula values() const { return row({V, operation("="), X, W("V", colours.value)}); }
  [[nodiscard]] Formula attention() const {
    return row({Y, operation("="), word("softmax"),
                parenthesised(fraction(row({Q, script(K, nullptr, word("T"))}), root(script(symbol("D"), word("Q"))))),
                V});
  }
};

Inspection equivariance(const Palette& colours, const char* sign, std::string_view note) {
  const Formula X = coloured(symbol("X"), colours.input), f = symbol("f"), s = symbol("s");
  return {.title = "permutation equivariance",
          .lines = {row({f, parenthesised(row({s, parenthesised(X)})), operation(sign), s,
                         parenthesised(row({f, parenthesised(X)}))})},
          .note = "s puts the rows in a new order, f is the layer. " + std::string(note)};
}

}  // namespace

Inspection formula_query(const State& /*state*/, const Palette& colours) {
  const Formula x = coloured(script(symbol("X"), symbol("i")), colours.input);
  return {.title = "one query",
          .lines = {row({script(symbol("e"), symbol("i")), operation("="), script(symbol("f"), word("att")),
                         parenthesised(row({coloured(symbol("q"), colours.query), word(","), x}))}),
                    row({symbol("a"), operation("="), word("softmax"), parenthesised(symbol("e"))}),
                    row({coloured(symbol("y"), colours.output), operation("="), large("∑", symbol("i")),
                         script(symbol("a"), symbol("i")), x})},
          .note = kHint};
}

Inspection formula_queries(const State& state, const Palette& colours) {
  const Letters l{colours};
  return {.title = "many queries",
          .lines = {row({symbol("E"), operation("="), script(symbol("f"), word("att")),
                         parenthesised(row({l.Q, word(","), l.X}))}),
                    row({symbol("A"), operation("="), word("softmax"), parenthesised(symbol("E")),
                         word(state.wrong_axis ? "over the queries" : "over the inputs")}),
                    row({l.Y, operation("="), symbol("A"), l.X})},
          .note = kHint};
}

Inspection formula_keys(const State& /*state*/, const Palette& colours) {
  const Letters l{colours};
  return {.title = "keys and values", .lines = {l.keys(), l.values(), l.attention()}, .note = kHint};
}

Inspection formula_self(const State& /*state*/, const Palette& colours) {
  const Letters l{colours};
  return {.title = "self-attention", .lines = {l.queries(l.X), l.keys(), l.values(), l.attention()}, .note = kHint};
}

Inspection formula_cross(const State& /*state*/, const Palette& colours) {
  const Letters l{colours};
  return {.title = "cross-attention", .lines = {l.queries(l.Z), l.keys(), l.values(), l.attention()}, .note = kHint};
}

Inspection formula_shuffle(const State& /*state*/, const Palette& colours) { return equivariance(colours, "=", kHint); }

Inspection formula_order(const State& state, const Palette& colours) {
  return equivariance(colours, "≠", kEncodingNotes[static_cast<int>(state.positions)]);
}

Inspection formula_all(const State& /*state*/, const Palette& colours) { return equivariance(colours, "≠", kHint); }

std::optional<Inspection> inspect(const State& state, const Trace& trace, const View& view, const std::string& id) {
  const std::optional<Source> source = parse_cell_id(id);
  const float* found = source ? trace.cell(source->tensor, source->row, source->column) : nullptr;
  const Palette& colours = palette(view.theme);
  if (found == nullptr) return row_at(view.place).formula(state, colours);
  const Tensor& tensor = trace.at(source->tensor);
  const std::string& name = source->tensor;
  Inspection made;
  made.title = name + "[" + label_of(tensor.row_labels, source->row) + ", " +
               label_of(tensor.column_labels, source->column) + "]";
  for (const Attention& a : attentions()) {
    if (name == a.scores) explain_scores(made, state, trace, a, *source, colours);
    if (name == a.weights) explain_weight(made, state, trace, a, *source, colours);
    if (name == a.output) explain_product(made, trace, *source, a.weights, a.value, colours);
  }
  for (const Product& p : products())
    if (name == p.result) explain_product(made, trace, *source, p.left, p.right, colours);
  if (is_position(name)) explain_position(made, state, trace, *source);
  if (is_measure(name)) explain_measure(made, trace, *source);
  const auto* given = std::ranges::find(kGiven, name, &Said::tensor);
  if (given != std::end(kGiven)) {
    made.lines = {row({cell_of(name, source->row, source->column), operation("="), number(whole(*found))})};
    static constexpr std::string_view editable[] = {"X", "Q", "Q_given", "Z", "W_Q", "W_K", "W_V"};
    made.note = given->text;
    if (std::ranges::find(editable, name) != std::end(editable))
      made.note += " Double-click to type another number, or drag it up and down.";
  }
  return made;
}

}  // namespace limelight::scenes::layer
