#pragma once
// A crash map, read. Its bytes may be anything: every chunk is checked before it is believed. No heap, so that a
// process can make a log of its own map.

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "log/crash/layout.hpp"
#include "schema/module.hpp"

namespace trikal::log::crash {

class MapView {
 public:
  // Of a whole file, or of a process's own memory. `bytes` must stay.
  static Result<MapView> open(Bytes bytes) noexcept;

  [[nodiscard]] const Header& header() const noexcept { return *header_; }
  [[nodiscard]] Bytes bytes() const noexcept { return bytes_; }
  [[nodiscard]] std::string_view arguments() const noexcept;  // each ended by a NUL, the last one perhaps not
  [[nodiscard]] std::string_view program() const noexcept;    // its file; empty if unknown
  [[nodiscard]] std::string_view mounts() const noexcept;  // "\n<type>\t<path>" each

  // Calls use(const Chunk&, Bytes slots) for every sound chunk; slots are those that are valid. Where a chunk is not
  // sound (the file was cut, a wild pointer of the program's wrote here), the walk goes on at the next one that is.
  template <class Use>
  void for_each_chunk(const Use& use) const {
    for (Found found = find(kHeaderBytes); found.chunk != nullptr; found = find(found.next))
      use(*found.chunk, found.slots);
  }

  // The first offset where something is missing, if any.
  [[nodiscard]] Status damage() const noexcept;

 private:
  struct Found {
    const Chunk* chunk = nullptr;
    Bytes slots;
    std::size_t at = 0, next = 0;
  };

  explicit MapView(Bytes bytes) noexcept;
  // The first chunk at or behind `at`.
  [[nodiscard]] Found find(std::size_t at) const noexcept;
  [[nodiscard]] bool is_chunk(std::size_t at) const noexcept;
  [[nodiscard]] const Chunk* chunk_at(std::size_t at) const noexcept {
    return reinterpret_cast<const Chunk*>(bytes_.data() + at);
  }

  Bytes bytes_;
  const Header* header_;
  std::size_t used_;
};

// Walks the names of a kNames chunk: use(u64 id, string_view name).
template <class Use>
void for_each_name(Bytes slots, const Use& use) {
  while (slots.size() >= 12) {
    const auto length = load<std::uint32_t>(slots.data() + 8);
    const std::size_t bytes = (12 + std::size_t{length} + 7) / 8 * 8;
    if (bytes > slots.size()) return;
    use(load<std::uint64_t>(slots.data()), std::string_view(reinterpret_cast<const char*>(slots.data()) + 12, length));
    slots = slots.subspan(bytes);
  }
}

[[nodiscard]] inline bool holds_records(const Chunk& chunk) noexcept {
  return chunk.kind == ChunkKind::kRecords || chunk.kind == ChunkKind::kBriefs;
}
[[nodiscard]] inline bool has_moved(const std::byte* brief) noexcept { return load<std::int64_t>(brief + 8) == kMoved; }

inline constexpr std::size_t kLargestRecord = 4096;

// Calls use(slot) for every record of a module as it lies in the map; of brief ones a copy, whole.
template <class Use>
void for_each_slot(const MapView& map, const ModuleSchema& schema, const Use& use) {
  const std::uint32_t bytes = schema.live != nullptr ? schema.live->bytes : schema.head_bytes;
  alignas(8) std::byte whole[kLargestRecord];  // NOLINT: cleared where there are brief ones
  if (schema.brief_bytes > 0) std::memset(whole, 0, std::min<std::size_t>(bytes, kLargestRecord));
  map.for_each_chunk([&](const Chunk& chunk, Bytes slots) {
    if (!holds_records(chunk) || chunk.module != schema.id) return;
    const bool brief = chunk.kind == ChunkKind::kBriefs;
    if (chunk.record_bytes != (brief ? schema.brief_bytes : bytes) || chunk.stride < chunk.record_bytes) return;
    for (std::size_t at = 0; at + chunk.stride <= slots.size(); at += chunk.stride) {
      const std::byte* slot = slots.data() + at;
      if (!brief) use(slot);
      else if (!has_moved(slot)) std::memcpy(whole, slot, schema.brief_bytes), use(std::as_const(whole) + 0);
    }
  });
}

// Calls use(run) for every run of a module.
template <class Use>
void for_each_run(const MapView& map, const ModuleSchema& schema, const Use& use) {
  map.for_each_chunk([&](const Chunk& chunk, Bytes slots) {
    if (chunk.kind != ChunkKind::kRuns || chunk.module != schema.id || chunk.record_bytes != schema.runs->bytes ||
        chunk.stride < schema.runs->bytes)
      return;
    for (std::size_t at = 0; at + chunk.stride <= slots.size(); at += chunk.stride) use(slots.data() + at);
  });
}

}  // namespace trikal::log::crash
