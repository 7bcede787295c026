// What Spotlight's steps Scale and softmax make of a query's scores: bars, their numbers, and those of all queries.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "io/numbers.h"
#include "scenes/spotlight/spotlight.h"
#include "unit/scenes/spotlight_flow.h"

using namespace limelight;
using namespace limelight::scenes;
using namespace limelight::test;

TEST_CASE("scale and softmax: bars are hollow as high as the numbers were, and full as high as they are") {
  struct Change {
    figure::Source before, after;  // tensors
    Place place;
  };
  for (const Change& change : {Change{{"scores", 0, 0}, {"scaled", 0, 0}, {kScale, 0}},
                               {{"shifted", 0, 0}, {"exponentials", 0, 0}, {kSoftmax, 2}},
                               {{"", 0, 0}, {"exponentials", 0, 0}, {kSoftmax, 3}}})
    each_flow(kScale, [&](const spotlight::State& state, const Trace& trace, const figure::Figure&, const View& view) {
      const std::string &before = change.before.tensor, &after = change.after.tensor;
      CAPTURE(after);
      View here = view;
      here.place = change.place;
      const figure::Figure figure = upright(spotlight::draw(state, trace, here), here);
      const int row = spotlight::query_row(state);
      const auto* line = std::get_if<figure::Line>(&figure.find("scaled.zero")->shape);
      REQUIRE(line != nullptr);
      const float zero = line->points.front().y;
      const auto height = [&](const std::string& id, float value) {  // from 0, downwards negative
        const Rect& bar = rect_of(figure, id);
        return value >= 0 ? zero - bar.y : zero - bar.bottom();
      };
      float unit = 0, most = 0;
      const auto each_bar = [&](auto check) {
        for (int word = 0; word < trace.at("scores").columns(); ++word) {
          const std::string id = after + ".bar." + std::to_string(word);
          check(id, trace.at(after).values(row, word));
          // Of exponentials what they were made from is told.
          if (after == "scaled") check(id + ".was", trace.at(before).values(row, word));
        }
      };
      each_bar([&](const std::string& id, float value) {
        if (std::abs(value) > most) most = std::abs(value), unit = height(id, value) / value;
      });
      CHECK((unit > 0 || most == 0));           // a word alone has nothing above or below its own score
      if (before.empty() && !here.compact()) {  // the whole is named beside its strip, as the weights' is
        const auto& whole = std::get<figure::Text>(figure.find("weights.note")->shape).text;
        CHECK(whole == "Σ = " + io::format_fixed(static_cast<double>(trace.at("sum").values(row, 0)), 2));
        CHECK(rect_of(figure, "weights.note").right() < line->points.front().x);
      }
      each_bar([&](const std::string& id, float value) {
        CAPTURE(id);
        CHECK(std::abs(height(id, value) - unit * value) <= 1.01F);
      });
    });
}

namespace {

// What the letters of a text cover, turned or level.
Rect letters_of(const figure::Element& element) {
  const auto& text = std::get<figure::Text>(element.shape);
  const float cap = text::metrics(text.face, text.size).cap_height,
              length = text::measure(text.face, text.size, text.text);
  const Rect& r = element.rect;
  const float across = text.vertical ? r.centre().x : r.centre().y, room = text.vertical ? r.h : r.w;
  const float lead = text.align == figure::Align::centre  ? (room - length) / 2
                     : text.align == figure::Align::right ? room - length
                                                          : 0;
  return text.vertical ? Rect{across - cap / 2, r.bottom() - lead - length, cap, length}
                       : Rect{r.x + lead, across - cap / 2, length, cap};
}

constexpr Place kChanges[] = {{kScale, 0}, {kSoftmax, 1}, {kSoftmax, 2}, {kSoftmax, 3}};

}  // namespace

TEST_CASE("scale and softmax: every bar has its number, turned where it has no room, and none lies over another") {
  for (const Place place : kChanges)
    each_flow(kScale, [&](const spotlight::State& state, const Trace& trace, const figure::Figure&, const View& view) {
      View here = view;
      here.place = place;
      const figure::Figure figure = spotlight::draw(state, trace, here);
      const int words = trace.at("scores").columns();
      std::vector<Rect> numbers;
      int told = 0;
      for (const figure::Element& element : figure.elements) {
        if (element.id.find(".bar.") == std::string::npos || !element.id.ends_with(".number")) continue;
        CAPTURE(element.id);
        const auto& text = std::get<figure::Text>(element.shape);
        CHECK(text.size >= (element.id.ends_with(".was.number") ? 8.F : 9.F));
        CHECK(text.text.find("…") == std::string::npos);
        told += element.id.ends_with(".was.number") ? 0 : 1;
        const Rect letters = letters_of(element);
        CHECK(letters.x >= 0);
        CHECK(letters.right() <= figure.width);
        for (const Rect& other : numbers) CHECK_FALSE(overlap(letters.inset(0.5F), other));
        numbers.push_back(letters);
        for (int word = 0; word < words; ++word)
          if (const figure::Element* name = figure.find("stage.word." + std::to_string(word) + ".text"))
            CHECK_FALSE(overlap(letters.inset(0.5F), letters_of(*name)));
      }
      if (words < 64 || view.width > 1000 || view.compact())
        CHECK(told == words);
      else
        CHECK(numbers.size() == 1);
    });
}

TEST_CASE("exponentials: under each bar, or beyond it, stands e to the power of the number that it is made from") {
  int told = 0;
  each_flow(kScale, [&](const spotlight::State& state, const Trace& trace, const figure::Figure&, const View& view) {
    View here = view;
    here.place = kChanges[2];
    const figure::Figure figure = spotlight::draw(state, trace, here);
    const auto shifted = trace.at("shifted").values.row(spotlight::query_row(state));
    for (int word = 0; word < static_cast<int>(shifted.size()); ++word) {
      const std::string id = "exponentials.bar." + std::to_string(word);
      const figure::Element* power = figure.find(id + ".power");
      if (power == nullptr) continue;
      ++told;
      const Rect& bar = rect_of(figure, id);
      CHECK((here.compact() ? power->rect.x >= bar.right() : power->rect.y >= bar.bottom()));
      const std::string said = figure::plain(std::get<figure::FormulaBox>(power->shape).formula);
      REQUIRE(said.starts_with("e^"));
      CHECK(std::abs(io::parse_number(said.substr(2)).value() - static_cast<double>(shifted(word))) < 0.0051);
    }
  });
  CHECK(told > 50);
}

TEST_CASE("scale and softmax: while a bar grows or shrinks, its number is that of its height") {
  int on_their_way = 0;
  for (const Place place : {kChanges[0], kChanges[1], kChanges[2]})
    each_flow(kScale, [&](const spotlight::State& state, const Trace& trace, const figure::Figure&, const View& view) {
      View here = view;
      here.place = place;
      const std::string before = place.step == kScale ? "scores"
                                 : place.part == 1    ? "scaled"
                                                      : "shifted",
                        after = place.step == kScale ? "scaled"
                                : place.part == 1    ? "shifted"
                                                     : "exponentials";
      const auto was = trace.at(before).values.row(spotlight::query_row(state));
      float unit = 0, tallest = 0;
      for (const float t : {0.F, 0.1F, 0.2F, 0.3F, 0.4F, 0.5F, 0.54F, 0.56F, 1.F}) {
        here.t = t;
        const figure::Figure figure = upright(spotlight::draw(state, trace, here), here);
        const float zero = std::get<figure::Line>(figure.find("scaled.zero")->shape).points.front().y;
        // From the tallest bar at first: what 1 px stands for.
        if (t == 0)
          for (int word = 0; word < static_cast<int>(was.size()); ++word)
            if (const figure::Element* bar = figure.find(after + ".bar." + std::to_string(word));
                bar != nullptr && bar->rect.h > std::max(tallest, 4.F))
              tallest = bar->rect.h, unit = std::abs(was(word)) / bar->rect.h;
        if (unit == 0) continue;
        for (int word = 0; word < static_cast<int>(was.size()); ++word) {
          const std::string id = after + ".bar." + std::to_string(word);
          const figure::Element *bar = figure.find(id), *number = figure.find(id + ".number");
          if (bar == nullptr || number == nullptr) continue;
          const std::string& text = std::get<figure::Text>(number->shape).text;
          if (text.starts_with("<")) continue;
          const auto said = io::parse_number(text);
          REQUIRE(said);
          const bool up = bar->rect.centre().y < zero;
          const auto drawn = static_cast<double>((up ? 1 : -1) * bar->rect.h * unit);
          CAPTURE(id);
          CAPTURE(t);
          // Half of the last of two decimals; a bar is 1 px high at least.
          CHECK(std::abs(*said - drawn) <= 0.006 + static_cast<double>(bar->rect.h <= 1.01F ? 2 * unit : 0));
          on_their_way += std::abs(*said - static_cast<double>(was(word))) > 0.01 && t < 0.55F ? 1 : 0;
        }
      }
    });
  CHECK(on_their_way > 100);
}

TEST_CASE("scale and softmax: the matrix has a query's new numbers only when its bars have them") {
  each_flow(kScale, [&](const spotlight::State& state, const Trace& trace, const figure::Figure&, const View& view) {
    View here = view;
    const int row = spotlight::query_row(state);
    for (const float t : {0.3F, 0.5F, 0.54F}) {
      here.t = t;
      const figure::Figure figure = spotlight::draw(state, trace, here);
      const figure::Element *cells = figure.find("scaled"), *own = figure.find("scaled.flying");
      CAPTURE(row);
      CHECK(cells == nullptr);
      CHECK(own == nullptr);
    }
  });
}

TEST_CASE("scale and softmax: no number crosses the outline of a bar") {
  for (const Place place : kChanges)
    each_flow(kScale, [&](const spotlight::State& state, const Trace& trace, const figure::Figure&, const View& view) {
      View here = view;
      here.place = place;
      for (const float t : {0.2F, 0.4F, 1.F}) {
        here.t = t;
        CAPTURE(t);
        const figure::Figure figure = spotlight::draw(state, trace, here);
        for (const figure::Element& number : figure.elements) {
          if (number.id.find(".bar.") == std::string::npos || !number.id.ends_with(".number")) continue;
          const Rect letters = letters_of(number);
          for (const figure::Element& outline : figure.elements) {
            if (outline.id.find(".bar.") == std::string::npos || !outline.id.ends_with(".was")) continue;
            if (std::get<figure::Rectangle>(outline.shape).stroke_width == 0) continue;
            CAPTURE(number.id);
            CAPTURE(outline.id);
            const Rect &bar = outline.rect, within = bar.inset(0.5F);
            const bool inside = letters.x >= within.x && letters.right() <= within.right() && letters.y >= within.y &&
                                letters.bottom() <= within.bottom();
            CHECK((inside || !overlap(letters, bar.inset(-0.5F))));
          }
        }
      }
    });
}

TEST_CASE("scale and softmax: numbers of cells side by side lie 4 px apart, with 2 px to the edges of their cells") {
  for (const Place place : kChanges)
    each_flow(kScale, [&](const spotlight::State& state, const Trace& trace, const figure::Figure&, const View& view) {
      View here = view;
      here.place = place;
      const figure::Figure figure = spotlight::draw(state, trace, here);
      for (const figure::Element& element : figure.elements) {
        const auto* cells = std::get_if<figure::MatrixCells>(&element.shape);
        if (cells == nullptr || cells->text_size == 0 || cells->range.columns < 2) continue;
        const Matrix& values = trace.at(cells->range.tensor).values;
        const float pitch = element.rect.w / static_cast<float>(values.cols());
        float widest = 0;
        for (const float value : values.reshaped())
          if (std::isfinite(value))
            widest = std::max(widest, text::measure(text::Face::mono, cells->text_size,
                                                    io::format_fixed(static_cast<double>(value), cells->decimals)));
        CAPTURE(element.id);
        CHECK(pitch - cells->gap - widest >= 3.99F);
      }
    });
}

TEST_CASE("maximum: 0 moves to the largest score, and every bar hangs from it to where the score before ended") {
  each_flow(kScale, [&](const spotlight::State& state, const Trace& trace, const figure::Figure&, const View& view) {
    View here = view;
    here.place = {kSoftmax, 1};
    const figure::Figure drawn = spotlight::draw(state, trace, here), figure = upright(drawn, here);
    const float zero = std::get<figure::Line>(figure.find("scaled.zero")->shape).points.front().y;
    const auto scores = trace.at("scaled").values.row(spotlight::query_row(state));
    for (int word = 0; word < static_cast<int>(scores.size()); ++word) {
      const std::string id = "shifted.bar." + std::to_string(word);
      const figure::Element *was = figure.find(id + ".was"), *is = figure.find(id);
      REQUIRE((is == nullptr) == !std::isfinite(scores(word)));
      if (is == nullptr) continue;
      // A bar is 1 px long at least.
      CHECK(std::abs((scores(word) == scores.maxCoeff() ? is->rect.bottom() : is->rect.y) - zero) <= 1.01F);
      CHECK(std::abs((scores(word) < 0 ? was->rect.bottom() : was->rect.y) - is->rect.bottom()) <= 1.01F);
    }
    // Its numbers have digits on a phone as well.
    if (state.named() && view.width >= 390 && view.height >= 500) {
      const auto& cells = std::get<figure::MatrixCells>(drawn.find("shifted")->shape);
      CHECK(cells.text_size >= 8.5F);
    }
  });
}

TEST_CASE("scale: two strips are as long as the weights of the scores as they are, and of those that are scaled") {
  int seen = 0;
  each_flow(kScale, [&](const spotlight::State& state, const Trace& trace, const figure::Figure& drawn,
                        const View& view) {
    const figure::Figure figure = as_row(drawn, view);
    if (figure.find("scaled.undivided.0") == nullptr) return;
    ++seen;
    const auto scores = trace.at("scores").values.row(spotlight::query_row(state));
    const auto scaled = trace.at("scaled").values.row(spotlight::query_row(state));
    for (const auto& [id, of] : {std::pair{"scaled.undivided.", Matrix(scores)}, {"scaled.divided.", Matrix(scaled)}}) {
      const auto part = [&](Eigen::Index j) { return rect_of(figure, id + std::to_string(j)); };
      const float length = part(of.cols() - 1).right() - part(0).x;
      const Matrix powers = (of.array() - of.maxCoeff()).exp();
      for (Eigen::Index j = 0; j < of.cols(); ++j)
        CHECK(std::abs(part(j).w - length * powers(0, j) / powers.sum()) <= 1.6F);  // of which 1 lies between two
    }
  });
  CHECK(seen > 0);
}
