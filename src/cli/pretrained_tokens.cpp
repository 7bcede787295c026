#include "cli/pretrained_tokens.h"

#include <cstdint>
#include <filesystem>
#include <ranges>
#include <utility>

#include "cli/files.h"
#include "io/json_value.h"
#include "io/numbers.h"
#include "io/utf8.h"

namespace limelight::cli {
namespace {

constexpr std::uint64_t kLargestFile = std::uint64_t{1} << 26U;  // bytes, of a tokenizer

bool is_there(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error);
}

Result<std::string> read_text(const std::string& path) {
  const Result<std::vector<std::byte>> bytes = read_file(path, kLargestFile);
  if (!bytes) return std::unexpected(bytes.error());
  return std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size());
}

Result<io::Tokenizer> read_byte_pair(const std::string& folder) {
  const Result<std::string> vocabulary = read_text(folder + "/vocab.json"), merges = read_text(folder + "/merges.txt");
  for (const Result<std::string>* file : {&vocabulary, &merges})
    if (!*file) return std::unexpected(file->error());
  return io::read_byte_pair(*vocabulary, *merges);
}

Result<io::Tokenizer> read_word_piece(const std::string& folder) {
  const Result<std::string> vocabulary = read_text(folder + "/vocab.txt");
  if (!vocabulary) return std::unexpected(vocabulary.error());
  bool lower_case = true;
  if (const std::string path = folder + "/tokenizer_config.json"; is_there(path)) {
    const Result<std::string> text = read_text(path);
    if (!text) return std::unexpected(text.error());
    const std::optional<io::JsonValue> config = io::read_json(*text);
    if (!config) return fail(path + " is broken; it must be one JSON object.");
    if (const io::JsonValue* value = config->find("do_lower_case"); value != nullptr) lower_case = value->truth;
  }
  return io::read_word_piece(*vocabulary, lower_case);
}

Result<io::Tokenizer> read_tokenizer(const std::string& folder, io::Family family) {
  if (const std::string path = folder + "/tokenizer.json"; is_there(path)) {
    const Result<std::string> text = read_text(path);
    if (!text) return std::unexpected(text.error());
    return io::read_tokenizer_json(*text, path);
  }
  const bool gpt2 = family == io::Family::gpt2;
  if (!is_there(folder + (gpt2 ? "/vocab.json" : "/vocab.txt")))
    return fail(folder + " has no tokenizer; tokenizer.json is needed, or " +
                (gpt2 ? "vocab.json and merges.txt" : "vocab.txt") + ", or --tokens with ids.");
  return gpt2 ? read_byte_pair(folder) : read_word_piece(folder);
}

Result<void> check_count(std::string_view option, std::size_t tokens, const io::PretrainedConfig& config) {
  if (tokens <= static_cast<std::size_t>(config.positions)) return {};
  return fail(std::string(option) + " has " + std::to_string(tokens) + " tokens; the model takes at most " +
              std::to_string(config.positions) + ".");
}

}  // namespace

Result<ModelInput> read_typed_tokens(std::string_view text, const io::PretrainedConfig& config) {
  ModelInput input;
  for (const auto piece : std::views::split(text, ',')) {
    const std::string_view word(piece.begin(), piece.end());
    const Result<int> token = io::parse_integer(word);
    if (!token || *token < 0 || *token >= config.vocabulary)
      return fail("--tokens has " + io::quote(word) + "; numbers from 0 to " + std::to_string(config.vocabulary - 1) +
                  " are needed, with commas between.");
    input.tokens.push_back(*token);
  }
  if (const Result<void> counted = check_count("--tokens", input.tokens.size(), config); !counted)
    return std::unexpected(counted.error());
  return input;
}

Result<ModelInput> read_text_tokens(std::string_view text, const std::string& folder,
                                    const io::PretrainedConfig& config) {
  Result<io::Tokenizer> tokenizer = read_tokenizer(folder, config.family);
  if (!tokenizer) return std::unexpected(tokenizer.error());
  const auto name_of = [](io::Family family) { return family == io::Family::gpt2 ? "GPT-2" : "BERT"; };
  if (tokenizer->family() != config.family)
    return fail("The tokenizer of " + folder + " is of the " + name_of(tokenizer->family()) +
                " family, its config.json of a " + name_of(config.family) + "; both must be of one.");
  if (tokenizer->size() > config.vocabulary)
    return fail("The tokenizer of " + folder + " has " + std::to_string(tokenizer->size()) +
                " tokens, but its model has embeddings of " + std::to_string(config.vocabulary) +
                "; both must come from one model.");
  ModelInput input;
  for (const io::Token& token : tokenizer->encode(text)) input.tokens.push_back(token.id);
  if (input.tokens.empty()) return fail("--input is empty; at least one token is needed.");
  if (const Result<void> counted = check_count("--input", input.tokens.size(), config); !counted)
    return std::unexpected(counted.error());
  input.tokenizer = std::move(*tokenizer);
  return input;
}

}  // namespace limelight::cli
