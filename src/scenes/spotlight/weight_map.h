// The map of all weights: a row for each query, a column under each word.
#pragma once

#include "figure/callout.h"
#include "scenes/spotlight/lit.h"

namespace limelight::scenes::spotlight {

// What the map shows: all, or what the reader zooms into.
CellRange shown_of(const Drawing& d);
// The slots of its columns.
Slots slots_over(const Drawing& d, const CellRange& shown, Room across);

// The map with the query's row outlined, a cap of light on each column whose word gets much, its rows' words to its
// left, its colour bar to its right, and a caption below it where its colours do not go from 0 to 1. Returns the
// bottom.
float add_weight_map(Drawing& d, Rect rect);
// px of that caption, 0 where there is none.
float map_caption(const Drawing& d);
// On a phone, with the columns' words above it; these begin at `top`. Returns the bottom.
float add_narrow_map(Drawing& d, float top, float below = 0);
float narrow_map_header(const Drawing& d);  // px of what stands above its cells
// The map with names over its columns, from `top` down to the foot of a wide stage: where the sentence is a text.
void add_named_map(Drawing& d, Room across, float top);

// How Glance's map comes out of the lamp's row, which opens below the words and comes down; from behind it each other
// row slides to its place, the nearest first, with its name and its arcs. A row has its digits once no other lies over
// it, and no colour is faded, or it would mean another number. Changes the map that is drawn at rest. t: from 0 to 1.
void come_down(Drawing& d, float t);

// "over → dog 26 %", pointing there.
void add_weight_card(Drawing& d, int i, int j, Point tip, Side side);

}  // namespace limelight::scenes::spotlight
