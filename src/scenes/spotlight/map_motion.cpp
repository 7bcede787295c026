#include "scenes/spotlight/weight_map.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

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

// Where each row of the map is at a moment.
class Descent {
 public:
  // Moments: the lamp's row is open, is down; the first other sets out, all are there; each takes.
  static constexpr float kOpen = 0.06F, kDown = 0.22F, kSets = 0.1F, kAll = 0.95F, kTakes = 0.4F;
  static constexpr float kUnder = 6, kLow = 12;  // px from the words to it; of its height at first
  static constexpr float kGap = 2;               // px from one row that comes out to the next
  static constexpr float kClear = 0.9F;          // of a row's height: beside the row before it

  // lamp: the first cell of its row, at rest.
  Descent(const Drawing& d, const Element& map, Rect lamp, float t)
      : map_(map),
        shown_(std::get<Heatmap>(map.shape).range),
        asks_(d.row),
        lamp_(lamp),
        t_(t),
        words_(end_of_words(d.figure)) {}

  [[nodiscard]] int first() const { return shown_.row; }
  [[nodiscard]] int last() const { return shown_.row + shown_.rows - 1; }
  [[nodiscard]] int farthest() const { return std::max(asks_ - first(), last() - asks_); }  // in rows
  [[nodiscard]] bool is_down() const { return t_ >= kDown; }
  [[nodiscard]] float height() const { return mix(std::min(kLow, lamp_.h), lamp_.h, smoothstep(0, kOpen, t_)); }

  // How far a row has come out, and all have.
  [[nodiscard]] float out(int row) const {
    if (row == asks_) return 1;
    const float after = static_cast<float>(std::abs(row - asks_) - 1);
    const float sets = mix(kSets, kAll - kTakes, after / static_cast<float>(std::max(farthest() - 1, 1)));
    return smoothstep(sets, sets + kTakes, t_);
  }
  [[nodiscard]] float all_out() const { return out(asks_ - first() < farthest() ? last() : first()); }

  [[nodiscard]] Rect place(int row) const {
    const float away = cell_rect(map_, row, shown_.column)->y - lamp_.y;
    return {map_.rect.x, mix(words_ + kUnder, lamp_.y, smoothstep(0, kDown, t_)) + away * out(row), map_.rect.w,
            height()};
  }
  // What of it is not under the row that it comes after, a little apart from that.
  [[nodiscard]] Rect seen(int row) const {
    Rect at = place(row);
    if (row == asks_) return at;
    const float under = std::max(height() - std::abs(at.y - place(beside(row)).y), 0.F),
                hidden = under + std::min(under, kGap);
    if (row > asks_) at.y += hidden;
    at.h = std::max(height() - hidden, 0.F);
    return at;
  }
  // Whether no row lies over it.
  [[nodiscard]] bool clear(int row) const {
    if (row == asks_) return is_down();
    const float beyond = place(row).y - place(beside(row)).y;
    return (row < asks_ ? -beyond : beyond) >= kClear * height();
  }

 private:
  [[nodiscard]] int beside(int row) const { return row + (row < asks_) - (row > asks_); }

  const Element& map_;
  CellRange shown_;
  int asks_;
  Rect lamp_;
  float t_, words_;
};

// The rows, those that are farther below the nearer ones.
std::vector<Element> rows_of(const Descent& descent, const Element& map, int asks) {
  std::vector<Element> rows;
  const auto add = [&](int row) {
    if (row < descent.first() || row > descent.last() || descent.out(row) == 0) return;
    Element coming = row_alone(map, row, descent.place(row));
    if (row != asks) coming.clip = descent.seen(row);
    if (!descent.clear(row)) std::get<Heatmap>(coming.shape).text_size = 0;
    rows.push_back(std::move(coming));
  };
  for (int away = descent.farthest(); away > 0; --away) {
    add(asks - away);
    add(asks + away);
  }
  add(asks);
  return rows;
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

Element row_alone(const Element& map, int row, Rect place) {
  Heatmap cells = std::get<Heatmap>(map.shape);
  cells.range.row = row;
  cells.range.rows = 1;
  return {.id = "weights.coming." + std::to_string(row), .rect = place, .shape = cells};
}

void come_down(Drawing& d, float t) {
  const Element map = *d.figure.find("weights");
  const std::optional<Rect> lamp = cell_rect(map, d.row, std::get<Heatmap>(map.shape).range.column);
  if (!lamp) return;  // the query is beyond what is zoomed into
  const Descent descent(d, map, *lamp, t);
  follow(d.figure, descent, t);
  std::vector<Element> rows = rows_of(descent, map, d.row);
  const auto at = std::ranges::find(d.figure.elements, map.id, &Element::id);
  d.figure.elements.insert(at + 1, std::make_move_iterator(rows.begin()), std::make_move_iterator(rows.end()));
}

}  // namespace limelight::scenes::spotlight
