#pragma once
// Files that every rank of an MPI job used become one record each, as in Darshan's logs.

#include <map>
#include <optional>
#include <span>
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
  std::unordered_set<const log::crash::MapView*> members_;
  std::map<ModuleId, log::SharedFold> folds_;
  std::vector<std::byte> finished_;
};

}  // namespace trikal::gather
