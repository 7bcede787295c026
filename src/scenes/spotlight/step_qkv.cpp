// The fourth step: every word's numbers go through three lenses, the matrices W, and come out as its query, its key and
// its value.
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "figure/callout.h"
#include "figure/choreography.h"
#include "figure/formula.h"
#include "figure/lens.h"
#include "figure/marks.h"
#include "figure/ribbon.h"
#include "figure/small_cells.h"
#include "io/numbers.h"
#include "scenes/common/explain.h"
#include "scenes/common/recipe_brief.h"
#include "scenes/spotlight/lit.h"
#include "scenes/spotlight/matrices.h"
#include "scenes/spotlight/steps.h"

namespace limelight::scenes::spotlight {
namespace {

struct Way {
  std::string_view result, said;
};
constexpr std::array<Way, 3> kWays = {
    {{kQ, "what it looks for"}, {kK, "what it is found by"}, {kV, "what it passes on"}}};
constexpr float kAcross = 0.62F;            // of a lens' radius: half of what goes through it
constexpr float kLeastWord = 9;             // the size of a row's word
constexpr int kMostStreams = 16;            // more rows go through a lens as one
constexpr float kTitleRoom = 24, kGap = 9;  // px above a matrix, and between two
constexpr float kAboveLens = 8;             // px between X with its names and a lens, on a phone
constexpr float kAsking = 12;               // the least size of the name of the row that asks

struct Plan {
  float row_h = 0;
  float radius = 0;  // of the lenses
  Rect input{};
  std::array<Rect, 3> results{};
  std::array<Point, 3> lenses{};
  Type words{}, small_words{};  // beside X, and beside the results
  float left_names = 0, right_names = 0, card = 0;
};

int columns_of(const Drawing& d, std::string_view tensor) { return d.trace.at(tensor).columns(); }
float rows_of(const Drawing& d) { return static_cast<float>(d.queries.size()); }

// X to the left, Q, K and V below each other to the right; all rows are equally high.
Plan wide_plan(const Drawing& d) {
  constexpr float kTop = 12, kMostBetween = 380;
  constexpr float kCellW = 62, kCellH = 40, kCard = 200;  // at most; of the card that explains a number
  const float k = label_scale(d), n = rows_of(d), title = kTitleRoom * k, gap = kGap * k;
  Plan plan{.radius = 42 * k};
  plan.card = d.figure.width >= 1000 ? kCard * k : 0;
  const float least = std::clamp(0.23F * d.figure.width, 120.F, 250 * k);  // between X and the results
  // A column is about so wide, which decides whether its name lies or stands.
  const float column = (d.inner() - plan.card - least - 160 * k) / 2 / static_cast<float>(columns_of(d, kV));
  const float bottom = 12 + feature_names_height(d, kV, std::min(kCellW * k, column));
  plan.row_h = std::min(kCellH * k, (d.height() - kTop - bottom - 3 * title - 2 * gap) / (3 * n));
  const auto size = [&](float most) { return std::clamp(0.8F * plan.row_h, kLeastWord, most); };
  plan.words = {text::Face::display, size(20 * k)};
  plan.small_words = {text::Face::regular, size(14 * k)};
  plan.left_names =
      widest(d.queries, text::Face::display_bold, std::max(plan.words.size, kAsking), 130 * k) + kRowLamp * k;
  plan.right_names = widest(d.queries, text::Face::semibold, std::max(plan.small_words.size, kAsking), 100 * k);
  const float names = plan.left_names + plan.right_names + 26 * k;
  const float room = d.inner() - names - plan.card - least;
  const auto width_of = [&](int columns) { return std::min(kCellW * k * static_cast<float>(columns), room / 2); };
  const float input_w = width_of(columns_of(d, kX)), result_w = width_of(columns_of(d, kQ));
  const float between = std::min(d.inner() - names - plan.card - input_w - result_w, kMostBetween * k);
  // All three with their names below each other.
  plan.radius = std::min({plan.radius, 0.27F * between, (d.height() - 3 * 36 * k) / 6});
  const float left = (d.figure.width - names - plan.card - input_w - result_w - between) / 2 + plan.left_names + 12 * k;
  const float block = title + plan.row_h * n, total = 3 * block + 2 * gap;
  const float top = kTop + std::max((d.height() - kTop - bottom - total) / 2, 0.F);
  const float x = left + input_w + between;
  for (std::size_t m = 0; m < kWays.size(); ++m)
    plan.results[m] = {x, top + title + static_cast<float>(m) * (block + gap), result_w, plan.row_h * n};
  plan.input = {left, plan.results[1].y, input_w, plan.row_h * n};
  const float middle = plan.results[1].centre().y;
  // A little nearer to each other than what they make, but with room for their names.
  const float apart =
      std::min(std::max(0.82F * (block + gap), 2 * plan.radius + 30 * k), middle - plan.radius - 26 * k);
  for (std::size_t m = 0; m < kWays.size(); ++m)
    plan.lenses[m] = {(left + input_w + x) / 2, middle + (static_cast<float>(m) - 1) * apart};
  return plan;
}

// On a phone X lies above, and Q, K and V side by side below it, with their lenses between.
Plan narrow_plan(const Drawing& d) {
  constexpr float kRadius = 23, kSide = 10, kBeside = 8, kApart = 10, kLeastRow = 13, kMostRow = 40;
  constexpr float kTop = 4 + kTitleRoom, kBetween = kAboveLens + 2 * kRadius + 4 + kTitleRoom;
  constexpr float kForName = 10;  // that a lens lies to the left of the middle, for its name beside it
  constexpr std::size_t kMany = 24;
  const float n = rows_of(d);
  Plan plan{.radius = kRadius};
  plan.words = plan.small_words = {text::Face::regular, kLeastWord};
  plan.left_names = widest(d.queries, text::Face::semibold, 13, 64) + kRowLamp / 2;
  const float left = kSide + plan.left_names + kBeside, width = d.figure.width - kSide - left;
  int columns = 0;
  for (const Way& way : kWays) columns += columns_of(d, way.result);
  const float cell_w = (width - 2 * kApart) / static_cast<float>(columns);
  const float features = feature_names_height(d, kX, width / static_cast<float>(columns_of(d, kX)));
  const float room = d.height() - kTop - features - kBetween - feature_names_height(d, kV, cell_w) - kBelow;
  plan.row_h = d.queries.size() > kMany ? 12 : std::clamp(room / (2 * n), kLeastRow, kMostRow);
  plan.words.size = plan.small_words.size = std::clamp(0.8F * plan.row_h, kLeastWord, 13.F);
  plan.input = {left, kTop, width, plan.row_h * n};
  float x = left;
  const float y = plan.input.bottom() + features + kBetween;
  for (std::size_t m = 0; m < kWays.size(); ++m) {
    plan.results[m] = {x, y, cell_w * static_cast<float>(columns_of(d, kWays[m].result)), plan.row_h * n};
    plan.lenses[m] = {plan.results[m].centre().x - kForName, y - kTitleRoom - 4 - kRadius};
    x = plan.results[m].right() + kApart;
  }
  return plan;
}

// How far the row that asks has come on this way at the moment that is drawn.
Fly flight(const Drawing& d, std::size_t m) {
  return fly(figure::in_turn(d.view.t, static_cast<int>(m), static_cast<int>(kWays.size())));
}

// What goes through a lens: of one row, or of all as one.
void add_stream(Drawing& d, const Plan& plan, std::size_t m, float row, float rows, float seen) {
  const Fly flown = flight(d, m);
  const Colour from = d.colours.input_fill, to = d.colours.*role_of(kWays[m].result).fill;
  const std::string id = "stream." + std::string(kWays[m].result) + "." + std::to_string(static_cast<int>(row));
  const Point lens = plan.lenses[m];
  const float reach = kAcross * plan.radius, edge = 0.8F * plan.radius, pad = std::min(0.1F * plan.row_h, 4.F);
  const Rect& input = plan.input;
  const Rect& result = plan.results[m];
  const Edge start = part_of(input.right() + 3, input.y, input.bottom(), row, rows, pad);
  const Edge third = part_of(start.one.x, start.one.y, start.other.y, static_cast<float>(m), 3);
  const auto at_lens = [&](float x) { return part_of(x, lens.y - reach, lens.y + reach, row, rows, 0.5F); };
  d.figure.add({.id = id + ".in",
                .shape = flowing(third, at_lens(lens.x - edge), Flow::level,
                                 {{0, from.faded(seen)}, {1, mix(from, to, 0.35F).faded(seen)}}),
                .opacity = flown.there});
  d.figure.add(
      {.id = id + ".out",
       .shape = flowing(at_lens(lens.x + edge), part_of(result.x - 4, result.y, result.bottom(), row, rows, pad),
                        Flow::level, {{0, mix(from, to, 0.75F).faded(seen)}, {1, to.faded(seen)}}),
       .opacity = flown.on});
}

void add_streams(Drawing& d, const Plan& plan) {
  const bool dark = is_dark(d.view.theme);
  const float faint = dark ? 0.14F : 0.18F, seen = dark ? 0.72F : 0.78F, n = rows_of(d);
  const bool as_one = d.queries.size() > kMostStreams;
  for (std::size_t m = 0; m < kWays.size(); ++m) {
    if (as_one) add_stream(d, plan, m, 0, 1, faint);
    for (int i = 0; !as_one && i < static_cast<int>(d.queries.size()); ++i)
      if (i != d.row) add_stream(d, plan, m, static_cast<float>(i), n, faint);
  }
  for (std::size_t m = 0; m < kWays.size(); ++m) add_stream(d, plan, m, static_cast<float>(d.row), n, seen);
}

// A phone's: all rows fall from X through each lens as one, and spread out below it to the result.
void add_falls(Drawing& d, const Plan& plan) {
  constexpr float kBright = 0.38F, kDim = 0.17F;
  const Colour from = d.colours.input_fill;
  const float reach = kAcross * plan.radius, edge = 0.8F * plan.radius;
  const float features = feature_names_height(d, kX, plan.input.w / static_cast<float>(columns_of(d, kX)));
  for (std::size_t m = 0; m < kWays.size(); ++m) {
    const Fly flown = flight(d, m);
    const Colour to = d.colours.*role_of(kWays[m].result).fill;
    const std::string id = "stream." + std::string(kWays[m].result);
    const Point lens = plan.lenses[m];
    const Rect& result = plan.results[m];
    const Rect given{plan.input.x, plan.input.y, plan.input.w, plan.input.h + features},
        in{lens.x - reach, lens.y - edge, 2 * reach, 2 * edge};
    d.figure.add(falling(id + ".in", given, in, {{0, from.faded(kDim)}, {1, mix(from, to, 0.35F).faded(kBright)}}));
    d.figure.elements.back().opacity = flown.there;
    d.figure.add(
        falling(id + ".out", in, result.moved(0, -3), {{0, mix(from, to, 0.75F).faded(kBright)}, {1, to.faded(kDim)}}));
    d.figure.elements.back().opacity = flown.on;
  }
}

// The rows of a lens' matrix are as bright as the number of the asking word's row that they are multiplied by.
void add_shades(Drawing& d, const std::string& matrix, float seen) {
  constexpr float kDark = 0.7F;
  const auto x = d.trace.at(kX).values.row(d.row).cwiseAbs();
  const Rect cells = d.figure.find(matrix)->rect;
  const int count = x.size() > kMostStreams ? 0 : static_cast<int>(x.size());  // of more no row is seen
  for (int i = 0; i < count; ++i)
    d.figure.add({.id = matrix + ".shade." + std::to_string(i),
                  .rect = cell_of(cells, count, 1, i, 0),
                  .shape = Rectangle{
                      .fill = d.colours.surface.faded(kDark * seen * (1 - x(i) / std::max(x.maxCoeff(), 1e-6F)))}});
}

void add_lenses(Drawing& d, const Plan& plan) {
  const float k = label_scale(d);
  const recipes::Recipes made_of = recipes(d.state, d.trace);
  for (std::size_t m = 0; m < kWays.size(); ++m) {
    const std::string tensor(made_of.of(kWays[m].result).right());
    const Tensor& values = d.trace.at(tensor);
    const MatrixRole& role = role_of(tensor);
    const std::string shape = extent(values);
    add_lens(d.figure, {.centre = plan.lenses[m],
                        .radius = plan.radius,
                        .range = {tensor, 0, 0, values.rows(), values.columns()},
                        .tint = d.colours.*role.fill,
                        .label = tensor + " " + shape,
                        .edit = Edit{tensor, {}},
                        .theme = d.view.theme});
    add_shades(d, tensor, flight(d, m).there);
    const Formula name = recipes::matrix_of(made_of, tensor, d.colours);
    const float name_w = set_formula(name, 19 * k).width, shape_w = text::measure(text::Face::mono, 11 * k, shape);
    const Point lens = plan.lenses[m];
    // Above it, on a phone beside it.
    const Point at = d.view.compact() ? Point{lens.x + plan.radius + 3, lens.y}
                                      : Point{lens.x - (name_w + 8 * k + shape_w) / 2, lens.y - plan.radius - 13 * k};
    add_formula(d, tensor + ".title", {at.x, at.y - 10 * k, name_w + 1, 20 * k}, name, 19 * k, d.colours.*role.ink)
        .label = std::string(role.name);
    if (!d.view.compact())
      add_words(d, tensor + ".shape", {at.x + name_w + 8 * k, at.y - 8 * k, shape_w + 1, 18 * k}, shape,
                {d.colours.faint, {text::Face::mono, 11 * k}});
  }
}

// What the query's row says in words, where its numbers have names.
std::string said_of(const Drawing& d, const Way& way) {
  if (!d.state.named()) return std::string(way.said);
  const Strengths strengths = way.result == kQ ? Strengths::told : Strengths::left_out;
  return d.query() + " " +
         (way.result == kQ   ? "looks for "
          : way.result == kK ? "is "
                             : "passes on ") +
         fox_words(d.trace.at(way.result).values, d.row, strengths);
}

// The number that is looked at, or else the query's largest.
Source told_number(const Drawing& d) {
  const std::optional<Source> focus = parse_cell_id(d.view.focus());
  if (focus && (focus->tensor == kQ || focus->tensor == kK || focus->tensor == kV)) {
    const Tensor& tensor = d.trace.at(focus->tensor);
    if (focus->row < tensor.rows() && focus->column < tensor.columns()) return *focus;
  }
  return {std::string(kQ), d.row, largest_first(d.trace.at(kQ).values, d.row).front()};
}

// ".89", "−1.25"
std::string short_number(double value) { return without_zero(io::format_short(value, 3)); }

// The card beside the numbers: what a number is made of, product by product, the largest of many.
// They come one by one while the row goes through the lens, and their sum when it is out of it.
void add_products(Drawing& d, const Plan& plan) {
  const Source at = told_number(d);
  const auto way = std::ranges::find(kWays, std::string_view(at.tensor), &Way::result);
  const Fly flown = flight(d, static_cast<std::size_t>(way - kWays.begin()));
  const MatrixRole& role = role_of(way->result);
  const recipes::Recipes made_of = recipes(d.state, d.trace);
  const recipes::Recipe& recipe = made_of.of(way->result);
  constexpr std::size_t kMost = 6;  // products; of more the largest
  std::vector<recipes::Product> products = recipes::products_of(recipe, d.trace, at);
  const auto zeros = std::erase_if(products, [](const recipes::Product& product) { return product.value() == 0; });
  auto [factors, others, rest] =
      products.size() > kMost ? recipes::few_of(products, kMost - 1) : recipes::Few{.terms = products};
  others += static_cast<int>(zeros);
  float largest = 0;
  for (const recipes::Product& factor : factors) largest = std::max(largest, std::abs(factor.value()));
  const float k = label_scale(d), line_h = 22 * k, pad = 14 * k, width = 180 * k;
  const float height = 96 * k + line_h * (static_cast<float>(factors.size()) + (others > 0 ? 1 : 0));
  const Rect& matrix = plan.results[static_cast<std::size_t>(way - kWays.begin())];
  const float names_end = matrix.right() + 12 * k + plan.right_names;
  const float cell_y = matrix.y + plan.row_h * (static_cast<float>(at.row) + 0.5F);
  const float least = std::min(44.F, cell_y - 20 * k);  // so that its pointer is clear of its corner
  const Rect card{names_end + 14 * k, std::clamp(cell_y - height / 3, least, std::max(d.height() - 12 - height, least)),
                  width, height};
  // A name of its own, so that another number's fades in where it stands.
  const std::string id = "products." + cell_id(at);
  std::size_t first = d.figure.elements.size();
  add_callout(d.figure, id, card, Point{names_end + 5 * k, cell_y}, d.view.theme);
  const std::string column =
      d.state.named() ? label_of(d.trace.at(at.tensor).column_labels, at.column) : std::to_string(at.column + 1);
  const std::string index = io::ellipsize(d.query(at.row), 9) + ", " + column;
  const Formula name = coloured(script(symbol(role.cell), word(index)), d.colours.*role.ink);
  add_formula(d, id + ".name", {card.x + pad, card.y + 9 * k, width - 2 * pad, 26 * k}, name, 19 * k,
              d.colours.*role.ink)
      .source = at;
  const Formula left = recipes::matrix_of(made_of, recipe.left(), d.colours),
                right = recipes::matrix_of(made_of, recipe.right(), d.colours);
  add_formula(d, id + ".read", {card.x + pad, card.y + 36 * k, width - 2 * pad, 18 * k},
              row({word("row of "), left, word(" × column of "), right}), 13 * k, d.colours.muted);
  show_since(d.figure, first, smoothstep(0, 0.15F, flown.on));
  const Type digits{text::Face::mono, 13.5F * k}, heavy{text::Face::mono_bold, 13.5F * k};
  float y = card.y + 58 * k;
  const auto say = [&](const std::string& part, float x, float w, const std::string& words, Colour colour, Type type,
                       Align align = Align::left) {
    add_words(d, id + part, {card.x + x * k, y, w * k, line_h}, words, {colour, type, align});
  };
  for (std::size_t i = 0; i < factors.size(); ++i) {
    const std::string line = "." + std::to_string(i);
    first = d.figure.elements.size();
    say(line + ".sign", 14, 12, i == 0 ? "=" : "+", d.colours.muted, digits);
    say(line + ".left", 26, 48, short_number(factors[i].left), d.colours.input, heavy, Align::right);
    say(line + ".times", 74, 14, "×", d.colours.muted, digits, Align::centre);
    say(line + ".right", 88, 48, short_number(factors[i].right), d.colours.*role.ink, heavy);
    const float product = factors[i].value(), length = 30 * k * std::abs(product) / largest;
    d.figure.add({.id = id + line + ".bar",
                  .rect = {card.x + 140 * k, y + line_h / 2 - 4.5F * k, length, 9 * k},
                  .shape = Rectangle{.fill = product < 0 ? d.colours.faint : d.colours.*role.fill, .radius = 2}});
    show_since(d.figure, first, figure::in_turn(flown.on, static_cast<int>(i), static_cast<int>(factors.size()) + 1));
    y += line_h;
  }
  first = d.figure.elements.size();
  if (others > 0) {
    const std::string more = std::to_string(others) + (factors.empty() ? "" : " more");
    say(".rest", 14, 162, rest == 0 ? more + " are 0" : "+ " + more + ": " + short_number(rest), d.colours.muted,
        digits);
    y += line_h;
  }
  d.figure.add({.id = id + ".line",
                .shape = Line{.points = {{card.x + pad, y + 3 * k}, {card.right() - pad, y + 3 * k}},
                              .colour = d.colours.hairline}});
  y += 7 * k;
  const float value = d.trace.at(at.tensor).values(at.row, at.column);
  const bool exact = rest == 0 && is_exact(value, 3);
  say(".equals", 14, 12, exact ? "=" : "≈", d.colours.muted, digits);
  say(".value", 30, 134, short_number(value), d.colours.ink, {text::Face::mono_bold, 17 * k});
  show_since(d.figure, first, smoothstep(0.7F, 1, flown.on));
}

Plan plan_of(const Drawing& d) { return d.view.compact() ? narrow_plan(d) : wide_plan(d); }

Input placed(const Drawing& d, const Plan& plan) {
  const Rect& cells = plan.input;
  const float names = plan.left_names;
  return {
      .cells = cells, .names = {cells.x - 12 * label_scale(d) - names, cells.y, names, cells.h}, .type = plan.words};
}

// The row that asks comes first, from X into the lens, changed there, and out of it; there it is as small as the lens.
void add_result(Drawing& d, const Plan& plan, std::size_t m) {
  const auto [there, on, others] = flight(d, m);
  const std::string_view result = kWays[m].result, of = on > 0 ? result : kX;
  const Tensor& tensor = d.trace.at(of);
  const Rect row = cell_of(on > 0 ? plan.results[m] : plan.input, tensor.rows(), 1, d.row, 0);
  const Point lens = plan.lenses[m];
  const float half_w = plan.radius, half_h = std::min(row.h, plan.radius) / 2;
  const Rect inside{lens.x - half_w, lens.y - half_h, 2 * half_w, 2 * half_h};
  // It slides out of X, on a phone it begins over its lens, so that it crosses no other row.
  const Rect out{row.right() + 6, row.y, 2 * half_w, row.h},
      over{lens.x - plan.radius, lens.y - plan.radius - kAboveLens - half_h, 2 * plan.radius, 2 * half_h};
  const Rect begins = d.view.compact() ? over : mix(row, out, smoothstep(0, 0.5F, there));
  const Rect flies =
      on > 0 ? mix(inside, row, on) : mix(begins, inside, smoothstep(d.view.compact() ? 0 : 0.4F, 1, there));
  if (others < 1) add_empty_cells(d, result, plan.results[m]);
  add_arriving(
      d, result, plan.results[m],
      {others, {std::string(of), d.row, 0, 1, tensor.columns()}, there > 0 ? std::optional(flies) : std::nullopt});
  if (d.view.compact() && there > 0 && on == 0)
    for (Element& element : std::span(d.figure.elements).last(2)) element.opacity *= smoothstep(0, 0.5F, there);
}

void add_matrices(Drawing& d, const Plan& plan) {
  const float k = label_scale(d);
  const bool compact = d.view.compact();
  const int rows = static_cast<int>(d.queries.size());
  const auto beside = [&](const Rect& cells) {
    return compact ? Rect{cells.x - 8 - plan.left_names, cells.y, plan.left_names, cells.h}
                   : Rect{cells.right() + 12 * k, cells.y, plan.right_names, cells.h};
  };
  add_input(d, placed(d, plan));
  for (std::size_t m = 0; m < kWays.size(); ++m) {
    const Rect& cells = plan.results[m];
    const Fly flown = flight(d, m);
    add_matrix_title(d, kWays[m].result, {cells.x, cells.y - 14 * k},
                     compact ? 0 : cells.w + plan.right_names + plan.card, flown.on > 0 ? said_of(d, kWays[m]) : "");
    if (!compact && flown.on > 0) d.figure.elements.back().opacity = flown.on;
    add_result(d, plan, m);
    std::size_t first = d.figure.elements.size();
    if (compact || m + 1 == kWays.size()) add_feature_names(d, kWays[m].result, cells);
    show_since(d.figure, first, flown.on);
    if (compact && m > 0) continue;  // the words of all three are to the left
    first = d.figure.elements.size();
    add_row_names(d, kWays[m].result,
                  {.rect = beside(cells), .align = compact ? Align::right : Align::left, .type = plan.small_words});
    // Each name comes with its row.
    for (int i = 0; i < rows; ++i)
      d.figure.elements[first + static_cast<std::size_t>(i)].opacity *=
          i == d.row ? flown.on : std::clamp(flown.others * static_cast<float>(rows) - static_cast<float>(i), 0.F, 1.F);
  }
}

}  // namespace

Input input_of(const Drawing& d) { return placed(d, plan_of(d)); }

void mark_qkv(Drawing& d) {
  add_outline(d.figure, kQ, d.row, -1, d.colours.ink);
  if (d.state.given()) return;  // its keys are not its queries' words
  for (const std::string_view tensor : {kX, kK, kV}) add_outline(d.figure, tensor, d.row, -1, d.colours.ink);
  if (const Source told = told_number(d); !d.view.compact()) {  // by the card
    add_outline(d.figure, told.tensor, told.row, told.column, d.colours.ink);
    add_outline(d.figure, recipes(d.state, d.trace).of(told.tensor).right(), -1, told.column, d.colours.ink);
  }
  // A row on its way has an edge of its own.
  std::erase_if(d.figure.elements, [](const Element& element) {
    return element.id.starts_with("outline.") && element.id.find(".flying") != std::string::npos;
  });
}

float draw_qkv(Drawing& d) {
  const bool compact = d.view.compact();
  const Plan plan = plan_of(d);
  if (compact)
    add_falls(d, plan);
  else
    add_streams(d, plan);
  add_matrices(d, plan);
  add_lenses(d, plan);
  // What goes through a lens is seen in it.
  const auto flies = [](const Element& element) { return element.id.find(".flying") != std::string::npos; };
  std::vector<Element> flying;
  std::ranges::copy_if(d.figure.elements, std::back_inserter(flying), flies);
  std::erase_if(d.figure.elements, flies);
  std::ranges::move(flying, std::back_inserter(d.figure.elements));
  if (plan.card > 0) add_products(d, plan);
  const Rect& V = plan.results.back();
  const float features = feature_names_height(d, kV, V.w / static_cast<float>(columns_of(d, kV)));
  return std::max(V.bottom() + features, plan.lenses.back().y + plan.radius);
}

}  // namespace limelight::scenes::spotlight
