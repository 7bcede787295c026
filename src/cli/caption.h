// What the commands do for captioners: models that say what is in a picture.
#pragma once

#include "cli/train_loop.h"
#include "learn/caption_training.h"

namespace limelight::cli {

inline constexpr std::string_view kCaption = "caption";

Result<learn::captions::Training> read_captioner(std::string_view path);

Outcome train_captioner(const Arguments& arguments, const TrainFiles& files);

// Whether the file can be read and is a captioner.
bool is_captioner(std::string_view path);
Outcome evaluate_captioner(const Arguments& arguments);
Outcome infer_caption(const Arguments& arguments);

Outcome generate_captions(const Arguments& arguments);

}  // namespace limelight::cli
