#include "scenes/spotlight_parts.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "figure/panels.h"
#include "io/numbers.h"

namespace limelight::scenes::spotlight {
namespace {

constexpr float kStageHeight = 108;
constexpr float kBarPitch = 24;
constexpr int kMostBars = 5;

// ---- the map of the steps: the block diagram of Vaswani et al. 2017, figure 2, lying on its side ----

struct Block {
  std::string name;
  std::string_view label;
  int step;
  Colour ink;
};

std::vector<Block> blocks(const Drawing& d) {
  const Palette& c = d.colours;
  const std::string scale = d.state.scale == Scale::off    ? "no scale"
                            : d.state.scale == Scale::root ? "÷ √d"
                                                           : "× " + io::format_short(d.state.factor);
  const bool masked = d.state.mask == Masking::causal;
  return {{"X", "The embeddings", 2, c.input},
          {"W", "Linear: the three matrices", 3, c.ink},
          {"Q K V", "Queries, keys and values", 4, c.ink},
          {"Q Kᵀ", "MatMul: the scores", 5, c.ink},
          {scale, "Scale", 6, d.state.scale == Scale::off ? c.faint : c.ink},
          {masked ? "mask" : "no mask", "Mask", 6, masked ? c.ink : c.faint},
          {"softmax", "SoftMax: the weights", 7, c.ink},
          {"× V", "MatMul: the values, mixed", 8, c.value},
          {"Y", "The output", 8, c.output}};
}

// One line where there is room for nine blocks, else two of five and four.
bool two_lines(const Drawing& d) { return d.inner() < 520; }
}  // namespace

float map_height(const Drawing& d) { return two_lines(d) ? 96 : 62; }

namespace {

Rect block_rect(const Drawing& d, int i, float y) {
  const bool lines = two_lines(d);
  const int per_line = lines ? 5 : 9;
  const float gap = lines ? 12 : d.inner() < 640 ? 8 : 18;
  const float width = (d.inner() - gap * static_cast<float>(per_line - 1)) / static_cast<float>(per_line);
  const float height = lines ? 44 : 30;
  return {d.margin() + static_cast<float>(i % per_line) * (width + gap),
          y + static_cast<float>(i / per_line) * (height + 8), width, height};
}

}  // namespace

void add_map(Drawing& d, float y) {
  const std::vector<Block> list = blocks(d);
  const int step = d.view.place.step;
  for (std::size_t n = 0; n < list.size(); ++n) {
    const int i = static_cast<int>(n);
    const Block& block = list[n];
    const Rect rect = block_rect(d, i, y);
    const bool off = block.ink == d.colours.faint;
    const bool active = block.step == step && !off;
    const std::string id = "map." + std::to_string(i);
    d.figure.add(
        {.id = id,
         .role = Role::button,
         .rect = rect,
         .label = std::string(block.label) + ": go to step " + std::to_string(block.step),
         .edit = Edit{"step", std::to_string(block.step)},
         .shape = Rectangle{
             .fill = active || (step == 9 && !off) ? d.colours.accent.faded(step == 9 ? 0.16F : 1) : d.colours.sunken,
             .radius = 6}});
    d.figure.add({.id = id + ".name",
                  .rect = rect,
                  .shape = Text{.text = block.name,
                                .face = active ? text::Face::semibold : text::Face::regular,
                                .size = d.inner() < 640 ? 11.F : 12.F,
                                .colour = active && step != 9 ? d.colours.on_accent : block.ink,
                                .align = Align::centre}});
    if (n + 1 == list.size()) continue;
    const Rect next = block_rect(d, i + 1, y);
    if (next.y == rect.y)
      d.figure.add({.id = id + ".arrow",
                    .shape = Arrow{.from = {rect.right() + 1, rect.centre().y},
                                   .to = {next.x - 1, rect.centre().y},
                                   .colour = d.colours.faint,
                                   .width = 1}});
  }
  // V goes around the scores to the second product.
  const Rect from = block_rect(d, 2, y), to = block_rect(d, 7, y);
  if (from.y != to.y) return;
  const float below = to.bottom() + 14;
  d.figure.add({.id = "map.value",
                .shape = Line{.points = {{from.centre().x, from.bottom() + 1},
                                         {from.centre().x, below},
                                         {to.centre().x, below},
                                         {to.centre().x, to.bottom() + 2}},
                              .colour = d.colours.value,
                              .width = step == 8 ? 2.5F : 1.5F}});
  d.figure.add({.id = "map.value.name",
                .rect = {from.centre().x + 8, below + 1, 20, 14},
                .shape = Text{.text = "V", .face = text::Face::semibold, .size = 11, .colour = d.colours.value}});
}

namespace {

// ---- words: each with its numbers on a card of its own ----

}  // namespace

// False when there are too many words or numbers for cards.
bool add_word_cards(Drawing& d, Rect area) {
  const Tensor& X = d.trace.at("X");
  const int decimals = decimals_for(X.values, 2);
  const float cell_w = decimals == 0 ? 32 : d.view.compact() ? 46 : 48;
  constexpr float cell_h = 34, pad = 16, gap = 16;
  const float card_w = std::max(cell_w * static_cast<float>(X.columns()), 60.F) + 2 * pad;
  constexpr float card_h = 108;
  const int per_line = static_cast<int>((area.w + gap) / (card_w + gap));
  if (per_line < 1) return false;
  const int lines = (X.rows() + per_line - 1) / per_line;
  if (!d.view.compact() && static_cast<float>(lines) * (card_h + gap) > area.h) return false;
  if (d.view.compact() && lines > 5) return false;
  const int across = std::min(per_line, X.rows());
  const float left = area.x + (area.w - static_cast<float>(across) * (card_w + gap) + gap) / 2;
  const float top = area.y + std::max(0.F, area.h - static_cast<float>(lines) * (card_h + gap)) * 0.4F;
  for (int i = 0; i < X.rows(); ++i) {
    const Rect card{left + static_cast<float>(i % per_line) * (card_w + gap),
                    top + static_cast<float>(i / per_line) * (card_h + gap), card_w, card_h};
    const std::string id = "card." + std::to_string(i);
    d.figure.add({.id = id,
                  .role = Role::token,
                  .rect = card,
                  .label = X.row_labels[static_cast<std::size_t>(i)],
                  .edit = Edit{"query", std::to_string(i)},
                  .shape = Rectangle{.fill = d.colours.surface,
                                     .stroke = i == d.row ? d.colours.query : d.colours.hairline,
                                     .stroke_width = i == d.row ? 1.5F : 1.F,
                                     .radius = 8}});
    d.figure.add({.id = id + ".word",
                  .rect = {card.x + pad, card.y + 14, card.w - 2 * pad, 30},
                  .shape = Text{.text = text::fit(text::Face::semibold, 20, X.row_labels[static_cast<std::size_t>(i)],
                                                  card.w - 2 * pad),
                                .face = text::Face::semibold,
                                .size = 20,
                                .colour = i == d.row ? d.colours.query : d.colours.ink}});
    d.figure.add({.id = "X." + std::to_string(i),
                  .role = Role::cell,
                  .rect = {card.x + pad, card.y + 56, card.w - 2 * pad, cell_h},
                  .label = "Embedding of " + X.row_labels[static_cast<std::size_t>(i)],
                  .edit = Edit{"X", {}},
                  .shape = MatrixCells{.range = {"X", i, 0, 1, X.columns()},
                                       .text_size = 13,
                                       .decimals = decimals,
                                       .fill = d.colours.sunken,
                                       .ink = d.colours.ink}});
  }
  d.figure.height = top + static_cast<float>(lines) * (card_h + gap);
  return true;
}

namespace {

// ---- bars: what one token looks at ----

}  // namespace

float bars_height(const Drawing& d) {
  return 26 + kBarPitch * static_cast<float>(std::min<std::size_t>(d.keys.size(), kMostBars + 1));
}

namespace {

// As in the heatmap beside it.
Colour colour_of_weight(const Drawing& d, int key) {
  const Matrix& weights = d.trace.at("weights").values;
  const bool whole_range = d.state.normalise == Normalise::zero_one;
  const Heatmap heatmap{.range = {"weights", 0, 0, static_cast<int>(weights.rows()), static_cast<int>(weights.cols())},
                        .map = d.state.map,
                        .normalise = d.state.normalise,
                        .low = whole_range ? 0 : weights.minCoeff(),
                        .high = whole_range ? 1 : weights.maxCoeff(),
                        .theme = d.view.theme};
  return HeatmapReader(heatmap, d.trace).colour(d.row, key).value_or(d.colours.sunken);
}

}  // namespace

void add_bars(Drawing& d, Rect area) {
  const Matrix& weights = d.trace.at("weights").values;
  const int keys = static_cast<int>(d.keys.size());
  std::vector<int> order(d.keys.size());
  std::iota(order.begin(), order.end(), 0);
  if (keys > kMostBars + 1) {
    order = largest_first(weights, d.row);
    order.resize(kMostBars);
  }
  d.figure.add(
      {.id = "bars.title",
       .rect = {area.x, area.y, area.w, 18},
       .shape = Text{
           .text = d.queries[static_cast<std::size_t>(d.row)] + " looks at", .size = 14, .colour = d.colours.muted}});
  float label_width = 0;
  for (const int j : order)
    label_width = std::max(label_width, text::measure(text::Face::regular, 12, d.keys[static_cast<std::size_t>(j)]));
  label_width = std::min(label_width, 90.F) + 10;
  const float longest = area.w - label_width - 62;
  const float largest = std::max(weights.row(d.row).maxCoeff(), 0.01F);
  float rest = 1;
  float y = area.y + 26;
  for (const int j : order) {
    const float weight = weights(d.row, j);
    rest -= weight;
    const std::string name = "bar." + std::to_string(j);
    d.figure.add({.id = name + ".label",
                  .rect = {area.x, y, label_width - 10, 16},
                  .shape = Text{.text = text::fit(text::Face::regular, 12, d.keys[static_cast<std::size_t>(j)], 90),
                                .size = 12,
                                .colour = d.colours.ink,
                                .align = Align::right}});
    const float length = std::max(longest * weight / largest, 1.F);
    d.figure.add({.id = name,
                  .role = Role::cell,
                  .rect = {area.x + label_width, y, length, 15},
                  .label = d.keys[static_cast<std::size_t>(j)] + ": " + io::format_percent(weight),
                  .source = Source{"weights", d.row, j},
                  .shape = Rectangle{.fill = colour_of_weight(d, j), .radius = 3}});
    d.figure.add(
        {.id = name + ".value",
         .rect = {area.x + label_width + length + 8, y, 54, 16},
         .shape =
             Text{.text = io::format_percent(weight), .face = text::Face::mono, .size = 12, .colour = d.colours.ink}});
    y += kBarPitch;
  }
  if (keys > kMostBars + 1)
    d.figure.add({.id = "bars.rest",
                  .rect = {area.x + label_width, y, longest + 60, 16},
                  .shape = Text{.text = "and " + std::to_string(keys - kMostBars) +
                                        " more: " + io::format_percent(std::max(rest, 0.F)),
                                .size = 12,
                                .colour = d.colours.muted}});
}

namespace {

// ---- the stage: the query is the lamp, brightness is the weight ----

void add_stage_card(Drawing& d, Rect card) {
  d.figure.add({.id = "stage.card",
                .rect = card,
                .shape = Rectangle{.fill = d.colours.surface, .stroke = d.colours.hairline, .radius = 8}});
}

void add_lamp(Drawing& d, Point at) {
  d.figure.add({.id = "stage.lamp",
                .rect = {at.x - 5, at.y - 5, 10, 10},
                .shape = Rectangle{.fill = d.colours.query, .radius = 5}});
  d.figure.add({.id = "stage.query",
                .rect = {at.x + 14, at.y - 9, 160, 18},
                .shape = Text{.text = "query: " + text::fit(text::Face::semibold, 12,
                                                            d.queries[static_cast<std::size_t>(d.row)], 110),
                              .face = text::Face::semibold,
                              .size = 12,
                              .colour = d.colours.query}});
}

void add_stage_word(Drawing& d, int j, Rect rect, float size, float light) {
  const std::string id = "stage.word." + std::to_string(j);
  d.figure.add(
      {.id = id,
       .role = Role::token,
       .rect = rect,
       .label = d.keys[static_cast<std::size_t>(j)] + ": " + io::format_percent(d.trace.at("weights").values(d.row, j)),
       .source = Source{"weights", d.row, j},
       .edit = d.state.given() ? std::nullopt : std::optional(Edit{"query", std::to_string(j)}),
       .shape = Text{.text = d.keys[static_cast<std::size_t>(j)],
                     .face = text::Face::semibold,
                     .size = size,
                     .colour = mix(d.colours.muted, d.colours.ink, light),
                     .align = Align::centre}});
}

}  // namespace

// The height that the stage needs at this width.
float stage_height(const Drawing& d, float width, float size) {
  float x = 0;
  float lines = 1;
  for (const std::string& word : d.keys) {
    const float w = text::measure(text::Face::semibold, size, word) + 18;
    if (x + w > width - 32) {
      x = 0;
      ++lines;
    }
    x += w;
  }
  return lines == 1 ? kStageHeight : 34 + lines * (size + 16) + 12;
}

void add_stage(Drawing& d, Rect card) {
  add_stage_card(d, card);
  const Matrix& weights = d.trace.at("weights").values;
  const float brightest = std::max(weights.row(d.row).maxCoeff(), 1e-6F);
  const int count = static_cast<int>(d.keys.size());
  float size = d.view.compact() ? 15 : 22;
  const auto total = [&](float at) {
    float sum = 0;
    for (const std::string& word : d.keys) sum += text::measure(text::Face::semibold, at, word) + 22;
    return sum;
  };
  while (size > 14 && total(size) > card.w - 32) size -= 1;
  if (total(size) <= card.w - 32) {
    const Point lamp{card.x + card.w / 2, card.y + 16};
    const float pitch = (card.w - 32 - total(size)) / static_cast<float>(count);
    float x = card.x + 16;
    for (int j = 0; j < count; ++j) {
      const float word = text::measure(text::Face::semibold, size, d.keys[static_cast<std::size_t>(j)]) + 22;
      const float centre = x + (word + pitch) / 2;
      const float light = weights(d.row, j) / brightest;
      const float floor = card.bottom() - 10;
      const Colour beam = d.colours.beam;
      d.figure.add({.id = "stage.beam." + std::to_string(j),
                    .shape = Area{.points = {{lamp.x, lamp.y}, {centre + word / 2, floor}, {centre - word / 2, floor}},
                                  .fill = beam.faded(std::pow(weights(d.row, j), 0.8F) * 0.8F),
                                  .fill_to = beam.faded(std::pow(weights(d.row, j), 0.8F) * 0.8F)}});
      add_stage_word(d, j, {centre - word / 2, floor - size - 14, word, size + 10}, size, light);
      x += word + pitch;
    }
    add_lamp(d, lamp);
    return;
  }
  size = 14;
  add_lamp(d, {card.x + 24, card.y + 18});
  float x = card.x + 16;
  float y = card.y + 34;
  for (int j = 0; j < count; ++j) {
    const float word = text::measure(text::Face::semibold, size, d.keys[static_cast<std::size_t>(j)]) + 18;
    if (x + word > card.right() - 16) {
      x = card.x + 16;
      y += size + 16;
    }
    const float light = weights(d.row, j) / brightest;
    d.figure.add({.id = "stage.beam." + std::to_string(j),
                  .rect = {x, y, word - 4, size + 12},
                  .shape = Rectangle{.fill = d.colours.beam.faded(light * 0.8F), .radius = 6}});
    add_stage_word(d, j, {x, y, word - 4, size + 12}, size, light);
    x += word;
  }
}

namespace {

// ---- arcs: from each query on the left to each key on the right ----

}  // namespace

void add_arcs(Drawing& d, Rect area) {
  const int queries = static_cast<int>(d.queries.size());
  const int keys = static_cast<int>(d.keys.size());
  float label_width = 34;
  for (const auto& list : {d.queries, d.keys})
    for (const std::string& word : list)
      label_width = std::max(label_width, std::min(text::measure(text::Face::regular, 12, word), 84.F));
  label_width += 10;
  d.figure.add(
      {.id = "arcs.title",
       .rect = {area.x, area.y, area.w, 18},
       .shape = Text{.text = "who looks at whom", .face = text::Face::semibold, .size = 14, .colour = d.colours.ink}});
  d.figure.add(
      {.id = "arcs.note",
       .rect = {area.x, area.y + 20, area.w, 16},
       .shape = Text{.text = d.trace.at("weights").values.maxCoeff() < static_cast<float>(d.state.threshold)
                                 ? "no weight reaches " + io::format_short(d.state.threshold) + ": lower “arcs above”"
                                 : "weights from " + io::format_short(d.state.threshold) + ", thicker is more",
                     .size = 12,
                     .colour = d.colours.muted}});
  const Rect arcs{area.x + label_width, area.y + 62, area.w - 2 * label_width, area.h - 62};
  d.figure.add({.id = "arcs.queries",
                .rect = {area.x, arcs.y - 20, label_width - 8, 16},
                .shape = Text{.text = "query",
                              .face = text::Face::semibold,
                              .size = 12,
                              .colour = d.colours.query,
                              .align = Align::right}});
  d.figure.add({.id = "arcs.keys",
                .rect = {arcs.right() + 8, arcs.y - 20, label_width - 8, 16},
                .shape = Text{.text = "key", .face = text::Face::semibold, .size = 12, .colour = d.colours.key}});
  const auto words = [&](const std::vector<std::string>& list, bool left) {
    const float pitch = arcs.h / static_cast<float>(list.size());
    const float size = std::clamp(pitch, 9.5F, 12.F);
    const int stride = std::max(1, static_cast<int>(std::ceil((size - 0.5F) / pitch)));
    for (int i = 0; i < static_cast<int>(list.size()); ++i) {
      const bool chosen = left && i == d.row;
      if (i % stride != 0 && !chosen) continue;
      Element word{
          .id = (left ? "arcs.query." : "arcs.key.") + std::to_string(i),
          .rect = {left ? area.x : arcs.right() + 8, arcs.y + pitch * static_cast<float>(i), label_width - 8, pitch},
          .shape = Text{.text = text::fit(text::Face::regular, 12, list[static_cast<std::size_t>(i)], 84),
                        .face = chosen ? text::Face::semibold : text::Face::regular,
                        .size = size,
                        .colour = chosen ? d.colours.query : d.colours.muted,
                        .align = left ? Align::right : Align::left}};
      if (left) {
        word.role = Role::token;
        word.label = list[static_cast<std::size_t>(i)];
        word.edit = Edit{"query", std::to_string(i)};
      }
      d.figure.add(std::move(word));
    }
  };
  words(d.queries, true);
  words(d.keys, false);
  d.figure.add({.id = "arcs",
                .rect = arcs,
                .label = "Arcs from each query to the keys that it looks at",
                .shape = Arcs{.range = {"weights", 0, 0, queries, keys},
                              .colour = d.colours.accent,
                              .threshold = static_cast<float>(d.state.threshold),
                              .row = d.row,
                              .max_width = 8}});
}

}  // namespace limelight::scenes::spotlight
