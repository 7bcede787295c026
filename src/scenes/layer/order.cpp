// The step Positions: what each place adds to what stands there, how that changes the light, and what the outputs
// become.
#include <algorithm>

#include "figure/choreography.h"
#include "figure/small_cells.h"
#include "scenes/layer/run.h"
#include "scenes/layer/steps.h"

namespace limelight::scenes::layer {
namespace {

// How an encoding enters the layer.
struct Entering {
  const char *sign, *said, *brief;
};
constexpr Entering kEnters[] = {{"", "nothing says which place is whose", "no positions"},
                                {"+", "each place adds its pattern to q and k", "added to q and k"},
                                {"×", "each place turns q and k by its angles", "turns q and k"},
                                {"+", "each distance adds this to its score", "added to scores"}};

// What place i does, its numbers in cells.
void add_pattern(Drawing& d, const Run& run, int i, float x, float sign, float side, int shown, const char* mark) {
  const Tensor& P = d.trace.at(kPAdded);
  const Rect at = run.at(i, run.inputs);
  const std::size_t first = d.figure.elements.size();
  const float middle = shown_of(d, at).centre().y, height = std::min(1.1F * side, 0.7F * at.h);
  const std::string id = "P." + std::to_string(i);
  add_words(d, id + ".sign", {x, middle - 12, sign, 24}, mark,
            {d.colours.muted, {text::Face::semibold, 17}, Align::centre});
  MatrixCells cells =
      small_cells({std::string(kPAdded), i, 0, 1, shown}, std::min(side, height), d.colours.input_fill, d.view.theme);
  cells.largest = P.values.block(0, 0, run.count(), shown).cwiseAbs().maxCoeff();
  if (side >= 27 && height >= 16) cells.text_size = std::min(0.29F * side, 0.6F * height);
  if (side < 36) cells.decimals = 1;
  const Rect rect{x + sign, middle - height / 2, side * static_cast<float>(shown), height};
  d.figure.add(
      {.id = id + ".ground", .rect = rect.inset(-1), .shape = Rectangle{.fill = d.colours.surface, .radius = 4}});
  d.figure.add({.id = id,
                .role = Role::cell,
                .rect = rect,
                .label = "What place " + std::to_string(i + 1) + " does",
                .shape = cells});
  show_since(d.figure, first, in_turn(std::min(3 * d.view.t, 1.F), i, run.count()));
}

}  // namespace

// What stands at each place, what the encoding makes of the place, the light and the outputs; below what can be chosen.
float draw_order(Drawing& d, float y, float bottom) {
  const Entering& told = kEnters[static_cast<int>(d.state.positions)];
  const Tensor* P = d.trace.find(kPAdded);
  Run run{.names = kPlaced, .before = &kShuffled, .changed = smoothstep(0.35F, 0.65F, d.view.t)};
  lay_out(d, run, d.state.order.of(d.trace.at(kX).rows()), y, bottom, d.press_height() + 86);
  constexpr int kMostShown = 8;
  const int shown = P == nullptr ? 0 : std::min(kMostShown, P->columns());
  const float k = run.scale, x = run.inputs, w = run.rows.w;
  const float sign = run.below ? 14 : 26 * k, room = run.below ? 0.21F * w : 176 * k;  // of the sign; of the numbers
  const float side = std::min(room / static_cast<float>(std::max(shown, 1)), run.below ? 18 : 40 * k);
  run.from = x + run.card + (shown > 0 ? sign + side * static_cast<float>(shown) : 0) + 4;
  run.outputs = run.below ? x + w - run.card : x + run.card + sign + room + 150 * k;
  add_run(d, run, "made", looked_at(d, run.order), 1, 1);
  std::string said = run.below ? told.brief : told.said;
  if (P != nullptr && shown < P->columns())
    said += " (first " + std::to_string(shown) + " of " + std::to_string(P->columns()) + ")";
  if (d.state.causal) said += run.below ? ", masked" : ", causal mask";
  add_words(d, "P.said", {x, run.rows.y - 23, run.outputs - x - 20, 18}, said, {d.colours.ink, type::subtitle});
  add_head(d, run, "shuffle.out", run.outputs - 20, run.card + 40, "outputs");
  for (int i = 0; i < run.count(); ++i) {
    add_placed(d, run, i, run.at(i, run.inputs));
    if (P != nullptr) add_pattern(d, run, i, run.inputs + run.card, sign, side, shown, told.sign);
  }
  y = add_dots(d, run, pairs_of(d, kYMovedPos, kPlaced.output, kShuffled.output), smoothstep(0.65F, 0.9F, d.view.t));
  const std::size_t first = d.figure.elements.size();
  y = add_position_check(d, y);
  show_since(d.figure, first, smoothstep(0.92F, 1, d.view.t));
  return add_encodings(d, y + 12);
}

}  // namespace limelight::scenes::layer
