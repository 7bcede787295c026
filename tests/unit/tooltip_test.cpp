// What is said of that on which the mouse rests.
#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <variant>

#include "app/app.h"
#include "app/input.h"
#include "app/page.h"
#include "figure/formula.h"
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
    CHECK_FALSE(overlap(*box(), page.regions.stage));
    CHECK(box()->right() <= app.width);
    CHECK_FALSE(overlap(*box(), page.figure.find(id)->rect));
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
    CHECK(said_in(page).find("jumped → fox") != std::string::npos);

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
        if (is_read) CHECK_FALSE(overlap(card->rect, element.rect.inset(kAir)));
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
