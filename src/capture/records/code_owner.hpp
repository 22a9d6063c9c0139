#pragma once
// Whose code an object of the process is: a finding wants the line of the program, not that of a library it was linked with.

#include <link.h>

#include <cstdint>
#include <string_view>

namespace trikal::capture {

enum class CodeOwner : std::uint8_t {
  kProgram,  // the program, and what its author built for it
  kLibrary,  // the C, C++ and Fortran runtimes, MPI, HDF5 and their like, and whatever the system has installed
  kInterpreter,  // Python, which runs somebody's program
};

// `path`: as the loader has it; empty for the program itself.
[[nodiscard]] CodeOwner owner_of(std::string_view path, bool has_python) noexcept;

}  // namespace trikal::capture
