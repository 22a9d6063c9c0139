// What each module can do, as a table of C functions: one instance of each for a module, all alike.

#include <algorithm>

#include "base/wrapping.hpp"
#include "compat/handle.hpp"
#include "compat/print.hpp"
#include "compat/record_memory.hpp"
#include "compat/records.hpp"
#include "modules/list.hpp"
#include "modules/mdhim/schema.hpp"
#include "schema/fold.hpp"

namespace {

using namespace trikal;  // NOLINT(google-build-using-namespace): the table below is C's

const ModuleSchema& schema_of(ModuleId module) { return *find_module(module)->schema; }

template <ModuleId Module>
int get_record(darshan_fd fd, void** buf) {
  return compat::get_record(fd, Module, buf, "log_get_record");
}

template <ModuleId Module>
int put_record(darshan_fd fd, void* record) {
  return compat::put_record(fd, Module, record, "log_put_record");
}

template <ModuleId Module>
void print_record(void* record, char* name, char* mount, char* type) {
  compat::print_record(Module, record, name, mount, type);
}

// Traces have functions of their own, dxt_log_print_*; tools that list all modules call this for them, too.
void print_nothing(void* /*record*/, char* /*name*/, char* /*mount*/, char* /*type*/) {}

template <ModuleId Module>
void print_description(int version) {
  compat::print_description(Module, version);
}

template <ModuleId Module>
void print_diff(void* first, char* first_name, void* second, char* second_name) {
  compat::print_diff(Module, first, first_name, second, second_name);
}

// The counts of MDHIM's servers, of as many as both records have. The total keeps its number of servers: it is how
// large the caller's memory is.
void add_mdhim(const FoldPlan& plan, std::byte* total, const std::byte* record) {
  namespace mdhim = modules::mdhim;
  const auto servers = load<std::int64_t>(total + mdhim::kServersAt);
  const auto both = std::max<std::int64_t>(1, std::min(servers, load<std::int64_t>(record + mdhim::kServersAt)));
  plan.combine_totals(total, record, false);
  store(total + mdhim::kServersAt, servers);
  for (std::size_t at = mdhim::kHeadBytes; at < mdhim::kHeadBytes + 8 * static_cast<std::size_t>(both); at += 8) {
    store(total + at, wrap_add(load<std::int64_t>(total + at), load<std::int64_t>(record + at)));
  }
}

// A layout cannot be added up: that of the first record stands for all.
template <ModuleId Module>
void aggregate(void* record, void* total, int init_flag) {
  static const FoldPlan plan(schema_of(Module));
  compat::shielded("log_agg_records", 0, [&] {
    if (init_flag != 0 && schema_of(Module).shape == Shape::kWhole) {
      compat::to_memory(Module, compat::from_memory(Module, record, 0), 0, static_cast<std::byte*>(total));
    } else if (Module == modules::mdhim::kSchema.id) {
      add_mdhim(plan, static_cast<std::byte*>(total), static_cast<const std::byte*>(record));
    } else {
      plan.combine_totals(static_cast<std::byte*>(total), static_cast<const std::byte*>(record), init_flag != 0);
    }
    return 0;
  });
}

template <ModuleId Module>
int size_of(void* /*record*/) {
  return static_cast<int>(schema_of(Module).head_bytes);
}

template <ModuleId Module>
int metrics_of(void* record, uint64_t* rec_id, int64_t* r_bytes, int64_t* w_bytes, int64_t* max_offset,
               double* io_total_time, double* md_only_time, double* rw_only_time, int64_t* rank, int64_t* nprocs) {
  const ModuleSchema& schema = schema_of(Module);
  const auto* at = static_cast<const std::byte*>(record);
  const auto integer = [&](std::size_t slot) { return load<std::int64_t>(at + schema.counters_at + 8 * slot); };
  const auto real = [&](std::size_t slot) { return load<double>(at + schema.counters_at + 8 * slot); };
  const Roles& roles = schema.roles;
  *rec_id = load<std::uint64_t>(at);
  *rank = load<std::int64_t>(at + 8);
  *r_bytes = integer(roles.bytes_read);
  *w_bytes = integer(roles.bytes_written);
  *max_offset =
      roles.max_byte_read == kNoSlot ? -1 : std::max(integer(roles.max_byte_read), integer(roles.max_byte_written));
  const bool shared = *rank == kSharedRank;
  *nprocs = shared ? -1 : 1;
  *rw_only_time = shared ? 0 : real(roles.read_time) + real(roles.write_time);
  *md_only_time = shared ? 0 : real(roles.meta_time);
  *io_total_time = shared ? real(roles.slowest_rank_time) : *rw_only_time + *md_only_time;
  return 0;
}

// A trace can only be read and written; AutoPerf's records and heatmaps are never added up.
enum class Abilities : std::uint8_t { kTrace, kListed, kAggregated, kTotals };

template <ModuleId Module>
constexpr darshan_mod_logutil_funcs functions(Abilities abilities) {
  darshan_mod_logutil_funcs table{};
  table.log_get_record = get_record<Module>;
  table.log_put_record = put_record<Module>;
  table.log_print_record = abilities == Abilities::kTrace ? print_nothing : print_record<Module>;
  if (abilities >= Abilities::kListed) {
    table.log_print_description = print_description<Module>;
    table.log_print_diff = print_diff<Module>;
  }
  if (abilities >= Abilities::kAggregated) table.log_agg_records = aggregate<Module>;
  if (abilities == Abilities::kTotals) {
    table.log_sizeof_record = size_of<Module>;
    table.log_record_metrics = metrics_of<Module>;
  }
  return table;
}

template <ModuleId Module, Abilities What>
constinit darshan_mod_logutil_funcs kFunctions = functions<Module>(What);

}  // namespace

struct darshan_mod_logutil_funcs* mod_logutils[DARSHAN_KNOWN_MODULE_COUNT] = {
    nullptr,
    &kFunctions<DARSHAN_POSIX_MOD, Abilities::kTotals>,
    &kFunctions<DARSHAN_MPIIO_MOD, Abilities::kTotals>,
    &kFunctions<DARSHAN_H5F_MOD, Abilities::kAggregated>,
    &kFunctions<DARSHAN_H5D_MOD, Abilities::kAggregated>,
    &kFunctions<DARSHAN_PNETCDF_FILE_MOD, Abilities::kAggregated>,
    &kFunctions<DARSHAN_PNETCDF_VAR_MOD, Abilities::kAggregated>,
    &kFunctions<DARSHAN_BGQ_MOD, Abilities::kAggregated>,
    &kFunctions<DARSHAN_LUSTRE_MOD, Abilities::kAggregated>,
    &kFunctions<DARSHAN_STDIO_MOD, Abilities::kTotals>,
    &kFunctions<DXT_POSIX_MOD, Abilities::kTrace>,
    &kFunctions<DXT_MPIIO_MOD, Abilities::kTrace>,
    &kFunctions<DARSHAN_MDHIM_MOD, Abilities::kAggregated>,
    &kFunctions<DARSHAN_APXC_MOD, Abilities::kListed>,
    &kFunctions<DARSHAN_APMPI_MOD, Abilities::kListed>,
    &kFunctions<DARSHAN_HEATMAP_MOD, Abilities::kListed>,
    &kFunctions<DARSHAN_DFS_MOD, Abilities::kTotals>,
    &kFunctions<DARSHAN_DAOS_MOD, Abilities::kTotals>,
};
