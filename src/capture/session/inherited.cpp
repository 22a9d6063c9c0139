#include "capture/session/inherited.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

#include "capture/session/session.hpp"

namespace trikal::capture {
namespace {

struct Entry {  // what getdents64 returns
  std::uint64_t inode;
  std::int64_t next;
  std::uint16_t bytes;
  std::uint8_t type;
  char name[1];
};

int descriptor_number(const char* name) noexcept {
  int number = 0;
  if (*name < '0' || *name > '9') return -1;
  for (; *name >= '0' && *name <= '9'; ++name) number = number * 10 + (*name - '0');
  return number;
}

void adopt(Session& owner, int directory, int fd, const char* entry) noexcept {
  struct stat status{};
  if (raw_syscall(__NR_fstat, fd, raw_pointer(&status)) != 0 || !S_ISREG(status.st_mode)) return;
  char name[4096];
  const long length = raw_syscall(__NR_readlinkat, directory, raw_pointer(entry), raw_pointer(name), sizeof name);
  if (length <= 0 || name[0] != '/') return;
  const std::string_view path(name, static_cast<std::size_t>(length));
  if (!owner.config.watches(path)) return;
  File* file = owner.files.find_or_add(path);
  if (file == nullptr) return;
  const long offset = raw_syscall(__NR_lseek, fd, 0, SEEK_CUR);
  const long flags = raw_syscall(__NR_fcntl, fd, F_GETFL);
  const bool append = flags > 0 && (flags & O_APPEND) != 0;
  const std::int64_t position = append ? status.st_size : offset;
  owner.descriptors.open(fd, {.append = append, .offset = position > 0 ? position : 0}, nullptr, file);
}

}  // namespace

void adopt_inherited_descriptors(Session& owner) noexcept {
  const long directory =
      raw_syscall(__NR_openat, AT_FDCWD, raw_pointer("/proc/self/fd"), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return;
  alignas(8) char buffer[2048]{};
  for (;;) {
    const long got = raw_syscall(__NR_getdents64, directory, raw_pointer(buffer), sizeof buffer);
    if (got <= 0) break;
    for (long at = 0; at < got;) {
      const auto* entry = reinterpret_cast<const Entry*>(buffer + at);
      const int fd = descriptor_number(entry->name);
      if (fd >= 0 && fd != directory) adopt(owner, static_cast<int>(directory), fd, entry->name);
      at += entry->bytes;
    }
  }
  (void)raw_syscall(__NR_close, directory);
}

}  // namespace trikal::capture
