#pragma once
// Crash maps put together by hand, right or wrong, for unit tests and fuzzers.

#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "log/crash/layout.hpp"
#include "log/crash/trace_code.hpp"

namespace testing {}
namespace trikal::testing {
using namespace ::testing;  // for a test beside this one in a group: it means GoogleTest's by testing::Test

class MapBuilder {
 public:
  // The header of a process that ran from second 1000 to 1002 and ended by itself; no chunks.
  MapBuilder();

  struct Shape {
    log::crash::ChunkKind kind = log::crash::ChunkKind::kOther;
    std::uint32_t module = 0;
    std::uint32_t stride = 1;
    std::uint32_t record_bytes = 0;
    std::uint32_t slots = 0;
  };
  // Where it lies. References into the map are good until the next chunk is added.
  std::size_t add_chunk(const Shape& shape);
  // One more valid slot; `slot` may be shorter than the stride.
  void add_slot(std::size_t chunk, Bytes slot);
  // A chunk of one slot.
  std::size_t add_one(log::crash::ChunkKind kind, std::uint32_t module, Bytes slot);
  void add_name(std::size_t chunk, std::uint64_t id, std::string_view name);
  // Arguments are ended by a NUL each.
  void set_text(std::string_view arguments, std::string_view program, std::string_view mounts);

  [[nodiscard]] log::crash::Header& header() { return *reinterpret_cast<log::crash::Header*>(at(0)); }
  [[nodiscard]] log::crash::Chunk& chunk(std::size_t where) { return *reinterpret_cast<log::crash::Chunk*>(at(where)); }
  [[nodiscard]] std::byte* at(std::size_t offset) { return reinterpret_cast<std::byte*>(words_.data()) + offset; }
  [[nodiscard]] Bytes bytes() const { return std::as_bytes(std::span(words_)); }

 private:
  std::vector<std::uint64_t> words_;  // of words: a map is aligned
};

// The bytes of a slot.
template <class Slot>
[[nodiscard]] Bytes slot_bytes(const Slot& slot) {
  return std::as_bytes(std::span(&slot, 1));
}

// A chunk of events, as a process writes them.
void add_trace_stream(MapBuilder& map, std::uint32_t stream, std::span<const log::crash::TraceEvent> events);

// Something of every kind: names, a record and extra counters of every module that is captured, errors, an unseen
// program, phases, a hint, call sites, a trace.
[[nodiscard]] MapBuilder map_of_everything();

}  // namespace trikal::testing
