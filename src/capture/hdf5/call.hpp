#pragma once
// A wrapper to a function of HDF5, reached through an import that was redirected. What HDF5 or a layer above it (its high-level
// and Fortran libraries) calls while a watched call is under way is part of that.

#include <errno.h>

#include <atomic>
#include <cstdint>

#include "base/fixed_string.hpp"
#include "capture/hdf5/library.hpp"
#include "capture/interpose/caller.hpp"
#include "capture/interpose/imports.hpp"
#include "capture/interpose/inside.hpp"
#include "capture/session/session.hpp"

namespace trikal::capture {

extern constinit thread_local std::uint32_t hdf5_depth;

[[nodiscard]] inline bool sees_hdf5() noexcept { return session.running() && hdf5_depth == 0 && !is_inside(); }

template <FixedString Name, class Signature>
struct Hdf5Call;

template <FixedString Name, class R, class... A>
struct Hdf5Call<Name, R(A...)> {
  static R real(A... args) noexcept {
    return reinterpret_cast<R (*)(A...)>(function.load(std::memory_order_relaxed))(args...);
  }

  // `note(Span, R, A...)` runs under the guard, after a call that succeeded. The real call is not guarded: it does I/O.
  template <class Note>
  [[gnu::always_inline]] static R call(const Note& note, A... args) noexcept {
    return call_asking([](A...) noexcept { return Nothing{}; },
                       [&note](Nothing, Span when, R result, A... a) noexcept { note(when, result, a...); }, args...);
  }

  // What `ask(A...)` answers before the call goes to `note(answer, Span, R, A...)`: when the call is over, another thread may have
  // closed what it was about.
  template <class Ask, class Note>
  [[gnu::always_inline]] static R call_asking(const Ask& ask, const Note& note, A... args) noexcept {
    if (!sees_hdf5()) return real(args...);
    const auto answer = ask_first(ask, args...);
    const Ticks begin = read_counter();
    hdf5_depth += 1;
    const R result = real(args...);
    hdf5_depth -= 1;
    const Ticks end = read_counter();
    if (result < 0) return result;
    const int saved = errno;  // our questions go through HDF5, which may change it
    const Inside inside;
    keep_caller();
    note(answer, session.span(begin, end), result, args...);
    errno = saved;
    return result;
  }

  static inline constinit std::atomic<void*> function{nullptr};

 private:
  struct Nothing {};

  template <class Ask>
  [[gnu::always_inline]] static auto ask_first(const Ask& ask, A... args) noexcept {
    const int saved = errno;
    const Inside inside;
    const auto answer = ask(args...);
    errno = saved;
    return answer;
  }
};

template <template <FixedString> class Wrapper, FixedString Name>
consteval ImportPair import_of() {
  using Plain = Wrapper<Name>;
  return {{{Name.text, address_of<&Plain::wrapper>, &Plain::Call::function}, {}}};
}

}  // namespace trikal::capture
