// Where Spotlight's numbers come from: what its recipes say, and sentences about single cells.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "io/numbers.h"
#include "scenes/common/explain.h"
#include "scenes/common/recipe.h"
#include "scenes/spotlight/matrices.h"
#include "scenes/spotlight/steps.h"

namespace limelight::scenes::spotlight {
namespace {

using recipes::Depth;

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
  const recipes::Recipes made_of = recipes(state, trace);
  Inspection made = row_at(view.place).formula({state, trace, palette(view.theme), made_of});
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

void add_weight_note(Inspection& made, const State& state, const Trace& trace, const Source& at) {
  if (recipes::set_in_row(state.weights, at.row)) return;
  const bool masked = std::isinf(trace.at(kScaled).values(at.row, at.column));
  const bool scales = recipes(state, trace).of(kScaled).scales();
  const float largest = trace.at(kMaximum).values(at.row, 0);
  made.note =
      masked ? "Masked, so its weight is exactly 0."
             : how_it_fits(trace.at(kWeights).values, at.row, at.column) +
                   (std::abs(largest) > kReadablePower ? " The largest " + std::string(scales ? "z" : "score") + ", " +
                                                             fixed(largest) + ", is taken off first: same weights."
                                                       : "");
  if (const Tensor* low = trace.find(kLow); low != nullptr)
    made.note += " Over 200 random draws of the matrices, 80 % of the time this weight lay between " +
                 percent(low->values(at.row, at.column)) + " and " +
                 percent(trace.at(kHigh).values(at.row, at.column)) + ": the draw decides it more than the words.";
}

// What the matrix W_q, W_k or W_v makes of a word.
std::string made_by(std::string_view matrix) { return matrix == kW_q ? "query" : matrix == kW_k ? "key" : "value"; }

// What a number of X or of the three W is.
std::string input_note(const State& state, const Tensor& tensor, const Source& at) {
  const bool embedding = at.tensor == kX;
  const std::string row_name = label_of(tensor.row_labels, at.row);
  const std::string column_name = label_of(tensor.column_labels, at.column);
  const std::string feature =
      column_name == std::to_string(at.column + 1) ? "number " + column_name : "“" + column_name + "”";
  const int last = (embedding ? tensor.columns() : tensor.rows()) - 1;  // where a 1 stands for the bias
  if (state.trained && (embedding ? at.column : at.row) == last)
    return embedding ? "A 1 for every word: times the last row of a matrix it adds the bias."
                     : "The bias: the 1 behind each word’s numbers adds it to " + feature + " of every " +
                           made_by(at.tensor) + ".";
  if (embedding && state.trained)
    return "Of what enters layer " + std::to_string(state.layer) + " for " + row_name + ", " + feature +
           ", after its LayerNorm.";
  if (embedding) return "The embedding of " + row_name + ", " + feature + ".";
  const std::string from = tensor.row_labels.empty() ? "number " + std::to_string(at.row + 1) : "“" + row_name + "”";
  return "How much " + from + " of a word’s " + (state.trained ? "input" : "embedding") + " counts for " + feature +
         " of its " + made_by(at.tensor) + ".";
}

}  // namespace

Inspection formula_qkv(const Formulas& f) {
  Inspection made;
  made.title = f.state.given() ? "given" : "queries, keys, values";
  for (const std::string_view tensor : {kQ, kK, kV})
    made.lines.push_back(f.state.given() ? f.extent(tensor) : f.equation(tensor));
  return made;
}

Inspection formula_x(const Formulas& f) {
  if (f.state.given()) return formula_qkv(f);
  return {.title = "the input", .lines = {f.extent(kX)}};
}

Inspection formula_scores(const Formulas& f) { return {.title = "S, the scores", .lines = {f.equation(kScores)}}; }

Inspection formula_scale(const Formulas& f) {
  const int size = f.trace.at(kK).columns();
  Inspection made{.title = "Z, the scaled scores", .lines = {f.equation(kScaled)}};
  if (f.state.scale == Scale::root)
    made.lines.push_back(row({root(name_of_tensor("d_k")), operation("="), root(number(std::to_string(size))),
                              operation("="), number(io::format_short(std::sqrt(size), 4))}));
  return made;
}

Inspection formula_softmax(const Formulas& f) {
  Inspection made{.title = "a, the weights: softmax, row by row"};
  for (const std::string_view tensor : {kWeights, kMaximum})
    made.lines.push_back(row({recipes::cell_of(f.recipes, tensor, f.colours), operation("="),
                              recipes::cells_in(f.recipes, tensor, f.colours)}));
  return made;
}

Inspection formula_output(const Formulas& f) {
  return {.title = "Y, the output: attention", .lines = {f.equation(kOutput)}};
}

Formula Formulas::equation(std::string_view tensor) const {
  return recipes::equation(recipes, tensor, colours, Depth::all);
}

Formula Formulas::extent(std::string_view tensor) const {
  return row({recipes::matrix_of(recipes, tensor, colours), operation("∈"),
              script(word("ℝ"), nullptr, word(spotlight::extent(trace.at(tensor))))});
}

std::optional<Inspection> inspect(const State& state, const Trace& trace, const View& view, const std::string& id) {
  if (trace.find(kQ) == nullptr) return std::nullopt;
  std::optional<Source> at = parse_cell_id(id);
  const bool asked = at.has_value();
  if (!asked && row_at(view.place).step.id == "words") {  // what is brightest there
    const int query = looked_at(state, view);
    at = Source{std::string(kWeights), query, largest_first(trace.at(kWeights).values, query).front()};
  }
  if (!at || trace.cell(at->tensor, at->row, at->column) == nullptr) return general(state, trace, view);
  const Tensor& tensor = trace.at(at->tensor);
  Inspection made;
  recipes::explain({recipes(state, trace), trace, palette(view.theme), *at}, made);
  if (tensor.name == kWeights) add_weight_note(made, state, trace, *at);
  if (tensor.name == kX || tensor.name.starts_with("W_")) made.note = input_note(state, tensor, *at);
  if (tensor.name != kWeights && is_editable(state, tensor.name))
    made.note += (made.note.empty() ? "Given. " : " ") + how_to_change(view);
  if (!asked) made.note = how_to_read(state, view);
  return made;
}

}  // namespace limelight::scenes::spotlight
