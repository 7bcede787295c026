// The world's mistakes: a file, a URL, a text, a shape from outside that is not as it should be.
#pragma once

#include <expected>
#include <string>

namespace limelight {

// One sentence: what was wrong, where, and what would be right.
struct Error {
  std::string message;
};

template <class T>
using Result = std::expected<T, Error>;

inline std::unexpected<Error> fail(std::string message) { return std::unexpected(Error{std::move(message)}); }

}  // namespace limelight
