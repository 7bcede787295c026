// The shipped fonts for the unit tests, embedded by CMake.
#pragma once

namespace limelight::test {

// Gives every face its bytes; the first call does the work. False when one of them is not a font.
bool load_fonts();

}  // namespace limelight::test
