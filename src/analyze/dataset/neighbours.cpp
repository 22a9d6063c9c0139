#include "analyze/dataset/neighbours.hpp"

#include <algorithm>
#include <cmath>

#include "analyze/dataset/layers.hpp"
#include "analyze/dataset/trace_heat.hpp"
#include "modules/dxt/segments.hpp"
#include "modules/dxt_mpiio/schema.hpp"
#include "modules/dxt_posix/schema.hpp"
#include "modules/h5d/schema.hpp"
#include "modules/h5f/schema.hpp"
#include "modules/lustre/components.hpp"

namespace trikal::analyze {
namespace {

namespace dxt = modules::dxt;
namespace h5d = modules::h5d;
namespace h5f = modules::h5f;
namespace lustre = modules::lustre;

constexpr std::int64_t kNoRank = -1, kManyRanks = -2;

// Traces are read from files like everything else: what no file system can hold was not moved.
bool is_plausible(const dxt::Segment& segment) {
  constexpr std::int64_t kMost = std::int64_t{1} << 60;
  return segment.offset >= 0 && segment.offset <= kMost && segment.length >= 0 && segment.length <= kMost;
}

class Neighbours {
 public:
  Neighbours(log::Reader& reader, const FileIndexes& indexes, Run& run)
      : reader_(reader), indexes_(indexes), run_(run) {}

  Status read_layouts() {
    return for_each_batch(reader_, lustre::kSchema, [this](const log::Batch& batch) {
      const auto found = indexes_.find(load<BaseRecord>(batch.bytes.data()).id);
      if (found == indexes_.end() || run_.files[found->second].layout != kNoUse) return;
      Layout layout;
      lustre::for_each_component(batch.bytes, [&layout](const std::byte* at, Bytes targets) {
        for (std::size_t i = 0; i + 8 <= targets.size(); i += 8)
          layout.targets.push_back(load<std::int64_t>(targets.data() + i));
        layout.components.push_back({.begin = load<std::int64_t>(at + lustre::kExtStartAt),
                                     .end = load<std::int64_t>(at + lustre::kExtEndAt),
                                     .stripe_size = load<std::int64_t>(at + lustre::kStripeSizeAt),
                                     .stripes = load<std::int64_t>(at + lustre::kStripeCountAt),
                                     .mirror = load<std::int64_t>(at + lustre::kMirrorIdAt)});
      });
      std::ranges::sort(layout.targets);
      layout.targets.erase(std::ranges::unique(layout.targets).begin(), layout.targets.end());
      run_.files[found->second].layout = static_cast<std::uint32_t>(run_.layouts.size());
      run_.layouts.push_back(std::move(layout));
    });
  }

  Status read_hdf5() {
    const Status files = for_each_batch(reader_, h5f::kSchema, [this](const log::Batch& batch) {
      for (std::size_t i = 0; i < batch.count; ++i) {
        const std::byte* record = batch.record(i, h5f::kSchema);
        constexpr std::size_t kAt = h5f::kSchema.counters_at + 8 * slot_of(h5f::kCounters, "H5F_USE_MPIIO");
        const auto found = indexes_.find(load<BaseRecord>(record).id);
        if (found != indexes_.end() && load<std::int64_t>(record + kAt) == 1)
          run_.files[found->second].is_parallel_hdf5 = true;
      }
    });
    if (!files) return files;
    const Status datasets = for_each_batch(reader_, h5d::kSchema, [this](const log::Batch& batch) {
      for (std::size_t i = 0; i < batch.count; ++i) add_dataset(batch.record(i, h5d::kSchema));
    });
    if (!datasets) return datasets;
    auto names = reader_.names();
    if (!names) return names.error();
    for (Dataset& dataset : run_.datasets) dataset.name = (*names)->name_of(dataset.id, "");
    return {};
  }

  Status read_traces() {
    const bool wants_time = run_.heat.empty();
    if (wants_time) start_timeline();
    TraceHeat heat(wants_time || is_coarse() ? run_.seconds : 0, run_.job->nprocs);
    const Status status = for_each_batch(reader_, modules::dxt_posix::kSchema, [&](const log::Batch& batch) {
      const auto base = load<BaseRecord>(batch.bytes.data());
      const auto found = indexes_.find(base.id);
      HeatRow* row = heat.row("POSIX", base.rank);
      for_each_segment(batch, [&](const dxt::Segment& segment, bool is_write) {
        if (wants_time) add_time(is_write ? run_.timeline.written : run_.timeline.read, segment);
        if (row != nullptr) TraceHeat::add(*row, is_write, segment);
        if (is_write && found != indexes_.end()) add_blocks(found->second, base.rank, segment);
      });
    });
    if (!status) return status;
    const Status above = for_each_batch(reader_, modules::dxt_mpiio::kSchema, [&](const log::Batch& batch) {
      HeatRow* row = heat.row("MPIIO", load<BaseRecord>(batch.bytes.data()).rank);
      if (row == nullptr) return;
      for_each_segment(batch,
                       [row](const dxt::Segment& segment, bool is_write) { TraceHeat::add(*row, is_write, segment); });
    });
    run_.trace_heat = std::move(heat).rows();
    return above;
  }

  // All heatmaps have slices of one width in a log; where they do not, the wider ones are taken. Short runs have finer ones
  // than rules look at: between calls there is always a pause, if one only looks closely.
  void read_timeline() {
    constexpr double kFinest = 0.1;
    double width = 0;
    for (const HeatRow& row : run_.heat) width = std::max(width, row.width);
    if (!(width > 0)) return;
    const auto join = width < kFinest ? static_cast<std::size_t>(std::lround(std::min(kFinest / width, 1e3))) : 1;
    Timeline& timeline = run_.timeline;
    timeline.width = width * static_cast<double>(join);
    for (const HeatRow& row : run_.heat) {
      if (row.interface == "MPIIO" || row.width != width) continue;  // MPI-IO's bytes are POSIX's
      const std::size_t slices = std::max(timeline.written.size(), (row.written.size() + join - 1) / join);
      timeline.written.resize(slices), timeline.read.resize(slices);
      for (std::size_t i = 0; i < row.written.size(); ++i)
        timeline.written[i / join] += static_cast<double>(row.written[i]);
      for (std::size_t i = 0; i < row.read.size(); ++i) timeline.read[i / join] += static_cast<double>(row.read[i]);
    }
  }

 private:
  void add_dataset(const std::byte* record) {
    const auto base = load<BaseRecord>(record);
    const auto [found, is_new] = datasets_.try_emplace(base.id, run_.datasets.size());
    if (is_new) run_.datasets.push_back({});
    Dataset& dataset = run_.datasets[found->second];
    const std::byte* counters = record + h5d::kSchema.counters_at;
    const auto count = [counters](std::size_t slot) {
      return std::max<std::int64_t>(0, load<std::int64_t>(counters + 8 * slot));
    };
    dataset.id = base.id, dataset.file = load<std::uint64_t>(record + h5d::kFields[0].offset);
    dataset.elements = count(slot_of(h5d::kCounters, "H5D_DATASPACE_NPOINTS"));
    dataset.scattered += count(slot_of(h5d::kCounters, "H5D_IRREGULAR_HYPERSLAB_SELECTS")) +
                         count(slot_of(h5d::kCounters, "H5D_POINT_SELECTS"));
    dataset.collective |= count(slot_of(h5d::kCounters, "H5D_USE_MPIIO_COLLECTIVE")) == 1;
    dataset.element_bytes = count(slot_of(h5d::kCounters, "H5D_DATATYPE_SIZE"));
    add_shapes(dataset, count);
    add_use(dataset.use, dataset_use(record, run_.job->nprocs));
  }

  // So few slices that a picture of them says little.
  [[nodiscard]] bool is_coarse() const {
    constexpr double kFew = 50;
    return std::ranges::any_of(run_.heat, [this](const HeatRow& row) { return run_.seconds < kFew * row.width; });
  }

  // Calls look(segment, whether it was written).
  template <class Look>
  static void for_each_segment(const log::Batch& batch, const Look& look) {
    const auto writes = load<std::uint64_t>(batch.bytes.data() + dxt::kWritesAt);
    for (std::size_t at = 0, number = 0; at + dxt::kSegmentBytes <= batch.items.size();
         at += dxt::kSegmentBytes, ++number) {
      const auto segment = load<dxt::Segment>(batch.items.data() + at);
      if (is_plausible(segment)) look(segment, batch.first_item + number < writes);
    }
  }

  template <class Count>
  static void add_shapes(Dataset& dataset, const Count& count) {
    constexpr std::size_t kChunks = slot_of(h5d::kCounters, "H5D_CHUNK_SIZE_D#");
    constexpr std::size_t kAccess = slot_of(h5d::kCounters, "H5D_ACCESS#");  // bytes, elements, strides
    constexpr std::size_t kCounts = slot_of(h5d::kCounters, "H5D_ACCESS#_COUNT");
    const auto dimensions = dataset.chunk.size();
    double bytes = count(kChunks) > 0 ? static_cast<double>(dataset.element_bytes) : 0;
    for (std::size_t i = 0; i < dimensions; ++i) {
      dataset.chunk[i] = i == 0 || dataset.chunk[i - 1] > 0 ? count(kChunks + i) : 0;
      if (dataset.chunk[i] > 0) bytes *= static_cast<double>(dataset.chunk[i]);
    }
    dataset.chunk_bytes = static_cast<std::int64_t>(std::min(bytes, 1e18));
    for (std::size_t top = 0; top < kTopSlots; ++top) {
      if (count(kCounts + top) <= dataset.access_count) continue;
      dataset.access_count = count(kCounts + top);
      dataset.access_bytes = count(kAccess + kShapeWords * top);
      for (std::size_t i = 0; i < dimensions; ++i) dataset.access[i] = count(kAccess + kShapeWords * top + 1 + i);
    }
  }

  void start_timeline() {
    constexpr double kFinest = 0.1;
    constexpr std::size_t kSlices = 200;
    Timeline& timeline = run_.timeline;
    timeline.width = std::max(kFinest, run_.seconds / static_cast<double>(kSlices));
    timeline.written.assign(kSlices + 1, 0), timeline.read.assign(kSlices + 1, 0);
  }

  void add_time(std::vector<double>& slices, const dxt::Segment& segment) const {
    const double slice = segment.end / run_.timeline.width;
    if (!(slice >= 0)) return;  // not a number, either
    slices[std::min(slices.size() - 1, static_cast<std::size_t>(std::min(slice, 1e6)))] +=
        static_cast<double>(segment.length);
  }

  // Remembers who wrote a block first. Bounded: traces may be of any length, and so may an access.
  void add_blocks(std::size_t file, std::int64_t rank, const dxt::Segment& segment) {
    constexpr std::int64_t kPlainBlock = 1024 * 1024, kMostBlocks = 64;
    constexpr std::size_t kMostKept = 1U << 20U;
    if (segment.length == 0) return;
    TraceUse& trace = run_.trace_of(run_.files[file]);
    if (trace.block_bytes == 0) {
      const Layout* layout = run_.layout(run_.files[file]);
      const Component* part = layout != nullptr ? layout->widest(segment.offset + segment.length) : nullptr;
      trace.block_bytes = part != nullptr && part->stripe_size > 0 ? part->stripe_size : kPlainBlock;
    }
    const std::int64_t first = segment.offset / trace.block_bytes;
    const std::int64_t last = (segment.offset + segment.length - 1) / trace.block_bytes;
    for (std::int64_t block = first; block <= std::min(last, first + kMostBlocks); ++block) {
      if (writers_.size() >= kMostKept) return;
      std::int64_t& writer = writers_.try_emplace(key_of(file, block), kNoRank).first->second;
      if (writer == kNoRank) writer = rank, trace.blocks += 1;
      else if (writer != rank && writer != kManyRanks) writer = kManyRanks, trace.contended += 1;
    }
  }

  static std::uint64_t key_of(std::size_t file, std::int64_t block) {
    return static_cast<std::uint64_t>(file) * 0x9e3779b97f4a7c15U ^ static_cast<std::uint64_t>(block);
  }

  log::Reader& reader_;
  const FileIndexes& indexes_;
  Run& run_;
  std::unordered_map<std::uint64_t, std::size_t, KeyedHash> datasets_;
  std::unordered_map<std::uint64_t, std::int64_t, KeyedHash> writers_;
};

}  // namespace

// A version nobody knows is no reason to say nothing about the rest.
Status read_neighbours(log::Reader& reader, const FileIndexes& indexes, Run& run) {
  Neighbours neighbours(reader, indexes, run);
  neighbours.read_timeline();
  const auto is_fatal = [](const Status& status) { return !status && status.error().code != ErrorCode::kUnsupported; };
  if (const Status status = neighbours.read_layouts(); is_fatal(status)) return status;
  if (const Status status = neighbours.read_hdf5(); is_fatal(status)) return status;
  if (const Status status = neighbours.read_traces(); is_fatal(status)) return status;
  return {};
}

}  // namespace trikal::analyze
