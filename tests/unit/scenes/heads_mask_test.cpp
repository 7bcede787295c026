// What holds for Heads' Mask, and for what a number of the output is said to be made of.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <tuple>

#include "scenes/heads/parts.h"
#include "unit/fonts.h"
#include "unit/scenes/heads_support.h"

using namespace limelight;
using namespace limelight::test;

TEST_CASE(
    "heads: each of the mask’s cells stands below its key’s word and beside its query’s, as bright as its weight") {
  REQUIRE(test::load_fonts());
  for (const Preset which : kPresetsOfAll) {
    const State state = with(which, {{"head", "1"}});
    const figure::Figure figure = drawn(state, "mask");
    const Matrix A = values(heads::compute(state, {}), "A_1");
    const auto fill = [&](Eigen::Index i, Eigen::Index j) {
      const figure::Element* cell = figure.find(figure::cell_id({"M", static_cast<int>(i), static_cast<int>(j)}));
      return std::get<figure::Rectangle>(cell->shape).fill;
    };
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      const figure::Element* row = figure.find("M.row." + std::to_string(i));
      REQUIRE(row != nullptr);
      for (Eigen::Index j = 0; j < A.cols(); ++j) {
        const figure::Rect cell = figure.find(figure::cell_id({"M", static_cast<int>(i), static_cast<int>(j)}))->rect;
        CHECK(std::abs(row->rect.centre().y - cell.centre().y) < 2);
        const figure::Element* word = figure.find("stage.word." + std::to_string(j));
        REQUIRE(word != nullptr);
        CHECK(std::abs(word->rect.centre().x - cell.centre().x) < 2);
        for (Eigen::Index k = 0; k < A.cols(); ++k)
          if (A(i, j) < A(i, k)) CHECK(fill(i, j).b >= fill(i, k).b);
      }
    }
  }
}

TEST_CASE("heads: no light comes to what the mask hides, and a shutter stands over it") {
  REQUIRE(test::load_fonts());
  const State state = with(Preset::cat, {{"mask", "causal"}, {"head", "4"}, {"query", "2"}});
  const Trace trace = heads::compute(state, {});
  for (const float t : {0.75F, 1.F}) {
    const figure::Figure figure = drawn_at(state, trace, "mask", t);
    for (const figure::Element& element : figure.elements)
      if (const auto* light = std::get_if<figure::Light>(&element.shape))
        for (const figure::Light::Beam& beam : light->beams)
          if (beam.column > state.query) CHECK(beam.intensity == 0);
    for (int j = 0; j < heads::sizes(state).keys; ++j)
      CHECK((figure.find("shutter." + std::to_string(j)) != nullptr) == (j > state.query));
  }
  // Where nothing is masked a causal one is seen at work on the way, and then all is as it is.
  const State open = with(Preset::cat, {{"head", "4"}, {"query", "2"}});
  const auto lit = [&](float t) {
    float later = 0;
    for (const figure::Element& element : drawn_at(open, heads::compute(open, {}), "mask", t).elements)
      if (const auto* light = std::get_if<figure::Light>(&element.shape))
        for (const figure::Light::Beam& beam : light->beams)
          if (beam.column > open.query) later += beam.intensity;
    return later;
  };
  CHECK(lit(0.75F) == 0);
  CHECK(lit(1) > 0);
}

TEST_CASE(
    "heads: while a mask that is not chosen is shown, its chip says so, row after row loses its light, and comes "
    "back") {
  REQUIRE(test::load_fonts());
  const State state = with(Preset::cat, {{"head", "4"}, {"query", "2"}});
  const Trace trace = heads::compute(state, {});
  const auto chosen = [&](const figure::Figure& figure, std::string_view mask) {
    const auto chip = std::ranges::find_if(figure.elements, [&](const figure::Element& element) {
      return element.edit && element.edit->field == "mask" && element.edit->value == mask;
    });
    return std::get<figure::Rectangle>(chip->shape).fill == figure::palette(figure::Theme::light).accent;
  };
  const auto fill = [&](const figure::Figure& figure, int i, int j) {
    return std::get<figure::Rectangle>(figure.find(figure::cell_id({"M", i, j}))->shape).fill;
  };
  const figure::Colour hidden = figure::palette(figure::Theme::light).track;
  const figure::Figure on_the_way = drawn_at(state, trace, "mask", 0.47F),
                       shown = drawn_at(state, trace, "mask", 0.78F), rests = drawn_at(state, trace, "mask", 1);
  const int last = heads::sizes(state).queries - 1;
  for (const figure::Figure* figure : {&on_the_way, &shown}) CHECK(chosen(*figure, "causal"));
  // What is told is what is shown.
  const auto told = [&](float t) { return heads::narrate(state, trace, {.place = {step("mask"), 0}, .t = t}); };
  for (const float t : {0.F, 0.2F, 0.5F, 0.78F}) CHECK(told(t).starts_with("Suppose no word could look ahead"));
  for (const float t : {0.82F, 1.F}) CHECK(told(t).starts_with("No mask"));
  CHECK(chosen(rests, "none"));
  CHECK(fill(on_the_way, 0, last) == hidden);
  CHECK_FALSE(fill(on_the_way, last - 1, last) == hidden);
  for (int i = 0; i < last; ++i)
    for (int j = i + 1; j <= last; ++j) CHECK(fill(shown, i, j) == hidden);
  CHECK_FALSE(fill(rests, 0, last) == hidden);
  // With a mask that is chosen no other one is shown.
  const State causal = with(Preset::cat, {{"mask", "causal"}, {"head", "4"}});
  for (const float t : {0.2F, 0.5F, 0.9F})
    CHECK(chosen(drawn_at(causal, heads::compute(causal, {}), "mask", t), "causal"));
}

TEST_CASE("heads: of One head first the word asks, then light comes, then what it gives, then what others would") {
  REQUIRE(test::load_fonts());
  const State state = preset(Preset::cat);
  const Trace trace = heads::compute(state, {});
  const auto sum = [&](float t) {  // of the light, of what is given, of the best heads' columns
    figure::Point light{}, columns{};
    for (const figure::Element& element : drawn_at(state, trace, "one", t).elements) {
      if (const auto* beams = std::get_if<figure::Light>(&element.shape))
        for (const figure::Light::Beam& beam : beams->beams) light.x += beam.intensity;
      if (element.id.starts_with("wish.") && element.id.ends_with(".given")) columns.x += element.rect.h;
      if (element.id.starts_with("A_")) columns.y += element.rect.h;
    }
    return std::tuple(light.x, columns.x, columns.y);
  };
  const auto [no_light, nothing, none] = sum(0.2F);
  CHECK(no_light == 0);
  const auto [light, still, yet] = sum(0.45F);
  CHECK(light > 0);
  CHECK(still == 0);
  const auto [all, given, best] = sum(0.7F);
  CHECK(given > 0);
  CHECK(best == 0);
  CHECK(std::get<2>(sum(1)) > 0);
  const auto asks = [&](float t) { return drawn_at(state, trace, "one", t).find("asks") != nullptr; };
  CHECK(asks(0.1F));
  CHECK_FALSE(asks(1));
}

TEST_CASE("heads: where nothing is masked a line says what a causal mask would hide, and nowhere else") {
  REQUIRE(test::load_fonts());
  const State state = with(Preset::cat, {{"head", "1"}});
  const figure::Figure figure = drawn(state, "mask");
  const State masked = with(Preset::cat, {{"mask", "causal"}, {"head", "1"}});
  const figure::Element* line = figure.find("M.causal");
  REQUIRE(line != nullptr);
  const auto& points = std::get<figure::Line>(line->shape).points;
  const int count = heads::sizes(state).queries;
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < count; ++j) {
      const figure::Point middle = figure.find(figure::cell_id({"M", i, j}))->rect.centre();
      // Above and to the right of the line, in its row.
      const bool beyond = middle.x > points[2 * static_cast<std::size_t>(i)].x;
      CHECK(beyond == !heads::allowed(masked)(i, j));
    }
  CHECK(drawn(masked, "mask").find("M.causal") == nullptr);
  CHECK(drawn(with(Preset::cat, {{"M", "0.0:0"}}), "mask").find("M.causal") == nullptr);
  CHECK(drawn(preset(Preset::crossed), "mask").find("M.causal") == nullptr);
}

TEST_CASE(
    "heads: the mask is shown with the head that looks most at what comes later, and keeps it when that is hidden") {
  REQUIRE(test::load_fonts());
  for (const char* mask : {"none", "causal"}) {
    const State state = with(Preset::crossed, {{"attention", "self"}, {"mask", mask}});
    const Trace trace = heads::compute(state, {});
    const int head = heads::masked_head(state, trace);
    CHECK(heads::pattern_of(state, head) == heads::Pattern::computed);
    for (int h = 0; h < state.heads && mask == std::string("none"); ++h)
      if (heads::pattern_of(state, h) == heads::Pattern::computed)
        CHECK(heads::later_share(values(trace, of_head("A", h))) <=
              heads::later_share(values(trace, of_head("A", head))));
    CHECK(heads::masked_head(with(Preset::crossed, {{"head", "2"}}), trace) == 1);
    const figure::Figure figure = drawn(state, "mask");
    CHECK(std::get<figure::Text>(figure.find("stage.lamp.name")->shape)
              .text.starts_with("head " + std::to_string(head + 1)));
    CHECK(head == heads::masked_head(state, heads::compute(with(Preset::crossed, {{"attention", "self"}}), {})));
  }
}

namespace {

// The number that a text ends with.
double number_in(const figure::Figure& figure, const char* id, int h = -1) {
  std::string text = std::get<figure::Text>(figure.find(id + (h < 0 ? std::string() : std::to_string(h)))->shape).text;
  if (const std::size_t minus = text.find("−"); minus != std::string::npos) text.replace(minus, 3, "-");
  return std::stod(
      text.substr(text.find_first_of("-0123456789", text.find(':') == std::string::npos ? 0 : text.find(':'))));
}

}  // namespace

TEST_CASE("heads: the bar of the output that is pointed at is told with what each head adds, and the sum is true") {
  REQUIRE(test::load_fonts());
  const State state = preset(Preset::cat);
  const Trace trace = heads::compute(state, {});
  const int model = heads::sizes(state).model;
  for (int j = 0; j < model; ++j) {
    const figure::Figure figure = heads::draw(state, trace,
                                              {.width = 1136,
                                               .height = 560,
                                               .place = {4, 0},
                                               .hovered = figure::cell_id({"Y_1", heads::query_row(state), j})});
    double sum = 0;
    for (int h = 0; h < state.heads; ++h) sum += number_in(figure, "made.part.", h);
    CHECK(sum == doctest::Approx(number_in(figure, "made.said")).epsilon(1e-6));
    const auto whole = static_cast<double>(values(trace, "Y")(heads::query_row(state), j));
    CHECK(std::abs(number_in(figure, "made.said") - whole) < 0.0051);
    CHECK(figure.find("made.bar") != nullptr);
  }
}

TEST_CASE("heads: of the ribbons into the output those of the bar that is told stand out, once all has come") {
  REQUIRE(test::load_fonts());
  const State state = preset(Preset::cat);
  const auto alpha = [&](int group, float t) {
    View view{.width = 1208, .height = 560, .place = {step("join"), 0}, .t = t};
    view.hovered = figure::cell_id({"Y", state.query, 3});
    const figure::Figure figure = heads::draw(state, heads::compute(state, {}), view);
    return std::get<figure::Ribbon>(figure.find("head.1.ribbon." + std::to_string(group))->shape).stops[0].colour.a;
  };
  CHECK(alpha(3, 1) > 4 * alpha(2, 1));
  CHECK(alpha(3, 0.84F) == alpha(2, 0.84F));
}

TEST_CASE("heads: under a mask the lamp is named by the word that its light falls on most") {
  REQUIRE(test::load_fonts());
  const State state = with(Preset::cat, {{"mask", "causal"}, {"head", "1"}, {"query", "3"}});
  const Matrix A = values(heads::compute(state, {}), "A_1");
  Eigen::Index best = 0;
  A.row(3).maxCoeff(&best);
  const figure::Figure figure = drawn(state, "mask");
  CHECK(std::get<figure::Text>(figure.find("stage.lamp.name")->shape)
            .text.ends_with("→ " + key_words(state)[static_cast<std::size_t>(best)]));
}
