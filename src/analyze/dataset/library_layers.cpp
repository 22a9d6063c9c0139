#include "analyze/dataset/library_layers.hpp"

#include <algorithm>
#include <unordered_map>

#include "analyze/dataset/neighbours.hpp"
#include "modules/apmpi/schema.hpp"
#include "modules/daos/schema.hpp"
#include "modules/dfs/schema.hpp"
#include "modules/h5d/schema.hpp"
#include "modules/h5f/schema.hpp"
#include "modules/pnetcdf_file/schema.hpp"
#include "modules/pnetcdf_var/schema.hpp"

namespace trikal::analyze {
namespace {

namespace apmpi = modules::apmpi;

// Where a record names the file that it belongs to.
enum class FileOf : std::uint8_t { kItself, kField, kNone };

struct CallSlots {
  std::size_t reads = kNoSlot, writes = kNoSlot;
};
struct Library {
  const ModuleSchema* schema;
  FileOf file;
  std::size_t waiting = kNoSlot;  // for nonblocking requests
  CallSlots independent = {}, collective = {}, nonblocking = {};
};

consteval std::size_t variable_slot(std::string_view name) { return slot_of(modules::pnetcdf_var::kCounters, name); }
constexpr Library kLibraries[] = {
    {&modules::h5f::kSchema, FileOf::kItself},
    {&modules::h5d::kSchema, FileOf::kField},
    {&modules::pnetcdf_file::kSchema, FileOf::kItself,
     slot_of(modules::pnetcdf_file::kCounters, "PNETCDF_FILE_F_WAIT_TIME")},
    {.schema = &modules::pnetcdf_var::kSchema,
     .file = FileOf::kField,
     .independent = {variable_slot("PNETCDF_VAR_INDEP_READS"), variable_slot("PNETCDF_VAR_INDEP_WRITES")},
     .collective = {variable_slot("PNETCDF_VAR_COLL_READS"), variable_slot("PNETCDF_VAR_COLL_WRITES")},
     .nonblocking = {variable_slot("PNETCDF_VAR_NB_READS"), variable_slot("PNETCDF_VAR_NB_WRITES")}},
    {&modules::dfs::kSchema, FileOf::kItself},
    {&modules::daos::kSchema, FileOf::kNone},  // inside of DFS, or of HDF5's connector
};

class LibraryReader {
 public:
  LibraryReader(const Library& library, std::int64_t nprocs) : library_(library), nprocs_(nprocs) {
    sum_.name = library.schema->name;
  }

  void add(const std::byte* record, OuterTime& time) {
    const Roles& roles = library_.schema->roles;
    const auto base = load<BaseRecord>(record);
    sum_.records += 1;
    sum_.bytes_read += count(record, roles.bytes_read), sum_.bytes_written += count(record, roles.bytes_written);
    const double read = real(record, roles.read_time), write = real(record, roles.write_time);
    const double meta = real(record, roles.meta_time) + real(record, library_.waiting), all = read + write + meta;
    sum_.read_seconds += read, sum_.write_seconds += write, sum_.meta_seconds += meta;
    add_calls(record, library_.independent, sum_.independent);
    add_calls(record, library_.collective, sum_.collective);
    add_calls(record, library_.nonblocking, sum_.nonblocking);
    double slowest = all;
    if (base.rank == kSharedRank) {
      // HDF5's files have no slowest rank: all open and close them together.
      slowest = std::max(real(record, roles.slowest_rank_time),
                         all / static_cast<double>(std::max<std::int64_t>(1, nprocs_)));
      shared_ += slowest;
    } else {
      own_[base.rank] += slowest;
    }
    const std::uint64_t file = library_.file == FileOf::kItself  ? base.id
                               : library_.file == FileOf::kField ? load<std::uint64_t>(record + 16)
                                                                 : 0;
    if (file != 0) time.add_library({file, base.rank}, {slowest, all});
  }

  [[nodiscard]] LibrarySum sum() const {
    LibrarySum sum = sum_;
    for (const auto& [rank, seconds] : own_) sum.slowest_seconds = std::max(sum.slowest_seconds, seconds);
    sum.slowest_seconds += shared_;
    return sum;
  }

 private:
  [[nodiscard]] const std::byte* at(const std::byte* record, std::size_t slot) const {
    return record + library_.schema->counters_at + 8 * slot;
  }
  [[nodiscard]] std::int64_t count(const std::byte* record, std::size_t slot) const {
    return slot == kNoSlot ? 0 : std::max<std::int64_t>(0, load<std::int64_t>(at(record, slot)));
  }
  void add_calls(const std::byte* record, CallSlots slots, AccessCalls& calls) const {
    calls.reads += count(record, slots.reads), calls.writes += count(record, slots.writes);
  }
  [[nodiscard]] double real(const std::byte* record, std::size_t slot) const {
    const double value = slot == kNoSlot ? 0 : load<double>(at(record, slot));
    return value > 0 && value < 1e18 ? value : 0;
  }

  const Library& library_;
  std::int64_t nprocs_;
  LibrarySum sum_;
  std::unordered_map<std::int64_t, double, KeyedHash> own_;
  double shared_ = 0;
};

void add_messages(const log::Batch& batch, MessageTime& messages) {
  constexpr std::size_t kTotal = slot_of(apmpi::kCounters, "MPI_TOTAL_COMM_TIME");
  if (batch.bytes.size() < apmpi::kPerfBytes) return;  // the header
  const auto base = load<BaseRecord>(batch.bytes.data());
  const double seconds = load<double>(batch.bytes.data() + apmpi::kCountersAt + 8 * kTotal);
  if (!(seconds > 0 && seconds < 1e18)) return;
  messages.ranks += 1, messages.all += seconds;
  if (seconds > messages.slowest) messages.slowest = seconds, messages.slowest_rank = base.rank;
}

// What the libraries above MPI-IO and POSIX are called together.
std::string_view name_of(const Libraries& libraries) {
  std::string_view name;
  for (const LibrarySum& sum : libraries.sums) {
    const std::string_view own = sum.name.starts_with("H5")        ? "HDF5"
                                 : sum.name.starts_with("PNETCDF") ? "PnetCDF"
                                                                   : "DAOS";
    if (!name.empty() && name != own) return "libraries";
    name = own;
  }
  return name;
}

}  // namespace

std::vector<LayerTime> time_by_layer(const Run& run) {
  LayerTime library{.name = name_of(run.libraries)}, mpi{.name = "MPI-IO"}, posix{.name = "POSIX"},
      stdio{.name = "STDIO"};
  for (const NestedTime& file : run.nested) {
    library.all += file.in_library(), library.slowest += file.library.slowest;
    mpi.all += file.in_mpiio(), mpi.slowest += file.mpiio.slowest;
  }
  const auto add = [&run](LayerTime& time, Layer layer) {
    time.all = run.layer(layer).total.seconds();
    for_each_use(run, layer, [&time](const FileUse&, const Use& use) {
      time.slowest = use.ranks > 1 ? time.slowest + use.slowest_seconds : std::max(time.slowest, use.slowest_seconds);
    });
  };
  add(posix, Layer::kPosix), add(stdio, Layer::kStdio);
  std::vector<LayerTime> layers;
  for (const LayerTime& layer : {library, mpi, posix, stdio})
    if (layer.all > 0) layers.push_back(layer), layers.back().slowest = std::min(layer.slowest, run.seconds);
  return layers;
}

std::vector<LayerTime> time_by_layer(const Run& run, const FileUse& file) {
  const auto found = std::ranges::lower_bound(run.nested, file.id, {}, &NestedTime::file);
  if (found == run.nested.end() || found->file != file.id) return {};
  const double posix = found->posix.all;
  std::vector<LayerTime> layers;
  for (const LayerTime& layer :
       {LayerTime{name_of(run.libraries), found->in_library(), found->library.slowest},
        LayerTime{"MPI-IO", found->in_mpiio(), found->mpiio.slowest}, LayerTime{"POSIX", posix, found->posix.slowest}})
    if (layer.all > 0) layers.push_back(layer);
  return layers;
}

double file_seconds(const Run& run, const FileUse& file) {
  double seconds = run.extra(file).seconds, with_libraries = 0;
  for (const Layer layer : {Layer::kPosix, Layer::kStdio})
    if (const auto use = run.use(file, layer)) seconds += use->seconds();
  for (const LayerTime& layer : time_by_layer(run, file)) with_libraries += layer.all;
  return std::max(seconds, with_libraries);
}

Result<Libraries> read_libraries(log::Reader& reader, OuterTime& time) {
  Libraries libraries;
  const auto is_fatal = [](const Status& status) { return !status && status.error().code != ErrorCode::kUnsupported; };
  for (const Library& library : kLibraries) {
    LibraryReader one(library, reader.job().nprocs);
    const Status status = for_each_batch(reader, *library.schema, [&](const log::Batch& batch) {
      for (std::size_t i = 0; i < batch.count; ++i) one.add(batch.record(i, *library.schema), time);
    });
    if (is_fatal(status)) return status.error();
    if (one.sum().records > 0) libraries.sums.push_back(one.sum());
  }
  const Status status = for_each_batch(
      reader, apmpi::kSchema, [&libraries](const log::Batch& batch) { add_messages(batch, libraries.messages); });
  if (is_fatal(status)) return status.error();
  return libraries;
}

}  // namespace trikal::analyze
