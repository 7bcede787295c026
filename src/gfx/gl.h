// OpenGL ES 3.0, or the part of desktop OpenGL 3.3 that is the same.
#pragma once

#ifdef LIMELIGHT_GLES
#include <GLES3/gl3.h>
#else
#include <GL/gl.h>
#include <GL/glext.h>
#endif
