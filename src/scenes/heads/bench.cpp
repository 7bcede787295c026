// The bench: a card for the word that is looked at, and a small row for each other one, all in the sentence's order.
#include <algorithm>
#include <cmath>

#include "figure/choreography.h"
#include "figure/order.h"
#include "figure/ribbon.h"
#include "figure/small_cells.h"
#include "io/numbers.h"
#include "scenes/common/strips.h"
#include "scenes/heads/parts.h"

namespace limelight::scenes::heads {
namespace {

constexpr float kStepper = 50;  // px over the card where words are chosen one by one
constexpr int kFew = 12;        // numbers of an output that are drawn one by one

// px of a head's name over its box.
float name_height(const Drawing& d) { return 16 * d.letters(); }

// The largest numbers of a row, in their places' order.
std::vector<int> largest_of(const Tensor& Y, int row) {
  std::vector<int> order;
  for (int j = 0; j < Y.columns(); ++j) order.push_back(j);
  std::ranges::sort(order, [&](int a, int b) {
    const float x = std::abs(Y.values(row, a)), z = std::abs(Y.values(row, b));
    return x != z ? x > z : a < b;
  });
  order.resize(std::min<std::size_t>(order.size(), kMostNumbers));
  std::ranges::sort(order);
  return order;
}

void add_small(Drawing& d, const std::string& id, const CellRange& range, Rect rect, Colour tint, float opacity) {
  MatrixCells cells = small_cells(range, rect.w / static_cast<float>(range.columns), tint, d.view.theme);
  d.figure.add({.id = id, .rect = rect, .shape = std::move(cells), .opacity = opacity});
}

// How much each head gave to a word's output, of what all gave.
std::vector<float> gifts(const Drawing& d, int word) {
  std::vector<float> list;
  float sum = 1e-6F;
  for (int h = 0; h < d.state.heads; ++h) list.push_back(d.trace.at(of_head("Y", h)).values.row(word).norm());
  for (const float gift : list) sum += gift;
  for (float& gift : list) gift /= sum;
  return list;
}

// All heads' outputs of a word side by side; of many numbers each head's is as wide as what it gave.
void add_small_outputs(Drawing& d, int word, Rect rect) {
  constexpr float kGap = 4;
  const int heads = d.state.heads, size = sizes(d.state).head;
  const bool large = sizes(d.state).model > kFew;
  const std::vector<float> given = gifts(d, word);
  float x = rect.x;
  for (int h = 0; h < heads; ++h) {
    const float width =
        large ? rect.w * given[static_cast<std::size_t>(h)] : (rect.w + kGap) / static_cast<float>(heads);
    const Rect part{x, rect.y, width - (large ? 1 : kGap), rect.h};
    const std::string id = "O.small." + std::to_string(word) + "." + std::to_string(h);
    const float opacity = d.looked_at(h) && d.is_on(h) ? 0.8F : 0.2F;
    x += width;
    if (large)
      d.figure.add({.id = id, .rect = part, .shape = Rectangle{.fill = d.of(h), .radius = 2}, .opacity = opacity});
    else
      add_small(d, id, {of_head("O", h), word, 0, 1, size}, part, d.of(h), opacity);
  }
}

// What became of them: its numbers, or of many as a bar how large it is.
void add_small_output(Drawing& d, int word, Rect rect) {
  const std::string id = "Y.small." + std::to_string(word);
  const Matrix& Y = d.trace.at("Y_now").values;
  if (sizes(d.state).model <= kFew)
    return add_small(d, id, {"Y_now", word, 0, 1, sizes(d.state).model}, rect, d.colours.output_fill, 0.8F);
  const float most = std::max(d.trace.at("Y").values.rowwise().norm().maxCoeff(), 1e-6F);
  rect.w *= std::min(Y.row(word).norm() / most, 1.2F);
  d.figure.add(
      {.id = id, .rect = rect, .shape = Rectangle{.fill = d.colours.output_fill, .radius = 2}, .opacity = 0.8F});
}

// A number of a head's output, or, of many, all of them: what ribbons begin at.
struct Strand {
  int head, first, count;
};
std::vector<Strand> strands_of(const Drawing& d) {
  const int size = sizes(d.state).head, parts = sizes(d.state).model <= kFew ? size : 1;
  std::vector<Strand> strands;
  for (int h = 0; h < d.state.heads; ++h) {
    for (int p = 0; p < parts; ++p) strands.push_back({h, h * size + p, parts == 1 ? size : 1});
  }
  return strands;
}

// Ribbons between two stacks: [strands, numbers] of what is given; where each begins and ends, one after the other.
struct Braid {
  Matrix given;
  float from = 0, to = 0;  // px for 1, at their beginnings and at their ends
};
Braid braid_of(const Drawing& d, const Bench& bench, const std::vector<Strand>& strands) {
  constexpr float kFull = 0.96F;
  const Matrix &C = d.trace.at("C").values, &W_O = d.trace.at("W_O").values;
  Braid braid{.given =
                  Matrix(static_cast<Eigen::Index>(strands.size()), static_cast<Eigen::Index>(bench.numbers.size()))};
  for (std::size_t s = 0; s < strands.size(); ++s)
    for (std::size_t j = 0; j < bench.numbers.size(); ++j) {
      float sum = 0;
      for (int k = strands[s].first; k < strands[s].first + strands[s].count; ++k)
        sum += C(d.row, k) * W_O(k, bench.numbers[j]);
      braid.given(static_cast<Eigen::Index>(s), static_cast<Eigen::Index>(j)) = sum;
    }
  const Matrix size = braid.given.cwiseAbs();
  braid.from = 1e9F;
  for (int h = 0; h < d.state.heads; ++h) {
    float sum = 1e-6F;
    for (std::size_t s = 0; s < strands.size(); ++s)
      if (strands[s].head == h) sum += size.row(static_cast<Eigen::Index>(s)).sum();
    braid.from = std::min(braid.from, (bench.boxes[static_cast<std::size_t>(h)].h + 12) / sum);
  }
  braid.to = kFull * bench.cells.front().h / std::max(size.colwise().sum().maxCoeff(), 1e-6F);
  return braid;
}

void add_ribbons(Drawing& d, const Bench& bench, float t, bool cut) {
  constexpr float kStub = 64;  // px of a ribbon that was cut
  constexpr float kLooked = 0.72F, kBeside = 0.1F, kThread = 0.7F;
  const std::vector<Strand> strands = strands_of(d);
  const Braid braid = braid_of(d, bench, strands);
  const float left = bench.boxes.front().right() + 2, right = bench.cells.front().x - 2;
  const auto rows = static_cast<int>(strands.size()), columns = static_cast<int>(bench.numbers.size());
  std::vector<float> ends;  // as far as each number's stack is filled
  for (int j = 0; j < columns; ++j)
    ends.push_back(bench.cells[static_cast<std::size_t>(j)].centre().y -
                   braid.to * braid.given.col(j).cwiseAbs().sum() / 2);
  struct Drawn {
    int strand, number;
    Edge from, to;
  };
  std::vector<Drawn> ribbons;
  std::vector<float> widths;
  float y = 0;
  for (int s = 0; s < rows; ++s) {
    const int head = strands[static_cast<std::size_t>(s)].head;
    if (s == 0 || strands[static_cast<std::size_t>(s - 1)].head != head) {
      float sum = 0;
      for (int other = s; other < rows && strands[static_cast<std::size_t>(other)].head == head; ++other)
        sum += braid.given.row(other).cwiseAbs().sum();
      y = bench.boxes[static_cast<std::size_t>(head)].centre().y - braid.from * sum / 2;
    }
    for (int j = 0; j < columns; ++j) {
      const float size = std::abs(braid.given(s, j)), from = braid.from * size, to = braid.to * size;
      float& end = ends[static_cast<std::size_t>(j)];
      const float thin = std::max(kThread - from, 0.F) / 2, thin_end = std::max(kThread - to, 0.F) / 2;
      ribbons.push_back(
          {s, j, {{left, y - thin}, {left, y + from + thin}}, {{right, end - thin_end}, {right, end + to + thin_end}}});
      widths.push_back(-from - to);
      y += from;
      end += to;
    }
  }
  const std::vector<int> order = smallest_first(std::move(widths));  // the widest below all others
  for (const int index : order) {
    const Drawn& drawn = ribbons[static_cast<std::size_t>(index)];
    const Strand& strand = strands[static_cast<std::size_t>(drawn.strand)];
    const int h = strand.head, number = bench.numbers[static_cast<std::size_t>(drawn.number)];
    const std::string id =
        "head." + std::to_string(h + 1) + ".ribbon." + std::to_string(strand.first) + "." + std::to_string(number);
    const float alpha = d.looked_at(h) ? kLooked : kBeside;
    const bool is_cut = cut && !d.is_on(h);
    Ribbon whole = flowing(drawn.from, drawn.to, Flow::level,
                           {{.at = 0, .colour = d.of(h).faded(alpha)},
                            {.at = 0.6F, .colour = d.of(h).faded(alpha)},
                            {.at = 1, .colour = d.colours.output_fill.faded(alpha)}});
    if (is_cut) {
      Line ghost{.colour = d.of(h).faded(0.5F), .width = 1, .dashed = true};
      for (std::size_t i = 0; i < whole.one.size(); i += 2)
        if (whole.one[i].x > left + kStub + 24) ghost.points.push_back(mix(whole.one[i], whole.other[i], 0.5F));
      if (drawn.from.other.y - drawn.from.one.y > 1.2F) d.figure.add({.id = id + ".ghost", .shape = std::move(ghost)});
      whole = flowing(drawn.from, {{left + kStub, drawn.from.one.y}, {left + kStub, drawn.from.other.y}}, Flow::level,
                      {{.at = 0, .colour = d.of(h).faded(0.8F)},
                       {.at = 0.5F, .colour = d.of(h).faded(0.5F)},
                       {.at = 1, .colour = d.of(h).faded(0)}});
    }
    Element ribbon{.id = id, .shape = std::move(whole)};
    const float come = in_turn(t, h, d.state.heads);
    if (come < 1) ribbon.clip = Rect{left, bench.card.y, (right - left) * come, bench.card.h};
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
  if (size.model > kFew) {
    d.figure.add({.id = "W_O",
                  .role = Role::cell,
                  .rect = cells,
                  .label = "W_O, " + std::to_string(size.model) + "×" + std::to_string(size.model),
                  .edit = Edit{.field = "W_O"},
                  .shape = Heatmap{.range = {"W_O", 0, 0, size.model, size.model},
                                   .map = ColourMap::diverging,
                                   .low = -d.trace.at("W_O").values.cwiseAbs().maxCoeff(),
                                   .high = d.trace.at("W_O").values.cwiseAbs().maxCoeff(),
                                   .gap = 0,
                                   .theme = d.view.theme}});
    for (int h = 0; h < d.state.heads; ++h)
      d.figure.add({.id = "W_O.band." + std::to_string(h),
                    .rect = {cells.x - 6, cells.y + side * static_cast<float>(h) / static_cast<float>(d.state.heads), 5,
                             side / static_cast<float>(d.state.heads) - 1},
                    .shape = Rectangle{.fill = d.of(h), .radius = 2},
                    .opacity = d.looked_at(h) ? 1 : 0.3F});
    return;
  }
  const float height = cells.h / static_cast<float>(d.state.heads);
  for (int h = 0; h < d.state.heads; ++h) {
    const std::string name = h == 0 ? "W_O" : "W_O.rows." + std::to_string(h + 1);
    const CellRange range{"W_O", h * size.head, 0, size.head, size.model};
    MatrixCells shape = small_cells(range, side / static_cast<float>(size.model), d.of(h), d.view.theme);
    d.figure.add({.id = name,
                  .role = Role::cell,
                  .rect = {cells.x, cells.y + height * static_cast<float>(h), cells.w, height},
                  .label = "W_O, the rows of head " + std::to_string(h + 1),
                  .edit = Edit{.field = "W_O"},
                  .shape = std::move(shape),
                  .opacity = d.looked_at(h) ? 1 : 0.35F});
  }
}

// The output's numbers, and of each what every head gave to it, to the right of a line what is more than nothing.
void add_sums(Drawing& d, const Bench& bench, bool cut) {
  const std::string name = cut ? "Y_now" : "Y";
  const Matrix &Y = d.trace.at("Y").values, &now = d.trace.at(name).values;
  const Tensor* bias = d.trace.find("b_O");
  struct Part {
    int head;  // −1: the bias
    float value;
  };
  const auto parts = [&](int j, bool all) {
    std::vector<Part> list;
    for (int h = 0; h < d.state.heads; ++h)
      if (all || !cut || d.is_on(h)) list.push_back({h, d.trace.at(of_head("Y", h)).values(d.row, j)});
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
                    .shape = Rectangle{.fill = is_bias ? d.colours.neutral_fill : d.of(part.head)},
                    .opacity = is_bias || d.looked_at(part.head) ? 1 : 0.2F});
    }
    d.figure.add(
        {.id = "gave.zero." + key,
         .shape =
             Line{.points = {{zero, y - half - 4}, {zero, y + half + 4}}, .colour = d.colours.muted, .width = 1.2F}});
    const auto at = [&](float value) { return zero + value * scale; };
    const float before = at(Y(d.row, j)), total = at(now(d.row, j));
    if (cut && std::abs(before - total) > 0.5F)
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
  const std::string title = cut ? "now (dashed: before)" : "who gave what";
  const float wide = text::measure(type::label.face, type::label.size, title) + 2;
  add_words(
      d, "gave.title",
      {std::min(bench.bars.centre().x - wide / 2, bench.card.right() - wide - 8), bench.cells.front().y - 24, wide, 16},
      title, {d.colours.muted, type::label});
}

}  // namespace

float Bench::middle(int word, int of) const {
  if (word < of) return card.y - pitch * (static_cast<float>(of - word) - 0.5F) - 2;
  return card.bottom() + pitch * (static_cast<float>(word - of) - 0.5F) + 2;
}

Bench bench_of(const Drawing& d, float y, float bottom, float switches) {
  constexpr float kHead = 28, kMostPitch = 30, kLeastPitch = 11;
  const bool narrow = d.narrow();
  const int words = sizes(d.state).queries;
  Bench bench;
  bench.numbers = largest_of(d.trace.at("Y"), d.row);
  const float k = d.figure.width / 1208;
  const float least = narrow ? 0 : std::max((d.state.heads > 4 ? 0.68F : 0.54F) * (bottom - y), 210.F);
  const float top = narrow ? y + kStepper - 4 : y + kHead;
  if (!narrow && words > 1) bench.pitch = std::min((bottom - top - least) / static_cast<float>(words - 1), kMostPitch);
  if (bench.pitch < kLeastPitch) bench.pitch = 0;
  const float above = bench.pitch * static_cast<float>(d.row);
  const float others = bench.pitch * static_cast<float>(words - 1);
  bench.card = {narrow ? 8.F : 16.F, top + above + 4, d.figure.width - (narrow ? 16.F : 32.F),
                bottom - top - others - 8};
  const Rect inside{bench.card.x, bench.card.y + 28, bench.card.w, bench.card.h - 28 - 8};
  const float x = narrow ? bench.card.x + 12 + switches : std::round(148 * k) + switches,
              box = narrow ? 64 : std::round(92 * k);
  const float pitch = inside.h / static_cast<float>(d.state.heads);
  const float high = std::min(pitch, 74 * d.letters()),
              from = inside.y + (inside.h - high * static_cast<float>(d.state.heads)) / 2;
  for (int h = 0; h < d.state.heads; ++h)
    bench.boxes.push_back(
        {x, from + high * static_cast<float>(h) + name_height(d) - 4, box, std::max(high - name_height(d) - 3, 6.F)});
  const auto count = static_cast<float>(bench.numbers.size());
  const float step = std::min(inside.h / count, narrow ? 50.F : 44 * std::max(k, 1.F)),
              start = inside.y + (inside.h - step * count) / 2;
  const float cells = narrow ? 230 : std::round(868 * k), wide = narrow ? 62 : std::round(92 * k);
  for (std::size_t i = 0; i < bench.numbers.size(); ++i)
    bench.cells.push_back({cells, start + step * static_cast<float>(i) + 3, wide, step - 6});
  const float bars = cells + wide + (narrow ? 14.F : 30.F);
  bench.bars = {bars, inside.y, bench.card.right() - bars - (narrow ? 14.F : 28.F), inside.h};
  bench.words_end = x - switches - 8;
  bench.left = {x, 0, std::round(222 * k), 0};
  bench.mixed = bench.card.right() - 28 - bench.left.w;
  bench.right = {cells, 0, bench.card.right() - cells - 28, 0};
  return bench;
}

void add_bench(Drawing& d, const Bench& bench, Side outputs) {
  const std::vector<std::string> words = query_words(d.state);
  const bool left = outputs == Side::left;
  d.figure.add({.id = "bench.card",
                .rect = bench.card,
                .label = "The heads of " + words[static_cast<std::size_t>(d.row)],
                .shape = Rectangle{.fill = is_dark(d.view.theme) ? d.colours.surface : Colour{0xfb, 0xf9, 0xf4},
                                   .stroke = d.colours.hairline,
                                   .radius = 12}});
  if (d.narrow())
    add_stepper(d, {.field = "query", .name = "word", .words = words, .chosen = d.row},
                {bench.card.x, bench.card.y - kStepper}, bench.card.w);
  for (int i = 0; i < static_cast<int>(words.size()); ++i) {
    const bool own = i == d.row;
    if (d.narrow() || (!own && bench.pitch == 0)) continue;
    const float high = own ? 40 : bench.pitch, y = own ? bench.card.centre().y : bench.middle(i, d.row);
    const float room = bench.words_end - bench.card.x - (own ? 50.F : 10.F);
    const Rect rect{bench.card.x + 10, y - high / 2, room, high};
    const Type type = own ? Type{text::Face::display_bold, 26 * d.letters()}
                          : Type{text::Face::regular, std::clamp(0.78F * high, 9.F, 14 * d.letters())};
    float size = type.size;
    const std::string& word = words[static_cast<std::size_t>(i)];
    while (size > 13 && text::measure(type.face, size, word) > rect.w) size -= 1;
    d.figure.add({.id = "word." + std::to_string(i),
                  .role = Role::token,
                  .rect = rect,
                  .label = "Look at the output of " + told_apart(words, i),
                  .edit = Edit{.field = "query", .value = std::to_string(i)}});
    add_words(d, "word." + std::to_string(i) + ".text", rect, text::fit(type.face, size, word, rect.w),
              {own ? d.colours.query : d.colours.ink, {type.face, size}, Align::right});
    if (own) continue;
    const float cell = std::min(high - 4, 24.F);
    add_small_outputs(d, i, {left ? bench.left.x : bench.mixed, y - cell / 2, bench.left.w, cell});
    if (!left) continue;
    add_small_output(d, i, {bench.right.x, y - cell / 2, bench.right.w, cell});
    const std::vector<float> given = gifts(d, i);
    float at = y - cell / 2;
    for (int h = 0; h < d.state.heads; ++h) {
      const float thick = cell * given[static_cast<std::size_t>(h)];
      d.figure.add({.id = "thread." + std::to_string(i) + "." + std::to_string(h),
                    .rect = {bench.left.x + bench.left.w + 6, at, bench.right.x - bench.left.x - bench.left.w - 12,
                             thick - (sizes(d.state).model > kFew ? 0 : 0.45F * thick)},
                    .shape = Rectangle{.fill = d.of(h).faded(d.looked_at(h) && d.is_on(h) ? 0.35F : 0.06F)}});
      at += thick;
    }
  }
}

// What stands on the left and on the right.
void add_titles(Drawing& d, const Bench& bench, Side outputs, float y) {
  if (d.narrow()) return;
  const int heads = d.state.heads, shown = static_cast<int>(bench.numbers.size());
  const std::string model = std::to_string(sizes(d.state).model);
  const std::string from = heads == 1 ? "the head’s output" : "the heads’ outputs, side by side";
  const std::string to = shown < sizes(d.state).model ? "one output for each word: the " + std::to_string(shown) +
                                                            " largest of its " + model + " numbers"
                                                      : "one output for each word";
  const auto add = [&](const std::string& letter, float x, float width, const std::string& words, Colour colour) {
    add_symbol(d, letter + ".title", {x, y}, letter, colour, 19);
    const float right = x + symbol_width(letter, 19) + 8;
    add_words(d, letter + ".said", {right, y + 3, std::min(width, d.figure.width - right - 4), 18}, words,
              {d.colours.muted, type::body});
  };
  if (outputs == Side::right) return add("O", bench.mixed, bench.card.right() - bench.mixed, from, d.colours.ink);
  add("O", bench.left.x, 400, from, d.colours.ink);
  const float width = text::measure(type::body.face, type::body.size, to);
  add("Y", std::min(bench.right.x, d.figure.width - width - 50), width + 4, to, d.colours.output);
}

void add_boxes(Drawing& d, const Bench& bench, const std::vector<Rect>& at) {
  const int size = sizes(d.state).head;
  const bool upright = sizes(d.state).model <= kFew;
  for (int h = 0; h < d.state.heads; ++h) {
    const Rect& box = at[static_cast<std::size_t>(h)];
    const std::string id = "head." + std::to_string(h + 1) + ".box", name = of_head("O", h);
    const float opacity = d.looked_at(h) ? 1 : 0.74F;
    d.figure.add({.id = id,
                  .role = Role::button,
                  .rect = {box.x - 4, box.y - name_height(d), box.w + 8, box.h + name_height(d) + 3},
                  .label = "Look at head " + std::to_string(h + 1) + ", " + habit(d.state, d.trace, h),
                  .edit = look_at(d.state, h)});
    d.figure.add({.id = id + ".edge",
                  .rect = box.inset(-3),
                  .shape = Rectangle{.fill = d.colours.surface, .stroke = d.of(h), .stroke_width = 1.6F, .radius = 6},
                  .opacity = opacity});
    MatrixCells cells{.range = {name, d.row, 0, 1, size},
                      .gap = size > 8 ? 1.F : 2.F,
                      .radius = 3,
                      .text_size = upright ? std::min(15.F, 0.6F * box.h / static_cast<float>(size)) : 0,
                      .tint = d.of(h),
                      .theme = d.view.theme,
                      .transposed = upright};
    d.figure.add({.id = name,
                  .role = Role::cell,
                  .rect = box,
                  .label = "The output of head " + std::to_string(h + 1),
                  .shape = std::move(cells)});
    if (!bench.named) continue;
    const std::string words = std::to_string(h + 1) + "  " + habit(d.state, d.trace, h);
    const float wide = box.w + 44 * d.letters();  // towards the middle, where there is room
    const bool last = box.right() + 44 > d.figure.width;
    add_words(d, id + ".name",
              {last ? box.right() + 3 - wide : box.x - 3, box.y - name_height(d) - 1, wide, name_height(d) - 2},
              text::fit(text::Face::semibold, 11 * d.letters(), words, wide),
              {d.ink_of(h), {text::Face::semibold, 11 * d.letters()}, last ? Align::right : Align::left});
  }
}

void add_braid(Drawing& d, const Bench& bench, float t, bool cut) {
  add_ribbons(d, bench, std::clamp(t / 0.8F, 0.F, 1.F), cut);
  add_matrix(d, bench);
  const std::size_t first = d.figure.elements.size();
  add_sums(d, bench, cut);
  show_since(d.figure, first, smoothstep(0.6F, 1, t));
}

}  // namespace limelight::scenes::heads
