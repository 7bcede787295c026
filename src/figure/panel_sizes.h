// How large panels are drawn, and in which rows.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "figure/panels.h"

namespace limelight::figure {

// Sizes of a cell, from the largest to the smallest that holds a number, then squares.
struct Tier {
  float w, h, text;  // text 0: no numbers
};
constexpr std::array kTiers = {
    Tier{112, 84, 20},    Tier{98, 74, 18},      Tier{84, 62, 17},      Tier{72, 50, 15},      Tier{62, 40, 13},
    Tier{52, 32, 13},     Tier{44, 26, 12},      Tier{38, 22, 11},      Tier{34, 19, 11},      Tier{30, 18, 10},
    Tier{26, 26, 0},      Tier{22, 22, 0},       Tier{18, 18, 0},       Tier{15, 15, 0},       Tier{12, 12, 0},
    Tier{10, 10, 0},      Tier{9, 9, 0},         Tier{8, 8, 0},         Tier{7, 7, 0},         Tier{6, 6, 0},
    Tier{5, 5, 0},        Tier{4.5F, 4.5F, 0},   Tier{4, 4, 0},         Tier{3.5F, 3.5F, 0},   Tier{3, 3, 0},
    Tier{2.5F, 2.5F, 0},  Tier{2, 2, 0},         Tier{1.5F, 1.5F, 0},   Tier{1, 1, 0},         Tier{0.7F, 0.7F, 0},
    Tier{0.5F, 0.5F, 0},  Tier{0.35F, 0.35F, 0}, Tier{0.25F, 0.25F, 0}, Tier{0.17F, 0.17F, 0}, Tier{0.1F, 0.1F, 0},
    Tier{0.06F, 0.06F, 0}};
constexpr int kLastNumbered = 9;
constexpr float kSmallText = 11;  // from here on weights have two digits after the point, not three
constexpr float kTitleHeight = 24;
constexpr float kTouchTitleHeight = 52;  // where buttons for a finger stand beside the title, and the gap below them
constexpr float kTouchTitleTop = 13;     // of the title, so that its middle is theirs
constexpr int kFewColumns = 8;           // a matrix without numbers but with few columns has them this wide:
constexpr float kWideColumn = 8;
constexpr int kFewLong = 25;          // a stretched map has no more rows, or columns, that are stretched,
constexpr float kStretchedCell = 20;  // to this height where there is room
constexpr float kTallCell = 36;    // cells whose width allows no larger numbers still get this high where there is room
constexpr float kDownHeight = 22;  // of an arrow from one line to the next
constexpr float kPanelLabel = 12;
constexpr float kLabelGap = 8;
constexpr float kColumnLabelHeight = 18;
constexpr float kItemGap = 12;
constexpr float kBarGap = 14;       // from the cells to their colour bar
constexpr float kShortestBar = 36;  // so that its numbers do not touch
// What a bar says whose rows each have their own scale.
constexpr std::array<std::string_view, 3> kRowWords = {"0", "half", "row max"};

struct Sized {
  const Panel* panel = nullptr;  // one of the two
  const Joint* joint = nullptr;
  const Tensor* tensor = nullptr;
  int tier = 0;
  bool narrow = false;   // its cells are no wider than their numbers need
  bool touch = false;    // its line may hold buttons for a finger; there is height for all, since the figure scrolls
  bool down = false;     // a joint on a line of its own
  float tall = 0;        // how much of the way to kTallCell its cells have grown, from 0 to 1
  bool barless = false;  // the bar of another panel of its row holds for this one too
  int most_decimals = 2;
  int rows = 0;  // as drawn: of the window, and turned when transposed
  int columns = 0;
  float number_width[4] = {};  // of the longest number at size 1, by the digits after its point
  float label_width = 0;       // of the row labels
  float whole_labels = 0;      // the same before any is cut for want of room
  float longest_column_label = 0;
  float limit = 0;  // the largest size of its numbers, or of the row's where they share a bar

  [[nodiscard]] const Tier& size() const { return kTiers[static_cast<std::size_t>(tier)]; }
  [[nodiscard]] int decimals() const { return size().text <= kSmallText ? std::min(most_decimals, 2) : most_decimals; }
  [[nodiscard]] float needed_w(float text) const { return number_width[decimals()] * text + 8; }
  [[nodiscard]] float cell_w() const {
    const Tier& t = size();
    if (t.text == 0) return columns <= (panel->stretched ? kFewLong : kFewColumns) ? std::max(t.w, kWideColumn) : t.w;
    return narrow ? std::max(t.h, needed_w(t.text)) : std::max(t.w, needed_w(t.text));
  }
  // Colours never stand without a bar that says what they mean.
  [[nodiscard]] bool dotted() const { return panel != nullptr && tier > kLastNumbered; }
  [[nodiscard]] bool has_bar() const { return panel->colour_bar || (dotted() && !barless); }
  [[nodiscard]] bool stretches() const { return panel->stretched && rows <= kFewLong && columns > kFewLong; }
  [[nodiscard]] float cell_h() const {
    const float h = size().h;
    if (dotted()) return stretches() ? mix(h, std::max(h, kStretchedCell), touch ? 1 : tall) : h;
    return mix(h, std::max(h, std::min(kTallCell, cell_w())), tall);
  }
  [[nodiscard]] float cells_w() const { return cell_w() * static_cast<float>(columns); }
  [[nodiscard]] float cells_h() const { return cell_h() * static_cast<float>(rows); }
  // Column labels stand upright where they are wider than their cell, and then need that much height.
  [[nodiscard]] bool upright_labels() const { return longest_column_label > cell_w() - 4; }
  // A map without numbers can be zoomed.
  [[nodiscard]] float title_height() const { return touch && dotted() ? kTouchTitleHeight : kTitleHeight; }
  [[nodiscard]] float title_top() const { return touch && dotted() ? kTouchTitleTop : 0; }
  [[nodiscard]] float header() const {
    if (!panel->column_labels) return title_height();
    return title_height() + (upright_labels() ? longest_column_label + 6 : kColumnLabelHeight);
  }
};
using SizedRow = std::vector<Sized>;

// The rows as they are drawn. In a narrow area, which scrolls, cells are as large as lets everything be seen without
// scrolling and keeps on one line what belongs together; else as they come.
std::vector<SizedRow> lay_out(const std::vector<PanelRow>& rows, const Trace& trace, Rect area,
                              const PanelStyleSheet& style);

bool scaled_by_row(const Panel& panel);
const std::vector<std::string>& drawn_rows(const Sized& s);
const std::vector<std::string>& drawn_columns(const Sized& s);

// Titles, shapes and captions may be wider than the cells.
float panel_width(const Sized& s);
float row_width(const SizedRow& row);
float row_height(const SizedRow& row);
bool is_down(const SizedRow& row);
// Before the row at `i`.
float row_gap(const std::vector<SizedRow>& rows, std::size_t i);
float rows_height(const std::vector<SizedRow>& rows);

}  // namespace limelight::figure
