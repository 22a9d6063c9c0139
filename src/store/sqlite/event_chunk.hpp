#pragma once
// A chunk of events as the store keeps it: the columns of stream/wire/event_columns.hpp with a checksum, compressed or as they
// are. Format: docs/formats/store.md.

#include <vector>

#include "stream/wire/event_columns.hpp"

namespace trikal::storage {

inline constexpr std::size_t kMostInChunk = 8192;  // events

enum class Packing : std::uint8_t { kPlain = 0, kDeflate = 1 };

[[nodiscard]] Result<std::vector<std::byte>> make_chunk(std::span<const stream::EventRecord> events,
                                                        std::span<const stream::EventDetails> details, Packing packing);

// A chunk that is being read.
class EventChunk {
 public:
  // The bytes must stay where they are only if they are not compressed.
  static Result<EventChunk> open(Bytes bytes);
  [[nodiscard]] const stream::EventColumns& columns() const { return columns_; }

 private:
  std::vector<std::byte> inflated_;
  stream::EventColumns columns_;
};

}  // namespace trikal::storage
