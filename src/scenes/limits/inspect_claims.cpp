// The claims of Limits in formulas, with the numbers in them.
#include <cmath>

#include "scenes/limits/inspect.h"

namespace limelight::scenes::limits {
namespace {

struct Said {
  std::string_view tensor, text;
};
constexpr Said kGiven[] = {
    {"Q", "Of a query."},
    {"K", "Of a key."},
    {"X", "Of an embedding, from the article “she likes coffee”."},
    {"W_q", "Of a matrix for the queries, drawn at random from the seed."},
    {"W_k", "Of a matrix for the keys, drawn at random from the seed."},
    {"M", "Drawn evenly between 0 and 1 from the seed, as the article’s class draws its own."},
    {"arrows", "Of an arrow in the plane, set by hand; “lazy” is as long as the slider says."},
};

}  // namespace

void explain_given(const Asked& a) {
  a.line({script(symbol(a.at.tensor.substr(0, 1)),
                 word(std::to_string(a.at.row + 1) + " " + std::to_string(a.at.column + 1))),
          operation("="), number(whole(a.value()))});
  a.made.note = std::ranges::find(kGiven, a.at.tensor, &Said::tensor)->text;
}

void softmax_lines(const Asked& a, const Matrix& all, double own, double divisor, const char* index) {
  const double top = static_cast<double>(all.maxCoeff());
  double sum = 0;
  for (const float s : all.reshaped()) sum += std::exp((static_cast<double>(s) - top) / divisor);
  a.line({symbol("a"), operation("="),
          fraction(exp_of(row({sub("z", "j"), operation("−"), symbol("m")})),
                   row({sum_over(index), exp_of(row({sub("z", index), operation("−"), symbol("m")}))}))});
  a.line({operation("="), fraction(short_of(std::exp((own - top) / divisor)), short_of(sum))});
  a.result();
}

void explain_removal(const Asked& a) {
  const int j = a.at.column;
  a.line({size_of(row({y(a), operation("−"), script(y(a), word("without"))})), operation("="),
          fraction(sub("a", "j"), row({number("1"), operation("−"), sub("a", "j")})),
          size_of(row({coloured(sub("v", "j"), a.colours.value), operation("−"), y(a)}))});
  const double weight = a.of("a", 0, j);
  const Matrix apart = a.of("V").row(j) - a.of("y");
  if (weight < 1)
    a.line({operation("="), fraction(short_of(weight), short_of(1 - weight)), operation("·"),
            short_of(static_cast<double>(apart.norm()))});
  a.result();
  a.made.note = "Its weight shared among the others in proportion. A value near the output is not missed.";
}

void explain_agreement(const Asked& a) {
  const RankedPairs pairs = ranked_pairs(a.of("a"), a.of("removal"));
  a.line({symbol("τ"), operation("="),
          fraction(word("alike − apart"), root(row({word("by weight"), operation("·"), word("by change")})))});
  if (pairs.first > 0 && pairs.second > 0)
    a.line({operation("="),
            fraction(number(std::to_string(pairs.alike)), root(row({number(std::to_string(pairs.first)), operation("·"),
                                                                    number(std::to_string(pairs.second))})))});
  a.result();
  a.made.note =
      "Kendall’s τ-b counts pairs of keys: ranked alike or apart, over those that each ranking tells apart at all. 1 "
      "is "
      "the same order, −1 the opposite. Jain & Wallace 2019 measure it on trained models.";
}

void explain_even(const Asked& a) {
  const bool one = a.at.tensor == "one_query";
  if (one)
    a.line({symbol("a"), operation("="), fraction(exp_of(symbol("z")), exp_of(symbol("z")))});
  else
    a.line({symbol("a"), operation("="), fraction(number("1"), number(std::to_string(a.of("even").cols())))});
  a.result(one);
  a.made.note =
      one ? "Down the column of a single query there is nothing to share with." : "Equal scores, equal weights.";
}

void explain_angle(const Asked& a) {
  const int i = a.at.row;
  const Formula q = coloured(symbol("q"), a.colours.query), k = coloured(symbol("k"), a.colours.key);
  const double length = a.of("angle_measures", i, 0), angle = a.of("angle_measures", i, 1);
  const double query = a.of("arrows").row(0).cast<double>().norm();
  switch (a.at.column) {
    case 0:
      a.line({size_of(k)});
      a.made.note = "By Pythagoras.";
      break;
    case 1:
      a.line({symbol("θ"), operation("="), word("arccos"), parenthesised(short_of(a.of("angle_measures", i, 2)))});
      a.made.note = "In degrees, from the cosine.";
      break;
    case 2:
      a.line({fraction(row({q, operation("·"), k}), row({size_of(q), size_of(k)})), operation("="), word("cos"),
              parenthesised(row({short_of(angle), word("°")}))});
      a.made.note = "The angle alone.";
      break;
    default:
      a.line({size_of(q), size_of(k), word("cos"), symbol("θ"), operation("="), short_of(query), operation("·"),
              short_of(length), operation("·"), short_of(a.of("angle_measures", i, 2))});
      a.made.note = "Both lengths times the cosine.";
  }
  a.result();
}

void explain_certain(const Asked& a) {
  if (a.at.tensor == "needed") {
    a.line({word("ln"), parenthesised(row({fraction(number("0.95"), number("0.05")), operation("·"), number("8")}))});
    a.made.note = "How far ahead one of nine scores must be for a weight of 0.95.";
  } else if (a.at.tensor == "example") {
    a.line({symbol("a"), operation("="), word("softmax"),
            parenthesised(row({symbol("q"), script(symbol("K"), nullptr, word("T"))}))});
    a.made.note = "The weights of the article’s own example, which does not scale its scores.";
  } else {
    const bool fox = a.at.column == 3;
    a.line({symbol("a"), operation("="),
            fraction(fox ? exp_of(short_of(a.state.ahead)) : number("1"),
                     row({exp_of(short_of(a.state.ahead)), operation("+"), number("8")}))});
    a.made.note = "Eight words score 0, and exp(0) = 1.";
  }
  a.result();
}

void explain_square(const Asked& a) {
  const int j = a.at.column;
  const std::string d = std::to_string(a.state.d);
  if (a.at.tensor == "square_scores") {
    std::vector<Term> terms;
    for (int c = 0; c < a.state.d; ++c)
      terms.push_back({static_cast<float>(a.of("M", 0, c)), static_cast<float>(a.of("M", j, c))});
    a.line({sum_of_products(terms, 2, a.colours.query, a.colours.key)});
    a.made.note = "The dot product of token 1 and token " + std::to_string(j + 1) + ".";
  } else if (a.at.tensor == "square_weights") {
    const double divisor =
        std::sqrt(static_cast<double>(a.state.d)) * (a.at.row == 0 ? 1.0 : static_cast<double>(a.state.d) * a.state.d);
    softmax_lines(a, a.of("square_scores"), a.of("square_scores", 0, j), divisor, "k");
    a.made.note = "z is the score divided by " + io::format_short(divisor, 4) + ", m the largest z.";
    return;
  } else if (a.at.tensor == "square_effective") {
    a.line({exp_of(row({operation("−"), sum_over("j"), sub("a", "j"), word("ln"), sub("a", "j")}))});
    a.made.note = "6 would be no choice at all.";
  } else {
    a.line({j == 2
                ? row({script(number(d), nullptr, number("2")), operation("·"), short_of(a.of("square_output", 0, 1))})
                : row({sum_over("j"), sub("a", "j"), sub("x", "j")})});
    a.made.note = "The first number of token 1’s output.";
  }
  a.result();
}

void explain_identical(const Asked& a) {
  const int i = a.at.row, j = a.at.column;
  if (a.at.tensor == "asymmetry") {
    a.line({word("max"), size_of(row({sub("s", "i j"), operation("−"), sub("s", "j i")}))});
    a.made.note = "How much a score changes when query and key change places.";
    a.result();
    return;
  }
  Matrix Q = a.of("X"), K = a.of("X");
  const bool own = a.at.tensor == "S_own";
  if (own) {
    Q = Q * a.of("W_q");
    K = K * a.of("W_k");
  }
  std::vector<Term> terms;
  for (Eigen::Index c = 0; c < Q.cols(); ++c) terms.push_back({Q(i, c), K(j, c)});
  a.line({symbol("s"), operation("="),
          fraction(sum_of_products(terms, 2, a.colours.query, a.colours.key), root(number("4")))});
  a.result();
  a.made.note = own ? "Query and key have their own matrices." : "Query and key are the embeddings themselves.";
}

}  // namespace limelight::scenes::limits
