#include "io/state_file.h"

#include <algorithm>

#include "io/fields.h"
#include "io/numbers.h"

namespace limelight::io {
namespace {

constexpr std::string_view kName = "limelight-state ";
constexpr int kVersion = 1;  // of the file around the link, which has its own
constexpr std::string_view kEnd = "end";

// Takes a line away.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

std::string write_state_file(std::string_view link) {
  return std::string(kName) + std::to_string(kVersion) + "\n" + std::string(link) + "\n" + std::string(kEnd) + "\n";
}

Result<std::string> read_state_file(std::string_view text) {
  if (text.size() > kLongestStateFile)
    return fail("The file has " + format_fixed(static_cast<double>(text.size()) / 1e6, 1) +
                " MB; a state has up to 1 MB.");
  const std::string_view first = take_line(text);
  if (!first.starts_with(kName))
    return fail("The file begins with " + quote(first) + "; a state of Limelight begins with \"limelight-state 1\".");
  const Result<int> version = parse_integer(first.substr(kName.size()));
  if (!version || *version != kVersion)
    return fail("The file is a state of version " + quote(first.substr(kName.size())) +
                "; this Limelight reads version " + std::to_string(kVersion) + ".");
  const std::string_view link = take_line(text);
  if (take_line(text) != kEnd) return fail("The file is cut off; its last line is \"end\".");
  return std::string(link);
}

}  // namespace limelight::io
