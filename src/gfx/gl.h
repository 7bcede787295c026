// OpenGL ES 3.0, or the part of desktop OpenGL 3.3 that is the same.
#pragma once

#include <cstddef>
#include <cstdint>

#ifdef LIMELIGHT_GLES
#include <GLES3/gl3.h>
#else
#include <GL/gl.h>
#include <GL/glext.h>
#endif

namespace limelight::gfx {

// Where something lies in a bound buffer, as GL takes it.
inline const void* buffer_offset(std::size_t bytes) {
  return reinterpret_cast<const void*>(static_cast<std::uintptr_t>(bytes));
}

}  // namespace limelight::gfx
