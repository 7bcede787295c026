// A scene's examples and its sentence, where they are chosen and typed: above the figure on a phone, below it in wider
// windows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/page.h"
#include "io/fields.h"

namespace limelight::app {

// Null when there is none of this name.
const io::FieldInfo* find_field(const std::vector<io::FieldInfo>& fields, std::string_view name);
// The field that the reader's own words are typed into; null where the scene has none here.
const io::FieldInfo* sentence_field(const std::vector<io::FieldInfo>& fields);

// A button for each example, in a line. Its width, and what it takes to add them.
float chips_width(const io::FieldInfo& preset, bool typed);
void add_example_chips(figure::Figure& figure, const App& app, const io::FieldInfo& preset, bool typed,
                       figure::Rect row);

// The chosen example's name, which opens the list of them.
float example_width(const io::FieldInfo& preset);
void add_example_button(figure::Figure& figure, const App& app, const io::FieldInfo& preset, figure::Rect rect);

// The pill that the sentence is typed into. `shows_example`: no chip beside it says which example it is, so its
// sentence does, there to be changed, or its name.
struct SentencePill {
  figure::Rect rect;
  float input_width = 0;
  const io::FieldInfo* shows_example = nullptr;
};
void add_sentence_pill(Page& page, const App& app, const io::FieldInfo& text, const SentencePill& pill);

// All of it in one pill, whose button opens the list of examples: for fingers.
void add_examples(Page& page, const App& app, const std::vector<io::FieldInfo>& fields, figure::Rect area);

// The list of examples, near the button that opened it.
void add_example_list(Page& page, const App& app, const io::FieldInfo& preset);

}  // namespace limelight::app
