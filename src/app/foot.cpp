#include "app/foot.h"

#include <algorithm>
#include <string>

#include "app/actions.h"
#include "app/examples.h"
#include "app/hidden.h"
#include "app/job_control.h"
#include "app/opened.h"
#include "app/widgets.h"
#include "scenes/place.h"

namespace limelight::app {

using namespace figure;

namespace {

constexpr float kLeastInput = 160, kLeastOwn = 240, kUsualInput = 380;  // px
constexpr float kControlGap = 28;                                       // between controls
constexpr float kAfterChips = 12;

// What of the row stands in it, from the left.
struct Plan {
  bool chips = false;        // a button for each example, instead of one that lists them
  float input = 0;           // how wide the sentence is
  std::size_t controls = 0;  // the first of them
  bool job = false;
  std::size_t hidden = 0;  // the others, which the inspector has: a button opens it
  bool asks = false;       // and another one, where there is a question
};

constexpr std::string_view kMore = "more settings";
float more_width(std::size_t hidden) { return hidden == 0 ? 0 : text::measure(text::Face::semibold, 13, kMore) + 28; }

constexpr std::string_view kQuestion = "a question";
constexpr float kSign = 18, kQuestionGap = 8;  // px of the disc before it; from the button before it
float question_width() { return text::measure(text::Face::semibold, 13, kQuestion) + kSign + 27; }

float examples_width(const io::FieldInfo* preset, bool typed, bool chips) {
  if (preset == nullptr) return 0;
  return chips ? chips_width(*preset, typed) : example_width(*preset);
}

// A reader's own sentence is seen whole before more controls are.
float least_input(const io::FieldInfo* sentence, const io::FieldInfo* preset) {
  if (sentence == nullptr) return 0;
  if (preset == nullptr || preset->value != "own") return kLeastInput;
  return std::clamp(text::measure(text::Face::regular, 13, sentence->value) + 36, kLeastOwn, kUsualInput);
}

Plan plan_of(const App& app, const Rect& row, const Offered& offered) {
  const std::vector<io::FieldInfo>& fields = offered.fields;
  const io::FieldInfo* preset = find_field(fields, "preset");
  const bool typed = sentence_field(fields) != nullptr;
  const float least = least_input(sentence_field(fields), preset);
  const std::vector<const io::FieldInfo*> controls =
      hides(app, "inspector") ? std::vector<const io::FieldInfo*>() : controls_of(app, fields);
  const float job = offered.job && !hides(app, "inspector") ? job_width(app) : 0;
  const auto width_of = [&](std::size_t count, bool with_job) {
    float width = with_job && job > 0 ? job + kControlGap : 0;
    for (std::size_t i = 0; i < count; ++i) width += row_control_width(*controls[i]) + kControlGap;
    return width;
  };
  const auto before = [&](bool chips) {
    const float examples = examples_width(preset, typed, chips);
    return examples + (examples > 0 && typed ? kAfterChips : 0);
  };
  const bool open = inspector_open(app), asks = !open && offered.question;
  const float asked = asks ? question_width() + kQuestionGap : 0;
  const float wanted = width_of(controls.size(), true) + asked;
  // Beside a sentence of one's own a press on a control that brings others must not move that away: no chips, and a
  // width that depends on the sentence alone.
  const bool own = typed && preset != nullptr && preset->value == "own";
  const float most = own ? least : kUsualInput;
  for (const bool chips : {true, false}) {
    if (chips && own) continue;
    const float room = row.w - before(chips) - wanted;
    if (room < least) continue;
    return {.chips = chips,
            .input = typed ? std::min(room, most) : 0,
            .controls = controls.size(),
            .job = job > 0,
            .asks = asks};
  }
  const std::size_t all = controls.size() + (job > 0 ? 1 : 0);
  Plan plan{.asks = asks};
  const float besides = row.w - before(false) - least - kControlGap;
  // Where there is no room for both, the question's button, which opens the same.
  const bool both = !asks || besides >= more_width(all) + asked;
  const float room = besides - (both ? more_width(all) : 0) - asked;
  plan.job = job > 0 && width_of(0, true) <= room;
  while (plan.controls < controls.size() && width_of(plan.controls + 1, plan.job) <= room) ++plan.controls;
  const std::size_t shown = plan.controls + (plan.job ? 1 : 0);
  if (!open && both) plan.hidden = all - shown;
  const float taken = width_of(plan.controls, plan.job) + (both ? more_width(all - shown) : 0) + kControlGap + asked;
  plan.chips = !own && shown <= 1 && before(true) + least + taken <= row.w;
  plan.input = typed ? std::clamp(row.w - before(plan.chips) - taken, least, most) : 0;
  return plan;
}

// Opens the inspector, where it is.
void add_question_button(Figure& figure, const App& app, Rect rect) {
  add_button(figure, app, rect,
             {.id = "shell.ask",
              .text = "",
              .label = "A question about this step",
              .edit = {"do", "inspector"},
              .outlined = true,
              .radius = rect.h / 2});
  const Rect disc{rect.x + 6, rect.centre().y - kSign / 2, kSign, kSign};
  figure.add({.id = "shell.ask.disc",
              .rect = disc,
              .shape = Rectangle{.fill = palette(app.theme()).lamp, .radius = kSign / 2}});
  add_label(figure, "shell.ask.sign", disc,
            {.text = "?",
             .size = 12.5F,
             .colour = palette(Theme::light).ink,
             .face = text::Face::semibold,
             .align = Align::centre});
  add_label(
      figure, "shell.ask.text", {disc.right() + 7, rect.y, rect.right() - disc.right() - 7, rect.h},
      {.text = std::string(kQuestion), .size = 13, .colour = palette(app.theme()).ink, .face = text::Face::semibold});
}

// The row is laid out in px of its own, which a large screen shows larger.
float magnification(const App& app) { return app.large() ? 1.2F : 1; }

Rect magnified(Rect rect, float k) { return {k * rect.x, k * rect.y, k * rect.w, k * rect.h}; }

// What this row is in, less its margins.
Rect row_of(const App& app, const Regions& r) {
  const float k = magnification(app), from = app.width >= 1200 ? k * 80 : 24, height = k * app.control(28);
  const Rect row{r.foot.x + from, r.foot.centre().y - height / 2 - (app.low() ? 0 : 6), r.foot.w - from - 44, height};
  return magnified(row, 1 / k);
}

void magnify(Element& element, float k) {
  element.rect = magnified(element.rect, k);
  if (auto* card = std::get_if<Rectangle>(&element.shape)) {
    card->radius *= k;
    card->stroke_width *= k;
  } else if (auto* words = std::get_if<Text>(&element.shape)) {
    words->size *= k;
  } else if (auto* line = std::get_if<Line>(&element.shape)) {
    for (Point& point : line->points) point = {k * point.x, k * point.y};
    line->width *= k;
  }
}

void magnify(InputBox& input, float k) {
  input.rect = magnified(input.rect, k);
  input.pill = magnified(input.pill, k);
  input.font_size *= k;
}

}  // namespace

std::vector<const io::FieldInfo*> controls_of(const App& app, const std::vector<io::FieldInfo>& fields) {
  const scenes::Step& step = scenes::step_at(*app.scene, app.place);
  std::vector<const io::FieldInfo*> first(step.controls_first.size()), controls;
  for (const io::FieldInfo& info : fields) {
    if (info.field.place != io::Place::panel || !info.field.shown || !info.field.steps.has(step.id)) continue;
    const auto place = std::ranges::find(step.controls_first, info.field.name);
    if (place == step.controls_first.end())
      controls.push_back(&info);
    else
      first[static_cast<std::size_t>(place - step.controls_first.begin())] = &info;
  }
  std::erase(first, nullptr);
  controls.insert(controls.begin(), first.begin(), first.end());
  return controls;
}

float foot_height(const App& app) {
  const std::vector<io::FieldInfo> fields = shown_fields(app);
  const bool typed = sentence_field(fields) != nullptr;
  if (app.low()) return typed ? kFinger + 2 : 0;  // most of a low window is the figure's
  const bool controls = !hides(app, "inspector") && std::ranges::any_of(fields, [](const io::FieldInfo& info) {
    return info.field.place == io::Place::panel && info.field.shown;
  });
  return typed || find_field(fields, "preset") != nullptr || controls
             ? magnification(app) * app.control(28) + (app.fingers() ? 16 : 28)
             : 0;
}

InFoot in_foot(const App& app, const Regions& r, const Offered& offered) {
  if (r.foot.h == 0) return {};
  const Plan plan = plan_of(app, row_of(app, r), offered);
  return {plan.controls, plan.job};
}

void add_foot(Page& page, const App& app, const Offered& offered) {
  if (page.regions.foot.h == 0) return;
  const std::vector<io::FieldInfo>& fields = offered.fields;
  const Rect row = row_of(app, page.regions);
  const Plan plan = plan_of(app, row, offered);
  Figure& figure = page.figure;
  const std::size_t elements = figure.elements.size(), inputs = page.inputs.size();
  float x = row.x;
  const io::FieldInfo* preset = find_field(fields, "preset");
  const io::FieldInfo* sentence = sentence_field(fields);
  // The sentence first: it keeps its place whatever else is offered for it.
  if (sentence != nullptr) {
    const Rect pill{x, row.y, plan.input, row.h};
    add_sentence_pill(page, app, *sentence,
                      {.rect = pill, .input_width = pill.w, .shows_example = plan.chips ? nullptr : preset});
    x += pill.w + (preset != nullptr ? kAfterChips : kControlGap);
  }
  if (preset != nullptr) {
    const float width = examples_width(preset, sentence != nullptr, plan.chips);
    const Rect place{x, row.y, std::min(width, row.w), row.h};
    if (plan.chips)
      add_example_chips(figure, app, *preset, sentence != nullptr, place);
    else
      add_example_button(figure, app, *preset, place);
    x += width + kControlGap;
  }
  const std::vector<const io::FieldInfo*> controls = controls_of(app, fields);
  for (std::size_t i = 0; i < plan.controls; ++i) {
    const float width = row_control_width(*controls[i]);
    add_row_control(figure, app, *controls[i], {x, row.y, width, row.h});
    x += width + kControlGap;
  }
  if (plan.job) {
    add_row_job(figure, app, {x, row.y, job_width(app), row.h});
    x += job_width(app) + kControlGap;
  }
  if (plan.hidden > 0) {
    add_button(figure, app, {x, row.y, more_width(plan.hidden), row.h},
               {.id = "shell.more_controls",
                .text = std::string(kMore),
                .label = "All controls of this step",
                .edit = {"do", "inspector"},
                .outlined = true,
                .radius = row.h / 2});
    x += more_width(plan.hidden) + kQuestionGap;
  }
  if (plan.asks) add_question_button(figure, app, {x, row.y, question_width(), row.h});
  const float k = magnification(app);
  if (k == 1) return;
  for (std::size_t i = elements; i < figure.elements.size(); ++i) magnify(figure.elements[i], k);
  for (std::size_t i = inputs; i < page.inputs.size(); ++i) magnify(page.inputs[i], k);
}

}  // namespace limelight::app
