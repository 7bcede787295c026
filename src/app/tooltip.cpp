#include "app/tooltip.h"

#include <algorithm>
#include <string>

#include "app/timeline.h"
#include "figure/panels.h"

namespace limelight::app {

using namespace figure;

namespace {

std::string words_for(const App& app, const Element& target, const std::vector<io::FieldInfo>& fields) {
  constexpr float kSign = 48;  // what is wider has words on it
  if (!target.edit && target.label.ends_with(kGiven)) return std::string(kGiven);
  if (app.hovered.starts_with("field."))
    for (const io::FieldInfo& info : fields)
      if (app.hovered.substr(6, app.hovered.find('.', 6) - 6) == info.field.name &&
          info.field.place == io::Place::panel)
        return std::string(info.field.hint);
  const bool sign = app.hovered.starts_with("shell.") && !app.hovered.starts_with("shell.step");
  return app.hovered.starts_with("map.") || (sign && target.rect.w <= kSign) ? target.label : std::string();
}

}  // namespace

void add_tooltip(Figure& figure, const App& app, const Regions& r, const std::vector<io::FieldInfo>& fields) {
  if (!app.tooltip || app.touch || app.overlay != Overlay::none) return;
  const Element* target = figure.find(app.hovered);
  if (target == nullptr) return;
  const std::string words = words_for(app, *target, fields);
  if (words.empty()) return;
  const Palette& colours = palette(app.theme());
  const Rect of = target->rect;
  const float width = std::min(text::measure(text::Face::regular, 12, words), 250.F);
  Figure lines;
  const float height =
      add_paragraph(lines, "shell.tooltip.text", words, {0, 0}, width + 1, 12, colours.paper, colours.paper);
  // A control's stays in the inspector: whoever sets it watches the figure.
  const bool inside = app.hovered.starts_with("field.") && !app.compact();
  const float first = inside ? r.inspector.x + 4 : 4, last = std::max(first, app.width - width - 24);
  const bool above = of.bottom() + height + 14 > app.height;
  const Rect box{std::clamp(of.centre().x - width / 2 - 10, first, last), above ? of.y - height - 14 : of.bottom() + 6,
                 width + 20, height + 8};
  figure.add({.id = "shell.tooltip", .rect = box, .shape = Rectangle{.fill = colours.ink, .radius = 6}});
  append(figure, lines, box.x + 10, box.y + 4, std::nullopt);
}

}  // namespace limelight::app
