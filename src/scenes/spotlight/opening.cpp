// The sentence under the lamp alone, as the page's opening shows it.
#include <algorithm>

#include "figure/marks.h"
#include "io/numbers.h"
#include "io/utf8.h"
#include "scenes/common/strips.h"
#include "scenes/spotlight/lit.h"
#include "scenes/spotlight/steps.h"

namespace limelight::scenes::spotlight {
namespace {

// "“the” looks at fox (38 %) and dog (38 %)": what gets more than a tenth, at most four words.
std::string told_of(const Drawing& d) {
  constexpr float kTold = 0.1F;
  constexpr std::size_t kMost = 4;
  const Matrix& weights = d.trace.at("weights").values;
  std::vector<int> lit = largest_first(weights, d.row);
  std::erase_if(lit, [&](int key) { return weights(d.row, key) < kTold; });
  lit.resize(std::min(lit.size(), kMost));
  std::vector<std::string> said;
  for (const int key : lit) said.push_back(d.key(key) + " (" + io::format_percent(weights(d.row, key)) + ")");
  return "“" + d.query() + "” looks at " + (lit.empty() ? "all words alike" : io::all_of(said));
}

// What to do; once it was done, what the word that asks looks at.
void add_hint(Drawing& d, const OpeningStage& at, float middle, float y) {
  constexpr float kAside = 20;  // px
  float size = 16 * std::max(at.scale, 0.88F);
  const std::string said = at.asked       ? told_of(d)
                           : d.view.touch ? "tap a word, or move along"
                                          : "move along the sentence";
  size *= std::min((d.figure.width - 2 * kAside) / text::measure(text::Face::regular, size, said), 1.F);
  const float width = text::measure(text::Face::regular, size, said);
  add_words(d, "opening.hint", {middle - width / 2, y - size, width + 1, 2 * size}, said,
            {d.colours.ink, {text::Face::regular, size}});
  if (!at.asked && at.pitch == 0)
    add_arrowheads(d.figure, "opening.hint.", {middle, y}, width / 2, std::max(at.scale, 0.8F), d.colours.amber);
}

}  // namespace

figure::Figure opening(const State& state, const Trace& trace, const View& view, const OpeningStage& at) {
  Drawing d{frame_for(trace, view), state, query_words(state), key_words(state), looked_at(state, view)};
  d.figure.height = view.height;
  const float k = at.scale;
  if (at.pitch > 0) {
    add_lit_column(d, at.lamp - 16, at.pitch, Beside::bare);
    add_hint(d, at, view.width / 2, at.floor + 28);
    return std::move(d.figure);
  }
  LitStage stage{.slots = {}, .lamp = {}, .scale = k, .bare = true};
  stage.slots = word_slots(d, {.left = at.left, .width = at.right - at.left, .size = 40 * k, .gain = 23 * k});
  stage.floor = at.floor;
  stage.baseline = stage.floor - 30 * k;
  stage.shares = stage.floor + 22 * k;
  // Over its word; where something else stands there, as far as there is room.
  constexpr float kFollows = 0.1F;  // of what it cannot go further
  const float word = stage.slots.centre(d.row);
  const float room = std::clamp(word, at.lamp_left, std::max(at.lamp_left, at.lamp_right));
  const float hangs = mix(room, word, kFollows), off = word - hangs;
  stage.lamp = {.bulb = {hangs, at.lamp},
                .cable_from = at.cable,
                .scale = 1.15F * k,
                .tilt = 0.4F * std::atan2(off, stage.floor - at.lamp)};
  add_lit_stage(d, stage);
  add_hint(d, at, (at.left + at.right) / 2, stage.shares + 54 * k);
  return std::move(d.figure);
}

}  // namespace limelight::scenes::spotlight
