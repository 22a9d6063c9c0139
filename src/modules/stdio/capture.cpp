#include "modules/stdio/capture.hpp"

#include <errno.h>
#include <fcntl.h>

#include <algorithm>

#include "capture/events/event.hpp"
#include "capture/process/rehearsal.hpp"
#include "capture/records/errors.hpp"
#include "capture/records/record_pool.hpp"
#include "capture/tables/private_memory.hpp"
#include "modules/stdio/wrappers_buffered.hpp"

namespace trikal::modules::stdio {

constinit Streams streams;

namespace {

using capture::added_time;
using capture::earlier;
using capture::later;
using capture::Locked;
using capture::Operation;
using capture::tell;

constinit capture::RecordPool<StdioFile, kSchema> pool;
constinit capture::Spin opening;

struct ExtraSlot {
  Record<kExtraSchema> record;
};
constinit capture::RecordPool<ExtraSlot, kExtraSchema, log::crash::ChunkKind::kExtras> extras;

constexpr std::size_t kInlinedRead = slot_of(kExtraCounters, "STDIO_INLINED_BYTES_READ");
constexpr std::size_t kInlinedWritten = slot_of(kExtraCounters, "STDIO_INLINED_BYTES_WRITTEN");
constexpr int kNoWrites = 0x8;    // of a FILE's flags: opened for reading only
constexpr int kErrorSeen = 0x20;  // its error indicator

template <FixedString Name>
void add_time(StdioFile& file, Span when, double& last) noexcept {
  file.record.set_real<Name>(file.record.real<Name>() + added_time(when, last));
}
template <FixedString Start, FixedString End>
void mark(StdioFile& file, Span when) noexcept {
  file.record.set_real<Start>(earlier(file.record.real<Start>(), when.begin));
  file.record.set_real<End>(later(file.record.real<End>(), when.end));
}

}  // namespace

bool Streams::begin() noexcept {
  const Locked locked(opening);
  if (!locked) return false;
  if (limit_.load(std::memory_order_relaxed) != 0) return true;
  if (!table_.begin()) return false;
  limit_.store(Table::kDirect, std::memory_order_release);
  return true;
}

Stream* Streams::find_high(FILE* stream) noexcept {
  if (stream == nullptr || limit_.load(std::memory_order_relaxed) == 0) return nullptr;
  Stream* entry = table_.find(static_cast<unsigned>(stream->_fileno));
  return entry != nullptr && entry->stream.load(std::memory_order_acquire) == stream ? entry : nullptr;
}

Stream* Streams::set(FILE* stream, StdioFile* file, const capture::File* name) noexcept {
  const auto number = static_cast<unsigned>(stream->_fileno);
  Stream* made = begin() ? table_.make(number) : nullptr;
  if (made == nullptr) return nullptr;
  Stream& entry = *made;
  entry.file = file;
  entry.name = name;
  entry.offset = 0;
  entry.writes = (stream->_flags & kNoWrites) == 0;
  entry.mark.store(Stream::Mark::kNone, std::memory_order_relaxed);
  entry.time_next();
  entry.stream.store(stream, std::memory_order_release);
  unsigned used = used_.load(std::memory_order_relaxed);
  while (number >= used && !used_.compare_exchange_weak(used, number + 1, std::memory_order_relaxed)) {
  }
  return &entry;
}

void Streams::forget(Stream& stream) noexcept {
  const Locked locked(closing_);  // had or not: it goes
  stream.stream.store(nullptr, std::memory_order_release);
}

void Streams::after_fork() noexcept {
  closing_.reset();
  const unsigned used = used_.load(std::memory_order_relaxed);
  for (unsigned i = 0; i < used; ++i) {
    Stream* entry = table_.find(i);
    if (entry == nullptr) continue;
    entry->file = nullptr;
    entry->time_next();
    entry->mark.store(Stream::Mark::kNone,
                      std::memory_order_relaxed);  // what was done before the fork is the parent's to count
  }
}

void opened(StdioFile& file, Span when, bool on_descriptor) noexcept {
  tell(Operation::kStreamOpen, file.record.base().id, when);
  const Locked locked(file.lock);
  if (!locked) return;
  file.record.at<"STDIO_OPENS">() += 1;
  if (on_descriptor) file.record.at<"STDIO_FDOPENS">() += 1;
  mark<"STDIO_F_OPEN_START_TIMESTAMP", "STDIO_F_OPEN_END_TIMESTAMP">(file, when);
  add_time<"STDIO_F_META_TIME">(file, when, file.meta_end);
}

void closed(StdioFile& file, Span when) noexcept {
  tell(Operation::kStreamClose, file.record.base().id, when);
  const Locked locked(file.lock);
  if (!locked) return;
  mark<"STDIO_F_CLOSE_START_TIMESTAMP", "STDIO_F_CLOSE_END_TIMESTAMP">(file, when);
  add_time<"STDIO_F_META_TIME">(file, when, file.meta_end);
}

namespace {

void add_extra(capture::File& file, std::size_t counter, std::int64_t value) noexcept {
  auto* known = file.records[capture::kStdioExtraSlot].as<ExtraSlot>();
  auto* slot = known != nullptr ? known : extras.make(file, capture::kStdioExtraSlot);
  if (slot != nullptr) std::atomic_ref(slot->record.slot(counter)).fetch_add(value, std::memory_order_relaxed);
}

void add_extra(Stream& stream, std::size_t counter, std::int64_t value) noexcept {
  add_extra(const_cast<capture::File&>(*stream.name), counter, value);
}

// The last end is also where the timer stands: nothing else moves it.
template <const DirectionSlots& S>
void note_times(StdioFile& file, Span when) noexcept {
  auto& record = file.record;
  record.set_real_slot(S.start, earlier(record.real_slot(S.start), when.begin));
  double end = record.real_slot(S.end);
  record.set_real_slot(S.time, record.real_slot(S.time) + added_time(when, end));
  record.set_real_slot(S.end, end);
}

// Calls that were not timed took as long as one like them that was, but not longer than there was time for: they came
// after the last that was timed and before this one. With the record's lock held. How many there were.
template <const DirectionSlots& S>
std::uint32_t estimate(StdioFile& file, Stream& stream, double until) noexcept {
  auto& record = file.record;
  const std::uint32_t calls = stream.untimed(S.read);
  stream.known[S.read].store(stream.known[S.read].load(std::memory_order_relaxed) - calls, std::memory_order_relaxed);
  const double most = until - record.real_slot(S.end);
  if (most > 0)
    record.set_real_slot(S.time, record.real_slot(S.time) + std::min(static_cast<double>(calls) * stream.usual, most));
  return calls;
}

// Timing a call is worth it once in so much time; in between calls that stay in the buffer are only counted. So observing
// them costs a small share of what they take, whatever that is on this machine.
void choose_stride(Stream& stream, bool read, double since_last) noexcept {
  constexpr double kShare = 0.05;
  constexpr std::uint32_t kMost = 64;
  const double worth = capture::noting_seconds.load(std::memory_order_relaxed) / kShare;
  std::uint32_t stride = stream.stride;
  if (since_last < worth) stride = std::min(2 * stride, kMost);
  else if (since_last >= stride * worth) stride = 1;
  else if (since_last > 2 * worth) stride = std::max(stride / 2, 1U);
  stream.stride = stride;
  stream.grant(read, capture::session.config.time_all ? 0 : stride - 1);
}

// With the record's lock held; frees it.
template <const DirectionSlots& S>
inline void count_access(StdioFile& file, Stream& stream, Span when, std::int64_t bytes) noexcept {
  auto& record = file.record;
  const std::int64_t offset = stream.offset;
  const std::int64_t end = offset + bytes;
  stream.offset = end;
  if (end - 1 > record.slot(S.max_byte)) record.slot(S.max_byte) = end - 1;
  record.slot(S.bytes) += bytes;
  record.slot(S.calls) += 1;
  note_times<S>(file, when);
  file.lock.unlock();
  capture::tell_data(
      {S.read ? Operation::kStreamRead : Operation::kStreamWrite, record.base().id, when, offset, bytes});
}

// A stream inherited through a fork, one that other threads may be using, or one with calls that were only counted.
template <const DirectionSlots& S>
[[gnu::noinline]] void access_slowly(Stream& stream, Span when, std::int64_t bytes) noexcept {
  StdioFile* file = record_of(stream);
  if (file == nullptr) return;
  if (!file->lock.lock()) return;
  const std::uint32_t estimated = stream.untimed(S.read) != 0 ? estimate<S>(*file, stream, when.begin) : 0;
  count_access<S>(*file, stream, when, bytes);
  if (estimated != 0) add_extra(stream, S.estimated, estimated);
}

template <const DirectionSlots& S>
void accessed(Stream& stream, Span when, std::int64_t bytes) noexcept {
  StdioFile* file = stream.file;
  if (file == nullptr || stream.untimed(S.read) != 0 || !capture::Spin::is_needless()) [[unlikely]]
    return access_slowly<S>(stream, when, bytes);
  count_access<S>(*file, stream, when, bytes);
}

}  // namespace

void has_read(Stream& stream, Span when, std::int64_t bytes) noexcept { accessed<kReading>(stream, when, bytes); }
void has_written(Stream& stream, Span when, std::int64_t bytes) noexcept { accessed<kWriting>(stream, when, bytes); }

namespace {

template <const DirectionSlots& S>
void accessed_in_buffer(Stream& stream, Span when, std::int64_t bytes) noexcept {
  StdioFile* file = stream.file != nullptr ? stream.file : record_of(stream);
  if (file == nullptr || !file->lock.lock()) return;
  const double since_last = when.begin - file->record.real_slot(S.end);
  stream.usual = when.length();
  const std::uint32_t estimated = stream.untimed(S.read) != 0 ? estimate<S>(*file, stream, when.begin) : 0;
  choose_stride(stream, S.read, since_last);
  count_access<S>(*file, stream, when, bytes);
  if (estimated != 0) add_extra(stream, S.estimated, estimated);
}

template <const DirectionSlots& S>
void count_slowly(Stream& stream, std::int64_t bytes) noexcept {
  StdioFile* file = record_of(stream);
  if (file == nullptr || !file->lock.lock()) return;
  const std::int64_t offset = stream.offset;
  const std::uint32_t left = stream.left[S.read].load(std::memory_order_relaxed);
  if (left == 0) stream.grant(S.read, stream.untimed(S.read) + 1);  // another thread had the last
  add_untimed<S>(*file, stream, bytes);
  const double last = file->record.real_slot(S.end);
  file->lock.unlock();
  capture::tell_data(
      {S.read ? Operation::kStreamRead : Operation::kStreamWrite, file->record.base().id, {last, last}, offset, bytes});
}

}  // namespace

void has_read_buffered(Stream& stream, Span when, std::int64_t bytes) noexcept {
  accessed_in_buffer<kReading>(stream, when, bytes);
}
void has_written_buffered(Stream& stream, Span when, std::int64_t bytes) noexcept {
  accessed_in_buffer<kWriting>(stream, when, bytes);
}
void count_untimed_slowly(bool read, Stream& stream, std::int64_t bytes) noexcept {
  return read ? count_slowly<kReading>(stream, bytes) : count_slowly<kWriting>(stream, bytes);
}

void flushed(Stream& stream, Span when) noexcept {
  StdioFile* file = record_of(stream);
  if (file == nullptr) return;
  {
    const Locked locked(file->lock);
    if (!locked) return;
    const std::uint32_t estimated = stream.untimed(false) != 0 ? estimate<kWriting>(*file, stream, when.begin) : 0;
    file->record.at<"STDIO_FLUSHES">() += 1;
    note_times<kWriting>(*file, when);
    if (estimated != 0) add_extra(stream, kWriting.estimated, estimated);
  }
  tell(Operation::kFlush, file->record.base().id, when);
}

void sought(Stream& stream, Span when, std::int64_t offset) noexcept {
  StdioFile* file = record_of(stream);
  if (file == nullptr) return;
  tell(Operation::kStreamSeek, file->record.base().id, when);
  const Locked locked(file->lock);
  if (!locked) return;
  stream.offset = offset;
  file->record.at<"STDIO_SEEKS">() += 1;
  add_time<"STDIO_F_META_TIME">(*file, when, file->meta_end);
}

void pushed_back(Stream& stream, std::int64_t bytes) noexcept {
  StdioFile* file = record_of(stream);
  if (file == nullptr) return;
  const Locked locked(file->lock);
  if (!locked) return;
  if (stream.offset < bytes || file->record.at<"STDIO_BYTES_READ">() < bytes) return;
  stream.offset -= bytes;
  file->record.at<"STDIO_BYTES_READ">() -= bytes;
}

StdioFile* record_of(capture::File* file) noexcept {
  if (file == nullptr) return nullptr;
  auto* known = file->records[capture::kStdioSlot].as<StdioFile>();
  if (known != nullptr) return known;
  StdioFile* made = pool.make(*file, capture::kStdioSlot);
  if (made != nullptr && is_standard_pipe(file->text())) add_extra(*file, slot_of(kExtraCounters, "STDIO_PIPES"), 1);
  return made;
}

[[gnu::noinline]] StdioFile* record_of(Stream& stream) noexcept {
  if (stream.file != nullptr) return stream.file;
  capture::File* file = capture::session.files.find_or_add(stream.name->text());
  stream.name = file != nullptr ? file : stream.name;
  return stream.file = record_of(file);
}

void not_moved(Stream& stream) noexcept {
  const FILE* file = stream.stream.load(std::memory_order_acquire);
  if (file == nullptr || (file->_flags & kErrorSeen) == 0) return;
  (void)record_of(stream);  // makes the name this process's own
  capture::errors.count(kSchema.id, stream.name, errno);
}

void failed_at(const char* path) noexcept { capture::errors.count_at(kSchema.id, AT_FDCWD, path, errno); }

namespace {

template <const DirectionSlots& S>
void settle_untimed(Stream& stream, double now) noexcept {
  StdioFile* file = stream.untimed(S.read) != 0 ? record_of(stream) : nullptr;
  if (file == nullptr || !file->lock.lock()) return;
  const std::uint32_t estimated = estimate<S>(*file, stream, now);
  file->lock.unlock();
  if (estimated != 0) add_extra(stream, S.estimated, estimated);
}

}  // namespace

void settle(Stream& stream) noexcept {
  if ((stream.untimed(false) | stream.untimed(true)) != 0) {
    const capture::Ticks now = capture::read_counter();
    const double end = capture::session.span(now, now).end;
    settle_untimed<kReading>(stream, end), settle_untimed<kWriting>(stream, end);
  }
  const Stream::Mark mark = stream.mark.load(std::memory_order_acquire);
  if (mark == Stream::Mark::kNone) return;
  stream.mark.store(Stream::Mark::kNone, std::memory_order_relaxed);
  const FILE* file = stream.stream.load(std::memory_order_acquire);
  if (file == nullptr) return;
  const bool reading = mark == Stream::Mark::kRead;
  if ((reading ? file->_IO_read_end : file->_IO_write_base) != stream.mark_buffer) return;
  const char* now_at = reading ? file->_IO_read_ptr : file->_IO_write_ptr;
  const std::int64_t bytes = (now_at - stream.mark_at) - (stream.offset - stream.mark_offset);
  if (bytes <= 0 || record_of(stream) == nullptr) return;
  const capture::Ticks now = capture::read_counter();
  const Span when = capture::session.span(now, now);
  const capture::NobodysCall nobodys;
  if (reading) has_read(stream, when, bytes), add_extra(stream, kInlinedRead, bytes);
  else has_written(stream, when, bytes), add_extra(stream, kInlinedWritten, bytes);
}

void mark_reading(Stream& stream) noexcept {
  const FILE* file = stream.stream.load(std::memory_order_acquire);
  if (file == nullptr) return;
  stream.mark_at = file->_IO_read_ptr;
  stream.mark_buffer = file->_IO_read_end;
  stream.mark_offset = stream.offset;
  stream.mark.store(Stream::Mark::kRead, std::memory_order_release);
}

void mark_writing(Stream& stream) noexcept {
  const FILE* file = stream.stream.load(std::memory_order_acquire);
  if (file == nullptr) return;
  stream.mark_at = file->_IO_write_ptr;
  stream.mark_buffer = file->_IO_write_base;
  stream.mark_offset = stream.offset;
  stream.mark.store(Stream::Mark::kWrite, std::memory_order_release);
}

void before_stop() noexcept {
  streams.for_each([](Stream& stream) { settle(stream); });
}

void rehearse(capture::TickInterval when) noexcept {
  static constinit StdioFile nobodys;
  static constinit Stream stream{.file = &nobodys};
  has_read(stream, when, 64);
}

void after_fork() noexcept {
  opening.reset();
  pool.after_fork();
  extras.after_fork();
  streams.after_fork();
}

}  // namespace trikal::modules::stdio
