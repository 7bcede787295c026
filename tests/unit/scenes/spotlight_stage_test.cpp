// Spotlight's stage with sentences of all kinds, in windows of all sizes.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "figure/light.h"
#include "figure/panels.h"
#include "io/numbers.h"
#include "scenes/common/sentence.h"
#include "scenes/moment.h"
#include "scenes/spotlight/spotlight.h"
#include "unit/fonts.h"
#include "unit/scenes/spotlight_support.h"

using namespace limelight;
using namespace limelight::scenes;
using figure::Rect;
using namespace limelight::test;

namespace {

std::vector<std::string> sentences() {
  const std::string long_word = "pneumonoultramicroscopicsilicovolcanocon";  // 40 letters
  return {"Light",
          long_word,
          repeated(2, long_word),
          repeated(9, long_word),
          "a " + long_word + " b",
          "I am " + long_word + " and so are we",
          repeated(16, "word"),
          repeated(16, "extraordinary"),
          repeated(64, "same"),
          repeated(64, "extraordinary"),
          "השועל החום המהיר קפץ מעל הכלב העצלן",
          "السلام عليكم ورحمة الله وبركاته",
          "🙂 👩‍👩‍👧 🇫🇷 👍🏽 sees 🦊",
          "The quick brown fox jumped over the lazy dog."};
}

struct Ink {
  std::string id;
  Rect rect;
};

// Where letters are: a little below the baseline for those that hang.
std::vector<Ink> inks_of(const figure::Figure& figure, const Trace& trace) {
  std::vector<Ink> inks;
  for (const figure::Element& element : figure.elements) {
    const bool written = element.id == "weights.title" ||
                         (element.id.starts_with("callout.") && element.id.find(".line.") != std::string::npos);
    if (!element.id.starts_with("stage.") && !written) continue;
    if (!std::holds_alternative<figure::Text>(element.shape)) continue;
    for (const figure::Primitive& primitive : figure::primitives(element, trace))
      if (const auto* text = std::get_if<figure::TextPrimitive>(&primitive.shape)) {
        const float cap = text::metrics(text->face, text->size).cap_height;
        const figure::Point at = text->baseline;
        inks.push_back({element.id, text->vertical ? Rect{at.x - cap, at.y - text->width, cap * 1.15F, text->width}
                                                   : Rect{at.x, at.y - cap, text->width, cap * 1.15F}});
      }
  }
  return inks;
}

template <class Check>
void each_stage(Check check) {
  REQUIRE(test::load_fonts());
  for (const std::string& text : sentences()) {
    spotlight::State state = of_text(text);
    const Trace trace = spotlight::compute(state, {});
    const int words = static_cast<int>(trace.at("weights").columns());
    for (const int query : {0, words / 2, words - 1}) {
      state.query = query;
      for (const float width : {320.F, 390.F, 480.F, 560.F, 600.F, 760.F, 1208.F, 1700.F, 2560.F, 3840.F})
        for (const float height : {228.F, 572.F, 1300.F})
          for (const int step : {1, 9}) {
            CAPTURE(text);
            CAPTURE(query);
            CAPTURE(width);
            CAPTURE(height);
            CAPTURE(step);
            check(spotlight::draw(state, trace, {.width = width, .height = height, .place = {step, 0}}), trace, width);
          }
    }
  }
}

}  // namespace

TEST_CASE("stage: no words lie over others, whatever the sentence and the window, and none leave the stage") {
  each_stage([](const figure::Figure& figure, const Trace& trace, float width) {
    const std::vector<Ink> inks = inks_of(figure, trace);
    for (std::size_t i = 0; i < inks.size(); ++i) {
      CAPTURE(inks[i].id);
      if (inks[i].rect.x < 0) CHECK(inks[i].rect.x >= 0);
      if (inks[i].rect.right() > width) CHECK(inks[i].rect.right() <= width);
      for (std::size_t j = 0; j < i; ++j) {
        CAPTURE(inks[j].id);
        if (overlap(inks[i].rect, inks[j].rect)) CHECK(false);
      }
    }
  });
}

TEST_CASE("stage: in a low window the lamp, all words and their shares are seen at once") {
  REQUIRE(test::load_fonts());
  const spotlight::State state = of_text("The quick brown fox jumped over the lazy dog.");
  const Trace trace = spotlight::compute(state, {});
  for (const float height : {140.F, 190.F, 200.F, 230.F, 279.F})
    for (const float width : {612.F, 816.F, 1200.F}) {
      CAPTURE(height);
      CAPTURE(width);
      const figure::Figure figure = spotlight::draw(state, trace, {.width = width, .height = height, .place = {1, 0}});
      CHECK(figure.height <= height);
      int shares = 0;
      for (const Ink& ink : inks_of(figure, trace)) {
        CAPTURE(ink.id);
        CHECK(ink.rect.y >= 0);
        CHECK(ink.rect.bottom() <= height);
        shares += ink.id.starts_with("stage.share.") ? 1 : 0;
      }
      CHECK(shares == trace.at("weights").columns());
      const figure::Element* lamp = figure.find(kLampId);
      REQUIRE(lamp != nullptr);
      CHECK(lamp->rect.centre().y > 0);
      CHECK(lamp->rect.centre().y < figure.find("stage.word.0.text")->rect.y);
    }
}

TEST_CASE("stage: no note and no row's name lies under another one") {
  each_stage([](const figure::Figure& figure, const Trace&, float) {
    const auto card = std::ranges::find_if(figure.elements, [](const figure::Element& element) {
      return element.id.starts_with("callout.") && element.id.ends_with(".box");
    });
    for (const figure::Element& element : figure.elements)
      if (card != figure.elements.end() && element.id.starts_with("stage.note"))
        CHECK(!overlap(element.rect, card->rect));
    float end = 0;  // of the name above
    for (const figure::Element& element : figure.elements) {
      const auto* name = std::get_if<figure::Text>(&element.shape);
      if (name == nullptr || name->text.empty() || !element.id.starts_with("weights.row.")) continue;
      const float cap = text::metrics(name->face, name->size).cap_height;
      CHECK(element.rect.centre().y - cap / 2 >= end);
      end = element.rect.centre().y + cap / 2;
    }
  });
}

TEST_CASE("stage: the embedding that is pointed at is written out, and its number told") {
  REQUIRE(test::load_fonts());
  const spotlight::State state = of_text("The quick brown fox jumped over the lazy dog.");
  const Trace trace = spotlight::compute(state, {});
  const Tensor& X = trace.at("X");
  View view{.width = 1208, .height = 572, .place = {1, 0}};
  for (int word = 0; word < static_cast<int>(X.rows()); ++word)
    for (const int column : {0, static_cast<int>(X.columns()) - 1}) {
      view.hovered = figure::cell_id({"X", word, column});
      const figure::Figure figure = spotlight::draw(state, trace, view);
      const std::string id = "callout." + std::to_string(word);
      CAPTURE(view.hovered);
      const figure::Element* cells = figure.find(id + ".X");
      REQUIRE(cells != nullptr);
      for (const figure::Element& element : figure.elements)
        if (element.id.starts_with("callout.")) CHECK(element.id.starts_with(id + "."));
      const figure::Element* told = figure.find(id + ".line.0.1");
      REQUIRE(told != nullptr);
      const std::string& number = std::get<figure::Text>(told->shape).text;
      CHECK(number == io::format_fixed(X.values(word, column), figure::decimals_for(X.values, 2)));
      const std::optional<Rect> cell = figure::cell_rect(*cells, word, column);
      const figure::Element* ring = figure.find(id + ".number");
      REQUIRE(cell);
      REQUIRE(ring != nullptr);
      CHECK(ring->rect.contains(cell->centre()));
    }
}

TEST_CASE("stage: while a weight is looked at its light stays as it is, and all other light of the words is dimmed") {
  REQUIRE(test::load_fonts());
  spotlight::State state;
  for (const int query : {0, 3, 8}) {
    state.query = query;
    const Trace trace = spotlight::compute(state, {});
    for (const bool phone : {false, true})
      for (int word = 0; word < 9; ++word) {
        CAPTURE(query);
        CAPTURE(phone);
        CAPTURE(word);
        View view{.width = phone ? 390.F : 1208.F, .height = 572, .place = {1, 0}};
        const figure::Figure rest = spotlight::draw(state, trace, view);
        view.hovered = figure::cell_id({"weights", query, word});
        const figure::Figure looked = spotlight::draw(state, trace, view);
        const auto& before = std::get<figure::Light>(rest.find(kLightId)->shape);
        const auto& after = std::get<figure::Light>(looked.find(kLightId)->shape);
        REQUIRE(before.beams.size() == after.beams.size());
        for (std::size_t i = 0; i < before.beams.size(); ++i) {
          if (after.beams[i].column == word)
            CHECK(after.beams[i].intensity == before.beams[i].intensity);
          else if (before.beams[i].intensity > 0)
            CHECK(after.beams[i].intensity < 0.7F * before.beams[i].intensity);
          CHECK(after.beams[i].half_to == before.beams[i].half_to);
        }
      }
  }
}

TEST_CASE("stage: beside a column each beam is level from where words begin, so that it crosses none but its own") {
  REQUIRE(test::load_fonts());
  spotlight::State state;
  for (const int query : {0, 4, 8}) {
    state.query = query;
    const Trace trace = spotlight::compute(state, {});
    for (const int step : {1, 9}) {
      const figure::Figure figure = spotlight::draw(state, trace, {.width = 390, .height = 535, .place = {step, 0}});
      for (const figure::Light::Beam& beam : std::get<figure::Light>(figure.find(kLightId)->shape).beams) {
        const Rect letters = figure.find(word_id(beam.column) + ".text")->rect;
        CHECK(beam.to.y == doctest::Approx(letters.centre().y));
        CHECK(beam.control_to.y == beam.to.y);
        for (const float t : {0.5F, 0.6F, 0.7F, 0.8F, 0.9F, 1.F}) {
          const float u = 1 - t;
          const auto on = [&](float figure::Point::* side) {
            return u * u * u * beam.from.*side + 3 * u * u * t * beam.control_from.*side +
                   3 * u * t * t * beam.control_to.*side + t * t * t * beam.to.*side;
          };
          if (on(&figure::Point::x) < letters.x) continue;
          CHECK(std::abs(on(&figure::Point::y) - beam.to.y) < letters.h / 2);
        }
      }
    }
  }
}

namespace {

// The stage while the lamp moves from each word to each other one.
template <class Check>
void each_move(Check check) {
  REQUIRE(test::load_fonts());
  spotlight::State state;
  std::vector<figure::Figure> stages;
  for (state.query = 0; state.query < 9; ++state.query)
    stages.push_back(
        spotlight::draw(state, spotlight::compute(state, {}), {.width = 1208, .height = 572, .place = {1, 0}}));
  for (int from = 0; from < 9; ++from)
    for (int to = 0; to < 9; ++to)
      for (const float t : {0.05F, 0.2F, 0.35F, 0.5F, 0.65F, 0.8F, 0.95F}) {
        if (from == to) continue;
        CAPTURE(from);
        CAPTURE(to);
        CAPTURE(t);
        const figure::Figure &before = stages[static_cast<std::size_t>(from)],
                             &after = stages[static_cast<std::size_t>(to)];
        check(before, after, figure::blend(before, after, t));
      }
}

}  // namespace

TEST_CASE("stage: the note goes with the lamp, on one side at a time, and never lies over it") {
  each_move([](const figure::Figure& from, const figure::Figure&, const figure::Figure& moving) {
    const figure::Point lamp = moving.find(kLampId)->rect.centre(), rested = from.find(kLampId)->rect.centre();
    const float shade = 40 * moving.find(kLampId)->rect.w / 68;  // half of it, and some air
    int sides = 0;                                               // where it is seen
    for (const std::string side : {".left", ".right"})
      for (const std::string line : {"stage.lamp.name", "stage.lamp.note"}) {
        const figure::Element* note = moving.find(line + side);
        REQUIRE(note != nullptr);
        if (line == "stage.lamp.note") sides += note->opacity > 0 ? 1 : 0;
        CHECK(note->rect.x - lamp.x == doctest::Approx(from.find(line + side)->rect.x - rested.x).epsilon(0.001));
        CHECK((note->rect.right() < lamp.x - shade || note->rect.x > lamp.x + shade));
      }
    CHECK(sides <= 1);
  });
}

TEST_CASE("stage: what marks the word that asks and its numbers fades there and slides across no other word") {
  each_move([](const figure::Figure& from, const figure::Figure& to, const figure::Figure& moving) {
    int marks = 0;
    for (const figure::Element& mark : moving.elements) {
      if (!mark.id.starts_with("stage.asks") && mark.id.find(".ring") == std::string::npos) continue;
      ++marks;
      const figure::Element *before = from.find(mark.id), *after = to.find(mark.id);
      CHECK((before == nullptr) != (after == nullptr));
      const figure::Element& rested = before != nullptr ? *before : *after;
      CHECK(mark.rect.x == rested.rect.x);
      if (const auto* line = std::get_if<figure::Line>(&mark.shape))
        CHECK(line->points.front().x == std::get<figure::Line>(rested.shape).points.front().x);
    }
    CHECK(marks >= 2);
  });
}

TEST_CASE("glance: the values and the sum are gone where they stood before a word sets out, and Y keeps its letter") {
  REQUIRE(test::load_fonts());
  const spotlight::State state;
  const Trace trace = spotlight::compute(state, {});
  const auto at = [&](float t) {
    return draw_moment(*find("spotlight"), state, trace, {.width = 1188, .height = 576, .place = {9, 0}, .t = t});
  };
  const figure::Figure first = at(0), soon = at(0.025F), later = at(0.05F);
  for (const figure::Element& element : soon.elements)
    if (const figure::Element* was = first.find(element.id); was != nullptr && element.id.starts_with("stage.word."))
      CHECK(element.rect.y == was->rect.y);
  for (const figure::Element& element : later.elements) {
    CAPTURE(element.id);
    if (element.id.starts_with("V.") || element.id.find("output.sum.") != std::string::npos)
      CHECK(element.opacity == 0);
    if (element.id.starts_with("output.title") || element.id == "output.of") CHECK(element.opacity == 1);
  }
  for (const figure::Element& element : soon.elements)
    if (element.id.starts_with("told.output.sum.")) CHECK(element.rect.y == first.find(element.id.substr(5))->rect.y);
}

TEST_CASE(
    "glance: the lamp's row of the map comes down from the words; the others slide to their places from behind it, the "
    "nearest first") {
  REQUIRE(test::load_fonts());
  for (const std::string& text : {std::string("The quick brown fox jumped over the lazy dog."), k20, k40})
    for (const float width : {390.F, 1188.F}) {
      CAPTURE(text);
      CAPTURE(width);
      constexpr int kAsks = 3;
      spotlight::State state = of_text(text);
      state.query = kAsks;
      const Trace trace = spotlight::compute(state, {});
      const int words = static_cast<int>(trace.at("weights").values.rows());
      float y = 0;                                                    // of the lamp's row before
      std::vector<float> way(static_cast<std::size_t>(words), -1.F);  // of each row before: 0 with it, 1 in its place
      for (const float t : {0.2F, 0.3F, 0.4F, 0.5F, 0.6F, 0.7F, 0.8F, 0.9F, 0.97F}) {
        CAPTURE(t);
        const figure::Figure figure =
            draw_moment(*find("spotlight"), state, trace, {.width = width, .height = 576, .place = {9, 0}, .t = t});
        const figure::Element* map = figure.find("weights");
        const figure::Element* lamp = figure.find("weights.coming." + std::to_string(kAsks));
        REQUIRE(map != nullptr);
        REQUIRE(lamp != nullptr);
        CHECK(map->clip->h == 0);
        CHECK(lamp->rect.y >= y);
        y = lamp->rect.y;
        const auto lamp_y = figure::cell_rect(*map, kAsks, 0)->y;
        std::vector<const figure::Element*> rows(static_cast<std::size_t>(words));
        for (int row = 0; row < words; ++row) {
          CAPTURE(row);
          const figure::Element* part = figure.find("weights.coming." + std::to_string(row));
          rows[static_cast<std::size_t>(row)] = part;
          if (part == nullptr) continue;
          CHECK(part->opacity == 1);
          if (row == kAsks) continue;
          CHECK(part->rect.h == doctest::Approx(figure::cell_rect(*map, row, 0)->h));
          const float gone = (part->rect.y - lamp->rect.y) / (figure::cell_rect(*map, row, 0)->y - lamp_y);
          float& before = way[static_cast<std::size_t>(row)];
          CHECK(gone >= before);
          CHECK(gone <= 1.001F);
          before = gone;
        }
        // A row lies behind those nearer to the lamp's, and none is behind that one's digits.
        for (int row = 0; row < words; ++row) {
          const int inner = row < kAsks ? row + 1 : row - 1;
          const figure::Element *part = rows[static_cast<std::size_t>(row)],
                                *over = rows[static_cast<std::size_t>(inner)];
          if (row == kAsks || part == nullptr) continue;
          REQUIRE(over != nullptr);
          CHECK(part < over);
          CHECK(way[static_cast<std::size_t>(row)] <=
                (inner == kAsks ? 1 : way[static_cast<std::size_t>(inner)]) + 0.001F);
          const float digits = std::get<figure::Heatmap>(part->shape).text_size;
          CHECK((digits == 0 || std::abs(over->rect.y - part->rect.y) >= (part->rect.h + digits) / 2));
        }
      }
      way[kAsks] = 1;
      CHECK(*std::ranges::min_element(way) > 0.99F);
    }
}

TEST_CASE("glance: on a phone each column of the map has its word above it, in a gap of its own") {
  REQUIRE(test::load_fonts());
  for (const std::string& text : sentences()) {
    spotlight::State state = of_text(text);
    const Trace trace = spotlight::compute(state, {});
    for (const float width : {320.F, 390.F, 480.F}) {
      CAPTURE(text);
      CAPTURE(width);
      const figure::Figure figure = spotlight::draw(state, trace, {.width = width, .height = 535, .place = {9, 0}});
      const figure::Element* map = figure.find("weights");
      REQUIRE(map != nullptr);
      const int words = static_cast<int>(trace.at("weights").columns());
      // All of it, fitted to the width.
      const auto& shown = std::get<figure::Heatmap>(map->shape);
      CHECK(shown.range.rows == words);
      CHECK(map->rect.x >= 0);
      CHECK(map->rect.right() <= width);
      CHECK(figure.find("weights.column." + std::to_string(state.query)) != nullptr);
      const float pitch = map->rect.w / static_cast<float>(words);
      float above = 0;  // the end of what stands above the gap
      for (const figure::Element& element : figure.elements)
        if (element.id.starts_with("stage.word.") && element.id.ends_with(".text"))
          above = std::max(above, element.rect.bottom());
      int names = 0;
      for (int column = 0; column < words; ++column) {
        const figure::Element* name = figure.find("weights.column." + std::to_string(column));
        if (name == nullptr) continue;
        ++names;
        CHECK(std::get<figure::Text>(name->shape).vertical);
        CHECK(name->rect.bottom() <= map->rect.y);
        CHECK(name->rect.y >= above);
        CHECK(name->rect.centre().x ==
              doctest::Approx(map->rect.x + pitch * (static_cast<float>(column) + 0.5F)).epsilon(0.001));
        const figure::Element* title = figure.find("weights.title");
        CHECK(!overlap(name->rect, title->rect));
      }
      if (pitch >= 12)
        CHECK(names == words);
      else
        CHECK(static_cast<float>(names) >= map->rect.w / 24);
    }
  }
}

TEST_CASE("stage: each word is there") {
  each_stage([](const figure::Figure& figure, const Trace& trace, float) {
    int shown = 0;
    for (const figure::Element& element : figure.elements)
      if (word_at(element.id)) ++shown;
    CHECK(shown == trace.at("weights").columns());
  });
}

TEST_CASE("stage: of a word that is cut more than half of a syllable is left, and a … says so") {
  each_stage([](const figure::Figure& figure, const Trace& trace, float) {
    for (const figure::Element& element : figure.elements) {
      const auto* text = std::get_if<figure::Text>(&element.shape);
      if (text == nullptr || !element.id.starts_with("stage.word.") || !element.id.ends_with(".text")) continue;
      const std::optional<int> word = word_at(element.id.substr(0, element.id.size() - 5));
      REQUIRE(word);
      const std::string& whole = trace.at("weights").column_labels[static_cast<std::size_t>(*word)];
      if (text->text == whole) continue;
      CAPTURE(text->text);
      CHECK(text->text.ends_with("…"));
      CHECK(text->text.size() >= std::string("ab…").size());
    }
  });
}

TEST_CASE("narration: of a sentence it names few words, and says how many more there are") {
  const auto count = [](const std::string& text, std::string_view what) {
    int found = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
    return found;
  };
  const std::string weight{kPoints, static_cast<char>(MeansA::weight)};  // begins what a named word points to
  int more = 0;
  std::vector<std::string> texts = sentences();
  texts.push_back("fox and " + repeated(6, "dog"));
  texts.push_back("fox and " + repeated(30, "dog"));
  for (const std::string& text : texts) {
    spotlight::State state = of_text(text);
    const Trace trace = spotlight::compute(state, {});
    const int words = static_cast<int>(trace.at("weights").columns());
    for (state.query = 0; state.query < words; ++state.query)
      for (const int step : {1, 9}) {
        const std::string said = spotlight::narrate(state, trace, {.width = 1208, .height = 572, .place = {step, 0}});
        CAPTURE(said);
        const bool glance = step == 9, many = words > figure::kMostOnStage;
        CHECK(count(said, weight) <= (glance ? many ? 3 : 8 : 4));
        CHECK(said.find("other") == std::string::npos);
        more += count(said, " more");
      }
  }
  CHECK(more > 0);
}

TEST_CASE("stage: the word that asks is read on all of the light that it gets itself") {
  REQUIRE(test::load_fonts());
  for (const std::string text : {"jumped", "light light"}) {
    const spotlight::State state = of_text(text);
    const Trace trace = spotlight::compute(state, {});
    for (const figure::Theme theme : {figure::Theme::light, figure::Theme::dark})
      for (const auto& [width, height] : {std::pair{1208.F, 572.F}, {1700.F, 900.F}, {390.F, 535.F}})
        for (const int step : {1, 7, 8, 9}) {
          CAPTURE(text);
          CAPTURE(step);
          CAPTURE(width);
          CAPTURE(theme == figure::Theme::dark);
          const figure::Figure figure =
              spotlight::draw(state, trace, {.width = width, .height = height, .place = {step, 0}, .theme = theme});
          const figure::Element *glow = figure.find("sentence.glow"), *beams = figure.find(kLightId);
          REQUIRE((glow != nullptr || beams != nullptr));
          const figure::Light light = std::get<figure::Light>((glow != nullptr ? glow : beams)->shape);
          const figure::Element* word = figure.find(word_id(0) + ".text");
          const figure::Colour ink = std::get<figure::Text>(word->shape).colour;
          const Rect& letters = word->rect;
          for (const figure::Point part :
               {figure::Point{0.1F, 0.5F}, {0.5F, 0.1F}, {0.5F, 0.5F}, {0.5F, 0.9F}, {0.9F, 0.5F}}) {
            const figure::Point at{letters.x + part.x * letters.w, letters.y + part.y * letters.h};
            float sum = 0;
            figure::Brightness(light).add({&at, 1}, {&sum, 1});
            const float down = std::clamp(at.y / height, 0.F, 1.F);
            const figure::Colour ground =
                figure::lit(mix(figure.background, figure.background_to, down), sum, figure::light_colours(theme));
            CHECK(figure::contrast(ink, ground) >= 4.45F);
          }
        }
  }
}
