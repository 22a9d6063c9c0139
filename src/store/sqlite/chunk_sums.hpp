#pragma once
// Sums of the events of a chunk, kept beside it: most questions are answered from them, without the events.
// Format: docs/formats/store.md.

#include <span>
#include <vector>

#include "store/event_sums.hpp"
#include "stream/wire/ring.hpp"

namespace trikal::storage {

// By time, thread and operation, or by file, call site and operation.
enum class ChunkSumsBy : std::uint8_t { kTime, kFile };

struct ChunkSum {
  std::int64_t first = 0;  // begin of the unit of time (since 1970); or the file
  std::uint64_t second = 0;  // the thread, or the call site
  std::uint32_t operation = 0;
  EventSum sum;
};

struct ChunkSums {
  stream::Nanoseconds unit = 0;  // of time; 0: by file
  std::vector<ChunkSum> rows;
};

// Empty: the chunk has so many groups that sums would help nobody.
[[nodiscard]] std::vector<std::byte> make_chunk_sums(std::span<const stream::EventRecord> events, ChunkSumsBy by);
// False: damaged.
[[nodiscard]] bool read_chunk_sums(Bytes bytes, ChunkSums& into);

}  // namespace trikal::storage
