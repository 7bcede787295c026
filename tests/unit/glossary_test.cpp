// The glossary and the texts of the scenes keep up with each other.
#include "scenes/glossary.h"
#include "scenes/place.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "app/app.h"
#include "app/commands.h"
#include "app/input.h"
#include "app/opened.h"
#include "app/page.h"
#include "app/terms.h"
#include "figure/formula.h"
#include "scenes/scene.h"
#include "unit/app_support.h"
#include "unit/fonts.h"
#include "unit/models.h"

using namespace limelight;
using namespace limelight::scenes;
using test::page_of;

namespace {

std::vector<std::string> terms_in(std::string_view text) {
  std::vector<std::string> names;
  for (const Mention& mention : mentions(text)) names.emplace_back(mention.term->name);
  return names;
}

using Resources = std::map<std::string, std::any, std::less<>>;

// With the trained weights that the step needs.
Trace computed(const SceneDef& scene, const std::any& state, int step) {
  static Resources resources;
  for (const Resource* resource : scene.needs(state, {step, 0})) {
    if (resources.find(resource->name) != resources.end()) continue;
    Result<std::any> read = resource->read(test::model_bytes(resource->name), resource->name);
    REQUIRE(read);
    resources.emplace(resource->name, std::move(*read));
  }
  return scene.compute(state, {.resources = &resources});
}

// Every text of a step.
std::string said(const SceneDef& scene, const std::any& state, int step) {
  const Trace trace = computed(scene, state, step);
  const View view{.place = {step, scene.steps()[static_cast<std::size_t>(step - 1)].parts.empty() ? 0 : 2}};
  const Step& at = scene.steps()[static_cast<std::size_t>(step - 1)];
  std::string all = std::string(at.name) + "\n" + std::string(at.caption) + "\n";
  for (const Part& part : at.parts) all += std::string(part.name) + "\n";
  all += scene.narrate(state, trace, view) + "\n" + scene.narrate(state, trace, {.place = {step, 0}}) + "\n" +
         scene.provenance(state) + "\n";
  if (const auto question = scene.ask(state, trace)) all += question->text + "\n" + question->answer + "\n";
  for (const io::FieldInfo& info : scene.fields(state)) {
    all += std::string(info.field.label) + "\n" + std::string(info.field.hint) + "\n";
    for (const io::Choice& choice : info.field.choices) all += std::string(choice.label) + "\n";
  }
  for (const Tensor& tensor : trace.tensors) {
    all += tensor.name + "\n";
    const auto inspection = scene.inspect(state, trace, view, figure::cell_id({tensor.name, 0, 0}));
    if (!inspection) continue;
    all += inspection->title + "\n" + inspection->note + "\n";
    for (const figure::Formula& line : inspection->lines) all += figure::plain(line) + "\n";
  }
  for (const figure::Element& element : scene.draw(state, trace, view).elements) {
    all += element.label + "\n";
    if (const auto* words = std::get_if<figure::Text>(&element.shape)) all += words->text + "\n";
  }
  return all;
}

// The state of every example, and of every choice and switch set by itself.
std::vector<std::any> states(const SceneDef& scene) {
  std::vector<std::any> all{scene.initial()};
  for (const io::FieldInfo& info : scene.fields(scene.initial())) {
    std::vector<std::string> values;
    for (const io::Choice& choice : info.field.choices) values.emplace_back(choice.value);
    if (info.kind == io::FieldKind::toggle) values = {"on", "off"};
    for (const std::string& value : values) {
      std::any state = scene.initial();
      if (scene.change(state, {{std::string(info.field.name), value}})) all.push_back(std::move(state));
    }
  }
  return all;
}

}  // namespace

TEST_CASE("glossary: every name and every other form is found, and is of one term only") {
  for (const Term& term : glossary()) {
    CAPTURE(term.name);
    CHECK(find_term(term.name) == &term);
    CHECK(term.meaning.size() > 20);
    CHECK(term.meaning.size() < 200);
    CHECK(term.meaning.ends_with('.'));
    CHECK(terms_in(term.name) == std::vector<std::string>{std::string(term.name)});
    std::string all = std::string(term.name) + "|" + std::string(term.forms);
    if (all.ends_with('|')) all.pop_back();
    for (std::size_t at = 0; at <= all.size();) {
      const std::size_t bar = std::min(all.find('|', at), all.size());
      const std::string form = all.substr(at, bar - at);
      CAPTURE(form);
      CHECK_FALSE(form.empty());
      CHECK(terms_in("a " + form + ", b") == std::vector<std::string>{std::string(term.name)});
      at = bar + 1;
    }
  }
}

TEST_CASE("glossary: each term is said at the step that shows it") {
  REQUIRE(test::load_fonts());
  std::map<std::pair<std::string_view, int>, std::set<const Term*>> found;
  for (const Term& term : glossary()) {
    CAPTURE(term.name);
    const SceneDef* scene = find(term.scene);
    REQUIRE(scene != nullptr);
    const Result<Place> place = read_place(*scene, term.step);
    REQUIRE(place);
    CHECK(write_place(*scene, *place) == term.step);
    auto& here = found[{term.scene, place->step}];
    if (here.empty())
      for (const std::any& state : states(*scene))
        for (const Mention& mention : mentions(said(*scene, state, place->step))) here.insert(mention.term);
    if (term.name != "baseline") CHECK(here.contains(&term));  // said once the scene has drawn
  }
}

// What needs no explanation besides its hint, or is a word of everyday.
TEST_CASE("glossary: each control's name and step's name has a term in it, or is plain") {
  const std::set<std::string_view> plain{"Words",
                                         "Scale",
                                         "Glance",
                                         "Arrows",
                                         "Triangle",
                                         "Module",
                                         "Sum to 128",
                                         "Its spread",
                                         "A class",
                                         "Many",
                                         "Self",
                                         "Cross",
                                         "Shuffle",
                                         "All",
                                         "Split",
                                         "Join",
                                         "Without",
                                         "scale",
                                         "own factor",
                                         "colours",
                                         "colour map",
                                         "arcs above",
                                         "own: ÷ d^p",
                                         "curves",
                                         "Positions",
                                         "input size",
                                         "words kept",
                                         "Hide a word",
                                         "Swap a word",
                                         "Switch off",
                                         "this word’s light alone",
                                         "Bottleneck",
                                         "Look",
                                         "Write",
                                         "Map",
                                         "Long sentences",
                                         "words",
                                         "sentence",
                                         "Train",
                                         "Look inside",
                                         "task",
                                         "longest",
                                         "Picture",
                                         "Grid",
                                         "Word",
                                         "All words",
                                         "Soft | hard",
                                         "Draws",
                                         "Force",
                                         "grid",
                                         "upsampled",
                                         "objects meant",
                                         "Your own",
                                         "compare by",
                                         "look",
                                         "k",
                                         "look at itself",
                                         "numbers",
                                         "colour counts",
                                         "edges count",
                                         "place counts",
                                         "Count",
                                         "Time",
                                         "Memory",
                                         "Other functions",
                                         "measure to",
                                         "kernel",
                                         "inputs",
                                         "Spread",
                                         "Sum to 1",
                                         "Claims",
                                         "raise all",
                                         "move",
                                         "length",
                                         "ahead by",
                                         "Lamps",
                                         "Mix",
                                         "Other tasks",
                                         "One lamp"};
  std::set<std::string_view> met;
  for (const SceneDef* scene : all()) {
    CAPTURE(scene->id);
    const auto check = [&](std::string_view words) {
      CAPTURE(words);
      const bool is_plain = plain.contains(words);
      if (is_plain) met.insert(words);
      CHECK_MESSAGE(is_plain == mentions(words).empty(),
                    "Put a term for it into src/scenes/glossary.cpp, or the words into `plain`.");
    };
    for (const Step& step : scene->steps()) check(step.name);
    for (const io::FieldInfo& info : scene->fields(scene->initial()))
      if (info.field.place == io::Place::panel) check(info.field.label);
  }
  CHECK(met.size() == plain.size());  // no word of the list is gone
}

TEST_CASE("mentions: whole words, the longest, plurals, and symbols by their case") {
  CHECK(terms_in("") == std::vector<std::string>{});
  CHECK(terms_in("Scaled dot products") == std::vector<std::string>{"scaled dot product"});
  CHECK(terms_in("the queries meet each KEY.") == std::vector<std::string>{"query", "key"});
  CHECK(terms_in("monkeys, keyed, keys_") == std::vector<std::string>{});
  CHECK(terms_in("Q and q, K and k") == std::vector<std::string>{"query", "key"});
  CHECK(terms_in("**self-attention**, not attention") == std::vector<std::string>{"self-attention", "attention"});
  CHECK(terms_in("divided by √d_k = 2") == std::vector<std::string>{"√d"});
  CHECK(terms_in("W_q·x") == std::vector<std::string>{"W_Q, W_K, W_V"});
  const std::string text = "é softmax é";
  const std::vector<Mention> one = mentions(text);
  REQUIRE(one.size() == 1);
  CHECK(text.substr(one[0].begin, one[0].end - one[0].begin) == "softmax");
}

namespace {

using limelight::app::App;
using limelight::app::Page;

const figure::Element& element(const Page& page, std::string_view id) {
  const figure::Element* found = page.figure.find(id);
  REQUIRE(found != nullptr);
  return *found;
}

std::string tooltip(const Page& page) {
  std::string words;
  for (const figure::Element& one : page.figure.elements)
    if (one.id.starts_with("shell.tooltip.text"))
      if (const auto* text = std::get_if<figure::Text>(&one.shape)) words += text->text + " ";
  return words;
}

// Where words of the narration stand.
bool over_words(const Page& page, const figure::Rect& rect, std::string_view words) {
  return std::ranges::any_of(page.figure.elements, [&](const figure::Element& one) {
    const auto* text = std::get_if<figure::Text>(&one.shape);
    return text != nullptr && one.id.starts_with("shell.narration.") && text->text.starts_with(words) &&
           std::abs(one.rect.x - rect.x) < 1 && one.rect.contains(rect.centre());
  });
}

}  // namespace

TEST_CASE("terms: the first mention in the narration is dotted below, and says what it means where the mouse rests") {
  REQUIRE(test::load_fonts());
  App app = app::make_app();
  REQUIRE(app::change(app, "step", "4"));
  const Page page = page_of(app);
  const figure::Element term = element(page, "term.query");
  CHECK(over_words(page, term.rect, "query"));
  CHECK(page.figure.find("term.query.dot.0") != nullptr);
  CHECK(std::ranges::count(page.figure.elements, "term.query", &figure::Element::id) == 1);
  CHECK(figure::hit(page.figure, term.rect.centre()).id == "term.query");

  app::Pointer pointer;
  app::pointer_moved(app, page, pointer, term.rect.centre());
  CHECK(tooltip(page_of(app)).empty());
  app::advance(app, app.now + 1, 0);
  const Page with = page_of(app);
  CHECK(tooltip(with).find("looks for") != std::string::npos);
  const figure::Rect box = element(with, "shell.tooltip").rect;
  CHECK(box.bottom() <= term.rect.y);
  CHECK(box.x >= 0);
  CHECK(box.right() <= app.width);
  app::pointer_moved(app, page, pointer, {term.rect.x, page.regions.timeline.y + 2});
  CHECK(tooltip(page_of(app)).empty());
}

TEST_CASE("terms: a finger shows one by a tap, and hides it by a tap elsewhere, at every size") {
  REQUIRE(test::load_fonts());
  for (const auto& [width, height] : {std::pair{360.F, 740.F}, {390.F, 844.F}, {844.F, 390.F}, {1024.F, 768.F}}) {
    App app = app::make_app();
    app.width = width;
    app.height = height;
    app.touch = app.coarse = true;
    REQUIRE(app::change(app, "step", "4"));
    CAPTURE(width);
    app::Pointer pointer;
    const auto tap = [&](figure::Point at) {
      app::pointer_pressed(app, page_of(app), pointer, at);
      app::pointer_released(app, page_of(app), pointer, at);
    };
    const figure::Rect term = element(page_of(app), "term.query").rect;
    tap(term.centre());
    CHECK(tooltip(page_of(app)).find("looks for") != std::string::npos);
    const figure::Rect box = element(page_of(app), "shell.tooltip").rect;
    CHECK(box.x >= 0);
    CHECK(box.y >= 0);
    CHECK(box.right() <= width);
    CHECK(app.place.step == 4);
    const Page page = page_of(app);
    tap({page.regions.stage.x + 3, page.regions.stage.y + 3});
    CHECK(tooltip(page_of(app)).empty());
  }
}

TEST_CASE("terms: titles and formulas of the figure and names of controls explain themselves, and press nothing") {
  REQUIRE(test::load_fonts());
  App app = app::make_app();
  REQUIRE(app::change(app, "step", "7"));
  app::toggle_inspector(app);  // where all controls are
  const Page page = page_of(app);
  const auto said_of = [&](const std::string& id) {
    app::hover(app, id);
    app::advance(app, app.now + 1, 0);
    return tooltip(page_of(app));
  };
  int of_stage = 0;
  for (const figure::Element& one : page.figure.elements) {
    if (!app::is_term(one.id) || app::is_marked_term(one.id) || one.id.find(".dot.") != std::string::npos) continue;
    CAPTURE(one.id);
    CHECK_FALSE(one.edit);
    CHECK(figure::hit(page.figure, one.rect.centre()).element->role == figure::Role::link);
    if (page.regions.stage.contains(one.rect.centre())) ++of_stage;
    CHECK_FALSE(said_of(one.id).empty());
  }
  CHECK(of_stage >= 2);
  // The hint, then the meaning; on the control as on its name.
  const std::string of_label = said_of("field.temperature.label.term");
  CHECK(of_label.find("before softmax") != std::string::npos);
  CHECK(said_of("field.temperature") == of_label);
  for (const io::FieldInfo& info : app.scene->fields(app.state))
    if (info.field.name == "temperature") CHECK(of_label.starts_with(std::string(info.field.hint.substr(0, 12))));
}

TEST_CASE("terms: the mirror has those of what is on the page, and the glossary all of them") {
  REQUIRE(test::load_fonts());
  App app = app::make_app();
  REQUIRE(app::change(app, "step", "7"));
  const std::string here = app::call(app, "terms", ""), everything = app::call(app, "terms", "all");
  CHECK(here.find("\"softmax\"") != std::string::npos);
  CHECK(here.find("\"rollout\"") == std::string::npos);
  for (const Term& term : glossary()) {
    CAPTURE(term.name);
    CHECK(everything.find("{\"name\":\"" + std::string(term.name) + "\"") != std::string::npos);
  }
  CHECK(here.size() < everything.size());
}

TEST_CASE("scene list: the glossary and what the page is can be opened wherever the scenes can, and close the menu") {
  REQUIRE(test::load_fonts());
  for (const auto& [width, height] : {std::pair{1280.F, 800.F},
                                      {1280.F, 768.F},
                                      {1024.F, 720.F},
                                      {390.F, 844.F},
                                      {360.F, 740.F},
                                      {844.F, 390.F},
                                      {320.F, 568.F}}) {
    App app = app::make_app();
    app.width = width;
    app.height = height;
    CAPTURE(width);
    CAPTURE(height);
    if (page_of(app).regions.rail.w == 0) app.overlay = app::Overlay::menu;
    for (const char* name : {"glossary", "about"}) {
      const Page page = page_of(app);
      const figure::Element& button = element(page, std::string("shell.") + name);
      CHECK(button.rect.bottom() <= height);
      CHECK(button.rect.right() <= width);
      const float least = app.control(24);  // 44 for fingers
      CHECK(button.rect.w >= least);
      CHECK(button.rect.h >= least);
      CHECK(figure::hit(page.figure, button.rect.centre()).id == button.id);
    }
    app::activate(app, {"do", "glossary"});
    CHECK(app.wish_panel == "glossary");
    CHECK(app.overlay == app::Overlay::none);
  }
}
