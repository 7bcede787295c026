// Scale's step about an article's class: what it computes, beside what its tokens as rows give.
#include <algorithm>
#include <string>

#include "figure/panels.h"
#include "io/numbers.h"
#include "scenes/scale/parts.h"

namespace limelight::scenes::scale {
namespace {

using namespace figure;

struct Column {
  int row;  // of the tensor "class"
  const char* title;
  const char* input;  // tensor, as it is laid out here
  const char* input_words;
  const char* scores_words;
  const char* weights;
  const char* weights_words;
  const char* output;
  const char* output_words;
  int output_decimals;
};
constexpr Column kColumns[] = {
    {0, "As the class is written", "M", "M 512×6: features as rows", "softmax of M Mᵀ ÷ √512 ÷ 512²", "class_weights",
     "the first 48 of 512 rows and columns", "class_output", "output 512×6: weights · M × 512²", 0},
    {1, "Its tokens as rows", "tokens", "X = Mᵀ 6×512: tokens as rows", "softmax of X Xᵀ ÷ √512", "token_weights",
     "all 6 rows and columns", "token_output", "output 6×512: weights · X", 2},
};

constexpr float kBesideWeights = 62;  // room of a colour bar

// The weights, and to their right what can be said of them. Returns the bottom.
float add_weights_of(Drawing& d, const Column& column, Point at, float width, float size) {
  const std::string id = column.weights;
  const bool numbers = column.row == 1;
  const Tensor& weights = d.trace.at(column.weights);
  d.figure.add(
      {.id = id,
       .role = Role::cell,
       .rect = {at.x, at.y, size, size},
       .label = std::string(numbers ? "weights 6×6" : "weights 512×512, ") + (numbers ? "" : column.weights_words),
       .shape = Heatmap{.range = {id, 0, 0, weights.rows(), weights.columns()},
                        .gap = numbers ? 1.F : 0.F,
                        .text_size = 0,
                        .theme = d.view.theme}});
  d.figure.add({.id = id + ".bar",
                .rect = {at.x + size + 10, at.y, kColourBarSize, size},
                .shape = ColourBar{.ink = d.colours.muted, .theme = d.view.theme}});
  const float x = at.x + size + kBesideWeights;
  const auto number = [&](int what) { return static_cast<double>(d.value("class", column.row, what)); };
  const std::string rows = io::format_short(number(ClassColumn::compared));
  const auto weight = [&](int what) { return io::format_fixed(number(what), numbers ? 3 : 6); };
  struct Line {
    int what;
    std::string words;
  };
  const Line lines[] = {
      {ClassColumn::compared, rows + " rows"},
      {ClassColumn::smallest, "min  " + weight(ClassColumn::smallest)},
      {ClassColumn::largest, "max  " + weight(ClassColumn::largest)},
      {ClassColumn::equal, "1/" + rows + std::string(numbers ? "  " : "") + " " + weight(ClassColumn::equal)},
      {ClassColumn::effective, "eff. keys " + io::format_short(number(ClassColumn::effective))}};
  float y = at.y + std::max(0.F, size / 2 - 56);
  for (const Line& line : lines) {
    add_number(d, {"class", column.row, line.what}, {x, y},
               text::fit(text::Face::mono, 12, line.words, width - (x - at.x)),
               line.what == ClassColumn::compared ? d.colours.ink : d.colours.muted);
    y += 22;
  }
  return at.y + size;
}

float add_column(Drawing& d, const Column& column, Point at, float width) {
  const std::string id = "class" + std::to_string(column.row);
  const bool low = d.view.height < 520 && !d.narrow();
  const int rows = low ? 2 : d.narrow() || d.view.height < 580 ? 4 : kClassTokens;
  const float cell_w = std::min(48.F, (width - kRowLabel) / kClassTokens);
  const auto say = [&](const char* part, float y, const char* words, float size = 12) {
    add_words(
        d, id + part, {at.x, y}, width, words,
        {size > 12 ? d.colours.ink : d.colours.muted, {size > 12 ? text::Face::semibold : text::Face::regular, size}});
  };
  float y = at.y;
  say(".title", y, column.title, 14);
  y += kTitleHeight;
  say(".input", y, column.input_words);
  y += 20;
  y = add_window(d,
                 {.range = {column.input, 0, 0, rows, kClassTokens},
                  .tint = d.colours.input_fill,
                  .cell_w = cell_w,
                  .cell_h = 24,
                  .column_labels = true},
                 {at.x, y}) +
      (low ? 8.F : 16.F);
  say(".scores", y, column.scores_words);
  y += 22;
  // The colour bar and the numbers stand beside it.
  const float size = std::min(low ? 116 : std::clamp(d.view.height - 420, 130.F, 170.F), width - kBesideWeights - 108);
  y = add_weights_of(d, column, {at.x, y}, width, size) + 4;
  say(".corner", y, column.weights_words);
  y += low ? 22.F : 30.F;
  say(".output", y, column.output_words);
  y += 20;
  // Fewer columns where their longer numbers have no room.
  constexpr float widest = 47;
  const int columns = cell_w < widest ? kClassTokens - 1 : kClassTokens;
  return add_window(
      d,
      {.range = {column.output, 0, 0, low ? 1 : 3, columns},
       .tint = d.colours.output_fill,
       .cell_w = (width - kRowLabel) / static_cast<float>(columns) < widest ? cell_w : std::max(cell_w, widest),
       .cell_h = 24,
       .decimals = column.output_decimals},
      {at.x, y});
}

}  // namespace

float add_class(Drawing& d, float y) {
  if (d.narrow()) {
    y = add_column(d, kColumns[0], {d.margin(), y}, d.inner()) + 32;
    return add_column(d, kColumns[1], {d.margin(), y}, d.inner());
  }
  const float gap = 32, width = std::min((d.inner() - gap) / 2, 380.F);
  const float left = d.margin() + (d.inner() - 2 * width - gap) / 2;
  return std::max(add_column(d, kColumns[0], {left, y}, width),
                  add_column(d, kColumns[1], {left + width + gap, y}, width));
}

}  // namespace limelight::scenes::scale
