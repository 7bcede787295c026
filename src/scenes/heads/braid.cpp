// The ribbons between the heads' outputs and the word's output, W_O over them, and what each head gave.
#include "figure/braid.h"

#include <algorithm>
#include <cmath>

#include "figure/choreography.h"
#include "figure/ribbon.h"
#include "figure/small_cells.h"
#include "io/numbers.h"
#include "scenes/heads/parts.h"

namespace limelight::scenes::heads {
namespace {

// Of what is cut the beginning stays, and where the whole ribbon was a line.
void add_stub(Drawing& d, const std::string& id, const Ribbon& whole, const Plait& plait, int h) {
  constexpr float kStub = 64, kApart = 24;  // px
  const Point &one = plait.left.one, &other = plait.left.other;
  Line ghost{.points = {}, .colour = d.of(h).faded(0.5F), .width = 1, .dashed = true};
  for (std::size_t i = 0; i < whole.one.size(); i += 2)
    if (whole.one[i].x > one.x + kStub + kApart) ghost.points.push_back(mix(whole.one[i], whole.other[i], 0.5F));
  if (other.y - one.y > 1.2F) d.figure.add({.id = id + ".ghost", .shape = std::move(ghost)});
  const std::vector<Ribbon::Stop> fades{{.at = 0, .colour = d.of(h).faded(0.8F)},
                                        {.at = 0.5F, .colour = d.of(h).faded(0.5F)},
                                        {.at = 1, .colour = d.of(h).faded(0)}};
  d.figure.add(
      {.id = id, .shape = flowing(plait.left, {{one.x + kStub, one.y}, {one.x + kStub, other.y}}, Flow::level, fades)});
}

// A strand is a number of a head's output, or, of many, all of them.
void add_ribbons(Drawing& d, const Bench& bench, float t) {
  constexpr float kLooked = 0.72F, kBeside = 0.1F;
  const int size = sizes(d.state).head, parts = sizes(d.state).model <= kFew ? size : 1, count = size / parts;
  const auto ends = static_cast<Eigen::Index>(bench.numbers.size());
  const Matrix &C = d.trace.at("C").values, W_O = d.trace.at("W_O").values(Eigen::all, bench.numbers);
  Matrix given(d.state.heads * parts, ends);
  std::vector<int> heads;
  for (int s = 0; s < given.rows(); ++s) {
    heads.push_back(s / parts);
    given.row(s) = C.row(d.row).segment(s * count, count) * W_O.middleRows(s * count, count);
  }
  std::vector<Rect> from, to;
  for (const Rect& box : bench.boxes) from.push_back({box.x, box.y, box.w + 2, box.h});
  for (const Rect& cell : bench.cells) to.push_back({cell.x - 2, cell.y, cell.w, cell.h});
  for (const Plait& plait : plaits_of({.given = given, .stack = heads, .from = from, .to = to, .beyond = 12})) {
    const int h = heads[static_cast<std::size_t>(plait.strand)];
    const std::string id = "head." + std::to_string(h + 1) + ".ribbon." + std::to_string(plait.strand) + "." +
                           std::to_string(bench.numbers[static_cast<std::size_t>(plait.end)]);
    const float alpha = d.looked_at(h) ? kLooked : kBeside, come = in_turn(t, h, d.state.heads);
    Ribbon whole = flowing(plait.left, plait.right, Flow::level,
                           {{.at = 0, .colour = d.of(h).faded(alpha)},
                            {.at = 0.6F, .colour = d.of(h).faded(alpha)},
                            {.at = 1, .colour = d.colours.output_fill.faded(alpha)}});
    if (!d.is_on(h)) {
      add_stub(d, id, whole, plait, h);
      continue;
    }
    Element ribbon{.id = id, .shape = std::move(whole)};
    const float left = plait.left.one.x;
    if (come < 1) ribbon.clip = Rect{left, bench.card.y, (plait.right.one.x - left) * come, bench.card.h};
    d.figure.add(std::move(ribbon));
  }
}

// W_O between the ribbons, the rows of each head in its colour; a large one as a map.
void add_matrix(Drawing& d, const Bench& bench) {
  constexpr float kTitle = 30, kPad = 9;
  const Sizes size = sizes(d.state);
  const float left = bench.boxes.front().right(), right = bench.cells.front().x;
  const bool small = right - left < 300;
  const float side = small ? 44 : std::min(132.F, 0.5F * bench.card.h);
  const Rect card{std::round((left + right - side) / 2 - kPad), std::round(bench.card.centre().y - (side + kTitle) / 2),
                  side + 2 * kPad, side + kTitle + kPad - (small ? 4.F : 0.F)};
  d.figure.add({.id = "W_O.card",
                .rect = card,
                .label = "W_O",
                .shape = Rectangle{.fill = d.colours.surface.faded(0.94F), .stroke = d.colours.track, .radius = 10}});
  add_symbol(d, "W_O.title", {card.centre().x - symbol_width("W_O", 19) / 2, card.y + 3}, "W_O", d.colours.ink, 19);
  const Rect cells{card.x + kPad, card.y + kTitle - 2, side, side};
  const float height = cells.h / static_cast<float>(d.state.heads);
  const float most = d.trace.at("W_O").values.cwiseAbs().maxCoeff();
  for (int h = 0; h < d.state.heads; ++h) {
    const CellRange range{"W_O", h * size.head, 0, size.head, size.model};
    const Rect rows{cells.x, cells.y + height * static_cast<float>(h), cells.w,
                    height - (size.model > kFew ? 1.F : 0.F)};
    Element part{.id = h == 0 ? "W_O" : "W_O.rows." + std::to_string(h + 1),
                 .role = Role::cell,
                 .rect = rows,
                 .label = "W_O, the rows of head " + std::to_string(h + 1),
                 .edit = Edit{.field = "W_O"},
                 .shape = small_cells(range, side / static_cast<float>(size.model), d.of(h), d.view.theme)};
    if (size.model > kFew) {
      part.shape = Heatmap{
          .range = range, .map = ColourMap::diverging, .low = -most, .high = most, .gap = 0, .theme = d.view.theme};
      add_fill(d, "W_O.band." + std::to_string(h), {cells.x - 6, rows.y, 5, rows.h}, d.of(h), 2,
               d.looked_at(h) ? 1 : 0.3F);
    } else if (!d.looked_at(h)) {
      part.opacity = 0.35F;
    }
    d.figure.add(std::move(part));
  }
}

// The output's numbers, and of each what every head gave to it, to the right of a line what is more than nothing.
void add_sums(Drawing& d, const Bench& bench) {
  const std::string name = d.cuts ? "Y_now" : "Y";
  const Matrix &Y = d.trace.at("Y").values, &now = d.trace.at(name).values;
  const Tensor* bias = d.trace.find("b_O");
  struct Part {
    int head;  // −1: the bias
    float value;
  };
  const auto parts = [&](int j, bool all) {
    std::vector<Part> list;
    for (int h = 0; h < d.state.heads; ++h)
      if (all || d.is_on(h)) list.push_back({h, d.trace.at(of_head("Y", h)).values(d.row, j)});
    if (bias != nullptr) list.push_back({-1, bias->values(0, j)});
    return list;
  };
  float low = 0, high = 0;
  for (const int j : bench.numbers) {
    float minus = 0, plus = 0;
    for (const Part& part : parts(j, true)) (part.value < 0 ? minus : plus) += part.value;
    low = std::min(low, minus);
    high = std::max(high, plus);
  }
  const float scale = bench.bars.w / std::max(high - low, 1e-6F), zero = bench.bars.x - low * scale;
  for (std::size_t i = 0; i < bench.numbers.size(); ++i) {
    const int j = bench.numbers[i];
    const Rect& cell = bench.cells[i];
    const std::string key = std::to_string(j);
    d.figure.add({.id = "Y.number." + key,
                  .role = Role::cell,
                  .rect = cell,
                  .label = "Number " + std::to_string(j + 1) + " of the output",
                  .source = Source{name, d.row, j},
                  .shape = MatrixCells{.range = {name, d.row, j, 1, 1},
                                       .gap = 0,
                                       .radius = 5,
                                       .text_size = cell.w < 70 ? 13.F : 15 * d.letters(),
                                       .tint = d.colours.output_fill,
                                       .largest = Y.row(d.row).cwiseAbs().maxCoeff(),
                                       .theme = d.view.theme}});
    const float half = std::min(0.28F * cell.h, 9.F), y = cell.centre().y;
    float minus = zero, plus = zero;
    for (const Part& part : parts(j, false)) {
      const float width = std::abs(part.value) * scale, x = part.value < 0 ? minus - width : plus;
      (part.value < 0 ? minus : plus) += part.value < 0 ? -width : width;
      const bool is_bias = part.head < 0;
      const Source source{is_bias ? "b_O" : of_head("Y", part.head), is_bias ? 0 : d.row, j};
      d.figure.add({.id = cell_id(source),
                    .role = Role::cell,
                    .rect = {x, y - half, width, 2 * half},
                    .label = (is_bias ? std::string("The bias") : "Head " + std::to_string(part.head + 1)) + " gave " +
                             io::format_short(static_cast<double>(part.value)),
                    .source = source,
                    .edit = is_bias ? std::nullopt : std::optional(look_at(d.state, part.head)),
                    .shape = is_bias ? Rectangle{.fill = d.colours.surface, .stroke = d.colours.ink, .radius = 1}
                                     : Rectangle{.fill = d.of(part.head)},
                    .opacity = is_bias || d.looked_at(part.head) ? 1 : 0.2F});
    }
    d.figure.add(
        {.id = "gave.zero." + key,
         .shape =
             Line{.points = {{zero, y - half - 4}, {zero, y + half + 4}}, .colour = d.colours.muted, .width = 1.2F}});
    const auto at = [&](float value) { return zero + value * scale; };
    const float before = at(Y(d.row, j)), total = at(now(d.row, j));
    if (d.cuts && std::abs(before - total) > 0.5F)
      d.figure.add({.id = "gave.before." + key,
                    .shape = Line{.points = {{before, y - half - 6}, {before, y + half + 6}},
                                  .colour = d.colours.output,
                                  .width = 2,
                                  .dashed = true}});
    const Rect ring{total - 4.5F, y - 4.5F, 9, 9};
    d.figure.add(
        {.id = "gave.total." + key,
         .rect = ring,
         .shape = Rectangle{.fill = d.colours.surface, .stroke = d.colours.ink, .stroke_width = 2, .radius = 4.5F}});
  }
  const std::string title = d.cuts ? "now (dashed: before)" : "who gave what";
  const float wide = text::measure(type::label.face, type::label.size, title) + 2;
  add_words(
      d, "gave.title",
      {std::min(bench.bars.centre().x - wide / 2, bench.card.right() - wide - 8), bench.cells.front().y - 24, wide, 16},
      title, {d.colours.muted, type::label});
}

}  // namespace

void add_braid(Drawing& d, const Bench& bench, float t) {
  add_ribbons(d, bench, std::clamp(t / 0.8F, 0.F, 1.F));
  add_matrix(d, bench);
  const std::size_t first = d.figure.elements.size();
  add_sums(d, bench);
  show_since(d.figure, first, smoothstep(0.6F, 1, t));
}

}  // namespace limelight::scenes::heads
