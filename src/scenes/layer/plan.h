// Where the parts of Layer's machine stand; CSS pixels.
#pragma once

#include <algorithm>
#include <vector>

#include "scenes/layer/parts.h"

namespace limelight::scenes::layer {

enum class QueriesFrom { own, inputs, second };

// Which tensors of the trace a form's parts are.
struct Form {
  const Attention& names;
  QueriesFrom queries;
  bool lenses;  // whether matrices make keys and values of the inputs
};
// Of the first five steps.
const Form& form_at(Place place);

enum class Tap { query, key, value };

struct Column {
  float x = 0, w = 0;
  [[nodiscard]] float middle() const { return x + w / 2; }
  [[nodiscard]] float right() const { return x + w; }
};
struct Rows {
  float first = 0, pitch = 0;  // the middle of the first; from one to the next
  [[nodiscard]] float at(int i) const { return first + pitch * static_cast<float>(i); }
};

struct Plan {
  bool phone = false;
  float scale = 1;
  [[nodiscard]] float text() const { return std::clamp(scale, 0.8F, 1.25F); }                   // of letters
  [[nodiscard]] float below() const { return std::min(rows.pitch - value_h - 8, 15 * scale); }  // a film, its numbers
  figure::Rect strip{};                                                                         // of the inputs
  float input_w = 0, input_h = 0, input_line = 0;  // of one of them; from a line to the next, on a phone
  Column query{}, key{}, value{};
  Rows rows{}, queries{};  // of keys and values; of queries
  float query_h = 0, key_h = 0, value_h = 0;
  figure::Rect output{}, second{};  // the second sequence, or where it would be
  figure::Rect said{};              // on a phone, beside the output
  // On a phone what is passed on runs down in lanes at the right: px of all, from the edge, of their fall at the end.
  static constexpr float kLanes = 12, kAside = 14, kFall = 24;
  static constexpr float kAll = 180;  // px of all outputs, on a phone
  float level[3] = {};                // where each tap's pipe runs level

  [[nodiscard]] figure::Rect input(int i) const;
  [[nodiscard]] figure::Rect query_card(int i) const;
  [[nodiscard]] figure::Rect key_card(int i) const;
  [[nodiscard]] figure::Rect value_card(int i) const;
  [[nodiscard]] figure::Point bulb(int asking) const;

  [[nodiscard]] const Column& column(Tap tap) const {
    return tap == Tap::query ? query : tap == Tap::key ? key : value;
  }
  [[nodiscard]] const Rows& rows_of(Tap tap) const { return tap == Tap::query ? queries : rows; }
  // A tap on the inputs, its way to the first row, and the matrix on it.
  [[nodiscard]] figure::Point port(Tap tap) const;
  [[nodiscard]] std::vector<figure::Point> way(Tap tap) const;
  [[nodiscard]] figure::Point glass(Tap tap) const;
  // The queries' tap on the second sequence, and on nothing.
  [[nodiscard]] figure::Point second_port() const;
  [[nodiscard]] std::vector<figure::Point> way_from_second() const;
  [[nodiscard]] figure::Point second_glass() const;
  [[nodiscard]] figure::Point loose_tap() const;

  int query_count = 0;
};
// What two forms share stands at one place in both. On a phone a second sequence stands above the output.
Plan plan_of(const Drawing& d, int inputs, int queries);

}  // namespace limelight::scenes::layer
