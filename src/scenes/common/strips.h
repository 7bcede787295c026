// A vector as a row of cells with its name above, and the words that a decoder finds likeliest.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/trace.h"
#include "figure/figure.h"

namespace limelight::scenes {

struct TextStyle {
  figure::Colour colour{};
  float size = 12;
  text::Face face = text::Face::regular;
  figure::Align align = figure::Align::left;
  bool vertical = false;
};
// Cut where it has no room.
void add_text(figure::Figure& figure, const std::string& id, figure::Rect rect, const std::string& words,
              TextStyle how);

// Behind the words just added more of them, which tell what can be done: pictures leave them out.
void append_hint(figure::Figure& figure, const std::string& words);
// The last words of the paragraph just added, with a space before each, are such.
void mark_hint(figure::Figure& figure, std::string_view words);

// The largest size of a tensor's numbers.
float limit_of(const Tensor& tensor);
std::string subscript(std::string_view letter, int index);  // "s_3"

// "s_3" with its subscript.
void add_symbol(figure::Figure& figure, const std::string& id, figure::Point at, const std::string& name,
                figure::Colour colour, float size);
float symbol_width(const std::string& name, float size);
// A name in its colour and what it is in a muted one, 22 high.
void add_title(figure::Figure& figure, const std::string& id, figure::Point at, float width, const std::string& name,
               figure::Colour colour, const std::string& note, figure::Theme theme);

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
float add_strip(figure::Figure& figure, const Trace& trace, const Strip& strip, figure::Rect rect, figure::Theme theme);

// A text that can be typed, its name before it. Returns the bottom.
struct TextInput {
  std::string field{};
  std::string name{};   // what stands before it
  std::string label{};  // for the mirror
  std::string text{};
  std::string hint{};  // where there is no text
  figure::Colour ink{};
};
float add_text_input(figure::Figure& figure, const TextInput& input, figure::Rect line, figure::Theme theme);

// For fingers: the word that is looked at, and the ways to the one before and after it. Returns the bottom.
struct Stepper {
  std::string field{};  // that holds its place, from 0
  std::string name{};   // "output word"
  std::vector<std::string> words{};
  int chosen = 0;
};
float add_stepper(figure::Figure& figure, const Stepper& stepper, figure::Point top_left, float width,
                  figure::Theme theme);

// The likeliest words of a row of "probabilities", the one that was written marked. Returns the bottom.
float add_likeliest(figure::Figure& figure, const Trace& trace, int row, const std::string& written,
                    figure::Point top_left, float width, figure::Theme theme);

}  // namespace limelight::scenes
