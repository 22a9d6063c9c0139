#include "analyze/metrics/accumulator.hpp"

#include <algorithm>

#include "base/wrapping.hpp"

namespace trikal::analyze {
namespace {

constexpr double kMiB = 1048576.0;

template <class T>
T slot_value(const std::byte* record, const ModuleSchema& schema, std::size_t slot) {
  return slot == kNoSlot ? T{} : load<T>(record + schema.counters_at + 8 * slot);
}

}  // namespace

Accumulator::Accumulator(const ModuleSchema& schema, std::int64_t nprocs, Files files)
    : plan_(schema), nprocs_(nprocs), files_wanted_(files), total_(schema.head_bytes / 8) {}

void Accumulator::add(const std::byte* record) {
  plan_.combine_totals(reinterpret_cast<std::byte*>(total_.data()), record, empty_);
  empty_ = false;
  const BaseRecord base{load<std::uint64_t>(record), load<std::int64_t>(record + 8)};
  bytes_ = wrap_add(bytes_, plan_.rank_bytes(record));
  add_times(record, base.rank);
  if (files_wanted_ == Files::kCount) add_file(record, base);
}

Accumulator::RankTimes& Accumulator::times_of(std::int64_t rank) {
  if (last_times_ == nullptr || rank != last_rank_) last_times_ = &ranks_[rank], last_rank_ = rank;
  return *last_times_;
}

void Accumulator::add_times(const std::byte* record, std::int64_t rank) {
  const ModuleSchema& s = schema();
  if (rank == kSharedRank) {
    shared_time_ += slot_value<double>(record, s, s.roles.slowest_rank_time);
    return;
  }
  const auto meta = slot_value<double>(record, s, s.roles.meta_time);
  const auto read = slot_value<double>(record, s, s.roles.read_time);
  const auto write = slot_value<double>(record, s, s.roles.write_time);
  RankTimes& times = times_of(rank);
  times.io += meta + read + write;
  times.rw += read + write;
  times.meta += meta;
}

void Accumulator::add_file(const std::byte* record, BaseRecord base) {
  const ModuleSchema& s = schema();
  FileSums& file = files_[base.id];
  file.read = wrap_add(file.read, slot_value<std::int64_t>(record, s, s.roles.bytes_read));
  file.written = wrap_add(file.written, slot_value<std::int64_t>(record, s, s.roles.bytes_written));
  if (s.roles.max_byte_read == kNoSlot) file.max_offset = -1;
  else {
    // Nothing read or written is 0; what is below that says no more.
    file.max_offset = std::max({file.max_offset, slot_value<std::int64_t>(record, s, s.roles.max_byte_read),
                                slot_value<std::int64_t>(record, s, s.roles.max_byte_written)});
  }
  if (base.rank == kSharedRank || file.nprocs == -1) file.nprocs = -1;
  else ++file.nprocs;
}

std::uint64_t Accumulator::bytes() const {
  // A node has its value, a link and the allocator's own; a bucket is a pointer.
  constexpr std::uint64_t kNode = 32;
  return ranks_.size() * (sizeof(RankTimes) + kNode) + files_.size() * (sizeof(FileSums) + kNode) +
         (ranks_.bucket_count() + files_.bucket_count()) * sizeof(void*);
}

void Accumulator::count_file(const FileSums& file, std::array<FileCounts, kFileClasses>& counts) const {
  const auto count_in = [&](FileClass which) {
    FileCounts& c = counts[static_cast<std::size_t>(which)];
    ++c.count;
    c.total_read = wrap_add(c.total_read, file.read);
    c.total_written = wrap_add(c.total_written, file.written);
    c.max_read = std::max(c.max_read, file.read);
    c.max_written = std::max(c.max_written, file.written);
    if (file.max_offset < 0) {
      c.total_max_offset = -1, c.max_offset = -1;
    } else {
      c.total_max_offset = wrap_add(c.total_max_offset, file.max_offset);
      c.max_offset = std::max(c.max_offset, file.max_offset);
    }
    if (file.nprocs < 0 || c.nprocs < 0) c.nprocs = -1;
    else c.nprocs = c.nprocs + file.nprocs >= nprocs_ ? -1 : c.nprocs + file.nprocs;
  };
  count_in(FileClass::kAll);
  if (file.read > 0 && file.written == 0) count_in(FileClass::kReadOnly);
  if (file.read == 0 && file.written > 0) count_in(FileClass::kWriteOnly);
  if (file.read > 0 && file.written > 0) count_in(FileClass::kReadWrite);
  count_in(file.nprocs == 1 ? FileClass::kUnique : file.nprocs < 0 ? FileClass::kShared : FileClass::kPartShared);
}

Derived Accumulator::derived() const {
  Derived d;
  d.total_bytes = bytes_;
  d.shared_time_by_slowest = shared_time_;
  for (const auto& [rank, times] : ranks_) {
    const bool slower = times.io > d.unique_io_time;
    const bool tie_but_lower = times.io == d.unique_io_time && times.io > 0 && rank < d.slowest_rank;
    if (!slower && !tie_but_lower) continue;
    d.unique_io_time = times.io, d.unique_rw_time = times.rw, d.unique_meta_time = times.meta;
    d.slowest_rank = rank;
  }
  d.agg_time = d.unique_io_time + d.shared_time_by_slowest;
  if (d.agg_time != 0) d.agg_perf = static_cast<double>(d.total_bytes) / kMiB / d.agg_time;
  for (const auto& [id, file] : files_) count_file(file, d.files);
  return d;
}

}  // namespace trikal::analyze
