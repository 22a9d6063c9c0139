# Writes the script and style of the report page as C++: the two functions of report/html/assets.hpp.
# Usage: cmake -DOUT=file.cpp [-DSCRIPT=main.js -DSTYLE=main.css] -P TrikalEmbed.cmake; without files both are empty.
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

pieces_of("${SCRIPT}" script script)
pieces_of("${STYLE}" style style)
file(WRITE "${OUT}" "// Made by cmake/TrikalEmbed.cmake from web/.
#include \"report/html/assets.hpp\"

#include <array>

namespace trikal::report {
namespace {

constexpr std::array<std::string_view, ${script_count}> kScript = {
${script}};
constexpr std::array<std::string_view, ${style_count}> kStyle = {
${style}};

}  // namespace

std::span<const std::string_view> page_script() { return kScript; }
std::span<const std::string_view> page_style() { return kStyle; }

}  // namespace trikal::report
")
