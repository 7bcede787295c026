#include "scenes/layer/parts.h"

#include <algorithm>
#include <cmath>

#include "figure/small_cells.h"
#include "io/numbers.h"
#include "scenes/common/chips.h"
#include "scenes/common/explain.h"

namespace limelight::scenes::layer {
namespace {

ChipGroup orders(const Drawing& d) {
  const int count = sizes(d.state).inputs;
  const auto written = [count](const io::Order& order) { return io::write_value(io::Order{order.of(count)}); };
  ChipGroup group{"order", "order", {}};
  const std::string now = written(d.state.order);
  const std::pair<const char*, io::Order> list[] = {{"as is", {}},
                                                    {"swap", swapped(count)},
                                                    {"reverse", reversed(count)},
                                                    {"shuffle", shuffled(d.state.order, count)}};
  for (const auto& [name, order] : list) {
    const std::string value = written(order);
    group.chips.push_back({name, value, value == now, {}});
  }
  return group;
}

constexpr float kLeastFilm = 24;  // px of height; what is lower is its name alone

// A film keeps its shape, and has its name below it where there is room.
float name_below(const Drawing& d, Rect rect) { return d.video() && rect.h >= 38 ? larger(d, 15.F) : 0; }

Type named_type(const Drawing& d) { return larger(d, d.narrow() ? type::caption : type::body); }

std::string brief_name(const std::string& name) { return name == "minutes" ? "min" : name; }

// "10.13   2.90", on a phone with what it is.
std::string numbers_of(const Drawing& d, const Tensor& Y, int row) {
  std::string told;
  for (int j = 0; j < numbers_shown(d, Y); ++j)
    told += (j > 0 ? "   " : "") + io::format_fixed(static_cast<double>(Y.values(row, j)), 2);
  return d.narrow() ? told + " " + brief_name(label_of(Y.column_labels, 0)) : told;
}

}  // namespace

void add_told(Drawing& d, const Source& source, Rect rect, const std::string& words, TextStyle style,
              std::string label) {
  add_words(d, cell_id(source), rect, words, style);
  Element& told = d.figure.elements.back();
  told.role = Role::cell, told.label = std::move(label), told.source = source;
}

void add_numbers(Drawing& d, const std::string& id, const Source& row, Rect rect) {
  const Tensor& Y = d.trace.at(row.tensor);
  const float cell = rect.w / static_cast<float>(Y.columns());
  const float digits = std::min({0.36F * cell, 0.5F * rect.h, std::clamp(d.figure.width / 80, 13.F, 18.F)});
  MatrixCells cells = small_cells({row.tensor, row.row, 0, 1, Y.columns()}, std::min(cell, rect.h),
                                  d.colours.output_fill, d.view.theme);
  if (digits >= 11) cells.text_size = digits;
  cells.decimals = cell < 44 ? 1 : 2;
  add_part(d, id, Role::cell, rect, "Output of " + Y.row_labels[static_cast<std::size_t>(row.row)], cells);
}

void add_output_picture(Drawing& d, const std::string& id, const Source& row, Rect rect,
                        std::span<const float> weights) {
  if (d.video()) return films::add_mix(d.figure, id, weights, rect);
  add_box(d, id + ".ground", rect, {.fill = d.colours.surface, .radius = 4});
  add_numbers(d, id, row, rect.inset(1));
}

float add_orders(Drawing& d, float y) { return add_chips(d, {orders(d)}, y, d.press_height()); }

float add_encodings(Drawing& d, float y) {
  std::vector<ChipGroup> groups{chips_of("positions", "positions", kEncodings, static_cast<int>(d.state.positions)),
                                {"causal", "mask", {{"causal", d.state.causal ? "off" : "on", d.state.causal, {}}}}};
  if (d.state.numbers) groups.insert(groups.begin(), orders(d));
  return add_chips(d, groups, y, d.press_height());
}

std::array<std::string, 2> gap_of(const Tensor& one, const Tensor& other, int row, int columns, int rows) {
  std::array<std::string, 2> told;
  double most = -1;
  const auto seen = [](float number) { return io::round_to(static_cast<double>(number), 0.01); };
  for (int i = row; i < row + rows; ++i)
    for (int j = 0; j < columns; ++j) {
      const double by = std::abs(seen(one.values(i, j)) - seen(other.values(i, j)));
      const std::string name = one.column_labels.empty() ? "" : one.column_labels[static_cast<std::size_t>(j)];
      if (by > most) most = by, told = {io::format_fixed(by, 2), brief_name(name)};
    }
  return told;
}

float add_difference(Drawing& d, std::string_view tensor, const std::string& outputs, Point place, std::string told) {
  const Source at{std::string(tensor), 0, 0};
  const float room = d.margin() + d.inner() - place.x;
  const auto error = static_cast<double>(d.trace.at(tensor).values(0, 0));
  const bool same = error < rounding(d.trace);
  if (same || told.empty()) told = !same ? io::format_short(error) : error == 0 ? "the same" : "the same, to rounding";
  const std::string words = outputs + (same ? " are" : " differ by at most");
  const float width =
      add_words(d, cell_id(at) + ".words", place, room, words, {d.colours.muted, larger(d, type::body)});
  const auto [face, size] = larger(d, type::subtitle);
  const float number = text::measure(face, size, told) + 1;
  place = width + 8 + number <= room ? Point{place.x + width + 8, place.y} : Point{place.x, place.y + 18};
  add_told(d, at, {place.x, place.y, number, 18}, told, {d.colours.ink, {face, size}},
           outputs + " differ by at most " + io::format_short(error));
  return place.y + 18;
}

float strength_of(float largest_weight) { return std::clamp(0.5F / std::max(largest_weight, 1e-3F), 1.F, 5.F); }

Rect shown_of(const Drawing& d, Rect card) {
  if (!d.video() || card.h < kLeastFilm) return card;
  const float height = std::min(card.h - name_below(d, card), card.w / films::kShape);
  return {card.centre().x - height * films::kShape / 2, card.y, height * films::kShape, height};
}

int numbers_shown(const Drawing& d, const Tensor& Y) { return d.video() && d.figure.width < kBeside ? 1 : Y.columns(); }

void add_input(Drawing& d, const std::string& name_of, int input, Rect rect, int place) {
  const std::string& name = d.trace.at(kX).row_labels[static_cast<std::size_t>(input)];
  const std::string id = place < 0 ? name_of : "place." + std::to_string(place);
  const bool film = d.video() && rect.h >= kLeastFilm, hovered = d.view.hovered == id;
  const Rect shown = shown_of(d, rect), edge = shown.inset(d.video() ? -2.F : 0);
  if (film) films::add_film(d.figure, name_of + ".film", input, shown);
  add_box(d, name_of + ".edge", edge,
          card_look(d.video() ? Colour{0, 0, 0, 0} : d.colours.surface,
                    hovered ? d.colours.accent : d.colours.input_fill, hovered, std::min(6.F, 0.3F * rect.h)));
  if (place >= 0)
    add_press(d, id, Role::token, edge, name + ", in place " + std::to_string(place + 1) + ": drag it to another",
              {.field = "order", .place = place});
  else
    add_part(d, id, Role::image, edge, d.video() ? said_of(d.trace.at(kX), input) : name);
  if (film && name_below(d, rect) == 0) return;
  const Type type = film ? named_type(d) : larger(d, Type{text::Face::semibold, std::clamp(0.7F * rect.h, 11.F, 13.F)});
  const TextStyle style{d.colours.input, type, Align::centre};
  const Rect words = film ? Rect{rect.x - 10, shown.bottom() + 1, rect.w + 20, 17} : rect.inset(1);
  add_words(d, name_of + ".word", words, name, film ? style : fitted(style, name, words.w));
}

void add_made(Drawing& d, const std::string& id, const Source& at, Rect rect, float small,
              const std::vector<float>& weights, bool looked_at) {
  const Tensor& Y = d.trace.at(at.tensor);
  const Rect shown = shown_of(d, rect);
  Type type = named_type(d);
  type.size *= small;
  add_output_picture(d, id, at, shown, weights);
  if (name_below(d, rect) > 0)
    add_words(d, id + ".numbers", {rect.x - 12, shown.bottom() + 1, rect.w + 24, 17}, numbers_of(d, Y, at.row),
              {looked_at ? d.colours.output : d.colours.muted, type, Align::centre});
  const Colour edge = d.colours.output_fill.faded(looked_at ? 1 : 0.6F);
  add_part(d, id + ".edge", d.video() ? Role::cell : Role::none, shown.inset(-2),
           "Output of " + Y.row_labels[static_cast<std::size_t>(at.row)],
           Rectangle{.stroke = edge, .stroke_width = looked_at ? 2.6F : 1.4F, .radius = 5})
      .source = at;
}

void add_clock(Drawing& d, const std::string& id, const Matrix& P, int i, int asks, Rect rect) {
  constexpr float kAir = 0.16F, kHalf = 3.1415927F;  // beyond both hands; half a turn
  constexpr int kPieces = 16, kMostShown = 8;        // of an arc; numbers of a mark
  const int sine = d.state.positions == Encoding::rotary ? 1 : 0;
  const Point middle = rect.centre();
  float reach = 0.43F * rect.h, width = 0.06F * rect.h;
  for (int j = 0; j + 1 < std::min(kMostShown, static_cast<int>(P.cols())); j += 2) {
    const auto turn = [&](int place) { return std::atan2(P(place, j + sine), P(place, j + 1 - sine)); };
    const std::string number = "." + std::to_string(j);
    const auto at = [&](float angle) {
      return Point{middle.x + reach * std::sin(angle), middle.y - reach * std::cos(angle)};
    };
    if (i >= 0) {
      const float own = turn(i), between = std::remainder(turn(asks) - own, 2 * kHalf),
                  air = std::copysign(kAir, between);
      const Colour fill = std::cos(between) > 0 ? d.colours.amber : d.colours.muted.faded(0.3F);
      Area area{.points = {middle}, .fill = fill, .fill_to = fill};
      for (int piece = 0; piece <= kPieces; ++piece)
        area.points.push_back(at(own - air + (between + 2 * air) * static_cast<float>(piece) / kPieces));
      d.figure.add({.id = id + ".between" + number, .rect = rect, .shape = std::move(area)});
    }
    add_stroke(d, id + ".asks" + number, {middle, at(turn(asks))}, d.colours.query_fill, 1.8F * width);
    if (i >= 0) add_stroke(d, id + number, {middle, at(turn(i))}, d.colours.ink, width);
    reach *= 0.6F, width *= 1.3F;
  }
}

void add_score(Drawing& d, int query, int place, Rect at, float grown) {
  const auto with = d.trace.at(kPlaced.scores).values.row(query),
             without = d.trace.at(kShuffled.scores).values.row(query);
  float low = std::min(without.minCoeff(), 0.F), high = std::max(without.maxCoeff(), low + 1e-3F);
  for (const float score : with)
    if (std::isfinite(score)) low = std::min(low, score), high = std::max(high, score);
  const std::string id = "score." + std::to_string(place), sum = io::format_fixed(static_cast<double>(with[place]), 1);
  const Type type{text::Face::mono_bold, d.narrow() ? 11 : larger(d, 12.F)};
  const float digits = text::measure(type.face, type.size, "-00.0"), unit = (at.w - digits - 10) / (high - low),
              lane = 0.5F * at.h - 3;
  const auto x = [&](float score) { return at.x + 5 + unit * (score - low); };
  const float end = mix(without[place], with[place], grown);
  add_box(d, id + ".ground", at, {.fill = d.colours.surface.faded(0.9F), .radius = 4});
  add_box(d, id + ".zero", {x(0) - 0.5F, at.y + 1, 1, at.h - 2}, {.fill = d.colours.muted});
  const auto add = [&](std::string_view tensor, float from, float to, float y, Colour fill, const std::string& label) {
    const Rect bar{std::min(x(from), x(to)), y, std::max(std::abs(x(to) - x(from)), 1.F), lane};
    add_part(d, id + "." + std::string(tensor), Role::cell, bar,
             label + io::format_fixed(static_cast<double>(to - from), 1), Rectangle{.fill = fill, .radius = 1})
        .source = Source{std::string(tensor), query, place};
  };
  add(kShuffled.scores, 0, without[place], at.y + 2.5F, d.colours.score_fill, "Words make of this score ");
  add(kMarks, without[place], end, at.y + 3.5F + lane, d.colours.ink, "The marks add to this score ");
  add_told(d, {std::string(kPlaced.scores), query, place}, {at.right() - digits - 3, at.y, digits, at.h}, sum,
           {d.colours.ink, type, Align::right}, "The score " + sum);
}

void add_verdict(Drawing& d, const std::string& id, Point at, float radius, float apart, float most,
                 const std::array<std::string, 2>& told) {
  const bool same = static_cast<double>(apart) < rounding(d.trace), differs = !same && told[0] != kNoGap;
  if (differs) radius *= std::max(std::sqrt(apart / most), d.narrow() ? 0.85F : 0.6F);
  const Rect disc = Rect{at.x, at.y, 0, 0}.inset(-radius);
  const Colour fill = differs ? d.colours.output : same ? d.colours.ink : d.colours.muted;
  add_box(d, id + ".disc", disc, {.fill = fill, .radius = radius});
  const char* sign = same ? "=" : differs ? "≠" : "≈";
  add_words(d, id, disc, sign, {d.colours.surface, {text::Face::semibold, 1.5F * radius}, Align::centre});
  for (int line = 0; differs && !d.narrow() && line < 2; ++line)
    add_words(d, id + (line == 0 ? ".by" : ".of"),
              {at.x - 10, disc.bottom() + 1 + 13 * static_cast<float>(line), 44, 14},
              told[static_cast<std::size_t>(line)], {fill, line == 0 ? type::small_number : type::caption});
}

void add_asking(Drawing& d, const Source& query, Rect at, float told) {
  const Tensor& Q = d.trace.at(query.tensor);
  const std::string& name = Q.row_labels[static_cast<std::size_t>(query.row)];
  const Colour fill = mix(d.colours.surface, d.colours.query_fill, is_dark(d.view.theme) ? 0.5F : 0.3F);
  add_box(d, "made.query", at,
          {.fill = fill, .stroke = d.colours.query_fill, .stroke_width = 1.6F, .radius = 0.15F * at.h});
  const bool brief = at.w < kNamedFrom, cells = !brief && at.h > 30;
  const TextStyle style{ink_on(fill), {text::Face::semibold, larger(d, 13.F)}, Align::centre};
  add_seen(d, told, [&] {
    add_words(d, "made.query.words", {at.x + 3, at.y + 2, at.w - 6, at.h - (cells ? 15 : 4)}, brief ? "q" : name,
              fitted(style, brief ? "q" : name, at.w - 6));
    if (cells)
      add_part(d, "made.query.cells", Role::cell, {at.x + 8, at.bottom() - 13, at.w - 16, 8}, "Query of " + name,
               small_cells({Q.name, query.row, 0, 1, Q.columns()}, 8, d.colours.query_fill, d.view.theme));
  });
}

}  // namespace limelight::scenes::layer
