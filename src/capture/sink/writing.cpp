#include "capture/sink/writing.hpp"

#include <errno.h>
#include <fcntl.h>

#include <algorithm>

#include "capture/raw.hpp"

namespace trikal::capture {
namespace {

long answer(long result) noexcept {
  if (result >= 0 || result <= -4096) return result;
  errno = static_cast<int>(-result);
  return -1;
}

int rename_flags(const char* from, const char* to, long flags) noexcept {
  return static_cast<int>(
      answer(raw_syscall(__NR_renameat2, AT_FDCWD, raw_pointer(from), AT_FDCWD, raw_pointer(to), flags)));
}

// As log/write/file_calls.cpp has it for tools: NFS cannot rename without replacing, FAT cannot link.
int rename_new(const char* from, const char* to) noexcept {
  constexpr long kNoReplace = 1;
  if (rename_flags(from, to, kNoReplace) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return -1;
  if (answer(raw_syscall(__NR_linkat, AT_FDCWD, raw_pointer(from), AT_FDCWD, raw_pointer(to), 0)) == 0)
    return static_cast<int>(answer(raw_syscall(__NR_unlinkat, AT_FDCWD, raw_pointer(from), 0)));
  if (errno == EEXIST) return -1;
  const long taken = answer(
      raw_syscall(__NR_openat, AT_FDCWD, raw_pointer(to), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0400));
  if (taken < 0) return -1;
  (void)raw_syscall(__NR_close, taken);
  return rename_flags(from, to, 0);
}

constexpr log::FileCalls kRawCalls = {
    .open =
        [](const char* path, int flags, unsigned mode) {
          return static_cast<int>(
              answer(raw_syscall(__NR_openat, AT_FDCWD, raw_pointer(path), flags, static_cast<long>(mode))));
        },
    .pwrite =
        [](int fd, const void* data, std::size_t size, off_t at) {
          return static_cast<ssize_t>(
              answer(raw_syscall(__NR_pwrite64, fd, raw_pointer(data), static_cast<long>(size), at)));
        },
    .close = [](int fd) { return static_cast<int>(answer(raw_syscall(__NR_close, fd))); },
    .rename = [](const char* from, const char* to) { return rename_flags(from, to, 0); },
    .rename_new = rename_new,
    .unlink =
        [](const char* path) {
          return static_cast<int>(answer(raw_syscall(__NR_unlinkat, AT_FDCWD, raw_pointer(path), 0)));
        },
};

}  // namespace

const log::FileCalls& raw_file_calls() noexcept { return kRawCalls; }

std::size_t split_mounts(std::string_view text, log::MountText (&mounts)[kMostMounts]) noexcept {
  std::size_t count = 0;
  while (!text.empty() && count < kMostMounts) {
    text.remove_prefix(1);
    const std::size_t tab = text.find('\t');
    if (tab == std::string_view::npos) break;
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (end > tab) mounts[count++] = {{text.data(), tab}, {text.data() + tab + 1, end - tab - 1}};
    text.remove_prefix(end);
  }
  return count;
}

}  // namespace trikal::capture
