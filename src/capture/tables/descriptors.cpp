#include "capture/tables/descriptors.hpp"

#include <algorithm>
#include <new>

#include "capture/tables/private_memory.hpp"

namespace trikal::capture {
namespace {

constexpr std::uint32_t kOpenFilesAtOnce = 256;

}  // namespace

bool Descriptors::begin(Arena& arena) noexcept {
  arena_ = &arena;
  // Address space only: a page is taken when a descriptor of its range is first used.
  table_ = static_cast<Descriptor*>(private_pages(sizeof(Descriptor) * kMost));
  if (table_ == nullptr) return false;
  limit_.store(kMost, std::memory_order_release);
  return true;
}

void Descriptors::after_fork_in_child(Arena& arena) noexcept {
  arena_ = &arena;
  lock_.reset();
  pool_ = nullptr, free_ = nullptr;  // the parent's go on being the parent's
  ++forks_;
  const int highest = highest_.load(std::memory_order_relaxed);
  for (int fd = 0; fd <= highest; ++fd) table_[fd].record = nullptr, table_[fd].spare = nullptr;
}

// With the lock held.
OpenFile* Descriptors::new_open_file() noexcept {
  static constinit OpenFile last_resort;  // at the cap: offsets of such files are not followed any more
  OpenFile* open = free_;
  if (open != nullptr) {
    free_ = open->next_free;
  } else {
    if (pool_ == nullptr || pool_->count.load(std::memory_order_relaxed) == pool_->capacity) {
      pool_ = arena_->add_chunk({.stride = sizeof(OpenFile), .slots = kOpenFilesAtOnce}, Arena::Use::kNormal);
      if (pool_ == nullptr) return &last_resort;
    }
    const std::uint32_t index = pool_->count.fetch_add(1, std::memory_order_relaxed);
    open = reinterpret_cast<OpenFile*>(slots_of(pool_) + index * sizeof(OpenFile));
  }
  new (open) OpenFile;
  open->forks = forks_;
  return open;
}

// One descriptor less. What was open at a fork may be in use by another process and is not used again.
void Descriptors::release(OpenFile* open) noexcept {
  if (open == nullptr || open->users == 0) return;
  --open->users;
  if (open->users > 0 || open->forks != forks_) return;
  open->next_free = free_;
  free_ = open;
}

// Between its open and its close a number is the caller's own, so its spare needs no lock.
OpenFile* Descriptors::take_for(Descriptor& descriptor) noexcept {
  OpenFile* spare = descriptor.spare;
  if (spare != nullptr && spare->forks == forks_ && descriptor.open == nullptr) {
    descriptor.spare = nullptr;
    return spare;
  }
  const Locked locked(lock_);
  release(descriptor.open);  // closed by a way we did not see
  return new_open_file();
}

void Descriptors::open(int fd, Start start, void* record, const void* file) noexcept {
  if (static_cast<unsigned>(fd) >= static_cast<unsigned>(kMost)) return;
  OpenFile* opened = take_for(table_[fd]);
  opened->append = start.append ? 1 : 0, opened->brief = start.brief ? 1 : 0;
  opened->offset.store(start.offset, std::memory_order_relaxed);
  opened->users = 1;
  publish(fd, opened, record, file);
}

void Descriptors::share(int fd, OpenFile* open, void* record, const void* file) noexcept {
  if (static_cast<unsigned>(fd) >= static_cast<unsigned>(kMost)) return;
  {
    const Locked locked(lock_);
    release(table_[fd].open);  // dup2 onto a descriptor closes it
    ++open->users;
  }
  publish(fd, open, record, file);
}

void Descriptors::publish(int fd, OpenFile* open, void* record, const void* file) noexcept {
  Descriptor& descriptor = table_[fd];
  descriptor.record = record;
  descriptor.file = file;
  std::atomic_ref(descriptor.open).store(open, std::memory_order_release);
  int highest = highest_.load(std::memory_order_relaxed);
  while (fd > highest && !highest_.compare_exchange_weak(highest, fd, std::memory_order_relaxed)) {
  }
}

void Descriptors::clear(int fd) noexcept {
  Descriptor* descriptor = find(fd);
  if (descriptor == nullptr) return;
  OpenFile* open = descriptor->open;
  if (open->users == 1 && open->forks == forks_ && descriptor->spare == nullptr) {
    open->users = 0;
    descriptor->spare = open;
  } else {
    const Locked locked(lock_);
    release(open);
  }
  descriptor->open = nullptr;
}

void Descriptors::clear_range(unsigned first, unsigned last) noexcept {
  const int highest = highest_.load(std::memory_order_relaxed);
  if (highest < 0) return;
  last = std::min(last, static_cast<unsigned>(highest));
  for (unsigned fd = first; fd <= last; ++fd) clear(static_cast<int>(fd));
}

}  // namespace trikal::capture
