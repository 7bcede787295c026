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
  const Palette& colours = palette(view.theme);
  const auto [name, i, j] = *source;
  const double value = tensor->values(i, j);
  const std::string column_name =
      tensor->column_labels.empty() ? std::to_string(j + 1) : label_of(tensor->column_labels, j);
  Inspection made;
  made.title = name + "[" + label_of(tensor->row_labels, i) + ", " + column_name + "]";
  const Matrix& K = trace.at("K").values;
  const auto origin = [&](std::string_view matrix, int index, Colour colour, bool as_column = false) {
    add_origin(made, trace, matrix, index, as_column, colour);
  };
  const auto scaled_terms = [&] {
    origin("Q", i, colours.query);
    origin("K", j, colours.key);
  };
  if (name == "Q" || name == "K" || name == "V") {
    if (state.given()) {
      made.lines.push_back(row({indexed(name, i, j), operation("="), number(whole(value))}));
      made.note = "Given. " + how_to_change(view);
      return made;
    }
    const std::string weights = name == "Q" ? "W_q" : name == "K" ? "W_k" : "W_v";
    const Colour colour = name == "Q" ? colours.query : name == "K" ? colours.key : colours.value;
    explain_product(made, trace, name, *source, {"X", weights, false, colours.input, colour}, value);
    origin("X", i, colours.input);
    origin(weights, j, colour, true);
    return made;
  }
  if (name == "scores") {
    const std::string query = label_of(tensor->row_labels, i), key = label_of(tensor->column_labels, j);
    explain_product(made, trace, "s", *source, {"Q", "K", true, colours.query, colours.key}, value);
    // Whose row meets whose: said by name.
    made.lines.front() = row({script(symbol("s"), index_of(query, key)), operation("="),
                              coloured(script(symbol("Q"), index_of(query)), colours.query), operation("·"),
                              coloured(script(symbol("K"), index_of(key)), colours.key)});
    made.note =
        "The dot product of the query of " + query + " and the key of " + key + ": number times number, added up.";
    scaled_terms();
    return made;
  }
  if (name == "scaled") {
    const int size = static_cast<int>(K.cols());
    const double score = trace.at("scores").values(i, j);
    if (!std::isfinite(value)) {
      made.lines.push_back(row({indexed("z", i, j), operation("="), number("−∞")}));
      made.note = "Masked: " + label_of(tensor->column_labels, j) + " comes after " + label_of(tensor->row_labels, i) +
                  ", so its weight will be 0.";
      return made;
    }
    const Divisor by = divisor(state, size);
    made.lines.push_back(row({indexed("z", i, j), operation("="), by.symbols(indexed("s", i, j)), operation("="),
                              by.numbers(value_of(score))}));
    result_line(made, value, is_exact(score, 3));
    scaled_terms();
    return made;
  }
  if (name == "maximum") {
    made.lines.push_back(row(
        {script(symbol("m"), word(std::to_string(i + 1))), operation("="), script(word("max"), symbol("k")),
         script(symbol("z"), row({word(std::to_string(i + 1)), symbol(" k")})), operation("="), number(whole(value))}));
    made.note = "The largest scaled score of the row of " + label_of(tensor->row_labels, i) + ".";
    return made;
  }
  if (name == "shifted") {
    made.lines.push_back(
        row({indexed("z", i, j), operation("−"), script(symbol("m"), word(std::to_string(i + 1))), operation("="),
             value_of(trace.at("scaled").values(i, j)), operation("−"), value_of(trace.at("maximum").values(i, 0))}));
    result_line(made, value,
                is_exact(trace.at("scaled").values(i, j), 3) && is_exact(trace.at("maximum").values(i, 0), 3));
    return made;
  }
  if (name == "exponentials") {
    const double shifted = trace.at("shifted").values(i, j);
    std::vector<Formula> line{word("exp"), parenthesised(value_of(shifted))};
    std::ranges::copy(result(value, !std::isfinite(shifted) || is_exact(shifted, 3)), std::back_inserter(line));
    made.lines.push_back(row(line));
    made.note = "exp(x) is e ≈ 2.718 raised to the power x: always positive, and 1 at 0.";
    return made;
  }
  if (name == "sum") {
    const Matrix& terms = trace.at("exponentials").values;
    std::vector<Formula> parts{operation("=")};
    bool exact = true;
    for (int k = 0; k < terms.cols(); ++k) exact = exact && is_exact(terms(i, k), 3);
    const int shown = terms.cols() > 6 ? 4 : static_cast<int>(terms.cols());
    for (int k = 0; k < shown; ++k) {
      if (k > 0) parts.push_back(operation("+"));
      parts.push_back(value_of(terms(i, k)));
    }
    if (shown < terms.cols()) {
      parts.push_back(operation("+"));
      parts.push_back(word(std::to_string(terms.cols() - shown) + " more"));
    }
    made.lines = {row({large("∑", symbol("k")), word("exp"),
                       parenthesised(row({script(symbol("z"), symbol("k")), operation("−"), symbol("m")}))}),
                  row(parts)};
    result_line(made, value, exact);
    return made;
  }
  if (name == "weights") {
    const Matrix& terms = trace.at("exponentials").values;
    if (weights_set_in(state, i)) {
      made.lines.push_back(row({indexed("a", i, j), operation("="), number(whole(value))}));
      made.note = state.weights.cells.contains({i, j})
                      ? "Set by hand; the others of its row were rescaled so that they sum to 1."
                      : "Rescaled, because another weight of this row was set by hand.";
      return made;
    }
    const double scaled = trace.at("scaled").values(i, j), score = trace.at("scores").values(i, j),
                 maximum = trace.at("maximum").values(i, 0);
    const Divisor by = divisor(state, static_cast<int>(K.cols()));
    const Formula q = coloured(symbol("q"), colours.query), k = coloured(symbol("k"), colours.key);
    made.lines.push_back(
        row({script(symbol("a"), index_of(label_of(tensor->row_labels, i), column_name)), operation("="),
             word("softmax"), parenthesised(by.symbols(row({q, operation("·"), k})))}));
    if (std::isfinite(scaled) && by.scales)
      made.lines.push_back(row({symbol("z"), operation("="), by.numbers(value_of(score)),
                                operation(is_exact(score, 3) && is_exact(scaled, 3) ? "=" : "≈"), value_of(scaled)}));
    const double shifted = trace.at("shifted").values(i, j), sum = trace.at("sum").values(i, 0);
    std::vector<Formula> line{symbol("a"), operation("="),
                              fraction(row({word("exp"), parenthesised(value_of(shifted))}), value_of(sum, 6))};
    const bool exact = is_exact(terms(i, j), 3) && is_exact(sum, 3) && is_exact(shifted, 3);
    std::ranges::copy(result(value, exact), std::back_inserter(line));
    made.lines.push_back(row(line));
    made.note = trace.at("scaled").values(i, j) == -std::numeric_limits<float>::infinity()
                    ? "Masked, so its weight is exactly 0."
                    : how_it_fits(tensor->values, i, j) + " The largest " + std::string(by.scales ? "z" : "score") +
                          ", " + fixed(maximum) + ", is taken off first: same weights.";
    scaled_terms();
    if (const Tensor* low = trace.find("weights_low"); low != nullptr)
      made.note += " Over 200 random draws of the matrices, 80 % of the time this weight lay between " +
                   percent(low->values(i, j)) + " and " + percent(trace.at("weights_high").values(i, j)) +
                   ": the draw decides it more than the words.";
    return made;
  }
  if (name == "output") {
    explain_product(made, trace, "y", *source, {"weights", "V", false, colours.ink, colours.value}, value);
    made.lines.front() =
        row({indexed("y", i, j), operation("="), large("∑", symbol("k")),
             script(symbol("a"), row({word(std::to_string(i + 1) + " "), symbol("k")})),
             coloured(script(symbol("v"), row({symbol("k"), word(" " + std::to_string(j + 1))})), colours.value)});
    origin("weights", i, colours.muted);
    origin("V", j, colours.value, true);
    return made;
  }
  // What is left are the inputs: X and the three W.
  const bool embedding = name == "X";
  made.lines.push_back(row({indexed(embedding ? "x" : "w", i, j), operation("="), number(whole(value))}));
  const std::string feature = column_name == std::to_string(j + 1) ? "number " + column_name : "“" + column_name + "”";
  const int size = trace.at("X").columns() - 1;  // where a 1 stands for the bias
  if (state.trained && (embedding ? j : i) == size) {
    made.note = embedding ? "A 1 for every word: times the last row of a matrix it adds the bias."
                          : "The bias: the 1 behind each word’s numbers adds it to " + feature + " of every " +
                                (name == "W_q"   ? "query."
                                 : name == "W_k" ? "key."
                                                 : "value.");
  } else if (embedding && state.trained) {
    made.note = "Of what enters layer " + std::to_string(state.layer) + " for " + label_of(tensor->row_labels, i) +
                ", " + feature + ", after its LayerNorm.";
  } else if (embedding) {
    made.note = "The embedding of " + label_of(tensor->row_labels, i) + ", " + feature + ".";
  } else {
    const std::string from =
        tensor->row_labels.empty() ? "number " + std::to_string(i + 1) : "“" + label_of(tensor->row_labels, i) + "”";
    made.note = "How much " + from + " of a word’s " + (state.trained ? "input" : "embedding") + " counts for " +
                feature + " of its " +
                (name == "W_q"   ? "query."
                 : name == "W_k" ? "key."
                                 : "value.");
  }
  made.note += " " + how_to_change(view);
  return made;
}

}  // namespace limelight::scenes::spotlight
