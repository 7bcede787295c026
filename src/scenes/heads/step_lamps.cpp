// The steps under lamps. One head: a single row of weights; under each word stands how much the head that looks at it
// most would give it, filled as far as the one lamp does. Lamps: each head is one, one of them lit, and below it a row
// of what it looks at. Mix: the values of the words in a head's light flow into its output, beside the others' outputs.
#include "figure/choreography.h"
#include "figure/ribbon.h"
#include "io/numbers.h"
#include "scenes/common/explain.h"
#include "scenes/common/parts.h"
#include "scenes/heads/parts.h"

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
  add_head_button(d, name, h, place, "Head " + std::to_string(h + 1) + ", " + says);
  add_disc(d, name + ".disc", {stage.names + 11, middle}, h, narrow ? 8.F : 9.F);
  const Type type{text::Face::semibold, narrow ? 11.F : 12.5F * d.letters()};
  if (!narrow || pitch > 28)
    add_words(d, name + ".name", {stage.names + (narrow ? 26 : 28), narrow ? y : middle - 8, 160, 16}, says,
              {h == d.lit ? d.colours.ink : d.colours.muted, type});
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
    Element& cell =
        add_part(d, cell_id(source), Role::cell,
                 {stage.slots.centre(j) - stage.slots.pitch / 2, middle - tall / 2 - 1, stage.slots.pitch, tall + 2},
                 key_words(d.state)[static_cast<std::size_t>(j)] + " in head " + std::to_string(h + 1) + ": " + words);
    cell.source = source;
    if (editable) cell.edit = Edit{.field = tensor};
  }
}

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
                                    {{0, d.colours.value_fill.faded(0.8F)},
                                     {0.45F, d.colours.value_fill.faded(0.7F)},
                                     {1, d.of(d.lit).faded(0.85F)}})};
    if (come < 1) stream.clip = Rect{0, value.bottom(), d.figure.width, (segment.y - value.bottom()) * come};
    d.figure.add(std::move(stream));
    x += to;
  }
}

// What the words could get each from a head of its own, and before that what they get.
void add_wishes(Drawing& d, const Stage& stage, const std::string& tensor, float bottom) {
  const float given = smoothstep(0.45F, 0.7F, d.view.t), best = smoothstep(0.7F, 1, d.view.t);
  const std::vector<float> weights = d.weights(tensor);
  const float k = d.scale(), disc = d.narrow() ? 7 : 10 * k, top = stage.below + 2 * disc + 6, high = bottom - top;
  if (high < 24) return;
  add_fill(d, "wish.floor", {stage.slots.begin, bottom - 1.5F, stage.width(), 1.5F}, d.colours.track);
  Matrix A(d.state.heads, stage.slots.count);
  for (int h = 0; h < d.state.heads; ++h) A.row(h) = d.trace.at(of_head("A", h)).values.row(d.row);
  std::vector<int> winner(weights.size()), favourite(static_cast<std::size_t>(d.state.heads));
  for (Eigen::Index j = 0; j < A.cols(); ++j) A.col(j).maxCoeff(&winner[static_cast<std::size_t>(j)]);
  for (Eigen::Index h = 0; h < A.rows(); ++h) A.row(h).maxCoeff(&favourite[static_cast<std::size_t>(h)]);
  const auto badge = [&](int head, int j, Point middle, float radius) {
    const std::string number = std::to_string(head + 1), id = "head." + number + ".wish." + std::to_string(j);
    add_disc(d, id + ".disc", middle, head, radius);
    add_head_button(d, id, head, Rect{middle.x, middle.y, 0, 0}.inset(-radius - 4),
                    "The lamp serves head " + number + " alone");
  };
  for (int j = 0; j < stage.slots.count; ++j) {
    const int head = winner[static_cast<std::size_t>(j)];
    const float width = std::min(stage.slots.pitch - 6, 56 * k), x = stage.slots.centre(j) - width / 2,
                most = A(head, j), wish = best * high * most,
                fill = given * high * weights[static_cast<std::size_t>(j)];
    const std::string id = "wish." + std::to_string(j), share = share_text(most);
    const Source wished{of_head("A", head), d.row, j};
    add_part(d, cell_id(wished), Role::cell, {x, bottom - wish, width, wish},
             "A head of its own gives " + key_words(d.state)[static_cast<std::size_t>(j)] + " " + share + ", head " +
                 std::to_string(head + 1),
             Rectangle{d.of(head).faded(0.13F), d.of(head), 1.5F, 5})
        .source = wished;
    add_fill(d, id + ".given", {x, bottom - fill, width, fill}, d.colours.lamp, std::min(4.F, fill / 2));
    if (most < kTold || best <= 0) continue;
    Point middle{stage.slots.centre(j), bottom - wish - disc - 4};
    badge(head, j, middle, disc);
    for (int h = 0; h < d.state.heads; ++h)  // beaten where it looks most, and the best nowhere: small beside that one
      if (favourite[static_cast<std::size_t>(h)] == j && std::ranges::find(winner, h) == winner.end())
        middle.x += 1.9F * disc, badge(h, j, {middle.x, middle.y + 0.3F * disc}, 0.7F * disc);
    if (width > 36 && wish - fill > 20)
      add_words(d, id + ".share", {x, bottom - wish + 4, width, 16}, share,
                {mix(d.ink_of(head), d.colours.ink, 0.25F), {text::Face::mono_bold, 11 * d.letters()}, Align::centre});
  }
  if (!d.narrow())
    add_name(d, {stage.slots.begin, top, 0, high}, io::count_of(d.state.heads, "head"), "", d.colours.ink,
             {"outline: the most", "that one head gives;", "yellow: what one", "lamp for all gives"});
}

}  // namespace

float draw_one(Drawing& d, float y, float bottom) {
  bottom = add_choices(d, askers(d), bottom);
  const std::string tensor = d.alone < 0 ? "A_mean" : of_head("A", d.alone);
  const Stage stage = stage_of(d, y, bottom, (d.narrow() ? 150 : 190) * std::max(d.scale(), 1.F), true);
  std::vector<float> light = d.weights(tensor);
  const float shines = smoothstep(0.2F, 0.5F, d.view.t);
  for (float& weight : light) weight *= shines;
  add_stage(d, stage, tensor, light, true);
  for (Element& element : d.figure.elements)
    if (element.id.starts_with("stage.share.")) element.opacity = smoothstep(0.5F, 0.6F, d.view.t);
  if (d.view.t < 0.6F && !d.state.crossed()) {  // first the word asks
    const Point from{stage.slots.centre(d.row), stage.baseline - stage.room}, to = stage.lamps[0].bulb;
    const float asks = smoothstep(0, 0.2F, d.view.t), top = mix(from.y, to.y, asks);
    const Curve way{from, {from.x, mix(from.y, to.y, 0.6F)}, {to.x, mix(to.y, from.y, 0.6F)}, to, d.colours.query, 3};
    Element& ask = add_part(d, "asks", Role::none, {}, {}, way);
    ask.opacity = 1 - smoothstep(0.45F, 0.6F, d.view.t), ask.clip = Rect{0, top, d.figure.width, from.y - top};
  }
  add_wishes(d, stage, tensor, bottom);
  return bottom;
}

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
    add_name(d, values, "V_" + head, "values", d.colours.value, {"of the words,", "for head " + head});
  }
  add_head_bar(d, bar);
  add_concat_name(d, bar.rect);
  return bottom;
}

}  // namespace limelight::scenes::heads
