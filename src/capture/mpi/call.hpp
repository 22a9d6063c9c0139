#pragma once
// Calls of MPI. A layer that calls itself (the Fortran functions of some libraries are written with the C ones, and tools
// call PMPI_ from MPI_) is counted once.

#include <algorithm>

#include "capture/interpose/imported_call.hpp"
#include "capture/mpi/library.hpp"

namespace trikal::capture {

struct MpiCalls : LibcCalls {
  static constexpr bool kNests = true;
  static constinit thread_local std::uint32_t depth;
};

template <FixedString Name, class Signature>
using MpiCall = ImportedCall<MpiCalls, Name, Signature>;

template <std::size_t N>
consteval FixedString<N + 1> profiled(const FixedString<N>& name) {
  char text[N + 1] = {'P'};
  std::copy_n(name.text, N, text + 1);
  return FixedString<N + 1>(text);
}

// MPI_x and PMPI_x: programs call either, and the Fortran functions of Open MPI only the latter.
template <template <FixedString> class Wrapper, FixedString Name>
void imports_of(const ImportUse& use) noexcept {
  import_of<Wrapper, Name>(use);
  import_of<Wrapper, profiled(Name)>(use);
}

}  // namespace trikal::capture
