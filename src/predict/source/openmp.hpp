#pragma once
// What a compiler needs for OpenMP beside itself: clang's omp.h comes with a runtime that need not be installed.

#include <string>
#include <vector>

namespace trikal::predict {

// A folder with an omp.h, to be looked into last.
[[nodiscard]] std::string openmp_headers(const std::string& cache);
// Where flang has its omp_lib.h; empty: nowhere.
[[nodiscard]] std::string openmp_fortran(const std::string& compiler);

[[nodiscard]] bool asks_for_openmp(const std::vector<std::string>& options);
[[nodiscard]] std::vector<std::string> without_openmp(const std::vector<std::string>& options);
// The option of any compiler that asks for OpenMP.
[[nodiscard]] bool is_openmp(const std::string& option);

}  // namespace trikal::predict
