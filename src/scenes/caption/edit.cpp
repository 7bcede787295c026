// The step "picture": the picture to play with, and what both models say of it.
#include <cmath>
#include <utility>

#include "scenes/caption/paint.h"
#include "scenes/caption/steps.h"

namespace limelight::scenes::caption {
namespace {

namespace pictures = learn::pictures;
using pictures::kSide;

// What a chip makes of the picture.
Chip made(const std::string& text, const pictures::Scene& scene, bool on, const std::string& label) {
  return {.text = text, .value = pictures::write(scene), .on = on, .label = label};
}

template <class Property>
ChipGroup properties(const Drawing& d, std::string_view key, int object, Property pictures::Object::* which,
                     int count) {
  ChipGroup group{.field = "objects", .name = key, .chips = {}, .key = key};
  for (int i = 0; i < count; ++i) {
    pictures::Scene scene = d.scene;
    pictures::Object& changed = scene.objects[static_cast<std::size_t>(object)];
    const std::string before = name_of(changed);
    const auto value = static_cast<Property>(i);
    const bool on = changed.*which == value;
    changed.*which = value;
    const std::string text(name(value));
    group.chips.push_back(made(text, scene, on, "Make the " + before + " " + text));
  }
  return group;
}

// Of some places the one that is farthest from all objects.
pictures::Object in_free_place(const pictures::Scene& scene, pictures::Object object) {
  int best = -1;
  for (int y = 12; y <= kSide - 12; y += 8)
    for (int x = 12; x <= kSide - 12; x += 8) {
      int nearest = 2 * kSide * kSide;
      for (const pictures::Object& other : scene.objects)
        nearest = std::min(nearest, (other.x - x) * (other.x - x) + (other.y - y) * (other.y - y));
      if (nearest <= best) continue;
      best = nearest;
      object.x = x;
      object.y = y;
    }
  return object;
}

ChipGroup additions(const Drawing& d) {
  ChipGroup group{.field = "objects", .name = "add", .chips = {}, .key = "add"};
  if (static_cast<int>(d.scene.objects.size()) == pictures::kMostObjects) return {};
  for (int i = 0; i < pictures::kShapes; ++i) {
    pictures::Scene scene = d.scene;
    const auto shape = static_cast<pictures::Shape>(i);
    const pictures::Object added{.shape = shape, .colour = static_cast<pictures::Colour>((i + 1) % pictures::kColours)};
    scene.objects.push_back(in_free_place(scene, added));
    const std::string text(name(shape));
    const pictures::Caption alone = pictures::caption({.objects = {added}});
    group.chips.push_back(made(text, scene, false, "Add " + pictures::text_of(alone.words)));
  }
  return group;
}

ChipGroup backgrounds(const Drawing& d) {
  ChipGroup group{.field = "objects", .name = "ground", .chips = {}, .key = "ground"};
  for (int i = 0; i < pictures::kTextures; ++i) {
    pictures::Scene scene = d.scene;
    scene.background.texture = static_cast<pictures::Texture>(i);
    const std::string text(name(scene.background.texture));
    group.chips.push_back(
        made(text, scene, scene.background == d.scene.background, "A background of " + text + " grey"));
  }
  for (const int step : {-15, 15}) {
    pictures::Scene scene = d.scene;
    scene.background.shade = std::clamp(scene.background.shade + step, 0, 100);
    if (scene.background == d.scene.background) continue;
    group.chips.push_back(made(step < 0 ? "darker" : "lighter", scene, false,
                               std::string("A ") + (step < 0 ? "darker" : "lighter") + " background"));
  }
  return group;
}

// Which object is chosen.
ChipGroup choices(const Drawing& d, int chosen) {
  ChipGroup group{.field = "object", .name = "object", .chips = {}};
  const std::vector<std::string> names = names_of(d.scene);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string& name = names[i];
    group.chips.push_back({name, std::to_string(i), static_cast<int>(i) == chosen, "Choose the " + name});
  }
  return group;
}

// For keys and for fingers: two pixels each way.
ChipGroup nudges(const Drawing& d, int chosen) {
  struct Way {
    const char* sign;
    const char* name;
    int dx, dy;
  };
  static constexpr Way ways[] = {{"←", "left", -2, 0}, {"→", "right", 2, 0}, {"↑", "up", 0, -2}, {"↓", "down", 0, 2}};
  ChipGroup group{.field = "at", .name = "move", .chips = {}, .key = "nudge"};
  const pictures::Object& object = d.scene.objects[static_cast<std::size_t>(chosen)];
  for (const Way& way : ways) {
    const std::string row = std::to_string(chosen);
    const auto within = [](int pixel) { return std::to_string(std::clamp(pixel, 0, kSide)); };
    group.chips.push_back({way.sign,
                           row + ".0:" + within(object.x + way.dx) + "," + row + ".1:" + within(object.y + way.dy),
                           false, "Move the " + name_of(object) + " " + way.name});
  }
  return group;
}

ChipGroup removal(const Drawing& d, int chosen) {
  pictures::Scene without = d.scene, front = d.scene;
  const std::string name = name_of(without.objects[static_cast<std::size_t>(chosen)]);
  without.objects.erase(without.objects.begin() + chosen);
  ChipGroup group{.field = "objects", .name = "", .chips = {}, .key = "object.do"};
  group.chips.push_back(made("take away", without, false, "Take the " + name + " away"));
  if (chosen + 1 < static_cast<int>(front.objects.size())) {
    std::rotate(front.objects.begin() + chosen, front.objects.begin() + chosen + 1, front.objects.end());
    group.chips.push_back(made("to the front", front, false, "Put the " + name + " in front of the others"));
  }
  return group;
}

// The objects, there to be dragged: the last one lies on top.
void add_handles(Drawing& d, Rect picture, int chosen) {
  const float scale = picture.w / kSide;
  for (std::size_t i = 0; i < d.scene.objects.size(); ++i) {
    const pictures::Object& object = d.scene.objects[i];
    const float far = std::max(static_cast<float>(reach(object.shape, object.size)) * scale, d.chip_height() / 2);
    const Point centre{picture.x + static_cast<float>(object.x) * scale,
                       picture.y + static_cast<float>(object.y) * scale};
    const std::string id = "object." + std::to_string(i), row = std::to_string(i);
    if (static_cast<int>(i) == chosen)
      d.figure.add({.id = id + ".chosen",
                    .rect = Rect{centre.x - far, centre.y - far, 2 * far, 2 * far}.inset(-2),
                    .shape = Rectangle{.stroke = {255, 255, 255}, .stroke_width = 1.5F, .radius = 6},
                    .clip = picture.inset(-3),
                    .furniture = true});
    Edit edit{.field = "at", .value = row + ".0:" + std::to_string(object.x)};
    edit.plane = Edit::Plane{
        .frame = picture, .x_low = 0, .x_high = kSide, .y_low = kSide, .y_high = 0, .row = static_cast<int>(i)};
    d.figure.add({.id = id,
                  .role = Role::handle,
                  .rect = {centre.x - far, centre.y - far, 2 * far, 2 * far},
                  .label = "Drag the " + name_of(object),
                  .edit = std::move(edit),
                  .clip = picture});
  }
}

// All of the picture takes the brush.
void add_brush(Drawing& d, Rect picture) {
  Edit edit{.field = "brush"};
  const auto strokes = read_strokes(d.state.strokes);
  edit.plane = Edit::Plane{.frame = picture,
                           .x_low = 0,
                           .x_high = kSide,
                           .y_low = kSide,
                           .y_high = 0,
                           .row = strokes ? static_cast<int>(strokes->size()) : 0,
                           .at_once = true};
  d.figure.add({.id = "brush", .role = Role::handle, .rect = picture, .label = "Paint here", .edit = std::move(edit)});
}

std::vector<ChipGroup> brushes(const Drawing& d) {
  std::vector<ChipGroup> groups{chips_of("ink", "colour", kInks, static_cast<int>(d.state.ink))};
  ChipGroup width{.field = "width", .name = "width", .chips = {}};
  for (const int pixels : {2, 5, 9, 16})
    width.chips.push_back({std::to_string(pixels), std::to_string(pixels), pixels == d.state.width,
                           "A brush of " + std::to_string(pixels) + " pixels"});
  groups.push_back(std::move(width));
  std::vector<Stroke> strokes = read_strokes(d.state.strokes).value_or(std::vector<Stroke>{});
  if (strokes.empty()) return groups;
  ChipGroup away{.field = "strokes", .name = "", .chips = {}, .key = "strokes"};
  strokes.pop_back();
  if (!strokes.empty()) away.chips.push_back({"take the last stroke away", write(strokes)});
  away.chips.push_back({"take all strokes away", " ", false, "Take all that is painted away"});
  groups.push_back(std::move(away));
  return groups;
}

std::string hint_of(const Drawing& d) {
  if (d.state.tool == Tool::paint) return "paint over the picture";
  if (d.scene.objects.empty()) return "add a thing: both captions follow";
  return "drag a thing: both captions follow" +
         std::string(static_cast<int>(d.scene.objects.size()) == pictures::kMostObjects ? "; three at most" : "");
}

float add_tools(Drawing& d, Point at, float width) {
  std::vector<ChipGroup> groups{chips_of("tool", "", kTools, static_cast<int>(d.state.tool))};
  if (d.state.tool == Tool::paint)
    for (ChipGroup& group : brushes(d)) groups.push_back(std::move(group));
  else
    groups.push_back(additions(d));
  if (d.trace.find("own") == nullptr) groups.push_back(backgrounds(d));
  groups.push_back(
      {.field = "do",
       .name = "",
       .chips = {{"your own picture …", "picture_file", false,
                  "Choose a picture of your own; it is made square and small, and never leaves your machine"}}});
  const float hint = at.x + chips_width(groups.front(), d.chip_height()) + 14;
  const std::size_t from = d.figure.elements.size();
  add_words(d, "tool.hint", {hint, at.y, at.x + width - hint, d.chip_height()}, hint_of(d), {d.colours.muted});
  float y = at.y;
  for (const ChipGroup& group : groups)
    if (!group.chips.empty()) y = add_chips(d, {group}, {at.x, y}, width, d.chip_height()) + 6;
  mark_furniture(d.figure, from);
  return y;
}

constexpr float kCentre = 104;  // the width of what follows

// Where it is, there to be typed. Returns the bottom.
float add_centre(Drawing& d, int chosen, Point at) {
  const std::size_t from = d.figure.elements.size();
  add_words(d, "at.name", {at.x, at.y, 18, d.chip_height()}, "at", {d.colours.muted});
  d.figure.add({.id = "at",
                .role = Role::cell,
                .rect = {at.x + 20, at.y, 82, d.chip_height()},
                .label = "The objects’ centres, x and y in pixels",
                .edit = Edit{.field = "at"},
                .shape = MatrixCells{.range = {"at", chosen, 0, 1, 2},
                                     .gap = 4,
                                     .radius = 6,
                                     .text_size = 12,
                                     .decimals = 0,
                                     .tint = d.colours.neutral_fill,
                                     .theme = d.view.theme}});
  mark_furniture(d.figure, from);
  return at.y + d.chip_height();
}

float add_object(Drawing& d, int chosen, Point at, float width) {
  if (chosen < 0 || d.state.tool == Tool::paint) return at.y;
  const std::vector<ChipGroup> groups = {choices(d, chosen),
                                         properties(d, "shape", chosen, &pictures::Object::shape, pictures::kShapes),
                                         properties(d, "colour", chosen, &pictures::Object::colour, pictures::kColours),
                                         properties(d, "size", chosen, &pictures::Object::size, pictures::kSizes)};
  float y = at.y;
  for (const ChipGroup& group : groups) y = add_chips(d, {group}, {at.x, y}, width, d.chip_height()) + 6;
  y = add_chips(d, {nudges(d, chosen)}, {at.x, y}, width, d.chip_height());
  Point centre{at.x + chips_width(nudges(d, chosen), d.chip_height()) + 14, y - d.chip_height()};
  if (centre.x + kCentre > at.x + width) centre = {at.x, y + 6};
  y = add_centre(d, chosen, centre);
  return add_chips(d, {removal(d, chosen)}, {at.x, y + 6}, width, d.chip_height());
}

// What both say, and what the world would.
float add_said(Drawing& d, Point at, float width) {
  if (!is_captioned(d.trace)) return at.y;
  float y = at.y;
  const Reference reference = reference_of(d);
  y = add_caption(d, {"said.soft", "soft", d.colours.accent, "looks at all cells, weighted"},
                  words_in(d.trace, "chosen_soft"), reference, {at.x, y}, width) +
      10;
  y = add_caption(d, {"said.hard", "hard", d.colours.output, "looks at one cell for each word"},
                  words_in(d.trace, "chosen_hard"), reference, {at.x, y}, width) +
      10;
  if (d.trace.find("truth") != nullptr)
    return add_caption(d, {"said.truth", "the world’s own caption", d.colours.good, "neither model is told"},
                       reference.words, reference, {at.x, y}, width);
  const Tensor* own = d.trace.find("own");
  const std::size_t from = d.figure.elements.size();
  const bool lacking = own != nullptr && own->values(0, 0) == 0;
  if (lacking ||
      (d.state.preset == Preset::own && own == nullptr && d.state.strokes.empty() && d.scene.objects.empty())) {
    y = add_note(
        d, "said.own",
        lacking ? "**The picture is not here.** A link holds only its name; the picture itself has never left the "
                  "machine where it was given. Give it again, or another one."
                : "**Give a picture of your own:** drop it on the page, paste it, or press “your own picture …”. "
                  "It is made square and small, and never leaves your machine. So far there is nothing to be seen.",
        {at.x, y}, width);
    mark_furniture(d.figure, from);
    return y;
  }
  const bool empty = own == nullptr && d.scene.objects.empty() && d.state.strokes.empty();
  return add_note(d, "said.foreign",
                  empty ? "**Nothing is there.** Neither model ever saw an empty picture: they say what they say."
                        : "**Foreign to them.** The models know five shapes in six colours on grey, and nothing else; "
                          "of all other pictures they say what comes nearest.",
                  {at.x, y}, width);
}

}  // namespace

float draw_picture(Drawing& d, float y) {
  const float m = d.margin();
  const int count = static_cast<int>(d.scene.objects.size());
  const int chosen = count == 0 ? -1 : std::min(d.state.object, count - 1);
  const float side =
      d.narrow() ? std::min(d.inner(), 330.F) : std::floor(std::clamp(d.foot() - y - 100, 220.F, d.inner() * 0.46F));
  const Rect picture{d.narrow() ? m + std::floor((d.inner() - side) / 2) : m, y, side, side};
  std::string label = "The picture: " + d.state.objects;
  if (!d.state.strokes.empty()) label += "; painted over";
  add_picture(d, "picture", picture, label);
  d.state.tool == Tool::paint ? add_brush(d, picture) : add_handles(d, picture, chosen);
  if (d.narrow()) {
    y = add_said(d, {m, picture.bottom() + 12}, d.inner()) + 14;
    y = add_tools(d, {m, y}, d.inner()) + 8;
    return add_object(d, chosen, {m, y}, d.inner());
  }
  const float left = add_tools(d, {m, picture.bottom() + 12}, side);
  const float x = picture.right() + 28, width = m + d.inner() - x;
  y = add_said(d, {x, y}, width) + 18;
  return std::max(left, add_object(d, chosen, {x, y}, width));
}

}  // namespace limelight::scenes::caption
