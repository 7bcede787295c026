// Wrong on purpose: the test of tests/rooms/rooms.cmake.
#pragma once
