// What the inspector says of Layer's numbers: what its recipes say, and what is no operation with a formula there.
#include <algorithm>
#include <cmath>

#include "io/numbers.h"
#include "scenes/common/explain.h"
#include "scenes/common/recipe.h"
#include "scenes/layer/steps.h"

namespace limelight::scenes::layer {
namespace {

using namespace figure;
using recipes::Asked;
using recipes::Depth;
using recipes::Recipe;

// ---- the similarities that are no product of matrices ----

// Their letters, the query's row and the input's, and the symbol that the explained number has.
struct Compared {
  const Asked& asked;
  const Recipe& recipe;
  Formula q = coloured(symbol("q"), asked.colours.query), x = coloured(symbol("x"), asked.colours.input);
  Formula score = cell_of(asked.at.tensor, asked.at.row, asked.at.column);

  [[nodiscard]] const Tensor& operand(std::size_t which) const { return asked.trace.at(recipe.operands[which]); }
  [[nodiscard]] Matrix query() const { return operand(0).values.row(asked.at.row); }
  [[nodiscard]] Matrix input() const { return operand(1).values.row(asked.at.column); }
  [[nodiscard]] Formula sum(const Matrix& left, const Matrix& right, Colour left_colour, Colour right_colour) const {
    std::vector<Term> terms;
    for (Eigen::Index k = 0; k < left.size(); ++k) terms.push_back({left.data()[k], right.data()[k]});
    return sum_of_products(terms, 2, left_colour, right_colour);
  }
};

void explain_cosine(Inspection& made, const Compared& c) {
  const Colour query = c.asked.colours.query, input = c.asked.colours.input;
  const auto lengths = [](const Formula& left, const Formula& right) { return row({left, operation("·"), right}); };
  made.lines = {
      row({c.score, operation("="),
           fraction(row({c.q, operation("·"), c.x}), row({word("|"), c.q, word("| |"), c.x, word("|")}))}),
      row({c.q, operation("·"), c.x, operation("="), c.sum(c.query(), c.input(), query, input)}),
      row({c.score, operation("="),
           fraction(sum_of_terms(terms_of(c.operand(0), c.asked.at.row, c.operand(1), c.asked.at.column, true)),
                    lengths(value_of(c.query().norm()), value_of(c.input().norm())))})};
  made.note = "Only the angle counts, not the lengths: between −1 and 1.";
}

void explain_general(Inspection& made, const Compared& c) {
  made.lines = {row({c.score, operation("="), parenthesised(row({c.q, name_of_tensor(kWf)})), operation("·"), c.x}),
                row({operation("="),
                     c.sum(c.query() * c.operand(2).values, c.input(), c.asked.colours.query, c.asked.colours.input)})};
  made.note = "Luong et al. 2015, “general”: W turns the query into the space of the inputs, so sizes may differ.";
}

void explain_additive(Inspection& made, const Compared& c) {
  const Matrix hidden = c.query() * c.operand(2).values + c.input() * c.operand(3).values;
  made.lines = {row({c.score, operation("="), symbol("v"), operation("·"), word("tanh"),
                     parenthesised(row({c.q, name_of_tensor(kW1), operation("+"), c.x, name_of_tensor(kW2)}))}),
                row({operation("="), c.sum(c.operand(4).values, hidden.unaryExpr([](float h) { return std::tanh(h); }),
                                           c.asked.colours.ink, c.asked.colours.ink)})};
  made.note = "Bahdanau et al. 2015, the first f_att: a small network, here not trained but drawn from the seed.";
}

bool explain_similarity(Inspection& made, const Asked& asked) {
  using Explain = void(Inspection&, const Compared&);
  static constexpr std::pair<recipes::Operation, Explain*> kExplained[] = {
      {recipes::Operation::cosine, explain_cosine},
      {recipes::Operation::general, explain_general},
      {recipes::Operation::additive, explain_additive}};
  const Recipe& recipe = asked.recipes.of(asked.at.tensor);
  for (const auto& [operation, explain] : kExplained) {
    if (recipe.operation != operation) continue;
    explain(made, {asked, recipe});
    recipes::add_origins(asked, made);
    return true;
  }
  return false;
}

// ---- positions ----

// The angle that position p has in the pair of columns that column j is of; of d columns.
double angle_of(int p, int j, int d) {
  return p / std::pow(10000, 2.0 * (j / 2) / d);  // NOLINT(bugprone-integer-division): pairs
}

// The pictures of the encodings, which are no operation on other tensors.
void explain_picture(Inspection& made, const State& state, const Tensor& picture, const Source& at) {
  const int i = at.row, j = at.column;
  const bool bias = state.positions == Encoding::linear_bias, dots = at.tensor == kPDot;
  const Formula left = cell_of(at.tensor, i, j);
  const auto turned = [](int place) {
    return parenthesised(row({number(std::to_string(place)), operation("·"), script(symbol("ω"), symbol("c"))}));
  };
  if (bias) {
    made.lines = {row({left, operation("="), operation("−"), number(io::format_short(state.slope)), operation("·"),
                       number(std::to_string(dots ? j : std::abs(i - j)))})};
    made.note = dots ? "Slope times distance, the same wherever the two stand."
                     : "Added to the score of the query in place " + std::to_string(i) + " and the key in place " +
                           std::to_string(j) + ", counted from 0.";
  } else if (dots) {
    made.lines = {row({left, operation("="), large("∑", symbol("c")), word("cos"), turned(j)})};
    made.note = "It depends on the distance alone, wherever the two positions stand; ω is 10000 to the power −2c/d.";
  } else {
    const std::string_view function = (j % 2 == 0) == (state.positions == Encoding::sinusoidal) ? "sin" : "cos";
    const double angle = angle_of(i, j, picture.columns());
    made.lines = {row({left, operation("="), word(function), turned(i)}),
                  row({operation("="), word(function), parenthesised(value_of(angle))})};
    made.note = "Position " + std::to_string(i) +
                ", counted from 0; ω is 10000 to the power −2c/d, c = " + std::to_string(j / 2) + ".";
  }
}

// Queries and keys with their positions; without one they are what they were.
void explain_placed(Inspection& made, const Asked& asked) {
  const int i = asked.at.row, j = asked.at.column;
  const Recipe& recipe = asked.recipes.of(asked.at.tensor);
  const Tensor& placed = asked.trace.at(asked.at.tensor);
  const Matrix& from = asked.trace.at(recipe.left()).values;
  const auto entry = [&](int column) { return column < from.cols() ? static_cast<double>(from(i, column)) : 0; };
  const Formula left = cell_of(asked.at.tensor, i, j), plain = cell_of(recipe.left(), i, j);
  made.lines = {row({left, operation("="), plain})};
  if (recipe.operation == recipes::Operation::sinusoidal) {
    made.lines = {row({left, operation("="), plain, operation("+"), symbol("p")}),
                  row({operation("="), value_of(entry(j)), operation("+"),
                       factor_of(static_cast<double>(placed.values(i, j)) - entry(j))})};
  } else if (recipe.operation == recipes::Operation::rotary) {
    const Formula angle = parenthesised(value_of(angle_of(i, j, placed.columns())));
    made.lines = {row({left, operation("="), word("cos"), angle, operation("·"), factor_of(entry(j)),
                       operation(j % 2 == 0 ? "−" : "+"), word("sin"), angle, operation("·"),
                       factor_of(entry(j % 2 == 0 ? j + 1 : j - 1))})};
  }
  made.note = "With the position of its place, " + std::to_string(i) + ", counted from 0.";
  recipes::add_origins(asked, made);
}

// The largest difference of two outputs, and where it is.
void explain_difference(Inspection& made, const Asked& asked) {
  const Source& at = asked.at;
  const double value = asked.trace.at(at.tensor).values(at.row, at.column);
  const Formula s = symbol("s"), f = symbol("f"), X = symbol("X");
  if (at.tensor == kErrorKeys) {
    made.lines = {row({word("max |"), symbol("Y"), operation("−"), script(symbol("Y"), word("cross")), word("|")})};
    made.note = "A sum does not depend on the order of its terms: " + difference(value, rounding(asked.trace)) + ".";
    return;
  }
  made.lines = {row({word("max |"), f, parenthesised(row({s, parenthesised(X)})), operation("−"), s,
                     parenthesised(row({f, parenthesised(X)})), word("|")})};
  made.note = "Over all outputs and all their numbers: " + difference(value, rounding(asked.trace)) + ".";
  const Recipe& recipe = asked.recipes.of(at.tensor);
  if (!recipe.left().empty()) {
    const Matrix& first = asked.trace.at(recipe.left()).values;
    const Matrix& then = asked.trace.at(recipe.right()).values;
    Eigen::Index i = 0, j = 0;
    (first - then).cwiseAbs().maxCoeff(&i, &j);
    made.lines.push_back(
        row({operation("="), word("|"), value_of(first(i, j)), operation("−"), factor_of(then(i, j)), word("|")}));
  }
}

// What is no operation with a formula of its own.
bool explain_by_hand(Inspection& made, const State& state, const Asked& asked) {
  const std::string& name = asked.at.tensor;
  if (name == kP || name == kPDot || name == kPAdded)
    explain_picture(made, state, asked.trace.at(name), asked.at);
  else if (name == kQPos || name == kKPos || name == kQFirst || name == kKFirst)
    explain_placed(made, asked);
  else if (name.starts_with(kError))
    explain_difference(made, asked);
  else if (!explain_similarity(made, asked))
    return false;
  result_line(made, asked.trace.at(name).values(asked.at.row, asked.at.column));
  return true;
}

// Where each encoding comes from, and what is simplified here.
constexpr std::string_view kEncodingNotes[] = {
    "Nothing says where a row stands, unless a mask does.",
    "Vaswani et al. 2017, §3.5, add the encoding to the embeddings, before W; here it is added to queries and keys.",
    "Su et al. 2021: each pair of numbers in queries and keys turns by an angle that grows with its place.",
    "Press et al. 2022: the farther a key, the lower its score; they look back only, here it goes both ways."};

constexpr const char* kHint = "Point at any number to see where it comes from; click or tap to keep it.";

Inspection equivariance(const Palette& colours, const char* sign, std::string_view note) {
  const Formula X = coloured(symbol("X"), colours.input), f = symbol("f"), s = symbol("s");
  return {.title = "permutation equivariance",
          .lines = {row({f, parenthesised(row({s, parenthesised(X)})), operation(sign), s,
                         parenthesised(row({f, parenthesised(X)}))})},
          .note = "s puts the rows in a new order, f is the layer. " + std::string(note)};
}

// A step's formula: what each of some tensors is. Within a step a matrix has no index, as in its title, but for the
// learned ones.
Inspection formula_of(const State& state, const Row& step, recipes::Recipes made_of, const Palette& colours) {
  const bool placed = step.result == kPlaced.output;
  if (step.defined[0].empty())
    return equivariance(colours, step.result == kShuffled.output ? "=" : "≠",
                        placed ? kEncodingNotes[static_cast<int>(state.positions)] : kHint);
  made_of.symbol_of = [](std::string_view tensor) {
    recipes::Symbol written = symbol_of(tensor);
    if (!tensor.starts_with("W_")) written.index = {};
    return written;
  };
  Inspection made{.title = std::string(step.title), .note = kHint};
  for (const std::string_view tensor : step.defined) {
    if (tensor.empty()) break;
    // An attention with keys in one formula: there softmax is of the product of queries and keys.
    const bool whole = symbol_of(tensor).letter == "Y" && tensor != kMany.output;
    made.lines.push_back(recipes::equation(made_of, tensor, colours, whole ? Depth::all : Depth::one));
    if (tensor == kMany.weights)
      made.lines.back() = row({made.lines.back(), word(state.wrong_axis ? "over the queries" : "over the inputs")});
  }
  return made;
}

}  // namespace

// What a number is of, for eyes: the letter of its matrix, or words where it has none.
std::string name_of(std::string_view tensor) {
  static constexpr std::pair<std::string_view, std::string_view> kNames[] = {
      {kOrderLast, "layer, then shuffle"}, {kOrderFirst, "shuffle, then layer"}, {kOrderGap, "difference"}};
  for (const auto& [of, name] : kNames)
    if (tensor == of) return std::string(name);
  if (tensor.ends_with("_sum")) return "sum";
  if (tensor.starts_with(kError)) return "largest difference";
  return std::string(tensor.starts_with("W_") ? tensor : symbol_of(tensor).letter);
}

std::optional<Inspection> inspect(const State& state, const Trace& trace, const View& view, const std::string& id) {
  const std::optional<Source> at = parse_cell_id(id);
  const Palette& colours = palette(view.theme);
  const recipes::Recipes made_of = recipes(state, trace);
  if (!at || trace.cell(at->tensor, at->row, at->column) == nullptr)
    return formula_of(state, row_at(view.place), made_of, colours);
  const Tensor& tensor = trace.at(at->tensor);
  const Asked asked{made_of, trace, colours, *at};
  Inspection made;
  made.title = name_of(tensor.name) + "[" + label_of(tensor.row_labels, at->row) + ", " +
               label_of(tensor.column_labels, at->column) + "]";
  if (!explain_by_hand(made, state, asked)) recipes::explain(asked, made);
  static constexpr std::string_view editable[] = {kX, kQ, kQGiven, kZ, kWQ, kWK, kWV};
  if (std::ranges::find(editable, tensor.name) != std::end(editable))
    made.note += " Double-click to type another number, or drag it up and down.";
  return made;
}

}  // namespace limelight::scenes::layer
