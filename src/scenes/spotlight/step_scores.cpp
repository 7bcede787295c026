// The fifth step: K lies on its side, and where a query's row meets a key's column lies their score. One of them is
// computed beside it: number times number, each product beginning where the one before ends, so that they add up.
#include <algorithm>
#include <cmath>

#include "figure/choreography.h"
#include "figure/marks.h"
#include "figure/panels.h"
#include "figure/pour.h"
#include "figure/small_cells.h"
#include "io/numbers.h"
#include "scenes/common/explain.h"
#include "scenes/spotlight/lit.h"
#include "scenes/spotlight/matrices.h"
#include "scenes/spotlight/steps.h"

namespace limelight::scenes::spotlight {
namespace {

constexpr float kTitleHeight = 26;    // px of a title
constexpr float kCaptionRoom = 180;   // px of a title and what is said behind it
constexpr float kQueryTurns = 0.3F;   // of the turn: when the query sets out, after the key
constexpr float kQueryRises = 0.55F;  // when it has left its row
constexpr float kQueryGap = 18;       // from Q to the columns of K and of the scores

// Where all stands; CSS pixels.
struct Meeting {
  int query = 0, key = 0;          // whose score is computed
  float k = 1;                     // of labels
  Rect Q{}, K{}, S{};              // K on its side, above the scores
  float names = 0;                 // the width of the rows' words
  float words_y = 0, words_h = 0;  // of the columns' words
  float word = 0;                  // px of their letters
  bool upright = false;            // they are read from bottom to top
  Rect left{}, right{};            // the two factors of each product: the key's numbers, the query's
  float bars = 0, bars_w = 0;      // where the products begin, and how wide they may be
  float sum = 0;                   // the middle of the bar that they add up to
  float end = 0;                   // the bottom of all
};

Meeting meeting_of(const Drawing& d) {
  const Source told = told_score(d.trace, d.view, d.row);
  return {.query = told.row, .key = told.column, .k = label_scale(d)};
}

// The columns' words side by side where they have room.
void set_words(Meeting& at, const std::vector<std::string>& words, float pitch) {
  constexpr float kMost = 15, kLeast = 10.5F, kUprightWord = 12, kLongestWord = 64;
  const float one = widest(words, text::Face::semibold, kMost * at.k, 1000);
  at.word = std::min(kMost * at.k, kMost * at.k * (pitch - 2) / one);
  at.upright = at.word < kLeast * at.k;
  if (at.upright) at.word = kUprightWord * at.k;
  at.words_h = at.upright ? widest(words, text::Face::semibold, at.word, kLongestWord * at.k) + 2 : 22 * at.k;
}

// Side by side: Q, the scores with K above them, and the products beside K.
Meeting wide_meeting(const Drawing& d) {
  Meeting at = meeting_of(d);
  const float k = at.k, gap = (kTitleHeight + 18) * k, bottom = kTitleHeight * k;
  const auto rows = static_cast<float>(d.queries.size()), columns = static_cast<float>(d.keys.size());
  const auto size = static_cast<float>(d.trace.at(kK).columns());
  at.names = widest(d.queries, text::Face::semibold, 15 * k, 110 * k) + kRowLamp * k;
  const bool large = d.figure.width >= 1000;
  const float factor = (large ? 50 : 40) * k, products = 30 * k + 2 * factor + 18 * k + 26 * k, number = 64 * k;
  const float least = large ? 150 * k : 50;  // of the bars
  const float room = d.inner() - at.names - 12 * k - kQueryGap * k - products - least - number;
  const float cell_w = std::min(72 * k, room / (size + columns));
  set_words(at, d.keys, cell_w);
  const float top = (8 + kTitleHeight) * k, words = at.words_h + 4 * k;
  const float high = d.height() - kBelow - top - words - gap - bottom;  // of the cells
  const float cell_h = std::clamp(high / (size + rows), 2.F, 44 * k);
  const float spare = std::max(high - cell_h * (size + rows), 0.F) / 2;
  const float used = at.names + 12 * k + cell_w * (size + columns) + kQueryGap * k + products + number;
  at.bars_w = std::min(d.inner() - used, 260 * k);
  const float x = (d.figure.width - used - at.bars_w) / 2 + at.names + 12 * k;
  const float scores_x = x + cell_w * size + kQueryGap * k;
  at.words_y = top + spare;
  at.K = {scores_x, at.words_y + words, cell_w * columns, cell_h * size};
  at.S = {scores_x, at.K.bottom() + gap, cell_w * columns, cell_h * rows};
  at.Q = {x, at.S.y, cell_w * size, cell_h * rows};
  // Level with the key, or where its rows are too low for digits as high as they need, as far as there is room.
  const float low = at.S.bottom() - 50 * k, factors_h = std::max(at.K.h, std::min(20 * k * size, low - at.K.y));
  at.left = {at.K.right() + 30 * k, at.K.y, factor, factors_h};
  at.right = {at.left.right() + 18 * k, at.K.y, factor, factors_h};
  at.bars = at.right.right() + 26 * k;
  at.sum = std::max(at.S.y + cell_h * (static_cast<float>(at.query) + 0.5F), at.left.bottom() + 30 * k);
  at.end = at.S.bottom() + bottom;
  return at;
}

// Where it scrolls anyway, as on a phone, the products stand below the matrices.
Meeting narrow_meeting(const Drawing& d) {
  constexpr float kNames = 70, kAir = 10, kFactor = 46, kNumber = 62;
  Meeting at = meeting_of(d);
  const auto rows = static_cast<float>(d.queries.size()), columns = static_cast<float>(d.keys.size());
  const auto size = static_cast<float>(d.trace.at(kK).columns());
  at.names = widest(d.queries, text::Face::semibold, 13, kNames) + kRowLamp / 2;
  const float left = 8 + at.names + 8, cell_w = (d.figure.width - left - 2 * kAir - 4) / (size + columns);
  // On a phone all of it is seen at once: lower rows, and the keys' name beside their words.
  const bool compact = d.view.compact(), many = size > 8;  // products, which need the room
  const float share = !compact ? 0.44F : many ? 0.27F : 0.4F, least = !compact ? 22.F : many ? 5.5F : 8.F;
  const float cell_h = std::clamp(share * d.view.height / (size + rows), least, 30.F);
  set_words(at, d.keys, cell_w);
  at.words_y = compact ? 4 : 6 + kTitleHeight;
  const float x = left + cell_w * size + kAir;
  at.K = {x, at.words_y + at.words_h + 4, cell_w * columns, cell_h * size};
  at.S = {x, at.K.bottom() + kTitleHeight + 8, cell_w * columns, cell_h * rows};
  at.Q = {left, at.S.y, cell_w * size, cell_h * rows};
  const float row_h = many ? 14.5F : compact ? 20.F : 26.F, y = at.S.bottom() + (compact ? 44 : kTitleHeight + 32);
  at.left = {16, y, kFactor, row_h * size};
  at.right = {at.left.right() + 16, y, kFactor, row_h * size};
  at.bars = at.right.right() + 22;
  at.bars_w = d.figure.width - 12 - kNumber - at.bars;
  at.sum = at.left.bottom() + 24;
  at.end = at.sum + 18;
  return at;
}

// The row that asks and the column that answers, as far as where they meet.
void add_bands(Drawing& d, const Meeting& at, float seen) {
  const float row_h = at.S.h / static_cast<float>(d.queries.size()),
              cell_w = at.S.w / static_cast<float>(d.keys.size());
  const float y = at.S.y + row_h * static_cast<float>(at.query), x = at.K.x + cell_w * static_cast<float>(at.key);
  const auto band = [&](const char* id, Rect rect, Colour colour) {
    d.figure.add(
        {.id = id, .rect = rect.inset(-2), .shape = Rectangle{.fill = colour.faded(0.22F * seen), .radius = 5}});
  };
  band("scores.row", {at.Q.x, y, x + cell_w - at.Q.x, row_h}, d.colours.query_fill);
  band("scores.column", {x, at.K.y, cell_w, y + row_h - at.K.y}, d.colours.key_fill);
}

// The columns' words: as many as can be read, that of the key among them.
void add_column_words(Drawing& d, const Meeting& at) {
  const float pitch = at.K.w / static_cast<float>(d.keys.size()), size = at.word;
  const int every = at.upright ? std::max(static_cast<int>(std::ceil((size + 1) / pitch)), 1) : 1;
  for (int j = 0; j < static_cast<int>(d.keys.size()); ++j) {
    const bool chosen = j == at.key;
    if (!chosen && (j % every != 0 || std::abs(j - at.key) < every)) continue;
    const text::Face face = chosen ? text::Face::semibold : text::Face::regular;
    const std::string& word = d.key(j);
    d.figure.add({.id = "K.word." + std::to_string(j),
                  .role = Role::cell,
                  .rect = {at.K.x + pitch * static_cast<float>(j), at.words_y, pitch, at.words_h},
                  .label = word,
                  .source = Source{std::string(kScores), d.row, j},
                  .shape = Text{.text = at.upright ? text::fit(face, size, word, at.words_h) : word,
                                .face = face,
                                .size = size,
                                .colour = chosen ? d.colours.key : d.colours.muted,
                                .align = at.upright ? Align::left : Align::centre,
                                .vertical = at.upright}});
  }
}

// What each row of the key on its side means, where its numbers have names.
void add_feature_names(Drawing& d, const Meeting& at) {
  const std::vector<std::string>& names = d.trace.at(kK).column_labels;
  if (!d.state.named() || d.view.compact()) return;
  const float row_h = at.K.h / static_cast<float>(names.size()), size = std::min(12 * at.k, 0.7F * row_h);
  for (std::size_t i = 0; i < names.size(); ++i)
    add_words(d, "K.feature." + std::to_string(i),
              {at.Q.x, at.K.y + row_h * static_cast<float>(i), at.K.x - 10 * at.k - at.Q.x, row_h}, names[i],
              {d.colours.muted, {text::Face::regular, size}, Align::right});
}

// A row of a matrix, its numbers below each other.
void add_factor(Drawing& d, const std::string& id, std::string_view tensor, int row, Rect rect) {
  const Tensor& values = d.trace.at(tensor);
  const float row_h = rect.h / static_cast<float>(values.columns());
  const Colour tint = d.colours.*role_of(tensor).fill;
  MatrixCells cells =
      small_cells({std::string(tensor), row, 0, 1, values.columns()}, std::min(row_h, rect.w), tint, d.view.theme);
  cells.transposed = true;
  cells.decimals = decimals_for(values.values, 2);
  const float size = number_size(values.values, cells.decimals, rect.w, row_h, most_digits(d));
  cells.text_size = size < kLeastDigits ? 0 : size;
  d.figure.add({.id = id, .rect = rect, .shape = cells});
}

// A bar from one place to another, hollow where it takes away, and of 0 nothing.
void add_bar(Drawing& d, std::string id, Rect rect, float value, const std::string& label,
             std::optional<Source> source = {}) {
  d.figure.add({.id = std::move(id),
                .role = source ? Role::cell : Role::image,
                .rect = rect,
                .label = label,
                .source = std::move(source),
                .shape = Rectangle{.fill = value > 0 ? d.colours.score_fill : Colour{0, 0, 0, 0},
                                   .stroke = d.colours.score_fill,
                                   .stroke_width = value < 0 ? 1.5F : 0.F,
                                   .radius = std::min(3.F, rect.w / 2)}});
}

// Each product as a bar from where the one before ends, and below them their sum, from 0: what falls onto it adds up.
void add_products(Drawing& d, const Meeting& at, const RowTimesColumn& seen) {
  const recipes::Recipe recipe = recipes(d.state, d.trace).of(kScores);
  const Matrix &Q = d.trace.at(recipe.left()).values, &K = d.trace.at(recipe.right()).values;
  const auto [low, high] = reach_of(Q, at.query, K);
  const float unit = high > low ? at.bars_w / (high - low) : 0, zero = at.bars - low * unit, k = at.k;
  const float numbers = at.bars + at.bars_w + 8 * k, number_w = 56 * k, sum_h = 22 * k, sum_y = at.sum - sum_h / 2;
  const int decimals = decimals_for(d.trace.at(kScores).values, 3);
  const float row_h = at.left.h / static_cast<float>(K.cols()), bar_h = std::min(0.62F * row_h, 26 * k);
  float widest = 0;         // of all numbers that are added up, for letters of 1 px
  int turns = 0, turn = 0;  // of products that are not 0: those take the time, and the others come with the next one
  for (int i = 0; i < static_cast<int>(K.cols()); ++i) {
    const float product = Q(at.query, i) * K(at.key, i);
    widest = std::max(widest, text::measure(text::Face::mono_bold, 1, io::format_fixed(product, decimals)));
    turns += product != 0 ? 1 : 0;
  }
  const float score = d.trace.at(kScores).values(at.query, at.key);
  const std::string total = io::format_fixed(score, decimals);
  widest = std::max(widest, text::measure(text::Face::mono_bold, 1, total));
  const Type number{text::Face::mono, std::min({13 * k, 0.8F * row_h, number_w / widest})},
      sign{text::Face::mono, std::min(16 * k, row_h)};
  const auto bar_from = [&](float from, float to, float y, float h) {
    return Rect{zero + unit * std::min(from, to), y, std::max(unit * std::abs(to - from), 1.5F), h};
  };
  float from = 0, so_far = 0;  // the sum of those that have come down
  for (int i = 0; i < static_cast<int>(K.cols()); ++i) {
    const auto comes = [&](float t) { return figure::in_turn(t, std::min(turn, turns - 1), std::max(turns, 1)); };
    const float made = comes(seen.multiply), down = comes(seen.add);
    const float value = Q(at.query, i) * K(at.key, i), to = from + value;
    so_far += down * value;
    turn += value != 0 ? 1 : 0;
    const std::string id = "product." + std::to_string(i), written = io::format_fixed(value, decimals);
    const float middle = at.left.y + row_h * (static_cast<float>(i) + 0.5F);
    const Rect bar = bar_from(from, mix(from, to, made), middle - bar_h / 2, bar_h);
    from = to;
    const std::size_t first = d.figure.elements.size();
    if (value > 0 && down > 0)  // to its part of the sum
      for (const float x : {bar.x, bar.right()})
        d.figure.add({.id = id + (x == bar.x ? ".falls.left" : ".falls.right"),
                      .shape = Line{.points = {{x, bar.bottom()}, {x, mix(bar.bottom(), sum_y, down)}},
                                    .colour = d.colours.score_fill.faded(0.5F)}});
    if (value != 0 && made > 0) {
      const auto factor = [](float x) { return io::format_short(static_cast<double>(x), 4); };
      const std::string means = d.state.named() ? label_of(d.trace.at(kK).column_labels, i) : "";
      add_bar(d, id, bar, value,
              (means.empty() ? "product " + std::to_string(i + 1) : means) + ": " + factor(K(at.key, i)) + " × " +
                  factor(Q(at.query, i)) + " = " + written + ", a part of the score");
      if (text::measure(text::Face::semibold, 12 * k, means) + 12 < bar.w)
        add_words(d, id + ".means", bar, means, {kOnLight, {text::Face::semibold, 12 * k}, Align::centre});
      if (d.view.hovered == id) {
        add_outline(d.figure, recipe.right(), at.key, i, d.colours.key);
        add_outline(d.figure, recipe.left(), at.query, i, d.colours.query);
      }
    }
    if (number.size < kLeastDigits) continue;
    const auto say = [&](const char* part, float x, float end_x, const std::string& words, TextStyle style) {
      add_words(d, id + part, {x, middle - 9 * k, end_x - x, 18 * k}, words, style);
    };
    say(".number", numbers, numbers + number_w, written,
        {value == 0 ? d.colours.faint : d.colours.ink, number, Align::right});
    say(".times", at.left.right(), at.right.x, "×", {d.colours.muted, sign, Align::centre});
    say(".equals", at.right.right(), at.bars, "=", {d.colours.muted, sign, Align::centre});
    show_since(d.figure, first, std::min(2 * made, 1.F));
  }
  const std::size_t first = d.figure.elements.size();
  const Rect sum = bar_from(0, so_far, sum_y, sum_h);
  add_bar(d, "product.sum", sum, score, "They add up to " + total, Source{std::string(kScores), at.query, at.key});
  d.figure.add({.id = "product.zero",
                .shape = Line{.points = {{zero, at.left.y - 3}, {zero, sum.bottom() + 3}}, .colour = d.colours.muted}});
  add_words(d, "product.sum.number", {numbers, at.sum - 10 * k, number_w, 20 * k},
            seen.add < 1 ? io::format_fixed(so_far, decimals) : total,
            {d.colours.ink, {text::Face::mono_bold, std::min(15 * k, number_w / widest)}, Align::right});
  // As sums are written, a line above the sum.
  d.figure.add({.id = "product.line",
                .shape = Line{.points = {{numbers, sum_y - 6 * k}, {numbers + number_w, sum_y - 6 * k}},
                              .colour = d.colours.muted}});
  show_since(d.figure, first, std::min(4 * seen.add, 1.F));
}

// The numbers of the two factors on their way out of their matrices, each upright.
void add_turning(Drawing& d, const Meeting& at, const RowTimesColumn& seen) {
  constexpr float kLifted = 7;  // px
  const int size = d.trace.at(kK).columns(), queries = d.trace.at(kQ).rows(), keys = d.trace.at(kK).rows();
  // The key first, which has the shorter way.
  const float key = smoothstep(0, 0.6F, seen.turn), query = smoothstep(kQueryTurns, 1, seen.turn);
  const auto fly = [&](const char* id, std::string_view tensor, int row, int i, Rect at_moment, Rect column) {
    d.figure.add({.id = id + std::to_string(i) + ".card",
                  .rect = at_moment.inset(-2),
                  .shape = Rectangle{.fill = d.colours.surface, .radius = 4}});
    add_factor(d, id + std::to_string(i), tensor, row, column);
    Element& number = d.figure.elements.back();
    number.rect = at_moment;
    std::get<MatrixCells>(number.shape).range = {std::string(tensor), row, i, 1, 1};
  };
  const float lifted = kLifted * at.k * seen.lift;
  for (int i = 0; i < size; ++i)
    fly("product.left.", kK, at.key, i,
        mix(cell_of(at.K, size, keys, i, at.key), cell_of(at.left, size, 1, i, 0), key).moved(0, -lifted * (1 - key)),
        at.left);
  // The query as one along its own row, below the key; then up beside it, where it turns about its first number.
  const float aside = smoothstep(0, 0.6F, query), rises = smoothstep(0.3F, 1, query),
              angle = 1.5708F * smoothstep(0.3F, 0.95F, query);
  const Rect from = cell_of(at.Q, queries, size, at.query, 0), to = cell_of(at.right, size, 1, 0, 0);
  Rect first = mix(from, to, aside);
  first.y = mix(from.y, to.y, rises) - lifted * (1 - aside);
  for (int i = 0; i < size; ++i) {
    const float across = static_cast<float>(i) * first.w, down = static_cast<float>(i) * first.h;
    fly("product.right.", kQ, at.query, i, first.moved(across * std::cos(angle), down * std::sin(angle)), at.right);
  }
}

void add_pair(Drawing& d, const Meeting& at, const RowTimesColumn& seen) {
  const float k = at.k, y = at.left.y - 22 * k;
  if (seen.turn < 1) {
    add_turning(d, at, seen);
  } else {
    add_factor(d, "product.left", kK, at.key, at.left);
    add_factor(d, "product.right", kQ, at.query, at.right);
  }
  const std::size_t first = d.figure.elements.size();
  const auto name = [&](const char* id, Rect under, const std::string& word, Colour colour) {
    const float width = under.w + 14 * k;
    add_words(d, id, {under.centre().x - width / 2, y, width, 18 * k},
              text::fit(text::Face::semibold, 12.5F * k, word, width),
              {colour, {text::Face::semibold, 12.5F * k}, Align::centre});
  };
  name("product.left.name", at.left, d.key(at.key), d.colours.key);
  name("product.right.name", at.right, d.query(at.query), d.colours.query);
  add_words(d, "product.title", {at.bars, y, d.figure.width - at.bars - 4, 18 * k}, "number times number, added up",
            {d.colours.muted, {text::Face::regular, 12 * k}});
  show_since(d.figure, first, seen.turn);
}

// The one that drops into its cell first, and then the way that it took.
void add_scores(Drawing& d, const Meeting& at, const RowTimesColumn& seen) {
  constexpr float kBeyond = 0.04F;  // of its way, before it comes to rest
  const Tensor& scores = d.trace.at(kScores);
  const Rect cell = cell_of(at.S, scores.rows(), scores.columns(), at.query, at.key);
  const Rect sum{at.bars, at.sum - cell.h / 2, cell.w, cell.h};
  const float way = seen.drop + kBeyond * std::sin(3.14F * seen.drop);
  add_arriving(d, kScores, at.S,
               {seen.others,
                {std::string(kScores), at.query, at.key, 1, 1},
                seen.drop > 0 ? std::optional(mix(sum, cell, way)) : std::nullopt});
  if (const float wide = 2 * seen.others; wide > 0 && wide < 1)
    d.figure.add({.id = "product.halo",
                  .rect = cell.inset(-2 - 14 * wide),
                  .shape = Rectangle{.stroke = d.colours.score_fill.faded(1 - wide),
                                     .stroke_width = 2 + 5 * (1 - wide),
                                     .radius = 4 + 12 * wide}});
  if (d.scrolls() || seen.others == 0) return;
  // Along the gap between two rows, so that it crosses no number.
  const float k = at.k, head = 5 * k, bend = at.S.right() + 14 * k;
  const bool rises = at.sum > cell.bottom();
  const Point end{cell.centre().x, rises ? cell.bottom() + 1 : cell.y - 1}, tip{end.x, end.y + (rises ? -head : head)};
  const auto stroke = [&](const char* id, std::vector<Point> points) {
    d.figure.add({.id = id, .shape = Line{.points = std::move(points), .colour = d.colours.score_fill, .width = 2}});
  };
  stroke("product.way", {{at.bars - 8 * k, at.sum}, {bend, at.sum}, {bend, end.y}, end});
  stroke("product.way.head", {{end.x - head, end.y}, tip, {end.x + head, end.y}});
}

void add_matrices(Drawing& d, const Meeting& at, const RowTimesColumn& seen) {
  const float k = at.k, row_h = at.Q.h / static_cast<float>(d.queries.size());
  const bool compact = d.view.compact();
  add_matrix_title(d, kQ, {at.Q.x, at.Q.y - 14 * k}, at.Q.w, at.Q.w < kCaptionRoom * k ? "" : "queries, one a row");
  const Rect names{at.Q.x - 12 * k - at.names, at.Q.y, at.names, at.Q.h};
  const Type type{text::Face::regular, std::clamp(0.7F * row_h, 9.F, d.scrolls() ? 13 : 15 * k)};
  // The sentence's words, which come from X and go up to where scores are bars.
  add_row_names(d, kScores, {.rect = names, .align = Align::right, .type = type, .of_sentence = !d.state.given()});
  add_matrix(d, kQ, at.Q);
  const Point keys = compact ? Point{at.K.x - 68, at.words_y + at.words_h - 14} : Point{at.K.x, at.words_y - 13 * k};
  add_matrix_title(d, kK, keys, d.figure.width - at.K.x, compact ? "" : "keys, one a column", Lies::on_its_side);
  add_column_words(d, at);
  add_feature_names(d, at);
  add_matrix(d, kK, at.K, Lies::on_its_side);
  if (seen.others < 1) add_empty_cells(d, kScores, at.S);
  add_matrix_title(d, kScores, {at.S.x, at.S.bottom() + 15 * k}, d.figure.width - at.S.x,
                   compact ? "" : "a score lies where row meets column");
}

}  // namespace

Source told_score(const Trace& trace, const View& view, int row) {
  const std::optional<Source> focus = parse_cell_id(view.focus());
  const Tensor& scores = trace.at(kScores);
  if (focus && focus->tensor == kScores && focus->row < scores.rows() && focus->column < scores.columns())
    return *focus;
  if (focus && focus->tensor == kK && focus->row < scores.columns()) return {std::string(kScores), row, focus->row};
  return {std::string(kScores), row, best_key(trace, kScores, row)};
}

void mark_scores(Drawing& d) {
  const Source told = told_score(d.trace, d.view, d.row);
  const RowTimesColumn seen = row_times_column(d.view.t);
  const std::string last = std::to_string(d.trace.at(kK).columns() - 1);
  // Numbers that are lifted have one outline together, and none on their way to the products.
  const auto mark = [&](std::string_view tensor, int row, const std::string& numbers, float leave, Colour colour) {
    const Element *one = d.figure.find(numbers + "0"), *other = d.figure.find(numbers + last);
    if (one == nullptr || other == nullptr || seen.turn > leave) return add_outline(d.figure, tensor, row, -1, colour);
    const Rect from = one->rect, to = other->rect;
    add_ring(d.figure, "outline.lifted." + std::string(tensor),
             Rect{from.x, from.y, to.right() - from.x, to.bottom() - from.y}.inset(-2), colour);
  };
  mark(kQ, told.row, "product.right.", kQueryRises, d.colours.query);
  mark(kK, told.column, "product.left.", 1, d.colours.key);
  if (seen.turn < 1)
    std::erase_if(d.figure.elements, [](const Element& element) { return element.id.starts_with("outline.product."); });
  add_outline(d.figure, kScores, told.row, told.column, d.colours.ink);
}

float draw_scores(Drawing& d) {
  const Meeting at = d.scrolls() ? narrow_meeting(d) : wide_meeting(d);
  const RowTimesColumn seen = row_times_column(d.view.t);
  add_bands(d, at, seen.lift);
  add_matrices(d, at, seen);
  if (seen.lift > 0) add_pair(d, at, seen);
  if (seen.turn > 0) add_products(d, at, seen);
  add_scores(d, at, seen);  // over the sum that one of them comes from
  return at.end;
}

}  // namespace limelight::scenes::spotlight
