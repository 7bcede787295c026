// What infer does for checkpoints of others: folders with config.json and model.safetensors.
#pragma once

#include <string_view>

#include "cli/command.h"

namespace limelight::cli {

// Whether it is a folder.
bool is_pretrained(std::string_view path);

Outcome infer_pretrained(const Arguments& arguments);

}  // namespace limelight::cli
