#include "figure/paragraph.h"

#include <cctype>
#include <utility>

namespace limelight::figure {
namespace {

// The length of the subscript of a name of one letter, as in s_0, W_q or A_3.2, whose underscore stands there; 0: none
// does.
std::size_t subscript_length(std::string_view text, std::size_t at) {
  const auto is_ascii = [text](std::size_t i, auto kind) {
    return i < text.size() && kind(static_cast<unsigned char>(text[i])) != 0;
  };
  const auto letter = [](int c) { return std::isalpha(c); };
  const auto letter_or_digit = [](int c) { return std::isalnum(c); };
  if (text[at] != '_' || at == 0 || !is_ascii(at - 1, letter) || (at > 1 && is_ascii(at - 2, letter_or_digit)))
    return 0;
  // Of "A_3.2" both numbers; a full stop at its end is the sentence's.
  std::size_t length = 0;
  const auto is_below = [&](std::size_t i) {
    return is_ascii(i, letter_or_digit) || (length > 0 && text[i] == '.' && is_ascii(i + 1, letter_or_digit));
  };
  while (at + 1 + length < text.size() && is_below(at + 1 + length)) ++length;
  return length;
}

struct Word {
  std::string text;
  std::size_t begin;  // in `marked`
  bool bold;
  bool glued;          // no space before it
  bool below = false;  // a subscript
};

std::vector<Word> words_of(std::string_view marked) {
  std::vector<Word> words;
  bool bold = false;
  bool glued = true;
  std::string word;
  std::size_t begin = 0;
  const auto finish = [&] {
    if (!word.empty()) words.push_back({word, begin, bold, glued});
    if (!word.empty()) glued = true;
    word.clear();
  };
  for (std::size_t i = 0; i < marked.size(); ++i) {
    if (marked.substr(i, 2) == "**") {
      finish();
      bold = !bold;
      ++i;
    } else if (marked[i] == ' ') {
      finish();
      glued = false;
    } else if (const std::size_t length = subscript_length(marked, i); length > 0) {
      finish();
      words.push_back({std::string(marked.substr(i + 1, length)), i + 1, bold, true, true});
      i += length;
    } else {
      if (word.empty()) begin = i;
      word += marked[i];
    }
  }
  finish();
  return words;
}

float set_paragraph(Figure& figure, const std::string& id, std::string_view marked, Point top_left, float width,
                    float size, Colour colour, Colour bold_colour, float line_height, std::vector<Run>* runs) {
  const std::vector<Word> words = words_of(marked);
  const float pitch = size * line_height;
  float x = 0;
  float y = 0;
  int run = 0;
  const auto size_of = [size](const Word& w) { return w.below ? size * 0.75F : size; };
  const auto measure = [size_of](const Word& w) {
    return text::measure(w.bold ? text::Face::semibold : text::Face::regular, size_of(w), w.text);
  };
  for (std::size_t i = 0; i < words.size(); ++i) {
    const Word& w = words[i];
    const text::Face face = w.bold ? text::Face::semibold : text::Face::regular;
    // With what is glued to it, so that no line begins with a comma.
    float whole = measure(w);
    for (std::size_t next = i + 1; next < words.size() && words[next].glued; ++next) whole += measure(words[next]);
    if (!w.glued && x > 0 && whole <= width && x + text::measure(text::Face::regular, size, " ") + whole > width) {
      x = 0;
      y += pitch;
    }
    const float space = w.glued || x == 0 ? 0 : text::measure(text::Face::regular, size, " ");
    std::size_t at = w.begin;
    for (const std::string& piece : text::wrap(face, size_of(w), w.text, width)) {
      const float piece_width = text::measure(face, size_of(w), piece);
      if (x + space + piece_width > width && x > 0) {
        x = 0;
        y += pitch;
      } else {
        x += space;
      }
      const float down = w.below ? size * 0.56F : 0;  // its middle by half of that
      const Rect rect{top_left.x + x, top_left.y + y + down, piece_width, pitch - down};
      if (runs != nullptr) runs->push_back({at, at + piece.size(), rect, face, size_of(w)});
      at += piece.size();
      figure.add(
          {.id = id + "." + std::to_string(run++),
           .rect = rect,
           .shape = Text{.text = piece, .face = face, .size = size_of(w), .colour = w.bold ? bold_colour : colour}});
      x += piece_width;
    }
  }
  return y + pitch;
}

}  // namespace

float add_words(Figure& figure, const std::string& id, Point at, float width, const std::string& words, Words style) {
  const std::string fitted = text::fit(style.face, style.size, words, width);
  const float used = text::measure(style.face, style.size, fitted);
  figure.add(
      {.id = id,
       .rect = {at.x, at.y, style.align == Align::left ? used : width, style.size + 6},
       .shape =
           Text{.text = fitted, .face = style.face, .size = style.size, .colour = style.colour, .align = style.align}});
  return used;
}

float add_paragraph(Figure& figure, const std::string& id, std::string_view marked, Point top_left, float width,
                    float size, Colour colour, Colour bold_colour, float line_height) {
  return set_paragraph(figure, id, marked, top_left, width, size, colour, bold_colour, line_height, nullptr);
}

float add_paragraph(Figure& figure, const std::string& id, std::string_view marked, Point top_left, float width,
                    float size, Colour colour, float line_height, std::vector<Run>& runs) {
  return set_paragraph(figure, id, marked, top_left, width, size, colour, colour, line_height, &runs);
}

}  // namespace limelight::figure
