// The step Without: a head is switched off, its ribbon ends, the output moves away from its ghost; and of a word that
// is covered the model finds what it finds then.
#include "figure/choreography.h"
#include "figure/ribbon.h"
#include "scenes/common/explain.h"
#include "scenes/common/parts.h"
#include "scenes/heads/parts.h"

namespace limelight::scenes::heads {
namespace {

// On the ribbons, under a head's output.
void add_switch(Drawing& d, const Rect& segment, int head) {
  const bool on = d.is_on(head);
  const std::string number = std::to_string(head + 1), id = "switch." + number;
  const float wide = std::min(30.F, segment.w - 4);
  const Rect track{segment.centre().x - wide / 2, segment.bottom() + 7, wide, 18};
  add_press(d, id, Role::toggle, {segment.x, segment.bottom() + 1, segment.w, d.fingers() ? 40.F : 30.F},
            "Head " + number + (on ? " is on: switch it off" : " is off: switch it on"),
            {.field = of_head("off", head), .value = on ? "on" : "off"});
  add_fill(d, id + ".rim", track.inset(-2), d.colours.surface, 11);
  add_fill(d, id + ".track", track, mix(d.colours.muted.faded(0.5F), d.of(head), d.kept(head)), 9);
  add_fill(d, id + ".knob", {std::lerp(track.x + 2, track.right() - 16, d.kept(head)), track.y + 2, 14, 14},
           d.colours.surface, 7);
  mark_furniture(d.figure, d.figure.elements.size() - 4);
}

// How much of what a head gave is still on its way to the output, behind its switch first; and how much is in it.
float flows(const Drawing& d, int head) { return d.is_on(head) ? 1 : 1 - smoothstep(0.08F, 0.4F, d.view.t); }
float adds(const Drawing& d, int head) { return d.is_on(head) ? 1 : 1 - smoothstep(0.45F, 0.85F, d.view.t); }

// From each head into the output a ribbon as wide as what it adds; of one that is cut its beginning is left.
void add_ribbons(Drawing& d, const HeadBar& bar, Rect output, const Matrix& parts) {
  const Matrix given = parts.topRows(d.state.heads).rowwise().norm();
  const float unit = 0.9F * bar.segment(0, d.state.heads).w / std::max(given.maxCoeff(), 1e-6F);
  for (int h = 0; h < d.state.heads; ++h) {
    const Rect box = bar.segment(h, d.state.heads);
    const float wide = unit * given(h, 0), x = box.centre().x - wide / 2, high = output.y - box.bottom() - 4;
    const Colour colour = d.of(h).faded(d.looked_at(h) ? 0.82F : 0.12F);
    Element ribbon = falling("head." + std::to_string(h + 1) + ".ribbon", {x, box.y, wide, box.h},
                             {x, output.y - 4, wide, 1}, {{0, colour}, {1, colour}});
    run(std::get<Ribbon>(ribbon.shape), std::lerp(std::min(30 / high, 0.6F), 1.F, flows(d, h)));
    d.figure.add(std::move(ribbon));
  }
}

// A word that is guessed and how likely it is: as a bar.
void add_guess(Drawing& d, Rect rect, const std::string& id, const std::string& who, const std::string& word,
               float share, bool right) {
  const Colour ink = right ? d.colours.good : d.colours.warning;
  const Rect told =
      d.narrow() ? Rect{d.margin(), rect.y, 240, 14} : Rect{d.margin(), rect.y, rect.x - d.margin(), rect.h};
  if (d.narrow()) rect.y += 14, rect.h -= 14;  // it stands over its bar
  const float begin = bars_of(d).x, size = std::min(27 * d.letters(), 0.8F * rect.h), k = d.letters(),
              names = d.narrow() ? 12 : begin, wide = (d.narrow() ? 92 : 150) * k;
  add_words(d, id + ".who", told, who, {d.colours.ink, {text::Face::semibold, 13 * k}});
  const TextStyle style{ink, {text::Face::semibold, size}};
  add_words(d, id + ".word", {names, rect.y, wide, rect.h}, word, fitted(style, word, wide - 8));
  const Rect track{names + wide, rect.y + 0.24F * rect.h, rect.right() - names - wide - 74 * k, 0.52F * rect.h};
  add_fill(d, id + ".track", track, d.colours.track.faded(0.6F), 5);
  add_fill(d, id + ".bar", {track.x, track.y, track.w * share, track.h}, ink, 5, 0.7F);
  add_words(d, id + ".share", {track.right() + 8, rect.y, 70 * k, rect.h}, share_text(share),
            {ink, {text::Face::mono_bold, std::min(0.7F * size, 18 * k)}});
}

// What the covered word is taken for with all heads, and with those that are on.
void add_guesses(Drawing& d, Rect rect) {
  const Tensor &found = d.trace.at(kFound), &best = d.trace.at(kBest);
  const std::string& word = found.row_labels[0];
  const int cut = only_off(d.state);
  const auto likely = [](const Tensor& of, int who) { return of.values(0, who); };
  const auto guess = [&](int who) { return best.column_labels[static_cast<std::size_t>(who)]; };
  const std::string now = cut < 0 ? "with these heads" : "without head " + std::to_string(cut + 1);
  const float line = rect.h / 3;
  add_guess(d, {rect.x, rect.y, rect.w, line}, "guess.all", "with all heads", guess(0), likely(best, 0),
            guess(0) == word);
  const std::size_t first = d.figure.elements.size();
  if (!is_cut(d.state)) return;
  add_guess(d, {rect.x, rect.y + line, rect.w, line}, "guess.now", now, guess(1), likely(best, 1), guess(1) == word);
  if (guess(1) != word)
    add_guess(d, {rect.x, rect.y + 2 * line, rect.w, line}, "guess.right", "… and the right word", word,
              likely(found, 1), true);
  show_since(d.figure, first, d.gone());  // as the head goes
}

// Of each head what its cut alone does: to the right word, or, where no model guesses, to the output. A press cuts it.
void add_cuts(Drawing& d, const HeadBar& bar, Rect rect) {
  const bool guesses = d.trace.find(kFound) != nullptr;
  const float size = d.trace.at("size").values(0, 0), k = d.letters();
  const auto share = [&](int head) {
    return guesses ? d.trace.at(kFound).values(0, 2 + head)
                   : d.trace.at("part").values(0, head) / std::max(size, 1e-6F);
  };
  const float whole = guesses ? d.trace.at(kFound).values(0, 0) : 0;  // with all heads
  float most = std::max(whole, 1e-6F);
  for (int h = 0; h < d.state.heads; ++h) most = std::max(most, share(h));
  const float floor = rect.bottom() - 18 * k, unit = (floor - rect.y) / most;
  for (int h = 0; h < d.state.heads; ++h) {
    const Rect box = bar.segment(h, d.state.heads);
    const float wide = std::min(0.5F * box.w, 54.F), x = box.centre().x - wide / 2;
    const float upper = unit * std::max(share(h), whole), lower = unit * std::min(share(h), whole);
    const std::string id = "cut." + std::to_string(h + 1);
    const Source source{guesses ? std::string(kFound) : "part", 0, guesses ? 2 + h : h};
    // What is lost hangs from what all heads give, and what is gained stands on it, as an outline.
    const bool gains = guesses && share(h) > whole;
    Element& column =
        add_part(d, cell_id(source), Role::cell, {x, floor - upper, wide, upper - lower},
                 "Without head " + std::to_string(h + 1) + ": " + share_text(share(h)),
                 Rectangle{.fill = d.of(h).faded(gains ? 0.15F : 1), .stroke = d.of(h), .stroke_width = 1.2F});
    column.source = source;
    if (!d.narrow()) add_disc(d, id + ".disc", {box.centre().x - 30 * k, floor + 2 + 8 * k}, h, 7 * k);
    add_words(d, id + ".share", {box.x + (d.narrow() ? -4 : 8), floor + 2, box.w + 8, 16 * k}, share_text(share(h)),
              {d.colours.ink, {text::Face::mono, d.narrow() ? 9.5F : 12.5F * k}, Align::centre});
    add_press(d, id, Role::button, {box.x, rect.y, box.w, rect.h},
              "Head " + std::to_string(h + 1) + (d.is_on(h) ? ": switch it off" : ": switch it on"),
              {.field = of_head("off", h), .value = d.is_on(h) ? "on" : "off"});
  }
  if (guesses)
    add_stroke(d, "cut.none", {{rect.x, floor - unit * whole}, {rect.right(), floor - unit * whole}}, d.colours.ink,
               1.4F, true);
  if (d.narrow() || d.low()) return;
  const std::vector<std::string> says =
      guesses ? std::vector<std::string>{"how likely " + quoted(d.trace.at(kFound).row_labels[0]),
                                         "becomes without it;", "dashed: with all"}
              : std::vector<std::string>{"how far the output", "moves without it"};
  add_name(d, {bar.rect.x, rect.y, 0, rect.h}, "one cut", "", d.colours.ink, says);
}

}  // namespace

float draw_without(Drawing& d, float y, float bottom) {
  d.cuts = true;
  const bool guesses = d.trace.find(kFound) != nullptr;
  const float k = std::max(d.scale(), 0.7F), label = 24 * k;
  y = add_sentence(d, y) + label + (d.narrow() ? 20 : 0);
  const Rect bars = bars_of(d);
  const float room = bottom - y, high = std::min(50 * k, 0.13F * room);
  const HeadBar bar{.rect = {bars.x, y, bars.w, high}, .label = label, .opacity = 0.4F, .row = d.row};
  const float below = std::max(0.12F * room, 44.F);
  const Rect output{bars.x, y + high + below, bars.w, (guesses ? 0.13F : 0.26F) * room};
  const Matrix parts = parts_of(d), whole = parts.colwise().sum();
  Matrix now = whole;
  for (int h = 0; h < d.state.heads; ++h) now += (adds(d, h) - 1) * parts.row(h);
  add_ribbons(d, bar, output, parts);
  add_head_bar(d, bar);
  add_concat_name(d, bar.rect);
  add_output(d, output, whole, now);
  add_name(d, output, "Y", d.narrow() ? "" : "output", d.colours.output,
           d.figure.find("Y.ghost") != nullptr ? std::vector<std::string>{"the sum now,", "dashed: with all heads"}
                                               : std::vector<std::string>{"the sum of what", "all heads add"});
  const float left = bottom - output.bottom(), cuts = guesses ? 0.36F * left : 0.8F * left;
  add_cuts(d, bar, {bars.x, bottom - cuts, bars.w, cuts});
  if (guesses)
    add_guesses(d, {bars.x, output.bottom() + (d.narrow() ? 16 : 12), bars.w, left - cuts - (d.narrow() ? 24 : 26)});
  for (int h = 0; h < d.state.heads; ++h) add_switch(d, bar.segment(h, d.state.heads), h);
  return bottom;
}

}  // namespace limelight::scenes::heads
