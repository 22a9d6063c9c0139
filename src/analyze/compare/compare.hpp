#pragma once
// Two logs side by side: job, modules, then record by record in the order of A, each record with its counterpart
// in B (same module, file and rank), and what only one of the two has. Both are read as streams; of B only as much
// is held as the memory limit allows. Differences go to a sink as they are found.

#include <array>
#include <string>
#include <vector>

#include "analyze/compare/file_keys.hpp"
#include "analyze/compare/prediction.hpp"
#include "analyze/compare/value.hpp"
#include "log/read/reader.hpp"

namespace trikal::analyze {

struct CompareOptions {
  AlignBy by = AlignBy::kId;
  Tolerance tolerance;
  bool ignore_times = false;
  bool ignore_job = false;
  bool segments = false;            // traces segment by segment, not only their sums
  bool traces = true;
  bool same_versions_only = false;  // pass over modules whose record versions differ, as darshan-diff does
  std::vector<ModuleId> modules;    // empty: all
  std::uint64_t memory = std::uint64_t{1} << 30;
  // One of the two is a prediction: compare what it speaks of, all ranks of a file together. Null: everything.
  const PredictionScope* prediction = nullptr;
};

// A module as both logs have it.
struct ModulePair {
  const ModuleFormat* format = nullptr;
  struct Of {
    bool present = false;
    std::uint32_t version = 0;
    bool incomplete = false;
  } a, b;
  std::size_t unknown_counters = 0;  // left out, since one log's record version does not have them
  [[nodiscard]] const ModuleSchema& schema() const { return *format->schema; }
};

// A record on one or both sides, valid during the call. Names are empty where the log has none.
struct RecordPair {
  const ModulePair* module = nullptr;
  std::uint64_t file = 0;  // the same for all records of a file, on both sides
  std::uint64_t id_a = 0, id_b = 0;
  std::int64_t rank = 0;
  std::string_view name_a, name_b;
};

struct CompareCounts {
  std::uint64_t pairs = 0, differing = 0;
  std::uint64_t only_a = 0, only_b = 0;
  std::uint64_t changes = 0;

  void add(const CompareCounts& other);
};

// Told what differs, in this order: job changes; for each module begin, records, end. A record's changes come
// between its begin and its end.
class DifferenceSink {
 public:
  virtual ~DifferenceSink() = default;
  virtual void job_change(const Change& change) = 0;
  virtual void begin_module(const ModulePair& module) = 0;
  virtual void begin_record(const RecordPair& record) = 0;
  virtual void change(const Change& change) = 0;
  virtual void end_record() = 0;
  // `record` in its newest form; of a trace only the head.
  virtual void only(Side side, const RecordPair& record, Bytes bytes) = 0;
  virtual void end_module(const CompareCounts& counts) = 0;
  // A module that is not compared: nobody knows it, or its record versions differ.
  virtual void skipped(const ModulePair& module, ModuleId id) = 0;
  // False: nobody listens any more.
  [[nodiscard]] virtual bool wanted() const { return true; }
};

struct CompareResult {
  Status status;
  Side side = Side::kA;  // whose log the error is about
  CompareCounts counts;
  bool job_differs = false;
  bool modules_differ = false;  // one log says a module is incomplete, the other does not
  std::optional<PredictionCounts> prediction;  // where that was compared

  [[nodiscard]] bool differs() const {
    if (prediction && prediction->nothing_compared()) return true;  // nobody has seen that they agree
    return job_differs || modules_differ || counts.differing + counts.only_a + counts.only_b > 0;
  }
};

[[nodiscard]] CompareResult compare(log::Reader& a, log::Reader& b, const CompareOptions& options,
                                    DifferenceSink& sink);
// As compare does where options.prediction is set.
[[nodiscard]] CompareResult compare_prediction(log::Reader& a, log::Reader& b, const CompareOptions& options,
                                               DifferenceSink& sink);

}  // namespace trikal::analyze
