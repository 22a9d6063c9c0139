#include "modules/heatmap/capture.hpp"

#include <new>

#include "base/hash.hpp"
#include "base/short_text.hpp"
#include "capture/interpose/caller.hpp"
#include "modules/heatmap/schema.hpp"

namespace trikal::modules::heatmap {
namespace {

using capture::Locked;
using capture::session;

// Threads fill different maps, so that they do not pull one cache line to and fro; the log gets their sum. The first
// threads have one of their own and need no lock; those that come later share the last.
constexpr std::uint32_t kOwned = 15;

struct Shard {
  std::byte* record = nullptr;  // in the crash map
  double end = 0;               // of the last bin; negative: there is no memory for this map
  double per_second = 0;        // bins
  capture::Spin lock;
};
constinit Shard shards[capture::kFlows][kOwned + 1];

constexpr ShortText<13> kNames[capture::kFlows] = {"heatmap:POSIX", "heatmap:STDIO", "heatmap:MPIIO"};

void follow_width(Shard& shard) noexcept {
  const auto width = load<double>(shard.record + kWidthAt);
  shard.per_second = 1 / width;
  shard.end = width * static_cast<double>(kMostBins);
}

// False: no memory for it; the records of files matter more.
bool begin(Shard& shard, capture::Flow flow) noexcept {
  const capture::File* name = session.config.is_off(kSchema.id) ? nullptr : session.files.find_or_add(kNames[flow]);
  log::crash::Chunk* chunk = name == nullptr ? nullptr
                                             : session.arena.add_chunk({.kind = log::crash::ChunkKind::kRecords,
                                                                        .module = kSchema.id,
                                                                        .stride = kLiveBytes,
                                                                        .record_bytes = kLiveBytes,
                                                                        .slots = 1},
                                                                       capture::Arena::Use::kNormal);
  if (chunk == nullptr) {
    shard.end = -1;
    return false;
  }
  shard.record = capture::slots_of(chunk);
  store(shard.record, name->id);
  store(shard.record + kWidthAt, kFirstWidth);
  store(shard.record + kBinsAt, kMostBins);
  follow_width(shard);
  chunk->count.store(1, std::memory_order_release);
  return true;
}

void add(std::byte* bin, std::int64_t bytes) noexcept { store(bin, load<std::int64_t>(bin) + bytes); }

// An access that spans several bins is spread over them by time; what rounding leaves goes to the last.
void spread(std::byte* bins, const capture::Event& event, double per_second, std::int64_t first,
            std::int64_t last) noexcept {
  const double rate = static_cast<double>(event.length) / (event.when.length() * per_second);
  std::int64_t left = event.length;
  for (std::int64_t bin = first; bin < last; ++bin) {
    const double from = bin == first ? event.when.begin * per_second : static_cast<double>(bin);
    const auto share = static_cast<std::int64_t>((static_cast<double>(bin + 1) - from) * rate + 0.5);
    const std::int64_t here = share < left ? share : left;
    add(bins + 8 * bin, here);
    left -= here;
  }
  add(bins + 8 * last, left);
}

// The next access nearly always falls into the same bin: it is added there without asking us.
void prepare_tally(const Shard& shard, capture::Flow flow, std::int64_t bin) noexcept {
  capture::Tally& tally = (capture::every_event_is_heard ? capture::tallies_of_heard : capture::tallies)[flow];
  tally.begin = static_cast<double>(bin) / shard.per_second;
  tally.end = static_cast<double>(bin + 1) / shard.per_second;
  const ClockCalibration calibration = capture::session.clock.calibration();
  const bool known = calibration.seconds_per_tick > 0;
  tally.from = known ? calibration.ticks_at(tally.begin) : 1, tally.until = known ? calibration.ticks_at(tally.end) : 0;
  for (const bool reads : {false, true})
    tally.sums[reads] = reinterpret_cast<std::int64_t*>(bins_of(shard.record, reads) + 8 * bin);
}

// The bin it was added to, -1 if none.
std::int64_t add_to_bins(Shard& shard, const capture::Event& event) noexcept {
  if (event.length <= 0 ||
      (shard.record == nullptr && (shard.end < 0 || !begin(shard, capture::flow_of(event.operation)))))
    return -1;
  while (event.when.end >= shard.end) {
    widen(shard.record);
    follow_width(shard);
  }
  const auto last = static_cast<std::int64_t>(event.when.end * shard.per_second);
  const auto first = static_cast<std::int64_t>(event.when.begin * shard.per_second);
  std::byte* bins = bins_of(shard.record, capture::is_read(event.operation));
  if (first == last) add(bins + 8 * last, event.length);
  else spread(bins, event, shard.per_second, first < 0 ? 0 : first, last);
  return last;
}

}  // namespace

void hear(const capture::Event& event) noexcept {
  const capture::Flow flow = capture::flow_of(event.operation);
  const std::uint32_t thread = capture::thread_number();
  if (thread >= kOwned) {
    Shard& shared = shards[flow][kOwned];
    const Locked locked(shared.lock);
    if (!locked) return;
    (void)add_to_bins(shared, event);
    return;
  }
  Shard& own = shards[flow][thread];
  const std::int64_t bin = add_to_bins(own, event);
  if (bin >= 0) prepare_tally(own, flow, bin);
}

void after_fork() noexcept {
  for (auto& of_module : shards) {
    for (Shard& shard : of_module) {
      shard.lock.reset();
      if (shard.record != nullptr || shard.end != 0) shard.record = nullptr, shard.end = shard.per_second = 0;
    }
  }
  for (capture::Tally& tally : capture::tallies) tally = {};
  for (capture::Tally& tally : capture::tallies_of_heard) tally = {};
}

}  // namespace trikal::modules::heatmap
