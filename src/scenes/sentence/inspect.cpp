// What the inspector says of Sentence's numbers: each as the expression that made it, with the numbers in it.
#include <cctype>

#include "io/numbers.h"
#include "scenes/common/explain.h"
#include "scenes/sentence/steps.h"

namespace limelight::scenes::sentence {
namespace {

struct Asked : Pointed<State> {
  [[nodiscard]] std::string row_word() const { return quoted(label_of(trace.at(at.tensor).row_labels, at.row)); }
  [[nodiscard]] std::string column_word() const {
    return quoted(label_of(trace.at(at.tensor).column_labels, at.column));
  }
};

void explain_product(Asked& a, const HeadTensor& head) {
  const std::string q = of_head("q", head.layer, head.head), K = of_head("K", head.layer, head.head);
  const auto left = static_cast<double>(a.trace.at(q).values(0, a.at.column)),
             right = static_cast<double>(a.trace.at(K).values(a.at.row, a.at.column));
  a.made.title = "number " + std::to_string(a.at.column + 1) + " of q ⊙ k";
  a.made.lines = {
      row({coloured(factor_of(left), a.colours.query), operation("·"), coloured(factor_of(right), a.colours.key)})};
  result_line(a.made, a.value());
  a.made.note = "Positive where both have the same sign: it speaks for looking at " + a.row_word() + ".";
}

void explain_head(Asked& a, const HeadTensor& head) {
  const recipes::Recipes all = recipes_of(a.state, a.trace);
  if (all.find(a.at.tensor) != nullptr) return recipes::explain({all, a.trace, a.colours, a.at}, a.made);
  if (std::string_view("sab").contains(head.one)) {  // of the query's row, in the matrix that has it
    const int query = std::min(a.state.query, a.trace.at(of_head("Q", head.layer, head.head)).rows() - 1);
    const std::string matrix(1, static_cast<char>(std::toupper(static_cast<unsigned char>(head.one.front()))));
    const figure::Source whole{of_head(matrix, head.layer, head.head), query, a.at.row};
    Asked same{{{a.state, a.trace}, whole, a.colours, a.made}};
    return explain_head(same, {matrix, head.layer, head.head});
  }
  switch (head.one.front()) {
    case 'd':
    case 'D':
      return a.given("The weight with the other word less the weight with the first.");
    case 'P':
      return explain_product(a, head);
    case 'G':
      return a.given("The head’s weights, at most " + std::to_string(kMapSide) +
                     " rows and columns of them; of more tokens, the largest weight of each square.");
    default:
      a.made.title = a.row_word() + " → " + a.column_word();
      a.given("What " + a.row_word() + " takes of the value of " + a.column_word() + " in head " +
              name_of({head.layer, head.head}) + ". Each row sums to 1.");
  }
}

// Of what stands in no figure as a number, but in the trace for whoever saves it.
std::string_view note_of(std::string_view tensor) {
  static constexpr std::pair<std::string_view, std::string_view> notes[] = {
      {"tokens", "1 where the model knows the token, 0 where it reads it by its letters."},
      {"typed", "The same of the tokens as they were typed: 1 where the model knows it."},
      {"hidden", "1 where the token is hidden from the model."},
      {"model", "Whether the model is causal, whether it predicts tokens, and the first place that can be hidden."},
      {"order", "Which head stands at this place of the grid; they count from 0, layer by layer."},
      {"kinds", "The share of the head’s weight that goes there; the last is the entropy over that of an even row."},
      {"before", "What head 3.2 gives from the place of “it”."},
      {"asked", "What head 3.2 gives from the place of “it” with the question’s word in place of “tired”."},
  };
  for (const auto& [name, note] : notes)
    if (tensor == name) return note;
  if (tensor.starts_with("mean_")) return "The mean of the layer's heads.";
  return tensor.starts_with("truth") ? "Of the token that was there: its probability, and its rank among all."
                                     : "A sentence; it has no number.";
}

}  // namespace

Formula indexed(std::string_view letter, std::string_view below) { return script(symbol(letter), symbol(below)); }

Formula change_without(Formula what) {
  const auto probability = [](Formula of) { return row({symbol("p"), parenthesised(std::move(of))}); };
  return row(
      {probability(row({symbol("w"), word(" without "), std::move(what)})), operation("−"), probability(symbol("w"))});
}

Inspection formula_of(const State& state, const Trace& trace, const View& view) {
  Inspection made{.title = {}, .lines = {}, .note = {}, .origins = {}};
  const Tensor* model = trace.find("model");
  const auto is = [model](int fact) { return model != nullptr && model->values(0, fact) != 0; };
  Stepped s{told_of(state, trace, view), palette(view.theme), is(0), is(1), made};
  const Row& step = row_at(view.place);
  (step.needs_model && !s.is_read ? formula_head : step.formula)(s);
  made.note += view.touch ? " Tap a number to see where it comes from."
                          : " Point at a number to see where it comes from; click to keep it.";
  return made;
}

std::optional<Inspection> inspect(const State& state, const Trace& trace, const View& view, const std::string& id) {
  const std::optional<figure::Source> at = parse_cell_id(id);
  if (!at) return trace.find("kinds") == nullptr ? std::nullopt : std::optional(formula_of(state, trace, view));
  if (trace.cell(at->tensor, at->row, at->column) == nullptr) return std::nullopt;
  Inspection made{.title = {}, .lines = {}, .note = {}, .origins = {}};
  Asked a{{{state, trace}, *at, palette(view.theme), made}};
  const HeadTensor head = read_name(at->tensor);
  if (!head.one.empty()) {
    explain_head(a, head);
  } else {
    const std::string of_head = "head " + name_of({at->row, at->column}),
                      change = "How far the probability of the hidden word changes without this; below 0, it falls.";
    const struct {
      std::string_view tensor;
      std::string title, note;
    } said[] = {{"raw", a.column_word() + " in layer " + std::to_string(at->row + 1),
                 "The mean over the layer’s heads of the weight that the query gives it."},
                {"rollout", a.column_word() + ", through " + io::count_of(at->row + 1, "layer"),
                 "Â = (I + mean over heads) / 2 for each layer, multiplied from this layer down; the query’s row."},
                {"guess", a.column_word(),
                 "A softmax over all words: the last layer’s output here, times each word’s embedding, and a bias."},
                {"importance", "without " + of_head, change},
                {"erasure", "without " + a.column_word(), change},
                {"needed", {}, "The probability of the hidden word with this head off, and those before it."},
                {"moved", of_head,
                 "Half the summed sizes of its row’s changes with the swap: 0, the same, to 1, nothing in common."},
                {"attended", a.column_word(),
                 "The mean over the last layer’s heads of the weight that the hidden word gives it."},
                {"", "", std::string(note_of(at->tensor))}};
    const auto& one = *std::ranges::find_if(said, [&](const auto& of) { return at->tensor.starts_with(of.tensor); });
    made.title = one.title;
    a.given(one.note);
  }
  made.title = at->tensor + (made.title.empty() ? "" : ": " + made.title);
  return made;
}

}  // namespace limelight::scenes::sentence
