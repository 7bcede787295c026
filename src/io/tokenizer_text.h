// What the readers of tokenizer files share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/error.h"
#include "io/json_reader.h"
#include "io/vocabulary.h"

namespace limelight::io {

// Error, which names the file and the byte: it is not UTF-8.
Result<void> check_utf8(std::string_view text, std::string_view file);
// A token's bytes: a space is "·" and what cannot be seen an escape such as "\n" or "\xE2".
std::string for_eyes(std::string_view bytes);
// {"token": id, …}; false where it is something else.
bool read_vocabulary(JsonReader& json, std::vector<Vocabulary::Entry>& entries);
// Without their ends, "\n" or "\r\n"; nothing after the last end is no line.
std::vector<std::string_view> lines_of(std::string_view text);

}  // namespace limelight::io
