// Models and attention weights of the reader's own. A state, and so a link, holds only the name of one; what is in it
// stays with the app, as pictures do, and reaches a scene with what it computes from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "io/attention_weights.h"
#include "io/error.h"
#include "io/fields.h"
#include "io/pretrained.h"
#include "io/tokenizer.h"
#include "io/tokenizer_files.h"

namespace limelight::scenes {

// A checkpoint with the tokenizer beside it.
struct OwnModel {
  std::string label;                 // what it is called for eyes: "gpt2"
  std::shared_ptr<const void> kept;  // what holds the bytes that `model` looks into
  io::PretrainedConfig config;
  io::Pretrained model;
  std::optional<io::Tokenizer> tokenizer;  // none: tokens are typed as numbers
};

// Weights without the model that made them.
using OwnWeights = io::AttentionWeights;

using Own = std::variant<std::shared_ptr<const OwnModel>, std::shared_ptr<const OwnWeights>>;

const std::string& label_of(const Own& own);

namespace own {

// A file that the reader offers, before it is read.
struct Offered {
  std::string name;        // with the folders that it came in: "gpt2/config.json"
  std::uint64_t size = 0;  // bytes
};
// What is read of it.
struct Choice {
  std::string label;
  std::vector<std::size_t> files;  // of those offered
};

// A model is config.json and model.safetensors (or another file of that ending, if it is the only one) with the files
// of a tokenizer, in one folder or loose; what else lies there is passed over. Otherwise one file of weights. Errors:
// neither; a file that is missing, in several parts, of a format that is not read, or larger than what can be held.
Result<Choice> choose(std::span<const Offered> offered);
// What was chosen. `kept` is what holds the bytes. Errors: those of io/pretrained.h, io/tokenizer_files.h and
// io/attention_weights.h.
Result<Own> read(const std::string& label, std::span<const io::NamedFile> files, std::shared_ptr<const void> kept);
// The name of what is in the files: 16 hexadecimal digits of the hash of their sizes, of the whole of what is small and
// of a part of each mebibyte of what is large.
std::string name_of(std::span<const io::NamedFile> files);

}  // namespace own

// Where a scene takes them: the text field of its state that holds the name. What reads them is called by way of these,
// so that it comes with the scenes that need it and not with the first (tools/split.mjs).
struct OwnField {
  std::string_view name{};  // empty: the scene takes none
  decltype(&own::choose) choose = own::choose;
  decltype(&own::read) read = own::read;
  decltype(&own::name_of) name_of = own::name_of;
  // What else is set when it comes, so that it is seen; `step` is the one that is open.
  io::Patch (*shown)(const Own& own, int step) = nullptr;
};

}  // namespace limelight::scenes
