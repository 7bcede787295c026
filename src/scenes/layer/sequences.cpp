// The machine's sequences: the inputs, and the second one.
#include <algorithm>

#include "scenes/common/explain.h"
#include "scenes/common/strips.h"
#include "scenes/layer/machine.h"

namespace limelight::scenes::layer {
namespace {

// In the colour of queries where these are drawn from it, or may be.
void add_sequence(Drawing& d, const Machine& m, bool inputs) {
  const std::string id = inputs ? "X.strip" : "Z.strip";
  const Rect& rect = inputs ? m.plan.strip : m.plan.second;
  const bool asks = m.form.queries == (inputs ? QueriesFrom::inputs : QueriesFrom::second),
             takes = inputs && !asks && m.form.lenses;
  const float drawn = d.view.hovered == id || (takes && d.view.held) ? 1 : !asks ? 0 : m.held ? m.landed : 1;
  const Colour edge = mix(d.colours.input_fill.faded(0.9F), d.colours.query_fill, drawn),
               fill = d.colours.input_fill.faded(is_dark(d.view.theme) ? 0.16F : 0.26F);
  add_box(d, id + ".place", rect, {.fill = fill, .stroke = edge, .stroke_width = mix(1.6F, 2.6F, drawn), .radius = 12});
  if (takes)
    add_press(d, id, Role::button, rect, "The inputs: let the queries come from here as well",
              {.field = "step", .value = "self", .place = 1});
}

void add_second_words(Drawing& d, const Machine& m, Rect rect) {
  const Tensor& Z = d.trace.at("Z");
  // The tap is on the sequence, not on one of its words: they are beside it.
  const float k = m.plan.text(), gap = 5, below = 7, head = m.plan.query.middle() + 27 * k - rect.x,
              letter = m.plan.phone ? rect.bottom() - 27 : rect.centre().y - 11;
  add_caption(d, m, "Z.caption", symbol("Z"), d.colours.input, head > 185 ? size_text(Z) + "  a second sequence" : "",
              {rect.x + 12, letter}, head - (m.plan.phone ? 0 : 58 * k));
  const float each = std::min((rect.w - head - 12) / static_cast<float>(Z.rows()), 120 * k);
  for (int i = 0; i < Z.rows(); ++i) {
    const Rect at{rect.x + head + each * static_cast<float>(i), rect.y + below, each - std::min(gap, 0.15F * each),
                  rect.h - below - 6};
    const bool asks = i == m.row;
    const std::string& name = Z.row_labels[static_cast<std::size_t>(i)];
    const std::string id = "Z.input." + std::to_string(i);
    const Colour edge = asks ? d.colours.query_fill : d.colours.input_fill;
    add_box(d, id + ".place", at, card_look(d.colours.surface, edge, asks, std::min(6.F, 0.2F * at.w)));
    add_choice(d, id, at, name + ": let it ask", i);
    if (at.w > 16)
      add_words(d, id + ".words", at.inset(0.5F), name,
                fitted({asks ? d.colours.ink : d.colours.muted,
                        {asks ? text::Face::semibold : text::Face::regular, std::max(13.F, 13 * k)},
                        Align::centre},
                       name, at.w - std::min(8.F, 0.1F * at.w), 10));
  }
}

void add_empty(Drawing& d, const Machine& m, Rect r) {
  const std::size_t from = d.figure.elements.size();
  const bool over = d.view.hovered == "Z.empty";
  add_press(d, "Z.empty", Role::button, r, "A second sequence: let the queries come from there",
            {.field = "step", .value = "cross", .place = 2});
  add_stroke(d, "Z.empty.edge", {{r.x, r.y}, {r.right(), r.y}, {r.right(), r.bottom()}, {r.x, r.bottom()}, {r.x, r.y}},
             over || d.view.held ? d.colours.query : d.colours.faint, over ? 2.4F : 1.4F, true);
  const Point to = m.plan.second_port();
  const float ring = 19 * m.plan.scale, from_x = to.x + ring + 8;
  add_box(
      d, "Z.empty.free", Rect{to.x, m.plan.phone ? r.centre().y : to.y, 0, 0}.inset(-ring),
      {.fill = d.colours.surface.faded(0.5F), .stroke = d.colours.query_fill, .stroke_width = 1.6F, .radius = ring});
  add_words(d, "Z.empty.words", {from_x, r.y, r.right() - from_x - 8, r.h},
            m.plan.phone ? "drag the purple tap here" : "drag the purple tap here: a second sequence asks",
            {d.colours.muted, {text::Face::regular, 13 * m.plan.text()}});
  mark_furniture(d.figure, from);
}

}  // namespace

void add_inputs(Drawing& d, const Machine& m) {
  const Plan& plan = m.plan;
  const Tensor& X = d.trace.at("X");
  add_sequence(d, m, true);
  for (int i = 0; i < X.rows(); ++i) {
    const Rect at = plan.input(i);
    const std::string id = "X.input." + std::to_string(i);
    const std::string& name = X.row_labels[static_cast<std::size_t>(i)];
    if (d.video()) {
      films::add_film(d.figure, id, i, at);
      add_part(d, id, Role::image, at.inset(-2), said_of(X, i),
               Rectangle{.stroke = d.colours.input_fill.faded(0), .radius = 6});
      if (m.plan.phone || m.plan.rows.pitch - at.h >= 16)
        add_words(d, id + ".name", {at.x - 8, at.bottom() + 2, at.w + 16, 18}, name,
                  {d.colours.input, {text::Face::regular, small_text(m)}, Align::centre});
    } else {
      add_card(d, m,
               {.id = id,
                .rect = at,
                .words = name,
                .look = {.fill = d.colours.surface.faded(0.7F), .radius = 6},
                .ink = d.colours.input,
                .cells = {"X", i, 0, 1, X.columns()},
                .tint = d.colours.input_fill,
                .label = "Embedding of " + name,
                .edit = Edit{"X", {}}});
    }
  }
  if (!plan.phone)
    add_caption(d, m, "X.caption", symbol("X"), d.colours.input,
                size_text(X) + (d.video() && !m.form.lenses ? "  the inputs, four videos" : "  the inputs"),
                {plan.strip.x, plan.strip.bottom() + 4}, plan.query.middle() - 14 - plan.strip.x);
}

// The second sequence, or where one may be. Returns the bottom.
float add_second(Drawing& d, const Machine& m) {
  const Plan& plan = m.plan;
  if (m.form.queries == QueriesFrom::inputs) {
    add_empty(d, m, plan.second);
    return plan.second.bottom();
  }
  constexpr float kName = 12;  // px of none before it
  const float height = d.press_height(), most = 330 * plan.scale;
  Rect ask{plan.second.x - kName, plan.second.centre().y - height / 2, std::min(plan.second.w, most), height};
  if (m.form.queries == QueriesFrom::second) {
    add_sequence(d, m, false);
    add_second_words(d, m, plan.second);
    ask.x = plan.second.right() + 20 - kName;
    ask.w = std::min(plan.output.x - 12 - ask.x, most);
    if (plan.phone)
      ask = {plan.said.x + Plan::kAll, plan.output.bottom() + 6, plan.output.right() - plan.said.x - Plan::kAll,
             height};
  }
  return add_text_input(d, {.field = "other", .label = "The second sequence", .hint = "your own queries …"}, ask);
}

}  // namespace limelight::scenes::layer
