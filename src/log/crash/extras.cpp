#include "log/crash/extras.hpp"

#include <cerrno>

#include "base/short_text.hpp"
#include "log/crash/log_clock.hpp"
#include "schema/table.hpp"

namespace trikal::log::crash {
namespace {

struct ErrorWord {
  int number;
  ShortText<12> word;
};
constexpr ErrorWord kWords[] = {
    {EPERM, "EPERM"},
    {ENOENT, "ENOENT"},
    {EINTR, "EINTR"},
    {EIO, "EIO"},
    {ENXIO, "ENXIO"},
    {EBADF, "EBADF"},
    {EAGAIN, "EAGAIN"},
    {ENOMEM, "ENOMEM"},
    {EACCES, "EACCES"},
    {EFAULT, "EFAULT"},
    {EBUSY, "EBUSY"},
    {EEXIST, "EEXIST"},
    {EXDEV, "EXDEV"},
    {ENODEV, "ENODEV"},
    {ENOTDIR, "ENOTDIR"},
    {EISDIR, "EISDIR"},
    {EINVAL, "EINVAL"},
    {ENFILE, "ENFILE"},
    {EMFILE, "EMFILE"},
    {ENOTTY, "ENOTTY"},
    {ETXTBSY, "ETXTBSY"},
    {EFBIG, "EFBIG"},
    {ENOSPC, "ENOSPC"},
    {ESPIPE, "ESPIPE"},
    {EROFS, "EROFS"},
    {EMLINK, "EMLINK"},
    {EPIPE, "EPIPE"},
    {EDEADLK, "EDEADLK"},
    {ENAMETOOLONG, "ENAMETOOLONG"},
    {ENOLCK, "ENOLCK"},
    {ENOSYS, "ENOSYS"},
    {ENOTEMPTY, "ENOTEMPTY"},
    {ELOOP, "ELOOP"},
    {ENODATA, "ENODATA"},
    {EOVERFLOW, "EOVERFLOW"},
    {EILSEQ, "EILSEQ"},
    {EOPNOTSUPP, "EOPNOTSUPP"},
    {ETIMEDOUT, "ETIMEDOUT"},
    {ESTALE, "ESTALE"},
    {EDQUOT, "EDQUOT"},
};

// Whether a chunk holds what it should.
bool holds(const Chunk& chunk, ChunkKind kind, std::uint32_t module, std::uint32_t record_bytes) {
  return chunk.kind == kind && chunk.module == module && chunk.record_bytes == record_bytes;
}

Status put_row(TrailerWriter& trailer, const Process& process, const ModuleSchema& extra, const std::byte* slot) {
  Status status = trailer.put_u64(load<std::uint64_t>(slot));
  if (status.ok()) status = trailer.put_i64(process.rank);
  const std::byte* at = slot + extra.counters_at;
  for (const Counter& counter : extra.counters) {
    if (!status.ok()) return status;
    status = counter.kind == Kind::kReal ? trailer.put_f64(rounded(load<double>(at)))
                                         : trailer.put_i64(load<std::int64_t>(at));
    at += 8;
  }
  return status;
}

Status put_error(TrailerWriter& trailer, const Process& process, const ErrorSlot& slot, Schemas schemas) {
  std::string_view module;
  for (const ModuleSchema* schema : schemas) {
    if (schema->id == slot.module) module = schema->name;
  }
  Status status = trailer.put_u64(slot.id);
  const auto next = [&](Status put) {
    if (status.ok()) status = put;
  };
  next(trailer.put_i64(process.rank));
  next(trailer.put_text(module));
  next(trailer.put_i64(slot.error));
  next(trailer.put_text(error_word(slot.error)));
  next(trailer.put_i64(slot.count));
  return status;
}

// Calls use(process, slot) for every slot of such chunks.
template <class Holds, class Use>
void for_each(std::span<const Process> processes, ChunkKind kind, const Holds& wanted, const Use& use) {
  for (const Process& process : processes) {
    if (!process.map.contents().has(kind)) continue;
    process.map->for_each_chunk([&](const Chunk& chunk, Bytes slots) {
      if (!wanted(chunk)) return;
      for (std::size_t at = 0; at + chunk.stride <= slots.size(); at += chunk.stride) use(process, slots.data() + at);
    });
  }
}

Status put_errors(TrailerWriter& trailer, std::span<const Process> processes, Schemas schemas) {
  Status status;
  bool begun = false;
  for_each(
      processes, ChunkKind::kErrors,
      [](const Chunk& chunk) { return holds(chunk, ChunkKind::kErrors, 0, sizeof(ErrorSlot)); },
      [&](const Process& process, const std::byte* slot) {
        if (!begun) status = trailer.begin_section(kErrorsSection), begun = true;
        if (status.ok()) status = put_error(trailer, process, load<ErrorSlot>(slot), schemas);
      });
  return status.ok() && begun ? trailer.end_section() : status;
}

}  // namespace

std::string_view error_word(std::int64_t number) {
  for (const ErrorWord& known : kWords) {
    if (known.number == number) return known.word;
  }
  return {};
}

SectionSchema Extras::describe(const ModuleSchema& extra) {
  auto& columns = columns_[sections_++];
  columns[0] = {"id", ColumnType::kU64, kUnitRecordId, "the file"};
  columns[1] = {"rank", ColumnType::kI64, kUnitRank, "the process"};
  std::size_t count = 2;
  for (const Counter& counter : extra.counters) {
    const ColumnType type = counter.kind == Kind::kReal ? ColumnType::kF64 : ColumnType::kI64;
    columns[count++] = {counter.name, type, unit_name(counter.unit), counter.help};
  }
  return {extra.name, extra.help, std::span(columns).first(count)};
}

Status Extras::put_section(TrailerWriter& trailer, std::span<const Process> processes, const ModuleSchema& module) {
  const ModuleSchema& extra = *module.extra;
  if (extra.counters.size() + 2 > kMostCounters || sections_ == kMostSections) {
    return Error{.code = ErrorCode::kUsage, .what = "more counters than the trailer's sections were made for"};
  }
  Status status;
  bool begun = false;
  for_each(
      processes, ChunkKind::kExtras,
      [&](const Chunk& chunk) { return holds(chunk, ChunkKind::kExtras, module.id, extra.head_bytes); },
      [&](const Process& process, const std::byte* slot) {
        if (!begun) status = trailer.begin_section(describe(extra)), begun = true;
        if (status.ok()) status = put_row(trailer, process, extra, slot);
      });
  return status.ok() && begun ? trailer.end_section() : status;
}

Status Extras::put(TrailerWriter& trailer, std::span<const Process> processes, Schemas schemas) {
  Status status;
  sections_ = 0;  // a process writes the logs of the programs it was before with one object, too
  for (const ModuleSchema* module : schemas) {
    if (status.ok() && module->extra != nullptr) status = put_section(trailer, processes, *module);
  }
  return status.ok() ? put_errors(trailer, processes, schemas) : status;
}

}  // namespace trikal::log::crash
