#pragma once
// A whole run as findings and reports look at it: what was done with each file through each layer, what each rank
// and process did, when bytes moved. A finished run, a snapshot and a prediction all come in as the same log.

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "analyze/metrics/accumulator.hpp"
#include "log/read/reader.hpp"
#include "schema/labels.hpp"

namespace trikal::analyze {

// The ways to a file that rules look at. MPI-IO works through POSIX: its bytes are POSIX bytes, too.
enum class Layer : std::uint8_t { kPosix, kStdio, kMpiio };
inline constexpr std::size_t kLayers = 3;
inline constexpr std::size_t kSizeClassCount = kSizeClasses.size();

// One direction.
struct Flow {
  std::int64_t calls = 0, bytes = 0;
  std::int64_t sequential = 0, consecutive = 0;  // of the calls
  std::int64_t independent = 0, collective = 0, split = 0, nonblocking = 0;  // MPI-IO's kinds; split are not in calls
  std::int64_t end = 0;  // the highest offset reached, plus one
  double longest_seconds = 0;  // of a single call, and its size
  std::int64_t longest_bytes = 0;
  double seconds = 0;  // of all ranks together
  double first = 0, last = 0;  // when the first began and the last ended; 0: never
  std::array<std::int64_t, kSizeClassCount> sizes{};

  [[nodiscard]] double mean_bytes() const {
    return calls > 0 ? static_cast<double>(bytes) / static_cast<double>(calls) : 0;
  }
  [[nodiscard]] std::int64_t calls_below_100k() const;
};

// What a rank, or all of them, did through one layer with one file.
struct Use {
  std::int64_t opens = 0, seeks = 0, stats = 0, syncs = 0, switches = 0, maps = 0;
  std::int64_t misaligned_file = 0, misaligned_memory = 0, alignment = 0, memory_alignment = 0;
  Flow read, write;
  double meta_seconds = 0;
  std::int64_t ranks = 0;  // that used it
  double slowest_seconds = 0, fastest_seconds = 0;
  std::int64_t slowest_rank = -1, slowest_bytes = 0, fastest_bytes = 0;
  double squared_bytes = 0;  // each rank's bytes squared, summed
  std::array<std::int64_t, kTopSlots> common_sizes{}, common_counts{};

  [[nodiscard]] double seconds() const { return read.seconds + write.seconds + meta_seconds; }
  [[nodiscard]] std::int64_t bytes() const { return read.bytes + write.bytes; }
  [[nodiscard]] std::int64_t calls() const { return read.calls + write.calls; }
  [[nodiscard]] std::int64_t collective() const { return read.collective + write.collective; }
  // How many ranks moving equal shares would have these bytes and this variance: all of them where work is spread
  // evenly, the number of aggregators with collective buffering, 1 where one does everything.
  [[nodiscard]] double active_ranks() const;
};

// What the trailer knows of a file beyond its record.
struct ExtraUse {
  std::int64_t unlinks = 0, mapped_bytes = 0, short_reads = 0, short_writes = 0, empty_reads = 0, readdirs = 0;
  std::int64_t unmaps = 0, renames = 0, locks = 0, opendirs = 0;
  std::int64_t directory_calls = 0;  // making, removing, opening directories; links, renames, attributes
  std::int64_t errors = 0;
  double seconds = 0;
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
  std::int64_t elements = 0, chunk_bytes = 0;  // chunk_bytes: 0 where there are no chunks
  std::int64_t scattered = 0;  // accesses by points or irregular hyperslabs
  bool collective = false;
  Use use;
};

// What traces tell of a file: blocks of a stripe (or of 1 MiB) that were written, and by how many ranks.
struct TraceUse {
  std::int64_t block_bytes = 0, blocks = 0, contended = 0;  // contended: written by two ranks or more
};

struct FileUse {
  std::uint64_t id = 0;
  std::string_view name;  // in the reader's name table
  std::array<std::uint32_t, kLayers> uses = {kNoUse, kNoUse, kNoUse};  // places in Run::uses
  ExtraUse extra;
  std::uint32_t layout = kNoUse;  // a place in Run::layouts
  TraceUse trace;
  bool is_parallel_hdf5 = false;  // opened by HDF5 through MPI-IO
};

struct RankUse {
  std::int64_t rank = 0, bytes_read = 0, bytes_written = 0, calls = 0, files = 0;
  double read_seconds = 0, write_seconds = 0, meta_seconds = 0;
  [[nodiscard]] double seconds() const { return read_seconds + write_seconds + meta_seconds; }
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
  std::array<LayerSum, kLayers> layers;
  // A run may have millions of both: they grow without being copied.
  std::deque<FileUse> files;
  std::array<std::deque<Use>, kLayers> uses;
  std::vector<RankUse> ranks;  // ascending; -1 stands for shared records, which belong to all
  std::vector<HeatRow> heat;
  Timeline timeline;
  std::vector<Layout> layouts;
  std::vector<Dataset> datasets;
  std::vector<ErrorCount> errors;
  std::vector<ProcessRow> processes;
  std::vector<PhaseRow> phases;
  std::vector<UnseenProgram> unseen;
  std::vector<PastRun> history;  // in the order of time; none unless somebody gave earlier logs
  std::int64_t missed_calls = 0, folded_files = 0, unobserved_processes = 0;
  std::vector<std::string> modules;  // all that the log has

  [[nodiscard]] const Use* use(const FileUse& file, Layer layer) const {
    const std::uint32_t at = file.uses[static_cast<std::size_t>(layer)];
    return at == kNoUse ? nullptr : &uses[static_cast<std::size_t>(layer)][at];
  }
  [[nodiscard]] const Layout* layout(const FileUse& file) const {
    return file.layout == kNoUse ? nullptr : &layouts[file.layout];
  }
  [[nodiscard]] const LayerSum& layer(Layer which) const { return layers[static_cast<std::size_t>(which)]; }
  // How many ranks work at once on average: those of an MPI job all, the processes of a shell script hardly any.
  double concurrency = 1;
  bool has_shared_records = false;
  bool has_mpi_ranks = false;  // more than one process, by their own word

  double slowest_seconds = 0, all_seconds = 0;  // in the outermost calls: of the slowest rank, of all together

  // Seconds of the run in I/O: the slowest rank's in calls of MPI-IO, POSIX and STDIO, or what processes that come and go
  // spend together, by how many of them there are at a time.
  [[nodiscard]] double io_seconds() const;
  // Ranks that belong together from beginning to end, and wait for each other. Our own logs have the processes of shell
  // scripts, too; those that were written before processes told whether they use MPI show it by what only ranks have.
  [[nodiscard]] bool is_parallel_job() const {
    return job->nprocs > 1 &&
           (processes.empty() || has_mpi_ranks || has_shared_records || layer(Layer::kMpiio).present);
  }
  [[nodiscard]] std::int64_t bytes_read() const;
  [[nodiscard]] std::int64_t bytes_written() const;
};

// Calls look(file, use) for every file that was used through the layer.
template <class Look>
void for_each_use(const Run& run, Layer layer, const Look& look) {
  for (const FileUse& file : run.files) {
    if (const Use* use = run.use(file, layer)) look(file, *use);
  }
}

[[nodiscard]] std::string_view layer_name(Layer layer);  // "POSIX", "STDIO", "MPI-IO"

// The reader must outlive the run: names are its.
[[nodiscard]] Result<Run> read_run(log::Reader& reader);

}  // namespace trikal::analyze
