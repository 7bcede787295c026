#include <algorithm>

#include "figure/flows.h"
#include "figure/light.h"
#include "scenes/common/night.h"
#include "scenes/common/text.h"

namespace limelight::scenes {

using namespace figure;

namespace {

constexpr float kLeastPitch = 13;  // letters of 11 px stand beside each other

// Letters side by side; those that have no room are left out.
struct Letters {
  const std::vector<std::string>& all;
  int count;
  float left, pitch, y;

  Letters(const std::vector<std::string>& words, Rect area, float at_y)
      : all(words),
        count(std::clamp(static_cast<int>(area.w / kLeastPitch), 1, static_cast<int>(words.size()))),
        pitch(std::min(area.w / static_cast<float>(count), area.h > 340 ? 100.F : 70.F)),
        y(at_y) {
    left = area.x + (area.w - pitch * static_cast<float>(count)) / 2;
  }
  [[nodiscard]] float centre(int i) const { return left + pitch * (static_cast<float>(i) + 0.5F); }
  [[nodiscard]] float size(float most) const { return std::min(most, 0.86F * pitch); }
  [[nodiscard]] Rect cell(int i, float side) const {
    const float w = std::min(side, pitch - 2);
    return {centre(i) - w / 2, y - side / 2, w, side};
  }
};

Light light_of(const Frame& d, const Night& night, const Letters& source, const Letters& written, float top,
               float bottom) {
  const Tensor& weights = d.trace.at(night.weights);
  Feet from, to;
  for (int i = 0; i < written.count; ++i) from.at.push_back({written.centre(i), bottom});
  for (int j = 0; j < source.count; ++j) to.at.push_back({source.centre(j), top});
  const float k = std::clamp(std::min(source.pitch / 46, (bottom - top) / 190), 0.3F, 1.2F);
  Light light = flows_of(weights, from, to,
                         {.share = night.share,
                          .query = night.query,
                          .scale = (night.query < 0 ? 2.1F : 1.4F) * k,
                          .faint = night.query >= 0 ? 0.12F : 0.95F},
                         night_theme(d.view));
  // How much light a letter gets from all that are written.
  for (int j = 0; j < source.count; ++j) {
    const float sum = night.query >= 0 ? weights.values(std::min(night.query, weights.rows() - 1), j)
                                       : weights.values.col(j).head(std::min(written.count, weights.rows())).sum();
    light.spots.push_back({.glow = Light::Glow::haze,
                           .centre = {source.centre(j), source.y},
                           .radius_x = 30 * k,
                           .radius_y = 26 * k,
                           .intensity = 0.32F * std::min(sum, 1.2F)});
  }
  return light;
}

// Without attention all that is read goes through one vector, and all that is written comes from it.
void add_vector(Frame& d, const Night& night, const Letters& source, const Letters& written, float top, float bottom) {
  const Palette& dark = palette(night_theme(d.view));
  const std::string& words = night.vector;
  const float width = std::min(text::measure(text::Face::semibold, 12, words) + 24, night.area.w - 24);
  const Rect box{night.area.centre().x - width / 2, (top + bottom) / 2 - 14, width, 28};
  const auto way = [&](const std::string& id, Point from, Point to) {
    const float half = (from.y + to.y) / 2;
    d.figure.add({.id = id,
                  .shape = Curve{.from = from,
                                 .control_from = {from.x, half},
                                 .control_to = {to.x, half},
                                 .to = to,
                                 .colour = dark.muted.faded(0.55F),
                                 .width = 1.5F}});
  };
  const auto along = [&](const Letters& letters, int i) {
    return box.x + box.w * (static_cast<float>(i) + 0.5F) / static_cast<float>(letters.count);
  };
  for (int j = 0; j < source.count; ++j)
    way(night.id + ".in." + std::to_string(j), {source.centre(j), top}, {along(source, j), box.y});
  for (int i = 0; i < written.count; ++i)
    way(night.id + ".out." + std::to_string(i), {along(written, i), box.bottom()}, {written.centre(i), bottom});
  d.figure.add({.id = night.id + ".vector",
                .rect = box,
                .shape = Rectangle{.fill = dark.surface, .stroke = dark.muted, .radius = 8}});
  add_words(d, night.id + ".vector.words", box, words, {dark.ink, {text::Face::semibold, 12}, Align::centre});
}

void add_read(Frame& d, const Night& night, const Letters& letters) {
  for (int j = 0; j < letters.count; ++j) {
    const std::string& letter = letters.all[static_cast<std::size_t>(j)];
    const Source source{std::string(night.cells), 0, j};
    const Rect cell = letters.cell(j, 34);
    if (!night.cells.empty())
      d.figure.add({.id = cell_id(source), .role = Role::cell, .rect = cell, .label = shown(letter), .source = source});
    add_letter(d, night.id + ".read." + std::to_string(j), cell, letter, {0xff, 0xf4, 0xd6},
               letters.size(24 * night_letters(d)));
  }
}

void add_written(Frame& d, const Night& night, const Letters& letters) {
  const Palette& dark = palette(night_theme(d.view));
  const bool told = !night.right.empty() && !night.covered;
  for (int i = 0; i < letters.count; ++i) {
    const std::string& letter = letters.all[static_cast<std::size_t>(i)];
    const bool wrong = told && d.trace.at(night.right).values(0, i) == 0;
    const std::string id = night.id + ".written." + std::to_string(i);
    const Rect cell = letters.cell(i, std::clamp(0.62F * letters.pitch, 22.F, 40.F));
    const Colour tone = wrong ? dark.warning : told ? dark.good : dark.muted;
    Element box{.id = id + ".box",
                .rect = cell,
                .shape = Rectangle{.fill = mix(dark.stage_top, tone, 0.16F),
                                   .stroke = night.query == i ? dark.lamp : mix(dark.stage_top, tone, 0.6F),
                                   .stroke_width = night.query == i ? 2.5F : 1.3F,
                                   .radius = std::min(7.F, cell.w / 3)}};
    if (!night.pick.empty()) {
      box.role = Role::button;
      box.label = "look at output " + std::to_string(i + 1) + ", " + letter;
      box.edit = Edit{.field = std::string(night.pick), .value = std::to_string(i + 1)};
    } else if (told) {
      const Source source{std::string(night.right), 0, i};
      box.id = cell_id(source);
      box.role = Role::cell;
      box.label = letter + (wrong ? ", wrong" : "");
      box.source = source;
    }
    d.figure.add(std::move(box));
    const float size = letters.size(22 * night_letters(d));
    if (night.covered)
      add_words(d, id, cell, "?", {dark.muted, {text::Face::mono, size}, Align::centre});
    else
      add_letter(d, id, cell, letter, mix(tone, dark.ink, 0.35F), size);
    // A wrong letter is told by more than its colour.
    if (wrong)
      d.figure.add({.id = id + ".wrong",
                    .shape = Line{.points = {{cell.x + 3, cell.bottom() - 3}, {cell.right() - 3, cell.bottom() - 3}},
                                  .colour = dark.warning,
                                  .width = 2}});
  }
}

}  // namespace

Theme night_theme(const View& view) {
  return view.theme == Theme::stark_light || view.theme == Theme::stark_dark ? Theme::stark_dark : Theme::dark;
}

float night_letters(const Frame& frame) { return frame.view.height > 760 && !frame.narrow() ? 1.2F : 1; }

bool is_control(const std::string& token) { return token == "[PAD]" || token == "[START]"; }

std::string shown(const std::string& token) { return token == " " ? "_" : is_control(token) ? "□" : token; }

void add_letter(Frame& d, const std::string& id, Rect cell, const std::string& letter, Colour colour, float most) {
  if (letter == "[STOP]") {
    const float side = std::min({11.F, cell.w * 0.5F, cell.h * 0.5F});
    d.figure.add({.id = id,
                  .rect = {cell.centre().x - side / 2, cell.centre().y - side / 2, side, side},
                  .shape = Rectangle{.fill = colour, .radius = 1}});
    return;
  }
  const float size = std::min(most, cell.w * 1.5F);
  if (size >= 11)
    d.figure.add(
        {.id = id,
         .rect = cell,
         .shape = Text{
             .text = shown(letter), .face = text::Face::mono, .size = size, .colour = colour, .align = Align::centre}});
}

void add_night(Frame& d, const Night& night) {
  const Palette& dark = palette(night_theme(d.view));
  const Rect& area = night.area;
  d.figure.add({.id = night.id + ".ground",
                .rect = area,
                .shape = Rectangle{.fill = dark.stage_top, .stroke = dark.hairline, .radius = 12}});
  const float side = d.narrow() ? 10.F : 18.F;
  const float room = area.h > 240 ? 8 : 0, foot = night.writes.empty() ? 24 : 42;
  add_words(d, night.id + ".reads", {area.x + side, area.y + 6, area.w / 2, 16}, std::string(night.reads),
            {dark.muted, {text::Face::regular, 12 * night_letters(d)}});
  add_words(d, night.id + ".writes", {area.x + side, area.bottom() - 22, area.w / 2, 16}, std::string(night.writes),
            {dark.muted, {text::Face::regular, 12 * night_letters(d)}});
  const Rect inner = {area.x + side, area.y, area.w - 2 * side, area.h};
  const Letters source(night.source, inner, area.y + 38 + room),
      written(night.written, inner, area.bottom() - foot - room);
  const float top = source.y + 20, bottom = written.y - 22;
  if (night.weights.empty()) {
    add_vector(d, night, source, written, top, bottom);
  } else {
    d.figure.add({.id = night.id + ".light",
                  .role = Role::cell,
                  .rect = {area.x, source.y - 24, area.w, bottom - source.y + 24},
                  .label = "The light from what is written to what is read",
                  .shape = light_of(d, night, source, written, top, bottom)});
  }
  add_read(d, night, source);
  add_written(d, night, written);
  if (source.count < static_cast<int>(night.source.size()))
    add_words(d, night.id + ".more", {area.x + area.w / 2, area.y + 6, area.w / 2 - side, 16},
              "the first " + std::to_string(source.count) + " letters",
              {dark.muted, {text::Face::regular, 12}, Align::right});
}

}  // namespace limelight::scenes
