#pragma once
// Files that every rank of an MPI job used become one record each, as in Darshan's logs.

#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "log/crash/to_log.hpp"
#include "log/merge_fold.hpp"

namespace trikal::gather {

// Which files of several ranks become one record: none, those of all ranks, or all that more than one rank used.
enum class Reduce : std::uint8_t { kNothing, kShared, kSome };

class SharedRecords {
 public:
  // `ranks`: the processes of the job, each rank once; none, or fewer than the job has: nothing is shared.
  SharedRecords(std::span<const log::crash::Process> ranks, std::int64_t job_ranks, Reduce reduce);

  // True: the record is part of one that `rest` will give.
  bool take(const ModuleSchema& schema, const log::crash::Process& process, Bytes record);
  // The shared records of the module.
  [[nodiscard]] Bytes rest(const ModuleSchema& schema);

 private:
  // All values of which the records of one process have the four most common, by file.
  struct KnownValues {
    std::size_t counter = 0, words = 0;
    std::vector<std::int64_t> rows;
  };
  [[nodiscard]] std::vector<log::SharedFold::Values> values_of(const ModuleSchema& schema,
                                                               const log::crash::Process& process, std::uint64_t id);

  std::unordered_set<const void*> members_;
  std::map<ModuleId, log::SharedFold> folds_;
  std::vector<std::byte> finished_;
  std::unordered_multimap<std::uint64_t, KnownValues> values_;  // of values_owner_ and values_module_
  const void* values_owner_ = nullptr;
  const ModuleSchema* values_module_ = nullptr;
};

}  // namespace trikal::gather
