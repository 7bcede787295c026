#include "cli/cli.h"

#include <algorithm>
#include <cstdio>
#include <string>

#include "cli/command.h"

namespace limelight::cli {
namespace {

constexpr const Command* kCommands[] = {&scenes_command,   &render_command, &figures_command,  &attend_command,
                                        &generate_command, &train_command,  &evaluate_command, &infer_command};

constexpr Option kHelp{"--help", "", "Says this."};

void print(std::FILE* file, std::string_view text) { std::fwrite(text.data(), 1, text.size(), file); }

bool asks_for_help(std::string_view argument) { return argument == "--help" || argument == "-h"; }

std::size_t columns(std::string_view text) { return io::decode_utf8(text).size(); }

// The words in a column of this width, and what they mean beside it.
std::string entry(std::string_view words, std::size_t width, std::string_view meaning) {
  return "  " + std::string(words) + std::string(width + 2 - columns(words), ' ') + std::string(meaning) + "\n";
}

std::string overview() {
  std::string text =
      "Limelight shows attention at work.\n\n"
      "  limelight                   opens the window\n"
      "  limelight COMMAND …         works without one\n"
      "  limelight COMMAND --help    says how\n"
      "  limelight --version\n\nCommands:\n";
  std::size_t width = 0;
  for (const Command* command : kCommands) width = std::max(width, columns(command->name));
  for (const Command* command : kCommands) text += entry(command->name, width, command->summary);
  return text;
}

std::string form(const Command& command) {
  return "limelight " + std::string(command.name) +
         (command.synopsis.empty() ? "" : " " + std::string(command.synopsis));
}

std::string usage(const Command& command) {
  std::string text = std::string(command.summary) + "\n\n  " + form(command) + "\n\nOptions:\n";
  const auto words = [](const Option& option) {
    return std::string(option.name) + (option.value.empty() ? "" : " " + std::string(option.value));
  };
  std::size_t width = columns(words(kHelp));
  for (const Option& option : command.options) width = std::max(width, columns(words(option)));
  for (const Option& option : command.options) text += entry(words(option), width, option.help);
  text += entry(words(kHelp), width, kHelp.help);
  if (!command.details.empty()) text += "\n" + std::string(command.details);
  return text + "\nErrors go to stderr. Ends with 0 when all is well, 1 for bad data, 2 for bad usage.\n";
}

Outcome run_command(const Command& command, std::span<const std::string_view> arguments) {
  const Result<Arguments> parsed = parse_arguments(arguments, command.options);
  if (!parsed) return bad_usage(parsed.error());
  const std::size_t expected = command.subject.empty() || parsed->find(command.instead) ? 0 : 1;
  if (parsed->subjects.size() > expected)
    return bad_usage(io::quote(parsed->subjects[expected]) + " is one argument too many: " + form(command) + ".");
  if (parsed->subjects.size() < expected)
    return bad_usage("The " + std::string(command.subject) + " is missing: " + form(command) + ".");
  return command.run(*parsed);
}

Exit complain(const Failure& failure, std::string_view about) {
  print(stderr, "limelight" + (about.empty() ? "" : " " + std::string(about)) + ": " + failure.error.message + "\n");
  if (failure.exit == Exit::bad_usage)
    print(stderr, "\"limelight " + (about.empty() ? "" : std::string(about) + " ") + "--help\" says more.\n");
  return failure.exit;
}

}  // namespace

Exit run(std::span<const std::string_view> arguments) {
  const std::string_view first = arguments.empty() ? "--help" : arguments.front();
  if (asks_for_help(first)) {
    print(stdout, overview());
    return Exit::fine;
  }
  if (first == "--version") {
    print(stdout, "limelight " LIMELIGHT_VERSION "\n");
    return Exit::fine;
  }
  const auto found = std::ranges::find(kCommands, first, [](const Command* command) { return command->name; });
  if (found == std::end(kCommands)) {
    const auto names = kCommands | std::views::transform([](const Command* command) { return command->name; });
    return complain({Exit::bad_usage,
                     {io::quote(first) + " is not a command; a command is " + io::one_of(names) + "." +
                      did_you_mean(first, names)}},
                    {});
  }
  const Command& command = **found;
  const std::span<const std::string_view> rest = arguments.subspan(1);
  if (std::ranges::any_of(rest, asks_for_help)) {
    print(stdout, usage(command));
    return Exit::fine;
  }
  Outcome outcome = run_command(command, rest);
  if (outcome && (std::fflush(stdout) != 0 || std::ferror(stdout) != 0))
    outcome = bad_data("What was to be printed could not be written.");
  return outcome ? Exit::fine : complain(outcome.error(), command.name);
}

}  // namespace limelight::cli
