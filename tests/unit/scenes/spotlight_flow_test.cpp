// What flows in Spotlight: X through three lenses, and values into the output.
#include <doctest/doctest.h>

#include <algorithm>
#include <any>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "scenes/spotlight/spotlight.h"
#include "unit/fonts.h"

using namespace limelight;
using namespace limelight::scenes;
using figure::Rect;

namespace {

constexpr int kQkv = 4, kOutput = 8;

std::string words(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += (i > 0 ? " word" : "word") + std::to_string(i);
  return text;
}

spotlight::State with(const std::string& field, const std::string& value) {
  std::any any = spotlight::State{};
  REQUIRE(find("spotlight")->change(any, {{field, value}}));
  return state_in<spotlight::State>(any);
}

template <class Check>
void each_flow(int step, Check check) {
  REQUIRE(test::load_fonts());
  std::vector<spotlight::State> states;
  for (const char* preset : {"fox", "coffee", "cat", "apple"}) states.push_back(with("preset", preset));
  for (const int count : {1, 2, 17, 64}) states.push_back(with("text", words(count)));
  for (const spotlight::State& state : states) {
    const Trace trace = spotlight::compute(state, {});
    for (const auto& [width, height] :
         {std::pair{320.F, 560.F}, {390.F, 535.F}, {600.F, 300.F}, {1216.F, 576.F}, {1856.F, 860.F}}) {
      CAPTURE(spotlight::key_words(state).size());
      CAPTURE(width);
      CAPTURE(height);
      const View view{.width = width, .height = height, .place = {step, 0}};
      check(state, trace, spotlight::draw(state, trace, view), view);
    }
  }
}

const Rect& rect_of(const figure::Figure& figure, const std::string& id) {
  const figure::Element* element = figure.find(id);
  CAPTURE(id);
  REQUIRE(element != nullptr);
  return element->rect;
}

bool overlap(const Rect& a, const Rect& b) {
  return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

}  // namespace

TEST_CASE("lenses: the rows of X, Q, K and V are equally high, and none of these and of the lenses lies over another") {
  each_flow(kQkv, [](const auto&, const Trace& trace, const figure::Figure& figure, const View&) {
    std::vector<Rect> rects;
    for (const char* tensor : {"X", "Q", "K", "V", "W_q.glass", "W_k.glass", "W_v.glass"}) {
      const Rect rect = rect_of(figure, tensor);
      CAPTURE(tensor);
      for (const Rect& other : rects) CHECK_FALSE(overlap(rect, other));
      rects.push_back(rect);
      CHECK(rect.x >= 0);
      CHECK(rect.y >= 0);
      CHECK(rect.right() <= figure.width);
      CHECK(rect.bottom() <= figure.height);
      if (trace.find(tensor) != nullptr) CHECK(rect.h == doctest::Approx(rects.front().h));
    }
  });
}

TEST_CASE("lenses: the card beside them tells the number that is looked at, and its products sum to it") {
  REQUIRE(test::load_fonts());
  const spotlight::State state = with("preset", "coffee");
  const Trace trace = spotlight::compute(state, {});
  for (const char* tensor : {"Q", "K", "V"})
    for (int column = 0; column < 4; ++column) {
      const std::string cell = figure::cell_id({tensor, 1, column}), id = "products." + cell;
      const figure::Figure figure =
          spotlight::draw(state, trace, {.width = 1216, .height = 576, .place = {kQkv, 0}, .hovered = cell});
      const auto said = [&](const std::string& part) {
        const figure::Element* element = figure.find(id + part);
        CAPTURE(id + part);
        REQUIRE(element != nullptr);
        return std::get<figure::Text>(element->shape).text;
      };
      double sum = 0;
      for (int j = 0; j < 4; ++j)
        sum += std::stod("0" + said("." + std::to_string(j) + ".left")) *
               std::stod("0" + said("." + std::to_string(j) + ".right"));
      CHECK(sum == doctest::Approx(trace.at(tensor).values(1, column)).epsilon(1e-6));
      CHECK(std::stod("0" + said(".value")) == doctest::Approx(sum).epsilon(0.01));
    }
}

TEST_CASE("output: streams land beside each other, each as wide as its weight, and together as wide as the output") {
  each_flow(kOutput, [](const auto& state, const Trace& trace, const figure::Figure& figure, const View&) {
    const Rect output = rect_of(figure, "output");
    const auto weights = trace.at("weights").values.row(spotlight::query_row(state));
    float end = output.x;
    for (int j = 0; j < static_cast<int>(weights.size()); ++j) {
      const figure::Element* stream = figure.find("output.pour." + std::to_string(j));
      CAPTURE(j);
      CHECK((stream != nullptr) == (weights(j) > 0));
      const float width = weights(j) * output.w;
      if (stream != nullptr) {
        const auto& ribbon = std::get<figure::Ribbon>(stream->shape);
        const float from = std::min(ribbon.one.back().x, ribbon.other.back().x);
        const float to = std::max(ribbon.one.back().x, ribbon.other.back().x);
        // What is thinner than a hairline is drawn as one.
        CHECK((from + to) / 2 == doctest::Approx(end + width / 2).epsilon(1e-3));
        if (width > 1.2F) CHECK(to - from == doctest::Approx(width).epsilon(1e-2));
      }
      end += width;
    }
    CHECK(end == doctest::Approx(output.right()).epsilon(1e-3));
  });
}

TEST_CASE("output: strips stand below their words, as full as these are lit, above the output") {
  each_flow(kOutput, [](const auto& state, const Trace& trace, const figure::Figure& figure, const View&) {
    const auto weights = trace.at("weights").values.row(spotlight::query_row(state));
    const Rect output = rect_of(figure, "output");
    for (int j = 0; j < static_cast<int>(weights.size()); ++j) {
      const std::string id = "V." + std::to_string(j);
      const Rect glass = rect_of(figure, id + ".glass");
      CAPTURE(j);
      CHECK(glass.bottom() < output.y);
      // The glass has an edge of 2 px.
      const float full = weights(j) * glass.h;
      if (weights(j) > 0.1F) CHECK(std::abs(rect_of(figure, id).h - full) <= 4 * weights(j) + 0.5F);
      if (j > 0) CHECK(rect_of(figure, "V." + std::to_string(j - 1) + ".glass").right() <= glass.x + 0.5F);
      CHECK(glass.x >= 0);
      CHECK(glass.right() <= figure.width);
    }
  });
}

TEST_CASE("output: the number that is looked at has its sum below it") {
  REQUIRE(test::load_fonts());
  const spotlight::State state;
  const Trace trace = spotlight::compute(state, {});
  for (int column = 0; column < 6; ++column) {
    const std::string cell = figure::cell_id({"output", state.query, column});
    const figure::Figure figure =
        spotlight::draw(state, trace, {.width = 1216, .height = 576, .place = {kOutput, 0}, .hovered = cell});
    CHECK(figure.find("output.sum." + std::to_string(column) + ".numbers") != nullptr);
    CHECK(figure.find("outline.output." + std::to_string(state.query) + "." + std::to_string(column)) != nullptr);
  }
}
