// Limits in formulas: where each number comes from, with the numbers in it.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "scenes/limits/steps.h"

namespace limelight::scenes::limits {
namespace {

void explain_value(const Asked& a) {
  a.line({script(V(a), word(std::to_string(a.at.row + 1) + " " + std::to_string(a.at.column + 1))), operation("="),
          number(whole(a.value()))});
  a.made.note = "What a key passes on." + std::string(kTyped);
}

void explain_score(const Asked& a) {
  const Given from = given(a.state);
  const Formula dot =
      row({coloured(symbol("q"), a.colours.query), operation("·"), coloured(symbol("k"), a.colours.key)});
  if (a.state.E.cells.contains({a.at.row, a.at.column})) {
    a.line({symbol("s"), operation("="), number(whole(a.value()))});
    a.made.note = "Typed by you." + std::string(kTyped);
    return;
  }
  std::vector<Term> terms;
  for (Eigen::Index c = 0; c < from.Q.cols(); ++c) terms.push_back({from.Q(a.at.row, c), from.K(a.at.column, c)});
  const Formula sum = sum_of_products(terms, 2, a.colours.query, a.colours.key);
  const bool scaled = from.scale != 1;
  a.line({symbol("s"), operation("="), scaled ? fraction(dot, root(symbol("d"))) : dot});
  a.line({operation("="), scaled ? fraction(sum, root(number(std::to_string(from.Q.cols())))) : sum});
  a.result();
  a.made.note =
      (scaled ? "The scaled dot product." : "The dot product; this article does not scale it.") + std::string(kTyped);
  a.origin("Q", a.at.row, a.colours.query);
  a.origin("K", a.at.column, a.colours.key);
}

void explain_weight(const Asked& a) {
  const bool all = a.at.tensor == "A", wrong = a.at.tensor == "A_wrong";
  const int i = all || wrong ? a.at.row : a.state.query, j = a.at.column;
  const Matrix& E = a.of("E");
  if (a.at.tensor == "softmax_raised")
    softmax_lines(a, a.of("raised"), a.of("raised", 0, j), 1, "k");
  else
    softmax_lines(a, wrong ? Matrix(E.col(j).transpose()) : Matrix(E.row(i)), a.of("E", i, j), a.state.temperature,
                  wrong ? "i" : "k");
  a.made.note = wrong ? "The wrong axis: the sum runs over the queries, down the column."
                      : "z is the score divided by the temperature, m the largest z, which changes no weight.";
  if (a.at.tensor == "softmax_raised") a.made.note = "What is added to all scores alike cancels.";
  if (!wrong) a.origin("E", i, a.colours.muted);
}

// The weights that a measure of `spread` or `course` is of.
double temperature_of(const Asked& a) {
  if (a.at.tensor == "spread") return a.state.temperature;
  return kTemperatures.low *
         std::pow(kTemperatures.high / kTemperatures.low, static_cast<double>(a.at.column) / (kCourse - 1));
}

void explain_spread(const Asked& a) {
  const bool course = a.at.tensor == "course";
  const int measure = course ? a.at.row : a.at.column;
  const Formula H = row({operation("−"), sum_over("j"), sub("a", "j"), word("ln"), sub("a", "j")});
  if (measure == Spread::entropy) {
    a.line({symbol("H"), operation("="), H});
    a.made.note = "In natural logarithms: 0 when one key has it all, ln " + std::to_string(a.of("a").cols()) + " = " +
                  io::format_fixed(std::log(static_cast<double>(a.of("a").cols())), 3) + " when all have the same.";
  } else if (measure == Spread::effective) {
    const double entropy = course ? a.of("course", Spread::entropy, a.at.column) : a.of("spread", 0, Spread::entropy);
    a.line({word("effective keys"), operation("="), exp_of(symbol("H")), operation("="), exp_of(short_of(entropy))});
    a.made.note = "As many keys with equal weights would be as spread out.";
  } else {
    a.line({word("max"), sub("a", "j")});
    a.made.note = "The largest of the weights; never below 1 over the number of keys.";
  }
  if (course) a.made.note += " At temperature " + io::format_short(temperature_of(a)) + ".";
  a.result();
  a.origin("a", 0, a.colours.ink);
}

void explain_raised(const Asked& a) {
  const double score = a.of("E", a.state.query, a.at.column);
  a.line({sub("z", "j"), operation("+"), symbol("c"), operation("="),
          fraction(short_of(score), short_of(a.state.temperature)), operation("+"), short_of(a.state.raise)});
  a.result();
  a.made.note = "The score over the temperature, and what is added to all.";
}

void explain_sigmoid(const Asked& a) {
  const double s = a.of("raised", 0, a.at.column);
  a.line({symbol("σ"), parenthesised(symbol("s")), operation("="),
          fraction(number("1"), row({number("1"), operation("+"), exp_of(row({operation("−"), symbol("s")}))})),
          operation("="), fraction(number("1"), row({number("1"), operation("+"), short_of(std::exp(-s))}))});
  a.result();
  a.made.note = "Each key on its own: no other score occurs in it, so nothing keeps all from being high.";
}

void explain_sum(const Asked& a) {
  Matrix terms;
  std::string note = "What this query gives in all.";
  if (a.at.tensor == "raised_sums") {
    terms = a.of(a.at.row == 0 ? "softmax_raised" : "sigmoid");
    note = a.at.row == 0 ? "Always 1, so the mean is always 1 over the number of keys."
                         : "Nothing fixes this sum: from 0 to the number of keys.";
  } else {
    const Matrix& A = a.of(a.at.tensor.ends_with("_wrong") ? "A_wrong" : "A");
    const bool rows = a.at.tensor.starts_with("row");
    terms = rows ? Matrix(A.row(a.at.row)) : Matrix(A.col(a.at.column).transpose());
    if (!rows) note = "What this key gets in all.";
  }
  const bool mean = a.at.tensor == "raised_sums" && a.at.column == 1;
  const Formula sum = row(listed(terms, 6));
  a.line({mean ? fraction(row({sum_over("j"), sub("a", "j")}), symbol("n")) : row({sum_over("j"), sub("a", "j")})});
  a.line({operation("="), mean ? fraction(sum, number(std::to_string(terms.size()))) : sum});
  a.result();
  a.made.note = note;
}

// Weights times a column of values, from a row of the result on.
struct Mix {
  std::string_view result;
  int row;  // the only one, where `each` is not set
  std::string_view weights, values, note;
  bool each = false;  // row i of the result is of row i of the weights
};
constexpr Mix kMixes[] = {
    {"y", 0, "a", "V", "The values, mixed by the weights."},
    {"outputs", 0, "a", "V", "The values, mixed by the weights."},
    {"outputs", 1, "a_other", "V", "The same values, mixed by other weights: the same output."},
    {"outputs_changed", 0, "a", "V", "The values as they were, mixed by the weights."},
    {"outputs_changed", 1, "a", "V_other", "Other values, mixed by the same weights."},
    {"Y", 0, "A", "V", "The values, mixed by the weights of this query.", true},
    {"Y_wrong", 0, "A_wrong", "V", "The weights of this row do not sum to 1, so this is no mean of the values.", true},
    {"one_output", 0, "one_query", "V", "Every weight is 1: the plain sum of the values."},
};

void explain_mix(const Asked& a) {
  const Mix& mix = *std::ranges::find_if(
      kMixes, [&](const Mix& one) { return one.result == a.at.tensor && (one.each || one.row == a.at.row); });
  const Matrix &weights = a.of(mix.weights), &values = a.of(mix.values);
  const int i = mix.each ? a.at.row : 0;
  std::vector<Term> terms;
  for (Eigen::Index k = 0; k < weights.cols(); ++k) terms.push_back({weights(i, k), values(k, a.at.column)});
  a.line({y(a), operation("="), sum_over("j"), sub("a", "j"), coloured(sub("v", "j"), a.colours.value)});
  a.line({operation("="), sum_of_products(terms, 3, a.colours.ink, a.colours.value)});
  a.result();
  a.made.note = mix.note;
  a.origin(mix.weights, i, a.colours.ink);
}

void explain_direction(const Asked& a) {
  a.line({symbol("δ"), V(a), operation("="), number("0"), word(",  "), sum_over("j"), sub("δ", "j"), operation("="),
          number("0")});
  a.line({sub("δ", "j"), operation("≈"), number(whole(a.value()))});
  a.made.note =
      "How much this weight changes when the chosen key loses 1: the projection of that key on the null space of V "
      "with a column of ones, so neither the output nor the sum changes.";
}

void explain_other_weight(const Asked& a) {
  const int key = chosen_key(a.state, a.trace), j = a.at.column;
  const double t = a.of("a", 0, key) - a.of("a_other", 0, key);
  a.line({script(symbol("a"), nullptr, word("′")), operation("="), symbol("a"), operation("+"), symbol("t"),
          symbol("δ"), operation("="), short_of(a.of("a", 0, j)), operation("+"), short_of(t), operation("·"),
          short_of(a.of("direction", 0, j))});
  a.result();
  a.made.note = "t is what the chosen key loses. It goes until a weight would fall below 0.";
  a.origin("a", 0, a.colours.ink);
  a.origin("direction", 0, a.colours.muted);
}

void explain_measure(const Asked& a) {
  const Formula prime = script(symbol("a"), nullptr, word("′"));
  if (a.at.tensor == "moved") {
    a.line({fraction(number("1"), number("2")), sum_over("j"),
            size_of(row({script(symbol("a"), symbol("j"), word("′")), operation("−"), sub("a", "j")}))});
    a.made.note = "The share of the weight that has gone from some keys to others: 0 none, 1 all of it.";
  } else if (a.at.tensor == "apart") {
    a.line({word("max"), size_of(row({prime, V(a), operation("−"), symbol("a"), V(a)}))});
    a.made.note = "In exact arithmetic it is 0; this, " + io::format_short(a.value()) + ", is rounding.";
  } else {
    const int keys = static_cast<int>(a.of("a").cols());
    a.line({symbol("n"), operation("−"), word("rank"), parenthesised(row({V(a), word(", 1")})), operation("="),
            number(std::to_string(keys)), operation("−"),
            number(std::to_string(keys - static_cast<int>(std::lround(a.value()))))});
    a.made.note =
        "In how many independent ways the weights can change without the output noticing. With fewer keys than numbers "
        "in a value there is usually none (Brunner et al. 2020).";
  }
  a.result(a.at.tensor == "freedom");
}

void explain_other_value(const Asked& a) {
  const bool changed = a.at.row == chosen_key(a.state, a.trace);
  const double before = a.of("V", a.at.row, a.at.column);
  a.line({script(V(a), nullptr, word("′")), operation("="),
          changed ? row({short_of(a.state.factor), operation("·"), short_of(before)}) : short_of(before)});
  a.result();
  a.made.note = changed ? "The value of the chosen key, times the factor." : "Not changed.";
}

void explain_contribution(const Asked& a) {
  const Matrix& values = a.of(a.at.row == 0 ? "V" : "V_other");
  const int j = a.at.column;
  a.line({sub("a", "j"), size_of(coloured(sub("v", "j"), a.colours.value)), operation("="), short_of(a.of("a", 0, j)),
          operation("·"), short_of(values.row(j).cast<double>().norm())});
  a.result();
  a.made.note = "The length of what this key adds to the output (Kobayashi et al. 2020).";
}

void explain_outside(const Asked& a) {
  const auto values = a.of("V").col(a.at.column);
  a.line({word("from"), short_of(static_cast<double>(values.minCoeff())), word("to"),
          short_of(static_cast<double>(values.maxCoeff())), word(", but"),
          short_of(a.of("Y_wrong", a.at.row, a.at.column))});
  a.result();
  a.made.note = "How far the output lies outside of what the values span. A mean never does.";
}

struct Explanation {
  std::string_view tensor;
  void (*explain)(const Asked&);
};
constexpr Explanation kExplanations[] = {
    {"Q", explain_given},
    {"K", explain_given},
    {"X", explain_given},
    {"W_q", explain_given},
    {"W_k", explain_given},
    {"M", explain_given},
    {"arrows", explain_given},
    {"V", explain_value},
    {"E", explain_score},
    {"a", explain_weight},
    {"A", explain_weight},
    {"A_wrong", explain_weight},
    {"softmax_raised", explain_weight},
    {"spread", explain_spread},
    {"course", explain_spread},
    {"raised", explain_raised},
    {"sigmoid", explain_sigmoid},
    {"raised_sums", explain_sum},
    {"row_sum", explain_sum},
    {"row_sum_wrong", explain_sum},
    {"column_sum", explain_sum},
    {"column_sum_wrong", explain_sum},
    {"y", explain_mix},
    {"outputs", explain_mix},
    {"outputs_changed", explain_mix},
    {"Y", explain_mix},
    {"Y_wrong", explain_mix},
    {"one_output", explain_mix},
    {"direction", explain_direction},
    {"a_other", explain_other_weight},
    {"moved", explain_measure},
    {"apart", explain_measure},
    {"freedom", explain_measure},
    {"V_other", explain_other_value},
    {"contribution", explain_contribution},
    {"outside", explain_outside},
    {"removal", explain_removal},
    {"agreement", explain_agreement},
    {"even", explain_even},
    {"one_query", explain_even},
    {"angle_measures", explain_angle},
    {"ahead_weights", explain_certain},
    {"needed", explain_certain},
    {"example", explain_certain},
    {"square_scores", explain_square},
    {"square_weights", explain_square},
    {"square_effective", explain_square},
    {"square_output", explain_square},
    {"S_same", explain_identical},
    {"S_own", explain_identical},
    {"asymmetry", explain_identical},
};

}  // namespace

Inspection formula_spread(const Asked&) {
  return {"diffuse or collapsed",
          {row({sub("a", "j"), operation("="),
                fraction(exp_of(fraction(sub("s", "j"), symbol("T"))),
                         row({sum_over("k"), exp_of(fraction(sub("s", "k"), symbol("T")))}))}),
           row({word("effective keys"), operation("="),
                exp_of(row({operation("−"), sum_over("j"), sub("a", "j"), word("ln"), sub("a", "j")}))})},
          "Drag the slider below the scores, or a score itself. The word “saturated” is used for both ends; the "
          "number of effective keys says which.",
          {}};
}

Inspection formula_sum(const Asked&) {
  return {"weights sum to 1",
          {row({sum_over("j"), sub("a", "j"), operation("="), number("1")}),
           row({word("softmax"), parenthesised(row({symbol("z"), operation("+"), symbol("c")})), operation("="),
                row({word("softmax"), parenthesised(symbol("z"))})})},
          "Raising all scores alike changes no weight. Only where keys do not share can all be high.",
          {}};
}

Inspection formula_weights(const Asked& a) {
  const Formula weights = symbol("a"), prime = script(symbol("a"), nullptr, word("′"));
  return {"other weights, same output",
          {row({prime, operation("="), weights, operation("+"), symbol("t"), symbol("δ")}),
           row({symbol("δ"), V(a), operation("="), number("0"), word(",  "), sum_over("j"), sub("δ", "j"),
                operation("="), number("0")}),
           row({prime, V(a), operation("="), weights, V(a)})},
          "Jain & Wallace 2019: attention is not explanation. Wiegreffe & Pinter 2019, “not not”: that other "
          "weights exist does not mean that training would find them. Values can be typed.",
          {}};
}

Inspection formula_values(const Asked& a) {
  return {"same weights, other output",
          {row({y(a), operation("="), sum_over("j"), sub("a", "j"), coloured(sub("v", "j"), a.colours.value)})},
          "A weight multiplies a value; what the key adds is both together (Kobayashi et al. 2020). Choose a key "
          "below the lower plot.",
          {}};
}

Inspection formula_axis(const Asked&) {
  return {"the axis of the softmax",
          {row({sub("A", "i j"), operation("="),
                fraction(exp_of(sub("z", "i j")), row({sum_over("k"), exp_of(sub("z", "i k"))}))}),
           row({sum_over("j"), sub("A", "i j"), operation("="), number("1")})},
          "In code: dim=-1 or axis=1 of scores [queries, keys]. Over the other axis the columns sum to 1, and each "
          "output also depends on what else is asked. Outlined outputs lie outside of what the values span.",
          {}};
}

Inspection formula_claims(const Asked& a) {
  return {"claims put to the test",
          {row({y(a), operation("="), word("softmax"),
                parenthesised(fraction(row({coloured(symbol("q"), a.colours.query),
                                            coloured(script(symbol("K"), nullptr, word("T")), a.colours.key)}),
                                       root(symbol("d")))),
                V(a)})},
          "Each claim is one that a published introduction makes, in our own words. Choose one above.",
          {}};
}

std::optional<Inspection> inspect(const State& state, const Trace& trace, const View& view, const std::string& id) {
  Inspection made;
  const Asked asked{{state, trace}, parse_cell_id(id).value_or(Source{}), palette(view.theme), made};
  const auto* found = std::ranges::find(kExplanations, asked.at.tensor, &Explanation::tensor);
  if (found == std::end(kExplanations) || trace.cell(asked.at.tensor, asked.at.row, asked.at.column) == nullptr)
    return row_at(view.place).formula(asked);
  made.title = title_of(trace, asked.at);
  found->explain(asked);
  return made;
}

}  // namespace limelight::scenes::limits
