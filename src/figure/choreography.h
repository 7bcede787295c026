// What is seen of a computation at a moment t of it, from 0 to 1: how far each of its movements has come, from 0 to 1.
#pragma once

namespace limelight::figure {

// A row meets a column: the two are lifted out of their matrices, turned to lie side by side, multiplied number by
// number, the products are added up, and their sum drops into its cell. Then all other cells come, row by row.
struct RowTimesColumn {
  float lift = 1, turn = 1, multiply = 1, add = 1, drop = 1, others = 1;
};
RowTimesColumn row_times_column(float t);

// Values are weighed, poured, and what comes together is read.
struct WeightedSum {
  float fill = 1, fall = 1, gather = 1;
};
WeightedSum weighted_sum(float t);

// Each score gets its share of one light, and has its name then; meanwhile that of all others comes.
struct ShareLight {
  float open = 1, name = 1, others = 1;
};
ShareLight share_light(float t);

// One row's numbers become others; once they are there, those of all rows do, from the top.
struct Change {
  float own = 1, others = 1;
};
Change change(float t);

// A row flies to a lens, and changed out of it to its place; then all others are there, row by row.
struct Fly {
  float there = 1, on = 1, others = 1;
};

Fly fly(float t);

// A part of a motion: how far it has come, evenly, or gently at both ends.
struct Phase {
  float from, to;
  [[nodiscard]] float along(float t) const;
  [[nodiscard]] float share(float t) const;
};

// Of the index-th of `count` that go on one after the other, each beginning when half of the one before is over.
float in_turn(float t, int index, int count);

}  // namespace limelight::figure
