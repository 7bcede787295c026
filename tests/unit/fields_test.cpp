#include "io/fields.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <any>
#include <cctype>
#include <set>
#include <string>
#include <vector>

#include "core/random.h"
#include "scenes/place.h"
#include "scenes/scene.h"
#include "unit/fonts.h"
#include "unit/scenes/sentences.h"
#include "unit/swept.h"
#include "unit/thin.h"

using namespace limelight;
using test::check_refused;
using test::check_sentence;

namespace {

int below(Random& random, int limit) { return static_cast<int>(random.uniform() * limit); }

template <class List>
const auto& any_of(const List& list, Random& random) {
  return list[static_cast<std::size_t>(below(random, static_cast<int>(std::size(list))))];
}

// Every value of a state, as text: what "unchanged" and "the same" mean.
std::vector<std::string> values(const scenes::SceneDef& scene, const std::any& state) {
  std::vector<std::string> list;
  for (const io::FieldInfo& info : scene.fields(state)) list.push_back(info.value);
  return list;
}

const io::FieldInfo& named(const std::vector<io::FieldInfo>& fields, std::string_view name) {
  return *std::ranges::find(fields, name, [](const io::FieldInfo& info) { return info.field.name; });
}

constexpr std::string_view kTexts[] = {"a",
                                       "one two three",
                                       "  spaces   and\ttabs\n",
                                       "100 % & more = 1+1 #? / \\ \"quoted\" 'single' <b>",
                                       "she said: \"no\"; then left...",
                                       "naïve café, Ελληνικά, 日本語, 🙂👩‍👩‍👧",
                                       "السلام عليكم"};

// A value that the field's own description allows. Cells stand inside the tensor of the field's name, or in a corner
// when there is none.
std::string allowed_value(const io::FieldInfo& info, const Trace& trace, Random& random) {
  const auto number = [&] {
    return info.field.range.low + random.uniform() * (info.field.range.high - info.field.range.low);
  };
  switch (info.kind) {
    case io::FieldKind::integer:
      return io::write_value(static_cast<int>(std::floor(number())));
    case io::FieldKind::real:
      return io::write_value(number());
    case io::FieldKind::toggle:
      return random.uniform() < 0.5 ? "on" : "off";
    case io::FieldKind::choice:
      return std::string(any_of(info.field.choices, random).value);
    case io::FieldKind::text:
      return std::string(any_of(kTexts, random));
    case io::FieldKind::order: {
      const int last = static_cast<int>(info.field.range.high);
      return std::to_string(below(random, last + 1)) + ">" + std::to_string(below(random, last + 1));
    }
    case io::FieldKind::cells:
      break;
  }
  const Tensor* tensor = trace.find(info.field.name);
  const int rows = tensor != nullptr ? tensor->rows() : 1;
  const int columns = tensor != nullptr ? tensor->columns() : 1;
  io::CellEdits cells;
  for (int i = below(random, 4); i >= 0; --i)
    cells.cells[{below(random, rows), below(random, columns)}] = static_cast<float>(number());
  return io::write_value(cells);
}

// A state that a reader may come to by setting one field after the other.
std::any wander(const scenes::SceneDef& scene, Random& random, int changes) {
  std::any state = scene.initial();
  for (int i = 0; i < changes; ++i) {
    const std::vector<io::FieldInfo> fields = scene.fields(state);
    const io::FieldInfo& info = any_of(fields, random);
    // How many cells there are is all that is asked of it.
    const Trace trace = info.kind == io::FieldKind::cells ? scene.compute(state, {}) : Trace{};
    const std::vector<std::string> before = values(scene, state);
    const Result<void> changed =
        scene.change(state, {{std::string(info.field.name), allowed_value(info, trace, random)}});
    if (changed) continue;
    check_sentence(changed.error());
    CHECK(values(scene, state) == before);
  }
  return state;
}

// What no field takes that is not a text.
constexpr std::string_view kGarbage[] = {"",
                                         " ",
                                         "x",
                                         "nan",
                                         "inf",
                                         "-inf",
                                         "1e999",
                                         "0x10",
                                         "1,5",
                                         "--1",
                                         "1e",
                                         "∞",
                                         "１",
                                         "on ",
                                         "ON",
                                         "1.2",
                                         "1.2:",
                                         ":",
                                         ".",
                                         "1.2:x",
                                         "0.0:nan",
                                         "-1.0:1",
                                         "0.-1:1",
                                         "0.0:1,",
                                         "0.0:1,,0.1:1",
                                         "99999999999.0:1",
                                         "\x01",
                                         "\xFF\xFE",
                                         "&=",
                                         "%"};

}  // namespace

// The steps at which a control shows.
static_assert(io::only("a", "b").has("b") && !io::only("a", "b").has("c"));
static_assert(io::all_but("a").has("b") && !io::all_but("a").has("a"));
static_assert(io::Steps{}.has("a"));

TEST_CASE("fields: a link reproduces the state, whatever was set on the way to it") {
  for (const scenes::SceneDef* scene : test::swept()) {
    Random random(2024);
    for (int round = 0; round < 300 / test::kOneIn; ++round) {
      const std::any state = wander(*scene, random, 1 + below(random, 12));
      const std::string link = io::write_patch(scene->encode(state));
      CAPTURE(link);
      const Result<io::Patch> patch = io::parse_patch(link);
      REQUIRE(patch);
      std::any again = scene->initial();
      const Result<void> changed = scene->change(again, *patch);
      if (!changed) FAIL(changed.error().message);
      CHECK(values(*scene, again) == values(*scene, state));
      CHECK(io::write_patch(scene->encode(again)) == link);
    }
  }
}

TEST_CASE("fields: a link names its preset, and nothing else that its reader need not change") {
  for (const scenes::SceneDef* scene : scenes::all()) {
    const io::Patch link = scene->encode(scene->initial());
    REQUIRE(link.size() == 1);
    CHECK(link.front().first == "preset");
  }
}

TEST_CASE("fields: every field says what it is, and its initial value is one of those that it allows") {
  for (const scenes::SceneDef* scene : scenes::all()) {
    std::vector<std::string_view> seen;
    for (const io::FieldInfo& info : scene->fields(scene->initial())) {
      CAPTURE(std::string(info.field.name));
      CHECK(!info.field.name.empty());
      CHECK(!info.field.label.empty());
      CHECK(std::ranges::find(seen, info.field.name) == seen.end());
      seen.push_back(info.field.name);
      CHECK(info.field.range.low < info.field.range.high);
      CHECK((info.kind == io::FieldKind::choice) == !info.field.choices.empty());
      CHECK(info.value == info.initial);
      if (info.kind == io::FieldKind::text) continue;
      std::any state = scene->initial();
      CHECK(scene->change(state, {{std::string(info.field.name), info.value}}));
      CHECK(values(*scene, state) == values(*scene, scene->initial()));
    }
  }
}

TEST_CASE("fields: what lies out of a range, or next to all choices, is refused with a sentence and changes nothing") {
  for (const scenes::SceneDef* scene : scenes::all()) {
    const std::vector<std::string> before = values(*scene, scene->initial());
    for (const io::FieldInfo& info : scene->fields(scene->initial())) {
      std::vector<std::string> wrong;
      switch (info.kind) {
        case io::FieldKind::integer:
          wrong = {io::format_exact(info.field.range.low - 1), io::format_exact(info.field.range.high + 1),
                   "3000000000"};
          break;
        case io::FieldKind::real:
          wrong = {io::format_exact(info.field.range.low - 0.001), io::format_exact(info.field.range.high + 0.001),
                   "1e300"};
          break;
        case io::FieldKind::cells:
          wrong = {"0.0:" + io::format_exact(info.field.range.low - 0.001),
                   "0.0:" + io::format_exact(info.field.range.high + 0.001)};
          break;
        case io::FieldKind::order:
          wrong = {"0,0", "-1>0", "0>" + io::format_exact(info.field.range.high + 1), "0,x"};
          break;
        case io::FieldKind::choice:
          wrong = {std::string(info.field.choices[0].value) + "x", "0"};
          break;
        case io::FieldKind::toggle:
          wrong = {"yes", "1"};
          break;
        case io::FieldKind::text:
          break;
      }
      for (const std::string& value : wrong) {
        CAPTURE(value);
        std::any state = scene->initial();
        check_refused(scene->change(state, {{std::string(info.field.name), value}}));
        CHECK(values(*scene, state) == before);
      }
    }
  }
}

TEST_CASE("fields: garbage is refused with a sentence and changes nothing, alone or after something good") {
  for (const scenes::SceneDef* scene : scenes::all()) {
    const std::vector<io::FieldInfo> fields = scene->fields(scene->initial());
    const std::string last_preset(fields[0].field.choices.back().value);
    for (const io::FieldInfo& info : fields) {
      for (const std::string_view garbage : kGarbage) {
        CAPTURE(std::string(info.field.name));
        CAPTURE(std::string(garbage));
        std::any state = scene->initial();
        const std::vector<std::string> before = values(*scene, state);
        const Result<void> changed = scene->change(state, {{std::string(info.field.name), std::string(garbage)}});
        if (changed) continue;  // "1.2" is a number, "" no cells
        check_sentence(changed.error());
        CHECK(values(*scene, state) == before);
        if (&info == &fields[0]) continue;
        std::any other = scene->initial();
        if (!scene->change(other, {{"preset", last_preset}, {std::string(info.field.name), std::string(garbage)}}))
          CHECK(values(*scene, other) == before);
      }
    }
  }
}

TEST_CASE("fields: a name that does not exist is refused, and the sentence lists those that do") {
  for (const scenes::SceneDef* scene : scenes::all()) {
    const std::vector<io::FieldInfo> fields = scene->fields(scene->initial());
    for (const std::string name : {"presets", "Preset", "", " preset", "x\x01y", "\xFF"}) {
      std::any state = scene->initial();
      const Result<void> changed = scene->change(state, {{name, "1"}});
      REQUIRE(!changed);
      CHECK(changed.error().message.find(named(fields, "preset").field.name) != std::string::npos);
      CHECK(values(*scene, state) == values(*scene, scene->initial()));
    }
    std::any state = scene->initial();
    check_refused(scene->change(state, {{std::string(1000, 'x'), "1"}}));
  }
}

TEST_CASE("patches: any bytes survive the percent code, and it uses only what a link may hold") {
  Random random(7);
  for (int round = 0; round < 500; ++round) {
    io::Patch patch;
    for (int entries = below(random, 4); entries >= 0; --entries) {
      std::string key = std::to_string(entries), value;
      for (int n = below(random, 20); n > 0; --n) key += static_cast<char>(below(random, 256));
      for (int n = below(random, 60); n > 0; --n) value += static_cast<char>(below(random, 256));
      patch.emplace_back(key, value);
    }
    const std::string text = io::write_patch(patch);
    CHECK(std::ranges::all_of(text, [](char c) {
      return c > ' ' && c < 0x7F && std::string_view("\"<>#`{}|\\^").find(c) == std::string_view::npos;
    }));
    const Result<io::Patch> again = io::parse_patch(text);
    REQUIRE(again);
    CHECK(*again == patch);
  }
}

TEST_CASE("patches: a plus is a space, a literal plus is %2B, and empty parts are skipped") {
  CHECK(*io::parse_patch("&&a=1+2&&b=%2B&") == io::Patch{{"a", "1 2"}, {"b", "+"}});
  CHECK(io::write_patch({{"a", "1 2"}, {"b", "+"}}) == "a=1+2&b=%2B");
  CHECK(io::parse_patch("")->empty());
  std::string many;
  for (int i = 0; i <= 1000; ++i) many += "&a" + std::to_string(i) + "=1";
  CHECK_FALSE(io::parse_patch(many));
  CHECK(*io::parse_patch("a=b=c") == io::Patch{{"a", "b=c"}});
}

TEST_CASE("patches: what is no patch is refused with a sentence") {
  for (const std::string_view text :
       {"a", "=1", "a=%", "a=%1", "a=%zz", "a=%2", "%=1", "a=1&a=2", "a=1&%61=2", "a=1&b"}) {
    CAPTURE(std::string(text));
    check_refused(io::parse_patch(text));
  }
}

TEST_CASE("patches: hostile links never crash, and what is accepted can be computed, drawn and told") {
  REQUIRE(test::load_fonts());
  for (const scenes::SceneDef* scene : test::swept()) {
    Random random(99);
    int accepted = 0;
    for (int round = 0; round < 400; ++round) {
      std::string link = io::write_patch(scene->encode(wander(*scene, random, 1 + below(random, 6))));
      for (int n = below(random, 4); n > 0 && !link.empty(); --n) {
        const auto at = static_cast<std::size_t>(below(random, static_cast<int>(link.size())));
        switch (below(random, 4)) {
          case 0:
            link[at] = static_cast<char>(below(random, 256));
            break;
          case 1:
            link.erase(at, 1 + static_cast<std::size_t>(below(random, 8)));
            break;
          case 2:
            link.insert(at, any_of(kGarbage, random));
            break;
          default:
            link.insert(at, link.substr(at / 2, 20));
            break;
        }
      }
      CAPTURE(link);
      const Result<io::Patch> patch = io::parse_patch(link);
      if (!patch) {
        check_sentence(patch.error());
        continue;
      }
      std::any state = scene->initial();
      const std::vector<std::string> before = values(*scene, state);
      if (const Result<void> changed = scene->change(state, *patch); !changed) {
        CHECK(!changed.error().message.empty());
        CHECK(values(*scene, state) == before);
        continue;
      }
      ++accepted;
      if (accepted % 8 != 0) continue;  // drawing takes milliseconds
      const Trace trace = scene->compute(state, {});
      const auto step = static_cast<int>(scene->steps().size());
      const scenes::View view{.place = {1 + below(random, step), 0}};
      CHECK(!scene->draw(state, trace, view).elements.empty());
      CHECK(!scene->narrate(state, trace, view).empty());
    }
    CHECK(accepted > 40);
  }
}

TEST_CASE("places: every step and part is read back as it is written, and nothing else is read") {
  for (const scenes::SceneDef* scene : scenes::all()) {
    const std::span<const scenes::Step> steps = scene->steps();
    std::set<std::string> written;
    for (int step = 1; step <= static_cast<int>(steps.size()); ++step)
      for (int part = 0; part <= static_cast<int>(steps[static_cast<std::size_t>(step - 1)].parts.size()); ++part) {
        const scenes::Place place{step, part};
        const std::string text = scenes::write_place(*scene, place);
        CAPTURE(text);
        CHECK(written.insert(text).second);
        CHECK(text.find_first_of("&=#%+ ") == std::string::npos);  // it stands in links as it is
        CHECK(std::isalpha(static_cast<unsigned char>(text.front())));
        const Result<scenes::Place> again = scenes::read_place(*scene, text);
        REQUIRE(again);
        CHECK(*again == place);
      }
    const std::string past = std::to_string(steps.size() + 1);
    const std::string first(steps.front().id);
    for (const std::string& text :
         {std::string("0"), std::string("-1"), past, std::string("no_such_step"), std::string(), std::string("1."),
          std::string("1.1.1"), std::string("1.99"), std::string("1.-1"), std::string(".1"), std::string("7.2.1"),
          std::string("99999999999999"), first + ".", first + ".1", " " + first, "." + first}) {
      CAPTURE(text);
      check_refused(scenes::read_place(*scene, text));
    }
  }
}

TEST_CASE("places: a step that is gone leads to the one that took its place") {
  const scenes::SceneDef* const train = scenes::find("train");
  REQUIRE(train != nullptr);
  const Result<scenes::Place> place = scenes::read_place(*train, "task");
  REQUIRE(place);
  CHECK(scenes::write_place(*train, *place) == "train");
}

TEST_CASE("order: whole, by moves, or as they came; never with a place twice, missing or beyond") {
  const io::Field field{.name = "order", .label = "Order", .range = {0, 3}};
  io::Order order;
  CHECK(order.of(4) == std::vector<int>{0, 1, 2, 3});
  REQUIRE(io::read_value(field, "3>0", order));
  CHECK(io::write_value(order) == "3,0,1,2");
  REQUIRE(io::read_value(field, "0>2", order));
  CHECK(io::write_value(order) == "0,1,3,2");
  REQUIRE(io::read_value(field, "2>3", order));
  CHECK(order.places.empty());  // back where they came from
  REQUIRE(io::read_value(field, "1,0,3,2", order));
  for (const char* wrong : {"0,0,1,2", "0,1,2", "0,1,2,4", "4>0", "0>", ">1", "a,b,c,d", "0,1,2,3,0", "-1>0"}) {
    check_refused(io::read_value(field, wrong, order));
    CHECK(io::write_value(order) == "1,0,3,2");
  }
  REQUIRE(io::read_value(field, "", order));
  CHECK(order == io::Order{});
}
