// The record as a film: a picture for each of its moments, to be dragged along; and the training that goes on here.
#include <algorithm>

#include "figure/marks.h"
#include "scenes/common/chips.h"
#include "scenes/common/head_colours.h"
#include "scenes/common/parts.h"
#include "scenes/train/parts.h"

namespace limelight::scenes::train {

using namespace figure;

float add_film(Drawing& d, Rect area) {
  const Tensor* film = d.trace.find("film");
  if (film == nullptr) return area.y;
  const Palette& dark = palette(night_theme(d.view));
  const int count = film->rows();
  // Behind the record stands the run of one's own, once there is one.
  const int own = d.told().count(Column::own);
  if (own >= 0) {
    const float wide = d.narrow() ? 74 : 96, high = std::min(area.h, d.press_height());
    area.w -= wide + 8;
    add_press(d, {"film.own", "own " + std::to_string(own), Edit{"live", "on"}, !d.told().recorded()},
              {area.right() + 8, area.y, wide, high});
  }
  const bool narrow = d.narrow();
  const float k = night_letters(d), names = narrow ? 0 : 142 * k;
  add_box(d, "film.ground", area, {.fill = dark.stage_top, .stroke = dark.hairline, .radius = 10});
  // What its pictures are of: beside them, or below.
  const char* said =
      d.state.attention ? "Row: written letter. Column: read letter. Bright: looked at." : "Green: letters right.";
  const Colour ink = narrow ? d.colours.muted : dark.muted;
  add_paragraph(d.figure, "film.said", said, narrow ? Point{area.x, area.bottom() + 2} : Point{area.x + 12, area.y + 8},
                narrow ? area.w : names - 8, narrow ? 11 : 12 * k, ink, ink, 1.35F);
  area.x += names, area.w -= names;
  // In a narrow view a few that are large, the one that is looked at among them.
  const int seen = narrow ? std::min(3, count) : count,
            from = narrow ? std::clamp(d.state.moment - 1, 0, count - seen) : 0;
  const float pad = narrow ? 4 : 12, number = 22, above = narrow ? 6 : 10,
              pitch = (area.w - 2 * pad) / static_cast<float>(seen);
  const float side = std::min(pitch - 8.F, area.h - number - above);
  const Source at_letter = pointed_letter(d);
  const Tensor* target = d.trace.find("target");
  const int lines = (target != nullptr ? target : &d.trace.at("source"))->columns() + 1;  // and the end's
  for (int i = from; i < from + seen; ++i) {
    const std::string batch = std::to_string(kMoments[i]), id = "film." + batch, map = "map_" + batch;
    const Rect frame{area.x + pad + pitch * (static_cast<float>(i - from) + 0.5F) - side / 2, area.y + above, side,
                     side};
    const bool here = i == d.state.moment && d.told().recorded();
    if (const Tensor* weights = d.trace.find(map); weights != nullptr) {
      // All are of one shape, though some write more letters than they should, and some fewer.
      const int shown = std::min(weights->rows(), lines);
      const float high = side / static_cast<float>(lines);
      add_fill(d, id + ".ground", frame, dark.surface, 3);
      d.figure.add({.id = map,
                    .rect = {frame.x, frame.y, side, high * static_cast<float>(shown)},
                    .label = "The weights after " + batch + " batches",
                    .shape = Heatmap{.range = {map, 0, 0, shown, weights->columns()},
                                     .gap = side / static_cast<float>(weights->columns()) > 5 ? 1.F : 0.F,
                                     .theme = night_theme(d.view)}});
      // What is too short leaves its last lines empty.
      const std::string& wrote = film->row_labels[static_cast<std::size_t>(i)];
      const float gap = high * static_cast<float>(lines - shown);
      if (gap >= 13 && text::measure(text::Face::mono, 11, wrote) < side)
        add_words(d, id + ".wrote", {frame.x, frame.bottom() - gap, side, gap}, wrote.empty() ? "nothing" : wrote,
                  {dark.ink, type::small_number, Align::centre});
      if (std::max(at_letter.row, at_letter.column) >= 0)
        add_outline(d.figure, map, at_letter.row, at_letter.column, dark.ink, 1);
    } else {
      // Without attention: how many letters were right.
      const float share = film->values(i, 0);
      add_fill(d, id + ".right", {frame.x, frame.bottom() - frame.h * share, frame.w, frame.h * share},
               dark.good.faded(0.7F), 2);
    }
    add_words(d, id + ".number", {frame.x - 10, area.bottom() - number, frame.w + 20, number - 3}, batch,
              {here ? dark.amber_text : dark.muted,
               {here ? text::Face::mono_bold : text::Face::mono, 12 * k},
               Align::centre});
  }
  const float first = area.x + pad + pitch / 2;
  const Rect here{first + pitch * static_cast<float>(d.state.moment - from) - side / 2, area.y + above, side, side};
  if (d.told().recorded()) {
    add_box(d, "film.here", here.inset(narrow ? -3.F : -5.F), {.stroke = dark.lamp, .stroke_width = 2.5F, .radius = 5});
    add_box(d, "film.grip", Rect{here.centre().x, here.y - 4, 0, 0}.inset(-7),
            {.fill = dark.lamp, .stroke = dark.stage_top, .stroke_width = 2, .radius = 7});
  }
  d.figure.add({.id = "film",
                .role = Role::slider,
                .rect = narrow ? area : Rect{first, area.y, pitch * static_cast<float>(count - 1), area.h},
                .label = "The record: batch " + std::to_string(kMoments[d.state.moment]) + " of " +
                         std::to_string(kMoments[kLastMoment]),
                .edit = Edit{.field = "moment"}});
  mark_furniture(d.figure, d.figure.elements.size() - 1);
  for (int i = from; narrow && i < from + seen;
       ++i)  // a few lie apart from their places on the slider: each is pressed
    d.figure.add({.id = "film.press." + std::to_string(kMoments[i]),
                  .role = Role::button,
                  .rect = {area.x + pad + pitch * static_cast<float>(i - from), area.y, pitch, area.h},
                  .label = "The record after " + std::to_string(kMoments[i]) + " batches",
                  .edit = Edit{"moment", std::to_string(i)}});
  return area.bottom() + (narrow ? 17.F : 0.F);
}

}  // namespace limelight::scenes::train
