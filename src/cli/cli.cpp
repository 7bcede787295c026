#include "cli/cli.h"

#include <algorithm>
#include <cstdio>
#include <string>

#include "cli/kind.h"

namespace limelight::cli {
namespace {

constexpr const Command* kCommands[] = {&scenes_command,   &render_command,   &figures_command,
                                        &attend_command,   &generate_command, &train_command,
                                        &evaluate_command, &infer_command,    &record_command};

constexpr Option kHelp{"--help", "", "Says this."};

void print(std::FILE* file, std::string_view text) { std::fwrite(text.data(), 1, text.size(), file); }

bool asks_for_help(std::string_view argument) { return argument == "--help" || argument == "-h"; }

std::size_t columns(std::string_view text) { return io::decode_utf8(text).size(); }

// The words in a column of this width, and what they mean beside it.
std::string entry(std::string_view words, std::size_t width, std::string_view meaning) {
  return "  " + std::string(words) + std::string(width + 2 - columns(words), ' ') + std::string(meaning) + "\n";
}

// Of the kinds of models that have the command.
std::vector<const KindCommand*> parts_of(const Command& command) {
  std::vector<const KindCommand*> parts;
  if (command.of_kinds == nullptr) return parts;
  for (const Kind* kind : kinds())
    if (const KindCommand& part = kind->*command.of_kinds; part.run != nullptr) parts.push_back(&part);
  return parts;
}

std::string summary_of(const Command& command) {
  if (!command.lists_kinds) return std::string(command.summary);
  std::vector<std::string_view> called;
  for (const Kind* kind : kinds())
    if ((kind->*command.of_kinds).run != nullptr) called.push_back(kind->called);
  return std::string(command.summary) + ": " + io::one_of(called) + ".";
}

// Those of the command and of all kinds of models, each once, with all that is said of it.
struct Options {
  std::vector<Option> all;
  std::vector<std::string> help;  // as many

  explicit Options(const Command& command) {
    add(command.options);
    for (const KindCommand* part : parts_of(command)) add(part->options);
  }
  void add(std::span<const Option> options) {
    for (const Option& option : options) {
      const auto found = std::ranges::find(all, option.name, &Option::name);
      if (found == all.end()) {
        all.push_back(option);
        help.emplace_back(option.help);
      } else if (!option.help.empty()) {
        help[static_cast<std::size_t>(found - all.begin())] += " " + std::string(option.help);
      }
    }
  }
};

std::string overview() {
  std::string text =
      "Limelight shows attention at work.\n\n"
      "  limelight                   opens the window\n"
      "  limelight COMMAND …         works without one\n"
      "  limelight COMMAND --help    says how\n"
      "  limelight --version\n\nCommands:\n";
  std::size_t width = 0;
  for (const Command* command : kCommands) width = std::max(width, columns(command->name));
  for (const Command* command : kCommands) text += entry(command->name, width, summary_of(*command));
  return text;
}

std::string form(const Command& command) {
  std::string synopsis(command.synopsis);
  if (const std::size_t place = synopsis.find('%'); place != std::string::npos) {
    std::vector<std::string_view> inputs;
    for (const KindCommand* part : parts_of(command))
      if (std::ranges::find(inputs, part->input) == inputs.end()) inputs.push_back(part->input);
    std::string joined;
    for (const std::string_view input : inputs) joined += (joined.empty() ? "" : "|") + std::string(input);
    synopsis.replace(place, 1, joined);
  }
  return "limelight " + std::string(command.name) + (synopsis.empty() ? "" : " " + synopsis);
}

std::string details_of(const Command& command) {
  std::string text;
  if (command.subject == kTaskSubject) text += "TASK is " + list_tasks(command) + ".\n";
  for (const KindCommand* part : parts_of(command)) text += part->details;
  return text + std::string(command.details);
}

std::string usage(const Command& command) {
  std::string text = summary_of(command) + "\n\n  " + form(command) + "\n\nOptions:\n";
  const auto words = [](const Option& option) {
    return std::string(option.name) + (option.value.empty() ? "" : " " + std::string(option.value));
  };
  const Options options(command);
  std::size_t width = columns(words(kHelp));
  for (const Option& option : options.all) width = std::max(width, columns(words(option)));
  for (std::size_t i = 0; i < options.all.size(); ++i) text += entry(words(options.all[i]), width, options.help[i]);
  text += entry(words(kHelp), width, kHelp.help);
  if (const std::string details = details_of(command); !details.empty()) text += "\n" + details;
  return text + "\nErrors go to stderr. Ends with 0 when all is well, 1 for bad data, 2 for bad usage.\n";
}

Outcome run_command(const Command& command, std::span<const std::string_view> arguments) {
  const Result<Arguments> parsed = parse_arguments(arguments, Options(command).all);
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
