#include "log/crash/to_log.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "log/crash/log_clock.hpp"
#include "log/crash/trace.hpp"
#include "schema/live_order.hpp"

namespace trikal::log::crash {
namespace {

// Times to the job's clock and to the log's precision. Where a record has its times is asked once, not for each record.
class Times {
 public:
  explicit Times(const ModuleSchema& schema) {
    std::size_t at = schema.counters_at;
    for (const Counter& counter : schema.counters) {
      const bool stamp = counter.unit == Unit::kTimestamp;
      if (counter.kind == Kind::kReal && (stamp || counter.unit == Unit::kSeconds) && at < kLargestRecord)
        times_[count_++] = {static_cast<std::uint16_t>(at), stamp};
      at += 8 * counter.width();
    }
  }
  void settle(std::byte* record, double shift) const {
    for (const Time& time : std::span(times_).first(count_)) {
      const auto value = load<double>(record + time.at);
      if (value != 0) store(record + time.at, rounded(time.stamp ? value + shift : value));
    }
  }

 private:
  struct Time {
    std::uint16_t at;
    bool stamp;
  };
  std::array<Time, kLargestRecord / 8> times_;  // NOLINT: filled as counted
  std::size_t count_ = 0;
};

// How long the process lived, where it came to its end.
double lifetime(const JobFacts& job) {
  if (job.end_sec == 0) return 0;
  const auto between = [](std::int64_t from, std::int64_t to) {  // unsigned: they may be anything
    return static_cast<double>(
        static_cast<std::int64_t>(static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from)));
  };
  return between(job.start_sec, job.end_sec) + 1e-9 * between(job.start_nsec, job.end_nsec);
}

// Records of threads that belong together are joined when the first of them comes by.
void use_live(const Process& process, const ModuleSchema& schema, const RecordUse& use) {
  const MapPin map = *process.map;
  for_each_slot(map, schema, [&](const std::byte* slot) {
    std::array<std::byte, kLargestRecord> record;  // NOLINT: filled right below
    const auto id = load<std::uint64_t>(slot);
    bool first = true, seen = false;
    for_each_slot(map, schema, [&](const std::byte* other) {
      if (load<std::uint64_t>(other) != id) return;
      if (first) seen = other != slot, std::memcpy(record.data(), other, schema.live->bytes);
      else if (!seen) schema.live->join(record.data(), other);
      first = false;
    });
    const std::size_t bytes = seen ? 0 : schema.live->pack(record.data(), lifetime(map->header().job));
    if (bytes == 0) return;
    store(record.data() + 8, process.rank);
    use.use(use.context, Bytes{record}.first(bytes));
  });
}

// The runs of accesses that a module's records may lack. Few processes leave any behind.
class Runs {
 public:
  Runs(const MapView& map, const ModuleSchema& schema) : schema_(schema) {
    if (schema.runs == nullptr) return;
    for_each_run(map, schema, [this](const std::byte* run) {
      if (count_ < runs_.size()) runs_[count_++] = run;
    });
  }

  // The record with what it lacks; `copy` is where that is put together.
  [[nodiscard]] const std::byte* settled(const std::byte* record, std::byte* copy) const {
    const std::byte* now = record;
    for (std::size_t i = 0; i < count_; ++i) {
      if (load<RunHead>(runs_[i]).id != load<std::uint64_t>(record)) continue;
      if (now == record) std::memcpy(copy, record, schema_.head_bytes), now = copy;
      schema_.runs->settle(copy, runs_[i]);
    }
    return now;
  }

 private:
  const ModuleSchema& schema_;
  std::array<const std::byte*, kMostRuns> runs_{};
  std::size_t count_ = 0;
};

void use_fixed(const Process& process, const ModuleSchema& schema, const RecordUse& use) {
  const MapPin map = *process.map;
  const Runs runs(map, schema);
  const Times times(schema);
  for_each_slot(map, schema, [&](const std::byte* slot) {
    std::array<std::byte, kLargestRecord> record, settled;  // NOLINT: filled right below
    to_log_order(schema, runs.settled(slot, settled.data()), record.data());
    store(record.data() + 8, process.rank);
    times.settle(record.data(), process.shift);
    use.use(use.context, Bytes{record}.first(schema.head_bytes));
  });
}

class RecordCopier {
 public:
  RecordCopier(Writer& writer, const ModuleSchema& schema, const RecordEdit& edit)
      : writer_(writer), schema_(schema), edit_(edit) {}

  Status copy(const Process& process) {
    process_ = &process;
    for_each_record(process, schema_,
                    {[](void* self, Bytes record) { static_cast<RecordCopier*>(self)->put(record); }, this});
    return status_;
  }

 private:
  void put(Bytes record) {
    if (!status_.ok()) return;
    if (edit_.edit != nullptr) record = edit_.edit(edit_.context, schema_, *process_, record);
    if (!record.empty()) status_ = writer_.append(record);
  }

  Writer& writer_;
  const ModuleSchema& schema_;
  const RecordEdit& edit_;
  const Process* process_ = nullptr;
  Status status_;
};

// Not asked of maps that would be fetched in vain.
bool may_have(const MapRef& map, const ModuleSchema& schema) {
  return trace_form_of(schema) != nullptr ? map.contents().has(ChunkKind::kTrace)
                                          : map.contents().has_module(schema.id);
}

bool any_has_module(std::span<const Process> processes, const ModuleSchema& schema) {
  return std::ranges::any_of(processes, [&](const Process& process) {
    return may_have(process.map, schema) && has_module(*process.map, schema);
  });
}

Status put_names(Writer& writer, std::span<const Process> processes, const NameFilter& filter) {
  Status status = writer.begin_names();
  for (const Process& process : processes) {
    process.map->for_each_chunk([&](const Chunk& chunk, Bytes slots) {
      if (chunk.kind != ChunkKind::kNames) return;
      for_each_name(slots, [&](std::uint64_t id, std::string_view name) {
        if (status.ok() && (filter.wanted == nullptr || filter.wanted(filter.context, id)))
          status = writer.put_name(id, name);
      });
    });
  }
  return status.ok() ? writer.end_region() : status;
}

bool can_copy(const ModuleSchema& schema) {
  if (trace_form_of(schema) != nullptr) return true;
  if (schema.live != nullptr) return schema.live->bytes <= kLargestRecord;
  return schema.shape == Shape::kFixed && schema.head_bytes <= kLargestRecord;
}

}  // namespace

void for_each_record(const Process& process, const ModuleSchema& schema, const RecordUse& use) {
  if (!may_have(process.map, schema)) return;
  if (trace_form_of(schema) != nullptr) for_each_trace_record(process, schema, use);
  else if (schema.live != nullptr) use_live(process, schema, use);
  else use_fixed(process, schema, use);
}

bool has_module(const MapView& map, const ModuleSchema& schema) {
  if (const TraceForm* form = trace_form_of(schema)) return has_trace(map, *form);
  bool found = false;
  map.for_each_chunk([&](const Chunk& chunk, Bytes slots) {
    found = found || (holds_records(chunk) && chunk.module == schema.id && !slots.empty());
  });
  return found;
}

bool has_records(const MapView& map) {
  bool found = false;
  map.for_each_chunk([&](const Chunk& chunk, Bytes slots) {
    const bool counts = holds_records(chunk) || chunk.kind == ChunkKind::kExtras;
    found = found || (counts && !slots.empty());
  });
  return found;
}

Status put_records(Writer& writer, std::span<const Process> processes, Schemas schemas, const NameFilter& names,
                   const RecordEdit& edit) {
  Status status = put_names(writer, processes, names);
  for (const ModuleSchema* schema : schemas) {
    if (!status.ok()) return status;
    if (!can_copy(*schema) || !any_has_module(processes, *schema)) continue;
    status = writer.begin_module(*schema, version_of(*schema));
    RecordCopier copier(writer, *schema, edit);
    for (const Process& process : processes) {
      if (status.ok()) status = copier.copy(process);
    }
    const Bytes rest = edit.rest != nullptr ? edit.rest(edit.context, *schema) : Bytes{};
    if (status.ok() && !rest.empty()) status = writer.append(rest);
    if (status.ok()) status = writer.end_region();
  }
  return status;
}

}  // namespace trikal::log::crash
