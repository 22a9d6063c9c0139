#include "capture/reduce/part.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "capture/rare.hpp"
#include "log/write/record_stream.hpp"

namespace trikal::capture {
namespace {

using log::crash::Chunk;
using log::crash::ChunkKind;
using log::crash::Process;

constexpr std::size_t kLargestRecord = 4096;
constexpr Error kNoMemory = {.code = ErrorCode::kLimit, .what = "no memory to pack records in"};

// bench/run-shutdown shows what these cost and save.
log::RecordEffort effort_for(Bytes plain, std::size_t stride, Packers packers) noexcept {
  constexpr std::size_t kFewBytes = 16 * 1024;
  if (plain.size() <= kFewBytes) return {stride, 4, 96};
  if (stride == 0) return {stride, 1, 48, 32};  // names
  return packers == Packers::kMany ? log::RecordEffort{stride, 2, 24, 4} : log::RecordEffort{stride, 8, 96, 6};
}

// Plain bytes in, a compressed stream at the end of a buffer.
class Stream {
 public:
  Stream(Buffer& plain, Packers packers, Buffer& into) noexcept : plain_(plain), packers_(packers), into_(into) {
    plain_.clear();
  }

  Status append(Bytes plain) noexcept {
    if (!plain_.append(plain)) return kNoMemory;
    return {};
  }
  Status append_record(Bytes record) noexcept {
    if (stride_ == 0) stride_ = record.size();
    return append(record);
  }
  Result<PartHead::Region> end() noexcept {
    if (plain_.size() == 0) return PartHead::Region{};
    const auto packed = pack_stream(plain_.bytes(), stride_, packers_, into_);
    if (!packed) return packed.error();
    return PartHead::Region{*packed, plain_.size()};
  }

 private:
  Buffer& plain_;
  Packers packers_;
  Buffer& into_;
  std::size_t stride_ = 0;  // of records, which have the same size as a rule
};

// Which names were written: several ranks of a part may know a file. Open addressing, twice as many slots.
class NamesSeen {
 public:
  [[nodiscard]] bool begin(std::size_t most) noexcept {
    std::size_t slots = 64;
    while (slots < 2 * most) slots *= 2;
    mask_ = slots - 1;
    if (!slots_.grow(8 * slots)) return false;
    std::memset(slots_.all().data(), 0, 8 * slots);
    return true;
  }
  bool is_new(std::uint64_t id) noexcept {
    if (id == 0) return !std::exchange(zero_, true);
    auto* slots = reinterpret_cast<std::uint64_t*>(slots_.all().data());
    std::size_t at = static_cast<std::size_t>(id ^ (id >> 32)) & mask_;
    while (slots[at] != 0 && slots[at] != id) at = (at + 1) & mask_;
    return std::exchange(slots[at], id) != id;
  }

 private:
  Buffer slots_;
  std::size_t mask_ = 0;
  bool zero_ = false;
};

template <class Use>
void for_each_name_of(const Process& process, const Use& use) {
  process.map->for_each_chunk([&](const Chunk& chunk, Bytes slots) {
    if (chunk.kind == ChunkKind::kNames) log::crash::for_each_name(slots, use);
  });
}

Status put_names(std::span<const Process> processes, const PartPlan& plan, Stream& stream) noexcept {
  std::size_t most = 0;
  for (const Process& process : processes) {
    for_each_name_of(process, [&](std::uint64_t, std::string_view) { ++most; });
  }
  NamesSeen seen;
  if (!seen.begin(most)) return Error{.code = ErrorCode::kLimit, .what = "no memory for the names of files"};
  Status status;
  for (const Process& process : processes) {
    for_each_name_of(process, [&](std::uint64_t id, std::string_view name) {
      const bool ours = !plan.shared->contains(id) || process.rank == plan.names_of;
      if (!status.ok() || !ours || !seen.is_new(id)) return;
      constexpr std::byte kNul[1] = {};
      name = {name.data(), std::min(name.find('\0'), name.size())};
      status = stream.append(std::as_bytes(std::span(&id, 1)));
      if (status.ok()) status = stream.append(std::as_bytes(std::span(name.data(), name.size())));
      if (status.ok()) status = stream.append(kNul);
    });
  }
  return status;
}

struct RecordsInto {
  const ModuleSchema& schema;
  const PartPlan& plan;
  const Timeline* timeline;
  std::size_t module;
  Stream& stream;
  double shift = 0;
  Status status;

  void put(Bytes record) noexcept {
    if (!status.ok() || plan.shared->contains(module, load<std::uint64_t>(record.data()))) return;
    std::byte settled[kLargestRecord];
    if (timeline != nullptr) {
      const std::size_t bytes = timeline->rebin(record, shift, *plan.grid, MutableBytes{settled, kLargestRecord});
      if (bytes > 0) record = Bytes{settled, bytes};
    }
    status = log::crash::trace_form_of(schema) != nullptr ? stream.append(record) : stream.append_record(record);
  }
};

Status put_module(std::span<const Process> processes, const Observers& observers, std::size_t module,
                  const PartPlan& plan, Stream& stream) noexcept {
  const auto has_own = [&](const Process& process) {
    bool own = log::crash::trace_form_of(*observers.schemas[module]) != nullptr;
    log::crash::for_each_slot(*process.map, *observers.schemas[module], [&](const std::byte* slot) {
      own = own || !plan.shared->contains(module, load<std::uint64_t>(slot));
    });
    return own;
  };
  RecordsInto into{*observers.schemas[module], plan, observers.timelines[module], module, stream, 0, {}};
  for (const Process& process : processes) {
    if (!has_own(process)) continue;
    into.shift = process.shift;
    log::crash::for_each_record(
        process, *observers.schemas[module],
        {[](void* self, Bytes record) { static_cast<RecordsInto*>(self)->put(record); }, &into});
  }
  return into.status;
}

}  // namespace

Result<std::uint64_t> pack_stream(Bytes plain, std::size_t stride, Packers packers, Buffer& into) noexcept {
  alignas(8) TRIKAL_RARE static constinit std::array<std::byte, log::kRecordDeflateMemory> memory{};
  const std::size_t at = into.size(), bound = log::record_deflate_bound(plain.size());
  if (!into.grow(bound)) return kNoMemory;
  const std::size_t bytes =
      log::record_deflate(plain, effort_for(plain, stride, packers), into.all().subspan(at), memory);
  into.shrink(at + bytes);
  return std::uint64_t{bytes};
}

Status pack_part(std::span<const Process> processes, const Observers& observers, const PartPlan& plan, PartHead& head,
                 Buffer& streams) noexcept {
  Buffer plain;
  for (std::size_t region = 0; region < 1 + observers.count && region < kRegions; ++region) {
    Stream stream(plain, processes.size() > 1 ? Packers::kOne : Packers::kMany, streams);
    const Status put =
        region == 0 ? put_names(processes, plan, stream) : put_module(processes, observers, region - 1, plan, stream);
    if (!put) return put;
    const auto ended = stream.end();
    if (!ended) return ended.error();
    head.regions[region] = *ended;
  }
  return {};
}

}  // namespace trikal::capture
