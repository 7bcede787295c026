// The text view reaches all that the mouse does: each edit of each drawn page is a field, a table or a button there.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "app/actions.h"
#include "app/commands.h"
#include "app/hidden.h"
#include "app/page.h"
#include "unit/app_support.h"
#include "unit/scenes/scene_support.h"

using namespace limelight;
using namespace limelight::figure;
using test::page_of;

namespace {

// What a hand does in a picture, a text says as well.
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kSaid{{{"at", "objects"}, {"brush", "strokes"}}};

bool has_field(const app::App& app, std::string_view name) {
  const auto said = std::ranges::find(kSaid, name, &std::pair<std::string_view, std::string_view>::first);
  const std::string_view wanted = said == kSaid.end() ? name : said->second;
  return std::ranges::any_of(app::shown_fields(app), [wanted](const io::FieldInfo& info) {
    return info.field.name == wanted && app::has_control(info);
  });
}

// Of cells that are typed into, in what the text view is told.
bool has_table(const std::string& told, std::string_view field) {
  return told.find("\"editable\":true,\"field\":\"" + std::string(field) + "\"") != std::string::npos;
}

bool has_button(const std::vector<app::Action>& actions, const Edit& edit) {
  return std::ranges::any_of(
      actions, [&](const app::Action& a) { return a.edit.field == edit.field && a.edit.value == edit.value; });
}

// By the text view's own lists and buttons.
bool is_own(const Edit& edit) {
  constexpr std::array<std::string_view, 5> kOwn{"scene", "step", "guess", "pin", "do"};
  return std::ranges::find(kOwn, edit.field) != kOwn.end();
}

}  // namespace

TEST_CASE(
    "text view: whatever is dragged, painted, typed or pressed in a figure is a field, a table or a button there") {
  test::each_step([](app::App& app) {
    const app::Page page = page_of(app);
    const std::string told = app::describe_page(app, page, false);
    const std::vector<app::Action> actions = app::actions(app, page);
    for (const Element& element : page.figure.elements) {
      if (!element.edit || element.role == Role::none) continue;
      const Edit& edit = *element.edit;
      if (edit.field == "point") {  // a word that means a number or a button, which is reached by itself
        const auto cell = parse_cell_id(edit.value);
        const Element* meant = page.figure.find(edit.value);
        CHECK((cell ? app.trace.cell(cell->tensor, cell->row, cell->column) != nullptr
                    : meant != nullptr && meant->edit.has_value()));
        continue;
      }
      if (is_own(edit) || has_field(app, edit.field) || has_table(told, edit.field) || has_button(actions, edit))
        continue;
      CAPTURE(app::link(app));
      CAPTURE(element.id);
      CAPTURE(edit.field);
      CAPTURE(edit.value);
      CHECK(false);
    }
  });
}

TEST_CASE("text view: whatever number can be pointed at in a figure stands in a table there") {
  test::each_step([](app::App& app) {
    const app::Page page = page_of(app);
    const std::string told = app::describe_page(app, page, false);
    std::set<std::string> missing;
    for (const Element& element : page.figure.elements)
      if (element.source && app.trace.find(element.source->tensor) != nullptr &&
          told.find("{\"name\":\"" + element.source->tensor + "\",\"title\"") == std::string::npos)
        missing.insert(element.source->tensor);
    CAPTURE(app::link(app));
    CHECK(missing == std::set<std::string>{});
  });
}

TEST_CASE("text view: what a double click does has a button there once its word is chosen") {
  app::App app = app::make_app();
  REQUIRE(app::open_link(app, "v=1&scene=sentence&step=1"));
  test::bring_resources(app);
  for (int i = 0; i < 1000 && (i == 0 || app.works()); ++i) app::advance(app, 0.1 * i, 50);  // the sentence is read
  int found = 0;
  for (const Element& element : page_of(app).figure.elements) {
    if (!element.twice) continue;
    ++found;
    app::App chosen = app;
    app::activate(chosen, *element.edit);
    CHECK(has_button(app::actions(chosen, page_of(chosen)), *element.twice));
  }
  CHECK(found > 3);
}

TEST_CASE("text view: each button there says what it does, and no two say the same") {
  test::each_step([](app::App& app) {
    const std::vector<app::Action> actions = app::actions(app, page_of(app));
    for (const app::Action& action : actions) {
      CAPTURE(app::link(app));
      CAPTURE(action.id);
      CAPTURE(action.label);
      if (action.label.size() < 4) CHECK(action.label.size() >= 4);
      if (const auto alike = std::ranges::count(actions, action.label, &app::Action::label); alike != 1)
        CHECK(alike == 1);
    }
  });
}

TEST_CASE("text view: a number that arcs or bars show stands in a table") {
  test::each_step([](app::App& app) {
    const app::Page page = page_of(app);
    const std::string said = app::describe_page(app, page, false);
    for (const Element& element : page.figure.elements) {
      const auto* arcs = std::get_if<Arcs>(&element.shape);
      const auto* bars = std::get_if<Bars>(&element.shape);
      if (arcs == nullptr && bars == nullptr) continue;
      const std::string tensor = arcs != nullptr ? arcs->range.tensor : bars->range.tensor;
      if (said.find("{\"name\":\"" + tensor + "\",\"title\"") != std::string::npos) continue;
      CAPTURE(app::link(app));
      CAPTURE(tensor);
      CHECK(false);
    }
  });
}
