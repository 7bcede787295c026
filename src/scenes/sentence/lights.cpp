// Heads as small pictures of their light.
#include <algorithm>
#include <cmath>

#include "figure/marks.h"
#include "scenes/sentence/parts.h"

namespace limelight::scenes::sentence {
namespace {

constexpr float kWithDots = 90;  // px of a panel that shows its words as dots
constexpr int kMostWhole = 64;   // heads; of more only the light of the word that asks
constexpr Colour kPanel{0x10, 0x11, 0x17}, kUnlit{0x5b, 0x5f, 0x6e};

void add_dots(Drawing& d, const Small& small, const Tensor& map, const Feet& from, const Feet& to, int query) {
  const std::string id = "small." + name_of(small.head) + ".";
  const auto add = [&](const std::string& name, Point at, float side, Colour colour) {
    add_box(d, id + name, {at.x - side / 2, at.y - side / 2, side, side}, {.fill = colour, .radius = side / 2});
  };
  const Palette& dark = palette(Theme::dark);
  const float side = std::clamp(0.4F * small.panel.w / static_cast<float>(from.at.size()), 1.5F, 4.F);
  for (int i = 0; const Point& at : from.at) {
    add("from." + std::to_string(i), {at.x, small.panel.y + 11}, i == query ? side + 2 : side,
        i == query ? dark.query : kUnlit);
    ++i;
  }
  for (std::size_t j = 0; j < to.at.size(); ++j) {
    const float weight = map.values(query, static_cast<Eigen::Index>(j));
    add("to." + std::to_string(j), {to.at[j].x, small.panel.bottom() - 11}, side + 5 * std::sqrt(weight),
        mix(kUnlit, {0xff, 0xf0, 0xc0}, std::min(2.5F * weight, 1.F)));
  }
}

}  // namespace

Feet feet_in(const Rect& panel, Side at, Eigen::Index count) {
  const float inset = panel.h >= kWithDots ? 20 : std::max(0.07F * panel.h, 2.F), side = 0.06F * panel.w,
              pitch = (panel.w - 2 * side) / static_cast<float>(count),
              y = at == Side::queries ? panel.y + inset : panel.bottom() - inset;
  Feet made;
  for (Eigen::Index i = 0; i < count; ++i)
    made.at.push_back({panel.x + side + pitch * (static_cast<float>(i) + 0.5F), y});
  return made;
}

void add_small(Drawing& d, std::span<const Small> heads) {
  if (heads.empty()) return;
  Light all{.tensor = {}, .theme = Theme::dark};
  Rect area = heads.front().panel;
  std::vector<std::pair<Feet, Feet>> feet;
  const int tokens = std::max(d.trace.at(d.tensor("A")).rows(), 1);
  const auto query_in = [&](const Tensor& map) { return d.query * map.rows() / tokens; };
  for (const Small& small : heads) {
    const Tensor& map = d.trace.at(of_head("G", small.head.layer, small.head.head));
    const std::string name = name_of(small.head);
    const Rect& panel = small.panel;
    const Colour edge = is_dark(d.view.theme) ? d.colours.track : kPanel;
    add_part(d, "small." + name, Role::button, panel, "Head " + name + ": " + kind_of(d.trace, small.head, d.heads),
             Rectangle{.fill = kPanel, .stroke = edge, .radius = std::min(6.F, 0.1F * panel.w)})
        .edit = Edit{"head", name};
    feet.emplace_back(feet_in(panel, Side::queries, map.rows()), feet_in(panel, Side::keys, map.columns()));
    Flows how{.share = 0.75F, .query = query_in(map), .scale = panel.w / 210, .faint = 0.18F, .most = 44};
    how.alone = std::ssize(heads) > kMostWhole;
    const Light light = flows_of(map, feet.back().first, feet.back().second, how, Theme::dark);
    all.beams.insert(all.beams.end(), light.beams.begin(), light.beams.end());
    const float x = std::min(area.x, panel.x), y = std::min(area.y, panel.y);
    area = {x, y, std::max(area.right(), panel.right()) - x, std::max(area.bottom(), panel.bottom()) - y};
  }
  // One light for all, over the panels and under their dots.
  d.figure.add({.id = "small.light", .rect = area, .shape = std::move(all)});
  for (std::size_t i = 0; i < heads.size(); ++i) {
    const Small& small = heads[i];
    const Tensor& map = d.trace.at(of_head("G", small.head.layer, small.head.head));
    if (small.panel.h >= kWithDots) add_dots(d, small, map, feet[i].first, feet[i].second, query_in(map));
    const float side = std::clamp(0.06F * small.panel.w, 4.F, 7.F);
    add_box(d, "small." + name_of(small.head) + ".mark", {small.panel.x + 4, small.panel.y + 4, side, side},
            {.fill = head_colour(small.head.head, Theme::dark), .radius = side / 2});
    if (small.head == d.head) add_ring(d.figure, "small.chosen", small.panel.inset(-3), d.colours.ink, 2.5F);
  }
}

float add_panels_of_heads(Drawing& d, Rect area) {
  const bool all = d.layers <= kMostLayersSmall && d.heads <= 12;
  const int columns = std::min(d.heads, d.narrow() ? 8 : 16), rows_of_one = (d.heads + columns - 1) / columns;
  const int rows = all ? d.layers * rows_of_one : rows_of_one;
  const float label = all && !d.narrow() ? 56 * d.label_scale() : 0, gap = d.narrow() ? 4 : 8;
  const float wide = (area.w - label + gap) / static_cast<float>(columns) - gap;
  const float high = std::clamp((area.h + gap) / static_cast<float>(rows) - gap, 24.F, 0.8F * wide);
  std::vector<Small> list;
  for (int i = 0; i < (all ? d.layers * d.heads : d.heads); ++i) {
    const HeadPlace place = all ? HeadPlace{i / d.heads, i % d.heads} : HeadPlace{d.head.layer, i};
    const int line = (all ? place.layer * rows_of_one : 0) + place.head / columns;
    list.push_back({place,
                    {area.x + label + (wide + gap) * static_cast<float>(place.head % columns),
                     area.y + (high + gap) * static_cast<float>(line), wide, high}});
  }
  for (int layer = 0; all && !d.narrow() && layer < d.layers; ++layer)
    add_words(d.figure, "small.layer." + std::to_string(layer),
              {area.x, area.y + (high + gap) * static_cast<float>(layer * rows_of_one), label - 6, high},
              "layer " + std::to_string(layer + 1), {d.colours.muted, {text::Face::regular, 12.5F * d.label_scale()}});
  add_small(d, list);
  return area.y + (high + gap) * static_cast<float>(rows) - gap;
}

}  // namespace limelight::scenes::sentence
