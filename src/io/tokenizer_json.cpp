// tokenizer.json, the one file of the Hugging Face libraries: https://huggingface.co/docs/tokenizers/pipeline
#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>

#include "io/json_reader.h"
#include "io/tokenizer.h"
#include "io/tokenizer_text.h"
#include "io/utf8.h"

namespace limelight::io {
namespace {

// A normalizer, pre_tokenizer or post_processor.
struct Component {
  std::string type;
  std::vector<std::pair<std::string, bool>> flags;
  std::vector<Component> parts;               // of a "Sequence"
  std::vector<std::string> in_front, behind;  // special tokens that are put around a text

  [[nodiscard]] std::optional<bool> flag(std::string_view name) const {
    const auto found = std::ranges::find(flags, name, &std::pair<std::string, bool>::first);
    return found == flags.end() ? std::nullopt : std::optional(found->second);
  }
};

struct Model {
  std::string type;
  std::vector<Vocabulary::Entry> entries;
  std::vector<MergeRule> rules;
  bool has_rules = false, whole_words = false;
  std::optional<std::string> unknown;
  std::string prefix, suffix;
  std::optional<int> most_characters;
};

struct File {
  bool has_model = false;
  Model model;
  std::vector<AddedToken> added;
  Component normalizer, pre_tokenizer, post_processor;  // without a type where the file has null
};

// Reads a text into `target`; null leaves it as it is.
template <class Text>
bool read_text(JsonReader& json, Text& target) {
  if (json.null()) return true;
  std::optional<std::string> text = json.text();
  if (text) target = std::move(*text);
  return text.has_value();
}

bool read_truth(JsonReader& json, bool& target) {
  const std::optional<bool> truth = json.truth();
  if (truth) target = *truth;
  return truth.has_value();
}

template <class Count>
bool read_count(JsonReader& json, Count& target) {
  const std::optional<std::int64_t> number = json.whole_number();
  if (!number || *number < 0 || *number > std::numeric_limits<int>::max()) return false;
  target = static_cast<int>(*number);
  return true;
}

// "t h" or ["t", "h"].
bool read_rule(JsonReader& json, std::vector<MergeRule>& rules) {
  std::vector<std::string> parts;
  if (json.peek() == '[') {
    const bool read = json.list([&] {
      std::optional<std::string> text = json.text();
      if (text) parts.push_back(std::move(*text));
      return text.has_value();
    });
    if (!read || parts.size() != 2) return false;
  } else {
    const std::optional<std::string> text = json.text();
    const std::size_t space = text ? text->find(' ') : std::string::npos;
    if (space == std::string::npos || text->find(' ', space + 1) != std::string::npos) return false;
    parts = {text->substr(0, space), text->substr(space + 1)};
  }
  rules.push_back({std::move(parts[0]), std::move(parts[1])});
  return true;
}

bool read_model(JsonReader& json, Model& model) {
  return json.object([&](const std::string& key) {
    if (key == "type") return read_text(json, model.type);
    // A vocabulary of another kind of model is a list; what the type is then says that it cannot be read.
    if (key == "vocab") return json.peek() == '{' ? read_vocabulary(json, model.entries) : json.skip();
    if (key == "merges") {
      model.has_rules = true;
      return json.list([&] { return read_rule(json, model.rules); });
    }
    if (key == "unk_token") return read_text(json, model.unknown);
    if (key == "continuing_subword_prefix") return read_text(json, model.prefix);
    if (key == "end_of_word_suffix") return read_text(json, model.suffix);
    if (key == "max_input_chars_per_word") return read_count(json, model.most_characters);
    if (key == "ignore_merges") return read_truth(json, model.whole_words);
    return json.skip();
  });
}

bool read_added(JsonReader& json, std::vector<AddedToken>& added) {
  added.push_back({.content = {}, .id = -1});
  AddedToken& token = added.back();
  const bool read = json.object([&](const std::string& key) {
    if (key == "id") return read_count(json, token.id);
    if (key == "content") return read_text(json, token.content);
    if (key == "single_word") return read_truth(json, token.single_word);
    if (key == "lstrip") return read_truth(json, token.strip_left);
    if (key == "rstrip") return read_truth(json, token.strip_right);
    return json.skip();
  });
  return read && token.id >= 0;
}

// [{"SpecialToken": {"id": "[CLS]", …}}, {"Sequence": …}, {"SpecialToken": …}]
bool read_template(JsonReader& json, Component& component) {
  bool after_text = false;
  return json.list([&] {
    return json.object([&](const std::string& kind) {
      if (kind == "Sequence") after_text = true;
      if (kind != "SpecialToken") return json.skip();
      return json.object([&](const std::string& key) {
        if (key != "id") return json.skip();
        std::optional<std::string> text = json.text();
        if (text) (after_text ? component.behind : component.in_front).push_back(std::move(*text));
        return text.has_value();
      });
    });
  });
}

// ["[CLS]", 101]
bool read_special(JsonReader& json, std::vector<std::string>& names) {
  return json.list([&] {
    if (json.peek() != '"') return json.skip();
    std::optional<std::string> text = json.text();
    if (text) names.push_back(std::move(*text));
    return text.has_value();
  });
}

constexpr int kMostDepth = 8;  // of sequences in sequences

bool read_component(JsonReader& json, Component& component, int depth = 0) {
  if (json.null()) return true;
  if (depth > kMostDepth) return false;
  return json.object([&](const std::string& key) {
    if (key == "type") return read_text(json, component.type);
    if (key == "normalizers" || key == "pretokenizers" || key == "processors")
      return json.list([&] { return read_component(json, component.parts.emplace_back(), depth + 1); });
    if (key == "single" && json.peek() == '[') return read_template(json, component);
    if (key == "cls") return read_special(json, component.in_front);
    if (key == "sep") return read_special(json, component.behind);
    const char first = json.peek();
    if (first != 't' && first != 'f') return json.skip();
    component.flags.emplace_back(key, false);
    return read_truth(json, component.flags.back().second);
  });
}

bool read_file(JsonReader& json, File& file) {
  const bool read = json.object([&](const std::string& key) {
    if (key == "added_tokens") return json.list([&] { return read_added(json, file.added); });
    if (key == "normalizer") return read_component(json, file.normalizer);
    if (key == "pre_tokenizer") return read_component(json, file.pre_tokenizer);
    if (key == "post_processor") return read_component(json, file.post_processor);
    if (key != "model") return json.skip();
    file.has_model = true;
    return read_model(json, file.model);
  });
  return read && json.ends();
}

// The vocabulary of the model and of the added tokens, which may be in it already.
Result<Vocabulary> join_vocabularies(File& file, std::string_view name) {
  std::unordered_map<std::string, int> known;
  for (const Vocabulary::Entry& entry : file.model.entries) known.emplace(entry.token, entry.id);
  for (const AddedToken& added : file.added) {
    if (added.content.empty()) continue;
    const auto found = known.find(added.content);
    if (found == known.end() || found->second != added.id) file.model.entries.push_back({added.content, added.id});
  }
  return Vocabulary::make(std::move(file.model.entries), name);
}

// The only part of a sequence is as good as itself.
const Component& without_sequence(const Component& component) {
  return component.type == "Sequence" && component.parts.size() == 1 ? without_sequence(component.parts[0]) : component;
}

Error foreign(std::string_view name, std::string_view role, const Component& found, std::string_view expected) {
  return {std::string(name) + " has the " + std::string(role) + " " +
          (found.type.empty() ? std::string("null") : quote(found.type)) + "; " + std::string(expected) +
          " is what can be read."};
}

Result<BytePair> make_byte_pair(const File& file, const Vocabulary& vocabulary, std::string_view name) {
  constexpr std::string_view kSplit = "\"ByteLevel\", with its own pattern, for byte pair encoding";
  if (!file.normalizer.type.empty())
    return std::unexpected(foreign(name, "normalizer", file.normalizer, "null for byte pair encoding"));
  const Component& split = without_sequence(file.pre_tokenizer);
  if (split.type != "ByteLevel") return std::unexpected(foreign(name, "pre_tokenizer", split, kSplit));
  if (!split.flag("use_regex").value_or(true))
    return fail(std::string(name) + " has a pre_tokenizer \"ByteLevel\" without its pattern (use_regex is false); " +
                std::string(kSplit) + ", is what can be read.");
  if (!file.model.prefix.empty() || !file.model.suffix.empty())
    return fail(std::string(name) + " marks parts of words with " +
                quote(file.model.prefix.empty() ? file.model.suffix : file.model.prefix) +
                "; byte-level tokens, as GPT-2 has them, have no such mark.");
  BytePairOptions options{.space_in_front = split.flag("add_prefix_space").value_or(true),
                          .whole_words = file.model.whole_words};
  if (file.model.unknown) options.unknown = vocabulary.find(*file.model.unknown);
  return BytePair::make(vocabulary, file.model.rules, options, name, name);
}

Result<WordPiece> make_word_piece(const File& file, const Vocabulary& vocabulary, std::string_view name) {
  const Component& plain = without_sequence(file.normalizer);
  if (!plain.type.empty() && plain.type != "BertNormalizer")
    return std::unexpected(foreign(name, "normalizer", plain, "\"BertNormalizer\" or null for WordPiece"));
  const Component& split = without_sequence(file.pre_tokenizer);
  if (split.type != "BertPreTokenizer")
    return std::unexpected(foreign(name, "pre_tokenizer", split, "\"BertPreTokenizer\" for WordPiece"));
  const bool normal = !plain.type.empty(), lower_case = normal && plain.flag("lowercase").value_or(true);
  return WordPiece::make(vocabulary,
                         {.clean = normal && plain.flag("clean_text").value_or(true),
                          .separate_ideographs = normal && plain.flag("handle_chinese_chars").value_or(true),
                          .strip_accents = normal && plain.flag("strip_accents").value_or(lower_case),
                          .lower_case = lower_case,
                          .unknown = file.model.unknown.value_or("[UNK]"),
                          .prefix = file.model.prefix.empty() ? "##" : file.model.prefix,
                          .most_characters = file.model.most_characters.value_or(100)},
                         name);
}

struct Around {
  std::vector<std::string> in_front, behind;
};

// The special tokens around a text; the outer ones come last in a sequence.
Result<void> find_around(const Component& component, std::string_view name, Around& around) {
  if (component.type == "Sequence") {
    for (const Component& part : component.parts)
      if (const Result<void> found = find_around(part, name, around); !found) return found;
    return {};
  }
  constexpr std::string_view kKnown[] = {"", "ByteLevel", "BertProcessing", "TemplateProcessing"};
  if (std::ranges::find(kKnown, component.type) == std::end(kKnown))
    return std::unexpected(foreign(name, "post_processor", component,
                                   "\"ByteLevel\", \"BertProcessing\", \"TemplateProcessing\" or null"));
  around.in_front.insert(around.in_front.begin(), component.in_front.begin(), component.in_front.end());
  around.behind.insert(around.behind.end(), component.behind.begin(), component.behind.end());
  return {};
}

Result<std::vector<int>> find_all(const std::vector<std::string>& tokens, const Vocabulary& vocabulary,
                                  std::string_view name) {
  std::vector<int> ids;
  for (const std::string& token : tokens) {
    const std::optional<int> id = vocabulary.find(token);
    if (!id)
      return fail(std::string(name) + " puts " + quote(token) +
                  " beside every text, which is no token of its vocabulary; it must be one.");
    ids.push_back(*id);
  }
  return ids;
}

}  // namespace

Result<Tokenizer> read_tokenizer_json(std::string_view text, std::string_view name) {
  if (const Result<void> valid = check_utf8(text, name); !valid) return std::unexpected(valid.error());
  JsonReader json(text);
  File file;
  if (!read_file(json, file)) return std::unexpected(json.failure(name, "what a tokenizer.json has at this place"));
  if (!file.has_model)
    return fail(std::string(name) + " has no model; a tokenizer.json has one of the type BPE or WordPiece.");
  // Early files have no type.
  if (file.model.type.empty()) file.model.type = file.model.has_rules ? "BPE" : "WordPiece";
  const bool byte_pair = file.model.type == "BPE";
  if (!byte_pair && file.model.type != "WordPiece")
    return fail(std::string(name) + " has a model of the type " + quote(file.model.type) +
                "; BPE (GPT-2) or WordPiece (BERT) is what can be read.");
  Result<Vocabulary> vocabulary = join_vocabularies(file, name);
  if (!vocabulary) return std::unexpected(vocabulary.error());

  std::optional<std::variant<BytePair, WordPiece>> model;
  if (byte_pair) {
    Result<BytePair> made = make_byte_pair(file, *vocabulary, name);
    if (!made) return std::unexpected(made.error());
    model = std::move(*made);
  } else {
    Result<WordPiece> made = make_word_piece(file, *vocabulary, name);
    if (!made) return std::unexpected(made.error());
    model = std::move(*made);
  }
  Around around;
  if (const Result<void> found = find_around(file.post_processor, name, around); !found)
    return std::unexpected(found.error());
  if (!byte_pair && around.in_front.empty() && around.behind.empty()) around = {{"[CLS]"}, {"[SEP]"}};
  Result<std::vector<int>> in_front = find_all(around.in_front, *vocabulary, name);
  if (!in_front) return std::unexpected(in_front.error());
  Result<std::vector<int>> behind = find_all(around.behind, *vocabulary, name);
  if (!behind) return std::unexpected(behind.error());
  return Tokenizer({.vocabulary = std::move(*vocabulary),
                    .added = AddedTokens(std::move(file.added)),
                    .model = std::move(*model),
                    .in_front = std::move(*in_front),
                    .behind = std::move(*behind)});
}

}  // namespace limelight::io
