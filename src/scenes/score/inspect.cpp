// Score in formulas: where each number comes from, with the numbers in it.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "figure/formula.h"
#include "figure/panels.h"
#include "io/numbers.h"
#include "scenes/common/explain.h"
#include "scenes/score/steps.h"

namespace limelight::scenes::score {
namespace {

Formula short_of(double value) { return number(io::format_short(value, 4)); }

struct Asked : Pointed<State> {
  [[nodiscard]] std::string key() const { return key_names(state)[static_cast<std::size_t>(at.column)]; }
  void from_arrows() const {
    origin("q", 0, colours.query);
    origin("K", at.column, colours.key);
  }
};

Formula q(const Palette& colours) { return coloured(symbol("q"), colours.query); }
Formula k(const Palette& colours) { return coloured(symbol("k"), colours.key); }
Formula q(const Asked& a) { return q(a.colours); }
Formula k(const Asked& a) { return k(a.colours); }
Formula tanh_of(Formula inside) { return row({word("tanh"), parenthesised(std::move(inside))}); }
Formula squared(double value) { return script(short_of(value), nullptr, number("2")); }

void explain_vector(const Asked& a) {
  const bool query = a.at.tensor == "q";
  a.given(script(query ? q(a) : k(a), word(a.at.column == 0 ? "x" : "y")),
          std::string(a.at.column == 0 ? "To the right" : "Upwards") + ", in the plane." + kTyped);
}

void explain_parameter(const Asked& a) {
  a.given(script(symbol("w"), word(std::to_string(a.at.row + 1) + " " + std::to_string(a.at.column + 1))),
          std::string(a.at.tensor == "W" ? "A parameter of the general score, set so that W turns q by 90°."
                                         : "A parameter of the additive score.") +
              " In a model it is learned." + kTyped);
}

void explain_length(const Asked& a) {
  const bool query = a.at.tensor == "length";
  const std::string_view tensor = query ? "q" : "K";
  const int i = query ? 0 : a.at.column;
  a.line({size_of(query ? q(a) : k(a)), operation("="),
          root(row({squared(a.of(tensor, i, 0)), operation("+"), squared(a.of(tensor, i, 1))}))});
  a.result();
  a.made.note = "By Pythagoras: the numbers squared, added up, and the square root of that.";
  a.origin(tensor, i, query ? a.colours.query : a.colours.key);
}

void explain_angle(const Asked& a) {
  const int j = a.at.column;
  if (!has_angle(a.trace, j)) {
    a.line({symbol("θ"), operation("="), word("–")});
    a.made.note = "A vector of length 0 has no angle.";
    return;
  }
  a.line({symbol("θ"), operation("="), word("arccos"),
          parenthesised(fraction(row({q(a), operation("·"), k(a)}), row({size_of(q(a)), size_of(k(a))})))});
  a.line({operation("="), word("arccos"),
          parenthesised(fraction(short_of(a.of("scores", 0, j)), row({short_of(a.of("length", 0, 0)), operation("·"),
                                                                      short_of(a.of("lengths", 0, j))})))});
  a.result();
  a.made.note =
      "In degrees. It takes both lengths, too: the dot product alone ranks keys by their angles only where all are "
      "equally long.";
  a.from_arrows();
}

void explain_shadow(const Asked& a) {
  a.line({fraction(row({q(a), operation("·"), k(a)}), size_of(q(a))), operation("="),
          fraction(short_of(a.of("scores", 0, a.at.column)), short_of(a.of("length", 0, 0)))});
  a.result();
  a.made.note =
      "The projection of the key on the query: how far it reaches along it. Times the query’s length it is the dot "
      "product.";
  a.from_arrows();
}

// What meets the key, number by number: q, or q W.
Formula products(const Asked& a, std::string_view left) {
  std::vector<Term> terms;
  for (int c = 0; c < 2; ++c)
    terms.push_back({static_cast<float>(a.of(left, 0, c)), static_cast<float>(a.of("K", a.at.column, c))});
  return sum_of_products(terms, 2, a.colours.query, a.colours.key);
}

void explain_turned(const Asked& a) {
  const int c = a.at.column;
  std::vector<Term> terms;
  for (int i = 0; i < 2; ++i)
    terms.push_back({static_cast<float>(a.of("q", 0, i)), static_cast<float>(a.of("W", i, c))});
  a.line({q(a), symbol("W"), operation("="), sum_of_products(terms, 2, a.colours.query, a.colours.ink)});
  a.result();
  a.made.note = "The query as W changes it: what meets the keys in the general score.";
  a.origin("q", 0, a.colours.query);
}

void explain_additive(const Asked& a) {
  const int j = a.at.column;
  a.line({symbol("s"), operation("="), symbol("v"), operation("·"),
          tanh_of(row({q(a), script(symbol("W"), word("q")), operation("+"), k(a), script(symbol("W"), word("k"))}))});
  std::vector<Formula> sum{operation("=")};
  for (int h = 0; h < 2; ++h) {
    double inside = 0;
    for (int c = 0; c < 2; ++c) inside += a.of("q", 0, c) * a.of("W_q", c, h) + a.of("K", j, c) * a.of("W_k", c, h);
    if (h > 0) sum.push_back(operation("+"));
    sum.insert(sum.end(), {short_of(a.of("v_a", h, 0)), operation("·"), tanh_of(short_of(inside))});
  }
  a.line(std::move(sum));
  a.made.note = "Bahdanau et al. 2015: a small network scores the pair. tanh keeps each of its units between −1 and 1.";
}

void explain_score(const Asked& a) {
  const int j = a.at.column;
  const double dot = a.of("scores", 0, j);
  const auto dot_line = [&] { a.line({q(a), operation("·"), k(a), operation("="), products(a, "q")}); };
  switch (static_cast<Scorer>(a.at.row)) {
    case Scorer::dot:
      dot_line();
      a.made.note = "Number times number, added up. It grows with both lengths.";
      break;
    case Scorer::scaled:
      a.line({fraction(row({q(a), operation("·"), k(a)}), root(symbol("d"))), operation("="),
              fraction(short_of(dot), root(number("2")))});
      a.made.note = "Vaswani et al. 2017: divided by √d, here √2, so that long vectors do not mean large scores.";
      break;
    case Scorer::cosine:
      if (!has_angle(a.trace, j)) {
        a.made.note = "A vector of length 0 has no angle, hence no cosine. As a score it counts as 0.";
        break;
      }
      a.line({fraction(row({q(a), operation("·"), k(a)}), row({size_of(q(a)), size_of(k(a))})), operation("="),
              fraction(short_of(dot),
                       row({short_of(a.of("length", 0, 0)), operation("·"), short_of(a.of("lengths", 0, j))}))});
      a.made.note = "The angle alone: 1 along, 0 at a right angle, −1 against.";
      break;
    case Scorer::general:
      a.line({q(a), symbol("W"), operation("·"), k(a), operation("="), products(a, "qW")});
      a.made.note = "Luong et al. 2015: W changes the query before it meets the key.";
      break;
    case Scorer::additive:
      explain_additive(a);
      break;
  }
  a.result();
  a.from_arrows();
}

void explain_z(const Asked& a) {
  const int scorer = static_cast<int>(a.state.scorer);
  a.line({symbol("z"), operation("="), fraction(symbol("s"), symbol("T")), operation("="),
          fraction(short_of(a.of("scores", scorer, a.at.column)), short_of(a.state.temperature))});
  a.result();
  a.made.note = "The " + a.trace.at("scores").row_labels[static_cast<std::size_t>(scorer)] +
                " score divided by the temperature T.";
  a.from_arrows();
}

// The threshold of a sparse row, from a weight that is not 0.
double threshold(const Asked& a) {
  const int i = a.at.row, best = winner(a.of("weights"), i);
  const bool sparsemax = static_cast<Weigher>(i) == Weigher::sparsemax;
  return sparsemax ? a.of("z", 0, best) - a.of("weights", i, best)
                   : a.of("z", 0, best) / 2 - std::sqrt(a.of("weights", i, best));
}

void explain_weight(const Asked& a) {
  const int j = a.at.column;
  const double z = a.of("z", 0, j);
  const Formula zj = script(symbol("z"), word(a.key())), tau = symbol("τ");
  switch (static_cast<Weigher>(a.at.row)) {
    case Weigher::softmax: {
      const double top = static_cast<double>(a.of("z").maxCoeff());
      std::vector<Formula> sum;
      for (int i = 0; i < kKeys; ++i) {
        if (i > 0) sum.push_back(operation("+"));
        sum.push_back(short_of(std::exp(a.of("z", 0, i) - top)));
      }
      a.line({symbol("a"), operation("="),
              fraction(row({word("exp"), parenthesised(row({zj, operation("−"), symbol("m")}))}),
                       row({large("∑", symbol("k")), word("exp"),
                            parenthesised(row({script(symbol("z"), symbol("k")), operation("−"), symbol("m")}))}))});
      a.line({operation("="), fraction(short_of(std::exp(z - top)), row(sum))});
      a.made.note = "Ratios of exponentials: never exactly 0. m = " + io::format_short(top) +
                    ", the largest score, changes no weight.";
      break;
    }
    case Weigher::entmax15:
      a.line(
          {symbol("a"), operation("="),
           script(row({word("max"), parenthesised(row({fraction(zj, number("2")), operation("−"), tau, word(", 0")}))}),
                  nullptr, number("2"))});
      a.line({operation("="),
              script(row({word("max"), parenthesised(row({short_of(z / 2), operation("−"),
                                                          parenthesised(short_of(threshold(a))), word(", 0")}))}),
                     nullptr, number("2"))});
      a.made.note =
          "Peters et al. 2019: τ, the threshold, is set so that the weights sum to 1; what lies below it is exactly 0.";
      break;
    case Weigher::sparsemax:
      a.line({symbol("a"), operation("="), word("max"), parenthesised(row({zj, operation("−"), tau, word(", 0")}))});
      a.line({operation("="), word("max"),
              parenthesised(row({short_of(z), operation("−"), parenthesised(short_of(threshold(a))), word(", 0")}))});
      a.made.note =
          "Martins & Astudillo 2016: the point of the triangle nearest to the scores. τ is the threshold: what lies "
          "below "
          "it is exactly 0.";
      break;
    case Weigher::hard:
      a.line({symbol("a"), operation("="), number("1"), word(" for the largest z, else "), number("0")});
      a.made.note = "All or nothing: the first of the largest scores takes it. No gradient flows through it.";
      break;
  }
  a.result();
  a.from_arrows();
}

// ---- the module ----

Formula with_unit(Formula name, int unit) { return script(std::move(name), word(std::to_string(unit))); }
Formula at_position(Formula name, int position, int unit) {
  return script(std::move(name), word(std::to_string(position) + ", " + std::to_string(unit)));
}
Formula encoder(const Asked& a, int position, int unit) {
  return at_position(coloured(symbol("e"), a.colours.input), position, unit);
}

void explain_drawn(const Asked& a) {
  const bool normal = a.at.tensor == "hidden" || a.at.tensor == "encoder";
  a.given(symbol(a.at.tensor.substr(0, 1)),
          "Drawn from the seed " + std::to_string(a.state.seed) +
              (normal ? ", normal with mean 0 and variance 1, as the published example does without a seed."
                      : ", evenly between −1/√128 and 1/√128, as PyTorch’s linear layer starts."));
}

void explain_projected(const Asked& a) {
  const int h = a.at.column;
  std::vector<Term> terms;
  for (int c = 0; c < kUnits; ++c)
    terms.push_back({static_cast<float>(a.of("hidden", 0, c)), static_cast<float>(a.of("linear", c, h))});
  a.line({with_unit(symbol("p"), h), operation("="), symbol("h"), with_unit(symbol("W"), h), operation("+"),
          with_unit(symbol("b"), h)});
  a.line({operation("="), sum_of_products(terms, 3, a.colours.query, a.colours.ink), operation("+"),
          parenthesised(short_of(a.of("bias", 0, h)))});
  a.result();
  a.made.note = "p: the hidden state h after the linear layer, one number for each unit, the same for every position.";
}

void explain_tanh(const Asked& a) {
  const auto [name, i, h] = a.at;
  a.line({at_position(symbol("s"), i, h), operation("="),
          tanh_of(row({with_unit(symbol("p"), h), operation("+"), encoder(a, i, h)}))});
  a.line({operation("="), tanh_of(row({short_of(a.of("projected", 0, h)), operation("+"),
                                       parenthesised(short_of(a.of("encoder", i, h)))}))});
  a.result();
  a.made.note =
      "The score of one hidden unit at one position. p: the hidden state after the linear layer; e: the encoder "
      "output. "
      "No sum over the units, so no two vectors are compared.";
}

void explain_unit_weight(const Asked& a) {
  const bool chosen = a.at.tensor == "unit";
  const int i = chosen ? a.at.column : a.at.row, h = chosen ? a.state.unit : a.at.column;
  double sum = 0;
  for (int p = 0; p < kPositions; ++p) sum += std::exp(a.of("tanh", p, h));
  a.line({at_position(symbol("a"), i, h), operation("="),
          fraction(row({word("exp"), parenthesised(at_position(symbol("s"), i, h))}),
                   row({large("∑", symbol("i")), word("exp"),
                        parenthesised(script(symbol("s"), row({symbol("i"), word(", " + std::to_string(h))})))}))});
  a.line({operation("="), fraction(row({word("exp"), parenthesised(short_of(a.of("tanh", i, h)))}), short_of(sum))});
  a.result();
  a.made.note =
      "Softmax over the 10 positions, for unit " + std::to_string(h) + " alone: each unit’s weights sum to 1.";
}

void explain_sum(const Asked& a) {
  const int i = a.at.column;
  a.line({large("∑", symbol("u")), script(symbol("a"), row({word(std::to_string(i) + ", "), symbol("u")}))});
  a.line({operation("="), row(listed(a.of("unit_weights").row(i), 4))});
  a.result();
  a.made.note =
      "The published example’s bar: the weights of this position, added up over the 128 hidden units u. Divided by 128 "
      "it would be their mean, and the bars would sum to 1.";
}

void explain_total(const Asked& a) {
  a.line({operation("="), row(listed(a.of("sums"), kPositions))});
  a.result();
  a.made.note = "128 units, each with weights that sum to 1.";
}

void explain_context(const Asked& a) {
  const int h = a.at.column;
  const bool average = a.at.tensor == "average";
  std::vector<Term> terms;
  for (int i = 0; i < kPositions; ++i)
    terms.push_back(
        {average ? 0.1F : static_cast<float>(a.of("unit_weights", i, h)), static_cast<float>(a.of("encoder", i, h))});
  a.line({with_unit(coloured(symbol("c"), a.colours.output), h), operation("="), large("∑", symbol("i")),
          average ? fraction(number("1"), number("10"))
                  : script(symbol("a"), row({symbol("i"), word(", " + std::to_string(h))})),
          coloured(script(symbol("e"), row({symbol("i"), word(", " + std::to_string(h))})), a.colours.input)});
  a.line({operation("="), sum_of_products(terms, 2, a.colours.ink, a.colours.input)});
  a.result();
  a.made.note = average ? "With the same weight for every position."
                        : "The step that the module leaves out: encoder outputs, mixed by their weights.";
}

struct Explanation {
  std::string_view tensor;
  void (*explain)(const Asked&);
};
constexpr Explanation kExplanations[] = {
    {"q", explain_vector},
    {"K", explain_vector},
    {"W", explain_parameter},
    {"W_q", explain_parameter},
    {"W_k", explain_parameter},
    {"v_a", explain_parameter},
    {"qW", explain_turned},
    {"length", explain_length},
    {"lengths", explain_length},
    {"angles", explain_angle},
    {"shadows", explain_shadow},
    {"scores", explain_score},
    {"z", explain_z},
    {"weights", explain_weight},
    {"hidden", explain_drawn},
    {"encoder", explain_drawn},
    {"linear", explain_drawn},
    {"bias", explain_drawn},
    {"projected", explain_projected},
    {"tanh", explain_tanh},
    {"unit_weights", explain_unit_weight},
    {"unit", explain_unit_weight},
    {"sums", explain_sum},
    {"total", explain_total},
    {"context", explain_context},
    {"average", explain_context},
};

}  // namespace

// ---- while no number is looked at: the step's own formula ----

Inspection formula_arrows(const Palette& colours) {
  const Formula dot = row({q(colours), operation("·"), k(colours)});
  return {
      .title = "dot product and angle",
      .lines = {row({dot, operation("="), size_of(q(colours)), operation("·"), size_of(k(colours)), operation("·"),
                     word("cos"), symbol("θ")})},
      .note =
          "Drag the tip of an arrow, or change its numbers: double-click and type. Point at any number to see where it "
          "comes from; click or tap to keep it."};
}

Inspection formula_scores(const Palette& colours) {
  return {
      .title = "five scores",
      .lines = {row(
          {symbol("s"), operation("="), symbol("f"), parenthesised(row({q(colours), word(", "), k(colours)}))})},
      .note =
          "Each takes a query and a key and gives one number. Click a score’s name to make weights of it in the next "
          "step. The numbers of the matrices can be changed."};
}

Inspection formula_weights(const Palette& /*colours*/) {
  return {.title = "scores become weights",
          .lines = {row({script(symbol("a"), symbol("j")), operation("≥"), number("0")}),
                    row({large("∑", symbol("j")), script(symbol("a"), symbol("j")), operation("="), number("1")})},
          .note = "Every row of weights is a point of the triangle whose corners are the three keys."};
}

Inspection formula_module(const Palette& colours) {
  return {
      .title = "the module’s scores",
      .lines = {row({script(symbol("s"), symbol("i")), operation("="),
                     tanh_of(row({symbol("h"), symbol("W"), operation("+"), symbol("b"), operation("+"),
                                  script(coloured(symbol("e"), colours.input), symbol("i"))}))})},
      .note =
          "An encoder output e is a vector of 128 numbers, the hidden units, for one of 10 positions i. The hidden "
          "state h has 128 numbers, too: those of the word that asks. Odd: no sum over the units, so no two vectors "
          "are compared. All is drawn from the seed, whichever example is chosen."};
}

Inspection formula_sums(const Palette& /*colours*/) {
  return {.title = "why 128",
          .lines = {row({large("∑", symbol("u")), large("∑", symbol("i")), script(symbol("a"), symbol("i u")),
                         operation("="), large("∑", symbol("u")), number("1"), operation("="), number("128")})},
          .note =
              "A hidden unit u is one of the 128 numbers of a position. The softmax runs over the positions i for each "
              "unit on its own: where attention usually has one weight for a position, this module has 128 of them."};
}

Inspection formula_context(const Palette& colours) {
  return {
      .title = "the context that is missing",
      .lines = {row({script(coloured(symbol("c"), colours.output), symbol("u")), operation("="),
                     large("∑", symbol("i")), script(symbol("a"), symbol("i u")),
                     script(coloured(symbol("e"), colours.input), symbol("i u"))})},
      .note =
          "For each hidden unit u. Line: the plain average of the encoder outputs, where every position i weighs 1/10. "
          "The context lies above it: within a unit a larger output gets a larger weight."};
}

std::optional<Inspection> inspect(const State& state, const Trace& trace, const View& view, const std::string& id) {
  Inspection made;
  const Asked asked{{{state, trace}, parse_cell_id(id).value_or(Source{}), palette(view.theme), made}};
  const auto* found = std::ranges::find(kExplanations, asked.at.tensor, &Explanation::tensor);
  if (found == std::end(kExplanations) || trace.cell(asked.at.tensor, asked.at.row, asked.at.column) == nullptr)
    return row_at(view.place).formula(asked.colours);
  made.title = title_of(trace, asked.at);
  found->explain(asked);
  return made;
}

}  // namespace limelight::scenes::score
