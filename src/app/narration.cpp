#include "app/narration.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/terms.h"
#include "figure/paragraph.h"
#include "scenes/place.h"

namespace limelight::app {

using namespace figure;

namespace {

constexpr std::string_view kEllipsis = "…";

// A small window has little to give.
float size_of(const App& app) { return app.low() || app.width < 360 ? 14 : app.compact() ? 15 : app.large() ? 19 : 16; }
// From line to line, in sizes.
float leading(const App& app) { return app.low() ? 1.3F : app.compact() ? 1.4F : 1.25F; }
float line_of(const App& app) { return size_of(app) * leading(app); }

std::string words_of(const App& app, float stage_width, float t) {
  scenes::View view = view_of(app, stage_width, app.height);
  view.t = t;
  if (app.by_link) view.look_away();  // or its words would change under the pointer
  const std::string words = app.scene->narrate(app.state, app.trace, view);
  if (app.place.part == 0 || app.compact()) return words;
  const scenes::Step& step = scenes::step_at(*app.scene, app.place);
  return "**" + std::string(step.name) + " " + std::to_string(app.place.part) + "/" +
         std::to_string(step.parts.size()) + "** · " + words;
}

// Bold words that mean an element of the figure: the bytes [begin, end) of the text.
struct Pointed {
  std::size_t begin, end;
  scenes::MeansA role;
  std::string id;
};

// What is told, its **bold** marks still in it.
struct Telling {
  std::string text;
  std::vector<Pointed> pointed;
  std::size_t hint = std::string::npos;  // where it begins to say what can be done next
};

Telling telling_of(std::string_view marked) {
  Telling telling;
  std::string& text = telling.text;
  std::size_t bold = 0;  // where the last mark ended
  for (std::size_t i = 0; i < marked.size(); ++i) {
    if (marked[i] == scenes::kPoints) {
      const std::size_t end = std::min(marked.find("**", i), marked.size());
      telling.pointed.push_back({bold, text.size(), static_cast<scenes::MeansA>(marked[i + 1]),
                                 std::string(marked.substr(i + 2, end - i - 2))});
      i = end - 1;
    } else if (marked[i] == scenes::kHints) {
      telling.hint = text.size();
    } else {
      text += marked[i];
      if (text.ends_with("**")) bold = text.size();
    }
  }
  return telling;
}

// As in the figure: the query purple, its row's other roles in theirs; what lies in the light is underlined by it.
struct Inks {
  Colour words, line;
};
Inks inks_of(scenes::MeansA role, const Palette& colours) {
  switch (role) {
    case scenes::MeansA::query:
      return {colours.query, colours.query};
    case scenes::MeansA::input:
      return {colours.input, colours.input};
    case scenes::MeansA::key:
      return {colours.key, colours.key};
    case scenes::MeansA::value:
      return {colours.value, colours.value};
    case scenes::MeansA::output:
      return {colours.output, colours.output};
    case scenes::MeansA::weight:
      return {colours.ink, colours.amber_text};
    case scenes::MeansA::word:
      break;
  }
  return {colours.ink, colours.ink};
}

// The pieces of the paragraph in colours of their own.
void colour_words(Figure& figure, const Telling& telling, const std::vector<Run>& runs, const Palette& colours) {
  for (std::size_t i = 0; i < runs.size(); ++i) {
    Colour& colour = std::get<Text>(figure.elements[i].shape).colour;
    if (runs[i].begin >= telling.hint) colour = colours.muted;
    for (const Pointed& one : telling.pointed)
      if (runs[i].begin >= one.begin && runs[i].end <= one.end) colour = inks_of(one.role, colours).words;
  }
}

// Links to what they mean. A hovered one hovers that, so it tells by it that it is.
void add_pointed(Figure& figure, const App& app, const Telling& telling, const std::vector<Run>& runs) {
  const Palette& colours = palette(app.theme());
  const std::string_view words = telling.text;
  int count = 0;
  for (const Pointed& one : telling.pointed) {
    const std::string label(words.substr(std::min(one.begin, words.size()), one.end - one.begin));
    for (const Rect& line : lines_of(one.begin, one.end, words, runs)) {
      const std::string id = "point." + std::to_string(count++);
      const bool hovered = app.hovered == one.id;
      figure.add({.id = id, .role = Role::link, .rect = line, .label = label, .edit = Edit{"point", one.id}});
      if (hovered)
        figure.add({.id = id + ".line",
                    .rect = {line.x, std::round(line.bottom() - line.h * 0.14F) - 0.5F, line.w, 2},
                    .shape = Rectangle{.fill = inks_of(one.role, colours).line}});
      else
        add_dots(figure, id, line, inks_of(one.role, colours).line);
    }
  }
}

float add_words(Figure& figure, const App& app, std::string_view words, Rect area, std::vector<Run>& runs) {
  return add_paragraph(figure, "shell.narration", words, {area.x, area.y}, area.w, size_of(app),
                       palette(app.theme()).ink, leading(app), runs);
}

// How wide lines are that fill the area's height, so that the last is not a word alone.
float even_width(const App& app, std::string_view words, Rect area, float height) {
  if (height < 1.5F * line_of(app)) return area.w;
  for (float width = 0.96F * area.w;; width -= 0.04F * area.w) {
    Figure trial;
    std::vector<Run> runs;
    if (width < 0.5F * area.w || add_words(trial, app, words, {area.x, area.y, width, area.h}, runs) > height + 0.5F)
      return width + 0.04F * area.w;
  }
}

// Without its last word; its bold marks stay in pairs.
std::string shortened(std::string_view marked) {
  if (marked.ends_with(kEllipsis)) marked.remove_suffix(kEllipsis.size());
  while (marked.ends_with(' ') || marked.ends_with('*')) marked.remove_suffix(1);
  const std::size_t space = marked.rfind(' ');
  if (space == std::string_view::npos) return std::string(kEllipsis);
  std::string text(marked.substr(0, space));
  int marks = 0;
  for (std::size_t at = text.find("**"); at != std::string::npos; at = text.find("**", at + 2)) ++marks;
  return text + (marks % 2 != 0 ? "** " : " ") + std::string(kEllipsis);
}

// A hint that would take a line for its end is not worth it.
Telling telling_in(const App& app, float width, float stage_width, float t) {
  Telling telling = telling_of(words_of(app, stage_width, t));
  if (telling.hint >= telling.text.size()) return telling;
  std::string told = telling.text.substr(0, telling.text.find_last_not_of(' ', telling.hint - 1) + 1);
  Figure trial;
  std::vector<Run> runs;
  const Rect area{0, 0, width, 0};
  if (add_words(trial, app, telling.text, area, runs) > add_words(trial, app, told, area, runs) + 0.5F)
    telling.text = std::move(told);
  return telling;
}

}  // namespace

float narration_height(const App& app, float width, float stage_width) {
  Figure trial;
  std::vector<Run> runs;
  // Of all that the step tells at its end, so that nothing above moves while it is told.
  const float height = add_words(trial, app, telling_in(app, width, stage_width, 1).text, {0, 0, width, 0}, runs);
  // Most of a low window is the figure's.
  const int most = app.low() ? 3 : app.compact() ? 7 : 4, least = app.low() ? 1 : app.compact() ? 3 : 2;
  return std::clamp(height, static_cast<float>(least) * line_of(app), static_cast<float>(most) * line_of(app));
}

void add_narration(Figure& figure, const App& app, Rect area, float stage_width) {
  for (Telling telling = telling_in(app, area.w, stage_width, app.t);; telling.text = shortened(telling.text)) {
    Figure trial;
    std::vector<Run> runs;
    const float height = add_words(trial, app, telling.text, area, runs);
    if (height > area.h + 0.5F && telling.text != kEllipsis) continue;
    if (const float width = even_width(app, telling.text, area, height); width < area.w) {
      trial = {};
      runs.clear();
      add_words(trial, app, telling.text, {area.x, area.y, width, area.h}, runs);
    }
    colour_words(trial, telling, runs, palette(app.theme()));
    add_marked_terms(trial, app, telling.text, runs);
    add_pointed(trial, app, telling, runs);
    // Of fewer lines than there is room for, in its middle.
    const float spare = app.compact() ? 0 : std::floor((area.h - height) / 2);
    append(figure, trial, 0, spare, area.inset(-1));
    return;
  }
}

}  // namespace limelight::app
