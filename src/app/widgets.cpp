#include "app/widgets.h"

#include <algorithm>
#include <cmath>

#include "io/numbers.h"

namespace limelight::app {

using namespace figure;

void add_label(Figure& figure, const std::string& id, Rect rect, Label label) {
  figure.add({.id = id,
              .rect = rect,
              .shape = Text{.text = std::move(label.text),
                            .face = label.face,
                            .size = label.size,
                            .colour = label.colour,
                            .align = label.align}});
}

void add_logo(Figure& figure, const App& app, Point at, float scale) {
  const auto place = [at, scale](Point p) { return Point{at.x + p.x * scale, at.y + p.y * scale}; };
  figure.add({.id = "shell.logo.beam",
              .shape = Area{.points = {place({8, 8}), place({14, 8}), place({21, 23}), place({1, 23})},
                            .fill = palette(app.theme()).lamp.faded(0.95F),
                            .fill_to = palette(app.theme()).lamp.faded(0.35F)}});
  figure.add({.id = "shell.logo.lamp",
              .shape = Area{.points = {place({9, 0}), place({13, 0}), place({16.5F, 8}), place({5.5F, 8})},
                            .fill = palette(app.theme()).ink,
                            .fill_to = palette(app.theme()).ink}});
}

void add_button(Figure& figure, const App& app, Rect rect, const Button& button) {
  const Palette& colours = palette(app.theme());
  const bool hovered = app.hovered == button.id && button.enabled;
  Colour fill = button.on ? colours.accent : colours.sunken;
  if (button.plain && !button.on) fill = hovered ? colours.sunken : Colour{0, 0, 0, 0};
  if (button.outlined && !button.on) fill = colours.surface;
  if (hovered && !button.plain && !button.on) fill = mix(fill, colours.accent, 0.14F);
  Colour ink = button.on ? colours.on_accent : button.ink.a > 0 ? button.ink : colours.ink;
  if (!button.enabled) ink = mix(colours.paper, colours.faint, 0.5F);
  figure.add({.id = button.id,
              .role = button.enabled ? Role::button : Role::none,
              .rect = rect,
              .label = button.label.empty() ? button.text : button.label,
              .edit = button.edit,
              .shape = Rectangle{.fill = fill,
                                 .stroke = button.outlined && !button.on ? colours.track : Colour{0, 0, 0, 0},
                                 .radius = button.radius}});
  if (button.icon != Icon::none) return add_icon(figure, button.id + ".icon", button.icon, rect.centre(), ink);
  add_label(figure, button.id + ".text", rect,
            {.text = text::fit(text::Face::regular, button.size, button.text, rect.w - 4),
             .size = button.size,
             .colour = ink,
             .face = button.on ? text::Face::semibold : text::Face::regular,
             .align = button.align});
}

void add_scroll_bar(Figure& figure, const App& app, const std::string& id, Rect area, float scroll, float content) {
  const float most = content - area.h;
  if (most <= 1) return;
  const float bar = area.h * area.h / content;
  figure.add({.id = id,
              .rect = {area.right() - 5, area.y + (area.h - bar) * scroll / most, 3, bar},
              .shape = Rectangle{.fill = palette(app.theme()).faint.faded(0.6F), .radius = 1.5F}});
}

void add_scroll_fades(Figure& figure, const App& app, const std::string& id, Rect area, float scroll, float content,
                      const Grounds& grounds) {
  constexpr float kFade = 20;
  const auto fade = [&](const std::string& edge, float line, float top, Colour above, Colour below) {
    figure.add({.id = id + edge + ".fade",
                .shape = Area{
                    .points = {{area.x, top}, {area.right(), top}, {area.right(), top + kFade}, {area.x, top + kFade}},
                    .fill = above,
                    .fill_to = below}});
    figure.add({.id = id + edge,
                .rect = {area.x, line, area.w, 1},
                .shape = Rectangle{.fill = palette(app.theme()).hairline}});
  };
  if (scroll > 1) fade(".above", area.y - 1, area.y, grounds.above, grounds.above.faded(0));
  if (content - area.h - scroll > 1)
    fade(".below", area.bottom(), area.bottom() - kFade, grounds.below.faded(0), grounds.below);
}

namespace {

// Where a value stands on its slider: 0 at the left end, 1 at the right one.
double share_of(const io::Field& field, double value) {
  const auto [low, high] = field.range;
  return field.logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
}

}  // namespace

float slider_share(const io::FieldInfo& info) {
  const Result<double> value = io::parse_number(info.value);
  if (!value) return 0;
  return static_cast<float>(std::clamp(share_of(info.field, *value), 0.0, 1.0));
}

double slider_value(const io::FieldInfo& info, Rect track, float x) {
  const auto [low, high] = info.field.range;
  const double share = std::clamp((x - track.x) / track.w, 0.F, 1.F);
  const double value = info.field.logarithmic ? low * std::pow(high / low, share) : low + (high - low) * share;
  const double whole = std::round(value);
  if (info.kind == io::FieldKind::integer) return whole;
  constexpr double kNear = 2;  // px: a hand that is so near a whole number means it
  if (whole >= low && whole <= high && std::abs(share_of(info.field, whole) - share) * track.w < kNear) return whole;
  // Three digits are what a hand can set.
  const double unit = std::pow(10, std::floor(std::log10(std::max(std::abs(value), 1e-3))) - 1);
  return std::clamp(io::round_to(value, unit), low, high);
}

namespace {

constexpr float kControlHeight = 31;

constexpr float kSegmentGap = 2;
constexpr float kSmallestSegmentText = 10;

float segment_width(float width, int count) {
  return (width - kSegmentGap * static_cast<float>(count - 1)) / static_cast<float>(count);
}

float label_width(const io::Choice& choice, float size) {
  return text::measure(text::Face::semibold, size, choice.label) + 6;
}

// Segments in lines, all equally wide or, where that spares a line, as wide as their labels need.
struct Segments {
  int in_line = 1;
  std::vector<float> widths{};  // one for each of a line
};
Segments segments_of(const io::FieldInfo& info, float width) {
  const int count = static_cast<int>(info.field.choices.size());
  float longest = 0, sum = 0;
  for (const io::Choice& choice : info.field.choices) {
    longest = std::max(longest, label_width(choice, kSmallestSegmentText));
    sum += label_width(choice, kSmallestSegmentText);
  }
  const float spare = width - sum - kSegmentGap * static_cast<float>(count - 1);
  if (longest > segment_width(width, count) && spare >= 0) {
    Segments made{.in_line = count};
    for (const io::Choice& choice : info.field.choices)
      made.widths.push_back(label_width(choice, kSmallestSegmentText) + spare / static_cast<float>(count));
    return made;
  }
  Segments made;
  for (int lines = 1; lines < count && made.in_line == 1; ++lines)
    if (const int in_line = (count + lines - 1) / lines; longest <= segment_width(width, in_line))
      made.in_line = in_line;
  made.widths.assign(static_cast<std::size_t>(made.in_line), segment_width(width, made.in_line));
  return made;
}

int lines_of(const io::FieldInfo& info, const Segments& segments) {
  return (static_cast<int>(info.field.choices.size()) + segments.in_line - 1) / segments.in_line;
}

void add_segments(Figure& figure, const App& app, const io::FieldInfo& info, Rect row, float line) {
  const Segments segments = segments_of(info, row.w);
  const auto of_line = static_cast<std::size_t>(segments.in_line);
  // One size for all of them, in which the longest fits.
  float size = 12;
  std::size_t i = 0;
  for (const io::Choice& choice : info.field.choices) {
    while (size > kSmallestSegmentText && label_width(choice, size) > segments.widths[i % of_line]) size -= 0.5F;
    ++i;
  }
  // One line round all, or what is not chosen would hardly be seen to be pressed.
  float x = row.x - kSegmentGap;
  for (const float width : segments.widths) x += width + kSegmentGap;
  const float lines = static_cast<float>(lines_of(info, segments) - 1) * line;
  figure.add({.id = "field." + std::string(info.field.name) + ".frame",
              .rect = Rect{row.x, row.y, x - row.x, row.h + lines}.inset(-1),
              .shape = Rectangle{.stroke = palette(app.theme()).track, .radius = 8}});
  i = 0;
  for (const io::Choice& choice : info.field.choices) {
    if (i % of_line == 0) x = row.x;
    const float width = segments.widths[i % of_line];
    const Rect place{x, row.y + static_cast<float>(i / of_line) * line, width, row.h};
    x += width + kSegmentGap;
    ++i;
    add_button(figure, app, place,
               {.id = "field." + std::string(info.field.name) + "." + std::string(choice.value),
                .text = std::string(choice.label),
                .label = std::string(info.field.label) + ": " + std::string(choice.label),
                .edit = {std::string(info.field.name), std::string(choice.value)},
                .on = choice.value == info.value,
                .size = size});
  }
}

void add_slider(Figure& figure, const App& app, const io::FieldInfo& info, Rect row) {
  const Palette& colours = palette(app.theme());
  constexpr float number_width = 54;
  const Rect track{row.x + 8, row.y, row.w - number_width - 16, row.h};
  const float middle = row.y + row.h / 2;
  const float share = slider_share(info);
  const std::string id = "field." + std::string(info.field.name);
  figure.add({.id = id + ".track",
              .rect = {track.x, middle - 2, track.w, 4},
              .shape = Rectangle{.fill = colours.track, .radius = 2}});
  figure.add({.id = id + ".filled",
              .rect = {track.x, middle - 2, track.w * share, 4},
              .shape = Rectangle{.fill = colours.accent, .radius = 2}});
  const float radius = app.hovered == id ? 9 : 8;
  figure.add({.id = id + ".knob",
              .rect = {track.x + track.w * share - radius, middle - radius, 2 * radius, 2 * radius},
              .shape = Rectangle{.fill = colours.lamp, .stroke = colours.accent, .stroke_width = 2, .radius = radius}});
  figure.add({.id = id,
              .role = Role::slider,
              .rect = track,
              .label = std::string(info.field.label),
              .edit = Edit{std::string(info.field.name), {}}});
  const Result<double> value = io::parse_number(info.value);
  const std::string shown = value ? io::format_short(*value, 4) : info.value;
  const Rect number{row.right() - number_width, row.y, number_width, row.h};
  figure.add(
      {.id = id + ".number",
       .role = Role::text_input,
       .rect = number,
       .label = std::string(info.field.label) + ": type a number",
       .edit = Edit{std::string(info.field.name), {}},
       .shape = Rectangle{.fill = app.hovered == id + ".number" ? colours.sunken : Colour{0, 0, 0, 0}, .radius = 6}});
  add_label(figure, id + ".value", {number.x + 6, number.y, number.w - 6, number.h},
            {.text = shown, .size = 12, .colour = colours.ink, .face = text::Face::mono});
}

void add_switch(Figure& figure, const App& app, const io::FieldInfo& info, Rect row) {
  const Palette& colours = palette(app.theme());
  const bool on = info.value == "on";
  const std::string id = "field." + std::string(info.field.name);
  const Rect body{row.x, row.y + row.h / 2 - 10, 36, 20};
  figure.add({.id = id,
              .role = Role::toggle,
              .rect = {body.x, row.y, body.w, row.h},
              .label = std::string(info.field.label),
              .edit = Edit{std::string(info.field.name), on ? "off" : "on"}});
  figure.add({.id = id + ".body",
              .rect = body,
              .shape = Rectangle{.fill = on ? colours.accent : colours.track, .radius = 10}});
  figure.add({.id = id + ".knob",
              .rect = {on ? body.right() - 18 : body.x + 2, body.y + 2, 16, 16},
              .shape = Rectangle{.fill = colours.surface, .radius = 8}});
}

constexpr float kLabelGap = 12, kRowSlider = 190, kSegmentPad = 18;

float row_segments_width(const io::FieldInfo& info) {
  float longest = 0;
  for (const io::Choice& choice : info.field.choices)
    longest = std::max(longest, text::measure(text::Face::semibold, 12, choice.label) + kSegmentPad);
  const auto count = static_cast<float>(info.field.choices.size());
  return longest * count + kSegmentGap * (count - 1);
}

float row_label_width(const io::FieldInfo& info) {
  return text::measure(text::Face::regular, 13, info.field.label) + kLabelGap;
}

}  // namespace

float row_control_width(const io::FieldInfo& info) {
  const float label = row_label_width(info);
  switch (info.kind) {
    case io::FieldKind::choice:
      return label + row_segments_width(info);
    case io::FieldKind::integer:
    case io::FieldKind::real:
      return label + kRowSlider;
    case io::FieldKind::toggle:
      return label + 36;
    case io::FieldKind::text:
    case io::FieldKind::cells:
    case io::FieldKind::order:
      break;
  }
  return label;
}

void add_row_control(Figure& figure, const App& app, const io::FieldInfo& info, Rect rect) {
  const float label = row_label_width(info);
  add_label(figure, "field." + std::string(info.field.name) + ".label", {rect.x, rect.y, label - kLabelGap, rect.h},
            {.text = std::string(info.field.label), .size = 13, .colour = palette(app.theme()).muted});
  const Rect body{rect.x + label, rect.y, rect.w - label, rect.h};
  if (info.kind == io::FieldKind::choice) add_segments(figure, app, info, body, rect.h);
  if (info.kind == io::FieldKind::integer || info.kind == io::FieldKind::real) add_slider(figure, app, info, body);
  if (info.kind == io::FieldKind::toggle) add_switch(figure, app, info, body);
}

float add_control(Figure& figure, const App& app, const io::FieldInfo& info, Point corner, float width) {
  const Palette& colours = palette(app.theme());
  const float label_width = width < 260 ? 78 : 94;
  const float pad = app.fingers() ? 2 : 4;
  const float height = app.control(kControlHeight - 2 * pad) + 2 * pad;
  add_label(figure, "field." + std::string(info.field.name) + ".label", {corner.x, corner.y, label_width, height},
            {.text = std::string(info.field.label), .size = 13, .colour = colours.muted});
  const Rect row{corner.x + label_width, corner.y + pad, width - label_width, height - 2 * pad};
  switch (info.kind) {
    case io::FieldKind::choice:
      add_segments(figure, app, info, row, height);
      return height * static_cast<float>(lines_of(info, segments_of(info, row.w)));
    case io::FieldKind::integer:
    case io::FieldKind::real:
      add_slider(figure, app, info, row);
      break;
    case io::FieldKind::toggle:
      add_switch(figure, app, info, row);
      break;
    case io::FieldKind::text:
    case io::FieldKind::cells:
    case io::FieldKind::order:
      break;
  }
  return height;
}

}  // namespace limelight::app
