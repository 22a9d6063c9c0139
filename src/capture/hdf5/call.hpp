#pragma once
// Calls of HDF5. What HDF5 or a layer above it (its high-level and Fortran libraries) calls while a watched call is under
// way is part of that.

#include "capture/hdf5/library.hpp"
#include "capture/interpose/imported_call.hpp"

namespace trikal::capture {

struct Hdf5Calls {
  static constexpr bool kNests = true;
  static constexpr bool kKeepsErrno = true;  // our questions go through HDF5, which may change it
  static constinit thread_local std::uint32_t depth;
  template <class R>
  static constexpr bool is_noted(R result) noexcept {
    return result >= 0;  // a call that succeeded
  }
};

template <FixedString Name, class Signature>
using Hdf5Call = ImportedCall<Hdf5Calls, Name, Signature>;

}  // namespace trikal::capture
