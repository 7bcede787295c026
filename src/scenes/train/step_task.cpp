// The step What is learned: the network, unrolled over one example, and how many numbers each of its parts has.
#include <algorithm>

#include "scenes/train/steps.h"

namespace limelight::scenes::train {

using namespace figure;

namespace {

// What is learned: each part as long as it has numbers.
float add_parts(Drawing& d, Rect area) {
  const Tensor& parts = d.trace.at("parts");
  const int count = parts.rows() - 1;  // the last is their sum
  const float pitch = std::min((area.h - 30) / static_cast<float>(count), 64.F),
              most = parts.values.topRows(count).maxCoeff();
  add_subtitle(d, "parts.title", {area.x, area.y}, area.w,
               brief(static_cast<double>(parts.values(count, 0)), 6) + " numbers, all learned");
  for (int i = 0; i < count; ++i) {
    const Source source{"parts", i, 0};
    const float y = area.y + 30 + pitch * static_cast<float>(i), value = parts.values(i, 0);
    const std::string number = brief(static_cast<double>(value), 6),
                      &name = parts.row_labels[static_cast<std::size_t>(i)];
    add_words(d, "parts.name." + name, {area.x, y, area.w, 18}, name + ": " + number, {d.colours.ink, type::body});
    d.figure.add({.id = cell_id(source),
                  .role = Role::cell,
                  .rect = {area.x, y + 20, std::max(area.w * value / most, 2.F), std::min(pitch - 28, 12.F)},
                  .label = name + ": " + number,
                  .source = source,
                  .shape = Rectangle{.fill = d.colours.neutral_fill, .radius = 3}});
  }
  return area.y + 30 + pitch * static_cast<float>(count);
}

}  // namespace

float draw_task(Drawing& d, float y, float bottom) {
  const float m = d.margin(), table = d.narrow() ? d.inner() : 280,
              wide = d.narrow() ? d.inner() : d.inner() - table - 34;
  const float high = d.narrow() ? 240 : std::clamp(bottom - y - d.press_height() - 40, 260.F, 460.F);
  add_night(d, night_of(d, {m, y, wide, high}));
  const float end = add_input(d, {m, y + high + 8, wide, d.press_height()});
  return std::max(end, add_parts(d, d.narrow() ? Rect{m, end + 14, table, 290} : Rect{m + wide + 34, y, table, high}));
}

std::string tell_task(const Told& t) {
  const auto& parts = t.trace.at("parts");
  Eigen::Index most = 0;
  parts.values.topRows(parts.rows() - 1).col(0).maxCoeff(&most);
  return "Between the letters that are read and those that are written stand " +
         bold(brief(t.summary(Summary::weights), 6)) +
         " **numbers**, random at first, then learned; no rule is among them. The largest part is the **" +
         label_of(parts.row_labels, static_cast<int>(most)) + "**. " +
         (t.begun() ? "After " + batches(t.batch()) + " it writes " : std::string("Untrained, it writes ")) +
         written_now(t) + ".";
}

Inspection formula_task(const State&, const Palette& colours) {
  const Formula s = coloured(script(symbol("s"), word("t−1")), colours.query),
                h = coloured(script(symbol("h"), symbol("j")), colours.key),
                context = coloured(script(symbol("c"), symbol("t")), colours.output);
  return {
      .title = "encoder and decoder",
      .lines = {row({h, operation("="), word("[GRU→ | GRU←]"), parenthesised(script(symbol("x"), symbol("j")))}),
                row({script(symbol("s"), symbol("t")), operation("="), word("GRU"),
                     parenthesised(
                         row({word("["), script(symbol("y"), word("t−1")), word(" | "), context, word("], "), s}))})},
      .note =
          "A state is read from the source letter by letter, both ways, and the output is written letter by letter."};
}

}  // namespace limelight::scenes::train
