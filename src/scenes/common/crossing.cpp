#include "scenes/common/crossing.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "figure/flows.h"
#include "scenes/common/explain.h"
#include "scenes/common/sentence.h"
#include "scenes/common/text.h"

namespace limelight::scenes {

using namespace figure;

namespace {

// A row of words in the panel, as large as all have room. Returns their middles.
std::vector<float> add_words_of(Frame& d, const std::string& id, const std::vector<std::string>& words, Rect row,
                                bool lit, int first, std::string_view field) {
  const Palette& dark = palette(Theme::dark);
  const float pitch = row.w / static_cast<float>(words.size());
  float size = 17;
  for (const std::string& word : words)
    size = std::min(size, 17 * (pitch - 14) / std::max(text::measure(text::Face::display_bold, 17, word), 1.F));
  size = std::max(size, 11.F);
  std::vector<float> middles;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const float x = row.x + pitch * (static_cast<float>(i) + 0.5F);
    middles.push_back(x);
    const Rect card{x - pitch / 2 + 3, row.y, pitch - 6, row.h};
    Element element{.id = id + std::to_string(i),
                    .rect = card,
                    .label = words[i],
                    .shape = Rectangle{.fill = lit ? dark.lamp.faded(0.9F) : dark.track, .radius = 5}};
    if (!lit) {
      element.role = Role::token;
      element.edit = Edit{std::string(field), std::to_string(first + static_cast<int>(i))};
    }
    d.figure.add(std::move(element));
    const Colour ink = lit ? Colour{0x12, 0x14, 0x1b} : dark.ink;
    add_words(d.figure, id + std::to_string(i) + ".text", card,
              text::fit(text::Face::display_bold, size, words[i], card.w - 4),
              {ink, {text::Face::display_bold, size}, Align::centre});
  }
  return middles;
}

}  // namespace

float add_crossing(Frame& d, const Crossing& shown, Rect panel) {
  const Palette& dark = palette(Theme::dark);
  const Tensor& weights = d.trace.at(shown.tensor);
  d.figure.add({.id = "turn.panel",
                .rect = panel,
                .label = shown.title,
                .shape = Rectangle{.fill = {0x12, 0x13, 0x1a}, .radius = 8}});
  add_words(d.figure, "turn.title", {panel.x + 16, panel.y + 10, panel.w - 32, 20}, shown.title,
            {dark.ink, type::title});
  std::vector<std::string> above, below;
  for (int j = shown.column; j < shown.column + shown.columns; ++j) above.push_back(label_of(weights.column_labels, j));
  for (int t = shown.row; t < shown.row + shown.rows; ++t) below.push_back(label_of(weights.row_labels, t));
  const Rect from{panel.x + 14, panel.y + 46, panel.w - 28, 32},
      to{panel.x + 14, panel.bottom() - 66, panel.w - 28, 32};
  // The words lie over the light, which begins and ends at them.
  const std::size_t before = d.figure.elements.size();
  const std::vector<float> tops = add_words_of(d, "turn.source.", above, from, true, 0, {}),
                           feet = add_words_of(d, "turn.word.", below, to, false, shown.row, shown.field);
  std::vector<Element> words(d.figure.elements.begin() + static_cast<std::ptrdiff_t>(before), d.figure.elements.end());
  d.figure.elements.resize(before);
  Feet begin{.at = {}, .first = shown.row}, end{.at = {}, .first = shown.column};
  for (const float x : feet) begin.at.push_back({x, to.y - 2});
  for (const float x : tops) end.at.push_back({x, from.bottom() + 2});
  Light light{.tensor = std::string(shown.tensor), .theme = Theme::dark};
  constexpr float kRoom =
      150;  // px from words to words; in less beams are narrower, or they would fold where they turn
  const float scale = std::min((to.y - from.bottom()) / kRoom, 1.F);
  for (int t = shown.row; t < shown.row + shown.rows; ++t) {
    const Light one =
        flows_of(weights, begin, end, {.share = 0.99F, .query = t, .alone = true, .scale = scale}, Theme::dark);
    light.beams.insert(light.beams.end(), one.beams.begin(), one.beams.end());
  }
  d.figure.add({.id = "turn.light",
                .role = Role::cell,
                .rect = {panel.x, from.bottom(), panel.w, to.y - from.bottom()},
                .label = shown.title,
                .shape = std::move(light)});
  for (Element& word : words) d.figure.add(std::move(word));
  for (std::size_t i = 0; i < feet.size(); ++i)
    add_words(d.figure, "turn.share." + std::to_string(i), {feet[i] - 40, to.bottom() + 5, 80, 18},
              share_text(weights.values.row(shown.row + static_cast<int>(i)).maxCoeff()),
              {dark.amber_text, {text::Face::mono_bold, 13}, Align::centre});
  return panel.bottom();
}

}  // namespace limelight::scenes
