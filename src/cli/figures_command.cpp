// limelight figures: a line for every view of every scene, with hashes of all that is drawn and said there. Two
// versions of the program that print the same lines show a reader the same.
#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/models.h"
#include "core/random.h"
#include "figure/paint.h"
#include "io/numbers.h"
#include "scenes/place.h"
#include "scenes/scene.h"
#include "text/embedded_fonts.h"

namespace limelight::cli {
namespace {

constexpr Option kFiguresOptions[] = {
    {"--scene", "ID", "Only this scene. Default: all of them."},
    {"--models", "DIR", "Where trained weights are. Default: web/models of the sources."},
};

// A stage, in CSS pixels: a phone's in both heights that its browser leaves, a narrow page's, the page's of 1280×800,
// and a wide one's.
struct Stage {
  float width;
  float height;
};
constexpr Stage kStages[] = {{328, 300}, {328, 560}, {500, 640}, {756, 592}, {1240, 820}};
constexpr Stage kPage = kStages[3];

constexpr struct {
  figure::Theme theme;
  std::string_view name;
} kThemes[] = {{figure::Theme::light, "light"}, {figure::Theme::dark, "dark"}};

// Of a job that could go on for as long as a reader likes, as a training can.
constexpr int kStepsOfALastingJob = 60;

// Goes on by a millisecond whenever it is read, so that two runs measure the same.
scenes::Clock ticking() {
  return [ticks = 0.0]() mutable { return 1e-3 * ticks++; };
}

using Resources = std::map<std::string, std::any, std::less<>>;

// ---- hashes ----

std::string hexadecimal(std::string_view text) {
  std::array<char, 17> digits{};
  std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(hash_text(text)));
  return digits.data();
}

std::string number(double value) { return io::write_value(value) + " "; }
std::string rect(const figure::Rect& r) { return number(r.x) + number(r.y) + number(r.w) + number(r.h); }

std::string patch(const io::Patch& patch) {
  std::string text;
  for (const auto& [name, value] : patch) text += name + "=" + value + "&";
  return text;
}

std::string edit(const std::optional<figure::Edit>& edit) {
  if (!edit) return "-\n";
  std::string text = edit->field + "=" + edit->value;
  if (edit->place) text += " place " + std::to_string(*edit->place);
  if (const auto& plane = edit->plane)
    text += " plane " + rect(plane->frame) + number(plane->x_low) + number(plane->x_high) + number(plane->y_low) +
            number(plane->y_high) + std::to_string(plane->row) + (plane->at_once ? " at once" : "");
  return text + "\n";
}

// What a figure is besides what is painted of it, which its SVG tells.
std::string elements(const figure::Figure& figure) {
  std::string text = number(figure.width) + number(figure.height) + figure::css(figure.background) +
                     figure::css(figure::bottom_of(figure)) + "\n";
  for (const figure::Element& element : figure.elements) {
    text += element.id + "\n" + element.label + "\n" + std::string(figure::name_of(element.shape)) + " " +
            std::string(figure::name_of(element.role)) + " " + rect(element.rect) +
            (element.furniture ? "furniture\n" : "\n");
    if (element.source) text += figure::cell_id(*element.source) + "\n";
    text += edit(element.edit) + edit(element.twice);
  }
  return text;
}

std::string hash_of(const figure::Figure& figure, const Trace& trace) {
  return hexadecimal(elements(figure) + figure::svg(figure, trace, {}, {}));
}

std::string hash_of(const Trace& trace) {
  std::string text;
  for (const Tensor& tensor : trace.tensors) {
    text += tensor.name + " " + std::to_string(tensor.rows()) + "x" + std::to_string(tensor.columns()) + "\n";
    for (const auto* labels : {&tensor.row_labels, &tensor.column_labels})
      for (const std::string& label : *labels) text += label + "\n";
    text.append(reinterpret_cast<const char*>(tensor.values.data()),
                static_cast<std::size_t>(tensor.values.size()) * sizeof(float));
  }
  return hexadecimal(text);
}

std::string hash_of(const std::optional<scenes::Question>& question) {
  if (!question) return "none";
  std::string text = question->text + "\n" + question->answer + "\n" + std::to_string(question->correct) + "\n";
  for (const std::string& option : question->options) text += option + "\n";
  return hexadecimal(text + patch(question->reveal) + edit(question->back) + question->back_label);
}

std::string hash_of(const std::optional<scenes::Inspection>& inspection) {
  if (!inspection) return "none";
  std::string text = inspection->title + "\n" + inspection->note + "\n";
  for (const figure::Formula& line : inspection->lines) text += figure::mathml(line) + "\n";
  for (const scenes::Origin& origin : inspection->origins)
    text += origin.label + " " + figure::css(origin.colour) + " " + origin.cells.tensor + " " +
            std::to_string(origin.cells.row) + " " + std::to_string(origin.cells.column) + " " +
            std::to_string(origin.cells.rows) + " " + std::to_string(origin.cells.columns) + "\n";
  return hexadecimal(text);
}

// ---- views ----

// A state of a scene at a place, with all that it computes from, or with what has not come yet.
struct Shown {
  const scenes::SceneDef& scene;
  std::string name;  // what its lines begin with
  const std::any& state;
  scenes::Place place;
  Trace trace;
  std::optional<scenes::Missing> missing{};
  float working = -1;

  [[nodiscard]] scenes::View view(Stage stage, figure::Theme theme) const {
    scenes::View view{.width = stage.width, .height = stage.height, .place = place, .theme = theme};
    view.missing = missing;
    view.working = working;
    return view;
  }
};

void print(const std::string& line) { std::fwrite((line + "\n").data(), 1, line.size() + 1, stdout); }

std::string drawn_and_told(const Shown& shown, const scenes::View& view) {
  return "\tfigure=" + hash_of(shown.scene.draw(shown.state, shown.trace, view), shown.trace) +
         "\tnarration=" + hexadecimal(shown.scene.narrate(shown.state, shown.trace, view));
}

void print_stages(const Shown& shown) {
  for (const Stage stage : kStages)
    for (const auto& [theme, name] : kThemes) {
      const scenes::View view = shown.view(stage, theme);
      print(shown.name + " " + io::format_fixed(stage.width, 0) + "x" + io::format_fixed(stage.height, 0) + " " +
            std::string(name) + drawn_and_told(shown, view));
    }
}

// With one number of each tensor looked at: the one in its middle.
void print_cells(const Shown& shown) {
  for (const Tensor& tensor : shown.trace.tensors) {
    if (tensor.values.size() == 0) continue;
    scenes::View view = shown.view(kPage, figure::Theme::light);
    view.pinned = figure::cell_id({tensor.name, tensor.rows() / 2, tensor.columns() / 2});
    print(shown.name + " " + view.pinned + drawn_and_told(shown, view) +
          "\tinspector=" + hash_of(shown.scene.inspect(shown.state, shown.trace, view, view.pinned)));
  }
}

void print_numbers(const Shown& shown) {
  const auto& [scene, name, state, place, trace, missing, working] = shown;
  std::string line =
      name + "\ttrace=" + hash_of(trace) + "\tprincipal=" + std::string(scene.principal(state, trace, place)) +
      "\tquestion=" + hash_of(scene.ask(state, trace)) + "\tprovenance=" + hexadecimal(scene.provenance(state)) +
      "\tplay=" + hexadecimal(patch(scene.play(state, trace, place))) +
      "\tformula=" + hash_of(scene.inspect(state, trace, shown.view(kPage, figure::Theme::light), ""));
  for (const auto& [language, label] :
       {std::pair{scenes::code::Language::numpy, "numpy"}, {scenes::code::Language::pytorch, "pytorch"}}) {
    const Result<std::string> code = scene.code(scene, state, trace, place, language);
    line += "\t" + std::string(label) + "=" + hexadecimal(code ? *code : code.error().message);
  }
  print(line);
}

void print_all(const Shown& shown) {
  print_numbers(shown);
  print_stages(shown);
  print_cells(shown);
}

// What the state's job has made in the end; nothing where it has none.
std::optional<scenes::JobSnapshot> run_job(const scenes::SceneDef& scene, const std::any& state,
                                           const scenes::Inputs& inputs) {
  const std::unique_ptr<scenes::Job> job = scene.job(state, inputs);
  if (!job) return std::nullopt;
  for (int step = 0; !job->snapshot.finished() && (!job->lasts || step < kStepsOfALastingJob); ++step)
    job->step(job->snapshot);
  if (job->refresh) job->refresh(job->snapshot);
  return job->snapshot;
}

// Adds what the place needs and is not there yet. Errors: a file cannot be read.
Result<void> read_resources(std::span<const scenes::Resource* const> needed, std::string_view folder,
                            Resources& resources) {
  for (const scenes::Resource* resource : needed) {
    if (resources.contains(resource->name)) continue;
    const Result<std::vector<std::byte>> bytes = read_model_file(folder, resource->name);
    if (!bytes) return fail(bytes.error().message + " --models says where trained weights are.");
    Result<std::any> read = resource->read(*bytes, resource->name);
    if (!read) return std::unexpected(read.error());
    resources.emplace(resource->name, std::move(*read));
  }
  return {};
}

// One example at one place: while what it needs is on its way, as it stands, and with what its job has found.
Result<void> print_place(const scenes::SceneDef& scene, const std::string& name, const std::any& state,
                         scenes::Place place, std::string_view folder, Resources& resources) {
  const std::string here = name + " " + scenes::number_of(place);
  const auto needed = scene.needs(state, place);
  if (!needed.empty()) {
    const Resources none;
    print_stages({.scene = scene,
                  .name = here + " waiting",
                  .state = state,
                  .place = place,
                  .trace = scene.compute(state, {.resources = &none}),
                  .missing = scenes::Missing{.label = std::string(needed.front()->label), .received = 1, .total = 4}});
  }
  if (const Result<void> read = read_resources(needed, folder, resources); !read) return read;
  scenes::Inputs inputs{.resources = &resources, .clock = ticking()};
  print_all({.scene = scene, .name = here, .state = state, .place = place, .trace = scene.compute(state, inputs)});
  const std::optional<scenes::JobSnapshot> made = run_job(scene, state, inputs);
  if (!made) return {};
  inputs.job = &*made;
  print_all(
      {.scene = scene, .name = here + " found", .state = state, .place = place, .trace = scene.compute(state, inputs)});
  return {};
}

Result<void> print_scene(const scenes::SceneDef& scene, std::string_view folder) {
  Resources resources;
  const std::vector<io::FieldInfo> fields = scene.fields(scene.initial());  // the first is the example
  for (const io::Choice& preset : fields.front().field.choices) {
    std::any state = scene.initial();
    const Result<void> changed = scene.change(state, {{"preset", std::string(preset.value)}});
    if (!changed) return changed;
    const std::string name = std::string(scene.id) + " " + std::string(preset.value);
    const int steps = static_cast<int>(scene.steps().size());
    for (int step = 1; step <= steps; ++step) {
      const int parts = static_cast<int>(scenes::step_at(scene, {step}).parts.size());
      for (int part = 0; part <= parts; ++part)
        if (const Result<void> printed = print_place(scene, name, state, {step, part}, folder, resources); !printed)
          return printed;
    }
  }
  return {};
}

Outcome run_figures(const Arguments& arguments) {
  std::vector<const scenes::SceneDef*> asked(scenes::all().begin(), scenes::all().end());
  if (const auto id = arguments.find("--scene")) {
    const Result<const scenes::SceneDef*> scene = scenes::named(*id);
    if (!scene) return bad_usage(scene.error());
    asked = {*scene};
  }
  if (!text::load_embedded_fonts()) return bad_data("The fonts in this program are broken; build it again.");
  const std::string folder(arguments.find("--models").value_or(default_models()));
  for (const scenes::SceneDef* scene : asked)
    if (const Result<void> printed = print_scene(*scene, folder); !printed) return bad_data(printed.error());
  return {};
}

}  // namespace

const Command figures_command{
    .name = "figures",
    .summary = "Prints a line for every view of the scenes, with hashes of all that is drawn and said there.",
    .synopsis = "[--scene ID] [OPTION …]",
    .details =
        "A view is a scene, an example, a step or a part of it, and a stage's size and theme, or a number that is "
        "looked\n"
        "at. \"waiting\" is before trained weights have come, \"found\" is with what the scene's job has found, by "
        "a\n"
        "clock that goes on by a millisecond at each look. Two versions that print the same lines show a reader the "
        "same:\n"
        "tools/figures REVISION compares the working tree with a commit.\n",
    .subject = {},
    .options = kFiguresOptions,
    .run = run_figures,
};

}  // namespace limelight::cli
