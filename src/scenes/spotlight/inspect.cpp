// Where Spotlight's numbers come from: the inspector's formulas with the numbers in them.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "figure/formula.h"
#include "io/numbers.h"
#include "io/utf8.h"
#include "scenes/common/explain.h"
#include "scenes/spotlight/steps.h"

namespace limelight::scenes::spotlight {
namespace {

Formula indexed(std::string_view name, int row, int column) {
  return script(symbol(name), word(std::to_string(row + 1) + " " + std::to_string(column + 1)));
}
// "= 0.5" behind what it is computed from, "≈ 0.300045" when that or itself is rounded.
std::vector<Formula> result(double value, bool exact = true) {
  return {operation(exact && is_exact(value, 6) ? "=" : "≈"), number(whole(value))};
}

// Words as an index: "likes", "likes, coffee", or the beginnings of long ones.
Formula index_of(const std::string& label) { return word(io::ellipsize(label, 12)); }
Formula index_of(const std::string& left, const std::string& right) {
  return word(io::ellipsize(left, 12) + ", " + io::ellipsize(right, 12));
}

// A matrix's name in its colour, with what stands behind its underscore as an index.
Formula matrix_name(std::string_view name, Colour colour) {
  const Formula letter = symbol(name.substr(0, 1));
  return coloured(name.size() > 2 ? script(letter, word(name.substr(2))) : letter, colour);
}

// "name = left·right", then the same with its numbers and its value, for a product of two matrices of the trace.
struct Product {
  std::string_view left, right;
  bool right_transposed;
  Colour left_colour, right_colour;
};

void explain_product(Inspection& inspection, const Trace& trace, std::string_view name, const Source& at,
                     const Product& p, double value) {
  constexpr int decimals = 2;
  const Tensor& left = trace.at(p.left);
  const Tensor& right = trace.at(p.right);
  std::vector<Term> terms;
  bool exact = true;
  for (int k = 0; k < left.columns(); ++k) {
    terms.push_back(
        {left.values(at.row, k), p.right_transposed ? right.values(at.column, k) : right.values(k, at.column)});
    exact = exact && is_exact(terms.back().left, decimals) && is_exact(terms.back().right, decimals);
  }
  inspection.lines.push_back(row({indexed(name, at.row, at.column), operation("="), matrix_name(p.left, p.left_colour),
                                  operation("·"), matrix_name(p.right, p.right_colour)}));
  std::vector<Formula> sum{operation("="), sum_of_products(terms, decimals, p.left_colour, p.right_colour)};
  std::ranges::copy(result(value, exact), std::back_inserter(sum));
  inspection.lines.push_back(row(sum));
}

// What a score is multiplied and divided by.
struct Divisor {
  std::vector<Formula> times, below, below_numbers;
  bool scales;

  [[nodiscard]] Formula symbols(Formula score) const { return around(std::move(score), times, below); }
  [[nodiscard]] Formula numbers(Formula score) const { return around(std::move(score), times, below_numbers); }

 private:
  static Formula around(Formula score, std::vector<Formula> times, const std::vector<Formula>& below) {
    times.push_back(std::move(score));
    return below.empty() ? row(times) : fraction(row(times), row(below));
  }
};

Divisor divisor(const State& state, int key_size) {
  Divisor by{};
  if (state.scale == Scale::own) by.times = {number(io::format_short(state.factor)), operation("·")};
  if (state.scale == Scale::root) {
    by.below.push_back(root(script(symbol("d"), symbol("k"))));
    by.below_numbers.push_back(root(number(std::to_string(key_size))));
  }
  if (state.temperature != 1) {
    if (!by.below.empty()) by.below_numbers.push_back(operation("·"));
    by.below.push_back(symbol("T"));
    by.below_numbers.push_back(number(io::format_short(state.temperature)));
  }
  by.scales = !by.times.empty() || !by.below.empty();
  return by;
}

// What the signs of the step's formula mean, and what can be done with its numbers.
std::string how_to_read(const State& state, const View& view) {
  const Row& step = row_at(view.place);
  std::string text(step.signs);
  if (state.mask == Masking::causal && step.has_mask)
    text += "M is the mask: 0 where a word may look, −∞ where it may not. ";
  if (step.step.id == "glance") return text;  // there the question needs the room
  text += view.touch ? "Tap any number to see where it comes from."
                     : "Point at any number to see where it comes from; click to keep it.";
  const bool weights = step.editable == kWeight;
  const bool shown = !weights || view.place.part == 0 || view.place.part == std::ssize(step.step.parts);
  const std::string cell(!shown ? "" : state.given() && !weights ? "A cell of Q, K or V" : step.editable);
  if (cell.empty()) return text;
  return text + " " + cell + " can be changed: " +
         (view.touch ? "tap it twice and type, or tap it, then drag it up and down"
                     : "double-click it and type, or drag it up and down") +
         (weights ? "; the others of its row make room." : ".");
}

std::string how_to_change(const View& view) {
  return view.touch ? "Tap twice to type another number, or tap it, then drag it up and down."
                    : "Double-click to type another number, or drag it up and down.";
}

Inspection general(const State& state, const Trace& trace, const View& view) {
  Inspection made = row_at(view.place).formula({state, trace, palette(view.theme)});
  made.note = how_to_read(state, view);
  return made;
}

// Of the keys of a row, how well one fits the query.
std::string how_it_fits(const Matrix& weights, int i, int j) {
  const auto row = weights.row(i);
  const auto better = std::ranges::count_if(row, [&](float other) { return other > row(j); });
  if (better == 0) return row.size() == 1 ? "There is no other key." : "No key fits this query better.";
  return better == 1 ? "One key fits this query better." : std::to_string(better) + " keys fit this query better.";
}

// A number of the trace, and what its explanation is made of.
struct Cell {
  const State& state;
  const Trace& trace;
  const View& view;
  const Palette& colours;
  Source at;
  int i, j;  // its row and column
  double value;
  std::string row_name, column_name;
};

void origin(Inspection& made, const Cell& c, std::string_view matrix, int index, Colour colour,
            bool as_column = false) {
  add_origin(made, c.trace, matrix, index, as_column, colour);
}

// The query and the key that a score is made of.
void add_terms(Inspection& made, const Cell& c) {
  origin(made, c, "Q", c.i, c.colours.query);
  origin(made, c, "K", c.j, c.colours.key);
}

// What the matrix W_q, W_k or W_v makes of a word.
std::string made_by(std::string_view matrix) { return matrix == "W_q" ? "query" : matrix == "W_k" ? "key" : "value"; }

void explain_projected(Inspection& made, const Cell& c) {
  if (c.state.given()) {
    made.lines.push_back(row({indexed(c.at.tensor, c.i, c.j), operation("="), number(whole(c.value))}));
    made.note = "Given. " + how_to_change(c.view);
    return;
  }
  const std::string weights = c.at.tensor == "Q" ? "W_q" : c.at.tensor == "K" ? "W_k" : "W_v";
  const Colour colour = c.at.tensor == "Q" ? c.colours.query : c.at.tensor == "K" ? c.colours.key : c.colours.value;
  explain_product(made, c.trace, c.at.tensor, c.at, {"X", weights, false, c.colours.input, colour}, c.value);
  origin(made, c, "X", c.i, c.colours.input);
  origin(made, c, weights, c.j, colour, true);
}

void explain_score(Inspection& made, const Cell& c) {
  const std::string query = c.row_name, key = c.column_name;
  explain_product(made, c.trace, "s", c.at, {"Q", "K", true, c.colours.query, c.colours.key}, c.value);
  // Whose row meets whose: said by name.
  made.lines.front() = row({script(symbol("s"), index_of(query, key)), operation("="),
                            coloured(script(symbol("Q"), index_of(query)), c.colours.query), operation("·"),
                            coloured(script(symbol("K"), index_of(key)), c.colours.key)});
  made.note =
      "The dot product of the query of " + query + " and the key of " + key + ": number times number, added up.";
  add_terms(made, c);
}

void explain_scaled(Inspection& made, const Cell& c) {
  const double score = c.trace.at("scores").values(c.i, c.j);
  if (!std::isfinite(c.value)) {
    made.lines.push_back(row({indexed("z", c.i, c.j), operation("="), number("−∞")}));
    made.note = "Masked: " + c.column_name + " comes after " + c.row_name + ", so its weight will be 0.";
    return;
  }
  const Divisor by = divisor(c.state, c.trace.at("K").columns());
  made.lines.push_back(row({indexed("z", c.i, c.j), operation("="), by.symbols(indexed("s", c.i, c.j)), operation("="),
                            by.numbers(value_of(score))}));
  result_line(made, c.value, is_exact(score, 3));
  add_terms(made, c);
}

void explain_maximum(Inspection& made, const Cell& c) {
  made.lines.push_back(
      row({script(symbol("m"), word(std::to_string(c.i + 1))), operation("="), script(word("max"), symbol("k")),
           script(symbol("z"), row({word(std::to_string(c.i + 1)), symbol(" k")})), operation("="),
           number(whole(c.value))}));
  made.note = "The largest scaled score of the row of " + c.row_name + ".";
}

void explain_shifted(Inspection& made, const Cell& c) {
  made.lines.push_back(row({indexed("z", c.i, c.j), operation("−"), script(symbol("m"), word(std::to_string(c.i + 1))),
                            operation("="), value_of(c.trace.at("scaled").values(c.i, c.j)), operation("−"),
                            value_of(c.trace.at("maximum").values(c.i, 0))}));
  result_line(made, c.value,
              is_exact(c.trace.at("scaled").values(c.i, c.j), 3) && is_exact(c.trace.at("maximum").values(c.i, 0), 3));
}

void explain_exponential(Inspection& made, const Cell& c) {
  const double shifted = c.trace.at("shifted").values(c.i, c.j);
  std::vector<Formula> line{word("exp"), parenthesised(value_of(shifted))};
  std::ranges::copy(result(c.value, !std::isfinite(shifted) || is_exact(shifted, 3)), std::back_inserter(line));
  made.lines.push_back(row(line));
  made.note = "exp(x) is e ≈ 2.718 raised to the power x: always positive, and 1 at 0.";
}

void explain_sum(Inspection& made, const Cell& c) {
  const Matrix& terms = c.trace.at("exponentials").values;
  std::vector<Formula> parts{operation("=")};
  bool exact = true;
  for (int k = 0; k < terms.cols(); ++k) exact = exact && is_exact(terms(c.i, k), 3);
  const int shown = terms.cols() > 6 ? 4 : static_cast<int>(terms.cols());
  for (int k = 0; k < shown; ++k) {
    if (k > 0) parts.push_back(operation("+"));
    parts.push_back(value_of(terms(c.i, k)));
  }
  if (shown < terms.cols()) {
    parts.push_back(operation("+"));
    parts.push_back(word(std::to_string(terms.cols() - shown) + " more"));
  }
  made.lines = {row({large("∑", symbol("k")), word("exp"),
                     parenthesised(row({script(symbol("z"), symbol("k")), operation("−"), symbol("m")}))}),
                row(parts)};
  result_line(made, c.value, exact);
}

void explain_weight(Inspection& made, const Cell& c) {
  if (weights_set_in(c.state, c.i)) {
    made.lines.push_back(row({indexed("a", c.i, c.j), operation("="), number(whole(c.value))}));
    made.note = c.state.weights.cells.contains({c.i, c.j})
                    ? "Set by hand; the others of its row were rescaled so that they sum to 1."
                    : "Rescaled, because another weight of this row was set by hand.";
    return;
  }
  const Matrix& terms = c.trace.at("exponentials").values;
  const double scaled = c.trace.at("scaled").values(c.i, c.j), score = c.trace.at("scores").values(c.i, c.j),
               maximum = c.trace.at("maximum").values(c.i, 0);
  const Divisor by = divisor(c.state, c.trace.at("K").columns());
  const Formula q = coloured(symbol("q"), c.colours.query), k = coloured(symbol("k"), c.colours.key);
  made.lines.push_back(row({script(symbol("a"), index_of(c.row_name, c.column_name)), operation("="), word("softmax"),
                            parenthesised(by.symbols(row({q, operation("·"), k})))}));
  if (std::isfinite(scaled) && by.scales)
    made.lines.push_back(row({symbol("z"), operation("="), by.numbers(value_of(score)),
                              operation(is_exact(score, 3) && is_exact(scaled, 3) ? "=" : "≈"), value_of(scaled)}));
  const double shifted = c.trace.at("shifted").values(c.i, c.j), sum = c.trace.at("sum").values(c.i, 0);
  std::vector<Formula> line{symbol("a"), operation("="),
                            fraction(row({word("exp"), parenthesised(value_of(shifted))}), value_of(sum, 6))};
  const bool exact = is_exact(terms(c.i, c.j), 3) && is_exact(sum, 3) && is_exact(shifted, 3);
  std::ranges::copy(result(c.value, exact), std::back_inserter(line));
  made.lines.push_back(row(line));
  made.note = std::isinf(scaled) ? "Masked, so its weight is exactly 0."
                                 : how_it_fits(c.trace.at("weights").values, c.i, c.j) + " The largest " +
                                       std::string(by.scales ? "z" : "score") + ", " + fixed(maximum) +
                                       ", is taken off first: same weights.";
  add_terms(made, c);
  if (const Tensor* low = c.trace.find("weights_low"); low != nullptr)
    made.note += " Over 200 random draws of the matrices, 80 % of the time this weight lay between " +
                 percent(low->values(c.i, c.j)) + " and " + percent(c.trace.at("weights_high").values(c.i, c.j)) +
                 ": the draw decides it more than the words.";
}

void explain_output(Inspection& made, const Cell& c) {
  explain_product(made, c.trace, "y", c.at, {"weights", "V", false, c.colours.ink, c.colours.value}, c.value);
  made.lines.front() =
      row({indexed("y", c.i, c.j), operation("="), large("∑", symbol("k")),
           script(symbol("a"), row({word(std::to_string(c.i + 1) + " "), symbol("k")})),
           coloured(script(symbol("v"), row({symbol("k"), word(" " + std::to_string(c.j + 1))})), c.colours.value)});
  origin(made, c, "weights", c.i, c.colours.muted);
  origin(made, c, "V", c.j, c.colours.value, true);
}

// X and the three W.
void explain_input(Inspection& made, const Cell& c) {
  const bool embedding = c.at.tensor == "X";
  made.lines.push_back(row({indexed(embedding ? "x" : "w", c.i, c.j), operation("="), number(whole(c.value))}));
  const std::string feature =
      c.column_name == std::to_string(c.j + 1) ? "number " + c.column_name : "“" + c.column_name + "”";
  const int size = c.trace.at("X").columns() - 1;  // where a 1 stands for the bias
  if (c.state.trained && (embedding ? c.j : c.i) == size) {
    made.note = embedding ? "A 1 for every word: times the last row of a matrix it adds the bias."
                          : "The bias: the 1 behind each word’s numbers adds it to " + feature + " of every " +
                                made_by(c.at.tensor) + ".";
  } else if (embedding && c.state.trained) {
    made.note = "Of what enters layer " + std::to_string(c.state.layer) + " for " + c.row_name + ", " + feature +
                ", after its LayerNorm.";
  } else if (embedding) {
    made.note = "The embedding of " + c.row_name + ", " + feature + ".";
  } else {
    const std::string from =
        c.trace.at(c.at.tensor).row_labels.empty() ? "number " + std::to_string(c.i + 1) : "“" + c.row_name + "”";
    made.note = "How much " + from + " of a word’s " + (c.state.trained ? "input" : "embedding") + " counts for " +
                feature + " of its " + made_by(c.at.tensor) + ".";
  }
  made.note += " " + how_to_change(c.view);
}

using Explain = void (*)(Inspection&, const Cell&);
struct Explained {
  std::string_view tensor;
  Explain explain;
};
constexpr Explained kExplained[] = {
    {"Q", explain_projected},     {"K", explain_projected},
    {"V", explain_projected},     {"scores", explain_score},
    {"scaled", explain_scaled},   {"maximum", explain_maximum},
    {"shifted", explain_shifted}, {"exponentials", explain_exponential},
    {"sum", explain_sum},         {"weights", explain_weight},
    {"output", explain_output},   {"", explain_input},
};

}  // namespace

Formula Formulas::scaled() const {
  const Formula product = divisor(state, trace.at("K").columns()).symbols(row({Q, KT}));
  return state.mask == Masking::causal ? row({product, operation("+"), symbol("M")}) : product;
}

Inspection formula_qkv(const Formulas& f) {
  const State& state = f.state;
  const Trace& trace = f.trace;
  Inspection made;
  made.title = state.given() ? "given" : "queries, keys, values";
  if (!state.given()) {
    made.lines = {row({f.Q, operation("="), f.X, f.W("q", f.colours.query)}),
                  row({f.K, operation("="), f.X, f.W("k", f.colours.key)}),
                  row({f.V, operation("="), f.X, f.W("v", f.colours.value)})};
  } else {
    made.lines = {row({f.Q, operation("∈"), script(word("ℝ"), nullptr, word(extent(trace.at("Q"))))}),
                  row({f.K, operation("∈"), script(word("ℝ"), nullptr, word(extent(trace.at("K"))))}),
                  row({f.V, operation("∈"), script(word("ℝ"), nullptr, word(extent(trace.at("V"))))})};
  }
  return made;
}

Inspection formula_x(const Formulas& f) {
  if (f.state.given()) return formula_qkv(f);
  const Trace& trace = f.trace;
  Inspection made;
  made.title = "the input";
  made.lines = {row({f.X, operation("∈"), script(word("ℝ"), nullptr, word(extent(trace.at("X"))))})};
  return made;
}

Inspection formula_scores(const Formulas& f) {
  Inspection made;
  made.title = "S, the scores";
  made.lines = {row({symbol("S"), operation("="), f.Q, f.KT})};
  return made;
}

Inspection formula_scale(const Formulas& f) {
  const State& state = f.state;
  const int size = f.trace.at("K").columns();
  Inspection made;
  made.title = "Z, the scaled scores";
  made.lines = {row({symbol("Z"), operation("="), f.scaled()})};
  if (state.scale == Scale::root)
    made.lines.push_back(
        row({root(script(symbol("d"), symbol("k"))), operation("="), root(number(std::to_string(size))), operation("="),
             number(io::format_short(std::sqrt(size), 4))}));
  return made;
}

Inspection formula_softmax(const Formulas&) {
  Inspection made;
  made.title = "a, the weights: softmax, row by row";
  made.lines = {row({script(symbol("a"), symbol("i j")), operation("="),
                     fraction(row({word("exp"), parenthesised(row({script(symbol("z"), symbol("i j")), operation("−"),
                                                                   script(symbol("m"), symbol("i"))}))}),
                              row({large("∑", symbol("k")), word("exp"),
                                   parenthesised(row({script(symbol("z"), symbol("i k")), operation("−"),
                                                      script(symbol("m"), symbol("i"))}))}))}),
                row({script(symbol("m"), symbol("i")), operation("="), script(word("max"), symbol("k")),
                     script(symbol("z"), symbol("i k"))})};
  return made;
}

Inspection formula_output(const Formulas& f) {
  Inspection made;
  made.title = "Y, the output: attention";
  made.lines = {
      row({coloured(symbol("Y"), f.colours.output), operation("="), word("softmax"), parenthesised(f.scaled()), f.V})};
  return made;
}

std::optional<Inspection> inspect(const State& state, const Trace& trace, const View& view, const std::string& id) {
  if (trace.find("Q") == nullptr) return std::nullopt;
  const std::optional<Source> source = parse_cell_id(id);
  if (!source) return general(state, trace, view);
  const Tensor* tensor = trace.find(source->tensor);
  if (tensor == nullptr || source->row >= tensor->rows() || source->column >= tensor->columns())
    return general(state, trace, view);
  const auto& [name, i, j] = *source;
  const Cell cell{state,
                  trace,
                  view,
                  palette(view.theme),
                  *source,
                  i,
                  j,
                  tensor->values(i, j),
                  label_of(tensor->row_labels, i),
                  tensor->column_labels.empty() ? std::to_string(j + 1) : label_of(tensor->column_labels, j)};
  Inspection made;
  made.title = name + "[" + cell.row_name + ", " + cell.column_name + "]";
  std::ranges::find_if(kExplained, [&](const Explained& row) {
    return row.tensor == name || row.tensor.empty();
  })->explain(made, cell);
  return made;
}

}  // namespace limelight::scenes::spotlight
