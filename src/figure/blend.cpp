// From one drawing to the next.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "figure/figure.h"

namespace limelight::figure {
namespace {

// What cannot be between two values changes half-way.
template <class T>
const T& switched(const T& from, const T& to, float t) {
  return t < 0.5F ? from : to;
}

std::vector<Point> blend_points(const std::vector<Point>& from, const std::vector<Point>& to, float t) {
  if (from.size() != to.size()) return switched(from, to, t);
  std::vector<Point> points(to.size());
  for (std::size_t i = 0; i < to.size(); ++i) points[i] = mix(from[i], to[i], t);
  return points;
}

// The same side of a ribbon in `count` points: it has fewer the straighter it is.
std::vector<Point> in_points(const std::vector<Point>& side, std::size_t count) {
  if (side.size() < 2 || side.size() == count) return side;
  std::vector<Point> points(count);
  const float pieces = static_cast<float>(side.size() - 1), step = pieces / static_cast<float>(count - 1);
  for (std::size_t i = 0; i < count; ++i) {
    const float at = std::min(step * static_cast<float>(i), pieces);
    const std::size_t before = std::min(static_cast<std::size_t>(at), side.size() - 2);
    points[i] = mix(side[before], side[before + 1], at - static_cast<float>(before));
  }
  return points;
}

// Each starts from `to`, so that what is not named here is the new drawing's: ranges, maps, themes belong to its trace.
std::monostate blend_shape(std::monostate, std::monostate, float) { return {}; }

Rectangle blend_shape(const Rectangle& from, Rectangle to, float t) {
  to.fill = mix(from.fill, to.fill, t);
  to.stroke = mix(from.stroke, to.stroke, t);
  to.stroke_width = mix(from.stroke_width, to.stroke_width, t);
  to.radius = mix(from.radius, to.radius, t);
  return to;
}

Text blend_shape(const Text& from, const Text& to, float t) {
  Text text = switched(from, to, t);
  text.size = mix(from.size, to.size, t);
  text.drawn_at = from.size != to.size && to.drawn_at == 0 ? to.size : to.drawn_at;
  text.colour = mix(from.colour, to.colour, t);
  return text;
}

FormulaBox blend_shape(const FormulaBox& from, FormulaBox to, float t) {
  to.formula = switched(from.formula, to.formula, t);
  to.size = mix(from.size, to.size, t);
  to.colour = mix(from.colour, to.colour, t);
  return to;
}

Line blend_shape(const Line& from, Line to, float t) {
  to.points = blend_points(from.points, to.points, t);
  to.colour = mix(from.colour, to.colour, t);
  to.width = mix(from.width, to.width, t);
  return to;
}

Curve blend_shape(const Curve& from, const Curve& to, float t) {
  return {.from = mix(from.from, to.from, t),
          .control_from = mix(from.control_from, to.control_from, t),
          .control_to = mix(from.control_to, to.control_to, t),
          .to = mix(from.to, to.to, t),
          .colour = mix(from.colour, to.colour, t),
          .width = mix(from.width, to.width, t)};
}

Arrow blend_shape(const Arrow& from, const Arrow& to, float t) {
  return {.from = mix(from.from, to.from, t),
          .to = mix(from.to, to.to, t),
          .colour = mix(from.colour, to.colour, t),
          .width = mix(from.width, to.width, t)};
}

Area blend_shape(const Area& from, const Area& to, float t) {
  return {.points = blend_points(from.points, to.points, t),
          .fill = mix(from.fill, to.fill, t),
          .fill_to = mix(from.fill_to, to.fill_to, t)};
}

// A number's box, its area what the number is, goes sideways before it goes up or down, and is narrow on that way, so
// that it passes over nothing beside it; one that goes on to the left to stand upright there the other way round. Its
// sides change by the same factor in the same time: of several boxes one
// that is ten times as large as another is so all the way.
void go_as_box(Area& area, const Area& from, const Area& to, float t) {
  const auto box_of = [](const Area& of) {
    return Rect{of.points[0].x, of.points[0].y, of.points[2].x - of.points[0].x, of.points[2].y - of.points[0].y};
  };
  if (from.points.size() != 4 || to.points.size() != 4) return;
  Rect was = box_of(from), is = box_of(to);
  const bool turned = is.h > is.w && is.right() < was.x;
  const auto turn = [turned](const Rect& r) { return turned ? Rect{r.y, r.x, r.h, r.w} : r; };
  was = turn(was), is = turn(is);
  if (was.w == is.w || !(std::min({was.w, was.h, is.w, is.h}) > 0)) return;
  const float aside = smoothstep(0, 0.5F, t), down = smoothstep(0.4F, 1, t);
  const auto side = [](float before, float after, float share) { return before * std::pow(after / before, share); };
  const float w = side(was.w, is.w, is.w > was.w ? down : aside), h = side(was.h, is.h, down);
  const float x = mix(was.centre().x, is.centre().x, aside) - w / 2, y = mix(was.bottom(), is.bottom(), down) - h;
  const Rect box = turn({x, y, w, h});
  area.points = {{box.x, box.y}, {box.right(), box.y}, {box.right(), box.bottom()}, {box.x, box.bottom()}};
}

MatrixCells blend_shape(const MatrixCells& from, MatrixCells to, float t) {
  to.gap = mix(from.gap, to.gap, t);
  to.radius = mix(from.radius, to.radius, t);
  // Digits that come or go do so at a size at which they are read, and no digit is added to them or taken away.
  constexpr float kRead = 0.7F;  // of their size
  const MatrixCells told = from.text_size > to.text_size ? from : to;
  const bool stay = from.text_size > 0 && to.text_size > 0;
  to.text_size = mix(from.text_size, to.text_size, t);
  if (!stay && to.text_size < kRead * told.text_size) to.text_size = 0;
  to.decimals = stay ? switched(from.decimals, to.decimals, t) : told.decimals;
  to.sparse = stay ? to.sparse : told.sparse;
  to.tint = mix(from.tint, to.tint, t);
  return to;
}

Heatmap blend_shape(const Heatmap& from, Heatmap to, float t) {
  to.low = mix(from.low, to.low, t);
  to.high = mix(from.high, to.high, t);
  to.gap = mix(from.gap, to.gap, t);
  to.text_size = mix(from.text_size, to.text_size, t);
  return to;
}

Arcs blend_shape(const Arcs& from, Arcs to, float t) {
  to.colour = mix(from.colour, to.colour, t);
  to.threshold = mix(from.threshold, to.threshold, t);
  to.max_width = mix(from.max_width, to.max_width, t);
  return to;
}

Bars blend_shape(const Bars& from, Bars to, float t) {
  to.high = mix(from.high, to.high, t);
  to.bar_h = mix(from.bar_h, to.bar_h, t);
  to.pitch = mix(from.pitch, to.pitch, t);
  return to;
}

ColourBar blend_shape(const ColourBar& from, ColourBar to, float t) {
  to.low = mix(from.low, to.low, t);
  to.high = mix(from.high, to.high, t);
  to.ink = mix(from.ink, to.ink, t);
  return to;
}

Pixels blend_shape(const Pixels&, const Pixels& to, float) { return to; }

Ribbon blend_shape(const Ribbon& from, Ribbon to, float t) {
  if (from.stops.size() == to.stops.size())
    for (std::size_t i = 0; i < to.stops.size(); ++i)
      to.stops[i] = {.at = mix(from.stops[i].at, to.stops[i].at, t),
                     .colour = mix(from.stops[i].colour, to.stops[i].colour, t)};
  // In as many pieces as the one that bends more needs.
  const std::size_t count = std::max(from.one.size(), to.one.size());
  to.one = blend_points(in_points(from.one, count), in_points(to.one, count), t);
  to.other = blend_points(in_points(from.other, count), in_points(to.other, count), t);
  return to;
}

// Where there are more beams than before, the new ones appear where they will be.
Light blend_shape(const Light& from, Light to, float t) {
  to.theme = switched(from.theme, to.theme, t);
  for (std::size_t i = 0; i < to.beams.size(); ++i) {
    Light::Beam& beam = to.beams[i];
    if (i >= from.beams.size()) {
      beam.intensity *= t;
      continue;
    }
    const Light::Beam& before = from.beams[i];
    beam.from = mix(before.from, beam.from, t);
    beam.control_from = mix(before.control_from, beam.control_from, t);
    beam.control_to = mix(before.control_to, beam.control_to, t);
    beam.to = mix(before.to, beam.to, t);
    beam.half_from = mix(before.half_from, beam.half_from, t);
    beam.half_to = mix(before.half_to, beam.half_to, t);
    beam.intensity = mix(before.intensity, beam.intensity, t);
  }
  for (std::size_t i = 0; i < to.spots.size(); ++i) {
    Light::Spot& spot = to.spots[i];
    if (i >= from.spots.size() || from.spots[i].glow != spot.glow) {
      spot.intensity *= t;
      continue;
    }
    const Light::Spot& before = from.spots[i];
    spot.centre = mix(before.centre, spot.centre, t);
    spot.radius_x = mix(before.radius_x, spot.radius_x, t);
    spot.radius_y = mix(before.radius_y, spot.radius_y, t);
    spot.intensity = mix(before.intensity, spot.intensity, t);
  }
  return to;
}

// What leaves is gone before what comes is there, or their words would stand over each other.
constexpr float kEarly = 0.4F;
constexpr float kLate = 0.4F;

float leaving(float t) { return std::clamp(1 - t / kEarly, 0.0F, 1.0F); }
float coming(float t) { return std::clamp((t - kLate) / (1 - kLate), 0.0F, 1.0F); }
float blend_opacity(float from, float to, float t) {
  if (to == 0) return from * leaving(t);
  if (from == 0) return to * coming(t);
  return mix(from, to, t);
}

// Colours that mean numbers are never faded, or they would mean others: their map is uncovered from its top on.
void show(Element& element, float share) {
  constexpr float kBeside = 60, kAround = 8;  // px of a colour bar's numbers; above and below it
  Rect seen = element.rect;
  if (std::holds_alternative<ColourBar>(element.shape))
    seen = {seen.x - kAround, seen.y - kAround, seen.w + kAround + kBeside, seen.h + 2 * kAround};
  else if (!std::holds_alternative<Heatmap>(element.shape)) {
    element.opacity *= share;
    return;
  }
  if (share >= 1) return;
  if (const auto* map = std::get_if<Heatmap>(&element.shape); map != nullptr && !map->transposed) {
    const float rows = static_cast<float>(std::max(map->range.rows, 1));
    share = std::ceil(share * rows) / rows;  // row after row
  }
  seen.h *= share;
  element.clip = element.clip ? intersection(*element.clip, seen) : seen;
}

// Whether a matrix is laid on its side, or set up again.
bool turns(const Element& from, const Element& to) {
  const auto *was = std::get_if<MatrixCells>(&from.shape), *is = std::get_if<MatrixCells>(&to.shape);
  return was != nullptr && is != nullptr && was->transposed != is->transposed;
}

// A row that becomes far wider goes to its place among the others first, and along it then.
bool grows_in_place(const Element& from, const Element& to) {
  constexpr float kFarWider = 2.5F;
  const auto* cells = std::get_if<MatrixCells>(&to.shape);
  return cells != nullptr && cells->range.rows == 1 && to.rect.w > kFarWider * from.rect.w;
}

Rect rect_between(const Element& from, const Element& to, float t) {
  if (turns(from, to)) return switched(from.rect, to.rect, t);
  if (!grows_in_place(from, to)) return mix(from.rect, to.rect, t);
  const Rect there = mix(from.rect, to.rect, smoothstep(0.45F, 1, t)),
             down = mix(from.rect, to.rect, smoothstep(0, 0.4F, t));
  return {there.x, down.centre().y - there.h / 2, there.w, there.h};
}

Element blend_elements(const Element& from, const Element& to, float t) {
  Element element = to;
  element.rect = rect_between(from, to, t);
  element.opacity = blend_opacity(from.opacity, to.opacity, t);
  element.clip = from.clip && to.clip ? std::optional(mix(*from.clip, *to.clip, t)) : switched(from.clip, to.clip, t);
  element.shape = std::visit(
      [&](const auto& shape) -> Shape {
        return blend_shape(*std::get_if<std::decay_t<decltype(shape)>>(&from.shape), shape, t);
      },
      to.shape);
  if (turns(from, to)) {  // row after row, each a column where it will be
    auto& cells = std::get<MatrixCells>(element.shape);
    cells.turned = t;
    cells.turned_from = from.rect;
    element.rect = to.rect;
  }
  if (from.source)
    if (auto* area = std::get_if<Area>(&element.shape))
      go_as_box(*area, std::get<Area>(from.shape), std::get<Area>(to.shape), t);
  return element;
}

// What an element is recognised by in another drawing: its kind and id; when it has none, its place and words, so that
// decoration that stays does not flicker.
std::string identity(const Element& element) {
  std::string key = std::to_string(element.shape.index()) + ':' + element.id;
  const auto* text = std::get_if<Text>(&element.shape);
  if (text != nullptr && text->vertical) key += '|';  // no word turns round on its way
  if (!element.id.empty()) return key;
  for (const float side : {element.rect.x, element.rect.y, element.rect.w, element.rect.h}) {
    key += std::to_string(std::lround(side * 4)) + ',';
  }
  if (text != nullptr) key += text->text;
  return key;
}

// ---- what belongs to a matrix goes with it: its outlines, its title, the names of its rows and columns ----

// A matrix that is somewhere else in the other drawing.
struct Carrier {
  const Element *from = nullptr, *to = nullptr;
  Rect now{};
  float t = 0;  // of its way
};

bool is_written(const Element& element) {
  return std::holds_alternative<Text>(element.shape) || std::holds_alternative<FormulaBox>(element.shape);
}

// "X.4.4.-1" of "outline.X.4.4.-1"; empty: it is no outline.
std::string_view outlined(const Element& element) {
  constexpr std::string_view kOutline = "outline.";
  const std::string_view id = element.id;
  return id.starts_with(kOutline) ? id.substr(kOutline.size()) : std::string_view();
}

// The matrix that an element of either drawing belongs to by its id, or the word by its row; null: it goes alone.
const Carrier* carrier_of(const std::vector<Carrier>& carriers, const Element& element) {
  constexpr float kLevel = 3;  // px
  const bool written = is_written(element);
  if (!written && !std::holds_alternative<std::monostate>(element.shape) &&
      !std::holds_alternative<Rectangle>(element.shape))
    return nullptr;
  const std::string_view of = outlined(element), id = of.empty() ? std::string_view(element.id) : of;
  const Carrier* nearest = nullptr;
  for (const Carrier& carrier : carriers) {
    const bool named = is_named_after(id, carrier.to->id);
    if (named && (nearest == nullptr || carrier.to->id.size() > nearest->to->id.size())) nearest = &carrier;
    if (!named && nearest == nullptr && written && grows_in_place(*carrier.from, *carrier.to) &&
        std::abs(element.rect.centre().y - carrier.to->rect.centre().y) < kLevel)
      nearest = &carrier;
  }
  return nearest;
}

// Where `x` is when what reaches from `begin` for `length` is somewhere else: in it at its share, beside it as far off.
float carried(float x, float begin, float length, float now, float now_length) {
  if (x <= begin || length <= 0) return now + x - begin;
  if (x >= begin + length) return now + now_length + x - begin - length;
  return now + (x - begin) * now_length / length;
}

Rect carried(const Element& element, Rect was, Rect now) {
  const Rect& r = element.rect;
  const auto* text = std::get_if<Text>(&element.shape);
  Rect at{carried(r.x, was.x, was.w, now.x, now.w), carried(r.y, was.y, was.h, now.y, now.h), 0, 0};
  at.w = carried(r.right(), was.x, was.w, now.x, now.w) - at.x;
  at.h = carried(r.bottom(), was.y, was.h, now.y, now.h) - at.y;
  // Titles are words one behind the other, above or below it.
  const bool title = std::holds_alternative<FormulaBox>(element.shape) ||
                     (text != nullptr && text->align == Align::left && !text->vertical);
  if (title && (r.bottom() <= was.y || r.y >= was.bottom())) return {r.x - was.x + now.x, at.y, r.w, at.h};
  return at;
}

// What is written of a matrix is gone before it has gone far, and comes when it is nearly there.
float written_before(const Carrier& carrier) { return std::clamp(1 - carrier.t / 0.1F, 0.F, 1.F); }
float written_after(const Carrier& carrier) { return std::clamp((carrier.t - 0.8F) / 0.2F, 0.F, 1.F); }

Element carry(const Carrier& carrier, const Element& from, const Element& to, float own) {
  constexpr float kElsewhere = 8, kBeyond = 40;  // px: a title was above it and is below it, names change sides
  const Rect before = carried(from, carrier.from->rect, carrier.now),
             after = carried(to, carrier.to->rect, carrier.now);
  // A row's word comes to its side while the row goes to its place among the others.
  const bool grows = grows_in_place(*carrier.from, *carrier.to);
  const float t = grows ? smoothstep(0.1F, 0.45F, carrier.t) : carrier.t;
  Element element = blend_elements(from, to, t);
  element.rect = mix(before, after, t);
  const bool stays = !turns(*carrier.from, *carrier.to) && std::abs(before.y - after.y) < kElsewhere &&
                     std::abs(before.x - after.x) < kBeyond;
  if (grows || !is_written(to) || stays) return element;
  const bool comes = t >= 0.5F;
  element.shape = comes ? to.shape : from.shape;
  element.rect = comes ? after : before;
  element.opacity =
      comes ? to.opacity * written_after(carrier) : from.opacity * std::min(written_before(carrier), leaving(own));
  return element;
}

// No outline stands around a row that its map does not show yet.
void hide_empty_outlines(Figure& figure, std::size_t first) {
  constexpr float kRim = 4;  // px
  for (const Element& map : figure.elements) {
    if (!std::holds_alternative<Heatmap>(map.shape) || !map.clip) continue;
    for (std::size_t i = first; i < figure.elements.size(); ++i) {
      Element& element = figure.elements[i];
      if (is_named_after(outlined(element), map.id) && element.rect.bottom() > map.clip->bottom() + kRim)
        element.opacity = 0;
    }
  }
}

}  // namespace

void show_since(Figure& figure, std::size_t first, float share) {
  for (std::size_t i = first; i < figure.elements.size(); ++i) show(figure.elements[i], share);
  if (share < 1) hide_empty_outlines(figure, first);
}

Figure blend(const Figure& from, const Figure& to, float t, Timing timing) {
  if (!(t > 0)) return from;
  if (t >= 1) return to;
  const auto own = [&](const Element& element) { return timing == nullptr ? t : timing(element, t); };
  std::multimap<std::string, std::size_t> before;  // from's elements that no element of `to` has taken yet
  for (std::size_t i = 0; i < from.elements.size(); ++i) before.emplace(identity(from.elements[i]), i);

  std::vector<const Element*> was(to.elements.size());
  std::vector<Carrier> carriers;
  for (std::size_t i = 0; i < was.size(); ++i) {
    const Element& element = to.elements[i];
    const std::string key = identity(element);
    const auto match = before.lower_bound(key);
    if (match == before.end() || match->first != key) continue;
    const Element& from_here = *(was[i] = &from.elements[match->second]);
    before.erase(match);
    const float share = own(element);
    if (std::holds_alternative<MatrixCells>(element.shape) || std::holds_alternative<Heatmap>(element.shape))
      carriers.push_back({&from_here, &element, rect_between(from_here, element, share), share});
  }

  std::vector<Element> staying;
  staying.reserve(to.elements.size());
  for (std::size_t i = 0; i < was.size(); ++i) {
    const Element& element = to.elements[i];
    const Carrier* carrier = carrier_of(carriers, element);
    if (was[i] != nullptr) {
      staying.push_back(carrier != nullptr ? carry(*carrier, *was[i], element, own(element))
                                           : blend_elements(*was[i], element, own(element)));
      continue;
    }
    float share = coming(own(element));
    staying.push_back(element);
    if (carrier != nullptr) {
      share = std::min(share, is_written(element)                   ? written_after(*carrier)
                              : turns(*carrier->from, *carrier->to) ? 0  // around cells that are not in line yet
                                                                    : coming(carrier->t));
      staying.back().rect = carried(element, carrier->to->rect, carrier->now);
    }
    show(staying.back(), share);
  }

  Figure figure{.width = mix(from.width, to.width, t),
                .height = mix(from.height, to.height, t),
                .background = mix(from.background, to.background, t),
                .background_to = mix(bottom_of(from), bottom_of(to), t),
                .elements = {}};
  std::vector<bool> leaves(from.elements.size());
  for (const auto& [key, index] : before) leaves[index] = true;
  std::vector<Element> over;  // what is written on a matrix that stays is not covered by it
  for (std::size_t index = 0; index < leaves.size(); ++index) {
    if (!leaves[index]) continue;
    Element element = from.elements[index];
    const Carrier* carrier = carrier_of(carriers, element);
    const bool written = carrier != nullptr && is_written(element);
    float share = leaving(own(element));
    if (written) share = std::min(share, written_before(*carrier));
    if (carrier != nullptr && turns(*carrier->from, *carrier->to) && !written) share = 0;
    if (carrier != nullptr) element.rect = carried(element, carrier->from->rect, carrier->now);
    show(element, share);
    element.role = Role::none;  // what is on its way out is not clicked
    (written ? over : figure.elements).push_back(std::move(element));
  }
  for (Element& element : staying) figure.add(std::move(element));
  for (Element& element : over) figure.add(std::move(element));
  hide_empty_outlines(figure, 0);
  return figure;
}

}  // namespace limelight::figure
