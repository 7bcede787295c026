#include <algorithm>
#include <cmath>

#include "figure/panels.h"
#include "io/numbers.h"
#include "scenes/score_parts.h"

namespace limelight::scenes::score {
namespace {

float height_left(const Drawing& d, float y, float least) { return std::max(d.view.height - y - 16, least); }

// ---- 1: arrows ----

// q·k = |q| |k| cos θ, and the same with the numbers of the key that is looked at.
Formula law(const Drawing& d, bool numbers) {
  const Colour query = d.colours.query, key = d.colours.key;
  if (!numbers)
    return row({coloured(symbol("q"), query), operation("·"), coloured(symbol("k"), key), operation("="), word("|"),
                coloured(symbol("q"), query), word("|"), operation("·"), word("|"), coloured(symbol("k"), key),
                word("|"), operation("·"), word("cos"), symbol("θ")});
  const auto value = [&](const char* tensor, int i, int j, int decimals) {
    return number(io::format_fixed(static_cast<double>(d.values(tensor)(i, j)), decimals));
  };
  return row({value("scores", 0, d.key, 2), operation("="), coloured(value("length", 0, 0, 2), query), operation("·"),
              coloured(value("lengths", 0, d.key, 2), key), operation("·"), value("scores", 2, d.key, 3)});
}

float add_law(Drawing& d, Point at, float width) {
  d.figure.add({.id = "law",
                .rect = {at.x, at.y, width, 26},
                .label = "The dot product is the product of both lengths and the cosine of the angle.",
                .shape = FormulaBox{.formula = law(d, false), .size = 17, .colour = d.colours.ink}});
  d.figure.add({.id = "law.numbers",
                .rect = {at.x, at.y + 28, width, 24},
                .label = figure::plain(law(d, true)),
                .shape = FormulaBox{.formula = law(d, true), .size = 14, .colour = d.colours.ink}});
  return 56;
}

// Who wins by which measure, as bars.
float add_contest(Drawing& d, Rect area) {
  const bool beside = area.w >= 480;
  const float width = beside ? (area.w - 24) / 2 : area.w;
  const float height = 22 + 22 * kKeys;
  const struct {
    const char* id;
    const char* title;
    const char* tensor;
    int row;
  } groups[] = {{"contest.dot", "dot product, with the lengths", "scores", 0},
                {"contest.cosine", "cosine, the angle alone", "scores", 2}};
  float x = area.x, y = area.y;
  for (const auto& group : groups) {
    add_words(d, std::string(group.id) + ".title", {x, y, width, 18}, group.title,
              {.face = text::Face::semibold, .size = 12, .colour = d.colours.ink});
    add_key_bars(d, group.id, group.tensor, group.row, {x, y + 22, width, 22 * kKeys},
                 {.fill = d.colours.accent, .again = ".again"});
    beside ? x += width + 24 : y += height + 10;
  }
  return beside ? height : 2 * height + 10;
}

float draw_arrows(Drawing& d) {
  const float y = 12;
  if (d.view.compact()) {
    const float plane = d.inner();
    add_arrows(d, {d.margin(), y, d.inner(), plane});
    add_table(d, {d.margin(), y + plane + 8, d.inner(), kTableHeight});
    float bottom = y + plane + 8 + kTableHeight + 12;
    bottom += add_law(d, {d.margin(), bottom}, d.inner()) + 12;
    return bottom + add_contest(d, {d.margin(), bottom, d.inner(), 0});
  }
  const float table_w = std::clamp(d.inner() * 0.47F, 300.F, 420.F);
  const float height = height_left(d, y, 300);
  const float plane_w = d.inner() - table_w - 20;
  add_arrows(d, {d.margin(), y, plane_w, std::min(height, plane_w * 1.25F)});
  const float x = d.margin() + plane_w + 20;
  const bool low = d.view.height < 460;
  const float free = height - kTableHeight - 56 - 2 * (22 + 22 * kKeys) - 10;
  const float gap = low ? 8 : std::clamp(free / 4, 8.F, 32.F);
  float bottom = y;
  add_table(d, {x, bottom, table_w, kTableHeight});
  bottom += kTableHeight + gap;
  bottom += add_law(d, {x, bottom}, table_w) + gap;
  if (!low) bottom += add_contest(d, {x, bottom, table_w, 0});
  return std::max(bottom, y + std::min(height, plane_w * 1.25F));
}

}  // namespace

Figure draw(const State& state, const Trace& trace, const View& view) {
  Drawing d{.figure = {},
            .state = state,
            .trace = trace,
            .view = view,
            .colours = palette(view.theme),
            .query = std::string(query_name(state)),
            .keys = key_names(state),
            .key = state.key};
  d.figure.width = view.width;
  d.figure.background = d.colours.paper;
  const float bottom = draw_arrows(d);
  d.figure.height = bottom + 12;
  return std::move(d.figure);
}

}  // namespace limelight::scenes::score
