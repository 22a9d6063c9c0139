#pragma once
// What each POSIX call means for the counters. Ordinary functions on ordinary records: the doors call them, tests
// call them without preloading anything.

#include <sys/types.h>
#include <sys/uio.h>

#include "capture/records/common_values.hpp"
#include "capture/records/timer.hpp"
#include "capture/session/session.hpp"
#include "modules/posix/schema.hpp"
#include "schema/record.hpp"

namespace trikal::modules::posix {

using capture::Span;

enum class Direction : std::uint8_t { kNone, kRead, kWrite };

// What one direction of access remembers.
struct Stream {
  std::int64_t last_byte = 0;  // of the access before
  double end = 0;              // when it ended
};

// A file's record, and what must be remembered between calls. Lies in the crash map; only `record` goes to the log.
struct PosixFile {
  Record<kSchema> record;
  capture::Spin lock;
  Direction last_direction = Direction::kNone;
  double meta_end = 0;
  std::int64_t known_size = 0;  // for appends
  Stream reading, writing;
  capture::CommonValues sizes, strides;
};
static_assert(sizeof(PosixFile) % 8 == 0);

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
void count_read(PosixFile& file, Span when, std::int64_t offset, std::int64_t bytes, bool misaligned) noexcept;
void count_write(PosixFile& file, Span when, std::int64_t offset, std::int64_t bytes, bool misaligned) noexcept;
inline void has_read(PosixFile& file, Span when, const Access& access) noexcept {
  count_read(file, when, access.offset, access.bytes, access.misaligned);
}
inline void has_written(PosixFile& file, Span when, const Access& access) noexcept {
  count_write(file, when, access.offset, access.bytes, access.misaligned);
}
void sought(PosixFile& file, Span when) noexcept;
void stated(PosixFile& file, Span when) noexcept;
void mapped(PosixFile& file) noexcept;
void synced(PosixFile& file, Span when, bool data_only) noexcept;
void descriptor_asked(PosixFile& file) noexcept;  // fileno of the stream over it
void renamed(PosixFile& file, Span when) noexcept;
void renamed_from(PosixFile& file, std::uint64_t source) noexcept;

// Where an append lands: behind everything this process knows to be in the file.
[[nodiscard]] std::int64_t end_of_file(PosixFile& file) noexcept;
void reaches(PosixFile& file, std::int64_t size) noexcept;  // the file is at least so long

// In a forked child.
void after_fork() noexcept;

// The record of a file, made on first use. Null: no memory, or the module is off.
PosixFile* record_of(capture::File* file) noexcept;
// The record behind a descriptor, adopting it first if it was inherited through a fork.
PosixFile* record_of(capture::Descriptor& descriptor) noexcept;

}  // namespace trikal::modules::posix
