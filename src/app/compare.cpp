#include "app/compare.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <variant>

#include "app/difference.h"
#include "app/widgets.h"
#include "figure/panels.h"
#include "figure/paragraph.h"
#include "io/numbers.h"
#include "scenes/common/sentence.h"
#include "scenes/moment.h"

namespace limelight::app {

using namespace figure;

namespace {

constexpr std::string_view kOfA = "A ";
constexpr std::string_view kDifference = "B − A ";
constexpr std::string_view kSideOfA = "compared.";  // before the ids of its elements
constexpr Eigen::Index kMostNumbers = 1'000'000;
constexpr int kMostSettings = 3;  // that are named

struct Setting {
  std::string label, before, after;
};

std::string shown_value(const io::FieldInfo& info) {
  const auto choice = std::ranges::find(info.field.choices, info.value, &io::Choice::value);
  if (choice != info.field.choices.end()) return std::string(choice->label);
  if (info.kind == io::FieldKind::toggle) return info.value == io::write_value(true) ? "on" : "off";
  if (info.kind == io::FieldKind::cells || info.kind == io::FieldKind::order) return {};
  constexpr std::size_t kLongest = 24;  // bytes: what is longer is a matrix or a sentence
  if (info.value.size() > kLongest) return {};
  return info.value.empty() ? "none" : info.value;
}

// In the order of the fields; what is only looked at is left out.
std::vector<Setting> differing(const App& app) {
  std::vector<Setting> settings;
  const std::vector<io::FieldInfo> before = app.scene->fields(app.compared->state);
  for (const io::FieldInfo& now : app.scene->fields(app.state)) {
    const auto then =
        std::ranges::find(before, now.field.name, [](const io::FieldInfo& info) { return info.field.name; });
    if (then == before.end() || then->value == now.value || now.field.look) continue;
    settings.push_back({std::string(now.field.label), shown_value(*then), shown_value(now)});
  }
  return settings;
}

// "temperature 2, mask causal"; of one side.
std::string side_words(const std::vector<Setting>& settings, std::string Setting::* side) {
  std::string words;
  int count = 0;
  for (const Setting& setting : settings) {
    if (++count > kMostSettings) return words + " and " + std::to_string(settings.size() - kMostSettings) + " more";
    if (!words.empty()) words += ", ";
    words += setting.label + (setting.before.empty() || setting.after.empty() ? "" : ": " + setting.*side);
  }
  return words;
}

std::string cell_name(const Tensor& tensor, int row, int column) {
  const auto label = [](const std::vector<std::string>& labels, int index) {
    return index < static_cast<int>(labels.size()) ? labels[static_cast<std::size_t>(index)] : std::string();
  };
  const std::string of_row = label(tensor.row_labels, row), of_column = label(tensor.column_labels, column);
  if (!of_row.empty() && !of_column.empty()) return of_row + " → " + of_column;
  return "row " + std::to_string(row + 1) + ", column " + std::to_string(column + 1);
}

std::string more_or_less(float difference) {
  return io::format_short(std::abs(difference), 4) + (difference < 0 ? " less" : " more");
}

struct Principal {
  std::string name;
  const Tensor *a, *b, *difference;  // null where there is none
};

Principal principal_of(const App& app, scenes::Place place) {
  std::string name(app.scene->principal(app.state, app.trace, place));
  return {name, app.trace.find(std::string(kOfA) + name), app.trace.find(name),
          app.trace.find(std::string(kDifference) + name)};
}

std::string shape_of(const Tensor& tensor) {
  return std::to_string(tensor.rows()) + "×" + std::to_string(tensor.columns());
}

// Where the numbers of this step differ.
std::string difference_words(const App& app, scenes::Place place) {
  const Principal p = principal_of(app, place);
  if (p.a == nullptr || p.b == nullptr) return "Only one of them has numbers to compare at this step.";
  const std::string name = figure::words_of_name(p.name);
  if (p.difference == nullptr)
    return name + " is " + shape_of(*p.a) + " in A and " + shape_of(*p.b) +
           " in B; only equal shapes can be subtracted.";
  Eigen::Index row = 0, column = 0;
  float most = 0, sum = 0;
  int count = 0, hidden = 0;  // numbers of both; what only one of them has
  for (Eigen::Index r = 0; r < p.difference->values.rows(); ++r)
    for (Eigen::Index c = 0; c < p.difference->values.cols(); ++c) {
      const float value = p.difference->values(r, c);
      hidden += std::isfinite(p.a->values(r, c)) != std::isfinite(p.b->values(r, c)) ? 1 : 0;
      if (!std::isfinite(value)) continue;
      ++count;
      sum += std::abs(value);
      if (std::abs(value) > std::abs(most)) most = value, row = r, column = c;
    }
  const std::string masked =
      hidden == 0 ? "" : std::to_string(hidden) + " of its cells are −∞, masked, in only one of them.";
  if (most == 0 && hidden > 0) return name + ": " + masked + " All others are the same.";
  if (most == 0) return name + " has the same numbers in A and B.";
  const auto i = static_cast<int>(row), j = static_cast<int>(column);
  const auto number = [](float value) { return io::format_short(value, 4); };
  return "They differ most at " + cell_name(*p.b, i, j) + ": " + number(p.a->values(row, column)) + " in A, " +
         number(p.b->values(row, column)) + " in B, " + more_or_less(most) + "." +
         (count == 1 ? ""
                     : " On average its " + std::to_string(count) + " numbers differ by " +
                           number(sum / static_cast<float>(count)) + ".") +
         (hidden == 0 ? "" : " " + masked);
}

std::string settings_words(const App& app) {
  const std::vector<Setting> settings = differing(app);
  if (settings.empty()) return "A and B are the same so far: whatever is changed now changes B.";
  std::string words = "B differs in ";
  int count = 0;
  for (const Setting& setting : settings) {
    if (++count > kMostSettings) {
      words += " and " + std::to_string(settings.size() - kMostSettings) + " more";
      break;
    }
    if (count > 1) words += ", ";
    words += setting.label;
    if (!setting.before.empty() && !setting.after.empty()) words += " (" + setting.before + " → " + setting.after + ")";
  }
  return words + ".";
}

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

std::string pinned_for_comparison(const App& app) {
  io::Patch patch{{"scene", std::string(app.scene->id)}};
  std::ranges::move(app.scene->encode(app.state), std::back_inserter(patch));
  return io::write_patch(patch);
}

std::string write_compared(const App& app) {
  if (!app.compared) return {};
  io::Patch patch{{"scene", std::string(app.scene->id)}};
  std::ranges::move(app.scene->encode(app.compared->state), std::back_inserter(patch));
  return io::write_patch(patch);
}

Result<std::any> read_compared(const scenes::SceneDef& scene, std::string_view text) {
  const Result<io::Patch> patch = io::parse_patch(text);
  if (!patch) return std::unexpected(patch.error());
  io::Patch fields;
  for (const auto& [key, value] : *patch) {
    if (key != "scene")
      fields.emplace_back(key, value);
    else if (value != scene.id)
      return fail("What is to be compared is of the scene " + io::quote(value) + ", and " + std::string(scene.id) +
                  " is open; both have to be of one scene.");
  }
  std::any state = scene.initial();
  if (const Result<void> set = scene.change(state, fields); !set) return std::unexpected(set.error());
  return state;
}

Result<void> check_compared(const Trace& trace) {
  Eigen::Index numbers = 0;
  for (const Tensor& tensor : trace.tensors) numbers += tensor.values.size();
  if (numbers > kMostNumbers)
    return fail("This figure has " + io::format_short(static_cast<double>(numbers) / 1e6) +
                " million numbers; figures of up to 1 million are compared. Choose fewer words.");
  return {};
}

void add_compared(App& app) {
  Trace& trace = app.trace;
  std::erase_if(trace.tensors, [](const Tensor& tensor) {
    return tensor.name.starts_with(kOfA) || tensor.name.starts_with(kDifference);
  });
  if (!app.compared) return;
  for (const Tensor& a : app.compared->trace.tensors) {
    const Tensor* b = trace.find(a.name);
    if (b != nullptr && b->rows() == a.rows() && b->columns() == a.columns()) {
      // What is masked in one of them has no difference, and is hatched like what is masked.
      const Matrix difference = b->values.binaryExpr(a.values, [](float now, float then) {
        return std::isfinite(now) && std::isfinite(then) ? now - then : -std::numeric_limits<float>::infinity();
      });
      trace.add(std::string(kDifference) + a.name, difference, b->row_labels, b->column_labels);
    }
    trace.add(std::string(kOfA) + a.name, a.values, a.row_labels, a.column_labels);
  }
}

std::string_view of_both(std::string_view id) {
  if (!id.starts_with(kSideOfA)) return id;
  const std::string_view below = id.substr(kSideOfA.size());
  return below == scenes::kLampId || below == scenes::kLightId || scenes::word_at(below) ? below : id;
}

Source of_present(Source source) {
  for (const std::string_view prefix : {kDifference, kOfA})
    if (source.tensor.starts_with(prefix)) {
      source.tensor.erase(0, prefix.size());
      break;
    }
  return source;
}

Figure draw_compared(const App& app, scenes::View view) {
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

std::string compared_words(const App& app) {
  return app.compared ? settings_words(app) + " " + difference_words(app, app.place) : std::string();
}

std::string compared_number(const App& app, const Source& source) {
  const float* a = app.trace.cell(std::string(kOfA) + source.tensor, source.row, source.column);
  const float* b = app.trace.cell(source.tensor, source.row, source.column);
  if (a == nullptr || b == nullptr) return {};
  const std::string both = "In A it is " + io::format_short(*a, 4) + ", in B " + io::format_short(*b, 4);
  if (!std::isfinite(*a) || !std::isfinite(*b)) return both + ".";
  return *a == *b ? both + ": the same." : both + ": " + more_or_less(*b - *a) + ".";
}

}  // namespace limelight::app
