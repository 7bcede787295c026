// A number of a recipe in few terms: the products that it adds up, or the powers of e that it is a share of, as far as
// they say most of it, and what all others come to. What is written adds up to the number, to the digits shown.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "scenes/common/recipe.h"

namespace limelight::scenes::recipes {

struct Product {
  int place = 0;  // in the sum
  float left = 0, right = 0;
  [[nodiscard]] float value() const { return left * right; }
};
// Of a product's number, in their order.
std::vector<Product> products_of(const Recipe& recipe, const Trace& trace, const figure::Source& at);

struct Few {
  std::vector<Product> terms{};
  int others = 0;  // how many are left out, and what they sum to
  float rest = 0;
};
// The `most` largest, the largest first.
Few few_of(const std::vector<Product>& all, std::size_t most);

// "= 0.52 · 8 fox + 0.34 · 7 over + 5 more: 0.01 = 6.55", each product with the name of its place.
// left: the colour of its first factors.
figure::Formula sum_in_few(const Asked& asked, std::span<const std::string> names, figure::Colour left);

// A weight of a softmax: "a_over = e^2.86 / (e^3.27 + e^2.86 + 7 · e^0)", then "= 17.4 / 50.6 = .344".
struct Share {
  figure::Formula powers, numbers;
  double off = 0;  // what is taken off each score before, so that the powers can be read
};
// off: the largest score of the row, or 0 where that should be done only to those that are too large.
enum class TakesOff { the_largest, where_needed };
// Powers that are left out are counted where they are alike, "7 · e^0", else summed; told: and said to be "others".
enum class Others { summed, told };
Share share_in_few(const Asked& asked, std::span<const std::string> names, figure::Colour ink, TakesOff takes_off,
                   Others others);

}  // namespace limelight::scenes::recipes
