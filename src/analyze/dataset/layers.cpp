#include "analyze/dataset/layers.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "modules/h5d/schema.hpp"
#include "modules/mpiio/schema.hpp"
#include "modules/posix/schema.hpp"
#include "modules/stdio/schema.hpp"

namespace trikal::analyze {
namespace {

// Where a layer's record keeps what a Flow holds. kNoSlot: it does not tell.
struct FlowSlots {
  std::array<std::size_t, 4> calls;  // of several kinds
  std::size_t bytes, sequential, consecutive, max_byte, seconds, first, last, sizes;
  std::size_t split, longest_seconds, longest_bytes;
};
struct LayerSlots {
  const ModuleSchema* schema;
  std::array<std::size_t, 3> opens;
  std::size_t fileno_opens, seeks, stats;
  std::array<std::size_t, 2> syncs;
  std::size_t switches, maps, misaligned_file, misaligned_memory, alignment, memory_alignment;
  FlowSlots read, write;
  std::size_t meta_seconds, fastest_seconds, slowest_seconds, slowest_rank, slowest_bytes, fastest_bytes;
  std::size_t variance_bytes;
  std::size_t common_sizes, common_counts;
};

// "_OPENS" of this module, however its prefix is spelt.
consteval std::size_t find(const ModuleSchema& schema, std::string_view suffix) {
  std::size_t slot = 0;
  for (const Counter& counter : schema.counters) {
    if (counter.name.size() == schema.prefix.size() + suffix.size() && counter.name.ends_with(suffix)) return slot;
    slot += counter.width();
  }
  return kNoSlot;
}

consteval FlowSlots reading(const ModuleSchema& s) {
  const std::size_t plain = find(s, "_SIZE_READ_#");
  return {{find(s, "_READS"), find(s, "_INDEP_READS"), find(s, "_COLL_READS"), find(s, "_NB_READS")},
          find(s, "_BYTES_READ"),
          find(s, "_SEQ_READS"),
          find(s, "_CONSEC_READS"),
          find(s, "_MAX_BYTE_READ"),
          find(s, "_F_READ_TIME"),
          find(s, "_F_READ_START_TIMESTAMP"),
          find(s, "_F_READ_END_TIMESTAMP"),
          plain != kNoSlot ? plain : find(s, "_SIZE_READ_AGG_#"),
          find(s, "_SPLIT_READS"),
          find(s, "_F_MAX_READ_TIME"),
          find(s, "_MAX_READ_TIME_SIZE")};
}

consteval FlowSlots writing(const ModuleSchema& s) {
  const std::size_t plain = find(s, "_SIZE_WRITE_#");
  return {{find(s, "_WRITES"), find(s, "_INDEP_WRITES"), find(s, "_COLL_WRITES"), find(s, "_NB_WRITES")},
          find(s, "_BYTES_WRITTEN"),
          find(s, "_SEQ_WRITES"),
          find(s, "_CONSEC_WRITES"),
          find(s, "_MAX_BYTE_WRITTEN"),
          find(s, "_F_WRITE_TIME"),
          find(s, "_F_WRITE_START_TIMESTAMP"),
          find(s, "_F_WRITE_END_TIMESTAMP"),
          plain != kNoSlot ? plain : find(s, "_SIZE_WRITE_AGG_#"),
          find(s, "_SPLIT_WRITES"),
          find(s, "_F_MAX_WRITE_TIME"),
          find(s, "_MAX_WRITE_TIME_SIZE")};
}

consteval LayerSlots slots(const ModuleSchema& s) {
  const std::size_t fsyncs = find(s, "_FSYNCS") != kNoSlot ? find(s, "_FSYNCS") : find(s, "_FLUSHES");
  return {&s,
          {find(s, "_OPENS"), find(s, "_INDEP_OPENS"), find(s, "_COLL_OPENS")},
          find(s, "_FILENOS"),
          find(s, "_SEEKS"),
          find(s, "_STATS"),
          {fsyncs != kNoSlot ? fsyncs : find(s, "_SYNCS"), find(s, "_FDSYNCS")},
          find(s, "_RW_SWITCHES"),
          find(s, "_MMAPS"),
          find(s, "_FILE_NOT_ALIGNED"),
          find(s, "_MEM_NOT_ALIGNED"),
          find(s, "_FILE_ALIGNMENT"),
          find(s, "_MEM_ALIGNMENT"),
          reading(s),
          writing(s),
          find(s, "_F_META_TIME"),
          find(s, "_F_FASTEST_RANK_TIME"),
          find(s, "_F_SLOWEST_RANK_TIME"),
          find(s, "_SLOWEST_RANK"),
          find(s, "_SLOWEST_RANK_BYTES"),
          find(s, "_FASTEST_RANK_BYTES"),
          find(s, "_F_VARIANCE_RANK_BYTES"),
          find(s, "_ACCESS#_ACCESS"),
          find(s, "_ACCESS#_COUNT")};
}

constexpr std::array kSlots = {slots(modules::posix::kSchema), slots(modules::stdio::kSchema),
                               slots(modules::mpiio::kSchema)};
constexpr LayerSlots kDatasetSlots = slots(modules::h5d::kSchema);

// Reads counters of one record. Negative counts mean "not observed".
class Values {
 public:
  explicit Values(const std::byte* counters) : at_(counters) {}
  [[nodiscard]] std::int64_t count(std::size_t slot) const {
    return slot == kNoSlot ? 0 : std::max<std::int64_t>(0, load<std::int64_t>(at_ + 8 * slot));
  }
  template <std::size_t N>
  [[nodiscard]] std::int64_t count(const std::array<std::size_t, N>& several) const {
    std::int64_t sum = 0;
    for (const std::size_t slot : several) sum += count(slot);
    return sum;
  }
  [[nodiscard]] double real(std::size_t slot) const {
    const double value = slot == kNoSlot ? 0 : load<double>(at_ + 8 * slot);
    return value > 0 && std::isfinite(value) ? value : 0;
  }

 private:
  const std::byte* at_;
};

Flow flow_in(const FlowSlots& slots, const Values& values) {
  Flow flow{.calls = values.count(slots.calls),
            .bytes = values.count(slots.bytes),
            .sequential = values.count(slots.sequential),
            .consecutive = values.count(slots.consecutive),
            .independent = values.count(slots.calls[1]),
            .collective = values.count(slots.calls[2]),
            .split = values.count(slots.split),
            .nonblocking = values.count(slots.calls[3]),
            .end = 0,
            .longest_seconds = values.real(slots.longest_seconds),
            .longest_bytes = values.count(slots.longest_bytes),
            .seconds = values.real(slots.seconds),
            .first = values.real(slots.first),
            .last = values.real(slots.last),
            .sizes = {}};
  if (flow.bytes > 0 && slots.max_byte != kNoSlot) flow.end = values.count(slots.max_byte) + 1;
  if (slots.sizes != kNoSlot) {
    for (std::size_t i = 0; i < kSizeClassCount; ++i) flow.sizes[i] = values.count(slots.sizes + i);
  }
  return flow;
}

void set_extremes(Use& use, const LayerSlots& slots, const Values& values, BaseRecord base) {
  if (base.rank != kSharedRank) {
    use.slowest_rank = base.rank;
    use.slowest_seconds = use.fastest_seconds = use.seconds();
    use.slowest_bytes = use.fastest_bytes = use.bytes();
    use.squared_bytes = static_cast<double>(use.bytes()) * static_cast<double>(use.bytes());
    return;
  }
  const auto ranks = static_cast<double>(use.ranks);
  const double mean = static_cast<double>(use.bytes()) / ranks;
  use.squared_bytes = ranks * (values.real(slots.variance_bytes) + mean * mean);
  use.slowest_rank = values.count(slots.slowest_rank);
  use.slowest_seconds = values.real(slots.slowest_seconds);
  use.fastest_seconds = values.real(slots.fastest_seconds);
  use.slowest_bytes = values.count(slots.slowest_bytes);
  use.fastest_bytes = values.count(slots.fastest_bytes);
}

double earlier(double a, double b) { return a == 0 ? b : b == 0 ? a : std::min(a, b); }

void add_flow(Flow& sum, const Flow& one) {
  sum.calls += one.calls, sum.bytes += one.bytes;
  sum.sequential += one.sequential, sum.consecutive += one.consecutive;
  sum.independent += one.independent, sum.collective += one.collective;
  sum.split += one.split, sum.nonblocking += one.nonblocking;
  sum.end = std::max(sum.end, one.end);
  if (one.longest_seconds > sum.longest_seconds)
    sum.longest_seconds = one.longest_seconds, sum.longest_bytes = one.longest_bytes;
  sum.seconds += one.seconds;
  sum.first = earlier(sum.first, one.first), sum.last = std::max(sum.last, one.last);
  for (std::size_t i = 0; i < kSizeClassCount; ++i) sum.sizes[i] += one.sizes[i];
}

// The four most common of both, as far as four of each can tell.
void add_common(Use& sum, const Use& one) {
  struct Size {
    std::int64_t bytes, count;
  };
  std::array<Size, 2 * kTopSlots> sizes_seen{};
  std::size_t used = 0;
  const auto put = [&](std::int64_t bytes, std::int64_t count) {
    if (count <= 0) return;
    const auto known = std::span(sizes_seen).first(used);
    const auto found = std::ranges::find(known, bytes, &Size::bytes);
    if (found != known.end()) found->count += count;
    else sizes_seen[used++] = {bytes, count};
  };
  for (std::size_t i = 0; i < kTopSlots; ++i) put(sum.common_sizes[i], sum.common_counts[i]);
  for (std::size_t i = 0; i < kTopSlots; ++i) put(one.common_sizes[i], one.common_counts[i]);
  sum.common_sizes = {}, sum.common_counts = {};
  for (std::size_t i = 0; i < std::min(used, kTopSlots); ++i) {
    Size& most = *std::ranges::max_element(sizes_seen, [](const Size& a, const Size& b) {
      return a.count != b.count ? a.count < b.count : a.bytes < b.bytes;
    });
    sum.common_sizes[i] = most.bytes, sum.common_counts[i] = most.count;
    most.count = 0;
  }
}

Use use_by(const LayerSlots& slots, const std::byte* record, std::int64_t nprocs) {
  const Values values(record + slots.schema->counters_at);
  const BaseRecord base = load<BaseRecord>(record);
  Use use;
  // A fileno call counts as an open in the record; it opens nothing.
  use.opens = std::max<std::int64_t>(0, values.count(slots.opens) - values.count(slots.fileno_opens));
  use.seeks = values.count(slots.seeks), use.stats = values.count(slots.stats), use.syncs = values.count(slots.syncs);
  use.switches = values.count(slots.switches), use.maps = values.count(slots.maps);
  use.misaligned_file = values.count(slots.misaligned_file);
  use.misaligned_memory = values.count(slots.misaligned_memory);
  use.alignment = values.count(slots.alignment), use.memory_alignment = values.count(slots.memory_alignment);
  use.read = flow_in(slots.read, values), use.write = flow_in(slots.write, values);
  use.meta_seconds = values.real(slots.meta_seconds);
  use.ranks = base.rank == kSharedRank ? std::max<std::int64_t>(nprocs, 1) : 1;
  set_extremes(use, slots, values, base);
  for (std::size_t i = 0; slots.common_sizes != kNoSlot && i < kTopSlots; ++i) {
    use.common_sizes[i] = values.count(slots.common_sizes + i);
    use.common_counts[i] = values.count(slots.common_counts + i);
  }
  return use;
}

}  // namespace

const ModuleSchema& schema_of(Layer layer) { return *kSlots[static_cast<std::size_t>(layer)].schema; }

Use use_in(Layer layer, const std::byte* record, std::int64_t nprocs) {
  return use_by(kSlots[static_cast<std::size_t>(layer)], record, nprocs);
}
Use dataset_use(const std::byte* record, std::int64_t nprocs) { return use_by(kDatasetSlots, record, nprocs); }

void add_use(Use& sum, const Use& one) {
  sum.opens += one.opens, sum.seeks += one.seeks, sum.stats += one.stats, sum.syncs += one.syncs;
  sum.switches += one.switches, sum.maps += one.maps;
  sum.misaligned_file += one.misaligned_file, sum.misaligned_memory += one.misaligned_memory;
  sum.alignment = std::max(sum.alignment, one.alignment);
  sum.memory_alignment = std::max(sum.memory_alignment, one.memory_alignment);
  sum.squared_bytes += one.squared_bytes;
  add_flow(sum.read, one.read), add_flow(sum.write, one.write);
  sum.meta_seconds += one.meta_seconds;
  if (one.slowest_seconds >= sum.slowest_seconds) {
    sum.slowest_seconds = one.slowest_seconds;
    sum.slowest_rank = one.slowest_rank, sum.slowest_bytes = one.slowest_bytes;
  }
  if (sum.ranks == 0 || one.fastest_seconds < sum.fastest_seconds) {
    sum.fastest_seconds = one.fastest_seconds;
    sum.fastest_bytes = one.fastest_bytes;
  }
  sum.ranks += one.ranks;
  add_common(sum, one);
}

}  // namespace trikal::analyze
