#pragma once
// What modules tell whoever listens: data moved. A module does not know its listeners; modules/capture_list.cpp does.

#include <cstdint>

#include "capture/session/session.hpp"

namespace trikal::capture {

// The interface that saw it.
enum ModuleSlot : std::uint8_t {
  kPosixSlot,
  kStdioSlot,
  kMpiioSlot,
  kModuleCount,
  kPosixExtraSlot = kModuleCount,  // what their records have no counters for
  kStdioExtraSlot,
  kH5fSlot,  // whose data moves through the modules above
  kH5dSlot,
  kPosixBriefSlot,  // until there is more to say
};
static_assert(kPosixBriefSlot < File::kModules);

struct Moved {
  ModuleSlot by;
  bool read;
  std::uint64_t id;  // of the file
  Span when;
  std::int64_t offset;
  std::int64_t bytes;
};

// Bytes moved in one slice of time, added up where the fact is raised: nearly every access falls into the same slice
// as the one before, and a call to a listener would cost more than the addition. Whoever fills slices sets it.
struct Tally {
  double begin = 1, end = 0;    // nothing falls in between: not set
  Ticks from = 1, until = 0;    // the same, as the counter reads
  std::int64_t* sums[2] = {};  // written and read
};
extern constinit thread_local Tally tallies[kModuleCount];

// An access no slice is ready for. In registers: the fact is put together only where it is needed.
[[gnu::noinline, gnu::cold]] void raise_slowly(ModuleSlot by, bool read, std::uint64_t id, Span when,
                                               std::int64_t offset, std::int64_t bytes) noexcept;

// Under the guard, no lock held.
inline void raise(const Moved& fact) noexcept {
  const Tally& tally = tallies[fact.by];
  if (fact.when.begin < tally.begin || fact.when.end >= tally.end) [[unlikely]]
    return raise_slowly(fact.by, fact.read, fact.id, fact.when, fact.offset, fact.bytes);
  *tally.sums[fact.read] += fact.bytes;
}

// The same of an access of which no more than the counter is known.
inline void raise(ModuleSlot by, bool read, std::uint64_t id, TickInterval when, std::int64_t offset,
                  std::int64_t bytes) noexcept {
  const Tally& tally = tallies[by];
  if (when.begin < tally.from || when.end >= tally.until) [[unlikely]]
    return raise_slowly(by, read, id, when, offset, bytes);
  *tally.sums[read] += bytes;
}

// A small number for this thread, counted from 0: for tables that threads share without getting in each other's way.
[[nodiscard]] std::uint32_t thread_number() noexcept;

}  // namespace trikal::capture
