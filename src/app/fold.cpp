#include "app/fold.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "app/widgets.h"
#include "scenes/common/sentence.h"

namespace limelight::app {

using namespace figure;

namespace {

constexpr float kSlack = 4;  // px that may be cut off: the space that letters leave in their line

bool ends_below(const Element& element, float fold) { return element.rect.bottom() > fold + kSlack; }

// Of what is below of a panel, its names included, which may stand above its title.
float top_of(const Figure& stage, const Element& title, std::string_view panel, float fold) {
  float top = title.rect.y;
  for (const Element& part : stage.elements)
    if (is_named_after(part.id, panel) && ends_below(part, fold)) top = std::min(top, part.rect.y);
  return top;
}

// What of the panels is there, by their titles: the rest of the last one that begins above, then those that begin
// there; and where the first of these begins, where it is the first that is named.
struct Below {
  std::vector<std::string> titles;
  std::optional<float> first;
};
Below below(const Figure& stage, float fold) {
  std::vector<std::string> all, titles;
  std::optional<float> first;
  std::string cut;
  for (const Element& title : stage.elements) {
    const std::string name = title_of(stage, title);
    if (name.empty()) continue;
    const std::string_view panel = std::string_view(title.id).substr(0, title.id.size() - kTitleEnding.size());
    all.push_back(name);
    if (ends_below(title, fold)) {
      titles.push_back(name);
      if (!first) first = top_of(stage, title, panel, fold);
    } else if (std::ranges::any_of(stage.elements, [&](const Element& part) {
                 return ends_below(part, fold) && is_named_after(part.id, panel);
               }))
      cut = name;
  }
  const auto tells_nothing = [&](const std::string& name) { return std::ranges::count(all, name) != 1; };
  std::erase_if(titles, tells_nothing);
  if (!tells_nothing(cut)) {
    titles.insert(titles.begin(), "the rest of “" + cut + "”");
    first.reset();
  }
  if (titles.empty()) first.reset();
  return {titles, first};
}

// As many as fit into the width, or the beginning of the first.
std::string names_of(const std::vector<std::string>& titles, float size, float width) {
  if (titles.empty()) return "more below";
  std::string list = titles[0];
  for (std::size_t i = 1; i < titles.size(); ++i) {
    const bool last = i + 1 == titles.size();
    const std::string longer = list + " · " + titles[i];
    if (text::measure(text::Face::regular, size, longer + (last ? "" : " · …")) > width) return list + " · …";
    list = longer;
  }
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
  const Below there = below(stage, fold);
  // Past no more than words of a long sentence the button leads to what it names.
  if (there.first && std::ranges::all_of(stage.elements, [&](const Element& element) {
        return !ends_below(element, fold) || element.rect.y > *there.first - kAir || scenes::is_of_words(element.id);
      }))
    target = *there.first - kAir;
  target = std::min(target, stage.height - area.h);
  constexpr float kSize = 13, kAside = 16;
  const float width = area.w - 2 * kAside;
  const std::string arrow = "↓ ";
  const std::string names = names_of(there.titles, kSize, width - text::measure(text::Face::regular, kSize, arrow));
  add_button(figure, app, {area.x, area.bottom() - height, area.w, height},
             {.id = "shell.below",
              .text = text::fit(text::Face::regular, kSize, arrow + names, width),
              .label = names == "more below" ? "More below" : "More below: " + names,
              .edit = {"scroll", std::to_string(static_cast<int>(target))},
              .plain = true,
              .size = kSize,
              .ink = palette(app.theme()).accent});
}

}  // namespace limelight::app
