// The step One head: a single head has one row of weights for all that is asked. Under each word stands how much the
// head that looks at it most would give it, filled as far as the one lamp does.
#include "io/numbers.h"
#include "scenes/common/explain.h"
#include "scenes/heads/steps.h"

namespace limelight::scenes::heads {
namespace {

// What the words could get each from a head of its own, and what they get.
void add_wishes(Drawing& d, const Stage& stage, const std::string& tensor, float bottom) {
  const std::vector<float> weights = d.weights(tensor);
  const float k = d.scale(), disc = d.narrow() ? 7 : 10 * k, top = stage.below + 2 * disc + 6, high = bottom - top;
  if (high < 24) return;
  add_fill(d, "wish.floor", {stage.slots.begin, bottom - 1.5F, stage.width(), 1.5F}, d.colours.track);
  for (int j = 0; j < stage.slots.count; ++j) {
    int head = 0;
    const auto of = [&](int h) { return d.trace.at(of_head("A", h)).values(d.row, j); };
    for (int h = 1; h < d.state.heads; ++h)
      if (of(h) > of(head)) head = h;
    const float width = std::min(stage.slots.pitch - 6, 56 * k), x = stage.slots.centre(j) - width / 2;
    const float wish = high * of(head), fill = high * weights[static_cast<std::size_t>(j)];
    const std::string id = "wish." + std::to_string(j);
    const Source wished{of_head("A", head), d.row, j};
    d.figure.add(
        {.id = cell_id(wished),
         .role = Role::cell,
         .rect = {x, bottom - wish, width, wish},
         .label = "A head of its own gives " + key_words(d.state)[static_cast<std::size_t>(j)] + " " +
                  share_text(of(head)) + ", head " + std::to_string(head + 1),
         .source = wished,
         .shape = Rectangle{.fill = d.of(head).faded(0.13F), .stroke = d.of(head), .stroke_width = 1.5F, .radius = 5}});
    add_fill(d, id + ".given", {x, bottom - fill, width, fill}, d.colours.lamp, std::min(4.F, fill / 2));
    if (of(head) < kTold) continue;
    const Point middle{stage.slots.centre(j), bottom - wish - disc - 4};
    add_disc(d, id + ".disc", middle, head, disc);
    d.figure.add({.id = "head." + std::to_string(head + 1) + ".wish." + std::to_string(j),
                  .role = Role::button,
                  .rect = Rect{middle.x, middle.y, 0, 0}.inset(-disc - 4),
                  .label = "The lamp serves head " + std::to_string(head + 1) + " alone",
                  .edit = look_at(d.state, head)});
    if (width > 36 && wish - fill > 20)
      add_words(d, id + ".share", {x, bottom - wish + 4, width, 16}, share_text(of(head)),
                {mix(d.ink_of(head), d.colours.ink, 0.25F), {text::Face::mono_bold, 11 * d.letters()}, Align::centre});
  }
  if (!d.narrow())
    add_name(d, {stage.slots.begin, top, 0, high}, io::count_of(d.state.heads, "head"), d.colours.ink,
             {"outline: the best one,", "with its number;", "yellow: one lamp for all"});
}

}  // namespace

float draw_one(Drawing& d, float y, float bottom) {
  bottom = add_choices(d, askers(d), bottom);
  const std::string tensor = d.alone < 0 ? "A_mean" : of_head("A", d.alone);
  const Stage stage = stage_of(d, y, bottom, (d.narrow() ? 150 : 190) * std::max(d.scale(), 1.F), true);
  add_stage(d, stage, tensor, d.weights(tensor), true);
  add_wishes(d, stage, tensor, bottom);
  return bottom;
}

}  // namespace limelight::scenes::heads
