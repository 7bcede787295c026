// The shipped fonts inside a program: for the desktop window, the headless command and the tests. The page fetches the
// same glyphs instead. A library of its own, so that nothing else carries their bytes.
#pragma once

namespace limelight::text {

// Loads every face; the first call does the work. False when one of them is not a font.
bool load_embedded_fonts();

}  // namespace limelight::text
