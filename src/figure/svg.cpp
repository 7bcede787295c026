#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <numbers>
#include <set>
#include <span>
#include <utility>

#include "figure/light_map.h"
#include "figure/paint.h"
#include "figure/ribbon.h"
#include "io/base64.h"
#include "io/numbers.h"
#include "io/utf8.h"

namespace limelight::figure {

// A page has this with the other scenes; tools/split.mjs tells by the namespace.
namespace written {
namespace {

struct Writer {
  std::string body;
  std::string definitions;
  std::map<std::string, std::string> defined;  // by their text without the id: the ids; identical ones are shared
  std::set<std::string, std::less<>> ids;
  bool many = false;  // cells in all heatmaps together: each is an image
  Point size;         // of the figure
};

constexpr std::string_view kSquares = "image-rendering:pixelated";  // of pictures that are enlarged

// ---- pieces of XML ------------------------------------------------------------------------------

// Two decimals are a hundredth of a pixel. What is not finite was kept out before; zero has no sign.
std::string number(float value) {
  const double rounded = std::round(static_cast<double>(value) * 100) / 100;
  return io::format_exact(std::isfinite(rounded) && rounded != 0 ? rounded : 0.0);
}

void attribute(std::string& out, std::string_view name, std::string_view value) {
  out += ' ';
  out += name;
  out += "=\"";
  out += value;
  out += '"';
}
void attribute(std::string& out, std::string_view name, float value) { attribute(out, name, number(value)); }

void box(std::string& out, Rect rect) {
  attribute(out, "x", rect.x);
  attribute(out, "y", rect.y);
  attribute(out, "width", rect.w);
  attribute(out, "height", rect.h);
}

// The colour and, unless opaque, its alpha: "fill" and "fill-opacity", or "stroke", or "stop".
void colour(std::string& out, std::string_view property, std::string_view opacity_property, Colour c) {
  attribute(out, property, css(c));
  if (c.a != 255) attribute(out, opacity_property, static_cast<float>(c.a) / 255);
}

// XML 1.0, production 2.
bool is_xml(char32_t c) {
  return c == 0x9 || c == 0xA || c == 0xD || (c >= 0x20 && c <= 0xD7FF) || (c >= 0xE000 && c <= 0xFFFD) ||
         (c >= 0x10000 && c <= 0x10FFFF);
}

// What stands for a character that XML reads otherwise; empty for all others.
std::string_view entity(char32_t c) {
  constexpr std::array<std::pair<char32_t, std::string_view>, 6> kEntities{{
      {U'&', "&amp;"},
      {U'<', "&lt;"},
      {U'>', "&gt;"},
      {U'"', "&quot;"},
      {U'\'', "&#39;"},
      {U'\r', "&#13;"},  // a bare one would become a line feed
  }};
  const auto found = std::ranges::find(kEntities, c, &std::pair<char32_t, std::string_view>::first);
  return found == kEntities.end() ? std::string_view() : found->second;
}

void escape(std::string& out, std::string_view text) {
  for (const char32_t c : io::decode_utf8(text)) {
    const std::string_view named = entity(c);
    out += named;
    if (named.empty()) io::append_utf8(out, is_xml(c) ? c : char32_t{0xFFFD});
  }
}

void tag(std::string& out, std::string_view name, std::string_view text) {
  out += '<';
  out += name;
  out += '>';
  escape(out, text);
  out += "</";
  out += name;
  out += ">\n";
}

// ---- ids and definitions ------------------------------------------------------------------------

// The wanted id with everything odd made "_", numbered when it is taken.
std::string unique_id(Writer& writer, std::string_view wanted) {
  std::string id;
  for (const char c : wanted) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    const bool later = (c >= '0' && c <= '9') || c == '-' || c == '.';
    if (id.empty() && !letter) id = "_";
    id += letter || later ? c : '_';
  }
  if (id.empty()) id = "_";
  std::string candidate = id;
  for (int n = 2; !writer.ids.insert(candidate).second; ++n) candidate = id + "-" + std::to_string(n);
  return candidate;
}

std::string define(Writer& writer, const std::string& name, const std::string& attributes, const std::string& content) {
  const auto [place, is_new] = writer.defined.try_emplace(name + attributes + content);
  if (is_new) {
    place->second = unique_id(writer, name);
    writer.definitions +=
        '<' + name + " id=\"" + place->second + '"' + attributes + '>' + content + "</" + name + ">\n";
  }
  return place->second;
}

std::string reference(const std::string& id) { return "url(#" + id + ")"; }

std::string clip_id(Writer& writer, Rect rect) {
  std::string content = "<rect";
  box(content, {rect.x, rect.y, std::max(rect.w, 0.0F), std::max(rect.h, 0.0F)});
  return define(writer, "clipPath", "", content + "/>");
}

std::string gradient_id(Writer& writer, Colour from, Colour to) {
  std::string content = "<stop offset=\"0\"";
  colour(content, "stop-color", "stop-opacity", from);
  content += "/><stop offset=\"1\"";
  colour(content, "stop-color", "stop-opacity", to);
  return define(writer, "linearGradient", " x1=\"0\" y1=\"0\" x2=\"0\" y2=\"1\"", content + "/>");
}

std::string hatch_id(Writer& writer, Theme theme) {
  constexpr float kAcross = kHatchPitch / std::numbers::sqrt2_v<float>;
  std::string size;
  attribute(size, "width", kAcross);
  attribute(size, "height", kAcross);
  std::string content = "<rect";
  box(content, {0, 0, kAcross, kAcross});
  colour(content, "fill", "fill-opacity", palette(theme).sunken);
  content += "/><rect";
  box(content, {0, 0, kHatchWidth, kAcross});
  colour(content, "fill", "fill-opacity", palette(theme).faint.faded(kHatchOpacity));
  return define(writer, "pattern", size + " patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\"",
                content + "/>");
}

// ---- primitives ---------------------------------------------------------------------------------

bool finite(Rect r) { return finite(Point{r.x, r.y}) && finite(Point{r.w, r.h}); }

void points_attribute(std::string& out, std::span<const Point> points) {
  std::string list;
  for (const Point& p : points) {
    if (!list.empty()) list += ' ';
    list += number(p.x) + ',' + number(p.y);
  }
  attribute(out, "points", list);
}

void paint(Writer& writer, const RectanglePrimitive& primitive, const Trace&, float opacity) {
  const Rectangle& style = primitive.style;
  const bool stroked = style.stroke.a > 0 && style.stroke_width > 0;
  if ((style.fill.a == 0 && !stroked) || !finite(primitive.rect)) return;
  const float inset = stroked ? style.stroke_width / 2 : 0;  // SVG draws a stroke on both sides of the edge
  const Rect rect = primitive.rect.inset(inset);
  if (rect.w < 0 || rect.h < 0) return;
  std::string& out = writer.body;
  out += "<rect";
  box(out, rect);
  const float radius = std::min({style.radius - inset, rect.w / 2, rect.h / 2});
  if (radius > 0) attribute(out, "rx", radius);
  if (style.fill.a > 0) {
    colour(out, "fill", "fill-opacity", style.fill.faded(opacity));
  } else {
    attribute(out, "fill", "none");
  }
  if (stroked) {
    colour(out, "stroke", "stroke-opacity", style.stroke.faded(opacity));
    attribute(out, "stroke-width", style.stroke_width);
  }
  out += "/>\n";
}

void text_length(std::string& out, float width) {
  if (!(width > 0)) return;
  attribute(out, "textLength", width);
  attribute(out, "lengthAdjust", "spacingAndGlyphs");
}

void paint(Writer& writer, const TextPrimitive& primitive, const Trace&, float opacity) {
  if (primitive.text.empty() || primitive.colour.a == 0 || !finite(primitive.baseline)) return;
  const Point at = primitive.baseline;
  std::string& out = writer.body;
  out += "<text";
  attribute(out, "x", at.x);
  attribute(out, "y", at.y);
  if (primitive.vertical) attribute(out, "transform", "rotate(-90 " + number(at.x) + ' ' + number(at.y) + ')');
  attribute(out, "font-family", text::css_family(primitive.face));
  attribute(out, "font-weight", static_cast<float>(text::css_weight(primitive.face)));
  if (text::is_italic(primitive.face)) attribute(out, "font-style", "italic");
  attribute(out, "font-size", primitive.size);
  colour(out, "fill", "fill-opacity", primitive.colour.faded(opacity));
  const std::vector<text::Run> runs = text::runs(primitive.face, primitive.size, primitive.text);
  if (runs.size() == 1) text_length(out, primitive.width > 0 ? primitive.width : runs.front().width);
  attribute(out, "xml:space", "preserve");
  out += '>';
  if (runs.size() == 1) {
    escape(out, primitive.text);
  } else {  // each in its own place: how wide the viewer makes what is foreign must not move the rest
    for (const text::Run& run : runs) {
      out += "<tspan";
      attribute(out, "x", at.x + run.x);
      text_length(out, run.width);
      out += '>';
      escape(out, run.text);
      out += "</tspan>";
    }
  }
  out += "</text>\n";
}

void stroke(std::string& out, Colour c, float width) {
  attribute(out, "fill", "none");
  colour(out, "stroke", "stroke-opacity", c);
  attribute(out, "stroke-width", width);
}

void paint(Writer& writer, const PolylinePrimitive& primitive, const Trace&, float opacity) {
  if (primitive.points.size() < 2 || primitive.colour.a == 0 || !finite(primitive.points)) return;
  std::string& out = writer.body;
  out += "<polyline";
  points_attribute(out, primitive.points);
  stroke(out, primitive.colour.faded(opacity), primitive.width);
  attribute(out, "stroke-linejoin", "round");
  if (primitive.dashed) attribute(out, "stroke-dasharray", number(kDashOn) + ' ' + number(kDashOff));
  out += "/>\n";
}

void paint(Writer& writer, const CurvePrimitive& primitive, const Trace&, float opacity) {
  const Curve& curve = primitive.curve;
  const std::array<Point, 4> points = {curve.from, curve.control_from, curve.control_to, curve.to};
  if (curve.colour.a == 0 || !finite(points)) return;
  std::string path;
  for (const Point& p : points) {
    path += path.empty() ? "M" : (&p == &points[1] ? "C" : " ");
    path += number(p.x) + ',' + number(p.y);
  }
  std::string& out = writer.body;
  out += "<path";
  attribute(out, "d", path);
  stroke(out, curve.colour.faded(opacity), curve.width);
  out += "/>\n";
}

void paint(Writer& writer, const AreaPrimitive& primitive, const Trace&, float opacity) {
  const Area& area = primitive.area;
  if (area.points.size() < 3 || (area.fill.a == 0 && area.fill_to.a == 0) || !finite(area.points)) return;
  const Colour from = area.fill.faded(opacity);
  const Colour to = area.fill_to.faded(opacity);
  std::string& out = writer.body;
  out += "<polygon";
  points_attribute(out, area.points);
  if (from == to) {
    colour(out, "fill", "fill-opacity", from);
  } else {
    attribute(out, "fill", reference(gradient_id(writer, from, to)));
  }
  out += "/>\n";
}

// The colour changes along the ribbon's axis, in the picture's own coordinates.
std::string ribbon_gradient(Writer& writer, const Ribbon& ribbon, float opacity) {
  const Course course = course_of(ribbon);
  std::string attributes = " gradientUnits=\"userSpaceOnUse\"";
  attribute(attributes, "x1", course.from.x);
  attribute(attributes, "y1", course.from.y);
  attribute(attributes, "x2", course.to.x);
  attribute(attributes, "y2", course.to.y);
  std::string content;
  for (const Ribbon::Stop& stop : ribbon.stops) {
    content += "<stop";
    attribute(content, "offset", stop.at);
    colour(content, "stop-color", "stop-opacity", stop.colour.faded(opacity));
    content += "/>";
  }
  return define(writer, "linearGradient", attributes, content);
}

void paint(Writer& writer, const RibbonPrimitive& primitive, const Trace&, float opacity) {
  const Ribbon& ribbon = primitive.ribbon;
  if (!finite(ribbon.one) || !finite(ribbon.other)) return;
  std::vector<Point> outline = ribbon.one;
  outline.insert(outline.end(), ribbon.other.rbegin(), ribbon.other.rend());
  std::string& out = writer.body;
  out += "<polygon";
  points_attribute(out, outline);
  attribute(out, "fill", reference(ribbon_gradient(writer, ribbon, opacity)));
  out += "/>\n";
}

void heatmap_cells(Writer& writer, const HeatmapPrimitive& primitive, const Trace& trace) {
  const int across = primitive.heatmap.across(), down = primitive.heatmap.down();
  const float w = primitive.rect.w / static_cast<float>(across);
  const float h = primitive.rect.h / static_cast<float>(down);
  std::string& out = writer.body;
  const HeatmapReader reader(primitive.heatmap, trace);
  for (int i = 0; i < down; ++i) {
    for (int j = 0; j < across; ++j) {
      const auto c = reader.colour_at(j, i);
      out += "<rect";
      box(out, {primitive.rect.x + static_cast<float>(j) * w, primitive.rect.y + static_cast<float>(i) * h, w, h});
      attribute(out, "fill", c ? css(*c) : reference(hatch_id(writer, primitive.heatmap.theme)));
      out += "/>\n";
    }
  }
}

void embed(std::string& out, const Image& image, Rect rect, std::string_view style, float opacity = 1) {
  out += "<image";
  box(out, rect);
  if (opacity < 1) attribute(out, "opacity", opacity);
  attribute(out, "preserveAspectRatio", "none");
  if (!style.empty()) attribute(out, "style", style);
  attribute(out, "xlink:href", "data:image/png;base64," + io::base64(png(image)));
  out += "/>\n";
}

void paint(Writer& writer, const PixelsPrimitive& primitive, const Trace& trace, float opacity) {
  if (finite(primitive.rect)) embed(writer.body, image_of(primitive.pixels, trace), primitive.rect, kSquares, opacity);
}

// An image of a quarter of the size, since light has no edges.
void paint(Writer& writer, const LightPrimitive& primitive, const Trace&, float) {
  constexpr float kScale = 0.25F;
  const LightColours colours = light_colours(primitive.light.theme);
  const LightMap map = light_map(primitive.light, kScale, {0, 0, writer.size.x * kScale, writer.size.y * kScale});
  if (map.sums.empty()) return;
  embed(writer.body, image_of(map, colours),
        {static_cast<float>(map.x) / kScale, static_cast<float>(map.y) / kScale, static_cast<float>(map.width) / kScale,
         static_cast<float>(map.height) / kScale},
        colours.dark ? "mix-blend-mode:screen" : "");
}

// The masked cells are holes in the image, through which a hatched rectangle shows.
void heatmap_image(Writer& writer, const HeatmapPrimitive& primitive, const Trace& trace) {
  const int across = primitive.heatmap.across(), down = primitive.heatmap.down();
  Image image{.width = across, .height = down, .rgba = {}};
  image.rgba.reserve(static_cast<std::size_t>(across) * static_cast<std::size_t>(down) * 4);
  bool masked = false;
  const HeatmapReader reader(primitive.heatmap, trace);
  for (int i = 0; i < down; ++i) {
    for (int j = 0; j < across; ++j) {
      const auto c = reader.colour_at(j, i);
      masked = masked || !c;
      const Colour pixel = c.value_or(Colour{0, 0, 0, 0});
      image.rgba.insert(image.rgba.end(), {pixel.r, pixel.g, pixel.b, pixel.a});
    }
  }
  std::string& out = writer.body;
  if (masked) {
    out += "<rect";
    box(out, primitive.rect);
    attribute(out, "fill", reference(hatch_id(writer, primitive.heatmap.theme)));
    out += "/>\n";
  }
  embed(out, image, primitive.rect, kSquares);
}

void paint(Writer& writer, const HeatmapPrimitive& primitive, const Trace& trace, float opacity) {
  const CellRange& range = primitive.heatmap.range;
  if (range.rows <= 0 || range.columns <= 0 || !finite(primitive.rect)) return;
  std::string& out = writer.body;
  out += "<g";
  if (opacity < 1) attribute(out, "opacity", opacity);
  attribute(out, "shape-rendering", "crispEdges");  // no seams between the cells
  out += ">\n";
  if (writer.many) {
    heatmap_image(writer, primitive, trace);
  } else {
    heatmap_cells(writer, primitive, trace);
  }
  out += "</g>\n";
}

bool same(const std::optional<Rect>& a, const std::optional<Rect>& b) {
  if (!a || !b) return !a && !b;
  return a->x == b->x && a->y == b->y && a->w == b->w && a->h == b->h;
}

void paint(Writer& writer, const Element& element, const Trace& trace) {
  const std::vector<Primitive> all = primitives(element, trace);
  if (all.empty()) return;
  std::string& out = writer.body;
  out += "<g";
  attribute(out, "id", unique_id(writer, element.id));
  out += ">\n";
  if (!element.label.empty()) tag(out, "title", element.label);
  std::optional<Rect> clip;  // of the group that is open; on a group, since text turns its own coordinates
  for (const Primitive& primitive : all) {
    if (!same(clip, primitive.clip)) {
      if (clip) out += "</g>\n";
      clip = primitive.clip;
      if (clip) out += "<g clip-path=\"" + reference(clip_id(writer, *clip)) + "\">\n";
    }
    std::visit([&](const auto& shape) { paint(writer, shape, trace, primitive.opacity); }, primitive.shape);
  }
  if (clip) out += "</g>\n";
  out += "</g>\n";
}

}  // namespace

std::string write(const Figure& figure, const Trace& trace, std::string_view title, std::string_view description) {
  Writer writer;
  writer.size = {figure.width, figure.height};
  std::int64_t cells = 0;
  for (const Element& element : figure.elements)
    if (const auto* heatmap = std::get_if<Heatmap>(&element.shape))
      cells += std::int64_t{heatmap->range.rows} * heatmap->range.columns;
  writer.many = cells > kMostCells;
  for (const Element& element : figure.elements) paint(writer, element, trace);
  std::string out = R"(<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" version="1.1" role="img")";
  attribute(out, "width", figure.width);
  attribute(out, "height", figure.height);
  attribute(out, "viewBox", "0 0 " + number(figure.width) + ' ' + number(figure.height));
  // Text is measured without kerning, ligatures or hints.
  attribute(out, "style", "font-kerning:none;font-variant-ligatures:none;text-rendering:geometricPrecision");
  out += ">\n";
  tag(out, "title", title);
  tag(out, "desc", description);
  std::string ground;
  if (figure.background.a > 0) {
    ground += "<rect";
    box(ground, {0, 0, figure.width, figure.height});
    if (figure.background == bottom_of(figure))
      colour(ground, "fill", "fill-opacity", figure.background);
    else
      attribute(ground, "fill", reference(gradient_id(writer, figure.background, bottom_of(figure))));
    ground += "/>\n";
  }
  if (!writer.definitions.empty()) out += "<defs>\n" + writer.definitions + "</defs>\n";
  out += ground;
  out += writer.body;
  out += "</svg>\n";
  return out;
}

}  // namespace written

std::string svg(const Figure& figure, const Trace& trace, std::string_view title, std::string_view description) {
  return written::write(figure, trace, title, description);
}

}  // namespace limelight::figure
