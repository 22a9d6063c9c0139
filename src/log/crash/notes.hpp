#pragma once
// What observed processes noted besides records: programs they started that cannot be seen, phases they named, hints
// they gave MPI, call sites. Sections "unseen", "phases", "mpiio_hints" and "sites" of the trailer.
// Nothing here allocates.

#include <span>

#include "base/program_kind.hpp"
#include "log/crash/call_sites.hpp"
#include "log/crash/to_log.hpp"
#include "log/trailer/writer.hpp"

namespace trikal::log::crash {

// What a reader of the maps knows besides: the row of process 0.
struct UnseenRow {
  Unseen why = Unseen::kNothing;
  std::uint64_t count = 0;
  std::string_view what;
};

// `processes`: all of the job, also those without records (rank -1). Sections without rows are left out.
[[nodiscard]] Status put_notes(TrailerWriter& trailer, std::span<const Process> processes, const SiteNames& names = {},
                               std::span<const UnseenRow> more = {}) noexcept;

// Calls use(const Slot&) for every whole slot of a kind.
template <class Slot, class Use>
void for_each_note(const MapView& map, ChunkKind kind, const Use& use) {
  map.for_each_chunk([&](const Chunk& chunk, Bytes slots) {
    if (chunk.kind != kind || chunk.stride != sizeof(Slot)) return;
    for (std::size_t at = 0; at + sizeof(Slot) <= slots.size(); at += sizeof(Slot))
      use(*reinterpret_cast<const Slot*>(slots.data() + at));
  });
}

// The same of a map that need not be fetched where it has none.
template <class Slot, class Use>
void for_each_note(const MapRef& map, ChunkKind kind, const Use& use) {
  if (map.contents().has(kind)) for_each_note<Slot>(*map, kind, use);
}

[[nodiscard]] inline std::string_view path_of(const UnseenSlot& slot) noexcept {
  return {slot.path, slot.path_bytes < UnseenSlot::kPathBytes ? slot.path_bytes : UnseenSlot::kPathBytes};
}
[[nodiscard]] inline std::string_view key_of(const HintSlot& slot) noexcept {
  return {slot.key, slot.key_bytes < HintSlot::kKeyBytes ? slot.key_bytes : HintSlot::kKeyBytes};
}
[[nodiscard]] inline std::string_view value_of(const HintSlot& slot) noexcept {
  return {slot.value, slot.value_bytes < HintSlot::kValueBytes ? slot.value_bytes : HintSlot::kValueBytes};
}
[[nodiscard]] inline std::string_view name_of(const PhaseSlot& slot) noexcept {
  return {slot.name, slot.name_bytes < PhaseSlot::kNameBytes ? slot.name_bytes : PhaseSlot::kNameBytes};
}

}  // namespace trikal::log::crash
