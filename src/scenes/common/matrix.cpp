#include "scenes/common/matrix.h"

#include <algorithm>
#include <cmath>

#include "figure/panels.h"
#include "scenes/common/sentence.h"

namespace limelight::scenes {

using namespace figure;

float widest(std::span<const std::string> words, text::Face face, float size, float most) {
  float width = 0;
  for (const std::string& word : words) width = std::max(width, text::measure(face, size, word));
  return std::min(width + 2, most);
}

Rect cell_of(const Rect& cells, int rows, int columns, int row, int column) {
  const float w = cells.w / static_cast<float>(columns), h = cells.h / static_cast<float>(rows);
  return {cells.x + w * static_cast<float>(column), cells.y + h * static_cast<float>(row), w, h};
}

void add_matrix_title(Frame& frame, const MatrixTitle& title, Point at, float width) {
  const float k = title.letters, size = 21 * k;
  const Type shape{text::Face::mono, 11 * k};
  const float letter_w = set_formula(title.name, size).width,
              shape_w = text::measure(shape.face, shape.size, title.shape);
  add_formula(frame, title.id + ".title", {at.x, at.y - 11 * k, letter_w + 1, 22 * k}, title.name, size, title.ink)
      .label = title.label;
  float x = at.x + letter_w + 9 * k;
  if (width == 0) return;
  add_words(frame, title.id + ".shape", {x, at.y - 8 * k, shape_w + 1, 18 * k}, title.shape,
            {frame.colours.faint, shape});
  x += shape_w + 10 * k;
  if (!title.said.empty() && x < at.x + width)
    add_words(frame, title.id + ".said", {x, at.y - 8 * k, at.x + width - x, 18 * k}, title.said,
              {frame.colours.muted, {text::Face::regular, 12.5F * k}});
}

float number_size(const Matrix& numbers, int decimals, float cell_w, float cell_h, float most) {
  const float around = numbers.cols() > 1 ? 6 : 4;  // px: 2 on both sides of a number, and the gap between two cells
  const float largest = numbers.size() == 0 ? 0 : numbers.cwiseAbs().maxCoeff();
  const bool signs = numbers.size() > 0 && numbers.minCoeff() < 0;
  const float letters =
      (largest >= 10 ? 2.F : 1.F) + (signs ? 1.F : 0.F) + (decimals > 0 ? static_cast<float>(decimals) + 1 : 0.F);
  const float width = text::measure(text::Face::mono, 1, "0") * letters;
  return std::min({most, 0.72F * cell_h, (cell_w - around) / width});
}

Element matrix_element(const Frame& frame, const MatrixLook& look, Rect cells) {
  const Tensor& tensor = frame.trace.at(look.tensor);
  const int rows = tensor.rows(), columns = tensor.columns();
  const float row_h = cells.h / static_cast<float>(std::max(look.turned ? columns : rows, 1));
  const float cell_w = cells.w / static_cast<float>(std::max(look.turned ? rows : columns, 1));
  int decimals = decimals_for(tensor.values, look.most_decimals);
  const auto size = [&] { return number_size(tensor.values, decimals, cell_w, row_h, look.digits); };
  while (decimals > look.least && size() < kLeastDigits) --decimals;
  Element element{
      .id = look.tensor,
      .role = Role::cell,
      .rect = cells,
      .label = look.name + (look.turned ? "ᵀ " : " ") + std::to_string(rows) + "×" + std::to_string(columns),
      .shape = MatrixCells{.range = {look.tensor, 0, 0, rows, columns},
                           .gap = row_h >= 12  ? 2.F
                                  : row_h >= 5 ? 1.F
                                               : 0.F,
                           .radius = std::min({3.F, 0.2F * row_h, 0.2F * cell_w}),
                           .text_size = size() < kLeastDigits ? 0 : size(),
                           .decimals = decimals,
                           .tint = look.tint,
                           .theme = frame.view.theme,
                           .transposed = look.turned,
                           .sparse = true}};
  if (look.editable) element.edit = Edit{look.tensor, {}};
  return element;
}

void add_matrix_rows(Frame& frame, const MatrixLook& look, Rect cells) {
  const Element whole = matrix_element(frame, look, cells);
  const int rows = frame.trace.at(look.tensor).rows();
  // As high as in a matrix that is one element, with the same gaps between them.
  const float pitch = cells.h / static_cast<float>(rows);
  const float gap = std::min(std::get<MatrixCells>(whole.shape).gap, pitch / 4);
  const float row_h = (cells.h - gap * static_cast<float>(rows - 1)) / static_cast<float>(rows);
  for (int row = 0; row < rows; ++row) {
    Element& element = frame.figure.add(whole);
    element.id += "." + std::to_string(row);
    element.rect = {cells.x, cells.y + (row_h + gap) * static_cast<float>(row), cells.w, row_h};
    CellRange& range = std::get<MatrixCells>(element.shape).range;
    range.row = row;
    range.rows = 1;
  }
}

void add_arriving(Frame& frame, const MatrixLook& look, const MatrixLook& flies, Rect cells, const Arriving& now) {
  const auto rows = static_cast<float>(frame.trace.at(look.tensor).rows());
  const float come = now.others < 1 ? std::floor(now.others * rows) : rows;
  if (come > 0) frame.figure.add(matrix_element(frame, look, cells));
  if (now.others >= 1) return;
  if (come > 0)
    frame.figure.elements.back().clip = Rect{cells.x - 2, cells.y - 2, cells.w + 4, cells.h * come / rows + 2};
  if (!now.at || static_cast<float>(now.first.row) < come) return;
  // Nothing is seen through it, and it has one edge.
  frame.figure.add({.id = look.tensor + ".flying.ground",
                    .rect = now.at->inset(-2),
                    .shape = Rectangle{.fill = frame.colours.surface, .stroke = frame.colours.muted, .radius = 4}});
  Element flying = matrix_element(frame, flies, cells);
  flying.id = look.tensor + ".flying";
  flying.role = Role::none;
  flying.edit.reset();
  flying.rect = *now.at;
  std::get<MatrixCells>(flying.shape).range = now.first;
  frame.figure.add(std::move(flying));
}

void add_empty_cells(Frame& frame, std::string_view tensor, Rect rect) {
  constexpr int kMost = 16;  // of a side: more are one frame
  const Tensor& values = frame.trace.at(tensor);
  const bool cells = std::max(values.rows(), values.columns()) <= kMost;
  const int rows = cells ? values.rows() : 1, columns = cells ? values.columns() : 1;
  for (int i = 0; i < rows * columns; ++i)
    frame.figure.add(
        {.id = std::string(tensor) + ".empty." + std::to_string(i),
         .rect = cell_of(rect, rows, columns, i / columns, i % columns).inset(1),
         .shape = Rectangle{.fill = frame.colours.surface.faded(0.3F), .stroke = frame.colours.track, .radius = 3}});
}

void add_row_names(Frame& frame, const RowNames& names) {
  constexpr float kLeast = 12;  // px of the name of the row that asks and of the one looked at, between fainter ones
  constexpr float kDense = 16;  // px of rows whose names would push those beside them out
  const float row_h = names.rect.h / static_cast<float>(names.count),
              large = row_h < kDense ? names.type.size : std::max(names.type.size, kLeast);
  const auto rows_of = [row_h](float size) { return std::max(static_cast<int>(std::ceil((size + 1) / row_h)), 1); };
  const int every = rows_of(names.type.size), room = rows_of((names.type.size + large) / 2);
  const auto clear_of = [](int row, int other, int rows) { return other < 0 || std::abs(row - other) >= rows; };
  const text::Face bold = names.type.face == text::Face::display ? text::Face::display_bold : text::Face::semibold;
  for (int i = names.first; i < names.first + names.count; ++i) {
    const bool asks = i == names.asks,
               chosen = asks || (i == names.looked_at && clear_of(i, names.asks, rows_of(large)));
    const bool apart = clear_of(i, names.asks, room) && clear_of(i, names.looked_at, room);
    const bool named = chosen || ((i - names.first) % every == 0 && apart);
    const text::Face face = chosen ? bold : names.type.face;
    const float size = chosen ? large : names.type.size;
    const std::string& word = names.words[static_cast<std::size_t>(i)];
    const Rect rect{names.rect.x, names.rect.y + row_h * static_cast<float>(i - names.first), names.rect.w, row_h};
    const Text letters{.text = named ? text::fit(face, size, word, names.rect.w) : "",
                       .face = face,
                       .size = size,
                       .colour = asks     ? frame.colours.query
                                 : chosen ? frame.colours.ink
                                          : frame.colours.muted,
                       .align = names.align};
    Element element{.id = names.id + std::to_string(i), .rect = rect, .label = word};
    if (!names.field.empty()) {
      element.role = Role::token;
      element.edit = Edit{std::string(names.field), std::to_string(i)};
    }
    if (!names.of_sentence) element.shape = letters;
    frame.figure.add(std::move(element));
    if (!names.of_sentence) continue;
    const float width = text::measure(face, size, letters.text);  // as they come from the sentence
    frame.figure.add(
        {.id = word_id(i) + ".text", .rect = {rect.right() - width, rect.y, width, rect.h}, .shape = letters});
  }
}

namespace {

// px of a column's name: where it stands upright; the least side by side.
constexpr float kUprightName = 10.5F, kLevelLeast = 10;

float level_size(float column_w, float letters) { return std::min(11.5F * letters, 0.205F * column_w); }

}  // namespace

float names_below_height(std::span<const std::string> names, float column_w, float letters) {
  if (names.empty()) return 0;
  if (level_size(column_w, letters) >= kLevelLeast) return 16 * letters;
  return widest(names, text::Face::regular, kUprightName * letters, 90 * letters) + 6;
}

void add_names_below(Frame& frame, const std::string& id, std::span<const std::string> names, Rect cells,
                     float letters) {
  const float width = cells.w / static_cast<float>(std::max<std::size_t>(names.size(), 1));
  const float size = level_size(width, letters), height = names_below_height(names, width, letters);
  const bool level = size >= kLevelLeast;
  for (std::size_t j = 0; j < names.size(); ++j)
    frame.figure.add(
        {.id = id + std::to_string(j) + (level ? "" : ".upright"),
         .rect = {cells.x + width * static_cast<float>(j), cells.bottom() + (level ? 1 : 4), width, height - 5},
         .shape = Text{.text = names[j],
                       .size = level ? size : kUprightName * letters,
                       .colour = frame.colours.muted,
                       .align = level ? Align::centre : Align::right,
                       .vertical = !level}});
}

void add_names_beside(Frame& frame, const std::string& id, Point end, const std::string& name, const std::string& note,
                      float letters) {
  const float room = end.x - 2;
  const auto say = [&](const char* part, float y, const std::string& words, Colour colour, Type type) {
    type.size *= std::min(room / text::measure(type.face, type.size, words), 1.F);
    add_words(frame, id + part, {2, y, room, 16 * letters}, words, {colour, type, Align::right});
  };
  say(".name", end.y, name, frame.colours.ink, {text::Face::semibold, 12.5F * letters});
  if (!note.empty())
    say(".note", end.y + 15 * letters, note, frame.colours.muted, {text::Face::regular, 11.5F * letters});
}

}  // namespace limelight::scenes
