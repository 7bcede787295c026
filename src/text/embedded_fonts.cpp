#include "text/embedded_fonts.h"

#include <span>

#include "embedded/display_bold.h"
#include "embedded/display_medium.h"
#include "embedded/inter_regular.h"
#include "embedded/inter_semibold.h"
#include "embedded/math_italic.h"
#include "embedded/math_regular.h"
#include "embedded/mono_bold.h"
#include "embedded/mono_regular.h"
#include "text/font.h"

namespace limelight::text {

bool load_embedded_fonts() {
  static const bool loaded = [] {
    const auto give = [](Face face, std::span<const unsigned char> font) { return load(face, std::as_bytes(font)); };
    return give(Face::regular, embedded::inter_regular) && give(Face::semibold, embedded::inter_semibold) &&
           give(Face::mono, embedded::mono_regular) && give(Face::mono_bold, embedded::mono_bold) &&
           give(Face::math, embedded::math_regular) && give(Face::math_italic, embedded::math_italic) &&
           give(Face::display, embedded::display_medium) && give(Face::display_bold, embedded::display_bold);
  }();
  return loaded;
}

}  // namespace limelight::text
