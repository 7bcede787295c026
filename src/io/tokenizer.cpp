#include "io/tokenizer.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "io/code_point.h"
#include "io/json_reader.h"
#include "io/tokenizer_text.h"
#include "io/utf8.h"

namespace limelight::io {
namespace {

constexpr std::string_view kReplacement = "\uFFFD";

std::string hexadecimal(unsigned char byte) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  return {'\\', 'x', kHex[byte >> 4U], kHex[byte & 0xFU]};
}

}  // namespace

std::string for_eyes(std::string_view bytes) {
  std::string text;
  for (std::size_t at = 0; at < bytes.size();) {
    const CodePoint c = code_point_at(bytes, at);
    const std::string_view own = bytes.substr(at, c.bytes);
    at += c.bytes;
    if (c.value == ' ')
      text += "·";  // which all our fonts have, as they do not have "␣"
    else if (c.value == '\n')
      text += "\\n";
    else if (c.value == '\r')
      text += "\\r";
    else if (c.value == '\t')
      text += "\\t";
    else if (is_broken(c) || c.value < 0x20 || (c.value >= 0x7F && c.value < 0xA0))
      for (const char byte : own) text += hexadecimal(static_cast<unsigned char>(byte));
    else
      text += own;
  }
  return text;
}

Result<void> check_utf8(std::string_view text, std::string_view file) {
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint c = code_point_at(text, at);
    if (is_broken(c))
      return fail(std::string(file) + " is not UTF-8 at byte " + std::to_string(at) + "; all of it must be.");
    at += c.bytes;
  }
  return {};
}

bool read_vocabulary(JsonReader& json, std::vector<Vocabulary::Entry>& entries) {
  return json.object([&](std::string token) {
    const std::optional<std::int64_t> id = json.whole_number();
    if (!id || *id < 0 || *id > std::numeric_limits<int>::max()) return false;
    entries.push_back({std::move(token), static_cast<int>(*id)});
    return true;
  });
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
  }
  return lines;
}

Family Tokenizer::family() const {
  return std::holds_alternative<BytePair>(parts_.model) ? Family::gpt2 : Family::bert;
}

std::vector<Token> Tokenizer::encode(std::string_view input) const {
  std::vector<Piece> pieces;
  for (const int id : parts_.in_front) pieces.push_back({id, 0, 0});
  for (const Piece& part : parts_.added.split(input))
    if (part.id != AddedTokens::kText)
      pieces.push_back(part);
    else
      std::visit([&](const auto& model) { model.encode(parts_.vocabulary, input, part.begin, part.end, pieces); },
                 parts_.model);
  for (const int id : parts_.behind) pieces.push_back({id, input.size(), input.size()});

  std::vector<Token> tokens;
  tokens.reserve(pieces.size());
  for (const Piece& piece : pieces) tokens.push_back({piece.id, text(piece.id), piece.begin, piece.end});
  return tokens;
}

// What a token of GPT-2 stands for.
std::string Tokenizer::bytes(int id) const {
  const std::string& token = parts_.vocabulary.token(id);
  if (parts_.added.contains(id)) return token;
  return bytes_of_characters(token).value_or(token);
}

std::string Tokenizer::decode(std::span<const int> ids) const {
  const WordPiece* const word_piece = std::get_if<WordPiece>(&parts_.model);
  if (word_piece != nullptr) {
    std::vector<std::string_view> tokens;
    for (const int id : ids)
      tokens.push_back(parts_.vocabulary.has(id) ? std::string_view(parts_.vocabulary.token(id)) : kReplacement);
    return word_piece->join(tokens);
  }
  std::string text;
  for (const int id : ids) text += parts_.vocabulary.has(id) ? bytes(id) : std::string(kReplacement);
  return text;
}

std::string Tokenizer::text(int id) const {
  if (!parts_.vocabulary.has(id)) return std::string(kReplacement);
  return for_eyes(family() == Family::gpt2 ? bytes(id) : parts_.vocabulary.token(id));
}

std::optional<int> Tokenizer::find(std::string_view token) const {
  const std::optional<int> as_written = parts_.vocabulary.find(token);
  if (family() == Family::bert || (as_written && parts_.added.contains(*as_written))) return as_written;
  return parts_.vocabulary.find(characters_of_bytes(token));
}

Result<Tokenizer> read_byte_pair(std::string_view vocab_json, std::string_view merges_txt) {
  constexpr std::string_view kVocabulary = "vocab.json", kMerges = "merges.txt", kEnd = "<|endoftext|>";
  if (const Result<void> valid = check_utf8(vocab_json, kVocabulary); !valid) return std::unexpected(valid.error());
  if (const Result<void> valid = check_utf8(merges_txt, kMerges); !valid) return std::unexpected(valid.error());
  JsonReader json(vocab_json);
  std::vector<Vocabulary::Entry> entries;
  if (!read_vocabulary(json, entries) || !json.ends())
    return std::unexpected(json.failure(kVocabulary, "an object of tokens and their ids, such as {\"the\": 0},"));
  Result<Vocabulary> vocabulary = Vocabulary::make(std::move(entries), kVocabulary);
  if (!vocabulary) return std::unexpected(vocabulary.error());

  std::vector<MergeRule> rules;
  int number = 0;
  for (const std::string_view line : lines_of(merges_txt)) {
    ++number;
    if (line.empty() || line.starts_with("#version")) continue;
    const std::size_t space = line.find(' ');
    if (space == 0 || space >= line.size() - 1 || line.find(' ', space + 1) != std::string_view::npos)
      return fail(std::string(kMerges) + " has " + quote(line) + " in line " + std::to_string(number) +
                  "; each line has two tokens with a space between them.");
    rules.push_back({std::string(line.substr(0, space)), std::string(line.substr(space + 1))});
  }
  // A file that was cut off at the end of a line looks whole by itself. Each merge makes a token longer than a byte.
  std::size_t longer = 0;
  for (int id = 0; id < vocabulary->size(); ++id)
    if (bytes_of_characters(vocabulary->token(id)).value_or("").size() > 1) ++longer;
  if (rules.size() < longer / 2)
    return fail(std::string(kMerges) + " has " + std::to_string(rules.size()) + " merges for " +
                std::to_string(longer) + " tokens of " + std::string(kVocabulary) +
                " that are longer than a byte; it is truncated or of another model.");
  Result<BytePair> model = BytePair::make(*vocabulary, rules, {}, kVocabulary, kMerges);
  if (!model) return std::unexpected(model.error());
  std::vector<AddedToken> added;
  if (const std::optional<int> end = vocabulary->find(kEnd))
    added.push_back({.content = std::string(kEnd), .id = *end});
  return Tokenizer({.vocabulary = std::move(*vocabulary),
                    .added = AddedTokens(std::move(added)),
                    .model = std::move(*model),
                    .in_front = {},
                    .behind = {}});
}

Result<Tokenizer> read_word_piece(std::string_view vocab_txt, bool lower_case) {
  constexpr std::string_view kFile = "vocab.txt";
  if (const Result<void> valid = check_utf8(vocab_txt, kFile); !valid) return std::unexpected(valid.error());
  std::vector<Vocabulary::Entry> entries;
  for (const std::string_view line : lines_of(vocab_txt))
    entries.push_back({std::string(line), static_cast<int>(entries.size())});
  Result<Vocabulary> vocabulary = Vocabulary::make(std::move(entries), kFile);
  if (!vocabulary) return std::unexpected(vocabulary.error());
  Result<WordPiece> model =
      WordPiece::make(*vocabulary, {.strip_accents = lower_case, .lower_case = lower_case}, kFile);
  if (!model) return std::unexpected(model.error());
  std::vector<AddedToken> added;
  for (const std::string_view special : {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"})
    if (const std::optional<int> id = vocabulary->find(special))
      added.push_back({.content = std::string(special), .id = *id});
  const std::optional<int> first = vocabulary->find("[CLS]"), last = vocabulary->find("[SEP]");
  if (!first || !last)
    return fail(std::string(kFile) + " has no token \"" + (first ? "[SEP]" : "[CLS]") +
                "\"; BERT begins a text with [CLS] and ends it with [SEP].");
  return Tokenizer({.vocabulary = std::move(*vocabulary),
                    .added = AddedTokens(std::move(added)),
                    .model = std::move(*model),
                    .in_front = {*first},
                    .behind = {*last}});
}

}  // namespace limelight::io
