#pragma once
// Several logs of one job into one: those of single ranks or processes, or of crashed ones.
//
// Each log tells time from its own start. All of them are put on the clock of the earliest: timestamps, trace
// segments and heatmaps of a log that began later move by the difference.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "log/copy.hpp"
#include "log/read/reader.hpp"
#include "log/write/writer.hpp"

namespace trikal::log {

// Opened once for every module it has: thousands of logs must not need thousands of descriptors.
struct MergeInput {
  std::string name;
  std::function<Result<std::unique_ptr<Reader>>()> open;
};

struct MergeOptions {
  bool fold_shared = false;                  // records of files that all ranks used become one
  bool fold_several = false;                 // with it, also those of files that only several ranks used
  std::optional<std::int64_t> job_end_time;  // seconds since the epoch, instead of the latest end
  bool renumber = false;                     // ranks in the order of start: for processes that all call themselves 0
  bool rebase = true;                        // move times to the earliest start
  std::uint64_t memory = std::uint64_t{256} << 20;  // for folding; more records take more passes
};

struct MergeReport : CopyReport {
  struct Found {
    std::string input;
    Damage damage;
  };
  std::vector<Found> damage;
  std::string input;   // the log an error is about, where it is about one
  std::string detail;  // more than an Error can say: both names of a conflict
  std::uint64_t folded = 0;
};

// From the job to the header, as copy_log. kUsage: the logs contradict each other.
[[nodiscard]] Status merge_logs(std::span<const MergeInput> inputs, Writer& writer, const MergeOptions& options,
                                MergeReport& report);

}  // namespace trikal::log
