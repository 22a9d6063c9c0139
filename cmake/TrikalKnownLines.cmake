# docs/formats/trailer-lines.txt as a C++ source: TRIKAL_KNOWN_LINES, for whoever writes or reads trailers.
set(lines_file ${PROJECT_SOURCE_DIR}/docs/formats/trailer-lines.txt)
set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${lines_file})
file(READ ${lines_file} lines)
string(REPLACE "\\" "\\\\" lines "${lines}")
string(REPLACE "\"" "\\\"" lines "${lines}")
string(REPLACE "\t" "\\t" lines "${lines}")
string(REPLACE "\n" "\\n\"\n    \"" lines "${lines}")
set(TRIKAL_KNOWN_LINES ${PROJECT_BINARY_DIR}/generated/known_line_texts.cpp)
file(CONFIGURE OUTPUT ${TRIKAL_KNOWN_LINES} @ONLY CONTENT
"// Made from docs/formats/trailer-lines.txt.
#include \"log/trailer/known_lines.hpp\"

namespace trikal::log {

constinit const char kKnownLines[] =
    \"@lines@\";
constinit const std::size_t kKnownLineBytes = sizeof kKnownLines - 1;

}  // namespace trikal::log
")
