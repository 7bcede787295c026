// The step Positions: each place leaves a mark on what stands there, so that the same inputs in another order give
// other outputs.
#include <algorithm>

#include "figure/choreography.h"
#include "figure/small_cells.h"
#include "scenes/layer/orders.h"
#include "scenes/layer/steps.h"

namespace limelight::scenes::layer {
namespace {

// How an encoding enters the layer.
struct Entering {
  const char *said, *brief, *before, *detail;
};
constexpr Entering kEnters[] = {
    {"no marks", "no marks", "in the old order", "No positions: nothing says which place is whose."},
    {"marks on query and key", "marks", "with marks, old order",
     "Sinusoidal: each place adds a wave of its own to queries and keys, not to what is passed on."},
    {"turns of query and key", "turns", "with turns, old order",
     "Rotary: each place turns queries and keys by an angle of its own, not what is passed on."},
    {"less for what is far", "less if far", "with bias, old order",
     "Linear bias: each distance takes its share off a score."}};
constexpr int kMostShown = 8;  // numbers of a mark

// The mark of place i: its numbers in cells.
void add_mark_of(Drawing& d, const Orders& o, int i, float come) {
  const Tensor& P = d.trace.at(kPAdded);
  const Rect at = o.at(i, o.inputs), film = shown_of(d, at);
  const int shown = std::min(kMostShown, P.columns());
  const float before = d.narrow() ? 6 : 14 * o.scale, room = o.marks - before - 6;
  const float side = std::min(room / static_cast<float>(shown), d.narrow() ? 18 : 40 * o.scale);
  const float height = std::min(1.1F * side, 0.7F * at.h), middle = film.centre().y;
  const std::size_t first = d.figure.elements.size();
  const std::string id = "P." + std::to_string(i);
  MatrixCells cells =
      small_cells({std::string(kPAdded), i, 0, 1, shown}, std::min(side, height), d.colours.input_fill, d.view.theme);
  cells.largest = P.values.block(0, 0, o.count(), shown).cwiseAbs().maxCoeff();
  if (side >= 27 && height >= 16) cells.text_size = std::min(0.29F * side, 0.6F * height);
  if (side < 36) cells.decimals = 1;
  const Rect rect{at.right() + before, middle - height / 2, side * static_cast<float>(shown), height};
  add_box(d, id + ".ground", rect.inset(-1), {.fill = d.colours.surface, .radius = 4});
  d.figure.add({.id = id,
                .role = Role::cell,
                .rect = rect,
                .label = "The mark of place " + std::to_string(i + 1),
                .shape = cells});
  show_since(d.figure, first, in_turn(come, i, o.count()));
}

}  // namespace

float draw_order(Drawing& d, float y, float bottom) {
  const Entering& told = kEnters[static_cast<int>(d.state.positions)];
  const Tensor* P = d.trace.find(kPAdded);
  // Of this moment, when the old light and its outputs have gone: marks come, then their light and its outputs; these
  // are compared, and it is told.
  const float t = d.view.t;
  const auto share = [t](float from, float to) { return std::clamp((t - from) / (to - from), 0.F, 1.F); };
  const Orders orders = laid_out(d,
                                 {.before = kFirst,
                                  .after = kPlaced,
                                  .was = &kShuffled,
                                  .last_said = told.before,
                                  .last_brief = "old order",
                                  .lit = share(0.47F, 0.65F),
                                  .made = share(0.65F, 0.83F),
                                  .compared = share(0.8F, 0.92F)},
                                 y, bottom, d.press_height() + 84, P != nullptr);
  add_picture(d, orders);
  for (int i = 0; P != nullptr && i < orders.count(); ++i) add_mark_of(d, orders, i, share(0.05F, 0.41F));
  std::string said = d.narrow() ? told.brief : told.said;
  if (P != nullptr && P->columns() > kMostShown) said += ", first " + std::to_string(kMostShown);
  if (d.state.causal) said += d.narrow() ? ", mask" : ", causal mask";
  const float from = orders.inputs + orders.card + 0.45F * orders.ways;
  add_words(d, "P.said", {from, orders.rows.y - 24, orders.outputs - from - 0.45F * orders.ways, 18}, said,
            {d.colours.ink, type::subtitle});
  const std::size_t first = d.figure.elements.size();
  y = add_note(d, "P.detail", told.detail, {d.margin(), orders.rows.bottom() + 26}, d.inner()) + 2;
  y = add_difference(d, kErrorPos, "The outputs differ by at most", y);
  show_since(d.figure, first, smoothstep(0.92F, 1, t));
  return add_encodings(d, y + 12);
}

}  // namespace limelight::scenes::layer
