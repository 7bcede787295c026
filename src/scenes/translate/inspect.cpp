// What the inspector says of Translate's numbers that no recipe tells, and each step's formulas.
#include <algorithm>
#include <cmath>

#include "io/numbers.h"
#include "scenes/common/explain.h"
#include "scenes/translate/steps.h"

namespace limelight::scenes::translate {
namespace {

struct Asked : Pointed<State> {
  [[nodiscard]] int t() const { return word_row(state, trace); }
  [[nodiscard]] std::string source() const { return label_of(trace.at("source").column_labels, at.row); }
  // "s_0 2": states count from 0, all else from 1.
  [[nodiscard]] Formula cell(std::string_view letter, int first = 1, bool of_row = true) const {
    return script(symbol(letter),
                  word((of_row ? std::to_string(at.row + first) + " " : "") + std::to_string(at.column + 1)));
  }
  // name = with letters, then with the numbers, and what it comes to.
  void lines(Formula letters, Formula numbers, std::string note) const {
    made.lines = {std::move(letters), std::move(numbers)};
    made.note = std::move(note);
    result_line(made, value());
  }
};

void explain_state(const Asked& a) {
  const int t = a.at.row - 1, k = a.at.column;
  const Formula s = a.cell("s", 0);
  if (a.state.s.cells.contains({a.at.row, 0})) return a.given(s, std::string("Set by hand.") + kTyped);
  if (a.at.row == 0) {
    static constexpr std::string_view from[] = {"from the encoder", "drawn at random from the seed", "zero"};
    const char* more = !a.state.trained() ? kTyped
                       : a.state.first == First::encoder
                           ? " A learned layer makes it of the backward state at the first word."
                           : "";
    return a.given(s, "The decoder’s first state: " + std::string(from[static_cast<int>(a.state.first)]) + "." + more);
  }
  if (!a.state.trained())
    return a.lines(
        row({s, operation("="), word("tanh"),
             parenthesised(row({script(symbol("w"), symbol("s")), symbol("s"), operation("+"),
                                script(symbol("w"), symbol("c")), symbol("c"), operation("+"), symbol("y")}))}),
        row({operation("="), word("tanh"),
             parenthesised(row({value_of(a.of("w", 0, 0), 2), operation("·"), factor_of(a.of("s", t, 0)),
                                operation("+"), value_of(a.of("w", 0, 1), 2), operation("·"),
                                factor_of(a.of("context", t, 0)), operation("+"), factor_of(a.of("y", 0, t))}))}),
        "A recurrent step: the state before, the context, and what the word before adds.");
  const Formula z = symbol("z");
  a.lines(row({s, operation("="), parenthesised(row({number("1"), operation("−"), z})), operation("·"), symbol("n"),
               operation("+"), z, operation("·"), script(symbol("s"), word("before"))}),
          row({operation("="), parenthesised(row({number("1"), operation("−"), value_of(a.of("update", t, k))})),
               operation("·"), factor_of(a.of("new", t, k)), operation("+"), value_of(a.of("update", t, k)),
               operation("·"), factor_of(a.of("s", t, k))}),
          "A gated recurrent unit keeps the share z of its state and takes the rest anew (Cho et al. 2014).");
}

void explain_source_state(const Asked& a) {
  const int half = a.trace.at(a.at.tensor).columns() / 2;
  const bool forward = a.at.column < half;
  a.given(a.cell("h"), "Number " + std::to_string(a.at.column % half + 1) + " of the encoder’s " +
                           (forward ? "forward" : "backward") + " state at " +
                           label_of(a.trace.at(a.at.tensor).row_labels, a.at.row) + ", after it has read the words " +
                           (forward ? "up to here" : "from the end back to here") + ".");
}

void explain_bottleneck(const Asked& a) {
  const bool forward = a.at.column < a.trace.at("fixed_h").columns() / 2;
  a.given(a.cell("c", 0, false),
          forward ? "The encoder’s last state, after all words: all that a decoder without attention gets."
                  : "The backward state at the first word, which has read the whole sentence too.");
}

void explain_sum(const Asked& a) {
  a.lines(row({a.cell("q + k"), operation("="), coloured(symbol("q"), a.colours.query), operation("+"),
               coloured(symbol("k"), a.colours.key)}),
          row({operation("="), value_of(a.of("query", a.t(), a.at.column)), operation("+"),
               factor_of(a.of("keys", a.at.row, a.at.column))}),
          "What the decoder’s state asks before " + label_of(written(a.trace), a.t()) + ", and what " + a.source() +
              " offers.");
}

void explain_tanh(const Asked& a) {
  a.lines(row({a.cell("tanh"), operation("="), word("tanh"),
               parenthesised(row({symbol("q"), operation("+"), symbol("k")}))}),
          row({operation("="), word("tanh"), parenthesised(value_of(a.of("sum", a.at.row, a.at.column)))}), "");
}

void explain_term(const Asked& a) {
  a.lines(
      row({a.cell("v tanh"), operation("="), symbol("v"), operation("·"), word("tanh")}),
      row({operation("="), value_of(a.of("v_a", a.at.column, 0)), operation("·"),
           factor_of(a.of("tanh", a.at.row, a.at.column))}),
      "One of the " + std::to_string(a.trace.at("v_a").rows()) + " terms that sum to the score of " + a.source() + ".");
}

void explain_score(const Asked& a) {
  if (a.state.scores.cells.contains({a.at.row, a.at.column}))
    return a.given(a.cell("e"), std::string("Set by hand.") + kTyped);
  const Tensor& query = a.trace.at("query");
  const Tensor& keys = a.trace.at("keys");
  const Tensor& v = a.trace.at("v_a");
  std::vector<Term> terms;
  for (int k = 0; k < v.rows(); ++k)
    terms.push_back({v.values(k, 0), std::tanh(query.values(a.at.row, k) + keys.values(a.at.column, k))});
  a.lines(row({a.cell("e"), operation("="), symbol("v"), operation("·"), word("tanh"),
               parenthesised(row({coloured(symbol("s"), a.colours.query), symbol("W"), operation("+"),
                                  coloured(symbol("h"), a.colours.value), symbol("U")}))}),
          row({operation("="), sum_of_products(terms, 2, a.colours.ink, a.colours.ink)}),
          "How well " + label_of(a.trace.at("source").column_labels, a.at.column) +
              " fits what the decoder looks for before it writes " + label_of(written(a.trace), a.at.row) +
              " (Bahdanau et al. 2015, appendix A.1.2).");
  add_origin(a.made, a.trace, "s", a.at.row, false, a.colours.query);
  add_origin(a.made, a.trace, "h", a.at.column, false, a.colours.value);
}

void explain_logit(const Asked& a) {
  const int k = a.at.column;
  if (!a.state.trained())
    return a.lines(
        row({a.cell("l"), operation("="), symbol("s"), operation("·"), symbol("O"), operation("+"), symbol("b")}),
        row({operation("="), value_of(a.of("s", a.at.row + 1, 0)), operation("·"), value_of(a.of("O", 0, k)),
             operation("+"), factor_of(a.of("b", 0, k))}),
        "");
  a.made.lines = {row({a.cell("l"), operation("="), word("["), symbol("s"), word("|"), symbol("c"), word("]"),
                       operation("·"), symbol("w"), operation("+"), symbol("b")})};
  a.made.note = "A learned column w for each word of the vocabulary: a sum of " +
                std::to_string(a.trace.at("s").columns() + a.trace.at("context").columns()) +
                " products of the next state and the context.";
  result_line(a.made, a.value());
}

// What no recipe tells; null: it does.
using Explain = void (*)(const Asked&);
Explain by_itself(const State& state, const Source& at) {
  const bool trained = state.trained();
  const Explain state_of = trained ? explain_source_state : nullptr;
  using One = std::pair<std::string_view, Explain>;
  const One rows[] = {{"s", explain_state},      {"h", state_of},
                      {"fixed_h", state_of},     {"own_h", state_of},
                      {"sum", explain_sum},      {"tanh", explain_tanh},
                      {"terms", explain_term},   {"scores", explain_score},
                      {"logits", explain_logit}, {"bottleneck", trained ? explain_bottleneck : nullptr}};
  const auto* const found = std::ranges::find(rows, at.tensor, &One::first);
  return found == std::end(rows) ? nullptr : found->second;
}

// All that a decoder without attention gets: of an encoder that reads both ways, where each of them ends.
Formula whole_source(const State& state) {
  const Formula h = symbol("h"), last = word("last");
  if (!state.trained()) return script(h, last);
  return row({word("["), script(h, last, word("→")), word(" | "), script(h, number("1"), word("←")), word("]")});
}

Formula next_state(const Palette& colours, Formula context) {
  const auto s = [&](const char* index) { return coloured(script(symbol("s"), symbol(index)), colours.query); };
  return row(
      {s("t"), operation("="), symbol("g"),
       parenthesised(row({script(symbol("y"), symbol("t−1")), word(", "), s("t−1"), word(", "), std::move(context)}))});
}

}  // namespace

std::vector<Formula> formula_bottleneck(const State& state, const Palette& colours) {
  const Formula c = coloured(symbol("c"), colours.output);
  return {row({c, operation("="), coloured(whole_source(state), colours.value)}), next_state(colours, c)};
}

// h_i, from one side or from both (Bahdanau et al. 2015, section 3.2), and s_0 where the encoder makes it.
std::vector<Formula> formula_encode(const State& state, const Palette& colours) {
  const Formula x = script(symbol("x"), symbol("i"));
  const auto one = [&](const char* index, const char* way) {
    const Formula h = *way == 0 ? script(symbol("h"), symbol(index)) : script(symbol("h"), symbol(index), word(way));
    return coloured(h, colours.value);
  };
  const auto step = [&](const char* before, const char* way) {
    return row({one("i", way), operation("="), symbol("f"), parenthesised(row({x, word(", "), one(before, way)}))});
  };
  if (!state.trained()) return {step("i−1", "")};
  std::vector<Formula> lines{
      row({one("i", ""), operation("="), word("["), one("i", "→"), word(" | "), one("i", "←"), word("]")}),
      step("i−1", "→"), step("i+1", "←")};
  if (state.first == First::encoder)
    lines.push_back(row({coloured(script(symbol("s"), number("0")), colours.query), operation("="), word("tanh"),
                         parenthesised(row({one("1", "←"), symbol("W"), operation("+"), symbol("b")}))}));
  return lines;
}

std::vector<Formula> formula_next(const State&, const Palette& colours) {
  return {next_state(colours, coloured(script(symbol("c"), symbol("t")), colours.output))};
}

std::optional<Inspection> inspect(const State& state, const Trace& trace, const View& view, const std::string& id) {
  const Palette& colours = palette(view.theme);
  const std::optional<Source> source = parse_cell_id(id);
  if (!source || trace.cell(source->tensor, source->row, source->column) == nullptr) {
    const Row& step = row_at(view.place);
    const recipes::Recipes made_of = recipes(state, trace);
    Inspection made{.title = std::string(step.shows.title),
                    .note = "Point at any number to see where it comes from; click or tap to keep it."};
    for (const std::string_view tensor : step.equations)
      if (made_of.find(tensor) != nullptr)
        made.lines.push_back(recipes::equation(made_of, tensor, colours, recipes::Depth::one));
    if (step.formula != nullptr)
      for (Formula& line : step.formula(state, colours)) made.lines.push_back(std::move(line));
    return made;
  }
  Source at = *source;
  if (at.tensor == "chosen") {  // the word that was written, among all that could come
    const std::vector<std::string>& vocabulary = trace.at("probabilities").column_labels;
    const std::string word = written(trace)[static_cast<std::size_t>(at.column)];
    at = {"probabilities", at.column, static_cast<int>(std::ranges::find(vocabulary, word) - vocabulary.begin())};
  }
  Inspection made{.title = title_of(trace, *source)};
  if (const Explain own = by_itself(state, at); own != nullptr) {
    own({{{state, trace}, at, colours, made}});
    return made;
  }
  if (at.tensor == "context" && state.context.cells.contains({at.row, at.column})) {
    Asked{{{state, trace}, at, colours, made}}.given(script(symbol("c"), word(std::to_string(at.row + 1) + " 1")),
                                                     std::string("Set by hand.") + kTyped);
    return made;
  }
  const recipes::Recipes made_of = recipes(state, trace);
  recipes::explain({made_of, trace, colours, at}, made);
  static constexpr std::string_view typed[] = {"h", "W", "U", "v_a", "y", "w", "O", "b"};
  if (at.tensor == "weights" || (!state.trained() && std::ranges::find(typed, at.tensor) != std::end(typed)))
    made.note += kTyped;
  return made;
}

}  // namespace limelight::scenes::translate
