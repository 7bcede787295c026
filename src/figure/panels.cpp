#include "figure/panels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "io/numbers.h"

namespace limelight::figure {
namespace {

// Sizes of a cell, from the largest to the smallest that holds a number, then dots.
struct Tier {
  float w, h, text;  // text 0: no numbers
};
constexpr std::array kTiers = {
    Tier{84, 62, 17}, Tier{72, 50, 15}, Tier{62, 40, 13}, Tier{52, 32, 13}, Tier{44, 26, 12}, Tier{38, 22, 11},
    Tier{32, 19, 10}, Tier{18, 18, 0},  Tier{15, 15, 0},  Tier{12, 12, 0},  Tier{10, 10, 0},  Tier{8, 8, 0},
    Tier{7, 7, 0},    Tier{6, 6, 0},    Tier{5, 5, 0},    Tier{4, 4, 0},    Tier{3, 3, 0},    Tier{2, 2, 0}};
constexpr int kFirstTier[] = {0, 2, 4};  // by emphasis
constexpr float kTitleHeight = 24;
constexpr float kLabelSize = 12;
constexpr float kLabelGap = 8;
constexpr float kLongestLabel = 96;
constexpr float kColumnLabelHeight = 18;
constexpr float kCaptionHeight = 20;
constexpr float kRowGap = 22;
constexpr float kJointWidth = 30;
constexpr float kItemGap = 12;
constexpr float kBarWidth = 44;  // a colour bar with its numbers

struct Sized {
  const Panel* panel = nullptr;  // one of the two
  const Joint* joint = nullptr;
  const Tensor* tensor = nullptr;
  int tier = 0;
  int decimals = 2;
  int rows = 0;     // as drawn: of the window, and turned when transposed
  int columns = 0;
  float number_width = 0;  // of the longest number at size 1
  float label_width = 0;   // of the row labels
  float longest_column_label = 0;

  [[nodiscard]] const Tier& size() const { return kTiers[static_cast<std::size_t>(tier)]; }
  [[nodiscard]] float cell_w() const {
    const Tier& t = size();
    return t.text > 0 ? std::max(t.w, number_width * t.text + 8) : t.w;
  }
  [[nodiscard]] float cells_w() const { return cell_w() * static_cast<float>(columns); }
  [[nodiscard]] float cells_h() const { return size().h * static_cast<float>(rows); }
  // Column labels stand upright where they are wider than their cell, and then need that much height.
  [[nodiscard]] bool upright_labels() const { return longest_column_label > cell_w() - 4; }
  [[nodiscard]] float header() const {
    if (!panel->column_labels) return kTitleHeight;
    return kTitleHeight + (upright_labels() ? longest_column_label + 6 : kColumnLabelHeight);
  }
};

// Titles, shapes and captions may be wider than the cells.
float panel_width(const Sized& s) {
  if (s.joint != nullptr) {
    const float words = std::max(text::measure(text::Face::regular, kLabelSize, s.joint->above),
                                 text::measure(text::Face::regular, kLabelSize, s.joint->below));
    return std::max(kJointWidth, words + 8);
  }
  const float title = text::measure(text::Face::semibold, 14, s.panel->title) + 48;
  const float caption = text::measure(text::Face::regular, kLabelSize, s.panel->caption);
  return s.label_width + std::max({s.cells_w(), title, caption}) + (s.panel->colour_bar ? kBarWidth : 0);
}

float panel_height(const Sized& s) {
  if (s.joint != nullptr) return 0;
  return s.header() + s.cells_h() + (s.panel->caption.empty() ? 0 : kCaptionHeight);
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

Sized size_panel(const Panel& panel, const Trace& trace) {
  Sized s{.panel = &panel, .tensor = &trace.at(panel.tensor)};
  s.rows = panel.transposed ? s.tensor->columns() : s.tensor->rows();
  s.columns = panel.transposed ? s.tensor->rows() : s.tensor->columns();
  s.tier = kFirstTier[static_cast<int>(panel.emphasis)];
  s.decimals = decimals_for(s.tensor->values, panel.style == PanelStyle::weights ? 3 : 2);
  for (const float value : s.tensor->values.reshaped())
    s.number_width = std::max(
        s.number_width, text::measure(text::Face::mono, 1, io::format_fixed(value, s.decimals)));
  if (panel.row_labels)
    for (const std::string& label : drawn_rows(s))
      s.label_width = std::max(s.label_width, text::measure(text::Face::regular, kLabelSize, label));
  if (s.label_width > 0) s.label_width = std::min(s.label_width, kLongestLabel) + kLabelGap;
  if (panel.column_labels)
    for (const std::string& label : drawn_columns(s))
      s.longest_column_label =
          std::max(s.longest_column_label, std::min(text::measure(text::Face::regular, kLabelSize, label), kLongestLabel));
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

// True when something could be made smaller.
template <class Rows, class Measure>
bool shrink_largest(Rows&& sized, Measure measure) {
  Sized* largest = nullptr;
  for (Sized* s : sized) {
    if (s->panel == nullptr || s->tier + 1 >= static_cast<int>(kTiers.size())) continue;
    if (largest == nullptr || measure(*s) > measure(*largest)) largest = s;
  }
  if (largest == nullptr) return false;
  ++largest->tier;
  return true;
}

std::vector<Sized*> pointers(SizedRow& row) {
  std::vector<Sized*> list;
  for (Sized& s : row) list.push_back(&s);
  return list;
}

void shrink_to_fit(std::vector<SizedRow>& rows, Rect area, bool scrolls) {
  for (SizedRow& row : rows)
    while (row_width(row) > area.w)
      if (!shrink_largest(pointers(row), [](const Sized& s) { return s.cells_w(); })) break;
  if (scrolls) return;
  for (;;) {
    float height = -kRowGap;
    for (const SizedRow& row : rows) height += row_height(row) + kRowGap;
    if (height <= area.h) return;
    // A row is as tall as its tallest, so that one shrinks.
    SizedRow* tallest = nullptr;
    for (SizedRow& row : rows)
      if (tallest == nullptr || row_height(row) > row_height(*tallest)) tallest = &row;
    if (tallest == nullptr || !shrink_largest(pointers(*tallest), panel_height)) return;
  }
}

void add_text(Figure& figure, std::string id, Rect rect, Text text, float opacity = 1) {
  figure.add({.id = std::move(id), .rect = rect, .shape = std::move(text), .opacity = opacity});
}

std::vector<SizedRow> break_rows(const std::vector<PanelRow>& rows, const Trace& trace, float width) {
  std::vector<SizedRow> broken;
  for (const PanelRow& row : rows) {
    SizedRow sized;
    for (const PanelItem& item : row) {
      if (const Panel* panel = std::get_if<Panel>(&item))
        sized.push_back(size_panel(*panel, trace));
      else
        sized.push_back({.joint = std::get_if<Joint>(&item)});
    }
    // In a narrow area every panel gets a line of its own, with the joint that leads to it in front.
    constexpr float kNarrow = 520;
    if (width >= kNarrow) {
      broken.push_back(std::move(sized));
      continue;
    }
    SizedRow line;
    for (Sized& s : sized) {
      const bool full = !line.empty() && line.back().panel != nullptr;
      if (full) {
        SizedRow trial = line;
        trial.push_back(s);
        for (Sized& t : trial)
          if (t.panel != nullptr) t.tier = std::max(t.tier, 5);  // two panels may share a line when their small form fits
        if (row_width(trial) + kJointWidth > width) {
          broken.push_back(std::move(line));
          line.clear();
        }
      }
      line.push_back(std::move(s));
    }
    if (!line.empty()) broken.push_back(std::move(line));
  }
  return broken;
}

void add_labels(Figure& figure, const Sized& s, Rect cells, const CellRange& window, const PanelStyleSheet& style) {
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
  const int row_stride = std::max(1, static_cast<int>(std::ceil((kLabelSize + 1) / pitch_h)));
  const int column_stride = std::max(1, static_cast<int>(std::ceil((kLabelSize + 1) / pitch_w)));
  if (panel.row_labels)
    for (int i = 0; i < row_count && first_row + i < static_cast<int>(rows.size()); ++i) {
      const int token = first_row + i;
      const bool chosen = panel.tokens && token == style.chosen_row;
      if (token % row_stride != 0 && !chosen) continue;
      Element element{.id = panel.tensor + ".row." + std::to_string(token),
                      .rect = {cells.x - s.label_width, cells.y + pitch_h * static_cast<float>(i),
                               s.label_width - kLabelGap, pitch_h},
                      .shape = Text{.text = label_text(rows[static_cast<std::size_t>(token)], kLongestLabel),
                                    .face = chosen ? text::Face::semibold : text::Face::regular,
                                    .size = kLabelSize,
                                    .colour = chosen ? colours.query : colours.muted,
                                    .align = Align::right},
                      .opacity = panel.opacity};
      if (panel.tokens) {
        element.role = Role::token;
        element.label = rows[static_cast<std::size_t>(token)];
        element.edit = Edit{"query", std::to_string(token)};
      }
      figure.add(std::move(element));
    }
  if (panel.column_labels)
    for (int j = 0; j < column_count && first_column + j < static_cast<int>(columns.size()); ++j) {
      const int token = first_column + j;
      if (s.upright_labels() && token % column_stride != 0) continue;
      const float x = cells.x + pitch_w * static_cast<float>(j);
      const float height = s.upright_labels() ? s.longest_column_label + 6 : kColumnLabelHeight;
      add_text(figure, panel.tensor + ".column." + std::to_string(token), {x, cells.y - height, pitch_w, height - 4},
               {.text = label_text(columns[static_cast<std::size_t>(token)],
                                   s.upright_labels() ? kLongestLabel : pitch_w + 4),
                .size = kLabelSize,
                .colour = colours.muted,
                .align = s.upright_labels() ? Align::left : Align::centre,
                .vertical = s.upright_labels()},
               panel.opacity);
    }
}

void add_panel(Figure& figure, const Sized& s, Point corner, const PanelStyleSheet& style) {
  const Panel& panel = *s.panel;
  const Palette& colours = palette(style.theme);
  const CellRange window = window_of(panel, *s.tensor);
  const Rect cells{corner.x + s.label_width, corner.y + s.header(), s.cells_w(), s.cells_h()};
  const int drawn_columns_count = panel.transposed ? window.rows : window.columns;
  const int drawn_rows_count = panel.transposed ? window.columns : window.rows;
  const float cell_w = cells.w / static_cast<float>(drawn_columns_count);
  const float cell_h = cells.h / static_cast<float>(drawn_rows_count);
  float text_size = s.size().text;
  // A dotted panel that is zoomed into has room for numbers again.
  if (text_size == 0)
    for (const Tier& tier : kTiers)
      if (tier.text > 0 && cell_w >= std::max(tier.w, s.number_width * tier.text + 4) && cell_h >= tier.h) {
        text_size = tier.text;
        break;
      }

  const std::string title = panel.title.empty() ? panel.tensor : panel.title;
  const float title_width = text::measure(text::Face::semibold, 14, title);
  add_text(figure, panel.tensor + ".title", {cells.x, corner.y, title_width, 18},
           {.text = title, .face = text::Face::semibold, .size = 14, .colour = panel.colour}, panel.opacity);
  const auto shape_text = [](int rows, int columns) { return std::to_string(rows) + "×" + std::to_string(columns); };
  add_text(figure, panel.tensor + ".shape", {cells.x + title_width + 8, corner.y, 60, 18},
           {.text = shape_text(s.rows, s.columns), .face = text::Face::mono, .size = 11, .colour = colours.faint},
           panel.opacity);
  add_labels(figure, s, cells, window, style);

  Element element{.id = panel.tensor,
                  .role = Role::cell,
                  .rect = cells,
                  .label = title + " " + shape_text(s.tensor->rows(), s.tensor->columns()),
                  .opacity = panel.opacity};
  if (panel.editable) element.edit = Edit{panel.tensor, {}};
  const bool dots = s.size().text == 0;
  const auto [low, high] = [&]() -> std::pair<float, float> {
    if (panel.style == PanelStyle::weights) return {0.F, 1.F};
    float largest = 0;
    for (const float value : s.tensor->values.reshaped())
      if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
    return {-std::max(largest, 1e-6F), std::max(largest, 1e-6F)};
  }();
  if (panel.style == PanelStyle::weights || dots) {
    const bool weights = panel.style == PanelStyle::weights;
    element.shape = Heatmap{.range = window,
                            .map = weights ? panel.map : ColourMap::diverging,
                            .normalise = weights ? panel.normalise : Normalise::zero_one,
                            .low = low,
                            .high = high,
                            .gap = dots ? (cell_w >= 10 && cell_h >= 10 ? 1.F : 0.F) : 2.F,
                            .text_size = text_size,
                            .decimals = s.decimals,
                            .mask = panel.mask,
                            .theme = style.theme};
  } else {
    element.shape = MatrixCells{.range = window,
                                .gap = 2,
                                .radius = 3,
                                .text_size = text_size,
                                .decimals = s.decimals,
                                .fill = colours.sunken,
                                .ink = colours.ink,
                                .transposed = panel.transposed};
  }
  figure.add(std::move(element));
  if (panel.colour_bar)
    figure.add({.id = panel.tensor + ".bar",
                .rect = {cells.right() + 18, cells.y, 12, cells.h},
                .shape = ColourBar{.map = panel.map, .low = 0, .high = 1, .ink = colours.muted, .theme = style.theme},
                .opacity = panel.opacity});
  if (!panel.caption.empty())
    add_text(figure, panel.tensor + ".caption", {cells.x, cells.bottom() + 4, panel_width(s) - s.label_width, 16},
             {.text = panel.caption, .size = kLabelSize, .colour = colours.muted}, panel.opacity);
}

void add_joint(Figure& figure, const Joint& joint, const std::string& id, Rect rect, const PanelStyleSheet& style) {
  const Palette& colours = palette(style.theme);
  const float middle = rect.y + rect.h / 2;
  if (joint.sign == "→") {
    figure.add({.id = id,
                .shape = Arrow{.from = {rect.x + 2, middle}, .to = {rect.right() - 2, middle}, .colour = colours.muted}});
  } else {
    add_text(figure, id, {rect.x, middle - 12, rect.w, 24},
             {.text = joint.sign, .size = 18, .colour = colours.muted, .align = Align::centre});
  }
  add_text(figure, id + ".above", {rect.x, middle - 26, rect.w, 16},
           {.text = joint.above, .size = kLabelSize, .colour = colours.muted, .align = Align::centre});
  add_text(figure, id + ".below", {rect.x, middle + 10, rect.w, 16},
           {.text = joint.below, .size = kLabelSize, .colour = colours.muted, .align = Align::centre});
}

}  // namespace

int decimals_for(const Matrix& values, int most) {
  for (int decimals = 0; decimals < most; ++decimals) {
    const float power = std::pow(10.F, static_cast<float>(decimals));
    const bool exact = std::ranges::all_of(values.reshaped(), [&](float value) {
      return !std::isfinite(value) || std::abs(value * power - std::round(value * power)) < 1e-4F;
    });
    if (exact) return decimals;
  }
  return most;
}

float add_panels(Figure& figure, const Trace& trace, const std::vector<PanelRow>& rows, Rect area,
                 const PanelStyleSheet& style) {
  std::vector<SizedRow> sized = break_rows(rows, trace, area.w);
  shrink_to_fit(sized, area, sized.size() > rows.size());
  float y = area.y;
  int joint_count = 0;
  for (const SizedRow& row : sized) {
    const float height = row_height(row);
    float x = area.x + std::max(0.F, (area.w - row_width(row)) / 2);
    float cells_middle = 0;  // joints stand at the height of the cells' middle
    for (const Sized& s : row)
      if (s.panel != nullptr) cells_middle = std::max(cells_middle, s.header() + s.cells_h() / 2);
    for (const Sized& s : row) {
      const float width = panel_width(s);
      if (s.panel != nullptr) {
        add_panel(figure, s, {x, y + cells_middle - s.header() - s.cells_h() / 2}, style);
      } else {
        add_joint(figure, *s.joint, "joint." + std::to_string(joint_count++), {x, y + cells_middle - 20, width, 40}, style);
      }
      x += width + kItemGap;
    }
    y += height + kRowGap;
  }
  return y - kRowGap;
}

void add_outline(Figure& figure, std::string_view tensor, int row, int column, Colour colour, float width) {
  const Element* cells = figure.find(tensor);
  if (cells == nullptr) return;
  const CellRange* range = nullptr;
  if (const auto* matrix = std::get_if<MatrixCells>(&cells->shape)) range = &matrix->range;
  if (const auto* heatmap = std::get_if<Heatmap>(&cells->shape)) range = &heatmap->range;
  if (range == nullptr) return;
  const int first_row = row < 0 ? range->row : row;
  const int last_row = row < 0 ? range->row + range->rows - 1 : row;
  const int first_column = column < 0 ? range->column : column;
  const int last_column = column < 0 ? range->column + range->columns - 1 : column;
  const std::optional<Rect> from = cell_rect(*cells, first_row, first_column);
  const std::optional<Rect> to = cell_rect(*cells, last_row, last_column);
  if (!from || !to) return;
  const float x = std::min(from->x, to->x);
  const float y = std::min(from->y, to->y);
  const Rect around{x, y, std::max(from->right(), to->right()) - x, std::max(from->bottom(), to->bottom()) - y};
  figure.add({.id = "outline." + std::string(tensor) + "." + std::to_string(row) + "." + std::to_string(column),
              .rect = around.inset(-2),
              .shape = Rectangle{.stroke = colour, .stroke_width = width, .radius = 5}});
}

float add_paragraph(Figure& figure, const std::string& id, std::string_view marked, Point top_left, float width, float size,
                    Colour colour, Colour bold_colour, float line_height) {
  struct Word {
    std::string text;
    bool bold;
    bool glued;  // no space before it
  };
  std::vector<Word> words;
  bool bold = false;
  bool glued = true;
  std::string word;
  const auto finish = [&] {
    if (!word.empty()) words.push_back({word, bold, glued});
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
    } else {
      word += marked[i];
    }
  }
  finish();
  const float pitch = size * line_height;
  float x = 0;
  float y = 0;
  int run = 0;
  for (const Word& w : words) {
    const text::Face face = w.bold ? text::Face::semibold : text::Face::regular;
    const float space = w.glued || x == 0 ? 0 : text::measure(text::Face::regular, size, " ");
    for (const std::string& piece : text::wrap(face, size, w.text, width)) {
      const float piece_width = text::measure(face, size, piece);
      if (x + space + piece_width > width && x > 0) {
        x = 0;
        y += pitch;
      } else {
        x += space;
      }
      figure.add({.id = id + "." + std::to_string(run++),
                  .rect = {top_left.x + x, top_left.y + y, piece_width, pitch},
                  .shape = Text{.text = piece, .face = face, .size = size, .colour = w.bold ? bold_colour : colour}});
      x += piece_width;
    }
  }
  return y + pitch;
}

}  // namespace limelight::figure
