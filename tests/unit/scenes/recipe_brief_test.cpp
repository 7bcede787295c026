// Numbers in few terms: what is written adds up to the trace's number, to the digits shown.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/random.h"
#include "scenes/common/recipe_brief.h"

namespace limelight::test {
namespace {

using namespace scenes::recipes;

Matrix random_matrix(Random& random, int rows, int columns) {
  Matrix made(rows, columns);
  for (float& number : made.reshaped()) number = static_cast<float>(random.normal());
  return made;
}

Symbol symbol_of(std::string_view tensor) { return {tensor, tensor, "", "a"}; }

// As a number is read by std::stod: "−4.9×10⁻⁵" becomes "-4.9e-5".
std::string plainly(std::string text) {
  static constexpr std::pair<std::string_view, std::string_view> kSigns[] = {
      {"×10", "e"}, {"−", "-"}, {"⁻", "-"}, {"⁰", "0"}, {"¹", "1"}, {"²", "2"}, {"³", "3"},
      {"⁴", "4"},   {"⁵", "5"}, {"⁶", "6"}, {"⁷", "7"}, {"⁸", "8"}, {"⁹", "9"}};
  for (const auto& [sign, read] : kSigns)
    for (std::size_t at = text.find(sign); at != std::string::npos; at = text.find(sign))
      text.replace(at, sign.size(), read);
  return text;
}

// The numbers of a formula in words, in their order.
std::vector<double> numbers_in(const std::string& said) {
  const std::string text = plainly(said);
  const auto is_digit = [&](std::size_t i) {
    return i < text.size() && std::isdigit(static_cast<unsigned char>(text[i])) != 0;
  };
  std::vector<double> all;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t read = 1;
    if (is_digit(i) || (text[i] == '-' && is_digit(i + 1))) all.push_back(std::stod(text.substr(i), &read));
    i += read;
  }
  return all;
}

struct Example {
  Trace trace;
  Recipes recipes{.symbol_of = symbol_of};
  std::vector<std::string> names;
};
Example example(int count) {
  Random random(static_cast<std::uint64_t>(count));
  Example made;
  Matrix S = 4 * random_matrix(random, 3, count), V = random_matrix(random, count, 2);
  Matrix A = (S.colwise() - S.rowwise().maxCoeff()).array().exp().matrix();
  for (Eigen::Index row = 0; row < A.rows(); ++row) A.row(row) /= A.row(row).sum();
  made.trace.add("Y", A * V);
  made.trace.add("S", std::move(S));
  made.trace.add("A", std::move(A));
  made.trace.add("V", std::move(V));
  made.recipes.add("A", softmax("S"));
  made.recipes.add("Y", product("A", "V"));
  made.names.assign(static_cast<std::size_t>(count), "word");
  return made;
}

}  // namespace

TEST_CASE("in few terms: a product's terms and what is left out are the number") {
  for (const int count : {1, 2, 3, 4, 9, 40}) {
    const Example of = example(count);
    for (int row = 0; row < 3; ++row)
      for (int column = 0; column < 2; ++column) {
        const double value = of.trace.at("Y").values(row, column);
        const Few few = few_of(products_of(of.recipes.of("Y"), of.trace, {"Y", row, column}), 3);
        double sum = few.rest;
        for (const Product& one : few.terms) sum += one.value();
        CHECK(sum == doctest::Approx(value).epsilon(1e-5));
        CHECK(static_cast<int>(few.terms.size()) + few.others == count);
        const Asked asked{of.recipes, of.trace, figure::palette(figure::Theme::light), {"Y", row, column}};
        const std::string said = figure::plain(sum_in_few(asked, of.names, {}));
        const std::vector<double> numbers = numbers_in(said);
        CAPTURE(said);
        REQUIRE(numbers.size() >= 2 * few.terms.size() + 1);
        double written = few.others > 0 ? numbers[numbers.size() - 2] : 0;
        for (std::size_t i = 0; i < few.terms.size(); ++i) written += numbers[2 * i] * numbers[2 * i + 1];
        // Weights have four digits, the second factors, of up to 5, three: half of the last one of each may be missing.
        CHECK(written == doctest::Approx(numbers.back()).scale(1).epsilon(3e-3));
        CHECK(std::abs(numbers.back() - value) < 5.1e-5);
      }
  }
}

TEST_CASE("in few terms: a share's powers divide to the weight, whichever is told and whatever is taken off") {
  for (const int count : {1, 2, 3, 4, 9, 40}) {
    const Example of = example(count);
    for (int column = 0; column < count; ++column)
      for (const TakesOff takes_off : {TakesOff::the_largest, TakesOff::where_needed}) {
        const Asked asked{of.recipes, of.trace, figure::palette(figure::Theme::light), {"A", 1, column}};
        const Share share = share_in_few(asked, of.names, {}, takes_off, Others::told);
        const std::string powers = figure::plain(share.powers), numbers = figure::plain(share.numbers);
        CAPTURE(powers);
        CAPTURE(numbers);
        const double weight = of.trace.at("A").values(1, column);
        const std::vector<double> written = numbers_in(numbers);
        REQUIRE(written.size() >= 3);
        if (numbers.find('<') == std::string::npos)
          CHECK(std::abs(written[0] / written[1] - weight) < 1e-3 * weight + 1e-6);
        CHECK(std::abs(written.back() - weight) <= 5.1e-4);
        // What stands above the line stands below it, too.
        const std::size_t line = powers.find('/'), begins = powers.find("e^");
        const std::string over = powers.substr(begins, powers.find(' ', begins) - begins);
        CHECK(powers.find(over, line) != std::string::npos);
      }
  }
}

TEST_CASE("in few terms: other words that score alike are counted, whoever of them is told") {
  Example of = example(9);
  Tensor scores = of.trace.at("S");
  scores.values.setZero();
  scores.values(1, 3) = 3.266F;
  scores.values(1, 5) = 2.858F;
  of.trace = {};
  of.trace.add("S", scores.values);
  of.trace.add("A", Matrix::Constant(3, 9, 0.02F));
  for (const int told : {0, 3, 5, 8}) {
    const Asked asked{of.recipes, of.trace, figure::palette(figure::Theme::light), {"A", 1, told}};
    const auto said = [&](Others others) {
      std::string powers = figure::plain(share_in_few(asked, of.names, {}, TakesOff::where_needed, others).powers);
      std::erase(powers, ' ');
      return powers;
    };
    CAPTURE(said(Others::told));
    CHECK(said(Others::told).ends_with("(e^3.266+e^2.858+7others·e^0)"));
    CHECK(said(Others::summed).ends_with("(e^3.266+e^2.858+7·e^0)"));
  }
}

}  // namespace limelight::test
