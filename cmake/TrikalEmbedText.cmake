# Writes sources that trikal predict compiles beside a program as C++: body_sources() of src/predict/source/bodies.hpp.
# Usage: cmake -DOUT=file.cpp -DHEADER=H5Cpp.h -DNAME=trikal_h5cpp.cpp -DFILES="a.cpp;b.cpp" -P TrikalEmbedText.cmake
set(code "")
foreach(file IN LISTS FILES)
  file(READ "${file}" text)
  string(FIND "${text}" ")TRIKAL\"" at)
  if(NOT at EQUAL -1)
    message(FATAL_ERROR "${file} holds what would end its literal")
  endif()
  string(APPEND code "    R\"TRIKAL(${text})TRIKAL\",\n")
endforeach()
file(WRITE "${OUT}" "// Made by cmake/TrikalEmbedText.cmake from src/predict/bodies.
#include \"predict/source/bodies.hpp\"

namespace trikal::predict {
namespace {

constexpr std::string_view kPieces[] = {
${code}};

}  // namespace

std::vector<BodySource> body_sources() {
  BodySource out{\"${HEADER}\", \"${NAME}\", {}};
  for (const std::string_view piece : kPieces) out.text += piece;
  return {out};
}

}  // namespace trikal::predict
")
