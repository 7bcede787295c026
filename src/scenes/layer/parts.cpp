#include "scenes/layer/parts.h"

#include <algorithm>

#include "io/numbers.h"
#include "scenes/common/chips.h"

namespace limelight::scenes::layer {
namespace {

// ---- what is chosen in the figure ----

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

float add_similarities(Drawing& d, Point at) {
  return add_chips(d, {chips_of("similarity", "similarity", kSimilarities, static_cast<int>(d.state.similarity))}, at,
                   d.figure.width - d.margin() - at.x, d.press_height());
}

float add_orders(Drawing& d, float y) { return add_chips(d, {orders(d)}, y, d.press_height()); }

float add_encodings(Drawing& d, float y) {
  return add_chips(d,
                   {orders(d),
                    chips_of("positions", "positions", kEncodings, static_cast<int>(d.state.positions)),
                    {"causal", "mask", {{"causal", d.state.causal ? "off" : "on", d.state.causal, {}}}}},
                   y, d.press_height());
}

namespace {

// ---- what the shuffle did ----

// "largest difference 2.4×10⁻⁷": a number of the trace with words around it. Returns its bottom.
float add_error(Drawing& d, std::string_view tensor, int column, std::string words, float y) {
  const float error = d.trace.at(tensor).values(0, column);
  const bool same = static_cast<double>(error) < rounding(d.trace);
  const Source source{std::string(tensor), 0, column};
  const std::string number = error_text(static_cast<double>(error), rounding(d.trace));
  if (same && error > 0) words += " (" + io::format_short(static_cast<double>(error)) + ", rounding)";
  // The monospaced face has no raised digits.
  const float number_width = text::measure(text::Face::semibold, 13, number) + 16;
  const float height = 26;
  d.figure.add({.id = cell_id(source),
                .role = Role::cell,
                .rect = {d.margin(), y, number_width, height},
                .label = words + " " + number,
                .source = source,
                .shape = Rectangle{.fill = d.colours.ink.faded(0.16F), .radius = 6}});
  add_words(d, cell_id(source) + ".text", {d.margin() + 8, y, number_width - 16, height}, number,
            {d.colours.ink, type::subtitle});
  const float x = d.margin() + number_width + 10;
  return y + std::max(height, add_paragraph(d.figure, cell_id(source) + ".words", words, {x, y + 3},
                                            d.margin() + d.inner() - x, 13, d.colours.ink, d.colours.ink));
}

}  // namespace

std::string error_text(double error, double most_rounding) {
  return error > 0 && error < most_rounding ? "≈ 0" : io::format_short(error);
}

float errors_height(const Drawing& d) { return d.view.compact() ? 2 * 46 : 2 * 32; }

float add_checks(Drawing& d, float y) {
  const bool same = static_cast<double>(d.trace.at(kError).values(0, 0)) < rounding(d.trace);
  y = add_error(d, kError, 0,
                std::string("is the largest difference between the two orders: **") +
                    (same ? "the outputs are shuffled along**" : "they differ**"),
                y) +
      6;
  return add_error(
      d, "error_keys", 0,
      "is the largest difference where others ask, as in Cross, and keys and values are shuffled: **nothing changes**",
      y);
}

float add_position_check(Drawing& d, float y) {
  const bool same = static_cast<double>(d.trace.at(kErrorPos).values(0, 0)) < rounding(d.trace);
  return add_error(d, kErrorPos, 0,
                   std::string("is the largest difference between the two orders: **") +
                       (same ? "this order goes unnoticed**" : "the order counts**"),
                   y);
}

}  // namespace limelight::scenes::layer
