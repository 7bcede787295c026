// What holds for Layer's pictures of the order: what is shuffled, what places add, and both orders' outputs as dots.
#include <doctest/doctest.h>

#include <algorithm>
#include <any>
#include <cmath>
#include <string>
#include <vector>

#include "scenes/moment.h"
#include "unit/fonts.h"
#include "unit/scenes/layer_drawn.h"

using namespace limelight;
using namespace limelight::scenes;
using layer::Preset;
using layer::State;
using test::drawn;
using test::preset;

TEST_CASE("layer's order: two dots lie where the outputs are, and on each other only where nothing tells the order") {
  REQUIRE(test::load_fonts());
  for (const Preset which : {Preset::video, Preset::translate}) {
    const State state = preset(which);
    const Trace trace = layer::compute(state, {});
    const Matrix &last = trace.at("order_last").values, &first = trace.at("order_first").values;
    const Matrix &gap = trace.at("order_gap").values, &errors = trace.at("errors").values;
    for (int i = 0; i < static_cast<int>(errors.cols()); ++i)
      CHECK(gap.row(i).maxCoeff() == doctest::Approx(errors(0, i)).epsilon(1e-4));
    CHECK((first.row(0) - trace.at("Y_new").values.col(0).transpose()).cwiseAbs().maxCoeff() < 1e-5F);
    CHECK((last.row(0) - trace.at("Y_moved").values.col(0).transpose()).cwiseAbs().maxCoeff() < 1e-5F);
    const figure::Figure figure = drawn(state, 8);
    for (int i = 0; i < static_cast<int>(last.rows()); ++i)
      for (int j = 0; j < static_cast<int>(last.cols()); ++j) {
        const float a = figure.find(figure::cell_id({"order_last", i, j}))->rect.centre().x;
        const float b = figure.find(figure::cell_id({"order_first", i, j}))->rect.centre().x;
        const float c = figure.find(figure::cell_id({"order_last", 0, 0}))->rect.centre().x;
        const float e = figure.find(figure::cell_id({"order_last", 0, 1}))->rect.centre().x;
        const float scale = (e - c) / (last(0, 1) - last(0, 0));
        CHECK(b - a == doctest::Approx(scale * (first(i, j) - last(i, j))).epsilon(0.01).scale(1));
      }
  }
}

TEST_CASE("layer's order: each output is named once above its dots, and no name lies over another or under a line") {
  REQUIRE(test::load_fonts());
  for (const float width : {1856.F, 1180.F, 390.F}) {
    const figure::Figure figure = drawn(preset(Preset::video), 8, width, width < 640 ? 535 : 576);
    CAPTURE(width);
    std::vector<figure::Rect> names;
    for (int i = 0; i < 4; ++i) {
      const figure::Element* name = figure.find("all.output." + std::to_string(i));
      REQUIRE(name != nullptr);
      const figure::Rect dot = figure.find(figure::cell_id({"order_first", 0, i}))->rect;
      CHECK(std::abs(name->rect.x - dot.centre().x) < 6);
      names.push_back(name->rect);
    }
    for (std::size_t i = 0; i < names.size(); ++i)
      for (std::size_t j = 0; j < names.size(); ++j) {
        if (i == j) continue;
        const bool apart = names[i].right() <= names[j].x || names[j].right() <= names[i].x;
        CHECK((apart || std::abs(names[i].y - names[j].y) >= 14));
        const float line = names[j].x - 4;  // from this name down
        CHECK_FALSE((names[i].y > names[j].y && names[i].x < line && line < names[i].right()));
      }
  }
}

TEST_CASE("layer's order: of Positions each place keeps its pattern, and what is shuffled changes places before it") {
  REQUIRE(test::load_fonts());
  for (const char* encoding : {"none", "sinusoidal", "rotary", "linear_bias"})
    for (const float width : {1180.F, 390.F})
      for (const char* order : {"1,0,2,3", "3,2,1,0"}) {
        State state = preset(Preset::video);
        std::any any = state;
        REQUIRE(find("layer")->change(any, {{"positions", encoding}, {"order", order}}));
        state = state_in<State>(any);
        const figure::Figure figure = drawn(state, 7, width, 576);
        float dots = 0;
        for (int i = 0; i < 4; ++i) {
          const int input = state.order.of(4)[static_cast<std::size_t>(i)];
          const figure::Rect film = figure.find("moved." + std::to_string(input) + ".edge")->rect;
          const figure::Element* pattern = figure.find("P." + std::to_string(i));
          CHECK((pattern == nullptr) == (std::string(encoding) == "none"));
          CHECK(film.y == doctest::Approx(figure.find("place." + std::to_string(i))->rect.y));
          dots = std::max(dots, figure.find("Y_pos[" + std::to_string(i) + ",0]")->rect.bottom());
          if (pattern == nullptr) continue;
          CHECK(std::get<figure::MatrixCells>(pattern->shape).range.row == i);
          CHECK(pattern->rect.x > film.right());
          CHECK(pattern->rect.centre().y == doctest::Approx(film.centre().y).epsilon(0.02));
          CHECK(pattern->rect.right() < figure.find("lane.0")->rect.x);
        }
        // Nothing of the dots leaves their panel; what can be chosen stands below.
        const figure::Rect lane = figure.find("lane.0")->rect;
        for (const figure::Element& element : figure.elements) {
          if (element.id.starts_with("Y_")) CHECK(element.rect.right() <= lane.right() + 1);
          if (element.edit && element.edit->field != "order" && element.id.starts_with("chip."))
            CHECK(element.rect.y >= dots);
        }
        state.numbers = true;
        CHECK((drawn(state, 7, width, 576).find("P") == nullptr) == (std::string(encoding) == "none"));
      }
}

TEST_CASE("layer's order: bars go from dot to dot at every moment, and numbers stand beside dots that rest") {
  REQUIRE(test::load_fonts());
  const State state = preset(Preset::video);
  const Trace trace = layer::compute(state, {});
  for (const float width : {1180.F, 390.F})
    for (const int step : {7, 8})
      for (float t = 0.02F; t <= 1; t += 0.02F) {
        CAPTURE(step);
        CAPTURE(t);
        const figure::Figure figure = draw_moment(
            *find("layer"), state, trace, {.width = width, .height = 576, .place = {step, 0}, .t = std::min(t, 1.F)});
        for (const figure::Element& element : figure.elements) {
          const auto* bar = std::get_if<figure::Ribbon>(&element.shape);
          if (bar == nullptr || !element.id.ends_with(".way") || element.opacity == 0) continue;
          const std::optional<figure::Source> first =
              figure::parse_cell_id(element.id.substr(0, element.id.size() - 4));
          if (!first || (first->tensor != "Y_pos" && first->tensor != "order_first")) continue;
          figure::Source last = *first;
          last.tensor = first->tensor == "Y_pos" ? "Y_moved_pos" : "order_last";
          const figure::Rect from = figure.find(figure::cell_id(last))->rect,
                             to = figure.find(figure::cell_id(*first))->rect;
          CHECK(bar->one.front().x == doctest::Approx(from.centre().x).epsilon(0.001));
          CHECK(bar->one.back().x == doctest::Approx(to.centre().x).epsilon(0.001));
          CHECK(bar->one.front().y < to.centre().y);
          CHECK(bar->other.front().y > to.centre().y);
        }
      }
}
