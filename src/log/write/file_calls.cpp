#include "log/write/file_calls.hpp"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace trikal::log {
namespace {

int open_file(const char* path, int flags, unsigned mode) { return ::open(path, flags, mode); }

// libc's rename lives in a header full of streams; the system call does not.
int rename_flags(const char* from, const char* to, unsigned flags) {
  return static_cast<int>(::syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, flags));
}

int rename_over(const char* from, const char* to) { return rename_flags(from, to, 0); }

int rename_by_link(const char* from, const char* to) {
  if (::link(from, to) != 0) return -1;
  return ::unlink(from);
}

// Not every file system can rename without replacing (NFS), nor make hard links (FAT). The last resort is to take the
// name with an empty file, which the log then replaces.
int rename_new(const char* from, const char* to) {
  constexpr unsigned kNoReplace = 1;
  if (rename_flags(from, to, kNoReplace) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return -1;
  if (rename_by_link(from, to) == 0) return 0;
  if (errno == EEXIST) return -1;
  const int taken = ::open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0400);
  if (taken < 0) return -1;
  ::close(taken);
  return rename_over(from, to);
}

constexpr FileCalls kSystemCalls = {open_file, ::pwrite, ::close, rename_over, rename_new, ::unlink};

}  // namespace

const FileCalls& system_calls() noexcept { return kSystemCalls; }

}  // namespace trikal::log
