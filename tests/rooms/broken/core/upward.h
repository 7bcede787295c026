// Wrong on purpose: the test of tests/rooms/rooms.cmake.
#pragma once

#include <imgui.h>

#include "core/matrix.h"
#include "io/error.h"
