#include "store/sqlite/chunk_sums.hpp"

#include <algorithm>
#include <map>

#include "base/hash.hpp"
#include "stream/wire/batch_bytes.hpp"

namespace trikal::storage {
namespace {

using stream::EventRecord;

constexpr std::size_t kMostSums = 512, kHead = 4;  // kHead: the checksum
constexpr std::int64_t kMostUnits = 64;
constexpr std::size_t kLeastBytes = 8;  // of a sum

// A power of ten of milliseconds, so that slices of time on a page are whole multiples of it.
stream::Nanoseconds unit_of(std::span<const EventRecord> events) {
  constexpr stream::Nanoseconds kLeast = 1'000'000, kMost = 100 * stream::kSecond;
  const auto [least, most] = std::ranges::minmax(events, {}, &EventRecord::begin);
  stream::Nanoseconds unit = kLeast;
  while (unit < kMost && most.begin / unit - least.begin / unit >= kMostUnits) unit *= 10;
  return unit;
}

stream::Nanoseconds begin_of(stream::Nanoseconds time, stream::Nanoseconds unit) {
  return time - (time % unit + unit) % unit;
}

void encode(stream::Encoder& out, const EventSum& sum) {
  out.number(sum.calls), out.number(sum.bytes);
  out.difference(sum.nanoseconds), out.difference(sum.longest);
  sum.durations.encode(out), sum.lengths.encode(out);
}

void decode(stream::Decoder& from, EventSum& sum) {
  from.number(sum.calls), from.number(sum.bytes);
  from.difference(sum.nanoseconds), from.difference(sum.longest);
  sum.durations.add_from(from), sum.lengths.add_from(from);
}

}  // namespace

std::vector<std::byte> make_chunk_sums(std::span<const EventRecord> events, ChunkSumsBy by) {
  using Key = std::tuple<std::int64_t, std::uint64_t, std::uint32_t>;
  const stream::Nanoseconds unit = by == ChunkSumsBy::kTime && !events.empty() ? unit_of(events) : 0;
  std::map<Key, EventSum> sums;
  Key last_key;
  EventSum* last = nullptr;
  for (const EventRecord& event : events) {
    const Key key = by == ChunkSumsBy::kTime
                        ? Key(begin_of(event.begin, unit), event.thread, event.operation)
                        : Key(static_cast<std::int64_t>(event.file), event.call_site, event.operation);
    if (last == nullptr || key != last_key) last_key = key, last = &sums[key];
    if (sums.size() > kMostSums) return {};
    last->add(event.duration, event.length);
  }
  stream::Encoder out(kHead);
  out.difference(unit), out.number(sums.size());
  std::int64_t before = 0;
  for (const auto& [key, sum] : sums) {
    const auto& [first, second, operation] = key;
    out.difference(first - before), out.number(second), out.number(operation);
    before = first;
    encode(out, sum);
  }
  std::vector<std::byte> bytes = out.take();
  store_le(bytes.data(), crc32c(Bytes(bytes).subspan(kHead)));
  return bytes;
}

bool read_chunk_sums(Bytes bytes, ChunkSums& into) {
  into = {};
  if (bytes.size() < kHead || load_le<std::uint32_t>(bytes.data()) != crc32c(bytes.subspan(kHead))) return false;
  stream::Decoder from(bytes.subspan(kHead));
  from.difference(into.unit);
  std::uint64_t before = 0;
  from.list(into.rows, kLeastBytes, [&](stream::Decoder& in, ChunkSum& row) {
    in.difference(row.first), in.number(row.second), in.number(row.operation);
    row.first = static_cast<std::int64_t>(before += static_cast<std::uint64_t>(row.first));
    decode(in, row.sum);
  });
  return from.ok() && from.at_end() && into.unit >= 0;
}

}  // namespace trikal::storage
