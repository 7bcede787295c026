// What scripts and links set, and what of it is refused.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "app/app.h"
#include "app/commands.h"
#include "app/input.h"
#include "app/page.h"
#include "unit/app_support.h"

using namespace limelight;
using namespace limelight::app;
using namespace limelight::test;

TEST_CASE("the look changes no number and costs no result") {
  App app = make_app();
  REQUIRE(open_link(app, "preset=own&text=one+two&matrices=random"));
  toggle_job(app);
  while (advance(app, 0, 1000)) {
  }
  const int revision = app.revision;
  for (const auto& [field, value] :
       {std::pair{"map", "grey"}, {"colours", "row"}, {"threshold", "0.5"}, {"query", "1"}})
    REQUIRE(changed_to(app, field, value));
  CHECK(app.revision == revision);
  CHECK(app.trace.find("weights_low") != nullptr);
}

TEST_CASE("named and not there: a pin, a zoom, an answer or a token that does not exist is refused") {
  App app = make_app();
  for (const auto& [field, value] : {std::pair{"pin", "weights[99,99]"},
                                     {"pin", "nope[0,0]"},
                                     {"zoom", "bogus:0.0:1.1"},
                                     {"zoom", "weights:0.0:99.99"},
                                     {"guess", "7"},
                                     {"query", "50"},
                                     {"d", "8"},
                                     {"seed", "5"}}) {
    CAPTURE(field);
    CAPTURE(value);
    CHECK_FALSE(change(app, field, value));
  }
}

TEST_CASE("scripts: setting what the state already is changes nothing, whatever it is") {
  for (const char* preset : {"coffee", "day1", "fox", "cat", "apple", "own"})
    for (const char* more : {"", "&temperature=2&mask=causal&query=1", "&step=7.2&theme=dark&embed=1&debug=1"}) {
      App app = make_app();
      REQUIRE(open_link(app, std::string("preset=") + preset + more));
      REQUIRE(open_link(app, link(app) + (std::string_view(preset) == "day1" ? "&Q=0.1:0.5" : "&X=0.1:0.5")));
      app.zoom = {"weights", 0, 0, 1, 1};
      const std::string before = link(app), all = call(app, "state", "");
      io::Patch patch;
      for (const auto& [name, value] : state_of(app)) patch.emplace_back(name, value);
      const Result<void> result = change(app, patch);
      CAPTURE(preset);
      CAPTURE((result ? std::string() : result.error().message));
      REQUIRE(result);
      CHECK(link(app) == before);
      CHECK(call(app, "state", "") == all);
      CHECK(app.undo_stack.empty());
      // What a link holds can be asked for.
      const Result<io::Patch> linked = io::parse_patch(before);
      REQUIRE(linked);
      for (const auto& [name, value] : *linked)
        if (name != "v") CHECK(std::ranges::find(patch, name, &io::Patch::value_type::first) != patch.end());
    }
}

TEST_CASE("settings: each of the app's own is told in the state, and a link brings it back and names no other") {
  const io::Patch initial = scenes::write_settings({});
  REQUIRE(initial.size() == 4);
  for (const auto& [name, before] : initial) {
    CAPTURE(name);
    const auto values = name == "theme" ? std::vector<std::string>{"light", "dark"} : std::vector<std::string>{"on"};
    for (const std::string& value : values) {
      App app = make_app();
      REQUIRE(changed_to(app, name, value));
      App other = make_app();
      REQUIRE(open_link(other, link(app)));
      for (const auto& [key, told] : state_of(other)) {
        if (!io::names(initial, key)) continue;
        CHECK(told == (key == name ? value : std::ranges::find(initial, key, &io::Patch::value_type::first)->second));
        const bool in_link = link(other).find("&" + key + "=") != std::string::npos;
        CHECK(in_link == (key == name));
      }
      REQUIRE(changed_to(app, name, before));
      CHECK(link(app) == link(make_app()));
    }
  }
}

TEST_CASE("scripts: a switch is on or off in any of the ways that scripts and links write it") {
  for (const char* name : {"embed", "debug"}) {
    App app = make_app();
    for (const char* on : {"on", "true", "1"}) {
      REQUIRE(changed_to(app, name, on));
      CHECK(link(app).find(std::string(name) + "=1") != std::string::npos);
      REQUIRE(changed_to(app, name, "off"));
    }
    for (const char* off : {"off", "false", "0"}) {
      REQUIRE(changed_to(app, name, "on"));
      REQUIRE(changed_to(app, name, off));
      CHECK(link(app).find(name) == std::string::npos);
    }
    for (const char* neither : {"", "2", "yes", "ON"}) CHECK_FALSE(changed_to(app, name, neither));
  }
}

TEST_CASE("fields: the query token's range is that of the words") {
  App app = make_app();
  for (const auto& [text, most] : {std::pair{"one two three", 2}, {"alone", 0}, {"a b c d e f", 5}}) {
    REQUIRE(changed_to(app, "text", text));
    for (const io::FieldInfo& info : app.scene->fields(app.state))
      if (info.field.name == "query") CHECK(info.field.range.high == most);
    CHECK(changed_to(app, "query", std::to_string(most)));
    CHECK_FALSE(changed_to(app, "query", std::to_string(most + 1)));
  }
}

TEST_CASE("scenes: one that a reader comes back to is as it was left; a link begins anew") {
  App app = make_app();
  REQUIRE(change(app, io::Patch{{"text", "dogs chase cats"}, {"X", "0.0:2"}, {"step", "5"}}));
  REQUIRE(changed_to(app, "guess", "0"));
  const std::string answered = link(app);
  undo(app);
  const std::string before = link(app);
  redo(app);
  REQUIRE(link(app) == answered);
  REQUIRE(changed_to(app, "scene", "score"));
  CHECK(app.place == scenes::Place{1, 0});
  CHECK(app.guess == -1);
  REQUIRE(changed_to(app, "scene", "spotlight"));  // but for the answer, which has ended
  CHECK(link(app) == before);
  REQUIRE(changed_to(app, "scene", "score"));
  REQUIRE(open_link(app, "v=2&scene=spotlight"));
  CHECK(link(app) == link(make_app()));
}

TEST_CASE("links: what is opened is what was written, for edits, parts, pins, zooms and themes") {
  for (const char* text :
       {"v=1&scene=spotlight&step=7.3&preset=fox&temperature=0.25&pin=weights%5B4%2C3%5D&theme=dark",
        "v=1&scene=spotlight&step=9&preset=own&text=na%C3%AFve+caf%C3%A9&d=16&matrices=random&seed=7&guess=1",
        "v=1&scene=spotlight&step=4&X=0.0:0.125,2.3:-7&W_v=1.1:0.5&embed=1"}) {
    App app = make_app();
    const Result<void> opened = open_link(app, text);
    CAPTURE((opened ? std::string() : opened.error().message));
    REQUIRE(opened);
    App again = make_app();
    REQUIRE(open_link(again, link(app)));
    CHECK(link(again) == link(app));
    CHECK(again.trace.at("output").values == app.trace.at("output").values);
  }
}

TEST_CASE("links: what was changed after a pin is as it was, though the pin would bring other settings") {
  for (const auto& [scene, pinned, field] : {std::tuple{"spotlight", "weights[1,1]", "query"},
                                             {"score", "weights[0,0]", "key"},
                                             {"layer", "Q[1,0]", "query"}}) {
    CAPTURE(scene);
    App app = make_app();
    REQUIRE(changed_to(app, "scene", scene));
    std::string initial;
    for (const auto& [name, value] : state_of(app))
      if (name == field) initial = value;
    REQUIRE(changed_to(app, "pin", pinned));
    REQUIRE(changed_to(app, field, initial));
    REQUIRE(changed_to(app, "guess", "0"));
    App again = make_app();
    REQUIRE(open_link(again, link(app)));
    CHECK(state_of(again) == state_of(app));
  }
}

TEST_CASE("links: a bad one is refused in a sentence and changes nothing") {
  App app = make_app();
  REQUIRE(changed_to(app, "temperature", "0.5"));
  const std::string before = link(app);
  const std::string long_link = "v=1&text=" + std::string(100'000, 'a');
  for (const std::string& bad :
       {std::string("scene=nowhere"), std::string("v=99"), std::string("v=1&step=77"), std::string("step=7.9"),
        std::string("temperature=inf"), std::string("temperature=1e99"), std::string("nonsense=1"),
        std::string("preset"), std::string("preset=own&text="), std::string("W_q=9.9:1"), std::string("W_q=0.0:nan"),
        std::string("zoom=X"), std::string("pin=%5B"), std::string("a=%zz"), std::string("step=1&step=2"),
        std::string("Q=0.0:1"), long_link}) {
    const Result<void> result = open_link(app, bad);
    CAPTURE(bad.substr(0, 60));
    REQUIRE_FALSE(result);
    CHECK(result.error().message.size() > 20);
    CHECK(result.error().message.back() == '.');
    CHECK(link(app) == before);
  }
}

TEST_CASE("links: a state too long for one says so once, and is kept whole") {
  App app = make_app();
  std::string words, cells;
  for (int i = 0; i < 64; ++i) words += " w" + std::to_string(i);
  for (int i = 0; i < 64; ++i)
    for (int j = 0; j < 64; ++j)
      cells += (cells.empty() ? "" : ",") + std::to_string(i) + "." + std::to_string(j) + ":0.123456";
  REQUIRE(change(app, io::Patch{{"text", words.substr(1)}, {"d", "64"}}));
  CHECK(app.notice.text.empty());
  REQUIRE(changed_to(app, "X", cells));
  CHECK(app.notice.text == kLinkTooLong);
  const int serial = app.notice.serial;
  REQUIRE(change(app, io::Patch{{"temperature", "3"}, {"step", "7"}}));
  CHECK(app.notice.serial == serial);
  CHECK(describe_page(app, page_of(app), false).find("\"tooLong\":true") != std::string::npos);
  CHECK(call(app, "share", "").find("\"ok\":false") != std::string::npos);
  App again = make_app();
  CHECK_FALSE(open_link(again, link(app)));
  REQUIRE(open_kept(again, link(app)));
  CHECK(link(again) == link(app));
  CHECK(again.notice.serial == 0);
  REQUIRE(changed_to(app, "X", ""));
  CHECK(describe_page(app, page_of(app), false).find("\"tooLong\":false") != std::string::npos);
  undo(app);
  CHECK(app.notice.serial > serial);
}

TEST_CASE("notices: an error goes with the next change that is accepted") {
  for (const char* refused : {"text=", "temperature=99", "X=0.0:2000"})
    for (const auto& [field, value] : {std::pair{"text", "hello"}, {"temperature", "2"}, {"X", "0.0:2"}}) {
      App app = make_app();
      REQUIRE(call(app, "set", refused).find("\"ok\":false") != std::string::npos);
      REQUIRE(!app.notice.text.empty());
      REQUIRE(changed_to(app, field, value));
      CHECK(app.notice.text.empty());
    }
  App app = make_app();
  notify(app, "The link is copied.", true);
  REQUIRE(changed_to(app, "temperature", "2"));
  CHECK(!app.notice.text.empty());  // what was done stays done
  REQUIRE(changed_to(app, "step", "4"));
  CHECK(app.notice.text.empty());  // and is left behind with its step
}

TEST_CASE("notices: what was refused while typing goes with Escape, what was done stays") {
  for (const bool typed : {true, false}) {
    App app = make_app();
    call(app, "edit", "W_q 0.1");
    REQUIRE(app.typing);
    call(app, "cell", "W_q 0.1 -0,5");
    REQUIRE(!app.notice.text.empty());
    if (typed)
      call(app, "edit", "cancel");
    else
      key_pressed(app, page_of(app), Key::escape);
    CHECK(app.notice.text.empty());
    notify(app, "The link is copied.", true);
    call(app, "edit", "cancel");
    CHECK(!app.notice.text.empty());
  }
}

TEST_CASE("links: a frame stays a frame, in its theme, when the rest is refused") {
  for (const char* rest : {"step=99", "scene=nowhere", "v=99", "nonsense=1"}) {
    App app = make_app();
    REQUIRE_FALSE(open_link(app, std::string(rest) + "&theme=dark&embed=1"));
    CHECK(app.settings.embed);
    CHECK(app.theme() == figure::Theme::dark);
    CHECK(app.place == scenes::Place{});
  }
}

TEST_CASE("commands: an unknown one is refused, a good one answers ok") {
  App app = make_app();
  CHECK(call(app, "nonsense", "").find("\"ok\":false") != std::string::npos);
  CHECK(call(app, "set", "temperature=0.5").find("\"ok\":true") != std::string::npos);
  CHECK(call(app, "set", "temperature=-5").find("\"ok\":false") != std::string::npos);
  CHECK(call(app, "trace", "weights").find("\"shape\":[9,9]") != std::string::npos);
  CHECK(call(app, "trace", "nothing").find("\"ok\":false") != std::string::npos);
}
