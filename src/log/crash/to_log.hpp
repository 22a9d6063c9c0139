#pragma once
// Crash maps become a log: one process's own, or those of all processes of a job. No heap.

#include <span>

#include "log/crash/map_ref.hpp"
#include "log/write/writer.hpp"

namespace trikal::log::crash {

// One process of the job.
struct Process {
  MapRef map;
  std::int64_t rank = 0;
  double shift = 0;  // seconds its clock began after the job's
};

using Schemas = std::span<const ModuleSchema* const>;  // ascending

// A module whose records are made of the events of another one's trace.
struct TraceForm {
  std::uint32_t interface = 0;  // whose reads and writes they are: a TraceInterface (trace_code.hpp)
  std::uint32_t version = 0;  // of the records in our logs
};
// Null: its records are its own.
[[nodiscard]] const TraceForm* trace_form_of(const ModuleSchema& schema) noexcept;

// Whether a map has any of a module.
[[nodiscard]] bool has_module(const MapView& map, const ModuleSchema& schema);
// The version of the records that for_each_record gives.
[[nodiscard]] inline std::uint32_t version_of(const ModuleSchema& schema) noexcept {
  const TraceForm* form = trace_form_of(schema);
  return form != nullptr ? form->version : schema.version;
}

// Whether a process did any I/O at all.
[[nodiscard]] bool has_records(const MapView& map);

// Which names are to be written, for jobs whose processes share files. All, by default.
struct NameFilter {
  bool (*wanted)(void* context, std::uint64_t id) = nullptr;
  void* context = nullptr;
};

// What is done with each record. No std::function: this runs inside the application, too.
struct RecordUse {
  void (*use)(void* context, Bytes record) = nullptr;
  void* context = nullptr;
};
// Every record of one module of one process, as the log will have it.
void for_each_record(const Process& process, const ModuleSchema& schema, const RecordUse& use);

// A last change to records before they are written; answers with the record to write instead, or with nothing.
struct RecordEdit {
  Bytes (*edit)(void* context, const ModuleSchema& schema, const Process& process, Bytes record) = nullptr;
  // Records to write behind all others of the module.
  Bytes (*rest)(void* context, const ModuleSchema& schema) = nullptr;
  void* context = nullptr;
};

// Names, then every module's records, in the order of `processes`. The job region was written before.
[[nodiscard]] Status put_records(Writer& writer, std::span<const Process> processes, Schemas schemas,
                                 const NameFilter& names = {}, const RecordEdit& edit = {});

}  // namespace trikal::log::crash
