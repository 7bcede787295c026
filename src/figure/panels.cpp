#include "figure/panels.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <utility>

#include "figure/paragraph.h"
#include "io/numbers.h"

namespace limelight::figure {
namespace {

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
constexpr float kSmallText = 11;               // from here on weights have two digits after the point, not three
constexpr int kFirstTier[] = {0, 3, 5};        // by emphasis
constexpr int kFirstTierNarrow[] = {2, 5, 6};  // the same where rows are broken
constexpr float kTitleHeight = 24;
constexpr float kTouchTitleHeight = 52;  // where buttons for a finger stand beside the title, and the gap below them
constexpr float kTouchTitleTop = 13;     // of the title, so that its middle is theirs
constexpr int kFewColumns = 8;           // a matrix without numbers but with few columns has them this wide:
constexpr float kWideColumn = 8;
constexpr int kFewLong = 25;          // a stretched map has no more rows, or columns, that are stretched,
constexpr float kStretchedCell = 20;  // to this height where there is room
constexpr float kTallCell = 36;  // cells whose width allows no larger numbers still get this high where there is room
constexpr float kMostScrolled = 480;  // a matrix that is higher than this and than its area becomes a map
constexpr float kDownHeight = 22;     // of an arrow from one line to the next
constexpr float kDownGap = 8;
constexpr float kLabelSize = 12;
constexpr float kSmallestLabel = 9.5F;  // of rows that are lower than a label
constexpr float kLabelGap = 8;
constexpr float kLongestLabel = 96;
constexpr float kLongestUpright = 72;
constexpr float kShortestLabel = 24;  // a letter or two
constexpr float kReadableLabel = 40;  // to which labels are cut before numbers are given up
constexpr float kColumnLabelHeight = 18;
constexpr float kCaptionHeight = 20;
constexpr float kRowGap = 22;
constexpr float kJointWidth = 30;
constexpr float kItemGap = 12;
constexpr float kBarGap = 14;       // from the cells to their colour bar
constexpr float kBarWidth = 58;     // a colour bar with its numbers, and that gap
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

bool scaled_by_row(const Panel& panel) {
  return panel.style == PanelStyle::weights && panel.normalise == Normalise::row;
}

float bar_width(const Panel& panel) {
  static constexpr std::array<std::string_view, 3> kWeights = {"0.000324"};  // none is longer
  const bool between = panel.style == PanelStyle::weights && panel.normalise == Normalise::min_max;
  if (!scaled_by_row(panel) && !between) return kBarWidth;
  float widest = 0;
  for (const std::string_view word : between ? kWeights : kRowWords)
    widest = std::max(widest, text::measure(text::Face::mono, kColourBarText, word));
  return kBarGap + kColourBarSize + 6 + widest;
}

// Titles, shapes and captions may be wider than the cells.
float panel_width(const Sized& s) {
  if (s.joint != nullptr) {
    const float words = std::max(text::measure(text::Face::regular, kLabelSize, s.joint->above),
                                 text::measure(text::Face::regular, kLabelSize, s.joint->below));
    return std::max(kJointWidth, words + 8);
  }
  const float title = text::measure(text::Face::semibold, 14, s.panel->title) + 48;
  const float caption = text::measure(text::Face::regular, kLabelSize, s.panel->caption);
  const float bar = s.has_bar() ? bar_width(*s.panel) : 0;
  return s.label_width + std::max({s.cells_w() + bar, title + bar, caption});
}

float panel_height(const Sized& s) {
  if (s.joint != nullptr) return s.down ? kDownHeight : 0;
  return s.header() + std::max(s.cells_h(), s.has_bar() ? kShortestBar : 0) +
         (s.panel->caption.empty() ? 0 : kCaptionHeight);
}

const std::vector<std::string>& drawn_rows(const Sized& s) {
  return s.panel->transposed ? s.tensor->column_labels : s.tensor->row_labels;
}
const std::vector<std::string>& drawn_columns(const Sized& s) {
  return s.panel->transposed ? s.tensor->row_labels : s.tensor->column_labels;
}

CellRange window_of(const Panel& panel, const Tensor& tensor) {
  return panel.window.value_or(CellRange{panel.tensor, 0, 0, tensor.rows(), tensor.columns()});
}

Sized size_panel(const Panel& panel, const Trace& trace, bool narrow) {
  Sized s{.panel = &panel, .tensor = &trace.at(panel.tensor), .touch = narrow};
  s.rows = panel.transposed ? s.tensor->columns() : s.tensor->rows();
  s.columns = panel.transposed ? s.tensor->rows() : s.tensor->columns();
  s.tier = (narrow ? kFirstTierNarrow : kFirstTier)[static_cast<int>(panel.emphasis)];
  s.most_decimals = decimals_for(s.tensor->values, panel.style == PanelStyle::plain ? panel.decimals : 3);
  // All figures are equally wide, so the longest number is the smallest or the largest of all.
  float low = 0, high = 0;
  for (const float value : s.tensor->values.reshaped<Eigen::RowMajor>())
    if (std::isfinite(value)) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
  s.limit = std::max({-low, high, 1e-6F});
  for (int decimals = 0; decimals <= s.most_decimals; ++decimals)
    for (const float value : {low, high})
      s.number_width[decimals] =
          std::max(s.number_width[decimals], text::measure(text::Face::mono, 1, io::format_fixed(value, decimals)));
  if (panel.row_labels)
    for (const std::string& label : drawn_rows(s))
      // As the chosen one is set, which is the widest.
      s.label_width = std::max(s.label_width, text::measure(text::Face::semibold, kLabelSize, label) + 0.5F);
  if (s.label_width > 0) s.label_width = std::min(s.label_width, kLongestLabel) + kLabelGap;
  s.whole_labels = s.label_width;
  if (panel.column_labels)
    for (const std::string& label : drawn_columns(s))
      s.longest_column_label = std::max(
          s.longest_column_label, std::min(text::measure(text::Face::regular, kLabelSize, label), kLongestUpright));
  return s;
}

using SizedRow = std::vector<Sized>;

float row_width(const SizedRow& row) {
  float width = -kItemGap;
  for (const Sized& s : row) width += panel_width(s) + kItemGap;
  return width;
}

float row_height(const SizedRow& row) {
  float height = 0;
  for (const Sized& s : row) height = std::max(height, panel_height(s));
  return height;
}

bool numbered(const Sized& s) { return s.panel != nullptr && s.tier <= kLastNumbered; }

bool same_shape(const Sized& a, const Sized& b) {
  return a.rows == b.rows && a.columns == b.columns && a.panel->style == b.panel->style;
}

// Maps of one shape beside each other share one scale and one bar, the last one's.
void share_bars(SizedRow& row) {
  for (Sized& s : row) s.barless = false;
  for (auto s = row.begin(); s != row.end(); ++s)
    for (auto next = s + 1; next != row.end(); ++next) {
      if (!s->dotted() || !next->dotted() || !same_shape(*s, *next) || s->panel->colour_bar) continue;
      s->barless = true;
      s->limit = next->limit = std::max(s->limit, next->limit);
    }
}

// Those of one shape and size become smaller together: numbers beside a map of the same shape look like something else.
void lower_alike(SizedRow& row, const Sized& one) {
  const int tier = one.tier;
  for (Sized& s : row)
    if (s.panel != nullptr && s.tier == tier && same_shape(s, one)) ++s.tier;
  share_bars(row);
}

// Row labels a little shorter. False when there is nothing left.
bool cut_labels(SizedRow& row, float shortest) {
  bool cut = false;
  for (Sized& s : row)
    if (s.label_width > shortest + kLabelGap) {
      s.label_width = std::max(s.label_width - 8, shortest + kLabelGap);
      cut = true;
    }
  return cut;
}

// What a row that is too wide gives up first: the air in its cells, then their size, all of them alike, then the
// row labels, then the numbers of the widest. False when there is nothing left.
bool narrow_row(SizedRow& row) {
  for (Sized& s : row)
    if (numbered(s) && !s.narrow) {
      for (Sized& t : row) t.narrow = true;
      return true;
    }
  int first = kLastNumbered;  // of the tiers that still can shrink
  for (const Sized& s : row)
    if (numbered(s)) first = std::min(first, s.tier);
  bool shrunk = false;
  for (Sized& s : row)
    if (numbered(s) && s.tier == first && s.tier < kLastNumbered) {
      ++s.tier;
      shrunk = true;
    }
  if (shrunk || (std::ranges::any_of(row, numbered) && cut_labels(row, kReadableLabel))) return true;
  Sized* widest = nullptr;
  for (Sized& s : row)
    if (s.panel != nullptr && s.tier + 1 < static_cast<int>(kTiers.size()) &&
        (widest == nullptr || s.cells_w() > widest->cells_w()))
      widest = &s;
  if (widest == nullptr) return false;
  if (numbered(*widest))
    for (Sized& s : row) s.label_width = s.whole_labels;  // cutting them has not kept the numbers
  lower_alike(row, *widest);
  return true;
}

// The tallest panel of a row that can become smaller; null when there is none.
Sized* lowerable(SizedRow& row) {
  Sized* tallest = nullptr;
  for (Sized& s : row)
    if (s.panel != nullptr && s.tier + 1 < static_cast<int>(kTiers.size()) &&
        (tallest == nullptr || s.cells_h() > tallest->cells_h()))
      tallest = &s;
  return tallest;
}

bool lower_row(SizedRow& row) {
  Sized* tallest = lowerable(row);
  if (tallest == nullptr) return false;
  lower_alike(row, *tallest);
  return true;
}

// Upright labels above numbers a little shorter. False when there is nothing left.
bool cut_upright_labels(std::vector<SizedRow>& rows) {
  bool cut = false;
  for (SizedRow& row : rows)
    for (Sized& s : row)
      if (numbered(s) && s.panel->column_labels && s.upright_labels() && s.longest_column_label > kReadableLabel) {
        s.longest_column_label = std::max(s.longest_column_label - 8, kReadableLabel);
        cut = true;
      }
  return cut;
}

// The same for rows that are too tall together: all panels of the largest size get the next one.
bool lower_rows(std::vector<SizedRow>& rows) {
  int first = static_cast<int>(kTiers.size());
  for (const SizedRow& row : rows)
    for (const Sized& s : row)
      if (s.panel != nullptr) first = std::min(first, s.tier);
  if (first < kLastNumbered) {
    for (SizedRow& row : rows)
      for (Sized& s : row)
        if (s.panel != nullptr && s.tier == first) ++s.tier;
    return true;
  }
  if (cut_upright_labels(rows)) return true;
  SizedRow* tallest = nullptr;
  for (SizedRow& row : rows)
    if (lowerable(row) != nullptr && (tallest == nullptr || lowerable(row)->cells_h() > lowerable(*tallest)->cells_h()))
      tallest = &row;
  return tallest != nullptr && lower_row(*tallest);
}

bool is_down(const SizedRow& row) { return row.front().down; }

// Before the row at `i`.
float row_gap(const std::vector<SizedRow>& rows, std::size_t i) {
  if (i == 0) return 0;
  return is_down(rows[i]) || is_down(rows[i - 1]) ? kDownGap : kRowGap;
}

float rows_height(const std::vector<SizedRow>& rows) {
  float height = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) height += row_gap(rows, i) + row_height(rows[i]);
  return height;
}

// Row labels that were cut get the room that is left.
void give_back_labels(SizedRow& row, float width) {
  for (bool more = true; more;) {
    more = false;
    for (Sized& s : row) {
      if (s.label_width >= s.whole_labels) continue;
      const float cut = std::exchange(s.label_width, std::min(s.label_width + 8, s.whole_labels));
      if (row_width(row) <= width)
        more = true;
      else
        s.label_width = cut;
    }
  }
}

// A title that is too long by itself makes no cells smaller.
bool is_too_wide(const SizedRow& row, float width) {
  const Sized& s = row.front();
  if (row.size() > 1 || s.panel == nullptr) return row_width(row) > width;
  return s.label_width + s.cells_w() + (s.has_bar() ? bar_width(*s.panel) : 0) > width;
}

void shrink_to_fit(std::vector<SizedRow>& rows, Rect area, bool scrolls) {
  for (SizedRow& row : rows)
    while (is_too_wide(row, area.w) && (narrow_row(row) || cut_labels(row, kShortestLabel))) {
    }
  while (!scrolls && rows_height(rows) > area.h && lower_rows(rows)) {
  }
  for (SizedRow& row : rows) give_back_labels(row, area.w);
  // Height that is left makes low cells taller.
  for (const float tall : {1.F, 0.75F, 0.5F, 0.25F, 0.F}) {
    for (SizedRow& row : rows)
      for (Sized& s : row) s.tall = tall;
    if (rows_height(rows) <= area.h) return;
  }
}

void add_text(Figure& figure, std::string id, Rect rect, Text text, float opacity = 1) {
  figure.add({.id = std::move(id), .rect = rect, .shape = std::move(text), .opacity = opacity});
}

SizedRow size_row(const PanelRow& row, const Trace& trace, bool narrow) {
  SizedRow sized;
  for (const PanelItem& item : row) {
    if (const Panel* panel = std::get_if<Panel>(&item))
      sized.push_back(size_panel(*panel, trace, narrow));
    else
      sized.push_back({.joint = std::get_if<Joint>(&item)});
  }
  return sized;
}

// In a narrow area every panel that does not fit beside the one before it, its cells of this size, gets a line of its
// own, with the joint that leads to it in front; an arrow points down from a line between the two.
std::vector<SizedRow> break_rows(const std::vector<PanelRow>& rows, const Trace& trace, float width, int tier) {
  std::vector<SizedRow> broken;
  const auto fits = [&](SizedRow trial) {
    for (Sized& t : trial) {
      t.tier = std::max(t.tier, tier);
      t.narrow = true;
    }
    return row_width(trial) <= width;
  };
  const auto finish = [&](SizedRow line) {
    if (line.size() > 1 && line.front().joint != nullptr && line.front().joint->sign == "→") {
      line.front().down = true;
      broken.push_back({line.front()});
      line.erase(line.begin());
    }
    if (!line.empty()) broken.push_back(std::move(line));
  };
  for (const PanelRow& row : rows) {
    SizedRow line;
    for (const Sized& s : size_row(row, trace, true)) {
      line.push_back(s);
      if (s.panel == nullptr || line.size() < 2 || fits(line)) continue;
      const std::size_t kept = line[line.size() - 2].joint != nullptr ? 2 : 1;
      if (line.size() == kept) continue;
      SizedRow next(line.end() - static_cast<std::ptrdiff_t>(kept), line.end());
      line.resize(line.size() - kept);
      finish(std::move(line));
      line = std::move(next);
    }
    finish(std::move(line));
  }
  return broken;
}

// How many lines continue the one before them.
std::ptrdiff_t continued(const std::vector<SizedRow>& rows) {
  return std::ranges::count_if(rows, [](const SizedRow& row) { return row.front().joint != nullptr; });
}

// ---- rows that are aligned ----

template <class F>
void each_panel(std::vector<SizedRow>& rows, F&& f) {
  for (SizedRow& row : rows)
    for (Sized& s : row)
      if (s.panel != nullptr) f(s, row.size() == 1);
}

// Before they shrink: cells as wide as the longest number of all needs, with as many digits after the point; panels
// that have a row of their own have the same room for labels.
void align(std::vector<SizedRow>& rows) {
  constexpr int most_decimals = 2;
  Sized all;
  all.most_decimals = 0;
  each_panel(rows, [&](const Sized& s, bool alone) {
    all.most_decimals = std::max(all.most_decimals, std::min(s.most_decimals, most_decimals));
    for (std::size_t i = 0; i < std::size(all.number_width); ++i)
      all.number_width[i] = std::max(all.number_width[i], s.number_width[i]);
    if (alone) all.whole_labels = std::max(all.whole_labels, s.whole_labels);
  });
  each_panel(rows, [&](Sized& s, bool alone) {
    s.most_decimals = all.most_decimals;
    std::ranges::copy(all.number_width, s.number_width);
    if (alone) s.label_width = s.whole_labels = all.whole_labels;
  });
}

// After: those that have a row of their own are all as the smallest of them.
void align_sizes(std::vector<SizedRow>& rows) {
  Sized all;
  all.tall = 1;
  all.label_width = std::numeric_limits<float>::max();
  each_panel(rows, [&](const Sized& s, bool alone) {
    if (!alone) return;
    all.tier = std::max(all.tier, s.tier);
    all.narrow = all.narrow || s.narrow;
    all.tall = std::min(all.tall, s.tall);
    all.label_width = std::min(all.label_width, s.label_width);
  });
  each_panel(rows, [&](Sized& s, bool alone) {
    if (!alone) return;
    s.tier = all.tier;
    s.narrow = all.narrow;
    s.tall = all.tall;
    s.label_width = all.label_width;
  });
}

// The rows as they are drawn. In a narrow area, which scrolls, cells are as large as lets everything be seen without
// scrolling and keeps on one line what belongs together; else as they come.
std::vector<SizedRow> lay_out(const std::vector<PanelRow>& rows, const Trace& trace, Rect area,
                              const PanelStyleSheet& style) {
  const auto fit = [&](std::vector<SizedRow>& some) {
    if (style.aligned) align(some);
    shrink_to_fit(some, area, style.narrow);
    if (style.aligned) align_sizes(some);
  };
  std::vector<SizedRow> sized;
  if (!style.narrow) {
    for (const PanelRow& row : rows) sized.push_back(size_row(row, trace, false));
    fit(sized);
    return sized;
  }
  sized = break_rows(rows, trace, area.w, kLastNumbered);
  const std::ptrdiff_t least = continued(sized);
  constexpr int large = 3;
  for (int tier = large; tier < kLastNumbered; ++tier) {
    std::vector<SizedRow> larger = break_rows(rows, trace, area.w, tier);
    for (SizedRow& row : larger)
      for (Sized& s : row) s.tier = std::min(s.tier, tier);
    fit(larger);
    if (continued(larger) <= least && rows_height(larger) <= area.h) return larger;
  }
  fit(sized);
  for (SizedRow& row : sized)
    while (row_height(row) > std::max(area.h, kMostScrolled) && lower_row(row)) {
    }
  if (style.aligned) align_sizes(sized);
  return sized;
}

void add_labels(Figure& figure, const std::string& id, const Sized& s, Rect cells, const CellRange& window,
                const PanelStyleSheet& style) {
  const Panel& panel = *s.panel;
  const Palette& colours = palette(style.theme);
  const auto label_text = [&](const std::string& label, float room) {
    return text::fit(text::Face::regular, kLabelSize, label, room);
  };
  const int first_row = panel.transposed ? window.column : window.row;
  const int row_count = panel.transposed ? window.columns : window.rows;
  const int first_column = panel.transposed ? window.row : window.column;
  const int column_count = panel.transposed ? window.rows : window.columns;
  const float pitch_h = cells.h / static_cast<float>(row_count);
  const float pitch_w = cells.w / static_cast<float>(column_count);
  const auto& rows = drawn_rows(s);
  const auto& columns = drawn_columns(s);
  // Where rows are lower than their labels only every second, third … is named.
  const float row_size = std::clamp(pitch_h, kSmallestLabel, kLabelSize);
  const int row_stride = std::max(1, static_cast<int>(std::ceil((row_size - 0.5F) / pitch_h)));
  const int column_stride = std::max(1, static_cast<int>(std::ceil((kLabelSize + 1) / pitch_w)));
  if (panel.row_labels)
    for (int i = 0; i < row_count && first_row + i < static_cast<int>(rows.size()); ++i) {
      const int token = first_row + i;
      const bool chosen = panel.tokens && token == style.chosen_row;
      if (token % row_stride != 0 && !chosen) continue;
      Element element{
          .id = id + ".row." + std::to_string(token),
          .rect = {cells.x - s.label_width, cells.y + pitch_h * static_cast<float>(i), s.label_width - kLabelGap,
                   pitch_h},
          .shape = Text{.text = label_text(rows[static_cast<std::size_t>(token)], s.label_width - kLabelGap),
                        .face = chosen ? text::Face::semibold : text::Face::regular,
                        .size = row_size,
                        .colour = chosen ? colours.query : colours.muted,
                        .align = Align::right},
          .opacity = panel.opacity};
      if (panel.tokens) {
        element.role = Role::token;
        element.label = rows[static_cast<std::size_t>(token)];
        element.edit = Edit{style.token_field, std::to_string(token)};
      }
      figure.add(std::move(element));
    }
  if (panel.column_labels)
    for (int j = 0; j < column_count && first_column + j < static_cast<int>(columns.size()); ++j) {
      const int token = first_column + j;
      if (s.upright_labels() && token % column_stride != 0) continue;
      const float x = cells.x + pitch_w * static_cast<float>(j);
      const float height = s.upright_labels() ? s.longest_column_label + 6 : kColumnLabelHeight;
      add_text(figure, id + ".column." + std::to_string(token), {x, cells.y - height, pitch_w, height - 4},
               {.text = label_text(columns[static_cast<std::size_t>(token)],
                                   s.upright_labels() ? s.longest_column_label : pitch_w + 4),
                .size = kLabelSize,
                .colour = colours.muted,
                .align = s.upright_labels() ? Align::left : Align::centre,
                .vertical = s.upright_labels()},
               panel.opacity);
    }
}

// "W_q" has its q as a subscript. Returns the width.
float add_title(Figure& figure, const std::string& id, const Panel& panel, const std::string& title, Point at) {
  const std::size_t mark = title.find('_');
  const std::string base = title.substr(0, mark);
  const float width = text::measure(text::Face::semibold, 14, base);
  add_text(figure, id + ".title", {at.x, at.y, width, 18},
           {.text = base, .face = text::Face::semibold, .size = 14, .colour = panel.colour}, panel.opacity);
  if (mark == std::string::npos) return width;
  const std::string below = title.substr(mark + 1);
  const float below_width = text::measure(text::Face::semibold, 10, below);
  add_text(figure, id + ".subscript", {at.x + width + 1, at.y + 4, below_width, 18},
           {.text = below, .face = text::Face::semibold, .size = 10, .colour = panel.colour}, panel.opacity);
  return width + below_width + 2;
}

void add_panel(Figure& figure, const Sized& s, Point corner, const PanelStyleSheet& style) {
  const Panel& panel = *s.panel;
  const Palette& colours = palette(style.theme);
  const CellRange window = window_of(panel, *s.tensor);
  // A matrix may stand in several places of a figure: the second is "X#2".
  std::string id = panel.tensor;
  for (int count = 2; figure.find(id) != nullptr; ++count) id = panel.tensor + "#" + std::to_string(count);
  const Rect cells{corner.x + s.label_width, corner.y + s.header(), s.cells_w(), s.cells_h()};
  const int drawn_columns_count = panel.transposed ? window.rows : window.columns;
  const int drawn_rows_count = panel.transposed ? window.columns : window.rows;
  const float cell_w = cells.w / static_cast<float>(drawn_columns_count);
  const float cell_h = cells.h / static_cast<float>(drawn_rows_count);
  float text_size = s.size().text;
  // A dotted panel that is zoomed into has room for numbers again.
  if (text_size == 0)
    for (const Tier& tier : kTiers)
      if (tier.text > 0 && cell_w >= s.needed_w(tier.text) && cell_h >= tier.h) {
        text_size = tier.text;
        break;
      }

  const int decimals = text_size > 0 && text_size <= kSmallText ? std::min(s.most_decimals, 2) : s.most_decimals;

  const std::string title = panel.title.empty() ? words_of_name(panel.tensor) : panel.title;
  const float title_width = add_title(figure, id, panel, title, {cells.x, corner.y + s.title_top()});
  const auto shape_text = [](int rows, int columns) { return std::to_string(rows) + "×" + std::to_string(columns); };
  add_text(figure, id + ".shape",
           {cells.x + title_width + 8, corner.y + s.title_top(),
            text::measure(text::Face::mono, 11, shape_text(s.rows, s.columns)), 18},
           {.text = shape_text(s.rows, s.columns), .face = text::Face::mono, .size = 11, .colour = colours.faint},
           panel.opacity);
  add_labels(figure, id, s, cells, window, style);

  Element element{.id = id,
                  .role = Role::cell,
                  .rect = cells,
                  .label = title + " " + shape_text(s.tensor->rows(), s.tensor->columns()),
                  .opacity = panel.opacity};
  if (panel.editable) element.edit = Edit{panel.tensor, {}};
  const bool dots = s.size().text == 0;
  const auto [low, high] = [&]() -> std::pair<float, float> {
    if (panel.style == PanelStyle::weights && panel.normalise != Normalise::min_max) return {0.F, 1.F};
    if (panel.style == PanelStyle::weights) return {s.tensor->values.minCoeff(), s.tensor->values.maxCoeff()};
    return {-s.limit, s.limit};
  }();
  const bool as_heatmap = panel.style != PanelStyle::plain || dots;
  if (as_heatmap) {
    const bool weights = panel.style == PanelStyle::weights;
    element.shape = Heatmap{.range = window,
                            .map = weights ? panel.map : ColourMap::diverging,
                            .normalise = weights ? panel.normalise : Normalise::zero_one,
                            .low = low,
                            .high = high,
                            .gap = dots ? (cell_w >= 10 && cell_h >= 10 ? 1.F : 0.F) : 2.F,
                            .text_size = text_size,
                            .decimals = decimals,
                            .mask = panel.mask,
                            .theme = style.theme,
                            .transposed = panel.transposed,
                            .zooms = true};
  } else {
    element.shape = MatrixCells{.range = window,
                                .gap = 2,
                                .radius = 3,
                                .text_size = text_size,
                                .decimals = decimals,
                                .fill = colours.sunken,
                                .ink = colours.ink,
                                .transposed = panel.transposed};
  }
  figure.add(std::move(element));
  const float bar_h = std::max(cells.h, kShortestBar);
  if (s.has_bar())
    figure.add({.id = id + ".bar",
                .rect = {cells.right() + kBarGap, cells.y, kColourBarSize, bar_h},
                .shape = ColourBar{.map = panel.style == PanelStyle::weights ? panel.map : ColourMap::diverging,
                                   .low = low,
                                   .high = high,
                                   .words = scaled_by_row(panel) ? kRowWords : std::array<std::string_view, 3>{},
                                   .ink = colours.muted,
                                   .theme = style.theme},
                .opacity = panel.opacity});
  if (!panel.caption.empty())
    // Below the colour bar, too, where that is the longer.
    add_text(figure, id + ".caption",
             {cells.x, cells.y + (s.has_bar() ? bar_h : cells.h) + 4, panel_width(s) - s.label_width, 16},
             {.text = panel.caption, .size = kLabelSize, .colour = colours.muted}, panel.opacity);
}

void add_joint(Figure& figure, const Joint& joint, const std::string& id, Rect rect, const PanelStyleSheet& style) {
  const Palette& colours = palette(style.theme);
  const float middle = rect.y + rect.h / 2;
  if (joint.sign == "→") {
    figure.add(
        {.id = id,
         .shape = Arrow{.from = {rect.x + 2, middle}, .to = {rect.right() - 2, middle}, .colour = colours.muted}});
  } else {
    add_text(figure, id, {rect.x, middle - 12, rect.w, 24},
             {.text = joint.sign, .size = 18, .colour = colours.muted, .align = Align::centre});
  }
  if (!joint.above.empty())
    add_text(figure, id + ".above", {rect.x, middle - 26, rect.w, 16},
             {.text = joint.above, .size = kLabelSize, .colour = colours.muted, .align = Align::centre});
  if (!joint.below.empty())
    add_text(figure, id + ".below", {rect.x, middle + 10, rect.w, 16},
             {.text = joint.below, .size = kLabelSize, .colour = colours.muted, .align = Align::centre});
}

// From one line down to the next, with its words beside it.
void add_down_joint(Figure& figure, const Joint& joint, const std::string& id, Point top_left, float right,
                    const PanelStyleSheet& style) {
  const Palette& colours = palette(style.theme);
  const std::string between = joint.above.empty() || joint.below.empty() ? "" : ", ";
  const std::string words = joint.above + between + joint.below;
  const float width = text::measure(text::Face::regular, kLabelSize, words);
  const float x = std::min(top_left.x + 8, right - width - 12);
  figure.add(
      {.id = id,
       .shape = Arrow{.from = {x, top_left.y + 2}, .to = {x, top_left.y + kDownHeight - 2}, .colour = colours.muted}});
  add_text(figure, id + ".above", {x + 12, top_left.y + 3, width, 16},
           {.text = words, .size = kLabelSize, .colour = colours.muted});
}

}  // namespace

std::string words_of_name(std::string_view tensor) {
  std::string words(tensor);
  for (std::size_t i = 0; i < tensor.size(); ++i)
    if (tensor[i] == '_' && i - (tensor.rfind(' ', i) + 1) > 1) words[i] = ' ';
  return words;
}

int decimals_for(const Matrix& values, int most) {
  for (int decimals = 0; decimals < most; ++decimals) {
    const float power = std::pow(10.F, static_cast<float>(decimals));
    const bool exact = std::ranges::all_of(values.reshaped<Eigen::RowMajor>(), [&](float value) {
      const float rounded = std::round(value * power);
      const bool lost = rounded == 0 && value != 0;  // however little it is, 0 would be wrong
      return !std::isfinite(value) || (!lost && std::abs(value * power - rounded) < 1e-4F);
    });
    if (exact) return decimals;
  }
  return most;
}

float add_panels(Figure& figure, const Trace& trace, const std::vector<PanelRow>& rows, Rect area,
                 const PanelStyleSheet& style) {
  const std::vector<SizedRow> sized = lay_out(rows, trace, area, style);
  // Nearer to the top than to the bottom, as on a page.
  float y = area.y + std::max(0.F, area.h - rows_height(sized)) * style.sink;
  int joint_count = 0;
  float cells_x = area.x;  // of the last panel before
  float widest_alone = 0;  // of the panels that have a row of their own
  for (const SizedRow& row : sized)
    if (row.size() == 1 && row.front().panel != nullptr) widest_alone = std::max(widest_alone, row_width(row));
  for (std::size_t i = 0; i < sized.size(); ++i) {
    const SizedRow& row = sized[i];
    y += row_gap(sized, i);
    const std::string joint_id = "joint." + std::to_string(joint_count);
    if (is_down(row)) {
      add_down_joint(figure, *row.front().joint, joint_id, {cells_x, y}, area.right(), style);
      ++joint_count;
      y += kDownHeight;
      continue;
    }
    const float width_of_row = style.aligned && row.size() == 1 ? widest_alone : row_width(row);
    float x = area.x + std::max(0.F, (area.w - width_of_row) / 2);
    float cells_middle = 0;  // joints stand at the height of the cells' middle
    for (const Sized& s : row)
      if (s.panel != nullptr) cells_middle = std::max(cells_middle, s.header() + s.cells_h() / 2);
    for (const Sized& s : row) {
      const float width = panel_width(s);
      if (s.panel != nullptr) {
        cells_x = x + s.label_width;
        add_panel(figure, s, {x, y + cells_middle - s.header() - s.cells_h() / 2}, style);
      } else {
        add_joint(figure, *s.joint, "joint." + std::to_string(joint_count++), {x, y + cells_middle - 20, width, 40},
                  style);
      }
      x += width + kItemGap;
    }
    y += row_height(row);
  }
  return y;
}

namespace {

// The places of a row (column −1), a column (row −1) or a cell of a tensor, and the elements that show it.
std::vector<std::pair<std::string, Rect>> places_of(const Figure& figure, std::string_view tensor, int row,
                                                    int column) {
  std::vector<std::pair<std::string, Rect>> places;
  for (const Element& cells : figure.elements) {
    const CellRange* range = nullptr;
    if (const auto* matrix = std::get_if<MatrixCells>(&cells.shape)) range = &matrix->range;
    if (const auto* heatmap = std::get_if<Heatmap>(&cells.shape)) range = &heatmap->range;
    if (range == nullptr || range->tensor != tensor) continue;
    const int first_row = row < 0 ? range->row : row;
    const int last_row = row < 0 ? range->row + range->rows - 1 : row;
    const int first_column = column < 0 ? range->column : column;
    const int last_column = column < 0 ? range->column + range->columns - 1 : column;
    const std::optional<Rect> from = cell_rect(cells, first_row, first_column);
    const std::optional<Rect> to = cell_rect(cells, last_row, last_column);
    if (!from || !to) continue;
    const float x = std::min(from->x, to->x);
    const float y = std::min(from->y, to->y);
    const Rect around{x, y, std::max(from->right(), to->right()) - x, std::max(from->bottom(), to->bottom()) - y};
    places.emplace_back(cells.id + "." + std::to_string(row) + "." + std::to_string(column), around);
  }
  return places;
}

}  // namespace

void add_ring(Figure& figure, const std::string& id, Rect rect, Colour colour, float width) {
  figure.add({.id = id + ".rim",
              .rect = rect.inset(-1),
              .shape = Rectangle{.stroke = ink_on(colour), .stroke_width = width + 2, .radius = 6}});
  figure.add({.id = id, .rect = rect, .shape = Rectangle{.stroke = colour, .stroke_width = width, .radius = 5}});
}

void add_outline(Figure& figure, std::string_view tensor, int row, int column, Colour colour, float width) {
  for (const auto& [id, place] : places_of(figure, tensor, row, column))
    add_ring(figure, "outline." + id, place.inset(-2), colour, width);
}

void add_tint(Figure& figure, std::string_view tensor, int row, int column, Colour colour) {
  for (const auto& [id, place] : places_of(figure, tensor, row, column))
    figure.add({.id = "tint." + id, .rect = place, .shape = Rectangle{.fill = colour, .radius = 3}});
}

float add_words(Figure& figure, const std::string& id, Point at, float width, const std::string& words, Words style) {
  const std::string fitted = text::fit(style.face, style.size, words, width);
  const float used = text::measure(style.face, style.size, fitted);
  figure.add(
      {.id = id,
       .rect = {at.x, at.y, style.align == Align::left ? used : width, style.size + 6},
       .shape =
           Text{.text = fitted, .face = style.face, .size = style.size, .colour = style.colour, .align = style.align}});
  return used;
}

namespace {

// The length of the subscript of a name of one letter, as in s_0, W_q or A_3.2, whose underscore stands there; 0: none
// does.
std::size_t subscript_length(std::string_view text, std::size_t at) {
  const auto is_ascii = [text](std::size_t i, auto kind) {
    return i < text.size() && kind(static_cast<unsigned char>(text[i])) != 0;
  };
  const auto letter = [](int c) { return std::isalpha(c); };
  const auto letter_or_digit = [](int c) { return std::isalnum(c); };
  if (text[at] != '_' || at == 0 || !is_ascii(at - 1, letter) || (at > 1 && is_ascii(at - 2, letter_or_digit)))
    return 0;
  // Of "A_3.2" both numbers; a full stop at its end is the sentence's.
  std::size_t length = 0;
  const auto is_below = [&](std::size_t i) {
    return is_ascii(i, letter_or_digit) || (length > 0 && text[i] == '.' && is_ascii(i + 1, letter_or_digit));
  };
  while (at + 1 + length < text.size() && is_below(at + 1 + length)) ++length;
  return length;
}

float set_paragraph(Figure& figure, const std::string& id, std::string_view marked, Point top_left, float width,
                    float size, Colour colour, Colour bold_colour, float line_height, std::vector<Run>* runs) {
  struct Word {
    std::string text;
    std::size_t begin;  // in `marked`
    bool bold;
    bool glued;          // no space before it
    bool below = false;  // a subscript
  };
  std::vector<Word> words;
  bool bold = false;
  bool glued = true;
  std::string word;
  std::size_t begin = 0;
  const auto finish = [&] {
    if (!word.empty()) words.push_back({word, begin, bold, glued});
    if (!word.empty()) glued = true;
    word.clear();
  };
  for (std::size_t i = 0; i < marked.size(); ++i) {
    if (marked.substr(i, 2) == "**") {
      finish();
      bold = !bold;
      ++i;
    } else if (marked[i] == ' ') {
      finish();
      glued = false;
    } else if (const std::size_t length = subscript_length(marked, i); length > 0) {
      finish();
      words.push_back({std::string(marked.substr(i + 1, length)), i + 1, bold, true, true});
      i += length;
    } else {
      if (word.empty()) begin = i;
      word += marked[i];
    }
  }
  finish();
  const float pitch = size * line_height;
  float x = 0;
  float y = 0;
  int run = 0;
  const auto size_of = [size](const Word& w) { return w.below ? size * 0.75F : size; };
  const auto measure = [size_of](const Word& w) {
    return text::measure(w.bold ? text::Face::semibold : text::Face::regular, size_of(w), w.text);
  };
  for (std::size_t i = 0; i < words.size(); ++i) {
    const Word& w = words[i];
    const text::Face face = w.bold ? text::Face::semibold : text::Face::regular;
    // With what is glued to it, so that no line begins with a comma.
    float whole = measure(w);
    for (std::size_t next = i + 1; next < words.size() && words[next].glued; ++next) whole += measure(words[next]);
    if (!w.glued && x > 0 && whole <= width && x + text::measure(text::Face::regular, size, " ") + whole > width) {
      x = 0;
      y += pitch;
    }
    const float space = w.glued || x == 0 ? 0 : text::measure(text::Face::regular, size, " ");
    std::size_t at = w.begin;
    for (const std::string& piece : text::wrap(face, size_of(w), w.text, width)) {
      const float piece_width = text::measure(face, size_of(w), piece);
      if (x + space + piece_width > width && x > 0) {
        x = 0;
        y += pitch;
      } else {
        x += space;
      }
      const float down = w.below ? size * 0.56F : 0;  // its middle by half of that
      const Rect rect{top_left.x + x, top_left.y + y + down, piece_width, pitch - down};
      if (runs != nullptr) runs->push_back({at, at + piece.size(), rect, face, size_of(w)});
      at += piece.size();
      figure.add(
          {.id = id + "." + std::to_string(run++),
           .rect = rect,
           .shape = Text{.text = piece, .face = face, .size = size_of(w), .colour = w.bold ? bold_colour : colour}});
      x += piece_width;
    }
  }
  return y + pitch;
}

}  // namespace

float add_paragraph(Figure& figure, const std::string& id, std::string_view marked, Point top_left, float width,
                    float size, Colour colour, Colour bold_colour, float line_height) {
  return set_paragraph(figure, id, marked, top_left, width, size, colour, bold_colour, line_height, nullptr);
}

float add_paragraph(Figure& figure, const std::string& id, std::string_view marked, Point top_left, float width,
                    float size, Colour colour, float line_height, std::vector<Run>& runs) {
  return set_paragraph(figure, id, marked, top_left, width, size, colour, colour, line_height, &runs);
}

}  // namespace limelight::figure
