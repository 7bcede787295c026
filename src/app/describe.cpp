// The page in words, for the mirror: made of the same fields and the same figure that are drawn.
#include <algorithm>
#include <cmath>
#include <set>
#include <type_traits>
#include <variant>

#include "app/actions.h"
#include "app/commands.h"
#include "app/compare.h"
#include "app/hidden.h"
#include "app/inspector.h"
#include "app/opening.h"
#include "app/terms.h"
#include "app/timeline.h"
#include "figure/formula.h"
#include "figure/panels.h"
#include "io/json.h"

namespace limelight::app {
namespace {

using io::JsonWriter;

void write_fields(JsonWriter& json, const App& app) {
  json.key("fields").begin_array();
  for (const io::FieldInfo& info : shown_fields(app)) {
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
        .member("given", given)
        .member("detail", step.detail);
    json.key("parts").begin_array();
    for (const scenes::Part& part : step.parts)
      json.begin_object().member("id", part.id).member("name", part.name).end_object();
    json.end_array().end_object();
  }
  json.end_array();
}

// Rows and columns of a matrix that is sent when it has more than kMostCells: the page writes them all down.
constexpr int kMostSide = 64, kMostCells = kMostSide * kMostSide;

std::vector<std::string> first_of(const std::vector<std::string>& labels, int count) {
  return {labels.begin(), labels.begin() + std::min<std::ptrdiff_t>(count, std::ssize(labels))};
}

// Of a matrix or a heatmap; then of arcs and bars, which show numbers as well. Null of all else.
const figure::CellRange* numbers_of(const figure::Element& element, bool cells) {
  return std::visit(
      [cells]<class Shape>(const Shape& shape) -> const figure::CellRange* {
        constexpr bool is_cells = std::is_same_v<Shape, figure::MatrixCells> || std::is_same_v<Shape, figure::Heatmap>;
        constexpr bool is_drawn = std::is_same_v<Shape, figure::Arcs> || std::is_same_v<Shape, figure::Bars>;
        if constexpr (is_cells || is_drawn)
          return cells == is_cells ? &shape.range : nullptr;
        else
          return nullptr;
      },
      element.shape);
}

void write_table(JsonWriter& json, const Page& page, const Tensor& tensor, std::string title) {
  const std::string_view field = edited_by(page.figure, tensor.name);
  const bool cut = field.empty() && tensor.values.size() > kMostCells;
  const int rows = cut ? std::min(tensor.rows(), kMostSide) : tensor.rows(),
            columns = cut ? std::min(tensor.columns(), kMostSide) : tensor.columns();
  if (title.empty()) title = figure::words_of_name(tensor.name);
  if (cut) title += ", its first " + io::count_of(rows, "row") + " and " + io::count_of(columns, "column");
  json.begin_object()
      .member("name", tensor.name)
      .member("title", title)
      .member("rows", rows)
      .member("columns", columns)
      .member("editable", !field.empty())
      .member("field", field);
  json.member("rowLabels", first_of(tensor.row_labels, rows));
  json.member("columnLabels", first_of(tensor.column_labels, columns));
  json.key("data").begin_array();
  for (const float value : tensor.values.topLeftCorner(rows, columns).reshaped<Eigen::RowMajor>()) json.value(value);
  json.end_array().end_object();
}

// The numbers in the figure, each tensor once; of a large one that cannot be edited, the beginning.
void write_tables(JsonWriter& json, const App& app, const Page& page) {
  json.key("tables").begin_array();
  std::set<std::string> seen;
  const auto write = [&](const std::string& name, const std::string& title) {
    const Tensor* tensor = app.trace.find(name);
    if (tensor != nullptr && seen.insert(name).second) write_table(json, page, *tensor, title);
  };
  for (const bool cells : {true, false})
    for (const figure::Element& element : page.figure.elements) {
      const figure::CellRange* range = numbers_of(element, cells);
      if (range == nullptr || (cells && element.label.empty())) continue;  // a picture of one
      write(range->tensor, element.label);
    }
  // And those that curves, arrows and words of the figure stand for, a number each.
  for (const figure::Element& element : page.figure.elements) {
    if (element.edit && element.edit->plane) write(element.edit->field, {});
    if (element.source) write(element.source->tensor, {});
  }
  json.end_array();
}

void write_actions(JsonWriter& json, const App& app, const Page& page) {
  json.key("actions").begin_array();
  for (const Action& action : actions(app, page))
    json.begin_object()
        .member("id", action.id)
        .member("label", action.label)
        .member("field", action.edit.field)
        .member("value", action.edit.value)
        .end_object();
  json.end_array().member("job", job_button(app));
}

void write_inspection(JsonWriter& json, const App& app) {
  const std::optional<scenes::Inspection> inspection = inspection_of(app);
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
  const auto question = last && !hides(app, "question") ? app.scene->ask(app.state, app.trace) : std::nullopt;
  json.key("quiz");
  if (!question) {
    json.null();
    return;
  }
  json.begin_object().member("text", scenes::without_marks(question->text)).member("guess", app.guess);
  json.member("options", question->options);
  const std::string verdict = app.guess == question->correct ? "Right. " : "Not quite. ";
  json.member("answer", app.guess < 0 ? std::string() : verdict + scenes::without_marks(question->answer)).end_object();
}

// Places are told in the window's pixels, which may be larger than the layout's, to a hundredth.
JsonWriter& write_rect(JsonWriter& json, const App& app, figure::Rect rect) {
  const auto pixels = [m = app.magnification()](float of_layout) { return std::round(of_layout * m * 100) / 100; };
  return json.member("x", pixels(rect.x))
      .member("y", pixels(rect.y))
      .member("w", pixels(rect.w))
      .member("h", pixels(rect.h));
}

void write_targets(JsonWriter& json, const App& app, const Page& page) {
  json.key("targets").begin_array();
  for (const figure::Element& element : page.figure.elements) {
    const bool many = is_term(element.id) && !is_marked_term(element.id);
    if (element.role == figure::Role::none || many) continue;
    json.begin_object()
        .member("id", element.id)
        .member("role", figure::name_of(element.role))
        .member("label", element.label);
    write_rect(json, app, element.rect).end_object();
  }
  json.end_array();
}

void write_inputs(JsonWriter& json, const App& app, const Page& page) {
  json.key("inputs").begin_array();
  for (const InputBox& input : page.inputs) {
    json.begin_object()
        .member("field", input.field)
        .member("cell", input.cell)
        .member("kind", input.mono ? "cell" : "text")
        .member("value", input.value)
        .member("begun", input.begun)
        .member("placeholder", input.placeholder)
        .member("example", input.example)
        .member("label", input.label)
        .member("fontSize", input.font_size * app.magnification())
        .member("mono", input.mono)
        .member("colour", figure::css(input.colour));
    write_rect(json.key("pill").begin_object(), app, input.pill).end_object();
    write_rect(json, app, input.rect).end_object();
  }
  json.end_array();
}

}  // namespace

std::string_view edited_by(const figure::Figure& figure, std::string_view tensor) {
  for (const figure::Element& element : figure.elements) {
    if (!element.edit) continue;
    const figure::CellRange* cells = numbers_of(element, true);
    const bool of_its_own = cells != nullptr && cells->tensor == tensor;
    const bool of_a_number = element.source && element.source->tensor == tensor && element.edit->field == tensor;
    if (of_its_own || of_a_number || (element.edit->plane && element.edit->field == tensor)) return element.edit->field;
  }
  return {};
}

std::string describe_page(const App& app, const Page& page, bool animating, bool with_tables) {
  const scenes::View view = view_of(app, page.regions.stage.w, page.regions.stage.h);
  const std::string hash = link(app);
  JsonWriter json;
  json.begin_object()
      .member("version", io::kLinkVersion)
      .member("scene", app.scene->id)
      .member("title", app.scene->title)
      .member("question", app.scene->question)
      .member("theme", is_dark(app.theme()) ? "dark" : "light")
      .member("projector", app.settings.projector)
      .member("embed", app.settings.embed)
      .member("height",
              std::round((app.height - page.regions.stage.h + page.stage_height) *
                         app.magnification()))  // that shows all of the figure
      .member("step", app.place.step)
      .member("part", app.place.part)
      .member("playing", app.playing)
      .member("animating", animating)
      .member("fetching", app.waiting || (view.missing && view.missing->refused.empty()))
      .member("narration", app.opening ? narrate_opening(app)
                                       : scenes::without_marks(app.scene->narrate(app.state, app.trace, view)))
      .member("opening", app.opening.has_value())
      .member("compared", compared_words(app))
      .member("provenance", scenes::without_marks(app.scene->provenance(app.state)))
      .member("edited", differs_from_example(app))
      .member("canUndo", !app.undo_stack.empty())
      .member("canRedo", !app.redo_stack.empty())
      .member("pinned", app.pinned)
      .member("hash", hash.size() <= io::kLongestLink && !app.keep_address ? hash : std::string())
      .member("tooLong", hash.size() > io::kLongestLink && !app.keep_address);
  if (!app.scene->picture.name.empty()) json.member("pictureSide", app.scene->picture.side);
  json.member("hidden", app.settings.hidden);
  json.member("takesOwn", !app.scene->own.name.empty()).member("ownComing", own_progress(app));
  json.member("ownHere", !app.own.empty());
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
  write_actions(json, app, page);
  write_inspection(json, app);
  write_quiz(json, app);
  json.member("revision", app.revision);
  if (with_tables) write_tables(json, app, page);
  write_inputs(json, app, page);
  write_targets(json, app, page);
  return json.end_object().take();
}

}  // namespace limelight::app
