#include "app/painter.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "app/paint_light.h"
#include "app/paint_ribbon.h"
#include "figure/canvas.h"
#include "figure/paint.h"
#include "figure/triangles.h"
#include "io/utf8.h"
#include "text/font.h"

namespace limelight::app {

using namespace figure;

namespace {

ImU32 pack(Colour colour, float opacity) {
  const Colour c = colour.faded(opacity);
  return IM_COL32(c.r, c.g, c.b, c.a);
}

ImVec2 vec(Point p) { return {p.x, p.y}; }

std::array<float, 4> floats(Colour c) {
  return {static_cast<float>(c.r) / 255, static_cast<float>(c.g) / 255, static_cast<float>(c.b) / 255,
          static_cast<float>(c.a) / 255};
}

}  // namespace

struct Painter::Brush {
  Painter& painter;
  const Figure& figure;
  const Trace& trace;
  ImDrawList& list;
  float ratio;
  float opacity = 1;

  // Dear ImGui's own rounded rectangles stop a pixel short of a circle.
  [[nodiscard]] static std::vector<ImVec2> outline(Rect r, float radius) {
    constexpr float quarter = std::numbers::pi_v<float> / 2;
    const int steps = radius > 0 ? std::clamp(static_cast<int>(radius * 1.5F), 4, 16) : 0;
    const Point centres[] = {{r.x + radius, r.y + radius},
                             {r.right() - radius, r.y + radius},
                             {r.right() - radius, r.bottom() - radius},
                             {r.x + radius, r.bottom() - radius}};
    std::vector<ImVec2> points;
    for (int corner = 0; corner < 4; ++corner)
      for (int i = 0; i <= steps; ++i) {
        const float angle =
            quarter * (static_cast<float>(corner + 2) + static_cast<float>(i) / static_cast<float>(std::max(steps, 1)));
        const ImVec2 point{centres[corner].x + radius * std::cos(angle), centres[corner].y + radius * std::sin(angle)};
        // Two arcs of a circle meet in one point; twice the same has no direction to smooth.
        const auto same = [&](ImVec2 other) { return std::hypot(other.x - point.x, other.y - point.y) < 0.01F; };
        if (points.empty() || !(same(points.back()) || same(points.front()))) points.push_back(point);
      }
    return points;
  }

  void operator()(const RectanglePrimitive& p) const {
    const float radius = std::clamp(p.style.radius, 0.F, std::max(0.F, std::min(p.rect.w, p.rect.h) / 2));
    if (p.style.fill.a > 0 && radius > 0) {
      const std::vector<ImVec2> points = outline(p.rect, radius);
      list.AddConvexPolyFilled(points.data(), static_cast<int>(points.size()), pack(p.style.fill, opacity));
    } else if (p.style.fill.a > 0) {
      list.AddRectFilled({p.rect.x, p.rect.y}, {p.rect.right(), p.rect.bottom()}, pack(p.style.fill, opacity));
    }
    if (p.style.stroke.a > 0 && p.style.stroke_width > 0) {
      // The stroke runs inside the rect, so that a hairline's middle lies on a pixel's middle.
      const float half = p.style.stroke_width / 2;
      const std::vector<ImVec2> points = outline(p.rect.inset(half), std::max(radius - half, 0.F));
      list.AddPolyline(points.data(), static_cast<int>(points.size()), pack(p.style.stroke, opacity),
                       ImDrawFlags_Closed, p.style.stroke_width);
    }
  }

  void operator()(const PolylinePrimitive& p) const {
    // Dashes run on over the corners, so that a curve of many short pieces is dashed as well.
    for (const Path& path : p.dashed ? dashes(p.points, kDashOn, kDashOff) : std::vector<Path>{p.points}) {
      std::vector<ImVec2> points;
      for (const Point& point : path) points.push_back(vec(point));
      list.AddPolyline(points.data(), static_cast<int>(points.size()), pack(p.colour, opacity), 0, p.width);
    }
  }

  void operator()(const CurvePrimitive& p) const {
    const Curve& c = p.curve;
    list.AddBezierCubic(vec(c.from), vec(c.control_from), vec(c.control_to), vec(c.to), pack(c.colour, opacity),
                        c.width);
  }

  // Dear ImGui fills only what is convex.
  void fill_triangles(const std::vector<Point>& points, ImU32 colour) const {
    const std::vector<std::array<int, 3>> triangles = triangles_of(points);
    list.PrimReserve(static_cast<int>(3 * triangles.size()), static_cast<int>(points.size()));
    const unsigned first = list._VtxCurrentIdx;
    for (const auto& triangle : triangles)
      for (const int corner : triangle) list.PrimWriteIdx(first + static_cast<unsigned>(corner));
    for (const Point& point : points) list.PrimWriteVtx(vec(point), list._Data->TexUvWhitePixel, colour);
  }

  void operator()(const AreaPrimitive& p) const {
    std::vector<ImVec2> points;
    float top = 1e9F, bottom = -1e9F;
    for (const Point& point : p.area.points) {
      points.push_back(vec(point));
      top = std::min(top, point.y);
      bottom = std::max(bottom, point.y);
    }
    const int first = list.VtxBuffer.Size;
    const bool plain = p.area.fill == p.area.fill_to;
    // What begins transparent would not be drawn at all: the gradient colours what is drawn opaque.
    const ImU32 fill = plain ? pack(p.area.fill, opacity) : IM_COL32_BLACK;
    // Clockwise, or the smooth edge lies inside.
    if (turns_left(p.area.points)) std::ranges::reverse(points);
    if (is_convex(p.area.points))
      list.AddConvexPolyFilled(points.data(), static_cast<int>(points.size()), fill);
    else
      fill_triangles(p.area.points, fill);
    if (plain) return;
    for (int i = first; i < list.VtxBuffer.Size; ++i) {
      ImDrawVert& vertex = list.VtxBuffer[i];
      const float t = std::clamp((vertex.pos.y - top) / std::max(bottom - top, 1e-3F), 0.F, 1.F);
      const bool fringe = (vertex.col >> IM_COL32_A_SHIFT) == 0;
      Colour colour = mix(p.area.fill, p.area.fill_to, t);
      if (fringe) colour.a = 0;
      vertex.col = pack(colour, opacity);
    }
  }

  // scale: CSS pixels that a pixel of the glyph takes.
  void quad(const Glyph& glyph, Point pen, float scale, Colour colour, bool vertical) const {
    if (glyph.width <= 0) return;
    const float w = glyph.width * scale, h = glyph.height * scale, l = glyph.left * scale, t = glyph.top * scale;
    const ImTextureID texture = list._CmdHeader.TextureId;
    const ImU32 tint = glyph.coloured ? pack({255, 255, 255, 255}, opacity * static_cast<float>(colour.a) / 255)
                                      : pack(colour, opacity);
    if (!vertical) {
      list.AddImage(texture, {pen.x + l, pen.y + t}, {pen.x + l + w, pen.y + t + h}, {glyph.u0, glyph.v0},
                    {glyph.u1, glyph.v1}, tint);
      return;
    }
    // A quarter turn to the left: along becomes up.
    const auto turned = [&](float along, float below) { return ImVec2{pen.x + below, pen.y - along}; };
    list.AddImageQuad(texture, turned(l, t), turned(l + w, t), turned(l + w, t + h), turned(l, t + h),
                      {glyph.u0, glyph.v0}, {glyph.u1, glyph.v0}, {glyph.u1, glyph.v1}, {glyph.u0, glyph.v1}, tint);
  }

  void operator()(const TextPrimitive& p) const {
    // In motion a word's glyphs are scaled from those of one size, and lie between the pixels as they come.
    const float drawn_at = p.drawn_at > 0 ? p.drawn_at : p.size;
    const float growth = p.size / drawn_at;
    const bool scaled = growth != 1;
    const float pixel_size = drawn_at * ratio;
    const float scale = growth / ratio;
    const auto snapped = [&](float v) { return scaled ? v : std::round(v * ratio) / ratio; };
    for (const text::Run& run : text::runs(p.face, drawn_at, p.text)) {
      const auto pen_at = [&](float x) {
        return p.vertical ? Point{snapped(p.baseline.x), p.baseline.y - x}
                          : Point{p.baseline.x + x, snapped(p.baseline.y)};
      };
      if (run.foreign) {
        const Glyph& glyph = painter.glyphs_.foreign(run.text, pixel_size, run.width * ratio);
        Point pen = pen_at(run.x * growth);
        pen = {snapped(pen.x), snapped(pen.y)};
        if (glyph.width > 0)
          quad(glyph, pen, scale, p.colour, p.vertical);
        else if (!p.vertical)
          list.AddRect({pen.x + 1, pen.y - p.size * 0.7F}, {pen.x + run.width * growth - 1, pen.y},
                       pack(p.colour, opacity));
        continue;
      }
      float x = run.x * growth;
      for (const char32_t c : io::decode_utf8(run.text)) {
        const Point pen = pen_at(x);
        x += text::advance(p.face, p.size, c);
        if (scaled) {
          quad(painter.glyphs_.glyph(p.face, pixel_size, c, 0), pen, scale, p.colour, p.vertical);
          continue;
        }
        // The pen along the text falls on a quarter of a pixel; on a whole one where those are small.
        const float along = (p.vertical ? -pen.y : pen.x) * ratio;
        const float whole = std::floor(along + (ratio < 3 ? 0.125F : 0.5F));
        const int quarter = ratio < 3 ? std::clamp(static_cast<int>(std::floor((along - whole) * 4 + 0.5F)), 0, 3) : 0;
        const Glyph& glyph = painter.glyphs_.glyph(p.face, pixel_size, c, quarter);
        quad(glyph, p.vertical ? Point{pen.x, -whole / ratio} : Point{whole / ratio, pen.y}, scale, p.colour,
             p.vertical);
      }
    }
  }

  // Cells that are drawn of so many, in a length of CSS pixels: at most one for each dot of the screen.
  [[nodiscard]] int dots(int cells, float length) const {
    return std::min(cells, std::max(1, static_cast<int>(std::ceil(length * ratio))));
  }

  void operator()(const HeatmapPrimitive& p) const {
    const Heatmap& heatmap = p.heatmap;
    const Palette& colours = palette(heatmap.theme);
    gfx::HeatmapQuad quad{.x = p.rect.x,
                          .y = p.rect.y,
                          .width = p.rect.w,
                          .height = p.rect.h,
                          .columns = dots(heatmap.across(), p.rect.w),
                          .rows = dots(heatmap.down(), p.rect.h),
                          .shares = {}};
    quad.shares = HeatmapReader(heatmap, trace).largest(quad.rows, quad.columns);
    quad.colours = painter.texels(heatmap.map, heatmap.theme);
    quad.masked = floats(colours.sunken);
    quad.hatching = floats(mix(colours.sunken, colours.faint, figure::kHatchOpacity));
    quad.opacity = opacity;
    painter.heatmap_calls_.push_back({std::move(quad), &painter.heatmaps_, figure.width, figure.height, ratio});
    call_back(painter.heatmap_calls_.back());
  }

  void operator()(const PixelsPrimitive& p) const {
    Image image = image_of(p.pixels, trace);
    gfx::PictureQuad quad{.x = p.rect.x,
                          .y = p.rect.y,
                          .width = p.rect.w,
                          .height = p.rect.h,
                          .columns = image.width,
                          .rows = image.height,
                          .rgba = std::move(image.rgba),
                          .opacity = opacity};
    painter.picture_calls_.push_back({std::move(quad), &painter.pictures_, figure.width, figure.height, ratio});
    call_back(painter.picture_calls_.back());
  }

  void operator()(const RibbonPrimitive& p) const { add_ribbon(list, p.ribbon, opacity); }

  void operator()(const LightPrimitive& p) const {
    gfx::LightQuad quad = light_quad(p.light);
    const ImVec4& clip = list._CmdHeader.ClipRect;
    quad.clip = {clip.x, clip.y, clip.z, clip.w};
    painter.light_calls_.push_back({std::move(quad), &painter.lights_, figure.width, figure.height, ratio});
    call_back(painter.light_calls_.back());
  }

  template <class Call>
  void call_back(Call& drawn) const {
    list.AddCallback(
        [](const ImDrawList*, const ImDrawCmd* command) {
          const auto* call = static_cast<const Call*>(command->UserCallbackData);
          const ImVec4& clip = command->ClipRect;
          call->shader->draw(call->quad, {clip.x, clip.y, clip.z, clip.w}, call->width, call->height,
                             call->pixel_ratio);
        },
        &drawn);
  }
};

Painter::Painter(DrawForeign draw_foreign)
    : glyphs_(std::move(draw_foreign)), lights_(light_constants()), style_(std::make_unique<ImDrawListSharedData>()) {
  style_->InitialFlags = ImDrawListFlags_AntiAliasedLines | ImDrawListFlags_AntiAliasedFill;
  style_->CurveTessellationTol = 0.3F;  // CSS pixels
  style_->SetCircleTessellationMaxError(0.1F);
  list_ = std::make_unique<ImDrawList>(style_.get());
}

Painter::~Painter() = default;

const gfx::MapTexels& Painter::texels(ColourMap map, Theme theme) {
  const auto [place, fresh] = texels_.try_emplace({map, theme});
  if (fresh)
    for (int i = 0; i < gfx::kMapColours; ++i) {
      const Colour c = sample(map, static_cast<float>(i) / (gfx::kMapColours - 1), theme);
      const std::uint8_t texel[] = {c.r, c.g, c.b, 255};
      std::ranges::copy(texel, place->second.begin() + 4 * i);
    }
  return place->second;
}

void Painter::paint(const Figure& figure, const Trace& trace, float pixel_ratio) {
  do fill_list(figure, trace, pixel_ratio);
  while (glyphs_.make_room());
  lights_.begin();
  for (LightCall& call : light_calls_) lights_.add_up(call.quad, call.width, call.height, call.pixel_ratio);
  lists_.draw(*list_, figure.width, figure.height, pixel_ratio);
}

void Painter::fill_list(const Figure& figure, const Trace& trace, float pixel_ratio) {
  heatmap_calls_.clear();
  picture_calls_.clear();
  light_calls_.clear();
  style_->ClipRectFullscreen = {0, 0, figure.width, figure.height};
  style_->TexUvWhitePixel = {glyphs_.white(), glyphs_.white()};
  ImDrawList& list = *list_;
  list._ResetForNewFrame();
  list._FringeScale = 1 / pixel_ratio;  // edges are smoothed over one pixel of the screen
  list.PushTextureID(reinterpret_cast<ImTextureID>(static_cast<std::intptr_t>(glyphs_.texture())));
  list.PushClipRectFullScreen();
  Brush brush{*this, figure, trace, list, pixel_ratio};
  for (const Element& element : figure.elements)
    for (const Primitive& primitive : primitives(element, trace)) {
      brush.opacity = primitive.opacity;
      if (primitive.clip)
        list.PushClipRect({primitive.clip->x, primitive.clip->y}, {primitive.clip->right(), primitive.clip->bottom()},
                          true);
      std::visit(brush, primitive.shape);
      if (primitive.clip) list.PopClipRect();
    }
}

}  // namespace limelight::app
