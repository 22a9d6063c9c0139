#pragma once
// System calls without libc: no errno, no cancellation point, no wrapper of our own on the way.

#include <cstdint>

#include <asm/unistd.h>

namespace trikal::capture {

// The kernel's answer: a result, or -errno.
[[nodiscard]] inline long raw_syscall(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0,
                                      long f = 0) noexcept {
#if defined(__x86_64__)
  long result;
  register long r10 asm("r10") = d;
  register long r8 asm("r8") = e;
  register long r9 asm("r9") = f;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return result;
#elif defined(__aarch64__)
  register long x8 asm("x8") = number;
  register long x0 asm("x0") = a;
  register long x1 asm("x1") = b;
  register long x2 asm("x2") = c;
  register long x3 asm("x3") = d;
  register long x4 asm("x4") = e;
  register long x5 asm("x5") = f;
  asm volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
  return x0;
#else
#error "trikal observes programs on x86-64 and arm64"
#endif
}

inline long raw_pointer(const void* pointer) noexcept {
  return static_cast<long>(reinterpret_cast<std::intptr_t>(pointer));
}

// Whether the eight bytes there can be read. The kernel reads the set before it finds that there is no such way to use it.
[[nodiscard]] inline bool can_be_read(std::uintptr_t address) noexcept {
  constexpr long kNoWay = 0x7fff, kBadAddress = -14;
  return raw_syscall(__NR_rt_sigprocmask, kNoWay, static_cast<long>(address), 0, 8) != kBadAddress;
}

}  // namespace trikal::capture
