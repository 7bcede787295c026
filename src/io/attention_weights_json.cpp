#include "io/attention_weights_json.h"

#include <optional>

#include "io/attention_weights.h"
#include "io/json_reader.h"
#include "io/numbers.h"
#include "io/utf8.h"

namespace limelight::io {
namespace {

constexpr std::size_t kDeepestList = 5;  // lists in lists

class WeightsReader {
 public:
  WeightsReader(std::string_view text, std::string_view file) : json_(text), file_(file) {}

  Result<JsonWeights> read() {
    const bool whole =
        json_.peek() == '{' ? json_.object([this](const std::string& key) { return read_member(key); }) : read_lists(0);
    if (error_) return std::unexpected(*error_);
    if (!whole || !json_.ends()) return std::unexpected(json_.failure(file_, expected_));
    if (made_.shape.empty())
      return fail(file_ + " has no attention weights; lists of numbers are needed, or an object that has them as " +
                  "\"attention\".");
    return std::move(made_);
  }

 private:
  bool refuse(std::string what) {
    error_ = Error{file_ + " " + std::move(what)};
    return false;
  }

  bool read_member(std::string_view key) {
    if (key == "tokens") return read_names(made_.names.tokens);
    if (key == "queries") return read_names(made_.names.queries);
    if (key == "keys") return read_names(made_.names.keys);
    expected_ = "a value";
    if (key != "attention" && key != "attentions" && key != "weights") return json_.skip();
    if (!made_.shape.empty()) return refuse("has weights twice; they must be there once.");
    return read_lists(0);
  }

  bool read_names(std::vector<std::string>& names) {
    expected_ = "a list of the tokens' texts";
    names.clear();
    return json_.list([&] {
      std::optional<std::string> name = json_.text();
      if (name && names.size() == kMostWeightTokens)
        return refuse("names more than " + std::to_string(kMostWeightTokens) + " tokens; no more are shown.");
      if (name) names.push_back(std::move(*name));
      return name.has_value();
    });
  }

  // A list at this depth, with all that is in it.
  bool read_lists(std::size_t depth) {
    expected_ = "a list of numbers";
    if (depth == kDeepestList)
      return refuse("has lists in lists more than " + std::to_string(kDeepestList) + " deep; [heads, T, S] is needed.");
    if (made_.shape.size() == depth) {
      if (!made_.numbers.empty()) return refuse("has lists where it has numbers elsewhere; all rows must be alike.");
      made_.shape.push_back(0);
    }
    std::uint64_t length = 0;
    const bool whole = json_.list([&] {
      ++length;
      if (json_.peek() == '[') return read_lists(depth + 1);
      expected_ = "a number";
      return read_number(depth);
    });
    if (!whole) return false;
    std::uint64_t& known = made_.shape[depth];
    if (length == 0) return refuse("has an empty list; numbers are needed in each.");
    if (known != 0 && known != length)
      return refuse("has lists of " + std::to_string(known) + " and of " + std::to_string(length) +
                    " at one depth; they must be equally long.");
    known = length;
    return true;
  }

  bool read_number(std::size_t depth) {
    const std::optional<std::string_view> text = json_.number();
    if (!text) return false;
    if (made_.shape.size() != depth + 1)
      return refuse("has numbers where it has lists elsewhere; all rows must be alike.");
    const Result<float> number = parse_float(*text);
    if (!number) return refuse("cannot be read: " + number.error().message);
    if (made_.numbers.size() == kMostWeights)
      return refuse("has more than " + std::to_string(kMostWeights) + " weights; no more are held.");
    made_.numbers.push_back(*number);
    return true;
  }

  JsonReader json_;
  std::string file_;
  std::string_view expected_ = "a list";
  std::optional<Error> error_;
  JsonWeights made_;
};

}  // namespace

Result<JsonWeights> read_json_weights(std::string_view text, std::string_view file) {
  return WeightsReader(text, file).read();
}

bool read_token_names(std::string_view text, std::vector<std::string>& names) {
  JsonReader json(text);
  const bool whole = json.list([&] {
    std::optional<std::string> name = json.text();
    if (!name || names.size() == kMostWeightTokens) return false;
    names.push_back(std::move(*name));
    return true;
  });
  return whole && json.ends();
}

}  // namespace limelight::io
