// The words of a scene's figure: one table of styles, and what sets lines, headings, notes and numbers in them.
#pragma once

#include <string>
#include <string_view>

#include "figure/paragraph.h"
#include "scenes/common/frame.h"

namespace limelight::scenes {

struct Type {
  text::Face face = text::Face::regular;
  float size = 12;
};
namespace type {
inline constexpr Type title{text::Face::semibold, 14};     // of a picture
inline constexpr Type subtitle{text::Face::semibold, 13};  // of a plot; a word that is chosen
inline constexpr Type name{text::Face::semibold, 12};      // what stands out among labels
inline constexpr Type body{text::Face::regular, 13};
inline constexpr Type label{text::Face::regular, 12};
inline constexpr Type caption{text::Face::regular, 11};  // of an axis, or of many things beside each other
inline constexpr Type number{text::Face::mono, 12};
inline constexpr Type small_number{text::Face::mono, 11};
}  // namespace type
inline constexpr float kNote = 13;
inline constexpr float kSmallNote = 12;  // below a plot or a picture

struct TextStyle {
  figure::Colour colour{};
  Type type = type::label;
  figure::Align align = figure::Align::left;
  bool vertical = false;
};
// The style in which words have room in the width: smaller, before they are cut, but at least so small.
TextStyle fitted(TextStyle style, const std::string& words, float width, float least = 11);
// A line of words in a rect, cut where it has no room.
void add_words(figure::Figure& figure, const std::string& id, figure::Rect rect, const std::string& words,
               TextStyle style);
void add_words(Frame& frame, const std::string& id, figure::Rect rect, const std::string& words, TextStyle style);
// From a point, cut to the width. Returns the width that it takes.
float add_words(Frame& frame, const std::string& id, figure::Point at, float width, const std::string& words,
                TextStyle style);

// A formula that stands in the middle of the rect's height. Returns its element.
figure::Element& add_formula(Frame& frame, const std::string& id, figure::Rect rect, figure::Formula formula,
                             float size, figure::Colour colour);

// "s_3" with its subscript.
void add_symbol(Frame& frame, const std::string& id, figure::Point at, const std::string& name, figure::Colour colour,
                float size);
float symbol_width(const std::string& name, float size);

// A title and what it is in a muted colour, 22 high.
void add_heading(Frame& frame, const std::string& id, figure::Point at, float width, const std::string& title,
                 figure::Colour colour, const std::string& note = {});
// The title of a plot, 18 high.
void add_subtitle(Frame& frame, const std::string& id, figure::Point at, float width, const std::string& words);

// Muted lines of text with **bold** words. Returns their bottom.
float add_note(Frame& frame, const std::string& id, const std::string& marked, figure::Point at, float width,
               float size = kNote);
// The same, of what is to be done: pictures leave it out.
float add_hint(Frame& frame, const std::string& id, const std::string& marked, figure::Point at, float width);
// Behind the words just added more of them, which tell what can be done.
void append_hint(figure::Figure& figure, const std::string& words);
// The last words of the paragraph just added, with a space before each, are such.
void mark_hint(figure::Figure& figure, std::string_view words);

// A number of the trace in words, to be pointed at. id: its cell's where the figure shows the number once. Returns the
// width that it takes.
float add_number(Frame& frame, const figure::Source& source, figure::Point at, const std::string& words,
                 figure::Colour colour, const std::string& id = {});
// One that ends where its width does.
void add_number_before(Frame& frame, const figure::Source& source, figure::Point at, float width,
                       const std::string& words, figure::Colour colour);

}  // namespace limelight::scenes
