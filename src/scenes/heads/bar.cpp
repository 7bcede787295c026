// Numbers as cells or columns, and the bar of all heads' outputs beside each other.
#include <cmath>

#include "figure/small_cells.h"
#include "io/numbers.h"
#include "scenes/heads/parts.h"

namespace limelight::scenes::heads {

void add_numbers(Drawing& d, const Numbers& numbers) {
  constexpr float kCell = 34;  // px that a cell with its number is wide, at least
  const CellRange& range = numbers.range;
  const float width = numbers.rect.w / static_cast<float>(range.columns);
  const bool few = width >= kCell && numbers.values.empty();
  const std::string& id = range.tensor;
  const std::string key = id.starts_with("V_") ? id + "." + std::to_string(range.row) : id;
  MatrixCells cells = small_cells(range, width, numbers.tint, d.view.theme);
  if (few) cells.gap = 2, cells.text_size = std::min({15.F, 0.3F * width, 0.5F * numbers.rect.h});
  d.figure.add({.id = key,
                .role = Role::cell,
                .rect = numbers.rect,
                .label = numbers.label,
                .shape = std::move(cells),
                .opacity = few ? 1 : 0.2F * numbers.opacity});
  if (few) return;
  const auto own = d.trace.at(range.tensor).values.row(range.row);
  const float middle = numbers.rect.centre().y, half = numbers.rect.h / 2,
              gap = width > 5      ? 2.F
                    : width > 2.4F ? 1.F
                                   : 0.3F;
  for (int j = 0; j < range.columns; ++j) {
    const float value = numbers.values.empty() ? own(range.column + j) : numbers.values[static_cast<std::size_t>(j)];
    const float high = std::max(half * std::min(std::abs(value) / numbers.most, 1.F), 0.6F);
    const Rect column{numbers.rect.x + width * static_cast<float>(j) + gap / 2, value < 0 ? middle : middle - high,
                      width - gap, high};
    add_fill(d, key + ".column." + std::to_string(j), column, numbers.tint, std::min(1.5F, column.w / 3),
             numbers.opacity);
    if (width > 60 && numbers.opacity == 1)  // on the side where the column is not
      add_words(d, key + ".number." + std::to_string(j),
                {column.x, value < 0 ? numbers.rect.y + 2 : numbers.rect.bottom() - 18, column.w, 16},
                io::format_fixed(static_cast<double>(value), 2),
                {d.colours.ink, {text::Face::mono, 12 * d.letters()}, Align::centre});
  }
}

float largest_value(const Drawing& d) { return std::max(d.trace.at("V").values.cwiseAbs().maxCoeff(), 1e-6F); }

void add_output_bar(Drawing& d, const OutputBar& bar) {
  const int heads = d.state.heads, size = sizes(d.state).head;
  const float most = largest_value(d);
  for (int h = 0; h < heads; ++h) {
    const Rect segment = bar.segment(h, heads);
    const std::string id = "head." + std::to_string(h + 1) + ".box", says = habit(d.state, d.trace, h);
    const float opacity = d.looked_at(h) && d.is_on(h) ? 1 : bar.opacity;
    d.figure.add({.id = id,
                  .role = Role::button,
                  .rect = {segment.x, segment.y - bar.label, segment.w, segment.h + bar.label},
                  .label = "Look at head " + std::to_string(h + 1) + ", " + says,
                  .edit = look_at(d.state, h)});
    d.figure.add({.id = id + ".edge",
                  .rect = segment,
                  .shape = Rectangle{.fill = d.colours.surface.faded(0.6F),
                                     .stroke = d.of(h),
                                     .stroke_width = d.alone == h ? 2.4F : 1.4F,
                                     .radius = 5},
                  .opacity = opacity});
    add_numbers(d, {.range = {of_head("O", h), d.row, 0, 1, size},
                    .rect = segment.inset(3),
                    .tint = d.of(h),
                    .most = most,
                    .label = "The output of head " + std::to_string(h + 1),
                    .opacity = opacity});
    if (bar.label < 14) continue;
    const float middle = segment.y - bar.label / 2 - 1, radius = std::min(9.F, bar.label / 2 - 1);
    const bool told = segment.w > 70;
    add_disc(d, id + ".disc", {told ? segment.x + radius : segment.centre().x, middle}, h, radius);
    if (!told) continue;
    const Type type{text::Face::semibold, 11.5F * d.letters()};
    const float room = segment.w - 2 * radius - 5;
    add_words(d, id + ".name", {segment.x + 2 * radius + 5, middle - 8, room, 16},
              text::fit(type.face, type.size, says, room), {d.ink_of(h), type});
  }
}

}  // namespace limelight::scenes::heads
