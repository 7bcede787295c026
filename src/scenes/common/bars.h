// A row of a tensor as a bar of cells: the state of a network, or a part of it.
#pragma once

#include <string>

#include "core/trace.h"
#include "scenes/common/frame.h"

namespace limelight::scenes {

// A row of a tensor as cells below each other, or, of a flat one, beside each other: up to kFew numbers as numbers,
// else the first kShown, tinted.
inline constexpr int kFew = 4, kShown = 16;
struct Bar {
  std::string tensor{};
  int row = 0;
  figure::Colour colour{};  // of its role
  figure::Rect rect{};
  std::string label{};
  bool flat = false;
  bool editable = false;
  int first = 0;       // column
  int count = kShown;  // of them
};
void add_bar(Frame& d, const Bar& bar);
// "16 of 192 numbers", of a row of so many
std::string shown_of(int columns);

// A name at the left of a row, and what it is below that.
void add_row_name(Frame& d, const std::string& id, figure::Point at, const std::string& name, figure::Colour colour,
                  const std::string& note = {});

}  // namespace limelight::scenes
