#include "figure/canvas.h"

#include <algorithm>
#include <array>
#include <numbers>
#include <utility>

namespace limelight::figure {
namespace {

constexpr float kCurveFlatness = 0.1F;  // how far a chord may stray from its curve
constexpr float kCircleFlatness = 0.03F;
constexpr float kFaintest = 1.F / 512;  // coverage that no 8-bit channel shows

float* row_of(Canvas& canvas, int y) {
  return canvas.coverage.data() + static_cast<std::size_t>(y) * (static_cast<std::size_t>(canvas.image.width) + 2);
}

std::uint8_t* pixel_at(Canvas& canvas, int x, int y) {
  const std::size_t before =
      static_cast<std::size_t>(y) * static_cast<std::size_t>(canvas.image.width) + static_cast<std::size_t>(x);
  return canvas.image.rgba.data() + before * 4;
}

// Source over destination, in sRGB; alpha is not premultiplied.
void blend(std::uint8_t* pixel, Colour colour, float coverage) {
  const float alpha = coverage * static_cast<float>(colour.a) / 255;
  if (alpha < kFaintest) return;
  float share = alpha;  // of the new colour in the mixture
  if (pixel[3] != 255) {
    const float total = alpha + static_cast<float>(pixel[3]) / 255 * (1 - alpha);
    share = alpha / total;
    pixel[3] = static_cast<std::uint8_t>(std::min(total, 1.0F) * 255 + 0.5F);
  }
  const auto mixed = [share](std::uint8_t below, std::uint8_t above) {
    const auto old = static_cast<float>(below);
    return static_cast<std::uint8_t>(old + (static_cast<float>(above) - old) * share + 0.5F);
  };
  pixel[0] = mixed(pixel[0], colour.r);
  pixel[1] = mixed(pixel[1], colour.g);
  pixel[2] = mixed(pixel[2], colour.b);
}

void begin(Canvas& canvas) {
  canvas.first_row = canvas.image.height;
  canvas.end_row = canvas.image.height;
}

void touch(Canvas& canvas, int y, int first, int end) {
  const Canvas::Columns none{canvas.image.width + 2, 0};
  if (canvas.first_row == canvas.end_row) canvas.first_row = canvas.end_row = y;
  while (canvas.first_row > y) canvas.touched[static_cast<std::size_t>(--canvas.first_row)] = none;
  while (canvas.end_row <= y) canvas.touched[static_cast<std::size_t>(canvas.end_row++)] = none;
  Canvas::Columns& columns = canvas.touched[static_cast<std::size_t>(y)];
  columns.first = std::min(columns.first, first);
  columns.end = std::max(columns.end, end);
}

// What the canvas holds of a shape: its coverage, or the differences whose running sum along the row is the coverage.
enum class Held { coverage, differences };

// Paints what is held and leaves nothing behind.
void paint_held(Canvas& canvas, Held held, const Ink& ink, const Box& clip) {
  for (int y = canvas.first_row; y < canvas.end_row; ++y) {
    const Canvas::Columns columns = canvas.touched[static_cast<std::size_t>(y)];
    const auto colour = [&](int x) {
      return colour_at(ink.stops, ink.course.share({static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F}));
    };
    const bool changes = ink.stops.size() > 1;
    const bool changes_along = changes && ink.course.from.x != ink.course.to.x;
    Colour c = changes ? colour(0) : ink.stops.front().colour;
    float* row = row_of(canvas, y);
    std::uint8_t* pixels = pixel_at(canvas, 0, y);
    const float through = overlap(y, clip.y0, clip.y1);
    float sum = 0;
    for (int x = columns.first; x < columns.end; ++x) {
      const float value = std::exchange(row[x], 0.0F);
      sum = held == Held::differences ? sum + value : value;
      const float coverage = std::min(std::abs(sum), 1.0F) * through;
      if (coverage < kFaintest || x >= canvas.image.width) continue;
      if (changes_along) c = colour(x);
      blend(pixels + 4 * static_cast<std::size_t>(x), c, coverage * overlap(x, clip.x0, clip.x1));
    }
  }
}

// ---- filling: the signed-area method of font-rs and stb_truetype --------------------------------

// One row's part of an edge, from x_from to x_to while going `dy` down. Each pixel gets the area to the right of the
// edge, less what the pixel before it had.
void add_to_row(float* row, float x_from, float x_to, float dy) {
  const float left = std::min(x_from, x_to);
  const float right = std::max(x_from, x_to);
  const int first = static_cast<int>(left);
  const int last = static_cast<int>(std::ceil(right));
  if (last <= first + 1) {
    const float inside = (left + right) / 2 - static_cast<float>(first);
    row[first] += dy * (1 - inside);
    row[first + 1] += dy * inside;
    return;
  }
  float before = 0;  // the area in the pixel before
  float passed = 0;  // the share of the edge to the left of this pixel
  for (int x = first; x < last; ++x) {
    const float from = std::max(left, static_cast<float>(x));
    const float to = std::min(right, static_cast<float>(x + 1));
    const float share = (to - from) / (right - left);
    const float area = passed + share * (static_cast<float>(x + 1) - (from + to) / 2);
    row[x] += dy * (area - before);
    before = area;
    passed += share;
  }
  row[last] += dy * (1 - before);
}

void add_edge(Canvas& canvas, Point a, Point b) {
  const auto width = static_cast<float>(canvas.image.width);
  for (const float side : {0.0F, width}) {  // what lies beyond a side counts at the side
    if ((a.x < side && b.x > side) || (a.x > side && b.x < side)) {
      const Point cut{side, a.y + (b.y - a.y) * (side - a.x) / (b.x - a.x)};
      add_edge(canvas, a, cut);
      add_edge(canvas, cut, b);
      return;
    }
  }
  if (a.y == b.y) return;
  const float direction = a.y < b.y ? 1.0F : -1.0F;
  if (a.y > b.y) std::swap(a, b);
  const float dx_dy = (b.x - a.x) / (b.y - a.y);
  const int end = ceil_within(b.y, canvas.image.height);
  for (int y = floor_within(a.y, canvas.image.height); y < end; ++y) {
    const float from = std::max(static_cast<float>(y), a.y);
    const float to = std::min(static_cast<float>(y + 1), b.y);
    if (to <= from) continue;
    const float x_from = std::clamp(a.x + (from - a.y) * dx_dy, 0.0F, width);
    const float x_to = std::clamp(a.x + (to - a.y) * dx_dy, 0.0F, width);
    touch(canvas, y, static_cast<int>(std::min(x_from, x_to)), static_cast<int>(std::ceil(std::max(x_from, x_to))) + 2);
    add_to_row(row_of(canvas, y), x_from, x_to, direction * (to - from));
  }
}

// ---- stroking: coverage by distance -------------------------------------------------------------

struct Piece {
  Point from, to;
  bool starts = true;  // here the line ends, cut off square; inside a line pieces turn round
  bool ends = true;
};

// Where pieces meet the larger coverage counts, so that no joint is darker than the line.
void add_piece(Canvas& canvas, const Piece& piece, float width) {
  const Point along{piece.to.x - piece.from.x, piece.to.y - piece.from.y};
  const float size = std::hypot(along.x, along.y);
  const Point unit = size > 0 ? Point{along.x / size, along.y / size} : Point{1, 0};
  const PixelEdge side = pixel_edge(unit);  // a pixel is as wide along its edge's normal as along the edge
  const float half = width / 2;
  const float reach = half + side.reach;
  const int end = ceil_within(std::max(piece.from.y, piece.to.y) + reach, canvas.image.height);
  for (int y = floor_within(std::min(piece.from.y, piece.to.y) - reach, canvas.image.height); y < end; ++y) {
    const float py = static_cast<float>(y) + 0.5F - piece.from.y;
    float x0 = std::min(piece.from.x, piece.to.x) - reach;
    float x1 = std::max(piece.from.x, piece.to.x) + reach;
    if (std::abs(unit.y) > 1e-3F) {  // only near the line's place in this row
      const float middle = piece.from.x + py * unit.x / unit.y;
      const float spread = reach / std::abs(unit.y);
      x0 = std::max(x0, middle - spread);
      x1 = std::min(x1, middle + spread);
    }
    const int first_x = floor_within(x0, canvas.image.width);
    const int end_x = ceil_within(x1, canvas.image.width);
    if (first_x >= end_x) continue;
    touch(canvas, y, first_x, end_x);
    float* row = row_of(canvas, y);
    for (int x = first_x; x < end_x; ++x) {
      const float px = static_cast<float>(x) + 0.5F - piece.from.x;
      const float t = px * unit.x + py * unit.y;
      const float beside = px * unit.y - py * unit.x;
      float distance = std::abs(beside);
      if (t < 0 && !piece.starts) distance = std::sqrt(beside * beside + t * t);
      if (t > size && !piece.ends) distance = std::sqrt(beside * beside + (t - size) * (t - size));
      float coverage = side.behind(distance - half) - side.behind(distance + half);
      if (piece.starts) coverage *= side.behind(-t);
      if (piece.ends) coverage *= side.behind(t - size);
      row[x] = std::max(row[x], coverage);
    }
  }
}

// Chords of a circle's quarter.
int quarter_chords(float radius) {
  if (radius <= kCircleFlatness) return 1;
  const float angle = 2 * std::acos(1 - kCircleFlatness / radius);
  return std::clamp(static_cast<int>(std::ceil(std::numbers::pi_v<float> / 2 / angle)), 2, 64);
}

}  // namespace

Canvas make_canvas(int width, int height, Colour background, Colour background_to) {
  const auto columns = static_cast<std::size_t>(width);
  const auto rows = static_cast<std::size_t>(height);
  Canvas canvas;
  canvas.image = {.width = width, .height = height, .rgba = std::vector<std::uint8_t>(columns * rows * 4)};
  for (std::size_t y = 0; y < rows; ++y) {
    const Colour c = mix(background, background_to, (static_cast<float>(y) + 0.5F) / static_cast<float>(rows));
    const std::array<std::uint8_t, 4> channels = {c.r, c.g, c.b, c.a};
    for (std::size_t i = 0; i < columns * 4; ++i) canvas.image.rgba[y * columns * 4 + i] = channels[i % 4];
  }
  canvas.coverage.resize((columns + 2) * rows);
  canvas.touched.resize(rows);
  return canvas;
}

void blend_pixel(Canvas& canvas, int x, int y, Colour colour, float coverage, const Box& clip) {
  const float through = overlap(x, clip.x0, clip.x1) * overlap(y, clip.y0, clip.y1);
  blend(pixel_at(canvas, x, y), colour, coverage * through);
}

void fill(Canvas& canvas, std::span<const Path> paths, const Ink& ink, const Box& clip) {
  begin(canvas);
  for (const Path& path : paths) {
    for (std::size_t i = 0; i < path.size(); ++i) add_edge(canvas, path[i], path[(i + 1) % path.size()]);
  }
  paint_held(canvas, Held::differences, ink, clip);
}

void stroke(Canvas& canvas, std::span<const Path> paths, float width, Colour colour, const Box& clip) {
  begin(canvas);
  for (const Path& path : paths) {
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
      add_piece(canvas, {.from = path[i], .to = path[i + 1], .starts = i == 0, .ends = i + 2 == path.size()}, width);
    }
  }
  paint_held(canvas, Held::coverage, plain_ink(colour), clip);
}

Path rounded(const Box& box, float radius, Turn turn) {
  radius = std::max(0.0F, std::min({radius, (box.x1 - box.x0) / 2, (box.y1 - box.y0) / 2}));
  Path path;
  if (radius == 0) {
    path = {{box.x0, box.y0}, {box.x1, box.y0}, {box.x1, box.y1}, {box.x0, box.y1}};
  } else {
    const std::array<Point, 4> centres = {{{box.x1 - radius, box.y0 + radius},
                                           {box.x1 - radius, box.y1 - radius},
                                           {box.x0 + radius, box.y1 - radius},
                                           {box.x0 + radius, box.y0 + radius}}};
    const int chords = quarter_chords(radius);
    for (std::size_t corner = 0; corner < centres.size(); ++corner) {
      for (int i = 0; i <= chords; ++i) {
        const float quarters = static_cast<float>(corner) - 1 + static_cast<float>(i) / static_cast<float>(chords);
        const float angle = quarters * std::numbers::pi_v<float> / 2;
        path.push_back({centres[corner].x + radius * std::cos(angle), centres[corner].y + radius * std::sin(angle)});
      }
    }
  }
  if (turn == Turn::hole) std::ranges::reverse(path);
  return path;
}

Path flatten(const Curve& curve) {
  const auto bend = [](Point a, Point b, Point c) { return std::hypot(a.x - 2 * b.x + c.x, a.y - 2 * b.y + c.y); };
  const float most = std::max(bend(curve.from, curve.control_from, curve.control_to),
                              bend(curve.control_from, curve.control_to, curve.to));
  // A chord strays by at most |B''| / 8n², and |B''| is at most 6 bends.
  const int count = static_cast<int>(std::ceil(std::sqrt(std::min(0.75F * most / kCurveFlatness, 1e6F)))) + 1;
  Path path;
  for (int i = 0; i <= count; ++i) {
    const float t = static_cast<float>(i) / static_cast<float>(count);
    const Point a = mix(curve.from, curve.control_from, t);
    const Point b = mix(curve.control_from, curve.control_to, t);
    const Point c = mix(curve.control_to, curve.to, t);
    path.push_back(mix(mix(a, b, t), mix(b, c, t), t));
  }
  return path;
}

std::vector<Path> dashes(const Path& path, float on, float off) {
  std::vector<Path> parts;
  if (path.empty()) return parts;
  parts.push_back({path.front()});
  bool drawing = true;
  float left = on;  // until the pen is lifted or put down
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    const float size = std::hypot(path[i + 1].x - path[i].x, path[i + 1].y - path[i].y);
    float at = 0;
    while (size - at > left) {
      at += left;
      const Point p = mix(path[i], path[i + 1], at / size);
      if (drawing) {
        parts.back().push_back(p);
      } else {
        parts.push_back({p});
      }
      drawing = !drawing;
      left = drawing ? on : off;
    }
    left -= size - at;
    if (drawing) parts.back().push_back(path[i + 1]);
  }
  return parts;
}

}  // namespace limelight::figure
