// The step Without: a head is switched off, its ribbons end, and the output moves away from its ghost.
#include "scenes/common/explain.h"
#include "scenes/heads/steps.h"

namespace limelight::scenes::heads {
namespace {

// On the ribbons, under a head's output.
void add_switch(Drawing& d, const Rect& segment, int head) {
  const bool on = d.is_on(head), fingers = d.fingers();
  const std::string number = std::to_string(head + 1), id = "switch." + number;
  const float wide = std::min(30.F, segment.w - 4);
  const Rect track{segment.centre().x - wide / 2, segment.bottom() + 7, wide, 18};
  d.figure.add({.id = id,
                .role = Role::toggle,
                .rect = {segment.x, segment.bottom() + 1, segment.w, fingers ? 40.F : 30.F},
                .label = "Head " + number + (on ? " is on: switch it off" : " is off: switch it on"),
                .edit = Edit{.field = of_head("off", head), .value = on ? "on" : "off"}});
  add_fill(d, id + ".rim", track.inset(-2), d.colours.surface, 11);
  add_fill(d, id + ".track", track, on ? d.of(head) : d.colours.muted.faded(0.5F), 9);
  add_fill(d, id + ".knob", {on ? track.right() - 16 : track.x + 2, track.y + 2, 14, 14}, d.colours.surface, 7);
  mark_furniture(d.figure, d.figure.elements.size() - 4);
}

// What each word is taken for while it is covered, with all heads and now; on a phone that alone which is lost. Returns
// where that begins.
float add_guesses(Drawing& d, float bottom) {
  const int lost = lost_word(d.trace);
  if (d.trace.find(kGuesses[0]) == nullptr || (d.narrow() && lost < 0)) return bottom;
  const float line = 20 * d.letters(), top = bottom - 2 * line, begin = d.narrow() ? 230 : slots_for(d).begin;
  const Slots slots = slots_for(d);
  const std::string covered = d.narrow() ? label_of(d.trace.at("X").row_labels, lost) + " covered" : "covered";
  const int cut = only_off(d.state);
  for (const bool now : {false, true}) {
    const Tensor& guesses = d.trace.at(kGuesses[now ? 1 : 0]);
    const float y = now ? top + line : top;
    const std::size_t first = d.figure.elements.size();
    add_words(d, guesses.name + ".title", {d.margin(), y, begin - d.margin(), line},
              !now      ? covered + ", it is guessed:"
              : cut < 0 ? "… with these heads"
                        : "… without head " + std::to_string(cut + 1),
              {d.colours.muted, {text::Face::regular, 12 * d.letters()}});
    for (int j = d.narrow() ? lost : 1; j < (d.narrow() ? lost + 1 : slots.count); ++j) {
      const std::string& word = guesses.column_labels[static_cast<std::size_t>(j)];
      const bool right = word == label_of(d.trace.at("X").row_labels, j), gone = now && is_loss(d.trace, j);
      const Source source{guesses.name, 0, j};
      const Rect cell =
          d.narrow() ? Rect{begin, y, 110, line} : Rect{slots.centre(j) - slots.pitch / 2, y, slots.pitch, line};
      d.figure.add({.id = cell_id(source), .role = Role::cell, .rect = cell, .label = word, .source = source});
      const TextStyle style{
          gone    ? d.colours.warning
          : right ? d.colours.good
                  : d.colours.muted,
          {gone || (right && !now) ? text::Face::semibold : text::Face::regular, (gone ? 16 : 14) * d.letters()},
          Align::centre};
      add_words(d, cell_id(source) + ".word", cell, word, fitted(style, word, cell.w - 4));
      if (now && j == lost)
        d.figure.add({.id = "guess.lost",
                      .rect = {cell.x + 6, top - 1, cell.w - 12, 2 * line + 2},
                      .shape = Rectangle{.stroke = d.colours.warning, .stroke_width = 1.5F, .radius = 7}});
    }
    if (now) show_since(d.figure, first, d.gone());  // as the head goes
  }
  return top - 10;
}

}  // namespace

float draw_without(Drawing& d, float y, float bottom) {
  d.cuts = true;
  add_braid(d, y, d.low() ? bottom : add_guesses(d, bottom), 1);
  for (int h = 0; h < d.state.heads; ++h)
    if (const Element* box = d.figure.find("head." + std::to_string(h + 1) + ".box.edge"); box != nullptr)
      add_switch(d, Rect(box->rect), h);
  return bottom;
}

}  // namespace limelight::scenes::heads
