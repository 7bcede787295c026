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
    const State state = with(which, {{"head", "1"}, {"mask", "none"}});
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
  // Where none was chosen a causal one is shown, and hides nothing in other steps; painted, or none, all is open.
  const auto lit = [](const State& state_of, const char* id) {
    float later = 0;
    for (const figure::Element& element : drawn_at(state_of, heads::compute(state_of, {}), id, 1).elements)
      if (const auto* light = std::get_if<figure::Light>(&element.shape))
        for (const figure::Light::Beam& beam : light->beams)
          if (beam.column > state_of.query) later += beam.intensity;
    return later;
  };
  const io::Patch last{{"head", "4"}, {"query", "2"}};
  CHECK(lit(with(Preset::cat, last), "mask") == 0);
  CHECK(lit(with(Preset::cat, last), "weights") > 0);
  for (const char* open : {"mask=none", "M=6.0:0"}) {
    io::Patch patch = last;
    patch.emplace_back(std::string(open).substr(0, std::string_view(open).find('=')),
                       std::string(open).substr(std::string_view(open).find('=') + 1));
    CHECK(lit(with(Preset::cat, patch), "mask") > 0);
  }
}

TEST_CASE("heads: the causal mask that is shown at first is the one that a press chooses") {
  REQUIRE(test::load_fonts());
  const State shown = with(Preset::cat, {{"head", "4"}, {"query", "2"}});
  const figure::Figure figure = drawn(shown, "mask");
  const figure::Element* cell = figure.find("M[0,3]");
  REQUIRE(cell->edit);
  State chosen = shown;
  REQUIRE(change(chosen, {{cell->edit->field, cell->edit->value}}));
  CHECK(chosen.mask == heads::Masking::causal);
  const figure::Figure then = drawn(chosen, "mask");
  const Trace trace = heads::compute(chosen, {});
  for (int i = 0; i < heads::sizes(shown).queries; ++i)
    for (int j = 0; j < heads::sizes(shown).keys; ++j) {
      const std::string id = figure::cell_id({"M", i, j});
      CHECK(std::get<figure::Rectangle>(figure.find(id)->shape).fill ==
            std::get<figure::Rectangle>(then.find(id)->shape).fill);
      CHECK((figure.find(id + ".struck") != nullptr) == (j > i));
    }
  CHECK(heads::narrate(shown, heads::compute(shown, {}), {.place = {step("mask"), 0}}).contains("must **not see it**"));
}

TEST_CASE("heads: row after row loses its light under the mask") {
  REQUIRE(test::load_fonts());
  const State state = with(Preset::cat, {{"head", "4"}, {"query", "2"}});
  const Trace trace = heads::compute(state, {});
  const auto fill = [&](float t, int i, int j) {
    const figure::Figure figure = drawn_at(state, trace, "mask", t);
    return std::get<figure::Rectangle>(figure.find(figure::cell_id({"M", i, j}))->shape).fill;
  };
  const figure::Colour hidden = figure::palette(figure::Theme::light).track;
  const int last = heads::sizes(state).queries - 1;
  CHECK(fill(0.55F, 0, last) == hidden);
  CHECK_FALSE(fill(0.55F, last - 1, last) == hidden);
  for (int i = 0; i < last; ++i) CHECK(fill(1, i, last) == hidden);
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
                                               .place = {step("join"), 0},
                                               .hovered = figure::cell_id({"Y_1", heads::query_row(state), j})});
    double sum = 0;
    for (int h = 0; h < state.heads; ++h) sum += number_in(figure, "made.part.", h);
    CHECK(sum == doctest::Approx(number_in(figure, "made.said")).epsilon(1e-6));
    const auto whole = static_cast<double>(values(trace, "Y")(heads::query_row(state), j));
    CHECK(std::abs(number_in(figure, "made.said") - whole) < 0.0051);
    CHECK(figure.find("made.bar") != nullptr);
  }
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
