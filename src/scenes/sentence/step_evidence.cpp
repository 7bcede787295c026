// The step As evidence: whether the words that are looked at are those that count.
#include <algorithm>
#include <cmath>

#include "figure/choreography.h"
#include "io/numbers.h"
#include "scenes/sentence/lamp_stage.h"
#include "scenes/sentence/steps.h"

namespace limelight::scenes::sentence {

namespace {

// To one side of the words, or on phones to their left, how much each is looked at; to the other, how much likelier the
// hidden one is without it, below zero away from them.
struct Mirror {
  Words words;                  // in a row; of a column only which they are
  float up = 0, down = 0;       // the zeros of both sides
  float unit = 0;               // px of a share of 1
  float half = 0;               // of a bar's breadth
  float baseline = 0, end = 0;  // of the words; of the bars that lead down
  bool column = false;

  [[nodiscard]] Rect bar(int word, float zero, float by) const {
    const float at = words.slots.centre(word), low = std::min(zero, zero + by), long_ = std::max(std::abs(by), 1.F);
    return column ? Rect{low, at - half, long_, 2 * half} : Rect{at - half, low, 2 * half, long_};
  }
};

// The two that matter: the one most looked at, of others than the hidden one, and the one without which most changes.
std::pair<int, int> extremes_of(const Trace& trace, int hidden) {
  std::vector<float> looks = row_of(trace, "attended", 0), costs = row_of(trace, "erasure", 0);
  looks[static_cast<std::size_t>(hidden)] = 0;
  for (float& cost : costs) cost = std::abs(cost);
  return {brightest(looks), brightest(costs)};
}

Mirror mirror_of(const Drawing& d, float y, float end, std::span<const float> looks, const Matrix& costs) {
  const float k = d.scale(), labels = d.label_scale(), high = std::max(costs.maxCoeff(), 0.F);
  const float most = std::max(*std::ranges::max_element(looks), 1e-6F) + high, low = std::max(-costs.minCoeff(), 1e-6F);
  Mirror made;
  made.column = d.narrow();
  const Setting setting{.room = {d.margin() + 20, 0, d.inner() - 40, 0}, .most = std::round(25 * k), .least = 14};
  made.words = words_in(d, Side::queries, setting, looks);
  Slots& slots = made.words.slots;
  const float numbers = 18 * labels;
  if (made.column) {
    constexpr float kNames = 88;
    slots = {.first = slots.first, .count = slots.count, .of = slots.of, .begin = y, .pitch = 24, .column = true};
    made.half = 7, made.end = y + 24 * static_cast<float>(slots.count);
    made.unit = (d.inner() - kNames - 100) / (most + low);
    made.baseline = d.margin() + 46 + made.unit * (most - high), made.up = made.baseline - 4;
    made.down = made.baseline + kNames + made.unit * high;
    return made;
  }
  const float words = slots.upright ? 66 * k : 40 * k;
  made.unit = (end - y - words - 2 * numbers) / (most + low);
  made.up = y + numbers + made.unit * (most - high), made.baseline = made.up + (slots.upright ? words - 4 : 28 * k);
  made.down = made.up + words + made.unit * high, made.end = end;
  made.half = std::clamp(0.26F * slots.pitch, 3.F, 17 * k);
  return made;
}

void add_bar(Drawing& d, const Mirror& plan, const Source& of, float zero, float by, bool told) {
  const bool looks = of.tensor == "attended";
  const float value = d.trace.at(of.tensor).values(of.row, of.column), labels = d.label_scale();
  const std::string& word = d.words()[static_cast<std::size_t>(of.column)];
  const std::string said = looks ? share_text(value)
                                 : (value < 0 ? "−" : "+") + fixed(100 * std::abs(static_cast<double>(value)), 1) +
                                       (plan.column ? "" : " points");
  const Rect bar = plan.bar(of.column, zero, by);
  const bool seen = std::abs(by) >= 0.75F;  // 0 is nothing
  const Colour colour = !seen   ? Colour{0, 0, 0, 0}
                        : looks ? d.colours.amber
                                : d.colours.output_fill.faded(value < 0 ? 1.F : 0.5F);
  add_part(d, cell_id(of), Role::cell, bar, word + (looks ? " gets " + said : ": " + said + " when it is hidden, too"),
           Rectangle{.fill = colour, .radius = std::min(3.F, plan.half)})
      .source = of;
  if (!told) return;
  const float far = by < 0 ? -1 : 1;
  const Rect at = plan.column ? Rect{by < 0 ? bar.x - 64 : bar.right() + 4, bar.centre().y - 8, 60, 16}
                              : bar.moved(0, far * (bar.h / 2 + 9 * labels)).inset(-80);
  add_words(d.figure, cell_id(of) + ".said", plan.column ? at : Rect{at.x, at.centre().y - 9, at.w, 18}, said,
            {looks ? d.colours.amber_text : d.colours.output,
             {text::Face::mono_bold, (plan.column ? 12 : 15) * labels},
             !plan.column ? Align::centre
             : by < 0     ? Align::right
                          : Align::left});
}

// Whether the order of the one is that of the other: from −1 to 1. Returns the bottom.
float add_agreement(Drawing& d, float y, float share) {
  constexpr const char* kWays[] = {"last layer", "all layers", "rollout"};
  const Tensor& agreement = d.trace.at("agreement");
  const float labels = d.label_scale(), pitch = 20 * labels, names = 84 * labels, size = 12.5F * labels;
  const bool beside = !d.narrow();
  const float left = beside ? d.margin() + 0.46F * d.inner() : d.margin(), right = d.margin() + d.inner() - 50 * labels;
  const float below = add_note(d, "agreement",
                               "**Do words that are looked at more count more?** Their ranks by light and by cost, "
                               "correlated: 1 is the same order, 0 none, −1 the opposite.",
                               {d.margin(), y}, beside ? left - d.margin() - 40 : d.inner(), 13 * labels);
  if (!beside) y = below + 8;
  const Rect axis{left + names, y, right - left - names, 3 * pitch};
  add_stroke(d, "agreement.zero", {{axis.centre().x, y}, {axis.centre().x, axis.bottom()}}, d.colours.track, 1.5F);
  for (int way = 0; way < 3; ++way) {
    const float value = agreement.values(0, way), line = y + pitch * static_cast<float>(way);
    const float to = axis.centre().x + share * value * axis.w / 2, from = axis.centre().x;
    const std::string id = cell_id({"agreement", 0, way});
    add_words(d, id + ".name", {left, line, names - 8, pitch}, kWays[way],
              {d.colours.muted, {text::Face::regular, size}});
    add_box(d, id + ".track", {axis.x, line + pitch / 2 - 1, axis.w, 2}, {.fill = d.colours.track});
    add_part(d, id, Role::cell, {std::min(from, to), line + 0.22F * pitch, std::abs(to - from), 0.56F * pitch}, id,
             Rectangle{.fill = d.colours.muted, .radius = 3})
        .source = Source{"agreement", 0, way};
    add_words(d.figure, id + ".said", {axis.right() + 8, line, 50 * labels, pitch},
              fixed(static_cast<double>(value), 2), {d.colours.ink, {text::Face::mono_bold, size}});
  }
  return std::max(axis.bottom(), below);
}

}  // namespace

float draw_evidence(Drawing& d) {
  if (!d.is_read()) return add_without_model(d, 14);
  const bool there = d.trace.find("attended") != nullptr && !lacks_target(d);
  float y = there ? 8 : add_sentence(d, 10) + 6;
  if (lacks_target(d)) return add_no_target(d, y);
  y = add_trying(d, y, "without each of its words");
  if (!there) return y;
  const float labels = d.label_scale(), end = std::max(d.view.height, 420.F) - 112 * labels;
  const int place = hidden_in(d.trace).front();
  const std::vector<float> looks = row_of(d.trace, "attended", 0);
  const Matrix& costs = d.trace.at("erasure").values;
  const Type title{text::Face::semibold, 13 * labels};
  const std::string cost = "what hiding it, too, costs the answer " + quoted(d.typed(place));
  add_words(d.figure, "attended.title", {d.margin(), y, d.inner(), 18}, "how much it is looked at",
            {d.colours.amber_text, title});
  if (d.narrow())
    add_words(d.figure, "erasure.title", {d.margin(), y + 18, d.inner(), 18}, cost,
              {d.colours.output, title, Align::right});
  const Mirror plan = mirror_of(d, y + (d.narrow() ? 42.F : 12.F), end, looks, costs);
  const auto [looked, needed] = extremes_of(d.trace, place);
  const Slots& slots = plan.words.slots;
  const float rise = smoothstep(0, 0.45F, d.view.t), fall = smoothstep(0.4F, 0.85F, d.view.t);
  for (int i = slots.first; i < slots.first + slots.count; ++i) {
    const bool told = (i == looked || i == needed) && d.view.t > 0.4F;
    add_bar(d, plan, {"attended", 0, i}, plan.up, -plan.unit * rise * looks[static_cast<std::size_t>(i)], told);
    add_bar(d, plan, {"erasure", 0, i}, plan.down, -plan.unit * fall * costs(0, i), told && fall > 0.5F);
    if (plan.column)
      add_words(d.figure, "evidence.word." + std::to_string(i), {plan.baseline, slots.centre(i) - 10, 84, 20},
                i == place ? "•••" : d.words()[static_cast<std::size_t>(i)],
                {i == looked || i == needed ? d.colours.ink : d.colours.muted,
                 i == looked || i == needed ? type::subtitle : type::body, Align::centre});
  }
  if (!plan.column) {
    add_row(
        d, plan.words,
        {.weights = looks, .query = d.query, .baseline = plan.baseline, .length = 60 * d.scale(), .scale = d.scale()});
    for (const float zero : {plan.up, plan.down})
      add_stroke(d, zero == plan.up ? "attended.zero" : "erasure.zero",
                 {{d.margin(), zero}, {d.margin() + d.inner(), zero}}, d.colours.track);
    add_words(d.figure, "erasure.title", {d.margin(), plan.end, d.inner(), 18}, cost, {d.colours.output, title});
  }
  return add_agreement(d, plan.end + (plan.column ? 12.F : 30.F * labels), smoothstep(0.8F, 1, d.view.t));
}

std::string tell_evidence(const Told& told) {
  const Tensor* attended = told.trace.find("attended");
  if (attended == nullptr)
    return "Hide a word: then its weights can be compared with what happens when each other word is hidden as well.";
  const Matrix& change = told.trace.at("erasure").values;
  const int hidden = told.hidden();
  Eigen::Index needed = 0, looked = 0;
  change.row(0).cwiseAbs().maxCoeff(&needed);
  Matrix look = attended->values.row(0);
  look(0, hidden) = 0;
  look.row(0).maxCoeff(&looked);
  return "In the last layer the hidden place looks most at " + told.word(static_cast<int>(looked)) +
         "; what changes the answer most when it is hidden, too, is " + told.word(static_cast<int>(needed)) + ", by " +
         fixed(100 * static_cast<double>(change(0, needed)), 1) + " points. " +
         (needed == looked ? "Here the two agree, which they need not. " : "") +
         "**Weights say where values come from, not why the model answers as it does.**";
}

void formula_evidence(Stepped& s) {
  if (!s.predicts) return formula_head(s);
  s.made.title = "without a word";
  s.made.lines = {row({indexed("Δ", "j"), operation("="), change_without(symbol("j"))}),
                  row({symbol("ρ"), operation("="), word("correlation"),
                       parenthesised(row({word("rank "), indexed("Ā", "ij"), word(", "), word("rank |"),
                                          indexed("Δ", "j"), word("|")}))})};
  s.made.note = std::string("w is the word that was hidden at place i; word j is ") +
                (s.causal ? "left out" : "hidden as well") +
                ". Ā is the mean over heads, of one layer or all, or the rollout. ρ is Spearman’s.";
}

}  // namespace limelight::scenes::sentence
