#include "app/tooltip.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/inspector.h"
#include "app/opened.h"
#include "app/terms.h"
#include "app/timeline.h"
#include "app/under.h"
#include "figure/formula.h"
#include "figure/panels.h"
#include "scenes/common/sentence.h"
#include "scenes/place.h"

namespace limelight::app {

using namespace figure;

namespace {

using Lines = std::vector<std::string>;

std::string meaning_of(const scenes::Term& term) {
  return "**" + std::string(term.name) + "** " + std::string(term.meaning);
}

// What a control does, then what its name means.
Lines words_for_control(const io::FieldInfo& info) {
  Lines lines;
  if (!info.field.hint.empty()) lines.emplace_back(info.field.hint);
  const std::vector<scenes::Mention> named = scenes::mentions(info.field.label);
  if (!named.empty()) lines.push_back(meaning_of(*named.front().term));
  return lines;
}

// Of a rail that is too narrow for the scenes' questions.
bool names_scene(const Element& target) {
  constexpr float kNarrow = 80;
  return target.id.starts_with("shell.scene.") && target.rect.w < kNarrow;
}

// A part of the figure that is no number, whose label goes on behind its name.
bool tells_itself(const Element& target) {
  const bool is_part = target.role == Role::image || target.role == Role::token || target.role == Role::handle;
  return is_part && !target.id.starts_with("shell.") && !scenes::word_at(target.id) &&
         target.label.find(": ") != std::string::npos;
}

// Where a tick of the timeline leads; empty for all else.
std::optional<scenes::Place> place_of_tick(const App& app, const Element& target) {
  if (!target.edit || target.edit->field != "step" || !target.id.starts_with("shell.step.")) return std::nullopt;
  const Result<scenes::Place> place = scenes::read_place(*app.scene, target.edit->value);
  return place ? std::optional(*place) : std::nullopt;
}

// Its name, and what is done there in words; of a part, its own name.
Lines words_for_tick(const App& app, scenes::Place place) {
  const scenes::Step& step = scenes::step_at(*app.scene, place);
  if (place.part == 0)
    return {"**" + std::string(step.name) + "**" + (step.detail ? ", a detail" : ""),
            std::string(caption_of(app, place.step))};
  return {"**" + std::string(step.parts[static_cast<std::size_t>(place.part - 1)].name) + "**",
          std::string(step.name) + ", " + std::to_string(place.part) + " of " + std::to_string(step.parts.size())};
}

// … and in mathematics, as the inspector has it where no number is looked at. Null where it has none.
Formula formula_for_tick(const App& app, scenes::Place place) {
  scenes::View view = view_of(app, app.width, app.height);
  view.place = place;
  view.look_away();
  view.pinned.clear();
  const std::optional<scenes::Inspection> inspection = app.scene->inspect(app.state, app.trace, view, {});
  return inspection && !inspection->lines.empty() ? inspection->lines.front() : nullptr;
}

// Whether the figure tells the number: in mathematics, among others that are written out in a card, or as a sum of
// parts.
bool has_card(const Figure& figure, const Source& number) {
  return std::ranges::any_of(figure.elements, [&](const Element& part) {
    if (std::holds_alternative<FormulaBox>(part.shape) || part.id.ends_with(".sum")) return part.source == number;

    const auto* cells = std::get_if<MatrixCells>(&part.shape);
    return cells != nullptr && cells->range.tensor == number.tensor && cell_rect(part, number.row, number.column) &&
           std::ranges::any_of(figure.elements, [&part](const Element& card) {
             return card.id.ends_with(".box") && card.rect.contains(part.rect.centre());
           });
  });
}

// There is one card at a time: those of the figure, which tell other numbers or less, make room.
void remove_cards(Figure& figure) {
  constexpr std::string_view kOfCard = "shadow.1";  // and a box; lenses have shadows too
  std::vector<std::string> cards;
  for (const Element& element : figure.elements)
    if (element.id.ends_with(kOfCard))
      if (std::string card = element.id.substr(0, element.id.size() - kOfCard.size()); figure.find(card + "box"))
        cards.push_back(std::move(card));
  for (const std::string& card : cards)
    std::erase_if(figure.elements, [&card](const Element& element) { return element.id.starts_with(card); });
}

// Where the number is that the mouse is on, or that a word below the stage means; of what is no cell and no word, as a
// ribbon, the point of the mouse.
Rect place_of_number(const App& app, const Figure& figure, Rect stage) {
  constexpr float kCursor = 14;  // px above and below
  const Point mouse = app.hovered_at;
  const Source number = *parse_cell_id(app.hovered);
  Rect place{mouse.x, mouse.y - kCursor, 0, 2 * kCursor};
  for (const Element& element : figure.elements) {
    if (element.role != Role::cell || (stage.contains(mouse) && !element.rect.contains(mouse))) continue;
    const CellRange* range = range_of(element);
    if (range != nullptr && range->tensor == number.tensor)
      place = cell_rect(element, number.row, number.column).value_or(place);
    else if (element.source == number &&
             (std::holds_alternative<Text>(element.shape) || std::holds_alternative<Rectangle>(element.shape)))
      place = element.rect;
  }
  return place;
}

// Of a number that the mouse rests on, where neither the inspector nor the figure says how it is computed.
std::optional<scenes::Inspection> inspection_for(const App& app, const Figure& figure) {
  const std::optional<Source> number = parse_cell_id(app.hovered);
  if (app.compact() || inspector_open(app) || !number || has_card(figure, *number)) return {};
  return inspection_of(app);
}

Lines words_for(const App& app, const Element& target, const std::vector<io::FieldInfo>& fields) {
  if (!target.edit && target.label.ends_with(kGiven)) return {std::string(kGiven)};
  if (const scenes::Term* term = term_of(app.hovered)) return {meaning_of(*term)};
  if (app.hovered.starts_with("field."))
    for (const io::FieldInfo& info : fields)
      if (app.hovered.substr(6, app.hovered.find('.', 6) - 6) == info.field.name &&
          info.field.place == io::Place::panel)
        return words_for_control(info);
  if (target.id == "shell.provenance") return {app.scene->provenance(app.state)};
  if (names_scene(target) || tells_itself(target)) {
    const std::size_t colon = target.label.find(": ");
    return {"**" + target.label.substr(0, colon) + "** " + target.label.substr(colon + 2)};
  }
  if (const auto place = place_of_tick(app, target)) return words_for_tick(app, *place);
  constexpr float kSign = 48;  // px: what is no wider has no words on it
  // A sign, or a button that does more than what is written on it says.
  const bool is_button = app.hovered.starts_with("shell.") && !app.hovered.starts_with("shell.scene.");
  const bool says_more = text::measure(text::Face::regular, 13, target.label) > target.rect.w;
  if (is_button && (target.rect.w <= kSign || says_more)) return {target.label};
  return {};
}

struct Said {
  Rect of;      // what is explained
  Lines words;  // paragraphs; none: nothing is said
  Formula formula = nullptr;
  std::string hint{};  // of a number, which is told beside it: last and faint

  bool on_paper = false;  // on the ground of the page, whose colours formulas have
  bool beside = false;    // at its right, not below it
  float widest = 260;     // px
  float lowest = 0;       // y that it stays above, or stands above what it explains
};

Said said_of(const App& app, const Figure& figure, const Regions& r, const std::vector<io::FieldInfo>& fields) {
  if (const std::optional<scenes::Inspection> number = inspection_for(app, figure)) {
    Said said{.of = place_of_number(app, figure, r.stage),
              .words = {"**" + number->title + "**"},
              .hint = "a click keeps it",
              .on_paper = true,
              .widest = 330,
              .lowest = r.foot.h > 0 ? r.foot.y : r.stage.bottom()};
    // How its number comes about; all else is said once it is kept.
    if (!number->lines.empty()) said.formula = number->lines.back();
    if ((said.formula == nullptr || app.compared) && !number->note.empty()) said.words.push_back(number->note);
    return said;
  }
  const Element* target = figure.find(app.hovered);
  if (target == nullptr) return {};
  Said said{.of = target->rect,
            .words = words_for(app, *target, fields),
            .beside = names_scene(*target),
            .lowest = app.height};
  if (const std::optional<scenes::Place> place = place_of_tick(app, *target)) {
    said.formula = formula_for_tick(app, *place);
    said.on_paper = true;
  }
  return said;
}

// Of a map with few cells those that stand out, each as much as its share of the largest.
void add_lit(std::vector<std::pair<Rect, float>>& read, const Element& element, const CellRange& range,
             const Trace& trace) {
  constexpr int kFew = 150;
  constexpr float kLit = 0.3F;
  const Tensor* tensor = trace.find(range.tensor);
  if (tensor == nullptr || range.rows * range.columns > kFew) return;
  const float largest = tensor->values.maxCoeff();
  for (int i = range.row; i < range.row + range.rows; ++i)
    for (int j = range.column; j < range.column + range.columns; ++j)
      if (const float value = tensor->values(i, j); value > kLit * largest)
        if (const std::optional<Rect> cell = cell_rect(element, i, j)) read.emplace_back(*cell, value / largest);
}

// Where a card of this size covers nothing that its number comes from, no word and no lamp, little else that is read,
// and is near to what it explains: above, below or beside it. Of no size where the stage has no room.
Rect clear_place(const Figure& figure, const App& app, Point size, Rect of, Rect stage, float lowest) {
  constexpr float kApart = 10, kEdge = 8;
  constexpr int kStep = 20, kSteps = 60;  // px, and so many of them to each side
  constexpr float kFar = 40;              // px² of numbers that a px of distance is worth
  constexpr float kAskew = 4000;          // … and that it stands level with the number or in its column
  constexpr float kNever = 60;            // … and a px² of what the card must not cover
  const std::optional<Source> number = parse_cell_id(app.hovered);
  std::vector<std::pair<Rect, float>> read{{of.inset(-2), kNever}};
  for (const Element& element : figure.elements) {
    const bool is_text =
        std::holds_alternative<Text>(element.shape) || std::holds_alternative<FormulaBox>(element.shape);
    if (element.id.starts_with("outline.") || element.id.ends_with(".ring") || element.id == scenes::kLampId ||
        (number && element.source == number && std::holds_alternative<Rectangle>(element.shape)) ||
        (is_text && scenes::is_of_words(element.id)))
      read.emplace_back(element.rect.inset(-4), kNever);
    else if (is_text)
      read.emplace_back(element.rect, 6.F);
    else if (std::holds_alternative<MatrixCells>(element.shape) ||
             (element.source &&
              (std::holds_alternative<Rectangle>(element.shape) || std::holds_alternative<Area>(element.shape))))
      read.emplace_back(element.rect, 2.F);
    else if (std::holds_alternative<Ribbon>(element.shape))
      read.emplace_back(element.rect, 0.1F);

    else if (const auto* map = std::get_if<Heatmap>(&element.shape)) {
      read.emplace_back(element.rect, 0.1F);
      add_lit(read, element, map->range, app.trace);
    }

    else if (std::holds_alternative<Curve>(element.shape))
      read.emplace_back(element.rect, 0.015F);
  }
  const Rect room = Rect{stage.x, stage.y, stage.w, lowest - stage.y}.inset(kEdge);
  Rect best{};
  float least = std::numeric_limits<float>::infinity();
  // The n-th place beyond the number, or on both sides of its middle.
  const auto place_at = [](int n, bool beyond, float from, float to, float length) {
    const auto step = static_cast<float>(kStep * n);
    if (!beyond) return (from + to - length) / 2 + step;
    return n > 0 ? to + kApart + step - kStep : from - kApart - length + step + kStep;
  };
  for (int down = -kSteps; down <= kSteps; ++down)
    for (int across = -kSteps; across <= kSteps; ++across) {
      const Rect place{place_at(across, down == 0, of.x, of.right(), size.x),
                       place_at(down, down != 0, of.y, of.bottom(), size.y), size.x, size.y};
      if (down == 0 && across == 0) continue;  // the number itself
      if (!room.contains({place.x, place.y}) || !room.contains({place.right(), place.bottom()})) continue;
      const float dx = std::max({of.x - place.right(), place.x - of.right(), 0.F}),
                  dy = std::max({of.y - place.bottom(), place.y - of.bottom(), 0.F});
      float cost = kFar * std::hypot(dx, dy) + std::abs(place.centre().x - of.centre().x);
      if (dx > 0 && dy > 0) cost += kAskew;
      for (const auto& [rect, worth] : read) {
        if (cost >= least) break;
        const Rect common = intersection(place, rect);
        cost += worth * common.w * common.h;
      }
      if (cost < least) least = cost, best = place;
    }
  return best;
}

}  // namespace

void add_tooltip(Figure& figure, const App& app, const Regions& r, const std::vector<io::FieldInfo>& fields) {
  if (!app.tooltip || (app.touch && !only_explains(app.hovered)) || app.overlay != Overlay::none) return;
  const Said said = said_of(app, figure, r, fields);
  const Lines& words = said.words;
  if (words.empty()) return;
  const Palette& colours = palette(app.theme());
  const Rect of = said.of;
  // A control's stays in the inspector, or below the row under the figure: whoever sets it watches the figure.
  const bool is_control = app.hovered.starts_with("field.") && !app.compact();
  const bool inside = is_control && r.inspector.w > 0 && of.x >= r.inspector.x;
  constexpr float kBetween = 4, kCardFormula = 15;
  const float widest = inside ? r.inspector.w - 32 : said.widest;
  // A formula has the colours of the page, and so stands on its ground.
  const Colour ink = said.on_paper ? colours.ink : colours.paper;
  const Rectangle card = said.on_paper ? Rectangle{.fill = colours.surface, .stroke = colours.track, .radius = 8}
                                       : Rectangle{.fill = colours.ink, .radius = 6};
  constexpr float kHint = 11.5F;
  float width = text::measure(text::Face::regular, kHint, said.hint), height = -kBetween;
  constexpr float kSpaces = 1.04F;  // a paragraph's are wider than those of one word after another
  for (const std::string& line : words)
    width = std::min(std::max(width, kSpaces * text::measure(text::Face::semibold, 12, scenes::without_marks(line))),
                     widest);
  Figure lines;
  for (const std::string& line : words) {
    const float y = height + kBetween;
    height = y + add_paragraph(lines, "shell.tooltip.text." + std::to_string(lines.elements.size()), line, {0, y},
                               width + 1, 12, ink, ink);
  }
  if (said.formula != nullptr) {
    const std::vector<SetFormula> set = set_lines(said.formula, kCardFormula, widest);
    const float tall = lines_height(set, kCardFormula), y = height + kBetween;
    float wide = 0;
    for (const SetFormula& line : set) wide = std::max(wide, line.width);
    lines.add({.id = "shell.tooltip.formula",
               .rect = {0, y, wide, tall},
               .shape = FormulaBox{.formula = said.formula, .size = kCardFormula, .colour = ink}});
    width = std::max(width, wide);
    height = y + tall;
  }
  if (!said.hint.empty())
    height += kBetween + add_paragraph(lines, "shell.tooltip.hint", said.hint, {0, height + kBetween}, widest, kHint,
                                       colours.muted, colours.muted);
  const float first = inside ? r.inspector.x + 4 : 4, last = std::max(first, app.width - width - 24);
  // What surrounds a word in a paragraph is being read.
  const bool above = is_marked_term(app.hovered) || of.bottom() + height + 14 > said.lowest;
  Rect box{std::clamp(of.centre().x - width / 2 - 10, first, last),
           above ? std::max(of.y - height - 14, 4.F) : of.bottom() + 6, width + 20, height + 8};
  if (said.beside)
    box = {of.right() + 6, std::clamp(of.centre().y - box.h / 2, 4.F, app.height - box.h - 4), box.w, box.h};
  if (!said.hint.empty()) {
    remove_cards(figure);
    box = clear_place(figure, app, {width + 20, height + 8}, of, r.stage, said.lowest);
    if (box.w == 0) return;
    // A line from it to the number beside it; a longer one would strike out what lies between.
    const auto nearest = [](const Rect& to, Point from) {
      return Point{std::clamp(from.x, to.x, to.right()), std::clamp(from.y, to.y, to.bottom())};
    };
    constexpr float kLong = 48;
    const Point tip = nearest(of, box.centre()), from = nearest(box, tip);
    if (std::hypot(tip.x - from.x, tip.y - from.y) < kLong)
      figure.add(
          {.id = "shell.tooltip.line", .shape = Line{.points = {from, tip}, .colour = colours.ink, .width = 1.2F}});
  }
  figure.add({.id = "shell.tooltip", .rect = box, .shape = card});
  append(figure, lines, box.x + 10, box.y + 4, std::nullopt);
}

}  // namespace limelight::app
