#pragma once
// What each call of MPI-IO means for the counters.

#include "capture/mpi/library.hpp"
#include "capture/records/common_values.hpp"
#include "capture/records/record_details.hpp"
#include "capture/records/timer.hpp"
#include "capture/session/hooks.hpp"
#include "capture/session/session.hpp"
#include "modules/mpiio/schema.hpp"
#include "schema/record.hpp"

namespace trikal::modules::mpiio {

using capture::MpiHandle;
using capture::Span;

enum class Direction : std::uint8_t { kNone, kRead, kWrite };

struct alignas(64) MpiFile {
  Record<kSchema> record;
  capture::Spin lock;
  Direction last_direction = Direction::kNone;
  double read_end = 0, write_end = 0, meta_end = 0;
  capture::CommonValues sizes;
};

// How a transfer was asked for; the counters of the module know four ways.
enum class Way : std::uint8_t { kIndependent, kCollective, kSplit, kNonblocking };

struct Transfer {
  Direction direction;
  Way way;
  std::int64_t bytes;
  std::int64_t offset;  // byte in the file; -1: not known
};

// The open files of this process by their handles.
class Handles {
 public:
  [[nodiscard]] MpiFile* find(MpiHandle handle) noexcept;
  void set(MpiHandle handle, MpiFile* file) noexcept;
  void forget(MpiHandle handle) noexcept;
  void after_fork() noexcept;

 private:
  struct Entry {
    MpiHandle handle = 0;  // 0: free, and no handle of any flavour's
    MpiFile* file = nullptr;
  };
  static constexpr unsigned kEntryBits = 12;
  static constexpr std::size_t kEntries = 1U << kEntryBits;  // open at once; a file more than that is not seen
  [[nodiscard]] static std::size_t first_slot_of(MpiHandle handle) noexcept;
  [[nodiscard]] Entry* entry_of(MpiHandle handle) noexcept;

  capture::Spin lock_;
  bool used_ = false;  // a process that forks need not copy what it never touched
  Entry entries_[kEntries];
};
extern constinit Handles handles;

// The record of the file that MPI was given that name for, null if it is not watched.
MpiFile* record_at(const char* path) noexcept;
MpiFile* known_record_at(const char* path) noexcept;  // only if it has one

struct Open {
  int mode = 0;
  bool alone = false;  // by a communicator of one process
  bool hints = false;
};
void opened(MpiFile& file, Span when, const Open& how) noexcept;
void closed(MpiFile& file, Span when) noexcept;
void synced(MpiFile& file, Span when) noexcept;
void viewed(MpiFile& file, Span when, bool hints) noexcept;
void managed(MpiFile& file, Span when) noexcept;  // what has no counter of its own takes time all the same
void moved(MpiFile& file, Span when, const Transfer& transfer) noexcept;
// The rest of a transfer that was begun earlier: from `when.begin` on it was under way.
void finished(MpiFile& file, Span when, const Transfer& transfer) noexcept;

void after_fork() noexcept;
inline constexpr capture::ModuleHooks kHooks = {
    .schema = &kSchema,
    .after_fork = after_fork,
    .operations = {log::crash::Operation::kMpiOpen, log::crash::Operation::kMpiSetView},
    .details = capture::details_of<MpiFile, kSchema, capture::kMpiioSlot>};

}  // namespace trikal::modules::mpiio
