// The step To be learned: the parts of the network, as large as they have numbers, beside what it makes of one
// word.
#include <algorithm>
#include <cmath>

#include "figure/marks.h"
#include "figure/small_cells.h"
#include "scenes/common/words.h"
#include "scenes/train/steps.h"

namespace limelight::scenes::train {

using namespace figure;

namespace {

// What each part does with a letter, on its way from being read to being written.
constexpr const char* kDoes[] = {"makes numbers of each letter", "reads them, from both ends",
                                 "where the writing begins",     "finds the letters to look at",
                                 "writes, letter by letter",     "how likely each letter is"};

// Where in the panel the part is at work that is pointed at, and its square.
void add_where(Drawing& d) {
  static constexpr const char* kAt[] = {"read.", "read.", "written.0", "", "written.", "written."};
  const std::optional<Source> at = parse_cell_id(d.view.focus());
  if (!at || at->tensor != "parts" || at->row >= static_cast<int>(std::size(kAt))) return;
  const std::string part = kAt[at->row], among = part.empty() ? d.state.attention ? "light" : "vector" : part;
  Rect all{};
  for (const Element& element : d.figure.elements)
    if (const Rect& one = element.rect; element.id.starts_with("night." + among))  // beside each other
      all = all.w == 0 ? one : Rect{all.x, all.y, one.right() - all.x, std::max(all.bottom(), one.bottom()) - all.y};
  if (part.empty()) all = {all.x + 16, all.y + 48, all.w - 32, all.h - 56};
  add_ring(d.figure, "parts.where", all.inset(-8), palette(night_theme(d.view)).ink);
  const Element* square = d.figure.find(cell_id(*at));
  if (square != nullptr) add_ring(d.figure, "parts.at", square->rect.inset(-2), d.colours.ink);
}

// What is learned: the parts in their order, each as large a square as it has numbers.
float add_parts(Drawing& d, Rect area) {
  const Tensor& parts = d.trace.at("parts");
  const int count = parts.rows() - 1;  // the last is their sum
  const auto there = (parts.values.topRows(count).array() > 0).count();
  const float k = d.narrow() ? 1 : night_letters(d), top = area.y + 42,
              pitch = (area.h - 42) / static_cast<float>(there), side = std::min(pitch - 6, 0.34F * area.w),
              middle = area.x + side / 2, left = area.x + side + 16, most = parts.values.topRows(count).maxCoeff();
  add_subtitle(d, "parts.title", {area.x, area.y}, area.w,
               brief(static_cast<double>(parts.values(count, 0)), 6) + " numbers, part by part");
  const Told t = d.told();
  add_words(d, "parts.cells", {area.x, area.y + 20, area.w, 17},
            "some of them, " + (t.begun() && !t.recorded() ? "after " + batches(t.batch()) : "as they begin: random"),
            {d.colours.muted, {text::Face::regular, 12 * night_letters(d)}});
  float above = 0;  // the bottom of the part before
  float place = 0;
  for (int i = 0; i < count; ++i) {
    const Source source{"parts", i, 0};
    if (parts.values(i, 0) == 0) continue;  // there is no such part
    const float y = top + pitch * (place++ + 0.5F) - 3, value = parts.values(i, 0),
                half = std::max(side * std::sqrt(value / most), 2.F) / 2;
    const std::string said =
        parts.row_labels[static_cast<std::size_t>(i)] + ": " + brief(static_cast<double>(value), 6);
    if (Arrow way{{middle, above + 3}, {middle, y - half - 3}, d.colours.muted, 1.2F}; place > 1)
      d.figure.add({.id = "parts.way." + said, .shape = way});
    above = y + half;
    d.figure.add({.id = cell_id(source),
                  .role = Role::cell,
                  .rect = Rect{middle, y, 0, 0}.inset(-half),
                  .label = said,
                  .source = source,
                  .shape = Rectangle{.fill = d.colours.surface, .radius = 3}});
    const std::string some = "part_" + std::to_string(i);
    if (const Tensor* cells = d.trace.find(some))
      d.figure.add({.id = some,
                    .rect = Rect{middle, y, 0, 0}.inset(-half),
                    .shape = small_cells({some, 0, 0, cells->rows(), cells->columns()},
                                         2 * half / static_cast<float>(cells->rows()), d.colours.muted, d.view.theme)});
    const Rect line{left, y, area.right() - left, 17 * k};
    add_words(d, "parts.name." + said, line.moved(0, -18 * k), said, {d.colours.ink, {text::Face::semibold, 13 * k}});
    add_words(d, "parts.does." + said, line, kDoes[i], {d.colours.muted, {text::Face::regular, 12 * k}});
  }
  return area.bottom();
}

}  // namespace

float draw_task(Drawing& d, float y, float bottom) {
  const float m = d.margin(), table = d.narrow() ? d.inner() : 0.27F * d.inner(),
              wide = d.narrow() ? d.inner() : d.inner() - table - 34;
  const float high = d.narrow() ? 190 : std::max(bottom - y - d.press_height() - 8, 260.F);
  add_night(d, night_of(d, {m, y, wide, high}));
  const float end = add_input(d, {m, y + high + 8, wide, d.press_height()});
  const float parts = add_parts(d, d.narrow() ? Rect{m, end + 14, table, 300} : Rect{m + wide + 34, y, table, end - y});
  add_where(d);
  return std::max(end, parts);
}

std::string tell_task(const Told& t) {
  const auto& parts = t.trace.at("parts");
  Eigen::Index most = 0;
  parts.values.topRows(parts.rows() - 1).col(0).maxCoeff(&most);
  return "Between the letters that are read and those that are written stand " +
         bold(brief(t.summary(Summary::weights), 6)) + " **numbers**, random at first, then learned" +
         (t.recorded() ? " (the record keeps none: train it yourself, and they change here)" : "") +
         "; no rule is among them. The largest part is the " +
         pointing(label_of(parts.row_labels, static_cast<int>(most)), cell_id({"parts", static_cast<int>(most), 0}),
                  MeansA::word) +
         ". " + (t.begun() ? "After " + batches(t.batch()) + " it writes " : std::string("Untrained, it writes ")) +
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
