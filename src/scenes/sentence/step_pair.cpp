// The step Query and key: what one weight is made of, number by number.
#include <algorithm>
#include <cmath>

#include "figure/choreography.h"
#include "figure/marks.h"
#include "figure/small_cells.h"
#include "io/numbers.h"
#include "scenes/sentence/steps.h"

namespace limelight::scenes::sentence {
namespace {
// Where the picture's parts stand: q over K, beside that the products, each row's sum as a bar, and its light.
struct Plan {
  int begin, count, size;  // rows that are shown; numbers of a key
  float cell, pitch, names;
  Rect q{}, K{}, P{}, bars{}, light{};
  RowTimesColumn seen{};  // of the key that is looked at, then of all others
  float lit = 1;          // how far the softmax has come, which needs the sums of all

  [[nodiscard]] float middle(int row) const { return K.y + pitch * (static_cast<float>(row - begin) + 0.5F); }
  [[nodiscard]] Rect row_of(const Rect& matrix, int row) const {
    return {matrix.x, middle(row) - pitch / 2, matrix.w, pitch};
  }
  [[nodiscard]] Rect cell_of(const Rect& row, int i) const {
    return {row.x + cell * static_cast<float>(i), row.y, cell, row.h};
  }
};

Plan plan_of(const Drawing& d, float y) {
  const bool narrow = d.narrow();
  const Tensor& K = d.trace.at(d.tensor("K"));
  const auto [begin, end] = window_of(K.rows(), d.key, 40);
  const float k = d.label_scale(), names = narrow ? 58 : 70 * k, gap = narrow ? 6 : 12 * k, bars = narrow ? 0 : 136 * k,
              light = narrow ? 60 : 104 * k, q = narrow ? 16 : 26 * k;
  const auto size = static_cast<float>(K.columns()), count = static_cast<float>(end - begin);
  const float cell = std::min((d.inner() - names - bars - light - 3 * gap) / (2 * size), 40 * k), across = cell * size;
  const float top = y + q + 8, pitch = std::clamp((d.view.height - top - 40) / count, 12.F, 52 * k),
              high = pitch * count;
  const float left = d.margin() + names, second = left + across + gap, third = second + across + gap;
  Plan made{begin, end - begin, K.columns(), cell, pitch, names};
  made.q = {left, y, across, q}, made.K = {left, top, across, high}, made.P = {second, top, across, high};
  made.bars = {third, top, bars, high}, made.light = {third + bars + (narrow ? 0 : gap), top, light, high};
  made.seen = row_times_column(d.view.t / 0.85F), made.lit = smoothstep(0.85F, 1, d.view.t);
  return made;
}

// Cells of a role, with digits where there is room for them.
Element& add_cells(Drawing& d, const Plan& plan, const std::string& id, const CellRange& range, Rect at, Colour tint) {
  MatrixCells cells = small_cells(range, std::min(plan.cell, plan.pitch), tint, d.view.theme);
  if (range.rows == 1 && plan.cell >= 28)
    cells.text_size = std::min((plan.cell - 3.6F) / 2.42F, 0.6F * at.h), cells.decimals = 1;
  return add_part(d, id, Role::cell, at, range.tensor, cells);
}

// A matrix whose rows are shown from the top down, and over it the row that is looked at.
void add_matrix(Drawing& d, const Plan& plan, const std::string& tensor, const Rect& at, Colour tint, float others) {
  add_cells(d, plan, tensor, {tensor, plan.begin, 0, plan.count, plan.size}, at, tint);
  if (others < 1) d.figure.elements.back().clip = Rect{at.x - 1, at.y, at.w + 2, at.h * others};
  if (others > 0) add_cells(d, plan, tensor + ".row", {tensor, d.key, 0, 1, plan.size}, plan.row_of(at, d.key), tint);
}

// q comes to where the products will be, dissolves in them number by number, and then all go into their sum.
void add_meeting(Drawing& d, const Plan& plan) {
  const RowTimesColumn& seen = plan.seen;
  const std::string q = d.tensor("q"), P = d.tensor("P");
  const Rect key = plan.row_of(plan.K, d.key), products = plan.row_of(plan.P, d.key);
  add_cells(d, plan, q + ".meets", {q, 0, 0, 1, plan.size},
            {mix(plan.q.x, products.x, smoothstep(0, 0.5F, seen.turn)),
             mix(plan.q.y, products.y, smoothstep(0.5F, 1, seen.turn)), plan.q.w, mix(plan.q.h, products.h, seen.turn)},
            d.colours.query_fill)
      .opacity = smoothstep(0, 1, seen.lift) * (1 - smoothstep(0.6F, 1, seen.multiply));
  const Rect sum{plan.bars.x, products.y, plan.cell, products.h};
  for (int i = 0; i < plan.size; ++i) {
    const float made = in_turn(seen.multiply, i, plan.size), falls = in_turn(seen.add, plan.size - 1 - i, plan.size);
    const Rect there = plan.cell_of(products, i);
    const auto add = [&](const char* name, Rect at, float opacity) {
      if (opacity > 0)
        add_cells(d, plan, P + name + std::to_string(i), {P, d.key, i, 1, 1}, at, d.colours.score_fill).opacity =
            opacity;
    };
    add(".number.", mix(plan.cell_of(key, i), there, made), std::min(4 * made, 1.F));
    add(".falls.", mix(there, sum, falls), std::min(4 * falls, 1.F) * (1 - smoothstep(0.8F, 1, falls)));
  }
}

// A key's name, which a press looks at, the sum of its products, and the light that it gets.
void add_key(Drawing& d, const Plan& plan, int row, Light& light) {
  const std::string number = std::to_string(row), sums = d.tensor("s"), shares = d.tensor("a");
  const Matrix &s = d.trace.at(sums).values, &a = d.trace.at(shares).values;
  const float y = plan.middle(row), share = a(row, 0), k = d.label_scale(),
              letters = std::min(13 * k, 0.75F * plan.pitch);
  const std::vector<int> hidden = hidden_in(d.trace);
  const std::string name =
      std::ranges::find(hidden, row) == hidden.end() ? d.words()[static_cast<std::size_t>(row)] : "•••";
  const Rect at{d.margin(), y - plan.pitch / 2, plan.names - 8, plan.pitch};
  const bool looked_at = row == d.key, much = share >= kTold;
  const float summed = looked_at ? plan.seen.add : in_turn(plan.seen.others, row - plan.begin, plan.count);
  const Type type{looked_at ? text::Face::semibold : text::Face::regular, letters};
  const TextStyle style = fitted({looked_at ? d.colours.key : d.colours.muted, type}, name, at.w, 9);
  const float wide = std::min(text::measure(style.type.face, style.type.size, name) + 1, at.w);
  add_words(d.figure, "pair.name." + number, {at.right() - wide, at.y, wide, at.h}, name, style);
  add_part(d, "pair.key." + number, Role::token, at, "Look at the key of " + name).edit = Edit{"key", number};
  const Rect &bars = plan.bars, &lit = plan.light;
  const float digits = 46 * k, low = std::min(s.minCoeff(), 0.F),
              unit = (bars.w - digits) / std::max(s.maxCoeff() - low, 1e-6F), zero = bars.x - low * unit,
              value = s(row, 0), end = zero + summed * value * unit;
  if (bars.w > 0 && std::isfinite(value)) {
    const std::string sum = fixed(static_cast<double>(value), 2);
    add_part(d, cell_id({sums, row, 0}), Role::cell,
             {std::min(zero, end), y - 0.3F * plan.pitch, std::max(std::abs(end - zero), 1.F), 0.6F * plan.pitch},
             "score " + sum, Rectangle{.fill = d.colours.score_fill.faded(value < 0 ? 0.4F : 1.F), .radius = 2})
        .source = Source{sums, row, 0};
    d.figure.elements.back().opacity = summed > 0 ? 1.F : 0.F;
    add_words(d.figure, "pair.sum." + number, {bars.right() - digits, y - 8, digits, 16}, sum,
              {looked_at ? d.colours.ink : d.colours.muted,
               {looked_at ? text::Face::mono_bold : text::Face::mono, std::min(12 * k, letters)},
               Align::right});
    d.figure.elements.back().opacity = smoothstep(0.6F, 1, summed);
  }
  const float reach = d.narrow() ? 10 : 0.55F * lit.w, half = 1.2F + 0.42F * plan.pitch * share;
  Light::Beam beam{.from = {lit.x, y}, .to = {lit.x + reach * std::max(plan.lit, 0.1F), y}};
  beam.half_from = beam.half_to = half, beam.row = d.query, beam.column = row;
  beam.intensity = plan.lit * (0.05F * smoothstep(0.002F, 0.012F, share) + 2.2F * share);
  light.beams.push_back(straight(beam));
  const std::string words = share_text({a.data(), static_cast<std::size_t>(a.size())}, row);
  const Type type_of_share{much ? text::Face::mono_bold : text::Face::mono, std::min((much ? 15 : 12) * k, letters)};
  add_words(d.figure, cell_id({shares, row, 0}), {lit.x + reach, y - 8, lit.w - reach, 16}, words,
            {much ? d.colours.amber_text : d.colours.muted, type_of_share, Align::right});
  Element& told = d.figure.elements.back();
  told.opacity = plan.lit, told.role = Role::cell, told.label = "weight " + words, told.source = Source{shares, row, 0};
}

}  // namespace

float draw_pair(Drawing& d) {
  const Plan plan = plan_of(d, add_head_chips(d, add_sentence(d, 10, d.inner())) + 12);
  const float size = 13 * d.label_scale(), below = plan.K.bottom() + 5;
  add_words(d.figure, d.tensor("q") + ".title", {d.margin(), plan.q.y, plan.names - 8, plan.q.h}, "q asks",
            {d.colours.query, {text::Face::semibold, size}, Align::right});
  add_cells(d, plan, d.tensor("q"), {d.tensor("q"), 0, 0, 1, plan.size}, plan.q, d.colours.query_fill);
  add_matrix(d, plan, d.tensor("K"), plan.K, d.colours.key_fill, 1);
  add_matrix(d, plan, d.tensor("P"), plan.P, d.colours.score_fill, plan.seen.others);
  if (d.view.t < 1) add_meeting(d, plan);
  Light light{.tensor = {}, .theme = d.view.theme};
  const std::size_t at = d.figure.elements.size();
  for (int row = plan.begin; row < plan.begin + plan.count; ++row) add_key(d, plan, row, light);
  Element lit{.id = "pair.light", .rect = plan.light, .label = "The weights as light", .shape = std::move(light)};
  d.figure.elements.insert(d.figure.elements.begin() + static_cast<std::ptrdiff_t>(at), std::move(lit));
  add_ring(d.figure, "pair.row",
           {plan.K.x - 2, plan.middle(d.key) - plan.pitch / 2 - 1,
            mix(plan.K.right(), plan.P.right(), plan.seen.multiply) - plan.K.x + 4, plan.pitch + 2},
           d.colours.key);
  const auto caption = [&](const char* of, Rect under, const std::string& words, Colour colour) {
    add_words(d.figure, d.tensor(of) + ".title", {under.x, below, under.w, 18}, words,
              fitted({colour, {text::Face::regular, size}}, words, under.w, 9));
  };
  caption("K", plan.K, d.narrow() ? "K: the keys" : "K: a key for each word", d.colours.key);
  caption("P", plan.P, d.narrow() ? "q times each key" : "q times each key; a cut corner: below 0", d.colours.muted);
  const std::string over = " ÷ √" + std::to_string(plan.size);
  const auto in = [&](const char* of) {
    return fixed(static_cast<double>(d.trace.at(d.tensor(of)).values.row(d.key).sum()), 2);
  };
  if (plan.bars.w > 0)
    caption("s", plan.bars, plan.seen.add < 1 ? "sum" + over : in("P") + over + " = " + in("s"), d.colours.ink);
  caption("a", plan.light, d.narrow() ? "weight" : "softmax: light", d.colours.amber_text);
  return below + 20;
}

std::string tell_pair(const Told& told) {
  const Tensor& P = told.trace.at(of_head("P", told.head.layer, told.head.head));
  const int key = std::min(told.state.key, P.rows() - 1);
  const std::string meet = "The query of " + told.asking() + ", what it looks for, times the key of " + told.word(key) +
                           ", what that offers, number by number";
  if (!told.shows_result) return meet + " …";
  return meet + ": the products sum to " + bold(fixed(static_cast<double>(P.values.row(key).sum()), 2)) +
         ". Divided by √" + std::to_string(P.columns()) +
         " this is the score; the softmax makes weights of all scores, which share one light: here " +
         bold(share_of(told.weights()(told.query, key))) + ".";
}

void formula_pair(Stepped& s) {
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
