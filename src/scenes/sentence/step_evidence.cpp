// The step As evidence: whether the words that are looked at are those that count.
#include <algorithm>
#include <cmath>

#include "io/numbers.h"
#include "scenes/common/lit_stage.h"
#include "scenes/sentence/steps.h"

namespace limelight::scenes::sentence {
namespace {
// The lamp of the hidden word, over it. Its light falls on the words at y = `floor`, as far as it has come.
Brightness add_lamp_over(Drawing& d, const Words& words, std::span<const float> looks, int place, float top,
                         float floor) {
  const Slots& slots = words.slots;
  const float k = d.scale();
  Lamp lamp{.bulb = {slots.centre(place), top + 40 * k}, .cable_from = top, .scale = 0.9F * k};
  const Point to = slots.foot(brightest(looks), floor);
  lamp.tilt = std::clamp(0.72F * std::atan2(to.x - lamp.bulb.x, to.y - lamp.bulb.y), -0.85F, 0.85F);
  Light light = light_over(lamp, slots, floor, {.tensor = "attended", .weights = looks, .theme = d.view.theme});
  for (Light::Beam& beam : light.beams) beam.intensity *= 1.4F;  // it falls far, and on many
  Brightness brightness(light);
  add_part(d, std::string(kLightId), Role::cell, {0, top, d.figure.width, floor + 20 - top},
           "Where the hidden word looks", std::move(light));
  add_lamp(d.figure, std::string(kLampId), lamp, d.view.theme);
  return brightness;
}

}  // namespace

float draw_evidence(Drawing& d) {
  const bool there = d.trace.find("attended") != nullptr && !lacks_target(d);
  float y = there ? 8 : add_sentence(d, 10, d.inner()) + 6;
  if (lacks_target(d)) return add_no_target(d, y);
  y = add_trying(d, y, "without each of its words");
  if (!there) return y;
  const float labels = d.label_scale(), k = d.scale(), number = 18 * labels, rise = smoothstep(-0.25F, 0.45F, d.view.t),
              fall = smoothstep(0.4F, 0.85F, d.view.t), end = std::max(d.view.height, 420.F) - 24 * labels;
  const int place = hidden_in(d.trace).front();
  std::vector<float> looks = row_of(d.trace, "attended", 0);
  const Matrix& costs = d.trace.at("erasure").values;
  const Words words =
      words_in(d, Side::queries,
               {.room = {d.margin() + 20, 0, d.inner() - 40, 0}, .most = std::round(25 * k), .least = 14}, looks);
  for (float& look : looks) look *= rise;
  const bool upright = words.slots.upright;
  const float baseline = y + 0.45F * (end - y), floor = baseline + (upright ? 6 : 20 * k),
              titled = floor + (upright ? 8 : 18 * k + 14 * labels), up = titled + 20 * labels;
  add_words(d.figure, "attended.title", {d.margin(), y, d.inner(), 18},
            "where the hidden word looks" +
                (d.narrow() ? "" : ": mean of the " + io::count_of(d.heads, "head") + " of the last layer"),
            d.bold(d.colours.amber_text, 13));
  const Brightness brightness = add_lamp_over(d, words, looks, place, y + 20 * labels, floor);
  const std::size_t first = d.figure.elements.size();
  Look look{.weights = looks, .tensor = "attended", .query = d.query, .baseline = baseline, .scale = k};
  look.shares = upright ? 0 : floor + 18 * k, look.length = 60 * std::max(k, 0.8F), look.light = brightness;
  add_row(d, words, look);
  for (Element& element : std::span(d.figure.elements).subspan(first)) {
    if (element.source) element.source->row = 0;
    if (element.id.starts_with("stage.share."))
      element.opacity = smoothstep(0.45F, 0.5F, d.view.t);  // of all its light
  }
  const float high = std::max(costs.maxCoeff(), 0.F), low = std::min(costs.minCoeff(), 0.F),
              unit = (end - up - 2 * number) / std::max(high - low, 1e-6F), down = up + number + unit * high;
  const float half = std::clamp(0.26F * words.slots.pitch, 3.F, 17 * k);
  for (int i = words.slots.first; i < words.slots.first + words.slots.count; ++i) {
    if (!upright && (i < d.first() || i == place))
      add_words(d.figure, "erasure.none." + std::to_string(i), {words.slots.centre(i) - 40, down + 2, 80, 16},
                i == place ? "is hidden" : "not tried", d.muted(11.5F, Align::centre));
    add_change(d, {"erasure", 0, i}, "Without " + d.words()[static_cast<std::size_t>(i)],
               {words.slots.centre(i) - half, down, 2 * half, 0}, unit * fall,
               fall == 1 && std::abs(costs(0, i)) > (upright ? 0.3F : 0.05F) * std::max(high, -low));
  }
  add_stroke(d, "erasure.zero", {{d.margin(), down}, {d.margin() + d.inner(), down}}, d.colours.track);
  add_words(d.figure, "erasure.title", {d.margin(), titled, d.inner(), 18},
            "what " + quoted(d.typed(place)) + " loses when that word is hidden, too" +
                (d.narrow() ? "" : ", in percentage points"),
            d.bold(d.colours.output, 13));
  return end;
}

std::string tell_evidence(const Told& told) {
  if (told.trace.find("attended") == nullptr)
    return "Hide a word: then its weights can be compared with what happens when each other word is hidden as well.";
  std::vector<float> looks = row_of(told.trace, "attended", 0), costs = row_of(told.trace, "erasure", 0);
  looks[static_cast<std::size_t>(told.hidden())] = 0;  // of the others
  for (float& cost : costs) cost = std::abs(cost);
  const int looked = brightest(looks), needed = brightest(costs);
  if (!told.shows_result)
    return "Does the answer need the words that are looked at? Besides the hidden word, each other one is hidden in "
           "turn …";
  return "Of the others, the hidden word looks most at " + told.word(looked) + ". The answer changes most when " +
         told.word(needed) + " is hidden, too: by " +
         fixed(100 * static_cast<double>(costs[static_cast<std::size_t>(needed)]), 1) + " points. " +
         (needed == looked ? "Here the two agree, which they need not: try the example **pronoun**. " : "") +
         "**Weights say where light goes, not why the model answers as it does.**";
}

void formula_evidence(Stepped& s) {
  if (!s.predicts) return formula_head(s);
  s.made.title = "without a word";
  s.made.lines = {row({indexed("Δ", "j"), operation("="), change_without(symbol("j"))})};
  s.made.note = std::string("w is the word that was hidden; word j is ") +
                (s.causal ? "left out." : "hidden as well.") + " The light is the mean of the last layer’s heads.";
}

}  // namespace limelight::scenes::sentence
