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

// Whether `source` uses a module of that name that none of the sources has.
[[nodiscard]] bool misses_module(const SourceFile& source, const std::vector<SourceFile>& sources,
                                 const std::string& module);

// Sources of the modules mpi and mpi_f08, where they are used: made of the mpif.h that the options lead to.
void add_mpi_modules(std::vector<SourceFile>& sources, const std::string& cache);

// Options of gfortran that flang knows, in its spelling.
[[nodiscard]] std::vector<std::string> flang_options(const std::vector<std::string>& options);

// Files that INCLUDE lines name, as far as they are found.
[[nodiscard]] std::vector<std::string> included_files(const SourceFile& source, const std::string& text);

}  // namespace trikal::predict
