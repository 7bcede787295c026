// What the commands about trained models share.
#pragma once

#include "cli/command.h"
#include "learn/training.h"

namespace limelight::cli {

// 512 wide in every size, with the optimiser's state, is a fifth of this.
inline constexpr std::uint64_t kLargestModel = std::uint64_t{256} << 20U;

Result<learn::Training> read_model(std::string_view path);

// "--min-words" is the setting min_words.
std::string option_of(const io::Field& field);
// Sets what options say. Errors: a value that is none.
Result<void> read_settings(const Arguments& arguments, const io::Walk& settings);

// The task that the command is about. Errors: none has that name.
Result<const learn::TaskDef*> read_task(const Arguments& arguments);

// A whole number from least to most; `otherwise` when the option is not given.
Result<int> read_number(const Arguments& arguments, std::string_view option, int otherwise, int least, int most);

// --split; none: any of the two parts. Errors: no part has that name.
Result<std::optional<learn::Part>> read_split(const Arguments& arguments);

// --min-words and --max-words; `otherwise` where they are not given. Errors: sources that the task, if it is known,
// does not have.
Result<learn::Lengths> read_lengths(const Arguments& arguments, const learn::Lengths& otherwise,
                                    std::string_view task = {});

}  // namespace limelight::cli
