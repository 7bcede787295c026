// The five layers side by side as small machines, each a button to its step.
#include <algorithm>
#include <array>

#include "figure/ribbon.h"
#include "scenes/layer/machine.h"
#include "scenes/layer/pipes.h"

namespace limelight::scenes::layer {
namespace {

struct Told {
  std::string_view step, name, said;
};
constexpr std::array<Told, 5> kTold = {{{"query", "one query", "a q of its own"},
                                        {"queries", "many queries", "Q of their own"},
                                        {"keys", "keys, values", "matrices on X"},
                                        {"self", "self", "three taps on X"},
                                        {"cross", "cross", "Q taps Z"}}};

void add_block(Drawing& d, const std::string& id, Rect rect, Colour fill) {
  d.figure.add({.id = id, .rect = rect, .shape = Rectangle{.fill = fill, .radius = 3}});
}

// `at` is 172 × 142 at scale 1.
void add_small(Drawing& d, const std::string& id, Point at, float k, int which) {
  const Form& form = form_at({which + 1, 0});
  const Theme theme = d.view.theme;
  const auto x = [&](float along) { return at.x + along * k; };
  const auto y = [&](float down) { return at.y + down * k; };
  const float q = 30, key = 86, value = 142, focus = 84, second = 116;  // middles; the row of blocks; the second strip
  const auto block = [&](const char* part, float left, float top, float w, float h, Colour fill) {
    add_block(d, id + part, {x(left), y(top), w * k, h * k}, fill);
  };
  const auto pipe = [&](const char* part, float from_y, float to_y, float along, Colour colour, bool dry = false) {
    add_pipe(d.figure, id + part,
             {.corners = {{x(along), y(from_y)}, {x(along), y(to_y)}}, .colour = colour, .width = 6.5F * k, .dry = dry},
             theme);
  };
  block(".X", 0, 0, 172, 20, d.colours.input_fill.faded(0.4F));
  const auto letter = [&](const char* part, const char* name, float along, float down) {
    d.figure.add({.id = id + part,
                  .rect = {x(along), y(down), 20 * k, 20 * k},
                  .shape = FormulaBox{.formula = symbol(name), .size = 15 * k, .colour = d.colours.ink}});
  };
  letter(".X.name", "X", 154, 0);
  pipe(".value", 20, focus - 12, value, d.colours.value_fill);
  pipe(".key", 20, focus - 12, key, d.colours.key_fill);
  const auto lens = [&](const char* part, float along, float down, Colour ring) {
    const float r = 9 * k;
    d.figure.add({.id = id + part,
                  .rect = {x(along) - r, y(down) - r, 2 * r, 2 * r},
                  .shape = Rectangle{.fill = d.colours.surface, .stroke = ring, .stroke_width = 2, .radius = r}});
    const Formula matrix = symbol("W");
    if (k >= 0.8F)
      d.figure.add({.id = id + part + ".letter",
                    .rect = {x(along) - set_formula(matrix, 11 * k).width / 2, y(down) - r, 2 * r, 2 * r},
                    .shape = FormulaBox{.formula = matrix, .size = 11 * k, .colour = d.colours.ink}});
  };
  if (form.lenses) {
    lens(".W_K", key, 44, d.colours.key_fill);
    lens(".W_V", value, 44, d.colours.value_fill);
  }
  const auto tap = [&](float down) {
    const float r = 5 * k, ring = 12 * k;
    d.figure.add({.id = id + ".tap",
                  .rect = {x(q) - r, y(down) - r, 2 * r, 2 * r},
                  .shape = Rectangle{
                      .fill = d.colours.query_fill, .stroke = d.colours.surface, .stroke_width = 1.4F, .radius = r}});
    d.figure.add({.id = id + ".tap.ring",
                  .rect = {x(q) - ring, y(down) - ring, 2 * ring, 2 * ring},
                  .shape = Rectangle{.stroke = d.colours.ink, .stroke_width = 1.8F, .radius = ring}});
  };
  if (form.queries == QueriesFrom::inputs) {
    pipe(".query", 20, focus - 10, q, d.colours.query_fill);
    lens(".W_Q", q, 44, d.colours.query_fill);
    tap(20);
  } else if (form.queries == QueriesFrom::second) {
    pipe(".query.from", 22, focus - 12, q, d.colours.query_fill, true);
    block(".Z", 0, second, 80, 18, d.colours.input_fill.faded(0.4F));
    letter(".Z.name", "Z", 62, second - 1);
    pipe(".query", second, focus + 10, q, d.colours.query_fill);
    tap(second);
  }
  const int rows = which == 0 ? 1 : 3;
  const float h = which == 0 ? 16.F : 6.F;
  for (int i = 0; i < rows; ++i)
    add_block(
        d, id + ".Q." + std::to_string(i),
        {x(q - 18), y(focus - h / 2 + 8 * (static_cast<float>(i) - static_cast<float>(rows - 1) / 2)), 36 * k, h * k},
        d.colours.query_fill.faded(0.8F));
  if (form.queries == QueriesFrom::own)
    d.figure.add({.id = id + ".own",
                  .rect = {x(q - 25), y(focus - 19), 50 * k, 38 * k},
                  .shape = Rectangle{.stroke = d.colours.ink, .stroke_width = 1.8F, .radius = 9 * k}});
  block(".K", key - 12, focus - 10, 24, 20, d.colours.key_fill);
  block(".V", value - 11, focus - 12, 22, 24, d.colours.value_fill);
  const auto beam = [&](float from, float to, float half_from, float half_to) {
    return Light::Beam{.from = {x(from), y(focus)},
                       .control_from = {x(mix(from, to, 1 / 3.F)), y(focus)},
                       .control_to = {x(mix(from, to, 2 / 3.F)), y(focus)},
                       .to = {x(to), y(focus)},
                       .half_from = half_from * k,
                       .half_to = half_to * k,
                       .intensity = 1.2F};
  };
  d.figure.add(
      {.id = id + ".light",
       .rect = {x(q), y(focus - 20), (value - q) * k, 40 * k},
       .shape = Light{.beams = {beam(q + 20, key - 10, 3, 11), beam(key + 12, value - 8, 9, 9)}, .theme = theme}});
  pipe(".output", focus + 12, second + 4, value, d.colours.output_fill);
  const int outputs = which == 0 ? 1 : which == 3 ? 4 : 3;
  for (int i = 0; i < outputs; ++i)
    block((".Y." + std::to_string(i)).c_str(), value + 8 - 15 * static_cast<float>(outputs - i - 1) - 10, second + 2,
          12, 18, d.colours.output_fill);
}

}  // namespace

float add_forms(Drawing& d, Rect area) {
  const bool narrow = d.narrow();
  const float head = narrow ? 38 : 46, drawn = 144;  // px of a card's words; of a drawing at scale 1
  const int count = static_cast<int>(kTold.size());
  const float gap = narrow ? 5 : 14, pad = narrow ? 6 : 14;
  const float w = (area.w - gap * static_cast<float>(count - 1)) / static_cast<float>(count);
  for (int i = 0; i < count; ++i) {
    const Told& told = kTold[static_cast<std::size_t>(i)];
    const Rect card{area.x + static_cast<float>(i) * (w + gap), area.y, w, area.h};
    const std::string id = "form." + std::string(told.step), name(told.name);
    const bool on = d.view.hovered == id;
    d.figure.add({.id = id + ".place",
                  .rect = card,
                  .shape = Rectangle{.fill = d.colours.surface.faded(on ? 1.F : 0.62F),
                                     .stroke = on ? d.colours.ink : d.colours.track,
                                     .stroke_width = on ? 2.F : 1.F,
                                     .radius = narrow ? 8.F : 12.F}});
    // On a phone a name is in two lines, and all that is said.
    const std::size_t space = narrow ? std::min(name.find(' '), name.size()) : name.size();
    const std::string below = !narrow ? std::string(told.said) : space < name.size() ? name.substr(space + 1) : "";
    const TextStyle strong{d.colours.ink, narrow ? type::name : type::title};
    add_words(d, id + ".name", {card.x + pad, card.y + (narrow ? 5 : 8), w - pad, narrow ? 15.F : 20.F},
              name.substr(0, space), strong);
    add_words(d, id + ".said", {card.x + pad, card.y + (narrow ? 19 : 27), w - pad, 16}, below,
              narrow ? strong : TextStyle{d.colours.muted, type::label});
    // Where a press leads.
    if (!narrow && pad + text::measure(strong.type.face, strong.type.size, name) + 36 < w)
      add_words(d, id + ".leads", {card.right() - 30, card.y + 8, 18, 20}, "→",
                {on ? d.colours.ink : d.colours.faint, type::title, Align::right});
    const float k = std::min((w - (narrow ? 8 : 28)) / 172, (area.h - head - (narrow ? 4 : 8)) / drawn);
    d.figure.add({.id = id,
                  .role = Role::button,
                  .rect = card,
                  .label = name + ": go to this step",
                  .edit = Edit{.field = "step", .value = std::string(told.step)},
                  .furniture = true});
    add_small(d, id, {card.centre().x - 86 * k, card.y + head}, k, i);
  }
  return area.bottom();
}

}  // namespace limelight::scenes::layer
