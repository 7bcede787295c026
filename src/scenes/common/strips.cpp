#include "scenes/common/strips.h"

#include <algorithm>
#include <numeric>

#include "io/numbers.h"
#include "scenes/common/explain.h"

namespace limelight::scenes {

using namespace figure;

float limit_of(const Tensor& tensor) { return std::max(tensor.values.cwiseAbs().maxCoeff(), 1e-6F); }

std::string subscript(std::string_view letter, int index) { return std::string(letter) + "_" + std::to_string(index); }

float add_strip(Frame& frame, const Strip& strip, Rect rect) {
  const Palette& colours = frame.colours;
  const Source& row = strip.row;
  const Tensor& tensor = frame.trace.at(row.tensor);
  const std::string shape = "1×" + std::to_string(tensor.columns());
  const bool few = tensor.columns() <= 4;
  add_heading(frame, strip.id + ".title", {rect.x, rect.y}, rect.w, strip.title, strip.colour,
              few || strip.note.empty() ? strip.note : shape + "  " + strip.note);
  Rect cells{rect.x, rect.y + 22, rect.w, few ? 38.F : 24.F};
  if (few) cells.w = std::min(rect.w, 96 * static_cast<float>(tensor.columns()));
  const CellRange range{row.tensor, row.row, 0, 1, tensor.columns()};
  Element element{.id = strip.id, .role = Role::cell, .rect = cells, .label = strip.title + " " + shape};
  if (strip.editable) element.edit = Edit{row.tensor, {}};
  if (few)
    element.shape = MatrixCells{.range = range,
                                .gap = 2,
                                .radius = 3,
                                .text_size = 14,
                                .decimals = 3,
                                .tint = fill_of(colours, strip.colour),
                                .theme = frame.view.theme};
  else
    element.shape = Heatmap{.range = range,
                            .map = ColourMap::diverging,
                            .low = -limit_of(tensor),
                            .high = limit_of(tensor),
                            .gap = 0,
                            .theme = frame.view.theme};
  frame.figure.add(std::move(element));
  return cells.bottom();
}

float add_text_input(Frame& frame, const TextInput& input, Rect line) {
  Figure& figure = frame.figure;
  const Palette& colours = frame.colours;
  const float name_width = text::measure(text::Face::regular, 12, input.name) + 12;
  const Rect pill{line.x + name_width, line.y, line.w - name_width, line.h};
  const std::string& shown = input.text.empty() ? input.hint : input.text;
  const std::size_t from = figure.elements.size();
  add_words(frame, input.field + ".name", {line.x, line.y, name_width, line.h}, input.name, {colours.muted});
  figure.add({.id = input.field,
              .role = Role::text_input,
              .rect = pill,
              .label = input.label + ": " + shown,
              .edit = Edit{.field = input.field},
              .shape = Rectangle{.fill = colours.surface, .stroke = colours.hairline, .radius = line.h / 2}});
  add_words(frame, input.field + ".text", {pill.x + 14, pill.y, pill.w - 28, pill.h}, shown,
            {input.text.empty() ? colours.faint : input.ink, type::body});
  mark_furniture(figure, from);
  return line.bottom();
}

float add_stepper(Frame& frame, const Stepper& stepper, Point top_left, float width) {
  constexpr float side = 44;
  Figure& figure = frame.figure;
  const Palette& colours = frame.colours;
  const int count = static_cast<int>(stepper.words.size());
  const auto [x, y] = top_left;
  const std::size_t from = figure.elements.size();
  const auto button = [&](const char* way, const char* sign, const char* label, float left, int to) {
    const bool possible = to >= 0 && to < count;
    const std::string id = stepper.field + way;
    Element element{.id = id,
                    .rect = {left, y, side, side},
                    .label = label,
                    .shape = Rectangle{.fill = colours.sunken, .radius = 6}};
    if (possible) {
      element.role = Role::button;
      element.edit = Edit{.field = stepper.field, .value = std::to_string(to)};
    }
    figure.add(std::move(element));
    add_words(frame, id + ".sign", {left, y, side, side}, sign,
              {possible ? colours.accent : colours.faint, {text::Face::semibold, 16}, Align::centre});
  };
  button(".before", "‹", "The word before", x, stepper.chosen - 1);
  button(".after", "›", "The next word", x + width - side, stepper.chosen + 1);
  const Rect middle{x + side + 6, y, width - 2 * side - 12, side};
  add_words(frame, stepper.field + ".now", {middle.x, middle.y + 2, middle.w, 22},
            stepper.words[static_cast<std::size_t>(stepper.chosen)],
            {colours.output, {text::Face::semibold, 16}, Align::centre});
  add_words(frame, stepper.field + ".count", {middle.x, middle.y + 24, middle.w, 16},
            stepper.name + " " + std::to_string(stepper.chosen + 1) + " of " + std::to_string(count),
            {.colour = colours.muted, .align = Align::centre});
  mark_furniture(figure, from);
  return y + side;
}

float add_likeliest(Frame& frame, int row, const std::string& written, Point top_left, float width,
                    const std::string& title) {
  constexpr int most = 5;
  Figure& figure = frame.figure;
  const Palette& colours = frame.colours;
  const float x = top_left.x;
  float y = top_left.y;
  const Tensor& tensor = frame.trace.at("probabilities");
  std::vector<int> order(static_cast<std::size_t>(tensor.columns()));
  std::iota(order.begin(), order.end(), 0);
  const auto shown = std::min<std::ptrdiff_t>(most, std::ssize(order));
  std::ranges::partial_sort(order, order.begin() + shown, [&](int a, int b) {
    const float pa = tensor.values(row, a), pb = tensor.values(row, b);
    return pa != pb ? pa > pb : a < b;
  });
  const float pitch = 26, name = std::min(120.F, width * 0.34F), number = 64;
  add_heading(frame, "likeliest.title", {x, y}, width, title, colours.ink,
              "of " + std::to_string(tensor.columns()) + ", the " + std::to_string(shown) + " likeliest");
  y += 26;
  for (std::ptrdiff_t i = 0; i < shown; ++i) {
    const int k = order[static_cast<std::size_t>(i)];
    const float share = tensor.values(row, k);
    const std::string word = label_of(tensor.column_labels, k), id = "likeliest." + std::to_string(i);
    const bool on = word == written;
    add_words(frame, id + ".word", {x, y, name - 8, pitch - 4}, word,
              {on ? colours.output : colours.ink, on ? type::subtitle : type::body, Align::right});
    const Rect track{x + name, y + 3, width - name - number, pitch - 10};
    figure.add({.id = id + ".track", .rect = track, .shape = Rectangle{.fill = colours.sunken, .radius = 3}});
    figure.add({.id = id,
                .role = Role::cell,
                .rect = {track.x, track.y, std::max(track.w * share, 1.5F), track.h},
                .label = word + ": " + io::format_percent(static_cast<double>(share)),
                .source = Source{"probabilities", row, k},
                .shape = Rectangle{.fill = on ? colours.output : colours.faint, .radius = 3}});
    add_words(frame, id + ".value", {track.right() + 6, y, number - 6, pitch - 4},
              io::format_percent(static_cast<double>(share)), {colours.ink, type::number});
    y += pitch;
  }
  return y;
}

}  // namespace limelight::scenes
