#include "scenes/spotlight/weight_map.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "figure/descent.h"
#include "scenes/common/sentence.h"
#include "scenes/spotlight/lit.h"

namespace limelight::scenes::spotlight {
namespace {

// The y where the words and their percentages end.
float end_of_words(const Figure& figure) {
  float end = 0;
  for (const Element& element : figure.elements)
    if (element.id.starts_with("stage.share.") || element.id.ends_with(".text"))
      end = std::max(end, element.rect.bottom());
  return end;
}

// What belongs to the map goes with its rows; the map itself is drawn by them.
void follow(Figure& figure, const Descent& descent, float t) {
  float top = descent.place(descent.first()).y, bottom = 0;  // the colour bar opens with the rows
  for (int row = descent.first(); row <= descent.last(); ++row) {
    top = std::min(top, descent.place(row).y);
    bottom = std::max(bottom, descent.place(row).bottom());
  }
  for (Element& element : figure.elements) {
    const std::string_view id = element.id;
    if (id.starts_with("stage.arc.")) element.opacity *= descent.out(element.source->row);
    if (!id.starts_with("weights") && !id.starts_with("outline.weights")) continue;
    if (const std::optional<int> row = map_row_at(id)) {
      element.rect.y = descent.place(*row).centre().y - element.rect.h / 2;
      if (!descent.clear(*row)) element.opacity = 0;
      element.role = Role::none;  // on its way it is not pressed
    } else if (std::holds_alternative<Heatmap>(element.shape)) {
      if (id != "weights.row" || !descent.is_down()) element.clip = Rect{};
    } else if (id == "weights.bar") {
      // All out, its numbers may stand beyond its ends.
      const float beyond = descent.all_out() >= 1 ? element.rect.h : 0;
      element.clip = Rect{element.rect.x, top - beyond, kBarRoom, t > Descent::kSets ? bottom - top + 2 * beyond : 0};
    } else {
      element.opacity *= smoothstep(Descent::kSets, Descent::kAll, t);
    }
  }
}

}  // namespace

void come_down(Drawing& d, float t) {
  const Element map = *d.figure.find("weights");
  const std::optional<Rect> lamp = cell_rect(map, d.row, std::get<Heatmap>(map.shape).range.column);
  if (!lamp) return;  // the query is beyond what is zoomed into
  const Descent descent({map, d.row, *lamp, t, end_of_words(d.figure)});
  follow(d.figure, descent, t);
  std::vector<Element> rows = descent.rows();
  const auto at = std::ranges::find(d.figure.elements, map.id, &Element::id);
  d.figure.elements.insert(at + 1, std::make_move_iterator(rows.begin()), std::make_move_iterator(rows.end()));
}

}  // namespace limelight::scenes::spotlight
