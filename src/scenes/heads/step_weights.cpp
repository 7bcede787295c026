// The step Lamps: each head is a lamp over the sentence, one of them lit, and below it a row of what it looks at.
#include "figure/choreography.h"
#include "scenes/common/explain.h"
#include "scenes/heads/steps.h"

namespace limelight::scenes::heads {
namespace {

// What a head looks at from the word that asks: a bar under each word, as wide as its weight.
void add_row(Drawing& d, const Stage& stage, float pitch, int h) {
  const float y = stage.below + pitch * static_cast<float>(h), opacity = h == d.lit ? 1 : 0.5F;
  const std::string name = "head." + std::to_string(h + 1) + ".row", tensor = of_head("A", h),
                    says = habit(d.state, d.trace, h);
  const bool narrow = d.narrow(), editable = !d.state.alike || h == 0;
  const float middle = narrow ? y + pitch - 11 : y + pitch / 2;
  const Rect place{stage.names, y, (narrow ? d.figure.width : stage.slots.begin) - stage.names - 8, pitch};
  if (d.lit == h) add_fill(d, name + ".lit", place, d.of(h).faded(0.16F), 6);
  d.figure.add({.id = name,
                .role = Role::button,
                .rect = place,
                .label = "Head " + std::to_string(h + 1) + ", " + says,
                .edit = look_at(d.state, h)});
  add_disc(d, name + ".disc", {stage.names + 11, middle}, h, narrow ? 8.F : 9.F);
  if (!narrow || pitch > 28)
    add_words(
        d, name + ".name", {stage.names + (narrow ? 26 : 28), narrow ? y : middle - 8, 160, 16}, says,
        {h == d.lit ? d.colours.ink : d.colours.muted, {text::Face::semibold, narrow ? 11.F : 12.5F * d.letters()}});
  add_fill(d, name + ".line", {stage.slots.begin, middle - 0.5F, stage.width(), 1}, d.colours.track);
  const std::vector<float> weights = d.weights(tensor);
  for (int j = 0; j < stage.slots.count; ++j) {
    const float weight = weights[static_cast<std::size_t>(j)], width = std::max((stage.slots.pitch - 6) * weight, 3.F);
    const float tall = std::min(narrow ? 14.F : 16.F, pitch - 3), high = std::min(tall, std::max(width, 4.F));
    const Source source{tensor, d.row, j};
    const std::string words = share_text(weight);
    if (weight >= 0.005F)
      add_fill(d, cell_id(source) + ".bar", {stage.slots.centre(j) - width / 2, middle - high / 2, width, high},
               d.of(h), std::min(high / 2, width / 2), opacity);
    Element cell{
        .id = cell_id(source),
        .role = Role::cell,
        .rect = {stage.slots.centre(j) - stage.slots.pitch / 2, middle - tall / 2 - 1, stage.slots.pitch, tall + 2},
        .label = key_words(d.state)[static_cast<std::size_t>(j)] + " in head " + std::to_string(h + 1) + ": " + words,
        .source = source};
    if (editable) cell.edit = Edit{.field = tensor};
    d.figure.add(std::move(cell));
  }
}

}  // namespace

float draw_weights(Drawing& d, float y, float bottom) {
  std::vector<ChipGroup> groups = askers(d);
  if (!d.state.trained) groups.push_back(patterns_of(d));
  bottom = add_choices(d, groups, bottom);
  const auto heads = static_cast<float>(d.state.heads);
  const float spread = smoothstep(0, 0.7F, d.view.t), rows = smoothstep(0, 0.4F, d.view.t);
  const float highest = d.low() ? 0 : d.narrow() ? 34 : std::max(28 * d.scale(), 22.F);
  const Stage stage = stage_of(d, y, bottom, highest * heads, false, spread);
  // One lamp's light becomes that of several.
  const std::string tensor = of_head("A", d.lit);
  std::vector<float> weights = d.weights(tensor);
  const std::vector<float> mean = d.weights("A_mean");
  for (std::size_t j = 0; j < weights.size(); ++j) weights[j] = std::lerp(mean[j], weights[j], spread);
  add_stage(d, stage, tensor, weights, false, spread);
  const std::size_t first = d.figure.elements.size();
  const float pitch = (bottom - stage.below) / heads;
  for (int h = 0; h < d.state.heads && pitch > 8; ++h) add_row(d, stage, pitch, h);
  show_since(d.figure, first, rows);
  return bottom;
}

}  // namespace limelight::scenes::heads
