// The step Shuffle: a layer before and after its inputs are shuffled, and whether the outputs are shuffled along.
#include <algorithm>

#include "figure/choreography.h"
#include "figure/ribbon.h"
#include "scenes/layer/films.h"
#include "scenes/layer/machine.h"
#include "scenes/layer/pairs.h"
#include "scenes/layer/run.h"
#include "scenes/layer/steps.h"

namespace limelight::scenes::layer {
namespace {

// From left to right: the outputs, the inputs, the same in their new order, the outputs of these; then the dots, or
// where there is no room for these, below. Where there is less room, the first outputs are left out.
struct Stage {
  Run before{.names = kSelf}, after{.names = kShuffled};
  bool below = false, both = false;
  Rect dots{};
};

Stage stage_of(const Drawing& d, float y, float bottom, float foot) {
  constexpr float kWithBoth = 900;  // px of a figure that has room for both
  Stage stage{.below = d.figure.width < kStacked, .both = d.figure.width >= kWithBoth};
  Run &before = stage.before, &after = stage.after;
  after.order = d.state.order.of(d.trace.at(kX).rows());
  before.order = io::Order{}.of(after.count());
  const auto count = static_cast<float>(after.count());
  const float w = d.inner() - 8, k = std::clamp(d.figure.width / 1216, 0.6F, 1.4F), x = d.margin() + 4;
  const float card = stage.below ? std::min(0.18F * w, 96.F) : 104 * k;
  const float way = stage.below ? 0.1F * w : 72 * k, light = stage.below ? w - 3 * card - way : 126 * k;
  const float each = d.video() ? card / kFilmShape + 15 : stage.below ? 34 : 44 * k;
  const float least = d.video() ? 44.F : 14.F,
              all = stage.below ? (count > 8 ? 16.F : each) * count : bottom - y - foot;
  before.rows = after.rows = {x, y, w, std::max(all, least * count)};
  before.card = after.card = card;
  before.most = after.most = each;
  before.inputs = x + (stage.both ? card + light : 0);
  before.outputs = before.from = x;
  before.from = before.inputs;
  after.inputs = before.inputs + card + way;
  after.from = after.inputs + card;
  after.outputs = after.from + light;
  const float lanes = after.outputs + card + 44 * k;
  stage.dots = stage.below ? Rect{d.margin(), y + before.rows.h + 62, d.inner(), (count > 8 ? 15.F : 20.F) * count}
                           : Rect{lanes, y, x + w - lanes, before.rows.h};
  return stage;
}

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
    const float along = 1.5F * way * (1 - way) + way * way * way;  // as its way bends
    const std::size_t placed = d.figure.elements.size();
    add_placed(d, after, i, {mix(from.x, to.x, along), mix(from.y, to.y, smoothstep(0, 1, way)), to.w, to.h});
    show_since(d.figure, placed, smoothstep(0, 0.02F, way));
    for (std::size_t part = placed; d.video() && part < d.figure.elements.size(); ++part)
      if (d.figure.elements[part].id.ends_with(".word")) d.figure.elements[part].opacity *= smoothstep(0.8F, 1, way);
  }
}

}  // namespace

float draw_shuffle(Drawing& d, float y, float bottom) {
  const float head = 24, foot = errors_height(d) + d.press_height() + 48;  // px above and below the rows
  const bool narrow = d.narrow();
  const Stage stage = stage_of(d, y + (narrow ? 22 : 50), bottom, foot);
  const Run &before = stage.before, &after = stage.after;
  // Of this moment: the inputs are shuffled, their light and its outputs come, these are measured, and it is told.
  const float t = d.view.t, lit = std::clamp((t - 0.3F) / 0.3F, 0.F, 1.F),
              made = std::clamp((t - 0.4F) / 0.3F, 0.F, 1.F);
  const int place = looked_at(d, after.order), input = after.order[static_cast<std::size_t>(place)];
  if (!stage.below) {
    add_words(d, "shuffle.hint", {after.inputs - 20, after.rows.bottom() + 2, after.card + 40, 16}, "drag to reorder",
              {d.colours.faint, type::caption, Align::centre});
    d.figure.elements.back().furniture = true;
  }
  if (stage.both) add_run(d, before, "before", input, 1, 1);
  add_run(d, after, "made", place, lit, made);
  const auto name = [&](const char* id, float x, float width, const std::string& words) {
    add_words(d, id, {x, before.rows.y - head, width, 18}, words, {d.colours.muted, type::label, Align::centre});
  };
  name("shuffle.from", before.inputs - 20, before.card + 40, "the inputs");
  name("shuffle.to", after.inputs - 20, after.card + 40, "shuffled");
  name("shuffle.out", after.outputs - 20, after.card + 40, "outputs");
  name("shuffle.light", after.from, after.outputs - after.from, "the layer →");
  if (stage.both) {
    name("shuffle.before", before.outputs - 20, before.card + 40, "outputs");
    name("shuffle.light.before", before.outputs + before.card, before.inputs - before.outputs - before.card,
         "← the layer");
    add_mark(d, "shuffle.mark.before", {before.outputs + before.card / 2 - 34, before.rows.y - head + 9}, false);
    add_mark(d, "shuffle.mark.after", {after.outputs + after.card / 2 - 34, after.rows.y - head + 9}, true);
  }
  add_moved(d, stage, smoothstep(0, 0.3F, t));
  std::size_t first = d.figure.elements.size();
  add_key(d, {stage.dots.x, stage.below ? stage.dots.y - 52 : y + 2}, true);
  add_lanes(d, stage.dots, pairs_of(d, kYMoved, kShuffled.output), smoothstep(0.7F, 0.9F, t), stage.below);
  show_since(d.figure, first, smoothstep(0.64F, 0.7F, t));
  first = d.figure.elements.size();
  y = add_checks(d, stage.dots.bottom() + (stage.below ? 22.F : 28.F));
  show_since(d.figure, first, smoothstep(0.92F, 1, t));
  return add_orders(d, y + 10);
}

}  // namespace limelight::scenes::layer
