#include "modules/posix/capture.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "capture/events/event.hpp"
#include "capture/records/errors.hpp"
#include "capture/records/record_details.hpp"
#include "capture/records/run_pool.hpp"
#include "modules/posix/capture_extra.hpp"
#include "modules/posix/capture_meta.hpp"

namespace trikal::modules::posix {
namespace {

using capture::added_time;
using capture::is_earlier;
using capture::later;
using capture::Locked;
using capture::Operation;
using capture::tell;

// The gap to the access before in the same direction, where there is one.
std::int64_t stride_to(std::int64_t offset, std::int64_t last_byte) noexcept {
  return offset > last_byte && last_byte != 0 ? offset - last_byte - 1 : 0;
}

[[gnu::always_inline]] inline void note_alignment(PosixFile& file, const Access& access) noexcept {
  auto& record = file.record;
  if (access.misaligned) record.at<"POSIX_MEM_NOT_ALIGNED">() += 1;
  const std::int64_t alignment = record.at<"POSIX_FILE_ALIGNMENT">();
  if (alignment <= 0) return;
  const bool power = (alignment & (alignment - 1)) == 0;  // nearly always: spare the division
  const std::int64_t beyond = power ? access.offset & (alignment - 1) : access.offset % alignment;
  if (beyond != 0) record.at<"POSIX_FILE_NOT_ALIGNED">() += 1;
}

template <const DirectionSlots& S>
[[gnu::always_inline]] inline void note_times(PosixFile& file, Span when, const Access& access,
                                              double& last_end) noexcept {
  auto& record = file.record;
  if (is_earlier(when.begin, record.real_slot(S.start))) [[unlikely]]
    record.set_real_slot(S.start, when.begin);  // stored only then: the line stays in every thread's cache
  record.set_real_slot(S.end, later(record.real_slot(S.end), when.end));
  if (record.real_slot(S.longest) < when.length()) {
    record.set_real_slot(S.longest, when.length());
    record.slot(S.longest_size) = access.bytes;
  }
  record.set_real_slot(S.time, record.real_slot(S.time) + added_time(when, last_end));
}

template <const DirectionSlots& S>
Stream& stream_of(PosixFile& file) noexcept {
  return S.direction == Direction::kRead ? file.reading : file.writing;
}

constinit capture::RunPool<Run, kSchema> runs;

// So many first: what a program does now and then is not worth the way there and back.
constexpr std::uint8_t kAlikeBeforeRun = 8;

std::byte* bytes_of(PosixFile& file) noexcept { return reinterpret_cast<std::byte*>(&file.record); }

// The record has it all; the run stays as it is.
void settle(PosixFile& file) noexcept {
  if (file.run != nullptr && file.run->like != 0)
    settle_run(bytes_of(file), reinterpret_cast<const std::byte*>(file.run));
}

// Before anything that a run holds is changed in the record itself.
void leave_run(PosixFile& file) noexcept {
  Run* run = file.run;
  if (run == nullptr || run->like == 0) return;
  settle(file);
  file.strides.count_zeros(run->head.count);
  Stream& stream = run->direction() == Direction::kRead ? file.reading : file.writing;
  if (run->end != run->before.end) stream.end = run->calibration.seconds_at(run->end);
  std::atomic_ref(run->like).store(0, std::memory_order_release);  // a killed process leaves a whole run or none
  run->head.count = 0;
  file.alike = 0;
}

template <const DirectionSlots& S>
[[gnu::noinline]] void enter_run(PosixFile& file, std::int64_t bytes) noexcept {
  const std::int64_t alignment = file.record.at<"POSIX_FILE_ALIGNMENT">();
  const ClockCalibration calibration = capture::session.clock.calibration();
  file.alike = 0;
  if ((alignment > 0 && (alignment & (alignment - 1)) != 0) || !(calibration.seconds_per_tick > 0)) return;
  if (file.run == nullptr) file.run = runs.take(file.record.base().id);
  if (file.run == nullptr) return;
  file.run->calibration = calibration, file.run->lasts = capture::session.clock.calibration_lasts();
  begin_run(*file.run, S, bytes_of(file), bytes, stream_of<S>(file).end);
  file.run->alignment_mask = alignment > 0 ? alignment - 1 : 0;
  std::atomic_ref(file.run->like).store(Run::likeness(S.direction, bytes), std::memory_order_release);
}

void give_run_back(PosixFile& file) noexcept {
  leave_run(file);
  if (file.run != nullptr) runs.give_back(file.run);
  file.run = nullptr;
}

// The last of an access, with the record's lock held; frees it.
template <const DirectionSlots& S>
inline void finish(PosixFile& file, TickInterval when, std::int64_t offset, std::int64_t bytes) noexcept {
  file.lock.unlock();
  capture::tell_data(S.direction == Direction::kRead ? Operation::kRead : Operation::kWrite, file.record.base().id,
                     when, offset, bytes);
}

// The hot path calls nothing but, as its last step, one of these two: so it has no registers to save.
template <const DirectionSlots& S>
[[gnu::noinline]] void count_rare_and_finish(PosixFile& file, TickInterval when, std::int64_t offset,
                                             std::int64_t bytes, std::int64_t stride, bool size_too) noexcept {
  auto& record = file.record;
  const std::uint64_t id = record.base().id;
  if (stride >= 0)
    file.strides.count_slowly(stride, &record.at<"POSIX_STRIDE#_STRIDE">(), &record.at<"POSIX_STRIDE#_COUNT">(),
                              {id, kSchema.id, slot("POSIX_STRIDE#_STRIDE")});
  if (size_too)
    file.sizes.count_slowly(bytes, &record.at<"POSIX_ACCESS#_ACCESS">(), &record.at<"POSIX_ACCESS#_COUNT">(),
                            {id, kSchema.id, slot("POSIX_ACCESS#_ACCESS")});
  finish<S>(file, when, offset, bytes);
}

// Behind an access in another direction, or any of a file that was cut.
template <const DirectionSlots& S>
void note_direction(PosixFile& file) noexcept {
  Direction& last = file.was_cut ? file.last_of_cut : file.last_direction;
  if (last != S.direction && last != Direction::kNone) file.record.at<"POSIX_RW_SWITCHES">() += 1;
  last = S.direction;
  file.alike = 0;
  if (file.was_cut && S.direction == Direction::kWrite)
    file.known_size = std::max(file.known_size, file.writing.last_byte + 1);
}

// One that is not, or not yet, part of a run, with the record's lock held.
template <const DirectionSlots& S>
[[gnu::noinline]] void count_alone(PosixFile& file, TickInterval when, std::int64_t offset, std::int64_t bytes,
                                   bool misaligned) noexcept {
  leave_run(file);
  const Access access{offset, bytes, misaligned};
  auto& record = file.record;
  Stream& stream = stream_of<S>(file);
  const std::int64_t last = stream.last_byte;
  if (access.offset > last) record.slot(S.sequential) += 1;
  if (access.offset == last + 1) record.slot(S.consecutive) += 1;
  stream.last_byte = access.offset + access.bytes - 1;
  if (stream.last_byte > record.slot(S.max_byte)) record.slot(S.max_byte) = stream.last_byte;
  record.slot(S.bytes) += access.bytes;
  record.slot(S.calls) += 1;
  record.slot(S.classes, size_class(access.bytes)) += 1;
  if (file.last_direction != S.direction) [[unlikely]]
    note_direction<S>(file);
  note_alignment(file, access);
  note_times<S>(file, when, access, stream.end);
  const std::int64_t stride = stride_to(access.offset, last);
  const bool known_stride =
      file.strides.count_known(stride, &record.at<"POSIX_STRIDE#_STRIDE">(), &record.at<"POSIX_STRIDE#_COUNT">());
  const bool known_size =
      file.sizes.count_known(access.bytes, &record.at<"POSIX_ACCESS#_ACCESS">(), &record.at<"POSIX_ACCESS#_COUNT">());
  if (!known_stride || !known_size) [[unlikely]] {
    file.alike = 0;
    return count_rare_and_finish<S>(file, when, access.offset, access.bytes, known_stride ? -1 : stride, !known_size);
  }
  if (stride == 0 && access.bytes > 0 && ++file.alike == kAlikeBeforeRun) enter_run<S>(file, access.bytes);
  finish<S>(file, when, access.offset, access.bytes);
}

// The hot path: nothing but the file's line and the run's is touched, and nothing called.
template <const DirectionSlots& S>
[[gnu::always_inline]] inline void count_locked(PosixFile& file, TickInterval when, const Access& access) noexcept {
  Run* run = file.run;
  Stream& stream = stream_of<S>(file);
  const std::int64_t last = stream.last_byte;
  if (run == nullptr || run->like != Run::likeness(S.direction, access.bytes) || access.offset > last + 1 ||
      when.begin < run->start || when.end - run->calibration.ticks >= run->lasts) [[unlikely]]
    return count_alone<S>(file, when, access.offset, access.bytes, access.misaligned);
  run->head.count += 1;
  run->consecutive += access.offset > last;
  run->odd_memory += access.misaligned;
  run->odd_offset += (access.offset & run->alignment_mask) != 0;
  stream.last_byte = access.offset + access.bytes - 1;
  if (stream.last_byte > run->max_byte) run->max_byte = stream.last_byte;
  if (when.length() > run->longest) [[unlikely]]
    run->longest = when.length();
  if (when.end > run->end) [[likely]] {
    run->time += when.end - (when.begin > run->end ? when.begin : run->end);
    run->end = when.end;
  }
  finish<S>(file, when, access.offset, access.bytes);
}

template <const DirectionSlots& S>
[[gnu::noinline]] void lock_and_count(PosixFile& file, TickInterval when, std::int64_t offset, std::int64_t bytes,
                                      bool misaligned) noexcept {
  if (!file.lock.lock()) return;
  count_locked<S>(file, when, {offset, bytes, misaligned});
}

template <const DirectionSlots& S>
[[gnu::always_inline]] inline void accessed(PosixFile& file, TickInterval when, std::int64_t offset, std::int64_t bytes,
                                            bool misaligned) noexcept {
  if (!capture::Spin::is_needless()) [[unlikely]]
    return lock_and_count<S>(file, when, offset, bytes, misaligned);
  count_locked<S>(file, when, {offset, bytes, misaligned});
}

std::int64_t end_of_writes(PosixFile& file) noexcept {
  settle(file);
  return file.record.at<"POSIX_BYTES_WRITTEN">() > 0 ? file.record.at<"POSIX_MAX_BYTE_WRITTEN">() + 1 : 0;
}

void set_size(PosixFile& file, std::int64_t size) noexcept {
  leave_run(file);
  if (!file.was_cut) file.last_of_cut = std::exchange(file.last_direction, Direction::kNone);
  file.was_cut = true;
  file.known_size = size;
}

constinit capture::RecordPool<PosixFile, kSchema> pool;

}  // namespace

void opened(PosixFile& file, Span when, mode_t mode) noexcept {
  tell(Operation::kOpen, file.record.base().id, when);
  const Locked locked(file.lock);
  if (!locked) return;
  file.reading.last_byte = 0, file.writing.last_byte = 0;
  count_open(file, when, mode);
}

void duplicated(PosixFile& file, Span when) noexcept {
  tell(Operation::kDuplicate, file.record.base().id, when);
  const Locked locked(file.lock);
  if (!locked) return;
  file.record.at<"POSIX_DUPS">() += 1;
  count_open(file, when, 0);
}

void closed(PosixFile& file, Span when) noexcept {
  tell(Operation::kClose, file.record.base().id, when);
  const Locked locked(file.lock);
  if (!locked) return;
  give_run_back(file);
  file.reading.last_byte = 0, file.writing.last_byte = 0;
  count_close(file, when);
}

void count_read(PosixFile& file, TickInterval when, std::int64_t offset, std::int64_t bytes, bool misaligned) noexcept {
  accessed<kReading>(file, when, offset, bytes, misaligned);
}
void count_write(PosixFile& file, TickInterval when, std::int64_t offset, std::int64_t bytes,
                 bool misaligned) noexcept {
  accessed<kWriting>(file, when, offset, bytes, misaligned);
}

void sought(PosixFile& file, Span when) noexcept {
  tell(Operation::kSeek, file.record.base().id, when);
  const Locked locked(file.lock);
  if (!locked) return;
  file.record.at<"POSIX_SEEKS">() += 1;
  add_meta(file, when);
}

void stated(PosixFile& file, Span when) noexcept {
  tell(Operation::kStat, file.record.base().id, when);
  const Locked locked(file.lock);
  if (!locked) return;
  count_stat(file, when);
}

void mapped(PosixFile& file, Span when) noexcept {
  tell(Operation::kMap, file.record.base().id, when);
  const Locked locked(file.lock);
  if (!locked) return;
  file.record.at<"POSIX_MMAPS">() += 1;
}

void synced(PosixFile& file, Span when, bool data_only) noexcept {
  tell(data_only ? Operation::kDataSync : Operation::kSync, file.record.base().id, when);
  const Locked locked(file.lock);
  if (!locked) return;
  leave_run(file);
  (data_only ? file.record.at<"POSIX_FDSYNCS">() : file.record.at<"POSIX_FSYNCS">()) += 1;
  add_time<"POSIX_F_WRITE_TIME">(file, when, file.writing.end);
}

void descriptor_asked(PosixFile& file) noexcept {
  const Locked locked(file.lock);
  if (!locked) return;
  file.record.at<"POSIX_FILENOS">() += 1;
}

void renamed(PosixFile& file, Span when) noexcept {
  tell(Operation::kRename, file.record.base().id, when);
  const Locked locked(file.lock);
  if (!locked) return;
  file.record.at<"POSIX_RENAME_SOURCES">() += 1;
  add_meta(file, when);
}

void renamed_from(PosixFile& file, std::uint64_t source) noexcept {
  const Locked locked(file.lock);
  if (!locked) return;
  auto& record = file.record;
  record.at<"POSIX_RENAME_TARGETS">() += 1;
  if (record.at<"POSIX_RENAMED_FROM">() == 0) record.at<"POSIX_RENAMED_FROM">() = static_cast<std::int64_t>(source);
}

std::int64_t end_of_file(PosixFile& file, std::int64_t position) noexcept {
  const Locked locked(file.lock);
  if (!locked) return position;
  file.has_appends = true;
  if (file.was_cut) return file.known_size;
  return std::max({end_of_writes(file), file.known_size, position});
}

void appends_from(PosixFile& file, std::int64_t size) noexcept {
  const Locked locked(file.lock);
  if (!locked) return;
  file.has_appends = true;
  if (file.was_cut || std::max(end_of_writes(file), file.known_size) > size) set_size(file, size);
  else file.known_size = size;
}

void cut_to(PosixFile& file, std::int64_t size) noexcept {
  const Locked locked(file.lock);
  if (locked && file.has_appends) set_size(file, size);
}

PosixFile* record_of(capture::File* file) noexcept {
  if (file == nullptr) return nullptr;
  if (auto* known = file->records[capture::kPosixSlot].as<PosixFile>()) [[likely]]
    return known;
  return pool.make(*file, capture::kPosixSlot, [file](PosixFile& fresh) { return begin_whole(*file, fresh); });
}

// Kept where the next call finds it, unless another thread has opened the number for something else meanwhile. For the
// same file it may: the record is the same.
PosixFile* resolve(capture::Descriptor* slot, capture::Target target) noexcept {
  const capture::HeldTarget held{slot, target};
  if (!held.has(capture::kUnresolved)) return held.as<PosixFile>();  // it is being closed
  PosixFile* record = record_of(file_of(held));
  if (record != nullptr && !held.has(capture::kClosing))
    slot->target.compare_exchange_strong(target, reinterpret_cast<std::uintptr_t>(record), std::memory_order_acq_rel);
  return record;
}

capture::File* file_of(capture::HeldTarget held) noexcept {
  if (!held.has(capture::kUnresolved)) return capture::session.files.find(held.as<PosixFile>()->record.base().id);
  auto* file = held.as<capture::File>();
  return held.has(capture::kForeign) ? capture::session.files.find_or_add(file->text()) : file;
}

std::int64_t behind_last(PosixFile& file, Direction direction) noexcept {
  const Locked locked(file.lock);
  if (!locked) return 0;
  const std::int64_t last = (direction == Direction::kRead ? file.reading : file.writing).last_byte;
  return last == 0 ? 0 : last + 1;
}

capture::RecordDetails details_of(std::uint64_t id) noexcept {
  return capture::details_of<PosixFile, kSchema, capture::kPosixSlot, [](PosixFile& file) noexcept { settle(file); }>(
      id);
}

void rehearse(TickInterval when) noexcept {
  static constinit PosixFile nobodys;
  static constinit Run nobodys_run;
  nobodys.run = &nobodys_run;
  count_read(nobodys, when, 0, 64, false);
}

void after_fork() noexcept {
  pool.after_fork();
  forget_briefs();
  capture::forget_values();
  runs.after_fork();
  capture::errors.after_fork();
  forget_extras();
  free_mappings();
  free_requests();
  free_submitted();
}

}  // namespace trikal::modules::posix
