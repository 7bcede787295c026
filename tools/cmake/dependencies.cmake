# The third-party code. Each is fetched from upstream, by tag and hash, unless build/local.cmake (tools/setup) names a
# local copy or the system has a package that will do. Nothing here is compiled with our warnings.
include(FetchContent)
set(no_cmake SOURCE_SUBDIR no-cmake-here) # take the sources only: the targets below say what is built of them

FetchContent_Declare(imgui ${no_cmake}
  URL https://github.com/ocornut/imgui/archive/refs/tags/v1.90.1.tar.gz
  URL_HASH SHA256=21dcc985bb2ae8fe48047c86135dbc438d6980a8f2e08babbda5be820592f282
  DOWNLOAD_EXTRACT_TIMESTAMP OFF)
FetchContent_Declare(doctest ${no_cmake}
  URL https://github.com/doctest/doctest/archive/refs/tags/v2.4.11.tar.gz
  URL_HASH SHA256=632ed2c05a7f53fa961381497bf8069093f0d6628c5f26286161fbd32a560186
  DOWNLOAD_EXTRACT_TIMESTAMP OFF)
FetchContent_Declare(stb ${no_cmake}
  URL https://github.com/nothings/stb/archive/8b5f1f37b5b75829fc72d38e7b5d4bcbf8a26d55.zip
  URL_HASH SHA256=93a16ee3e866e719feec459f6f132cce932c5ec751eb38e3ec1975f911353d2e
  DOWNLOAD_EXTRACT_TIMESTAMP OFF)
FetchContent_Declare(Eigen3 ${no_cmake}
  URL https://gitlab.com/libeigen/eigen/-/archive/3.4.0/eigen-3.4.0.tar.bz2
  URL_HASH SHA256=b4c198460eba6f28d34894e3a5710998818515104d6e74e5cc331ce31e46e626
  DOWNLOAD_EXTRACT_TIMESTAMP OFF
  FIND_PACKAGE_ARGS 3.4 NO_MODULE)
set(sdl2_url URL https://github.com/libsdl-org/SDL/releases/download/release-2.32.4/SDL2-2.32.4.tar.gz
  URL_HASH SHA256=f15b478253e1ff6dac62257ded225ff4e7d0c5230204ac3450f1144ee806f934
  DOWNLOAD_EXTRACT_TIMESTAMP OFF)
if(EMSCRIPTEN)
  FetchContent_Declare(SDL2 ${no_cmake} ${sdl2_url})
else()
  FetchContent_Declare(SDL2 SYSTEM ${sdl2_url} FIND_PACKAGE_ARGS 2.26)
endif()
FetchContent_MakeAvailable(imgui doctest stb Eigen3 SDL2)

# --- Headers only -------------------------------------------------------------------------------------------------

add_library(doctest INTERFACE) # #include <doctest/doctest.h>
target_include_directories(doctest SYSTEM INTERFACE "${doctest_SOURCE_DIR}")
target_compile_definitions(doctest INTERFACE DOCTEST_CONFIG_NO_EXCEPTIONS_BUT_WITH_ALL_ASSERTS)

add_library(stb INTERFACE) # #include <stb_truetype.h>
target_include_directories(stb SYSTEM INTERFACE "${stb_SOURCE_DIR}")

if(NOT TARGET Eigen3::Eigen)
  add_library(eigen INTERFACE)
  target_include_directories(eigen SYSTEM INTERFACE "${eigen3_SOURCE_DIR}")
  add_library(Eigen3::Eigen ALIAS eigen)
endif()

# --- A window and a GL context ------------------------------------------------------------------------------------

add_library(limelight_sdl INTERFACE) # #include <SDL.h>
add_library(limelight_gl INTERFACE)  # #include <GLES3/gl3.h> in the page, <GL/gl.h> and <GL/glext.h> elsewhere
if(EMSCRIPTEN)
  include(sdl2_web)
  target_link_libraries(limelight_sdl INTERFACE sdl2_web)
  target_compile_definitions(limelight_gl INTERFACE LIMELIGHT_GLES)
else()
  find_package(OpenGL REQUIRED)
  target_link_libraries(limelight_sdl INTERFACE SDL2::SDL2)
  target_link_libraries(limelight_gl INTERFACE OpenGL::GL)
  target_compile_definitions(limelight_gl INTERFACE GL_GLEXT_PROTOTYPES)
endif()

# --- Dear ImGui ---------------------------------------------------------------------------------------------------

set(imgui "${imgui_SOURCE_DIR}")
add_library(imgui STATIC
  "${imgui}/imgui.cpp" "${imgui}/imgui_draw.cpp" "${imgui}/imgui_tables.cpp" "${imgui}/imgui_widgets.cpp")
if(NOT EMSCRIPTEN) # the page takes draw lists only
  target_sources(imgui PRIVATE "${imgui}/backends/imgui_impl_sdl2.cpp" "${imgui}/backends/imgui_impl_opengl3.cpp")
endif()
target_include_directories(imgui SYSTEM PUBLIC "${imgui}" "${imgui}/backends")
target_compile_definitions(imgui PUBLIC
  "ImDrawIdx=unsigned int" # a numbered 64x64 matrix overflows 16 bits
  IMGUI_DISABLE_OBSOLETE_FUNCTIONS IMGUI_DISABLE_DEMO_WINDOWS IMGUI_DISABLE_FILE_FUNCTIONS
  $<$<CONFIG:Release>:IMGUI_DISABLE_DEBUG_TOOLS>)
target_compile_options(imgui PRIVATE -w)
target_link_libraries(imgui PUBLIC limelight_sdl ${CMAKE_DL_LIBS})

# --- Fonts: the eight files that tools/fonts makes, and the parts of them that the page fetches ------------------------

set(limelight_fonts inter-regular inter-semibold mono-regular mono-bold math-regular math-italic
    display-medium display-bold)
set(limelight_font_parts first/inter-regular first/inter-semibold first/mono-regular first/mono-bold first/math-regular first/math-italic
    first/display-medium first/display-bold rest/inter-regular rest/mono-regular rest/mono-bold rest/math-regular rest/math-italic)
set(fonts_SOURCE_DIR "${FETCHCONTENT_SOURCE_DIR_FONTS}")
if(NOT EXISTS "${fonts_SOURCE_DIR}/first/mono-bold.ttf")
  message(FATAL_ERROR "The fonts are missing. On Debian, tools/setup makes them. Elsewhere, install Inter 4.0 with its Display faces, JetBrains Mono "
    "and STIX 1.1 and Python's fontTools, run tools/fonts DIRECTORY, and configure with -DFETCHCONTENT_SOURCE_DIR_FONTS=DIRECTORY.")
endif()
