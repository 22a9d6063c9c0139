#include "capture/tables/descriptors.hpp"

#include <algorithm>
#include <new>

#include "capture/tables/private_memory.hpp"

namespace trikal::capture {
namespace {

constexpr std::uint32_t kFirstOpenFiles = 4, kMostOpenFiles = 256;  // in a chunk; each has twice those of the last
constexpr std::uint32_t kNeverOwn = ~0U;  // of `forks`: never used again

// As one step, which costs only where there are other threads.
template <class T>
[[gnu::always_inline]] inline T swap(bool is_alone, std::atomic<T>& word, T value) noexcept {
  if (!is_alone) return word.exchange(value, std::memory_order_acq_rel);
  const T before = word.load(std::memory_order_relaxed);
  word.store(value, std::memory_order_relaxed);
  return before;
}

void replace(std::atomic<Target>& word, Target expected, Target value) noexcept {
  if (*alone == 0) return void(word.compare_exchange_strong(expected, value, std::memory_order_acq_rel));
  if (word.load(std::memory_order_relaxed) == expected) word.store(value, std::memory_order_relaxed);
}

// It is somebody's, or nobody's: whoever held it before can tell.
void step(std::atomic<std::uint64_t>& generation) noexcept {
  generation.store(generation.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

Target target_of(void* record, const void* file, bool brief) noexcept {
  if (record != nullptr) return reinterpret_cast<Target>(record);
  return reinterpret_cast<Target>(file) | kUnresolved | (brief ? kBrief : 0);
}

// Whether whoever replaces the target is to let go of its open file.
bool is_open(Target target) noexcept { return (target & ~kTargetFlags) != 0 && (target & kClosing) == 0; }

// What it stood for when this thread marked it; kUnwatched: another one was faster.
[[gnu::noinline]] Target mark_closing(Descriptor& slot) noexcept {
  Target target = slot.target.load(std::memory_order_acquire);
  while (is_open(target)) {
    if (slot.target.compare_exchange_weak(target, target | kClosing, std::memory_order_acq_rel)) return target;
  }
  return kUnwatched;
}

}  // namespace

bool Descriptors::begin(Arena& arena) noexcept {
  arena_ = &arena;
  if (!table_.begin()) return false;
  limit_.store(Table::kDirect, std::memory_order_release);
  return true;
}

Descriptor* Descriptors::find_high(int fd) noexcept {
  return limit_.load(std::memory_order_relaxed) == 0 ? nullptr : table_.find(static_cast<unsigned>(fd));
}

// Null: there is no memory for one, or its number is too large. Calls with it will not be counted.
Descriptor* Descriptors::make(int fd) noexcept {
  Descriptor* slot = table_.make(static_cast<unsigned>(fd));
  if (slot == nullptr && fd >= 0) arena_->header()->self.missed.fetch_add(1, std::memory_order_relaxed);
  return slot;
}

// Another thread of the parent's may have been about to close a number. Whether it came to that is not known here, and
// an entry that is left over does no harm.
void Descriptors::after_fork_in_child(Arena& arena) noexcept {
  arena_ = &arena;
  lock_.reset();
  pool_ = nullptr, free_ = nullptr;  // the parent's go on being the parent's
  after_fork_in_parent();
  const int highest = highest_.load(std::memory_order_relaxed);
  for (int fd = 0; fd <= highest; ++fd) {
    Descriptor* slot = table_.find(static_cast<unsigned>(fd));
    if (slot == nullptr) continue;
    if (slot->spare.load(std::memory_order_relaxed) != nullptr) slot->spare.store(nullptr, std::memory_order_relaxed);
    if ((slot->target.load(std::memory_order_relaxed) & ~kTargetFlags) == 0) continue;
    const auto file = reinterpret_cast<Target>(slot->file.load(std::memory_order_relaxed));
    slot->target.store(file | kUnresolved | kForeign, std::memory_order_relaxed);
  }
}

[[gnu::noinline]] OpenFile* Descriptors::new_open_file() noexcept {
  static constinit OpenFile last_resort{.forks = kNeverOwn};  // at the cap: offsets of such files are not followed
  const Locked locked(lock_);
  if (!locked) return &last_resort;
  if (OpenFile* open = free_) {
    free_ = open->next_free;
    return open;
  }
  if (pool_ == nullptr || pool_->count.load(std::memory_order_relaxed) == pool_->capacity) {
    const std::uint32_t slots = pool_ == nullptr ? kFirstOpenFiles : std::min(2 * pool_->capacity, kMostOpenFiles);
    pool_ = arena_->add_chunk({.stride = sizeof(OpenFile), .slots = slots}, Arena::Use::kNormal);
    if (pool_ == nullptr) return &last_resort;
  }
  const std::uint32_t index = pool_->count.fetch_add(1, std::memory_order_relaxed);
  auto* open = new (slots_of(pool_) + index * sizeof(OpenFile)) OpenFile;
  open->forks = forks();
  open->generation.store(1, std::memory_order_relaxed);
  return open;
}

// One descriptor less. What was open at a fork may be in use by another process and is not used again.
[[gnu::always_inline]] inline void Descriptors::release(bool is_alone, Descriptor& slot, OpenFile* open) noexcept {
  const std::uint32_t users = open->users.load(std::memory_order_relaxed);
  if (users == 0 || open->forks != forks()) return;
  if (is_alone) open->users.store(users - 1, std::memory_order_relaxed);
  if ((is_alone ? users : open->users.fetch_sub(1, std::memory_order_acq_rel)) != 1) return;
  step(open->generation);
  // Only an open of this number takes it from there, and the kernel gives that out when the real close is over.
  OpenFile* older = swap(is_alone, slot.spare, open);
  if (older != nullptr) [[unlikely]]
    put_back(older);
}

[[gnu::noinline]] void Descriptors::put_back(OpenFile* open) noexcept {
  if (open->forks != forks()) return;
  const Locked locked(lock_);
  if (!locked) return;
  open->next_free = free_;
  free_ = open;
}

[[gnu::always_inline]] inline OpenFile* Descriptors::take_for(bool is_alone, Descriptor& slot) noexcept {
  OpenFile* open = slot.spare.load(std::memory_order_relaxed);
  if (open != nullptr) open = swap<OpenFile*>(is_alone, slot.spare, nullptr);
  if (open == nullptr || open->forks != forks()) [[unlikely]]
    open = new_open_file();
  if (open->forks == kNeverOwn) [[unlikely]]
    return open;
  step(open->generation);
  open->users.store(1, std::memory_order_relaxed);
  return open;
}

[[gnu::always_inline]] inline void Descriptors::publish(bool is_alone, int fd, Descriptor& slot, OpenFile* open,
                                                        Target target, const void* file) noexcept {
  OpenFile* replaced = slot.open.load(std::memory_order_relaxed);
  slot.file.store(file, std::memory_order_relaxed);
  slot.open.store(open, std::memory_order_release);
  // dup2 closes what was there, and there are ways to close that we do not see.
  const Target before = swap(is_alone, slot.target, target);
  if (replaced != nullptr && is_open(before)) [[unlikely]]
    release(false, slot, replaced);
  int highest = highest_.load(std::memory_order_relaxed);
  while (fd > highest && !highest_.compare_exchange_weak(highest, fd, std::memory_order_relaxed)) {
  }
}

void Descriptors::open(int fd, Start start, void* record, const void* file) noexcept {
  Descriptor* slot = make(fd);
  if (slot == nullptr) return;
  const bool is_alone = *alone != 0;
  OpenFile* opened = take_for(is_alone, *slot);
  opened->append.store(start.append ? 1 : 0, std::memory_order_relaxed);
  opened->offset.store(start.offset, std::memory_order_relaxed);
  publish(is_alone, fd, *slot, opened, target_of(record, file, start.brief), file);
}

// One descriptor more, unless it was closed since it was held, and perhaps used again.
bool Descriptors::join(const Held& source) noexcept {
  OpenFile& open = *source.open;
  std::uint32_t users = open.users.load(std::memory_order_relaxed);
  if (open.forks != forks()) return true;  // nobody counts any more
  do {
    if (users == 0 || !source.is_current()) return false;
  } while (!open.users.compare_exchange_weak(users, users + 1, std::memory_order_acq_rel));
  if (source.is_current()) return true;
  release(false, *source.slot, &open);  // what was joined is another open file
  return false;
}

void Descriptors::share(int fd, const Held& source, void* record, std::int64_t (*offset)(int fd) noexcept) noexcept {
  Descriptor* slot = make(fd);
  if (slot == nullptr) return;
  const void* file = source.slot->file.load(std::memory_order_relaxed);
  if (join(source)) return publish(*alone != 0, fd, *slot, source.open, target_of(record, file, false), file);
  open(fd, {.append = source.open->append.load(std::memory_order_relaxed) != 0, .offset = offset(fd)}, record, file);
}

void Descriptors::clear(int fd) noexcept { end_close(begin_close(fd)); }

Closed Descriptors::begin_close(int fd) noexcept {
  Descriptor* found = find(fd);
  if (found == nullptr) return {};
  Descriptor& slot = *found;
  const bool is_alone = *alone != 0;
  const Target target = is_alone ? slot.target.load(std::memory_order_relaxed) : mark_closing(slot);
  if (!is_open(target)) return {};
  if (is_alone) slot.target.store(target | kClosing, std::memory_order_relaxed);
  release(is_alone, slot, slot.open.load(std::memory_order_relaxed));
  return {&slot, target};
}

// Not if another thread has opened it since.
void Descriptors::end_close(Closed closed) noexcept {
  if (closed) replace(closed.slot->target, closed.target | kClosing, kUnwatched);
}

template <class Use>
void Descriptors::for_range(unsigned first, unsigned last, const Use& use) noexcept {
  const int highest = highest_.load(std::memory_order_relaxed);
  if (highest < 0 || limit_.load(std::memory_order_relaxed) == 0) return;
  last = std::min(last, static_cast<unsigned>(highest));
  for (unsigned fd = first; fd <= last; ++fd) {
    if (Descriptor* slot = table_.find(fd)) use(static_cast<int>(fd), *slot);
  }
}

void Descriptors::begin_close_range(unsigned first, unsigned last) noexcept {
  for_range(first, last, [this](int fd, Descriptor&) noexcept { (void)begin_close(fd); });
}

void Descriptors::end_close_range(unsigned first, unsigned last, bool closed) noexcept {
  for_range(first, last, [this, closed](int, Descriptor& slot) noexcept {
    const Target target = slot.target.load(std::memory_order_relaxed);
    if ((target & kClosing) == 0 || target == kUnwatched) return;
    if (!closed) take_back(slot);
    replace(slot.target, target, closed ? kUnwatched : target & ~kClosing);
  });
}

// The kernel has refused to close it: still open, at the position it had.
void Descriptors::take_back(Descriptor& slot) noexcept {
  OpenFile* open = slot.open.load(std::memory_order_relaxed);
  if (open->forks != forks()) return;
  if (open->users.load(std::memory_order_relaxed) > 0) return void(open->users.fetch_add(1, std::memory_order_relaxed));
  const std::int64_t offset = open->offset.load(std::memory_order_relaxed);
  const std::uint32_t append = open->append.load(std::memory_order_relaxed);
  open = take_for(false, slot);
  open->offset.store(offset, std::memory_order_relaxed);
  open->append.store(append, std::memory_order_relaxed);
  slot.open.store(open, std::memory_order_release);
}

}  // namespace trikal::capture
