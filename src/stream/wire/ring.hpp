#pragma once
// The file of event rings: what an observed process tells while it runs, where that is asked for (TRIKAL_EVENTS). Beside the
// crash map, by the same rules: a file in node-local memory, mapped shared, for this user alone. Written by src/capture inside the
// application, read by src/gather/rings, which must take it for hostile input. docs/formats/events.md describes it.
//
// A header, then rings one behind the other. A ring has one producer, the thread that owns it, and one consumer, the reader. The
// producer fills a slot and then publishes it (head, release); what it published is there whatever becomes of it. When the ring is
// full the event is dropped and counted. So emitted = head + dropped at every instant, and stored = head.

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "log/crash/layout.hpp"

namespace trikal::stream {

inline constexpr std::uint64_t kRingMagic = 0x474e524c414b5254ULL;  // "TRKALRNG"
inline constexpr std::uint32_t kRingLayout = 1;
inline constexpr std::uint32_t kRingMark = 0x474e4952;  // "RING"

// One event.
struct EventRecord {
  static constexpr std::int64_t kNoOffset = -1;
  std::int64_t begin = 0;  // nanoseconds since 1970
  std::int64_t duration = 0;  // nanoseconds
  std::int64_t offset = kNoOffset;
  std::int64_t length = 0;  // bytes moved
  std::uint64_t file = 0;  // id of the record; the crash map has its name
  std::uint64_t call_site = 0;  // call_site_of; 0: not asked for, or not known
  std::uint32_t thread = 0;  // counted from 0 in each process
  std::int32_t rank = -1;  // of MPI or the launcher; -1: none
  std::uint16_t operation = 0;  // log/crash/operation.hpp
  std::uint16_t zero = 0;
  std::uint32_t sequence = 0;  // counts the thread's events, dropped ones as well: a thread may use several rings
  bool operator==(const EventRecord&) const = default;
};
static_assert(sizeof(EventRecord) == 64);

// Where the call came from: the number of an object in the crash map, and an offset in it.
inline constexpr unsigned kObjectShift = 48;
[[nodiscard]] constexpr std::uint64_t call_site_of(std::uint64_t object, std::uint64_t offset) noexcept {
  return object == 0 || object >= (1U << 16) || (offset >> kObjectShift) != 0 ? 0 : object << kObjectShift | offset;
}

// Behind each event where details are asked for: what the record had counted; -1: not counted.
struct EventDetails {
  std::int64_t highest_read = -1, highest_written = -1, switches = -1, flushes = -1;
  // Of a transfer of HDF5's; dimensions -1: it is none.
  std::int64_t selected = -1, dataset_elements = -1;
  std::int32_t point_selects = -1, regular_selects = -1;
  std::int32_t irregular_selects = -1;
  std::int16_t dimensions = -1;
  std::uint16_t selection = 0;  // 0 the whole dataset, 1 points, 2 regular hyperslab, 3 irregular hyperslab
  bool operator==(const EventDetails&) const = default;
};
static_assert(sizeof(EventDetails) == 64);

struct Ring {
  // Written by the producer alone.
  alignas(64) std::atomic<std::uint64_t> head{0};  // events published since the file was made
  std::atomic<std::uint64_t> dropped{0};  // the ring was full
  std::atomic<std::uint64_t> sampled_out{0};  // not emitted: one in N is
  std::atomic<std::uint64_t> filtered{0};  // not emitted: of other files, operations or times
  // Written by the consumer alone.
  alignas(64) std::atomic<std::uint64_t> tail{0};  // events taken
  std::atomic<std::uint64_t> dropped_seen{0};  // as it has told it by thread
  // Set by whoever owns the ring; a ring of a thread that is gone is taken by another once all of it was read.
  alignas(64) std::uint32_t mark = 0;
  std::uint32_t slots = 0;  // a power of two
  std::uint32_t stride = 0;  // 64, or 128 with details
  std::uint32_t bytes = 0;  // to the next ring
  std::atomic<std::uint32_t> owner{0};  // the kernel's number of the thread; 0: none
  std::atomic<std::uint32_t> thread{0};  // its number in the process
};
static_assert(sizeof(Ring) == 192 && std::atomic<std::uint64_t>::is_always_lock_free);

struct RingFileHeader {
  std::uint64_t magic = 0;  // written last when the file is made
  std::uint32_t layout = 0;
  std::uint32_t header_bytes = 0;
  std::atomic<std::uint64_t> used{0};  // bytes, header included
  std::uint32_t stride = 0;
  std::uint32_t sample = 1;  // one event in so many is emitted
  log::crash::Identity identity;
  std::int64_t epoch = 0;  // nanoseconds since 1970 when the process's clock began
  std::atomic<std::uint64_t> without_ring{0};  // dropped: events of threads that found no memory for a ring
  std::atomic<std::uint64_t> without_ring_seen{0};  // as far as a reader has told them
  std::atomic<std::uint32_t> readers{0};  // that have read here: then they remove the file
  // Of the process, as its map has it: part of its number in batches.
  std::int64_t start_sec = 0, start_nsec = 0;
};
inline constexpr std::size_t kRingFileHeaderBytes = 4096;
static_assert(sizeof(RingFileHeader) <= kRingFileHeaderBytes);

inline constexpr std::uint32_t kLeastSlots = 256, kMostSlots = 131072;

}  // namespace trikal::stream
