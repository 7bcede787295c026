// limelight render: one step of a scene as a file.
#include <algorithm>
#include <cmath>

#include "cli/command.h"
#include "cli/describe.h"
#include "cli/files.h"
#include "cli/models.h"
#include "cli/own_files.h"
#include "figure/cut.h"
#include "figure/paint.h"
#include "io/npy.h"
#include "io/numbers.h"
#include "io/table.h"
#include "scenes/moment.h"
#include "scenes/place.h"
#include "scenes/scene.h"
#include "scenes/settings.h"
#include "scenes/version_1.h"
#include "text/embedded_fonts.h"

namespace limelight::cli {
namespace {

constexpr std::string_view kBatch = "--batch";
constexpr Option kOptions[] = {
    {"--state", "'key=value&…'",
     "What to set, as in a link, or a whole link's part after #; \"limelight scenes\" lists the fields."},
    {"--step", "ID|ID.PART", "The step, as links write it, or a part of it. Default: the state's, else the first."},
    {"--size", "WxH", "In CSS pixels; the height grows if the drawing needs more. Default: 756x592."},
    {"--theme", "light|dark", "Default: the state's, else light."},
    {"--scale", "S", "PNG only: pixels for one CSS pixel, 0.25 to 8. Default: 1."},
    {"--panels", "all|ID,…",
     "SVG and PNG: the figure alone, without chips, pickers and navigation, no larger than what is drawn; all "
     "of it, or these panels of it. A wrong name lists those there are."},
    {"--ground", "theme|white|transparent",
     "With --panels: what the figure stands on; on white its colours are light. Default: theme."},
    {"--language", "numpy|pytorch", ".py only: what the code is written for. Default: numpy."},
    {"--models", "DIR", "Where trained weights are, for scenes that show some. Default: web/models of the sources."},
    {"--own", "PATH",
     "A model's folder, or attention weights as .npy, .safetensors or .json, for a scene that shows some."},
    {"--out", "FILE", "Where it goes; its ending (.svg .png .csv .npy .tex .json .py) says what it is."},
    {kBatch, "FILE",
     "Instead of all others: each line of this file is one figure's arguments, with tabs between them."},
};

// The stage of a page of 1280×800.
constexpr float kWidth = 756;
constexpr float kHeight = 592;
constexpr int kSmallest = 240;  // a side, CSS pixels
constexpr int kLargest = 8192;
constexpr double kMostPixels = 64e6;  // of a PNG: 256 MB while it is painted

enum class Format { svg, png, csv, npy, tex, json, python };
struct Ending {
  std::string_view text;
  Format format;
};
constexpr Ending kEndings[] = {{".svg", Format::svg},  {".png", Format::png}, {".csv", Format::csv},
                               {".npy", Format::npy},  {".tex", Format::tex}, {".json", Format::json},
                               {".py", Format::python}};

struct Request {
  const scenes::SceneDef* scene = nullptr;
  scenes::View view;            // its place and theme are the link's where no option says them
  scenes::Settings settings{};  // the link's
  std::optional<scenes::Place> place;
  std::optional<figure::Theme> theme;
  float scale = 1;
  std::string path;
  Format format = Format::svg;
  scenes::code::Language language = scenes::code::Language::numpy;
  std::string panels;  // empty: the stage as a page has it
  figure::Ground ground = figure::Ground::theme;
};

Result<void> read_size(std::string_view text, scenes::View& view) {
  constexpr std::string_view kTimes = "×";
  std::size_t sign = text.find('x');
  std::size_t length = 1;
  if (sign == std::string_view::npos) {
    sign = text.find(kTimes);
    length = kTimes.size();
  }
  const bool both = sign != std::string_view::npos;
  const Result<int> width = both ? io::parse_integer(text.substr(0, sign)) : fail({});
  const Result<int> height = both ? io::parse_integer(text.substr(sign + length)) : fail({});
  const auto allowed = [](const Result<int>& side) { return side && *side >= kSmallest && *side <= kLargest; };
  if (!allowed(width) || !allowed(height))
    return fail("--size is " + io::quote(text) + "; it is written WxH, as in 756x592, each from " +
                std::to_string(kSmallest) + " to " + std::to_string(kLargest) + ".");
  view.width = static_cast<float>(*width);
  view.height = static_cast<float>(*height);
  return {};
}

Result<Format> read_format(std::string_view path) {
  const auto ends = [path](const Ending& ending) {
    return path.size() > ending.text.size() &&
           std::ranges::equal(path.substr(path.size() - ending.text.size()), ending.text,
                              [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; });
  };
  const auto found = std::ranges::find_if(kEndings, ends);
  if (found == std::end(kEndings))
    return fail("--out is " + io::quote(path) + "; its name must end in " +
                io::one_of(kEndings | std::views::transform(&Ending::text)) + ".");
  return found->format;
}

// What is taken of the figure, and what that stands on.
Result<void> read_cut(const Arguments& arguments, Request& request) {
  const auto panels = arguments.find("--panels"), ground = arguments.find("--ground");
  if (panels && request.format != Format::svg && request.format != Format::png)
    return fail("--panels is for SVG and PNG; " + request.path + " is neither.");
  if (ground && !panels) return fail("--ground goes with --panels; --panels all takes the whole figure.");
  if (panels) request.panels = *panels;
  if (!ground) return {};
  const Result<figure::Ground> read = figure::read_ground(*ground);
  if (!read) return fail("--ground: " + read.error().message);
  request.ground = *read;
  if (*read == figure::Ground::white && request.theme == figure::Theme::dark)
    return fail("--ground white has light colours; leave --theme dark out.");
  return {};
}

Result<Request> read_request(const Arguments& arguments) {
  Request request;
  request.view.width = kWidth;
  request.view.height = kHeight;
  const std::string_view name = arguments.subjects.front();
  const Result<const scenes::SceneDef*> scene = scenes::named(name);
  if (!scene)
    return fail(scene.error().message +
                did_you_mean(name, scenes::all() | std::views::transform(&scenes::SceneDef::id)));
  request.scene = *scene;
  const auto out = arguments.find("--out");
  if (!out)
    return fail("--out is missing; it says where the figure goes: --out FILE with one of the endings " +
                io::one_of(kEndings | std::views::transform(&Ending::text)) + ".");
  const Result<Format> format = read_format(*out);
  if (!format) return std::unexpected(format.error());
  request.path = *out;
  request.format = *format;
  if (const auto step = arguments.find("--step")) {
    const Result<scenes::Place> place = scenes::read_place(*request.scene, *step);
    if (!place) return std::unexpected(place.error());
    request.place = *place;
  }
  if (const auto size = arguments.find("--size"))
    if (const Result<void> read = read_size(*size, request.view); !read) return std::unexpected(read.error());
  if (const auto theme = arguments.find("--theme")) {
    if (*theme != "light" && *theme != "dark")
      return fail("--theme is " + io::quote(*theme) + "; it can be light or dark.");
    request.theme = *theme == "dark" ? figure::Theme::dark : figure::Theme::light;
  }
  if (const auto scale = arguments.find("--scale")) {
    if (request.format != Format::png) return fail("--scale is for PNG; " + request.path + " needs none.");
    const Result<double> number = io::parse_number(*scale);
    if (!number || *number < 0.25 || *number > 8)
      return fail("--scale is " + io::quote(*scale) + "; it must be a number from 0.25 to 8.");
    request.scale = static_cast<float>(*number);
  }
  if (const Result<void> read = read_cut(arguments, request); !read) return std::unexpected(read.error());
  if (const auto named = arguments.find("--language")) {
    if (request.format != Format::python) return fail("--language is for code; " + request.path + " is none.");
    const Result<scenes::code::Language> language = scenes::code::read_language(*named);
    if (!language) return std::unexpected(language.error());
    request.language = *language;
  }
  return request;
}

// What a link says besides the state. True when the key is none of the state's; what matters only on a page is left
// out.
Result<bool> read_setting(Request& request, std::string_view key, std::string_view value) {
  if (key == "v") {
    const Result<void> known = io::check_version(value);
    if (!known) return std::unexpected(known.error());
  } else if (key == "scene") {
    if (value != request.scene->id)
      return fail("The state is of the scene " + io::quote(value) + ", and " + std::string(request.scene->id) +
                  " is to be rendered.");
  } else if (key == "step") {
    const Result<scenes::Place> place = scenes::read_place(*request.scene, value);
    if (!place) return std::unexpected(place.error());
    request.view.place = *place;
  } else if (key == "t") {
    const Result<float> t = scenes::read_t(value);
    if (!t) return std::unexpected(t.error());
    request.view.t = *t;
  } else if (scenes::is_setting(key)) {
    const Result<bool> read = scenes::read_setting(request.settings, key, value);
    if (!read) return std::unexpected(read.error());
    const bool dark = request.settings.theme == scenes::ThemeChoice::dark;
    if (key == "theme") request.view.theme = dark ? figure::Theme::dark : figure::Theme::light;
  } else {
    return key == "pin" || key == "zoom" || key == "guess" || key == "against" || key == "hide";
  }
  return true;
}

using OwnMap = std::map<std::string, scenes::Own, std::less<>>;

// `own` is what --own gave.
Result<std::any> read_state(Request& request, std::string_view text, const OwnMap& own) {
  if (text.size() > io::kLongestLink)
    return fail("The state has " + std::to_string(text.size()) + " bytes; up to " + std::to_string(io::kLongestLink) +
                " are read.");
  const Result<io::Patch> patch = io::parse_patch(text);
  if (!patch) return std::unexpected(patch.error());
  io::Patch fields;
  for (const auto& [name, given] : own) {
    fields.emplace_back(request.scene->own.name, name);
    std::ranges::copy(request.scene->own.shown(given, request.view.place.step), std::back_inserter(fields));
    std::erase_if(fields, [](const auto& field) { return field.first == "step"; });  // is asked for
  }
  for (const auto& [key, value] : scenes::with_preset_of_its_day(*patch, request.scene->id)) {
    const Result<bool> setting = read_setting(request, key, value);
    if (!setting) return std::unexpected(setting.error());
    if (!*setting) fields.emplace_back(key, value);
  }
  request.view.place = request.place.value_or(request.view.place);
  request.view.theme = request.theme.value_or(request.view.theme);
  if (request.ground == figure::Ground::white) request.view.theme = figure::Theme::light;
  std::any state = request.scene->initial();
  if (const Result<void> changed = request.scene->change(state, fields); !changed)
    return std::unexpected(changed.error());
  return state;
}

// Everything that a file is made of.
struct Picture {
  const scenes::SceneDef& scene;
  const std::any& state;
  const scenes::View& view;
  Trace trace;
  figure::Figure figure;
  std::string narration;
};

// What the step computes from besides the state.
Result<std::map<std::string, std::any, std::less<>>> read_resources(const Request& request, const std::any& state,
                                                                    std::string_view folder) {
  std::map<std::string, std::any, std::less<>> resources;
  for (const scenes::Resource* resource : request.scene->needs(state, request.view.place)) {
    const Result<std::vector<std::byte>> bytes = read_model_file(folder, resource->name);
    if (!bytes) return fail(bytes.error().message + " --models says where trained weights are.");
    Result<std::any> read = resource->read(*bytes, resource->name);
    if (!read) return std::unexpected(read.error());
    resources.emplace(resource->name, std::move(*read));
  }
  return resources;
}

// What --own names, by its name; nothing without it. Errors: it cannot be read.
Result<OwnMap> read_own(const Request& request, std::optional<std::string_view> path) {
  OwnMap all;
  if (!path) return all;
  const scenes::OwnField& field = request.scene->own;
  const Result<OwnFiles> opened = open_own(std::string(*path), field);
  if (!opened) return std::unexpected(opened.error());
  Result<scenes::Own> own = field.read(opened->label, opened->files, opened->kept);
  if (!own) return std::unexpected(own.error());
  all.emplace(field.name_of(opened->files), std::move(*own));
  return all;
}

// What a job that begins by itself has made in the end.
std::optional<scenes::JobSnapshot> run_job(const scenes::SceneDef& scene, const std::any& state,
                                           const scenes::Inputs& inputs) {
  if (!scene.starts_job(state)) return std::nullopt;
  const std::unique_ptr<scenes::Job> job = scene.job(state, inputs);
  if (!job) return std::nullopt;
  while (!job->snapshot.finished()) job->step(job->snapshot);
  return job->snapshot;
}

Picture make_picture(const Request& request, const std::any& state, scenes::Inputs inputs) {
  const std::optional<scenes::JobSnapshot> made = run_job(*request.scene, state, inputs);
  if (made) inputs.job = &*made;
  Picture picture{.scene = *request.scene,
                  .state = state,
                  .view = request.view,
                  .trace = request.scene->compute(state, inputs),
                  .figure = {},
                  .narration = {}};
  picture.figure = scenes::draw_moment(picture.scene, state, picture.trace, request.view);
  picture.figure.height = std::max(picture.figure.height, request.view.height);
  picture.narration = scenes::without_marks(picture.scene.narrate(state, picture.trace, request.view));
  return picture;
}

std::string json(const Picture& picture) {
  io::JsonWriter json;
  json.begin_object().member("scene", picture.scene.id).member("step", picture.view.place.step);
  if (picture.view.place.part > 0) json.member("part", picture.view.place.part);
  json.key("state").begin_object();
  for (const io::FieldInfo& info : picture.scene.fields(picture.state))
    write_field_value(json.key(info.field.name), info.kind, info.value);
  json.end_object().key("tensors").begin_object();
  for (const Tensor& tensor : picture.trace.tensors)
    json.key(tensor.name).begin_object().tensor(tensor.values).end_object();
  json.end_object().member("narration", picture.narration);
  write_figure(json.key("figure"), picture.figure);
  json.end_object();
  return json.take() + "\n";
}

std::vector<std::byte> bytes_of(std::string_view text) {
  const std::span<const std::byte> bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

Result<std::vector<std::byte>> write(const Picture& picture, const Request& request) {
  const Tensor& principal = picture.trace.at(picture.scene.principal(picture.state, picture.trace, picture.view.place));
  switch (request.format) {
    case Format::svg:
      return bytes_of(figure::svg(picture.figure, picture.trace, scenes::title_of(picture.scene, picture.view.place),
                                  picture.narration));
    case Format::csv:
      return bytes_of(io::table::csv(principal));
    case Format::npy:
      return io::write_npy(principal.values);
    case Format::tex:
      return bytes_of(io::table::latex(principal));
    case Format::json:
      return bytes_of(json(picture));
    case Format::python: {
      const Result<std::string> code =
          picture.scene.code(picture.scene, picture.state, picture.trace, picture.view.place, request.language);
      if (!code) return std::unexpected(code.error());
      return bytes_of(*code);
    }
    case Format::png:
      break;
  }
  const double scale = request.scale;
  const double width = std::ceil(picture.figure.width * scale);
  const double height = std::ceil(picture.figure.height * scale);
  if (width * height > kMostPixels)
    return fail("The PNG would be " + io::format_fixed(width, 0) + "×" + io::format_fixed(height, 0) +
                " pixels, and up to " + io::format_fixed(kMostPixels / 1e6, 0) +
                " million are painted; a smaller --size or --scale is needed.");
  return figure::png(figure::raster(picture.figure, picture.trace, request.scale));
}

// Why there are no numbers of the step, where the scene says so; its figure says it too, a file of numbers cannot.
const std::string* refusal(const Picture& picture, Format format) {
  if (format == Format::svg || format == Format::png || format == Format::json) return nullptr;
  const Tensor* refused = picture.trace.find("refused");
  return refused == nullptr ? nullptr : refused->row_labels.data();
}

Outcome render(const Arguments& arguments) {
  Result<Request> request = read_request(arguments);
  if (!request) return bad_usage(request.error());
  const auto own_path = arguments.find("--own");
  if (own_path && request->scene->own.name.empty())
    return bad_usage(std::string(request->scene->title) + " shows no models or weights of your own; leave --own out.");
  const Result<OwnMap> own = read_own(*request, own_path);
  if (!own) return bad_data(own.error());
  const Result<std::any> state = read_state(*request, arguments.find("--state").value_or(""), *own);
  if (!state) return bad_data(state.error());
  if (!text::load_embedded_fonts()) return bad_data("The fonts in this program are broken; build it again.");
  const std::string default_folder = default_models();
  const auto resources =
      read_resources(*request, *state, arguments.find("--models").value_or(std::string_view(default_folder)));
  if (!resources) return bad_data(resources.error());
  Picture picture = make_picture(*request, *state, {.resources = &*resources, .own = &*own});
  if (const std::string* why = refusal(picture, request->format)) return bad_data(*why);
  if (!request->panels.empty()) {
    Result<figure::Cut> cut = figure::cut_out(picture.figure, picture.trace, request->panels, request->ground);
    if (!cut) return bad_usage("--panels: " + cut.error().message);
    picture.figure = std::move(cut->figure);
  }
  Result<std::vector<std::byte>> bytes = write(picture, *request);
  if (!bytes) return bad_usage(bytes.error());
  const Output output{request->path, std::move(*bytes)};
  if (const Result<void> written = write_files({&output, 1}); !written) return bad_data(written.error());
  return {};
}

constexpr std::uint64_t kLongestBatch = 16'000'000;  // bytes

Outcome render_line(std::string_view line) {
  std::vector<std::string_view> words;
  for (const auto word : std::views::split(line, '\t')) words.emplace_back(word);
  const Result<Arguments> arguments = parse_arguments(words, kOptions);
  if (!arguments) return bad_usage(arguments.error());
  if (arguments->subjects.size() != 1 || arguments->find(kBatch))
    return bad_usage("A line is SCENE, --out, FILE and other options, with tabs between them.");
  return render(*arguments);
}

// Every line that can be drawn is. Errors: the lines that cannot, each with its sentence.
Outcome render_lines(std::string_view path) {
  const Result<std::vector<std::byte>> bytes = read_file(path, kLongestBatch);
  if (!bytes) return bad_data(bytes.error());
  const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  Failure failure;
  int number = 0;
  for (const auto part : std::views::split(text, '\n')) {
    const std::string_view line(part);
    ++number;
    const Outcome drawn = line.empty() ? Outcome{} : render_line(line);
    if (drawn) continue;
    std::string& message = failure.error.message;
    message += (message.empty() ? "" : "\n") + std::string(path) + ":" + std::to_string(number) + ": " +
               drawn.error().error.message;
    failure.exit = std::max(failure.exit, drawn.error().exit);
  }
  if (failure.error.message.empty()) return {};
  return std::unexpected(failure);
}

Outcome run_render(const Arguments& arguments) {
  const auto batch = arguments.find(kBatch);
  if (!batch) return render(arguments);
  if (arguments.values.size() > 1 || !arguments.subjects.empty())
    return bad_usage("--batch stands alone; its lines have scenes and options.");
  return render_lines(*batch);
}

}  // namespace

const Command render_command{
    .name = "render",
    .summary = "Writes one step of a scene as SVG, PNG, CSV, NPY, LaTeX, JSON or Python code.",
    .synopsis = "SCENE --out FILE [OPTION …]",
    .details =
        ".svg   real text, no script\n"
        ".png   painted without a display\n"
        ".csv   the step's principal tensor, with its labels\n"
        ".npy   the same numbers as a float32 array of NumPy\n"
        ".tex   the same as a table for LaTeX's booktabs, at most four significant digits\n"
        ".json  {scene, step, state, tensors: {name: {shape, data}}, narration, figure}; a number that is not finite "
        "is\n"
        "       written as a text: \"-Infinity\"\n"
        ".py    NumPy, or with --language pytorch PyTorch, that computes the step's numbers and compares them with "
        "these\n\n"
        "Of a link, pin, zoom, guess, against, embed, hide and debug are left out: they are for a page.\n\n"
        "  limelight render spotlight --state 'preset=fox&query=4' --step glance --out fox.svg\n"
        "  limelight render spotlight --state 'text=a+rose+is+a+rose' --step softmax.exp --theme dark --scale 2 --out "
        "rose.png\n"
        "  limelight render spotlight --step glance --panels arcs,weights --ground transparent --out weights.svg\n"
        "  limelight render spotlight --state 'preset=fox' --step output --out fox.py && python3 fox.py\n",
    .subject = "scene",
    .instead = kBatch,
    .options = kOptions,
    .run = run_render,
};

}  // namespace limelight::cli
