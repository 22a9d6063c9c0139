#include "gather/job_ranks.hpp"

#include <algorithm>
#include <map>
#include <unordered_set>

#include "gather/process_tree.hpp"
#include "log/crash/process_table.hpp"

namespace trikal::gather {
namespace {

using log::crash::JobFacts;

const JobFacts& facts_of(const MapFile* file) { return file->facts().job; }

// Ranks that a launcher started together, where MPI does not say.
std::int64_t launched_ranks(const TreeJob& job) {
  std::int64_t ranks = 0;
  for (const MapFile* file : job.files) {
    const JobFacts& facts = facts_of(file);
    if (facts.launched > 1 && facts.rank >= 0 && facts.rank < facts.launched) ranks = std::max(ranks, facts.launched);
  }
  return ranks;
}

class Chooser {
 public:
  explicit Chooser(const TreeJob& job)
      : job_(job), ranks_(job.ranks > 0 ? job.ranks : launched_ranks(job)), processes_(job.files) {}

  JobRanks choose(double job_start) {
    JobRanks chosen;
    std::unordered_set<ProcessKey, ProcessKey::Hash> all, with_io;
    for (const MapFile* file : job_.files) {
      all.insert(key_of(file));
      const bool did_io = file->facts().has_records && !only_starts_ranks(file);
      if (did_io) with_io.insert(key_of(file));
      const std::int64_t rank = ranks_ > 0 ? rank_among_ranks(file, did_io) : did_io ? rank_in_tree(file) : -1;
      if (rank < 0) continue;
      chosen.numbers.emplace(file, rank);
      if (did_io) chosen.processes.push_back({file->ref(), rank, log::crash::start_time(facts_of(file)) - job_start});
    }
    chosen.all = all.size(), chosen.with_io = with_io.size();
    // Readers refuse a log that has a rank beyond its number of processes.
    chosen.nprocs = std::max<std::int64_t>(ranks_, 1);
    for (const auto& [file, rank] : chosen.numbers) chosen.nprocs = std::max(chosen.nprocs, rank + 1);
    // Ranks start in no order, and some counters of a file they share are those of the first.
    if (ranks_ > 0) std::ranges::stable_sort(chosen.processes, {}, &log::crash::Process::rank);
    return chosen;
  }

 private:
  // Pipes and session files of mpirun and its kin are not the job's.
  [[nodiscard]] bool only_starts_ranks(const MapFile* file) const {
    return ranks_ > 0 && !job_.members.contains(file) && file->facts().starts_ranks;
  }

  // A rank's own; or of the rank it belongs to; whatever prepares or ends the job counts with the first.
  [[nodiscard]] std::int64_t rank_among_ranks(const MapFile* file, bool did_io) const {
    if (job_.members.contains(file)) return facts_of(file).rank;
    std::int64_t rank = own_rank(file);
    if (rank >= 0 && job_.ranks == 0) return rank;  // also without I/O: then it is not missing
    if (!did_io) return -1;
    processes_.for_each_ancestor(file, [&](const MapFile* above) {
      if (rank < 0) rank = own_rank(above);
    });
    return std::max<std::int64_t>(rank, 0);
  }

  [[nodiscard]] std::int64_t own_rank(const MapFile* file) const {
    const JobFacts& facts = facts_of(file);
    const bool given = facts.launched > 1 || job_.members.contains(file);
    return given && facts.rank < ranks_ ? facts.rank : -1;
  }

  // As a launcher gave it; else the order of start.
  std::int64_t rank_in_tree(const MapFile* file) {
    const auto [found, is_new] = of_process_.try_emplace(key_of(file), -1);
    if (!is_new) return found->second;
    constexpr std::int64_t kMostRanks = std::int64_t{1} << 32;  // a map may say anything
    std::int64_t rank = facts_of(file).rank;
    if (rank < 0 || rank >= kMostRanks || !taken_.insert(rank).second) {
      while (!taken_.insert(next_).second) ++next_;
      rank = next_;
    }
    return found->second = rank;
  }

  const TreeJob& job_;
  std::int64_t ranks_;
  ProcessTree processes_;
  std::unordered_map<ProcessKey, std::int64_t, ProcessKey::Hash> of_process_;
  std::unordered_set<std::int64_t> taken_;
  std::int64_t next_ = 0;
};

}  // namespace

JobRanks choose_ranks(const TreeJob& job, double job_start) { return Chooser(job).choose(job_start); }

}  // namespace trikal::gather
