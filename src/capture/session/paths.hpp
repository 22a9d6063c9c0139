#pragma once
// Paths as records name them: absolute, "//" and "/./" removed, links and ".." left alone.

#include <atomic>
#include <cstddef>
#include <string_view>

#include "capture/guard/spin.hpp"

namespace trikal::capture {

inline constexpr std::size_t kPathBytes = 8192;

// Whether cleaning would leave it as it is. Quick, and not always right: a hidden file looks as if it were not clean.
[[nodiscard]] bool is_clean(std::string_view path) noexcept;

// MPI may be given a file system driver in front of the name, as in "ufs:/data/file". Only drivers that ROMIO knows are
// taken for one: any other colon is part of a name.
[[nodiscard]] const char* without_driver(const char* path) noexcept;
// The file that MPI means by a name it was given. Open MPI's OMPIO knows no drivers and makes a file with the colon.
[[nodiscard]] const char* file_named_to_mpi(const char* path) noexcept;

class CleanPath {
 public:
  // Writes `path` relative to `base` (which must be clean) into the buffer.
  std::string_view make(std::string_view base, std::string_view path) noexcept;

 private:
  char text_[kPathBytes] = {};
};

// Memory to work in, for whoever holds `in_use`: the stacks of threads and signal handlers may be small.
struct PathScratch {
  Spin in_use;
  CleanPath cleaner;
  char base[4096] = {};
};
extern constinit PathScratch path_scratch;

class Paths {
 public:
  // Copies the working directory into `out`; its length, 0 if it cannot be told.
  std::size_t working_directory(char* out, std::size_t capacity) noexcept;
  // After chdir or fchdir.
  void forget_working_directory() noexcept { known_.store(false, std::memory_order_release); }
  void after_fork() noexcept { lock_.reset(), path_scratch.in_use.reset(); }

 private:
  Spin lock_;
  std::atomic<bool> known_{false};
  std::size_t length_ = 0;
  char text_[4096] = {};
};

}  // namespace trikal::capture
