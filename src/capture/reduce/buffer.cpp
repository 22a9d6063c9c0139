#include "capture/reduce/buffer.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "capture/raw.hpp"

namespace trikal::capture {

bool Buffer::grow(std::size_t bytes) noexcept {
  constexpr std::size_t kPage = 64 * 1024;
  if (bytes > kMost - used_) return false;
  if (used_ + bytes > capacity_) {
    const std::size_t wanted = std::max(used_ + bytes, 2 * capacity_);
    const std::size_t capacity = (wanted + kPage - 1) / kPage * kPage;
    const long at = base_ == nullptr ? raw_syscall(__NR_mmap, 0, static_cast<long>(capacity), PROT_READ | PROT_WRITE,
                                                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                                     : raw_syscall(__NR_mremap, raw_pointer(base_), static_cast<long>(capacity_),
                                                   static_cast<long>(capacity), MREMAP_MAYMOVE);
    if (at < 0 && at > -4096) return false;
    base_ = reinterpret_cast<std::byte*>(at);
    capacity_ = capacity;
  }
  used_ += bytes;
  return true;
}

bool Buffer::append(Bytes bytes) noexcept {
  const std::size_t at = used_;
  if (!grow(bytes.size())) return false;
  if (!bytes.empty()) std::memcpy(base_ + at, bytes.data(), bytes.size());
  return true;
}

void Buffer::swap(Buffer& other) noexcept {
  std::swap(base_, other.base_);
  std::swap(used_, other.used_);
  std::swap(capacity_, other.capacity_);
}

void Buffer::release() noexcept {
  if (base_ != nullptr) (void)raw_syscall(__NR_munmap, raw_pointer(base_), static_cast<long>(capacity_));
  forget();
}

}  // namespace trikal::capture
