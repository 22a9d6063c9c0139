// Where the rings of a process are: made when the first event is told, and with each thread that needs one.

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/statfs.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "base/text.hpp"
#include "capture/stream/event_rings.hpp"
#include "capture/tables/shared_file.hpp"
#include "log/crash/space.hpp"
#include "stream/wire/event_spec.hpp"

namespace trikal::capture {
namespace {

constexpr double kEver = 1e18;

std::int64_t real_nanoseconds() noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return std::int64_t{now.tv_sec} * 1000000000 + now.tv_nsec;
}

std::uint32_t kernel_number() noexcept {
  return this_thread.number != 0 ? this_thread.number : static_cast<std::uint32_t>(raw_syscall(__NR_gettid));
}

bool is_gone(std::uint32_t thread) noexcept {
  return raw_syscall(__NR_tgkill, raw_syscall(__NR_getpid), static_cast<long>(thread), 0) == -ESRCH;
}

// All that was told there was read, its drops as well.
bool is_drained(const stream::Ring& ring) noexcept {
  return ring.head.load(std::memory_order_acquire) == ring.tail.load(std::memory_order_acquire) &&
         ring.dropped.load(std::memory_order_acquire) == ring.dropped_seen.load(std::memory_order_acquire);
}

void* map_shared(long descriptor, std::size_t at, std::size_t bytes) noexcept {
  const long base = raw_mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, descriptor, at);
  return is_error(base) ? nullptr : reinterpret_cast<void*>(base);
}

void unmap(const void* at, std::size_t bytes) noexcept {
  (void)raw_syscall(__NR_munmap, raw_pointer(at), static_cast<long>(bytes));
}

}  // namespace

bool EventRings::begin() noexcept {
  const Locked locked(lock_);
  if (!locked) return false;
  if (state_.load(std::memory_order_relaxed) != State::kCold) return true;
  const stream::EventSpec& spec = session.config.events;
  sample_ = std::max(spec.sample, 1U);
  stride_ = sizeof(stream::EventRecord) + (spec.details ? sizeof(stream::EventDetails) : 0);
  filters_files_ = !spec.files.empty();
  const Ticks now = read_counter();
  epoch_ = real_nanoseconds() - static_cast<std::int64_t>(session.span(now, now).end * 1e9);
  choose_operations();
  choose_window();
  state_.store(make_file() ? State::kReady : State::kWithoutFile, std::memory_order_release);
  return true;
}

void EventRings::choose_operations() noexcept {
  const stream::EventSpec& spec = session.config.events;
  std::memset(operations_, 0, sizeof operations_);
  const auto choose = [&](std::uint32_t number, std::string_view interface, std::string_view word) {
    const bool other_name = interface == "MPI-IO" && stream::list_has(spec.interfaces, "MPIIO");
    if (!spec.interfaces.empty() && !stream::list_has(spec.interfaces, interface) && !other_name) return;
    if (!spec.operations.empty() && !stream::list_has(spec.operations, word)) return;
    operations_[number / 64] |= std::uint64_t{1} << (number % 64);
  };
  for (std::uint32_t i = 0; i < log::crash::kOperations; ++i)
    choose(i, log::crash::interface_of(Operation{i}), log::crash::word_of(Operation{i}));
  for (const ModuleHooks& module : module_hooks()) {
    const auto first = static_cast<std::uint32_t>(module.operations.first);
    for (std::uint32_t i = 0; i < module.operations.words.size(); ++i)
      choose(first + i, module.schema->name, module.operations.words[i]);
  }
}

// On the session's clock, which every event is told in.
void EventRings::choose_window() noexcept {
  const stream::EventSpec& spec = session.config.events;
  const auto here = [this](double seconds, bool absolute) {
    return absolute ? seconds - static_cast<double>(epoch_) * 1e-9 : seconds;
  };
  from_ = spec.from > 0 ? here(spec.from, spec.from_is_absolute) : -kEver;
  until_ = spec.until > 0 ? here(spec.until, spec.until_is_absolute) : kEver;
}

// Beside the map and called like it.
bool EventRings::make_file() noexcept {
  header_ = nullptr, rings_used_ = 0, scan_at_ = 0;
  const std::string_view map = session.arena.path();
  constexpr std::string_view kEnding = ".map";
  FixedText path(path_, sizeof path_);
  if (!map.ends_with(kEnding) || !path.put(text_until(map, map.size() - kEnding.size())).put(".ring").whole())
    return false;
  const std::size_t bytes = round_up(stream::kRingFileHeaderBytes, page_bytes());
  if (file_size_limit() < bytes || !has_space(bytes)) return false;
  const long descriptor = make_private_file(path_);
  if (is_error(descriptor)) return false;
  inode_ = inode_of(descriptor);
  void* base = has_pages(descriptor, 0, bytes) ? map_shared(descriptor, 0, bytes) : nullptr;
  (void)raw_syscall(__NR_close, descriptor);
  if (base == nullptr) return (void)raw_syscall(__NR_unlinkat, AT_FDCWD, raw_pointer(path_), 0), false;
  auto* header = new (base) stream::RingFileHeader;
  header->layout = stream::kRingLayout;
  header->header_bytes = static_cast<std::uint32_t>(bytes);
  header->used.store(bytes, std::memory_order_relaxed);
  header->stride = stride_;
  header->sample = sample_;
  header->identity = session.arena.header()->identity;
  header->epoch = epoch_;
  header->start_sec = session.arena.header()->job.start_sec;
  header->start_nsec = session.arena.header()->job.start_nsec;
  std::atomic_ref(header->magic).store(stream::kRingMagic, std::memory_order_release);
  header_ = header;
  return true;
}

// What is left of the file system is the application's.
bool EventRings::has_space(std::size_t bytes) const noexcept {
  struct statfs system{};
  const long asked = raw_syscall(__NR_statfs, raw_pointer(session.arena.path()), raw_pointer(&system));
  return asked == 0 && log::crash::space_for_maps(system) >= bytes;
}

bool EventRings::take(Mine& mine, std::uint32_t slots) noexcept {
  const Locked locked(lock_);
  Ring* ring = nullptr;
  const std::uint32_t me = kernel_number();
  if (locked && header_ != nullptr) ring = find_free(mine.ring, me, slots);
  if (locked && header_ != nullptr && ring == nullptr) ring = add(slots);
  if (ring == nullptr) return mine.backoff = kDropsBetweenTries, false;
  if (mine.ring != nullptr) mine.ring->owner.store(0, std::memory_order_release);
  ring->thread.store(thread_number(), std::memory_order_relaxed);
  ring->owner.store(me, std::memory_order_release);
  mine.ring = ring;
  mine.mask = ring->slots - 1;
  mine.tail = ring->tail.load(std::memory_order_acquire);
  return true;
}

// One that nobody writes to any more and that was read to its end. A few are looked at each time: there may be thousands.
EventRings::Ring* EventRings::find_free(const Ring* current, std::uint32_t me, std::uint32_t slots) noexcept {
  for (std::size_t i = 0; i < std::min(kMostScanned, rings_used_); ++i) {
    Ring* ring = rings_[scan_at_++ % rings_used_];
    if (ring == current || ring->slots < slots || !is_drained(*ring)) continue;
    const std::uint32_t owner = ring->owner.load(std::memory_order_acquire);
    // A thread that has our number was another one before.
    if (owner == 0 || owner == me || is_gone(owner)) return ring;
  }
  return nullptr;
}

EventRings::Ring* EventRings::add(std::uint32_t slots) noexcept {
  const std::size_t bytes = round_up(sizeof(Ring) + std::size_t{slots} * stride_, page_bytes());
  const std::size_t at = header_->used.load(std::memory_order_relaxed);
  if (rings_used_ == kMostRings || at + bytes > session.config.events.memory << 20U) return nullptr;
  if (file_size_limit() < at + bytes || !has_space(bytes)) return nullptr;
  const long descriptor = open_same_file(path_, inode_);
  if (is_error(descriptor)) return nullptr;
  void* base = has_pages(descriptor, at, bytes) ? map_shared(descriptor, at, bytes) : nullptr;
  (void)raw_syscall(__NR_close, descriptor);
  if (base == nullptr) return nullptr;
  auto* ring = new (base) Ring;
  ring->slots = slots;
  ring->stride = stride_;
  ring->bytes = static_cast<std::uint32_t>(bytes);
  ring->mark = stream::kRingMark;
  header_->used.store(at + bytes, std::memory_order_release);
  return rings_[rings_used_++] = ring;
}

void EventRings::after_fork() noexcept {
  lock_.reset();
  if (state_.load(std::memory_order_relaxed) == State::kCold) return;
  this_ring = {};
  for (std::size_t i = 0; i < rings_used_; ++i) unmap(rings_[i], rings_[i]->bytes);
  if (header_ != nullptr) unmap(header_, header_->header_bytes);
  header_ = nullptr, rings_used_ = 0;
  state_.store(State::kCold, std::memory_order_relaxed);
}

}  // namespace trikal::capture
