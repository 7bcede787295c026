// A figure that is taken along as a picture: all that it shows, nothing that is pressed, and no hole where that stood.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/commands.h"
#include "app/page.h"
#include "figure/cut.h"
#include "figure/paint.h"
#include "unit/scenes/scene_support.h"

using namespace limelight;
using namespace limelight::figure;

namespace {

// These can be pressed, and are drawings all the same: without them a picture would lack what it is about.
constexpr std::array<std::string_view, 11> kDrawn{{
    "M[",              // a cell of the mask
    "band.",           // which columns are a head's
    "cell.",           // a picture's cell
    "choose.",         // a score's card has its name there
    "dot.",            // a head among the others, as far as it moves
    "form.",           // a row of the table of attention's forms
    "off.",            // in a grid of heads, which are off
    "small.",          // a head among the others, and its light
    "strip.",          // a head among the others
    "turn.",           // a word on a card
    "night.written.",  // a letter that was written
}};

bool is_control(const Element& element) {
  const bool pressed = element.role == Role::button || element.role == Role::toggle || element.role == Role::slider ||
                       element.role == Role::text_input;
  const bool painted = std::holds_alternative<Rectangle>(element.shape) || element.role == Role::slider;
  return pressed && painted &&
         std::ranges::none_of(kDrawn, [&](std::string_view prefix) { return element.id.starts_with(prefix); });
}

// Where the ink of what is drawn lies, as pixels of the canvas have it: [left, top, right, bottom], of a picture on a
// transparent ground.
std::array<int, 4> ink_of(const Image& image) {
  std::array<int, 4> ink{image.width, image.height, -1, -1};
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x)
      if (image.rgba[static_cast<std::size_t>(4 * (y * image.width + x) + 3)] > 8)
        ink = {std::min(ink[0], x), std::min(ink[1], y), std::max(ink[2], x), std::max(ink[3], y)};
  return ink;
}

// What only the page can be told to do.
constexpr std::array<std::string_view, 13> kAsked{
    {"choose", "click", "double", "drag", "drop", "hover", "paste", "pick", "press", "select", "tap", "try", "type"}};

// The words of what is written, in small letters.
std::vector<std::string> words_of(const Element& element) {
  std::string text;
  if (const auto* written = std::get_if<Text>(&element.shape)) text = written->text;
  if (const auto* box = std::get_if<FormulaBox>(&element.shape)) text = plain(box->formula);
  std::vector<std::string> words{""};
  for (const char c : text)
    if (std::isalpha(static_cast<unsigned char>(c)) != 0)
      words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else
      words.emplace_back();
  return words;
}

// Of a matrix' row or column, or a list of such: words of the sentence, whatever they say.
bool is_label(const Trace& trace, const Element& element) {
  const auto* text = std::get_if<Text>(&element.shape);
  if (element.id.starts_with("weights.faint.")) return true;
  const auto has = [&](const std::vector<std::string>& labels) {
    return std::ranges::find(labels, text->text) != labels.end();
  };
  return text != nullptr && std::ranges::any_of(trace.tensors, [&](const Tensor& tensor) {
           return has(tensor.row_labels) || has(tensor.column_labels);
         });
}

// A ring is drawn on its rim.
bool is_ring(const Figure& figure, const Element& element) {
  return element.id.ends_with(".rim") || figure.find(element.id + ".rim") != nullptr;
}

bool has_text(const Figure& figure, std::string_view text) {
  return std::ranges::any_of(figure.elements, [&](const Element& element) {
    const auto* written = std::get_if<Text>(&element.shape);
    return written != nullptr && written->text == text;
  });
}

std::multiset<std::string> drawn_in(const Figure& figure) {
  std::multiset<std::string> ids;
  for (const Element& element : figure.elements)
    if (!element.furniture && !std::holds_alternative<std::monostate>(element.shape)) ids.insert(element.id);
  return ids;
}

Figure figure_at(std::string_view link, app::App& app) {
  REQUIRE(test::load_fonts());
  app = app::make_app();
  REQUIRE(app::open_link(app, link));
  return app::draw_stage(app);
}

}  // namespace

TEST_CASE("cut: a picture of any step has nothing to press, and lacks nothing else that is painted") {
  test::each_step([](app::App& app) {
    const Figure stage = app::draw_stage(app);
    const Result<Cut> cut = cut_out(stage, app.trace, "all", Ground::transparent);
    CAPTURE(app::link(app));
    REQUIRE(cut);
    for (const Element& element : cut->figure.elements) {
      CAPTURE(element.id);
      if (is_control(element) || element.furniture) CHECK(false);
    }
    // What is not there is furniture, or paints nothing.
    std::multiset<std::string> lost = drawn_in(stage);
    for (const std::string& id : drawn_in(cut->figure)) lost.erase(lost.find(id));
    for (const Element& element : stage.elements) {
      if (!lost.contains(element.id) || element.furniture) continue;
      CAPTURE(element.id);
      Figure alone{.width = stage.width, .height = stage.height};
      alone.add(element);
      if (const auto ink = ink_of(raster(alone, app.trace, 1)); ink[2] >= 0) CHECK(ink[2] < 0);
    }
  });
}

TEST_CASE("cut: no picture asks its reader to do what can only be done on the page") {
  test::each_step([](app::App& app) {
    scenes::View narrow = app::view_of(app, 390, 700);
    narrow.touch = true;
    for (const Figure& stage : {app::draw_stage(app), app::draw_stage(app, narrow)}) {
      const Result<Cut> cut = cut_out(stage, app.trace, "all", Ground::white);
      CAPTURE(app::link(app));
      CAPTURE(stage.width);
      REQUIRE(cut);
      for (const Element& element : cut->figure.elements)
        for (const std::string& word : words_of(element)) {
          if (std::ranges::find(kAsked, word) == kAsked.end() || is_label(app.trace, element)) continue;
          CAPTURE(element.id);
          CHECK(word == "");
        }
    }
  });
}

TEST_CASE("cut: every picture is as large as what is painted in it, with the same margin all around") {
  test::each_step([](app::App& app) {
    const Result<Cut> cut = cut_out(app::draw_stage(app), app.trace, "all", Ground::transparent);
    REQUIRE(cut);
    if (cut->figure.elements.empty()) return;
    Figure painted = cut->figure;  // light has no edge; see below
    std::erase_if(painted.elements,
                  [](const Element& element) { return std::holds_alternative<Light>(element.shape); });
    const auto [left, top, right, bottom] = ink_of(raster(painted, app.trace, 1));
    const auto width = static_cast<int>(cut->figure.width), height = static_cast<int>(cut->figure.height);
    CAPTURE(app::link(app));
    // Letters need not reach as high and low as they might, nor curves as far as what draws them.
    const std::array<int, 4> margins{left, top, width - 1 - right, height - 1 - bottom};
    for (const int margin : margins) {
      if (margin < 14) CHECK(margin >= 14);
      if (margin > 40) CHECK(margin <= 40);
    }
  });
}

TEST_CASE("cut: what light reaches a picture's edge is less than a tenth of what there can be") {
  test::each_step([](app::App& app) {
    const Result<Cut> cut = cut_out(app::draw_stage(app), app.trace, "all", Ground::transparent);
    REQUIRE(cut);
    Figure lit = cut->figure;
    std::erase_if(lit.elements, [](const Element& element) { return !std::holds_alternative<Light>(element.shape); });
    if (lit.elements.empty()) return;
    CAPTURE(app::link(app));
    const Image image = raster(lit, app.trace, 1);
    for (int y = 0; y < image.height; ++y)
      for (int x = 0; x < image.width; ++x) {
        if (x > 0 && y > 0 && x + 1 < image.width && y + 1 < image.height) continue;
        const int alpha = image.rgba[static_cast<std::size_t>(4 * (y * image.width + x) + 3)];
        if (alpha >= 26) CHECK(alpha < 26);
      }
  });
}

TEST_CASE("cut: rows that only held what is pressed leave no hole, and what they were between keeps its order") {
  test::each_step([](app::App& app) {
    const Figure stage = app::draw_stage(app);
    const Result<Cut> closed = cut_out(stage, app.trace, "all", Ground::transparent);
    const Result<Cut> kept = cut_out(stage, app.trace, "all", Ground::transparent, Gaps::kept);
    REQUIRE(closed);
    REQUIRE(kept);
    CAPTURE(app::link(app));
    REQUIRE(closed->figure.elements.size() == kept->figure.elements.size());
    CHECK(closed->figure.height <= kept->figure.height);
    CHECK(closed->figure.width == kept->figure.width);
    for (std::size_t i = 0; i < kept->figure.elements.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const auto y = [&](const Result<Cut>& cut, std::size_t which) { return cut->figure.elements[which].rect.y; };
        if (y(kept, i) + 1 < y(kept, j) && y(closed, i) > y(closed, j)) CHECK(false);
      }
  });
  app::App app;
  figure_at("v=2&scene=sentence&step=pair", app);
  test::bring_resources(app);
  const Figure stage = app::draw_stage(app);
  CHECK(cut_out(stage, app.trace, "all", Ground::theme)->figure.height <
        cut_out(stage, app.trace, "all", Ground::theme, Gaps::kept)->figure.height - 20);
}

TEST_CASE("cut: each panel by itself is smaller than the whole, has its title and its numbers, and leaves others out") {
  test::each_step([](app::App& app) {
    const Figure stage = app::draw_stage(app);
    const std::vector<TitledPanel> panels = panels_of(stage);
    const Result<Cut> whole = cut_out(stage, app.trace, "all", Ground::theme);
    REQUIRE(whole);
    for (const TitledPanel& panel : panels) {
      CAPTURE(app::link(app));
      CAPTURE(panel.id);
      CHECK(!panel.title.empty());
      const Result<Cut> cut = cut_out(stage, app.trace, panel.id, Ground::theme);
      REQUIRE(cut);
      const bool titled = cut->figure.find(panel.id + ".title") != nullptr;
      const bool on_card = cut->figure.find(panel.id + ".card") != nullptr;
      CHECK((titled || on_card));
      CHECK(cut->figure.width <= whole->figure.width);
      CHECK(cut->figure.height <= whole->figure.height);
      CHECK(std::ranges::any_of(cut->figure.elements,
                                [&](const Element& element) { return element.id != panel.id + ".title"; }));
      for (const TitledPanel& other : panels)
        if (other.id != panel.id) CHECK(cut->figure.find(other.id + ".title") == nullptr);
    }
  });
}

TEST_CASE("cut: a panel by itself shows more than its title, and no frame around nothing") {
  test::each_step([](app::App& app) {
    const Figure stage = app::draw_stage(app);
    for (const TitledPanel& panel : panels_of(stage)) {
      const Result<Cut> cut = cut_out(stage, app.trace, panel.id, Ground::theme);
      CAPTURE(app::link(app));
      CAPTURE(panel.id);
      REQUIRE(cut);
      const auto& elements = cut->figure.elements;
      const auto shows = [&](const Element& element) {
        return element.id != panel.id + ".title" && element.id != panel.id + ".card" && !is_ring(cut->figure, element);
      };
      CHECK(std::ranges::any_of(elements, shows));
      for (const Element& ring : elements) {
        if (!ring.id.ends_with(".rim") || ring.rect.w == 0) continue;
        CAPTURE(ring.id);
        const bool around = std::ranges::any_of(elements, [&](const Element& element) {
          return shows(element) &&
                 (element.rect.contains(ring.rect.centre()) || ring.rect.contains(element.rect.centre()));
        });
        if (!around) CHECK(around);
      }
    }
  });
}

TEST_CASE("cut: panels side by side have their own names, and those of one table its words") {
  app::App app;
  const Figure looks = figure_at("v=1&scene=patches&step=5&k=3", app);
  const std::vector<TitledPanel> panels = panels_of(looks);
  const Result<Cut> all = cut_out(looks, app.trace, "all", Ground::white);
  CHECK(panels.size() == 3);
  for (const std::string name : {"soft", "hard", "top-3"}) {
    CAPTURE(name);
    const auto panel = std::ranges::find(panels, name, &TitledPanel::title);
    CHECK(has_text(all->figure, name));
    const bool found = panel != panels.end();
    CHECK(found);
    if (found) CHECK(has_text(cut_out(looks, app.trace, panel->id, Ground::white)->figure, name));
  }
  const Figure inside = figure_at("v=1&scene=train&step=3", app);
  for (const char* tensor : {"of.scores", "of.weights"}) {
    const Result<Cut> of = cut_out(inside, app.trace, tensor, Ground::white);
    REQUIRE(of);
    CHECK(of->figure.find(tensor) != nullptr);
  }
  const auto titles = [&](std::string_view link) {
    std::vector<std::string> made;
    for (const auto& [id, title] : panels_of(figure_at(link, app))) made.push_back(title);
    return made;
  };
  using Titles = std::vector<std::string>;
  CHECK(titles("v=1&scene=spotlight&step=3") == Titles{"embeddings", "query matrix", "key matrix", "value matrix"});
  CHECK(titles("v=1&scene=spotlight&step=9") == Titles{"The sentence in the light of she", "output", "weights"});
  CHECK(titles("v=1&scene=limits&step=5") == Titles{"Softmax along the keys", "Softmax down the queries"});
}

TEST_CASE("cut: panels that are chosen keep their places, and what is between them") {
  app::App app;
  const Figure stage = figure_at("v=2&scene=layer&step=self&numbers=on", app);
  const std::vector<TitledPanel> panels = panels_of(stage);
  REQUIRE(panels.size() > 2);
  const std::string &first = panels[0].id, &second = panels[1].id;  // a sign is between them
  const Result<Cut> one = cut_out(stage, app.trace, first, Ground::theme);
  const Result<Cut> both = cut_out(stage, app.trace, first + "," + second, Ground::theme);
  REQUIRE(one);
  REQUIRE(both);
  const auto place = [](const Cut& cut, std::string_view id) {
    const Rect rect = cut.figure.find(id)->rect;
    return Point{rect.x + cut.corner.x, rect.y + cut.corner.y};
  };
  for (const Cut& cut : {*one, *both}) {
    const Rect there = stage.find(first)->rect;
    CHECK(place(cut, first).x == doctest::Approx(there.x));
    CHECK(place(cut, first).y == doctest::Approx(there.y));
  }
  CHECK(one->figure.find(second) == nullptr);
  CHECK(both->figure.find(second) != nullptr);
  const auto signs = [](const Figure& figure) {
    return std::ranges::count_if(figure.elements, [](const Element& e) { return e.id.starts_with("joint"); });
  };
  CHECK(signs(both->figure) > signs(one->figure));
}

TEST_CASE("cut: bars by themselves have their numbers, also those that the figure shows a second time") {
  app::App app;
  const Figure stage = figure_at("v=1&scene=score&step=1", app);
  for (const char* panel : {"contest.dot", "contest.cosine"}) {
    const Result<Cut> cut = cut_out(stage, app.trace, panel, Ground::theme);
    REQUIRE(cut);
    CHECK(std::ranges::count_if(cut->figure.elements, [](const Element& one) { return one.source.has_value(); }) == 3);
  }
}

TEST_CASE("cut: the ground is the theme's, white or nothing; other words and other panels are refused by name") {
  app::App app;
  const Figure stage = figure_at("v=1&scene=spotlight&step=5&theme=dark", app);
  const auto ground = [&](Ground which) { return cut_out(stage, app.trace, "all", which)->figure.background; };
  CHECK(ground(Ground::theme) == stage.background);
  CHECK(ground(Ground::white) == Colour{255, 255, 255, 255});
  CHECK(ground(Ground::transparent).a == 0);
  CHECK(read_ground("white") == Ground::white);
  CHECK(read_ground("grey").error().message == "The ground is \"grey\"; it can be theme, white or transparent.");
  for (const char* bad : {"", "nothing", "K,", ",K", "K, Q", "all,K"}) {
    const Result<Cut> cut = cut_out(stage, app.trace, bad, Ground::theme);
    CAPTURE(bad);
    REQUIRE_FALSE(cut);
    CHECK(cut.error().message.find("Q, K, scores and product") != std::string::npos);
    CHECK(cut.error().message.ends_with('.'));
  }
}
