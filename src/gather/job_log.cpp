#include "gather/job_log.hpp"

#include <algorithm>
#include <unordered_set>

#include "log/crash/to_log.hpp"
#include "log/write/tool_writer.hpp"
#include "modules/list.hpp"

namespace trikal::gather {
namespace {

using log::crash::Header;
using log::crash::MapView;
using log::crash::Process;
using log::crash::State;

constexpr double kNanosecond = 1e-9;

double start_of(const Header& header) {
  return static_cast<double>(header.job.start_sec) + static_cast<double>(header.job.start_nsec) * kNanosecond;
}

bool started_before(const MapView* a, const MapView* b) {
  const auto key = [](const MapView* map) {
    const Header& h = map->header();
    return std::tuple(h.job.start_sec, h.job.start_nsec, h.identity.pid, h.identity.generation);
  };
  return key(a) < key(b);
}

std::string_view how_it_ended(const MapFile& map) {
  switch (map.view().header().state.load()) {
    case State::kEnded: return "exited";
    case State::kExec: return "exec";
    case State::kRunning: return map.process_lives() ? "running" : "killed";
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

  [[nodiscard]] log::crash::RecordEdit edit() {
    return {[](void* self, const ModuleSchema& schema, const Process& process, Bytes record) {
              return static_cast<CommonTime*>(self)->settle(schema, process, record);
            },
            this};
  }

 private:
  void survey(Bytes record) { rewrite_->survey(record, now_->shift, grid_); }

  Bytes settle(const ModuleSchema& schema, const Process& process, Bytes record) {
    const ModuleFormat* module = find_module(schema.id);
    if (module == nullptr || module->rewrite == nullptr || module->rewrite->rebin == nullptr) return record;
    held_.assign(record.begin(), record.end());
    module->rewrite->rebin(held_, process.shift, grid_);
    return held_;
  }

  TimeGrid grid_;
  const Process* now_ = nullptr;
  const Rewrite* rewrite_ = nullptr;
  std::vector<std::byte> held_;
};

class JobLog {
 public:
  JobLog(const std::vector<MapFile>& maps, const JobLogOptions& options) : options_(options) {
    for (const MapFile& map : maps) files_.push_back(&map);
    std::ranges::sort(files_,
                      [](const MapFile* a, const MapFile* b) { return started_before(&a->view(), &b->view()); });
    choose_ranks();
  }

  Result<JobLogResult> write() {
    auto writer = log::ToolWriter::create(options_.path, {.replace = options_.replace});
    if (!writer) return writer.error();
    log::Writer& out = (*writer)->writer();
    Status status = put_job(out);
    if (status.ok()) status = put_records(out);
    if (status.ok()) status = put_processes(out);
    if (status.ok()) status = out.finish(0);
    if (!status.ok()) return status.error();
    const auto running =
        std::ranges::count_if(files_, [](const MapFile* map) { return how_it_ended(*map) == "running"; });
    return JobLogResult{files_.size(), processes_.size(), static_cast<std::size_t>(running), out.file_bytes()};
  }

 private:
  // The rank a launcher gave, else the order of start. Processes without I/O take part in nothing.
  void choose_ranks() {
    const double begin = files_.empty() ? 0 : start_of(files_.front()->view().header());
    std::unordered_set<std::int64_t> taken;
    std::int64_t next = 0;
    for (const MapFile* file : files_) {
      if (!log::crash::has_records(file->view())) continue;
      const Header& header = file->view().header();
      std::int64_t rank = header.job.rank;
      if (rank < 0 || !taken.insert(rank).second) {
        while (!taken.insert(next).second) ++next;
        rank = next;
      }
      processes_.push_back({&file->view(), rank, start_of(header) - begin});
    }
  }

  Status put_job(log::Writer& out) {
    log::JobNumbers numbers;
    log::JobText text{.metadata = "lib_ver=trikal-0.1.0\n", .exe = options_.command, .mounts = {}};
    std::vector<log::MountText> mounts;
    if (!files_.empty()) {
      const Header& first = files_.front()->view().header();
      numbers = {.uid = first.job.uid,
                 .start_sec = first.job.start_sec,
                 .start_nsec = first.job.start_nsec,
                 .job_id = first.job.job_id};
      if (text.exe.empty()) text.exe = files_.front()->view().command();
      mounts = split_mounts(files_.front()->view().mounts());
    }
    for (const MapFile* file : files_) {
      const auto& job = file->view().header().job;
      if (std::pair(job.end_sec, job.end_nsec) > std::pair(numbers.end_sec, numbers.end_nsec)) {
        numbers.end_sec = job.end_sec, numbers.end_nsec = job.end_nsec;
      }
    }
    if (numbers.end_sec == 0) numbers.end_sec = numbers.start_sec, numbers.end_nsec = numbers.start_nsec;
    numbers.nprocs = static_cast<std::int64_t>(std::max<std::size_t>(processes_.size(), 1));
    text.mounts = mounts;
    auto put = out.put_job(numbers, text);
    return put ? Status{} : put.error();
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

  Status put_records(log::Writer& out) {
    std::vector<const ModuleSchema*> schemas;
    for (const ModuleFormat* module : all_modules()) schemas.push_back(module->schema);
    std::unordered_set<std::uint64_t> seen;
    const log::crash::NameFilter first_only{
        [](void* context, std::uint64_t id) {
          return static_cast<std::unordered_set<std::uint64_t>*>(context)->insert(id).second;
        },
        &seen};
    CommonTime time(processes_);
    return log::crash::put_records(out, processes_, schemas, first_only, time.edit());
  }

  Status put_processes(log::Writer& out) {
    using log::ColumnType;
    static constexpr log::Column kColumns[] = {
        {"pid", ColumnType::kI64, "", "process id"},
        {"parent", ColumnType::kI64, "", "its parent's"},
        {"generation", ColumnType::kU64, "", "how often it had replaced itself by exec before"},
        {"rank", ColumnType::kI64, log::kUnitRank, "its rank in this log; -1 if it did no I/O"},
        {"start", ColumnType::kF64, log::kUnitTimestamp, "seconds after the job's start"},
        {"end", ColumnType::kF64, log::kUnitTimestamp, "seconds after the job's start; 0 if it did not come to an end"},
        {"ended", ColumnType::kText, "", "exited, exec, killed or running"},
        {"status", ColumnType::kI64, "", "exit status, where it exited"},
        {"missed", ColumnType::kU64, "calls", "calls that could not be noted"},
        {"folded", ColumnType::kU64, "", "files that share a record because memory was full"},
        {"command", ColumnType::kText, "", "command line"},
    };
    static constexpr log::SectionSchema kSection = {"processes", "every process of the job", kColumns};
    log::TrailerWriter* trailer = out.trailer();
    if (trailer == nullptr) return {};
    Status status = trailer->begin_section(kSection);
    for (const MapFile* file : files_) {
      if (status.ok()) status = put_process(*trailer, *file);
    }
    return status.ok() ? trailer->end_section() : status;
  }

  Status put_process(log::TrailerWriter& trailer, const MapFile& file) const {
    const Header& header = file.view().header();
    const double begin = start_of(files_.front()->view().header());
    const double end = static_cast<double>(header.job.end_sec) + static_cast<double>(header.job.end_nsec) * kNanosecond;
    const auto process = std::ranges::find(processes_, &file.view(), &Process::map);
    Status status = trailer.put_i64(header.identity.pid);
    const auto next = [&](Status put) {
      if (status.ok()) status = put;
    };
    next(trailer.put_i64(header.job.parent_pid));
    next(trailer.put_u64(header.identity.generation));
    next(trailer.put_i64(process != processes_.end() ? process->rank : -1));
    next(trailer.put_f64(start_of(header) - begin));
    next(trailer.put_f64(header.job.end_sec != 0 ? end - begin : 0));
    next(trailer.put_text(how_it_ended(file)));
    next(trailer.put_i64(header.exit_status));
    next(trailer.put_u64(header.self.missed.load()));
    next(trailer.put_u64(header.self.folded.load()));
    next(trailer.put_text(file.view().command()));
    return status;
  }

  const JobLogOptions& options_;
  std::vector<const MapFile*> files_;
  std::vector<Process> processes_;
};

}  // namespace

Result<JobLogResult> write_job_log(const std::vector<MapFile>& maps, const JobLogOptions& options) {
  return JobLog(maps, options).write();
}

}  // namespace trikal::gather
