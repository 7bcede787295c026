#include "app/commands.h"

#include <algorithm>
#include <ranges>

#include "app/compare.h"
#include "app/exports.h"
#include "app/imports.h"
#include "app/opened.h"
#include "app/opening.h"
#include "app/terms.h"
#include "app/under.h"
#include "io/json.h"
#include "io/numbers.h"
#include "io/utf8.h"
#include "scenes/place.h"

namespace limelight::app {
namespace {

using io::JsonWriter;

// Writes the answer's members; an error becomes the whole answer.
using Answer = Result<void>;
using Command = Answer (*)(App&, std::string_view argument, JsonWriter&);

Answer set_by(App& app, std::string_view argument, Result<void> (*set)(App&, const io::Patch&)) {
  const Result<io::Patch> patch = io::parse_patch(argument);
  Answer result = patch ? set(app, *patch) : std::unexpected(patch.error());
  report(app, result);
  return result;
}

Answer set(App& app, std::string_view argument, JsonWriter&) { return set_by(app, argument, change); }
Answer typed(App& app, std::string_view argument, JsonWriter&) { return set_by(app, argument, change_by_hand); }

// "query=2" is what a click on an element with this edit does.
Answer press(App& app, std::string_view argument, JsonWriter&) {
  const Result<io::Patch> patch = io::parse_patch(argument);
  if (!patch || patch->size() != 1) return fail("What is pressed is written as one field=value.");
  activate(app, {.field = patch->front().first, .value = patch->front().second});
  return {};
}

Answer open(App& app, std::string_view argument, JsonWriter&) {
  Answer result = open_link(app, argument);
  report(app, result);
  return result;
}

Answer step(App& app, std::string_view argument, JsonWriter&) {
  Answer result = change(app, "step", argument);
  report(app, result);
  return result;
}

Answer pin_id(App& app, std::string_view argument, JsonWriter&) {
  Answer result = change(app, "pin", argument);
  report(app, result);
  return result;
}

Answer trace(App& app, std::string_view argument, JsonWriter& json) {
  const Result<const Tensor*> tensor = tensor_named(app, argument);
  if (!tensor) return std::unexpected(tensor.error());
  json.tensor((*tensor)->values);
  return {};
}

Answer state(App& app, std::string_view, JsonWriter& json) {
  json.key("state").begin_object();
  for (const auto& [name, value] : state_of(app)) json.member(name, std::string_view(value));
  json.end_object();
  return {};
}

Answer stats(App& app, std::string_view, JsonWriter& json) {
  json.member("frames", app.frames).member("computeMs", app.compute_ms).member("drawMs", app.draw_ms);
  return {};
}

// Empty, with a sentence for the reader and the dialog that saves it as a file, when it would be too long.
std::string shared_link(App& app) {
  std::string text = link(app);
  if (text.size() <= io::kLongestLink) return text;
  notify(app, std::string(kLinkTooLong));
  app.wish_panel = "export state";
  return {};
}

// However long, for the page to keep.
Answer whole_link(App& app, std::string_view, JsonWriter& json) {
  json.member("hash", link(app));
  return {};
}

Answer share(App& app, std::string_view, JsonWriter& json) {
  const std::string text = shared_link(app);
  if (text.empty()) return fail(app.notice.text);
  json.member("hash", text);
  return {};
}

Answer scheme(App& app, std::string_view argument, JsonWriter&) {
  app.system_theme = argument == "dark" ? figure::Theme::dark : figure::Theme::light;
  app.changed = true;
  return {};
}

Answer pointer(App& app, std::string_view argument, JsonWriter&) {
  app.touch = app.coarse = argument == "coarse";
  app.changed = true;
  return {};
}

Answer contrast(App& app, std::string_view argument, JsonWriter&) {
  app.more_contrast = argument == "more";
  app.changed = true;
  return {};
}

Answer motion(App& app, std::string_view argument, JsonWriter&) {
  app.reduced_motion = argument == "reduce";
  return {};
}

// "W_q 1.2 0.5" is what was typed into that cell.
Answer cell(App& app, std::string_view argument, JsonWriter&) {
  const std::size_t name = std::min(argument.find(' '), argument.size());
  const std::size_t key = std::min(argument.find(' ', name + 1), argument.size());
  if (key == argument.size()) return fail("A cell is typed as \"W_q 1.2 0.5\": a matrix, a row and column, a number.");
  Answer result =
      change_cell(app, argument.substr(0, name), argument.substr(name + 1, key - name - 1), argument.substr(key + 1));
  report(app, result);
  return result;
}

// "W_q 1.2" opens the input over that cell, "" closes it, "cancel" also gives up what was refused there.
Answer edit(App& app, std::string_view argument, JsonWriter&) {
  app.typing.reset();
  if (argument == "cancel") dismiss_error(app);
  const std::size_t space = argument.find(' ');
  if (space != std::string_view::npos) {
    const std::string field(argument.substr(0, space)), key(argument.substr(space + 1));
    const std::size_t dot = key.find('.');
    const Result<int> row = io::parse_integer(key.substr(0, dot));
    const Result<int> column = dot == std::string::npos ? fail("") : io::parse_integer(key.substr(dot + 1));
    if (row && column && app.trace.cell(field, *row, *column) != nullptr)
      app.typing = Typing{field, key, figure::cell_id({field, *row, *column}), {}};
  }
  app.changed = true;
  return {};
}

void open_panel(App& app, const char* name) {
  app.wish_panel = name;
  app.overlay = Overlay::none;
}

// The shell's own actions.
Answer act(App& app, std::string_view name) {
  using Act = void (*)(App&);
  struct Row {
    std::string_view name;
    Act act;
  };
  static constexpr Row rows[] = {
      {"undo", [](App& a) { undo(a); }},
      {"redo", [](App& a) { redo(a); }},
      {"reset", [](App& a) { reset(a); }},
      {"next", next},
      {"previous", [](App& a) { play(a, false), previous(a); }},
      {"play", [](App& a) { play(a, !a.playing); }},
      {"job", [](App& a) { toggle_job(a); }},
      {"job_again", start_job_again},
      {"job_step", step_job},
      {"job_drop", drop_job},
      {"job_back", take_job_back},
      {"menu", [](App& a) { a.overlay = a.overlay == Overlay::menu ? Overlay::none : Overlay::menu; }},
      {"presets", [](App& a) { a.overlay = a.overlay == Overlay::presets ? Overlay::none : Overlay::presets; }},
      {"close", [](App& a) { a.overlay = Overlay::none; }},
      {"opening", open_opening},
      {"sheet",
       [](App& a) {
         a.sheet_open = !a.sheet_open;
         a.inspector_scroll = 0;
       }},
      {"inspector", toggle_inspector},
      {"dismiss",
       [](App& a) {
         if (a.arriving && a.arriving->notice == a.notice.serial) return stop_own(a);
         a.notice.text.clear();
       }},
      {"fetch", [](App& a) { fetch_again(a); }},
      {"picture_file", [](App& a) { a.wish_file = report(a, takes_pictures(a)); }},
      {"own_files", [](App& a) { a.wish_own_files = true; }},
      {"export", [](App& a) { open_panel(a, "export"); }},
      {"about", [](App& a) { open_panel(a, "about"); }},
      {"glossary", [](App& a) { open_panel(a, "glossary"); }},
      {"own_stop", stop_own},
      {"own_remove", remove_own},
      {"compare",
       [](App& a) {
         a.overlay = Overlay::none;
         report(a, change(a, "against", a.compared ? std::string() : pinned_for_comparison(a)));
       }},
      {"theme", [](App& a) { a.settings.theme = is_dark(a.theme()) ? ThemeChoice::light : ThemeChoice::dark; }},
      {"projector",
       [](App& a) {
         a.overlay = Overlay::none;
         a.settings.projector = !a.settings.projector;
       }},
      {"share",
       [](App& a) {
         if (const std::string text = shared_link(a); !text.empty()) a.wish_copy = "#" + text;
       }},
      {"home",
       [](App& a) {
         App full = make_app();
         full.all_scenes = a.all_scenes;
         full.resources = a.resources;
         full.pictures = a.pictures;
         full.own = a.own;
         if (open_link(full, link(a))) full.settings.embed = false;
         full.settings.hidden.clear();
         a.wish_open = "#" + link(full);
       }},
  };
  if (app.opening && act_in_opening(app, name)) return {};
  const auto* found = std::ranges::find(rows, name, &Row::name);
  if (found == std::end(rows)) return fail("There is no action called " + io::quote(name) + ".");
  found->act(app);
  app.changed = true;
  return {};
}

// The functions of all scenes have come; or why they have not, and in a second line what to do.
Answer scenes(App& app, std::string_view argument, JsonWriter&) {
  if (argument.empty()) return scenes_came(app);
  const std::size_t end = std::min(argument.find('\n'), argument.size());
  scenes_failed(app, std::string(argument.substr(0, end)),
                std::string(argument.substr(std::min(end + 1, argument.size()))));
  return {};
}

Answer late(App& app, std::string_view, JsonWriter&) {
  scenes_late(app);
  return {};
}

// "french-fixed.safetensors 1000 5000": so many bytes have come of so many, 0 where that is not known.
Answer progress(App& app, std::string_view argument, JsonWriter&) {
  const std::size_t name = std::min(argument.find(' '), argument.size());
  const std::size_t received = std::min(argument.find(' ', name + 1), argument.size());
  const auto number = [&](std::size_t from, std::size_t to) {
    return io::parse_number(from < to ? argument.substr(from, to - from) : std::string_view()).value_or(0);
  };
  resource_progress(app, argument.substr(0, name), number(name + 1, received), number(received + 1, argument.size()));
  return {};
}

// "french-fixed.safetensors The network gave no answer."
Answer refused(App& app, std::string_view argument, JsonWriter&) {
  const std::size_t name = std::min(argument.find(' '), argument.size());
  resource_failed(app, argument.substr(0, name), std::string(argument.substr(std::min(name + 1, argument.size()))));
  return {};
}

// Why a file of the reader's cannot be had, as a sentence; what is shown stays.
Answer refuse_file(App& app, std::string_view argument, JsonWriter&) {
  notify(app, std::string(argument));
  return {};
}

Answer notify_good(App& app, std::string_view argument, JsonWriter&) {
  notify(app, std::string(argument), true);
  return {};
}

// What the words of the page mean; of "all", those of all scenes.
Answer terms(App& app, std::string_view argument, JsonWriter& json) {
  std::vector<const scenes::Term*> listed = argument == "all" ? std::vector<const scenes::Term*>() : terms_here(app);
  if (argument == "all")
    for (const scenes::Term& term : scenes::glossary()) listed.push_back(&term);
  json.key("terms").begin_array();
  for (const scenes::Term* term : listed) {
    const scenes::SceneDef& scene = *scenes::find(term->scene);
    json.begin_object()
        .member("name", term->name)
        .member("forms", term->forms)
        .member("meaning", term->meaning)
        .member("scene", term->scene)
        .member("step", term->step)
        // Not by the scene's own functions: they may not have come yet.
        .member("place", std::string(scene.title) + ", " + std::string(term->step))
        .end_object();
  }
  json.end_array();
  return {};
}

Answer act_command(App& app, std::string_view argument, JsonWriter&) { return act(app, argument); }

}  // namespace

namespace {

// What words of a text mean: a number is pinned, anything else is pressed.
void press_pointed(App& app, const std::string& id) {
  if (figure::parse_cell_id(id)) return pin(app, id);
  const figure::Figure stage = draw_stage(app);
  const figure::Element* const element = stage.find(id);
  if (element != nullptr && element->edit && !element->edit->value.empty()) activate(app, *element->edit);
}

}  // namespace

void activate(App& app, const figure::Edit& edit) {
  if (edit.field == "do") {
    report(app, act(app, edit.value));
    return;
  }
  if (edit.field == "zoom_in" || edit.field == "zoom_out") {
    const figure::Figure stage = draw_stage(app);
    const figure::Element* const map = stage.find(edit.value);
    if (map != nullptr && range_of(*map) != nullptr) app.zoom = zoom_of(*range_of(*map));
    zoom_by(app, edit.value, edit.field == "zoom_in" ? 0.6F : 1 / 0.6F);
    return;
  }
  if (edit.field == "point") return press_pointed(app, edit.value);
  if (edit.field == "scroll") {  // build_page keeps it within the figure
    app.stage_scroll = static_cast<float>(io::parse_integer(edit.value).value_or(0));
    app.changed = true;
    return;
  }
  if (app.opening && press_in_opening(app, edit)) return;
  const bool closes = app.overlay != Overlay::none;
  if (report(app, change_by_hand(app, {{edit.field, edit.value}})) && closes) app.overlay = Overlay::none;
  if (edit.field == "step") app.playing = false;
}

Result<const Tensor*> tensor_named(const App& app, std::string_view name) {
  if (const Tensor* tensor = app.trace.find(name)) return tensor;
  return fail("There is no tensor called " + io::quote(name) + "; there are " +
              io::all_of(app.trace.tensors | std::views::transform(&Tensor::name)) + ".");
}

std::string call(App& app, std::string_view command, std::string_view argument) {
  struct Row {
    std::string_view name;
    Command run;
    bool later = false;  // its functions come to a page with the other scenes
  };
  static constexpr Row rows[] = {{"set", set},
                                 {"typed", typed},
                                 {"press", press},
                                 {"open", open},
                                 {"step", step},
                                 {"pin", pin_id},
                                 {"trace", trace},
                                 {"state", state},
                                 {"stats", stats},
                                 {"terms", terms},
                                 {"share", share},
                                 {"link", whole_link},
                                 {"scheme", scheme},
                                 {"motion", motion},
                                 {"contrast", contrast},
                                 {"edit", edit},
                                 {"cell", cell},
                                 {"pointer", pointer},
                                 {"do", act_command},
                                 {"notify", notify_good},
                                 {"scenes", scenes},
                                 {"scenes_late", late},
                                 {"still", exchange::write_still, true},
                                 {"cut", exchange::write_picture, true},
                                 {"tensors", exchange::write_tensors, true},
                                 {"file", exchange::write_file, true},
                                 {"code", exchange::write_code, true},
                                 {"state_file", exchange::write_state, true},
                                 {"open_state", exchange::open_state_command, true},
                                 {"paste", exchange::paste_command, true},
                                 {"progress", progress},
                                 {"refused", refused},
                                 {"picture_refused", refuse_file},
                                 {"refuse_own", refuse_file},
                                 {"own_offered", exchange::offer_own, true},
                                 {"own_arrived", exchange::end_own, true},
                                 {"own_broken", exchange::break_own, true}};
  const int put_aside = app.put_aside;
  JsonWriter json;
  json.begin_object();
  const auto* found = std::ranges::find(rows, command, &Row::name);
  Answer answer;
  if (found != std::end(rows)) {
    json.member("ok", true);
    answer = found->later && !app.all_scenes ? fail("The functions for " + std::string(command) + " are on their way.")
                                             : found->run(app, argument, json);
  } else {
    answer = act(app, command);  // undo, redo, next, play … by their own names
    json.member("ok", true);
  }
  if (answer && app.put_aside != put_aside) json.member("waits", true);
  if (answer) return json.end_object().take();
  return JsonWriter().begin_object().member("ok", false).member("message", answer.error().message).end_object().take();
}

}  // namespace limelight::app
