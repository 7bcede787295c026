#include "scenes/common/strips.h"

#include <algorithm>
#include <numeric>

#include "io/numbers.h"
#include "scenes/common/explain.h"

namespace limelight::scenes {

using namespace figure;

void add_text(Figure& figure, const std::string& id, Rect rect, const std::string& words, TextStyle how) {
  figure.add({.id = id,
              .rect = rect,
              .shape = Text{.text = text::fit(how.face, how.size, words, how.vertical ? rect.h : rect.w),
                            .face = how.face,
                            .size = how.size,
                            .colour = how.colour,
                            .align = how.align,
                            .vertical = how.vertical}});
}

float symbol_width(const std::string& name, float size) {
  const std::size_t mark = name.find('_');
  if (mark == std::string::npos) return text::measure(text::Face::semibold, size, name);
  const std::size_t end = std::min(name.find(' ', mark), name.size());
  return text::measure(text::Face::semibold, size, name.substr(0, mark)) +
         text::measure(text::Face::semibold, size * 0.75F, name.substr(mark + 1, end - mark - 1)) +
         text::measure(text::Face::semibold, size, name.substr(end));
}

void add_symbol(Figure& figure, const std::string& id, Point at, const std::string& name, Colour colour, float size) {
  const std::size_t mark = std::min(name.find('_'), name.size());
  const std::size_t end = std::min(name.find(' ', mark), name.size());
  float x = at.x;
  const auto part = [&](const char* which, const std::string& words, float part_size, float down) {
    if (words.empty()) return;
    const float width = text::measure(text::Face::semibold, part_size, words);
    add_text(figure, id + which, {x, at.y + down, width + 1, size + 4}, words,
             {colour, part_size, text::Face::semibold});
    x += width;
  };
  part("", name.substr(0, mark), size, 0);
  if (mark < name.size()) part(".below", name.substr(mark + 1, end - mark - 1), size * 0.75F, size * 0.28F);
  if (mark < name.size()) part(".after", name.substr(end), size, 0);
}

void add_title(Figure& figure, const std::string& id, Point at, float width, const std::string& name, Colour colour,
               const std::string& note, Theme theme) {
  if (symbol_width(name, 14) > width)
    add_text(figure, id, {at.x, at.y, width, 18}, name, {colour, 14, text::Face::semibold});
  else
    add_symbol(figure, id, at, name, colour, 14);
  const float name_width = symbol_width(name, 14) + 8;
  if (!note.empty() && width - name_width > 30)
    add_text(figure, id + ".note", {at.x + name_width, at.y, width - name_width, 18}, note, {palette(theme).muted, 12});
}

void append_hint(Figure& figure, const std::string& words) {
  Element hint = figure.elements.back();
  auto& text = std::get<Text>(hint.shape);
  const float used = text::measure(text.face, text.size, text.text);
  hint.id += ".hint";
  hint.rect.x += used;
  hint.rect.w -= used;
  text.text = text::fit(text.face, text.size, words, hint.rect.w);
  hint.furniture = true;
  figure.add(std::move(hint));
}

void mark_hint(Figure& figure, std::string_view words) {
  mark_furniture(figure, figure.elements.size() - static_cast<std::size_t>(std::ranges::count(words, ' ')));
}

float limit_of(const Tensor& tensor) { return std::max(tensor.values.cwiseAbs().maxCoeff(), 1e-6F); }

std::string subscript(std::string_view letter, int index) { return std::string(letter) + "_" + std::to_string(index); }

float add_strip(Figure& figure, const Trace& trace, const Strip& strip, Rect rect, Theme theme) {
  const Palette& colours = palette(theme);
  const Source& row = strip.row;
  const Tensor& tensor = trace.at(row.tensor);
  const std::string shape = "1×" + std::to_string(tensor.columns());
  const bool few = tensor.columns() <= 4;
  add_title(figure, strip.id + ".title", {rect.x, rect.y}, rect.w, strip.title, strip.colour,
            few || strip.note.empty() ? strip.note : shape + "  " + strip.note, theme);
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
                                .theme = theme};
  else
    element.shape = Heatmap{.range = range,
                            .map = ColourMap::diverging,
                            .low = -limit_of(tensor),
                            .high = limit_of(tensor),
                            .gap = 0,
                            .theme = theme};
  figure.add(std::move(element));
  return cells.bottom();
}

float add_text_input(Figure& figure, const TextInput& input, Rect line, Theme theme) {
  const Palette& colours = palette(theme);
  const float name_width = text::measure(text::Face::regular, 12, input.name) + 12;
  const Rect pill{line.x + name_width, line.y, line.w - name_width, line.h};
  const std::string& shown = input.text.empty() ? input.hint : input.text;
  const std::size_t from = figure.elements.size();
  add_text(figure, input.field + ".name", {line.x, line.y, name_width, line.h}, input.name, {colours.muted});
  figure.add({.id = input.field,
              .role = Role::text_input,
              .rect = pill,
              .label = input.label + ": " + shown,
              .edit = Edit{.field = input.field},
              .shape = Rectangle{.fill = colours.surface, .stroke = colours.hairline, .radius = line.h / 2}});
  add_text(figure, input.field + ".text", {pill.x + 14, pill.y, pill.w - 28, pill.h}, shown,
           {input.text.empty() ? colours.faint : input.ink, 13});
  mark_furniture(figure, from);
  return line.bottom();
}

float add_stepper(Figure& figure, const Stepper& stepper, Point top_left, float width, Theme theme) {
  constexpr float side = 44;
  const Palette& colours = palette(theme);
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
    add_text(figure, id + ".sign", {left, y, side, side}, sign,
             {possible ? colours.accent : colours.faint, 16, text::Face::semibold, Align::centre});
  };
  button(".before", "‹", "The word before", x, stepper.chosen - 1);
  button(".after", "›", "The next word", x + width - side, stepper.chosen + 1);
  const Rect middle{x + side + 6, y, width - 2 * side - 12, side};
  add_text(figure, stepper.field + ".now", {middle.x, middle.y + 2, middle.w, 22},
           stepper.words[static_cast<std::size_t>(stepper.chosen)],
           {colours.output, 16, text::Face::semibold, Align::centre});
  add_text(figure, stepper.field + ".count", {middle.x, middle.y + 24, middle.w, 16},
           stepper.name + " " + std::to_string(stepper.chosen + 1) + " of " + std::to_string(count),
           {colours.muted, 12, text::Face::regular, Align::centre});
  mark_furniture(figure, from);
  return y + side;
}

float add_likeliest(Figure& figure, const Trace& trace, int row, const std::string& written, Point top_left,
                    float width, Theme theme) {
  constexpr int most = 5;
  const Palette& colours = palette(theme);
  const float x = top_left.x;
  float y = top_left.y;
  const Tensor& tensor = trace.at("probabilities");
  std::vector<int> order(static_cast<std::size_t>(tensor.columns()));
  std::iota(order.begin(), order.end(), 0);
  const auto shown = std::min<std::ptrdiff_t>(most, std::ssize(order));
  std::ranges::partial_sort(order, order.begin() + shown, [&](int a, int b) {
    const float pa = tensor.values(row, a), pb = tensor.values(row, b);
    return pa != pb ? pa > pb : a < b;
  });
  const float pitch = 26, name = std::min(120.F, width * 0.34F), number = 64;
  add_title(figure, "likeliest.title", {x, y}, width, "the next word", colours.ink,
            "of " + std::to_string(tensor.columns()) + ", the " + std::to_string(shown) + " likeliest", theme);
  y += 26;
  for (std::ptrdiff_t i = 0; i < shown; ++i) {
    const int k = order[static_cast<std::size_t>(i)];
    const float share = tensor.values(row, k);
    const std::string word = label_of(tensor.column_labels, k), id = "likeliest." + std::to_string(i);
    const bool on = word == written;
    add_text(figure, id + ".word", {x, y, name - 8, pitch - 4}, word,
             {on ? colours.output : colours.ink, 13, on ? text::Face::semibold : text::Face::regular, Align::right});
    const Rect track{x + name, y + 3, width - name - number, pitch - 10};
    figure.add({.id = id + ".track", .rect = track, .shape = Rectangle{.fill = colours.sunken, .radius = 3}});
    figure.add({.id = id,
                .role = Role::cell,
                .rect = {track.x, track.y, std::max(track.w * share, 1.5F), track.h},
                .label = word + ": " + io::format_percent(static_cast<double>(share)),
                .source = Source{"probabilities", row, k},
                .shape = Rectangle{.fill = on ? colours.output : colours.faint, .radius = 3}});
    add_text(figure, id + ".value", {track.right() + 6, y, number - 6, pitch - 4},
             io::format_percent(static_cast<double>(share)), {colours.ink, 12, text::Face::mono});
    y += pitch;
  }
  return y;
}

}  // namespace limelight::scenes
