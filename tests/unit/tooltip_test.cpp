// What is said of that on which the mouse rests.
#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "app/app.h"
#include "app/commands.h"
#include "app/input.h"
#include "app/page.h"
#include "app/under.h"
#include "figure/formula.h"
#include "scenes/common/sentence.h"
#include "unit/app_support.h"
#include "unit/fonts.h"

using namespace limelight;
using namespace limelight::app;
using namespace limelight::test;

namespace {

void rest_on(App& app, figure::Point at) {
  Pointer pointer;
  pointer_moved(app, page_of(app), pointer, {at.x, at.y - 1});
  pointer_moved(app, page_of(app), pointer, at);
  advance(app, app.now + 1.1, 0);
}

// All that is said; empty where nothing is.
std::string said_in(const Page& page) {
  std::string said;
  for (const figure::Element& element : page.figure.elements) {
    if (!element.id.starts_with("shell.tooltip")) continue;
    if (const auto* text = std::get_if<figure::Text>(&element.shape)) said += text->text + " ";
    if (const auto* box = std::get_if<figure::FormulaBox>(&element.shape)) said += figure::plain(box->formula) + " ";
  }
  return said;
}

}  // namespace

TEST_CASE("tooltips: a control's covers neither the figure nor the control, comes after a rest and goes with a click") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  REQUIRE(changed_to(app, "step", "9"));
  app.inspector = InspectorChoice::open;  // where all controls are
  const auto box = [&app] {
    const Page page = page_of(app);
    const figure::Element* element = page.figure.find("shell.tooltip");
    return element == nullptr ? std::nullopt : std::optional(element->rect);
  };
  for (const char* id : {"field.temperature", "field.scale.off", "field.mask.causal"}) {
    hover(app, id);
    CHECK(advance(app, app.now + 0.6, 0));
    CHECK_FALSE(box());
    advance(app, app.now + 0.2, 0);
    REQUIRE(box());
    const Page page = page_of(app);
    CHECK_FALSE(lie_over(*box(), page.regions.stage));
    CHECK(box()->right() <= app.width);
    CHECK_FALSE(lie_over(*box(), page.figure.find(id)->rect));
  }
  Pointer pointer;
  pointer_pressed(app, page_of(app), pointer, centre_of(page_of(app), "field.temperature"));
  CHECK_FALSE(box());
}

TEST_CASE("tooltips: a number says how it is computed, where neither the inspector nor a card of the figure does") {
  REQUIRE(test::load_fonts());
  for (const Size size : {Size{1024, 700}, {1280, 800}, {1920, 1080}}) {
    App app = make_app();
    app.width = size.width;
    app.height = size.height;
    const figure::Point share = centre_of(page_of(app), "stage.share.3");
    rest_on(app, share);
    const Page page = page_of(app);
    CHECK(said_in(page).find("how much jumped looks at fox") != std::string::npos);

    CHECK(said_in(page).find("≈ 0.5176") != std::string::npos);
    const figure::Element* card = page.figure.find("shell.tooltip");
    REQUIRE(card != nullptr);
    CHECK_FALSE(card->rect.contains(share));
    CHECK(card->rect.x >= 0);
    CHECK(card->rect.right() <= size.width);
    CHECK(card->rect.bottom() <= size.height);
    for (const figure::Element& element : page.figure.elements)
      if (element.id.starts_with("shell.tooltip.formula")) CHECK(element.rect.right() <= card->rect.right());

    rest_on(app, centre_of(page_of(app), "X.3"));
    CHECK(page_of(app).figure.find("callout.3.number") != nullptr);
    CHECK(said_in(page_of(app)).empty());
    rest_on(app, share);
    app.inspector = InspectorChoice::open;
    ++app.view_revision;
    CHECK(said_in(page_of(app)).empty());
    app.inspector = InspectorChoice::folded;
    REQUIRE(changed_to(app, "step", "softmax"));
    hover(app, "weights[4,3]");
    advance(app, app.now + 1.1, 0);
    CHECK(page_of(app).figure.find("weights.computed.3.box") != nullptr);
    CHECK(said_in(page_of(app)).empty());
  }
}

TEST_CASE("tooltips: of a weight in Layer the card tells its score, from the query and the key on, and the softmax") {
  REQUIRE(test::load_fonts());
  for (const auto& [step, weight, score] : {std::tuple{"query", "a[0,0]", "exp(6 / √6)"},
                                            {"self", "A_self[0,1]", "√4"},
                                            {"shuffle", "A_new[0,1]", "√4"},
                                            {"order", "A_pos[0,1]", "√4"}}) {
    App app = make_app();
    app.width = 1280;
    app.height = 800;
    REQUIRE(open_link(app, std::string("v=2&scene=layer&step=") + step));
    hover(app, weight);
    advance(app, app.now + 1.1, 0);
    const std::string said = said_in(page_of(app));
    CAPTURE(said);
    CHECK(said.find(score) != std::string::npos);
    CHECK(said.find("exp") != std::string::npos);
  }
}

TEST_CASE("tooltips: a number's card covers no word of the sentence, no percentage and no card") {
  REQUIRE(test::load_fonts());
  constexpr float kAir = 8;  // px around letters that can be pressed
  for (const Size size : {Size{1280, 800}, {1920, 1080}})
    for (int word = 0; word < 9; ++word) {
      CAPTURE(size.width);
      CAPTURE(word);
      App app = make_app();
      app.width = size.width;
      app.height = size.height;
      rest_on(app, centre_of(page_of(app), "stage.share." + std::to_string(word)));
      const Page page = page_of(app);
      const figure::Element* card = page.figure.find("shell.tooltip");
      REQUIRE(card != nullptr);
      CHECK(card->rect.x >= page.regions.stage.x);
      CHECK(card->rect.right() <= page.regions.stage.right());
      for (const figure::Element& element : page.figure.elements) {
        const bool is_read = element.id.starts_with("stage.share.") || element.id.ends_with(".box") ||
                             (element.id.starts_with("stage.word.") && element.id.ends_with(".text"));
        CAPTURE(element.id);
        if (is_read) CHECK_FALSE(lie_over(card->rect, element.rect.inset(kAir)));
      }
    }
}

TEST_CASE("cards: at most one at a time, beside what it explains, off the lamp and on the stage, in every step") {
  REQUIRE(test::load_fonts());
  const std::string kOfCard = ".shadow.1";
  for (const char* preset : {"fox", "coffee"})
    for (const Size size : {Size{1280, 800}, {390, 844}})
      for (int step = 1; step <= 9; ++step) {
        App app = make_app();
        app.width = size.width;
        app.height = size.height;
        REQUIRE(changed_to(app, "preset", preset));
        REQUIRE(changed_to(app, "step", std::to_string(step)));
        const Page resting = page_of(app);
        for (const figure::Element& shown : resting.figure.elements) {
          const figure::CellRange* range = range_of(shown);
          if (shown.role != figure::Role::cell || (range == nullptr && !shown.source) ||
              shown.id.starts_with("callout."))  // in a card
            continue;
          const int last = range == nullptr ? 0 : range->rows * range->columns - 1;
          for (const int cell : {0, last / 2 + 1, last}) {
            const figure::Rect at = range == nullptr
                                        ? shown.rect
                                        : cell_rect(shown, range->row + std::min(cell, last) / range->columns,
                                                    range->column + std::min(cell, last) % range->columns)
                                              .value();
            rest_on(app, at.centre());
            if (!figure::parse_cell_id(app.hovered)) continue;  // what lies below a phone's stage
            const Page page = page_of(app);
            CAPTURE(preset);
            CAPTURE(size.width);
            CAPTURE(step);
            CAPTURE(shown.id);
            CAPTURE(cell);
            std::vector<const figure::Element*> cards;
            for (const figure::Element& element : page.figure.elements) {
              if (element.id == "shell.tooltip") cards.push_back(&element);
              if (!element.id.ends_with(kOfCard)) continue;  // of a card, or of a lens
              const std::string box = element.id.substr(0, element.id.size() - kOfCard.size()) + ".box";
              if (const figure::Element* card = page.figure.find(box)) cards.push_back(card);
            }
            CHECK(cards.size() <= 1);
            if (cards.empty()) continue;
            const figure::Rect card = cards.front()->rect;
            CAPTURE(cards.front()->id);
            if (range != nullptr || std::holds_alternative<figure::Text>(shown.shape)) CHECK_FALSE(lie_over(card, at));
            if (const figure::Element* lamp = page.figure.find(scenes::kLampId))
              CHECK_FALSE(lie_over(card, lamp->rect));
            CHECK(card.x >= page.regions.stage.x);
            CHECK(card.right() <= page.regions.stage.right() + 0.5F);
            CHECK(card.y >= page.regions.stage.y);
            if (!app.compact()) CHECK(card.bottom() <= page.regions.stage.bottom());
          }
        }
      }
}

TEST_CASE("tooltips: a button says what it does where its name does not") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  for (const char* query : {"1", "2", "3"}) REQUIRE(changed_to(app, "query", query));
  undo(app);
  for (const char* id : {"shell.share", "shell.compare", "shell.export", "shell.theme", "shell.undo", "shell.redo"}) {
    CAPTURE(id);
    rest_on(app, centre_of(page_of(app), id));
    const std::string label = page_of(app).figure.find(id)->label;
    CHECK(said_in(page_of(app)) == label + " ");
  }
}
