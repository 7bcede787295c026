// The laws of Translate's pictures: what is as wide and stands where it should, and how each comes about.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "figure/figure.h"
#include "io/shares.h"
#include "scenes/moment.h"
#include "scenes/place.h"
#include "scenes/translate/translate.h"
#include "unit/fonts.h"
#include "unit/models.h"

using namespace limelight;
using namespace limelight::scenes;
using translate::kWeek;

namespace {

const SceneDef& scene() { return *find("translate"); }

struct Drawn {
  std::any state = scene().initial();
  Trace trace{};

  explicit Drawn(const char* preset = "agreement") {
    REQUIRE(test::load_fonts());
    REQUIRE(scene().change(state, {{"preset", preset}}));
    std::map<std::string, std::any, std::less<>> resources;
    for (const Resource* needed : scene().needs(state, {number_of(scene().steps(), "long"), 0}))
      resources.emplace(needed->name, *needed->read(test::model_bytes(needed->name), needed->name));
    trace = scene().compute(state, {.resources = &resources});
  }
  [[nodiscard]] View view(const char* step, float t) const {
    return {.width = 1208, .height = 564, .place = {number_of(scene().steps(), step), 0}, .t = t};
  }
  [[nodiscard]] figure::Figure at(const char* step, float t = 1) const {
    return scene().draw(state, trace, view(step, t));
  }
};

std::string text_of(const figure::Figure& figure, const std::string& id) {
  const figure::Element* element = figure.find(id);
  return element == nullptr ? "" : std::get<figure::Text>(element->shape).text;
}

}  // namespace

TEST_CASE("translate: a stream is nowhere narrower than where it ends") {
  for (const auto& [preset, step, id] :
       {std::tuple("committee", "context", "context.stream.6"),
        std::tuple("constructed", "context", "context.stream.0"), std::tuple("agreement", "bottleneck", "to.c")}) {
    CAPTURE(id);
    const figure::Figure figure = Drawn(preset).at(step);
    const figure::Element* stream = figure.find(id);
    REQUIRE(stream != nullptr);
    const auto& [one, other, stops] = std::get<figure::Ribbon>(stream->shape);
    const auto wide = [&](std::size_t i) { return std::hypot(one[i].x - other[i].x, one[i].y - other[i].y); };
    for (std::size_t i = 0; i < one.size(); ++i) CHECK(wide(i) == doctest::Approx(wide(one.size() - 1)).epsilon(0.01));
  }
}

TEST_CASE("translate: a state and its score stand under the word") {
  const Drawn drawn;
  const figure::Figure figure = drawn.at("context");
  for (int j = 0; j < drawn.trace.at("source").columns(); ++j) {
    CAPTURE(j);
    const float word = figure.find("stage.word." + std::to_string(j) + ".text")->rect.centre().x;
    CHECK(figure.find("h." + std::to_string(j))->rect.centre().x == doctest::Approx(word).epsilon(0.002));
    CHECK(figure.find(figure::cell_id({"scores", 4, j}))->rect.centre().x == doctest::Approx(word).epsilon(0.002));
  }
}

TEST_CASE("translate: where another sentence is shown than the chosen one, that one goes first and both are named") {
  const Drawn drawn;
  const figure::Figure begun = drawn.at("bottleneck", 0.2F), ended = drawn.at("bottleneck");
  CHECK(text_of(begun, "stage.word.1.text") == "agreement");
  CHECK(text_of(ended, "stage.word.0.text") == "engineers");
  // Words say which one is shown; of the two only the chosen one has a chip that is on, and that is the example's.
  for (const auto& [figure, said] : {std::pair(&begun, "“agreement” gets through"),
                                     {&ended, "another example is shown: “10 words” does not get through"}}) {
    CHECK(std::ranges::any_of(figure->elements, [&](const figure::Element& element) {
      const auto* text = std::get_if<figure::Text>(&element.shape);
      return text != nullptr && text->text == said;
    }));
    for (const figure::Element& element : figure->elements)
      if (element.edit && element.edit->field == "preset") CHECK(element.edit->value == "minister");
  }
  CHECK(ended.find("lost.way") != nullptr);
  CHECK(drawn.at("bottleneck", 0.85F).find("lost.way") == nullptr);
}

TEST_CASE("translate: the curves by length are drawn from the left, and sentences come when theirs is reached") {
  const Drawn drawn;
  const auto front = [&](float t) { return drawn.at("long", t).find("exact.without")->clip; };
  REQUIRE(front(0.3F));
  CHECK(front(0.3F)->right() < front(0.6F)->right());
  CHECK_FALSE(front(1));
  const auto seen = [&](float t) {
    const figure::Figure figure = drawn.at("long", t);
    const figure::Element* title = figure.find("long.fixed.title");
    return title == nullptr ? 0 : title->opacity;
  };
  CHECK(seen(0.1F) == 0);
  CHECK(seen(0.6F) == 1);
  // What is translated stands there, and no translation twice.
  const figure::Figure figure = drawn.at("long");
  CHECK(figure.find("long.source.title") != nullptr);
  CHECK(figure.find("long.reference.title") == nullptr);
}

TEST_CASE("translate: the lamp of Look swings over the next words, told as it is drawn, and ends at its own") {
  const Drawn drawn;
  const auto told = [&](float t) { return scene().narrate(drawn.state, drawn.trace, drawn.view("context", t)); };
  CHECK(told(0).find("zone") != std::string::npos);
  CHECK(told(0.33F).find("économique") != std::string::npos);
  CHECK(told(0.67F).find("européenne") != std::string::npos);
  CHECK(told(1).find("zone") != std::string::npos);
  CHECK(drawn.at("context", 0.34F).find(figure::cell_id({"scores", 5, 0})) != nullptr);
  CHECK(drawn.at("context").find(figure::cell_id({"scores", 4, 0})) != nullptr);
}

TEST_CASE("translate: the lamp of Look swings one light, whose brightest beam ends at the states all the way") {
  const Drawn drawn;
  for (float t = 0.01F; t < 1; t += 0.02F) {
    CAPTURE(t);
    const figure::Figure figure = drawn.at("context", t);
    const auto& light = std::get<figure::Light>(figure.find("stage.light")->shape);
    const figure::Light::Beam& beam = light.beams.front();
    const figure::Rect &from = figure.find("h.4")->rect, &to = figure.find("h.6")->rect;
    for (const figure::Light::Beam& other : light.beams) CHECK(other.intensity <= beam.intensity);
    CHECK(beam.to.x >= from.centre().x - 1);
    CHECK(beam.to.x <= to.centre().x + 1);
    CHECK(beam.to.y > from.y);
    CHECK(beam.to.y < from.bottom());
    for (const figure::Light::Spot& spot : light.spots)  // around a word, a state or the lamp
      CHECK((spot.centre.y < from.bottom() || spot.centre.x < from.x));
    // What outlines the word that is written lies behind all of them, and never around parts of two.
    const figure::Element* box = figure.find("target.box");
    CHECK(std::ranges::any_of(std::array{4, 5, 6}, [&](int j) {
      const figure::Figure still = drawn.at("context", (static_cast<float>(j) - 4) / 3 + 0.01F);
      return std::abs(still.find("target.box")->rect.x - box->rect.x) < 1;
    }));
    for (const figure::Element& word : figure.elements)
      if (word.id.starts_with("target.word.") && word.rect.right() > box->rect.x + 12 &&
          word.rect.x < box->rect.right() - 12)
        CHECK(&word > box);
  }
}

TEST_CASE(
    "translate: scores become bars of exp of them, the bars one strip as the weights are, and that goes into the "
    "lamp") {
  for (const char* preset : {"agreement", "committee"}) {
    Drawn drawn(preset);
    const int row = scenes::state_in<translate::State>(drawn.state).word;
    const auto scores = drawn.trace.at("scores").values.row(row), weights = drawn.trace.at("weights").values.row(row);
    const auto piece = [](const figure::Figure& figure, Eigen::Index j) {
      return figure.find("power." + std::to_string(j))->rect;
    };
    Eigen::Index best = 0;
    scores.maxCoeff(&best);
    const figure::Figure risen = drawn.at("weights", 0.32F), laid = drawn.at("weights", 0.65F);
    const float whole = laid.find("one.light")->rect.inset(3).w;
    // Under its bar stands what is computed, over the lamp that the light goes into.
    const std::string text = figure::cell_id({"scores", row, static_cast<int>(best)}) + ".text";
    if (const figure::Element* number = risen.find(text); number != nullptr) {
      const figure::Element* power = risen.find(text + ".exp");
      REQUIRE(power != nullptr);
      const std::string& score = std::get<figure::Text>(number->shape).text;
      const bool has_room = std::string_view(preset) == "agreement";
      CHECK(std::get<figure::Text>(power->shape).text == (has_room ? "exp(" + score + ")" : score));
      CHECK(power->rect.bottom() < risen.find("stage.light")->rect.bottom());
    }
    for (Eigen::Index j = 0; j < scores.size(); ++j) {
      const float power = std::exp(scores(j) - scores(best));
      CHECK(piece(risen, j).h == doctest::Approx(std::max(power * piece(risen, best).h, 1.5F)).epsilon(0.01));
      CHECK(piece(laid, j).w == doctest::Approx(std::max(weights(j) * whole, 0.5F)).epsilon(0.01));
    }
    // It is as bright on all of its way, and ends where the light begins.
    for (float t = 0.01F; t < 0.84F; t += 0.05F) CHECK(drawn.at("weights", t).find("power.0")->opacity == 1);
    const figure::Point end = piece(drawn.at("weights", 0.835F), best).centre();
    const figure::Figure rest = drawn.at("weights");
    const auto& light = std::get<figure::Light>(rest.find("stage.light")->shape);
    CHECK(std::hypot(end.x - light.beams.front().from.x, end.y - light.beams.front().from.y) < 20);
    CHECK(rest.find("power.0") == nullptr);
    // What is left of it says whose most of it is, and how much.
    const std::string said = text_of(rest, ("power." + std::to_string(best) + ".word").c_str());
    CHECK(said == drawn.trace.at("source").column_labels[static_cast<std::size_t>(best)] + "  " +
                      io::share_text(weights(best)));
    // On a phone the state leads to the lamp that asks for it.
    View phone = drawn.view("context", 1);
    phone.width = 390;
    CHECK(scene().draw(drawn.state, drawn.trace, phone).find("asks.from") != nullptr);
    phone.place = drawn.view("weights", 1).place;
    const figure::Figure strip =
        scene().draw(drawn.state, drawn.trace, phone);  // what its strip is of is read whole there
    CHECK(std::get<figure::Text>(strip.find("shares.title.note")->shape).text.find("…") == std::string::npos);
    // The scores are there all the way, and go from where they were to their words.
    for (float t = 0.02F; t <= 1; t += 0.07F) {
      const figure::Figure figure = draw_moment(scene(), drawn.state, drawn.trace, drawn.view("weights", t));
      CHECK(figure.find(figure::cell_id({"scores", row, static_cast<int>(best)}))->opacity == 1);
    }
  }
}

TEST_CASE("translate: of the next word what is nothing has no bar, and all that has none is told together") {
  Drawn drawn;
  const Matrix& all = drawn.trace.at("probabilities").values;
  for (int word = 0; word < all.rows(); ++word) {
    REQUIRE(scene().change(drawn.state, {{"word", std::to_string(word)}}));
    const figure::Figure figure = drawn.at("next");
    int bars = 0;
    while (figure.find("likeliest." + std::to_string(bars)) != nullptr) ++bars;
    CHECK(bars == std::clamp(static_cast<int>((all.row(word).array() >= 0.0005F).count()), 1, 5));
    REQUIRE(figure.find("likeliest.rest") != nullptr);
    CHECK(figure.find("next.card.box")->rect.bottom() > figure.find("likeliest.rest")->rect.bottom());
    CHECK(figure.find("likeliest." + std::to_string(bars) + ".track") == nullptr);
  }
}

TEST_CASE("translate: the map's rows come in light that falls from the words that they look at, as much as it is") {
  const Drawn drawn;
  const Matrix& weights = drawn.trace.at("weights").values;
  for (float t = 0.03F; t < 1; t += 0.07F) {
    const figure::Figure figure = drawn.at("alignment", t);
    const figure::Element *light = figure.find("stage.light"), *map = figure.find("weights");
    REQUIRE(light != nullptr);
    const auto at = t * static_cast<float>(weights.rows() - 1);
    REQUIRE_FALSE(std::get<figure::Light>(light->shape).beams.empty());
    for (const figure::Light::Beam& beam : std::get<figure::Light>(light->shape).beams) {
      CHECK(std::abs(static_cast<float>(beam.row) - at) <= 1);
      CHECK(beam.intensity <= 2 * weights(beam.row, beam.column));
      CHECK(std::abs(beam.to.y - figure::cell_rect(*map, beam.row, beam.column)->centre().y) < 0.1F);
    }
  }
  CHECK(drawn.at("alignment").find("stage.light") == nullptr);
  // On the way from Write the light stays, and the words that were written go to their rows.
  View view = drawn.view("alignment", 0.15F);
  const figure::Figure way = draw_moment(scene(), drawn.state, drawn.trace, view);
  REQUIRE(way.find("stage.light") != nullptr);
  CHECK(way.find("stage.light")->opacity == 1);
  CHECK(way.find("weights.row.0")->opacity == 1);
}

TEST_CASE("translate: a thread to a word is the thicker the higher its score is, also on a phone") {
  const Drawn drawn;
  const auto scores = drawn.trace.at("scores").values.row(4);
  for (const float width : {1208.F, 390.F}) {
    View view = drawn.view("scores", 1);
    view.width = width;
    const figure::Figure figure = scene().draw(drawn.state, drawn.trace, view);
    const auto thick = [&](int j) {
      return std::get<figure::Curve>(figure.find("asks." + std::to_string(j))->shape).width;
    };
    for (int i = 0; i < scores.size(); ++i)
      for (int j = 0; j < scores.size(); ++j) CHECK((scores(i) < scores(j)) == (thick(i) < thick(j)));
  }
}

TEST_CASE("translate: the state goes from word to word, and the score of each has grown when it is past") {
  const Drawn drawn;
  const int row = std::any_cast<const translate::State&>(drawn.state).word, last = drawn.trace.at("h").rows() - 1;
  const auto high = [&](float t, int j) {
    return drawn.at("scores", t).find(figure::cell_id({"scores", row, j}))->rect.h;
  };
  float x = -1;
  for (float t = 0.1F; t < 0.9F; t += 0.1F) {
    const float now = drawn.at("scores", t).find("asks.state")->rect.x;
    CHECK(now >= x);
    x = now;
    for (int j = 0; j < last; ++j) CHECK(high(t, j) / high(1, j) >= high(t, j + 1) / high(1, j + 1) - 1e-4F);
  }
  CHECK(high(0, 0) == 0);
  CHECK(high(0.5F, last) == 0);
  CHECK(drawn.at("scores").find("asks.state") == nullptr);
}

TEST_CASE("translate: of a sentence where it hesitates several words have bars, and what it would write else is told") {
  Drawn drawn;
  REQUIRE(scene().change(drawn.state, {{"text", std::string(translate::kUnsure)}}));
  std::map<std::string, std::any, std::less<>> resources;
  for (const Resource* needed : scene().needs(drawn.state, {1, 0}))
    resources.emplace(needed->name, *needed->read(test::model_bytes(needed->name), needed->name));
  drawn.trace = scene().compute(drawn.state, {.resources = &resources});
  const int row = std::any_cast<const translate::State&>(drawn.state).word;
  std::vector<float> likely;
  for (const float p : drawn.trace.at("probabilities").values.row(row)) likely.push_back(p);
  std::ranges::sort(likely, std::greater());
  CHECK(likely[0] < 0.9F);
  CHECK(likely[1] > 0.05F);
  CHECK(drawn.at("next").find("likeliest.2") != nullptr);
  CHECK(scene().narrate(drawn.state, drawn.trace, drawn.view("next", 1)).contains("else it would have written"));
}

TEST_CASE("translate: the shares of a few words add up to all") {
  const Drawn drawn("constructed");
  const figure::Figure figure = drawn.at("next");
  double sum = 0;
  for (int j = 0; j < 4; ++j) sum += std::stod(text_of(figure, "stage.share." + std::to_string(j)));
  CHECK(sum == doctest::Approx(100));
}

TEST_CASE("translate: states come one after the other, first forwards and then backwards") {
  const Drawn drawn;
  const int last = drawn.trace.at("h").rows() - 1;
  const auto seen = [&](float t, int j, const char* way) {
    return drawn.at("encode", t).find("h." + std::to_string(j) + way)->opacity;
  };
  for (float t = 0.02F; t < 1; t += 0.07F)
    for (int j = 0; j < last; ++j) {
      CHECK(seen(t, j, "") >= seen(t, j + 1, ""));
      CHECK(seen(t, j, ".rest") <= seen(t, j + 1, ".rest"));
    }
  CHECK(seen(0.46F, last, "") == 1);
  CHECK(seen(0.46F, last, ".rest") == 0);
  CHECK(seen(1, 0, ".rest") == 1);
}

TEST_CASE("translate: the state rolls from word to word, fuller with each, and the decoder begins when all are read") {
  const Drawn drawn;
  float at = 0;
  for (float t = 0; t < 0.44F; t += 0.04F) {
    const figure::Figure figure = drawn.at("encode", t);
    const figure::Element* bead = figure.find("read.bead");
    REQUIRE(bead != nullptr);
    CHECK(bead->rect.x >= at);
    at = bead->rect.x;
    for (const char* id : {"s.0", "s.title"}) CHECK(figure.find(id)->opacity == 0);
  }
  const auto fill = [&](float t) {
    return std::get<figure::Rectangle>(drawn.at("encode", t).find("read.bead")->shape).fill;
  };
  const figure::Palette& colours = figure::palette(figure::Theme::light);
  CHECK(fill(0) == colours.surface);
  CHECK(figure::luminance(fill(0.2F)) < figure::luminance(fill(0.1F)));
  CHECK(drawn.at("encode").find("read.bead") == nullptr);
  CHECK(drawn.at("encode").find("s.0")->opacity == 1);
}

TEST_CASE("translate: of many words every one that gets a tenth of the light is told, and named by the context") {
  const Drawn drawn("committee");
  const auto weights = drawn.trace.at("weights").values.row(kWeek);
  const figure::Figure figure = drawn.at("context");
  for (int j = 0; j < weights.size(); ++j) {
    if (weights(j) < 0.1F) continue;
    CHECK(figure.find("stage.share." + std::to_string(j)) != nullptr);
    CHECK(
        text_of(figure, "context.said").contains(drawn.trace.at("source").column_labels[static_cast<std::size_t>(j)]));
  }
}
