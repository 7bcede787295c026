// Each way from scores to weights as a map: the plane of score gaps, and where it lands on the triangle of three keys.
#include <array>
#include <cmath>

#include "core/normalize.h"
#include "io/numbers.h"
#include "scenes/score/parts.h"

namespace limelight::scenes::score {
namespace {

using Doubles = MatrixOf<double>;

struct Look {
  Normalizer normalizer;
  std::string_view name;
};
constexpr std::array kLooks = {Look{Normalizer::softmax, "softmax"}, Look{Normalizer::entmax15, "1.5-entmax"},
                               Look{Normalizer::sparsemax, "sparsemax"}, Look{Normalizer::hard, "hard"}};
const Look& look_of(Weigher weigher) { return kLooks[static_cast<std::size_t>(weigher)]; }

struct Triangle {
  std::array<Point, kKeys> corners;

  // The first weight is that of key `first`, and so on in turn.
  [[nodiscard]] Point at(const Doubles& weights, Eigen::Index row, int first = 0) const {
    Point p{0, 0};
    for (int j = 0; j < kKeys; ++j) {
      const auto w = static_cast<float>(weights(row, j));
      const Point& corner = corners[static_cast<std::size_t>((first + j) % kKeys)];
      p.x += w * corner.x;
      p.y += w * corner.y;
    }
    return p;
  }
};

// The largest equilateral triangle that hangs from the top of the area.
Triangle triangle_in(Rect area) {
  const float side = std::min(area.w, area.h / std::sqrt(0.75F));
  const float x = area.centre().x - side / 2, height = side * std::sqrt(0.75F);
  const float bottom = area.y + height;
  return {{Point{x, bottom}, Point{x + side, bottom}, Point{x + side / 2, bottom - height}}};
}

std::vector<Point> landing(const Triangle& triangle, const Doubles& weights, int first = 0) {
  std::vector<Point> points(static_cast<std::size_t>(weights.rows()));
  for (std::size_t i = 0; i < points.size(); ++i) points[i] = triangle.at(weights, static_cast<Eigen::Index>(i), first);
  return points;
}

constexpr int kLines = 8;      // on either side of none:
constexpr double kGap = 0.25;  // gaps of a quarter to 2

// Lines on which two keys' scores keep their gap while the third's runs from far below to far above them.
void add_lines(Drawing& d, const std::string& id, const Triangle& triangle, Normalizer normalizer) {
  constexpr int pieces = 64;
  const double temperature = d.state.temperature, reach = kLines * kGap / temperature + 8;
  // Denser in the middle, where the lines bend.
  Doubles scores(pieces + 1, kKeys);
  for (int i = 0; i <= pieces; ++i) scores(i, 0) = reach * std::pow(2. * i / pieces - 1, 3);
  for (int gap = -kLines; gap <= kLines; ++gap) {
    scores.col(1).setConstant(gap * kGap / 2 / temperature);
    scores.col(2).setConstant(-gap * kGap / 2 / temperature);
    const Doubles weights = normalize<double>(normalizer, scores);
    for (int third = 0; third < kKeys; ++third)
      d.figure.add({.id = id + ".line" + std::to_string(third) + "." + std::to_string(gap),
                    .shape = Line{.points = landing(triangle, weights, third),
                                  .colour = gap == 0 ? d.colours.muted.faded(0.8F) : d.colours.accent.faded(0.4F),
                                  .width = gap == 0 ? 1.2F : 1.F}});
  }
}

// Every score vector lands on a corner; the borders tell on which.
void add_borders(Drawing& d, const std::string& id, const Triangle& triangle) {
  const auto& c = triangle.corners;
  const Point centre = triangle.at(Doubles::Constant(1, kKeys, 1. / kKeys), 0);
  for (std::size_t j = 0; j < c.size(); ++j) {
    d.figure.add({.id = id + ".border" + std::to_string(j),
                  .shape = Line{
                      .points = {centre, mix(c[j], c[(j + 1) % kKeys], 0.5F)}, .colour = d.colours.muted, .width = 1}});
    d.figure.add({.id = id + ".corner" + std::to_string(j),
                  .rect = {c[j].x - 4, c[j].y - 4, 8, 8},
                  .shape = Rectangle{.fill = d.colours.accent.faded(0.6F), .radius = 4}});
  }
}

// The same scores at every temperature of the slider.
void add_path(Drawing& d, const std::string& id, const Triangle& triangle, Normalizer normalizer) {
  constexpr int pieces = 120;
  Doubles scores(pieces + 1, kKeys);
  const Doubles z = d.values("z").cast<double>() * d.state.temperature;
  for (int i = 0; i <= pieces; ++i) scores.row(i) = z.row(0) / (0.05 * std::pow(400., static_cast<double>(i) / pieces));
  std::vector<Point> points = landing(triangle, normalize<double>(normalizer, scores));
  // Between the dashes the triangle's side would show, and make one line of them.
  d.figure.add({.id = id + ".path.bed", .shape = Line{.points = points, .colour = d.colours.paper, .width = 4}});
  d.figure.add({.id = id + ".path",
                .shape = Line{.points = std::move(points), .colour = d.colours.ink, .width = 2, .dashed = true}});
}

}  // namespace

std::string_view name_of(Weigher weigher) { return look_of(weigher).name; }

void add_triangle(Drawing& d, Weigher weigher, Rect area) {
  const int row = static_cast<int>(weigher);
  const std::string id = "triangle." + std::to_string(row);
  const Look& look = look_of(weigher);
  add_words(d, id + ".name", {area.x, area.y, area.w, 20}, std::string(look.name),
            {d.colours.ink, type::title, Align::centre});
  const Triangle triangle = triangle_in({area.x + 10, area.y + 40, area.w - 20, area.h - 64});
  const auto& c = triangle.corners;
  d.figure.add({.id = id + ".side",
                .shape = Line{.points = {c[0], c[1], c[2], c[0]}, .colour = d.colours.faint, .width = 1.5F}});
  if (look.normalizer == Normalizer::hard)
    add_borders(d, id, triangle);
  else
    add_lines(d, id, triangle, look.normalizer);
  if (look.normalizer != Normalizer::hard) add_path(d, id, triangle, look.normalizer);

  // The weights' numbers stand at their corners, under the keys' names.
  const Matrix& weights = d.values("weights");
  for (int j = 0; j < kKeys; ++j) {
    const Point corner = c[static_cast<std::size_t>(j)];
    const std::string& name = d.keys[static_cast<std::size_t>(j)];
    const float name_w = text::measure(text::Face::semibold, 12, name);
    const float number_w = text::measure(text::Face::mono, 12, weights(row, j) == 0 ? "0" : "0.000");
    const bool top = j == 2;
    const float middle = area.centre().x + (j == 0 ? -5.F : 5.F);  // the lower two keep clear of each other
    const float width = name_w + 6 + number_w;
    float x = top      ? corner.x - width / 2
              : j == 0 ? std::min(corner.x - 8, middle - width)
                       : std::max(corner.x + 8 - width, middle);
    x = std::clamp(x, area.x, area.right() - width);
    const float y = top ? corner.y - 21 : corner.y + 6;
    add_words(d, id + ".key" + std::to_string(j), {x, y, name_w + 1, 16}, name, {d.colours.key, type::name});
    add_number(d, {"weights", row, j}, {x + name_w + 6, y, number_w + 1, 16},
               {.decimals = 3, .size = 12, .align = Align::left, .weight = true});
  }
  const Point here = triangle.at(weights.cast<double>(), row);
  const int best = winner(weights, row);
  d.figure.add(
      {.id = id + ".here",
       .role = Role::cell,
       .rect = {here.x - 6, here.y - 6, 12, 12},
       .label = std::string(look.name) + " lands here: " + d.keys[static_cast<std::size_t>(best)] + " " +
                io::format_percent(static_cast<double>(weights(row, best))),
       .source = Source{"weights", row, best},
       .shape = Rectangle{.fill = d.colours.ink, .stroke = d.colours.paper, .stroke_width = 1.5F, .radius = 6}});
}

}  // namespace limelight::scenes::score
