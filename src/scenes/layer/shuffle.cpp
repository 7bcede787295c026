// The step Shuffle: a layer before and after its inputs are shuffled, and whether the outputs are shuffled along.
#include <algorithm>

#include "figure/choreography.h"
#include "figure/ribbon.h"
#include "scenes/layer/machine.h"
#include "scenes/layer/run.h"
#include "scenes/layer/steps.h"

namespace limelight::scenes::layer {
namespace {

// From left to right: the outputs, the inputs, the same in their new order, the outputs of these. Where there is less
// room, the first outputs are left out.
struct Stage {
  Run before{.names = kSelf}, after{.names = kShuffled};
  bool both = false;
};

Stage stage_of(const Drawing& d, float y, float bottom) {
  constexpr float kWithBoth = 900;  // px of a figure that has room for both
  const float foot = errors_height(d) + d.press_height() + 48;
  Stage stage{.both = d.figure.width >= kWithBoth};
  Run &before = stage.before, &after = stage.after;
  lay_out(d, after, d.state.order.of(d.trace.at(kX).rows()), y, bottom, foot);
  lay_out(d, before, io::Order{}.of(after.count()), y, bottom, foot);
  const float way = after.below ? 0.1F * after.rows.w : 72 * after.scale;
  const float light = after.below ? after.rows.w - 3 * after.card - way : 126 * after.scale;
  before.inputs += stage.both ? before.card + light : 0;
  before.from = before.inputs;
  after.inputs = before.inputs + before.card + way;
  after.from = after.inputs + after.card;
  after.outputs = after.from + light;
  return stage;
}

constexpr int kTrail = 2;  // ghosts behind an input that changes places

// Each input slides along its way to its new place.
void add_moved(Drawing& d, const Stage& stage, float way) {
  const Run &before = stage.before, &after = stage.after;
  const std::size_t first = d.figure.elements.size();
  for (int i = 0; i < after.count(); ++i) {
    const int input = after.order[static_cast<std::size_t>(i)];
    const Rect from = shown_of(d, before.at(input, before.inputs)), to = shown_of(d, after.at(i, after.inputs));
    const float half = std::min(0.2F * from.h, 8.F), y = from.centre().y, other = to.centre().y;
    d.figure.add({.id = "shuffle.way." + std::to_string(input),
                  .shape = flowing({{from.right() + 4, y - half}, {from.right() + 4, y + half}},
                                   {{to.x - 4, other - half}, {to.x - 4, other + half}}, Flow::level,
                                   {{0, d.colours.input_fill.faded(0.5F)}, {1, d.colours.input_fill.faded(0.3F)}})});
  }
  show_since(d.figure, first, way);
  const std::vector<std::string>& names = d.trace.at(kX).row_labels;
  for (int i = 0; i < after.count(); ++i) {
    const int input = after.order[static_cast<std::size_t>(i)];
    add_input(d, "input." + std::to_string(i), {}, i, before.at(i, before.inputs), {},
              d.video() ? said_of(d, i) : names[static_cast<std::size_t>(i)] + ": input " + std::to_string(i + 1));
    const Rect from = before.at(input, before.inputs), to = after.at(i, after.inputs);
    const auto at = [&](float share) {
      const float along = 1.5F * share * (1 - share) + share * share * share;  // as its way bends
      return Rect{mix(from.x, to.x, along), mix(from.y, to.y, smoothstep(0, 1, share)), to.w, to.h};
    };
    // Where it has been a moment ago, fainter the longer ago.
    for (int ago = kTrail; ago > 0 && input != i && way < 1; --ago) {
      const std::size_t trail = d.figure.elements.size();
      const float was = way - 0.16F * static_cast<float>(ago);
      add_input(d, "trail." + std::to_string(ago) + "." + std::to_string(input), {}, input, at(std::max(was, 0.F)), {},
                names[static_cast<std::size_t>(input)]);
      show_since(d.figure, trail, was > 0 ? 0.4F / static_cast<float>(ago) : 0);
    }
    const std::size_t placed = d.figure.elements.size();
    add_placed(d, after, i, at(way));
    show_since(d.figure, placed, smoothstep(0, 0.02F, way));
    for (std::size_t part = placed; d.video() && part < d.figure.elements.size(); ++part)
      if (d.figure.elements[part].id.ends_with(".word")) d.figure.elements[part].opacity *= smoothstep(0.8F, 1, way);
  }
}

}  // namespace

float draw_shuffle(Drawing& d, float y, float bottom) {
  const Stage stage = stage_of(d, y, bottom);
  const Run &before = stage.before, &after = stage.after;
  // Of this moment: the inputs are shuffled, their light and its outputs come, these are measured, and it is told.
  const float t = d.view.t, lit = std::clamp((t - 0.3F) / 0.3F, 0.F, 1.F),
              made = std::clamp((t - 0.4F) / 0.3F, 0.F, 1.F);
  const int place = looked_at(d, after.order);
  if (stage.both) add_run(d, before, "before", after.order[static_cast<std::size_t>(place)], 1, 1);
  add_run(d, after, "made", place, lit, made);
  const float wide = after.card + 40;
  add_head(d, after, "shuffle.from", before.inputs - 20, wide, "the inputs");
  add_head(d, after, "shuffle.to", after.inputs - 20, wide, "shuffled");
  add_head(d, after, "shuffle.out", after.outputs - 20, wide, "outputs");
  add_head(d, after, "shuffle.light", after.from, after.outputs - after.from, "the layer →");
  if (stage.both) {
    const float right = before.outputs + before.card;
    add_head(d, after, "shuffle.before", before.outputs - 20, wide, "outputs");
    add_head(d, after, "shuffle.light.before", right, before.inputs - right, "← the layer");
    for (const Run* run : {&before, &after})
      add_mark(d, run == &after ? "shuffle.mark.after" : "shuffle.mark.before",
               {run->outputs + run->card / 2 - 34, run->rows.y - 15}, run == &after);
    add_words(d, "shuffle.hint", {after.inputs - 20, after.rows.bottom() + 2, wide, 16}, "drag to reorder",
              {d.colours.faint, type::caption, Align::centre});
    d.figure.elements.back().furniture = true;
  }
  add_moved(d, stage, smoothstep(0, 0.3F, t));
  std::size_t first = d.figure.elements.size();
  y = add_dots(d, after, pairs_of(d, kYMoved, kShuffled.output), smoothstep(0.7F, 0.9F, t));
  // First the lanes, then their dots.
  for (std::size_t part = first; part < d.figure.elements.size(); ++part) {
    const bool dots = d.figure.elements[part].id.starts_with("Y_");
    d.figure.elements[part].opacity *= dots ? smoothstep(0.64F, 0.7F, t) : smoothstep(0.1F, 0.3F, t);
  }
  first = d.figure.elements.size();
  y = add_checks(d, y);
  show_since(d.figure, first, smoothstep(0.92F, 1, t));
  return add_orders(d, y + 10);
}

}  // namespace limelight::scenes::layer
