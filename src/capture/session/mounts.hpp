#pragma once
// The mounted file systems: for the log's mount table, for block sizes, for the name of a record that stands for
// many files.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace trikal::capture {

class Mounts {
 public:
  // Reads the mount table once, at the session's start.
  void begin() noexcept;

  // The block size of the file system `path` is on; the root's if no mount matches, as for most files in a chroot.
  std::int64_t block_size(std::string_view path) noexcept;
  // The mount point `path` is on; "/" if none matches.
  [[nodiscard]] std::string_view mount_of(std::string_view path) const noexcept;
  // "\n<type>\t<path>" for every mount that fits whole; the length.
  std::size_t describe(char* out, std::size_t capacity) const noexcept;

 private:
  struct Mount {
    std::string_view path, type;
    std::int64_t block = 0;  // 0: not asked yet
  };
  void add(std::string_view type, std::string_view path) noexcept;
  [[nodiscard]] Mount* find(std::string_view path) noexcept;
  void parse(std::string_view table, bool network) noexcept;

  static constexpr std::size_t kMost = 64;
  Mount mounts_[kMost];
  std::size_t count_ = 0;
  Mount root_{"/", "", 0};
};

}  // namespace trikal::capture
