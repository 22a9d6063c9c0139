#include "gather/job_log.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <unordered_map>
#include <unordered_set>

#include "gather/mount_text.hpp"
#include "gather/mpi_jobs.hpp"
#include "gather/programs.hpp"
#include "gather/shared_records.hpp"
#include "log/crash/extras.hpp"
#include "log/crash/notes.hpp"
#include "log/crash/process_table.hpp"
#include "log/crash/to_log.hpp"
#include "log/write/tool_writer.hpp"
#include "modules/list.hpp"

namespace trikal::gather {
namespace {

using log::crash::CommandText;
using log::crash::Process;
using log::crash::State;

constexpr double kNanosecond = 1e-9;
constexpr log::Column kRelativeColumns[] = {
    {"log", log::ColumnType::kText, "", "the log's file name, in the same directory"},
    {"relation", log::ColumnType::kText, "", "spawned it, spawned by it (MPI_Comm_spawn), or same tree"},
    {"nprocs", log::ColumnType::kI64, "", "ranks of that job"},
};
constexpr log::SectionSchema kRelativesSection = {"related_jobs", "other MPI jobs of the same command",
                                                  kRelativeColumns};

constexpr double kFarthest = 1e18;  // seconds: farther than any clock, near enough for an integer

std::string_view how_it_ended(const MapFile& map) {
  switch (map.facts().state) {
    case State::kEnded: return "exited";
    case State::kExec: return "exec";
    case State::kRunning: break;
  }
  switch (map.life()) {
    case Life::kLives: return "running";
    case Life::kGone: return "killed";
    case Life::kUnknown: break;
  }
  return "unknown";
}

// The last thing a process that was killed is known to have done, in seconds after its start.
double last_seen(const log::crash::MapRef& map) {
  double last = 0;
  for (const ModuleFormat* module : all_modules()) {
    const ModuleSchema& schema = *module->schema;
    if (schema.live != nullptr) continue;
    auto look = [&](Bytes record) {
      const std::byte* at = record.data() + schema.counters_at;
      for (const Counter& counter : schema.counters) {
        if (counter.unit == Unit::kTimestamp) last = std::max(last, load<double>(at));
        at += 8 * counter.width();
      }
    };
    log::crash::for_each_record(
        {map, 0, 0}, schema, {[](void* self, Bytes record) { (*static_cast<decltype(look)*>(self))(record); }, &look});
  }
  return last;
}

// When it ended, in seconds since 1970; where it still runs, now.
double last_moment(const MapFile& map) {
  const log::crash::JobFacts& job = map.facts().job;
  if (job.end_sec != 0) return log::crash::end_time(job);
  if (map.process_lives())
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  return log::crash::start_time(job) + last_seen(map.ref());
}

// Records that count in slices of time are put on one axis: processes begin at different moments.
class CommonTime {
 public:
  explicit CommonTime(const std::vector<Process>& processes) {
    for (const ModuleFormat* module : all_modules()) {
      if (module->rewrite == nullptr || module->rewrite->survey == nullptr) continue;
      for (const Process& process : processes) {
        now_ = &process, rewrite_ = module->rewrite;
        log::crash::for_each_record(
            process, *module->schema,
            {[](void* self, Bytes record) { static_cast<CommonTime*>(self)->survey(record); }, this});
      }
    }
  }

  Bytes settle(const ModuleSchema& schema, const Process& process, Bytes record) {
    const ModuleFormat* module = find_module(schema.id);
    if (module == nullptr || module->rewrite == nullptr || module->rewrite->rebin == nullptr) return record;
    held_.assign(record.begin(), record.end());
    module->rewrite->rebin(held_, process.shift, grid_);
    return held_;
  }

 private:
  void survey(Bytes record) { rewrite_->survey(record, now_->shift, grid_); }

  TimeGrid grid_;
  const Process* now_ = nullptr;
  const Rewrite* rewrite_ = nullptr;
  std::vector<std::byte> held_;
};

struct RecordEdits {
  CommonTime time;
  SharedRecords shared;

  [[nodiscard]] log::crash::RecordEdit edit() {
    return {[](void* self, const ModuleSchema& schema, const Process& process, Bytes record) {
              auto& edits = *static_cast<RecordEdits*>(self);
              return edits.shared.take(schema, process, record) ? Bytes{} : edits.time.settle(schema, process, record);
            },
            [](void* self, const ModuleSchema& schema) { return static_cast<RecordEdits*>(self)->shared.rest(schema); },
            this};
  }
};

class JobLog {
 public:
  // `jobs`: all of the tree; the log is that of `jobs[index]`, `paths` are theirs.
  JobLog(std::span<const TreeJob> jobs, std::size_t index, std::span<const std::string> paths,
         const JobLogOptions& options)
      : options_(options), jobs_(jobs), paths_(paths), index_(index), files_(job().files), mpi_ranks_(job().ranks) {
    choose_ranks();
  }

  Result<JobLogResult> write() {
    auto writer = log::ToolWriter::create(paths_[index_], {.replace = options_.taken == Taken::kReplace});
    if (!writer) return writer.error();
    log::Writer& out = (*writer)->writer();
    Status status = put_job(out);
    if (status.ok()) status = put_records(out);
    if (status.ok()) status = put_processes(out);
    if (status.ok()) status = put_extras(out);
    if (status.ok()) status = put_relatives(out);
    if (status.ok()) status = out.finish(0);
    if (!status.ok()) return status.error();
    const auto running =
        std::ranges::count_if(files_, [](const MapFile* map) { return how_it_ended(*map) == "running"; });
    return JobLogResult{paths_[index_], files_.size(), processes_.size(), static_cast<std::size_t>(running),
                        out.file_bytes()};
  }

 private:
  // MPI's rank; else the one a launcher gave; else the order of start, behind the ranks of MPI. Processes without I/O
  // take part in nothing, and neither does what starts the ranks: its pipes and session files are not the job's.
  void choose_ranks() {
    std::unordered_set<std::int64_t> taken;
    std::int64_t next = mpi_ranks_;
    for (const MapFile* file : files_) {
      if (!file->facts().has_records) continue;
      const bool of_mpi = job().members.contains(file);
      if (mpi_ranks_ > 0 && !of_mpi && starts_mpi_programs(file->view().program())) continue;
      std::int64_t rank = file->facts().job.rank;
      if (!of_mpi && (rank < 0 || rank < mpi_ranks_ || !taken.insert(rank).second)) {
        while (!taken.insert(next).second) ++next;
        rank = next;
      }
      processes_.push_back({file->ref(), rank, log::crash::start_time(file->facts().job) - job_start()});
      ranks_of_.emplace(file, rank);
      if (of_mpi) ranks_.push_back(processes_.back());
    }
    // Ranks start in no order, and some counters of a file they share are those of the first.
    if (mpi_ranks_ == 0) return;
    std::ranges::sort(processes_, {}, &Process::rank);
    std::ranges::sort(ranks_, {}, &Process::rank);
  }

  // All ranks, and whoever else did I/O.
  [[nodiscard]] std::int64_t process_count() const {
    const auto others = static_cast<std::int64_t>(processes_.size() - ranks_.size());
    return std::max<std::int64_t>(mpi_ranks_ + others, 1);
  }

  Status put_job(log::Writer& out) {
    log::JobNumbers numbers;
    const CommandText command(command_line(), CommandText::Form::kSpaced);
    log::JobText text{.metadata = "lib_ver=trikal-0.1.0\n", .exe = command.text(), .mounts = {}};
    std::vector<log::MountText> mounts;
    if (!files_.empty()) {
      const log::crash::JobFacts& first = files_.front()->facts().job;
      numbers = {
          .uid = first.uid, .start_sec = first.start_sec, .start_nsec = first.start_nsec, .job_id = first.job_id};
      mounts = split_mounts(mount_text_);
    }
    double end = job_start();
    for (const MapFile* file : files_) end = std::max(end, last_moment(*file));
    end = std::clamp(end, -kFarthest, kFarthest);
    numbers.end_sec = static_cast<std::int64_t>(end);
    numbers.end_nsec = static_cast<std::int64_t>((end - static_cast<double>(numbers.end_sec)) / kNanosecond);
    numbers.nprocs = process_count();
    text.mounts = mounts;
    auto put = out.put_job(numbers, text);
    return put ? Status{} : put.error();
  }

  // As it was given to us, else as the first process had it.
  [[nodiscard]] std::string command_line() const {
    if (jobs_.size() > 1) return std::string(first_rank().view().arguments());  // the command is that of several
    if (!options_.arguments.empty() || files_.empty()) return options_.arguments;
    return std::string(files_.front()->view().arguments());
  }

  [[nodiscard]] const MapFile& first_rank() const {
    return **std::ranges::min_element(job().members, {}, [](const MapFile* file) { return file->facts().job.rank; });
  }

  // Processes of `trikal run` leave it to us.
  [[nodiscard]] std::string mounts_of_job() const {
    const auto told = std::ranges::find_if(files_, [](const MapFile* file) { return file->facts().tells_mounts; });
    return told != files_.end() ? std::string((*told)->view().mounts()) : mount_text();
  }

  static std::vector<log::MountText> split_mounts(std::string_view text) {
    std::vector<log::MountText> mounts;
    while (!text.empty()) {
      text.remove_prefix(1);
      const std::size_t end = std::min(text.find('\n'), text.size());
      const std::string_view line = text.substr(0, end);
      if (const std::size_t tab = line.find('\t'); tab != std::string_view::npos)
        mounts.push_back({line.substr(0, tab), line.substr(tab + 1)});
      text.remove_prefix(end);
    }
    return mounts;
  }

  static std::vector<const ModuleSchema*> all_schemas() {
    std::vector<const ModuleSchema*> schemas;
    for (const ModuleFormat* module : all_modules()) schemas.push_back(module->schema);
    return schemas;
  }

  Status put_extras(log::Writer& out) {
    log::TrailerWriter* trailer = out.trailer();
    return trailer == nullptr ? Status{} : extras_.put(*trailer, processes_, all_schemas());
  }

  Status put_records(log::Writer& out) {
    const std::vector<const ModuleSchema*> schemas = all_schemas();
    std::unordered_set<std::uint64_t> seen;
    const log::crash::NameFilter first_only{
        [](void* context, std::uint64_t id) {
          return static_cast<std::unordered_set<std::uint64_t>*>(context)->insert(id).second;
        },
        &seen};
    RecordEdits edits{CommonTime(processes_), SharedRecords(ranks_, mpi_ranks_, options_.reduce)};
    return log::crash::put_records(out, processes_, schemas, first_only, edits.edit());
  }

  // Processes that were started alike (forks, then what they became by exec) take less space side by side.
  [[nodiscard]] std::vector<const MapFile*> by_generation() const {
    std::vector<const MapFile*> files(files_.begin(), files_.end());
    std::ranges::stable_sort(files, {}, [](const MapFile* file) { return file->facts().identity.generation; });
    return files;
  }

  Status put_processes(log::Writer& out) {
    log::TrailerWriter* trailer = out.trailer();
    if (trailer == nullptr) return {};
    Status status = log::crash::begin_process_table(*trailer);
    const std::vector<const ModuleSchema*> schemas = all_schemas();
    for (const MapFile* file : by_generation()) {
      if (status.ok())
        status = log::crash::put_process(*trailer, {file->ref(), rank_of(file), job_start(), how_it_ended(*file),
                                                    log::crash::self_cost(*file->ref(), schemas)});
    }
    if (status.ok()) status = trailer->end_section();
    return status.ok() ? log::crash::put_notes(*trailer, everybody(), options_.names) : status;
  }

  // The other MPI jobs of the tree.
  Status put_relatives(log::Writer& out) {
    log::TrailerWriter* trailer = out.trailer();
    if (trailer == nullptr || jobs_.size() < 2) return {};
    Status status = trailer->begin_section(kRelativesSection);
    const auto next = [&](Status put) {
      if (status.ok()) status = put;
    };
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      if (i == index_) continue;
      next(trailer->put_text(std::filesystem::path(paths_[i]).filename().string()));
      next(trailer->put_text(relation_of(jobs_[i], job())));
      next(trailer->put_i64(jobs_[i].ranks));
    }
    next(trailer->end_section());
    return status;
  }

  // Also those without records.
  [[nodiscard]] std::vector<Process> everybody() const {
    std::vector<Process> all;
    for (const MapFile* file : files_) {
      const double shift = log::crash::start_time(file->facts().job) - job_start();
      all.push_back({file->ref(), rank_of(file), shift});
    }
    return all;
  }

  [[nodiscard]] double job_start() const {
    return files_.empty() ? 0 : log::crash::start_time(files_.front()->facts().job);
  }

  [[nodiscard]] const TreeJob& job() const { return jobs_[index_]; }
  // -1: it did no I/O.
  [[nodiscard]] std::int64_t rank_of(const MapFile* file) const {
    const auto known = ranks_of_.find(file);
    return known != ranks_of_.end() ? known->second : -1;
  }

  const JobLogOptions& options_;
  std::span<const TreeJob> jobs_;
  std::span<const std::string> paths_;
  std::size_t index_;
  const std::vector<const MapFile*>& files_;
  std::int64_t mpi_ranks_;  // of the MPI job that this is; 0: it is none
  std::string mount_text_ = mounts_of_job();
  std::vector<Process> processes_;  // with I/O
  std::vector<Process> ranks_;  // those of them that are the MPI job's
  std::unordered_map<const MapFile*, std::int64_t> ranks_of_;  // all of `processes_`
  log::crash::Extras extras_;
};

// All of them, or none where another run was quicker to take a name.
Result<std::vector<JobLogResult>> write_all(std::span<const TreeJob> jobs, std::span<const std::string> paths,
                                            const JobLogOptions& options) {
  std::vector<JobLogResult> results;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    auto result = JobLog(jobs, i, paths, options).write();
    if (result) {
      results.push_back(std::move(*result));
      continue;
    }
    std::error_code ignored;
    for (const JobLogResult& written : results) {
      if (result.error().sys_errno == EEXIST) std::filesystem::remove(written.path, ignored);
    }
    return result.error();
  }
  return results;
}

}  // namespace

Result<std::vector<JobLogResult>> write_job_logs(const std::vector<MapFile>& maps, const JobLogOptions& options) {
  const std::vector<TreeJob> jobs = split_into_jobs(maps);
  if (options.taken != Taken::kNumber) return write_all(jobs, log_names(options.path, jobs.size()), options);
  for (std::size_t number = 1;; ++number) {
    auto results = write_all(jobs, free_log_names(options.path, jobs.size(), number), options);
    if (results || results.error().sys_errno != EEXIST) return results;
  }
}

}  // namespace trikal::gather
