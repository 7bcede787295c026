#include <algorithm>

#include "figure/panels.h"
#include "scenes/train/steps.h"

namespace limelight::scenes::train {
namespace {

using namespace figure;

constexpr float kGap = 28;

}  // namespace

float draw_task(Drawing& d, float y, float bottom) {
  const float m = d.margin();
  y = add_input(d, y) + 12;
  y = add_letters(d, {.tensor = "source", .title = "source", .colour = d.colours.input}, {m, y}, d.inner()) + 12;
  y = add_output(d, {m, y}, d.inner(), false) + 18;
  constexpr float kTable = 200, kNetwork = 236;
  if (d.narrow()) {
    y = add_network(d, {m, y, d.inner(), kNetwork}) + 20;
    return add_part_table(d, {m, y}, d.inner());
  }
  const float end = add_network(d, {m, y, d.inner() - kTable - kGap, std::clamp(bottom - y, kNetwork, 330.F)});
  return std::max(end, add_part_table(d, {m + d.inner() - kTable, y}, kTable));
}

float draw_train(Drawing& d, float y, float bottom) {
  const float m = d.margin();
  y = add_buttons(d, y) + 10;
  y = add_input(d, y) + 14;
  if (d.narrow()) {
    y = add_output(d, {m, y}, d.inner(), false) + 14;
    y = add_heatmap(d, {m, y, d.inner(), 380}, -1) + 18;
    add_loss(d, {m, y, d.inner(), 220});
    add_held_out(d, {m, y + 238, d.inner(), 220});
    return y + 458;
  }
  const float width = (d.inner() - kGap) / 2, height = std::max(380.F, bottom - y);
  add_loss(d, {m, y, width, (height - 16) / 2});
  add_held_out(d, {m, y + (height + 16) / 2, width, (height - 16) / 2});
  const float x = m + width + kGap;
  const float below = add_output(d, {x, y}, width, false) + 14;
  return std::max(y + height, add_heatmap(d, {x, below, width, std::max(220.F, y + height - below)}, -1));
}

float draw_inside(Drawing& d, float y, float bottom) {
  const float m = d.margin();
  y = add_input(d, y) + 12;
  y = add_output(d, {m, y}, d.inner(), true) + 16;
  const int row = d.told().row();
  if (d.narrow()) {
    y = add_weights_of(d, {m, y, d.inner(), 400}) + 20;
    y = add_likeliest(d, {m, y}, d.inner()) + 20;
    return add_heatmap(d, {m, y, d.inner(), 380}, row);
  }
  const float width = (d.inner() - kGap) / 2, height = std::max(330.F, bottom - y);
  const float left = add_heatmap(d, {m, y, width, height}, row);
  const float x = m + width + kGap;
  constexpr float kLikeliest = 5 * 22 + kTitleHeight + 14;
  const float middle = add_weights_of(d, {x, y, width, height - kLikeliest - 14}) + 14;
  return std::max(left, add_likeliest(d, {x, middle}, width));
}

float draw_without(Drawing& d, float y, float bottom) {
  const float m = d.margin();
  y = add_switch(d, y) + 8;
  y = add_buttons(d, y) + 14;
  const float height = d.narrow() ? 300 : std::clamp(bottom - y - 8, 280.F, 460.F);
  add_by_length(d, {m, y, d.inner(), height});
  return y + height;
}

Figure draw(const State& state, const Trace& trace, const View& view) {
  Drawing d{frame_for(trace, view), state};
  const float top = view.compact() ? 12 : 16;
  d.figure.height = row_at(view.place).draw(d, top, view.height - 12) + 12;
  return std::move(d.figure);
}

}  // namespace limelight::scenes::train
