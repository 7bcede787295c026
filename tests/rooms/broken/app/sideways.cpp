// Wrong on purpose: the test of tests/rooms/rooms.cmake.
#include <GLES3/gl3.h>

#include "app/app.h"
#include "platform/platform.h"
#include "platform/window.h"

#ifdef __EMSCRIPTEN__
#endif
