// The parts of Layer's figure that are no matrices: what is chosen in it, and what an order changes.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>

#include "figure/figure.h"
#include "figure/films.h"
#include "scenes/common/parts.h"
#include "scenes/common/text.h"
#include "scenes/layer/layer.h"

namespace limelight::scenes::layer {

using namespace figure;

struct Drawing : Frame {
  const State& state;

  [[nodiscard]] bool video() const { return state.preset == Preset::video; }
};

// Draws what is seen of something, from 0 to 1; what is not seen is not made.
template <class Add>
void add_seen(Drawing& d, float seen, const Add& add) {
  if (seen <= 0) return;
  const std::size_t first = d.figure.elements.size();
  add();
  show_since(d.figure, first, seen);
}

// On a large screen words, and what they stand in, are larger.
inline float larger(const Drawing& d, float px) { return px * std::clamp(d.figure.width / 1216, 1.F, 1.25F); }
inline Type larger(const Drawing& d, Type type) { return {type.face, larger(d, type.size)}; }

// A card, its edge stronger where it is the one that is meant.
inline Rectangle card_look(Colour fill, Colour edge, bool meant, float radius) {
  return {fill, edge, meant ? 2.2F : 1.3F, radius};
}

// A number of the trace in words, to be pointed at; it is `label` for the mirror.
void add_told(Drawing& d, const Source& source, Rect rect, const std::string& words, TextStyle style,
              std::string label);
// An output, a row of a tensor, as cells, with digits where they have room.
void add_numbers(Drawing& d, const std::string& id, const Source& row, Rect rect);
// A picture of an output, a row of a tensor: the films that it mixes, which are the inputs by number, or its numbers.
void add_output_picture(Drawing& d, const std::string& id, const Source& row, Rect rect,
                        std::span<const float> weights);

inline constexpr float kBeside = 1100;  // px of a figure with room for what an order comes to beside what can be chosen
// The part of a card that is a picture; of an output, how many of its numbers have room below that.
Rect shown_of(const Drawing& d, Rect card);
int numbers_shown(const Drawing& d, const Tensor& Y);
// An input where it stands: its film, or its word. What can be dragged to another place has an id of its own.
void add_input(Drawing& d, const std::string& name_of, int input, Rect rect, int place = -1);
// An output: what it is a mix of, and its numbers, as small as it is on its way. weights: of the inputs, by number.
void add_made(Drawing& d, const std::string& id, const Source& at, Rect rect, float small,
              const std::vector<float>& weights, bool looked_at);

// What is chosen in a step: an order; an encoding and an order. Each returns its bottom.
float add_orders(Drawing& d, float y);
float add_encodings(Drawing& d, float y);  // and of numbers, which cannot be dragged, the order

// How far two tensors are apart at most in so many rows and columns, as they are seen, and the name of that number.
inline constexpr std::string_view kNoGap = "0.00";
std::array<std::string, 2> gap_of(const Tensor& one, const Tensor& other, int row, int columns, int rows = 1);
// "The outputs differ by at most" so much, as it is told, or that they are the same. Returns its bottom.
float add_difference(Drawing& d, std::string_view tensor, const std::string& outputs, Point at, std::string told = {});

// Whether two outputs are the same: "=" to rounding, "≈" to two decimals, "≠" and, as `told`, by how much of what.
void add_verdict(Drawing& d, const std::string& id, Point at, float radius, float apart, float most,
                 const std::array<std::string, 2>& told);
// A mark's clock: a hand for each pair over that of the place that asks, lit between where alike. i: −1 for no mark.
void add_clock(Drawing& d, const std::string& id, const Matrix& P, int i, int asks, Rect rect);
// A score with marks in two steps: what words make of it, then what marks add or, to the left, take away; their sum.
void add_score(Drawing& d, int query, int place, Rect at, float grown);
// The query that the lamp hangs on, with its name from so many px on, and how much is seen of what it is.
inline constexpr float kNamedFrom = 68;
void add_asking(Drawing& d, const Source& query, Rect at, float told);

inline Light::Spot haze(Point centre, float x, float y, float intensity) {
  return {.glow = Light::Glow::haze, .centre = centre, .radius_x = x, .radius_y = y, .intensity = intensity};
}

inline constexpr int kCrowd = 8;  // of more inputs, or queries, none gets much, or not all shine at once
// Of many inputs none gets much: the one that gets most is as bright as if it got half.
float strength_of(float largest_weight);
// From 1 % on a weight of so many is seen, however small.
inline float noticed(float w, int n) {
  return std::min(1.F, 9 / static_cast<float>(n)) * smoothstep(0.002F, 0.012F, w);
}

// The five layers, a button each. Returns the bottom.
float add_forms(Drawing& d, Rect area);

}  // namespace limelight::scenes::layer
