#include "app/beside.h"

#include <algorithm>
#include <string>
#include <variant>

#include "app/compare.h"
#include "app/difference.h"
#include "app/widgets.h"
#include "figure/panels.h"
#include "figure/paragraph.h"
#include "scenes/moment.h"

namespace limelight::app::beside {

using namespace figure;

namespace {

void rename(std::string& tensor) {
  if (!tensor.empty()) tensor = std::string(kOfA) + tensor;
}

struct Renamer {
  void operator()(MatrixCells& s) const { rename(s.range.tensor); }
  void operator()(Heatmap& s) const {
    rename(s.range.tensor);
    rename(s.mask);
    s.zooms = false;
  }
  void operator()(Arcs& s) const { rename(s.range.tensor); }
  void operator()(Bars& s) const { rename(s.range.tensor); }
  void operator()(Pixels& s) const {
    rename(s.tensor);
    rename(s.light.tensor);
  }
  void operator()(Light& s) const { rename(s.tensor); }
  template <class Other>
  void operator()(Other&) const {}
};

// The same drawing of the tensors of A; only what both are looked at by is set in it, since all else is B's.
Figure renamed(Figure figure, const io::Patch& looks) {
  for (Element& element : figure.elements) {
    if (!element.id.empty()) element.id = std::string(kSideOfA) + element.id;
    if (element.source) rename(element.source->tensor);
    const bool looks_at = element.edit && io::names(looks, element.edit->field);
    if (!looks_at) element.edit.reset();
    element.twice.reset();
    const bool shows_number = element.source || std::holds_alternative<MatrixCells>(element.shape) ||
                              std::holds_alternative<Heatmap>(element.shape) ||
                              std::holds_alternative<Arcs>(element.shape) ||
                              std::holds_alternative<Light>(element.shape);
    if (!shows_number && !looks_at) element.role = Role::none;
    if (!element.label.empty()) element.label = "A: " + element.label;
    std::visit(Renamer{}, element.shape);
  }
  return figure;
}

Figure draw_a(const App& app, scenes::View view) {
  const Compared& a = *app.compared;
  const auto drop = [&a](std::string& id) {
    const std::optional<Source> cell = parse_cell_id(id);
    if (cell && a.trace.cell(cell->tensor, cell->row, cell->column) == nullptr) id.clear();
  };
  drop(view.hovered);
  drop(view.pinned);
  const Tensor* zoomed = a.trace.find(view.zoom.tensor);
  if (zoomed == nullptr || view.zoom.row + view.zoom.rows > zoomed->rows() ||
      view.zoom.column + view.zoom.columns > zoomed->columns())
    view.zoom = {};
  if (const int first = app.scene->first_step(a.state); view.place.step < first) view.place = {first, 0};
  view.working = -1;
  view.missing = missing(app, a.state);
  // Both are looked at alike, so that what differs is theirs.
  std::any state = a.state;
  io::Patch looks;
  for (const io::FieldInfo& info : app.scene->fields(app.state))
    if (info.field.look) looks.emplace_back(info.field.name, info.value);
  if (!app.scene->change(state, looks)) state = a.state;  // there is less to look at
  return renamed(scenes::draw_moment(*app.scene, state, a.trace, view), looks);
}

constexpr float kHead = 40, kGap = 24, kLeast = 320;  // a figure's height
constexpr float kEnd = 124;                           // the width of the button that ends it
constexpr float kColumn = 560;                        // from where on a figure has the wider margins

// The letter, and what the side is.
void add_head(Figure& figure, const Palette& colours, std::string_view letter, const std::string& words, Rect line) {
  const std::string id = "shell.compared." + std::string(letter);
  figure.add({.id = id,
              .rect = {line.x, line.y + 8, 24, 24},
              .shape = Rectangle{.fill = letter == "B" ? colours.accent : colours.muted, .radius = 12}});
  add_label(figure, id + ".letter", {line.x, line.y + 8, 24, 24},
            {.text = std::string(letter),
             .size = 13,
             .colour = letter == "B" ? colours.on_accent : colours.paper,
             .face = text::Face::semibold,
             .align = Align::centre});
  const float width = line.w - 34;
  add_label(figure, id + ".words", {line.x + 34, line.y + 8, width, 24},
            {.text = text::fit(text::Face::regular, 13, words, width), .size = 13, .colour = colours.ink});
}

// Where they differ, in a sentence or two. Returns its bottom.
float add_difference_words(Figure& figure, const App& app, const scenes::View& view, Point at, float width) {
  const Palette& colours = palette(view.theme);
  const float height =
      add_paragraph(figure, "shell.compared.difference", "**B − A** · " + difference_words(app, view.place), at, width,
                    14, colours.ink, colours.ink);
  return at.y + height;
}

// The difference as a matrix; nothing where there is none, or nothing differs. Returns its bottom.
float add_difference(Figure& figure, const App& app, const scenes::View& view, Rect area) {
  const Palette& colours = palette(view.theme);
  const Principal p = principal_of(app, view.place);
  if (p.difference == nullptr || (p.difference->values.array() == 0).all()) return area.y;
  const float bottom = add_difference_map(figure, *p.difference,
                                          std::string(kDifference) + figure::words_of_name(p.name), area, view.theme);
  figure.add({.id = "shell.compared.line",
              .rect = {area.x, bottom + 12, area.w, 1},
              .shape = Rectangle{.fill = colours.hairline}});
  return bottom + 13;
}

}  // namespace

Figure draw(const App& app, scenes::View view) {
  const auto [width, height] = std::pair(view.width, view.height);
  const Palette& colours = palette(view.theme);
  const bool beside = width >= kColumn;
  const float column = beside ? (width - kGap) / 2 : width, margin = column < kColumn ? 16 : 24;
  Figure figure{.width = width};
  set_ground(figure, colours);
  // The difference comes first, however high the two figures are.
  const float words = add_difference_words(figure, app, view, {margin, 10}, width - 2 * margin) + 8;
  const float room = std::clamp(height * 0.36F, 150.F, 240.F);
  const float top = add_difference(figure, app, view, {margin, words, width - 2 * margin, room});
  view.width = column;
  view.height = beside ? std::max(kLeast, height - top - kHead) : kLeast;
  view.held.reset();  // it is in neither of them
  const Figure a = draw_a(app, view), b = scenes::draw_moment(*app.scene, app.state, app.trace, view);
  const std::vector<Setting> settings = differing(app);
  const std::string pinned = settings.empty() ? "pinned" : side_words(settings, &Setting::before);
  const std::string now = settings.empty() ? "now; change anything" : side_words(settings, &Setting::after);

  const auto add_side = [&](std::string_view letter, const std::string& words_of, const Figure& side, float x,
                            float y) {
    const float end = !beside && letter == "B" ? kEnd + 12 : 0;
    add_head(figure, colours, letter, words_of, {x + margin, y, column - 2 * margin - end, kHead});
    append(figure, side, x, y + kHead, std::nullopt);
    return y + kHead + side.height;
  };
  if (beside) {
    figure.height = std::max(add_side("A", pinned, a, 0, top), add_side("B", now, b, column + kGap, top));
    figure.add({.id = "shell.compared.between",
                .rect = {column + kGap / 2, top + 8, 1, figure.height - top - 16},
                .shape = Rectangle{.fill = colours.hairline}});
  } else {
    // The bar at the top, which is narrow, has no room for it.
    add_button(figure, app, {width - margin - kEnd, top + 2, kEnd, app.control(30)},
               {.id = "shell.compared.end", .text = "End comparing", .edit = {"do", "compare"}});
    mark_furniture(figure, figure.elements.size() - 2);
    figure.height = add_side("A", pinned, a, 0, add_side("B", now, b, 0, top) + 8);  // what changes stands first
  }
  return figure;
}

}  // namespace limelight::app::beside
