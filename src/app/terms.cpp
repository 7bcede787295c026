#include "app/terms.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "app/hidden.h"
#include "app/page.h"
#include "core/sort.h"
#include "figure/formula.h"
#include "scenes/place.h"

namespace limelight::app {

using namespace figure;

namespace {

constexpr std::string_view kPrefix = "term.";
constexpr char kPlace = '@';  // what follows it in an id only tells mentions of one term apart

std::string label_of(const scenes::Term& term) { return std::string(term.name) + ": " + std::string(term.meaning); }

// Text as it is painted: a name's subscript is a piece of its own.
struct Piece {
  std::string text;
  std::vector<Run> runs;
};

std::vector<Piece> pieces_of(const Element& element, const Trace& trace) {
  std::vector<Piece> pieces;
  const TextPrimitive* before = nullptr;
  const std::vector<Primitive> painted = primitives(element, trace);
  for (const Primitive& primitive : painted) {
    const auto* one = std::get_if<TextPrimitive>(&primitive.shape);
    if (one == nullptr || one->vertical) continue;
    const bool below = before != nullptr && one->size < before->size && one->baseline.y > before->baseline.y &&
                       std::abs(before->baseline.x + before->width - one->baseline.x) < 3;
    if (below)
      pieces.back().text += '_';
    else
      pieces.emplace_back();
    Piece& piece = pieces.back();
    const std::size_t begin = piece.text.size();
    piece.text += one->text;
    const float bottom = below ? piece.runs.front().rect.bottom() : one->baseline.y + 0.3F * one->size;
    piece.runs.push_back(
        {begin,
         piece.text.size(),
         {one->baseline.x, one->baseline.y - one->size, one->width, bottom - one->baseline.y + one->size},
         one->face,
         one->size});
    before = one;
  }
  return pieces;
}

Rect within(Rect rect, const std::optional<Rect>& clip) {
  if (!clip) return rect;
  const float x = std::max(rect.x, clip->x), y = std::max(rect.y, clip->y);
  return {x, y, std::min(rect.right(), clip->right()) - x, std::min(rect.bottom(), clip->bottom()) - y};
}

// Empty for what is no text, or has its terms marked.
std::string said_in(const Element& element) {
  if (element.role != Role::none || element.opacity <= 0.5F || element.id.starts_with("shell.narration")) return "";
  if (const auto* words = std::get_if<Text>(&element.shape)) return words->text;
  if (const auto* box = std::get_if<FormulaBox>(&element.shape)) return plain(box->formula);
  return "";
}

}  // namespace

std::vector<Rect> lines_of(std::size_t from, std::size_t to, std::string_view marked, const std::vector<Run>& runs) {
  std::vector<Rect> lines;
  for (const Run& run : runs) {
    const std::size_t begin = std::max(run.begin, from), end = std::min(run.end, to);
    if (begin >= end) continue;
    const float left = run.rect.x + text::measure(run.face, run.size, marked.substr(run.begin, begin - run.begin));
    const float right = left + text::measure(run.face, run.size, marked.substr(begin, end - begin));
    // A subscript ends at the same height as its line.
    if (!lines.empty() && std::abs(lines.back().bottom() - run.rect.bottom()) < 0.5F)
      lines.back().w = right - lines.back().x;
    else
      lines.push_back({left, run.rect.y, right - left, run.rect.h});
  }
  return lines;
}

void add_dots(Figure& figure, const std::string& id, Rect line, Colour colour) {
  constexpr float kPitch = 3;
  const float y = std::round(line.bottom() - line.h * 0.14F);
  int i = 0;
  for (float x = std::round(line.x); x + 1 <= line.right(); x += kPitch)
    figure.add({.id = id + ".dot." + std::to_string(i++), .rect = {x, y, 1, 1}, .shape = Rectangle{.fill = colour}});
}

void add_marked_terms(Figure& figure, const App& app, std::string_view marked, const std::vector<Run>& runs) {
  const Palette& colours = palette(app.theme());
  std::set<const scenes::Term*> seen;
  for (const scenes::Mention& mention : scenes::mentions(marked)) {
    if (!seen.insert(mention.term).second) continue;
    std::string id = std::string(kPrefix) + std::string(mention.term->name);
    const bool hovered = term_of(app.hovered) == mention.term;
    for (const Rect& line : lines_of(mention.begin, mention.end, marked, runs)) {
      figure.add({.id = id, .role = Role::link, .rect = line, .label = label_of(*mention.term)});
      add_dots(figure, id, line, hovered ? colours.accent : mix(colours.faint, colours.muted, 0.3F));
      id += std::string(1, kPlace) + "next";
    }
  }
}

void add_unmarked_terms(Figure& figure, const App& app) {
  std::vector<Element> found;
  for (const Element& element : figure.elements) {
    // Most texts name no term, and where the letters of one stand takes longer to find out.
    if (scenes::mentions(said_in(element)).empty()) continue;
    for (const Piece& piece : pieces_of(element, app.trace))
      for (const scenes::Mention& mention : scenes::mentions(piece.text))
        for (const Rect& line : lines_of(mention.begin, mention.end, piece.text, piece.runs)) {
          const Rect rect = within(line, element.clip);
          if (rect.w < 1 || rect.h < 4 || hit(figure, rect.centre()).element != nullptr) continue;
          const bool control = element.id.starts_with("field.");
          found.push_back({.id = control ? element.id + ".term"
                                         : std::string(kPrefix) + std::string(mention.term->name) + kPlace + element.id,
                           .role = Role::link,
                           .rect = rect,
                           .label = label_of(*mention.term)});
        }
  }
  for (Element& element : found) figure.add(std::move(element));
}

bool is_term(std::string_view id) { return id.starts_with(kPrefix); }
bool only_explains(std::string_view id) { return is_term(id) || id == "shell.provenance"; }
bool is_marked_term(std::string_view id) { return is_term(id) && id.find(kPlace) == std::string_view::npos; }

const scenes::Term* term_of(std::string_view id) {
  if (!is_term(id)) return nullptr;
  id.remove_prefix(kPrefix.size());
  return scenes::find_term(id.substr(0, id.find(kPlace)));
}

void explain(App& app, std::string id) {
  app.hovered = std::move(id);
  app.tooltip_at.reset();
  app.tooltip = app.changed = true;
}

std::vector<const scenes::Term*> terms_here(const App& app) {
  std::vector<const scenes::Term*> here;
  const auto read = [&here](std::string_view words) {
    for (const scenes::Mention& mention : scenes::mentions(words)) here.push_back(mention.term);
  };
  const scenes::View view = view_of(app, 720, 600);
  read(scenes::without_marks(app.scene->narrate(app.state, app.trace, view)));
  const scenes::Step& step = scenes::step_at(*app.scene, app.place);
  read(step.name);
  read(step.caption);
  for (const io::FieldInfo& info : shown_fields(app)) {
    if (!info.field.shown) continue;
    read(info.field.label);
    read(info.field.hint);
    for (const io::Choice& choice : info.field.choices) read(choice.label);
  }
  if (const auto inspection = app.scene->inspect(app.state, app.trace, view, view.focus())) {
    read(inspection->title);
    read(inspection->note);
    for (const Formula& line : inspection->lines) read(plain(line));
  }
  for (const Element& element : draw_stage(app).elements)
    if (const auto* words = std::get_if<Text>(&element.shape)) read(words->text);
  heap_sort(here);  // the table's order
  here.erase(std::unique(here.begin(), here.end()), here.end());
  return here;
}

}  // namespace limelight::app
