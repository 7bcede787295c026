// A transformer that others trained, as they publish it: config.json and model.safetensors of the GPT-2 or BERT family,
// the names and shapes of the tensors as in Hugging Face's transformers
// (https://huggingface.co/docs/transformers/model_doc/gpt2, …/bert).
// Bytes in, value or error out: nothing of it is trained here, so it does not belong to learn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/transformer.h"
#include "io/error.h"
#include "io/family.h"

namespace limelight::io {

struct PretrainedConfig {
  Family family = Family::gpt2;
  int layers = 0, heads = 0;
  int size = 0;       // D, a multiple of heads
  int inner = 0;      // F, of the feed-forward parts
  int positions = 0;  // the most tokens
  int vocabulary = 0;
  int segments = 0;  // BERT's token types
  Gelu gelu = Gelu::exact;
  double epsilon = 0;
};

// `name` is what the messages call the file. Errors: no JSON, another family, a number that is missing or out of range,
// a part that is not computed here (relative positions, another activation, …).
Result<PretrainedConfig> read_pretrained_config(std::string_view json, std::string_view name);

struct Pretrained {
  PretrainedConfig config;
  TransformerOptions options;
  TransformerWeights weights;  // views into the file's bytes, and into `converted`
  std::vector<std::unique_ptr<std::vector<float>>> converted;
};

// The file's bytes outlive the result: F32 is used where it lies. Names with and without "transformer." or "bert.",
// "gamma" and "beta" for a norm's "weight" and "bias"; buffers and heads that are not computed (attn.bias,
// position_ids, pooler …) are passed over. Errors: those of io/safetensors.h; a tensor that is missing, has another
// shape than the configuration says, or belongs to no part.
Result<Pretrained> read_pretrained(const PretrainedConfig& config, std::span<const std::byte> file,
                                   std::string_view name);

// Before a file is loaded or mapped. Errors: it is larger than what can be held in one piece, as a file of 3 GB is
// where addresses have 32 bits.
Result<void> check_holds(std::uint64_t bytes, std::string_view name,
                         std::uint64_t most = std::numeric_limits<std::ptrdiff_t>::max());

// Before so much is taken for what is made of a file. Errors: memory has no such piece left.
Result<void> check_room(std::uint64_t bytes, std::string_view name);

}  // namespace limelight::io
