#pragma once
// Sums of the events of a chunk, kept beside it: most questions are answered from them, without the events.
// Format: docs/formats/store.md.

#include <span>
#include <vector>

#include "store/event_sums.hpp"
#include "stream/wire/ring.hpp"

namespace trikal::storage {

// By time, thread and operation, without longest and histograms, twice: in short units for who looks closely, in long ones for
// who looks at a whole run; by thread and operation; by file, call site and operation.
enum class ChunkSumsBy : std::uint8_t { kTime, kLongTime, kCall, kFile };

struct ChunkSum {
  stream::Nanoseconds time = 0;  // begin of the unit of time, since 1970
  std::uint64_t file = 0, call_site = 0;
  std::uint32_t thread = 0, operation = 0;
  EventSum sum;
};

struct ChunkSums {
  stream::Nanoseconds unit = 0;  // of time; 0: not by time
  std::vector<ChunkSum> rows;
};

// Units of time are so many milliseconds as a power of two, so that each is made of whole smaller ones.
inline constexpr stream::Nanoseconds kLeastUnit = 1'000'000;

// Empty: the chunk has so many groups that sums would help nobody.
[[nodiscard]] std::vector<std::byte> make_chunk_sums(std::span<const stream::EventRecord> events, ChunkSumsBy by);
// False: damaged, or of another kind.
[[nodiscard]] bool read_chunk_sums(Bytes bytes, ChunkSumsBy by, ChunkSums& into);

}  // namespace trikal::storage
