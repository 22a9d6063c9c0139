#pragma once
// One event for each observed call that succeeded. A module tells it and does not know who listens: modules/listeners.cpp
// names the listeners. Calls that failed are in the table of errors (records/errors.hpp).

#include <cstdint>

#include "capture/session/hooks.hpp"
#include "capture/session/session.hpp"
#include "log/crash/operation.hpp"

namespace trikal::capture {

using log::crash::Operation;

// A transfer of HDF5's: what of its dataset it was about. Lives until the listeners have heard of it. The dataset is the event's
// file, whose name ends in the dataset's.
struct Hdf5Transfer {
  enum class Kind : std::uint8_t { kWhole, kPoints, kRegular, kIrregular };
  Kind kind = Kind::kWhole;
  std::int64_t elements = 0;  // that were selected
  std::int64_t dimensions = 0, dataset_elements = 0;  // of the dataset
  std::uint64_t file = 0;  // that it lies in: id of that record
  // How often each kind was used on this dataset up to now, this transfer counted.
  std::int64_t point_selects = 0, regular_selects = 0, irregular_selects = 0;
};

struct Event {
  static constexpr std::int64_t kNoOffset = -1;  // none, or one that only the library knows (a view of MPI's)

  Operation operation;  // names its interface: log::crash::interface_of
  std::uint64_t file;  // id of its record
  Span when;
  std::int64_t offset = kNoOffset;
  std::int64_t length = 0;  // bytes moved
  const Hdf5Transfer* hdf5 = nullptr;  // null: it is none
  // The thread is thread_number(), the call site is `caller` (interpose/caller.hpp).
};

// Somebody wants every event, not only sums over slices of time. Set before the session runs.
extern constinit bool every_event_is_heard;

[[gnu::noinline, gnu::cold]] void tell_listeners(const Event& event) noexcept;

// Under the guard, no lock held. In registers: the event is put together only where somebody listens.
inline void tell(Operation operation, std::uint64_t file, Span when, std::int64_t offset = Event::kNoOffset,
                 std::int64_t length = 0, const Hdf5Transfer* transfer = nullptr) noexcept {
  if (every_event_is_heard) [[unlikely]]
    tell_listeners({operation, file, when, offset, length, transfer});
}

// What the record that an event is about has counted, the event included where data moved.
[[nodiscard]] RecordDetails ask_details(const Event& event) noexcept;
// Before an operation goes where others read it: one that only its module knows is named in the map, once.
void name_operation(Operation operation) noexcept;
void forget_named_operations() noexcept;  // in a forked child, which has a map of its own

// Interfaces whose data is added up in slices of time.
enum Flow : std::uint8_t { kPosixFlow, kStdioFlow, kMpiioFlow, kFlows };

[[nodiscard]] constexpr bool is_read(Operation operation) noexcept {
  switch (operation) {
    case Operation::kRead:
    case Operation::kStreamRead:
    case Operation::kMpiRead:
    case Operation::kMpiCollectiveRead:
    case Operation::kMpiSplitRead:
    case Operation::kMpiNonblockingRead: return true;
    default: return false;
  }
}
[[nodiscard]] constexpr Flow flow_of(Operation operation) noexcept {
  if (operation == Operation::kRead || operation == Operation::kWrite) return kPosixFlow;
  return operation == Operation::kStreamRead || operation == Operation::kStreamWrite ? kStdioFlow : kMpiioFlow;
}

// Bytes moved in one slice of time, added up where the event is told: nearly every access falls into the same slice as the
// one before, and a call to a listener would cost more than the addition. Whoever fills slices sets it, and leaves it
// unset where every event is heard.
struct Tally {
  double begin = 1, end = 0;  // nothing falls in between: not set
  Ticks from = 1, until = 0;  // the same, as the counter reads
  std::int64_t* sums[2] = {};  // written and read
};
extern constinit thread_local Tally tallies[kFlows];
// The same where every event is heard: then the way to the listeners is taken all the same, and only the heat map is spared.
extern constinit thread_local Tally tallies_of_heard[kFlows];

// Data moved, and no slice is ready for it. In registers: the event is put together only where it is needed.
[[gnu::noinline, gnu::cold]] void tell_moved(Operation operation, std::uint64_t file, Span when, std::int64_t offset,
                                             std::int64_t length) noexcept;

// As tell, where data moved.
inline void tell_data(const Event& event) noexcept {
  const Tally& tally = tallies[flow_of(event.operation)];
  if (event.when.begin < tally.begin || event.when.end >= tally.end) [[unlikely]]
    return tell_moved(event.operation, event.file, event.when, event.offset, event.length);
  *tally.sums[is_read(event.operation)] += event.length;
}

// The same of an access of which no more than the counter is known.
inline void tell_data(Operation operation, std::uint64_t file, TickInterval when, std::int64_t offset,
                      std::int64_t length) noexcept {
  const Tally& tally = tallies[flow_of(operation)];
  if (when.begin < tally.from || when.end >= tally.until) [[unlikely]]
    return tell_moved(operation, file, when, offset, length);
  *tally.sums[is_read(operation)] += length;
}

// A small number for this thread, counted from 0: for tables that threads share without getting in each other's way.
[[nodiscard]] std::uint32_t thread_number() noexcept;

}  // namespace trikal::capture
