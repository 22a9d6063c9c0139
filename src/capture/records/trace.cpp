#include "capture/records/trace.hpp"

#include <algorithm>
#include <new>

#include "capture/rare.hpp"
#include "capture/tables/private_memory.hpp"
#include "stream/wire/event_spec.hpp"

namespace trikal::capture {

TRIKAL_RARE constinit Trace trace;

namespace {

using log::crash::ChunkKind;

constexpr std::uint32_t kSlotsAtOnce = 128;

std::uint64_t nanoseconds_of(double seconds) noexcept {
  return seconds > 0 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(seconds * 1e9 + 0.5)) : 0;
}

// Files share streams, and so threads share files.
void add_one(std::atomic<std::uint64_t>& counter) noexcept {
  if (Spin::is_needless()) counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  else counter.fetch_add(1, std::memory_order_relaxed);
}

std::size_t hash_of(std::uint64_t id, std::uint32_t interface) noexcept {
  return static_cast<std::size_t>(((id + interface) * 0x9e3779b97f4a7c15ULL) >> 32U);
}

}  // namespace

void Trace::hear(const Event& event) noexcept {
  Stream& stream = streams_[thread_number() % kStreams];
  constexpr int kTries = 3;
  for (int tries = 0;; ++tries) {
    const std::uint32_t state = thinned_.load(std::memory_order_relaxed);
    {
      const Locked locked(stream.lock);
      if (!locked || put(stream, event)) return;
    }
    if (tries == kTries || !thin(state)) break;  // without the lock
  }
  const Locked locked(stream.lock);
  if (locked) lose(stream, event);
}

// False: there is no memory for it.
bool Trace::put(Stream& stream, const Event& event) noexcept {
  if (stream.owner != session.arena.header()) [[unlikely]] {
    if (!begin(stream)) return session.missed(), true;
  }
  if (!is_in_window(event)) return true;
  const Found& file = file_of(stream, event);
  if (file.is_left_out) return true;
  const std::uint32_t one_of = file.slot->one_of.load(std::memory_order_relaxed);
  if (one_of != 1) [[unlikely]] {
    const bool kept = one_of != 0 && (file.slot->events.load(std::memory_order_relaxed) & (one_of - 1)) == 0;
    if (!kept) return lose(stream, event), true;
  }
  if (static_cast<std::size_t>(stream.end - stream.at) < log::crash::kMostEventBytes && !next_chunk(stream))
    return false;
  write(stream, file, event);
  add_one(file.slot->events);
  return true;
}

void Trace::write(Stream& stream, const Found& file, const Event& event) noexcept {
  name_operation(event.operation);
  const std::uint64_t begin = nanoseconds_of(event.when.begin);
  const std::uint64_t end = nanoseconds_of(event.when.end);
  const Coded coded{.begin = begin,
                    .duration = end > begin ? end - begin : 0,
                    .offset = event.offset,
                    .length = event.length,
                    .traced = file.number,
                    .operation = static_cast<std::uint32_t>(event.operation),
                    .thread = thread_number()};
  stream.at += log::crash::put_event(stream.at, stream.state, coded);
  stream.chunk->count.store(static_cast<std::uint32_t>(stream.at - slots_of(stream.chunk)), std::memory_order_release);
}

void Trace::lose(Stream& stream, const Event& event) noexcept {
  if (stream.owner != session.arena.header()) return session.missed();
  Slot& slot = *file_of(stream, event).slot;
  add_one(slot.events);
  add_one(slot.lost);
}

Trace::Found& Trace::file_of(Stream& stream, const Event& event) noexcept {
  const std::uint32_t interface = log::crash::trace_interface_of(event.operation);
  Found& found = stream.found[hash_of(event.file, interface) % Stream::kFound];
  if (found.slot == nullptr || found.id != event.file || found.interface != interface) [[unlikely]] {
    found.id = event.file, found.interface = interface;
    find(found);
  }
  return found;
}

Trace::Slot* Trace::add_slot(std::uint64_t id, std::uint32_t interface) noexcept {
  if (slot_chunk_ == nullptr || slot_chunk_->count.load(std::memory_order_relaxed) == slot_chunk_->capacity)
    slot_chunk_ = session.arena.add_chunk(
        {.kind = ChunkKind::kTraced, .stride = sizeof(Slot), .record_bytes = sizeof(Slot), .slots = kSlotsAtOnce},
        Arena::Use::kNormal);
  if (slot_chunk_ == nullptr || numbers_ == kMostFiles) return nullptr;
  const std::uint32_t index = slot_chunk_->count.load(std::memory_order_relaxed);
  Slot* slot = new (slots_of(slot_chunk_) + std::size_t{index} * sizeof(Slot)) Slot;
  slot->id = id, slot->interface = interface;
  slot_chunk_->count.store(index + 1, std::memory_order_release);
  slots_[numbers_++] = slot;
  return slot;
}

// Where there is no slot left, that of all such files: nothing of it is kept.
void Trace::find(Found& wanted) noexcept {
  wanted.is_left_out = false;
  if (const std::string_view files = session.config.trace.files; !files.empty()) {
    const File* known = session.files.find(wanted.id);
    wanted.is_left_out = known == nullptr || !stream::paths_have(files, known->text());
  }
  const std::uint32_t rest = std::min(wanted.interface, kRests - 1);
  wanted.number = rest, wanted.slot = slots_[rest];
  if (wanted.is_left_out) return;
  const Locked locked(files_lock_);
  if (!locked) return;
  for (std::size_t at = hash_of(wanted.id, wanted.interface);; ++at) {
    std::uint32_t& entry = table_[at % kEntries];
    if (entry != 0) {
      Slot* slot = slots_[entry - 1];
      if (slot->id == wanted.id && slot->interface == wanted.interface)
        return void((wanted.number = entry - 1, wanted.slot = slot));
      continue;
    }
    if (Slot* slot = add_slot(wanted.id, wanted.interface)) {
      entry = numbers_;
      wanted.number = numbers_ - 1, wanted.slot = slot;
    }
    return;
  }
}

// Tables of this process; they stay when it forks, and the child clears them.
bool Trace::begin_files() noexcept {
  const Locked locked(files_lock_);
  if (!locked) return false;
  if (owner_ == session.arena.header()) return slots_ != nullptr;
  owner_ = session.arena.header();
  cap_ = std::max<std::size_t>(session.config.trace_memory, kChunkBytes);
  const std::size_t most = cap_ / 1024 + kStreams;
  if (slots_ == nullptr) {
    most_chunks_ = most;
    table_ = static_cast<std::uint32_t*>(private_pages(kEntries * sizeof(std::uint32_t)));
    chunks_ = static_cast<Chunk**>(private_pages((kStreams + 1) * most * sizeof(Chunk*)));
    free_ = chunks_ + kStreams * most;
    if (table_ == nullptr || chunks_ == nullptr) return owner_ = nullptr, false;
    slots_ = static_cast<Slot**>(private_pages(kMostFiles * sizeof(Slot*)));
  } else if (numbers_ > 0) {
    std::fill_n(table_, kEntries, 0);
  }
  numbers_ = 0, slot_chunk_ = nullptr, free_count_ = 0, memory_ = 0;
  backoff_.store(0, std::memory_order_relaxed);
  if (slots_ == nullptr) return false;
  for (std::uint32_t interface = 0; interface < kRests; ++interface) {
    Slot* rest = add_slot(0, interface);
    if (rest == nullptr) return owner_ = nullptr, false;
    rest->one_of = 0;
  }
  choose_rules();
  return true;
}

// On the session's clock, and in the map what is decided when the log is made.
void Trace::choose_rules() noexcept {
  constexpr double kEver = 1e18;
  const stream::TraceSpec& spec = session.config.trace;
  const log::crash::JobFacts& job = session.arena.header()->job;
  const double began = static_cast<double>(job.start_sec) + 1e-9 * static_cast<double>(job.start_nsec);
  from_ = spec.from > 0 ? spec.from - (spec.from_is_absolute ? began : 0) : -kEver;
  until_ = spec.until > 0 ? spec.until - (spec.until_is_absolute ? began : 0) : kEver;
  if (!spec.has_shares()) return;
  using log::crash::TraceRules;
  log::crash::Chunk* chunk = session.arena.add_chunk(
      {.kind = ChunkKind::kTraceRules, .stride = sizeof(TraceRules), .record_bytes = sizeof(TraceRules), .slots = 1},
      Arena::Use::kNormal);
  if (chunk == nullptr) return;
  new (slots_of(chunk)) TraceRules{spec.small, spec.unaligned};
  chunk->count.store(1, std::memory_order_release);
}

bool Trace::begin(Stream& stream) noexcept {
  if (!begin_files()) return false;
  stream.owner = session.arena.header();
  stream.chunk = nullptr, stream.at = stream.end = nullptr;
  stream.last = stream.chunks = 0;
  for (Found& found : stream.found) found = {};
  return true;
}

void Trace::write_to(Stream& stream, Chunk* chunk) noexcept {
  stream.chunk = chunk;
  stream.at = slots_of(chunk);
  stream.end = stream.at + chunk->capacity;
  stream.state.forget();
}

// One that thinning has freed, or a new one: most programs need little.
Trace::Chunk* Trace::take_chunk(const Stream& stream) noexcept {
  const Locked locked(memory_lock_);
  if (!locked) return nullptr;
  if (free_count_ > 0) {
    Chunk* chunk = free_[--free_count_];
    chunk->module = static_cast<std::uint32_t>(index_of(stream));
    return chunk;
  }
  constexpr std::uint32_t kFirst = 1024, kSecond = 4096;
  const std::uint32_t bytes = stream.chunks == 0 ? kFirst : stream.chunks == 1 ? kSecond : kChunkBytes;
  if (memory_ + bytes > cap_) return nullptr;
  Chunk* chunk = session.arena.add_chunk({.kind = ChunkKind::kTrace,
                                          .module = static_cast<std::uint32_t>(index_of(stream)),
                                          .slots = bytes - static_cast<std::uint32_t>(log::crash::kChunkHeader)},
                                         Arena::Use::kNormal);
  if (chunk == nullptr) cap_ = memory_;  // what others need comes first
  else memory_ += bytes;
  return chunk;
}

bool Trace::next_chunk(Stream& stream) noexcept {
  if (stream.chunks == most_chunks_) return false;
  Chunk* chunk = take_chunk(stream);
  if (chunk == nullptr) return false;
  stream.last = stream.chunks;
  chunks_of(stream)[stream.chunks++] = chunk;
  write_to(stream, chunk);
  return true;
}

void Trace::after_fork() noexcept {
  for (Stream& stream : streams_) stream.lock.reset();
  files_lock_.reset();
  memory_lock_.reset();
  thin_lock_.reset();
}

}  // namespace trikal::capture
