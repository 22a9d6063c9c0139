#include "capture/tables/shared_file.hpp"

#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include <algorithm>

#include "capture/raw.hpp"

namespace trikal::capture {

std::size_t page_bytes() noexcept { return getauxval(AT_PAGESZ); }

long raw_mmap(void* at, std::size_t bytes, int protection, int flags, long descriptor, std::size_t offset) noexcept {
  return raw_syscall(__NR_mmap, raw_pointer(at), static_cast<long>(bytes), protection, flags, descriptor,
                     static_cast<long>(offset));
}

std::size_t file_size_limit() noexcept {
  rlimit limit{};
  if (is_error(raw_syscall(__NR_prlimit64, 0, RLIMIT_FSIZE, 0, raw_pointer(&limit)))) return 0;
  return limit.rlim_cur == RLIM_INFINITY ? ~std::size_t{0} : limit.rlim_cur;
}

std::uint64_t inode_of(long descriptor) noexcept {
  struct stat status{};
  if (is_error(raw_syscall(__NR_fstat, descriptor, raw_pointer(&status)))) return 0;
  return status.st_ino;
}

// Written rather than fallocated: a page with its zeros in it takes the kernel less when it is mapped. The same zeros for
// every page: more of them would be more pages to fault in.
bool has_pages(long descriptor, std::size_t at, std::size_t bytes) noexcept {
  static constexpr std::byte kZeros[4096] = {};
  constexpr std::size_t kMostParts = 16;  // wrappers run on small stacks
  iovec parts[kMostParts];
  for (iovec& part : parts) part = {const_cast<std::byte*>(kZeros), sizeof kZeros};
  for (std::size_t done = 0; done < bytes;) {
    const std::size_t count = std::min((bytes - done) / sizeof kZeros, kMostParts);
    const long got = raw_syscall(__NR_pwritev, descriptor, raw_pointer(parts), static_cast<long>(count),
                                 static_cast<long>(at + done), 0);
    if (got == static_cast<long>(count * sizeof kZeros)) {
      done += count * sizeof kZeros;
      continue;
    }
    (void)raw_syscall(__NR_ftruncate, descriptor, static_cast<long>(at));  // the application may need the space
    return false;
  }
  return true;
}

long make_private_file(const char* path) noexcept {
  return raw_syscall(__NR_openat, AT_FDCWD, raw_pointer(path), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                     0600);
}

long open_same_file(const char* path, std::uint64_t inode) noexcept {
  const long descriptor = raw_syscall(__NR_openat, AT_FDCWD, raw_pointer(path), O_RDWR | O_NOFOLLOW | O_CLOEXEC);
  if (is_error(descriptor)) return descriptor;
  if (inode_of(descriptor) == inode) return descriptor;
  (void)raw_syscall(__NR_close, descriptor);
  return -1;
}

}  // namespace trikal::capture
