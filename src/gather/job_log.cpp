#include "gather/job_log.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <limits>
#include <unordered_set>

#include "gather/job_end.hpp"
#include "gather/job_ranks.hpp"
#include "gather/mount_text.hpp"
#include "gather/mpi_jobs.hpp"
#include "gather/shared_records.hpp"
#include "gather/unseen_parts.hpp"
#include "log/crash/extras.hpp"
#include "log/crash/notes.hpp"
#include "log/crash/process_table.hpp"
#include "log/crash/to_log.hpp"
#include "log/crash/trace.hpp"
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

constexpr log::Column kRemoteColumns[] = {
    {"pid", log::ColumnType::kI64, "", "process id"},
    {"rank", log::ColumnType::kI64, log::kUnitRank, "its rank in this log; -1 if it has none"},
    {"host", log::ColumnType::kText, "", "the node it ran on"},
};
constexpr log::SectionSchema kRemoteSection = {
    "remote_processes", "processes that could not reach the node of trikal run and sent what they did", kRemoteColumns};

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
              const Bytes settled = edits.time.settle(schema, process, record);
              return edits.shared.take(schema, process, settled) ? Bytes{} : settled;
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
      : options_(options),
        jobs_(jobs),
        paths_(paths),
        index_(index),
        files_(job().files),
        ranks_(choose_ranks(job(), job_start())),
        end_(end_of(job(), options.ended)) {}

  Result<JobLogResult> write() {
    auto writer = log::ToolWriter::create(paths_[index_], {.replace = options_.taken == Taken::kReplace});
    if (!writer) return writer.error();
    log::Writer& out = (*writer)->writer();
    Status status = put_job(out);
    if (status.ok()) status = put_records(out);
    if (status.ok()) status = put_processes(out);
    if (status.ok()) status = put_extras(out);
    if (status.ok()) status = put_relatives(out);
    if (status.ok()) status = put_remote(out);
    if (status.ok()) status = put_machine(out, options_.machine);
    if (status.ok()) status = put_trace(out);
    if (status.ok()) status = out.finish(log::crash::thinned_modules(ranks_.processes, all_schemas()));
    if (!status.ok()) return status.error();
    const auto running =
        std::ranges::count_if(files_, [](const MapFile* map) { return how_it_ended(*map) == "running"; });
    return JobLogResult{paths_[index_], ranks_.all, ranks_.with_io, static_cast<std::size_t>(running),
                        out.file_bytes()};
  }

 private:
  Status put_job(log::Writer& out) {
    log::JobNumbers numbers;
    const CommandText command(command_line(), CommandText::Form::kSpaced);
    std::string metadata = "lib_ver=trikal-0.1.0\n";
    if (const auto launcher = unseen_launcher(); !launcher.empty())
      metadata.append(log::kUnseenRanksKey).append("=").append(launcher).append("\n");
    if (end_.at_least) metadata.append(log::kRunTimeKey).append("=").append(log::kAtLeast).append("\n");
    log::JobText text{.metadata = metadata, .exe = command.text(), .mounts = {}};
    std::vector<log::MountText> mounts;
    if (!files_.empty()) {
      const log::crash::JobFacts& first = files_.front()->facts().job;
      numbers = {
          .uid = first.uid, .start_sec = first.start_sec, .start_nsec = first.start_nsec, .job_id = first.job_id};
      mounts = split_mounts(mount_text_);
    }
    const double end = std::clamp(std::max(end_.when, job_start()), -kFarthest, kFarthest);
    numbers.end_sec = static_cast<std::int64_t>(end);
    numbers.end_nsec = static_cast<std::int64_t>((end - static_cast<double>(numbers.end_sec)) / kNanosecond);
    numbers.nprocs = ranks_.nprocs;
    text.mounts = mounts;
    auto put = out.put_job(numbers, text);
    return put ? Status{} : put.error();
  }

  // As it was given to us, else as the first process had it.
  [[nodiscard]] std::string command_line() const {
    const bool is_of_several = jobs_.size() > 1;  // the command
    if (files_.empty() || (!is_of_several && !options_.arguments.empty())) return options_.arguments;
    return std::string((is_of_several ? first_rank() : files_.front())->view().arguments());
  }

  // The first rank, or the first task where nobody uses MPI.
  [[nodiscard]] const MapFile* first_rank() const {
    const MapFile* first = files_.front();
    std::int64_t lowest = std::numeric_limits<std::int64_t>::max();
    for (const MapFile* file : files_) {
      const log::crash::JobFacts& facts = file->facts().job;
      const bool counts = job().ranks > 0 ? job().members.contains(file) : facts.launched > 1;
      if (counts && facts.rank < lowest) first = file, lowest = facts.rank;
    }
    return first;
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
    return trailer == nullptr ? Status{} : extras_.put(*trailer, ranks_.processes, all_schemas());
  }

  Status put_trace(log::Writer& out) {
    log::TrailerWriter* trailer = out.trailer();
    if (trailer == nullptr) return {};
    const Status status = log::crash::put_segment_threads(*trailer, ranks_.processes, all_schemas());
    return status.ok() ? log::crash::put_traced_calls(*trailer, ranks_.processes) : status;
  }

  Status put_records(log::Writer& out) {
    const std::vector<const ModuleSchema*> schemas = all_schemas();
    std::unordered_set<std::uint64_t> seen;
    const log::crash::NameFilter first_only{
        [](void* context, std::uint64_t id) {
          return static_cast<std::unordered_set<std::uint64_t>*>(context)->insert(id).second;
        },
        &seen};
    const std::vector<Process>& processes = ranks_.processes;
    RecordEdits edits{CommonTime(processes), SharedRecords(processes, job().ranks, options_.reduce)};
    return log::crash::put_records(out, processes, schemas, first_only, edits.edit());
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
        status = log::crash::put_process(*trailer, {file->ref(), ranks_.of(file), job_start(), how_it_ended(*file),
                                                    log::crash::self_cost(*file->ref(), schemas)});
    }
    if (status.ok()) status = trailer->end_section();
    // Who found no space may have been of any of the jobs: the first tells.
    const UnseenParts unseen(files_, index_ == 0 ? options_.lost : 0);
    return status.ok() ? log::crash::put_notes(*trailer, everybody(), options_.names, unseen.rows()) : status;
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
      next(trailer->put_i64(std::max(jobs_[i].ranks, jobs_[i].tasks)));
    }
    next(trailer->end_section());
    return status;
  }

  Status put_remote(log::Writer& out) {
    log::TrailerWriter* trailer = out.trailer();
    const auto is_remote = [](const MapFile* file) { return file->facts().is_remote; };
    if (trailer == nullptr || std::ranges::none_of(files_, is_remote)) return {};
    Status status = trailer->begin_section(kRemoteSection);
    const auto next = [&](Status put) {
      if (status.ok()) status = put;
    };
    for (const MapFile* file : files_) {
      if (!is_remote(file)) continue;
      const log::crash::MapPin map = *file->ref();
      const auto& host = map->header().host;
      next(trailer->put_i64(file->facts().identity.pid));
      next(trailer->put_i64(ranks_.of(file)));
      next(trailer->put_text({host, ::strnlen(host, sizeof host)}));
    }
    next(trailer->end_section());
    return status;
  }

  // A launcher none of whose ranks was seen; empty: none.
  [[nodiscard]] std::string unseen_launcher() const {
    const MapFile* launcher = nullptr;
    for (const MapFile* file : files_) {
      const log::crash::JobFacts& facts = file->facts().job;
      if (file->facts().starts_ranks) launcher = file;
      else if (facts.ranks > 0 || facts.launched > 0) return {};
    }
    return launcher == nullptr ? "" : std::filesystem::path(launcher->view().program()).filename().string();
  }

  // Also those without records.
  [[nodiscard]] std::vector<Process> everybody() const {
    std::vector<Process> all;
    for (const MapFile* file : files_) {
      const double shift = log::crash::start_time(file->facts().job) - job_start();
      all.push_back({file->ref(), ranks_.of(file), shift});
    }
    return all;
  }

  [[nodiscard]] double job_start() const {
    return files_.empty() ? 0 : log::crash::start_time(files_.front()->facts().job);
  }

  [[nodiscard]] const TreeJob& job() const { return jobs_[index_]; }

  const JobLogOptions& options_;
  std::span<const TreeJob> jobs_;
  std::span<const std::string> paths_;
  std::size_t index_;
  const std::vector<const MapFile*>& files_;
  std::string mount_text_ = mounts_of_job();
  JobRanks ranks_;
  JobEnd end_;
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
