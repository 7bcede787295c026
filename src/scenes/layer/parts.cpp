#include "scenes/layer/parts.h"

#include <algorithm>

#include "scenes/common/chips.h"

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

}  // namespace

void add_told(Drawing& d, const Source& source, Rect rect, const std::string& words, TextStyle style,
              std::string label) {
  add_words(d, cell_id(source), rect, words, style);
  Element& told = d.figure.elements.back();
  told.role = Role::cell;
  told.label = std::move(label);
  told.source = source;
}

void add_formula(Drawing& d, const std::string& id, Rect rect, const Formula& formula, float size, Colour colour) {
  d.figure.add({.id = id, .rect = rect, .shape = FormulaBox{.formula = formula, .size = size, .colour = colour}});
}

float add_orders(Drawing& d, float y) { return add_chips(d, {orders(d)}, y, d.press_height()); }

float add_encodings(Drawing& d, float y) {
  return add_chips(d,
                   {orders(d),
                    chips_of("positions", "positions", kEncodings, static_cast<int>(d.state.positions)),
                    {"causal", "mask", {{"causal", d.state.causal ? "off" : "on", d.state.causal, {}}}}},
                   y, d.press_height());
}

float add_difference(Drawing& d, std::string_view tensor, const std::string& words, float y) {
  const Source at{std::string(tensor), 0, 0};
  const std::string told = difference(static_cast<double>(d.trace.at(tensor).values(0, 0)), rounding(d.trace));
  const float width =
      add_words(d, cell_id(at) + ".words", {d.margin(), y}, d.inner(), words, {d.colours.muted, type::body});
  const auto [face, size] = type::subtitle;
  const float number = text::measure(face, size, told) + 1;
  const bool beside = width + 8 + number <= d.inner();
  const Point place = beside ? Point{d.margin() + width + 8, y} : Point{d.margin(), y + 18};
  add_told(d, at, {place.x, place.y, number, 18}, told, {d.colours.ink, {face, size}}, words + " " + told);
  return place.y + 18;
}

Light::Beam straight_beam(Point from, Point to, float half_from, float half_to, float intensity) {
  return {.from = from,
          .control_from = mix(from, to, 1 / 3.F),
          .control_to = mix(from, to, 2 / 3.F),
          .to = to,
          .half_from = half_from,
          .half_to = half_to,
          .intensity = intensity,
          .floor = {0, 1}};
}

float add_checks(Drawing& d, float y) {
  y = add_difference(d, kError, "Permutation equivariant: outputs differ by at most", y) + 4;
  return add_difference(d, kErrorKeys, "Where others ask, as in Cross, outputs differ by", y);
}

}  // namespace limelight::scenes::layer
