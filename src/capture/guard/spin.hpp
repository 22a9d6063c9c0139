#pragma once
// A lock for a few dozen instructions. Held only inside the guard, so a signal handler cannot wait for its own thread; a
// forked child frees them all.
//
// A thread that jumps out of a signal handler, or is ended by one, may leave a lock behind. Who holds a lock is known, so
// the thread itself takes it again at once, and frees it when it finds that it has jumped (inside.hpp); others
// take it if that thread is gone. Nobody takes it from a thread that lives: however long it has not run (SIGSTOP, a
// debugger, a machine with more threads than processors), it may be in the middle. But nobody waits for ever either: when
// the holder has computed for longer than anything takes that is done under a lock, or has not run for 10 seconds, the
// caller gives up, its call is counted as missed, and calls behind it do not wait at all until the lock is free.

#include <atomic>
#include <cstdint>

#include "capture/guard/this_thread.hpp"
#include "capture/raw.hpp"

namespace trikal::capture {

// Nonzero while the process has one thread: points at glibc's own word for it, where it has one. Then there is nobody to
// keep out, and taking a lock would be a tenth of what noting a call costs.
inline constinit const char kNeverAlone = 0;
inline constinit const volatile char* alone = &kNeverAlone;

class Spin {
 public:
  // For the hot path: without other threads there is nothing to do but unlock. Else leave for a function that locks: a
  // call in the middle of things would make every caller save its registers first.
  [[nodiscard]] static bool is_needless() noexcept { return *alone != 0; }
  [[nodiscard]] bool try_lock() noexcept { return is_needless() || try_take(); }
  // False: another thread has it and does not go on.
  [[nodiscard]] bool lock() noexcept { return try_lock() || wait(); }
  void unlock() noexcept { held_.store(0, std::memory_order_release); }
  // In a forked child, which pays for every page that it touches: where no thread ever took a lock, not even a look.
  void reset() noexcept {
    if (ever_taken && held_.load(std::memory_order_relaxed) != 0) held_.store(0, std::memory_order_relaxed);
  }

  // In a forked child: the thread has another number, and holds nothing. Before any lock is taken.
  static void after_fork() noexcept;
  // What this thread has left behind. Only where it cannot be holding any.
  static void free_left_behind() noexcept;

 private:
  [[nodiscard]] bool try_take() noexcept {
    ThisThread& me = this_thread;
    std::uint32_t free = 0;
    if (!held_.compare_exchange_strong(free, me.number != 0 ? me.number : ask_number(), std::memory_order_acquire,
                                       std::memory_order_relaxed))
      return false;
    me.taken[me.taken_count++ % ThisThread::kTaken] = this;
    return true;
  }
  [[gnu::noinline, gnu::cold]] static std::uint32_t ask_number() noexcept;
  [[gnu::noinline, gnu::cold]] bool wait() noexcept;
  bool take_over(std::uint32_t held) noexcept;

  static inline constinit bool ever_taken = false;  // by any thread that had to ask for its number first
  static constexpr std::uint32_t kDoubted = 1U << 31;  // somebody has waited in vain
  std::atomic<std::uint32_t> held_{0};  // the number of the thread that has it
};

// A call that cannot be noted. Whoever has the session defines it.
void count_missed_call() noexcept;

class [[nodiscard]] Locked {
 public:
  explicit Locked(Spin& spin) noexcept : spin_(spin), has_(spin.lock()) {}
  ~Locked() {
    if (has_) spin_.unlock();
  }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

  // False: leave it at that.
  explicit operator bool() const noexcept { return has_; }

 private:
  Spin& spin_;
  bool has_;
};

}  // namespace trikal::capture
