#include "capture/session/inherited.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>

#include "base/text.hpp"
#include "capture/session/session.hpp"
#include "capture/tables/private_memory.hpp"

namespace trikal::capture {
namespace {

struct Entry {  // what getdents64 returns
  std::uint64_t inode;
  std::int64_t next;
  std::uint16_t bytes;
  std::uint8_t type;
  char name[1];
};

constexpr std::size_t kLongestName = 4096;

int descriptor_number(const char* name) noexcept {
  int number = 0;
  if (*name < '0' || *name > '9') return -1;
  for (; *name >= '0' && *name <= '9'; ++name) number = number * 10 + (*name - '0');
  return number;
}

struct Regular {
  int fd;
  std::int64_t bytes;
};

// `entry` in `directory` is /proc/self/fd/N.
void adopt(Session& owner, const Regular& found, int directory, const char* entry) noexcept {
  const Scratch scratch(kLongestName);  // threads may have small stacks
  char* name = scratch.as<char>();
  if (name == nullptr) return;
  const long length = raw_syscall(__NR_readlinkat, directory, raw_pointer(entry), raw_pointer(name), kLongestName);
  if (length <= 0 || name[0] != '/') return;
  const std::string_view path(name, static_cast<std::size_t>(length));
  if (!owner.config.watches(path)) return;
  File* file = owner.files.find_or_add(path);
  if (file == nullptr) return;
  const long offset = raw_syscall(__NR_lseek, found.fd, 0, SEEK_CUR);
  const long flags = raw_syscall(__NR_fcntl, found.fd, F_GETFL);
  const bool append = flags > 0 && (flags & O_APPEND) != 0;
  const std::int64_t position = append ? found.bytes : offset;
  owner.descriptors.open(found.fd, {.append = append, .offset = position > 0 ? position : 0}, nullptr, file);
}

// False: it is not open.
bool adopt_if_regular(Session& owner, int fd, int directory, const char* entry) noexcept {
  struct stat status{};
  if (raw_syscall(__NR_fstat, fd, raw_pointer(&status)) != 0) return false;
  if (S_ISREG(status.st_mode)) adopt(owner, {fd, status.st_size}, directory, entry);
  return true;
}

bool adopt_if_open(Session& owner, int fd) noexcept {
  char link[32];
  FixedText text(link, sizeof link);
  text.put("/proc/self/fd/").put(static_cast<std::uint64_t>(fd));
  return adopt_if_regular(owner, fd, AT_FDCWD, link);
}

// Kernels since 6.2 tell it as the size of the directory; 0: not told.
std::int64_t open_descriptors() noexcept {
  struct stat status{};
  const long asked = raw_syscall(__NR_newfstatat, AT_FDCWD, raw_pointer("/proc/self/fd"), raw_pointer(&status), 0);
  return asked == 0 ? status.st_size : 0;
}

// Those from `first` on. The kernel makes an entry of each for us.
void adopt_listed(Session& owner, int first) noexcept {
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
      if (fd >= first && fd != directory) (void)adopt_if_regular(owner, fd, static_cast<int>(directory), entry->name);
      at += entry->bytes;
    }
  }
  (void)raw_syscall(__NR_close, directory);
}

}  // namespace

void adopt_descriptor(Session& owner, int fd) noexcept {
  if (fd >= 0) (void)adopt_if_open(owner, fd);
}

// Most processes have three, the first ones: asking for each takes less than a list.
void adopt_inherited_descriptors(Session& owner) noexcept {
  constexpr int kNear = 16;
  const std::int64_t open = open_descriptors();
  if (open <= 0) return adopt_listed(owner, 0);
  std::int64_t found = 0;
  for (int fd = 0; fd < kNear && found < open; ++fd) found += adopt_if_open(owner, fd) ? 1 : 0;
  if (found < open) adopt_listed(owner, kNear);
}

}  // namespace trikal::capture
