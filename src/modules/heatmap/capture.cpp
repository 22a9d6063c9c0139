#include "modules/heatmap/capture.hpp"

#include <new>

#include "base/hash.hpp"
#include "modules/heatmap/schema.hpp"

namespace trikal::modules::heatmap {
namespace {

using capture::Locked;
using capture::session;

// Threads fill different maps, so that they do not pull one cache line to and fro; the log gets their sum.
constexpr std::uint32_t kShards = 8;

struct Shard {
  capture::Spin lock;
  std::byte* record = nullptr;  // in the crash map
  double end = 0;               // of the last bin
  double per_second = 0;        // bins
};
constinit Shard shards[capture::kModuleCount][kShards];

constexpr std::string_view kNames[capture::kModuleCount] = {"heatmap:POSIX", "heatmap:STDIO"};

void follow_width(Shard& shard) noexcept {
  const auto width = load<double>(shard.record + kWidthAt);
  shard.per_second = 1 / width;
  shard.end = width * static_cast<double>(kMostBins);
}

// False: no memory for it; the records of files matter more.
bool begin(Shard& shard, capture::ModuleSlot by) noexcept {
  const capture::File* name = session.files.find_or_add(kNames[by]);
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
void spread(std::byte* bins, const capture::Moved& fact, double per_second, std::int64_t first,
            std::int64_t last) noexcept {
  const double rate = static_cast<double>(fact.bytes) / (fact.when.length() * per_second);
  std::int64_t left = fact.bytes;
  for (std::int64_t bin = first; bin < last; ++bin) {
    const double from = bin == first ? fact.when.begin * per_second : static_cast<double>(bin);
    const auto share = static_cast<std::int64_t>((static_cast<double>(bin + 1) - from) * rate + 0.5);
    const std::int64_t here = share < left ? share : left;
    add(bins + 8 * bin, here);
    left -= here;
  }
  add(bins + 8 * last, left);
}

}  // namespace

void hear(const capture::Moved& fact) noexcept {
  if (fact.bytes <= 0) return;
  Shard& shard = shards[fact.by][capture::thread_number() % kShards];
  const Locked locked(shard.lock);
  if (shard.record == nullptr && (shard.end < 0 || !begin(shard, fact.by))) [[unlikely]]
    return;
  while (fact.when.end >= shard.end) [[unlikely]] {
    widen(shard.record);
    follow_width(shard);
  }
  const auto last = static_cast<std::int64_t>(fact.when.end * shard.per_second);
  const auto first = static_cast<std::int64_t>(fact.when.begin * shard.per_second);
  std::byte* bins = bins_of(shard.record, fact.read);
  if (first == last) [[likely]]
    add(bins + 8 * last, fact.bytes);
  else spread(bins, fact, shard.per_second, first < 0 ? 0 : first, last);
}

void after_fork() noexcept {
  for (auto& of_module : shards) {
    for (Shard& shard : of_module) new (&shard) Shard;
  }
}

}  // namespace trikal::modules::heatmap
