// The step Mask: of a head's light nothing comes to what is hidden; below each word a cell for each query says whether.
#include <algorithm>

#include "figure/choreography.h"
#include "scenes/common/explain.h"
#include "scenes/common/matrix.h"
#include "scenes/common/parts.h"
#include "scenes/heads/parts.h"

namespace limelight::scenes::heads {
namespace {

bool is_hidden(const Drawing& d, int i, int j) { return !allowed(as_masked(d.state))(i, j); }

// The lit head's weights without a mask, and with the one that is shown.
struct Seen {
  Matrix open, closed;
  // How far it is closed for a query: row after row.
  [[nodiscard]] static float shut(const Drawing& d, int row) {
    return in_turn(std::clamp((d.view.t - 0.3F) / 0.6F, 0.F, 1.F), row, sizes(d.state).queries);
  }
  [[nodiscard]] Matrix now(const Drawing& d) const {
    Matrix light = open;
    for (int i = 0; i < light.rows(); ++i) light.row(i) += shut(d, i) * (closed.row(i) - open.row(i));
    return light;
  }
};
Seen seen_of(const Drawing& d) {
  const Matrix& A = d.trace.at(of_head("A", d.lit)).values;
  if (as_masked(d.state).mask == d.state.mask) return {unmasked_weights(d.state, d.trace, d.lit), A};
  const Matrix before = A.triangularView<Eigen::Lower>();  // shared out anew among what is left
  return {A, before.array().colwise() / before.rowwise().sum().array().max(1e-6F)};
}

// Over the words that are hidden from the one that asks: what the light does not pass.
void add_shutters(Drawing& d, const Stage& stage) {
  const float y = stage.baseline - stage.room - 4, half = stage.slots.pitch / 2 - 3, closed = Seen::shut(d, d.row);
  for (int j = 0; j < stage.slots.count; ++j)
    if (const float x = stage.slots.centre(j); is_hidden(d, d.row, j))
      add_stroke(d, "shutter." + std::to_string(j), {{x - half, y}, {x + half, y}}, d.colours.ink, 1.5F + 5 * closed,
                 closed == 0);
}

// A cell that is seen is as bright as its weight, one that is hidden is struck out; a press changes that.
void add_mask_cell(Drawing& d, Rect rect, const Matrix& light, int i, int j) {
  const Tensor& M = d.trace.at("M");
  const State masked = as_masked(d.state);
  const bool seen = !is_hidden(d, i, j), painted = d.state.M.cells.contains({i, j});
  const float weight = light(i, j),
              of = d.state.normalise == Normalise::row ? std::max(light.row(i).maxCoeff(), 1e-6F) : 1;
  const Colour fill =
      mix(mix(d.colours.surface, d.colours.lamp, std::sqrt(weight / of)), d.colours.track, seen ? 0 : Seen::shut(d, i));
  // What comes back to the mask's own choice is no longer painted.
  const std::string value = allowed_unpainted(masked, i, j) != seen ? "" : seen ? "0" : "1", id = cell_id({"M", i, j});
  Element& cell = add_part(
      d, id, Role::button, rect,
      label_apart(M.row_labels, i) + (seen ? " sees " : " does not see ") + label_apart(M.column_labels, j) +
          (seen ? ": hide it" : ": show it"),
      Rectangle{
          .fill = fill, .stroke = painted ? d.colours.accent : Colour{0, 0, 0, 0}, .stroke_width = 2, .radius = 4});
  cell.source = Source{"M", i, j};
  cell.edit = Edit{.field = "M", .value = std::to_string(i) + "." + std::to_string(j) + ":" + value};
  if (masked.mask != d.state.mask) cell.edit = Edit{.field = "mask", .value = "causal"};  // first it is chosen
  if (!seen)
    add_stroke(d, id + ".struck", {{rect.x + 3, rect.bottom() - 2}, {rect.right() - 3, rect.y + 2}},
               d.colours.muted.faded(0.7F * Seen::shut(d, i)), 1.2F);
  if (weight >= kTold && rect.w > 34 && rect.h > 13)
    add_words(d, id + ".share", rect, share_text(weight), {ink_on(fill), type::small_number, Align::centre});
}

// Rows of cells below the words, each with its query.
void add_grid(Drawing& d, Rect grid, const Matrix& light) {
  const Tensor& M = d.trace.at("M");
  const auto rows = static_cast<float>(M.rows());
  const float wide = grid.w / static_cast<float>(M.columns()), high = grid.h / rows,
              names = grid.x - (d.narrow() ? 2 : d.margin());
  const std::size_t begin = d.figure.elements.size();
  const auto corner = [&](int i, int j) {
    return Point{grid.x + wide * static_cast<float>(j), grid.y + high * static_cast<float>(i)};
  };
  for (int i = 0; i < M.rows(); ++i)
    for (int j = 0; j < M.columns(); ++j)
      add_mask_cell(d, Rect{corner(i, j).x, corner(i, j).y, wide, high}.inset(1), light, i, j);
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
  add_box(d, "M.asks", {grid.x - 2, corner(d.row, 0).y - 1, grid.w + 4, high + 2},
          {.stroke = d.colours.query, .stroke_width = 2, .radius = 5});
}

}  // namespace

float draw_mask(Drawing& d, float y, float bottom) {
  d.lit = d.alone >= 0 ? d.alone : masked_head(d.state, d.trace);
  ChipGroup heads{"head", "head", {}};
  for (int h = 0; h < d.state.heads; ++h)
    heads.chips.push_back({std::to_string(h + 1), std::to_string(h + 1), h == d.lit, {}});
  const std::vector<ChipGroup> groups{
      chips_of("mask", "mask", std::span(kMasks).subspan(1), static_cast<int>(as_masked(d.state).mask) - 1), heads};
  const Tensor& A = d.trace.at(of_head("A", d.lit));
  const auto rows = static_cast<float>(A.rows());
  bottom = d.narrow() ? y + 280 + 22 * rows : add_choices(d, groups, bottom);
  Stage stage = stage_of(d, y, bottom, rows * (d.narrow() ? 22 : std::max(24 * d.scale(), 16.F)), true);
  stage.pool = 1.1F * stage.slots.pitch;
  const Seen both = seen_of(d);
  const Matrix light = both.now(d), row = light.row(d.row);
  std::vector<float> lost(both.open.row(d.row).begin(), both.open.row(d.row).end());
  for (int j = 0; j < stage.slots.count; ++j)
    if (!is_hidden(d, d.row, j)) lost[static_cast<std::size_t>(j)] = 0;
  add_hints(d, stage, d.lit, lost, 1);
  add_stage(d, stage, A.name, std::span(row.data(), lost.size()), true);
  add_shutters(d, stage);
  const float high = std::max((bottom - stage.below) / rows, 13.F);
  add_grid(d, {stage.slots.begin, stage.below, stage.width(), high * rows}, light);
  add_name(d, {stage.slots.begin, y, 0, stage.shares - y}, "M", "mask", d.colours.ink,
           {"a row: who asks;", "yellow: its light;", "struck out: hidden"});
  return d.narrow() ? add_chips(d, groups, d.bottom() + 10, d.press_height()) : bottom;
}

}  // namespace limelight::scenes::heads
