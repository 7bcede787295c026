// What Train's figures answer to the pointer, and what they say while they move.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "io/numbers.h"
#include "scenes/common/sentence.h"
#include "scenes/train/steps.h"
#include "unit/fonts.h"
#include "unit/scenes/train_support.h"

using namespace limelight;
using namespace limelight::scenes;
using namespace limelight::scenes::train;
using test::with_record;

namespace {

figure::Figure pointed(const app::App& app, int step, const std::string& id) {
  return app.scene->draw(app.state, app.trace, {.width = 1136, .height = 560, .place = {step, 0}, .hovered = id});
}

std::string said(const figure::Figure& figure, std::string_view id) {
  const figure::Element* element = figure.find(id);
  return element == nullptr ? "" : std::get<figure::Text>(element->shape).text;
}

}  // namespace

TEST_CASE("train: a letter that is pointed at has its row or column in every map outlined, and its share told") {
  REQUIRE(test::load_fonts());
  const app::App app = with_record();
  const Tensor& weights = app.trace.at("weights");
  CHECK(pointed(app, 1, "").find("night.looks") == nullptr);
  for (int i = 0; i < weights.rows(); ++i) {
    const figure::Figure figure = pointed(app, 1, figure::cell_id({"right", 0, i}));
    CHECK(said(figure, "night.looks")
              .ends_with(io::format_percent(static_cast<double>(weights.values.row(i).maxCoeff()))));
    CHECK(figure.find("outline.map_1000." + std::to_string(i) + ".-1") != nullptr);
  }
  for (int j = 0; j < weights.columns(); ++j) {
    const figure::Figure figure = pointed(app, 1, figure::cell_id({"source", 0, j}));
    CHECK(said(figure, "night.looks")
              .ends_with(io::format_percent(static_cast<double>(weights.values.col(j).maxCoeff()))));
    for (const int batch : kMoments)
      CHECK(figure.find("outline.map_" + std::to_string(batch) + ".-1." + std::to_string(j)) != nullptr);
  }
}

TEST_CASE("train: on a phone the film shows few pictures, large, and the batch that is told among them") {
  REQUIRE(test::load_fonts());
  const app::App app = with_record();
  for (float t = 0.05F; t < 1; t += 0.03F) {
    const View view{.width = 390, .height = 600, .place = {1, 0}, .t = t};
    const figure::Figure figure = app.scene->draw(app.state, app.trace, view);
    const figure::Point here = figure.find("film.here")->rect.centre();
    int seen = 0;
    for (const int batch : kMoments) {
      const figure::Element* frame = figure.find("film." + std::to_string(batch) + ".ground");
      if (frame == nullptr) continue;
      ++seen;
      CHECK(frame->rect.w >= 80);
      if (batch > 0 && frame->rect.contains(here))
        CHECK(app.scene->narrate(app.state, app.trace, view).contains("**" + batches(batch) + "**"));
    }
    CHECK(seen == 3);
  }
}

TEST_CASE(
    "train: of one mistake the error goes from the letter that is wrong back to where its brightest beam begins") {
  REQUIRE(test::load_fonts());
  const app::App app = with_record();
  float least = 1e6F, most = 0, shown = 0;
  for (float t = 0.02F; t < 1; t += 0.01F) {
    const figure::Figure figure = test::drawn(app, "train", 1136, 560, t);
    const figure::Element* error = figure.find("correction.error");
    if (error == nullptr) continue;
    ++shown;
    const std::string text = said(figure, "correction.said"), wanted = said(figure, "correction.wanted");
    CHECK(text.starts_with("wanted “" + wanted + "”"));
    const float y = error->rect.centre().y;
    CHECK(y <= least + 0.01F);  // it never turns
    least = std::min(least, y), most = std::max(most, y);
    bool wrong = false;
    for (int i = 0; i < app.trace.at("target").columns(); ++i)
      if (const figure::Element* box = figure.find(figure::cell_id({"right", 0, i}));
          box != nullptr && box->label.ends_with(", wrong"))
        wrong = wrong || std::abs(figure.find("correction.wanted")->rect.centre().x - box->rect.centre().x) < 1;
    CHECK(wrong);
  }
  CHECK(shown > 20);
  const figure::Rect light = test::drawn(app, "train", 1136, 560, 0.4F).find("night.light")->rect;
  CHECK(most - least > 0.6F * light.h);
}

TEST_CASE("train: of one mistake the right letter and the one that was written grow as the record has them") {
  REQUIRE(test::load_fonts());
  const app::App app = with_record();
  const Watched one = Told{scenes::state_in<State>(app.state), app.trace}.watched();
  REQUIRE(one.place >= 0);
  CHECK(app.trace.at("right_" + std::to_string(kMoments[kLingers])).values(0, one.place) == 0);
  const auto likely = [&](int moment, int letter) { return app.trace.at(likely_at(moment)).values(one.place, letter); };
  CHECK(likely(kLingers, one.rival) > likely(kLingers, one.wanted));
  CHECK(likely(kLingers + 1, one.wanted) > likely(kLingers, one.wanted));
  for (const auto& [t, moment] : {std::pair(0.28F, kLingers), {0.7F, kLingers + 1}}) {
    const View view{.width = 1136, .height = 560, .place = {1, 0}, .t = t};
    const figure::Figure figure = app.scene->draw(app.state, app.trace, view);
    const std::string wanted = io::format_percent(static_cast<double>(likely(moment, one.wanted)));
    CHECK(said(figure, "watched.right") == wanted);
    CHECK(said(figure, "watched.rival") == io::format_percent(static_cast<double>(likely(moment, one.rival))));
    CHECK(app.scene->narrate(app.state, app.trace, view).contains("**" + wanted + "**"));
  }
}

TEST_CASE("train: without attention one guesses only where there is something to uncover") {
  REQUIRE(test::load_fonts());
  for (const char* preset : {"word", "copy_without", "sort", "dates"}) {
    const app::App app = with_record({{"preset", preset}});
    const bool wrong = !Told{scenes::state_in<State>(app.state), app.trace}.wrong(kWithout).empty();
    const figure::Figure figure = test::drawn(app, "without", 1136, 560);
    CHECK((figure.find("lengths.ask") != nullptr) == wrong);
    CHECK(app.scene->narrate(app.state, app.trace, {.place = {3, 0}}).contains("Guess") == wrong);
  }
}

TEST_CASE("train: how much is lost without attention is not drawn before the reader's guess") {
  REQUIRE(test::load_fonts());
  for (const char* guess : {"none", "middle"}) {
    const app::App app = with_record({{"expect", guess}});
    const bool asks = guess == std::string("none");
    for (const float t : {0.5F, 0.95F, 1.F}) {
      const figure::Figure figure = test::drawn(app, "without", 1136, 560, t);
      CHECK((figure.find("lengths.curve1") == nullptr) == asks);
      CHECK(figure.find("lengths.curve0") != nullptr);
    }
  }
}

TEST_CASE("train: inside the bars grow from nothing") {
  REQUIRE(test::load_fonts());
  const app::App with = with_record();
  const int at = static_cast<int>(with.trace.at("weights").columns()) - 2;  // where the first letter looks
  for (const char* name : {"scores", "weights"}) {
    const std::string bar = std::string("of.") + name + ".bar." + std::to_string(at);
    float before = 0;
    for (const float t : {0.05F, 0.3F, 0.6F, 1.F}) {
      const float high = test::drawn(with, "inside", 1136, 560, t).find(bar)->rect.h;
      CHECK(high >= before);
      before = high;
    }
    CHECK(before > 20);
  }
}

TEST_CASE("train: inside, how likely each letter is stands over all letters, and none is left out") {
  REQUIRE(test::load_fonts());
  for (const char* moment : {"0", "12"}) {
    const app::App app = with_record({{"moment", moment}});
    const figure::Figure figure = pointed(app, 4, "");
    const Tensor& chances = app.trace.at("probabilities");
    float high = 0;
    for (int j = 0; j < chances.columns(); ++j) {
      const float share = chances.values(0, j), bar = figure.find("of.probabilities.bar." + std::to_string(j))->rect.h;
      if (share > 0.02F) high = bar / share;
      if (share > 0.02F) CHECK(bar == doctest::Approx(high * share));
      CHECK((figure.find("of.probabilities.number." + std::to_string(j)) != nullptr) == (share >= kTold));
    }
  }
}

TEST_CASE("train: while the film plays its frame stands around the picture of the batch that is told") {
  REQUIRE(test::load_fonts());
  const app::App app = with_record();
  for (float t = 0.05F; t < 1; t += 0.03F) {
    const View view{.width = 1136, .height = 560, .place = {1, 0}, .t = t};
    const figure::Figure figure = app.scene->draw(app.state, app.trace, view);
    const figure::Point here = figure.find("film.here")->rect.centre();
    int around = 0;
    for (const int batch : kMoments)
      if (figure.find("film." + std::to_string(batch) + ".ground")->rect.contains(here)) {
        ++around;
        CHECK(app.scene->narrate(app.state, app.trace, view).contains("**" + batches(batch) + "**") == (batch > 0));
      }
    CHECK(around == 1);
  }
}

TEST_CASE("train: the panel without attention opens where it stays") {
  REQUIRE(test::load_fonts());
  for (const char* guess : {"none", "middle"}) {
    const app::App app = with_record({{"expect", guess}});
    const auto at = [&](float t) {
      return app.scene->draw(app.state, app.trace, {.width = 1136, .height = 560, .place = {3, 0}, .t = t});
    };
    const auto ground = [](const figure::Figure& figure) { return figure.find("without.ground")->rect; };
    CHECK(ground(at(0.1F)).x == ground(at(1)).x);
  }
}

TEST_CASE("train: after a mistake the beam and its ghost are as wide as the weights of the record, now and before") {
  REQUIRE(test::load_fonts());
  const app::App app = with_record();
  const int place = Told{scenes::state_in<State>(app.state), app.trace}.watched().place;
  const Matrix &before = app.trace.at(map_at(kLingers)).values, &now = app.trace.at(map_at(kLingers + 1)).values;
  const int looks = largest_in(now, place);
  REQUIRE(now(place, looks) > before(place, looks));
  const figure::Figure figure = test::drawn(app, "train", 1136, 560, 0.7F);
  const float ghost = std::get<figure::Curve>(figure.find("correction.before")->shape).width;
  for (const figure::Light::Beam& beam : std::get<figure::Light>(figure.find("night.light")->shape).beams)
    if (beam.row == place)
      CHECK(2 * beam.half_to / ghost == doctest::Approx(now(place, beam.column) / before(place, looks)));
  CHECK(
      said(figure, "correction.before.said").ends_with(io::format_percent(static_cast<double>(before(place, looks)))));
  CHECK(said(figure, "correction.now.said").ends_with(io::format_percent(static_cast<double>(now(place, looks)))));
  for (const float t : {0.3F, 0.9F})
    CHECK(test::drawn(app, "train", 1136, 560, t).find("correction.before") == nullptr);
}

TEST_CASE("train: on a phone each task has room for all of its letters, and the curve is above the fold") {
  REQUIRE(test::load_fonts());
  const app::App app = with_record({{"expect", "middle"}});
  const figure::Figure tasks = test::drawn(app, "tasks", 390, 600);
  for (const std::string name : {"reverse", "sort", "copy", "dates"}) {
    const std::string panel = name == "reverse" ? "night" : "task_" + name;
    const Tensor& weights = app.trace.at("task_" + name);
    for (int j = 0; j < weights.columns(); ++j) CHECK(tasks.find(panel + ".read." + std::to_string(j)) != nullptr);
    CHECK(tasks.find(panel + ".ground")->rect.right() <= 390);
  }
  const figure::Figure without = test::drawn(app, "without", 390, 600);
  for (int i = 0; i < app.trace.at("by_length").columns(); ++i)
    CHECK(without.find(figure::cell_id({"by_length", ByLength::share, i}))->rect.bottom() < 460);
}

TEST_CASE("train: a guess is answered by the place where memory failed, whatever was guessed") {
  for (const char* guess : {"first", "middle", "last", "alike"}) {
    const app::App app = with_record({{"expect", guess}});
    const std::string told = app.scene->narrate(app.state, app.trace, {.place = {3, 0}});
    CHECK(told.contains("**the middle**"));
    CHECK(told.contains("as you guessed") == (guess == std::string("middle")));
  }
}

TEST_CASE("train: a mistake is told where the record lingers only if there is one") {
  for (const char* preset : {"word", "dates", "sort", "copy"}) {
    const app::App app = with_record({{"preset", preset}});
    const Matrix& right = app.trace.at("right_" + std::to_string(kMoments[kLingers])).values;
    const std::string told = app.scene->narrate(app.state, app.trace, {.place = {1, 0}, .t = 0.25F});
    CHECK(told.contains("A mistake.") == (right.minCoeff() == 0));
    CHECK_FALSE(told.contains("[STOP]"));
  }
}
