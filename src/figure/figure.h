// A drawing as data. Nothing here knows how it is painted: a window, an SVG, a PNG and a screen reader all read the
// same elements. Lengths are CSS pixels, y points down.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/trace.h"
#include "figure/colour.h"
#include "figure/formula.h"
#include "figure/geometry.h"
#include "text/font.h"

namespace limelight::figure {

// The number that an element shows.
struct Source {
  std::string tensor{};
  int row = 0;
  int column = 0;
  bool operator==(const Source&) const = default;
};

// What typing, dragging or clicking there changes: a field of the state, and the value that a click sets (empty: the
// element is dragged or typed into). A cell of a matrix is edited as "row.column:value" of the field named like its
// tensor.
struct Edit {
  std::string field{};
  std::string value{};
  // Dragging the element moves a point: cells row.0 and row.1 of the field become what the frame's axes say there. A
  // click on it sets the value, if there is one.
  struct Plane {
    Rect frame{};
    double x_low = 0, x_high = 1;  // at the frame's left and right edge
    double y_low = 0, y_high = 1;  // at its bottom and top edge
    int row = 0;
    bool at_once = false;  // the point is where it is pressed already, as a brush is
  };
  std::optional<Plane> plane{};
  // Dragging the element onto another one of the same field, an order, moves it from its place to that one's; where the
  // field is the step, it follows the pointer and leads to that one's.
  std::optional<int> place{};
};

// What an element is to a reader; the mirror and the cursor follow it.
enum class Role { none, button, toggle, slider, text_input, cell, token, handle, link, image };
std::string_view name_of(Role role);  // "text_input"

enum class Align { left, centre, right };

// ---- kinds
// -----------------------------------------------------------------------------------------------------------

struct Rectangle {
  Colour fill{0, 0, 0, 0};
  Colour stroke{0, 0, 0, 0};
  float stroke_width = 1;
  float radius = 0;
};

// One line of text, its baseline placed so that capitals stand in the middle of the element's rect.
struct Text {
  std::string text{};
  text::Face face = text::Face::regular;
  float size = 13;
  Colour colour{};
  Align align = Align::left;
  bool vertical = false;  // read from bottom to top; centred across the rect, `align` along it
  float drawn_at = 0;     // while it grows or shrinks: the size whose glyphs are scaled; 0: its own
};

// Set so that the formula stands in the middle of the rect's height, from its left edge; broken into lines (set_lines)
// when it is wider than the rect.
struct FormulaBox {
  Formula formula{};
  float size = 16;
  Colour colour{};
};

struct Line {
  std::vector<Point> points{};
  Colour colour{};
  float width = 1;
  bool dashed = false;
};

// A cubic Bézier curve.
struct Curve {
  Point from{}, control_from{}, control_to{}, to{};
  Colour colour{};
  float width = 1;
};

struct Arrow {
  Point from{}, to{};
  Colour colour{};
  float width = 1.5F;
};

// A filled convex or concave polygon without holes; the fill runs from `fill` at the top to `fill_to` at the bottom.
struct Area {
  std::vector<Point> points{};
  Colour fill{};
  Colour fill_to{};
};

// A band between two lines of equally many points, its colour changing from their first points to their last.
struct Ribbon {
  struct Stop {
    float at = 0;  // share of the way, from 0 to 1
    Colour colour{};
  };
  std::vector<Point> one{}, other{};
  std::vector<Stop> stops{};  // two to five, in order
};

// Light that falls: all beams and glows of an element add up and are toned once (figure/light.h has the formulas), over
// what was painted before them.
struct Light {
  // From a lamp's mouth to where it falls, along a cubic; straight where the control points lie on the line.
  struct Beam {
    Point from{}, control_from{}, control_to{}, to{};
    float half_from = 0, half_to = 0;  // half its width at the mouth and where it falls
    float intensity = 0;               // before toning, in its middle
    int row = 0, column = 0;           // the cell of `tensor` that it shows
    Point floor{};                     // a unit vector along what a straight one falls on; 0: square to it
  };
  enum class Glow { pool, haze };  // a pool has an edge, a haze none
  struct Spot {
    Glow glow = Glow::pool;
    Point centre{};
    float radius_x = 0, radius_y = 0;
    float intensity = 0;
  };
  std::string tensor{};  // whose weights the beams are; empty: they show no numbers
  std::vector<Beam> beams{};
  std::vector<Spot> spots{};
  Theme theme = Theme::light;  // of the ground that it falls on
};

enum class Normalise { zero_one, row, min_max };

// A window of a tensor's rows and columns drawn as cells in the element's rect, numbers in them where they have room:
// (cell_w, cell_h) follow from the rect.
struct CellRange {
  std::string tensor{};
  int row = 0;
  int column = 0;
  int rows = 0;
  int columns = 0;
};

// Cells, each with its number and filled with as much of the tint as the number is large (cell_fill); what is negative
// has a notch in its lower right corner and, of scores, is grey; −∞ is hatched. A tensor has one scale wherever it
// stands.
struct MatrixCells {
  CellRange range{};
  float gap = 2;
  float radius = 3;
  float text_size = 11;
  int decimals = 2;
  Colour tint{};      // the fill of its role
  float largest = 0;  // of the fullest cell; 0: the tensor's largest, kEachColumn (small_cells.h): its column's
  Theme theme = Theme::light;
  bool transposed = false;  // the range's rows run to the right
  bool sparse = false;      // a 0 is written as a dot
  float turned = 1;         // how far each cell has come from where it stood the other way
  Rect turned_from{};       // … in this place
};

// A heatmap of more cells than this is painted whole, without gaps.
inline constexpr int kWholeHeatmap = 256;

// Cells coloured by value. Masked cells (−∞, or a weight whose `mask` tensor's cell is −∞) are hatched.
struct Heatmap {
  CellRange range{};
  ColourMap map = ColourMap::viridis;
  Normalise normalise = Normalise::zero_one;
  float low = 0;  // the value at the map's ends, for zero_one and min_max
  float high = 1;
  float gap = 2;        // 0 past kWholeHeatmap cells
  float text_size = 0;  // 0: no numbers
  int decimals = 3;
  float told_from = 0;  // smaller numbers are not written, but those of the row `told_row` are
  int told_row = -1;
  std::string mask{};  // name of the tensor whose −∞ cells are masked; empty: none
  Theme theme = Theme::light;
  bool transposed = false;  // the range's rows run to the right
  int wrap = 0;             // of one row: that many cells side by side, the next ones below them; 0: all side by side
  bool zooms = false;       // whether its scene shows the window that the reader zooms into

  // Cells side by side, and below each other.
  [[nodiscard]] int across() const { return wrap > 0 ? wrap : transposed ? range.rows : range.columns; }
  [[nodiscard]] int down() const {
    return wrap > 0 ? (range.columns + wrap - 1) / wrap : transposed ? range.columns : range.rows;
  }
};

// Pixels: a tensor [height · width, 3] of red, green and blue from 0 to 1, row by row from the top, in the element's
// rect. With a light it is as bright as that says: where its row is largest as it is, elsewhere darker.
struct Pixels {
  std::string tensor{};
  int width = 0;      // pixels; the tensor's rows are so many lines
  CellRange light{};  // light_across · n cells, row by row, that lie over the picture; without a tensor: daylight
  int light_across = 0;
  bool smooth = false;  // between the middles of the cells the light changes evenly
};

// From tokens on the left edge to tokens on the right edge of the rect, as thick and opaque as their weight.
struct Arcs {
  CellRange range{};  // rows: from (left); columns: to (right)
  Colour colour{};
  float threshold = 0;  // weights below it are not drawn
  float share = 1;      // of each row, only its largest weights that together reach it are drawn
  int row = -1;         // this query's arcs, when not −1; the others are faint
  bool alone = false;   // and are not drawn at all
  float max_width = 6;
};

// One bar for each column of one row.
struct Bars {
  CellRange range{};  // rows = 1
  ColourMap map = ColourMap::viridis;
  float high = 1;  // the value whose bar is as long as the rect is wide
  float bar_h = 14;
  float pitch = 24;  // from bar to bar; each stands in the middle of its own
  Theme theme = Theme::light;
};

// A colour bar with ticks at its ends and its middle; upright unless wider than tall. The bar itself is kColourBarSize
// thick, at the rect's left or top edge; the numbers stand beyond it, also when the rect ends there.
inline constexpr float kColourBarSize = 12;
inline constexpr float kColourBarText = 11;
struct ColourBar {
  ColourMap map = ColourMap::viridis;
  float low = 0;
  float high = 1;
  std::array<std::string_view, 3> words{};  // at the low end, the middle and the high end, instead of numbers
  int decimals = -1;                        // of the numbers, without their 0 before the point; −1: as they need
  Colour ink{};
  Theme theme = Theme::light;
};

using Shape = std::variant<std::monostate, Rectangle, Text, FormulaBox, Line, Curve, Arrow, Area, MatrixCells, Heatmap,
                           Arcs, Bars, ColourBar, Pixels, Ribbon, Light>;
std::string_view name_of(const Shape& shape);  // "matrix"; "none" for an element that only takes clicks

// What is drawn in a panel "weights" is called so, or "weights.rows.0" or "weights[0,1]"; "weights.title" is its title.
inline constexpr std::string_view kTitleEnding = ".title";
bool is_named_after(std::string_view id, std::string_view panel);

struct Element {
  std::string id{};  // stable from one figure to the next: what moves is what keeps its id
  Role role = Role::none;
  Rect rect{};          // where it is, and where it is hit when it has a role
  std::string label{};  // in words, for the mirror and the tooltip; empty: decoration
  std::optional<Source> source{};
  std::optional<Edit> edit{};
  std::optional<Edit> twice{};  // of a double click, which is a click before that
  Shape shape{};
  float opacity = 1;
  std::optional<Rect> clip{};
  bool furniture = false;  // is there to be pressed, and shows nothing: pictures that are taken along leave it out
};

struct Figure {
  float width = 0;
  float height = 0;                  // what the drawing needs; may be more than the view gives
  Colour background{0, 0, 0, 0};     // at its top
  Colour background_to{0, 0, 0, 0};  // at its bottom; without alpha: the same as at its top
  std::vector<Element> elements{};   // painted in this order

  Element& add(Element element) { return elements.emplace_back(std::move(element)); }
  [[nodiscard]] const Element* find(std::string_view id) const;
};

// The background at its bottom.
inline Colour bottom_of(const Figure& figure) {
  return figure.background_to.a > 0 ? figure.background_to : figure.background;
}

// What stands behind every figure of a scene.
inline void set_ground(Figure& figure, const Palette& colours) {
  figure.background = colours.stage_top;
  figure.background_to = colours.stage_bottom;
}

// The words of an element that is the title of a panel, "W_q", or a formula's in words; empty when it is none.
std::string title_of(const Figure& figure, const Element& element);

// ---- asking and tweening
// -----------------------------------------------------------------------------------------------

// What is under a point: the topmost element with a role; inside MatrixCells and Heatmap the cell; of Arcs, where the
// trace tells which are drawn, the nearest one's cell; of Light the cell of the beam that is brightest there.
struct Hit {
  const Element* element = nullptr;  // null: nothing there
  std::string id{};                  // the element's, or the cell's: cell_id(source)
  std::optional<Source> source{};
};
Hit hit(const Figure& figure, Point point, const Trace* trace = nullptr);

// "weights[0,2]", and back.
std::string cell_id(const Source& source);
std::optional<Source> parse_cell_id(std::string_view id);

// The smallest of a row's weights that its arcs draw; nothing below `threshold`, and none of 0.
float least_drawn(const Arcs& arcs, const Tensor& tensor, int row);

// Where a cell of a MatrixCells or Heatmap element lies; nullopt when out of its range.
std::optional<Rect> cell_rect(const Element& element, int row, int column);
// The matrix or heatmap that shows this cell, the first of them; null when none does.
const Element* showing(const Figure& figure, const Source& cell);

// As much as `share` says of the elements from the `first` on: they are fainter, and colours that mean numbers are
// uncovered from the top.
void show_since(Figure& figure, std::size_t first, float share);

// From one drawing to the next: what both have moves and changes colour, the rest fades. t from 0 to 1.
// `timing`: where each element is at t, from 0 to 1 as well; without it all go at once.
using Timing = float (*)(const Element& element, float t);
Figure blend(const Figure& from, const Figure& to, float t, Timing timing = nullptr);

// Everything moved by (dx, dy) and, beyond its own clip, clipped to the page's rect `clip`; for putting a figure into a
// page.
void append(Figure& page, const Figure& part, float dx, float dy, std::optional<Rect> clip);

// Chips, pickers and the like are furniture: every element from this one on, which a helper has just added.
void mark_furniture(Figure& figure, std::size_t from);

// ---- primitives: what every painter paints
// -------------------------------------------------------------------------------

struct RectanglePrimitive {
  Rect rect{};
  Rectangle style{};
};
struct TextPrimitive {
  std::string text{};
  text::Face face = text::Face::regular;
  float size = 13;
  Colour colour{};
  Point baseline{};       // start of the text
  float width = 0;        // as measured
  bool vertical = false;  // turned a quarter to the left around `baseline`
  float drawn_at = 0;     // see Text
};
struct PolylinePrimitive {
  std::vector<Point> points{};
  Colour colour{};
  float width = 1;
  bool dashed = false;
};
struct CurvePrimitive {
  Curve curve{};
};
struct AreaPrimitive {
  Area area{};
};
// Cells without gaps or numbers, for a shader or an image.
struct HeatmapPrimitive {
  Rect rect{};
  Heatmap heatmap{};
};
// Pixels, each a square of its own where they are large.
struct PixelsPrimitive {
  Rect rect{};
  Pixels pixels{};
};
struct RibbonPrimitive {
  Ribbon ribbon{};
};
struct LightPrimitive {
  Light light{};
};
using PrimitiveShape = std::variant<RectanglePrimitive, TextPrimitive, PolylinePrimitive, CurvePrimitive, AreaPrimitive,
                                    HeatmapPrimitive, PixelsPrimitive, RibbonPrimitive, LightPrimitive>;

struct Primitive {
  PrimitiveShape shape{};
  float opacity = 1;
  std::optional<Rect> clip{};
};

// Breaks an element up; the trace gives the numbers. A heatmap stays whole past 256 cells, else it becomes rectangles.
std::vector<Primitive> primitives(const Element& element, const Trace& trace);

// Where a heatmap's cells lie on its colour map; the tensors are looked up once.
class HeatmapReader {
 public:
  HeatmapReader(const Heatmap& heatmap, const Trace& trace);
  // From 0 to 1, and the colour there; nullopt when masked.
  [[nodiscard]] std::optional<float> share(int row, int column) const;
  [[nodiscard]] std::optional<Colour> colour(int row, int column) const;
  // The same for the cell that is drawn at the x-th place from the left and the y-th from the top.
  [[nodiscard]] std::optional<float> share_at(int x, int y) const;
  [[nodiscard]] std::optional<Colour> colour_at(int x, int y) const;
  // [rows, columns] shares, as many as are drawn or fewer: where several cells fall on one, the largest. −1 where all
  // of them are masked.
  [[nodiscard]] std::vector<float> largest(int rows, int columns) const;

 private:
  // Whether a cell's share depends on its value alone (−∞: masked), and every cell of the range is there.
  [[nodiscard]] bool plain() const;

  const Heatmap& heatmap_;
  const Tensor* tensor_;
  const Tensor* mask_;
  std::vector<std::pair<float, float>> row_limits_;  // for Normalise::row, of the rows in the range
};

}  // namespace limelight::figure
