// The step As evidence: whether the words that are looked at are those that count.
#include <algorithm>
#include <cmath>

#include "io/numbers.h"
#include "scenes/sentence/steps.h"

namespace limelight::scenes::sentence {

namespace {
// The two that matter: the one most looked at, of others than the hidden one, and the one without which most changes.
std::pair<int, int> extremes_of(const Trace& trace, int hidden) {
  std::vector<float> looks = row_of(trace, "attended", 0), costs = row_of(trace, "erasure", 0);
  looks[static_cast<std::size_t>(hidden)] = 0;
  for (float& cost : costs) cost = std::abs(cost);
  return {brightest(looks), brightest(costs)};
}

// How much a word is looked at, or what it costs: from its zero on, upwards where `by` is below 0.
void add_bar(Drawing& d, const Source& of, Rect zero, float by, bool told) {
  const bool looks = of.tensor == "attended";
  const float value = d.trace.at(of.tensor).values(of.row, of.column), labels = d.label_scale();
  const std::string said =
      looks ? share_text(value) : (value < 0 ? "−" : "+") + fixed(100 * std::abs(static_cast<double>(value)), 1);
  const Rect bar{zero.x, std::min(zero.y, zero.y + by), zero.w, std::max(std::abs(by), 1.F)};
  const Colour colour = looks ? d.colours.amber : d.colours.output_fill.faded(value < 0 ? 1.F : 0.5F);
  add_part(d, cell_id(of), Role::cell, bar,
           d.words()[static_cast<std::size_t>(of.column)] +
               (looks ? " gets " + said : ": " + said + " points when it is hidden, too"),
           Rectangle{.fill = std::abs(by) < 0.75F ? Colour{0, 0, 0, 0} : colour, .radius = 3})
      .source = of;
  if (told && std::abs(by) >= 0.75F)
    add_words(d.figure, cell_id(of) + ".said",
              {zero.centre().x - 50, by < 0 ? bar.y - 18 * labels : bar.bottom(), 100, 18 * labels}, said,
              {looks ? d.colours.amber_text : d.colours.output, {text::Face::mono_bold, 15 * labels}, Align::centre});
}

}  // namespace

float draw_evidence(Drawing& d) {
  const bool there = d.trace.find("attended") != nullptr && !lacks_target(d);
  float y = there ? 8 : add_sentence(d, 10, d.inner()) + 6;
  if (lacks_target(d)) return add_no_target(d, y);
  y = add_trying(d, y, "without each of its words");
  if (!there) return y;
  const float labels = d.label_scale(), k = d.scale(), number = 18 * labels;
  const float end = std::max(d.view.height, 420.F) - 44 * labels;
  const int place = hidden_in(d.trace).front();
  const std::vector<float> looks = row_of(d.trace, "attended", 0);
  const Matrix& costs = d.trace.at("erasure").values;
  const Words words =
      words_in(d, Side::queries,
               {.room = {d.margin() + 20, 0, d.inner() - 40, 0}, .most = std::round(25 * k), .least = 14}, looks);
  // Above the words and below them one scale.
  const float length = 60 * std::max(k, 0.8F), band = words.slots.upright ? length + 8 : 40 * k,
              high = std::max(costs.maxCoeff(), 0.F), most = looks[static_cast<std::size_t>(brightest(looks))];
  const float unit =
      (end - y - 20 - band - 2 * number) / std::max(most + high - std::min(costs.minCoeff(), 0.F), 1e-6F);
  const float up = y + 20 + number + unit * most, down = up + band + unit * high;
  add_words(d.figure, "attended.title", {d.margin(), y, d.inner(), 18},
            "how much the hidden word looks at each, in the last layer", d.bold(d.colours.amber_text, 13));
  const auto [looked, needed] = extremes_of(d.trace, place);
  const float half = std::clamp(0.26F * words.slots.pitch, 3.F, 17 * k), rise = smoothstep(-0.25F, 0.45F, d.view.t),
              fall = smoothstep(0.4F, 0.85F, d.view.t);
  for (int i = words.slots.first; i < words.slots.first + words.slots.count; ++i) {
    const bool told = i == looked || i == needed;
    const Rect above{words.slots.centre(i) - half, up, 2 * half, 0}, below{above.x, down, above.w, 0};
    add_bar(d, {"attended", 0, i}, above, -unit * rise * looks[static_cast<std::size_t>(i)], told && rise == 1);
    add_bar(d, {"erasure", 0, i}, below, -unit * fall * costs(0, i), told && fall == 1);
  }
  add_row(d, words,
          {.weights = looks,
           .query = d.query,
           .baseline = up + (words.slots.upright ? band - 4 : 28 * k),
           .length = length,
           .scale = k});
  for (const float zero : {up, down})
    add_stroke(d, zero == up ? "attended.zero" : "erasure.zero", {{d.margin(), zero}, {d.margin() + d.inner(), zero}},
               d.colours.track);
  add_words(
      d.figure, "erasure.title", {d.margin(), end, d.inner(), 18},
      "how far the answer " + quoted(d.typed(place)) + " falls when that word is hidden, too, in percentage points",
      d.bold(d.colours.output, 13));
  return end + 20 * labels;
}

std::string tell_evidence(const Told& told) {
  if (told.trace.find("attended") == nullptr)
    return "Hide a word: then its weights can be compared with what happens when each other word is hidden as well.";
  const auto [looked, needed] = extremes_of(told.trace, told.hidden());
  if (!told.shows_result)
    return "Does the answer need the words that are looked at? Besides the hidden word, each other one is hidden in "
           "turn …";
  const float cost = told.trace.at("erasure").values(0, needed);
  return "The hidden word looks most at " + told.word(looked) + ". The answer changes most when " + told.word(needed) +
         " is hidden, too: by " + fixed(100 * std::abs(static_cast<double>(cost)), 1) + " points. " +
         (needed == looked ? "Here the two agree, which they need not. " : "") +
         "**Weights say where light goes, not why the model answers as it does.**";
}

void formula_evidence(Stepped& s) {
  if (!s.predicts) return formula_head(s);
  s.made.title = "without a word";
  s.made.lines = {row({indexed("Δ", "j"), operation("="), change_without(symbol("j"))}),
                  row({symbol("ρ"), operation("="), word("correlation"),
                       parenthesised(row({word("rank "), indexed("Ā", "ij"), word(", "), word("rank |"),
                                          indexed("Δ", "j"), word("|")}))})};
  if (const Tensor* agreement = s.trace.find("agreement"); agreement != nullptr)
    s.made.lines.push_back(row({symbol("ρ"), operation("≈"), value_of(static_cast<double>(agreement->values(0, 0)))}));
  s.made.note = std::string("w is the word that was hidden at place i; word j is ") +
                (s.causal ? "left out" : "hidden as well") +
                ". Ā is the mean over heads, of one layer or all, or the rollout. ρ is Spearman’s.";
}

}  // namespace limelight::scenes::sentence
