#pragma once
// A wrapper to a function of MPI, reached through an import that was redirected. A layer that calls itself (the Fortran
// functions of some libraries are written with the C ones, and tools call PMPI_ from MPI_) is counted once.

#include <algorithm>
#include <atomic>

#include "base/fixed_string.hpp"
#include "capture/interpose/caller.hpp"
#include "capture/interpose/imports.hpp"
#include "capture/interpose/inside.hpp"
#include "capture/mpi/library.hpp"
#include "capture/session/session.hpp"

namespace trikal::capture {

extern constinit thread_local std::uint32_t mpi_depth;

template <FixedString Name, class Signature>
struct MpiCall;

template <FixedString Name, class... A>
struct MpiCall<Name, int(A...)> {
  static int real(A... args) noexcept {
    return reinterpret_cast<int (*)(A...)>(function.load(std::memory_order_relaxed))(args...);
  }

  // `note(Span, int, A...)` runs under the guard, after the call. The real call is not guarded: it does I/O.
  template <class Note>
  [[gnu::always_inline]] static int call(const Note& note, A... args) noexcept {
    if (!session.running() || mpi_depth != 0 || is_inside()) return real(args...);
    const Ticks begin = read_counter();
    mpi_depth += 1;
    const int result = real(args...);
    mpi_depth -= 1;
    const Ticks end = read_counter();
    const Inside inside;
    keep_caller();
    note(session.span(begin, end), result, args...);
    return result;
  }

  static inline constinit std::atomic<void*> function{nullptr};
};

template <std::size_t N>
consteval FixedString<N + 1> profiled(const FixedString<N>& name) {
  char text[N + 1] = {'P'};
  std::copy_n(name.text, N, text + 1);
  return FixedString<N + 1>(text);
}

// MPI_x and PMPI_x: programs call either, and the Fortran functions of Open MPI only the latter.
template <template <FixedString> class Wrapper, FixedString Name>
consteval ImportPair imports_of() {
  using Plain = Wrapper<Name>;
  using Profiled = Wrapper<profiled(Name)>;
  return {{{Plain::kName.text, address_of<&Plain::wrapper>, &Plain::Call::function},
           {Profiled::kName.text, address_of<&Profiled::wrapper>, &Profiled::Call::function}}};
}

}  // namespace trikal::capture
