// Spotlight in words: narration, the inspector's formulas, the question. Every number comes from the trace.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "figure/formula.h"
#include "figure/panels.h"
#include "io/numbers.h"
#include "io/utf8.h"
#include "scenes/common/explain.h"
#include "scenes/common/missing.h"
#include "scenes/spotlight/spotlight.h"

namespace limelight::scenes::spotlight {
namespace {

using namespace figure;

// A word in a sentence of ours: its beginning, where it is very long.
std::string in_sentence(std::string_view word) {
  constexpr int longest = 24;
  return io::ellipsize(io::without_directions(word), longest);
}

// "**she** gives 36 % of its attention to **coffee**, 34 % to itself and 30 % to **likes**."
std::string who_looks_at_whom(const State& state, const Trace& trace) {
  const std::vector<std::string> queries = told_apart(query_words(state)), keys = told_apart(key_words(state));
  const Matrix& weights = trace.at("weights").values;
  const int row = query_row(state);
  const std::vector<int> order = largest_first(weights, row);
  const auto name = [&](int j) {
    return !state.given() && j == row ? std::string("itself") : bold(keys[static_cast<std::size_t>(j)]);
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
  if (weights.maxCoeff() < 0.15F && state.normalise == figure::Normalise::zero_one)
    return text + ". All weights are small: choose colours **row** to tell them apart.";
  return text + ".";
}

bool weights_set_in(const State& state, int row) {
  return std::ranges::any_of(state.weights.cells, [row](const auto& cell) { return cell.first.first == row; });
}

std::string extent(const Tensor& tensor) {
  return std::to_string(tensor.rows()) + "×" + std::to_string(tensor.columns());
}

// ", its embedding, here made from its letters. "
std::string where_numbers_come_from(const State& state) {
  if (!state.trained)
    return std::string(", its **embedding**, ") +
           (state.by_rule() ? "here made from its letters. " : "here chosen by hand. ");
  const int before = state.layer - 1;
  return std::string(": its **embedding** and its place") +
         (before == 0 ? " in a trained encoder"
                      : ", as " + io::count_of(before, "layer") + " of a trained encoder left them") +
         ", after LayerNorm, and a 1 for the biases. ";
}

std::string narrate_softmax(const State& state, const Trace& trace, int part) {
  const int row = query_row(state);
  const std::string word = bold(told_apart(query_words(state))[static_cast<std::size_t>(row)]);
  const float maximum = trace.at("maximum").values(row, 0);
  const float sum = trace.at("sum").values(row, 0);
  const int best = best_key(trace, "weights", row);
  switch (part) {
    case 1:
      return "First the largest score of each row is subtracted, " + bold(fixed(maximum)) + " in the row of " + word +
             ". That changes no weight, but exp cannot overflow, that is, grow past the largest number of a computer.";
    case 2:
      return "Then exp(x), e ≈ 2.718 to the power x, makes every score positive: in the row of " + word +
             " the largest becomes exp(0) = 1" +
             (std::isinf(trace.at("shifted").values.row(row).minCoeff()) ? ", and what is masked becomes "
                                                                         : " and the smallest ") +
             bold(fixed(trace.at("exponentials").values.row(row).minCoeff())) + ".";
    case 3:
      return "Each row is summed. The row of " + word + " sums to " + bold(fixed(sum)) + ".";
    case 4: {
      if (weights_set_in(state, row))
        return "Last, each number would be divided by its row's sum; but a weight of " + word +
               " was set by hand, and the rest of its row was rescaled to sum to 1.";
      const float top = trace.at("exponentials").values(row, best);
      return "Last, each number is divided by its row's sum: " + fixed(top) + " ÷ " + fixed(sum) + " = " +
             bold(fixed(trace.at("weights").values(row, best))) + ". Now every row sums to 1.";
    }
    default:
      break;
  }
  std::string text = who_looks_at_whom(state, trace);
  text += state.weights.cells.empty() ? " Softmax made each row positive and sum to 1."
                                      : " Weights were set by hand: the rest of their row was rescaled to sum to 1.";
  return text;
}

std::string masked_sentence(const State& state) {
  return state.mask == Masking::causal ? " The causal mask hides every word that comes later." : "";
}

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

std::string values_of(const Matrix& values, Eigen::Index row, bool as_column = false) {
  const int decimals = decimals_for(values, 2);
  const Eigen::Index count = as_column ? values.rows() : values.cols();
  std::string text;
  for (Eigen::Index k = 0; k < std::min<Eigen::Index>(count, 6); ++k)
    text += (k > 0 ? " " : "") + io::format_fixed(as_column ? values(k, row) : values(row, k), decimals);
  return count > 6 ? text + " …" : text;
}

// What the signs of the step's formula mean, and what can be done with its numbers.
std::string how_to_read(const State& state, const View& view) {
  const Place place = view.place;
  std::string text;
  if (place.step == 5) text = "ᵀ lays K on its side: its rows become columns. ";
  if (place.step == 7) text = "a with the index i j is the weight in row i, column j. ";
  if (state.mask == Masking::causal && place.step >= 6 && place.step != 7)
    text += "M is the mask: 0 where a word may look, −∞ where it may not. ";
  if (place.step == 9) return text;  // there the question needs the room
  text += view.touch ? "Tap any number to see where it comes from."
                     : "Point at any number to see where it comes from; click to keep it.";
  const bool weights = place.step >= 7 && (place.part == 0 || place.part == 4);
  const std::string cell = weights           ? "A weight"
                           : state.given()   ? place.step <= 6 ? "A cell of Q, K or V" : ""
                           : place.step <= 2 ? "A cell of X"
                           : place.step <= 4 ? "A cell of X or W"
                                             : "";
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
  const Palette& colours = palette(view.theme);
  const Formula Q = coloured(symbol("Q"), colours.query), K = coloured(symbol("K"), colours.key),
                V = coloured(symbol("V"), colours.value), X = coloured(symbol("X"), colours.input);
  const Formula KT = script(K, nullptr, word("T"));
  const int size = trace.at("K").columns();
  const auto scaled = [&]() -> Formula {
    Formula product = row({Q, KT});
    if (state.scale == Scale::own) product = row({number(io::format_short(state.factor)), operation("·"), product});
    std::vector<Formula> below;
    if (state.scale == Scale::root) below.push_back(root(script(symbol("d"), symbol("k"))));
    if (state.temperature != 1) below.push_back(symbol("T"));
    const Formula scaled_product = below.empty() ? product : fraction(product, row(below));
    return state.mask == Masking::causal ? row({scaled_product, operation("+"), symbol("M")}) : scaled_product;
  };
  const auto W = [&](std::string_view which, Colour colour) {
    return coloured(script(symbol("W"), word(which)), colour);
  };
  Inspection made;
  made.title = "attention";
  switch (view.place.step) {
    case 1:
    case 2:
      if (!state.given()) {
        made.title = "the input";
        made.lines = {row({X, operation("∈"), script(word("ℝ"), nullptr, word(extent(trace.at("X"))))})};
        break;
      }
      [[fallthrough]];
    case 3:
    case 4:
      made.title = state.given() ? "given" : "queries, keys, values";
      if (!state.given()) {
        made.lines = {row({Q, operation("="), X, W("q", colours.query)}),
                      row({K, operation("="), X, W("k", colours.key)}),
                      row({V, operation("="), X, W("v", colours.value)})};
      } else {
        made.lines = {row({Q, operation("∈"), script(word("ℝ"), nullptr, word(extent(trace.at("Q"))))}),
                      row({K, operation("∈"), script(word("ℝ"), nullptr, word(extent(trace.at("K"))))}),
                      row({V, operation("∈"), script(word("ℝ"), nullptr, word(extent(trace.at("V"))))})};
      }
      break;
    case 5:
      made.title = "S, the scores";
      made.lines = {row({symbol("S"), operation("="), Q, KT})};
      break;
    case 6:
      made.title = "Z, the scaled scores";
      made.lines = {row({symbol("Z"), operation("="), scaled()})};
      if (state.scale == Scale::root)
        made.lines.push_back(
            row({root(script(symbol("d"), symbol("k"))), operation("="), root(number(std::to_string(size))),
                 operation("="), number(io::format_short(std::sqrt(size), 4))}));
      break;
    case 7:
      made.title = "a, the weights: softmax, row by row";
      made.lines = {
          row({script(symbol("a"), symbol("i j")), operation("="),
               fraction(row({word("exp"), parenthesised(row({script(symbol("z"), symbol("i j")), operation("−"),
                                                             script(symbol("m"), symbol("i"))}))}),
                        row({large("∑", symbol("k")), word("exp"),
                             parenthesised(row({script(symbol("z"), symbol("i k")), operation("−"),
                                                script(symbol("m"), symbol("i"))}))}))}),
          row({script(symbol("m"), symbol("i")), operation("="), script(word("max"), symbol("k")),
               script(symbol("z"), symbol("i k"))})};
      break;
    default:
      made.title = "Y, the output: attention";
      made.lines = {
          row({coloured(symbol("Y"), colours.output), operation("="), word("softmax"), parenthesised(scaled()), V})};
      break;
  }
  made.note = how_to_read(state, view);
  return made;
}

}  // namespace

int best_key(const Trace& trace, std::string_view tensor, int row) {
  Eigen::Index best = 0;
  trace.at(tensor).values.row(row).maxCoeff(&best);
  return static_cast<int>(best);
}

std::vector<std::string> told_apart(const std::vector<std::string>& words) {
  std::vector<std::string> told;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto before = std::count(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(i), words[i]);
    const bool repeated = std::ranges::count(words, words[i]) > 1;
    std::string word = io::decode_utf8(words[i]).size() < 2 ? "“" + words[i] + "”" : in_sentence(words[i]);
    if (repeated) word += " (" + std::to_string(before + 1) + ")";
    told.push_back(std::move(word));
  }
  return told;
}

std::string narrate(const State& state, const Trace& trace, const View& view) {
  if (trace.find("Q") == nullptr) return words_of(view.missing.value_or(Missing{.label = std::string(kAwaited)}));
  const std::vector<std::string> queries = told_apart(query_words(state)), keys = told_apart(key_words(state));
  const int row = query_row(state);
  const std::string& query = queries[static_cast<std::size_t>(row)];
  if (state.given() && view.place.step <= 4)
    return "In this example Q, K and V are **given**: " + io::count_of(std::ssize(queries), "query") + ", " +
           io::count_of(std::ssize(keys), "key") + " and their values, with no words or W before them" +
           (view.place.step < 4 ? ", so this step shows what step 4 shows." : ".");
  switch (view.place.step) {
    case 1:
      return "Attention lets every word decide which words to look at. " +
             (keys.size() == 1 ? "It" : "Each of the " + std::to_string(keys.size())) +
             (state.trained ? ", [START] and the full stop too, is a list of " : " starts as a list of ") +
             std::to_string(trace.at("X").columns()) + " numbers" + where_numbers_come_from(state) +
             (keys.size() == 1               ? "The purple word will ask."
              : view.compact() || view.touch ? "The purple word will ask: tap another."
                                             : "The purple word will ask: click another.");
    case 2:
      return "Stacked, the " + std::string(state.trained ? "words" : "embeddings") + " are the input matrix **X**, " +
             extent(trace.at("X")) + ": a row for each word." +
             (state.trained ? " Its last column is 1 for every word: what meets it in W is added to all, the **bias**."
                            : "");
    case 3:
      return "Three matrices translate " + std::string(state.trained ? "its numbers" : "an embedding") +
             " into what a word **looks for** (its query), what it **can be found by** (its key) and what it **passes "
             "on** (its value). " +
             (state.trained ? "These were **learned**, by head " + std::to_string(state.head) + " of layer " +
                                  std::to_string(state.layer) + "; their last row is the bias."
                            : "In a real model they are learned.");
    case 4:
      return "X times W gives every word a **query**, a **key** and a **value**: for " + bold(query) +
             " they are rows of Q, K and V.";
    case 5: {
      const int best = best_key(trace, "scores", row);
      return "Each query meets each key. " + bold(query) + " scores highest with " +
             bold(keys[static_cast<std::size_t>(best)]) + ": their dot product, number times number and added up, is " +
             bold(fixed(trace.at("scores").values(row, best))) + ".";
    }
    case 6: {
      const int best = best_key(trace, "scores", row);
      const std::string from = fixed(trace.at("scores").values(row, best));
      const std::string to = bold(fixed(trace.at("scaled").values(row, best)));
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
        how = "divided by √" + std::to_string(size) + " = " + io::format_short(std::sqrt(size));
      if (state.scale == Scale::own) how = "multiplied by " + io::format_short(state.factor);
      if (state.temperature != 1) how += (how.empty() ? "" : " and ") + temperature;
      return "Every score is " + how + ": " + from + " becomes " + to +
             (state.scale == Scale::root && state.temperature == 1
                  ? ", so that long vectors do not push softmax to extremes."
                  : ".") +
             masked_sentence(state);
    }
    case 7:
      return narrate_softmax(state, trace, view.place.part);
    case 8: {
      const Matrix& weights = trace.at("weights").values;
      const int best = largest_first(weights, row)[0];
      return "The output of " + bold(query) + " is the values mixed by its weights, " + percent(weights(row, best)) +
             " of it from " + bold(keys[static_cast<std::size_t>(best)]) + ": a new vector that knows its neighbours.";
    }
    default:
      return who_looks_at_whom(state, trace) + masked_sentence(state) +
             (state.trained
                  ? " The matrices are **learned**, not random: what a head has learned to look for, it looks for in "
                    "every sentence."
              : state.by_rule()
                  ? " The numbers come from the letters alone, so these weights know nothing of what words mean."
                  : "");
  }
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
  const Matrix& Q = trace.at("Q").values;
  const Matrix& K = trace.at("K").values;
  const Matrix& V = trace.at("V").values;
  const auto origin = [&](std::string_view matrix, int index, Colour colour, const Matrix& values,
                          bool as_column = false) {
    const Tensor& from = trace.at(matrix);
    const std::string label = as_column ? ":, " + (from.column_labels.empty() ? std::to_string(index + 1)
                                                                              : label_of(from.column_labels, index))
                                        : label_of(from.row_labels, index);
    made.origins.push_back({std::string(matrix) + "[" + label + "]", colour, values_of(values, index, as_column)});
  };
  const auto scaled_terms = [&] {
    origin("Q", i, colours.query, Q);
    origin("K", j, colours.key, K);
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
    origin("X", i, colours.input, trace.at("X").values);
    origin(weights, j, colour, trace.at(weights).values, true);
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
    Formula numerator = indexed("s", i, j), with_numbers = value_of(score);
    if (state.scale == Scale::own) {
      numerator = row({number(io::format_short(state.factor)), operation("·"), numerator});
      with_numbers = row({number(io::format_short(state.factor)), operation("·"), with_numbers});
    }
    std::vector<Formula> below, below_numbers;
    if (state.scale == Scale::root) {
      below.push_back(root(script(symbol("d"), symbol("k"))));
      below_numbers.push_back(root(number(std::to_string(size))));
    }
    if (state.temperature != 1) {
      if (!below.empty()) below_numbers.push_back(operation("·"));
      below.push_back(symbol("T"));
      below_numbers.push_back(number(io::format_short(state.temperature)));
    }
    made.lines.push_back(
        row({indexed("z", i, j), operation("="), below.empty() ? numerator : fraction(numerator, row(below)),
             operation("="), below.empty() ? with_numbers : fraction(with_numbers, row(below_numbers))}));
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
    std::vector<Formula> sum;
    if (terms.cols() <= 4)
      for (int k = 0; k < terms.cols(); ++k) {
        if (k > 0) sum.push_back(operation("+"));
        sum.push_back(value_of(terms(i, k)));
      }
    else
      sum.push_back(value_of(trace.at("sum").values(i, 0)));
    const std::string row_index = std::to_string(i + 1);
    made.lines.push_back(row(
        {indexed("a", i, j), operation("="),
         fraction(row({word("exp"),
                       parenthesised(row({indexed("z", i, j), operation("−"), script(symbol("m"), word(row_index))}))}),
                  row({large("∑", symbol("k")), word("exp"),
                       parenthesised(row({script(symbol("z"), row({word(row_index + " "), symbol("k")})),
                                          operation("−"), script(symbol("m"), word(row_index))}))}))}));
    std::vector<Formula> line{operation("="), fraction(value_of(terms(i, j)), row(sum))};
    bool exact = is_exact(terms(i, j), 3) && is_exact(trace.at("sum").values(i, 0), 3);
    for (int k = 0; k < terms.cols(); ++k) exact = exact && is_exact(terms(i, k), 3);
    std::ranges::copy(result(value, exact), std::back_inserter(line));
    made.lines.push_back(row(line));
    made.note = trace.at("scaled").values(i, j) == -std::numeric_limits<float>::infinity()
                    ? "Masked, so its weight is exactly 0."
                    : "The row maximum m = " + fixed(trace.at("maximum").values(i, 0)) +
                          " was subtracted from each scaled score z first: same weights, smaller numbers.";
    origin("scaled", i, colours.ink, trace.at("scaled").values);
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
    origin("weights", i, colours.muted, trace.at("weights").values);
    origin("V", j, colours.value, V, true);
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

std::optional<Question> ask(const State& state, const Trace& trace) {
  if (trace.find("Q") == nullptr) return std::nullopt;
  const std::vector<std::string> queries = told_apart(query_words(state)), keys = told_apart(key_words(state));
  const int n = static_cast<int>(keys.size());
  const int row = query_row(state);
  if (state.named()) {
    // One key scores g above n − 1 equal ones: exp(g) / (exp(g) + n − 1) = 0.95.
    const double two = std::log(0.95 / 0.05), all = std::log(0.95 / 0.05 * (n - 1));
    const std::string others = std::to_string(n - 1);
    return Question{"For “jumped” to give “fox” 95 %: by what gap g must its scaled score lead the " + others +
                        " others? Its weight is exp(g) ÷ (exp(g) + " + others + ").",
                    {io::format_short(0.95), io::format_short(two), io::format_short(all), io::format_short(all * 2)},
                    2,
                    "exp(g) must be 95 ÷ 5 = 19 times the " + others +
                        " others together, so g is the logarithm of 19 × " + others + " = " +
                        std::to_string(19 * (n - 1)) + ": **" + io::format_short(all) +
                        "**. Against a single other word " + io::format_short(two) + " would do."};
  }
  // A weight that was set by hand follows no temperature.
  if (n < 2 || weights_set_in(state, row)) return std::nullopt;
  // What the heaviest weight of the chosen row becomes when the temperature is halved: computed by doing it.
  const bool revealed = state.asked > 0;
  State before = state, after = state;
  if (revealed) before.temperature = state.asked;
  after.temperature = half_temperature(before.temperature);
  const Matrix &Q = trace.at("Q").values, &K = trace.at("K").values, &V = trace.at("V").values;
  const auto weights_of = [&](const State& of) {
    return attend_traced<float>(Q, K, V, options_of(of, static_cast<int>(K.cols()))).weights;
  };
  const Matrix& shown = trace.at("weights").values;
  const Matrix was = revealed ? weights_of(before) : shown, becomes = revealed ? shown : weights_of(after);
  const int best = largest_first(was, row)[0];
  const double now = was(row, best), then = becomes(row, best);
  const int correct = then > now + 0.0005 ? 0 : then < now - 0.0005 ? 2 : 1;
  const std::string old_temperature = io::format_exact(before.temperature);
  Question question{"“" + queries[static_cast<std::size_t>(row)] + "” gives “" + keys[static_cast<std::size_t>(best)] +
                        "” " + percent(now) + ". If the temperature is halved, to " +
                        io::format_short(after.temperature) + ", it will give …",
                    {"more", "the same", "less"},
                    correct,
                    "It becomes **" + percent(then) + (revealed ? "**, as the figure shows now" : "**") +
                        ": a lower temperature stretches the gaps between scores, and "
                        "softmax turns gaps into ratios."};
  question.reveal = {{"temperature", io::format_exact(after.temperature)}, {"asked", old_temperature}};
  if (revealed) {
    question.back = {"temperature", old_temperature};
    question.back_label = "Back to " + io::format_short(before.temperature);
  }
  return question;
}

}  // namespace limelight::scenes::spotlight
