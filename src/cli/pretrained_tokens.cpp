#include "cli/pretrained_tokens.h"

#include <cstdint>
#include <filesystem>
#include <ranges>
#include <utility>

#include "cli/files.h"
#include "io/numbers.h"
#include "io/tokenizer_files.h"
#include "io/utf8.h"

namespace limelight::cli {
namespace {

constexpr std::uint64_t kLargestFile = std::uint64_t{1} << 26U;  // bytes, of a tokenizer

bool is_there(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error);
}

// What the folder has of the files of a tokenizer.
Result<std::optional<io::Tokenizer>> read_tokenizer(const std::string& folder, io::Family family) {
  std::vector<std::vector<std::byte>> kept;
  std::vector<io::NamedFile> files;
  for (const std::string_view name : io::kTokenizerFiles) {
    const std::string path = folder + "/" + std::string(name);
    if (!is_there(path)) continue;
    Result<std::vector<std::byte>> bytes = read_file(path, kLargestFile);
    if (!bytes) return std::unexpected(bytes.error());
    kept.push_back(std::move(*bytes));
    files.push_back({path, kept.back()});
  }
  return io::read_tokenizer(files, family);
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
  Result<std::optional<io::Tokenizer>> tokenizer = read_tokenizer(folder, config.family);
  if (!tokenizer) return std::unexpected(tokenizer.error());
  if (!*tokenizer)
    return fail(folder + " has no tokenizer; tokenizer.json is needed, or " +
                (config.family == io::Family::gpt2 ? "vocab.json and merges.txt" : "vocab.txt") +
                ", or --tokens with ids.");
  if (const Result<void> fits = io::check_fits(**tokenizer, config, folder); !fits)
    return std::unexpected(fits.error());
  ModelInput input;
  for (const io::Token& token : (*tokenizer)->encode(text)) input.tokens.push_back(token.id);
  if (input.tokens.empty()) return fail("--input is empty; at least one token is needed.");
  if (const Result<void> counted = check_count("--input", input.tokens.size(), config); !counted)
    return std::unexpected(counted.error());
  input.tokenizer = std::move(*tokenizer);
  return input;
}

}  // namespace limelight::cli
