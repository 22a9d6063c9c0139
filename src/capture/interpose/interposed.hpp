#pragma once
// A wrapper: runs the real function, then hands time, result and arguments to an ordinary function that notes them.
//
//   TRIKAL_WRAPPER ssize_t pwrite(int fd, const void* buf, size_t n, off_t at) {
//     return Interposed<"pwrite", ssize_t(int, const void*, size_t, off_t)>::call(on_pwrite, fd, buf, n, at);
//   }

#include <errno.h>

#include <atomic>
#include <type_traits>

#include "base/fixed_string.hpp"
#include "capture/interpose/observed_call.hpp"
#include "capture/loader/symbols.hpp"

#define TRIKAL_WRAPPER extern "C" __attribute__((visibility("default")))

namespace trikal::capture {

template <FixedString Name, class Signature>
struct Interposed;

template <FixedString Name, class R, class... A>
struct Interposed<Name, R(A...)> {
  using Function = R (*)(A...);

  [[nodiscard]] static Function real() noexcept { return real_.load(std::memory_order_relaxed); }

  // Before the first call, for functions that are called where the loader must not be asked.
  static void find() noexcept {
    if (const auto found = reinterpret_cast<Function>(find_next(Name.text)))
      real_.store(found, std::memory_order_relaxed);
  }

  // `note(TickInterval or Span, R, A...)` runs under the guard, after the call. It must leave errno alone; nothing that is noted
  // with raw system calls and our own memory touches it.
  template <class Note>
  [[gnu::always_inline]] static R call(const Note& note, A... args) noexcept {
    const Function function = real();
    if (!session.running()) [[unlikely]]
      return function(args...);
    return call_running(function, note, args...);
  }

  // As call, where the caller knows that the session runs: it found what it looked for in a table of the session's.
  template <class Note>
  [[gnu::always_inline]] static R call_running(const Note& note, A... args) noexcept {
    return call_running(real(), note, args...);
  }

 private:
  template <class Note>
  [[gnu::always_inline]] static R call_running(Function function, const Note& note, A... args) noexcept {
    if (is_inside()) [[unlikely]] {  // a signal landed in our own code, or this is a vfork child
      session.missed();
      return function(args...);
    }
    return observe<LibcCalls>(function, note, args...);
  }

  // Stands for the real function until the first call finds it: the hot path has no test for that. A libc older than
  // the function leaves us to say so.
  [[gnu::noinline, gnu::cold]] static R find_and_call(A... args) noexcept {
    const auto found = reinterpret_cast<Function>(find_next(Name.text));
    if (found != nullptr) {
      real_.store(found, std::memory_order_relaxed);
      return found(args...);
    }
    errno = ENOSYS;
    if constexpr (std::is_integral_v<R>) return static_cast<R>(-1);
    else return R();
  }

  static inline constinit std::atomic<Function> real_{find_and_call};
};

}  // namespace trikal::capture
