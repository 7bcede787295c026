// The step Mix: what the words in a head's light hold for it, their values, flows together into the head's output, as
// much of each as it has light; beside it stand the other heads' outputs.
#include "figure/choreography.h"
#include "figure/ribbon.h"
#include "scenes/common/explain.h"
#include "scenes/heads/steps.h"

namespace limelight::scenes::heads {
namespace {

Rect value_of(const Drawing& d, const Stage& stage, int word, float y, float high) {
  const float width = std::min(stage.slots.pitch - (d.narrow() ? 4 : 10), 120 * d.scale());
  return {stage.slots.centre(word) - width / 2, y, width, high};
}

// A ribbon from each word's values: of both ends as much as its weight.
void add_streams(Drawing& d, const Stage& stage, Rect values, Rect segment, float come) {
  const std::vector<float> weights = d.weights(of_head("A", d.lit));
  float x = segment.x;
  for (int j = 0; j < stage.slots.count; ++j) {
    const float weight = weights[static_cast<std::size_t>(j)], to = segment.w * weight;
    const Rect value = value_of(d, stage, j, values.y, values.h);
    const float half = std::max(value.w * weight, 0.8F) / 2, middle = value.centre().x;
    Element stream{.id = "head." + std::to_string(d.lit + 1) + ".stream." + std::to_string(j),
                   .shape = flowing({{middle - half, value.bottom() + 3}, {middle + half, value.bottom() + 3}},
                                    {{x, segment.y - 2}, {x + std::max(to, 0.8F), segment.y - 2}}, Flow::upright,
                                    {{.at = 0, .colour = d.colours.value_fill.faded(0.8F)},
                                     {.at = 0.45F, .colour = d.colours.value_fill.faded(0.7F)},
                                     {.at = 1, .colour = d.of(d.lit).faded(0.85F)}})};
    if (come < 1) stream.clip = Rect{0, value.bottom(), d.figure.width, (segment.y - value.bottom()) * come};
    d.figure.add(std::move(stream));
    x += to;
  }
}

}  // namespace

float draw_outputs(Drawing& d, float y, float bottom) {
  const float k = std::max(d.scale(), 0.7F), t = d.view.t, high = (d.low() ? 34 : 50) * k, label = 22 * k;
  const std::string head = std::to_string(d.lit + 1);
  bottom = add_choices(d, askers(d), bottom);
  const Stage stage = stage_of(d, y, bottom, d.low() ? high + label + 10 : 280 * k, false);
  const std::string tensor = of_head("A", d.lit);
  const std::vector<float> weights = d.weights(tensor);
  add_stage(d, stage, tensor, weights, false, 0.5F);
  const HeadBar bar{.rect = {stage.slots.begin, bottom - high, stage.width(), high},
                    .label = label,
                    .opacity = 0.5F,
                    .row = d.row,
                    .come = smoothstep(0, 0.9F, t)};
  const Rect values{stage.slots.begin, stage.below + 4, stage.width(), high};
  const Tensor& V = d.trace.at(of_head("V", d.lit));
  if (!d.low()) {
    for (int j = 0; j < stage.slots.count; ++j)
      add_numbers(d, {.range = {V.name, j, 0, 1, V.columns()},
                      .rect = value_of(d, stage, j, values.y, high),
                      .tint = d.colours.value_fill,
                      .most = largest_in(d, "V"),
                      .label = "What " + label_apart(V.row_labels, j) + " holds for head " + head,
                      .opacity = weights[static_cast<std::size_t>(j)] > kTold ? 1.F : 0.4F});
    Rect into = bar.segment(d.lit, d.state.heads);
    into.y -= label;
    add_streams(d, stage, values, into.inset(3), smoothstep(0, 0.7F, t));
    add_name(d, values, "V_" + head, d.colours.value, {"the words’ values", "for head " + head});
  }
  add_head_bar(d, bar);
  add_concat_name(d, bar.rect);
  return bottom;
}

}  // namespace limelight::scenes::heads
