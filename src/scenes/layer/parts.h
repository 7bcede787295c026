// The parts of Layer's figure that are no matrices: what is chosen in it, and what an order changes.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>

#include "figure/figure.h"
#include "figure/films.h"
#include "scenes/common/matrix.h"
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
// An output: what it is a mix of, and its numbers. weights: of the inputs, by number.
void add_made(Drawing& d, const std::string& id, const Source& at, Rect rect, const std::vector<float>& weights,
              bool looked_at);

// What is chosen in a step: an order; an encoding and an order. Each returns its bottom.
float add_orders(Drawing& d, float y);
float add_encodings(Drawing& d, float y);  // and of numbers, which cannot be dragged, the order

// How far two tensors are apart at most in so many rows and columns, as they are seen, and the name of that number.
inline constexpr std::string_view kNoGap = "0.00";
std::array<std::string, 2> gap_of(const Tensor& one, const Tensor& other, int row, int columns, int rows = 1);
// "The outputs differ by at most" so much, as it is told, or that they are the same. Returns its bottom.
float add_difference(Drawing& d, std::string_view tensor, Point at, std::string told = {});

// Whether two outputs are the same: "=" to rounding, "≈" to two decimals, "≠" and, as `told`, by how much of what.
void add_verdict(Drawing& d, const std::string& id, Point at, float radius, float apart, float most,
                 const std::array<std::string, 2>& told);
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

// The steps Shuffle and Positions: where inputs in a new order, one output's light and all outputs stand.
struct Orders {
  const Attention &before, &after;  // whose weights and outputs
  // How much has come; asked: of the query and its lamp; made: of the outputs, one after the other; renamed: of others
  // in the last column; crossed: of the ways to it.
  float moved = 1, marked = 1, asked = 1, lit = 1, poured = 1, made = 1, renamed = 1, crossed = 1, compared = 1;
  // Of which layer light and outputs stand until theirs come; in the last column those of kSelf.
  const Attention& left;
  std::string said{};        // of the last column
  std::vector<int> order{};  // the input in each place
  int place = 0;             // of the output that is looked at, or that is made
  int home = 0;              // of the output that is looked at at rest
  float leaves = 1;          // how much is left of what is poured
  float asks_at = -1;        // the middle of the query while it goes to its place
  float scale = 1;
  Rect rows{};                                         // of all places
  float card = 0, most = 0;                            // the width of what stands in a column, and how high it may be
  float crossing = 0, ways = 0;                        // px between the two orders of inputs, and of outputs
  float asks = 0;                                      // the width of the query that is looked at
  float inputs = 0, query = 0, outputs = 0, last = 0;  // the left edges of the columns; first: that of `rows`

  [[nodiscard]] int count() const { return static_cast<int>(order.size()); }
  [[nodiscard]] int input(int place_of_it) const { return order[static_cast<std::size_t>(place_of_it)]; }
  // Whether the outputs that stand until others come are those of the inputs as they were; else there are marks.
  [[nodiscard]] bool shuffles() const { return &left == &kSelf; }
  // On a phone marks have the room of the last column.
  [[nodiscard]] bool has_last(const Drawing& d) const { return shuffles() || !d.narrow(); }
  // Whose weights are told: the shuffle only moves them.
  [[nodiscard]] const Attention& told() const { return shuffles() || lit >= 0.5F ? after : left; }
  [[nodiscard]] float pitch() const { return rows.h / static_cast<float>(count()); }
  [[nodiscard]] Rect at(int row, float x) const {
    const Rect lane = scenes::cell_of(rows, count(), 1, row, 0);
    const float height = std::min(0.94F * lane.h, most);
    return {x, lane.centre().y - height / 2, card, height};
  }
};

// Its columns between y and bottom, `foot` px above it.
Orders laid_out(const Drawing& d, Orders o, float y, float bottom);
// Whether under the mask it is not seen from the place that asks.
bool masked(const Drawing& d, const Orders& o, int place);
// All that both steps have, and what an order comes to, with what can be chosen, from the share `told` on.
void add_picture(Drawing& d, const Orders& o);
float add_order_told(Drawing& d, const Orders& o, float told);

}  // namespace limelight::scenes::layer
