#pragma once
// What each step of a job's end takes a rank, by doing it: the runtime's own code on made-up ranks, each in a process of its
// own, so that memory is as cold as it is in a job. Processor time: what else the machine does is not the job's.

#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "capture/reduce/packed_map.hpp"
#include "capture/reduce/part.hpp"
#include "capture/reduce/rank_survey.hpp"
#include "capture/reduce/shared_records.hpp"
#include "shutdown/fake_rank.hpp"

namespace trikal::bench {

using namespace capture;  // NOLINT: this is about nothing else

// Seconds, and bytes of messages.
struct RankCosts {
  double count = 0, plan = 0, map = 0, streams = 0, rest = 0;
  double message = 0;  // its streams, put behind what it sends
  double own = 0;  // its shared records, of who has nobody below
  double fold = 0;  // the same of who has
};
struct ParentCosts {
  double merge = 0, combine = 0, combine_held = 0;  // a child; one that has children
  double write = 0;  // what it holds, for the next one
  double open = 0;  // a map that somebody else packs
  double streams = 0;  // of a whole block
};
struct RootCosts {
  double begin = 0, finish = 0;
};
struct Sizes {
  std::uint64_t survey = 0, plan = 0, map = 0, shared = 0, held = 0, rest = 0, part = 0;  // of messages
  std::uint64_t streams = 0, shared_packed = 0;  // in the log
  std::uint64_t more_streams = 0;  // of every further part: the names of shared files are in the first one
};

class Costs {
 public:
  // Of a block of up to 64 ranks; larger jobs are many of those. Crowded: ranks share processors.
  Costs(const Workload& workload, std::int64_t ranks, bool crowded);

  RankCosts rank;
  ParentCosts parent;
  RootCosts root, root_alone;  // while the other processors are busy, and while they are not
  Sizes sizes;
  bool together = true;  // the ranks of a block pack as one
  bool sent = true;  // streams go to the root

  // Where the other processors are busy for a part of the time.
  [[nodiscard]] double begins(double busy) const { return std::lerp(root_alone.begin, root.begin, busy); }
  [[nodiscard]] double finishes(double busy) const { return std::lerp(root_alone.finish, root.finish, busy); }

 private:
  // What a step comes after: in a crowd others have had the processor while the rank waited.
  enum class After : bool { kWaiting, kWork };
  template <class Work>
  [[nodiscard]] double seconds_of(const Work& work, After after = After::kWaiting) const;
  void agree();
  void pack();
  void measure_rank();
  void measure_parent();
  void measure_root();
  [[nodiscard]] PartPlan plan() const { return {.shared = &ids_, .grid = &grid_, .names_of = ranks_ > 1 ? 1 : 0}; }

  Observers observers_;
  std::int64_t ranks_;
  bool crowded_;
  std::vector<std::unique_ptr<FakeRank>> fakes_;
  std::vector<Process> processes_, packed_;
  UnpackedMaps others_;
  IdLists ids_;
  TimeGrid grid_;
  PartHead head_;
  Buffer streams_, survey_, map_, rest_;
  Buffer own_, held_;  // messages with shared records: a rank's, and those of many
  SharedRecords shared_;
};

}  // namespace trikal::bench
