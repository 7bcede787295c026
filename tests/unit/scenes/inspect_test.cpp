// What the inspector says of a number is computed anew from the digits that it shows: each side of an equals sign must
// give what the other side gives, as far as rounded digits can tell.
#include <doctest/doctest.h>

#include <algorithm>
#include <any>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "figure/formula.h"
#include "io/numbers.h"
#include "scenes/common/explain.h"
#include "scenes/scene.h"
#include "unit/models.h"
#include "unit/swept.h"
#include "unit/thin.h"

using namespace limelight;
using namespace limelight::scenes;
using figure::Formula;
using figure::FormulaKind;

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// What a number can be of which rounded digits are shown.
struct Interval {
  double low = 0, high = 0;
  bool computed = false;  // from more than one shown number

  [[nodiscard]] bool meets(const Interval& other) const {
    if (low == other.low || high == other.high) return true;                           // infinite
    const double slack = 1e-5 * std::max({1e-6, std::abs(low), std::abs(other.low)});  // of sums in single precision
    return low <= other.high + slack && other.low <= high + slack;
  }
};
using Value = std::optional<Interval>;  // none: it has letters in it

Interval around(std::initializer_list<double> corners) {
  const auto [low, high] = std::minmax(corners);
  return {low, high, true};
}
Interval sum(const Interval& a, const Interval& b, double sign) {
  return around({a.low + sign * (sign > 0 ? b.low : b.high), a.high + sign * (sign > 0 ? b.high : b.low)});
}
Interval product(const Interval& a, const Interval& b) {
  return around({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
}
Interval quotient(const Interval& a, const Interval& b) {
  if (b.low <= 0 && b.high >= 0) return {-kInfinite, kInfinite, true};
  return around({a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high});
}

// "0.33", "−3.2×10⁻⁷", "−∞", "1,024"
Value shown_number(std::string text) {
  if (text == "−∞") return Interval{-kInfinite, -kInfinite};
  if (text == "∞") return Interval{kInfinite, kInfinite};
  std::erase(text, ',');
  int power = 0;
  if (const std::size_t times = text.find("×10"); times != std::string::npos) {
    static const std::map<std::string, char> raised{{"⁰", '0'}, {"¹", '1'}, {"²", '2'}, {"³", '3'},
                                                    {"⁴", '4'}, {"⁵", '5'}, {"⁶", '6'}, {"⁷", '7'},
                                                    {"⁸", '8'}, {"⁹", '9'}, {"⁻", '-'}};
    std::string digits, sign;
    for (const char c : text.substr(times + std::string("×10").size())) {
      sign += c;
      if (const auto found = raised.find(sign); found != raised.end()) {
        digits += found->second;
        sign.clear();
      }
    }
    const Result<int> read = io::parse_integer(digits);
    if (!read) return std::nullopt;
    power = *read;
    text.erase(times);
  }
  const Result<double> read = io::parse_number(text);
  if (!read) return std::nullopt;
  const std::size_t point = text.find('.');
  const int decimals = point == std::string::npos ? 0 : static_cast<int>(text.size() - point - 1);
  // A whole number below 10 is exact; from there on four digits may have lost what stood behind the point.
  const bool whole_number = point == std::string::npos;
  const int before = static_cast<int>(std::floor(std::log10(std::max(1., std::abs(*read)))));
  // Of a power of ten two digits are shown, or one where the second is 0.
  const double half = power != 0                    ? 0.05 * std::pow(10, power)
                      : whole_number && before == 0 ? 0
                      : whole_number                ? 0.5 * std::pow(10, before - 3)
                                                    : 0.5 * std::pow(10, -decimals);
  const double value = *read * std::pow(10, power);
  return Interval{value - half, value + half};
}

class Reader {
 public:
  explicit Reader(std::vector<Formula> parts) : parts_(std::move(parts)) {}

  // Of all the parts: sums of products.
  Value read() {
    Value value = terms();
    return at_ == parts_.size() ? value : std::nullopt;
  }

 private:
  [[nodiscard]] bool sees(std::string_view sign) const {
    return at_ < parts_.size() && parts_[at_]->kind == FormulaKind::operation && parts_[at_]->text == sign;
  }

  Value terms() {
    const bool negative = sees("−");
    if (negative) ++at_;
    Value value = factors();
    if (value && negative) value = Interval{-value->high, -value->low, value->computed};
    while (value && (sees("+") || sees("−"))) {
      const double sign = sees("+") ? 1 : -1;
      ++at_;
      const Value other = factors();
      if (!other) return std::nullopt;
      value = sum(*value, *other, sign);
    }
    return value;
  }

  Value factors() {
    Value value = part();
    while (value && at_ < parts_.size() && (parts_[at_]->kind != FormulaKind::operation || sees("·"))) {
      if (sees("·")) ++at_;
      const Value other = part();
      if (!other) return std::nullopt;
      value = product(*value, *other);
    }
    return value;
  }

  Value part() {
    if (at_ >= parts_.size()) return std::nullopt;
    const Formula& part = parts_[at_++];
    switch (part->kind) {
      case FormulaKind::number:
        return shown_number(part->text);
      case FormulaKind::fraction: {
        const Value over = of(part->children[0]), under = of(part->children[1]);
        if (!over || !under) return std::nullopt;
        return quotient(*over, *under);
      }
      case FormulaKind::root: {
        const Value inside = of(part->children[0]);
        if (!inside || inside->high < 0) return std::nullopt;
        return Interval{std::sqrt(std::max(inside->low, 0.)), std::sqrt(inside->high), true};
      }
      case FormulaKind::row:
        // "{60 more = 0.12}": what is not shown.
        if (part->text == "{}") return of(part->children.back());
        return of(part, true);
      case FormulaKind::word:
        if (part->text == "exp" && at_ < parts_.size() && parts_[at_]->text == "()") {
          const Value inside = of(parts_[at_++], true);
          if (!inside) return std::nullopt;
          return Interval{std::exp(inside->low), std::exp(inside->high), true};
        }
        return std::nullopt;
      default:
        return std::nullopt;
    }
  }

  static Value of(const Formula& formula, bool inside = false) {
    if (!inside) return Reader(figure::top_level(formula)).read();
    std::vector<Formula> parts;
    for (const Formula& child : formula->children)
      for (const Formula& part : figure::top_level(child)) parts.push_back(part);
    return Reader(parts).read();
  }

  std::vector<Formula> parts_;
  std::size_t at_ = 0;
};

// The sides of equals signs, of a line and those that go on after it: they begin with one.
std::vector<std::vector<Value>> chains(const std::vector<Formula>& lines) {
  std::vector<std::vector<Value>> made;
  for (const Formula& line : lines) {
    std::vector<std::vector<Formula>> sides(1);
    for (const Formula& part : figure::top_level(line)) {
      const bool equals = part->kind == FormulaKind::operation && (part->text == "=" || part->text == "≈");
      if (equals)
        sides.emplace_back();
      else
        sides.back().push_back(part);
    }
    const bool goes_on = sides.front().empty() && !made.empty();
    if (!goes_on) made.emplace_back();
    for (const std::vector<Formula>& side : sides)
      if (!side.empty()) made.back().push_back(Reader(side).read());
  }
  return made;
}

std::string words(const std::vector<Formula>& lines) {
  std::string text;
  for (const Formula& line : lines) text += figure::plain(line) + "\n";
  return text;
}

// All that the scene's steps compute from besides the state.
std::map<std::string, std::any, std::less<>> resources_of(const SceneDef& scene, const std::any& state) {
  std::map<std::string, std::any, std::less<>> made;
  for (int step = 1; step <= static_cast<int>(scene.steps().size()); ++step)
    for (const Resource* resource : scene.needs(state, {step, 0})) {
      if (made.contains(resource->name)) continue;
      Result<std::any> read = resource->read(test::model_bytes(resource->name), resource->name);
      REQUIRE(read);
      made.emplace(resource->name, std::move(*read));
    }
  return made;
}

// Numbers of every scene's trace, in each of its examples: all of a small tensor, and of a large one each n-th.
void each_explained(const std::function<void(const SceneDef&, double, const Inspection&)>& visit) {
  constexpr int kOfATensor = 500;
  for (const SceneDef* scene : test::swept()) {
    const std::vector<io::FieldInfo> fields = scene->fields(scene->initial());
    for (const io::Choice& preset : fields.front().field.choices) {
      std::any state = scene->initial();
      REQUIRE(scene->change(state, {{"preset", std::string(preset.value)}}));
      const auto resources = resources_of(*scene, state);
      const Trace trace = scene->compute(state, {.resources = &resources});
      for (const Tensor& tensor : trace.tensors) {
        const int every = test::kOneIn * (1 + static_cast<int>(tensor.values.size()) / kOfATensor);
        for (int cell = 0; cell < static_cast<int>(tensor.values.size()); cell += every) {
          const int i = cell / tensor.columns(), j = cell % tensor.columns();
          const std::string id = figure::cell_id({tensor.name, i, j});
          CAPTURE(std::string(scene->id));
          CAPTURE(preset.value);
          CAPTURE(id);
          const std::optional<Inspection> made = scene->inspect(state, trace, {.width = 756, .height = 592}, id);
          REQUIRE(made);
          if (scene->id == "spotlight") {  // in words
            CHECK(made->title.find_first_of("[{") == std::string::npos);
            CHECK(made->title.contains(label_of(tensor.row_labels, i)));
          } else if (scene->id == "layer") {  // with the letter of the article where a tensor's name tells more
            CHECK(made->title.contains('['));
          } else {
            CHECK(made->title.starts_with(tensor.name));
          }
          REQUIRE(!made->lines.empty());
          visit(*scene, static_cast<double>(tensor.values(i, j)), *made);
        }
      }
    }
  }
}

}  // namespace

TEST_CASE("inspect: the test's own arithmetic reads sums, products, fractions, roots and powers as they are shown") {
  using namespace figure;
  const auto reads = [](const Formula& formula, double value) {
    const Value read = Reader(top_level(formula)).read();
    return read && read->low <= value && value <= read->high && read->high - read->low < 0.1;
  };
  const Formula half = number("0.50"), minus = number("−0.25");
  CHECK(reads(row({half, operation("·"), parenthesised(minus), operation("+"), number("2")}), 1.875));
  CHECK(reads(fraction(half, root(number("4"))), 0.25));
  CHECK(reads(row({word("exp"), parenthesised(row({half, operation("−"), number("0.500")}))}), 1));
  CHECK(reads(number("3.2×10⁻⁷"), 3.2e-7));
  CHECK(reads(sum_of_products(std::vector<Term>(60, {0.5F, 0.5F}), 2, {}, {}), 15));
  CHECK_FALSE(Reader(top_level(row({symbol("a"), operation("·"), half}))).read());
  CHECK_FALSE(Interval{0.1, 0.2}.meets({0.21, 0.3}));
}

TEST_CASE("inspect: what is computed from the digits shown is the number that it is said to be, in every scene") {
  std::map<std::string, int> computed;
  each_explained([&](const SceneDef& scene, double value, const Inspection& made) {
    std::vector<std::vector<Value>> all = chains(made.lines);
    const double half = std::abs(value) < 5e-7 ? 0.01 * std::abs(value) : 5.1e-7;
    for (std::size_t c = 0; c < all.size(); ++c) {
      std::vector<Interval> sides;
      for (const Value& side : all[c])
        if (side) sides.push_back(*side);
      // The last of all is the number itself.
      if (c + 1 == all.size()) sides.push_back({value - half, value + half});
      for (const Interval& side : sides) {
        if (side.computed) ++computed[std::string(scene.id)];
        INFO(words(made.lines), "\n", side.low, " to ", side.high, " is not ", sides.back().low);
        CHECK(side.meets(sides.back()));
      }
    }
  });
  int together = 0;
  for (const SceneDef* scene : test::swept()) {
    CAPTURE(std::string(scene->id));
    CHECK_MESSAGE(computed[std::string(scene->id)] > 0,
                  "None of its numbers is explained by arithmetic that this test can read.");
    together += computed[std::string(scene->id)];
  }
  CHECK((together > 50 * static_cast<int>(all().size()) / test::kOneIn || !test::sweeps_all()));
}

TEST_CASE("inspect: the last line ends in the number, and none that is not 0 is written as 0") {
  each_explained([](const SceneDef&, double value, const Inspection& made) {
    const std::vector<Formula> parts = figure::top_level(made.lines.back());
    INFO(words(made.lines));
    const Value shown = parts.back()->kind == FormulaKind::number ? shown_number(parts.back()->text) : std::nullopt;
    REQUIRE(shown);
    if (std::isinf(value)) {
      CHECK(shown->low == value);
      return;
    }
    const double middle = (shown->low + shown->high) / 2;
    CHECK((middle == 0) == (value == 0));
    CHECK(std::abs(middle - value) <=
          std::max(5.1e-7, std::abs(value) < 1e-4 ? 6e-3 * std::abs(value) : 1e-6 * std::abs(value)));
  });
}

TEST_CASE("explain: what is not 0 is not written as 0, however small it is") {
  CHECK(fixed(0) == "0.000");
  CHECK(fixed(-0.0004) == "−0.0004");
  CHECK(fixed(3.2e-7) == "3.2×10⁻⁷");
  CHECK(fixed(0.0005) == "0.001");
  CHECK(whole(4e-8) == "4×10⁻⁸");
  CHECK(whole(0.25) == "0.25");
  CHECK(whole(0) == "0");
  CHECK(whole(100) == "100");
  CHECK(figure::plain(value_of(1e-9)) == "1×10⁻⁹");
  CHECK(figure::plain(value_of(-kInfinite)) == "−∞");
  CHECK_FALSE(is_exact(1e-9, 3));
}
