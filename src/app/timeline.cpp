#include "app/timeline.h"

#include <algorithm>
#include <string>

#include "app/widgets.h"
#include "scenes/place.h"

namespace limelight::app {

using namespace figure;

namespace {

void add_play_sign(Figure& figure, const App& app, const std::string& id, Point centre, Colour ink) {
  if (app.playing) {
    for (const float dx : {-4.F, 2.F})
      figure.add({.id = id + (dx < 0 ? ".bar1" : ".bar2"),
                  .rect = {centre.x + dx, centre.y - 6, 3, 12},
                  .shape = Rectangle{.fill = ink, .radius = 1}});
  } else {
    figure.add(
        {.id = id + ".sign",
         .shape = Area{.points = {{centre.x - 4, centre.y - 6}, {centre.x + 7, centre.y}, {centre.x - 4, centre.y + 6}},
                       .fill = ink,
                       .fill_to = ink}});
  }
}

void add_arrow_sign(Figure& figure, const std::string& id, Point centre, float direction, Colour ink) {
  figure.add({.id = id + ".sign",
              .shape = Area{.points = {{centre.x - 4 * direction, centre.y - 8},
                                       {centre.x + 6 * direction, centre.y},
                                       {centre.x - 4 * direction, centre.y + 8}},
                            .fill = ink,
                            .fill_to = ink}});
}

void add_round_button(Figure& figure, const App& app, const std::string& id, const std::string& label,
                      const char* command, Point centre, float radius, bool accent, float opacity = 1) {
  const Palette& colours = palette(app.theme());
  const Colour rest = accent ? colours.accent : colours.sunken;
  figure.add({.id = id,
              .role = Role::button,
              .rect = {centre.x - radius, centre.y - radius, 2 * radius, 2 * radius},
              .label = label,
              .edit = Edit{"do", command},
              .shape = Rectangle{.fill = app.hovered == id ? mix(rest, colours.ink, 0.12F) : rest, .radius = radius},
              .opacity = opacity});
}

// One step back and one on, for a finger.
void add_ways(Figure& figure, const App& app, Point back, Point on) {
  const Palette& colours = palette(app.theme());
  const bool first = app.place == scenes::Place{app.scene->first_step(app.state), 0};
  const bool last = app.place.step == static_cast<int>(app.scene->steps().size());
  add_round_button(figure, app, "shell.previous", "Previous step", "previous", back, kFinger / 2, false,
                   first ? 0.4F : 1);
  add_arrow_sign(figure, "shell.previous", back, -1, colours.ink);
  add_round_button(figure, app, "shell.next", "Next step", "next", on, kFinger / 2, true, last ? 0.4F : 1);
  add_arrow_sign(figure, "shell.next", on, 1, colours.on_accent);
}

// How far along the ticks the place is: step 3 is 2, the second of four parts of step 7 is 5.5.
float progress(const App& app) {
  const auto& step = scenes::step_at(*app.scene, app.place);
  const auto at = static_cast<float>(app.place.step - 1);
  if (app.place.part == 0 || step.parts.empty()) return at;
  return at - 1 + static_cast<float>(app.place.part) / static_cast<float>(step.parts.size());
}

// Where the ticks of the steps stand.
struct Track {
  float left;
  float pitch;
  float y;     // of their middle
  float size;  // of the names below them
  float now;   // how far along it is (progress)
  bool fingers;

  [[nodiscard]] float x(int step) const { return left + pitch * static_cast<float>(step); }
};

// Those of a step's parts, which lead to it; steps count from 0.
void add_part_ticks(Figure& figure, const App& app, const Track& track, int i) {
  const Palette& colours = palette(app.theme());
  const scenes::Step& step = app.scene->steps()[static_cast<std::size_t>(i)];
  const float x = track.x(i);
  const bool current = i == app.place.step - 1;
  const std::string id = "shell.step." + std::to_string(i + 1);
  const int parts = static_cast<int>(step.parts.size());
  for (int part = 1; part < parts; ++part) {
    const float px = x - track.pitch + track.pitch * static_cast<float>(part) / static_cast<float>(parts);
    const bool part_here = current && app.place.part == part;
    const float radius = part_here ? 5 : 2.5F;
    const std::string part_id = id + "." + std::to_string(part);
    if (!track.fingers)
      figure.add(
          {.id = part_id,
           .role = Role::button,
           .rect = {px - track.pitch / static_cast<float>(2 * parts), track.y - 14,
                    track.pitch / static_cast<float>(parts), 28},
           .label = std::string(step.name) + ": " + std::string(step.parts[static_cast<std::size_t>(part - 1)].name),
           .edit = Edit{"step", scenes::write_place(*app.scene, {i + 1, part})}});
    figure.add(
        {.id = part_id + ".dot",
         .rect = {px - radius, track.y - radius, 2 * radius, 2 * radius},
         .shape = Rectangle{.fill = static_cast<float>(i - 1) + static_cast<float>(part) / static_cast<float>(parts) <=
                                            track.now + 0.001F
                                        ? colours.accent
                                        : colours.faint,
                            .radius = radius}});
  }
}

void add_tick(Figure& figure, const App& app, const Regions& r, const Track& track, int i) {
  const Palette& colours = palette(app.theme());
  const auto steps = app.scene->steps();
  const scenes::Step& step = steps[static_cast<std::size_t>(i)];
  const float x = track.x(i);
  const bool current = i == app.place.step - 1;
  const bool here = current && track.now == static_cast<float>(i);
  const std::string id = "shell.step." + std::to_string(i + 1);
  // What is pressed reaches half way to its neighbours, which may be parts.
  const auto reach = [&](std::size_t step_after) {
    const std::size_t count =
        step_after < steps.size() && !track.fingers ? std::max<std::size_t>(steps[step_after].parts.size(), 1) : 1;
    return std::min(track.pitch / static_cast<float>(2 * count), 32.F);
  };
  const float before = reach(static_cast<std::size_t>(i)), after = reach(static_cast<std::size_t>(i) + 1);
  const bool given = i + 1 < app.scene->first_step(app.state);
  figure.add({.id = id,
              .role = given ? Role::image : Role::button,
              .rect = {x - before, r.timeline.y, before + after, track.y + 30 - r.timeline.y},
              .label = "Step " + std::to_string(i + 1) + ": " + std::string(step.name) + ". " +
                       std::string(caption_of(app, i + 1)),
              .edit = given ? std::nullopt : std::optional(Edit{"step", std::string(step.id)})});
  const bool done = static_cast<float>(i) <= track.now;
  const float radius = here ? 7 : app.hovered == id ? 6.F : 4.5F;
  figure.add({.id = id + ".dot",
              .rect = {x - radius, track.y - radius, 2 * radius, 2 * radius},
              .shape = Rectangle{.fill = done && !given ? colours.accent : mix(colours.track, colours.faint, 0.4F),
                                 .radius = radius}});
  add_label(
      figure, id + ".name", {x - track.pitch / 2, track.y + 12, track.pitch, 16},
      {.text = text::fit(current ? text::Face::semibold : text::Face::regular, track.size, step.name, track.pitch - 2),
       .size = track.size,
       .colour = current ? colours.ink
                 : given ? colours.faint.faded(0.6F)
                         : colours.muted,
       .face = current ? text::Face::semibold : text::Face::regular,
       .align = Align::centre});
}

void add_wide_timeline(Figure& figure, const App& app, const Regions& r) {
  const Palette& colours = palette(app.theme());
  const auto steps = app.scene->steps();
  // The parts of a step are too near to each other for fingers: these have buttons instead, as on a phone.
  const bool fingers = app.fingers();
  const float radius_of_play = app.control(28) / 2;
  const Point play{r.timeline.x + radius_of_play, r.timeline.y + (fingers ? 22.F : 16.F)};
  add_round_button(figure, app, "shell.play", app.playing ? "Pause" : "Play all steps", "play", play, radius_of_play,
                   true);
  add_play_sign(figure, app, "shell.play", play, colours.on_accent);
  if (fingers) add_ways(figure, app, {play.x + kFinger + 8, play.y}, {r.timeline.right() - kFinger / 2, play.y});
  const float left = r.timeline.x + (fingers ? 140.F : 66.F), right = r.timeline.right() - (fingers ? 84.F : 34.F);
  const float pitch = (right - left) / static_cast<float>(std::max<std::size_t>(steps.size() - 1, 1));
  const float y = r.timeline.y + (fingers ? 20.F : 14.F);
  float size = 12;  // one for all names, in which the longest fits
  for (const scenes::Step& step : steps)
    while (size > 10 && text::measure(text::Face::semibold, size, step.name) > pitch - 4) size -= 0.5F;
  const float now = progress(app);
  const auto before_first = static_cast<float>(app.scene->first_step(app.state) - 1);
  figure.add({.id = "shell.timeline.rest",
              .rect = {left, y - 1.5F, right - left, 3},
              .shape = Rectangle{.fill = colours.track, .radius = 1.5F}});
  figure.add({.id = "shell.timeline.done",
              .rect = {left + pitch * before_first, y - 1.5F, pitch * (now - before_first), 3},
              .shape = Rectangle{.fill = colours.accent, .radius = 1.5F}});
  const Track track{.left = left, .pitch = pitch, .y = y, .size = size, .now = now, .fingers = fingers};
  for (int i = 0; i < static_cast<int>(steps.size()); ++i) {
    add_part_ticks(figure, app, track, i);
    add_tick(figure, app, r, track, i);
  }
}

void add_phone_timeline(Figure& figure, const App& app, const Regions& r) {
  const Palette& colours = palette(app.theme());
  const auto steps = app.scene->steps();
  const scenes::Step& step = steps[static_cast<std::size_t>(app.place.step - 1)];
  const float y = r.timeline.y + 26;
  add_ways(figure, app, {r.timeline.x + kFinger / 2, y}, {r.timeline.right() - kFinger / 2, y});
  const Rect middle{r.timeline.x + 52, r.timeline.y, r.timeline.w - 104, 52};
  std::string count = std::to_string(app.place.step) + " of " + std::to_string(steps.size());
  std::string name(step.name);
  if (app.place.part > 0) {
    count += ", part " + std::to_string(app.place.part) + " of " + std::to_string(step.parts.size());
    name = std::string(step.parts[static_cast<std::size_t>(app.place.part - 1)].name);
  }
  add_label(figure, "shell.count", {middle.x, middle.y, middle.w, 16},
            {.text = count, .size = 12, .colour = colours.muted, .align = Align::centre});
  add_label(figure, "shell.step.name", {middle.x, middle.y + 16, middle.w, 22},
            {.text = text::fit(text::Face::semibold, 15, name, middle.w),
             .size = 15,
             .colour = colours.ink,
             .face = text::Face::semibold,
             .align = Align::centre});
  const float pitch = std::min(20.F, middle.w / static_cast<float>(steps.size()));
  const float left = middle.x + (middle.w - pitch * static_cast<float>(steps.size() - 1)) / 2;
  for (int i = 0; i < static_cast<int>(steps.size()); ++i) {
    const float radius = i == app.place.step - 1 ? 4.5F : 3;
    const float x = left + pitch * static_cast<float>(i);
    figure.add(
        {.id = "shell.dot." + std::to_string(i + 1),
         .rect = {x - radius, middle.y + 46 - radius, 2 * radius, 2 * radius},
         .shape = Rectangle{
             .fill = i < app.place.step && i + 1 >= app.scene->first_step(app.state) ? colours.accent : colours.track,
             .radius = radius}});
  }
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

}  // namespace limelight::app
