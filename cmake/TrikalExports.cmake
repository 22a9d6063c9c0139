# The runtime's version script: every name in a symbols.txt is exported, nothing else is.
# Usage: cmake -DOUT=file -DSYMBOLS="a;b" -P TrikalExports.cmake
set(text "{\n  global:\n")
foreach(list ${SYMBOLS})
  file(STRINGS ${list} names REGEX "^[A-Za-z_]")
  foreach(name ${names})
    string(APPEND text "    ${name};\n")
  endforeach()
endforeach()
string(APPEND text "  local: *;\n};\n")
file(WRITE ${OUT} "${text}")
