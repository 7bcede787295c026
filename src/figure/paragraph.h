// Paragraphs whose pieces are to be found again, for what is said of single words in them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "figure/figure.h"

namespace limelight::figure {

// A piece of a paragraph: the bytes [begin, end) of its marked text, and where they stand.
struct Run {
  std::size_t begin = 0;
  std::size_t end = 0;
  Rect rect{};
  text::Face face = text::Face::regular;
  float size = 13;
};

// As add_paragraph of figure/panels.h, all in one colour; adds the pieces to `runs`.
float add_paragraph(Figure& figure, const std::string& id, std::string_view marked, Point top_left, float width,
                    float size, Colour colour, float line_height, std::vector<Run>& runs);

}  // namespace limelight::figure
