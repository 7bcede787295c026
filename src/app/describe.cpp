// The page in words, for the mirror: made of the same fields and the same figure that are drawn.
#include <algorithm>
#include <set>

#include "app/commands.h"
#include "app/timeline.h"
#include "figure/formula.h"
#include "io/json.h"

namespace limelight::app {
namespace {

using io::JsonWriter;

void write_fields(JsonWriter& json, const App& app) {
  json.key("fields").begin_array();
  for (const io::FieldInfo& info : app.scene->fields(app.state)) {
    static constexpr std::string_view places[] = {"top", "panel", "figure"};
    json.begin_object()
        .member("name", info.field.name)
        .member("label", info.field.label)
        .member("kind", io::kind_name(info.kind))
        .member("value", info.value)
        .member("initial", info.initial)
        .member("min", info.field.range.low)
        .member("max", info.field.range.high)
        .member("unit", info.field.unit)
        .member("hint", info.field.hint)
        .member("place", places[static_cast<std::size_t>(info.field.place)])
        .member("shown", info.field.shown);
    json.key("choices").begin_array();
    for (const io::Choice& choice : info.field.choices)
      json.begin_object().member("value", choice.value).member("label", choice.label).end_object();
    json.end_array().end_object();
  }
  json.end_array();
}

void write_steps(JsonWriter& json, const App& app) {
  json.key("steps").begin_array();
  int number = 0;
  for (const scenes::Step& step : app.scene->steps()) {
    const bool given = ++number < app.scene->first_step(app.state);
    json.begin_object()
        .member("id", step.id)
        .member("name", step.name)
        .member("caption", caption_of(app, number))
        .member("given", given);
    json.key("parts").begin_array();
    for (const scenes::Part& part : step.parts)
      json.begin_object().member("id", part.id).member("name", part.name).end_object();
    json.end_array().end_object();
  }
  json.end_array();
}

void write_labels(JsonWriter& json, std::string_view key, const std::vector<std::string>& labels) {
  json.key(key).begin_array();
  for (const std::string& label : labels) json.value(std::string_view(label));
  json.end_array();
}

// The matrices in the figure, each once.
void write_tables(JsonWriter& json, const App& app, const Page& page) {
  json.key("tables").begin_array();
  std::set<std::string> seen;
  for (const figure::Element& element : page.figure.elements) {
    const auto* matrix = std::get_if<figure::MatrixCells>(&element.shape);
    const auto* heatmap = std::get_if<figure::Heatmap>(&element.shape);
    if (matrix == nullptr && heatmap == nullptr) continue;
    const std::string& name = matrix != nullptr ? matrix->range.tensor : heatmap->range.tensor;
    const Tensor* tensor = app.trace.find(name);
    if (tensor == nullptr || !seen.insert(name).second) continue;
    json.begin_object()
        .member("name", name)
        .member("title", element.label)
        .member("rows", tensor->rows())
        .member("columns", tensor->columns())
        .member("editable", element.edit.has_value())
        .member("field", element.edit ? std::string_view(element.edit->field) : "");  // that its cells are set by
    write_labels(json, "rowLabels", tensor->row_labels);
    write_labels(json, "columnLabels", tensor->column_labels);
    json.key("data").begin_array();
    for (const float value : tensor->values.reshaped<Eigen::RowMajor>()) json.value(value);
    json.end_array().end_object();
  }
  json.end_array();
}

void write_inspection(JsonWriter& json, const App& app) {
  const scenes::View view = view_of(app, 720, 600);
  const auto inspection = app.scene->inspect(app.state, app.trace, view, view.focus());
  json.key("inspection");
  if (!inspection) {
    json.null();
    return;
  }
  json.begin_object().member("title", inspection->title).member("note", scenes::without_marks(inspection->note));
  json.key("lines").begin_array();
  for (const figure::Formula& line : inspection->lines)
    json.begin_object().member("text", figure::plain(line)).member("mathml", figure::mathml(line)).end_object();
  json.end_array().end_object();
}

void write_quiz(JsonWriter& json, const App& app) {
  const bool last = app.place.step == static_cast<int>(app.scene->steps().size());
  const auto question = last ? app.scene->ask(app.state, app.trace) : std::nullopt;
  json.key("quiz");
  if (!question) {
    json.null();
    return;
  }
  json.begin_object().member("text", scenes::without_marks(question->text)).member("guess", app.guess);
  write_labels(json, "options", question->options);
  const std::string verdict = app.guess == question->correct ? "Right. " : "Not quite. ";
  json.member("answer", app.guess < 0 ? std::string() : verdict + scenes::without_marks(question->answer)).end_object();
}

JsonWriter& write_rect(JsonWriter& json, figure::Rect rect) {
  return json.member("x", rect.x).member("y", rect.y).member("w", rect.w).member("h", rect.h);
}

void write_targets(JsonWriter& json, const Page& page) {
  json.key("targets").begin_array();
  for (const figure::Element& element : page.figure.elements) {
    if (element.role == figure::Role::none) continue;
    json.begin_object()
        .member("id", element.id)
        .member("role", figure::name_of(element.role))
        .member("label", element.label);
    write_rect(json, element.rect).end_object();
  }
  json.end_array();
}

void write_inputs(JsonWriter& json, const Page& page) {
  json.key("inputs").begin_array();
  for (const InputBox& input : page.inputs) {
    json.begin_object()
        .member("field", input.field)
        .member("cell", input.cell)
        .member("kind", input.mono ? "cell" : "text")
        .member("value", input.value)
        .member("begun", input.begun)
        .member("placeholder", input.placeholder)
        .member("label", input.label)
        .member("fontSize", input.font_size)
        .member("mono", input.mono)
        .member("colour", figure::css(input.colour));
    write_rect(json.key("pill").begin_object(), input.pill).end_object();
    write_rect(json, input.rect).end_object();
  }
  json.end_array();
}

}  // namespace

std::string describe_page(const App& app, const Page& page, bool animating, bool with_tables) {
  const scenes::View view = view_of(app, page.regions.stage.w, page.regions.stage.h);
  const std::string hash = link(app);
  JsonWriter json;
  json.begin_object()
      .member("version", io::kLinkVersion)
      .member("scene", app.scene->id)
      .member("title", app.scene->title)
      .member("question", app.scene->question)
      .member("theme", app.theme() == figure::Theme::dark ? "dark" : "light")
      .member("embed", app.embed)
      .member("step", app.place.step)
      .member("part", app.place.part)
      .member("playing", app.playing)
      .member("animating", animating)
      .member("fetching", app.waiting || (view.missing && view.missing->refused.empty()))
      .member("narration", scenes::without_marks(app.scene->narrate(app.state, app.trace, view)))
      .member("provenance", scenes::without_marks(app.scene->provenance(app.state)))
      .member("edited", differs_from_example(app))
      .member("canUndo", !app.undo_stack.empty())
      .member("canRedo", !app.redo_stack.empty())
      .member("pinned", app.pinned)
      .member("hash", hash.size() <= io::kLongestLink && !app.keep_address ? hash : std::string())
      .member("tooLong", hash.size() > io::kLongestLink && !app.keep_address);
  if (!app.scene->picture.name.empty()) json.member("pictureSide", app.scene->picture.side);
  json.key("notice");
  if (app.notice.text.empty())
    json.null();
  else
    json.begin_object().member("serial", app.notice.serial).member("text", app.notice.text).end_object();
  json.key("scenes").begin_array();
  for (const scenes::SceneDef* scene : scenes::all())
    json.begin_object()
        .member("name", scene->id)
        .member("title", scene->title)
        .member("question", scene->question)
        .member("group", scene->group)
        .end_object();
  json.end_array();
  write_steps(json, app);
  write_fields(json, app);
  write_inspection(json, app);
  write_quiz(json, app);
  json.member("revision", app.revision);
  if (with_tables) write_tables(json, app, page);
  write_inputs(json, page);
  write_targets(json, page);
  return json.end_object().take();
}

}  // namespace limelight::app
