// What the trailer says of traces.

#include "base/short_text.hpp"
#include "log/crash/section.hpp"
#include "log/crash/trace.hpp"
#include "log/trailer/segment_threads.hpp"

namespace trikal::log::crash {
namespace {

constexpr Column kTraceColumns[] = {
    {"id", ColumnType::kU64, kUnitRecordId, "the file; 0: files for which there was no memory"},
    {"rank", ColumnType::kI64, kUnitRank, "the process"},
    {"pid", ColumnType::kI64, "", "process id"},
    {"interface", ColumnType::kText, "", "whose calls they are"},
    {"events", ColumnType::kU64, "calls", "calls that were to be traced"},
    {"kept", ColumnType::kU64, "calls", "those that are in this log; the same number: the trace is whole"},
    {"one_of", ColumnType::kU64, "", "one call of so many was kept, evenly over the run; 1: each"},
};
constexpr SectionSchema kTraceSection = {"traces", "what was traced of each file, and how much of it was kept",
                                         kTraceColumns};

constexpr Column kCallColumns[] = {
    {"id", ColumnType::kU64, kUnitRecordId, "the file"},
    {"rank", ColumnType::kI64, kUnitRank, "the process"},
    {"pid", ColumnType::kI64, "", "process id"},
    {"interface", ColumnType::kText, "", "whose call it was"},
    {"operation", ColumnType::kText, "", "what was called"},
    {"offset", ColumnType::kI64, kUnitBytes, "in the file; -1: the call has none"},
    {"length", ColumnType::kI64, kUnitBytes, "what it moved"},
    {"start_time", ColumnType::kF64, kUnitTimestamp, "when the call began, in seconds after the job's start"},
    {"end_time", ColumnType::kF64, kUnitTimestamp, "when it ended"},
    {"thread", ColumnType::kU64, "", "the thread that called, counted from 1 in its process"},
};
constexpr SectionSchema kCallSection = {"traced_calls", "traced calls that are in no record of DXT", kCallColumns};

bool is_in_record(std::uint32_t interface, Operation operation) noexcept {
  return (interface == kTracePosix || interface == kTraceMpiio) && trace_way(operation) != TraceWay::kNone;
}

void put_calls(Section& section, const Process& process, const MapView& map) noexcept {
  const TracedFiles files(map);
  OperationName name;
  std::uint32_t named = UINT32_MAX;
  for_each_event(map, [&](const TraceEvent& event) {
    if (event.traced >= files.all().size()) return;
    const TracedFile& file = files.all()[event.traced];
    const Operation operation{event.operation};
    if (file.interface == TracedFile::kLeftOut || is_in_record(file.interface, operation)) return;
    // Those of modules are looked for in the map.
    if (named != event.operation) name = operation_name(map, operation), named = event.operation;
    const double start = trace_seconds(event.begin) + process.shift;
    section.row(u64(file.id), i64(process.rank), i64(map.header().identity.pid), text(name.interface), text(name.word),
                i64(event.offset), i64(event.length), f64(start), f64(start + trace_seconds(event.duration)),
                u64(std::uint64_t{event.thread} + 1));
  });
}

std::string_view interface_name(std::uint32_t interface) noexcept {
  static constexpr ShortText<6> kNames[] = {"POSIX", "STDIO", "MPI-IO", "HDF5"};
  return interface < std::size(kNames) ? kNames[interface].view() : "other";
}

// Runs of segments that one thread made.
void put_runs(Section& section, const ModuleSchema& schema, std::uint64_t record,
              std::span<const TraceSegments::Segment> segments) noexcept {
  for (std::size_t first = 0; first < segments.size();) {
    std::size_t end = first + 1;
    while (end < segments.size() && segments[end].thread == segments[first].thread) ++end;
    section.row(u64(schema.id), u64(record), u64(first), u64(end - first), u64(segments[first].thread));
    first = end;
  }
}

}  // namespace

std::uint64_t thinned_modules(std::span<const Process> processes, Schemas schemas) noexcept {
  std::uint64_t bits = 0;
  for (const Process& process : processes) {
    if (!process.map.contents().has(ChunkKind::kTraced)) continue;
    const MapPin map = *process.map;
    const TracedFiles files(map);
    for (const ModuleSchema* schema : schemas) {
      const TraceForm* form = trace_form_of(*schema);
      if (form == nullptr) continue;
      for (const TracedFile& file : files.all()) {
        const bool counts = file.interface == form->interface && file.kept(files.has_events()) < file.events;
        if (counts) bits |= std::uint64_t{1} << schema->id;
      }
    }
  }
  return bits;
}

Status put_traces(TrailerWriter& trailer, std::span<const Process> processes) noexcept {
  Section section(trailer, kTraceSection);
  for (const Process& process : processes) {
    if (!process.map.contents().has(ChunkKind::kTraced)) continue;
    const MapPin map = *process.map;
    const TracedFiles files(map);
    for (const TracedFile& file : files.all()) {
      if ((file.events == 0 && file.found == 0) || file.interface == TracedFile::kLeftOut) continue;
      const std::uint64_t kept = file.kept(files.has_events());
      section.row(u64(file.id), i64(process.rank), i64(map->header().identity.pid),
                  text(interface_name(file.interface)), u64(std::max(file.events, kept)), u64(kept), u64(file.one_of));
    }
  }
  return section.end();
}

Status put_traced_calls(TrailerWriter& trailer, std::span<const Process> processes) noexcept {
  Section section(trailer, kCallSection);
  for (const Process& process : processes) {
    if (!process.map.contents().has(ChunkKind::kTrace)) continue;
    const MapPin map = *process.map;
    put_calls(section, process, map);
  }
  return section.end();
}

Status put_segment_threads(TrailerWriter& trailer, std::span<const Process> processes, Schemas schemas) noexcept {
  Section section(trailer, kSegmentThreadsSection);
  for (const ModuleSchema* schema : schemas) {
    const TraceForm* form = trace_form_of(*schema);
    if (form == nullptr) continue;
    std::uint64_t record = 0;
    for (const Process& process : processes) {
      if (!process.map.contents().has(ChunkKind::kTrace)) continue;
      const MapPin map = *process.map;
      if (!has_trace(map, *form)) continue;
      const TraceSegments segments(map, *form, process.shift);
      for (const TracedFile& file : segments.files()) {
        if (file.interface != form->interface) continue;
        const auto accesses = segments.of(file);
        if (!accesses.empty()) put_runs(section, *schema, record++, accesses);
      }
    }
  }
  return section.end();
}

}  // namespace trikal::log::crash
