// Where Train's numbers come from: the inspector's formulas with the numbers in them.
#include <algorithm>
#include <cmath>

#include "scenes/common/explain.h"
#include "scenes/train/steps.h"

namespace limelight::scenes::train {
namespace {

using namespace figure;

struct Asked {
  const State& state;
  const Trace& trace;
  const Palette& colours;
  const Source& source;
  double value;

  [[nodiscard]] Told told() const { return {state, trace}; }
  // Named by the labels of its row and its column.
  [[nodiscard]] std::string row_label() const { return label_of(trace.at(source.tensor).row_labels, source.row); }
  [[nodiscard]] std::string column_label() const {
    return label_of(trace.at(source.tensor).column_labels, source.column);
  }
  [[nodiscard]] Formula s() const { return coloured(script(symbol("s"), word("t−1")), colours.query); }
  [[nodiscard]] Formula h() const { return coloured(script(symbol("h"), symbol("j")), colours.key); }
};

// "e = v · tanh(s W + h U)", as the score has it.
Formula score_formula(const State& state, const Formula& s, const Formula& h) {
  const Formula e = script(symbol("e"), word("tj"));
  if (state.score == learn::AttentionScore::additive)
    return row({e, operation("="), symbol("v"), operation("·"), word("tanh"),
                parenthesised(row({s, symbol("W"), operation("+"), h, symbol("U")}))});
  if (state.score == learn::AttentionScore::general)
    return row({e, operation("="), s, operation("·"), parenthesised(row({h, symbol("U")}))});
  const auto way = [&h](std::string_view arrow) { return script(h, nullptr, word(arrow)); };
  return row({e, operation("="), s, operation("·"), parenthesised(row({way("→"), operation("+"), way("←")}))});
}

void explain_token(const Asked& c, Inspection& made) {
  made.lines.push_back(
      row({word("number of "), word("“" + shown(c.column_label()) + "”"), word(" in the vocabulary")}));
  made.note = "What the model gets and gives are numbers of words; each has a row of its own in an embedding.";
}

void explain_right(const Asked& c, Inspection& made) {
  made.lines.push_back(word(c.value > 0 ? "as it should be" : "not as it should be"));
  made.note = "1 where the letter that is written is the one that the task asks for at this place.";
}

void explain_part(const Asked& c, Inspection& made) {
  made.lines.push_back(word(c.row_label()));
  made.note = "Counted: each is a number that training changes.";
}

void explain_score(const Asked& c, Inspection& made) {
  made.lines.push_back(score_formula(c.state, c.s(), c.h()));
  made.note = "How well “" + shown(c.column_label()) + "” of the source fits what is written at this place, by " +
              std::to_string(c.state.hidden) + " products.";
}

void explain_weight(const Asked& c, Inspection& made) {
  const Matrix& scores = c.trace.at("scores").values;
  const int t = c.source.row, j = c.source.column;
  const auto e = static_cast<double>(scores(t, j)), most = static_cast<double>(scores.row(t).maxCoeff());
  const double sum = (scores.row(t).cast<double>().array() - most).exp().sum();
  const Formula m = symbol("m"), tj = word("tj"), tk = word("tk");
  made.lines.push_back(
      row({script(symbol("a"), tj), operation("="),
           fraction(row({word("exp"), parenthesised(row({script(symbol("e"), tj), operation("−"), m}))}),
                    row({large("∑", symbol("k")), word("exp"),
                         parenthesised(row({script(symbol("e"), tk), operation("−"), m}))}))}));
  made.lines.push_back(
      row({operation("="), fraction(row({word("exp"), parenthesised(value_of(e - most, 2))}), value_of(sum))}));
  made.note = "Output “" + shown(c.row_label()) + "” looks at “" + shown(c.column_label()) +
              "” of the source with this share. m is the largest score of the row, " + fixed(most, 2) + ".";
}

void explain_probability(const Asked& c, Inspection& made) {
  const Formula z = symbol("z");
  made.lines.push_back(row({symbol("p"), operation("="),
                            fraction(row({word("exp"), script(z, symbol("w"))}),
                                     row({large("∑", symbol("k")), word("exp"), script(z, symbol("k"))})),
                            word("  z = [s | c] W + b")}));
  made.note = "How likely the model takes “" + shown(c.column_label()) + "” to be at place " +
              std::to_string(c.source.row + 1) + " of the output. It writes the likeliest.";
}

void explain_context(const Asked& c, Inspection& made) {
  made.lines.push_back(row({symbol("c"), operation("="), word("[h→ of the last letter | h← of the first]")}));
  made.note = "One of the " + std::to_string(2 * c.state.hidden) + " numbers that stand for the whole source.";
}

void explain_summary(const Asked& c, Inspection& made) {
  made.lines.push_back(word(c.column_label()));
  if (c.source.column == Summary::guess)
    made.lines.push_back(row({word("ln"), number(std::to_string(c.trace.at("probabilities").columns()))}));
  made.note =
      c.source.column == Summary::guess ? "The cross-entropy of a guess among all words of the vocabulary, in nats."
      : c.source.column == Summary::aligned
          ? "Letters whose largest weight lies where the task says. Training never sees where that is. −1: not known."
          : "Of the example that is shown. −1: not known.";
}

void explain_run(const Asked& c, Inspection& made) {
  if (c.source.column == Column::rose_to && c.value != 0) {
    made.lines.push_back(word(c.row_label() + ": " + c.column_label()));
    made.note = c.value < 0 ? "−1: the loss was no number any more; the training was stopped."
                            : "The mean loss, above twice that of guessing: the training was stopped.";
    return;
  }
  made.lines.push_back(word(c.row_label() + ": " + c.column_label()));
  if (c.source.column == Column::loss)
    made.lines.push_back(row({symbol("L"), operation("="), word("−"), fraction(number("1"), symbol("N")), large("∑"),
                              word("ln"), symbol("p"), parenthesised(word("truth"))}));
  made.note =
      c.source.column == Column::seconds
          ? "Computing time, measured on this device: training and looks at what is held out."
      : c.source.column == Column::loss ? "Cross-entropy in nats per letter, [STOP] included; a running mean in which "
                                          "about the last fifty batches count."
      : c.source.column == Column::held_out
          ? "The share of 200 sources, none of them ever trained on, whose whole output is right. −1: not tried yet."
          : "0 before that model is trained; −1: there is none.";
}

void explain_curve(const Asked& c, Inspection& made) {
  made.lines.push_back(word(c.column_label() + ": " + c.row_label()));
  made.note = c.source.tensor.starts_with("loss")
                  ? "Cross-entropy in nats per letter; a running mean in which about the last fifty batches count."
                  : "The share of 200 held-out sources whose whole output is right.";
}

void explain_by_length(const Asked& c, Inspection& made) {
  const Matrix& values = c.trace.at(c.source.tensor).values;
  if (c.source.row == ByLength::share) {
    const auto count = [&](int row) { return number(fixed(static_cast<double>(values(row, c.source.column)), 0)); };
    made.lines.push_back(row({fraction(word("all right"), word("pairs")), operation("="),
                              fraction(count(ByLength::exact), count(ByLength::pairs))}));
  } else {
    made.lines.push_back(word(c.column_label() + ": " + c.row_label()));
  }
  made.note = "Held-out sources of " + c.column_label() + ", tried here after the latest fifty batches.";
}

struct Explained {
  std::string_view tensor;
  void (*explain)(const Asked&, Inspection&);
};
constexpr Explained kExplained[] = {{"source", explain_token},
                                    {"target", explain_token},
                                    {"right", explain_right},
                                    {"parts", explain_part},
                                    {"scores", explain_score},
                                    {"weights", explain_weight},
                                    {"probabilities", explain_probability},
                                    {"context", explain_context},
                                    {"summary", explain_summary},
                                    {"run", explain_run},
                                    {"loss", explain_curve},
                                    {"loss_without", explain_curve},
                                    {"exact", explain_curve},
                                    {"exact_without", explain_curve},
                                    {"by_length", explain_by_length},
                                    {"by_length_without", explain_by_length}};

// The symbols of the formulas in their colours.
struct Symbols {
  Formula s, h, a = script(symbol("a"), word("tj")), context;
  explicit Symbols(const Palette& colours)
      : s(coloured(script(symbol("s"), word("t−1")), colours.query)),
        h(coloured(script(symbol("h"), symbol("j")), colours.key)),
        context(coloured(script(symbol("c"), symbol("t")), colours.output)) {}
};

}  // namespace

Inspection formula_task(const State&, const Palette& colours) {
  const auto [s, h, a, context] = Symbols(colours);
  return {
      .title = "encoder and decoder",
      .lines = {row({h, operation("="), word("[GRU→ | GRU←]"), parenthesised(script(symbol("x"), symbol("j")))}),
                row({script(symbol("s"), symbol("t")), operation("="), word("GRU"),
                     parenthesised(
                         row({word("["), script(symbol("y"), word("t−1")), word(" | "), context, word("], "), s}))})},
      .note =
          "A state is read from the source letter by letter, both ways, and the output is written letter by letter."};
}

Inspection formula_train(const State&, const Palette&) {
  return {.title = "L, the loss",
          .lines = {row({symbol("L"), operation("="), word("−"), fraction(number("1"), symbol("N")), large("∑"),
                         word("ln"), symbol("p"), parenthesised(word("truth"))})},
          .note =
              "Only what is written is marked. That the weights form a line is a consequence; no rule and no "
              "alignment is ever shown to the model."};
}

Inspection formula_inside(const State& state, const Palette& colours) {
  const auto [s, h, a, context] = Symbols(colours);
  if (!state.attention)
    return {.title = "no weights",
            .lines = {row({context, operation("="), symbol("c")})},
            .note = "Each output letter gets the same vector."};
  return {.title = "a, the weights",
          .lines = {score_formula(state, s, h),
                    row({a, operation("="), word("softmax"), parenthesised(script(symbol("e"), symbol("t")))}),
                    row({context, operation("="), large("∑", symbol("j")), a, h})},
          .note = "Each output letter gets a mixture of the encoder’s states of its own."};
}

Inspection formula_without(const State&, const Palette& colours) {
  const auto [s, h, a, context] = Symbols(colours);
  return {.title = "c, what the decoder gets",
          .lines = {row({word("with: "), context, operation("="), large("∑", symbol("j")), a, h}),
                    row({word("without: "), context, operation("="), symbol("c")})},
          .note = "Without attention the source has to fit into a fixed number of numbers, however long it is."};
}

std::optional<Inspection> inspect(const State& state, const Trace& trace, const View& view, const std::string& id) {
  const std::optional<Source> source = parse_cell_id(id);
  const float* value = source ? trace.cell(source->tensor, source->row, source->column) : nullptr;
  if (value == nullptr) return row_at(view.place).formula(state, palette(view.theme));
  const Tensor& tensor = trace.at(source->tensor);
  Inspection made;
  made.title = tensor.name + "[" + shown(label_of(tensor.row_labels, source->row)) + ", " +
               shown(label_of(tensor.column_labels, source->column)) + "]";
  const auto* const found = std::ranges::find(kExplained, tensor.name, &Explained::tensor);
  found->explain({state, trace, palette(view.theme), *source, static_cast<double>(*value)}, made);
  result_line(made, static_cast<double>(*value), true);
  return made;
}

}  // namespace limelight::scenes::train
