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

float add_difference(Drawing& d, std::string_view tensor, Point place, std::string told) {
  const Source at{std::string(tensor), 0, 0};
  const float room = d.margin() + d.inner() - place.x;
  const auto error = static_cast<double>(d.trace.at(tensor).values(0, 0));
  const bool same = error < rounding(d.trace);
  if (same || told.empty()) told = !same ? io::format_short(error) : error == 0 ? "the same" : "the same, to rounding";
  const std::string words = same ? "The outputs are" : "The outputs differ by at most";
  const float width =
      add_words(d, cell_id(at) + ".words", place, room, words, {d.colours.muted, larger(d, type::body)});
  const auto [face, size] = larger(d, type::subtitle);
  const float number = text::measure(face, size, told) + 1;
  place = width + 8 + number <= room ? Point{place.x + width + 8, place.y} : Point{place.x, place.y + 18};
  add_told(d, at, {place.x, place.y, number, 18}, told, {d.colours.ink, {face, size}},
           "The outputs differ by at most " + io::format_short(error));
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

void add_made(Drawing& d, const std::string& id, const Source& at, Rect rect, const std::vector<float>& weights,
              bool looked_at) {
  const Tensor& Y = d.trace.at(at.tensor);
  const Rect shown = shown_of(d, rect);
  add_output_picture(d, id, at, shown, weights);
  if (name_below(d, rect) > 0)
    add_words(d, id + ".numbers", {rect.x - 12, shown.bottom() + 1, rect.w + 24, 17}, numbers_of(d, Y, at.row),
              {looked_at ? d.colours.output : d.colours.muted, named_type(d), Align::centre});
  const Colour edge = d.colours.output_fill.faded(looked_at ? 1 : 0.6F);
  add_part(d, id + ".edge", d.video() ? Role::cell : Role::none, shown.inset(-2),
           "Output of " + Y.row_labels[static_cast<std::size_t>(at.row)],
           Rectangle{.stroke = edge, .stroke_width = looked_at ? 2.6F : 1.4F, .radius = 5})
      .source = at;
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
  for (int line = 0; differs && (!d.narrow() || d.view.place.step == 7) && line < (d.narrow() ? 1 : 2); ++line)
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
    if (d.narrow()) {  // whose it is, above its lamp
      const float width = text::measure(text::Face::semibold, 11, name) + 1;
      const Rect above{at.right() + 9 - width, at.y - 30, width, 15};
      add_box(d, "made.query.ground", above.inset(-1), {.fill = d.colours.surface.faded(0.86F), .radius = 5});
      add_words(d, "made.query.name", above, name, {d.colours.query, {text::Face::semibold, 11}, Align::right});
    }
    if (cells)
      add_part(d, "made.query.cells", Role::cell, {at.x + 8, at.bottom() - 13, at.w - 16, 8}, "Query of " + name,
               small_cells({Q.name, query.row, 0, 1, Q.columns()}, 8, d.colours.query_fill, d.view.theme));
  });
}

}  // namespace limelight::scenes::layer
