#include "gather/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace trikal::gather {

FileLock::FileLock(const std::string& path, Kind kind)
    : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)) {
  struct stat status{};
  if (descriptor_ < 0) return;
  if (::flock(descriptor_, (kind == Kind::kAlone ? LOCK_EX : LOCK_SH) | LOCK_NB) != 0) taken_ = errno == EWOULDBLOCK;
  else if (::fstat(descriptor_, &status) == 0 && status.st_nlink > 0) return;
  ::close(descriptor_);
  descriptor_ = -1;
}

bool FileLock::change(Kind kind) {
  return descriptor_ >= 0 && ::flock(descriptor_, (kind == Kind::kAlone ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0;
}

FileLock::~FileLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

FileLock::FileLock(FileLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), taken_(other.taken_) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(taken_, other.taken_);
  return *this;
}

}  // namespace trikal::gather
