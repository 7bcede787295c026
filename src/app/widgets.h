// The few controls of the shell, each added to a figure.
#pragma once

#include <string>
#include <string_view>

#include "app/app.h"
#include "app/icons.h"
#include "figure/figure.h"
#include "io/fields.h"

namespace limelight::app {

struct Label {
  std::string text;
  float size = 13;
  figure::Colour colour{};
  text::Face face = text::Face::regular;
  figure::Align align = figure::Align::left;
};

void add_label(figure::Figure& figure, const std::string& id, figure::Rect rect, Label label);

// The lamp beside the name: 22 px wide at scale 1, from its top left corner.
void add_logo(figure::Figure& figure, const App& app, figure::Point at, float scale);

struct Button {
  std::string id;
  std::string text;     // on it
  std::string label{};  // in words, when `text` is a sign
  figure::Edit edit;
  bool on = false;  // chosen, of several
  bool enabled = true;
  bool plain = false;                           // no background until hovered
  bool outlined = false;                        // a card's background with a thin edge, for what lies on the stage
  figure::Align align = figure::Align::centre;  // of the text; at an edge it lines up with what stands above it
  float size = 13;
  float radius = 6;
  Icon icon = Icon::none;          // on it, instead of words
  figure::Colour ink{0, 0, 0, 0};  // transparent: what fits the background
};

void add_button(figure::Figure& figure, const App& app, figure::Rect rect, const Button& button);

// Of an area through which taller content is scrolled: how far it is; nothing when all of it is seen.
void add_scroll_bar(figure::Figure& figure, const App& app, const std::string& id, figure::Rect area, float scroll,
                    float content);
// What is behind content at its upper and at its lower edge.
struct Grounds {
  figure::Colour above, below;
};
// Content that goes on beyond an edge of the area fades out there, over its ground, and ends at a line.
void add_scroll_fades(figure::Figure& figure, const App& app, const std::string& id, figure::Rect area, float scroll,
                      float content, const Grounds& grounds);

// A field of the state as a labelled control at the top left of an area as wide as given. Returns its height.
float add_control(figure::Figure& figure, const App& app, const io::FieldInfo& info, figure::Point corner, float width);

// The same in a line of controls: its label, and beside it what is pressed or dragged.
float row_control_width(const io::FieldInfo& info);
void add_row_control(figure::Figure& figure, const App& app, const io::FieldInfo& info, figure::Rect rect);

// The track of a slider in its control's element; where x is on it, as a value.
double slider_value(const io::FieldInfo& info, figure::Rect track, float x);
float slider_share(const io::FieldInfo& info);

}  // namespace limelight::app
