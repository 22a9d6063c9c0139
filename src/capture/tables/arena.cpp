#include "capture/tables/arena.hpp"

#include <fcntl.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "capture/tables/shared_file.hpp"

namespace trikal::capture {
namespace {

using log::crash::Chunk;
using log::crash::Header;
using log::crash::kHeaderBytes;

}  // namespace

// A new file of that size, whose pages are there; an error if there is none.
long Arena::make_file(const char* path, std::size_t bytes) noexcept {
  const std::size_t length = std::strlen(path);
  if (length >= kPathBytes || file_size_limit() < bytes) return -1;
  const long descriptor = make_private_file(path);
  if (is_error(descriptor)) return descriptor;
  inode_ = inode_of(descriptor);
  std::memcpy(path_, path, length + 1);
  if (has_pages(descriptor, 0, bytes)) return descriptor;
  (void)raw_syscall(__NR_close, descriptor);
  remove();
  return -1;
}

// The first extent is no larger than what it has: address space for more would be another mapping, which every process
// would pay for.
bool Arena::begin_file(const char* path, std::size_t first) noexcept {
  const std::size_t bytes = std::min(round_up(first, page_bytes()), cap_);
  const long descriptor = make_file(path, bytes);
  if (is_error(descriptor)) return false;
  const long base = raw_mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, descriptor, 0);
  (void)raw_syscall(__NR_close, descriptor);
  if (is_error(base)) return remove(), false;
  extent_[extents_++] = {reinterpret_cast<std::byte*>(base), 0, bytes};
  mapped_ = bytes;
  return true;
}

// Other threads may count a missed call in the header while it is copied; that one count is lost.
bool Arena::move_to_path(const char* path) noexcept {
  const long descriptor = make_file(path, mapped_);
  if (is_error(descriptor)) return false;
  constexpr long kBytes = kHeaderBytes;
  const bool moved = raw_syscall(__NR_pwrite64, descriptor, raw_pointer(header_), kBytes, 0) == kBytes &&
                     !is_error(raw_mmap(extent_[0].base, mapped_, PROT_READ | PROT_WRITE,
                                        MAP_SHARED | MAP_FIXED | MAP_POPULATE, descriptor, 0));
  (void)raw_syscall(__NR_close, descriptor);
  if (!moved) remove();
  return moved;
}

template <class Attempt>
bool Arena::any_path(const Location& location, const Attempt& attempt) noexcept {
  const char* path = location.path;
  while (path != nullptr && !attempt(path))
    path = location.elsewhere != nullptr ? location.elsewhere(location.context) : nullptr;
  return path != nullptr;
}

void Arena::clear(std::size_t cap) noexcept {
  cap_ = round_up(std::max(cap, kLeastCap), page_bytes());
  path_[0] = '\0';
  mapped_ = 0, extents_ = 0;
  settle_ = nullptr;
  joined_ = {};
}

bool Arena::begin_header() noexcept {
  header_ = new (last().base) Header;
  header_->layout = log::crash::kLayout;
  header_->header_bytes = kHeaderBytes;
  header_->used.store(kHeaderBytes, std::memory_order_relaxed);
  return true;
}

bool Arena::begin(const Location& location) noexcept {
  clear(location.cap);
  if (any_path(location, [&](const char* path) { return begin_file(path, location.first); })) return begin_header();
  return add_extent(kFirstBytes) && map_more(kFirstBytes) && begin_header();
}

bool Arena::begin_without_file(std::size_t cap, void (*settle)() noexcept) noexcept {
  clear(cap);
  const std::size_t bytes = std::min(round_up(kFirstBytes, page_bytes()), cap_);
  const long base = raw_mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (is_error(base)) return false;
  extent_[extents_++] = {reinterpret_cast<std::byte*>(base), 0, bytes};
  mapped_ = bytes;
  settle_ = settle;
  return begin_header();
}

bool Arena::move_to_file(const Location& location) noexcept {
  return any_path(location, [this](const char* path) { return move_to_path(path); });
}

// As much as there is already, or as little as is needed where a limit leaves no more.
bool Arena::add_extent(std::size_t needed) noexcept {
  if (extents_ == kMostExtents) return false;
  const std::size_t least = round_up(needed, page_bytes()), most = cap_ - mapped_;
  std::size_t bytes = std::min(std::max({least, mapped_, kFirstExtent}), most);
  if (bytes < least) return false;
  long base = -1;
  for (;; bytes = std::max(least, round_up(bytes / 2, page_bytes()))) {
    base = raw_mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (!is_error(base)) break;
    if (bytes == least) return false;
  }
  extent_[extents_++] = {reinterpret_cast<std::byte*>(base), mapped_, bytes};
  return true;
}

bool Arena::map_file(long descriptor, std::size_t bytes) noexcept {
  if (!has_pages(descriptor, mapped_, bytes)) return false;
  const long result = raw_mmap(last().at(mapped_), bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_POPULATE,
                               descriptor, mapped_);
  if (is_error(result)) return false;
  mapped_ += bytes;
  return true;
}

bool Arena::map_more(std::size_t bytes) noexcept {
  bytes = std::min(round_up(bytes, page_bytes()), last().end() - mapped_);
  if (bytes == 0) return false;
  if (!file_backed()) {
    const long got =
        raw_mmap(last().at(mapped_), bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (is_error(got)) return false;
    mapped_ += bytes;
    return true;
  }
  if (mapped_ + bytes > file_size_limit()) return false;
  const long descriptor = open_same_file(path_, inode_);
  if (descriptor < 0) return false;
  const bool mapped = map_file(descriptor, bytes);
  (void)raw_syscall(__NR_close, descriptor);
  return mapped;
}

Chunk* Arena::add_chunk(const Shape& shape, Use use) noexcept {
  const std::size_t bytes = log::crash::chunk_bytes(shape.stride, shape.slots);
  const Locked locked(lock_);
  if (!locked) return nullptr;
  if (settle_ != nullptr) [[unlikely]]
    std::exchange(settle_, nullptr)();
  std::size_t at = header_->used.load(std::memory_order_relaxed);
  const std::size_t reserve = use == Use::kReserve || cap_ < 4 * kReserveBytes ? 0 : kReserveBytes;
  const bool fits = at + bytes <= last().end();
  if (!fits) at = mapped_;  // the next extent begins there
  if (at + bytes + reserve > cap_ || (!fits && !add_extent(bytes))) return nullptr;
  while (at + bytes > mapped_) {
    const std::size_t needed = at + bytes - mapped_;
    if (!map_more(std::max(needed, std::min(mapped_, kMostAtOnce))) && !map_more(needed))
      return drop_empty_extent(), nullptr;
  }
  return make_chunk(shape, at, bytes);
}

// Pages for it were refused: smaller chunks may still fit into what is left of the one before.
void Arena::drop_empty_extent() noexcept {
  if (extents_ < 2 || mapped_ > last().offset) return;
  (void)raw_syscall(__NR_munmap, raw_pointer(last().base), static_cast<long>(last().bytes));
  --extents_;
}

Arena::Extent& Arena::holding(std::size_t in_map) noexcept {
  std::size_t number = extents_ - 1;
  while (number > 0 && extent_[number].offset > in_map) --number;
  return extent_[number];
}

// What is left over at the end of an extent becomes a chunk of nothing: readers go from chunk to chunk.
Chunk* Arena::make_chunk(const Shape& shape, std::size_t at, std::size_t bytes) noexcept {
  const std::size_t used = header_->used.load(std::memory_order_relaxed);
  if (used < at) {
    const auto gap = static_cast<std::uint32_t>(at - used);
    new (holding(used).at(used)) Chunk{.kind = log::crash::ChunkKind::kOther,
                                       .module = 0,
                                       .stride = 1,
                                       .record_bytes = 0,
                                       .capacity = gap - static_cast<std::uint32_t>(log::crash::kChunkHeader),
                                       .count = {0},
                                       .bytes = gap,
                                       .mark = log::crash::kChunkMark};
  }
  auto* chunk = new (last().at(at)) Chunk{shape.kind,
                                          shape.module,
                                          shape.stride,
                                          shape.record_bytes,
                                          shape.slots,
                                          {0},
                                          static_cast<std::uint32_t>(bytes),
                                          log::crash::kChunkMark};
  header_->used.store(at + bytes, std::memory_order_release);
  return chunk;
}

Bytes Arena::bytes() noexcept {
  if (extents_ == 1) return {extent_[0].base, mapped_};
  const Locked locked(lock_);
  if (!locked) return {};
  if (!joined_.empty()) (void)raw_syscall(__NR_munmap, raw_pointer(joined_.data()), static_cast<long>(joined_.size()));
  joined_ = {};
  const auto whole = static_cast<long>(mapped_);
  // Of a shared mapping, a second one of the same file: as long as the file, wherever the first one ends.
  long base = file_backed() ? raw_syscall(__NR_mremap, raw_pointer(extent_[0].base), 0, whole, MREMAP_MAYMOVE) : -1;
  if (is_error(base)) {
    base = raw_mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (is_error(base)) return {};
    for (std::size_t i = 0; i < extents_; ++i)
      std::memcpy(reinterpret_cast<std::byte*>(base) + extent_[i].offset, extent_[i].base, mapped_of(i));
  }
  return joined_ = {reinterpret_cast<const std::byte*>(base), mapped_};
}

void Arena::set_aside() noexcept {
  if (file_backed()) (void)raw_syscall(__NR_unlinkat, AT_FDCWD, raw_pointer(path_), 0);
}

void Arena::put_back() noexcept {
  if (!file_backed()) return;
  const long descriptor = make_private_file(path_);
  bool done = !is_error(descriptor) && mapped_ <= file_size_limit() &&
              !is_error(raw_syscall(__NR_fallocate, descriptor, 0, 0, static_cast<long>(mapped_)));
  const auto for_each_extent = [&](const auto& use) {
    for (std::size_t i = 0; done && i < extents_; ++i) done = use(extent_[i], mapped_of(i));
  };
  for_each_extent([&](const Extent& extent, std::size_t bytes) {
    const auto all = static_cast<long>(bytes);
    return raw_syscall(__NR_pwrite64, descriptor, raw_pointer(extent.base), all, static_cast<long>(extent.offset)) ==
           all;
  });
  for_each_extent([&](const Extent& extent, std::size_t bytes) {
    constexpr int kFlags = MAP_SHARED | MAP_FIXED;
    return !is_error(raw_mmap(extent.base, bytes, PROT_READ | PROT_WRITE, kFlags, descriptor, extent.offset));
  });
  if (done) inode_ = inode_of(descriptor);
  if (!is_error(descriptor)) (void)raw_syscall(__NR_close, descriptor);
  if (!done) remove();  // observed on, without a file
}

void Arena::remove() noexcept {
  if (!file_backed()) return;
  (void)raw_syscall(__NR_unlinkat, AT_FDCWD, raw_pointer(path_), 0);
  path_[0] = '\0';
}

}  // namespace trikal::capture
