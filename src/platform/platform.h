// What only a platform can do, as intents; one .cpp for each platform says how.
#pragma once

#include <map>
#include <string>

#include "app/app.h"
#include "app/glyphs.h"
#include "app/input.h"
#include "app/page.h"
#include "text/font.h"

struct SDL_Cursor;
struct SDL_Window;
union SDL_Event;

namespace limelight::platform {

// What the desktop remembers from frame to frame.
struct Desk {
  std::map<app::Cursor, SDL_Cursor*> cursors;  // those made so far; SDL frees them
  // The input that has the keyboard, and what stands in it; it may be something that the state refuses.
  std::string typed_name;
  std::string typed_text;
};

// A link to this view: "#v=1&…" behind the page's own address; the plain text on the desktop.
void copy_link(app::App& app, const std::string& hash);
void open_link(const std::string& hash);
void show_cursor(Desk& desk, app::Cursor cursor);
// The rest of a font of which only a part is here: Window::font_came or font_refused, sooner or later.
void fetch_font(text::Face face);
void fetch_scenes();  // all but the first one's functions, where they come by themselves
// A file that a scene computes from: resource_came, resource_failed or, in a page, neither yet.
void fetch_resource(app::App& app, const std::string& name);
// Lets the reader choose a file; what is in it comes with picture_came, sooner or later or never.
void choose_picture(app::App& app);
// The same of a model or weights: own_came, or what leads there.
void choose_own(app::App& app);
// A file or a folder that was dropped onto the window.
void take_dropped(app::App& app, const std::string& path);
// One that the page kept comes with kept_picture_came.
void recall_picture(const std::string& name);
// A dialog of the page's: "export", "about", "glossary".
void open_panel(app::App& app, const std::string& name);
void leave();  // gives the keyboard back to what surrounds the figure

// Text that the fonts lack.
app::ForeignBitmap draw_foreign(std::string_view text, float pixel_size, float pixel_width);

// Called after a frame that shows something new, with the page in words.
void page_changed(const std::string& description);
// Calls f(context) when the browser is done with this frame; on the desktop, where nothing else waits, at once.
void after_frame(void (*f)(void*), void* context);

// Inputs laid over the boxes; nothing where the platform does that by other means.
void prepare_inputs(SDL_Window* window, void* context);  // once, before the first frame
void end_inputs();
bool inputs_take(const SDL_Event& event);  // true while one of them has the keyboard
// After the figure was painted.
void edit_texts(Desk& desk, app::App& app, const app::Page& page);

}  // namespace limelight::platform
