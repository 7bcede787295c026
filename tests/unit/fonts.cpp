#include "unit/fonts.h"

#include "text/embedded_fonts.h"

namespace limelight::test {

bool load_fonts() { return text::load_embedded_fonts(); }

}  // namespace limelight::test
