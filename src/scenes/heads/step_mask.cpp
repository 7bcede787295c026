// The step Mask: its cells are pressed to hide and to show, and beside it is what a head's weights become.
#include <optional>

#include "figure/panels.h"
#include "scenes/common/explain.h"
#include "scenes/heads/steps.h"

namespace limelight::scenes::heads {
namespace {

// The mask's cells become buttons that hide or show.
void add_mask_buttons(Drawing& d) {
  const auto found = std::ranges::find(d.figure.elements, "M", &Element::id);
  if (found == d.figure.elements.end()) return;
  found->role = Role::none;
  // What shows of the cells below the buttons is the hatching of those that are hidden.
  if (auto* heatmap = std::get_if<Heatmap>(&found->shape)) heatmap->high = is_dark(d.view.theme) ? 8.F : 1.F;
  const Element cells = *found;
  const Tensor& M = d.trace.at("M");
  for (int i = 0; i < M.rows(); ++i)
    for (int j = 0; j < M.columns(); ++j) {
      const std::optional<Rect> rect = cell_rect(cells, i, j);
      if (!rect) continue;
      const bool seen = M.values(i, j) != 0, painted = d.state.M.cells.contains({i, j});
      const std::string key = std::to_string(i) + "." + std::to_string(j) + ":";
      const Source source{"M", i, j};
      d.figure.add(
          {.id = cell_id(source),
           .role = Role::button,
           .rect = *rect,
           .label = label_apart(M.row_labels, i) + (seen ? " sees " : " does not see ") +
                    label_apart(M.column_labels, j) + (seen ? ": hide it" : ": show it"),
           .source = source,
           // What comes back to the mask's own choice is no longer painted.
           .edit = Edit{.field = "M",
                        .value = key + (allowed_unpainted(d.state, i, j) != seen ? ""
                                        : seen                                   ? "0"
                                                                                 : "1")},
           .shape = Rectangle{.fill = seen ? mix(d.colours.surface, d.colours.lamp, 0.55F) : Colour{0, 0, 0, 0},
                              .stroke = painted ? d.colours.accent : Colour{0, 0, 0, 0},
                              .stroke_width = 2,
                              .radius = 4}});
    }
}

}  // namespace

float draw_mask(Drawing& d, float y, float bottom) {
  const std::vector<ChipGroup> groups{chips_of("mask", "mask", kMasks, static_cast<int>(d.state.mask)), which_head(d)};
  if (d.narrow())  // the matrices may be higher than the view
    y = add_chips(d, groups, y, d.press_height()) + 8;
  else
    bottom = add_choices(d, groups, bottom);
  const std::string A = of_head("A", chosen_head(d.state));
  const auto panel = [&](const std::string& name, const char* caption) {
    Panel made{.tensor = name,
               .title = name,
               .colour = d.colours.ink,
               .style = PanelStyle::weights,
               .emphasis = Emphasis::large,
               .column_labels = true,
               .tokens = true,
               .caption = caption};
    made.mask = of_head("S", chosen_head(d.state));
    return made;
  };
  Panel M = panel("M", "yellow is seen, hatched is hidden"), weights = panel(A, "what is left shares all the light");
  M.map = ColourMap::grey;
  weights.row_labels = d.narrow();
  weights.editable = !d.state.alike || chosen_head(d.state) == 0;
  weights.colour_bar = true;
  weights.normalise = d.state.normalise;
  const float note = d.narrow() ? 66 : 34;
  y = add_panels(
      d.figure, d.trace, {{M, Joint{.sign = "→", .above = "softmax"}, weights}},
      {d.margin(), y, d.inner(), std::max(bottom - y - note, 120.F)},
      {.theme = d.view.theme, .token_field = "query", .chosen_row = d.row, .narrow = d.narrow(), .sink = 0.3F});
  add_mask_buttons(d);
  const float end = add_note(d, "mask.words", "A hidden score becomes −∞ before the softmax, in every head.",
                             {d.margin(), std::max(y + 8, bottom - note)}, d.inner());
  append_hint(d.figure, std::string(d.view.touch ? " Tap" : " Press") + " a cell of M to hide or show it.");
  return end;
}

}  // namespace limelight::scenes::heads
