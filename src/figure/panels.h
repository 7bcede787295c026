// Matrices side by side: each with its name, its shape, its tokens and its numbers, as large as the room allows. Where
// the numbers no longer fit, a matrix becomes a heatmap.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "figure/figure.h"
#include "figure/marks.h"
#include "figure/paragraph.h"

namespace limelight::figure {

enum class PanelStyle {
  plain,        // numbers on cells tinted by their size
  weights,      // numbers on cells coloured from 0 to 1
  differences,  // numbers on cells coloured around 0
};

// How large a panel would like to be.
enum class Emphasis { large, medium, small };

struct Panel {
  std::string tensor;
  std::string title{};           // what stands above it; the tensor's name when empty
  Colour colour{};               // of the title
  std::optional<Colour> tint{};  // of plain cells; the title's role's where there is none
  PanelStyle style = PanelStyle::plain;
  Emphasis emphasis = Emphasis::small;
  bool row_labels = true;
  bool column_labels = false;
  bool transposed = false;
  bool editable = false;  // its cells are fields of the state
  bool tokens = false;    // its row labels pick the query token
  bool colour_bar = false;
  std::string caption{};  // one short line below
  float opacity = 1;
  bool stretched = false;  // as a map its cells need not be square: few long rows are higher, few long columns wider
  int decimals = 2;        // at most, of plain numbers that are not small
  ColourMap map = ColourMap::viridis;
  Normalise normalise = Normalise::zero_one;
  std::string mask{};
  std::optional<CellRange> window{};  // what is looked at of it; all when empty
};

// What stands between two panels: a sign, or a sign with words above and below it.
struct Joint {
  std::string sign;  // "×", "=", "→"
  std::string above{};
  std::string below{};
};

using PanelItem = std::variant<Panel, Joint>;
using PanelRow = std::vector<PanelItem>;

struct PanelStyleSheet {
  Theme theme = Theme::light;
  std::string token_field{};  // the state's field that a row label of a panel with tokens sets
  int chosen_row = -1;        // the query token, marked among the row labels of panels with tokens
  bool narrow = false;        // rows are broken where they do not fit, and may be higher than the area
  bool aligned = false;       // all cells are equally wide, and rows of one panel each stand below each other
  float sink = 0.4F;          // how far down they stand in an area that is too high, from 0 to 1
};

// A tensor's name for eyes: words with spaces between them, mathematics ("W_Q", "A_3.2") as it is written.
std::string words_of_name(std::string_view tensor);

// Lays the rows out below each other in the area, each centred, shrinking what is widest or tallest until all fits.
// Adds their elements: a panel's cells have the tensor's name as id
// ("X#2" where it stands a second time). Returns the bottom of the last row.
float add_panels(Figure& figure, const Trace& trace, const std::vector<PanelRow>& rows, Rect area,
                 const PanelStyleSheet& style);

// Digits after the point that show these values well: as few as are exact, at most `most`.
int decimals_for(const Matrix& values, int most);

}  // namespace limelight::figure
