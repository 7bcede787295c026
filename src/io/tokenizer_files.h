// The tokenizer among the files of a checkpoint, and whether it fits.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "io/error.h"
#include "io/pretrained.h"
#include "io/tokenizer.h"

namespace limelight::io {

// A file as it was given: found in a folder, dropped or chosen.
struct NamedFile {
  std::string name;  // perhaps with folders before it: "gpt2/config.json"
  std::span<const std::byte> bytes;
};

// What follows the last "/".
std::string_view base_name(std::string_view path);
// The first whose base name is this one; null where there is none.
const NamedFile* find_file(std::span<const NamedFile> files, std::string_view base);

// All that one is read from, by base names.
inline constexpr std::string_view kTokenizerFiles[] = {"tokenizer.json", "vocab.json", "merges.txt", "vocab.txt",
                                                       "tokenizer_config.json"};

// From tokenizer.json; or vocab.json and merges.txt of a GPT-2; or vocab.txt of a BERT, which is uncased unless
// tokenizer_config.json says otherwise. Of the family, and of the other one where only that is there. Nothing where
// there is none. Errors: those of reading it, one of the two files of a GPT-2.
Result<std::optional<Tokenizer>> read_tokenizer(std::span<const NamedFile> files, Family family);

// `where` is what the message calls the model's folder. Errors: one of another family, or with more tokens than the
// model's.
Result<void> check_fits(const Tokenizer& tokenizer, const PretrainedConfig& config, std::string_view where);

}  // namespace limelight::io
