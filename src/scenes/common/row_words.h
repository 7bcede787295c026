// A row of weights or of scores in a sentence: the words that have most of it, each leading to its number.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/matrix.h"
#include "figure/order.h"
#include "scenes/scene.h"

namespace limelight::scenes {

// Words of one row that a sentence names.
inline constexpr std::size_t kNamed = 3;

struct RowInWords {
  const Matrix& numbers;
  int row = 0;
  std::span<const std::string> words{};  // of its columns
  bool among = true;                     // the row is of one of these words, which is "itself"
  std::string_view tensor = "weights";   // whose numbers the words lead to
  MeansA role = MeansA::weight;
  std::vector<int> order =  // the columns, the largest number's first
      figure::largest_first(std::span(numbers.row(row).data(), static_cast<std::size_t>(numbers.cols())));

  // The i-th largest, and its word.
  [[nodiscard]] float number(std::size_t i) const { return numbers(row, order[i]); }
  [[nodiscard]] std::string name(std::size_t i) const;
  // "**fox**, itself and 2 more": those from one place of the order to another, the first `shown` by name.
  [[nodiscard]] std::string names(std::size_t from, std::size_t to, std::size_t shown) const;
  // How many of them are at least so large.
  [[nodiscard]] std::size_t count_from(float least) const;
  // "**jumped** looks most at **fox**, 52 % of its light, and at **over**, 34 %", as far as they get more than all
  // would get if all got the same. asks: who looks.
  [[nodiscard]] std::string where_light_falls(const std::string& asks) const;
  // "**fox** and **over**": what gets clearly more than if all got the same; about `most`, and how many others get as
  // much where equals are too many; empty where none does.
  [[nodiscard]] std::string lit(std::size_t most) const;
};

// Of so many words that could be named: `most`; or one more, where only that would be left out of three.
std::size_t named_of(std::size_t count, std::size_t most);

// Words as they stand in a sentence: a sign or a single letter in quotes, a word that occurs more than once with its
// number.
std::vector<std::string> told_apart(const std::vector<std::string>& words);

}  // namespace limelight::scenes
