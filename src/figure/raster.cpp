#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <map>
#include <numbers>
#include <span>
#include <utility>

#include "figure/canvas.h"
#include "figure/light_map.h"
#include "figure/paint.h"
#include "io/utf8.h"

namespace limelight::figure {
namespace {

constexpr int kSubpixels = 4;  // positions of a glyph within a pixel

struct GlyphKey {
  text::Face face;
  float size;
  char32_t code_point;
  int subpixel;
  auto operator<=>(const GlyphKey&) const = default;
};

struct Painter {
  Canvas canvas;
  float scale = 1;
  std::map<GlyphKey, text::Bitmap> glyphs;
};

// Of (row, column) in row-major order.
std::size_t index(int row, int columns, int column) {
  return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(column);
}
bool finite(const Box& box) { return finite(Point{box.x0, box.y0}) && finite(Point{box.x1, box.y1}); }

Point scaled(Point p, float scale) { return {p.x * scale, p.y * scale}; }
Path scaled(std::span<const Point> points, float scale) {
  Path path;
  path.reserve(points.size());
  for (const Point& p : points) path.push_back(scaled(p, scale));
  return path;
}
Box scaled(Rect rect, float scale) {
  return {rect.x * scale, rect.y * scale, rect.right() * scale, rect.bottom() * scale};
}

// ---- text ---------------------------------------------------------------------------------------

// Where the next glyph goes, and how it is coloured.
struct Pen {
  Point at;  // on the baseline
  bool vertical = false;
  Colour colour;
  Box clip;
};
// `forth` along the text, `down` across it.
Pen moved(Pen pen, float forth, float down = 0) {
  pen.at = pen.vertical ? Point{pen.at.x + down, pen.at.y - forth} : Point{pen.at.x + forth, pen.at.y + down};
  return pen;
}

const text::Bitmap& glyph(Painter& painter, const GlyphKey& key) {
  const auto [place, is_new] = painter.glyphs.try_emplace(key);
  if (is_new) {
    place->second = text::rasterise(key.face, key.size, key.code_point, static_cast<float>(key.subpixel) / kSubpixels);
  }
  return place->second;
}

void paint_glyph(Painter& painter, text::Face face, float size, char32_t code_point, const Pen& pen) {
  const Image& image = painter.canvas.image;
  const float forth = pen.vertical ? -pen.at.y : pen.at.x;
  const float down = pen.vertical ? pen.at.x : pen.at.y;
  const auto most = static_cast<float>(image.width + image.height) + 2 * size;
  if (std::abs(forth) > most || std::abs(down) > most) return;
  const auto quarters = static_cast<int>(std::round(forth * kSubpixels));
  const int subpixel = (quarters % kSubpixels + kSubpixels) % kSubpixels;
  const int pixel = (quarters - subpixel) / kSubpixels;
  const auto baseline = static_cast<int>(std::round(down));  // on a whole pixel, where it is sharp
  const text::Bitmap& bitmap = glyph(painter, {face, size, code_point, subpixel});
  for (int j = 0; j < bitmap.height; ++j) {
    for (int i = 0; i < bitmap.width; ++i) {
      const std::uint8_t coverage = bitmap.coverage[index(j, bitmap.width, i)];
      const int a = pixel + bitmap.left + i;
      const int b = baseline + bitmap.top + j;
      const int x = pen.vertical ? b : a;
      const int y = pen.vertical ? -a - 1 : b;
      if (coverage == 0 || x < 0 || y < 0 || x >= image.width || y >= image.height) continue;
      blend_pixel(painter.canvas, x, y, pen.colour, static_cast<float>(coverage) / 255, pen.clip);
    }
  }
}

bool is_blank(char32_t c) {
  return c == '\t' || c == '\n' || c == '\r' || c == ' ' || c == 0xA0 || (c >= 0x2000 && c <= 0x200F) ||
         (c >= 0x2028 && c <= 0x202F) || (c >= 0x205F && c <= 0x2060) || c == 0x3000;
}

// A thin box, as wide as the code point was measured, with its hexadecimal number in two rows.
void paint_code_point(Painter& painter, char32_t code_point, float width, float size, const Pen& pen) {
  constexpr text::Face kFace = text::Face::mono;
  constexpr std::string_view kHex = "0123456789ABCDEF";
  const float rule = std::max(size * 0.04F, 0.75F);
  const float margin = size * 0.04F;
  const float high = size * 0.85F;  // above the baseline
  const float low = size * 0.15F;   // below it
  const Point a = moved(pen, margin, -high).at;
  const Point b = moved(pen, width - margin, low).at;
  const Box outer{std::min(a.x, b.x), std::min(a.y, b.y), std::max(a.x, b.x), std::max(a.y, b.y)};
  const std::array<Path, 2> frame = {rounded(outer, 0), rounded(outer.inset(rule), 0, Turn::hole)};
  fill(painter.canvas, frame, plain_ink(pen.colour), pen.clip);

  const int in_row = code_point > 0xFFFF ? 3 : 2;
  const auto columns = static_cast<float>(in_row);
  const float digit_em = text::advance(kFace, 1, U'0');
  const float digit_size = std::min(size * 0.5F, (width - 2 * margin - 3 * rule) / (digit_em * columns));
  const float pitch = digit_em * digit_size;
  const float cap = text::metrics(kFace, digit_size).cap_height;
  const float gap = (high + low - 2 * cap) / 3;
  for (int i = 0; i < 2 * in_row; ++i) {
    const auto shift = 4U * static_cast<unsigned>(2 * in_row - 1 - i);
    const auto digit = static_cast<unsigned char>(kHex[code_point >> shift & 0xFU]);
    const float forth = (width - pitch * columns) / 2 + pitch * static_cast<float>(i % in_row);
    const float down = (gap + cap) * static_cast<float>(1 + i / in_row) - high;
    paint_glyph(painter, kFace, digit_size, digit, moved(pen, forth, down));
  }
}

void paint(Painter& painter, const TextPrimitive& primitive, const Trace&, float opacity, const Box& clip) {
  if (primitive.colour.a == 0 || !finite(primitive.baseline)) return;
  const float size = primitive.size * painter.scale;
  const Pen start{.at = scaled(primitive.baseline, painter.scale),
                  .vertical = primitive.vertical,
                  .colour = primitive.colour.faded(opacity),
                  .clip = clip};
  for (const text::Run& run : text::runs(primitive.face, primitive.size, primitive.text)) {
    float along = run.x * painter.scale;
    for (const char32_t code_point : io::decode_utf8(run.text)) {
      const Pen pen = moved(start, along);
      const float width = text::advance(primitive.face, size, code_point);
      if (text::covers(primitive.face, code_point)) {
        paint_glyph(painter, primitive.face, size, code_point, pen);
      } else if (width > 0 && !is_blank(code_point)) {
        paint_code_point(painter, code_point, width, size, pen);
      }
      along += width;
    }
  }
}

// ---- the other primitives -----------------------------------------------------------------------

void paint(Painter& painter, const RectanglePrimitive& primitive, const Trace&, float opacity, const Box& clip) {
  const Rectangle& style = primitive.style;
  const Box box = scaled(primitive.rect, painter.scale);
  if (box.empty() || !finite(box)) return;
  const float radius = style.radius * painter.scale;
  const float width = style.stroke.a > 0 ? std::max(style.stroke_width * painter.scale, 0.0F) : 0;
  const Box middle = box.inset(width / 2);  // the fill ends in the middle of the stroke
  if (style.fill.a > 0 && !middle.empty()) {
    const Path path = rounded(middle, radius - width / 2);
    fill(painter.canvas, {&path, 1}, plain_ink(style.fill.faded(opacity)), clip);
  }
  if (width == 0) return;
  std::vector<Path> frame = {rounded(box, radius)};
  const Box inner = box.inset(width);
  if (!inner.empty()) frame.push_back(rounded(inner, radius - width, Turn::hole));
  fill(painter.canvas, frame, plain_ink(style.stroke.faded(opacity)), clip);
}

void paint(Painter& painter, const PolylinePrimitive& primitive, const Trace&, float opacity, const Box& clip) {
  if (primitive.points.size() < 2 || primitive.colour.a == 0 || !finite(primitive.points)) return;
  const float scale = painter.scale;
  std::vector<Path> paths = {scaled(primitive.points, scale)};
  if (primitive.dashed) paths = dashes(paths.front(), kDashOn * scale, kDashOff * scale);
  stroke(painter.canvas, paths, primitive.width * scale, primitive.colour.faded(opacity), clip);
}

void paint(Painter& painter, const CurvePrimitive& primitive, const Trace&, float opacity, const Box& clip) {
  Curve curve = primitive.curve;
  for (Point* p : {&curve.from, &curve.control_from, &curve.control_to, &curve.to}) {
    *p = scaled(*p, painter.scale);
    if (!finite(*p)) return;
  }
  if (curve.colour.a == 0) return;
  const Path path = flatten(curve);
  stroke(painter.canvas, {&path, 1}, curve.width * painter.scale, curve.colour.faded(opacity), clip);
}

void paint(Painter& painter, const AreaPrimitive& primitive, const Trace&, float opacity, const Box& clip) {
  const Area& area = primitive.area;
  if (area.points.size() < 3 || !finite(area.points)) return;
  const Path path = scaled(area.points, painter.scale);
  const auto [top, bottom] = std::ranges::minmax(path, {}, &Point::y);
  const Ink ink{
      .stops = {{.at = 0, .colour = area.fill.faded(opacity)}, {.at = 1, .colour = area.fill_to.faded(opacity)}},
      .course = {.from = {0, top.y}, .to = {0, bottom.y}}};
  fill(painter.canvas, {&path, 1}, ink, clip);
}

void paint(Painter& painter, const RibbonPrimitive& primitive, const Trace&, float opacity, const Box& clip) {
  const Ribbon& ribbon = primitive.ribbon;
  if (!finite(ribbon.one) || !finite(ribbon.other)) return;
  Path path = scaled(ribbon.one, painter.scale);
  const Path back = scaled(ribbon.other, painter.scale);
  path.insert(path.end(), back.rbegin(), back.rend());
  const Course course = course_of(ribbon);
  Ink ink{.stops = ribbon.stops,
          .course = {.from = scaled(course.from, painter.scale), .to = scaled(course.to, painter.scale)}};
  for (Ribbon::Stop& stop : ink.stops) stop.colour = stop.colour.faded(opacity);
  fill(painter.canvas, {&path, 1}, ink, clip);
}

void paint(Painter& painter, const LightPrimitive& primitive, const Trace&, float, const Box& clip) {
  const Box bounds{0, 0, static_cast<float>(painter.canvas.image.width),
                   static_cast<float>(painter.canvas.image.height)};
  paint(painter.canvas, light_map(primitive.light, painter.scale, bounds), light_colours(primitive.light.theme), clip);
}

Colour hatch_colour(int x, int y, float scale, Theme theme) {
  constexpr float kRoot2 = std::numbers::sqrt2_v<float>;
  const float across = (static_cast<float>(x) + static_cast<float>(y) + 1) / kRoot2;
  const float pitch = kHatchPitch / kRoot2 * scale;
  const float half = kHatchWidth * scale / 2;
  const float from_line = std::abs(across - half - pitch * std::round((across - half) / pitch));
  const PixelEdge edge = pixel_edge({1 / kRoot2, 1 / kRoot2});
  return mix(palette(theme).sunken, palette(theme).faint,
             kHatchOpacity * (edge.behind(from_line - half) - edge.behind(from_line + half)));
}

// A heatmap's cells side by side: cell (i, j) begins at (box.x0 + j·w, box.y0 + i·h).
struct CellImage {
  Box box;
  float w = 0;
  float h = 0;
  int rows = 0;
  int columns = 0;
  std::vector<std::optional<Colour>> colours;  // [rows, columns]; none: masked
};

CellImage empty_cells(const Box& box, int across, int down) {
  CellImage cells{.box = box,
                  .w = (box.x1 - box.x0) / static_cast<float>(across),
                  .h = (box.y1 - box.y0) / static_cast<float>(down),
                  .rows = down,
                  .columns = across,
                  .colours = {}};
  cells.colours.reserve(static_cast<std::size_t>(down) * static_cast<std::size_t>(across));
  return cells;
}

CellImage cell_image(const HeatmapPrimitive& primitive, const Trace& trace, float scale) {
  const int across = primitive.heatmap.across(), down = primitive.heatmap.down();
  CellImage cells = empty_cells(scaled(primitive.rect, scale), across, down);
  const HeatmapReader reader(primitive.heatmap, trace);
  for (int i = 0; i < down; ++i) {
    for (int j = 0; j < across; ++j) {
      cells.colours.push_back(reader.colour_at(j, i));
    }
  }
  return cells;
}

// The cells that pixel `i` shows in one direction: from the first to before the last.
std::pair<int, int> cells_at(int i, float start, float cell, int count) {
  const float from = (static_cast<float>(i) - start) / cell;
  const int first = std::min(floor_within(from, count), count - 1);
  return {first, std::max(first + 1, ceil_within(from + 1 / cell, count))};
}

// A pixel is the mean of the cells that it shows, by area: sharp when cells are large, fair when they are tiny.
void paint_cells(Painter& painter, const CellImage& cells, int x, int y, Colour hatch, float opacity, const Box& clip) {
  const auto [row, row_end] = cells_at(y, cells.box.y0, cells.h, cells.rows);
  const auto [column, column_end] = cells_at(x, cells.box.x0, cells.w, cells.columns);
  std::array<float, 3> sum{};
  float area = 0;
  for (int i = row; i < row_end; ++i) {
    const float top = cells.box.y0 + static_cast<float>(i) * cells.h;
    const float tall = overlap(y, top, top + cells.h);
    for (int j = column; j < column_end; ++j) {
      const float left = cells.box.x0 + static_cast<float>(j) * cells.w;
      const float part = tall * overlap(x, left, left + cells.w);
      const Colour c = cells.colours[index(i, cells.columns, j)].value_or(hatch);
      sum[0] += part * static_cast<float>(c.r);
      sum[1] += part * static_cast<float>(c.g);
      sum[2] += part * static_cast<float>(c.b);
      area += part;
    }
  }
  if (!(area > 0)) return;
  const auto mean = [&](std::size_t i) { return static_cast<std::uint8_t>(std::min(sum[i] / area, 255.0F) + 0.5F); };
  const Colour c{mean(0), mean(1), mean(2)};
  blend_pixel(painter.canvas, x, y, c.faded(opacity), std::min(area, 1.0F), clip);
}

void paint(Painter& painter, const CellImage& cells, Theme theme, float opacity, const Box& clip) {
  const Image& image = painter.canvas.image;
  const int end_x = ceil_within(cells.box.x1, image.width);
  const int end_y = ceil_within(cells.box.y1, image.height);
  for (int y = floor_within(cells.box.y0, image.height); y < end_y; ++y) {
    for (int x = floor_within(cells.box.x0, image.width); x < end_x; ++x) {
      const Colour hatch = hatch_colour(x, y, painter.scale, theme);
      paint_cells(painter, cells, x, y, hatch, opacity, clip);
    }
  }
}

void paint(Painter& painter, const HeatmapPrimitive& primitive, const Trace& trace, float opacity, const Box& clip) {
  const CellRange& range = primitive.heatmap.range;
  const Box box = scaled(primitive.rect, painter.scale);
  if (range.rows <= 0 || range.columns <= 0 || box.empty() || !finite(box)) return;
  paint(painter, cell_image(primitive, trace, painter.scale), primitive.heatmap.theme, opacity, clip);
}

void paint(Painter& painter, const PixelsPrimitive& primitive, const Trace& trace, float opacity, const Box& clip) {
  const Box box = scaled(primitive.rect, painter.scale);
  if (box.empty() || !finite(box)) return;
  const Image pixels = image_of(primitive.pixels, trace);
  CellImage cells = empty_cells(box, pixels.width, pixels.height);
  for (std::size_t i = 0; i < pixels.rgba.size(); i += 4)
    cells.colours.emplace_back(Colour{pixels.rgba[i], pixels.rgba[i + 1], pixels.rgba[i + 2]});
  paint(painter, cells, Theme::light, opacity, clip);  // nothing is masked
}

}  // namespace

Image raster(const Figure& figure, const Trace& trace, float scale) {
  assert(scale > 0 && std::isfinite(figure.width * scale) && std::isfinite(figure.height * scale));
  const int width = std::max(1, static_cast<int>(std::ceil(figure.width * scale)));
  const int height = std::max(1, static_cast<int>(std::ceil(figure.height * scale)));
  Painter painter{
      .canvas = make_canvas(width, height, figure.background, bottom_of(figure)), .scale = scale, .glyphs = {}};
  const Box everything{0, 0, static_cast<float>(width), static_cast<float>(height)};
  for (const Element& element : figure.elements) {
    for (const Primitive& primitive : primitives(element, trace)) {
      const Box clip = primitive.clip ? scaled(*primitive.clip, scale) : everything;
      std::visit([&](const auto& shape) { paint(painter, shape, trace, primitive.opacity, clip); }, primitive.shape);
    }
  }
  return std::move(painter.canvas.image);
}

}  // namespace limelight::figure
