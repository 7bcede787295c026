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

std::string pattern_of(const Told& t) {
  const double aligned = t.summary(Summary::aligned), of = t.summary(Summary::of);
  if (!t.state.attention || aligned < 0 || of <= 0) return "";
  const std::string light = pointing("The light", cell_id({"weights", 0, t.looks_at(0)}), MeansA::weight);
  if (aligned < 0.4 * of) return " " + light + " still falls on all letters alike.";
  return " " + light + " finds " + std::to_string(static_cast<int>(aligned)) + " of " +
         std::to_string(static_cast<int>(of)) + " letters: nobody showed it where.";
}

// Of one mistake: the letter that is wanted, and the error, which goes back along the beam to where it looked.
void add_correction(Drawing& d, const Night& night) {
  const Tensor *target = d.trace.find("target"), *right = d.trace.find(night.right);
  const Element* lit = d.figure.find("night.light");
  if (d.corrects <= 0 || target == nullptr || right == nullptr || lit == nullptr) return;
  int wrong = -1;  // the one nearest to the middle
  const int middle = right->columns() / 2;
  for (int i = 0; i < std::min(right->columns(), target->columns()); ++i)
    if (right->values(0, i) == 0 && (wrong < 0 || std::abs(i - middle) < std::abs(wrong - middle))) wrong = i;
  const Element* box = wrong < 0 ? nullptr : d.figure.find(cell_id({std::string(night.right), 0, wrong}));
  if (box == nullptr) return;
  const Palette& dark = palette(night_theme(d.view));
  const Rect cell = box->rect;
  const std::string wanted = shown(label_of(target->column_labels, wrong)),
                    wrote = shown(label_of(right->column_labels, wrong));
  add_words(d, "correction.said", {night.area.x + night.area.w / 2, night.area.y + 6, night.area.w / 2 - 16, 16},
            "wanted " + quoted(wanted) + ", wrote " + quoted(wrote) + (d.narrow() ? "" : ": the error goes back"),
            {dark.warning, {text::Face::semibold, 12 * night_letters(d)}, Align::right});
  if (!d.narrow())
    add_words(d, "correction.wanted", cell.moved(0, cell.h - 2), wanted,
              {dark.good, {text::Face::mono_bold, 17 * night_letters(d)}, Align::centre});
  const Light::Beam* brightest = nullptr;
  for (const Light::Beam& beam : std::get<Light>(lit->shape).beams)
    if (beam.row == wrong && (brightest == nullptr || beam.intensity > brightest->intensity)) brightest = &beam;
  if (brightest == nullptr) return;
  const Light::Beam& way = *brightest;  // from what is written
  const float back = smoothstep(0.35F, 1, d.corrects);
  const Point one = mix(way.from, way.control_from, back), two = mix(way.control_from, way.control_to, back),
              three = mix(way.control_to, way.to, back), ahead = mix(one, two, back),
              error = mix(ahead, mix(two, three, back), back);
  d.figure.add({.id = "correction.way", .shape = Curve{way.from, one, ahead, error, dark.warning, 2.5F}});
  add_fill(d, "correction.error", Rect{error.x, error.y, 0, 0}.inset(-7), dark.warning, 7);
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
    const Rect curve{m, y, (d.inner() - 8) / 2, 130};
    add_loss(d, curve);
    add_held_out(d, curve.moved(curve.w + 8, 0));
    return add_input(d, {m, add_buttons(d, y + 136) + 8, d.inner(), press});
  }
  const bool low = d.low();
  const float row = low ? 0 : press + 12, strip = !film ? 0 : low ? 74 : std::max(0.093F * d.inner(), 104.F);
  const float high = std::max(bottom - y - row - strip - (film ? gap : 0), low ? 180.F : 240.F);
  const float wide = std::floor(d.inner() * 0.56F), right = m + wide + 34, rest = d.inner() - wide - 34;
  const float typed = low ? 0 : press + 8;
  night.area = {m, y, wide, high - typed};
  add_night_told(d, night);
  add_correction(d, night);
  if (!low) add_input(d, {m, y + high - press, wide, press});
  add_loss(d, {right, y, rest, (high - 10) / 2});
  add_held_out(d, {right, y + (high + 10) / 2, rest, (high - 10) / 2});
  y += high + (film ? gap : 0);
  if (film) y = add_film(d, {m, y, d.inner(), strip});
  return low ? y : add_buttons(d, y + 12);
}

std::string tell_train(const Told& t) {
  const std::string guess = brief(t.summary(Summary::guess));
  if (t.diverged())
    return "**The training diverged** after " + batches(t.batch()) + ": the loss " +
           (t.run(Column::rose_to) < 0 ? "is " : "rose to ") + t.rose_to(model_of(t.state)) + ", where a guess costs " +
           guess + ". The learning rate " + brief(t.run(Column::rate)) + " was too high. " + bold(t.way_back()) +
           " returns to what was still good; or set a smaller one and **start over**.";
  if (t.catches_up())
    return "Batch " + bold(std::to_string(t.batch())) + " of " + std::to_string(t.count(Column::from)) +
           ": your run catches up with the record, with the same seed and the same examples. From there it goes on.";
  if (!t.begun())
    return "The task: " + std::string(rule_of(t.state.task)) + ". Untrained it writes " + written_now(t) + "." +
           (t.has_record() && !t.recorded()
                ? " The record has no weights, so this input is read by a model that is trained here."
                : of_a_batch(t.state));
  std::string text = "After " + bold(batches(t.batch())) + (t.recorded() ? "" : " of your own run") + " it writes " +
                     written_now(t) + "." + pattern_of(t) + of_a_batch(t.state);
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
