// The playground's own state around a scene's: what is open, what is pinned, what can be undone. Knows no window, no
// painter and no page: the mouse, the keyboard, the mirror and scripts all end in the same few calls.
#pragma once

#include <any>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace.h"
#include "figure/figure.h"
#include "io/fields.h"
#include "scenes/scene.h"
#include "scenes/settings.h"

namespace limelight::app {

using scenes::Settings;
using scenes::ThemeChoice;

struct Notice {
  int serial = 0;
  std::string text;  // empty: none
  bool good = false;
  double until = 0;  // seconds of App::now
};

// The cell that is being typed into.
struct Typing {
  std::string field;
  std::string key;          // "row.column", or empty for a field that is one number
  std::string id;           // the element's
  std::string begun;        // what was typed to open it; empty: the present value stands there
  bool remembered = false;  // whether undo already leads to before it
};

// A field of text that the reader types into: what is typed on until then is undone with what was typed before.
struct TypedText {
  std::string field;
  double until = 0;  // seconds of App::now
};

// Of jobs that last, what undo and redo each bring back: those that were given up last. A training holds its two models
// some ten times, with what the optimiser and the way back remember: 1.4 MB each with hidden size 128, the largest.
inline constexpr int kMostKeptJobs = 4;

// A scene and its state, as undo brings it back.
struct Snapshot {
  const scenes::SceneDef* scene = nullptr;
  std::any state;
  int guess = -1;  // the answer to the question as it stood
  io::Patch revealed{};
  std::shared_ptr<scenes::Job> job{};  // what there was, if it lasts
  bool given_up = false;               // the job, or that there was none, although it holds for the state
};

struct App;

// Of the scene that is open, a state that the present one is held against (app/compare.h).
struct Compared {
  std::any state;
  figure::Figure (*draw)(const App& app,
                         scenes::View view) = nullptr;  // both (app/beside.h), which comes with other scenes
  std::optional<scenes::JobSnapshot> job{};             // what its job had made when it was pinned
  Trace trace{};
};

// How a scene was left for another.
struct Left {
  std::any state;
  scenes::Place place;
  scenes::Zoom zoom{};
  std::string pinned{};
  int guess = -1;
  std::shared_ptr<scenes::Job> job{};  // one that lasts or is done; it rests
  std::shared_ptr<const Compared> compared{};
};

// Another scene, or what borrows from one, asked for before its functions have come.
struct Waiting {
  io::Patch patch;
  bool link = false;  // the patch is all that there is, and not a change of what there is
};

// A resource that a scene wanted and that has not come yet.
struct Fetch {
  const scenes::Resource* resource = nullptr;
  double received = 0, total = 0;  // bytes; 0: not known
  std::string refused;             // why it cannot be had; empty while it is on its way
};

// A model or weights of the reader's own, while the page copies its files here piece by piece.
struct Arriving {
  struct File {
    std::string name;
    std::shared_ptr<std::byte[]> bytes;
    std::size_t size = 0;
  };
  int ticket = 0;  // tells it from those before and after it
  scenes::own::Choice choice;
  std::vector<File> files;         // as many as were chosen
  double received = 0, total = 0;  // bytes
  int notice = 0;                  // the serial of the one that says how far it is; 0: none does
};

// The hand that shows how the opening's lamp is moved (app/ghost.h).
struct Ghost {
  double from = -1;           // seconds of App::now when it sets out; below 0: the opening was not seen yet
  std::optional<int> word{};  // that asks because the hand is there; nothing before it sets out
};

// What a first visit begins with (app/opening.h): the first scene's example, whose words ask without changing anything.
struct Opening {
  std::any state;
  Trace trace{};
  int word = 0;         // that asks
  bool chosen = false;  // by the reader
  std::optional<Ghost> ghost{Ghost{}};
};

enum class Overlay { none, menu, presets };

// Beside the figure: by itself it is open while it has something to say (app/opened.h).
enum class InspectorChoice { by_itself, open, folded };

inline constexpr float kFinger = 44;  // px that a finger needs, in height

struct App {
  const scenes::SceneDef* scene = nullptr;
  std::any state;
  Trace trace;
  scenes::Place place;
  float t = 1;  // within the step, as View has it
  scenes::Zoom zoom;
  std::shared_ptr<const Compared> compared;  // null: none is; its tensors are in the trace, too
  std::string pinned;
  std::string hovered;
  figure::Point hovered_at;          // where the mouse came to it, px of the page
  bool by_link = false;              // a word of the narration that means it is pointed at
  std::string asking;                // the word that the pointer was on before it went to that word's light
  std::optional<double> tooltip_at;  // when the mouse will have rested there for long enough
  bool tooltip = false;              // it has
  int guess = -1;
  io::Patch revealed;  // what the answer set, as it was before; empty when a link brought the answer

  figure::Theme system_theme = figure::Theme::light;
  bool more_contrast = false;
  bool reduced_motion = false;
  Settings settings;
  float width = 1280;  // of the window, as the figure is laid out
  float height = 800;
  bool touch = false;   // the last pointer was a finger
  bool coarse = false;  // the device is for fingers, whatever the last pointer was: what is pressed does not move about

  std::optional<Opening> opening;
  Overlay overlay = Overlay::none;
  bool sheet_open = false;
  InspectorChoice inspector = InspectorChoice::by_itself;
  double explains_from = 0;  // seconds of `now` until which a pin does not open the inspector yet; 0: it does
  float stage_scroll = 0;
  bool seeks_lamp = false;  // the stage is still to be scrolled to the lamp: seek_lamp
  float inspector_scroll = 0;
  float rail_scroll = 0;
  std::optional<Typing> typing;

  bool playing = false;
  bool plays_once = false;  // no further than to the end of this step, which was gone to from the one before
  double next_step_at = 0;
  double moves_from = 0;  // seconds of `now` when what plays was at t = 0
  Notice notice;
  std::map<const scenes::SceneDef*, Left> left;  // where a reader who comes back to a scene goes on
  std::set<const scenes::SceneDef*> visited;     // that a reader has left for another in this visit
  std::vector<Snapshot> undo_stack;
  std::vector<Snapshot> redo_stack;
  std::optional<figure::Point> held{};  // as scenes::View has it
  bool in_gesture = false;              // a drag goes on: it is undone as one
  bool gesture_remembered = false;      // and what it changes next belongs to what is on top of the undo stack
  TypedText typed{};                    // likewise
  std::shared_ptr<scenes::Job> job;     // which is kept when it is done
  int started_for = -1;                 // the revision of the trace that a job was last begun for by itself
  bool paused_unseen = false;           // the job rests since the page was hidden
  std::map<std::string, std::any, std::less<>> resources;        // that have come, as they were read
  std::vector<Fetch> fetches;                                    // in the order in which they were wanted
  std::map<std::string, scenes::Picture, std::less<>> pictures;  // of the reader's own, by name; gone with the page
  std::map<std::string, scenes::Own, std::less<>> own;           // by name; one model and one file of weights at most
  std::shared_ptr<Arriving> arriving;                            // null: none is on its way
  int arrivals = 0;                                              // counts them

  double now = 0;          // seconds; set by the platform each frame
  bool changed = true;     // something that a reader can perceive is new: draw
  bool all_scenes = true;  // a page begins with the first one's functions and is told when the others' have come
  std::optional<Waiting> waiting;
  bool promised = false;       // the reader's sentence is to begin as its scene says, once what that needs has come
  bool unfit = false;          // … once it is one that this fits
  int put_aside = 0;           // counts what had to wait
  bool link_too_long = false;  // the state does not fit into an address
  bool keep_address = false;   // it was refused; it is not written over before the reader changes something
  int revision = 0;            // counts changes of the trace
  int view_revision = 0;       // counts what starts an animation: another step, another trace
  int lamp_revision = 0;       // counts the words that the pointer comes to and leaves: the light follows it
  double compute_ms = 0;
  double draw_ms = 0;
  int frames = 0;

  // Wishes that only the platform can fulfil; it takes and clears them.
  std::optional<std::string> wish_copy;
  std::optional<std::string> wish_open;
  std::vector<std::string> wish_resources;       // names
  bool wish_file = false;                        // let the reader choose a picture
  bool wish_own_files = false;                   // … a model or weights
  std::optional<std::string> wish_kept_picture;  // the name of one that the page may have kept
  bool wish_leave = false;                       // give the keyboard back to the page
  std::optional<std::string> wish_panel;         // a dialog of the page's: "export", "export state", "about" …

  [[nodiscard]] figure::Theme theme() const {
    const figure::Theme plain = opening                                 ? figure::Theme::dark
                                : settings.theme == ThemeChoice::system ? system_theme
                                : settings.theme == ThemeChoice::dark   ? figure::Theme::dark
                                                                        : figure::Theme::light;
    return more_contrast ? stark(plain) : plain;
  }
  // CSS pixels of the window for one of the layout's, which width and height are in.
  [[nodiscard]] float magnification() const { return settings.projector ? 1.5F : 1; }
  [[nodiscard]] bool compact() const { return width < 600; }
  [[nodiscard]] bool works() const { return job && job->running; }
  [[nodiscard]] bool medium() const { return width < 900; }
  // A phone on its side: what surrounds the figure leaves it most of the height.
  [[nodiscard]] bool low() const { return height < 500; }
  // A large screen, where the shell's own words grow a little.
  [[nodiscard]] bool large() const { return width >= 1600 && height >= 900; }
  [[nodiscard]] bool fingers() const { return coarse || compact(); }
  // How high a control is that has this height for a mouse.
  [[nodiscard]] float control(float for_mouse) const { return fingers() ? kFinger : for_mouse; }
};

App make_app();

// What is looked at, the app's settings and the scene's fields: "scene", "step" ("softmax" or "softmax.exp"), "pin",
// "guess", "zoom", "against", "hide", "v", those of scenes/settings.h, and whatever the scene has. All of the patch or
// nothing. Can be undone when it changed the scene's state. Another scene is as it was left; one that has not come is
// waited for: nothing changes until scenes_came. An answer ("guess") sets what the question reveals, until it ends:
// with its step, its scene or another change of the state. That goes back then and is no step of undo.
Result<void> change(App& app, const io::Patch& patch);
// As change(), by a reader's own hand: a sentence that is now the reader's own begins as its scene says
// (scenes::SceneDef::begins), at once or when what that needs has come; until then, and where it cannot be had or does
// not fit, it is shown without, and a sentence says so (app/promise.cpp).
Result<void> change_by_hand(App& app, const io::Patch& patch);
// Something has come. True when that is done now; it is undone with the words that it was promised for.
bool keep_promise(App& app);
// Whether this must come for it; not while another scene is open, on the way back from which it is asked for again.
[[nodiscard]] bool promise_needs(const App& app, const scenes::Resource& resource);
// It cannot come, for this reason.
void break_promise(App& app, const std::string& reason);
// One field, from a figure's Edit.
Result<void> change(App& app, std::string_view field, std::string_view value);
// One cell ("1.2") of a field, as a reader types it: exactly one number, or nothing for the example's.
Result<void> change_cell(App& app, std::string_view field, std::string_view cell, std::string_view text);

// One field, by a hand that drags: all changes from the first of them to end_drag are undone as one, unless something
// else changes the state in between.
Result<void> drag(App& app, std::string_view field, std::string_view value);
void end_drag(App& app);

// Everything a link holds, from "v=1&scene=…". On an error its scene is shown with its example, in the theme and frame
// that the link names; where it names no scene that there is, the rest stays as it was.
Result<void> open_link(App& app, std::string_view link);
// A link that the page kept for itself, which may be longer than any that is shared.
Result<void> open_kept(App& app, std::string_view link);
// What a link holds, all of it or nothing.
Result<void> open_patch(App& app, const io::Patch& patch);
std::string link(const App& app);
// For a state whose link is longer than any that is read.
inline constexpr std::string_view kLinkTooLong =
    "So much was edited that a link would be longer than 32 kB; save a state file instead, under Export.";
// The functions of all scenes are there: what waited for them is done, or refused like any other change.
Result<void> scenes_came(App& app);
// They cannot be had, for this reason: what waited is given up. The advice is for who asked for a scene. Two sentences.
void scenes_failed(App& app, const std::string& reason, const std::string& advice);
// It takes long, which is said unless there is something worse to say.
inline constexpr std::string_view kScenesLate = "The other scenes are on their way.";
void scenes_late(App& app);
// Every setting by its name, for scripts: all that can be changed, as change() takes it.
io::Patch state_of(const App& app);

void undo(App& app);
void redo(App& app);
// Back to the example: every edit and control, but not the example's choice, the sentence or the step.
void reset(App& app);
[[nodiscard]] bool differs_from_example(const App& app);

void next(App& app);
void previous(App& app);
void play(App& app, bool on);

void pin(App& app, std::string id);
void hover(App& app, std::string id);
// What views are told of it; and the word whose light is hovered, if the pointer came from it.
std::string hovered_in_view(const App& app);
std::string asking_in_view(const App& app);
// Until something else is hovered: who presses knows what it is.
void hide_tooltip(App& app);
// Moves the pin by cells; false when nothing that has cells is pinned.
bool move_pin(App& app, int rows, int columns);

// Shows `factor` times as many rows and columns of a tensor, around the cell that lies at the shares (u, v) of what is
// shown now.
void zoom_by(App& app, const std::string& tensor, float factor, float u = 0.5F, float v = 0.5F);

void notify(App& app, std::string text, bool good = false);
// What was refused is given up.
void dismiss_error(App& app);
// Shows the sentence of an error; nothing otherwise. True when there was none.
bool report(App& app, const Result<void>& result);

// ---- resources: files that scenes compute from (app/resources.cpp) ----

// Wishes for what the scene needs here and has not; what was refused only where it was not needed `before`.
void want_resources(App& app, std::span<const scenes::Resource* const> before = {});
// Wishes for one. True when it is there.
bool want_resource(App& app, const scenes::Resource& resource);
// The first that a state of the scene needs here and that is not there.
std::optional<scenes::Missing> missing(const App& app, const std::any& state);
// So many bytes have come, of `total` (0: not known).
void resource_progress(App& app, std::string_view name, double received, double total);
// All of it: read, and computed with. Errors: it is not what it should be; what there was is kept.
Result<void> resource_came(App& app, std::string_view name, std::span<const std::byte> bytes);
// It cannot be had; the sentence says why.
void resource_failed(App& app, std::string_view name, std::string reason);
// What was refused is wished for again.
void fetch_again(App& app);
// With the resources and pictures that there are now.
void compute_again(App& app);

// ---- pictures of the reader's own (app/pictures.cpp) ----

// One that the reader gave, three bytes a pixel: the scene shows it, and says `said` of it. It can be undone. Returns
// its name. Errors: the scene takes none; these are no picture; it is of another size than the scene's, since the
// reader has opened another one while it was unpacked. What was shown stays.
Result<std::string> picture_came(App& app, std::span<const std::byte> rgb, std::string_view said);
// One that the page had kept under this name. Error: it is another one.
Result<void> kept_picture_came(App& app, std::string_view name, std::span<const std::byte> rgb);
// The picture that a scene's state names and that is not there; empty when nothing is lacking.
std::string missing_picture(const App& app, const scenes::SceneDef& scene, const std::any& state);
// Error, a sentence, where the scene takes no pictures.
Result<void> takes_pictures(const App& app);

// ---- models and weights of the reader's own (app/own.cpp) ----

// What there is for scenes to compute from, besides the state.
scenes::Inputs inputs_of(const App& app, const scenes::JobSnapshot* job = nullptr);
// Files that were dropped or chosen: there is room now for those that make a model or weights; what was on its way
// before is given up. Errors: scenes::own::choose's; memory has no room.
Result<std::shared_ptr<const Arriving>> own_offered(App& app, std::span<const scenes::own::Offered> offered);
// Where `size` bytes of a file go, counted from `begin`; they count as received. Errors: it was stopped, or another one
// came; there are no such bytes.
Result<std::span<std::byte>> own_piece(App& app, int ticket, std::size_t file, std::uint64_t begin, std::uint64_t size);
// All of it has come: it is read and shown. Errors: it was stopped, is not complete, or own_came's.
Result<std::string> own_arrived(App& app, int ticket);
// What is on its way is given up; or, for a reason that is said, if it is the one of this ticket.
void stop_own(App& app);
void own_broken(App& app, int ticket, std::string why);
// "gpt2 is on its way: 120 of 548 MB"; empty when nothing is.
std::string own_progress(const App& app);
// The bytes of what was chosen, which `kept` holds. Reads it, lets a former one of its kind go, and shows it, in
// Sentence where the open scene takes none; that can be undone, but what was let go is not here any more. Returns its
// name. Errors: it cannot be read, or the scene refuses it; what was shown stays.
Result<std::string> own_came(App& app, const std::string& label, std::span<const io::NamedFile> files,
                             std::shared_ptr<const void> kept);
// Lets all of them go.
void remove_own(App& app);
// The name of one that a scene's state has and that is not there; empty when nothing is lacking.
std::string missing_own(const App& app, const scenes::SceneDef& scene, const std::any& state);

// Starts the scene's job, if it has one; it pauses when it runs, and goes on when it rests. Does nothing once it is
// done: a press that meant to pause it may come too late.
void toggle_job(App& app);
// Does a job that is done once more, from its start. Can be undone where it lasts, like the next two.
void start_job_again(App& app);
// Gives up what the job has made.
void drop_job(App& app);
// Gives up what the job did since it last was well.
void take_job_back(App& app);
// Of a job that lasts: does the least that counts, then rests.
void step_job(App& app);
// Nobody can see the page any more: a job that lasts rests.
void hide(App& app);
// Time goes on: jobs, playing, notices. True while it should be called again soon.
bool advance(App& app, double now, double budget_ms);

scenes::View view_of(const App& app, float width, float height);

}  // namespace limelight::app
