#include "analyze/compare/traces.hpp"

#include <algorithm>
#include <cstring>

#include "modules/dxt/segments.hpp"

namespace trikal::analyze {
namespace {

using modules::dxt::Segment;

// Writes and reads, in this order everywhere.
constexpr std::string_view kWays[] = {"write", "read"};

struct WaySums {
  std::int64_t bytes;
  double seconds;
};
struct TraceSums {
  WaySums ways[2];
  double first_start, last_end;
};
constexpr std::size_t kSumsAt = modules::dxt::kHeadBytes;
constexpr std::size_t kSegmentsAt = kSumsAt + sizeof(TraceSums);

std::int64_t count_of(const std::byte* head, int way) {
  return load<std::int64_t>(head + (way == 0 ? modules::dxt::kWritesAt : modules::dxt::kReadsAt));
}

std::string host_of(const std::byte* head) {
  const auto* text = reinterpret_cast<const char*>(head + modules::dxt::kHostAt);
  return {text, strnlen(text, modules::dxt::kHostBytes)};
}

void add_segment(TraceSums& sums, bool first, int way, const Segment& segment) {
  // Lengths come from a file and may be anything: wrap, do not overflow.
  WaySums& way_sums = sums.ways[way];
  way_sums.bytes = static_cast<std::int64_t>(static_cast<std::uint64_t>(way_sums.bytes) +
                                             static_cast<std::uint64_t>(segment.length));
  way_sums.seconds += segment.end - segment.start;
  sums.first_start = first ? segment.start : std::min(sums.first_start, segment.start);
  sums.last_end = first ? segment.end : std::max(sums.last_end, segment.end);
}

std::string segment_text(const Segment& segment) {
  return "offset " + std::to_string(segment.offset) + " length " + std::to_string(segment.length);
}

// The segments of one way that a block really holds: a damaged log may end before the count its head gives.
class Segments {
 public:
  Segments(Bytes block, int way) : at_(block.data() + kSegmentsAt) {
    const std::size_t held = (block.size() - kSegmentsAt) / sizeof(Segment);
    const std::size_t writes = std::min(held, static_cast<std::size_t>(count_of(block.data(), 0)));
    size_ = way == 0 ? writes : held - writes;
    if (way != 0) at_ += writes * sizeof(Segment);
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] Segment operator[](std::size_t i) const { return load<Segment>(at_ + i * sizeof(Segment)); }

 private:
  const std::byte* at_;
  std::size_t size_ = 0;
};

// One way's segments, number by number. Threads are left out: their ids differ from run to run.
void compare_segments(Bytes block_a, Bytes block_b, int way, bool times, RecordReporter& reporter) {
  const Segments a(block_a, way);
  const Segments b(block_b, way);
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    const std::string name = std::string(kWays[way]) + "[" + std::to_string(i) + "]";
    if (i >= a.size()) {
      reporter.value(name, Value(), segment_text(b[i]));
    } else if (i >= b.size()) {
      reporter.value(name, segment_text(a[i]), Value());
    } else {
      const Segment in_a = a[i];
      const Segment in_b = b[i];
      if (std::memcmp(&in_a, &in_b, offsetof(Segment, thread)) == 0) continue;
      reporter.value(name + ".offset", in_a.offset, in_b.offset, Unit::kOffset);
      reporter.value(name + ".length", in_a.length, in_b.length, Unit::kBytes);
      if (!times) continue;
      reporter.value(name + ".start", in_a.start, in_b.start, Unit::kTimestamp);
      reporter.value(name + ".end", in_a.end, in_b.end, Unit::kTimestamp);
    }
  }
}

}  // namespace

Result<bool> RecordPull::next(Bytes& record) {
  const ModuleSchema& schema = stream_.schema();
  if (schema.shape == Shape::kSliced) return next_trace(record);
  if (at_ < batch_.count && schema.shape == Shape::kFixed) {
    record = batch_.bytes.subspan(at_++ * schema.head_bytes, schema.head_bytes);
    return true;
  }
  do {
    auto more = stream_.next(batch_);
    if (!more || !*more) return more;
  } while (batch_.count == 0);
  at_ = 1;
  record = schema.shape == Shape::kFixed ? batch_.bytes.first(schema.head_bytes) : batch_.bytes;
  return true;
}

Result<bool> RecordPull::next_trace(Bytes& record) {
  block_.clear();
  do {
    auto more = stream_.next(batch_);
    if (!more) return more;
    // The end inside of a record: salvaged segments still count.
    if (!*more && block_.empty()) return more;
    if (!*more) break;
    if (block_.empty()) {
      block_.assign(batch_.bytes.begin(), batch_.bytes.end());
      block_.resize(kSegmentsAt);
    }
    add_segments();
    if (segments_ && block_.size() > memory_) {
      return Error{.code = ErrorCode::kLimit,
                   .offset = stream_.file_offset(),
                   .what = "a trace to compare does not fit into memory"};
    }
  } while (!batch_.last);
  record = block_;
  return true;
}

void RecordPull::add_segments() {
  auto sums = load<TraceSums>(block_.data() + kSumsAt);
  const auto writes = static_cast<std::uint64_t>(count_of(block_.data(), 0));
  for (std::size_t i = 0; i < batch_.items.size() / sizeof(Segment); ++i) {
    const std::uint64_t number = batch_.first_item + i;
    add_segment(sums, number == 0, number < writes ? 0 : 1, load<Segment>(batch_.items.data() + i * sizeof(Segment)));
  }
  store(block_.data() + kSumsAt, sums);
  if (segments_) block_.insert(block_.end(), batch_.items.begin(), batch_.items.end());
}

void compare_traces(Bytes a, Bytes b, const CompareOptions& options, RecordReporter& reporter) {
  const auto sums_a = load<TraceSums>(a.data() + kSumsAt);
  const auto sums_b = load<TraceSums>(b.data() + kSumsAt);
  reporter.value("hostname", host_of(a.data()), host_of(b.data()));
  for (int way = 0; way < 2; ++way) {
    const std::string name(kWays[way]);
    reporter.value(name + "_count", count_of(a.data(), way), count_of(b.data(), way), Unit::kCalls);
    reporter.value(name + "_bytes", sums_a.ways[way].bytes, sums_b.ways[way].bytes, Unit::kBytes);
    if (options.ignore_times) continue;
    reporter.value(name + "_time", sums_a.ways[way].seconds, sums_b.ways[way].seconds, Unit::kSeconds);
  }
  if (!options.ignore_times) {
    reporter.value("first_start", sums_a.first_start, sums_b.first_start, Unit::kTimestamp);
    reporter.value("last_end", sums_a.last_end, sums_b.last_end, Unit::kTimestamp);
  }
  if (!options.segments) return;
  for (int way = 0; way < 2; ++way) compare_segments(a, b, way, !options.ignore_times, reporter);
}

}  // namespace trikal::analyze
