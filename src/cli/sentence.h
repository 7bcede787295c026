// What the commands do for encoders: models that say which word of a sentence is missing.
#pragma once

#include "cli/train_loop.h"
#include "learn/encoder_training.h"

namespace limelight::cli {

inline constexpr std::string_view kSentence = "sentence";

Result<learn::sentences::Training> read_encoder(std::string_view path);

Outcome train_encoder(const Arguments& arguments, const TrainFiles& files);

// Whether the file can be read and is an encoder.
bool is_encoder(std::string_view path);
Outcome evaluate_encoder(const Arguments& arguments);
Outcome infer_words(const Arguments& arguments);

Outcome generate_sentences(const Arguments& arguments);

}  // namespace limelight::cli
