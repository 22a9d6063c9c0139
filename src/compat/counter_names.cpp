// The names of all counters as arrays of C strings, made from the modules' tables while this file is compiled. Their
// types are not those of the public header, which does not tell their lengths: it is not included here.

#include <array>
#include <cstddef>
#include <string_view>

#include "modules/apmpi/schema.hpp"
#include "modules/apxc/schema.hpp"
#include "modules/bgq/schema.hpp"
#include "modules/daos/schema.hpp"
#include "modules/dfs/schema.hpp"
#include "modules/h5d/schema.hpp"
#include "modules/h5f/schema.hpp"
#include "modules/lustre/schema.hpp"
#include "modules/mdhim/schema.hpp"
#include "modules/mpiio/schema.hpp"
#include "modules/null/schema.hpp"
#include "modules/pnetcdf_file/schema.hpp"
#include "modules/pnetcdf_var/schema.hpp"
#include "modules/posix/schema.hpp"
#include "modules/stdio/schema.hpp"
#include "schema/families.hpp"

namespace {

using namespace trikal;  // NOLINT(google-build-using-namespace): the arrays below are C's

// Slots [first, first + count) of a table, all of one kind.
struct Part {
  std::span<const Counter> table;
  std::size_t first, count;
  std::string_view front;  // what the names begin with, but not in our table
};

// Calls take(counter, bucket) for each slot of the part.
template <class Take>
constexpr void each_slot(const Part& part, Take take) {
  std::size_t slot = 0;
  for (const Counter& counter : part.table) {
    for (std::size_t bucket = 0; bucket < counter.width(); ++bucket, ++slot) {
      if (slot >= part.first && slot < part.first + part.count) take(counter, bucket);
    }
  }
}

// One name in three pieces: before, instead of and behind the '#'.
constexpr std::array<std::string_view, 3> pieces_of(const Counter& counter, std::size_t bucket) {
  const std::size_t mark = counter.name.find('#');
  if (mark == std::string_view::npos) return {counter.name, "", ""};
  return {counter.name.substr(0, mark), counter.labels[bucket], counter.name.substr(mark + 1)};
}

constexpr std::size_t text_bytes(const Part& part, std::string_view end) {
  std::size_t bytes = end.size() + 1;
  each_slot(part, [&](const Counter& counter, std::size_t bucket) {
    bytes += part.front.size() + 1;
    for (const std::string_view piece : pieces_of(counter, bucket)) bytes += piece.size();
  });
  return bytes;
}

// All names of a part behind each other, each with its NUL, and pointers to them. The last one is End.
template <Part (*MakePart)(), FixedString... End>
struct Names {
  static constexpr Part kPart = MakePart();
  static constexpr std::string_view kEnd = kJoined<End...>;
  static constexpr std::size_t kCount = kPart.count + 1;

  struct Text {
    std::array<char, text_bytes(kPart, kEnd)> chars{};
    std::array<std::size_t, kCount> starts{};
  };
  static constexpr Text kText = [] {
    Text text;
    std::size_t at = 0;
    std::size_t name = 0;
    const auto put = [&](std::string_view piece) {
      for (const char c : piece) text.chars[at++] = c;
    };
    each_slot(kPart, [&](const Counter& counter, std::size_t bucket) {
      text.starts[name++] = at;
      put(kPart.front);
      for (const std::string_view piece : pieces_of(counter, bucket)) put(piece);
      ++at;
    });
    text.starts[name] = at;
    put(kEnd);
    return text;
  }();

  static constexpr auto kPointers = [] {
    std::array<const char*, kCount> pointers{};
    for (std::size_t i = 0; i < kCount; ++i) pointers[i] = kText.chars.data() + kText.starts[i];
    return pointers;
  }();
};

template <const auto& Table>
constexpr Part integers() {
  return {Table, 0, slots_in(Table, false), ""};
}
template <const auto& Table>
constexpr Part reals() {
  return {Table, slots_in(Table, false), slots_in(Table, true), ""};
}

template <const auto& Table, FixedString Prefix>
constexpr auto kIntegerNames = Names<integers<Table>, Prefix, "_NUM_INDICES">::kPointers;
template <const auto& Table, FixedString Prefix>
constexpr auto kRealNames = Names<reals<Table>, Prefix, "_F_NUM_INDICES">::kPointers;

// AutoPerf: names in the arrays begin with the module's, and the reals of APMPI are three arrays.
constexpr Part apxc_counters() { return {modules::apxc::kCounters, 0, slots_in(modules::apxc::kCounters), "APXC_"}; }
constexpr auto kApmpi = std::span<const Counter>(modules::apmpi::kCounters);
constexpr std::size_t kTimes = slots_in(kApmpi, false);
constexpr std::size_t kSyncTimes = slot_of(kApmpi, "MPI_#_TOTAL_SYNC_TIME");
constexpr std::size_t kWholeRank = slot_of(kApmpi, "MPI_TOTAL_COMM_TIME");
constexpr Part apmpi_times() { return {kApmpi, kTimes, kSyncTimes - kTimes, ""}; }
constexpr Part apmpi_sync_times() { return {kApmpi, kSyncTimes, kWholeRank - kSyncTimes, ""}; }
constexpr Part apmpi_whole_rank() { return {kApmpi, kWholeRank, slots_in(kApmpi) - kWholeRank, ""}; }

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

constinit auto null_counter_names = kIntegerNames<modules::null::kCounters, "NULL">;
constinit auto null_f_counter_names = kRealNames<modules::null::kCounters, "NULL">;
constinit auto posix_counter_names = kIntegerNames<modules::posix::kCounters, "POSIX">;
constinit auto posix_f_counter_names = kRealNames<modules::posix::kCounters, "POSIX">;
constinit auto mpiio_counter_names = kIntegerNames<modules::mpiio::kCounters, "MPIIO">;
constinit auto mpiio_f_counter_names = kRealNames<modules::mpiio::kCounters, "MPIIO">;
constinit auto h5f_counter_names = kIntegerNames<modules::h5f::kCounters, "H5F">;
constinit auto h5f_f_counter_names = kRealNames<modules::h5f::kCounters, "H5F">;
constinit auto h5d_counter_names = kIntegerNames<modules::h5d::kCounters, "H5D">;
constinit auto h5d_f_counter_names = kRealNames<modules::h5d::kCounters, "H5D">;
constinit auto pnetcdf_file_counter_names = kIntegerNames<modules::pnetcdf_file::kCounters, "PNETCDF_FILE">;
constinit auto pnetcdf_file_f_counter_names = kRealNames<modules::pnetcdf_file::kCounters, "PNETCDF_FILE">;
constinit auto pnetcdf_var_counter_names = kIntegerNames<modules::pnetcdf_var::kCounters, "PNETCDF_VAR">;
constinit auto pnetcdf_var_f_counter_names = kRealNames<modules::pnetcdf_var::kCounters, "PNETCDF_VAR">;
constinit auto bgq_counter_names = kIntegerNames<modules::bgq::kCounters, "BGQ">;
constinit auto bgq_f_counter_names = kRealNames<modules::bgq::kCounters, "BGQ">;
constinit auto lustre_comp_counter_names = kIntegerNames<modules::lustre::kComponentCounters, "LUSTRE_COMP">;
constinit auto stdio_counter_names = kIntegerNames<modules::stdio::kCounters, "STDIO">;
constinit auto stdio_f_counter_names = kRealNames<modules::stdio::kCounters, "STDIO">;
constinit auto mdhim_counter_names = kIntegerNames<modules::mdhim::kCounters, "MDHIM">;
constinit auto mdhim_f_counter_names = kRealNames<modules::mdhim::kCounters, "MDHIM">;
constinit auto apxc_counter_names = Names<apxc_counters, "APXC_NUM_INDICES">::kPointers;
constinit auto apmpi_counter_names = kIntegerNames<modules::apmpi::kCounters, "APMPI">;
constinit auto apmpi_f_mpiop_totaltime_counter_names =
    Names<apmpi_times, "APMPI_F_MPIOP_TOTALTIME_NUM_INDICES">::kPointers;
constinit auto apmpi_f_mpiop_synctime_counter_names =
    Names<apmpi_sync_times, "APMPI_F_MPIOP_SYNCTIME_NUM_INDICES">::kPointers;
constinit auto apmpi_f_mpi_global_counter_names = Names<apmpi_whole_rank, "APMPI_F_MPI_GLOBAL_NUM_INDICES">::kPointers;
constinit auto dfs_counter_names = kIntegerNames<modules::dfs::kCounters, "DFS">;
constinit auto dfs_f_counter_names = kRealNames<modules::dfs::kCounters, "DFS">;
constinit auto daos_counter_names = kIntegerNames<modules::daos::kCounters, "DAOS">;
constinit auto daos_f_counter_names = kRealNames<modules::daos::kCounters, "DAOS">;

}  // extern "C"
#pragma GCC visibility pop
