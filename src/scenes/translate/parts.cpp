#include "scenes/translate/parts.h"

#include <algorithm>
#include <cmath>

#include "figure/order.h"
#include "figure/small_cells.h"
#include "scenes/common/explain.h"

namespace limelight::scenes::translate {

void add_bar(Drawing& d, const Bar& bar) {
  const Tensor& tensor = d.trace.at(bar.tensor);
  const int columns = std::min(tensor.columns() - bar.first, bar.count);
  const bool few = columns <= kFew;
  const float along = bar.flat ? bar.rect.w : bar.rect.h;
  const CellRange range{bar.tensor, bar.row, bar.first, 1, columns};
  Element element{.id = bar.tensor + "." + std::to_string(bar.row) + (bar.first > 0 ? ".rest" : ""),
                  .role = Role::cell,
                  .rect = bar.rect,
                  .label = bar.label};
  d.figure.add({.id = element.id + ".glass",
                .rect = bar.rect.inset(-2),
                .shape = Rectangle{.fill = d.colours.surface.faded(0.5F), .stroke = d.colours.track, .radius = 4}});
  if (few) {
    if (bar.editable) element.edit = Edit{bar.tensor, {}};
    const float cell = along / static_cast<float>(columns);
    element.shape = MatrixCells{
        .range = range,
        .gap = 2,
        .radius = 3,
        .text_size = std::min({14.F, 0.62F * (bar.flat ? bar.rect.h : cell), 0.24F * (bar.flat ? cell : bar.rect.w)}),
        .decimals = 2,
        .tint = fill_of(d.colours, bar.colour),
        .theme = d.view.theme,
        .transposed = !bar.flat};
  } else {
    MatrixCells cells =
        small_cells(range, along / static_cast<float>(columns), fill_of(d.colours, bar.colour), d.view.theme);
    cells.transposed = !bar.flat;
    element.shape = std::move(cells);
  }
  d.figure.add(std::move(element));
}

std::string shown_of(const Tensor& tensor) {
  const std::string all = std::to_string(tensor.columns());
  return tensor.columns() <= kShown ? all + (tensor.columns() == 1 ? " number" : " numbers")
                                    : std::to_string(kShown) + " of " + all + " numbers";
}

Rect add_line_of_words(Drawing& d, const WordLine& line) {
  constexpr float kGap = 0.62F, kPad = 8;  // of the size; px around the chosen one
  const int count = static_cast<int>(line.words.size());
  const auto face = [&](int i) { return i == line.chosen ? text::Face::display_bold : text::Face::display; };
  const auto width = [&](int i, float size) {
    return std::max(text::measure(face(i), size, line.words[static_cast<std::size_t>(i)]), size * 0.5F);
  };
  const auto all = [&](int from, int to, float size) {
    float sum = 2 * kPad;  // around the chosen one
    for (int i = from; i < to; ++i) sum += width(i, size) + (i > from ? kGap * size : 0);
    return sum;
  };
  float size = line.size;
  const float least = std::min(13.F, line.size);
  while (size > least && all(0, count, size) > line.rect.w) size -= 0.5F;
  int from = 0, to = count;
  constexpr float kEnd = 16;  // px for what leads on
  while (all(from, to, size) > line.rect.w - (to - from < count ? 2 * kEnd : 0) && to - from > 1)
    (line.chosen - from > to - 1 - line.chosen ? ++from : --to);
  const float total = all(from, to, size);
  float x = line.rect.centre().x - total / 2;
  Rect chosen{};
  const auto add = [&](const std::string& id, int leads_to, Rect rect, const std::string& word, TextStyle style) {
    d.figure.add(
        {.id = id,
         .role = Role::token,
         .rect = {rect.x - kGap * size / 2, line.rect.y, rect.w + kGap * size, line.rect.h},
         .label = "Output word " + std::to_string(leads_to + 1) + ": " + line.words[static_cast<std::size_t>(leads_to)],
         .edit = Edit{"word", std::to_string(leads_to)}});
    add_words(d.figure, id + ".text", rect, word, style);
  };
  const Type small{text::Face::display, size};
  if (from > 0)
    add("target.before", from - 1, {x - kEnd - 4, line.rect.y, kEnd, line.rect.h}, "…", {d.colours.muted, small});
  for (int i = from; i < to; ++i) {
    const float wide = width(i, size);
    if (i == line.chosen) x += kPad;
    const Rect rect{x, line.rect.y, wide + 1, line.rect.h};
    const std::string& word = line.words[static_cast<std::size_t>(i)];
    const std::string id = "target.word." + std::to_string(i);
    if (i == line.chosen) {
      chosen = {x - kPad, line.rect.y, wide + 2 * kPad, line.rect.h};
      d.figure.add(
          {.id = "target.box",
           .rect = chosen,
           .shape = Rectangle{.fill = d.colours.surface, .stroke = d.colours.ink, .stroke_width = 2, .radius = 7}});
    }
    add(id, i, rect, i == line.chosen && !line.is_written ? "" : word,
        {i > line.chosen ? d.colours.faint : d.colours.ink, {face(i), size}, Align::centre});
    x += wide + kGap * size + (i == line.chosen ? kPad : 0);
  }
  if (to < count) add("target.after", to, {x + 2, line.rect.y, kEnd, line.rect.h}, "…", {d.colours.muted, small});
  return chosen;
}

float add_steps_through(Drawing& d, float y) {
  return add_stepper(d, {"word", "output word", written(d.trace), d.row}, {d.margin(), y}, d.inner());
}

float add_translation_input(Drawing& d, float y) {
  return add_text_input(
      d,
      {.field = "translation",
       .name = d.view.compact() ? "it reads" : "the decoder reads",
       .label = "Your own translation",
       .text = d.state.translation,
       .hint = d.view.compact() ? "what it wrote; type your own" : "what it wrote; type a translation of your own",
       .ink = d.colours.ink},
      {d.margin(), y, d.inner(), d.view.compact() ? 44.F : 30.F});
}

void add_row_name(Drawing& d, const std::string& id, Point at, const std::string& name, Colour colour,
                  const std::string& note) {
  const float size = 12.5F * d.label_scale();
  add_words(d.figure, id, {at.x, at.y - size, 200, 2 * size - 8}, name, {colour, {text::Face::semibold, size}});
  if (!note.empty())
    add_words(d.figure, id + ".note", {at.x, at.y + size - 6, 200, 15 * d.label_scale()}, note,
              {d.colours.muted, {text::Face::regular, 11 * d.label_scale()}});
}

std::vector<int> largest_of(const Matrix& values, int row) {
  const auto of = values.row(row);
  return largest_first(std::vector<float>(of.begin(), of.end()));
}

}  // namespace limelight::scenes::translate
