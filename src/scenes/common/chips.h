// Buttons in a figure that set fields of a scene's state: what is chosen above a step's drawing.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "figure/figure.h"
#include "io/fields.h"
#include "scenes/common/frame.h"

namespace limelight::scenes {

struct Chip {
  std::string text;
  std::string value;
  bool on = false;
  std::string label{};  // for the mirror; the group's name and the text when empty
};

struct ChipGroup {
  std::string_view field;
  std::string_view name;  // before the first; may be empty
  std::vector<Chip> chips;
  std::string_view key{};  // what tells its chips from those of another group that sets the same field
};

// A chip for each choice of a field.
ChipGroup chips_of(std::string_view field, std::string_view name, std::span<const io::Choice> choices, int chosen);

// What a group takes on one line.
float chips_width(const ChipGroup& group, float height);

// A button of its own. Without a command ("do" of app/commands.h, or a field's value) it cannot be pressed.
struct Press {
  std::string id{};
  std::string text{};
  std::optional<figure::Edit> edit{};
  bool strong = false;
};
void add_press(Frame& frame, const Press& press, figure::Rect rect);
// How wide it is with these words.
float press_width(const std::string& words);

// From the left, broken into lines; a group's name stays with its first chip. height: of a chip. Returns their bottom.
float add_chips(Frame& frame, const std::vector<ChipGroup>& groups, figure::Point top_left, float width, float height);
// The same across the whole frame.
float add_chips(Frame& frame, const std::vector<ChipGroup>& groups, float y, float height);

}  // namespace limelight::scenes
