#include "figure/phrases.h"

#include "text/font.h"

namespace limelight::figure {

float phrase_width(const std::vector<Phrase>& line, float size) {
  float width = 0;
  for (const Phrase& phrase : line) width += text::measure(phrase.face, size, phrase.words);
  return width;
}

void add_phrases(Figure& figure, const std::string& id, const std::vector<Phrase>& line, Point middle, float size) {
  float x = middle.x - phrase_width(line, size) / 2;
  int i = 0;
  for (const Phrase& phrase : line) {
    const float width = text::measure(phrase.face, size, phrase.words);
    figure.add({.id = id + "." + std::to_string(i++),
                .rect = {x, middle.y - 9, width + 1, 18},
                .shape = Text{.text = phrase.words, .face = phrase.face, .size = size, .colour = phrase.colour}});
    x += width;
  }
}

}  // namespace limelight::figure
