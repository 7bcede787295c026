// The implementation of stb_truetype, in a translation unit of its own: it compiles once and warns where nobody looks.
#define STB_TRUETYPE_IMPLEMENTATION
#include <stb_truetype.h>
