#include "app/examples.h"

#include <algorithm>
#include <utility>

#include "app/widgets.h"

namespace limelight::app {

using namespace figure;

namespace {

constexpr float kText = 13, kChipGap = 8;

// Typing chooses it.
bool is_left_out(const io::Choice& choice, bool typed) { return choice.value == "own" && typed; }

float chip_width(const io::Choice& choice) { return text::measure(text::Face::semibold, kText, choice.label) + 26; }

std::string chosen_label(const io::FieldInfo& info) {
  const auto found = std::ranges::find(info.field.choices, info.value, &io::Choice::value);
  return found == info.field.choices.end() ? std::string() : std::string(found->label);
}

std::string example_text(const io::FieldInfo& preset) { return chosen_label(preset) + " ▾"; }

}  // namespace

const io::FieldInfo* find_field(const std::vector<io::FieldInfo>& fields, std::string_view name) {
  const auto found = std::ranges::find(fields, name, [](const io::FieldInfo& info) { return info.field.name; });
  return found == fields.end() ? nullptr : &*found;
}

const io::FieldInfo* sentence_field(const std::vector<io::FieldInfo>& fields) {
  const io::FieldInfo* text = find_field(fields, "text");
  return text != nullptr && !text->field.shown ? find_field(fields, "tokens") : text;
}

float chips_width(const io::FieldInfo& preset, bool typed) {
  float width = -kChipGap;
  for (const io::Choice& choice : preset.field.choices)
    if (!is_left_out(choice, typed)) width += chip_width(choice) + kChipGap;
  return width;
}

void add_example_chips(Figure& figure, const App& app, const io::FieldInfo& preset, bool typed, Rect row) {
  float x = row.x;
  for (const io::Choice& choice : preset.field.choices) {
    if (is_left_out(choice, typed)) continue;
    const float width = chip_width(choice);
    add_button(figure, app, {x, row.y, width, row.h},
               {.id = "field.preset." + std::string(choice.value),
                .text = std::string(choice.label),
                .label = "Example: " + std::string(choice.label),
                .edit = {"preset", std::string(choice.value)},
                .on = choice.value == preset.value,
                .outlined = true,
                .radius = row.h / 2});
    x += width + kChipGap;
  }
}

float example_width(const io::FieldInfo& preset) {
  return text::measure(text::Face::semibold, kText, example_text(preset)) + 36;
}

void add_example_button(Figure& figure, const App& app, const io::FieldInfo& preset, Rect rect) {
  add_button(figure, app, rect,
             {.id = "shell.presets",
              .text = text::fit(text::Face::semibold, kText, example_text(preset), rect.w - 16),
              .label = "Choose an example; now it is " + chosen_label(preset),
              .edit = {"do", "presets"},
              .outlined = true,
              .size = kText,
              .radius = rect.h / 2});
}

void add_sentence_pill(Page& page, const App& app, const io::FieldInfo& info, const SentencePill& pill) {
  const Palette& colours = palette(app.theme());
  page.figure.add({.id = "field." + std::string(info.field.name),
                   .role = Role::text_input,
                   .rect = pill.rect,
                   .label = std::string(info.field.label),
                   .edit = Edit{std::string(info.field.name), {}},
                   .shape = Rectangle{.fill = colours.surface, .stroke = colours.hairline, .radius = pill.rect.h / 2}});
  std::string value = info.value, placeholder(info.field.placeholder);
  bool example = false;
  if (pill.shows_example != nullptr) {
    example = value.empty();
    if (example) value = info.field.implied;
    if (info.field.name != "tokens") placeholder = chosen_label(*pill.shows_example);
  }
  page.inputs.push_back({.field = std::string(info.field.name),
                         .cell = {},
                         .rect = {pill.rect.x + 16, pill.rect.y + 1, pill.input_width - 24, pill.rect.h - 2},
                         .value = std::move(value),
                         .begun = {},
                         .placeholder = std::move(placeholder),
                         .example = example,
                         .pill = pill.rect,
                         .label = std::string(info.field.label),
                         .font_size = app.fingers() ? 16.F : kText,
                         .mono = false,
                         .colour = colours.ink});
}

void add_examples(Page& page, const App& app, const std::vector<io::FieldInfo>& fields, Rect area) {
  const io::FieldInfo* preset = find_field(fields, "preset");
  const io::FieldInfo* sentence = sentence_field(fields);
  const Rect pill{area.x, area.centre().y - kFinger / 2, area.w, kFinger};
  if (preset == nullptr) {
    if (sentence != nullptr) add_sentence_pill(page, app, *sentence, {.rect = pill, .input_width = pill.w});
    return;
  }
  if (sentence == nullptr) {
    add_example_button(page.figure, app, *preset, {pill.x, pill.y, std::min(example_width(*preset), pill.w), pill.h});
    return;
  }
  constexpr float kOpener = 104;
  add_sentence_pill(page, app, *sentence, {.rect = pill, .input_width = pill.w - kOpener, .shows_example = preset});
  add_button(page.figure, app, {pill.right() - kOpener, pill.y, kOpener - 4, pill.h},
             {.id = "shell.presets",
              .text = "examples ▾",
              .label = "Choose an example",
              .edit = {"do", "presets"},
              .plain = true,
              .size = kText,
              .radius = kFinger / 2,
              .ink = palette(app.theme()).muted});
}

void add_example_list(Page& page, const App& app, const io::FieldInfo& preset) {
  constexpr float kRow = 44, kGap = 4, kMargin = 6, kWidest = 320;
  const Element* opener = page.figure.find("shell.presets");
  const Rect from = opener != nullptr ? opener->rect : Rect{16, page.regions.top.bottom(), 0, 0};
  // Below the button or above it, where there is more room; in as many columns as that asks for.
  const float below = app.height - from.bottom() - kMargin, above = from.y - page.regions.top.bottom() - kMargin;
  const float room = std::max(below, above) - 2 * kMargin;
  const int count = static_cast<int>(preset.field.choices.size());
  const int most = std::max(1, static_cast<int>((room + kGap) / (kRow + kGap)));
  const int columns = (count + most - 1) / most, rows = (count + columns - 1) / columns;
  const float width = std::min(kWidest * static_cast<float>(columns), app.width - 32);
  const float height = static_cast<float>(rows) * (kRow + kGap) - kGap + 2 * kMargin;
  const Rect card{std::clamp(from.x, 16.F, std::max(16.F, app.width - 16 - width)),
                  below >= above ? from.bottom() + 4 : from.y - 4 - height, width, height};
  page.figure.add({.id = "shell.presets.card",
                   .role = Role::image,
                   .rect = card,
                   .label = "Examples",
                   .shape = Rectangle{.fill = palette(app.theme()).surface, .radius = 12}});
  const float column = (card.w - 2 * kMargin) / static_cast<float>(columns);
  int i = 0;
  for (const io::Choice& choice : preset.field.choices) {
    const float x = card.x + kMargin + column * static_cast<float>(i / rows);
    const float y = card.y + kMargin + (kRow + kGap) * static_cast<float>(i % rows);
    ++i;
    add_button(page.figure, app, {x, y, column - 2, kRow},
               {.id = "field.preset." + std::string(choice.value),
                .text = std::string(choice.label),
                .label = "Example: " + std::string(choice.label),
                .edit = {"preset", std::string(choice.value)},
                .on = choice.value == preset.value,
                .plain = true,
                .size = 15});
  }
}

}  // namespace limelight::app
