#include "app/commands.h"

#include <algorithm>

#include "figure/paint.h"
#include "io/json.h"
#include "io/utf8.h"
#include "scenes/place.h"

namespace limelight::app {
namespace {

using io::JsonWriter;

// Writes the answer's members; an error becomes the whole answer.
using Answer = Result<void>;
using Command = Answer (*)(App&, std::string_view argument, JsonWriter&);

Answer set(App& app, std::string_view argument, JsonWriter&) {
  const Result<io::Patch> patch = io::parse_patch(argument);
  Answer result = patch ? change(app, *patch) : std::unexpected(patch.error());
  report(app, result);
  return result;
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
  const Tensor* tensor = app.trace.find(argument);
  if (tensor == nullptr) {
    std::string known;
    for (const Tensor& t : app.trace.tensors) known += (known.empty() ? "" : ", ") + t.name;
    return fail("There is no tensor called " + io::quote(argument) + "; there are " + known + ".");
  }
  json.key("shape").begin_array().value(tensor->rows()).value(tensor->columns()).end_array();
  json.key("data").begin_array();
  for (const float value : tensor->values.reshaped<Eigen::RowMajor>()) json.value(value);
  json.end_array();
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

// Empty, with a sentence for the reader, when it would be too long.
std::string shared_link(App& app) {
  std::string text = link(app);
  if (text.size() <= io::kLongestLink) return text;
  notify(app, std::string(kLinkTooLong));
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

std::string svg_of(const App& app) {
  const figure::Figure stage = draw_stage(app);
  const scenes::View view = view_of(app, stage.width, stage.height);
  return figure::svg(stage, app.trace, app.scene->title,
                     scenes::without_marks(app.scene->narrate(app.state, app.trace, view)));
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
      {"next", [](App& a) { play(a, false), next(a); }},
      {"previous", [](App& a) { play(a, false), previous(a); }},
      {"play", [](App& a) { play(a, !a.playing); }},
      {"job", [](App& a) { toggle_job(a); }},
      {"job_step", step_job},
      {"job_drop", drop_job},
      {"job_back", take_job_back},
      {"menu", [](App& a) { a.overlay = a.overlay == Overlay::menu ? Overlay::none : Overlay::menu; }},
      {"presets", [](App& a) { a.overlay = a.overlay == Overlay::presets ? Overlay::none : Overlay::presets; }},
      {"close", [](App& a) { a.overlay = Overlay::none; }},
      {"sheet",
       [](App& a) {
         a.sheet_open = !a.sheet_open;
         a.inspector_scroll = 0;
       }},
      {"dismiss", [](App& a) { a.notice.text.clear(); }},
      {"fetch", [](App& a) { fetch_again(a); }},
      {"picture_file", [](App& a) { a.wish_file = report(a, takes_pictures(a)); }},
      {"theme",
       [](App& a) { a.chosen_theme = a.theme() == figure::Theme::dark ? figure::Theme::light : figure::Theme::dark; }},
      {"share",
       [](App& a) {
         if (const std::string text = shared_link(a); !text.empty()) a.wish_copy = "#" + text;
       }},
      {"svg",
       [](App& a) {
         a.wish_download = App::Download{std::string(a.scene->id) + "-" + scenes::write_place(a.place) + ".svg",
                                         "image/svg+xml", svg_of(a)};
       }},
      {"home",
       [](App& a) {
         App full = make_app();
         full.all_scenes = a.all_scenes;
         full.resources = a.resources;
         full.pictures = a.pictures;
         if (open_link(full, link(a))) full.embed = false;
         a.wish_open = "#" + link(full);
       }},
  };
  const auto* found = std::ranges::find(rows, name, &Row::name);
  if (found == std::end(rows)) return fail("There is no action called " + io::quote(name) + ".");
  found->act(app);
  app.changed = true;
  return {};
}

// The functions of all scenes have come; or why they have not.
Answer scenes(App& app, std::string_view argument, JsonWriter&) {
  if (argument.empty()) return scenes_came(app);
  scenes_failed(app, std::string(argument));
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

// Why a picture cannot be had, as a sentence; what is shown stays.
Answer picture_refused(App& app, std::string_view argument, JsonWriter&) {
  notify(app, std::string(argument));
  return {};
}

Answer notify_good(App& app, std::string_view argument, JsonWriter&) {
  notify(app, std::string(argument), true);
  return {};
}

Answer act_command(App& app, std::string_view argument, JsonWriter&) { return act(app, argument); }

}  // namespace

void activate(App& app, const figure::Edit& edit) {
  if (edit.field == "do") {
    report(app, act(app, edit.value));
    return;
  }
  if (edit.field == "zoom_in" || edit.field == "zoom_out") {
    zoom_by(app, edit.value, edit.field == "zoom_in" ? 0.6F : 1 / 0.6F);
    return;
  }
  const bool closes = app.overlay != Overlay::none;
  if (report(app, change(app, edit.field, edit.value)) && closes) app.overlay = Overlay::none;
  if (edit.field == "step") app.playing = false;
}

std::string call(App& app, std::string_view command, std::string_view argument) {
  struct Row {
    std::string_view name;
    Command run;
  };
  static constexpr Row rows[] = {
      {"set", set},         {"open", open},         {"step", step},       {"pin", pin_id},
      {"trace", trace},     {"state", state},       {"stats", stats},     {"share", share},
      {"link", whole_link}, {"scheme", scheme},     {"motion", motion},   {"edit", edit},
      {"cell", cell},       {"pointer", pointer},   {"do", act_command},  {"notify", notify_good},
      {"scenes", scenes},   {"progress", progress}, {"refused", refused}, {"picture_refused", picture_refused}};
  const int put_aside = app.put_aside;
  JsonWriter json;
  json.begin_object();
  const auto* found = std::ranges::find(rows, command, &Row::name);
  Answer answer;
  if (found != std::end(rows)) {
    json.member("ok", true);
    answer = found->run(app, argument, json);
  } else {
    answer = act(app, command);  // undo, redo, next, play … by their own names
    json.member("ok", true);
  }
  if (answer && app.put_aside != put_aside) json.member("waits", true);
  if (answer) return json.end_object().take();
  return JsonWriter().begin_object().member("ok", false).member("message", answer.error().message).end_object().take();
}

}  // namespace limelight::app
