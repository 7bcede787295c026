// Spotlight's figures of many examples at many sizes, for the tests of its steps.
#pragma once

#include <doctest/doctest.h>

#include <any>
#include <string>
#include <utility>
#include <vector>

#include "scenes/spotlight/spotlight.h"
#include "unit/fonts.h"

namespace limelight::test {

using figure::Rect;
using scenes::Place;
using scenes::View;
namespace spotlight = scenes::spotlight;

inline constexpr int kWords = 1, kX = 2, kW = 3, kQkv = 4, kScores = 5, kScale = 6, kSoftmax = 7, kOutput = 8;

inline std::string words(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += (i > 0 ? " word" : "word") + std::to_string(i);
  return text;
}

inline spotlight::State with(const std::string& field, const std::string& value) {
  std::any any = spotlight::State{};
  REQUIRE(scenes::find("spotlight")->change(any, {{field, value}}));
  return scenes::state_in<spotlight::State>(any);
}

template <class Check>
void each_flow(int step, Check check) {
  REQUIRE(load_fonts());
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

// A phone's figure with its words side by side: what goes down there goes to the right here, what goes to the right
// there goes down here, or up.
enum class Rightwards { goes_down, goes_up };
inline figure::Figure as_row(figure::Figure figure, const View& view, Rightwards right = Rightwards::goes_down) {
  if (!view.compact()) return figure;
  const float sign = right == Rightwards::goes_up ? -1 : 1;
  const auto turn = [sign](std::vector<figure::Point>& points) {
    for (figure::Point& point : points) point = {point.y, sign * point.x};
  };
  for (figure::Element& element : figure.elements) {
    const Rect& r = element.rect;
    element.rect = {r.y, sign < 0 ? -r.right() : r.x, r.h, r.w};
    if (auto* line = std::get_if<figure::Line>(&element.shape)) turn(line->points);
    if (auto* ribbon = std::get_if<figure::Ribbon>(&element.shape)) turn(ribbon->one), turn(ribbon->other);
  }
  return figure;
}
inline figure::Figure upright(figure::Figure figure, const View& view) {
  return as_row(std::move(figure), view, Rightwards::goes_up);
}

inline const Rect& rect_of(const figure::Figure& figure, const std::string& id) {
  const figure::Element* element = figure.find(id);
  CAPTURE(id);
  REQUIRE(element != nullptr);
  return element->rect;
}

}  // namespace limelight::test
