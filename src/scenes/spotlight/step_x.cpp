// The second step: every word's numbers become a row of X.
#include <algorithm>

#include "figure/marks.h"
#include "scenes/spotlight/lit.h"
#include "scenes/spotlight/matrices.h"
#include "scenes/spotlight/steps.h"

namespace limelight::scenes::spotlight {
namespace {

constexpr float kAboveX = 28;  // px of its title

// What a row says in words, where its numbers have names.
void add_meanings(Drawing& d, Rect cells, float left, float width) {
  const Matrix& X = d.trace.at(kX).values;
  const float k = label_scale(d), row_h = cells.h / static_cast<float>(X.rows());
  for (int i = 0; i < static_cast<int>(X.rows()); ++i) {
    const bool asks = i == d.row;
    add_words(d, "X.said." + std::to_string(i), {left, cells.y + row_h * static_cast<float>(i), width, row_h},
              fox_words(X, i),
              {asks ? d.colours.ink : d.colours.muted,
               {asks ? text::Face::semibold : text::Face::regular, std::min(14 * k, 0.6F * row_h)}});
  }
}

float wide_x(Drawing& d) {
  constexpr float kTop = 14, kBottom = 24, kLeast = 9;
  constexpr float kCellH = 50, kFewH = 84, kWide = 1.56F;  // of a cell, where there are many rows, and few; its width
  const Tensor& X = d.trace.at(kX);
  const float k = label_scale(d), rows = static_cast<float>(X.rows()), columns = static_cast<float>(X.columns());
  const float top = kTop + kAboveX * k, meanings = d.state.named() ? 150 * k : 0;
  const float below = kBottom + feature_names_height(d, kX, (d.inner() - meanings - 170 * k) / columns);
  const float row_h =
      std::clamp((d.height() - top - below) / rows, 3.F, (rows < 6 ? kFewH : kCellH) * std::max(k, stage_scale(d)));
  const Type words{text::Face::display, std::clamp(0.72F * row_h, kLeast, (rows < 6 ? 32 : 24) * k)};
  const float gap = 14 * k;
  const float names = widest(d.queries, text::Face::display_bold, words.size, 170 * k) + gap;
  const float width = std::min(kWide * std::max(row_h, 12.F) * columns, d.inner() - names - meanings);
  const float left = (d.figure.width - width - names - meanings) / 2 + names;
  const Rect cells{left, top + std::max((d.height() - top - below - row_h * rows) / 2, 0.F), width, row_h * rows};
  add_input(d, {.cells = cells, .names = {left - names, cells.y, names - gap, cells.h}, .type = words});
  if (meanings > 0) add_meanings(d, cells, cells.right() + gap, meanings - gap);
  return cells.bottom() + feature_names_height(d, kX, cells.w / columns);
}

float narrow_x(Drawing& d) {
  constexpr float kTop = 8, kRowH = 34, kHighRow = 56, kSmallRow = 18, kMany = 24, kBeside = 10, kNames = 68;
  const auto rows = static_cast<float>(d.queries.size());
  const float room = d.height() - kTop - kAboveX - kNames;
  const float row_h = rows > kMany ? kSmallRow : std::clamp(room / rows, kRowH, kHighRow);
  const Type words{text::Face::display, std::min(0.6F * row_h, 20.F)};
  const float names = widest(d.queries, text::Face::display_bold, words.size, 100) + kBeside + kRowLamp / 2;
  const Rect cells{12 + names, kTop + kAboveX, d.figure.width - names - 24, row_h * rows};
  add_input(d, {.cells = cells, .names = {12, cells.y, names - kBeside, cells.h}, .type = words});
  return cells.bottom() + feature_names_height(d, kX, cells.w / static_cast<float>(d.trace.at(kX).columns()));
}

}  // namespace

void add_input(Drawing& d, const Input& input) {
  const Rect& cells = input.cells;
  const std::string made = d.state.trained && d.state.layer > 1 ? "what the layer before made" : "the embeddings";
  add_matrix_title(d, kX, {cells.x, cells.y - 14 * label_scale(d)},
                   std::min(cells.w + 80, d.figure.width - cells.x - 4), made);
  add_matrix_rows(d, kX, cells);
  // Over the rows, so that no word is hidden while both are on their way.
  add_row_names(d, kX, {.rect = input.names, .align = Align::right, .type = input.type, .of_sentence = true});
  add_feature_names(d, kX, cells);
}

void mark_x(Drawing& d) { add_outline(d.figure, kX, d.row, -1, d.colours.ink); }

float draw_x(Drawing& d) { return d.view.compact() ? narrow_x(d) : wide_x(d); }

}  // namespace limelight::scenes::spotlight
