#include "cli/arguments.h"

#include <algorithm>

namespace limelight::cli {

std::optional<std::string_view> Arguments::find(std::string_view option) const {
  const std::span<const std::string_view> given = all(option);
  return given.empty() ? std::nullopt : std::optional(given.front());
}

std::span<const std::string_view> Arguments::all(std::string_view option) const {
  const auto found = values.find(option);
  if (found == values.end()) return {};
  return found->second;
}

Result<Arguments> parse_arguments(std::span<const std::string_view> arguments, std::span<const Option> options) {
  Arguments parsed;
  bool only_subjects = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view argument = arguments[i];
    if (only_subjects || !argument.starts_with('-') || argument == "-") {
      parsed.subjects.push_back(argument);
      continue;
    }
    if (argument == "--") {
      only_subjects = true;
      continue;
    }
    const std::size_t equals = argument.find('=');
    const std::string_view name = argument.substr(0, equals);
    const auto option = std::ranges::find(options, name, &Option::name);
    if (option == options.end())
      return fail("There is no option " + io::quote(name) + "." +
                  did_you_mean(name, options | std::views::transform(&Option::name)));
    if (parsed.values.contains(option->name) && !option->repeatable)
      return fail(std::string(option->name) + " is given twice.");
    const std::string form = std::string(option->name) + " " + std::string(option->value);
    std::string_view value;
    if (equals != std::string_view::npos) {
      value = argument.substr(equals + 1);
      if (option->value.empty()) return fail(std::string(option->name) + " takes no value.");
    } else if (!option->value.empty()) {
      // A value may begin with one dash, as negative numbers do; two begin the next option.
      if (i + 1 == arguments.size() || arguments[i + 1].starts_with("--"))
        return fail(std::string(option->name) + " needs a value: " + form + ".");
      value = arguments[++i];
    }
    if (!option->value.empty() && value.empty())
      return fail(std::string(option->name) + " has an empty value; it is written " + form + ".");
    parsed.values[option->name].push_back(value);
  }
  return parsed;
}

}  // namespace limelight::cli
