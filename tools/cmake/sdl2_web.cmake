# SDL2 for the page: a window, its events, a GL context and the clipboard. SDL's own CMake probes the system with 150 test
# programs, four minutes of linking under Emscripten, to arrive at the settings which its SDL_config_emscripten.h holds;
# so the few sources that we need are listed here. Sound, joysticks, sensors, surfaces and the renderer are left out.
set(sdl2_parts
  SDL SDL_assert SDL_dataqueue SDL_error SDL_guid SDL_hints SDL_list SDL_log SDL_utils
  atomic/SDL_atomic atomic/SDL_spinlock cpuinfo/SDL_cpuinfo
  events/SDL_clipboardevents events/SDL_displayevents events/SDL_dropevents events/SDL_events events/SDL_gesture
  events/SDL_keyboard events/SDL_keysym_to_scancode events/SDL_mouse events/SDL_quit events/SDL_scancode_tables
  events/SDL_touch events/SDL_windowevents
  file/SDL_rwops filesystem/emscripten/SDL_sysfilesystem loadso/dlopen/SDL_sysloadso
  locale/SDL_locale locale/emscripten/SDL_syslocale misc/SDL_url misc/emscripten/SDL_sysurl
  stdlib/SDL_crc16 stdlib/SDL_crc32 stdlib/SDL_getenv stdlib/SDL_iconv stdlib/SDL_malloc stdlib/SDL_qsort
  stdlib/SDL_stdlib stdlib/SDL_string stdlib/SDL_strtokr
  thread/SDL_thread thread/generic/SDL_syscond thread/generic/SDL_sysmutex thread/generic/SDL_syssem
  thread/generic/SDL_systhread thread/generic/SDL_systls timer/SDL_timer timer/unix/SDL_systimer
  video/SDL_clipboard video/SDL_egl video/SDL_rect video/SDL_shape video/SDL_video
  video/emscripten/SDL_emscriptenevents video/emscripten/SDL_emscriptenmouse video/emscripten/SDL_emscriptenopengles
  video/emscripten/SDL_emscriptenvideo)
list(TRANSFORM sdl2_parts PREPEND "${sdl2_SOURCE_DIR}/src/")
list(TRANSFORM sdl2_parts APPEND ".c")

add_library(sdl2_web STATIC ${sdl2_parts} "${PROJECT_SOURCE_DIR}/tools/cmake/sdl2_web_left_out.c")
target_include_directories(sdl2_web SYSTEM PUBLIC "${sdl2_SOURCE_DIR}/include")
target_compile_definitions(sdl2_web
  PUBLIC SDL_MAIN_HANDLED
  PRIVATE SDL_ASSERT_LEVEL=0 SDL_AUDIO_DISABLED SDL_JOYSTICK_DISABLED SDL_SENSOR_DISABLED SDL_RENDER_DISABLED SDL_POWER_DISABLED)
target_compile_options(sdl2_web PRIVATE -w)
