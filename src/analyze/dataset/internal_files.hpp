#pragma once
// Files that no program asked for: shared memory, lock tests and sockets' directories of MPI, and our own.

#include <string_view>

namespace trikal::analyze {

[[nodiscard]] bool is_internal_file(std::string_view name);

}  // namespace trikal::analyze
