// Where the words of a sentence stand.
#include <doctest/doctest.h>

#include <algorithm>
#include <any>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "core/random.h"
#include "scenes/common/lines.h"
#include "scenes/common/sentence.h"
#include "scenes/scene.h"
#include "scenes/spotlight/spotlight.h"
#include "unit/fonts.h"

using namespace limelight;
using namespace limelight::scenes;
using spotlight::State;

TEST_CASE("slots: more words than have room side by side are a text over the map, whose columns have their names") {
  REQUIRE(test::load_fonts());
  for (const int words : {17, 40, 64}) {
    std::string text;
    for (int i = 0; i < words; ++i) text += (i > 0 ? " w" : "w") + std::to_string(i);
    for (const int query : {0, 11, words - 1})
      for (const float width : {1856.F, 1188.F, 600.F}) {
        CAPTURE(words);
        CAPTURE(query);
        CAPTURE(width);
        std::any any = State{};
        REQUIRE(find("spotlight")->change(any, {{"text", text}, {"query", std::to_string(query)}}));
        const State& state = state_in<State>(any);
        const Trace trace = spotlight::compute(state, {});
        const View view{.width = width, .height = width > 1000 && query == 11 ? 540.F : 576.F, .place = {9, 0}};
        const figure::Figure figure = spotlight::draw(state, trace, view);
        const figure::Element* map = figure.find("weights");
        REQUIRE(map != nullptr);
        const figure::CellRange& shown = std::get<figure::Heatmap>(map->shape).range;
        int names = 0;
        for (int word = 0; word < words; ++word) {
          const figure::Element* letters = figure.find(word_id(word) + ".text");
          REQUIRE(letters != nullptr);
          CHECK_FALSE(std::get<figure::Text>(letters->shape).vertical);
          CHECK(letters->rect.bottom() < map->rect.y);
          const figure::Element* name = figure.find("weights.column." + std::to_string(word));
          if (name == nullptr) continue;
          ++names;
          const figure::Rect cell = *figure::cell_rect(*map, shown.row, word);
          CHECK(name->rect.centre().x == doctest::Approx(cell.centre().x).epsilon(0.002));
        }
        CHECK(names >= words / 3);
        CHECK(shown.columns == words);
        CHECK(shown.rows == words);
        CHECK(map->rect.bottom() <= figure.height);
      }
  }
}

TEST_CASE(
    "slots: a long sentence begins as a text: every word in its place in a line, from left to right, with its light") {
  REQUIRE(test::load_fonts());
  for (const int words : {17, 40, 64}) {
    std::string text;
    for (int i = 0; i < words; ++i) text += (i > 0 ? " w" : "w") + std::to_string(i);
    for (const int query : {0, 11, words - 1}) {
      std::any any = State{};
      REQUIRE(find("spotlight")->change(any, {{"text", text}, {"query", std::to_string(query)}}));
      const State& state = state_in<State>(any);
      const Trace trace = spotlight::compute(state, {});
      for (const float width : {1856.F, 1188.F, 600.F}) {
        CAPTURE(words);
        CAPTURE(width);
        const figure::Figure figure = spotlight::draw(state, trace, {.width = width, .height = 576, .place = {1, 0}});
        const auto& light = std::get<figure::Light>(figure.find(kLightId)->shape);
        REQUIRE(light.spots.size() >= 2 * static_cast<std::size_t>(words));
        const figure::Element* before = nullptr;
        for (int word = 0; word < words; ++word) {
          CAPTURE(word);
          const figure::Element* letters = figure.find(word_id(word) + ".text");
          REQUIRE(letters != nullptr);
          const auto& written = std::get<figure::Text>(letters->shape);
          CHECK(!written.vertical);
          CHECK(written.text == "w" + std::to_string(word));
          const bool next_line = before != nullptr && letters->rect.y > before->rect.bottom();
          if (before != nullptr) CHECK((next_line || letters->rect.x > before->rect.right()));
          if (before != nullptr) CHECK((!next_line || letters->rect.x < before->rect.x));
          // Its light falls on it.
          const figure::Point foot = light.spots[2 * static_cast<std::size_t>(word)].centre;
          CHECK(foot.x == doctest::Approx(letters->rect.centre().x).epsilon(0.001));
          CHECK(foot.y > letters->rect.bottom());
          CHECK(foot.y < letters->rect.bottom() + written.size);
          before = letters;
        }
        CHECK(figure.find(kLampId)->rect.centre().x ==
              doctest::Approx(figure.find(word_id(query))->rect.centre().x).epsilon(0.001));
      }
    }
  }
}

TEST_CASE(
    "lines: whatever the words and the place, each stands once in it, clear of the others, none wider or higher") {
  REQUIRE(test::load_fonts());
  Random random(7);
  int set = 0;
  for (int round = 0; round < 4000; ++round) {
    std::vector<std::string> words(1 + static_cast<std::size_t>(random.uniform() * 64));
    const double longest = 1 + random.uniform() * 39;
    for (std::string& word : words)
      for (double letters = random.uniform() * longest; letters > -1; --letters)
        word += static_cast<char>('a' + static_cast<int>(random.uniform() * 26));
    const auto between = [&](double least, double most) {
      return static_cast<float>(least + random.uniform() * (most - least));
    };
    const figure::Rect rect{between(0, 200), between(0, 200), between(300, 2000), between(100, 1000)};
    const float below = between(20, 90);
    const std::optional<Slots> slots = lines_of(words, rect, between(17, 50), below);
    if (!slots) continue;
    ++set;
    CAPTURE(round);
    REQUIRE(slots->lines.size() == words.size());
    constexpr float kTouch = 0.05F;  // px that sums of widths may be rounded by
    for (std::size_t word = 0; word < words.size(); ++word) {
      const figure::Rect& place = slots->lines[word];
      CHECK(place.x >= rect.x - kTouch);
      CHECK(place.right() <= rect.right() + kTouch);
      CHECK(place.y >= rect.y - kTouch);
      CHECK(place.bottom() + below <= rect.bottom() + kTouch);
      CHECK(text::measure(text::Face::display_bold, slots->size, words[word]) < place.w);
      if (word == 0) continue;
      const figure::Rect& before = slots->lines[word - 1];
      const bool same_line = std::abs(place.y - before.y) < kTouch;
      if (same_line) CHECK(place.x == doctest::Approx(before.right()).epsilon(0.001));
      if (!same_line) CHECK(place.y >= before.bottom() + below - kTouch);
    }
  }
  CHECK(set > 1000);
}

TEST_CASE("slots: the more evenly a long sentence's weights are shared out, the less light stands out in it") {
  REQUIRE(test::load_fonts());
  std::string text = "w0";
  for (int i = 1; i < 40; ++i) text += " w" + std::to_string(i);
  float before = 100;
  for (const char* temperature : {"1", "2", "5", "20"}) {
    std::any any = State{};
    REQUIRE(find("spotlight")->change(any, {{"text", text}, {"query", "3"}, {"temperature", temperature}}));
    const State& state = state_in<State>(any);
    const Trace trace = spotlight::compute(state, {});
    const figure::Figure figure = spotlight::draw(state, trace, {.width = 1188, .height = 576, .place = {1, 0}});
    const auto& beams = std::get<figure::Light>(figure.find(kLightId)->shape).beams;
    const float most = std::ranges::max_element(beams, {}, &figure::Light::Beam::intensity)->intensity;
    CAPTURE(temperature);
    CHECK(most < 0.8F * before);
    before = most;
  }
  CHECK(before < 0.1F);
}

TEST_CASE("slots: words that have room at their size stand in the middles of their slots") {
  REQUIRE(test::load_fonts());
  const std::vector<std::string> words{"the", "quick", "brown", "fox"};
  const Slots slots = figure::slots_of(words, Matrix::Identity(4, 4), true, {.left = 80, .width = 1000});
  CHECK(slots.size == 36);
  for (int word = 0; word < 4; ++word) CHECK(slots.centre(word) == doctest::Approx(80 + 250 * (word + 0.5)));
}

TEST_CASE("slots: where words move aside, they move as little as leaves air between them, to both sides alike") {
  REQUIRE(test::load_fonts());
  std::vector<std::string> words(15, "a");
  words[7] = "attention";
  const Slots slots = figure::slots_of(words, Matrix::Zero(1, 15), false, {.left = 80, .width = 560});
  CHECK(slots.count == 15);
  CHECK(slots.size >= 15);
  CHECK(slots.size < 22);
  float sum = 0;
  for (int word = 0; word < 15; ++word) {
    const float move = slots.centre(word) - slots.middle(word);
    sum += move;
    CHECK(std::abs(move) <= 0.4F * slots.pitch + 0.01F);
    CHECK(slots.to(word) == doctest::Approx(slots.from(word + 1)));
    CHECK(slots.from(word) < slots.centre(word));
  }
  CHECK(sum == doctest::Approx(0).epsilon(0.01));
  CHECK(slots.centre(6) < slots.middle(6));
  CHECK(slots.centre(8) > slots.middle(8));
  CHECK(slots.centre(0) == doctest::Approx(slots.middle(0)));
}

TEST_CASE("slots: of words that have no room beside each other at any size few are cut, more stand upright") {
  REQUIRE(test::load_fonts());
  for (const int count : {8, 9, 16, 17}) {
    CAPTURE(count);
    const std::vector<std::string> words(static_cast<std::size_t>(count), std::string(80, 'm'));
    const Slots slots = figure::slots_of(words, Matrix::Constant(count, count, 1.F / static_cast<float>(count)), true,
                                         {.left = 80, .width = 1000});
    CHECK(slots.count == count);
    CHECK(slots.cut == (count <= 8));
    CHECK(slots.upright == (count > 8));
  }
}

TEST_CASE("slots: words are as large as leaves air between them whichever of them asks") {
  REQUIRE(test::load_fonts());
  const std::vector<std::string> words{"the", "quick", "brown", "fox", "jumped", "over", "the", "lazy", "dog"};
  const auto n = static_cast<Eigen::Index>(words.size());
  const Matrix weights = Matrix::Constant(n, n, 0.06F) + 0.46F * Matrix::Identity(n, n).rowwise().reverse();
  const Slots slots = figure::slots_of(words, weights, true, {.left = 0, .width = 900});
  CHECK(slots.size < 36);
  REQUIRE(slots.size >= 22);
  // The least air that any query leaves between two neighbours with words of this size.
  const auto air = [&](float size) {
    const auto width = [&](Eigen::Index word, Eigen::Index query) {
      const bool asks = word == query;
      const float weight = weights(query, word);
      return text::measure(asks || weight >= 0.16F ? text::Face::display_bold : text::Face::display,
                           size + (asks ? 0.06F * size : 21 * size / 36 * weight),
                           words[static_cast<std::size_t>(word)]);
    };
    float least = 900;
    for (Eigen::Index query = 0; query < n; ++query)
      for (Eigen::Index word = 0; word + 1 < n; ++word)
        least = std::min(least, 100 - (width(word, query) + width(word + 1, query)) / 2);
    return least;
  };
  CHECK(air(slots.size) >= 11.99F);
  CHECK(air(slots.size + 1) < 12);
}

TEST_CASE("lit words: what is no word is smaller than words are, but where it asks or gets much light") {
  REQUIRE(test::load_fonts());
  const std::vector<std::string> words{"[START]", "the", ",", "fox", "."};
  for (const auto theme : {figure::Theme::light, figure::Theme::dark})
    for (int query = 0; query < 5; ++query)
      for (const int heavy : {0, 1, 4}) {
        CAPTURE(query);
        CAPTURE(heavy);
        std::vector<float> weights(5, 0.05F);
        weights[static_cast<std::size_t>(heavy)] = 0.8F;
        const Slots slots{.count = 5, .of = 5, .pitch = 200, .size = 30, .gain = 16};
        figure::Figure figure{.width = 1000, .height = 500};
        add_lit_words(figure, slots, {.words = words, .weights = weights, .query = query, .theme = theme},
                      {.words = 200, .shares = 240, .end = 250});
        for (int word = 0; word < 5; ++word) {
          CAPTURE(word);
          const auto& text = std::get<figure::Text>(figure.find(word_id(word) + ".text")->shape);
          const bool is_word = word == 1 || word == 3;
          CHECK((text.size < slots.size) == (!is_word && word != query && word != heavy));
        }
      }
}

TEST_CASE("lit words: weights that differ by a rounding are printed equal, on either side of a whole per cent, too") {
  for (const std::vector<float>& row :
       std::vector<std::vector<float>>{{0.04F, 0.03999996F, 0.92F}, {0.29999998F, 0.3F, 0.4F}}) {
    CHECK(whole_share_text(row, 0) == whole_share_text(row, 1));
    CHECK(share_text(row, 0) == share_text(row, 1));
  }
}

TEST_CASE(
    "lit words: equal weights are printed equal, and the shares that are told sum to their sum where that can be") {
  const auto number = [](const std::string& told) { return std::stof(told); };
  for (const std::vector<float>& row : std::vector<std::vector<float>>{{0.0375F, 0.0375F, 0.925F},
                                                                       {0.25F, 0.0375F, 0.675F, 0.0375F},
                                                                       {0.7556F, 0.1694F, 0.0375F, 0.0375F},
                                                                       {1 / 3.F, 1 / 3.F, 1 / 3.F},
                                                                       {0.065F, 0.065F, 0.675F, 0.195F},
                                                                       {0.4962F, 0.2516F, 0.2522F},
                                                                       {0.125F, 0.125F, 0.125F, 0.625F}}) {
    const bool thirds = row[0] == row[1] && row[1] == row[2];  // 99.9 % or 100.2 %
    float sum = 0;
    const int count = static_cast<int>(row.size());
    for (int i = 0; i < count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      sum += number(share_text(row, i));
      CHECK(std::abs(number(share_text(row, i)) - 100 * row[at]) <= 0.5F);
      for (int j = 0; j < i; ++j) {
        if (row[at] != row[static_cast<std::size_t>(j)]) continue;
        CHECK(share_text(row, i) == share_text(row, j));
        CHECK(whole_share_text(row, i) == whole_share_text(row, j));
      }
    }
    if (thirds) continue;
    CHECK(sum == doctest::Approx(100));
  }
}
