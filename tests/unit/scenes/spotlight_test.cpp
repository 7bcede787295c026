#include "scenes/spotlight/spotlight.h"
#include "scenes/common/sentence.h"

#include <doctest/doctest.h>

#include <any>
#include <charconv>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "core/attention.h"
#include "embedded/golden_spotlight.h"
#include "io/numbers.h"
#include "scenes/common/words.h"
#include "unit/fonts.h"
#include "unit/json_reader.h"
#include "unit/scenes/sentences.h"

using namespace limelight;
using namespace limelight::scenes;
using spotlight::Preset;
using spotlight::State;
using test::check_refused;

namespace {

// "coffee.X" → its numbers, row by row.
std::map<std::string, std::vector<double>> goldens() {
  std::map<std::string, std::vector<double>> found;
  const test::Json file = test::JsonReader(embedded::golden_spotlight).read();
  for (const std::string& article : file.names)
    for (const std::string& name : file.at(article).names)
      found[article + "." + name] = file.at(article).at(name).numbers();
  return found;
}

constexpr Preset kPresetsOfAll[] = {Preset::coffee, Preset::day1, Preset::fox, Preset::cat, Preset::apple, Preset::own};

State preset(Preset which) {
  State state;
  state.preset = which;
  return state.example();
}

Result<void> set_text(State& state, const std::string& text) {
  std::any any = state;
  const Result<void> changed = find("spotlight")->change(any, {{"text", text}});
  state = state_in<State>(any);
  return changed;
}

std::string words(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += (i > 0 ? " w" : "w") + std::to_string(i);
  return text;
}

double cosine(const Matrix& rows, int a, int b) {
  return rows.row(a).dot(rows.row(b)) / (rows.row(a).norm() * rows.row(b).norm());
}

}  // namespace

TEST_CASE("spotlight: the numbers of both seed articles, to the project's tolerance") {
  const auto golden = goldens();
  struct Article {
    std::string name;
    Preset which;
    int tensors;
  };
  for (const Article& article : {Article{"coffee", Preset::coffee, 7}, Article{"day1", Preset::day1, 6}}) {
    const Trace trace = spotlight::compute(preset(article.which), {});
    int compared = 0;
    for (const Tensor& tensor : trace.tensors) {
      const auto expected = golden.find(article.name + "." + tensor.name);
      if (expected == golden.end()) continue;
      CAPTURE(expected->first);
      ++compared;
      REQUIRE(expected->second.size() == static_cast<std::size_t>(tensor.values.size()));
      for (Eigen::Index i = 0; i < tensor.values.size(); ++i) {
        const double x = expected->second[static_cast<std::size_t>(i)];
        // Single precision against an article's double, rounded to nine digits.
        CHECK(std::abs(static_cast<double>(tensor.values.data()[i]) - x) <= 1e-6 * std::max(1.0, std::abs(x)));
      }
    }
    CHECK(compared == article.tensors);
  }
}

TEST_CASE("spotlight: day 1 is not scaled and has nothing before Q, K and V") {
  const Trace trace = spotlight::compute(preset(Preset::day1), {});
  CHECK(trace.at("scaled").values == trace.at("scores").values);
  for (const std::string_view name : {"X", "W_q", "W_k", "W_v"}) CHECK(trace.find(name) == nullptr);
}

TEST_CASE("spotlight: in the other presets the scores are divided by √d") {
  for (const Preset which : {Preset::coffee, Preset::fox, Preset::cat, Preset::apple, Preset::own}) {
    const Trace trace = spotlight::compute(preset(which), {});
    const Matrix expected = trace.at("scores").values / std::sqrt(static_cast<float>(trace.at("K").columns()));
    CHECK(trace.at("scaled").values.isApprox(expected, 1e-6F));
  }
}

TEST_CASE("spotlight: jumped finds fox and over, and not lazy") {
  const Trace trace = spotlight::compute(preset(Preset::fox), {});
  const Tensor& weights = trace.at("weights");
  const auto index = [&](std::string_view word) {
    const auto found = std::ranges::find(weights.row_labels, word);
    REQUIRE(found != weights.row_labels.end());
    return static_cast<Eigen::Index>(found - weights.row_labels.begin());
  };
  const auto jumped = weights.values.row(index("jumped"));
  CHECK(jumped(index("fox")) > 0.3F);
  CHECK(jumped(index("over")) > 0.3F);
  CHECK(jumped(index("lazy")) < 0.05F);
  CHECK(spotlight::query_row(preset(Preset::fox)) == index("jumped"));
}

TEST_CASE("spotlight: what the question calls right is what half the temperature does, by the definition") {
  for (const Preset which : {Preset::fox, Preset::coffee, Preset::day1, Preset::cat, Preset::apple, Preset::own})
    for (const double temperature : {0.05, 0.08, 1.0, 20.0}) {
      State state = preset(which);
      state.temperature = temperature;
      const Trace trace = spotlight::compute(state, {});
      const std::optional<Question> question = spotlight::ask(state, trace);
      REQUIRE(question);
      const MatrixOf<double> Q = trace.at("Q").values.cast<double>();
      const MatrixOf<double> K = trace.at("K").values.cast<double>();
      const MatrixOf<double> one_hot =
          MatrixOf<double>::Identity(K.rows(), K.rows());  // values that make the output the weights
      const double scale = spotlight::scale_factor(state, static_cast<int>(K.cols()));
      const auto weights = [&](double t) {
        return attend_naive<double>(Q, K, one_hot, {.scale = scale, .temperature = t});
      };
      const int row = spotlight::query_row(state);
      Eigen::Index best = 0;
      const double now = weights(temperature).row(row).maxCoeff(&best);
      const double then = weights(std::max(0.05, temperature / 2))(row, best);
      CAPTURE(now);
      CAPTURE(then);
      // "The same" within half of what one digit of the shown percentages is worth.
      const std::string expected = then > now + 0.0005 ? "more" : then < now - 0.0005 ? "less" : "the same";
      CHECK(question->options[static_cast<std::size_t>(question->correct)] == expected);
    }
}

TEST_CASE("spotlight: a map whose rows have scales of their own never says that its brightest is 1") {
  REQUIRE(test::load_fonts());
  for (const int step : {7, 9})
    for (const auto colours : {spotlight::Colours::row, spotlight::Colours::zero_one}) {
      State state;
      state.colours = colours;
      const Trace trace = spotlight::compute(state, {});
      const figure::Figure figure = spotlight::draw(state, trace, {.width = 756, .height = 572, .place = {step, 0}});
      const figure::Element* bar = figure.find("weights.bar");
      REQUIRE(bar != nullptr);
      CHECK((std::get<figure::ColourBar>(bar->shape).words.back() == "max") == (colours == spotlight::Colours::row));
      CHECK((figure.find("weights.caption") != nullptr) == (colours == spotlight::Colours::row));
    }
}

TEST_CASE("spotlight: each word says its share, and its light falls on it and not on another") {
  REQUIRE(test::load_fonts());
  for (const Preset which : kPresetsOfAll)
    for (const auto& [width, height] : {std::pair{756.F, 572.F}, {1396.F, 852.F}, {390.F, 534.F}, {720.F, 368.F}})
      for (const int step : {1, 9}) {
        const State state = preset(which);
        if (step == 1 && state.given()) continue;  // begins with Q, K and V
        CAPTURE(state.text);
        CAPTURE(width);
        CAPTURE(step);
        const Trace trace = spotlight::compute(state, {});
        const figure::Figure figure =
            spotlight::draw(state, trace, {.width = width, .height = height, .place = {step, 0}});
        const auto row = trace.at("weights").values.row(spotlight::query_row(state));
        const figure::Element* light = figure.find("stage.light");
        REQUIRE(light != nullptr);
        const std::vector<figure::Light::Beam>& beams = std::get<figure::Light>(light->shape).beams;
        CHECK(beams.size() == static_cast<std::size_t>(row.cols()));
        for (const figure::Light::Beam& beam : beams) {
          const std::string j = std::to_string(beam.column);
          const figure::Element* share = figure.find("stage.share." + j);
          REQUIRE(share != nullptr);
          CHECK(std::get<figure::Text>(share->shape).text == share_text(row(beam.column)));
          const figure::Rect letters = figure.find("stage.word." + j + ".text")->rect;
          CHECK((width < 560 ? letters.centre().y == doctest::Approx(beam.to.y)
                             : letters.centre().x == doctest::Approx(beam.to.x)));
        }
      }
}

TEST_CASE("spotlight: in a low frame the weights and their light are seen without scrolling") {
  REQUIRE(test::load_fonts());
  for (const Preset which : kPresetsOfAll)
    for (const auto& [width, height] : {std::pair{720.F, 368.F}, {600.F, 288.F}})
      for (const int step : {1, 7, 9}) {
        const State state = preset(which);
        CAPTURE(step);
        CAPTURE(height);
        const figure::Figure figure = spotlight::draw(state, spotlight::compute(state, {}),
                                                      {.width = width, .height = height, .place = {step, 0}});
        CHECK(figure.height <= height);
      }
}

namespace {

// Every matrix has its numbers, and none lies under another one or under the stage.
void check_readable(const figure::Figure& figure) {
  std::vector<figure::Rect> rects;
  for (const figure::Element& element : figure.elements) {
    const auto* cells = std::get_if<figure::MatrixCells>(&element.shape);
    const auto* map = std::get_if<figure::Heatmap>(&element.shape);
    if (cells == nullptr && map == nullptr && element.id != "stage.card") continue;
    CAPTURE(element.id);
    // A word's numbers and what comes of them stand on the stage's card.
    if (element.id.starts_with("X.") || element.id == "output") continue;
    // What a lens and a strip hold has its numbers beside it.
    if (element.id.starts_with("W_") && figure.find(element.id + ".glass") != nullptr) continue;
    if (element.id.starts_with("V.")) continue;
    if (cells != nullptr || map != nullptr) CHECK((cells != nullptr ? cells->text_size : map->text_size) >= 10);
    for (const figure::Rect& other : rects)
      CHECK((element.rect.x >= other.right() || element.rect.right() <= other.x || element.rect.y >= other.bottom() ||
             element.rect.bottom() <= other.y));
    rects.push_back(element.rect);
    CHECK(element.rect.bottom() <= figure.height);
  }
}

}  // namespace

TEST_CASE("spotlight: on a phone on its side every number is readable, further down where it must") {
  REQUIRE(test::load_fonts());
  const State state = preset(Preset::coffee);
  const Trace trace = spotlight::compute(state, {});
  for (const float width : {560.F, 600.F, 844.F})
    for (const float height : {160.F, 203.F, 217.F, 279.F})
      for (const scenes::Place place :
           {scenes::Place{1, 0}, {3, 0}, {4, 0}, {5, 0}, {6, 0}, {7, 0}, {7, 1}, {7, 4}, {8, 0}, {9, 0}}) {
        CAPTURE(width);
        CAPTURE(height);
        CAPTURE(place.step);
        check_readable(spotlight::draw(state, trace, {.width = width, .height = height, .place = place}));
      }
}

TEST_CASE("spotlight: long words are cut before numbers are given up, and stay in their pools of light") {
  REQUIRE(test::load_fonts());
  for (const char* text : {"antidisestablishmentarianism is long", "incomprehensibilities incomprehensibilities b"})
    for (const auto& [width, height] : {std::pair{756.F, 572.F}, {390.F, 534.F}, {1396.F, 852.F}})
      for (const int step : {5, 6, 7, 9}) {
        State state;
        REQUIRE(set_text(state, text));
        CAPTURE(width);
        CAPTURE(step);
        const figure::Figure figure = spotlight::draw(state, spotlight::compute(state, {}),
                                                      {.width = width, .height = height, .place = {step, 0}});
        check_readable(figure);
        float end = 0, line = -1;
        for (const figure::Element& element : figure.elements)
          if (const auto* word = std::get_if<figure::Text>(&element.shape);
              word != nullptr && element.id.starts_with("stage.word.")) {
            const float wide = text::measure(word->face, word->size, word->text);
            if (!element.id.ends_with(".text")) CHECK(wide <= element.rect.w);
            if (!element.id.ends_with(".text") || width < 560) continue;
            // Beside short words a long one may be wider than its slot.
            const float left = element.rect.centre().x - wide / 2;
            CHECK(left >= 0);
            CHECK(left + wide <= width);
            if (element.rect.y == line) CHECK(left >= end);
            end = left + wide;
            line = element.rect.y;
          }
      }
}

TEST_CASE("spotlight: labels are not cut where that does not keep the numbers") {
  REQUIRE(test::load_fonts());
  const State state = preset(Preset::fox);
  const figure::Figure figure =
      spotlight::draw(state, spotlight::compute(state, {}), {.width = 390, .height = 534, .place = {9, 0}});
  CHECK(std::get<figure::Heatmap>(figure.find("weights")->shape).text_size >= 9);
  CHECK(std::get<figure::Text>(figure.find("weights.row.4")->shape).text == "jumped");
}

TEST_CASE("spotlight: brightness is in proportion to the weight up to a half, but for a glimmer of whatever is not 0") {
  REQUIRE(test::load_fonts());
  for (const Preset which : kPresetsOfAll) {
    const State state = preset(which);
    const Trace trace = spotlight::compute(state, {});
    const auto row = trace.at("weights").values.row(spotlight::query_row(state));
    const figure::Figure figure = spotlight::draw(state, trace, {.width = 756, .height = 572, .place = {9, 0}});
    const auto& beams = std::get<figure::Light>(figure.find("stage.light")->shape).beams;
    const figure::Light::Beam& best = *std::ranges::max_element(beams, {}, &figure::Light::Beam::intensity);
    CHECK(row(best.column) == doctest::Approx(row.maxCoeff()));
    constexpr float kGain = 1.65F;  // of light on a light ground
    for (const figure::Light::Beam& beam : beams) {
      const float weight = row(beam.column);  // a fifth of what is beyond a half, so that words stay readable
      const float seen = std::min(weight, 0.5F) + 0.2F * std::max(weight - 0.5F, 0.F);
      const float glimmer = beam.intensity - kGain * 1.42F * seen;
      CHECK(glimmer > -1e-4F);
      CHECK(glimmer < kGain * 0.055F + 1e-4F);
    }
  }
}

TEST_CASE("spotlight: a word that is pointed at asks, and nothing else changes") {
  REQUIRE(test::load_fonts());
  const State state = preset(Preset::fox);
  const Trace trace = spotlight::compute(state, {});
  for (const int step : {1, 9}) {
    scenes::View view{.width = 1216, .height = 576, .place = {step, 0}};
    view.hovered = "stage.word.7";
    const figure::Figure pointed = spotlight::draw(state, trace, view);
    State set = state;
    set.query = 7;
    view.hovered.clear();
    const figure::Figure clicked = spotlight::draw(set, trace, view);
    CHECK(std::get<figure::Light>(pointed.find("stage.light")->shape).beams[3].intensity ==
          std::get<figure::Light>(clicked.find("stage.light")->shape).beams[3].intensity);
    CHECK(spotlight::query_row(state) == 4);
    view.hovered = "stage.word.99";  // is no word
    CHECK(std::get<figure::Light>(spotlight::draw(state, trace, view).find("stage.light")->shape).beams[0].row == 4);
  }
}

TEST_CASE("spotlight: of 64 words the map has most of the room") {
  REQUIRE(test::load_fonts());
  State state;
  REQUIRE(set_text(state, words(64)));
  const Trace trace = spotlight::compute(state, {});
  for (const int step : {7, 9}) {
    const figure::Figure figure = spotlight::draw(state, trace, {.width = 756, .height = 572, .place = {step, 0}});
    CHECK(figure.find("weights")->rect.w >= 300);
    CHECK(figure.height <= 572);
  }
}

TEST_CASE("spotlight: on a phone a finger's zoom buttons fit beside a map's title, 8 px above its column labels") {
  REQUIRE(test::load_fonts());
  constexpr float finger = 44, gap = 8;
  for (const Preset which : {Preset::fox, Preset::own}) {
    const State state = preset(which);
    const figure::Figure figure =
        spotlight::draw(state, spotlight::compute(state, {}), {.width = 390, .height = 534, .place = {7, 0}});
    const figure::Element* title = figure.find("weights.title");
    const figure::Element* label = figure.find("weights.column.0");
    REQUIRE(title != nullptr);
    REQUIRE(label != nullptr);
    if (std::get<figure::Heatmap>(figure.find("weights")->shape).text_size > 0) continue;  // not zoomable
    CHECK(label->rect.y >= title->rect.centre().y + finger / 2 + gap);
  }
}

TEST_CASE("spotlight: a step shows what it does for the query before anything is pointed at") {
  REQUIRE(test::load_fonts());
  const State state = preset(Preset::fox);
  const Trace trace = spotlight::compute(state, {});
  const std::string row = std::to_string(state.query);
  const auto figure_of = [&](int step) {
    return spotlight::draw(state, trace, {.width = 756, .height = 572, .place = {step, 0}});
  };
  for (const std::string& name : {"X." + row, std::string("Q"), std::string("K"), std::string("V")})
    CHECK(figure_of(4).find("outline." + name + "." + row + ".-1") != nullptr);
  const std::string best = std::to_string(spotlight::best_key(trace, "scores", state.query));
  CHECK(figure_of(5).find("outline.Q." + row + ".-1") != nullptr);
  CHECK(figure_of(5).find("outline.K." + best + ".-1") != nullptr);
  CHECK(figure_of(5).find("outline.scores." + row + "." + best) != nullptr);
  const int most = spotlight::largest_first(trace.at("output").values, state.query).front();
  CHECK(figure_of(8).find("outline.output." + row + "." + std::to_string(most)) != nullptr);
}

TEST_CASE("spotlight: cells that cannot be wider use the height that is left") {
  REQUIRE(test::load_fonts());
  const State state = preset(Preset::fox);
  const figure::Figure figure =
      spotlight::draw(state, spotlight::compute(state, {}), {.width = 756, .height = 572, .place = {9, 0}});
  CHECK(figure.find("weights")->rect.h >= 28 * 9);
  CHECK(figure.height <= 572);
}

TEST_CASE("spotlight: a weight set by hand keeps its row's sum and mixes the output") {
  std::any any = preset(Preset::coffee);
  REQUIRE(find("spotlight")->change(any, {{"weights", "0.1:1"}}));
  const Trace trace = spotlight::compute(state_in<State>(any), {});
  CHECK(trace.at("output").values.row(0).isApprox(trace.at("V").values.row(1)));
  check_refused(find("spotlight")->change(any, {{"weights", "0.0:0.5"}}));                  // 1 + 0.5
  check_refused(find("spotlight")->change(any, {{"weights", "1.0:0.1,1.1:0.1,1.2:0.1"}}));  // a whole row of 0.3
}

TEST_CASE("spotlight: the causal mask hides later words and sets their scaled scores to −∞") {
  State state = preset(Preset::cat);
  state.mask = spotlight::Masking::causal;
  const Trace trace = spotlight::compute(state, {});
  const Matrix& scaled = trace.at("scaled").values;
  for (int i = 0; i < scaled.rows(); ++i)
    for (int j = 0; j < scaled.cols(); ++j) {
      CHECK((trace.at("weights").values(i, j) == 0) == (j > i));
      CHECK(std::isinf(scaled(i, j)) == (j > i));
    }
}

TEST_CASE("embedding rule: the same word has the same vector, wherever it stands and however it is capitalised") {
  const Matrix a = embed_words({"the", "cat", "The"}, 8);
  const Matrix b = embed_words({"cat", "sat", "on", "the"}, 8);
  CHECK(a.row(0) == b.row(3));
  CHECK(a.row(1) == b.row(0));
  CHECK(a.row(0) == a.row(2));
  CHECK(a.row(0) != a.row(1));
}

TEST_CASE("embedding rule: related spellings are nearer than unrelated ones") {
  for (const int size : {8, 16, 32, 64}) {
    const Matrix rows = embed_words({"walk", "walked", "banana", "coffee", "coffees"}, size);
    CAPTURE(size);
    CHECK(cosine(rows, 0, 1) > cosine(rows, 0, 2));
    CHECK(cosine(rows, 3, 4) > cosine(rows, 3, 2));
    CHECK(cosine(rows, 3, 4) > cosine(rows, 3, 0));
  }
}

TEST_CASE("embedding rule: every vector has the length √d, and entries are hundredths") {
  for (const int size : {2, 3, 8, 64}) {
    const Matrix rows = embed_words({"a", "word", "🙂", "."}, size);
    for (int i = 0; i < rows.rows(); ++i) {
      // Each entry was rounded by at most 0.005.
      CHECK(std::abs(rows.row(i).norm() - std::sqrt(static_cast<float>(size))) <
            0.005F * std::sqrt(static_cast<float>(size)) + 1e-5F);
      for (int j = 0; j < size; ++j) CHECK(std::abs(rows(i, j) * 100 - std::round(rows(i, j) * 100)) < 1e-3F);
    }
  }
}

TEST_CASE("own sentence: typing makes it one's own, and the words are those of the text") {
  State state;
  REQUIRE(set_text(state, "Hello, world!"));
  CHECK(state.preset == Preset::own);
  CHECK(spotlight::query_words(state) == std::vector<std::string>{"Hello", ",", "world", "!"});
}

TEST_CASE(
    "own sentence: 64 tokens are accepted; 65 are refused with their count, 10,000 with a sentence; nothing is kept") {
  State state;
  REQUIRE(set_text(state, words(64)));
  CHECK(spotlight::compute(state, {}).at("weights").rows() == 64);
  const Result<void> refused = set_text(state, words(65));
  check_refused(refused);
  CHECK(refused.error().message.find("65") != std::string::npos);
  CHECK(refused.error().message.find("64") != std::string::npos);
  check_refused(set_text(state, words(10'000)));
  CHECK(state.text == words(64));
}

TEST_CASE("own sentence: a text without words is refused") {
  State state;
  for (const std::string text : {"", "   ", "\n\t", "\u00A0", "\u3000"}) check_refused(set_text(state, text));
  CHECK(state.preset == Preset::fox);
}

TEST_CASE("own sentence: any script can be computed and drawn at every step") {
  REQUIRE(test::load_fonts());
  const std::string longest_word(4000, 'x');
  for (const std::string& text :
       {std::string("🙂 👩‍👩‍👧 🇫🇷 👍🏽"), std::string("السلام عليكم ورحمة الله"),
        std::string("e\u0301 a\u0308o\u0302 \u0301"), std::string("日本語の文です"), std::string("a"), std::string("."),
        std::string("\xFF\xFE broken \x80"), longest_word, std::string("\u202Eright to left\u202C")}) {
    State state;
    CAPTURE(text);
    const Result<void> changed = set_text(state, text);
    if (!changed) FAIL(changed.error().message);
    for (const int d : {2, 64}) {
      state.d = d;
      const Trace trace = spotlight::compute(state, {});
      CHECK(trace.at("output").values.allFinite());
      for (int step = 1; step <= static_cast<int>(spotlight::steps().size()); ++step)
        for (const float width : {360.F, 756.F}) {
          const figure::Figure figure =
              spotlight::draw(state, trace, {.width = width, .height = 592, .place = {step, 0}});
          for (const figure::Element& element : figure.elements) {
            if (element.role == figure::Role::none) continue;
            CAPTURE(step);
            CAPTURE(width);
            CAPTURE(d);
            CAPTURE(element.id);
            CHECK(element.rect.x >= -0.5F);
            CHECK(element.rect.right() <= width + 0.5F);
          }
        }
    }
  }
}

TEST_CASE("cells: those of what is computed cannot be edited, and the sentence says what can") {
  for (const auto& [which, field] : {std::pair{"coffee", "Q"}, {"coffee", "K"}, {"day1", "X"}, {"day1", "W_q"}}) {
    std::any state = find("spotlight")->initial();
    check_refused(find("spotlight")->change(state, {{"preset", which}, {field, "0.0:1"}}));
  }
  std::any state = find("spotlight")->initial();
  const Result<void> outside = find("spotlight")->change(state, {{"W_q", "9.1:1"}});
  check_refused(outside);
  CHECK(outside.error().message.find("6×6") != std::string::npos);
}

TEST_CASE("own sentence: a text that is too long for any reader is refused, also as one word") {
  State state;
  const Result<void> refused = set_text(state, std::string(5000, 'x'));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.find("5000") != std::string::npos);
}

TEST_CASE("weights by hand: what is masked stays 0, and only visible words share what is left") {
  std::any state = scenes::find("spotlight")->initial();
  const auto* scene = scenes::find("spotlight");
  REQUIRE(scene->change(state, {{"mask", "causal"}, {"weights", "1.0:0.25"}}));
  const Trace trace = scene->compute(state, {});
  CHECK(trace.at("weights").values(1, 0) == 0.25F);
  CHECK(trace.at("weights").values(1, 1) == 0.75F);
  CHECK(trace.at("weights").values(1, 2) == 0);
  CHECK_FALSE(scene->change(state, {{"weights", "0.2:0.5"}}));  // masked
}

TEST_CASE("spotlight: what was set by hand stays with its words while others are typed around them") {
  const SceneDef& scene = *find("spotlight");
  std::any state = scene.initial();
  const auto set = [&](const io::Patch& patch) { REQUIRE(scene.change(state, patch)); };
  const auto value = [&](std::string_view name) {
    for (const io::FieldInfo& info : scene.fields(state))
      if (info.field.name == name) return info.value;
    return std::string();
  };
  set({{"text", "dogs chase cats"}});
  set({{"W_q", "0.0:5"}, {"X", "0.1:7,2.3:9"}, {"query", "2"}});
  set({{"text", "dogs chase small cats"}});
  CHECK(value("W_q") == "0.0:5");
  CHECK(value("X") == "0.1:7,3.3:9");
  CHECK(value("query") == "3");
  set({{"text", "cats"}});
  CHECK(value("X") == "0.3:9");
  set({{"text", "cats"}});  // the same once more
  CHECK(value("X") == "0.3:9");
  set({{"text", "cats cats"}, {"X", "0.0:1,1.0:2"}});
  set({{"text", "cats"}});
  CHECK(value("X").starts_with("0.0:1"));
  set({{"text", "mice"}});
  CHECK(value("X").empty());
  CHECK(value("W_q") == "0.0:5");
  set({{"preset", "cat"}});
  CHECK(value("W_q").empty());
}
