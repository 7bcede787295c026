// The whole window as one Figure: the shell around a scene's figure is drawn, hit, described and painted like the
// figure itself.
#pragma once

#include <string>
#include <vector>

#include "app/app.h"
#include "app/regions.h"
#include "figure/figure.h"

namespace limelight::app {

// A place where text is typed: the page lays a real input over it, the desktop window one of its own.
struct InputBox {
  std::string field;
  std::string cell;  // "row.column" when it is a cell of that field
  figure::Rect rect;
  std::string value;
  std::string begun;  // what was typed to open it
  std::string placeholder;
  bool example = false;  // what it has is an example's: a press selects all of it, and what is typed replaces it
  figure::Rect pill;     // what is drawn around it
  std::string label;
  float font_size = 14;
  bool mono = false;
  figure::Colour colour;
};

struct Page {
  figure::Figure figure;
  figure::Figure folded;  // the inspector's, while it is folded up: the text view tells it all the same
  Regions regions;
  std::vector<InputBox> inputs;
  float stage_height = 0;      // of the scene's figure, which scrolls in its region
  float inspector_height = 0;  // likewise
  float rail_height = 0;       // likewise
};

// The scene's figure for the stage, at its own size.
figure::Figure draw_stage(const App& app);
// The same as this view sees it.
figure::Figure draw_stage(const App& app, const scenes::View& view);
// On a phone a sentence may be longer than the stage is high: where that is new, scrolls `stage` so that its lamp is
// seen.
void seek_lamp(App& app, const figure::Figure& stage);
// `stage` is the scene's figure, or one between two of them while it moves.
Page build_page(const App& app, const figure::Figure& stage);
// Under what lies on top of them, inputs are only pictures of themselves.
void hide_inputs(Page& page, const App& app);
// On the way between the opening and the page that it lies over, whose regions those are: what frames the stage comes
// in from the window's edges, what both have moves on, the rest fades. t: from 0 to 1.
figure::Figure between_pages(const figure::Figure& from, const figure::Figure& to, const Regions& r, float t);
// The same of a page that is about to be shown; its inputs are pictures of themselves until it is there.
void fade_page(Page& page, const App& app, const figure::Figure& from, float t);

}  // namespace limelight::app
