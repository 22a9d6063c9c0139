#include "capture/sink/own_log.hpp"

#include <algorithm>

#include "capture/rare.hpp"
#include "capture/session/hooks.hpp"
#include "capture/sink/log_name.hpp"
#include "capture/sink/writing.hpp"
#include "log/crash/extras.hpp"
#include "log/crash/notes.hpp"
#include "log/crash/process_table.hpp"
#include "log/crash/to_log.hpp"
#include "log/crash/trace.hpp"
#include "log/write/writer.hpp"
#include "modules/list_slots.hpp"

namespace trikal::capture {
namespace {

// Of the whole job: the log is the part of one rank, and readers refuse a rank beyond the number of processes.
std::int64_t processes_of(const log::crash::JobFacts& job) noexcept {
  const std::int64_t job_ranks = job.ranks > 0 ? job.ranks : job.launched;
  return std::max({job_ranks, job.rank + 1, std::int64_t{1}});
}

Status put_process_table(log::TrailerWriter& trailer, const log::crash::Process& process,
                         const log::crash::SelfCost& cost) noexcept {
  Status status = log::crash::begin_process_table(trailer);
  const double start = log::crash::start_time(process.map->header());
  if (status.ok()) status = log::crash::put_process(trailer, {process.map, process.rank, start, "exited", cost});
  if (status.ok()) status = trailer.end_section();
  return status.ok() ? log::crash::put_notes(trailer, {&process, 1}) : status;
}

}  // namespace

Status write_own_log(const log::crash::MapView& map, const Config& config, double (*ending)() noexcept) noexcept {
  TRIKAL_RARE static constinit log::FixedWriterMemory<> memory{};
  TRIKAL_RARE static constinit LogName name;
  if (!name.choose(config, map.header())) return Error{.code = ErrorCode::kUsage, .what = "no directory for the log"};
  log::Writer writer(memory.spans());
  // The program waits for us: a large log is packed in half the time and gets a twentieth larger.
  constexpr std::uint64_t kLarge = 8 * 1024 * 1024;
  const int level = map.header().used.load(std::memory_order_relaxed) > kLarge ? 3 : log::kDefaultLevel;
  const Status created =
      writer.create({.path = name.path(), .temporary = name.temporary(), .another = LogName::another, .context = &name},
                    {.level = level, .calls = &raw_file_calls()});
  if (!created) return created;
  const log::crash::JobFacts& job = map.header().job;
  log::MountText mounts[kMostMounts];
  const std::size_t count = split_mounts(map.mounts(), mounts);
  const log::crash::CommandText command(map.arguments(), log::crash::CommandText::Form::kSpaced);
  const auto put =
      writer.put_job({.uid = job.uid,
                      .start_sec = job.start_sec,
                      .start_nsec = job.start_nsec,
                      .end_sec = job.end_sec,
                      .end_nsec = job.end_nsec,
                      .nprocs = processes_of(job),
                      .job_id = job.job_id},
                     {.metadata = "lib_ver=trikal-0.1.0\n", .exe = command.text(), .mounts = {mounts, count}});
  if (!put) return put.error();
  const log::crash::Process process{&map, std::max<std::int64_t>(job.rank, 0), 0};
  const ModuleSchema* schemas[kObservingModules];
  std::size_t modules = 0;
  for (const ModuleHooks& module : module_hooks()) schemas[modules++] = module.schema;
  TRIKAL_RARE_DATA static constinit log::crash::Extras extras;
  Status status = log::crash::put_records(writer, {&process, 1}, {schemas, modules});
  log::TrailerWriter* trailer = status.ok() ? writer.trailer() : nullptr;
  log::crash::SelfCost cost = log::crash::self_cost(map, {schemas, modules});
  cost.session += ending();
  if (trailer != nullptr) status = put_process_table(*trailer, process, cost);
  if (trailer != nullptr && status.ok()) status = extras.put(*trailer, {&process, 1}, {schemas, modules});
  const std::span<const log::crash::Process> processes(&process, 1);
  if (trailer != nullptr && status.ok())
    status = log::crash::put_segment_threads(*trailer, processes, {schemas, modules});
  if (trailer != nullptr && status.ok()) status = log::crash::put_traced_calls(*trailer, processes);
  return status.ok() ? writer.finish(log::crash::thinned_modules(processes, {schemas, modules})) : status;
}

}  // namespace trikal::capture
