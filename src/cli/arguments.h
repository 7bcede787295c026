// A command's arguments, read by a table of its options.
#pragma once

#include <map>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/distance.h"
#include "io/error.h"
#include "io/utf8.h"

namespace limelight::cli {

struct Option {
  std::string_view name;     // "--query"
  std::string_view value{};  // what stands for its value in the help: "FILE.npy"; empty: it takes none
  std::string_view help{};
  bool repeatable = false;
};

struct Arguments {
  std::vector<std::string_view> subjects;                            // those that belong to no option
  std::map<std::string_view, std::vector<std::string_view>> values;  // by option, as often as it was given

  // The first value.
  [[nodiscard]] std::optional<std::string_view> find(std::string_view option) const;
  [[nodiscard]] std::span<const std::string_view> all(std::string_view option) const;
};

// "--name value", "--name=value" or "--name"; what follows a lone "--" is a subject, whatever it looks like.
// Errors: an unknown option, one given twice that is not repeatable, a value that is missing or not taken.
Result<Arguments> parse_arguments(std::span<const std::string_view> arguments, std::span<const Option> options);

// " Did you mean X?" when one of the known words is near enough; else empty.
template <std::ranges::input_range Words>
std::string did_you_mean(std::string_view word, const Words& known) {
  std::string_view nearest;
  int best = static_cast<int>(word.size()) / 3 + 2;  // half of a short word, a third of a long one
  for (const std::string_view candidate : known) {
    const int steps = io::distance(word, candidate);
    if (steps < best && steps < static_cast<int>(candidate.size())) {
      best = steps;
      nearest = candidate;
    }
  }
  return nearest.empty() ? std::string() : " Did you mean " + std::string(nearest) + "?";
}

}  // namespace limelight::cli
