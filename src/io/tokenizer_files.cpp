#include "io/tokenizer_files.h"

#include <algorithm>
#include <ranges>
#include <utility>

#include "io/json_value.h"

namespace limelight::io {
namespace {

std::string_view text_of(const NamedFile& file) {
  return {reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size()};
}

Result<Tokenizer> read_gpt2_files(std::span<const NamedFile> files) {
  const NamedFile *vocabulary = find_file(files, "vocab.json"), *merges = find_file(files, "merges.txt");
  if (vocabulary == nullptr || merges == nullptr)
    return fail((vocabulary == nullptr ? merges : vocabulary)->name + " is there without " +
                (vocabulary == nullptr ? "vocab.json" : "merges.txt") + "; the two are needed together.");
  return read_byte_pair(text_of(*vocabulary), text_of(*merges));
}

Result<Tokenizer> read_bert_files(std::span<const NamedFile> files) {
  bool lower_case = true;
  if (const NamedFile* file = find_file(files, "tokenizer_config.json")) {
    const std::optional<JsonValue> config = read_json(text_of(*file));
    if (!config) return fail(file->name + " is broken; it must be one JSON object.");
    if (const JsonValue* value = config->find("do_lower_case"); value != nullptr) lower_case = value->truth;
  }
  return read_word_piece(text_of(*find_file(files, "vocab.txt")), lower_case);
}

}  // namespace

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

const NamedFile* find_file(std::span<const NamedFile> files, std::string_view base) {
  const auto found = std::ranges::find(files, base, [](const NamedFile& file) { return base_name(file.name); });
  return found == files.end() ? nullptr : &*found;
}

Result<std::optional<Tokenizer>> read_tokenizer(std::span<const NamedFile> files, Family family) {
  const auto has = [&](std::string_view name) { return find_file(files, name) != nullptr; };
  const bool pairs = has("vocab.json") || has("merges.txt"), pieces = has("vocab.txt");
  Result<Tokenizer> read = fail({});
  if (const NamedFile* whole = find_file(files, "tokenizer.json"))
    read = read_tokenizer_json(text_of(*whole), whole->name);
  else if (pairs && (family == Family::gpt2 || !pieces))
    read = read_gpt2_files(files);
  else if (pieces)
    read = read_bert_files(files);
  else
    return std::nullopt;
  if (!read) return std::unexpected(read.error());
  return std::optional(std::move(*read));
}

Result<void> check_fits(const Tokenizer& tokenizer, const PretrainedConfig& config, std::string_view where) {
  const auto name_of = [](Family family) { return family == Family::gpt2 ? "GPT-2" : "BERT"; };
  if (tokenizer.family() != config.family)
    return fail("The tokenizer of " + std::string(where) + " is of the " + name_of(tokenizer.family()) +
                " family, its config.json of a " + name_of(config.family) + "; both must be of one.");
  if (tokenizer.size() > config.vocabulary)
    return fail("The tokenizer of " + std::string(where) + " has " + std::to_string(tokenizer.size()) +
                " tokens, but its model has embeddings of " + std::to_string(config.vocabulary) +
                "; both must come from one model.");
  return {};
}

}  // namespace limelight::io
