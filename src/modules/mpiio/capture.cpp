#include "modules/mpiio/capture.hpp"

#include <fcntl.h>

#include "capture/events/event.hpp"
#include "capture/mpi/hints.hpp"
#include "capture/rare.hpp"
#include "capture/records/record_pool.hpp"
#include "modules/mpiio/capture_requests.hpp"
#include "schema/labels.hpp"

namespace trikal::modules::mpiio {

TRIKAL_RARE constinit Handles handles;

namespace {

using capture::added_time;
using capture::earlier;
using capture::later;
using capture::Locked;
using capture::Operation;
using capture::tell;

constinit capture::RecordPool<MpiFile, kSchema> pool;

template <FixedString Start, FixedString End>
void mark(MpiFile& file, Span when) noexcept {
  file.record.set_real<Start>(earlier(file.record.real<Start>(), when.begin));
  file.record.set_real<End>(later(file.record.real<End>(), when.end));
}

void add_meta(MpiFile& file, Span when) noexcept {
  file.record.set_real<"MPIIO_F_META_TIME">(file.record.real<"MPIIO_F_META_TIME">() + added_time(when, file.meta_end));
}

// The slots of one direction: reading and writing are counted by the same rules.
struct DirectionSlots {
  Direction direction;
  Operation operations[4];               // by Way
  std::size_t calls[4];                      // likewise
  std::size_t bytes, classes, longest_size;  // integers
  std::size_t start, end, time, longest;     // reals
};
consteval std::size_t slot(std::string_view name) { return slot_of(kCounters, name); }

constexpr DirectionSlots kReading = {
    Direction::kRead,
    {Operation::kMpiRead, Operation::kMpiCollectiveRead, Operation::kMpiSplitRead, Operation::kMpiNonblockingRead},
    {slot("MPIIO_INDEP_READS"), slot("MPIIO_COLL_READS"), slot("MPIIO_SPLIT_READS"), slot("MPIIO_NB_READS")},
    slot("MPIIO_BYTES_READ"),
    slot("MPIIO_SIZE_READ_AGG_#"),
    slot("MPIIO_MAX_READ_TIME_SIZE"),
    slot("MPIIO_F_READ_START_TIMESTAMP"),
    slot("MPIIO_F_READ_END_TIMESTAMP"),
    slot("MPIIO_F_READ_TIME"),
    slot("MPIIO_F_MAX_READ_TIME")};
constexpr DirectionSlots kWriting = {
    Direction::kWrite,
    {Operation::kMpiWrite, Operation::kMpiCollectiveWrite, Operation::kMpiSplitWrite, Operation::kMpiNonblockingWrite},
    {slot("MPIIO_INDEP_WRITES"), slot("MPIIO_COLL_WRITES"), slot("MPIIO_SPLIT_WRITES"), slot("MPIIO_NB_WRITES")},
    slot("MPIIO_BYTES_WRITTEN"),
    slot("MPIIO_SIZE_WRITE_AGG_#"),
    slot("MPIIO_MAX_WRITE_TIME_SIZE"),
    slot("MPIIO_F_WRITE_START_TIMESTAMP"),
    slot("MPIIO_F_WRITE_END_TIMESTAMP"),
    slot("MPIIO_F_WRITE_TIME"),
    slot("MPIIO_F_MAX_WRITE_TIME")};

const DirectionSlots& slots_of(Direction direction) noexcept {
  return direction == Direction::kRead ? kReading : kWriting;
}

void note_times(MpiFile& file, const DirectionSlots& slots, Span when, std::int64_t bytes) noexcept {
  auto& record = file.record;
  record.set_real_slot(slots.start, earlier(record.real_slot(slots.start), when.begin));
  record.set_real_slot(slots.end, later(record.real_slot(slots.end), when.end));
  if (record.real_slot(slots.longest) < when.length()) {
    record.set_real_slot(slots.longest, when.length());
    record.slot(slots.longest_size) = bytes;
  }
  double& last = slots.direction == Direction::kRead ? file.read_end : file.write_end;
  record.set_real_slot(slots.time, record.real_slot(slots.time) + added_time(when, last));
}

}  // namespace

std::size_t Handles::first_slot_of(MpiHandle handle) noexcept {
  return (handle >> 4) * 0x9e3779b97f4a7c15ULL >> (64 - kEntryBits);
}

Handles::Entry* Handles::entry_of(MpiHandle handle) noexcept {
  std::size_t at = first_slot_of(handle);
  for (std::size_t i = 0; i < kEntries && entries_[at].handle != 0; ++i, at = (at + 1) % kEntries) {
    if (entries_[at].handle == handle) return &entries_[at];
  }
  return nullptr;
}

MpiFile* Handles::find(MpiHandle handle) noexcept {
  const Locked locked(lock_);
  if (!locked) return nullptr;
  const Entry* entry = handle == 0 ? nullptr : entry_of(handle);
  return entry != nullptr ? entry->file : nullptr;
}

void Handles::set(MpiHandle handle, MpiFile* file) noexcept {
  const Locked locked(lock_);
  if (!locked) return;
  if (handle == 0) return;
  used_ = true;
  Entry* entry = entry_of(handle);
  std::size_t at = first_slot_of(handle);
  for (std::size_t i = 0; entry == nullptr && i < kEntries; ++i, at = (at + 1) % kEntries) {
    if (entries_[at].file == nullptr) entry = &entries_[at];
  }
  if (entry != nullptr) *entry = {handle, file};
}

// The handle stays: others may lie behind it. Its slot is taken by the next file.
void Handles::forget(MpiHandle handle) noexcept {
  const Locked locked(lock_);
  if (!locked) return;
  Entry* entry = handle == 0 ? nullptr : entry_of(handle);
  if (entry != nullptr) entry->file = nullptr;
}

void Handles::after_fork() noexcept {
  lock_.reset();
  if (!used_) return;
  for (Entry& entry : entries_) entry = {};
}

MpiFile* record_at(const char* path) noexcept {
  capture::File* file =
      path == nullptr ? nullptr : capture::session.file_at(AT_FDCWD, capture::file_named_to_mpi(path));
  if (file == nullptr) return nullptr;
  auto* known = file->records[capture::kMpiioSlot].as<MpiFile>();
  return known != nullptr ? known : pool.make(*file, capture::kMpiioSlot);
}

MpiFile* known_record_at(const char* path) noexcept {
  if (path == nullptr) return nullptr;
  // It may be gone by now: whether the driver was part of its name is told by what was opened.
  capture::File* file = capture::session.known_file_at(AT_FDCWD, path);
  if (file == nullptr) file = capture::session.known_file_at(AT_FDCWD, capture::without_driver(path));
  return file == nullptr ? nullptr : file->records[capture::kMpiioSlot].as<MpiFile>();
}

void opened(MpiFile& file, Span when, const Open& how) noexcept {
  tell(how.alone ? Operation::kMpiOpen : Operation::kMpiCollectiveOpen, file.record.base().id, when);
  const Locked locked(file.lock);
  if (!locked) return;
  auto& record = file.record;
  (how.alone ? record.at<"MPIIO_INDEP_OPENS">() : record.at<"MPIIO_COLL_OPENS">()) += 1;
  record.at<"MPIIO_MODE">() = how.mode;
  if (how.hints) record.at<"MPIIO_HINTS">() += 1;
  mark<"MPIIO_F_OPEN_START_TIMESTAMP", "MPIIO_F_OPEN_END_TIMESTAMP">(file, when);
  add_meta(file, when);
}

void closed(MpiFile& file, Span when) noexcept {
  tell(Operation::kMpiClose, file.record.base().id, when);
  const Locked locked(file.lock);
  if (!locked) return;
  mark<"MPIIO_F_CLOSE_START_TIMESTAMP", "MPIIO_F_CLOSE_END_TIMESTAMP">(file, when);
  add_meta(file, when);
}

void synced(MpiFile& file, Span when) noexcept {
  tell(Operation::kMpiSync, file.record.base().id, when);
  const Locked locked(file.lock);
  if (!locked) return;
  file.record.at<"MPIIO_SYNCS">() += 1;
  file.record.set_real<"MPIIO_F_WRITE_TIME">(file.record.real<"MPIIO_F_WRITE_TIME">() +
                                             added_time(when, file.write_end));
}

void viewed(MpiFile& file, Span when, bool hints) noexcept {
  tell(Operation::kMpiSetView, file.record.base().id, when);
  const Locked locked(file.lock);
  if (!locked) return;
  file.record.at<"MPIIO_VIEWS">() += 1;
  if (hints) file.record.at<"MPIIO_HINTS">() += 1;
  add_meta(file, when);
}

void managed(MpiFile& file, Span when) noexcept {
  const Locked locked(file.lock);
  if (!locked) return;
  add_meta(file, when);
}

void moved(MpiFile& file, Span when, const Transfer& transfer) noexcept {
  const DirectionSlots& slots = slots_of(transfer.direction);
  {
    const Locked locked(file.lock);
    if (!locked) return;
    auto& record = file.record;
    record.slot(slots.calls[static_cast<std::size_t>(transfer.way)]) += 1;
    record.slot(slots.bytes) += transfer.bytes;
    record.slot(slots.classes, size_class(transfer.bytes)) += 1;
    file.sizes.count(transfer.bytes, &record.at<"MPIIO_ACCESS#_ACCESS">(), &record.at<"MPIIO_ACCESS#_COUNT">(),
                     {record.base().id, kSchema.id, slot_of(kCounters, "MPIIO_ACCESS#_ACCESS")});
    if (file.last_direction != transfer.direction) {
      if (file.last_direction != Direction::kNone) record.at<"MPIIO_RW_SWITCHES">() += 1;
      file.last_direction = transfer.direction;
    }
    note_times(file, slots, when, transfer.bytes);
  }
  capture::tell_data({slots.operations[static_cast<std::size_t>(transfer.way)], file.record.base().id, when,
                      transfer.offset, transfer.bytes});
}

void finished(MpiFile& file, Span when, const Transfer& transfer) noexcept {
  const Locked locked(file.lock);
  if (!locked) return;
  note_times(file, slots_of(transfer.direction), when, transfer.bytes);
}

void after_fork() noexcept {
  pool.after_fork();
  // Tables that most processes never touch: a forked child would pay for a page of each.
  if (capture::mpi.flavour() == capture::MpiFlavour::kNone) return;
  handles.after_fork();
  requests.after_fork();
  capture::forget_hints();
}

}  // namespace trikal::modules::mpiio
