// The third step: X, and the three matrices that make a query, a key and a value of each of its rows.
#include <algorithm>
#include <array>

#include "figure/marks.h"
#include "io/numbers.h"
#include "scenes/common/explain.h"
#include "scenes/spotlight/lit.h"
#include "scenes/spotlight/matrices.h"
#include "scenes/spotlight/steps.h"

namespace limelight::scenes::spotlight {
namespace {

struct Plate {
  std::string_view tensor;
  std::string_view said;  // on a phone; elsewhere after the beginning
  std::string_view beginning;
};
constexpr std::array<Plate, 3> kPlates = {
    {{kW_q, "looks for", "what a word "}, {kW_k, "is found by", "what it "}, {kW_v, "passes on", "what it "}}};
constexpr float kPlateFrame = 12, kPlateTitle = 30, kPlateSaid = 24;  // px around cells, of a title, of what is below
constexpr float kLine = 17, kPhoneLine = 14;                          // px of a line that says how a row is read
constexpr float kAnywhere = 1e6;                                      // px, more than there is room for: no bound

// How the rows that the word's numbers choose are read, where they have names: "action → doer 8, direction 7".
std::vector<std::string> read_of(const Drawing& d, const Plate& plate) {
  std::vector<std::string> lines;
  if (!d.state.named()) return lines;
  const Tensor& W = d.trace.at(plate.tensor);
  const Matrix& X = d.trace.at(kX).values;
  for (int i = 0; i < W.rows(); ++i) {
    if (X(d.row, i) == 0) continue;
    const std::string row = d.view.compact() ? "" : label_of(W.row_labels, i) + " → ";
    std::string line;
    for (int j = 0; j < W.columns(); ++j)
      if (W.values(i, j) != 0)
        line += (line.empty() ? row : ", ") + label_of(W.column_labels, j) + " " + io::format_short(W.values(i, j));
    if (!line.empty()) lines.push_back(std::move(line));
  }
  constexpr std::size_t kMost = 2;
  if (lines.size() > kMost) lines.resize(kMost);
  return lines;
}

// How they are read, below each other; on a phone without the row's name, within the frame.
void add_read(Drawing& d, const Plate& plate, Rect line) {
  const bool compact = d.view.compact();
  const Type type{text::Face::regular, compact ? 10.5F : 12 * label_scale(d)};
  for (const std::string& read : read_of(d, plate))
    for (const std::string& said : text::wrap(type.face, type.size, read, compact ? line.w : kAnywhere)) {
      add_words(d, std::string(plate.tensor) + ".read." + said, line, said, {d.colours.muted, type, Align::centre});
      line.y += line.h;
    }
}

float frame_of(const Drawing& d) { return d.view.compact() ? kPlateFrame / 2 : kPlateFrame; }

// A plate of glass with the matrix in it, its name above and what it does below.
void add_plate(Drawing& d, const Plate& plate, Rect cells) {
  const MatrixRole& role = role_of(plate.tensor);
  const std::string id(plate.tensor);
  const float k = label_scale(d),
              names = feature_names_height(d, plate.tensor,
                                           cells.w / static_cast<float>(d.trace.at(plate.tensor).columns()));
  const float frame = frame_of(d);
  const Rect glass{cells.x - frame, cells.y - frame, cells.w + 2 * frame, cells.h + 2 * frame + names};
  d.figure.add({.id = id + ".glass", .rect = glass, .shape = Rectangle{.fill = d.colours.surface, .radius = 14}});
  d.figure.add({.id = id + ".ring",
                .rect = glass,
                .shape = Rectangle{.stroke = d.colours.*role.fill, .stroke_width = 3, .radius = 14}});
  add_matrix(d, plate.tensor, cells);
  add_feature_names(d, plate.tensor, cells);
  add_matrix_title(d, plate.tensor, {glass.x + 2, glass.y - 16 * k}, glass.w, "");
  const std::string beginning(d.view.compact() ? "" : plate.beginning);
  add_words(d, id + ".said", {glass.x, glass.bottom() + 6, glass.w, 18 * k}, beginning + std::string(plate.said),
            {d.colours.*role.ink, {text::Face::semibold, 13 * k}, Align::centre});
  const float beyond = d.view.compact() ? 0 : 12, line = d.view.compact() ? kPhoneLine : kLine * k;
  add_read(d, plate, {glass.x - beyond, glass.bottom() + 26 * k, glass.w + 2 * beyond, line});
}

// As large as a matrix may be: its cells square, but where that would leave a thread.
Point size_of(const Tensor& W, float width, float height, float most) {
  const auto columns = static_cast<float>(W.columns()), rows = static_cast<float>(W.rows());
  const float cell = std::min({width / columns, height / rows, most});
  return {std::max(cell * columns, std::min(width, 0.5F * height)), cell * rows};
}

// The rows' names, which are what X's columns are.
void add_feature_rows(Drawing& d, std::string_view tensor, Rect cells, float width) {
  const std::vector<std::string>& names = d.trace.at(tensor).row_labels;
  const float row_h = cells.h / static_cast<float>(std::max<std::size_t>(names.size(), 1));
  for (std::size_t i = 0; d.state.named() && i < names.size(); ++i) {
    const bool has = d.trace.at(kX).values(d.row, static_cast<Eigen::Index>(i)) != 0;
    add_words(d, std::string(tensor) + ".row." + std::to_string(i),
              {cells.x - frame_of(d) - 8 - width, cells.y + row_h * static_cast<float>(i), width, row_h}, names[i],
              {has ? d.colours.input : d.colours.muted,
               {has ? text::Face::semibold : text::Face::regular, 12 * label_scale(d)},
               Align::right});
  }
}

// Where X stands in the next step, but with higher rows where there is room.
Input larger(const Drawing& d, Input input) {
  constexpr float kRowH = 34, kAround = 130, kLargest = 17;
  const float k = label_scale(d), rows = static_cast<float>(d.queries.size()), middle = input.cells.centre().y;
  const float row_h =
      std::clamp((d.height() - kAround * k) / rows, input.cells.h / rows, std::max(kRowH * k, input.cells.h / rows));
  input.cells.h = row_h * rows;
  input.cells.y = std::max(middle - input.cells.h / 2, 44 * k);
  const float room = input.cells.x - (12 + kRowLamp) * k - 4,
              widest_name = widest(d.queries, text::Face::display_bold, 100, kAnywhere) / 100;
  input.type.size = std::max(input.type.size, std::min({0.62F * row_h, kLargest * k, room / widest_name}));
  input.names.w = room;
  input.names = {input.cells.x - 12 * k - input.names.w, input.cells.y, input.names.w, input.cells.h};
  return input;
}

float wide_w(Drawing& d) {
  constexpr float kMostCell = 44;
  const float k = label_scale(d);
  const Input placed = larger(d, input_of(d));
  const Rect& input = placed.cells;
  add_input(d, placed);
  const float features = d.state.named() ? 76 * k : 0, apart = 28 * k;
  const float left = input.right() + 30 * k + features, room = d.figure.width - d.margin() - left;
  const float each = (room - 2 * apart) / 3 - 2 * kPlateFrame;
  const float height = d.height() - 2 * kPlateFrame - (kPlateTitle + kPlateSaid + 80) * k;
  const Point size = size_of(d.trace.at(kW_q), each, height, kMostCell * k);
  const float pitch = size.x + 2 * kPlateFrame + apart;
  const float x = left + std::max((room - 3 * pitch + apart) / 2, 0.F) + kPlateFrame;
  const float y = std::max(input.centre().y - size.y / 2, (kPlateTitle + 10) * k + kPlateFrame);
  for (std::size_t m = 0; m < kPlates.size(); ++m)
    add_plate(d, kPlates[m], {x + static_cast<float>(m) * pitch, y, size.x, size.y});
  add_feature_rows(d, kPlates[0].tensor, {x, y, size.x, size.y}, features - 10);
  const float input_w = input.w / static_cast<float>(d.trace.at(kX).columns());
  return std::max(input.bottom() + feature_names_height(d, kX, input_w),
                  y + size.y + kPlateFrame + (kPlateSaid + (d.state.named() ? 70 : 8)) * k);
}

// X above, the matrices side by side below it, where the next step has what they make.
float narrow_w(Drawing& d) {
  constexpr float kSide = 12, kApart = 10, kMostCell = 34, kMostHeight = 200;
  const Input input = input_of(d);
  add_input(d, input);
  const Rect& X = input.cells;
  const float frame = frame_of(d), each = (d.figure.width - kSide - X.x - 2 * kApart) / 3;
  const Point size = size_of(d.trace.at(kW_q), each - 2 * frame, kMostHeight, kMostCell);
  const float features = feature_names_height(d, kX, X.w / static_cast<float>(d.trace.at(kX).columns()));
  const Rect first{X.x + frame, X.bottom() + features + kPlateTitle + frame, size.x, size.y};
  for (std::size_t m = 0; m < kPlates.size(); ++m)
    add_plate(d, kPlates[m], {first.x + static_cast<float>(m) * (each + kApart), first.y, size.x, size.y});
  add_feature_rows(d, kPlates[0].tensor, first, X.x - 16);
  const float names = feature_names_height(d, kW_q, size.x / static_cast<float>(d.trace.at(kW_q).columns()));
  return first.bottom() + frame + kPlateSaid + names + (d.state.named() ? 4 * kPhoneLine : 0);
}

}  // namespace

// The rows of W that the word's own numbers choose: all but those that meet a 0.
void mark_w(Drawing& d) {
  mark_x(d);
  if (!d.state.named()) return;
  const auto numbers = d.trace.at(kX).values.row(d.row);
  for (int feature = 0; feature < static_cast<int>(numbers.size()); ++feature)
    for (const Plate& plate : kPlates)
      if (numbers(feature) != 0) add_outline(d.figure, plate.tensor, feature, -1, d.colours.*role_of(plate.tensor).ink);
}

float draw_w(Drawing& d) { return d.view.compact() ? narrow_w(d) : wide_w(d); }

}  // namespace limelight::scenes::spotlight
