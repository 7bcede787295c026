// What holds for Layer's pictures of the order: what is shuffled, what places add, and both orders' outputs as dots.
#include <doctest/doctest.h>

#include <algorithm>
#include <any>
#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include "figure/light.h"
#include "io/numbers.h"
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
          CHECK(pattern->rect.right() < figure.find("made." + std::to_string(input) + ".edge")->rect.x);
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

namespace {

State own(const std::string& text) {
  State state = preset(Preset::own);
  state.text = text;
  state.order = layer::swapped(layer::sizes(state).inputs);
  return state;
}
// From one word to as many as there may be.
std::vector<State> examples() {
  std::string most;
  for (int i = 0; i < layer::kMostWords; ++i) most += "word" + std::to_string(i) + " ";
  return {preset(Preset::video), preset(Preset::translate), own("alone"), own("two words"), own(most)};
}

const figure::Light& light_in(const figure::Figure& figure, const std::string& id) {
  const figure::Element* element = figure.find(id);
  REQUIRE(element != nullptr);
  return std::get<figure::Light>(element->shape);
}

constexpr float kHairline = 1.8F;  // px of the thinnest beam

// The place whose percentages are told.
int looked_at_in(const figure::Figure& figure, const figure::Light& light) {
  for (const figure::Light::Beam& beam : light.beams)
    if (figure.find(figure::cell_id({light.tensor, beam.row, 0})) != nullptr) return beam.row;
  return -1;
}

}  // namespace

TEST_CASE("layer's order: the beams of the output that is looked at are as wide there as their weights and fill it") {
  REQUIRE(test::load_fonts());
  for (const State& state : examples())
    for (const auto& [step, tensor] : {std::pair{6, "A_new"}, std::pair{7, "A_pos"}})
      for (const float width : {1180.F, 390.F}) {
        const Matrix A = layer::compute(state, {}).at(tensor).values;
        const figure::Figure figure = drawn(state, step, width);
        const figure::Light& light = light_in(figure, "made.light");
        CHECK(light.tensor == tensor);
        const bool all = A.rows() <= 8;
        CHECK(static_cast<Eigen::Index>(light.beams.size()) == (all ? A.size() : A.cols()));
        float before = 0;
        for (const figure::Light::Beam& beam : light.beams) {
          const bool looked_at = beam.row == looked_at_in(figure, light);
          const figure::Rect edge =
              figure
                  .find("made." +
                        std::to_string(state.order.of(static_cast<int>(A.rows()))[static_cast<std::size_t>(beam.row)]) +
                        ".edge")
                  ->rect.inset(2);
          const float high = A(beam.row, beam.column) * edge.h;
          if (looked_at)
            CHECK(2 * beam.half_to == doctest::Approx(std::max(high, kHairline)).epsilon(1e-3));
          else
            CHECK(std::max(beam.half_from, beam.half_to) <= doctest::Approx(kHairline / 2));
          if (beam.column == 0) before = edge.y;
          CHECK(beam.to.y == doctest::Approx(before + high / 2).epsilon(1e-3));
          before += high;
          const figure::Element* place = figure.find("place." + std::to_string(beam.column));
          CHECK(beam.from.y == doctest::Approx(place->rect.centre().y).epsilon(1e-3));
          CHECK(beam.from.x >= place->rect.right() - 8);
        }
      }
}

TEST_CASE("layer's order: 0.2 % or more has a beam that is seen, and other outputs have next to none") {
  REQUIRE(test::load_fonts());
  for (const figure::Theme theme : {figure::Theme::light, figure::Theme::dark})
    for (const State& state : examples())
      for (const int step : {6, 7})
        for (const float width : {1180.F, 390.F}) {
          const Trace trace = layer::compute(state, {});
          const figure::Figure figure =
              layer::draw(state, trace, {.width = width, .height = 576, .place = {step, 0}, .theme = theme});
          const figure::Light& light = light_in(figure, "made.light");
          const int place = looked_at_in(figure, light);
          for (const figure::Light::Beam& beam : light.beams) {
            figure::Light alone = light;
            alone.spots.clear();
            alone.beams = {beam};
            const figure::Point near = mix(beam.from, beam.control_from, 0.5F),
                                turn = mix(beam.control_from, beam.control_to, 0.5F),
                                far = mix(beam.control_to, beam.to, 0.5F),
                                middle = mix(mix(near, turn, 0.5F), mix(turn, far, 0.5F), 0.5F);
            float sum = 0;
            figure::Brightness(alone).add({&middle, 1}, {&sum, 1});
            const figure::Colour ground = figure::palette(theme).stage_bottom,
                                 seen = figure::lit(ground, sum, figure::light_colours(theme));
            const int change =
                std::max({std::abs(seen.r - ground.r), std::abs(seen.g - ground.g), std::abs(seen.b - ground.b)});
            CAPTURE(beam.row);
            CAPTURE(beam.column);
            const float weight = trace.at(light.tensor).values(beam.row, beam.column);
            if (beam.row != place) CHECK(change <= 20);
            if (beam.row == place && weight >= 0.002F) CHECK(change >= 45);
          }
        }
}

TEST_CASE("layer's order: the numbers beside two dots differ by as much as the dots") {
  REQUIRE(test::load_fonts());
  int told = 0;
  for (const char* encoding : {"none", "sinusoidal", "rotary", "linear_bias"})
    for (const float width : {1180.F, 390.F}) {
      std::any any = preset(Preset::video);
      REQUIRE(find("layer")->change(any, {{"positions", encoding}, {"order", "1,0,2,3"}}));
      const State state = state_in<State>(any);
      const Trace trace = layer::compute(state, {});
      const figure::Figure figure = drawn(state, 7, width);
      for (int i = 0; i < 4; ++i) {
        const std::string dot = figure::cell_id({"Y_pos", i, 0});
        const figure::Element *low = figure.find(dot + ".low"), *high = figure.find(dot + ".high");
        if (low == nullptr || high == nullptr) continue;
        const std::string &one = std::get<figure::Text>(low->shape).text,
                          &other = std::get<figure::Text>(high->shape).text;
        const auto a = io::parse_number(one), b = io::parse_number(other);
        REQUIRE((a && b));
        const double apart = std::abs(static_cast<double>(trace.at("Y_pos").values(i, 0)) -
                                      static_cast<double>(trace.at("Y_moved_pos").values(i, 0)));
        CAPTURE(one);
        CAPTURE(other);
        // Each is rounded to its last digit: to the hundredth of their difference, or the thousandth that has room.
        CHECK(std::abs(std::abs(*a - *b) - apart) <= std::max(0.01 * apart, 0.001));
        ++told;
      }
    }
  CHECK(told > 10);
}

TEST_CASE("layer: green says input, and is never the colour of what is right") {
  REQUIRE(test::load_fonts());
  for (const bool numbers : {false, true})
    for (int step = 1; step <= 8; ++step) {
      State state = preset(Preset::video);
      state.numbers = numbers;
      const figure::Colour good = figure::palette(figure::Theme::light).good;
      const auto is_good = [&](figure::Colour colour) {
        return colour.a > 0 && colour.r == good.r && colour.g == good.g && colour.b == good.b;
      };
      const figure::Figure figure = drawn(state, step);
      for (const figure::Element& element : figure.elements) {
        CAPTURE(step);
        CAPTURE(element.id);
        if (const auto* text = std::get_if<figure::Text>(&element.shape)) CHECK_FALSE(is_good(text->colour));
        if (const auto* box = std::get_if<figure::Rectangle>(&element.shape))
          CHECK_FALSE((is_good(box->fill) || (box->stroke_width > 0 && is_good(box->stroke))));
      }
    }
}

TEST_CASE("layer's order: the light of the shuffled inputs is that of the inputs, carried along") {
  REQUIRE(test::load_fonts());
  for (const char* order : {"1,0,2,3", "3,2,1,0", "2,0,3,1"}) {
    std::any any = preset(Preset::video);
    REQUIRE(find("layer")->change(any, {{"order", order}}));
    const State state = state_in<State>(any);
    const std::vector<int> to = state.order.of(4);
    const figure::Figure figure = drawn(state, 6);
    const figure::Light &before = light_in(figure, "before.light"), &after = light_in(figure, "made.light");
    const auto beam = [](const figure::Light& light, int row, int column) {
      return *std::ranges::find_if(
          light.beams, [&](const figure::Light::Beam& one) { return one.row == row && one.column == column; });
    };
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) {
        const figure::Light::Beam was = beam(before, to[static_cast<std::size_t>(i)], to[static_cast<std::size_t>(j)]);
        const figure::Light::Beam is = beam(after, i, j);
        CHECK(is.half_to == doctest::Approx(was.half_to).epsilon(1e-4));
        CHECK(is.intensity == doctest::Approx(was.intensity).epsilon(1e-4));
      }
  }
}

TEST_CASE("layer's order: the output that is pointed at, by whatever of it, is bright and tells its weights") {
  REQUIRE(test::load_fonts());
  const State state = preset(Preset::video);
  for (const auto& [step, hovered] :
       {std::pair{6, "A_new[2,1]"}, std::pair{6, "Y_moved[2,0]"}, std::pair{6, "place.2"}, std::pair{6, "A_self[2,1]"},
        std::pair{7, "A_pos[2,3]"}, std::pair{7, "Y_pos[2,0]"}}) {
    const figure::Figure figure = drawn(state, step, 1180, 576, hovered);
    const figure::Light& light = light_in(figure, "made.light");
    const auto intensity = [&](int row) {
      return std::ranges::find_if(light.beams, [&](const auto& beam) { return beam.row == row && beam.column == row; })
          ->intensity;
    };
    CAPTURE(hovered);
    for (const int other : {0, 1, 3}) CHECK(intensity(2) > 1.5F * intensity(other));
    for (int j = 0; j < 4; ++j)
      CHECK(figure.find(figure::cell_id({std::string(step == 6 ? "A_new" : "A_pos"), 2, j})) != nullptr);
  }
}

TEST_CASE("layer's order: what it comes to is told when the dots have landed, and not before") {
  REQUIRE(test::load_fonts());
  const State state = preset(Preset::video);
  const Trace trace = layer::compute(state, {});
  for (const auto& [step, verdict, dots] :
       {std::tuple{6, "error[0,0]", "Y_new"}, std::tuple{7, "error_pos[0,0]", "Y_pos"}})
    for (const float width : {1180.F, 390.F}) {
      const auto at = [&](float t) {
        return draw_moment(*find("layer"), state, trace, {.width = width, .height = 576, .place = {step, 0}, .t = t});
      };
      const figure::Figure end = at(1);
      bool awaited = false;
      for (int moment = 1; moment <= 50; ++moment) {
        const figure::Figure figure = at(static_cast<float>(moment) / 50);
        const figure::Element* told = figure.find(verdict);
        if (told == nullptr || told->opacity == 0) {
          awaited = awaited || figure.find(figure::cell_id({dots, 0, 0})) != nullptr;
          continue;
        }
        for (int i = 0; i < 4; ++i) {
          const std::string dot = figure::cell_id({dots, i, 0});
          CHECK(figure.find(dot)->rect.x == doctest::Approx(end.find(dot)->rect.x).epsilon(1e-4));
          CHECK(figure.find(dot)->opacity == 1);
        }
      }
      CHECK(awaited);
      CHECK(end.find(verdict)->opacity == 1);
    }
}

TEST_CASE("layer's order: each row has its ground, its line and a sign, and the verdict says the same as all signs") {
  REQUIRE(test::load_fonts());
  for (State state : examples())
    for (const layer::Encoding positions :
         {layer::Encoding::none, layer::Encoding::sinusoidal, layer::Encoding::linear_bias})
      for (const int step : {6, 7}) {
        state.positions = positions;
        const figure::Figure figure = drawn(state, step);
        CAPTURE(step);
        const auto words = [&](const std::string& id) {
          const figure::Element* told = figure.find(id);
          REQUIRE(told != nullptr);
          return std::get<figure::Text>(told->shape).text;
        };
        bool same = true;
        float above = 0;
        for (int i = 0; i < layer::sizes(state).inputs; ++i) {
          const std::string row = std::to_string(i);
          const figure::Rect lane = figure.find("lane." + row)->rect;
          const float line = std::get<figure::Line>(figure.find("lane.line." + row)->shape).points[0].y;
          CHECK(line == doctest::Approx(lane.centre().y));
          CHECK(lane.y >= above);
          above = lane.bottom();
          const figure::Rect dot = figure.find(figure::cell_id({step == 6 ? "Y_new" : "Y_pos", i, 0}))->rect;
          CHECK(dot.centre().y == doctest::Approx(line));
          if (figure.find("lane.same." + row) != nullptr) same = same && words("lane.same." + row) == "=";
        }
        // Signs are of the numbers in the picture, the verdict is of all.
        const std::string verdict = step == 6 ? "error[0,0].verdict" : "error_pos[0,0].verdict";
        if (words(verdict + ".sign") == "=") CHECK(same);
        if (step == 6) CHECK(words(verdict) == "The outputs are shuffled along");
        CHECK(figure.find(verdict)->rect.bottom() <= figure.height);
      }
}

TEST_CASE("layer's order: no verdict is cut, and none lies over what follows it, in any width") {
  REQUIRE(test::load_fonts());
  for (const State& state : examples())
    for (const float width : {320.F, 390.F, 620.F, 1180.F})
      for (const int step : {6, 7}) {
        CAPTURE(width);
        CAPTURE(step);
        const figure::Figure figure = drawn(state, step, width, width < 600 ? 535 : 576);
        float bottom = 0;
        int verdicts = 0;
        for (const figure::Element& element : figure.elements) {
          if (!element.id.ends_with(".verdict")) continue;
          ++verdicts;
          const auto& told = std::get<figure::Text>(element.shape);
          CHECK(text::measure(told.face, told.size, told.text) <= element.rect.w);
          CHECK(told.text.find("…") == std::string::npos);
          CHECK(element.rect.y >= bottom);
          const figure::Element* sign = figure.find(element.id + ".sign");
          REQUIRE(sign != nullptr);
          if (element.id.starts_with("error_keys"))  // its words say what its sign says
            CHECK((std::get<figure::Text>(sign->shape).text == "=") == told.text.ends_with("nothing"));
          bottom = element.rect.bottom();
        }
        CHECK(verdicts == (step == 6 ? 2 : 1));
      }
}

TEST_CASE("layer's order: an input that changes places is followed by fainter and fainter ghosts, until it is there") {
  REQUIRE(test::load_fonts());
  const State state = preset(Preset::video);
  const Trace trace = layer::compute(state, {});
  const auto at = [&](float t) {
    return layer::draw(state, trace, {.width = 1180, .height = 576, .place = {6, 0}, .t = t});
  };
  const figure::Figure half = at(0.15F), end = at(1);
  for (const int input : {0, 1}) {
    const std::string edge = "." + std::to_string(input) + ".edge";
    const figure::Element *first = half.find("trail.1" + edge), *second = half.find("trail.2" + edge);
    REQUIRE(first != nullptr);
    REQUIRE(second != nullptr);
    CHECK(first->opacity > second->opacity);
    CHECK(half.find("moved" + edge)->rect.x > first->rect.x);
    CHECK(first->rect.x > second->rect.x);
    CHECK(end.find("trail.1" + edge) == nullptr);
  }
  CHECK(half.find("trail.1.2.edge") == nullptr);  // it keeps its place
}

TEST_CASE("layer's order: every pair of dots has its numbers, and nothing leaves the figure") {
  REQUIRE(test::load_fonts());
  for (const State& state : examples())
    for (const float width : {1856.F, 1180.F, 900.F, 700.F, 390.F, 320.F})
      for (const int step : {6, 7, 8}) {
        const figure::Figure figure = drawn(state, step, width, width < 640 ? 535 : 576);
        CAPTURE(width);
        CAPTURE(step);
        for (const figure::Element& element : figure.elements) {
          CAPTURE(element.id);
          CHECK(element.rect.x >= -1);
          CHECK(element.rect.right() <= width + 1);
          CHECK(element.rect.bottom() <= figure.height + 1);
        }
        const std::string tensor = step == 6 ? "Y_new" : "Y_pos";
        for (int i = 0; step < 8 && i < layer::sizes(state).inputs; ++i) {
          const std::string dot = figure::cell_id({tensor, i, 0});
          CAPTURE(dot);
          CHECK((figure.find(dot + ".low") != nullptr || figure.find(dot + ".high") != nullptr));
        }
      }
}

TEST_CASE("layer's order: the pattern that is shown of a place is what its query and its key get") {
  for (const State& state : examples()) {
    const Trace trace = layer::compute(state, {});
    const Matrix &P = trace.at("P_q").values, &Q = trace.at("Q_new").values, &K = trace.at("K_new").values;
    CHECK((trace.at("Q_pos").values - Q - P).cwiseAbs().maxCoeff() < 1e-5F);
    CHECK((trace.at("K_pos").values - K - P).cwiseAbs().maxCoeff() < 1e-5F);
  }
}

TEST_CASE("layer's order: what is shown of a place turns query and key in pairs, or is added to the scores") {
  for (State state : examples()) {
    state.positions = layer::Encoding::linear_bias;
    const Trace biased = layer::compute(state, {});
    CHECK((biased.at("E_pos").values - biased.at("E_new").values - biased.at("P_q").values).cwiseAbs().maxCoeff() <
          1e-5F);
    state.positions = layer::Encoding::rotary;
    const Trace turned = layer::compute(state, {});
    const Matrix &P = turned.at("P_q").values, &Q = turned.at("Q_new").values, &T = turned.at("Q_pos").values;
    for (Eigen::Index i = 0; i < Q.rows(); ++i)
      for (Eigen::Index j = 0; j + 1 < Q.cols(); j += 2) {
        CHECK(T(i, j) == doctest::Approx(P(i, j) * Q(i, j) - P(i, j + 1) * Q(i, j + 1)).epsilon(1e-4));
        CHECK(T(i, j + 1) == doctest::Approx(P(i, j + 1) * Q(i, j) + P(i, j) * Q(i, j + 1)).epsilon(1e-4));
      }
    state.positions = layer::Encoding::none;
    CHECK(layer::compute(state, {}).find("P_q") == nullptr);
  }
}

TEST_CASE("layer's order: of large numbers more is rounding, and a layer alone never notices an order") {
  REQUIRE(test::load_fonts());
  State state = preset(Preset::video);
  state.W_V.cells = {{{0, 0}, 99.F}, {{0, 1}, 98.F}, {{1, 0}, -99.F}};
  for (const std::vector<int>& order : {std::vector{0, 1, 3, 2}, {1, 0, 2, 3}, {3, 2, 1, 0}}) {
    state.order = io::Order{order};
    const Trace trace = layer::compute(state, {});
    CHECK(static_cast<double>(trace.at("errors").values(0, 0)) < layer::rounding(trace));
    CHECK(layer::rounding(trace) < 0.01);
    const figure::Figure figure = drawn(state, 8);
    std::string said;
    for (const figure::Element& element : figure.elements)
      if (const auto* text = std::get_if<figure::Text>(&element.shape); text && element.id.starts_with("all.coincide"))
        said += text->text + " ";
    CHECK(said.find("Nothing has moved") == std::string::npos);
    CHECK(said.find("nothing") != std::string::npos);
  }
}

TEST_CASE("layer's order: on a phone the five machines stand in one row, and all lanes below them are seen at once") {
  REQUIRE(test::load_fonts());
  for (const Preset which : {Preset::video, Preset::translate}) {
    constexpr float kSeen = 455;  // px of the figure above the words, on a phone of 390 × 844
    const figure::Figure figure = drawn(preset(which), 8, 390, 535);
    const float row = figure.find("form.query.place")->rect.y;
    for (const char* form : {"queries", "keys", "self", "cross"})
      CHECK(figure.find("form." + std::string(form) + ".place")->rect.y == row);
    for (int i = 0; i < 5; ++i) CHECK(figure.find(figure::cell_id({"errors", 0, i}))->rect.bottom() < kSeen);
  }
}
