#include "scenes/layer/parts.h"

#include <algorithm>

#include "io/numbers.h"
#include "scenes/common/chips.h"
#include "scenes/layer/pairs.h"

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

// A verdict, and a number of the trace with words around it that shows it. Returns the bottom.
struct Claim {
  std::string_view tensor;
  std::string verdict, words;
};
// Words stand below their verdict where they have no room beside it.
bool stacked(const Drawing& d) { return d.figure.width < 900; }

float add_claim(Drawing& d, const Claim& claim, float y) {
  constexpr float kHeight = 26, kDisc = 11;
  constexpr Type kVerdict{text::Face::semibold, 15};
  const float error = d.trace.at(claim.tensor).values(0, 0);
  const bool same = static_cast<double>(error) < rounding(d.trace);
  const Source source{std::string(claim.tensor), 0, 0};
  const std::string id = cell_id(source), number = error_text(static_cast<double>(error), rounding(d.trace));
  std::string words = claim.words;
  if (same && error > 0) words += " (" + io::format_short(error) + ", rounding)";
  float x = d.margin();
  add_verdict(d, id + ".verdict.sign", {x + kDisc, y + kHeight / 2}, kDisc, same);
  x += 2 * kDisc + 8;
  const float width = text::measure(kVerdict.face, kVerdict.size, claim.verdict) + 1;
  add_words(d, id + ".verdict", {x, y, std::min(width, d.margin() + d.inner() - x), kHeight}, claim.verdict,
            {d.colours.ink, kVerdict});
  x += width + 16;
  if (stacked(d)) x = d.margin(), y += kHeight + 2;
  // The monospaced face has no raised digits.
  const float number_width = text::measure(text::Face::semibold, 13, number) + 16;
  d.figure.add({.id = id,
                .role = Role::cell,
                .rect = {x, y, number_width, kHeight},
                .label = words + " " + number,
                .source = source,
                .shape = Rectangle{.fill = d.colours.ink.faded(0.16F), .radius = 6}});
  add_words(d, id + ".text", {x + 8, y, number_width - 16, kHeight}, number, {d.colours.ink, type::subtitle});
  x += number_width + 10;
  return y + std::max(kHeight, add_paragraph(d.figure, id + ".words", words, {x, y + 3}, d.margin() + d.inner() - x, 13,
                                             d.colours.muted, d.colours.ink));
}

}  // namespace

std::string error_text(double error, double most_rounding) {
  return error > 0 && error < most_rounding ? "≈ 0" : io::format_short(error);
}

float errors_height(const Drawing& d) { return stacked(d) ? 2 * 70 : 2 * 32; }

float add_checks(Drawing& d, float y) {
  const bool same = static_cast<double>(d.trace.at(kError).values(0, 0)) < rounding(d.trace);
  y = add_claim(d,
                {kError, same ? "The outputs are shuffled along" : "The outputs differ",
                 "is the largest difference between the two orders"},
                y) +
      6;
  const bool nothing = static_cast<double>(d.trace.at(kErrorKeys).values(0, 0)) < rounding(d.trace);
  return add_claim(d,
                   {kErrorKeys, nothing ? "Shuffled inputs change nothing" : "Shuffled inputs change something",
                    "is the largest difference where others ask, as in Cross"},
                   y);
}

float add_position_check(Drawing& d, float y) {
  const bool same = static_cast<double>(d.trace.at(kErrorPos).values(0, 0)) < rounding(d.trace);
  return add_claim(d,
                   {kErrorPos, same ? "This order goes unnoticed" : "The order counts",
                    "is the largest difference between the two orders"},
                   y);
}

}  // namespace limelight::scenes::layer
