#include "log/read/stream_index.hpp"

#include <algorithm>

namespace trikal::log {
namespace {

constexpr std::uint64_t kStreamsMax = std::uint64_t{1} << 20;

// What compression can make of so many bytes at worst, generously.
std::uint64_t packed_max(std::uint64_t plain) { return plain + plain / 64 + 4096; }

}  // namespace

Status StreamIndex::load(const Trailer& trailer) {
  const Section* section = trailer.find(kStreamsSection.name);
  if (section == nullptr || section->rows > kStreamsMax || !begins_with(section->columns, kStreamColumns)) return {};
  auto rows = trailer.rows(*section);
  if (!rows) return rows.error();
  std::vector<StreamEntry> streams;
  std::span<const Cell> row;
  for (;;) {
    auto more = (*rows)->next(row);
    if (!more) return more.error();
    if (!*more) break;
    streams.push_back({row[0].u64(), {row[1].u64(), row[2].u64()}, {row[3].u64(), row[4].u64()}});
  }
  std::ranges::sort(streams, [](const StreamEntry& a, const StreamEntry& b) {
    return a.region != b.region ? a.region < b.region : a.packed.offset < b.packed.offset;
  });
  streams_ = std::move(streams);
  return {};
}

std::vector<StreamEntry> StreamIndex::of(std::uint64_t region, const Extent& extent) const {
  const auto [first, last] = std::ranges::equal_range(streams_, region, {}, &StreamEntry::region);
  std::uint64_t packed = extent.offset;
  std::uint64_t plain = 0;
  const std::uint64_t end = extent.offset + extent.length;
  for (auto stream = first; stream != last; ++stream) {
    if (stream->packed.offset != packed || stream->plain.offset != plain) return {};
    if (stream->plain.length > kPlainMax || stream->packed.length > packed_max(stream->plain.length)) return {};
    if (stream->packed.length == 0 || stream->packed.length > end - packed) return {};
    packed += stream->packed.length;
    plain += stream->plain.length;
  }
  if (packed != end) return {};
  return {first, last};
}

}  // namespace trikal::log
