// The step Without: a head is switched off, its ribbons end, and the output moves away from its ghost.
#include "io/numbers.h"
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

// How far the output of all words moves without each head, under its part of the bar. Returns where it begins.
float add_parts(Drawing& d, float bottom) {
  const Tensor& part = d.trace.at("part");
  const float most = largest_in(d, "part"), top = bottom - (d.narrow() ? 50.F : 30.F);
  const HeadBar bar{.rect = bars_of(d).moved(0, bottom - 30)};
  add_words(d, "part.title",
            {d.margin(), top, (d.narrow() ? d.figure.width : bar.rect.x) - d.margin(), d.narrow() ? 18.F : 28.F},
            d.narrow() ? "how far the whole output moves without it" : "moves the output by", {d.colours.muted});
  for (int h = 0; h < d.state.heads; ++h) {
    const Source source{"part", 0, h};
    const float value = part.values(0, h), left = d.narrow() ? 0 : 22;
    const Rect segment = bar.segment(h, d.state.heads),
               track{segment.x + left, segment.y + 20, segment.w - left - 6, 5};
    const std::string words = io::format_short(static_cast<double>(value));
    if (!d.narrow()) add_disc(d, "part.disc." + std::to_string(h + 1), {segment.x + 9, segment.y + 14}, h);
    add_fill(d, cell_id(source) + ".track", track, d.colours.track, 2.5F);
    d.figure.add({.id = cell_id(source),
                  .role = Role::cell,
                  .rect = {track.x, track.y, std::max(track.w * value / most, 2.F), track.h},
                  .label = "Without head " + std::to_string(h + 1) + " the output moves by " + words,
                  .source = source,
                  .shape = Rectangle{.fill = d.of(h), .radius = 2.5F},
                  .opacity = d.looked_at(h) ? 1 : 0.4F});
    add_words(d, cell_id(source) + ".value", {track.x, segment.y + 2, segment.right() - track.x, 16}, words,
              {d.colours.ink, type::number});
  }
  return top - 8;
}

}  // namespace

float draw_without(Drawing& d, float y, float bottom) {
  d.cuts = true;
  add_braid(d, y, d.low() ? bottom : add_parts(d, bottom), 1);
  for (int h = 0; h < d.state.heads; ++h)
    if (const Element* box = d.figure.find("head." + std::to_string(h + 1) + ".box.edge"); box != nullptr)
      add_switch(d, Rect(box->rect), h);
  return bottom;
}

}  // namespace limelight::scenes::heads
