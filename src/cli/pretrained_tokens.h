// What a checkpoint of GPT-2 or BERT reads: token ids as they are typed, or a text through the tokenizer beside it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/error.h"
#include "io/pretrained.h"
#include "io/tokenizer.h"

namespace limelight::cli {

struct ModelInput {
  std::vector<int> tokens;
  std::optional<io::Tokenizer> tokenizer;  // none where ids were typed
};

// "3,17,5". Errors: no such token, more than the model has positions.
Result<ModelInput> read_typed_tokens(std::string_view text, const io::PretrainedConfig& config);

// The tokenizer in the model's folder: tokenizer.json, or vocab.json and merges.txt of a GPT-2, or vocab.txt of a BERT,
// which is uncased unless tokenizer_config.json says otherwise. Errors: none is there, those of reading it, one of
// another family or with other tokens than the model's, a text of no tokens or of more than the model has positions.
Result<ModelInput> read_text_tokens(std::string_view text, const std::string& folder,
                                    const io::PretrainedConfig& config);

}  // namespace limelight::cli
