// What the world's mistakes are answered with.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "io/error.h"
#include "io/utf8.h"

namespace limelight::test {

// A sentence for a reader: not empty, not endless whatever came in, without control characters or broken bytes, and
// with a full stop.
inline void check_sentence(const Error& error) {
  const std::string& message = error.message;
  CAPTURE(message);
  CHECK(message.size() > 10);
  CHECK(message.size() < 600);
  CHECK(message.find(' ') != std::string::npos);
  CHECK(message.ends_with('.'));
  CHECK(io::normalise_spaces(message) == message);
}

template <class T>
void check_refused(const Result<T>& result) {
  REQUIRE(!result);
  check_sentence(result.error());
}

}  // namespace limelight::test
