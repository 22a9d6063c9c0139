#pragma once
// Memory that is nobody's but this process's: tables that need not survive it.

#include <sys/mman.h>

#include <cstddef>

#include "capture/raw.hpp"

namespace trikal::capture {

// When pages are taken: when first touched, or all at once, because a fault for each costs more than the page.
// Large pages are for tables that are used here and there: the way to a page costs more than the page's memory.
enum class Pages : int { kOnUse, kNow, kNowLarge };

// Zeroed pages, or null. Never given back: what outgrew a table may still be read by another thread.
[[nodiscard]] inline void* private_pages(std::size_t bytes, Pages when = Pages::kOnUse) noexcept {
  constexpr std::size_t kLarge = 2 * 1024 * 1024;
  constexpr int kPopulateWrite = 23;  // MADV_POPULATE_WRITE, younger than the C libraries we build with
  const bool large = when == Pages::kNowLarge && bytes >= kLarge;
  const int flags = when == Pages::kOnUse || large ? MAP_NORESERVE : MAP_POPULATE;
  const long at = raw_syscall(__NR_mmap, 0, static_cast<long>(bytes), PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
  if (at < 0 && at > -4096) return nullptr;
  if (large) {
    // Older kernels know one or both of these not: then pages come as they are touched.
    (void)raw_syscall(__NR_madvise, at, static_cast<long>(bytes), MADV_HUGEPAGE);
    (void)raw_syscall(__NR_madvise, at, static_cast<long>(bytes), kPopulateWrite);
  }
  return reinterpret_cast<void*>(at);
}

// Memory for a while, where a stack may be too small for it and a lock would be held too long.
class Scratch {
 public:
  explicit Scratch(std::size_t bytes) noexcept : memory_(private_pages(bytes)), bytes_(bytes) {}
  ~Scratch() {
    if (memory_ != nullptr) (void)raw_syscall(__NR_munmap, raw_pointer(memory_), static_cast<long>(bytes_));
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  // Zeroed; null if there is none.
  template <class T>
  [[nodiscard]] T* as() const noexcept {
    return static_cast<T*>(memory_);
  }

 private:
  void* memory_;
  std::size_t bytes_;
};

}  // namespace trikal::capture
