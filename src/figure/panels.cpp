#include "figure/panels.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "figure/panel_sizes.h"

namespace limelight::figure {
namespace {

constexpr float kSmallestLabel = 9.5F;  // of rows that are lower than a label

CellRange window_of(const Panel& panel, const Tensor& tensor) {
  return panel.window.value_or(CellRange{panel.tensor, 0, 0, tensor.rows(), tensor.columns()});
}

void add_text(Figure& figure, std::string id, Rect rect, Text text, float opacity = 1) {
  figure.add({.id = std::move(id), .rect = rect, .shape = std::move(text), .opacity = opacity});
}

void add_labels(Figure& figure, const std::string& id, const Sized& s, Rect cells, const CellRange& window,
                const PanelStyleSheet& style) {
  const Panel& panel = *s.panel;
  const Palette& colours = palette(style.theme);
  const auto label_text = [&](const std::string& label, float room) {
    return text::fit(text::Face::regular, kPanelLabel, label, room);
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
  const float row_size = std::clamp(pitch_h, kSmallestLabel, kPanelLabel);
  const int row_stride = std::max(1, static_cast<int>(std::ceil((row_size - 0.5F) / pitch_h)));
  const int column_stride = std::max(1, static_cast<int>(std::ceil((kPanelLabel + 1) / pitch_w)));
  const auto is_under_chosen = [&](int token) {
    const bool seen = style.chosen_row >= first_row && style.chosen_row < first_row + row_count;
    return panel.tokens && seen && std::abs(token - style.chosen_row) < row_stride;
  };
  if (panel.row_labels)
    for (int i = 0; i < row_count && first_row + i < static_cast<int>(rows.size()); ++i) {
      const int token = first_row + i;
      const bool chosen = panel.tokens && token == style.chosen_row;
      if (!chosen && (token % row_stride != 0 || is_under_chosen(token))) continue;
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
                .size = kPanelLabel,
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

// Of the colours' ends.
std::pair<float, float> bounds_of(const Sized& s) {
  const Panel& panel = *s.panel;
  if (panel.style == PanelStyle::weights && panel.normalise != Normalise::min_max) return {0.F, 1.F};
  if (panel.style == PanelStyle::weights) return {s.tensor->values.minCoeff(), s.tensor->values.maxCoeff()};
  return {-s.limit, s.limit};
}

Shape shape_of(const Sized& s, const CellRange& window, Rect cells, Theme theme) {
  const Panel& panel = *s.panel;
  const float cell_w = cells.w / static_cast<float>(panel.transposed ? window.rows : window.columns);
  const float cell_h = cells.h / static_cast<float>(panel.transposed ? window.columns : window.rows);
  float text_size = s.size().text;
  // A dotted panel that is zoomed into has room for numbers again.
  if (text_size == 0)
    for (const Tier& tier : kTiers)
      if (tier.text > 0 && cell_w >= s.needed_w(tier.text) && cell_h >= tier.h) {
        text_size = tier.text;
        break;
      }
  const int decimals = text_size > 0 && text_size <= kSmallText ? std::min(s.most_decimals, 2) : s.most_decimals;
  const bool dots = s.size().text == 0;
  if (panel.style == PanelStyle::plain && !dots) {
    return MatrixCells{.range = window,
                       .text_size = text_size,
                       .decimals = decimals,
                       .tint = panel.tint.value_or(fill_of(palette(theme), panel.colour)),
                       .theme = theme,
                       .transposed = panel.transposed};
  }
  const bool weights = panel.style == PanelStyle::weights;
  const auto [low, high] = bounds_of(s);
  return Heatmap{.range = window,
                 .map = weights ? panel.map : ColourMap::diverging,
                 .normalise = weights ? panel.normalise : Normalise::zero_one,
                 .low = low,
                 .high = high,
                 .gap = dots ? (cell_w >= 10 && cell_h >= 10 ? 1.F : 0.F) : 2.F,
                 .text_size = text_size,
                 .decimals = decimals,
                 .mask = panel.mask,
                 .theme = theme,
                 .transposed = panel.transposed,
                 .zooms = true};
}

void add_panel(Figure& figure, const Sized& s, Point corner, const PanelStyleSheet& style) {
  const Panel& panel = *s.panel;
  const Palette& colours = palette(style.theme);
  const CellRange window = window_of(panel, *s.tensor);
  // A matrix may stand in several places of a figure: the second is "X#2".
  std::string id = panel.tensor;
  for (int count = 2; figure.find(id) != nullptr; ++count) id = panel.tensor + "#" + std::to_string(count);
  const Rect cells{corner.x + s.label_width, corner.y + s.header(), s.cells_w(), s.cells_h()};
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
                  .shape = shape_of(s, window, cells, style.theme),
                  .opacity = panel.opacity};
  if (panel.editable) element.edit = Edit{panel.tensor, {}};
  figure.add(std::move(element));
  const float bar_h = std::max(cells.h, kShortestBar);
  const auto [low, high] = bounds_of(s);
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
             {.text = panel.caption, .size = kPanelLabel, .colour = colours.muted}, panel.opacity);
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
             {.text = joint.above, .size = kPanelLabel, .colour = colours.muted, .align = Align::centre});
  if (!joint.below.empty())
    add_text(figure, id + ".below", {rect.x, middle + 10, rect.w, 16},
             {.text = joint.below, .size = kPanelLabel, .colour = colours.muted, .align = Align::centre});
}

// From one line down to the next, with its words beside it.
void add_down_joint(Figure& figure, const Joint& joint, const std::string& id, Point top_left, float right,
                    const PanelStyleSheet& style) {
  const Palette& colours = palette(style.theme);
  const std::string between = joint.above.empty() || joint.below.empty() ? "" : ", ";
  const std::string words = joint.above + between + joint.below;
  const float width = text::measure(text::Face::regular, kPanelLabel, words);
  const float x = std::min(top_left.x + 8, right - width - 12);
  figure.add(
      {.id = id,
       .shape = Arrow{.from = {x, top_left.y + 2}, .to = {x, top_left.y + kDownHeight - 2}, .colour = colours.muted}});
  add_text(figure, id + ".above", {x + 12, top_left.y + 3, width, 16},
           {.text = words, .size = kPanelLabel, .colour = colours.muted});
}

}  // namespace

std::string words_of_name(std::string_view tensor) {
  std::string words(tensor);
  for (std::size_t i = 0; i < tensor.size(); ++i)
    if (tensor[i] == '_' && i - (tensor.rfind(' ', i) + 1) > 1) words[i] = ' ';
  for (const auto& [id, name] : {std::pair{"W_q", "W_Q"}, {"W_k", "W_K"}, {"W_v", "W_V"}})
    if (words == id) return name;
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

}  // namespace limelight::figure
