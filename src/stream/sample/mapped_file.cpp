#include "stream/sample/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "stream/sample/guarded_read.hpp"

namespace trikal::stream {
namespace {

constexpr std::uint64_t kLargestMap = std::uint64_t{1} << 32;

Error system_error(const char* what) { return {.code = ErrorCode::kSystem, .sys_errno = errno, .what = what}; }

struct Mapping {
  const std::byte* data = nullptr;
  std::size_t size = 0;
  struct stat status{};
};

Result<Mapping> map_own_file(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return system_error("cannot open");
  Mapping mapping;
  const bool known = ::fstat(descriptor, &mapping.status) == 0;
  const auto size = static_cast<std::uint64_t>(mapping.status.st_size);
  void* data = MAP_FAILED;
  if (known && S_ISREG(mapping.status.st_mode) && mapping.status.st_uid == ::geteuid() && size > 0 &&
      size <= kLargestMap)
    data = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor, 0);
  ::close(descriptor);
  if (data == MAP_FAILED) return Error{.code = ErrorCode::kUsage, .what = "no map of this user that can be read"};
  mapping.data = static_cast<const std::byte*>(data);
  mapping.size = size;
  return mapping;
}

}  // namespace

Result<MappedFile> MappedFile::open(const std::string& path) {
  const auto mapping = map_own_file(path);
  if (!mapping) return mapping.error();
  return MappedFile(path, mapping->data, mapping->size, mapping->status.st_dev, mapping->status.st_ino);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : path_(std::move(other.path_)),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      device_(other.device_),
      inode_(other.inode_) {}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
}

bool MappedFile::is_there() {
  struct stat status{};
  if (::stat(path_.c_str(), &status) != 0 || status.st_dev != device_ || status.st_ino != inode_) return false;
  if (static_cast<std::uint64_t>(status.st_size) == size_) return true;
  const auto again = map_own_file(path_);
  if (!again) return true;
  if (again->status.st_ino != inode_) return ::munmap(const_cast<std::byte*>(again->data), again->size), false;
  ::munmap(const_cast<std::byte*>(data_), size_);
  data_ = again->data, size_ = again->size;
  return true;
}

bool MappedFile::copy(std::byte* into, std::size_t at, std::size_t bytes) const {
  return at <= size_ && bytes <= size_ - at && guarded_copy(into, data_ + at, bytes);
}

}  // namespace trikal::stream
