// The laws of a page that has the first scene's functions only: others are waited for.
#include <doctest/doctest.h>

#include <algorithm>

#include "app/app.h"
#include "app/commands.h"
#include "scenes/common/trained_attention.h"
#include "scenes/spotlight/spotlight.h"
#include "unit/fonts.h"
#include "unit/models.h"

using namespace limelight;
using namespace limelight::app;

namespace {

App first_scene_only() {
  REQUIRE(test::load_fonts());
  App app = make_app();
  app.all_scenes = false;
  app.frames = 1;
  return app;
}

constexpr const char* kTired = "The animal didn't cross the street because it was too tired";

bool typed(App& app, const std::string& text) {
  return call(app, "typed", io::write_patch({{"text", text}})).find("\"ok\":true") != std::string::npos;
}

std::string setting(const App& app, std::string_view name) {
  for (const auto& [key, value] : state_of(app))
    if (key == name) return value;
  return {};
}

Result<void> encoder_came(App& app) {
  REQUIRE(app.wish_resources == std::vector<std::string>{std::string(scenes::trained::kReader.file->name)});
  app.wish_resources.clear();
  const std::string_view name = scenes::trained::kReader.file->name;
  return resource_came(app, name, test::model_bytes(name));
}

// A page that has everything, with a sentence that was typed.
App with_trained(const std::string& text = kTired) {
  REQUIRE(test::load_fonts());
  App app = make_app();
  REQUIRE(typed(app, text));
  REQUIRE(encoder_came(app));
  REQUIRE(setting(app, "trained") == "on");
  return app;
}

bool says_that_it_waits(const std::string& reply) { return reply.find("\"waits\":true") != std::string::npos; }

}  // namespace

TEST_CASE("waiting: another scene changes nothing until it has come, then all of what was asked for") {
  App app = first_scene_only();
  const io::Patch before = state_of(app);
  CHECK(says_that_it_waits(call(app, "set", "scene=scale&step=2&d=256")));
  CHECK(state_of(app) == before);
  CHECK(app.undo_stack.empty());
  CHECK(call(app, "scenes", "") == "{\"ok\":true}");
  CHECK(app.scene->id == "scale");
  CHECK(app.place.step == 2);
  CHECK(link(app).find("d=256") != std::string::npos);
  CHECK_FALSE(app.waiting);
  undo(app);
  CHECK(app.scene->id == "spotlight");
}

TEST_CASE("waiting: a link replaces everything once its scene has come") {
  App app = first_scene_only();
  REQUIRE(change(app, "temperature", "3"));
  REQUIRE(open_link(app, "v=1&scene=score&step=3&theme=dark"));
  CHECK(app.scene->id == "spotlight");
  CHECK(scenes_came(app));
  CHECK(app.scene->id == "score");
  CHECK(app.place.step == 3);
  CHECK(app.theme() == figure::Theme::dark);
}

TEST_CASE("waiting: what the scene refuses is refused when it has come, and the first scene stays") {
  App app = first_scene_only();
  CHECK(says_that_it_waits(call(app, "set", "scene=scale&d=-4")));
  const std::string reply = call(app, "scenes", "");
  CHECK(reply.find("\"ok\":false") != std::string::npos);
  CHECK(app.scene->id == "spotlight");
  CHECK_FALSE(app.notice.text.empty());
  CHECK_FALSE(app.notice.good);
}

TEST_CASE("waiting: when the scenes cannot come, the reader gets the reason, and may ask again") {
  App app = first_scene_only();
  REQUIRE(change(app, "scene", "layer"));
  call(app, "scenes", "The network gave no answer.\nDo the same once more.");
  CHECK(app.notice.text == "The network gave no answer. Do the same once more.");
  CHECK_FALSE(app.waiting);
  CHECK(app.scene->id == "spotlight");
  REQUIRE(change(app, "scene", "layer"));
  REQUIRE(app.waiting);
  CHECK(scenes_came(app));
  CHECK(app.scene->id == "layer");
}

TEST_CASE("waiting: that it takes long is said, but over no refusal, and no longer than it is true") {
  App app = first_scene_only();
  call(app, "scenes_late", "");
  CHECK(app.notice.text == kScenesLate);
  CHECK(scenes_came(app));
  CHECK(app.notice.text.empty());
  App refused = first_scene_only();
  notify(refused, "That is no number.");
  call(refused, "scenes_late", "");
  CHECK(refused.notice.text == "That is no number.");
}

TEST_CASE("waiting: who turns back to the first scene waits for nothing") {
  App app = first_scene_only();
  REQUIRE(change(app, "scene", "layer"));
  REQUIRE(change(app, "step", "4"));
  CHECK(app.waiting);  // the step is the first scene's, and the other one is still wanted
  REQUIRE(change(app, "scene", "spotlight"));
  CHECK_FALSE(app.waiting);
  CHECK(scenes_came(app));
  CHECK(app.scene->id == "spotlight");
  CHECK(app.place.step == 4);
}

TEST_CASE("waiting: a scene that does not exist is refused at once") {
  App app = first_scene_only();
  CHECK_FALSE(change(app, "scene", "nowhere"));
  CHECK_FALSE(app.waiting);
}

TEST_CASE("waiting: a program that has all scenes waits for none") {
  REQUIRE(test::load_fonts());
  App app = make_app();
  REQUIRE(change(app, "scene", "layer"));
  CHECK_FALSE(app.waiting);
  CHECK(app.scene->id == "layer");
}

TEST_CASE("waiting: only the call that asks for the scene says that it waits") {
  App app = first_scene_only();
  CHECK(says_that_it_waits(call(app, "set", "scene=scale")));
  CHECK_FALSE(says_that_it_waits(call(app, "set", "step=4")));
  CHECK(says_that_it_waits(call(app, "set", "scene=layer")));
}

TEST_CASE("waiting: the address of a link stays as it is until its scene has come") {
  App app = first_scene_only();
  REQUIRE(open_link(app, "scene=score&step=3"));
  CHECK(app.keep_address);
  scenes_failed(app, "The network gave no answer.", "Do the same once more.");
  CHECK(app.keep_address);  // loading the page again asks for it again
  REQUIRE(open_link(app, "scene=score&step=3"));
  CHECK(scenes_came(app));
  CHECK_FALSE(app.keep_address);
}

TEST_CASE("waiting: what the first scene borrows from others is waited for as they are") {
  for (const char* asked : {"trained=on", "trained=on&scene=spotlight", "scene=spotlight&layer=2&trained=on"}) {
    App app = first_scene_only();
    const io::Patch before = state_of(app);
    CAPTURE(asked);
    CHECK(says_that_it_waits(call(app, "set", asked)));
    CHECK(state_of(app) == before);
    CHECK(call(app, "scenes", "") == "{\"ok\":true}");
    CHECK(link(app).find("trained=on") != std::string::npos);
    CHECK_FALSE(app.wish_resources.empty());
  }
  // A reader's choice, too: nothing is asked of what is not there.
  App pressed = first_scene_only();
  CHECK(says_that_it_waits(call(pressed, "typed", "trained=on")));
  CHECK(pressed.waiting->patch == io::Patch{{"trained", "on"}});
  App app = first_scene_only();
  REQUIRE(change(app, "trained", "on"));
  CHECK(app.waiting);
  REQUIRE(change(app, "trained", "off"));
  CHECK_FALSE(app.waiting);
}

TEST_CASE("waiting: a state to compare with is drawn by functions that come later, whatever else is set with it") {
  for (const char* rest : {"", "&trained=off", "&temperature=2"}) {
    CAPTURE(rest);
    App app = first_scene_only();
    const std::string against = "against=" + std::string("scene%3Dspotlight%26preset%3Dfox%26temperature%3D3");
    CHECK(says_that_it_waits(call(app, "set", against + rest)));
    CHECK_FALSE(app.compared);
    REQUIRE(scenes_came(app));
    CHECK(app.compared);
    CHECK_FALSE(app.waiting);
    App none = first_scene_only();
    CHECK_FALSE(says_that_it_waits(call(none, "set", "against=" + std::string(rest))));
  }
}

TEST_CASE("own sentence: it is shown by its spelling at once, and by the encoder as soon as that has come") {
  App app = first_scene_only();
  REQUIRE(typed(app, "The animal"));
  REQUIRE(typed(app, kTired));
  CHECK(setting(app, "trained") == "off");
  CHECK(app.trace.at("weights").rows() == 11);
  CHECK(app.promised);
  CHECK(app.wish_resources.empty());
  CHECK(scenes_came(app));
  CHECK(setting(app, "trained") == "off");
  CHECK(app.trace.at("weights").rows() == 11);
  CHECK(encoder_came(app));
  CHECK(setting(app, "text") == kTired);
  CHECK(setting(app, "trained") == "on");
  CHECK(app.trace.at("weights").rows() == 14);  // [START], a full stop, and “didn’t” in two
  CHECK_FALSE(app.promised);
  CHECK(app.notice.text.empty());
}

TEST_CASE("own sentence: once the encoder is there, each key shows its numbers, and one undo takes a sentence back") {
  App app = with_trained();
  undo(app);
  undo(app);
  CHECK(setting(app, "preset") == "fox");
  REQUIRE(typed(app, "it"));
  CHECK(setting(app, "trained") == "on");
  undo(app);
  CHECK(setting(app, "preset") == "fox");
  CHECK(setting(app, "trained") == "off");
}

TEST_CASE("own sentence: where the functions or the encoder cannot be had, the spelling stays and a sentence says so") {
  for (const bool functions : {true, false}) {
    CAPTURE(functions);
    App app = first_scene_only();
    REQUIRE(typed(app, kTired));
    if (!functions) CHECK(scenes_came(app));
    if (functions)
      scenes_failed(app, "The network gave no answer.", "Do the same once more.");
    else
      resource_failed(app, scenes::trained::kReader.file->name, "The network gave no answer.");
    CHECK(setting(app, "text") == kTired);
    CHECK(setting(app, "trained") == "off");
    CHECK(app.notice.text.find("The network gave no answer.") != std::string::npos);
    CHECK(app.notice.text.find("spelling") != std::string::npos);
    CHECK(app.notice.text.find("once more") == std::string::npos);  // typing it again would not help
    CHECK_FALSE(app.promised);
    REQUIRE(typed(app, std::string(kTired) + " now"));
    CHECK(setting(app, "trained") == "off");
  }
}

TEST_CASE("own sentence: one that the encoder does not read is shown by its spelling, and a sentence says why") {
  std::string many;
  for (int i = 0; i < 30; ++i) many += "word ";
  App typing = with_trained(), pasted = with_trained();
  REQUIRE(change(pasted, "preset", "coffee"));
  for (App* app : {&typing, &pasted}) {
    REQUIRE(typed(*app, many));
    CHECK(setting(*app, "text") == many);
    CHECK(setting(*app, "trained") == "off");
    CHECK(app->trace.at("weights").rows() == 30);
    CHECK(app->notice.text.find("up to 24") != std::string::npos);
    CHECK(app->notice.text.find("spelling") != std::string::npos);
  }
  CHECK_FALSE(typed(typing, ""));
  CHECK(setting(typing, "text") == many);
}

TEST_CASE(
    "own sentence: shortened until the encoder reads it, one has trained numbers again, unless the reader chose") {
  std::string many;
  for (int i = 0; i < 30; ++i) many += "word ";
  for (const bool chosen : {false, true}) {
    App app = with_trained();
    REQUIRE(typed(app, many));
    REQUIRE(setting(app, "trained") == "off");
    const int said = app.notice.serial;
    REQUIRE(typed(app, many + "more"));
    CHECK(app.notice.serial == said);  // once is enough
    if (chosen) call(app, "typed", "trained=off");
    app.now += 10;
    REQUIRE(typed(app, "a word"));
    CHECK(setting(app, "trained") == (chosen ? "off" : "on"));
    if (chosen) continue;
    undo(app);
    CHECK(setting(app, "text") == many + "more");
  }
}

TEST_CASE("own sentence: one undo takes it back when as many steps are kept as ever are, too") {
  App app = with_trained();
  REQUIRE(change(app, "preset", "coffee"));
  for (int i = 0; i < 250; ++i) REQUIRE(change(app, "temperature", i % 2 == 0 ? "2" : "3"));
  REQUIRE(typed(app, "it"));
  CHECK(setting(app, "trained") == "on");
  undo(app);
  CHECK(setting(app, "preset") == "coffee");
}

TEST_CASE("own sentence: the word that asks is the same one by its spelling and with trained numbers") {
  App app = with_trained("The animal didn't cross the Street because it was too tired");
  for (const std::string word : {"it", "treet", "animal"}) {
    const auto place = [&] {
      const auto& words = app.trace.at("weights").row_labels;
      return std::to_string(std::ranges::find_if(words, [&](const auto& one) { return one.ends_with(word); }) -
                            words.begin());
    };
    REQUIRE(change(app, "query", place()));
    for (const char* trained : {"off", "on"}) {
      REQUIRE(change(app, "trained", trained));
      CHECK(setting(app, "query") == place());
    }
  }
}

TEST_CASE(
    "own sentence: its first pronoun asks, else the word with the most telling weights, until the reader chooses a "
    "word") {
  App app = first_scene_only();
  REQUIRE(typed(app, "one two three four five"));
  CHECK(setting(app, "query") == "0");
  app.now += 10;
  REQUIRE(typed(app, "when the dog barked It ran"));
  CHECK(setting(app, "query") == "4");
  CHECK(app.undo_stack.size() == 2);
  undo(app);
  CHECK(setting(app, "query") == "0");
  redo(app);
  CHECK(link(app).find("query=4") != std::string::npos);
  REQUIRE(change(app, "query", "1"));
  REQUIRE(typed(app, "when the dog barked it ran away"));
  CHECK(setting(app, "query") == "1");
  // A link says nothing of a reader's choice, and shows what it did.
  REQUIRE(open_link(app, "v=2&scene=spotlight&preset=own&text=when+the+dog+barked+it+ran"));
  CHECK(setting(app, "query") == "0");
}

TEST_CASE("own sentence: with trained numbers, too, its first pronoun asks") {
  App app = with_trained("The animal was too tired");
  REQUIRE(typed(app, kTired));
  CHECK(app.trace.at("weights").row_labels[static_cast<std::size_t>(std::stoi(setting(app, "query")))] == "it");
}

TEST_CASE("own sentence: the colours of many words tell small weights apart, unless the reader has chosen them") {
  std::string many;
  for (int i = 0; i < 30; ++i) many += "w" + std::to_string(i) + "+";
  const auto colours = [](App& app) {
    REQUIRE(change(app, "step", "glance"));
    const figure::Figure stage = draw_stage(app);
    const figure::Element* map = stage.find("weights");
    REQUIRE(map != nullptr);
    return std::get<figure::Heatmap>(map->shape).normalise;
  };
  using enum figure::Normalise;
  for (const auto& [text, chosen, drawn] : {std::tuple{many, "auto", row},
                                            {"few+words", "auto", zero_one},
                                            {many, "zero-one", zero_one},
                                            {"few+words", "row", row},
                                            {many, "min-max", min_max}}) {
    App app = first_scene_only();
    REQUIRE(open_link(app, "preset=own&text=" + text + "&colours=" + chosen));
    CHECK(colours(app) == drawn);
  }
  App app = first_scene_only();
  std::ranges::replace(many, '+', ' ');
  REQUIRE(typed(app, many));
  CHECK(colours(app) == row);
  REQUIRE(typed(app, "few words"));
  CHECK(colours(app) == zero_one);
  REQUIRE(change(app, "colours", "zero-one"));
  REQUIRE(typed(app, many));
  CHECK(colours(app) == zero_one);
}

TEST_CASE("own sentence: a reader who comes back from another scene finds the numbers chosen before") {
  App app = with_trained("Mary saw the Cat");
  call(app, "typed", "trained=off");
  call(app, "typed", "scene=score");
  call(app, "typed", "scene=spotlight");
  CHECK(setting(app, "text") == "Mary saw the Cat");
  CHECK(setting(app, "trained") == "off");
}

TEST_CASE(
    "own sentence: one that is too long may be shortened after “trained” was pressed, and is spoken of each time") {
  std::string many;
  for (int i = 0; i < 30; ++i) many += "word ";
  App app = with_trained();
  REQUIRE(typed(app, many));
  call(app, "typed", "trained=on");
  REQUIRE(setting(app, "trained") == "off");
  REQUIRE(typed(app, "a word"));
  CHECK(setting(app, "trained") == "on");
  REQUIRE(typed(app, many));
  undo(app);
  const int said = app.notice.serial;
  REQUIRE(typed(app, many));
  CHECK(app.notice.serial > said);
}

TEST_CASE("own sentence: numbers that are set to what they are move nothing") {
  App app = first_scene_only();
  REQUIRE(typed(app, "one two three four"));
  REQUIRE(change(app, "query", "2"));
  REQUIRE(change(app, "trained", "off"));
  CHECK(setting(app, "query") == "2");
}

TEST_CASE("own sentence: what a reader chooses holds, and an example has its own numbers") {
  App app = with_trained();
  REQUIRE(change(app, "trained", "off"));
  REQUIRE(typed(app, "and so it goes"));
  CHECK(setting(app, "trained") == "off");
  activate(app, {"preset", "coffee"});
  activate(app, {"preset", "own"});
  CHECK(setting(app, "trained") == "on");
  REQUIRE(change(app, {{"layer", "1"}, {"head", "5"}}));
  REQUIRE(typed(app, "and so it went"));
  CHECK(setting(app, "head") == "5");
  reset(app);
  CHECK(setting(app, "trained") == "on");
  CHECK(setting(app, "head") == std::to_string(scenes::spotlight::kOwnHead));
  CHECK_FALSE(differs_from_example(app));
  activate(app, {"preset", "fox"});
  CHECK(setting(app, "trained") == "off");
  CHECK(setting(app, "layer") == "1");
}

TEST_CASE("own sentence: numbers that were set by hand while the encoder was on its way stay") {
  App app = first_scene_only();
  REQUIRE(typed(app, kTired));
  REQUIRE(change(app, "X", "0.0:3"));
  CHECK(scenes_came(app));
  CHECK(app.wish_resources.empty());
  CHECK(app.trace.at("X").values(0, 0) == 3);
}

TEST_CASE("own sentence: links and scripts mean what they meant, with and without trained numbers") {
  App app = with_trained();
  App again = make_app();
  REQUIRE(open_link(again, link(app)));
  for (const char* name : {"text", "trained", "layer", "head"}) CHECK(setting(again, name) == setting(app, name));
  for (const char* old : {"v=1&scene=spotlight&step=7&text=it+is", "v=1&preset=own&text=it+is", "preset=own"}) {
    CAPTURE(std::string(old));
    REQUIRE(open_link(app, old));
    CHECK(setting(app, "trained") == "off");
  }
  REQUIRE(open_link(app, "preset=own&text=dogs+run&trained=on"));
  CHECK(setting(app, "layer") == "1");
  CHECK(setting(app, "head") == "2");
  REQUIRE(open_link(app, "preset=coffee"));
  REQUIRE(call(app, "set", "text=I+ate+an+apple.").find("\"ok\":true") != std::string::npos);
  CHECK(setting(app, "trained") == "off");
  CHECK_FALSE(app.promised);
}

TEST_CASE("own sentence: another link leaves nothing behind that would change it") {
  App app = first_scene_only();
  REQUIRE(typed(app, kTired));
  REQUIRE(open_link(app, "preset=own&text=it+is"));
  CHECK(scenes_came(app));
  CHECK(app.wish_resources.empty());
  CHECK(setting(app, "trained") == "off");
}

TEST_CASE("own sentence: what the reader chooses meanwhile ends what was promised") {
  App app = first_scene_only();
  REQUIRE(typed(app, kTired));
  CHECK(app.promised);
  call(app, "typed", "trained=off");
  CHECK_FALSE(app.promised);
  CHECK(scenes_came(app));
  CHECK(app.wish_resources.empty());
  CHECK(setting(app, "trained") == "off");
  call(app, "typed", "trained=on");  // as Reset has it, too
  CHECK(setting(app, "layer") == "3");
  CHECK(setting(app, "head") == "2");
}

TEST_CASE("own sentence: what is promised is kept on the way back from another scene, and another example ends it") {
  App app = first_scene_only();
  REQUIRE(typed(app, kTired));
  CHECK(scenes_came(app));
  REQUIRE(change(app, "scene", "score"));
  CHECK(encoder_came(app));
  CHECK(app.promised);
  REQUIRE(change(app, "scene", "spotlight"));
  advance(app, 1, 1);
  CHECK(setting(app, "trained") == "on");
  App other = first_scene_only();
  REQUIRE(typed(other, kTired));
  REQUIRE(change(other, "preset", "fox"));
  advance(other, 1, 1);
  CHECK_FALSE(other.promised);
}

TEST_CASE("own sentence: that it is too long for trained numbers is said as soon as that is known") {
  App app = first_scene_only();
  std::string many;
  for (int i = 0; i < 30; ++i) many += "word ";
  REQUIRE(typed(app, many));
  CHECK(scenes_came(app));
  advance(app, 1, 1);
  CHECK(app.notice.text.find("up to 24") != std::string::npos);
  CHECK_FALSE(app.promised);
}
