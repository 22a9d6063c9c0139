#pragma once
// A call of a function that was reached through a redirected import.

#include <atomic>

#include "base/fixed_string.hpp"
#include "capture/interpose/imports.hpp"
#include "capture/interpose/observed_call.hpp"

namespace trikal::capture {

template <class Library, FixedString Name, class Signature>
struct ImportedCall;

template <class Library, FixedString Name, class R, class... A>
struct ImportedCall<Library, Name, R(A...)> {
  static R real(A... args) noexcept {
    return reinterpret_cast<R (*)(A...)>(function.load(std::memory_order_relaxed))(args...);
  }

  // `note(TickInterval or Span, R, A...)`, after calls that Library::is_noted.
  template <class Note>
  [[gnu::always_inline]] static R call(const Note& note, A... args) noexcept {
    if (!sees_call<Library>()) return real(args...);
    return observe<Library>(real, note, args...);
  }

  // With what `ask(A...)` answers before the call: `note(answer, TickInterval or Span, R, A...)`.
  template <class Ask, class Note>
  [[gnu::always_inline]] static R call_asking(const Ask& ask, const Note& note, A... args) noexcept {
    if (!sees_call<Library>()) return real(args...);
    return observe_asking<Library>(real, ask, note, args...);
  }

  static inline constinit std::atomic<void*> function{nullptr};
};

// Each in a function of its own: addresses that are stored together come from a table after all.
template <template <FixedString> class Wrapper, FixedString Name>
[[gnu::noinline]] void import_of(const ImportUse& use) noexcept {
  using Named = Wrapper<Name>;
  use.use({Name.text, reinterpret_cast<void*>(&Named::wrapper), &Named::Call::function}, use.with);
}

}  // namespace trikal::capture
