// Lines of text and paragraphs.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "figure/figure.h"

namespace limelight::figure {

// A line of text, cut to the width. Returns the width that it takes.
struct Words {
  Colour colour{};
  float size = 12;
  text::Face face = text::Face::regular;
  Align align = Align::left;
};
float add_words(Figure& figure, const std::string& id, Point at, float width, const std::string& words, Words style);

// Lines of text with **bold** words, broken to the width; s_0 and W_q with a subscript. Returns the height.
float add_paragraph(Figure& figure, const std::string& id, std::string_view marked, Point top_left, float width,
                    float size, Colour colour, Colour bold_colour, float line_height = 1.5F);

// A piece of a paragraph: the bytes [begin, end) of its marked text, and where they stand.
struct Run {
  std::size_t begin = 0;
  std::size_t end = 0;
  Rect rect{};
  text::Face face = text::Face::regular;
  float size = 13;
};

// The same, all in one colour; adds the pieces to `runs`, for what is said of single words in it.
float add_paragraph(Figure& figure, const std::string& id, std::string_view marked, Point top_left, float width,
                    float size, Colour colour, float line_height, std::vector<Run>& runs);

}  // namespace limelight::figure
