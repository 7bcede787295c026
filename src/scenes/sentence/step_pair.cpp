// The step Query and key: what one weight is made of, number by number.
#include <cmath>
#include <utility>

#include "io/numbers.h"
#include "scenes/sentence/steps.h"

namespace limelight::scenes::sentence {

float draw_pair(Drawing& d) {
  if (!d.is_read()) return add_without_model(d, 14);
  const float y = add_head_chips(d, add_sentence(d, 10)) + 14;
  const auto at = [&](std::string_view one) { return d.tensor(one); };
  const std::string query = d.words()[static_cast<std::size_t>(d.query)];
  Panel q{.tensor = at("q"), .title = "q of " + quoted(query), .colour = d.colours.query, .row_labels = false};
  Panel K{.tensor = at("K"),
          .title = "K",
          .colour = d.colours.key,
          .emphasis = Emphasis::large,
          .caption = "a key for every token"};
  Panel P{.tensor = at("P"),
          .title = "q ⊙ k",
          .colour = d.colours.ink,
          .tint = d.colours.score_fill,
          .emphasis = Emphasis::large,
          .row_labels = d.narrow(),
          .caption = "number by number"};
  Panel S{.tensor = at("s"),
          .title = "÷ √" + std::to_string(d.trace.at(at("Q")).columns()),
          .colour = d.colours.ink,
          .tint = d.colours.score_fill,
          .emphasis = Emphasis::large,
          .caption = "sum, scaled"};
  Panel A{.tensor = at("a"),
          .title = "weight",
          .colour = d.colours.ink,
          .style = PanelStyle::weights,
          .emphasis = Emphasis::large,
          .row_labels = d.narrow(),
          .caption = "softmax"};
  const int rows = d.trace.at(K.tensor).rows();
  if (rows > 40) {
    const auto [begin, end] = window_of(rows, d.key, 40);
    const int size = d.trace.at(K.tensor).columns();
    K.window = CellRange{K.tensor, begin, 0, end - begin, size};
    P.window = CellRange{P.tensor, begin, 0, end - begin, size};
    S.window = CellRange{S.tensor, begin, 0, end - begin, 1};
    A.window = CellRange{A.tensor, begin, 0, end - begin, 1};
  }
  PanelRow row{K, Joint{.sign = "→"}, P, Joint{.sign = "→"}, S, A};
  if (d.trace.find(at("b")) != nullptr && !d.narrow()) {  // with the other word, and what is between them
    Panel b = A, change = A;
    b.tensor = at("b"), b.title = "with " + quoted(d.state.instead), b.caption = "weight then";
    change.tensor = at("d"), change.title = "change", change.caption = "", change.style = PanelStyle::differences;
    for (Panel* panel : {&b, &change})
      if (panel->window) panel->window->tensor = panel->tensor;
    row.insert(row.end(), {b, change});
  }
  const float room = std::max(d.view.height - y - 20, 300.F);
  const float below = add_panels(d.figure, d.trace, {{q}, std::move(row)}, {d.margin(), y, d.inner(), room},
                                 {.theme = d.view.theme,
                                  .token_field = "query",
                                  .chosen_row = d.query,
                                  .narrow = d.narrow(),
                                  .aligned = !d.narrow(),
                                  .sink = 0});
  for (const std::string& tensor : {at("K"), at("P"), at("s"), at("a")})
    add_outline(d.figure, tensor, d.key, -1, d.colours.key);
  return below;
}

std::string tell_pair(const Told& told) {
  if (told.trace.find("model") == nullptr) return "Weights alone have no queries and keys.";
  const Tensor& P = told.trace.at(of_head("P", told.head.layer, told.head.head));
  const int key = std::min(told.state.key, P.rows() - 1);
  Eigen::Index most = 0;
  P.values.row(key).cwiseAbs().maxCoeff(&most);
  const float sum = P.values.row(key).sum();
  return "The query of " + told.asking() + " times the key of " + told.word(key) + ", number by number: they sum to " +
         bold(fixed(static_cast<double>(sum), 2)) + ", number " + std::to_string(most + 1) + " of " +
         std::to_string(P.columns()) + " gives the most, " + fixed(static_cast<double>(P.values(key, most)), 2) +
         ". Divided by √" + std::to_string(P.columns()) + " and through the softmax that is a weight of " +
         bold(fixed(static_cast<double>(told.weights()(told.query, key)))) + ".";
}

void formula_pair(Stepped& s) {
  if (!s.is_read) return formula_head(s);
  const int query = std::min(s.state.query, s.of("S").rows() - 1), key = std::min(s.state.key, s.of("S").columns() - 1);
  const auto score = static_cast<double>(s.of("S").values(query, key));
  const double products = static_cast<double>(s.of("P").values.row(key).sum());
  const Formula q = coloured(indexed("q", "i"), s.colours.query), k = coloured(indexed("k", "j"), s.colours.key);
  const Formula exponential = row({word("exp"), parenthesised(indexed("s", "ij"))});
  const Formula others = row({large("∑", symbol("j′")), word("exp"), parenthesised(indexed("s", "ij′"))});
  const bool hidden = !std::isfinite(score);
  std::vector<Formula> sum{indexed("s", "ij"), operation("=")};
  if (hidden)
    sum.push_back(value_of(score));
  else
    for (const Formula& part : {fraction(row({q, operation("·"), k}), s.root_of_size()), operation("="),
                                fraction(number(fixed(products)), s.root_of_size()), operation("="), value_of(score)})
      sum.push_back(part);
  s.made.title = "a score, and the weight that it makes";
  s.made.lines = {row(std::move(sum)),
                  row({indexed("A", "ij"), operation("="), fraction(exponential, others), operation(hidden ? "=" : "≈"),
                       value_of(static_cast<double>(s.of("A").values(query, key)))})};
  s.made.note = "i: " + quoted(label_of(s.of("A").row_labels, query)) +
                ", the query. j: " + quoted(label_of(s.of("A").column_labels, key)) + ", the key" +
                (hidden ? ", which comes later and is hidden: a causal model does not look ahead." : ".");
}

}  // namespace limelight::scenes::sentence
