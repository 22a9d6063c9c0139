#include "store/sqlite/chunk_sums.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "base/hash.hpp"
#include "stream/wire/batch_bytes.hpp"

namespace trikal::storage {
namespace {

using stream::EventRecord;
using stream::Nanoseconds;

constexpr std::size_t kMostSums = 512, kMostTimes = 2048, kMostLongTimes = 256, kHead = 4;  // kHead: the checksum
constexpr std::int64_t kMostUnits = 512;
constexpr Nanoseconds kMostUnit = kLeastUnit << 17;  // two minutes
constexpr std::size_t kLeastBytes = 6;  // of a sum

bool is_timed(ChunkSumsBy by) { return by == ChunkSumsBy::kTime || by == ChunkSumsBy::kLongTime; }

// Pairs of thread and operation, numbered as they come: there are few.
class Callers {
 public:
  std::size_t number_of(const EventRecord& event) {
    const std::uint64_t pair = std::uint64_t{event.thread} << 16 | event.operation;
    for (const Known& known : last_) {
      if (known.pair == pair) return known.number;
    }
    const std::size_t number = numbers_.try_emplace(pair, numbers_.size()).first->second;
    return last_[oldest_++ % std::size(last_)] = {pair, number}, number;
  }
  [[nodiscard]] std::size_t size() const { return numbers_.size(); }
  // In their order: thread, operation, number.
  [[nodiscard]] std::vector<std::tuple<std::uint32_t, std::uint32_t, std::size_t>> sorted() const {
    std::vector<std::tuple<std::uint32_t, std::uint32_t, std::size_t>> all;
    for (const auto& [pair, number] : numbers_)
      all.emplace_back(static_cast<std::uint32_t>(pair >> 16), static_cast<std::uint32_t>(pair & 0xffff), number);
    std::ranges::sort(all);
    return all;
  }

 private:
  struct Known {
    std::uint64_t pair = UINT64_MAX;
    std::size_t number = 0;
  };
  Known last_[4];
  std::size_t oldest_ = 0;
  std::unordered_map<std::uint64_t, std::size_t> numbers_;
};

// A table of units and callers: events come in no order of time.
class TimeTable {
 public:
  // In units as short as a limit of sums allows.
  TimeTable(std::span<const EventRecord> events, std::size_t limit) {
    std::vector<std::size_t> callers;
    callers.reserve(events.size());
    for (const EventRecord& event : events) callers.push_back(callers_.number_of(event));
    const auto [least, most] = std::ranges::minmax(events, {}, &EventRecord::begin);
    const auto width = static_cast<std::int64_t>(callers_.size());
    const auto fits = [&] {
      const std::int64_t units = unit_of(most.begin, unit_) - unit_of(least.begin, unit_) + 1;
      return units <= kMostUnits && units * width <= static_cast<std::int64_t>(8 * limit);
    };
    while (unit_ < kMostUnit && !fits()) unit_ *= 2;
    if (!fits()) return;
    first_ = unit_of(least.begin, unit_);
    sums_.resize(static_cast<std::size_t>(unit_of(most.begin, unit_) - first_ + 1) * callers_.size());
    for (std::size_t i = 0; i < events.size(); ++i) {
      const auto row = static_cast<std::size_t>(unit_of(events[i].begin, unit_) - first_);
      sums_[row * callers_.size() + callers[i]].add(events[i].duration, events[i].length);
    }
    while (filled() > limit && unit_ < kMostUnit) halve();
    if (filled() > limit) sums_.clear();
  }

  template <class Use>
  void for_each(const Use& use) const {
    if (sums_.empty()) return;
    const auto callers = callers_.sorted();
    for (std::size_t row = 0; row < sums_.size() / callers.size(); ++row) {
      for (const auto& [thread, operation, number] : callers) {
        const Amount& sum = sums_[row * callers.size() + number];
        // What a process claims may be any time.
        const auto unit = static_cast<std::uint64_t>(first_) + row;
        if (sum.calls > 0)
          use(static_cast<Nanoseconds>(unit * static_cast<std::uint64_t>(unit_)), thread, operation, sum);
      }
    }
  }
  [[nodiscard]] Nanoseconds unit() const { return unit_; }
  [[nodiscard]] std::size_t filled() const {
    return static_cast<std::size_t>(std::ranges::count_if(sums_, [](const Amount& sum) { return sum.calls > 0; }));
  }

  struct Amount {
    std::uint64_t calls = 0, bytes = 0, nanoseconds = 0;
    void add(std::int64_t duration, std::int64_t length) {
      ++calls, bytes += static_cast<std::uint64_t>(std::max<std::int64_t>(0, length));
      nanoseconds += static_cast<std::uint64_t>(duration);
    }
  };

 private:
  // The number of the unit that a time belongs to.
  static std::int64_t unit_of(Nanoseconds time, Nanoseconds unit) { return time / unit - (time % unit < 0 ? 1 : 0); }
  // Half as many units, each twice as long.
  void halve() {
    const std::size_t width = callers_.size(), shift = static_cast<std::size_t>(first_ & 1);
    std::vector<Amount> wider((sums_.size() / width + shift + 1) / 2 * width);
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      Amount& to = wider[(i / width + shift) / 2 * width + i % width];
      to.calls += sums_[i].calls, to.bytes += sums_[i].bytes, to.nanoseconds += sums_[i].nanoseconds;
    }
    sums_ = std::move(wider), first_ >>= 1, unit_ *= 2;
  }

  Callers callers_;
  Nanoseconds unit_ = kLeastUnit;
  std::int64_t first_ = 0;  // unit
  std::vector<Amount> sums_;  // for each unit one of each caller
};

// What a row is of, and its sum. Differences are from the row before.
struct RowHead {
  std::uint64_t first = 0;  // time or file
  std::uint64_t second = 0;  // thread or call site
  std::uint32_t operation = 0;
  auto operator<=>(const RowHead&) const = default;
};

void encode(stream::Encoder& out, const RowHead& head, std::uint64_t& before) {
  out.difference(static_cast<std::int64_t>(head.first - before)), out.number(head.second), out.number(head.operation);
  before = head.first;
}

// These answer false if there are too many.
bool put_times(stream::Encoder& out, std::span<const EventRecord> events, ChunkSumsBy by) {
  const TimeTable table(events, by == ChunkSumsBy::kTime ? kMostTimes : kMostLongTimes);
  if (table.filled() == 0) return false;
  out.difference(table.unit()), out.number(table.filled());
  std::uint64_t before = 0;
  table.for_each([&](Nanoseconds time, std::uint32_t thread, std::uint32_t operation, const TimeTable::Amount& sum) {
    encode(out, {static_cast<std::uint64_t>(time), thread, operation}, before);
    out.number(sum.calls), out.number(sum.bytes), out.difference(static_cast<std::int64_t>(sum.nanoseconds));
  });
  return true;
}

bool put_sized(stream::Encoder& out, std::span<const EventRecord> events, ChunkSumsBy by) {
  std::map<RowHead, EventSum> sums;
  std::pair<RowHead, EventSum*> last[4] = {};
  for (const EventRecord& event : events) {
    const RowHead head = by == ChunkSumsBy::kCall ? RowHead{0, event.thread, event.operation}
                                                  : RowHead{event.file, event.call_site, event.operation};
    auto& [known, sum] = last[event.operation % std::size(last)];
    if (sum == nullptr || known != head) known = head, sum = &sums[head];
    if (sums.size() > kMostSums) return false;
    sum->add(event.duration, event.length, true);
  }
  out.difference(0), out.number(sums.size());
  std::uint64_t before = 0;
  for (const auto& [head, sum] : sums) {
    encode(out, head, before);
    out.number(sum.calls), out.number(sum.bytes), out.difference(sum.nanoseconds), out.difference(sum.longest);
    sum.durations.encode(out), sum.lengths.encode(out);
  }
  return true;
}

void decode(stream::Decoder& from, ChunkSumsBy by, std::uint64_t& before, ChunkSum& row) {
  std::int64_t first = 0;
  from.difference(first);
  before += static_cast<std::uint64_t>(first);
  if (by == ChunkSumsBy::kFile) row.file = before, from.number(row.call_site);
  else row.time = static_cast<Nanoseconds>(before), from.number(row.thread);
  from.number(row.operation);
  from.number(row.sum.calls), from.number(row.sum.bytes), from.difference(row.sum.nanoseconds);
  if (is_timed(by)) return;
  from.difference(row.sum.longest);
  row.sum.durations.add_from(from), row.sum.lengths.add_from(from);
}

}  // namespace

std::vector<std::byte> make_chunk_sums(std::span<const EventRecord> events, ChunkSumsBy by) {
  stream::Encoder out(kHead);
  if (events.empty()) return {};
  if (is_timed(by) ? !put_times(out, events, by) : !put_sized(out, events, by)) return {};
  std::vector<std::byte> bytes = out.take();
  store_le(bytes.data(), crc32c(Bytes(bytes).subspan(kHead)));
  return bytes;
}

bool read_chunk_sums(Bytes bytes, ChunkSumsBy by, ChunkSums& into) {
  into = {};
  if (bytes.size() < kHead || load_le<std::uint32_t>(bytes.data()) != crc32c(bytes.subspan(kHead))) return false;
  stream::Decoder from(bytes.subspan(kHead));
  from.difference(into.unit);
  std::uint64_t before = 0;
  from.list(into.rows, kLeastBytes, [&](stream::Decoder& in, ChunkSum& row) { decode(in, by, before, row); });
  return from.ok() && from.at_end() && (into.unit > 0) == is_timed(by) && into.unit >= 0;
}

}  // namespace trikal::storage
