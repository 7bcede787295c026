// limelight scenes: what there is to be rendered, and what can be set in it.
#include <cstdio>

#include "cli/command.h"
#include "cli/describe.h"
#include "scenes/scene.h"
#include "scenes/version_1.h"

namespace limelight::cli {
namespace {

void write_step(io::JsonWriter& json, const scenes::SceneDef& scene, const scenes::Step& step) {
  json.begin_object().member("id", step.id).member("name", step.name).member("caption", step.caption);
  if (const std::optional<int> number = scenes::number_of_id(scene.id, step.id)) json.member("number", *number);
  json.key("parts").begin_array();
  for (const scenes::Part& part : step.parts)
    json.begin_object().member("id", part.id).member("name", part.name).end_object();
  json.end_array().end_object();
}

void write_field(io::JsonWriter& json, const io::FieldInfo& info) {
  using enum io::FieldKind;
  json.begin_object()
      .member("name", info.field.name)
      .member("type", io::kind_name(info.kind))
      .member("label", info.field.label);
  if (info.kind == integer || info.kind == real || info.kind == cells)
    json.member("min", info.field.range.low).member("max", info.field.range.high);
  else
    json.key("min").null().key("max").null();
  write_field_value(json.key("default"), info.kind, info.initial);
  if (info.kind == choice) {
    json.key("choices").begin_array();
    for (const io::Choice& one : info.field.choices) json.value(one.value);
    json.end_array().key("labels").begin_array();
    for (const io::Choice& one : info.field.choices) json.value(one.label);
    json.end_array();
  }
  json.end_object();
}

// The preset that a link of version 1 means that names none.
std::string preset_of_links(const scenes::SceneDef& scene) {
  const io::Patch link = scenes::with_preset_of_its_day({{"scene", std::string(scene.id)}}, scene.id);
  for (const auto& [key, value] : link)
    if (key == "preset") return value;
  return scene.encode(scene.initial()).front().second;
}

Outcome run_scenes(const Arguments&) {
  io::JsonWriter json;
  json.begin_array();
  for (const scenes::SceneDef* scene : scenes::all()) {
    json.begin_object().member("name", scene->id).member("title", scene->title);
    json.member("preset_of_links", preset_of_links(*scene));
    json.key("steps").begin_array();
    for (const scenes::Step& step : scene->steps()) write_step(json, *scene, step);
    json.end_array().key("fields").begin_array();
    for (const io::FieldInfo& info : scene->fields(scene->initial())) write_field(json, info);
    json.end_array().end_object();
  }
  json.end_array();
  const std::string text = json.take() + "\n";
  std::fwrite(text.data(), 1, text.size(), stdout);
  return {};
}

}  // namespace

const Command scenes_command{
    .name = "scenes",
    .summary = "Prints the scenes, their steps and their fields as JSON.",
    .synopsis = {},
    .details =
        "[{name, title, preset_of_links, steps: [{id, name, caption, number, parts}],\n"
        "  fields: [{name, type, label, min, max, default}]}]\n"
        "A step's number is what links called it before they named its id; preset_of_links is what those mean that\n"
        "name no preset. A field's type is integer, real, toggle,\n"
        "choice (its choices are listed too), text or cells: single cells of a matrix, written row.column:value,… "
        "with\n"
        "rows and columns counted from 0.\n",
    .subject = {},
    .options = {},
    .run = run_scenes,
};

}  // namespace limelight::cli
