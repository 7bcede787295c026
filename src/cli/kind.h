// Kinds of models, and what generate, train, evaluate and infer do for each: a file of its own, and a row in kinds.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"

namespace limelight::cli {

// What it is that is learned: the TASK of generate and train.
struct TaskName {
  std::string_view name;
  std::string_view about;  // for the help, in few words; may be empty
};

// A command for one kind of model.
struct KindCommand {
  // Beside those of the command. An option of several kinds stands in the list of each; the help has it once, where it
  // is first, with what all of them say of it.
  std::span<const Option> options = {};
  std::string_view details = {};                         // in the help, below the options; ends with a line break
  std::string_view input = {};                           // of infer: what is read, as in "--input TEXT"
  Outcome (*run)(const Arguments& arguments) = nullptr;  // none: it has no such command
};

struct Kind {
  std::string_view called;                     // "a captioner"
  std::string_view plural;                     // "captioners"
  std::vector<TaskName> (*tasks)() = nullptr;  // none: it is not trained here
  std::string_view format = {};                // in the metadata of its files; empty: its models are folders
  // What is said of an option that does not belong to this kind; % stands for the model's path. Empty: the sentence
  // names the kind that has the option.
  std::string_view refusal = {};
  KindCommand generate = {}, train = {}, evaluate = {}, infer = {};
};

// The table. The first kind is that of a file of which nothing is known: it says what is wrong with it.
std::span<const Kind* const> kinds();

extern const Kind translation_kind;
extern const Kind captioner_kind;
extern const Kind encoder_kind;
extern const Kind pretrained_kind;

// Those that the command is there for, as its help lists them: "copy, sort (letters) or caption (pictures)".
std::string list_tasks(const Command& command);

// Finds the kind that the command's argument is about, and runs the command for it. Errors: no such task, an option of
// other kinds.
Outcome run_for_task(const Arguments& arguments, const Command& command);
Outcome run_for_model(const Arguments& arguments, const Command& command);

}  // namespace limelight::cli
