// What the inspector says of Translate's numbers: each as the expression that made it, with the numbers in it.
#include <algorithm>
#include <array>
#include <cmath>

#include "io/numbers.h"
#include "scenes/common/explain.h"
#include "scenes/translate/steps.h"

namespace limelight::scenes::translate {
namespace {

using namespace figure;

// A cell as the figure and the formulas name it: s_0 before the first word, c_t and a_ti as of output word t.
Formula symbol_of(std::string_view tensor, int row, int column) {
  struct Symbol {
    std::string_view tensor, letter;
    int first = 1;         // the index of row 0
    bool of_row = true;    // its row is told, as its column is
    bool product = false;  // set upright, in parentheses
  };
  static constexpr Symbol symbols[] = {{"s", "s", 0},
                                       {"fixed_s", "s", 0},
                                       {"fixed_h", "h"},
                                       {"bottleneck", "c", 0, false},
                                       {"scores", "e"},
                                       {"weights", "a"},
                                       {"context", "c"},
                                       {"v_a", "v"},
                                       {"logits", "l"},
                                       {"probabilities", "p"},
                                       {"chosen", "p", 0, false},
                                       {"update", "z"},
                                       {"reset", "r"},
                                       {"new", "n"},
                                       {"query", "s W", 1, true, true},
                                       {"keys", "h U", 1, true, true},
                                       {"sum", "s W + h U", 1, true, true},
                                       {"terms", "v tanh", 1, true, true},
                                       {"weighted", "a h", 1, true, true}};
  const auto* const found = std::ranges::find(symbols, tensor, &Symbol::tensor);
  if (found == std::end(symbols)) return cell_of(tensor, row, column);
  const std::string indices =
      (found->of_row ? std::to_string(row + found->first) + " " : "") + std::to_string(column + 1);
  return script(found->product ? parenthesised(word(found->letter)) : symbol(found->letter), word(indices));
}

struct Asked {
  const State& state;
  const Trace& trace;
  const Source& at;
  const Palette& colours;
  Inspection& made;

  [[nodiscard]] double of(std::string_view tensor, int row, int column) const {
    return static_cast<double>(trace.at(tensor).values(row, column));
  }
  [[nodiscard]] double value() const { return of(at.tensor, at.row, at.column); }
  [[nodiscard]] Formula cell() const { return symbol_of(at.tensor, at.row, at.column); }
  void end() const { result_line(made, value()); }
};

std::string source_word(const Asked& a, int column) { return label_of(a.trace.at("source").column_labels, column); }
std::string output_word(const Asked& a, int row) { return label_of(written(a.trace), row); }

constexpr const char* kTyped = " Double-click to type another number, or drag it up and down.";

void explain_given(Asked& a, const std::string& note) {
  a.made.lines = {row({a.cell(), operation("="), number(whole(a.value()))})};
  a.made.note = note;
}

void explain_state_of_source(Asked& a) {
  if (!a.state.trained())
    return explain_given(a, "The encoder’s state at " + source_word(a, a.at.row) + ", set by hand." + kTyped);
  const int half = a.trace.at(a.at.tensor).columns() / 2;
  const bool forward = a.at.column < half;
  explain_given(a, "Number " + std::to_string(a.at.column % half + 1) + " of the encoder’s " +
                       (forward ? "forward" : "backward") + " state at " + source_word(a, a.at.row) +
                       ", after it has read the words " + (forward ? "up to here" : "from the end back to here") + ".");
}

void explain_bottleneck(Asked& a) {
  const Tensor& h = a.trace.at("fixed_h");
  const int last = h.rows() - 1;
  const bool forward = !a.state.trained() || a.at.column < h.columns() / 2;
  a.made.lines = {row({a.cell(), operation("="), symbol_of("fixed_h", forward ? last : 0, a.at.column)})};
  a.made.note = forward ? "The encoder’s last state, after all words: all that a decoder without attention gets."
                        : "The backward state at the first word, which has read the whole sentence too.";
  a.end();
}

void explain_decoder_state(Asked& a) {
  if (a.state.s.cells.contains({a.at.row, 0})) return explain_given(a, std::string("Set by hand.") + kTyped);
  if (a.at.row == 0) {
    static constexpr std::string_view from[] = {"from the encoder", "drawn at random from the seed", "zero"};
    return explain_given(
        a, "The decoder’s first state: " + std::string(from[static_cast<int>(a.state.first)]) + "." +
               (a.state.trained() ? a.state.first == First::encoder
                                        ? " A learned layer makes it of the backward state at the first word."
                                        : ""
                                  : kTyped));
  }
  const int t = a.at.row - 1, k = a.at.column;
  if (!a.state.trained()) {
    const double w_s = a.of("w", 0, 0), w_c = a.of("w", 0, 1);
    a.made.lines = {
        row({a.cell(), operation("="), word("tanh"),
             parenthesised(row({script(symbol("w"), symbol("s")), symbol("s"), operation("+"),
                                script(symbol("w"), symbol("c")), symbol("c"), operation("+"), symbol("y")}))}),
        row({operation("="), word("tanh"),
             parenthesised(row({value_of(w_s, 2), operation("·"), factor_of(a.of("s", t, 0)), operation("+"),
                                value_of(w_c, 2), operation("·"), factor_of(a.of("context", t, 0)), operation("+"),
                                factor_of(a.of("y", 0, t))}))})};
    a.made.note = "A recurrent step: the state before, the context, and what the word before adds.";
    return a.end();
  }
  const Formula z = symbol("z");
  a.made.lines = {
      row({a.cell(), operation("="), parenthesised(row({number("1"), operation("−"), z})), operation("·"), symbol("n"),
           operation("+"), z, operation("·"), script(symbol("s"), word("before"))}),
      row({operation("="), parenthesised(row({number("1"), operation("−"), value_of(a.of("update", t, k))})),
           operation("·"), factor_of(a.of("new", t, k)), operation("+"), value_of(a.of("update", t, k)), operation("·"),
           factor_of(a.of("s", t, k))})};
  a.made.note = "A gated recurrent unit keeps the share z of its state and takes the rest anew (Cho et al. 2014).";
  a.end();
}

void explain_product_of(Asked& a, std::string_view left, int left_row, std::string_view right, Colour left_colour,
                        Colour right_colour, const std::string& note) {
  const std::vector<Term> terms = terms_of(a.trace.at(left), left_row, a.trace.at(right), a.at.column, false);
  a.made.lines = {row({a.cell(), operation("="), coloured(name_of_tensor(left == "weights" ? "a" : left), left_colour),
                       operation("·"), coloured(name_of_tensor(right), right_colour)}),
                  row({operation("="), sum_of_products(terms, 2, left_colour, right_colour)})};
  a.end();
  add_origin(a.made, a.trace, left, left_row, false, left_colour);
  add_origin(a.made, a.trace, right, a.at.column, true, right_colour);
  a.made.note = note;
}

int looked_at(const Asked& a) { return word_row(a.state, a.trace); }

void explain_sum(Asked& a) {
  const int t = looked_at(a);
  a.made.lines = {row({a.cell(), operation("="), coloured(symbol_of("query", t, a.at.column), a.colours.query),
                       operation("+"), coloured(symbol_of("keys", a.at.row, a.at.column), a.colours.key)}),
                  row({operation("="), value_of(a.of("query", t, a.at.column)), operation("+"),
                       factor_of(a.of("keys", a.at.row, a.at.column))})};
  a.made.note = "What the decoder’s state asks before " + output_word(a, t) + ", and what " + source_word(a, a.at.row) +
                " offers.";
  a.end();
}

void explain_tanh(Asked& a) {
  a.made.lines = {row({a.cell(), operation("="), word("tanh"), parenthesised(symbol_of("sum", a.at.row, a.at.column))}),
                  row({operation("="), word("tanh"), parenthesised(value_of(a.of("sum", a.at.row, a.at.column)))})};
  a.end();
}

void explain_term(Asked& a) {
  a.made.lines = {row({a.cell(), operation("="), symbol_of("v_a", a.at.column, 0), operation("·"),
                       symbol_of("tanh", a.at.row, a.at.column)}),
                  row({operation("="), value_of(a.of("v_a", a.at.column, 0)), operation("·"),
                       factor_of(a.of("tanh", a.at.row, a.at.column))})};
  a.made.note = "One of the " + std::to_string(a.trace.at("v_a").rows()) + " terms that sum to the score of " +
                source_word(a, a.at.row) + ".";
  a.end();
}

void explain_score(Asked& a) {
  if (a.state.scores.cells.contains({a.at.row, a.at.column}))
    return explain_given(a, std::string("Set by hand.") + kTyped);
  const Formula e = row({a.cell(), operation("="), symbol("v"), operation("·"), word("tanh"),
                         parenthesised(row({coloured(symbol("s"), a.colours.query), symbol("W"), operation("+"),
                                            coloured(symbol("h"), a.colours.value), symbol("U")}))});
  const Tensor& query = a.trace.at("query");
  const Tensor& keys = a.trace.at("keys");
  const Tensor& v = a.trace.at("v_a");
  std::vector<Term> terms;
  for (int k = 0; k < v.rows(); ++k)
    terms.push_back({v.values(k, 0), std::tanh(query.values(a.at.row, k) + keys.values(a.at.column, k))});
  a.made.lines = {e, row({operation("="), sum_of_products(terms, 2, a.colours.ink, a.colours.ink)})};
  a.made.note = "How well " + source_word(a, a.at.column) + " fits what the decoder looks for before it writes " +
                output_word(a, a.at.row) + " (Bahdanau et al. 2015, appendix A.1.2).";
  a.end();
  add_origin(a.made, a.trace, "s", a.at.row, false, a.colours.query);
  add_origin(a.made, a.trace, "h", a.at.column, false, a.colours.value);
}

void explain_weight(Asked& a) {
  const auto in_row = [&](const auto& edit) { return edit.first.first == a.at.row; };
  const Matrix& scores = a.trace.at("scores").values;
  if (std::ranges::any_of(a.state.weights.cells, in_row))
    return explain_given(a, a.state.weights.cells.contains({a.at.row, a.at.column})
                                ? "Set by hand; the others of its row were rescaled so that they sum to 1."
                                : "Rescaled, because another weight of this row was set by hand.");
  if (a.state.gaze == Gaze::hard)
    return explain_given(a, a.value() > 0 ? "Hard attention: the largest score gets the weight 1."
                                          : "Hard attention: another score is the largest, so this weight is 0.");
  const double own = static_cast<double>(scores(a.at.row, a.at.column));
  const double most = static_cast<double>(scores.row(a.at.row).maxCoeff());
  double sum = 0;
  for (const float score : scores.row(a.at.row)) sum += std::exp(static_cast<double>(score) - most);
  const Formula e = symbol("e");
  a.made.lines = {row({a.cell(), operation("="),
                       fraction(row({word("exp"), parenthesised(script(e, symbol("t i")))}),
                                row({large("∑", symbol("j")), word("exp"), parenthesised(script(e, symbol("t j")))}))}),
                  row({operation("="), fraction(value_of(std::exp(own - most)), value_of(sum))})};
  a.made.note = "Its score is " + fixed(own) + "; the largest of the row, " + fixed(most) +
                ", was subtracted first, which changes no weight." + kTyped;
  a.end();
}

void explain_weighted(Asked& a) {
  const int t = looked_at(a);
  a.made.lines = {row({a.cell(), operation("="), symbol_of("weights", t, a.at.row), operation("·"),
                       coloured(symbol_of("h", a.at.row, a.at.column), a.colours.value)}),
                  row({operation("="), value_of(a.of("weights", t, a.at.row)), operation("·"),
                       factor_of(a.of("h", a.at.row, a.at.column))})};
  a.end();
}

void explain_context(Asked& a) {
  if (a.state.context.cells.contains({a.at.row, a.at.column}))
    return explain_given(a, std::string("Set by hand.") + kTyped);
  explain_product_of(a, "weights", a.at.row, "h", a.colours.ink, a.colours.value,
                     "The source words’ states, mixed by the weights of " + output_word(a, a.at.row) + ".");
}

void explain_logit(Asked& a) {
  if (!a.state.trained()) {
    const int k = a.at.column;
    a.made.lines = {
        row({a.cell(), operation("="), symbol("s"), operation("·"), symbol("O"), operation("+"), symbol("b")}),
        row({operation("="), value_of(a.of("s", a.at.row + 1, 0)), operation("·"), value_of(a.of("O", 0, k)),
             operation("+"), factor_of(a.of("b", 0, k))})};
    return a.end();
  }
  const int size = a.trace.at("s").columns() + a.trace.at("context").columns();
  a.made.lines = {row({a.cell(), operation("="), word("["), symbol("s"), word("|"), symbol("c"), word("]"),
                       operation("·"), symbol("w"), operation("+"), symbol("b")})};
  a.made.note = "A learned column w for each word of the vocabulary: a sum of " + std::to_string(size) +
                " products of the next state and the context.";
  a.end();
}

void explain_probability(Asked& a, int t, const std::string& of) {
  const Tensor& logits = a.trace.at("logits");
  const auto k = std::ranges::find(logits.column_labels, of) - logits.column_labels.begin();
  const double own = static_cast<double>(logits.values(t, k)),
               most = static_cast<double>(logits.values.row(t).maxCoeff());
  double sum = 0;
  for (const float logit : logits.values.row(t)) sum += std::exp(static_cast<double>(logit) - most);
  const Formula l = symbol("l");
  a.made.lines = {row({a.cell(), operation("="),
                       fraction(row({word("exp"), parenthesised(script(l, symbol("k")))}),
                                row({large("∑", symbol("j")), word("exp"), parenthesised(script(l, symbol("j")))}))}),
                  row({operation("="), fraction(value_of(std::exp(own - most)), value_of(sum))})};
  a.made.note = "How likely the decoder finds " + of + " as output word " + std::to_string(t + 1) + ", of " +
                std::to_string(logits.columns()) + ".";
  a.end();
}

void explain_tensor(Asked& a) {
  const std::string& name = a.at.tensor;
  using Explain = void (*)(Asked&);
  struct Explained {
    std::string_view tensor;
    Explain explain;
  };
  static constexpr Explained rows[] = {{"h", explain_state_of_source}, {"fixed_h", explain_state_of_source},
                                       {"s", explain_decoder_state},   {"bottleneck", explain_bottleneck},
                                       {"sum", explain_sum},           {"tanh", explain_tanh},
                                       {"terms", explain_term},        {"scores", explain_score},
                                       {"weights", explain_weight},    {"weighted", explain_weighted},
                                       {"context", explain_context},   {"logits", explain_logit}};
  if (const auto* found = std::ranges::find(rows, name, &Explained::tensor); found != std::end(rows))
    return found->explain(a);
  if (name == "query")
    return explain_product_of(a, "s", a.at.row, "W", a.colours.query, a.colours.ink,
                              "What the state before " + output_word(a, a.at.row) + " asks.");
  if (name == "keys")
    return explain_product_of(a, "h", a.at.row, "U", a.colours.value, a.colours.ink,
                              "What " + source_word(a, a.at.row) + " offers; the same for every output word.");
  if (name == "probabilities")
    return explain_probability(a, a.at.row,
                               a.trace.at("probabilities").column_labels[static_cast<std::size_t>(a.at.column)]);
  if (name == "chosen")
    return explain_probability(a, a.at.column, written(a.trace)[static_cast<std::size_t>(a.at.column)]);
  const bool typed = !a.state.trained();
  struct Said {
    std::string_view tensor, text;
  };
  static constexpr Said said[] = {
      {"source", "Its place in the sentence; the encoder reads in this order, forwards and backwards."},
      {"before", "How likely it was when nothing was set by hand."},
      {"from_zeros", "How likely it is when the decoder starts from zeros."},
      {"gold", "1 where the corpus links the two words. The model never saw these links."},
      {"reset", "r, a gate between 0 and 1: how much of the state before counts for the new one."},
      {"update", "z, a gate between 0 and 1: how much of the state before is kept."},
      {"new", "n, between −1 and 1: what would take the place of the state before."},
      {"y", "What the word before adds to the next state. Constructed."},
      {"words", "What each word adds to the state that comes after it. Constructed."},
      {"w", "How much the state before and the context count for the next state. Constructed."},
      {"O", "How much the state counts for each word. Constructed."},
      {"b", "What each word has without any state. Constructed."},
      {"length", "Words in the sentence, signs not counted."},
      {"exact",
       "The share of held-out sentences of this length of which every word came out right, as measured after "
       "training."},
      {"fixed_s", "The state of the decoder without attention: made of the word before, its state before and c."},
      {"fixed", "How likely the model without attention found the word that it wrote."}};
  const auto* found = std::ranges::find(said, name, &Said::tensor);
  if (found != std::end(said)) {
    static constexpr std::array<std::string_view, 4> by_hand = {"y", "w", "O", "b"};
    const bool editable = std::ranges::find(by_hand, name) != by_hand.end();
    return explain_given(a, std::string(found->text) + (editable ? kTyped : ""));
  }
  explain_given(a, typed ? std::string("Chosen by hand; in a trained model it is learned.") + kTyped
                         : "Learned from examples; nothing told it what to look for.");
}

// All that a decoder without attention gets: of an encoder that reads both ways, where each of them ends.
Formula whole_source(const State& state) {
  const Formula h = symbol("h"), last = word("last");
  if (!state.trained()) return script(h, last);
  return row({word("["), script(h, last, word("→")), word(" | "), script(h, number("1"), word("←")), word("]")});
}

// h_i, from one side or from both (Bahdanau et al. 2015, section 3.2), and s_0 where the encoder makes it.
std::vector<Formula> encoder_lines(const State& state, const Palette& colours) {
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

// The symbols of the formulas in their colours, and the lines that are made of them.
struct Symbols {
  Formula e = script(symbol("e"), symbol("t i")), a = script(symbol("a"), symbol("t i"));
  Formula s_before, s, h, c;
  explicit Symbols(const Palette& colours)
      : s_before(coloured(script(symbol("s"), symbol("t−1")), colours.query)),
        s(coloured(script(symbol("s"), symbol("t")), colours.query)),
        h(coloured(script(symbol("h"), symbol("i")), colours.value)),
        c(coloured(script(symbol("c"), symbol("t")), colours.output)) {}
  [[nodiscard]] Formula score() const {
    return row({e, operation("="), symbol("v"), operation("·"), word("tanh"),
                parenthesised(row({s_before, symbol("W"), operation("+"), h, symbol("U")}))});
  }
  [[nodiscard]] Formula weight() const { return row({a, operation("="), word("softmax"), parenthesised(e)}); }
  [[nodiscard]] Formula context() const { return row({c, operation("="), large("∑", symbol("i")), a, h}); }
  // The next state, made from this context.
  [[nodiscard]] Formula next(const Formula& from) const {
    return row({s, operation("="), symbol("g"),
                parenthesised(row({script(symbol("y"), symbol("t−1")), word(", "), s_before, word(", "), from}))});
  }
};

Inspection about(std::string title, std::vector<Formula> lines) {
  return {.title = std::move(title),
          .lines = std::move(lines),
          .note = "Point at any number to see where it comes from; click or tap to keep it."};
}

}  // namespace

Inspection formula_bottleneck(const State& state, const Palette& colours) {
  const Formula c = coloured(symbol("c"), colours.output);
  return about("without attention",
               {row({c, operation("="), coloured(whole_source(state), colours.value)}), Symbols(colours).next(c)});
}

Inspection formula_encode(const State& state, const Palette& colours) {
  return about("the encoder’s states", encoder_lines(state, colours));
}

Inspection formula_scores(const State&, const Palette& colours) {
  return about("alignment scores", {Symbols(colours).score()});
}

Inspection formula_weights(const State&, const Palette& colours) {
  const Symbols symbols(colours);
  return about("attention weights", {symbols.score(), symbols.weight()});
}

Inspection formula_context(const State&, const Palette& colours) {
  const Symbols symbols(colours);
  return about("the context", {symbols.weight(), symbols.context()});
}

Inspection formula_next(const State&, const Palette& colours) {
  const Symbols symbols(colours);
  return about("the next word", {symbols.score(), symbols.weight(), symbols.context(), symbols.next(symbols.c)});
}

std::optional<Inspection> inspect(const State& state, const Trace& trace, const View& view, const std::string& id) {
  const std::optional<Source> source = parse_cell_id(id);
  if (!source || trace.cell(source->tensor, source->row, source->column) == nullptr)
    return row_at(view.place).formula(state, palette(view.theme));
  const Tensor& tensor = trace.at(source->tensor);
  Inspection made;
  made.title = source->tensor + "[" + label_of(tensor.row_labels, source->row) + ", " +
               label_of(tensor.column_labels, source->column) + "]";
  Asked asked{state, trace, *source, palette(view.theme), made};
  explain_tensor(asked);
  return made;
}

}  // namespace limelight::scenes::translate
