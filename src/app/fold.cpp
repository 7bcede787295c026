#include "app/fold.h"

#include <algorithm>
#include <string>
#include <vector>

#include "app/widgets.h"

namespace limelight::app {

using namespace figure;

namespace {

constexpr float kSlack = 4;  // px that may be cut off: the space that letters leave in their line

bool ends_below(const Element& element, float fold) { return element.rect.bottom() > fold + kSlack; }

// The titles of the panels that are not seen to their end.
std::string names_below(const Figure& stage, float fold) {
  std::vector<std::string> names;
  for (const Element& title : stage.elements) {
    const auto* text = std::get_if<Text>(&title.shape);
    const auto* box = std::get_if<FormulaBox>(&title.shape);
    if ((text == nullptr && box == nullptr) || !title.id.ends_with(kTitleEnding)) continue;
    const std::string_view panel = std::string_view(title.id).substr(0, title.id.size() - kTitleEnding.size());
    if (std::ranges::any_of(stage.elements, [&](const Element& part) {
          return ends_below(part, fold) && is_named_after(part.id, panel);
        }))
      names.push_back(text != nullptr ? text->text : plain(box->formula));
  }
  std::string list;
  for (const std::string& name : names)  // an index may stand beside a title: W, W, W
    if (std::ranges::count(names, name) == 1) list += (list.empty() ? "" : ", ") + name;
  return list;
}

}  // namespace

float fold_height(const App& app, const Figure& stage, Rect area, float scroll) {
  const bool more =
      std::ranges::any_of(stage.elements, [&](const Element& element) { return ends_below(element, scroll + area.h); });
  return more ? std::min(app.control(28), area.h / 3) : 0;
}

void add_fold(Figure& figure, const App& app, const Figure& stage, Rect area, float scroll) {
  constexpr float kTitleHeight = 28, kAir = 8, kOverlap = 24;
  const float height = fold_height(app, stage, area, scroll), seen = area.h - height, fold = scroll + seen;
  // As far as nothing is passed over; what is cut in two is shown from its title on, unless that is hardly farther
  // down.
  float target = fold - kOverlap;
  std::vector<const Element*> titles;
  for (const Element& element : stage.elements)
    if (element.id.ends_with(kTitleEnding)) titles.push_back(&element);
  for (const Element& element : stage.elements) {
    if (!ends_below(element, fold)) continue;
    float top = element.rect.y - kTitleHeight;
    for (const Element* title : titles)
      if (is_named_after(element.id, title->id.substr(0, title->id.size() - kTitleEnding.size())))
        top = std::min(top, title->rect.y - kAir);
    if (top > scroll + seen / 3) target = std::min(target, top);
  }
  target = std::min(target, stage.height - area.h);
  const std::string names = names_below(stage, fold);
  add_button(figure, app, {area.x, area.bottom() - height, area.w, height},
             {.id = "shell.below",
              .text = "↓ " + (names.empty() ? "more below" : names),
              .label = "More below" + (names.empty() ? names : ": " + names),
              .edit = {"scroll", std::to_string(static_cast<int>(target))},
              .plain = true,
              .ink = palette(app.theme()).accent});
}

}  // namespace limelight::app
