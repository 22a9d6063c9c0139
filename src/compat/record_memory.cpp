#include "compat/record_memory.hpp"

#include <algorithm>
#include <cstring>

#include "modules/dxt_mpiio/schema.hpp"
#include "modules/dxt_posix/schema.hpp"
#include "modules/heatmap/schema.hpp"
#include "modules/list.hpp"
#include "modules/lustre/schema.hpp"
#include "trikal/compat/darshan-records.h"

namespace trikal::compat {
namespace {

namespace dxt = modules::dxt;
namespace heatmap = modules::heatmap;
namespace lustre = modules::lustre;

constexpr std::size_t kLustrePointersAt = offsetof(darshan_lustre_record, comps);
static_assert(kLustrePointersAt == lustre::kHeadBytes && sizeof(darshan_lustre_record) == 48);
static_assert(sizeof(darshan_lustre_component) == lustre::kComponentBytes);
static_assert(sizeof(darshan_heatmap_record) == heatmap::kHeadBytes);
static_assert(offsetof(darshan_heatmap_record, write_bins) == heatmap::kUnusedAt);
static_assert(sizeof(dxt_file_record) == dxt::kHeadBytes && sizeof(segment_info) == dxt::kSegmentBytes);

enum class Layout : std::uint8_t { kAsOnDisk, kLustre, kHeatmap, kTrace };

Layout layout_of(ModuleId module) {
  if (module == lustre::kSchema.id) return Layout::kLustre;
  if (module == heatmap::kSchema.id) return Layout::kHeatmap;
  const bool trace = module == modules::dxt_posix::kSchema.id || module == modules::dxt_mpiio::kSchema.id;
  return trace ? Layout::kTrace : Layout::kAsOnDisk;
}

std::uintptr_t address(const std::byte* at) { return reinterpret_cast<std::uintptr_t>(at); }

void point_into_lustre(std::byte* out) {
  const auto comps = load<std::uint64_t>(out + lustre::kNumCompsAt);
  std::byte* first = out + sizeof(darshan_lustre_record);
  store(out + offsetof(darshan_lustre_record, comps), address(first));
  store(out + offsetof(darshan_lustre_record, ost_ids), address(first + comps * lustre::kComponentBytes));
}

void point_into_heatmap(std::byte* out) {
  const auto bins = load<std::uint64_t>(out + heatmap::kBinsAt);
  std::byte* first = out + sizeof(darshan_heatmap_record);
  store(out + offsetof(darshan_heatmap_record, write_bins), address(first));
  store(out + offsetof(darshan_heatmap_record, read_bins), address(first + 8 * bins));
}

// Copies `count` segments between two sizes; a thread that one side does not have is 0 on the other.
void copy_segments(const std::byte* from, std::size_t from_bytes, std::byte* to, std::size_t to_bytes,
                   std::size_t count) {
  if (from_bytes == to_bytes) {
    if (count > 0) std::memcpy(to, from, count * to_bytes);
    return;
  }
  for (; count > 0; --count, from += from_bytes, to += to_bytes) {
    std::memcpy(to, from, std::min(from_bytes, to_bytes));
    if (to_bytes > from_bytes) std::memset(to + from_bytes, 0, to_bytes - from_bytes);
  }
}

std::size_t count_of(const std::byte* record, std::size_t at) {
  return static_cast<std::size_t>(std::max<std::int64_t>(0, load<std::int64_t>(record + at)));
}

std::vector<std::byte> copy_of(const void* at, std::size_t bytes) {
  const auto* from = static_cast<const std::byte*>(at);
  return {from, from + bytes};
}

std::vector<std::byte> lustre_from(const darshan_lustre_record& record) {
  std::vector<std::byte> out = copy_of(&record, lustre::kHeadBytes);
  const std::size_t comps = count_of(out.data(), lustre::kNumCompsAt) * lustre::kComponentBytes;
  const std::size_t targets = count_of(out.data(), lustre::kNumStripesAt) * 8;
  out.resize(out.size() + comps + targets);
  if (comps > 0) std::memcpy(out.data() + lustre::kHeadBytes, record.comps, comps);
  if (targets > 0) std::memcpy(out.data() + lustre::kHeadBytes + comps, record.ost_ids, targets);
  return out;
}

std::vector<std::byte> heatmap_from(const darshan_heatmap_record& record) {
  std::vector<std::byte> out = copy_of(&record, heatmap::kHeadBytes);
  std::memset(out.data() + heatmap::kUnusedAt, 0, heatmap::kHeadBytes - heatmap::kUnusedAt);
  const std::size_t half = count_of(out.data(), heatmap::kBinsAt) * 8;
  out.resize(out.size() + 2 * half);
  if (half > 0) {
    std::memcpy(out.data() + heatmap::kHeadBytes, record.write_bins, half);
    std::memcpy(out.data() + heatmap::kHeadBytes + half, record.read_bins, half);
  }
  return out;
}

std::vector<std::byte> trace_from(const std::byte* record, std::size_t segment_bytes) {
  const std::size_t count = count_of(record, dxt::kWritesAt) + count_of(record, dxt::kReadsAt);
  std::vector<std::byte> out = copy_of(record, dxt::kHeadBytes);
  out.resize(dxt::kHeadBytes + count * dxt::kSegmentBytes);
  copy_segments(record + dxt::kHeadBytes, segment_bytes, out.data() + dxt::kHeadBytes, dxt::kSegmentBytes, count);
  return out;
}

}  // namespace

std::size_t bytes_in_memory(ModuleId module, Bytes record, std::size_t segment_bytes) {
  switch (layout_of(module)) {
    case Layout::kLustre: return record.size() + (sizeof(darshan_lustre_record) - lustre::kHeadBytes);
    case Layout::kTrace: {
      return dxt::kHeadBytes + (record.size() - dxt::kHeadBytes) / dxt::kSegmentBytes * segment_bytes;
    }
    case Layout::kHeatmap:
    case Layout::kAsOnDisk: break;
  }
  return record.size();
}

void to_memory(ModuleId module, Bytes record, std::size_t segment_bytes, std::byte* out) {
  const auto layout = layout_of(module);
  const std::size_t head = layout == Layout::kLustre  ? lustre::kHeadBytes
                           : layout == Layout::kTrace ? dxt::kHeadBytes
                                                      : record.size();
  std::memcpy(out, record.data(), head);
  const Bytes tail = record.subspan(head);
  switch (layout) {
    case Layout::kLustre:
      if (!tail.empty()) std::memcpy(out + sizeof(darshan_lustre_record), tail.data(), tail.size());
      point_into_lustre(out);
      break;
    case Layout::kHeatmap: point_into_heatmap(out); break;
    case Layout::kTrace:
      copy_segments(tail.data(), dxt::kSegmentBytes, out + head, segment_bytes, tail.size() / dxt::kSegmentBytes);
      break;
    case Layout::kAsOnDisk: break;
  }
}

std::vector<std::byte> from_memory(ModuleId module, const void* record, std::size_t segment_bytes) {
  const auto* bytes = static_cast<const std::byte*>(record);
  switch (layout_of(module)) {
    case Layout::kLustre: return lustre_from(*static_cast<const darshan_lustre_record*>(record));
    case Layout::kHeatmap: return heatmap_from(*static_cast<const darshan_heatmap_record*>(record));
    case Layout::kTrace: return trace_from(bytes, segment_bytes);
    case Layout::kAsOnDisk: break;
  }
  // The newest form tells the size, as it does in a log.
  const Form& form = find_module(module)->forms.back();
  std::size_t size = form.head_bytes;
  if (form.tail != nullptr) {
    const auto tail = form.tail(bytes);
    if (tail) size += static_cast<std::size_t>(tail->items) * tail->item_bytes;
  }
  return copy_of(record, size);
}

}  // namespace trikal::compat
