#include "figure/panel_sizes.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "io/numbers.h"

namespace limelight::figure {
namespace {

constexpr int kFirstTier[] = {0, 3, 5};        // by emphasis
constexpr int kFirstTierNarrow[] = {2, 5, 6};  // the same where rows are broken
constexpr float kMostScrolled = 480;           // a matrix that is higher than this and than its area becomes a map
constexpr float kDownGap = 8;
constexpr float kLongestLabel = 96;
constexpr float kLongestUpright = 72;
constexpr float kShortestLabel = 24;  // a letter or two
constexpr float kReadableLabel = 40;  // to which labels are cut before numbers are given up
constexpr float kCaptionHeight = 20;
constexpr float kRowGap = 22;
constexpr float kJointWidth = 30;
constexpr float kBarWidth = 58;  // a colour bar with its numbers, and that gap

}  // namespace

bool scaled_by_row(const Panel& panel) {
  return panel.style == PanelStyle::weights && panel.normalise == Normalise::row;
}

namespace {

float bar_width(const Panel& panel) {
  static constexpr std::array<std::string_view, 3> kWeights = {"0.000324"};  // none is longer
  const bool between = panel.style == PanelStyle::weights && panel.normalise == Normalise::min_max;
  if (!scaled_by_row(panel) && !between) return kBarWidth;
  float widest = 0;
  for (const std::string_view word : between ? kWeights : kRowWords)
    widest = std::max(widest, text::measure(text::Face::mono, kColourBarText, word));
  return kBarGap + kColourBarSize + 6 + widest;
}

}  // namespace

float panel_width(const Sized& s) {
  if (s.joint != nullptr) {
    const float words = std::max(text::measure(text::Face::regular, kPanelLabel, s.joint->above),
                                 text::measure(text::Face::regular, kPanelLabel, s.joint->below));
    return std::max(kJointWidth, words + 8);
  }
  const float title = text::measure(text::Face::semibold, 14, s.panel->title) + 48;
  const float caption = text::measure(text::Face::regular, kPanelLabel, s.panel->caption);
  const float bar = s.has_bar() ? bar_width(*s.panel) : 0;
  return s.label_width + std::max({s.cells_w() + bar, title + bar, caption});
}

namespace {

float panel_height(const Sized& s) {
  if (s.joint != nullptr) return s.down ? kDownHeight : 0;
  return s.header() + std::max(s.cells_h(), s.has_bar() ? kShortestBar : 0) +
         (s.panel->caption.empty() ? 0 : kCaptionHeight);
}

}  // namespace

const std::vector<std::string>& drawn_rows(const Sized& s) {
  return s.panel->transposed ? s.tensor->column_labels : s.tensor->row_labels;
}
const std::vector<std::string>& drawn_columns(const Sized& s) {
  return s.panel->transposed ? s.tensor->row_labels : s.tensor->column_labels;
}

namespace {

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
      s.label_width = std::max(s.label_width, text::measure(text::Face::semibold, kPanelLabel, label) + 0.5F);
  if (s.label_width > 0) s.label_width = std::min(s.label_width, kLongestLabel) + kLabelGap;
  s.whole_labels = s.label_width;
  if (panel.column_labels)
    for (const std::string& label : drawn_columns(s))
      s.longest_column_label = std::max(
          s.longest_column_label, std::min(text::measure(text::Face::regular, kPanelLabel, label), kLongestUpright));
  return s;
}

}  // namespace

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

namespace {

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

}  // namespace

bool is_down(const SizedRow& row) { return row.front().down; }

float row_gap(const std::vector<SizedRow>& rows, std::size_t i) {
  if (i == 0) return 0;
  return is_down(rows[i]) || is_down(rows[i - 1]) ? kDownGap : kRowGap;
}

float rows_height(const std::vector<SizedRow>& rows) {
  float height = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) height += row_gap(rows, i) + row_height(rows[i]);
  return height;
}

namespace {

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

}  // namespace

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

}  // namespace limelight::figure
