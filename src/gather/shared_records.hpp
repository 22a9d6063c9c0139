#pragma once
// Records that become one: those of a file by all programs that are of one rank, and then those of a file that every rank
// of an MPI job used, as in Darshan's logs.

#include <map>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "log/crash/to_log.hpp"
#include "log/merge_ranks.hpp"

namespace trikal::gather {

// Which files of several ranks become one record: none, those of all ranks, or all that more than one rank used.
enum class Reduce : std::uint8_t { kNothing, kShared, kSome };

class SharedRecords {
 public:
  // `processes` may be several of one rank. `job_ranks`: of the MPI job; 0, or more than there are: nothing is shared.
  SharedRecords(std::span<const log::crash::Process> processes, std::int64_t job_ranks, Reduce reduce);

  // True: the record is part of one that `rest` will give.
  bool take(const ModuleSchema& schema, const log::crash::Process& process, Bytes record);
  // The module's records that were taken.
  [[nodiscard]] Bytes rest(const ModuleSchema& schema);

 private:
  // All values of which the records of one process have the four most common, by file.
  struct KnownValues {
    std::size_t counter = 0, words = 0;
    std::vector<std::int64_t> rows;
  };
  [[nodiscard]] std::vector<log::SharedFold::Values> values_of(const ModuleSchema& schema,
                                                               const log::crash::Process& process, std::uint64_t id);

  std::unordered_set<std::int64_t> several_;  // ranks that are more than one process
  std::map<ModuleId, log::RankRecords> by_rank_;
  std::map<ModuleId, log::SharedFold> folds_;
  std::vector<std::byte> finished_;
  std::unordered_multimap<std::uint64_t, KnownValues> values_;  // of values_owner_ and values_module_
  const void* values_owner_ = nullptr;
  const ModuleSchema* values_module_ = nullptr;
};

}  // namespace trikal::gather
