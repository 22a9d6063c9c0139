#pragma once
// Who called the wrapper that this thread is in, kept only where call sites are asked for (TRIKAL_CALL_SITES).
//
// The return address of a wrapper is known in the wrapper's own frame alone. So everything between a wrapper and the code that
// takes the address is put into the wrapper itself: TRIKAL_INTO_WRAPPER marks those functions.

#define TRIKAL_INTO_WRAPPER [[gnu::always_inline]] inline
// The same for a lambda, with its noexcept: compilers disagree on which comes first.
#if defined(__clang__)
#define TRIKAL_INLINED __attribute__((always_inline)) noexcept
#else
#define TRIKAL_INLINED noexcept __attribute__((always_inline))
#endif

namespace trikal::capture {

// Read on every call that is noted: in a variable of its own, so that it costs one test and nothing else.
extern constinit bool keeps_callers;
// Of the call that is being noted; null: not known. Valid under the guard only.
extern constinit thread_local const void* caller;

// Under the guard and after the real call, which may have come through other wrappers.
TRIKAL_INTO_WRAPPER void keep_caller() noexcept {
  if (keeps_callers) [[unlikely]]
    caller = __builtin_return_address(0);
}

// For what is noted late: bytes that the compiler's own code has moved, whoever's call it is that finds out.
class NobodysCall {
 public:
  NobodysCall() noexcept : held_(caller) { caller = nullptr; }
  ~NobodysCall() { caller = held_; }
  NobodysCall(const NobodysCall&) = delete;
  NobodysCall& operator=(const NobodysCall&) = delete;

 private:
  const void* held_;
};

}  // namespace trikal::capture
