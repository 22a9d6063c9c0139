#pragma once
// Memory that is nobody's but this process's: tables that need not survive it.

#include <sys/mman.h>

#include <cstddef>

#include "capture/raw.hpp"

namespace trikal::capture {

// Whether pages are taken when they are first touched, or all at once: a fault for each costs more than the page.
enum class Pages : int { kOnUse = MAP_NORESERVE, kNow = MAP_POPULATE };

// Zeroed pages, or null. Never given back: what outgrew a table may still be read by another thread.
[[nodiscard]] inline void* private_pages(std::size_t bytes, Pages when = Pages::kOnUse) noexcept {
  const long at = raw_syscall(__NR_mmap, 0, static_cast<long>(bytes), PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | static_cast<int>(when), -1, 0);
  return at < 0 && at > -4096 ? nullptr : reinterpret_cast<void*>(at);
}

}  // namespace trikal::capture
