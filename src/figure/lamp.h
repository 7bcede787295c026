// A lamp and what it lights: the query asks, and each word is lit as much as the query's weight on it says.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "figure/figure.h"

namespace limelight::figure {

// Hanging from a cable, or standing at the left edge and shining to the right.
enum class Hung { above, left };

struct Lamp {
  Point bulb{};
  float cable_from = 0;  // where its cable begins: a y when it hangs, an x when it stands
  float scale = 1;
  float tilt = 0;  // radians, to the right
  Hung hung = Hung::above;
  float lit = 1;  // 0: a dark bulb, before any weight is known
};
// Where a point of its drawing lies: px at scale 1 from the bulb, as it hangs straight down, y upwards negative.
Point on_lamp(const Lamp& lamp, Point point);
// Its rim wears the query's colour. Ids begin with `id`.
void add_lamp(Figure& figure, const std::string& id, const Lamp& lamp, Theme theme);

// Turns a lamp that hangs about the end of its cable, as one that is drawn along: radians, to the right. Changes the
// figure that add_lamp made with this id; one without it stays as it is.
void swing(Figure& figure, const std::string& id, float angle);

// What the light of one query falls on.
struct Lit {
  std::string tensor{};  // of the weights
  int row = 0;           // the query's
  int first = 0;         // column of the first weight
  std::span<const float> weights{};
  std::span<const Point> places{};  // where each weight's light falls: on the floor, or beside a word
  int words = 0;                    // of the whole row: of very many, none may glare
  float letters = 0;  // px of a text's, whose places are in several lines: beams are faint behind the lines above their
                      // own, and light glows behind the letters; 0: words stand beside each other
  std::span<const float> halves{};  // of a text: px that each word has to both sides of its place
  int alone = -1;                   // the column of a weight that is looked at: the others are dimmed; −1: none is
  Theme theme = Theme::light;
};
// From a lamp that stands below what it lights: beams up to the bars, and light around these and around the words above
// them, whose middles lie at y. How far the light has come: from 0 to 1. `lit` needs no places.
Light light_upwards(const Lamp& lamp, const Lit& lit, std::span<const Rect> bars, float y, float come);
// The same lamp, its mouth turned to a point.
Lamp aimed(Lamp lamp, Point at);

// Beams as wide and as bright as their weights, pools where they fall, and a haze behind what gets more than a tenth.
Light light_of(const Lamp& lamp, const Lit& lit);

}  // namespace limelight::figure
