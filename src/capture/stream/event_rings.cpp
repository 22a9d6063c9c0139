#include "capture/stream/event_rings.hpp"

#include <cstring>

#include "capture/interpose/caller.hpp"
#include "capture/records/call_sites.hpp"
#include "stream/wire/event_spec.hpp"

namespace trikal::capture {

constinit EventRings event_rings;
constinit thread_local EventRings::Mine EventRings::this_ring;

namespace {

using stream::EventRecord;

constexpr std::uint64_t kFetched = 4;  // slots ahead

std::int64_t nanoseconds_of(double seconds) noexcept { return static_cast<std::int64_t>(seconds * 1e9); }

void add_one(std::atomic<std::uint64_t>& counter) noexcept {
  counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

}  // namespace

void EventRings::hear(const Event& event) noexcept {
  Mine& mine = this_ring;
  if (mine.ring == nullptr) [[unlikely]]
    return hear_first(mine, event);
  if (!wants(mine, event)) return add_one(mine.ring->filtered);
  if (mine.until_next != 0) return --mine.until_next, add_one(mine.ring->sampled_out);
  mine.until_next = sample_ - 1;
  const std::uint64_t head = mine.ring->head.load(std::memory_order_relaxed);
  if (head - mine.tail > mine.mask && !find_slot(mine)) [[unlikely]]
    return ++mine.sequence, add_one(mine.ring->dropped);
  put(mine, event);
}

// The event is there for the reader when the head says so, and not before: whatever ends the process in between.
void EventRings::put(Mine& mine, const Event& event) noexcept {
  Ring& ring = *mine.ring;
  const std::uint64_t head = ring.head.load(std::memory_order_relaxed);
  std::byte* slots = reinterpret_cast<std::byte*>(&ring + 1);
  std::byte* slot = slots + (head & mine.mask) * stride_;
  // The reader's processor has those that it read: they are on their way here by the time they are written to.
  __builtin_prefetch(slots + ((head + kFetched) & mine.mask) * stride_, 1);
  name_operation(event.operation);
  auto& record = *reinterpret_cast<EventRecord*>(slot);
  record.begin = epoch_ + nanoseconds_of(event.when.begin);
  record.duration = nanoseconds_of(event.when.length());
  record.offset = event.offset;
  record.length = event.length;
  record.file = event.file;
  record.call_site = keeps_callers ? call_site(mine) : 0;
  record.thread = ring.thread.load(std::memory_order_relaxed);
  record.rank = static_cast<std::int32_t>(session.arena.header()->job.rank);
  record.operation = static_cast<std::uint16_t>(event.operation);
  record.sequence = mine.sequence++;
  if (stride_ > sizeof(EventRecord)) put_details(slot + sizeof(EventRecord), event);
  ring.head.store(head + 1, std::memory_order_release);
}

void EventRings::put_details(std::byte* slot, const Event& event) noexcept {
  const RecordDetails counted = ask_details(event);
  stream::EventDetails details{.highest_read = counted.highest_read,
                               .highest_written = counted.highest_written,
                               .switches = counted.switches,
                               .flushes = counted.flushes};
  if (const Hdf5Transfer* transfer = event.hdf5) {
    details.selected = transfer->elements;
    details.dataset_elements = transfer->dataset_elements;
    details.point_selects = static_cast<std::int32_t>(transfer->point_selects);
    details.regular_selects = static_cast<std::int32_t>(transfer->regular_selects);
    details.irregular_selects = static_cast<std::int32_t>(transfer->irregular_selects);
    details.dimensions = static_cast<std::int16_t>(transfer->dimensions);
    details.selection = static_cast<std::uint16_t>(transfer->kind);
  }
  std::memcpy(slot, &details, sizeof details);
}

bool EventRings::wants(Mine& mine, const Event& event) noexcept {
  const auto number = static_cast<std::uint32_t>(event.operation);
  if (((operations_[(number / 64) % 32] >> (number % 64)) & 1) == 0) return false;
  if (event.when.begin < from_ || event.when.begin >= until_) return false;
  return !filters_files_ || wants_file(mine, event.file);
}

// Looked up once for each file, as long as no other takes its entry.
bool EventRings::wants_file(Mine& mine, std::uint64_t file) noexcept {
  FileVerdict& verdict = mine.verdicts[file % Mine::kVerdicts];
  if (verdict.file == file) return verdict.is_wanted;
  const File* known = session.files.find(file);
  if (known == nullptr) return false;
  verdict = {file, stream::paths_have(session.config.events.files, known->text())};
  return verdict.is_wanted;
}

// Asking takes a lock: once for each location in the program, as long as no other has its entry.
std::uint64_t EventRings::call_site(Mine& mine) noexcept {
  const auto address = reinterpret_cast<std::uintptr_t>(caller);
  if (address == 0) return 0;
  const std::uint32_t state = call_sites.objects_state();
  if (mine.sites_of != state) {
    for (Site& site : mine.sites) site = {};
    mine.sites_of = state;
  }
  Site& site = mine.sites[(address ^ (address >> 4)) % Mine::kSites];
  if (site.address != address) {
    const CallSites::Location location = call_sites.locate(address);
    site = {address, stream::call_site_of(location.object, location.offset)};
  }
  return site.call_site;
}

// The reader may have taken some; else the ring may be too small.
bool EventRings::find_slot(Mine& mine) noexcept {
  const std::uint64_t head = mine.ring->head.load(std::memory_order_relaxed);
  mine.tail = mine.ring->tail.load(std::memory_order_acquire);
  if (head - mine.tail <= mine.mask) return true;
  const std::uint32_t slots = mine.mask + 1;
  if (slots >= stream::kMostSlots) return false;
  if (mine.backoff > 0) return --mine.backoff, false;
  return take(mine, slots * kGrowth);
}

void EventRings::drop_without_ring() noexcept {
  if (header_ != nullptr) header_->without_ring.fetch_add(1, std::memory_order_relaxed);
  else session.arena.header()->self.events_lost.fetch_add(1, std::memory_order_relaxed);
}

void EventRings::hear_first(Mine& mine, const Event& event) noexcept {
  const State state = state_.load(std::memory_order_acquire);
  if (state == State::kCold && !begin()) return drop_without_ring();
  if (!wants(mine, event)) return void(++mine.filtered);
  if (state == State::kWithoutFile) return drop_without_ring();
  if (mine.backoff > 0) return --mine.backoff, drop_without_ring();
  if (!take(mine, stream::kLeastSlots)) return drop_without_ring();
  mine.ring->filtered.store(mine.ring->filtered.load(std::memory_order_relaxed) + mine.filtered,
                            std::memory_order_relaxed);
  mine.filtered = 0;
  mine.until_next = sample_ - 1;
  put(mine, event);
}

}  // namespace trikal::capture
