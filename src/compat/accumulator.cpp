// Many records become one: the C face of analyze/metrics.

#include "analyze/metrics/accumulator.hpp"

#include <cstring>

#include "compat/handle.hpp"
#include "modules/list.hpp"

struct darshan_accumulator_st {
  trikal::analyze::Accumulator sum;
  std::int64_t nprocs;
};

namespace {

using namespace trikal;  // NOLINT(google-build-using-namespace): the functions below are C's
using analyze::Accumulator;

static_assert(sizeof(darshan_file_category_counters) == 64 && sizeof(darshan_derived_metrics) == 512);
static_assert(offsetof(darshan_derived_metrics, shared_io_total_time_by_slowest) == 40);
static_assert(offsetof(darshan_derived_metrics, category_counters) == 64);
static_assert(DARSHAN_FILE_CATEGORY_MAX == analyze::kFileClasses);

bool belongs(std::int64_t rank, std::int64_t nprocs) { return rank == kSharedRank || (rank >= 0 && rank < nprocs); }

void fill(const analyze::Derived& from, darshan_derived_metrics& to) {
  to = {.total_bytes = from.total_bytes,
        .unique_io_total_time_by_slowest = from.unique_io_time,
        .unique_rw_only_time_by_slowest = from.unique_rw_time,
        .unique_md_only_time_by_slowest = from.unique_meta_time,
        .unique_io_slowest_rank = static_cast<int>(from.slowest_rank),
        .shared_io_total_time_by_slowest = from.shared_time_by_slowest,
        .agg_perf_by_slowest = from.agg_perf,
        .agg_time_by_slowest = from.agg_time,
        .category_counters = {}};
  for (std::size_t i = 0; i < from.files.size(); ++i) {
    const analyze::FileCounts& files = from.files[i];
    to.category_counters[i] = {.count = files.count,
                               .total_read_volume_bytes = files.total_read,
                               .total_write_volume_bytes = files.total_written,
                               .max_read_volume_bytes = files.max_read,
                               .max_write_volume_bytes = files.max_written,
                               .total_max_offset_bytes = files.total_max_offset,
                               .max_offset_bytes = files.max_offset,
                               .nprocs = files.nprocs};
  }
}

}  // namespace

extern "C" {

int darshan_accumulator_create(darshan_module_id id, int64_t nprocs, darshan_accumulator* accumulator) {
  *accumulator = nullptr;
  const ModuleFormat* format =
      static_cast<unsigned>(id) < kModuleSlots ? find_module(static_cast<ModuleId>(id)) : nullptr;
  if (format == nullptr || !format->schema->totals) return -1;
  return compat::shielded(__func__, -1, [&] {
    *accumulator = new darshan_accumulator_st{Accumulator(*format->schema, nprocs, Accumulator::Files::kCount), nprocs};
    return 0;
  });
}

int darshan_accumulator_inject(darshan_accumulator accumulator, void* records, int record_count) {
  if (accumulator == nullptr) return compat::complain(__func__, "no accumulator"), -1;
  const char* function = __func__;
  return compat::shielded(function, -1, [&] {
    const auto* record = static_cast<const std::byte*>(records);
    for (int i = 0; i < record_count; ++i, record += accumulator->sum.schema().head_bytes) {
      if (!belongs(load<std::int64_t>(record + 8), accumulator->nprocs)) {
        return compat::complain(function, "a record's rank is not one of the job's"), -1;
      }
      accumulator->sum.add(record);
    }
    return 0;
  });
}

int darshan_accumulator_emit(darshan_accumulator accumulator, struct darshan_derived_metrics* metrics,
                             void* aggregation_record) {
  if (accumulator == nullptr) return compat::complain(__func__, "no accumulator"), -1;
  return compat::shielded(__func__, -1, [&] {
    fill(accumulator->sum.derived(), *metrics);
    const Bytes total = accumulator->sum.total();
    std::memcpy(aggregation_record, total.data(), total.size());
    return 0;
  });
}

int darshan_accumulator_destroy(darshan_accumulator accumulator) {
  delete accumulator;
  return 0;
}

}  // extern "C"
