#include "log/crash/self_cost.hpp"

#include "schema/live_order.hpp"

namespace trikal::log::crash {
namespace {

constexpr double kPicosecond = 1e-12, kNanosecond = 1e-9;

// Of all records of a chunk; what was not observed is -1 there. Unsigned: a map may hold anything.
std::uint64_t calls_in(const ModuleSchema& schema, const Chunk& chunk, Bytes slots) noexcept {
  const bool brief = chunk.kind == ChunkKind::kBriefs;
  if (chunk.record_bytes != (brief ? schema.brief_bytes : schema.head_bytes)) return 0;
  std::uint64_t calls = 0;
  for (std::size_t at = 0; at + chunk.stride <= slots.size(); at += chunk.stride) {
    const std::byte* counters = slots.data() + at + schema.counters_at;
    if (brief && has_moved(slots.data() + at)) continue;
    for (const std::size_t slot : schema.calls) {
      if (schema.counters_at + 8 * live_place(schema, slot) >= chunk.record_bytes) continue;
      const auto count = load<std::int64_t>(counters + 8 * live_place(schema, slot));
      if (count > 0) calls += static_cast<std::uint64_t>(count);
    }
  }
  return calls;
}

std::uint64_t failed_in(std::uint32_t module, const Chunk& chunk, Bytes slots) noexcept {
  if (chunk.record_bytes != sizeof(ErrorSlot)) return 0;
  std::uint64_t calls = 0;
  for (std::size_t at = 0; at + chunk.stride <= slots.size(); at += chunk.stride) {
    const auto slot = load<ErrorSlot>(slots.data() + at);
    if (slot.module == module && slot.count > 0) calls += static_cast<std::uint64_t>(slot.count);
  }
  return calls;
}

std::uint64_t calls_of(const MapView& map, const ModuleSchema& schema) noexcept {
  std::uint64_t calls = 0;
  map.for_each_chunk([&](const Chunk& chunk, Bytes slots) {
    if (chunk.kind == ChunkKind::kErrors) calls += failed_in(schema.id, chunk, slots);
    if (chunk.module != schema.id) return;
    if (holds_records(chunk)) calls += calls_in(schema, chunk, slots);
    if (chunk.kind == ChunkKind::kExtras && schema.extra != nullptr) calls += calls_in(*schema.extra, chunk, slots);
  });
  if (schema.runs == nullptr) return calls;
  for_each_run(map, schema, [&](const std::byte* run) {
    const std::int64_t count = load<RunHead>(run).count;
    if (count > 0) calls += static_cast<std::uint64_t>(count);
  });
  return calls;
}

}  // namespace

SelfCost self_cost(const MapView& map, Schemas schemas) noexcept {
  const SelfFacts& self = map.header().self;
  SelfCost cost;
  cost.session = kNanosecond * static_cast<double>(self.session.load(std::memory_order_relaxed));
  for (const ModuleSchema* schema : schemas) {
    if (schema->calls.empty()) continue;
    const std::uint64_t calls = calls_of(map, *schema);
    cost.calls += calls;
    for (const CallCost& one : self.costs) {
      if (one.module == schema->id) cost.noting += kPicosecond * one.picoseconds * static_cast<double>(calls);
    }
  }
  return cost;
}

}  // namespace trikal::log::crash
