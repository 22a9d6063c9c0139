#pragma once
// APMPI records: the header says how much the ranks differ and whether waiting was timed; where it was not,
// the sync times of the perf records behind it mean nothing and are left out. They belong to no file.

#include "modules/apmpi/schema.hpp"
#include "schema/record_view.hpp"

namespace trikal::modules::apmpi {

inline constexpr std::size_t kFirstSync = slot_of(kCounters, "MPI_#_TOTAL_SYNC_TIME");
inline constexpr std::size_t kTotalTime = slot_of(kCounters, "MPI_TOTAL_COMM_TIME");
inline constexpr std::size_t kTotalSyncTime = slot_of(kCounters, "MPI_TOTAL_COMM_SYNC_TIME");

inline void header_values(const std::byte* record, RecordViewState& state, ValueSink& sink) {
  state.word = load<std::uint32_t>(record + kSyncFlagAt);
  sink.real("MPI_TOTAL_COMM_TIME_VARIANCE", load<double>(record + kVarianceTimeAt));
  if (state.word != 0) sink.real("MPI_TOTAL_COMM_SYNC_TIME_VARIANCE", load<double>(record + kVarianceSyncTimeAt));
}

inline void values(Bytes record, RecordViewState& state, ValueSink& sink) {
  if (autoperf::is_header<kMagic>(record.data())) return header_values(record.data(), state, sink);
  const bool waiting_timed = state.word != 0;
  sink.text("MPI_PROCESSOR_NAME", field_text(record.data() + kNodeNameAt, kNodeNameBytes));
  list_slots<kSchema>(record.data(), sink, 0, waiting_timed ? kTotalTime : kFirstSync);
  list_slots<kSchema>(record.data(), sink, kTotalTime, waiting_timed ? kTotalSyncTime + 1 : kTotalSyncTime);
}

inline void labels(Bytes /*record*/, RecordLabels& labels) {
  labels.has_name = labels.has_mount = labels.has_type = true;
}

inline constexpr Counter kAlso[] = {
    real("MPI_TOTAL_COMM_TIME_VARIANCE", Unit::kNone, Fold::kKeep, "variance over ranks of the time in MPI calls"),
    real("MPI_TOTAL_COMM_SYNC_TIME_VARIANCE", Unit::kNone, Fold::kKeep, "variance over ranks of the time in waiting"),
    {"MPI_PROCESSOR_NAME", Unit::kNone, Fold::kKeep, kFields[0].help},
};
inline constexpr RecordView kRecordView = {.values = values, .labels = labels, .also = kAlso};

}  // namespace trikal::modules::apmpi
