// What each step of Patches shows.
#include <cmath>

#include "io/numbers.h"
#include "scenes/common/chips.h"
#include "scenes/common/explain.h"
#include "scenes/patches/steps.h"

namespace limelight::scenes::patches {

using namespace figure;

namespace {

constexpr float kGap = 28, kBelow = 40;  // between two parts; a colour bar's height

std::string pixels_of(int side) { return std::to_string(side) + "×" + std::to_string(side) + " pixels"; }
std::string name_of(const Drawing& d) { return place_of(d.query, d.cut.grid); }

// Of two squares side by side, or below each other where the view is narrow.
struct Pair {
  Rect left, right;
};
Pair pair_of(const Drawing& d, float y, float bottom, float reserved) {
  const float x = d.margin();
  if (d.view.compact()) {
    const float side = d.inner();
    return {{x, y + kTitle, side, side}, {x, y + 2 * kTitle + side + kGap, side, side}};
  }
  const float side = std::floor(std::min((d.inner() - kGap) / 2, std::max(bottom - y - kTitle - reserved, 180.F)));
  const float start = x + (d.inner() - 2 * side - kGap) / 2;
  return {{start, y + kTitle, side, side}, {start + side + kGap, y + kTitle, side, side}};
}

Point above(Rect square) { return {square.x, square.y - kTitle}; }

std::string look_words(const State& state) {
  static constexpr std::string_view words[] = {"soft", "hard", "top-"};
  return std::string(words[static_cast<int>(state.look)]) + (state.look == Look::top ? std::to_string(state.k) : "");
}

}  // namespace

float draw_cut(Drawing& d, float y, float bottom) {
  const float x = d.margin();
  const float side =
      d.view.compact() ? d.inner() : std::floor(std::min(d.inner() * 0.62F, std::max(bottom - y - kTitle, 200.F)));
  const Rect picture{x, y + kTitle, side, side};
  add_heading(d, "picture.title", above(picture), side, "picture", d.colours.ink, pixels_of(d.cut.side));
  add_map(d, "picture", picture, {.grid = "index", .lines = true, .label = "The picture, cut into patches"});
  const float left = d.view.compact() ? x : picture.right() + kGap,
              width = d.view.compact() ? d.inner() : x + d.inner() - left;
  float top = d.view.compact() ? picture.bottom() + 20 : y;
  add_heading(d, "patch.title", {left, top}, width, "patch", d.colours.ink, name_of(d));
  const float enlarged = std::min(width, 176.F);
  add_enlarged(d, "patch.pixels", {left, top + kTitle, enlarged, enlarged}, "patch", "The chosen patch, enlarged");
  top += kTitle + enlarged + 14;
  const int pixels = d.cut.patch() * d.cut.patch();
  top = add_note(d, "patch.words",
                 "**" + std::to_string(3 * pixels) + " numbers:** " + pixels_of(d.cut.patch()) +
                     ", each red, green and blue.",
                 {left, top}, width) +
        10;
  const std::size_t from = d.figure.elements.size();
  top = add_note(d, "patch.hint",
                 std::string(d.view.touch ? "Tap" : "Click") +
                     " a patch: it becomes the **query**, the one that looks. The arrow keys move it.",
                 {left, top}, width);
  mark_furniture(d.figure, from);
  return std::max(picture.bottom(), top);
}

float draw_features(Drawing& d, float y, float bottom) {
  const float x = d.margin();
  const float side = d.view.compact() ? std::min(d.inner(), 260.F) : std::floor(std::min(d.inner() * 0.38F, 300.F));
  const Rect picture{x, y + kTitle, side, side};
  add_heading(d, "picture.title", above(picture), side, "picture", d.colours.ink, name_of(d));
  add_map(d, "picture", picture, {.grid = "index", .lines = true, .label = "The picture, cut into patches"});
  const float half = (side - 16) / 2;
  const float row = picture.bottom() + 16;
  add_heading(d, "patch.title", {x, row}, half, "patch", d.colours.ink);
  add_enlarged(d, "patch.pixels", {x, row + kTitle, half, half}, "patch", "The chosen patch, enlarged");
  add_heading(d, "rose.title", {x + half + 16, row}, half, "its edges", d.colours.ink);
  add_rose(d, {x + half + 16, row + kTitle, half, half});
  const float left_end = row + kTitle + half;
  if (d.view.compact()) {
    add_heading(d, "features.title", {x, left_end + 18}, d.inner(), "features", d.colours.ink,
                std::to_string(kFeatures) + " numbers");
    return add_features(d, {x, left_end + 18 + kTitle, d.inner(), bottom});
  }
  const float left = picture.right() + kGap;
  add_heading(d, "features.title", {left, y}, x + d.inner() - left, "features", d.colours.ink,
              std::to_string(kFeatures) + " numbers");
  return std::max(left_end, add_features(d, {left, y + kTitle, x + d.inner() - left, bottom - y}));
}

float draw_scores(Drawing& d, float y, float bottom) {
  const auto [left, right] = pair_of(d, y, bottom, kBelow);
  add_heading(d, "picture.title", above(left), left.w, "query", d.colours.ink, name_of(d));
  add_heading(d, "s.title", above(right), right.w, "scores", d.colours.ink,
              d.state.compare == Compare::dot ? "q kᵀ / √" + std::to_string(kFeatures)
                                              : "−‖q − k‖² / (2 √" + std::to_string(kFeatures) + ")");
  add_scores(d, right);
  add_map(d, "picture", left, {.grid = "s", .lines = true, .label = "The picture, cut into patches"});
  return right.bottom() + kBelow;
}

float draw_weights(Drawing& d, float y, float bottom) {
  const auto [left, right] = pair_of(d, y, bottom, kBelow);
  add_heading(d, "lit.title", above(left), left.w, "where it looks", d.colours.ink, "bright: much weight");
  add_map(d, "lit", left, {.light = "a", .label = "The picture, as bright as the patch’s weights"});
  const std::string P = std::to_string(d.cut.patches());
  const float beside = d.press_height() - kTitle;  // the buttons that zoom stand beside it
  add_heading(d, "weights.title", {right.x, right.y - kTitle - std::max(beside / 2, 0.F)},
              right.w - 2 * d.press_height(), "weights", d.colours.ink, P + "×" + P + ", framed: the query’s row");
  add_matrix(d, right);
  return right.bottom() + kBelow;
}

float draw_looks(Drawing& d, float y, float bottom) {
  const int across = d.view.compact() ? 2 : 3;
  constexpr float gap = 16;
  const float chip = d.press_height(), foot = 30;
  const float widest = (d.inner() - gap * static_cast<float>(across - 1)) / static_cast<float>(across);
  const float side = std::floor(std::min(widest, std::max(bottom - y - chip - 8 - foot, 150.F)));
  float end = y;
  for (int look = 0; look < static_cast<int>(kLookMaps.size()); ++look) {
    const std::string name = look == 2 ? "top-" + std::to_string(d.state.k) : std::string(kLooks[look].label);
    const float x = d.margin() + (side + gap) * static_cast<float>(look % across);
    const float top = y + (chip + 8 + side + foot + 14) * static_cast<float>(look / across);
    add_chips(d,
              {{"look",
                "",
                {{name, std::string(kLooks[look].value), look == static_cast<int>(d.state.look), "Look: " + name}}}},
              {x, top}, side, chip);
    // A picture needs the name, without what makes a button of it.
    const std::string map(kLookMaps[static_cast<std::size_t>(look)]);
    Element& title = d.figure.elements.back();
    title.id = map + ".title";
    title.furniture = false;
    std::get<Text>(title.shape).colour = d.colours.ink;
    auto& button = std::get<Rectangle>((&title - 1)->shape);
    if (look == static_cast<int>(d.state.look))
      button = {.fill = d.colours.sunken, .stroke = d.colours.accent, .stroke_width = 2, .radius = button.radius};
    const Rect square{x, top + chip + 8, side, side};
    add_map(d, map, square, {.grid = map, .light = map, .label = "The picture, as bright as the weights of " + name});
    const float width = add_number(d, {"effective", 0, look}, {x, square.bottom() + 8},
                                   brief(d.at("effective", 0, look)), d.colours.ink, map + ".effective");
    add_note(d, map + ".counted", "effective keys", {x + width + 6, square.bottom() + 7}, side - width - 6);
    end = square.bottom() + foot;
  }
  return end;
}

float draw_output(Drawing& d, float y, float bottom) {
  constexpr float kMixture = kTitle + 64 + 28 + 14, kFoot = 30;
  const auto [left, right] = pair_of(d, y, bottom, kFoot + kMixture);
  add_heading(d, "picture.title", above(left), left.w, "picture", d.colours.ink);
  add_map(d, "picture", left, {.label = "The picture"});
  add_heading(d, "rebuilt.title", above(right), right.w, "output", d.colours.ink, "weights × patches");
  add_map(d, "rebuilt", right, {.pixels = "rebuilt", .label = "The picture, rebuilt from its own patches"});
  const float width = add_number(d, {"difference", 0, 0}, {right.x, right.bottom() + 8},
                                 brief(d.at("difference", 0, 0)), d.colours.ink, "rebuilt.apart");
  add_note(d, "rebuilt.words", "apart on average (rms)", {right.x + width + 6, right.bottom() + 7},
           right.w - width - 6);
  const float top = right.bottom() + kFoot + (d.view.compact() ? 14 : 0), x = d.view.compact() ? d.margin() : left.x;
  add_heading(d, "parts.title", {x, top}, d.inner(), "one patch", d.colours.ink, name_of(d) + ", mixed from");
  return add_mixture(d, {x, top + kTitle, d.margin() + d.inner() - x, 0});
}

float draw_own(Drawing& d, float y, float bottom) {
  const float x = d.margin();
  if (d.view.compact()) {
    const Rect square{x, y + kTitle, d.inner(), d.inner()};
    add_heading(d, "lit.title", above(square), square.w, "where it looks", d.colours.ink, look_words(d.state));
    add_map(d, "lit", square, {.light = "a", .label = "The picture, as bright as the patch’s weights"});
    return add_own(d, {x, square.bottom() + 18}, d.inner());
  }
  const float side = std::floor(std::min(d.inner() * 0.55F, std::max(bottom - y - kTitle, 200.F)));
  const Rect square{x, y + kTitle, side, side};
  add_heading(d, "lit.title", above(square), side, "where it looks", d.colours.ink, look_words(d.state));
  add_map(d, "lit", square, {.light = "a", .label = "The picture, as bright as the patch’s weights"});
  const float left = square.right() + kGap;
  return std::max(square.bottom(), add_own(d, {left, square.y}, x + d.inner() - left));
}

Figure draw(const State& state, const Trace& trace, const View& view) {
  Drawing d{frame_for(trace, view), state, cut_of(state, trace), query_of(state)};
  const float top = view.compact() ? 10 : 14, bottom = view.height - 12;
  float y = 0;
  if (has_picture(trace)) {
    y = row_at(view.place).draw(d, top, bottom);
  } else {
    const float width = std::min(d.inner(), 460.F);
    y = add_own(d, {(view.width - width) / 2, top}, width);
  }
  return sunk(d, y, bottom, 0.35F);
}

}  // namespace limelight::scenes::patches
