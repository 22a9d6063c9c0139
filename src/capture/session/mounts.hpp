#pragma once
// The mounted file systems: for the log's mount table, for block sizes, for the name of a record that stands for
// many files. The table is read when it is first needed: it is a third of what a process that does little would pay.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "capture/guard/spin.hpp"

namespace trikal::capture {

class Mounts {
 public:
  // The block size of the file system `path` is on; the root's if no mount matches, as for most files in a chroot. For
  // the first few files the kernel is asked about each, which takes less than the table.
  std::int64_t block_size(std::string_view path) noexcept;
  // The mount point `path` is on; "/" if none matches.
  [[nodiscard]] std::string_view mount_of(std::string_view path) noexcept;
  // "\n<type>\t<path>" for every mount that fits whole; the length.
  std::size_t describe(char* out, std::size_t capacity) noexcept;
  void after_fork() noexcept { lock_.reset(); }

 private:
  struct Mount {
    std::string_view path, type;
    std::int64_t block = 0;  // 0: not asked yet
  };
  void read() noexcept;
  void add(std::string_view type, std::string_view path) noexcept;
  [[nodiscard]] Mount* find(std::string_view path) noexcept;

  static constexpr std::size_t kMost = 64;
  static constexpr std::uint32_t kAskedOneByOne = 4;
  Spin lock_;
  std::atomic<bool> read_{false};
  std::atomic<std::uint32_t> asked_{0};
  Mount mounts_[kMost];
  std::size_t count_ = 0;
  Mount root_;
};

}  // namespace trikal::capture
