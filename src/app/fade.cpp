// On the way from the opening to the page that it lies over, and back.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "app/page.h"
#include "scenes/common/sentence.h"

namespace limelight::app {

using namespace figure;

namespace {

using Shapes = std::map<std::string_view, const Shape*>;  // by ids

Shapes shapes_of(const Figure& figure) {
  Shapes shapes;
  for (const Element& element : figure.elements)
    if (!element.id.empty()) shapes.emplace(element.id, &element.shape);
  return shapes;
}

// Day that opens from the lamp.
struct Day {
  static constexpr float kSoft = 420;  // px of its edge
  Rect window{};
  Point lamp{};
  float share = 0;  // from 0, where it is nowhere, to 1, where it is everywhere

  [[nodiscard]] float reach() const { return share * (std::hypot(window.w, window.h) + kSoft); }
  [[nodiscard]] bool is_at(Point p) const { return std::hypot(p.x - lamp.x, p.y - lamp.y) < reach() - kSoft / 2; }
};

// What is within `radius` of the lamp.
std::vector<Point> disc(const Day& day, float radius) {
  constexpr int kCorners = 72;
  std::vector<Point> points;
  for (int i = 0; i < kCorners; ++i) {
    const float angle = 6.2831853F * static_cast<float>(i) / kCorners;
    points.push_back({std::clamp(day.lamp.x + radius * std::cos(angle), 0.F, day.window.w),
                      std::clamp(day.lamp.y + radius * std::sin(angle), 0.F, day.window.h)});
  }
  return points;
}

// The night's ground, and over it the day's as discs that together go from nothing at its edge to all of it, warm where
// it begins.
void add_grounds(std::vector<Element>& grounds, Element night, Element sky, const Day& day) {
  constexpr int kDiscs = 72;
  const auto cover = [&](Element& ground) {  // all that the surround has not covered yet
    const float right = day.window.right(), bottom = day.window.bottom();
    std::get<Area>(ground.shape).points = {{0, 0}, {right, 0}, {right, bottom}, {0, bottom}};
  };
  cover(night), cover(sky);
  if (day.share >= 1) return grounds.push_back(std::move(sky));
  grounds.push_back(std::move(night));
  const auto& whole = std::get<Area>(sky.shape);
  const float dawn = whole.fill.r > 100 ? 0.5F : 0;  // a dark page only grows a little brighter
  const Colour warm_light = palette(Theme::light).lamp;
  float covered = 0;  // by the discs so far: from 0 to 1 evenly, or the edge's ends would be seen as rings
  for (int i = 0; i < kDiscs; ++i) {
    const float share = static_cast<float>(i) / kDiscs, radius = day.reach() - Day::kSoft * share;
    const float before = std::exchange(covered, smoothstep(0, kDiscs, static_cast<float>(i + 1)));
    const float warm = dawn * (1 - share) * (1 - share);
    if (radius <= 0) break;
    const auto at = [&](float y) {
      return mix(mix(whole.fill, whole.fill_to, std::clamp(y / day.window.h, 0.F, 1.F)), warm_light, warm);
    };
    Element ground = sky;
    ground.opacity = (covered - before) / (1 - before);
    ground.shape =
        Area{.points = disc(day, radius), .fill = at(day.lamp.y - radius), .fill_to = at(day.lamp.y + radius)};
    grounds.push_back(std::move(ground));
  }
}

// Each element in the colours of the page where it is day, and else in the opening's.
void take_inks(Figure& figure, const Figure& opening, const Figure& page, const Day& day) {
  const Shapes by_night = shapes_of(opening), by_day = shapes_of(page);
  for (Element& element : figure.elements) {
    const auto* path = std::get_if<Line>(&element.shape);
    const Point middle = path != nullptr ? mix(path->points.front(), path->points.back(), 0.5F) : element.rect.centre();
    const Shapes& shapes = day.is_at(middle) ? by_day : by_night;
    const auto there = shapes.find(element.id);
    if (there == shapes.end()) continue;
    if (const auto* words = std::get_if<Text>(there->second)) {
      if (auto* now = std::get_if<Text>(&element.shape)) now->colour = words->colour;
    } else if (const auto* line = std::get_if<Line>(there->second)) {
      if (auto* now = std::get_if<Line>(&element.shape)) now->colour = line->colour;
    } else if (const auto* rectangle = std::get_if<Rectangle>(there->second)) {
      if (auto* now = std::get_if<Rectangle>(&element.shape))
        now->fill = rectangle->fill, now->stroke = rectangle->stroke;
    } else if (const auto* light = std::get_if<Light>(there->second)) {
      if (auto* now = std::get_if<Light>(&element.shape)) now->theme = light->theme;
    }
  }
}

constexpr std::string_view kGround = "shell.ground";
constexpr float kDawn = 0.28F;  // of the way: until then nothing moves

// What surrounds the stage, by the edge of the window that it comes from.
class Surround {
 public:
  // Takes it out of the page.
  Surround(Figure& page, const Regions& r) {
    enum Edge : std::uint8_t { top, left, bottom, right, none };
    const auto edge_of = [&](const Rect& rect) {
      if (rect.bottom() <= r.ground.y) return top;
      if (rect.right() <= r.ground.x) return left;
      if (rect.y >= r.ground.bottom()) return bottom;
      return rect.x >= (r.tab.w > 0 ? r.tab.x : r.ground.right()) ? right : none;
    };
    away_[top].y = -r.ground.y;
    away_[left].x = -r.ground.x;
    away_[bottom].y = page.height - r.ground.bottom();
    away_[right].x = page.width - (r.tab.w > 0 ? r.tab.x : r.ground.right());
    // Below the stage the page itself is the ground, and beside it, up to where the bar is.
    const Rectangle ground{.fill = page.background};
    parts_[bottom].add({.rect = {0, r.ground.bottom(), page.width, away_[bottom].y}, .shape = ground});
    parts_[left].add({.rect = {0, 0, r.ground.x, page.height}, .shape = ground});
    std::vector<Element> rest;
    Edge edge = none;
    for (Element& element : page.elements) {
      if (element.rect.w > 0)
        edge = edge_of(element.rect);
      else if (element.id == kGround || !element.id.starts_with("shell."))
        edge = none;  // but a line of it goes with what it was drawn after
      (edge == none ? rest : parts_[edge].elements).push_back(std::move(element));
    }
    page.elements = std::move(rest);
  }

  // in: from 0, where it is all beyond the edges, to 1.
  void add_to(Figure& page, float in) const {
    const float out = 1 - in;
    for (std::size_t i = std::size(parts_); i-- > 0;)  // what is at the top lies over the others
      append(page, parts_[i], out * away_[i].x, out * away_[i].y, Rect{0, 0, page.width, page.height});
  }

 private:
  Figure parts_[4];
  Point away_[4] = {};
};

// A word that both figures have: where it is on the page, and how far from there it is now.
struct WordOnItsWay {
  Point at, off;
};
std::vector<WordOnItsWay> words_on_their_way(const Figure& page, const Figure& now) {
  std::vector<WordOnItsWay> words;
  for (const Element& word : page.elements) {
    if (!scenes::word_at(word.id)) continue;
    const Point at = word.rect.centre(), is = now.find(word.id)->rect.centre();
    words.push_back({at, {is.x - at.x, is.y - at.y}});
  }
  return words;
}

// How far off the word is that an element of the page stands nearest to.
Point off_its_word(const Element& element, const std::vector<WordOnItsWay>& words) {
  if (words.empty() || element.id.starts_with("shell.")) return {};
  const Point there = element.rect.centre();
  return std::ranges::min_element(
             words, {}, [&](const WordOnItsWay& word) { return std::hypot(word.at.x - there.x, word.at.y - there.y); })
      ->off;
}

}  // namespace

Figure between_pages(const Figure& from, const Figure& to, const Regions& r, float t) {
  const auto is_of_opening = [](const Element& element) { return element.id.starts_with("opening."); };
  const bool to_page = std::ranges::any_of(from.elements, is_of_opening);
  // First day opens from the lamp where all stands still, and what the opening alone says goes. Then the surround comes
  // in from the edges as the cord and the floor go to where it ends. Back to the opening all goes the other way.
  const float share = to_page ? t : 1 - t;
  const float left = 1 - std::clamp((share - kDawn) / (1 - kDawn), 0.F, 1.F);
  const float moved = 1 - left * left;  // fast at first
  Figure opening = to_page ? from : to, page = to_page ? to : from;
  const Element* lamp = opening.find(scenes::kLampId);
  const Rect window{0, 0, page.width, page.height};
  const Day day{.window = window,
                .lamp = lamp != nullptr ? lamp->rect.centre() : window.centre(),
                .share = smoothstep(kDawn / 3, kDawn, share)};
  const Surround surround(page, r);
  const auto take_ground = [&](Figure& figure) {
    const auto at = std::ranges::find(figure.elements, kGround, &Element::id);
    Element ground = std::move(*at);
    figure.elements.erase(at);
    return ground;
  };
  std::vector<Element> elements;
  add_grounds(elements, take_ground(opening), take_ground(page), day);
  for (Element& element : opening.elements) {
    if (!element.clip) element.clip = Rect{0, 0, page.width, page.height};  // which becomes the stage's
    if (is_of_opening(element) || element.id.starts_with("shell.")) {
      element.opacity *= 1 - smoothstep(0, kDawn / 2, share);
      if (to_page) element.role = Role::none;  // what is on its way out is not clicked
    }
  }
  const Shapes both = shapes_of(opening);
  std::vector<Element> own, shared;  // of the page
  for (Element& element : page.elements) (both.contains(element.id) ? shared : own).push_back(std::move(element));
  page.elements = std::move(shared);

  Figure figure = to_page ? blend(opening, page, moved) : blend(page, opening, 1 - moved);
  figure.background = to.background;
  take_inks(figure, opening, page, day);
  for (Element& element : figure.elements) elements.push_back(std::move(element));
  figure.elements = std::move(elements);
  const std::vector<WordOnItsWay> words = words_on_their_way(page, figure);
  Point off;
  bool in_callout = false;  // whose parts stay together
  for (Element& element : own) {
    element.opacity *= smoothstep(0.2F, 0.6F, moved);
    if (!to_page) element.role = Role::none;
    const bool goes_on = std::exchange(in_callout, element.id.starts_with("callout.")) && in_callout;
    if (!goes_on) off = off_its_word(element, words);
    Figure one;
    one.add(std::move(element));
    append(figure, one, off.x, off.y, window);
  }
  surround.add_to(figure, moved);
  return figure;
}

void fade_page(Page& page, const App& app, const Figure& from, float t) {
  hide_inputs(page, app);  // which cannot fade
  page.figure = between_pages(from, page.figure, regions(app), t);
}

}  // namespace limelight::app
