#include "scenes/common/recipe_brief.h"

#include <algorithm>
#include <cmath>

#include "figure/order.h"
#include "figure/panels.h"
#include "io/numbers.h"
#include "io/utf8.h"
#include "scenes/common/explain.h"

namespace limelight::scenes::recipes {

using namespace figure;

std::vector<Product> products_of(const Recipe& recipe, const Trace& trace, const Source& at) {
  const Matrix &left = trace.at(recipe.left()).values, &right = trace.at(recipe.right()).values;
  std::vector<Product> terms;
  for (int k = 0; k < static_cast<int>(left.cols()); ++k)
    terms.push_back({k, left(at.row, k), recipe.turned ? right(at.column, k) : right(recipe.first + k, at.column)});
  return terms;
}

Few few_of(const std::vector<Product>& all, std::size_t most) {
  std::vector<float> sizes;
  for (const Product& one : all) sizes.push_back(std::abs(one.value()));
  Few few;
  for (const int k : largest_first(sizes)) {
    const Product& one = all[static_cast<std::size_t>(k)];
    if (few.terms.size() < most) {
      few.terms.push_back(one);
    } else {
      ++few.others;
      few.rest += one.value();
    }
  }
  return few;
}

Formula sum_in_few(const Asked& asked, std::span<const std::string> names, Colour left) {
  constexpr std::size_t kMost = 3;
  const Recipe& recipe = asked.recipes.of(asked.at.tensor);
  std::vector<Product> products = products_of(recipe, asked.trace, asked.at);
  std::erase_if(products, [](const Product& one) { return one.value() == 0; });
  const Few few = few_of(products, kMost);
  const int decimals = decimals_for(asked.trace.at(recipe.right()).values, 3);
  const auto factor = [&](float value) {
    const Formula written = number(io::format_fixed(value, decimals));
    return coloured(value < 0 ? parenthesised(written) : written,
                    asked.colours.*asked.recipes.symbol_of(recipe.right()).ink);
  };
  std::vector<Formula> parts{operation("=")};
  for (const Product& one : few.terms) {
    if (parts.size() > 1) parts.push_back(operation("+"));
    parts.push_back(coloured(number(fixed(one.left, 4)), left));
    parts.push_back(operation("·"));
    parts.push_back(factor(one.right));
    const std::string name = io::ellipsize(names[static_cast<std::size_t>(one.place)], 10);
    parts.push_back(coloured(word(" " + name), asked.colours.muted));
  }
  if (few.terms.empty()) parts.push_back(number("0"));
  if (few.others > 0) {
    parts.push_back(operation("+"));
    parts.push_back(coloured(word(std::to_string(few.others) + " more: "), asked.colours.muted));
    parts.push_back(number(fixed(few.rest, 4)));
  }
  const float value = asked.trace.at(asked.at.tensor).values(asked.at.row, asked.at.column);
  parts.push_back(operation(is_exact(value, 4) ? "=" : "≈"));
  parts.push_back(number(fixed(value, 4)));
  return row(parts);
}

namespace {

// So many digits that the quotient of two is true to its third; what is too small to be written is still more than 0.
Formula positive(double value) { return number(value > 0 && value < 0.001 ? "<0.001" : io::format_short(value, 4)); }

// The places of a row's largest powers that are written, in their order; `told` is one of them, or like all others.
std::vector<int> largest_powers(std::span<const float> scores, float maximum, int told) {
  std::vector<float> powers;
  for (const float score : scores) powers.push_back(std::exp(score - maximum));
  std::vector<int> named = largest_first(powers);
  std::erase_if(named, [&](int j) { return j != told && powers[static_cast<std::size_t>(j)] == 0; });  // masked
  if (named.size() <= 3) return named;
  const std::span others = std::span(named).subspan(2);
  const bool alike = std::ranges::all_of(others, [&](int j) {
    return powers[static_cast<std::size_t>(j)] == powers[static_cast<std::size_t>(others[0])];
  });
  const bool first = told == named[0] || told == named[1];
  named.resize(2);
  if (!alike && !first) named.back() = told;
  return named;
}

}  // namespace

Share share_in_few(const Asked& asked, std::span<const std::string> names, Colour ink, TakesOff takes_off,
                   Others others) {
  const Recipe& recipe = asked.recipes.of(asked.at.tensor);
  const Matrix& all = asked.trace.at(recipe.exponent.empty() ? recipe.left() : recipe.exponent).values;
  const std::span scores(all.row(asked.at.row).data(), static_cast<std::size_t>(all.cols()));
  const float maximum = std::ranges::max(scores);
  const bool takes = takes_off == TakesOff::the_largest || std::abs(maximum) > kReadablePower;
  const float off = takes ? maximum : 0;
  const auto score = [&](int j) { return scores[static_cast<std::size_t>(j)]; };
  const auto power = [&](int j) {
    const float by = score(j) - off;
    return script(symbol("e"), nullptr, number(by == 0 ? "0" : io::format_fixed(by, 3)));
  };
  const auto value = [&](int j) { return std::exp(static_cast<double>(score(j)) - static_cast<double>(off)); };
  const int told = asked.at.column;
  const std::vector<int> named = largest_powers(scores, maximum, told);
  double sum = 0, rest = 0;
  std::vector<int> left;  // out
  std::vector<Formula> under;
  for (int j = 0; j < static_cast<int>(scores.size()); ++j) {
    sum += value(j);
    if (std::ranges::find(named, j) == named.end()) {
      rest += value(j);
      if (std::exp(score(j) - maximum) > 0) left.push_back(j);
    } else {
      if (!under.empty()) under.push_back(operation("+"));
      under.push_back(power(j));
    }
  }
  if (!left.empty()) {
    const std::string count = std::to_string(left.size());
    const bool alike = std::ranges::all_of(left, [&](int j) { return score(j) == score(left[0]); });
    under.push_back(operation("+"));
    under.push_back(alike ? number(count) : positive(rest));
    if (others == Others::told) under.push_back(word(alike ? "others" : "from the " + count + " others"));
    if (alike) under.push_back(operation("·"));
    if (alike) under.push_back(power(left[0]));
  }
  const bool alone = under.size() == 1;
  const Formula below = row(std::move(under));
  const std::string name = io::ellipsize(names[static_cast<std::size_t>(told)], 12);
  const float weight = asked.trace.at(asked.at.tensor).values(asked.at.row, told);
  return {.powers = row({script(symbol(asked.recipes.symbol_of(asked.at.tensor).cell), word(name)), operation("="),
                         power(told), word(" / "), alone ? below : parenthesised(below)}),
          .numbers = row({operation("="), positive(value(told)), word(" / "), positive(sum),
                          operation(is_exact(weight, 3) ? "=" : "≈"), coloured(number(fixed(weight, 3)), ink)}),
          .off = static_cast<double>(off)};
}

}  // namespace limelight::scenes::recipes
