// The five layers side by side as small machines, each a button to its step.
#include <algorithm>
#include <array>

#include "figure/lamp.h"
#include "figure/pipe.h"
#include "scenes/common/explain.h"
#include "scenes/layer/machine.h"

namespace limelight::scenes::layer {
namespace {

struct Named {
  std::string_view step, name, said;
};
constexpr std::array<Named, 5> kNamed = {{{"query", "one query", "One question looks at all inputs."},
                                          {"queries", "many queries", "Each question has its own light."},
                                          {"keys", "keys, values", "Found by keys, giving values."},
                                          {"self", "self", "The inputs ask each other."},
                                          {"cross", "cross", "A second sequence asks the first."}}};

// A drawing of 172 × 142 at scale 1, whose upper left corner is at `at`.
struct Small {
  Drawing& d;
  std::string id;
  Point at;
  float k;

  // Middles of the columns; the row of blocks; the second strip.
  static constexpr float kLetters = 0.7F;  // the least scale at which they can be read
  static constexpr float kQuery = 30, kKey = 92, kValue = 144, kFocus = 84, kSecond = 116;

  [[nodiscard]] Point place(float x, float y) const { return {at.x + x * k, at.y + y * k}; }
  [[nodiscard]] Rect rect(float x, float y, float w, float h) const {
    return {at.x + x * k, at.y + y * k, w * k, h * k};
  }
  void block(const std::string& part, Rect r, Colour fill) const {
    add_box(d, id + part, r, {.fill = fill, .radius = 3});
  }
  void strip(const char* letter, Rect r) const {
    block(std::string(".") + letter, r, d.colours.input_fill.faded(0.4F));
    if (k < kLetters) return;
    add_formula(d, id + "." + letter + ".name", {r.right() - 18 * k, r.y, 20 * k, r.h}, symbol(letter), 15 * k,
                d.colours.ink);
  }
  void pipe(const char* part, float x, float from, float to, Colour colour, bool dry = false) const {
    add_pipe(d.figure, id + part,
             {.corners = {place(x, from), place(x, to)}, .colour = colour, .width = 6.5F * k, .dry = dry},
             d.view.theme);
  }
  void lens(const char* part, float x, Colour stroke) const {
    ring(part, x, 44, 9, d.colours.surface, stroke);
    const Formula matrix = symbol("W");
    const float width = set_formula(matrix, 11 * k).width / k;
    if (k >= kLetters)
      add_formula(d, id + part + ".letter", rect(x - width / 2, 35, width + 1, 18), matrix, 11 * k, d.colours.ink);
  }
  void ring(const char* part, float x, float y, float radius, Colour fill, Colour stroke) const {
    add_box(d, id + part, rect(x - radius, y - radius, 2 * radius, 2 * radius),
            {.fill = fill, .stroke = stroke, .stroke_width = 2, .radius = radius * k});
  }
};

void add_taps(const Small& s, const Form& form) {
  const Palette& c = s.d.colours;
  s.pipe(".value", Small::kValue, 20, Small::kFocus - 12, c.value_fill);
  s.pipe(".key", Small::kKey, 20, Small::kFocus - 12, c.key_fill);
  if (form.lenses) s.lens(".W_K", Small::kKey, c.key_fill);
  if (form.lenses) s.lens(".W_V", Small::kValue, c.value_fill);
  if (form.queries == QueriesFrom::own) {
    const Rect own = s.rect(Small::kQuery - 25, Small::kFocus - 19, 50, 38);
    add_box(s.d, s.id + ".own", own, {.stroke = c.ink, .stroke_width = 1.8F, .radius = 9 * s.k});
    return;
  }
  const bool second = form.queries == QueriesFrom::second;
  if (second) {
    s.pipe(".query.from", Small::kQuery, 22, Small::kFocus - 12, c.query_fill, true);
    s.strip("Z", s.rect(0, Small::kSecond, 84, 18));
    s.pipe(".query", Small::kQuery, Small::kSecond, Small::kFocus + 10, c.query_fill);
  } else {
    s.pipe(".query", Small::kQuery, 20, Small::kFocus - 10, c.query_fill);
    s.lens(".W_Q", Small::kQuery, c.query_fill);
  }
  // The one that moves from form to form.
  const float y = second ? Small::kSecond : 20;
  add_tap(s.d.figure, s.id + ".tap", s.place(Small::kQuery, y), c.query_fill, 0.75F * s.k, s.d.view.theme);
  s.ring(".tap.ring", Small::kQuery, y, 13, Colour{0, 0, 0, 0}, c.ink);
}

void add_small(const Small& s, const Form& form, int queries, int outputs) {
  const Palette& c = s.d.colours;
  s.strip("X", s.rect(0, 0, 172, 20));
  add_taps(s, form);
  const float h = queries == 1 ? 16.F : 6.F;
  for (int i = 0; i < queries; ++i) {
    const float y = Small::kFocus - h / 2 + 8 * (static_cast<float>(i) - static_cast<float>(queries - 1) / 2);
    s.block(".Q." + std::to_string(i), s.rect(Small::kQuery - 18, y, 36, h), c.query_fill.faded(0.8F));
  }
  const Point bulb = s.place(Small::kQuery + 36, Small::kFocus);
  const auto beam = [&](float from, float to, float half_from, float half_to) {
    return straight_beam(s.place(from, Small::kFocus), s.place(to, Small::kFocus), half_from * s.k, half_to * s.k,
                         1.2F);
  };
  s.d.figure.add({.id = s.id + ".light",
                  .rect = s.rect(Small::kQuery, Small::kFocus - 20, Small::kValue - Small::kQuery, 40),
                  .shape = Light{.beams = {beam(Small::kQuery + 36, Small::kKey - 8, 3, 11),
                                           beam(Small::kKey + 12, Small::kValue - 8, 9, 9)},
                                 .theme = s.d.view.theme}});
  add_lamp(s.d.figure, s.id + ".lamp",
           {.bulb = bulb, .cable_from = bulb.x - 18 * s.k, .scale = 0.36F * s.k, .hung = Hung::left}, s.d.view.theme);
  s.block(".K", s.rect(Small::kKey - 12, Small::kFocus - 10, 24, 20), c.key_fill);
  s.block(".V", s.rect(Small::kValue - 11, Small::kFocus - 12, 22, 24), c.value_fill);
  s.pipe(".output", Small::kValue, Small::kFocus + 12, Small::kSecond + 4, c.output_fill);
  for (int i = 0; i < outputs; ++i)
    s.block(".Y." + std::to_string(i),
            s.rect(Small::kValue - 2 - 15 * static_cast<float>(outputs - i - 1), Small::kSecond + 2, 12, 18),
            c.output_fill);
}

}  // namespace

float add_forms(Drawing& d, Rect area) {
  const bool narrow = d.narrow();
  const int count = static_cast<int>(kNamed.size());
  const float gap = narrow ? 5 : 14, pad = narrow ? 6 : 12;
  const float w = (area.w - gap * static_cast<float>(count - 1)) / static_cast<float>(count);
  const auto card_of = [&](int i) { return Rect{area.x + static_cast<float>(i) * (w + gap), area.y, w, area.h}; };
  float head = area.y;  // where all drawings may begin
  for (int i = 0; i < count; ++i) {
    const Named& told = kNamed[static_cast<std::size_t>(i)];
    const Rect card = card_of(i);
    const std::string id = "form." + std::string(told.step), name(told.name);
    const bool on = d.view.hovered == id;
    add_box(d, id + ".place", card,
            {.fill = d.colours.surface.faded(on ? 1.F : 0.62F),
             .stroke = on ? d.colours.ink : d.colours.track,
             .stroke_width = on ? 2.F : 1.F,
             .radius = narrow ? 8.F : 12.F});
    float words = add_note(d, id + ".name", bold(name), {card.x + pad, card.y + (narrow ? 5 : 8)}, w - pad - 2,
                           narrow ? type::name.size : type::title.size);
    if (!narrow)
      words = add_note(d, id + ".said", std::string(told.said), {card.x + pad, words}, w - pad - 4, type::label.size);
    head = std::max(head, words + (narrow ? 0 : 6));
    d.figure.add({.id = id,
                  .role = Role::button,
                  .rect = card,
                  .label = name + ": go to this step",
                  .edit = Edit{.field = "step", .value = std::string(told.step)},
                  .furniture = true});
  }
  const float foot = narrow ? 4 : 8, k = std::min((w - (narrow ? 8 : 28)) / 172, (area.bottom() - head - foot) / 144);
  for (int i = 0; i < count; ++i) {
    const Rect card = card_of(i);
    add_small({d,
               "form." + std::string(kNamed[static_cast<std::size_t>(i)].step),
               {card.centre().x - 86 * k, (head + card.bottom() - foot - 138 * k) / 2},
               k},
              form_at({i + 1, 0}), i == 0 ? 1 : 3,
              i == 0   ? 1
              : i == 3 ? 4
                       : 3);
  }
  return area.bottom();
}

}  // namespace limelight::scenes::layer
