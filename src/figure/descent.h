// A map of weights whose rows come down one after the other: the lamp's own from under the words, and from it the rows
// above and below it, each out from under the one before.
#pragma once

#include <vector>

#include "figure/figure.h"

namespace limelight::figure {

// One row of a heatmap, in this place.
Element row_alone(const Element& map, int row, Rect place);

// Where each row of the map is at a moment. Lengths and places are CSS pixels.
class Descent {
 public:
  // Moments: the lamp's row is open, is down; the first other sets out, all are there; each takes.
  static constexpr float kOpen = 0.06F, kDown = 0.22F, kSets = 0.1F, kAll = 0.95F, kTakes = 0.4F;

  struct Of {
    const Element& map;  // a heatmap, at rest; it outlives the descent
    int asks = 0;        // the lamp's row
    Rect lamp{};         // the first cell of that row, at rest
    float t = 1;         // from 0 to 1
    float words = 0;     // the y where the words above it end
  };
  explicit Descent(const Of& of) : of_(of), shown_(std::get<Heatmap>(of.map.shape).range) {}

  [[nodiscard]] int first() const { return shown_.row; }
  [[nodiscard]] int last() const { return shown_.row + shown_.rows - 1; }
  [[nodiscard]] int farthest() const;  // in rows from the lamp's
  [[nodiscard]] bool is_down() const { return of_.t >= kDown; }
  // How far a row has come out, and all have, from 0 to 1.
  [[nodiscard]] float out(int row) const;
  [[nodiscard]] float all_out() const;
  [[nodiscard]] Rect place(int row) const;
  // What of it is not under the row that it comes after, a little apart from that.
  [[nodiscard]] Rect seen(int row) const;
  // Whether no row lies over it.
  [[nodiscard]] bool clear(int row) const;
  // All rows that have come out, those that are farther below the nearer ones.
  [[nodiscard]] std::vector<Element> rows() const;

 private:
  [[nodiscard]] float height() const;  // of a row
  [[nodiscard]] int beside(int row) const { return row + (row < of_.asks) - (row > of_.asks); }

  Of of_;
  CellRange shown_;
};

}  // namespace limelight::figure
