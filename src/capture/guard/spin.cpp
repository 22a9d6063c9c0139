#include "capture/guard/spin.hpp"

#include <errno.h>
#include <time.h>

namespace trikal::capture {
namespace {

constexpr unsigned kSpins = 64;  // before the processor is given to others
// Milliseconds. Of a thousand threads on two processors one may wait for seconds until it runs again.
constexpr std::int64_t kLookAtOwner = 100, kShortestWait = 1000, kLongestWait = 10000;
constexpr std::int64_t kMostComputed =
    20;  // of the holder's own time: what is done under a lock takes a few microseconds

std::int64_t milliseconds_of(const timespec& time) noexcept {
  return std::int64_t{time.tv_sec} * 1000 + time.tv_nsec / 1000000;
}

void relax() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  asm volatile("yield");
#endif
}

// Time in which the holder could have run. A process that is stopped stops all of its threads, and the clock goes on: a
// step that is longer than any between two looks counts as one of those.
class WaitedTime {
 public:
  [[nodiscard]] std::int64_t milliseconds() noexcept {
    constexpr std::int64_t kLongestStep = 10;
    const std::int64_t now = read();
    sum_ += now - last_ < kLongestStep ? now - last_ : kLongestStep;
    last_ = now;
    return sum_;
  }

 private:
  static std::int64_t read() noexcept {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return milliseconds_of(now);
  }
  std::int64_t last_ = read(), sum_ = 0;
};

// The thread that has a lock: whether it works on, with what it has computed since it was first asked for. One that only
// waits for a processor has computed nothing, and will free the lock.
class Holder {
 public:
  [[nodiscard]] bool has_left(std::uint32_t thread) noexcept {
    const std::int64_t now = computed(thread);
    if (thread != thread_) thread_ = thread, first_ = now;
    return now - first_ > kMostComputed;
  }

 private:
  static std::int64_t computed(std::uint32_t thread) noexcept {
    constexpr long kSched = 2,
                   kOfThread = 4;  // the kernel's name for a thread's clock: its number, inverted, and these
    timespec time{};
    const long clock = static_cast<int>(~thread << 3U) | kSched | kOfThread;
    return raw_syscall(__NR_clock_gettime, clock, raw_pointer(&time)) == 0 ? milliseconds_of(time) : 0;
  }
  std::uint32_t thread_ = 0;
  std::int64_t first_ = 0;
};

bool is_gone(std::uint32_t thread) noexcept {
  const long process = raw_syscall(__NR_getpid);
  return raw_syscall(__NR_tgkill, process, static_cast<long>(thread), 0) == -ESRCH;
}

void give_processor_away(std::int64_t waited) noexcept {
  // With more threads than processors the holder may be waiting for this very one.
  if (waited < 2) return void(raw_syscall(__NR_sched_yield));
  const timespec moment{0, 100 * 1000};
  (void)raw_syscall(__NR_nanosleep, raw_pointer(&moment), 0);
}

}  // namespace

std::uint32_t Spin::ask_number() noexcept {
  __atomic_store_n(&ever_taken, true, __ATOMIC_RELAXED);
  return this_thread.number = static_cast<std::uint32_t>(raw_syscall(__NR_gettid));
}

bool Spin::take_over(std::uint32_t held) noexcept {
  ThisThread& me = this_thread;
  if (!held_.compare_exchange_strong(held, me.number, std::memory_order_acquire, std::memory_order_relaxed))
    return false;
  me.taken[me.taken_count++ % ThisThread::kTaken] = this;
  return true;
}

bool Spin::wait() noexcept {
  WaitedTime waited;
  Holder holder;
  for (unsigned round = 1;; ++round) {
    const std::uint32_t held = held_.load(std::memory_order_relaxed);
    if (held == 0 && try_take()) return true;
    // No lock is taken twice by what holds the guard: this thread has jumped away with it.
    if ((held & ~kDoubted) == this_thread.number && held != 0 && take_over(held)) return true;
    relax();
    if (round % kSpins != 0) continue;
    const std::int64_t time = waited.milliseconds();
    const bool looks = held != 0 && time > kLookAtOwner;
    if (looks && is_gone(held & ~kDoubted) && take_over(held)) return true;
    const bool has_left = looks && holder.has_left(held & ~kDoubted) && time > kShortestWait;
    if (has_left || time > kLongestWait || (held & kDoubted) != 0) {
      std::uint32_t same = held;
      if (held != 0) (void)held_.compare_exchange_strong(same, held | kDoubted, std::memory_order_relaxed);
      count_missed_call();
      return false;
    }
    give_processor_away(time);
  }
}

// With its parent's number it would be taken for a thread that is gone.
void Spin::after_fork() noexcept {
  ThisThread& me = this_thread;
  me.number = 0, me.taken_count = 0;
  for (Spin*& spin : me.taken) spin = nullptr;
}

void Spin::free_left_behind() noexcept {
  ThisThread& me = this_thread;
  for (Spin*& spin : me.taken) {
    if (spin == nullptr) continue;
    std::uint32_t held = spin->held_.load(std::memory_order_relaxed);
    if (me.number != 0 && (held & ~kDoubted) == me.number)
      (void)spin->held_.compare_exchange_strong(held, 0, std::memory_order_release, std::memory_order_relaxed);
    spin = nullptr;
  }
  me.taken_count = 0;
}

}  // namespace trikal::capture
