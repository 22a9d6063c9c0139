#include "gather/mpi_jobs.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

#include "gather/programs.hpp"

namespace trikal::gather {
namespace {

using log::crash::JobFacts;

constexpr std::size_t kNoJob = SIZE_MAX;
constexpr int kMostAncestors = 64;  // maps are not trusted to be a tree

const JobFacts& facts_of(const MapFile* map) { return map->facts().job; }
std::int64_t pid_of(const MapFile* map) { return map->facts().identity.pid; }

class Splitter {
 public:
  explicit Splitter(std::vector<const MapFile*> files) : files_(std::move(files)) {
    for (const MapFile* file : files_) {
      parents_.emplace(pid_of(file), file);  // any generation has the same parent
      if (facts_of(file).ranks > 0) users_.insert(pid_of(file));
    }
  }

  std::vector<TreeJob> split() {
    find_ranks();
    if (jobs_.empty()) {
      jobs_.emplace_back().files = files_;
      return std::move(jobs_);
    }
    for (const MapFile* file : files_) {
      std::size_t job = job_above(file);
      if (job == kNoJob) job = job_below(file);
      jobs_[job == kNoJob ? 0 : job].files.push_back(file);
    }
    return std::move(jobs_);
  }

 private:
  // Ranks of one launch, told apart by how many processes of that rank came before: mpirun sh -c "a; b" is two jobs.
  void find_ranks() {
    std::map<std::tuple<std::uint64_t, std::int64_t>, std::size_t> seen;
    std::map<std::tuple<std::uint64_t, std::int64_t, std::size_t>, std::size_t> places;
    for (const MapFile* file : files_) {
      const JobFacts& facts = facts_of(file);
      if (facts.ranks <= 0 || facts.rank < 0 || facts.rank >= facts.ranks || !counts(facts)) continue;
      const std::size_t round = seen[{facts.mpi_job, facts.rank}]++;
      const auto [place, fresh] = places.try_emplace({facts.mpi_job, facts.ranks, round}, jobs_.size());
      if (fresh) {
        TreeJob& job = jobs_.emplace_back();
        job.ranks = facts.ranks, job.spawned = facts.spawned != 0, job.launcher = launcher_of(file);
      }
      jobs_[place->second].members.insert(file);
      own_.emplace(file, place->second);
      job_of_.emplace(pid_of(file), place->second);
    }
    note_ancestors();
  }

  // A program without a launcher is an MPI job only if it is the only one.
  [[nodiscard]] bool counts(const JobFacts& facts) const {
    return facts.mpi_job != 0 || facts.ranks > 1 || users_.size() == 1;
  }

  template <class Use>
  void for_each_ancestor(const MapFile* file, const Use& use) const {
    std::int64_t pid = facts_of(file).parent_pid;
    for (int i = 0; i < kMostAncestors; ++i) {
      const auto parent = parents_.find(pid);
      if (parent == parents_.end()) return;
      use(parent->second);
      pid = facts_of(parent->second).parent_pid;
    }
  }

  void note_ancestors() {
    for (const MapFile* file : files_) {
      const auto job = own_.find(file);
      if (job == own_.end()) continue;
      for_each_ancestor(file, [&](const MapFile* above) { started_[pid_of(above)].insert(job->second); });
    }
  }

  [[nodiscard]] std::int64_t launcher_of(const MapFile* file) const {
    std::int64_t launcher = 0;
    for_each_ancestor(file, [&](const MapFile* above) {
      if (starts_mpi_programs(above->view().program())) launcher = pid_of(above);
    });
    return launcher;
  }

  // Itself a rank, or started by one.
  [[nodiscard]] std::size_t job_above(const MapFile* file) const {
    if (const auto own = own_.find(file); own != own_.end()) return own->second;
    const auto later = job_of_.find(pid_of(file));  // before or after it was one
    std::size_t job = later == job_of_.end() ? kNoJob : later->second;
    for_each_ancestor(file, [&](const MapFile* above) {
      const auto found = job_of_.find(pid_of(above));
      if (job == kNoJob && found != job_of_.end()) job = found->second;
    });
    return job;
  }

  // It started ranks of one job only.
  [[nodiscard]] std::size_t job_below(const MapFile* file) const {
    const auto started = started_.find(pid_of(file));
    return started != started_.end() && started->second.size() == 1 ? *started->second.begin() : kNoJob;
  }

  std::vector<const MapFile*> files_;
  std::unordered_map<std::int64_t, const MapFile*> parents_;
  std::unordered_set<std::int64_t> users_;                           // process ids of all that use MPI
  std::unordered_map<const MapFile*, std::size_t> own_;              // the ranks
  std::unordered_map<std::int64_t, std::size_t> job_of_;             // the same by process id
  std::unordered_map<std::int64_t, std::set<std::size_t>> started_;  // the jobs below a process
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
