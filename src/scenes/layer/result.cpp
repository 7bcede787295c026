// What comes out of the machine: streams from the values, and their mix.
#include <algorithm>
#include <cmath>
#include <span>

#include "figure/order.h"
#include "figure/pipe.h"
#include "figure/ribbon.h"
#include "io/numbers.h"
#include "scenes/common/explain.h"
#include "scenes/common/matrix.h"
#include "scenes/common/sentence.h"
#include "scenes/layer/machine.h"

namespace limelight::scenes::layer {
namespace {

std::vector<Ribbon::Stop> stops_of(const Drawing& d, Colour begins, float weight) {
  const float seen = std::pow(std::clamp(weight, 0.F, 1.F), 0.5F), from = 0.25F + 0.45F * seen,
              to = 0.3F + 0.55F * seen;
  const Colour pale = is_dark(d.view.theme) ? Colour{0xa4, 0xa2, 0xb4} : Colour{0xf6, 0xf3, 0xf8};
  return {{0, begins.faded(from)},
          {0.54F, mix(mix(begins, d.colours.output_fill, 0.5F), pale, std::min(0.5F + 2 * weight, 1.F))
                      .faded(0.85F * (from + to) / 2)},
          {1, d.colours.output_fill.faded(to)}};
}

// Of the value at y on a phone: its lane, which turns only round, and how it falls from there onto the output.
struct Fall {
  std::vector<Point> lane;
  Edge from, to;
};
// outer, thick: px of the lanes that are outside of it, and of its own. above, share: of the output.
Fall fall_of(const Plan& plan, float right, float y, float outer, float thick, float above, float share) {
  constexpr float kSpread = 32;  // px of all where they meet the output
  const float begins = plan.value.right() + 2, x = right - Plan::kAside - outer - thick / 2;
  const float bottom = plan.output.y - 3, top = bottom - Plan::kFall;
  const float spread = right - Plan::kAside - 6 - kSpread * above;
  return {.lane = bent({{begins, y}, {x, y}, {x, top}}),
          .from = {{x - thick / 2, top}, {x + thick / 2, top}},
          .to = {{spread - std::max(kSpread * share, thick), bottom}, {spread, bottom}}};
}

// Of what there is most: "70 % of piano cat + 26 % of piano class"
std::string mix_of(const Drawing& d, const Machine& m) {
  const std::vector<int> order = largest_first(m.weights);
  std::string said;
  for (std::size_t i = 0; i < std::min<std::size_t>(order.size(), 2); ++i)
    said += (i > 0 ? " + " : "") + share_text(m.weights, order[i]) + " of " +
            d.trace.at(m.form.names.value).row_labels[static_cast<std::size_t>(order[i])];
  return said;
}

// "y of funny cat" and its numbers: in its box, or below a picture with its columns' names. Returns the bottom.
float add_told_output(Drawing& d, const Machine& m) {
  const Plan& plan = m.plan;
  const Rect& out = plan.output;
  const Tensor& Y = d.trace.at(m.form.names.output);
  const float k = plan.text(), letter = 21 * k, used = set_formula(symbol("y"), letter).width;
  const Rect at = plan.phone ? Rect{plan.said.x, plan.said.y, plan.said.w, 24} : Rect{out.x, out.y - 32, out.w, 24};
  add_formula(d, "output.letter", {at.x, at.y, used + 1, 24}, symbol("y"), letter, d.colours.output);
  add_words(d, "output.name", {at.x + used + 9, at.y + 2, at.w - used - 9, 22},
            "of " + Y.row_labels[static_cast<std::size_t>(m.row)],
            {d.colours.query, {text::Face::semibold, 13.5F * k}});
  const Source numbers{Y.name, m.row, 0};
  if (!d.video()) {
    const float height = std::min(48 * k, out.h - 16);
    add_numbers(d, Y.name, numbers, {out.x + 8, out.centre().y - height / 2, out.w - 16, height});
    return plan.phone ? at.bottom() : out.bottom() + 10;
  }
  const Rect rect = plan.phone ? Rect{at.x, at.bottom() + 2, at.w, 30} : Rect{out.x, out.bottom() + 10, out.w, 30 * k};
  add_numbers(d, Y.name, numbers, rect);
  const float cell = rect.w / static_cast<float>(Y.columns()),
              size = std::min(small_text(m), std::max(11.F, 0.28F * cell));
  for (int j = 0; j < Y.columns(); ++j) {
    std::string name = label_of(Y.column_labels, j);
    if (text::measure(text::Face::regular, size, name) > cell) name = name.substr(0, 3);  // "min"
    add_words(d, "output.column." + std::to_string(j),
              {rect.x + cell * static_cast<float>(j), rect.bottom() + 3, cell, 16}, name,
              {d.colours.muted, {text::Face::regular, size}, Align::centre});
  }
  return rect.bottom() + 23;
}

// What another query gets, or this one, small: a press lets it ask.
void add_choice_of(Drawing& d, const Machine& m, int row, const Rect& rect) {
  const Tensor& Y = d.trace.at(m.form.names.output);
  const std::string id = "output.all." + std::to_string(row);
  const bool asks = row == m.row;
  const auto weights = d.trace.at(m.form.names.weights).values.row(row);
  add_output_picture(d, d.video() ? id : id + ".cells", {Y.name, row, 0}, rect,
                     {weights.data(), static_cast<std::size_t>(weights.size())});
  add_box(d, id + ".edge", rect.inset(-2),
          {.stroke = asks ? d.colours.output : d.colours.output_fill, .stroke_width = asks ? 2.4F : 1.4F, .radius = 5});
  add_choice(d, id, rect, "What " + Y.row_labels[static_cast<std::size_t>(row)] + " gets", row);
}

// What every query gets, on a phone beside what they are.
void add_all_outputs(Drawing& d, const Machine& m, Point at, float width) {
  const Tensor& Y = d.trace.at(m.form.names.output);
  const bool phone = m.plan.phone;
  const auto count = static_cast<float>(Y.rows());
  const float k = m.plan.scale, gap = 8 * k, most = phone ? 44 : 74 * k, letter = phone ? 30 : 0;
  if (Y.rows() == 1) return;
  Rect rect{at.x, at.y + 28, width, d.video() ? 42 * k : std::min(18 * count, 100 * k)};
  if (phone) rect = {at.x + letter, at.y, width - letter, d.video() ? 25 : std::min(14 * count, 100.F)};
  const float each = std::min((rect.w - gap * (count - 1)) / count, most);
  if (!phone && rect.bottom() > m.plan.second.bottom()) return;
  add_caption(d, m, "output.all.caption", symbol("Y"), d.colours.output,
              phone ? "" : size_text(Y) + "  a row for each query", at, phone ? letter : width);
  for (int i = 0; i < Y.rows(); ++i) {
    const float answered = m.answered.empty() ? 1 : m.answered[static_cast<std::size_t>(i)];
    const Rect row = d.video() ? Rect{rect.x + (each + gap) * static_cast<float>(i), rect.y, each, each / films::kShape}
                               : scenes::cell_of(rect, Y.rows(), 1, i, 0).inset(1);
    // Out of the large frame, and whole on its way.
    const bool drops = i == m.drops && answered > 0;
    add_seen(d, drops ? 1 : answered, [&] { add_choice_of(d, m, i, drops ? mix(m.plan.output, row, answered) : row); });
  }
}

}  // namespace

// From each value in turn, as wide as its share of the output; on a phone down the right edge, the first one outermost.
void add_streams(Drawing& d, const Machine& m) {
  const Plan& plan = m.plan;
  const Rect& out = plan.output;
  float above = 0, outer = 0, sum = 0;
  const float letter = 0.3F * out.h;  // where nothing is mixed yet
  const Rect at{out.centre().x - letter / 4, out.centre().y - letter, letter, 2 * letter};
  add_seen(d, 1 - 4 * m.shown.output,
           [&] { add_formula(d, "awaited", at, symbol("y"), letter, d.colours.output.faded(0.6F)); });
  for (const float weight : m.weights) sum += std::max(weight, 0.F);
  const float share = 1 / std::max(sum, 1.F);  // along the wrong axis a row may sum to more than 1
  const float gap = std::min(0.6F, 3 / static_cast<float>(m.weights.size()));
  for (int j = 0; j < static_cast<int>(m.weights.size()); ++j) {
    const float given = std::max(m.weights[static_cast<std::size_t>(j)], 0.F), weight = share * given,
                y = plan.rows.at(j), ran = run_of_stream(m, j), seen = smoothstep(0, 0.2F, ran);
    if (weight == 0) continue;
    std::vector<Ribbon::Stop> stops = stops_of(d, colour_of_side(d, m, j, d.colours.value_fill), weight);
    Edge from, to;
    if (plan.phone) {
      const float thick = std::max(Plan::kLanes * weight, 0.8F);
      Fall fall = fall_of(plan, d.figure.width, y, outer, thick, above, weight);
      from = fall.from, to = fall.to;
      add_stroke(d, "lane." + std::to_string(j), std::move(fall.lane), stops[0].colour, thick).opacity = seen;
      outer += thick + gap;
    } else {
      const float half = std::max(2.F, weight * plan.value_h) / 2, top = out.y + above * out.h;
      from = {{plan.value.right() + 3, y - half}, {plan.value.right() + 3, y + half}};
      to = {{out.x - 5, top}, {out.x - 5, top + std::max(1.2F, weight * out.h)}};
    }
    above += weight;
    Ribbon ribbon = flowing(from, to, plan.phone ? Flow::upright : Flow::level, std::move(stops));
    if (m.pointed >= 0 && m.pointed != j)
      for (Ribbon::Stop& stop : ribbon.stops) stop.colour = stop.colour.faded(0.35F);
    if (ran > 0) run(ribbon, ran);  // or it is whole, and fades, where it was there before
    const auto [left, end_x] = std::minmax({from.one.x, from.other.x, to.one.x, to.other.x});
    const auto [top, end_y] = std::minmax({from.one.y, from.other.y, to.one.y, to.other.y});
    const std::string& name = d.trace.at(m.form.names.value).row_labels[static_cast<std::size_t>(j)];
    Element& pour = add_part(d, "pour." + std::to_string(j), Role::cell, {left, top, end_x - left, end_y - top},
                             name + ": " + share_text(m.weights, j) + " of it", std::move(ribbon));
    pour.source = weight_at(m, j), pour.opacity = seen;
  }
}

void add_output(Drawing& d, const Machine& m) {
  const Plan& plan = m.plan;
  const Rect& out = plan.output;
  constexpr float kEdge = 3.2F;
  add_box(d, "output.box", out.inset(-kEdge),
          {.fill = d.colours.surface.faded(0.3F), .stroke = d.colours.output_fill, .stroke_width = kEdge, .radius = 8});
  const std::string mixed = mix_of(d, m);
  if (d.video()) {
    films::add_mix(d.figure, "output.mix", m.weights, out);
    add_part(d, "output.mix", Role::image, out,
             "What " + label_of(d.trace.at(m.form.names.output).row_labels, m.row) + " gets: " + mixed);
  }
  if (m.shown.told <= 0 && m.answered.empty()) return;
  float y = add_told_output(d, m);
  if (plan.phone) return add_all_outputs(d, m, {plan.said.x, out.bottom() + 14}, Plan::kAll);
  y = add_note(d, "output.said", mixed, {out.x, y}, d.figure.width - out.x - 8, small_text(m)) + 6;
  add_all_outputs(d, m, {out.x, y}, out.w);
}

}  // namespace limelight::scenes::layer
