#pragma once
// A program's I/O as predicted from its source: what reports show and what the predicted log is made of. Plain data,
// so that nobody who reads it needs the compiler behind it.

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/dataset/work.hpp"

namespace trikal::analyze {

enum class PredictedLayer : std::uint8_t {
  kPosix,
  kStdio,
  kMpiio,
  kHdf5File,
  kHdf5Dataset
};  // what the operation is counted for

enum class Operation : std::uint8_t {
  kOpen,
  kClose,
  kRead,
  kWrite,
  kSeek,
  kStat,
  kSync,
  kDataSync,
  kFlush,
  kTruncate,
  kMap,
  kRemove,
  kRename,
  kDuplicate,  // a descriptor: counted among opens, too
  kStreamOpen,
  kStreamClose,
  kStreamRead,
  kStreamWrite,
  kStreamSeek,
  kMpiOpen,
  kMpiCollectiveOpen,
  kMpiClose,
  kMpiRead,
  kMpiWrite,
  kMpiCollectiveRead,
  kMpiCollectiveWrite,
  kMpiSync,
  kMpiSetView,
  kMpiNonblockingRead,
  kMpiNonblockingWrite,
  kHdf5Open,
  kHdf5Close,
  kHdf5Flush,
  kHdf5DatasetOpen,
  kHdf5DatasetClose,
  kHdf5Read,
  kHdf5Write,
  kHdf5DatasetFlush,
  kCount,
};
inline constexpr std::size_t kOperationKinds = static_cast<std::size_t>(Operation::kCount);
[[nodiscard]] std::string_view name_of(Operation operation);
[[nodiscard]] PredictedLayer layer_of(Operation operation);
[[nodiscard]] bool reads(Operation operation);
[[nodiscard]] bool writes(Operation operation);
[[nodiscard]] bool opens(Operation operation);  // a file or a dataset

// How a number is known; the worst of what it is made of.
enum class Certainty : std::uint8_t { kExact, kExtrapolated, kAssumed };
[[nodiscard]] std::string_view name_of(Certainty certainty);

// What is special about accesses, as bits of PredictedUse::flags.
enum UseFlag : std::uint16_t {
  kUseSynchronous = 1,  // opened with O_SYNC or O_DSYNC
  kUseDirect = 2,       // opened with O_DIRECT
  kUseAppend = 4,
  kUseText = 8,         // words or numbers for people: printf, scanf, <<
  kUseNumbers = 16,     // of those, numbers that were binary before
  kUseUnbuffered = 32,  // a stream without a buffer
  kUseLineEnd = 64,     // flushed by std::endl
  kUseCollective = 128, // all ranks together: HDF5's transfers
};
[[nodiscard]] std::vector<std::string_view> names_of_flags(std::uint16_t flags);

// What an access to a dataset of HDF5's selects, beside its bytes.
struct PredictedSelection {
  enum class Kind : std::uint8_t { kNone, kWhole, kPoints, kRegular, kIrregular };
  Kind kind = Kind::kNone;  // none: this is not about a dataset
  bool collective = false;
  std::uint64_t pieces = 0;  // that HDF5 moves one by one: chunks, or what lies together in the file
  std::array<std::int64_t, 5> length{}, stride{};  // of a regular one, in the order that records have
  friend auto operator<=>(const PredictedSelection&, const PredictedSelection&) = default;
};

struct PredictedUse {
  double count = 0, bytes = 0;
  double first = -1;  // the offset of the first access that moved bytes; -1: none did
  std::uint16_t flags = 0;
  double sequential = 0, consecutive = 0, switches = 0;
  double highest = -1;  // the last byte touched, counted from 0; -1: none
  std::array<double, 10> classes{};  // by size, as logs have them
  std::map<std::uint64_t, double> sizes;  // accesses of one size; bounded
  double points = 0, regular = 0, irregular = 0;  // accesses by what they select in a dataset
  double pieces = 0;  // that accesses to datasets are done in
  std::map<std::array<std::int64_t, 11>, double> shapes;  // of those: bytes, lengths, strides; bounded
  bool size_unknown = false;
  Certainty certainty = Certainty::kExact;

  void add(double times, double size, Certainty how);
  void merge(const PredictedUse& other);
  void describe(const PredictedSelection& selection);  // what all of its accesses select
};
// How offsets follow each other: "one", "consecutive", "forward" (with gaps), "random", or "" where nothing was moved.
[[nodiscard]] std::string_view pattern_of(const PredictedUse& use);

// A dataset of HDF5's as it was when it was opened last.
struct PredictedDataset {
  std::uint32_t container = 0;  // the file it is in: a row of files
  std::int64_t dimensions = 0, elements = 0, element_bytes = 0;
  std::array<std::int64_t, 5> chunk{};  // the fastest dimension first
  bool deprecated = false;              // opened by a function that HDF5 no longer wants
};

struct PredictedFile {
  std::string name;
  double like_it = 0;  // more files of the same kind that loops open and that have no row of their own
  bool existed = false;
  double size = 0;  // when the program is through with it
  std::optional<PredictedDataset> dataset{};
  bool parallel = false;  // HDF5 opened it by way of MPI-IO
};

struct PredictedSite {
  std::string source;  // file of the source
  unsigned line = 0, column = 0;
  std::string function;
  std::uint32_t block = 0;  // row of blocks
  std::string call;         // the function that is called there
};

struct PredictedAccess {
  std::uint32_t site = 0, file = 0;
  Operation operation = Operation::kOpen;
  PredictedUse use;
  std::string because;  // of what its numbers are assumed; empty: they are not
};

enum class BlockKind : std::uint8_t { kProgram, kFile, kClass, kFunction, kLoop, kBranch, kLine };
[[nodiscard]] std::string_view name_of(BlockKind kind);

struct CodeBlock {
  BlockKind kind = BlockKind::kProgram;
  std::uint32_t parent = 0;  // its own number: the root
  std::string name;          // of a file, class or function; of a branch its side: then, else, case 3
  std::string source;
  unsigned line = 0;
  double runs = 0;           // how often it was entered: functions, loops, branches
  double iterations = 0;     // of a loop, in all its runs
  bool idle = false;         // holds calls that do I/O, none of which is reached with these arguments
  double instructions = 0;   // run in it, callees included
  std::vector<std::pair<Operation, PredictedUse>> io;  // everything below it, callees included
  WorkCounts work{};         // done in it, callees included
  std::array<double, 15> parameters{};  // P1 to P15 of the published model
  std::array<double, 16> variables{};   // X1 to X16
  double seconds_io = 0, seconds_compute = 0, score = 0;
};

// How blocks hang together besides parent and child.
enum class EdgeKind : std::uint8_t { kCall, kOrder };
[[nodiscard]] std::string_view name_of(EdgeKind kind);
struct BlockEdge {
  EdgeKind kind = EdgeKind::kCall;
  std::uint32_t from = 0, to = 0;  // a line and the function it calls; two lines that touch one file after the other
  double count = 0;                // calls
  std::string file;                // that both lines touch
};

struct Unknown {
  std::string what;    // "result of rand"
  std::string source;
  unsigned line = 0;
  double forks = 0;    // how often the way depended on it
};

// What operations and instructions take, where nothing was measured.
struct Costs {
  double operation = 1e-6, open = 5e-6, sync = 1e-3, bytes = 1.0 / (1 << 30), instruction = 0.5e-9;
  struct Price {
    double each = 0, byte = 0;
  };
  std::vector<Price> prices;  // by operation; empty: by the numbers above; HDF5's may be missing (0)
  std::vector<double> work;   // by kind; empty: each instruction alike
};

struct Prediction {
  std::string program;
  std::vector<std::string> arguments;
  int rank = 0, ranks = 1;
  std::vector<PredictedFile> files;
  std::vector<PredictedSite> sites;
  std::vector<PredictedAccess> accesses;
  std::vector<CodeBlock> blocks;  // the program first
  std::vector<BlockEdge> edges;
  std::vector<Unknown> unknowns;
  std::vector<std::string> notes;  // calls without a model, budgets that ran out
  std::uint64_t steps = 0, skipped_iterations = 0;
  double seconds = 0;              // that predicting took
  int exit_code = 0;
  bool complete = true;            // false: a budget ran out
  Costs costs;                     // that seconds were computed with
  std::string model = "physical", basis = "uncalibrated";  // of the scores
};

// How much of what is predicted is sure, as shares of all operations, and what the rest rests on, the commonest first.
struct Sureness {
  double operations = 0, exact = 0, extrapolated = 0, assumed = 0;
  double assumed_bytes = 0;  // of all bytes that are moved
  std::vector<std::string> because;
  [[nodiscard]] bool mostly_assumed() const { return assumed > 0.5 || assumed_bytes > 0.5; }
};
class SurenessSum {
 public:
  void add(Certainty certainty, double count, double bytes, const std::string& because);
  [[nodiscard]] Sureness shares() const;

 private:
  std::array<double, 3> counts_{}, bytes_{};  // by certainty
  std::map<std::string, double> reasons_;
};
[[nodiscard]] Sureness sureness_of(const Prediction& prediction);

// Seconds and scores of every block: I/O time over I/O and computing.
void estimate(Prediction& prediction, const Costs& costs = {});
// Whether it works on files, be it only on the buffer of a stream.
[[nodiscard]] bool does_io(const CodeBlock& block);
// Which block it is, whoever looks: kinds, names and lines from the program down.
[[nodiscard]] std::string path_of(const std::vector<CodeBlock>& blocks, std::uint32_t block);
// What scores mean: compute, balanced, I/O-intensive (more than half of the time).
[[nodiscard]] std::string_view intensity_of(double score);
// Streams of C read and write what they buffer: the operation below, and how often it is done.
[[nodiscard]] std::optional<Operation> below_stream(Operation operation);
[[nodiscard]] double calls_below(const PredictedUse& use);
// Pages of the page cache that writes make.
[[nodiscard]] double file_pages(const PredictedUse& use);
// Whether each write is also a sync.
[[nodiscard]] bool waits_for_device(Operation operation, const PredictedUse& use);
[[nodiscard]] bool goes_past_buffer(const PredictedUse& use);
// HDF5's operations where nobody has measured them: what lies below, and what the library takes itself.
void guess_hdf5_prices(std::vector<Costs::Price>& prices);
[[nodiscard]] double seconds_of(Operation operation, const PredictedUse& use, const Costs& costs);

}  // namespace trikal::analyze
