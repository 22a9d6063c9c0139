#include "gather/rings/ring_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <numeric>
#include <utility>

namespace trikal::gather {
namespace {

using stream::EventDetails;
using stream::EventRecord;
using stream::Ring;
using stream::RingFileHeader;

constexpr std::size_t kLargestFile = std::size_t{1} << 32, kLargestHeader = 64 * 1024, kPage = 4096;
constexpr std::size_t kMostRings = 65536;

Error damaged(const char* what, std::size_t at = 0) {
  return {.code = ErrorCode::kDamaged, .offset = at, .what = what};
}
Error system_error(const char* what) { return {.code = ErrorCode::kSystem, .sys_errno = errno, .what = what}; }

std::uint64_t load_of(const std::atomic<std::uint64_t>& counter) { return counter.load(std::memory_order_acquire); }

// What a counter rose by since `before`; one that fell is not believed, and stays as it was known.
std::uint64_t rise(std::uint64_t before, std::uint64_t& now) {
  now = std::max(now, before);
  return now - before;
}

// Numbers that begin anew behind the last.
bool is_before(std::uint32_t a, std::uint32_t b) { return static_cast<std::int32_t>(a - b) < 0; }

Status check_header(const RingFileHeader& header, std::size_t size) {
  if (std::atomic_ref(const_cast<std::uint64_t&>(header.magic)).load(std::memory_order_acquire) != stream::kRingMagic)
    return damaged("no file of event rings");
  if (header.layout != stream::kRingLayout) return damaged("event rings of another version of trikal");
  if (header.header_bytes < stream::kRingFileHeaderBytes || header.header_bytes > kLargestHeader ||
      header.header_bytes % kPage != 0 || header.header_bytes > size)
    return damaged("the header of the event rings is damaged");
  if (header.stride != sizeof(EventRecord) && header.stride != sizeof(EventRecord) + sizeof(EventDetails))
    return damaged("the event rings have events of an unknown size");
  return {};
}

}  // namespace

EventCounts& EventCounts::operator+=(const EventCounts& other) {
  stored += other.stored, full += other.full, without_ring += other.without_ring;
  sampled_out += other.sampled_out, filtered += other.filtered;
  return *this;
}

RingFile::RingFile(RingFile&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      base_(std::exchange(other.base_, nullptr)),
      mapped_(std::exchange(other.mapped_, 0)),
      stride_(other.stride_),
      sample_(other.sample_),
      next_ring_(other.next_ring_),
      identity_(other.identity_),
      rings_(std::move(other.rings_)),
      resumed_(std::move(other.resumed_)),
      threads_(std::move(other.threads_)),
      without_ring_(other.without_ring_),
      without_ring_seen_(other.without_ring_seen_),
      without_ring_read_(other.without_ring_read_),
      start_sec_(other.start_sec_),
      start_nsec_(other.start_nsec_),
      more_(other.more_) {}

RingFile::~RingFile() { release(); }

void RingFile::release() {
  if (base_ != nullptr) ::munmap(base_, mapped_);
  if (descriptor_ >= 0) ::close(descriptor_);
  base_ = nullptr, mapped_ = 0, descriptor_ = -1;
}

Result<RingFile> RingFile::open(const std::string& path) {
  RingFile file;
  file.path_ = path;
  if (Status mapped = file.map(); !mapped) return mapped.error();
  const RingFileHeader& header = file.header();
  file.stride_ = header.stride;
  file.sample_ = header.sample;
  file.identity_ = header.identity;
  file.next_ring_ = header.header_bytes;
  file.start_sec_ = header.start_sec, file.start_nsec_ = header.start_nsec;
  file.without_ring_seen_ = file.without_ring_read_ = load_of(header.without_ring_seen);
  file.header().readers.fetch_add(1, std::memory_order_relaxed);
  return file;
}

// All of it that is there now. What was mapped before may have become longer, and must not have become shorter: pages behind the
// end of a file cannot be touched.
Status RingFile::map() {
  if (descriptor_ < 0) descriptor_ = ::open(path_.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  struct stat status{};
  if (descriptor_ < 0 || ::fstat(descriptor_, &status) != 0) return system_error("cannot open");
  if (!S_ISREG(status.st_mode) || status.st_uid != ::geteuid())
    return Error{.code = ErrorCode::kUsage, .what = "not a file of this user"};
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size > kLargestFile) return Error{.code = ErrorCode::kLimit, .what = "too large for event rings"};
  if (size < stream::kRingFileHeaderBytes || size < mapped_) return damaged("the file of event rings was cut", size);
  if (size == mapped_) return {};
  if (base_ != nullptr) ::munmap(base_, mapped_);
  base_ = nullptr, mapped_ = 0;
  void* base = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
  if (base == MAP_FAILED) return system_error("cannot map");
  base_ = static_cast<std::byte*>(base), mapped_ = size;
  return check_header(header(), size);
}

// Those that were made since.
Status RingFile::find_rings(std::size_t used) {
  if (used > mapped_ || used < next_ring_) return damaged("the event rings end outside of their file", used);
  while (next_ring_ < used) {
    if (used - next_ring_ < sizeof(Ring) || rings_.size() == kMostRings)
      return damaged("a ring is not whole", next_ring_);
    const Ring& ring = *reinterpret_cast<const Ring*>(base_ + next_ring_);
    const std::uint32_t slots = ring.slots, bytes = ring.bytes;
    if (ring.mark != stream::kRingMark || ring.stride != stride_ || !std::has_single_bit(slots) ||
        slots > stream::kMostSlots || bytes % kPage != 0 || bytes > used - next_ring_ ||
        bytes < sizeof(Ring) + std::size_t{slots} * stride_)
      return damaged("a ring is damaged", next_ring_);
    const stream::RingEntry begin = begin_of(ring, static_cast<std::int64_t>(rings_.size()));
    rings_.push_back({.at = next_ring_, .slots = slots, .done = begin, .read = begin});
    next_ring_ += bytes;
  }
  return {};
}

void RingFile::resume(const std::vector<stream::RingEntry>& rings) {
  for (const stream::RingEntry& ring : rings) resumed_[ring.ring] = ring;
  const auto found = resumed_.find(stream::RingEntry::kNone);
  if (found == resumed_.end()) return;
  without_ring_seen_ = without_ring_read_ = std::max(without_ring_seen_, found->second.dropped);
}

// Whoever read it before may have been killed between what it did with events and the tail.
stream::RingEntry RingFile::begin_of(const Ring& ring, std::int64_t number) const {
  stream::RingEntry begin{.ring = number, .tail = load_of(ring.tail), .dropped = load_of(ring.dropped_seen)};
  const auto found = resumed_.find(number);
  if (found == resumed_.end()) return begin;
  begin.tail = std::max(begin.tail, found->second.tail);
  begin.dropped = std::max(begin.dropped, found->second.dropped);
  begin.sampled_out = found->second.sampled_out, begin.filtered = found->second.filtered;
  return begin;
}

Status RingFile::read(const Use& use) {
  more_ = false;
  events_.clear(), details_.clear(), fresh_.clear(), progress_.clear();
  for (Known& known : rings_) known.read = known.done;
  without_ring_read_ = without_ring_seen_;
  // Asked before the file's length: the process makes the file longer first. Rings that come after this are the next round's.
  if (Status begun = base_ != nullptr ? Status() : map(); !begun) return begun;
  const std::size_t used = header().used.load(std::memory_order_acquire);
  if (Status mapped = map(); !mapped) return release(), mapped;  // what was cut must not be touched again
  if (Status found = find_rings(used); !found) return found;
  for (Known& known : rings_) {
    if (Status drained = read_ring(known); !drained) return hand_out(use), drained;
  }
  without_ring_read_ = load_of(header().without_ring);
  if (rise(without_ring_seen_, without_ring_read_) > 0)
    progress_.push_back({.ring = stream::RingEntry::kNone, .dropped = without_ring_read_});
  hand_out(use);
  return {};
}

void RingFile::advance() {
  for (const auto& [thread, counts] : fresh_) threads_[thread] += counts;
  fresh_.clear();
  without_ring_ += without_ring_read_ - without_ring_seen_;
  without_ring_seen_ = without_ring_read_;
  // After a file was cut nothing of it is mapped.
  for (Known& known : rings_) {
    if (known.read == known.done) continue;
    known.done = known.read;
    if (base_ == nullptr) continue;
    Ring& ring = *reinterpret_cast<Ring*>(base_ + known.at);
    ring.dropped_seen.store(known.done.dropped, std::memory_order_release);
    ring.tail.store(known.done.tail, std::memory_order_release);
  }
  if (base_ != nullptr) header().without_ring_seen.store(without_ring_seen_, std::memory_order_release);
}

Status RingFile::drain(const Use& use) {
  const Status status = read(use);
  advance();
  return status;
}

Status RingFile::read_ring(Known& known) {
  const Ring& ring = *reinterpret_cast<const Ring*>(base_ + known.at);
  // The owner changes only when all of this was read: what is counted here is this thread's.
  const std::uint32_t thread = ring.thread.load(std::memory_order_acquire);
  stream::RingEntry now = known.done;
  now.dropped = load_of(ring.dropped), now.tail = load_of(ring.head);
  now.sampled_out = load_of(ring.sampled_out), now.filtered = load_of(ring.filtered);
  const std::uint64_t count = now.tail - known.done.tail;
  if (count > known.slots) return damaged("a ring has more events than slots", known.at);
  const EventCounts fresh{.full = rise(known.done.dropped, now.dropped),
                          .sampled_out = rise(known.done.sampled_out, now.sampled_out),
                          .filtered = rise(known.done.filtered, now.filtered)};
  known.read = now;
  if (now == known.done) return {};
  fresh_of(thread) += fresh;
  progress_.push_back(now);
  if (count > 0) copy_slots(known, ring, count);
  more_ = more_ || count >= known.slots / 4;
  return {};
}

// Before the tail is moved: then the producer may write there.
void RingFile::copy_slots(const Known& known, const Ring& ring, std::uint64_t count) {
  const auto* slots = reinterpret_cast<const std::byte*>(&ring + 1);
  const bool has_details = stride_ > sizeof(EventRecord);
  const std::size_t first = events_.size();
  events_.resize(first + count);
  details_.resize(has_details ? first + count : 0);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::byte* slot = slots + ((known.done.tail + i) & (known.slots - 1)) * stride_;
    std::memcpy(&events_[first + i], slot, sizeof(EventRecord));
    if (has_details) std::memcpy(&details_[first + i], slot + sizeof(EventRecord), sizeof(EventDetails));
  }
}

bool RingFile::is_in_order() const {
  std::map<std::uint32_t, std::uint32_t> last;
  return std::ranges::all_of(events_, [&](const EventRecord& event) {
    const auto [entry, is_new] = last.try_emplace(event.thread, event.sequence);
    return is_new || is_before(std::exchange(entry->second, event.sequence), event.sequence);
  });
}

// A thread that went on in another ring may have its later events in front.
void RingFile::sort_by_thread() {
  std::vector<std::size_t> order(events_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // Around the first one that is found, so that numbers which begin anew come behind the last.
  std::map<std::uint32_t, std::uint32_t> lowest;
  for (const EventRecord& event : events_) lowest.try_emplace(event.thread, event.sequence - (1U << 31U));
  std::ranges::stable_sort(order, {}, [&](std::size_t at) {
    const EventRecord& event = events_[at];
    return std::pair(event.thread, event.sequence - lowest.find(event.thread)->second);
  });
  const auto put_in_order = [&order](auto& values) {
    const auto old = std::exchange(values, {});
    for (const std::size_t at : order) values.push_back(old[at]);
  };
  put_in_order(events_);
  if (!details_.empty()) put_in_order(details_);
}

// Of a thread; of more threads than there can be, all together.
EventCounts& RingFile::fresh_of(std::uint32_t thread) {
  constexpr std::size_t kMostThreads = 65536;
  const bool fits =
      threads_.contains(thread) || fresh_.contains(thread) || threads_.size() + fresh_.size() < kMostThreads;
  return fresh_[fits ? thread : UINT32_MAX];
}

void RingFile::hand_out(const Use& use) {
  if (progress_.empty()) return;
  if (rings_.size() > 1 && !is_in_order()) sort_by_thread();
  for (std::size_t i = 0, next = 0; i < events_.size(); i = next) {
    while (next < events_.size() && events_[next].thread == events_[i].thread) ++next;
    fresh_of(events_[i].thread).stored += next - i;
  }
  use({events_, details_, fresh_, without_ring_read_ - without_ring_seen_, progress_});
}

EventCounts RingFile::counts() const {
  EventCounts all{.without_ring = without_ring_};
  for (const auto& [thread, counts] : threads_) all += counts;
  return all;
}

}  // namespace trikal::gather
