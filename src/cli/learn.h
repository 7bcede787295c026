// What the commands about trained models share.
#pragma once

#include "cli/command.h"
#include "learn/training.h"

namespace limelight::cli {

// 512 wide in every size, with the optimiser's state, is a fifth of this.
inline constexpr std::uint64_t kLargestModel = std::uint64_t{256} << 20U;

Result<learn::Training> read_model(std::string_view path);

// Sets what options say: "--min-words" is the setting min_words. Errors: a value that is none.
Result<void> read_settings(const Arguments& arguments, learn::Settings& settings);

}  // namespace limelight::cli
