// A dark panel, in both themes: letters or words that are read above, those that are written below, and between them
// the light of the weights with which each of the ones looks at the others.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenes/common/frame.h"

namespace limelight::scenes {

// Of what is dark whatever the theme is, so that light is seen in it.
figure::Theme night_theme(const View& view);
// Of small letters, which are larger on a large screen.
float night_letters(const Frame& frame);

// A letter as it is drawn: what would be seen as nothing has a sign of its own, and so has what is no letter.
bool is_control(const std::string& token);
std::string shown(const std::string& token);

// A letter in a cell, or the sign for the end; nothing where it would be smaller than 11 px.
void add_letter(Frame& frame, const std::string& id, figure::Rect cell, const std::string& letter,
                figure::Colour colour, float most);

struct Night {
  std::string id;
  figure::Rect area;
  std::vector<std::string> source, written;
  std::string_view weights{};  // the tensor of the light; empty: all goes through what `vector` says
  std::string vector{};
  std::string_view right{};  // the tensor that says which letters are as they should be; empty: not told
  std::string_view cells{};  // the tensor of the letters that are read, which can be pointed at; empty: they cannot
  std::string_view reads = "it reads", writes = "it writes";
  int query = -1;           // the output letter that alone is bright
  float share = 0.97F;      // of each letter's light, of which the brightest is drawn
  std::string_view pick{};  // the field that a press on an output letter sets; empty: none
  bool covered = false;     // what is written is not shown yet
};
void add_night(Frame& frame, const Night& night);

}  // namespace limelight::scenes
