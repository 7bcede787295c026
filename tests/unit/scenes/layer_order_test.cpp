// What holds for Layer's pictures of the order: what changes places, what places add, and both orders' outputs as dots.
#include <doctest/doctest.h>

#include <algorithm>
#include <any>
#include <cmath>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "figure/formula.h"
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
using test::points_of;
using test::preset;

namespace {

const figure::Light& light_in(const figure::Figure& figure, const std::string& id) {
  const figure::Element* element = figure.find(id);
  REQUIRE(element != nullptr);
  return std::get<figure::Light>(element->shape);
}

}  // namespace

TEST_CASE("layer's order: two dots lie where the outputs are, and on each other only where nothing tells the order") {
  REQUIRE(test::load_fonts());
  for (const Preset which : {Preset::video, Preset::translate}) {
    const State state = preset(which);
    const Trace trace = layer::compute(state, {});
    const Matrix &last = trace.at("order_last").values, &first = trace.at("order_first").values;
    const Matrix& errors = trace.at("errors").values;
    // Both, and the column beside them, are of one number, which the heading names: minutes, or the second one.
    const int shown = which == Preset::video ? 0 : 1;
    CHECK(trace.at("errors").row_labels[0] == (which == Preset::video ? "minutes" : "number 2"));
    CHECK((first.row(0) - trace.at("Y_new").values.col(shown).transpose()).cwiseAbs().maxCoeff() < 1e-5F);
    CHECK((last.row(0) - trace.at("Y_moved").values.col(shown).transpose()).cwiseAbs().maxCoeff() < 1e-5F);
    for (int i = 0; i < static_cast<int>(errors.cols()); ++i)
      CHECK((first.row(i) - last.row(i)).cwiseAbs().maxCoeff() == doctest::Approx(errors(0, i)).epsilon(1e-4));
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

TEST_CASE("layer's order: each output is named once, beside its dot where nothing is added, over nothing else") {
  REQUIRE(test::load_fonts());
  for (const auto& [which, width] : {std::pair{Preset::video, 1856.F},
                                     {Preset::video, 1180.F},
                                     {Preset::video, 390.F},
                                     {Preset::phrase, 1856.F},
                                     {Preset::phrase, 1180.F},
                                     {Preset::phrase, 390.F}}) {
    const figure::Figure figure = drawn(preset(which), 8, width, width < 640 ? 535 : 576);
    CAPTURE(width);
    std::vector<figure::Rect> names;
    for (int i = 0; i < 4; ++i) {
      const figure::Element* name = figure.find("all.output." + std::to_string(i));
      if (width < 640) CHECK((name != nullptr) == (i < 2));  // those that change places
      if (width < 640 && name == nullptr) continue;
      REQUIRE(name != nullptr);
      const figure::Rect dot = figure.find(figure::cell_id({"order_first", 0, i}))->rect;
      CHECK(std::abs(name->rect.centre().y - dot.centre().y) < 1);
      const float gap = std::max(name->rect.x - dot.right(), dot.x - name->rect.right());
      CHECK(gap > 0);
      CHECK(gap < 10);
      names.push_back(name->rect);
    }
    for (std::size_t i = 0; i < names.size(); ++i)
      for (std::size_t j = 0; j < names.size(); ++j) {
        const figure::Rect dot = figure.find(figure::cell_id({"order_first", 0, static_cast<int>(j)}))->rect;
        for (const figure::Rect& other : {dot, i == j ? dot : names[j]}) {
          const figure::Rect both = figure::intersection(names[i], other);
          CHECK(std::min(both.w, both.h) < 1);
        }
      }
  }
}

TEST_CASE("layer's order: of Positions each place keeps its mark, a picture of numbers that it comes from") {
  REQUIRE(test::load_fonts());
  for (const char* encoding : {"none", "sinusoidal", "rotary", "linear_bias"})
    for (const float width : {1180.F, 390.F})
      for (const char* order : {"1,0,2,3", "3,2,1,0"}) {
        State state = preset(Preset::video);
        std::any any = state;
        REQUIRE(find("layer")->change(any, {{"positions", encoding}, {"order", order}}));
        state = state_in<State>(any);
        const figure::Figure figure = drawn(state, 7, width, 576);
        float rows = 0;
        for (int i = 0; i < 4; ++i) {
          const int input = state.order.of(4)[static_cast<std::size_t>(i)];
          const figure::Rect film = figure.find("moved." + std::to_string(input) + ".edge")->rect;
          const figure::Element* pattern = figure.find("P." + std::to_string(i));
          const bool hands = std::string(encoding) == "sinusoidal" || std::string(encoding) == "rotary";
          CHECK((pattern == nullptr) == !hands);
          const int who = light_in(figure, "made.light").beams[0].row;
          CHECK(figure.find(figure::cell_id({"E_pos", who, i})) != nullptr);
          CHECK(film.y == doctest::Approx(figure.find("place." + std::to_string(i))->rect.y));
          rows = std::max(rows, figure.find("made." + std::to_string(i) + ".edge")->rect.bottom());
          if (pattern == nullptr) continue;
          CHECK(pattern->rect.right() < film.x);
          CHECK(std::abs(pattern->rect.centre().y - film.centre().y) < 0.5F * film.h + 10);
          // A dial shows the angle of its pair; below it are the numbers.
          const std::vector<figure::Point> hand = points_of(figure, "P." + std::to_string(i) + ".0");
          const int asks = light_in(figure, "made.light").beams[0].row;
          CHECK(state.order.of(4)[static_cast<std::size_t>(asks)] == layer::input_row(state));
          REQUIRE(hand.size() == 2);
          const float across = hand[1].x - hand[0].x, up = hand[0].y - hand[1].y;
          CHECK(std::sin(std::atan2(across, up)) == doctest::Approx(std::sin(static_cast<float>(i))).epsilon(1e-3));
          const figure::Element* cells = figure.find("P." + std::to_string(i) + ".cells");
          REQUIRE(cells != nullptr);
          const figure::CellRange& range = std::get<figure::MatrixCells>(cells->shape).range;
          CHECK((range.tensor == "P_q" && range.row == i && range.columns == 4));
          CHECK((pattern->source && pattern->source->tensor == "P_q" && pattern->source->row == i));
          const figure::Rect share = figure.find(figure::cell_id({"A_pos", asks, i}))->rect;
          const figure::Rect both = figure::intersection(share, pattern->rect);
          CHECK(std::min(both.w, both.h) <= 0);
          CHECK(share.right() < light_in(figure, "made.light").beams[0].from.x);
          CHECK(pattern->rect.right() < figure.find("made." + std::to_string(input) + ".edge")->rect.x);
        }
        // What can be chosen stands below.
        for (const figure::Element& element : figure.elements)
          if (element.edit && element.edit->field != "order" && element.id.starts_with("chip."))
            CHECK(element.rect.y >= rows);
        state.numbers = true;
        CHECK((drawn(state, 7, width, 576).find("P") == nullptr) == (std::string(encoding) == "none"));
      }
}

TEST_CASE("layer's order: a bar goes from dot to dot at every moment, as one leaves the other") {
  REQUIRE(test::load_fonts());
  const State state = preset(Preset::video);
  const Trace trace = layer::compute(state, {});
  for (const float width : {1180.F, 390.F}) {
    float apart = 0;
    for (float t = 0.22F; t <= 1; t += 0.02F) {
      CAPTURE(t);
      const figure::Figure figure = draw_moment(
          *find("layer"), state, trace, {.width = width, .height = 576, .place = {8, 0}, .t = std::min(t, 1.F)});
      for (const figure::Element& element : figure.elements) {
        const auto* bar = std::get_if<figure::Ribbon>(&element.shape);
        if (bar == nullptr || !element.id.starts_with("order_first") || element.opacity == 0) continue;
        figure::Source source = *figure::parse_cell_id(element.id.substr(0, element.id.size() - 4));
        const figure::Rect to = figure.find(figure::cell_id(source))->rect;
        source.tensor = "order_last";
        const figure::Rect from = figure.find(figure::cell_id(source))->rect;
        CHECK(bar->one.front().x == doctest::Approx(from.centre().x).epsilon(0.001));
        CHECK(bar->one.back().x == doctest::Approx(to.centre().x).epsilon(0.001));
        CHECK(bar->one.front().y < to.centre().y);
        CHECK(bar->other.front().y > to.centre().y);
        if (source.row != 1 || source.column != 0) continue;
        const float now = std::abs(to.centre().x - from.centre().x);
        CHECK(now >= apart - 0.01F);
        apart = now;
      }
    }
    CHECK(apart > 10);
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

constexpr float kHairline = 1.5F;  // px of the thinnest beam
// What the edge of an input stands out of it.
float which_inset(const State& state) { return state.preset == Preset::video ? 2.F : 0; }

}  // namespace

TEST_CASE("layer's order: one lamp shines, on its output's query, with beams as wide as their weights") {
  REQUIRE(test::load_fonts());
  for (const State& state : examples())
    for (const auto& [step, tensor] : {std::pair{6, "A_new"}, std::pair{7, "A_pos"}})
      for (const float width : {1180.F, 390.F}) {
        const Matrix A = layer::compute(state, {}).at(tensor).values;
        const figure::Figure figure = drawn(state, step, width);
        const figure::Light& light = light_in(figure, "made.light");
        CHECK(light.tensor == tensor);
        REQUIRE(static_cast<Eigen::Index>(light.beams.size()) == A.cols());
        const int place = light.beams[0].row;
        const int input = state.order.of(static_cast<int>(A.rows()))[static_cast<std::size_t>(place)];
        const figure::Rect output = figure.find("made." + std::to_string(input) + ".edge")->rect,
                           query = figure.find("made.query")->rect;
        CHECK(query.right() < output.x);
        CHECK(query.centre().y == doctest::Approx(output.centre().y).epsilon(1e-3));
        for (std::size_t i = 0; i < light.beams.size(); ++i) {
          const figure::Light::Beam& beam = light.beams[i];
          const float w = A(place, beam.column);
          CHECK(beam.row == place);
          CHECK(beam.from.y == doctest::Approx(query.centre().y).epsilon(1e-3));
          CHECK(beam.from.x < query.x);
          const figure::Rect from = figure.find("place." + std::to_string(beam.column))->rect;
          CHECK(beam.to.x >= from.right() - 8);
          CHECK(beam.to.x < beam.from.x);
          if (A.rows() > 8) continue;
          const float high = from.inset(which_inset(state)).h;
          CHECK(beam.to.y == doctest::Approx(from.centre().y).epsilon(1e-3));
          CHECK(2 * beam.half_to == doctest::Approx(std::max(high * w, kHairline)).epsilon(1e-3));
        }
      }
}

TEST_CASE("layer's order: 1 % or more has a beam that is seen, and less is a hairline far from any large weight's") {
  REQUIRE(test::load_fonts());
  for (const figure::Theme theme : {figure::Theme::light, figure::Theme::dark})
    for (const State& state : examples())
      for (const int step : {6, 7})
        for (const float width : {1180.F, 390.F}) {
          const Trace trace = layer::compute(state, {});
          const figure::Figure figure =
              layer::draw(state, trace, {.width = width, .height = 576, .place = {step, 0}, .theme = theme});
          const figure::Light& light = light_in(figure, "made.light");
          for (const figure::Light::Beam& beam : std::span(light.beams).first(light.spots.size())) {
            figure::Light alone = light;
            alone.spots.clear();
            alone.beams = {beam};
            const figure::Point middle = mix(beam.from, beam.to, 0.5F);
            float sum = 0;
            figure::Brightness(alone).add({&middle, 1}, {&sum, 1});
            const figure::Colour ground = figure::palette(theme).stage_bottom,
                                 seen = figure::lit(ground, sum, figure::light_colours(theme));
            const int change =
                std::max({std::abs(seen.r - ground.r), std::abs(seen.g - ground.g), std::abs(seen.b - ground.b)});
            const float w = trace.at(light.tensor).values(beam.row, beam.column);
            CAPTURE(beam.column);
            CAPTURE(w);
            if (w >= 0.01F) CHECK(change >= 12);
            if (w < 0.01F) CHECK(change < 65);
            if (w < 0.01F && state.order.places.size() <= 8) CHECK(2 * beam.half_to <= kHairline + 0.01F);
            if (w > 0.15F) CHECK(change >= 40);
          }
        }
}

TEST_CASE("layer's order: on its way the query is of that of both places that is nearer") {
  REQUIRE(test::load_fonts());
  const State state = preset(Preset::video);
  const Trace trace = layer::compute(state, {});
  for (const float width : {1180.F, 390.F})
    for (float t = 0.42F; t < 1; t += 0.013F) {
      const figure::Figure figure = layer::draw(state, trace, {.width = width, .height = 576, .place = {6, 0}, .t = t});
      const float y = figure.find("made.query")->rect.centre().y;
      const auto away = [&](int place) {
        return std::abs(figure.find("place." + std::to_string(place))->rect.centre().y - y);
      };
      const int place = light_in(figure, "made.light").beams[0].row;
      CAPTURE(t);
      // On the longest way, from the last place to the first one.
      const float whole = figure.find("place.3")->rect.y - figure.find("place.0")->rect.y;
      CHECK(away(place) <= 0.5F * whole + 1);
    }
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

TEST_CASE(
    "layer's order: ways join what has changed places: inputs and outputs cross alike, and a sign says what is the "
    "same") {
  REQUIRE(test::load_fonts());
  for (const char* order : {"1,0,2,3", "3,2,1,0", "2,0,3,1"})
    for (const int step : {6, 7})
      for (const float width : {1180.F, 390.F}) {
        std::any any = preset(Preset::video);
        REQUIRE(find("layer")->change(any, {{"order", order}}));
        const State state = state_in<State>(any);
        const Trace trace = layer::compute(state, {});
        const figure::Figure figure = drawn(state, step, width);
        const bool last = step == 6 || width > 560;  // whether what they were stands beside them
        const Matrix &now = trace.at(step == 6 ? "Y_new" : "Y_pos").values,
                     &before = trace.at(step == 6 ? "Y_self" : "Y_first").values;
        for (int i = 0; i < 4; ++i) {
          const int input = state.order.of(4)[static_cast<std::size_t>(i)];
          const std::string name = std::to_string(input);
          const auto middle = [&](const std::string& id) { return figure.find(id)->rect.centre().y; };
          const auto joins = [&](const std::string& way, float from, float to) {
            const auto& ribbon = std::get<figure::Ribbon>(figure.find(way + name)->shape);
            CHECK((ribbon.one.front().y + ribbon.other.front().y) / 2 == doctest::Approx(from).epsilon(1e-3));
            CHECK((ribbon.one.back().y + ribbon.other.back().y) / 2 == doctest::Approx(to).epsilon(1e-3));
          };
          if (figure.find("input.0") != nullptr)
            joins("shuffle.way.", middle("input." + name + ".edge"), middle("moved." + name + ".edge"));
          if (last) joins("outputs.way.", middle("made." + name + ".edge"), middle("before." + name + ".edge"));
          CHECK(middle("made." + name + ".edge") == doctest::Approx(middle("moved." + name + ".edge")));
          const float apart = (now.row(i) - before.row(input)).cwiseAbs().maxCoeff();
          const std::string& sign = std::get<figure::Text>(figure.find("same." + name)->shape).text;
          CHECK((sign == "=") == (static_cast<double>(apart) < layer::rounding(trace)));
          // What one gets who subtracts the numbers that are seen.
          const auto seen = [&](float number) { return io::round_to(static_cast<double>(number), 0.01); };
          double most = 0;
          for (int j = 0; j < (width > 560 ? 2 : 1); ++j)
            most = std::max(most, std::abs(seen(now(i, j)) - seen(before(input, j))));
          CHECK((sign == "≠") == (most > 0.005));
          const figure::Element* by = figure.find("same." + name + ".by");
          CHECK((by != nullptr) == (sign == "≠"));
          if (by != nullptr) CHECK(std::get<figure::Text>(by->shape).text == io::format_fixed(most, 2));
          if (step == 6) CHECK(sign == "=");
        }
      }
}

TEST_CASE("layer's order: the output that is pointed at, by whatever of it, is asked for and tells its weights") {
  REQUIRE(test::load_fonts());
  const State state = preset(Preset::video);
  for (const auto& [step, hovered] :
       {std::pair{6, "A_new[2,1]"}, std::pair{6, "Y_new[2,0]"}, std::pair{6, "place.2"}, std::pair{6, "Y_self[2,1]"},
        std::pair{7, "A_pos[2,3]"}, std::pair{7, "Y_pos[2,0]"}, std::pair{7, "Y_first[2,0]"}}) {
    const figure::Figure figure = drawn(state, step, 1180, 576, hovered);
    CAPTURE(hovered);
    CHECK(light_in(figure, "made.light").beams[0].row == 2);
    for (int j = 0; j < 4; ++j)
      CHECK(figure.find(figure::cell_id({std::string(step == 6 ? "A_new" : "A_pos"), 2, j})) != nullptr);
  }
}

TEST_CASE("layer's order: what it comes to is told when all outputs are compared, and not before") {
  REQUIRE(test::load_fonts());
  const State state = preset(Preset::video);
  const Trace trace = layer::compute(state, {});
  for (const auto& [step, told] : {std::pair{6, "error[0,0]"}, std::pair{7, "error_pos[0,0]"}})
    for (const float width : {1180.F, 390.F}) {
      bool awaited = false;
      for (int moment = 1; moment <= 50; ++moment) {
        const figure::Figure figure =
            draw_moment(*find("layer"), state, trace,
                        {.width = width, .height = 576, .place = {step, 0}, .t = static_cast<float>(moment) / 50});
        const figure::Element* number = figure.find(told);
        if (number == nullptr || number->opacity == 0) {
          awaited = true;
          continue;
        }
        for (int i = 0; i < 4; ++i) CHECK(figure.find("same." + std::to_string(i))->opacity == 1);
        if (moment == 50) CHECK(number->opacity == 1);
      }
      CHECK(awaited);
    }
}

TEST_CASE(
    "layer's order: of Positions marks come, then the light swings, and each output stays till another is there") {
  REQUIRE(test::load_fonts());
  const State state = preset(Preset::video);
  const Trace trace = layer::compute(state, {});
  // The most that is seen of each, and the least of the outputs.
  struct Seen {
    float marks = 0, light = 0, outputs = 1;
    int count = 0;
    std::string first{};
  };
  for (const float width : {1180.F, 390.F}) {
    const auto seen = [&](float t) {
      Seen now;
      const figure::Figure figure =
          draw_moment(*find("layer"), state, trace, {.width = width, .height = 576, .place = {7, 0}, .t = t});
      for (const figure::Element& element : figure.elements) {
        if (element.id.starts_with("P.") && element.id.size() == 3) now.marks = std::max(now.marks, element.opacity);
        if (!element.id.starts_with("made.") || !element.id.ends_with(".edge")) continue;
        now.outputs = std::min(now.outputs, element.opacity);
        if (now.count++ == 0) now.first = element.source->tensor;
      }
      for (const figure::Light::Beam& beam : light_in(figure, "made.light").beams)
        now.light = std::max(now.light, beam.intensity);
      return now;
    };
    for (float t = 0.16F; t <= 1; t += 0.02F) {
      CAPTURE(t);
      CHECK(seen(t).light > 0.5F);
      CHECK(seen(t).outputs > 0.1F);
      CHECK(seen(t).count == 4);
    }
    CHECK(seen(0.16F).marks == 0);
    CHECK(seen(0.51F).marks == 1);
    CHECK(seen(0.69F).first == layer::kShuffled.output);
    CHECK(seen(0.87F).first == layer::kPlaced.output);
    CHECK(seen(0.87F).outputs == 1);
  }
}

TEST_CASE("layer's order: the largest difference of all outputs is told, in any width, over nothing else") {
  REQUIRE(test::load_fonts());
  for (const State& state : examples())
    for (const float width : {320.F, 390.F, 620.F, 1180.F})
      for (const int step : {6, 7}) {
        CAPTURE(width);
        CAPTURE(step);
        const figure::Figure figure = drawn(state, step, width, width < 600 ? 535 : 576);
        const Trace trace = layer::compute(state, {});
        float bottom = 0;
        for (const char* tensor : {"error", "error_pos"}) {
          const figure::Element* number = figure.find(figure::cell_id({tensor, 0, 0}));
          const bool here = (step == 7) == (std::string(tensor) == "error_pos");
          CHECK((number != nullptr) == here);
          if (number == nullptr) continue;
          const std::string told = std::get<figure::Text>(number->shape).text;
          const auto error = static_cast<double>(trace.at(tensor).values(0, 0));
          if (step == 6 || error < 0.015)
            CHECK((told == (error == 0                       ? "the same"
                            : error < layer::rounding(trace) ? "the same, to rounding"
                                                             : "0.01") ||
                   told.starts_with("0.01")));
          else
            CHECK(std::stod(told) == doctest::Approx(error).epsilon(0.0101 / error));  // both outputs to 0.01
          CHECK(number->rect.right() <= width);
          CHECK(number->rect.y >= bottom);
          bottom = number->rect.bottom();
        }
      }
}

TEST_CASE("layer's order: inputs go to their new places one after the other, and none rests over another") {
  REQUIRE(test::load_fonts());
  for (const float width : {1180.F, 390.F})
    for (const char* order : {"1,0,2,3", "3,2,1,0", "2,0,3,1"}) {
      std::any any = preset(Preset::video);
      REQUIRE(find("layer")->change(any, {{"order", order}}));
      const State state = state_in<State>(any);
      const Trace trace = layer::compute(state, {});
      for (float t = 0.01F; t < 0.45F; t += 0.01F) {
        CAPTURE(order);
        CAPTURE(t);
        const figure::Figure figure =
            layer::draw(state, trace, {.width = width, .height = 576, .place = {6, 0}, .t = t});
        int flying = 0;
        for (int input = 0; input < 4; ++input) {
          const figure::Element* card = figure.find("moved." + std::to_string(input) + ".edge");
          if (card == nullptr) continue;
          CHECK(card->opacity == 1);
          const float from = figure.find("input." + std::to_string(input) + ".edge")->rect.x;
          CHECK(card->rect.x >= from - 1);
          const float there = drawn(state, 6, width).find("moved." + std::to_string(input) + ".edge")->rect.x;
          flying += card->rect.x > from + 1 && card->rect.x < there - 1 ? 1 : 0;
        }
        CHECK(flying <= 2);
      }
    }
}

TEST_CASE("layer's order: of Positions what stands under the last head is at every moment what the head says") {
  REQUIRE(test::load_fonts());
  const State state = preset(Preset::video);
  const Trace trace = layer::compute(state, {});
  int heads = 0;
  for (float t = 0; t <= 1; t += 0.01F) {
    CAPTURE(t);
    const figure::Figure figure = layer::draw(state, trace, {.width = 1180, .height = 576, .place = {7, 0}, .t = t});
    const figure::Element* head = figure.find("orders.last");
    for (int i = 0; i < 4; ++i) {
      const figure::Element* under = figure.find("before." + std::to_string(i) + ".edge");
      CHECK((under == nullptr) == (head == nullptr));
      if (under == nullptr || head == nullptr) continue;
      CHECK(under->opacity == head->opacity);
      const bool old = std::get<figure::Text>(head->shape).text == "what they were before";
      CHECK(under->source->tensor == (old ? layer::kSelf.output : layer::kFirst.output));
      heads |= old ? 1 : 2;
    }
  }
  CHECK(heads == 3);
}

TEST_CASE("layer's order: the parts of a score's bar add up to the score, and the number beside it says so") {
  REQUIRE(test::load_fonts());
  for (const Preset which : {Preset::video, Preset::phrase})
    for (const layer::Encoding encoding :
         {layer::Encoding::none, layer::Encoding::sinusoidal, layer::Encoding::rotary, layer::Encoding::linear_bias})
      for (const int size : {4, 2, 7})
        for (const float width : {1180.F, 390.F}) {
          State state = preset(which);
          state.positions = encoding;
          if (which == Preset::phrase) state.d_q = size;
          const Trace trace = layer::compute(state, {});
          const Matrix &sums = trace.at("E_pos").values, &words = trace.at("E_new").values;
          const figure::Figure figure = drawn(state, 7, width);
          const int asks = light_in(figure, "made.light").beams[0].row;
          float unit = 0;  // px of a score of 1
          CAPTURE(static_cast<int>(encoding));
          CAPTURE(size);
          CAPTURE(width);
          for (int j = 0; j < 4; ++j) {
            CAPTURE(j);
            const std::string id = "score." + std::to_string(j) + ".";
            const float zero = figure.find(id + "zero")->rect.centre().x;
            float sum = 0, right = 0;
            for (const figure::Element& part : figure.elements) {
              if (!part.id.starts_with(id) || part.label.empty()) continue;
              sum += part.rect.centre().x < zero ? -part.rect.w : part.rect.w,
                  right = std::max(right, part.rect.right());
            }
            const figure::Rect own = figure.find(id + "words")->rect;
            if (unit == 0 && std::abs(words(asks, j)) > 0.2F) unit = own.w / std::abs(words(asks, j));
            if (unit > 0) {
              CHECK(own.w == doctest::Approx(unit * std::abs(words(asks, j))).epsilon(0.02).scale(5));
              CHECK(sum == doctest::Approx(unit * sums(asks, j)).epsilon(0.02).scale(5));
            }
            const figure::Element* number = figure.find(figure::cell_id({"E_pos", asks, j}));
            const std::string& told = std::get<figure::Text>(number->shape).text;
            const std::size_t arrow = told.find("→ ");
            CHECK((arrow != std::string::npos) == (encoding == layer::Encoding::rotary));
            const std::string after = arrow == std::string::npos ? told : told.substr(arrow + std::string("→ ").size());
            CHECK(std::abs(io::parse_number(after).value_or(99) - static_cast<double>(sums(asks, j))) <= 0.0501);
            CHECK(number->rect.x > right - 1);
            CHECK(number->rect.right() < figure.find("place." + std::to_string(j))->rect.x);
          }
        }
}

TEST_CASE("layer's order: what is between the hands of a place and of the query is lit where they are alike") {
  REQUIRE(test::load_fonts());
  State state = preset(Preset::video);
  for (const layer::Encoding encoding : {layer::Encoding::sinusoidal, layer::Encoding::rotary}) {
    state.positions = encoding;
    const Matrix P = layer::compute(state, {}).at("P_q").values;
    for (const float width : {1180.F, 390.F})
      for (int place = 0; place < 4; ++place) {
        const figure::Figure figure = drawn(state, 7, width, 576, "place." + std::to_string(place));
        for (int j = 0; j < 4; ++j) {
          const auto& between = std::get<figure::Area>(figure.find("P." + std::to_string(j) + ".between.0")->shape);
          CHECK((between.fill == figure::palette(figure::Theme::light).score_fill.faded(0.7F)) ==
                (P.row(place).head(2).dot(P.row(j).head(2)) > 0));
          const auto hand = points_of(figure, "P." + std::to_string(place) + ".0"),
                     asks = points_of(figure, "P." + std::to_string(j) + ".asks.0");
          REQUIRE(hand.size() == 2);
          CHECK(hand[1].x - hand[0].x == doctest::Approx(asks[1].x - asks[0].x).epsilon(0.01).scale(1));
          CHECK(hand[1].y - hand[0].y == doctest::Approx(asks[1].y - asks[0].y).epsilon(0.01).scale(1));
        }
      }
  }
}

TEST_CASE("layer's order: from each input that is lit a stream as wide as its weight runs to the output asked for") {
  REQUIRE(test::load_fonts());
  for (const char* order : {"1,0,2,3", "3,2,1,0"})
    for (const auto& [step, tensor] : {std::pair{6, "A_new"}, {7, "A_pos"}})
      for (int place = 0; place < 4; ++place) {
        std::any any = preset(Preset::video);
        REQUIRE(find("layer")->change(any, {{"order", order}}));
        const State state = state_in<State>(any);
        const Trace trace = layer::compute(state, {});
        const figure::Figure figure = drawn(state, step, 1180, 576, "place." + std::to_string(place));
        const auto A = trace.at(tensor).values.row(place);
        const figure::Rect query = figure.find("made.query")->rect,
                           output =
                               figure
                                   .find("made." + std::to_string(state.order.of(4)[static_cast<std::size_t>(place)]) +
                                         ".edge")
                                   ->rect;
        double unit = 0;
        for (int j = 0; j < 4; ++j) {
          const auto& stream = std::get<figure::Ribbon>(figure.find("made.pour." + std::to_string(j))->shape);
          const float thick = stream.other.back().y - stream.one.back().y;
          CHECK(stream.one.back().x == doctest::Approx(output.x).epsilon(0.01));
          CHECK(output.y < stream.one.back().y);
          CHECK(stream.other.back().y < output.bottom() + 1);
          CHECK((j < place ? stream.other.back().y < query.y + 1 : stream.one.back().y > query.bottom() - 1));
          const figure::Rect input = figure.find("place." + std::to_string(j))->rect;
          CHECK(stream.one.front().y > input.y);
          CHECK(stream.other.front().y < input.bottom());
          if (A[j] < 0.1F) continue;
          if (unit == 0) unit = static_cast<double>(thick / A[j]);
          CHECK(static_cast<double>(thick / A[j]) == doctest::Approx(unit).epsilon(0.01));
        }
        CHECK(unit > 10);
      }
  // Inputs are in their places, and the light is the query's, before anything is poured.
  const State state = preset(Preset::video);
  const Trace trace = layer::compute(state, {});
  const auto poured = [&](int step, float t) {
    const figure::Figure figure = layer::draw(state, trace, {.width = 1180, .height = 576, .place = {step, 0}, .t = t});
    const figure::Element* stream = figure.find("made.pour.0");
    return stream == nullptr ? 0.F : stream->opacity;
  };
  CHECK(poured(6, 0.35F) == 0);
  CHECK(poured(6, 1) == 1);
  CHECK(poured(7, 0) == 1);
  CHECK(poured(7, 0.5F) == 0);
  CHECK(poured(7, 1) == 1);
}

TEST_CASE("layer's order: what the mask hides is pale and struck out") {
  REQUIRE(test::load_fonts());
  State state = preset(Preset::video);
  state.causal = true;
  for (const layer::Encoding encoding :
       {layer::Encoding::none, layer::Encoding::sinusoidal, layer::Encoding::linear_bias})
    for (const float width : {1180.F, 390.F})
      for (int place = 0; place < 4; ++place) {
        state.positions = encoding;
        const figure::Figure figure = drawn(state, 7, width, 576, "place." + std::to_string(place));
        for (int i = 0; i < 4; ++i) {
          const std::string input = std::to_string(state.order.of(4)[static_cast<std::size_t>(i)]);
          const bool hidden = i > place;
          CHECK((figure.find("masked." + std::to_string(i)) != nullptr) == hidden);
          CHECK((figure.find("moved." + input + ".edge")->opacity < 0.5F) == hidden);
          const figure::Element* score = figure.find(figure::cell_id({"E_pos", place, i}));
          CHECK((std::get<figure::Text>(score->shape).text == "−∞") == hidden);
          CHECK((figure.find("score." + std::to_string(i) + ".words") == nullptr) == hidden);
        }
      }
}

TEST_CASE("layer's order: the largest difference that is told is the largest of those beside the outputs") {
  REQUIRE(test::load_fonts());
  for (const Preset which : {Preset::video, Preset::phrase, Preset::translate})
    for (const char* positions : {"sinusoidal", "rotary", "linear_bias"})
      for (const char* order : {"1,0,2,3", "3,2,1,0", "2,0,3,1", "1,2,3,0", "3,0,1,2", "0,1,3,2"}) {
        std::any any = preset(which);
        REQUIRE(find("layer")->change(any, {{"order", order}, {"positions", positions}}));
        const figure::Figure figure = drawn(state_in<State>(any), 7);
        std::string most;
        for (const figure::Element& element : figure.elements)
          if (element.id.starts_with("same.") && element.id.ends_with(".by"))
            most = std::max(most, std::get<figure::Text>(element.shape).text);
        if (most.empty()) continue;  // none is seen
        CAPTURE(positions);
        CAPTURE(order);
        CHECK(std::get<figure::Text>(figure.find("error_pos[0,0]")->shape).text.starts_with(most));
      }
}

TEST_CASE("layer's order: on the way to All a film goes whole") {
  REQUIRE(test::load_fonts());
  const State state = preset(Preset::video);
  const Trace trace = layer::compute(state, {});
  for (float t = 0.01F; t < 0.2F; t += 0.01F) {
    const figure::Figure figure =
        draw_moment(*find("layer"), state, trace, {.width = 1180, .height = 576, .place = {8, 0}, .t = t});
    std::map<std::string, std::pair<float, float>> seen;  // of the parts of each: the least and the most
    for (const figure::Element& part : figure.elements) {
      const std::size_t film = part.id.find(".film.");
      if (film == std::string::npos || !part.clip || part.id.find('.', film + 6) != std::string::npos) continue;
      auto& [least, most] = seen.try_emplace(part.id.substr(0, film), 1.F, 0.F).first->second;
      least = std::min(least, part.opacity), most = std::max(most, part.opacity);
    }
    CAPTURE(t);
    for (const auto& [name, opacity] : seen) CHECK(opacity.first == doctest::Approx(opacity.second));
  }
}

TEST_CASE("layer's order: on the way to Shuffle and to All what leaves is gone where what comes is there") {
  REQUIRE(test::load_fonts());
  const State state = preset(Preset::video);
  const Trace trace = layer::compute(state, {});
  for (float t = 0.01F; t < 0.2F; t += 0.01F) {
    const auto at = [&](int step) {
      return draw_moment(*find("layer"), state, trace, {.width = 1180, .height = 576, .place = {step, 0}, .t = t});
    };
    CAPTURE(t);
    const figure::Figure shuffle = at(6), all = at(8);
    const auto seen = [](const figure::Figure& figure, const std::string& id) {
      const figure::Element* element = figure.find(id);
      return element == nullptr ? 0.F : element->opacity;
    };
    CHECK(std::min(seen(shuffle, "output.box"), seen(shuffle, "before.1.edge")) == 0);
    CHECK(std::min(seen(all, "made.query"), seen(all, "form.query.place")) == 0);
    CHECK(std::min(seen(all, "made.0.edge"), seen(all, "order_first[0,0]")) == 0);
  }
}

TEST_CASE("layer's order: on the way to Shuffle the inputs go on, whole") {
  REQUIRE(test::load_fonts());
  const State state = preset(Preset::video);
  const Trace trace = layer::compute(state, {});
  for (const float width : {1180.F, 390.F}) {
    float size = 0;
    for (float t = 0.01F; t < 0.2F; t += 0.01F) {
      const figure::Figure figure =
          draw_moment(*find("layer"), state, trace, {.width = width, .height = 576, .place = {6, 0}, .t = t});
      const figure::Element* input = figure.find("input.2.edge");
      REQUIRE(input != nullptr);
      CHECK(input->opacity == 1);
      if (size > 0) CHECK(std::abs(input->rect.w - size) < 8);
      size = input->rect.w;
    }
  }
}

TEST_CASE("layer's order: what the shuffle says of its light stays until the light with marks is told") {
  REQUIRE(test::load_fonts());
  const State state = preset(Preset::video);
  const Trace trace = layer::compute(state, {});
  for (const float width : {1180.F, 390.F})
    for (const float t : {0.1F, 0.3F, 0.45F, 0.7F, 1.F}) {
      CAPTURE(t);
      const figure::Figure figure =
          draw_moment(*find("layer"), state, trace, {.width = width, .height = 576, .place = {7, 0}, .t = t});
      const figure::Element* share = figure.find(t < 0.5F ? "A_new[1,0]" : "A_pos[1,0]");
      REQUIRE(share != nullptr);
      CHECK(share->opacity > 0.9F);
    }
}

TEST_CASE("layer's order: a shuffle begins with the inputs and what their outputs were, and nothing is there ahead") {
  REQUIRE(test::load_fonts());
  const State state = preset(Preset::video);
  const Trace trace = layer::compute(state, {});
  for (const float width : {1180.F, 390.F}) {
    const auto at = [&](float t) {
      return layer::draw(state, trace, {.width = width, .height = 576, .place = {6, 0}, .t = t});
    };
    const figure::Figure begin = at(0), end = at(1);
    for (int i = 0; i < 4; ++i) {
      const std::string number = std::to_string(i) + ".edge";
      for (const std::string& part : {"input." + number, "before." + number}) {
        REQUIRE(begin.find(part) != nullptr);
        CHECK(begin.find(part)->rect.y == end.find(part)->rect.y);
      }
      for (const std::string& part : {"moved." + number, "made." + number}) CHECK(begin.find(part) == nullptr);
    }
    CHECK(begin.find("made.light") == nullptr);
  }
}

TEST_CASE("layer's order: each output is poured where it stays, while the light of its own query shines") {
  REQUIRE(test::load_fonts());
  for (const float width : {1180.F, 390.F})
    for (const char* order : {"1,0,2,3", "3,2,1,0", "2,0,3,1"}) {
      std::any any = preset(Preset::video);
      REQUIRE(find("layer")->change(any, {{"order", order}}));
      const State state = state_in<State>(any);
      const Trace trace = layer::compute(state, {});
      const Matrix& A = trace.at("A_new").values;
      std::vector<int> came;
      std::map<std::string, float> seen;
      for (float t = 0.4F; t <= 1; t += 0.01F) {
        CAPTURE(t);
        const figure::Figure figure =
            layer::draw(state, trace, {.width = width, .height = 576, .place = {6, 0}, .t = t});
        const figure::Light& light = light_in(figure, "made.light");
        const int place = light.beams[0].row;
        for (const figure::Light::Beam& beam : light.beams)
          if (A(place, beam.column) > 0.2F)
            CHECK(beam.half_to > light.beams[static_cast<std::size_t>(beam.column == 0 ? 1 : 0)].half_to *
                                     A(place, beam.column) * 0.9F);
        for (int i = 0; i < 4; ++i) {
          const std::string id = "made." + std::to_string(state.order.of(4)[static_cast<std::size_t>(i)]) + ".edge";
          const figure::Element* output = figure.find(id);
          if (output == nullptr || output->opacity <= seen[id]) continue;
          seen[id] = output->opacity;
          CHECK(output->source->tensor == "Y_new");
          CHECK(i == place);
          if (came.empty() || came.back() != i) came.push_back(i);
        }
      }
      CHECK(came.size() == 4);
      CHECK(state.order.of(4)[static_cast<std::size_t>(came.back())] == layer::input_row(state));
    }
}

TEST_CASE("layer's order: nothing leaves the figure") {
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
    const std::string& told = std::get<figure::Text>(figure.find("errors[0,0]")->shape).text;
    CHECK((told == "0" || told == "≈ 0"));
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

TEST_CASE("layer's order: no percentage stands over a mark, however many places there are") {
  REQUIRE(test::load_fonts());
  for (const State& state : examples())
    for (const float width : {1180.F, 390.F, 320.F}) {
      const figure::Figure figure = drawn(state, 7, width, width < 640 ? 535 : 576);
      CAPTURE(width);
      for (int i = 0; i < layer::sizes(state).inputs; ++i)
        for (int j = 0; j < layer::sizes(state).inputs; ++j) {
          const int place = light_in(figure, "made.light").beams[0].row;
          const figure::Rect score = figure.find("score." + std::to_string(i) + ".zero")->rect,
                             both =
                                 figure::intersection(score, figure.find(figure::cell_id({"A_pos", place, j}))->rect);
          CHECK(std::min(both.w, both.h) <= 0);
        }
    }
}

TEST_CASE("layer's order: on a phone percentages are whole, add up to 100, and stand where their beams begin") {
  REQUIRE(test::load_fonts());
  for (const Preset which : {Preset::video, Preset::phrase, Preset::translate})
    for (const auto& [step, tensor] : {std::pair{6, "A_new"}, {7, "A_pos"}})
      for (int place = 0; place < 4; ++place) {
        const figure::Figure figure = drawn(preset(which), step, 390, 535, "place." + std::to_string(place));
        double sum = 0;
        int unseen = 0, alike = 0;  // alike: equal weights, which are rounded alike
        const auto A = layer::compute(preset(which), {}).at(tensor).values.row(place).eval();
        for (int j = 0; j < 4; ++j) {
          for (int k = 0; k < j; ++k) alike += std::abs(A[j] - A[k]) < 1e-6F ? 1 : 0;
          const figure::Light::Beam& beam = light_in(figure, "made.light").beams[static_cast<std::size_t>(j)];
          const figure::Element* share = figure.find(figure::cell_id({tensor, place, j}));
          REQUIRE(share != nullptr);
          const std::string& words = std::get<figure::Text>(share->shape).text;
          CAPTURE(words);
          CHECK_FALSE(words.contains('.'));
          if (words.starts_with('<'))
            ++unseen;
          else
            sum += std::stod(words);
          CHECK(std::abs(share->rect.centre().y - beam.to.y) < 1);
          CHECK(share->rect.right() < beam.from.x);
        }
        CHECK(sum <= 100 + alike);
        CHECK(sum + unseen >= 100 - alike);
      }
}

TEST_CASE("layer's order: All ends with the layer's definition, each of its lines in one piece") {
  REQUIRE(test::load_fonts());
  for (const char* order : {"1,0,2,3", "3,2,1,0"})
    for (const float width : {1856.F, 1180.F, 900.F, 390.F}) {
      std::any any = preset(Preset::video);
      REQUIRE(find("layer")->change(any, {{"order", order}}));
      const figure::Figure figure = drawn(state_in<State>(any), 8, width, width < 640 ? 535 : 576);
      CAPTURE(width);
      const figure::Rect card = figure.find("layer.definition")->rect;
      for (int i = 0; i < 4; ++i) {
        const figure::Element* line = figure.find("layer.line." + std::to_string(i));
        REQUIRE(line != nullptr);
        const auto& formula = std::get<figure::FormulaBox>(line->shape);
        CHECK(figure::set_formula(formula.formula, formula.size).width <= line->rect.w);
        CHECK(card.inset(-1).contains({line->rect.x, line->rect.y}));
        CHECK(line->rect.bottom() <= card.bottom());
      }
    }
}
