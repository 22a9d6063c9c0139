#include "log/crash/notes.hpp"

#include <algorithm>
#include <cstdint>

#include "base/program_kind.hpp"
#include "log/crash/section.hpp"
#include "log/crash/trace.hpp"

namespace trikal::log::crash {
namespace {

constexpr Column kUnseenColumns[] = {
    {"pid", ColumnType::kI64, "", "the process that started it; 0: of several"},
    {"why", ColumnType::kText, "",
     "static, go, musl, 32-bit, privileged, environment, unreachable, hidden; of an observed program: no-space, "
     "io_uring, "
     "deepbind, "
     "dlmopen, excluded, linked-in"},
    {"count", ColumnType::kU64, "calls", "how often it was started, loaded or used"},
    {"exe", ColumnType::kText, "", "the program, library or directory"},
};
constexpr SectionSchema kUnseenSection = {"unseen", "programs, and parts of programs, that cannot be observed",
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

constexpr Column kHintColumns[] = {
    {"id", ColumnType::kU64, kUnitRecordId, "the file"},
    {"rank", ColumnType::kI64, kUnitRank, "the process that gave it; -1: all ranks gave the same"},
    {"key", ColumnType::kText, "", "the hint's name"},
    {"value", ColumnType::kText, "", "what it was set to"},
};
constexpr SectionSchema kHintSection = {"mpiio_hints", "hints given to MPI with a file", kHintColumns};

Status put_unseen(TrailerWriter& trailer, std::span<const Process> processes,
                  std::span<const UnseenRow> more) noexcept {
  Section section(trailer, kUnseenSection);
  for (const Process& process : processes) {
    for_each_note<UnseenSlot>(process.map, ChunkKind::kUnseen, [&](const UnseenSlot& slot) {
      section.row(i64(process.map->header().identity.pid), text(unseen_word(Unseen{slot.why})),
                  u64(slot.count.load(std::memory_order_relaxed)),
                  text(slot.path_bytes != 0 ? path_of(slot) : process.map->program()));
    });
  }
  for (const UnseenRow& row : more) section.row(i64(0), text(unseen_word(row.why)), u64(row.count), text(row.what));
  return section.end();
}

Status put_phases(TrailerWriter& trailer, std::span<const Process> processes) noexcept {
  Section section(trailer, kPhaseSection);
  for (const Process& process : processes) {
    for_each_note<PhaseSlot>(process.map, ChunkKind::kPhases, [&](const PhaseSlot& slot) {
      section.row(i64(process.map->header().identity.pid), i64(process.rank), u64(slot.thread), u64(slot.depth),
                  f64(slot.begin + process.shift), f64(slot.end == 0 ? 0 : slot.end + process.shift),
                  text(name_of(slot)));
    });
  }
  return section.end();
}

bool same_hint(const HintSlot& a, const HintSlot& b) noexcept {
  return a.id == b.id && key_of(a) == key_of(b) && value_of(a) == value_of(b);
}

constexpr std::size_t kNoHint = SIZE_MAX;

// Its index among those of a process.
std::size_t index_of(const HintSlot& hint, const Process& process) noexcept {
  std::size_t index = kNoHint, at = 0;
  for_each_note<HintSlot>(process.map, ChunkKind::kHints, [&](const HintSlot& slot) {
    if (index == kNoHint && same_hint(slot, hint)) index = at;
    ++at;
  });
  return index;
}

bool is_rank(const Process& process) noexcept { return process.map->header().job.ranks > 1; }

// Which hints of the first rank all others gave, too.
class CommonHints {
 public:
  explicit CommonHints(std::span<const Process> processes) noexcept {
    const auto gives = [](const Process& process) { return process.map.contents().has(ChunkKind::kHints); };
    if (std::ranges::none_of(processes, gives)) return;
    const auto first = std::ranges::find_if(processes, is_rank);
    if (first == processes.end()) return;
    first_ = &*first;
    std::size_t at = 0;
    for_each_note<HintSlot>(first->map, ChunkKind::kHints, [&](const HintSlot& hint) {
      if (at < kMost)
        common_[at++] = std::ranges::all_of(
            processes, [&](const Process& process) { return !is_rank(process) || index_of(hint, process) != kNoHint; });
    });
  }
  [[nodiscard]] bool has(const HintSlot& hint, const Process& process) const noexcept {
    const std::size_t index = first_ != nullptr && is_rank(process) ? index_of(hint, *first_) : kNoHint;
    return index < kMost && common_[index];
  }
  [[nodiscard]] bool is_first(const Process& process) const noexcept { return &process == first_; }

 private:
  static constexpr std::size_t kMost = 1024;
  const Process* first_ = nullptr;
  bool common_[kMost] = {};
};

// All ranks of an MPI job give the same hints, as a rule: then one row says so.
Status put_hints(TrailerWriter& trailer, std::span<const Process> processes) noexcept {
  Section section(trailer, kHintSection);
  const CommonHints common(processes);
  for (const Process& process : processes) {
    for_each_note<HintSlot>(process.map, ChunkKind::kHints, [&](const HintSlot& hint) {
      const bool of_all = common.has(hint, process);
      if (of_all && !common.is_first(process)) return;
      section.row(u64(hint.id), i64(of_all ? -1 : process.rank), text(key_of(hint)), text(value_of(hint)));
    });
  }
  return section.end();
}

}  // namespace

Status put_notes(TrailerWriter& trailer, std::span<const Process> processes, const SiteNames& names,
                 std::span<const UnseenRow> more) noexcept {
  Status status = put_unseen(trailer, processes, more);
  if (status.ok()) status = put_phases(trailer, processes);
  if (status.ok()) status = put_hints(trailer, processes);
  if (status.ok()) status = put_traces(trailer, processes);
  return status.ok() ? put_sites(trailer, processes, names) : status;
}

}  // namespace trikal::log::crash
