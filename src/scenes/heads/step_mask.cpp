// The step Mask: of a head's light nothing comes to what is hidden; below each word a cell for each query says whether.
#include <numeric>

#include "scenes/common/explain.h"
#include "scenes/common/matrix.h"
#include "scenes/heads/parts.h"

namespace limelight::scenes::heads {
namespace {

// Then a causal one is dashed, and while the step comes it is seen at work.
bool unmasked(const State& state) { return state.mask == Masking::none && state.M.cells.empty() && !state.crossed(); }
bool is_hidden(const Drawing& d, int i, int j) {
  return d.trace.at("M").values(i, j) == 0 || (unmasked(d.state) && j > i);
}

// How far what hides is closed.
float shut(const Drawing& d) {
  const float t = d.view.t, closes = smoothstep(0.2F, 0.45F, t);
  return unmasked(d.state) ? closes * (1 - smoothstep(0.8F, 1, t)) : closes;
}

// What the head gives to the words without a mask, and what through it: of what is seen, all.
std::vector<float> open_light(const Drawing& d) {
  if (unmasked(d.state)) return d.weights(of_head("A", d.lit));
  const Matrix all = unmasked_weights(d.state, d.trace, d.lit);
  return {all.row(d.row).begin(), all.row(d.row).end()};
}
std::vector<float> light_of(const Drawing& d) {
  const std::vector<float> open = open_light(d);
  std::vector<float> light = d.weights(of_head("A", d.lit));
  const auto later = light.begin() + d.row + 1;
  if (const float seen = std::accumulate(light.begin(), later, 1e-6F); unmasked(d.state)) {
    std::fill(later, light.end(), 0.F);
    for (float& weight : light) weight /= seen;
  }
  for (std::size_t j = 0; j < open.size(); ++j) light[j] = std::lerp(open[j], light[j], shut(d));
  return light;
}

// Over the words that are hidden from the one that asks: what the light does not pass.
void add_shutters(Drawing& d, const Stage& stage) {
  const float y = stage.baseline - stage.room - 4, half = stage.slots.pitch / 2 - 3, closed = shut(d);
  for (int j = 0; j < stage.slots.count; ++j)
    if (const float x = stage.slots.centre(j); is_hidden(d, d.row, j))
      d.figure.add({.id = "shutter." + std::to_string(j),
                    .shape = Line{.points = {{x - half, y}, {x + half, y}},
                                  .colour = d.colours.ink,
                                  .width = 1.5F + 5 * closed,
                                  .dashed = closed == 0}});
}

// A cell that is seen is as bright as its weight, one that is hidden has no light; a press changes that.
void add_mask_cell(Drawing& d, Rect rect, const Tensor& A, int i, int j) {
  const Tensor& M = d.trace.at("M");
  const bool seen = M.values(i, j) != 0, painted = d.state.M.cells.contains({i, j});
  const float weight = A.values(i, j),
              of = d.state.normalise == Normalise::row ? std::max(A.values.row(i).maxCoeff(), 1e-6F) : 1;
  const Colour fill = seen ? mix(d.colours.surface, d.colours.lamp, std::sqrt(weight / of)) : d.colours.track;
  // What comes back to the mask's own choice is no longer painted.
  const std::string value = allowed_unpainted(d.state, i, j) != seen ? "" : seen ? "0" : "1", id = cell_id({"M", i, j});
  d.figure.add(
      {.id = id,
       .role = Role::button,
       .rect = rect,
       .label = label_apart(M.row_labels, i) + (seen ? " sees " : " does not see ") + label_apart(M.column_labels, j) +
                (seen ? ": hide it" : ": show it"),
       .source = Source{"M", i, j},
       .edit = Edit{.field = "M", .value = std::to_string(i) + "." + std::to_string(j) + ":" + value},
       .shape = Rectangle{
           .fill = fill, .stroke = painted ? d.colours.accent : Colour{0, 0, 0, 0}, .stroke_width = 2, .radius = 4}});
  if (seen && weight >= kTold && rect.w > 34 && rect.h > 13)
    add_words(d, id + ".share", rect, share_text(weight), {ink_on(fill), type::small_number, Align::centre});
}

// Rows of cells below the words, each with its query.
void add_grid(Drawing& d, Rect grid, const Tensor& A) {
  const Tensor& M = d.trace.at("M");
  const auto rows = static_cast<float>(M.rows());
  const float wide = grid.w / static_cast<float>(M.columns()), high = grid.h / rows,
              names = grid.x - (d.narrow() ? 2 : d.margin());
  const std::size_t begin = d.figure.elements.size();
  const auto corner = [&](int i, int j) {
    return Point{grid.x + wide * static_cast<float>(j), grid.y + high * static_cast<float>(i)};
  };
  Line stairs{.points = {}, .colour = d.colours.ink, .width = 2, .dashed = true};
  for (int i = 0; i < M.rows(); ++i) {
    for (int j = 0; j < M.columns(); ++j)
      add_mask_cell(d, Rect{corner(i, j).x, corner(i, j).y, wide, high}.inset(1), A, i, j);
    stairs.points.insert(stairs.points.end(), {corner(i, i + 1), corner(i + 1, i + 1)});
  }
  if (unmasked(d.state)) d.figure.add({.id = "M.causal", .rect = grid, .shape = std::move(stairs)});
  for (std::size_t i = begin; i < d.figure.elements.size() && d.view.t < 1; ++i)  // row after row
    d.figure.elements[i].clip = Rect{grid.x, grid.y, grid.w, high * std::ceil(std::min(3 * d.view.t, 1.F) * rows)};
  add_row_names(d, {.id = "M.row.",
                    .words = M.row_labels,
                    .count = M.rows(),
                    .rect = {grid.x - names, grid.y, names - 6, grid.h},
                    .align = Align::right,
                    .type = {text::Face::regular, std::min(d.narrow() ? 11.F : 12.5F * d.letters(), high)},
                    .asks = d.row,
                    .field = "query"});
  d.figure.add({.id = "M.asks",
                .rect = {grid.x - 2, corner(d.row, 0).y - 1, grid.w + 4, high + 2},
                .shape = Rectangle{.stroke = d.colours.query, .stroke_width = 2, .radius = 5}});
}

}  // namespace

float draw_mask(Drawing& d, float y, float bottom) {
  d.lit = d.alone >= 0 ? d.alone : masked_head(d.state, d.trace);
  ChipGroup heads{"head", "head", {}};
  for (int h = 0; h < d.state.heads; ++h)
    heads.chips.push_back({std::to_string(h + 1), std::to_string(h + 1), h == d.lit, {}});
  const std::vector<ChipGroup> groups{chips_of("mask", "mask", kMasks, static_cast<int>(d.state.mask)), heads};
  const Tensor& A = d.trace.at(of_head("A", d.lit));
  const auto rows = static_cast<float>(A.rows());
  bottom = d.narrow() ? y + 280 + 22 * rows : add_choices(d, groups, bottom);
  const Stage stage = stage_of(d, y, bottom, rows * (d.narrow() ? 22 : std::max(24 * d.scale(), 16.F)), true);
  std::vector<float> lost = open_light(d);
  for (int j = 0; j < stage.slots.count; ++j)
    if (unmasked(d.state) || !is_hidden(d, d.row, j)) lost[static_cast<std::size_t>(j)] = 0;
  add_hints(d, stage, d.lit, lost, 1);
  add_stage(d, stage, A.name, light_of(d), true);
  for (Element& element : d.figure.elements)  // pools are as wide as their columns
    if (auto* light = std::get_if<Light>(&element.shape))
      for (Light::Spot& spot : light->spots)
        if (spot.centre.y > stage.floor - 60) spot.radius_x = std::min(spot.radius_x, 1.1F * stage.slots.pitch);
  add_shutters(d, stage);
  const float high = std::max((bottom - stage.below) / rows, 13.F);
  add_grid(d, {stage.slots.begin, stage.below, stage.width(), high * rows}, A);
  add_name(d, {stage.slots.begin, y, 0, stage.shares - y}, "M", d.colours.ink, {"rows: queries;", "yellow: light"});
  return d.narrow() ? add_chips(d, groups, d.bottom() + 10, d.press_height()) : bottom;
}

}  // namespace limelight::scenes::heads
