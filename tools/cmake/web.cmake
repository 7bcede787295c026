# Toolchain of the preset web: Emscripten as tools/setup provides it, else the one on PATH.
include("${CMAKE_CURRENT_LIST_DIR}/../../build/local.cmake" OPTIONAL)

if(NOT LIMELIGHT_EMSCRIPTEN_ROOT)
  find_program(em_config em-config NO_CMAKE_FIND_ROOT_PATH)
  if(NOT em_config)
    message(FATAL_ERROR "There is no Emscripten. Run tools/setup, or put emcc 3.1.69 or newer on PATH.")
  endif()
  execute_process(
    COMMAND "${em_config}" EMSCRIPTEN_ROOT
    OUTPUT_VARIABLE LIMELIGHT_EMSCRIPTEN_ROOT
    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
endif()
if(NOT EXISTS "${LIMELIGHT_EMSCRIPTEN_ROOT}/emcc")
  message(FATAL_ERROR "${LIMELIGHT_EMSCRIPTEN_ROOT} is gone. Run tools/setup and then configure again with --fresh.")
endif()

set(EMSCRIPTEN_ROOT_PATH "${LIMELIGHT_EMSCRIPTEN_ROOT}")
include("${LIMELIGHT_EMSCRIPTEN_ROOT}/cmake/Modules/Platform/Emscripten.cmake")
