#pragma once
// How one call is observed, whatever library its function belongs to: clock, nesting, guard, errno and call site.

#include <errno.h>

#include "capture/guard/inside.hpp"
#include "capture/interpose/caller.hpp"
#include "capture/session/session.hpp"

namespace trikal::capture {

// What libraries differ in. A library with a depth may call its own functions (or a layer above it does): what is called
// while one of its calls is under way belongs to that call.
struct LibcCalls {
  static constexpr bool kNests = false;
  static constexpr bool kKeepsErrno = false;  // what is noted there leaves it alone
  template <class R>
  static constexpr bool is_noted(R) noexcept {
    return true;
  }
};

template <class Library>
[[nodiscard, gnu::always_inline]] inline bool sees_call() noexcept {
  if constexpr (Library::kNests) return session.running() && Library::depth == 0 && !is_inside();
  else return session.running() && !is_inside();
}

template <bool Keeps>
class KeptErrno {
 public:
  KeptErrno() noexcept {
    if constexpr (Keeps) value_ = errno;
  }
  ~KeptErrno() {
    if constexpr (Keeps) errno = value_;
  }
  KeptErrno(const KeptErrno&) = delete;
  KeptErrno& operator=(const KeptErrno&) = delete;

 private:
  int value_ = 0;
};

// Runs the real function, then `note(TickInterval, R, A...)` under the guard. The real call is not guarded: it does I/O of
// its own. Whoever calls this has found that the call is to be seen.
template <class Library, class Function, class Note, class... A>
[[gnu::always_inline]] inline auto observe(const Function& function, const Note& note, A... args) noexcept {
  const Ticks begin = read_counter();
  if constexpr (Library::kNests) Library::depth += 1;
  const auto result = function(args...);
  if constexpr (Library::kNests) Library::depth -= 1;
  const Ticks end = read_counter();
  if (!Library::is_noted(result)) return result;
  const KeptErrno<Library::kKeepsErrno> kept;
  const Entered inside;
  keep_caller();
  note(TickInterval{begin, end}, result, args...);
  return result;
}

// As observe, with what `ask(A...)` answers before the call: `note(answer, TickInterval, R, A...)`. When the call is over,
// another thread may have closed what it was about.
template <class Library, class Function, class Ask, class Note, class... A>
[[gnu::always_inline]] inline auto observe_asking(const Function& function, const Ask& ask, const Note& note,
                                                  A... args) noexcept {
  const auto answer = [&]() TRIKAL_INLINED {
    const KeptErrno<Library::kKeepsErrno> kept;
    const Entered inside;
    return ask(args...);
  }();
  return observe<Library>(
      function, [&](TickInterval when, auto result, A... a) TRIKAL_INLINED { note(answer, when, result, a...); },
      args...);
}

}  // namespace trikal::capture
