#include "app/provenance.h"

#include <algorithm>

#include <string>

#include "app/hidden.h"
#include "app/widgets.h"

namespace limelight::app {

using namespace figure;

namespace {

constexpr float kChipHeight = 20, kLetters = 11.5F;  // px

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

// What the chip says; empty where it has nothing to say.
std::string words_of(const App& app) {
  if (hides(app, "inspector")) return "";
  std::string words(origin_in_short(scenes::without_marks(app.scene->provenance(app.state))));
  if (words.empty()) return "";
  const std::vector<io::FieldInfo> fields = app.scene->fields(app.state);
  const auto is_edited = [](const io::FieldInfo& info) {
    return info.kind == io::FieldKind::cells && info.value != info.initial;
  };
  return std::ranges::any_of(fields, is_edited) ? words + ", edited" : words;
}

float width_of(std::string_view words) { return text::measure(text::Face::semibold, kLetters, words) + 28; }

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

bool add_origin(Figure& figure, const App& app, Rect room) {
  const std::string words = words_of(app);
  const float width = width_of(words);
  if (words.empty() || width > room.w) return false;
  const Palette& colours = palette(app.theme());
  const Rect place{room.x, room.centre().y - kChipHeight / 2, width, kChipHeight};
  figure.add({.id = "shell.provenance",
              .role = app.compact() ? Role::none : Role::image,
              .rect = place,
              .label = scenes::without_marks(app.scene->provenance(app.state)),
              .shape = Rectangle{.fill = colours.surface, .stroke = colours.track, .radius = kChipHeight / 2}});
  figure.add({.id = "shell.provenance.light",
              .rect = {place.x + 8, place.centre().y - 3, 6, 6},
              .shape = Rectangle{.fill = colours.lamp, .radius = 3}});
  add_label(figure, "shell.provenance.short", {place.x + 18, place.y, width - 24, kChipHeight},
            {.text = words, .size = kLetters, .colour = colours.muted, .face = text::Face::semibold});
  return true;
}

float origin_width(const App& app) {
  const std::string words = words_of(app);
  return words.empty() ? 0 : width_of(words);
}

}  // namespace limelight::app
