# Flags every target shares. Sanitizers and fuzzing come from presets as cache variables.
option(TRIKAL_BUILD_TESTS "Build the unit tests" ON)
option(TRIKAL_BUILD_BENCH "Build the benchmark programs" ON)
option(TRIKAL_COMPILE_TOGETHER "Compile several files of a component at once: quicker from nothing, but hides a missing include" OFF)
set(TRIKAL_GROUP_SIZE 20 CACHE STRING "Most files that are compiled at once")
option(TRIKAL_FUZZ "Build the libFuzzer targets, too, and count the lines they reach (clang with the address sanitizer)" OFF)
set(TRIKAL_SANITIZE "" CACHE STRING "Sanitizers, as for -fsanitize=")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)

find_program(TRIKAL_CCACHE ccache)
if(TRIKAL_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # base_dir and a free hash_dir let clones in different folders share the cache. What is not in it is looked for by the
  # dependencies the compiler writes: preprocessing each file first takes a quarter of the time compiling takes.
  set(launcher ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1 ${TRIKAL_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion $<$<COMPILE_LANGUAGE:CXX>:-Wold-style-cast>
                    -Wno-missing-field-initializers -Werror)
# clang takes libstdc++'s own use of a deprecated function in stable_sort for ours; gcc still looks at our code.
add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-deprecated-declarations>)

if(TRIKAL_SANITIZE)
  add_compile_options(-fsanitize=${TRIKAL_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${TRIKAL_SANITIZE})
endif()
# What libFuzzer is guided by, and the lines that are counted: only where damaged input is read, see trikal_fuzzed.
set(TRIKAL_FUZZED base schema modules log-encode log-write log-codec log-read log-tools stream-wire stream-batches gather serve)
set(TRIKAL_COUNTED log-read gather)
# Little of the damaged input goes here, and compiling without optimization takes half as long.
set(TRIKAL_NOT_OPTIMIZED analyze cli compat compat-tools predict-core predict-score predicted-log store stream watch)
if(TRIKAL_FUZZ)
  add_link_options(-fprofile-instr-generate)
endif()
