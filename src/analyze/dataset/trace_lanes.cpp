#include "analyze/dataset/trace_lanes.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "analyze/dataset/neighbours.hpp"
#include "modules/dxt/segments.hpp"
#include "modules/dxt_mpiio/schema.hpp"
#include "modules/dxt_posix/schema.hpp"

namespace trikal::analyze {
namespace {

namespace dxt = modules::dxt;

// While a log is read, and in the end: a page shows the latter.
constexpr std::size_t kMostRead = 512, kMostSpansRead = 1024;
constexpr std::size_t kMostLanes = 200, kMostSpans = 24000, kLeastSpans = 64;

// Logs are read from files like everything else: times may be anything.
bool is_plausible(const dxt::Segment& segment) {
  constexpr double kCentury = 4.6e9;
  return std::abs(segment.start) < kCentury && std::abs(segment.end) < kCentury && segment.length >= 0;
}

class LaneReader {
 public:
  explicit LaneReader(log::Reader& reader) : reader_(reader) {}

  Result<TraceLanes> read() {
    auto names = reader_.names();
    names_ = names ? *names : nullptr;
    for (const auto& [schema, interface] :
         {std::pair{&modules::dxt_posix::kSchema, "POSIX"}, std::pair{&modules::dxt_mpiio::kSchema, "MPI-IO"}}) {
      interface_ = interface;
      const Status status = for_each_batch(reader_, *schema, [this](const log::Batch& batch) { add(batch); });
      if (!status && status.error().code != ErrorCode::kUnsupported) return status.error();
    }
    keep(kMostLanes);
    finish();
    return std::move(found_);
  }

 private:
  // A record may come in several batches, its writes before its reads.
  void add(const log::Batch& batch) {
    const auto writes = load<std::uint64_t>(batch.bytes.data() + dxt::kWritesAt);
    if (batch.first_item == 0) lane_ = {nullptr, nullptr};
    for (std::size_t at = 0, number = 0; at + dxt::kSegmentBytes <= batch.items.size();
         at += dxt::kSegmentBytes, ++number) {
      const auto segment = load<dxt::Segment>(batch.items.data() + at);
      if (!is_plausible(segment)) continue;
      const bool is_write = batch.first_item + number < writes;
      TraceLane*& lane = is_write ? lane_.first : lane_.second;
      if (lane == nullptr) lane = begin(load<BaseRecord>(batch.bytes.data()), is_write);
      lane->add({segment.start, std::max(segment.start, segment.end), 1, segment.length, segment.offset},
                kMostSpansRead);
      ++found_.calls;
    }
  }

  TraceLane* begin(BaseRecord base, bool writes) {
    // Not in the middle of a record: its other lane must stay where it is.
    if (found_.lanes.size() >= 2 * kMostRead && lane_.first == nullptr && lane_.second == nullptr) keep(kMostRead);
    found_.lanes.reserve(2 * kMostRead + 2);
    ++found_.total;
    found_.lanes.push_back({.interface = interface_,
                            .name = names_ != nullptr ? names_->name_of(base.id, "") : std::string_view(),
                            .rank = base.rank,
                            .writes = writes,
                            .spans = {}});
    return &found_.lanes.back();
  }

  void keep(std::size_t most) {
    auto& lanes = found_.lanes;
    if (lanes.size() <= most) return;
    std::ranges::nth_element(lanes, lanes.begin() + static_cast<std::ptrdiff_t>(most), std::greater<>(),
                             &TraceLane::seconds);
    lanes.resize(most);
  }

  void finish() {
    const std::size_t most =
        std::clamp(kMostSpans / std::max<std::size_t>(1, found_.lanes.size()), kLeastSpans, kMostSpansRead);
    for (TraceLane& lane : found_.lanes) lane.shorten(most);
    std::ranges::sort(found_.lanes, {}, [](const TraceLane& lane) {
      return std::tuple(lane.rank, lane.name, lane.interface, !lane.writes);
    });
  }

  log::Reader& reader_;
  const log::NameTable* names_ = nullptr;
  std::string_view interface_;
  TraceLanes found_;
  std::pair<TraceLane*, TraceLane*> lane_;  // of the record at hand: its writes and its reads
};

void join(TraceSpan& span, const TraceSpan& more) {
  span.end = std::max(span.end, more.end);
  span.calls += more.calls;
  // What no file system can hold may be in a log.
  if (__builtin_add_overflow(span.bytes, more.bytes, &span.bytes)) span.bytes = INT64_MAX;
}

}  // namespace

void TraceLane::add(const TraceSpan& call, std::size_t most) {
  calls += call.calls, seconds += call.end - call.begin;
  const bool follows =
      gap >= 0 && !spans.empty() && call.begin >= spans.back().begin && call.begin - spans.back().end <= gap;
  if (follows) return join(spans.back(), call);
  if (spans.size() >= most) shorten(most / 2);
  spans.push_back(call);
}

// Where the least time is between two of them they become one.
void TraceLane::shorten(std::size_t most) {
  std::ranges::stable_sort(spans, {}, &TraceSpan::begin);
  while (spans.size() > most) {
    std::vector<double> gaps;
    for (std::size_t i = 1; i < spans.size(); ++i) gaps.push_back(std::max(0.0, spans[i].begin - spans[i - 1].end));
    const std::size_t excess = spans.size() - most;
    std::ranges::nth_element(gaps, gaps.begin() + static_cast<std::ptrdiff_t>(excess - 1));
    gap = std::max(gap, gaps[excess - 1]);
    std::size_t last = 0;
    for (std::size_t i = 1; i < spans.size(); ++i) {
      if (spans[i].begin - spans[last].end <= gap) join(spans[last], spans[i]);
      else spans[++last] = spans[i];
    }
    spans.resize(last + 1);
  }
}

Result<TraceLanes> read_trace_lanes(log::Reader& reader) { return LaneReader(reader).read(); }

}  // namespace trikal::analyze
