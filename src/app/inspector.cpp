#include "app/inspector.h"

#include <algorithm>
#include <cmath>

#include "app/actions.h"
#include "app/compare.h"
#include "app/foot.h"
#include "app/hidden.h"
#include "app/job_control.h"
#include "app/opened.h"
#include "app/provenance.h"
#include "app/widgets.h"
#include "figure/panels.h"
#include "io/numbers.h"
#include "scenes/place.h"

namespace limelight::app {

using namespace figure;

namespace {

constexpr float kFormulaSize = 15, kSheetFormulaSize = 17;
constexpr float kInspectorMargin = 18, kSheetMargin = 20;  // px at both sides
constexpr float kFold = 28;                                // px that the button takes which folds it up
constexpr float kPin = 78;                                 // and the one that unpins

// A column that is filled from the top.
struct Column {
  Figure& figure;
  const App& app;
  const Palette& colours;
  float x, width, y;
};

void divider(Column& c) {
  c.figure.add({.id = "shell.divider." + std::to_string(static_cast<int>(c.y)),
                .rect = {0, c.y + 8, c.width + 2 * c.x, 1},
                .shape = Rectangle{.fill = c.colours.hairline}});
  c.y += 22;
}

bool is_pin_shown(const App& app) { return !app.pinned.empty() && view_of(app, 720, 600).focus() == app.pinned; }

bool is_focused(const App& app) { return parse_cell_id(view_of(app, 720, 600).focus()).has_value(); }

// A chip that says so, and the key that ends it.
void add_pin(Column& c, bool over_question) {
  constexpr float kChip = 52, kChipHeight = 20;
  const App& app = c.app;
  const Rect area{c.x + c.width - kFold - kPin, c.y, kPin, 22};
  const float unpin = app.control(30);
  c.figure.add({.id = "shell.unpin",
                .role = Role::button,
                .rect = {area.x, area.centre().y - unpin / 2, area.w, unpin},
                .label = over_question ? "Unpin, back to the question" : "Unpin",
                .edit = Edit{"pin", ""}});
  const Rect chip{area.x, area.centre().y - kChipHeight / 2, kChip, kChipHeight};
  c.figure.add({.id = "shell.unpin.chip",
                .rect = chip,
                .shape = Rectangle{.fill = app.hovered == "shell.unpin" ? c.colours.sunken : c.colours.surface,
                                   .stroke = c.colours.ink,
                                   .stroke_width = 1.4F,
                                   .radius = 6}});
  add_label(
      c.figure, "shell.unpin.text", chip,
      {.text = "pinned", .size = 11.5F, .colour = c.colours.ink, .face = text::Face::semibold, .align = Align::centre});
  add_label(c.figure, "shell.unpin.key", {chip.right() + 6, area.y, area.right() - chip.right() - 6, area.h},
            {.text = app.touch ? "✕" : "Esc", .size = 11, .colour = c.colours.muted});
}

void add_title(Column& c, const scenes::Inspection& inspection, bool over_question) {
  const App& app = c.app;
  const bool pinned = is_pin_shown(app);
  // The button that folds it up stands at the right, and the pin, below which a long title goes.
  const float beside = c.width - kFold - (pinned ? kPin + 6 : 0);
  const bool below = pinned && text::measure(text::Face::semibold, 14, inspection.title) > beside;
  const float width = below ? c.width : beside, down = below ? 24 : 0;
  const std::string title = text::fit(text::Face::semibold, 14, inspection.title, 1.7F * width);  // two lines
  const float height = add_paragraph(c.figure, "shell.inspect.title", "**" + title + "**", {c.x, c.y + 1 + down}, width,
                                     14, c.colours.ink, c.colours.ink, 1.4F);
  if (pinned) add_pin(c, over_question);
  c.y += height + down + 8;
}

// The numbers that the one which is looked at comes from: each list in its colour, with its digits where they have
// room.
void add_origins(Column& c, const std::vector<scenes::Origin>& origins) {
  constexpr float kLabel = 19, kCells = 24, kWidest = 46, kDigits = 11.5F, kGap = 5;
  for (std::size_t i = 0; i < origins.size(); ++i) {
    const auto& [label, colour, cells] = origins[i];
    const Tensor* tensor = c.app.trace.find(cells.tensor);
    if (tensor == nullptr) continue;
    const std::string id = "shell.origin." + std::to_string(i);
    add_label(c.figure, id, {c.x, c.y, c.width, kLabel},
              {.text = text::fit(text::Face::semibold, 12, label, c.width),
               .size = 12,
               .colour = colour,
               .face = text::Face::semibold});
    const int count = std::max(cells.rows, cells.columns);
    const float cell = c.width / static_cast<float>(count);
    // Without a name, so that the pointer on them explains nothing else in their place.
    c.figure.add({.rect = {c.x, c.y + kLabel, std::min(c.width, kWidest * static_cast<float>(count)), kCells},
                  .shape = MatrixCells{.range = cells,
                                       .gap = std::clamp(std::floor(cell / 6), 0.F, 2.F),
                                       .radius = std::min(3.F, cell / 4),
                                       .text_size = kDigits,
                                       .decimals = decimals_for(tensor->values, 2),
                                       .tint = fill_of(c.colours, colour),
                                       .theme = c.app.theme(),
                                       .transposed = cells.columns == 1}});
    c.y += kLabel + kCells + kGap;
  }
}

// over_question: they stand in its place, for which there is no room.
void add_formulas(Column& c, bool over_question = false) {
  const std::optional<scenes::Inspection> inspection = inspection_of(c.app);
  if (!inspection) return;
  if (!c.app.compact()) add_title(c, *inspection, over_question);  // the sheet has it in its head
  int index = 0;
  // What it is; the numbers that it comes from; and how it is computed from them.
  for (const Formula& formula : inspection->lines) {
    if (index == 1) add_origins(c, inspection->origins);
    const float size = c.app.compact() ? kSheetFormulaSize : kFormulaSize;
    const float height = lines_height(set_lines(formula, size, c.width), size);
    c.figure.add({.id = "shell.formula." + std::to_string(index++),
                  .rect = {c.x, c.y, c.width, height},
                  .shape = FormulaBox{.formula = formula, .size = size, .colour = c.colours.ink}});
    c.y += height + 8;
  }
  if (!inspection->note.empty())
    c.y += add_paragraph(c.figure, "shell.inspect.note", inspection->note, {c.x, c.y}, c.width, 12, c.colours.muted,
                         c.colours.ink) +
           4;
  if (index <= 1) add_origins(c, inspection->origins);
}

void add_job(Column& c, bool with_button) {
  c.y += with_button ? add_column_job(c.figure, c.app, {c.x, c.y}, c.width)
                     : add_job_outcome(c.figure, c.app, {c.x, c.y}, c.width);
}

void add_reset(Column& c) {
  const float height = c.app.control(30);
  add_button(c.figure, c.app, {c.x, c.y, 160, height},
             {.id = "shell.reset",
              .text = "Reset to the example",
              .label = "Reset to the example",
              .edit = {"do", "reset"},
              .plain = true,
              .align = Align::left,
              .size = 12,
              .ink = c.colours.accent});
  c.y += height;
}

// Under a heading where the controls leave room for one.
void add_provenance(Column& c, bool headed) {
  const App& app = c.app;
  if (headed) {
    add_label(
        c.figure, "shell.provenance.title", {c.x, c.y, c.width, 18},
        {.text = "Where the numbers come from", .size = 12, .colour = c.colours.muted, .face = text::Face::semibold});
    c.y += 22;
  }
  c.y += add_paragraph(c.figure, "shell.provenance.text",
                       app.scene->provenance(app.state) +
                           (app.promised && app.scene->begins != nullptr ? " **Trained ones are on their way.**" : ""),
                       {c.x, c.y}, c.width, 12, c.colours.muted, c.colours.ink);
}

// The way on, below an answered question.
void add_next_scene(Column& c) {
  const scenes::SceneDef* next = scenes::after(c.app.scene);
  if (next == nullptr || hides(c.app, "scenes")) return;
  const bool fingers = c.app.fingers();
  const float height = c.app.control(24);
  add_button(c.figure, c.app, {c.x, c.y, fingers ? c.width : std::min(c.width, 160.F), height},
             {.id = "shell.next_scene",
              .text = "Next: " + std::string(next->title) + " →",
              .label = "Next scene, " + std::string(next->title) + ": " + std::string(next->question),
              .edit = {"scene", std::string(next->id)},
              .plain = !fingers,
              .align = fingers ? Align::centre : Align::left,
              .size = fingers ? 13.F : 12.F,
              .ink = c.colours.accent});
  c.y += height + (fingers ? 12.F : 0.F);
}

void add_question(Column& c, const std::optional<scenes::Question>& question) {
  const App& app = c.app;
  add_label(c.figure, "shell.quiz", {c.x, c.y, c.width, 18},
            {.text = "PREDICT, THEN REVEAL", .size = 11, .colour = c.colours.faint, .face = text::Face::semibold});
  c.y += 24;
  c.y += add_paragraph(c.figure, "shell.quiz.text", question->text, {c.x, c.y}, c.width, 13, c.colours.ink,
                       c.colours.ink) +
         8;
  const auto count = static_cast<float>(question->options.size());
  float width = (c.width - 4 * (count - 1)) / count;
  const float height = app.control(32);
  const bool stacked = std::ranges::any_of(question->options, [width](const std::string& option) {
    return text::measure(text::Face::semibold, 13, option) > width - 8;
  });
  if (stacked) width = c.width;
  for (int i = 0; i < static_cast<int>(question->options.size()); ++i) {
    if (stacked && i > 0) c.y += height + 4;
    const Rect rect{c.x + (stacked ? 0 : (width + 4) * static_cast<float>(i)), c.y, width, height};
    add_button(c.figure, app, rect,
               {.id = "shell.answer." + std::to_string(i),
                .text = question->options[static_cast<std::size_t>(i)],
                .label = "Answer: " + question->options[static_cast<std::size_t>(i)],
                .edit = {"guess", std::to_string(i)},
                .on = app.guess == i});
    if (app.guess >= 0 && i == question->correct)
      c.figure.add({.id = "shell.answer.right",
                    .rect = rect.inset(-2),
                    .shape = Rectangle{.stroke = c.colours.good, .stroke_width = 2, .radius = 7}});
  }
  c.y += height + 12;
  if (app.guess >= 0) {
    const std::string verdict = app.guess == question->correct ? "**Right.** " : "**Not quite.** ";
    c.y += add_paragraph(c.figure, "shell.quiz.answer", verdict + question->answer, {c.x, c.y}, c.width, 13,
                         c.colours.muted, c.colours.ink) +
           8;
    if (!question->back_label.empty()) {
      add_button(c.figure, app, {c.x, c.y, std::min(c.width, 160.F), height},
                 {.id = "shell.answer.back", .text = question->back_label, .edit = question->back});
      c.y += height + 12;
    }
  }
  if (app.guess >= 0) add_next_scene(c);
}

// Those for which there is no room under the figure.
void add_controls(Column& c, const std::vector<io::FieldInfo>& fields, std::size_t in_foot) {
  const std::vector<const io::FieldInfo*> controls = controls_of(c.app, fields);
  for (std::size_t i = in_foot; i < controls.size(); ++i)
    c.y += add_control(c.figure, c.app, *controls[i], {c.x, c.y}, c.width);
}

// The number as its cell writes it.
std::string written(const Figure& figure, const Source& source, float value) {
  for (const Element& element : figure.elements) {
    const auto* matrix = std::get_if<MatrixCells>(&element.shape);
    const auto* heatmap = std::get_if<Heatmap>(&element.shape);
    if (matrix != nullptr && matrix->range.tensor == source.tensor) return io::format_fixed(value, matrix->decimals);
    if (heatmap != nullptr && heatmap->range.tensor == source.tensor) return io::format_fixed(value, heatmap->decimals);
  }
  return io::format_short(value);
}

std::string sheet_title(const Figure& figure, const App& app, const std::string& resting) {
  const std::optional<Source> source = parse_cell_id(view_of(app, 720, 600).focus());
  const float* value = source ? app.trace.cell(source->tensor, source->row, source->column) : nullptr;
  const std::optional<scenes::Inspection> inspection = inspection_of(app);
  if (value != nullptr && inspection) return inspection->title + " = " + written(figure, *source, *value);
  return app.sheet_open && inspection ? inspection->title : resting;
}

// The head of the bottom sheet: all of it opens and closes it.
void add_sheet_head(Figure& figure, const App& app, Rect box, bool asks) {
  const Palette& colours = palette(app.theme());
  const float height = app.sheet_open ? kSheetHead : kSheetRest;
  const bool unpin = app.sheet_open && is_pin_shown(app);
  const std::string resting = asks ? "Formula, controls, a question" : "Formula and controls";
  figure.add({.id = "shell.sheet",
              .role = Role::image,
              .rect = {box.x, box.y, box.w, box.h + 20},
              .label = "Formula and controls",
              .shape = Rectangle{.fill = colours.surface, .stroke = colours.hairline, .radius = 14}});
  figure.add({.id = "shell.sheet.handle",
              .rect = {box.w / 2 - 20, box.y + 6, 40, 4},
              .shape = Rectangle{.fill = colours.faint, .radius = 2}});
  figure.add({.id = "shell.sheet.toggle",
              .role = Role::button,
              .rect = {0, box.y, box.w - (unpin ? 96.F : 0.F), height},
              .label = app.sheet_open ? "Close formula and controls" : resting,
              .edit = Edit{"do", "sheet"}});
  const float width = box.w - (unpin ? 126.F : 70.F);
  const Rect line{20, box.y + 12, width, height - 14};
  const std::string title = text::fit(text::Face::semibold, 14, sheet_title(figure, app, resting), width);
  const float chip = origin_width(app), end = line.x + text::measure(text::Face::semibold, 14, title) + 12;
  if (!app.sheet_open && line.right() - chip >= end)
    add_origin(figure, app, {line.right() - chip, line.y, chip, line.h});
  add_label(figure, "shell.sheet.title", line,
            {.text = title, .size = 14, .colour = colours.ink, .face = text::Face::semibold});
  if (unpin)
    add_button(figure, app, {box.w - 92, box.y + 5, 84, kSheetHead},
               {.id = "shell.unpin",
                .text = "Unpin ✕",
                .label = "Unpin",
                .edit = {"pin", ""},
                .plain = true,
                .ink = colours.accent});
  else
    add_label(figure, "shell.sheet.prompt", {box.w - 60, line.y, 40, line.h},
              {.text = app.sheet_open ? "▼" : "▲", .size = 13, .colour = colours.accent, .align = Align::right});
}

// What stands above the controls: the formula of what is looked at and, at the end, the question. Where the controls
// are here as well, its height does not depend on what is looked at, so that they stand still.
void add_upper(Column& c, const std::optional<scenes::Question>& question, float room, bool stands) {
  constexpr float kFormulas = 352;  // of a weight with all that it comes from
  const float least = stands ? kFormulas : 0;

  if (!question) {
    add_formulas(c);
    c.y = std::max(c.y, least);
    return;
  }
  Figure trial;
  Column asked{.figure = trial, .app = c.app, .colours = c.colours, .x = c.x, .width = c.width, .y = 0};
  add_question(asked, question);
  const bool ample = c.app.compact() || kFormulas + 22 + asked.y <= room;
  const bool instead = !ample && is_focused(c.app);  // of the question
  if (ample || instead || c.app.guess < 0) add_formulas(c, instead && (c.app.compact() || open_unpinned(c.app)));
  if (ample) c.y = std::max(c.y, least);
  if (!instead) {
    if (ample || c.app.guess < 0) divider(c);
    add_question(c, question);
  }
  c.y = std::max(c.y, least);
}

// Folds the inspector up.
void add_fold_button(Figure& figure, const App& app, Rect box) {
  const float height = app.control(30);
  const Rect rect{box.right() - 38, box.y + 23 - height / 2, 32, height};
  add_button(figure, app, rect,
             {.id = "shell.inspector.fold",
              .text = "",
              .label = "Fold up formula and controls",
              .edit = {"do", "inspector"},
              .plain = true});
  const Point tip{rect.centre().x + 2.5F, rect.centre().y};
  figure.add({.id = "shell.inspector.fold.sign",
              .shape = Line{.points = {{tip.x - 5, tip.y - 5}, tip, {tip.x - 5, tip.y + 5}},
                            .colour = palette(app.theme()).muted,
                            .width = 1.5F}});
}

}  // namespace

namespace {

// "weights[jumped, fox]" → "jumped → fox"; numbers stay what they are.
std::string from_to(const std::string& title) {
  const std::size_t open = title.find('['), comma = title.find(", ");
  if (open == std::string::npos || comma == std::string::npos || !title.ends_with(']')) return title;
  const std::string from = title.substr(open + 1, comma - open - 1);
  if (from.find_first_not_of("0123456789") == std::string::npos) return title;
  return from + " → " + title.substr(comma + 2, title.size() - comma - 3);
}

}  // namespace

std::optional<scenes::Inspection> inspection_of(const App& app) {
  const scenes::View view = view_of(app, 720, 600);
  std::optional<scenes::Inspection> inspection = app.scene->inspect(app.state, app.trace, view, view.focus());
  const std::optional<Source> cell = parse_cell_id(view.focus());
  if (!inspection) return inspection;
  const auto put_in_words = [](std::string& label, std::size_t length) {
    label.replace(0, length, words_of_name(label.substr(0, length)));
  };
  if (cell && inspection->title.starts_with(cell->tensor)) put_in_words(inspection->title, cell->tensor.size());
  if (cell && cell->tensor == "weights") inspection->title = from_to(inspection->title);
  // "query of jumped", "W_q[:, fox]"
  static constexpr std::pair<std::string_view, std::string_view> kOfWords[] = {
      {"X", "embedding"}, {"Q", "query"}, {"K", "key"}, {"V", "value"}};
  for (scenes::Origin& origin : inspection->origins) {
    const auto* const of_word =
        std::ranges::find(kOfWords, origin.cells.tensor, &std::pair<std::string_view, std::string_view>::first);
    if (of_word != std::end(kOfWords) && origin.cells.rows == 1)
      origin.label = std::string(of_word->second) + " of " + origin.label.substr(2, origin.label.size() - 3);
    else
      put_in_words(origin.label, origin.label.find('['));
  }
  if (!app.compared || !cell) return inspection;
  if (const std::string compared = compared_number(app, *cell); !compared.empty())
    inspection->note = compared + (inspection->note.empty() ? "" : " " + inspection->note);
  return inspection;
}

float add_inspector(Figure& figure, const App& app, const Regions& r, const Offered& offered) {
  const Palette& colours = palette(app.theme());
  const Rect box = r.inspector;
  Rect inside = box;
  if (app.compact()) {
    add_sheet_head(figure, app, box, offered.question.has_value());
    if (!app.sheet_open) return box.h;
    inside = {box.x, box.y + kSheetHead, box.w, box.h - kSheetHead};
  } else {
    figure.add({.id = "shell.inspector", .rect = box, .shape = Rectangle{.fill = colours.surface}});
    figure.add(
        {.id = "shell.inspector.line", .rect = {box.x, box.y, 1, box.h}, .shape = Rectangle{.fill = colours.hairline}});
  }
  const float margin = app.compact() ? kSheetMargin : kInspectorMargin;
  Figure lower, content;
  Column rest{.figure = lower, .app = app, .colours = colours, .x = margin, .width = box.w - 2 * margin, .y = 0};
  divider(rest);
  const InFoot below = in_foot(app, r, offered);
  const float first = rest.y;
  add_controls(rest, offered.fields, below.controls);
  add_job(rest, offered.job && !below.job);
  const bool controls = rest.y > first;
  if (!controls) {
    lower.elements.clear();
    rest.y = 0;
  }
  // Where a pointer is on the figure's chip it says the same.
  const bool said = figure.find("shell.provenance") != nullptr && !app.fingers() && !app.promised;
  const bool resets = differs_from_example(app);
  if (!said || resets) divider(rest);
  if (!said) add_provenance(rest, !controls || app.compact());
  if (resets) add_reset(rest);
  rest.y += 12;
  const float top = app.compact() ? 8 : 12;
  Column c{.figure = content, .app = app, .colours = colours, .x = margin, .width = box.w - 2 * margin, .y = top};
  add_upper(c, offered.question, inside.h - rest.y, controls && !app.compact());
  append(content, lower, 0, c.y, std::nullopt);
  c.y += rest.y;
  const float height = c.y;
  const float most = std::max(0.F, height - inside.h);
  const float scroll = std::clamp(app.inspector_scroll, 0.F, most);
  append(figure, content, inside.x, inside.y - scroll, inside);
  add_scroll_fades(figure, app, "shell.inspector.more", inside, scroll, height,
                   {.above = colours.surface, .below = colours.surface});
  add_scroll_bar(figure, app, "shell.inspector.scroll", inside, scroll, height);
  if (!app.compact()) add_fold_button(figure, app, box);
  return height;
}

void add_inspector_tab(Figure& figure, const App& app, Rect tab, const Offered& offered) {
  const Palette& colours = palette(app.theme());
  const bool asks = offered.question.has_value();
  figure.add({.id = "shell.inspector.tab",
              .role = Role::button,
              .rect = tab,
              .label = asks ? "Open formula and controls: there is a question" : "Open formula and controls",
              .edit = Edit{"do", "inspector"},
              .shape = Rectangle{.fill = app.hovered == "shell.inspector.tab" ? colours.sunken : colours.surface,
                                 .stroke = colours.hairline,
                                 .radius = 8}});
  const float x = tab.centre().x, y = tab.y;
  add_label(
      figure, "shell.inspector.tab.formula", {tab.x, y + 12, tab.w, 26},
      {.text = "f", .size = 17, .colour = colours.muted, .face = text::Face::math_italic, .align = Align::centre});
  const float knobs[] = {x - 3, x + 2, x - 2};
  for (int i = 0; i < 3; ++i) {
    const float line = y + 52 + 9 * static_cast<float>(i);
    const std::string id = "shell.inspector.tab.slider." + std::to_string(i);
    figure.add({.id = id, .rect = {x - 7, line - 0.7F, 14, 1.4F}, .shape = Rectangle{.fill = colours.faint}});
    figure.add(
        {.id = id + ".knob",
         .rect = {knobs[i] - 2.5F, line - 2.5F, 5, 5},
         .shape = Rectangle{.fill = colours.surface, .stroke = colours.faint, .stroke_width = 1.4F, .radius = 2.5F}});
  }
  figure.add({.id = "shell.inspector.tab.sign",
              .shape = Line{.points = {{x + 2.5F, y + 95}, {x - 2.5F, y + 100}, {x + 2.5F, y + 105}},
                            .colour = colours.muted,
                            .width = 1.5F}});
}

}  // namespace limelight::app
