// What the inspector says of Patches' numbers: each as the expression that made it, with the numbers in it.
#include <algorithm>
#include <cmath>

#include "io/numbers.h"
#include "scenes/common/explain.h"
#include "scenes/patches/steps.h"

namespace limelight::scenes::patches {
namespace {

using namespace figure;

struct Asked : Pointed<State> {
  Cut cut;

  // Of a [L, L] tensor.
  [[nodiscard]] int patch() const { return at.row * cut.grid + at.column; }
};

std::string colour_name(int column) {
  static constexpr std::string_view names[] = {"red", "green", "blue"};
  return std::string(names[column]);
}

void explain_size(Asked& a) {
  static constexpr std::string_view notes[] = {"Pixels along a side of the picture, which is square.",
                                               "Patches along a side.", "Pixels along a side of a patch."};
  a.given(std::string(notes[a.at.column]));
}

void explain_pixel(Asked& a) {
  const int side = a.at.tensor == "picture" ? a.cut.side : a.cut.patch();
  a.given("The " + colour_name(a.at.column) + " of the pixel in line " + std::to_string(a.at.row / side + 1) +
          ", at place " + std::to_string(a.at.row % side + 1) + ": " +
          std::to_string(static_cast<int>(std::lround(255 * a.value()))) + " of 255.");
}

// Of the patch that holds it, over all patches.
void explain_mixed(Asked& a) {
  int patch = query_of(a.state), inside = a.at.row;
  if (a.at.tensor == "rebuilt") {
    const int x = a.at.row % a.cut.side, y = a.at.row / a.cut.side, s = a.cut.patch();
    patch = y / s * a.cut.grid + x / s;
    inside = y % s * s + x % s;
  }
  std::vector<Term> terms;
  for (int p = 0; p < a.cut.patches(); ++p)
    terms.push_back({a.of("weights")(patch, p), a.of("picture")(a.cut.pixel(p, inside), a.at.column)});
  a.made.lines = {row({a.cell(), operation("="), large("∑", symbol("k")), script(symbol("a"), symbol("q k")),
                       script(coloured(symbol("v"), a.colours.value), symbol("k"))}),
                  row({operation("="), sum_of_products(terms, 2, a.colours.ink, a.colours.value)})};
  a.result(are_exact(terms));
  a.made.note =
      "The " + colour_name(a.at.column) +
      " of this pixel: that of the pixel at the same place in each patch, times the weight of that patch for " +
      place_of(patch, a.cut.grid) + ".";
}

void explain_feature(Asked& a) {
  const std::string pixels = std::to_string(a.cut.patch() * a.cut.patch());
  const Formula mean = row({fraction(number("1"), number(pixels)), large("∑", symbol("i"))});
  const int f = a.at.column;
  const Group& group = group_of(f);
  const std::string name(kFeatureNames[static_cast<std::size_t>(f)]);
  if (group.name == "place") {
    a.given("The patch’s " + name + ", from 1.");
    return;
  }
  if (group.name == "edges") {
    a.made.lines = {row({a.cell(), operation("="), root(row({mean, script(symbol("g"), word("i, " + name))}))})};
    a.made.note = "The root of the mean over the patch’s pixels of how much edge at " + name +
                  " there is: the size of Sobel’s gradient of the lightness, shared between the two nearest of eight "
                  "orientations. 0° lies, 90° is upright.";
  } else if (name == "σ") {
    a.made.lines = {row({a.cell(), operation("="),
                         root(row({mean, script(row({word("‖"), script(symbol("c"), symbol("i")), operation("−"),
                                                     script(symbol("c"), word("mean")), word("‖")}),
                                                nullptr, number("2"))}))})};
    a.made.note = "How far the patch’s pixels lie from their mean colour in Oklab: 0 when it is of one colour.";
  } else {
    a.made.lines = {row({a.cell(), operation("="), mean, script(symbol(name), symbol("i"))})};
    a.made.note = std::string("The mean over the patch’s ") + pixels + " pixels of Oklab’s " + name +
                  (name == "L"   ? ", lightness: 0 is black, 1 white."
                   : name == "a" ? ": below 0 greenish, above 0 reddish."
                                 : ": below 0 bluish, above 0 yellowish.");
  }
  a.result();
}

void explain_standard(Asked& a) {
  const Group& group = group_of(a.at.column);
  const std::string count = std::to_string(a.cut.patches());
  if (a.at.row == 0) {
    a.made.lines = {row({a.cell(), operation("="), fraction(number("1"), number(count)), large("∑", symbol("p")),
                         script(symbol("f"), symbol("p"))})};
    a.made.note = "The mean of this feature over all patches.";
  } else {
    a.made.lines = {row(
        {a.cell(), operation("="),
         root(row({fraction(number("1"), number(count + "·" + std::to_string(group.count))), large("∑", symbol("p f")),
                   script(parenthesised(row(
                              {script(symbol("f"), symbol("p")), operation("−"), script(symbol("f"), word("mean"))})),
                          nullptr, number("2"))}))})};
    a.made.note = "The standard deviation of all numbers of the group “" + std::string(group.name) +
                  "” together, so that distances within it keep their proportions.";
  }
  a.result();
}

void explain_standardised(Asked& a) {
  const int f = a.at.column;
  const double raw = static_cast<double>(a.of("features")(a.at.row, f));
  const double mean = static_cast<double>(a.of("standard")(0, f)),
               deviation = static_cast<double>(a.of("standard")(1, f));
  const double share = a.state.shares().of(f);
  if (deviation == 0) {
    a.given("All patches are alike in this group, so it says nothing: 0.");
    return;
  }
  a.made.lines = {
      row({a.cell(), operation("="), fraction(row({symbol("f"), operation("−"), word("mean")}), word("deviation")),
           operation("·"), root(word("share"))}),
      row({operation("="), fraction(row({value_of(raw), operation("−"), factor_of(mean)}), value_of(deviation)),
           operation("·"), root(number(brief(share)))})};
  a.result();
  a.made.note = "Standardised; its share in a score grows with what “" + std::string(group_of(f).name) + "” counts.";
}

// −‖q − k‖² / (2 √d)
void explain_distance(Asked& a, int query, int key) {
  const Matrix& X = a.of("X");
  std::vector<Term> terms;
  for (int f = 0; f < kFeatures; ++f) terms.push_back({X(query, f) - X(key, f), X(query, f) - X(key, f)});
  const Formula square = script(row({word("‖"), coloured(symbol("q"), a.colours.query), operation("−"),
                                     coloured(symbol("k"), a.colours.key), word("‖")}),
                                nullptr, number("2"));
  const auto half = [](Formula of) { return row({number("2"), root(std::move(of))}); };
  a.made.lines = {row({a.cell(), operation("="), operation("−"), fraction(square, half(symbol("d")))}),
                  row({square, operation("="), sum_of_products(terms, 2, a.colours.ink, a.colours.ink)}),
                  row({a.cell(), operation("="), operation("−"),
                       fraction(sum_of_terms(terms), half(number(std::to_string(kFeatures))))})};
  a.result();
  a.made.note =
      "Of " + place_of(query, a.cut.grid) + " with " + place_of(key, a.cut.grid) +
      ": 0 for equal patches, below it for all others. Softmax of it are the weights of non-local means (Buades "
      "et al. 2005).";
}

void explain_product_of(Asked& a, int query, int key) {
  const Tensor& X = a.trace.at("X");
  const std::vector<Term> terms = terms_of(X, query, X, key, true);
  const Formula product =
      row({coloured(symbol("q"), a.colours.query), operation("·"), coloured(symbol("k"), a.colours.key)});
  a.made.lines = {
      row({a.cell(), operation("="), fraction(product, root(symbol("d")))}),
      row({product, operation("="), sum_of_products(terms, 2, a.colours.query, a.colours.key)}),
      row({a.cell(), operation("="), fraction(sum_of_terms(terms), root(number(std::to_string(kFeatures))))})};
  a.result();
  a.made.note = "Of " + place_of(query, a.cut.grid) + " with " + place_of(key, a.cut.grid) +
                ". d = " + std::to_string(kFeatures) + " numbers a patch (Vaswani et al. 2017, eq. 1).";
}

void explain_score(Asked& a, int query, int key) {
  if (a.state.compare == Compare::distance)
    explain_distance(a, query, key);
  else
    explain_product_of(a, query, key);
  add_origin(a.made, a.trace, "X", query, false, a.colours.query);
  add_origin(a.made, a.trace, "X", key, false, a.colours.key);
}

void explain_weight(Asked& a, Look look, int query, int key) {
  const double own = static_cast<double>(a.of("scores")(query, key));
  const std::string who = place_of(query, a.cut.grid) + " to " + place_of(key, a.cut.grid);
  if (!a.state.itself && query == key) {
    a.given("A patch may not look at itself here, so this weight is 0.");
    return;
  }
  if (look == Look::hard) {
    a.given("From " + who + ". Hard: 1 for the largest score of the row, 0 for all others. This score is " +
            fixed(own) + ".");
    return;
  }
  if (a.value() == 0) {
    a.given(look == Look::top ? "Its score, " + fixed(own) + ", is not among the " + std::to_string(a.state.k) +
                                    " largest of the row, so its weight is exactly 0."
                              : "Its score, " + fixed(own) + ", lies so far below the largest that nothing is left.");
    return;
  }
  const double t = a.state.temperature;
  // Those that have a weight share it: the others are hidden, or not among the largest.
  const Matrix &scores = a.of("scores"), &weights = a.of(a.at.tensor);
  const auto has_weight = [&](int p) {
    return (a.at.tensor == "weights" ? weights(query, p) : weights(p / a.cut.grid, p % a.cut.grid)) != 0;
  };
  double most = -1e30, sum = 0;
  for (int p = 0; p < a.cut.patches(); ++p)
    if (has_weight(p)) most = std::max(most, static_cast<double>(scores(query, p)));
  for (int p = 0; p < a.cut.patches(); ++p)
    if (has_weight(p)) sum += std::exp((static_cast<double>(scores(query, p)) - most) / t);
  const double over = std::exp((own - most) / t);
  const Formula s = symbol("s"), tau = symbol("τ");
  const auto term = [&](const char* index) {
    return row({word("exp"), parenthesised(row({script(s, symbol(index)), word("/"), tau}))});
  };
  a.made.lines = {row({a.cell(), operation("="), fraction(term("q k"), row({large("∑", symbol("j")), term("q j")}))}),
                  row({operation("="), fraction(value_of(over), value_of(sum))})};
  a.result();
  a.made.note = "From " + who + ": the score " + fixed(own) + ", temperature τ = " + brief(t) +
                ". The largest score, " + fixed(most) + ", was subtracted first, which changes no weight." +
                (look == Look::top ? " The sum is over the " + std::to_string(a.state.k) + " largest." : "");
}

void explain_effective(Asked& a) {
  a.made.lines = {
      row({a.cell(), operation("="), word("exp"),
           parenthesised(row({operation("−"), large("∑", symbol("k")), symbol("a"), word("ln"), symbol("a")}))})};
  a.result();
  a.made.note = "The exponential of the entropy: so many patches of equal weight would be as spread out.";
}

void explain_difference(Asked& a) {
  const std::string count = std::to_string(a.of("picture").size());
  a.made.lines = {row({a.cell(), operation("="),
                       root(row({fraction(number("1"), number(count)), large("∑", symbol("i")),
                                 script(parenthesised(row({word("output"), operation("−"), word("picture")})), nullptr,
                                        number("2"))}))})};
  a.result();
  a.made.note = "The root of the mean squared difference of all " + count + " numbers, each from 0 to 1.";
}

void explain(Asked& a) {
  const std::string& name = a.at.tensor;
  const int query = query_of(a.state);
  const auto* const map = std::ranges::find(kLookMaps, name);
  if (map != kLookMaps.end()) return explain_weight(a, static_cast<Look>(map - kLookMaps.begin()), query, a.patch());
  struct Explanation {
    std::string_view tensor;
    void (*explain)(Asked&);
  };
  static constexpr Explanation explanations[] = {
      {"sizes", explain_size},
      {"index",
       [](Asked& b) {
         b.given("The patch’s number: they are read row by row, as words are. A click makes it the query.");
       }},
      {"picture", explain_pixel},
      {"patch", explain_pixel},
      {"parts",
       [](Asked& b) { b.given("The " + colour_name(b.at.column) + " of a pixel of one of the heaviest patches."); }},
      {"result", explain_mixed},
      {"rebuilt", explain_mixed},
      {"features", explain_feature},
      {"standard", explain_standard},
      {"X", explain_standardised},
      {"scores", [](Asked& b) { explain_score(b, b.at.row, b.at.column); }},
      {"s", [](Asked& b) { explain_score(b, query_of(b.state), b.patch()); }},
      {"weights", [](Asked& b) { explain_weight(b, b.state.look, b.at.row, b.at.column); }},
      {"a", [](Asked& b) { explain_weight(b, b.state.look, query_of(b.state), b.patch()); }},
      {"shares",
       [](Asked& b) {
         b.given("The weight of " + b.trace.at("shares").column_labels[static_cast<std::size_t>(b.at.column)] +
                 ", one of the five largest.");
       }},
      {"effective", explain_effective},
      {"difference", explain_difference},
  };
  std::ranges::find(explanations, name, &Explanation::tensor)->explain(a);
}

std::string title_of(const Asked& a) {
  if (a.of(a.at.tensor).size() == 1) return a.at.tensor;
  if (a.at.tensor == "weights" || a.at.tensor == "scores")
    return a.at.tensor + ": " + place_of(a.at.row, a.cut.grid) + " → " + place_of(a.at.column, a.cut.grid);
  return scenes::title_of(a.trace, a.at);
}

// S, of all queries with all keys, or s of one with one.
Formula scores_formula(const State& state, const Palette& colours) {
  if (state.compare == Compare::dot)
    return row({symbol("S"), operation("="),
                fraction(row({coloured(symbol("Q"), colours.query),
                              script(coloured(symbol("K"), colours.key), nullptr, word("T"))}),
                         root(symbol("d")))});
  const Formula q = coloured(symbol("q"), colours.query), k = coloured(symbol("k"), colours.key);
  return row({symbol("s"), operation("="), operation("−"),
              fraction(script(row({word("‖"), q, operation("−"), k, word("‖")}), nullptr, number("2")),
                       row({number("2"), root(symbol("d"))}))});
}

Formula weights_formula(const State& state) {
  const Formula normalizer = word(state.look == Look::hard  ? "hard"
                                  : state.look == Look::top ? "softmax over top-k"
                                                            : "softmax");
  return row({symbol("A"), operation("="), normalizer, parenthesised(fraction(symbol("S"), symbol("τ")))});
}

}  // namespace

Inspection formula_cut(const State& state, const Palette&) {
  return {.title = "patches as words",
          .lines = {row({symbol("P"), operation("="), script(symbol("L"), nullptr, number("2")), operation("="),
                         script(number(std::to_string(state.patches())), nullptr, number("2")), operation("="),
                         number(std::to_string(state.patches() * state.patches()))})}};
}

Inspection formula_features(const State&, const Palette& colours) {
  return {.title = "features",
          .lines = {row({coloured(symbol("X"), colours.input), operation("="),
                         fraction(row({symbol("f"), operation("−"), word("mean")}), word("deviation")), operation("·"),
                         root(word("share"))})}};
}

Inspection formula_scores(const State& state, const Palette& colours) {
  return {.title = "scores",
          .lines = {row({coloured(symbol("Q"), colours.query), operation("="), coloured(symbol("K"), colours.key),
                         operation("="), coloured(symbol("X"), colours.input)}),
                    scores_formula(state, colours)}};
}

Inspection formula_weights(const State& state, const Palette& colours) {
  return {.title = "weights", .lines = {scores_formula(state, colours), weights_formula(state)}};
}

Inspection formula_output(const State& state, const Palette& colours) {
  return {.title = "output",
          .lines = {weights_formula(state), row({coloured(symbol("Y"), colours.output), operation("="), symbol("A"),
                                                 coloured(symbol("V"), colours.value)})},
          .note = "V are the patches’ pixels here, so that the output is a picture. "};
}

std::optional<Inspection> inspect(const State& state, const Trace& trace, const View& view, const std::string& id) {
  const std::optional<Source> source = parse_cell_id(id);
  if (!source || trace.cell(source->tensor, source->row, source->column) == nullptr) {
    Inspection formula = row_at(view.place).formula(state, palette(view.theme));
    formula.note += view.touch ? "Tap a patch to make it the query."
                               : "Point at a patch to see its numbers; click to make it the query.";
    return formula;
  }
  Inspection made;
  Asked asked{{{state, trace}, *source, palette(view.theme), made}, cut_of(state, trace)};
  made.title = title_of(asked);
  explain(asked);
  return made;
}

}  // namespace limelight::scenes::patches
