// Where Cost's numbers come from: the inspector's formulas with the numbers in them.
#include <algorithm>

#include "figure/formula.h"
#include "scenes/common/explain.h"
#include "scenes/cost/measure.h"
#include "scenes/cost/steps.h"
#include "scenes/place.h"

namespace limelight::scenes::cost {
namespace {

using namespace figure;

Formula count(double value) { return number(grouped(static_cast<int>(value))); }
Formula n() { return symbol("n"); }
Formula size_d() { return symbol("d"); }
Formula squared(Formula base) { return script(std::move(base), nullptr, number("2")); }
Formula times() { return operation("·"); }

// The parts, then what they come to.
Formula equation(std::vector<Formula> parts, double value, const char* sign = "=") {
  parts.push_back(operation(sign));
  parts.push_back(number(whole(value)));
  return row(std::move(parts));
}

struct Asked {
  const State& state;
  const Trace& trace;
  const Source& source;
  double value;

  [[nodiscard]] Told told() const { return {{state, trace}}; }
  [[nodiscard]] Shape shape() const { return state.shape(source.column); }
};

void explain_growth(const Asked& c, Inspection& made) {
  const Formula tokens = count(c.shape().n), four = number("4");
  if (c.source.row == Growth::pairs) {
    made.lines = {row({n(), times(), n()}), equation({tokens, times(), tokens}, c.value)};
    made.note = "A weight for each pair of a query and a key: " + many(c.value) + ".";
  } else if (c.source.row == Growth::work) {
    made.lines = {row({number("2"), times(), squared(n()), times(), size_d()}),
                  equation({number("2"), times(), squared(tokens), times(), count(c.state.d)}, c.value)};
    made.note = many(c.value) +
                ": d for each score, and d for each weighted value. A layer’s projections, 4·n·D² for a model of size "
                "D, grow only as n and are not counted; for short texts they are the larger part.";
  } else {
    made.lines = {row({four, times(), squared(n())}), equation({four, times(), squared(tokens)}, c.value)};
    made.note = bytes(c.value) +
                ": a weight in single precision has 4 bytes. A model keeps them for each head and "
                "layer when it trains in the plain way.";
  }
}

void explain_products(const Asked& c, Inspection& made) {
  const Shape shape = c.shape();
  const Formula two = number("2"), tokens = count(shape.n), d = count(shape.d);
  if (c.source.row == Way::windowed) {
    const double w = std::min(shape.window, shape.n - 1);
    const Formula window = symbol("w");
    made.lines = {
        row({two, size_d(),
             parenthesised(row({n(), parenthesised(row({two, window, operation("+"), number("1")})), operation("−"),
                                window, parenthesised(row({window, operation("+"), number("1")}))}))}),
        equation(
            {two, times(), d, times(),
             parenthesised(row({tokens, times(), count(2 * w + 1), operation("−"), count(w), times(), count(w + 1)}))},
            c.value)};
    made.note = many(c.value) + ". Each query meets the keys up to " + grouped(static_cast<int>(w)) +
                " places away; the first and last ones fewer.";
  } else if (c.source.row == Way::linear) {
    made.lines = {row({two, n(), size_d(), parenthesised(row({size_d(), operation("+"), number("1")}))}),
                  equation({two, times(), tokens, times(), d, times(), count(shape.d + 1)}, c.value)};
    made.note = many(c.value) + ". Keys and values are added up into one d×(d + 1) matrix, which each query meets.";
  } else {
    made.lines = {row({two, times(), squared(n()), times(), size_d()}),
                  equation({two, times(), squared(tokens), times(), d}, c.value)};
    made.note = many(c.value) + ". " +
                (c.source.row == Way::traced ? "Traced keeps the weights."
                                             : "As many as traced: fused saves memory, not products.");
  }
}

void explain_memory(const Asked& c, Inspection& made) {
  const Shape shape = c.shape();
  const Formula four = number("4"), tokens = count(shape.n);
  made.note = bytes(c.value) + ". ";
  if (c.source.row == Way::linear) {
    const double sums = static_cast<double>(shape.d) * (shape.d + 1), block = c.value / 4 - sums;
    made.lines.push_back(
        row({four, parenthesised(row({size_d(), parenthesised(row({size_d(), operation("+"), number("1")})),
                                      operation("+"), word("block")}))}));
    made.lines.push_back(equation(
        {four, parenthesised(row({count(shape.d), times(), count(shape.d + 1), operation("+"), count(block)}))},
        c.value));
    made.note +=
        "The sums over all keys, and what one block of tokens takes, its features and what their products pack: the "
        "same for any n.";
    return;
  }
  const bool traced = c.source.row == Way::traced;
  const double pairs = traced ? static_cast<double>(shape.n) * shape.n : 0;
  const double packed = 2. * shape.n * shape.d, tiles = memory(c.source.row, shape) / 4 - pairs - packed;
  std::vector<Formula> law = {four}, numbers = {four};
  std::vector<Formula> inside = {number("2"), n(), size_d(), operation("+"), word("tiles")};
  std::vector<Formula> inside_numbers = {number("2"),    times(),        tokens,      times(),
                                         count(shape.d), operation("+"), count(tiles)};
  if (traced) {
    inside.insert(inside.begin(), {squared(n()), operation("+")});
    inside_numbers.insert(inside_numbers.begin(), {squared(tokens), operation("+")});
  }
  law.push_back(parenthesised(row(inside)));
  numbers.push_back(parenthesised(row(inside_numbers)));
  made.lines = {row(law), equation(numbers, c.value, traced ? "≈" : "=")};
  made.note += traced ? "All weights, packed keys and values, and tiles: scores of the rows at hand."
                      : "Keys and values packed for the kernels, and tiles of queries, scores and outputs.";
  if (c.source.row == Way::windowed) made.note += " A window needs no fewer: all keys are packed.";
}

std::string how_timed(const Asked& c) {
  int repetitions = 0, slices = 0;
  for (const Slice& slice : plan(c.state)) {
    if (slice.way != c.source.row || slice.size != c.source.column || slice.work == Work::draw ||
        slice.work == Work::finish)
      continue;
    if (!slice.counts) continue;
    ++slices;
    if (slice.last) ++repetitions;
  }
  if (slices == 0) return "This way is not run at this size.";
  if (slices == repetitions)
    return "The shortest of " + std::to_string(repetitions) +
           " rounds, in turn with the other ways and after others to warm up; each repeats it for at least 4 ms.";
  const std::string sum = "The sum of the times of its " + grouped(slices / repetitions) + " slices";
  return sum + (repetitions > 1 ? ", the shortest of " + std::to_string(repetitions) + " rounds" : "") +
         "; one in which something else ran counts as the middle one.";
}

void explain_time(const Asked& c, Inspection& made) {
  made.lines = {equation({word("milliseconds")}, c.value)};
  made.note = c.value > 0 ? duration(c.value) + ", measured on this device. " + how_timed(c) +
                                " A browser’s clock may be rounded."
                          : "Not measured. " + how_timed(c);
}

void explain_apart(const Asked& c, Inspection& made) {
  const Formula y = symbol("Y"), other = script(y, word("fused"));
  made.lines = {equation(
      {fraction(row({word("‖"), y, operation("−"), other, word("‖")}), row({word("‖"), other, word("‖")}))}, c.value)};
  made.note =
      c.source.row == Way::fused
          ? "Fused is what the others are compared with."
          : "On the inputs that were timed: 0 the same (rounding leaves about 10⁻⁶), 1 as far off as 0 would be.";
}

void explain_rate(const Asked& c, Inspection& made) {
  const int counted = c.source.row == Way::scalar ? Way::fused : c.source.row;
  made.lines = {row({fraction(word("products"), word("time"))}),
                equation({fraction(number(many(c.told().at("products", counted, c.source.column))),
                                   number(duration(c.told().at("time", c.source.row, c.source.column))))},
                         c.value)};
  made.note = "Billion products a second, from the measured time.";
}

void explain_ratio(const Asked& c, Inspection& made) {
  const auto time = [&](int way) { return number(duration(c.told().at("time", way, c.source.column))); };
  made.lines = {row({fraction(word("time without SIMD"), word("time with it"))}),
                equation({fraction(time(Way::scalar), time(Way::fused))}, c.value)};
  made.note =
      "0 where it is not measured. Not all of it is SIMD: that kernel also packs keys and values, keeps more sums in "
      "registers and, "
      "where the machine can, multiplies and adds with one instruction.";
}

void explain_instructions(const Asked& c, Inspection& made) {
  const double all = c.told().at("products", Way::fused, c.source.column);
  if (c.source.row == 0)
    made.lines = {equation({fraction(number(whole(all)), number(brief(c.told().at("lanes", 0, 0))))}, c.value)};
  else
    made.lines = {equation({word("products")}, c.value)};
  made.note = many(c.value) + " multiply instructions; loads, exponentials and sums come on top.";
}

void explain_lanes(const Asked& c, Inspection& made) {
  made.lines = {equation({word("numbers in one vector")}, c.value)};
  made.note = "4 in WebAssembly, whose vectors have 128 bits; up to 8 in other builds.";
}

void explain_fit(const Asked& c, Inspection& made) {
  const Formula y = symbol("y"), s = symbol("s");
  const auto deviation = [&](const Formula& of) { return row({word("ln "), of, operation("−"), word("mean")}); };
  switch (c.source.column) {
    case Fit::exponent:
      made.lines = {row({y, operation("="), symbol("c"), script(n(), nullptr, s)}),
                    row({s, operation("="),
                         fraction(row({large("∑"), parenthesised(deviation(n())), parenthesised(deviation(y))}),
                                  row({large("∑"), squared(parenthesised(deviation(n())))}))}),
                    equation({s}, c.value)};
      made.note =
          "Least squares on both logarithms, from n = 512 on (times from 256): smaller ones are more set-up than "
          "cost. 2 means: twice as many tokens, four times as much. 0 where nothing is fitted.";
      break;
    case Fit::doubling:
      made.lines = {equation(
          {script(number("2"), nullptr, number(brief(c.told().at(c.source.tensor, c.source.row, Fit::exponent), 4)))},
          c.value, "≈")};
      made.note = "What twice as many tokens multiply it by, from the slope; 0 where nothing is fitted.";
      break;
    case Fit::factor:
      made.lines = {equation({symbol("c"), times(), script(count(kFitAt), nullptr, s)}, c.value)};
      made.note = "What the fitted law says at this n.";
      break;
    case Fit::spread:
      made.lines = {equation({root(word("mean of (ln y − ln c nˢ)²"))}, c.value)};
      made.note = "How far the points lie from the line. Beyond " + brief(kNoise) + " nothing is concluded.";
      break;
    default:
      made.lines = {equation({n()}, c.value)};
      made.note = "Where the fitted range begins or ends; 0 where nothing is fitted.";
  }
}

void explain_line(const Asked& c, Inspection& made) {
  const std::string tensor = c.source.tensor;
  const auto* quantity = std::ranges::find(kQuantities, std::string_view(tensor), &Measured::line);
  const Told r = c.told();
  const double slope = r.at(quantity->fit, c.source.row, Fit::exponent);
  made.lines = {
      row({symbol("c"), script(n(), nullptr, symbol("s"))}),
      equation({number(brief(r.at(quantity->fit, c.source.row, Fit::factor), 4)), times(),
                script(parenthesised(fraction(count(c.shape().n), count(kFitAt))), nullptr, number(brief(slope, 4)))},
               c.value, "≈")};
  made.note = "Extrapolated from the fitted slope; not measured.";
}

void explain_near(const Asked& c, Inspection& made) {
  const std::string& name = c.source.tensor;
  const bool share = name.ends_with("share"), linear = name.starts_with("near_linear");
  const Formula y = symbol("Y"), full = script(y, word("full"));
  if (share) {
    Shape shape{.n = kNearTokens, .d = c.state.d};
    if (!linear) shape.window = near_windows(c.state)[static_cast<std::size_t>(c.source.column)];
    made.lines = {equation({fraction(number(many(products(linear ? Way::linear : Way::windowed, shape))),
                                     number(many(products(Way::fused, shape))))},
                           c.value, "≈")};
    made.note = "Products, of those of full attention over " + std::to_string(kNearTokens) + " tokens.";
    return;
  }
  made.lines = {equation(
      {fraction(row({word("‖"), y, operation("−"), full, word("‖")}), row({word("‖"), full, word("‖")}))}, c.value)};
  made.note = linear ? "Linear attention weighs by φ(q)·φ(k) with φ(x) = elu(x) + 1, not by softmax: another function."
                     : "Softmax over the window’s keys alone: what lies outside gets no weight.";
  made.note += " Over " + std::to_string(kNearTokens) + " tokens, " +
               (c.state.data == Data::random ? "drawn at random." : "constructed so that neighbours are alike.");
}

struct Explained {
  std::string_view tensor;
  void (*explain)(const Asked&, Inspection&);
};
constexpr Explained kExplained[] = {{"growth", explain_growth},         {"products", explain_products},
                                    {"memory", explain_memory},         {"time", explain_time},
                                    {"apart", explain_apart},           {"rate", explain_rate},
                                    {"ratio", explain_ratio},           {"instructions", explain_instructions},
                                    {"lanes", explain_lanes},           {"products_fit", explain_fit},
                                    {"memory_fit", explain_fit},        {"time_fit", explain_fit},
                                    {"products_line", explain_line},    {"memory_line", explain_line},
                                    {"time_line", explain_line},        {"near_window", explain_near},
                                    {"near_share", explain_near},       {"near_linear", explain_near},
                                    {"near_linear_share", explain_near}};

// What softmax attention multiplies: for each score, and for each weighted value.
Formula softmax_products() { return row({number("2"), times(), squared(n()), times(), size_d()}); }

// The symbols of the formulas in their colours.
struct Symbols {
  Formula Q, K, V, k;
  explicit Symbols(const Palette& colours)
      : Q(coloured(symbol("Q"), colours.query)),
        K(coloured(symbol("K"), colours.key)),
        V(coloured(symbol("V"), colours.value)),
        k(coloured(symbol("k"), colours.key)) {}
};

Formula transposed(const Formula& f) { return script(f, nullptr, word("T")); }
Formula phi(const Formula& f) { return row({symbol("φ"), parenthesised(f)}); }

Formula softmax_attention(const Palette& colours) {
  const auto [Q, K, V, k] = Symbols(colours);
  return row({word("softmax"), parenthesised(fraction(row({Q, transposed(K)}), root(size_d()))), V});
}

}  // namespace

Inspection formula_count(const Palette& colours) {
  return {.title = "what is counted",
          .lines = {softmax_attention(colours), softmax_products()},
          .note =
              "The article calls the cost quadratic in the length of the sequence, and so impractical for very "
              "long ones (Vaswani et al. 2017, table 1: n²·d). That is exact for the products; memory need not grow so "
              "(step " +
              std::to_string(number_of(steps(), "memory")) + ")."};
}

Inspection formula_time(const Palette&) {
  return {.title = "slopes",
          .lines = {row({word("log "), symbol("y"), operation("="), word("log "), symbol("c"), operation("+"),
                         symbol("s"), word(" log "), n()})},
          .note =
              "On log–log axes n² is a straight line of slope 2, and n one of slope 1. Curves that only "
              "differ in how good the code is lie above each other with the same slope."};
}

Inspection formula_memory(const Palette& colours) {
  const Formula V = Symbols(colours).V;
  const Formula exponent = parenthesised(row({symbol("s"), operation("−"), symbol("m")}));
  return {
      .title = "without keeping weights",
      .lines = {row({softmax_attention(colours), operation("="),
                     fraction(row({large("∑"), word("exp"), exponent, V}), row({large("∑"), word("exp"), exponent}))})},
      .note =
          "Numerator and denominator are sums over keys, with a running maximum m: a tile of keys at a time "
          "is enough, and no n×n matrix is ever held. The same function (Rabe & Staats 2021; Dao et al. 2022)."};
}

Inspection formula_others(const Palette& colours) {
  const auto [Q, K, V, k] = Symbols(colours);
  return {.title = "linear attention",
          .lines = {fraction(row({phi(Q), parenthesised(row({transposed(phi(K)), V}))}),
                             row({phi(Q), large("∑"), phi(k)}))},
          .note =
              "With φ(q)·φ(k) in place of exp(q·k), the sum over keys no longer depends on the query: it is made "
              "once; φ(x) = elu(x) + 1 (Katharopoulos et al. 2020). A window is softmax over near keys alone "
              "(Beltagy et al. 2020)."};
}

Inspection formula_simd(const Palette&) {
  return {.title = "one instruction, several numbers",
          .lines = {softmax_products()},
          .note =
              "The scalar kernel goes over tiles of keys as well, one number at a time; its file is compiled without "
              "vectorisation. The SIMD kernel also packs keys and values, keeps more sums in registers and fuses "
              "multiply and add where it can."};
}

Inspection formula_glance(const Palette&) {
  return {.title = "attention’s cost",
          .lines = {softmax_products()},
          .note = "Time of softmax attention grows as n², whoever computes it; its memory need not."};
}

std::optional<Inspection> inspect(const State& state, const Trace& trace, const View& view, const std::string& id) {
  const std::optional<Source> source = parse_cell_id(id);
  const float* value = source ? trace.cell(source->tensor, source->row, source->column) : nullptr;
  if (value == nullptr) return row_at(view.place).formula(palette(view.theme));
  Inspection made{.title = title_of(trace, *source)};
  const auto* found = std::ranges::find(kExplained, source->tensor, &Explained::tensor);
  found->explain({state, trace, *source, static_cast<double>(*value)}, made);
  return made;
}

}  // namespace limelight::scenes::cost
