// The sentence over bars, numbers as cells or columns, and the bar of all heads' outputs beside each other.
#include <cmath>

#include "figure/small_cells.h"
#include "io/numbers.h"
#include "scenes/common/explain.h"
#include "scenes/common/parts.h"
#include "scenes/common/strips.h"
#include "scenes/heads/parts.h"

namespace limelight::scenes::heads {
namespace {

// From the covered word to what the head that is off looked at there. Returns how deep it is.
float add_gaze(Drawing& d, const Slots& slots, float y) {
  const Tensor* looked = d.cuts ? d.trace.find(kLooked) : nullptr;
  const int head = only_off(d.state);
  if (looked == nullptr || d.low()) return 0;
  Eigen::Index to = 0;
  const float weight = looked->values.row(0).maxCoeff(&to), deep = 15 * d.scale();
  const std::size_t first = d.figure.elements.size();
  const Point from{slots.centre(d.covered), y + 6}, at{slots.centre(static_cast<int>(to)), y + 6};
  const Point control{from.x, from.y + deep}, other{at.x, at.y + deep};
  d.figure.add({.id = "looked.way", .shape = Curve{from, control, other, at, d.of(head), 1 + 4 * weight}});
  const std::string said = "head " + std::to_string(head + 1) + ", at the covered " + quoted(looked->row_labels[0]) +
                           ": " + share_text(weight);
  const float left = std::min(from.x, at.x) - 10;
  const bool before = left > 320;
  add_words(d, "looked.said", {before ? left - 300 : std::max(from.x, at.x) + 10, y + 4, 300, 16}, said,
            {d.ink_of(head), {text::Face::semibold, 12 * d.letters()}, before ? Align::right : Align::left});
  show_since(d.figure, first, d.gone());
  return deep + 8;
}

}  // namespace

void add_numbers(Drawing& d, const Numbers& numbers) {
  constexpr float kCell = 34;  // px that a cell with its number is wide, at least
  const CellRange& range = numbers.range;
  const float width = numbers.rect.w / static_cast<float>(range.columns);
  const bool few = width >= kCell && numbers.values.empty();
  const float opacity = numbers.opacity * numbers.come;
  const std::string& id = range.tensor;
  const std::string key = id.starts_with("V_") ? id + "." + std::to_string(range.row) : id;
  MatrixCells cells = small_cells(range, width, numbers.tint, d.view.theme);
  cells.largest = numbers.most;
  if (few) cells.gap = 2, cells.text_size = std::min({15.F, 0.3F * width, 0.5F * numbers.rect.h});
  Element& part = add_part(d, key, Role::cell, numbers.rect, numbers.label, std::move(cells));
  part.opacity = few ? numbers.come : 0.2F * opacity;
  if (numbers.editable) part.edit = Edit{.field = id};
  if (few) return;
  const auto own = d.trace.at(range.tensor).values.row(range.row);
  const float middle = numbers.rect.centre().y, half = numbers.rect.h / 2, gap = std::clamp(0.3F * width, 0.3F, 2.F);
  for (int j = 0; j < range.columns; ++j) {
    const float value =
        numbers.come * (numbers.values.empty() ? own(range.column + j) : numbers.values[static_cast<std::size_t>(j)]);
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

Matrix parts_of(const Drawing& d) {
  Matrix parts = Matrix::Zero(d.state.heads + 1, sizes(d.state).model);
  for (int h = 0; h < d.state.heads; ++h) parts.row(h) = d.trace.at(of_head("Y", h)).values.row(d.row);
  if (const Tensor* bias = d.trace.find("b_O"); bias != nullptr) parts.row(d.state.heads) = bias->values;
  return parts;
}

void add_output(Drawing& d, Rect rect, const Matrix& whole, const Matrix& now) {
  const auto count = static_cast<int>(whole.cols());
  const float most = std::max(whole.cwiseAbs().maxCoeff(), 1e-6F);
  add_fill(d, "Y.edge", rect.inset(-3), d.colours.surface.faded(0.6F), 5);
  const std::size_t first = d.figure.elements.size();
  add_numbers(d, {.range = {d.cuts ? "Y_now" : "Y", d.row, 0, 1, count},
                  .rect = rect,
                  .tint = d.colours.output_fill,
                  .most = most,
                  .label = "The output of " + query_words(d.state)[static_cast<std::size_t>(d.row)],
                  .values = std::span(now.data(), static_cast<std::size_t>(count))});
  if (!d.cuts) d.figure.elements[first].opacity *= d.view.t;  // its tints come with its columns
  if (!d.cuts || (now - whole).norm() < 1e-5F) return;
  Line ghost{.points = {}, .colour = d.colours.ink, .width = 1.6F, .dashed = true};
  const float width = rect.w / static_cast<float>(count);
  for (int j = 0; j < count; ++j) {
    const float y = rect.centre().y - rect.h / 2 * whole(0, j) / most, x = rect.x + width * static_cast<float>(j);
    ghost.points.insert(ghost.points.end(), {{x, y}, {x + width, y}});
  }
  d.figure.add({.id = "Y.ghost", .rect = rect, .label = "The output with all heads on", .shape = std::move(ghost)});
}

float add_sentence(Drawing& d, float y) {
  const std::vector<std::string> words = query_words(d.state);
  if (d.narrow())
    return 4 + add_stepper(d, {.field = "query", .name = "word", .words = words, .chosen = d.row}, {8, y},
                           d.figure.width - 16);
  const auto count = static_cast<Eigen::Index>(words.size());
  const Rect bars = bars_of(d);
  const Slots slots = slots_of(words, Matrix::Zero(count, count), true,
                               {.left = bars.x, .width = bars.w, .beyond = 8, .size = 20 * d.scale(), .gain = 6});
  std::vector<float> weights(words.size());
  weights[static_cast<std::size_t>(d.row)] = 0.6F;
  const float room = slots.upright ? 76 : 26 * d.scale(), under = slots.upright ? 0 : add_gaze(d, slots, y + room);
  LitWords lit{.words = words, .weights = weights, .query = d.row, .field = "query", .theme = d.view.theme};
  lit.ground = stage_ground(d.colours, d.view.height);
  add_lit_words(d.figure, slots, lit,
                {.words = y + room - (slots.upright ? 0.F : 4.F), .end = y + room, .room = room, .told = false});
  return y + room + 6 + under;
}

float largest_in(const Drawing& d, std::string_view tensor) {
  return std::max(d.trace.at(tensor).values.cwiseAbs().maxCoeff(), 1e-6F);
}

Rect bars_of(const Drawing& d) {
  const Slots slots = slots_for(d);
  return {slots.begin, 0, slots.pitch * static_cast<float>(slots.count), 0};
}

void add_head_bar(Drawing& d, const HeadBar& bar) {
  const bool outputs = bar.letter == "O";
  for (int h = 0; h < d.state.heads; ++h) {
    const Rect segment = bar.segment(h, d.state.heads);
    const std::string number = std::to_string(h + 1), says = habit(d.state, d.trace, h), name = of_head(bar.letter, h);
    const std::string id = "head." + number + (outputs ? ".box" : "." + std::string(bar.letter));
    const float opacity = d.looked_at(h) ? std::lerp(bar.opacity, 1.F, d.kept(h)) : bar.opacity;
    const Rect all{segment.x, segment.y - bar.label, segment.w, segment.h + bar.label};
    add_head_button(d, id, h, all, "Look at " + name + " of head " + number + ", " + says);
    const Rectangle edge{d.colours.surface.faded(0.6F), d.of(h), d.alone == h ? 2.6F : 1.4F, 5};
    add_part(d, id + ".edge", Role::none, segment, {}, edge).opacity = opacity;
    add_numbers(d, {.range = {name, bar.row, 0, 1, sizes(d.state).head},
                    .rect = segment.inset(3),
                    .tint = outputs ? d.of(h) : bar.tint,
                    .most = largest_in(d, outputs ? "V" : bar.letter),  // of which outputs are mixtures
                    .label = name + " of " + label_of(d.trace.at(name).row_labels, bar.row),
                    .opacity = opacity,
                    .come = bar.come});
    if (bar.label < 14) continue;
    const float middle = segment.y - bar.label / 2 - 1, radius = std::min(9.F, bar.label / 2 - 1);
    const bool told = segment.w > 70;
    add_disc(d, id + ".disc", {told ? segment.x + radius : segment.centre().x, middle}, h, radius);
    if (!told) continue;
    const Type type{text::Face::semibold, 11.5F * d.letters()};
    const float room = segment.w - 2 * radius - 5;
    add_words(d, id + ".name", {segment.x + 2 * radius + 5, middle - 8, room, 16},
              text::fit(type.face, type.size, says, room), {d.colours.ink, type});
  }
}

void add_matrix(Drawing& d, const std::string& name, Rect cells) {
  const Tensor& W = d.trace.at(name);
  const int size = sizes(d.state).head;
  const bool large = W.columns() > kMostSingle;
  const float wide = cells.w / static_cast<float>(d.state.heads);
  for (int h = 0; h < d.state.heads; ++h) {
    const Rect part{cells.x + wide * static_cast<float>(h), cells.y, wide, cells.h};
    const CellRange range{name, 0, h * size, W.rows(), size};
    const std::string number = std::to_string(h + 1), id = h == 0 ? name : name + ".head." + number;
    const float opacity = d.looked_at(h) ? 1 : 0.35F;
    if (large) add_fill(d, id + ".band", part.inset(0.8F), d.of(h), 2, opacity);
    Element& element = add_part(d, id, Role::cell, part, name + ", the columns of head " + number,
                                small_cells(range, wide / static_cast<float>(size), d.of(h), d.view.theme));
    element.edit = Edit{.field = name}, element.opacity = large ? 0 : opacity;
    if (large) element.shape = Heatmap{.range = range, .map = ColourMap::diverging, .gap = 0, .theme = d.view.theme};
  }
}

}  // namespace limelight::scenes::heads
