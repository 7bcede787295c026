#include "scenes/caption/paint.h"

#include <algorithm>
#include <ranges>

#include "io/numbers.h"
#include "io/utf8.h"

namespace limelight::scenes::caption {
namespace {

using learn::pictures::kSide;

// From a point to the line between two others, squared.
double distance(double x, double y, Stroke::At from, Stroke::At to) {
  const double dx = to.x - from.x, dy = to.y - from.y, length = dx * dx + dy * dy;
  const double along = length > 0 ? std::clamp(((x - from.x) * dx + (y - from.y) * dy) / length, 0.0, 1.0) : 0;
  const double off_x = x - from.x - along * dx, off_y = y - from.y - along * dy;
  return off_x * off_x + off_y * off_y;
}

void paint_line(Matrix& picture, const Stroke& stroke, Stroke::At from, Stroke::At to) {
  const double reach = stroke.width / 2.0;
  const figure::Colour ink = colour_of(stroke.ink);
  const int far = stroke.width / 2 + 1;
  for (int y = std::max(std::min(from.y, to.y) - far, 0); y < std::min(std::max(from.y, to.y) + far, kSide); ++y)
    for (int x = std::max(std::min(from.x, to.x) - far, 0); x < std::min(std::max(from.x, to.x) + far, kSide); ++x)
      if (distance(x + 0.5, y + 0.5, from, to) <= reach * reach)
        picture.row(y * kSide + x) << static_cast<float>(ink.r) / 255, static_cast<float>(ink.g) / 255,
            static_cast<float>(ink.b) / 255;
}

std::optional<int> read_whole(std::string_view text, int least, int most) {
  const Result<int> number = io::parse_integer(text);
  return number && *number >= least && *number <= most ? std::optional(*number) : std::nullopt;
}

Error not_a_stroke(const std::string& part) {
  return {io::quote(part) + " is no stroke of a brush, as in \"red 5 10,20 12,24\": a colour, a width from 1 to " +
          std::to_string(kWidest) + ", and points from 0,0 to " + std::to_string(kSide) + "," + std::to_string(kSide) +
          ". A colour is " + io::one_of(kInks | std::views::transform(&io::Choice::value)) + "."};
}

Result<Stroke> read_stroke(const std::string& part) {
  std::vector<std::string> words;
  for (const auto word : std::views::split(part, ' ')) words.emplace_back(std::string_view(word));
  const auto* const ink = std::ranges::find(kInks, words.front(), &io::Choice::value);
  const auto width = words.size() > 1 ? read_whole(words[1], 1, kWidest) : std::nullopt;
  if (ink == std::end(kInks) || !width || words.size() < 3) return std::unexpected(not_a_stroke(part));
  Stroke stroke{.ink = static_cast<Ink>(ink - std::begin(kInks)), .width = *width};
  for (const std::string_view point : words | std::views::drop(2)) {
    const std::size_t comma = std::min(point.find(','), point.size());
    const auto x = read_whole(point.substr(0, comma), 0, kSide);
    const auto y = comma < point.size() ? read_whole(point.substr(comma + 1), 0, kSide) : std::nullopt;
    if (!x || !y) return std::unexpected(not_a_stroke(part));
    stroke.points.push_back({*x, *y});
  }
  return stroke;
}

}  // namespace

std::string write(const std::vector<Stroke>& strokes) {
  std::string text;
  for (const Stroke& stroke : strokes) {
    text += (text.empty() ? "" : "; ") + std::string(kInks[static_cast<int>(stroke.ink)].value) + " " +
            std::to_string(stroke.width);
    for (const auto& [x, y] : stroke.points) text += " " + std::to_string(x) + "," + std::to_string(y);
  }
  return text;
}

Result<std::vector<Stroke>> read_strokes(std::string_view text) {
  std::vector<Stroke> strokes;
  for (const auto between : std::views::split(text, ';')) {
    const std::string part = io::normalise_spaces(std::string_view(between));
    if (part.empty()) continue;
    Result<Stroke> stroke = read_stroke(part);
    if (!stroke) return std::unexpected(stroke.error());
    strokes.push_back(std::move(*stroke));
  }
  return strokes;
}

void paint_over(Matrix& picture, const std::vector<Stroke>& strokes) {
  for (const Stroke& stroke : strokes)
    for (std::size_t i = 0; i < stroke.points.size(); ++i)
      paint_line(picture, stroke, stroke.points[i > 0 ? i - 1 : 0], stroke.points[i]);
}

figure::Colour colour_of(Ink ink) {
  if (ink == Ink::black) return {0, 0, 0};
  if (ink == Ink::white) return {255, 255, 255};
  const auto rgb = learn::pictures::rgb_of(static_cast<learn::pictures::Colour>(ink));
  return {rgb[0], rgb[1], rgb[2]};
}

}  // namespace limelight::scenes::caption
