#pragma once
// Files that no program asked for: shared memory, lock tests and sockets' directories of MPI, and our own.

#include <cstdint>
#include <string_view>

#include "analyze/dataset/run.hpp"

namespace trikal::analyze {

[[nodiscard]] bool is_internal_file(std::string_view name);
[[nodiscard]] std::int64_t internal_files(const Run& run);
// What every output calls the files of a run: opened, and not internal.
[[nodiscard]] std::int64_t program_files(const Run& run);

}  // namespace trikal::analyze
