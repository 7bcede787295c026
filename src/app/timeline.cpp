#include "app/timeline.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "app/change.h"
#include "app/commands.h"
#include "app/icons.h"
#include "app/playing.h"
#include "app/widgets.h"
#include "figure/formula.h"
#include "scenes/moment.h"
#include "scenes/place.h"

namespace limelight::app {

using namespace figure;

namespace {

// Pause; play, or at the end play again.
void add_play_sign(Figure& figure, const App& app, const std::string& id, Point centre, Colour ink) {
  if (app.playing) {
    for (const float dx : {-4.F, 2.F})
      figure.add({.id = id + (dx < 0 ? ".bar1" : ".bar2"),
                  .rect = {centre.x + dx, centre.y - 6, 3, 12},
                  .shape = Rectangle{.fill = ink, .radius = 1}});
  } else if (story_ends(app)) {
    add_icon(figure, id, Icon::again, centre, ink);
  } else {
    figure.add(
        {.id = id + ".sign",
         .shape = Area{.points = {{centre.x - 4, centre.y - 6}, {centre.x + 7, centre.y}, {centre.x - 4, centre.y + 6}},
                       .fill = ink,
                       .fill_to = ink}});
  }
}

struct Way {
  std::string id, label;
  Edit edit;
  bool accent = false;
  float opacity = 1;  // less where it leads nowhere
};

void add_round_button(Figure& figure, const App& app, const Way& way, Point centre, float radius) {
  const Palette& colours = palette(app.theme());
  const Colour rest = way.accent ? colours.accent : colours.sunken;
  figure.add(
      {.id = way.id,
       .role = Role::button,
       .rect = {centre.x - radius, centre.y - radius, 2 * radius, 2 * radius},
       .label = way.label,
       .edit = way.edit,
       .shape = Rectangle{.fill = app.hovered == way.id ? mix(rest, colours.ink, 0.12F) : rest, .radius = radius},
       .opacity = way.opacity});
}

// One with an arrow, for a finger.
void add_arrow_button(Figure& figure, const App& app, const Way& way, Point centre, float direction, Colour ink) {
  add_round_button(figure, app, way, centre, kFinger / 2);
  figure.add({.id = way.id + ".sign",
              .shape = Area{.points = {{centre.x - 4 * direction, centre.y - 8},
                                       {centre.x + 6 * direction, centre.y},
                                       {centre.x - 4 * direction, centre.y + 8}},
                            .fill = ink,
                            .fill_to = ink},
              .opacity = way.opacity});
}

// What is drawn on a button that stands out: light, or where the button is light itself, dark.
Colour sign_colour(const App& app) {
  return is_dark(app.theme()) ? palette(app.theme()).on_accent : palette(app.theme()).lamp;
}

// Where the reader is: a lamp.
void add_lamp(Figure& figure, const App& app, const std::string& id, Point centre, float radius) {
  figure.add({.id = id,
              .rect = {centre.x - radius, centre.y - radius, 2 * radius, 2 * radius},
              .shape = Rectangle{.fill = palette(app.theme()).lamp,
                                 .stroke = palette(app.theme()).ink,
                                 .stroke_width = 2,
                                 .radius = radius}});
}

constexpr float kNowhere = 0.4F;  // how much is seen of what leads nowhere

void add_way_back(Figure& figure, const App& app, Point at) {
  const bool first = app.place == scenes::Place{app.scene->first_step(app.state), 0};
  const Way back{
      .id = "shell.previous", .label = "Previous step", .edit = {"do", "previous"}, .opacity = first ? kNowhere : 1};
  add_arrow_button(figure, app, back, at, -1, palette(app.theme()).ink);
}

void add_way_on(Figure& figure, const App& app, Point at) {
  const bool last = at_last(app);
  const Way on{.id = "shell.next",
               .label = "Next step",
               .edit = {"do", "next"},
               .accent = !last,
               .opacity = last ? kNowhere : 1};
  add_arrow_button(figure, app, on, at, 1, last ? palette(app.theme()).ink : sign_colour(app));
}

// Where nothing plays, the way on leads from the end to the beginning.
void add_way_round(Figure& figure, const App& app, Point at) {
  if (!at_last(app)) return add_way_on(figure, app, at);
  const int first = app.scene->first_step(app.state);
  const scenes::Step& step = scenes::step_at(*app.scene, {first});
  const Way again{.id = "shell.next",
                  .label = "Again from step " + std::to_string(first) + ": " + std::string(step.name),
                  .edit = {"step", std::string(step.id)},
                  .accent = true};
  add_round_button(figure, app, again, at, kFinger / 2);
  add_icon(figure, again.id, Icon::again, at, sign_colour(app));
}

// How far along the ticks a place is: step 3 is 2, the second of four parts of step 7 is 5.5.
float tick_of(const App& app, scenes::Place place) {
  const auto& step = scenes::step_at(*app.scene, place);
  const auto at = static_cast<float>(place.step - 1);
  if (place.part == 0 || step.parts.empty()) return at;
  return at - 1 + static_cast<float>(place.part) / static_cast<float>(step.parts.size());
}

// Where the reader is: between two ticks, on the way from one to the next.
float progress(const App& app) {
  const float here = tick_of(app, app.place);
  const std::optional<scenes::Place> from = scenes::before(*app.scene, app.state, app.place);
  return from && app.t < 1 ? std::lerp(tick_of(app, *from), here, app.t) : here;
}

// Where the ticks of the steps stand.
struct Track {
  float left = 0;
  float pitch = 0;
  float y = 0;       // of their middle
  float size = 0;    // of the names below them, if there are any
  float names = 0;   // px from there down to them
  float now = 0;     // how far along it is (progress)
  float reach = 32;  // px that what is pressed goes at most to either side of its tick
  bool fingers = false;

  [[nodiscard]] float x(float step) const { return left + pitch * step; }
  [[nodiscard]] float x(int step) const { return x(static_cast<float>(step)); }
};

// The last step that is no detail; steps count from 0.
int last_of_story(const App& app) {
  const auto steps = app.scene->steps();
  int last = static_cast<int>(steps.size()) - 1;
  while (last > 0 && steps[static_cast<std::size_t>(last)].detail) --last;
  return last;
}

bool is_given(const App& app, int i) { return i + 1 < app.scene->first_step(app.state); }

// All of it, and what the reader has come through; thinner where details follow the story.
void add_bars(Figure& figure, const App& app, const Track& track) {
  const Palette& colours = palette(app.theme());
  const auto bar = [&](const std::string& id, float from, float to, float thick, Colour fill) {
    if (to > from)
      figure.add({.id = id,
                  .rect = {track.x(from), track.y - thick / 2, track.pitch * (to - from), thick},
                  .shape = Rectangle{.fill = fill, .radius = thick / 2}});
  };
  const auto bars = [&](const std::string& id, float from, float to, Colour fill) {
    const auto end = static_cast<float>(last_of_story(app));
    bar(id, from, std::min(to, end), 3, fill);
    bar(id + ".details", std::max(from, end), to, 1.5F, fill);
  };
  bars("shell.timeline.rest", 0, static_cast<float>(app.scene->steps().size() - 1), colours.track);
  bars("shell.timeline.done", static_cast<float>(app.scene->first_step(app.state) - 1), track.now, colours.ink);
}

constexpr float kPartReach = 14;  // px that what is pressed of a part goes above and below the track

// Those of a step's parts, which lead to it; steps count from 0.
void add_part_ticks(Figure& figure, const App& app, const Track& track, int i) {
  const Palette& colours = palette(app.theme());
  const scenes::Step& step = app.scene->steps()[static_cast<std::size_t>(i)];
  const float x = track.x(i);
  const std::string id = "shell.step." + std::to_string(i + 1);
  const int parts = static_cast<int>(step.parts.size());
  for (int part = 1; part < parts; ++part) {
    const float px = x - track.pitch + track.pitch * static_cast<float>(part) / static_cast<float>(parts);
    const std::string part_id = id + "." + std::to_string(part);
    if (!track.fingers)
      figure.add(
          {.id = part_id,
           .role = Role::button,
           .rect = {px - track.pitch / static_cast<float>(2 * parts), track.y - kPartReach,
                    track.pitch / static_cast<float>(parts), 2 * kPartReach},
           .label = std::string(step.name) + ": " + std::string(step.parts[static_cast<std::size_t>(part - 1)].name),
           .edit = Edit{"step", scenes::write_place(*app.scene, {i + 1, part})}});
    const float at = static_cast<float>(i - 1) + static_cast<float>(part) / static_cast<float>(parts);
    const bool hovered = app.hovered == part_id;
    figure.add({.id = part_id + ".dot",
                .rect = {px - 0.75F, track.y - (hovered ? 5.5F : 3.5F), 1.5F, hovered ? 11.F : 7.F},
                .shape = Rectangle{.fill = at <= track.now + 0.001F ? colours.ink : colours.track}});
  }
}

std::string label_of_step(const App& app, int i) {
  const scenes::Step& step = app.scene->steps()[static_cast<std::size_t>(i)];
  return "Step " + std::to_string(i + 1) + (step.detail ? ", a detail: " : ": ") + std::string(step.name) + ". " +
         std::string(caption_of(app, i + 1));
}

// A step's name, and where both have room, the operation that it does beside it.
void add_tick_name(Figure& figure, const App& app, const Track& track, int i) {
  const Palette& colours = palette(app.theme());
  const scenes::Step& step = app.scene->steps()[static_cast<std::size_t>(i)];
  const std::string id = "shell.step." + std::to_string(i + 1) + ".name";
  const bool current = i == app.place.step - 1;
  const text::Face face = current ? text::Face::semibold : text::Face::regular;
  const Colour colour = current            ? colours.ink
                        : is_given(app, i) ? colours.faint.faded(0.6F)
                        : step.detail      ? colours.faint
                                           : colours.muted;
  const float letters = step.detail ? std::max(track.size - 1, 10.F) : track.size;
  constexpr float kBetween = 8, kAir = 2;
  // At the ends it stays in the window, and in its step's middle.
  const float x = track.x(i), y = track.y + track.names;
  const float room = std::min(track.pitch - kAir, 2 * std::min(x, app.width - x) - 2 * kAir);
  const float width = text::measure(face, letters, step.name);
  const Formula operation = step.operation != nullptr ? step.operation() : nullptr;
  const float size = letters + 1;
  const float beside = operation != nullptr ? kBetween + set_formula(operation, size).width : 0;
  const bool both =
      operation != nullptr && text::measure(text::Face::semibold, letters, step.name) + beside + 10 <= room;
  const float left = both ? x - (width + beside) / 2 : x - room / 2;
  add_label(figure, id, {left, y, both ? width + 1 : room, 16},
            {.text = text::fit(face, letters, step.name, both ? width + 1 : room),
             .size = letters,
             .colour = colour,
             .face = face,
             .align = both ? Align::left : Align::centre});
  if (both)
    figure.add(
        {.id = id + ".operation",
         .rect = {left + width + kBetween, y, beside, 16},
         .shape = FormulaBox{.formula = operation, .size = size, .colour = current ? colours.ink : colours.faint}});
}

// Of a step: what is pressed, as high as the timeline, and its tick. Where parts stand beside it, it is as narrow as
// their places above its name, which is pressed by itself.
void add_tick(Figure& figure, const App& app, const Track& track, float top, float bottom, int i) {
  const Palette& colours = palette(app.theme());
  const auto steps = app.scene->steps();
  const scenes::Step& step = steps[static_cast<std::size_t>(i)];
  const float x = track.x(i);
  const std::string id = "shell.step." + std::to_string(i + 1);
  // What is pressed reaches half way to its neighbours, which may be parts.
  const auto reach = [&](std::size_t step_after) {
    const std::size_t count =
        step_after < steps.size() && !track.fingers ? std::max<std::size_t>(steps[step_after].parts.size(), 1) : 1;
    return std::min(track.pitch / static_cast<float>(2 * count), track.reach);
  };
  const float before = reach(static_cast<std::size_t>(i)), after = reach(static_cast<std::size_t>(i) + 1);
  const bool given = is_given(app, i);
  const auto edit = given ? std::nullopt : std::optional(Edit{"step", std::string(step.id)});
  const bool among_parts = std::min(before, after) < std::min(track.pitch / 2, track.reach);
  const float end = among_parts ? track.y + kPartReach : bottom;
  figure.add({.id = id,
              .role = given ? Role::image : Role::button,
              .rect = {x - before, top, before + after, end - top},
              .label = label_of_step(app, i),
              .edit = edit});
  if (among_parts && !given)
    figure.add({.id = id + ".named",
                .role = Role::button,
                .rect = {x - track.pitch / 2, end, track.pitch, bottom - end},
                .label = label_of_step(app, i),
                .edit = edit,
                .furniture = true});
  const bool done = static_cast<float>(i) <= track.now;
  const float half = (step.detail ? 3.5F : 5.5F) + (app.hovered == id ? 2.F : 0.F), wide = step.detail ? 1.5F : 2.F;
  figure.add({.id = id + ".dot",
              .rect = {x - wide / 2, track.y - half, wide, 2 * half},
              .shape = Rectangle{.fill = done && !given ? colours.ink : colours.track}});
}

void add_wide_timeline(Figure& figure, const App& app, const Regions& r) {
  const auto steps = app.scene->steps();
  // The parts of a step are too near to each other for fingers: these have buttons instead, as on a phone.
  const bool fingers = app.fingers();
  const bool roomy = r.timeline.h >= 60;  // beside a whole page, not in a frame or a low window
  const float y = r.timeline.y + (fingers ? 22.F : roomy ? 26.F : 16.F);
  const float radius_of_play = roomy && !fingers ? 18 : app.control(28) / 2;
  const Point play{r.timeline.x + radius_of_play, y};
  const Way plays{.id = "shell.play",
                  .label = app.playing       ? "Pause"
                           : story_ends(app) ? "Play all steps again"
                                             : "Play all steps",
                  .edit = {"do", "play"},
                  .accent = true};
  add_round_button(figure, app, plays, play, radius_of_play);
  add_play_sign(figure, app, plays.id, play, sign_colour(app));
  if (fingers) add_way_back(figure, app, {play.x + kFinger + 8, play.y});
  if (fingers) add_way_on(figure, app, {r.timeline.right() - kFinger / 2, play.y});
  const float left = r.timeline.x + (fingers ? 140.F
                                     : roomy ? 82.F
                                             : 66.F),
              right = r.timeline.right() - (fingers ? 84.F
                                            : roomy ? 50.F
                                                    : 34.F);
  const float pitch = (right - left) / static_cast<float>(std::max<std::size_t>(steps.size() - 1, 1));
  float size = app.large() ? 14 : 12;  // one for all names, in which the longest fits
  for (const scenes::Step& step : steps)
    while (size > 10 && text::measure(text::Face::semibold, size, step.name) > pitch - 4) size -= 0.5F;
  const Track track{.left = left,
                    .pitch = pitch,
                    .y = y,
                    .size = size,
                    .names = roomy || fingers ? 18.F : 12.F,
                    .now = progress(app),
                    .fingers = fingers};
  add_bars(figure, app, track);
  for (int i = 0; i < static_cast<int>(steps.size()); ++i) {
    add_part_ticks(figure, app, track, i);
    add_tick(figure, app, track, r.timeline.y, y + track.names + 18, i);
    add_tick_name(figure, app, track, i);
  }
  add_lamp(figure, app, "shell.playhead", {track.x(track.now), y}, roomy ? 9.5F : 8);
}

// Where the reader is, in words: "Softmax 2/4", which is its exponential.
std::string name_here(const App& app) {
  const scenes::Step& step = scenes::step_at(*app.scene, app.place);
  if (app.place.part == 0) return std::string(step.name);
  return std::string(step.parts[static_cast<std::size_t>(app.place.part - 1)].name) + " " +
         std::to_string(app.place.part) + "/" + std::to_string(step.parts.size());
}

void add_phone_timeline(Figure& figure, const App& app, const Regions& r) {
  constexpr float kBeside = 68;  // px from a button's outer edge to the track
  const Palette& colours = palette(app.theme());
  const int count = static_cast<int>(app.scene->steps().size());
  const float y = r.timeline.y + 26, track_y = y - 6;
  add_way_back(figure, app, {r.timeline.x + kFinger / 2, y});
  add_way_round(figure, app, {r.timeline.right() - kFinger / 2, y});
  const float left = r.timeline.x + kBeside, right = r.timeline.right() - kBeside;
  const Track track{.left = left,
                    .pitch = (right - left) / static_cast<float>(std::max(count - 1, 1)),
                    .y = track_y,
                    .now = progress(app),
                    .reach = kBeside - kFinger,
                    .fingers = true};
  add_bars(figure, app, track);
  for (int i = 0; i < count; ++i) add_tick(figure, app, track, y - kFinger / 2, y + kFinger / 2, i);
  const float at = track.x(track.now);
  add_lamp(figure, app, "shell.playhead", {at, track_y}, 9.5F);
  const std::string name =
      text::fit(text::Face::semibold, 14, name_here(app), right - left + 2 * kBeside - 2 * kFinger);
  const float width = text::measure(text::Face::semibold, 14, name) + 1;
  const float most = r.timeline.right() - kFinger - 6 - width;
  add_label(figure, "shell.step.name",
            {std::clamp(at - width / 2, r.timeline.x + kFinger + 6, std::max(r.timeline.x + kFinger + 6, most)),
             track_y + 16, width, 18},
            {.text = name, .size = 14, .colour = colours.ink, .face = text::Face::semibold, .align = Align::centre});
}

}  // namespace

std::string_view caption_of(const App& app, int step) {
  const int first = app.scene->first_step(app.state);
  return first > 1 && step <= first ? kGiven : scenes::step_at(*app.scene, {step}).caption;
}

void add_timeline(Figure& figure, const App& app, const Regions& regions) {
  if (app.compact())
    add_phone_timeline(figure, app, regions);
  else
    add_wide_timeline(figure, app, regions);
}

void drag_playhead(App& app, const Figure& page, float x) {
  constexpr float kHolds = 5;  // px around a tick, where it stays
  struct Tick {
    float x;
    std::string place;
  };
  std::vector<Tick> ticks;  // from left to right, as they are added
  for (const Element& element : page.elements) {
    if (!element.edit || element.edit->field != "step" || !element.id.starts_with("shell.step.")) continue;
    if (const Element* dot = page.find(element.id + ".dot"))
      ticks.push_back({dot->rect.centre().x, element.edit->value});
  }
  if (ticks.empty()) return;
  auto to = std::ranges::find_if(ticks, [&](const Tick& tick) { return x <= tick.x + kHolds; });
  if (to == ticks.end()) --to;
  float t = 1;
  if (to != ticks.begin() && x < to->x - kHolds) {
    const Tick& from = *(to - 1);
    t = std::clamp((x - from.x) / (to->x - from.x), 0.F, 1.F);
  }
  std::string place = to->place;
  // Where a step's parts have ticks, the last of them stands at its own: from there the next step goes on.
  if (to != ticks.begin() && (to - 1)->place.starts_with(place + "."))
    place += "." + std::string(scenes::step_at(*app.scene, *scenes::read_place(*app.scene, place)).parts.back().id);
  app.in_gesture = true;
  if (place == scenes::write_place(*app.scene, app.place) && scenes::write_t(t) == scenes::write_t(app.t)) return;
  app.playing = false;
  report(app, change(app, {{"step", place}, {"t", scenes::write_t(t)}}));
}

}  // namespace limelight::app
