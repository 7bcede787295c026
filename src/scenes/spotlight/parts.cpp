#include "scenes/spotlight/steps.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "figure/panels.h"
#include "io/numbers.h"

namespace limelight::scenes::spotlight {
namespace {

constexpr float kBarPitch = 24;
constexpr float kBarScale = 14;  // the numbers below the bars
constexpr int kMostBars = 5;

}  // namespace

// ---- bars: what one token looks at ----

float bars_height(const Drawing& d) {
  return 26 + kBarPitch * static_cast<float>(std::min<std::size_t>(d.keys.size(), kMostBars + 1)) + kBarScale;
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

// What the longest bar could show: a round share that no weight of the row exceeds.
float bars_limit(const Drawing& d) {
  const float largest = d.trace.at("weights").values.row(d.row).maxCoeff();
  constexpr float limits[] = {0.05F, 0.1F, 0.2F};  // of many words; a few share the whole
  const auto* limit = std::ranges::find_if(limits, [largest](float at) { return largest <= at; });
  return limit != std::end(limits) ? *limit : 1.F;
}

}  // namespace

void add_bars(Drawing& d, Rect area) {
  const Matrix& weights = d.trace.at("weights").values;
  const int keys = static_cast<int>(d.keys.size());
  const std::vector<std::string> names = told_apart(d.keys);
  std::vector<int> order(d.keys.size());
  std::iota(order.begin(), order.end(), 0);
  if (keys > kMostBars + 1) {
    order = largest_first(weights, d.row);
    order.resize(kMostBars);
  }
  d.figure.add({.id = "bars.title",
                .rect = {area.x, area.y, area.w, 18},
                .shape = Text{.text = told_apart(d.queries)[static_cast<std::size_t>(d.row)] + " looks at",
                              .size = 14,
                              .colour = d.colours.muted}});
  float label_width = 0;
  for (const int j : order)
    label_width = std::max(label_width, text::measure(text::Face::regular, 12, names[static_cast<std::size_t>(j)]));
  label_width = std::min(label_width, 90.F) + 10;
  const float longest = area.w - label_width - 62;
  const float limit = bars_limit(d);
  float rest = 1;
  float y = area.y + 26;
  for (const int j : order) {
    const float weight = weights(d.row, j);
    rest -= weight;
    const std::string name = "bars." + std::to_string(j);
    d.figure.add({.id = name + ".label",
                  .rect = {area.x, y, label_width - 10, 16},
                  .shape = Text{.text = text::fit(text::Face::regular, 12, names[static_cast<std::size_t>(j)], 90),
                                .size = 12,
                                .colour = d.colours.ink,
                                .align = Align::right}});
    const float length = std::max(longest * weight / limit, 1.F);
    // The whole length stands behind each bar, so that its end is seen.
    d.figure.add({.id = name + ".track",
                  .rect = {area.x + label_width, y, longest, 15},
                  .shape = Rectangle{.fill = d.colours.sunken, .radius = 3}});
    d.figure.add({.id = name,
                  .role = Role::cell,
                  .rect = {area.x + label_width, y, length, 15},
                  .label = d.keys[static_cast<std::size_t>(j)] + ": " + io::format_percent(weight),
                  .source = Source{"weights", d.row, j},
                  .shape = Rectangle{.fill = colour_of_weight(d, j), .radius = 3}});
    d.figure.add(
        {.id = name + ".value",
         .rect = {area.x + label_width + longest + 8, y, 54, 16},
         .shape =
             Text{.text = io::format_percent(weight), .face = text::Face::mono, .size = 12, .colour = d.colours.ink}});
    y += kBarPitch;
  }
  const auto add_end = [&](const char* id, const std::string& share, Align align) {
    d.figure.add({.id = id,
                  .rect = {area.x + label_width, y - 7, longest, 14},
                  .shape = Text{
                      .text = share, .face = text::Face::mono, .size = 11, .colour = d.colours.muted, .align = align}});
  };
  add_end("bars.low", "0", Align::left);
  add_end("bars.high", io::format_percent(limit), Align::right);
  y += kBarScale;
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

// All words stand on equally wide pools of light, as wide as their pitch lets them.
struct Pools {
  float size;   // of the words
  float pitch;  // from word to word
};

constexpr float kWidestPool = 112;  // longer words are cut

// Nothing when they do not fit on one line.
std::optional<Pools> pools(const Drawing& d, float width) {
  constexpr float most = 560;  // a wider spread would make slivers of the beams
  constexpr float air = 14;
  const auto count = static_cast<float>(d.keys.size());
  const auto widest = [&](float size) {
    float wide = 34;  // "100 %"
    for (const std::string& word : d.keys) wide = std::max(wide, text::measure(text::Face::semibold, size, word));
    return std::min(wide, kWidestPool - air) + air;
  };
  const float largest = d.view.compact() ? 15.F : d.low() ? 16.F : 22.F;
  for (float size = largest; size >= 14; size -= 1) {
    const float pitch = std::min(width - 32, std::max(most, widest(size) * count)) / count;
    if (widest(size) <= pitch) return Pools{size, pitch};
  }
  return std::nullopt;
}

// Words that do not fit on one line stand as text does, lit from behind.
struct Chips {
  float size;
  float h;
  bool shares;  // each has its percentage below it
};

Chips chips(const Drawing& d) {
  const bool crowd = d.crowded() && !d.view.compact();
  const bool shares = d.keys.size() <= 16;
  return {.size = crowd ? 12.F : 14.F, .h = crowd ? 18.F : shares ? 38.F : 26.F, .shares = shares};
}

constexpr float kChipsTop = 34;
constexpr float kChipGap = 4;

std::vector<Rect> chip_rects(const Drawing& d, const Chips& look, Rect card) {
  std::vector<Rect> rects;
  float x = card.x + 16;
  float y = card.y + kChipsTop;
  for (const std::string& word : d.keys) {
    const float least = look.shares ? 34.F : 0.F;
    const float w = std::max(text::measure(text::Face::semibold, look.size, word), least) + (look.size < 14 ? 8 : 14);
    if (x + w > card.right() - 12 && x > card.x + 16) {
      x = card.x + 16;
      y += look.h + kChipGap;
    }
    rects.push_back({x, y, w, look.h});
    x += w + kChipGap;
  }
  return rects;
}

// What a share of the row's largest weight is as light: in proportion, so that brightness is weight.
// At most this opaque, so that the word in it reads.
float light_of(float share) { return share * 0.38F; }

void add_lamp(Drawing& d, Rect card, bool centred) {
  const Point at{centred ? card.centre().x : card.x + 24, card.y + 16};
  d.figure.add({.id = "stage.query.dot",
                .rect = {at.x - 5, at.y - 5, 10, 10},
                .shape = Rectangle{.fill = d.colours.query, .radius = 5}});
  d.figure.add({.id = "stage.query",
                .rect = {at.x + 14, at.y - 9, 140, 18},
                .shape = Text{.text = "query: " + text::fit(text::Face::semibold, 12,
                                                            d.queries[static_cast<std::size_t>(d.row)], 90),
                              .face = text::Face::semibold,
                              .size = 12,
                              .colour = d.colours.query}});
  if (card.w < 330 || (centred && d.low())) return;  // where beams would run through it
  d.figure.add({.id = "stage.note",
                .rect = {card.x + 12, at.y - 8, card.w - 24, 16},
                .shape = Text{.text = "full light = largest weight",
                              .size = 11,
                              .colour = d.colours.muted,
                              .align = centred ? Align::left : Align::right}});
}

void add_stage_word(Drawing& d, int j, Rect rect, float size, float share, bool with_share) {
  const std::string id = "stage.word." + std::to_string(j);
  const std::string percent = io::format_percent(d.trace.at("weights").values(d.row, j));
  const Colour ink = mix(d.colours.muted, d.colours.ink, share);
  const float below = with_share ? 16 : 0;
  d.figure.add(
      {.id = id,
       .role = Role::token,
       .rect = {rect.x, rect.y, rect.w, rect.h - below},
       .label = d.keys[static_cast<std::size_t>(j)] + ": " + percent,
       .source = Source{"weights", d.row, j},
       .edit = d.state.given() ? std::nullopt : std::optional(Edit{"query", std::to_string(j)}),
       .shape = Text{.text = text::fit(text::Face::semibold, size, d.keys[static_cast<std::size_t>(j)], rect.w - 4),
                     .face = text::Face::semibold,
                     .size = size,
                     .colour = ink,
                     .align = Align::centre}});
  if (with_share)
    d.figure.add(
        {.id = "stage.share." + std::to_string(j),
         .rect = {rect.x, rect.bottom() - below - 2, rect.w, below},
         .shape = Text{.text = percent, .face = text::Face::mono, .size = 11, .colour = ink, .align = Align::centre}});
}

// A beam from the lamp to a pool of light, on which its word stands.
void add_beams(Drawing& d, Rect card, const Pools& look) {
  const Matrix& weights = d.trace.at("weights").values;
  const float brightest = std::max(weights.row(d.row).maxCoeff(), 1e-6F);
  const int count = static_cast<int>(d.keys.size());
  const float half = std::min(look.pitch - 6, kWidestPool) / 2;
  const float height = look.size * 1.25F + 22;
  const float floor = card.bottom() - 8;
  const float top = std::round(floor - height);  // on a whole pixel, where beam and pool meet without a seam
  const Point lamp{card.centre().x, card.y + 16};
  for (int j = 0; j < count; ++j) {
    const float x = lamp.x + (static_cast<float>(j) - static_cast<float>(count - 1) / 2) * look.pitch;
    const float share = weights(d.row, j) / brightest;
    const Colour light = d.colours.amber.faded(light_of(share));
    d.figure.add(
        {.id = "stage.beam." + std::to_string(j),
         .shape =
             Area{.points = {lamp, {x + half, top}, {x - half, top}}, .fill = light.faded(0.3F), .fill_to = light}});
    d.figure.add({.id = "stage.pool." + std::to_string(j),
                  .rect = {x - half, top, 2 * half, floor - top},
                  .shape = Rectangle{.fill = light}});
    add_stage_word(d, j, {x - half, top, 2 * half, height}, look.size, share, true);
  }
}

}  // namespace

float stage_height(const Drawing& d, float width) {
  if (pools(d, width)) {
    if (d.view.compact()) return 116;
    return d.low() ? std::clamp(d.height() * 0.26F, 92.F, 108.F) : std::clamp(d.view.height * 0.2F, 112.F, 176.F);
  }
  return chip_rects(d, chips(d), {0, 0, width, 0}).back().bottom() + 12;
}

void add_stage(Drawing& d, Rect card) {
  d.figure.add({.id = "stage.card",
                .rect = card,
                .label = "weights as beams",
                .shape = Rectangle{.fill = d.colours.surface, .stroke = d.colours.hairline, .radius = 8}});
  if (const std::optional<Pools> one_line = pools(d, card.w)) {
    add_beams(d, card, *one_line);
    add_lamp(d, card, true);
    return;
  }
  const Matrix& weights = d.trace.at("weights").values;
  const float brightest = std::max(weights.row(d.row).maxCoeff(), 1e-6F);
  const Chips look = chips(d);
  add_lamp(d, card, false);
  int j = 0;
  for (const Rect& rect : chip_rects(d, look, card)) {
    const float share = weights(d.row, j) / brightest;
    d.figure.add({.id = "stage.beam." + std::to_string(j),
                  .rect = rect,
                  .shape = Rectangle{.fill = d.colours.amber.faded(light_of(share)), .radius = 6}});
    add_stage_word(d, j++, rect, look.size, share, look.shares);
  }
}

}  // namespace limelight::scenes::spotlight
