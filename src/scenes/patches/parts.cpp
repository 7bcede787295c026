#include "scenes/patches/parts.h"

#include <cmath>
#include <numbers>

#include "figure/panels.h"
#include "io/numbers.h"
#include "scenes/common/explain.h"

namespace limelight::scenes::patches {

using namespace figure;

namespace {

constexpr float kLimit = 3;  // standard deviations at the ends of the colours

float largest(const Tensor& tensor) { return tensor.values.cwiseAbs().maxCoeff(); }

// The light over the cells of a square that is cut into as many.
Rect cell_of(const Drawing& d, Rect square, int patch) {
  const float side = square.w / static_cast<float>(d.cut.grid);
  return {square.x + side * static_cast<float>(patch % d.cut.grid),
          square.y + side * static_cast<float>(patch / d.cut.grid), side, side};
}

void add_lines(Drawing& d, const std::string& id, Rect square) {
  const float side = square.w / static_cast<float>(d.cut.grid);
  for (int i = 1; i < d.cut.grid; ++i) {
    const float at = side * static_cast<float>(i);
    for (const bool upright : {false, true}) {
      const Point from = upright ? Point{square.x + at, square.y} : Point{square.x, square.y + at};
      const Point to = upright ? Point{square.x + at, square.bottom()} : Point{square.right(), square.y + at};
      for (const bool dark : {true, false})
        d.figure.add({.id = id + (upright ? ".column." : ".row.") + std::to_string(i) + (dark ? ".rim" : ""),
                      .shape = Line{.points = {from, to},
                                    .colour = dark ? Colour{0, 0, 0, 110} : Colour{255, 255, 255, 170},
                                    .width = dark ? 2.F : 1.F}});
    }
  }
}

// What the colours mean, below a square.
void add_bar(Drawing& d, const std::string& id, Rect square, ColourMap map, float low, float high) {
  const float width = std::min(200.F, square.w - 40);
  d.figure.add(
      {.id = id + ".bar",
       .rect = {square.right() - width - 16, square.bottom() + 10, width, kColourBarSize},
       .shape = ColourBar{.map = map, .low = low, .high = high, .ink = d.colours.muted, .theme = d.view.theme}});
}

}  // namespace

void add_map(Drawing& d, const std::string& id, Rect square, const Map& map) {
  Pixels pixels{.tensor = map.pixels, .width = d.cut.side};
  if (!map.light.empty()) {
    pixels.light = {map.light, 0, 0, d.cut.grid, d.cut.grid};
    pixels.light_across = d.cut.grid;
  }
  d.figure.add({.id = id + ".pixels", .rect = square, .label = map.label, .shape = std::move(pixels)});
  if (map.lines) add_lines(d, id + ".line", square);
  const bool again = d.figure.find(map.grid) != nullptr;
  d.figure.add({.id = again ? map.grid + "#2" : map.grid,
                .role = Role::cell,
                .rect = square,
                .label = map.grid == "index" ? "The patches’ numbers"
                         : map.grid == "s"   ? "Scores of " + place_of(d.query, d.cut.grid)
                                             : "Weights of " + place_of(d.query, d.cut.grid),
                .shape = MatrixCells{.range = {map.grid, 0, 0, d.cut.grid, d.cut.grid}, .gap = 0},
                .opacity = 0});
  add_ring(d.figure, id + ".query", cell_of(d, square, d.query), d.colours.query, 3);
  const std::optional<Source> focus = parse_cell_id(d.view.focus());
  if (!focus || focus->tensor != map.grid) return;
  const int patch = focus->row * d.cut.grid + focus->column;
  if (patch != d.query && patch < d.cut.patches())
    add_ring(d.figure, id + ".focus", cell_of(d, square, patch), d.colours.ink);
}

void add_enlarged(Drawing& d, const std::string& id, Rect rect, const std::string& tensor, const std::string& label) {
  d.figure.add({.id = id, .rect = rect, .label = label, .shape = Pixels{.tensor = tensor, .width = d.cut.patch()}});
}

float add_features(Drawing& d, Rect area) {
  constexpr float kRow = 20, kBetween = 8;
  const float name = 58, number = std::min(84.F, (area.w - name) / 2 - 6);
  const float first = area.x + name, second = first + number + 8;
  float y = area.y;
  add_words(d, "features.raw", {first, y}, number, "as it is", {d.colours.muted, type::caption, Align::centre});
  add_words(d, "features.standardised", {second, y}, number, "standardised",
            {d.colours.muted, type::caption, Align::centre});
  y += 20;
  for (const Group& group : kGroups) {
    const std::string of(group.name);
    const float height = kRow * static_cast<float>(group.count);
    const double share = d.state.shares().of(group.first);
    const auto all = d.trace.at("features").values.middleCols(group.first, group.count);
    for (int i = 0; i < group.count; ++i)
      add_words(d, "features.name." + std::to_string(group.first + i), {area.x, y + kRow * static_cast<float>(i) + 1},
                name - 6, std::string(kFeatureNames[static_cast<std::size_t>(group.first + i)]),
                {share > 0 ? d.colours.ink : d.colours.muted});
    d.figure.add({.id = "features." + of,
                  .role = Role::cell,
                  .rect = {first, y, number, height},
                  .label = "The patch’s " + of,
                  .shape = MatrixCells{.range = {"features", d.query, group.first, 1, group.count},
                                       .gap = 2,
                                       .radius = 3,
                                       .text_size = 12,
                                       .decimals = group.name == "place" ? 0 : 3,
                                       .tint = d.colours.input_fill,
                                       .largest = all.cwiseAbs().maxCoeff(),
                                       .theme = d.view.theme,
                                       .transposed = true}});
    // Transposed, one row runs down.
    d.figure.add({.id = "X." + of,
                  .role = Role::cell,
                  .rect = {second, y, number, height},
                  .label = "The patch’s " + of + ", standardised",
                  .shape = Heatmap{.range = {"X", d.query, group.first, 1, group.count},
                                   .map = ColourMap::diverging,
                                   .low = -kLimit,
                                   .high = kLimit,
                                   .gap = 2,
                                   .text_size = 12,
                                   .decimals = 2,
                                   .theme = d.view.theme,
                                   .transposed = true}});
    const float beside = second + number + 12;
    if (area.right() - beside > 70)
      add_paragraph(d.figure, "features.group." + of,
                    "**" + of + "**" + (share > 0 ? " × √" + brief(share) : ", left out"), {beside, y},
                    area.right() - beside, 12, d.colours.muted, d.colours.ink);
    y += height + kBetween;
  }
  const std::optional<Source> focus = parse_cell_id(d.view.focus());
  if (focus && (focus->tensor == "features" || focus->tensor == "X"))
    for (const char* tensor : {"features", "X"}) add_outline(d.figure, tensor, d.query, focus->column, d.colours.ink);
  return y;
}

void add_rose(Drawing& d, Rect square) {
  const Matrix votes = d.trace.at("features").values.middleCols(kGroups[1].first, kOrientations);
  const float most = std::max({votes.row(d.query).maxCoeff(), votes.maxCoeff() / 4, 1e-6F});
  const Point middle = square.centre();
  const float radius = square.w / 2;
  d.figure.add({.id = "rose",
                .rect = square,
                .label = "Orientations of the patch’s edges",
                .shape = Rectangle{.fill = d.colours.sunken, .radius = radius}});
  for (int i = 0; i < kOrientations; ++i) {
    const float angle = std::numbers::pi_v<float> * static_cast<float>(i) / kOrientations;
    const float length = radius * 0.92F * votes(d.query, i) / most;
    if (length < 0.5F) continue;
    const Point along{std::cos(angle) * length, -std::sin(angle) * length};
    d.figure.add(
        {.id = "rose." + std::to_string(i),
         .shape = Line{.points = {{middle.x - along.x, middle.y - along.y}, {middle.x + along.x, middle.y + along.y}},
                       .colour = d.colours.input,
                       .width = 3}});
  }
  d.figure.add({.id = "rose.middle",
                .rect = {middle.x - 2.5F, middle.y - 2.5F, 5, 5},
                .shape = Rectangle{.fill = d.colours.muted, .radius = 2.5F}});
}

void add_scores(Drawing& d, Rect square) {
  const float limit = std::max(largest(d.trace.at("s")), 1e-3F);
  d.figure.add({.id = "s",
                .role = Role::cell,
                .rect = square,
                .label = "Scores of the patch with all patches",
                .shape = Heatmap{.range = {"s", 0, 0, d.cut.grid, d.cut.grid},
                                 .map = ColourMap::diverging,
                                 .low = -limit,
                                 .high = limit,
                                 .gap = 1,
                                 .text_size = square.w / static_cast<float>(d.cut.grid) >= 30 ? 11.F : 0.F,
                                 .decimals = d.cut.grid > 8 ? 1 : 2,
                                 .theme = d.view.theme}});
  add_bar(d, "s", square, ColourMap::diverging, -limit, limit);
  add_ring(d.figure, "s.query", cell_of(d, square, d.query), d.colours.query, 3);
  const std::optional<Source> focus = parse_cell_id(d.view.focus());
  if (focus && focus->tensor == "s") add_outline(d.figure, "s", focus->row, focus->column, d.colours.ink);
}

void add_matrix(Drawing& d, Rect square) {
  const Tensor& weights = d.trace.at("weights");
  const Zoom& zoom = d.view.zoom;
  const bool zoomed = zoom.tensor == "weights" && zoom.rows > 0;
  const CellRange range = zoomed ? CellRange{"weights", zoom.row, zoom.column, zoom.rows, zoom.columns}
                                 : CellRange{"weights", 0, 0, weights.rows(), weights.columns()};
  const float cell = square.w / static_cast<float>(std::max(range.columns, 1));
  const float high = largest(weights);
  d.figure.add({.id = "weights",
                .role = Role::cell,
                .rect = square,
                .label = "weights",
                .shape = Heatmap{.range = range,
                                 .low = 0,
                                 .high = high,
                                 .gap = 1,
                                 .text_size = cell >= 38 ? 10.F : 0.F,
                                 .theme = d.view.theme,
                                 .zooms = true}});
  add_bar(d, "weights", square, ColourMap::viridis, 0, high);
  if (d.query >= range.row && d.query < range.row + range.rows)
    add_outline(d.figure, "weights", d.query, -1, d.colours.query);
  const std::optional<Source> focus = parse_cell_id(d.view.focus());
  if (focus && focus->tensor == "weights") add_outline(d.figure, "weights", focus->row, focus->column, d.colours.ink);
  if (focus && focus->tensor == "a")
    add_outline(d.figure, "weights", d.query, focus->row * d.cut.grid + focus->column, d.colours.ink);
}

float add_mixture(Drawing& d, Rect area) {
  const Tensor& shares = d.trace.at("shares");
  constexpr float kMore = 62;
  const int count = shares.columns();
  const auto seen = static_cast<int>((d.trace.at("weights").values.row(d.query).array() > 0).count());
  const float side = std::min((area.w - kMore) / (kParts + 1), 64.F), width = side * static_cast<float>(count);
  d.figure.add({.id = "parts.pixels",
                .rect = {area.x, area.y, width, side},
                .label = "The patches of the largest weights",
                .shape = Pixels{.tensor = "parts", .width = count * d.cut.patch()}});
  for (int part = 0; part < count; ++part) {
    const float x = area.x + side * static_cast<float>(part);
    if (part > 0)
      d.figure.add({.id = "parts.line." + std::to_string(part),
                    .shape = Line{.points = {{x, area.y}, {x, area.y + side}}, .colour = d.colours.paper, .width = 3}});
    add_number(d, {"shares", 0, part}, {x + 3, area.y + side + 6},
               io::format_percent(static_cast<double>(shares.values(0, part))), d.colours.ink,
               "parts.share." + std::to_string(part));
  }
  add_words(d, "parts.more", {area.x + width, area.y + side / 2 - 9}, kMore,
            seen > count ? "+ " + std::to_string(seen - count) + " =" : "=",
            {d.colours.muted, type::body, Align::centre});
  add_enlarged(d, "parts.result", {area.x + width + kMore, area.y, side, side}, "result",
               "What the patch is replaced by");
  return area.y + side + 28;
}

float add_own(Drawing& d, Point at, float width) {
  constexpr float kPad = 16;
  const bool named = d.state.is_photo() && !d.state.own.empty() && !has_picture(d.trace);
  const std::size_t card = d.figure.elements.size();
  d.figure.add({.id = "own.card"});
  float y = at.y + kPad;
  if (named)
    y += add_paragraph(
             d.figure, "own.missing",
             "**This picture is not here.** A link holds no picture: whoever made this one kept theirs. After a "
             "reload it is back only in the same tab.",
             {at.x + kPad, y}, width - 2 * kPad, 13, d.colours.warning, d.colours.warning) +
         10;
  y += add_paragraph(d.figure, "own.words",
                     "**Give a picture of your own:** drop it anywhere on this page, paste it, or choose a file.",
                     {at.x + kPad, y}, width - 2 * kPad, 14, d.colours.ink, d.colours.ink) +
       12;
  const Rect button{at.x + kPad, y, std::min(160.F, width - 2 * kPad), d.press_height()};
  d.figure.add({.id = "own.choose",
                .role = Role::button,
                .rect = button,
                .label = "Choose a picture of your own",
                .edit = Edit{.field = "do", .value = "picture_file"},
                .shape = Rectangle{.fill = d.colours.accent, .radius = 6}});
  d.figure.add({.id = "own.choose.text",
                .rect = button,
                .shape = Text{.text = "Choose a file …",
                              .face = text::Face::semibold,
                              .size = 13,
                              .colour = d.colours.on_accent,
                              .align = Align::centre}});
  y = button.bottom() + 12;
  y +=
      add_paragraph(d.figure, "own.fate",
                    "Its middle square becomes " + std::to_string(kPicture.side) + "×" + std::to_string(kPicture.side) +
                        " pixels. It **never leaves your machine**: it is sent nowhere, no link holds it, and this tab "
                        "forgets it when it is closed.",
                    {at.x + kPad, y}, width - 2 * kPad, 12, d.colours.muted, d.colours.ink) +
      kPad;
  mark_furniture(d.figure, card);
  d.figure.elements[card].rect = {at.x, at.y, width, y - at.y};
  d.figure.elements[card].shape =
      Rectangle{.fill = d.colours.surface, .stroke = d.colours.hairline, .stroke_width = 1, .radius = 10};
  return y;
}

}  // namespace limelight::scenes::patches
