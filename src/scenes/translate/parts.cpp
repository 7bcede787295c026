#include "scenes/translate/parts.h"

#include <cmath>

#include "figure/panels.h"
#include "io/numbers.h"
#include "scenes/common/chips.h"
#include "scenes/common/explain.h"

namespace limelight::scenes::translate {

float add_strip(Drawing& d, const std::string& id, const Source& row, Rect rect, const std::string& title,
                Colour colour, const std::string& note, bool editable) {
  const Strip strip{.id = id, .row = row, .title = title, .colour = colour, .note = note, .editable = editable};
  return scenes::add_strip(d, strip, rect);
}

float add_scale(Drawing& d, float limit, float y) {
  constexpr float width = 150;
  d.figure.add(
      {.id = "scale",
       .rect = {d.margin() + d.inner() - width - 8, y, width, kColourBarSize},
       .shape = ColourBar{
           .map = ColourMap::diverging, .low = -limit, .high = limit, .ink = d.colours.muted, .theme = d.view.theme}});
  return y + 30;
}

float add_likeliest(Drawing& d, float y, float width, float x) {
  const std::string chosen = label_of(written(d.trace), d.row);
  return scenes::add_likeliest(d, d.row, chosen, {x, y}, width);
}

// ---- which output word ----

float add_output_words(Drawing& d, float y) {
  const std::vector<std::string> words = written(d.trace);
  if (d.view.compact()) return add_stepper(d, {"word", "output word", words, d.row}, {d.margin(), y}, d.inner());
  ChipGroup group{"word", "output word", {}};
  for (std::size_t t = 0; t < words.size(); ++t)
    group.chips.push_back({words[t], std::to_string(t), static_cast<int>(t) == d.row,
                           "Output word " + std::to_string(t + 1) + ": " + words[t]});
  return add_chips(d, {group}, y, d.chip_height());
}

float add_translation_input(Drawing& d, float y) {
  return add_text_input(
      d,
      {.field = "translation",
       .name = d.view.compact() ? "it reads" : "the decoder reads",
       .label = "Your own translation",
       .text = d.state.translation,
       .hint = d.view.compact() ? "what it wrote; type your own" : "what it wrote; type a translation of your own",
       .ink = d.colours.ink},
      {d.margin(), y, d.inner(), d.view.compact() ? 44.F : 30.F});
}

// ---- rows of source words ----

namespace {

constexpr float kHead = 22;
constexpr float kGap = 14;

float label_width(const Drawing& d) {
  float widest = 24;
  for (const std::string& word : d.trace.at("source").column_labels)
    widest = std::max(widest, text::measure(text::Face::regular, 13, word));
  return std::min(widest, d.narrow() ? 74.F : 96.F) + 10;
}

float text_size(float pitch) { return pitch >= 44 ? 15 : std::clamp(pitch - 6, 9.F, 12.F); }

constexpr float kTallest = 52;  // of a row

void add_bars(Drawing& d, const Column& column, Rect rect) {
  const Matrix& values = d.trace.at(column.tensor).values;
  const int count = static_cast<int>(values.cols());
  const float pitch = rect.h / static_cast<float>(count);
  const float most = std::max(values.row(d.row).maxCoeff(), 0.F), least = std::min(values.row(d.row).minCoeff(), 0.F);
  const float span = column.tensor == "weights" ? 1 : std::max(most - least, 1e-6F);
  const float zero = rect.x + (column.tensor == "weights" ? 0 : -least / span * rect.w);
  d.figure.add({.id = column.tensor + ".zero",
                .rect = {zero, rect.y, 1, rect.h},
                .shape = Rectangle{.fill = d.colours.hairline}});
  for (int j = 0; j < count; ++j) {
    const float value = values(d.row, j);
    const float length = std::max(std::abs(value) / span * rect.w, 1.5F);
    const float bar = std::max(pitch * 0.55F, 6.F);
    const std::string word = label_of(d.trace.at("source").column_labels, j);
    // A weight of 1 fills its row, and rounding must not push it out.
    const float x = std::max(std::min(value < 0 ? zero - length : zero, rect.right() - length), rect.x);
    d.figure.add({.id = column.tensor + ".bar." + std::to_string(j),
                  .role = Role::cell,
                  .rect = {x, rect.y + pitch * (static_cast<float>(j) + 0.5F) - bar / 2, length, bar},
                  .label = word + ": " + io::format_fixed(static_cast<double>(value), 3),
                  .source = Source{column.tensor, d.row, j},
                  .shape = Rectangle{.fill = fill_of(d.colours, column.colour), .radius = 3}});
  }
}

}  // namespace

float ledger_height(const Drawing& d, float room) {
  const auto count = static_cast<float>(d.trace.at("source").columns());
  return kHead + count * std::clamp((room - kHead) / count, 16.F, kTallest);
}

std::vector<Rect> add_ledger(Drawing& d, Rect area, const std::vector<Column>& columns) {
  const std::vector<std::string>& sources = d.trace.at("source").column_labels;
  const int count = static_cast<int>(sources.size());
  const float pitch = (area.h - kHead) / static_cast<float>(count);
  const float labels = label_width(d);
  const bool open_ended = std::ranges::any_of(columns, [](const Column& column) { return column.width <= 0; });
  float taken = labels + kGap * static_cast<float>(columns.size() - 1);
  for (const Column& column : columns) taken += std::max(column.width, 0.F);
  if (!open_ended && taken < area.w) {  // what is narrow stands in the middle
    area.x += std::floor((area.w - taken) / 2);
    area.w = taken;
  }
  for (int j = 0; j < count; ++j)
    add_words(d, "ledger.word." + std::to_string(j),
              {area.x, area.y + kHead + pitch * static_cast<float>(j), labels - 10, pitch},
              sources[static_cast<std::size_t>(j)],
              {d.colours.muted, {text::Face::regular, pitch >= 44 ? 13.F : std::min(12.F, pitch - 2)}, Align::right});
  std::vector<Rect> rects;
  float x = area.x + labels;
  const auto open = std::ranges::count_if(columns, [](const Column& column) { return column.width <= 0; });
  const float left = area.w - taken;  // shared by those without a width
  for (const Column& column : columns) {
    const float width = column.width > 0 ? column.width : left / static_cast<float>(open);
    const Rect rect{x, area.y + kHead, width, pitch * static_cast<float>(count)};
    x += width + kGap;
    rects.push_back(rect);
    add_heading(d, column.tensor + ".title" + (column.kind == Column::Kind::bars ? ".bars" : ""), {rect.x, area.y},
                &column == &columns.back() ? d.margin() + d.inner() - rect.x : rect.w, column.title, column.colour,
                column.note);
    if (column.kind == Column::Kind::bars) {
      add_bars(d, column, rect);
      continue;
    }
    const Tensor& tensor = d.trace.at(column.tensor);
    Element cells{.id = column.tensor,
                  .role = Role::cell,
                  .rect = rect,
                  .label = column.title + " " + std::to_string(tensor.rows()) + "×" + std::to_string(tensor.columns())};
    if (column.editable) cells.edit = Edit{column.tensor, {}};
    const CellRange range = column.by_word ? CellRange{column.tensor, d.row, 0, 1, count}
                                           : CellRange{column.tensor, 0, 0, count, tensor.columns()};
    if (column.kind == Column::Kind::numbers)
      cells.shape = MatrixCells{.range = range,
                                .gap = 2,
                                .radius = 3,
                                .text_size = text_size(pitch),
                                .decimals = 2,
                                .tint = fill_of(d.colours, column.colour),
                                .theme = d.view.theme,
                                .transposed = column.by_word};
    else if (column.kind == Column::Kind::weights)
      cells.shape = Heatmap{.range = range,
                            .gap = 2,
                            .text_size = text_size(pitch),
                            .decimals = 3,
                            .theme = d.view.theme,
                            .transposed = column.by_word};
    else
      cells.shape = Heatmap{.range = range,
                            .map = ColourMap::diverging,
                            .low = -limit_of(tensor),
                            .high = limit_of(tensor),
                            .gap = 0,
                            .theme = d.view.theme};
    d.figure.add(std::move(cells));
  }
  return rects;
}

}  // namespace limelight::scenes::translate
