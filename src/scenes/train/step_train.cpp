// The step Train: a recorded training under a slider, and the one that goes on here from any moment of it.
#include <algorithm>
#include <cmath>

#include "scenes/common/head_colours.h"
#include "scenes/common/missing.h"
#include "scenes/common/words.h"
#include "scenes/train/steps.h"

namespace limelight::scenes::train {

using namespace figure;

namespace {

// Of other words that it has never seen.
std::string of_unseen(const Told& t) {
  if (t.count(Column::look_step) < 0) return "";
  return ", and all of **" + percent(t.run(Column::held_out)) + "** of other unseen " + unit_of(t.state.task) + "s";
}

// Half the width of a beam of all the light, where its width alone says how large a weight is.
float half_beam(const Drawing& d) { return d.narrow() ? 12 : 26; }

// The error goes back along the beam to where the letter looked.
void add_error(Drawing& d, const Light::Beam& way) {
  const Colour red = palette(night_theme(d.view)).warning;
  const float back = smoothstep(kCompared, 1, d.corrects);
  const Point one = mix(way.from, way.control_from, back), two = mix(way.control_from, way.control_to, back),
              three = mix(way.control_to, way.to, back), ahead = mix(one, two, back),
              error = mix(ahead, mix(two, three, back), back);
  d.figure.add({.id = "correction.way", .shape = Curve{way.from, one, ahead, error, red, 4}});
  add_fill(d, "correction.error", Rect{error.x, error.y, 0, 0}.inset(-9), red, 9);
}

// What came of it: the beam as it is now, beside it, pale, as it was.
void add_gain(Drawing& d, const Night& night, const Light::Beam& beam, float before) {
  const Palette& dark = palette(night_theme(d.view));
  const float now = d.trace.at(night.weights).values(beam.row, beam.column), wide = 2 * half_beam(d) * before,
              aside = 22 + wide / 2;
  const auto beside = [&](Point at) { return Point{at.x - aside, at.y}; };
  d.figure.add({.id = "correction.before",
                .shape = Curve{beside(beam.from), beside(beam.control_from), beside(beam.control_to), beside(beam.to),
                               dark.ink.faded(0.4F), wide}});
  const Point half = mix(beam.from, beam.to, 0.5F);
  const Type style{text::Face::semibold, 13 * night_letters(d)};
  add_words(d, "correction.before.said", {half.x - aside - wide / 2 - 108, half.y - 9, 100, 18},
            "before " + percent(static_cast<double>(before)), {dark.ink, style, Align::right});
  add_words(d, "correction.now.said", {half.x + 24, half.y - 9, 100, 18}, "now " + percent(static_cast<double>(now)),
            {dark.amber_text, style});
}

// Of one mistake: the letter that is wanted, the error, which goes back, and the light, which grows.
void add_correction(Drawing& d, const Night& night) {
  const Element* lit = d.figure.find("night.light");
  const int place = d.told().watched().place;
  if (d.corrects <= 0 || lit == nullptr || !d.told().is_mistake(place)) return;
  const Palette& dark = palette(night_theme(d.view));
  const Matrix &weights = d.trace.at(night.weights).values, &before = d.trace.at(map_at(kLingers)).values;
  const int looks = d.told().looks_at(place);
  const float much = smoothstep(0, 0.2F, d.corrects) * (1 - smoothstep(1.85F, 2, d.corrects));
  Light light = std::get<Light>(lit->shape);
  const Light::Beam* brightest = nullptr;
  for (Light::Beam& beam : light.beams) {
    if (beam.row != place) {
      beam.intensity *= 1 - 0.8F * much;
      continue;
    }
    const float half = half_beam(d) * weights(place, beam.column);
    beam.half_from = mix(beam.half_from, half, much), beam.half_to = mix(beam.half_to, half, much);
    if (beam.column == looks) brightest = &beam;
  }
  for (Element& element : d.figure.elements)
    if (element.id == "night.light") element.shape = light;
  if (brightest == nullptr) return;
  if (d.corrects > 1) return add_gain(d, night, *brightest, before(place, looks));
  const Rect cell = d.figure.find(cell_id({std::string(night.right), 0, place}))->rect;
  const std::string wanted = told_letter(label_of(d.trace.at("target").column_labels, place)),
                    wrote = told_letter(label_of(d.trace.at(night.right).column_labels, place));
  add_words(d, "correction.said", {night.area.x + night.area.w / 2, night.area.y + 6, night.area.w / 2 - 16, 16},
            "wanted " + quoted(wanted) + ", wrote " + quoted(wrote) + (d.narrow() ? "" : ": the error goes back"),
            {dark.warning, {text::Face::semibold, 12 * night_letters(d)}, Align::right});
  add_ring(d.figure, "correction.at", cell.inset(-3), dark.warning);
  if (!d.narrow())
    add_words(d, "correction.wanted", cell.moved(0, cell.h - 2), wanted,
              {dark.good, {text::Face::mono_bold, 17 * night_letters(d)}, Align::centre});
  add_error(d, *brightest);
}

// One letter that is followed: how likely the model takes the right one to be, and the one that it wrote instead.
void add_watched(Drawing& d, Rect area) {
  const Told t = d.told();
  const Watched one = t.watched();
  if (one.place < 0) return;
  const Tensor& now = d.trace.at("probabilities");
  const auto name = [&](int letter) { return told_letter(label_of(now.column_labels, letter)); };
  const bool small = d.narrow() || area.h < 150,
             corrected = d.trace.find("film") != nullptr && t.recorded() && d.state.moment > kLingers;
  const float k = night_letters(d), row = small ? 30 : 0.23F * area.h, bar = area.x + 34, wide = area.w - 34 - 70;
  add_subtitle(d, "watched.title", {area.x, area.y}, area.w,
               "letter " + std::to_string(one.place + 1) + " must be " + quoted(name(one.wanted)) + ": how likely?");
  float y = area.y + 26;
  for (const bool right : {true, false}) {
    const int letter = right ? one.wanted : one.rival;
    const std::string id = right ? "watched.right" : "watched.rival";
    const double share = t.likely("probabilities", one.place, letter);
    const Rect track{bar, y + row / 2 - 8, wide, 16};
    const Colour tint = right ? d.colours.good : d.colours.warning;
    add_letter(d, id + ".letter", {area.x, y, 26, row}, label_of(now.column_labels, letter), tint, small ? 18 : 22 * k);
    add_fill(d, id + ".track", track, d.colours.surface, 4);
    add_fill(d, id + ".bar", {bar, track.y, wide * static_cast<float>(share), 16}, tint, 4);
    add_words(d, id, {bar + wide + 4, y, 66, row}, percent(share),
              fitted({d.colours.ink, {text::Face::mono_bold, small ? 15 : 19 * k}, Align::right}, percent(share), 66));
    if (corrected)
      add_fill(d, id + ".before",
               {bar + wide * static_cast<float>(t.likely(likely_at(kLingers), one.place, letter)), track.y - 5, 2, 26},
               d.colours.ink);
    y += row;
  }
  if (!small)
    add_note(d, "watched.only",
             (corrected ? "The lines: after " + batches(kMoments[kLingers]) + ". " : std::string()) +
                 "Only what is written is marked. **Where to look, nobody says.**",
             {area.x, y + 4}, area.w, 13 * k);
}

}  // namespace

float draw_train(Drawing& d, float y, float bottom) {
  const float m = d.margin(), gap = 16, press = d.press_height();
  const bool film = d.trace.find("film") != nullptr;
  // A record that is on its way, or that cannot be had: the scene trains all the same.
  if (d.view.missing && !d.told().has_record()) y = add_missing(d, *d.view.missing, y) + 10;
  Night night = night_of(d, {m, y, d.inner(), 250});
  night.query = pointed_letter(d).row;
  if (d.narrow()) {
    night.area.h = 164, night.writes = "";
    add_night_told(d, night);
    add_correction(d, night);
    y += 172;
    if (film) y = add_film(d, {m, y, d.inner(), kPhoneFilm}) + 10;
    add_watched(d, {m, y, d.inner(), 110});
    y = add_buttons(d, {m, y + 116, d.inner(), press}) + 8;  // before what is below the fold
    add_loss(d, {m, y, d.inner(), 130});
    return add_input(d, {m, y + 138, d.inner(), press});
  }
  const bool low = d.low();
  const float row = low ? 0 : press + 12, strip = !film ? 0 : low ? 74 : std::max(0.093F * d.inner(), 104.F);
  const float high = std::max(bottom - y - row - strip - (film ? gap : 0), low ? 180.F : 240.F);
  const float wide = std::floor(d.inner() * 0.56F), right = m + wide + 34, rest = d.inner() - wide - 34;
  night.area = {m, y, wide, high};
  add_night_told(d, night);
  add_correction(d, night);
  const float part = d.told().known() && !low ? std::floor(0.53F * high) : d.told().known() ? 92 : 0;
  add_watched(d, {right, y, rest, part});
  add_loss(d, {right, y + part, rest, high - part});
  y += high + (film ? gap : 0);
  if (film) y = add_film(d, {m, y, d.inner(), strip});
  if (low) return y;
  const float typed = std::floor(0.34F * d.inner());
  return std::max(add_input(d, {m, y + 12, typed, press}),
                  add_buttons(d, {m + typed + 24, y + 12, d.inner() - typed - 24, press}));
}

std::string tell_train(const Told& t) {
  const std::string guess = brief(t.summary(Summary::guess));
  if (t.diverged())
    return "**The training diverged** after " + batches(t.batch()) + ": the loss " +
           (t.run(Column::rose_to) < 0 ? "is " : "rose to ") + t.rose_to() + ", where a guess costs " + guess +
           ". The learning rate " + brief(t.run(Column::rate)) + " was too high. " + bold(t.way_back()) +
           " returns to what was still good; or set a smaller one and **start over**.";
  if (t.catches_up())
    return "Batch " + bold(std::to_string(t.batch())) + " of " + std::to_string(t.count(Column::from)) +
           ": your run catches up with the record, with the same seed and the same examples. From there it goes on.";
  if (!t.begun())
    return "The task: " + std::string(rule_of(t.state.task)) + ". Untrained it writes " + written_now(t) + "." +
           (t.has_record() && !t.recorded()
                ? " The record has no weights, so this input is read by a model that is trained here."
                : of_a_batch(t));
  std::string text = "After " + bold(batches(t.batch())) + (t.recorded() ? "" : " of your own run") + " it writes " +
                     written_now(t) + of_unseen(t) + "." +
                     told_light(t.state.attention ? &t.trace.at("weights") : nullptr) + of_a_batch(t);
  if (t.recorded()) text += " " + hint("Drag along the film.");
  return t.converged() ? text + " **Converged:** it stopped by itself." : text;
}

Inspection formula_train(const State&, const Palette&) {
  return {.title = "L, the loss",
          .lines = {row({symbol("L"), operation("="), word("−"), fraction(number("1"), symbol("N")), large("∑"),
                         word("ln"), symbol("p"), parenthesised(word("truth"))})},
          .note =
              "Only what is written is marked. That the weights form a line is a consequence; no rule and no "
              "alignment is ever shown to the model."};
}

}  // namespace limelight::scenes::train
