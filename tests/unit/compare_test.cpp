// The laws of two states beside each other.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <variant>

#include "app/commands.h"
#include "app/compare.h"
#include "app/input.h"
#include "app/inspector.h"
#include "app/page.h"
#include "scenes/place.h"
#include "unit/fonts.h"
#include "unit/swept.h"

using namespace limelight;
using namespace limelight::app;

namespace {

App opened(const std::string& link) {
  App app = make_app();
  REQUIRE(open_link(app, link));
  return app;
}

App compared(const std::string& link, const char* field, const char* value) {
  App app = opened(link);
  activate(app, {"do", "compare"});
  REQUIRE(app.compared);
  REQUIRE(change(app, field, value));
  return app;
}

bool is_look(const App& app, std::string_view field) {
  for (const io::FieldInfo& info : app.scene->fields(app.state))
    if (info.field.name == field) return info.field.look;
  return false;
}

}  // namespace

TEST_CASE("compare: A stays as it was pinned while B changes, and the difference is B − A, number by number") {
  const App plain = opened("scene=spotlight&preset=fox&step=7");
  const App app = compared("scene=spotlight&preset=fox&step=7", "temperature", "3");
  const Tensor& a = app.trace.at("A weights");
  const Tensor& b = app.trace.at("weights");
  const Tensor& difference = app.trace.at("B − A weights");
  CHECK(a.values == plain.trace.at("weights").values);
  CHECK(b.values != a.values);
  for (int row = 0; row < b.rows(); ++row)
    for (int column = 0; column < b.columns(); ++column) {
      CHECK(difference.values(row, column) == b.values(row, column) - a.values(row, column));
      CHECK(std::abs(difference.values.row(row).sum()) < 1e-6F);  // both sum to 1
    }
  CHECK(compared_words(app).find("temperature (1 → 3)") != std::string::npos);
}

TEST_CASE("compare: of the same two states nothing differs, and the words say so") {
  App app = opened("scene=spotlight&step=7");
  activate(app, {"do", "compare"});
  for (const Tensor& tensor : app.trace.tensors)
    if (tensor.name.starts_with("B − A "))
      for (const float value : tensor.values.reshaped()) CHECK((value == 0 || std::isinf(value)));
  CHECK(compared_words(app).find("the same so far") != std::string::npos);
  CHECK(compared_words(app).find("same numbers") != std::string::npos);
}

TEST_CASE("compare: what differs most is found wherever it is") {
  const App other = compared("scene=spotlight&step=5", "W_q", "2.1:4");
  const Tensor& difference = other.trace.at("B − A scores");
  Eigen::Index row = 0, column = 0;
  difference.values.cwiseAbs().maxCoeff(&row, &column);
  const Tensor& scores = other.trace.at("scores");
  CHECK(compared_words(other).find(scores.row_labels[static_cast<std::size_t>(row)] + " → " +
                                   scores.column_labels[static_cast<std::size_t>(column)]) != std::string::npos);
}

TEST_CASE("compare: cells that are masked in one of them only are counted, and are not the same numbers") {
  const std::string words = compared_words(compared("scene=spotlight&step=6", "mask", "causal"));
  CAPTURE(words);
  CHECK(words.find("3 of its cells are −∞, masked, in only one of them. All others are the same.") !=
        std::string::npos);
  CHECK(words.find("same numbers") == std::string::npos);
}

TEST_CASE("compare: both sides are looked at alike, by the same query") {
  REQUIRE(test::load_fonts());
  const App app = compared("scene=spotlight&step=7", "query", "1");
  int told = 0;
  for (const figure::Element& element : draw_stage(app).elements) {
    CHECK_FALSE(element.id.ends_with("stage.asks.0"));
    told += element.id.ends_with("stage.asks.1") ? 1 : 0;
  }
  CHECK(told == 2);
}

TEST_CASE("compare: the difference stands above both figures, within the first screen") {
  REQUIRE(test::load_fonts());
  for (const float width : {360.F, 1280.F}) {
    App app = compared("scene=spotlight&step=7", "temperature", "3");
    app.width = width;
    const figure::Figure stage = draw_stage(app);
    const figure::Element *difference = stage.find("B − A weights"), *a = stage.find("compared.weights"),
                          *b = stage.find("weights");
    REQUIRE(difference);
    REQUIRE(a);
    REQUIRE(b);
    CHECK(difference->rect.bottom() < std::min(a->rect.y, b->rect.y));
    CHECK(difference->rect.bottom() < 420);
  }
}

TEST_CASE("compare: where the bar has no room for it, a button in the figure ends the comparison") {
  REQUIRE(test::load_fonts());
  App app = compared("scene=spotlight&step=7", "temperature", "3");
  app.width = 360;
  const figure::Figure stage = draw_stage(app);
  const figure::Element* end = stage.find("shell.compared.end");
  REQUIRE(end);
  activate(app, *end->edit);
  CHECK_FALSE(app.compared);
}

TEST_CASE("compare: shapes that cannot be subtracted are told, both figures stay") {
  REQUIRE(test::load_fonts());
  const App app = compared("scene=spotlight&step=7", "text", "one two three four five");
  CHECK(app.trace.find("B − A weights") == nullptr);
  CHECK(compared_words(app).find("weights is 3×3 in A and 5×5 in B") != std::string::npos);
  const figure::Figure stage = draw_stage(app);
  CHECK(stage.find("compared.weights") != nullptr);
  CHECK(stage.find("weights") != nullptr);
}

TEST_CASE(
    "compare: every scene at every step and size has both sides within its width, each element once, in the trace") {
  REQUIRE(test::load_fonts());
  for (const scenes::SceneDef* scene : test::swept())
    for (const float width : {360.F, 820.F, 1280.F}) {
      App app = opened("scene=" + std::string(scene->id));
      app.width = width;
      for (const Tensor& tensor : app.trace.tensors)  // what a comparison calls its own
        CHECK_FALSE((tensor.name.starts_with("A ") || tensor.name.starts_with("B − A ")));
      activate(app, {"do", "compare"});
      REQUIRE(app.compared);
      for (int step = 1; step <= static_cast<int>(scene->steps().size()); ++step) {
        REQUIRE(change(app, "step", scenes::step_at(*scene, {step}).id));
        CAPTURE(std::string(scene->id));
        CAPTURE(width);
        CAPTURE(step);
        const figure::Figure stage = draw_stage(app);
        std::set<std::string> ids;
        for (const figure::Element& element : stage.elements) {
          CAPTURE(element.id);
          if (!element.id.empty()) CHECK(ids.insert(element.id).second);
          // Of A nothing is set but what both are looked at by.
          if (element.id.starts_with("compared.") && element.edit) CHECK(is_look(app, element.edit->field));
          if (element.role != figure::Role::none) CHECK(element.rect.right() <= stage.width + 0.5F);
          if (const auto* heatmap = std::get_if<figure::Heatmap>(&element.shape))
            CHECK(app.trace.find(heatmap->range.tensor) != nullptr);
        }
        CHECK(stage.height > 0);
      }
    }
}

TEST_CASE("compare: a link brings both sides back, and so does every other way to the same state") {
  const App app = compared("scene=spotlight&preset=fox&step=7&scale=off", "temperature", "3");
  const App again = opened(link(app));
  REQUIRE(again.compared);
  CHECK(write_compared(again) == write_compared(app));
  CHECK(again.trace.at("A weights").values == app.trace.at("A weights").values);
  CHECK(again.trace.at("weights").values == app.trace.at("weights").values);
  CHECK(link(again) == link(app));
}

TEST_CASE("compare: undo brings B back and leaves A; another scene puts the comparison aside") {
  App app = compared("scene=spotlight&step=7", "temperature", "3");
  undo(app);
  REQUIRE(app.compared);
  CHECK(app.trace.at("A weights").values == app.trace.at("weights").values);
  REQUIRE(change(app, "scene", "scale"));
  CHECK_FALSE(app.compared);
  CHECK(app.trace.find("A weights") == nullptr);
  REQUIRE(change(app, "scene", "spotlight"));
  CHECK(app.compared);
  activate(app, {"do", "compare"});
  CHECK_FALSE(app.compared);
  CHECK(app.trace.find("A weights") == nullptr);
}

TEST_CASE("compare: looking at a number of A or of the difference is looking at that of B, with all three told") {
  REQUIRE(test::load_fonts());
  App app = compared("scene=spotlight&step=7", "temperature", "3");
  app.height = 1000;
  for (const char* name : {"compared.weights", "B − A weights"}) {
    const Page page = build_page(app, draw_stage(app));
    const figure::Element* cells = page.figure.find(name);
    CAPTURE(name);
    REQUIRE(cells != nullptr);
    const std::optional<figure::Rect> cell = figure::cell_rect(*cells, 0, 2);
    REQUIRE(cell);
    Pointer pointer;
    pointer_moved(app, page, pointer, cell->centre());
    CHECK(app.hovered == "weights[0,2]");
    pointer_pressed(app, page, pointer, cell->centre());
    pointer_released(app, page, pointer, cell->centre());
    CHECK(app.pinned == "weights[0,2]");
    const std::optional<scenes::Inspection> inspection = inspection_of(app);
    REQUIRE(inspection);
    CHECK(inspection->note.starts_with("In A it is "));
    REQUIRE(change(app, "pin", ""));
  }
}

TEST_CASE("compare: what cannot be compared is refused in a sentence, and nothing changes") {
  App app = opened("scene=spotlight&step=7");
  const std::string before = link(app);
  for (const std::string text :
       {"scene=scale", "scene=nowhere", "temperature=warm", "%", "scene=spotlight&nothing=1"}) {
    CAPTURE(text);
    const Result<void> result = change(app, "against", text);
    REQUIRE_FALSE(result);
    CHECK(result.error().message.size() > 20);
    CHECK(link(app) == before);
  }
}

TEST_CASE("settings: no scene has a field with the name of one of the app's own") {
  for (const scenes::SceneDef* scene : scenes::all()) {
    App app = opened("scene=" + std::string(scene->id));
    std::set<std::string> names;
    for (const auto& [name, value] : state_of(app)) {
      CAPTURE(name);
      CHECK(names.insert(name).second);
    }
  }
}
