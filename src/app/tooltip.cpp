#include "app/tooltip.h"

#include <algorithm>
#include <string>

#include "app/terms.h"
#include "app/timeline.h"
#include "figure/panels.h"

namespace limelight::app {

using namespace figure;

namespace {

using Lines = std::vector<std::string>;

std::string meaning_of(const scenes::Term& term) {
  return "**" + std::string(term.name) + "** " + std::string(term.meaning);
}

// What a control does, then what its name means.
Lines words_for_control(const io::FieldInfo& info) {
  Lines lines;
  if (!info.field.hint.empty()) lines.emplace_back(info.field.hint);
  const std::vector<scenes::Mention> named = scenes::mentions(info.field.label);
  if (!named.empty()) lines.push_back(meaning_of(*named.front().term));
  return lines;
}

// Of a rail that is too narrow for the scenes' questions.
bool names_scene(const Element& target) {
  constexpr float kNarrow = 80;
  return target.id.starts_with("shell.scene.") && target.rect.w < kNarrow;
}

// Of the timeline's small ticks, which have no names below them: "shell.step.7.2".
bool is_part_tick(std::string_view id) { return id.starts_with("shell.step.") && std::ranges::count(id, '.') == 3; }

Lines words_for(const App& app, const Element& target, const std::vector<io::FieldInfo>& fields) {
  constexpr float kSign = 48;  // what is wider has words on it
  if (!target.edit && target.label.ends_with(kGiven)) return {std::string(kGiven)};
  if (const scenes::Term* term = term_of(app.hovered)) return {meaning_of(*term)};
  if (app.hovered.starts_with("field."))
    for (const io::FieldInfo& info : fields)
      if (app.hovered.substr(6, app.hovered.find('.', 6) - 6) == info.field.name &&
          info.field.place == io::Place::panel)
        return words_for_control(info);
  if (target.id == "shell.provenance") return {app.scene->provenance(app.state)};
  if (names_scene(target)) {
    const std::size_t colon = target.label.find(": ");
    return {"**" + target.label.substr(0, colon) + "** " + target.label.substr(colon + 2)};
  }
  if (is_part_tick(target.id)) return {target.label};
  const bool sign = app.hovered.starts_with("shell.") && !app.hovered.starts_with("shell.step");
  if (app.hovered.starts_with("map.") || (sign && target.rect.w <= kSign)) return {target.label};
  return {};
}

}  // namespace

void add_tooltip(Figure& figure, const App& app, const Regions& r, const std::vector<io::FieldInfo>& fields) {
  if (!app.tooltip || (app.touch && !is_term(app.hovered)) || app.overlay != Overlay::none) return;
  const Element* target = figure.find(app.hovered);
  if (target == nullptr) return;
  const Lines words = words_for(app, *target, fields);
  if (words.empty()) return;
  const Palette& colours = palette(app.theme());
  const Rect of = target->rect;
  // A control's stays in the inspector, or below the row under the figure: whoever sets it watches the figure.
  const bool is_control = app.hovered.starts_with("field.") && !app.compact();
  const bool inside = is_control && r.inspector.w > 0 && of.x >= r.inspector.x;
  constexpr float kBetween = 4;
  const float widest = inside ? r.inspector.w - 32 : 260;
  float width = 0, height = -kBetween;
  for (const std::string& line : words)
    width = std::min(std::max(width, text::measure(text::Face::semibold, 12, scenes::without_marks(line))), widest);
  Figure lines;
  for (const std::string& line : words) {
    const float y = height + kBetween;
    height = y + add_paragraph(lines, "shell.tooltip.text." + std::to_string(lines.elements.size()), line, {0, y},
                               width + 1, 12, colours.paper, colours.paper);
  }
  const float first = inside ? r.inspector.x + 4 : 4, last = std::max(first, app.width - width - 24);
  // What surrounds a word in a paragraph is being read.
  const bool above = is_marked_term(app.hovered) || of.bottom() + height + 14 > app.height;
  Rect box{std::clamp(of.centre().x - width / 2 - 10, first, last), above ? of.y - height - 14 : of.bottom() + 6,
           width + 20, height + 8};
  if (names_scene(*target))
    box = {of.right() + 6, std::clamp(of.centre().y - box.h / 2, 4.F, app.height - box.h - 4), box.w, box.h};
  figure.add({.id = "shell.tooltip", .rect = box, .shape = Rectangle{.fill = colours.ink, .radius = 6}});
  append(figure, lines, box.x + 10, box.y + 4, std::nullopt);
}

}  // namespace limelight::app
