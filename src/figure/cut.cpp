#include "figure/cut.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <ranges>

#include "core/sort.h"
#include "io/utf8.h"

namespace limelight::figure {

namespace {

constexpr float kMargin = 16;
constexpr std::string_view kCardEnding = ".card";

// From its first to its last ink; empty before anything is taken.
struct Extent {
  Point low{std::numeric_limits<float>::infinity(), std::numeric_limits<float>::infinity()};
  Point high{-std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity()};

  void take(Point p) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  void join(const Extent& other) {
    if (other.empty()) return;
    take(other.low);
    take(other.high);
  }
  [[nodiscard]] bool empty() const { return low.x > high.x; }
  [[nodiscard]] Rect rect() const { return {low.x, low.y, high.x - low.x, high.y - low.y}; }
};

struct Measurer {
  Extent extent{};

  void take(Rect rect) {
    extent.take({rect.x, rect.y});
    extent.take({rect.right(), rect.bottom()});
  }
  void take(const std::vector<Point>& points, float around) {
    for (const Point p : points) take(Rect{p.x, p.y, 0, 0}.inset(-around));
  }
  void operator()(const RectanglePrimitive& p) {
    if (p.style.fill.a > 0 || p.style.stroke.a > 0) take(p.rect);
  }
  void operator()(const HeatmapPrimitive& p) { take(p.rect); }
  void operator()(const PixelsPrimitive& p) { take(p.rect); }
  // Letters rise at most their size above the baseline, and hang a third of it below.
  void operator()(const TextPrimitive& p) {
    if (p.vertical)
      take({p.baseline.x - p.size, p.baseline.y - p.width, p.size * 4 / 3, p.width});
    else
      take({p.baseline.x, p.baseline.y - p.size, p.width, p.size * 4 / 3});
  }
  void operator()(const PolylinePrimitive& p) { take(p.points, p.width / 2); }
  void operator()(const AreaPrimitive& p) { take(p.area.points, 0); }
  void operator()(const RibbonPrimitive& p) {
    take(p.ribbon.one, 0);
    take(p.ribbon.other, 0);
  }
  // Light has no edge: what it falls on says how large the picture is, or where it falls on nothing its glow.
  void operator()(const LightPrimitive& p) {
    for (const Light::Beam& beam : p.light.beams) take({beam.from, beam.to}, 0);
    if (!p.light.beams.empty()) return;
    for (const Light::Spot& spot : p.light.spots) {
      const auto& [x, y] = spot.centre;
      take({{x - spot.radius_x, y - spot.radius_y}, {x + spot.radius_x, y + spot.radius_y}}, 0);
    }
  }
  // A curve stays between its ends and what draws it.
  void operator()(const CurvePrimitive& p) {
    take({p.curve.from, p.curve.control_from, p.curve.control_to, p.curve.to}, p.curve.width / 2);
  }
};

// Whether it only says how large a part of the figure is, and shows nothing itself.
bool is_bare_card(const Element& element) {
  return element.id.ends_with(kCardEnding) && std::holds_alternative<std::monostate>(element.shape);
}

Extent extent_of(const Element& element, const Trace& trace) {
  Measurer measurer;
  if (is_bare_card(element)) measurer.take(element.rect);
  for (const Primitive& primitive : primitives(element, trace)) std::visit(measurer, primitive.shape);
  Extent extent = measurer.extent;
  if (element.clip && !extent.empty()) {
    const Rect clip = *element.clip;
    extent.low = {std::clamp(extent.low.x, clip.x, clip.right()), std::clamp(extent.low.y, clip.y, clip.bottom())};
    extent.high = {std::clamp(extent.high.x, clip.x, clip.right()), std::clamp(extent.high.y, clip.y, clip.bottom())};
  }
  return extent;
}

bool is_words(const Element& element) {
  return std::holds_alternative<Text>(element.shape) || std::holds_alternative<FormulaBox>(element.shape);
}

// Which panel an element is of; −1: none. Of two that it is named after, the one with the longer name. A frame around
// cells is of theirs; words before the rows of several tables are of any that is chosen.
int panel_of(const Figure& figure, const std::vector<TitledPanel>& panels, const std::vector<bool>& chosen,
             const Element& element) {
  constexpr std::string_view kOutline = "outline.";
  const bool before_rows = element.id.starts_with("ledger.");
  std::string_view id = element.id;
  if (id.starts_with(kOutline)) id.remove_prefix(kOutline.size());
  int found = -1;
  std::size_t longest = 0;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const Element* rows = before_rows && !chosen.empty() && chosen[i] ? figure.find(panels[i].id) : nullptr;
    const float middle = element.rect.centre().y;
    const bool beside = rows != nullptr && middle > rows->rect.y && middle < rows->rect.bottom();
    if (panels[i].id.size() > longest && (beside || is_named_after(id, panels[i].id))) {
      found = static_cast<int>(i);
      longest = panels[i].id.size();
    }
  }
  return found;
}

// For each panel whether it is chosen.
Result<std::vector<bool>> read_panels(const std::vector<TitledPanel>& panels, std::string_view text) {
  std::vector<bool> chosen(panels.size());
  while (true) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view id = text.substr(0, comma);
    const auto found = std::ranges::find(panels, id, &TitledPanel::id);
    if (found == panels.end())
      return fail("There is no panel " + io::quote(id) + " in this figure; there " +
                  (panels.empty() ? "is only \"all\" of it."
                                  : "are " + io::all_of(panels | std::views::transform(&TitledPanel::id)) +
                                        ", or \"all\" alone for the whole of it."));
    chosen[static_cast<std::size_t>(found - panels.begin())] = true;
    if (comma == text.size()) return chosen;
    text.remove_prefix(comma + 1);
  }
}

// How far each element moves up when gaps are closed that only furniture was in, across the whole of what is kept.
std::vector<float> rises(const std::vector<Extent>& kept, const std::vector<Extent>& furniture) {
  constexpr float kGap = 24;
  std::vector<Extent> rows;
  for (const Extent& extent : kept)
    if (!extent.empty()) rows.push_back(extent);
  heap_sort(rows, [](const Extent& a, const Extent& b) { return a.low.y < b.low.y; });
  std::vector<std::pair<float, float>> closed;  // where a gap ends, and by how much it is smaller
  float end = std::numeric_limits<float>::infinity();
  for (const Extent& row : rows) {
    const auto is_in_gap = [&](const Extent& extent) {
      return !extent.empty() && extent.low.y < row.low.y && extent.high.y > end;
    };
    if (row.low.y - end > kGap && std::ranges::any_of(furniture, is_in_gap))
      closed.emplace_back(row.low.y, row.low.y - end - kGap);
    end = std::isinf(end) ? row.high.y : std::max(end, row.high.y);
  }
  std::vector<float> rises;
  for (const Extent& extent : kept) {
    float rise = 0;
    for (const auto& [from, by] : closed)
      if (extent.low.y >= from) rise += by;
    rises.push_back(rise);
  }
  return rises;
}

}  // namespace

std::vector<TitledPanel> panels_of(const Figure& figure) {
  std::vector<TitledPanel> panels;
  for (const Element& element : figure.elements) {
    if (element.id.ends_with(kCardEnding) && !element.furniture) {
      panels.push_back({element.id.substr(0, element.id.size() - kCardEnding.size()), element.label});
    }
    std::string title = title_of(figure, element);
    if (title.empty()) continue;
    const std::string id = element.id.substr(0, element.id.size() - kTitleEnding.size());
    const bool drawn = std::ranges::any_of(figure.elements, [&](const Element& part) {
      return is_named_after(part.id, id) && !is_words(part) && !std::holds_alternative<std::monostate>(part.shape);
    });
    if (!drawn) continue;
    panels.push_back({id, std::move(title)});
  }
  return panels;
}

Result<Ground> read_ground(std::string_view name) {
  if (name == "theme") return Ground::theme;
  if (name == "white") return Ground::white;
  if (name == "transparent") return Ground::transparent;
  return fail("The ground is " + io::quote(name) + "; it can be theme, white or transparent.");
}

Result<Cut> cut_out(const Figure& figure, const Trace& trace, std::string_view panels, Ground ground, Gaps gaps) {
  const std::vector<TitledPanel> titled = panels_of(figure);
  const bool all = panels == "all";
  const Result<std::vector<bool>> chosen = all ? std::vector<bool>() : read_panels(titled, panels);
  if (!chosen) return std::unexpected(chosen.error());
  std::vector<Extent> extents, furniture;
  for (const Element& element : figure.elements) {
    const Extent extent = extent_of(element, trace);
    extents.push_back(element.furniture ? Extent{} : extent);
    if (element.furniture) furniture.push_back(extent);
  }
  std::vector<int> owner;
  for (const Element& element : figure.elements) owner.push_back(panel_of(figure, titled, *chosen, element));
  const auto is_chosen = [&](std::size_t i) {
    return all || (owner[i] >= 0 && (*chosen)[static_cast<std::size_t>(owner[i])]);
  };
  Extent whole;
  for (std::size_t i = 0; i < extents.size(); ++i)
    if (is_chosen(i)) whole.join(extents[i]);
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    const bool between = !all && owner[i] < 0 && whole.rect().contains(extents[i].rect().centre());
    if (!extents[i].empty() && (is_chosen(i) || between)) {
      kept.push_back(i);
      whole.join(extents[i]);
    }
  }
  std::vector<Extent> inked;
  for (const std::size_t i : kept) inked.push_back(extents[i]);
  const std::vector<float> up = gaps == Gaps::closed ? rises(inked, furniture) : std::vector<float>(kept.size());
  if (!up.empty()) whole.high.y -= std::ranges::max(up);
  Cut cut{.figure = {.background = figure.background, .background_to = figure.background_to}, .corner = {}};
  if (ground != Ground::theme) cut.figure.background_to = {0, 0, 0, 0};
  if (ground == Ground::white) cut.figure.background = {255, 255, 255, 255};
  if (ground == Ground::transparent) cut.figure.background.a = 0;
  const Rect bounds = whole.empty() ? Rect{0, 0, figure.width, figure.height} : whole.rect().inset(-kMargin);
  cut.corner = {std::floor(bounds.x), std::floor(bounds.y)};
  cut.figure.width = std::ceil(bounds.right()) - cut.corner.x;
  cut.figure.height = std::ceil(bounds.bottom()) - cut.corner.y;
  for (std::size_t n = 0; n < kept.size(); ++n) {
    Figure one{.elements = {figure.elements[kept[n]]}};
    one.elements[0].edit.reset();  // nothing in a picture is
    append(cut.figure, one, -cut.corner.x, -cut.corner.y - up[n], std::nullopt);
  }
  return cut;
}

}  // namespace limelight::figure
