#include "log/crash/notes.hpp"

#include "base/program_kind.hpp"

namespace trikal::log::crash {
namespace {

constexpr Column kUnseenColumns[] = {
    {"pid", ColumnType::kI64, "", "the process that started it"},
    {"why", ColumnType::kText, "", "static, go, musl, 32-bit, privileged or environment"},
    {"count", ColumnType::kU64, "calls", "how often it was started"},
    {"exe", ColumnType::kText, "", "the program"},
};
constexpr SectionSchema kUnseenSection = {"unseen", "programs that were started and cannot be observed",
                                          kUnseenColumns};

constexpr Column kPhaseColumns[] = {
    {"pid", ColumnType::kI64, "", "the process"},
    {"rank", ColumnType::kI64, kUnitRank, "its rank in this log; -1 if it did no I/O"},
    {"thread", ColumnType::kU64, "", "the thread, counted from 0"},
    {"depth", ColumnType::kU64, "", "phases around this one"},
    {"begin", ColumnType::kF64, kUnitTimestamp, "seconds after the job's start"},
    {"end", ColumnType::kF64, kUnitTimestamp, "seconds after the job's start; 0 if it did not end"},
    {"phase", ColumnType::kText, "", "its name"},
};
constexpr SectionSchema kPhaseSection = {"phases", "parts of the run that the program named", kPhaseColumns};

// A section that begins with its first row.
class Section {
 public:
  Section(TrailerWriter& trailer, const SectionSchema& schema) noexcept : trailer_(trailer), schema_(schema) {}

  // Calls put(trailer) for each value of a row.
  template <class... Put>
  void row(const Put&... put) noexcept {
    if (!begun_ && status_.ok()) status_ = trailer_.begin_section(schema_);
    begun_ = true;
    (step(put), ...);
  }
  Status end() noexcept { return begun_ && status_.ok() ? trailer_.end_section() : status_; }

 private:
  template <class Put>
  void step(const Put& put) noexcept {
    if (status_.ok()) status_ = put(trailer_);
  }

  TrailerWriter& trailer_;
  const SectionSchema& schema_;
  bool begun_ = false;
  Status status_;
};

auto i64(std::int64_t value) {
  return [value](TrailerWriter& to) { return to.put_i64(value); };
}
auto u64(std::uint64_t value) {
  return [value](TrailerWriter& to) { return to.put_u64(value); };
}
auto f64(double value) {
  return [value](TrailerWriter& to) { return to.put_f64(value); };
}
auto text(std::string_view value) {
  return [value](TrailerWriter& to) { return to.put_text(value); };
}

Status put_unseen(TrailerWriter& trailer, std::span<const Process> processes) noexcept {
  Section section(trailer, kUnseenSection);
  for (const Process& process : processes) {
    for_each_note<UnseenSlot>(*process.map, ChunkKind::kUnseen, [&](const UnseenSlot& slot) {
      section.row(i64(process.map->header().identity.pid), text(unseen_word(Unseen{slot.why})),
                  u64(slot.count.load(std::memory_order_relaxed)), text(path_of(slot)));
    });
  }
  return section.end();
}

Status put_phases(TrailerWriter& trailer, std::span<const Process> processes) noexcept {
  Section section(trailer, kPhaseSection);
  for (const Process& process : processes) {
    for_each_note<PhaseSlot>(*process.map, ChunkKind::kPhases, [&](const PhaseSlot& slot) {
      section.row(i64(process.map->header().identity.pid), i64(process.rank), u64(slot.thread), u64(slot.depth),
                  f64(slot.begin + process.shift), f64(slot.end == 0 ? 0 : slot.end + process.shift),
                  text(name_of(slot)));
    });
  }
  return section.end();
}

}  // namespace

Status put_notes(TrailerWriter& trailer, std::span<const Process> processes) noexcept {
  const Status status = put_unseen(trailer, processes);
  return status.ok() ? put_phases(trailer, processes) : status;
}

}  // namespace trikal::log::crash
