// When what moves from step to step moves, from 0 to 1 while t does, and what of one step is in the next one.
#include <algorithm>
#include <any>
#include <optional>
#include <string>
#include <string_view>

#include "scenes/layer/steps.h"

namespace limelight::scenes::layer {
namespace {

bool begins(std::string_view id, std::initializer_list<std::string_view> beginnings) {
  return std::ranges::any_of(beginnings, [&](std::string_view beginning) { return id.starts_with(beginning); });
}

constexpr std::string_view kWas = ".was";  // at the end of what goes, which the next step has elsewhere

bool is_written(std::string_view id) {
  return begins(id, {"output.", kOne.output, kMany.output}) && !begins(id, {"output.box", "output.mix", "output.all"});
}

// Beside another output.
bool is_of_other(std::string_view id) {
  return id.starts_with("output.all.") &&
         (id.ends_with(".letter") || id.ends_with(".name") || id.ends_with(".numbers"));
}

}  // namespace

// What stands where the second sequence will makes room for it.
float timing_tap(const figure::Element& element, float t) {
  if (begins(element.id, {"Z.strip", "Z.caption", "Z.input"})) return figure::smoothstep(0.5F, 1, t);
  return begins(element.id, {"Z."}) ? figure::smoothstep(0, 0.6F, t) : t;
}

// The frame is as large as all queries need before they come. What is written of an output goes before the output
// moves, and comes when that has moved.
float timing_outputs(const figure::Element& element, float t) {
  if (begins(element.id, {"query.own", "query.caption"})) return figure::smoothstep(0, 0.4F, t);
  if (element.id.ends_with(kWas) || is_of_other(element.id)) return figure::smoothstep(0, 0.3F, t);
  if (begins(element.id, {"output.box", "output.mix", "pour.", "lane."})) return figure::smoothstep(0.3F, 0.75F, t);
  return begins(element.id, {"output.all.caption"}) || is_written(element.id) ? figure::smoothstep(0.75F, 1, t) : t;
}

// The query that has asked alone is one of all.
std::string becomes_queries(const std::any& state, const std::string& id) {
  if (is_written(id)) return id + std::string(kWas);
  const std::optional<figure::Source> at = figure::parse_cell_id(id);
  if (!at || at->tensor != kOne.weights) return id;
  return figure::cell_id({std::string(kMany.weights), query_row(std::any_cast<const State&>(state)), at->column});
}

// One output stands for all again.
std::string becomes_keys(const std::any& /*state*/, const std::string& id) {
  return is_written(id) || id.starts_with("output.all.caption") ? id + std::string(kWas) : id;
}

// The inputs stand below each other.
std::string becomes_shuffle(const std::any& /*state*/, const std::string& id) {
  static constexpr std::string_view kInput = "X.input.";
  if (!id.starts_with(kInput)) return id;
  const std::size_t end = std::min(id.find('.', kInput.size()), id.size());
  const std::string rest = id.substr(end), name = "input." + id.substr(kInput.size(), end - kInput.size());
  if (rest.empty()) return name + ".edge";
  if (rest == ".name" || rest == ".words") return name + ".word";
  return rest[1] <= '9' ? name + ".film" + rest : id;
}

}  // namespace limelight::scenes::layer
