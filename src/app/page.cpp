#include "app/page.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "app/compare.h"
#include "app/examples.h"
#include "app/fold.h"
#include "app/foot.h"
#include "app/hidden.h"
#include "app/inspector.h"
#include "app/narration.h"
#include "app/notice.h"
#include "app/opened.h"
#include "app/opening.h"
#include "app/provenance.h"
#include "app/rail.h"
#include "app/scene_list.h"
#include "app/terms.h"
#include "app/timeline.h"
#include "app/tooltip.h"
#include "app/widgets.h"
#include "figure/panels.h"
#include "io/numbers.h"
#include "scenes/common/sentence.h"
#include "scenes/moment.h"
#include "scenes/place.h"

namespace limelight::app {

using namespace figure;

namespace {

// So narrow that the scene's name has room only when the buttons beside it touch each other.
bool is_tight(const App& app) { return app.width < 380; }

// What the bar's words grow by in a large window.
float bar_scale(const App& app) { return app.large() ? 1.15F : 1; }

// The scene and its question. Returns whether it says the notice too: good news that is short covers nothing else, and
// takes from the question only what it needs.
bool add_heading(Figure& figure, const App& app, Rect area) {
  const Palette& colours = palette(app.theme());
  constexpr float kGap = 12, kLeast = 64;  // a shorter piece of a title or a question says nothing
  const float size = is_tight(app) ? 14 : (app.compact() ? 16 : 14.5F) * bar_scale(app), small = 13 * bar_scale(app);
  const float title = text::measure(text::Face::semibold, size, app.scene->title);
  const float notice = app.notice.good ? notice_width(app) : 0;
  const bool says = notice > 0 && title + kGap + notice <= area.w;
  if (says) {
    const float h = app.control(32);
    add_notice_card(figure, app, {area.right() - notice, area.centre().y - h / 2, notice, h});
    area.w -= notice + kGap;
  }
  if (const float w = std::min(title, area.w); w == title || w >= kLeast)
    add_label(figure, "shell.scene", {area.x, area.y, w, area.h},
              {.text = text::fit(text::Face::semibold, size, app.scene->title, w + 1),
               .size = size,
               .colour = colours.ink,
               .face = text::Face::semibold});
  if (app.compact()) return says;
  area.x += title + kGap;
  area.w -= title + kGap;
  const float chip = origin_width(app), beside = chip > 0 ? chip + kGap : 0;
  if (const float w = area.w - beside; w >= kLeast) {
    const std::string question = text::fit(text::Face::regular, small, app.scene->question, w);
    const float width = std::min(text::measure(text::Face::regular, small, question), w);
    add_label(figure, "shell.question", {area.x, area.y, width + 1, area.h},
              {.text = question, .size = small, .colour = colours.muted});
    area.x += width + kGap;
    area.w -= width + kGap;
  }
  add_origin(figure, app, area);
  return says;
}

float bar_gap(const App& app) { return is_tight(app) ? 0 : 4; }

// What can be done with the view, from the bar's right end on, each as high as the row. Returns where the last one
// begins.
float add_actions(Figure& figure, const App& app, Rect top, Rect row) {
  const Palette& colours = palette(app.theme());
  struct Action {
    const char* id;
    const char* text;
    const char* label;
    const char* command;
    float width;
    bool enabled;
    float from;  // the window's width where there is room for it; before that it is at the foot of the menu
    Icon icon = Icon::none;
  };
  const bool dark = is_dark(app.theme());
  const Action actions[] = {
      {"shell.theme", "", dark ? "Light theme" : "Dark theme", "theme", row.h, true, 0, dark ? Icon::sun : Icon::moon},
      {"shell.export", "Export", "Save this figure, its numbers or code for them", "export", 64, true, kExportInBar},
      {"shell.compare", app.compared ? "End comparing" : "Compare",
       app.compared ? "Show only B, what is set now" : "Pin this as A and see what you change beside it", "compare",
       app.compared ? 112.F : 76.F, true, kCompareInBar},
      {"shell.share", "Share", "Copy a link to exactly this view", "share", 58, true, 0},
      {"shell.redo", "", "Redo", "redo", row.h, !app.redo_stack.empty(), 0, Icon::redo},
      {"shell.undo", "", "Undo", "undo", row.h, !app.undo_stack.empty(), 0, Icon::undo},
  };
  const float k = bar_scale(app);
  float x = top.right() - (is_tight(app) ? 2 : 12);
  for (const Action& action : actions) {
    if (app.width < action.from || (!action.enabled && app.compact())) continue;
    const float width = action.icon == Icon::none ? k * action.width : action.width;
    x -= width + bar_gap(app);
    add_button(figure, app, {x, row.y, width, row.h},
               {.id = action.id,
                .text = action.text,
                .label = action.label,
                .edit = {"do", action.command},
                .enabled = action.enabled,
                .plain = true,
                .size = 13 * k,
                .icon = action.icon,
                .ink = action.icon == Icon::none ? colours.accent : colours.muted});
  }
  return x;
}

// Returns whether it says the notice: good news that is short enough does not cover the figure.
bool add_top_bar(Figure& figure, const App& app, const Regions& r, const std::vector<io::FieldInfo>& fields) {
  const Palette& colours = palette(app.theme());
  figure.add({.id = "shell.top", .rect = r.top, .shape = Rectangle{.fill = colours.surface}});
  figure.add({.id = "shell.top.line",
              .rect = {0, r.top.bottom() - 1, r.top.w, 1},
              .shape = Rectangle{.fill = colours.hairline}});
  const float height = r.top.h;
  const float button = app.control(32);
  const float y = (height - button) / 2;
  float left = 16;
  if (r.rail.w > 0) {
    // Over a narrow rail the lamp has its column, and the name stands beside it.
    constexpr float kNarrowest = 100;
    const bool wide = r.rail.w > kNarrowest;
    const float name = wide ? 60 : r.rail.w + 14;
    const float width = text::measure(text::Face::semibold, 17, "Limelight");
    add_logo(figure, app, {wide ? 28 : r.rail.w / 2 - 11, 12}, 1);
    add_label(figure, "shell.name", {name, 0, width, height},
              {.text = "Limelight", .size = 17, .colour = colours.ink, .face = text::Face::semibold});
    figure.add({.id = "shell.opening",
                .role = Role::button,
                .rect = {wide ? 20 : 8.F, y, name + width - (wide ? 12 : 0), button},
                .label = "The opening",
                .edit = Edit{"do", "opening"}});
    left = wide ? r.rail.w + 32 : name + width + 24;
  } else if (!hides(app, "scenes")) {
    add_button(figure, app, {left - 8, y, button, button},
               {.id = "shell.menu", .text = "", .label = "Scenes", .edit = {"do", "menu"}, .plain = true});
    for (int line = 0; line < 3; ++line)
      figure.add({.id = "shell.menu.line." + std::to_string(line),
                  .rect = {left - 8 + button / 2 - 10, y + button / 2 - 7 + 6 * static_cast<float>(line), 20, 2},
                  .shape = Rectangle{.fill = colours.ink, .radius = 1}});
    left += is_tight(app) ? button - 6 : button + 2;
  }
  const float gap = bar_gap(app), x = add_actions(figure, app, r.top, {0, y, 0, button});
  Rect heading{left, 0, x - 2 * gap - left, height};
  if (const io::FieldInfo* preset = find_field(fields, "preset");
      preset != nullptr && r.fields.h == 0 && r.foot.h == 0) {
    const float width = std::min(example_width(*preset), heading.w - 100);
    add_example_button(figure, app, *preset, {heading.right() - width, y, width, button});
    heading.w -= width + 8;
  }
  return add_heading(figure, app, heading);
}

// Beside the name of a matrix whose numbers have no room: closer, and back.
void add_zoom_buttons(Figure& figure, const App& app, const Figure& stage, Point offset, Rect clip) {
  const float side = app.control(24);
  Figure buttons;
  for (const Element& element : stage.elements) {
    const auto* heatmap = std::get_if<Heatmap>(&element.shape);
    if (heatmap == nullptr || !heatmap->zooms || element.rect.w < 120) continue;
    const Element* title = stage.find(element.id + ".title");
    if (title == nullptr) continue;
    const bool zoomed = app.zoom.tensor == heatmap->range.tensor && app.zoom.rows > 0;
    constexpr int kFew = 36;        // cells, that are seen well enough
    constexpr float kOverBar = 10;  // px higher, where the matrix's colour bar begins below
    const bool seen = heatmap->text_size > 0 || heatmap->range.rows * heatmap->range.columns <= kFew;
    const bool beside = title->rect.right() <= element.rect.x;  // the matrix
    // Fingers need large ones, which would cover columns' names: there two fingers zoom in, and these lead back.
    if (!zoomed && (seen || (beside && app.fingers()))) continue;

    // Beside the name and the shape, even where the matrix is narrower than those.
    const Element* shape = stage.find(element.id + ".shape");
    const float after = shape != nullptr ? shape->rect.right() + 8 : title->rect.right() + 8;
    const float least =
        beside ? element.rect.right() + 2 * side + 12 : std::max(element.rect.right(), after + 2 * side + 4);
    const float right = std::min(least, stage.width - 4);
    const float y = beside && app.fingers()
                        ? element.rect.bottom() + 4
                        : std::max(title->rect.centre().y - side / 2 - (beside ? kOverBar : 0), 0.F);
    const Rect both{right - 2 * side - 4, y, 2 * side + 4, side};
    const auto is_in_the_way = [&](const Element& other) {
      return &other != title && other.id.ends_with(".title") && overlap(other.rect, both);
    };
    if (!zoomed && std::ranges::any_of(stage.elements, is_in_the_way)) continue;
    add_button(buttons, app, {right - 2 * side - 4, y, side, side},
               {.id = "shell.zoom.out." + heatmap->range.tensor,
                .text = "−",
                .label = "Zoom out of " + element.label,
                .edit = {"zoom_out", heatmap->range.tensor},
                .enabled = zoomed,
                .size = 15});
    add_button(buttons, app, {right - side, y, side, side},
               {.id = "shell.zoom.in." + heatmap->range.tensor,
                .text = "+",
                .label = "Zoom into " + element.label,
                .edit = {"zoom_in", heatmap->range.tensor},
                .size = 15});
  }
  append(figure, buttons, offset.x, offset.y, clip);
}

// What lies over everything else: the menu of scenes, or the examples, on narrow windows.
void add_overlay(Page& page, const App& app, const std::vector<io::FieldInfo>& fields) {
  if (app.overlay == Overlay::none) return;
  const Palette& colours = palette(app.theme());
  page.figure.add({.id = "shell.veil",
                   .role = Role::button,
                   .rect = {0, 0, app.width, app.height},
                   .label = "Close",
                   .edit = Edit{"do", "close"},
                   .shape = Rectangle{.fill = {0, 0, 0, 110}}});
  if (app.overlay == Overlay::menu) {
    const float top = page.regions.top.bottom(), height = app.height - top;
    const Rect card{0, top, scene_list_width(app, height), height};
    page.figure.add({.id = "shell.menu.card",
                     .role = Role::image,
                     .rect = card,
                     .label = "Scenes",
                     .shape = Rectangle{.fill = colours.surface}});
    add_scene_list(page.figure, app, card);
  } else if (const io::FieldInfo* preset = find_field(fields, "preset"); preset != nullptr) {
    add_example_list(page, app, *preset);
  }
}

}  // namespace

void hide_inputs(Page& page, const App& app) {
  const Palette& colours = palette(app.theme());
  for (const InputBox& input : page.inputs) {
    const bool empty = input.value.empty();
    const std::string shown =
        text::fit(text::Face::regular, input.font_size, empty ? input.placeholder : input.value, input.rect.w);
    Element words{.id = "shell.input." + input.field,
                  .rect = input.rect,
                  .shape = Text{.text = shown, .size = input.font_size, .colour = empty ? colours.muted : colours.ink}};
    const auto pill = std::ranges::find(page.figure.elements, "field." + input.field, &Element::id);
    if (pill != page.figure.elements.end()) page.figure.elements.insert(pill + 1, std::move(words));
  }
  page.inputs.clear();
}

namespace {

// An input lies over everything that is drawn: under a bubble one that is empty does not say what it is for.
void hide_words_under(Page& page, std::string_view bubble) {
  const Element* over = page.figure.find(bubble);
  if (over == nullptr) return;
  for (InputBox& input : page.inputs) {
    if (overlap(input.rect, over->rect)) input.placeholder.clear();
  }
}

void add_typed_cell(Page& page, const App& app, const std::vector<io::FieldInfo>& fields) {
  if (!app.typing) return;
  const Palette& colours = palette(app.theme());
  std::optional<Rect> rect;
  std::string value;
  if (const std::optional<Source> source = parse_cell_id(app.typing->id)) {
    if (const Element* cells = showing(page.figure, *source))
      rect = cell_rect(*cells, source->row, source->column).value_or(cells->rect);
    if (const float* cell = app.trace.cell(source->tensor, source->row, source->column))
      value = io::format_exact(*cell);
  } else if (const Element* element = page.figure.find(app.typing->id)) {
    rect = element->rect;
    if (const io::FieldInfo* info = find_field(fields, app.typing->field)) value = info->value;
  }
  if (!rect) return;
  const float width = std::max(rect->w, 64.F), height = std::max(rect->h, 26.F);
  const Rect box{std::clamp(rect->centre().x - width / 2, 2.F, std::max(2.F, app.width - width - 2)),
                 rect->centre().y - height / 2, width, height};
  page.figure.add(
      {.id = "shell.typing",
       .rect = box,
       .shape = Rectangle{.fill = colours.surface, .stroke = colours.accent, .stroke_width = 2, .radius = 4}});
  page.inputs.push_back({.field = app.typing->field,
                         .cell = app.typing->key,
                         .rect = box.inset(3),
                         .value = value,
                         .begun = app.typing->begun,
                         .placeholder = "",
                         .pill = {},
                         .label = app.typing->id,
                         .font_size = app.fingers() ? 16.F : 13.F,
                         .mono = true,
                         .colour = colours.ink});
}

void add_debug(Figure& figure, const App& app) {
  if (!app.settings.debug) return;
  const Palette& colours = palette(app.theme());
  const std::string text = "compute " + io::format_fixed(app.compute_ms, 2) + " ms, draw " +
                           io::format_fixed(app.draw_ms, 2) + " ms, frame " + std::to_string(app.frames);
  add_label(figure, "shell.debug", {8, app.height - 18, 400, 16},
            {.text = text, .size = 11, .colour = colours.muted, .face = text::Face::mono});
}

}  // namespace

Figure draw_stage(const App& app) {
  if (app.opening) return draw_opening(app);
  const Regions r = regions(app);
  return draw_stage(app, view_of(app, r.stage.w, r.stage.h));
}

Figure draw_stage(const App& app, const scenes::View& view) {
  return app.compared ? app.compared->draw(app, view) : scenes::draw_moment(*app.scene, app.state, app.trace, view);
}

namespace {

// Whether the figure itself starts the scene's job.
bool has_job_button(const Figure& stage) {
  return std::ranges::any_of(stage.elements, [](const Element& element) {
    return element.edit && element.edit->field == "do" && element.edit->value == "job";
  });
}

// The inspector or what opens it; while it is folded up it is told without being seen.
void add_sides(Page& page, const App& app, const Offered& offered) {
  const Regions& r = page.regions;
  if (!app.compact())
    page.figure.add({.id = "shell.bottom.line",
                     .rect = {r.rail.w, r.ground.bottom(), app.width - r.rail.w, 1},
                     .shape = Rectangle{.fill = palette(app.theme()).hairline}});
  if (r.inspector.w > 0 && r.inspector.h > 0) page.inspector_height = add_inspector(page.figure, app, r, offered);
  if (r.tab.h == 0) return;
  add_inspector_tab(page.figure, app, r.tab, offered);
  Regions unfolded = r;
  unfolded.inspector = {app.width, r.ground.y, 248, r.ground.h};
  add_inspector(page.folded, app, unfolded, offered);
}

// What leads to a step that is not there leads nowhere, and says so.
Figure without_given(const App& app, Figure stage) {
  const int first = app.scene->first_step(app.state);
  for (Element& element : stage.elements) {
    if (first == 1 || !element.edit || element.edit->field != "step") continue;
    const Result<scenes::Place> place = scenes::read_place(*app.scene, element.edit->value);
    if (!place || place->step >= first) continue;
    element.edit.reset();
    element.role = Role::image;
    element.label = element.label.substr(0, element.label.find(':')) + ". " + std::string(kGiven);
    for (Element& part : stage.elements)
      if (part.id == element.id || part.id == element.id + ".name") part.opacity *= 0.4F;
  }
  return stage;
}

// Lines and areas that reach the figure's right edge go on beside it as far as its ground does.
void run_on(Figure& stage, float ground) {
  const float edge = stage.width - 0.5F;
  for (Element& element : stage.elements) {
    std::vector<Point>* points = nullptr;
    if (auto* line = std::get_if<Line>(&element.shape)) points = &line->points;
    if (auto* area = std::get_if<Area>(&element.shape)) points = &area->points;
    if (points == nullptr || element.clip) continue;
    for (Point& point : *points)
      if (point.x >= edge) point.x = std::max(point.x, ground);
  }
}

}  // namespace

void seek_lamp(App& app, const Figure& stage) {
  if (!app.seeks_lamp || app.opening) return;
  app.seeks_lamp = false;
  const Element* lamp = stage.find(scenes::kLampId);
  if (!app.compact() || app.compared || lamp == nullptr) return;
  const float seen = regions(app).stage.h;
  constexpr float kBelow = 60;  // px that what leads further down covers
  if (lamp->rect.bottom() > seen - kBelow)
    app.stage_scroll = std::clamp(lamp->rect.centre().y - seen / 2, 0.F, std::max(0.F, stage.height - seen));
}

Page build_page(const App& app, const Figure& drawn) {
  if (app.opening) return opening_page(app, drawn);
  Figure stage = without_given(app, drawn);
  const Palette& colours = palette(app.theme());
  const std::vector<io::FieldInfo> fields = shown_fields(app);
  Page page;
  const std::optional<scenes::Question> question = question_of(app);
  const Offered offered{.fields = fields, .question = question, .job = !has_job_button(stage)};
  page.regions = regions(app);
  const Regions& r = page.regions;
  run_on(stage, r.ground.right() - r.stage.x);
  Figure& figure = page.figure;
  figure.width = app.width;
  figure.height = app.height;
  figure.background = app.settings.embed ? Colour{0, 0, 0, 0} : colours.surface;
  page.stage_height = stage.height;
  const float most = std::max(0.F, stage.height - r.stage.h);
  const float scroll = std::clamp(app.stage_scroll, 0.F, most);
  Rect seen = r.stage;
  // Then figures are higher and lower for a moment, and nothing is scrolled to yet; but for a film.
  const bool moves = app.t < 1 && !scenes::motion_at(*app.scene, app.place).at_once;
  if (!moves) seen.h -= fold_height(app, stage, r.stage, scroll);
  figure.add({.id = "shell.ground",
              .shape = Area{.points = {{r.ground.x, r.ground.y},
                                       {r.ground.right(), r.ground.y},
                                       {r.ground.right(), r.ground.bottom()},
                                       {r.ground.x, r.ground.bottom()}},
                            .fill = stage.background,
                            .fill_to = bottom_of(stage)}});
  // A glow may reach beyond the stage as far as there is its ground.
  const float top = scroll > 0 ? seen.y : r.ground.y;
  append(figure, stage, r.stage.x, r.stage.y - scroll,
         Rect{seen.x, top, r.ground.right() - seen.x, seen.bottom() - top});
  add_zoom_buttons(figure, app, stage, {r.stage.x, r.stage.y - scroll}, seen);
  add_scroll_fades(figure, app, "shell.more", seen, scroll, stage.height,
                   {.above = stage.background, .below = bottom_of(stage)});

  if (seen.h < r.stage.h) add_fold(figure, app, stage, r.stage, scroll);
  if (!moves) add_scroll_bar(figure, app, "shell.scroll", r.stage, scroll, stage.height);
  bool notice_said = false;
  if (!app.settings.embed) {
    if (r.top.h > 0) notice_said = add_top_bar(figure, app, r, fields);
    if (r.rail.w > 0) page.rail_height = add_rail(figure, app, r.rail);
    if (r.fields.h > 0) add_examples(page, app, fields, r.fields);
    add_foot(page, app, offered);
  }
  if (r.narration.h > 0) add_narration(figure, app, r.narration, r.stage.w);
  if (r.timeline.h > 0) add_timeline(figure, app, r);
  if (!app.settings.embed) {
    add_sides(page, app, offered);
  } else {
    figure.add({.id = "shell.home",
                .role = Role::link,
                .rect = r.home,
                .label = "Open in Limelight",
                .edit = Edit{"do", "home"}});
    add_label(figure, "shell.home.text", {r.home.x, r.home.bottom() - 24, r.home.w, 18},
              {.text = "Limelight →", .size = 11, .colour = colours.muted, .align = Align::right});
  }
  if (!notice_said) add_notice(figure, app, r, seen.bottom());
  add_overlay(page, app, fields);
  add_unmarked_terms(figure, app);
  if (app.overlay != Overlay::none || (app.compact() && app.sheet_open)) hide_inputs(page, app);
  add_typed_cell(page, app, app.scene->fields(app.state));
  add_tooltip(figure, app, r, fields);
  hide_words_under(page, "shell.tooltip");
  add_debug(figure, app);
  return page;
}

}  // namespace limelight::app
