#include "capture/sink/job_writer.hpp"

#include <fcntl.h>

#include <algorithm>

#include "base/text.hpp"
#include "capture/rare.hpp"
#include "capture/raw.hpp"
#include "capture/sink/writing.hpp"
#include "log/crash/extras.hpp"
#include "log/crash/notes.hpp"
#include "log/crash/process_table.hpp"
#include "log/crash/trace.hpp"

namespace trikal::capture {
namespace {

constexpr Error kNoMemory = {.code = ErrorCode::kLimit, .what = "no memory to put the job's log together"};

log::WriterMemory writer_memory() noexcept {
  TRIKAL_RARE static constinit log::FixedWriterMemory<> memory{};
  return memory.spans();
}

// One for each part that was not sent, ascending as the parts are: whoever passes them on counts on it.
Status make_orders(Bytes parts, Buffer& orders) noexcept {
  bool has_memory = true;
  std::int64_t last = -1;
  const bool whole = for_each_part(parts, [&](const PartHead& head, Bytes) {
    if (head.owner <= last) return false;
    last = head.owner;
    has_memory = head.sent != 0 || orders.put(Order{.owner = head.owner});
    return has_memory;
  });
  if (!has_memory) return kNoMemory;
  return whole ? Status{} : Error{.code = ErrorCode::kDamaged, .what = "a rank sent what is no part of a log"};
}

Order* order_of(Buffer& orders, std::int64_t owner) noexcept {
  const std::span all(reinterpret_cast<Order*>(orders.all().data()), orders.size() / sizeof(Order));
  const auto found = std::ranges::lower_bound(all, owner, {}, &Order::owner);
  return found != all.end() && found->owner == owner ? &*found : nullptr;
}

}  // namespace

JobWriter::JobWriter(const Config& config, log::crash::Schemas schemas) noexcept
    : config_(config), schemas_(schemas), writer_(writer_memory()) {}

Status JobWriter::put_job(const Job& job) noexcept {
  const log::crash::JobFacts& facts = job.map->header().job;
  log::MountText mounts[kMostMounts];
  const std::size_t count = split_mounts(job.map->mounts(), mounts);
  const log::crash::CommandText command(job.map->arguments(), log::crash::CommandText::Form::kSpaced);
  char text[96];
  FixedText metadata(text, sizeof text);
  metadata.put("lib_ver=trikal-0.1.0\n");
  if (job.left_out > 0) metadata.put("processes_left_out=").put(job.left_out).put("\n");
  const auto put = writer_.put_job({.uid = facts.uid,
                                    .start_sec = job.start.sec,
                                    .start_nsec = job.start.nsec,
                                    .end_sec = job.end.sec,
                                    .end_nsec = job.end.nsec,
                                    .nprocs = job.ranks,
                                    .job_id = facts.job_id},
                                   {.metadata = metadata.text(), .exe = command.text(), .mounts = {mounts, count}});
  return put ? Status{} : put.error();
}

Status JobWriter::put_region(std::size_t region, Bytes parts, Buffer& orders) noexcept {
  Status status;
  const bool whole = for_each_part(parts, [&](const PartHead& head, Bytes streams) {
    const PartHead::Region& here = head.regions[region];
    if (here.packed == 0) return true;
    if (head.sent != 0) {
      std::uint64_t at = 0;
      for (std::size_t i = 0; i < region; ++i) at += head.regions[i].packed;
      status = writer_.append_stream(
          streams.subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(here.packed)), here.plain);
      return status.ok();
    }
    Order* order = order_of(orders, head.owner);
    if (order == nullptr) return status = kNoMemory, false;
    order->offsets[region] = writer_.offset();
    status = writer_.reserve_stream(here.packed, here.plain);
    return status.ok();
  });
  if (!status.ok() || whole) return status;
  return Error{.code = ErrorCode::kDamaged, .what = "a rank sent what is no part of a log"};
}

Status JobWriter::put_module(std::size_t module, const Job& job, Buffer& orders) noexcept {
  if (((job.modules >> module) & 1) == 0) return {};
  Status status = writer_.begin_module(*schemas_[module], log::crash::version_of(*schemas_[module]));
  if (status.ok()) status = put_region(1 + module, job.parts, orders);
  Buffer records;
  if (status.ok() && !job.shared->finish(module, records)) status = kNoMemory;
  if (status.ok() && records.size() > 0) {
    Buffer packed;
    const auto bytes = pack_stream(records.bytes(), schemas_[module]->head_bytes, Packers::kOne, packed);
    status = bytes ? writer_.append_stream(packed.bytes(), records.size()) : bytes.error();
  }
  return status.ok() ? writer_.end_region() : status;
}

Status JobWriter::begin(const Job& job, Buffer& orders) noexcept {
  if (!name_.choose(config_, job.map->header()))
    return Error{.code = ErrorCode::kUsage, .what = "no directory for the log"};
  // Others may have to open it for writing.
  Status status = writer_.create({.path = name_.path(),
                                  .temporary = name_.temporary(),
                                  .mode = 0600,
                                  .another = LogName::another,
                                  .context = &name_},
                                 {.calls = &raw_file_calls()});
  if (status.ok()) status = make_orders(job.parts, orders);
  if (status.ok()) status = put_job(job);
  if (status.ok()) status = writer_.begin_names();
  if (status.ok()) status = put_region(0, job.parts, orders);
  if (status.ok()) status = writer_.end_region();
  for (std::size_t module = 0; module < schemas_.size() && module < kMostModules; ++module) {
    if (status.ok()) status = put_module(module, job, orders);
  }
  return status;
}

Status JobWriter::finish(const Job& job, UnpackedMaps& maps) noexcept {
  log::TrailerWriter* trailer = writer_.trailer();
  if (trailer == nullptr) return writer_.health();
  TRIKAL_RARE_DATA static constinit log::crash::Extras extras;
  const std::span processes = maps.processes(seconds(job.start));
  Status status = log::crash::begin_process_table(*trailer);
  for (std::size_t i = 0; i < processes.size() && status.ok(); ++i) {
    const log::crash::Process& process = processes[i];
    status =
        log::crash::put_process(*trailer, {process.map, process.rank, seconds(job.start), "finalized", maps.cost(i)});
  }
  if (status.ok()) status = trailer->end_section();
  if (status.ok()) status = log::crash::put_left_out(*trailer, job.left_out);
  if (status.ok()) status = log::crash::put_notes(*trailer, processes);
  if (status.ok()) status = extras.put(*trailer, processes, schemas_);
  if (status.ok()) (void)raw_syscall(__NR_fchmodat, AT_FDCWD, raw_pointer(name_.temporary()), 0400);
  return status.ok() ? writer_.finish(log::crash::thinned_modules(processes, schemas_)) : status;
}

}  // namespace trikal::capture
