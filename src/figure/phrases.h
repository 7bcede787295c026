// A line of words whose parts have colours of their own.
#pragma once

#include <string>
#include <vector>

#include "figure/figure.h"

namespace limelight::figure {

struct Phrase {
  std::string words;
  Colour colour;
  text::Face face = text::Face::semibold;
};

// In CSS pixels, at this size of letters.
float phrase_width(const std::vector<Phrase>& line, float size);
// Centred on the point; the parts' ids are the line's with a number behind.
void add_phrases(Figure& figure, const std::string& id, const std::vector<Phrase>& line, Point middle, float size);

}  // namespace limelight::figure
