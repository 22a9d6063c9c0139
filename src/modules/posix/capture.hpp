#pragma once
// What each POSIX call means for the counters. Ordinary functions on ordinary records: the wrappers call them, tests
// call them without preloading anything.

#include <sys/types.h>
#include <sys/uio.h>

#include "capture/records/common_values.hpp"
#include "capture/records/timer.hpp"
#include "capture/session/hooks.hpp"
#include "capture/session/session.hpp"
#include "modules/posix/schema.hpp"
#include "schema/record.hpp"

namespace trikal::modules::posix {

using capture::Span;
using capture::TickInterval;

// What one direction of access remembers.
struct Stream {
  std::int64_t last_byte = 0;  // of the access before
  double end = 0;              // when it ended
};

// A file's record, and what must be remembered between calls. Lies in the crash map; only `record` goes to the log.
// On cache lines of its own: threads use different files.
struct alignas(64) PosixFile {
  LiveRecord<kSchema> record;
  capture::Spin lock;  // begins a line with what every access, opening and closing need
  Direction last_direction = Direction::kNone;
  std::uint8_t alike = 0;  // accesses up to now that could be a run
  Run* run = nullptr;      // the one it has, perhaps not in use
  Stream reading, writing;
  double meta_end = 0;
  std::int64_t known_size = 0;  // for appends
  // A file that appends go to, and that was cut: how long it is does not follow from its counters. Its last direction is
  // then kept here and none in the record, so that each access goes where that is looked at, and none is part of a run.
  bool has_appends = false, was_cut = false;
  Direction last_of_cut = Direction::kNone;
  capture::CommonValues sizes, strides;
};
static_assert(sizeof(PosixFile) % 8 == 0 && offsetof(PosixFile, lock) % 64 == 0);

// Where in the file, how much, from which memory.
struct Access {
  std::int64_t offset;
  std::int64_t bytes;
  bool misaligned;
};

void opened(PosixFile& file, Span when, mode_t mode) noexcept;
void duplicated(PosixFile& file, Span when) noexcept;
void closed(PosixFile& file, Span when) noexcept;
// In registers: an Access would have to go through memory.
void count_read(PosixFile& file, TickInterval when, std::int64_t offset, std::int64_t bytes, bool misaligned) noexcept;
void count_write(PosixFile& file, TickInterval when, std::int64_t offset, std::int64_t bytes, bool misaligned) noexcept;
inline void has_read(PosixFile& file, TickInterval when, const Access& access) noexcept {
  count_read(file, when, access.offset, access.bytes, access.misaligned);
}
inline void has_written(PosixFile& file, TickInterval when, const Access& access) noexcept {
  count_write(file, when, access.offset, access.bytes, access.misaligned);
}
void sought(PosixFile& file, Span when) noexcept;
void stated(PosixFile& file, Span when) noexcept;
void mapped(PosixFile& file, Span when) noexcept;
void synced(PosixFile& file, Span when, bool data_only) noexcept;
void descriptor_asked(PosixFile& file) noexcept;  // fileno of the stream over it
void renamed(PosixFile& file, Span when) noexcept;
void renamed_from(PosixFile& file, std::uint64_t source) noexcept;

// Where an append lands: behind everything this process knows to be in the file, and behind the last append
// through this descriptor, which may have been another process's.
[[nodiscard]] std::int64_t end_of_file(PosixFile& file, std::int64_t position) noexcept;
// Opened for appending, and so long by then.
void appends_from(PosixFile& file, std::int64_t size) noexcept;
// Made shorter, or longer, by whatever descriptor.
void cut_to(PosixFile& file, std::int64_t size) noexcept;

// Counters of the trailer (extra.hpp). `file` may be null: nothing is counted then.
void add_extra(capture::File* file, std::size_t slot, std::int64_t amount) noexcept;
void add_extra_time(capture::File* file, std::size_t slot, Span when) noexcept;
template <FixedString Name>
void add_extra(capture::File* file, std::int64_t amount = 1) noexcept {
  constexpr std::size_t kSlot = slot_of(kExtraCounters, Name.view());
  add_extra(file, kSlot, amount);
}
template <FixedString Name = "POSIX_F_EXTRA_TIME">
void add_extra_time(capture::File* file, Span when) noexcept {
  constexpr std::size_t kSlot = slot_of(kExtraCounters, Name.view());
  add_extra_time(file, kSlot, when);
}
// A call failed; errno tells why.
void failed(capture::File* file) noexcept;
void failed(capture::HeldTarget held) noexcept;
[[gnu::cold]] void failed(const PosixFile& file) noexcept;
void failed_at(int directory, const char* path) noexcept;
// A read or write did less than it was asked for.
[[gnu::cold]] void fell_short(const PosixFile& file, Direction direction, std::int64_t moved) noexcept;

// In a forked child.
void after_fork() noexcept;
// What a read takes, without the read.
void rehearse(TickInterval when) noexcept;
[[nodiscard]] capture::RecordDetails details_of(std::uint64_t id) noexcept;
inline constexpr capture::ModuleHooks kHooks = {
    .schema = &kSchema,
    .after_fork = after_fork,
    .rehearse = rehearse,
    .operations = {log::crash::Operation::kOpen, log::crash::Operation::kOther},
    .details = details_of};

// The record of a file, made on first use. Null: no memory, or the module is off.
PosixFile* record_of(capture::File* file) noexcept;
// The record behind a descriptor; found first where it is brief until now, or inherited through a fork.
[[gnu::cold]] PosixFile* resolve(capture::Descriptor* slot, capture::Target target) noexcept;
inline PosixFile* record_of(capture::HeldTarget held) noexcept {
  if ((held.target & capture::kTargetFlags) == 0) [[likely]]
    return held.as<PosixFile>();
  return resolve(held.slot, held.target);
}
// The file behind a descriptor; makes no record of it.
capture::File* file_of(capture::HeldTarget held) noexcept;
static_assert(alignof(PosixFile) > capture::kTargetFlags && alignof(capture::File) > capture::kTargetFlags);

// Where an access begins whose descriptor was closed while it was under way: behind the one before.
[[gnu::cold]] std::int64_t behind_last(PosixFile& file, Direction direction) noexcept;

}  // namespace trikal::modules::posix
