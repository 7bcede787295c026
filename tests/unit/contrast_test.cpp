// WCAG 2.2 over the drawn page: each text against what is really painted behind it, in every scene, step and theme.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <ranges>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "app/app.h"
#include "app/page.h"
#include "app/timeline.h"
#include "figure/light_map.h"
#include "figure/paint.h"
#include "scenes/place.h"
#include "unit/scenes/scene_support.h"
#include "unit/swept.h"
#include "unit/thin.h"

using namespace limelight;
using namespace limelight::figure;

namespace {

// ---- what is painted at a point ----

bool inside(const std::vector<Point>& polygon, Point at) {
  bool in = false;
  for (std::size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++) {
    const Point a = polygon[i], b = polygon[j];
    if ((a.y > at.y) != (b.y > at.y) && at.x < a.x + (b.x - a.x) * (at.y - a.y) / (b.y - a.y)) in = !in;
  }
  return in;
}

struct ColourAt {
  const Trace& trace;
  Point at;

  // Clear where the primitive does not fill the point; what is only as wide as a line fills nothing.
  Colour operator()(const RectanglePrimitive& p) const {
    return p.rect.contains(at) ? p.style.fill : Colour{0, 0, 0, 0};
  }
  Colour operator()(const AreaPrimitive& p) const {
    if (!inside(p.area.points, at)) return {0, 0, 0, 0};
    const auto [top, bottom] = std::ranges::minmax(p.area.points, {}, &Point::y);
    return mix(p.area.fill, p.area.fill_to, (at.y - top.y) / std::max(bottom.y - top.y, 1e-3F));
  }
  Colour operator()(const HeatmapPrimitive& p) const {
    if (!p.rect.contains(at)) return {0, 0, 0, 0};
    const auto place = [](float share, int count) {
      return std::min(static_cast<int>(share * static_cast<float>(count)), count - 1);
    };
    const HeatmapReader reader(p.heatmap, trace);
    return reader
        .colour_at(place((at.x - p.rect.x) / p.rect.w, p.heatmap.across()),
                   place((at.y - p.rect.y) / p.rect.h, p.heatmap.down()))
        .value_or(palette(p.heatmap.theme).sunken);
  }
  Colour operator()(const PixelsPrimitive& p) const {
    if (!p.rect.contains(at)) return {0, 0, 0, 0};
    const Image image = image_of(p.pixels, trace);
    const auto pixel = [](float share, int count) {
      return static_cast<std::size_t>(std::clamp(static_cast<int>(share * static_cast<float>(count)), 0, count - 1));
    };
    const std::size_t i =
        4 * (pixel((at.y - p.rect.y) / p.rect.h, image.height) * static_cast<std::size_t>(image.width) +
             pixel((at.x - p.rect.x) / p.rect.w, image.width));
    return {image.rgba[i], image.rgba[i + 1], image.rgba[i + 2]};
  }
  Colour operator()(const RibbonPrimitive& p) const {
    std::vector<Point> outline = p.ribbon.one;
    outline.insert(outline.end(), p.ribbon.other.rbegin(), p.ribbon.other.rend());
    return inside(outline, at) ? colour_at(p.ribbon.stops, course_of(p.ribbon).share(at)) : Colour{0, 0, 0, 0};
  }
  Colour operator()(const LightPrimitive& p) const {
    const LightMap map = light_map(p.light, 1, {std::floor(at.x), std::floor(at.y), at.x + 1, at.y + 1});
    const Toned light = map.sums.empty() ? Toned{} : toned(map.sums.front(), light_colours(p.light.theme));
    const auto byte = [](float share) { return static_cast<std::uint8_t>(share * 255 + 0.5F); };
    return {byte(light.r), byte(light.g), byte(light.b), byte(light.opacity)};
  }
  Colour operator()(const TextPrimitive&) const { return {0, 0, 0, 0}; }
  Colour operator()(const PolylinePrimitive&) const { return {0, 0, 0, 0}; }
  Colour operator()(const CurvePrimitive&) const { return {0, 0, 0, 0}; }
};

Colour over(Colour above, Colour below) {
  Colour solid = above;
  solid.a = 255;
  return mix(below, solid, static_cast<float>(above.a) / 255);
}

struct Painted {
  const Element* element;
  Primitive primitive;
};

// Of the first `count` that were painted, over an opaque ground.
Colour ground_at(const std::vector<Painted>& painted, std::size_t count, const Trace& trace, Colour ground, Point at) {
  std::vector<Colour> layers;  // from the top
  for (std::size_t i = count; i-- > 0;) {
    const Primitive& p = painted[i].primitive;
    if (p.clip && !p.clip->contains(at)) continue;
    const Colour colour = std::visit(ColourAt{trace, at}, p.shape).faded(p.opacity);
    if (colour.a > 0) layers.push_back(colour);
    if (colour.a == 255) break;
  }
  for (const Colour& layer : layers | std::views::reverse) ground = over(layer, ground);
  return ground;
}

// ---- the pages ----

constexpr Theme kThemes[] = {Theme::light, Theme::dark, Theme::stark_light, Theme::stark_dark};

struct Size {
  float width, height;
};
constexpr Size kSizes[] = {{1280, 800}, {390, 844}};

// WCAG exempts what cannot be pressed now: a button without a role, or a step that is given.
bool is_disabled(const Figure& figure, const Element& text) {
  return std::ranges::any_of(figure.elements, [&](const Element& other) {
    return (text.id == other.id + ".text" && other.role == Role::none && other.edit) ||
           (text.id == other.id + ".name" && other.role == Role::image && other.label.ends_with(app::kGiven));
  });
}

bool is_large(const TextPrimitive& text) {
  const bool bold = text.face == text::Face::semibold || text.face == text::Face::display_bold;
  return text.size >= 24 || (text.size >= 18.66F && bold);
}

struct Reading {
  const Element* element;
  const TextPrimitive* text;
  Colour ground;
  float ratio, wanted;
};

// Of each text of the page that is seen.
std::vector<Reading> readings(const app::App& app, const app::Page& page, const std::vector<Painted>& painted) {
  std::vector<Reading> list;
  for (std::size_t i = 0; i < painted.size(); ++i) {
    const auto& [element, primitive] = painted[i];
    const auto* text = std::get_if<TextPrimitive>(&primitive.shape);
    if (text == nullptr || text->text.find_first_not_of(' ') == std::string::npos) continue;
    const Point start = text->baseline;
    const Point middle = text->vertical ? Point{start.x - text->size / 3, start.y - text->width / 2}
                                        : Point{start.x + text->width / 2, start.y - text->size / 3};
    if (primitive.clip && !primitive.clip->contains(middle)) continue;
    const Colour ground = ground_at(painted, i, app.trace, page.figure.background, middle);
    const float ratio = contrast(over(text->colour.faded(primitive.opacity), ground), ground);
    // On a number's own colour nothing reads better than black or white does.
    const float ordinary = app.more_contrast && text->colour != ink_on(ground) ? 7.F : 4.5F;
    list.push_back({element, text, ground, ratio, is_large(*text) ? 3.F : ordinary});
  }
  return list;
}

void check_page(app::App& app, Theme theme, Size size) {
  app.settings.theme = is_dark(theme) ? app::ThemeChoice::dark : app::ThemeChoice::light;
  app.more_contrast = theme == stark(theme);
  app.width = size.width;
  app.height = size.height;
  const app::Page page = app::build_page(app, app::draw_stage(app));
  std::vector<Painted> painted;
  for (const Element& element : page.figure.elements)
    for (Primitive& primitive : primitives(element, app.trace)) painted.push_back({&element, std::move(primitive)});
  for (const Reading& reading : readings(app, page, painted)) {
    if (reading.ratio >= reading.wanted || is_disabled(page.figure, *reading.element)) continue;
    CAPTURE(app::link(app));
    CAPTURE(size.width);
    CAPTURE(app.more_contrast);
    CAPTURE(reading.element->id);
    CAPTURE(reading.text->text);
    CAPTURE(css(reading.text->colour));
    CAPTURE(css(reading.ground));
    CHECK(reading.ratio >= reading.wanted);
  }
}

// A cell of the step's principal tensor.
void pin_principal(app::App& app) {
  const std::string tensor(app.scene->principal(app.state, app.trace, app.place));
  if (app.trace.cell(tensor, 0, 0) != nullptr) app::pin(app, cell_id({tensor, 0, 0}));
}

}  // namespace

TEST_CASE("contrast: every text of every scene, example, step, theme and window reads on what lies behind it") {
  int pages = 0;
  const auto check = [&pages](app::App& app, Theme theme, Size size) {
    if (pages++ % test::kOneIn == 0) check_page(app, theme, size);
  };
  test::each_step([&check](app::App& app) {
    const bool asks =
        app.place.step == static_cast<int>(app.scene->steps().size()) && app.scene->ask(app.state, app.trace);
    app.guess = asks ? 0 : -1;
    for (const Theme theme : kThemes)
      for (const Size size : kSizes) check(app, theme, size);
    pin_principal(app);  // which the wide window says more of
    for (const Theme theme : kThemes) check(app, theme, kSizes[0]);
  });
  CHECK((pages > 1000 || !test::sweeps_all()));
}

TEST_CASE("contrast: what lies over the figure reads, too: the menus, the open sheet, a notice") {
  for (const Theme theme : kThemes)
    for (const Size size : kSizes) {
      app::App app = app::make_app();
      for (const app::Overlay overlay : {app::Overlay::menu, app::Overlay::presets}) {
        app.overlay = overlay;
        check_page(app, theme, size);
      }
      app.overlay = app::Overlay::none;
      app.sheet_open = true;
      for (const bool good : {false, true}) {
        app::notify(app, "A sentence.", good);
        check_page(app, theme, size);
      }
    }
}
