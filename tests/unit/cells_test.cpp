// The law of matrices that can be edited: a hand on any of their cells changes the number that is there.
#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/app.h"
#include "app/input.h"
#include "app/page.h"
#include "scenes/place.h"
#include "unit/fonts.h"
#include "unit/swept.h"

using namespace limelight;
using namespace limelight::app;

namespace {

// The first cell of a matrix that can be edited; of other elements, none.
std::optional<figure::Source> first_cell(const figure::Element& element) {
  const figure::CellRange* range = nullptr;
  if (const auto* matrix = std::get_if<figure::MatrixCells>(&element.shape)) range = &matrix->range;
  if (const auto* heatmap = std::get_if<figure::Heatmap>(&element.shape)) range = &heatmap->range;
  if (range == nullptr || !element.edit) return std::nullopt;
  return figure::Source{range->tensor, range->row, range->column};
}

// Drags a cell up or down; → whether its number changed.
bool drags(App& app, const figure::Source& cell, float dy) {
  const float* value = app.trace.cell(cell.tensor, cell.row, cell.column);
  REQUIRE(value != nullptr);
  const float before = *value;
  const Page page = build_page(app, draw_stage(app));
  const figure::Element* cells = figure::showing(page.figure, cell);
  CHECK(cells != nullptr);
  if (cells == nullptr) return false;
  const figure::Point at = figure::cell_rect(*cells, cell.row, cell.column)->centre();
  if (!page.regions.stage.contains(at)) return true;  // below what shows
  Pointer pointer;
  pointer_pressed(app, page, pointer, at);
  pointer_moved(app, page, pointer, {at.x, at.y + dy});
  pointer_released(app, page, pointer, {at.x, at.y + dy});
  const float* now = app.trace.cell(cell.tensor, cell.row, cell.column);
  return now != nullptr && *now != before;
}

}  // namespace

TEST_CASE("cells: in every scene and step each matrix that can be edited follows the hand, and undo takes it back") {
  REQUIRE(test::load_fonts());
  for (const scenes::SceneDef* scene : test::swept()) {
    App app = make_app();
    REQUIRE(change(app, "scene", scene->id));
    for (int step = 1; step <= static_cast<int>(scene->steps().size()); ++step) {
      REQUIRE(change(app, "step", scenes::step_at(*scene, {step}).id));
      for (const figure::Element& element : draw_stage(app).elements) {
        const std::optional<figure::Source> cell = first_cell(element);
        if (!cell) continue;
        CAPTURE(scene->id);
        CAPTURE(step);
        CAPTURE(cell->tensor);
        const bool followed = drags(app, *cell, 40) || drags(app, *cell, -40);  // one of the ends may be reached
        CAPTURE(app.notice.text);
        CHECK(followed);
        while (!app.undo_stack.empty() && differs_from_example(app)) undo(app);
        CHECK_FALSE(differs_from_example(app));
      }
    }
  }
}

TEST_CASE("fields: none has the name of a setting of the app, which would be set in its place") {
  const App app = make_app();
  std::vector<std::string> own{"v"};
  for (const auto& [name, value] : state_of(app)) own.push_back(name);
  for (const io::FieldInfo& info : app.scene->fields(app.state)) std::erase(own, std::string(info.field.name));
  for (const scenes::SceneDef* scene : scenes::all()) {
    CAPTURE(scene->id);
    for (const io::FieldInfo& info : scene->fields(scene->initial())) {
      CAPTURE(info.field.name);
      CHECK(std::ranges::find(own, info.field.name) == own.end());
    }
  }
}
