# trikal_component(NAME SOURCES... TESTS... LINK...): one static library per component, one test program beside it.
function(trikal_component name)
  cmake_parse_arguments(COMPONENT "" "" "SOURCES;TESTS;LINK;PRIVATE_LINK" ${ARGN})
  if(COMPONENT_SOURCES)
    add_library(trikal-${name} STATIC ${COMPONENT_SOURCES})
    target_include_directories(trikal-${name} PUBLIC ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
    target_link_libraries(trikal-${name} PUBLIC ${COMPONENT_LINK} PRIVATE ${COMPONENT_PRIVATE_LINK})
  else()
    add_library(trikal-${name} INTERFACE)
    target_include_directories(trikal-${name} INTERFACE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
    target_link_libraries(trikal-${name} INTERFACE ${COMPONENT_LINK})
  endif()
  if(TRIKAL_BUILD_TESTS AND COMPONENT_TESTS)
    trikal_test(${name}-test SOURCES ${COMPONENT_TESTS} LINK trikal-${name})
  endif()
endfunction()

# trikal_precompile(NAME HEADERS...): what its files spend most of their compiling on, read once. Only where TRIKAL_PRECOMPILE
# asks for it: builds of the tests go without and find missing includes.
function(trikal_precompile name)
  if(TRIKAL_PRECOMPILE)
    target_precompile_headers(trikal-${name} PRIVATE
      <algorithm> <array> <cmath> <cstring> <filesystem> <functional> <map> <memory> <optional> <set> <span> <string> <string_view>
      <unordered_map> <utility> <vector> ${ARGN})
  endif()
endfunction()

# trikal_test(NAME SOURCES... LINK...): a GoogleTest program, each of its tests known to ctest.
function(trikal_test name)
  cmake_parse_arguments(TEST "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${TEST_SOURCES})
  target_link_libraries(${name} PRIVATE ${TEST_LINK} GTest::gmock_main GTest::gmock GTest::gtest)
  # Test code compares freely; the sign and shadow warnings are for the product.
  target_compile_options(${name} PRIVATE -Wno-sign-conversion -Wno-conversion)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST)
endfunction()
