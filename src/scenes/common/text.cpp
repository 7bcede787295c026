#include "scenes/common/text.h"

#include <algorithm>

namespace limelight::scenes {

using namespace figure;

namespace {

constexpr float kRounding = 0.01F;  // px: a rect that is as wide as its words has room for them

}  // namespace

TextStyle fitted(TextStyle style, const std::string& words, float width, float least) {
  const float whole = text::measure(style.type.face, style.type.size, words);
  if (whole > width) style.type.size = std::max(style.type.size * width / whole, std::min(style.type.size, least));
  return style;
}

void add_words(Figure& figure, const std::string& id, Rect rect, const std::string& words, TextStyle style) {
  const auto [face, size] = style.type;
  figure.add({.id = id,
              .rect = rect,
              .shape = Text{.text = text::fit(face, size, words, (style.vertical ? rect.h : rect.w) + kRounding),
                            .face = face,
                            .size = size,
                            .colour = style.colour,
                            .align = style.align,
                            .vertical = style.vertical}});
}

void add_words(Frame& frame, const std::string& id, Rect rect, const std::string& words, TextStyle style) {
  add_words(frame.figure, id, rect, words, style);
}

float add_words(Frame& frame, const std::string& id, Point at, float width, const std::string& words, TextStyle style) {
  return figure::add_words(frame.figure, id, at, width, words,
                           {style.colour, style.type.size, style.type.face, style.align});
}

Element& add_formula(Frame& frame, const std::string& id, Rect rect, Formula formula, float size, Colour colour) {
  return frame.figure.add(
      {.id = id, .rect = rect, .shape = FormulaBox{.formula = std::move(formula), .size = size, .colour = colour}});
}

float symbol_width(const std::string& name, float size) {
  const std::size_t mark = name.find('_');
  if (mark == std::string::npos) return text::measure(text::Face::semibold, size, name);
  const std::size_t end = std::min(name.find(' ', mark), name.size());
  return text::measure(text::Face::semibold, size, name.substr(0, mark)) +
         text::measure(text::Face::semibold, size * 0.75F, name.substr(mark + 1, end - mark - 1)) +
         text::measure(text::Face::semibold, size, name.substr(end));
}

void add_symbol(Frame& frame, const std::string& id, Point at, const std::string& name, Colour colour, float size) {
  const std::size_t mark = std::min(name.find('_'), name.size());
  const std::size_t end = std::min(name.find(' ', mark), name.size());
  float x = at.x;
  const auto part = [&](const char* which, const std::string& words, float part_size, float down) {
    if (words.empty()) return;
    const float width = text::measure(text::Face::semibold, part_size, words);
    add_words(frame, id + which, {x, at.y + down, width + 1, size + 4}, words,
              {colour, {text::Face::semibold, part_size}});
    x += width;
  };
  part("", name.substr(0, mark), size, 0);
  if (mark < name.size()) part(".below", name.substr(mark + 1, end - mark - 1), size * 0.75F, size * 0.28F);
  if (mark < name.size()) part(".after", name.substr(end), size, 0);
}

void add_heading(Frame& frame, const std::string& id, Point at, float width, const std::string& title, Colour colour,
                 const std::string& note) {
  const float size = type::title.size;
  if (symbol_width(title, size) > width)
    add_words(frame, id, {at.x, at.y, width, 18}, title, {colour, type::title});
  else
    add_symbol(frame, id, at, title, colour, size);
  const float used = symbol_width(title, size) + 8;
  if (!note.empty() && width - used > 30)
    add_words(frame, id + ".note", {at.x + used, at.y, width - used, 18}, note, {frame.colours.muted});
}

void add_subtitle(Frame& frame, const std::string& id, Point at, float width, const std::string& words) {
  add_words(frame, id, {at.x, at.y, width, 18}, words, {frame.colours.ink, type::subtitle});
}

float add_note(Frame& frame, const std::string& id, const std::string& marked, Point at, float width, float size) {
  return at.y + add_paragraph(frame.figure, id, marked, at, width, size, frame.colours.muted, frame.colours.ink);
}

float add_hint(Frame& frame, const std::string& id, const std::string& marked, Point at, float width) {
  const std::size_t from = frame.figure.elements.size();
  const float bottom = add_note(frame, id, marked, at, width);
  mark_furniture(frame.figure, from);
  return bottom;
}

void append_hint(Figure& figure, const std::string& words) {
  Element hint = figure.elements.back();
  auto& text = std::get<Text>(hint.shape);
  const float used = text::measure(text.face, text.size, text.text);
  hint.id += ".hint";
  hint.rect.x += used;
  hint.rect.w -= used;
  text.text = text::fit(text.face, text.size, words, hint.rect.w);
  hint.furniture = true;
  figure.add(std::move(hint));
}

void mark_hint(Figure& figure, std::string_view words) {
  mark_furniture(figure, figure.elements.size() - static_cast<std::size_t>(std::ranges::count(words, ' ')));
}

float add_number(Frame& frame, const Source& source, Point at, const std::string& words, Colour colour,
                 const std::string& id) {
  const auto [face, size] = type::number;
  const float width = text::measure(face, size, words);
  frame.figure.add({.id = id.empty() ? cell_id(source) : id,
                    .role = Role::cell,
                    .rect = {at.x, at.y, width, 18},
                    .label = words,
                    .source = source,
                    .shape = Text{.text = words, .face = face, .size = size, .colour = colour}});
  return width;
}

void add_number_before(Frame& frame, const Source& source, Point at, float width, const std::string& words,
                       Colour colour) {
  const float used = std::min(width, text::measure(type::number.face, type::number.size, words));
  add_number(frame, source, {at.x + width - used, at.y}, words, colour);
}

}  // namespace limelight::scenes
