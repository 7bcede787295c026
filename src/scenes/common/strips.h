// A vector as a row of cells with its name above, and the words that a decoder finds likeliest.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/trace.h"
#include "figure/figure.h"
#include "scenes/common/text.h"

namespace limelight::scenes {

// The largest size of a tensor's numbers.
float limit_of(const Tensor& tensor);
std::string subscript(std::string_view letter, int index);  // "s_3"

// A row of a tensor as cells side by side; few numbers as numbers, many as colours. Its title above it. Returns the
// bottom.
struct Strip {
  std::string id{};
  figure::Source row{};
  std::string title{};
  figure::Colour colour{};
  std::string note{};
  bool editable = false;
};
float add_strip(Frame& frame, const Strip& strip, figure::Rect rect);

// A text that can be typed, its name before it. Returns the bottom.
struct TextInput {
  std::string field{};
  std::string name{};   // what stands before it
  std::string label{};  // for the mirror
  std::string text{};
  std::string hint{};  // where there is no text
  figure::Colour ink{};
};
float add_text_input(Frame& frame, const TextInput& input, figure::Rect line);

// For fingers: the word that is looked at, and the ways to the one before and after it. Returns the bottom.
struct Stepper {
  std::string field{};  // that holds its place, from 0
  std::string name{};   // "output word"
  std::vector<std::string> words{};
  int chosen = 0;
};
float add_stepper(Frame& frame, const Stepper& stepper, figure::Point top_left, float width);

// The likeliest words of a row of "probabilities", the one that was written marked. Returns the bottom.
float add_likeliest(Frame& frame, int row, const std::string& written, figure::Point top_left, float width,
                    const std::string& title = "the next word");

}  // namespace limelight::scenes
