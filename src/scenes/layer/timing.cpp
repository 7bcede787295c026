// When what moves from step to step moves, from 0 to 1 while t does, and what of one step is in the next one.
#include <algorithm>
#include <any>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "scenes/layer/steps.h"

namespace limelight::scenes::layer {
namespace {

bool begins(std::string_view id, std::initializer_list<std::string_view> beginnings) {
  return std::ranges::any_of(beginnings, [&](std::string_view beginning) { return id.starts_with(beginning); });
}

// The number of a tensor that an id begins with, "Y[0,0].way", and what follows it.
std::pair<std::optional<figure::Source>, std::string> output_in(const std::string& id) {
  const std::size_t end = id.find(']');
  if (end == std::string::npos) return {std::nullopt, id};
  return {figure::parse_cell_id(std::string_view(id).substr(0, end + 1)), id.substr(end + 1)};
}

}  // namespace

// What stands where the second sequence will makes room for it.
float timing_tap(const figure::Element& element, float t) {
  return begins(element.id, {"Z.strip", "Z.caption", "Z.input"}) ? figure::smoothstep(0.5F, 1, t)
                                                                 : figure::smoothstep(0, 0.6F, t);
}

// The frame is as large as all queries need before they come.
float timing_queries(const figure::Element& element, float t) {
  return begins(element.id, {"query.own", "query.caption"}) ? figure::smoothstep(0, 0.4F, t) : t;
}

// The dots travel with their scale before anything comes; what joins two comes last.
float timing_pairs(const figure::Element& element, float t) {
  if (element.id.ends_with(".way")) return figure::smoothstep(0.4F, 1, t);
  const bool travels =
      begins(element.id, {"span.", "key.", "legend.", "lane."}) || output_in(element.id).first.has_value();
  return travels ? figure::smoothstep(0, 0.7F, t) : t;
}

// An output's two dots move apart.
std::string becomes_order(const std::any& /*state*/, const std::string& id) {
  const auto [output, rest] = output_in(id);
  if (!output) return id;
  if (output->tensor == kYMoved) return figure::cell_id({std::string(kYMovedPos), output->row, output->column}) + rest;
  if (output->tensor == kShuffled.output)
    return figure::cell_id({std::string(kPlaced.output), output->row, output->column}) + rest;
  return id;
}

// The dots of all outputs go to the lane of what makes the order count; both together have none.
std::string becomes_all(const std::any& state, const std::string& id) {
  const auto& set = std::any_cast<const State&>(state);
  const auto [output, rest] = output_in(id);
  if (!output || (set.causal && set.positions != Encoding::none)) return id;
  const int lane = set.causal ? static_cast<int>(std::size(kBreakers)) - 1 : static_cast<int>(set.positions);
  if (output->tensor == kYMovedPos) return figure::cell_id({std::string(kOrderLast), lane, output->row}) + rest;
  if (output->tensor == kPlaced.output) return figure::cell_id({std::string(kOrderFirst), lane, output->row}) + rest;
  return id;
}

}  // namespace limelight::scenes::layer
