// What a command is, and the commands there are.
#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>

#include "cli/arguments.h"
#include "cli/cli.h"
#include "io/error.h"

namespace limelight::cli {

struct Failure {
  Exit exit = Exit::bad_data;
  Error error;
};
using Outcome = std::expected<void, Failure>;

inline std::unexpected<Failure> bad_data(Error error) {
  return std::unexpected(Failure{Exit::bad_data, std::move(error)});
}
inline std::unexpected<Failure> bad_usage(Error error) {
  return std::unexpected(Failure{Exit::bad_usage, std::move(error)});
}
inline std::unexpected<Failure> bad_data(std::string message) { return bad_data(Error{std::move(message)}); }
inline std::unexpected<Failure> bad_usage(std::string message) { return bad_usage(Error{std::move(message)}); }

// What the subject is called when it is one of the kinds' tasks.
inline constexpr std::string_view kTaskSubject = "TASK";

struct Kind;
struct KindCommand;

struct Command {
  std::string_view name;
  std::string_view summary;    // one line
  std::string_view synopsis;   // what follows the name; % stands for what kinds of models read
  std::string_view details{};  // below the options; paragraphs that end with a line break
  std::string_view subject;    // what the argument that is not an option is called; empty: there is none
  std::string_view instead{};  // the option that stands in its place; empty: none does
  std::span<const Option> options{};
  KindCommand Kind::* of_kinds = nullptr;  // what each kind of model adds to the options and before the details
  bool lists_kinds = false;                // at the end of the summary
  Outcome (*run)(const Arguments& arguments);
};

extern const Command scenes_command;
extern const Command render_command;
extern const Command figures_command;
extern const Command attend_command;
extern const Command generate_command;
extern const Command train_command;
extern const Command evaluate_command;
extern const Command infer_command;
extern const Command record_command;

}  // namespace limelight::cli
