# Writes the scripts and styles of the report page and the live page as C++: the functions of report/html/assets.hpp.
# Usage: cmake -DOUT=file.cpp [-DFOLDER=folder with main.js, main.css, live.js, live.css] -P TrikalEmbed.cmake; without a folder
# all are empty.
set(piece_length 16000)  # compilers need not take literals over 65,536 bytes
set(mark TRIKAL)         # R"TRIKAL( ... )TRIKAL"

# Every expansion is quoted: unquoted, CMake takes the semicolons and brackets of a script for lists.
function(pieces_of file element result)
  set(code "")
  set(count 0)
  if(file)
    file(READ "${file}" text)
    string(TOLOWER "${text}" lowered)
    foreach(forbidden "</${element}" ")trikal\"" "<!--")
      string(FIND "${lowered}" "${forbidden}" at)
      if(NOT at EQUAL -1)
        message(FATAL_ERROR "${file} holds ${forbidden}, which would end its element or its literal")
      endif()
    endforeach()
    string(LENGTH "${text}" length)
    set(begin 0)
    while(begin LESS length)
      string(SUBSTRING "${text}" ${begin} ${piece_length} piece)
      string(APPEND code "    R\"${mark}(${piece})${mark}\",\n")
      math(EXPR begin "${begin} + ${piece_length}")
      math(EXPR count "${count} + 1")
    endwhile()
  endif()
  set(${result} "${code}" PARENT_SCOPE)
  set(${result}_count ${count} PARENT_SCOPE)
endfunction()

set(arrays "")
set(functions "")
foreach(asset page_script:main.js:script page_style:main.css:style live_script:live.js:script live_style:live.css:style)
  string(REPLACE ":" ";" asset "${asset}")
  list(GET asset 0 name)
  list(GET asset 1 file)
  list(GET asset 2 element)
  if(FOLDER)
    set(file "${FOLDER}/${file}")
  else()
    set(file "")
  endif()
  pieces_of("${file}" ${element} code)
  string(APPEND arrays "constexpr std::array<std::string_view, ${code_count}> k_${name} = {\n${code}};\n")
  string(APPEND functions "std::span<const std::string_view> ${name}() { return k_${name}; }\n")
endforeach()
file(WRITE "${OUT}" "// Made by cmake/TrikalEmbed.cmake from web/.
#include \"report/html/assets.hpp\"

#include <array>

namespace trikal::report {
namespace {

${arrays}
}  // namespace

${functions}
}  // namespace trikal::report
")
