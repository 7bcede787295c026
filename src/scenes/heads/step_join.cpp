// The step Join: the heads' outputs, side by side, and what each adds to the word's output, as ribbons.
#include "figure/braid.h"
#include "figure/choreography.h"
#include "figure/ribbon.h"
#include "scenes/heads/steps.h"

namespace limelight::scenes::heads {
namespace {

constexpr int kGroups = 12;  // of numbers: their ribbons are one

// One end of a ribbon, of a stack that a plait piles from top to bottom, laid down: from left to right.
Edge laid(const Edge& edge) { return {{edge.one.y, edge.one.x}, {edge.other.y, edge.other.x}}; }
Rect laid(const Rect& rect) { return {rect.y, rect.x, rect.h, rect.w}; }

// Of what is cut the beginning stays, and where the ribbon was a line.
void add_stub(Drawing& d, const std::string& id, const Ribbon& whole, const Edge& from, int h) {
  constexpr float kStub = 46;  // px
  Line ghost{.points = {}, .colour = d.of(h).faded(0.6F), .width = 1, .dashed = true};
  for (std::size_t i = 0; i < whole.one.size(); i += 2)
    if (whole.one[i].y > from.one.y + kStub) ghost.points.push_back(mix(whole.one[i], whole.other[i], 0.5F));
  if (from.other.x - from.one.x > 1.5F) d.figure.add({.id = id + ".ghost", .shape = std::move(ghost)});
  const Rect stub{from.one.x, from.one.y, from.other.x - from.one.x, kStub};
  d.figure.add({.id = id, .shape = area_of(stub, d.of(h).faded(0.8F), d.of(h).faded(0))});
}

// As thick as what a head adds to a group of the output's numbers is long.
void add_ribbons(Drawing& d, const HeadBar& bar, Rect output, float t) {
  constexpr float kLooked = 0.78F, kBeside = 0.12F, kAir = 4;
  const int model = sizes(d.state).model, ends = model <= kMostSingle ? model : kGroups, heads = d.state.heads;
  Matrix given(heads, ends);
  std::vector<int> stacks;
  std::vector<Rect> from, to;
  for (int h = 0; h < heads; ++h) {
    const auto row = d.trace.at(of_head("Y", h)).values.row(d.row);
    for (int g = 0; g < ends; ++g) {
      const int first = g * model / ends;
      given(h, g) = row.segment(first, (g + 1) * model / ends - first).norm();
    }
    stacks.push_back(h);
    const Rect segment = bar.segment(h, heads);
    from.push_back(laid(Rect{segment.x, segment.y, segment.w, segment.h + kAir}));
  }
  const float width = output.w / static_cast<float>(ends);
  for (int g = 0; g < ends; ++g)
    to.push_back(laid(Rect{output.x + width * static_cast<float>(g) + 2, output.y - kAir, width - 4, 1}));
  for (const Plait& plait : plaits_of({.given = given, .stack = stacks, .from = from, .to = to})) {
    const int h = plait.strand;
    if (given(h, plait.end) == 0) continue;
    const std::string id = "head." + std::to_string(h + 1) + ".ribbon." + std::to_string(plait.end);
    const float alpha = d.looked_at(h) ? kLooked : kBeside,
                come = d.is_on(h) ? in_turn(t, h, heads) : 1 - 0.8F * d.gone();
    const Edge begin = laid(plait.left), end = laid(plait.right);
    Ribbon whole = flowing(begin, end, Flow::upright,
                           {{.at = 0, .colour = d.of(h).faded(alpha)}, {.at = 1, .colour = d.of(h).faded(alpha)}});
    if (!d.is_on(h) && d.gone() >= 1) {
      add_stub(d, id, whole, begin, h);
      continue;
    }
    Element ribbon{.id = id, .shape = std::move(whole)};
    if (come < 1) ribbon.clip = Rect{0, begin.one.y, d.figure.width, (end.one.y - begin.one.y) * come};
    d.figure.add(std::move(ribbon));
  }
}

// The output: what has come of it. What is cut leaves the line where its columns ended.
void add_output(Drawing& d, Rect rect, float t) {
  const int model = sizes(d.state).model, heads = d.state.heads;
  const auto whole = d.trace.at("Y").values.row(d.row);
  const float most = std::max(whole.cwiseAbs().maxCoeff(), 1e-6F);
  Matrix now = Matrix::Zero(1, model);
  if (const Tensor* bias = d.trace.find("b_O"); bias != nullptr) now = bias->values * smoothstep(0, 0.2F, t);
  for (int h = 0; h < heads; ++h)
    now += d.trace.at(of_head("Y", h)).values.row(d.row) *
           (d.is_on(h) ? smoothstep(0.7F, 1, in_turn(t, h, heads)) : 1 - d.gone());
  add_fill(d, "Y.edge", rect.inset(-3), d.colours.surface.faded(0.6F), 5);
  const std::string name = d.cuts ? "Y_now" : "Y";
  const auto add = [&](const std::string& tensor, Colour tint, const float* from, const std::string& label) {
    add_numbers(d, {.range = {tensor, d.row, 0, 1, model},
                    .rect = rect,
                    .tint = tint,
                    .most = most,
                    .label = label,
                    .values = std::span(from, static_cast<std::size_t>(model))});
  };
  add(name, d.colours.output_fill, now.data(),
      "The output of " + query_words(d.state)[static_cast<std::size_t>(d.row)]);
  if (const std::string part = of_head("Y", std::max(d.alone, 0)); d.alone >= 0 && d.is_on(d.alone) && t >= 1)
    add(part, d.of(d.alone), d.trace.at(part).values.row(d.row).data(),
        "What head " + std::to_string(d.alone + 1) + " adds");
  if (!d.cuts || (now - whole).norm() < 1e-5F) return;
  Line ghost{.points = {}, .colour = d.colours.ink, .width = 1.6F, .dashed = true};
  const float width = rect.w / static_cast<float>(model);
  for (int j = 0; j < model; ++j) {
    const float y = rect.centre().y - rect.h / 2 * whole(j) / most, x = rect.x + width * static_cast<float>(j);
    ghost.points.insert(ghost.points.end(), {{x, y}, {x + width, y}});
  }
  d.figure.add({.id = "Y.ghost", .rect = rect, .label = "The output with all heads on", .shape = std::move(ghost)});
}

}  // namespace

void add_braid(Drawing& d, float y, float bottom, float t) {
  const float k = std::max(d.scale(), 0.7F), label = 24 * k;
  y = add_sentence(d, y) + label + (d.narrow() ? 20 : 0);
  const Rect bars = bars_of(d);
  const float high = std::min((d.low() ? 40 : 56) * k, 0.16F * (bottom - y)),
              tall = std::min(1.7F * high, 0.24F * (bottom - y));
  const HeadBar bar{.rect = {bars.x, y, bars.w, high}, .label = label, .opacity = 0.4F, .row = d.row};
  const Rect output{bars.x, bottom - tall - (d.narrow() && d.cuts ? 20.F : 4.F), bars.w, tall};
  add_ribbons(d, bar, output, t);
  add_head_bar(d, bar);
  add_concat_name(d, bar.rect);
  add_output(d, output, t);
  const bool ghost = d.figure.find("Y.ghost") != nullptr;
  add_name(d, output, "Y", d.colours.output,
           ghost ? std::vector<std::string>{"the result now,", "dashed: with all heads"}
                 : std::vector<std::string>{"the result: one list", "of numbers again"});
  if (ghost && d.narrow())
    add_words(d, "Y.ghost.said", {bars.x, output.bottom() + 5, bars.w, 15}, "dashed: with all heads",
              {d.colours.muted});
  // What mixes them stands where they cross.
  const float middle = (bar.rect.bottom() + output.y) / 2,
              side = (d.narrow() ? 0.2F : 0.3F) * (output.y - bar.rect.bottom()), said = std::min(26.F, 0.4F * side);
  const Rect cells{bars.centre().x - side / 2, middle - (side - said) / 2, side, side};
  Rect card = cells.inset(-8);
  card.y -= said, card.h += said;
  d.figure.add(
      {.id = "W_O.behind", .rect = card, .shape = Rectangle{.fill = d.colours.surface.faded(0.94F), .radius = 8}});
  add_matrix(d, "W_O", cells, Dealt::rows);
  add_symbol(d, "W_O.title", {cells.centre().x - symbol_width("W_O", 0.7F * said) / 2, cells.y - said - 2}, "W_O",
             d.colours.ink, 0.7F * said);
}

float draw_join(Drawing& d, float y, float bottom) {
  if (!d.state.trained)
    bottom = add_choices(d, {chips_of("mixing", "output matrix", kMixings, static_cast<int>(d.state.mixing))}, bottom);
  add_braid(d, y, bottom, d.view.t);
  return bottom;
}

}  // namespace limelight::scenes::heads
