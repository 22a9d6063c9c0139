#pragma once

#include <signal.h>
#include <time.h>

#include <cstdint>

#include "capture/raw.hpp"

namespace trikal::capture {

// A log longer than RLIMIT_FSIZE would bring SIGXFSZ down on the application: held back and thrown away.
class WithoutSizeSignal {
 public:
  WithoutSizeSignal() noexcept { (void)raw_syscall(__NR_rt_sigprocmask, SIG_BLOCK, set(), raw_pointer(&old_), kBytes); }
  ~WithoutSizeSignal() {
    const timespec at_once{};
    if ((old_ & kSizeSignal) == 0) (void)raw_syscall(__NR_rt_sigtimedwait, set(), 0, raw_pointer(&at_once), kBytes);
    (void)raw_syscall(__NR_rt_sigprocmask, SIG_SETMASK, raw_pointer(&old_), 0, kBytes);
  }
  WithoutSizeSignal(const WithoutSizeSignal&) = delete;
  WithoutSizeSignal& operator=(const WithoutSizeSignal&) = delete;

 private:
  static constexpr long kBytes = 8;  // of the kernel's sets
  static constexpr std::uint64_t kSizeSignal = std::uint64_t{1} << (SIGXFSZ - 1);
  static long set() noexcept {
    static constexpr std::uint64_t kSet = kSizeSignal;
    return raw_pointer(&kSet);
  }
  std::uint64_t old_ = 0;
};

}  // namespace trikal::capture
