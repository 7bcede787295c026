// Where Scale's numbers come from: the inspector's formulas with the numbers in them.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "figure/formula.h"
#include "scenes/scale/steps.h"

namespace limelight::scenes::scale {
namespace {

using namespace figure;

Formula fixed(double value, int decimals = 3) { return number(io::format_fixed(value, decimals)); }
Formula indexed(std::string_view name, int index) { return script(symbol(name), word(std::to_string(index + 1))); }

// "= 0.5" where six digits are all of it, "≈ 0.300045" otherwise.
Formula result(double value) {
  const double unit = value * 1e6;
  const bool exact = !std::isfinite(value) || std::abs(unit - std::round(unit)) <= 1e-7 * std::max(1., std::abs(unit));
  return row({operation(exact ? "=" : "≈"), number(whole(value))});
}

// The parts, then what they come to.
enum class From { exact, rounded };  // whether the parts are shown to all their digits
Formula equation(std::vector<Formula> parts, double value, From from = From::exact) {
  parts.push_back(from == From::exact ? result(value) : row({operation("≈"), number(whole(value))}));
  return row(std::move(parts));
}

struct Asked {
  const State& state;
  const Trace& trace;
  const Palette& colours;
  const Source& source;
  double value;

  [[nodiscard]] Told told() const { return {state, trace}; }
  [[nodiscard]] Formula q() const { return coloured(symbol("q"), colours.query); }
  [[nodiscard]] Formula k() const { return coloured(symbol("k"), colours.key); }
};

void explain_entries(const Asked& c, Inspection& made) {
  const int i = c.source.column;
  const auto entry = [&](int row) { return c.told().at("entries", row, i); };
  if (c.source.row < 2) {
    const bool query = c.source.row == 0;
    made.lines.push_back(
        equation({coloured(indexed(query ? "q" : "k", i), query ? c.colours.query : c.colours.key)}, c.value));
    made.note =
        "Drawn at random: normal, mean 0, standard deviation " + brief(query ? c.state.sigma_q : c.state.sigma_k) + ".";
    return;
  }
  made.lines.push_back(
      row({coloured(indexed("q", i), c.colours.query), operation("·"), coloured(indexed("k", i), c.colours.key)}));
  made.lines.push_back(equation({operation("="), coloured(fixed(entry(0)), c.colours.query), operation("·"),
                                 coloured(fixed(entry(1)), c.colours.key)},
                                c.value, From::rounded));
  made.note =
      "One of the d products that the score is the sum of: mean 0, standard deviation " + brief(c.state.spread()) + ".";
}

void explain_running(const Asked& c, Inspection& made) {
  const int i = c.source.column;
  made.lines.push_back(row({large("∑", symbol("i"), number(std::to_string(i + 1))), script(c.q(), symbol("i")),
                            script(c.k(), symbol("i"))}));
  const double before = i > 0 ? c.told().at("running", 0, i - 1) : 0;
  made.lines.push_back(
      equation({operation("="), fixed(before), operation("+"), parenthesised(fixed(c.told().at("entries", 2, i)))},
               c.value, From::rounded));
  made.note = "After " + std::to_string(i + 1) + " of " + std::to_string(c.state.d) +
              " entries the sum is typically ±" + brief(c.state.spread() * std::sqrt(i + 1.)) + ".";
}

void explain_spread(const Asked& c, Inspection& made) {
  const Told t = c.told();
  const double pairs = t.at("spread", 0, Spread::pairs);
  const Formula N = symbol("N"), sigma = symbol("σ"), x = symbol("x");
  switch (c.source.column) {
    case Spread::measured:
      made.lines.push_back(row({sigma, operation("="),
                                root(row({fraction(row({large("∑"), script(x, nullptr, number("2"))}), N),
                                          operation("−"), script(word("mean"), nullptr, number("2"))}))}));
      made.lines.push_back(row(
          {N, operation("="), number(brief(pairs, 6)), word(" pairs, mean "), fixed(t.at("spread", 0, Spread::mean))}));
      made.lines.push_back(equation({sigma}, c.value));
      break;
    case Spread::expected:
      made.lines.push_back(row({sigma, operation("="), script(symbol("σ"), symbol("q")),
                                script(symbol("σ"), symbol("k")), root(symbol("d"))}));
      made.lines.push_back(
          equation({operation("="), number(brief(c.state.sigma_q)), operation("·"), number(brief(c.state.sigma_k)),
                    operation("·"), root(number(std::to_string(c.state.d)))},
                   c.value));
      made.note = "The variances of independent products add up: d of them make d times the variance.";
      break;
    case Spread::sampling_error:
      made.lines.push_back(
          equation({sigma, root(fraction(row({number("2"), operation("+"), fraction(number("6"), symbol("d"))}),
                                         row({number("4"), N})))},
                   c.value));
      made.note = "How far the measured deviation is off by chance alone, typically.";
      break;
    case Spread::mean:
      made.lines.push_back(equation({fraction(row({large("∑"), x}), N)}, c.value));
      break;
    case Spread::beyond:
      made.lines.push_back(
          equation({fraction(number(brief(std::round(c.value * pairs), 6)), number(brief(pairs, 6)))}, c.value));
      made.note = "The share of pairs whose q·k lies beyond the histogram's axis.";
      break;
    default:
      made.lines.push_back(equation({N}, c.value));
      made.note = pairs > 2000
                      ? "Drawn whole, number by number."
                      : "Drawn by length: given q, q·k is normal with the deviation |q| σ_k, so that a length and "
                        "one normal number stand for all of both vectors. Exact, and fast.";
  }
}

void explain_histogram(const Asked& c, Inspection& made) {
  const double pairs = c.told().at("spread", 0, Spread::pairs), width = 2 * half_width(c.state) / kBins;
  made.lines.push_back(
      row({fraction(word("pairs in this column"), row({word("all pairs"), operation("·"), word("width")}))}));
  made.lines.push_back(
      equation({operation("="), fraction(number(brief(std::round(c.value * pairs * width), 6)),
                                         row({number(brief(pairs, 6)), operation("·"), number(brief(width))}))},
               c.value));
  made.note = "Divided by the width, so that all columns together have the area 1 and compare with a density.";
}

void explain_density(const Asked& c, Inspection& made) {
  const double x = c.told().at("density", 0, c.source.column);
  const Formula X = symbol("x"), size = row({word("|"), X, word("|")}), nu = symbol("ν"), two = number("2");
  if (c.source.row == 0) {
    made.lines.push_back(equation({X}, c.value));
  } else if (c.source.row == 1) {
    made.lines.push_back(
        row({fraction(row({script(size, nullptr, nu), script(symbol("K"), nu), parenthesised(size)}),
                      row({root(symbol("π")), script(two, nullptr, nu), word("Γ"),
                           parenthesised(row({symbol("d"), operation("/"), two}))})),
             word(","), nu, operation("="), fraction(row({symbol("d"), operation("−"), number("1")}), two)}));
    made.lines.push_back(equation({symbol("f"), parenthesised(number(brief(x)))}, c.value));
    made.note =
        "The variance-gamma density of a sum of d products of normal numbers; K is the modified Bessel function.";
    if (c.state.spread() != 1) made.note += " Here x is q·k ÷ " + brief(c.state.spread()) + ", that is σ_q σ_k.";
  } else {
    made.lines.push_back(
        row({fraction(number("1"), row({symbol("σ"), root(row({two, symbol("π")}))})), word("exp"),
             parenthesised(
                 row({word("−"), fraction(script(X, nullptr, two), row({two, script(symbol("σ"), nullptr, two)}))}))}));
    made.lines.push_back(equation({operation("="), symbol("f"), parenthesised(number(brief(x)))}, c.value));
    made.note =
        "The normal density with the same deviation: what the sum tends to as d grows (the central limit theorem).";
  }
}

void explain_scores(const Asked& c, Inspection& made) {
  const int key = c.source.column;
  made.lines.push_back(
      row({indexed("s", key), operation("="), c.q(), operation("·"), script(c.k(), word(std::to_string(key + 1))),
           operation("="), large("∑", symbol("i")), script(c.q(), symbol("i")), script(c.k(), symbol("i"))}));
  made.lines.push_back(equation({indexed("s", key)}, c.value));
  made.note = "The query with key " + std::to_string(key + 1) + ": " + std::to_string(c.state.d) +
              " products, typically ±" + brief(c.state.deviation()) + ".";
}

void explain_weights(const Asked& c, Inspection& made) {
  const Told t = c.told();
  const int way = c.source.row, key = c.source.column;
  const double divisor = divisors(c.state.power, c.state.d)[static_cast<std::size_t>(way)] * c.state.temperature;
  const Matrix scores = c.trace.at("scores").values / static_cast<float>(divisor);
  const double score = t.at("scores", 0, key);
  made.lines.push_back(equation({indexed("z", key), operation("="), fraction(fixed(score, 2), number(brief(divisor)))},
                                scores(0, key), From::rounded));
  made.lines.push_back(
      row({indexed("a", key), operation("="),
           fraction(row({word("exp"), parenthesised(row({indexed("z", key), operation("−"), symbol("m")}))}),
                    row({large("∑", symbol("j")), word("exp"),
                         parenthesised(row({script(symbol("z"), symbol("j")), operation("−"), symbol("m")}))}))}));
  const double most = scores.maxCoeff();
  const double sum = (scores.cast<double>().array() - most).exp().sum();
  made.lines.push_back(equation(
      {operation("="), fraction(row({word("exp"), parenthesised(fixed(scores(0, key) - most, 2))}), fixed(sum))},
      c.value, From::rounded));
  made.note = "m is the largest z, " + io::format_fixed(most, 2) +
              ". Only how far the scores lie apart counts: adding the same to all changes nothing.";
}

Formula jacobian() {
  const Formula a = symbol("a");
  return row({word("diag"), a, operation("−"), a, script(a, nullptr, word("T"))});
}
Formula norm(Formula inside) { return script(row({word("‖"), std::move(inside), word("‖")}), word("F")); }

void explain_measures(const Asked& c, Inspection& made) {
  const Formula a = script(symbol("a"), symbol("j")), T = symbol("T");
  const int way = c.source.row;
  const double factor = divisors(c.state.power, c.state.d)[static_cast<std::size_t>(way)];
  switch (c.source.column) {
    case Measure::largest:
      made.lines.push_back(equation({script(word("max"), symbol("j")), a}, c.value));
      break;
    case Measure::entropy:
      made.lines.push_back(equation({word("−"), large("∑", symbol("j")), a, word("ln"), a}, c.value));
      made.note = "In natural logarithms: 0 when one key has it all, ln " + std::to_string(c.state.keys) + " = " +
                  brief(std::log(c.state.keys)) + " when all have the same.";
      break;
    case Measure::effective:
      made.lines.push_back(equation({word("exp"), parenthesised(fixed(c.told().measure(way, Measure::entropy)))},
                                    c.value, From::rounded));
      made.note = "As many keys with equal weights would have the same entropy.";
      break;
    case Measure::gradient_score:
      made.lines.push_back(row({fraction(word("∂a"), word("∂s")), operation("="), fraction(jacobian(), T)}));
      made.lines.push_back(equation({norm(fraction(word("∂a"), word("∂s")))}, c.value));
      made.note =
          "s are the scores as softmax gets them, divided. How far all weights move when a score does: 0 where one key "
          "has it all.";
      break;
    default:
      made.lines.push_back(row({fraction(word("∂a"), coloured(word("∂q"), c.colours.query)), operation("="),
                                fraction(row({parenthesised(jacobian()), coloured(symbol("K"), c.colours.key)}),
                                         row({number(brief(factor)), T}))}));
      made.lines.push_back(equation({norm(fraction(word("∂a"), coloured(word("∂q"), c.colours.query)))}, c.value));
      made.note = "Through the score back to the query: the keys' length makes it larger, dividing makes it smaller.";
  }
}

void explain_curve(const Asked& c, Inspection& made) {
  const Tensor& tensor = c.trace.at(c.source.tensor);
  static constexpr const char* bands[] = {"one in ten is below", "half are below", "nine in ten are below"};
  static constexpr const char* quantities[] = {"‖∂a/∂s‖", "‖∂a/∂q‖", "the largest weight", "the effective keys"};
  const auto* curve = std::ranges::find(kCurveTensors, c.source.tensor, &CurveTensor::tensor);
  made.lines.push_back(row({word("of "), word(quantities[curve - std::begin(kCurveTensors)]), word(" "),
                            word(bands[c.source.row % Band::count])}));
  made.lines.push_back(equation({}, c.value));
  made.note = tensor.row_labels[static_cast<std::size_t>(c.source.row)] + ", over " +
              brief(c.told().at("trials", 0, 0)) + " random queries with " + std::to_string(c.state.keys) +
              " keys each, at " + tensor.column_labels[static_cast<std::size_t>(c.source.column)] + ".";
}

void explain_class(const Asked& c, Inspection& made) {
  const std::string& name = c.source.tensor;
  const Formula M = coloured(symbol("M"), c.colours.input), X = coloured(symbol("X"), c.colours.input);
  const auto transposed = [](const Formula& f) { return script(f, nullptr, word("T")); };
  const Formula divided = root(number("512"));
  const Formula wrong =
      fraction(row({M, transposed(M)}), row({divided, operation("·"), script(number("512"), nullptr, number("2"))}));
  const Formula right = fraction(row({X, transposed(X)}), divided);
  if (name == "M" || name == "tokens") {
    made.lines.push_back(equation({script(name == "M" ? M : X, word(std::to_string(c.source.row + 1) + " " +
                                                                    std::to_string(c.source.column + 1)))},
                                  c.value));
    made.note =
        "Uniform in [0, 1), from our own seeded generator where the article draws without a seed. The class draws it "
        "itself and never reads its input.";
  } else if (name == "class_weights" || name == "token_weights") {
    made.lines.push_back(equation({word("softmax"), parenthesised(name == "class_weights" ? wrong : right)}, c.value));
    made.note = name == "class_weights" ? "Scores between 0 and 6, divided by √512 · 512², differ by a millionth at "
                                          "most: softmax cannot tell them apart."
                                        : "Each token fits itself best: a row's product with itself is the largest.";
  } else if (name == "class_output") {
    made.lines.push_back(
        equation({script(number("512"), nullptr, number("2")), operation("·"), word("weights"), M}, c.value));
    made.note = "The mean of a column of M, times 262,144: the same in every row.";
  } else if (name == "token_output") {
    made.lines.push_back(equation({word("weights"), X}, c.value));
    made.note = "A mixture of the six tokens, between 0 and 1 as they are.";
  } else {
    made.lines.push_back(
        equation({word(c.trace.at(name).column_labels[static_cast<std::size_t>(c.source.column)])}, c.value));
    made.note = c.source.row == 0 ? "Of all 512×512 weights (effective keys: of the first row) and 512×6 outputs."
                                  : "Of all 6×6 weights and 6×512 outputs.";
  }
}

void explain_trials(const Asked& c, Inspection& made) {
  made.lines.push_back(equation({word("draws")}, c.value));
  made.note = "A query and its keys, drawn anew at each size.";
}

struct Explained {
  std::string_view tensor;
  void (*explain)(const Asked&, Inspection&);
};
constexpr Explained kExplained[] = {{"entries", explain_entries},      {"running", explain_running},
                                    {"spread", explain_spread},        {"histogram", explain_histogram},
                                    {"density", explain_density},      {"scores", explain_scores},
                                    {"weights", explain_weights},      {"measures", explain_measures},
                                    {"gradient_score", explain_curve}, {"gradient_query", explain_curve},
                                    {"largest", explain_curve},        {"effective", explain_curve},
                                    {"trials", explain_trials},        {"M", explain_class},
                                    {"tokens", explain_class},         {"class_weights", explain_class},
                                    {"class_output", explain_class},   {"token_weights", explain_class},
                                    {"token_output", explain_class},   {"class", explain_class}};

// What is divided by the temperature, too, where that is not 1.
Formula over_temperature(const State& state, Formula over, std::vector<Formula> under = {}) {
  if (state.temperature != 1) under.insert(under.begin(), symbol("T"));
  return under.empty() ? std::move(over) : fraction(std::move(over), row(std::move(under)));
}

// softmax(q·k / (T √d))
Formula attention(const State& state, const Formula& qk) {
  return row(
      {symbol("a"), operation("="), word("softmax"), parenthesised(over_temperature(state, qk, {root(symbol("d"))}))});
}

// The letters of the formulas in their colours.
struct Letters {
  Formula q, k, d = symbol("d"), i = symbol("i"), qk = row({q, operation("·"), k});
  explicit Letters(const Palette& colours)
      : q(coloured(symbol("q"), colours.query)), k(coloured(symbol("k"), colours.key)) {}
};

}  // namespace

Inspection formula_product(const State&, const Palette& colours) {
  const auto [q, k, d, i, qk] = Letters(colours);
  return {.title = "q·k, a score",
          .lines = {row({qk, operation("="), large("∑", i, d), script(q, i), script(k, i)})},
          .note =
              "Also |q| |k| cos of the angle between them: both lengths grow with √d, and random directions are nearly "
              "at right angles, with a cosine of about ±1/√d. Together: √d."};
}

Inspection formula_spread(const State& state, const Palette& colours) {
  const auto [q, k, d, i, qk] = Letters(colours);
  return {.title = "σ of q·k",
          .lines = {row({word("Var"), parenthesised(qk), operation("="), large("∑", i, d), word("Var"),
                         parenthesised(row({script(q, i), script(k, i)})), operation("="), d,
                         script(symbol("σ"), symbol("q"), number("2")), script(symbol("σ"), symbol("k"), number("2"))}),
                    row({symbol("σ"), operation("="), number(brief(state.spread())), operation("·"),
                         root(number(std::to_string(state.d))), operation("≈"), number(brief(state.deviation(), 4))})},
          .note = "For independent entries of mean 0. Change σ of q or k, and √d alone no longer fits."};
}

Inspection formula_softmax(const State& state, const Palette& colours) {
  return {.title = "a, the weights",
          .lines = {attention(state, Letters(colours).qk)},
          .note =
              "Softmax looks at how far scores lie apart, not at how large they are; but scores that spread by √d do "
              "lie √d apart."};
}

Inspection formula_gradient(const State& state, const Palette&) {
  return {.title = "∂a/∂s, how weights follow scores",
          .lines = {row({fraction(word("∂a"), word("∂s")), operation("="), over_temperature(state, jacobian())})},
          .note =
              "Softmax’s gradient vanishes where one weight is 1 and all others are 0, as the articles warn. It is "
              "small with very many keys too, scaled or not: then every weight is."};
}

Inspection formula_class(const State&, const Palette&) {
  return {.title = "an article’s class",
          .lines = {row({word("out"), operation("="), script(number("512"), nullptr, number("2")), operation("·"),
                         word("softmax"),
                         parenthesised(fraction(
                             row({symbol("M"), script(symbol("M"), nullptr, word("T"))}),
                             row({root(number("512")), operation("·"), script(number("512"), nullptr, number("2"))}))),
                         symbol("M")})},
          .note =
              "How to see it: its code runs and its rows sum to 1, so nothing warns. But 6 tokens should give 6×6 "
              "weights, not 512×512; the map is flat; and outputs near 131,000 cannot be averages of numbers below 1. "
              "It also draws its own matrix instead of its input."};
}

Inspection formula_glance(const State& state, const Palette& colours) {
  return {.title = "scaled dot-product attention",
          .lines = {attention(state, Letters(colours).qk)},
          .note = "Vaswani et al. 2017, section 3.2.1."};
}

std::optional<Inspection> inspect(const State& state, const Trace& trace, const View& view, const std::string& id) {
  const std::optional<Source> source = parse_cell_id(id);
  const float* value = source ? trace.cell(source->tensor, source->row, source->column) : nullptr;
  if (value == nullptr) return row_at(view.place).formula(state, palette(view.theme));
  Inspection made{.title = title_of(trace, *source)};
  const auto* found = std::ranges::find(kExplained, source->tensor, &Explained::tensor);
  found->explain({state, trace, palette(view.theme), *source, static_cast<double>(*value)}, made);
  return made;
}

}  // namespace limelight::scenes::scale
