#pragma once
// A whole run as findings and reports look at it: what was done with each file through each layer, what each rank
// and process did, when bytes moved. A finished run, a snapshot and a prediction all come in as the same log.

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <ranges>
#include <string>
#include <unordered_map>
#include <vector>

#include "analyze/dataset/call_sites.hpp"
#include "analyze/dataset/libraries.hpp"
#include "analyze/dataset/packed_uses.hpp"
#include "analyze/dataset/prediction.hpp"
#include "analyze/dataset/rank_ranges.hpp"
#include "analyze/dataset/trace_lanes.hpp"
#include "analyze/metrics/accumulator.hpp"
#include "log/read/reader.hpp"
#include "schema/overflow.hpp"

namespace trikal::analyze {

// What the trailer knows of a file beyond its record.
struct ExtraUse {
  std::int64_t unlinks = 0, mapped_bytes = 0, short_reads = 0, short_writes = 0, empty_reads = 0, readdirs = 0;
  std::int64_t unmaps = 0, renames = 0, locks = 0, opendirs = 0, map_syncs = 0;
  std::int64_t linked = 0;  // times it was given a further name
  std::int64_t directory_calls = 0;  // making, removing, opening directories; links, renames, attributes
  std::int64_t errors = 0;
  double seconds = 0;
  double sync_seconds = 0;  // of fsync and fdatasync: the record has them among those of its writes
};

inline constexpr std::uint32_t kNoUse = ~std::uint32_t{0};

// A stretch of a file on Lustre.
struct Component {
  std::int64_t begin = 0, end = -1;  // -1: as far as the file goes
  std::int64_t stripe_size = 0, stripes = 0, mirror = 0;
};
struct Layout {
  std::vector<Component> components;
  std::vector<std::int64_t> targets;  // OSTs with a stripe of it, each once
  // Of the components that hold bytes of a file this long: the most stripes, and their size.
  [[nodiscard]] const Component* widest(std::int64_t length) const;
};

// An HDF5 dataset, all ranks together.
struct Dataset {
  std::uint64_t id = 0, file = 0;  // file: 0 where the log does not say
  std::string_view name;
  std::int64_t elements = 0, element_bytes = 0, chunk_bytes = 0;  // chunk_bytes: 0 where there are no chunks
  // In elements, as records have them: `chunk` has the fastest-varying dimension first, zeros behind the last;
  // `access`, the most common one, has zeros before the fastest and the slowest last, and only zeros where all was
  // selected.
  std::array<std::int64_t, 5> chunk{}, access{};
  std::int64_t access_bytes = 0, access_count = 0;
  std::int64_t scattered = 0;  // accesses by points or irregular hyperslabs
  bool collective = false;
  Use use;
};

// What traces tell of a file: blocks of a stripe (or of 1 MiB) that were written, and by how many ranks.
struct TraceUse {
  std::int64_t block_bytes = 0, blocks = 0, contended = 0;  // contended: written by two ranks or more
};

// There may be millions: what few files have lies elsewhere.
struct FileUse {
  std::uint64_t id = 0;
  std::string_view name;  // in the reader's name table
  std::array<std::uint32_t, kLayers> uses = {kNoUse, kNoUse, kNoUse};  // indexes in Run::uses
  std::uint32_t layout = kNoUse;  // an index in Run::layouts
  std::uint32_t extra = kNoUse, trace = kNoUse;  // indexes in Run::extras and Run::traces
  bool is_parallel_hdf5 = false;  // opened by HDF5 through MPI-IO

  // Stands for many files: memory was full.
  [[nodiscard]] bool is_overflow() const { return is_overflow_name(name); }
  // Not only named: directories that were listed, names that do not exist.
  [[nodiscard]] bool is_opened() const { return uses != decltype(uses){kNoUse, kNoUse, kNoUse}; }
};

struct RankUse {
  std::int64_t rank = 0, bytes_read = 0, bytes_written = 0, calls = 0, files = 0;
  double read_seconds = 0, write_seconds = 0, meta_seconds = 0;
  double mpiio_seconds = 0;  // in MPI-IO, POSIX inside of it included
  double library_seconds = 0;  // in libraries above, MPI-IO and POSIX inside of them included
  [[nodiscard]] double seconds() const { return read_seconds + write_seconds + meta_seconds; }
  [[nodiscard]] std::int64_t bytes() const { return bytes_read + bytes_written; }
};

// Bytes moved through one interface in slices of time, by rank.
struct HeatRow {
  std::string interface;  // "POSIX"
  std::int64_t rank = 0;
  double width = 0;  // seconds of a slice
  std::vector<std::int64_t> written, read;
};

// Bytes over time, of all ranks and interfaces that reach the file system. From heatmaps, or from traces.
struct Timeline {
  double width = 0;
  std::vector<double> written, read;
};

struct ErrorCount {
  std::uint64_t file = 0;
  std::string what;  // "ENOENT"
  std::int64_t count = 0;
};

struct ProcessRow {
  std::int64_t pid = 0, parent = 0, rank = 0;
  bool uses_mpi = false;
  double start = 0, end = 0;
  std::string exe, command, ended;
  std::int64_t status = 0, calls = 0;
  double observing = 0;  // seconds, as the runtime estimated them
};

struct PhaseRow {
  std::string name;
  double begin = 0, end = 0;
  std::int64_t rank = 0;
};

struct UnseenProgram {
  std::string exe, why;
  std::int64_t count = 0;
};

// What the machine did meanwhile: one metric of one device. Of a job that trikal watch saw.
struct MachineRow {
  std::string host, metric, device, unit;
  std::int64_t samples = 0;
  double least = 0, mean = 0, most = 0;
};

// An earlier run of the same program.
struct PastRun {
  double start = 0, seconds = 0, io_seconds = 0, bytes = 0;
};

// A layer as a whole, with darshan-parser's own numbers.
struct LayerSum {
  bool present = false;
  Use total;
  Derived derived;
  const ModuleSchema* schema = nullptr;
  std::vector<std::byte> record;  // of all its records together
};

struct Run {
  const log::Job* job = nullptr;
  double seconds = 0;  // it took
  bool at_least = false;  // it was killed, and nobody saw when
  std::array<LayerSum, kLayers> layers;
  // A run may have millions of both: they grow without being copied.
  std::deque<FileUse> files;
  std::array<PackedUses, kLayers> uses;
  std::deque<ExtraUse> extras;
  std::deque<TraceUse> traces;
  std::vector<RankUse> ranks;  // ascending; -1 stands for shared records, which belong to all
  std::vector<HeatRow> heat, trace_heat;  // of heatmaps; of traces, where those are missing or coarse
  Timeline timeline;
  TraceLanes trace_lanes;  // only where a page is made of the run
  std::vector<Layout> layouts;
  std::vector<Dataset> datasets;
  Libraries libraries;
  std::vector<NestedTime> nested;  // by file id
  std::vector<ErrorCount> errors;
  std::vector<ProcessRow> processes;
  std::vector<PhaseRow> phases;
  std::vector<SiteUse> sites;  // the most seconds first; none unless call sites were asked for
  std::vector<UnseenProgram> unseen;
  std::vector<MachineRow> machine;
  std::vector<PastRun> history;  // in the order of time; none unless somebody gave earlier logs
  std::int64_t missed_calls = 0, folded_files = 0, unobserved_processes = 0;
  std::int64_t untimed_calls = 0;  // on streams; their time is an estimate
  std::string unseen_launcher;           // it was seen, and no rank that it started; empty: none
  std::vector<RankRange> missing_ranks;  // of the job, of which the log has nothing
  std::vector<std::string> modules;  // all that the log has
  std::vector<std::string> incomplete;  // of them, those whose memory was full: files are missing
  bool is_prediction = false;  // nothing ran
  std::optional<Sureness> sureness;  // of a prediction, where it says

  [[nodiscard]] std::optional<Use> use(const FileUse& file, Layer layer) const {
    const std::uint32_t at = file.uses[static_cast<std::size_t>(layer)];
    if (at == kNoUse) return std::nullopt;
    return uses[static_cast<std::size_t>(layer)].get(at);
  }
  [[nodiscard]] const ExtraUse& extra(const FileUse& file) const {
    static constexpr ExtraUse kNone;
    return file.extra == kNoUse ? kNone : extras[file.extra];
  }
  [[nodiscard]] const TraceUse& trace(const FileUse& file) const {
    static constexpr TraceUse kNone;
    return file.trace == kNoUse ? kNone : traces[file.trace];
  }
  // For those who fill a run: made when first asked for.
  [[nodiscard]] ExtraUse& extra_of(FileUse& file) {
    if (file.extra == kNoUse) file.extra = static_cast<std::uint32_t>(extras.size()), extras.emplace_back();
    return extras[file.extra];
  }
  [[nodiscard]] TraceUse& trace_of(FileUse& file) {
    if (file.trace == kNoUse) file.trace = static_cast<std::uint32_t>(traces.size()), traces.emplace_back();
    return traces[file.trace];
  }
  [[nodiscard]] const Layout* layout(const FileUse& file) const {
    return file.layout == kNoUse ? nullptr : &layouts[file.layout];
  }
  [[nodiscard]] const LayerSum& layer(Layer which) const { return layers[static_cast<std::size_t>(which)]; }
  // How many ranks work at once on average: those of an MPI job all, the processes of a shell script hardly any.
  double concurrency = 1;
  bool has_shared_records = false;
  bool has_mpi_ranks = false;  // more than one process, by their own word

  double name_seconds = 0;  // in calls on names, directories and space, of all ranks together: in no layer's record
  double slowest_seconds = 0, all_seconds = 0;  // in the outermost calls: of the slowest rank, of all together

  // Seconds of the run in I/O: the slowest rank's in calls of MPI-IO, POSIX and STDIO, or what processes that come and go
  // spend together, by how many of them there are at a time.
  [[nodiscard]] double io_seconds() const;
  // Of all ranks together in what neither reads nor writes.
  [[nodiscard]] double meta_seconds() const;
  // Ranks that belong together from beginning to end, and wait for each other. Our own logs have the processes of shell
  // scripts, too; those that were written before processes told whether they use MPI show it by what only ranks have.
  [[nodiscard]] bool is_parallel_job() const {
    return job->nprocs > 1 &&
           (processes.empty() || has_mpi_ranks || has_shared_records || layer(Layer::kMpiio).present);
  }
  // Different files, those without a record of their own included.
  [[nodiscard]] std::int64_t file_count() const;
  // Through POSIX, streams and DAOS: what other layers move goes through one of them.
  [[nodiscard]] std::int64_t bytes_read() const;
  [[nodiscard]] std::int64_t bytes_written() const;
};

// Rules go through files and datasets by these alone (tests/structure holds them to it): a record that stands for many
// files is in the totals and must never be judged as if it were one.

[[nodiscard]] inline auto single_files(const Run& run) {
  return run.files | std::views::filter([](const FileUse& file) { return !file.is_overflow(); });
}
[[nodiscard]] inline auto single_datasets(const Run& run) {
  return run.datasets | std::views::filter([](const Dataset& dataset) { return !is_overflow_name(dataset.name); });
}

// Calls look(file, use) for every one of them that was used through the layer.
template <class Look>
void for_each_use(const Run& run, Layer layer, const Look& look) {
  const auto number = static_cast<std::size_t>(layer);
  PackedUses::Unpacked unpacked;
  for (const FileUse& file : single_files(run)) {
    if (file.uses[number] == kNoUse) continue;
    run.uses[number].get(file.uses[number], unpacked);
    look(file, unpacked.use());
  }
}

// From the outermost layer to the innermost; only those that are there.
[[nodiscard]] std::vector<LayerTime> time_by_layer(const Run& run);
// Of one file; nothing where no layer above POSIX opened it.
[[nodiscard]] std::vector<LayerTime> time_by_layer(const Run& run, const FileUse& file);
// In the outermost calls on a file: one of MPI-IO or HDF5 takes longer than those of POSIX that it makes.
[[nodiscard]] double file_seconds(const Run& run, const FileUse& file);

[[nodiscard]] std::string_view layer_name(Layer layer);  // "POSIX", "STDIO", "MPI-IO"

// The reader must outlive the run: names are its.
[[nodiscard]] Result<Run> read_run(log::Reader& reader);

}  // namespace trikal::analyze
