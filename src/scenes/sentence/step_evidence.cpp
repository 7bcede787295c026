// The step As evidence: whether the words that are looked at are those that count.
#include <algorithm>
#include <cmath>

#include "figure/choreography.h"
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

// Words are hidden in turn: a card falls on each, and is lifted again.
struct Trials {
  std::vector<int> words{};
  float gone = 0;   // turns
  int word = 0;     // whose turn it is, or that is pointed at
  float hides = 0;  // how much of it is hidden
};

Trials trials_of(const Drawing& d, const Words& words, int place) {
  Trials made;
  const int end = d.trace.at("model").values(0, 0) != 0 ? place : static_cast<int>(words.cards.size());
  for (int i = d.first(); i < end; ++i)
    if (words.slots.shows(i) && words.cards[static_cast<std::size_t>(i)] == 0) made.words.push_back(i);
  made.gone = Phase{0.12F, 0.92F}.along(d.view.t) * static_cast<float>(made.words.size());
  if (const auto turn = static_cast<std::size_t>(made.gone); turn < made.words.size()) {
    const float at = made.gone - static_cast<float>(turn);
    made.word = made.words[turn], made.hides = smoothstep(0, 0.4F, at) * (1 - smoothstep(0.75F, 1, at));
  } else if (d.view.t >= 1) {
    const std::optional<Source> cell = parse_cell_id(d.view.focus());
    made.word = cell && cell->tensor == "erasure" ? cell->column : word_at(d.view.hovered).value_or(-1);
    made.hides = std::ranges::find(made.words, made.word) == made.words.end() ? 0.F : 1.F;
  }
  return made;
}

// And what is left of the answer meanwhile.
void add_trial(Drawing& d, const Words& words, const Look& look, const Trials& trials, Rect area) {
  const Source whole{of_place("truth", hidden_in(d.trace).front()), 0, 0};
  float left = d.trace.at(whole.tensor).values(0, 0);
  if (trials.hides > 0) {
    const float size = words.slots.size, x = words.slots.centre(trials.word),
                slot = std::min(0.9F * words.slots.pitch, 24.F),
                letters =
                    text::measure(text::Face::display_bold, size, words.words[static_cast<std::size_t>(trials.word)]),
                wide = std::max(1.1F * letters + 10, 1.6F * size), high = 1.5F * std::max(letters, slot);
    const Rect card = words.slots.upright ? Rect{x - slot / 2, look.baseline + 3 - high, slot, high}
                                          : Rect{x - wide / 2, look.baseline - 1.05F * size, wide, 1.37F * size};
    const std::size_t first = d.figure.elements.size();
    add_hidden(d, "erasure.card", card.moved(0, -size * (1 - trials.hides)), false);
    show_since(d.figure, first, std::min(2 * trials.hides, 1.F));
    left += trials.hides * d.trace.at("erasure").values(0, trials.word);
  }
  add_words(d.figure, "answer.said", area,
            (d.narrow() ? "left of " : "what is left of ") + quoted(d.typed(hidden_in(d.trace).front())) + ": " +
                share_of(left),
            d.bold(d.colours.output, 13));
  const Rect track{area.x, area.bottom() + 4, area.w, 0.8F * area.h};
  add_box(d, "answer.track", track, {.fill = d.colours.sunken, .stroke = d.colours.track, .radius = 3});
  add_part(d, "answer", Role::cell, {track.x, track.y, std::max(track.w * left, 1.F), track.h}, share_of(left),
           Rectangle{.fill = d.colours.output_fill, .radius = 3})
      .source = whole;
}

// What it loses without each word, hanging below the word's light from a line that passes by the title.
void add_losses(Drawing& d, const Words& words, const Trials& trials, Rect area, Rect title) {
  const Slots& slots = words.slots;
  const Matrix& costs = d.trace.at("erasure").values;
  const float high = std::max(costs.maxCoeff(), 0.F), low = std::min(costs.minCoeff(), 0.F),
              unit = area.h / std::max(high - low, 1e-6F), down = area.y + unit * high,
              half = std::clamp(0.26F * slots.pitch, 3.F, 17 * d.scale());
  for (int i = slots.first; i < slots.first + slots.count; ++i) {
    const auto at = std::ranges::find(trials.words, i) - trials.words.begin();
    const bool tried = at < std::ssize(trials.words), none = unit * std::abs(costs(0, i)) < 1.5F;
    const float x = slots.centre(i), come = tried ? smoothstep(0.3F, 0.7F, trials.gone - static_cast<float>(at)) : 0;
    const std::string id = "." + std::to_string(i);
    add_stroke(d, "erasure.line" + id, {{x, x < title.right() ? title.bottom() : area.x}, {x, down}},
               d.colours.track.faded(come));
    add_change(d, {"erasure", 0, i}, "Without " + d.words()[static_cast<std::size_t>(i)], {x - half, down, 2 * half, 0},
               unit * come, come == 1 && !none && (slots.pitch > 56 || unit * std::abs(costs(0, i)) > 0.3F * area.h));
    if (tried && none) add_stroke(d, "erasure.tick" + id, {{x, down}, {x, down + 6}}, d.colours.muted.faded(come), 2);
    const bool hidden = words.cards[static_cast<std::size_t>(i)] != 0,
               untried = !slots.upright && (hidden || i < d.first());
    if (untried || (tried && none && slots.pitch > 14))
      add_words(d.figure, "erasure.none" + id, {x - 40, down + 7, 80, 14},
                untried ? hidden ? "is hidden" : "not tried" : "0",
                {d.colours.muted.faded(tried ? come : 1), {text::Face::regular, 11.5F}, Align::centre});
  }
  add_stroke(d, "erasure.zero", {{d.margin(), down}, {d.margin() + d.inner(), down}}, d.colours.track);
}

}  // namespace

float draw_evidence(Drawing& d) {
  const bool there = d.trace.find("attended") != nullptr && !lacks_target(d);
  float y = there ? 8 : add_sentence(d, 10, d.inner()) + 6;
  if (lacks_target(d)) return add_no_target(d, y);
  y = add_trying(d, y, "without each of its words");
  if (!there) return y;
  const float labels = d.label_scale(), k = d.scale(), number = 18 * labels, rise = smoothstep(-0.25F, 0.1F, d.view.t),
              end = std::max(d.view.height, 420.F) - 24 * labels;
  const int place = hidden_in(d.trace).front();
  std::vector<float> looks = row_of(d.trace, "attended", 0);
  const Words words =
      words_in(d, Side::queries,
               {.room = {d.margin() + 20, 0, d.inner() - 40, 0}, .most = std::round(25 * k), .least = 14}, looks);
  for (float& look : looks) look *= rise;
  const bool upright = words.slots.upright;
  const float baseline = y + 0.45F * (end - y), floor = baseline + (upright ? 6 : 20 * k),
              shares = floor + (upright ? 14 : 18 * k), titled = shares + (upright ? 12 : 14) * labels,
              up = titled + 20 * labels;
  add_words(d.figure, "attended.title", {d.margin(), y, d.inner(), 18},
            "where the hidden word looks" +
                (d.narrow() ? "" : ": mean of the " + io::count_of(d.heads, "head") + " of the last layer"),
            d.bold(d.colours.amber_text, 13));
  const Brightness brightness = add_lamp_over(d, words, looks, place, y + 20 * labels, floor);
  const std::size_t first = d.figure.elements.size();
  Look look{.weights = looks, .tensor = "attended", .query = d.query, .baseline = baseline, .shares = shares};
  look.scale = k, look.length = 60 * std::max(k, 0.8F), look.light = brightness;
  add_row(d, words, look);
  for (Element& element : std::span(d.figure.elements).subspan(first)) {
    if (element.source) element.source->row = 0;
    if (element.id.starts_with("stage.share."))
      element.opacity = smoothstep(0.06F, 0.1F, d.view.t);  // of all its light
  }
  const Trials trials = trials_of(d, words, place);
  const std::string title = "what " + quoted(d.typed(place)) + " loses when that word is hidden, too" +
                            (d.narrow() ? "" : ", in percentage points");
  const Rect below{d.margin(), titled, 8 + text::measure(text::Face::semibold, 13 * labels, title), 18 * labels};
  add_words(d.figure, "erasure.title", below, title, d.bold(d.colours.output, 13));
  add_losses(d, words, trials, {shares + 9 * labels, up + number, 0, end - up - 2 * number}, below);
  // At the upper right, but not where the lamp hangs.
  const float wide = d.narrow() ? 170 : 230 * labels, right = d.margin() + d.inner() - wide;
  const bool free = words.slots.centre(place) + 70 * k < right;
  add_trial(d, words, look, trials, {free ? right : d.margin(), free ? y : y + 24 * labels, wide, 18 * labels});
  return end;
}

std::string tell_evidence(const Told& told) {
  if (told.trace.find("attended") == nullptr)
    return "Hide a word: then its weights can be compared with what happens when each other word is hidden as well.";
  std::vector<float> looks = row_of(told.trace, "attended", 0), costs = row_of(told.trace, "erasure", 0);
  looks[static_cast<std::size_t>(told.hidden())] = 0;  // of the others
  for (float& cost : costs) cost = std::abs(cost);
  const int looked = brightest(looks), needed = brightest(costs);
  if (told.t < 0.34F) return "Where does the hidden word look? And does the answer need the words that it looks at …";
  if (told.t < 0.95F)
    return "A card hides each other word in turn, too, and the model reads again: the bar above is what is left of " +
           told.typed(told.hidden()) + ", and below the word hangs what is lost …";
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
