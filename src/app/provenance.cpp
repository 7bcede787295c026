#include "app/provenance.h"

#include <algorithm>
#include <array>
#include <string>

#include "app/hidden.h"
#include "app/widgets.h"

namespace limelight::app {

using namespace figure;

namespace {

constexpr float kChipHeight = 20, kFromEdge = 16, kChipTop = 14;  // px

struct Origin {
  std::string_view said, short_name;
};
// The first of them that a sentence says is what most of its numbers are.
constexpr Origin kOrigins[] = {{"by hand", "by hand"},
                               {"made up", "by hand"},
                               {"onstructed", "by hand"},
                               {"Trained", "trained"},
                               {"easured", "measured"},
                               {"rawn at random", "drawn at random"},
                               {"from the spelling", "by spelling"},
                               {"Your ", "your own"},
                               {"counted", "computed"}};

// Whether nothing of the figure is there but what lies behind most of it.
bool is_free(const Figure& figure, Rect stage, Rect place) {
  const Rect around = place.inset(-4);
  return std::ranges::none_of(figure.elements, [&around, stage](const Element& element) {
    const Rect& at = element.rect;
    const bool painted = !std::holds_alternative<std::monostate>(element.shape) || element.role != Role::none;
    if (!painted || at.w * at.h > stage.w * stage.h / 2 || std::holds_alternative<Light>(element.shape)) return false;
    if (element.clip && !element.clip->contains(around.centre())) return false;
    return at.x < around.right() && around.x < at.right() && at.y < around.bottom() && around.y < at.bottom();
  });
}

}  // namespace

std::string_view origin_in_short(std::string_view sentence) {
  std::string_view name;
  std::size_t first = sentence.size();
  for (const Origin& origin : kOrigins)
    if (const std::size_t at = sentence.find(origin.said); at < first) {
      first = at;
      name = origin.short_name;
    }
  return name;
}

void add_origin(Figure& figure, const App& app, Rect seen) {
  if (hides(app, "inspector")) return;
  const std::string sentence = scenes::without_marks(app.scene->provenance(app.state));
  std::string words(origin_in_short(sentence));
  if (words.empty()) return;
  const std::vector<io::FieldInfo> fields = app.scene->fields(app.state);
  const auto is_edited = [](const io::FieldInfo& info) {
    return info.kind == io::FieldKind::cells && info.value != info.initial;
  };
  if (std::ranges::any_of(fields, is_edited)) words += ", edited";
  const Palette& colours = palette(app.theme());
  const float width = text::measure(text::Face::semibold, 11.5F, words) + 28;
  const float left = seen.x + kFromEdge, right = seen.right() - kFromEdge - width;
  const float top = seen.y + kChipTop, bottom = seen.bottom() - kChipHeight - 6;
  // Of the corners the first that is free; on a phone those below the figure come first, far from what is read.
  std::array<Point, 4> corners{{{right, top}, {left, top}, {right, bottom}, {left, bottom}}};
  if (app.compact()) std::ranges::rotate(corners, corners.begin() + 2);
  const auto place_at = [width](Point corner) { return Rect{corner.x, corner.y, width, kChipHeight}; };
  const auto* const corner =
      std::ranges::find_if(corners, [&](Point one) { return is_free(figure, seen, place_at(one)); });
  if (corner == corners.end()) return;
  const Rect place = place_at(*corner);
  figure.add({.id = "shell.provenance",
              .role = Role::image,
              .rect = place,
              .label = sentence,
              .shape = Rectangle{.fill = colours.surface, .stroke = colours.hairline, .radius = kChipHeight / 2}});
  figure.add({.id = "shell.provenance.light",
              .rect = {place.x + 8, place.centre().y - 3, 6, 6},
              .shape = Rectangle{.fill = palette(app.theme()).lamp, .radius = 3}});
  add_label(figure, "shell.provenance.short", {place.x + 18, place.y, width - 24, kChipHeight},
            {.text = words, .size = 11.5F, .colour = colours.muted, .face = text::Face::semibold});
}

}  // namespace limelight::app
