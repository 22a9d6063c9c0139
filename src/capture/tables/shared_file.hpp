#pragma once
// Files in node-local memory that others read while this process lives: how they are made and grow without ever harming the
// application. By raw system calls: no errno, no wrapper on the way.

#include <cstddef>
#include <cstdint>

namespace trikal::capture {

// A process that does little pays for every page of its map: they are the kernel's own, 4 KiB or 64 KiB.
[[nodiscard]] std::size_t page_bytes() noexcept;
[[nodiscard]] constexpr std::size_t round_up(std::size_t value, std::size_t to) noexcept {
  return (value + to - 1) / to * to;
}

[[nodiscard]] constexpr bool is_error(long result) noexcept { return result < 0 && result > -4096; }

[[nodiscard]] long raw_mmap(void* at, std::size_t bytes, int protection, int flags, long descriptor,
                            std::size_t offset) noexcept;

// A file longer than RLIMIT_FSIZE would bring SIGXFSZ down on the application.
[[nodiscard]] std::size_t file_size_limit() noexcept;
[[nodiscard]] std::uint64_t inode_of(long descriptor) noexcept;

// A new file, for this user alone; an error if there is one of that name.
[[nodiscard]] long make_private_file(const char* path) noexcept;
// One of ours, if it is still that one.
[[nodiscard]] long open_same_file(const char* path, std::uint64_t inode) noexcept;

// Pages that are there can be touched; a page that a full tmpfs has to find first would be answered with SIGBUS.
[[nodiscard]] bool has_pages(long descriptor, std::size_t at, std::size_t bytes) noexcept;

}  // namespace trikal::capture
