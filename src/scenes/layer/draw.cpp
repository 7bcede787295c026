#include <algorithm>
#include <optional>

#include "figure/panels.h"
#include "scenes/layer/machine.h"
#include "scenes/layer/steps.h"

namespace limelight::scenes::layer {
namespace {

// What a tensor, or else any of this letter, is in words, and how its title differs from its name.
struct Look {
  std::string_view tensor, said, title{};  // without a title: its letter, and of what is learned its index
  bool weights = false;
};
constexpr Look kLooks[] = {
    {kXNew, "the same, shuffled", "s(X)"},
    {kX, "the inputs"},
    {kZ, "the second sequence"},
    {kOneQuery, "one query"},
    {kQ, "the queries"},
    {kK, "found by"},
    {kV, "passed on"},
    {kWQ, "makes queries"},
    {kWK, "makes keys"},
    {kWV, "makes values"},
    {"e", "how similar"},
    {"E", "how similar"},
    {"a", "weights", "", true},
    {"A", "weights", "", true},
    {kP, "what the places say"},
    {kRowSum, "", "row sum"},
    {kColumnSum, "", "column sum"},
    {kOne.output, "the inputs, mixed"},
    {kMany.output, "the inputs, mixed"},
    {kYMoved, "layer, then shuffle", "s(f(X))"},
    {kYMovedPos, "layer, then shuffle", "s(f(X))"},
    {kShuffled.output, "shuffle, then layer", "f(s(X))"},
    {kPlaced.output, "shuffle, then layer", "f(s(X))"},
    {"", "values, mixed"},  // any other output
};

Panel panel(const Drawing& d, std::string_view name) {
  const recipes::Symbol written = symbol_of(name);
  const Look& look = *std::ranges::find_if(kLooks, [&](const Look& known) {
    return known.tensor.empty() || name == known.tensor ||
           (known.tensor.size() == 1 && written.letter == known.tensor && written.letter != "Y");
  });
  const std::string_view own = name.starts_with("W_") ? name : written.letter;
  Panel made{.tensor = std::string(name),
             .title = std::string(look.title.empty() ? own : look.title),
             .colour = d.colours.*written.ink,
             .style = look.weights ? PanelStyle::weights : PanelStyle::plain,
             .emphasis = name == kMany.weights ? Emphasis::medium : Emphasis::small,
             .caption = std::string(look.said)};
  if (written.ink == &Palette::ink) made.tint = d.colours.score_fill;
  made.editable = name == kX || name == kZ || name == kQ || name == kQGiven || name.starts_with("W_");
  if (name == kWQ || name == kWK || name == kWV) made.row_labels = false;
  // Features are named where they are introduced.
  if (name == kOneQuery || name == kKeyed.output || name == kSelf.output || name == kCross.output)
    made.column_labels = d.video() && is_machine(d.view.place);
  if (look.weights) {
    made.normalise = d.state.normalise;
    if (d.state.normalise == Normalise::row) made.caption = "coloured by row";
    if (d.state.wrong_axis && name == kMany.weights) made.caption = "wrong axis";
    made.mask = name == kPlaced.weights ? kPlaced.scores : "";
    made.column_labels = true;
  }
  made.tokens = is_machine(d.view.place) && !name.starts_with("W_") && name != kK && name != kV && name != kX &&
                name != kColumnSum && !d.trace.at(name).row_labels.empty();
  if (d.view.zoom.tensor == name && d.view.zoom.rows > 0)
    made.window = CellRange{made.tensor, d.view.zoom.row, d.view.zoom.column, d.view.zoom.rows, d.view.zoom.columns};
  return made;
}

// What stands between two matrices, by its name in a line of a step's table.
Joint joint(const Drawing& d, std::string_view name) {
  const auto arrow = [](std::string above, std::string below = "") {
    return Joint{.sign = "→", .above = std::move(above), .below = std::move(below)};
  };
  if (name == "compared")
    return arrow("with X", std::string(kSimilarities[static_cast<int>(d.state.similarity)].label));
  if (name == "softmax") return arrow("softmax", d.state.wrong_axis && is_machine(d.view.place) ? "down a column" : "");
  if (name == "attends") return arrow("Q Kᵀ ÷ √d", "softmax");
  if (name == kError || name == kErrorPos)
    return {.sign = static_cast<double>(d.trace.at(name).values(0, 0)) < rounding(d.trace) ? "=" : "≠"};
  if (name == "×" || name == "=" || name == "→") return {.sign = std::string(name)};
  return arrow(std::string(name));  // "A·V"
}

// "X × W_K": a line of a step's table as what stands in it; a quote turns a row upright. Names of rows are at the left.
void add_line(const Drawing& d, std::string_view line, PanelRow& row) {
  const std::vector<std::string>* named = nullptr;
  for (const PanelItem& item : row)
    if (const auto* before = std::get_if<Panel>(&item); before != nullptr && named == nullptr)
      named = &d.trace.at(before->tensor).row_labels;
  for (std::size_t end = 0; !line.empty(); line.remove_prefix(std::min(end + 1, line.size()))) {
    end = std::min(line.find(' '), line.size());
    std::string_view name = line.substr(0, end);
    const bool upright = name.ends_with('\'');
    if (upright) name.remove_suffix(1);
    const bool compares = name == kError || name == kErrorPos;
    const Tensor* tensor = compares ? nullptr : d.trace.find(name);
    if (tensor == nullptr) {
      row.emplace_back(joint(d, name));
      continue;
    }
    Panel made = panel(d, name);
    made.transposed = upright;
    if (upright) made.column_labels = false;
    if (upright || name == kColumnSum || (named != nullptr && *named == tensor->row_labels && !d.narrow()))
      made.row_labels = false;
    if (named == nullptr) named = &tensor->row_labels;
    row.emplace_back(std::move(made));
  }
}

// The matrices of a step, from y on. Returns their bottom.
float add_matrices(Drawing& d, const Row& step, float y, float height) {
  std::vector<PanelRow> rows;
  for (std::string_view line : step.matrices) {
    const bool goes_on = line.starts_with('+'), left_out = line.starts_with('~');
    if (goes_on || left_out) line.remove_prefix(1);
    const bool unknown = line == kP && d.trace.find(kP) == nullptr;
    if (line.empty() || unknown || (left_out && d.low())) continue;
    if (!goes_on || !d.low()) rows.emplace_back();
    add_line(d, line, rows.back());
  }
  add_panels(d.figure, d.trace, rows, {d.margin(), y, d.inner(), std::max(height, 120.F)},
             {.theme = d.view.theme,
              .token_field = "query",
              .chosen_row = step.chosen_row(d.state),
              .narrow = d.narrow(),
              .sink = 0.4F});
  return d.bottom();
}

float draw_matrices(Drawing& d, const Row& step, float y, float bottom) {
  if (is_machine(d.view.place)) return add_matrices(d, step, y, bottom - y);
  const float foot = d.press_height() + 64;
  y = std::max(add_matrices(d, step, y, bottom - y - foot) + 12, bottom - foot);
  if (step.result == kShuffled.output) return add_orders(d, add_difference(d, kError, {d.margin(), y}) + 8);
  return add_encodings(d, add_difference(d, kErrorPos, {d.margin(), y}) + 10);
}

}  // namespace

Figure draw(const State& state, const Trace& trace, const View& view) {
  const State shown = in_view(state, view);
  Drawing d{frame_for(trace, view), shown};
  const Row& row = row_at(view.place);
  const bool numbers = shown.numbers && !row.matrices[0].empty();
  const float bottom = view.height - 10, y = numbers ? draw_matrices(d, row, 10, bottom) : row.draw(d, 10, bottom);
  // The queries of the first three steps are the second sequence's rows.
  for (Element& element : d.figure.elements)
    if (element.edit && (element.edit->field == kQ || element.edit->field == kQGiven)) element.edit->field = kZ;
  if (const std::optional<Source> focus = parse_cell_id(view.focus());
      focus && trace.cell(focus->tensor, focus->row, focus->column) != nullptr)
    recipes::add_outlines(d.figure, recipes(state, trace), *focus, d.colours);
  d.figure.height = std::max(y, d.bottom()) + 10;
  return std::move(d.figure);
}

}  // namespace limelight::scenes::layer
