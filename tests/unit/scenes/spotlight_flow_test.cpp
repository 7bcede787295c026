// What flows in Spotlight: X through three lenses, scores into shares of one light, and values into the output.
#include <doctest/doctest.h>

#include <algorithm>
#include <any>
#include <cmath>
#include <initializer_list>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "figure/formula.h"
#include "scenes/common/sentence.h"
#include "scenes/spotlight/spotlight.h"
#include "unit/fonts.h"
#include "unit/scenes/spotlight_flow.h"

using namespace limelight;
using namespace limelight::scenes;
using namespace limelight::test;

namespace {

// All rows of X, each of which is an element.
Rect rows_of_x(const figure::Figure& figure, const Trace& trace) {
  const Rect first = rect_of(figure, "X.0"), last = rect_of(figure, "X." + std::to_string(trace.at("X").rows() - 1));
  return {first.x, first.y, first.w, last.bottom() - first.y};
}

// Each lies within the figure, and none over another.
void check_apart(const figure::Figure& figure, std::initializer_list<const char*> ids) {
  std::vector<Rect> rects;
  for (const char* id : ids) {
    const Rect rect = rect_of(figure, id);
    CAPTURE(id);
    for (const Rect& other : rects) CHECK_FALSE(overlap(rect, other));
    rects.push_back(rect);
    CHECK(rect.x >= 0);
    CHECK(rect.y >= 0);
    CHECK(rect.right() <= figure.width);
    CHECK(rect.bottom() <= figure.height);
  }
}

// The stream from a number of a word's value.
std::string stream_id(int word, int column) {
  return "output.pour." + std::to_string(word) + "." + std::to_string(column);
}

}  // namespace

TEST_CASE("lenses: the rows of X, Q, K and V are equally high, and none of these and of the lenses lies over another") {
  each_flow(kQkv, [](const auto&, const Trace& trace, const figure::Figure& figure, const View&) {
    check_apart(figure, {"Q", "K", "V", "W_q.glass", "W_k.glass", "W_v.glass"});
    const Rect X = rows_of_x(figure, trace);
    for (const char* tensor : {"Q", "K", "V"}) {
      CHECK(rect_of(figure, tensor).h == doctest::Approx(X.h));
      CHECK_FALSE(overlap(rect_of(figure, tensor), X));
    }
  });
}

TEST_CASE("matrices: X lies where the next step has it or around, and the three plates lie apart") {
  each_flow(kW, [](const spotlight::State& state, const Trace& trace, const figure::Figure& figure, const View& view) {
    check_apart(figure, {"W_q.glass", "W_k.glass", "W_v.glass"});
    View next = view;
    next.place.step = kQkv;
    const figure::Figure after = spotlight::draw(state, trace, next);
    for (int row = 0; row < trace.at("X").rows(); ++row) {
      const Rect &here = rect_of(figure, "X." + std::to_string(row)),
                 &there = rect_of(after, "X." + std::to_string(row));
      CHECK(here.x == doctest::Approx(there.x));
      CHECK(here.w == doctest::Approx(there.w));
      CHECK(here.h >= doctest::Approx(there.h).epsilon(0.001));
    }
    for (const char* tensor : {"W_q.glass", "W_k.glass", "W_v.glass"})
      CHECK_FALSE(overlap(rect_of(figure, tensor), rows_of_x(figure, trace)));
  });
}

TEST_CASE("x: every word and its numbers come from the sentence and stay until they are multiplied") {
  for (const int step : {kWords, kX, kW, kQkv})
    each_flow(
        step, [&](const spotlight::State& state, const Trace& trace, const figure::Figure& figure, const View& view) {
          CAPTURE(step);
          // A text has the numbers of the word that asks only, where there is room for them.
          const bool narrow = view.compact() || view.height < 400, lines = figure.find("stage.floor.0") != nullptr;
          const bool text_alone = step == kWords && (narrow || lines);
          const std::string asks = "callout." + std::to_string(spotlight::query_row(state)) + ".X";
          if (step == kWords && lines && !narrow && view.height > 500) CHECK(figure.find(asks) != nullptr);
          for (int word = 0; word < trace.at("X").rows(); ++word) {
            const std::string number = std::to_string(word);
            if (step != kWords) CHECK(figure.find("stage.word." + number + ".text") != nullptr);
            if (!text_alone) CHECK(figure.find("X." + number) != nullptr);
          }
        });
}

TEST_CASE("scores: numbers that are lifted have one outline together") {
  REQUIRE(test::load_fonts());
  const spotlight::State state = with("preset", "fox");
  const Trace trace = spotlight::compute(state, {});
  int lifted = 0;
  for (float t = 0; t <= 1; t += 0.01F) {
    const figure::Figure figure =
        spotlight::draw(state, trace, {.width = 1216, .height = 576, .place = {kScores, 0}, .t = t});
    const auto outlines = [&](const std::string& beginning) {
      return std::ranges::count_if(figure.elements, [&](const figure::Element& element) {
        return element.id.starts_with(beginning) && !element.id.ends_with(".rim");
      });
    };
    CAPTURE(t);
    for (const auto& [tensor, numbers] : {std::pair{"Q", "product.right."}, {"K", "product.left."}}) {
      CHECK(outlines(std::string("outline.lifted.") + tensor) + outlines(std::string("outline.") + tensor + ".") == 1);
      if (const figure::Element* one = figure.find(std::string(numbers) + "0")) {
        CHECK(outlines(std::string("outline.") + numbers) == 0);
        if (const figure::Element* ring = figure.find(std::string("outline.lifted.") + tensor)) {
          ++lifted;
          CHECK(ring->rect.y <= one->rect.y);
          CHECK(ring->rect.y + 5 >= one->rect.y);
        }
      }
    }
  }
  CHECK(lifted > 4);
}

TEST_CASE("lenses: a row on its way hides what is behind it and has no second outline") {
  REQUIRE(test::load_fonts());
  const spotlight::State state = with("preset", "fox");
  const Trace trace = spotlight::compute(state, {});
  int flies = 0;
  for (const auto& [width, height] : {std::pair{390.F, 535.F}, {1216.F, 576.F}})
    for (float t = 0; t <= 1; t += 0.02F) {
      const figure::Figure figure =
          spotlight::draw(state, trace, {.width = width, .height = height, .place = {kQkv, 0}, .t = t});
      for (const std::string tensor : {"Q", "K", "V"}) {
        const figure::Element* row = figure.find(tensor + ".flying");
        if (row == nullptr) continue;
        ++flies;
        const figure::Element* ground = figure.find(tensor + ".flying.ground");
        REQUIRE(ground != nullptr);
        CHECK(ground < row);
        CHECK(std::get<figure::Rectangle>(ground->shape).fill.a == 255);
        CHECK(ground->rect.x < row->rect.x);
        CHECK(ground->rect.bottom() > row->rect.bottom());
        CHECK(ground->clip.has_value() == row->clip.has_value());
      }
      CHECK(std::ranges::none_of(figure.elements, [](const figure::Element& element) {
        return element.id.starts_with("outline.") && element.id.find(".flying") != std::string::npos;
      }));
    }
  CHECK(flies > 20);
}

TEST_CASE("output: a stream begins at the number that it pours out") {
  each_flow(kOutput, [](const auto&, const Trace& trace, const figure::Figure& drawn, const View& view) {
    const figure::Figure figure = as_row(drawn, view);
    const int columns = trace.at("V").columns();
    for (int word = 0; word < trace.at("V").rows(); ++word)
      for (int column = 0; column < columns; ++column) {
        const figure::Element* stream = figure.find(stream_id(word, column));
        const figure::Element* value = figure.find("V." + std::to_string(word));
        if (stream == nullptr || value == nullptr) continue;
        CAPTURE(word);
        CAPTURE(column);
        CHECK(std::abs(stream->rect.y - value->rect.bottom()) < 0.1F);
        const auto& ribbon = std::get<figure::Ribbon>(stream->shape);
        const float cell = value->rect.w / static_cast<float>(columns);
        const float middle = value->rect.x + cell * (static_cast<float>(column) + 0.5F);
        CHECK(std::abs((ribbon.one.front().x + ribbon.other.front().x) / 2 - middle) < 2);
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

TEST_CASE("scores: a query's row lies level with its scores, a key's column above them, and nothing over anything") {
  each_flow(kScores, [](const auto&, const Trace&, const figure::Figure& figure, const View& view) {
    const Rect Q = rect_of(figure, "Q"), K = rect_of(figure, "K"), S = rect_of(figure, "scores");
    CHECK(Q.y == S.y);
    CHECK(Q.h == S.h);
    CHECK(K.x == S.x);
    CHECK(K.w == S.w);
    CHECK(K.bottom() < S.y);
    if (view.height >= 420 && !view.compact()) CHECK(figure.height <= view.height + 0.5F);
    check_apart(figure, {"Q", "K", "scores", "product.left", "product.right", "product.sum"});
  });
}

TEST_CASE("softmax: two scores that differ by next to nothing are told as the same, however many others are alike") {
  REQUIRE(test::load_fonts());
  std::any any = spotlight::State{};
  REQUIRE(
      find("spotlight")
          ->change(any,
                   {{"preset", "day1"}, {"scale", "off"}, {"Q", "0.0:1,0.1:0,0.2:0"}, {"K", "0.0:0.005,1.0:0,2.0:0"}}));
  const spotlight::State state = state_in<spotlight::State>(any);
  const std::string told = spotlight::narrate(state, spotlight::compute(state, {}), {.place = {kSoftmax, 0}});
  CAPTURE(told);
  const bool alike = told.find("and get the same") != std::string::npos;
  CHECK(alike == (told.find("times the light") == std::string::npos));
  if (told.find(" more score") != std::string::npos) CHECK(told.find("and 1 more") != std::string::npos);
}

TEST_CASE("scores: each product begins where the one before ends, and together they are as long as the score") {
  constexpr float kThinnest = 2;  // px of what is next to nothing
  REQUIRE(test::load_fonts());
  bool any_negative = false;
  int measured = 0;
  for (const char* preset : {"fox", "coffee", "cat", "apple", "day1"}) {
    const spotlight::State state = with("preset", preset);
    const Trace trace = spotlight::compute(state, {});
    const Matrix &Q = trace.at("Q").values, &K = trace.at("K").values, &scores = trace.at("scores").values;
    for (int i = 0; i < static_cast<int>(scores.rows()); ++i)
      for (int j = 0; j < static_cast<int>(scores.cols()); ++j) {
        const figure::Figure figure = spotlight::draw(
            state, trace,
            {.width = 1216, .height = 576, .place = {kScores, 0}, .hovered = figure::cell_id({"scores", i, j})});
        const Rect sum = rect_of(figure, "product.sum");
        const float zero = std::get<figure::Line>(figure.find("product.zero")->shape).points.front().x;
        CAPTURE(preset);
        CAPTURE(i);
        CAPTURE(j);
        if (sum.w < 20) continue;  // no length to measure with
        ++measured;
        const float unit = sum.w / std::abs(scores(i, j));
        CHECK((scores(i, j) > 0 ? sum.x : sum.right()) == doctest::Approx(zero));
        float from = 0;
        for (int k = 0; k < static_cast<int>(K.cols()); ++k) {
          const float product = Q(i, k) * K(j, k), to = from + product;
          if (product == 0) continue;
          const Rect bar = rect_of(figure, "product." + std::to_string(k));
          CHECK(std::abs(bar.x - (zero + unit * std::min(from, to))) < kThinnest);
          CHECK(std::abs(bar.right() - (zero + unit * std::max(from, to))) < kThinnest);
          any_negative = any_negative || product < 0;
          from = to;
        }
      }
  }
  CHECK(any_negative);
  CHECK(measured > 50);
}

TEST_CASE(
    "output: streams land beside each other in the middle of the number that they add to, each as wide as what it "
    "adds") {
  each_flow(kOutput, [](const auto& state, const Trace& trace, const figure::Figure& drawn, const View& view) {
    const figure::Figure figure = as_row(drawn, view);
    const Rect output = rect_of(figure, "output");
    const auto weights = trace.at("weights").values.row(spotlight::query_row(state));
    const auto& values = trace.at("V").values;
    const Eigen::RowVectorXf all = weights * values.cwiseAbs();
    const float cell = output.w / static_cast<float>(values.cols()), unit = 0.9F * cell / all.maxCoeff();
    for (int c = 0; c < static_cast<int>(values.cols()); ++c) {
      const float middle = output.x + cell * (static_cast<float>(c) + 0.5F);
      float end = middle - unit * all(c) / 2;
      for (int j = 0; j < static_cast<int>(weights.size()); ++j) {
        const figure::Element* stream = figure.find(stream_id(j, c));
        CAPTURE(j);
        CAPTURE(c);
        const float width = unit * weights(j) * std::abs(values(j, c));
        CHECK((stream != nullptr) == (width > 0));
        if (stream != nullptr) {
          const auto& ribbon = std::get<figure::Ribbon>(stream->shape);
          const float from = std::min(ribbon.one.back().x, ribbon.other.back().x);
          const float to = std::max(ribbon.one.back().x, ribbon.other.back().x);
          // What is thinner than a hairline is drawn as one.
          CHECK((from + to) / 2 == doctest::Approx(end + width / 2).epsilon(1e-3));
          if (width > 0.8F && weights.size() < 64)
            CHECK(to - from == doctest::Approx(width).epsilon(0.06));  // a steep one turns to its end
        }
        end += width;
      }
      CHECK(end == doctest::Approx(middle + unit * all(c) / 2));
    }
  });
}

TEST_CASE("output: what takes away becomes grey, and what adds the output's colour") {
  int grey = 0, full = 0;
  each_flow(kOutput, [&](const auto& state, const Trace& trace, const figure::Figure& figure, const View& view) {
    const auto weights = trace.at("weights").values.row(spotlight::query_row(state));
    const auto& values = trace.at("V").values;
    for (int j = 0; j < static_cast<int>(values.rows()); ++j)
      for (int c = 0; c < static_cast<int>(values.cols()); ++c) {
        const std::string id = stream_id(j, c);
        const figure::Element* stream = figure.find(id);
        if (stream == nullptr) continue;
        const bool takes = weights(j) * values(j, c) < 0;
        const figure::Palette& colours = figure::palette(view.theme);
        figure::Colour end = std::get<figure::Ribbon>(stream->shape).stops.back().colour;
        end.a = 255;
        CHECK(end == (takes ? figure::unlit_score(colours) : colours.output_fill));
        ++(takes ? grey : full);
      }
  });
  CHECK(grey > 0);
  CHECK(full > 0);
}

TEST_CASE("softmax: its last part divides before one's eyes, and no sentence tells the share before it is there") {
  REQUIRE(test::load_fonts());
  const spotlight::State state = with("preset", "fox");
  const Trace trace = spotlight::compute(state, {});
  View view{.width = 1216, .height = 576, .place = {kSoftmax, 4}};
  const auto said = [&](float t, const std::string& part) {
    view.t = t;
    const figure::Figure figure = spotlight::draw(state, trace, view);
    const figure::Element* element = figure.find("weights.part.3." + part);
    return element != nullptr && element->opacity > 0 ? std::get<figure::Text>(element->shape).text : "";
  };
  const auto told = [&](float t) {
    view.t = t;
    return spotlight::narrate(state, trace, view).find("0.52") != std::string::npos;
  };
  CHECK(said(0, "number") == "1.000");
  CHECK(said(0.4F, "number") == "1.000 ÷ 1.93");
  CHECK(said(1, "number").empty());
  CHECK(said(1, "share").starts_with("52"));
  for (float t = 0; t < 1; t += 0.02F) CHECK((said(t, "number").empty() || said(t, "share").empty()));
  CHECK_FALSE(told(0.5F));
  CHECK(told(1));
}

TEST_CASE("output: strips stand below their words, as full as these are lit, above the output") {
  each_flow(kOutput, [](const auto& state, const Trace& trace, const figure::Figure& drawn, const View& view) {
    const figure::Figure figure = as_row(drawn, view);
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
      CHECK((view.compact() || glass.right() <= figure.width));
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

TEST_CASE("softmax: each word's part of the strip is as long as its weight, and they fill it from end to end") {
  each_flow(kSoftmax,
            [](const spotlight::State& state, const Trace& trace, const figure::Figure& drawn, const View& view) {
              const figure::Figure figure = as_row(drawn, view);
              constexpr float kGap = 1;  // px between two parts
              const auto weights = trace.at("weights").values.row(spotlight::query_row(state));
              const Rect& first = rect_of(figure, "weights.part.0");
              float end = first.x - kGap / 2, whole = 0;
              for (int j = 0; j < static_cast<int>(weights.size()); ++j)
                whole = std::max(whole, rect_of(figure, "weights.part." + std::to_string(j)).right() + kGap / 2 - end);
              for (int j = 0; j < static_cast<int>(weights.size()); ++j) {
                const Rect& part = rect_of(figure, "weights.part." + std::to_string(j));
                CHECK(part.x - kGap / 2 == doctest::Approx(end).epsilon(0.001));
                CHECK(part.w == doctest::Approx(std::max(weights(j) * whole - kGap, 0.5F)).epsilon(0.01));
                end += weights(j) * whole;
              }
            });
}

TEST_CASE("softmax: scores stand where weights come, with their names, until all rows are shared out") {
  each_flow(kSoftmax,
            [](const spotlight::State& state, const Trace& trace, const figure::Figure& rested, const View& view) {
              if (view.compact()) return;
              for (const float t : {0.F, 0.3F, 0.6F, 0.9F}) {
                CAPTURE(t);
                View then = view;
                then.t = t;
                const figure::Figure figure = spotlight::draw(state, trace, then);
                const Rect &scores = rect_of(figure, "scaled"), &map = rect_of(rested, "weights");
                CHECK(scores.y == doctest::Approx(map.y));
                CHECK(scores.h == doctest::Approx(map.h));
                for (const figure::Element& element : figure.elements)
                  if (map_row_at(element.id)) CHECK(element.opacity == rested.find(element.id)->opacity);
              }
              CHECK(rested.find("scaled") == nullptr);
            });
}

TEST_CASE("softmax: bars are as high as scores, above 0 or below it, and each has a ribbon that lands on its part") {
  each_flow(kSoftmax,
            [](const spotlight::State& state, const Trace& trace, const figure::Figure& drawn, const View& view) {
              const figure::Figure figure = as_row(drawn, view);
              const auto scores = trace.at("scaled").values.row(spotlight::query_row(state));
              const figure::Figure standing = upright(drawn, view);
              const auto* line = std::get_if<figure::Line>(&standing.find("scaled.zero")->shape);
              REQUIRE(line != nullptr);
              const float zero = line->points.front().y;
              const auto height = [&](int j) {  // from 0, downwards negative
                const Rect& bar = rect_of(standing, "scaled.bar." + std::to_string(j));
                return zero - bar.y > 0.5F ? zero - bar.y : zero - bar.bottom();
              };
              Eigen::Index largest = 0;
              scores.cwiseAbs().maxCoeff(&largest);
              const float unit = height(static_cast<int>(largest)) / scores(largest);
              CHECK(unit > 0);
              for (int j = 0; j < static_cast<int>(scores.size()); ++j) {
                CHECK(std::abs(height(j) - unit * scores(j)) <= 1.01F);
                const Rect &ribbon = rect_of(figure, "weights.ribbon." + std::to_string(j)),
                           &bar = rect_of(figure, "scaled.bar." + std::to_string(j)),
                           &part = rect_of(figure, "weights.part." + std::to_string(j));
                CHECK(ribbon.y >= bar.bottom());
                CHECK(ribbon.bottom() == doctest::Approx(part.y));
                // As wide as its bar, or narrower below bars under 0.
                CHECK(std::min(bar.centre().x, part.x) + 0.5F >= ribbon.x);
                CHECK(std::max(bar.centre().x, part.right()) - 0.5F <= ribbon.right());
              }
            });
}

TEST_CASE("softmax: the card is that of the part, the ribbon or the bar that is pointed at") {
  each_flow(kSoftmax, [](const spotlight::State& state, const Trace& trace, const figure::Figure& figure, View view) {
    for (const figure::Element& element : figure.elements) {
      const bool explained = element.id.starts_with("weights.part.") || element.id.starts_with("weights.ribbon.") ||
                             element.id.starts_with("scaled.bar.");
      if (!explained || !element.source || element.role != figure::Role::cell) continue;
      CAPTURE(element.id);
      view.hovered = figure::cell_id(*element.source);
      const figure::Figure pointed = spotlight::draw(state, trace, view);
      int cards = 0;
      for (const figure::Element& other : pointed.elements)
        cards += other.id.starts_with("weights.computed.") && other.id.ends_with(".powers") ? 1 : 0;
      CHECK(cards == 1);
      CHECK(pointed.find("weights.computed." + std::to_string(element.source->column) + ".powers") != nullptr);
    }
  });
}

TEST_CASE("softmax: what the card divides is the weight, whichever is looked at") {
  each_flow(kSoftmax, [](const spotlight::State& state, const Trace& trace, const figure::Figure&, const View& view) {
    const int row = spotlight::query_row(state);
    for (int j = 0; j < static_cast<int>(trace.at("weights").columns()); ++j) {
      View looking = view;
      looking.hovered = figure::cell_id({"weights", row, j});
      const figure::Figure figure = spotlight::draw(state, trace, looking);
      const figure::Element* numbers = figure.find("weights.computed." + std::to_string(j) + ".numbers");
      if (numbers == nullptr) continue;  // it would cover another bar
      const std::string text = figure::plain(std::get<figure::FormulaBox>(numbers->shape).formula);
      CAPTURE(text);
      double part = 0, whole = 0;
      char between = 0;
      std::istringstream(text.substr(text.find_first_of("0123456789"))) >> part >> between >> whole;
      REQUIRE(whole > 0);
      const float weight = trace.at("weights").values(row, j);
      CHECK(part / whole == doctest::Approx(weight).epsilon(0.02));
    }
  });
}

TEST_CASE(
    "softmax: the card is there for the largest weight of every example, and for a weight that was set by hand none "
    "is") {
  REQUIRE(test::load_fonts());
  for (const char* preset : {"fox", "coffee", "cat", "apple"}) {
    const spotlight::State state = with("preset", preset);
    const Trace trace = spotlight::compute(state, {});
    const View view{.width = 1216, .height = 576, .place = {kSoftmax, 0}};
    const auto has_card = [](const figure::Figure& figure) {
      return std::ranges::any_of(figure.elements,
                                 [](const auto& element) { return element.id.starts_with("weights.computed."); });
    };
    CHECK(has_card(spotlight::draw(state, trace, view)));
    spotlight::State set = state;
    set.weights.cells[{spotlight::query_row(state), 0}] = 0.5F;
    CHECK_FALSE(has_card(spotlight::draw(set, spotlight::compute(set, {}), view)));
  }
}

TEST_CASE("glance: a phone's weights have two digits, since the zero before their point is not written") {
  REQUIRE(test::load_fonts());
  const spotlight::State state;
  const Trace trace = spotlight::compute(state, {});
  const figure::Figure figure = spotlight::draw(state, trace, {.width = 390, .height = 535, .place = {9, 0}});
  const figure::Element* map = figure.find("weights");
  REQUIRE(map != nullptr);
  int told = 0;
  for (const figure::Primitive& primitive : figure::primitives(*map, trace))
    if (const auto* text = std::get_if<figure::TextPrimitive>(&primitive.shape)) {
      CHECK(text->text.size() == 3);
      CHECK(text->text.starts_with("."));
      ++told;
    }
  CHECK(told >= 20);
}

TEST_CASE("lenses: while a row of X, Q, K or V or its name is pointed at, all of the picture tells its word") {
  REQUIRE(test::load_fonts());
  for (const std::string rows : {"X", "Q", "K", "V"})
    for (const std::string& id : {rows + "[7,0]", rows + ".row.7"}) {
      const spotlight::State state = with("preset", "fox");
      const Trace trace = spotlight::compute(state, {});
      View view{.width = 1216, .height = 576, .place = {kQkv, 0}, .hovered = id};
      CAPTURE(id);
      const figure::Figure pointed = spotlight::draw(state, trace, view);
      const std::string told = spotlight::narrate(state, trace, view);
      spotlight::State chosen = state;
      chosen.query = 7;
      view.hovered.clear();
      const figure::Figure set = spotlight::draw(chosen, trace, view);
      CHECK(told == spotlight::narrate(chosen, trace, view));
      for (const char* same : {"Q.said", "V.said"})
        CHECK(std::get<figure::Text>(pointed.find(same)->shape).text ==
              std::get<figure::Text>(set.find(same)->shape).text);
      CHECK(std::get<figure::Ribbon>(pointed.find("stream.K.7.in")->shape).stops[0].colour ==
            std::get<figure::Ribbon>(set.find("stream.K.7.in")->shape).stops[0].colour);
    }
}

TEST_CASE("lenses: no name stands beside a row that has not come") {
  REQUIRE(test::load_fonts());
  const spotlight::State state = with("preset", "fox");
  const Trace trace = spotlight::compute(state, {});
  for (float t = 0; t < 1; t += 0.05F) {
    const figure::Figure figure =
        spotlight::draw(state, trace, {.width = 1216, .height = 576, .place = {kQkv, 0}, .t = t});
    for (const std::string tensor : {"Q", "K", "V"}) {
      const figure::Element* matrix = figure.find(tensor);
      const float end = matrix == nullptr ? 0 : matrix->clip ? matrix->clip->bottom() : figure.height;
      for (int row = 0; row < 9; ++row) {
        const figure::Element* name = figure.find(tensor + ".row." + std::to_string(row));
        if (row != state.query && name->rect.centre().y > end + name->rect.h) CHECK(name->opacity == 0);
      }
    }
  }
}

TEST_CASE("lenses: on a phone the row comes out from under X and is not seen across another row of it") {
  REQUIRE(test::load_fonts());
  const spotlight::State state = with("preset", "fox");
  const Trace trace = spotlight::compute(state, {});
  for (float t = 0.02F; t < 1; t += 0.02F) {
    const figure::Figure figure =
        spotlight::draw(state, trace, {.width = 390, .height = 535, .place = {kQkv, 0}, .t = t});
    for (const char* id : {"Q.flying", "K.flying", "V.flying"})
      if (const figure::Element* flying = figure.find(id)) {
        Rect seen = flying->rect;
        if (flying->clip) {
          seen.y = std::max(seen.y, flying->clip->y);
          seen.h = flying->rect.bottom() - seen.y;
        }
        for (const figure::Element& element : figure.elements)
          if (element.id.starts_with("outline." + std::string(id)))
            CHECK((!flying->clip || (element.clip && element.clip->y == flying->clip->y)));
        for (int row = 0; row < 9; ++row)
          if (row != state.query)
            CHECK_FALSE(overlap(seen.inset(1), rect_of(figure, "X." + std::to_string(row)).inset(1)));
      }
  }
}

TEST_CASE("scores: the product that is pointed at says what it is, and its two factors are outlined") {
  REQUIRE(test::load_fonts());
  const spotlight::State state = with("preset", "coffee");
  const Trace trace = spotlight::compute(state, {});
  const figure::Figure figure =
      spotlight::draw(state, trace, {.width = 1216, .height = 576, .place = {kScores, 0}, .hovered = "product.1"});
  const figure::Element* bar = figure.find("product.1");
  REQUIRE(bar != nullptr);
  CHECK(figure::hit(figure, bar->rect.centre()).id == "product.1");
  CHECK(bar->label.find(" × ") != std::string::npos);
  CHECK(figure.find("outline.Q.0.1") != nullptr);
  CHECK(figure.find("outline.K.2.1") != nullptr);
}

TEST_CASE("output: a glass stands for its weight, and while that is looked at other streams are fainter") {
  REQUIRE(test::load_fonts());
  const spotlight::State state = with("preset", "fox");
  const Trace trace = spotlight::compute(state, {});
  View view{.width = 1216, .height = 576, .place = {kOutput, 0}};
  const figure::Figure still = spotlight::draw(state, trace, view);
  const Rect& glass = rect_of(still, "V.glass.3");
  CHECK(figure::hit(still, {glass.centre().x, glass.y + 2}).source == figure::Source{"weights", 4, 3});
  view.hovered = figure::cell_id({"weights", 4, 3});
  const figure::Figure pointed = spotlight::draw(state, trace, view);
  const auto seen = [](const figure::Figure& figure, const std::string& id) {
    return static_cast<int>(std::get<figure::Ribbon>(figure.find(id)->shape).stops[0].colour.a);
  };
  const std::string fox = stream_id(3, 3), over = stream_id(5, 5);  // "doer" and "direction"
  CHECK(seen(pointed, fox) > seen(still, fox));
  CHECK(seen(pointed, over) < seen(still, over));
  view.hovered = figure::cell_id({"output", 4, 5});
  const figure::Figure summed = spotlight::draw(state, trace, view);
  CHECK(seen(summed, fox) < seen(still, fox));
  CHECK(seen(summed, over) > seen(still, over));
}

TEST_CASE("scores: the way of the sum leads to the cell of the row that asks") {
  int seen = 0;
  each_flow(kScores, [&](const spotlight::State& state, const Trace& trace, const figure::Figure& figure, const View&) {
    const figure::Element* way = figure.find("product.way");
    if (way == nullptr) return;
    ++seen;
    const int row = spotlight::query_row(state);
    const std::optional<Rect> cell =
        figure::cell_rect(*figure.find("scores"), row, spotlight::best_key(trace, "scores", row));
    CHECK(cell->inset(-3).contains(std::get<figure::Line>(way->shape).points.back()));
  });
  CHECK(seen > 0);
}
