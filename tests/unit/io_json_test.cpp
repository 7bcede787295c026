#include "io/json.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>

using limelight::Matrix;
using limelight::io::JsonWriter;

namespace {

template <class T>
std::string written(T value) {
  return JsonWriter().value(value).take();
}

}  // namespace

TEST_CASE("json: commas stand between values and nowhere else, at every depth") {
  JsonWriter json;
  json.begin_object().member("name", "scale").member("steps", 3).member("on", true);
  json.key("empty").begin_array().end_array();
  json.key("nested").begin_array();
  json.begin_object()
      .end_object()
      .begin_object()
      .member("a", 1)
      .end_object()
      .null()
      .value(2)
      .begin_array()
      .value(3)
      .end_array();
  json.end_array().end_object();
  CHECK(json.take() == R"({"name":"scale","steps":3,"on":true,"empty":[],"nested":[{},{"a":1},null,2,[3]]})");
}

TEST_CASE("json: a writer that was taken from starts anew") {
  JsonWriter json;
  CHECK(json.begin_array().value(1).value(2).end_array().take() == "[1,2]");
  CHECK(json.begin_array().value(3).end_array().take() == "[3]");
}

TEST_CASE("json: text is escaped where it must be, and only there") {
  CHECK(written("plain é 👩 /") == "\"plain é 👩 /\"");
  CHECK(written("\"\\\n\t") == R"("\"\\\n\t")");
  CHECK(written(std::string_view("\0\x01\x1F\x7F", 4)) == R"("\u0000\u0001\u001f\u007f")");
  CHECK(written("\u2028\u2029") == R"("\u2028\u2029")");
  CHECK(written("\xFF") == "\"\uFFFD\"");
  CHECK(JsonWriter().begin_object().member("a\"b", 1).end_object().take() == R"({"a\"b":1})");
}

TEST_CASE("json: a text is never taken for a truth value") {
  CHECK(written("true") == "\"true\"");
  CHECK(written(std::string("x")) == "\"x\"");
  CHECK(written(std::string_view("x")) == "\"x\"");
  CHECK(written(false) == "false");
}

TEST_CASE("json: numbers are the shortest that read back the same, and non-finite ones are strings") {
  CHECK(written(0.1) == "0.1");
  CHECK(written(0.1f) == "0.1");
  CHECK(written(1e-7) == "1e-07");
  CHECK(written(-3) == "-3");
  CHECK(written(std::numeric_limits<int>::min()) == "-2147483648");
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  CHECK(written(kInfinity) == "\"Infinity\"");
  CHECK(written(-static_cast<float>(kInfinity)) == "\"-Infinity\"");
  CHECK(written(-std::numeric_limits<double>::quiet_NaN()) == "\"NaN\"");
}

TEST_CASE("json: a tensor is its shape and its values row by row, also when it is a view into a wider one") {
  Matrix matrix(2, 3);
  matrix << 1, 2.5F, 3, 4, 5, -6;
  const auto members = [](limelight::ConstMatrixRef values) {
    return JsonWriter().begin_object().tensor(values).end_object().take();
  };
  CHECK(members(matrix) == R"({"shape":[2,3],"data":[1,2.5,3,4,5,-6]})");
  CHECK(members(matrix.rightCols(2)) == R"({"shape":[2,2],"data":[2.5,3,5,-6]})");
  CHECK(members(Matrix(0, 4)) == R"({"shape":[0,4],"data":[]})");
  JsonWriter json;
  json.begin_object().member("name", "Q").tensor(matrix.topRows(1)).member("after", 1).end_object();
  CHECK(json.take() == R"({"name":"Q","shape":[1,3],"data":[1,2.5,3],"after":1})");
}
