#pragma once
// How much of a file system crash maps may take: what is in memory is small in containers, and the application's own.

#include <algorithm>
#include <cstdint>

#include <sys/statfs.h>

namespace trikal::log::crash {

// Kept free for others: three quarters of a small file system, up to this much of a large one.
inline constexpr std::uint64_t kKeptFree = 256 * 1024 * 1024;

// What may still be taken, in bytes.
[[nodiscard]] inline std::uint64_t space_for_maps(const struct statfs& system) noexcept {
  const auto unit = static_cast<std::uint64_t>(system.f_bsize);
  const std::uint64_t all = unit * system.f_blocks, free = unit * system.f_bavail;
  if (all == 0) return UINT64_MAX;  // a tmpfs without a limit
  const std::uint64_t kept = std::min(all / 4 * 3, kKeptFree);
  return free > kept ? free - kept : 0;
}

// What an entry adds to the size of a directory there: how many there are is known without reading it.
inline constexpr std::int64_t kTmpfsEntryBytes = 20;

[[nodiscard]] inline bool is_in_memory(const struct statfs& system) noexcept {
  constexpr std::uint32_t kTmpfs = 0x01021994;
  return static_cast<std::uint32_t>(system.f_type) == kTmpfs;
}

// Whether pages that were written can be mapped and touched for good. Where a file system finds space for a page once more
// when it is changed (btrfs, ZFS), or asks another machine for it, a full disk would end the application.
[[nodiscard]] inline bool keeps_its_pages(const struct statfs& system) noexcept {
  constexpr std::uint32_t kExt = 0xef53, kXfs = 0x58465342, kOverlay = 0x794c7630;
  const auto type = static_cast<std::uint32_t>(system.f_type);
  return is_in_memory(system) || type == kExt || type == kXfs || type == kOverlay;
}

}  // namespace trikal::log::crash
