# Flags that hold for every target, third-party ones included. Ours get warnings on top: limelight_warnings.
add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions;-fno-rtti>" -ffunction-sections -fdata-sections)

if(EMSCRIPTEN)
  # Small by default; a room of hot loops asks for speed with limelight_room(… FAST).
  set(CMAKE_C_FLAGS_RELEASE "-Oz -DNDEBUG")
  set(CMAKE_CXX_FLAGS_RELEASE "-Oz -DNDEBUG")
  # A float is rounded by one instruction, which every engine with SIMD has, not by four and a branch.
  add_compile_options(-msimd128 -mnontrapping-fptoint)
  # One thread; and nothing runs when a page closes, so that statics are never destroyed.
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-fno-threadsafe-statics;-fno-c++-static-destructors>")
  # With -Oz the library's memset, memcpy and memmove go byte by byte. Of bulk memory, memset and memcpy are one instruction.
  add_link_options(-fno-exceptions $<$<CONFIG:Release>:-Os> -mbulk-memory $<$<CONFIG:Debug>:-sASSERTIONS=2>)
else()
  # As for the page only hot loops are worth -O3 (limelight_room(… FAST)), which takes half as long again to compile as -O1.
  set(CMAKE_C_FLAGS_RELEASE "-O1 -DNDEBUG")
  set(CMAKE_CXX_FLAGS_RELEASE "-O1 -DNDEBUG")
  set(CMAKE_C_FLAGS_DEBUG "-O1 -g1") # under the sanitizers several times as fast as -O0, with lines in their reports
  set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g1")
  add_compile_options($<$<CONFIG:Debug>:-fsanitize=address,undefined> $<$<CONFIG:Debug>:-fno-sanitize-recover=all>
                      $<$<CONFIG:Debug>:-fno-omit-frame-pointer>)
  add_compile_definitions($<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS>)
  add_link_options($<$<CONFIG:Debug>:-fsanitize=address,undefined>)
  if(NOT APPLE)
    add_link_options(-Wl,--gc-sections)
  endif()
endif()

find_program(ccache ccache)
if(ccache)
  set(CMAKE_C_COMPILER_LAUNCHER "${ccache}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${ccache}")
endif()

# Not -Wconversion: too much noise out of Eigen's templates.
add_library(limelight_warnings INTERFACE)
target_compile_options(limelight_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Collecting garbage takes a quarter of the time of a large file; without it a compilation takes up to 1 GB.
  add_compile_options(--param=ggc-min-expand=400 --param=ggc-min-heapsize=1000000)
  # GCC 12 sees overlaps where strings are joined (its bug 105329), and reads of what another kind of a variant would hold.
  target_compile_options(limelight_warnings INTERFACE -Wno-restrict -Wno-maybe-uninitialized)
endif()
