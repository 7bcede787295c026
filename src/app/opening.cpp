#include "app/opening.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/compare.h"
#include "app/doors.h"
#include "app/ghost.h"
#include "app/miniatures.h"
#include "app/notice.h"
#include "app/widgets.h"
#include "io/numbers.h"
#include "scenes/common/sentence.h"

namespace limelight::app {

using namespace figure;

namespace {

constexpr std::string_view kWeights = "weights", kQuery = "query";  // of the first scene
constexpr float kWidth = 1280, kHeight = 800;                       // of a window in which it is drawn at scale 1
constexpr float kTallWidth = 1000;                                  // of one that is higher than wide
constexpr float kFarthest = 0.55F;  // of the width of such a one: the lamp from the words

struct Door {
  std::string_view id, name, asks;
  std::string_view field, value;  // what a press sets
};
constexpr Door kDoors[] = {
    {"opening.words", "Words", "Which words does a word look at?", "do", "words"},
    {"opening.translation", "Translation", "Where does a translator look?", "scene", "translate"},
    {"opening.pictures", "Pictures", "Where does a captioner look?", "scene", "caption"},
};

constexpr std::string_view kHeadline[] = {"Attention is a light", "that every word shines", "on the others."};
constexpr std::string_view kBelow = "How a neural network reads, number by number.";
constexpr std::string_view kPromise =
    "Nothing is faked: every number is computed as you watch, here from matrices set by hand, later by trained "
    "networks.";
constexpr std::string_view kShortPromise = "Every number is computed as you watch.";  // where there is less room

constexpr float kNameWidth = 150, kSkipWidth = 132;  // px

// Where everything is; CSS pixels.
struct Layout {
  float k = 1;             // scale
  float margin = 0;        // at the sides
  bool headless = false;   // there is no room for the headline
  bool beside = true;      // the headline stands beside the lamp, not above it
  bool pictures = true;    // on the doors
  bool stacked = false;    // the doors stand below each other
  float headline = 0;      // the top of its first line
  float size = 28;         // of its letters
  float headline_end = 0;  // beside the lamp: where its longest line ends
  scenes::OpeningStage stage;
  Rect doors;
  float picture = 0;  // its height on a door
  float foot = 0;     // the middle of the last line
};

// In three lines beside the lamp, or above it in as few as there is room for.
std::vector<std::string> headline_of(const App& app, const Layout& at) {
  if (at.headless) return {};
  if (at.beside) return {std::begin(kHeadline), std::end(kHeadline)};
  std::string whole;
  for (const std::string_view line : kHeadline) whole += (whole.empty() ? "" : " ") + std::string(line);
  return text::wrap(text::Face::display_bold, at.size, whole, app.width - 2 * at.margin);
}

// How much of the name and the headline is seen: they give way to a lamp that comes over them. x: of the lamp.
float headline_opacity(const Layout& at, float x) {
  constexpr float kClear = 70, kAway = 60;  // px at scale 1: all is seen from there on, and nothing so much nearer
  if (at.headline_end == 0) return 1;
  const float clear = at.headline_end + kClear * at.k;
  return smoothstep(clear - kAway * at.k, clear, x);
}

// Below the headline.
bool says_more(const App& app, const Layout& at) { return app.height >= (at.stacked ? 780 : 600); }

Layout layout_of(const App& app) {
  const float w = app.width, h = app.height;
  Layout at;
  at.stacked = app.compact();
  const bool low = app.low(), tall = !at.stacked && h > w;
  const float k = at.k = std::clamp(tall ? w / kTallWidth : std::min(w / kWidth, h / kHeight), 0.6F, 1.45F);
  at.beside = low ? w >= 700 && h >= 350 : w >= 900 && !tall;
  at.headless = low && !at.beside;
  at.pictures = !at.stacked && h >= 600;
  at.margin = at.beside ? 48 * k : 20;
  at.size = low ? 18 : std::max((tall ? 35 : 28) * k, 20.F);
  at.headline = low ? 54 : at.beside ? 102 * k : 64;
  at.foot = h - 30 * std::max(k, 0.6F);
  const float bottom = at.foot - 38 * k;
  at.picture = 112 * k;
  const float height = at.pictures ? at.picture + std::max(66 * k, tall ? 66.F : 56.F) : at.stacked ? 3 * 52.F : 52;
  const float width = std::min(w - 2 * at.margin, 1072 * k);
  at.doors = {(w - width) / 2, bottom - height, width, height};
  scenes::OpeningStage& stage = at.stage;
  stage.scale = k;
  stage.left = std::max(at.margin / 2, 16.F);
  stage.right = w - stage.left;
  stage.floor = at.doors.y - 138 * k;
  stage.lamp = std::min(122 * k, std::max(0.3F * stage.floor, 40.F));
  stage.lamp_left = stage.left;
  stage.lamp_right = w - at.margin - kSkipWidth * std::max(k, 1.F) - 50 * k;  // beside the button
  if (at.beside) {
    // The lamp hangs over every word, and name and headline go out while it hangs over them.
    for (const std::string_view line : kHeadline)
      at.headline_end =
          std::max(at.headline_end, at.margin + text::measure(text::Face::display_bold, at.size, std::string(line)));
    stage.lamp_left = stage.left;
    stage.lamp_right = stage.right;
  } else if (at.headless) {
    stage.lamp_left = at.margin + kNameWidth + 30;
  } else {
    const float below = at.headline + static_cast<float>(headline_of(app, at).size()) * 1.25F * at.size;
    stage.cable = below + (says_more(app, at) ? 34 * k : 0);
    stage.lamp = std::max(stage.cable + 50 * k, tall ? stage.floor - kFarthest * w : 0);
    stage.lamp_right = stage.right;
  }
  if (at.stacked && !low) {
    stage.lamp = stage.cable + 16;
    stage.floor = at.doors.y - 62;
    stage.pitch =
        std::min((stage.floor - stage.lamp - 24) / static_cast<float>(app.opening->trace.at(kWeights).columns()), 51.F);
  }
  return at;
}

// Where the lamp's cable begins.
float lamp_x(const Figure& figure) {
  const Element* cable = figure.find(std::string(scenes::kLampId) + ".cable");
  return std::get<Line>(cable->shape).points.front().x;
}

// lamp: x of its cable.
void add_heading(Figure& figure, const App& app, const Layout& at, float lamp) {
  const Palette& colours = palette(app.theme());
  const float k = std::max(at.k, 0.8F), seen = headline_opacity(at, lamp);
  const std::size_t first = figure.elements.size();
  add_logo(figure, app, {at.margin, at.beside ? 38 * at.k : 22}, 1.25F * k);
  add_label(figure, "opening.name", {at.margin + 38 * k, at.beside ? 34 * at.k : 18, 200, 32 * k},
            {.text = "Limelight", .size = 24 * k, .colour = colours.ink, .face = text::Face::display_bold});
  const float line = at.size * 1.25F;
  float y = at.headline;
  int i = 0;
  for (const std::string& words : headline_of(app, at)) {
    add_label(figure, "opening.headline." + std::to_string(i++), {at.margin, y, app.width - 2 * at.margin, line},
              {.text = words, .size = at.size, .colour = colours.ink, .face = text::Face::display_bold});
    y += line;
  }
  if (says_more(app, at))
    add_label(figure, "opening.below", {at.margin, y + 10 * at.k, app.width / 2, 20 * at.k},
              {.text = std::string(kBelow), .size = std::max(14.5F * at.k, 12.F), .colour = colours.muted});
  for (std::size_t added = first; added < figure.elements.size(); ++added) figure.elements[added].opacity = seen;
}

void add_skip(Figure& figure, const App& app, const Layout& at) {
  const Palette& colours = palette(app.theme());
  const float k = std::max(at.k, 1.F), width = kSkipWidth * k, height = app.control(36);
  add_button(figure, app,
             // Beside the headline the lamp hangs over all words, and so over the corner, too: then it is at the foot.
             {app.width - at.margin - width + 12 * k, at.beside ? at.foot - height / 2 : 12, width, height},
             {.id = "opening.skip",
              .text = "Skip the opening",
              .edit = {"do", "skip"},
              .plain = true,
              .align = Align::centre,
              .size = 13 * k,
              .ink = colours.muted});
}

void add_picture(Figure& figure, const Opening& opening, const Door& door, Rect rect) {
  const std::string id = std::string(door.id) + ".picture";
  if (door.value == "words") {
    const auto row = opening.trace.at(kWeights).values.row(opening.word);
    const std::vector<float> weights(row.begin(), row.end());
    add_words_door(figure, id, rect, weights, opening.word);
  } else if (door.value == "translate") {
    add_translation_door(figure, id, rect);
  } else {
    add_pictures_door(figure, id, rect);
  }
}

void add_door(Figure& figure, const App& app, const Layout& at, const Door& door, Rect rect, bool first) {
  const Palette& colours = palette(app.theme());
  const std::string id(door.id);
  const bool hovered = app.hovered == id;
  const bool others = std::ranges::any_of(kDoors, [&](const Door& one) { return app.hovered == one.id; });
  const bool marked = hovered || (first && !others);
  const float k = at.k, radius = at.pictures ? 12 * k : 10;
  figure.add({.id = id,
              .role = Role::button,
              .rect = rect,
              .label = std::string(door.name) + ": " + std::string(door.asks),
              .edit = Edit{std::string(door.field), std::string(door.value)},
              .shape = Rectangle{.fill = mix(colours.stage_bottom, colours.surface, 0.75F),
                                 .stroke = marked ? colours.amber : colours.hairline,
                                 .stroke_width = marked ? 1.6F : 1.F,
                                 .radius = radius}});
  Rect words = rect;
  if (at.pictures) {
    const Rect picture{rect.x + 2, rect.y + 2, rect.w - 4, at.picture};
    figure.add(
        {.id = id + ".ground", .rect = picture, .shape = Rectangle{.fill = colours.stage_top, .radius = radius - 2}});
    figure.add({.id = id + ".ground.foot",
                .rect = {picture.x, picture.bottom() - radius, picture.w, radius},
                .shape = Rectangle{.fill = colours.stage_top}});
    Figure inside;
    add_picture(inside, *app.opening, door, picture);
    append(figure, inside, 0, 0, picture);
    words = {rect.x, picture.bottom(), rect.w, rect.bottom() - picture.bottom()};
  }
  constexpr float kNarrow = 240;  // px: there is room for the words alone
  if (!at.pictures && rect.w >= kNarrow) {
    constexpr float kBefore = 12;  // px
    const std::string_view scene = door.field == "scene" ? door.value : scenes::all().front()->id;
    add_miniature(figure, id + ".miniature", scene, {rect.x + kBefore, rect.centre().y - kMiniatureHeight / 2},
                  {.theme = app.theme(), .lit = marked});
    words.x += kBefore + kMiniatureWidth;
    words.w -= kBefore + kMiniatureWidth;
  }
  const float pad = at.pictures ? std::max(20 * k, 12.F) : 16;
  const float name = at.pictures ? std::max(17 * k, 14.F) : 15, asks = at.pictures ? std::max(13 * k, 11.5F) : 12.5F;
  const bool waits = app.waiting && io::names(app.waiting->patch, "scene") && hovered;
  const float room = words.w - 2 * pad - 24;
  std::vector<std::string> lines =
      text::wrap(text::Face::regular, asks, waits ? "It is on its way." : std::string(door.asks), room);
  if (!at.pictures && lines.size() > 1) lines.clear();
  const float height = name * 1.35F + asks * 1.35F * static_cast<float>(lines.size());
  float at_y = words.centre().y - height / 2;
  add_label(figure, id + ".name", {words.x + pad, at_y, room, name * 1.35F},
            {.text = std::string(door.name), .size = name, .colour = colours.ink, .face = text::Face::semibold});
  at_y += name * 1.35F;
  for (std::size_t i = 0; i < lines.size(); ++i, at_y += asks * 1.35F)
    add_label(figure, id + ".asks." + std::to_string(i), {words.x + pad, at_y, room, asks * 1.35F},
              {.text = lines[i], .size = asks, .colour = colours.muted});
  const float x = words.right() - pad, y = words.centre().y, reach = at.pictures ? 5 * k : 5;
  const Colour ink = marked ? colours.amber : colours.muted;
  figure.add({.id = id + ".arrow.line",
              .shape = Line{.points = {{x - 2.6F * reach, y}, {x, y}}, .colour = ink, .width = 1.8F}});
  figure.add({.id = id + ".arrow",
              .shape = Line{
                  .points = {{x - reach, y - reach}, {x, y}, {x - reach, y + reach}}, .colour = ink, .width = 1.8F}});
}

void add_doors(Figure& figure, const App& app, const Layout& at) {
  const float gap = at.stacked ? 8 : 32 * at.k;
  const auto count = static_cast<float>(std::size(kDoors));
  const float width = at.stacked ? at.doors.w : (at.doors.w - (count - 1) * gap) / count;
  const float height = at.stacked ? (at.doors.h - (count - 1) * gap) / count : at.doors.h;
  float x = at.doors.x, y = at.doors.y;
  for (const Door& door : kDoors) {
    add_door(figure, app, at, door, {x, y, width, height}, &door == &kDoors[0]);
    (at.stacked ? y : x) += (at.stacked ? height : width) + gap;
  }
}

void ask(App& app, int word) {
  const int last = app.opening->trace.at(kWeights).rows() - 1;
  word = std::clamp(word, 0, last);
  const io::Patch patch{{std::string(kQuery), std::to_string(word)}};
  if (!scenes::all().front()->change(app.opening->state, patch)) return;
  app.opening->word = word;
  ++app.lamp_revision;
  app.changed = true;
}

// Whether the first scene is open, with the sentence that the opening shows.
bool shows_the_same(const App& app) {
  const scenes::SceneDef& first = *scenes::all().front();
  return app.scene == &first && first.encode(app.state) == first.encode(first.initial());
}

// Into the first scene; where a word was chosen of the sentence that it shows, with it asking.
void enter(App& app) {
  io::Patch patch{{"scene", std::string(scenes::all().front()->id)}};
  if (app.opening->chosen && shows_the_same(app)) patch.emplace_back(kQuery, std::to_string(app.opening->word));
  end_opening(app);
  report(app, change(app, patch));
}

void choose(App& app, int word) {
  end_ghost(app);
  app.opening->chosen = true;
  ask(app, word);
}

}  // namespace

void open_opening(App& app) {
  const scenes::SceneDef& first = *scenes::all().front();
  Opening opening{.state = first.initial()};
  const Trace trace = first.compute(opening.state, {});
  opening.trace.add(std::string(kWeights), trace.at(kWeights).values, trace.at(kWeights).row_labels,
                    trace.at(kWeights).column_labels);
  for (const io::FieldInfo& info : first.fields(opening.state))
    if (info.field.name == kQuery) opening.word = io::parse_integer(info.value).value_or(0);
  app.opening = std::move(opening);
  app.overlay = Overlay::none;
  hover(app, {});
  ++app.view_revision;
  app.changed = true;
}

void end_opening(App& app) {
  if (!app.opening) return;
  app.opening.reset();
  hover(app, {});
  ++app.view_revision;
  app.changed = true;
}

bool act_in_opening(App& app, std::string_view name) {
  if (name == "words" || ((name == "skip" || name == "play") && app.opening->chosen && shows_the_same(app)))
    enter(app);
  else if (name == "skip" || name == "play")
    end_opening(app);
  else if (name == "next" || name == "previous")
    choose(app, app.opening->word + (name == "next" ? 1 : -1));
  else
    return false;
  return true;
}

bool press_in_opening(App& app, const Edit& edit) {
  if (edit.field != kQuery) return false;
  choose(app, io::parse_integer(edit.value).value_or(app.opening->word));
  return true;
}

void key_in_opening(App& app, Key key) {
  hover(app, {});
  const bool moves = key == Key::left || key == Key::right;
  act_in_opening(app, key == Key::enter ? "words" : !moves ? "skip" : key == Key::right ? "next" : "previous");
}

Figure draw_opening(const App& app) {
  const Opening& opening = *app.opening;
  Layout at = layout_of(app);
  const std::string hovered = hovered_in_view(app);
  at.stage.asked = opening.chosen || scenes::word_at(hovered);
  std::optional<int> asks = opening.ghost ? opening.ghost->word : std::nullopt;
  if (opening.chosen) asks = opening.word;
  const scenes::View view{.width = app.width,
                          .height = app.height,
                          .hovered = asks && !scenes::word_at(hovered) ? scenes::word_id(*asks) : hovered,
                          .theme = app.theme(),
                          .touch = app.touch};
  Figure figure = scenes::all().front()->opening(opening.state, opening.trace, view, at.stage);
  add_ghost(figure, app, at.stage.pitch > 0 ? 0 : at.stage.floor - 29 * at.k);
  add_heading(figure, app, at, lamp_x(figure));
  add_skip(figure, app, at);
  add_doors(figure, app, at);
  const Palette& colours = palette(app.theme());
  const std::string count = std::to_string(scenes::all().size()) + " scenes. ";
  const float size = std::max(12.5F * at.k, 11.F);
  std::string last = count + std::string(kPromise);
  const float room = app.width - 32 - (at.beside ? 2 * (kSkipWidth * std::max(at.k, 1.F) + at.margin) : 0);
  if (text::measure(text::Face::regular, size, last) > room) last = std::string(kShortPromise);
  add_label(figure, "opening.foot", {16, at.foot - 10, app.width - 32, 20},
            {.text = text::fit(text::Face::regular, size, last, room),
             .size = size,
             .colour = colours.muted,
             .align = Align::centre});
  return figure;
}

Page opening_page(const App& app, const Figure& drawn) {
  Page page;
  page.figure = drawn;
  page.figure.width = app.width;
  page.figure.height = app.height;
  page.regions.stage = page.regions.ground = {0, 0, app.width, app.height};
  page.stage_height = app.height;
  page.figure.elements.insert(
      page.figure.elements.begin(),
      {.id = "shell.ground",
       .shape = Area{.points = {{0, 0}, {app.width, 0}, {app.width, app.height}, {0, app.height}},
                     .fill = drawn.background,
                     .fill_to = bottom_of(drawn)}});
  add_notice(page.figure, app, page.regions, app.height);
  return page;
}

std::string narrate_opening(const App& app) {
  const Tensor& weights = app.opening->trace.at(kWeights);
  const int word = std::clamp(scenes::word_at(hovered_in_view(app)).value_or(app.opening->word), 0, weights.rows() - 1);
  Eigen::Index best = 0;
  const float share = weights.values.row(word).maxCoeff(&best);
  std::string text;
  for (const std::string_view line : kHeadline) text += std::string(line) + " ";
  return text + std::string(kBelow) + " “" + weights.row_labels[static_cast<std::size_t>(word)] + "” looks most at “" +
         weights.column_labels[static_cast<std::size_t>(best)] + "”: " + io::format_percent(share) + ". " +
         std::string(kPromise);
}

}  // namespace limelight::app
