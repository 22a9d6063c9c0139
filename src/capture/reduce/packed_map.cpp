#include "capture/reduce/packed_map.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <optional>

#include "log/crash/process_table.hpp"
#include "log/crash/trace.hpp"

namespace trikal::capture {
namespace {

using log::crash::Chunk;
using log::crash::ChunkKind;
using log::crash::Header;
using log::crash::MapView;
using log::crash::Process;
using log::crash::TracedFile;
using log::crash::TracedSlot;

struct PackedHead {
  std::uint64_t bytes = 0;  // of everything, this head included
  std::uint64_t header_bytes = 0;
  std::int64_t rank = 0;
  log::crash::SelfCost cost;
};
constexpr std::size_t kAlign = log::crash::kChunkAlign;

bool is_wanted(ChunkKind kind, Contents contents) noexcept {
  const bool records = kind == ChunkKind::kNames || kind == ChunkKind::kRecords || kind == ChunkKind::kBriefs ||
                       kind == ChunkKind::kRuns || kind == ChunkKind::kTrace;
  if (kind == ChunkKind::kTraced) return true;  // of both: they say what the trace is of
  const bool here_only = kind == ChunkKind::kOther || kind == ChunkKind::kValues ||  // values go with shared records
                         kind == ChunkKind::kTraceRules;  // they have been followed
  return contents == Contents::kRecords ? records : !records && !here_only;
}

bool align(Buffer& buffer, std::size_t begin) noexcept {
  const std::size_t over = (buffer.size() - begin) % kAlign;
  if (over == 0) return true;
  const std::size_t at = buffer.size();
  if (!buffer.grow(kAlign - over)) return false;
  std::memset(buffer.all().data() + at, 0, kAlign - over);
  return true;
}

// The slots in use, and a head that says there are no more.
bool pack_chunk(const Chunk& chunk, Bytes slots, Buffer& into) noexcept {
  const auto count = static_cast<std::uint32_t>(slots.size() / std::max<std::uint32_t>(chunk.stride, 1));
  const std::uint64_t bytes = log::crash::chunk_bytes(chunk.stride, count);
  const std::size_t at = into.size();
  if (bytes > UINT32_MAX || !into.grow(static_cast<std::size_t>(bytes))) return false;
  std::byte* packed = into.all().data() + at;
  std::memset(packed, 0, static_cast<std::size_t>(bytes));
  auto* head = new (packed) Chunk{.kind = chunk.kind,
                                  .module = chunk.module,
                                  .stride = chunk.stride,
                                  .record_bytes = chunk.record_bytes,
                                  .capacity = count,
                                  .count = count,
                                  .bytes = static_cast<std::uint32_t>(bytes),
                                  .mark = log::crash::kChunkMark};
  (void)head;
  std::memcpy(packed + log::crash::kChunkHeader, slots.data(), std::size_t{count} * chunk.stride);
  return true;
}

// Those of the slots that are wanted, one behind the other.
bool keep_wanted(const Chunk& chunk, Bytes slots, const LeftOut& left_out, Buffer& kept) noexcept {
  kept.clear();
  if (chunk.kind == ChunkKind::kTrace) return kept.append(slots);
  bool whole = true;
  if (chunk.kind == ChunkKind::kNames) {
    log::crash::for_each_name(slots, [&](std::uint64_t id, std::string_view name) {
      const auto* begin = reinterpret_cast<const std::byte*>(name.data()) - 12;
      const Bytes slot{begin, (12 + name.size() + 7) / 8 * 8};
      if (!left_out.names || !left_out.shared.contains(id)) whole = whole && kept.append(slot);
    });
    return whole;
  }
  std::size_t module = 0;
  while (module < left_out.schemas.size() && left_out.schemas[module]->id != chunk.module) ++module;
  const bool known = module < left_out.schemas.size() && module < kMostModules;
  for (std::size_t at = 0; at + chunk.stride <= slots.size(); at += chunk.stride) {
    const Bytes slot = slots.subspan(at, chunk.stride);
    const bool shared = known && slot.size() >= 8 && left_out.shared.contains(module, load<std::uint64_t>(slot.data()));
    if (!shared) whole = whole && kept.append(slot);
  }
  return whole;
}

// What was traced. Rules are followed here, where every record is: the receiver gets none of shared files.
class TracedSlots {
 public:
  explicit TracedSlots(const MapView& map) noexcept {
    if (log::crash::has_trace_rules(map)) rest_ = files_.emplace(map).all();
  }
  bool put(Bytes slots, Buffer& into) noexcept {
    into.clear();
    if (!into.append(slots)) return false;
    for (std::size_t at = 0; at + sizeof(TracedSlot) <= into.size() && !rest_.empty(); at += sizeof(TracedSlot)) {
      if (rest_.front().interface == TracedFile::kLeftOut)
        store(into.all().data() + at + offsetof(TracedSlot, interface), TracedFile::kLeftOut);
      rest_ = rest_.subspan(1);
    }
    return true;
  }

 private:
  std::optional<log::crash::TracedFiles> files_;
  std::span<const TracedFile> rest_;  // whose slots are still to come
};

}  // namespace

bool pack_map(const Process& process, Contents contents, const log::crash::SelfCost& cost, Buffer& into,
              const LeftOut* left_out) noexcept {
  const MapView& map = *process.map;
  const std::size_t begin = into.size();
  Buffer kept;
  PackedHead head{.header_bytes = offsetof(Header, text) + map.arguments().size() + map.program().size(),
                  .rank = process.rank,
                  .cost = cost};
  bool whole = into.put(head) && into.append({reinterpret_cast<const std::byte*>(&map.header()), head.header_bytes}) &&
               align(into, begin);
  TracedSlots traced(map);
  map.for_each_chunk([&](const Chunk& chunk, Bytes slots) {
    if (!whole || slots.empty() || !is_wanted(chunk.kind, contents)) return;
    if (chunk.kind == ChunkKind::kTraced) {
      whole = traced.put(slots, kept);
      slots = kept.bytes();
    } else if (left_out != nullptr) {
      whole = keep_wanted(chunk, slots, *left_out, kept);
      slots = kept.bytes();
    }
    if (whole && !slots.empty()) whole = pack_chunk(chunk, slots, into);
  });
  if (!whole) {
    into.shrink(begin);
    return false;
  }
  head.bytes = into.size() - begin;
  store(into.all().data() + begin, head);
  return true;
}

bool UnpackedMaps::unpack(Bytes& packed) noexcept {
  if (packed.size() < sizeof(PackedHead)) return false;
  const auto head = load<PackedHead>(packed.data());
  const std::uint64_t front = (sizeof(PackedHead) + head.header_bytes + kAlign - 1) / kAlign * kAlign;
  if (head.bytes > packed.size() || head.bytes % kAlign != 0 || head.header_bytes < offsetof(Header, text) ||
      head.header_bytes > sizeof(Header) || front > head.bytes)
    return false;
  const std::uint64_t chunks = head.bytes - front;
  const Entry entry{maps_.size(), log::crash::kHeaderBytes + chunks, head.rank, head.cost};
  if (!entries_.put(entry) || !maps_.grow(static_cast<std::size_t>(entry.bytes))) return false;
  std::byte* map = maps_.all().data() + entry.at;
  std::memset(map, 0, log::crash::kHeaderBytes);
  std::memcpy(map, packed.data() + sizeof head, head.header_bytes);
  std::memcpy(map + log::crash::kHeaderBytes, packed.data() + front, static_cast<std::size_t>(chunks));
  auto* header = reinterpret_cast<Header*>(map);
  header->mounts_bytes = 0;
  header->used.store(entry.bytes, std::memory_order_relaxed);
  packed = packed.subspan(static_cast<std::size_t>(head.bytes));
  return true;
}

bool UnpackedMaps::make_views() noexcept {
  const std::size_t count = entries_.size() / sizeof(Entry);
  if (!views_.grow(count * sizeof(MapView)) || !processes_.grow(count * sizeof(Process))) return false;
  for (std::size_t i = 0; i < count; ++i) {
    const Entry here = entry(i);
    auto view = MapView::open(maps_.bytes().subspan(here.at, here.bytes));
    if (!view) return false;
    auto* there = new (views_.all().data() + i * sizeof(MapView)) MapView(*view);
    new (processes_.all().data() + i * sizeof(Process)) Process{there, here.rank, 0};
  }
  return true;
}

UnpackedMaps::Entry UnpackedMaps::entry(std::size_t process) const noexcept {
  return load<Entry>(entries_.bytes().data() + process * sizeof(Entry));
}

log::crash::SelfCost UnpackedMaps::cost(std::size_t process) const noexcept { return entry(process).cost; }

bool UnpackedMaps::open(Bytes packed) noexcept {
  maps_.clear(), entries_.clear(), views_.clear(), processes_.clear();
  while (!packed.empty()) {
    if (!unpack(packed)) return false;
  }
  return make_views();
}

std::span<Process> UnpackedMaps::processes(double job_start) noexcept {
  const std::span all(reinterpret_cast<Process*>(processes_.all().data()), processes_.size() / sizeof(Process));
  for (Process& process : all) process.shift = log::crash::start_time(process.map->header()) - job_start;
  return all;
}

}  // namespace trikal::capture
