#include "scenes/layer/machine.h"

#include <algorithm>

namespace limelight::scenes::layer {

using namespace figure;

namespace {

constexpr float kWidth = 1216, kHeight = 576;  // of a stage of scale 1
constexpr int kFilms = 4;                      // rows that stand as far apart as films need
constexpr int kAcross = 4;                     // inputs side by side, on a phone
constexpr float kSaidHigh = 68;                // px of what is said of the output, on a phone

Plan wide_plan(const Drawing& d, int inputs, int queries) {
  const float width = d.figure.width, height = std::max(d.view.height, 240.F);
  const float k = std::clamp(std::min(width / kWidth, height / kHeight), 0.4F, 1.45F);
  const float v = std::clamp(height / kHeight, k, std::max(k, 1.F));  // downwards a narrow stage has more room
  const bool video = d.video();
  const float left = (width - kWidth * k) / 2, top = 0.4F * std::max(height - kHeight * v, 0.F);
  const auto x = [&](float at) { return left + at * k; };
  const auto y = [&](float at) { return top + at * v; };
  const auto rows_for = [&](int count) -> Rows {
    // More than films stand below the taps.
    if (count <= kFilms) return {y(146), 86 * v};
    const float pitch = std::min(86 * v, 326 * v / static_cast<float>(count));
    return {y(124) + pitch / 2, pitch};
  };
  Plan plan{.scale = k,
            .query = {x(198), 116 * k},
            .key = {x(456), 120 * k},
            .value = {x(674), 112 * k},
            .rows = rows_for(inputs),
            .queries = rows_for(std::max(inputs, queries)),
            .second = {x(28), y(508), 580 * k, 48 * v},
            .query_count = queries};
  const auto fits = [](float most, float pitch) { return std::min(most, 0.84F * pitch); };
  plan.query_h = fits(44 * v, plan.queries.pitch);
  plan.key_h = fits(46 * v, plan.rows.pitch);
  plan.value_h = video ? 63 * k : fits(46 * v, plan.rows.pitch);
  plan.input_w = 112 * k;
  plan.input_h = plan.value_h;
  const float last = plan.rows.at(inputs - 1);
  plan.strip = {x(28), y(100), 136 * k, last + plan.input_h / 2 + (video ? 28 : 10) * v - y(100)};
  const float middle = std::max((plan.rows.at(0) + last) / 2, y(200)),  // as wide as six numbers are
      out_w = 236 * k, out_h = out_w / films::kShape;
  plan.output = {x(1044) - out_w / 2, middle - out_h / 2, out_w, out_h};
  plan.level[0] = y(74), plan.level[1] = y(54), plan.level[2] = y(34);
  return plan;
}

Plan phone_plan(const Drawing& d, int inputs, int queries) {
  constexpr float kSide = 12, kGap = 8;  // px at the sides; between inputs
  constexpr float kDown = 67;            // px from the strip to the first row
  constexpr float kFilm = 112;           // px of width at most
  const float width = d.figure.width;
  const bool video = d.video();
  Plan plan{.phone = true,
            .scale = 1,
            .query = {kSide, std::min(0.18F * width, 150.F)},
            .key = {0.4F * width, std::min(0.2F * width, 170.F)},
            .value = {0.73F * width, std::min(0.18F * width, kFilm)},
            .query_count = queries};
  plan.input_w = std::min((width - 2 * (kSide + 8) - kGap * (kAcross - 1)) / kAcross, video ? kFilm : 150.F);
  plan.input_h = video ? plan.input_w / films::kShape : 34;
  plan.input_line = plan.input_h + (video ? 20.F : 6.F);
  const int lines = (inputs + kAcross - 1) / kAcross;
  plan.strip = {kSide, 4, width - 2 * kSide, 8 + plan.input_line * static_cast<float>(lines) + 16};
  const float film = plan.value.w / films::kShape;
  const auto pitch_for = [&](int count) {
    return count > 8 ? 36.F : count > kFilms ? 42.F : video ? std::max(film + 4, 42.F) : 43.F;
  };
  plan.rows = {plan.strip.bottom() + kDown, pitch_for(inputs)};
  plan.queries = {plan.rows.first, pitch_for(std::max(inputs, queries))};
  plan.query_h = std::min(44.F, 0.93F * plan.queries.pitch);
  plan.key_h = std::min(42.F, 0.84F * plan.rows.pitch);
  plan.value_h = video ? film : plan.key_h;
  constexpr float kPipe = 71;  // px from the last of the second sequence's queries to it
  const float last = plan.rows.at(inputs - 1) + plan.value_h / 2,
              last_query = plan.queries.at(sizes(d.state).queries - 1);
  plan.second = {kSide, std::max(last + 8, last_query + kPipe), width - 2 * kSide - Plan::kAside - Plan::kLanes - 2,
                 34};
  const float out_w = video ? std::min(0.45F * width, 130.F) : std::min(0.58F * width, 226.F);
  plan.output = {width - Plan::kAside - 3 - out_w, plan.second.bottom() + 7, out_w, video ? out_w / films::kShape : 52};
  plan.said = {16, plan.output.y, plan.output.x - 16 - 14, video ? kSaidHigh : 40};
  return plan;
}

Rect card(Column column, float y, float height) { return {column.x, y - height / 2, column.w, height}; }

}  // namespace

Plan plan_of(const Drawing& d, int inputs, int queries) {
  return d.narrow() ? phone_plan(d, inputs, queries) : wide_plan(d, inputs, queries);
}

Rect Plan::input(int i) const {
  if (!phone) return {strip.centre().x - input_w / 2, rows.at(i) - input_h / 2, input_w, input_h};
  const int column = i % kAcross, line = i / kAcross;
  const float pitch = (strip.w - 16 + 8) / kAcross, aside = (pitch - 8 - input_w) / 2;
  return {strip.x + 8 + aside + pitch * static_cast<float>(column), strip.y + 8 + input_line * static_cast<float>(line),
          input_w, input_h};
}

Rect Plan::query_card(int i) const { return card(query, queries.at(i), query_h); }
Rect Plan::key_card(int i) const { return card(key, rows.at(i), key_h); }
Rect Plan::value_card(int i) const { return card(value, rows.at(i), value_h); }

Point Plan::bulb(int asking) const { return {query.right() + (phone ? 20 : 34 * scale), queries.at(asking)}; }

Point Plan::port(Tap tap) const {
  if (phone) return {column(tap).middle(), strip.bottom()};
  const float along = tap == Tap::value ? 26.F : tap == Tap::key ? 68.F : 110.F;
  return {strip.x + along * scale, strip.y};
}

std::vector<Point> Plan::way(Tap tap) const {
  const Column& to = column(tap);
  const float height = tap == Tap::query ? query_h : tap == Tap::key ? key_h : value_h;
  const Point from = port(tap), end{to.middle(), rows_of(tap).at(0) - height / 2 - 5 * scale};
  if (phone) return {from, end};
  const float y = level[static_cast<int>(tap)];
  return {from, {from.x, y}, {to.middle(), y}, end};
}

Point Plan::glass(Tap tap) const {
  const Point from = port(tap);
  if (phone) return {from.x, from.y + 28};
  const float below = tap == Tap::query ? 22.F : tap == Tap::key ? 30.F : 36.F;
  return {column(tap).middle(), level[static_cast<int>(tap)] + below * scale};
}

Point Plan::second_port() const { return {query.middle(), second.y}; }

std::vector<Point> Plan::way_from_second() const {
  return {second_port(), {query.middle(), queries.at(query_count - 1) + query_h / 2 + 5 * scale}};
}

Point Plan::second_glass() const {
  const std::vector<Point> way = way_from_second();
  return mix(way[0], way[1], phone ? 0.62F : 0.48F);
}

Point Plan::loose_tap() const { return {query.middle(), queries.at(0) - query_h / 2 - (phone ? 17 : 38 * scale)}; }

}  // namespace limelight::scenes::layer
