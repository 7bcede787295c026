#include "io/json_reader.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace limelight::io;

TEST_CASE("JSON reader: values come in the order of the text, whatever white space is between them") {
  JsonReader json(" { \"a\" :[ 1,\t-22 , 3] ,\r\n\"b\":true,\"c\": null , \"d\":{}, \"e\":[], \"f\": \"g\" } \n");
  std::vector<std::string> keys;
  std::vector<std::int64_t> numbers;
  CHECK(json.object([&](const std::string& key) {
    keys.push_back(key);
    if (key == "a")
      return json.list([&] {
        numbers.push_back(json.whole_number().value());
        return true;
      });
    if (key == "b") return json.truth() == true;
    if (key == "c") return json.null();
    if (key == "f") return json.text() == "g";
    return json.skip();
  }));
  CHECK(json.ends());
  CHECK(keys == std::vector<std::string>{"a", "b", "c", "d", "e", "f"});
  CHECK(numbers == std::vector<std::int64_t>{1, -22, 3});
}

TEST_CASE("JSON reader: escapes are read, surrogates in pairs only") {
  CHECK(JsonReader(R"("\"\\\/\b\f\n\r\t")").text() == "\"\\/\b\f\n\r\t");
  CHECK(JsonReader(R"("\u0041\u00e9\u0120\uD83D\uDE00")").text() == "Aé\u0120😀");
  for (const char* const broken : {R"("\uD83D")", R"("\uDE00")", R"("\uD83Dx")", R"("\uD83D\u0041")", R"("\u00g0")",
                                   R"("\x")", "\"\n\"", "\"a", "\"\\"})
    CHECK_FALSE(JsonReader(broken).text());
}

TEST_CASE("JSON reader: what is asked for and does not come is not taken") {
  JsonReader json("[1.5]");
  CHECK_FALSE(json.text());
  CHECK_FALSE(json.truth());
  CHECK_FALSE(json.null());
  CHECK_FALSE(json.whole_number());
  CHECK_FALSE(json.object([](const std::string&) { return true; }));
  CHECK(json.skip());
  CHECK(json.ends());
  for (const char* const broken : {"[1,]", "[1 2]", "{\"a\" 1}", "{\"a\":}", "{1:2}", "[", "]", "nul", "x", ""})
    CHECK_FALSE(JsonReader(broken).skip());
  CHECK(JsonReader(std::string(60, '[') + std::string(60, ']')).skip());
  CHECK_FALSE(JsonReader(std::string(100'000, '[')).skip());
}

TEST_CASE("JSON reader: a failure tells truncated from broken") {
  JsonReader broken("{\"a\":\n 1}");
  CHECK_FALSE(broken.object([&](const std::string&) { return broken.text().has_value(); }));
  CHECK(broken.failure("x.json", "a text").message == "x.json is broken at byte 7 (line 2): a text is needed there.");
  for (const std::string_view cut : {"{\"a\":", "{\"a\": \"b", "{\"a\": \"\\u00", "{\"a\"", "{\"a\": tr"}) {
    JsonReader json(cut);
    CHECK_FALSE(json.skip());
    CHECK(json.failure("x.json", "").message ==
          "x.json is truncated: its JSON is not complete after " + std::to_string(cut.size()) + " bytes.");
  }
}
