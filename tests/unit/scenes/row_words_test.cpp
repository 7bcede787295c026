// Rows of weights in sentences: who is named, and how many more there are.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "core/random.h"
#include "scenes/common/row_words.h"

namespace limelight::test {
namespace {

using scenes::RowInWords;

std::vector<std::string> numbered(int count) {
  std::vector<std::string> words;
  for (int i = 0; i < count; ++i) words.push_back("w" + std::to_string(i));
  return words;
}

// How many words a sentence names, and how many more it says there are.
std::size_t counted(const std::string& said) {
  std::size_t count = static_cast<std::size_t>(std::ranges::count(said, scenes::kPoints));
  for (std::size_t at = said.find("itself"); at != std::string::npos; at = said.find("itself", at + 1)) ++count;
  const std::size_t more = said.rfind(" more");
  return more == std::string::npos ? count : count + std::stoul(said.substr(said.rfind(' ', more - 1)));
}

}  // namespace

TEST_CASE("row in words: what is lit is named from the largest on, and what is left out is counted") {
  Random random(7);
  for (int trial = 0; trial < 200; ++trial) {
    const int count = 1 + trial % 24;
    Matrix weights(1, count);
    for (float& weight : weights.reshaped()) weight = std::abs(static_cast<float>(random.normal())) + 1e-4F;
    // Many of them alike.
    if (trial % 3 == 0)
      for (float& weight : weights.reshaped()) weight = weight > 0.7F ? 1.F : 0.1F;
    weights /= weights.sum();
    const std::vector<std::string> words = numbered(count);
    const RowInWords row{weights, 0, words};
    const std::size_t clear = row.count_from(1.2F / static_cast<float>(count));
    for (const std::size_t most : {1U, 2U, 3U}) {
      CAPTURE(trial);
      CAPTURE(most);
      const std::size_t told = counted(row.lit(most));
      CHECK(told <= clear);
      CHECK((told >= most || told == clear || row.number(told) < row.number(told - 1)));
    }
    for (std::size_t shown = 1; shown <= row.order.size(); ++shown)
      CHECK(counted(row.names(0, row.order.size(), shown)) == row.order.size());
  }
}

TEST_CASE("row in words: no more than the whole light is told, and equals get the same") {
  Matrix weights(1, 4);
  weights << 0.4F, 0.4F, 0.1F, 0.1F;
  const std::vector<std::string> words{"a", "b", "c", "d"};
  const RowInWords row{weights, 0, words, false};
  const std::string said = row.where_light_falls("one");
  CHECK(said.find("40\u202F% of its light each") != std::string::npos);
  CHECK(said.find(" 10") == std::string::npos);
  weights.setConstant(0.25F);
  CHECK(RowInWords{weights, 0, words}.where_light_falls("one").find("all words alike") != std::string::npos);
}

TEST_CASE("row in words: words that are alike are told apart") {
  const std::vector<std::string> told = scenes::told_apart({"the", "cat", ".", "the", "a", "the"});
  CHECK(std::set(told.begin(), told.end()).size() == told.size());
  CHECK(told[2] == "“.”");
  CHECK(told[3] == "the (2)");
}

}  // namespace limelight::test
