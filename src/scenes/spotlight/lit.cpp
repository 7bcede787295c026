#include "scenes/spotlight/lit.h"

#include <algorithm>
#include <cmath>

#include "figure/light.h"
#include "io/numbers.h"
#include "scenes/common/strips.h"

namespace limelight::scenes::spotlight {
namespace {

constexpr float kWidth = 1216, kHeight = 576;  // of a stage that is drawn at scale 1
constexpr float kPitch = 51;                   // from word to word in a column

// For each key, the largest weight that any query gives it.
std::vector<float> most_of(const Drawing& d) {
  const Matrix& weights = d.trace.at("weights").values;
  std::vector<float> most;
  for (Eigen::Index j = 0; j < weights.cols(); ++j) most.push_back(std::clamp(weights.col(j).maxCoeff(), 0.F, 1.F));
  return most;
}

// A word of the sentence that asks; in an example whose queries are no words of it none does.
int asking(const Drawing& d) { return d.state.given() ? -1 : d.row; }

// What a picture of the stage alone shows.
void add_card(Drawing& d, Rect rect) {
  d.figure.add({.id = "stage.card",
                .rect = rect,
                .label = "The sentence in the light of " + d.queries[static_cast<std::size_t>(d.row)],
                .shape = Rectangle{.fill = {255, 255, 255, 1}}});  // too faint to be seen
}

// The stage at this height, where there is no light.
Colour ground_at(const Drawing& d, float y) {
  return mix(d.colours.stage_top, d.colours.stage_bottom, std::clamp(y / d.height(), 0.F, 1.F));
}

void add_floor(Drawing& d, float y) {
  const bool dark = is_dark(d.view.theme);
  const auto white = [](int alpha) { return Colour{255, 255, 255, static_cast<std::uint8_t>(alpha)}; };
  d.figure.add({.id = "stage.floor",
                .shape = Area{.points = {{0, y - 2}, {d.figure.width, y - 2}, {d.figure.width, y + 64}, {0, y + 64}},
                              .fill = white(dark ? 12 : 87),
                              .fill_to = white(0)}});
  d.figure.add({.id = "stage.floor.edge",
                .shape = Line{.points = {{0, y - 1.5F}, {d.figure.width, y - 1.5F}}, .colour = d.colours.hairline}});
}

}  // namespace

float stage_scale(const Drawing& d) {
  return std::clamp(std::min(d.figure.width / kWidth, d.height() / kHeight), 0.5F, 1.45F);
}

std::vector<float> weights_of(const Drawing& d) {
  const auto row = d.trace.at("weights").values.row(d.row);
  return {row.begin(), row.end()};
}

Slots word_slots(const Drawing& d, Room room) {
  return slots_of(d.keys, most_of(d), d.state.given() ? 0 : query_row(d.state), room);
}

LitWords lit_words(const Drawing& d, const std::vector<float>& weights) {
  return {.words = d.keys,
          .weights = weights,
          .query = asking(d),
          .field = d.state.given() ? "" : "query",
          .tensor = "weights",
          .row = d.row,
          .theme = d.view.theme};
}

void add_lit_stage(Drawing& d, const LitStage& stage) {
  const std::vector<float> weights = weights_of(d);
  LitWords lit = lit_words(d, weights);
  const auto shown = std::span(weights).subspan(static_cast<std::size_t>(stage.slots.first),
                                                static_cast<std::size_t>(stage.slots.count));
  std::vector<Point> places;
  for (int i = 0; i < stage.slots.count; ++i)
    places.push_back({stage.slots.centre(stage.slots.first + i), stage.floor});
  add_card(d, {0, 0, d.figure.width, stage.shares + 12 * stage.scale});
  add_floor(d, stage.floor);
  const Light light = light_of(stage.lamp, {.tensor = "weights",
                                            .row = d.row,
                                            .first = stage.slots.first,
                                            .weights = shown,
                                            .places = places,
                                            .words = stage.slots.of,
                                            .theme = d.view.theme});
  const float top = stage.lamp.bulb.y + 8;
  d.figure.add({.id = "stage.light",
                .role = Role::cell,
                .rect = {0, top, d.figure.width, stage.floor + 12 - top},
                .label = "The light of " + d.queries[static_cast<std::size_t>(d.row)],
                .shape = light});
  lit.light = light;
  lit.ground = ground_at(d, stage.baseline);
  add_lamp(d.figure, "stage.lamp", stage.lamp, d.view.theme);
  const float above = stage.baseline - stage.slots.height() - 8;
  add_lit_words(d.figure, stage.slots, lit, stage.baseline, above, stage.shares + 12 * stage.scale);
  add_shares(d.figure, stage.slots, lit, stage.shares, stage.scale);
}

void add_lamp_note(Drawing& d, const LitStage& stage) {
  const std::string name = d.state.given() ? d.queries[static_cast<std::size_t>(d.row)] : std::string("the query");
  const std::string said = "asks, and its light falls";
  const float size = 12.5F;
  const float width = text::measure(text::Face::regular, size, said);
  const float gap = 50 * stage.scale;
  const bool left = stage.lamp.bulb.x + gap + width + 8 > d.figure.width;
  const float x = left ? stage.lamp.bulb.x - gap - width : stage.lamp.bulb.x + gap;
  const Align align = left ? Align::right : Align::left;
  add_words(d, "stage.lamp.name", {x, stage.lamp.bulb.y - 25, width + 1, 18}, name,
            {d.colours.query, {text::Face::semibold, size}, align});
  add_words(d, "stage.lamp.note", {x, stage.lamp.bulb.y - 8, width + 1, 18}, said,
            {d.colours.muted, {text::Face::regular, size}, align});
}

float add_lit_column(Drawing& d, float top) {
  const std::vector<float> weights = weights_of(d);
  const std::vector<float> most = most_of(d);
  const int count = static_cast<int>(d.keys.size());
  const float width = d.figure.width, words_x = std::round(std::min(150.F, 0.36F * width));
  const float first = top + 40;
  const auto middle = [&](int j) { return first + kPitch * static_cast<float>(j); };
  const float asks = d.state.given() ? (middle(0) + middle(count - 1)) / 2 : middle(d.row);
  const Lamp lamp{.bulb = {48, asks}, .cable_from = 0, .scale = 1, .hung = Hung::left};
  std::vector<Point> places;
  for (int j = 0; j < count; ++j) places.push_back({words_x - 4, middle(j)});
  const float bottom = middle(count - 1) + 40;
  add_card(d, {0, top + 16, width - 12, bottom - top - 32});
  LitWords lit = lit_words(d, weights);
  lit.light = light_of(
      lamp,
      {.tensor = "weights", .row = d.row, .weights = weights, .places = places, .words = count, .theme = d.view.theme});
  d.figure.add({.id = "stage.light",
                .role = Role::cell,
                .rect = {56, top, words_x - 60, bottom - top},
                .label = "The light of " + d.queries[static_cast<std::size_t>(d.row)],
                .shape = lit.light});
  add_lamp(d.figure, "stage.lamp", lamp, d.view.theme);
  const Tensor* X = d.trace.find("X");
  const float share_x = width - 20 - 56;
  for (int j = 0; j < count; ++j) {
    const float weight = weights[static_cast<std::size_t>(j)];
    const bool chosen = j == asking(d), told = weight >= 0.1F;
    const float size = chosen ? 26.F : 23 + 16 * weight;
    const text::Face face = chosen || told ? text::Face::display_bold : text::Face::display;
    const float cells = X == nullptr ? 0 : std::min(11.F * static_cast<float>(X->columns()), 84.F);
    const float cells_x = share_x - cells - 8;
    const float room = (cells >= 40 && cells_x - words_x > 90 ? cells_x : share_x) - words_x - 8;
    const std::string id = word_id(j);
    const std::string& word = d.keys[static_cast<std::size_t>(j)];
    Element element{.id = id,
                    .role = Role::token,
                    .rect = {words_x - 8, middle(j) - kPitch / 2, width - words_x, kPitch},
                    .label = word + ": " + io::format_percent(weight)};
    if (!d.state.given()) element.edit = Edit{"query", std::to_string(j)};
    d.figure.add(std::move(element));
    const std::string shown = text::fit(face, size, word, room);
    const float width_of_word = text::measure(face, size, shown);
    lit.ground = ground_at(d, middle(j));
    d.figure.add({.id = id + ".text",
                  .rect = {words_x, middle(j) - 10, room, 20},
                  .shape = Text{.text = shown,
                                .face = face,
                                .size = size,
                                .colour = ink_of(lit, j, {words_x, middle(j) - 10, width_of_word, 20})}});
    if (chosen)
      d.figure.add({.id = "stage.asks",
                    .shape = Line{.points = {{words_x, middle(j) + 17}, {words_x + width_of_word, middle(j) + 17}},
                                  .colour = d.colours.query,
                                  .width = 2.6F}});
    if (cells >= 40 && cells_x - words_x > 90) add_embedding(d, j, {cells_x, middle(j) - 8, cells, 16});
    d.figure.add({.id = "stage.share." + std::to_string(j),
                  .role = Role::cell,
                  .rect = {share_x, middle(j) - 10, 56, 20},
                  .label = word + ": " + io::format_percent(weight),
                  .source = Source{"weights", d.row, j},
                  .shape = Text{.text = share_text(weight),
                                .face = told ? text::Face::mono_bold : text::Face::mono,
                                .size = told ? 19.F : 13.F,
                                .colour = told ? d.colours.amber_text : d.colours.faint,
                                .align = Align::right}});
  }
  return bottom;
}

}  // namespace limelight::scenes::spotlight
