// What the inspector says of Caption's numbers: each as the expression that made it, with the numbers in it.
#include <algorithm>
#include <cmath>

#include "io/numbers.h"
#include "learn/caption_steps.h"
#include "scenes/caption/steps.h"
#include "scenes/common/explain.h"

namespace limelight::scenes::caption {
namespace {

using namespace figure;

struct Asked : Pointed<State> {
  [[nodiscard]] std::string word(int t) const { return quoted(label_of(words_in(trace, "chosen"), t)); }
  [[nodiscard]] std::string place(int cell) const { return place_of(cell, state.side()); }
  [[nodiscard]] int t() const { return word_row(state, trace); }
};

void explain_pixel(Asked& a) {
  using learn::pictures::kSide;
  static constexpr std::string_view colours[] = {"red", "green", "blue"};
  a.given("How much " + std::string(colours[a.at.column]) + " there is in the pixel at " +
          std::to_string(a.at.row % kSide) + ", " + std::to_string(a.at.row / kSide) +
          ", counted from the left and the top, from 0 to 1. The models see these numbers.");
}

void explain_feature(Asked& a) {
  const learn::captions::Seen seen = learn::captions::seen_by(a.state.side(), a.at.row);
  a.given("Feature " + std::to_string(a.at.column + 1) + " of the cell at " + a.place(a.at.row) +
          ": three convolutions and two layers make it, with ReLU, so that it is never below 0. The cell "
          "sees the pixels " +
          std::to_string(seen.left) + " to " + std::to_string(seen.right - 1) + " across and " +
          std::to_string(seen.top) + " to " + std::to_string(seen.bottom - 1) + " down.");
}

void explain_channel(Asked& a) {
  const int feature = static_cast<int>(std::min<Eigen::Index>(a.state.feature, a.trace.at("features").columns())) - 1;
  a.made.lines = {
      row({a.cell(), operation("="), coloured(cell_of("features", a.at.column, feature), a.colours.value)})};
  a.made.note = "One feature, drawn for all cells; this is the cell at " + a.place(a.at.column) + ".";
  a.result();
}

void explain_state(Asked& a) {
  if (a.at.row == 0)
    return a.given("The decoder’s first state: a small network makes it of " +
                   std::to_string(learn::captions::kSummary) +
                   " numbers of every cell, side by side, squashed by tanh. Xu et al. 2015 (section 3.1.2) "
                   "take the mean of all cells instead, which hardly says how many things there are.");
  const int t = a.at.row - 1, k = a.at.column;
  const Formula u = symbol("u");
  a.made.lines = {
      row({a.cell(), operation("="), parenthesised(row({number("1"), operation("−"), u})), operation("·"), symbol("n"),
           operation("+"), u, operation("·"), script(symbol("s"), word("before"))}),
      row({operation("="), parenthesised(row({number("1"), operation("−"), value_of(a.of("update", t, k))})),
           operation("·"), factor_of(a.of("new", t, k)), operation("+"), value_of(a.of("update", t, k)), operation("·"),
           factor_of(a.of("s", t, k))})};
  a.made.note = "A gated recurrent unit keeps the share u of its state and takes the rest anew (Cho et al. 2014).";
  a.result();
}

void explain_product_of(Asked& a, std::string_view left, int left_row, std::string_view right, Colour left_colour,
                        Colour right_colour, const std::string& note) {
  const std::vector<Term> terms = terms_of(a.trace.at(left), left_row, a.trace.at(right), a.at.column, false);
  a.made.lines = {row({a.cell(), operation("="), coloured(name_of_tensor(left), left_colour), operation("·"),
                       coloured(name_of_tensor(right), right_colour)}),
                  row({operation("="), sum_of_products(terms, 2, left_colour, right_colour)})};
  a.result();
  add_origin(a.made, a.trace, left, left_row, false, left_colour);
  add_origin(a.made, a.trace, right, a.at.column, true, right_colour);
  a.made.note = note;
}

void explain_sum(Asked& a) {
  a.made.lines = {row({a.cell(), operation("="), coloured(cell_of("query", a.t(), a.at.column), a.colours.query),
                       operation("+"), coloured(cell_of("keys", a.at.row, a.at.column), a.colours.key)}),
                  row({operation("="), value_of(a.of("query", a.t(), a.at.column)), operation("+"),
                       factor_of(a.of("keys", a.at.row, a.at.column))})};
  a.made.note =
      "What the state asks before " + a.word(a.t()) + ", and what the cell at " + a.place(a.at.row) + " offers.";
  a.result();
}

void explain_tanh(Asked& a) {
  a.made.lines = {row({a.cell(), operation("="), word("tanh"), parenthesised(cell_of("sum", a.at.row, a.at.column))}),
                  row({operation("="), word("tanh"), parenthesised(value_of(a.of("sum", a.at.row, a.at.column)))})};
  a.result();
}

void explain_term(Asked& a) {
  a.made.lines = {row({a.cell(), operation("="), cell_of("v_a", a.at.column, 0), operation("·"),
                       cell_of("tanh", a.at.row, a.at.column)}),
                  row({operation("="), value_of(a.of("v_a", a.at.column, 0)), operation("·"),
                       factor_of(a.of("tanh", a.at.row, a.at.column))})};
  a.made.note = "One of the " + std::to_string(a.trace.at("v_a").rows()) +
                " terms that sum to the score of the cell at " + a.place(a.at.row) + ".";
  a.result();
}

void explain_score(Asked& a) {
  const Tensor& query = a.trace.at("query");
  const Tensor& keys = a.trace.at("keys");
  const Tensor& v = a.trace.at("v_a");
  std::vector<Term> terms;
  for (int k = 0; k < v.rows(); ++k)
    terms.push_back({v.values(k, 0), std::tanh(query.values(a.at.row, k) + keys.values(a.at.column, k))});
  const bool warm = a.state.temperature != 1;
  const Formula products = sum_of_products(terms, 2, a.colours.ink, a.colours.ink);
  a.made.lines = {row({a.cell(), operation("="), symbol("v"), operation("·"), word("tanh"),
                       parenthesised(row({coloured(symbol("s"), a.colours.query), symbol("W"), operation("+"),
                                          coloured(symbol("g"), a.colours.value), symbol("U")}))}),
                  row({operation("="), warm ? parenthesised(products) : products})};
  if (warm) a.made.lines.push_back(row({operation("÷"), value_of(a.state.temperature, 2)}));
  a.made.note = "How well the cell at " + a.place(a.at.column) + " fits what the decoder looks for before it writes " +
                a.word(a.at.row) + (warm ? ", divided by the temperature" : "") +
                " (Bahdanau et al. 2015, appendix A.1.2; Xu et al. 2015, eq. 4).";
  a.result();
  add_origin(a.made, a.trace, "query", a.at.row, false, a.colours.query);
  add_origin(a.made, a.trace, "keys", a.at.column, false, a.colours.key);
}

void explain_softmax(Asked& a, const Tensor& scores, int t, Eigen::Index k, const std::string& letter,
                     std::string_view what, const std::string& note) {
  const double own = static_cast<double>(scores.values(t, k)),
               most = static_cast<double>(scores.values.row(t).maxCoeff());
  double sum = 0;
  for (const float score : scores.values.row(t)) sum += std::exp(static_cast<double>(score) - most);
  const Formula e = symbol(letter);
  a.made.lines = {row({a.cell(), operation("="),
                       fraction(row({word("exp"), parenthesised(script(e, symbol("i")))}),
                                row({large("∑", symbol("j")), word("exp"), parenthesised(script(e, symbol("j")))}))}),
                  row({operation("="), fraction(value_of(std::exp(own - most)), value_of(sum))})};
  a.made.note = note + " The largest " + std::string(what) + ", " + fixed(most) +
                ", was subtracted first, which changes nothing.";
  a.result();
}

void explain_weight(Asked& a) {
  const Tensor& scores = a.trace.at("scores");
  const double even = 1.0 / scores.columns();
  explain_softmax(
      a, scores, a.at.row, a.at.column, "e",
      a.state.temperature == 1 ? "score" : "score, already divided by the temperature",
      "The share of " + a.word(a.at.row) + "’s attention that the cell at " + a.place(a.at.column) +
          " gets; spread evenly each cell would get " + io::format_percent(even) + "." +
          (a.state.attention == Gaze::hard ? " Hard attention takes it as a chance: one cell is chosen." : ""));
}

void explain_side(Asked& a) {
  const bool soft = a.at.tensor == "weights_soft";
  const std::string word = quoted(label_of(a.trace.at(a.at.tensor).row_labels, a.at.row));
  a.given(std::string("What the ") + (soft ? "soft" : "hard") + " model gives the cell at " + a.place(a.at.column) +
          " for " + word + (soft ? ": a share of its context." : ": the chance that it looks there."));
}

void explain_entropy(Asked& a) {
  a.made.lines = {row({a.cell(), operation("="), operation("−"), large("∑", symbol("i")),
                       script(symbol("α"), symbol("i")), word("ln"), script(symbol("α"), symbol("i"))})};
  a.made.note = "In nats: 0 when all the weight is on one cell, " +
                fixed(std::log(static_cast<double>(a.state.side() * a.state.side())), 2) +
                " when it is even over all cells.";
  a.result();
}

void explain_weighted(Asked& a) {
  const int t = a.t();
  const Formula feature = coloured(cell_of("features", a.at.row, a.at.column), a.colours.value);
  if (a.state.attention == Gaze::hard) {
    const double share = static_cast<int>(a.of("look", 0, t)) == a.at.row ? 1 : 0;
    a.made.lines = {row({a.cell(), operation("="), number(whole(share)), operation("·"), feature}),
                    row({operation("="), number(whole(share)), operation("·"),
                         factor_of(a.of("features", a.at.row, a.at.column))})};
    a.made.note = "Hard attention takes one cell whole and no other.";
  } else {
    a.made.lines = {row({a.cell(), operation("="), cell_of("weights", t, a.at.row), operation("·"), feature}),
                    row({operation("="), value_of(a.of("weights", t, a.at.row)), operation("·"),
                         factor_of(a.of("features", a.at.row, a.at.column))})};
    a.made.note = "The Hadamard product: every number of the cell’s features times the cell’s weight.";
  }
  a.result();
}

void explain_context(Asked& a) {
  if (a.state.attention == Gaze::soft)
    return explain_product_of(a, "weights", a.at.row, "features", a.colours.ink, a.colours.value,
                              "The features of all cells, mixed by the weights of " + a.word(a.at.row) + ".");
  const int place = static_cast<int>(a.of("look", 0, a.at.row));
  a.made.lines = {row({a.cell(), operation("="), coloured(cell_of("features", place, a.at.column), a.colours.value)})};
  a.made.note =
      "Hard attention: the features of the one cell that " + a.word(a.at.row) + " looks at, " + a.place(place) + ".";
  a.result();
}

void explain_logit(Asked& a) {
  const int size = a.trace.at("s").columns() + a.trace.at("context").columns();
  a.made.lines = {row({a.cell(), operation("="), word("["), symbol("s"), word("|"), symbol("z"), word("]"),
                       operation("·"), symbol("w"), operation("+"), symbol("b")})};
  a.made.note = "A learned column w for each word: a sum of " + std::to_string(size) +
                " products of the next state and the context.";
  a.result();
}

void explain_probability(Asked& a, int t, const std::string& of) {
  const Tensor& logits = a.trace.at("logits");
  const auto k = std::ranges::find(logits.column_labels, of) - logits.column_labels.begin();
  explain_softmax(a, logits, t, k, "l", "logit",
                  "How likely the decoder finds " + quoted(of) + " as word " + std::to_string(t + 1) + ", of " +
                      std::to_string(logits.columns()) + ".");
}

void explain_look(Asked& a) {
  const std::string word = quoted(label_of(a.trace.at(a.at.tensor).column_labels, a.at.column));
  a.given("The one cell that hard attention looks at for " + word + ", " + a.place(static_cast<int>(a.value())) +
          "; cells count from 0, line by line.");
}

// ∂ ln α(i_t) / ∂ v
Formula score_gradient() {
  return row({word("∂ ln"), symbol("α"), parenthesised(script(symbol("i"), symbol("t"))), word("/ ∂"), symbol("v")});
}

void explain_variance(Asked& a) {
  static constexpr std::string_view notes[] = {
      "How far one draw’s estimate scatters: the sample variance, summed over the numbers of v. The fewer, the fewer "
      "draws training needs.",
      "The length of the mean of all draws’ estimates: of the gradient of the lower bound on ln p(y).",
      "The root of the variance over the number of draws: how far that mean may be off."};
  if (a.at.column == 2) {
    a.made.lines = {
        row({a.cell(), operation("="),
             root(fraction(value_of(a.of("variance", a.at.row, 0)), number(std::to_string(drawn(a.trace)))))})};
    a.made.note = notes[2];
    return a.result();
  }
  if (a.at.column == 0) {
    const Formula estimate = script(symbol("G"), symbol("d"));
    a.made.lines = {
        row({a.cell(), operation("="), fraction(number("1"), row({symbol("N"), operation("−"), number("1")})),
             large("∑", symbol("d")), word("|"), estimate, operation("−"), word("mean|²")}),
        row({symbol("G"), operation("="), large("∑", symbol("t")),
             parenthesised(row({script(symbol("R"), symbol("t")), operation("−"), script(symbol("b"), symbol("t"))})),
             score_gradient()})};
    a.made.note = notes[0];
    return a.result();
  }
  a.given(std::string(notes[a.at.column]));
}

void explain_tensor(Asked& a) {
  const std::string& name = a.at.tensor;
  using Explain = void (*)(Asked&);
  struct Row {
    std::string_view tensor;
    Explain explain;
  };
  static constexpr Row rows[] = {{"picture", explain_pixel},
                                 {"features", explain_feature},
                                 {"channel", explain_channel},
                                 {"s", explain_state},
                                 {"sum", explain_sum},
                                 {"tanh", explain_tanh},
                                 {"terms", explain_term},
                                 {"scores", explain_score},
                                 {"weights", explain_weight},
                                 {"weights_soft", explain_side},
                                 {"weights_hard", explain_side},
                                 {"entropy", explain_entropy},
                                 {"entropy_soft", explain_entropy},
                                 {"entropy_hard", explain_entropy},
                                 {"weighted", explain_weighted},
                                 {"context", explain_context},
                                 {"logits", explain_logit},
                                 {"look", explain_look},
                                 {"look_hard", explain_look},
                                 {"variance", explain_variance}};
  if (const auto* found = std::ranges::find(rows, name, &Row::tensor); found != std::end(rows))
    return found->explain(a);
  if (name == "query")
    return explain_product_of(a, "s", a.at.row, "W", a.colours.query, a.colours.ink,
                              "What the state before " + a.word(a.at.row) + " asks.");
  if (name == "keys")
    return explain_product_of(a, "shown", a.at.row, "U", a.colours.value, a.colours.ink,
                              "What the cell at " + a.place(a.at.row) + " offers; the same for every word.");
  if (name == "probabilities")
    return explain_probability(a, a.at.row, label_of(a.trace.at(name).column_labels, a.at.column));
  if (name == "chosen") return explain_probability(a, a.at.column, label_of(words_in(a.trace, name), a.at.column));
  struct Said {
    std::string_view tensor, text;
  };
  static constexpr Said said[] = {
      {"at",
       "The centre of an object, in pixels from the left (x) or from the top (y), 0 to 64. Double-click to type "
       "another number, or drag the object."},
      {"own", "1 when the picture of your own is there; a link holds only its name."},
      {"record", "The share of held-out pictures of which every word came out right, as measured after training."},
      {"shown",
       "What the cell itself shows, a mean over it of the first convolution, and after those numbers where it lies, as "
       "it was learned. Xu et al. 2015 score cells by their features a."},
      {"truth", "A word of the world’s own caption, which was made of the objects, not of the pixels."},
      {"gold", "1 where the cell belongs to an object that the word speaks of. The models never saw this."},
      {"reset", "r, a gate between 0 and 1: how much of the state before counts for the new one."},
      {"update", "u, a gate between 0 and 1: how much of the state before is kept."},
      {"new", "n, between −1 and 1: what would take the place of the state before."},
      {"chosen_soft", "How likely the soft model found the word that it wrote."},
      {"chosen_hard", "How likely the hard model found the word that it wrote."},
      {"chosen_forced", "How likely it found this word when it had to look where you point."},
      {"captions", "How many of the draws said this."},
      {"glimpses", "The share of the draws that looked at this cell for the word at this place of the caption."}};
  const auto* found = std::ranges::find(said, name, &Said::tensor);
  a.given(found != std::end(said) ? std::string(found->text)
                                  : "Learned from pictures and their captions; nothing told it where to look.");
}

// The formulas that the steps are made of.
struct Formulas {
  Formula z, cell, soft, hard, score, weight, context, next;
  Formulas(const State& state, const Palette& colours) {
    const Formula e = script(symbol("e"), symbol("t i")), alpha = script(symbol("α"), symbol("t i"));
    const Formula s = coloured(script(symbol("s"), symbol("t−1")), colours.query);
    cell = coloured(script(symbol("a"), symbol("i")), colours.value);
    const Formula shown = coloured(script(symbol("g"), symbol("i")), colours.value);
    z = coloured(script(symbol("z"), symbol("t")), colours.output);
    const Formula fit = row({symbol("v"), operation("·"), word("tanh"),
                             parenthesised(row({s, symbol("W"), operation("+"), shown, symbol("U")}))});
    score = row({e, operation("="), state.temperature == 1 ? fit : fraction(fit, value_of(state.temperature, 2))});
    weight = row({alpha, operation("="), word("softmax"), parenthesised(e)});
    soft = row({z, operation("="), large("∑", symbol("i")), alpha, cell});
    hard = row({z, operation("="), cell, word(" of one i, with the chance "), alpha});
    context = state.attention == Gaze::soft ? soft : hard;
    next = row({coloured(script(symbol("s"), symbol("t")), colours.query), operation("="), word("GRU"),
                parenthesised(row({script(symbol("y"), symbol("t−1")), word(", "), z, word(", "), s}))});
  }
};

Inspection pointing(std::string_view title, std::vector<Formula> lines) {
  return {.title = std::string(title),
          .lines = std::move(lines),
          .note = "Point at any cell to see where its number comes from; click or tap to keep it."};
}

}  // namespace

Inspection formula_picture(const State& state, const Palette& colours) {
  const Formulas f(state, colours);
  return pointing("soft and hard", {f.soft, f.hard});
}

Inspection formula_grid(const State& state, const Palette& colours) {
  const Formulas f(state, colours);
  return pointing("features of the cells",
                  {row({f.cell, operation("="), word("CNN"), parenthesised(word("pixels that cell i sees"))})});
}

Inspection formula_scores(const State& state, const Palette& colours) {
  Inspection made = pointing("alignment scores", {Formulas(state, colours).score});
  made.note = "g: what a cell shows and where it lies. " +
              std::string(state.temperature == 1 ? "" : "Divided by the temperature. ") + made.note;
  return made;
}

Inspection formula_weights(const State& state, const Palette& colours) {
  const Formulas f(state, colours);
  return pointing("attention weights", {f.score, f.weight});
}

Inspection formula_context(const State& state, const Palette& colours) {
  const Formulas f(state, colours);
  return pointing("the context", {f.weight, f.context});
}

Inspection formula_word(const State& state, const Palette& colours) {
  const Formulas f(state, colours);
  return pointing("the next word", {f.score, f.weight, f.context, f.next});
}

Inspection formula_draws(const State&, const Palette&) {
  return {.title = "the gradient, estimated",
          .lines = {row(
              {word("∂ L / ∂ v"), operation("≈"), large("∑", symbol("t")),
               parenthesised(row({script(symbol("R"), symbol("t")), operation("−"), script(symbol("b"), symbol("t"))})),
               score_gradient()})},
          .note =
              "L, the mean of ln p(y | i_1, i_2, …) over the cells that are drawn, is never above ln p(y): a lower "
              "bound, which training raises in its place (Xu et al. 2015, section 4.1). REINFORCE (Williams 1992): "
              "what was drawn has no derivative, its chance α has. R: the log-likelihood of the words that a choice "
              "can still change."};
}

Inspection formula_force(const State& state, const Palette& colours) {
  return pointing("attention, forced", {row({Formulas(state, colours).z, operation("="),
                                             coloured(script(symbol("a"), word("your cell")), colours.value)})});
}

std::optional<Inspection> inspect(const State& state, const Trace& trace, const View& view, const std::string& id) {
  const std::optional<Source> source = parse_cell_id(id);
  if (!source || trace.cell(source->tensor, source->row, source->column) == nullptr)
    return row_at(view.place).formula(state, palette(view.theme));
  Inspection made{.title = title_of(trace, *source)};
  Asked asked{{{state, trace}, *source, palette(view.theme), made}};
  explain_tensor(asked);
  return made;
}

}  // namespace limelight::scenes::caption
