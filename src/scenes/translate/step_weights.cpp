// The detail step Weights: exponentials of the scores are laid into one strip, whose whole is 1, for the lamp to share.
#include <cmath>

#include "figure/choreography.h"
#include "scenes/common/head_colours.h"
#include "scenes/common/parts.h"
#include "scenes/translate/steps.h"

namespace limelight::scenes::translate {
namespace {

constexpr Phase kRise{0, 0.3F}, kLay{0.34F, 0.64F}, kGo{0.66F, 0.84F}, kShine{0.8F, 0.94F};

// The bars of the exponential of each score, the tallest of the largest, and where all are one: as wide as the weights.
struct Softmax {
  std::vector<Rect> bars{}, pieces{};
  Rect strip{};
};
Softmax softmax_of(const Drawing& d, const Stage& s) {
  const auto scores = d.trace.at("scores").values.row(d.row), weights = d.trace.at("weights").values.row(d.row);
  const float left = s.column ? 0.36F * d.figure.width : s.state.right() + 76 * s.k;
  Softmax made{.strip = {left, s.context.y + (s.column ? 22 : 12 * s.k), d.figure.width - d.margin() - left,
                         (s.column ? 20 : 26) * s.k}};
  const float base = std::min(made.strip.y, s.lamp.bulb.y) - 46 * s.k, most = base - s.across.shares - 16 * s.k,
              wide = 1.3F * s.reach;
  float x = left;
  for (int j = 0; j < s.slots.count; ++j) {
    const Point halo = s.halos[static_cast<std::size_t>(j)];
    const float power = std::exp(scores(j) - scores.maxCoeff()), high = std::max(power * most, 1.5F),
                far = halo.x + s.reach, across = std::max(power * (s.across.shares - 40 - far), 1.5F);
    made.bars.push_back(s.column ? Rect{far, halo.y - wide / 2, across, wide}
                                 : Rect{halo.x - wide / 2, base - high, wide, high});
    const float share = std::max(weights(j) * made.strip.w, 0.5F);
    made.pieces.push_back({x, made.strip.y, share, made.strip.h});
    x += weights(j) * made.strip.w;
  }
  return made;
}

// Whether the weights of the word are softmax of its scores: not where one is set by hand, or all goes to one.
bool shares_out(const Drawing& d) { return d.state.gaze != Gaze::hard && !recipes::set_in_row(d.state.weights, d.row); }

// The scores sink under their bars, and there become what is computed: exp of each.
void lower_scores(Drawing& d, float base, float pitch) {
  const float rise = kRise.share(d.view.t), lay = kLay.share(d.view.t), shine = kShine.share(d.view.t);
  for (std::size_t i = 0, count = d.figure.elements.size(); i < count; ++i) {
    Element& element = d.figure.elements[i];
    if (!element.id.starts_with("scores[")) continue;
    if (auto* circle = std::get_if<Rectangle>(&element.shape)) {
      circle->fill = circle->fill.faded(mix(mix(1, 0.2F, rise), 1, shine));
    } else {
      element.opacity = shine > 0 ? shine : 1 - smoothstep(0, 0.3F, rise);
      if (shine > 0 || rise <= 0) continue;
      element.rect.y = mix(element.rect.y, base + 4, rise);
      const std::string number = std::get<Text>(element.shape).text, power = "exp(" + number + ")";
      const std::string said = text::measure(text::Face::regular, 8, power) > pitch - 4 ? number : power;
      const Rect place{element.rect.centre().x - pitch / 2, element.rect.y, pitch, 18};
      add_words(d, element.id + ".exp", place, said,
                fitted({d.colours.amber_text, type::label, Align::centre}, said, pitch - 4, 8));
      d.figure.elements.back().opacity = smoothstep(0.3F, 0.6F, rise) * (1 - lay);
    }
  }
}

// The strip, paler once its light has gone into the lamp.
void add_softmax(Drawing& d, const Stage& s, const Softmax& made) {
  const float t = d.view.t, rise = kRise.share(t), lay = kLay.along(t), go = kGo.share(t);
  const auto count = static_cast<int>(made.bars.size());
  const Colour unlit = d.colours.score_fill, rim = d.colours.amber_text.faded(kLay.share(t));
  add_box(d, "one.light", made.strip.inset(-3), {.stroke = rim, .stroke_width = 1.2F, .radius = 5});
  for (int j = 0; j < count; ++j) {
    const auto at = static_cast<std::size_t>(j);
    const Rect& piece = made.pieces[at];
    const float laid = in_turn(lay, j, count), r = s.reach * (1 - rise);
    const Rect circle = d.figure.find(cell_id({"scores", d.row, j}))->rect, bar = mix(circle, made.bars[at], rise);
    const std::string id = "power." + std::to_string(j);
    if (t > 0 && t < kGo.to && shares_out(d))  // at its beginning the scores are there
      add_box(d, id, mix(mix(bar, piece, laid), Rect{s.lamp.bulb.x - 4, s.lamp.bulb.y - 4, 8, 8}, go),
              {.fill = mix(unlit, d.colours.lamp, laid), .radius = std::max(r, 2.F)});
    if (go <= 0) continue;
    add_fill(d, id + ".left", piece.inset(std::min(0.5F, piece.w / 4)), d.colours.lamp.faded(0.75F * go), 2);
    const std::string name = label_of(d.sources(), j) + "  " + share_text(d.trace.at("weights").values(d.row, j));
    if (piece.w > text::measure(text::Face::semibold, 13, name) + 8)
      add_words(d, id + ".word", piece, name, {Colour{20, 16, 28}.faded(go), type::subtitle, Align::centre});
  }
}

}  // namespace

float draw_weights(Drawing& d, float y) {
  const Stage s = stage_of(d, y, d.view.height - (d.narrow() ? 66.F : 14.F));
  add_stage(d, s, {.light = kShine.share(d.view.t), .numbers = !s.column, .context = false});
  if (d.low()) return s.bottom;
  const Softmax made = softmax_of(d, s);
  if (d.view.t < 1 && shares_out(d)) lower_scores(d, made.bars.front().bottom(), s.slots.pitch);
  add_softmax(d, s, made);
  const std::size_t first = d.figure.elements.size();
  add_heading(d, "shares.title", {made.strip.x, made.strip.y + (s.column ? -24 : made.strip.h + 8)}, made.strip.w,
              "one light", d.colours.amber_text,
              !shares_out(d) ? "all weights, together 1"
              : d.narrow()   ? "exp(score) ÷ their sum"
                             : "exp of each score (2.718… to its power), divided by the sum of all: together 1");
  show_since(d.figure, first, kLay.share(d.view.t));
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
