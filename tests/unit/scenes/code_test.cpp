// What writes code: names, numbers, and what it reaches.
#include "scenes/common/code.h"

#include <doctest/doctest.h>

#include <bit>
#include <limits>
#include <set>

#include "io/numbers.h"
#include "scenes/scene.h"

using namespace limelight;
using namespace limelight::scenes;

namespace {

bool is_legal(std::string_view name) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
  };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  if (name.empty() || digit(name.front())) return false;
  return std::ranges::all_of(name, [&](char c) { return letter(c) || digit(c); });
}

Trace two() {
  Trace trace;
  trace.add("A", Matrix{{1, 2}, {3, 4}}, {"a\nb", "c\r#d"}, {"x", "y"});
  trace.add("unused", Matrix{{7}});
  trace.add("sum", Matrix{{3}, {7}});
  return trace;
}

std::string written(const Trace& trace, const code::Equations& equations, std::string_view principal,
                    code::Language language = code::Language::numpy) {
  const auto text =
      code::write({.title = "T", .link = "l", .trace = trace, .principal = principal, .language = language}, equations);
  REQUIRE(text);
  return *text;
}

code::Equations sums() {
  code::Equations made;
  made.add("sum", "np.sum({A}, axis=1, keepdims=True)", "of each row");
  return made;
}

}  // namespace

TEST_CASE("code: every tensor of every scene has a legal name, and no two of a scene have the same") {
  for (const SceneDef* scene : all()) {
    const std::any state = scene->initial();
    std::set<std::string> names;
    for (const Tensor& tensor : scene->compute(state, {}).tensors) {
      const std::string name = code::identifier(tensor.name);
      CHECK_MESSAGE(is_legal(name), scene->id << " " << tensor.name);
      CHECK_MESSAGE(names.insert(name).second, scene->id << " " << tensor.name);
    }
  }
}

TEST_CASE("code: what is no letter becomes an underscore, and Python's own words get one more") {
  CHECK(code::identifier("W_q") == "W_q");
  CHECK(code::identifier("A_3.2") == "A_3_2");
  CHECK(code::identifier("V′") == "V_");
  CHECK(code::identifier("α") == "α");
  CHECK(code::identifier("2·1") == "_2_1");
  CHECK(code::identifier("") == "_");
  for (const char* word : {"sum", "lambda", "np", "torch", "shown", "softmax"})
    CHECK(code::identifier(word) == std::string(word) + "_");
}

TEST_CASE("code: two tensors whose names become the same identifier stay apart") {
  Trace trace;
  trace.add("a.b", Matrix{{1}});
  trace.add("a b", Matrix{{2}});
  trace.add("c", Matrix{{3}});
  code::Equations equations;
  equations.add("c", "{a.b} + {a b}", "");
  const std::string text = written(trace, equations, "c");
  CHECK(text.find("c = a_b + a_b_2\n") != std::string::npos);
  CHECK(text.find("a_b_2 = np.array([\n    [2],") != std::string::npos);
}

TEST_CASE("code: the numbers of a literal read back to the same floats") {
  const float values[] = {0.1F,
                          -1 / 3.F,
                          1e-45F,
                          3.4028235e38F,
                          16777217.F,
                          -0.F,
                          std::numeric_limits<float>::infinity(),
                          -std::numeric_limits<float>::infinity(),
                          std::numeric_limits<float>::quiet_NaN()};
  Trace trace;
  trace.add("x", Matrix(Eigen::Map<const Matrix>(values, 1, std::size(values))));
  const std::string text = written(trace, {}, "x");
  const std::size_t begin = text.find("    [") + 5, end = text.find("],\n", begin);
  std::string_view rest(text.data() + begin, end - begin);
  for (const float value : values) {
    const std::size_t comma = std::min(rest.find(", "), rest.size());
    const std::string_view one = rest.substr(0, comma);
    if (std::isnan(value))
      CHECK(one == "np.nan");
    else if (std::isinf(value))
      CHECK(one == (value < 0 ? "-np.inf" : "np.inf"));
    else
      CHECK(std::bit_cast<std::uint32_t>(static_cast<float>(io::parse_number(one).value_or(42))) ==
            std::bit_cast<std::uint32_t>(value));
    rest.remove_prefix(std::min(comma + 2, rest.size()));
  }
  CHECK(rest.empty());
}

TEST_CASE("code: only what the result comes from is written") {
  const std::string text = written(two(), sums(), "sum");
  CHECK(text.find("unused") == std::string::npos);
  CHECK(text.find("A = np.array([") < text.find("sum_ = np.sum(A, axis=1, keepdims=True)\n"));
  CHECK(text.find("# sum [2, 1]: of each row\n") != std::string::npos);
  CHECK(text.find("np.testing.assert_allclose(sum_, shown") != std::string::npos);
  CHECK(written(two(), sums(), "A").find("assert") == std::string::npos);  // nothing is computed
}

TEST_CASE("code: a label that a reader wrote stays inside its comment") {
  const std::string text = written(two(), sums(), "sum");
  CHECK(text.find("[1, 2],  # a b\n") != std::string::npos);
  CHECK(text.find('\r') == std::string::npos);
}

TEST_CASE("code: PyTorch has the same statements in its own words") {
  const std::string text = written(two(), sums(), "sum", code::Language::pytorch);
  CHECK(text.find("sum_ = torch.sum(A, dim=1, keepdim=True)\n") != std::string::npos);
  CHECK(text.find("dtype=torch.float32)") != std::string::npos);
  CHECK(text.find("np.") == std::string::npos);
}

TEST_CASE("code: it brings the functions that it calls, and those that they call, and no others") {
  Trace trace;
  trace.add("x", Matrix{{1, 2}});
  trace.add("y", Matrix{{1, 2}});
  code::Equations equations;
  equations.add("y", "attend({x})", "");
  const std::string text = written(trace, equations, "y");
  for (const char* name : {"attend", "rotate", "sinusoidal", "angles", "softmax"})
    CHECK_MESSAGE(text.find("def " + std::string(name) + "(") != std::string::npos, name);
  CHECK(text.find("def angles(") < text.find("def sinusoidal("));
  CHECK(text.find("def entmax15(") == std::string::npos);
}

TEST_CASE("code: more numbers than can be read by eyes are loaded from a file") {
  Trace trace;
  trace.add("big", Matrix::Ones(129, 128));
  trace.add("twice", Matrix::Constant(129, 128, 2));
  code::Equations equations;
  equations.add("twice", "2 * {big}", "");
  const std::string text = written(trace, equations, "twice");
  CHECK(text.find("big = np.load(\"big.npy\")\n") != std::string::npos);
  CHECK(text.find("assert_allclose(twice[:64, :64], shown") != std::string::npos);
}

TEST_CASE("code: without numbers there is a sentence") {
  const auto text = code::write({.title = "T", .link = "l", .trace = {}, .principal = "X"}, {});
  REQUIRE_FALSE(text);
  CHECK(text.error().message.ends_with("still to come."));
  CHECK_FALSE(code::read_language("fortran"));
}
