// The bench: a card for the word that is looked at, and a small row for each other one, all in the sentence's order.
#include <algorithm>
#include <cmath>

#include "figure/order.h"
#include "figure/small_cells.h"
#include "scenes/common/explain.h"
#include "scenes/common/strips.h"
#include "scenes/heads/parts.h"

namespace limelight::scenes::heads {
namespace {

constexpr float kStepper = 50;  // px over the card where words are chosen one by one

// px of a head's name over its box.
float name_height(const Drawing& d) { return 16 * d.letters(); }

// The largest numbers of a row, in their places' order.
std::vector<int> largest_of(const Tensor& Y, int row) {
  const Matrix sizes = Y.values.row(row).cwiseAbs();
  std::vector<int> order = largest_first(std::span(sizes.data(), static_cast<std::size_t>(sizes.size())));
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
      add_fill(d, id, part, d.of(h), 2, opacity);
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
  bench.named = high >= 27;
  const float name = bench.named ? name_height(d) : 4;
  for (int h = 0; h < d.state.heads; ++h)
    bench.boxes.push_back({x, from + high * static_cast<float>(h) + name - 4, box, std::max(high - name - 3, 6.F)});
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
    const float room = bench.words_end - bench.card.x - (own ? 50 * std::min(d.figure.width / 1208, 1.F) : 10);
    const Rect rect{bench.card.x + 10, y - high / 2, room, high};
    const Type type = own ? Type{text::Face::display_bold, 26 * d.letters()}
                          : Type{text::Face::regular, std::clamp(0.78F * high, 9.F, 14 * d.letters())};
    float size = type.size;
    const std::string& word = words[static_cast<std::size_t>(i)];
    while (size > 13 && text::measure(type.face, size, word) > rect.w) size -= 1;
    d.figure.add({.id = "word." + std::to_string(i),
                  .role = Role::token,
                  .rect = rect,
                  .label = "Look at the output of " + label_apart(words, i),
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
      add_fill(d, "thread." + std::to_string(i) + "." + std::to_string(h),
               {bench.left.x + bench.left.w + 6, at, bench.right.x - bench.left.x - bench.left.w - 12,
                thick - (sizes(d.state).model > kFew ? 0 : 0.45F * thick)},
               d.of(h).faded(d.looked_at(h) && d.is_on(h) ? 0.35F : 0.06F));
      at += thick;
    }
  }
}

// What stands on the left and on the right.
void add_titles(Drawing& d, const Bench& bench, Side outputs, float y) {
  if (d.narrow()) return;
  const int heads = d.state.heads, shown = static_cast<int>(bench.numbers.size());
  const std::string model = std::to_string(sizes(d.state).model);
  const bool brief = d.figure.width < 900;
  const std::string from = heads == 1 ? "the head’s output" : brief ? "outputs" : "the heads’ outputs, side by side";
  const std::string to = shown < sizes(d.state).model
                             ? std::string(brief ? "the " : "one output for each word: the ") + std::to_string(shown) +
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

}  // namespace limelight::scenes::heads
