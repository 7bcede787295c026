// The detail step Weights: each score's share of one light.
#include <algorithm>

#include "io/numbers.h"
#include "scenes/translate/stage.h"
#include "scenes/translate/steps.h"

namespace limelight::scenes::translate {
namespace {

// All the light in one strip, shared out: each part as wide as its weight.
void add_shares(Drawing& d, const std::vector<float>& weights, Rect strip) {
  d.figure.add(
      {.id = "strip", .rect = strip.inset(-2), .shape = Rectangle{.fill = d.colours.track.faded(0.5F), .radius = 6}});
  float x = strip.x;
  for (std::size_t j = 0; j < weights.size(); ++j) {
    const Rect part{x, strip.y, strip.w * weights[j], strip.h};
    x += part.w;
    if (part.w < 0.5F) continue;
    const Source source{"weights", d.row, static_cast<int>(j)};
    const std::string word = label_of(d.sources(), source.column), share = share_text(weights[j]),
                      id = "strip." + std::to_string(j);
    d.figure.add({.id = id,
                  .role = Role::cell,
                  .rect = {part.x, part.y, std::max(part.w - 1, 0.6F), part.h},
                  .label = word + ": " + share,
                  .source = source,
                  .edit = Edit{"weights", {}},
                  .shape = Rectangle{.fill = mix(d.colours.surface, d.colours.lamp, 0.25F + 0.7F * weights[j]),
                                     .radius = std::min(4.F, part.w / 2)}});
    for (const std::string& text : {word + "  " + share, word, share})
      if (text::measure(text::Face::semibold, 13, text) + 8 < part.w) {
        add_words(d.figure, id + ".text", part, text,
                  {figure::ink_on(mix(d.colours.surface, d.colours.lamp, 0.25F + 0.7F * weights[j])), type::subtitle,
                   Align::centre});
        break;
      }
  }
}

}  // namespace

float draw_weights(Drawing& d, float y) {
  const Stage s = stage_of(d, y, d.view.height - (d.narrow() ? 66.F : 14.F));
  const Light light = light_of(d, s, 1);
  add_light(d, s, light);
  add_states(d, s);
  add_source_words(d, s, weights_of(d), light);
  const Shown shown{.numbers = !s.column};
  add_halos(d, s, shown);
  add_decoder_state(d, s);
  add_row_names(d, s, shown);
  const float left = s.column ? d.margin() : s.state.right() + 60;
  const Rect strip{left, s.column ? s.context.y - 6 : s.context.y + 0.3F * s.context.h,
                   d.figure.width - d.margin() - left, s.column ? 26.F : 36 * s.k};
  if (!s.column)
    add_heading(d, "strip.title", {strip.x, strip.y - 26}, strip.w, "one light", d.colours.amber_text,
                "shared out by e to the power of each score, divided by their sum");
  add_shares(d, weights_of(d), strip);
  add_target(d, s, {.pour = 0});
  return d.narrow() ? add_steps_through(d, s.bottom + 8) : s.bottom;
}

std::string tell_weights(const Told& told) {
  const std::string how = is_set_by_hand(told) ? "Set by hand, the weights of "
                          : told.state.gaze == Gaze::hard
                              ? "Hard attention gives all to the largest score: the weights of "
                              : "Softmax makes shares of the scores: the weights of ";
  return how + told.word() + " lie " + gaze(told) + "; all " + std::to_string(told.trace.at("weights").columns()) +
         " sum to 1." + change_of(told);
}

}  // namespace limelight::scenes::translate
