// The step Split: queries, keys and values as matrices, and the columns of them that one head has.
#include "figure/grid.h"
#include "figure/panels.h"
#include "scenes/heads/steps.h"

namespace limelight::scenes::heads {
namespace {

Panel panel(const Drawing& d, const std::string& name, Colour colour, std::string caption = {}) {
  Panel made{.tensor = name, .title = name, .colour = colour, .caption = std::move(caption)};
  made.editable = name == "X" || name == "Z" || name.starts_with("W_");
  made.stretched = d.state.trained;
  made.row_labels = !name.starts_with("W_");
  made.tokens = name == "X" || name.starts_with("Q");
  if (d.view.zoom.tensor == name && d.view.zoom.rows > 0)
    made.window = CellRange{name, d.view.zoom.row, d.view.zoom.column, d.view.zoom.rows, d.view.zoom.columns};
  return made;
}

// What stands above the columns of a matrix that holds all heads: a button for each, in its colour; around the columns
// of the one that is looked at a line.
void add_bands(Drawing& d, const std::string& name) {
  const Element* found = d.figure.find(name);
  if (found == nullptr) return;
  const Element cells = *found;
  std::erase_if(d.figure.elements, [&](const Element& e) { return e.id.starts_with(name + ".column."); });
  const auto* matrix = std::get_if<MatrixCells>(&cells.shape);
  const auto* map = std::get_if<Heatmap>(&cells.shape);
  const CellRange range = matrix != nullptr ? matrix->range : map->range;
  const int size = sizes(d.state).head;
  for (int h = 0; h < d.state.heads; ++h) {
    const int first = std::max(h * size, range.column),
              last = std::min((h + 1) * size, range.column + range.columns) - 1;
    if (first > last) continue;
    const std::optional<Rect> from = cell_rect(cells, range.row, first), to = cell_rect(cells, range.row, last);
    if (!from || !to) continue;
    const Rect band{from->x + 1, cells.rect.y - 18, to->right() - from->x - 2, 14};
    const std::string id = "band." + name + "." + std::to_string(h);
    d.figure.add({.id = id,
                  .role = Role::button,
                  .rect = band,
                  .label = "Look at head " + std::to_string(h + 1) + " of " + name,
                  .edit = Edit{.field = "head", .value = std::to_string(h + 1)},
                  .shape = Rectangle{.fill = d.of(h), .radius = 4}});
    if (band.w >= 9)
      add_words(d, id + ".text", band, std::to_string(h + 1),
                {ink_on(d.of(h)), {text::Face::semibold, 11}, Align::centre});
    if (h == chosen_head(d.state))
      d.figure.add({.id = id + ".block",
                    .rect = Rect{from->x, cells.rect.y, to->right() - from->x, cells.rect.h}.inset(-2),
                    .shape = Rectangle{.stroke = d.of(h), .stroke_width = 2.4F, .radius = 5}});
  }
}

}  // namespace

float draw_split(Drawing& d, float y, float bottom) {
  if (!d.state.trained) {
    ChipGroup counts{"heads", "heads", {}};
    for (int heads = 1; heads <= kMostHeads; ++heads)
      if (d.state.d_model % heads == 0)
        counts.chips.push_back({std::to_string(heads), std::to_string(heads), heads == d.state.heads, {}});
    const std::vector<ChipGroup> groups{
        counts, chips_of("attention", "attention", kKinds, static_cast<int>(d.state.attention))};
    if (d.narrow())  // the matrices may be higher than the view
      y = add_chips(d, groups, y, d.press_height()) + 8;
    else
      bottom = add_choices(d, groups, bottom);
    if (d.state.crossed()) (d.narrow() ? y : bottom) = add_other(d, d.narrow() ? y : bottom);
  }
  const auto role = [&](std::string_view letter) {
    return letter == "Q" ? d.colours.query : letter == "K" ? d.colours.key : d.colours.value;
  };
  PanelRow inputs{panel(d, "X", d.colours.input, d.state.trained ? "a 1 is behind each" : "words × d")}, learned, whole,
      cut;
  if (d.state.crossed()) inputs.emplace_back(panel(d, "Z", d.colours.input, "second sentence"));
  for (const std::string_view letter : {"Q", "K", "V"}) {
    const std::string name(letter);
    learned.emplace_back(panel(d, "W_" + name, role(letter)));
    Panel all = panel(d, name, role(letter)), one = panel(d, of_head(letter, chosen_head(d.state)), role(letter));
    all.column_labels = true;
    all.row_labels = one.row_labels = letter == "Q" || d.narrow() || (letter == "K" && d.state.crossed());
    whole.emplace_back(std::move(all));
    cut.emplace_back(std::move(one));
  }
  std::vector<PanelRow> rows{inputs, learned, whole, cut};
  if (d.low()) rows = {whole, cut};
  const bool beside = !d.state.trained && !d.narrow() && !d.low();  // the inputs have room for their matrices
  if (beside) {
    rows[0].emplace_back(Joint{.sign = "×"});
    rows[0].insert(rows[0].end(), learned.begin(), learned.end());
    rows.erase(rows.begin() + 1);
  }
  y = add_panels(
      d.figure, d.trace, rows, {d.margin(), y, d.inner(), std::max(bottom - y, 120.F)},
      {.theme = d.view.theme, .token_field = "query", .chosen_row = d.row, .narrow = d.narrow(), .sink = 0.35F});
  for (const char* name : {"Q", "K", "V"}) add_bands(d, name);
  return std::max(y, bottom);
}

}  // namespace limelight::scenes::heads
