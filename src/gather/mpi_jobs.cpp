#include "gather/mpi_jobs.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

#include "gather/process_tree.hpp"

namespace trikal::gather {
namespace {

using log::crash::JobFacts;

constexpr std::size_t kNoJob = SIZE_MAX;

const JobFacts& facts_of(const MapFile* map) { return map->facts().job; }

using ProcessSet = std::unordered_set<ProcessKey, ProcessKey::Hash>;
template <class Value>
using ByProcess = std::unordered_map<ProcessKey, Value, ProcessKey::Hash>;

// Where a process runs, as far as its map knows.
auto node_of(const MapFile* map) {
  const log::crash::Identity& identity = map->facts().identity;
  const auto& host = map->ref()->header().host;
  return std::tuple(identity.boot[0], identity.boot[1], std::string(host, strnlen(host, sizeof host)));
}

// Hydra's processes cannot be told on which nodes the rest of their job is: what is missing here may be there.
bool completes(const TreeJob& job, const TreeJob& other) {
  if (job.ranks != other.ranks || job.spawned != other.spawned) return false;
  std::set<std::int64_t> ranks;
  std::set<decltype(node_of(nullptr))> nodes;
  for (const MapFile* member : job.members) ranks.insert(facts_of(member).rank), nodes.insert(node_of(member));
  return std::ranges::none_of(other.members, [&](const MapFile* member) {
    return ranks.contains(facts_of(member).rank) || nodes.contains(node_of(member));
  });
}

class Splitter {
 public:
  explicit Splitter(std::vector<const MapFile*> files) : files_(std::move(files)), tree_(files_) {
    for (const MapFile* file : files_) {
      if (facts_of(file).ranks > 0) users_.insert(key_of(file));
    }
  }

  std::vector<TreeJob> split() {
    find_ranks();
    join_nodes();
    note_ranks();
    find_steps();
    if (jobs_.empty()) {
      jobs_.emplace_back().files = files_;
      return std::move(jobs_);
    }
    for (const MapFile* file : files_) {
      std::size_t job = job_above(file);
      if (job == kNoJob) job = job_of_step(file);
      if (job == kNoJob) job = job_below(file);
      jobs_[job == kNoJob ? 0 : job].files.push_back(file);
    }
    std::erase_if(jobs_, [](const TreeJob& job) { return job.files.empty(); });  // all of a step were another job's
    return std::move(jobs_);
  }

 private:
  // Ranks of one launch, told apart by how many processes of that rank came before: mpirun sh -c "a; b" is two jobs.
  void find_ranks() {
    std::map<std::tuple<std::uint64_t, std::int64_t>, std::size_t> seen;
    std::map<std::tuple<std::uint64_t, std::int64_t, std::size_t>, std::size_t> index_of;
    for (const MapFile* file : files_) {
      const JobFacts& facts = facts_of(file);
      if (facts.ranks <= 0 || facts.rank < 0 || facts.rank >= facts.ranks || !counts(facts)) continue;
      const std::size_t round = seen[{facts.mpi_job, facts.rank}]++;
      const auto [found, fresh] = index_of.try_emplace({facts.mpi_job, facts.ranks, round}, jobs_.size());
      if (fresh) {
        TreeJob& job = jobs_.emplace_back();
        job.ranks = facts.ranks, job.spawned = facts.spawned != 0, job.launcher = launcher_of(file);
      }
      jobs_[found->second].members.insert(file);
    }
  }

  void join_nodes() {
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      for (std::size_t j = jobs_.size(); j-- > i + 1;) {
        if (!is_incomplete(jobs_[i]) || !is_incomplete(jobs_[j]) || !completes(jobs_[i], jobs_[j])) continue;
        jobs_[i].members.merge(jobs_[j].members);
        if (jobs_[i].launcher == 0) jobs_[i].launcher = jobs_[j].launcher;
        jobs_.erase(jobs_.begin() + static_cast<std::ptrdiff_t>(j));
      }
    }
  }

  static bool is_incomplete(const TreeJob& job) { return static_cast<std::int64_t>(job.members.size()) < job.ranks; }

  // Tasks that were launched together and do not use MPI are a job, too, where there is more than one in the tree.
  void find_steps() {
    std::set<std::uint64_t> with_mpi, without;
    for (const MapFile* file : files_) {
      const JobFacts& facts = facts_of(file);
      if (own_.contains(file)) with_mpi.insert(facts.mpi_job);
      else if (facts.launched > 1 && facts.mpi_job != 0) without.insert(facts.mpi_job);
    }
    std::erase_if(without, [&](std::uint64_t step) { return with_mpi.contains(step); });
    if (jobs_.size() + without.size() < 2) return;
    for (const MapFile* file : files_) {  // in the order of start
      if (!without.contains(facts_of(file).mpi_job)) continue;
      if (steps_.try_emplace(facts_of(file).mpi_job, jobs_.size()).second)
        jobs_.emplace_back().tasks = facts_of(file).launched;
    }
  }

  [[nodiscard]] std::size_t job_of_step(const MapFile* file) const {
    const auto step = steps_.find(facts_of(file).mpi_job);
    return step == steps_.end() ? kNoJob : step->second;
  }

  void note_ranks() {
    for (std::size_t job = 0; job < jobs_.size(); ++job) {
      for (const MapFile* file : jobs_[job].members) {
        own_.emplace(file, job);
        job_of_.emplace(key_of(file), job);
      }
    }
    note_ancestors();
  }

  // A program without a launcher is an MPI job only if it is the only one.
  [[nodiscard]] bool counts(const JobFacts& facts) const {
    return facts.mpi_job != 0 || facts.ranks > 1 || users_.size() == 1;
  }

  void note_ancestors() {
    for (const MapFile* file : files_) {
      const auto job = own_.find(file);
      if (job == own_.end()) continue;
      tree_.for_each_ancestor(file, [&](const MapFile* above) { started_[key_of(above)].insert(job->second); });
    }
  }

  [[nodiscard]] std::int64_t launcher_of(const MapFile* file) const {
    std::int64_t launcher = 0;
    tree_.for_each_ancestor(file, [&](const MapFile* above) {
      if (above->facts().starts_ranks) launcher = key_of(above).pid;
    });
    return launcher;
  }

  // Itself a rank, or started by one.
  [[nodiscard]] std::size_t job_above(const MapFile* file) const {
    if (const auto own = own_.find(file); own != own_.end()) return own->second;
    const auto later = job_of_.find(key_of(file));  // before or after it was one
    std::size_t job = later == job_of_.end() ? kNoJob : later->second;
    tree_.for_each_ancestor(file, [&](const MapFile* above) {
      const auto found = job_of_.find(key_of(above));
      if (job == kNoJob && found != job_of_.end()) job = found->second;
    });
    return job;
  }

  // It started ranks of one job only.
  [[nodiscard]] std::size_t job_below(const MapFile* file) const {
    const auto started = started_.find(key_of(file));
    return started != started_.end() && started->second.size() == 1 ? *started->second.begin() : kNoJob;
  }

  std::vector<const MapFile*> files_;
  ProcessTree tree_;
  ProcessSet users_;                                     // all that use MPI
  std::unordered_map<const MapFile*, std::size_t> own_;  // the ranks
  ByProcess<std::size_t> job_of_;                        // the same by process
  ByProcess<std::set<std::size_t>> started_;             // the jobs below a process
  std::unordered_map<std::uint64_t, std::size_t> steps_;  // jobs without MPI
  std::vector<TreeJob> jobs_;
};

}  // namespace

bool started_before(const MapFile* a, const MapFile* b) {
  const auto key = [](const MapFile* map) {
    const MapFacts& h = map->facts();
    return std::tuple(h.job.start_sec, h.job.start_nsec, h.identity.pid, h.identity.generation);
  };
  return key(a) < key(b);
}

std::vector<TreeJob> split_into_jobs(const std::vector<MapFile>& maps) {
  std::vector<const MapFile*> files;
  for (const MapFile& map : maps) files.push_back(&map);
  std::ranges::sort(files, started_before);
  return Splitter(std::move(files)).split();
}

std::string_view relation_of(const TreeJob& other, const TreeJob& job) {
  const bool together = job.launcher != 0 && other.launcher == job.launcher;
  if (together && job.spawned && !other.spawned) return "spawned it";
  if (together && other.spawned && !job.spawned) return "spawned by it";
  return "same tree";
}

}  // namespace trikal::gather
