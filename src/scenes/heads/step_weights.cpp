// The steps Lamps and One head: each head a lamp over the sentence, and below it a row of what it looks at; or a single
// lamp, which has one row of weights for all of them.
#include <algorithm>
#include <cmath>

#include "figure/lamp.h"
#include "figure/light.h"
#include "io/numbers.h"
#include "scenes/common/explain.h"
#include "scenes/common/lit_stage.h"
#include "scenes/heads/steps.h"

namespace limelight::scenes::heads {
namespace {

struct Stage {
  Slots slots;
  std::vector<Lamp> lamps;
  float baseline, floor, shares, room;
  float rows, pitch;  // of the heads' rows
  float names;        // where their names begin
};

std::vector<float> weights_of(const Drawing& d, const std::string& tensor) {
  const auto row = d.trace.at(tensor).values.row(d.row);
  return {row.begin(), row.end()};
}

Stage stage_of(const Drawing& d, float y, float bottom, bool single) {
  const int heads = d.state.heads;
  const bool narrow = d.narrow();
  Matrix most = d.trace.at(of_head("A", 0)).values;
  for (int h = 1; h < heads; ++h) most = most.cwiseMax(d.trace.at(of_head("A", h)).values);
  const std::vector<std::string> words = key_words(d.state);
  const float k = std::clamp(std::min(d.figure.width / 1208, (bottom - y) / 560), 0.5F, 1.45F);
  const float names = narrow ? 34 : 148 * k, left = narrow ? names : d.low() ? d.margin() : names + 16;
  Stage stage{};
  stage.slots = slots_of(words, most, !d.state.crossed(),
                         {.left = left,
                          .width = d.figure.width - left - d.margin() + (narrow ? 8 : 0),
                          .beyond = 8,
                          .size = 32 * k,
                          .gain = 10 * k});
  stage.names = narrow ? 8 : d.margin();
  // Of the heads' rows: a low view has none.
  const float least = d.low() ? 0 : !narrow ? 19 : single ? 20 : 30;
  const float highest = d.low() || (narrow && single) ? least : narrow ? 34 : std::max(28 * k, least);
  const float room = stage.slots.upright ? 96 : 40 * k;
  const float lamp_y = y + (narrow ? 44 : 74 * k), fixed = lamp_y + room + 60;
  stage.pitch = std::clamp((bottom - fixed - 130 * k) / static_cast<float>(heads), least, highest);
  stage.rows = bottom - stage.pitch * static_cast<float>(heads);
  stage.shares = stage.rows - 20;
  stage.floor = stage.shares - 18;
  stage.baseline = stage.floor - (stage.slots.upright ? 8 : 30 * k);
  stage.room = room;
  const int count = single ? 1 : heads;
  const float from = narrow ? d.margin() : stage.slots.begin,
              width = narrow ? d.inner() : stage.slots.pitch * static_cast<float>(stage.slots.count);
  const float apart = width / static_cast<float>(count);
  for (int h = 0; h < count; ++h) {
    Lamp lamp{.bulb = {from + apart * (static_cast<float>(h) + 0.5F), lamp_y},
              .cable_from = narrow || single ? 0 : y + 22,
              .scale = single ? k : std::min(0.62F * k, apart / 78)};
    const std::vector<float> weights = weights_of(d, single ? "A_mean" : of_head("A", h));
    const int best = static_cast<int>(std::ranges::max_element(weights) - weights.begin());
    const float aside = (stage.slots.centre(best) - lamp.bulb.x) / std::max(stage.floor - lamp_y, 1.F);
    lamp.tilt = single ? 0 : std::clamp(0.6F * std::atan(aside), -0.5F, 0.5F);
    stage.lamps.push_back(lamp);
  }
  return stage;
}

// The light of all lamps adds up; those that are not looked at are nearly out.
Light light_of_all(const Drawing& d, const Stage& stage, bool single) {
  constexpr float kOut = 0.1F, kFaint = 0.1F;
  Light all{.theme = d.view.theme};
  for (std::size_t h = 0; h < stage.lamps.size(); ++h) {
    std::vector<float> weights = weights_of(d, single ? "A_mean" : of_head("A", static_cast<int>(h)));
    if (!single && d.alone < 0)  // of many lamps the faint beams would hide who looks where; the rows below have them
      for (float& weight : weights) weight = weight < kFaint ? 0 : weight;
    Light one =
        light_over(stage.lamps[h], stage.slots, stage.floor, {.row = d.row, .weights = weights, .theme = d.view.theme});
    const bool shines = single || d.looked_at(static_cast<int>(h));
    // Where all of them fall on one word its letters, which are small on a phone, are still read.
    const float many = !is_dark(d.view.theme) ? 0.8F : d.view.compact() ? 0.45F : 0.6F;
    const float strength = !shines ? kOut : single || d.alone >= 0 ? 1.F : many;
    for (Light::Beam& beam : one.beams) beam.intensity *= strength, all.beams.push_back(beam);
    for (Light::Spot& spot : one.spots) spot.intensity *= strength, all.spots.push_back(spot);
  }
  return all;
}

void add_lamps(Drawing& d, const Stage& stage, bool single) {
  for (std::size_t i = 0; i < stage.lamps.size(); ++i) {
    const int h = static_cast<int>(i);
    const Lamp& lamp = stage.lamps[i];
    const std::string id = single ? std::string(kLampId) : "head." + std::to_string(h + 1) + ".lamp";
    add_lamp(d.figure, id, lamp, d.view.theme);
    if (single) return;
    for (Element& element : d.figure.elements)
      if (element.id == id + ".rim" || element.id == id + ".cable") {
        auto& line = std::get<Line>(element.shape);
        line.colour = d.of(h);
        line.width = element.id.ends_with(".rim") ? 4 * lamp.scale + 1 : 2;
      }
    const float half = 44 * lamp.scale;
    const float top = d.narrow() ? 0 : lamp.cable_from - 22;
    d.figure.add({.id = id,
                  .role = Role::button,
                  .rect = {lamp.bulb.x - half, top, 2 * half, lamp.bulb.y + 14 - top},
                  .label = "Head " + std::to_string(h + 1) + ", " + habit(d.state, d.trace, h),
                  .edit = look_at(d.state, h)});
    if (d.narrow()) continue;
    add_disc(d, id + ".disc", {lamp.bulb.x, lamp.cable_from - 10}, h, 10);
    const std::string says = habit(d.state, d.trace, h);
    const float wide = text::measure(type::name.face, type::name.size, says) + 2;
    if (!says.starts_with("here") && lamp.bulb.x + 15 + wide < d.figure.width &&
        wide + 30 < d.figure.width / static_cast<float>(stage.lamps.size() + 1))
      add_words(d, id + ".name", {lamp.bulb.x + 15, lamp.cable_from - 18, wide, 16}, says, {d.colours.ink, type::name});
  }
}

// What a head looks at from the word that asks: a bar under each word, as wide as its weight.
void add_row(Drawing& d, const Stage& stage, int h) {
  const float y = stage.rows + stage.pitch * static_cast<float>(h), opacity = d.looked_at(h) ? 1 : 0.25F;
  const std::string name = "head." + std::to_string(h + 1) + ".row", tensor = of_head("A", h),
                    says = habit(d.state, d.trace, h);
  const bool narrow = d.narrow(), editable = !d.state.alike || h == 0;
  const float middle = narrow ? y + stage.pitch - 11 : y + stage.pitch / 2;
  d.figure.add({.id = name,
                .role = Role::button,
                .rect = {stage.names, y, narrow ? d.inner() : stage.slots.begin - stage.names - 8, stage.pitch},
                .label = "Head " + std::to_string(h + 1) + ", " + says,
                .edit = look_at(d.state, h),
                .shape = Rectangle{.fill = d.alone == h ? d.of(h).faded(0.16F) : Colour{0, 0, 0, 0}, .radius = 6}});
  add_disc(d, name + ".disc", {stage.names + 11, middle}, h, narrow ? 8.F : 9.F);
  if (!narrow || stage.pitch > 28)
    add_words(d, name + ".name", {stage.names + (narrow ? 26 : 28), narrow ? y : middle - 8, 160, 16}, says,
              {d.looked_at(h) ? d.colours.ink : d.colours.muted,
               {text::Face::semibold, narrow ? 11.F : 12.5F * d.letters()}});
  d.figure.add(
      {.id = name + ".line",
       .rect = {stage.slots.begin, middle - 0.5F, stage.slots.pitch * static_cast<float>(stage.slots.count), 1},
       .shape = Rectangle{.fill = d.colours.track}});
  const std::vector<float> weights = weights_of(d, tensor);
  for (int j = 0; j < stage.slots.count; ++j) {
    const float weight = weights[static_cast<std::size_t>(j)], width = std::max((stage.slots.pitch - 6) * weight, 3.F);
    const float tall = std::min(narrow ? 14.F : 16.F, stage.pitch - 3), high = std::min(tall, std::max(width, 4.F));
    const Source source{tensor, d.row, j};
    const std::string words = share_text(weight);
    add_fill(d, cell_id(source) + ".bar", {stage.slots.centre(j) - width / 2, middle - high / 2, width, high}, d.of(h),
             std::min(high / 2, width / 2), weight < 0.005F ? 0.2F * opacity : opacity);
    if (width > 40 && d.looked_at(h))
      add_words(d, cell_id(source) + ".share", {stage.slots.centre(j) - width / 2, middle - 8, width, 16}, words,
                {figure::ink_on(d.of(h)), {text::Face::mono_bold, 11 * d.letters()}, Align::centre});
    Element cell{
        .id = cell_id(source),
        .role = Role::cell,
        .rect = {stage.slots.centre(j) - stage.slots.pitch / 2, middle - tall / 2 - 1, stage.slots.pitch, tall + 2},
        .label = key_words(d.state)[static_cast<std::size_t>(j)] + " in head " + std::to_string(h + 1) + ": " + words,
        .source = source};
    if (editable) cell.edit = Edit{.field = tensor};
    d.figure.add(std::move(cell));
  }
}

void add_stage(Drawing& d, const Stage& stage, bool single) {
  const Light light = light_of_all(d, stage, single);
  const std::vector<std::string> words = key_words(d.state);
  const bool told = single || d.alone >= 0;
  const std::string tensor = single || d.alone < 0 ? "A_mean" : of_head("A", d.alone);
  std::vector<float> weights = weights_of(d, tensor);
  if (!told)  // all lamps at once: a word is as bright as the head that looks at it most
    for (int h = 0; h < d.state.heads; ++h)
      for (std::size_t j = 0; j < weights.size(); ++j)
        weights[j] = std::max(weights[j], d.trace.at(of_head("A", h)).values(d.row, static_cast<Eigen::Index>(j)));
  d.figure.add({.id = std::string(kLightId), .rect = {0, 0, d.figure.width, stage.rows}, .shape = light});
  add_lamps(d, stage, single);
  const bool by_hand = !single && d.alone >= 0 && (!d.state.alike || d.alone == 0);
  const std::string field = by_hand ? tensor : "";
  add_lit_words(
      d.figure, stage.slots,
      {.words = words,
       .weights = weights,
       .query = d.state.crossed() ? -1 : d.row,
       .field = d.state.crossed() ? std::string_view() : "query",
       .tensor = told ? std::string_view(tensor) : std::string_view(),
       .row = d.row,
       .weight_field = field,
       .looked_at = d.view.focus(),
       .theme = d.view.theme,
       .light = Brightness(light),
       .ground = stage_ground(d.colours, d.view.height)},
      {.words = stage.baseline, .shares = stage.shares, .end = stage.shares + 10, .room = stage.room, .told = told});
  for (int h = 0; h < d.state.heads && stage.pitch > 0; ++h) add_row(d, stage, h);
}

ChipGroup askers(const Drawing& d) {
  ChipGroup group{"query", "who asks", {}};
  const std::vector<std::string> words = query_words(d.state);
  for (int i = 0; i < static_cast<int>(words.size()); ++i)
    group.chips.push_back({words[static_cast<std::size_t>(i)], std::to_string(i), i == d.row, {}});
  return group;
}

}  // namespace

float draw_weights(Drawing& d, float y, float bottom) {
  std::vector<ChipGroup> groups;
  if (d.state.crossed()) groups.push_back(askers(d));
  if (!d.state.trained) groups.push_back(patterns_of(d));
  bottom = add_choices(d, groups, bottom);
  add_stage(d, stage_of(d, y, bottom, false), false);
  return bottom;
}

float draw_one(Drawing& d, float y, float bottom) {
  std::vector<ChipGroup> groups;
  if (d.state.crossed()) groups.push_back(askers(d));
  if (d.state.heads > 1)
    groups.push_back({"alike",
                      "weights",
                      {{"each its own", "off", !d.state.alike, {}}, {"all like head 1", "on", d.state.alike, {}}}});
  bottom = add_choices(d, groups, bottom);
  const Source apart{"apart", 0, 0};
  const double size = static_cast<double>(d.trace.at("size").values(0, 0)),
               off = static_cast<double>(d.trace.at("apart").values(0, 0));
  const std::string words = io::format_short(off);
  const float width = text::measure(text::Face::mono, 12, words) + 12, high = d.narrow() ? 44 : 28;
  const Point at{d.margin(), bottom - high};
  add_number(d, apart, at, words, d.colours.output);
  add_note(d, "apart.words",
           "is how far this one head’s output is from that of all: **" + io::format_percent(size > 0 ? off / size : 0) +
               "** of its length",
           {at.x + width, at.y}, d.inner() - width);
  add_stage(d, stage_of(d, y, bottom - high - 10, true), true);
  return bottom;
}

}  // namespace limelight::scenes::heads
