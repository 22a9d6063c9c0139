#pragma once
// Fortran's modules: a file that uses one is compiled behind the file that has it.

#include <string>
#include <vector>

#include "predict/source/compile.hpp"

namespace trikal::predict {

// Sorts the Fortran files among `sources` so that each comes behind those whose modules it uses.
void order_by_modules(std::vector<SourceFile>& sources);

// Of the other sources those whose modules `source` uses, directly or through others.
[[nodiscard]] std::vector<std::string> files_behind(const SourceFile& source, const std::vector<SourceFile>& sources);

// Whether it uses a module of that name that none of the sources has.
[[nodiscard]] bool uses_module(const std::string& text, std::string_view module);

// Options of gfortran that flang knows, in its spelling.
[[nodiscard]] std::vector<std::string> flang_options(const std::vector<std::string>& options);

// Files that INCLUDE lines name, as far as they are found.
[[nodiscard]] std::vector<std::string> included_files(const SourceFile& source, const std::string& text);

}  // namespace trikal::predict
