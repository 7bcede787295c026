# The words that src/ and tests/ build with.

# limelight_room(NAME [FAST] [RELAXED] SOURCES file… [LINKS target…]): a static library limelight_NAME of our own code,
# included as "NAME/file.h". FAST: its loops are worth bytes (the page is built for size otherwise). RELAXED: for engines
# with relaxed SIMD.
function(limelight_room name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "FAST;RELAXED" "" "SOURCES;LINKS")
  add_library(limelight_${name} STATIC ${arg_SOURCES})
  target_include_directories(limelight_${name} PUBLIC "${PROJECT_SOURCE_DIR}/src")
  target_link_libraries(limelight_${name} PUBLIC ${arg_LINKS} PRIVATE limelight_warnings)
  # Files are compiled in groups, which takes half the time from nothing.
  set_target_properties(limelight_${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
  if(arg_FAST)
    target_compile_options(limelight_${name} PRIVATE $<$<CONFIG:Release>:-O3> $<$<CONFIG:Debug>:-O2>)
  endif()
  if(arg_RELAXED)
    target_compile_options(limelight_${name} PRIVATE -mrelaxed-simd)
  endif()
endfunction()

# limelight_group_by_folder(TARGET): compiles the files of each folder together instead of eight at a time.
function(limelight_group_by_folder target)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(GET source PARENT_PATH folder)
    string(MAKE_C_IDENTIFIER "${folder}" group)
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP ${group})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
endfunction()

# limelight_program(NAME SOURCES file… [LINKS target…] [FIRST scene]): natively the executable build/PRESET/NAME; for the
# page the ES module build/web/NAME.mjs with NAME.wasm beside it, whose default export is the function that starts the
# program. FIRST: what only other scenes need comes in a module of its own, NAME.scenes.wasm.
function(limelight_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FIRST" "SOURCES;LINKS")
  add_executable(${name} ${arg_SOURCES})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/src")
  target_link_libraries(${name} PRIVATE ${arg_LINKS} limelight_warnings)
  if(EMSCRIPTEN)
    set_target_properties(${name} PROPERTIES SUFFIX .mjs)
    target_link_options(${name} PRIVATE
      -sMODULARIZE -sEXPORT_ES6 -sENVIRONMENT=web -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2
      -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=4GB # for models of the reader's own; malloc gives null where it ends
      -sMALLOC=emmalloc -sSTACK_SIZE=1MB -sFILESYSTEM=0
      -sDYNAMIC_EXECUTION=0 # a strict Content-Security-Policy has no eval
      # Without noExitRuntime in this list, the runtime counts as ended when main returns, and the main loop never runs.
      -sINCOMING_MODULE_JS_API=canvas,locateFile,instantiateWasm,print,printErr,onAbort,noExitRuntime)
    if(arg_FIRST)
      execute_process(COMMAND "${LIMELIGHT_EMSCRIPTEN_ROOT}/em-config" BINARYEN_ROOT OUTPUT_VARIABLE binaryen
        OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
      # For the split: the names of functions; where each string lies, which are therefore not merged; and all data above the numbers
      # that are usual, and those of characters, so that an address is not taken for one: above 2^19, too, which Eigen has,
      # and below 2^20, from where on an address takes a byte more.
      target_link_options(${name} PRIVATE --profiling-funcs "-Wl,-Map=$<TARGET_FILE_DIR:${name}>/${name}.map" -Wl,-O0 -sGLOBAL_BASE=540672)
      set_property(TARGET ${name} APPEND PROPERTY LINK_DEPENDS
        "${PROJECT_SOURCE_DIR}/tools/split.mjs" "${PROJECT_SOURCE_DIR}/tools/split_data.mjs")
      add_custom_command(TARGET ${name} POST_BUILD VERBATIM
        COMMAND node "${PROJECT_SOURCE_DIR}/tools/split.mjs" "${binaryen}" "$<TARGET_FILE_DIR:${name}>/${name}.wasm" ${arg_FIRST})
    endif()
  endif()
endfunction()

# limelight_module(NAME [RELAXED] SOURCES file… [LINKS target…]): build/core/NAME.wasm, a module that exports what its
# sources mark. Whoever loads it brings the two functions that it imports; Emscripten's own loader is not used.
function(limelight_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "RELAXED" "" "SOURCES;LINKS")
  add_executable(${name} ${arg_SOURCES})
  set_target_properties(${name} PROPERTIES SUFFIX .js RUNTIME_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/src")
  target_compile_options(${name} PRIVATE $<$<BOOL:${arg_RELAXED}>:-mrelaxed-simd>)
  target_link_libraries(${name} PRIVATE ${arg_LINKS} limelight_warnings)
  target_link_options(${name} PRIVATE
    $<$<CONFIG:Release>:-Oz> # a tenth smaller than with -Os, which is what its budget needs; 60 tokens take 0.04 ms longer
    --no-entry -sWASM_BIGINT -sINITIAL_MEMORY=2MB -sALLOW_MEMORY_GROWTH -sMALLOC=emmalloc -sSTACK_SIZE=1MB -sFILESYSTEM=0
    -sDECLARE_ASM_MODULE_EXPORTS=0 # keeps the names of imports and exports
   )
  add_custom_command(TARGET ${name} POST_BUILD VERBATIM
    COMMAND "${CMAKE_COMMAND}" -E copy "${CMAKE_CURRENT_BINARY_DIR}/${name}.wasm" "${CMAKE_BINARY_DIR}/../core/${name}.wasm")
endfunction()

# limelight_group_tests(NAME): compiles a program's test files in groups, which takes half the time from nothing. Each file has a
# namespace of its own in its group, behind all that any of them includes; one that opens a namespace by name, or defines a
# macro, stays by itself.
function(limelight_group_tests name)
  get_target_property(sources ${name} SOURCES)
  foreach(source IN LISTS sources)
    file(STRINGS "${source}" alone REGEX "^(namespace [a-z]|#define)")
    if(alone)
      set_source_files_properties("${source}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
    file(STRINGS "${source}" lines REGEX "^#include")
    list(APPEND includes ${lines})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${source}")
  endforeach()
  list(REMOVE_DUPLICATES includes)
  list(JOIN includes "\n" includes)
  file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/${name}_includes.h" CONTENT "#pragma once\n${includes}\n" @ONLY)
  set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 6 UNITY_BUILD_UNIQUE_ID TEST_FILE
    UNITY_BUILD_CODE_BEFORE_INCLUDE "#include \"${CMAKE_CURRENT_BINARY_DIR}/${name}_includes.h\"\nnamespace TEST_FILE {"
    UNITY_BUILD_CODE_AFTER_INCLUDE "}")
endfunction()

# limelight_unit_tests(NAME SOURCES file… [FILES file…] ROOMS room… [LINKS target…]): a doctest program of tests of rooms,
# registered with ctest; for WebAssembly it runs under Node. FILES: tests that read files, which there are none of there.
function(limelight_unit_tests name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;FILES;ROOMS;LINKS")
  add_executable(${name} ${arg_SOURCES})
  if(arg_FILES AND NOT EMSCRIPTEN)
    target_sources(${name} PRIVATE ${arg_FILES})
    target_compile_definitions(${name} PRIVATE LIMELIGHT_MODELS="${PROJECT_SOURCE_DIR}/web/models")
  endif()
  limelight_group_tests(${name})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/tests")
  list(TRANSFORM arg_ROOMS PREPEND limelight_)
  target_link_libraries(${name} PRIVATE ${arg_ROOMS} ${arg_LINKS} doctest limelight_warnings)
  if(NOT EMSCRIPTEN)
    target_compile_options(${name} PRIVATE -O0) # checks are slow to optimize, and quick to run
    if(NOT APPLE) # the rooms come first, so that of what is inline both use the rooms' optimized code
      list(TRANSFORM arg_ROOMS REPLACE "(.+)" "$<TARGET_FILE:\\1>")
      list(JOIN arg_ROOMS "," archives)
      target_link_options(${name} PRIVATE "LINKER:--whole-archive,${archives},--no-whole-archive")
    endif()
  else()
    target_link_options(${name} PRIVATE
      -sENVIRONMENT=node -sNODERAWFS -sEXIT_RUNTIME -sALLOW_MEMORY_GROWTH -sSTACK_SIZE=1MB -sASSERTIONS=1
      "SHELL:--pre-js ${PROJECT_SOURCE_DIR}/tests/unit/node.js")
    set_property(TARGET ${name} APPEND PROPERTY LINK_DEPENDS "${PROJECT_SOURCE_DIR}/tests/unit/node.js")
  endif()
  add_test(NAME ${name} COMMAND ${name} --no-colors=true)
endfunction()

# limelight_browser_tests(NAME [OF target] [SOURCES file…] LINKS target…): a doctest program as the ES module
# build/web/tests/NAME.mjs for a browser. OF: the objects of another one, linked first with other libraries than its own.
function(limelight_browser_tests name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "OF" "SOURCES;LINKS")
  add_executable(${name} ${arg_SOURCES})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX SUFFIX .mjs RUNTIME_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/tests")
  target_link_libraries(${name} PRIVATE ${arg_LINKS})
  if(arg_OF)
    target_sources(${name} PRIVATE $<TARGET_OBJECTS:${arg_OF}>)
    target_link_libraries(${name} PRIVATE $<TARGET_PROPERTY:${arg_OF},LINK_LIBRARIES>)
  endif()
  target_link_options(${name} PRIVATE
    -sMODULARIZE -sEXPORT_ES6 -sENVIRONMENT=web -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2 -sEXIT_RUNTIME
    -sALLOW_MEMORY_GROWTH -sSTACK_SIZE=1MB -sDYNAMIC_EXECUTION=0
    -sASSERTIONS=1 -sINCOMING_MODULE_JS_API=arguments,print,printErr,onExit)
endfunction()

# limelight_embed(TARGET SYMBOL FILE): puts the bytes of a file into a target. #include "embedded/SYMBOL.h" declares
# limelight::embedded::SYMBOL, a span of bytes.
function(limelight_embed target symbol file)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${target}_embedded")
  set(source "${folder}/embedded/${symbol}.cpp")
  file(CONFIGURE OUTPUT "${folder}/embedded/${symbol}.h" CONTENT "#pragma once
#include <span>
namespace limelight::embedded {
extern const std::span<const unsigned char> ${symbol};
}  // namespace limelight::embedded
")
  add_custom_command(OUTPUT "${source}"
    COMMAND "${CMAKE_COMMAND}" "-DFILE=${file}" "-DSYMBOL=${symbol}" "-DOUTPUT=${source}" -P "${PROJECT_SOURCE_DIR}/tools/cmake/embed.cmake"
    DEPENDS "${file}" "${PROJECT_SOURCE_DIR}/tools/cmake/embed.cmake" VERBATIM)
  set_source_files_properties("${source}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  target_sources(${target} PRIVATE "${source}")
  target_include_directories(${target} PUBLIC "${folder}")
endfunction()

# limelight_embedded_fonts: the eight fonts inside a program: embedded::inter_regular, inter_semibold, mono_regular,
# mono_bold, math_regular, math_italic, display_medium, display_bold. The page does not link it: it fetches them in parts.
add_library(limelight_embedded_fonts STATIC)
foreach(font IN LISTS limelight_fonts)
  string(REPLACE - _ symbol ${font})
  limelight_embed(limelight_embedded_fonts ${symbol} "${fonts_SOURCE_DIR}/${font}.ttf")
endforeach()

# limelight_core_package(FOLDER): the target core_package puts the JavaScript, its types, the licence and a package.json into
# build/core, where limelight_module puts the modules.
function(limelight_core_package folder)
  set(package "${CMAKE_BINARY_DIR}/../core")
  configure_file("${folder}/package.json.in" "${package}/package.json" @ONLY)
  foreach(source IN ITEMS "${folder}/limelight-core.js" "${folder}/limelight-core.d.ts" "${PROJECT_SOURCE_DIR}/LICENSE")
    cmake_path(ABSOLUTE_PATH source)
    cmake_path(GET source FILENAME name)
    add_custom_command(OUTPUT "${package}/${name}"
      COMMAND "${CMAKE_COMMAND}" -E copy "${source}" "${package}/${name}" DEPENDS "${source}" VERBATIM)
    list(APPEND copies "${package}/${name}")
  endforeach()
  add_custom_target(core_package ALL DEPENDS ${copies})
endfunction()

# limelight_site(FOLDER PROGRAM…): the target site is all that a browser loads: it copies a folder's files and the fonts into
# build/web, where the programs are.
function(limelight_site folder)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE "${folder}" "${folder}/*")
  list(TRANSFORM files PREPEND "${folder}/" OUTPUT_VARIABLE sources)
  set(copies ${files})
  foreach(font IN LISTS limelight_font_parts)
    list(APPEND sources "${fonts_SOURCE_DIR}/${font}.ttf")
    list(APPEND copies "fonts/${font}.ttf")
  endforeach()
  list(APPEND sources "${fonts_SOURCE_DIR}/LICENSE")
  list(APPEND copies fonts/LICENSE)
  foreach(source copy IN ZIP_LISTS sources copies)
    add_custom_command(OUTPUT "${CMAKE_BINARY_DIR}/${copy}"
      COMMAND "${CMAKE_COMMAND}" -E copy "${source}" "${CMAKE_BINARY_DIR}/${copy}" DEPENDS "${source}" VERBATIM)
  endforeach()
  list(TRANSFORM copies PREPEND "${CMAKE_BINARY_DIR}/")
  add_custom_target(site ALL DEPENDS ${copies})
  add_dependencies(site ${ARGN})
endfunction()
