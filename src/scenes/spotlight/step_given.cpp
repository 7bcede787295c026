// An example without embeddings begins with its queries, keys and values.
#include <algorithm>
#include <array>

#include "figure/marks.h"
#include "scenes/spotlight/lit.h"
#include "scenes/spotlight/matrices.h"
#include "scenes/spotlight/steps.h"

namespace limelight::scenes::spotlight {
namespace {

struct GivenMatrix {
  std::string_view tensor, said;
  float names = 0;  // px of its rows' words
};

void add_given(Drawing& d, const GivenMatrix& given, Rect cells, Type type, float gap) {
  add_matrix_title(d, given.tensor, {cells.x, cells.y - 16 * label_scale(d)},
                   std::min(cells.w + 80, d.figure.width - cells.x - 4), std::string(given.said));
  add_row_names(
      d, given.tensor,
      {.rect = {cells.x - given.names - gap, cells.y, given.names, cells.h}, .align = Align::right, .type = type});
  add_matrix(d, given.tensor, cells);
}

}  // namespace

float draw_given(Drawing& d) {
  constexpr float kCellW = 104, kCellH = 72, kTop = 46, kBottom = 24, kWordGap = 12, kApart = 44;
  const bool compact = d.view.compact();
  const float k = label_scale(d), gap = kWordGap * k, apart = kApart * k;
  std::array<GivenMatrix, 3> all{
      {{kQ, "what each looks for"}, {kK, "what each is found by"}, {kV, "what each passes on"}}};
  float columns = 0, rows = 0, names = 0;
  const Type words{text::Face::regular, 15 * k};
  for (GivenMatrix& one : all) {
    one.names = widest(one.tensor == kQ ? d.queries : d.keys, text::Face::semibold, words.size, 110 * k) + 2;
    const Tensor& values = d.trace.at(one.tensor);
    columns = compact ? std::max(columns, static_cast<float>(values.columns()))
                      : columns + static_cast<float>(values.columns());
    rows = compact ? rows + static_cast<float>(values.rows()) : std::max(rows, static_cast<float>(values.rows()));
    names = compact ? std::max(names, one.names) : names + one.names;
  }
  const float beside = compact ? names + gap : names + 3 * gap + 2 * apart;
  const float cell_w = std::min(kCellW * k, (d.inner() - beside) / columns);
  const float titles = compact ? 3 * kTop * k : kTop * k;
  const float cell_h = std::clamp((d.height() - titles - kBottom) / rows, 20.F, kCellH * k);
  float x = d.margin() + (d.inner() - beside - cell_w * columns) / 2;
  float y = kTop * k + (compact ? 0 : std::max((d.height() - kTop * k - kBottom - cell_h * rows) / 2, 0.F));
  float bottom = y;
  for (GivenMatrix& one : all) {
    const Tensor& values = d.trace.at(one.tensor);
    const float width = cell_w * static_cast<float>(values.columns()),
                high = cell_h * static_cast<float>(values.rows());
    x += compact ? 0 : one.names + gap;
    add_given(d, one, {compact ? x + names + gap : x, y, width, high}, words, gap);
    bottom = y + high;
    if (compact)
      y += high + kTop * k;
    else
      x += width + apart;
  }
  return bottom + 4;
}

}  // namespace limelight::scenes::spotlight
