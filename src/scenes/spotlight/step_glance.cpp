// The last step: the lamp, the sentence, and the whole map of weights below it, a column under each word.
#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "figure/panel_sizes.h"
#include "figure/panels.h"
#include "figure/ribbon.h"
#include "io/numbers.h"
#include "scenes/common/strips.h"
#include "scenes/spotlight/lit.h"
#include "scenes/spotlight/steps.h"

namespace limelight::scenes::spotlight {
namespace {

constexpr float kTold = 0.1F;  // smaller weights are not written, but in the row that is looked at
constexpr std::array<std::string_view, 3> kBareWords = {"0", ".5", "1"};  // as the map's own numbers

// A weight of another word's row, from it to what it looks at: purple where it asks, amber where its light falls.
void add_word_arc(Drawing& d, const LitStage& stage, int i, int j) {
  const float weight = d.trace.at("weights").values(i, j);
  const Source source{"weights", i, j};
  const bool looked_at = cell_id(source) == d.view.focus();
  const float from = stage.slots.centre(i), to = stage.slots.centre(j), y = stage.baseline - 38 * stage.scale;
  const float rise = std::min(150 * stage.scale, 26 * stage.scale + 0.2F * std::abs(to - from));
  const Curve curve{.from = {from, y},
                    .control_from = {from, y - rise},
                    .control_to = {to, y - rise},
                    .to = {to, y},
                    .width = 1 + 5 * weight};
  const float seen = looked_at ? 1.3F : std::min(0.12F + 0.75F * weight, 1.F);
  const std::string id = "stage.arc." + std::to_string(i) + "." + std::to_string(j);
  const std::string share = share_text(weight);
  const float top = y - 0.75F * rise;  // of the curve
  d.figure.add(
      {.id = id,
       .role = Role::cell,
       .rect = Rect{std::min(from, to), top, std::abs(to - from), y - top}.inset(-6),
       .label = d.queries[static_cast<std::size_t>(i)] + " to " + d.keys[static_cast<std::size_t>(j)] + ": " + share,
       .source = source,
       .shape = along(curve, {{.at = 0, .colour = d.colours.query_fill.faded(0.75F * seen)},
                              {.at = 0.5F, .colour = d.colours.amber.faded(0.75F * seen)},
                              {.at = 1, .colour = d.colours.amber.faded(0.75F * seen)}})});
  if (!looked_at) return;
  const float width = text::measure(text::Face::mono_bold, 13, share) + 14;
  const Rect card{(from + to - width) / 2, std::max(top - 11, 2.F), width, 22};
  d.figure.add({.id = id + ".card",
                .rect = card,
                .shape = Rectangle{.fill = d.colours.surface, .stroke = d.colours.track, .radius = 11},
                .furniture = true});
  add_words(d, id + ".share", card, share, {d.colours.amber_text, {text::Face::mono_bold, 13}, Align::centre});
}

// The lightest first, so that the heaviest are on top.
void add_word_arcs(Drawing& d, const LitStage& stage) {
  if (d.state.given()) return;  // its queries are no words of the sentence
  const Matrix& weights = d.trace.at("weights").values;
  std::vector<std::pair<int, int>> arcs;
  for (int i = stage.slots.first; i < stage.slots.first + stage.slots.count; ++i)
    for (int j = stage.slots.first; j < stage.slots.first + stage.slots.count; ++j)
      if (i != j && i != d.row && weights(i, j) > 0 && weights(i, j) >= static_cast<float>(d.state.threshold))
        arcs.emplace_back(i, j);
  std::ranges::sort(arcs, {}, [&](const auto& arc) { return std::tuple(weights(arc.first, arc.second), arc); });
  for (const auto& [i, j] : arcs) add_word_arc(d, stage, i, j);
}

Heatmap map_of(const Drawing& d, float cell_w, float cell_h) {
  const Tensor& weights = d.trace.at("weights");
  const bool whole_range = d.state.normalise == Normalise::zero_one;
  const float size = std::clamp(std::min(cell_h * 0.5F, cell_w * 0.24F), 0.F, 13 * std::max(stage_scale(d), 0.85F));
  return {.range = {"weights", 0, 0, weights.rows(), weights.columns()},
          .map = d.state.map,
          .normalise = d.state.normalise,
          .low = whole_range || d.state.normalise == Normalise::row ? 0 : weights.values.minCoeff(),
          .high = whole_range || d.state.normalise == Normalise::row ? 1 : weights.values.maxCoeff(),
          .gap = cell_h >= 12 ? 2.F : 1.F,
          .text_size = size >= 9 ? size : 0,
          .decimals = 2,
          .told_from = d.view.compact() ? 0 : kTold,
          .told_row = d.row,
          .mask = "scaled",
          .theme = d.view.theme};
}

// The map, its rows' words to its left, its colour bar to its right.
void add_weight_map(Drawing& d, Rect rect) {
  const float cell_h = rect.h / static_cast<float>(d.queries.size());
  const float cell_w = rect.w / static_cast<float>(d.keys.size());
  const float label = std::clamp(0.46F * cell_h, 9.F, 13 * std::max(stage_scale(d), 1.F)), names = rect.x - 12;
  for (int i = 0; i < static_cast<int>(d.queries.size()); ++i) {
    const bool looked_at = i == d.row;
    const text::Face face = looked_at ? text::Face::semibold : text::Face::regular;
    d.figure.add({.id = "weights.row." + std::to_string(i),
                  .role = Role::token,
                  .rect = {2, rect.y + cell_h * static_cast<float>(i), names, cell_h},
                  .label = d.queries[static_cast<std::size_t>(i)],
                  .edit = Edit{"query", std::to_string(i)},
                  .shape = Text{.text = text::fit(face, label, d.queries[static_cast<std::size_t>(i)], names),
                                .face = face,
                                .size = label,
                                .colour = looked_at ? d.colours.query : d.colours.muted,
                                .align = Align::right}});
  }
  const Heatmap map = map_of(d, cell_w, cell_h);
  const bool beside = names >= 48;  // there is room for it above the words
  d.figure.add({.id = "weights.title",
                .rect = beside ? Rect{2, rect.y - 20, names, 16} : Rect{rect.x, rect.y - 20, 120, 16},
                .shape = Text{.text = "weights",
                              .face = text::Face::semibold,
                              .size = 12,
                              .colour = d.colours.muted,
                              .align = beside ? Align::right : Align::left}});
  d.figure.add({.id = "weights",
                .role = Role::cell,
                .rect = rect,
                .label = "weights " + std::to_string(map.range.rows) + "×" + std::to_string(map.range.columns),
                .edit = Edit{"weights", {}},
                .shape = map});
  const bool by_row = d.state.normalise == Normalise::row, whole = d.state.normalise == Normalise::zero_one;
  d.figure.add({.id = "weights.bar",
                .rect = {rect.right() + 14, rect.y, kColourBarSize, std::max(rect.h, 60.F)},
                .shape = ColourBar{.map = map.map,
                                   .low = map.low,
                                   .high = map.high,
                                   .words = by_row  ? kRowWords
                                            : whole ? kBareWords
                                                    : std::array<std::string_view, 3>{},
                                   .ink = d.colours.muted,
                                   .theme = d.view.theme}});
}

// Below the map, where its rows have colours of their own.
float add_row_caption(Drawing& d, Point at, float width) {
  if (d.state.normalise != Normalise::row) return at.y;
  add_words(d, "weights.caption", {at.x, at.y + 2, width, 16}, "colours: each row has its own scale",
            {d.colours.muted});
  return at.y + 18;
}

// Under each word that gets much light, at the head of its column.
void add_feet(Drawing& d, const LitStage& stage, float y) {
  const std::vector<float> weights = weights_of(d);
  for (int j = stage.slots.first; j < stage.slots.first + stage.slots.count; ++j) {
    if (weights[static_cast<std::size_t>(j)] < kTold) continue;
    const float x = stage.slots.middle(j) - stage.slots.pitch / 2;
    d.figure.add({.id = "weights.foot." + std::to_string(j),
                  .rect = {x + 1, y - 4.5F, stage.slots.pitch - 2, 3},
                  .shape = Rectangle{.fill = d.colours.lamp, .radius = 1.5F}});
  }
}

float draw_narrow(Drawing& d) {
  // Close, so that the map below is seen as well.
  constexpr float kAround = 72, kRow = 23;  // px beside column and map; of a row of the map
  const auto words = static_cast<float>(d.keys.size());
  const float room = d.view.height - kAround - 24 - kRow * static_cast<float>(d.queries.size());
  const float y = add_lit_column(d, -4, std::clamp(room / std::max(words - 1, 1.F), 28.F, 34.F)) + 16;
  if (static_cast<int>(d.keys.size()) > kMostOnStage)
    return add_glance_panels(d, {d.margin(), y, d.inner(), d.view.height});
  float labels = 0;
  for (const std::string& word : d.queries)
    labels = std::max(labels, text::measure(text::Face::semibold, 13, word) + 14);
  labels = std::min(labels, 84.F);
  const float width = d.figure.width - labels - 12 - kBarRoom;
  const float rows = static_cast<float>(d.queries.size());
  const float cell = std::clamp(width / static_cast<float>(d.keys.size()), 6.F, 44.F);
  const float high = std::clamp((d.view.height - y - 44) / rows, 22.F, 40.F);
  const Rect map{labels + 8, y, width, std::max(rows * std::min(cell, high), 60.F)};
  add_weight_map(d, map);
  add_outline(d.figure, "weights", d.row, -1, d.colours.ink);
  return add_row_caption(d, {map.x, map.bottom()}, map.w) + 8;
}

}  // namespace

float draw_glance(Drawing& d) {
  if (d.view.compact()) return draw_narrow(d);
  const bool many = static_cast<int>(d.keys.size()) > kMostOnStage;  // then the map needs the room more than the lamp
  const float k = stage_scale(d) * (many ? 0.62F : 1), width = d.figure.width, height = d.height();
  const auto rows = static_cast<float>(d.queries.size());
  const float caption = d.state.normalise == Normalise::row ? 18 : 0;
  const float room = height - 290 * k - 20 - caption;
  // Where the view scrolls anyway, rows are as high as their numbers need.
  const float row_h =
      std::max(std::min(room / rows, (rows < 6 ? 44 : 30) * std::max(k, 1.F)), d.scrolls() ? 22.F : 0.F);
  LitStage stage{.slots = {}, .lamp = {}, .scale = k};
  const float size = many ? 24 : 33 * k;
  const Room across = stage_room(d, size, size / 2);
  const float left = across.left;
  stage.slots = word_slots(d, across);
  const bool aligned = stage.slots.count == stage.slots.of;
  const float down = aligned ? 0.6F * std::max(room - row_h * rows, 0.F) : 0;
  stage.baseline = std::round(220 * k + down);
  stage.floor = stage.baseline + 26 * k;
  stage.shares = stage.floor + 19 * k;
  const float asks = d.state.given() || !stage.slots.shows(d.row) ? width / 2 : stage.slots.centre(d.row);
  stage.lamp = {.bulb = {asks, std::round(57 * k + 0.3F * down)}, .cable_from = 0, .scale = k};
  const float map_y = stage.floor + 44 * k;
  add_lit_stage(d, stage, add_word_arcs);
  if (aligned) {
    add_feet(d, stage, map_y);
    add_weight_map(d, {left, map_y, stage.slots.pitch * static_cast<float>(stage.slots.count), row_h * rows});
    add_outline(d.figure, "weights", d.row, -1, d.colours.ink);
    return add_row_caption(d, {left, map_y + row_h * rows}, stage.slots.pitch * 3) + 4;
  }
  const std::vector<float> weights = weights_of(d);
  add_window_ends(d.figure, stage.slots, lit_words(d, weights), stage.lamp.bulb.y);
  return add_glance_panels(d, {d.margin(), map_y, d.inner(), std::max(height - map_y - 8, 180.F)});
}

}  // namespace limelight::scenes::spotlight
