#include "log/crash/self_cost.hpp"

#include <algorithm>
#include <array>

#include "schema/live_order.hpp"

namespace trikal::log::crash {
namespace {

using Slots = std::span<const std::size_t>;

constexpr double kPicosecond = 1e-12, kNanosecond = 1e-9;
constexpr double kAssumedCost = 50 * kNanosecond;  // of a call, by processes that ended before they had measured it

// Where records have their numbers of calls. Asked once, not for each record.
class CallCounters {
 public:
  CallCounters(const ModuleSchema& schema, Slots which, std::size_t record_bytes) noexcept {
    for (const std::size_t slot : which) {
      const std::size_t at = schema.counters_at + 8 * live_slot(schema, slot);
      if (at + 8 <= record_bytes && count_ < offsets_.size()) offsets_[count_++] = static_cast<std::uint16_t>(at);
    }
  }
  // What was not observed is -1. Unsigned: a map may hold anything.
  [[nodiscard]] std::uint64_t calls(const std::byte* record) const noexcept {
    std::uint64_t calls = 0;
    for (const std::uint16_t offset : std::span(offsets_).first(count_))
      calls += static_cast<std::uint64_t>(std::max<std::int64_t>(load<std::int64_t>(record + offset), 0));
    return calls;
  }

 private:
  std::array<std::uint16_t, kLargestRecord / 8> offsets_;  // NOLINT: filled as counted
  std::size_t count_ = 0;
};

// Of all records of a chunk.
std::uint64_t calls_in(const ModuleSchema& schema, Slots which, const Chunk& chunk, Bytes slots) noexcept {
  const bool brief = chunk.kind == ChunkKind::kBriefs;
  if (chunk.record_bytes != (brief ? schema.brief_bytes : schema.head_bytes)) return 0;
  const CallCounters counters(schema, which, chunk.record_bytes);
  std::uint64_t calls = 0;
  for (std::size_t at = 0; at + chunk.stride <= slots.size(); at += chunk.stride) {
    if (!brief || !has_moved(slots.data() + at)) calls += counters.calls(slots.data() + at);
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
    if (holds_records(chunk)) calls += calls_in(schema, schema.calls, chunk, slots);
    if (chunk.kind == ChunkKind::kExtras && schema.extra != nullptr)
      calls += calls_in(*schema.extra, schema.extra->calls, chunk, slots);
  });
  if (schema.runs == nullptr) return calls;
  for_each_run(map, schema, [&](const std::byte* run) {
    const std::int64_t count = load<RunHead>(run).count;
    if (count > 0) calls += static_cast<std::uint64_t>(count);
  });
  return calls;
}

// Calls that were counted but not timed, which takes next to nothing. Extra counters tell, by the ends of their names.
std::uint64_t untimed_of(const MapView& map, const ModuleSchema& schema) noexcept {
  std::uint64_t calls = 0;
  std::size_t slot = 0;
  if (schema.extra == nullptr) return calls;
  for (const Counter& counter : schema.extra->counters) {
    const std::size_t first = slot;
    slot += counter.width();
    if (!counter.name.ends_with("_NOT_TIMED")) continue;
    map.for_each_chunk([&](const Chunk& chunk, Bytes slots) {
      if (chunk.module == schema.id && chunk.kind == ChunkKind::kExtras)
        calls += calls_in(*schema.extra, {&first, 1}, chunk, slots);
    });
  }
  return calls;
}

double cost_of_call(const SelfFacts& self, std::uint32_t module) noexcept {
  bool measured = false;
  for (const CallCost& one : self.costs) {
    if (one.picoseconds != 0 && one.module == module) return kPicosecond * one.picoseconds;
    measured = measured || one.picoseconds != 0;
  }
  return measured ? 0 : kAssumedCost;
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
    const std::uint64_t untimed = std::min(untimed_of(map, *schema), calls);
    cost.noting += cost_of_call(self, schema->id) * static_cast<double>(calls - untimed);
  }
  return cost;
}

}  // namespace trikal::log::crash
