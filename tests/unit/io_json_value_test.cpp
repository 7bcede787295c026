#include "io/json_value.h"

#include <doctest/doctest.h>

#include <string>

using namespace limelight::io;

TEST_CASE("json: what is read has the kinds, names and texts of the file") {
  const auto json = read_json(
      R"( {"model_type" : "gpt2", "n": -12, "eps":1e-05, "tie":true, "not":false, "n_inner":null,
           "list":[1, [], {}, "\u00e9\ud83d\ude00\n\"\\\/"], "n": 13} )");
  REQUIRE(json);
  CHECK(json->kind == JsonValue::Kind::object);
  CHECK(json->find("model_type")->text == "gpt2");
  CHECK(json->find("n")->text == "-12");
  CHECK(json->find("n")->kind == JsonValue::Kind::number);
  CHECK(json->find("eps")->text == "1e-05");
  CHECK(json->find("tie")->truth);
  CHECK(!json->find("not")->truth);
  CHECK(json->find("not")->kind == JsonValue::Kind::truth);
  CHECK(json->find("n_inner")->kind == JsonValue::Kind::null);
  CHECK(json->find("absent") == nullptr);
  CHECK(json->names.size() == 8);  // one given twice too
  const JsonValue* list = json->find("list");
  REQUIRE(list->values.size() == 4);
  CHECK(list->values[1].kind == JsonValue::Kind::list);
  CHECK(list->values[2].kind == JsonValue::Kind::object);
  CHECK(list->values[3].text == "é😀\n\"\\/");
  CHECK(list->find("n") == nullptr);
}

TEST_CASE("json: a text that is not one value is refused") {
  for (const char* text :
       {"",   " ",  "{",  "[1,]", "[1 2]",      "{\"a\"}", "{\"a\":1,}", "{a:1}",     "01",          "-",        "1.",
        ".5", "1e", "+1", "nul",  "true false", "\"open",  "\"\\x\"",    "\"\\u12\"", "\"\\ud800\"", "\"a\nb\"", "NaN"})
    CHECK_MESSAGE(!read_json(text), text);
  for (const char* text : {"0", "-0.5e+3", "[]", "{}", "\"\"", " null\n"}) CHECK_MESSAGE(read_json(text), text);
}

TEST_CASE("json: lists a hundred deep are read, deeper ones refused, however deep") {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  CHECK(read_json(nested(100)));
  CHECK(!read_json(nested(102)));
  CHECK(!read_json(nested(1000000)));
}
