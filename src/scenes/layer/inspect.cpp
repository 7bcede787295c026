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

// The pictures of the encodings, which are no operation on other tensors.
void explain_picture(Inspection& made, const State& state, const Tensor& picture, const Source& at) {
  const int i = at.row, j = at.column;
  const Formula left = cell_of(at.tensor, i, j);
  if (state.positions == Encoding::linear_bias) {
    made.lines = {row({left, operation("="), operation("−"), number(io::format_short(state.slope)), operation("·"),
                       number(std::to_string(std::abs(i - j)))})};
    made.note = "Added to the score of the query in place " + std::to_string(i) + " and the key in place " +
                std::to_string(j) + ", counted from 0.";
  } else {
    const std::string_view function = (j % 2 == 0) == (state.positions == Encoding::sinusoidal) ? "sin" : "cos";
    const double angle = recipes::angle_of(i, j, picture.columns());
    made.lines = {
        row({left, operation("="), word(function),
             parenthesised(row({number(std::to_string(i)), operation("·"), script(symbol("ω"), symbol("c"))}))}),
        row({operation("="), word(function), parenthesised(value_of(angle))})};
    made.note = "Position " + std::to_string(i) +
                ", counted from 0; ω is 10000 to the power −2c/d, c = " + std::to_string(j / 2) + ".";
  }
  result_line(made, picture.values(i, j));
}

// Of a weight also its score, from query and key on, in one line, which is all that a callout has.
void explain_weight(const Asked& asked, Inspection& made) {
  const recipes::Recipe* weight = asked.recipes.find(asked.at.tensor);
  if (weight->operation != recipes::Operation::softmax || weight->turned) return;
  const recipes::Recipe& of = asked.recipes.of(weight->left());
  const auto scores = asked.trace.at(of.tensor).values.row(asked.at.row).cast<double>().eval();
  const double score = scores[asked.at.column], most = std::max(scores.maxCoeff(), std::abs(score));
  if (of.operation != recipes::Operation::product || of.slope != 0 || most > 12) return;  // whose powers can be read
  const Formula product = value_of(io::round_to(score * std::sqrt(of.size), 1e-3)),
                exponent = of.scales() ? fraction(product, root(number(std::to_string(of.size)))) : product;
  const Formula share = top_level(made.lines.back()).back(), power = row({word("exp"), parenthesised(exponent)});
  made.lines.back() =
      row({operation("="), fraction(power, value_of(scores.array().exp().sum())), operation("≈"), share});
  made.note = "The sum is that of all inputs.";
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

// A step's formula: what each of some tensors is. There a matrix has no index, as in its title, unless it is learned.
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
  if (tensor == kOrderLast) return "layer, then shuffle";
  if (tensor == kOrderFirst) return "shuffle, then layer";
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
  if (at->tensor == kP || at->tensor == kPAdded)
    explain_picture(made, state, tensor, *at);
  else
    recipes::explain(asked, made);
  explain_weight(asked, made);
  static constexpr std::string_view editable[] = {kX, kQ, kQGiven, kZ, kWQ, kWK, kWV};
  if (std::ranges::find(editable, tensor.name) != std::end(editable))
    made.note += " Double-click to type another number, or drag it up and down.";
  return made;
}

}  // namespace limelight::scenes::layer
